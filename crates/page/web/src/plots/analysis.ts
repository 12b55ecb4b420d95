// Spectra and sections, which the engine computes from the series that the page has.

import { helper } from "../engine.ts";
import { decodePlain, encodePlain } from "../payload.ts";
import type { AnalysisRequest, Pair, Ref, RunData, SectionAnswer, SpectrumAnswer } from "../types.ts";
import { span } from "./search.ts";

export interface Spectrum {
  /** Frequencies (Hz), without 0. */
  frequency: Float64Array;
  /** Amplitudes in the unit of the channel: a sine of amplitude A on a line of the spectrum shows A. */
  amplitude: Float64Array;
}

export interface Section {
  t: Float64Array;
  x: Float64Array;
  y: Float64Array;
}

/** Amplitude spectrum of a channel of a run within a window. */
export async function spectrum(run: RunData, values: Float64Array, window: Pair): Promise<Spectrum> {
  const { payload } = run;
  const [a, b] = [Math.max(window[0], payload.span[0]), Math.min(window[1], payload.span[1])];
  if (!(b > a)) return { frequency: new Float64Array(), amplitude: new Float64Array() };
  const answer = await ask<SpectrumAnswer>(run, [a, b], [values], (times, [of]) => ({
    kind: "spectrum",
    times,
    values: of,
    span: [a, b],
    interval: payload.settings.interval,
  }));
  return { frequency: answer.series(answer.payload.frequency), amplitude: answer.series(answer.payload.amplitude) };
}

/** Two channels once per period, at t = (k + phase) T within a window. */
export async function stroboscope(
  run: RunData,
  x: Float64Array,
  y: Float64Array,
  at: { period: number; phase: number },
  window: Pair,
): Promise<Section> {
  return section(
    await ask<SectionAnswer>(run, window, [x, y], (times, [x, y]) => ({
      kind: "stroboscope",
      times,
      x,
      y,
      span: window,
      at,
    })),
  );
}

/** Two channels where a third one passes a level upwards within a window. */
export async function crossings(
  run: RunData,
  x: Float64Array,
  y: Float64Array,
  through: Float64Array,
  level: number,
  window: Pair,
): Promise<Section> {
  return section(
    await ask<SectionAnswer>(run, window, [x, y, through], (times, [x, y, through]) => ({
      kind: "crossing",
      times,
      x,
      y,
      span: window,
      through,
      level,
    })),
  );
}

interface Answered<T> {
  payload: T;
  series: (ref: Ref) => Float64Array;
}

function section({ payload, series }: Answered<SectionAnswer>): Section {
  return { t: series(payload.t), x: series(payload.x), y: series(payload.y) };
}

/** Sends the window of some series, with one sample beyond each end, and gives back what the engine makes of them. */
async function ask<T>(
  run: RunData,
  window: Pair,
  channels: Float64Array[],
  request: (times: Ref, channels: Ref[]) => AnalysisRequest,
): Promise<Answered<T>> {
  const [from, to] = span(run.times, ...window);
  const parts = [run.times, ...channels].map((series) => series.subarray(from, to));
  const [times, ...refs] = parts.map((_, i): Ref => ({ at: i * (to - from), n: to - from }));
  const bytes = await helper.analyse(encodePlain(request(times, refs), parts));
  const { payload, data } = decodePlain<T>(bytes);
  return { payload, series: ({ at, n }) => data.subarray(at, at + n) };
}
