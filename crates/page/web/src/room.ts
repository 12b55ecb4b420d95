// How high the column of mechanism and magnifiers may be beside the plots.

/** Least height that shows a mechanism and a magnifier, or several side by side (px). */
const LEAST = { one: 590, several: 800 };
const EDGE = 16;

/**
 * All of it in sight without scrolling where there is room for that below the header; else as high as the window, in which
 * it stays while the plots scroll past.
 */
export function roomOf(window: number, player: number, top: number, least: number): number {
  const stuck = window - player - 2 * EDGE;
  const first = window - player - top - EDGE;
  return first >= least ? Math.min(first, stuck) : stuck;
}

/** Keeps `--room` and `--player` (px) as the page changes. */
export function keepRoom(): void {
  const [bench, player] = ["bench", "player"].map((id) => document.getElementById(id));
  if (!bench || !player) return;
  const measure = (): void => {
    const top = bench.getBoundingClientRect().top + window.scrollY;
    const several = Number(document.getElementById("magnifiers")?.dataset.count ?? 1) > 1;
    const { style } = document.documentElement;
    style.setProperty("--player", `${player.offsetHeight}px`);
    style.setProperty(
      "--room",
      `${Math.floor(roomOf(window.innerHeight, player.offsetHeight, top, several ? LEAST.several : LEAST.one))}px`,
    );
  };
  const observer = new ResizeObserver(measure);
  for (const id of ["header", "notes", "playground", "compare", "magnifiers", "player"]) {
    const part = document.getElementById(id);
    if (part) observer.observe(part);
  }
  window.addEventListener("resize", measure);
  measure();
}
