// The plots of the page: ready-made ones behind buttons, and any others.

import "./plots.css";
import { h } from "../dom.ts";
import { watchColors } from "../palette.ts";
import type { Store } from "../store.ts";
import type { RunData } from "../types.ts";
import { adder } from "./adder.ts";
import { Card } from "./card.ts";
import { type Preset, presets } from "./presets.ts";
import type { Spec } from "./spec.ts";
import { type Shared, wholeSpan } from "./view.ts";

export function mountPlots(root: HTMLElement, store: Store): void {
  const shared: Shared = { store, hover: { t: null, tell: new Set() } };
  const bar = h("div.plot-bar", { role: "group", "aria-label": "Ready-made plots" });
  const list = h("div.plot-list");
  root.append(h("div.plot-top", {}, h("h2", {}, "Plots"), bar), list);
  root.hidden = true;
  let cards: Card[] = [];
  let ready: Preset[] = [];
  let model = "";

  const close = (card: Card): void => {
    cards = cards.filter((other) => other !== card);
    card.destroy();
    press();
  };
  const open = (spec: Spec, show = false): void => {
    const card = new Card(shared, spec, close);
    cards.push(card);
    // Ready-made plots keep their order, others follow.
    const place = (id: string) => {
      const at = ready.findIndex((preset) => preset.id === id);
      return at < 0 ? ready.length : at;
    };
    const next = cards
      .filter((other) => other !== card)
      .sort((a, b) => place(a.spec.id) - place(b.spec.id))
      .find((other) => place(other.spec.id) > place(spec.id));
    list.insertBefore(card.element, next?.element ?? null);
    press();
    if (show) card.element.scrollIntoView({ block: "nearest" });
  };
  const press = (): void => {
    for (const button of bar.querySelectorAll<HTMLElement>("button[data-preset]")) {
      button.setAttribute("aria-pressed", String(cards.some((card) => card.spec.id === button.dataset.preset)));
    }
  };
  const toggle = (preset: Preset): void => {
    const card = cards.find((other) => other.spec.id === preset.id);
    if (card) close(card);
    else open(preset.spec, true);
  };
  const fill = (run: RunData): void => {
    for (const card of cards) card.destroy();
    cards = [];
    ready = presets(run);
    bar.replaceChildren(
      ...ready.map((preset) =>
        h(
          "button.chip",
          {
            type: "button",
            "data-preset": preset.id,
            "data-testid": `preset-${preset.id}`,
            "aria-pressed": "false",
            onclick: () => toggle(preset),
          },
          preset.name,
        ),
      ),
      adder(run, (spec) => open(spec, true)),
      h(
        "button.chip.quiet",
        {
          type: "button",
          "data-testid": "window-reset",
          title: "Show the whole run in every time plot",
          onclick: () => store.setWindow(...wholeSpan(store.state)),
        },
        "Whole run",
      ),
    );
    for (const preset of ready) if (preset.shown) open(preset.spec);
    root.hidden = false;
  };

  store.subscribe((state, changed) => {
    if (changed.has("runs")) {
      const run = state.runs.find((r) => r.role !== "ideal") ?? state.runs[0];
      // The same parts have the same plots, whatever their numbers.
      const parts = run ? [run.payload.model.name, ...run.payload.channels.map((c) => c.name)].join() : "";
      if (run && parts !== model) {
        model = parts;
        fill(run);
        return;
      }
    }
    if (changed.has("t") && state.playing) follow(store);
    for (const card of cards) card.update(state, changed);
  });
  watchColors(() => {
    for (const card of cards) card.recolor();
  });
}

/** Turns the page of the time plots when the cursor leaves it. */
function follow(store: Store): void {
  const {
    t,
    window: [a, b],
  } = store.state;
  const [low, high] = wholeSpan(store.state);
  if ((t >= a && t <= b) || t < low || t > high) return;
  const width = b - a;
  const from = Math.min(Math.max(low, t - 0.02 * width), high - width);
  store.setWindow(from, from + width);
}
