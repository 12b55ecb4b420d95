// What the browser tests share: pages made by the program, a real browser that opens them, and what is read from both.
//
// JOINTPLAY    the program
// CHROMIUM     the browser; found on PATH otherwise
// ASSETS       a folder with page.js, page.css (and engine.wasm.zlib) to put into the pages instead of those of the program
// SCREENSHOTS  a folder for pictures of the pages
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(here, "../../../..");
const MODELS = join(ROOT, "models");
const run = promisify(execFile);

const program = process.env.JOINTPLAY;
if (!program) throw new Error("JOINTPLAY must name the program, such as target/release/jointplay");

function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        /* not there */
      }
    }
  }
  throw new Error("no Chromium on PATH; CHROMIUM may name it");
}

export const folder = mkdtempSync(join(tmpdir(), "jointplay-browser-"));
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

// The program.

export const model = (name) => join(MODELS, name, "model.toml");

/** The text of a model that tests of the program use, too. */
export const sharedModel = (name) => readFileSync(join(ROOT, "testing/models", `${name}.toml`), "utf8");

let made = 0;
/** Runs the program; its answer as JSON, with the folder of its result as `folder`. */
export async function native(command, file, ...options) {
  const out = join(folder, `result-${++made}`);
  const { stdout } = await run(resolve(program), [command, file, ...options, "--out", out, "--json"], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
  return { ...JSON.parse(stdout), folder: out };
}

/** Runs the program; its answer as JSON. */
export async function asked(...args) {
  const { stdout } = await run(resolve(program), [...args, "--json"], { cwd: folder, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

/** The playground as a file. */
export async function playground() {
  const file = join(folder, "playground.html");
  await run(resolve(program), ["playground", file], { cwd: folder });
  return file;
}

const once = new Map();
/** The same for every test of a file. */
export function shared(key, make) {
  if (!once.has(key)) once.set(key, make());
  return once.get(key);
}
export const sliderCrank = () => shared("slider-crank", () => native("run", model("slider-crank")));

/** Table of a result folder, or one that a page saved: columns by name, without units. */
export function table(text) {
  const fields = (line) =>
    [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
    );
  const [head, ...lines] = text.trimEnd().split("\n").map(fields);
  const columns = {};
  head.forEach((name, i) => {
    const values = lines.map((line) => line[i] ?? "");
    columns[name.replace(/ \[.*\]$/, "")] = values.every((v) => v === "" || Number.isFinite(Number(v)))
      ? values.map((v) => (v === "" ? NaN : Number(v)))
      : values;
  });
  return columns;
}
export const resultTable = (result, name) => table(readFileSync(join(result.folder, name), "utf8"));

// The browser.

/** The page of the program with what ASSETS holds: a new script is tested without a new program. */
function dressed(file) {
  if (!process.env.ASSETS) return file;
  const made = file.replace(/\.html$/, "-dressed.html");
  if (existsSync(made)) return made;
  const old = readFileSync(file, "utf8");
  const engine = join(process.env.ASSETS, "engine.wasm.zlib");
  const data = [...old.matchAll(/<script type="[^"]*" id="([^"]*)">[^<]*<\/script>/g)]
    .map(([tag, name]) =>
      name === "engine" && existsSync(engine)
        ? tag.replace(/>[^<]*</, `>${readFileSync(engine).toString("base64")}<`)
        : tag,
    )
    .join("\n");
  const part = (name) => readFileSync(join(process.env.ASSETS, name), "utf8").replaceAll("</script", "<\\/script");
  const title = /<title>([^<]*)<\/title>/.exec(old)[1];
  const parts = { "<!--title-->": title, "/*css*/": part("page.css"), "<!--data-->": data, "/*js*/": part("page.js") };
  const skeleton = readFileSync(resolve(here, "../index.html"), "utf8");
  writeFileSync(
    made,
    skeleton.replace(/<!--title-->|\/\*css\*\/|<!--data-->|\/\*js\*\//g, (marker) => parts[marker]),
  );
  return made;
}

/**
 * Opens a page, gives it to `body`, and sees to it that the browser had nothing to complain about and asked nobody for anything.
 * Nothing moves by itself unless `motion` is set; `before` is called in the page ahead of its script.
 */
export async function visit(
  file,
  body,
  { width = 1600, height = 1000, scheme = "light", motion = false, before = null } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: motion ? "no-preference" : "reduce",
    acceptDownloads: true,
  });
  const complaints = [];
  context.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`request of ${request.url()}`);
  });
  context.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type()))
      complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(`error: ${error.error()}`));
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  if (before) await page.addInitScript(before);
  page.on("worker", (worker) => {
    if (!/^blob:/.test(worker.url())) complaints.push(`worker ${worker.url()}`);
  });
  try {
    await page.goto(pathToFileURL(dressed(file)).href);
    await page.waitForSelector("html[data-ready]", { state: "attached" });
    await body(page);
    assert.deepEqual(complaints, []);
  } catch (error) {
    if (complaints.length > 0 && error.code !== "ERR_ASSERTION") error.message += `\n${complaints.join("\n")}`;
    throw error;
  } finally {
    await context.close();
  }
}

