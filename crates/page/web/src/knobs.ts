// Sliders of the what-if panel and the override of a law: plain functions.

import { number, quantity, scaleOf } from "./format.ts";
import type { CatalogueEntry, Knob } from "./types.ts";

export const STEPS = 1000;

/** Unit that people use for this number: shown = value / factor. Speeds of shafts are turns per minute. */
export function scaleOfKnob(knob: Knob): { factor: number; unit: string } {
  if (knob.what === "speed" && knob.unit === "rad/s") return { factor: Math.PI / 30, unit: "rpm" };
  return scaleOf(knob.value || knob.range[1], knob.unit);
}

/** Value with its unit. */
export function said(knob: Knob, value: number): string {
  const { factor, unit } = scaleOfKnob(knob);
  return unit === "rpm" ? `${number(value / factor, 4)}\u00a0rpm` : quantity(value, knob.unit);
}

export function toSlider(knob: Knob, value: number): number {
  const [low, high] = knob.range;
  const share = knob.log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(STEPS * Math.min(1, Math.max(0, share)));
}

/** Value at a place of the slider, rounded to three digits of what is shown; its own start is met exactly. */
export function fromSlider(knob: Knob, place: number): number {
  if (place === toSlider(knob, knob.value)) return knob.value;
  const [low, high] = knob.range;
  const share = place / STEPS;
  const value = knob.log ? low * (high / low) ** share : low + share * (high - low);
  const { factor } = scaleOfKnob(knob);
  const rounded = Number((Number((value / factor).toPrecision(3)) * factor).toPrecision(15));
  return Math.min(high, Math.max(low, rounded));
}

/** Override of the model file: key = offset + factor · value, with its unit where it needs one. */
export function override(knob: Knob, value: number): [string, string] {
  const number = String(knob.offset + knob.factor * value);
  return [knob.key, knob.suffix === "" ? number : `${number} ${knob.suffix}`];
}

/** The entries of such a text that are not overrides: without `=`, key or value. */
export function strangeSets(text: string): string[] {
  return text
    .split(/[;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "" && parseSets(entry).length === 0);
}

/** `joints.pin.length = 15 mm; run.until = 1 s` as overrides; what has no `=` is left out. */
export function parseSets(text: string): [string, string][] {
  return text.split(/[;\n]/).flatMap((entry): [string, string][] => {
    const at = entry.indexOf("=");
    const [key, value] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    return at > 0 && key !== "" && value !== "" ? [[key, value]] : [];
  });
}

/** Parts that a law names: elastic, damping, friction. */
export interface LawParts {
  elastic: string | null;
  damping: string | null;
  friction: string | null;
}

const FAMILY: Record<CatalogueEntry["family"], keyof LawParts> = {
  point: "elastic",
  cylinder: "elastic",
  damping: "damping",
  plastic: "damping",
  friction: "friction",
};

/** Parts of the law of a run; none of several different ones. */
export function partsOf(law: string, catalogue: CatalogueEntry[]): LawParts {
  const parts: LawParts = { elastic: null, damping: null, friction: null };
  const laws = new Set(
    law.split(";").map(
      (text) =>
        text
          .trim()
          .split(/[:\s]+/)
          .pop() ?? "",
    ),
  );
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

const SYMBOL: Record<Knob["what"], string | null> = {
  parameter: null,
  clearance: "c",
  restitution: "e",
  friction: "μ",
  speed: null,
};

/** Name of a changed run: its law, as the engine gives it, and what was turned: `hertz+flores, c = 0.5 mm`. */
export function describe(
  law: string,
  changes: { knob: Knob; value: number }[],
  others: [string, string][],
  edited: boolean,
  knobs: Knob[] = [],
): string {
  const words = changes.map(({ knob, value }) => {
    const alone = knobs.filter(({ what }) => what === knob.what).length <= 1;
    const symbol = SYMBOL[knob.what];
    return `${symbol === null || (!alone && knob.joint === null) ? knob.label : alone ? symbol : `${symbol} of ${knob.joint}`} = ${said(knob, value)}`;
  });
  words.push(...others.map(([key, value]) => `${key.slice(key.lastIndexOf(".") + 1)} = ${value}`));
  if (edited) words.unshift("edited model");
  if (law) words.unshift(law);
  return words.join(", ");
}
