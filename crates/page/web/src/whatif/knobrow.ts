// A number that can be turned: a slider and a field.

import { h } from "../dom.ts";
import { number } from "../format.ts";
import { fromSlider, said, scaleOfKnob, STEPS, toSlider } from "../knobs.ts";
import type { Knob } from "../types.ts";
import type { Choice } from "./choice.ts";

export function knobRow(knob: Knob, choice: Choice, changed: () => void): HTMLElement {
  const { factor, unit } = scaleOfKnob(knob);
  const id = `knob-${knob.key.replace(/[^\w-]+/g, "-")}`;
  const slider = h<HTMLInputElement>("input", {
    id,
    type: "range",
    min: 0,
    max: STEPS,
    step: 1,
    value: toSlider(knob, knob.value),
    "data-testid": "knob",
    "data-knob": knob.key,
    "data-what": knob.what,
    oninput: () => set(fromSlider(knob, Number(slider.value)), "slider"),
  });
  const field = h<HTMLInputElement>("input", {
    type: "text",
    inputmode: "decimal",
    value: plain(knob.value / factor),
    "aria-label": `${knob.label} in ${unit || "numbers"}`,
    "data-testid": "knob-number",
    onchange: () => {
      const value = Number(field.value.replace(",", ".").replace("\u2212", "-")) * factor;
      if (Number.isFinite(value) && field.value.trim() !== "") set(value, "field");
      else field.value = plain(choice.value(knob) / factor);
    },
  });
  slider.setAttribute("aria-valuetext", said(knob, knob.value));
  const name = h("label.name", { for: id }, knob.label, h("span.was", {}, `model: ${said(knob, knob.value)}`));
  const row = h("div.knob", {}, name, slider, h("span.number", {}, field, unit));
  const set = (value: number, from: "slider" | "field") => {
    choice.turn(knob, value);
    if (from === "slider") field.value = plain(value / factor);
    else slider.value = String(toSlider(knob, value));
    slider.setAttribute("aria-valuetext", said(knob, value));
    row.classList.toggle("changed", choice.turned(knob));
    changed();
  };
  return row;
}

/** As typed: no thin spaces, no powers of ten unless needed. */
function plain(value: number): string {
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) return String(Number(value.toPrecision(4)));
  return number(value, 4)
    .replace(/\u202f/g, "")
    .replace("\u2212", "-");
}