/** Waits until `look` gives something true, called between frames of the page; the value. */
export async function until(page, what, look, timeout = 30_000) {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await look();
    if (value) return value;
    assert.ok(Date.now() < end, `waited in vain until ${what}`);
    await frames(page, 2);
  }
}

/** Lets the page draw. */
export function frames(page, count) {
  return page.evaluate(
    (n) =>
      new Promise((done) => {
        const next = () => (n-- > 0 ? requestAnimationFrame(next) : done());
        next();
      }),
    count,
  );
}

export async function picture(page, name, options = {}) {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  // What is off the screen is drawn a moment later.
  if (options.fullPage) await page.waitForTimeout(600);
  await frames(page, 3);
  await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), ...options });
}

/** What a click saves, as bytes. */
export async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const path = join(folder, `saved-${++made}-${download.suggestedFilename()}`);
  await download.saveAs(path);
  return { name: download.suggestedFilename(), path, bytes: readFileSync(path) };
}

// What pages show.

export const id = (page, name, more = "") => page.locator(`[data-testid="${name}"]${more}`);
export const scrub = (page) => page.locator("#player input.scrub");
/** Time of the motion (s): the 15 digits that a slider of the browser keeps. */
export const time = async (page) => Number(await scrub(page).inputValue());
export const same = (t, expected) => near(t, expected, 1e-14 * Math.abs(expected), "time");
/** Moves the scrub bar as a hand does. */
export const goTo = (page, t) =>
  scrub(page).evaluate((bar, value) => {
    bar.value = value;
    bar.dispatchEvent(new Event("input", { bubbles: true }));
  }, String(t));
export const plot = (page, name) => page.locator(`[data-testid="plot"][data-plot="${name}"]`);

/** Something of a plot's menu. */
export async function menu(page, name, item) {
  await plot(page, name).locator('[data-testid="plot-menu"]').click();
  await plot(page, name).locator(`[data-testid="${item}"]`).click();
}
export async function plotTable(page, name) {
  return table((await saved(page, () => menu(page, name, "save-csv"))).bytes.toString("utf8"));
}
export const impactTable = async (page) =>
  table((await saved(page, () => id(page, "impact-csv").click())).bytes.toString("utf8"));

/**
 * Presses Run where the page waits for it, once: after a run of more than a second it does, and on a busy machine every run is that
 * long. Gives a function that tells whether it has just pressed.
 */
export function presser(page) {
  let pressed = false;
  return async () => {
    if (pressed || !(await id(page, "whatif-outdated").isVisible())) return false;
    pressed = true;
    await id(page, "whatif-run").click();
    return true;
  };
}

/** Changes something in the what-if panel and waits for its run; label of that run. */
export async function rerun(page, change) {
  const label = () =>
    page
      .locator('#scene select.which option[value="whatif"]')
      .allTextContents()
      .then((list) => list[0] ?? "");
  const before = await label();
  await change();
  const press = presser(page);
  return until(page, "the page has run the change", async () => {
    const now = await label();
    if ((await id(page, "whatif-busy").isVisible()) || (await press())) return "";
    return now === before ? "" : now;
  });
}

/** Shares of the width at which plots and timelines have their cursor. */
export async function cursors(page) {
  return page.evaluate(() => ({
    plots: [...document.querySelectorAll('[data-testid="plot"]')].flatMap((plot) => {
      const line = plot.querySelector(".u-over .plot-now");
      if (!line || line.hidden) return [];
      const x = Number(/translateX\((.*)px\)/.exec(line.style.transform)?.[1]);
      return [
        {
          plot: plot.dataset.plot,
          share: x / line.parentElement.clientWidth,
          pixel: 1 / line.parentElement.clientWidth,
        },
      ];
    }),
    timelines: [...document.querySelectorAll("#player .track .cursor")].map(
      (cursor) => parseFloat(cursor.style.left) / 100,
    ),
  }));
}

/** Visible window of the time plots as shares of the run, as the timelines show it. */
export const windowShown = (page) =>
  page.evaluate(() => {
    const range = document.querySelector("#player .track .window");
    if (range.hidden) return [0, 1];
    const [a, w] = [parseFloat(range.style.left) / 100, parseFloat(range.style.width) / 100];
    return [a, a + w];
  });

export function near(actual, expected, tolerance, what) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, not ${expected} within ${tolerance}`);
}
