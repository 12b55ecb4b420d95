// Fewer samples that look the same: per column of pixels the first, least, greatest and last sample stay, so that no
// peak is lost however short it is.

export interface Points {
  x: Float64Array;
  y: Float64Array;
}

/**
 * Samples [from, to) of a curve over x that does not decrease, thinned to at most four for each of `columns` equal
 * columns of [a, b]. Every kept point is a sample. A column with NaN keeps one, so that a gap stays a gap.
 */
export function decimate(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  from: number,
  to: number,
  a: number,
  b: number,
  columns: number,
): Points {
  const count = to - from;
  if (count <= 4 * columns || !(b > a)) return copy(x, y, from, to);
  const kept = new Uint32Array(5 * (columns + 2));
  let n = 0;
  let i = from;
  // Column −1 holds what lies before a, column `columns` what lies from b on.
  for (let column = -1; column <= columns && i < to; column++) {
    const end = column === columns ? to : within(x, i, to, a + ((column + 1) / columns) * (b - a));
    if (end === i) continue;
    let least = -1;
    let greatest = -1;
    let gap = -1;
    for (let k = i; k < end; k++) {
      const value = y[k];
      if (value !== value) gap = k;
      else {
        if (least < 0 || value < y[least]) least = k;
        if (greatest < 0 || value > y[greatest]) greatest = k;
      }
    }
    const marks = [i, least, greatest, gap, end - 1].filter((k) => k >= 0).sort((p, q) => p - q);
    for (const mark of marks) {
      if (n === 0 || kept[n - 1] !== mark) kept[n++] = mark;
    }
    i = end;
  }
  const points = { x: new Float64Array(n), y: new Float64Array(n) };
  for (let k = 0; k < n; k++) {
    points.x[k] = x[kept[k]];
    points.y[k] = y[kept[k]];
  }
  return points;
}

/** First index of [from, to) whose x is at least `edge`. */
function within(x: ArrayLike<number>, from: number, to: number, edge: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (x[middle] < edge) low = middle + 1;
    else high = middle;
  }
  return low;
}

function copy(x: ArrayLike<number>, y: ArrayLike<number>, from: number, to: number): Points {
  const points = { x: new Float64Array(to - from), y: new Float64Array(to - from) };
  for (let i = from; i < to; i++) {
    points.x[i - from] = x[i];
    points.y[i - from] = y[i];
  }
  return points;
}

/** Equal neighbours moved apart by one part in 10^13 of the span: some plotters need x to increase. */
export function separate(x: Float64Array): Float64Array {
  if (x.length === 0) return x;
  const least = Math.max(Math.abs(x[0]), Math.abs(x[x.length - 1]), 1e-300) * 1e-13;
  for (let i = 1; i < x.length; i++) {
    if (x[i] <= x[i - 1]) x[i] = x[i - 1] + least;
  }
  return x;
}

/** Curves over x of their own on one common x: `undefined` where a curve has no sample, `null` at gaps. */
export function align(curves: Points[]): [Float64Array, ...(number | null | undefined)[][]] {
  let total = 0;
  for (const curve of curves) total += curve.x.length;
  const all = new Float64Array(total);
  let at = 0;
  for (const curve of curves) {
    all.set(curve.x, at);
    at += curve.x.length;
  }
  if (curves.length > 1) all.sort();
  let n = 0;
  for (let i = 0; i < total; i++) {
    if (n === 0 || all[i] !== all[n - 1]) all[n++] = all[i];
  }
  const x = all.slice(0, n);
  const columns = curves.map((curve) => {
    const column = new Array<number | null | undefined>(n);
    let k = 0;
    for (let i = 0; i < n; i++) {
      if (k < curve.x.length && curve.x[k] === x[i]) {
        const value = curve.y[k++];
        column[i] = Number.isFinite(value) ? value : null;
      } else {
        column[i] = undefined;
      }
    }
    return column;
  });
  return [x, ...columns];
}
