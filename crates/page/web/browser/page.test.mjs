// A page in a real browser. RUN_PAGE: report of a run whose model has a clearance joint; PLAYGROUND_PAGE: the playground.
// CHROMIUM: program (/usr/bin/chromium). `RUN_PAGE=report.html node --test browser/`
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { RUN_PAGE, PLAYGROUND_PAGE, CHROMIUM = "/usr/bin/chromium" } = process.env;
const id = (name) => `[data-testid="${name}"]`;
let browser;

before(async () => { browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] }); });
after(() => browser?.close());

/** A fresh page; what its console says, and requests to a network, are collected. */
async function open(file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1200 }, reducedMotion: "reduce", ...options });
  page.said = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.said.push(message.text()));
  page.on("pageerror", (error) => page.said.push(error.message));
  page.on("request", (request) => /^(https?|wss?):/.test(request.url()) && page.said.push(`request of ${request.url()}`));
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForSelector("html[data-ready]", { state: "attached", timeout: 30_000 });
  return page;
}

const time = (page) => page.$eval("#player input[type=range]", (input) => Number(input.value));
const cursor = (page) => page.$eval("[data-plot=force] .plot-now", (line) => Number(/translateX\((-?[\d.]+)px/.exec(line.style.transform)?.[1]));
const idle = async (page) => {
  await page.waitForTimeout(300);
  await page.waitForFunction((busy) => document.querySelector(busy)?.hidden, id("whatif-busy"), { timeout: 60_000 });
};
const picture = (page, what) => page.locator(what).first().screenshot();

async function download(page, click) {
  const [file] = await Promise.all([page.waitForEvent("download", { timeout: 20_000 }), click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test("property_page_loads_in_silence_wide_and_narrow_light_and_dark", { skip: !RUN_PAGE }, async () => {
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 } }]) {
    const page = await open(RUN_PAGE, options);
    await page.waitForTimeout(300);
    assert.deepEqual(page.said, []);
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= seen, `the page is ${wide} px wide in a window of ${seen} px`);
    await page.close();
  }
});

test("property_animation_moves_plots_and_mechanism", { skip: !RUN_PAGE }, async () => {
  const page = await open(RUN_PAGE);
  const [t0, x0, scene] = [await time(page), await cursor(page), await picture(page, "#scene canvas")];
  await page.locator("body").press("Space");
  await page.waitForTimeout(1200);
  await page.locator("body").press("Space");
  assert.ok((await time(page)) > t0);
  assert.ok((await cursor(page)) > x0);
  assert.notDeepEqual(await picture(page, "#scene canvas"), scene);
  assert.deepEqual(page.said, []);
  await page.close();
});

test("property_click_sets_the_time_drag_zooms_double_click_shows_all", { skip: !RUN_PAGE }, async () => {
  const page = await open(RUN_PAGE);
  const over = page.locator("[data-plot=force] .u-over");
  await over.scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  const box = await over.boundingBox();
  const at = (share) => [box.x + share * box.width, box.y + box.height / 2];
  const end = await page.$eval("#player input[type=range]", (input) => Number(input.max));
  await page.mouse.click(...at(0.5));
  assert.ok(Math.abs((await time(page)) - end / 2) < 0.01 * end);
  await page.mouse.move(...at(0.1));
  await page.mouse.down();
  await page.mouse.move(...at(0.2));
  await page.mouse.move(...at(0.3));
  await page.mouse.up();
  await page.waitForTimeout(200);
  await page.mouse.click(...at(0.5));
  assert.ok(Math.abs((await time(page)) - 0.2 * end) < 0.01 * end);
  await page.mouse.dblclick(...at(0.4));
  await page.waitForTimeout(200);
  await page.mouse.click(...at(0.75));
  assert.ok(Math.abs((await time(page)) - 0.75 * end) < 0.01 * end);
  await page.close();
});

