// The motion: play and pause, the time in every part of the page, keys, impacts.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  cursors,
  frames,
  goTo,
  id,
  near,
  picture,
  plot,
  resultTable,
  same,
  scrub,
  sliderCrank,
  time,
  until,
  visit,
} from "./pages.mjs";

const report = async () => join((await sliderCrank()).folder, "report.html");
const UNTIL = 0.6;
const RPM = 200;

const mainButton = (page) => page.locator("#player button.primary");
const isPlaying = async (page) => (await mainButton(page).getAttribute("aria-label")).startsWith("Pause");
const pixels = (page, part) =>
  page
    .locator(`${part} canvas`)
    .first()
    .evaluate((canvas) => canvas.toDataURL());
const words = (page, part) => page.locator(`${part} canvas`).first().getAttribute("aria-label");
/** What the page tells of its time in words. */
const clock = (page) => page.locator("#player output.clock").textContent();
const turns = (t) => (360 * RPM * t) / 60;

async function impactStarts() {
  return resultTable(await sliderCrank(), "impacts.csv")["start"];
}

test("property_animation_plays_by_itself_and_no_faster_than_asked", async () => {
  await visit(
    await report(),
    async (page) => {
      await until(page, "it plays", () => isPlaying(page));
      await until(page, "time goes on", async () => (await time(page)) > 0);
      const speed = Number(await page.locator("#player select").inputValue());
      // By the clock of the frames, which lags behind that of the machine when it is busy.
      const seen = await page.evaluate(
        () =>
          new Promise((done) => {
            const scrub = document.querySelector("#player input.scrub");
            const seen = [];
            const look = (now) => {
              seen.push([now / 1000, Number(scrub.value)]);
              if (seen.length < 30) requestAnimationFrame(look);
              else done(seen);
            };
            requestAnimationFrame(look);
          }),
      );
      const [before, from] = seen[0];
      const [now, t] = seen.at(-1);
      // This look and that of the player may come in either order: one frame more or less.
      const frame = Math.max(...seen.slice(1).map(([at], i) => at - seen[i][0]));
      assert.ok(t > from, "nothing moved in 30 frames");
      assert.ok(
        t - from <= speed * (now - before + frame) + 1e-12,
        `${t - from} s of motion in ${now - before} s at speed ${speed}`,
      );
      await mainButton(page).click();
      assert.ok(!(await isPlaying(page)));
      const stopped = await time(page);
      await frames(page, 20);
      assert.equal(await time(page), stopped);
      await mainButton(page).click();
      await until(page, "it goes on", async () => (await time(page)) > stopped);
    },
    { motion: true },
  );
});

test("property_nothing_moves_for_those_who_ask_for_less_motion", async () => {
  await visit(await report(), async (page) => {
    await frames(page, 20);
    same(await time(page), 0);
    assert.ok(!(await isPlaying(page)));
  });
});

test("property_animation_ends_with_the_run_and_begins_again", async () => {
  await visit(await report(), async (page) => {
    await goTo(page, UNTIL - 1e-4);
    await page.locator("#player select").selectOption("1");
    await mainButton(page).click();
    await until(page, "it has ended", async () => !(await isPlaying(page)));
    same(await time(page), UNTIL);
    await page.locator("#player select").selectOption("0.001");
    await mainButton(page).click();
    await until(page, "it has begun again", async () => (await time(page)) < 0.5 * UNTIL);
    assert.ok(await isPlaying(page));
  });
});

