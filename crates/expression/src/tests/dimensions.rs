//! Units after numbers, and what does not go together.

use proptest::prelude::*;

use crate::units::{Dimension, parse};
use crate::{Expression, Powers, Scope};

fn value(source: &str) -> f64 {
    Expression::parse(source, &[]).unwrap_or_else(|error| panic!("{source}: {error}")).eval(&[])
}

fn scope() -> Scope {
    Scope::new()
        .variable("t", Dimension::Time)
        .variable("delta", Dimension::Length)
        .variable("delta_dot", Dimension::Speed)
        .parameter("crank", 0.05, Dimension::Length)
        .parameter("ratio", 3.0, Dimension::Number)
}

fn powers(source: &str) -> Option<Powers> {
    scope().parse(source).unwrap_or_else(|error| panic!("{source}: {error}")).powers()
}

fn complaint(source: &str) -> String {
    let error = scope().parse(source).expect_err(source);
    format!("{}: {error}", error.column(source))
}

#[test]
fn exact_quantities_are_numbers_in_si() {
    assert_eq!(value("5 mm"), 0.005);
    assert_eq!(value("10mm + 1 cm"), 0.02);
    assert_eq!(value("3 rad/s"), 3.0);
    assert_eq!(value("2.5e3 N/mm"), 2.5e6);
    assert_eq!(value("36 km/h"), 10.0);
    assert_eq!(value("180°"), std::f64::consts::PI);
    assert_eq!(value("9.81 m/s^2"), 9.81);
    assert_eq!(value("20.94 kg mm^2"), 20.94e-6);
    assert_eq!(value("5 N m"), 5.0);
    assert_eq!(value("1 J/mm^3"), 1e9);
    assert_eq!(value("-2 mm"), -0.002);
    assert_eq!(value("8 GPa/2 GPa"), 4.0);
    assert_eq!(value("5 N/mm/2"), 2500.0);
    assert_eq!(value("60 rpm*2 s"), 2.0 * std::f64::consts::TAU);
}

#[test]
fn exact_powers_belong_to_the_unit_and_not_to_the_number() {
    assert_eq!(value("3 mm^2"), 3e-6);
    assert_eq!(value("(3 mm)^2"), 9e-6);
    assert_eq!(value("2 s^-1"), 2.0);
    // Two roundings of a power that is no decimal number.
    assert!((value("1 N/mm^1.5") / 31622.776601683795 - 1.0).abs() < 3.0 * f64::EPSILON);
    // A metre second is no millisecond.
    assert_eq!(value("2 m s"), 2.0);
    assert_eq!(value("2 ms"), 0.002);
}

#[test]
fn exact_dimensions_of_results() {
    let of = |dimension: Dimension| dimension.powers();
    assert_eq!(powers("5 N*2 mm"), of(Dimension::Torque));
    assert_eq!(powers("crank*3 rad/s"), of(Dimension::Speed));
    assert_eq!(powers("2*crank/t^2"), of(Dimension::Acceleration));
    assert_eq!(powers("sqrt(4 N/(2 kg)*crank)"), of(Dimension::Speed));
    assert_eq!(powers("cbrt(crank^2*delta)"), of(Dimension::Length));
    assert_eq!(powers("1e9 N/m^1.5*delta^1.5*(1 + 0.2 s/m*delta_dot)"), of(Dimension::Force));
    assert_eq!(powers("crank/delta"), Some(Powers::NONE));
    assert_eq!(powers("5 mm*sin(10 Hz*t)"), of(Dimension::Length));
    assert_eq!(powers("if(t < 2 s, crank, min(delta, 1))"), of(Dimension::Length));
    // Of a plain number nothing is known: it may be in SI units of whatever is needed.
    assert_eq!(powers("2*ratio"), None);
    assert_eq!(powers("0.3 + crank"), of(Dimension::Length));
}

#[test]
fn exact_what_does_not_go_together_is_told_with_its_place() {
    for (source, message) in [
        ("crank/2 + 5 N", "9: length and force cannot be added or compared"),
        ("5 mm - 3 s", "6: length and time cannot be added or compared"),
        ("5 mm + delta^2", "6: length and m^2 cannot be added or compared"),
        ("2*(5 mm) + 3 kg", "10: length and mass cannot be added or compared"),
        ("max(crank, 3 kg)", "12: length and mass cannot be added or compared"),
        ("if(crank < 3 kg, 1, 2)", "10: length and mass cannot be added or compared"),
        ("if(t < 1 s, crank, t)", "20: length and time cannot be added or compared"),
        ("atan2(crank, t)", "14: length and time cannot be added or compared"),
        ("crank*sin(t)", "11: the argument of `sin`: pure number expected, time found"),
        ("2^crank", "3: the exponent: pure number expected, length found"),
        ("crank^ratio^t", "13: the exponent: pure number expected, time found"),
        ("crank^(t/1 s)", "1: length cannot be raised to a power that varies"),
    ] {
        assert_eq!(complaint(source), message, "{source}");
    }
    let wrong = scope().parse_as("5 mm + crank", Dimension::Force).expect_err("a length");
    assert_eq!(wrong.to_string(), "the result: force expected, length found");
    assert!(scope().parse_as("2*ratio", Dimension::Force).is_ok());
    assert!(scope().parse_as("5 mm", Dimension::Number).is_ok());
}

