// Pure parts of the what-if panel, the ticks and the tables.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, layout } from "../src/impacts.ts";
import {
  describe,
  fromSlider,
  lawOverride,
  override,
  parseSets,
  partsOf,
  said,
  STEPS,
  strangeSets,
  toSlider,
} from "../src/knobs.ts";
import { ratio } from "../src/numbers.ts";
import { linearLabels, linearTicks, logLabels, logTicks } from "../src/plots/ticks.ts";
import { fileName } from "../src/save.ts";
import type { CatalogueEntry, Impact, Knob } from "../src/types.ts";

const knob: Knob = {
  label: "clearance",
  joint: "pin",
  what: "clearance",
  unit: "m",
  value: 0.00025,
  range: [1e-5, 1e-3],
  log: true,
  key: "joints.pin.bearing_radius",
  offset: 0.01,
  factor: 1,
  suffix: "",
};

test("exact_parameters_keep_their_unit", () => {
  const width: Knob = { ...knob, what: "parameter", key: "parameters.w", offset: 0, suffix: "m" };
  assert.deepEqual(override(width, 0.5), ["parameters.w", "0.5 m"]);
  assert.deepEqual(override({ ...width, suffix: "" }, 0.5), ["parameters.w", "0.5"]);
});

test("exact_slider_meets_ends_and_start", () => {
  assert.equal(fromSlider(knob, 0), 1e-5);
  assert.equal(fromSlider(knob, STEPS), 1e-3);
  assert.equal(fromSlider(knob, toSlider(knob, knob.value)), knob.value);
  assert.equal(toSlider(knob, 1e-4), STEPS / 2);
  assert.deepEqual(override(knob, 0.0005), ["joints.pin.bearing_radius", "0.0105"]);
});

test("property_slider_never_goes_back", () => {
  for (const log of [true, false]) {
    let last = -Infinity;
    for (let place = 0; place <= STEPS; place++) {
      const value = fromSlider({ ...knob, log }, place);
      assert.ok(
        value >= last && value >= knob.range[0] && value <= knob.range[1],
        `${log} ${place} ${value} after ${last}`,
      );
      last = value;
    }
  }
});

const entry = (id: string, family: CatalogueEntry["family"]): CatalogueEntry => ({
  id,
  family,
  title: id,
  summary: "",
});
const catalogue = [
  entry("hertz", "point"),
  entry("johnson", "cylinder"),
  entry("flores", "damping"),
  entry("lankarani-nikravesh", "damping"),
  entry("coulomb-tanh", "friction"),
];
const none = { elastic: null, damping: null, friction: null };

test("exact_law_keeps_its_damping_under_another_elastic_law", () => {
  const current = partsOf("hertz+lankarani-nikravesh", catalogue);
  assert.deepEqual(current, { elastic: "hertz", damping: "lankarani-nikravesh", friction: null });
  assert.equal(lawOverride(none, current), null);
  assert.equal(lawOverride({ ...none, elastic: "johnson" }, current), "johnson+lankarani-nikravesh");
  assert.equal(lawOverride({ ...none, damping: "flores" }, current), "flores");
  assert.equal(
    lawOverride({ elastic: "johnson", damping: "flores", friction: "coulomb-tanh" }, current),
    "johnson+flores+coulomb-tanh",
  );
  assert.deepEqual(partsOf("pin: hertz+flores; guide: johnson", catalogue), none);
  assert.deepEqual(partsOf("pin: hertz+flores; guide: hertz+flores", catalogue).damping, "flores");
});

