// The playground: every shipped mechanism runs in the browser, and does what it does in the program.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  goTo,
  id,
  impactTable,
  model,
  native,
  near,
  picture,
  playground,
  rerun,
  resultTable,
  shared,
  time,
  until,
  visit,
} from "./pages.mjs";

const page$ = () => shared("playground", playground);
const options = (page) =>
  id(page, "model-pick")
    .locator("option")
    .evaluateAll((list) => list.map((option) => option.value));
const idle = async (page) => !(await page.locator("body > .progress").isVisible());

async function pick(page, name) {
  await id(page, "model-pick").selectOption(name);
  await until(
    page,
    `${name} has been run`,
    async () =>
      (await page.locator("#header h1").textContent()) === name &&
      (await page.locator("#scene canvas").isVisible()) &&
      (await idle(page)),
  );
}

test("peer_every_shipped_mechanism_runs_as_in_the_program", async () => {
  await visit(await page$(), async (page) => {
    const names = await options(page);
    assert.ok(names.length >= 9, names.join());
    for (const name of names) {
      await pick(page, name);
      assert.ok(
        !(await page.locator("#notes .note.bad").isVisible()),
        `${name}: ${await page.locator("#notes .note.bad").textContent()}`,
      );
      assert.ok((await id(page, "plot").count()) > 0, `plots of ${name}`);
      const expected = await native("run", model(name));
      const theirs = resultTable(expected, "impacts.csv");
      if (theirs.start.length === 0) assert.ok(!(await page.locator("#impacts").isVisible()));
      else {
        const mine = await impactTable(page);
        near(mine.start[0], theirs.start[0], 1e-9 * Math.max(theirs.start[0], 1e-3), `first impact of ${name}`);
        assert.deepEqual([...new Set(mine.joint)].sort(), [...new Set(theirs.joint)].sort(), `joints of ${name}`);
      }
      const span = Number(await page.locator("#player input.scrub").getAttribute("max"));
      near(span, expected.t_end, 1e-12, `end of ${name}`);
      await goTo(page, 0.3 * span);
      near(await time(page), 0.3 * span, 1e-12, "time");
      await picture(page, `playground-${name}`);
    }
  });
});

test("property_mechanism_and_magnifier_fit_above_the_player", async () => {
  await visit(await page$(), async (page) => {
    for (const name of ["pin-in-bore", "scotch-yoke", "two-spheres"]) {
      await pick(page, name);
      const look = () =>
        page.evaluate(() => {
          const bottom = (list) => Math.max(...[...list].map((e) => e.getBoundingClientRect().bottom));
          const motion = document.getElementById("motion");
          return {
            inside: bottom(motion.querySelectorAll("canvas, .side > *, .legend")),
            player: document.getElementById("player").getBoundingClientRect().top,
            cut: [motion, ...motion.querySelectorAll(".magnifier, #scene")].some(
              (e) => e.scrollHeight > e.clientHeight + 1,
            ),
          };
        });
      await until(
        page,
        `${name} fits`,
        async () => {
          const { inside, player, cut } = await look();
          return inside <= player && !cut;
        },
        5000,
      );
      // Beside the plots, when these scroll.
      await page.evaluate(() => document.querySelector("#impacts").scrollIntoView({ block: "center" }));
      const { inside, player } = await look();
      assert.ok(inside <= player && inside > 300, `${name}: ${inside} above ${player}`);
      await page.evaluate(() => window.scrollTo(0, 0));
    }
  });
});

test("property_picking_quickly_shows_the_last_one", async () => {
  await visit(await page$(), async (page) => {
    const names = await options(page);
    for (const name of names.slice(0, 4)) await id(page, "model-pick").selectOption(name);
    await pick(page, names[1]);
    assert.equal(await page.locator("#header h1").textContent(), names[1]);
  });
});

test("peer_laws_are_changed_in_the_playground_as_in_the_program", async () => {
  await visit(await page$(), async (page) => {
    await pick(page, "slider-crank");
    const knobs = await id(page, "knob").evaluateAll((list) => list.map((knob) => knob.dataset.what));
    for (const what of ["clearance", "restitution", "speed"]) assert.ok(knobs.includes(what), `${what} in ${knobs}`);
    await rerun(page, () => id(page, "law-damping").selectOption("flores"));
    const expected = await native("run", model("slider-crank"), "--law", "flores");
    const mine = await impactTable(page);
    assert.equal(mine.start.length, resultTable(expected, "impacts.csv").start.length);
    near(mine.start[0] / expected.contacts.pin.first_impact_time, 1, 1e-9, "time of the first impact");
  });
});
