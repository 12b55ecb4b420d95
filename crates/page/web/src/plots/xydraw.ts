// How curves, points and clearances are drawn on the canvas of an x–y plot.

import { colors } from "../palette.ts";
import type { Pair } from "../types.ts";
import { along, type Axis, type Frame } from "./axes.ts";
import { decimate } from "./decimate.ts";
import type { Pen } from "./svg.ts";
import type { XySeries } from "./xydata.ts";

/** Segments in one stroke: long paths that cross themselves are slow. */
const CHUNK = 1500;

export interface Axes {
  x: Axis;
  y: Axis;
}

/** Same length per pixel on both axes. */
export function equalise(axes: Axes, frame: Frame): void {
  const per = ({ range: [a, b] }: Axis, size: number) => (b - a) / size;
  const most = Math.max(per(axes.x, frame.width), per(axes.y, frame.height));
  const widen = (axis: Axis, size: number): Axis => {
    const middle = 0.5 * (axis.range[0] + axis.range[1]);
    return { ...axis, range: [middle - 0.5 * most * size, middle + 0.5 * most * size] };
  };
  axes.x = widen(axes.x, frame.width);
  axes.y = widen(axes.y, frame.height);
}

export function thin(entry: XySeries, axis: Axis, columns: number): { x: Float64Array; y: Float64Array } {
  if (!axis.log) return decimate(entry.x, entry.y, 0, entry.x.length, ...axis.range, columns);
  const logs = entry.x.map(Math.log);
  const made = decimate(logs, entry.y, 0, logs.length, Math.log(axis.range[0]), Math.log(axis.range[1]), columns);
  return { x: made.x.map(Math.exp), y: made.y };
}

export function clip(context: Pick<Pen, "beginPath" | "rect" | "clip">, { left, top, width, height }: Frame): void {
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
}

export function toPixel(frame: Frame, axes: Axes, x: number, y: number): Pair {
  return [frame.left + along(axes.x, x) * frame.width, frame.top + (1 - along(axes.y, y)) * frame.height];
}

export function drawLine(
  context: CanvasRenderingContext2D,
  { curve, x, y }: XySeries,
  frame: Frame,
  axes: Axes,
  width: number,
): void {
  context.strokeStyle = curve.color();
  context.lineWidth = width;
  context.lineJoin = "round";
  context.setLineDash(curve.dash);
  let [lastX, lastY, pieces] = [NaN, NaN, 0];
  context.beginPath();
  for (let i = 0; i < x.length; i++) {
    const [px, py] = toPixel(frame, axes, x[i], y[i]);
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      lastX = NaN;
      continue;
    }
    if (lastX !== lastX) context.moveTo(px, py);
    else {
      if (Math.abs(px - lastX) < 0.5 && Math.abs(py - lastY) < 0.5 && i + 1 < x.length) continue;
      context.lineTo(px, py);
      if (++pieces % CHUNK === 0) {
        context.stroke();
        context.beginPath();
        context.moveTo(px, py);
      }
    }
    [lastX, lastY] = [px, py];
  }
  context.stroke();
  context.setLineDash([]);
}

export function drawMarkers(
  context: CanvasRenderingContext2D,
  { curve, x, y }: XySeries,
  frame: Frame,
  axes: Axes,
): void {
  for (let i = 0; i < x.length; i++) {
    const [px, py] = toPixel(frame, axes, x[i], y[i]);
    if (Number.isFinite(px + py)) dot(context, px, py, 3.2, curve.color(), colors().panel || colors().paper);
  }
}

export function dot(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  fill: string,
  edge: string,
): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = edge;
  context.lineWidth = 1.2;
  context.stroke();
}

export function drawCircle(context: CanvasRenderingContext2D, frame: Frame, axes: Axes, radius: number): void {
  const [x, y] = toPixel(frame, axes, 0, 0);
  const pixels = (radius / (axes.x.range[1] - axes.x.range[0])) * frame.width;
  context.strokeStyle = colors().soft;
  context.lineWidth = 1.2;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.arc(x, y, pixels, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
}

export function drawSides(context: CanvasRenderingContext2D, frame: Frame, axes: Axes, clearance: number): void {
  context.strokeStyle = colors().soft;
  context.lineWidth = 1.2;
  context.setLineDash([5, 4]);
  context.beginPath();
  for (const side of [-clearance, clearance]) {
    const [, y] = toPixel(frame, axes, axes.x.range[0], side);
    context.moveTo(frame.left, y);
    context.lineTo(frame.left + frame.width, y);
  }
  context.stroke();
  context.setLineDash([]);
}
