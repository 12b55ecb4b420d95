// Drawings of the magnifiers: a pin in its bore or slot or against a surface, and a block in its guide.
import { arrow, circle, hatch, path, roundLength, scaleBar, text } from "./draw.ts";
import { number, quantity } from "./format.ts";
import { type Enlarged, type EnlargedBlock, enlarged, enlargedBlock, nearest } from "./magnify.ts";
import { type At, type Touch, at, peakForce, poses, toBody, touches, turnedBack } from "./motion.ts";
import { type Colors, colors } from "./palette.ts";
import { indexAt, lerp } from "./payload.ts";
import { recentImpact } from "./recent.ts";
import { drawTrace } from "./trace.ts";
import type { ContactView, Pair, RunData } from "./types.ts";

type Context = CanvasRenderingContext2D;

export interface Lens {
  draw(c: Context, width: number, height: number, t: number, speed: number, trace: number): void;
  /** Gap between surfaces (m); negative: indentation. */
  gap(when: At): number;
  /** Where the pin is, in words. */
  place(when: At): string;
}

/** Pixels of a drawing whose middle is `origin` (m) and whose x axis is turned by `turn`. */
interface Paper { scale: number; px(p: Pair): Pair; dir(v: Pair): Pair }

function paper(width: number, height: number, origin: Pair, scale: number, turn: number): Paper {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const dir = ([x, y]: Pair): Pair => [c * x + s * y, -(-s * x + c * y)];
  return {
    scale, dir,
    px: ([x, y]) => {
      const [u, v] = dir([x - origin[0], y - origin[1]]);
      return [width / 2 + scale * u, height / 2 + scale * v];
    },
  };
}

abstract class Base {
  protected run: RunData;
  protected view: ContactView;
  protected peak: number;
  protected px: Float64Array;
  protected py: Float64Array;
  protected turn: Float64Array;

  constructor(run: RunData, view: ContactView) {
    this.run = run;
    this.view = view;
    this.peak = peakForce(run);
    [this.px, this.py, this.turn] = [run.ref(view.px), run.ref(view.py), run.ref(view.turn)];
  }

  protected centre(when: At): Pair { return [lerp(this.px, when), lerp(this.py, when)]; }

  /** Touches with force and normal in the frame of the wall's body. */
  protected touches(when: At): Touch[] {
    const wall = poses(this.run, when)[this.view.wall_body];
    return touches(this.run, this.view, when).map((t) => ({
      ...t, point: toBody(wall, t.point), force: turnedBack(wall, t.force), normal: turnedBack(wall, t.normal),
    }));
  }

  protected legend(c: Context, width: number, height: number, longest: number, real: number, pixels: number, p: Colors): void {
    scaleBar(c, [12, height - 11], pixels, quantity(real, "m"), p.soft, p.wall);
    if (!(this.peak > 0)) return;
    const value = roundLength(this.peak);
    const length = (longest * value) / this.peak;
    arrow(c, [width - 12 - length, height - 12], [length, 0], p.force, p.wall, 3);
    text(c, quantity(value, "N"), [width - 19 - length, height - 12], p.soft, p.wall, 11, "right");
  }

  /** Contact point, normal, and force on the pin. */
  protected touch(c: Context, to: Paper, point: Pair, normal: Pair, force: Pair, longest: number, p: Colors): void {
    const spot = to.px(point);
    const [nx, ny] = to.dir(normal);
    path(c, [[spot[0] - 34 * nx, spot[1] - 34 * ny], [spot[0] + 34 * nx, spot[1] + 34 * ny]]);
    c.strokeStyle = p.ink;
    c.lineWidth = 1;
    c.setLineDash([7, 3, 1.5, 3]);
    c.stroke();
    c.setLineDash([]);
    const k = this.peak > 0 ? longest / this.peak : 0;
    const [fx, fy] = to.dir(force);
    arrow(c, spot, [k * fx, k * fy], p.force, p.panel, 4);
    circle(c, spot, 4);
    c.fillStyle = p.force;
    c.fill();
    c.strokeStyle = p.panel;
    c.lineWidth = 1.5;
    c.stroke();
  }

