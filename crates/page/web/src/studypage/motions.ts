// The points of a bifurcation diagram: which instants of the section belong to which value, and what their motion is.

import { number } from "../format.ts";
import { colors, series } from "../palette.ts";
import type { Tick } from "../plots/ticks.ts";
import type { Pair } from "../types.ts";
import { type Column, logarithmic, type Study, type Table } from "./data.ts";
import { extent, roomy, type Said, told } from "./lines.ts";

/** First instant of each row of the table in the section, and at the end the number of instants. */
export function firsts(table: Table, section: Table): Uint32Array {
  const first = new Uint32Array(table.rows + 1);
  const words = (column: Column | null, at: number) => column?.words?.[column.values[at]] ?? column?.values[at];
  const same = (name: string, row: number, at: number) =>
    words(table.column(name), row) === words(section.column(name), at);
  const index = section.column("index")!.values;
  let at = 0;
  for (let row = 0; row < table.rows; row++) {
    first[row] = at;
    // A value that failed has no instants.
    if (at >= section.rows || !same("parameter", row, at) || !same("direction", row, at)) continue;
    do at++;
    while (at < section.rows && index[at] !== 0);
  }
  first[table.rows] = at;
  return first;
}

/** What is known of a motion, in words. */
export function motion({ table, findings }: Study, row: number): Said {
  const cell = (name: string) => table.cell(row, name);
  const period = cell("period");
  const exponent = cell("lyapunov");
  const [low, high] = [cell("lyapunov_low"), cell("lyapunov_high")];
  const interval =
    low === null || high === null ? "" : ` (${number(low as number, 4)} to ${number(high as number, 4)})`;
  return {
    title: `${told(findings.keys[0], cell("parameter"))}, ${cell("direction") ?? ""}`,
    lines: [
      `${cell("class") ?? ""}${period === null ? "" : `, period ${period}`}`,
      ...(exponent === null ? [] : [`exponent ${number(exponent as number, 4)} 1/s${interval}`]),
      ...String(cell("why") ?? "").split("; "),
    ].filter((line) => line !== ""),
  };
}

/** Horizontal axis of a key: its numbers, or its words side by side. */
export function keyAxis(
  name: string,
  column: Column,
): { name: string; unit: string; log: boolean; ticks?: Tick[]; range: Pair } {
  if (column.words) {
    const ticks = column.words.map((label, at) => ({ at, label }));
    return { name, unit: "", log: false, ticks, range: [-0.5, column.words.length - 0.5] };
  }
  const log = logarithmic(column.values);
  return { name, unit: column.unit, log, range: roomy(extent([column.values], log), log) };
}

export interface Kind {
  key: string;
  label: string;
  color: () => string;
}

const KINDS: Kind[] = [
  { key: "1", label: "period 1", color: () => series(0) },
  { key: "2", label: "period 2", color: () => series(4) },
  { key: "3", label: "period 3", color: () => series(2) },
  { key: "4", label: "period 4", color: () => series(5) },
  { key: "more", label: "longer period", color: () => colors().load },
  { key: "quasi-periodic", label: "quasi-periodic", color: () => series(3) },
  { key: "chaotic", label: "chaotic", color: () => series(1) },
  { key: "undecided", label: "undecided", color: () => colors().edge },
];

/** Class of a motion, with short periods told apart. */
export function kindOf({ table }: Study, row: number): Kind {
  const name = String(table.cell(row, "class") ?? "undecided");
  const period = table.cell(row, "period");
  const key =
    name === "periodic" ? (KINDS.some((kind) => kind.key === String(period)) ? String(period) : "more") : name;
  return KINDS.find((kind) => kind.key === key) ?? KINDS[KINDS.length - 1];
}

/** The classes that occur, in their order. */
export function kinds(study: Study): Kind[] {
  const found = new Set<Kind>();
  for (let row = 0; row < study.table.rows; row++) found.add(kindOf(study, row));
  return KINDS.filter((kind) => found.has(kind));
}
