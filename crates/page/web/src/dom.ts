// Small helpers for elements.
import { FINE, paper, paperSize } from "./paper.ts";

type Child = Node | string | null | false | undefined;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

/** `h("button.quiet", { type: "button", onclick }, "text")`. */
export function h<E extends HTMLElement = HTMLElement>(
  tag: string,
  attributes: Attributes = {},
  ...children: Child[]
): E {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name) as E;
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.replace(/^on/, ""), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/** True where typing belongs to the element and not to the page's shortcuts. */
export function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

const surfaces = new Set<Surface>();

/** Draws every surface at once: printing does not wait for a frame. */
export function drawAll(): void {
  for (const surface of surfaces) {
    if (surface.canvas.isConnected) surface.now();
    else surfaces.delete(surface);
  }
}

/** Canvas that keeps its pixels equal to the screen's; `draw` gets a context in CSS pixels. */
export class Surface {
  readonly canvas: HTMLCanvasElement;
  width = 0;
  height = 0;
  #context: CanvasRenderingContext2D;
  #asked = false;
  #draw: (context: CanvasRenderingContext2D, width: number, height: number) => void;

  constructor(
    parent: HTMLElement,
    label: string,
    draw: (context: CanvasRenderingContext2D, width: number, height: number) => void,
  ) {
    this.canvas = h<HTMLCanvasElement>("canvas", { role: "img", "aria-label": label });
    this.#context = this.canvas.getContext("2d")!;
    this.#draw = draw;
    parent.append(this.canvas);
    surfaces.add(this);
    new ResizeObserver(() => this.#resize()).observe(this.canvas);
  }

  /** Draws before the next frame, once however often it is asked. */
  redraw(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => this.now());
  }

  now(): void {
    this.#asked = false;
    const sheet = paper.on ? paperSize(this.canvas) : null;
    const [width, height] = sheet ?? [this.width, this.height];
    if (width === 0 || height === 0) return;
    const ratio = sheet ? FINE : Math.min(3, window.devicePixelRatio || 1);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    // A size that is set clears the canvas; on paper clearRect would clear what lies below, since strokes are printed as such.
    if (sheet || this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!sheet) this.#context.clearRect(0, 0, width, height);
    this.#draw(this.#context, width, height);
  }

  #resize(): void {
    const box = this.canvas.getBoundingClientRect();
    this.width = box.width;
    this.height = box.height;
    this.redraw();
  }
}
