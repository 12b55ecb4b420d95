// "Add a plot": any channel over time, against another, its spectrum, a section.

import { h } from "../dom.ts";
import type { RunData } from "../types.ts";
import { picker } from "./picker.ts";
import { outputs } from "./presets.ts";
import { type Spec, unitOf } from "./spec.ts";

type Kind = "time" | "xy" | "spectrum" | "section";

let made = 0;

export function adder(run: RunData, add: (spec: Spec) => void): HTMLElement {
  const output = outputs(run)[0];
  const first = output?.position ?? run.payload.channels[0]?.name ?? "";
  const y = picker(run, output?.acceleration ?? first, null);
  const x = picker(run, first, null);
  const through = picker(run, "", run.payload.period === null ? null : "once per period");
  const level = h<HTMLInputElement>("input", {
    type: "number",
    value: 0,
    step: "any",
    "aria-label": "Level in SI units",
  });
  const kind = h<HTMLSelectElement>(
    "select",
    { "data-testid": "add-kind" },
    h("option", { value: "time" }, "over time"),
    h("option", { value: "xy" }, "against"),
    h("option", { value: "spectrum" }, "spectrum"),
    h("option", { value: "section" }, "Poincaré section with"),
  );
  y.setAttribute("data-testid", "add-y");
  x.setAttribute("data-testid", "add-x");
  const xField = h("label", {}, h("span", {}, "Horizontal channel"), x);
  const throughField = h("label", {}, h("span", {}, "Section where this channel crosses the level upwards"), through);
  const levelField = h("label", {}, h("span", {}, "Level (SI)"), level);
  const refresh = () => {
    const now = kind.value as Kind;
    xField.hidden = now === "time" || now === "spectrum";
    throughField.hidden = now !== "section";
    levelField.hidden = now !== "section" || through.value === "";
  };
  kind.addEventListener("change", refresh);
  through.addEventListener("change", refresh);
  refresh();
  const form = h<HTMLFormElement>(
    "form.plot-form",
    {
      "data-testid": "add-form",
      onsubmit: (event) => {
        event.preventDefault();
        const section = through.value === "" ? null : { channel: through.value, level: Number(level.value) || 0 };
        add(describe(run, kind.value as Kind, y.value, x.value, section));
        holder.open = false;
      },
    },
    h("label", {}, h("span", {}, "Channel"), y),
    h("label", {}, h("span", {}, "Shown"), kind),
    xField,
    throughField,
    levelField,
    h("button.primary", { type: "submit", "data-testid": "add-submit" }, "Add"),
  );
  const holder = h<HTMLDetailsElement>(
    "details.plot-add",
    {},
    h("summary", { "data-testid": "add-plot" }, "Add plot"),
    form,
  );
  return holder;
}

function describe(
  run: RunData,
  kind: Kind,
  y: string,
  x: string,
  through: { channel: string; level: number } | null,
): Spec {
  const id = `own-${++made}`;
  switch (kind) {
    case "time":
      return { kind, id, title: y, left: [y], right: [] };
    case "spectrum":
      return { kind, id, title: `Spectrum of ${y}`, channels: [y] };
    case "section":
      return { kind, id, title: `Section of ${x} and ${y}`, x, y, through, phase: 0 };
    case "xy":
      return {
        kind,
        id,
        title: `${y} against ${x}`,
        x,
        y,
        equal: unitOf([run], x) === "m" && unitOf([run], y) === "m",
        joint: null,
      };
  }
}
