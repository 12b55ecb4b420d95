// Impacts of the animated run: sorted by any column, linked to the cursor. Only visible rows are in the document.

import "./tables.css";
import { h } from "./dom.ts";
import { count } from "./format.ts";
import { cell, COLUMNS, layout, type Row } from "./impacts.ts";
import { csv } from "./plots/csv.ts";
import { fileName, save } from "./save.ts";
import { order } from "./sort.ts";
import type { Store } from "./store.ts";
import type { Payload } from "./types.ts";

const HEIGHT = 28;
const AHEAD = 8;

export function mountImpacts(root: HTMLElement, store: Store): void {
  let payload: Payload | null = null;
  let joint = "";
  let sort = { id: "start", descending: false };
  let rows: Row[] = [];
  let columns = layout([]);
  let drawnFrom = -1;
  let current = -1;
  let focused = 0;

  const title = h("h2", {}, "Impacts");
  const filter = h<HTMLSelectElement>("select", {
    "aria-label": "Joint",
    "data-testid": "impact-filter",
    onchange: () => {
      joint = filter.value;
      arrange();
    },
  });
  const zoom = h<HTMLButtonElement>(
    "button",
    {
      type: "button",
      "data-testid": "impact-zoom",
      title: "Show the selected impact in the time plots (Z)",
      onclick: () => zoomTo(store.state.selectedImpact),
    },
    "Zoom to impact",
  );
  const table = h("table.impact-table", { role: "grid", "aria-label": "Impacts" });
  const head = h("thead");
  const body = h("tbody", { "data-testid": "impact-rows" });
  table.append(head, body);
  const scroller = h("div.impact-scroll", { "data-testid": "impact-table", onscroll: () => draw() }, table);
  root.append(
    h(
      "div.panel",
      {},
      h(
        "div.bar",
        {},
        title,
        h("span.grow"),
        filter,
        zoom,
        h(
          "button.bare",
          {
            type: "button",
            "data-testid": "impact-csv",
            onclick: () => saveCsv(),
          },
          "Save CSV",
        ),
      ),
      scroller,
    ),
  );
  root.hidden = true;

  function take(): void {
    const next = store.primary?.payload ?? null;
    if (next === payload) return;
    payload = next;
    const joints = [...new Set(payload?.impacts.map((impact) => impact.joint) ?? [])];
    if (!joints.includes(joint)) joint = "";
    filter.replaceChildren(
      h("option", { value: "" }, "all joints"),
      ...joints.map((name) => h("option", { value: name, selected: name === joint }, name)),
    );
    filter.hidden = joints.length < 2;
    root.hidden = payload === null || payload.impacts.length === 0;
    arrange();
  }

  function arrange(): void {
    const all = (payload?.impacts ?? [])
      .map((impact, index) => ({ impact, index }))
      .filter(({ impact }) => joint === "" || impact.joint === joint);
    columns = layout(all);
    const by = COLUMNS.find((column) => column.id === sort.id)!;
    rows = order(all, by.value, sort.descending).map((i) => all[i]);
    title.textContent = count(rows.length, "impact");
    focused = Math.min(focused, Math.max(0, rows.length - 1));
    head.replaceChildren(
      h(
        "tr",
        {},
        ...columns.map(({ column, unit, numeric }) =>
          h(
            "th",
            {
              scope: "col",
              class: numeric ? "num" : null,
              title: column.title,
              "aria-sort": sort.id === column.id ? (sort.descending ? "descending" : "ascending") : "none",
            },
            h(
              "button.sort",
              { type: "button", "data-testid": `sort-${column.id}`, onclick: () => sortBy(column.id) },
              unit ? `${column.name} (${unit})` : column.name,
            ),
          ),
        ),
      ),
    );
    table.setAttribute("aria-rowcount", String(rows.length + 1));
    scroller.style.setProperty("--rows", String(Math.min(rows.length, 12)));
    drawnFrom = -1;
    current = last();
    draw(true);
  }

  function sortBy(id: string): void {
    sort = { id, descending: sort.id === id && !sort.descending };
    scroller.scrollTop = 0;
    arrange();
    head.querySelector<HTMLElement>(`[data-testid="sort-${id}"]`)?.focus();
  }

  function draw(force = false, all = 0): void {
    const seen = all || Math.ceil((scroller.clientHeight || 12 * HEIGHT) / HEIGHT);
    const from = all > 0 ? 0 : Math.max(0, Math.floor(scroller.scrollTop / HEIGHT) - AHEAD);
    if (!force && Math.abs(from - drawnFrom) < AHEAD / 2 && drawnFrom >= 0) return;
    drawnFrom = from;
    const to = Math.min(rows.length, from + seen + 2 * AHEAD);
    const hadFocus = body.contains(document.activeElement);
    const space = (n: number) =>
      h("tr.space", { "aria-hidden": "true", style: `height:${n * HEIGHT}px` }, h("td", { colspan: columns.length }));
    body.replaceChildren(
      space(from),
      ...rows.slice(from, to).map((row, i) => line(row, from + i)),
      space(all > 0 ? 0 : rows.length - to),
    );
    if (hadFocus) body.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true });
  }

  function line(row: Row, place: number): HTMLElement {
    const selected = row.index === store.state.selectedImpact;
    return h(
      "tr.impact-row",
      {
        tabindex: place === focused ? 0 : -1,
        "data-testid": "impact-row",
        "data-impact": row.index,
        "aria-rowindex": place + 2,
        "aria-selected": String(selected),
        "aria-current": place === current ? "time" : null,
        onclick: () => {
          focused = place;
          go(row);
        },
        ondblclick: () => zoomTo(row.index),
        onkeydown: (event) => key(event as KeyboardEvent, place),
      },
      ...columns.map((column) => h("td", { class: column.numeric ? "num" : null }, cell(row, column))),
    );
  }

  function key(event: KeyboardEvent, place: number): void {
    const moves: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -Infinity,
      End: Infinity,
    };
    if (event.key in moves) move(Math.min(rows.length - 1, Math.max(0, place + moves[event.key])));
    else if (event.key === "Enter") go(rows[place]);
    else if (event.key === "z" || event.key === "Z") zoomTo(rows[place].index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function move(place: number): void {
    focused = place;
    reveal(place);
    draw(true);
    body.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true });
  }

  function go({ impact, index }: Row): void {
    store.batch(() => {
      store.pause();
      store.selectImpact(index);
      store.setTime(impact.start);
    });
  }

  function zoomTo(index: number | null): void {
    const impact = index === null ? rows[current]?.impact : payload?.impacts[index];
    if (!impact || !payload) return;
    const air = Math.max(0.6 * impact.duration, 1e-9);
    store.batch(() => {
      store.setWindow(Math.max(payload!.span[0], impact.start - air), Math.min(payload!.span[1], impact.end + air));
      store.setTime(impact.start);
    });
  }

  function reveal(place: number): void {
    const room = scroller.clientHeight - head.offsetHeight;
    if (room <= 0) return;
    const [top, bottom] = [place * HEIGHT, (place + 1) * HEIGHT];
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + room) scroller.scrollTop = bottom - room;
  }

  /** Row of the last impact that has begun; −1 before the first. */
  function last(): number {
    const { t } = store.state;
    let best = -1;
    for (let i = 0; i < rows.length; i++) {
      if (rows[i].impact.start <= t && (best < 0 || rows[i].impact.start >= rows[best].impact.start)) best = i;
    }
    return best;
  }

  function follow(): void {
    const next = last();
    if (next === current) return;
    current = next;
    if (current >= 0 && !body.contains(document.activeElement) && !scroller.matches(":hover")) reveal(current);
    const from = drawnFrom;
    draw();
    // Either all rows were drawn anew, or only the mark moves.
    if (from === drawnFrom) {
      for (const row of body.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
      if (current >= 0) body.querySelector(`[aria-rowindex="${current + 2}"]`)?.setAttribute("aria-current", "time");
    }
  }

  function saveCsv(): void {
    const names = COLUMNS.filter((column) => !["joint", "region", "mode"].includes(column.id));
    const text = csv(
      names.map((column) => ({
        name: column.name,
        unit: column.unit,
        values: rows.map((row) => Number(column.value(row) ?? NaN)),
      })),
    );
    // The columns of text.
    const words = rows.map(({ impact }) => `${impact.joint},${impact.region},${impact.mode}`);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((entry, i) => `${entry},${i === 0 ? "joint,region,mode" : words[i - 1]}`);
    save(`${fileName(store.state.model.name, "impacts")}.csv`, `${lines.join("\n")}\n`, "text/csv");
  }

  // Paper cannot scroll, so the first impacts are printed.
  window.addEventListener("beforeprint", () => draw(true, 200));
  window.addEventListener("afterprint", () => draw(true));
  store.subscribe((_state, changed) => {
    if (changed.has("runs") || changed.has("primary")) take();
    if (changed.has("selectedImpact")) draw(true);
    if (changed.has("t")) follow();
  });
}
