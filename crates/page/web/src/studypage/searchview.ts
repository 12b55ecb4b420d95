// Searches: how an optimisation went on, and measured data beside the model that explains them.

import { h } from "../dom.ts";
import { number } from "../format.ts";
import type { Findings, Identified, Optimum, ParameterFinding } from "../generated.ts";
import type { Making } from "./card.ts";
import type { Study } from "./data.ts";
import { type Line, Lines, type Said, told } from "./lines.ts";
import { scatterCards } from "./sampleview.ts";
import { rowSaid } from "./sweepview.ts";

/** Findings of a search stand beside those of all studies. */
export type Searched = Findings & Partial<Optimum> & Partial<Identified>;

export const searched = ({ findings }: Study): Searched => findings;

export const isSearch = ({ findings }: Study): boolean => findings.kind === "optimise" || findings.kind === "identify";

/** Plots of a search. */
export function searchCards(study: Study): Making[] {
  return study.findings.kind === "optimise" ? optimumCards(study) : identifyCards(study);
}

function optimumCards(study: Study): Making[] {
  const { metric = "", maximise = false } = searched(study);
  const column = study.table.column(metric);
  if (!column) return [];
  const rows = Array.from({ length: study.table.rows }, (_, i) => i);
  const better = maximise ? Math.max : Math.min;
  let best = maximise ? -Infinity : Infinity;
  const least = rows.map((i) => (best = Number.isNaN(column.values[i]) ? best : better(best, column.values[i])));
  const x = rows.map((i) => i + 1);
  const lines: Line[] = [
    { key: "runs", label: "runs", color: 0, x, y: column.values, rows, style: "points" },
    { key: "best", label: "best so far, ignoring constraints", color: 1, x, y: least, rows: null, style: "steps" },
  ];
  const say = (line: Line, i: number): Said =>
    line.rows ? rowSaid(study, i) : { title: told(metric, line.y[i]), lines: [] };
  const run = { name: "run", unit: "", log: false };
  const content = new Lines(`${metric} of each run`, lines, run, { name: metric, unit: column.unit, log: false }, say);
  return [{ id: "progress", content, size: "wide" }, ...scatterCards(study, metric)];
}

function identifyCards(study: Study): Making[] {
  const { overlay, findings } = study;
  if (!overlay) return scatterCards(study, "rmse");
  const channel = overlay.column("channel")!;
  const cards = findings.measured.flatMap((name): Making[] => {
    const at = Array.from({ length: overlay.rows }, (_, i) => i).filter(
      (i) => channel.words?.[channel.values[i]] === name,
    );
    const of = (column: string) => at.map((i) => overlay.column(column)!.values[i]);
    const t = of("t");
    const unit = findings.units?.[name] ?? "SI";
    const line = (key: string, color: number, y: number[], style: Line["style"] = "line"): Line => ({
      key,
      label: key,
      color,
      x: t,
      y,
      rows: null,
      style,
    });
    const say = (own: Line, i: number): Said => ({
      title: `${own.label}: ${number(own.y[i], 6)} ${unit}`,
      lines: [`t = ${number(own.x[i], 6)} s`],
    });
    const x = { name: "t", unit: "s", log: false };
    // Points let a model that fits be seen; of long records they would be a blot.
    const measured = line("measured", 0, of("data"), t.length <= 2000 ? "points" : "line");
    const both = [measured, line("model", 1, of("model"))];
    const left = [line("difference", 2, of("residual"))];
    return [
      { id: `overlay-${name}`, content: new Lines(name, both, x, { name, unit, log: false }, say), size: "wide" },
      {
        id: `residual-${name}`,
        content: new Lines(`${name}: model minus measured`, left, x, { name, unit, log: false }, say),
        size: "wide",
      },
    ];
  });
  return [...cards, ...scatterCards(study, "rmse")];
}

const cells = (tag: string, texts: string[]) => texts.map((text) => h(tag, {}, text));

function table(id: string, caption: string, head: string[], rows: string[][]): HTMLElement {
  return h(
    "article.plot.wide",
    { "data-testid": id },
    h("header.plot-head", {}, h("h3", {}, caption)),
    h(
      "div.scroll",
      {},
      h(
        "table.study-numbers",
        {},
        h("thead", {}, h("tr", {}, ...cells("th", head))),
        h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells("td", row)))),
      ),
    ),
  );
}

/** Values with their intervals, correlations and laws, as tables. */
export function searchTables(study: Study): HTMLElement[] {
  const { parameters, shift, correlation, ranking = [], best } = searched(study);
  const shown = (x: number | null | undefined) => (x === null || x === undefined ? "–" : number(x, 6));
  const tables: HTMLElement[] = [];
  if (best) {
    tables.push(
      table(
        "search-best",
        "Best values (SI)",
        ["key", "value"],
        Object.entries(best).map(([key, value]) => [key, shown(value)]),
      ),
    );
  }
  if (parameters) {
    const all: [string, ParameterFinding][] = [
      ...Object.entries(parameters),
      ...(shift ? [["shift", shift] as [string, ParameterFinding]] : []),
    ];
    const rows = all.map(([key, one]) => [
      key,
      shown(one.value),
      shown(one.std),
      shown(one.low),
      shown(one.high),
      one.identifiable ? "" : "not determined by the data",
    ]);
    tables.push(
      table("search-parameters", "Values found (SI)", ["key", "value", "standard error", "95 % from", "to", ""], rows),
    );
  }
  const names = Object.keys(correlation ?? {});
  if (correlation && names.length > 1) {
    const rows = names.map((a) => [a, ...names.map((b) => shown(correlation[a]?.[b]))]);
    tables.push(table("search-correlation", "Correlation", ["", ...names], rows));
  }
  if (ranking.length > 0) {
    const rows = ranking.map((law) => [
      law.law,
      shown(law.rmse),
      shown(law.aicc),
      shown(law.delta),
      law.indistinguishable ? "indistinguishable from the first" : "",
    ]);
    tables.push(table("search-ranking", "Which law?", ["law", "RMSE", "AICc", "difference", ""], rows));
  }
  return tables;
}
