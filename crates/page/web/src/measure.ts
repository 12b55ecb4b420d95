// Small measures for the drawing of the mechanism.
import { size } from "./motion.ts";
import type { ForceView, Pair, RunData } from "./types.ts";

/** At most about n points of a line, its ends among them. */
export function thinned(line: Pair[], n: number): Pair[] {
  const step = Math.max(1, Math.ceil((line.length - 1) / n));
  return line.filter((_, i) => i % step === 0 || i === line.length - 1);
}

export const unit = ([x, y]: Pair): Pair => {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
};

export function capped(v: Pair, most: number): Pair {
  const length = size(v);
  return length > most ? [(v[0] * most) / length, (v[1] * most) / length] : v;
}

export function peakOf(values: Float64Array): number {
  let most = 0;
  for (const x of values) most = Math.max(most, Math.abs(x) || 0);
  return most;
}

export function largest(run: RunData, forces: ForceView[]): number {
  let most = 0;
  for (const f of forces) {
    if (!f.fx || !f.fy) continue;
    const [x, y] = [run.ref(f.fx), run.ref(f.fy)];
    for (let i = 0; i < x.length; i++) most = Math.max(most, Math.hypot(x[i], y[i]) || 0);
  }
  return most;
}
