// Amplitude spectrum of a channel with samples at uneven times.

/** In-place FFT, X_k = Σ x_n exp(−2πi kn/N), N a power of two (Cooley and Tukey 1965). */
export function fft(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  if (n === 0 || (n & (n - 1)) !== 0 || im.length !== n) throw new RangeError("length must be a power of two");
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  const cos = new Float64Array(n / 2 || 1);
  const sin = new Float64Array(n / 2 || 1);
  for (let k = 0; k < n / 2; k++) {
    cos[k] = Math.cos((2 * Math.PI * k) / n);
    sin[k] = -Math.sin((2 * Math.PI * k) / n);
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    const stride = n / size;
    for (let start = 0; start < n; start += size) {
      for (let k = 0; k < half; k++) {
        const c = cos[k * stride];
        const s = sin[k * stride];
        const p = start + k;
        const q = p + half;
        const tr = re[q] * c - im[q] * s;
        const ti = re[q] * s + im[q] * c;
        re[q] = re[p] - tr;
        im[q] = im[p] - ti;
        re[p] += tr;
        im[p] += ti;
      }
    }
  }
}

/**
 * Means over `count` equal cells of [a, b] of the line through the samples. Means, not values: a peak between two
 * places keeps its impulse, and what lies above half the rate is damped instead of folded back.
 */
export function cellMeans(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  a: number,
  b: number,
  count: number,
): Float64Array {
  const means = new Float64Array(count);
  const width = (b - a) / count;
  for (let i = 0; i + 1 < times.length; i++) {
    const t0 = Math.max(times[i], a);
    const t1 = Math.min(times[i + 1], b);
    const length = times[i + 1] - times[i];
    if (!(t1 > t0) || Number.isNaN(values[i]) || Number.isNaN(values[i + 1])) continue;
    const slope = (values[i + 1] - values[i]) / length;
    const value = (t: number) => values[i] + slope * (t - times[i]);
    const last = Math.min(count - 1, Math.floor((t1 - a) / width));
    for (let cell = Math.max(0, Math.floor((t0 - a) / width)); cell <= last; cell++) {
      const from = Math.max(t0, a + cell * width);
      const to = Math.min(t1, a + (cell + 1) * width);
      if (to > from) means[cell] += (value(0.5 * (from + to)) * (to - from)) / width;
    }
  }
  return means;
}

export interface Spectrum {
  /** Frequencies (Hz), without 0. */
  frequency: Float64Array;
  /** Amplitudes in the unit of the channel: a sine of amplitude A on a line of the spectrum shows A. */
  amplitude: Float64Array;
}

/** Cells for a span with this time between samples: a power of two, at least two per interval. */
export function cells(duration: number, interval: number): number {
  const wanted = interval > 0 ? (2 * duration) / interval : 4096;
  let n = 1024;
  while (n < wanted && n < 1 << 17) n *= 2;
  return n;
}

/** One-sided amplitude spectrum over [a, b] without the mean, Hann window, cell means made good. */
export function spectrum(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  a: number,
  b: number,
  count: number,
): Spectrum {
  const re = cellMeans(times, values, a, b, count);
  let mean = 0;
  for (const value of re) mean += value / count;
  // Hann: w_n = sin²(π n / N), mean 1/2.
  for (let n = 0; n < count; n++) re[n] = (re[n] - mean) * Math.sin((Math.PI * n) / count) ** 2;
  const im = new Float64Array(count);
  fft(re, im);
  const half = count / 2;
  const frequency = new Float64Array(half - 1);
  const amplitude = new Float64Array(half - 1);
  for (let k = 1; k < half; k++) {
    const phase = (Math.PI * k) / count;
    const cell = Math.sin(phase) / phase;
    frequency[k - 1] = k / (b - a);
    amplitude[k - 1] = (4 * Math.hypot(re[k], im[k])) / count / cell;
  }
  return { frequency, amplitude };
}
