// A plot with its title, legend and menu.

import { h } from "../dom.ts";
import { helper } from "../engine.ts";
import { fileName, save } from "../save.ts";
import type { State } from "../types.ts";
import { csv } from "./csv.ts";
import { Legend } from "./legend.ts";
import { plotMenu } from "./menu.ts";
import { picker } from "./picker.ts";
import { ModesPlot } from "./modesplot.ts";
import type { Spec } from "./spec.ts";
import { TimePlot } from "./timeplot.ts";
import type { Shared, View } from "./view.ts";
import { XyPlot } from "./xyplot.ts";

let count = 0;

export class Card {
  readonly element: HTMLElement;
  #view: View;
  #legend: Legend;
  #area: HTMLElement;
  #said = h("p.plot-said", { role: "status", hidden: true });

  constructor(
    private shared: Shared,
    public spec: Spec,
    close: (card: Card) => void,
  ) {
    const id = `plot-title-${++count}`;
    this.#legend = new Legend((hidden) => this.#view.setHidden(hidden));
    const wide = spec.kind === "time" || spec.kind === "modes";
    this.#area = h(`div.plot-area.${wide ? "wide" : "tall"}`, {
      tabindex: 0,
      role: "group",
      "aria-labelledby": id,
      "data-testid": "plot-area",
      title: wide
        ? "Click: set the time. Drag: zoom. Shift-drag: pan. Wheel or + −: zoom (on the axis: vertical). Double-click or 0: show all"
        : "Click: jump to a point. Drag: zoom. Shift-drag: pan. Double-click or 0: show all",
    });
    this.element = h(
      `article.plot.${wide ? "wide" : "tall"}`,
      { "data-testid": "plot", "data-plot": spec.id, "aria-labelledby": id },
      h("header.plot-head", {}, h("h3", { id }, spec.title), this.#menu(close)),
      this.#legend.element,
      this.#options(),
      this.#area,
      this.#said,
    );
    this.#view = this.#make();
  }

  update(state: State, changed: Set<keyof State>): void {
    this.#view.update(state, changed);
  }
  recolor(): void {
    this.#view.recolor();
  }
  destroy(): void {
    this.#view.destroy();
    this.element.remove();
  }

  #make(): View {
    const legend = (entries: Parameters<Legend["show"]>[0]) => this.#legend.show(entries);
    const { spec } = this;
    switch (spec.kind) {
      case "time":
        return new TimePlot(this.#area, this.shared, spec, legend);
      case "modes":
        return new ModesPlot(this.#area, this.shared, legend);
      case "xy":
      case "section":
      case "spectrum":
        return new XyPlot(this.#area, this.shared, spec, legend, (text) => this.#say(text));
    }
  }

  /** Another content in the same place. */
  #become(spec: Spec): void {
    this.spec = spec;
    this.#view.destroy();
    const fresh = this.#area.cloneNode(false) as HTMLElement;
    this.#area.replaceWith(fresh);
    this.#area = fresh;
    this.#view = this.#make();
    this.#view.setHidden(this.#legend.hidden);
  }

  #options(): HTMLElement | null {
    const { spec } = this;
    if (spec.kind !== "section" || spec.through) return null;
    const input = h<HTMLInputElement>("input", {
      type: "range",
      min: 0,
      max: 0.99,
      step: 0.01,
      value: spec.phase,
      "aria-label": "Phase of the section, in periods",
      title: "Phase of the section",
      oninput: () => {
        this.spec = { ...spec, phase: Number(input.value) };
        if (this.#view instanceof XyPlot) this.#view.setSpec(this.spec);
        shown.textContent = `${Number(input.value).toFixed(2)} T`;
      },
    });
    const shown = h("output", {}, `${spec.phase.toFixed(2)} T`);
    return h("label.plot-option", {}, "phase ", input, shown);
  }

  #menu(close: (card: Card) => void): HTMLElement {
    const { spec } = this;
    return plotMenu(spec.title, (act, menu) => {
      const cut = act("Hide short peaks", "plot-cut", () => {
        if (this.#view instanceof TimePlot) cut.setAttribute("aria-pressed", String(this.#view.cutPeaks()));
      });
      cut.setAttribute("aria-pressed", "false");
      const items: (HTMLElement | null)[] = [
        act("Zoom in", "plot-zoom-in", () => this.#view.zoom(0.5)),
        act("Zoom out", "plot-zoom-out", () => this.#view.zoom(2)),
        act("Show all", "plot-reset", () => this.#view.reset()),
        spec.kind === "time" ? cut : null,
        h("hr"),
        act("Save SVG", "save-svg", () => this.#figure("svg")),
        act("Save PNG", "save-png", () => this.#figure("png")),
        act("Save CSV", "save-csv", () => this.#saving("table", "csv", "text/csv", () => csv(this.#view.columns()))),
        h("hr"),
        act("Close", "plot-close", () => close(this)),
      ];
      if (spec.kind === "time" || spec.kind === "spectrum")
        items.unshift(
          this.#adder(spec, () => (menu.open = false)),
          h("hr"),
        );
      return items;
    });
  }

  #adder(spec: Extract<Spec, { kind: "time" | "spectrum" }>, done: () => void): HTMLElement {
    const holder = h("label.plot-adder", {}, "Add ");
    const run = this.shared.store.state.runs.find((r) => r.role !== "ideal");
    if (!run) return holder;
    const select = picker(run, "", "a channel…");
    select.setAttribute("data-testid", "plot-add-channel");
    select.addEventListener("change", () => {
      if (select.value === "") return;
      const now = this.spec as typeof spec;
      if (now.kind === "spectrum") this.#become({ ...now, channels: [...new Set([...now.channels, select.value])] });
      else {
        // Another unit takes the axis at the right.
        const same = run.unit(now.left[0]) === run.unit(select.value);
        const add = (list: string[]) => [...new Set([...list, select.value])];
        this.#become(same ? { ...now, left: add(now.left) } : { ...now, right: add(now.right) });
      }
      select.value = "";
      done();
    });
    holder.append(select);
    return holder;
  }

  #file(extension: string): string {
    return `${fileName(this.shared.store.state.model.name, this.spec.id)}.${extension}`;
  }

  #figure(format: "svg" | "png"): Promise<void> {
    const type = format === "svg" ? "image/svg+xml" : "image/png";
    return this.#saving("figure", format, type, () => helper.figure(this.#view.figure(), format));
  }

  /** Saves the output of `make` as soon as the plot is up to date, or reports why it cannot. */
  async #saving(
    what: string,
    extension: string,
    type: string,
    make: () => string | Uint8Array | Promise<Uint8Array>,
  ): Promise<void> {
    this.#say("");
    try {
      await this.#view.ready?.();
      save(this.#file(extension), await make(), type);
    } catch (error) {
      this.#say(`The ${what} could not be created: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  #say(text: string): void {
    this.#said.textContent = text;
    this.#said.hidden = text === "";
  }
}
