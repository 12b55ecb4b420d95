// Drawings on paper: a page that is about to be printed cannot measure the paper, so that each drawing gets the size that
// it has on A4 within the margins of print.css, and more pixels than a screen.
import type { Pair } from "./types.ts";

export const paper = { on: false };
/** How much larger everything is drawn than shown. */
export const FINE = 2;

const SIZES: [string, Pair][] = [
  [".plot-area.wide", [670, 170]],
  [".plot-area.tall", [322, 250]],
  ["#scene", [390, 225]],
  [".magnifier", [294, 225]],
];

/** Size of what is drawn in the element (CSS px); null where it is not on paper. */
export function paperSize(element: Element): Pair | null {
  return SIZES.find(([part]) => element.closest(part))?.[1] ?? null;
}
