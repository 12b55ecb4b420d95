// A drawing as SVG: takes the calls of a canvas, as far as plots make them, and writes them down.

/** What a drawing asks of a canvas. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "save"
  | "restore"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "stroke"
  | "rect"
  | "clip"
  | "fillRect"
  | "fillText"
  | "translate"
  | "rotate"
>;

interface State {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  transform: string;
  clip: string;
}

const ANCHORS: Partial<Record<CanvasTextAlign, string>> = { center: "middle", right: "end", end: "end" };
/** Where the baseline lies below the place of a text, in heights of its letters. */
const DROPS: Partial<Record<CanvasTextBaseline, number>> = { top: 0.8, middle: 0.35 };

const short = (value: number): string => String(Math.round(value * 100) / 100);
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);

export class SvgPen implements Pen {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  font = "12px sans-serif";
  textAlign: CanvasTextAlign = "left";
  textBaseline: CanvasTextBaseline = "alphabetic";
  #transform = "";
  #clip = "";
  #path = "";
  #stack: State[] = [];
  #clips = 0;
  #parts: string[] = [];

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, font, textAlign, textBaseline } = this;
    const [transform, clip] = [this.#transform, this.#clip];
    this.#stack.push({ fillStyle, strokeStyle, lineWidth, font, textAlign, textBaseline, transform, clip });
  }
  restore(): void {
    const state = this.#stack.pop();
    if (!state) return;
    const { transform, clip, ...styles } = state;
    Object.assign(this, styles);
    this.#transform = transform;
    this.#clip = clip;
  }
  translate(x: number, y: number): void {
    this.#transform += ` translate(${short(x)} ${short(y)})`;
  }
  rotate(angle: number): void {
    this.#transform += ` rotate(${short((180 * angle) / Math.PI)})`;
  }
  beginPath(): void {
    this.#path = "";
  }
  moveTo(x: number, y: number): void {
    this.#path += `M${short(x)} ${short(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.#path += `L${short(x)} ${short(y)}`;
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.#path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
  }
  clip(): void {
    const id = `c${++this.#clips}`;
    this.#parts.push(`<clipPath id="${id}"><path d="${this.#path}"/></clipPath>`);
    this.#clip = ` clip-path="url(#${id})"`;
  }
  stroke(): void {
    if (this.#path === "") return;
    const style = `fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}"`;
    this.#add(`<path d="${this.#path}" ${style}`, "/>");
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)];
    const size = `width="${short(Math.abs(width))}" height="${short(Math.abs(height))}"`;
    this.#add(`<rect x="${short(left)}" y="${short(top)}" ${size} fill="${this.fillStyle}"`, "/>");
  }
  fillText(text: string, x: number, y: number): void {
    const size = parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? "12");
    const at = `x="${short(x)}" y="${short(y + size * (DROPS[this.textBaseline] ?? 0))}"`;
    const style = `text-anchor="${ANCHORS[this.textAlign] ?? "start"}" font-size="${size}" fill="${this.fillStyle}"`;
    this.#add(`<text ${at} ${style}`, `>${escaped(text)}</text>`);
  }

  #add(start: string, end: string): void {
    const transform = this.#transform === "" ? "" : ` transform="${this.#transform.trim()}"`;
    this.#parts.push(start + transform + this.#clip + end);
  }

  /** The drawing on a background. */
  text(width: number, height: number, background: string): string {
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`;
    return `${head}\n<rect width="100%" height="100%" fill="${background}"/>\n${this.#parts.join("\n")}\n</svg>\n`;
  }
}
