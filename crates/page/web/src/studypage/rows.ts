// The table of a study: sortable, a click runs the row.

import { h } from "../dom.ts";
import { keepingFocus } from "../focus.ts";
import { number } from "../format.ts";
import { csv } from "../plots/csv.ts";
import { fileName, save } from "../save.ts";
import { order } from "../sort.ts";
import type { Desk } from "./chart.ts";
import { failure, type Study } from "./data.ts";

/** Rows that are shown at once. */
const MOST = 500;

export class Rows {
  readonly element = h("div.panel");
  #sort: { name: string; descending: boolean } | null = null;
  #body = h("tbody");

  constructor(
    private study: Study,
    private desk: Desk,
  ) {
    this.#draw();
  }

  /** Other rows are shown. */
  remark(): void {
    const shown = new Set(this.desk.shown().map(({ row }) => String(row)));
    for (const line of this.#body.children) {
      if (!(line instanceof HTMLElement)) continue;
      if (shown.has(line.dataset.row ?? "")) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
  }

  #draw(): void {
    const { table, findings } = this.study;
    const all = Array.from({ length: table.rows }, (_, i) => i);
    const sort = this.#sort;
    const rows = sort ? order(all, (row) => table.cell(row, sort.name), sort.descending) : all;
    const head = table.columns.map(({ name, words }) => {
      const state = sort?.name === name ? (sort.descending ? "descending" : "ascending") : "none";
      const button = h(
        "button.sort",
        { type: "button", "data-testid": `study-sort-${name}`, onclick: () => this.#by(name) },
        findings.kind === "bifurcation" && name === "parameter" ? findings.keys[0] : name,
      );
      return h(words ? "th" : "th.num", { scope: "col", "aria-sort": state }, button);
    });
    this.#body = h("tbody", {}, ...rows.slice(0, MOST).map((row) => this.#row(row)));
    const more = table.rows > MOST ? `the first ${MOST} of ${number(table.rows)} rows in this order` : "";
    this.element.replaceChildren(
      h(
        "div.bar",
        {},
        h("h2", {}, findings.kind === "bifurcation" ? "Points" : "Runs"),
        h("span.quiet", {}, ["numbers in SI; click a row to run it here", more].filter(Boolean).join("; ")),
        h("span.grow"),
        h("button", { type: "button", "data-testid": "study-csv", onclick: () => this.#save() }, "Save CSV"),
      ),
      h(
        "div.scroll.study-scroll",
        {},
        h("table.study-table", { "data-testid": "study-table" }, h("thead", {}, h("tr", {}, ...head)), this.#body),
      ),
    );
    this.remark();
  }

  #row(row: number): HTMLElement {
    const { table } = this.study;
    const run = () => this.desk.pick(row);
    return h(
      failure(this.study, row) === null ? "tr.study-row" : "tr.study-row.failed",
      {
        tabindex: 0,
        "data-testid": "study-row",
        "data-row": row,
        onclick: run,
        onkeydown: (event) => {
          if ((event as KeyboardEvent).key === "Enter") run();
        },
      },
      ...table.columns.map(({ name, words }) => {
        const value = table.cell(row, name);
        const text = typeof value === "string" ? value : number(value, 6);
        return h(
          words ? (text.length > 40 ? "td.long" : "td") : "td.num",
          { "data-column": name, "data-value": value },
          text,
        );
      }),
    );
  }

  #by(name: string): void {
    this.#sort = { name, descending: this.#sort?.name === name && !this.#sort.descending };
    keepingFocus(this.element, () => this.#draw());
  }

  #save(): void {
    const { table, findings } = this.study;
    const columns = table.columns.map(({ name, unit, words, values }) => ({
      name,
      unit: words ? "-" : unit,
      values: words ? Array.from(values, (value) => words[value]) : values,
    }));
    save(`${fileName(findings.model, findings.kind)}.csv`, csv(columns), "text/csv");
  }
}
