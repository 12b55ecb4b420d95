// A bifurcation diagram: all points of a section over the key, as dense as they lie.

import { h } from "../dom.ts";
import { number } from "../format.ts";
import { series as colorOf } from "../palette.ts";
import { along, type Axis, type Frame } from "../plots/axes.ts";
import type { Column as CsvColumn } from "../plots/csv.ts";
import { type Entry, type Figure, padded } from "../plots/view.ts";
import type { Axes } from "../plots/xydraw.ts";
import type { Pair } from "../types.ts";
import { type Cloud, count, shade } from "./binning.ts";
import { type Content, type Hit, REACH } from "./chart.ts";
import type { Study } from "./data.ts";
import { extent, told } from "./lines.ts";
import { keyAxis, motion } from "./motions.ts";
import { rgb } from "./shades.ts";

/** Ways in their order, with their places in the palette. */
const WAYS = [
  { name: "up", color: 0 },
  { name: "down", color: 1 },
];
/** Most points in a saved drawing. */
const DRAWN = 20_000;

export class Diagram implements Content {
  readonly x: Axis;
  readonly y: Axis;
  readonly #cloud: Cloud;
  readonly #ways: { name: string; color: number; code: number }[];
  #hidden = new Set<string>();
  #sheet = h<HTMLCanvasElement>("canvas");

