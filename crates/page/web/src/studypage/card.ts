// A plot of a study with its title, legend and menu.

import { h } from "../dom.ts";
import { helper } from "../engine.ts";
import { csv } from "../plots/csv.ts";
import { Legend } from "../plots/legend.ts";
import { plotMenu } from "../plots/menu.ts";
import { fileName, save } from "../save.ts";
import { Chart, type Content, type Desk, type Link } from "./chart.ts";

export interface Making {
  /** Name for tests and files. */
  id: string;
  content: Content;
  size: "wide" | "tall" | "strip" | "high";
  /** Beside the title. */
  note?: string;
  /** Between legend and plot. */
  extra?: HTMLElement;
  link?: Link;
  /** Whether the legend only says what colours mean. */
  plain?: boolean;
}

let made = 0;

export class Card {
  readonly element: HTMLElement;
  #chart: Chart;
  #legend: Legend;
  #said = h("p.plot-said", { role: "status", hidden: true });

  constructor(
    private making: Making,
    private model: string,
    desk: Desk,
  ) {
    const { id, content, size, note, extra, link } = making;
    const title = `study-plot-${++made}`;
    this.#legend = new Legend((hidden) => {
      content.hide?.(hidden);
      this.#chart.redraw();
    });
    const area = h(`div.plot-area.study-${size}`, {
      tabindex: 0,
      role: "group",
      "aria-labelledby": title,
      "data-testid": "study-area",
      title:
        "Click: run the point in this page. Drag: zoom. Shift-drag: pan. Wheel or + −: zoom. Double-click or 0: show all. Arrows: next point, Enter: run it",
    });
    const wide = size === "tall" ? "tall" : "wide";
    this.element = h(
      `article.plot.${wide}`,
      { "data-testid": "study-plot", "data-plot": id, "aria-labelledby": title },
      h("header.plot-head", {}, h("h3", { id: title }, content.title), note && h("span.quiet", {}, note), this.#menu()),
      this.#legend.element,
      extra,
      area,
      this.#said,
    );
    this.#legend.element.classList.toggle("plain", making.plain === true);
    this.#chart = new Chart(area, content, desk, link);
    this.recolor();
  }

  recolor(): void {
    const entries = this.making.content.legend?.() ?? [];
    this.#legend.element.hidden = entries.length === 0;
    this.#legend.show(entries);
    this.#chart.redraw();
  }

  destroy(): void {
    this.#chart.destroy();
    this.element.remove();
  }

  #menu(): HTMLElement {
    const { content } = this.making;
    const drawn = content.figure({ x: content.x, y: content.y }) !== null;
    return plotMenu(content.title, (act) => [
      act("Zoom in", "plot-zoom-in", () => this.#chart.zoom(0.5)),
      act("Zoom out", "plot-zoom-out", () => this.#chart.zoom(2)),
      act("Show all", "plot-reset", () => this.#chart.reset()),
      h("hr"),
      act("Save SVG", "save-svg", () =>
        this.#saving("svg", "image/svg+xml", () => (drawn ? this.#figure("svg") : this.#chart.svg())),
      ),
      act("Save PNG", "save-png", () =>
        this.#saving("png", "image/png", () => (drawn ? this.#figure("png") : this.#picture())),
      ),
      act("Save CSV", "save-csv", () => this.#saving("csv", "text/csv", () => csv(content.columns()))),
    ]);
  }

  #figure(format: "svg" | "png"): Promise<Uint8Array> {
    return helper.figure(this.making.content.figure(this.#chart.axes)!, format);
  }

  /** What the engine does not draw is saved as it is on the screen. */
  #picture(): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.#chart.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))));
    });
  }

  async #saving(extension: string, type: string, make: () => BlobPart | Promise<BlobPart>): Promise<void> {
    this.#said.hidden = true;
    try {
      save(`${fileName(this.model, this.making.id)}.${extension}`, await make(), type);
    } catch (error) {
      this.#said.textContent = `It could not be saved: ${error instanceof Error ? error.message : String(error)}.`;
      this.#said.hidden = false;
    }
  }
}
