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
            let g = std::f64::consts::FRAC_PI_2 * x.sinh();
            // u = ½(1 + tanh g) written so that small u keep their digits
            let u = 1.0 / (1.0 + (-2.0 * g).exp());
            let du = std::f64::consts::FRAC_PI_4 * x.cosh() / (g.cosh() * g.cosh());
            (u, STEP * du)
        })
        .filter(|&(u, weight)| u < 1.0 && weight > 0.0)
        .collect()
});

/// ∫₀^δ F(s) ds. End-point powers and scales far below δ cost no digits.
pub(super) fn energy(delta: f64, force: impl Fn(f64) -> f64) -> f64 {
    delta * RULE.iter().map(|&(u, weight)| weight * force(delta * u)).sum::<f64>()
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
        // ∫₀¹ ds/(s+c) over a layer a million times thinner than the range
        let c = 1e-6_f64;
        let got = energy(1.0, |s| 1.0 / (s + c));
        assert!((got / ((1.0 + c) / c).ln() - 1.0).abs() < 1e-12);
    }
}
