// Pure parts of the plots against closed forms and properties.

import assert from "node:assert/strict";
import { test } from "node:test";
import { align, decimate, separate } from "../src/plots/decimate.ts";
import { track } from "../src/plots/guide.ts";
import { csv, heading } from "../src/plots/csv.ts";
import { extent, lowerBound, nearest, span, upperBound, valueAt } from "../src/plots/search.ts";
import { crossings, stroboscope } from "../src/plots/section.ts";
import { cellMeans, cells, fft, spectrum } from "../src/plots/spectrum.ts";
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

test("exact_fft_is_the_sum_of_its_definition", () => {
  const next = random(3);
  const n = 32;
  const re = Float64Array.from({ length: n }, () => next() - 0.5);
  const im = Float64Array.from({ length: n }, () => next() - 0.5);
  const [a, b] = [re.slice(), im.slice()];
  fft(a, b);
  for (let k = 0; k < n; k++) {
    let [sr, si] = [0, 0];
    for (let j = 0; j < n; j++) {
      const w = (-2 * Math.PI * j * k) / n;
      sr += re[j] * Math.cos(w) - im[j] * Math.sin(w);
      si += re[j] * Math.sin(w) + im[j] * Math.cos(w);
    }
    assert.ok(Math.abs(a[k] - sr) < 1e-13 && Math.abs(b[k] - si) < 1e-13);
  }
  // Parseval.
  const power = (r: Float64Array, i: Float64Array) => r.reduce((s, v, k) => s + v * v + i[k] * i[k], 0);
  assert.ok(Math.abs(power(a, b) / n - power(re, im)) < 1e-12);
  assert.throws(() => fft(new Float64Array(3), new Float64Array(3)), RangeError);
});

test("property_cell_means_keep_the_integral", () => {
  // A triangle of height 6 and base 0.02 has the area 0.06, wherever the cells end.
  const times = [0, 0.503, 0.513, 0.523, 1];
  const values = [0, 0, 6, 0, 0];
  for (const count of [1, 7, 64, 1000]) {
    const sum = cellMeans(times, values, 0, 1, count).reduce((s, v) => s + v / count, 0);
    assert.ok(Math.abs(sum - 0.06) < 1e-15, `${count}: ${sum}`);
  }
  // A ramp with a jump in one instant: means of its pieces.
  const ramp = cellMeans([0, 1, 1, 2], [0, 2, 10, 10], 0, 2, 4);
  assert.deepEqual([...ramp], [0.5, 1.5, 10, 10]);
});

test("exact_spectrum_of_a_sine_with_offset_at_uneven_times", () => {
  const next = random(11);
  const times = [0];
  while (times[times.length - 1] < 2) times.push(Math.min(2, times[times.length - 1] + 2e-5 * (0.1 + next())));
  const values = times.map((t) => 40 + 3 * Math.sin(2 * Math.PI * 25 * t + 0.4));
  const { frequency, amplitude } = spectrum(times, values, 0, 2, 1024);
  const peak = amplitude.indexOf(Math.max(...amplitude));
  assert.equal(frequency[peak], 25);
  assert.ok(Math.abs(amplitude[peak] - 3) < 1e-5, `${amplitude[peak]}`);
  // A Hann window has no more than three lines for a sine on a line.
  assert.ok(amplitude[peak + 3] < 1e-4 && amplitude[peak - 3] < 1e-4);
  // The neighbour has half of it, and the sinc of its own frequency made good instead of that of the sine.
  const sinc = (k: number) => Math.sin((Math.PI * k) / 1024) / ((Math.PI * k) / 1024);
  assert.ok(Math.abs(amplitude[peak + 1] - (1.5 * sinc(50)) / sinc(51)) < 1e-5);
});

test("exact_spectrum_near_half_the_rate", () => {
  // The mean over a cell damps a sine by sinc; the spectrum makes it good.
  const n = 40_000;
  const times = Float64Array.from({ length: n + 1 }, (_, i) => i / n);
  const values = times.map((t) => 2 * Math.cos(2 * Math.PI * 400 * t));
  const { amplitude } = spectrum(times, values, 0, 1, 1024);
  assert.ok(Math.abs(amplitude[399] - 2) < 2e-3, `${amplitude[399]}`);
});

test("property_cells_are_powers_of_two", () => {
  for (const [duration, interval] of [
    [1, 1e-3],
    [0.6, 3e-4],
    [1, 0],
    [1, 1e-9],
  ]) {
    const n = cells(duration, interval);
    assert.equal(n & (n - 1), 0);
    assert.ok(n >= 1024 && n <= 1 << 17);
  }
});

test("exact_section_of_a_circle", () => {
  // x = cos 2πt, y = sin 2πt: one point per period, and upward crossings of y = 0 at x = 1.
  const n = 20_000;
  const times = Float64Array.from({ length: n + 1 }, (_, i) => (i / n) * 5);
  const x = times.map((t) => Math.cos(2 * Math.PI * t));
  const y = times.map((t) => Math.sin(2 * Math.PI * t));
  const strobe = stroboscope(times, x, y, 1, 0.25, 0, 5);
  assert.equal(strobe.t.length, 5);
  for (let i = 0; i < 5; i++) assert.ok(Math.hypot(strobe.x[i], strobe.y[i] - 1) < 1e-6);
  assert.equal(stroboscope(times, x, y, 1, 0, 0, 5).t.length, 6);
  assert.equal(stroboscope(times, x, y, 0, 0, 0, 5).t.length, 0);
  const shifted = crossings(times, x, y, y, 0.5, 0, 5);
  assert.equal(shifted.t.length, 5);
  for (let i = 0; i < 5; i++) assert.ok(Math.abs(shifted.t[i] - (i + 1 / 12)) < 1e-6);
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

test("exact_track_along_an_arc", () => {
  // A polyline on a circle of radius 60: the pin at radius 60 + e and angle a is e/cos-free of it within its sagitta.
  const n = 200;
  const middle = Array.from({ length: n + 1 }, (_, k): [number, number] => [
    60 * Math.cos(k / n),
    60 * Math.sin(k / n),
  ]);
  const angles = Float64Array.from({ length: 500 }, (_, i) => 0.02 + (0.96 * i) / 500);
  const e = angles.map((a) => 0.1 * Math.sin(40 * a));
  const { along, across } = track(
    middle,
    angles.map((a, i) => (60 + e[i]) * Math.cos(a)),
    angles.map((a, i) => (60 + e[i]) * Math.sin(a)),
  );
  const sagitta = 60 * (1 - Math.cos(0.5 / n));
  for (let i = 0; i < angles.length; i++) {
    // The left hand of a counter-clockwise arc is its inside.
    assert.ok(Math.abs(across[i] + e[i]) <= sagitta + 1e-12, `${i}: ${across[i]} ${e[i]}`);
    assert.ok(Math.abs(along[i] - 60 * angles[i]) < 60 / n, `${i}`);
  }
});

test("exact_track_beyond_the_ends_of_a_guide", () => {
  const { along, across } = track(
    [
      [0, 0],
      [2, 0],
    ],
    [-1, 1, 3],
    [0.5, -0.25, 0],
  );
  assert.deepEqual([...along], [-1, 1, 3]);
  assert.deepEqual([...across], [0.5, -0.25, 0]);
  assert.ok(Number.isNaN(track([[0, 0]], [1], [1]).along[0]));
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
