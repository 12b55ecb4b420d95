// Small helpers for elements.

type Child = Node | string | null | false | undefined;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

/** `h("button.quiet", { type: "button", onclick }, "text")`. */
export function h<E extends HTMLElement = HTMLElement>(tag: string, attributes: Attributes = {}, ...children: Child[]): E {
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
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
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

  constructor(parent: HTMLElement, label: string, draw: (context: CanvasRenderingContext2D, width: number, height: number) => void) {
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
    if (this.width === 0 || this.height === 0) return;
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const [w, h] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#context.clearRect(0, 0, this.width, this.height);
    this.#draw(this.#context, this.width, this.height);
  }

  #resize(): void {
    const box = this.canvas.getBoundingClientRect();
    this.width = box.width;
    this.height = box.height;
    this.redraw();
  }
}