  constructor(
    readonly title: string,
    private study: Study,
    private channel: string,
    /** First instant of each row of the table. */
    private first: Uint32Array,
  ) {
    const { section, table, findings } = study;
    const parameter = section!.column("parameter")!;
    const direction = section!.column("direction")!;
    const axis = keyAxis(findings.keys[0], table.column("parameter")!);
    const { values: y, unit } = section!.column(channel)!;
    this.x = axis;
    this.y = { name: channel, unit, log: false, range: padded(extent([y])) };
    const x = axis.log ? parameter.values.map(Math.log) : this.#words(parameter.values);
    this.#cloud = { x, y, way: direction.values };
    this.#ways = WAYS.flatMap((way) => {
      const code = direction.words!.indexOf(way.name);
      return code < 0 ? [] : [{ ...way, code }];
    });
  }

  /** Words of the section in the order of those of the table. */
  #words(values: Float64Array): Float64Array {
    const { section, table } = this.study;
    const [mine, axis] = [section!.column("parameter")!.words, table.column("parameter")!.words];
    return mine && axis ? values.map((value) => axis.indexOf(mine[value])) : values;
  }

  hide(hidden: Set<string>): void {
    this.#hidden = hidden;
  }
  legend(): Entry[] {
    if (this.#ways.length < 2) return [];
    return this.#ways.map(({ name, color }) => ({
      key: name,
      label: name,
      color: colorOf(color),
      dash: [],
      marker: true,
      value: "",
    }));
  }
  get #seen(): { name: string; color: number; code: number }[] {
    return this.#ways.filter(({ name }) => !this.#hidden.has(name));
  }

  #scaled(range: Pair): Pair {
    return this.x.log ? [Math.log(range[0]), Math.log(range[1])] : range;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame, axes: Axes): void {
    const ratio = context.getTransform().a || 1;
    const [width, height] = [Math.round(frame.width * ratio), Math.round(frame.height * ratio)];
    const { length } = this.#cloud.x;
    const size = Math.max(1, Math.round((length < 20_000 ? 2.6 : length < 150_000 ? 1.7 : 1) * ratio));
    const counts = new Uint32Array(width * height);
    const image = new ImageData(width, height);
    // The way down, which is shorter where both agree, below the way up.
    for (const { color, code } of [...this.#seen].reverse()) {
      const x = this.#scaled(axes.x.range);
      const inside = count(this.#cloud, code, x, axes.y.range, width, height, size, counts);
      // Few points are drawn in full, many by how dense they lie.
      const least = inside < 30_000 ? 0.9 : inside < 200_000 ? 0.6 : 0.35;
      shade(counts, rgb(colorOf(color)), least, image.data);
    }
    this.#sheet.width = width;
    this.#sheet.height = height;
    this.#sheet.getContext("2d")!.putImageData(image, 0, 0);
    context.drawImage(this.#sheet, frame.left, frame.top, frame.width, frame.height);
  }

  #hit(row: number, instant: number, frame: Frame, axes: Axes): Hit {
    const range = this.#scaled(axes.x.range);
    const x = ((this.#cloud.x[instant] - range[0]) / (range[1] - range[0])) * frame.width;
    const y = (1 - along(axes.y, this.#cloud.y[instant])) * frame.height;
    const said = motion(this.study, row);
    return { x, y, row, title: said.title, lines: [told(this.channel, this.#cloud.y[instant]), ...said.lines] };
  }

  near(x: number, y: number, frame: Frame, axes: Axes): Hit | null {
    const { x: xs, y: ys, way } = this.#cloud;
    const range = this.#scaled(axes.x.range);
    const seen = new Set(this.#seen.map(({ code }) => code));
    let [least, row, instant] = [REACH * REACH, -1, -1];
    for (let r = 0; r + 1 < this.first.length; r++) {
      const [from, to] = [this.first[r], this.first[r + 1]];
      if (from === to || !seen.has(way[from])) continue;
      const dx = ((xs[from] - range[0]) / (range[1] - range[0])) * frame.width - x;
      if (dx * dx >= least) continue;
      for (let i = from; i < to; i++) {
        const dy = (1 - along(axes.y, ys[i])) * frame.height - y;
        if (dx * dx + dy * dy < least) [least, row, instant] = [dx * dx + dy * dy, r, i];
      }
    }
    return row < 0 ? null : this.#hit(row, instant, frame, axes);
  }

  /** The first instant of each value. */
  walk(frame: Frame, axes: Axes): Hit[] {
    const hits: Hit[] = [];
    for (let row = 0; row + 1 < this.first.length; row++) {
      if (this.first[row] < this.first[row + 1]) hits.push(this.#hit(row, this.first[row], frame, axes));
    }
    return hits.filter(({ x }) => x >= 0 && x <= frame.width).sort((a, b) => a.x - b.x);
  }

  places(row: number): Pair[] {
    const back = (value: number) => (this.x.log ? Math.exp(value) : value);
    const { x, y } = this.#cloud;
    return Array.from({ length: this.first[row + 1] - this.first[row] }, (_, i) => i + this.first[row]).map(
      (i): Pair => [back(x[i]), y[i]],
    );
  }

  figure(axes: Axes): Figure {
    const { x, y, way } = this.#cloud;
    const [[x0, x1], [y0, y1]] = [this.#scaled(axes.x.range), axes.y.range];
    const inside = (code: number) => {
      const found: number[] = [];
      for (let i = 0; i < x.length; i++) {
        if (way[i] === code && x[i] >= x0 && x[i] <= x1 && y[i] >= y0 && y[i] <= y1) found.push(i);
      }
      // Every so many of them, so that a file stays a drawing.
      const stride = Math.ceil(found.length / DRAWN);
      return found.filter((_, i) => i % stride === 0);
    };
    const of = (axis: Axis) => ({ label: axis.name, unit: axis.unit, log: axis.log, limits: axis.range });
    const series = this.#seen.map(({ name, color, code }) => {
      const points = inside(code);
      const xs = points.map((i) => (this.x.log ? Math.exp(x[i]) : x[i]));
      const label = this.#ways.length > 1 ? name : "";
      return { label, style: "markers" as const, color, x: xs, y: points.map((i) => y[i]) };
    });
    return { title: this.title, equal: false, width: 900, height: 400, x: of(axes.x), y: of(axes.y), series };
  }

  columns(): CsvColumn[] {
    const { section, findings } = this.study;
    const text = (name: string) => {
      const { words, values } = section!.column(name)!;
      return words ? Array.from(values, (value) => words[value]) : values;
    };
    return [
      { name: findings.keys[0], unit: this.x.unit, values: text("parameter") },
      { name: "direction", unit: "-", values: text("direction") },
      { name: this.channel, unit: this.y.unit, values: text(this.channel) },
    ];
  }

  /** How many points there are, in words. */
  get said(): string {
    return `${number(this.#cloud.x.length)} points`;
  }
}
