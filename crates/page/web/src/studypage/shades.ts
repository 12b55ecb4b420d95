// A map from numbers to colours whose steps look equal: viridis (Smith and van der Walt 2015), by ten of its colours.

const STOPS = [
  [68, 1, 84],
  [72, 40, 120],
  [62, 73, 137],
  [49, 104, 142],
  [38, 130, 142],
  [31, 158, 137],
  [53, 183, 121],
  [110, 206, 88],
  [181, 222, 43],
  [253, 231, 37],
];

/** Colour of a share from 0 to 1. */
export function shadeOf(share: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const i = Math.min(STOPS.length - 2, Math.floor(at));
  const part = at - i;
  const mix = (k: number) => Math.round(STOPS[i][k] + part * (STOPS[i + 1][k] - STOPS[i][k]));
  return [mix(0), mix(1), mix(2)];
}

export const css = ([r, g, b]: [number, number, number]): string => `rgb(${r} ${g} ${b})`;

/** The whole map as a background. */
export const gradient = `linear-gradient(to right, ${STOPS.map(([r, g, b]) => css([r, g, b])).join(", ")})`;

/** `#0072b2` as numbers. */
export function rgb(hex: string): [number, number, number] {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
