// Menus of channels.

import { h } from "../dom.ts";
import { prettyUnit } from "../format.ts";
import type { RunData } from "../types.ts";
import { pickable, unitOf } from "./spec.ts";

/** Channels by part; those that the model file asks for first. */
export function picker(run: RunData, value: string, empty: string | null): HTMLSelectElement {
  const { asked, others } = pickable(run);
  const select = h<HTMLSelectElement>("select");
  if (empty !== null) select.append(h("option", { value: "" }, empty));
  const option = (name: string) => {
    const unit = prettyUnit(unitOf([run], name));
    return h("option", { value: name, selected: name === value }, unit ? `${name} (${unit})` : name);
  };
  const group = (label: string, names: string[]) => {
    if (names.length > 0) select.append(h("optgroup", { label }, ...names.map(option)));
  };
  group("recorded by the model", asked);
  const parts = new Map<string, string[]>();
  for (const name of others) {
    const part = name.slice(0, name.lastIndexOf("."));
    parts.set(part, [...(parts.get(part) ?? []), name]);
  }
  for (const [part, names] of parts) group(part, names);
  return select;
}
