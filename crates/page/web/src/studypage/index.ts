// The page of a study: what was found, plots whose points can be run, and the table of all runs.

import "./studypage.css";
import { h } from "../dom.ts";
import { engine } from "../engine.ts";
import { count, number } from "../format.ts";
import { watchColors } from "../palette.ts";
import type { Store } from "../store.ts";
import { indexCard, tornadoCard } from "./bars.ts";
import { Card, type Making } from "./card.ts";
import type { Desk } from "./chart.ts";
import { carried, keyColumns, sampled, type Study } from "./data.ts";
import { diagramCards } from "./diagramview.ts";
import { morris } from "./morris.ts";
import { Rows } from "./rows.ts";
import { sampleCards, scatterCards } from "./sampleview.ts";
import { isSearch, searchCards, searchTables } from "./searchview.ts";
import { Shown } from "./shown.ts";
import { firstChoice, overMenu, sweepCards } from "./sweepview.ts";
import { ranges, sentences, titleOf } from "./words.ts";

/** More plots than this are shown for one metric at a time. */
const MOST = 12;

export async function mountStudy(root: HTMLElement, store: Store): Promise<void> {
  if (store.state.boot.kind !== "study") return;
  const study = await carried();
  if (!study) throw new Error("the page has no study");
  new View(root, store, study);
}

/** What is known of metrics, in the order of the request. */
function inOrder<T>(measured: string[], of: Record<string, T> = {}): [string, T][] {
  return measured.flatMap((metric): [string, T][] => (metric in of ? [[metric, of[metric]]] : []));
}

class View {
  #cards: Card[] = [];
  #list = h("div.plot-list");
  #tools = h("div.study-tools");
  #desk: Desk;
  #over: string;
  #metric: string;

  constructor(
    root: HTMLElement,
    store: Store,
    private study: Study,
  ) {
    const { findings } = study;
    this.#over = findings.kind === "sweep" ? firstChoice(study) : "";
    this.#metric = findings.measured[0] ?? "";
    const marks = () => {
      for (const chart of this.#desk.charts) chart.remark();
      rows.remark();
    };
    const shown = new Shown(study, store, root, marks);
    this.#desk = { pick: (row) => shown.pick(row), shown: () => shown.rows(), charts: new Set() };
    const rows = new Rows(study, this.#desk);
    root.append(this.#head(), this.#said(), this.#tools, this.#list, rows.element);
    root.dataset.kind = findings.kind;
    // What belongs to the run that is shown stands below the study.
    const bench = document.getElementById("bench")!;
    const below = [bench, ...["player", "sheets"].flatMap((id) => document.getElementById(id) ?? [])];
    const notes = document.getElementById("notes");
    const first = bench.parentElement?.querySelector(":scope > .facts") ?? bench;
    first.before(shown.element, ...(notes ? [notes] : []));
    const show = () => below.forEach((part) => (part.hidden = store.state.runs.length === 0));
    store.subscribe((_, changed) => {
      if (!changed.has("runs") && !changed.has("primary")) return;
      show();
      marks();
    });
    watchColors(() => this.#cards.forEach((card) => card.recolor()));
    show();
    this.#draw();
    if (engine.available) window.setTimeout(() => void engine.warm(), 800);
  }

  #head(): HTMLElement {
    const { findings } = this.study;
    const fact = (name: string, value: string, note = "", state = "") =>
      h("div", {}, h("dt", {}, name), h(state ? `dd.${state}` : "dd", {}, value, note !== "" && h("small", {}, note)));
    const failed = findings.failed === 0 ? "" : `${number(findings.failed)} without a result`;
    return h(
      "dl.facts.study-facts",
      { "data-testid": "study-facts" },
      fact("Study", titleOf(findings)),
      fact("Runs", number(findings.runs), failed, findings.failed > 0 ? "bad" : ""),
      ...ranges(this.study).map(({ key, text }) => fact(key, text)),
      fact(
        findings.kind === "bifurcation" || findings.kind === "identify" ? "Channels" : "Metrics",
        findings.measured.join(", "),
      ),
    );
  }

  #said(): HTMLElement {
    const all = sentences(this.study);
    if (all.length === 0) return h("div", { hidden: true });
    return h(
      "ul.study-said.panel",
      { "data-testid": "study-said" },
      ...all.map(({ text, row }) =>
        h(
          "li",
          {},
          text,
          row !== null &&
            h(
              "button.bare",
              { type: "button", "data-testid": "study-run", "data-row": row, onclick: () => this.#desk.pick(row) },
              "Run it here",
            ),
        ),
      ),
    );
  }

  /** Plots of what is chosen, in the place of those before. */
  #draw(): void {
    for (const card of this.#cards) card.destroy();
    const { findings } = this.study;
    const makings = this.#makings();
    this.#cards = makings.map((making) => new Card(making, findings.model, this.#desk));
    const asked = <T>(of: Record<string, T> | undefined) => inOrder(findings.measured, of);
    const bars = [
      ...asked(findings.indices).map(([metric, of]) => indexCard(findings, metric, of)),
      ...asked(findings.swings).map(([metric, of]) => tornadoCard(findings, metric, of)),
    ];
    const tables = isSearch(this.study) ? searchTables(this.study) : [];
    this.#list.replaceChildren(...tables, ...bars, ...this.#cards.map((card) => card.element));
    const menus = [this.#grid ? this.#overMenu() : null, this.#one ? this.#metricMenu() : null];
    this.#tools.replaceChildren(...menus.filter((menu) => menu !== null));
    this.#tools.hidden = !this.#tools.hasChildNodes();
  }

  get #grid(): boolean {
    return this.study.findings.kind === "sweep" && !sampled(this.study);
  }

  /** Whether there are so many plots that one metric at a time is shown. */
  get #one(): boolean {
    const { findings } = this.study;
    if (findings.kind === "bifurcation" || this.#grid || isSearch(this.study)) return false;
    return findings.measured.length > 1 && findings.measured.length * (keyColumns(this.study).length + 2) > MOST;
  }

  #makings(): Making[] {
    const { study } = this;
    const { findings } = study;
    if (findings.kind === "bifurcation") return diagramCards(study);
    if (isSearch(study)) return searchCards(study);
    if (this.#grid) return sweepCards(study, this.#over);
    const metrics = this.#one ? [this.#metric] : findings.measured;
    if (findings.kind !== "sensitivity") return metrics.flatMap((metric) => sampleCards(study, metric));
    const screened = inOrder(findings.measured, findings.effects).map(([metric, of]) =>
      morris(metric, findings.units?.[metric] ?? "SI", of),
    );
    return [...screened, ...metrics.flatMap((metric) => scatterCards(study, metric))];
  }

  #overMenu(): HTMLElement | null {
    return overMenu(this.study, this.#over, (over) => {
      this.#over = over;
      this.#draw();
    });
  }

  #metricMenu(): HTMLElement {
    const { measured } = this.study.findings;
    const select = h<HTMLSelectElement>(
      "select",
      {
        "data-testid": "study-metric",
        onchange: () => {
          this.#metric = select.value;
          this.#draw();
        },
      },
      ...measured.map((metric) => h("option", { value: metric, selected: metric === this.#metric }, metric)),
    );
    return h("label.inline", {}, `Plots of one of ${count(measured.length, "metric")} `, select);
  }
}
