// Channels over time, drawn by uPlot from thinned samples; the window and the cursor are those of the store.

import uPlot from "uplot";
import { h } from "../dom.ts";
import { clock, scaleOf } from "../format.ts";
import { colors } from "../palette.ts";
import { FINE, paper, paperSize } from "../paper.ts";
import type { Pair, State } from "../types.ts";
import type { Column } from "./csv.ts";
import { axisName, type Curve, curvesOf, named, shownValue } from "./curves.ts";
import { align, decimate, type Points, separate } from "./decimate.ts";
import { interact, keys } from "./interact.ts";
import { extent, lowerBound, span, upperBound, valueAt } from "./search.ts";
import type { TimeSpec } from "./spec.ts";
import { linearLabels, linearTicks } from "./ticks.ts";
import {
  type Entry,
  type Figure,
  Frames,
  padded,
  panWindow,
  type Shared,
  type View,
  wholeSpan,
  zoomWindow,
} from "./view.ts";

const font = (size: number): string => `${size}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
/** A drag that begins this near to the cursor moves it (px). */
const GRAB = 7;

interface Scale {
  range: Pair;
  factor: number;
  unit: string;
  name: string;
}

export class TimePlot implements View {
  #curves: Curve[] = [];
  #hidden = new Set<string>();
  #plot: uPlot | null = null;
  /** Other curves or colours: uPlot is made anew at the next drawing. */
  #outdated = false;
  /** Height without short peaks. */
  #cut = false;
  /** Height by hand. */
  #height: Pair | null = null;
  #frames: Frames;
  #scales: { y: Scale; r: Scale };
  #window: Pair = [0, 1];
  #resize: ResizeObserver;
  #line = h("div.plot-now", { "aria-hidden": "true" });
  #pointer = h("div.plot-hover", { "aria-hidden": "true", hidden: true });
  #tag = h("span");
  #unhover: () => void;

  constructor(
    private root: HTMLElement,
    private shared: Shared,
    private spec: TimeSpec,
    private legend: (entries: Entry[]) => void,
  ) {
    const empty: Scale = { range: [-1, 1], factor: 1, unit: "", name: "" };
    this.#scales = { y: empty, r: empty };
    this.#pointer.append(this.#tag);
    this.#frames = new Frames(root, () => this.#draw());
    this.#resize = new ResizeObserver(() => {
      this.#plot?.setSize(this.#size());
      this.#frames.ask();
    });
    this.#resize.observe(root);
    const redraw = () => this.#showHover();
    shared.hover.tell.add(redraw);
    this.#unhover = () => shared.hover.tell.delete(redraw);
    root.addEventListener("wheel", (event) => this.#stretch(event), { passive: false });
    keys(root, this.#hands, () => [this.#x(this.shared.store.state.t), 0]);
    this.#collect();
  }

  update(_state: State, changed: Set<keyof State>): void {
    if (changed.has("runs")) this.#collect();
    else if (changed.has("window")) this.#frames.ask();
    else if (changed.has("t")) this.#moveLine();
  }

  recolor(): void {
    this.#outdated = true;
    this.#frames.ask();
  }

  setHidden(hidden: Set<string>): void {
    this.#hidden = hidden;
    this.#outdated = true;
    this.#frames.ask();
  }

  /** Leaves short peaks out of the height, or takes them in again. */
  cutPeaks(): boolean {
    this.#cut = !this.#cut;
    this.#height = null;
    this.#frames.ask();
    return this.#cut;
  }

  zoom(factor: number): void {
    zoomWindow(this.shared.store, this.#centre(), factor);
  }
  reset(): void {
    this.#height = null;
    this.#frames.ask();
    this.shared.store.setWindow(...wholeSpan(this.shared.store.state));
  }

  figure(): Figure {
    const [a, b] = this.shared.store.state.window;
    const left = this.#shown().filter((curve) => !curve.right);
    const size = Math.max(
      ...left.map((curve) => Math.max(...extent(curve.values, ...span(curve.run.times, a, b)).map(Math.abs))),
    );
    const y = scaleOf(size, left[0]?.unit ?? "");
    const x = scaleOf(b - a, "s");
    return {
      title: this.spec.title,
      x: { label: "t", unit: x.unit, log: false, limits: [a / x.factor, b / x.factor] },
      y: {
        label: axisName(left.map((c) => c.channel)),
        unit: y.unit,
        log: false,
        limits:
          this.#cut || this.#height ? [this.#scales.y.range[0] / y.factor, this.#scales.y.range[1] / y.factor] : null,
      },
      equal: false,
      width: 640,
      height: 300,
      series: left.map((curve) => {
        const points = this.#thin(curve, 1200);
        return {
          label: left.length > 1 ? curve.label : "",
          style: curve.ideal ? ("dashed" as const) : ("line" as const),
          color: curve.place,
          x: Array.from(points.x, (t) => t / x.factor),
          y: Array.from(points.y, (v) => v / y.factor),
        };
      }),
    };
  }

  columns(): Column[] {
    const [a, b] = this.shared.store.state.window;
    const columns: Column[] = [];
    const runs = [...new Set(named(this.#shown()).map((curve) => curve.run))];
    for (const run of runs) {
      const who = runs.length > 1 ? ` (${run.label})` : "";
      const [from, to] = [lowerBound(run.times, a), upperBound(run.times, b)];
      columns.push({ name: `t${who}`, unit: "s", values: run.times.subarray(from, to) });
      for (const curve of this.#shown().filter((c) => c.run === run)) {
        columns.push({ name: curve.channel + who, unit: curve.unit, values: curve.values.subarray(from, to) });
      }
    }
    return columns;
  }

  destroy(): void {
    this.#unhover();
    this.#resize.disconnect();
    this.#frames.stop();
    this.#forget();
  }

  #collect(): void {
    const { runs } = this.shared.store.state;
    this.#curves = curvesOf(
      this.spec.alone ? runs.filter((run) => run.role !== "ideal") : runs,
      this.spec.left,
      this.spec.right,
    );
    this.#outdated = true;
    this.#frames.ask();
    this.#tellLegend();
  }

  #shown(): Curve[] {
    return this.#curves.filter((curve) => !this.#hidden.has(curve.key));
  }

  #thin(curve: Curve, columns: number): Points {
    const [a, b] = this.shared.store.state.window;
    const [from, to] = span(curve.run.times, a, b);
    return decimate(curve.run.times, curve.values, from, to, a, b, columns);
  }

  #size(): { width: number; height: number } {
    const sheet = paper.on ? paperSize(this.root) : null;
    if (sheet) return { width: FINE * sheet[0], height: FINE * sheet[1] };
    return { width: Math.max(120, this.root.clientWidth), height: Math.max(80, this.root.clientHeight) };
  }

  #forget(): void {
    this.#plot?.destroy();
    this.#plot = null;
  }

  #draw(): void {
    if (this.root.clientWidth === 0) return;
    const shown = this.#shown();
    this.#window = this.shared.store.state.window;
    const thin = shown.map((curve) => this.#thin(curve, Math.max(100, this.root.clientWidth)));
    this.#scales = { y: this.#scale(shown, thin, false), r: this.#scale(shown, thin, true) };
    for (const points of thin) separate(points.x);
    const data = (shown.length > 0 ? align(thin) : [Float64Array.from(this.#window)]) as uPlot.AlignedData;
    if (this.#outdated) this.#forget();
    this.#outdated = false;
    if (this.#plot) this.#plot.setData(data);
    else this.#make(shown, data);
  }

  /** After uPlot has placed its frame. */
  #follow(): void {
    this.#moveLine();
    this.#showHover();
  }

  #scale(curves: Curve[], points: Points[], right: boolean): Scale {
    const [a, b] = this.#window;
    let range: Pair = [Infinity, -Infinity];
    curves.forEach((curve, i) => {
      if (curve.right !== right) return;
      const { x, y } = points[i];
      const [low, high] = extent(y, lowerBound(x, a), upperBound(x, b));
      const edge = [valueAt(x, y, a), valueAt(x, y, b)].filter(Number.isFinite);
      range = [
        Math.min(range[0], ...(Number.isFinite(low) ? [low] : []), ...edge),
        Math.max(range[1], ...(Number.isFinite(high) ? [high] : []), ...edge),
      ];
    });
    const mine = curves.filter((curve) => curve.right === right);
    const limits =
      !right && this.#height ? this.#height : padded(!right && this.#cut ? usual(mine, this.#window) : range);
    return {
      range: limits,
      ...scaleOf(Math.max(...limits.map(Math.abs)), mine[0]?.unit ?? ""),
      name: axisName(mine.map((curve) => curve.channel)),
    };
  }

  #make(shown: Curve[], data: uPlot.AlignedData): void {
    const palette = colors();
    // On paper everything is drawn larger, and shown smaller.
    const m = paper.on ? FINE : 1;
    const axis = (scale: "x" | "y" | "r", of: () => { factor: number; unit: string; name: string }): uPlot.Axis => ({
      scale,
      font: font(12 * m),
      labelFont: font(12 * m),
      stroke: palette.soft,
      labelGap: 0,
      gap: 4 * m,
      side: scale === "x" ? 2 : scale === "y" ? 3 : 1,
      // Frames stand in line unless a label is very long.
      size: (_u, values) =>
        m * (scale === "x" ? 26 : Math.max(56, 14 + 6.6 * Math.max(0, ...(values ?? []).map((text) => text.length)))),
      labelSize: 20 * m,
      label: () => caption(of()),
      grid: { show: scale !== "r", stroke: palette.grid, width: m },
      ticks: { stroke: palette.rule, width: m, size: 4 * m },
      border: { show: true, stroke: palette.rule, width: m },
      splits: (u, _i, min, max) =>
        linearTicks(min, max, scale === "x" ? (u.width / m - 76) / 90 : (u.height / m - 50) / 40),
      values: (_u, splits) => linearLabels(splits, of().factor),
    });
    const time = () => ({ ...scaleOf(Math.max(...this.#window.map(Math.abs)), "s"), name: "t" });
    const right = shown.some((curve) => curve.right);
    this.#plot = new uPlot(
      {
        ...this.#size(),
        padding: [8 * m, (right ? 4 : 14) * m, 0, 0],
        pxAlign: 1,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: () => this.#window },
          y: { range: () => this.#scales.y.range },
          r: { range: () => this.#scales.r.range },
        },
        hooks: { draw: [() => this.#follow()] },
        axes: [axis("x", time), axis("y", () => this.#scales.y), ...(right ? [axis("r", () => this.#scales.r)] : [])],
        series: [
          {},
          ...shown.map((curve): uPlot.Series => ({
            scale: curve.right ? "r" : "y",
            stroke: curve.color(),
            width: curve.width * m,
            dash: curve.dash.map((d) => d * m),
            points: { show: false },
            pxAlign: 0,
            spanGaps: false,
          })),
        ],
      },
      data,
      this.root,
    );
    const over = this.#plot.over;
    over.append(this.#pointer, this.#line);
    over.style.touchAction = "pan-y";
    interact(over, "x", this.#hands);
  }

  #hands = {
    click: (x: number) => this.shared.store.setTime(this.#t(x)),
    grabs: (x: number, _y: number, touch: boolean) => touch || Math.abs(x - this.#x(this.shared.store.state.t)) <= GRAB,
    scrub: (x: number) => this.shared.store.setTime(this.#t(x)),
    zoomTo: (x0: number, _y0: number, x1: number) => this.shared.store.setWindow(this.#t(x0), this.#t(x1)),
    zoomAt: (x: number, _y: number, factor: number) => zoomWindow(this.shared.store, this.#t(x), factor),
    pan: (dx: number) => {
      const [a, b] = this.shared.store.state.window;
      panWindow(this.shared.store, (-dx / this.#width()) * (b - a));
    },
    reset: () => this.reset(),
    hover: (x: number) => this.#hover(this.#t(x)),
    leave: () => this.#hover(null),
  };

  /** The wheel beside the frame changes the height about the pointer. */
  #stretch(event: WheelEvent): void {
    const frame = this.#plot?.over.getBoundingClientRect();
    if (!frame || event.ctrlKey || event.clientX >= frame.left || event.clientY > frame.bottom) return;
    event.preventDefault();
    const [low, high] = this.#scales.y.range;
    const at = high - ((event.clientY - frame.top) / frame.height) * (high - low);
    const factor = Math.exp(Math.min(1, Math.max(-1, event.deltaY * (event.deltaMode === 1 ? 30 : 1) * 0.002)));
    this.#height = [at + (low - at) * factor, at + (high - at) * factor];
    this.#frames.ask();
  }

  #width(): number {
    return this.#plot?.over.clientWidth || 1;
  }
  #t(x: number): number {
    const [a, b] = this.#window;
    return a + (x / this.#width()) * (b - a);
  }
  #x(t: number): number {
    const [a, b] = this.#window;
    return ((t - a) / (b - a)) * this.#width();
  }
  #centre(): number {
    const {
      t,
      window: [a, b],
    } = this.shared.store.state;
    return t >= a && t <= b ? t : 0.5 * (a + b);
  }

  #hover(t: number | null): void {
    if (this.shared.hover.t === t) return;
    this.shared.hover.t = t;
    for (const tell of this.shared.hover.tell) tell();
  }

  #moveLine(): void {
    const { t } = this.shared.store.state;
    const [a, b] = this.#window;
    this.#line.hidden = !(t >= a && t <= b) || !this.#plot;
    this.#line.style.transform = `translateX(${this.#x(t).toFixed(1)}px)`;
    this.#tellLegend();
  }

  #showHover(): void {
    const { t } = this.shared.hover;
    const [a, b] = this.#window;
    this.#pointer.hidden = t === null || !(t >= a && t <= b) || !this.#plot;
    if (t !== null && !this.#pointer.hidden) {
      const x = this.#x(t);
      this.#pointer.style.transform = `translateX(${x.toFixed(1)}px)`;
      this.#pointer.classList.toggle("left", x > this.#width() - 90);
      this.#tag.textContent = clock(t, b, (b - a) / 2000);
    }
    this.#tellLegend();
  }

  #tellLegend(): void {
    const t = this.shared.hover.t ?? this.shared.store.state.t;
    this.legend(
      named(this.#curves).map((curve) => ({
        key: curve.key,
        label: curve.label,
        color: curve.color(),
        dash: curve.dash,
        marker: false,
        value: shownValue(curve, t),
      })),
    );
  }
}

/** Where the curves are for all but 2 % of the time, with room around. */
function usual(curves: Curve[], [a, b]: Pair): Pair {
  const count = 2000;
  let [low, high] = [Infinity, -Infinity];
  for (const { run, values } of curves) {
    const sorted = Float64Array.from({ length: count }, (_, i) =>
      valueAt(run.times, values, a + ((i + 0.5) / count) * (b - a)),
    )
      .filter(Number.isFinite)
      .sort();
    if (sorted.length === 0) continue;
    low = Math.min(low, sorted[Math.floor(0.01 * sorted.length)]);
    high = Math.max(high, sorted[Math.ceil(0.99 * sorted.length) - 1]);
  }
  const air = 0.15 * (high - low);
  return [low - air, high + air];
}

export function caption({ name, unit }: { name: string; unit: string }): string {
  return unit === "" ? name : name === "" ? unit : `${name} (${unit})`;
}
