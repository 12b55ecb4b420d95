// A metric over two keys, as colours.

import { h } from "../dom.ts";
import { number } from "../format.ts";
import { colors } from "../palette.ts";
import { along, type Axis, axisText, type Frame, valueOf } from "../plots/axes.ts";
import type { Column as CsvColumn } from "../plots/csv.ts";
import type { Pen } from "../plots/svg.ts";
import { type Axes, toPixel } from "../plots/xydraw.ts";
import type { Pair } from "../types.ts";
import { cells } from "./binning.ts";
import type { Content, Hit } from "./chart.ts";
import { type Column, logarithmic } from "./data.ts";
import { drawCross } from "./linedraw.ts";
import { extent, type Said } from "./lines.ts";
import { css, gradient, shadeOf } from "./shades.ts";

/** Values of a key in rising order, and the edges of its cells. */
interface Side {
  name: string;
  values: number[];
  edges: number[];
  axis: Axis;
}

function side(name: string, { values, unit }: Column): Side {
  const log = logarithmic(values);
  const rising = [...new Set(values)].filter(Number.isFinite).sort((a, b) => a - b);
  const at = cells(rising, log);
  const range: Pair = [at[0] ?? 0, at[at.length - 1] ?? 1];
  return { name, values: rising, edges: at, axis: { name, unit, log, range } };
}

export class Heat implements Content {
  readonly x: Axis;
  readonly y: Axis;
  /** Least and greatest value of the metric. */
  readonly range: Pair;
  readonly #x: Side;
  readonly #y: Side;
  /** Row of each cell, −1 where there is none. */
  readonly #rows: Int32Array;
  readonly #byRow = new Map<number, number>();

  constructor(
    readonly title: string,
    private metric: string,
    private values: Float64Array,
    /** SI unit of the metric. */
    private unit: string,
    x: { key: string; column: Column },
    y: { key: string; column: Column },
    private rowOf: (i: number) => number,
    private say: (row: number) => Said,
  ) {
    this.#x = side(x.key, x.column);
    this.#y = side(y.key, y.column);
    this.x = this.#x.axis;
    this.y = this.#y.axis;
    this.range = extent([values]);
    this.#rows = new Int32Array(this.#x.values.length * this.#y.values.length).fill(-1);
    const place = (list: number[]) => new Map(list.map((value, i) => [value, i]));
    const [columns, lines] = [place(this.#x.values), place(this.#y.values)];
    for (let i = 0; i < values.length; i++) {
      const [a, b] = [columns.get(x.column.values[i]), lines.get(y.column.values[i])];
      if (a === undefined || b === undefined) continue;
      this.#rows[b * this.#x.values.length + a] = i;
      this.#byRow.set(rowOf(i), b * this.#x.values.length + a);
    }
  }

  /** The colours with their numbers. */
  bar(): HTMLElement {
    const [low, high] = this.range;
    return h(
      "div.study-colors",
      { role: "img", "aria-label": `Colours from ${number(low, 6)} to ${number(high, 6)}` },
      h("span", {}, number(low, 4)),
      h("i", { style: `background:${gradient}` }),
      h("span", {}, number(high, 4)),
      h("span.quiet", {}, axisText(this.metric, this.unit)),
    );
  }

  draw(context: Pen, frame: Frame, axes: Axes): void {
    const [low, high] = this.range;
    const wide = this.#x.values.length;
    this.#rows.forEach((i, cell) => {
      if (i < 0) return;
      const [a, b] = [cell % wide, Math.floor(cell / wide)];
      const [x0, y0] = toPixel(frame, axes, this.#x.edges[a], this.#y.edges[b]);
      const [x1, y1] = toPixel(frame, axes, this.#x.edges[a + 1], this.#y.edges[b + 1]);
      const value = this.values[i];
      if (Number.isNaN(value)) return drawCross(context, 0.5 * (x0 + x1), 0.5 * (y0 + y1), 5);
      context.fillStyle = css(shadeOf(high > low ? (value - low) / (high - low) : 0.5));
      // A little more, so that no seam shows.
      context.fillRect(x0, y1, x1 - x0 + 0.6, y0 - y1 + 0.6);
    });
  }

  #hit(cell: number, frame: Frame, axes: Axes): Hit | null {
    const i = this.#rows[cell];
    if (i < 0) return null;
    const wide = this.#x.values.length;
    const x = along(axes.x, this.#x.values[cell % wide]) * frame.width;
    const y = (1 - along(axes.y, this.#y.values[Math.floor(cell / wide)])) * frame.height;
    const row = this.rowOf(i);
    return { x, y, row, ...this.say(row) };
  }

  near(x: number, y: number, frame: Frame, axes: Axes): Hit | null {
    const find = (edges: number[], value: number) =>
      edges.findIndex((edge, i) => value >= edge && value < edges[i + 1]);
    const a = find(this.#x.edges, valueOf(axes.x, x / frame.width));
    const b = find(this.#y.edges, valueOf(axes.y, 1 - y / frame.height));
    return a < 0 || b < 0 ? null : this.#hit(b * this.#x.values.length + a, frame, axes);
  }

  walk(frame: Frame, axes: Axes): Hit[] {
    return Array.from(this.#rows, (_, cell) => this.#hit(cell, frame, axes)).filter((hit) => hit !== null);
  }

  places(row: number): Pair[] {
    const cell = this.#byRow.get(row);
    if (cell === undefined) return [];
    const wide = this.#x.values.length;
    return [[this.#x.values[cell % wide], this.#y.values[Math.floor(cell / wide)]]];
  }

  figure(): null {
    return null;
  }

  /** The colours with their numbers, in the upper right corner. */
  key(context: Pen, frame: Frame): void {
    const [low, high] = this.range;
    const [right, steps] = [frame.left + frame.width, 60];
    const left = right - 2 * steps - 60;
    for (let i = 0; i < steps; i++) {
      context.fillStyle = css(shadeOf(i / (steps - 1)));
      context.fillRect(left + 2 * i, 6, 2.6, 10);
    }
    context.fillStyle = colors().soft;
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.fillText(`${this.metric} (SI)  ${number(low, 4)}`, left - 6, 11);
    context.textAlign = "left";
    context.fillText(number(high, 4), left + 2 * steps + 6, 11);
  }

  columns(): CsvColumn[] {
    const wide = this.#x.values.length;
    const known = Array.from(this.#rows.keys()).filter((cell) => this.#rows[cell] >= 0);
    return [
      { name: this.#x.name, unit: this.x.unit, values: known.map((cell) => this.#x.values[cell % wide]) },
      { name: this.#y.name, unit: this.y.unit, values: known.map((cell) => this.#y.values[Math.floor(cell / wide)]) },
      { name: this.metric, unit: this.unit, values: known.map((cell) => this.values[this.#rows[cell]]) },
    ];
  }
}
