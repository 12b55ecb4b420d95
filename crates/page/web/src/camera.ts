// From the world (m, y up) to the canvas (px, y down): fit, pan, zoom by pointer, wheel and buttons.
import { h } from "./dom.ts";
import type { Pair } from "./types.ts";

export type Box = [number, number, number, number];

export class Camera {
  /** Pixels per metre. */
  scale = 1;
  #box: Box = [-1, -1, 1, 1];
  #zoom = 1;
  /** Shift from the middle of the box (m). */
  #shift: Pair = [0, 0];
  #middle: Pair = [0, 0];
  #centre: Pair = [0, 0];

  setBox(box: Box): void {
    this.#box = box;
  }
  get moved(): boolean {
    return this.#zoom !== 1 || this.#shift[0] !== 0 || this.#shift[1] !== 0;
  }
  reset(): void {
    this.#zoom = 1;
    this.#shift = [0, 0];
  }

  frame(width: number, height: number, pad: number): void {
    const [a, b, c, d] = this.#box;
    const fit = Math.min((width - 2 * pad) / Math.max(c - a, 1e-12), (height - 2 * pad) / Math.max(d - b, 1e-12));
    this.scale = Math.max(1e-6, fit) * this.#zoom;
    this.#middle = [(a + c) / 2 + this.#shift[0], (b + d) / 2 + this.#shift[1]];
    this.#centre = [width / 2, height / 2];
  }

  px([x, y]: Pair): Pair {
    return [this.#centre[0] + this.scale * (x - this.#middle[0]), this.#centre[1] - this.scale * (y - this.#middle[1])];
  }

  world([x, y]: Pair): Pair {
    return [this.#middle[0] + (x - this.#centre[0]) / this.scale, this.#middle[1] - (y - this.#centre[1]) / this.scale];
  }

  pan(dx: number, dy: number): void {
    this.#shift = [this.#shift[0] - dx / this.scale, this.#shift[1] + dy / this.scale];
  }

  /** Zooms by a factor and keeps the world under `about` in place. */
  zoom(factor: number, about: Pair): void {
    const [x, y] = this.world(about);
    const zoom = Math.min(500, Math.max(0.2, this.#zoom * factor));
    const ratio = this.#zoom / zoom;
    const [mx, my] = this.#middle;
    this.#zoom = zoom;
    this.#shift = [this.#shift[0] + (x - mx) * (1 - ratio), this.#shift[1] + (y - my) * (1 - ratio)];
    this.scale /= ratio;
    this.#middle = [mx + (x - mx) * (1 - ratio), my + (y - my) * (1 - ratio)];
  }

  /** Drag or arrow keys pan, + and − or ctrl + wheel or pinch zooms (a plain wheel scrolls the page), double click fits. */
  attach(canvas: HTMLCanvasElement, redraw: () => void): void {
    let last: Pair | null = null;
    canvas.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      last = [e.clientX, e.clientY];
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
      if (!last) return;
      this.pan(e.clientX - last[0], e.clientY - last[1]);
      last = [e.clientX, e.clientY];
      redraw();
    });
    const stop = (): void => {
      last = null;
    };
    canvas.addEventListener("pointerup", stop);
    canvas.addEventListener("pointercancel", stop);
    canvas.addEventListener(
      "wheel",
      (e) => {
        if (!e.ctrlKey && !e.metaKey) return;
        e.preventDefault();
        const box = canvas.getBoundingClientRect();
        this.zoom(Math.exp(-e.deltaY / 250), [e.clientX - box.left, e.clientY - box.top]);
        redraw();
      },
      { passive: false },
    );
    canvas.tabIndex = 0;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.pan(40, 0),
      ArrowRight: () => this.pan(-40, 0),
      ArrowUp: () => this.pan(0, 40),
      ArrowDown: () => this.pan(0, -40),
      "+": () => this.zoom(1.4, this.#centre),
      "-": () => this.zoom(1 / 1.4, this.#centre),
      "0": () => this.reset(),
    };
    canvas.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
      e.preventDefault();
      keys[e.key]();
      redraw();
    });
    canvas.addEventListener("dblclick", () => {
      this.reset();
      redraw();
    });
  }

  buttons(redraw: () => void): HTMLElement {
    const act = (label: string, text: string, body: () => void): HTMLElement =>
      h(
        "button",
        {
          type: "button",
          "aria-label": label,
          title: label,
          onclick: () => {
            body();
            redraw();
          },
        },
        text,
      );
    return h(
      "span.group.noprint",
      { role: "group", "aria-label": "View" },
      act("Zoom out", "−", () => this.zoom(1 / 1.4, this.#centre)),
      act("Show all (double click)", "Fit", () => this.reset()),
      act("Zoom in (ctrl + wheel)", "+", () => this.zoom(1.4, this.#centre)),
    );
  }
}
