// Which inputs decide: bars with their intervals, the longest first.

import { h } from "../dom.ts";
import { number } from "../format.ts";
import { csv } from "../plots/csv.ts";
import { plotMenu } from "../plots/menu.ts";
import { fileName, save } from "../save.ts";
import type { Findings, Indices, Swing } from "../generated.ts";

interface Bar {
  /** From where to where. */
  from: number;
  to: number;
  /** Interval. */
  low?: number | null;
  high?: number | null;
  color: string;
  name: string;
  text: string;
}

interface Row {
  key: string;
  bars: Bar[];
}

/** Keys of an object, those with the greatest number first; without a number last. */
export function ranked<T>(of: Record<string, T>, size: (value: T) => number | null): [string, T][] {
  const rank = (value: T) => size(value) ?? -Infinity;
  return Object.entries(of).sort(([a, x], [b, y]) => rank(y) - rank(x) || (a < b ? -1 : 1));
}

export function indexCard(findings: Findings, metric: string, of: Record<string, Indices>): HTMLElement {
  const rows = ranked(of, ({ total }) => total).map(([key, i]): Row => {
    const bar = (name: string, value: number | null, low: number | null, high: number | null, color: string): Bar => ({
      from: 0,
      to: value ?? 0,
      low,
      high,
      color,
      name,
      text: value === null ? "–" : `${number(value, 3)} (${number(low, 2)} to ${number(high, 2)})`,
    });
    return {
      key,
      bars: [
        bar("first", i.first, i.first_low, i.first_high, "var(--c0)"),
        bar("total", i.total, i.total_low, i.total_high, "var(--c1)"),
      ],
    };
  });
  const note = "first: alone; total: together with all others; lines: 95 % intervals";
  const table = [
    ["key", "first", "first_low", "first_high", "total", "total_low", "total_high"],
    ...ranked(of, ({ total }) => total).map(([key, i]) => [
      key,
      i.first,
      i.first_low,
      i.first_high,
      i.total,
      i.total_low,
      i.total_high,
    ]),
  ];
  return card(`Fraction of the variance of ${metric}`, note, `indices-${metric}`, rows, [0, 1], findings.model, table);
}

export function tornadoCard(findings: Findings, metric: string, of: Record<string, Swing>): HTMLElement {
  const order = ranked(of, ({ swing }) => (swing === null ? null : Math.abs(swing)));
  const rows = order.map(([key, s]): Row => {
    const middle = s.middle ?? 0;
    const end = (name: string, value: number | null, color: string): Bar => ({
      from: middle,
      to: value ?? middle,
      color,
      name,
      text: number(value, 5),
    });
    return { key, bars: [end("at 5 %", s.low, "var(--c0)"), end("at 95 %", s.high, "var(--c1)")] };
  });
  const ends = order.flatMap(([, s]) => [s.low, s.middle, s.high]).filter((value) => value !== null);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const middle = order[0]?.[1].middle ?? null;
  const note = `each key alone at its 5 % and 95 % point; in the middle ${number(middle, 5)}`;
  const table = [
    ["key", "low", "middle", "high", "swing"],
    ...order.map(([key, s]) => [key, s.low, s.middle, s.high, s.swing]),
  ];
  const span: [number, number] = high > low ? [low, high] : [low - 1, low + 1];
  return card(`Swing of ${metric}`, note, `swings-${metric}`, rows, span, findings.model, table);
}

function card(
  title: string,
  note: string,
  id: string,
  rows: Row[],
  [low, high]: [number, number],
  model: string,
  table: (string | number | null)[][],
): HTMLElement {
  const ends = rows.flatMap(({ bars }) => bars.flatMap((bar) => [bar.from, bar.to, bar.low ?? low, bar.high ?? high]));
  const [least, most] = [Math.min(low, ...ends), Math.max(high, ...ends)];
  const share = (value: number) => (100 * (value - least)) / (most - least);
  const names = rows[0]?.bars ?? [];
  const origin = names[0]?.from ?? 0;
  const columns = table[0].map((name, i) => ({
    name: String(name),
    unit: "-",
    values: table.slice(1).map((row) => row[i] ?? NaN),
  }));
  return h(
    "article.plot.wide",
    { "data-testid": "study-plot", "data-plot": id, "aria-label": title },
    h(
      "header.plot-head",
      {},
      h("h3", {}, title),
      h("span.quiet", {}, note),
      plotMenu(title, (act) => [
        act("Save CSV", "save-csv", () => save(`${fileName(model, id)}.csv`, csv(columns), "text/csv")),
      ]),
    ),
    h(
      "p.study-keys",
      {},
      ...names.map(({ name, color }) => h("span", {}, h("i", { style: `background:${color}` }), name)),
    ),
    h(
      "div.study-bars",
      { role: "list" },
      ...rows.map(({ key, bars }) =>
        h(
          "div.study-bar",
          { role: "listitem", "data-testid": "study-bar", "data-key": key },
          h("span.name", { title: key }, key),
          h("div.tracks", {}, h("u", { style: `left:${share(origin)}%` }), ...bars.map((bar) => track(bar, share))),
          h("div.values-said", {}, ...bars.map(({ text, name }) => h("span.num", { title: name }, text))),
        ),
      ),
    ),
  );
}

function track({ from, to, low, high, color, name }: Bar, share: (value: number) => number): HTMLElement {
  const [a, b] = [share(Math.min(from, to)), share(Math.max(from, to))];
  const whisker =
    low === null || high === null || low === undefined || high === undefined
      ? null
      : h("b", { style: `left:${share(low)}%;width:${share(high) - share(low)}%` });
  return h(
    "div.track-line",
    { "data-bar": name, "data-value": to },
    h("i", { style: `left:${a}%;width:${Math.max(0.2, b - a)}%;background:${color}` }),
    whisker,
  );
}
