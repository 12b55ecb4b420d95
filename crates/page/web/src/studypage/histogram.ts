// How often a metric lies where: bars, with percentiles and limits.

import { number } from "../format.ts";
import { series as colorOf } from "../palette.ts";
import { along, type Axis, type Frame, valueOf } from "../plots/axes.ts";
import type { Column } from "../plots/csv.ts";
import type { Figure } from "../plots/view.ts";
import { type Axes, toPixel } from "../plots/xydraw.ts";
import type { Pair } from "../types.ts";
import { edges, histogram, sorted } from "./binning.ts";
import type { Content, Hit } from "./chart.ts";
import { drawRules } from "./linedraw.ts";
import { roomy, type Rule, withRules } from "./lines.ts";

export class Histogram implements Content {
  readonly x: Axis;
  readonly y: Axis;
  readonly #at: Float64Array;
  readonly #counts: Uint32Array;
  readonly #n: number;

  constructor(
    readonly title: string,
    metric: string,
    values: ArrayLike<number>,
    unit: string,
    private rules: Rule[],
    private runsOf: (row: number) => Pair | null,
  ) {
    const rising = sorted(values);
    this.#n = rising.length;
    this.#at = edges(rising);
    this.#counts = histogram(rising, this.#at);
    const ends: Pair = [this.#at[0] ?? 0, this.#at[this.#at.length - 1] ?? 1];
    const range = roomy(withRules(ends, rules, "x"), false);
    this.x = { name: metric, unit, log: false, range };
    this.y = { name: "runs", unit: "", log: false, range: [0, 1.08 * Math.max(1, ...this.#counts)] };
  }

  draw(context: CanvasRenderingContext2D, frame: Frame, axes: Axes): void {
    context.fillStyle = colorOf(0);
    context.globalAlpha = 0.75;
    this.#counts.forEach((n, i) => {
      const [a, y] = toPixel(frame, axes, this.#at[i], n);
      const [b, zero] = toPixel(frame, axes, this.#at[i + 1], 0);
      context.fillRect(a + 0.5, y, Math.max(0.5, b - a - 1), zero - y);
    });
    context.globalAlpha = 1;
    drawRules(context, frame, axes, this.rules);
  }

  #hit(bar: number, frame: Frame, axes: Axes): Hit {
    const [a, b, n] = [this.#at[bar], this.#at[bar + 1], this.#counts[bar]];
    const x = along(axes.x, 0.5 * (a + b)) * frame.width;
    const y = (1 - along(axes.y, n)) * frame.height;
    const share = `${number((100 * n) / this.#n, 3)} % of ${number(this.#n)} runs`;
    return { x, y, row: null, title: `${number(n)} runs`, lines: [`${number(a, 6)} to ${number(b, 6)}`, share] };
  }

  near(x: number, _y: number, frame: Frame, axes: Axes): Hit | null {
    const value = valueOf(axes.x, x / frame.width);
    const bar = this.#at.findIndex((edge, i) => value >= edge && value <= this.#at[i + 1]);
    return bar < 0 ? null : this.#hit(bar, frame, axes);
  }

  walk(frame: Frame, axes: Axes): Hit[] {
    return Array.from(this.#counts, (_, bar) => this.#hit(bar, frame, axes));
  }

  /** A run stands at the foot of its bar. */
  places(row: number): Pair[] {
    const place = this.runsOf(row);
    return place ? [place] : [];
  }

  figure({ x, y }: Axes): Figure {
    const outline = Array.from(this.#counts, (n, i): Pair[] => [
      [this.#at[i], n],
      [this.#at[i + 1], n],
    ]).flat();
    const points: Pair[] = [[this.#at[0], 0], ...outline, [this.#at[this.#at.length - 1], 0]];
    const of = (axis: Axis) => ({ label: axis.name, unit: axis.unit, log: false, limits: axis.range });
    const rules = this.rules.map(({ at, label }) => ({
      label,
      style: "dashed" as const,
      color: 6,
      x: [at, at],
      y: [...y.range],
    }));
    const bars = {
      label: "",
      style: "line" as const,
      color: 0,
      x: points.map(([a]) => a),
      y: points.map(([, n]) => n),
    };
    return { title: this.title, equal: false, width: 560, height: 360, x: of(x), y: of(y), series: [bars, ...rules] };
  }

  columns(): Column[] {
    return [
      { name: `${this.x.name} from`, unit: this.x.unit, values: this.#at.subarray(0, -1) },
      { name: `${this.x.name} to`, unit: this.x.unit, values: this.#at.subarray(1) },
      { name: "runs", unit: "-", values: this.#counts },
    ];
  }
}