test("exact_ticks", () => {
  assert.deepEqual(linearTicks(0, 1, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  assert.deepEqual(linearLabels(linearTicks(-2000, 2000, 4), 1000), ["−2", "−1", "0", "1", "2"]);
  assert.deepEqual(linearLabels([0, 0.05e-3, 0.1e-3], 1e-3), ["0.00", "0.05", "0.10"]);
  assert.deepEqual(logTicks(1, 1000, 6), [1, 10, 100, 1000]);
  assert.deepEqual(logLabels([1e-5, 0.01, 100]), ["10⁻⁵", "0.01", "100"]);
  assert.deepEqual(linearTicks(1, 1, 5), []);
});

test("exact_ratios", () => {
  assert.equal(ratio(2, 1), "−50\u00a0%");
  assert.equal(ratio(1, 3), "×3.0");
  assert.equal(ratio(1, 1), "=");
  assert.equal(ratio(1, 1 + 1e-9), "≈");
  assert.equal(ratio(0, 1), "");
  assert.equal(ratio(null, 1), "");
});

test("property_impact_columns_share_one_unit", () => {
  const impact = (start: number, max_force: number, restitution: number | null): Impact => ({
    joint: "pin",
    region: "bearing",
    start,
    end: start + 1e-4,
    impact_speed: 0.1,
    max_indentation: 5e-6,
    max_force,
    duration: 1e-4,
    impulse: 0.1,
    restitution,
    free_restitution: restitution,
    loss_normal: 1e-3,
    loss_friction: 0,
    out_of_domain: 0,
    mode: "impact",
    open: false,
    peak_time: start,
  });
  const rows = [impact(0.1, 2000, 0.5), impact(0.3, 1500, null), impact(0.2, 20, 0.6)].map((entry, index) => ({
    impact: entry,
    index,
  }));
  const columns = layout(rows);
  // Columns that say nothing are left out.
  assert.deepEqual(
    columns.map(({ column }) => column.id),
    [
      "index",
      "start",
      "impact_speed",
      "max_force",
      "max_indentation",
      "duration",
      "impulse",
      "restitution",
      "loss_normal",
    ],
  );
  const force = columns.find(({ column }) => column.id === "max_force")!;
  assert.equal(force.unit, "kN");
  assert.deepEqual(
    rows.map((row) => cell(row, force)),
    ["2.00", "1.50", "0.0200"],
  );
  assert.equal(
    cell(
      rows[1],
      columns.find(({ column }) => column.id === "restitution")!,
    ),
    "–",
  );
});

test("exact_file_names", () => {
  assert.equal(fileName("Schäfer crank", "Poincaré: x/y"), "schafer-crank-poincare-x-y");
});

test("exact_other_keys", () => {
  assert.deepEqual(parseSets(" joints.pin.length = 15 mm; run.until=1 s;; nothing"), [
    ["joints.pin.length", "15 mm"],
    ["run.until", "1 s"],
  ]);
  assert.deepEqual(parseSets("a = b = c; = d; e ="), [["a", "b = c"]]);
});

test("exact_what_is_no_override_is_found", () => {
  assert.deepEqual(strangeSets("joints.pin.length 15 mm; run.until = 1 s; e ="), ["joints.pin.length 15 mm", "e ="]);
  assert.deepEqual(strangeSets(" ; run.until = 1 s;"), []);
});

test("exact_names_of_changed_runs", () => {
  const c = { knob, value: 0.0005 };
  assert.equal(
    describe("hertz+flores", [c], [["run.until", "1 s"]], false, [knob]),
    "hertz+flores, c = 0.5\u00a0mm, until = 1 s",
  );
  assert.equal(
    describe("hertz+flores", [c], [], true, [knob, { ...knob, joint: "guide" }]),
    "hertz+flores, edited model, c of pin = 0.5\u00a0mm",
  );
  assert.equal(describe("hertz+flores", [], [], false), "hertz+flores");
});

test("exact_speed_of_a_shaft_in_turns_per_minute", () => {
  const motor: Knob = { ...knob, what: "speed", unit: "rad/s", value: (200 * 2 * Math.PI) / 60, range: [2, 200] };
  assert.equal(said(motor, motor.value), "200\u00a0rpm");
  assert.equal(fromSlider(motor, toSlider(motor, motor.value)), motor.value);
  assert.match(said(motor, fromSlider(motor, 321)), /^\d{2,4}(\.\d)?\u00a0rpm$/);
});
