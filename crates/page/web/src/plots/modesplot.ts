// In which mode each joint is: a line in free flight, a hatched band in continuous contact, a full bar at an impact.

import { h, Surface } from "../dom.ts";
import { clock, quantity, scaleOf } from "../format.ts";
import { colors, series } from "../palette.ts";
import type { Mode, ModeSpan, Pair, RunData, State } from "../types.ts";
import type { Column } from "./csv.ts";
import { drawn } from "./curves.ts";
import { interact, keys } from "./interact.ts";
import { linearLabels, linearTicks } from "./ticks.ts";
import { type Entry, type Figure, Frames, panWindow, type Shared, type View, wholeSpan, zoomWindow } from "./view.ts";

const LEFT = 76;
const RIGHT = 14;
const BOTTOM = 46;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const MODES: { mode: Mode; name: string; level: number }[] = [
  { mode: "free-flight", name: "free flight", level: 0 },
  { mode: "continuous-contact", name: "continuous contact", level: 1 },
  { mode: "impact", name: "impact", level: 2 },
];

interface Row {
  run: RunData;
  joint: string;
  spans: ModeSpan[];
}

export class ModesPlot implements View {
  #rows: Row[] = [];
  #hidden = new Set<string>();
  #surface: Surface;
  #frames: Frames;
  #over = h("div.plot-over");
  #line = h("div.plot-now", { "aria-hidden": "true" });
  #tip = h("div.plot-tip", { hidden: true, role: "status" });

