// A bifurcation diagram with the class of each motion and its exponent on the same axis.

import type { Making } from "./card.ts";
import type { Link } from "./chart.ts";
import type { Study } from "./data.ts";
import { Diagram } from "./diagram.ts";
import { Heat } from "./heat.ts";
import { type Line, Lines, type Rule } from "./lines.ts";
import { firsts, keyAxis, motion } from "./motions.ts";
import { Strip } from "./strip.ts";

export function diagramCards(study: Study): Making[] {
  const { findings, table, section } = study;
  const link: Link = { x: null, charts: [] };
  const cards: Making[] = [];
  if (section) {
    const first = firsts(table, section);
    for (const channel of findings.measured) {
      const content = new Diagram(channel, study, channel, first);
      cards.push({ id: `diagram-${channel}`, content, size: "high", note: content.said, link });
    }
  }
  cards.push({ id: "class", content: new Strip(study), size: "strip", link, plain: true });
  cards.push({
    id: "lyapunov",
    content: exponents(study),
    size: "wide",
    note: "per second, with its 95 % interval",
    link,
  });
  for (const metric of Object.keys(findings.metrics)) {
    const unit = table.column(metric)?.unit ?? "";
    const content = overKey(study, metric, [metric], unit, {}, []);
    cards.push({ id: `metric-${metric}`, content, size: "wide", note: "over the section", link });
  }
  return [...cards, ...spectra(study)];
}

/** Amplitudes this many decades below the greatest are drawn as the least. */
const DECADES = 6;

/** The spectrum of each channel over the key, one map for each way. */
function spectra(study: Study): Making[] {
  const { findings, table, spectra: lines } = study;
  const [parameter, direction, order] = ["parameter", "direction", "order"].map((name) => lines?.column(name));
  if (!lines || !parameter || !direction || !order || parameter.words) return [];
  const rowOf = new Map(
    Array.from({ length: table.rows }, (_, row) => [
      `${table.cell(row, "direction")} ${table.cell(row, "parameter")}`,
      row,
    ]),
  );
  return (direction.words ?? []).flatMap((way, code) => {
    const members = Array.from(direction.values.keys()).filter((i) => direction.values[i] === code);
    const pick = (values: Float64Array) => Float64Array.from(members, (i) => values[i]);
    const side = (name: string, unit: string, values: Float64Array) => ({
      key: name,
      column: { name, unit, words: null, values },
    });
    const x = side(findings.keys[0], parameter.unit, pick(parameter.values));
    const y = side("order of the drive", "", pick(order.values));
    return findings.measured.flatMap((channel): Making[] => {
      const amplitude = lines.column(channel);
      if (!amplitude) return [];
      const values = pick(amplitude.values);
      const most = values.reduce((a, b) => Math.max(a, b), 0);
      const decades = values.map((a) => Math.log10(Math.max(a, most * 10 ** -DECADES, Number.MIN_VALUE)));
      const at = (i: number) => rowOf.get(`${way} ${x.column.values[i]}`) ?? 0;
      const title = `Spectrum of ${channel}${direction.words!.length > 1 ? `, ${way}` : ""}`;
      const said = (row: number) => motion(study, row);
      const content = new Heat(title, `log₁₀ of the amplitude of ${channel}`, decades, "", x, y, at, said);
      return [{ id: `spectrum-${way}-${channel}`, content, size: "tall", extra: content.bar() }];
    });
  });
}

/** Columns of the table over the key, one line for each way. */
function overKey(
  study: Study,
  title: string,
  [value, low, high]: string[],
  unit: string,
  style: Partial<Line>,
  rules: Rule[],
): Lines {
  const { table, findings } = study;
  const parameter = table.column("parameter")!;
  const direction = table.column("direction")!;
  const lines = (direction.words ?? []).map((way, code): Line => {
    const rows = Array.from(direction.values.keys()).filter((row) => direction.values[row] === code);
    rows.sort((a, b) => parameter.values[a] - parameter.values[b]);
    const of = (name: string) => Float64Array.from(rows, (row) => table.column(name)!.values[row]);
    return {
      key: way,
      label: way,
      color: way === "down" ? 1 : 0,
      x: Float64Array.from(rows, (row) => parameter.values[row]),
      y: of(value),
      ...(low && high ? { low: of(low), high: of(high) } : {}),
      rows,
      style: "both",
      ...style,
    };
  });
  const axis = keyAxis(findings.keys[0], parameter);
  const said = (line: Line, i: number) => motion(study, line.rows![i]);
  return new Lines(title, lines, axis, { name: value, unit, log: false }, said, rules, { x: axis.range });
}

/** The exponent over the key with its interval. */
function exponents(study: Study): Lines {
  const columns = ["lyapunov", "lyapunov_low", "lyapunov_high"];
  const zero: Rule[] = [{ axis: "y", at: 0, label: "" }];
  return overKey(study, "Lyapunov exponent", columns, "1/s", { spread: "band" }, zero);
}
