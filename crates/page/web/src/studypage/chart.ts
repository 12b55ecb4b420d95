// A plot of a study on a canvas: zoom, hover, click and keys; what is drawn is the business of its content.

import { h, Surface } from "../dom.ts";
import { colors } from "../palette.ts";
import { type Axis, cover, drawAxes, FONT, type Frame, frameOf, valueOf } from "../plots/axes.ts";
import type { Column } from "../plots/csv.ts";
import { type Hands, interact, keys } from "../plots/interact.ts";
import { type Pen, SvgPen } from "../plots/svg.ts";
import { type Entry, type Figure, Frames } from "../plots/view.ts";
import { type Axes, clip, dot, toPixel } from "../plots/xydraw.ts";
import type { Pair } from "../types.ts";

/** What lies under the pointer, in pixels of the frame. */
export interface Hit {
  x: number;
  y: number;
  /** The row of the table that a click runs. */
  row: number | null;
  title: string;
  lines: string[];
}

export interface Content {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  draw(context: CanvasRenderingContext2D, frame: Frame, axes: Axes): void;
  /** Nearest to a place of the frame. */
  near(x: number, y: number, frame: Frame, axes: Axes): Hit | null;
  /** Where a row is drawn, in numbers of the axes. */
  places(row: number): Pair[];
  /** What arrow keys walk through, from left to right. */
  walk(frame: Frame, axes: Axes): Hit[];
  /** What is shown, for the engine to draw; null where it cannot. */
  figure(axes: Axes): Figure | null;
  /** What colours mean, above the frame of a drawing that the engine does not make. */
  key?(pen: Pen, frame: Frame): void;
  columns(): Column[];
  legend?(): Entry[];
  hide?(hidden: Set<string>): void;
}

/** What the plots of a study share. */
export interface Desk {
  /** Runs a row in the page. */
  pick(row: number): void;
  /** Rows that are shown, with the colours of their runs. */
  shown(): { row: number; color: string }[];
  charts: Set<Chart>;
}

/** Plots with one horizontal axis. */
export interface Link {
  x: Pair | null;
  charts: Chart[];
}

/** A second click within this time means something else (ms). */
const DOUBLE = 230;
export const REACH = 18;
/** Height of what colours mean, above a saved drawing (px). */
const KEY = 18;

export class Chart {
  #base: Surface;
  #top: Surface;
  #frames: Frames;
  #over = h("div.plot-over");
  #tip = h("div.plot-tip", { hidden: true, role: "status", "data-testid": "study-tip" });
  #y: Pair | null = null;
  #near: Hit | null = null;
  #picking = 0;

