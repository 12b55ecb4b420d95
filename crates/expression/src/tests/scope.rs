//! Names that a caller declares: parameters, lists, names with points, tables.

use std::sync::Arc;

use crate::units::Dimension;
use crate::{Curve, ExpressionError, Jet, Scope, Spline, Surface};

fn scope() -> Scope {
    let points = [0.0, 1.0, 2.0, 4.0];
    let square = Curve::new(&points, &points.map(|x| x * x), Spline::default()).unwrap();
    let grid: Vec<f64> = points.iter().flat_map(|x| points.map(|y| x * y)).collect();
    let product = Surface::new(&points, &points, &grid, [Spline::default(); 2]).unwrap();
    Scope::new()
        .variable("t", Dimension::Time)
        .variable("crank.angle", Dimension::Angle)
        .variables("q", 3, Dimension::Number)
        .parameter("crank", 0.05, Dimension::Length)
        .parameter("n", 1.5, Dimension::Number)
        .parameters("lengths", &[0.1, 0.2, 0.4], Dimension::Length)
        .curve("square", Arc::new(square), [Dimension::Number; 2])
        .surface("product", Arc::new(product), [Dimension::Number; 3])
}

fn eval(source: &str) -> f64 {
    let expression = scope().parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    expression.eval(&[2.0, 0.5, 10.0, 20.0, 30.0])
}

fn error(source: &str) -> ExpressionError {
    scope().parse(source).expect_err(source)
}

#[test]
fn exact_parameters_are_constants_with_a_name() {
    // One rounding of the sum.
    assert!((eval("crank/2 + 5 mm") - 0.03).abs() < 1e-17);
    assert_eq!(eval("4^n"), 8.0);
    assert_eq!(eval("lengths[0] + lengths[2]"), 0.5);
    assert_eq!(eval("lengths[2*n - 1]"), 0.4);
    // They are folded like other constants, and so leave one step.
    assert_eq!(scope().parse("2*crank + lengths[1]").unwrap().code.len(), 1);
}

#[test]
fn exact_lists_of_variables_and_names_with_points() {
    assert_eq!(eval("q[0] + 2*q[1] - q[2]"), 20.0);
    assert_eq!(eval("2*crank.angle + t"), 3.0);
    let expression = scope().parse("q[1]^2*crank.angle").unwrap();
    let mut gradient = [f64::NAN; 5];
    assert_eq!(expression.eval_gradient(&[2.0, 0.5, 10.0, 20.0, 30.0], &mut gradient), 200.0);
    assert_eq!(gradient, [0.0, 400.0, 0.0, 20.0, 0.0]);
}

#[test]
fn exact_tables_are_called_like_functions() {
    // Splines of these ends reproduce the polynomials that the points are of.
    assert!((eval("square(t + 1)") - 9.0).abs() < 1e-14);
    assert!((eval("product(t, 3)") - 6.0).abs() < 1e-14);
    assert!((eval("product(square(t)/2, q[0]/10) - product(t, 1)")).abs() < 1e-14);
    // A constant input is looked up once.
    assert_eq!(scope().parse("square(3) + product(1, 2)").unwrap().code.len(), 1);
    let jet = scope().parse("square(t)").unwrap().eval_jet(&[
        Jet::variable(3.0),
        Jet::constant(0.0),
        Jet::constant(0.0),
        Jet::constant(0.0),
        Jet::constant(0.0),
    ]);
    assert!((jet.first - 6.0).abs() < 1e-13 && (jet.second - 2.0).abs() < 1e-13, "{jet:?}");
}

#[test]
fn exact_the_last_declaration_counts_and_tables_hide_functions() {
    let line =
        Curve::new(&[0.0, 1.0], &[5.0, 6.0], Spline::Natural { outside: crate::Outside::Extend });
    let scope = scope().parameter("crank", 7.0, Dimension::Number).curve(
        "sin",
        Arc::new(line.unwrap()),
        [Dimension::Number; 2],
    );
    let expression = scope.parse("crank + sin(0.5) + sin(3)").unwrap();
    assert_eq!(expression.eval(&[0.0; 5]), 7.0 + 5.5 + 8.0);
}

#[test]
fn exact_errors_of_names_and_lists() {
    for (source, span, message, hint) in [
        ("2*cranc", 2..7, "unknown name `cranc`", "did you mean `crank`?"),
        ("crank.angel", 0..11, "unknown name `crank.angel`", "did you mean `crank.angle`?"),
        ("sqare(t)", 0..5, "unknown function `sqare`", "did you mean `square`?"),
        (
            "square + 1",
            0..6,
            "`square` is a table and needs its argument in parentheses",
            "write `square(...)`",
        ),
        ("product(t)", 0..10, "`product` takes 2 arguments, not 1", ""),
        (
            "1 + lengths",
            4..11,
            "`lengths` is a list and needs an index",
            "write `lengths[0]` for the first",
        ),
        ("t[0]", 0..1, "`t` is not a list", ""),
        (
            "lengths[3]",
            8..9,
            "the index of `lengths` must be a constant whole number from 0 on, below 3",
            "",
        ),
        (
            "lengths[0.5]",
            8..11,
            "the index of `lengths` must be a constant whole number from 0 on, below 3",
            "",
        ),
        ("q[t]", 2..3, "the index of `q` must be a constant whole number from 0 on, below 3", ""),
        ("q[1", 1..2, "this bracket is never closed", "add `]`"),
        ("q[1)", 3..4, "an operator is missing before this", "to multiply, write `*`"),
        ("2*[t]", 2..3, "`[` is not used here", "use round parentheses"),
        ("(t)[0]", 3..4, "`[` is not used here", "use round parentheses"),
        ("crank(2)", 0..5, "`crank` is not a function", "to multiply, write `crank*(`"),
    ] {
        let error = error(source);
        assert_eq!(error.span(), span, "{source}: {error}");
        assert_eq!(error.to_string(), message, "{source}");
        assert_eq!(error.hint().unwrap_or_default(), hint, "{source}");
    }
    assert_eq!(error("1 +\n  cranc").column("1 +\n  cranc"), 3);
}

#[test]
fn property_tables_that_stop_are_kinks() {
    assert_eq!(scope().parse("square(t)").unwrap().first_kink(), Some("square"));
    assert_eq!(scope().parse("product(t, t)").unwrap().first_kink(), Some("product"));
    let wave = Curve::new(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, -1.0, 0.0], Spline::Periodic).unwrap();
    let scope = Scope::of(&["t"]).curve("wave", Arc::new(wave), [Dimension::Number; 2]);
    assert_eq!(scope.parse("wave(t)").unwrap().first_kink(), None);
}
