import type { RunData } from "./types.ts";

const rank = { recorded: 0, whatif: 1, ideal: 2 };

/** Where a new run goes: recorded runs, then what-if runs, then the ideal mechanism. */
export function lastPlace(runs: RunData[], run: RunData): number {
  const at = runs.findIndex((r) => rank[r.role] > rank[run.role]);
  return at < 0 ? runs.length : at;
}

/** Lowest palette index that no run has. */
export function freeColor(runs: RunData[]): number {
  for (let color = 0; ; color++) if (!runs.some((r) => r.color === color)) return color;
}
