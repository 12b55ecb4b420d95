// The impact that has just been: most are over within a frame, so the eye gets an echo.
import type { Impact, RunData } from "./types.ts";

const sorted = new WeakMap<RunData, Map<string, Impact[]>>();

function impactsOf(run: RunData, joint: string): Impact[] {
  let byJoint = sorted.get(run);
  if (!byJoint) {
    byJoint = new Map();
    for (const impact of run.payload.impacts) {
      const list = byJoint.get(impact.joint);
      if (list) list.push(impact);
      else byJoint.set(impact.joint, [impact]);
    }
    for (const list of byJoint.values()) list.sort((a, b) => a.peak_time - b.peak_time);
    sorted.set(run, byJoint);
  }
  return byJoint.get(joint) ?? [];
}

/** Last impact whose peak is at most `memory` (s of motion) before t; age 0 … 1. */
export function recentImpact(
  run: RunData,
  joint: string,
  t: number,
  memory: number,
): { impact: Impact; age: number } | null {
  const list = impactsOf(run, joint);
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle].peak_time <= t) low = middle + 1;
    else high = middle;
  }
  const impact = list[low - 1];
  const age = impact ? (t - impact.peak_time) / memory : 1;
  return age < 1 ? { impact, age } : null;
}
