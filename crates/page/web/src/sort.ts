// Order of rows by one of their fields.

export type Field = number | string | boolean | null;

/** Places of the rows in order; equal rows keep theirs, rows without a value come last either way. */
export function order<T>(rows: readonly T[], key: (row: T) => Field, descending: boolean): number[] {
  const keys = rows.map(key);
  const missing = (value: Field) => value === null || (typeof value === "number" && Number.isNaN(value));
  const sign = descending ? -1 : 1;
  return rows
    .map((_, i) => i)
    .sort((i, j) => {
      const a = keys[i];
      const b = keys[j];
      if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b)) || i - j;
      return sign * compare(a, b) || i - j;
    });
}

function compare(a: Field, b: Field): number {
  if (typeof a === "string" && typeof b === "string") return a.localeCompare(b, "en", { numeric: true });
  return Number(a) - Number(b);
}