test("property_impact_row_jumps", { skip: !RUN_PAGE }, async () => {
  const page = await open(RUN_PAGE);
  await page.click(id("sort-max_force"));
  await page.click(id("sort-max_force"));
  const row = page.locator(id("impact-row")).first();
  await row.click();
  const start = await page.evaluate((rows) => {
    const heads = [...document.querySelectorAll(".impact-table thead th")].map((th) => th.textContent);
    const at = heads.findIndex((text) => text.startsWith("start"));
    const unit = /\((\w+)\)/.exec(heads[at])[1];
    const factor = { s: 1, ms: 1e-3, "µs": 1e-6 }[unit];
    return Number(document.querySelector(rows).children[at].textContent) * factor;
  }, id("impact-row"));
  assert.ok(Math.abs((await time(page)) - start) < 1e-6 + 1e-4 * start, `${await time(page)} for ${start}`);
  const before = await time(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.notEqual(await time(page), before);
  assert.deepEqual(page.said, []);
  await page.close();
});

test("property_exports_hold_the_data", { skip: !RUN_PAGE }, async () => {
  const page = await open(RUN_PAGE);
  const save = (kind) => download(page, async () => {
    await page.locator("[data-plot=force]").locator(id("plot-menu")).click();
    await page.locator("[data-plot=force]").locator(id(`save-${kind}`)).click();
  });
  const csv = (await save("csv")).bytes.toString().trimEnd().split("\n");
  assert.match(csv[0], /^t( \(.*\))? \[s\],[\w.-]+\.force( \(.*\))? \[N\]/);
  assert.ok(csv.length > 1000);
  const peak = Math.max(...csv.slice(1).map((line) => Number(line.split(",")[1])));
  assert.ok(peak > 0);
  const svg = (await save("svg")).bytes.toString();
  assert.match(svg, /<svg/);
  assert.match(svg, /\.force/);
  const png = (await save("png")).bytes;
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from("PNG")]);
  await page.close();
});

test("peer_browser_repeats_the_native_run_and_a_slider_changes_it", { skip: !RUN_PAGE }, async () => {
  const page = await open(RUN_PAGE);
  await page.click(id("whatif-run"));
  await idle(page);
  const numbers = () => page.$$eval(id("number-row"), (rows) => Object.fromEntries(rows.map((row) => {
    const [a, b] = [...row.querySelectorAll("[data-value]")].map((cell) => Number(cell.dataset.value));
    return [`${row.dataset.joint} ${row.dataset.number}`, [a, b]];
  })));
  const same = await numbers();
  assert.ok(Object.keys(same).length > 0, await page.textContent(id("whatif-problems")));
  for (const [name, [a, b]] of Object.entries(same)) {
    if (name.endsWith(" impacts")) assert.equal(a, b, name);
  }
  // Sample by sample up to 0.05 s, where rounding has not grown into another motion.
  if (!(await page.locator("[data-plot=position]").count())) await page.click(id("preset-position"));
  const { bytes: table } = await download(page, () => page.locator("[data-plot=position]").locator(id("save-csv")).evaluate((button) => button.click()));
  const lines = table.toString().trimEnd().split("\n").slice(1).map((line) => line.split(",").map((field) => (field === "" ? NaN : Number(field))));
  const fresh = new Map(lines.map((line) => [line[2], line[3]]));
  const both = lines.filter(([t]) => t <= 0.05 && fresh.has(t));
  assert.ok(both.length > 20);
  for (const [t, x] of both) assert.ok(Math.abs(fresh.get(t) - x) <= 1e-9 * Math.max(1e-3, Math.abs(x)), `${t}: ${x} and ${fresh.get(t)}`);
  const slider = page.locator(id("knob")).first();
  await slider.focus();
  for (let i = 0; i < 40; i++) await slider.press("ArrowRight");
  if (await page.locator(id("whatif-took")).textContent().then((text) => text.includes("press Run"))) await page.click(id("whatif-run"));
  await idle(page);
  const changed = Object.values(await numbers());
  assert.ok(changed.some(([a, b]) => a !== b));
  const { name, bytes } = await download(page, () => page.click(id("whatif-save")));
  assert.match(name, /\.toml$/);
  assert.match(bytes.toString(), /^format = 1/m);
  await page.click(id("whatif-reset"));
  assert.equal(await page.locator(id("number-row")).count(), 0);
  assert.deepEqual(page.said, []);
  await page.close();
});

test("property_bad_model_is_refused_with_its_line", { skip: !RUN_PAGE }, async () => {
  const page = await open(RUN_PAGE);
  await page.click(id("model-edit"));
  const text = await page.inputValue(id("model-text"));
  await page.fill(id("model-text"), `nonsense = 1\n${text}`);
  await page.click(id("model-run"));
  await idle(page);
  assert.match(await page.textContent(id("whatif-problems")), /line 1/);
  await page.close();
});

test("property_playground_runs_every_mechanism", { skip: !PLAYGROUND_PAGE }, async () => {
  const page = await open(PLAYGROUND_PAGE);
  const names = await page.$$eval(`${id("model-pick")} option`, (options) => options.map((option) => option.value));
  for (const name of names) {
    await page.selectOption(id("model-pick"), name);
    await page.waitForFunction((model) => document.querySelector("#header h1")?.textContent?.includes(model) && document.querySelector("[data-testid=plot]"), name, { timeout: 90_000 });
    await page.waitForTimeout(400);
  }
  assert.deepEqual(page.said, []);
  await page.close();
});
