// Curves and points of the plots that are not over time.

import type { Pair, RunData, State } from "../types.ts";
import { crossings, spectrum, stroboscope } from "./analysis.ts";
import { curvesOf, type Curve } from "./curves.ts";
import { extent, lowerBound, upperBound } from "./search.ts";
import { channel, isNoise, type SectionSpec, type SpectrumSpec, unitOf, type XySpec } from "./spec.ts";

export interface XySeries {
  curve: Curve;
  /** Times of the points; a spectrum has none. */
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

/** The curves of a plot, those over another channel with its values. */
export function xyCurves(spec: XyKind, runs: RunData[]): { curve: Curve; x: Float64Array | null }[] {
  if (spec.kind === "spectrum") return curvesOf(runs, spec.channels).map((curve) => ({ curve, x: null }));
  const solid = runs.filter((run) => run.visible && run.role !== "ideal").map((run) => channel(run, spec.x));
  return curvesOf(runs, [spec.y]).flatMap((curve) => {
    const x = channel(curve.run, spec.x);
    // An ideal joint has no clearance and no indentation.
    if (!x || (curve.ideal && ((spec.kind === "xy" && spec.joint !== null) || isNoise(x, solid)))) return [];
    return [{ curve, x }];
  });
}

/** A plot without its points: the labels of its axes. */
export function emptyData(spec: XyKind, runs: RunData[]): XyData {
  if (spec.kind === "spectrum") {
    const name = spec.channels.length === 1 ? `amplitude of ${spec.channels[0]}` : "amplitude";
    const unit = xyCurves(spec, runs)[0]?.curve.unit ?? "";
    return { series: [], x: { name: "f", unit: "Hz", log: true }, y: { name, unit, log: true } };
  }
  const axis = (name: string) => ({ name, unit: unitOf(runs, name), log: false });
  return { series: [], x: axis(spec.x), y: axis(spec.y) };
}

/** One channel against another within the window. */
export function orbits(spec: XySpec, { runs, window }: State): XyData {
  const series = xyCurves(spec, runs).flatMap(({ curve, x }): XySeries[] => {
    const { times } = curve.run;
    const [from, to] = [lowerBound(times, window[0]), upperBound(times, window[1])];
    const part = (values: Float64Array) => values.subarray(from, to);
    return x ? [{ curve, t: part(times), x: part(x), y: part(curve.values), marker: false, sorted: false }] : [];
  });
  return { ...emptyData(spec, runs), series };
}

/** Spectra or sections of the window, from the engine. */
export async function analysed(spec: SectionSpec | SpectrumSpec, { runs, window }: State): Promise<XyData> {
  const series = xyCurves(spec, runs).map(async ({ curve, x }): Promise<XySeries[]> => {
    if (spec.kind === "spectrum") {
      const { frequency, amplitude } = await spectrum(curve.run, curve.values, window);
      return [{ curve, t: null, x: frequency, y: amplitude, marker: false, sorted: true }];
    }
    const points = x && (await section(spec, curve, x, window));
    return points ? [{ curve, ...points, marker: true, sorted: false }] : [];
  });
  return { ...emptyData(spec, runs), series: (await Promise.all(series)).flat() };
}

async function section({ through, phase }: SectionSpec, { run, values }: Curve, x: Float64Array, window: Pair) {
  if (!through) {
    const { period } = run.payload;
    return period === null ? null : stroboscope(run, x, values, { period, phase }, window);
  }
  const level = channel(run, through.channel);
  return level && crossings(run, x, values, level, through.level, window);
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
