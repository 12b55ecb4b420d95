// What if: other numbers and laws, run by the engine in the page and laid over the recorded run.

import "./tables.css";
import { swatch } from "./compare.ts";
import { h } from "./dom.ts";
import { engine, Refusal } from "./engine.ts";
import { editor, problemList } from "./editor.ts";
import { keepingFocus } from "./focus.ts";
import { number, quantity } from "./format.ts";
import {
  describe,
  fromSlider,
  lawOverride,
  type LawParts,
  override,
  parseSets,
  partsOf,
  said,
  scaleOfKnob,
  STEPS,
  strangeSets,
  toSlider,
} from "./knobs.ts";
import { numbersTable } from "./numbers.ts";
import { fileName, save } from "./save.ts";
import { Session } from "./session.ts";
import type { Store } from "./store.ts";
import type { CatalogueEntry, Diagnostic, Knob, RunData, RunRequest } from "./types.ts";

const LIVE = "whatif";
/** Sliders run at once while a run is shorter than this (s). */
const QUICK = 1;
const DELAY = 140;
const EXAMPLE = "run.until = 1 s";

export function mountWhatif(root: HTMLElement, store: Store): void {
  if (!engine.available) return;
  const values = new Map<string, number>();
  let picked: LawParts = { elastic: null, damping: null, friction: null };
  let base: RunData | null = null;
  let edited: string | null = null;
  let timer = 0;
  let kept = 0;
  /** Request and name of the run that is shown. */
  let shown = { request: "", label: "" };

  const session = new Session(store, {
    done: (made, wish) => {
      shown = { request: JSON.stringify(wish.request), label: made.label };
      root.dataset.law = wish.request.law ?? "";
      problems([]);
      refresh();
    },
    failed: (error) => {
      problems(error instanceof Refusal ? error.problems : [], error.message);
      refresh();
    },
    state: () => {
      progress();
      settle();
    },
  });

  const knobs = h("div.knobs", { role: "group", "aria-label": "Numbers" });
  const laws = h("div.laws", { role: "group", "aria-label": "Law" });
  const also = h<HTMLInputElement>("input", {
    type: "text",
    placeholder: EXAMPLE,
    title: "Any key of the model file; several with ;",
    spellcheck: "false",
    autocomplete: "off",
    "data-testid": "whatif-set",
    "aria-describedby": "whatif-set-hint",
    onchange: () => {
      if (understood()) changed();
    },
    oninput: () => {
      if (also.hasAttribute("aria-invalid")) understood();
    },
  });
  const hint = h("span.field-hint", {
    id: "whatif-set-hint",
    role: "status",
    "data-testid": "whatif-set-hint",
    hidden: true,
  });
  const notice = h("p.outdated", { role: "status", hidden: true, "data-testid": "whatif-outdated" });
  const complaint = h("div.said", { role: "alert", hidden: true, "data-testid": "whatif-problems" });
  const bar = h<HTMLProgressElement>("progress", { max: 1, "aria-label": "Progress of the run" });
  const stop = h(
    "button",
    { type: "button", "data-testid": "whatif-cancel", onclick: () => session.cancel() },
    "Cancel",
  );
  const busy = h("span.busy", { hidden: true, "data-testid": "whatif-busy" }, bar, stop);
  const run = h<HTMLButtonElement>(
    "button.primary",
    { type: "button", "data-testid": "whatif-run", onclick: () => start() },
    "Run",
  );
  const keep = h<HTMLButtonElement>(
    "button",
    {
      type: "button",
      "data-testid": "whatif-keep",
      title: "Keep this run beside the next ones",
      onclick: () => keepRun(),
    },
    "Keep run",
  );
  const reset = h<HTMLButtonElement>(
    "button",
    {
      type: "button",
      "data-testid": "whatif-reset",
      title: "Back to the model file; the new run is discarded",
      onclick: () => clear(),
    },
    "Discard",
  );
  const saveFile = h<HTMLButtonElement>(
    "button",
    { type: "button", "data-testid": "whatif-save", onclick: () => void saveModel() },
    "Save model file",
  );
  const took = h("span.quiet", { "data-testid": "whatif-took", "aria-live": "polite" });
  const numbers = h("div.scroll");
  const keptList = h("div.kept");
  const edit = editor(
    () => edited ?? store.state.model.text,
    (text) => {
      edited = text === store.state.model.text ? null : text;
      start();
    },
  );
  root.append(
    h(
      "div.panel",
      {},
      h("div.bar", {}, h("h2", {}, "What if"), h("span.quiet", {}, "Runs here, in the browser"), h("span.grow"), busy),
      h(
        "div.whatif",
        {},
        knobs,
        laws,
        h("div.actions", {}, run, keep, reset, saveFile, h("span.grow"), took),
        complaint,
        notice,
        numbers,
        keptList,
        edit.element,
      ),
    ),
  );
  root.hidden = true;

  /** The run that is changed: the recorded one of these numbers, or the first. */
  function takeBase(): void {
    const next = store.state.runs.find((r) => r.role === "recorded") ?? null;
    if (next?.payload === base?.payload) return;
    base = next;
    clearTimeout(timer);
    root.hidden = base === null;
    values.clear();
    edited = null;
    also.value = "";
    understood();
    picked = { elastic: null, damping: null, friction: null };
    problems([]);
    build();
    edit.refresh();
    if (base) window.setTimeout(() => void engine.warm(), 1500);
  }

  function build(): void {
    if (!base) return;
    knobs.replaceChildren(...base.payload.knobs.map(knobRow));
    knobs.hidden = base.payload.knobs.length === 0;
    const { catalogue } = store.state.boot;
    const current = partsOf(base.payload.law, catalogue);
    const contacts = base.payload.scene.contacts.length > 0;
    const menus =
      catalogue.length > 0 && contacts
        ? [
            lawMenu("Elastic law", "elastic", current.elastic, [
              ["Point contact", "point"],
              ["Cylinders", "cylinder"],
            ]),
            lawMenu("Dissipation", "damping", current.damping, [
              ["Dissipation", "damping"],
              ["Permanent indentation", "plastic"],
            ]),
            lawMenu("Friction", "friction", current.friction, [["Friction", "friction"]]),
          ]
        : [];
    laws.replaceChildren(...menus, h("label", {}, "Any other key", also, hint));
  }

  function knobRow(knob: Knob): HTMLElement {
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
        else field.value = plain((values.get(knob.key) ?? knob.value) / factor);
      },
    });
    slider.setAttribute("aria-valuetext", said(knob, knob.value));
    const row = h(
      "div.knob",
      {},
      h("label.name", { for: id }, knob.label, h("span.was", {}, `model: ${said(knob, knob.value)}`)),
      slider,
      h("span.number", {}, field, unit),
    );
    const set = (value: number, from: "slider" | "field") => {
      if (value === knob.value) values.delete(knob.key);
      else values.set(knob.key, value);
      if (from === "slider") field.value = plain(value / factor);
      else slider.value = String(toSlider(knob, value));
      slider.setAttribute("aria-valuetext", said(knob, value));
      row.classList.toggle("changed", values.has(knob.key));
      changed();
    };
    return row;
  }

  function lawMenu(
    label: string,
    part: keyof LawParts,
    current: string | null,
    groups: [string, CatalogueEntry["family"]][],
  ): HTMLElement {
    const { catalogue } = store.state.boot;
    const select = h<HTMLSelectElement>(
      "select",
      {
        "data-testid": `law-${part}`,
        title: catalogue.find((entry) => entry.id === current)?.title ?? null,
        onchange: () => {
          picked = { ...picked, [part]: select.value || null };
          select.title = catalogue.find((entry) => entry.id === select.value)?.summary ?? "";
          changed();
        },
      },
      h(
        "option",
        { value: "" },
        current ? `${catalogue.find((entry) => entry.id === current)?.title ?? current} (as it is)` : "as it is",
      ),
    );
    for (const [name, family] of groups) {
      const entries = catalogue.filter((entry) => entry.family === family);
      if (entries.length > 0)
        select.append(
          h(
            "optgroup",
            { label: name },
            ...entries.map((entry) => h("option", { value: entry.id, title: entry.summary }, entry.title)),
          ),
        );
    }
    return h("label", {}, label, select);
  }

  function request(): RunRequest {
    const { model, boot } = store.state;
    const sets = (base?.payload.knobs ?? [])
      .filter((knob) => values.has(knob.key))
      .map((knob) => override(knob, values.get(knob.key)!));
    const current = base ? partsOf(base.payload.law, boot.catalogue) : picked;
    sets.push(...parseSets(also.value));
    // Compared runs have laws of their own, which the model file does not say.
    const own = boot.kind === "compare" ? lawOverride(current, current) : null;
    return {
      name: model.name,
      text: edited ?? model.text,
      tables: model.tables,
      sets,
      law: lawOverride(picked, current) ?? own,
      ideal: false,
    };
  }

  function changed(): void {
    clearTimeout(timer);
    refresh();
    timer = 0;
    if (session.last <= QUICK) timer = window.setTimeout(start, DELAY);
    else settle();
  }

  /** Says what is expected in the field of other keys. */
  function understood(): boolean {
    const strange = strangeSets(also.value);
    hint.hidden = strange.length === 0;
    if (strange.length === 0) also.removeAttribute("aria-invalid");
    else also.setAttribute("aria-invalid", "true");
    hint.textContent = strange.length === 0 ? "" : `“${strange[0]}” is not understood: key = value, such as ${EXAMPLE}`;
    return strange.length === 0;
  }

  /** What is asked for now, in words. */
  function wanted(law: string): string {
    const all = base?.payload.knobs ?? [];
    const changes = all.filter((knob) => values.has(knob.key)).map((knob) => ({ knob, value: values.get(knob.key)! }));
    return describe(law, changes, parseSets(also.value), edited !== null, all);
  }

  /** A run that is not the one of these menus and sliders is marked so, in the plots too. */
  function settle(): void {
    const now = live();
    const outdated = now !== null && !session.busy && timer === 0 && JSON.stringify(request()) !== shown.request;
    if (now && outdated !== (now.outdated ?? false) && !session.busy)
      store.addRun({ ...now, outdated, label: outdated ? `${shown.label} (earlier choice)` : shown.label });
    notice.hidden = !outdated;
    const law = request().law ?? base?.payload.law ?? "";
    notice.textContent = outdated ? `Not run: ${wanted(law)}. Shown, pale: ${shown.label}.` : "";
  }

  function start(): void {
    clearTimeout(timer);
    timer = 0;
    if (!understood()) return;
    const asked = request();
    const changed = asked.sets.length > 0 || edited !== null || Object.values(picked).some((part) => part !== null);
    const name = wanted("");
    session.ask({
      request: asked,
      id: LIVE,
      label: (law) => [law, name, changed ? "" : "as in the model"].filter((part) => part !== "").join(", "),
      role: "whatif",
      animate: true,
    });
  }

  function live(): RunData | null {
    return store.state.runs.find((r) => r.id === LIVE) ?? null;
  }

  function keepRun(): void {
    const now = live();
    if (!now) return;
    const id = `kept-${++kept}`;
    store.batch(() => {
      const animated = store.state.primary === LIVE;
      store.addRun({ ...now, id, label: shown.label, outdated: false });
      if (animated) store.setPrimary(id);
      store.removeRun(LIVE);
    });
  }

  function clear(): void {
    session.cancel();
    clearTimeout(timer);
    values.clear();
    edited = null;
    also.value = "";
    understood();
    picked = { elastic: null, damping: null, friction: null };
    timer = 0;
    store.removeRun(LIVE);
    problems([]);
    build();
    edit.refresh();
    refresh();
    settle();
  }

  async function saveModel(): Promise<void> {
    try {
      save(`${fileName(store.state.model.name)}.toml`, await engine.edit(request()), "application/toml");
      problems([]);
    } catch (error) {
      problems(error instanceof Refusal ? error.problems : [], error instanceof Error ? error.message : String(error));
    }
  }

  function problems(list: Diagnostic[], text = ""): void {
    complaint.hidden = list.length === 0 && text === "";
    complaint.replaceChildren(
      ...(list.length > 0
        ? [problemList(list, (line, column) => edit.goTo(line, column), suggest)]
        : text
          ? [text]
          : []),
    );
  }

  /** Begins the override that the engine asks for. */
  function suggest(key: string): void {
    const before = also.value.trim();
    also.value = `${before ? `${before}; ` : ""}${key} = `;
    also.focus();
  }

  function progress(): void {
    const { busy: now } = store.state;
    busy.hidden = !session.busy;
    bar.value = now?.progress ?? 0;
    run.disabled = session.busy;
  }

  function refresh(): void {
    const now = live();
    const dirty =
      values.size > 0 ||
      edited !== null ||
      parseSets(also.value).length > 0 ||
      Object.values(picked).some((part) => part !== null);
    keep.disabled = now === null;
    reset.disabled = now === null && !dirty;
    saveFile.disabled = !dirty;
    took.textContent =
      session.last > 0
        ? `${quantity(session.last, "s", 2)}${session.last > QUICK ? ": press Run after a change" : ""}`
        : "";
    keepingFocus(numbers, () => numbers.replaceChildren(...(base && now ? [numbersTable(base, now, store)] : [])));
    numbers.classList.toggle("pale", now?.outdated ?? false);
    const others = store.state.runs.filter((r) => r.id.startsWith("kept-"));
    keptList.replaceChildren(
      ...others.map((r) =>
        h(
          "div.kept-run",
          { "data-testid": "kept-run" },
          swatch(r),
          h("span", {}, r.label),
          h("span.grow"),
          h(
            "button.bare",
            {
              type: "button",
              "aria-label": `Discard ${r.label}`,
              onclick: () => store.removeRun(r.id),
            },
            "Discard",
          ),
        ),
      ),
    );
  }

  store.subscribe((_state, parts) => {
    if (parts.has("runs")) takeBase();
    if (parts.has("runs") || parts.has("primary") || parts.has("theme")) refresh();
    if (parts.has("model")) edit.refresh();
    if (parts.has("busy")) progress();
  });
}

/** As typed: no thin spaces, no powers of ten unless needed. */
const plain = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)
    ? String(Number(value.toPrecision(4)))
    : number(value, 4)
        .replace(/\u202f/g, "")
        .replace("\u2212", "-");
