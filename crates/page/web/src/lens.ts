// Common parts of the magnifier drawings: contacts in the frame of the wall, echoes, scales, outlines of other runs.
import { arrow, circle, path, roundLength, scaleBar, text } from "./draw.ts";
import { quantity } from "./format.ts";
import { type At, type Touch, at, peakForce, poses, toBody, touches, turnedBack } from "./motion.ts";
import { type Colors, series } from "./palette.ts";
import { indexAt, lerp } from "./payload.ts";
import { recentImpact } from "./recent.ts";
import type { ContactView, Pair, RunData } from "./types.ts";

export type Context = CanvasRenderingContext2D;

export interface Lens {
  /** `others`: runs whose pin is outlined in their colour. */
  draw(c: Context, width: number, height: number, t: number, speed: number, trace: number, others: RunData[]): void;
  /** Gap between surfaces (m); negative: indentation; NaN: the pin is out of its slot. */
  gap(when: At): number;
  /** Where the pin is, in words. */
  place(when: At): string;
}

/** Pixels of a drawing whose middle is `origin` (m) and whose x axis is turned by `turn`. */
export interface Paper {
  scale: number;
  px: (p: Pair) => Pair;
  dir: (v: Pair) => Pair;
}

export function paper(width: number, height: number, origin: Pair, scale: number, turn: number): Paper {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const dir = ([x, y]: Pair): Pair => [c * x + s * y, -(-s * x + c * y)];
  return {
    scale,
    dir,
    px: ([x, y]) => {
      const [u, v] = dir([x - origin[0], y - origin[1]]);
      return [width / 2 + scale * u, height / 2 + scale * v];
    },
  };
}

export abstract class Base {
  protected run: RunData;
  protected view: ContactView;
  protected peak: number;
  protected px: Float64Array;
  protected py: Float64Array;
  protected turn: Float64Array;
  protected penetration: Float64Array | null;

  constructor(run: RunData, view: ContactView) {
    this.run = run;
    this.view = view;
    this.peak = peakForce(run);
    [this.px, this.py, this.turn] = [run.ref(view.px), run.ref(view.py), run.ref(view.turn)];
    this.penetration = run.channel(`${view.joint}.penetration`);
  }

  protected centre(when: At): Pair {
    return [lerp(this.px, when), lerp(this.py, when)];
  }

  /** Where the same joint of other runs has its pin: only where it has the same walls. */
  protected ghosts(others: RunData[], t: number, draw: (centre: Pair, turn: number, color: string) => void): void {
    for (const run of others) {
      const view = run.payload.scene.contacts.find((v) => v.joint === this.view.joint && v.form === this.view.form);
      if (
        !view ||
        Math.abs(view.clearance - this.view.clearance) > 1e-6 * this.view.clearance ||
        view.pin_radius !== this.view.pin_radius
      )
        continue;
      const when = at(run, t);
      draw(
        [lerp(run.ref(view.px), when), lerp(run.ref(view.py), when)],
        lerp(run.ref(view.turn), when),
        series(run.color),
      );
    }
  }

  /** Gap by geometry, indentation by the run; a pin past the walls that touches none is out of its slot. */
  protected real(when: At, gap: number): number {
    if (!this.penetration) return gap;
    const indentation = lerp(this.penetration, when);
    if (indentation > 0) return -indentation;
    return gap < -0.02 * this.view.clearance ? NaN : Math.max(0, gap);
  }

  /** Touches with force and normal in the frame of the wall's body. */
  protected touches(when: At): Touch[] {
    const wall = poses(this.run, when)[this.view.wall_body];
    return touches(this.run, this.view, when).map((t) => ({
      ...t,
      point: toBody(wall, t.point),
      force: turnedBack(wall, t.force),
      normal: turnedBack(wall, t.normal),
    }));
  }

  protected legend(
    c: Context,
    width: number,
    height: number,
    longest: number,
    real: number,
    pixels: number,
    note: string,
    p: Colors,
  ): void {
    const tight = width < 300;
    scaleBar(c, [12, height - 11], pixels, quantity(real, "m") + (tight ? "" : note), p.soft, p.wall);
    if (!(this.peak > 0)) return;
    const value = roundLength(this.peak);
    const length = (longest * value) / this.peak;
    const y = tight ? 14 : height - 12;
    arrow(c, [width - 12 - length, y], [length, 0], p.force, p.wall, 3);
    text(c, quantity(value, "N"), [width - 19 - length, y], p.soft, p.wall, 11, "right");
  }

  /** Contact point, normal, and force on the pin. */
  protected touch(c: Context, to: Paper, point: Pair, normal: Pair, force: Pair, longest: number, p: Colors): void {
    const spot = to.px(point);
    const [nx, ny] = to.dir(normal);
    path(c, [
      [spot[0] - 34 * nx, spot[1] - 34 * ny],
      [spot[0] + 34 * nx, spot[1] + 34 * ny],
    ]);
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

  /** The peak of an impact stays visible for a moment and fades. */
  protected echo(c: Context, t: number, speed: number, draw: (touch: Touch, at: At) => void): void {
    const recent = recentImpact(this.run, this.view.joint, t, 0.6 * speed);
    if (!recent || t <= recent.impact.end) return;
    const when = { i: indexAt(this.run.times, recent.impact.peak_time), s: 0 };
    c.globalAlpha = 0.65 * (1 - recent.age);
    for (const touch of this.touches(when)) draw(touch, when);
    c.globalAlpha = 1;
  }

  /** Fills the outline at hand as the metal of a pin or a block. */
  protected metal(c: Context, p: Colors): void {
    c.fillStyle = p.metal;
    c.globalAlpha = 0.8;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = p.metalEdge;
    c.lineWidth = 1.75;
    c.stroke();
  }

  /** Material behind a wall: a band with a firm edge. */
  protected band(c: Context, points: Pair[], normals: Pair[], depth: number): void {
    c.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    for (let i = points.length - 1; i >= 0; i--)
      c.lineTo(points[i][0] - depth * normals[i][0], points[i][1] - depth * normals[i][1]);
    c.closePath();
  }
}
