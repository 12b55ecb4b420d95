// What if: the engine in the page gives what the program gives.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
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
  presser,
  rerun,
  resultTable,
  saved,
  sliderCrank,
  until,
  visit,
} from "./pages.mjs";

const report = async () => join((await sliderCrank()).folder, "report.html");
const knob = (page, what) => id(page, "knob", `[data-what="${what}"]`);
const numberOf = (page, what) =>
  page.locator(`.knob:has([data-testid="knob"][data-what="${what}"]) [data-testid="knob-number"]`);
/** Number beside a slider, in SI units. */
async function valueOf(page, what) {
  const text = await page.locator(`.knob:has([data-testid="knob"][data-what="${what}"]) .number`).textContent();
  const scale = { m: 1, mm: 1e-3, µm: 1e-6, "": 1 }[text.trim()];
  assert.ok(scale, `unit of ${what}: ${text}`);
  return { number: await numberOf(page, what).inputValue(), scale };
}

/** The run of the page against that of the program: impacts, and the slider up to 0.05 s. */
async function agrees(page, expected) {
  const theirs = resultTable(expected, "impacts.csv");
  const mine = await impactTable(page);
  const { pin } = expected.contacts;
  const shown = id(page, "number-row", '[data-number="impacts"][data-joint="pin"]').locator("td").nth(1);
  assert.equal(Number(await shown.getAttribute("data-value")), pin.impacts, "number of impacts");
  assert.equal(mine.start.length, theirs.start.length, "rows of the impact table");
  near(mine.start[0] / theirs.start[0], 1, 1e-9, "time of the first impact");
  near(mine.start[0] / pin.first_impact_time, 1, 1e-9, "time of the first impact of the summary");
  const channels = resultTable(expected, "channels.csv");
  if ((await id(page, "preset-position").getAttribute("aria-pressed")) !== "true")
    await id(page, "preset-position").click();
  const columns = await plotTable(page, "position");
  const label = await page.locator('#scene select.which option[value="whatif"]').textContent();
  assert.ok(columns[`slider.x (${label})`], `slider.x of "${label}" in ${Object.keys(columns)}`);
  const [a, b] = [
    regular(channels.time, channels["slider.x"]),
    regular(columns[`t (${label})`], columns[`slider.x (${label})`]),
  ];
  assert.ok(a.size > 100, `${a.size} samples`);
  assert.deepEqual([...b.keys()], [...a.keys()]);
  for (const [k, x] of a) near(b.get(k), x, 1e-9, `slider.x at ${k * EVERY} s`);
}

/** Output interval of models/slider-crank (s). */
const EVERY = 0.6 / 2000;
/** Values up to 0.05 s at the times that both sides record, by their number; those of steps are left out. */
function regular(times, values) {
  const found = new Map();
  times.forEach((t, i) => {
    const k = Math.round(t / EVERY);
    if (t <= 0.05 && Math.abs(t - k * EVERY) < 1e-13) found.set(k, values[i]);
  });
  return found;
}

test("peer_a_run_in_the_page_repeats_the_recorded_one", async () => {
  await visit(await report(), async (page) => {
    await rerun(page, () => id(page, "whatif-run").click());
    await agrees(page, await sliderCrank());
    // One library of elementary functions on both sides: the same bits.
    const theirs = resultTable(await sliderCrank(), "impacts.csv");
    const mine = await impactTable(page);
    assert.deepEqual(mine.start, theirs.start);
    assert.deepEqual(mine["peak force"], theirs.max_force);
    assert.deepEqual(mine.loss, theirs.loss_normal);
  });
});

// The slider turns the journal in the same bearing, of 10.25 mm.
test("peer_clearance_by_slider_is_the_native_run", async () => {
  await visit(await report(), async (page) => {
    await rerun(page, async () => {
      await knob(page, "clearance").focus();
      for (let i = 0; i < 3; i++) await page.keyboard.press("PageUp");
    });
    const { number, scale } = await valueOf(page, "clearance");
    const clearance = Number(number) * scale;
    assert.ok(clearance > 0.26e-3, `clearance of ${clearance} m`);
    await agrees(
      page,
      await native(
        "run",
        model("slider-crank"),
        "--set",
        `joints.pin.journal_radius=${(10.25e-3 - clearance).toPrecision(12)}`,
      ),
    );
    await picture(page, "run-whatif", { fullPage: true });
  });
});

test("peer_restitution_by_slider_is_the_native_run", async () => {
  await visit(await report(), async (page) => {
    await rerun(page, async () => {
      await knob(page, "restitution").focus();
      for (let i = 0; i < 3; i++) await page.keyboard.press("PageUp");
    });
    const { number } = await valueOf(page, "restitution");
    assert.notEqual(Number(number), 0.46);
    await agrees(page, await native("run", model("slider-crank"), "--set", `joints.pin.restitution=${number}`));
  });
});

