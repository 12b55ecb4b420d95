// Elementary effects: how much a key matters, and whether its effect depends on the others.

import { number } from "../format.ts";
import type { Effects } from "../generated.ts";
import { ranked } from "./bars.ts";
import type { Making } from "./card.ts";
import { Lines } from "./lines.ts";
import { shortKey } from "./request.ts";

export function morris(metric: string, unit: string, of: Record<string, Effects>): Making {
  const known = ranked(of, ({ mu_star }) => mu_star).filter(([, effect]) => effect.mu_star !== null);
  const line = {
    key: metric,
    label: metric,
    color: 0,
    x: known.map(([, effect]) => effect.mu_star ?? NaN),
    y: known.map(([, effect]) => effect.sigma ?? 0),
    rows: null,
    style: "points" as const,
    names: known.map(([key]) => shortKey(key)),
  };
  const said = (_: unknown, i: number) => {
    const [key, { mu, mu_star, sigma }] = known[i];
    const lines = [
      `mean effect ${number(mu, 5)}`,
      `mean magnitude ${number(mu_star, 5)}`,
      `deviation ${number(sigma, 5)}`,
    ];
    return { title: key, lines };
  };
  const [x, y] = ["mean magnitude of effects", "deviation of effects"].map((name) => ({
    name,
    unit,
    log: false,
  }));
  const most = (list: number[]) => 1.12 * Math.max(...list.filter(Number.isFinite), 1e-300);
  const range = {
    x: [0, most(line.x)] as [number, number],
    y: [-0.04 * most(line.y), most(line.y)] as [number, number],
  };
  const content = new Lines(`Elementary effects on ${metric}`, [line], x, y, said, [], range);
  const note = "to the right: influential; upwards: nonlinear, or interacting with others";
  return { id: `effects-${metric}`, content, size: "wide", note };
}
