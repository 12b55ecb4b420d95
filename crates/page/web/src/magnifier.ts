// One magnifier for each contact: the clearance enlarged, trace of the centre, contact point, normal and force.
import { Surface, h } from "./dom.ts";
import { clock, number, quantity, scaleOf } from "./format.ts";
import { BlockLens } from "./blocklens.ts";
import { isMany, watched } from "./heat.ts";
import type { Lens } from "./lens.ts";
import { K_MAX, K_MIN, gapToSee, kOf, sliderOf, startK } from "./magnify.ts";
import { MODES, at, modeAt, totalForce, touches } from "./motion.ts";
import { watchColors } from "./palette.ts";
import { PinLens } from "./pinlens.ts";
import type { Store } from "./store.ts";
import type { ContactView, RunData } from "./types.ts";

interface Settings {
  k: number;
  trace: number;
}

export function mountMagnifiers(root: HTMLElement, store: Store): void {
  let run: RunData | null = null;
  let one: string | null = null;
  let list: Magnifier[] = [];
  const kept = new Map<string, Settings>();
  const load = (): void => {
    const { primary } = store;
    const next = primary && isMany(primary) ? watched(primary, store.state.watched) : null;
    if (primary === run && next === one) return;
    [run, one] = [primary, next];
    const all = run?.payload.scene.contacts ?? [];
    // Of many contacts the one that is looked at.
    const contacts = one === null ? all : all.filter((view) => view.joint === one);
    root.hidden = contacts.length === 0;
    root.dataset.count = String(Math.min(3, contacts.length));
    list = run ? contacts.map((view) => new Magnifier(run!, view, store, kept)) : [];
    root.replaceChildren(...list.map((m) => m.root));
  };
  store.subscribe((_, changed) => {
    if (changed.has("primary") || changed.has("runs") || changed.has("watched")) load();
    if (changed.has("t") || changed.has("playing") || changed.has("runs")) for (const m of list) m.show();
  });
  watchColors(() => {
    for (const m of list) m.show();
  });
  load();
}

/** Runs beside the one that is animated. */
const others = (store: Store): RunData[] =>
  store.state.runs.filter((r) => r.visible && r.id !== store.state.primary && r.role !== "ideal");

/** Which of many contacts is looked at. */
function chooser(run: RunData, view: ContactView, store: Store): HTMLElement[] {
  if (!isMany(run)) return [];
  const select = h<HTMLSelectElement>(
    "select",
    { "aria-label": "Joint that is enlarged", "data-testid": "watched" },
    ...run.payload.scene.contacts.map(({ joint }) => h("option", { value: joint }, joint)),
  );
  select.value = view.joint;
  select.addEventListener("change", () => store.watch(select.value));
  return [h("span.grow"), select];
}

class Magnifier {
  readonly root: HTMLElement;
  #run: RunData;
  #view: ContactView;
  #store: Store;
  #lens: Lens;
  #settings: Settings;
  #surface: Surface;
  #mode = h("dd");
  #force = h("dd");
  #gapName = h("dt", {}, "Gap");
  #gap = h("dd");
  #place = h("dd");
  #keys = h("p.keys.runs", { hidden: true });
  #keyed = "";
  #settle = 0;

