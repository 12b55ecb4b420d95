// The text of the model file, and what the engine says about it.

import { h } from "./dom.ts";
import type { Diagnostic } from "./types.ts";

export interface Editor {
  element: HTMLElement;
  /** Shows the text anew. */
  refresh(): void;
  /** Opens the text at a line and column, from 1. */
  goTo(line: number, column: number): void;
}

export function editor(text: () => string, run: (text: string) => void): Editor {
  const area = h<HTMLTextAreaElement>("textarea", {
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "Text of the model file",
    "data-testid": "model-text",
    wrap: "off",
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run(area.value);
    }
  });
  const refresh = () => {
    area.value = text();
  };
  const element = h<HTMLDetailsElement>(
    "details.model-edit",
    {},
    h("summary", { "data-testid": "model-edit" }, "Edit the model file"),
    area,
    h(
      "div.actions",
      {},
      h("button", { type: "button", "data-testid": "model-run", onclick: () => run(area.value) }, "Run this text"),
      h("button.bare", { type: "button", onclick: refresh }, "Undo changes"),
      h("span.quiet", {}, "Ctrl+Enter runs"),
    ),
  );
  return {
    element,
    refresh,
    goTo(line, column) {
      element.open = true;
      const lines = area.value.split("\n");
      const from = lines.slice(0, line - 1).reduce((sum, entry) => sum + entry.length + 1, 0);
      area.focus();
      area.setSelectionRange(from + Math.max(0, column - 1), from + (lines[line - 1]?.length ?? 0));
      area.scrollTop = Math.max(0, (line - 4) * (area.scrollHeight / Math.max(1, lines.length)));
      area.scrollLeft = 0;
    },
  };
}

/** Problems with their places; one with a line leads there, a key that is missing can be given. */
export function problemList(
  problems: Diagnostic[],
  goTo: (line: number, column: number) => void,
  give: (key: string) => void,
): HTMLElement {
  return h(
    "ul",
    {},
    ...problems.map((problem) => {
      const { line } = problem;
      const missing = /--set ([\w.-]+)=/.exec(problem.hint ?? "")?.[1];
      const text = `${problem.path ? `${problem.path}: ` : ""}${problem.message}`;
      return h(
        "li",
        {},
        line
          ? h("button", { type: "button", onclick: () => goTo(line, problem.column ?? 1) }, `line ${line}: ${text}`)
          : text,
        problem.hint ? h("span.hint", {}, ` (${problem.hint})`) : null,
        missing
          ? h(
              "span",
              {},
              " ",
              h(
                "button",
                { type: "button", "data-testid": "whatif-give", onclick: () => give(missing) },
                `Give ${missing}`,
              ),
            )
          : null,
      );
    }),
  );
}
