// Columns of the impact table.

import { number, scaleOf } from "./format.ts";
import type { Field } from "./sort.ts";
import type { Impact } from "./types.ts";

export interface Row {
  impact: Impact;
  index: number;
}

export interface ImpactColumn {
  id: string;
  name: string;
  unit: string;
  title: string;
  value: (row: Row) => Field;
}

export const COLUMNS: ImpactColumn[] = [
  {
    id: "index",
    name: "#",
    unit: "",
    title: "Impact number, in time order",
    value: ({ index }) => index + 1,
  },
  { id: "joint", name: "joint", unit: "", title: "Joint or contact", value: ({ impact }) => impact.joint },
  { id: "region", name: "region", unit: "", title: "Region of the wall", value: ({ impact }) => impact.region },
  { id: "start", name: "start", unit: "s", title: "Time of first contact", value: ({ impact }) => impact.start },
  {
    id: "impact_speed",
    name: "speed",
    unit: "m/s",
    title: "Approach speed at first contact",
    value: ({ impact }) => impact.impact_speed,
  },
  {
    id: "max_force",
    name: "peak force",
    unit: "N",
    title: "Peak normal force",
    value: ({ impact }) => impact.max_force,
  },
  {
    id: "max_indentation",
    name: "indentation",
    unit: "m",
    title: "Maximum indentation",
    value: ({ impact }) => impact.max_indentation,
  },
  {
    id: "duration",
    name: "duration",
    unit: "s",
    title: "From first contact to separation",
    value: ({ impact }) => impact.duration,
  },
  {
    id: "impulse",
    name: "impulse",
    unit: "N s",
    title: "Impulse of the normal force",
    value: ({ impact }) => impact.impulse,
  },
  {
    id: "restitution",
    name: "e out",
    unit: "",
    title: "Separation speed divided by approach speed",
    value: ({ impact }) => impact.restitution,
  },
  {
    id: "free_restitution",
    name: "e free",
    unit: "",
    title: "Restitution of a free impact at the same speed",
    value: ({ impact }) => impact.free_restitution,
  },
  {
    id: "loss_normal",
    name: "loss",
    unit: "J",
    title: "Energy lost in normal direction",
    value: ({ impact }) => impact.loss_normal,
  },
  {
    id: "loss_friction",
    name: "friction loss",
    unit: "J",
    title: "Energy lost by friction",
    value: ({ impact }) => impact.loss_friction,
  },
  {
    id: "out_of_domain",
    name: "outside domain",
    unit: "%",
    title: "Fraction of contact time outside the law's domain",
    value: ({ impact }) => 100 * impact.out_of_domain,
  },
  {
    id: "mode",
    name: "mode",
    unit: "",
    title: "Impact or continuous contact",
    value: ({ impact }) =>
      impact.open ? "still open" : impact.mode === "continuous-contact" ? "contact" : impact.mode.replace("-", " "),
  },
];

/** Columns that carry information, each with one unit for all its rows. */
export function layout(rows: Row[]): { column: ImpactColumn; factor: number; unit: string; numeric: boolean }[] {
  const optional = new Set(["joint", "region", "free_restitution", "loss_friction", "out_of_domain", "mode"]);
  return COLUMNS.filter((column) => {
    if (!optional.has(column.id)) return true;
    // If every impact is practically free, its column adds nothing.
    if (column.id === "free_restitution")
      return rows.some(
        ({ impact: { restitution: e, free_restitution: free } }) =>
          e !== null && free !== null && Math.abs(e - free) > 0.005,
      );
    const values = new Set(rows.map(column.value));
    return column.id.startsWith("loss") || column.id.startsWith("out")
      ? [...values].some((v) => v !== 0)
      : values.size > 1;
  }).map((column) => {
    const numeric = rows.length === 0 || typeof (rows.map(column.value).find((v) => v !== null) ?? 0) === "number";
    let size = 0;
    if (numeric && column.unit) {
      const sizes = rows
        .map((row) => Math.abs(Number(column.value(row) ?? 0)))
        .filter((v) => v > 0)
        .sort((a, b) => a - b);
      // The median, so that most rows read well.
      size = column.id === "start" ? (sizes[sizes.length - 1] ?? 0) : (sizes[sizes.length >> 1] ?? 0);
    }
    return { column, numeric, ...(column.unit === "%" ? { factor: 1, unit: "%" } : scaleOf(size, column.unit)) };
  });
}

export function cell(row: Row, { column, factor }: { column: ImpactColumn; factor: number }): string {
  const value = column.value(row);
  if (typeof value !== "number" && value !== null) return String(value);
  if (value === null) return "–";
  if (column.id === "index") return String(value);
  return column.id === "start" ? (value / factor).toFixed(4) : number(value / factor, 3, true);
}
