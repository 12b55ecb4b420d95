// Pages of studies: what they show is what the study found, and their points run as in the program.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import {
  folder,
  frames,
  id,
  model,
  native,
  near,
  picture,
  resultTable,
  saved,
  shared,
  sharedModel,
  table,
  until,
  visit,
} from "./pages.mjs";

/** A driven pendulum, shorter and less accurate than in the tests of bifurcation diagrams. */
const PENDULUM = sharedModel("pendulum").replace("until = 100", "until = 20").replace("rtol = 1e-12", "rtol = 1e-8");

const study = (command, name, ...options) => native(command, model(name), ...options);
const page$ = (result) => join(result.folder, "study.html");
const card = (page, name) => id(page, "study-plot", `[data-plot="${name}"]`);
const area = (page, name) => card(page, name).locator('[data-testid="study-area"]');

async function cardTable(page, name) {
  await card(page, name).locator('[data-testid="plot-menu"]').click();
  const file = await saved(page, () => card(page, name).locator('[data-testid="save-csv"]').click());
  return table(file.bytes.toString("utf8"));
}

/** Ranges of the axes of a plot. */
async function ranges(page, name) {
  const numbers = (text) => text.split(" ").map(Number);
  const data = await until(page, `${name} is drawn`, () =>
    area(page, name).evaluate(({ dataset }) => (dataset.x && dataset.y ? { x: dataset.x, y: dataset.y } : null)),
  );
  return { x: numbers(data.x), y: numbers(data.y) };
}

/** Where a plot has a point, in pixels of the window. */
async function pixel(page, name, x, y, log = false) {
  await area(page, name).scrollIntoViewIfNeeded();
  const range = await ranges(page, name);
  const box = await area(page, name).locator(".plot-over").boundingBox();
  const share = ([a, b], value) => (log ? Math.log(value / a) / Math.log(b / a) : (value - a) / (b - a));
  const up = (range.y[1] - y) / (range.y[1] - range.y[0]);
  return [box.x + share(range.x, x) * box.width, box.y + up * box.height];
}

/** Waits until the page has run a row; study and run side by side, by metric. */
async function ran(page, row) {
  await until(
    page,
    `row ${row} has been run`,
    async () => (await page.locator(`.study-shown[data-row="${row}"]`).count()) === 1,
  );
  const cells = await id(page, "study-number").evaluateAll((list) =>
    list.map((line) => [line.dataset.metric, ...[...line.querySelectorAll("td")].map((cell) => cell.dataset.value)]),
  );
  return Object.fromEntries(
    cells.map(([metric, before, now]) => [metric, { before: Number(before), now: Number(now) }]),
  );
}

function equal(numbers, expected, row) {
  for (const [metric, { before, now }] of Object.entries(numbers)) {
    assert.equal(before, expected[metric][row], metric);
    near(now / before, 1, 1e-9, `${metric} of the run in the page`);
  }
}

const rows = (page) =>
  id(page, "study-row").evaluateAll((list) =>
    list.map((line) => Object.fromEntries([...line.cells].map((cell) => [cell.dataset.column, cell.dataset.value]))),
  );

const METRICS = ["--metric", "pin.peak_force", "--metric", "max(pin.penetration)"];
const sweep = () =>
  shared("sweep", () => study("sweep", "two-spheres", "--vary", "contacts.pin.restitution=0.2:0.8:4", ...METRICS));

