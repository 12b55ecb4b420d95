//! Chebyshev nodes of a step, and bounds of the polynomials through values at them.

/// Chebyshev nodes `sin²(i π/32)` of a step. The first and the last gap are below 1 % of the step, so that an
/// excursion of a guard that starts with the step, or ends with it, shows at a node.
pub(super) const NODES: [f64; 17] = [
    0.0,
    0.009607359798384776,
    0.038060233744356624,
    0.08426519384872738,
    0.14644660940672624,
    0.22221488349019888,
    0.30865828381745514,
    0.40245483899193585,
    0.5,
    0.5975451610080641,
    0.6913417161825449,
    0.7777851165098011,
    0.8535533905932737,
    0.9157348061512727,
    0.9619397662556434,
    0.9903926402016152,
    1.0,
];

pub(super) const LAST: usize = NODES.len() - 1;

/// Mean and sum of the magnitudes of the other Chebyshev coefficients of the parabola through three values at Chebyshev
/// nodes. The last coefficient counts twice, for what the parabola does not resolve.
#[inline]
pub(super) fn chebyshev3(v: [f64; 3]) -> (f64, f64) {
    let ends = 0.5 * (v[0] + v[2]);
    (0.5 * (ends + v[1]), 0.5 * (v[0] - v[2]).abs() + (ends - v[1]).abs())
}

/// As [`chebyshev3`], for five values.
#[inline]
pub(super) fn chebyshev5(v: [f64; 5]) -> (f64, f64) {
    let [mean, c1, c2, c3, c4] = coefficients5(v);
    (mean, c1.abs() + c2.abs() + c3.abs() + c4.abs())
}

/// The Chebyshev coefficients of the polynomial through five values at Chebyshev nodes, the last one doubled.
#[inline]
pub(super) fn coefficients5(v: [f64; 5]) -> [f64; 5] {
    let ends = 0.25 * (v[0] + v[4]);
    let inner = 0.5 * (v[1] + v[3]);
    let odd_ends = 0.25 * (v[0] - v[4]);
    let odd_inner = 0.25 * std::f64::consts::SQRT_2 * (v[1] - v[3]);
    let even = 0.5 * (ends + 0.5 * v[2]);
    [
        even + 0.5 * inner,
        odd_ends + odd_inner,
        ends - 0.5 * v[2],
        odd_ends - odd_inner,
        2.0 * (even - 0.5 * inner),
    ]
}

/// As [`chebyshev3`], for nine values: the even coefficients are those of the even part at five nodes.
#[inline]
pub(super) fn chebyshev9(v: [f64; 9]) -> (f64, f64) {
    const C1: f64 = 0.9238795325112867; // cos π/8
    const C2: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const C3: f64 = 0.3826834323650898; // cos 3π/8
    let even = |i: usize| 0.5 * (v[i] + v[8 - i]);
    let odd = |i: usize| 0.25 * (v[i] - v[8 - i]);
    let (mean, spread) = chebyshev5([even(0), even(1), even(2), even(3), even(4)]);
    let (d0, d1, d2, d3) = (0.5 * odd(0), odd(1), odd(2), odd(3));
    let odd_spread = (d0 + C1 * d1 + C2 * d2 + C3 * d3).abs()
        + (d0 + C3 * d1 - C2 * d2 - C1 * d3).abs()
        + (d0 - C3 * d1 - C2 * d2 + C1 * d3).abs()
        + 2.0 * (d0 - C1 * d1 + C2 * d2 - C3 * d3).abs();
    (mean, spread + odd_spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_nodes_are_those_of_chebyshev() {
        for (i, theta) in NODES.iter().enumerate() {
            let exact = 0.5 - 0.5 * (i as f64 * std::f64::consts::PI / LAST as f64).cos();
            assert!((theta - exact).abs() < 1e-15);
        }
    }

    /// The Chebyshev polynomial of degree `k` on [0, 1].
    fn chebyshev_polynomial(k: u32, theta: f64) -> f64 {
        (f64::from(k) * (1.0 - 2.0 * theta).acos()).cos()
    }

    #[test]
    fn exact_mean_and_spread_of_chebyshev_polynomials() {
        for k in 1..=8 {
            let value = |i: usize| 3.0 - 2.0 * chebyshev_polynomial(k, NODES[i]);
            let weight = if k >= 7 { 2.0 } else { 1.0 };
            let (mean, spread) = chebyshev9(std::array::from_fn(|i| value(2 * i)));
            // Of the last even and the last odd coefficient the doubles are taken.
            assert!((mean - 3.0).abs() < 1e-14);
            assert!((spread - 2.0 * weight).abs() < 1e-14, "{k}: {spread}");
            if k <= 4 {
                let weight = if k == 4 { 2.0 } else { 1.0 };
                let (mean, spread) = chebyshev5(std::array::from_fn(|i| value(4 * i)));
                assert!((mean - 3.0).abs() < 1e-14);
                assert!((spread - 2.0 * weight).abs() < 1e-14, "{k}: {spread}");
            }
        }
    }
}
