// The menu of a plot.

import { h } from "../dom.ts";

/** An entry of a menu, which closes it. */
export type Act = (label: string, testid: string, run: () => void | Promise<void>) => HTMLElement;

/** A menu behind three dots that closes with Escape, with a click on an entry and when the focus leaves it. */
export function plotMenu(
  title: string,
  items: (act: Act, menu: HTMLDetailsElement) => (HTMLElement | null)[],
): HTMLElement {
  const menu = h<HTMLDetailsElement>("details.plot-menu", {
    onkeydown: (event) => {
      if ((event as KeyboardEvent).key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary")?.focus();
      event.stopPropagation();
    },
    onfocusout: (event) => {
      if (!menu.contains((event as FocusEvent).relatedTarget as Node | null)) menu.open = false;
    },
  });
  const act: Act = (label, testid, run) =>
    h(
      "button",
      {
        type: "button",
        "data-testid": testid,
        onclick: () => {
          menu.open = false;
          void run();
        },
      },
      label,
    );
  menu.append(
    h("summary", { "aria-label": `Menu of ${title}`, title: "Menu", "data-testid": "plot-menu" }, "⋯"),
    h("div.plot-items", {}, ...items(act, menu)),
  );
  return menu;
}
