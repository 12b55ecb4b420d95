// Containers of runs and of series: plain (JPV1, to and from the engine) and packed (JPP1, in the page).
import type { Payload, Ref, Role, RunData } from "./types.ts";

export interface Container<T = Payload> {
  payload: T;
  data: Float64Array;
}

const magic = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, 4));
const padded = (n: number): number => Math.ceil(n / 8) * 8;

function header<T>(bytes: Uint8Array): { payload: T; at: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(4, true);
  const json = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  return { payload: JSON.parse(json) as T, at: padded(8 + length) };
}

/** `JPV1`, length of JSON, JSON, padding to 8 bytes, f64 LE numbers. */
export function decodePlain<T = Payload>(bytes: Uint8Array): Container<T> {
  if (magic(bytes) !== "JPV1") throw new Error("the data are not a run container (JPV1)");
  const { payload, at } = header<T>(bytes);
  const body = bytes.slice(at, at + Math.floor((bytes.length - at) / 8) * 8);
  return { payload, data: new Float64Array(body.buffer) };
}

/** The plain container of a structure and the series to which it refers, one after the other. */
export function encodePlain(payload: unknown, series: Float64Array[]): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(payload));
  const at = padded(8 + json.length);
  const bytes = new Uint8Array(at + 8 * series.reduce((sum, part) => sum + part.length, 0));
  bytes.set(new TextEncoder().encode("JPV1"));
  new DataView(bytes.buffer).setUint32(4, json.length, true);
  bytes.set(json, 8);
  let next = at;
  for (const part of series) {
    new Float64Array(bytes.buffer, next, part.length).set(part);
    next += 8 * part.length;
  }
  return bytes;
}

/** `JPP1`: as the plain one, then count (u64 LE) and 8 byte planes of word k XOR word k − 1. */
export function decodePacked<T = Payload>(bytes: Uint8Array): Container<T> {
  if (magic(bytes) !== "JPP1") throw new Error("the data are not a packed run container (JPP1)");
  const { payload, at } = header<T>(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const n = view.getUint32(at, true);
  const planes = bytes.subarray(at + 8, at + 8 + 8 * n);
  if (planes.length !== 8 * n) throw new Error("a packed container is truncated");
  const words = new Uint8Array(8 * n);
  for (let j = 0; j < 8; j++) {
    for (let k = 0, from = j * n, to = j; k < n; k++, from++, to += 8) words[to] = planes[from];
  }
  const halves = new Uint32Array(words.buffer);
  for (let k = 2; k < 2 * n; k++) halves[k] ^= halves[k - 2];
  return { payload, data: new Float64Array(words.buffer) };
}

export function decode<T = Payload>(bytes: Uint8Array): Container<T> {
  return magic(bytes) === "JPP1" ? decodePacked<T>(bytes) : decodePlain<T>(bytes);
}

export function fromBase64(text: string): Uint8Array {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Undoes zlib. */
export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Text of the element #id undone to bytes; null if the page has no such element. */
export async function embedded(id: string): Promise<Uint8Array | null> {
  const element = document.getElementById(id);
  const text = element?.textContent?.trim();
  if (!text) return null;
  const bytes = await inflate(fromBase64(text));
  element!.textContent = "";
  return bytes;
}

export function runData(container: Container, id: string, label: string, role: Role, color: number): RunData {
  const { payload, data } = container;
  const byName = new Map(payload.channels.map((c) => [c.name, c]));
  const ref = (r: Ref): Float64Array => data.subarray(r.at, r.at + r.n);
  return {
    id,
    label,
    role,
    payload,
    color,
    visible: true,
    times: ref(payload.times),
    ref,
    channel: (name) => {
      const found = byName.get(name);
      return found ? ref(found.values) : null;
    },
    unit: (name) => byName.get(name)?.unit ?? "",
  };
}

/** Last index i with times[i] <= t (0 before the first): bisection. */
export function indexAt(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

/** Sample before t, and the fraction of the way to the next one. */
export function place(times: Float64Array, t: number): { i: number; s: number } {
  const i = indexAt(times, t);
  if (i + 1 >= times.length) return { i, s: 0 };
  const dt = times[i + 1] - times[i];
  return { i, s: dt > 0 ? Math.min(1, Math.max(0, (t - times[i]) / dt)) : 0 };
}

/** Value between samples; of an empty array 0; next to a gap the sample itself. */
export function lerp(values: Float64Array, at: { i: number; s: number }): number {
  if (values.length === 0) return 0;
  const a = values[at.i];
  if (at.s === 0) return a;
  const b = values[at.i + 1];
  return Number.isNaN(b) || Number.isNaN(a) ? a : a + (b - a) * at.s;
}
