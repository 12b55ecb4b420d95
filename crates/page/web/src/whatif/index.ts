// What if: other numbers and laws, run by the engine in the page and laid over the recorded run.

import "../tables.css";
import { swatch } from "../compare.ts";
import { h } from "../dom.ts";
import { editor, problemList } from "../editor.ts";
import { engine, Refusal } from "../engine.ts";
import { keepingFocus } from "../focus.ts";
import { quantity } from "../format.ts";
import { numbersTable } from "../numbers.ts";
import { fileName, save } from "../save.ts";
import { Session } from "../session.ts";
import type { Store } from "../store.ts";
import type { Diagnostic, RunData, RunRequest } from "../types.ts";
import { Choice } from "./choice.ts";
import { KeysField } from "./keysfield.ts";
import { knobRow } from "./knobrow.ts";
import { lawMenus } from "./lawmenus.ts";

const LIVE = "whatif";
/** Sliders run at once while a run is shorter than this (s). */
const QUICK = 1;
const DELAY = 140;

export function mountWhatif(root: HTMLElement, store: Store): void {
  if (engine.available) new Panel(root, store);
}

class Panel {
  /** The run that is changed. */
  #base: RunData | null = null;
  #choice = new Choice();
  #session: Session;
  /** Request and name of the run that is shown. */
  #shown = { request: "", label: "" };
  #timer = 0;
  #kept = 0;