  constructor(
    private root: HTMLElement,
    private content: Content,
    private desk: Desk,
    private link: Link = { x: null, charts: [] },
  ) {
    this.#base = new Surface(root, content.title, (context, width, height) =>
      this.#drawBase(context, frameOf(width, height)),
    );
    this.#top = new Surface(root, "", (context, width, height) => this.#drawTop(context, frameOf(width, height)));
    this.#top.canvas.setAttribute("aria-hidden", "true");
    this.#over.style.touchAction = "pan-y";
    root.append(this.#over, this.#tip);
    this.#frames = new Frames(root, () => {
      this.#base.redraw();
      this.#top.redraw();
    });
    interact(this.#over, "xy", this.#hands);
    keys(root, this.#hands, () => [this.#over.clientWidth / 2, this.#over.clientHeight / 2]);
    root.addEventListener("keydown", (event) => this.#key(event));
    link.charts.push(this);
    desk.charts.add(this);
    this.redraw();
  }

  redraw(): void {
    this.#frames.ask();
  }
  /** Other rows are shown. */
  remark(): void {
    this.#top.redraw();
  }
  reset(): void {
    this.#y = null;
    this.link.x = null;
    for (const chart of this.link.charts) chart.redraw();
  }
  zoom(factor: number): void {
    this.#hands.zoomAt(this.#over.clientWidth / 2, this.#over.clientHeight / 2, factor);
  }
  destroy(): void {
    clearTimeout(this.#picking);
    this.#frames.stop();
    this.desk.charts.delete(this);
  }
  /** Another content in the same frame. */
  become(content: Content): void {
    this.content = content;
    this.#y = null;
    this.#hover(null);
    this.redraw();
  }

  get axes(): Axes {
    const { x, y } = this.content;
    return { x: { ...x, range: this.link.x ?? x.range }, y: { ...y, range: this.#y ?? y.range } };
  }
  /** The plot as it is on the screen, with what its colours mean above it. */
  svg(): string {
    const [{ axes }, pen] = [this, new SvgPen()];
    const [width, height] = [this.#base.canvas.clientWidth || 900, this.#base.canvas.clientHeight || 400];
    const inner = frameOf(width, height);
    const frame = { ...inner, top: inner.top + KEY };
    pen.font = FONT;
    this.content.key?.(pen, frame);
    drawAxes(pen, frame, axes.x, axes.y);
    pen.save();
    clip(pen, frame);
    // A content without a figure of the engine draws with a pen.
    this.content.draw(pen as unknown as CanvasRenderingContext2D, frame, axes);
    pen.restore();
    return pen.text(width, height + KEY, colors().panel);
  }
  get canvas(): HTMLCanvasElement {
    return this.#base.canvas;
  }

  #drawBase(context: CanvasRenderingContext2D, frame: Frame): void {
    const { axes } = this;
    const begun = performance.now();
    cover(this.#over, frame);
    drawAxes(context, frame, axes.x, axes.y);
    context.save();
    clip(context, frame);
    this.content.draw(context, frame, axes);
    context.restore();
    const { dataset } = this.root;
    dataset.x = axes.x.range.join(" ");
    dataset.y = axes.y.range.join(" ");
    dataset.took = (performance.now() - begun).toFixed(1);
  }

  #drawTop(context: CanvasRenderingContext2D, frame: Frame): void {
    const { axes } = this;
    const { ink, panel } = colors();
    context.save();
    clip(context, frame);
    for (const { row, color } of this.desk.shown()) {
      const places = this.content.places(row).slice(0, 2000);
      for (const [x, y] of places) {
        const [px, py] = toPixel(frame, axes, x, y);
        if (Number.isFinite(px + py)) dot(context, px, py, places.length > 8 ? 3 : 5.5, color, panel);
      }
    }
    if (this.#near) {
      context.strokeStyle = ink;
      context.lineWidth = 1.4;
      context.beginPath();
      context.arc(frame.left + this.#near.x, frame.top + this.#near.y, 6.5, 0, 2 * Math.PI);
      context.stroke();
    }
    context.restore();
  }

  #frame(): Frame {
    return { left: 0, top: 0, width: this.#over.clientWidth, height: this.#over.clientHeight };
  }

  #hands: Hands = {
    click: (x, y) => {
      const hit = this.content.near(x, y, this.#frame(), this.axes);
      this.#hover(hit);
      clearTimeout(this.#picking);
      if (hit && hit.row !== null) {
        const { row } = hit;
        this.#picking = window.setTimeout(() => this.desk.pick(row), DOUBLE);
      }
    },
    grabs: () => false,
    scrub: () => {},
    zoomTo: (x0, y0, x1, y1) => {
      if (x1 - x0 > 3 && y1 - y0 > 3) this.#show(x0, y0, x1, y1);
    },
    zoomAt: (x, y, factor) => {
      const { width, height } = this.#frame();
      this.#show(x - x * factor, y - y * factor, x + (width - x) * factor, y + (height - y) * factor);
    },
    pan: (dx, dy) => {
      const { width, height } = this.#frame();
      this.#show(-dx, -dy, width - dx, height - dy);
    },
    reset: () => {
      clearTimeout(this.#picking);
      this.reset();
    },
    hover: (x, y) => this.#hover(this.content.near(x, y, this.#frame(), this.axes)),
    leave: () => this.#hover(null),
  };

  #show(x0: number, y0: number, x1: number, y1: number): void {
    const { x, y } = this.axes;
    const { width, height } = this.#frame();
    const nextX: Pair = [valueOf(x, x0 / width), valueOf(x, x1 / width)];
    const nextY: Pair = [valueOf(y, 1 - y1 / height), valueOf(y, 1 - y0 / height)];
    if (![...nextX, ...nextY].every(Number.isFinite) || !(nextX[1] > nextX[0]) || !(nextY[1] > nextY[0])) return;
    this.link.x = nextX;
    this.#y = nextY;
    this.#hover(null);
    for (const chart of this.link.charts) chart.redraw();
  }

  /** Arrows walk along the points, Enter runs the one under the ring. */
  #key(event: KeyboardEvent): void {
    if (event.target !== this.root || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.#near?.row ?? null;
    if (event.key === "Enter" && row !== null) this.desk.pick(row);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const hits = this.content.walk(this.#frame(), this.axes);
      const near = this.#near;
      const at = near ? hits.findIndex(({ row, x, y }) => row === near.row && x === near.x && y === near.y) : -1;
      const step = event.key === "ArrowRight" ? 1 : -1;
      this.#hover(hits[at < 0 ? (step > 0 ? 0 : hits.length - 1) : at + step] ?? near);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #hover(hit: Hit | null): void {
    this.#near = hit;
    this.#tip.hidden = !hit;
    if (hit) {
      this.#tip.dataset.row = hit.row === null ? "" : String(hit.row);
      this.#tip.replaceChildren(h("strong", {}, hit.title), ...hit.lines.map((line) => h("span", {}, line)));
      const left = hit.x > this.#over.clientWidth / 2;
      Object.assign(this.#tip.style, {
        left: left ? "auto" : `${this.#over.offsetLeft + hit.x + 12}px`,
        right: left ? `${this.root.clientWidth - this.#over.offsetLeft - hit.x + 12}px` : "auto",
        top: `${Math.max(0, this.#over.offsetTop + Math.min(hit.y, this.#over.clientHeight) - 20)}px`,
      });
    }
    this.#over.classList.toggle("pointing", hit !== null && hit.row !== null);
    this.#top.redraw();
  }
}
