import assert from "node:assert/strict";
import test from "node:test";
import { enlarged, enlargedBlock, gapToSee, kOf, nearest, reachOf, sliderOf, startK } from "../src/magnify.ts";
import type { ContactView, Pair } from "../src/types.ts";

const NO = { at: 0, n: 0 };
const TOUCH = { first: NO, x: NO, y: NO, fx: NO, fy: NO, nx: NO, ny: NO, region: [], of: NO };
const KS = [10, 37, 250, 1000];
const close = (a: number, b: number, tolerance: number, note = ""): void =>
  assert.ok(Math.abs(a - b) <= tolerance, `${a} ${b} ${note}`);

function view(part: Partial<ContactView>): ContactView {
  return {
    joint: "j",
    form: "journal",
    wall_body: 0,
    pin_body: 1,
    pin: [0, 0],
    pin_radius: 0.01,
    clearance: 0.00025,
    walls: [],
    middle: [[0, 0]],
    block: null,
    px: NO,
    py: NO,
    turn: NO,
    along: null,
    across: null,
    touch: TOUCH,
    ...part,
  };
}

function journal(centre: Pair): ContactView {
  const angles = Array.from({ length: 721 }, (_, i) => (2 * Math.PI * i) / 720);
  return view({
    middle: [centre],
    walls: [
      {
        region: "bearing",
        points: angles.map((a): Pair => [centre[0] + 0.01025 * Math.cos(a), centre[1] + 0.01025 * Math.sin(a)]),
        normals: angles.map((a): Pair => [-Math.cos(a), -Math.sin(a)]),
      },
    ],
  });
}

/** Straight slot along x of length 0.03, width 2 · (R + c), with round ends. */
function slot(): ContactView {
  const [r, length] = [0.0051, 0.03];
  const flat = (y: number): { region: string; points: Pair[]; normals: Pair[] } => ({
    region: "flat",
    points: Array.from({ length: 301 }, (_, i): Pair => [(length * i) / 300, y]),
    normals: Array.from({ length: 301 }, (): Pair => [0, -Math.sign(y)]),
  });
  const end = (x: number, from: number): { region: string; points: Pair[]; normals: Pair[] } => {
    const angles = Array.from({ length: 361 }, (_, i) => from + (Math.PI * i) / 360);
    return {
      region: "end",
      points: angles.map((a): Pair => [x + r * Math.cos(a), r * Math.sin(a)]),
      normals: angles.map((a): Pair => [-Math.cos(a), -Math.sin(a)]),
    };
  };
  return view({
    form: "slot",
    pin_radius: 0.005,
    clearance: 0.0001,
    middle: [
      [0, 0],
      [length, 0],
    ],
    walls: [flat(r), end(length, -Math.PI / 2), flat(-r), end(0, Math.PI / 2)],
  });
}

/** Gap of the drawing itself: distance of the drawn centre to the drawn wall less the drawn radius. */
function drawnGap(v: ContactView, k: number, p: Pair): number {
  const big = enlarged(v, k);
  const centre = big.pin(p);
  let least = Infinity;
  for (const { points } of big.walls) {
    const q = nearest(points, centre);
    least = Math.min(least, Math.hypot(q[0] - centre[0], q[1] - centre[1]));
  }
  return least - big.radius;
}

test("property_drawn journal touches exactly when the real one does", () => {
  const v = journal([0.15, -0.02]);
  for (const k of KS) {
    // A chord of the polygon of 720 sides lies inside its circle by r (1 − cos(π/720)) at most.
    const sagitta = (0.01 + k * 0.00025) * 1e-5;
    for (let i = 0; i < 24; i++) {
      for (const share of [0, 0.3, 0.9, 1, 1.02]) {
        const a = (2 * Math.PI * i) / 24 + 0.01;
        const p: Pair = [0.15 + share * 0.00025 * Math.cos(a), -0.02 + share * 0.00025 * Math.sin(a)];
        const real = 0.00025 - share * 0.00025;
        // A coordinate near 0.15 is rounded to 2.8e-17.
        close(enlarged(v, k).gap(p), real, 1e-16);
        if (share > 0.5 && share <= 1) close(drawnGap(v, k, p), k * real, sagitta, `k ${k} share ${share}`);
        if (share === 1) close(drawnGap(v, k, p), 0, sagitta);
      }
    }
  }
});

test("property_an indentation appears k times as deep", () => {
  const v = journal([0, 0]);
  for (const k of KS) {
    const { radius, pin } = enlarged(v, k);
    const deepest = pin([0.00025 + 5e-6, 0])[0] + radius;
    const wall = enlarged(v, k).walls[0].points[0][0];
    close(deepest - wall, k * 5e-6, 1e-12);
  }
});

