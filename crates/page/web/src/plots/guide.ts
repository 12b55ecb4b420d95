// Where a pin is in its slot or guide: along the centre line, and across it.

import type { Pair } from "../types.ts";

export interface Track {
  along: Float64Array;
  across: Float64Array;
}

/** Segments that are looked at to both sides of the last one. */
const REACH = 4;

/** Length along the polyline to the nearest point, and signed distance from it (positive at its left hand). */
export function track(middle: Pair[], x: ArrayLike<number>, y: ArrayLike<number>): Track {
  const n = x.length;
  const result: Track = { along: new Float64Array(n).fill(NaN), across: new Float64Array(n).fill(NaN) };
  const segments = middle.length - 1;
  if (segments < 1) return result;
  const start = new Float64Array(segments + 1);
  for (let k = 0; k < segments; k++) start[k + 1] = start[k] + distance(middle[k], middle[k + 1]);
  let last = -1;
  for (let i = 0; i < n; i++) {
    let least = Infinity;
    let found = -1;
    const [from, to] = last < 0 ? [0, segments] : [Math.max(0, last - REACH), Math.min(segments, last + REACH + 1)];
    for (let k = from; k < to; k++) {
      const [ax, ay] = middle[k];
      const [ux, uy] = [middle[k + 1][0] - ax, middle[k + 1][1] - ay];
      const length = Math.hypot(ux, uy);
      if (length === 0) continue;
      const [px, py] = [x[i] - ax, y[i] - ay];
      const free = (px * ux + py * uy) / length;
      // Beyond the ends the line goes on, so that a block that leaves its guide stays beside it.
      const low = k === 0 ? -Infinity : 0;
      const high = k === segments - 1 ? Infinity : length;
      const s = Math.min(high, Math.max(low, free));
      const side = (ux * py - uy * px) / length;
      const away = Math.hypot(side, free - s);
      if (away < least) {
        least = away;
        found = k;
        result.along[i] = start[k] + s;
        result.across[i] = side < 0 ? -away : away;
      }
    }
    last = found;
  }
  return result;
}

const distance = (a: Pair, b: Pair): number => Math.hypot(b[0] - a[0], b[1] - a[1]);