  constructor(
    private root: HTMLElement,
    private shared: Shared,
    private legend: (entries: Entry[]) => void,
  ) {
    this.#surface = new Surface(root, "Modes of the joints over time", (context, width, height) =>
      this.#draw(context, width, height),
    );
    this.#over.append(this.#line);
    this.#over.style.touchAction = "pan-y";
    root.append(this.#over, this.#tip);
    Object.assign(this.#over.style, { left: `${LEFT}px`, right: `${RIGHT}px`, top: "8px", bottom: `${BOTTOM}px` });
    this.#frames = new Frames(root, () => {
      this.#surface.redraw();
      this.#moveLine();
    });
    interact(this.#over, "x", this.#hands);
    keys(root, this.#hands, () => [this.#x(this.shared.store.state.t), 0]);
    this.#collect();
  }

  update(_state: State, changed: Set<keyof State>): void {
    if (changed.has("runs")) this.#collect();
    else if (changed.has("window")) this.#frames.ask();
    else if (changed.has("t")) this.#moveLine();
  }

  recolor(): void {
    this.#frames.ask();
    this.#tellLegend();
  }
  setHidden(hidden: Set<string>): void {
    this.#hidden = hidden;
    this.#frames.ask();
  }
  zoom(factor: number): void {
    zoomWindow(this.shared.store, this.shared.store.state.t, factor);
  }
  reset(): void {
    this.shared.store.setWindow(...wholeSpan(this.shared.store.state));
  }

  /** Staircases: 0 free flight, 1 continuous contact, 2 impact. */
  figure(): Figure {
    const [a, b] = this.shared.store.state.window;
    const scale = scaleOf(b - a, "s");
    return {
      title: "Modes of the joints",
      equal: false,
      width: 640,
      height: 200,
      x: { label: "t", unit: scale.unit, log: false, limits: null },
      y: { label: "0 flight, 1 contact, 2 impact", unit: "", log: false, limits: null },
      series: this.#rows.map(({ spans, run, joint }, i) => {
        const inside = spans.filter((s) => s.end >= a && s.start <= b);
        return {
          label: this.#rows.length > 1 ? this.#name(run, joint) : "",
          style: "line" as const,
          color: i,
          x: inside.flatMap((s) => [Math.max(a, s.start) / scale.factor, Math.min(b, s.end) / scale.factor]),
          y: inside.flatMap((s) => [level(s.mode), level(s.mode)]),
        };
      }),
    };
  }

  columns(): Column[] {
    const [a, b] = this.shared.store.state.window;
    return this.#rows.flatMap(({ spans, run, joint }) => {
      const inside = spans.filter((s) => s.end >= a && s.start <= b);
      const name = this.#name(run, joint);
      return [
        { name: `${name} start`, unit: "s", values: inside.map((s) => s.start) },
        { name: `${name} end`, unit: "s", values: inside.map((s) => s.end) },
        { name: `${name} mode (0 flight, 1 contact, 2 impact)`, unit: "-", values: inside.map((s) => level(s.mode)) },
      ];
    });
  }

  destroy(): void {
    this.#frames.stop();
  }

  #several(): boolean {
    return new Set(this.#rows.map((row) => row.run.id)).size > 1;
  }

  #name(run: RunData, joint: string): string {
    const several = this.#several();
    const joints = new Set(this.#rows.map((row) => row.joint)).size > 1;
    return several ? (joints ? `${joint} · ${run.label}` : run.label) : joint;
  }

  #collect(): void {
    this.#rows = [];
    for (const run of drawn(this.shared.store.state.runs)) {
      const joints = new Map<string, ModeSpan[]>();
      for (const span of run.payload.modes) {
        const spans = joints.get(span.joint);
        if (spans) spans.push(span);
        else joints.set(span.joint, [span]);
      }
      for (const [joint, spans] of joints) this.#rows.push({ run, joint, spans });
    }
    this.root.style.height = `${Math.max(100, 8 + BOTTOM + (this.#several() ? 44 : 34) * this.#rows.length)}px`;
    this.#frames.ask();
    this.#tellLegend();
  }

  #tellLegend(): void {
    this.legend(
      MODES.map(({ mode, name }) => ({
        key: mode,
        label: name,
        color: color(mode),
        dash: [],
        marker: false,
        value: "",
      })),
    );
  }

  #draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const palette = colors();
    const [a, b] = this.shared.store.state.window;
    const [w, bottom] = [width - LEFT - RIGHT, height - BOTTOM];
    const pitch = (bottom - 8) / Math.max(1, this.#rows.length);
    const x = (t: number) => LEFT + ((t - a) / (b - a)) * w;
    context.font = FONT;
    context.lineWidth = 1;
    const scale = scaleOf(Math.max(Math.abs(a), Math.abs(b)), "s");
    const places = linearTicks(a, b, w / 90);
    const labels = linearLabels(places, scale.factor);
    context.strokeStyle = palette.grid;
    context.fillStyle = palette.soft;
    context.textAlign = "center";
    context.textBaseline = "top";
    places.forEach((place, i) => {
      const at = Math.round(x(place)) + 0.5;
      context.beginPath();
      context.moveTo(at, 8);
      context.lineTo(at, bottom);
      context.stroke();
      context.fillText(labels[i], at, bottom + 7);
    });
    context.fillText(`t (${scale.unit})`, LEFT + w / 2, bottom + 26);
    this.#rows.forEach((row, i) => {
      // Long names of runs stand above their row.
      const above = this.#several();
      const middle = 8 + (i + (above ? 0.68 : 0.5)) * pitch;
      const name = this.#name(row.run, row.joint);
      context.fillStyle = above ? series(row.run.color) : palette.soft;
      context.textAlign = above ? "left" : "right";
      context.textBaseline = "middle";
      if (above) context.fillText(shorten(context, name, w - 12), LEFT + 6, 8 + (i + 0.22) * pitch);
      else context.fillText(shorten(context, name, LEFT - 14), LEFT - 8, middle);
      this.#drawRow(context, row.spans, x, [a, b], middle, Math.min(20, pitch * (above ? 0.45 : 0.62)));
    });
    context.strokeStyle = palette.rule;
    context.strokeRect(LEFT + 0.5, 8.5, w - 1, bottom - 9);
  }

  #drawRow(
    context: CanvasRenderingContext2D,
    spans: ModeSpan[],
    x: (t: number) => number,
    [a, b]: Pair,
    middle: number,
    height: number,
  ): void {
    for (const { mode } of MODES) {
      if (this.#hidden.has(mode)) continue;
      context.fillStyle = color(mode);
      let end = -Infinity;
      for (const span of spans) {
        if (span.mode !== mode || span.end < a || span.start > b) continue;
        const [from, to] = [x(Math.max(a, span.start)), x(Math.min(b, span.end))];
        // Many in one pixel are one.
        if (mode === "impact" && to < end) continue;
        const wide = Math.max(mode === "impact" ? 1 : 0.4, to - from);
        end = from + wide;
        if (mode === "free-flight") context.fillRect(from, middle - 1, wide, 2);
        else if (mode === "impact") context.fillRect(from, middle - height / 2, wide, height);
        else hatch(context, from, middle - height / 4, wide, height / 2);
      }
    }
  }

  #hands = {
    click: (x: number) => this.shared.store.setTime(this.#t(x)),
    grabs: (x: number, _y: number, touch: boolean) => touch || Math.abs(x - this.#x(this.shared.store.state.t)) <= 7,
    scrub: (x: number) => this.shared.store.setTime(this.#t(x)),
    zoomTo: (x0: number, _y0: number, x1: number) => this.shared.store.setWindow(this.#t(x0), this.#t(x1)),
    zoomAt: (x: number, _y: number, factor: number) => zoomWindow(this.shared.store, this.#t(x), factor),
    pan: (dx: number) => {
      const [a, b] = this.shared.store.state.window;
      panWindow(this.shared.store, (-dx / (this.#over.clientWidth || 1)) * (b - a));
    },
    reset: () => this.reset(),
    hover: (x: number, y: number) => {
      const row = this.#rows[Math.floor((y / (this.#over.clientHeight || 1)) * this.#rows.length)];
      const t = this.#t(x);
      const [a, b] = this.shared.store.state.window;
      const near = row?.spans.find((s) => s.start <= t && t <= s.end);
      this.#tip.hidden = !near;
      if (!near) return;
      const name = MODES.find(({ mode }) => mode === near.mode)!.name;
      this.#tip.replaceChildren(
        h("strong", {}, `${this.#name(row.run, row.joint)}: ${name}`),
        h("span", {}, `from ${clock(near.start, b, (b - a) / 1e4)}, ${quantity(near.end - near.start, "s")} long`),
      );
      const left = x > this.#over.clientWidth / 2;
      Object.assign(this.#tip.style, {
        left: left ? "auto" : `${LEFT + x + 12}px`,
        right: left ? `${RIGHT + this.#over.clientWidth - x + 12}px` : "auto",
        top: `${y + 14}px`,
      });
    },
    leave: () => {
      this.#tip.hidden = true;
    },
  };

  #t(x: number): number {
    const [a, b] = this.shared.store.state.window;
    return a + (x / (this.#over.clientWidth || 1)) * (b - a);
  }
  #x(t: number): number {
    const [a, b] = this.shared.store.state.window;
    return ((t - a) / (b - a)) * this.#over.clientWidth;
  }
  #moveLine(): void {
    const {
      t,
      window: [a, b],
    } = this.shared.store.state;
    this.#line.hidden = !(t >= a && t <= b);
    this.#line.style.transform = `translateX(${this.#x(t).toFixed(1)}px)`;
  }
}

const level = (mode: Mode): number => MODES.find((entry) => entry.mode === mode)?.level ?? 0;

function color(mode: Mode): string {
  const palette = colors();
  return mode === "impact" ? palette.impact : mode === "free-flight" ? palette.free : palette.contact;
}

function hatch(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  context.globalAlpha = 0.45;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.fillRect(x, y, width, 1);
  context.fillRect(x, y + height - 1, width, 1);
}

function shorten(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let cut = text;
  while (cut.length > 1 && context.measureText(`${cut}…`).width > width) cut = cut.slice(0, -1);
  return `${cut}…`;
}
