// Metrics over the keys of a sweep: a map of two keys, or lines over one of them.

import { h } from "../dom.ts";
import { number } from "../format.ts";
import type { Making } from "./card.ts";
import { type Column, failure, keyColumns, SEED, type Study, type Table } from "./data.ts";
import { Heat } from "./heat.ts";
import { type Line, Lines, type Said, told } from "./lines.ts";
import { keyAxis } from "./motions.ts";
import { labelOf, shortKey } from "./request.ts";

/** Lines that can be told apart. */
const MOST = 12;
export const MAP = "(map)";

/** Keys and metrics of a row, or why it failed. */
export function rowSaid(study: Study, row: number): Said {
  const failed = failure(study, row);
  const lines = study.findings.measured.map((metric) => told(metric, study.table.cell(row, metric)));
  return { title: labelOf(study, row), lines: failed === null ? lines : [`no result: ${failed}`] };
}

/** The points of a sweep: its runs, or with repeats their means; and the row of the table that stands for each. */
interface Points {
  table: Table;
  keys: { key: string; column: Column }[];
  rowOf: (i: number) => number;
}

function pointsOf(study: Study): Points {
  const keys = keyColumns(study).filter(({ key }) => key !== SEED);
  const { table, points } = study;
  if (!points) return { table, keys, rowOf: (i) => i };
  const text = (of: Table, i: number) => JSON.stringify(keys.map(({ key }) => of.cell(i, key)));
  const first = new Map<string, number>();
  for (let row = table.rows - 1; row >= 0; row--) first.set(text(table, row), row);
  const own = keys.flatMap(({ key }) => {
    const column = points.column(key);
    return column ? [{ key, column }] : [];
  });
  return { table: points, keys: own, rowOf: (i) => first.get(text(points, i)) ?? 0 };
}

/** What the metrics can be drawn over. */
export function choices(study: Study): string[] {
  const { keys } = pointsOf(study);
  const varied = keys.filter(({ column }) => column.words !== null || new Set(column.values).size > 1);
  const over = (varied.length > 0 ? varied : keys).map(({ key }) => key);
  return varied.length === 2 && varied.every(({ column }) => !column.words) ? [MAP, ...over] : over;
}

/** What to begin with: the map, else the number with most values. */
export function firstChoice(study: Study): string {
  const all = choices(study);
  if (all[0] === MAP) return MAP;
  const { keys } = pointsOf(study);
  const size = (name: string) => {
    const column = keys.find(({ key }) => key === name)?.column;
    return !column ? 0 : column.words ? -1 / column.words.length : new Set(column.values).size;
  };
  return all.reduce((best, key) => (size(key) > size(best) ? key : best), all[0] ?? "");
}

export function sweepCards(study: Study, over: string): Making[] {
  return study.findings.measured.flatMap((metric) => (over === MAP ? map(study, metric) : curves(study, metric, over)));
}

function map(study: Study, metric: string): Making[] {
  const { table, keys, rowOf } = pointsOf(study);
  const column = table.column(metric);
  const [y, x] = keys.filter(({ column }) => new Set(column.values).size > 1);
  if (!column || !x || !y) return [];
  const said = (row: number) => rowSaid(study, row);
  const content = new Heat(metric, metric, column.values, column.unit, x, y, rowOf, said);
  return [{ id: `map-${metric}`, content, size: "tall", extra: content.bar() }];
}

/** What the bars are, and how many pairs of points they leave apart. */
function scatterNote({ findings }: Study, metric: string): string {
  const share = findings.indistinguishable?.[metric];
  const pairs = share ? `, ${number(100 * share, 3)} % of all pairs of points indistinguishable` : "";
  return `mean ± standard deviation${pairs}`;
}

function curves(study: Study, metric: string, over: string): Making[] {
  const { table, keys, rowOf } = pointsOf(study);
  const across = keys.find(({ key }) => key === over)?.column;
  const column = table.column(metric);
  if (!across || !column) return [];
  const { values, unit } = column;
  const others = keys.filter(({ key, column }) => key !== over && new Set(column.values).size > 1);
  const label = (i: number) =>
    others
      .map(({ key, column: { words, values: of } }) => `${shortKey(key)} = ${words ? words[of[i]] : number(of[i], 4)}`)
      .join(", ");
  const groups = new Map<string, number[]>();
  for (let i = 0; i < table.rows; i++) {
    const group = groups.get(label(i));
    if (group) group.push(i);
    else groups.set(label(i), [i]);
  }
  const many = groups.size > MOST;
  const [std, count] = ["std", "count"].map((what) => table.column(`${metric}.${what}`)?.values);
  const line = (label: string, members: number[], color: number): Line => {
    const order = [...members].sort((a, b) => across.values[a] - across.values[b]);
    const of = (value: (i: number) => number) => Float64Array.from(order, value);
    const scatter = std && {
      low: of((i) => values[i] - std[i]),
      high: of((i) => values[i] + std[i]),
      spread: "bars" as const,
    };
    return {
      key: label,
      label,
      color,
      x: of((i) => across.values[i]),
      y: of((i) => values[i]),
      rows: order.map(rowOf),
      style: many || across.words ? "points" : "both",
      ...scatter,
    };
  };
  const all = Array.from({ length: table.rows }, (_, i) => i);
  const lines = many
    ? [line(metric, all, 0)]
    : [...groups].map(([name, members], place) => line(name || metric, members, place));
  const said = (of: Line, i: number): Said => {
    const row = of.rows![i];
    const at = std ? all.find((point) => rowOf(point) === row) : undefined;
    if (at === undefined || !std) return rowSaid(study, row);
    const title = keys.map(({ key }) => told(shortKey(key), table.cell(at, key))).join(", ");
    const spread = `standard deviation ${number(std[at], 4)} of ${number(count?.[at])} runs`;
    const like = table.cell(at, `${metric}.indistinguishable`);
    const alike = typeof like === "number" && like > 0 ? [`indistinguishable from ${number(like)} other points`] : [];
    return { title, lines: [told(`mean ${metric}`, values[at]), spread, ...alike] };
  };
  const content = new Lines(metric, lines, keyAxis(over, across), { name: metric, unit, log: false }, said);
  return [{ id: `curve-${metric}`, content, size: "tall", note: std ? scatterNote(study, metric) : undefined }];
}

/** The menu of what metrics are drawn over. */
export function overMenu(study: Study, chosen: string, change: (over: string) => void): HTMLElement | null {
  const all = choices(study);
  if (all.length < 2) return null;
  const select = h<HTMLSelectElement>(
    "select",
    { "data-testid": "study-over", onchange: () => change(select.value) },
    ...all.map((key) =>
      h("option", { value: key, selected: key === chosen }, key === MAP ? "as a map of both keys" : `over ${key}`),
    ),
  );
  return h("label.inline", {}, "Metrics ", select);
}
