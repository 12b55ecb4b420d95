// What every kind of plot can do.

import type { FigureRequest } from "../generated.ts";
import type { Store } from "../store.ts";
import type { Pair, State } from "../types.ts";
import type { Column } from "./csv.ts";

/** An entry of the legend. */
export interface Entry {
  key: string;
  label: string;
  color: string;
  dash: number[];
  marker: boolean;
  /** At the hovered place, or at the time of the cursor. */
  value: string;
}

/** What the engine draws, without the file format. */
export type Figure = Omit<FigureRequest, "format">;

export interface Shared {
  store: Store;
  /** Time under the pointer in some time plot. */
  hover: { t: number | null; tell: Set<() => void> };
}

export interface View {
  /** Something of the state changed. */
  update(state: State, changed: Set<keyof State>): void;
  /** The theme changed. */
  recolor(): void;
  /** Redraws with other hidden series. */
  setHidden(hidden: Set<string>): void;
  zoom(factor: number): void;
  reset(): void;
  /** Resolves when the plot shows what belongs to the state of the page; a plot without this always does. */
  ready?(): Promise<void>;
  /** What is shown, thinned without losing peaks. */
  figure(): Figure;
  /** What is shown, complete. */
  columns(): Column[];
  destroy(): void;
}

/** Plots off the screen are drawn after this long without requests (ms), so that they do not slow down a moving slider. */
const LATER = 250;

/** Calls once before the next frame, however many requests there were; somewhat later if the element is off the screen. */
export class Frames {
  #asked = false;
  #waiting = false;
  #seen = true;
  #timer = 0;
  #observer: IntersectionObserver | null = null;

  constructor(
    element: HTMLElement,
    private readonly draw: () => void,
  ) {
    if (typeof IntersectionObserver === "undefined") return;
    this.#seen = false;
    this.#observer = new IntersectionObserver(
      (entries) => {
        this.#seen = entries[entries.length - 1].isIntersecting;
        if (this.#seen && this.#waiting) this.ask();
      },
      { rootMargin: "200px" },
    );
    this.#observer.observe(element);
    // Printing needs every plot.
    window.addEventListener("beforeprint", this.#print);
  }

  #print = (): void => this.#now();

  ask(): void {
    this.#waiting = true;
    if (this.#asked) return;
    if (!this.#seen) {
      window.clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#due(), LATER);
      return;
    }
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#due();
    });
  }

  #due(): void {
    if (this.#waiting) this.#now();
  }

  #now(): void {
    window.clearTimeout(this.#timer);
    this.#waiting = false;
    this.draw();
  }

  stop(): void {
    this.#waiting = false;
    window.clearTimeout(this.#timer);
    this.#observer?.disconnect();
    window.removeEventListener("beforeprint", this.#print);
  }
}

/** Whole span of the runs. */
export function wholeSpan(state: State): Pair {
  let [a, b] = [Infinity, -Infinity];
  for (const { payload } of state.runs) [a, b] = [Math.min(a, payload.span[0]), Math.max(b, payload.span[1])];
  return a < b ? [a, b] : [0, 1];
}

/** Window of the time plots enlarged about t, inside the whole span. */
export function zoomWindow(store: Store, t: number, factor: number): void {
  const whole = wholeSpan(store.state);
  const [a, b] = store.state.window;
  const width = Math.min(whole[1] - whole[0], Math.max((b - a) * factor, (whole[1] - whole[0]) * 1e-9));
  moveWindow(store, t - ((t - a) / (b - a)) * width, width);
}

export function panWindow(store: Store, by: number): void {
  const [a, b] = store.state.window;
  moveWindow(store, a + by, b - a);
}

function moveWindow(store: Store, from: number, width: number): void {
  const [low, high] = wholeSpan(store.state);
  const a = Math.max(low, Math.min(from, high - width));
  store.setWindow(a, Math.min(high, a + width));
}

/** Limits with a small margin; a default range if there are no values. */
export function padded([low, high]: Pair, share = 0.06): Pair {
  if (!(low <= high)) return [-1, 1];
  if (low === high) {
    const half = Math.abs(low) * 0.1 || 1;
    return [low - half, high + half];
  }
  const air = share * (high - low);
  return [low - air, high + air];
}
