//! Tests of the whole route from text to value; the judges are closed forms, an independent
//! walk over random syntax trees, and difference quotients.

mod bounds;
mod derivatives;
mod dimensions;
mod refusals;
mod scope;
mod tables;
mod trees;

use crate::{Expression, ExpressionError, Jet};
use trees::{close, differences};

fn eval(source: &str, x: f64) -> f64 {
    parse(source).eval(&[x])
}

fn parse(source: &str) -> Expression {
    Expression::parse(source, &["x"]).unwrap_or_else(|error| panic!("{source}: {error}"))
}

fn error(source: &str) -> ExpressionError {
    Expression::parse(source, &["delta", "delta_dot"]).unwrap_err()
}

fn jet(source: &str, x: f64) -> Jet {
    parse(source).eval_jet(&[Jet::variable(x)])
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn exact_precedence_and_associativity() {
    assert_eq!(eval("-x^2", 3.0), -9.0);
    assert_eq!(eval("(-x)^2", 3.0), 9.0);
    assert_eq!(eval("2^3^2", 0.0), 512.0);
    assert_eq!(eval("x^-1", 4.0), 0.25);
    assert_eq!(eval("2^-x^2", 2.0), 0.0625);
    assert_eq!(eval("2^-x*3", 1.0), 1.5);
    assert_eq!(eval("10 - 4 - 3", 0.0), 3.0);
    assert_eq!(eval("24/4/3", 0.0), 2.0);
    assert_eq!(eval("24/4*3", 0.0), 18.0);
    assert_eq!(eval("2*-x", 3.0), -6.0);
    assert_eq!(eval("2--+-x", 3.0), -1.0);
    assert_eq!(eval("-2^2", 0.0), -4.0);
    assert_eq!(eval("1 + 2*x^2/8", 2.0), 2.0);
}

#[test]
fn exact_numbers_and_constants() {
    assert_eq!(eval("1e-3 + 2.5 + .5 + 1. + 1E2 + 2e+1", 0.0), 124.001);
    assert_eq!(eval("pi", 0.0), std::f64::consts::PI);
    assert_eq!(eval("π·e", 0.0), std::f64::consts::PI * std::f64::consts::E);
    // 1e-400 rounds to zero, which is the nearest number.
    assert_eq!(eval("1e-400", 0.0), 0.0);
}

#[test]
fn exact_functions() {
    let x = 0.3_f64;
    for (source, value) in [
        ("sin(x)", 0.29552020666133955),
        ("cos(x)", 0.955336489125606),
        ("tan(x)", 0.30933624960962325),
        ("asin(x)", 0.3046926540153975),
        ("acos(x)", 1.2661036727794992),
        ("atan(x)", 0.2914567944778671),
        ("sinh(x)", 0.3045202934471426),
        ("cosh(x)", 1.0453385141288605),
        ("tanh(x)", 0.2913126124515909),
        ("exp(x)", 1.3498588075760032),
        ("ln(x)", -1.2039728043259361),
        ("log10(x)", -0.5228787452803376),
        ("sqrt(x)", 0.5477225575051661),
        ("cbrt(x)", 0.6694329500821695),
    ] {
        // Values by a 50-digit calculator; two units in the last place for the platform's libm.
        assert!((eval(source, x) - value).abs() <= 2.0 * f64::EPSILON * value.abs(), "{source}");
    }
    assert_eq!(eval("abs(x)", -2.0), 2.0);
    assert_eq!(eval("atan2(x, -1)", 0.0), std::f64::consts::PI);
    assert_eq!(eval("pow(x, 3)", 2.0), 8.0);
    assert_eq!([-2.0, 0.0, 2.0].map(|x| eval("sign(x)", x)), [-1.0, 0.0, 1.0]);
    assert_eq!([-1e-300, 0.0, 2.0].map(|x| eval("step(x)", x)), [0.0, 1.0, 1.0]);
    assert_eq!([-2.0, 0.5, 7.0].map(|x| eval("clamp(x, -1, 1)", x)), [-1.0, 0.5, 1.0]);
    assert_eq!(eval("clamp(x, 2, 1)", 0.0), 1.0);
    assert_eq!([-2.0, 0.0, 2.0].map(|x| eval("min(x, 1) + max(x, 0)", x)), [-2.0, 0.0, 3.0]);
}

#[test]
fn exact_conditions() {
    assert_eq!([-1.0, 0.0, 1.0].map(|x| eval("if(x < 0, 1, 2)", x)), [1.0, 2.0, 2.0]);
    assert_eq!([-1.0, 0.0, 1.0].map(|x| eval("if(x <= 0, 1, 2)", x)), [1.0, 1.0, 2.0]);
    assert_eq!([-1.0, 0.0, 1.0].map(|x| eval("if(x > 0, 1, 2)", x)), [2.0, 2.0, 1.0]);
    assert_eq!([-1.0, 0.0, 1.0].map(|x| eval("if((x ≥ 0), 1, 2)", x)), [2.0, 1.0, 1.0]);
    assert_eq!(eval("if(x + 1 < 2*x, if(x > 5, 1, 2), 3)", 3.0), 2.0);
    // The arm that is not taken may be NaN.
    assert_eq!(jet("if(x < 0, 0, x^1.5)", -1.0), Jet::constant(0.0));
    // A NaN in the condition is not hidden by an arm.
    for source in ["if(x < 0, 1, 2)", "min(x, 1)", "min(1, x)", "max(x, 1)", "step(x)", "sign(x)"] {
        assert!(eval(source, f64::NAN).is_nan(), "{source}");
    }
}

#[test]
fn exact_symbols_of_the_papers() {
    let names = ["delta", "delta_dot"];
    let law = Expression::parse("2·δ^2 × (1 − δ̇)", &names).unwrap();
    assert_eq!(law.eval(&[3.0, -1.0]), 36.0);
    assert_eq!(law.to_string(), "2·δ^2 × (1 − δ̇)");
    // A variable named `e` or `δ` hides the constant or the symbol.
    assert_eq!(Expression::parse("e + δ", &["e", "δ"]).unwrap().eval(&[1.0, 2.0]), 3.0);
    // A variable may share its name with a function.
    assert_eq!(Expression::parse("step*step(step)", &["step"]).unwrap().eval(&[3.0]), 3.0);
}

#[test]
fn exact_special_exponents_agree_with_the_logarithmic_power() {
    for tenths in -60..=60 {
        let exponent = f64::from(tenths) / 4.0;
        let source = format!("x^({exponent})");
        for x in [0.3, 1.7, 41.0] {
            let value = x_to(x, exponent);
            // Up to eight roundings of products against one of the library's power.
            assert!((eval(&source, x) / value - 1.0).abs() < 2e-15, "{source} at {x}");
        }
    }
}

fn x_to(x: f64, exponent: f64) -> f64 {
    f64::powf(x, exponent)
}

#[test]
fn exact_jets_of_powers_at_zero() {
    let infinity = f64::INFINITY;
    assert_eq!(jet("x^1.5", 0.0), Jet { value: 0.0, first: 0.0, second: infinity });
    assert_eq!(jet("x^1.2", 0.0), Jet { value: 0.0, first: 0.0, second: infinity });
    assert_eq!(jet("x^2.3", 0.0), Jet { value: 0.0, first: 0.0, second: 0.0 });
    assert_eq!(jet("x^1", 0.0), Jet { value: 0.0, first: 1.0, second: 0.0 });
    assert_eq!(jet("x^2", 0.0), Jet { value: 0.0, first: 0.0, second: 2.0 });
    assert_eq!(jet("x^3", 0.0), Jet { value: 0.0, first: 0.0, second: 0.0 });
    assert_eq!(jet("x^0", 0.0), Jet { value: 1.0, first: 0.0, second: 0.0 });
    assert_eq!(jet("x^0.5", 0.0), Jet { value: 0.0, first: infinity, second: -infinity });
    assert_eq!(jet("pow(x, 1 + x^2)", 0.0).first, 1.0);
}

#[test]
fn exact_jet_of_a_force_law_at_first_touch() {
    let names = ["delta", "delta_dot"];
    for law in [
        "1e9*delta^1.5*(1 + 0.4*delta_dot)",
        "1e9*delta*sqrt(delta)*(1 + 0.4*delta_dot)",
        "(1 + 0.4*delta_dot)*1e9*sqrt(delta)*delta",
        "1e9*max(delta, 0)^1.5*(1 + 0.4*delta_dot)",
    ] {
        let law = Expression::parse(law, &names).unwrap();
        let along_delta = law.eval_jet(&[Jet::variable(0.0), Jet::constant(0.1)]);
        assert_eq!(along_delta.value, 0.0);
        assert!(along_delta.first.abs() < 1e-40, "{law}: {along_delta:?}");
        assert!(along_delta.second > 1e50, "{law}: {along_delta:?}");
        let along_rate = law.eval_jet(&[Jet::constant(0.0), Jet::variable(0.1)]);
        assert_eq!(along_rate, Jet::constant(0.0), "{law}");
    }
    // 0·∞ that has a finite limit: (√x)² = x.
    let unit = jet("sqrt(x)*sqrt(x)", 0.0);
    assert!((unit.first - 1.0).abs() < 1e-15, "{unit:?}");
}

#[test]
fn exact_jets_of_polynomials_and_quotients() {
    assert_eq!(jet("x^4 - 3*x^2 + 2", 2.0), Jet { value: 6.0, first: 20.0, second: 42.0 });
    assert_eq!(jet("1/x", 2.0), Jet { value: 0.5, first: -0.25, second: 0.25 });
    assert_eq!(jet("x/(1 + x)", 1.0), Jet { value: 0.5, first: 0.25, second: -0.25 });
    assert_eq!(jet("abs(x)", -2.0), Jet { value: 2.0, first: -1.0, second: 0.0 });
    assert_eq!(jet("5 - 2*x", 1.0), Jet { value: 3.0, first: -2.0, second: 0.0 });
    assert_eq!(jet("clamp(x, 0, 1)", 2.0), Jet::constant(1.0));
    assert_eq!(jet("clamp(x, 0, 1)", 1.0), Jet::variable(1.0));
}

#[test]
fn regress_constant_parts_are_folded() {
    let steps = |source| parse(source).code.len();
    assert_eq!(steps("2*pi*10"), 1);
    assert_eq!(steps("if(1 < 2, sin(1), max(2, 3)^2)"), 1);
    assert_eq!(steps("2*pi*10*x"), 2);
    assert_eq!(steps("3 - x/2"), 3);
    assert_eq!(steps("x^(1/2)"), 2);
    assert_eq!(steps("50*sin(2*pi*10*x) + 0.5*x^2 - exp(-x)"), 12);
}

#[test]
fn property_each_function_has_its_derivatives() {
    for (source, low, high) in [
        ("sin(x)", -3.0, 3.0),
        ("cos(x)", -3.0, 3.0),
        ("tan(x)", -1.0, 1.0),
        ("asin(x)", -0.7, 0.7),
        ("acos(x)", -0.7, 0.7),
        ("atan(x)", -3.0, 3.0),
        ("sinh(x)", -2.0, 2.0),
        ("cosh(x)", -2.0, 2.0),
        ("tanh(x)", -2.0, 2.0),
        ("exp(x)", -2.0, 2.0),
        ("ln(x)", 0.5, 4.0),
        ("log10(x)", 0.5, 4.0),
        ("sqrt(x)", 0.5, 4.0),
        ("cbrt(x)", -4.0, -0.5),
        ("abs(x)^3", -2.0, -0.5),
        ("x^1.5", 0.5, 4.0),
        ("x^2.5", 0.5, 4.0),
        ("x^0.5", 0.5, 4.0),
        ("x^5", -1.0, 1.0),
        ("x^-3", 0.7, 2.0),
        ("x^1.094", 0.5, 3.0),
        ("x^-0.3", 0.5, 3.0),
        ("x^x", 0.6, 2.0),
        ("2^x", -1.0, 1.0),
        ("atan2(x, 2)", -2.0, 2.0),
        ("atan2(2, x)", -2.0, 2.0),
        ("atan2(x, x^2 - 3)", 0.6, 2.0),
        ("min(x, 9)*max(x, -9)", -1.0, 1.0),
        ("clamp(x, 0.1, 0.9)^2", 0.2, 0.8),
        ("if(x < 0, x^2, 0)", -2.0, -0.5),
    ] {
        let expression = parse(source);
        for k in 0..=20 {
            let x = low + (high - low) * f64::from(k) / 20.0;
            let (first, second) = differences(|s| expression.eval(&[x + s]), 1e-2);
            let jet = expression.eval_jet(&[Jet::variable(x)]);
            assert!(close(jet.first, first, 1e-9), "{source} at {x}: {jet:?}, {first}");
            assert!(close(jet.second, second, 1e-7), "{source} at {x}: {jet:?}, {second}");
        }
    }
}
