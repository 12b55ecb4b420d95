// Places and labels of ticks.

import { number } from "../format.ts";

export interface Tick {
  at: number;
  label: string;
}

/** Round steps 1, 2, 5 · 10^k, about `wanted` of them in [a, b]. */
export function linearTicks(a: number, b: number, wanted: number): number[] {
  const width = b - a;
  if (!(width > 0) || !Number.isFinite(width)) return [];
  const rough = width / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) ?? 10 * power;
  const places: number[] = [];
  for (let k = Math.ceil(a / step - 1e-9); k <= b / step + 1e-9; k++) places.push(k * step + 0);
  return places;
}

/** Labels with as many decimals as the step asks for. `factor`: shown = value / factor. */
export function linearLabels(places: number[], factor: number): string[] {
  const shown = places.map((place) => place / factor);
  const step = shown.length > 1 ? Math.abs(shown[1] - shown[0]) : Math.abs(shown[0] ?? 1) || 1;
  const size = Math.max(...shown.map(Math.abs), step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (decimals > 6 || size >= 1e6) return shown.map((v) => number(Math.abs(v) < step * 1e-6 ? 0 : v, 4));
  const grouped = (text: string) => (size < 10_000 ? text : text.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f"));
  return shown.map((v) => grouped((Math.abs(v) < step * 1e-6 ? 0 : v).toFixed(decimals).replace("-", "\u2212")));
}

/** Decades, with 2 and 5 between where there are few. */
export function logTicks(a: number, b: number, wanted: number): number[] {
  if (!(a > 0) || !(b > a)) return [];
  const decades = Math.log10(b / a);
  if (decades < 0.7) return linearTicks(a, b, wanted);
  const stride = Math.max(1, Math.ceil(decades / Math.max(1, wanted)));
  const digits = decades * 3 <= wanted + 2 ? [1, 2, 5] : [1];
  const places: number[] = [];
  for (let p = Math.floor(Math.log10(a)); p <= Math.ceil(Math.log10(b)); p++) {
    if (((p % stride) + stride) % stride !== 0) continue;
    for (const digit of digits) {
      const place = digit * 10 ** p;
      if (place >= a * 0.9999999 && place <= b * 1.0000001) places.push(place);
    }
  }
  return places;
}

export function logLabels(places: number[]): string[] {
  return places.map((place) => number(place, 3).replace(/^1·(?=10)/, ""));
}
