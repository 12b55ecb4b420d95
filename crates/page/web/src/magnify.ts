// A clearance enlarged k times, in the frame of the wall's body: drawn pin and wall touch exactly when the real ones do,
// and an indentation δ appears as k·δ. Pure functions; lengths in metres of the drawing.
import type { ContactView, Pair } from "./types.ts";

export const K_MIN = 10;
export const K_MAX = 1000;

/** Nearest point of a polyline (one point: that point). */
export function nearest(line: Pair[], [x, y]: Pair): Pair {
  let best: Pair = line[0] ?? [0, 0];
  let least = Infinity;
  const offer = (qx: number, qy: number): void => {
    const d = (x - qx) ** 2 + (y - qy) ** 2;
    if (d < least) {
      least = d;
      best = [qx, qy];
    }
  };
  if (line.length === 1) return best;
  for (let i = 0; i + 1 < line.length; i++) {
    const [ax, ay] = line[i];
    const [ux, uy] = [line[i + 1][0] - ax, line[i + 1][1] - ay];
    const length2 = ux * ux + uy * uy;
    const s = length2 > 0 ? Math.min(1, Math.max(0, ((x - ax) * ux + (y - ay) * uy) / length2)) : 0;
    offer(ax + s * ux, ay + s * uy);
  }
  return best;
}

/** p0 + k (p − p0). */
export const enlarge = (p0: Pair, p: Pair, k: number): Pair => [p0[0] + k * (p[0] - p0[0]), p0[1] + k * (p[1] - p0[1])];

/** Where the centre of the pin is when it touches the wall: wall + radius · normal. */
export const centreAt = (wall: Pair, normal: Pair, radius: number): Pair => [
  wall[0] + radius * normal[0],
  wall[1] + radius * normal[1],
];

const lines = new WeakMap<ContactView, Pair[][]>();

/** Lines of the pin's centre along each wall. */
function touchLines(view: ContactView): Pair[][] {
  let list = lines.get(view);
  if (!list) {
    list = view.walls.map((w) => w.points.map((p, i) => centreAt(p, w.normals[i], view.pin_radius)));
    lines.set(view, list);
  }
  return list;
}

/** Nearest centre p0 at which the pin touches the wall, and the normal there. Between two points of the wall the line of
 *  touching centres is a cubic (Hermite) square to both normals: a circle of 120 points is met to 1e-7 of its radius. */
export function touching(view: ContactView, p: Pair): { p0: Pair; normal: Pair } {
  let least = Infinity;
  let found: { p0: Pair; normal: Pair } = { p0: p, normal: [0, 1] };
  for (const [j, m] of touchLines(view).entries()) {
    const { normals } = view.walls[j];
    for (let i = 0; i + 1 < m.length; i++) {
      const q = nearest([m[i], m[i + 1]], p);
      const d = Math.hypot(q[0] - p[0], q[1] - p[1]);
      if (d >= least) continue;
      least = d;
      found = onCubic(m[i], m[i + 1], normals[i], normals[i + 1], p);
    }
  }
  return found;
}

function onCubic(a: Pair, b: Pair, na: Pair, nb: Pair, p: Pair): { p0: Pair; normal: Pair } {
  const chord: Pair = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(chord[0], chord[1]);
  if (length === 0) return { p0: a, normal: na };
  const tangent = ([nx, ny]: Pair): Pair => {
    const sense = chord[0] * -ny + chord[1] * nx < 0 ? -1 : 1;
    // An arc is longer than its chord: |C'| = θ / (2 sin(θ/2)) chords, θ between the normals.
    const half = Math.acos(Math.min(1, Math.max(-1, na[0] * nb[0] + na[1] * nb[1]))) / 2;
    const arc = length * (half > 1e-9 ? half / Math.sin(half) : 1) * sense;
    return [-ny * arc, nx * arc];
  };
  const [ta, tb] = [tangent(na), tangent(nb)];
  const at = (s: number): Pair =>
    [0, 1].map(
      (j) => a[j] + s * ta[j] + s * s * (3 * chord[j] - 2 * ta[j] - tb[j]) + s * s * s * (ta[j] + tb[j] - 2 * chord[j]),
    ) as Pair;
  const slope = (s: number): Pair =>
    [0, 1].map(
      (j) => ta[j] + 2 * s * (3 * chord[j] - 2 * ta[j] - tb[j]) + 3 * s * s * (ta[j] + tb[j] - 2 * chord[j]),
    ) as Pair;
  let s = Math.min(1, Math.max(0, ((p[0] - a[0]) * chord[0] + (p[1] - a[1]) * chord[1]) / length ** 2));
  for (let i = 0; i < 6; i++) {
    const [c, d] = [at(s), slope(s)];
    s = Math.min(1, Math.max(0, s + ((p[0] - c[0]) * d[0] + (p[1] - c[1]) * d[1]) / (d[0] ** 2 + d[1] ** 2)));
  }
  const d = slope(s);
  const speed = Math.hypot(d[0], d[1]);
  const side = -d[1] * na[0] + d[0] * na[1] < 0 ? -1 : 1;
  return { p0: at(s), normal: [(-d[1] / speed) * side, (d[0] / speed) * side] };
}

export interface Enlarged {
  k: number;
  /** Radius of the drawn pin (m). */
  radius: number;
  middle: Pair[];
  walls: { region: string; points: Pair[]; normals: Pair[] }[];
  /** Point that stays put when the centre p is enlarged. */
  base: (p: Pair) => Pair;
  /** Drawn centre of the pin whose centre is p. */
  pin: (p: Pair) => Pair;
  /** Gap between surfaces for the centre p (m); negative: indentation. */
  gap: (p: Pair) => number;
}

