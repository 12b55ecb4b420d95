// The mechanism on a canvas: bodies, joints, springs, drivers, and forces as arrows.
import { Camera, type Box } from "./camera.ts";
import { Surface, h } from "./dom.ts";
import { clock, number, quantity } from "./format.ts";
import { inWords, isMany, scale, watched } from "./heat.ts";
import { Painter } from "./mechanism.ts";
import { MODES, at, bounds, modeAt, totalForce, touches } from "./motion.ts";
import { watchColors } from "./palette.ts";
import type { Store } from "./store.ts";
import type { RunData, Scene } from "./types.ts";

export function mountScene(root: HTMLElement, store: Store): void {
  root.classList.add("panel");
  const camera = new Camera();
  const show = { names: false, forces: false, watched: null as string | null };
  let run: RunData | null = null;
  let painter: Painter | null = null;
  const frame = h("div.frame");
  const surface = new Surface(frame, "Mechanism", (context, width, height) => {
    if (!painter) return;
    camera.frame(width, height, 24);
    show.watched = run && isMany(run) ? watched(run, store.state.watched) : null;
    painter.draw(context, width, height, store.state.t, store.state.speed, show);
  });
  const redraw = (): void => surface.redraw();
  camera.attach(surface.canvas, redraw);
  const toggle = (key: "names" | "forces", label: string): HTMLElement => {
    const button = h("button.bare", { type: "button", "aria-pressed": "false" }, label);
    button.addEventListener("click", () => {
      show[key] = !show[key];
      button.setAttribute("aria-pressed", String(show[key]));
      redraw();
    });
    return button;
  };
  const which = h<HTMLSelectElement>("select.which", { "aria-label": "Run that is shown" });
  which.addEventListener("change", () => store.setPrimary(which.value));
  const runs = (): void => {
    const list = store.state.runs;
    which.hidden = list.length < 2;
    which.replaceChildren(...list.map((r) => h("option", { value: r.id }, r.label)));
    which.value = store.state.primary ?? "";
    which.style.setProperty("--run", `var(--c${(store.primary?.color ?? 0) % 7})`);
  };
  const legend = h("p.keys.legend");
  frame.append(camera.buttons(redraw));
  root.append(
    h(
      "div.bar",
      {},
      h("h2", {}, "Mechanism"),
      which,
      h("span.grow"),
      toggle("names", "Names"),
      toggle("forces", "Joint forces"),
    ),
    frame,
    legend,
  );

  let settle = 0;
  const describeSoon = (): void => {
    window.clearTimeout(settle);
    if (!store.state.playing)
      settle = window.setTimeout(() => {
        if (run) surface.canvas.setAttribute("aria-label", describe(run, store.state.t));
      }, 300);
  };
  const load = (): void => {
    if (store.primary === run) return;
    run = store.primary;
    root.hidden = run === null;
    if (!run) return;
    const box = padded(run.payload.scene);
    camera.setBox(box);
    frame.style.setProperty("--aspect", String(Math.min(2.6, Math.max(1.25, (box[2] - box[0]) / (box[3] - box[1])))));
    painter = new Painter(run, camera);
    legend.replaceChildren(...keys(run));
  };
  store.subscribe((_, changed) => {
    if (changed.has("primary") || changed.has("runs")) {
      load();
      runs();
    }
    if (changed.has("t") || changed.has("primary") || changed.has("runs") || changed.has("watched")) redraw();
    if (changed.has("t") || changed.has("playing") || changed.has("primary")) describeSoon();
  });
  watchColors(redraw);
  load();
  runs();
}

/** What the colours of the drawing mean. */
function keys(run: RunData): HTMLElement[] {
  if (isMany(run)) {
    const [least, most] = scale(run);
    const range = `${quantity(least, "N", 2)} … ${quantity(most, "N", 2)}`;
    return [
      h("span", {}, h("i.heat"), `contact force of each joint, ${range}`),
      h("span", {}, h("i.line.load"), "load"),
    ];
  }
  return [
    h("span", {}, h("i.line.force"), "contact force"),
    h("span", {}, h("i.line.load"), "load"),
    h("span", {}, h("i.ring.free"), "free flight"),
    h("span", {}, h("i.ring.impact"), "impact"),
    h("span", {}, h("i.ring.contact"), "in contact"),
  ];
}

/** Bounds with room for what has a size of its own. */
function padded(scene: Scene): Box {
  const [a, b, c, d] = bounds(scene);
  let pad = 0;
  for (const contact of scene.contacts) pad = Math.max(pad, 1.6 * (contact.pin_radius + contact.clearance));
  for (const body of scene.bodies)
    for (const shape of body.shapes) if (shape.type === "disc") pad = Math.max(pad, shape.radius);
  return [a - pad, b - pad, c + pad, d + pad];
}

function describe(run: RunData, t: number): string {
  const {
    scene,
    span: [a, b],
  } = run.payload;
  if (isMany(run)) return `Mechanism at t = ${clock(t, b - a)}: ${inWords(run, t)}`;
  const when = at(run, t);
  const bodies = scene.bodies
    .filter((x) => x.x.n > 0)
    .map((body) => {
      const value = (r: typeof body.x): number => run.ref(r)[when.i];
      return `${body.name} at ${quantity(value(body.x), "m")}, ${quantity(value(body.y), "m")}, turned ${number((value(body.angle) * 180) / Math.PI)}°`;
    });
  const joints = scene.contacts.map((view) => {
    const mode = modeAt(run, view.joint, t);
    return `${view.joint} ${mode ? MODES[mode].text : ""} ${quantity(totalForce(touches(run, view, when)), "N")}`;
  });
  return `Mechanism at t = ${clock(t, b - a)}: ${[...bodies, ...joints].join("; ")}`;
}
