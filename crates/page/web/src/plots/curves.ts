// Channels of the visible runs as curves: one colour for each run where there are several, else for each channel.

import { quantity } from "../format.ts";
import { colors, dash as runDash, pale, series } from "../palette.ts";
import type { RunData } from "../types.ts";
import { valueAt } from "./search.ts";
import { channel, isNoise, isNothing, sizeOf, unitOf } from "./spec.ts";

export interface Curve {
  key: string;
  run: RunData;
  channel: string;
  label: string;
  unit: string;
  values: Float64Array;
  color: () => string;
  /** Place in the palette, for figures. */
  place: number;
  dash: number[];
  width: number;
  /** On the axis at the right. */
  right: boolean;
  ideal: boolean;
}

const CHANNEL_DASHES = [[], [6, 3], [1.5, 2.5], [6, 2.5, 1.5, 2.5]];

/** Runs that are drawn; the ideal mechanism first, behind the others. */
export function drawn(runs: RunData[]): RunData[] {
  const visible = runs.filter((run) => run.visible);
  return [...visible.filter((run) => run.role === "ideal"), ...visible.filter((run) => run.role !== "ideal")];
}

export function curvesOf(runs: RunData[], left: string[], right: string[] = []): Curve[] {
  const names = [...left, ...right];
  const shown = drawn(runs);
  const several = shown.filter((run) => run.role !== "ideal").length > 1;
  const curves: Curve[] = [];
  const solid = shown.filter((run) => run.role !== "ideal");
  for (const run of shown) {
    const ideal = run.role === "ideal";
    names.forEach((name, i) => {
      const values = channel(run, name);
      if (
        !values ||
        (ideal &&
          (isNothing(values) ||
            right.includes(name) ||
            isNoise(
              values,
              solid.map((r) => channel(r, name)),
            )))
      )
        return;
      const place = ideal ? 6 : several || names.length === 1 ? run.color : i;
      const byChannel = several && names.length > 1 ? CHANNEL_DASHES[i % 4] : runDash(place);
      const who = several ? (names.length > 1 ? `${name} · ${run.label}` : run.label) : name;
      curves.push({
        key: `${run.id}/${name}`,
        run,
        channel: name,
        label: ideal ? idealLabel(names, name, run) : who,
        unit: unitOf([run], name),
        values,
        place,
        color: ideal ? () => colors().soft : run.outdated ? () => pale(series(place)) : () => series(place),
        dash: ideal ? [5, 4] : byChannel,
        width: ideal ? 1.2 : 1.5,
        right: right.includes(name) && !left.includes(name),
        ideal,
      });
    });
  }
  return curves;
}

function idealLabel(names: string[], name: string, run: RunData): string {
  return names.length > 1 ? `${name} · ${run.label}` : run.label;
}

/** In the order of a legend: the ideal mechanism last. */
export function named(curves: Curve[]): Curve[] {
  return [...curves.filter((curve) => !curve.ideal), ...curves.filter((curve) => curve.ideal)];
}

/** Value at a time; rounding errors of a channel are 0. */
export function shownValue({ run, values, unit }: Curve, t: number): string {
  const value = valueAt(run.times, values, t);
  return quantity(Math.abs(value) < 1e-11 * sizeOf(values) ? 0 : value, unit);
}

/** The label of an axis: the channel, or what its channels have in common. */
export function axisName(names: string[]): string {
  const unique = [...new Set(names)];
  if (unique.length <= 1) return unique[0] ?? "";
  const last = new Set(unique.map((name) => name.slice(name.lastIndexOf(".") + 1)));
  const first = new Set(unique.map((name) => name.slice(0, name.lastIndexOf("."))));
  if (last.size === 1) return [...last][0];
  if (unique.some((name) => name.startsWith("energy."))) return "energy";
  return first.size === 1 ? [...first][0] : "";
}
