// What the motion is at each value of the key: a strip of colours for each way.

import { colors } from "../palette.ts";
import type { Axis, Frame } from "../plots/axes.ts";
import { along } from "../plots/axes.ts";
import type { Column as CsvColumn } from "../plots/csv.ts";
import type { Pen } from "../plots/svg.ts";
import type { Entry } from "../plots/view.ts";
import { type Axes, toPixel } from "../plots/xydraw.ts";
import type { Pair } from "../types.ts";
import { cells } from "./binning.ts";
import type { Content, Hit } from "./chart.ts";
import type { Study } from "./data.ts";
import { keyAxis, kindOf, kinds, motion } from "./motions.ts";

interface Cell {
  row: number;
  level: number;
  at: number;
  from: number;
  to: number;
}

export class Strip implements Content {
  readonly title = "Class of the motion";
  readonly x: Axis;
  readonly y: Axis;
  readonly #cells: Cell[];

  constructor(private study: Study) {
    const { table, findings } = study;
    const parameter = table.column("parameter")!;
    const ways = ["down", "up"].filter((way) => table.column("direction")!.words!.includes(way));
    const ticks = ways.map((label, at) => ({ at: at + 0.5, label }));
    this.x = keyAxis(findings.keys[0], parameter);
    this.y = { name: "", unit: "", log: false, ticks, range: [0, ways.length] };
    const rising = [...new Set(parameter.values)].sort((a, b) => a - b);
    const edges = cells(rising, this.x.log);
    const place = new Map(rising.map((value, i) => [value, i]));
    this.#cells = Array.from(parameter.values, (at, row) => {
      const i = place.get(at) ?? 0;
      const level = ways.indexOf(String(table.cell(row, "direction")));
      return { row, level, at, from: edges[i], to: edges[i + 1] };
    });
  }

  legend(): Entry[] {
    return kinds(this.study).map(({ key, label, color }) => ({
      key,
      label,
      color: color(),
      dash: [],
      marker: false,
      value: "",
    }));
  }

  draw(context: Pen, frame: Frame, axes: Axes): void {
    for (const { row, level, from, to } of this.#cells) {
      const [x0, y0] = toPixel(frame, axes, from, level + 0.1);
      const [x1, y1] = toPixel(frame, axes, to, level + 0.9);
      context.fillStyle = kindOf(this.study, row).color();
      // Whole pixels, so that no seam shows.
      const [left, right] = [Math.round(x0), Math.round(x1)];
      context.fillRect(left, y1, Math.max(1, right - left), y0 - y1);
    }
  }

  #hit({ row, level, at }: Cell, frame: Frame, axes: Axes): Hit {
    const x = along(axes.x, at) * frame.width;
    return { x, y: (1 - along(axes.y, level + 0.5)) * frame.height, row, ...motion(this.study, row) };
  }

  near(x: number, y: number, frame: Frame, axes: Axes): Hit | null {
    const share = (value: number) => along(axes.x, value) * frame.width;
    const level = Math.floor((axes.y.range[1] - axes.y.range[0]) * (1 - y / frame.height) + axes.y.range[0]);
    const found = this.#cells.find((cell) => cell.level === level && x >= share(cell.from) && x < share(cell.to));
    return found ? this.#hit(found, frame, axes) : null;
  }

  walk(frame: Frame, axes: Axes): Hit[] {
    return [...this.#cells]
      .sort((a, b) => a.at - b.at || b.level - a.level)
      .map((cell) => this.#hit(cell, frame, axes));
  }

  places(row: number): Pair[] {
    return this.#cells.filter((cell) => cell.row === row).map(({ at, level }): Pair => [at, level + 0.5]);
  }

  figure(): null {
    return null;
  }

  /** The colours with their words, above the frame. */
  key(context: Pen, frame: Frame): void {
    let x = frame.left;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const { label, color } of kinds(this.study)) {
      context.fillStyle = color();
      context.fillRect(x, 6, 10, 10);
      context.fillStyle = colors().soft;
      context.fillText(label, x + 15, 11);
      x += 30 + 7 * label.length;
    }
  }

  columns(): CsvColumn[] {
    const { table, findings } = this.study;
    const texts = (name: string) => this.#cells.map(({ row }) => table.cell(row, name) ?? "");
    return [
      { name: findings.keys[0], unit: this.x.unit, values: texts("parameter") },
      ...["direction", "class", "period"].map((name) => ({ name, unit: "-", values: texts(name) })),
    ];
  }
}
