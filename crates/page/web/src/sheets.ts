// Data sheets of the laws in use, assumptions, settings and provenance: closed until asked for.
import { h } from "./dom.ts";
import { number, percent, prettyUnit, quantity } from "./format.ts";
import type { Store } from "./store.ts";
import type { ContactSummary, Payload, Sheet } from "./types.ts";

export function mountSheets(root: HTMLElement, store: Store): void {
  const laws = h("details.panel.fold");
  const settings = h("details.panel.fold");
  root.append(laws, settings);
  let shown: Payload | null = null;
  const show = (): void => {
    const payload = store.primary?.payload ?? null;
    root.hidden = payload === null;
    if (!payload || payload === shown) return;
    shown = payload;
    laws.hidden = payload.sheets.length === 0;
    laws.replaceChildren(
      h(
        "summary",
        {},
        h("h2", {}, "Data sheets of the laws"),
        h("span.quiet", {}, payload.sheets.map((s) => s.title).join(" · ")),
      ),
      h("div.cards", {}, ...payload.sheets.map(sheet)),
    );
    settings.replaceChildren(
      h(
        "summary",
        {},
        h("h2", {}, "Assumptions, settings, provenance"),
        h(
          "span.quiet",
          {},
          `${payload.settings.method} · rtol ${number(payload.settings.rtol, 2)} · ${payload.model.digest.slice(0, 12)}`,
        ),
      ),
      h("div.cards", {}, assumptions(payload), numerics(payload), provenance(payload)),
    );
  };
  store.subscribe((_, changed) => {
    if (changed.has("primary") || changed.has("runs")) show();
  });
  window.addEventListener("beforeprint", () => {
    laws.setAttribute("open", "");
    settings.setAttribute("open", "");
  });
  show();
}

function sheet(s: Sheet): HTMLElement {
  const formula = h("div.formula");
  formula.innerHTML = s.formula;
  return h(
    "article.sheet",
    {},
    h("h3", {}, s.title, h("span.label", {}, s.family)),
    formula,
    h(
      "dl.rows",
      {},
      row("Source", marked(s.source)),
      row("Domain", marked(s.domain)),
      s.bounds.length > 0 && row("Bounds", s.bounds.join("; ")),
      ...s.checks.map((c) => row(`In ${c.joint}`, h(c.verdict === "outside" ? "span.warned" : "span", {}, c.text))),
      s.joints.length > 0 && row("Used in", s.joints.join(", ")),
      ...s.parameters.map((p) => row(p.name, h("span", {}, symbol(p.symbol), " = ", parameter(p.value, p.unit)))),
    ),
    ...s.notes.map((n) => h("p.quiet", {}, marked(n))),
  );
}

/** `c_r` with its index low. */
function symbol(text: string): HTMLElement {
  const [name, ...index] = text.split("_");
  return h("i", {}, name, index.length > 0 && h("sub", {}, index.join("_").replace(/[{}]/g, "")));
}

/** Text with `keys` in backticks. */
function marked(text: string): HTMLElement {
  return h("span", {}, ...text.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part)));
}

/** Stiffnesses with odd units keep their powers of ten. */
function parameter(value: number, unit: string): Node {
  if (!unit.includes("^")) return document.createTextNode(quantity(value, unit, 4));
  const [first, ...rest] = prettyUnit(unit).split("^");
  return h(
    "span",
    {},
    `${number(value, 4)}\u00a0${first}`,
    ...rest.flatMap((part) => {
      const [, power, after] = /^\(?(-?[\d./]+)\)?(.*)$/.exec(part) ?? [part, "", part];
      return [h("sup", {}, power.replace("-", "\u2212")), after];
    }),
  );
}

function row(name: string, value: string | Node): HTMLElement {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

function assumptions(p: Payload): HTMLElement {
  const of = (kind: string): string =>
    p.scene.joints
      .filter((j) => j.kind === kind)
      .map((j) => j.name)
      .join(", ");
  const play = p.scene.contacts
    .map((c) => (c.clearance > 0 ? `${c.joint} (${quantity(c.clearance, "m")})` : c.joint))
    .join(", ");
  const gravity = Math.hypot(...p.scene.gravity);
  return h(
    "article.sheet",
    {},
    h("h3", {}, "Assumptions"),
    h(
      "dl.rows",
      {},
      row("Bodies", "rigid and planar; only contacts deform, according to their law"),
      play && row("With clearance", play),
      of("ideal") && row("Without clearance", of("ideal")),
      of("bushing") && row("Bushings", of("bushing")),
      row("Gravity", gravity > 0 ? `${number(gravity, 4)} m/s²` : "none"),
      ...Object.entries(p.summary.contacts).map(([joint, c]) => row(`Law of ${joint}`, domainOf(joint, c, p))),
    ),
  );
}

/** The checks against the data sheets of a joint's law, and their results. */
function domainOf(joint: string, c: ContactSummary, p: Payload): string {
  const checks = p.sheets.flatMap((s) => s.checks.filter((k) => k.joint === joint).map((k) => ({ id: s.id, ...k })));
  const told = (verdict: string): string[] =>
    checks.filter((k) => k.verdict === verdict).map((k) => `${k.id}: ${k.text}`);
  const outside = [...told("outside"), ...told("unchecked")];
  const share = c.out_of_domain ? `outside its domain for ${percent(c.out_of_domain)} of the contact time` : null;
  if (checks.length === 0) return share ?? "its data sheets give no limits that can be checked";
  const inside = told("inside");
  return [share, ...outside, ...inside].filter((text) => text !== null).join("; ");
}

function numerics(p: Payload): HTMLElement {
  const { settings: g, summary: s } = p;
  return h(
    "article.sheet",
    {},
    h("h3", {}, "Settings and cost"),
    h(
      "dl.rows",
      {},
      row("Until", quantity(g.until, "s", 6)),
      row("Method", g.method),
      row("Relative tolerance", number(g.rtol, 2)),
      row("Formulation", g.formulation),
      row("Output every", quantity(g.interval, "s")),
      row("Samples", number(p.samples)),
      row("Steps", number(s.steps)),
      row("Evaluations", number(s.rhs_evaluations)),
      row("Wall time", quantity(s.wall_seconds, "s")),
    ),
  );
}

function provenance(p: Payload): HTMLElement {
  return h(
    "article.sheet",
    {},
    h("h3", {}, "Provenance"),
    h(
      "dl.rows",
      {},
      row("Program", `jointplay ${p.program.version}`),
      row("Model", p.model.name),
      row("Digest", h("code", {}, p.model.digest)),
      row("Law", p.law || "none"),
      ...p.model.changes.map((c) => row("Changed", h("code", {}, c))),
    ),
  );
}
