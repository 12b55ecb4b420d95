// The force of every contact over the whole run as colours, in the place of timelines that are too many: a click goes there.
import { Surface, h } from "./dom.ts";
import { quantity } from "./format.ts";
import { greatest, ramp, shareOf, watched } from "./heat.ts";
import { at, peakForce, totalForce, touches } from "./motion.ts";
import { colors, watchColors } from "./palette.ts";
import { Scrub } from "./scrub.ts";
import type { Store } from "./store.ts";
import type { Pair, RunData } from "./types.ts";

/** Height of a row and of the whole (px). */
const ROW = 7;
const [LOW, HIGH] = [56, 132];

export class ForceMap {
  readonly root: HTMLElement;
  #run: RunData;
  #store: Store;
  #scrub: Scrub;
  #row = h("i.row");
  #name = h("span.name");
  #now = h("span.now");
  #surface: Surface;
  /** The picture, made anew where size or colours change. */
  #image: { key: string; canvas: HTMLCanvasElement } | null = null;

  constructor(run: RunData, store: Store) {
    this.#run = run;
    this.#store = store;
    const { contacts } = run.payload.scene;
    const track = h("div.track.map", {
      style: `height:${Math.min(HIGH, Math.max(LOW, ROW * contacts.length))}px`,
      title: "Contact force of every joint over time: one row each, the first on top",
    });
    const label = `Contact forces of ${contacts.length} joints over time; greatest: ${quantity(peakForce(run), "N")} in ${watched(run, null)}`;
    this.#surface = new Surface(track, label, (c, width, height) => this.#draw(c, width, height));
    track.append(this.#row);
    this.root = h("div.line.many", { "data-testid": "force-map" }, this.#name, track, this.#now);
    this.#scrub = new Scrub(track, run.payload.span, store, (down) => {
      const row = Math.min(contacts.length - 1, Math.floor(down * contacts.length));
      store.watch(contacts[row].joint);
    });
    const stop = watchColors(() => (this.root.isConnected ? this.#surface.redraw() : stop()));
    this.show(store.state.t);
    this.showWindow(store.state.window);
  }

  show(t: number): void {
    const { contacts } = this.#run.payload.scene;
    const joint = watched(this.#run, this.#store.state.watched);
    const place = contacts.findIndex((view) => view.joint === joint);
    this.#scrub.show(t);
    this.#row.style.top = `${(100 * place) / contacts.length}%`;
    this.#row.style.height = `${100 / contacts.length}%`;
    this.#name.textContent = joint;
    this.#name.title = joint;
    const force = totalForce(touches(this.#run, contacts[place], at(this.#run, t)));
    this.#now.textContent = force > 0 ? quantity(force, "N", 3, true) : "apart";
    this.#now.className = `now ${force > 0 ? "contact" : "free"}`;
  }

  showWindow(window: Pair): void {
    this.#scrub.showWindow(window);
  }

  #draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const columns = Math.max(1, Math.round(width));
    const { heat } = colors();
    const key = `${columns} ${heat.join()}`;
    if (this.#image?.key !== key) this.#image = { key, canvas: this.#picture(columns, heat) };
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#image.canvas, 0, 0, width, height);
  }

  /** One pixel for each joint and part of the time. */
  #picture(columns: number, heat: string[]): HTMLCanvasElement {
    const { contacts } = this.#run.payload.scene;
    const canvas = h<HTMLCanvasElement>("canvas");
    [canvas.width, canvas.height] = [columns, contacts.length];
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(columns, contacts.length);
    const peak = peakForce(this.#run);
    const table = Array.from({ length: 256 }, (_, i) => ramp(heat, i / 255));
    contacts.forEach((view, row) => {
      greatest(this.#run, view, columns).forEach((force, column) => {
        const color = table[Math.round(255 * shareOf(force, peak))];
        image.data.set([...color, 255], 4 * (row * columns + column));
      });
    });
    context.putImageData(image, 0, 0);
    return canvas;
  }
}
