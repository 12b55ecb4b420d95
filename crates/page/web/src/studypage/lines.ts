// Lines and points over a key: response curves with scatter, exponents with their band, shares, effects.

import { number } from "../format.ts";
import { colors, dash, series as colorOf } from "../palette.ts";
import { along, type Axis, type Frame } from "../plots/axes.ts";
import type { Column as CsvColumn } from "../plots/csv.ts";
import { type Entry, type Figure, padded } from "../plots/view.ts";
import { type Axes, dot, toPixel } from "../plots/xydraw.ts";
import type { Pair } from "../types.ts";
import { type Content, type Hit, REACH } from "./chart.ts";
import { drawCross, drawPath, drawRules, drawSpread } from "./linedraw.ts";

export interface Line {
  key: string;
  label: string;
  /** Place in the palette. */
  color: number;
  x: ArrayLike<number>;
  /** NaN where a run has no result. */
  y: ArrayLike<number>;
  /** Scatter or interval. */
  low?: ArrayLike<number>;
  high?: ArrayLike<number>;
  /** The row that a click on a point runs. */
  rows: ArrayLike<number> | null;
  style: "line" | "points" | "both" | "steps";
  /** How low and high are drawn. */
  spread?: "bars" | "band";
  /** Texts beside the points. */
  names?: string[];
}

/** A line across the frame. */
export interface Rule {
  axis: "x" | "y";
  at: number;
  label: string;
  strong?: boolean;
}

export interface Said {
  title: string;
  lines: string[];
}

