// Pure parts of the plots against closed forms and properties.

import assert from "node:assert/strict";
import { test } from "node:test";
import { align, decimate, separate } from "../src/plots/decimate.ts";
import { csv, heading } from "../src/plots/csv.ts";
import { extent, lowerBound, nearest, span, upperBound, valueAt } from "../src/plots/search.ts";
import { isNoise } from "../src/plots/spec.ts";
import { order } from "../src/sort.ts";

/** Numbers in [0, 1) that are the same each time (Park and Miller 1988). */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

test("exact_bounds_at_equal_times", () => {
  const times = [0, 1, 1, 2];
  assert.equal(lowerBound(times, 1), 1);
  assert.equal(upperBound(times, 1), 3);
  assert.equal(lowerBound(times, 3), 4);
  assert.equal(nearest(times, 1.1), 2);
  assert.equal(nearest(times, 9), 3);
  assert.equal(nearest([], 0), -1);
  assert.deepEqual(span(times, 0.5, 1.5), [0, 4]);
});

test("exact_value_after_an_event", () => {
  const times = [0, 1, 1, 2];
  const values = [0, 2, 5, 7];
  assert.equal(valueAt(times, values, 0.5), 1);
  assert.equal(valueAt(times, values, 1), 5);
  assert.equal(valueAt(times, values, 2), 7);
  assert.ok(Number.isNaN(valueAt(times, values, 2.1)));
  assert.deepEqual(extent([NaN, 3, -1]), [-1, 3]);
});

test("property_decimation_keeps_every_peak_of_a_column", () => {
  const next = random(7);
  const n = 200_000;
  const x = Float64Array.from({ length: n }, (_, i) => (i + 0.5) / n);
  const y = Float64Array.from({ length: n }, () => next());
  y[123_456] = 50;
  y[77_777] = -50;
  const columns = 500;
  const thin = decimate(x, y, 0, n, 0, 1, columns);
  assert.ok(thin.x.length <= 4 * columns + 4);
  for (let c = 0; c < columns; c++) {
    const inside = (points: { x: Float64Array; y: Float64Array }) => {
      const from = lowerBound(points.x, c / columns);
      const to = lowerBound(points.x, (c + 1) / columns);
      return extent(points.y, from, to);
    };
    assert.deepEqual(inside(thin), inside({ x, y }));
  }
  for (let i = 1; i < thin.x.length; i++) assert.ok(thin.x[i] > thin.x[i - 1]);
});

test("property_decimation_keeps_gaps_and_few_samples", () => {
  const few = decimate([0, 1, 2], [1, NaN, 3], 0, 3, 0, 2, 100);
  assert.deepEqual([...few.y], [1, NaN, 3]);
  const n = 10_000;
  const x = Float64Array.from({ length: n }, (_, i) => i);
  const y = Float64Array.from({ length: n }, (_, i) => (i === 5000 ? NaN : i));
  assert.ok([...decimate(x, y, 0, n, 0, n, 10).y].some(Number.isNaN));
});

test("property_alignment_keeps_every_sample", () => {
  const a = { x: separate(Float64Array.of(0, 1, 1, 2)), y: Float64Array.of(1, 2, 3, 4) };
  const b = { x: Float64Array.of(0.5, 1), y: Float64Array.of(NaN, 9) };
  const [x, first, second] = align([a, b]);
  assert.equal(x.length, 5);
  assert.deepEqual(
    first.filter((v) => v !== undefined),
    [1, 2, 3, 4],
  );
  assert.deepEqual(second, [undefined, null, 9, undefined, undefined]);
  for (let i = 1; i < x.length; i++) assert.ok(x[i] > x[i - 1]);
});

test("exact_csv", () => {
  assert.equal(heading("pin.force", "N"), "pin.force [N]");
  assert.equal(heading("mu", "-"), "mu [-]");
  const text = csv([
    { name: "t", unit: "s", values: [0, 0.1 + 0.2] },
    { name: 'a "b", c', unit: "m", values: [NaN] },
  ]);
  assert.equal(text, 't [s],"a ""b"", c [m]"\n0,\n0.30000000000000004,\n');
  assert.equal(csv([{ name: "t", unit: "s", values: [1, 2, 3, 4] }], 1, 3), "t [s]\n2\n3\n");
});

test("property_order_is_stable_and_missing_values_are_last", () => {
  const rows = [3, null, 1, NaN, 2, 1];
  assert.deepEqual(
    order(rows, (v) => v, false),
    [2, 5, 4, 0, 1, 3],
  );
  assert.deepEqual(
    order(rows, (v) => v, true),
    [0, 4, 2, 5, 1, 3],
  );
  assert.deepEqual(
    order(["pin-10", "pin-2", "axis"], (v) => v, false),
    [2, 1, 0],
  );
});

test("property_rounding_errors_of_an_ideal_joint_are_noise", () => {
  const play = Float64Array.from([-2.5e-4, 2.5e-4]);
  assert.ok(isNoise(Float64Array.from([1e-17, -3e-17]), [play]));
  assert.ok(!isNoise(Float64Array.from([1e-10, 0]), [play]));
  // Nothing to be measured against, or a channel that others do not have.
  assert.ok(!isNoise(Float64Array.from([1e-17]), []));
  assert.ok(!isNoise(Float64Array.from([1e-17]), [null]));
});

test("exact_a_curve_breaks_where_there_is_no_value", () => {
  const x = Float64Array.from({ length: 1000 }, (_, i) => i);
  const y = x.map((t) => (t >= 400 && t < 600 ? NaN : 1));
  const thin = decimate(x, y, 0, x.length, 0, 1000, 20);
  assert.ok(thin.y.some(Number.isNaN));
  const [times, column] = align([thin, { x: Float64Array.from([0.5]), y: Float64Array.from([0]) }]);
  assert.deepEqual(new Set(Array.from(column.filter((_, i) => times[i] >= 450 && times[i] < 600))), new Set([null]));
  assert.ok(Number.isNaN(valueAt(x, y, 500.5)));
});
