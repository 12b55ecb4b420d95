// Play, pause, speed, scrub bar, and under it the mode timeline of each joint.
import { h, typing } from "./dom.ts";
import { clock, pace, quantity } from "./format.ts";
import { ForceMap } from "./forcemap.ts";
import { inWords, isMany } from "./heat.ts";
import { MODES, advance, at, impactStarts, modeAt, playing, totalForce, touches } from "./motion.ts";
import { indexAt } from "./payload.ts";
import { SPEEDS, type Store } from "./store.ts";
import { Timeline } from "./timeline.ts";
import type { Pair, RunData } from "./types.ts";

const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  previous: "M3 2.5h2v11H3zM13.5 2.5v11L5.5 8z",
  next: "M11 2.5h2v11h-2zM2.5 2.5v11L10.5 8z",
};

function icon(name: keyof typeof ICONS): Element {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = `<path d="${ICONS[name]}"/>`;
  return svg;
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

export function mountPlayer(root: HTMLElement, store: Store): void {
  const button = (name: keyof typeof ICONS, label: string, onclick: () => void): HTMLButtonElement =>
    h<HTMLButtonElement>("button.icon", { type: "button", "aria-label": label, title: label, onclick }, icon(name));
  const toggle = (label: string, tip: string, change: (on: boolean) => void): HTMLButtonElement => {
    const b = h<HTMLButtonElement>("button.bare", { type: "button", "aria-pressed": "false", title: tip }, label);
    b.addEventListener("click", () => {
      const on = b.getAttribute("aria-pressed") !== "true";
      b.setAttribute("aria-pressed", String(on));
      change(on);
    });
    return b;
  };

  let loop = false;
  let linger = 0;
  const main = button("play", "Play (space)", () => (store.state.playing ? store.pause() : store.play()));
  main.classList.add("primary");
  const previous = button("previous", "Previous impact (p)", () => jump(store, -1));
  const next = button("next", "Next impact (n)", () => jump(store, 1));
  const time = h("output.clock", { "aria-label": "Time" });
  const speed = h<HTMLSelectElement>(
    "select",
    { "aria-label": "Playback speed relative to real time", title: "Playback speed relative to real time (− and +)" },
    ...SPEEDS.map((x) => h("option", { value: x }, pace(x))),
  );
  const scrub = h<HTMLInputElement>("input.scrub", { type: "range", step: "any", "aria-label": "Time of the motion" });
  const rows = h("div.rows");
  const live = h("p.hidden", { role: "status" });
  root.append(
    h("div.controls", {}, previous, main, next, time),
    h(
      "div.options",
      {},
      h("label.inline", {}, "speed", speed),
      toggle("Slow at impacts", "Slow down so that each impact lasts about a second", (on) => {
        linger = on ? 1 : 0;
      }),
      toggle("Loop", "Loop over the visible time span", (on) => {
        loop = on;
      }),
    ),
    scrub,
    rows,
    live,
  );

  let run: RunData | null = null;
  let lines: (Timeline | ForceMap)[] = [];
  let impacts: Pair[] = [];
  speed.addEventListener("change", () => store.setSpeed(Number(speed.value)));
  scrub.addEventListener("input", () => {
    store.pause();
    store.setTime(Number(scrub.value));
  });

  const showRun = (): void => {
    if (store.primary === run) return;
    const first = run === null;
    run = store.primary;
    root.hidden = run === null;
    if (!run) return;
    [scrub.min, scrub.max] = run.payload.span.map(String);
    impacts = merged(run);
    lines = isMany(run) ? [new ForceMap(run, store)] : playing(run).map((joint) => new Timeline(joint, run!, store));
    rows.replaceChildren(...lines.map((l) => l.root));
    previous.disabled = next.disabled = run.payload.impacts.length === 0;
    if (first && !still.matches && store.state.boot.kind !== "playground") store.play();
  };

  let settle = 0;
  const showTime = (): void => {
    if (!run) return;
    const { t, playing } = store.state;
    const [a, b] = run.payload.span;
    scrub.value = String(t);
    const text = clock(t, b - a);
    scrub.setAttribute("aria-valuetext", text);
    scrub.style.setProperty("--share", String(b > a ? (t - a) / (b - a) : 0));
    time.textContent = text;
    for (const line of lines) line.show(t);
    window.clearTimeout(settle);
    if (!playing)
      settle = window.setTimeout(() => {
        if (run) live.textContent = describe(run, store.state.t);
      }, 400);
  };

  const showPlay = (): void => {
    const on = store.state.playing;
    const label = on ? "Pause (space)" : "Play (space)";
    main.replaceChildren(icon(on ? "pause" : "play"));
    main.setAttribute("aria-label", label);
    main.title = label;
  };

  let last = 0;
  const frame = (now: number): void => {
    const {
      playing,
      t,
      speed,
      window: [a, b],
    } = store.state;
    if (!playing || !run) {
      last = 0;
      return;
    }
    if (last > 0) {
      const dt = Math.min(0.1, (now - last) / 1000);
      const end = t <= b && loop ? b : run.payload.span[1];
      const to = advance(t, dt, speed, impacts, linger);
      if (to < end) store.setTime(to);
      else if (loop) store.setTime(a);
      else
        store.batch(() => {
          store.setTime(end);
          store.pause();
        });
    }
    last = now;
    requestAnimationFrame(frame);
  };

  store.subscribe((state, changed) => {
    if (changed.has("primary") || changed.has("runs")) showRun();
    if (changed.has("t") || changed.has("primary") || changed.has("playing") || changed.has("watched")) showTime();
    if (changed.has("window")) for (const line of lines) line.showWindow(state.window);
    if (changed.has("speed")) showSpeed(speed, state.speed);
    if (changed.has("playing")) {
      showPlay();
      if (state.playing && last === 0) requestAnimationFrame(frame);
    }
  });
  document.addEventListener("keydown", (event) => shortcut(event, store));
  showSpeed(speed, store.state.speed);
  showRun();
}

function showSpeed(select: HTMLSelectElement, speed: number): void {
  if (!SPEEDS.includes(speed)) select.append(h("option", { value: speed }, pace(speed)));
  select.value = String(speed);
}

/** Impacts of all joints as disjoint spans in order. */
function merged(run: RunData): Pair[] {
  const all = run.payload.impacts
    .filter((x) => x.mode === "impact" && x.end > x.start)
    .map<Pair>((x) => [x.start, x.end]);
  all.sort((x, y) => x[0] - y[0]);
  const list: Pair[] = [];
  for (const [a, b] of all) {
    const before = list[list.length - 1];
    if (before && a <= before[1]) before[1] = Math.max(before[1], b);
    else list.push([a, b]);
  }
  return list;
}

/** To the start of the next impact or the one before. */
export function jump(store: Store, direction: 1 | -1): void {
  const run = store.primary;
  if (!run) return;
  const starts = impactStarts(run);
  const { t } = store.state;
  const found = direction > 0 ? starts.find((x) => x.t > t) : starts.filter((x) => x.t < t).pop();
  if (!found) return;
  store.batch(() => {
    store.pause();
    store.setTime(found.t);
    store.selectImpact(found.index);
  });
}

/** To another recorded sample with another time. */
function step(store: Store, direction: 1 | -1): void {
  const run = store.primary;
  if (!run) return;
  const { times } = run;
  const { t } = store.state;
  let i = indexAt(times, t);
  if (direction > 0) while (i < times.length - 1 && times[i] <= t) i++;
  else while (i > 0 && times[i] >= t) i--;
  store.pause();
  store.setTime(times[i]);
}

function shortcut(event: KeyboardEvent, store: Store): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !store.primary) return;
  const target = event.target;
  const range = target instanceof HTMLInputElement && target.type === "range";
  if (typing(target) && !(range && [" ", "n", "p"].includes(event.key))) return;
  // A button or link in focus takes the space bar itself.
  if (
    event.key === " " &&
    target instanceof Element &&
    target.closest("button, a, summary, [role=button], input[type=checkbox]")
  )
    return;
  const { state } = store;
  const [a, b] = store.primary.payload.span;
  const far = (state.window[1] - state.window[0]) / 50;
  const by = (dt: number): void =>
    store.batch(() => {
      store.pause();
      store.setTime(state.t + dt);
    });
  const pick = (d: number): void => {
    const k = SPEEDS.findIndex((x) => x >= state.speed) + d;
    store.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, k))]);
  };
  const actions: Record<string, () => void> = {
    " ": () => (state.playing ? store.pause() : store.play()),
    ArrowRight: () => (event.shiftKey ? by(far) : step(store, 1)),
    ArrowLeft: () => (event.shiftKey ? by(-far) : step(store, -1)),
    Home: () => store.setTime(a),
    End: () => store.setTime(b),
    n: () => jump(store, 1),
    p: () => jump(store, -1),
    "+": () => pick(1),
    "-": () => pick(-1),
  };
  const action = actions[event.key];
  if (!action || (event.shiftKey && !event.key.startsWith("Arrow") && event.key !== "+")) return;
  event.preventDefault();
  action();
}

/** What can be seen at t, in words. */
function describe(run: RunData, t: number): string {
  const [a, b] = run.payload.span;
  if (isMany(run)) return `t = ${clock(t, b - a)}; ${inWords(run, t)}`;
  const parts = run.payload.scene.contacts.map((view) => {
    const mode = modeAt(run, view.joint, t);
    const list = touches(run, view, at(run, t));
    const force = list.length > 0 ? `, contact force ${quantity(totalForce(list), "N")}` : "";
    return `${view.joint}: ${mode ? MODES[mode].text : list.length > 0 ? "in contact" : "free"}${force}`;
  });
  return [`t = ${clock(t, b - a)}`, ...parts].join("; ");
}