  /** The peak of an impact stays for a moment, paler and paler. */
  protected echo(c: Context, t: number, speed: number, draw: (touch: Touch, at: At) => void): void {
    const recent = recentImpact(this.run, this.view.joint, t, 0.6 * speed);
    if (!recent || t <= recent.impact.end) return;
    const when = { i: indexAt(this.run.times, recent.impact.peak_time), s: 0 };
    c.globalAlpha = 0.65 * (1 - recent.age);
    for (const touch of this.touches(when)) draw(touch, when);
    c.globalAlpha = 1;
  }

  /** Material behind a wall: a band with a firm edge. */
  protected band(c: Context, points: Pair[], normals: Pair[], depth: number): void {
    c.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    for (let i = points.length - 1; i >= 0; i--) c.lineTo(points[i][0] - depth * normals[i][0], points[i][1] - depth * normals[i][1]);
    c.closePath();
  }
}

export class PinLens extends Base implements Lens {
  #big: Enlarged;
  #turned: number;
  #closed: boolean;
  #drawn: { x: Float64Array; y: Float64Array };

  constructor(run: RunData, view: ContactView, k: number) {
    super(run, view);
    this.#big = enlarged(view, k);
    this.#closed = view.form === "journal";
    const [a, b] = [view.middle[0], view.middle[view.middle.length - 1]];
    // A slot lies along the paper.
    this.#turned = view.form === "slot" && a && b && a !== b ? upright(Math.atan2(b[1] - a[1], b[0] - a[0])) : 0;
    this.#drawn = { x: new Float64Array(this.px.length), y: new Float64Array(this.px.length) };
    for (let i = 0; i < this.px.length; i++) [this.#drawn.x[i], this.#drawn.y[i]] = this.#big.pin([this.px[i], this.py[i]]);
  }

  gap(when: At): number { return this.#big.gap(this.centre(when)); }

  place(when: At): string {
    const p = this.centre(when);
    if (this.view.form === "journal") {
      const [x, y] = this.view.middle[0] ?? [0, 0];
      return `${number(Math.hypot(p[0] - x, p[1] - y) / this.view.clearance, 3, true)} of play`;
    }
    const names = [...new Set(touches(this.run, this.view, when).map((t) => t.region))];
    return names.length > 0 ? names.join(", ") : "free";
  }

  draw(c: Context, width: number, height: number, t: number, speed: number, trace: number): void {
    const p = colors();
    const { view } = this;
    const big = this.#big;
    const when = at(this.run, t);
    const centre = this.centre(when);
    const drawn = big.pin(centre);
    const play = big.k * view.clearance;
    const reach = this.#reach(width, height, play);
    const to = paper(width, height, this.#origin(centre, reach), Math.min(width, height) / 2 / reach, this.#turned);
    const longest = 0.3 * Math.min(width, height);
    c.save();
    c.lineJoin = "round";
    const walls = big.walls.map((w) => ({ points: w.points.map(to.px), normals: w.normals.map(to.dir) }));
    const depth = view.clearance > 0 ? Math.max(13, 0.16 * Math.min(width, height) * 0.5) : 16;
    this.#material(c, width, height, walls, depth, p);
    this.#centreLine(c, to, play, p);
    drawTrace(c, this.run, view.joint, this.#drawn, t, trace, to.px, p);
    this.#pin(c, to, drawn, lerp(this.turn, when), p);
    // What the pin takes from the wall.
    c.save();
    circle(c, to.px(drawn), big.radius * to.scale);
    c.clip();
    c.fillStyle = p.impact;
    c.globalAlpha = 0.75;
    if (this.gap(when) < 0) for (const w of walls) { this.band(c, w.points, w.normals, depth); c.fill(); }
    c.restore();
    const surface = (touch: Touch, q: Pair): Pair => [q[0] + big.radius * touch.normal[0], q[1] + big.radius * touch.normal[1]];
    this.echo(c, t, speed, (touch, peak) =>
      this.touch(c, to, surface(touch, big.pin(this.centre(peak))), touch.normal, touch.force, longest, p));
    for (const touch of this.touches(when)) this.touch(c, to, surface(touch, drawn), touch.normal, touch.force, longest, p);
    this.#away(c, width, height, to, drawn, centre, p);
    const bar = roundLength((0.3 * width) / to.scale / big.k);
    this.legend(c, width, height, longest, bar, bar * big.k * to.scale, p);
    c.restore();
  }

  /** Half of the smaller side of the view (m of the drawing). */
  #reach(width: number, height: number, play: number): number {
    const r = this.#big.radius + play;
    if (this.view.form === "journal") return 1.28 * r;
    if (this.view.clearance === 0) return 2.1 * this.#big.radius;
    const aspect = Math.max(width, height) / Math.min(width, height);
    const all = this.#length / 2 + r;
    // The whole slot where it fits, else the part round the pin.
    return Math.max(1.5 * r, Math.min(2.6 * r, (1.12 * all) / aspect));
  }

  get #length(): number {
    const m = this.#big.middle;
    const [a, b] = [m[0], m[m.length - 1]];
    return a && b ? Math.hypot(b[0] - a[0], b[1] - a[1]) : 0;
  }

  #origin(centre: Pair, reach: number): Pair {
    const m = this.#big.middle;
    if (this.view.form === "journal") return m[0] ?? [0, 0];
    const [a, b] = [m[0], m[m.length - 1]];
    if (this.view.clearance > 0 && this.#length / 2 + this.#big.radius < reach && a && b) return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    return nearest(m, centre);
  }

  #material(c: Context, width: number, height: number, walls: { points: Pair[]; normals: Pair[] }[], depth: number, p: Colors): void {
    if (this.#closed && walls[0]) {
      // All that is not the bore belongs to the bearing.
      c.beginPath();
      c.rect(0, 0, width, height);
      walls[0].points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
      c.closePath();
      c.fillStyle = p.wall;
      c.fill("evenodd");
    } else {
      c.fillStyle = p.wall;
      for (const w of walls) { this.band(c, w.points, w.normals, depth); c.fill(); }
    }
    c.strokeStyle = p.metalEdge;
    c.lineWidth = 1.75;
    for (const w of walls) { path(c, w.points); c.stroke(); }
  }

  /** Where the centre can go without touching: the clearance circle, or the line of the slot. */
  #centreLine(c: Context, to: Paper, play: number, p: Colors): void {
    c.strokeStyle = p.edge;
    c.lineWidth = 1;
    if (this.view.form === "journal") {
      const [x, y] = to.px(this.#big.middle[0]);
      c.setLineDash([4, 3]);
      circle(c, [x, y], play * to.scale);
      c.stroke();
      c.setLineDash([]);
      path(c, [[x - 5, y], [x + 5, y]]);
      c.stroke();
      path(c, [[x, y - 5], [x, y + 5]]);
      c.stroke();
    } else {
      c.setLineDash([10, 3, 2, 3]);
      path(c, this.#big.middle.map(to.px));
      c.stroke();
      c.setLineDash([]);
    }
  }

  #pin(c: Context, to: Paper, drawn: Pair, turn: number, p: Colors): void {
    const centre = to.px(drawn);
    const radius = this.#big.radius * to.scale;
    circle(c, centre, radius);
    c.fillStyle = p.metal;
    c.globalAlpha = 0.8;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = p.metalEdge;
    c.lineWidth = 1.75;
    c.stroke();
    // A mark that turns with the pin.
    const [ux, uy] = to.dir([Math.cos(turn), Math.sin(turn)]);
    path(c, [[centre[0] + 0.72 * radius * ux, centre[1] + 0.72 * radius * uy], [centre[0] + 0.95 * radius * ux, centre[1] + 0.95 * radius * uy]]);
    c.lineWidth = 2;
    c.stroke();
    circle(c, centre, 3);
    c.fillStyle = p.ink;
    c.fill();
  }

  /** Says so when the pin is out of the picture. */
  #away(c: Context, width: number, height: number, to: Paper, drawn: Pair, centre: Pair, p: Colors): void {
    const [x, y] = to.px(drawn);
    const r = this.#big.radius * to.scale;
    if (x > -r && x < width + r && y > -r && y < height + r) return;
    const [dx, dy] = [x - width / 2, y - height / 2];
    const length = Math.hypot(dx, dy);
    arrow(c, [width / 2 + (dx / length) * 0.2 * width, height / 2 + (dy / length) * 0.2 * height], [(dx / length) * 34, (dy / length) * 34], p.soft, p.panel, 2.5);
    const away = this.view.clearance > 0 ? -this.#big.gap(centre) : this.#big.gap(centre);
    text(c, `pin ${quantity(away, "m")} away`, [width / 2, height / 2], p.soft, p.panel, 13, "center");
  }
}

