// The state of the run at one instant: poses, contacts, modes. Pure; arrays are views on the data.
import { lerp, place } from "./payload.ts";
import type { ContactView, Mode, ModeSpan, Pair, RunData, Scene } from "./types.ts";

export interface At {
  i: number;
  s: number;
}
export interface Pose {
  x: number;
  y: number;
  cos: number;
  sin: number;
  angle: number;
}

export const at = (run: RunData, t: number): At => place(run.times, t);

export function poses(run: RunData, when: At): Pose[] {
  return run.payload.scene.bodies.map((body) => {
    if (body.x.n === 0) return { x: 0, y: 0, cos: 1, sin: 0, angle: 0 };
    const angle = lerp(run.ref(body.angle), when);
    return {
      x: lerp(run.ref(body.x), when),
      y: lerp(run.ref(body.y), when),
      cos: Math.cos(angle),
      sin: Math.sin(angle),
      angle,
    };
  });
}

export const toWorld = (p: Pose, [x, y]: Pair): Pair => [p.x + p.cos * x - p.sin * y, p.y + p.sin * x + p.cos * y];
export const turned = (p: Pose, [x, y]: Pair): Pair => [p.cos * x - p.sin * y, p.sin * x + p.cos * y];
export const toBody = (p: Pose, [x, y]: Pair): Pair => {
  const [dx, dy] = [x - p.x, y - p.y];
  return [p.cos * dx + p.sin * dy, -p.sin * dx + p.cos * dy];
};
export const turnedBack = (p: Pose, [x, y]: Pair): Pair => [p.cos * x + p.sin * y, -p.sin * x + p.cos * y];

/** Contact point, force on the pin's body and normal, in the world. */
export interface Touch {
  point: Pair;
  force: Pair;
  normal: Pair;
  region: string;
}

/** Contacts at an instant; between two samples with the same number of contacts they are interpolated. */
export function touches(run: RunData, view: ContactView, when: At): Touch[] {
  const first = run.ref(view.touch.first);
  const from = first[when.i];
  const n = first[when.i + 1] - from;
  const next = when.s > 0 && first[when.i + 2] - first[when.i + 1] === n ? first[when.i + 1] : from;
  const mix = (r: { at: number; n: number }, k: number): number => {
    const values = run.ref(r);
    return values[from + k] + (values[next + k] - values[from + k]) * when.s;
  };
  const found: Touch[] = [];
  for (let k = 0; k < n; k++) {
    const t = view.touch;
    found.push({
      point: [mix(t.x, k), mix(t.y, k)],
      force: [mix(t.fx, k), mix(t.fy, k)],
      normal: [mix(t.nx, k), mix(t.ny, k)],
      region: t.region[run.ref(t.of)[from + k]] ?? "",
    });
  }
  return found;
}

export const size = ([x, y]: Pair): number => Math.hypot(x, y);

/** Sum of the forces of all touches (N). */
export const totalForce = (list: Touch[]): number =>
  size(list.reduce<Pair>(([x, y], t) => [x + t.force[0], y + t.force[1]], [0, 0]));

const peaks = new WeakMap<RunData, number>();

/** Largest contact force of the run (N): the arrows are scaled by it. */
export function peakForce(run: RunData): number {
  let peak = peaks.get(run);
  if (peak === undefined) {
    peak = 0;
    for (const { touch } of run.payload.scene.contacts) {
      const [fx, fy] = [run.ref(touch.fx), run.ref(touch.fy)];
      for (let k = 0; k < fx.length; k++) peak = Math.max(peak, Math.hypot(fx[k], fy[k]) || 0);
    }
    peaks.set(run, peak);
  }
  return peak;
}

const spans = new WeakMap<RunData, Map<string, ModeSpan[]>>();

/** Spans of a joint in order of time. */
export function modesOf(run: RunData, joint: string): ModeSpan[] {
  let byJoint = spans.get(run);
  if (!byJoint) {
    byJoint = new Map();
    for (const span of run.payload.modes) {
      const list = byJoint.get(span.joint);
      if (list) list.push(span);
      else byJoint.set(span.joint, [span]);
    }
    for (const list of byJoint.values()) list.sort((a, b) => a.start - b.start);
    spans.set(run, byJoint);
  }
  return byJoint.get(joint) ?? [];
}

/** Index of the span that holds t, −1 if none. */
export function spanAt(list: ModeSpan[], t: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle].start <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function modeAt(run: RunData, joint: string, t: number): Mode | null {
  const list = modesOf(run, joint);
  return list[spanAt(list, t)]?.mode ?? null;
}

export const MODES: Record<Mode, { text: string; css: "free" | "impact" | "contact" }> = {
  "free-flight": { text: "free flight", css: "free" },
  impact: { text: "impact", css: "impact" },
  "continuous-contact": { text: "in contact", css: "contact" },
};

/** Joints with a timeline: those with modes, in the order of the scene. */
export function playing(run: RunData): string[] {
  const names = [...new Set(run.payload.modes.map((m) => m.joint))];
  const order = run.payload.scene.contacts.map((c) => c.joint);
  return names.sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** Starts of impacts in order of time, with their places in the table. */
export function impactStarts(run: RunData): { t: number; index: number }[] {
  return run.payload.impacts.map((x, index) => ({ t: x.start, index })).sort((a, b) => a.t - b.t);
}

/** Time after dt of real time, where an impact takes `linger` s to watch (0: all at one speed). `impacts`: [start, end], sorted. */
export function advance(t: number, dt: number, speed: number, impacts: Pair[], linger: number): number {
  let left = dt;
  let k = impacts.findIndex(([, end]) => end > t);
  while (left > 0 && k >= 0 && k < impacts.length && linger > 0) {
    const [start, end] = impacts[k];
    const slow = Math.min(speed, (end - start) / linger);
    const [to, rate] = t < start ? [start, speed] : [end, slow];
    const need = (to - t) / rate;
    if (need > left) return t + rate * left;
    left -= need;
    t = to;
    if (to === end) k++;
  }
  return t + speed * left;
}

/** Bounds of the scene that are usable: finite and not empty. */
export function bounds(scene: Scene): [number, number, number, number] {
  const [a, b, c, d] = scene.bounds;
  const pad = scene.size || 1e-3;
  if (![a, b, c, d].every(Number.isFinite) || c < a || d < b) return [-pad, -pad, pad, pad];
  return c - a > 0 || d - b > 0 ? [a, b, c, d] : [a - pad, b - pad, c + pad, d + pad];
}
