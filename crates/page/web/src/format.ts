// Numbers as people write them: 0.25 mm, 12.3 kN, 1.2·10⁻⁹.

const THIN = "\u202f";
const MINUS = "\u2212";
export const NONE = "\u2013";

const PREFIXES: [string, number][] = [
  ["n", 1e-9],
  ["µ", 1e-6],
  ["m", 1e-3],
  ["", 1],
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
];

/** Units that take prefixes, and how large a prefix people use with them. */
const SCALED: Record<string, number> = {
  m: 1,
  s: 1,
  N: 1e9,
  Pa: 1e9,
  J: 1e9,
  W: 1e9,
  Hz: 1e9,
  "m/s": 1,
  "N·m": 1e9,
  "N·s": 1e3,
  rad: 1,
  "N/m": 1e9,
};

const SUPERSCRIPT: Record<string, string> = {
  "-": "⁻",
  "0": "⁰",
  "1": "¹",
  "2": "²",
  "3": "³",
  "4": "⁴",
  "5": "⁵",
  "6": "⁶",
  "7": "⁷",
  "8": "⁸",
  "9": "⁹",
};
const raised = (n: number | string): string => String(n).replace(/./g, (c) => SUPERSCRIPT[c] ?? c);

/** `m/s^2` -> `m/s²`, `N*m` or `N m` -> `N·m`. */
export function prettyUnit(unit: string): string {
  if (unit === "1" || unit === "-") return "";
  return unit
    .trim()
    .replace(/\^\(?(-?\d+)\)?(?![.\d])/g, (_, n: string) => raised(n))
    .replace(/\s*[*·]\s*|\s+/g, "·");
}

/** Unit and factor that suit numbers of this size: shown = number / factor. */
export function scaleOf(size: number, unit: string): { factor: number; unit: string } {
  const pretty = prettyUnit(unit);
  const largest = SCALED[pretty];
  const x = Math.abs(size);
  if (largest === undefined || !(x > 0) || !Number.isFinite(x)) return { factor: 1, unit: pretty };
  // Below a tenth of a nano the power of ten says more.
  if (x < 0.1 * PREFIXES[0][1]) return { factor: 1, unit: pretty };
  let best = PREFIXES[0];
  for (const prefix of PREFIXES) {
    // A tenth of a millimetre is 0.1 mm, a tenth of a newton 100 mN.
    const from = (pretty === "m" && prefix[1] < 1 ? 0.0999995 : 0.9999995) * prefix[1];
    if (prefix[1] <= largest && x >= from) best = prefix;
  }
  return { factor: best[1], unit: best[0] + pretty };
}

/** A number without unit, `digits` significant; thin spaces in thousands; powers of ten where needed. */
export function number(x: number | null | undefined, digits = 3, keepZeros = false): string {
  if (x === null || x === undefined || Number.isNaN(x)) return NONE;
  if (!Number.isFinite(x)) return x > 0 ? "∞" : MINUS + "∞";
  if (x === 0) return "0";
  const sign = x < 0 ? MINUS : "";
  const trim = (text: string): string => (keepZeros || !text.includes(".") ? text : text.replace(/\.?0+$/, ""));
  const [mantissa, power] = Math.abs(x)
    .toExponential(digits - 1)
    .split("e");
  const exponent = Number(power);
  if (exponent < -3 || exponent > 6) return `${sign}${trim(mantissa)}·10${raised(exponent)}`;
  if (exponent >= digits) {
    // Whole numbers are not cut: 12 345 impacts stay 12 345.
    const whole = Number.isInteger(x) ? Math.abs(x) : Number(`${mantissa}e${exponent}`);
    return sign + grouped(String(Math.round(whole)));
  }
  return sign + trim(Math.abs(x).toFixed(Math.max(0, digits - 1 - exponent)));
}

function grouped(whole: string): string {
  return whole.length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** Number with its unit in the prefix that suits it. */
export function quantity(x: number | null | undefined, unit: string, digits = 3, keepZeros = false): string {
  if (x === null || x === undefined || Number.isNaN(x)) return NONE;
  const scale = scaleOf(x === 0 ? 0 : Number(Math.abs(x).toPrecision(digits)), unit);
  const text = number(x / scale.factor, digits, keepZeros);
  return scale.unit === "" ? text : `${text}\u00a0${scale.unit}`;
}

/** Time inside a run: as many decimals as `resolution` asks for, in the unit that suits the span. */
export function clock(t: number, span: number, resolution = span / 1e5): string {
  const scale = scaleOf(span, "s");
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(resolution / scale.factor))));
  return `${(t / scale.factor).toFixed(decimals).replace("-", MINUS)}\u00a0${scale.unit}`;
}

export function percent(share: number | null | undefined, digits = 2): string {
  if (share === null || share === undefined || Number.isNaN(share)) return NONE;
  return `${number(100 * share, digits)}\u00a0%`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${number(n)}\u00a0${n === 1 ? one : many}`;
}

/** Speed of the show: `1/100 of real time`. */
export function pace(speed: number): string {
  return speed >= 1 ? `${number(speed)}×` : `1/${number(Math.round(1 / speed))}`;
}