  #knobs = h("div.knobs", { role: "group", "aria-label": "Numbers" });
  #laws = h("div.laws", { role: "group", "aria-label": "Law" });
  #keys = new KeysField(this.#choice, () => this.#changed());
  #notice = h("p.outdated", { role: "status", hidden: true, "data-testid": "whatif-outdated" });
  #complaint = h("div.said", { role: "alert", hidden: true, "data-testid": "whatif-problems" });
  #bar = h<HTMLProgressElement>("progress", { max: 1, "aria-label": "Progress of the run" });
  #stop = this.#button("whatif-cancel", "Cancel", () => this.#session.cancel());
  #busy = h("span.busy", { hidden: true, "data-testid": "whatif-busy" }, this.#bar, this.#stop);
  #run = this.#button("whatif-run", "Run", () => this.#start());
  #keep = this.#button("whatif-keep", "Keep run", () => this.#keepRun(), "Keep this run beside the next ones");
  #reset = this.#button(
    "whatif-reset",
    "Discard",
    () => this.#clear(),
    "Back to the model file; the new run is discarded",
  );
  #save = this.#button("whatif-save", "Save model file", () => void this.#saveModel());
  #took = h("span.quiet", { "data-testid": "whatif-took", "aria-live": "polite" });
  #numbers = h("div.scroll");
  #keptRuns = h("div.kept");
  #edit: ReturnType<typeof editor>;

  constructor(
    private root: HTMLElement,
    private store: Store,
  ) {
    this.#session = new Session(store, {
      done: (made, wish) => {
        this.#shown = { request: JSON.stringify(wish.request), label: made.label };
        root.dataset.law = wish.request.law ?? "";
        this.#problems([]);
        this.#refresh();
      },
      failed: (error) => {
        this.#problems(error instanceof Refusal ? error.problems : [], error.message);
        this.#refresh();
      },
      state: () => {
        this.#progress();
        this.#settle();
      },
    });
    this.#edit = editor(
      () => this.#choice.text ?? store.state.model.text,
      (text) => {
        this.#choice.text = text === store.state.model.text ? null : text;
        this.#start();
      },
    );
    this.#run.classList.add("primary");
    root.append(this.#panel());
    root.hidden = true;
    store.subscribe((_state, parts) => {
      if (parts.has("runs") || parts.has("primary")) this.#takeBase();
      if (parts.has("runs") || parts.has("primary") || parts.has("theme")) this.#refresh();
      if (parts.has("model")) this.#edit.refresh();
      if (parts.has("busy")) this.#progress();
    });
  }

  #panel(): HTMLElement {
    const head = [h("h2", {}, "What if"), h("span.quiet", {}, "Runs here, in the browser"), h("span.grow"), this.#busy];
    const actions = [this.#run, this.#keep, this.#reset, this.#save, h("span.grow"), this.#took];
    const parts = [this.#complaint, this.#notice, this.#numbers, this.#keptRuns, this.#edit.element];
    return h(
      "div.panel",
      {},
      h("div.bar", {}, ...head),
      h("div.whatif", {}, this.#knobs, this.#laws, h("div.actions", {}, ...actions), ...parts),
    );
  }

  #button(testid: string, label: string, onclick: () => void, title: string | null = null): HTMLButtonElement {
    return h<HTMLButtonElement>("button", { type: "button", "data-testid": testid, title, onclick }, label);
  }

  /** The run that is shown for the choice. */
  get #live(): RunData | null {
    return this.store.state.runs.find((run) => run.id === LIVE) ?? null;
  }

  get #request(): RunRequest {
    return this.#choice.request(this.#base, this.store.state);
  }

  /** The run that is changed: the first recorded one, in a study the point that is animated. */
  #takeBase(): void {
    const { runs, boot, primary } = this.store.state;
    const recorded = runs.filter((run) => run.role === "recorded");
    const shown = boot.kind === "study" ? recorded.find((run) => run.id === primary) : undefined;
    const kept = boot.kind === "study" ? recorded.find((run) => run.payload === this.#base?.payload) : undefined;
    const next = shown ?? kept ?? recorded[0] ?? null;
    if (next?.payload === this.#base?.payload) return;
    this.#base = next;
    clearTimeout(this.#timer);
    this.root.hidden = next === null;
    this.#asInTheModel();
    if (next) window.setTimeout(() => void engine.warm(), 1500);
  }

  #asInTheModel(): void {
    this.#choice.clear();
    this.#keys.refresh();
    this.#problems([]);
    this.#build();
    this.#edit.refresh();
  }

  #build(): void {
    if (!this.#base) return;
    const { knobs } = this.#base.payload;
    const changed = () => this.#changed();
    this.#knobs.replaceChildren(...knobs.map((knob) => knobRow(knob, this.#choice, changed)));
    this.#knobs.hidden = knobs.length === 0;
    const menus = lawMenus(this.#base, this.store.state.boot.catalogue, this.#choice, changed);
    this.#laws.replaceChildren(...menus, this.#keys.element);
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#refresh();
    this.#timer = 0;
    if (this.#session.last <= QUICK) this.#timer = window.setTimeout(() => this.#start(), DELAY);
    else this.#settle();
  }

  /** Says that the choice has not been run. An earlier run, if one is shown, is marked so, in the plots too. */
  #settle(): void {
    const now = this.#live;
    const { busy } = this.#session;
    const request = this.#request;
    const different = !busy && this.#timer === 0 && JSON.stringify(request) !== this.#shown.request;
    const outdated = now !== null && different;
    const { label } = this.#shown;
    if (now && outdated !== (now.outdated ?? false) && !busy) {
      this.store.addRun({ ...now, outdated, label: outdated ? `${label} (previous settings)` : label });
    }
    const waits = outdated || (now === null && different && this.#choice.dirty);
    this.#notice.hidden = !waits;
    const wanted = this.#choice.words(this.#base, request.law ?? this.#base?.payload.law ?? "");
    const faded = outdated ? ` Shown faded: ${label}.` : "";
    this.#notice.textContent = waits ? `Not yet run: ${wanted}.${faded}` : "";
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.#keys.understood()) return;
    const name = this.#choice.words(this.#base, "");
    const plain = this.#choice.dirty ? "" : "as in the model";
    const label = (law: string) => [law, name, plain].filter((part) => part !== "").join(", ");
    this.#session.ask({ request: this.#request, id: LIVE, label, role: "whatif", animate: true });
  }

  #keepRun(): void {
    const now = this.#live;
    if (!now) return;
    const id = `kept-${++this.#kept}`;
    this.store.batch(() => {
      const animated = this.store.state.primary === LIVE;
      this.store.addRun({ ...now, id, label: this.#shown.label, outdated: false });
      if (animated) this.store.setPrimary(id);
      this.store.removeRun(LIVE);
    });
  }

  #clear(): void {
    this.#session.cancel();
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.store.removeRun(LIVE);
    this.#asInTheModel();
    this.#refresh();
    this.#settle();
  }

  async #saveModel(): Promise<void> {
    try {
      const text = await engine.edit(this.#request);
      save(`${fileName(this.store.state.model.name)}.toml`, text, "application/toml");
      this.#problems([]);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#problems(error instanceof Refusal ? error.problems : [], text);
    }
  }

  #problems(list: Diagnostic[], text = ""): void {
    this.#complaint.hidden = list.length === 0 && text === "";
    const goTo = (line: number, column: number) => this.#edit.goTo(line, column);
    const said = list.length > 0 ? problemList(list, goTo, (key) => this.#keys.suggest(key)) : text;
    this.#complaint.replaceChildren(said);
  }

  #progress(): void {
    this.#busy.hidden = !this.#session.busy;
    this.#bar.value = this.store.state.busy?.progress ?? 0;
    this.#run.disabled = this.#session.busy;
  }

  #refresh(): void {
    const now = this.#live;
    const { last } = this.#session;
    this.#keep.disabled = now === null;
    this.#reset.disabled = now === null && !this.#choice.dirty;
    this.#save.disabled = !this.#choice.dirty;
    const slow = last > QUICK ? "; press Run after a change" : "";
    this.#took.textContent = last > 0 ? quantity(last, "s", 2) + slow : "";
    keepingFocus(this.#numbers, () => {
      this.#numbers.replaceChildren(...(this.#base && now ? [numbersTable(this.#base, now, this.store)] : []));
    });
    this.#numbers.classList.toggle("pale", now?.outdated ?? false);
    const kept = this.store.state.runs.filter((run) => run.id.startsWith("kept-"));
    this.#keptRuns.replaceChildren(...kept.map((run) => this.#keptRow(run)));
  }

  #keptRow(run: RunData): HTMLElement {
    const discard = h(
      "button.bare",
      { type: "button", "aria-label": `Discard ${run.label}`, onclick: () => this.store.removeRun(run.id) },
      "Discard",
    );
    return h(
      "div.kept-run",
      { "data-testid": "kept-run" },
      swatch(run),
      h("span", {}, run.label),
      h("span.grow"),
      discard,
    );
  }
}