// The crank turns with 200 rpm; the cursor of a plot over time is where its time is.
test("exact_scrubbing_moves_mechanism_magnifier_and_plots_together", async () => {
  await visit(await report(), async (page) => {
    await plot(page, "force").locator(".u-over").waitFor();
    let [scene, lens] = [await pixels(page, "#scene"), await pixels(page, "#magnifiers")];
    for (const t of [0.05, 0.15, 0.4]) {
      await goTo(page, t);
      same(await time(page), t);
      assert.match(await clock(page), new RegExp(`^${1000 * t}\\.0*\\sms$`));
      const { plots, timelines } = await cursors(page);
      assert.ok(plots.length >= 2, `${plots.length} plots over time`);
      for (const { plot: name, share, pixel } of plots) near(share, t / UNTIL, pixel, `cursor of ${name}`);
      for (const share of timelines) near(share, t / UNTIL, 1e-6, "cursor of a timeline");
      const said = await until(page, "the mechanism is told anew", async () => {
        const text = await words(page, "#scene");
        return text.includes(await clock(page)) && text;
      });
      near(
        Number(/crank at .*?turned (\S+?)°/.exec(said)[1].replace("\u2212", "-")) % 360,
        turns(t) % 360,
        1,
        "angle of the crank",
      );
      await until(page, "the magnifier is told anew", async () =>
        (await words(page, "#magnifiers")).includes(await clock(page)),
      );
      const [nextScene, nextLens] = [await pixels(page, "#scene"), await pixels(page, "#magnifiers")];
      assert.notEqual(nextScene, scene, "the mechanism is drawn elsewhere");
      assert.notEqual(nextLens, lens, "the pin is drawn elsewhere");
      [scene, lens] = [nextScene, nextLens];
    }
    await picture(page, "run-moved");
  });
});

// channels.csv of the program judges the numbers beside the plots.
test("peer_values_in_the_legends_are_those_of_the_result_folder", async () => {
  const channels = resultTable(await sliderCrank(), "channels.csv");
  await visit(await report(), async (page) => {
    for (const share of [0.21, 0.43, 0.77]) {
      // A sample of the regular ones, not of an event.
      const i = channels.time.findIndex((t) => t >= share * UNTIL && Math.abs(t / 3e-4 - Math.round(t / 3e-4)) < 1e-9);
      await goTo(page, channels.time[i]);
      for (const [name, channel] of [
        ["output", "slider.ax"],
        ["drive", "motor.torque"],
      ]) {
        const text = await plot(page, name)
          .locator(`[data-testid="series"][data-series="run-0/${channel}"] .plot-value`)
          .textContent();
        const [digits, unit] = text.split("\u00a0");
        const scale = { "m/s²": 1, "N·m": 1, "mN·m": 1e-3, "kN·m": 1e3, "µN·m": 1e-6 }[unit];
        assert.ok(scale, `unit of ${text}`);
        near(
          scale * Number(digits.replace("\u2212", "-").replaceAll("\u202f", "")),
          channels[channel][i],
          0.006 * Math.abs(channels[channel][i]),
          `${channel} at ${channels.time[i]} s`,
        );
      }
    }
  });
});

test("property_a_hand_on_the_bar_and_on_a_timeline_sets_the_time", async () => {
  await visit(await report(), async (page) => {
    const track = await page.locator("#player .track").first().boundingBox();
    await page.mouse.click(track.x + 0.25 * track.width, track.y + track.height / 2);
    near(await time(page), 0.25 * UNTIL, UNTIL / track.width, "time after a click on the timeline");
    await page.mouse.down();
    await page.mouse.move(track.x + 0.5 * track.width, track.y + track.height / 2, { steps: 3 });
    await page.mouse.up();
    near(await time(page), 0.5 * UNTIL, UNTIL / track.width, "time after a drag on the timeline");
    const bar = await scrub(page).boundingBox();
    await page.mouse.click(bar.x + 0.8 * bar.width, bar.y + bar.height / 2);
    near(await time(page), 0.8 * UNTIL, 0.02 * UNTIL, "time after a click on the bar");
    // A click on a plot over time.
    const over = await plot(page, "force").locator(".u-over").boundingBox();
    await page.mouse.click(over.x + 0.6 * over.width, over.y + 0.5 * over.height);
    near(await time(page), 0.6 * UNTIL, (2 * UNTIL) / over.width, "time after a click on a plot");
  });
});

