// A page without a result: pick a shipped mechanism; the engine runs it here.

import "./tables.css";
import { h } from "./dom.ts";
import { engine } from "./engine.ts";
import { Session } from "./session.ts";
import type { Store } from "./store.ts";

export function mountPlayground(root: HTMLElement, store: Store): void {
  const { boot } = store.state;
  if (boot.kind !== "playground" || boot.models.length === 0) return;
  if (!engine.available) {
    store.setProblem("This page contains no engine.");
    return;
  }
  const session = new Session(store, {
    done: (run, wish) => {
      store.setProblem(null);
      const said = run.payload.model.description ?? "";
      about.textContent = said === menu.selectedOptions[0]?.textContent ? "" : said;
      about.hidden = about.textContent === "";
      // Then the same mechanism without clearance, if it has any.
      if (wish.role === "recorded" && Object.keys(run.payload.summary.contacts).length > 0) {
        session.ask({
          ...wish,
          id: "ideal",
          label: "ideal joints",
          role: "ideal",
          animate: false,
          request: { ...wish.request, ideal: true },
        });
      }
    },
    // Some mechanisms have no ideal counterpart.
    failed: (error, wish) => {
      if (wish.role === "recorded") store.setProblem(error.message);
    },
    state: () => {},
  });
  const menu = h<HTMLSelectElement>(
    "select",
    { "data-testid": "model-pick", onchange: () => choose(menu.value) },
    ...boot.models.map((model) => h("option", { value: model.name }, model.title)),
  );
  const about = h("p.quiet", { "data-testid": "model-about" });
  root.append(h("div.pick", {}, h("label.inline", {}, "Mechanism ", menu), about));
  // Placed beside the name of the program, so that the page begins with its subject.
  document.querySelector(".masthead .mark")?.after(root);

  function choose(name: string): void {
    const model = boot.models.find((entry) => entry.name === name);
    if (!model) return;
    engine.cancel();
    about.textContent = "";
    store.batch(() => {
      for (const run of [...store.state.runs]) store.removeRun(run.id);
      store.setModel({ name: model.name, text: model.text, tables: model.tables });
    });
    session.ask({
      request: { name: model.name, text: model.text, tables: model.tables, sets: [], law: null, ideal: false },
      id: "base",
      label: null,
      role: "recorded",
      animate: true,
    });
  }

  queueMicrotask(() => choose(boot.models[0].name));
}