#[test]
fn property_without_units_nothing_is_checked() {
    for source in
        ["sin(t) + delta", "1e9*delta^1.5*(1 + 0.4*delta_dot) - t", "delta^t", "max(t, delta)"]
    {
        let expression = scope().parse_as(source, Dimension::Force).expect(source);
        assert_eq!(expression.powers(), None, "{source}");
    }
}

#[test]
fn exact_what_is_no_unit_or_might_be_something_else() {
    for (source, message, hint) in [
        ("5 mn", "3: unknown unit `mn`", "did you mean `mN`?"),
        (
            "5 parsec",
            "3: unknown unit `parsec`",
            "units are written as in `5 mm`, `3 rad/s`, `2 kg m^2`; to multiply, write `*`",
        ),
        (
            "5 t",
            "3: `t` is a unit, but here it is also the name of something else",
            "to use the name, write `2*t` or `(5 mm)/t`; to use the unit, rename the variable or parameter",
        ),
        (
            "5 mm/t",
            "6: `t` is a unit, but here it is also the name of something else",
            "to use the name, write `2*t` or `(5 mm)/t`; to use the unit, rename the variable or parameter",
        ),
        (
            "5 mm^t",
            "6: the power of a unit must be a number",
            "to raise the quantity, write `(5 mm)^x`",
        ),
        ("5 crank", "3: an operator is missing before this", "to multiply, write `*`"),
        ("5 mm crank", "6: an operator is missing before this", "to multiply, write `*`"),
        ("5 sin(t)", "3: an operator is missing before this", "to multiply, write `*`"),
        ("5 m/s s", "7: an operator is missing before this", "to multiply, write `*`"),
        ("1e308 km/h*1 kN", "1: the number is too large", ""),
    ] {
        let Err(error) = scope().parse(source) else {
            assert!(source.starts_with("1e308"), "{source}");
            continue;
        };
        assert_eq!(format!("{}: {error}", error.column(source)), message, "{source}");
        assert_eq!(error.hint().unwrap_or_default(), hint, "{source}");
    }
    assert_eq!(complaint("1e308 kN"), "1: the number is too large");
    assert_eq!(scope().parse("(6 mm)/t").unwrap().eval(&[2.0, 0.0, 0.0]), 0.003);
}

/// A quantity means the same in an expression as alone in a model file, to the bit.
#[test]
fn property_every_unit_is_read_as_in_model_files() {
    for dimension in Dimension::ALL {
        for unit in dimension.unit_names().filter(|unit| !unit.starts_with('1')) {
            for number in ["1", "20.94", "0.3e-3", "7e11"] {
                let text = format!("{number} {unit}");
                let judge = parse(&text, *dimension).expect("a quantity");
                assert_eq!(value(&text).to_bits(), judge.to_bits(), "{text}");
                let read = Expression::parse(&text, &[]).unwrap();
                assert_eq!(read.powers(), dimension.powers(), "{text}");
            }
        }
    }
}

proptest! {
    /// Units are factors: a sum of quantities is the sum of the numbers in SI, and a quotient of like ones is pure.
    #[test]
    fn property_units_are_factors(
        a in 0.1..10.0_f64, b in 0.1..10.0_f64,
        units in prop::sample::select(vec![["mm", "m"], ["ms", "min"], ["kN", "mN"], ["deg", "rev"], ["N/mm", "kN/m"]]),
    ) {
        let [u, v] = units;
        let alone = |number: f64, unit: &str| value(&format!("{number:?} {unit}"));
        let sum = value(&format!("{a:?} {u} + {b:?} {v}"));
        prop_assert!((sum - (alone(a, u) + alone(b, v))).abs() <= f64::EPSILON * sum.abs());
        let quotient = Expression::parse(&format!("{a:?} {u}/({b:?} {v})"), &[]).unwrap();
        prop_assert_eq!(quotient.powers(), Some(Powers::NONE));
        let judge = alone(a, u) / alone(b, v);
        prop_assert!((quotient.eval(&[]) - judge).abs() <= 2.0 * f64::EPSILON * judge);
    }
}
