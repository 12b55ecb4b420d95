// Colours of the style sheet for canvases: those of our figures, in a light and a dark form.
export interface Colors {
  paper: string;
  panel: string;
  ink: string;
  soft: string;
  faint: string;
  rule: string;
  edge: string;
  grid: string;
  metal: string;
  metalEdge: string;
  ground: string;
  wall: string;
  free: string;
  impact: string;
  contact: string;
  force: string;
  load: string;
  accent: string;
  /** Stops of the colours of forces, from none to the greatest. */
  heat: string[];
  series: string[];
}

let cached: Colors | null = null;
const listeners = new Set<() => void>();

export function colors(): Colors {
  if (cached) return cached;
  const style = getComputedStyle(document.documentElement);
  const get = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return (cached = {
    paper: get("paper"),
    panel: get("panel"),
    ink: get("ink"),
    soft: get("soft"),
    faint: get("faint"),
    rule: get("rule"),
    edge: get("edge"),
    grid: get("grid"),
    metal: get("metal"),
    metalEdge: get("metal-edge"),
    ground: get("ground"),
    wall: get("wall"),
    free: get("free"),
    impact: get("impact"),
    contact: get("contact"),
    force: get("force"),
    load: get("load"),
    accent: get("accent"),
    heat: [0, 1, 2, 3, 4].map((i) => get(`heat${i}`)),
    series: [0, 1, 2, 3, 4, 5, 6].map((i) => get(`c${i}`)),
  });
}

/** Colour of palette index i, which goes round after seven. */
export const series = (i: number): string => colors().series[i % 7];
/** The same, pale for a run that is outdated. */
export const runColor = ({ color, outdated }: { color: number; outdated?: boolean }): string =>
  outdated ? pale(series(color)) : series(color);
export const pale = (color: string): string => (/^#[0-9a-f]{6}$/i.test(color) ? `${color}66` : color);
/** Dash pattern of palette index i: solid in the first seven colours, then dashed, dotted, dash-dotted. */
export const dash = (i: number): number[] => [[], [6, 3], [1.5, 2.5], [6, 2.5, 1.5, 2.5]][Math.floor(i / 7) % 4];

/** Called when light changes to dark or back. */
export function watchColors(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function colorsChanged(): void {
  cached = null;
  for (const listener of [...listeners]) listener();
}