/** Pin among curved or straight walls. Without clearance (external, stop) the line of touching centres itself stays put. */
export function enlarged(view: ContactView, k: number): Enlarged {
  const { middle, pin_radius: radius } = view;
  const loose = view.clearance > 0 && middle.length > 0;
  const walls = view.walls.map(({ region, points, normals }) => ({
    region,
    normals,
    points: points.map((w, i): Pair => {
      if (!loose) return w;
      const m = centreAt(w, normals[i], radius);
      const [x, y] = enlarge(nearest(middle, m), m, k);
      return [x - radius * normals[i][0], y - radius * normals[i][1]];
    }),
  }));
  const base = (p: Pair): Pair => (loose ? nearest(middle, p) : touching(view, p).p0);
  const pin = (p: Pair): Pair => enlarge(base(p), p, k);
  const gap = (p: Pair): number => {
    if (loose) {
      const p0 = nearest(middle, p);
      return view.clearance - Math.hypot(p[0] - p0[0], p[1] - p0[1]);
    }
    const { p0, normal } = touching(view, p);
    const off = Math.hypot(p[0] - p0[0], p[1] - p0[1]);
    return (p[0] - p0[0]) * normal[0] + (p[1] - p0[1]) * normal[1] < 0 ? -off : off;
  };
  return { k, radius, middle, walls, base, pin, gap };
}

/** Block in a guide: x along the guide from its first point, y across. */
export interface EnlargedBlock {
  k: number;
  /** Half of the drawn height of the block and of the guide (m). */
  half: number;
  wall: number;
  corners: (p: Pair, turn: number) => Pair[];
  /** A point on the surface of the block or of the wall. */
  surface: (p: Pair) => Pair;
  /** Centre of the block. */
  centre: (p: Pair) => Pair;
  gap: (p: Pair, turn: number) => number;
  /** From the frame of the wall's body to (along, across). */
  local: (p: Pair) => Pair;
  along: Pair;
  length: number;
}

export function enlargedBlock(view: ContactView, k: number): EnlargedBlock {
  const { length, height } = view.block ?? { length: 0, height: 0 };
  const [a, b] = [view.middle[0] ?? [0, 0], view.middle[1] ?? [1, 0]];
  const span = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const along: Pair = [(b[0] - a[0]) / span, (b[1] - a[1]) / span];
  const local = ([x, y]: Pair): Pair => {
    const [dx, dy] = [x - a[0], y - a[1]];
    return [dx * along[0] + dy * along[1], -dx * along[1] + dy * along[0]];
  };
  const half = height / 2;
  const across = (y: number, side: number): number => side * half + k * (y - side * half);
  const axis = Math.atan2(along[1], along[0]);
  const real = (p: Pair, turn: number): { x: number; y: number; side: number }[] => {
    const [cx, cy] = local(p);
    const [c, s] = [Math.cos(turn - axis), Math.sin(turn - axis)];
    return (
      [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ] as Pair[]
    ).map(([i, j]) => {
      const [u, v] = [(i * length) / 2, j * half];
      // A block turned round by half a turn has its sides exchanged.
      const y = cy + s * u + c * v;
      return { x: cx + c * u - s * v, y, side: c >= 0 ? j : -j };
    });
  };
  return {
    k,
    half,
    wall: half + k * view.clearance,
    local,
    along,
    length,
    corners: (p, turn) => real(p, turn).map(({ x, y, side }) => [x, across(y, side)]),
    surface: (p) => {
      const [x, y] = local(p);
      return [x, across(y, y < 0 ? -1 : 1)];
    },
    centre: (p) => {
      const [x, y] = local(p);
      return [x, k * y];
    },
    gap: (p, turn) => Math.min(...real(p, turn).map(({ y, side }) => half + view.clearance - side * y)),
  };
}

/** Start of the slider: k · clearance is about half of the pin's radius; without clearance k · gap, of the gap to be seen. */
export function startK(view: ContactView, gap = 0): number {
  const radius = view.block ? view.block.height / 4 : view.pin_radius;
  if (!(view.clearance > 0)) return Math.min(100, Math.max(K_MIN, gap > 0 ? (0.5 * radius) / gap : 100));
  return Math.min(K_MAX, Math.max(K_MIN, (0.5 * radius) / view.clearance));
}

/** Gap that is to be seen between bodies without clearance: the widest of the run where both fit at the least enlargement, else the first. */
export function gapToSee(view: ContactView, x: Float64Array, y: Float64Array): number {
  if (view.clearance > 0 || view.block || x.length === 0) return 0;
  const gap = (i: number): number => {
    const { p0 } = touching(view, [x[i], y[i]]);
    return Math.hypot(x[i] - p0[0], y[i] - p0[1]);
  };
  const step = Math.max(1, Math.floor(x.length / 100));
  let widest = gap(x.length - 1);
  for (let i = 0; i < x.length; i += step) widest = Math.max(widest, gap(i));
  return K_MIN * widest <= 1.2 * view.pin_radius ? widest : gap(0);
}

/** Half of the smaller side of a drawing without clearance (m): both bodies and the enlarged gap, as far as they fit. */
export function reachOf(radius: number, k: number, gap: number): number {
  return Math.min(3.3 * radius, Math.max(2.1 * radius, 2.1 * radius + 1.05 * k * gap));
}

export const sliderOf = (k: number): number => Math.log(k / K_MIN) / Math.log(K_MAX / K_MIN);
export const kOf = (slider: number): number => K_MIN * (K_MAX / K_MIN) ** slider;
