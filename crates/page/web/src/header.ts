// The head of the page: model, laws, outcome, residual, cost, settings, versions and digest, and a summary of each joint.
import { h } from "./dom.ts";
import { NONE, count, number, percent, quantity } from "./format.ts";
import { isMany, watched } from "./heat.ts";
import { cardNumbers } from "./joints.ts";
import { mountSheets as sheets } from "./sheets.ts";
import type { Store } from "./store.ts";
import type { ContactSummary, Payload, RunData, Theme } from "./types.ts";

export const mountSheets = sheets;

export function mountHeader(root: HTMLElement, store: Store): void {
  const { boot } = store.state;
  const kind = h("span");
  const title = h("h1", {}, boot.title);
  const description = h("p.description");
  const facts = h("dl.facts");
  const joints = h("div.joints.panel");
  root.append(
    h(
      "div.masthead",
      {},
      h("p.mark", {}, logo(), h("span", {}, h("b", {}, "Jointplay"), ` ${boot.program.version}`), kind),
      themeSwitch(store),
    ),
    title,
    description,
    facts,
    joints,
  );

  // The header of a study is about all its runs; what belongs to one of them stands above its motion.
  if (boot.kind === "study") document.getElementById("bench")?.before(facts, joints);

  const show = (): void => {
    const run = store.primary;
    facts.hidden = joints.hidden = run === null;
    if (!run) return;
    const { payload } = run;
    // A what-if run must not look like a recorded one.
    kind.textContent =
      run.role === "whatif"
        ? `what-if run computed on this page${run.outdated ? " (with earlier settings)" : ""}`
        : {
            run: run.role === "ideal" ? "ideal joints" : "recorded run",
            compare: "laws compared",
            playground: "playground",
            study: "point of a study, run on this page",
          }[boot.kind];
    title.textContent = boot.kind === "playground" ? payload.model.name : boot.title;
    description.textContent = payload.model.description ?? "";
    // The playground describes its models itself.
    description.hidden = !payload.model.description || boot.kind === "playground";
    facts.replaceChildren(...signature(run));
    joints.hidden = Object.keys(payload.summary.contacts).length === 0;
    joints.replaceChildren(...jointCards(run));
  };
  store.subscribe((_, changed) => {
    if (changed.has("primary") || changed.has("runs")) show();
  });
  show();
}

function fact(
  name: string,
  value: string,
  note: string | null = null,
  state: "" | "good" | "bad" = "",
  tip = "",
): HTMLElement {
  return h(
    "div",
    { title: tip || null },
    h("dt", {}, name),
    h(state ? `dd.${state}` : "dd", {}, value, note && h("small", {}, note)),
  );
}

function signature(run: RunData): HTMLElement[] {
  const { payload: p } = run;
  const s = p.summary;
  const ended = s.outcome === "reached-end" ? `reached ${quantity(s.t_end, "s")}` : (s.message ?? s.outcome);
  const state = s.outcome === "reached-end" ? "good" : s.outcome === "failed" ? "bad" : "";
  const residual = s.energy_residual;
  return [
    fact(
      p.law.includes(";") ? "Contact laws" : "Contact law",
      p.ideal ? "ideal joints" : p.law || NONE,
      null,
      "",
      p.sheets.map((x) => x.title).join(" + "),
    ),
    fact("Outcome", ended, null, state),
    fact(
      "Energy residual",
      number(residual, 2),
      s.energy_residual_joule === null ? null : quantity(s.energy_residual_joule, "J", 2),
      residual === null ? "" : residual < 1e-4 ? "good" : "bad",
      "Unexplained energy (ledger residual plus drift control) as a fraction of the energy in play",
    ),
    fact(
      "Cost",
      count(s.steps, "step"),
      s.wall_seconds === null ? `${number(s.rhs_evaluations)} evaluations` : quantity(s.wall_seconds, "s"),
      "",
      `${number(s.rhs_evaluations)} evaluations of the equations of motion`,
    ),
    fact(
      "Method",
      p.settings.method,
      `rtol ${number(p.settings.rtol, 2)}`,
      "",
      `${s.formulation || p.settings.formulation} coordinates`,
    ),
    fact(
      "Digest",
      p.model.digest.slice(0, 12),
      p.model.changes.length > 0 ? count(p.model.changes.length, "change") : null,
      "",
      p.model.digest,
    ),
  ];
}

/** Summaries of the joints; of many, those are folded away. */
function jointCards(run: RunData): HTMLElement[] {
  const { payload } = run;
  const all = Object.entries(payload.summary.contacts);
  const cards = (): HTMLElement[] => all.map(([name, c]) => jointCard(name, c, payload));
  if (!isMany(run)) return cards();
  const hardest = watched(run, null);
  const impacts = all.reduce((sum, [, c]) => sum + c.impacts, 0);
  const peak = quantity(payload.summary.contacts[hardest]?.peak_force ?? null, "N");
  const said = `${count(impacts, "impact")}, greatest force ${peak} in ${hardest}`;
  const inside = h("div.joints");
  const fold = h(
    "details.fold.joints-fold",
    {},
    h("summary", {}, h("b", {}, count(all.length, "joint")), ` ${said}`),
    inside,
  );
  fold.addEventListener("toggle", () => {
    if (inside.childElementCount === 0) inside.append(...cards());
  });
  return [fold];
}