test("property_drawn slot touches exactly when the real one does, at flats and ends", () => {
  const v = slot();
  const places: [Pair, number][] = [
    [[0.01, 0.0001], 0],
    [[0.02, -0.0001], 0],
    [[0.03 + 0.0001, 0], 0],
    [[-0.00006, -0.00008], 0],
    [[0.01, 0.00006], 0.00004],
    [[0.03 + 0.00003, 0.00004], 0.00005],
    [[0.01, -0.0001021], -0.0000021],
  ];
  for (const k of KS) {
    for (const [p, gap] of places) {
      close(enlarged(v, k).gap(p), gap, 1e-15);
      if (gap >= 0) close(drawnGap(v, k, p), k * gap, 2e-5 * (0.005 + k * 0.0001), `k ${k} p ${p.join()}`);
      assert.equal(drawnGap(v, k, p) < -1e-6 * k, gap < 0);
    }
  }
});

test("property_spheres without clearance meet when they meet, between the points of the polygon too", () => {
  const angles = Array.from({ length: 121 }, (_, i) => (2 * Math.PI * i) / 120);
  const v = view({
    form: "external",
    pin_radius: 0.02,
    clearance: 0,
    middle: [],
    walls: [
      {
        region: "circle",
        points: angles.map((a): Pair => [0.02 * Math.cos(a), 0.02 * Math.sin(a)]),
        normals: angles.map((a): Pair => [Math.cos(a), Math.sin(a)]),
      },
    ],
  });
  for (const a of [0, 0.02, Math.PI / 120, 1, 4]) {
    for (const gap of [-2e-6, 0, 1e-6, 1e-3]) {
      const p: Pair = [(0.04 + gap) * Math.cos(a), (0.04 + gap) * Math.sin(a)];
      // Hermite error of an arc of 3°: θ⁴/384 of the radius, at most 8e-10 m.
      close(enlarged(v, 100).gap(p), gap, 1e-9, `angle ${a} gap ${gap}`);
      const [x, y] = enlarged(v, 100).pin(p);
      close(Math.hypot(x, y), 0.04 + 100 * gap, 1e-7);
    }
  }
});

test("property_block touches its guide by the corner that really does", () => {
  const [l, half, c] = [0.1, 0.025, 0.001];
  const v = view({
    form: "block",
    pin_radius: 0,
    clearance: c,
    middle: [
      [0, 0],
      [1, 0],
    ],
    block: { length: l, height: 2 * half },
  });
  // Tilted by the angle at which two opposite corners touch when its middle is in the middle of the guide.
  let tilt = 0.01;
  for (let i = 0; i < 50; i++)
    tilt -=
      ((l / 2) * Math.sin(tilt) + half * Math.cos(tilt) - half - c) /
      ((l / 2) * Math.cos(tilt) - half * Math.sin(tilt));
  for (const k of KS) {
    const big = enlargedBlock(v, k);
    const across = big.corners([0.3, 0], tilt).map((p) => p[1]);
    close(Math.max(...across), big.wall, 1e-12 * k);
    close(Math.min(...across), -big.wall, 1e-12 * k);
    close(big.gap([0.3, 0], tilt), 0, 1e-15);
    close(Math.max(...big.corners([0.3, c + 1e-6], 0).map((p) => p[1])) - big.wall, k * 1e-6, 1e-12 * k);
    close(big.gap([0.3, -c + 4e-4], 0), 4e-4, 1e-15);
    close(big.gap([0.3, 0], tilt + Math.PI), 0, 1e-13);
  }
});

test("property_the slider covers 10 … 1000 and goes back", () => {
  close(kOf(0), 10, 1e-12);
  close(kOf(1), 1000, 1e-9);
  for (const k of KS) close(kOf(sliderOf(k)) / k, 1, 1e-12);
  assert.ok(startK(journal([0, 0])) >= 10 && startK(journal([0, 0])) <= 1000);
});

test("property_spheres_apart_are_both_in_the_frame_at_the_start", () => {
  const angles = Array.from({ length: 361 }, (_, i) => (2 * Math.PI * i) / 360);
  const v = view({
    form: "external",
    pin_radius: 0.02,
    clearance: 0,
    middle: [],
    walls: [
      {
        region: "sphere",
        points: angles.map((a): Pair => [0.02 * Math.cos(a), 0.02 * Math.sin(a)]),
        normals: angles.map((a): Pair => [Math.cos(a), Math.sin(a)]),
      },
    ],
  });
  // Centres 41 mm apart at first, 41.4 mm at last: gaps of 1 mm and 1.4 mm.
  const x = Float64Array.from([0.041, 0.04, 0.0414]);
  const gap = gapToSee(v, x, new Float64Array(3));
  close(gap, 0.0014, 1e-8);
  const k = startK(v, gap);
  for (const at of x) {
    const [drawn] = enlarged(v, k).pin([at, 0]);
    // From the surface of the wall at 20 mm to the far side of the pin, and to the far side of the wall.
    assert.ok(drawn + 0.02 - 0.02 <= reachOf(0.02, k, gap), `${drawn} ${reachOf(0.02, k, gap)}`);
  }
  assert.ok(0.04 <= reachOf(0.02, k, gap));
});