test("peer_speed_by_number_is_the_native_run", async () => {
  await visit(await report(), async (page) => {
    const unit = (await page.locator('.knob:has([data-what="speed"]) .number').textContent()).trim();
    await rerun(page, async () => {
      await numberOf(page, "speed").fill("310");
      await numberOf(page, "speed").press("Enter");
    });
    await agrees(page, await native("run", model("slider-crank"), "--set", `drivers.motor.speed=310 ${unit}`));
  });
});

test("peer_a_run_with_changes_of_the_command_line_is_repeated_with_them", async () => {
  const changed = await native(
    "run",
    model("slider-crank"),
    "--set",
    "joints.pin.restitution=0.3",
    "--set",
    "output.interval=0.3 ms",
    "--law",
    "flores",
    "--until",
    "0.15s",
  );
  await visit(join(changed.folder, "report.html"), async (page) => {
    await rerun(page, () => id(page, "whatif-run").click());
    await agrees(page, changed);
  });
});

test("peer_law_of_the_menu_is_the_native_law", async () => {
  await visit(await report(), async (page) => {
    await rerun(page, () => id(page, "law-damping").selectOption("flores"));
    await agrees(page, await native("run", model("slider-crank"), "--law", "flores"));
    await rerun(page, () => id(page, "law-damping").selectOption("exact"));
    await agrees(page, await native("run", model("slider-crank"), "--law", "exact"));
  });
});

// One native call runs all laws; those that ask for numbers which the model does not give are refused on both sides.
test("peer_every_dissipation_law_of_the_menu_is_the_native_law", async () => {
  const short = await native("run", model("slider-crank"), "--set", "run.until=0.03 s");
  await visit(join(short.folder, "report.html"), async (page) => {
    await id(page, "whatif-set").fill("run.until = 0.03 s");
    await rerun(page, () => id(page, "whatif-set").press("Enter"));
    const ids = await id(page, "law-damping")
      .locator("option")
      .evaluateAll((list) => list.map((option) => option.value).filter(Boolean));
    const found = new Map();
    const said = async () =>
      (await id(page, "whatif-problems").isVisible()) ? id(page, "whatif-problems").textContent() : "";
    for (const law of ids) {
      const before = await said();
      await id(page, "law-damping").selectOption(law);
      const press = presser(page);
      const refused =
        (await until(page, `${law} has been answered`, async () => {
          if ((await id(page, "whatif-busy").isVisible()) || (await press())) return null;
          if ((await page.locator("#whatif").getAttribute("data-law")) === law) return "ran";
          const now = await said();
          return now !== before && now.includes("needs") ? "refused" : null;
        })) === "refused";
      if (refused) continue;
      const value = (name) =>
        id(page, "number-row", `[data-number="${name}"][data-joint="pin"]`)
          .locator("td")
          .nth(1)
          .getAttribute("data-value")
          .then(Number);
      found.set(law, { impacts: await value("impacts"), peak: await value("peak_force") });
    }
    assert.ok(found.size >= 15, `${found.size} laws of ${ids.length}`);
    const { laws } = await native(
      "compare",
      model("slider-crank"),
      "--laws",
      [...found.keys()].join(),
      "--until",
      "0.03s",
    );
    for (const [law, { impacts, peak }] of found) {
      assert.equal(impacts, laws[law].contacts.pin.impacts, `impacts of ${law}`);
      near(peak / laws[law].contacts.pin.peak_force, 1, 1e-9, `peak force of ${law}`);
    }
  });
});

test("peer_any_other_key_is_the_native_key", async () => {
  await visit(await report(), async (page) => {
    await rerun(page, async () => {
      await id(page, "whatif-set").fill("bodies.slider.mass = 2 kg; output.interval = 0.3 ms");
      await id(page, "whatif-set").press("Enter");
    });
    await agrees(
      page,
      await native("run", model("slider-crank"), "--set", "bodies.slider.mass=2 kg", "--set", "output.interval=0.3 ms"),
    );
  });
});

