// Trace of a centre over the last seconds, by mode: colour, width and dashes.
import { MODES, modesOf, spanAt } from "./motion.ts";
import type { Colors } from "./palette.ts";
import { indexAt } from "./payload.ts";
import type { Mode, Pair, RunData } from "./types.ts";

const STYLE: Record<Mode, { width: number; dash: number[] }> = {
  "free-flight": { width: 1.25, dash: [3, 3] },
  impact: { width: 3, dash: [] },
  "continuous-contact": { width: 2, dash: [] },
};
const MOST = 6000;

export function drawTrace(
  c: CanvasRenderingContext2D,
  run: RunData,
  joint: string,
  points: { x: Float64Array; y: Float64Array },
  t: number,
  length: number,
  px: (p: Pair) => Pair,
  colors: Colors,
): void {
  const { times } = run;
  const from = Math.max(run.payload.span[0], t - length);
  const last = indexAt(times, t);
  const first = indexAt(times, from);
  // Every n-th sample, the same ones from frame to frame.
  const stride = Math.max(1, Math.ceil((last - first) / MOST));
  const spans = modesOf(run, joint);
  let k = Math.max(0, spanAt(spans, from));
  const pen = (i: number): Pair => px([points.x[i], points.y[i]]);
  c.save();
  c.lineCap = "butt";
  c.lineJoin = "round";
  let i = first;
  while (i <= last) {
    const span = spans[k];
    const mode = span?.mode ?? "free-flight";
    const end = span && k + 1 < spans.length ? Math.min(last, indexAt(times, span.end)) : last;
    c.beginPath();
    const [x, y] = pen(i);
    c.moveTo(x, y);
    for (let j = i + 1; j <= end; j++) {
      if (j % stride !== 0 && j !== end) continue;
      const [u, v] = pen(j);
      c.lineTo(u, v);
    }
    if (end === last && last + 1 < times.length) {
      const s = (t - times[last]) / (times[last + 1] - times[last] || 1);
      const [u, v] = px([
        points.x[last] + s * (points.x[last + 1] - points.x[last]),
        points.y[last] + s * (points.y[last + 1] - points.y[last]),
      ]);
      c.lineTo(u, v);
    }
    c.globalAlpha = 0.3 + 0.7 * Math.max(0, (times[end] - from) / (t - from || 1));
    c.strokeStyle = colors[MODES[mode].css];
    c.lineWidth = STYLE[mode].width;
    c.setLineDash(STYLE[mode].dash);
    c.stroke();
    if (end === last) break;
    i = end;
    k++;
  }
  c.restore();
}
