// Data as comma-separated values (RFC 4180): header `name [unit]`, full precision.

export interface Column {
  name: string;
  unit: string;
  values: ArrayLike<number | string>;
}

/** Numbers as short as they read back to the same bits; an empty field stands for no value. */
export function number(value: number): string {
  return Number.isFinite(value) ? String(value) : "";
}

const cell = (value: number | string): string => (typeof value === "string" ? field(value) : number(value));

export function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function heading(name: string, unit: string): string {
  return field(unit === "" || unit === "-" ? `${name} [-]` : `${name} [${unit}]`);
}

/** Columns side by side; shorter ones end in empty fields. */
export function csv(columns: Column[], from = 0, to = Infinity): string {
  const longest = Math.max(0, ...columns.map((column) => column.values.length));
  const lines = [columns.map((column) => heading(column.name, column.unit)).join(",")];
  for (let i = from; i < Math.min(to, longest); i++) {
    lines.push(columns.map(({ values }) => (i < values.length ? cell(values[i]) : "")).join(","));
  }
  return lines.join("\n") + "\n";
}
