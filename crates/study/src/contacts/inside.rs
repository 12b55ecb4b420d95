//! Extremes, zeros and integrals of smooth functions inside one step.

/// Nodes of a step: both ends and four between.
pub(super) const NODES: usize = 6;

/// Nodes of the Gauss–Lobatto rule on [0, 1], exact for polynomials up to degree 9 (Abramowitz, Stegun, table 25.6).
const PLACES: [f64; NODES] = [
    0.0,
    0.5 * (1.0 - 0.765_055_323_929_464_7),
    0.5 * (1.0 - 0.285_231_516_480_645_1),
    0.5 * (1.0 + 0.285_231_516_480_645_1),
    0.5 * (1.0 + 0.765_055_323_929_464_7),
    1.0,
];

/// Their weights.
const WEIGHTS: [f64; NODES] = [
    1.0 / 30.0,
    0.5 * 0.378_474_956_297_847,
    0.5 * 0.554_858_377_035_486_4,
    0.5 * 0.554_858_377_035_486_4,
    0.5 * 0.378_474_956_297_847,
    1.0 / 30.0,
];

/// The nodes of a step, its ends to the bit.
pub(super) fn nodes([t0, t1]: [f64; 2]) -> [f64; NODES] {
    let mut nodes = PLACES.map(|place| t0 + (t1 - t0) * place);
    nodes[NODES - 1] = t1;
    nodes
}

/// The integral over a step from the values at its nodes.
pub(super) fn integral([t0, t1]: [f64; 2], values: &[f64; NODES]) -> f64 {
    let sum: f64 = WEIGHTS.iter().zip(values).map(|(w, f)| w * f).sum();
    (t1 - t0) * sum
}

/// What the values at the nodes contribute to the slope at one end of a step of unit length (Berrut, Trefethen 2004,
/// equation 9.4).
const fn slope_row(end: usize) -> [f64; NODES] {
    let mut row = [0.0; NODES];
    let mut j = 0;
    while j < NODES {
        if j != end {
            // Ratio of the barycentric weights of both nodes, 1/∏ (x − xₖ).
            let (mut own, mut other) = (1.0, 1.0);
            let mut k = 0;
            while k < NODES {
                if k != end {
                    own *= PLACES[end] - PLACES[k];
                }
                if k != j {
                    other *= PLACES[j] - PLACES[k];
                }
                k += 1;
            }
            row[j] = own / other / (PLACES[end] - PLACES[j]);
        }
        j += 1;
    }
    row
}

const FIRST_SLOPE: [f64; NODES] = slope_row(0);
const LAST_SLOPE: [f64; NODES] = slope_row(NODES - 1);

/// Slope at one end of a step of the polynomial through the values at its nodes.
fn slope_at(end: usize, t: &[f64; NODES], values: &[f64; NODES]) -> f64 {
    let row = if end == 0 { &FIRST_SLOPE } else { &LAST_SLOPE };
    let rise: f64 = row.iter().zip(values).map(|(row, f)| row * (f - values[end])).sum();
    rise / (t[NODES - 1] - t[0])
}

/// The greatest value in a step and its time, given the values at the nodes: between the neighbours of the greatest of
/// them, by parabolas and golden sections (Brent, *Algorithms for Minimization without Derivatives*, chapter 5).
pub(super) fn maximum(
    t: &[f64; NODES],
    values: &[f64; NODES],
    mut f: impl FnMut(f64) -> f64,
) -> (f64, f64) {
    const LAST: usize = NODES - 1;
    let best = (0..NODES).fold(0, |best, k| if values[k] > values[best] { k } else { best });
    let greatest = (t[best], values[best]);
    let falls_inward = match best {
        0 => slope_at(0, t, values) <= 0.0,
        LAST => slope_at(LAST, t, values) >= 0.0,
        _ => false,
    };
    if falls_inward {
        return greatest;
    }
    let (low, high) = (t[best.saturating_sub(1)], t[(best + 1).min(LAST)]);
    let found = brent([low, high], greatest, &mut f);
    if found.1 > greatest.1 { found } else { greatest }
}

