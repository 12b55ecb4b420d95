// Recorded against new numbers.

import { chooser, compareRows, jointColumn } from "./compare.ts";
import { h } from "./dom.ts";
import { shownIn } from "./joints.ts";
import type { Store } from "./store.ts";
import type { RunData } from "./types.ts";

const MINUS = "\u2212";

/** +12 %, −3 %, ×4. */
export function ratio(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0 || !Number.isFinite(after / before)) return "";
  if (before === after) return "=";
  const share = after / before - 1;
  if (Math.abs(share) < 5e-5) return "≈";
  if (share >= 1) return `×${(after / before).toPrecision(2)}`;
  const percent = Math.abs(100 * share);
  return `${share < 0 ? MINUS : "+"}${percent < 0.1 ? percent.toFixed(2) : percent.toFixed(percent < 10 ? 1 : 0)}\u00a0%`;
}

export function numbersTable(base: RunData, now: RunData, store: Store): HTMLElement {
  const before = compareRows([base]);
  const after = new Map(compareRows([now]).map((row) => [row.joint, row]));
  const several = before.length > 1;
  const numbers = shownIn("what-if");
  const columns = numbers.map(jointColumn);
  const rows = before.flatMap((row) => {
    const other = after.get(row.joint);
    if (!other || row.joint === "") return [];
    return columns.map((column, i) => {
      const [a, b] = [column.value(row), column.value(other)] as (number | null)[];
      return h(
        "tr",
        { "data-testid": "number-row", "data-number": column.id, "data-joint": row.joint },
        several && (i === 0 ? h("th", { scope: "rowgroup", rowspan: columns.length }, row.joint) : null),
        h("th", { scope: "row", title: column.title }, column.name),
        h("td.num", { "data-value": a }, column.text(a)),
        h("td.num", { "data-value": b }, column.text(b)),
        h("td.num.quiet", {}, numbers[i].form === "share" ? "" : ratio(a, b)),
      );
    });
  });
  return h(
    "table.numbers",
    { "data-testid": "numbers" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        several && h("th", { scope: "col" }, "joint"),
        h("th", { scope: "col" }, ""),
        h("th.num", { scope: "col" }, chooser(base, store)),
        h("th.num", { scope: "col" }, chooser(now, store)),
        h("th.num", { scope: "col" }, "change"),
      ),
    ),
    h("tbody", {}, ...rows),
  );
}
