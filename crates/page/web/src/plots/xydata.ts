// Curves and points of the plots that are not over time.

import type { Pair, RunData, State } from "../types.ts";
import { curvesOf, type Curve } from "./curves.ts";
import { extent, lowerBound, upperBound } from "./search.ts";
import { crossings, stroboscope } from "./section.ts";
import { channel, isNoise, type SectionSpec, type SpectrumSpec, unitOf, type XySpec } from "./spec.ts";
import { cells, spectrum } from "./spectrum.ts";

export interface XySeries {
  curve: Curve;
  /** Times of the points; none of a spectrum. */
  t: Float64Array | null;
  x: Float64Array;
  y: Float64Array;
  marker: boolean;
  /** x increases, so that it can be thinned by columns. */
  sorted: boolean;
}

export interface XyData {
  series: XySeries[];
  x: { name: string; unit: string; log: boolean };
  y: { name: string; unit: string; log: boolean };
}

export type XyKind = XySpec | SectionSpec | SpectrumSpec;

/** What a plot shows of the window. */
export function xyData(spec: XyKind, state: State): XyData {
  const { runs, window } = state;
  if (spec.kind === "spectrum") return spectra(spec, runs, window);
  const series: XySeries[] = [];
  for (const curve of curvesOf(runs, [spec.y])) {
    const { run, values } = curve;
    const x = channel(run, spec.x);
    // An ideal joint has no play and no indentation.
    if (!x || (curve.ideal && spec.kind === "xy" && spec.joint !== null)) continue;
    if (
      curve.ideal &&
      isNoise(
        x,
        runs.filter((r) => r.visible && r.role !== "ideal").map((r) => channel(r, spec.x)),
      )
    )
      continue;
    if (spec.kind === "section") {
      const { period } = run.payload;
      const through = spec.through ? channel(run, spec.through.channel) : null;
      const section = spec.through
        ? through && crossings(run.times, x, values, through, spec.through.level, ...window)
        : period !== null && stroboscope(run.times, x, values, period, spec.phase, ...window);
      if (section) series.push({ curve, ...section, marker: true, sorted: false });
    } else {
      const [from, to] = [lowerBound(run.times, window[0]), upperBound(run.times, window[1])];
      series.push({
        curve,
        t: run.times.subarray(from, to),
        x: x.subarray(from, to),
        y: values.subarray(from, to),
        marker: false,
        sorted: false,
      });
    }
  }
  const axis = (name: string) => ({ name, unit: unitOf(runs, name), log: false });
  return { series, x: axis(spec.x), y: axis(spec.y) };
}

const cache = new WeakMap<Float64Array, { window: Pair; frequency: Float64Array; amplitude: Float64Array }>();

function spectra(spec: SpectrumSpec, runs: RunData[], window: Pair): XyData {
  const series: XySeries[] = curvesOf(runs, spec.channels).map((curve) => {
    const { run, values } = curve;
    const [a, b] = [Math.max(window[0], run.payload.span[0]), Math.min(window[1], run.payload.span[1])];
    let known = cache.get(values);
    if (!known || known.window[0] !== a || known.window[1] !== b) {
      const made =
        b > a
          ? spectrum(run.times, values, a, b, cells(b - a, run.payload.settings.interval))
          : { frequency: new Float64Array(), amplitude: new Float64Array() };
      cache.set(values, (known = { window: [a, b], ...made }));
    }
    return { curve, t: null, x: known.frequency, y: known.amplitude, marker: false, sorted: true };
  });
  const unit = series[0]?.curve.unit ?? "";
  const name = spec.channels.length === 1 ? `amplitude of ${spec.channels[0]}` : "amplitude";
  return { series, x: { name: "f", unit: "Hz", log: true }, y: { name, unit, log: true } };
}

/** Limits of all points; positive ones for logarithms, six decades at most. Points farther up or down than `within` are left out. */
export function limits(data: XyData, which: "x" | "y", within = Infinity): Pair {
  const { log } = data[which];
  let [low, high] = [Infinity, -Infinity];
  for (const entry of data.series) {
    const values = within < Infinity ? entry[which].filter((_, i) => Math.abs(entry.y[i]) <= within) : entry[which];
    const [a, b] = log ? positive(values) : extent(values);
    if (a < low) low = a;
    if (b > high) high = b;
  }
  return log && which === "y" ? [Math.max(low, high * 1e-6), high] : [low, high];
}

function positive(values: Float64Array): Pair {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value > 0 && value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
