//! Derivatives by several variables; the judges are closed forms, differences, and identities between them.

use proptest::prelude::*;

use super::same;
use super::trees::{VARIABLES, close, differences, smooth_tree};
use crate::{Expression, Jet};

fn derivatives(source: &str, names: &[&str], values: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
    let expression = Expression::parse(source, names).unwrap_or_else(|e| panic!("{source}: {e}"));
    let n = names.len();
    let (mut gradient, mut hessian) = (vec![f64::NAN; n], vec![f64::NAN; n * n]);
    let value = expression.eval_hessian(values, &mut gradient, &mut hessian);
    (value, gradient, hessian)
}

#[test]
fn exact_derivatives_of_three_variables() {
    let (value, gradient, hessian) =
        derivatives("x^2*y + y*z^3 - x*z", &["x", "y", "z"], &[2.0, 3.0, -1.0]);
    assert_eq!(value, 12.0 - 3.0 + 2.0);
    assert_eq!(gradient, [13.0, 3.0, 7.0]); // 2xy − z, x² + z³, 3yz² − x
    assert_eq!(hessian, [6.0, 4.0, -1.0, 4.0, 0.0, 3.0, -1.0, 3.0, -18.0]);
}

#[test]
fn exact_mixed_derivatives_of_quotients_and_powers() {
    // ∂²(x/y)/∂x∂y = −1/y², ∂²xʸ/∂x∂y = xʸ⁻¹(1 + y ln x), ∂²atan2(y, x)/∂x∂y = (y² − x²)/(x² + y²)².
    let (_, _, hessian) = derivatives("x/y", &["x", "y"], &[3.0, 2.0]);
    assert_eq!(hessian[1], -0.25);
    let (_, _, hessian) = derivatives("x^y", &["x", "y"], &[std::f64::consts::E, 2.0]);
    assert!(close(hessian[1], 3.0 * std::f64::consts::E, 1e-15));
    let (_, _, hessian) = derivatives("atan2(y, x)", &["x", "y"], &[1.0, 2.0]);
    assert!(close(hessian[1], 3.0 / 25.0, 1e-15));
}

#[test]
fn exact_mixed_derivative_of_a_law_at_first_touch() {
    // F = K δ^1.5 (1 + c δ̇): ∂²F/∂δ∂δ̇ = 1.5 K c √δ, which is 0 at δ = 0, however the power is written.
    for law in ["8*delta^1.5*(1 + 2*rate)", "8*delta*sqrt(delta)*(1 + 2*rate)"] {
        let (value, gradient, hessian) = derivatives(law, &["delta", "rate"], &[0.0, 0.5]);
        assert_eq!((value, gradient[1]), (0.0, 0.0), "{law}");
        assert!(gradient[0].abs() < 1e-40 && hessian[1].abs() < 1e-40, "{law}: {hessian:?}");
    }
}

#[test]
fn property_an_expression_without_variables_has_none() {
    let (value, gradient, hessian) = derivatives("2*3", &[], &[]);
    assert_eq!((value, gradient.len(), hessian.len()), (6.0, 0, 0));
    let constant = Expression::parse("2*3", &[]).unwrap();
    assert_eq!(constant.eval_gradient(&[], &mut []), 6.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The gradient is made of the jets, to the bit; the second derivative along x + y is made of the Hessian.
    #[test]
    fn property_hessian_agrees_with_jets_in_other_directions(
        tree in smooth_tree(), x in -1.0..1.0, y in -1.0..1.0, u in -2.0..2.0, v in -2.0..2.0,
    ) {
        let source = tree.print();
        let (value, gradient, hessian) = derivatives(&source, &VARIABLES, &[x, y]);
        let expression = Expression::parse(&source, &VARIABLES).unwrap();
        let along = |u: f64, v: f64| expression.eval_jet(&[
            Jet { value: x, first: u, second: 0.0 },
            Jet { value: y, first: v, second: 0.0 },
        ]);
        prop_assert!(same(value, expression.eval(&[x, y])));
        prop_assert!(same(gradient[0], along(1.0, 0.0).first));
        prop_assert!(same(gradient[1], along(0.0, 1.0).first));
        prop_assert!(same(hessian[0], along(1.0, 0.0).second));
        prop_assert!(same(hessian[1], hessian[2]));
        let oblique = along(u, v);
        let parts = [u * u * hessian[0], 2.0 * u * v * hessian[1], v * v * hessian[3]];
        let scale: f64 = 1.0 + parts.iter().map(|part| part.abs()).sum::<f64>();
        let bent = parts.iter().sum::<f64>();
        if oblique.is_finite() && scale < 1e6 {
            prop_assert!((oblique.second - bent).abs() < 1e-10 * scale, "{source}: {oblique:?}, {bent}");
        }
    }

    /// The mixed derivative against differences of the first one.
    #[test]
    fn property_mixed_derivatives_equal_differences(
        tree in smooth_tree(), x in -1.0..1.0, y in -1.0..1.0,
    ) {
        let source = tree.print();
        let (_, _, hessian) = derivatives(&source, &VARIABLES, &[x, y]);
        let expression = Expression::parse(&source, &VARIABLES).unwrap();
        let by_x = |s: f64| expression.eval_jet(&[Jet::variable(x), Jet::constant(y + s)]).first;
        let (coarse, fine) = (differences(by_x, 2e-2).0, differences(by_x, 1e-2).0);
        if close(coarse, fine, 1e-9) {
            prop_assert!(close(hessian[1], fine, 1e-8), "{source}: {}, {fine}", hessian[1]);
        }
    }
}
