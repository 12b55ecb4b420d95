// Counting: points in pixels, values in bars, shares of a sorted list.

import type { Pair } from "../types.ts";

/** Points of a diagram, each with the way on which it was reached. */
export interface Cloud {
  x: Float64Array;
  y: Float64Array;
  way: Float64Array;
}

/**
 * Counts the points of one way in each pixel of a frame, the first row of pixels at the top; every point covers `size` × `size`
 * pixels. Returns how many points there are inside.
 */
export function count(
  { x, y, way }: Cloud,
  which: number,
  [x0, x1]: Pair,
  [y0, y1]: Pair,
  width: number,
  height: number,
  size: number,
  counts: Uint32Array,
): number {
  counts.fill(0);
  const [fx, fy] = [width / (x1 - x0), height / (y1 - y0)];
  const before = (size - 1) >> 1;
  let inside = 0;
  for (let i = 0; i < x.length; i++) {
    if (way[i] !== which) continue;
    const px = (x[i] - x0) * fx;
    const py = (y1 - y[i]) * fy;
    if (!(px >= 0 && px <= width && py >= 0 && py <= height)) continue;
    inside++;
    const left = Math.min(width - 1, Math.floor(px)) - before;
    const top = Math.min(height - 1, Math.floor(py)) - before;
    if (size === 1) {
      counts[top * width + left]++;
      continue;
    }
    for (let row = Math.max(0, top); row < Math.min(height, top + size); row++) {
      for (let column = Math.max(0, left); column < Math.min(width, left + size); column++) {
        counts[row * width + column]++;
      }
    }
  }
  return inside;
}

/** Colours pixels by their counts: a single point covers the share `least`, what is met more often covers more. */
export function shade(
  counts: Uint32Array,
  [r, g, b]: [number, number, number],
  least: number,
  pixels: Uint8ClampedArray,
): void {
  let most = 1;
  for (const n of counts) if (n > most) most = n;
  const scale = most > 1 ? 1 / Math.log(most) : 0;
  for (let i = 0, at = 0; i < counts.length; i++, at += 4) {
    const n = counts[i];
    if (n === 0) continue;
    const alpha = least + (1 - least) * Math.log(n) * scale;
    // What is there already shows through.
    const below = ((1 - alpha) * pixels[at + 3]) / 255;
    const both = alpha + below;
    pixels[at] = (alpha * r + below * pixels[at]) / both;
    pixels[at + 1] = (alpha * g + below * pixels[at + 1]) / both;
    pixels[at + 2] = (alpha * b + below * pixels[at + 2]) / both;
    pixels[at + 3] = 255 * both;
  }
}

/** Finite values in rising order. */
export function sorted(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(Array.from(values).filter(Number.isFinite)).sort();
}

/** Edges of the bars: a width of Freedman and Diaconis, 5 to 60 of them. */
export function edges(rising: Float64Array): Float64Array {
  const n = rising.length;
  if (n === 0) return new Float64Array();
  const [low, high] = [rising[0], rising[n - 1]];
  if (!(high > low)) {
    const half = Math.abs(low) * 0.05 || 0.5;
    return Float64Array.of(low - half, low + half);
  }
  const quarter = (p: number) => rising[Math.min(n - 1, Math.floor(p * n))];
  const width = (2 * (quarter(0.75) - quarter(0.25))) / Math.cbrt(n);
  const bars = Math.min(60, Math.max(5, width > 0 ? Math.ceil((high - low) / width) : 5));
  return Float64Array.from({ length: bars + 1 }, (_, i) => (i === bars ? high : low + ((high - low) * i) / bars));
}

/** How many values lie between two edges each; the last bar has its upper edge too. */
export function histogram(rising: Float64Array, at: Float64Array): Uint32Array {
  const counts = new Uint32Array(Math.max(0, at.length - 1));
  let bar = 0;
  for (const value of rising) {
    while (bar < counts.length - 1 && value >= at[bar + 1]) bar++;
    if (counts.length > 0) counts[bar]++;
  }
  return counts;
}

/** Edges halfway between neighbours of a rising list, and as far outside at both ends. */
export function cells(rising: number[], log: boolean): number[] {
  const on = log ? rising.map(Math.log) : rising;
  const back = (value: number) => (log ? Math.exp(value) : value);
  if (on.length === 0) return [];
  if (on.length === 1) {
    const half = log ? 0.1 : Math.abs(on[0]) * 0.1 || 0.5;
    return [back(on[0] - half), back(on[0] + half)];
  }
  const last = on.length - 1;
  const between = on.slice(1).map((value, i) => 0.5 * (value + on[i]));
  return [1.5 * on[0] - 0.5 * on[1], ...between, 1.5 * on[last] - 0.5 * on[last - 1]].map(back);
}
