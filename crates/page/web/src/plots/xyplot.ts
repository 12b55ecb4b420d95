// One channel against another, sections and spectra on a canvas; a second one on top follows the cursor.

import { h, Surface } from "../dom.ts";
import { clock, quantity, scaleOf } from "../format.ts";
import { colors } from "../palette.ts";
import type { Impact, Pair, State } from "../types.ts";
import { along, type Axis, cover, drawAxes, type Frame, frameOf, valueOf } from "./axes.ts";
import type { Column } from "./csv.ts";
import { named, shownValue } from "./curves.ts";
import { interact, keys } from "./interact.ts";
import { lowerBound, upperBound, valueAt } from "./search.ts";
import { channel } from "./spec.ts";
import { type Entry, type Figure, Frames, padded, type Shared, type View } from "./view.ts";
import { analysed, emptyData, limits, orbits, xyCurves, type XyData, type XyKind, type XySeries } from "./xydata.ts";
import {
  type Axes,
  clip,
  dot,
  drawCircle,
  drawLine,
  drawMarkers,
  drawSides,
  equalise,
  thin,
  toPixel,
} from "./xydraw.ts";

const REACH = 24;

interface Nearest {
  series: XySeries;
  index: number;
  x: number;
  y: number;
}

export class XyPlot implements View {
  /** What there is to show; of spectra and sections the last that the engine made, while it makes the next. */
  #all: XyData | null = null;
  /** The part of it that is not hidden. */
  #data: XyData | null = null;
  /** The engine is at work for this plot. */
  #asking: Promise<void> | null = null;
  /** Something changed since the engine was asked. */
  #again = false;
  #failure: Error | null = null;
  #gone = false;
  #hidden = new Set<string>();
  #zoomed: { x: Pair; y: Pair } | null = null;
  #axes: Axes | null = null;
  #base: Surface;
  #top: Surface;
  #frames: Frames;
  #near: Nearest | null = null;
  #over = h("div.plot-over");
  #tip = h("div.plot-tip", { hidden: true, role: "status" });

