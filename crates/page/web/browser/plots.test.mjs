// Plots: one window for all, series on and off, what they save.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  asked,
  cursors,
  frames,
  goTo,
  id,
  impactTable,
  menu,
  model,
  native,
  near,
  picture,
  plot,
  plotTable,
  resultTable,
  saved,
  sliderCrank,
  time,
  until,
  visit,
  windowShown,
} from "./pages.mjs";

const report = async () => join((await sliderCrank()).folder, "report.html");
const UNTIL = 0.6;
const over = (page, name) => plot(page, name).locator(".u-over");
const ink = (page, name) =>
  plot(page, name)
    .locator("canvas")
    .first()
    .evaluate((canvas) => canvas.toDataURL());

async function drag(page, name, from, to) {
  await over(page, name).evaluate((e) => e.scrollIntoView({ block: "center" }));
  const box = await over(page, name).boundingBox();
  await page.mouse.move(box.x + from * box.width, box.y + 0.5 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, box.y + 0.5 * box.height, { steps: 4 });
  await page.mouse.up();
  return 1 / box.width;
}

/** Values of a page's table at the times of a table of the result folder. */
function sameChannel(page, recorded, name, from = -Infinity, to = Infinity) {
  const rows = recorded.time.map((t, i) => [t, recorded[name][i]]).filter(([t]) => t >= from && t <= to);
  const who = Object.keys(page).find((key) => key === name || (key.startsWith(`${name} (`) && !key.includes("ideal")));
  const when = Object.keys(page).find((key) => key === who.replace(name, "t"));
  assert.ok(who && when, `${name} in ${Object.keys(page)}`);
  const mine = page[when].map((t, i) => [t, page[who][i]]).filter(([t]) => !Number.isNaN(t));
  assert.deepEqual(mine, rows);
}

test("peer_csv_of_a_plot_holds_the_data_of_the_result_folder", async () => {
  const recorded = resultTable(await sliderCrank(), "channels.csv");
  await visit(await report(), async (page) => {
    sameChannel(await plotTable(page, "force"), recorded, "pin.force");
    sameChannel(await plotTable(page, "output"), recorded, "slider.ax");
    sameChannel(await plotTable(page, "drive"), recorded, "motor.torque");
    const orbit = await plotTable(page, "orbit-pin");
    for (const name of ["pin.ex", "pin.ey"]) {
      const column = orbit[Object.keys(orbit).find((key) => key.startsWith(name))];
      assert.deepEqual(column, recorded[name]);
    }
  });
});

test("peer_csv_of_the_impacts_holds_the_data_of_the_result_folder", async () => {
  const recorded = resultTable(await sliderCrank(), "impacts.csv");
  await visit(await report(), async (page) => {
    const mine = await impactTable(page);
    for (const [name, column] of [
      ["start", "start"],
      ["speed", "impact_speed"],
      ["peak force", "max_force"],
      ["indentation", "max_indentation"],
      ["duration", "duration"],
      ["impulse", "impulse"],
      ["e out", "restitution"],
      ["loss", "loss_normal"],
    ]) {
      assert.deepEqual(mine[name], recorded[column], name);
    }
    assert.deepEqual(mine.joint, recorded.joint);
  });
});

