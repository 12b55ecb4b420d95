// What a plot shows: plain data, from which everything else follows.

import type { ContactView, Payload, RunData } from "../types.ts";
import { extent } from "./search.ts";

export interface TimeSpec {
  kind: "time";
  id: string;
  title: string;
  left: string[];
  right: string[];
  /** Without the ideal mechanism. */
  alone?: boolean;
}
export interface XySpec {
  kind: "xy";
  id: string;
  title: string;
  x: string;
  y: string;
  /** Same scale on both axes. */
  equal: boolean;
  /** Joint whose clearance circle is drawn, or whose current impact is shown strongly. */
  joint: string | null;
}
export interface SectionSpec {
  kind: "section";
  id: string;
  title: string;
  x: string;
  y: string;
  /** Once per period of the driver, or where a channel passes a level upwards. */
  through: { channel: string; level: number } | null;
  phase: number;
}
export interface SpectrumSpec {
  kind: "spectrum";
  id: string;
  title: string;
  channels: string[];
}
export interface ModesSpec {
  kind: "modes";
  id: string;
  title: string;
}
export type Spec = TimeSpec | XySpec | SectionSpec | SpectrumSpec | ModesSpec;

/** A channel that the page computes from others. */
interface Derived {
  unit: string;
  values: (run: RunData) => Float64Array | null;
}

/** E(t) − E(0) − work + loss; jumps at seams and drift control, which have no channel, stay in it. */
function balance(run: RunData): Float64Array | null {
  const total = run.channel("energy.total");
  if (!total) return null;
  // A mechanism has no channel for something that it cannot have.
  const of = (name: string) => run.channel(`energy.${name}`) ?? new Float64Array(total.length);
  const [work, loss, seam, drift, cut] = ["work", "loss", "seam", "drift", "cut"].map(of);
  const sum = (i: number) => total[i] - work[i] + loss[i] + seam[i] + drift[i] + cut[i];
  return total.map((_, i) => sum(i) - sum(0));
}

/** Change since the start. */
function change(name: string): Derived {
  const values = (run: RunData) => {
    const energy = run.channel(`energy.${name}`);
    return energy && energy.map((e) => e - energy[0]);
  };
  return { unit: "J", values };
}

const DERIVED: Record<string, Derived> = {
  "energy.residual": { unit: "J", values: balance },
  "Δ kinetic": change("kinetic"),
  "Δ gravity": change("gravity"),
  "Δ elastic": change("elastic"),
  "Δ contact": change("contact"),
};

/** Along and across the centre line of slots and guides, whose clearance is not a circle. */
function place(run: RunData, name: string): Float64Array | null {
  const found = /^(.*)\.(along|across)$/.exec(name);
  if (!found) return null;
  const contact = run.payload.scene.contacts.find(({ joint, along }) => joint === found[1] && along !== null);
  const series = contact?.[found[2] as "along" | "across"];
  return series ? run.ref(series) : null;
}

/** Side of a journal's place that is 0 all the time, and so not recorded. */
function still(run: RunData, name: string): Float64Array | null {
  const found = /^(.*)\.(ex|ey)$/.exec(name);
  const contact =
    found && run.payload.scene.contacts.some(({ joint, form }) => joint === found[1] && form === "journal");
  const other = contact ? run.channel(`${found[1]}.${found[2] === "ex" ? "ey" : "ex"}`) : null;
  return other && new Float64Array(other.length);
}

const made = new WeakMap<Payload, Map<string, Float64Array | null>>();

/** Values of a recorded or derived channel. */
export function channel(run: RunData, name: string): Float64Array | null {
  const recorded = run.channel(name);
  if (recorded) return recorded;
  let known = made.get(run.payload);
  if (!known) made.set(run.payload, (known = new Map<string, Float64Array | null>()));
  if (!known.has(name)) known.set(name, DERIVED[name]?.values(run) ?? place(run, name) ?? still(run, name));
  return known.get(name) ?? null;
}

export function unitOf(runs: RunData[], name: string): string {
  if (name === "t") return "s";
  for (const run of runs) {
    if (run.channel(name)) return run.unit(name);
  }
  return DERIVED[name]?.unit ?? (/\.(along|across|ex|ey)$/.test(name) ? "m" : "");
}

/** Names that can be picked, those that the model file asks for first. */
export function pickable(run: RunData): { asked: string[]; others: string[] } {
  const { channels, scene } = run.payload;
  const names = (preset: boolean) => channels.filter((c) => c.preset === preset).map((c) => c.name);
  const extra = run.channel("energy.residual") ? [] : ["energy.residual"];
  for (const contact of scene.contacts) {
    if (contact.form === "slot" || contact.form === "block")
      extra.push(`${contact.joint}.along`, `${contact.joint}.across`);
  }
  return { asked: names(true), others: [...names(false), ...extra.filter((name) => channel(run, name))] };
}

const sizes = new WeakMap<ArrayBufferLike, Map<number, number>>();

/** Greatest absolute value of a channel. */
export function sizeOf(values: Float64Array): number {
  let known = sizes.get(values.buffer);
  if (!known) sizes.set(values.buffer, (known = new Map<number, number>()));
  let size = known.get(values.byteOffset);
  if (size === undefined) {
    const [low, high] = extent(values);
    known.set(values.byteOffset, (size = Math.max(Math.abs(low), Math.abs(high)) || 0));
  }
  return size;
}

/** A channel that is 0 or has no value everywhere. */
export const isNothing = (values: Float64Array): boolean => sizeOf(values) === 0;

/** Rounding errors of an ideal mechanism: negligible compared with the others. */
export function isNoise(values: Float64Array, others: (Float64Array | null)[]): boolean {
  let range = 0;
  for (const other of others) {
    const [low, high] = other ? extent(other) : [0, 0];
    if (high - low > range) range = high - low;
  }
  return sizeOf(values) < 1e-12 * range;
}

export const contactsOf = (run: RunData): ContactView[] => {
  const seen = new Set<string>();
  return run.payload.scene.contacts.filter(({ joint }) => !seen.has(joint) && seen.add(joint));
};
