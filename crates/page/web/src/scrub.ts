// A strip over the whole run with a cursor and the shown window: a click goes to a time.
import { h } from "./dom.ts";
import type { Store } from "./store.ts";
import type { Pair } from "./types.ts";

export class Scrub {
  #span: Pair;
  #cursor = h("i.cursor");
  #range = h("i.window", { hidden: true });

  /** `also` is told how far down the strip the pointer is, from 0 to 1. */
  constructor(track: HTMLElement, span: Pair, store: Store, also?: (down: number) => void) {
    this.#span = span;
    track.append(this.#range, this.#cursor);
    const go = (event: PointerEvent): void => {
      const box = track.getBoundingClientRect();
      const share = (x: number, size: number): number => Math.min(1, Math.max(0, x / size));
      const [a, b] = span;
      store.batch(() => {
        store.pause();
        store.setTime(a + (b - a) * share(event.clientX - box.left, box.width));
        also?.(share(event.clientY - box.top, box.height));
      });
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      track.setPointerCapture(event.pointerId);
      go(event);
    });
    track.addEventListener("pointermove", (event) => {
      if (track.hasPointerCapture(event.pointerId)) go(event);
    });
  }

  show(t: number): void {
    this.#cursor.style.left = `${100 * this.share(t)}%`;
  }

  showWindow([a, b]: Pair): void {
    const [x, y] = [Math.max(0, this.share(a)), Math.min(1, this.share(b))];
    this.#range.hidden = x <= 0.001 && y >= 0.999;
    this.#range.style.left = `${100 * x}%`;
    this.#range.style.width = `${100 * (y - x)}%`;
  }

  /** How much of the run has passed at this time. */
  share(t: number): number {
    const [a, b] = this.#span;
    return b > a ? (t - a) / (b - a) : 0;
  }
}
