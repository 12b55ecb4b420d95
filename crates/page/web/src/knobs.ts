// Sliders of the what-if panel and the override of a law: plain functions.

import { quantity } from "./format.ts";
import type { CatalogueEntry, Knob } from "./types.ts";

export const STEPS = 1000;

export function toSlider(knob: Knob, value: number): number {
  const share = knob.log ? Math.log(value / knob.min) / Math.log(knob.max / knob.min) : (value - knob.min) / (knob.max - knob.min);
  return Math.round(STEPS * Math.min(1, Math.max(0, share)));
}

/** Value at a place of the slider, rounded to three digits; its own start is met exactly. */
export function fromSlider(knob: Knob, place: number): number {
  if (place === toSlider(knob, knob.value)) return knob.value;
  const share = place / STEPS;
  const value = knob.log ? knob.min * (knob.max / knob.min) ** share : knob.min + share * (knob.max - knob.min);
  const rounded = Number(value.toPrecision(3));
  return Math.min(knob.max, Math.max(knob.min, rounded));
}

/** Override of the model file: key = offset + factor · value. */
export function override(knob: Knob, value: number): [string, string] {
  return [knob.key, String(knob.offset + knob.factor * value)];
}

/** Parts that a law names: elastic, damping, friction. */
export interface LawParts { elastic: string | null; damping: string | null; friction: string | null }

const FAMILY: Record<CatalogueEntry["family"], keyof LawParts> = {
  point: "elastic", cylinder: "elastic", damping: "damping", plastic: "damping", friction: "friction",
};

/** Parts of the law of a run; none of several different ones. */
export function partsOf(law: string, catalogue: CatalogueEntry[]): LawParts {
  const parts: LawParts = { elastic: null, damping: null, friction: null };
  const laws = new Set(law.split(";").map((text) => text.trim().split(/[:\s]+/).pop() ?? ""));
  if (laws.size !== 1) return parts;
  for (const id of [...laws][0].split("+")) {
    const entry = catalogue.find((candidate) => candidate.id === id);
    if (entry) parts[FAMILY[entry.family]] = id;
  }
  return parts;
}

/** What `--law` takes; null where nothing is picked. An elastic law alone has no damping, so that it keeps its own. */
export function lawOverride(picked: LawParts, current: LawParts): string | null {
  if (!picked.elastic && !picked.damping && !picked.friction) return null;
  const damping = picked.damping ?? (picked.elastic ? current.damping : null);
  return [picked.elastic, damping, picked.friction].filter((part) => part !== null).join("+");
}

/** Short name of a changed run. */
export function describe(changes: { knob: Knob; value: number }[], law: string | null, edited: boolean): string {
  const said = changes.map(({ knob, value }) => `${knob.label} ${quantity(value, knob.unit)}`);
  if (law) said.unshift(law);
  if (edited) said.unshift("edited model");
  return said.length > 0 ? said.join(", ") : "as in the model";
}
