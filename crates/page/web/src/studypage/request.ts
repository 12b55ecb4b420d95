// A point of a study as a run of the page's engine.

import { number } from "../format.ts";
import type { Boot, RunData, RunRequest } from "../types.ts";
import { keyColumns, type Study } from "./data.ts";

/** Statistics of contacts that every run has. */
const OF_CONTACTS = /^([\w-]+)\.([a-z_]+)$/;
/** Metrics of the model file. */
const NAMED = /^[A-Za-z_][\w-]*$/;

/** The file of the state from which a row starts. */
const STATE = "start.json";

/** What the keys of a row are set to. */
export function settings(study: Study, row: number): [string, string][] {
  return keyColumns(study).flatMap(({ key, column }): [string, string][] => {
    const value = column.values[row];
    if (column.words) return [[key, column.words[value]]];
    return Number.isNaN(value) ? [] : [[key, String(value)]];
  });
}

/** The run of a row: the model of the study, of its case where cases are varied, with the keys of the row. */
export function requestOf(study: Study, row: number, models: Boot["models"]): RunRequest {
  let [{ name, text, tables }] = models;
  let law: string | null = null;
  const sets: [string, string][] = [];
  for (const [key, value] of settings(study, row)) {
    if (key === "law") law = value;
    else if (key === "case") ({ name, text, tables } = models.find((model) => model.title === value) ?? models[0]);
    else sets.push([key, value]);
  }
  const start = study.starts[row];
  if (start) {
    tables = { ...tables, [STATE]: start };
    sets.push(["start.state", STATE]);
  }
  return { name, text, tables, sets, law, ideal: false };
}

/** Name under which a run of the page computes the metric; null if every run has it. */
const own = (study: Study, metric: string): string | null =>
  NAMED.test(metric) || OF_CONTACTS.test(metric) ? null : `study_${study.findings.measured.indexOf(metric)}`;

/** The same run, which also computes the formulas of the study. */
export function measuring(study: Study, request: RunRequest): RunRequest {
  if (study.findings.kind === "bifurcation") return request;
  const formulas = study.findings.measured.flatMap((metric) => {
    const name = own(study, metric);
    return name === null ? [] : [`\n[metrics.${name}]\nvalue = ${JSON.stringify(metric)}\n`];
  });
  return { ...request, text: [request.text, ...formulas].join("") };
}

/** A metric of the study in a run of the page; null where it has none. */
export function measured(study: Study, run: RunData, metric: string): number | null {
  const { contacts, metrics } = run.payload.summary;
  const known = metrics?.[own(study, metric) ?? metric];
  if (known !== undefined) return known;
  const [, joint, what] = OF_CONTACTS.exec(metric) ?? [];
  const contact = joint === undefined ? undefined : contacts[joint];
  if (!contact) return null;
  if (what === "loss") return (contact.loss_normal ?? 0) + (contact.loss_friction ?? 0);
  const value: unknown = (contact as Record<string, unknown>)[what];
  return typeof value === "number" ? value : null;
}

/** `drivers.motor.speed` -> `motor.speed`. */
export const shortKey = (key: string): string => key.replace(/^[^.]+\.(?=[^.]+\.)/, "");

/** `motor.speed = 300, pin.clearance = 0.001`. */
export function labelOf(study: Study, row: number): string {
  return keyColumns(study)
    .map(({ key, column }) => {
      const value = column.values[row];
      return `${shortKey(key)} = ${column.words ? column.words[value] : number(value, 6)}`;
    })
    .join(", ");
}
