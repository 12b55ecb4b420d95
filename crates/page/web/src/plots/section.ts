// Poincaré sections of two channels.

import { upperBound, valueAt } from "./search.ts";

export interface Section {
  t: Float64Array;
  x: Float64Array;
  y: Float64Array;
}

/** Both channels once per period, at t = (k + phase) T within [a, b]. */
export function stroboscope(
  times: ArrayLike<number>,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  period: number,
  phase: number,
  a: number,
  b: number,
): Section {
  const at: number[] = [];
  if (period > 0 && times.length > 0) {
    const from = Math.max(a, times[0]);
    const to = Math.min(b, times[times.length - 1]);
    for (let k = Math.ceil(from / period - phase - 1e-9); at.length < 1e6; k++) {
      const t = Math.max(from, (k + phase) * period);
      if (t > to) break;
      at.push(t);
    }
  }
  return take(times, x, y, at);
}

/** Both channels where `through` passes `level` upwards within [a, b]. */
export function crossings(
  times: ArrayLike<number>,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  through: ArrayLike<number>,
  level: number,
  a: number,
  b: number,
): Section {
  const at: number[] = [];
  const end = Math.min(times.length, upperBound(times, b));
  for (let i = Math.max(1, upperBound(times, a)); i < end; i++) {
    const before = through[i - 1] - level;
    const after = through[i] - level;
    if (before < 0 && after >= 0) {
      at.push(times[i - 1] + (times[i] - times[i - 1]) * (before / (before - after)));
    }
  }
  return take(times, x, y, at);
}

function take(times: ArrayLike<number>, x: ArrayLike<number>, y: ArrayLike<number>, at: number[]): Section {
  return {
    t: Float64Array.from(at),
    x: Float64Array.from(at, (t) => valueAt(times, x, t)),
    y: Float64Array.from(at, (t) => valueAt(times, y, t)),
  };
}