test("property_figures_are_well_formed_and_hold_their_series", async () => {
  await visit(await report(), async (page) => {
    for (const [name, labels] of [
      ["output", ["slider.ax", "ideal joints"]],
      ["force", ["pin.force"]],
      ["orbit-pin", ["pin.ex", "pin.ey"]],
    ]) {
      const svg = await saved(page, () => menu(page, name, "save-svg"));
      assert.match(svg.name, /^slider-crank-.*\.svg$/);
      const read = await page.evaluate((text) => {
        const tree = new DOMParser().parseFromString(text, "image/svg+xml");
        const long = [...tree.querySelectorAll("path, polyline")].map(
          (e) => (e.getAttribute("d") ?? e.getAttribute("points")).match(/-?[\d.]+/g)?.length ?? 0,
        );
        return {
          broken: tree.querySelector("parsererror")?.textContent ?? null,
          root: tree.documentElement.localName,
          text: tree.documentElement.textContent,
          longest: Math.max(...long),
          loads: tree.querySelectorAll("image, script, [href]").length,
        };
      }, svg.bytes.toString("utf8"));
      assert.equal(read.broken, null);
      assert.equal(read.root, "svg");
      assert.equal(read.loads, 0);
      assert.ok(read.longest > 200, `a curve of ${read.longest} numbers`);
      for (const label of labels)
        assert.ok(read.text.includes(label), `"${label}" in the figure of ${name}: ${read.text}`);
    }
    const png = await saved(page, () => menu(page, "force", "save-png"));
    assert.deepEqual([...png.bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    // The browser's own decoder.
    const [width, height, colors] = await page.evaluate(async (text) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = Object.assign(document.createElement("canvas"), {
        width: bitmap.width,
        height: bitmap.height,
      }).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return [
        bitmap.width,
        bitmap.height,
        new Set(new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)).size,
      ];
    }, png.bytes.toString("base64"));
    assert.ok(width >= 600 && height >= 250 && colors > 10, `${width} × ${height}, ${colors} colours`);
  });
});

test("property_zooming_one_plot_changes_the_window_of_all", async () => {
  const recorded = resultTable(await sliderCrank(), "channels.csv");
  await visit(await report(), async (page) => {
    await over(page, "output").waitFor();
    assert.deepEqual(await windowShown(page), [0, 1]);
    const before = await ink(page, "output");
    const pixel = await drag(page, "force", 0.25, 0.5);
    const [a, b] = await windowShown(page);
    near(a, 0.25, 2 * pixel, "begin of the window");
    near(b, 0.5, 2 * pixel, "end of the window");
    await until(page, "the other plot is drawn anew", async () => (await ink(page, "output")) !== before);
    // What the other plot shows is what it saves.
    sameChannel(await plotTable(page, "output"), recorded, "slider.ax", a * UNTIL - 1e-12, b * UNTIL + 1e-12);
    await goTo(page, 0.4 * UNTIL);
    for (const { share, pixel } of (await cursors(page)).plots)
      near(share, (0.4 - a) / (b - a), 2 * pixel, "cursor in the window");
    await goTo(page, 0.1 * UNTIL);
    assert.deepEqual((await cursors(page)).plots, [], "no cursor outside the window");
    await picture(page, "run-zoomed");
    // Out again, by each way.
    await over(page, "output").dblclick();
    assert.deepEqual(await windowShown(page), [0, 1]);
    await plot(page, "force").locator('[data-testid="plot-area"]').focus();
    await page.keyboard.press("+");
    assert.ok((await windowShown(page))[1] < 1);
    await page.keyboard.press("0");
    assert.deepEqual(await windowShown(page), [0, 1]);
    await menu(page, "force", "plot-zoom-in");
    near(
      (await windowShown(page)).reduce((x, y) => y - x),
      0.5,
      1e-6,
      "width after zooming in",
    );
    await id(page, "window-reset").click();
    assert.deepEqual(await windowShown(page), [0, 1]);
  });
});

test("property_a_loop_stays_in_the_window", async () => {
  await visit(await report(), async (page) => {
    await over(page, "force").waitFor();
    await drag(page, "force", 0.25, 0.5);
    const [a, b] = (await windowShown(page)).map((share) => share * UNTIL);
    await page.locator("#player").getByRole("button", { name: "Loop" }).click();
    await goTo(page, b - 1e-5);
    await page.locator("#player button.primary").click();
    await until(page, "it begins again", async () => (await time(page)) < 0.5 * (a + b));
    assert.ok((await time(page)) >= a - 1e-6);
  });
});