  constructor(
    private root: HTMLElement,
    private shared: Shared,
    private spec: XyKind,
    private legend: (entries: Entry[]) => void,
    private say: (text: string) => void,
  ) {
    this.#base = new Surface(root, spec.title, (context, width, height) =>
      this.#drawBase(context, frameOf(width, height)),
    );
    this.#top = new Surface(root, "", (context, width, height) => this.#drawTop(context, frameOf(width, height)));
    this.#top.canvas.setAttribute("aria-hidden", "true");
    root.append(this.#over, this.#tip);
    this.#over.style.touchAction = "pan-y";
    this.#frames = new Frames(root, () => {
      this.#base.redraw();
      this.#top.redraw();
    });
    interact(this.#over, "xy", this.#hands);
    keys(root, this.#hands, () => [this.#over.clientWidth / 2, this.#over.clientHeight / 2]);
    this.#stale();
  }

  update(state: State, changed: Set<keyof State>): void {
    if (changed.has("runs") || changed.has("window")) this.#stale();
    else if (
      (changed.has("t") || changed.has("selectedImpact") || changed.has("primary")) &&
      this.spec.kind !== "spectrum"
    ) {
      this.#top.redraw();
      this.#tellLegend(state.t);
    }
  }

  recolor(): void {
    this.#frames.ask();
    this.#tellLegend(this.shared.store.state.t);
  }
  setHidden(hidden: Set<string>): void {
    this.#hidden = hidden;
    this.#changed();
  }
  reset(): void {
    this.#zoomed = null;
    this.#frames.ask();
  }
  zoom(factor: number): void {
    this.#hands.zoomAt(this.#over.clientWidth / 2, this.#over.clientHeight / 2, factor);
  }

  /** Another spec of the same kind. */
  setSpec(spec: XyKind): void {
    this.spec = spec;
    this.#stale();
  }

  figure(): Figure {
    const data = this.#current();
    // Fitted anew: what the engine has just made may not be drawn yet.
    const axes = this.#fit(data, frameOf(this.root.clientWidth, this.root.clientHeight));
    const [sx, sy] = [axes.x, axes.y].map((axis) =>
      axis.log ? scaleOf(0, axis.unit) : scaleOf(Math.max(...axis.range.map(Math.abs)), axis.unit),
    );
    const shown = data.series;
    // Limits where they were chosen, where a logarithm needs a floor, and around a few points.
    const within = ({ range: [low, high], log }: Axis, factor: number): Pair | null =>
      this.#zoomed || log || this.spec.kind === "section" || this.#sides() > 0 ? [low / factor, high / factor] : null;
    const equal = this.spec.kind === "xy" && this.spec.equal;
    const series = shown.map((entry) => {
      const x: number[] = [];
      const y: number[] = [];
      const points = entry.sorted ? thin(entry, axes.x, 1200) : entry;
      for (let i = 0; i < points.x.length; i++) {
        x.push(points.x[i] / sx.factor);
        y.push(points.y[i] / sy.factor);
      }
      const style = entry.marker ? ("markers" as const) : entry.curve.ideal ? ("dashed" as const) : ("line" as const);
      return { label: shown.length > 1 ? entry.curve.label : "", x, y, style, color: entry.curve.place };
    });
    const sides = this.#sides();
    for (const side of sides > 0 ? [-sides, sides] : []) {
      series.push({
        label: side > 0 ? "clearance" : "",
        style: "dashed",
        color: 6,
        x: axes.x.range.map((v) => v / sx.factor),
        y: [side, side].map((v) => v / sy.factor),
      });
    }
    const radius = this.#circle();
    if (radius > 0) {
      const turn = Array.from({ length: 181 }, (_, i) => (2 * Math.PI * i) / 180);
      series.push({
        label: "clearance",
        style: "dashed",
        color: 6,
        x: turn.map((a) => (radius * Math.cos(a)) / sx.factor),
        y: turn.map((a) => (radius * Math.sin(a)) / sy.factor),
      });
    }
    // Chosen limits keep the same scale on both axes by the shape of the frame.
    const length = ({ range: [low, high] }: Axis) => high - low;
    const wide =
      equal && this.#zoomed ? Math.min(900, Math.max(150, (360 * length(axes.x)) / length(axes.y))) : equal ? 380 : 480;
    return {
      title: this.spec.title,
      series,
      equal: equal && !this.#zoomed,
      width: wide,
      height: 360,
      x: { label: data.x.name, unit: sx.unit, log: data.x.log, limits: within(axes.x, sx.factor) },
      y: { label: data.y.name, unit: sy.unit, log: data.y.log, limits: within(axes.y, sy.factor) },
    };
  }

  columns(): Column[] {
    const { series, x, y } = this.#current();
    const runs = new Set(series.map((entry) => entry.curve.run.id)).size;
    const ordered = [...series.filter((entry) => !entry.curve.ideal), ...series.filter((entry) => entry.curve.ideal)];
    return ordered.flatMap((entry) => {
      const who = runs > 1 ? ` (${entry.curve.run.label})` : "";
      const name = this.spec.kind === "spectrum" && this.spec.channels.length > 1 ? ` of ${entry.curve.channel}` : "";
      return [
        ...(entry.t ? [{ name: `t${who}`, unit: "s", values: entry.t }] : []),
        { name: x.name + who, unit: x.unit, values: entry.x },
        { name: y.name + name + who, unit: y.unit || entry.curve.unit, values: entry.y },
      ];
    });
  }

  destroy(): void {
    this.#gone = true;
    this.#frames.stop();
  }

  /** Resolves when what is shown belongs to the state of the page; rejects where the engine could not make it. */
  async ready(): Promise<void> {
    await this.#asking;
    if (this.#failure) throw this.#failure;
  }

  /** Other runs, another window or another spec. */
  #stale(): void {
    if (this.spec.kind === "xy") this.#all = null;
    else {
      this.#again = true;
      this.#asking ??= this.#ask();
    }
    this.#changed();
  }

  #changed(): void {
    this.#data = null;
    this.#near = null;
    this.#frames.ask();
    this.#tellLegend(this.shared.store.state.t);
  }

  /** Asks the engine again until nothing has changed in the meantime. */
  async #ask(): Promise<void> {
    while (this.#again && !this.#gone && this.spec.kind !== "xy") {
      this.#again = false;
      try {
        this.#all = await analysed(this.spec, this.shared.store.state);
        this.#failure = null;
      } catch (error) {
        this.#all = null;
        this.#failure = error instanceof Error ? error : new Error(String(error));
      }
    }
    this.#asking = null;
    if (this.#gone) return;
    const what = this.spec.kind === "spectrum" ? "spectrum" : "section";
    this.say(this.#failure ? `The ${what} could not be computed: ${this.#failure.message}.` : "");
    this.#changed();
  }

  #current(): XyData {
    if (!this.#data) {
      const { state } = this.shared.store;
      const all = this.spec.kind === "xy" ? (this.#all ??= orbits(this.spec, state)) : this.#all;
      const { series, ...axes } = all ?? emptyData(this.spec, state.runs);
      this.#data = { ...axes, series: series.filter((entry) => !this.#hidden.has(entry.curve.key)) };
    }
    return this.#data;
  }

  /** Clearance around an orbit; 0 where there is none. */
  #circle(): number {
    return this.spec.kind === "xy" && this.spec.equal ? this.#clearance(["journal"]) : 0;
  }

  /** Clearance to both sides of a slot or guide. */
  #sides(): number {
    return this.spec.kind === "xy" && this.spec.y.endsWith(".across") ? this.#clearance(["slot", "block"]) : 0;
  }

  /** How far from its middle line a pin can be in its slot; the plot leaves out a pin that has left the slot. */
  #inside(): number {
    const sides = this.#sides();
    if (sides === 0 || this.spec.kind !== "xy" || this.spec.joint === null) return Infinity;
    const { joint } = this.spec;
    const deepest = this.shared.store.state.runs.map(
      (run) => run.payload.summary.contacts[joint]?.max_indentation ?? 0,
    );
    return 1.2 * (sides + Math.max(...deepest));
  }

  #clearance(forms: string[]): number {
    const joint = this.spec.kind === "xy" ? this.spec.joint : null;
    if (joint === null) return 0;
    for (const run of this.shared.store.state.runs) {
      const found = run.payload.scene.contacts.find(
        (contact) => contact.joint === joint && forms.includes(contact.form),
      );
      if (found) return found.clearance;
    }
    return 0;
  }

  /** The force over the indentation, where impacts are told apart. */
  #isLoop(): boolean {
    return this.spec.kind === "xy" && this.spec.joint !== null && !this.spec.equal && !this.spec.y.endsWith(".across");
  }

  #fit(data: XyData, frame: Frame): Axes {
    const make = (which: "x" | "y"): Axis => {
      let range = limits(data, which, this.#inside());
      const radius = this.#circle() || (which === "y" ? this.#sides() : 0);
      if (radius > 0) range = [Math.min(range[0], -radius), Math.max(range[1], radius)];
      const { log } = data[which];
      const zoomed = this.#zoomed?.[which];
      const empty: Pair = log ? [1, 10] : [-1, 1];
      const free: Pair = !(range[0] <= range[1]) ? empty : log ? [range[0] / 1.15, range[1] * 1.4] : padded(range);
      return { ...data[which], range: zoomed ?? free };
    };
    const axes = { x: make("x"), y: make("y") };
    if (this.spec.kind === "xy" && this.spec.equal) equalise(axes, frame);
    return axes;
  }

  #drawBase(context: CanvasRenderingContext2D, frame: Frame): void {
    const data = this.#current();
    const axes = (this.#axes = this.#fit(data, frame));
    cover(this.#over, frame);
    drawAxes(context, frame, axes.x, axes.y);
    context.save();
    clip(context, frame);
    const radius = this.#circle();
    if (radius > 0) drawCircle(context, frame, axes, radius);
    const sides = this.#sides();
    if (sides > 0) drawSides(context, frame, axes, sides);
    const loop = this.#isLoop();
    for (const entry of data.series) {
      context.globalAlpha = loop ? 0.55 : 1;
      if (entry.marker) drawMarkers(context, entry, frame, axes);
      else
        drawLine(
          context,
          entry.sorted ? { ...entry, ...thin(entry, axes.x, Math.ceil(frame.width)) } : entry,
          frame,
          axes,
          loop ? 1 : entry.curve.width,
        );
    }
    context.restore();
  }

  /** Current impact, place at the current time, hovered point. */
  #drawTop(context: CanvasRenderingContext2D, frame: Frame): void {
    const axes = this.#axes;
    if (!axes || this.spec.kind === "spectrum") return this.#drawNear(context, frame);
    const { t } = this.shared.store.state;
    context.save();
    clip(context, frame);
    const impact = this.#impact();
    for (const entry of this.#current().series) {
      const { run, values } = entry.curve;
      const x = channel(run, this.spec.x)!;
      if (impact && run.id === this.shared.store.state.primary) {
        const [from, to] = [lowerBound(run.times, impact.start), upperBound(run.times, impact.end)];
        drawLine(context, { ...entry, x: x.subarray(from, to), y: values.subarray(from, to) }, frame, axes, 2.6);
      }
      const [px, py] = toPixel(frame, axes, valueAt(run.times, x, t), valueAt(run.times, values, t));
      if (Number.isFinite(px + py) && this.spec.kind === "xy")
        dot(context, px, py, 4.5, entry.curve.color(), colors().panel || colors().paper);
    }
    context.restore();
    this.#drawNear(context, frame);
  }

  #drawNear(context: CanvasRenderingContext2D, frame: Frame): void {
    if (!this.#near) return;
    context.strokeStyle = colors().ink;
    context.lineWidth = 1.2;
    context.beginPath();
    context.arc(frame.left + this.#near.x, frame.top + this.#near.y, 5.5, 0, 2 * Math.PI);
    context.stroke();
  }

  /** Impact of the joint that holds the current time, or the selected one. */
  #impact(): Impact | null {
    if (this.spec.kind !== "xy" || !this.#isLoop()) return null;
    const { joint } = this.spec;
    const { t, selectedImpact } = this.shared.store.state;
    const impacts = this.shared.store.primary?.payload.impacts ?? [];
    const now = impacts.find(
      (impact) => impact.joint === joint && impact.mode === "impact" && impact.start <= t && t <= impact.end,
    );
    const selected = selectedImpact === null ? undefined : impacts[selectedImpact];
    return now ?? (selected?.joint === joint ? selected : null);
  }

  #hands = {
    click: () => {
      const t = this.#near?.series.t?.[this.#near.index];
      if (t !== undefined) this.shared.store.setTime(t);
    },
    grabs: () => false,
    scrub: () => {},
    zoomTo: (x0: number, y0: number, x1: number, y1: number) => {
      if (x1 - x0 < 3 || y1 - y0 < 3) return;
      this.#setView(x0, y0, x1, y1);
    },
    zoomAt: (x: number, y: number, factor: number) => {
      const [w, hgt] = [this.#over.clientWidth, this.#over.clientHeight];
      this.#setView(x - x * factor, y - y * factor, x + (w - x) * factor, y + (hgt - y) * factor);
    },
    pan: (dx: number, dy: number) => this.#setView(-dx, -dy, this.#over.clientWidth - dx, this.#over.clientHeight - dy),
    reset: () => this.reset(),
    hover: (x: number, y: number) => this.#hover(x, y),
    leave: () => this.#hover(null, null),
  };

  #setView(x0: number, y0: number, x1: number, y1: number): void {
    if (!this.#axes) return;
    const { x, y } = this.#axes;
    const [w, hgt] = [this.#over.clientWidth, this.#over.clientHeight];
    const next = {
      x: [valueOf(x, x0 / w), valueOf(x, x1 / w)] as Pair,
      y: [valueOf(y, 1 - y1 / hgt), valueOf(y, 1 - y0 / hgt)] as Pair,
    };
    if (![...next.x, ...next.y].every(Number.isFinite) || !(next.x[1] > next.x[0]) || !(next.y[1] > next.y[0])) return;
    this.#zoomed = next;
    this.#near = null;
    this.#frames.ask();
  }

  #hover(x: number | null, y: number | null): void {
    const near = x === null || y === null ? null : this.#nearest(x, y);
    this.#near = near;
    this.#tip.hidden = !near;
    if (near) {
      const { series, index } = near;
      const { x: ax, y: ay } = this.#current();
      const span = this.shared.store.state.window;
      this.#tip.replaceChildren(
        h("strong", {}, series.curve.label),
        ...(series.t ? [h("span", {}, `t = ${clock(series.t[index], span[1], (span[1] - span[0]) / 1e5)}`)] : []),
        h("span", {}, `${ax.name} = ${quantity(series.x[index], ax.unit, 4)}`),
        h("span", {}, `${ay.name} = ${quantity(series.y[index], ay.unit || series.curve.unit, 4)}`),
      );
      const left = near.x > this.#over.clientWidth / 2;
      Object.assign(this.#tip.style, {
        left: left ? "auto" : `${this.#over.offsetLeft + near.x + 12}px`,
        right: left ? `${this.root.clientWidth - this.#over.offsetLeft - near.x + 12}px` : "auto",
        top: `${Math.max(0, this.#over.offsetTop + near.y - 20)}px`,
      });
    }
    this.#top.redraw();
  }

  #nearest(x: number, y: number): Nearest | null {
    if (!this.#axes) return null;
    const [w, hgt] = [this.#over.clientWidth, this.#over.clientHeight];
    let best: Nearest | null = null;
    let least = REACH * REACH;
    for (const series of this.#current().series) {
      for (let i = 0; i < series.x.length; i++) {
        const px = along(this.#axes.x, series.x[i]) * w;
        const dx = px - x;
        if (dx * dx > least) continue;
        const py = (1 - along(this.#axes.y, series.y[i])) * hgt;
        const distance = dx * dx + (py - y) * (py - y);
        if (distance < least) {
          least = distance;
          best = { series, index: i, x: px, y: py };
        }
      }
    }
    return best;
  }

  #tellLegend(t: number): void {
    const curves = xyCurves(this.spec, this.shared.store.state.runs).map(({ curve }) => curve);
    this.legend(
      named(curves).map((curve) => ({
        key: curve.key,
        label: curve.label,
        color: curve.color(),
        dash: curve.dash,
        marker: this.spec.kind === "section",
        value: this.spec.kind === "xy" ? shownValue(curve, t) : "",
      })),
    );
  }
}
