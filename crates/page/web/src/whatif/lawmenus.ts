// Menus of laws: elastic, dissipation, friction.

import { h } from "../dom.ts";
import { type LawParts, partsOf } from "../knobs.ts";
import type { CatalogueEntry, RunData } from "../types.ts";
import type { Choice } from "./choice.ts";

interface Menu {
  label: string;
  part: keyof LawParts;
  groups: [string, CatalogueEntry["family"]][];
}

const MENUS: Menu[] = [
  {
    label: "Elastic law",
    part: "elastic",
    groups: [
      ["Point contact", "point"],
      ["Cylinders", "cylinder"],
    ],
  },
  {
    label: "Dissipation",
    part: "damping",
    groups: [
      ["Dissipation", "damping"],
      ["Permanent indentation", "plastic"],
    ],
  },
  { label: "Friction", part: "friction", groups: [["Friction", "friction"]] },
];

/** The menus for a run; none where nothing touches. */
export function lawMenus(
  base: RunData,
  catalogue: CatalogueEntry[],
  choice: Choice,
  changed: () => void,
): HTMLElement[] {
  if (catalogue.length === 0 || base.payload.scene.contacts.length === 0) return [];
  const current = partsOf(base.payload.law, catalogue);
  const entry = (id: string | null) => catalogue.find((law) => law.id === id);
  return MENUS.map(({ label, part, groups }) => {
    const now = current[part];
    const select = h<HTMLSelectElement>(
      "select",
      {
        "data-testid": `law-${part}`,
        title: entry(now)?.title ?? null,
        onchange: () => {
          choice.law = { ...choice.law, [part]: select.value || null };
          select.title = entry(select.value)?.summary ?? "";
          changed();
        },
      },
      h("option", { value: "" }, now ? `${entry(now)?.title ?? now} (current)` : "current"),
    );
    for (const [name, family] of groups) {
      const laws = catalogue.filter((law) => law.family === family);
      const options = laws.map((law) => h("option", { value: law.id, title: law.summary }, law.title));
      if (options.length > 0) select.append(h("optgroup", { label: name }, ...options));
    }
    return h("label", {}, label, select);
  });
}