test("peer_a_click_runs_the_point_as_the_program_did", async () => {
  const result = await sweep();
  const expected = resultTable(result, "table.csv");
  await visit(page$(result), async (page) => {
    assert.ok(!(await page.locator("#bench").isVisible()), "nothing is run by itself");
    const shown = await rows(page);
    assert.equal(shown.length, 4);
    for (const [name, values] of Object.entries(expected)) {
      assert.deepEqual(
        shown.map((line) => line[name]),
        values.map(String),
        name,
      );
    }
    const curve = await cardTable(page, "curve-pin.peak_force");
    assert.deepEqual(curve["contacts.pin.restitution"], expected["contacts.pin.restitution"]);
    assert.deepEqual(curve["pin.peak_force"], expected["pin.peak_force"]);
    // In the plot.
    const e = expected["contacts.pin.restitution"][1];
    const place = await pixel(page, "curve-pin.peak_force", e, expected["pin.peak_force"][1]);
    await page.mouse.move(...place);
    await until(page, "the point is told", () => id(page, "study-tip", ':not([hidden])[data-row="1"]').count());
    await picture(page, "study-hover");
    await page.mouse.click(...place);
    const numbers = await ran(page, 1);
    assert.deepEqual(Object.keys(numbers), ["pin.peak_force", "max(pin.penetration)"]);
    equal(numbers, expected, 1);
    await until(page, "the mechanism is there", () => page.locator("#scene canvas").first().isVisible());
    assert.equal(await id(page, "study-row", '[data-row="1"]').getAttribute("aria-current"), "true");
    await picture(page, "study-run");
    // Kept beside another one, from the table.
    await id(page, "study-keep").click();
    await id(page, "study-row", '[data-row="3"]').press("Enter");
    equal(await ran(page, 3), expected, 3);
    assert.deepEqual(await id(page, "study-point").evaluateAll((list) => list.map((point) => point.dataset.row)), [
      "1",
      "3",
    ]);
    await until(page, "both are compared", () =>
      id(page, "compare-row")
        .count()
        .then((n) => n === 2),
    );
    // What if starts from the point that is shown.
    await until(page, "the model is that of the point", async () =>
      /restitution = 0\.8/.test(await id(page, "model-text").inputValue()),
    );
    await id(page, "study-drop").first().click();
    await until(page, "one is left", () =>
      id(page, "study-point")
        .count()
        .then((n) => n === 1),
    );
  });
});

test("property_rows_are_sorted_and_saved", async () => {
  const result = await sweep();
  const expected = resultTable(result, "table.csv");
  await visit(page$(result), async (page) => {
    await id(page, "study-sort-pin.peak_force").click();
    await id(page, "study-sort-pin.peak_force").click();
    const shown = (await rows(page)).map((line) => Number(line["pin.peak_force"]));
    assert.deepEqual(
      shown,
      [...expected["pin.peak_force"]].sort((a, b) => b - a),
    );
    const file = await saved(page, () => id(page, "study-csv").click());
    assert.deepEqual(table(file.bytes.toString("utf8")), expected);
    for (const [item, begin] of [
      ["save-svg", "<svg"],
      ["save-png", "\x89PNG"],
    ]) {
      await card(page, "curve-pin.peak_force").locator('[data-testid="plot-menu"]').click();
      const { bytes } = await saved(page, () =>
        card(page, "curve-pin.peak_force").locator(`[data-testid="${item}"]`).click(),
      );
      assert.ok(bytes.toString("latin1").startsWith(begin), item);
    }
  });
});

test("peer_two_keys_are_a_map_or_lines", async () => {
  const vary = ["--vary", "contacts.pin.restitution=0.4,0.6,0.8", "--vary", "bodies.left.mass=1:100:3:log"];
  const result = await study("sweep", "two-spheres", ...vary, "--metric", "pin.peak_force");
  const expected = resultTable(result, "table.csv");
  await visit(page$(result), async (page) => {
    const map = await cardTable(page, "map-pin.peak_force");
    const key = (columns, i) => `${columns["contacts.pin.restitution"][i]} ${columns["bodies.left.mass"][i]}`;
    const forces = new Map(expected["pin.peak_force"].map((force, i) => [key(expected, i), force]));
    assert.equal(map["pin.peak_force"].length, 9);
    map["pin.peak_force"].forEach((force, i) => assert.equal(force, forces.get(key(map, i))));
    await picture(page, "study-map");
    const [mass, e] = [expected["bodies.left.mass"][5], expected["contacts.pin.restitution"][5]];
    await page.mouse.click(...(await pixel(page, "map-pin.peak_force", mass, e, true)));
    equal(await ran(page, 5), expected, 5);
    await id(page, "study-back").click();
    await id(page, "study-over").selectOption("bodies.left.mass");
    const lines = card(page, "curve-pin.peak_force");
    assert.equal(await lines.locator('[data-testid="series"]').count(), 3);
    await lines.locator('[data-testid="series"]').first().click();
    assert.equal(Object.keys(await cardTable(page, "curve-pin.peak_force")).length, 4, "two lines are left");
  });
});

