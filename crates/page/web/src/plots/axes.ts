// Frame, ticks and captions of the plots that have a canvas of their own, in the look of the time plots.

import { number, scaleOf } from "../format.ts";
import { colors } from "../palette.ts";
import type { Pair } from "../types.ts";
import type { Pen } from "./svg.ts";
import { linearLabels, linearTicks, logLabels, logTicks, type Tick } from "./ticks.ts";

export const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
export const MARGIN = { left: 76, right: 14, top: 8, bottom: 46 };

export interface Axis {
  range: Pair;
  log: boolean;
  name: string;
  unit: string;
  /** Places with labels of their own, such as words. */
  ticks?: Tick[];
}
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function frameOf(width: number, height: number): Frame {
  return {
    left: MARGIN.left,
    top: MARGIN.top,
    width: Math.max(10, width - MARGIN.left - MARGIN.right),
    height: Math.max(10, height - MARGIN.top - MARGIN.bottom),
  };
}

/** Position along an axis as a fraction of its length. */
export function along({ range: [a, b], log }: Axis, value: number): number {
  return log ? Math.log(value / a) / Math.log(b / a) : (value - a) / (b - a);
}

export function valueOf({ range: [a, b], log }: Axis, share: number): number {
  return log ? a * (b / a) ** share : a + share * (b - a);
}

export function drawAxes(context: Pen, frame: Frame, x: Axis, y: Axis): void {
  const palette = colors();
  const { left, top, width, height } = frame;
  const [right, bottom] = [left + width, top + height];
  context.font = FONT;
  context.lineWidth = 1;
  const ticks = (axis: Axis, wanted: number) => {
    if (axis.ticks) {
      const seen = axis.ticks.filter(({ at }) => at >= axis.range[0] && at <= axis.range[1]);
      return { places: seen.map(({ at }) => at), labels: seen.map(({ label }) => label), unit: "" };
    }
    const scale = axisScale(Math.max(...axis.range.map(Math.abs)), axis.unit);
    const places = axis.log ? logTicks(...axis.range, wanted) : linearTicks(...axis.range, wanted);
    const unit = axis.log ? scaleOf(0, axis.unit).unit : scale.unit;
    return { places, labels: axis.log ? logLabels(places) : linearLabels(places, scale.factor), unit };
  };
  const xs = ticks(x, width / 80);
  const ys = ticks(y, height / 40);
  const pixel = (value: number) => Math.round(value) + 0.5;
  const lines = (stroke: string, draw: () => void) => {
    context.strokeStyle = stroke;
    context.beginPath();
    draw();
    context.stroke();
  };
  lines(palette.grid, () => {
    for (const place of xs.places) {
      const at = pixel(left + along(x, place) * width);
      context.moveTo(at, top);
      context.lineTo(at, bottom);
    }
    for (const place of ys.places) {
      const at = pixel(bottom - along(y, place) * height);
      context.moveTo(left, at);
      context.lineTo(right, at);
    }
  });
  lines(palette.rule, () => {
    context.moveTo(pixel(left), top);
    context.lineTo(pixel(left), pixel(bottom));
    context.lineTo(right, pixel(bottom));
  });
  context.fillStyle = palette.soft;
  context.textAlign = "center";
  context.textBaseline = "top";
  xs.places.forEach((place, i) => context.fillText(xs.labels[i], left + along(x, place) * width, bottom + 7));
  context.fillText(axisText(x.name, xs.unit), left + width / 2, bottom + 26);
  context.textAlign = "right";
  context.textBaseline = "middle";
  ys.places.forEach((place, i) => context.fillText(ys.labels[i], left - 8, bottom - along(y, place) * height));
  context.save();
  context.translate(12, top + height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(axisText(y.name, ys.unit), 0, 0);
  context.restore();
}

/** Unit of the labels; numbers whose unit is not known take a power of ten where they are long. */
export function axisScale(size: number, unit: string): { factor: number; unit: string } {
  if (unit !== "SI") return scaleOf(size, unit);
  if (!(size > 0) || (size >= 1e-3 && size < 1e6)) return { factor: 1, unit: "" };
  const factor = 10 ** (3 * Math.floor(Math.log10(size) / 3));
  return { factor, unit: `${number(factor).replace(/^1·(?=10)/, "")} SI` };
}

/** A name with its unit, as at an axis. */
export const axisText = (name: string, unit: string): string =>
  unit === "" || unit === "-" ? name : name === "" ? unit : `${name} (${unit})`;

/** Lays an element over the frame of a plot. */
export function cover(element: HTMLElement, frame: Frame): void {
  Object.assign(element.style, {
    left: `${frame.left}px`,
    top: `${frame.top}px`,
    width: `${frame.width}px`,
    height: `${frame.height}px`,
  });
}