/** An angle of a line, so that it is read from below. */
const upright = (a: number): number => (a > Math.PI / 2 ? a - Math.PI : a <= -Math.PI / 2 ? a + Math.PI : a);

export class BlockLens extends Base implements Lens {
  #big: EnlargedBlock;
  #drawn: { x: Float64Array; y: Float64Array };

  constructor(run: RunData, view: ContactView, k: number) {
    super(run, view);
    this.#big = enlargedBlock(view, k);
    this.#drawn = { x: new Float64Array(this.px.length), y: new Float64Array(this.px.length) };
    for (let i = 0; i < this.px.length; i++) [this.#drawn.x[i], this.#drawn.y[i]] = this.#big.centre([this.px[i], this.py[i]]);
  }

  gap(when: At): number { return this.#big.gap(this.centre(when), lerp(this.turn, when)); }

  place(when: At): string {
    const axis = Math.atan2(this.#big.along[1], this.#big.along[0]);
    return quantity(Math.sin(lerp(this.turn, when) - axis), "rad", 3, true);
  }

  draw(c: Context, width: number, height: number, t: number, speed: number, trace: number): void {
    const p = colors();
    const big = this.#big;
    const when = at(this.run, t);
    const centre = this.centre(when);
    const turn = lerp(this.turn, when);
    const [x] = big.local(centre);
    const scale = Math.min(width / (1.5 * big.length), height / (2.5 * big.wall));
    const to = paper(width, height, [x, 0], scale, 0);
    const longest = 0.3 * Math.min(width, height);
    c.save();
    const wall = big.wall * scale;
    const middle = height / 2;
    for (const side of [-1, 1]) {
      const edge = middle - side * wall;
      c.fillStyle = p.wall;
      c.fillRect(0, side > 0 ? 0 : edge, width, side > 0 ? edge : height - edge);
      // Strokes that stay with the guide show that the block slides.
      const shift = ((x * scale) % 24 + 24) % 24;
      hatch(c, [-shift - 24, edge], [width + 24, edge], [0, -side], p.ground, 24, 10);
      path(c, [[0, edge], [width, edge]]);
      c.strokeStyle = p.metalEdge;
      c.lineWidth = 1.75;
      c.stroke();
    }
    c.setLineDash([10, 3, 2, 3]);
    path(c, [[0, middle], [width, middle]]);
    c.strokeStyle = p.edge;
    c.lineWidth = 1;
    c.stroke();
    c.setLineDash([]);
    const corners = big.corners(centre, turn).map(to.px);
    path(c, corners, true);
    c.fillStyle = p.metal;
    c.globalAlpha = 0.8;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = p.metalEdge;
    c.lineWidth = 1.75;
    c.stroke();
    c.save();
    c.clip();
    c.fillStyle = p.impact;
    c.globalAlpha = 0.75;
    c.fillRect(0, 0, width, middle - wall);
    c.fillRect(0, middle + wall, width, height);
    c.restore();
    drawTrace(c, this.run, this.view.joint, this.#drawn, t, trace, to.px, p);
    circle(c, to.px(big.centre(centre)), 3);
    c.fillStyle = p.ink;
    c.fill();
    const across = (v: Pair): Pair => [v[0] * big.along[0] + v[1] * big.along[1], -v[0] * big.along[1] + v[1] * big.along[0]];
    const mark = (touch: Touch): void =>
      this.touch(c, to, big.surface(touch.point), across(touch.normal), across(touch.force), longest, p);
    this.echo(c, t, speed, mark);
    for (const touch of this.touches(when)) mark(touch);
    const bar = roundLength((0.3 * height) / scale / big.k);
    const pixels = bar * big.k * scale;
    path(c, [[18, middle - pixels / 2], [14, middle - pixels / 2], [14, middle + pixels / 2], [18, middle + pixels / 2]]);
    c.strokeStyle = p.soft;
    c.lineWidth = 1.25;
    c.stroke();
    text(c, quantity(bar, "m"), [21, middle], p.soft, p.panel, 11);
    const along = roundLength((0.3 * width) / scale);
    this.legend(c, width, height, longest, along, along * scale, p);
    c.restore();
  }
}