test("peer_saved_model_file_runs_as_the_page_did", async () => {
  await visit(await report(), async (page) => {
    await rerun(page, async () => {
      await numberOf(page, "clearance").fill("0.4");
      await numberOf(page, "clearance").press("Enter");
      await id(page, "law-damping").selectOption("flores");
    });
    const press = presser(page);
    await until(
      page,
      "both changes have been run",
      async () =>
        !(await press()) &&
        /flores/.test(await page.locator('#scene select.which option[value="whatif"]').textContent()) &&
        /0\.4/.test(await page.locator('#scene select.which option[value="whatif"]').textContent()),
    );
    const file = await saved(page, () => id(page, "whatif-save").click());
    assert.equal(file.name, "slider-crank.toml");
    // Comments of the author stay.
    assert.match(file.bytes.toString("utf8"), /# driven: its inertia does not enter the motion/);
    const again = await native("run", file.path);
    await agrees(page, again);
  });
});

test("property_a_new_run_lies_over_the_recorded_one_until_discarded", async () => {
  await visit(await report(), async (page) => {
    const series = () =>
      page
        .locator('[data-plot="force"] [data-testid="series"]')
        .evaluateAll((list) => list.map((e) => e.dataset.series));
    const before = await series();
    await rerun(page, () => id(page, "law-damping").selectOption("flores"));
    assert.deepEqual(
      (await series()).filter((name) => !name.includes("ideal")).sort(),
      [...before, "whatif/pin.force"].sort(),
    );
    assert.equal(await page.locator("#scene select.which").inputValue(), "whatif");
    assert.match(await page.locator("#header .mark").textContent(), /what-if/);
    await id(page, "whatif-keep").click();
    assert.equal(await id(page, "kept-run").count(), 1);
    await rerun(page, () => id(page, "law-damping").selectOption("exact"));
    assert.equal((await series()).length, before.length + 2);
    // Three runs are worth a table.
    assert.equal(await id(page, "compare-row").count(), 3);
    await picture(page, "run-kept", { fullPage: true });
    await id(page, "whatif-reset").click();
    await id(page, "kept-run").getByRole("button").click();
    assert.deepEqual(await series(), before);
    assert.equal(await page.locator("#scene select.which").inputValue(), "run-0");
    assert.match(await page.locator("#header .mark").textContent(), /recorded run/);
  });
});

test("property_a_fault_in_the_model_file_is_told_with_its_line", async () => {
  await visit(await report(), async (page) => {
    const text = readFileSync(model("slider-crank"), "utf8");
    const line = text.split("\n").findIndex((entry) => entry.startsWith("journal_radius")) + 1;
    await id(page, "model-edit").click();
    assert.equal(await id(page, "model-text").inputValue(), text);
    await id(page, "model-text").fill(text.replace("journal_radius", "jornal_radius"));
    await id(page, "model-run").click();
    const said = id(page, "whatif-problems");
    await said.waitFor();
    assert.match(await said.textContent(), new RegExp(`line ${line}\\b.*jornal_radius`));
    // The text goes on from there.
    await id(page, "model-text").fill(text.replace('until = "0.6 s"', 'until = "0.1 s"'));
    await rerun(page, () => id(page, "model-run").click());
    assert.ok(!(await said.isVisible()));
  });
});

test("property_a_refused_choice_marks_the_earlier_run", async () => {
  await visit(await report(), async (page) => {
    assert.equal(await rerun(page, () => id(page, "law-damping").selectOption("flores")), "hertz+flores");
    const color = () => page.locator('[data-plot="force"] [data-series^="whatif/"] line').getAttribute("stroke");
    const strong = await color();
    const label = await rerun(page, async () => {
      await id(page, "whatif-set").fill("joints.pin.journal_radius = 3 kg");
      await id(page, "whatif-set").press("Enter");
    });
    assert.equal(label, "hertz+flores (previous settings)");
    assert.match(
      await id(page, "whatif-outdated").textContent(),
      /^Not yet run: .*journal_radius = 3 kg\. Shown faded: hertz\+flores\.$/,
    );
    assert.notEqual(await color(), strong);
    await picture(page, "refused");
    await rerun(page, async () => {
      await id(page, "whatif-set").fill("");
      await id(page, "whatif-set").press("Enter");
    });
    assert.equal(await color(), strong);
    assert.ok(!(await id(page, "whatif-outdated").isVisible()));
  });
});

test("property_text_that_is_no_override_is_told_beside_its_field", async () => {
  await visit(await report(), async (page) => {
    await id(page, "whatif-set").fill("bodies.slider.mass 2 kg");
    await id(page, "whatif-set").press("Enter");
    assert.match(await id(page, "whatif-set-hint").textContent(), /key = value, such as/);
    assert.equal(await id(page, "whatif-set").getAttribute("aria-invalid"), "true");
    await id(page, "whatif-set").fill("bodies.slider.mass = 2 kg");
    assert.ok(!(await id(page, "whatif-set-hint").isVisible()));
  });
});

test("property_a_long_run_can_be_cancelled", async () => {
  await visit(await report(), async (page) => {
    await id(page, "whatif-set").fill("run.until = 3000 s");
    await id(page, "whatif-set").press("Enter");
    await id(page, "whatif-cancel").click();
    await until(page, "nothing is running", async () => !(await id(page, "whatif-busy").isVisible()));
    await id(page, "whatif-reset").click();
    await rerun(page, () => id(page, "law-damping").selectOption("flores"));
  });
});

test("peer_a_browser_without_workers_runs_the_same", async () => {
  await visit(
    await report(),
    async (page) => {
      await rerun(page, () => id(page, "law-damping").selectOption("flores"));
      await agrees(page, await native("run", model("slider-crank"), "--law", "flores"));
    },
    {
      before: () => {
        window.Worker = class {
          constructor() {
            throw new Error("no workers here");
          }
        };
      },
    },
  );
});
