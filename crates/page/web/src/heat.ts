// Many contacts at once: the force of each as a colour. Pure.
import { quantity } from "./format.ts";
import { at, peakForce, size, totalForce, touches } from "./motion.ts";
import type { ContactView, Pair, RunData } from "./types.ts";

/** With more contacts than this, each no longer has a magnifier, a timeline and a card of its own. */
export const MANY = 8;
/** Forces below the greatest one by more than these powers of ten have the colour of the least. */
export const DECADES = 3;
/** Any contact at all is told from none. */
const LEAST = 0.12;

export const isMany = (run: RunData | null): boolean => (run?.payload.scene.contacts.length ?? 0) > MANY;

/** Place of a force on the scale, logarithmic; 0 without contact. */
export function shareOf(force: number, peak: number): number {
  if (!(force > 0) || !(peak > 0)) return 0;
  const share = 1 + Math.log10(force / peak) / DECADES;
  return LEAST + (1 - LEAST) * Math.min(1, Math.max(0, share));
}

export type Rgb = [number, number, number];

const rgb = (hex: string): Rgb => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)) as Rgb;

/** Colour at a place between stops (`#rrggbb`) at equal distances. */
export function ramp(stops: string[], share: number): Rgb {
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  const [a, b] = [rgb(stops[i]), rgb(stops[i + 1])];
  return a.map((x, k) => Math.round(x + (b[k] - x) * (place - i))) as Rgb;
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r},${g},${b})`;

/** Greatest force of a contact in each of so many equal parts of the run (N). */
export function greatest(run: RunData, { touch }: ContactView, columns: number): Float64Array {
  const found = new Float64Array(columns);
  const [first, fx, fy] = [run.ref(touch.first), run.ref(touch.fx), run.ref(touch.fy)];
  const [a, b] = run.payload.span;
  const column = (i: number): number =>
    Math.min(columns - 1, Math.max(0, Math.floor((columns * (run.times[i] - a)) / (b - a))));
  let [before, last] = [0, 0];
  for (let i = 0; i < run.times.length; i++) {
    let sum: Pair = [0, 0];
    for (let k = first[i]; k < first[i + 1]; k++) sum = [sum[0] + fx[k], sum[1] + fy[k]];
    const force = size(sum);
    const at = column(i);
    if (force > found[at]) found[at] = force;
    // Between two samples in contact the force is a line.
    if (force > 0 && before > 0)
      for (let k = last + 1; k < at; k++)
        found[k] = Math.max(found[k], before + ((force - before) * (k - last)) / (at - last));
    [before, last] = [force, at];
  }
  return found;
}

/** The contact that is looked at among many: the one that was chosen, else that of the greatest force. */
export function watched(run: RunData, chosen: string | null): string {
  const names = run.payload.scene.contacts.map((view) => view.joint);
  if (chosen !== null && names.includes(chosen)) return chosen;
  const { contacts } = run.payload.summary;
  const peak = (name: string): number => contacts[name]?.peak_force ?? 0;
  return names.reduce((best, name) => (peak(name) > peak(best) ? name : best), names[0]);
}

/** The scale of colours in numbers (N). */
export const scale = (run: RunData): Pair => [peakForce(run) / 10 ** DECADES, peakForce(run)];

/** What can be seen of many contacts at an instant, in words. */
export function inWords(run: RunData, t: number): string {
  const when = at(run, t);
  const all = run.payload.scene.contacts.map((view) => ({
    joint: view.joint,
    force: totalForce(touches(run, view, when)),
  }));
  const touching = all.filter(({ force }) => force > 0);
  const most = touching.reduce((best, one) => (one.force > best.force ? one : best), { joint: "", force: 0 });
  const greatest = most.force > 0 ? `, the greatest force ${quantity(most.force, "N")} in ${most.joint}` : "";
  return `${touching.length} of ${all.length} joints in contact${greatest}`;
}