test("property_failures_are_told_and_refused", async () => {
  const vary = ["--vary", "contacts.pin.restitution=0.5,0.7,-1"];
  const result = await study("sweep", "two-spheres", ...vary, "--metric", "pin.peak_force");
  assert.equal(result.failed, 1);
  await visit(page$(result), async (page) => {
    const said = await id(page, "study-said").textContent();
    assert.match(said, /without a result.*restitution/);
    await id(page, "study-row", '[data-row="2"]').click();
    await until(page, "the refusal is told", () => id(page, "study-problem").isVisible());
    assert.match(await id(page, "study-problem").textContent(), /-1|restitution/);
    assert.ok(!(await page.locator("#bench").isVisible()));
    // The next one runs.
    await id(page, "study-row", '[data-row="0"]').click();
    await ran(page, 0);
    assert.ok(!(await id(page, "study-problem").isVisible()));
  });
});

test("peer_laws_cases_and_starts_are_run", async () => {
  const file = join(folder, "spheres.toml");
  writeFileSync(file, `${readFileSync(model("two-spheres"), "utf8")}\n[cases.heavy]\nbodies.left.mass = "20 kg"\n`);
  const vary = ["--vary", "case=heavy", "--vary", "law=hertz+flores,hertz+hunt-crossley"];
  const result = await native("sweep", file, ...vary, "--metric", "pin.peak_force", "--repeats", "2");
  const expected = resultTable(result, "table.csv");
  const points = resultTable(result, "points.csv");
  await visit(page$(result), async (page) => {
    assert.equal(await id(page, "study-row").count(), 4);
    const curve = await cardTable(page, "curve-pin.peak_force");
    assert.deepEqual(curve.law, points.law);
    assert.deepEqual(curve["pin.peak_force"], points["pin.peak_force"]);
    const std = points["pin.peak_force.std"][0];
    near(curve["pin.peak_force to"][0] - points["pin.peak_force"][0], std, 1e-9 + 1e-6 * std, "one deviation");
    await id(page, "study-row", '[data-row="3"]').click();
    equal(await ran(page, 3), expected, 3);
    assert.match(await page.locator(".study-shown h2").textContent(), /case = heavy, law = hertz\+hunt-crossley/);
  });
});

test("peer_samples_are_counted_and_the_worst_runs", async () => {
  const vary = ["--vary", "joints.pin.restitution=normal(0.7,0.05)", "--vary", "bodies.shaft.mass=7g:9g"];
  const limit = ["--metric", "pin.peak_force", "--limit", "pin.peak_force < 140"];
  const result = await study("tolerance", "pin-in-bore", ...vary, ...limit, "--samples", "16");
  const expected = resultTable(result, "table.csv");
  await visit(page$(result), async (page) => {
    const bars = await cardTable(page, "histogram-pin.peak_force");
    assert.equal(
      bars.runs.reduce((sum, n) => sum + n, 0),
      16,
    );
    bars.runs.forEach((n, i) => {
      const last = i + 1 === bars.runs.length;
      const [a, b] = [bars["pin.peak_force from"][i], bars["pin.peak_force to"][i]];
      const inside = expected["pin.peak_force"].filter((f) => f >= a && (f < b || (last && f === b)));
      assert.equal(n, inside.length);
    });
    const share = await cardTable(page, "cumulative-pin.peak_force");
    assert.deepEqual(
      share["pin.peak_force"],
      [...expected["pin.peak_force"]].sort((a, b) => a - b),
    );
    assert.equal(share["share of runs"].at(-1), 1);
    const over = result.limits[0].count;
    assert.match(await id(page, "study-said").textContent(), new RegExp(`exceeded in ${over} of 16 runs`));
    const { point } = result.worst["pin.peak_force"];
    // Warnings may name the same row.
    const worst = page.locator("li").filter({ hasText: "Worst pin.peak_force" });
    await worst.locator(`[data-testid="study-run"][data-row="${point}"]`).click();
    const numbers = await ran(page, point);
    assert.equal(numbers["pin.peak_force"].before, result.worst["pin.peak_force"].value);
    equal(numbers, expected, point);
    await picture(page, "study-tolerance", { fullPage: true });
  });
});

test("peer_the_longest_bar_comes_first", async () => {
  const vary = ["--vary", "joints.pin.restitution=0.5:0.9", "--vary", "bodies.shaft.mass=7g:9g"];
  const measure = ["--metric", "pin.peak_force", "--measure", "tornado"];
  const result = await study("sensitivity", "pin-in-bore", ...vary, ...measure);
  await visit(page$(result), async (page) => {
    const swings = Object.entries(result.swings["pin.peak_force"]);
    const order = swings.sort(([, a], [, b]) => Math.abs(b.swing) - Math.abs(a.swing)).map(([key]) => key);
    const bars = await id(page, "study-bar").evaluateAll((list) =>
      list.map((bar) => [
        bar.dataset.key,
        ...[...bar.querySelectorAll(".track-line")].map((line) => Number(line.dataset.value)),
      ]),
    );
    assert.deepEqual(
      bars.map(([key]) => key),
      order,
    );
    for (const [key, low, high] of bars) {
      const { low: a, high: b } = result.swings["pin.peak_force"][key];
      assert.deepEqual([low, high], [a, b]);
    }
  });
});

