// Laws side by side: each in the plots, their numbers those of `jointplay compare --json`.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  id,
  impactTable,
  model,
  native,
  near,
  picture,
  plotTable,
  rerun,
  resultTable,
  shared,
  until,
  visit,
} from "./pages.mjs";

const LAWS = ["model", "flores", "exact"];
const compared = () =>
  shared("compared", () => native("compare", model("slider-crank"), "--laws", LAWS.join(), "--until", "0.1s"));
const report = async () => join((await compared()).folder, "report.html");
const alone = (law) =>
  shared(law, () =>
    native("run", model("slider-crank"), "--until", "0.1s", ...(law === "model" ? [] : ["--law", law])),
  );
const cell = (page, run, column) =>
  id(page, "compare-row", `[data-run="${run}"]`).locator(`[data-column="${column}"]`).getAttribute("data-value");

test("peer_table_of_laws_holds_the_numbers_of_the_program", async () => {
  const { laws } = await compared();
  await visit(await report(), async (page) => {
    assert.equal(await id(page, "compare-row").count(), LAWS.length);
    for (const [i, law] of LAWS.entries()) {
      const {
        contacts: { pin },
        energy_residual,
        rhs_evaluations,
      } = laws[law];
      const expected = {
        impacts: pin.impacts,
        restitution_out: pin.restitution_out,
        peak_force: pin.peak_force,
        max_indentation: pin.max_indentation,
        loss: pin.loss_normal + pin.loss_friction,
        contact_fraction: pin.contact_fraction,
        out_of_domain: pin.out_of_domain,
        residual: energy_residual,
        evaluations: rhs_evaluations,
      };
      for (const [column, value] of Object.entries(expected))
        assert.equal(Number(await cell(page, `run-${i}`, column)), value, `${column} of ${law}`);
      const durations = resultTable(await alone(law), "impacts.csv").duration;
      assert.ok(
        durations.includes(Number(await cell(page, `run-${i}`, "max_impact_duration"))),
        `longest impact of ${law}`,
      );
      assert.ok(Number(await cell(page, `run-${i}`, "cost")) > 0);
    }
    await picture(page, "compare-table");
  });
});

test("peer_plots_lay_the_laws_over_each_other", async () => {
  await visit(await report(), async (page) => {
    const series = page.locator('[data-plot="force"] [data-testid="series"]');
    const names = await series.evaluateAll((list) => list.map((e) => e.dataset.series));
    for (const i of LAWS.keys()) assert.ok(names.includes(`run-${i}/pin.force`), `run-${i} in ${names}`);
    const colors = await series.evaluateAll((list) => list.map((e) => e.querySelector("line").getAttribute("stroke")));
    assert.equal(new Set(colors).size, names.length, `one colour each: ${colors}`);
    const columns = await plotTable(page, "force");
    const forces = Object.keys(columns).filter((name) => name.startsWith("pin.force"));
    for (const [i, law] of LAWS.entries()) {
      const theirs = resultTable(await alone(law), "channels.csv")["pin.force"];
      const mine = columns[forces.filter((name) => !name.includes("ideal"))[i]].filter((x) => !Number.isNaN(x));
      assert.deepEqual(mine, theirs, law);
    }
  });
});

/** Colours of the runs that a canvas has at least some pixels of. */
const painted = (page, name) =>
  page.locator(`[data-plot="${name}"]`).evaluate((plot) => {
    const canvas = plot.querySelector("canvas");
    if (!canvas?.width) return [];
    // Read from a copy: the browser warns of a canvas that is read again and again, as happens here on a slow machine.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return [...plot.querySelectorAll("[data-series] line")].map((line) => {
      const [r, g, b] = line
        .getAttribute("stroke")
        .match(/[0-9a-f]{2}/gi)
        .map((x) => parseInt(x, 16));
      // Loops are drawn half transparent: the hue decides, against the panel.
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] > 60 && Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 24)
          count++;
      }
      return { series: line.closest("[data-series]").dataset.series, count };
    });
  });

test("property_every_plot_paints_every_law_without_being_scrolled_to", async () => {
  await visit(await report(), async (page) => {
    for (const name of ["force", "drive", "loop-pin", "orbit-pin"]) {
      await until(
        page,
        `${name} shows ${LAWS.length} laws`,
        async () => {
          const list = (await painted(page, name)).filter(({ series }) => !series.startsWith("ideal"));
          return list.filter(({ count }) => count > 8).length >= LAWS.length;
        },
        8000,
      );
    }
    assert.equal(await page.evaluate(() => window.scrollY), 0);
  });
});

test("property_a_law_can_be_hidden_animated_and_sorted", async () => {
  const { laws } = await compared();
  await visit(await report(), async (page) => {
    const shown = () =>
      page
        .locator('[data-plot="force"] [data-testid="series"]')
        .evaluateAll((list) => list.map((e) => e.dataset.series));
    await id(page, "visible-run-1").uncheck();
    assert.ok(!(await shown()).includes("run-1/pin.force"));
    await id(page, "visible-run-1").check();
    assert.ok((await shown()).includes("run-1/pin.force"));
    await id(page, "animate-run-2").click();
    assert.equal(await page.locator("#scene select.which").inputValue(), "run-2");
    assert.deepEqual((await impactTable(page)).start, resultTable(await alone("exact"), "impacts.csv").start);
    for (const descending of [false, true]) {
      await id(page, "compare-sort-peak_force").click();
      const order = await id(page, "compare-row").evaluateAll((rows) => rows.map((row) => row.dataset.run));
      const peaks = LAWS.map((law, i) => ({ id: `run-${i}`, peak: laws[law].contacts.pin.peak_force })).sort((a, b) =>
        descending ? b.peak - a.peak : a.peak - b.peak,
      );
      assert.deepEqual(
        order,
        peaks.map((entry) => entry.id),
      );
    }
  });
});

test("peer_a_slider_beside_compared_laws_changes_the_first", async () => {
  await visit(await report(), async (page) => {
    await rerun(page, async () => {
      const field = page.locator('.knob:has([data-what="speed"]) [data-testid="knob-number"]');
      await field.fill("250");
      await field.press("Enter");
    });
    const expected = await native(
      "run",
      model("slider-crank"),
      "--until",
      "0.1s",
      "--set",
      "drivers.motor.speed=250 rpm",
    );
    await until(
      page,
      "its row is there",
      async () => (await id(page, "compare-row", '[data-run="whatif"]').count()) === 1,
    );
    assert.equal(Number(await cell(page, "whatif", "impacts")), expected.contacts.pin.impacts);
    const mine = await impactTable(page);
    near(mine.start[0] / expected.contacts.pin.first_impact_time, 1, 1e-9, "time of the first impact");
  });
});
