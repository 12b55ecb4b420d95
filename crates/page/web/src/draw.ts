// Drawing functions used by scene and magnifiers. All in CSS pixels.
import type { Pair } from "./types.ts";

type Context = CanvasRenderingContext2D;

export function path(c: Context, points: Pair[], close = false): void {
  c.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
  if (close) c.closePath();
}

export function circle(c: Context, [x, y]: Pair, r: number): void {
  c.beginPath();
  c.arc(x, y, Math.max(0, r), 0, 2 * Math.PI);
}

/** Arrow from a place by a vector, with a halo so that it is seen on anything. */
export function arrow(c: Context, [x, y]: Pair, [dx, dy]: Pair, color: string, halo: string, width = 2.5): void {
  const length = Math.hypot(dx, dy);
  if (length < 5) {
    // Too small for an arrow: a dot says that there is a force.
    if (length === 0) return;
    circle(c, [x, y], width);
    c.fillStyle = color;
    c.fill();
    return;
  }
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(length, 3.2 * width + 3);
  const [bx, by] = [x + dx - ux * head, y + dy - uy * head];
  const half = head * 0.42;
  c.lineCap = "butt";
  c.lineJoin = "round";
  for (const [style, extra] of [
    [halo, 3],
    [color, 0],
  ] as [string, number][]) {
    c.strokeStyle = c.fillStyle = style;
    c.lineWidth = width + extra;
    path(c, [
      [x, y],
      [bx, by],
    ]);
    c.stroke();
    path(
      c,
      [
        [x + dx, y + dy],
        [bx - uy * half, by + ux * half],
        [bx + uy * half, by - ux * half],
      ],
      true,
    );
    if (extra > 0) {
      c.lineWidth = extra;
      c.stroke();
    }
    c.fill();
  }
}

/** Part of a circle with a head at its end; angles counter-clockwise on paper (y up). */
export function arcArrow(
  c: Context,
  [x, y]: Pair,
  r: number,
  from: number,
  to: number,
  color: string,
  width = 2,
): void {
  c.strokeStyle = c.fillStyle = color;
  c.lineWidth = width;
  c.lineCap = "butt";
  c.beginPath();
  c.arc(x, y, r, -from, -to, to > from);
  c.stroke();
  const s = Math.sign(to - from);
  const [ex, ey] = [x + r * Math.cos(to), y - r * Math.sin(to)];
  const [ux, uy] = [-Math.sin(to) * s, -Math.cos(to) * s];
  const head = 3 * width + 2;
  path(
    c,
    [
      [ex + ux * head * 0.8, ey + uy * head * 0.8],
      [ex - uy * head * 0.5, ey + ux * head * 0.5],
      [ex + uy * head * 0.5, ey - ux * head * 0.5],
    ],
    true,
  );
  c.fill();
}

/** Fixed ground: short slanted strokes on the far side of a line; `out` is the unit normal on that side. */
export function hatch(c: Context, [ax, ay]: Pair, [bx, by]: Pair, out: Pair, color: string, step = 7, depth = 7): void {
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  c.strokeStyle = color;
  c.lineWidth = 1;
  c.lineCap = "butt";
  c.beginPath();
  for (let s = step / 2; s <= length; s += step) {
    const [x, y] = [ax + s * ux, ay + s * uy];
    c.moveTo(x, y);
    c.lineTo(x + depth * (out[0] - ux), y + depth * (out[1] - uy));
  }
  c.stroke();
}

/** Coil spring between two places. */
export function spring(c: Context, [ax, ay]: Pair, [bx, by]: Pair, color: string, half = 6): void {
  const length = Math.hypot(bx - ax, by - ay);
  if (length < 2) return;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const lead = Math.min(12, length / 5);
  const turns = 9;
  const points: Pair[] = [
    [ax, ay],
    [ax + ux * lead, ay + uy * lead],
  ];
  for (let i = 0; i < 2 * turns; i++) {
    const s = lead + ((i + 0.5) / (2 * turns)) * (length - 2 * lead);
    const side = i % 2 === 0 ? half : -half;
    points.push([ax + ux * s - uy * side, ay + uy * s + ux * side]);
  }
  points.push([bx - ux * lead, by - uy * lead], [bx, by]);
  path(c, points);
  c.strokeStyle = color;
  c.lineWidth = 1.5;
  c.lineJoin = "round";
  c.stroke();
}

/** Cushion between two places: two plates with a bulging block between them, along the axis if the places coincide. */
export function cushion(c: Context, a: Pair, b: Pair, axis: Pair, color: string, halo: string, half = 8): void {
  const apart = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const [ux, uy] = apart > half ? [(b[0] - a[0]) / apart, (b[1] - a[1]) / apart] : axis;
  const middle: Pair = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const reach = Math.max(apart / 2, 0.8 * half);
  const place = (along: number, across: number): Pair => [
    middle[0] + along * ux - across * uy,
    middle[1] + along * uy + across * ux,
  ];
  c.beginPath();
  c.moveTo(...place(-reach, half));
  c.quadraticCurveTo(...place(0, 1.6 * half), ...place(reach, half));
  c.lineTo(...place(reach, -half));
  c.quadraticCurveTo(...place(0, -1.6 * half), ...place(-reach, -half));
  c.closePath();
  c.fillStyle = halo;
  c.fill();
  c.globalAlpha = 0.25;
  c.fillStyle = color;
  c.fill();
  c.globalAlpha = 1;
  c.strokeStyle = color;
  c.lineWidth = 1.25;
  c.stroke();
  for (const end of [-reach, reach]) {
    path(c, [place(end, -1.25 * half), place(end, 1.25 * half)]);
    c.lineWidth = 2.5;
    c.stroke();
  }
}

/** Text with a halo. */
export function text(
  c: Context,
  words: string,
  [x, y]: Pair,
  color: string,
  halo: string,
  size = 12,
  align: CanvasTextAlign = "left",
  bold = false,
): void {
  c.font = `${bold ? "600 " : ""}${size}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif`;
  c.textAlign = align;
  c.textBaseline = "middle";
  c.lineJoin = "round";
  c.strokeStyle = halo;
  c.lineWidth = 3.5;
  c.strokeText(words, x, y);
  c.fillStyle = color;
  c.fillText(words, x, y);
}

/** 1, 2 or 5 times a power of ten, at most x. */
export function roundLength(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return (x / power >= 5 ? 5 : x / power >= 2 ? 2 : 1) * power;
}

/** Scale bar with its length in words. */
export function scaleBar(c: Context, [x, y]: Pair, pixels: number, words: string, color: string, halo: string): void {
  path(c, [
    [x, y - 4],
    [x, y],
    [x + pixels, y],
    [x + pixels, y - 4],
  ]);
  c.strokeStyle = color;
  c.lineWidth = 1.25;
  c.lineJoin = "miter";
  c.stroke();
  text(c, words, [x + pixels + 7, y - 2], color, halo, 11);
}

/** Convex hull, counter-clockwise (Andrew's monotone chain). */
export function hull(points: Pair[]): Pair[] {
  const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (list: Pair[]): Pair[] => {
    const out: Pair[] = [];
    for (const p of list) {
      while (out.length > 1) {
        const [a, b] = [out[out.length - 2], out[out.length - 1]];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
