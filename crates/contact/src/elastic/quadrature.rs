//! Stored energy of laws whose integral has no closed form.

use std::sync::LazyLock;

/// Step of the double-exponential rule in its own variable.
const STEP: f64 = 0.0625;
/// Half the number of nodes; beyond it the weights are below round-off.
const HALF: i32 = 52;

/// Nodes u ∈ (0, 1) and weights of the tanh–sinh rule (Takahasi, Mori 1974).
static RULE: LazyLock<Vec<(f64, f64)>> = LazyLock::new(|| {
    (-HALF..=HALF)
        .map(|k| {
            let x = STEP * f64::from(k);
            let g = std::f64::consts::FRAC_PI_2 * libm::sinh(x);
            // u = ½(1 + tanh g) written so that small u keep their digits
            let u = 1.0 / (1.0 + libm::exp(-2.0 * g));
            let du = std::f64::consts::FRAC_PI_4 * libm::cosh(x) / (libm::cosh(g) * libm::cosh(g));
            (u, STEP * du)
        })
        .filter(|&(u, weight)| u < 1.0 && weight > 0.0)
        .collect()
});

/// ∫₀^δ F(s) ds of a force that grows from 0. Powers at the end points and layers far thinner than
/// δ cost no digits, because a growing force stores little energy in them.
pub(super) fn energy(delta: f64, force: impl Fn(f64) -> f64) -> f64 {
    delta * RULE.iter().map(|&(u, weight)| weight * force(delta * u)).sum::<f64>()
}

/// Positive nodes and weights of the Gauss–Lobatto rule with eight points on [−1, 1]. The ends are
/// nodes, so a kink just before an end is seen.
const LOBATTO: [(f64, f64); 4] = [
    (0.20929921790247888, 0.4124587946587039),
    (0.5917001814331423, 0.34112269248350435),
    (0.8717401485096066, 0.21070422714350603),
    (1.0, 1.0 / 28.0),
];

/// Limit of the halvings of an interval for a kink or a power at 0.
const DEEPEST: u32 = 18;

/// ∫ F ds from `low` to `high` of a force that may have kinks; `known` is the energy up to `low`,
/// against which errors are judged too.
pub(super) fn piece(low: f64, high: f64, known: f64, force: &impl Fn(f64) -> f64) -> f64 {
    let whole = lobatto(low, high, force);
    let tolerance = 1e-14 * whole.abs() + 1e-15 * known.abs();
    refine(low, high, whole, tolerance, DEEPEST, force)
}

fn lobatto(low: f64, high: f64, force: &impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let pair =
        |&(x, weight): &(f64, f64)| weight * (force(middle - half * x) + force(middle + half * x));
    half * LOBATTO.iter().map(pair).sum::<f64>()
}

fn refine(
    low: f64,
    high: f64,
    whole: f64,
    tolerance: f64,
    depth: u32,
    force: &impl Fn(f64) -> f64,
) -> f64 {
    let middle = 0.5 * (low + high);
    let (left, right) = (lobatto(low, middle, force), lobatto(middle, high, force));
    if depth == 0 || (left + right - whole).abs() <= tolerance {
        return left + right;
    }
    refine(low, middle, left, tolerance, depth - 1, force)
        + refine(middle, high, right, tolerance, depth - 1, force)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_powers_and_boundary_layers() {
        for n in [0.5, 1.0, 1.094, 1.5, 2.0, 3.7] {
            let exact = 2.0_f64.powf(n + 1.0) / (n + 1.0);
            let got = energy(2.0, |s| s.powf(n));
            assert!((got / exact - 1.0).abs() < 2e-14, "n = {n}: {}", got / exact - 1.0);
        }
        // a force that reaches half its end value within a layer 10³ … 10⁹ times thinner than δ
        for c in [1e-3_f64, 1e-6, 1e-9] {
            let exact = 1.0 - c * ((1.0 + c) / c).ln();
            let got = energy(1.0, |s| s / (s + c));
            assert!((got / exact - 1.0).abs() < 1e-13, "c = {c}: {}", got / exact - 1.0);
        }
    }

    #[test]
    fn exact_pieces_with_powers_and_kinks() {
        for n in [0.5, 1.0, 1.094, 1.5, 2.0, 3.7] {
            let exact = 2.0_f64.powf(n + 1.0) / (n + 1.0);
            let got = piece(0.0, 2.0, 0.0, &|s: f64| s.powf(n));
            // the last interval is 2⁻¹⁸ wide and holds 2⁻²⁷ of the energy of √s, 2⁻³⁶ of that of s
            let tolerance = if n < 1.0 { 1e-11 } else { 1e-13 };
            assert!((got / exact - 1.0).abs() < tolerance, "n = {n}: {}", got / exact - 1.0);
        }
        for kink in [0.1, 0.3, 0.55, 0.9, 0.999] {
            let exact = 0.5 * (1.0 - kink) * (1.0 - kink);
            let got = piece(0.0, 1.0, 0.0, &|s: f64| (s - kink).max(0.0));
            // the interval of the kink is 2⁻¹⁸ wide and holds the square of that in energy
            assert!((got - exact).abs() < 1e-11, "kink at {kink}: {:e}", got - exact);
        }
    }
}
