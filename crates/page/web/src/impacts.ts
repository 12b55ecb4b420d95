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
    title: "Number of the impact in the order of time",
    value: ({ index }) => index + 1,
  },
  { id: "joint", name: "joint", unit: "", title: "Joint or contact", value: ({ impact }) => impact.joint },
  { id: "region", name: "place", unit: "", title: "Part of the wall", value: ({ impact }) => impact.region },
  { id: "start", name: "start", unit: "s", title: "Time of the first touch", value: ({ impact }) => impact.start },
  {
    id: "impact_speed",
    name: "speed",
    unit: "m/s",
    title: "Speed of approach at the first touch",
    value: ({ impact }) => impact.impact_speed,
  },
  {
    id: "max_force",
    name: "peak force",
    unit: "N",
    title: "Greatest normal force",
    value: ({ impact }) => impact.max_force,
  },
  {
    id: "max_indentation",
    name: "indentation",
    unit: "m",
    title: "Greatest indentation",
    value: ({ impact }) => impact.max_indentation,
  },
  {
    id: "duration",
    name: "duration",
    unit: "s",
    title: "From touch to separation",
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
    title: "Speed of separation over speed of approach",
    value: ({ impact }) => impact.restitution,
  },
  {
    id: "free_restitution",
    name: "e free",
    unit: "",
    title: "What an impact at this speed returns where no other force acts",
    value: ({ impact }) => impact.free_restitution,
  },
  {
    id: "loss_normal",
    name: "loss",
    unit: "J",
    title: "Energy lost along the normal",
    value: ({ impact }) => impact.loss_normal,
  },
  {
    id: "loss_friction",
    name: "friction loss",
    unit: "J",
    title: "Energy lost in sliding",
    value: ({ impact }) => impact.loss_friction,
  },
  {
    id: "out_of_domain",
    name: "outside domain",
    unit: "%",
    title: "Share of the contact outside the domain of its law",
    value: ({ impact }) => 100 * impact.out_of_domain,
  },
  {
    id: "mode",
    name: "mode",
    unit: "",
    title: "Impact, or contact that lasts",
    value: ({ impact }) =>
      impact.open ? "still open" : impact.mode === "continuous-contact" ? "contact" : impact.mode.replace("-", " "),
  },
];

/** Columns that say something, each with one unit for all its rows. */
export function layout(rows: Row[]): { column: ImpactColumn; factor: number; unit: string; numeric: boolean }[] {
  const optional = new Set(["joint", "region", "free_restitution", "loss_friction", "out_of_domain", "mode"]);
  return COLUMNS.filter((column) => {
    if (!optional.has(column.id)) return true;
    // Where every impact is as good as free, its column says nothing new.
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
      // The middle one, so that most rows read well.
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
