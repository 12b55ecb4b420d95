// Draws the mechanism of one run at one instant.
import type { Camera } from "./camera.ts";
import { arcArrow, arrow, circle, cushion, hatch, hull, path, roundLength, scaleBar, spring, text } from "./draw.ts";
import { quantity } from "./format.ts";
import { nearest } from "./magnify.ts";
import { css, ramp, shareOf } from "./heat.ts";
import { capped, largest, peakOf, thinned, unit } from "./measure.ts";
import {
  type At,
  MODES,
  type Pose,
  at,
  modeAt,
  peakForce,
  poses,
  toBody,
  toWorld,
  totalForce,
  touches,
  turned,
} from "./motion.ts";
import { type Colors, colors } from "./palette.ts";
import { lerp } from "./payload.ts";
import { recentImpact } from "./recent.ts";
import type { BodyShape, ContactView, ForceView, JointView, Pair, Place, RunData, Scene } from "./types.ts";

type Context = CanvasRenderingContext2D;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Painter {
  #run: RunData;
  #scene: Scene;
  #camera: Camera;
  #peak: number;
  #peakLoad: number;
  /** Travel of each sliding joint along its guide (m), and half its height. */
  #travel = new Map<JointView, { from: number; to: number; half: number }>();
  #palette: Colors = colors();
  #poses: Pose[] = [];

  constructor(run: RunData, camera: Camera) {
    this.#run = run;
    this.#scene = run.payload.scene;
    this.#camera = camera;
    this.#peak = peakForce(run);
    this.#peakLoad = largest(
      run,
      this.#scene.forces.filter((f) => f.type === "load"),
    );
    for (const joint of this.#scene.joints)
      if (joint.type === "prismatic") this.#travel.set(joint, this.#measure(joint));
  }

  draw(
    c: Context,
    width: number,
    height: number,
    t: number,
    speed: number,
    show: { names: boolean; forces: boolean; watched: string | null },
  ): void {
    this.#palette = colors();
    const when = at(this.#run, t);
    this.#poses = poses(this.#run, when);
    const longest = 0.36 * Math.min(width, height);
    c.save();
    this.#grid(c, width, height);
    for (const joint of this.#scene.joints) if (joint.type === "prismatic") this.#guide(c, joint);
    // A pin and its link lie above the slot, an eye above the pin's body.
    const slots = this.#scene.contacts.filter((v) => v.form === "slot");
    const below = new Set(slots.map((v) => v.wall_body));
    for (const i of below) this.#body(c, i);
    for (const view of slots) this.#wall(c, view);
    for (const joint of this.#scene.joints) this.#ground(c, joint);
    for (const i of this.#scene.bodies.keys()) if (!below.has(i)) this.#body(c, i);
    for (const view of this.#scene.contacts) if (view.form !== "slot") this.#wall(c, view);
    for (const joint of this.#scene.joints) this.#joint(c, joint);
    for (const view of this.#scene.contacts) this.#pin(c, view);
    for (const force of this.#scene.forces) this.#force(c, force, when, longest);
    for (const driver of this.#scene.drivers) this.#driver(c, driver, when);
    if (show.forces) this.#jointForces(c, when, longest);
    if (show.watched !== null) this.#heat(c, when, show.watched);
    else for (const view of this.#scene.contacts) this.#contact(c, view, when, t, speed, longest);
    if (show.names) this.#names(c);
    this.#legend(c, width, height, longest, show.watched !== null);
    c.restore();
  }

  #at(place: Place): Pair {
    return this.#camera.px(toWorld(this.#poses[place.body], place.at));
  }
  /** Width of a link in pixels. */
  get #thick(): number {
    return Math.max(7, 0.045 * this.#scene.size * this.#camera.scale);
  }

  #grid(c: Context, width: number, height: number): void {
    const step = roundLength(90 / this.#camera.scale);
    const [x0, y0] = this.#camera.world([0, height]);
    const [x1, y1] = this.#camera.world([width, 0]);
    c.strokeStyle = this.#palette.grid;
    c.lineWidth = 1;
    c.beginPath();
    for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) {
      const px = Math.round(this.#camera.px([x, 0])[0]) + 0.5;
      c.moveTo(px, 0);
      c.lineTo(px, height);
    }
    for (let y = Math.ceil(y0 / step) * step; y <= y1; y += step) {
      const py = Math.round(this.#camera.px([0, y])[1]) + 0.5;
      c.moveTo(0, py);
      c.lineTo(width, py);
    }
    c.stroke();
  }

  #body(c: Context, i: number): void {
    const body = this.#scene.bodies[i];
    for (const shape of body.shapes) this.#shape(c, shape, this.#poses[i], body.fixed);
  }

  #shape(c: Context, shape: BodyShape, pose: Pose, fixed: boolean): void {
    const p = this.#palette;
    const fill = fixed ? p.ground : p.metal;
    c.lineJoin = c.lineCap = "round";
    if (shape.type === "link") {
      const world = shape.points.map((q) => toWorld(pose, q));
      const points = (shape.points.length > 2 ? hull(world) : world).map((q) => this.#camera.px(q));
      for (const [style, extra] of [
        [p.metalEdge, 2.5],
        [fill, 0],
      ] as [string, number][]) {
        path(c, points, points.length > 2);
        c.strokeStyle = c.fillStyle = style;
        c.lineWidth = this.#thick + extra;
        c.stroke();
        if (points.length > 2) c.fill();
      }
    } else if (shape.type === "block") {
      const [dx, dy] = unit(shape.direction);
      const [l, m] = [shape.length / 2, shape.height / 2];
      const corner = (i: number, j: number): Pair =>
        this.#camera.px(
          toWorld(pose, [shape.centre[0] + i * l * dx - j * m * dy, shape.centre[1] + i * l * dy + j * m * dx]),
        );
      path(c, [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], true);
      this.#solid(c, fill);
    } else {
      circle(c, this.#camera.px(toWorld(pose, shape.centre)), shape.radius * this.#camera.scale);
      this.#solid(c, fill);
    }
  }

  #solid(c: Context, fill: string): void {
    c.fillStyle = fill;
    c.fill();
    c.strokeStyle = this.#palette.metalEdge;
    c.lineWidth = 1.25;
    c.stroke();
  }

  /** Material round a bore or slot, then the hole. */
  #wall(c: Context, view: ContactView): void {
    if (view.form !== "journal" && view.form !== "slot") return this.#plainWall(c, view);
    const p = this.#palette;
    const pose = this.#poses[view.wall_body];
    const fill = this.#scene.bodies[view.wall_body].fixed ? p.ground : p.metal;
    const middle = thinned(view.middle, 48).map((q) => this.#camera.px(toWorld(pose, q)));
    const hole = 2 * (view.pin_radius + view.clearance) * this.#camera.scale;
    c.lineCap = c.lineJoin = "round";
    const around = Math.max(hole * 1.7, hole + 6);
    for (const [style, width] of [
      [p.metalEdge, around + 2.5],
      [fill, around],
      [p.metalEdge, hole + 2],
      [p.panel, hole],
    ] as [string, number][]) {
      c.strokeStyle = c.fillStyle = style;
      c.lineWidth = width;
      if (middle.length > 1) {
        path(c, middle);
        c.stroke();
      } else {
        circle(c, middle[0], width / 2);
        c.fill();
      }
    }
  }

  #plainWall(c: Context, view: ContactView): void {
    if (view.form === "block") return;
    const pose = this.#poses[view.wall_body];
    for (const wall of view.walls) {
      path(
        c,
        wall.points.map((q) => this.#camera.px(toWorld(pose, q))),
      );
      c.strokeStyle = this.#palette.metalEdge;
      c.lineWidth = 1.5;
      c.stroke();
    }
  }

  #pin(c: Context, view: ContactView): void {
    if (view.form === "block" || view.pin_radius === 0) return;
    const centre = this.#camera.px(toWorld(this.#poses[view.pin_body], view.pin));
    const radius = view.pin_radius * this.#camera.scale;
    if (view.form === "external") return;
    circle(c, centre, radius);
    c.fillStyle = this.#palette.metalEdge;
    c.fill();
    if (radius > 4) {
      circle(c, centre, Math.min(2, radius / 4));
      c.fillStyle = this.#palette.panel;
      c.fill();
    }
  }

  /** Support under a joint to the ground. */
  #ground(c: Context, joint: JointView): void {
    if (joint.type !== "revolute" && joint.type !== "rod") return;
    const place = [joint.a, joint.b].find((q) => this.#scene.bodies[q.body].fixed);
    if (!place) return;
    const [x, y] = this.#at(place);
    const s = Math.max(11, 0.9 * this.#thick);
    path(
      c,
      [
        [x, y],
        [x - s, y + 1.5 * s],
        [x + s, y + 1.5 * s],
      ],
      true,
    );
    this.#solid(c, this.#palette.wall);
    path(c, [
      [x - 1.5 * s, y + 1.5 * s],
      [x + 1.5 * s, y + 1.5 * s],
    ]);
    c.stroke();
    hatch(c, [x - 1.5 * s, y + 1.5 * s], [x + 1.5 * s, y + 1.5 * s], [0, 1], this.#palette.ground, 6, 6);
  }

  #joint(c: Context, joint: JointView): void {
    if (joint.type === "rod") {
      path(c, [this.#at(joint.a), this.#at(joint.b)]);
      c.strokeStyle = this.#palette.metalEdge;
      c.lineWidth = 2;
      c.stroke();
    }
    if (joint.kind === "clearance" || (joint.type !== "revolute" && joint.type !== "rod")) return;
    for (const place of joint.type === "rod" ? [joint.a, joint.b] : [joint.a]) {
      circle(c, this.#at(place), Math.max(3.5, 0.3 * this.#thick));
      this.#solid(c, this.#palette.panel);
    }
  }

  #measure(joint: JointView): { from: number; to: number; half: number } {
    const { bodies } = this.#scene;
    const block = bodies[joint.b.body].shapes.find((s) => s.type === "block");
    const half = block?.type === "block" ? block.height / 2 : 0.03 * this.#scene.size;
    const reach = block?.type === "block" ? block.length / 2 : 0.05 * this.#scene.size;
    const [dx, dy] = unit(joint.a.direction);
    let [from, to] = [Infinity, -Infinity];
    const moving = bodies[joint.b.body];
    if (bodies[joint.a.body].fixed && moving.x.n > 0) {
      const [xs, ys] = [this.#run.ref(moving.x), this.#run.ref(moving.y)];
      for (let i = 0; i < xs.length; i++) {
        const s = (xs[i] - joint.a.at[0]) * dx + (ys[i] - joint.a.at[1]) * dy;
        if (s < from) from = s;
        if (s > to) to = s;
      }
    } else {
      [from, to] = [-2 * reach, 2 * reach];
    }
    return { from: from - 1.4 * reach, to: to + 1.4 * reach, half };
  }

  /** Two rails along a guide. */
  #guide(c: Context, joint: JointView): void {
    const { from, to, half } = this.#travel.get(joint)!;
    const pose = this.#poses[joint.a.body];
    const d = unit(joint.a.direction);
    const rail = (s: number, side: number): Pair =>
      this.#camera.px(
        toWorld(pose, [joint.a.at[0] + s * d[0] - side * half * d[1], joint.a.at[1] + s * d[1] + side * half * d[0]]),
      );
    const [nx, ny] = turned(pose, [-d[1], d[0]]);
    for (const side of [-1, 1]) {
      const [a, b] = [rail(from, side), rail(to, side)];
      const off = 2.5;
      const out: Pair = [side * nx, -side * ny];
      const [a2, b2]: Pair[] = [
        [a[0] + off * out[0], a[1] + off * out[1]],
        [b[0] + off * out[0], b[1] + off * out[1]],
      ];
      hatch(c, a2, b2, out, this.#palette.ground, 8, 6);
      path(c, [a2, b2]);
      c.strokeStyle = this.#palette.metalEdge;
      c.lineWidth = 1.25;
      c.stroke();
    }
  }

  #force(c: Context, force: ForceView, when: At, longest: number): void {
    switch (force.type) {
      case "spring":
        if (force.a && force.b)
          spring(c, this.#at(force.a), this.#at(force.b), this.#palette.load, Math.max(5, 0.35 * this.#thick));
        return;
      case "bushing":
        return this.#bushing(c, force);
      case "load":
        return this.#load(c, force, when, longest);
      case "torque":
      case "torsion-spring":
        return this.#moment(c, force, when);
      default:
        force.type satisfies never;
    }
  }

  #bushing(c: Context, force: ForceView): void {
    // That of a joint is drawn as the joint.
    if (!force.a || !force.b || this.#scene.joints.some((joint) => joint.name === force.name)) return;
    const [x, y] = turned(this.#poses[force.a.body], unit(force.a.direction));
    const half = Math.max(8, 0.5 * this.#thick);
    cushion(c, this.#at(force.a), this.#at(force.b), [x, -y], this.#palette.load, this.#palette.panel, half);
  }

  #load(c: Context, force: ForceView, when: At, longest: number): void {
    if (!force.b || !force.fx || !force.fy || !(this.#peakLoad > 0)) return;
    const k = (0.5 * longest) / this.#peakLoad;
    const [fx, fy] = [lerp(this.#run.ref(force.fx), when), lerp(this.#run.ref(force.fy), when)];
    arrow(c, this.#at(force.b), [k * fx, -k * fy], this.#palette.load, this.#palette.panel, 2.5);
  }

  #moment(c: Context, force: ForceView, when: At): void {
    if (!force.b || !force.moment) return;
    const values = this.#run.ref(force.moment);
    const now = lerp(values, when);
    const most = peakOf(values);
    const sweep = most > 0 ? (1.6 * Math.PI * now) / most : 0;
    if (Math.abs(sweep) > 0.08)
      arcArrow(c, this.#at(force.b), 1.6 * this.#thick + 4, 0.3, 0.3 + sweep, this.#palette.load);
  }

  #driver(c: Context, driver: Scene["drivers"][number], when: At): void {
    if (!driver.a || driver.kind !== "angle") return;
    const joint = this.#scene.joints.find(
      (j) => j.a.body === driver.a!.body && j.a.at[0] === driver.a!.at[0] && j.a.at[1] === driver.a!.at[1],
    );
    const angle = joint ? this.#run.ref(this.#scene.bodies[joint.b.body].angle) : null;
    const i = Math.min(when.i + 1, (angle?.length ?? 1) - 1);
    const sense = angle && i > 0 && angle[i] < angle[i - 1] ? -1 : 1;
    const now = angle ? lerp(angle, when) : 0;
    arcArrow(c, this.#at(driver.a), 1.3 * this.#thick + 8, now + 0.6 * sense, now + 2.4 * sense, this.#palette.accent);
  }

  #jointForces(c: Context, when: At, longest: number): void {
    for (const joint of this.#scene.joints) {
      if (!joint.fx || !joint.fy || joint.kind === "clearance") continue;
      const k = this.#peak > 0 ? longest / this.#peak : 0;
      const force: Pair = [k * lerp(this.#run.ref(joint.fx), when), -k * lerp(this.#run.ref(joint.fy), when)];
      arrow(c, this.#at(joint.b), capped(force, longest), this.#palette.soft, this.#palette.panel, 2);
    }
  }

  /** Ring that says the mode, force arrows, and a short echo of the last impact. */
  #contact(c: Context, view: ContactView, when: At, t: number, speed: number, longest: number): void {
    const p = this.#palette;
    const centre = this.#camera.px(this.#focus(view));
    const mode = modeAt(this.#run, view.joint, t) ?? "free-flight";
    const away = this.#away(view, when);
    if (away) {
      const middle = view.middle[view.middle.length >> 1] ?? [0, 0];
      const [x, y] = this.#camera.px(toWorld(this.#poses[view.wall_body], middle));
      return text(c, view.joint, [x, y], p.soft, p.panel, 12, "center", true);
    }
    const outer = view.form === "external" || view.form === "stop";
    const reach = outer
      ? 0
      : view.block
        ? Math.hypot(view.block.length, view.block.height) / 2
        : 1.75 * (view.pin_radius + view.clearance);
    const radius = Math.max(12, reach * this.#camera.scale) + 3;
    const echo = recentImpact(this.#run, view.joint, t, 0.5 * speed);
    c.lineCap = "butt";
    if (echo && !still.matches) {
      circle(c, centre, radius + 14 * echo.age);
      c.globalAlpha = 0.8 * (1 - echo.age) * (0.3 + 0.7 * Math.sqrt(echo.impact.max_force / (this.#peak || 1)));
      c.strokeStyle = p.impact;
      c.lineWidth = 3;
      c.stroke();
      c.globalAlpha = 1;
    }
    circle(c, centre, radius);
    c.strokeStyle = p[MODES[mode].css];
    c.lineWidth = mode === "free-flight" ? 1.5 : mode === "impact" ? 3.5 : 2.25;
    c.setLineDash(mode === "free-flight" ? [3, 4] : []);
    c.stroke();
    c.setLineDash([]);
    for (const touch of touches(this.#run, view, when)) {
      const k = this.#peak > 0 ? longest / this.#peak : 0;
      arrow(c, this.#camera.px(touch.point), [k * touch.force[0], -k * touch.force[1]], p.force, p.panel, 3);
    }
    text(
      c,
      view.joint,
      [centre[0] + 0.72 * radius + 5, centre[1] - 0.72 * radius - 7],
      p.ink,
      p.panel,
      12,
      "left",
      true,
    );
  }

  /** Many contacts: each a disc in the colour of its force, the one that is looked at with a ring and its name. */
  #heat(c: Context, when: At, watched: string): void {
    const p = this.#palette;
    for (const view of this.#scene.contacts) {
      const centre = this.#camera.px(this.#focus(view));
      const share = shareOf(totalForce(touches(this.#run, view, when)), this.#peak);
      const radius = Math.min(9, Math.max(2.5, 0.42 * this.#thick));
      const color = css(ramp(p.heat, share));
      if (share > 0) {
        circle(c, centre, radius * (1.5 + share));
        c.globalAlpha = 0.25;
        c.fillStyle = color;
        c.fill();
        c.globalAlpha = 1;
      }
      circle(c, centre, radius);
      c.fillStyle = share > 0 ? color : p.panel;
      c.fill();
      c.strokeStyle = p.metalEdge;
      c.lineWidth = 1;
      c.stroke();
      if (view.joint !== watched) continue;
      circle(c, centre, radius + 5);
      c.strokeStyle = p.accent;
      c.lineWidth = 2;
      c.stroke();
      text(c, view.joint, [centre[0] + radius + 8, centre[1] - radius - 8], p.ink, p.panel, 12, "left", true);
    }
  }

  /** Where to look: the pin, or the surface that it may meet. */
  #focus(view: ContactView): Pair {
    const pin = toWorld(this.#poses[view.pin_body], view.pin);
    if (view.form !== "external" && view.form !== "stop") return pin;
    const wall = this.#poses[view.wall_body];
    let [best, least]: [Pair, number] = [pin, Infinity];
    for (const { points } of view.walls) {
      const q = toWorld(wall, nearest(points, toBody(wall, pin)));
      const d = Math.hypot(q[0] - pin[0], q[1] - pin[1]);
      if (d < least) [best, least] = [q, d];
    }
    return best;
  }

  /** A pin that has left its slot. */
  #away(view: ContactView, when: At): boolean {
    if (view.form !== "slot") return false;
    const p: Pair = [lerp(this.#run.ref(view.px), when), lerp(this.#run.ref(view.py), when)];
    const q = nearest(view.middle, p);
    return Math.hypot(p[0] - q[0], p[1] - q[1]) > view.clearance + 0.5 * view.pin_radius;
  }

  #names(c: Context): void {
    for (const [i, body] of this.#scene.bodies.entries()) {
      if (body.x.n === 0) continue;
      const points = body.shapes.flatMap((s) => (s.type === "link" ? s.points : [s.centre]));
      if (points.length === 0) continue;
      const middle: Pair = [
        points.reduce((s, q) => s + q[0], 0) / points.length,
        points.reduce((s, q) => s + q[1], 0) / points.length,
      ];
      const [x, y] = this.#camera.px(toWorld(this.#poses[i], middle));
      text(c, body.name, [x, y + this.#thick / 2 + 12], this.#palette.soft, this.#palette.panel, 11.5, "center");
    }
    for (const joint of this.#scene.joints) {
      if (joint.kind === "clearance") continue;
      const [x, y] = this.#at(joint.a);
      text(
        c,
        joint.name,
        [x + 0.5 * this.#thick + 5, y - 0.5 * this.#thick - 5],
        this.#palette.soft,
        this.#palette.panel,
        11,
      );
    }
  }

  #legend(c: Context, width: number, height: number, longest: number, many: boolean): void {
    const p = this.#palette;
    const bar = roundLength(110 / this.#camera.scale);
    scaleBar(c, [14, height - 12], bar * this.#camera.scale, quantity(bar, "m"), p.soft, p.panel);
    if (this.#peak > 0 && !many) {
      const value = roundLength(this.#peak);
      const length = (longest * value) / this.#peak;
      arrow(c, [width - 14 - length, height - 13], [length, 0], p.force, p.panel, 3);
      text(c, quantity(value, "N"), [width - 21 - length, height - 13], p.soft, p.panel, 11, "right");
    }
    const [gx, gy] = this.#scene.gravity;
    const g = Math.hypot(gx, gy);
    if (g > 0) {
      arrow(c, [width - 20, 14], [(22 * gx) / g, (-22 * gy) / g], p.faint, p.panel, 1.5);
      text(c, "g", [width - 34, 22], p.faint, p.panel, 12);
    }
  }
}
