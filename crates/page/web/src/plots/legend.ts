// Series of a plot by name, colour and value; each can be switched off.

import { h } from "../dom.ts";
import type { Entry } from "./view.ts";

/** Keeps its buttons while only values change, which is at every frame. */
export class Legend {
  readonly element = h("div.plot-legend", { role: "group", "aria-label": "Series" });
  readonly hidden = new Set<string>();
  #values: HTMLElement[] = [];
  #shape = "";

  constructor(private changed: (hidden: Set<string>) => void) {}

  show(entries: Entry[]): void {
    const shape = JSON.stringify(
      entries.map(({ key, label, color, dash, marker }) => [key, label, color, dash, marker]),
    );
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#build(entries);
    }
    entries.forEach(({ value }, i) => {
      if (this.#values[i].textContent !== value) this.#values[i].textContent = value;
    });
  }

  #build(entries: Entry[]): void {
    this.#values = [];
    this.element.replaceChildren(
      ...entries.map((entry) => {
        const value = h("span.plot-value");
        this.#values.push(value);
        const button = h(
          "button.plot-series",
          {
            type: "button",
            "data-testid": "series",
            "data-series": entry.key,
            title: "Show or hide",
            "aria-pressed": String(!this.hidden.has(entry.key)),
            onclick: () => {
              if (!this.hidden.delete(entry.key)) this.hidden.add(entry.key);
              button.setAttribute("aria-pressed", String(!this.hidden.has(entry.key)));
              this.changed(this.hidden);
            },
          },
          swatch(entry),
          h("span.plot-label", {}, entry.label),
          value,
        );
        return button;
      }),
    );
  }
}

function swatch({ color, dash, marker }: Entry): HTMLElement {
  const holder = h("span.plot-swatch", { "aria-hidden": "true" });
  const mark = marker
    ? `<circle cx="10" cy="4" r="3.2" fill="${color}"/>`
    : `<line x1="0" y1="4" x2="20" y2="4" stroke="${color}" stroke-width="2.4" stroke-dasharray="${dash.join(" ")}"/>`;
  holder.innerHTML = `<svg width="20" height="8" viewBox="0 0 20 8">${mark}</svg>`;
  return holder;
}