  constructor(run: RunData, view: ContactView, store: Store, kept: Map<string, Settings>) {
    this.#run = run;
    this.#view = view;
    this.#store = store;
    const [a, b] = run.payload.span;
    const key = `${run.payload.model.name}/${view.joint}`;
    this.#settings = kept.get(key) ?? {
      k: startK(view, gapToSee(view, run.ref(view.px), run.ref(view.py))),
      trace: (run.payload.period ?? (b - a) / 4) / 2,
    };
    kept.set(key, this.#settings);
    this.#lens = this.#newLens();
    const frame = h("div.frame");
    this.#surface = new Surface(frame, `Clearance of ${view.joint}`, (c, width, height) =>
      this.#lens.draw(c, width, height, store.state.t, store.state.speed, this.#settings.trace, others(store)),
    );
    const play =
      view.clearance > 0
        ? `${quantity(view.clearance, "m")} ${view.form === "block" ? "clearance on each side" : "radial clearance"}`
        : "contact";
    const seen = run.payload.scene.bodies[view.wall_body]?.name ?? "";
    const pinned = run.payload.scene.bodies[view.pin_body]?.name ?? "the pin";
    this.root = h(
      "article.magnifier.panel",
      { "aria-label": `Magnifier on ${view.joint}` },
      h("div.bar", {}, h("h2", {}, view.joint), h("span.quiet", {}, play), ...chooser(run, view, store)),
      h(
        "div.body",
        {},
        frame,
        h(
          "div.side",
          {},
          h(
            "dl.readout",
            {},
            h("div", {}, h("dt", {}, "Mode"), this.#mode),
            h("div", {}, h("dt", {}, "Force"), this.#force),
            h("div", {}, this.#gapName, this.#gap),
            h(
              "div",
              {},
              h("dt", {}, view.form === "block" ? "Tilt" : view.form === "journal" ? "Eccentricity" : "Place"),
              this.#place,
            ),
          ),
          h("div.sliders", {}, this.#magnification(), this.#traceLength(b - a)),
          h(
            "p.keys",
            {},
            h("span", {}, h("i.line.free"), "free flight"),
            h("span", {}, h("i.line.impact"), "impact"),
            h("span", {}, h("i.line.contact"), "in contact"),
            h("span", {}, h("i.line.force"), `force on ${pinned}`),
          ),
          this.#keys,
          h("p.quiet.seen", {}, `The view is fixed to ${seen}.`),
        ),
      ),
    );
    this.show();
  }

  show(): void {
    this.#surface.redraw();
    const { t, playing } = this.#store.state;
    const run = this.#run;
    const when = at(run, t);
    const mode = modeAt(run, this.#view.joint, t);
    const force = totalForce(touches(run, this.#view, when));
    const gap = this.#lens.gap(when);
    this.#mode.className = mode ? MODES[mode].css : "";
    this.#mode.textContent = mode ? MODES[mode].text : "–";
    this.#force.textContent = force > 0 ? quantity(force, "N", 3, true) : "0 N";
    this.#gapName.textContent = gap < 0 ? "Indentation" : "Gap";
    this.#gap.textContent = Number.isNaN(gap) ? "–" : quantity(Math.abs(gap), "m", 3, true);
    this.#place.textContent = this.#lens.place(when);
    this.#showRuns();
    window.clearTimeout(this.#settle);
    if (!playing) this.#settle = window.setTimeout(() => this.#describe(), 300);
  }

  #showRuns(): void {
    const list = others(this.#store);
    const key = list.map((r) => `${r.id} ${r.label} ${r.color}`).join();
    if (key === this.#keyed) return;
    this.#keyed = key;
    this.#keys.hidden = list.length === 0;
    this.#keys.replaceChildren(
      ...list.map((r) => h("span", {}, h("i.ring", { style: `border-color:var(--c${r.color % 7})` }), r.label)),
    );
  }

  #describe(): void {
    const [a, b] = this.#run.payload.span;
    this.#surface.canvas.setAttribute(
      "aria-label",
      `Clearance of ${this.#view.joint}, enlarged ${number(this.#settings.k)} times, at t = ${clock(this.#store.state.t, b - a)}: ` +
        `${this.#mode.textContent}, force ${this.#force.textContent}, ${this.#gapName.textContent!.toLowerCase()} ${this.#gap.textContent}, ${this.#place.textContent}`,
    );
  }

  #newLens(): Lens {
    return this.#view.block
      ? new BlockLens(this.#run, this.#view, this.#settings.k)
      : new PinLens(this.#run, this.#view, this.#settings.k);
  }

  #magnification(): HTMLElement {
    const out = h("output");
    const input = h<HTMLInputElement>("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.005,
      value: sliderOf(this.#settings.k),
    });
    const show = (): void => {
      out.textContent = `×${number(this.#settings.k, 2)}`;
      input.setAttribute("aria-valuetext", `${number(this.#settings.k, 2)} times`);
    };
    input.addEventListener("input", () => {
      this.#settings.k = Math.min(K_MAX, Math.max(K_MIN, Number(kOf(Number(input.value)).toPrecision(2))));
      this.#lens = this.#newLens();
      show();
      this.show();
    });
    show();
    return h("label", {}, h("span", {}, "Enlarged"), input, out);
  }

  /** From a thousandth of the run to the whole of it. */
  #traceLength(span: number): HTMLElement {
    const out = h("output");
    const least = span / 1000;
    const input = h<HTMLInputElement>("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.005,
      value: Math.log(this.#settings.trace / least) / Math.log(1000),
    });
    const show = (): void => {
      const { trace } = this.#settings;
      const scale = scaleOf(trace, "s");
      out.textContent = trace >= 0.999 * span ? "all" : `${number(trace / scale.factor, 2)} ${scale.unit}`;
      input.setAttribute("aria-valuetext", out.textContent);
    };
    input.addEventListener("input", () => {
      this.#settings.trace = least * 1000 ** Number(input.value);
      show();
      this.#surface.redraw();
    });
    show();
    return h("label", {}, h("span", {}, "Trace"), input, out);
  }
}
