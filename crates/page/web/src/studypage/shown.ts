// Points of the study that are run in the page: the one that was clicked last, and those that are kept beside it.

import { swatch } from "../compare.ts";
import { h } from "../dom.ts";
import { engine } from "../engine.ts";
import { keepingFocus } from "../focus.ts";
import { number, quantity } from "../format.ts";
import { runColor } from "../palette.ts";
import { Session } from "../session.ts";
import type { Store } from "../store.ts";
import type { RunData, RunRequest, State } from "../types.ts";
import type { Study } from "./data.ts";
import { labelOf, measured, measuring, requestOf } from "./request.ts";

const LIVE = "point";

interface Point {
  row: number;
  /** The model with the values of the point, once it is known. */
  model: State["model"] | null;
}

export class Shown {
  readonly element = h("section.panel.study-shown", { "aria-label": "Point of the study", hidden: true });
  #points = new Map<string, Point>();
  #rows = new WeakMap<RunRequest, number>();
  #session: Session;
  #kept = 0;
  #busy = h("span.quiet", { role: "status" });
  #problem = h("p.said", { role: "alert", hidden: true, "data-testid": "study-problem" });

  constructor(
    private study: Study,
    private store: Store,
    private top: HTMLElement,
    private changed: () => void,
  ) {
    this.#session = new Session(store, {
      done: (run, { request }) => void this.#done(run, request),
      failed: (error, { request }) => this.#failed(error, request),
      state: () => {
        const row = this.#session.busy ? this.#asked : null;
        this.#busy.textContent = row === null ? "" : `Running ${labelOf(study, row)} …`;
      },
    });
    store.subscribe((_, changed) => {
      if (changed.has("primary")) this.#takeModel();
      if (changed.has("runs") || changed.has("primary") || changed.has("theme")) this.#draw();
    });
  }

  #asked: number | null = null;

  /** Rows that are shown, with the colours of their runs. */
  rows(): { row: number; color: string }[] {
    return this.store.state.runs.flatMap((run) => {
      const point = this.#points.get(run.id);
      return point ? [{ row: point.row, color: runColor(run) }] : [];
    });
  }

  pick(row: number): void {
    const known = [...this.#points].find(([id, point]) => point.row === row && this.#run(id));
    this.#say("");
    if (known) {
      this.store.setPrimary(known[0]);
      this.#reveal();
      return;
    }
    this.#ask(row, measuring(this.study, requestOf(this.study, row, this.store.state.boot.models)));
  }

  #ask(row: number, request: RunRequest): void {
    this.#asked = row;
    this.#rows.set(request, row);
    this.#show();
    this.#session.ask({ request, id: LIVE, label: labelOf(this.study, row), role: "recorded", animate: true });
  }

  #run(id: string): RunData | null {
    return this.store.state.runs.find((run) => run.id === id) ?? null;
  }

  async #done(run: RunData, request: RunRequest): Promise<void> {
    const point: Point = { row: this.#rows.get(request) ?? 0, model: null };
    this.#points.set(run.id, point);
    this.#draw();
    this.changed();
    this.#reveal();
    try {
      const plain = requestOf(this.study, point.row, this.store.state.boot.models);
      const text = await engine.edit(plain);
      point.model = { name: plain.name, text, tables: plain.tables };
      this.#takeModel();
    } catch {
      /* The model stays as it was: its file only lacks the values of the point. */
    }
  }

  #failed(error: Error, request: RunRequest): void {
    const row = this.#rows.get(request) ?? 0;
    const plain = requestOf(this.study, row, this.store.state.boot.models);
    // A variant of the model may lack what a formula of the study needs.
    if (request.text !== plain.text) return this.#ask(row, plain);
    this.#say(`${labelOf(this.study, row)} cannot be run: ${error.message}`);
    this.#show();
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** What if and the model file are those of the point that is animated. */
  #takeModel(): void {
    const model = this.#points.get(this.store.state.primary ?? "")?.model;
    if (model && model !== this.store.state.model) this.store.setModel(model);
  }

  #say(text: string): void {
    this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }

  #show(): void {
    this.element.hidden = false;
    if (!this.element.hasChildNodes()) this.#draw();
  }

  #reveal(): void {
    this.element.scrollIntoView({ block: "start" });
  }

  #keep(): void {
    const run = this.#run(LIVE);
    const point = this.#points.get(LIVE);
    if (!run || !point) return;
    const id = `${LIVE}-${++this.#kept}`;
    this.#points.set(id, point);
    this.store.batch(() => {
      const animated = this.store.state.primary === LIVE;
      this.store.addRun({ ...run, id });
      if (animated) this.store.setPrimary(id);
      this.store.removeRun(LIVE);
    });
    this.changed();
  }

  #drop(id: string): void {
    this.#points.delete(id);
    this.store.removeRun(id);
    this.changed();
  }

  #draw(): void {
    const runs = this.store.state.runs.filter((run) => this.#points.has(run.id));
    const { primary } = this.store.state;
    const run = runs.find(({ id }) => id === primary) ?? null;
    this.element.dataset.row = run ? String(this.#points.get(run.id)!.row) : "";
    const back = h(
      "button",
      { type: "button", "data-testid": "study-back", onclick: () => this.top.scrollIntoView({ block: "start" }) },
      "Back to the study",
    );
    keepingFocus(this.element, () =>
      this.element.replaceChildren(
        h("div.bar", {}, h("h2", {}, run ? run.label : "Point of the study"), this.#busy, h("span.grow"), back),
        this.#problem,
        ...(run ? [this.#numbers(run)] : []),
        ...(runs.length > 0 ? [h("div.study-points", {}, ...runs.map((each) => this.#chip(each)))] : []),
      ),
    );
  }

  #chip(run: RunData): HTMLElement {
    const live = run.id === LIVE;
    const act = (testid: string, text: string, onclick: () => void) =>
      h("button.bare", { type: "button", "data-testid": testid, "aria-label": `${text} ${run.label}`, onclick }, text);
    return h(
      "div.kept-run",
      { "data-testid": "study-point", "data-row": this.#points.get(run.id)!.row },
      swatch(run),
      h(
        "button.bare",
        {
          type: "button",
          "aria-pressed": String(run.id === this.store.state.primary),
          "data-testid": `study-animate-${run.id}`,
          onclick: () => this.store.setPrimary(run.id),
        },
        run.label,
      ),
      h("span.grow"),
      live ? act("study-keep", "Keep", () => this.#keep()) : null,
      act("study-drop", "Discard", () => this.#drop(run.id)),
    );
  }

  /** What the study has for the point, and what the run in the page gives. */
  #numbers(run: RunData): HTMLElement {
    const { findings, table } = this.study;
    const { row } = this.#points.get(run.id)!;
    const took = run.payload.summary.wall_seconds;
    if (findings.kind === "bifurcation") return h("div", {}, this.#note());
    const rows = findings.measured.map((metric) => {
      const [before, now] = [table.cell(row, metric), measured(this.study, run, metric)];
      return h(
        "tr",
        { "data-testid": "study-number", "data-metric": metric },
        h("th", { scope: "row" }, metric),
        h("td.num", { "data-value": before }, typeof before === "string" ? before : number(before, 6)),
        h("td.num", { "data-value": now }, number(now, 6)),
      );
    });
    const head = ["metric (SI)", "in the study", `run here${took === null ? "" : ` in ${quantity(took, "s", 2)}`}`];
    return h(
      "div.scroll",
      {},
      this.#note(),
      h(
        "table.numbers",
        {},
        h("thead", {}, h("tr", {}, ...head.map((text, i) => h(i === 0 ? "th" : "th.num", { scope: "col" }, text)))),
        h("tbody", {}, ...rows),
      ),
    );
  }

  /** How the run in the page differs from that of the study. */
  #note(): HTMLElement | null {
    const { continued, starts, findings } = this.study;
    const elsewhere = continued && starts.length === 0;
    const late = findings.kind === "bifurcation";
    if (!elsewhere && !late) return null;
    const start = elsewhere ? "each run of the study started where the previous one ended" : null;
    const transient = late ? "the diagram shows the motion after its transient" : null;
    const why = [start, transient].filter((text) => text !== null).join(", and ");
    const where = elsewhere || !continued ? "from the start of the model" : "from its start in the study";
    return h("p.quiet.study-note", {}, `The page runs this point ${where}; ${why}.`);
  }
}
