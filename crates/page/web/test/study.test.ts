import assert from "node:assert/strict";
import { test } from "node:test";
import type { StudyView } from "../src/generated.ts";
import { decode, encodePlain } from "../src/payload.ts";
import { cells, count, edges, histogram, shade, sorted } from "../src/studypage/binning.ts";
import { ranked } from "../src/studypage/bars.ts";
import { failure, logarithmic, sampled, type Study, studyOf } from "../src/studypage/data.ts";
import { withRules } from "../src/studypage/lines.ts";
import { firsts } from "../src/studypage/motions.ts";
import { labelOf, measuring, requestOf, shortKey } from "../src/studypage/request.ts";
import { ranking } from "../src/studypage/sampleview.ts";
import { css, shadeOf } from "../src/studypage/shades.ts";
import { choices, firstChoice, MAP } from "../src/studypage/sweepview.ts";

type Cells = Record<string, (number | string)[]>;

/** A study as the program writes it, from columns. */
function study(kind: string, keys: string[], table: Cells, more: { section?: Cells; measured?: string[] } = {}): Study {
  const series: Float64Array[] = [];
  let at = 0;
  const view = (columns: Cells) => ({
    rows: Object.values(columns)[0].length,
    columns: Object.entries(columns).map(([name, list]) => {
      const texts = list.every((value) => typeof value === "string");
      const words = texts ? [...new Set(list)] : null;
      const values = Float64Array.from(list, (value) => (words ? words.indexOf(value as string) : Number(value)));
      series.push(values);
      const ref = { at, n: values.length };
      at += values.length;
      return { name, words, values: ref };
    }),
  });
  const findings = {
    kind,
    keys,
    measured: more.measured ?? [],
    metrics: {},
    model: "m",
    runs: 0,
    points: 0,
    failed: 0,
  };
  const payload = {
    findings,
    table: view(table),
    section: more.section ? view(more.section) : null,
    spectra: null,
    points: null,
    overlay: null,
    continued: false,
    starts: [],
  };
  return studyOf(decode<StudyView>(encodePlain(payload, series)));
}

test("exact_tables_are_read", () => {
  const { table } = study("sweep", ["a"], { a: [1, 2, NaN], outcome: ["reached-end", "failed: no", "reached-end"] });
  assert.equal(table.rows, 3);
  assert.deepEqual(
    [0, 1, 2].map((row) => table.cell(row, "a")),
    [1, 2, null],
  );
  assert.equal(table.cell(1, "outcome"), "failed: no");
  assert.deepEqual(table.column("outcome")?.words, ["reached-end", "failed: no"]);
  assert.equal(table.cell(0, "b"), null);
});

test("exact_points_are_counted_in_pixels", () => {
  const cloud = {
    x: Float64Array.of(0, 0.5, 1, 0.5, 2),
    y: Float64Array.of(0, 0.5, 1, 0.5, 0),
    way: Float64Array.of(0, 0, 0, 1, 0),
  };
  const counts = new Uint32Array(4);
  // Two by two pixels over [0, 1]²: the first point below left, the second on the middle, the third above right; one lies outside.
  assert.equal(count(cloud, 0, [0, 1], [0, 1], 2, 2, 1, counts), 3);
  assert.deepEqual([...counts], [0, 1, 1, 1]);
  assert.equal(count(cloud, 1, [0, 1], [0, 1], 2, 2, 1, counts), 1);
  assert.deepEqual([...counts], [0, 0, 0, 1]);
  // A point of three pixels is cut at the edge.
  const nine = new Uint32Array(9);
  count({ x: Float64Array.of(0), y: Float64Array.of(0), way: Float64Array.of(0) }, 0, [0, 3], [0, 3], 3, 3, 3, nine);
  assert.deepEqual([...nine], [0, 0, 0, 1, 1, 0, 1, 1, 0]);
});

test("exact_dense_pixels_cover_more", () => {
  const pixels = new Uint8ClampedArray(12);
  shade(Uint32Array.of(0, 1, 4), [255, 0, 0], 0.4, pixels);
  assert.deepEqual([pixels[3], pixels[7], pixels[11]], [0, 102, 255]);
  assert.deepEqual([pixels[4], pixels[8]], [255, 255]);
  // Blue over the full red: 0.4 of one and 0.6 of the other, and nothing shines through.
  shade(Uint32Array.of(0, 0, 1), [0, 0, 255], 0.4, pixels);
  assert.deepEqual([...pixels.slice(8)], [153, 0, 102, 255]);
});

test("exact_bars_of_a_histogram", () => {
  const rising = sorted([3, 1, NaN, 2, 2, 5, Infinity]);
  assert.deepEqual([...rising], [1, 2, 2, 3, 5]);
  assert.deepEqual([...histogram(rising, Float64Array.of(1, 2, 3, 5))], [1, 2, 2]);
  const at = edges(Float64Array.from({ length: 1000 }, (_, i) => i));
  // Freedman and Diaconis: 2·(750 − 250)/10 = 100, so that 999/100 needs 10 bars.
  assert.equal(at.length, 11);
  assert.deepEqual([at[0], at[10]], [0, 999]);
  assert.deepEqual([...edges(Float64Array.of(2, 2))], [1.9, 2.1]);
  assert.equal(edges(new Float64Array()).length, 0);
  assert.deepEqual([...ranking(Float64Array.of(3, NaN, 1, 3))], [2, 0, 3]);
});

