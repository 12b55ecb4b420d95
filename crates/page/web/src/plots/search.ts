// Places in arrays of times that do not decrease. At an event two samples have the same time: before, after.

/** First index i with times[i] >= t (times.length if none). */
export function lowerBound(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index i with times[i] > t (times.length if none). */
export function upperBound(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the sample nearest to t; of two at the same time the later; −1 if there is none. */
export function nearest(times: ArrayLike<number>, t: number): number {
  if (times.length === 0) return -1;
  const after = upperBound(times, t);
  if (after === 0) return 0;
  if (after === times.length) return after - 1;
  return t - times[after - 1] <= times[after] - t ? after - 1 : after;
}

/** Linear interpolation; at an event the value after it; NaN outside. */
export function valueAt(times: ArrayLike<number>, values: ArrayLike<number>, t: number): number {
  const after = upperBound(times, t);
  if (after === 0) return NaN;
  const before = after - 1;
  if (times[before] === t) return values[before];
  if (after === times.length) return NaN;
  const share = (t - times[before]) / (times[after] - times[before]);
  return values[before] + share * (values[after] - values[before]);
}

/** Samples within [a, b] with one neighbour at each side: [from, to). */
export function span(times: ArrayLike<number>, a: number, b: number): [number, number] {
  const from = Math.max(0, lowerBound(times, a) - 1);
  const to = Math.min(times.length, upperBound(times, b) + 1);
  return [from, Math.max(from, to)];
}

/** Least and greatest finite value of [from, to); [NaN, NaN] if there is none. */
export function extent(values: ArrayLike<number>, from = 0, to = values.length): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = from; i < to; i++) {
    const value = values[i];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [NaN, NaN];
}
