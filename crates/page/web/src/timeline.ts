// Modes of one joint over the whole run: height and colour say the mode, a click goes there.
import { Surface, h } from "./dom.ts";
import { percent, quantity } from "./format.ts";
import { MODES, at, modeAt, modesOf, totalForce, touches } from "./motion.ts";
import { colors, watchColors } from "./palette.ts";
import { Scrub } from "./scrub.ts";
import type { Store } from "./store.ts";
import type { ContactView, Pair, RunData } from "./types.ts";

export class Timeline {
  readonly root: HTMLElement;
  #run: RunData;
  #view: ContactView | undefined;
  #joint: string;
  #scrub: Scrub;
  #now = h("span.now");
  #surface: Surface;

  constructor(joint: string, run: RunData, store: Store) {
    this.#joint = joint;
    this.#run = run;
    this.#view = run.payload.scene.contacts.find((c) => c.joint === joint);
    const track = h("div.track");
    this.#surface = new Surface(track, this.#label(), (c, w, height) => this.#draw(c, w, height));
    this.root = h("div.line", {}, h("span.name", { title: joint }, joint), track, this.#now);
    this.#scrub = new Scrub(track, run.payload.span, store);
    // A joint of a run that is gone is left alone.
    const stop = watchColors(() => (this.root.isConnected ? this.#surface.redraw() : stop()));
    this.show(store.state.t);
    this.showWindow(store.state.window);
  }

  show(t: number): void {
    this.#scrub.show(t);
    const mode = modeAt(this.#run, this.#joint, t);
    const list = this.#view ? touches(this.#run, this.#view, at(this.#run, t)) : [];
    this.#now.className = `now ${mode ? MODES[mode].css : ""}`;
    const force = list.length > 0 ? quantity(totalForce(list), "N") : "";
    this.#now.textContent = [mode ? MODES[mode].text : "", force].filter(Boolean).join(" · ");
  }

  showWindow(window: Pair): void {
    this.#scrub.showWindow(window);
  }

  #label(): string {
    const c = this.#run.payload.summary.contacts[this.#joint];
    return (
      `Modes of ${this.#joint} over time` +
      (c ? `: in contact ${percent(c.contact_fraction)} of the time, ${c.impacts} impacts` : "")
    );
  }

  /** Free flight is a thin line, continuous contact half high, an impact a full bar, at least a pixel wide. */
  #draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const palette = colors();
    const list = modesOf(this.#run, this.#joint);
    const order = ["free-flight", "continuous-contact", "impact"] as const;
    for (const mode of order) {
      const tall = { "free-flight": 1.5, "continuous-contact": Math.round(height * 0.5), impact: height }[mode];
      context.fillStyle = palette[MODES[mode].css];
      let painted = -1;
      for (const span of list) {
        if (span.mode !== mode) continue;
        const from = width * this.#scrub.share(span.start);
        const to = Math.max(from + (mode === "impact" ? 1 : 0.5), width * this.#scrub.share(span.end));
        if (to <= painted) continue;
        context.fillRect(from, height - tall, to - from, tall);
        painted = to - 0.5;
      }
    }
  }
}
