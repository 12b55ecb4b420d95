// Colours of many contacts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DECADES, MANY, greatest, isMany, ramp, shareOf, watched } from "../src/heat.ts";
import type { RunData } from "../src/types.ts";

test("exact: the scale is logarithmic, and no contact is told from the least", () => {
  assert.equal(shareOf(0, 100), 0);
  assert.equal(shareOf(NaN, 100), 0);
  assert.equal(shareOf(1, 0), 0);
  assert.equal(shareOf(100, 100), 1);
  const least = shareOf(100 / 10 ** DECADES, 100);
  assert.ok(least > 0.05);
  assert.equal(shareOf(1e-9, 100), least);
  // Equal factors are equal distances.
  const [a, b, c] = [1, 10, 100].map((force) => shareOf(force, 100));
  assert.ok(Math.abs(b - a - (c - b)) < 1e-12);
});

test("exact: colours between stops", () => {
  const stops = ["#000000", "#ff0000", "#ffff00"];
  assert.deepEqual(ramp(stops, 0), [0, 0, 0]);
  assert.deepEqual(ramp(stops, 0.5), [255, 0, 0]);
  assert.deepEqual(ramp(stops, 1), [255, 255, 0]);
  assert.deepEqual(ramp(stops, 0.75), [255, 128, 0]);
  assert.deepEqual(ramp(stops, 7), [255, 255, 0]);
});

/** A run of one contact that touches at the samples where there is a force. */
function run(times: number[], forces: number[], joints = ["pin-1"]): RunData {
  const first = [0];
  const [fx, fy]: [number[], number[]] = [[], []];
  for (const force of forces) {
    if (force > 0) {
      fx.push(0.6 * force);
      fy.push(0.8 * force);
    }
    first.push(fx.length);
  }
  const data = { first, fx, fy };
  const contacts = joints.map((joint) => ({ joint, touch: { first: "first", fx: "fx", fy: "fy" } }));
  const summary = { contacts: Object.fromEntries(joints.map((joint, i) => [joint, { peak_force: i === 1 ? 9 : 3 }])) };
  const payload = { span: [times[0], times[times.length - 1]], scene: { contacts }, summary };
  const ref = (name: unknown): Float64Array => Float64Array.from(data[name as keyof typeof data]);
  return { payload, times: Float64Array.from(times), ref } as unknown as RunData;
}

test("exact: the greatest force of each part of the time", () => {
  const one = run([0, 1, 2, 3, 4, 10], [0, 5, 2, 0, 1, 1]);
  const view = one.payload.scene.contacts[0];
  const found = [...greatest(one, view, 10)].map((x) => Number(x.toFixed(9)));
  // In contact from 4 to 10: no gap between the samples.
  assert.deepEqual(found, [0, 5, 2, 0, 1, 1, 1, 1, 1, 1]);
  assert.deepEqual([...greatest(one, view, 1)], [5]);
});

test("property: the joint of the greatest force is looked at until another is chosen", () => {
  const many = run(
    [0, 1],
    [0, 1],
    Array.from({ length: MANY + 1 }, (_, i) => `pin-${i + 1}`),
  );
  assert.ok(isMany(many) && !isMany(run([0, 1], [0, 1])) && !isMany(null));
  assert.equal(watched(many, null), "pin-2");
  assert.equal(watched(many, "pin-5"), "pin-5");
  assert.equal(watched(many, "gone"), "pin-2");
});
