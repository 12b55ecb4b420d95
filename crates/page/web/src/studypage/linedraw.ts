// How lines, scatter and rules of a study are drawn.

import { colors, dash } from "../palette.ts";
import { along, type Frame } from "../plots/axes.ts";
import type { Pen } from "../plots/svg.ts";
import { type Axes, toPixel } from "../plots/xydraw.ts";
import type { Line, Rule } from "./lines.ts";

export function drawRules(context: CanvasRenderingContext2D, frame: Frame, axes: Axes, rules: Rule[]): void {
  const { soft, impact } = colors();
  rules.forEach(({ axis, at, label, strong }, i) => {
    const share = along(axes[axis], at);
    if (!(share >= 0 && share <= 1)) {
      if (strong && Number.isFinite(share)) drawOutside(context, frame, axis, share > 1, label);
      return;
    }
    context.strokeStyle = context.fillStyle = strong ? impact : soft;
    context.lineWidth = strong ? 1.8 : 1.1;
    context.setLineDash(strong ? [] : [5, 4]);
    context.beginPath();
    const [x, y] = [frame.left + share * frame.width, frame.top + (1 - share) * frame.height];
    if (axis === "x") {
      context.moveTo(x, frame.top);
      context.lineTo(x, frame.top + frame.height);
    } else {
      context.moveTo(frame.left, y);
      context.lineTo(frame.left + frame.width, y);
    }
    context.stroke();
    context.setLineDash([]);
    const right = axis === "x" && share > 0.8;
    context.textAlign = right ? "right" : "left";
    context.textBaseline = axis === "x" ? "top" : "bottom";
    // Labels of neighbours stand one below the other.
    const high = axis === "y" && share > 0.9;
    if (high) context.textBaseline = "top";
    const row = axis === "x" ? 3 + 14 * (i % 4) : high ? 3 : -2;
    context.fillText(
      label,
      axis === "x" ? x + (right ? -4 : 4) : frame.left + 4,
      axis === "x" ? frame.top + row : y + row,
    );
  });
}

/** A limit beyond the edge of the frame. */
function drawOutside(
  context: CanvasRenderingContext2D,
  { left, top, width, height }: Frame,
  axis: "x" | "y",
  beyond: boolean,
  label: string,
): void {
  context.fillStyle = colors().impact;
  context.textAlign = axis === "x" && beyond ? "right" : "left";
  context.textBaseline = axis === "y" && !beyond ? "bottom" : "top";
  const arrow = axis === "x" ? (beyond ? "→" : "←") : beyond ? "↑" : "↓";
  const text = axis === "x" && beyond ? `${label} ${arrow}` : `${arrow} ${label}`;
  context.fillText(
    text,
    axis === "x" && beyond ? left + width - 4 : left + 4,
    axis === "y" && !beyond ? top + height - 4 : top + 3,
  );
}

export function drawPath(context: CanvasRenderingContext2D, frame: Frame, axes: Axes, line: Line, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = 1.8;
  context.lineJoin = "round";
  context.setLineDash(dash(line.color));
  context.beginPath();
  let open = false;
  for (let i = 0; i < line.x.length; i++) {
    const [px, py] = toPixel(frame, axes, line.x[i], line.y[i]);
    if (!Number.isFinite(px + py)) open = false;
    else if (open) {
      if (line.style === "steps") context.lineTo(px, toPixel(frame, axes, line.x[i - 1], line.y[i - 1])[1]);
      context.lineTo(px, py);
    } else {
      context.moveTo(px, py);
      open = true;
    }
  }
  context.stroke();
  context.setLineDash([]);
}

export function drawSpread(
  context: CanvasRenderingContext2D,
  frame: Frame,
  axes: Axes,
  line: Line,
  color: string,
): void {
  const { x, low, high } = line;
  const at = (i: number, side: ArrayLike<number>) => toPixel(frame, axes, x[i], side[i]);
  if (line.spread === "band") {
    const known = Array.from(x, (_, i) => i).filter((i) => Number.isFinite(low![i] + high![i]));
    context.globalAlpha = 0.2;
    context.fillStyle = color;
    context.beginPath();
    for (const i of known) context.lineTo(...at(i, high!));
    for (const i of known.reverse()) context.lineTo(...at(i, low!));
    context.fill();
    context.globalAlpha = 1;
    return;
  }
  context.strokeStyle = color;
  context.lineWidth = 1.3;
  context.beginPath();
  for (let i = 0; i < x.length; i++) {
    const [[px, a], [, b]] = [at(i, low!), at(i, high!)];
    if (!Number.isFinite(px + a + b)) continue;
    context.moveTo(px, a);
    context.lineTo(px, b);
    for (const y of [a, b]) {
      context.moveTo(px - 4, y);
      context.lineTo(px + 4, y);
    }
  }
  context.stroke();
}

export function drawCross(context: Pen, x: number, y: number, size = 4): void {
  context.strokeStyle = colors().impact;
  context.lineWidth = 1.6;
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y + size);
  context.moveTo(x - size, y + size);
  context.lineTo(x + size, y - size);
  context.stroke();
}
