// Mouse, touch, wheel and keys on a plot, told in pixels of its frame.

export interface Hands {
  /** Click, or end of a short touch. */
  click(x: number, y: number): void;
  /** Whether a drag that begins here moves the time. */
  grabs(x: number, y: number, touch: boolean): boolean;
  scrub(x: number, y: number): void;
  zoomTo(x0: number, y0: number, x1: number, y1: number): void;
  /** factor < 1 shows less. */
  zoomAt(x: number, y: number, factor: number): void;
  pan(dx: number, dy: number): void;
  reset(): void;
  hover(x: number, y: number): void;
  leave(): void;
}

const CLICK = 4;
/** While the page scrolls, the wheel belongs to it (ms). */
const SCROLLING = 250;
let scrolled = -Infinity;
if (typeof window !== "undefined") {
  window.addEventListener("scroll", () => (scrolled = performance.now()), { passive: true, capture: true });
}

type Drag = { what: "zoom" | "pan" | "scrub"; x: number; y: number; lastX: number; lastY: number; moved: boolean };

/** Gives the hands what happens over the frame; a drag marks a span of x, or a box. */
export function interact(over: HTMLElement, box: "x" | "xy", hands: Hands): void {
  const mark = document.createElement("div");
  mark.className = "plot-mark";
  mark.hidden = true;
  over.append(mark);
  let drag: Drag | null = null;
  const at = (event: MouseEvent): [number, number] => {
    const frame = over.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const inside = (value: number, size: number) => Math.min(size, Math.max(0, value));

  over.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    const [x, y] = at(event);
    const touch = event.pointerType === "touch";
    const pan = event.button === 1 || event.shiftKey;
    drag = { what: pan ? "pan" : hands.grabs(x, y, touch) ? "scrub" : "zoom", x, y, lastX: x, lastY: y, moved: false };
    over.setPointerCapture(event.pointerId);
    if (event.button === 1) event.preventDefault();
    hands.leave();
  });
  over.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (!drag) {
      if (event.pointerType !== "touch") hands.hover(x, y);
      over.style.cursor = hands.grabs(x, y, false) ? "ew-resize" : "";
      return;
    }
    drag.moved ||= Math.abs(x - drag.x) > CLICK || (box === "xy" && Math.abs(y - drag.y) > CLICK);
    if (!drag.moved) return;
    if (drag.what === "scrub") hands.scrub(inside(x, over.clientWidth), y);
    else if (drag.what === "pan") hands.pan(x - drag.lastX, y - drag.lastY);
    else {
      const [a, b] = [inside(drag.x, over.clientWidth), inside(x, over.clientWidth)].sort((p, q) => p - q);
      const [c, d] =
        box === "x"
          ? [0, over.clientHeight]
          : [inside(drag.y, over.clientHeight), inside(y, over.clientHeight)].sort((p, q) => p - q);
      mark.hidden = false;
      Object.assign(mark.style, { left: `${a}px`, width: `${b - a}px`, top: `${c}px`, height: `${d - c}px` });
    }
    [drag.lastX, drag.lastY] = [x, y];
  });
  over.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { what, x: x0, y: y0, moved } = drag;
    const [x, y] = at(event);
    drag = null;
    mark.hidden = true;
    if (!moved && event.button === 0) hands.click(x, y);
    else if (moved && what === "zoom" && event.pointerType !== "touch") {
      hands.zoomTo(
        inside(Math.min(x0, x), over.clientWidth),
        inside(Math.min(y0, y), over.clientHeight),
        inside(Math.max(x0, x), over.clientWidth),
        inside(Math.max(y0, y), over.clientHeight),
      );
    }
  });
  over.addEventListener("pointercancel", () => {
    drag = null;
    mark.hidden = true;
  });
  over.addEventListener("pointerleave", () => hands.leave());
  over.addEventListener("dblclick", () => hands.reset());
  over.addEventListener("auxclick", (event) => event.preventDefault());
  over.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || performance.now() - scrolled < SCROLLING) return;
      event.preventDefault();
      const [x, y] = at(event);
      const unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
      const [dx, dy] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      if (Math.abs(dx) > Math.abs(dy)) hands.pan(-dx * unit, 0);
      else hands.zoomAt(x, y, Math.exp(Math.min(1, Math.max(-1, dy * unit * 0.002))));
    },
    { passive: false },
  );
}

/** + − 0, page up and page down on a focused plot. */
export function keys(
  element: HTMLElement,
  hands: Pick<Hands, "zoomAt" | "pan" | "reset">,
  centre: () => [number, number],
): void {
  element.addEventListener("keydown", (event) => {
    if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom: Record<string, number> = { "+": 0.7, "=": 0.7, "-": 1 / 0.7 };
    const pan: Record<string, number> = { PageUp: 0.5, PageDown: -0.5 };
    if (event.key in zoom) hands.zoomAt(...centre(), zoom[event.key]);
    else if (event.key in pan) hands.pan(pan[event.key] * element.clientWidth, 0);
    else if (event.key === "0" || event.key === "Escape") hands.reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