/** Summary of one joint: its main numbers, and how its time was spent. */
function jointCard(name: string, c: ContactSummary, payload: Payload): HTMLElement {
  const view = payload.scene.contacts.find((v) => v.joint === name);
  const size =
    view && view.clearance > 0
      ? `${quantity(view.clearance, "m")} ${view.form === "block" ? "on each side" : "radial"}`
      : null;
  const free = 1 - (c.contact_fraction ?? 0);
  const shares: [string, string, number][] = [
    ["free", "free", free],
    ["impact", "impact", c.impact_fraction ?? 0],
    ["contact", "contact", c.continuous_fraction ?? 0],
  ];
  const domain = c.out_of_domain ?? 0;
  return h(
    "article.joint",
    { "aria-label": `Joint ${name}` },
    h("div.who", {}, h("h2", {}, name), size && h("span.quiet", {}, size)),
    h(
      "dl.values",
      {},
      ...cardNumbers(c).map(({ title, meaning, text, note }) =>
        h("div", { title: meaning }, h("dt", {}, title), h("dd", {}, text, note && h("small", {}, note))),
      ),
    ),
    h(
      "div.spent",
      {},
      h(
        "div.shares",
        { role: "img", "aria-label": shares.map(([, label, x]) => `${label} ${percent(x)}`).join(", ") },
        ...shares.filter(([, , x]) => x > 0).map(([css, , x]) => h(`i.${css}`, { style: `flex-grow:${x}` })),
      ),
      h(
        "p.keys",
        { "aria-hidden": "true" },
        ...shares.map(([css, label, x]) => h("span", {}, h(`i.${css}`), `${label} ${percent(x)}`)),
        domain > 0 && h("span.warned", {}, `outside domain ${percent(domain)}`),
      ),
    ),
  );
}

function themeSwitch(store: Store): HTMLElement {
  const themes: [Theme, string][] = [
    ["light", "Light"],
    ["auto", "Auto"],
    ["dark", "Dark"],
  ];
  const buttons = themes.map(([theme, text]) =>
    h("button", { type: "button", onclick: () => store.setTheme(theme) }, text),
  );
  const show = (): void =>
    buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(store.state.theme === themes[i][0])));
  store.subscribe((_, changed) => {
    if (changed.has("theme")) show();
  });
  show();
  return h("div.group.noprint", { role: "group", "aria-label": "Colours of the page" }, ...buttons);
}

/** A journal at the wall of its bearing. */
function logo(): Element {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML =
    '<circle cx="12" cy="12" r="10.5" fill="none" stroke="currentColor" stroke-width="2"/><circle cx="14.6" cy="14.6" r="5.8" fill="var(--accent)"/>';
  return svg;
}

/** Warnings of the run and of the model reader, problems of a what-if, and progress. */
export function mountNotes(root: HTMLElement, store: Store): void {
  const problem = h("div.note.bad", { role: "alert", hidden: true });
  const list = h("details.note.warn", { hidden: true });
  window.addEventListener("beforeprint", () => list.setAttribute("open", ""));
  const progress = h("div.progress", { role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100, hidden: true });
  document.body.append(progress);
  const show = (): void => {
    const { state, primary } = store;
    problem.hidden = state.problem === null;
    problem.textContent = state.problem ?? "";
    const s = primary?.payload.summary;
    const warnings =
      primary && s
        ? [...(s.outcome === "reached-end" || !s.message ? [] : [s.message]), ...s.warnings, ...primary.payload.notes]
        : [];
    list.hidden = warnings.length === 0;
    list.classList.toggle("single", warnings.length === 1);
    list.replaceChildren(
      h(
        "summary",
        {},
        h("b", {}, warnings.length === 1 ? "Warning" : `${warnings.length} warnings`),
        h("span", {}, warnings[0] ?? ""),
      ),
      ...(warnings.length > 1 ? [h("ul", {}, ...warnings.map((w) => h("li", {}, w)))] : []),
    );
    root.hidden = list.hidden && problem.hidden;
  };
  const busy = (): void => {
    const { busy } = store.state;
    progress.hidden = busy === null;
    if (!busy) return;
    progress.style.setProperty("--share", String(busy.progress));
    progress.setAttribute("aria-valuenow", String(Math.round(100 * busy.progress)));
    progress.setAttribute("aria-label", busy.label);
  };
  root.append(problem, list);
  store.subscribe((_, changed) => {
    if (changed.has("primary") || changed.has("runs") || changed.has("problem")) show();
    if (changed.has("busy")) busy();
  });
  show();
}
