// Samples: how metrics are distributed, and how they depend on each key.

import { number } from "../format.ts";
import type { Pair } from "../types.ts";
import type { Making } from "./card.ts";
import { type Column, keyColumns, SEED, type Study } from "./data.ts";
import { Histogram } from "./histogram.ts";
import { type Line, Lines, type Rule, type Said, told } from "./lines.ts";
import { keyAxis } from "./motions.ts";
import { rowSaid } from "./sweepview.ts";

/** Points of a cumulative curve. */
const STEPS = 2000;

/** Percentiles and limits of a metric. */
export function rulesOf({ findings }: Study, metric: string): Rule[] {
  const of = findings.metrics[metric];
  const percentiles: [string, number | null | undefined][] = [
    ["5 %", of?.p05],
    ["50 %", of?.p50],
    ["95 %", of?.p95],
  ];
  const rules: Rule[] = percentiles.flatMap(([label, at]) =>
    at === null || at === undefined ? [] : [{ axis: "x" as const, at, label }],
  );
  for (const limit of findings.limits ?? []) {
    if (limit.metric !== metric) continue;
    const share = limit.probability === undefined ? "" : `: exceeded in ${number(100 * limit.probability, 3)} %`;
    rules.push({
      axis: "x",
      at: limit.value,
      label: `${limit.upper ? "<" : ">"} ${number(limit.value, 4)}${share}`,
      strong: true,
    });
  }
  return rules;
}

/** Rows with a result, by the size of the metric. */
export function ranking(values: Float64Array): Uint32Array {
  const rows = Uint32Array.from(Array.from(values.keys()).filter((row) => Number.isFinite(values[row])));
  return rows.sort((a, b) => values[a] - values[b] || a - b);
}

export function sampleCards(study: Study, metric: string): Making[] {
  const { table } = study;
  const column = table.column(metric);
  if (!column) return [];
  const { values, unit } = column;
  const rules = rulesOf(study, metric);
  const foot = (row: number): Pair | null => (Number.isFinite(values[row]) ? [values[row], 0] : null);
  const bars = new Histogram(`Distribution of ${metric}`, metric, values, unit, rules, foot);
  return [
    { id: `histogram-${metric}`, content: bars, size: "tall" },
    { id: `cumulative-${metric}`, content: cumulative(study, column, rules), size: "tall" },
    ...scatterCards(study, metric),
  ];
}

function cumulative(study: Study, { name: metric, values, unit }: Column, rules: Rule[]): Lines {
  const all = ranking(values);
  const n = all.length;
  const some = Array.from({ length: Math.min(n, STEPS) }, (_, i) =>
    n <= STEPS ? i : Math.round((i * (n - 1)) / (STEPS - 1)),
  );
  const line: Line = {
    key: metric,
    label: metric,
    color: 0,
    x: some.map((i) => values[all[i]]),
    y: some.map((i) => (i + 1) / n),
    rows: some.map((i) => all[i]),
    style: "steps",
  };
  const said = (of: Line, i: number): Said => ({
    title: told(metric, of.x[i]),
    lines: [`${number(100 * of.y[i], 4)} % of all runs do not exceed this`, rowSaid(study, of.rows![i]).title],
  });
  const x = { name: metric, unit, log: false };
  const y = { name: "share of runs", unit: "", log: false };
  return new Lines(`Cumulative distribution of ${metric}`, [line], x, y, said, rules, { y: [0, 1.02] });
}

/** A metric over each key, and over the clearance of each fit. */
export function scatterCards(study: Study, metric: string): Making[] {
  const { table, findings } = study;
  const column = table.column(metric);
  if (!column) return [];
  const { values, unit } = column;
  const fits = Object.keys(findings.fits ?? {}).flatMap((key) => {
    const column = table.column(key);
    return column ? [{ key, column }] : [];
  });
  const said = (of: Line, i: number) => rowSaid(study, of.rows![i]);
  return [...fits, ...keyColumns(study)]
    .filter(({ key }) => key !== SEED)
    .map(({ key, column }) => {
      const line: Line = {
        key: metric,
        label: metric,
        color: 0,
        x: column.values,
        y: values,
        rows: Uint32Array.from(values.keys()),
        style: "points",
      };
      const limits = rulesOf(study, metric).filter(({ strong }) => strong);
      const rules = limits.map((rule): Rule => ({ ...rule, axis: "y" }));
      const y = { name: metric, unit, log: false };
      const content = new Lines(`${metric} over ${key}`, [line], keyAxis(key, column), y, said, rules);
      return { id: `scatter-${metric}-${key}`, content, size: "tall" as const };
    });
}