test("property_wheel_zooms_about_the_pointer_and_shift_drag_pans", async () => {
  await visit(await report(), async (page) => {
    await over(page, "force").evaluate((e) => e.scrollIntoView({ block: "center" }));
    // A page that has just scrolled keeps the wheel.
    await page.waitForTimeout(400);
    const box = await over(page, "force").boundingBox();
    const share = 0.7;
    await page.mouse.move(box.x + share * box.width, box.y + 0.5 * box.height);
    // While the page still scrolls, the wheel belongs to it.
    await until(page, "the wheel zooms", async () => {
      await page.mouse.wheel(0, -120);
      await frames(page, 3);
      return (await windowShown(page))[1] < 1;
    });
    const [a, b] = await windowShown(page);
    near(a + share * (b - a), share, 2 / box.width, "time under the pointer");
    await page.keyboard.down("Shift");
    await drag(page, "force", 0.5, 0.6);
    await page.keyboard.up("Shift");
    const [c, d] = await windowShown(page);
    near(d - c, b - a, 1e-6, "width of the window");
    near(c, a - 0.1 * (b - a), 2 / box.width, "begin of the window after panning");
  });
});

test("property_hovering_reads_values_in_every_plot", async () => {
  await visit(await report(), async (page) => {
    await over(page, "output").waitFor();
    const value = (name, series) =>
      plot(page, name).locator(`[data-series="run-0/${series}"] .plot-value`).textContent();
    const before = await value("drive", "motor.torque");
    const box = await over(page, "force").boundingBox();
    await page.mouse.move(box.x + 0.37 * box.width, box.y + 0.5 * box.height);
    await until(page, "the other plot tells its value", async () => (await value("drive", "motor.torque")) !== before);
    assert.equal(await time(page), 0);
    await page.mouse.move(5, 5);
    await until(
      page,
      "values are those of the cursor again",
      async () => (await value("drive", "motor.torque")) === before,
    );
  });
});

test("property_series_can_be_switched_off", async () => {
  await visit(await report(), async (page) => {
    await over(page, "output").waitFor();
    await frames(page, 3);
    const before = await ink(page, "output");
    const series = plot(page, "output").locator('[data-testid="series"]');
    const ideal = series.filter({ hasText: "ideal" });
    await ideal.click();
    assert.equal(await ideal.getAttribute("aria-pressed"), "false");
    await until(page, "it is drawn without", async () => (await ink(page, "output")) !== before);
    const columns = Object.keys(await plotTable(page, "output"));
    assert.ok(!columns.some((name) => name.includes("ideal")), columns.join());
    await ideal.click();
    assert.equal(await ideal.getAttribute("aria-pressed"), "true");
    assert.ok(Object.keys(await plotTable(page, "output")).some((name) => name.includes("ideal")));
  });
});

test("property_every_ready_made_plot_opens_and_saves", async () => {
  await visit(await report(), async (page) => {
    const names = await page
      .locator("#plots button[data-preset]")
      .evaluateAll((list) => list.map((button) => button.dataset.preset));
    for (const name of [
      "force",
      "indentation",
      "output",
      "drive",
      "loop-pin",
      "orbit-pin",
      "phase",
      "section",
      "spectrum",
      "modes",
      "energy",
    ])
      assert.ok(names.includes(name), `${name} in ${names}`);
    for (const name of names) {
      const button = id(page, `preset-${name}`);
      if ((await button.getAttribute("aria-pressed")) !== "true") await button.click();
      assert.equal(await button.getAttribute("aria-pressed"), "true");
      await plot(page, name).scrollIntoViewIfNeeded();
      await plot(page, name).locator("canvas").first().waitFor();
      const columns = await plotTable(page, name);
      const lengths = Object.values(columns).map((values) => values.length);
      assert.ok(lengths.length >= 2 && Math.min(...lengths) > 0, `${name}: ${Object.keys(columns)}, ${lengths}`);
    }
    await picture(page, "run-all-plots", { fullPage: true });
    await menu(page, "modes", "plot-close");
    assert.equal(await plot(page, "modes").count(), 0);
    assert.equal(await id(page, "preset-modes").getAttribute("aria-pressed"), "false");
  });
});