const diagram = () =>
  shared("diagram", () => {
    const file = join(folder, "pendulum.toml");
    writeFileSync(file, PENDULUM);
    const vary = ["--vary", "forces.drive.value.harmonic.amplitude=0.9:1.1:3", "--observe", "pivot.angle,pivot.omega"];
    return native(
      "bifurcation",
      file,
      ...vary,
      "--period",
      "drive",
      "--transient",
      "2",
      "--periods",
      "5",
      "--both-ways",
    );
  });

test("property_a_diagram_is_zoomed_with_all_below_it", async () => {
  const result = await diagram();
  const section = resultTable(result, "section.csv");
  await visit(page$(result), async (page) => {
    const shown = await cardTable(page, "diagram-pivot.omega");
    assert.deepEqual(shown["forces.drive.value.harmonic.amplitude"], section.parameter);
    assert.deepEqual(shown["pivot.omega"], section["pivot.omega"]);
    assert.deepEqual(shown.direction, section.direction);
    const before = await ranges(page, "lyapunov");
    await area(page, "diagram-pivot.angle").scrollIntoViewIfNeeded();
    const box = await area(page, "diagram-pivot.angle").locator(".plot-over").boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.2 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.6 * box.height, { steps: 4 });
    await page.mouse.up();
    const wide = before.x[1] - before.x[0];
    for (const name of ["diagram-pivot.angle", "diagram-pivot.omega", "class", "lyapunov"]) {
      await area(page, name).scrollIntoViewIfNeeded();
      const x = await until(page, `${name} is zoomed`, async () => {
        const now = (await ranges(page, name)).x;
        return now[0] !== before.x[0] ? now : null;
      });
      near(x[0], before.x[0] + 0.25 * wide, 0.005 * wide, `left of ${name}`);
      near(x[1], before.x[0] + 0.5 * wide, 0.005 * wide, `right of ${name}`);
    }
    await picture(page, "study-zoomed");
    await area(page, "lyapunov").press("0");
    await until(page, "all is shown", async () => (await ranges(page, "lyapunov")).x[0] === before.x[0]);
    await area(page, "lyapunov").press("+");
    await until(page, "keys zoom", async () => (await ranges(page, "lyapunov")).x[0] > before.x[0]);
    await area(page, "lyapunov").press("0");
    // By keys alone: the first point on the left.
    await area(page, "diagram-pivot.angle").press("ArrowRight");
    const tip = card(page, "diagram-pivot.angle").locator('[data-testid="study-tip"]');
    const row = Number(await tip.getAttribute("data-row"));
    const points = resultTable(result, "points.csv");
    assert.equal(points.parameter[row], 0.9);
    const told = await tip.textContent();
    assert.ok(told.includes(points.class[row]) && told.includes(points.direction[row]), told);
    await area(page, "diagram-pivot.angle").press("Enter");
    await ran(page, row);
    await until(page, "the pendulum is there", () => page.locator("#scene canvas").first().isVisible());
  });
});

/** The page of a diagram with other tables in it. */
function withTables(result, change) {
  const old = readFileSync(page$(result), "utf8");
  const findings = JSON.parse(readFileSync(join(result.folder, "study.json"), "utf8"));
  const series = [];
  let at = 0;
  const column = (name, words, values) => {
    series.push(values);
    const made = { name, words, values: { at, n: values.length } };
    at += values.length;
    return made;
  };
  const json = Buffer.from(
    JSON.stringify({ findings, points: null, spectra: null, continued: true, starts: [], ...change(column) }),
  );
  const head = Buffer.alloc(Math.ceil((8 + json.length) / 8) * 8);
  head.write("JPV1");
  head.writeUInt32LE(json.length, 4);
  json.copy(head, 8);
  const bytes = Buffer.concat([head, ...series.map((list) => Buffer.from(list.buffer))]);
  const data = deflateSync(bytes, { level: 1 }).toString("base64");
  const file = join(folder, "million.html");
  writeFileSync(
    file,
    old.replace(/(id="study-data">)[^<]*/, (_, tag) => tag + data),
  );
  return file;
}

