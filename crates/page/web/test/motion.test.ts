import assert from "node:assert/strict";
import test from "node:test";
import { advance, spanAt, toBody, toWorld } from "../src/motion.ts";
import { defaultSpeed } from "../src/store.ts";
import type { ModeSpan, Pair } from "../src/types.ts";

const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-12 * Math.max(1, Math.abs(b)), `${a} ${b}`);

test("exact_time runs at one speed unless impacts are slow", () => {
  near(advance(0.1, 0.5, 0.02, [[0.105, 0.106]], 0), 0.11);
  // Free until 0.105 takes 0.25 s; the impact of 1 ms takes 1 s, so a quarter second shows a quarter of it.
  near(advance(0.1, 0.5, 0.02, [[0.105, 0.106]], 1), 0.10525);
  // And the rest again at speed.
  near(advance(0.1, 1.5, 0.02, [[0.105, 0.106]], 1), 0.106 + 0.25 * 0.02);
  // An impact that is slow anyhow is not hurried.
  near(advance(0, 1, 0.001, [[0, 0.5]], 1), 0.001);
});

test("property_many small frames go as far as one long one", () => {
  const impacts: Pair[] = [
    [0.01, 0.0103],
    [0.0104, 0.0105],
    [0.02, 0.021],
  ];
  let t = 0;
  for (let i = 0; i < 4000; i++) t = advance(t, 0.001, 0.01, impacts, 1);
  assert.ok(Math.abs(t - advance(0, 4, 0.01, impacts, 1)) < 1e-9);
});

test("exact_span that holds a time", () => {
  const list = [0, 1, 2].map((start): ModeSpan => ({ joint: "j", mode: "impact", start, end: start + 1 }));
  assert.deepEqual(
    [-1, 0, 0.5, 1, 2.9].map((t) => spanAt(list, t)),
    [-1, 0, 0, 1, 2],
  );
});

test("property_world and body frames undo each other", () => {
  const pose = { x: 0.3, y: -0.2, cos: Math.cos(0.7), sin: Math.sin(0.7), angle: 0.7 };
  const [x, y] = toBody(pose, toWorld(pose, [0.11, 0.05]));
  near(x, 0.11);
  near(y, 0.05);
});

test("property_a run takes about 20 s to watch", () => {
  for (const span of [0.01, 0.06, 0.2, 0.6, 2, 10]) {
    const seconds = span / defaultSpeed(span);
    assert.ok(seconds > 10 && seconds < 40, `${span} s in ${seconds} s`);
  }
});