// The journal leaves the circle of its clearance, 0.25 mm, by the indentation.
test("peer_any_channel_can_be_drawn_against_any_other", async () => {
  const recorded = resultTable(await sliderCrank(), "channels.csv");
  await visit(await report(), async (page) => {
    await id(page, "add-plot").click();
    await id(page, "add-y").selectOption("pin.ey");
    await id(page, "add-kind").selectOption("xy");
    await id(page, "add-x").selectOption("pin.ex");
    await id(page, "add-submit").click();
    const own = page.locator('[data-testid="plot"][data-plot^="own-"]');
    await own.locator("canvas").first().waitFor();
    const name = await own.getAttribute("data-plot");
    const columns = await plotTable(page, name);
    const find = (key) =>
      columns[Object.keys(columns).find((column) => column.startsWith(key) && !column.includes("ideal"))];
    const radii = find("pin.ex").map((x, i) => Math.hypot(x, find("pin.ey")[i]));
    near(Math.max(...radii), 0.25e-3 + Math.max(...recorded["pin.penetration"]), 1e-12, "greatest eccentricity");
    await id(page, "add-plot").click();
    await id(page, "add-kind").selectOption("time");
    await id(page, "add-y").selectOption("slider.x");
    await id(page, "add-submit").click();
    assert.equal(await own.count(), 2);
  });
});

// Out of its slot the pin is a decimetre away; the play is 50 µm.
test("regress_a_pin_that_leaves_its_slot_does_not_set_the_scale", async () => {
  const geneva = await native("run", model("geneva"), "--until", "1s");
  await visit(join(geneva.folder, "report.html"), async (page) => {
    const svg = await saved(page, () => menu(page, "orbit-slot-1", "save-svg"));
    assert.match(svg.bytes.toString("utf8"), /slot-1\.across \(µm\)/);
  });
});

/** Opens a ready-made plot and gives its table. */
async function presetTable(page, name) {
  await id(page, `preset-${name}`).click();
  await plot(page, name).locator("canvas").first().waitFor();
  return plotTable(page, name);
}

const column = (columns, key) =>
  columns[Object.keys(columns).find((name) => name.startsWith(key) && !name.includes("ideal"))].filter(
    (value) => !Number.isNaN(value),
  );

test("peer_spectra_and_sections_of_the_page_are_those_of_the_program", async () => {
  const { folder: result } = await sliderCrank();
  const { spectra } = await asked("plot", result, "--spectrum", "slider.ax");
  const flags = ["--channels", "slider.vx", "--against", "slider.x", "--section"];
  const { sections } = await asked("plot", result, ...flags);
  await visit(await report(), async (page) => {
    const lines = await presetTable(page, "spectrum");
    // The page's axis has no 0.
    assert.deepEqual(column(lines, "f"), spectra[0].frequency.slice(1));
    const amplitude = column(lines, "amplitude of slider.ax");
    const greatest = Math.max(...spectra[0].amplitude);
    assert.equal(amplitude.length, spectra[0].amplitude.length - 1);
    amplitude.forEach((a, k) => near(a, spectra[0].amplitude[k + 1], 1e-12 * greatest, `line ${k + 1}`));
    const points = await presetTable(page, "section");
    for (const [key, values] of [
      ["t", sections[0].points.t],
      ["slider.x", sections[0].points.x],
      ["slider.vx", sections[0].points.y],
    ]) {
      assert.deepEqual(column(points, key), values, key);
    }
    await picture(page, "run-spectrum-section", { fullPage: true });
  });
});

test("property_a_browser_without_webassembly_is_told_so_and_has_the_rest", async () => {
  await visit(
    await report(),
    async (page) => {
      await over(page, "force").waitFor();
      await id(page, "preset-spectrum").click();
      const said = plot(page, "spectrum").locator(".plot-said");
      await said.waitFor();
      assert.match(await said.textContent(), /does not support WebAssembly/);
      assert.ok(Object.keys(await plotTable(page, "force")).length >= 2);
    },
    { before: () => delete globalThis.WebAssembly },
  );
});
