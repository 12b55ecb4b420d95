import assert from "node:assert/strict";
import test from "node:test";
import { deflateSync } from "node:zlib";
import { decode, encodePlain, fromBase64, indexAt, inflate, lerp, place, runData } from "../src/payload.ts";

const NUMBERS = [0, 1, -1, Math.PI, 1e-300, -2.5e300, NaN, Infinity, 5e-324, 0.1, 0.1, 0.30000000000000004];
const JSON_TEXT =
  '{"format":1,"note":"µm – ü","channels":[{"name":"f","unit":"N","values":{"at":2,"n":3}}],"times":{"at":0,"n":2}}';

/** The containers as the contract writes them, byte by byte. */
function plain(json: string, numbers: number[]): Buffer {
  const text = Buffer.from(json, "utf8");
  const head = Buffer.alloc(8);
  head.write("JPV1", "latin1");
  head.writeUInt32LE(text.length, 4);
  const gap = Buffer.alloc((8 - ((8 + text.length) % 8)) % 8);
  const body = Buffer.alloc(8 * numbers.length);
  numbers.forEach((x, i) => body.writeDoubleLE(x, 8 * i));
  return Buffer.concat([head, text, gap, body]);
}

function packed(json: string, numbers: number[]): Buffer {
  const whole = plain(json, []);
  whole.write("JPP1", "latin1");
  const count = Buffer.alloc(8);
  count.writeUInt32LE(numbers.length, 0);
  const bits = numbers.map((x) => {
    const b = Buffer.alloc(8);
    b.writeDoubleLE(x);
    return b.readBigUInt64LE();
  });
  const planes: number[] = [];
  for (let j = 0n; j < 8n; j++)
    bits.forEach((w, k) => planes.push(Number(((w ^ (k > 0 ? bits[k - 1] : 0n)) >> (8n * j)) & 0xffn)));
  return Buffer.concat([whole, count, Buffer.from(planes)]);
}

const bytesOf = (a: Float64Array): Buffer => Buffer.from(a.buffer, a.byteOffset, a.byteLength);

for (const pad of ["", " ", "  ", "       "]) {
  test(`exact_both containers give the same bits (padding ${pad.length})`, () => {
    const wanted = bytesOf(Float64Array.from(NUMBERS));
    for (const write of [plain, packed]) {
      const { payload, data } = decode(new Uint8Array(write(JSON_TEXT + pad, NUMBERS)));
      assert.deepEqual(bytesOf(data), wanted);
      assert.equal((payload as unknown as { note: string }).note, "µm – ü");
    }
  });
}

test("property_a container inside a larger buffer, at an odd place, is read alike", () => {
  const bytes = plain(JSON_TEXT, NUMBERS);
  const shifted = Buffer.concat([Buffer.from([1, 2, 3]), bytes]);
  const view = new Uint8Array(shifted.buffer, shifted.byteOffset + 3, bytes.length);
  assert.deepEqual(bytesOf(decode(view).data), bytesOf(Float64Array.from(NUMBERS)));
});

test("property_a cut or foreign container is refused", () => {
  assert.throws(() => decode(new Uint8Array(packed(JSON_TEXT, NUMBERS).subarray(0, -1))), /truncated/);
  assert.throws(() => decode(new TextEncoder().encode("PK\u0003\u0004 is no run")), /not a (packed )?run container/);
});

test("peer_zlib of node is undone by the browser's stream", async () => {
  const bytes = packed(JSON_TEXT, NUMBERS);
  const back = await inflate(fromBase64(deflateSync(bytes).toString("base64")));
  assert.deepEqual(Buffer.from(back), bytes);
});

test("exact_channels are views on the data", () => {
  const run = runData(decode(new Uint8Array(plain(JSON_TEXT, NUMBERS))), "run-0", "a", "recorded", 0);
  assert.deepEqual([...run.channel("f")!], [-1, Math.PI, 1e-300]);
  assert.equal(run.channel("g"), null);
  assert.equal(run.unit("f"), "N");
  assert.equal(run.payload.format, 1);
});

test("exact_bisection finds the sample after an event", () => {
  const times = Float64Array.from([0, 1, 2, 2, 3]);
  assert.deepEqual(
    [-1, 0, 0.5, 1, 2, 2.5, 3, 9].map((t) => indexAt(times, t)),
    [0, 0, 0, 1, 3, 3, 4, 4],
  );
  assert.deepEqual(place(times, 2.25), { i: 3, s: 0.25 });
  assert.deepEqual(place(times, 7), { i: 4, s: 0 });
  assert.equal(lerp(Float64Array.from([0, 0, 5, 7, 11]), place(times, 2.25)), 8);
  assert.equal(lerp(Float64Array.from([0, 0, 5, 7, NaN]), place(times, 2.25)), 7);
});

test("property_a_container_of_series_is_what_the_contract_says", () => {
  const parts = [Float64Array.from(NUMBERS.slice(0, 5)), Float64Array.from(NUMBERS.slice(5))];
  const bytes = encodePlain(JSON.parse(JSON_TEXT), parts);
  assert.deepEqual(Buffer.from(bytes), plain(JSON_TEXT, NUMBERS));
});
