// A block in its guide, with the clearance enlarged.
import { circle, hatch, path, roundLength, text } from "./draw.ts";
import { quantity } from "./format.ts";
import { Base, type Context, type Lens, paper } from "./lens.ts";
import { type EnlargedBlock, enlargedBlock } from "./magnify.ts";
import { type At, type Touch, at } from "./motion.ts";
import { colors } from "./palette.ts";
import { lerp } from "./payload.ts";
import { drawTrace } from "./trace.ts";
import type { ContactView, Pair, RunData } from "./types.ts";

export class BlockLens extends Base implements Lens {
  #big: EnlargedBlock;
  #drawn: { x: Float64Array; y: Float64Array };

  constructor(run: RunData, view: ContactView, k: number) {
    super(run, view);
    this.#big = enlargedBlock(view, k);
    this.#drawn = { x: new Float64Array(this.px.length), y: new Float64Array(this.px.length) };
    for (let i = 0; i < this.px.length; i++)
      [this.#drawn.x[i], this.#drawn.y[i]] = this.#big.centre([this.px[i], this.py[i]]);
  }

  gap(when: At): number {
    return this.real(when, this.#big.gap(this.centre(when), lerp(this.turn, when)));
  }

  place(when: At): string {
    const axis = Math.atan2(this.#big.along[1], this.#big.along[0]);
    return quantity(Math.sin(lerp(this.turn, when) - axis), "rad", 3, true);
  }

  draw(c: Context, width: number, height: number, t: number, speed: number, trace: number, others: RunData[]): void {
    const p = colors();
    const big = this.#big;
    const when = at(this.run, t);
    const centre = this.centre(when);
    const turn = lerp(this.turn, when);
    const [x] = big.local(centre);
    const scale = Math.min(width / (1.5 * big.length), height / (2.5 * big.wall));
    const to = paper(width, height, [x, 0], scale, 0);
    const longest = 0.38 * Math.min(width, height);
    c.save();
    const wall = big.wall * scale;
    const middle = height / 2;
    for (const side of [-1, 1]) {
      const edge = middle - side * wall;
      c.fillStyle = p.wall;
      c.fillRect(0, side > 0 ? 0 : edge, width, side > 0 ? edge : height - edge);
      // Strokes that stay with the guide show that the block slides.
      const shift = (((x * scale) % 24) + 24) % 24;
      hatch(c, [-shift - 24, edge], [width + 24, edge], [0, -side], p.ground, 24, 10);
      path(c, [
        [0, edge],
        [width, edge],
      ]);
      c.strokeStyle = p.metalEdge;
      c.lineWidth = 1.75;
      c.stroke();
    }
    c.setLineDash([10, 3, 2, 3]);
    path(c, [
      [0, middle],
      [width, middle],
    ]);
    c.strokeStyle = p.edge;
    c.lineWidth = 1;
    c.stroke();
    c.setLineDash([]);
    const corners = big.corners(centre, turn).map(to.px);
    path(c, corners, true);
    this.metal(c, p);
    c.save();
    c.clip();
    c.fillStyle = p.impact;
    c.globalAlpha = 0.75;
    c.fillRect(0, 0, width, middle - wall);
    c.fillRect(0, middle + wall, width, height);
    c.restore();
    this.ghosts(others, t, (q, angle, color) => {
      const off = x - big.local(q)[0];
      path(
        c,
        big.corners(q, angle).map(([u, v]) => to.px([u + off, v])),
        true,
      );
      c.strokeStyle = color;
      c.lineWidth = 1.5;
      c.stroke();
    });
    drawTrace(c, this.run, this.view.joint, this.#drawn, t, trace, to.px, p);
    circle(c, to.px(big.centre(centre)), 3);
    c.fillStyle = p.ink;
    c.fill();
    const across = (v: Pair): Pair => [
      v[0] * big.along[0] + v[1] * big.along[1],
      -v[0] * big.along[1] + v[1] * big.along[0],
    ];
    const mark = (touch: Touch, then: At): void => {
      const [u, v] = big.surface(touch.point);
      // An echo goes along with the block.
      this.touch(
        c,
        to,
        [u + x - big.local(this.centre(then))[0], v],
        across(touch.normal),
        across(touch.force),
        longest,
        p,
      );
    };
    this.echo(c, t, speed, mark);
    for (const touch of this.touches(when)) mark(touch, when);
    const bar = roundLength((0.3 * height) / scale / big.k);
    const pixels = bar * big.k * scale;
    path(c, [
      [18, middle - pixels / 2],
      [14, middle - pixels / 2],
      [14, middle + pixels / 2],
      [18, middle + pixels / 2],
    ]);
    c.strokeStyle = p.soft;
    c.lineWidth = 1.25;
    c.stroke();
    text(c, quantity(bar, "m"), [21, middle], p.soft, p.panel, 11);
    const along = roundLength((0.3 * width) / scale);
    this.legend(c, width, height, longest, along, along * scale, "", p);
    c.restore();
  }
}