test("exact_edges_between_values", () => {
  assert.deepEqual(cells([1, 2, 4], false), [0.5, 1.5, 3, 5]);
  const log = cells([1, 100], true);
  [0.1, 10, 1000].forEach((edge, i) => assert.ok(Math.abs(log[i] / edge - 1) < 1e-12));
  assert.equal(cells([5], false).length, 2);
  assert.ok(logarithmic(Float64Array.of(1, 10, 100)) && !logarithmic(Float64Array.of(1, 2, 3)));
  assert.ok(!logarithmic(Float64Array.of(-1, 10, 100)) && !logarithmic(Float64Array.of(1, 10)));
});

test("exact_limits_far_away_do_not_hide_the_data", () => {
  const rule = (at: number) => ({ axis: "x" as const, at, label: "" });
  assert.deepEqual(withRules([0, 1], [rule(2), rule(100)], "x"), [0, 2]);
  assert.deepEqual(withRules([0, 1], [{ ...rule(2), axis: "y" }], "x"), [0, 1]);
});

test("exact_a_row_is_a_run", () => {
  const made = study(
    "sweep",
    ["law", "case", "joints.pin.restitution", "start.seed"],
    {
      law: ["hertz", "lee"],
      case: ["worn", "new"],
      "joints.pin.restitution": [0.1, 0.30000000000000004],
      "start.seed": [1, 2],
      outcome: ["reached-end", "failed: too far"],
    },
    { measured: ["pin.peak_force", "lag", 'max(a.x, "b")'] },
  );
  const model = (title: string) => ({ name: "m", title, text: `# ${title}`, tables: {} });
  const models = [model("m"), model("worn")];
  const request = requestOf(made, 0, models);
  assert.deepEqual(request.sets, [
    ["joints.pin.restitution", "0.1"],
    ["start.seed", "1"],
  ]);
  assert.deepEqual([request.law, request.text], ["hertz", "# worn"]);
  // A case that could not be written falls back to the model.
  assert.equal(requestOf(made, 1, models).text, "# m");
  assert.equal(requestOf(made, 1, models).sets[0][1], "0.30000000000000004");
  assert.equal(measuring(made, request).text, '# worn\n[metrics.study_2]\nvalue = "max(a.x, \\"b\\")"\n');
  assert.equal(labelOf(made, 0), "law = hertz, case = worn, pin.restitution = 0.1, start.seed = 1");
  assert.deepEqual([failure(made, 0), failure(made, 1)], [null, "too far"]);
  assert.deepEqual(
    [shortKey("drivers.motor.speed"), shortKey("run.until"), shortKey("law")],
    ["motor.speed", "run.until", "law"],
  );
});

test("exact_what_metrics_are_drawn_over", () => {
  const grid = study("sweep", ["a", "b"], { a: [1, 1, 1, 2, 2, 2], b: [1, 2, 3, 1, 2, 3] });
  assert.deepEqual(choices(grid), [MAP, "a", "b"]);
  assert.equal(firstChoice(grid), MAP);
  assert.ok(!sampled(grid));
  const words = study("sweep", ["a", "law"], { a: [1, 2, 3, 1, 2, 3], law: ["x", "x", "x", "y", "y", "y"] });
  assert.deepEqual([firstChoice(words), ...choices(words)], ["a", "a", "law"]);
  assert.ok(sampled(study("sweep", ["a", "b"], { a: [1, 2, 3, 4], b: [5, 3, 2, 9] })));
});

test("exact_instants_belong_to_their_values", () => {
  const made = study(
    "bifurcation",
    ["k"],
    { parameter: [1, 2, 3, 3, 1], direction: ["up", "up", "up", "down", "down"] },
    {
      section: {
        parameter: [1, 1, 3, 3, 3, 3, 1],
        direction: ["up", "up", "up", "up", "down", "down", "down"],
        index: [0, 1, 0, 1, 0, 1, 0],
      },
    },
  );
  // The second value failed.
  assert.deepEqual([...firsts(made.table, made.section!)], [0, 2, 2, 4, 6, 7]);
});

test("exact_the_greatest_first", () => {
  const order = ranked({ a: 1, b: null, c: 3, d: 3 }, (value) => value);
  assert.deepEqual(
    order.map(([key]) => key),
    ["c", "d", "a", "b"],
  );
  assert.equal(css(shadeOf(0)), "rgb(68 1 84)");
  assert.equal(css(shadeOf(1)), "rgb(253 231 37)");
  // Halfway between the fifth and the sixth of ten colours.
  assert.deepEqual(shadeOf(0.5), [35, 144, 140]);
});