/// Maximises on an interval from a known point of it.
fn brent(
    [mut low, mut high]: [f64; 2],
    start: (f64, f64),
    f: &mut impl FnMut(f64) -> f64,
) -> (f64, f64) {
    const GOLDEN: f64 = 0.381_966_011_250_105_1;
    // The value is quadratic about its maximum: this place leaves 1e-12 of what the step changes it by.
    let close = 1e-6 * (high - low);
    // The start may be an end of the interval; a point inside it begins.
    let inside = start.0 > low && start.0 < high;
    let first = if inside { start.0 } else { low + GOLDEN * (high - low) };
    let mut best = if inside { start } else { (first, f(first)) };
    let (mut second, mut third) = (best, best);
    let (mut step, mut before) = (0.0_f64, 0.0_f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (best.0 - middle).abs() <= 2.0 * close - 0.5 * (high - low) {
            break;
        }
        let r = (best.0 - second.0) * fall(best, third);
        let q = (best.0 - third.0) * fall(best, second);
        let (mut p, mut q) = ((best.0 - third.0) * q - (best.0 - second.0) * r, 2.0 * (q - r));
        if q > 0.0 {
            p = -p;
        }
        q = q.abs();
        let usable = before.abs() > close
            && p.abs() < (0.5 * q * before).abs()
            && p > q * (low - best.0)
            && p < q * (high - best.0);
        if usable {
            (before, step) = (step, p / q);
            let at = best.0 + step;
            if at - low < 2.0 * close || high - at < 2.0 * close {
                step = close.copysign(middle - best.0);
            }
        } else {
            before = if best.0 < middle { high - best.0 } else { low - best.0 };
            step = GOLDEN * before;
        }
        let at = best.0 + if step.abs() >= close { step } else { close.copysign(step) };
        let now = (at, f(at));
        if now.1 >= best.1 {
            *(if at >= best.0 { &mut low } else { &mut high }) = best.0;
            (third, second, best) = (second, best, now);
        } else {
            *(if at < best.0 { &mut low } else { &mut high }) = at;
            if now.1 >= second.1 || second.0 == best.0 {
                (third, second) = (second, now);
            } else if now.1 >= third.1 || third.0 == best.0 || third.0 == second.0 {
                third = now;
            }
        }
    }
    best
}

/// How far the value falls from one point to another.
fn fall(from: (f64, f64), to: (f64, f64)) -> f64 {
    from.1 - to.1
}

/// Accuracy of a zero, as a fraction of the distance between two points.
const CLOSE: f64 = 1e-13;

/// Where a function with values of different sign at two points is zero: regula falsi (Illinois).
pub(super) fn zero(mut a: (f64, f64), mut b: (f64, f64), mut f: impl FnMut(f64) -> f64) -> f64 {
    let close = CLOSE * (b.0 - a.0).abs();
    let mut t = b.0;
    let mut kept_a = None;
    for _ in 0..60 {
        let last = t;
        t = b.0 - b.1 * (b.0 - a.0) / (b.1 - a.1);
        let now = (t, f(t));
        if now.1 == 0.0 || (t - last).abs() <= close {
            break;
        }
        // An end that is kept twice counts half.
        let keeps_a = (now.1 > 0.0) == (b.1 > 0.0);
        let again = kept_a == Some(keeps_a);
        let (kept, moved) = if keeps_a { (&mut a, &mut b) } else { (&mut b, &mut a) };
        *moved = now;
        if again {
            kept.1 *= 0.5;
        }
        kept_a = Some(keeps_a);
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_integrals_of_powers() {
        let span = [0.5, 2.0];
        for n in 0..=9 {
            let values = nodes(span).map(|t| t.powi(n));
            let m = f64::from(n + 1);
            let exact = (2.0_f64.powf(m) - 0.5_f64.powf(m)) / m;
            assert!((integral(span, &values) / exact - 1.0).abs() < 1e-15 * m, "degree {n}");
        }
    }

    #[test]
    fn exact_slopes_at_the_ends() {
        let t = nodes([0.3, 0.9]);
        let values = t.map(|t| t.powi(5) - 2.0 * t);
        for (end, at) in [(0, 0.3_f64), (NODES - 1, 0.9)] {
            let exact = 5.0 * at.powi(4) - 2.0;
            assert!((slope_at(end, &t, &values) - exact).abs() < 1e-13);
        }
    }

    #[test]
    fn exact_maxima_wherever_they_are() {
        // sin has its maximum 1 at π/2, wherever in the step that is.
        for k in 0..=40 {
            let from = std::f64::consts::FRAC_PI_2 - f64::from(k) / 40.0;
            let t = nodes([from, from + 1.0]);
            let mut count = 0;
            let counted = |t: f64| {
                count += 1;
                t.sin()
            };
            let (at, greatest) = maximum(&t, &t.map(f64::sin), counted);
            assert!((greatest - 1.0).abs() < 1e-11, "{k}: {greatest}");
            assert!((at - std::f64::consts::FRAC_PI_2).abs() < 1e-5, "{k}: {at}");
            assert!(count <= 30, "{k}: {count}");
        }
        let t = nodes([0.0, 1.0]);
        assert_eq!(maximum(&t, &t, |_| unreachable!("it grows to the end")), (1.0, 1.0));
        let falling = t.map(|t| -t);
        assert_eq!(maximum(&t, &falling, |_| unreachable!("it falls from the start")), (0.0, 0.0));
    }

    #[test]
    fn exact_zeros() {
        use std::f64::consts::FRAC_PI_2;
        for k in 0..40 {
            let from = FRAC_PI_2 - 0.01 - f64::from(k) / 40.0;
            let mut count = 0;
            let f = |t: f64| t.cos();
            let at = zero((from, f(from)), (from + 1.02, f(from + 1.02)), |t| {
                count += 1;
                f(t)
            });
            assert!((at - FRAC_PI_2).abs() < 2.0 * CLOSE && count < 15, "{k}: {at}, {count}");
        }
    }
}
