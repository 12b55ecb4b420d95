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
    if (d < least) { least = d; best = [qx, qy]; }
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
export const centreAt = (wall: Pair, normal: Pair, radius: number): Pair => [wall[0] + radius * normal[0], wall[1] + radius * normal[1]];

/** Contacts without clearance (external, stop) are enlarged about the line of touching centres itself. */
export function middleOf(view: ContactView): Pair[] {
  if (view.clearance > 0 && view.middle.length > 0) return view.middle;
  return view.walls.flatMap((w) => w.points.map((p, i) => centreAt(p, w.normals[i], view.pin_radius)));
}

export interface Enlarged {
  k: number;
  /** Radius of the drawn pin (m). */
  radius: number;
  middle: Pair[];
  walls: { region: string; points: Pair[]; normals: Pair[] }[];
  /** Drawn centre of the pin whose centre is p. */
  pin(p: Pair): Pair;
  /** Gap between surfaces for the centre p (m); negative: indentation. */
  gap(p: Pair): number;
}

/** Pin among curved or straight walls. */
export function enlarged(view: ContactView, k: number): Enlarged {
  const middle = middleOf(view);
  const radius = view.pin_radius;
  const walls = view.walls.map(({ region, points, normals }) => ({
    region, normals,
    points: points.map((w, i): Pair => {
      const m = centreAt(w, normals[i], radius);
      const [x, y] = enlarge(nearest(middle, m), m, k);
      return [x - radius * normals[i][0], y - radius * normals[i][1]];
    }),
  }));
  const pin = (p: Pair): Pair => enlarge(nearest(middle, p), p, k);
  const gap = (p: Pair): number => {
    const p0 = nearest(middle, p);
    const off = Math.hypot(p[0] - p0[0], p[1] - p0[1]);
    return view.clearance > 0 ? view.clearance - off : sideOf(view, p) * off;
  };
  return { k, radius, middle, walls, pin, gap };
}

/** +1 in free space of the nearest wall point, −1 behind it. */
function sideOf(view: ContactView, p: Pair): number {
  let least = Infinity;
  let side = 1;
  for (const { points, normals } of view.walls) {
    points.forEach((w, i) => {
      const m = centreAt(w, normals[i], view.pin_radius);
      const [dx, dy] = [p[0] - m[0], p[1] - m[1]];
      const d = dx * dx + dy * dy;
      if (d < least) { least = d; side = dx * normals[i][0] + dy * normals[i][1] < 0 ? -1 : 1; }
    });
  }
  return side;
}

/** Block in a guide: x along the guide from its first point, y across. */
export interface EnlargedBlock {
  k: number;
  /** Half of the drawn height of the block and of the guide (m). */
  half: number;
  wall: number;
  corners(p: Pair, turn: number): Pair[];
  /** A point on the surface of the block or of the wall. */
  surface(p: Pair): Pair;
  /** Centre of the block. */
  centre(p: Pair): Pair;
  gap(p: Pair, turn: number): number;
  /** From the frame of the wall's body to (along, across). */
  local(p: Pair): Pair;
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
    return ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as Pair[]).map(([i, j]) => {
      const [u, v] = [i * length / 2, j * half];
      // A block turned round by half a turn has its sides exchanged.
      const y = cy + s * u + c * v;
      return { x: cx + c * u - s * v, y, side: c >= 0 ? j : -j };
    });
  };
  return {
    k, half, wall: half + k * view.clearance, local, along, length,
    corners: (p, turn) => real(p, turn).map(({ x, y, side }) => [x, across(y, side)]),
    surface: (p) => { const [x, y] = local(p); return [x, across(y, y < 0 ? -1 : 1)]; },
    centre: (p) => { const [x, y] = local(p); return [x, k * y]; },
    gap: (p, turn) => Math.min(...real(p, turn).map(({ y, side }) => half + view.clearance - side * y)),
  };
}

/** Start of the slider: k · clearance is about 0.35 of the pin's radius. */
export function startK(view: ContactView): number {
  const radius = view.block ? view.block.height / 4 : view.pin_radius;
  if (!(view.clearance > 0)) return 100;
  return Math.min(K_MAX, Math.max(K_MIN, (0.35 * radius) / view.clearance));
}

export const sliderOf = (k: number): number => Math.log(k / K_MIN) / Math.log(K_MAX / K_MIN);
export const kOf = (slider: number): number => K_MIN * (K_MAX / K_MIN) ** slider;
