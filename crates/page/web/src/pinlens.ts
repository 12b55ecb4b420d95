// A pin in its bore or slot or against a surface, with the clearance enlarged.
import { arrow, circle, path, roundLength, text } from "./draw.ts";
import { quantity } from "./format.ts";
import { Base, type Context, type Lens, type Paper, paper } from "./lens.ts";
import { type Enlarged, enlarged, gapToSee, nearest, reachOf } from "./magnify.ts";
import { type At, type Touch, at, touches } from "./motion.ts";
import { type Colors, colors } from "./palette.ts";
import { lerp } from "./payload.ts";
import { drawTrace } from "./trace.ts";
import type { ContactView, Pair, RunData } from "./types.ts";

interface Line {
  x: Float64Array;
  y: Float64Array;
}
const bases = new WeakMap<ContactView, Line>();

export class PinLens extends Base implements Lens {
  #big: Enlarged;
  #turned: number;
  #closed: boolean;
  #drawn: Line;
  #gap: number;

  constructor(run: RunData, view: ContactView, k: number) {
    super(run, view);
    this.#big = enlarged(view, k);
    this.#closed = view.form === "external" && view.walls.every((w) => closed(w.points));
    const [a, b] = [view.middle[0], view.middle[view.middle.length - 1]];
    // A slot lies along the paper.
    this.#turned = view.form === "slot" && a && b && a !== b ? upright(Math.atan2(b[1] - a[1], b[0] - a[0])) : 0;
    this.#gap = gapToSee(view, this.px, this.py);
    const base = this.#bases();
    this.#drawn = {
      x: base.x.map((x, i) => x + k * (this.px[i] - x)),
      y: base.y.map((y, i) => y + k * (this.py[i] - y)),
    };
  }

  /** Points that stay put, once for all magnifications. */
  #bases(): Line {
    let line = bases.get(this.view);
    if (!line) {
      line = { x: new Float64Array(this.px.length), y: new Float64Array(this.px.length) };
      for (let i = 0; i < this.px.length; i++) [line.x[i], line.y[i]] = this.#big.base([this.px[i], this.py[i]]);
      bases.set(this.view, line);
    }
    return line;
  }

  gap(when: At): number {
    return this.real(when, this.#big.gap(this.centre(when)));
  }

  place(when: At): string {
    const p = this.centre(when);
    if (this.view.form === "journal") {
      const [x, y] = this.view.middle[0] ?? [0, 0];
      return `${(Math.hypot(p[0] - x, p[1] - y) / this.view.clearance).toFixed(3)} of the clearance`;
    }
    const names = [...new Set(touches(this.run, this.view, when).map((t) => t.region))];
    return names.length > 0
      ? names.join(", ")
      : Number.isNaN(this.gap(when))
        ? "out of the slot"
        : this.view.clearance > 0
          ? "between the walls"
          : "apart";
  }

  draw(c: Context, width: number, height: number, t: number, speed: number, trace: number, others: RunData[]): void {
    const p = colors();
    const { view } = this;
    const big = this.#big;
    const when = at(this.run, t);
    const centre = this.centre(when);
    const drawn = big.pin(centre);
    const play = big.k * view.clearance;
    const reach = this.#reach(width, height, play);
    const to = paper(width, height, this.#origin(centre, reach), Math.min(width, height) / 2 / reach, this.#turned);
    const longest = 0.38 * Math.min(width, height);
    c.save();
    c.lineJoin = "round";
    const walls = big.walls.map((w) => ({ points: w.points.map(to.px), normals: w.normals.map(to.dir) }));
    const depth = view.clearance > 0 ? Math.max(13, 0.16 * Math.min(width, height) * 0.5) : 16;
    this.#material(c, width, height, walls, depth, p);
    this.#pin(c, to, drawn, lerp(this.turn, when), p);
    this.ghosts(others, t, (q, _, color) => {
      const spot = to.px(big.pin(q));
      c.strokeStyle = c.fillStyle = color;
      c.lineWidth = 1.5;
      circle(c, spot, big.radius * to.scale);
      c.stroke();
      circle(c, spot, 2.5);
      c.fill();
    });
    // What the pin takes from the wall.
    c.save();
    circle(c, to.px(drawn), big.radius * to.scale);
    c.clip();
    c.fillStyle = p.impact;
    c.globalAlpha = 0.75;
    if (this.gap(when) < 0) {
      for (const w of walls) {
        this.band(c, w.points, w.normals, this.view.form === "external" ? 200 : depth);
        c.fill();
      }
    }
    c.restore();
    this.#centreLine(c, to, play, p);
    drawTrace(c, this.run, view.joint, this.#drawn, t, trace, to.px, p);
    circle(c, to.px(drawn), 3.5);
    c.fillStyle = p.ink;
    c.fill();
    const surface = (touch: Touch, q: Pair): Pair => [
      q[0] + big.radius * touch.normal[0],
      q[1] + big.radius * touch.normal[1],
    ];
    this.echo(c, t, speed, (touch, peak) =>
      this.touch(c, to, surface(touch, big.pin(this.centre(peak))), touch.normal, touch.force, longest, p),
    );
    for (const touch of this.touches(when))
      this.touch(c, to, surface(touch, drawn), touch.normal, touch.force, longest, p);
    this.#away(c, width, height, to, drawn, centre, p);
    const bar = roundLength((0.3 * width) / to.scale / big.k);
    this.legend(c, width, height, longest, bar, bar * big.k * to.scale, view.clearance > 0 ? " of play" : " of gap", p);
    c.restore();
  }

  /** Half of the smaller side of the view (m of the drawing). */
  #reach(width: number, height: number, play: number): number {
    const r = this.#big.radius + play;
    if (this.view.form === "journal") return 1.28 * r;
    if (this.view.clearance === 0) return reachOf(this.#big.radius, this.#big.k, this.#gap);
    const aspect = Math.max(width, height) / Math.min(width, height);
    const all = this.#length / 2 + r;
    // The whole slot where it fits, else the part round the pin.
    return Math.max(1.5 * r, Math.min(2.6 * r, (1.12 * all) / aspect));
  }

  get #length(): number {
    const m = this.view.middle;
    const [a, b] = [m[0], m[m.length - 1]];
    return a && b ? Math.hypot(b[0] - a[0], b[1] - a[1]) : 0;
  }

  #origin(centre: Pair, reach: number): Pair {
    const m = this.view.middle;
    if (this.view.form === "journal") return m[0] ?? [0, 0];
    const [a, b] = [m[0], m[m.length - 1]];
    if (this.view.clearance > 0 && this.#length / 2 + this.#big.radius < reach && a && b)
      return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    return this.view.clearance > 0 ? nearest(m, centre) : this.#surface(centre);
  }

  /** Point of the wall that is nearest to the pin. */
  #surface(centre: Pair): Pair {
    let [best, least]: [Pair, number] = [centre, Infinity];
    for (const { points } of this.view.walls) {
      const q = nearest(points, centre);
      const d = Math.hypot(q[0] - centre[0], q[1] - centre[1]);
      if (d < least) [best, least] = [q, d];
    }
    return best;
  }

  #material(
    c: Context,
    width: number,
    height: number,
    walls: { points: Pair[]; normals: Pair[] }[],
    depth: number,
    p: Colors,
  ): void {
    c.fillStyle = c.strokeStyle = p.wall;
    c.lineWidth = 1;
    if (this.view.form === "journal" && walls[0]) {
      // All that is not the bore belongs to the bearing.
      path(c, walls[0].points, true);
      c.rect(0, 0, width, height);
      c.fill("evenodd");
    } else {
      for (const w of walls) {
        if (this.#closed) path(c, w.points, true);
        else this.band(c, w.points, w.normals, depth);
        c.fill();
        c.stroke();
      }
    }
    c.strokeStyle = p.metalEdge;
    c.lineWidth = 1.75;
    for (const w of walls) {
      path(c, w.points);
      c.stroke();
    }
  }

  /** Where the centre can go without touching: the clearance circle, or the line of the slot. */
  #centreLine(c: Context, to: Paper, play: number, p: Colors): void {
    c.strokeStyle = p.faint;
    c.lineWidth = 1;
    if (this.view.form === "journal") {
      const [x, y] = to.px(this.view.middle[0]);
      c.setLineDash([4, 3]);
      circle(c, [x, y], play * to.scale);
      c.stroke();
      c.setLineDash([]);
      path(c, [
        [x - 5, y],
        [x + 5, y],
      ]);
      c.stroke();
      path(c, [
        [x, y - 5],
        [x, y + 5],
      ]);
      c.stroke();
    } else if (this.view.clearance > 0) {
      c.setLineDash([10, 3, 2, 3]);
      path(c, this.view.middle.map(to.px));
      c.stroke();
      c.setLineDash([]);
    }
  }

  #pin(c: Context, to: Paper, drawn: Pair, turn: number, p: Colors): void {
    const centre = to.px(drawn);
    const radius = this.#big.radius * to.scale;
    circle(c, centre, radius);
    this.metal(c, p);
    // A mark that turns with the pin.
    const [ux, uy] = to.dir([Math.cos(turn), Math.sin(turn)]);
    path(c, [
      [centre[0] + 0.72 * radius * ux, centre[1] + 0.72 * radius * uy],
      [centre[0] + 0.95 * radius * ux, centre[1] + 0.95 * radius * uy],
    ]);
    c.lineWidth = 2;
    c.stroke();
  }

  /** Says so when the pin is out of the picture. */
  #away(c: Context, width: number, height: number, to: Paper, drawn: Pair, centre: Pair, p: Colors): void {
    const [x, y] = to.px(drawn);
    const r = this.#big.radius * to.scale;
    if (x > -r && x < width + r && y > -r && y < height + r) return;
    const [dx, dy] = [x - width / 2, y - height / 2];
    const length = Math.hypot(dx, dy);
    arrow(
      c,
      [width / 2 + (dx / length) * 0.2 * width, height / 2 + (dy / length) * 0.2 * height],
      [(dx / length) * 34, (dy / length) * 34],
      p.soft,
      p.panel,
      2.5,
    );
    const away = this.view.clearance > 0 ? -this.#big.gap(centre) : this.#big.gap(centre);
    text(c, `pin ${quantity(away, "m")} away`, [width / 2, 22], p.soft, p.panel, 13, "center");
  }
}

const closed = (line: Pair[]): boolean => {
  const [a, b] = [line[0], line[line.length - 1]];
  return (
    line.length > 3 && Math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-6 * Math.hypot(a[0] - line[1][0], a[1] - line[1][1])
  );
};

/** An angle of a line, so that it is read from below. */
const upright = (a: number): number => (a > Math.PI / 2 ? a - Math.PI : a <= -Math.PI / 2 ? a + Math.PI : a);
