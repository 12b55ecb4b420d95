// The tables of a study as the page keeps them.

import type { Findings, Ref, StudyView, TableView } from "../generated.ts";
import { type Container, decode, embedded } from "../payload.ts";

export interface Column {
  name: string;
  /** SI unit of its numbers; "SI" where it is not known. */
  unit: string;
  /** Numbers, NaN where there is none; places among the words of a column of texts. */
  values: Float64Array;
  words: string[] | null;
}

export class Table {
  readonly #byName: Map<string, Column>;

  constructor(
    readonly rows: number,
    readonly columns: Column[],
  ) {
    this.#byName = new Map(columns.map((column) => [column.name, column]));
  }

  column(name: string): Column | null {
    return this.#byName.get(name) ?? null;
  }

  /** Number or text of a cell; null where there is none. */
  cell(row: number, name: string): number | string | null {
    const column = this.column(name);
    if (!column || row >= this.rows) return null;
    const value = column.values[row];
    if (column.words) return column.words[value] ?? null;
    return Number.isNaN(value) ? null : value;
  }
}

export interface Study {
  findings: Findings;
  /** The runs, or the points of a bifurcation diagram. */
  table: Table;
  section: Table | null;
  /** Amplitudes over parameter and order. */
  spectra: Table | null;
  /** Means and scatter of a sweep with repeats. */
  points: Table | null;
  /** Measured data and model side by side. */
  overlay: Table | null;
  /** Whether each run starts where the previous one ended. */
  continued: boolean;
  /** If they do, the state in which each row started, as a file of the model; null is the start that the model gives. */
  starts: (string | null)[];
}

export function studyOf({ payload, data }: Container<StudyView>): Study {
  const part = (ref: Ref) => data.subarray(ref.at, ref.at + ref.n);
  const { findings, section, spectra, points, overlay, continued, starts } = payload;
  const unitOf = (name: string) => {
    // Columns of scatter are called after their metric.
    const known = name === "parameter" ? findings.keys[0] : name.replace(/\.(std|from|to)$/, "");
    return findings.units?.[known] ?? "SI";
  };
  const table = ({ rows, columns }: TableView) =>
    new Table(
      rows,
      columns.map(({ name, words, values }) => ({ name, unit: unitOf(name), words, values: part(values) })),
    );
  return {
    findings,
    table: table(payload.table),
    section: section ? table(section) : null,
    spectra: spectra ? table(spectra) : null,
    points: points ? table(points) : null,
    overlay: overlay ? table(overlay) : null,
    continued,
    starts,
  };
}

/** The study that the page carries; null if there is none. */
export async function carried(): Promise<Study | null> {
  const bytes = await embedded("study-data");
  return bytes ? studyOf(decode<StudyView>(bytes)) : null;
}

/** The key that chooses among starts that are slightly apart. */
export const SEED = "start.seed";

/** Columns of the varied keys in the table, by key; a bifurcation diagram calls its only one `parameter`. */
export function keyColumns({ findings, table }: Study): { key: string; column: Column }[] {
  return findings.keys.flatMap((key) => {
    const column = table.column(findings.kind === "bifurcation" ? "parameter" : key);
    return column ? [{ key, column }] : [];
  });
}

/** Why a row has no result; null if it has one. */
export function failure({ table, findings }: Study, row: number): string | null {
  const said = table.cell(row, findings.kind === "bifurcation" ? "why" : "outcome");
  return typeof said === "string" && said.startsWith("failed: ") ? said.slice("failed: ".length) : null;
}

/** How many different values a column has. */
export function distinct({ values }: Column): number {
  return new Set(values).size;
}

/** Whether the points fill the space of the keys as samples do, so that no two of them share a value. */
export function sampled(study: Study): boolean {
  const { kind } = study.findings;
  if (kind === "tolerance" || kind === "sensitivity") return true;
  const numeric = keyColumns(study).filter(({ key, column }) => key !== SEED && !column.words);
  return numeric.length > 1 && numeric.every(({ column }) => distinct(column) > 0.9 * study.table.rows);
}

/** Equal ratios between at least three different positive values, and not equal steps. */
export function logarithmic(values: Float64Array): boolean {
  const sorted = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (sorted.length < 3 || !(sorted[0] > 0)) return false;
  const even = (list: number[]) => {
    const steps = list.slice(1).map((value, i) => value - list[i]);
    return Math.max(...steps) < 1.05 * Math.min(...steps);
  };
  return even(sorted.map(Math.log)) && !even(sorted);
}
