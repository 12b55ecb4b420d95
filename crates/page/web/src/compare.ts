// The runs side by side: the results of each law for each joint, and what it costs.

import "./tables.css";
import { h } from "./dom.ts";
import { keepingFocus } from "./focus.ts";
import { number, quantity } from "./format.ts";
import type { JointNumber } from "./generated.ts";
import { shownIn, written } from "./joints.ts";
import { colors, dash, runColor } from "./palette.ts";
import { order, type Field } from "./sort.ts";
import type { Store } from "./store.ts";
import type { RunData } from "./types.ts";

export interface CompareRow {
  run: RunData;
  joint: string;
}

interface CompareColumn {
  id: string;
  name: string;
  title: string;
  value: (row: CompareRow) => Field;
  text: (value: Field) => string;
}

const asNumber = (value: Field): number | null => (typeof value === "number" ? value : null);

/** A number of a joint as a column. */
export function jointColumn(it: JointNumber): CompareColumn {
  return {
    id: it.key,
    name: it.label,
    title: it.meaning,
    value: ({ run, joint }) => run.payload.summary.contacts[joint]?.[it.key] ?? null,
    text: (value) => written(it, asNumber(value)),
  };
}

export const COMPARED: CompareColumn[] = [
  ...shownIn("runs").map(jointColumn),
  {
    id: "residual",
    name: "residual",
    title: "Relative energy residual",
    value: ({ run }) => run.payload.summary.energy_residual,
    text: (value) => number(asNumber(value), 2),
  },
  {
    id: "cost",
    name: "cost",
    title: "Computing time",
    value: ({ run }) => run.payload.summary.wall_seconds,
    text: (value) => quantity(asNumber(value), "s"),
  },
  {
    id: "evaluations",
    name: "evaluations",
    title: "Evaluations of the equations of motion",
    value: ({ run }) => run.payload.summary.rhs_evaluations,
    text: (value) => number(asNumber(value)),
  },
];

export function compareRows(runs: RunData[]): CompareRow[] {
  return runs
    .filter((run) => run.role !== "ideal")
    .flatMap((run) => {
      const joints = Object.keys(run.payload.summary.contacts);
      return (joints.length ? joints : [""]).map((joint) => ({ run, joint }));
    });
}

export function swatch(run: RunData): HTMLElement {
  const ideal = run.role === "ideal";
  const holder = h("span.plot-swatch", { "aria-hidden": "true" });
  const pattern = ideal ? [5, 4] : dash(run.color);
  holder.innerHTML = `<svg width="20" height="8" viewBox="0 0 20 8"><line x1="0" y1="4" x2="20" y2="4" stroke="${ideal ? colors().soft : runColor(run)}" stroke-width="2.6" stroke-dasharray="${pattern.join(" ")}"/></svg>`;
  return holder;
}

/** Shows a run in the plots, and animates it. */
export function chooser(run: RunData, store: Store): HTMLElement {
  const box = h<HTMLInputElement>("input", {
    type: "checkbox",
    checked: run.visible,
    "aria-label": `Show ${run.label} in the plots`,
    "data-testid": `visible-${run.id}`,
    onchange: () => store.setVisible(run.id, box.checked),
  });
  return h(
    "span.run-name",
    {},
    box,
    swatch(run),
    h(
      "button.bare",
      {
        type: "button",
        "aria-pressed": String(run.id === store.state.primary),
        title: `Animate ${run.label}`,
        "data-testid": `animate-${run.id}`,
        onclick: () => store.setPrimary(run.id),
      },
      run.label,
    ),
  );
}

export function mountCompare(root: HTMLElement, store: Store): void {
  let sort: { id: string; descending: boolean } | null = null;
  root.hidden = true;
  // Where laws are compared, their table is the summary of the page.
  if (store.state.boot.kind === "compare") document.getElementById("bench")?.before(root);

  function draw(): void {
    const { runs, primary } = store.state;
    // One run and a what-if of it stand side by side in the what-if panel.
    const solid = runs.filter((run) => run.role !== "ideal");
    root.hidden = solid.length < (["compare", "study"].includes(store.state.boot.kind) ? 2 : 3);
    if (root.hidden) return root.replaceChildren();
    let rows = compareRows(runs);
    const by = COMPARED.find((column) => column.id === sort?.id);
    if (by && sort) rows = order(rows, by.value, sort.descending).map((i) => rows[i]);
    const joints = new Set(rows.map((row) => row.joint)).size > 1;
    const columns = COMPARED.filter(
      ({ id, value }) => id !== "out_of_domain" || rows.some((row) => value(row) !== null),
    );
    const head = h(
      "tr",
      {},
      h("th", { scope: "col" }, "run"),
      joints && h("th", { scope: "col" }, "joint"),
      ...columns.map((column) =>
        h(
          "th.num",
          {
            scope: "col",
            title: column.title,
            "aria-sort": sort?.id === column.id ? (sort.descending ? "descending" : "ascending") : "none",
          },
          h(
            "button.sort",
            {
              type: "button",
              "data-testid": `compare-sort-${column.id}`,
              onclick: () => {
                sort = { id: column.id, descending: sort?.id === column.id && !sort.descending };
                keepingFocus(root, draw);
              },
            },
            column.name,
          ),
        ),
      ),
    );
    const ideal = runs.find((run) => run.role === "ideal");
    const body = rows.map((row) =>
      h(
        "tr",
        {
          "data-testid": "compare-row",
          "data-run": row.run.id,
          "aria-current": row.run.id === primary ? "true" : null,
        },
        h("th", { scope: "row" }, chooser(row.run, store)),
        joints && h("td", {}, row.joint),
        ...columns.map((column) =>
          h("td.num", { "data-column": column.id, "data-value": column.value(row) }, column.text(column.value(row))),
        ),
      ),
    );
    if (ideal)
      body.push(
        h(
          "tr",
          { "data-run": ideal.id },
          h("th", { scope: "row" }, chooser(ideal, store)),
          h("td.quiet", { colspan: columns.length + Number(joints) }, "joints without clearance"),
        ),
      );
    root.replaceChildren(
      h(
        "div.panel",
        {},
        h(
          "div.bar",
          {},
          h("h2", {}, store.state.boot.kind === "compare" ? "Laws compared" : "Runs compared"),
          h("span.grow"),
          h("span.quiet", {}, "Tick a run to plot it; click its name to animate it."),
        ),
        h(
          "div.scroll",
          {},
          h("table.compare-table", { "data-testid": "compare-table" }, h("thead", {}, head), h("tbody", {}, ...body)),
        ),
      ),
    );
  }

  store.subscribe((_state, changed) => {
    if (changed.has("runs") || changed.has("primary") || changed.has("theme")) keepingFocus(root, draw);
  });
}