test("property_a_million_points_are_drawn_at_once", async () => {
  const [values, instants] = [2000, 500];
  const n = values * instants;
  const words = ["up"];
  const file = withTables(await diagram(), (column) => {
    // The logistic map.
    const [x, y, index] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
    for (let i = 0, at = 0; i < values; i++) {
      const r = 2.8 + (1.2 * i) / values;
      let now = 0.4;
      for (let k = -200; k < instants; k++) {
        now = r * now * (1 - now);
        if (k < 0) continue;
        [x[at], y[at], index[at]] = [r, now, k];
        at++;
      }
    }
    const each = Float64Array.from({ length: values }, (_, i) => x[i * instants]);
    const zeros = (length) => new Float64Array(length);
    const numbers = ["period", "lyapunov", "lyapunov_low", "lyapunov_high"];
    const table = [
      column("parameter", null, each),
      column("direction", words, zeros(values)),
      column("class", ["chaotic"], zeros(values)),
      ...numbers.map((name) => column(name, null, zeros(values))),
      column("why", ["because"], zeros(values)),
    ];
    const section = [
      column("parameter", null, x),
      column("direction", words, zeros(n)),
      column("index", null, index),
      column("pivot.angle", null, y),
      column("pivot.omega", null, y),
    ];
    return { table: { rows: values, columns: table }, section: { rows: n, columns: section } };
  });
  await visit(file, async (page) => {
    const took = () => area(page, "diagram-pivot.angle").evaluate(({ dataset }) => Number(dataset.took));
    await ranges(page, "diagram-pivot.angle");
    const first = await took();
    await picture(page, "study-million");
    const box = await area(page, "diagram-pivot.angle").locator(".plot-over").boundingBox();
    await page.mouse.move(box.x + 0.7 * box.width, box.y + 0.3 * box.height);
    await page.mouse.wheel(0, -400);
    await until(page, "it is zoomed", async () => (await ranges(page, "diagram-pivot.angle")).x[0] > 2.8);
    await frames(page, 2);
    const zoomed = await took();
    await picture(page, "study-million-zoomed");
    // The upper branch of period 2: (r + 1 + √((r + 1)(r − 3)))/2r.
    await page.mouse.move(...(await pixel(page, "diagram-pivot.angle", 3.4, (4.4 + Math.sqrt(4.4 * 0.4)) / 6.8)));
    await until(page, "a point is told", () => id(page, "study-tip", ":not([hidden])").count());
    console.log(`a million points: ${first} ms, zoomed ${zoomed} ms`);
    assert.ok(first < 3000 && zoomed < 3000, `${first} ms, ${zoomed} ms`);
    // Names are texts, whatever they are.
    assert.equal(await id(page, "study-row").count(), 500);
  });
});

test("peer_a_point_of_a_warm_sweep_starts_where_it_did", async () => {
  const vary = ["--vary", "joints.pin.restitution=0.4,0.6", "--metric", "pin.loss", "--metric", "last(slider.x)"];
  const result = await study("sweep", "slider-crank", ...vary, "--warm-start", "--until", "0.3s", "--rtol", "1e-6");
  const expected = resultTable(result, "table.csv");
  await visit(page$(result), async (page) => {
    await id(page, "study-row").nth(1).click();
    const numbers = await ran(page, 1);
    assert.deepEqual(Object.keys(numbers), ["pin.loss", "last(slider.x)"]);
    equal(numbers, expected, 1);
  });
});

test("exact_spectra_are_maps_of_key_and_order", async () => {
  const file = join(folder, "waves.toml");
  writeFileSync(file, PENDULUM);
  const vary = ["--vary", "forces.drive.value.harmonic.amplitude=0.1,0.2", "--observe", "pivot.omega"];
  const more = ["--period", "drive", "--transient", "2", "--periods", "4", "--orders", "2"];
  const result = await native("bifurcation", file, ...vary, ...more);
  const expected = resultTable(result, "spectra.csv");
  await visit(page$(result), async (page) => {
    const map = await cardTable(page, "spectrum-up-pivot.omega");
    assert.equal(map["order of the drive"].length, expected.order.length);
    const decades = Object.values(map)[2];
    const most = Math.log10(Math.max(...expected["pivot.omega"]));
    near(Math.max(...decades), most, 1e-12, "the greatest amplitude");
  });
});
