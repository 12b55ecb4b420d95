//! Coefficients of Radau IIA of order 5: Hairer and Wanner, sections IV.5 and IV.8.

const SQRT_6: f64 = 2.449489742783178;

/// Nodes of the stages.
pub(super) const C: [f64; 3] = [(4.0 - SQRT_6) / 10.0, (4.0 + SQRT_6) / 10.0, 1.0];

/// Weights of the increments of the stages in the error estimate.
pub(super) const E: [f64; 3] =
    [-(13.0 + 7.0 * SQRT_6) / 3.0, (-13.0 + 7.0 * SQRT_6) / 3.0, -1.0 / 3.0];

/// The real eigenvalue of the inverse of the method's matrix.
pub(super) const GAMMA: f64 = 3.637834252744496;
/// Its pair of complex eigenvalues, `α ± iβ`.
pub(super) const ALPHA: f64 = 2.6810828736277523;
pub(super) const BETA: f64 = 3.0504301992474105;

/// `T` of `T⁻¹ A⁻¹ T = diag(γ, [α −β; β α])`.
pub(super) const T: [[f64; 3]; 3] = [
    [0.09123239487089295, -0.1412552950209542, -0.030029194105147424],
    [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
    [0.966048182615093, 1.0, 0.0],
];
/// `T⁻¹`.
pub(super) const TI: [[f64; 3]; 3] = [
    [4.325579890063155, 0.33919925181580984, 0.5417705399358749],
    [-4.178718591551905, -0.32768282076106237, 0.47662355450055044],
    [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    fn assert_close(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) {
        for (a, b) in a.as_flattened().iter().zip(b.as_flattened()) {
            // Entries up to 4 cancel.
            assert!((a - b).abs() < 4e-14, "{a} for {b}");
        }
    }

    /// The matrix of the method as printed: Hairer and Wanner, table IV.5.6.
    fn printed() -> [[f64; 3]; 3] {
        let s = 6.0_f64.sqrt();
        [
            [(88.0 - 7.0 * s) / 360.0, (296.0 - 169.0 * s) / 1800.0, (-2.0 + 3.0 * s) / 225.0],
            [(296.0 + 169.0 * s) / 1800.0, (88.0 + 7.0 * s) / 360.0, (-2.0 - 3.0 * s) / 225.0],
            [(16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0],
        ]
    }

    #[test]
    fn property_collocation_conditions_hold() {
        // C(3): every row integrates t^0, t, t² exactly up to its node; B(5): the last one up to t⁴.
        for (row, c) in printed().iter().zip(C) {
            let degree = if c == 1.0 { 4 } else { 2 };
            for k in 0..=degree {
                let quadrature: f64 = row.iter().zip(C).map(|(a, c)| a * c.powi(k)).sum();
                assert!((quadrature - c.powi(k + 1) / f64::from(k + 1)).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn property_the_transformation_is_that_of_the_method() {
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_close(&product(&T, &TI), &identity);
        // A T Λ = T where Λ holds the eigenvalues of A⁻¹.
        let eigenvalues = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, -BETA], [0.0, BETA, ALPHA]];
        assert_close(&product(&product(&printed(), &T), &eigenvalues), &T);
    }

    #[test]
    fn property_the_error_estimate_vanishes_for_cubics() {
        // E z + h f(t0) = 0 for y = t, t², t³ from t0 = 0, h = 1: only f = 1 of y = t has a slope at the start,
        // and the formula compares with it scaled by γ0 in E1: (γ0/h)⁻¹ is left out on both sides.
        for k in 2..=3 {
            let z = C.map(|c| c.powi(k));
            let sum: f64 = E.iter().zip(z).map(|(e, z)| e * z).sum();
            assert!(sum.abs() < 2e-14, "t^{k}: {sum:e}");
        }
        let sum: f64 = E.iter().zip(C).map(|(e, c)| e * c).sum();
        assert!((sum + 1.0).abs() < 2e-14);
    }
}
