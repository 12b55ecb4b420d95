// What a study found, in words.

import { count, number, quantity } from "../format.ts";
import type { Capability, Findings, LimitFinding } from "../generated.ts";
import { axisScale } from "../plots/axes.ts";
import { failure, keyColumns, type Study } from "./data.ts";
import { searched } from "./searchview.ts";

const TITLES: Record<Findings["kind"], string> = {
  sweep: "Sweep",
  tolerance: "Tolerances",
  sensitivity: "Sensitivity",
  bifurcation: "Bifurcation diagram",
  optimise: "Optimisation",
  identify: "Identification",
};

export const titleOf = ({ kind }: Findings): string => TITLES[kind];

/** A sentence, and the row that it is about. */
export interface Sentence {
  text: string;
  row: number | null;
}

/** Values of the keys, such as `motor.speed: 10.5 to 52.4`. */
export function ranges(study: Study): { key: string; text: string }[] {
  return keyColumns(study).map(({ key, column }) => {
    if (column.words)
      return { key, text: column.words.slice(0, 6).join(", ") + (column.words.length > 6 ? ", …" : "") };
    const values = column.values.filter((value) => !Number.isNaN(value));
    const different = new Set(values).size;
    const [low, high] = [Math.min, Math.max].map((end) => values.reduce((a, b) => end(a, b), values[0] ?? NaN));
    const { factor, unit } = axisScale(Math.max(Math.abs(low), Math.abs(high)), column.unit);
    const [from, to] = [low, high].map((value) => number(value / factor, 6));
    const range = different < 2 ? from : `${from} to ${to}`;
    const known = unit === "" || unit === "-" ? "" : ` ${unit}`;
    return { key, text: `${range}${known}${different < 2 ? "" : `, ${number(different)} values`}` };
  });
}

export function sentences(study: Study): Sentence[] {
  const { findings, table } = study;
  const plain = (text: string): Sentence => ({ text, row: null });
  const said: Sentence[] = [];
  if (findings.runs < findings.points) {
    said.push(plain(`${number(findings.runs)} of ${number(findings.points)} points have been run.`));
  }
  if (findings.kind === "bifurcation") {
    const classes = Object.entries(findings.classes ?? {}).map(([name, n]) => `${number(n)} ${name}`);
    if (classes.length > 0) said.push(plain(`Motions: ${classes.join(", ")}.`));
  }
  const { objective, metric, maximise, rmse, comparison, law, notes } = searched(study);
  if (metric !== undefined) {
    said.push({
      text: `${maximise ? "Greatest" : "Least"} ${metric}: ${number(objective ?? null, 6)}.`,
      row: rowWith(study, metric, objective ?? NaN),
    });
  }
  if (rmse !== undefined) {
    const best = law ? ` of the law that fits best, ${law}` : "";
    const each = Object.entries(comparison ?? {}).map(
      ([channel, own]) => `${channel} ${quantity(own.rmse ?? NaN, own.unit === "-" ? "" : own.unit)}`,
    );
    said.push({
      text: `Root of the mean square of the residuals${best}: ${each.join(", ")}.`,
      row: rowWith(study, "rmse", rmse ?? NaN),
    });
  }
  for (const note of notes ?? []) said.push(plain(`${note}.`));
  for (const limit of findings.limits ?? []) said.push(plain(limited(limit)));
  for (const [metric, found] of Object.entries(findings.capability ?? {})) said.push(plain(capable(metric, found)));
  for (const [metric, worst] of Object.entries(findings.worst ?? {})) {
    const at = Object.entries(worst.at).map(
      ([key, value]) => `${key} = ${typeof value === "number" ? number(value, 6) : value}`,
    );
    const text = `Worst ${metric}: ${number(worst.value, 6)} at ${at.join(", ")}.`;
    said.push({ text, row: findings.runs === findings.points ? worst.point : rowWith(study, metric, worst.value) });
  }
  for (const [key, fit] of Object.entries(findings.fits ?? {})) {
    const [least, greatest] = fit.clearance.map((clearance) => quantity(clearance, "m"));
    const without =
      fit.without_clearance > 0
        ? `; no clearance with a probability of ${number(100 * fit.without_clearance, 4)} %`
        : "";
    said.push(plain(`${key} = ${fit.fit}: clearance on the diameter ${least} to ${greatest}${without}.`));
  }
  for (const [metric, share] of Object.entries(findings.indistinguishable ?? {})) {
    const percent = number(100 * share, 3);
    said.push(
      plain(
        `${metric}: ${percent} % of all pairs of points are indistinguishable: their scatter explains the difference.`,
      ),
    );
  }
  for (const [metric, used] of Object.entries(findings.samples_used ?? {})) {
    said.push(plain(`${metric}: ${count(used, "complete sample")}.`));
  }
  for (const { message, runs, first } of findings.warnings ?? []) {
    const counted = typeof runs === "number" ? ` in ${number(runs)} of ${count(findings.runs, "run")}` : "";
    said.push({ text: `Warning${counted}: ${message}`, row: typeof first === "number" ? first - 1 : null });
  }
  if (findings.failed > 0) {
    const row = Array.from({ length: table.rows }, (_, i) => i).find((i) => failure(study, i) !== null) ?? null;
    const why = row === null ? "" : `, the first because: ${failure(study, row)}`;
    said.push({ text: `${count(findings.failed, "run")} without a result${why}`, row });
  }
  return said;
}

/** Shards leave rows out, so that the number of a point is not that of its row. */
function rowWith({ table }: Study, metric: string, value: number): number | null {
  const at = table.column(metric)?.values.indexOf(value) ?? -1;
  return at < 0 ? null : at;
}

export function limited(limit: LimitFinding): string {
  const asked = `${limit.metric} ${limit.upper ? "<" : ">"} ${number(limit.value, 6)}`;
  if (limit.of === undefined) return `${asked}: no run has this metric.`;
  const [p, low, high] = [limit.probability, limit.low, limit.high].map((share) => number(100 * (share ?? NaN), 3));
  return `${asked}: exceeded in ${number(limit.count)} of ${number(limit.of)} runs, ${p} % (95 % interval ${low} to ${high} %).`;
}

/** C_p, if there are two limits, and C_pk. */
export function capable(metric: string, found: Capability): string {
  const index = (name: string, ...numbers: (number | null)[]) => {
    const [value, low, high] = numbers.map((x) => number(x, 3));
    return `${name} ${value} (95 % interval ${low} to ${high})`;
  };
  const cp = found.cp === null ? [] : [index("Cp", found.cp, found.cp_low, found.cp_high)];
  const all = [...cp, index("Cpk", found.cpk, found.cpk_low, found.cpk_high)];
  return `${metric}: process capability ${all.join(", ")}, if its distribution is normal.`;
}