/** Least and greatest finite number. */
export function extent(lists: Iterable<ArrayLike<number> | undefined>, log = false): Pair {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (let i = 0; i < (list?.length ?? 0); i++) {
      const value = list![i];
      if (!Number.isFinite(value) || (log && !(value > 0))) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return [low, high];
}

/** A little more than the extent. */
export function roomy(range: Pair, log: boolean): Pair {
  if (!log || !(range[0] > 0)) return padded(range, 0.04);
  const air = (range[1] / range[0]) ** 0.04 || 1.1;
  return range[0] === range[1] ? [range[0] / 1.1, range[1] * 1.1] : [range[0] / air, range[1] * air];
}

/** The extent, with those rules that do not lie so far away that nothing else could be seen. */
export function withRules([low, high]: Pair, rules: Rule[], axis: "x" | "y"): Pair {
  const reach = 1.5 * (high - low || Math.abs(low) || 1);
  const near = rules.filter((rule) => rule.axis === axis && rule.at >= low - reach && rule.at <= high + reach);
  return [Math.min(low, ...near.map(({ at }) => at)), Math.max(high, ...near.map(({ at }) => at))];
}

export class Lines implements Content {
  readonly x: Axis;
  readonly y: Axis;
  #hidden = new Set<string>();

  constructor(
    readonly title: string,
    private lines: Line[],
    x: Omit<Axis, "range">,
    y: Omit<Axis, "range">,
    private say: (line: Line, i: number) => Said,
    private rules: Rule[] = [],
    range: { x?: Pair; y?: Pair } = {},
  ) {
    const across = withRules(
      extent(
        lines.map((line) => line.x),
        x.log,
      ),
      rules,
      "x",
    );
    const heights = lines.flatMap((line) => [line.y, line.low, line.high]);
    this.x = { ...x, range: range.x ?? roomy(across, x.log) };
    this.y = { ...y, range: range.y ?? roomy(withRules(extent(heights, y.log), rules, "y"), y.log) };
  }

  hide(hidden: Set<string>): void {
    this.#hidden = hidden;
  }
  get #seen(): Line[] {
    return this.lines.filter(({ key }) => !this.#hidden.has(key));
  }

  legend(): Entry[] {
    if (this.lines.length < 2) return [];
    return this.lines.map(({ key, label, color, style }) => ({
      key,
      label,
      color: colorOf(color),
      dash: dash(color),
      marker: style === "points",
      value: "",
    }));
  }

  draw(context: CanvasRenderingContext2D, frame: Frame, axes: Axes): void {
    const { panel } = colors();
    drawRules(context, frame, axes, this.rules);
    // The first on top.
    for (const line of this.#seen.reverse()) {
      const color = colorOf(line.color);
      if (line.low && line.high) drawSpread(context, frame, axes, line, color);
      if (line.style !== "points") drawPath(context, frame, axes, line, color);
      const many = line.x.length > 3000;
      for (let i = 0; i < line.x.length && (line.style === "points" || line.style === "both"); i++) {
        const [px, py] = this.#pixel(frame, axes, line, i);
        if (!Number.isFinite(px + py)) continue;
        if (Number.isNaN(line.y[i])) drawCross(context, px, py);
        else if (many) {
          context.fillStyle = color;
          context.fillRect(px - 1, py - 1, 2, 2);
        } else dot(context, px, py, line.x.length > 300 ? 2.4 : 3.4, color, panel);
        if (line.names) {
          context.fillStyle = colors().soft;
          context.textAlign = px > frame.left + 0.7 * frame.width ? "right" : "left";
          context.textBaseline = "bottom";
          context.fillText(line.names[i], px + (context.textAlign === "right" ? -7 : 7), py - 3);
        }
      }
    }
  }

  /** Runs without a result stand at the lower edge. */
  #pixel(frame: Frame, axes: Axes, { x, y }: Line, i: number): Pair {
    if (!Number.isNaN(y[i])) return toPixel(frame, axes, x[i], y[i]);
    return [frame.left + along(axes.x, x[i]) * frame.width, frame.top + frame.height - 6];
  }

  near(x: number, y: number, frame: Frame, axes: Axes): Hit | null {
    let best: { line: Line; i: number; x: number; y: number } | null = null;
    let least = REACH * REACH;
    for (const line of this.#seen) {
      for (let i = 0; i < line.x.length; i++) {
        const px = along(axes.x, line.x[i]) * frame.width;
        if (Math.abs(px - x) > REACH) continue;
        const [, py] = this.#pixel({ ...frame, left: 0, top: 0 }, axes, line, i);
        const distance = (px - x) ** 2 + (py - y) ** 2;
        if (distance < least) {
          least = distance;
          best = { line, i, x: px, y: py };
        }
      }
    }
    return best && this.#hit(best.line, best.i, best.x, best.y);
  }

  #hit(line: Line, i: number, x: number, y: number): Hit {
    return { x, y, row: line.rows ? line.rows[i] : null, ...this.say(line, i) };
  }

  walk(frame: Frame, axes: Axes): Hit[] {
    const hits = this.#seen.flatMap((line) =>
      Array.from({ length: Math.min(5000, line.x.length) }, (_, i) => {
        const [x, y] = this.#pixel({ ...frame, left: 0, top: 0 }, axes, line, i);
        return { line, i, x, y };
      }),
    );
    return hits
      .filter(({ x, y }) => x >= 0 && x <= frame.width && Number.isFinite(y))
      .sort((a, b) => a.x - b.x)
      .map(({ line, i, x, y }) => this.#hit(line, i, x, y));
  }

  places(row: number): Pair[] {
    return this.#seen.flatMap(({ x, y, rows }): Pair[] => {
      const at = rows ? Array.prototype.indexOf.call(rows, row) : -1;
      return at < 0 ? [] : [[x[at], y[at]]];
    });
  }

  figure(axes: Axes): Figure {
    const limits = ({ range }: Axis): Pair => range;
    const { x, y } = axes;
    const series: Figure["series"] = this.#seen.map((line) => ({
      label: this.lines.length > 1 ? line.label : "",
      style: line.style === "points" ? "markers" : "line",
      color: line.color % 7,
      x: finite(line.x),
      y: finite(line.y),
    }));
    for (const line of this.#seen) {
      for (const side of [line.low, line.high]) {
        if (side)
          series.push({ label: "", style: "dashed", color: line.color % 7, x: finite(line.x), y: finite(side) });
      }
    }
    for (const { axis, at, label } of this.rules) {
      const ends = axis === "x" ? { x: [at, at], y: limits(y) } : { x: limits(x), y: [at, at] };
      series.push({ label, style: "dashed", color: 6, ...ends });
    }
    const of = (axis: Axis) => ({ label: axis.name, unit: axis.unit, log: axis.log, limits: limits(axis) });
    return { title: this.title, equal: false, width: 560, height: 360, x: of(x), y: of(y), series };
  }

  columns(): CsvColumn[] {
    const several = this.#seen.length > 1;
    return this.#seen.flatMap((line) => {
      const who = several ? ` (${line.label})` : "";
      const words = this.x.ticks;
      const x = words ? Array.from(line.x, (at) => words.find((tick) => tick.at === at)?.label ?? "") : line.x;
      const columns: CsvColumn[] = [
        { name: this.x.name + who, unit: this.x.unit, values: x },
        { name: this.y.name + who, unit: this.y.unit, values: line.y },
      ];
      if (line.low) columns.push({ name: `${this.y.name}${who} from`, unit: this.y.unit, values: line.low });
      if (line.high) columns.push({ name: `${this.y.name}${who} to`, unit: this.y.unit, values: line.high });
      return columns;
    });
  }
}

const finite = (list: ArrayLike<number>): (number | null)[] =>
  Array.from(list, (value) => (Number.isFinite(value) ? value : null));

/** `name = 12.3`. */
export const told = (name: string, value: number | string | null): string =>
  `${name} = ${typeof value === "string" ? value : number(value, 6)}`;