test("peer_keys_move_by_samples_and_impacts_of_the_result_folder", async () => {
  const starts = await impactStarts();
  const times = [...new Set(resultTable(await sliderCrank(), "channels.csv").time)];
  await visit(await report(), async (page) => {
    const press = (key) => page.keyboard.press(key);
    await page.locator("#header h1").click();
    for (const start of starts.slice(0, 3)) {
      await press("n");
      same(await time(page), start);
    }
    await press("p");
    same(await time(page), starts[1]);
    await press("End");
    same(await time(page), UNTIL);
    await press("Home");
    same(await time(page), 0);
    for (const t of times.slice(1, 4)) {
      await press("ArrowRight");
      same(await time(page), t);
    }
    await press("ArrowLeft");
    same(await time(page), times[2]);
    await press("Shift+ArrowRight");
    near(await time(page), times[2] + UNTIL / 50, 1e-12, "time after shift and arrow");
    await press("Shift+ArrowLeft");
    near(await time(page), times[2], 1e-12, "time after shift and arrow back");
    const speed = Number(await page.locator("#player select").inputValue());
    await press("+");
    assert.ok(Number(await page.locator("#player select").inputValue()) > speed);
    await press("-");
    assert.equal(Number(await page.locator("#player select").inputValue()), speed);
    await press(" ");
    assert.ok(await isPlaying(page));
    await until(page, "time goes on", async () => (await time(page)) > times[2] + 1e-6);
    await press(" ");
    assert.ok(!(await isPlaying(page)));
  });
});

test("property_keys_typed_into_fields_do_not_move_the_time", async () => {
  await visit(await report(), async (page) => {
    await goTo(page, 0.3);
    await id(page, "whatif-set").click();
    for (const key of ["n", "p", "Home", "End", " ", "ArrowLeft"]) await page.keyboard.press(key);
    same(await time(page), 0.3);
    assert.ok(!(await isPlaying(page)));
  });
});

test("peer_a_click_on_an_impact_jumps_there", async () => {
  const starts = await impactStarts();
  await visit(await report(), async (page) => {
    assert.equal(Number(await page.locator("#impacts table").getAttribute("aria-rowcount")), starts.length + 1);
    for (const i of [4, 0, 9]) {
      const row = id(page, "impact-row", `[data-impact="${i}"]`);
      await row.click();
      same(await time(page), starts[i]);
      assert.equal(await id(page, "impact-row", `[data-impact="${i}"]`).getAttribute("aria-selected"), "true");
      assert.equal(await page.getByRole("grid", { name: "Impacts" }).getByRole("row", { selected: true }).count(), 1);
      const { plots } = await cursors(page);
      for (const { plot: name, share, pixel } of plots) near(share, starts[i] / UNTIL, pixel, `cursor of ${name}`);
    }
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    same(await time(page), starts[10]);
  });
});

test("peer_impacts_are_sorted_as_asked", async () => {
  const impacts = resultTable(await sliderCrank(), "impacts.csv");
  await visit(await report(), async (page) => {
    const shown = () => id(page, "impact-row").evaluateAll((rows) => rows.map((row) => Number(row.dataset.impact)));
    for (const [column, values] of [
      ["max_force", impacts.max_force],
      ["duration", impacts.duration],
      ["start", impacts.start],
    ]) {
      assert.ok(values, `${column} in impacts.csv`);
      for (const direction of [1, -1]) {
        await id(page, `sort-${column}`).click();
        const order = values.map((_, i) => i).sort((a, b) => direction * (values[a] - values[b]));
        const rows = await shown();
        assert.deepEqual(rows, order.slice(0, rows.length), `${column}, ${direction}`);
        const said = await page.locator(`#impacts th:has([data-testid="sort-${column}"])`).getAttribute("aria-sort");
        assert.equal(said, direction > 0 ? "ascending" : "descending");
      }
    }
  });
});
