//! Signals and texts of tables that are refused, and what is said of them.

use std::error::Error;
use std::f64::consts::PI;

use jointplay_expression::units::Dimension;
use jointplay_mbd::signal::{
    CsvProblem, HalfSine, Harmonic, Signal, SignalError, SmoothStep, Spline,
};

use super::{NATURAL, NOT_A_KNOT, TIMES, VALUES};

#[test]
fn exact_refusals() {
    use SignalError::{
        EntryNotFinite, Interval, Lengths, NotFinite, NotIncreasing, NotPeriodic, NotPositive,
        Overflow, TooFew,
    };
    let fine = SmoothStep { start: 0.0, end: 1.0, from: 0.0, to: 1.0 };
    let shock = HalfSine { amplitude: 1.0, start: 0.0, duration: 1.0 };
    let wave = Harmonic { amplitude: 1.0, ..Harmonic::default() };
    let infinity = f64::INFINITY;
    let table = |times: &[f64], values: &[f64], spline| Signal::table(times, values, spline);
    for (result, error) in [
        (Signal::constant(infinity), NotFinite { quantity: "constant", value: infinity }),
        (Signal::rate(0.0, infinity), NotFinite { quantity: "rate", value: infinity }),
        (Signal::polynomial(&[]), TooFew { quantity: "coefficients", count: 0, least: 1 }),
        (
            Signal::polynomial(&[1.0, infinity]),
            EntryNotFinite { quantity: "coefficient", index: 1, value: infinity },
        ),
        (
            Signal::harmonic(Harmonic { phase: infinity, ..wave }),
            NotFinite { quantity: "phase", value: infinity },
        ),
        (
            Signal::harmonic(Harmonic { angular_frequency: 1e200, ..wave }),
            Overflow { kind: "harmonic" },
        ),
        (Signal::smooth_step(SmoothStep { end: 0.0, ..fine }), Interval { start: 0.0, end: 0.0 }),
        (Signal::smooth_step(SmoothStep { end: 1e-200, ..fine }), Overflow { kind: "smooth step" }),
        (
            Signal::smooth_step(SmoothStep { start: -1e308, end: 1e308, ..fine }),
            Overflow { kind: "smooth step" },
        ),
        (
            Signal::half_sine(HalfSine { start: 1e308, duration: 1e308, ..shock }),
            NotFinite { quantity: "end", value: infinity },
        ),
        (
            Signal::half_sine(HalfSine { duration: -1.0, ..shock }),
            NotPositive { quantity: "duration", value: -1.0 },
        ),
        (Signal::half_sine(HalfSine { start: 1e20, ..shock }), Interval { start: 1e20, end: 1e20 }),
        (
            Signal::half_sine(HalfSine { duration: 1e-200, ..shock }),
            Overflow { kind: "half-sine pulse" },
        ),
        (
            Signal::constant(1.0).unwrap().scaled(infinity),
            NotFinite { quantity: "factor", value: infinity },
        ),
        (table(&[0.0, 1.0], &[0.0], NATURAL), Lengths { times: 2, values: 1 }),
        (
            table(&[0.0, 1.0, 2.0], &[0.0; 3], NOT_A_KNOT),
            TooFew { quantity: "points of a not-a-knot spline", count: 3, least: 4 },
        ),
        (
            table(&[0.0], &[0.0], NATURAL),
            TooFew { quantity: "points of a natural spline", count: 1, least: 2 },
        ),
        (
            table(&[0.0, 1.0, 2.0], &[0.0; 3], Spline::Periodic),
            TooFew { quantity: "points of a periodic spline", count: 3, least: 4 },
        ),
        (
            table(&[0.0, infinity], &[0.0; 2], NATURAL),
            EntryNotFinite { quantity: "time", index: 1, value: infinity },
        ),
        (
            table(&[0.0, 1.0], &[infinity, 0.0], NATURAL),
            EntryNotFinite { quantity: "value", index: 0, value: infinity },
        ),
        (
            table(&[0.0, 1.0, 1.0], &[0.0; 3], NATURAL),
            NotIncreasing { index: 2, previous: 1.0, time: 1.0 },
        ),
        (
            table(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 3.0], Spline::Periodic),
            NotPeriodic { first: 0.0, last: 3.0 },
        ),
        (table(&[0.0, 1e-200], &[0.0, 1e200], NATURAL), Overflow { kind: "table" }),
        (table(&[-1e308, 1e308], &[0.0, 0.0], NATURAL), Overflow { kind: "table" }),
    ] {
        let found = result.unwrap_err();
        assert_eq!(found, error);
        assert!(found.source().is_none());
    }
    assert!(matches!(
        Signal::smooth_step(SmoothStep { to: f64::NAN, ..fine }),
        Err(NotFinite { quantity: "last value", .. })
    ));
}

#[test]
fn exact_csv_with_header_comments_and_blanks() {
    let text = "\u{feff}# bench 4, run 12\r\n\r\n time [s] , force [N]\r\n0, 0\r\n 0.1,1.5 # peak\r\n\r\n.25,-2.5e-1\r\n";
    let read = Signal::table_from_csv(text, Dimension::Force, NATURAL).unwrap();
    assert_eq!(read, Signal::table(&TIMES[..3], &VALUES[..3], NATURAL).unwrap());
    // without a header, and without a last line break
    assert_eq!(
        Signal::table_from_csv("0,0\n0.1,1.5\n0.25,-0.25", Dimension::Force, NATURAL).unwrap(),
        read
    );
}

#[test]
fn exact_csv_problems_are_all_listed() {
    let text = "t,y\n0,1\n0.1;2\n# fine\n0.2,abc\n0.2,1\n0.1,inf\n0.3,\n0.4,1,2\nt,y\n";
    let error = Signal::table_from_csv(text, Dimension::Force, NOT_A_KNOT).unwrap_err();
    let not_a_number =
        |line, column, field: &str| CsvProblem::NotANumber { line, column, field: field.into() };
    let problems = vec![
        CsvProblem::Columns { line: 3, found: 1, separator: Some(';') },
        not_a_number(5, 2, "abc"),
        CsvProblem::NotIncreasing { line: 6, previous: 0.2, time: 0.2 },
        CsvProblem::NotFinite { line: 7, column: 2, value: f64::INFINITY },
        CsvProblem::NotIncreasing { line: 7, previous: 0.2, time: 0.1 },
        not_a_number(8, 2, ""),
        CsvProblem::Columns { line: 9, found: 3, separator: None },
        not_a_number(10, 1, "t"),
        not_a_number(10, 2, "y"),
    ];
    assert_eq!(error, SignalError::Csv { problems });
    assert_eq!(
        error.to_string(),
        "the table cannot be read:
  line 3: 1 column instead of 2; a comma separates time and value, not ';'
  line 5, column 2: `abc` is not a number
  line 6, column 1: 0.2 s follows 0.2 s; the times must increase
  line 7, column 2: inf must be a finite number
  line 7, column 1: 0.1 s follows 0.2 s; the times must increase
  line 8, column 2: `` is not a number
  line 9: 3 columns instead of 2; a comma separates time and value
  line 10, column 1: `t` is not a number
  line 10, column 2: `y` is not a number"
    );
}

#[test]
fn exact_csv_typing_error_in_the_first_line_is_no_header() {
    let error = Signal::table_from_csv("0.O,1\n1,2\n", Dimension::Force, NATURAL).unwrap_err();
    assert!(error.to_string().ends_with("line 1, column 1: `0.O` is not a number"));
}

/// 250 ms are 0.25 s to the last bit, and 2.5 kN are 2500 N.
#[test]
fn exact_csv_units_of_the_header_apply() {
    let plain = Signal::table_from_csv("0,0\n0.1,1500\n0.25,-250\n", Dimension::Force, NATURAL);
    let rows = "0,0\n100,1.5\n250,-0.25\n";
    for header in ["t [ms],F [kN]", "time (ms), F(t) [kN]", "\"t [ms]\",\"pull (kN)\""] {
        let read = Signal::table_from_csv(&format!("{header}\n{rows}"), Dimension::Force, NATURAL);
        assert_eq!(read, plain, "{header}");
    }
    // Names without units mean SI, whatever they are.
    for header in ["t,F", "time_s,F_N", "t/s,x(t)", "time,force in N"] {
        let rows = "0,0\n0.1,1500\n0.25,-250\n";
        let read = Signal::table_from_csv(&format!("{header}\n{rows}"), Dimension::Force, NATURAL);
        assert_eq!(read, plain, "{header}");
    }
    let degrees = Signal::table_from_csv("t,phi [deg]\n0,0\n1,180\n", Dimension::Angle, NATURAL);
    assert_eq!(degrees.unwrap().value(1.0), PI);
}

#[test]
fn exact_csv_headers_that_cannot_be_meant_are_refused() {
    let cases = [
        ("t [ms],F [mm]", "line 1, column 2", "`mm` is a unit of length; a force is expected"),
        ("F [N],t [s]", "line 1, column 1", "`N` is a unit of force; a time is expected"),
        ("t [s],F [kp]", "line 1, column 2", "unknown unit `kp`"),
        ("t [s],F []", "line 1, column 2", "not a unit of a force"),
        ("t [1],F [N]", "line 1, column 1", "not a unit of a time"),
        ("t_ms,F", "line 1, column 1", "`ms`; write it in brackets"),
        ("t,F/kN", "line 1, column 2", "`kN`; write it in brackets"),
        ("F,t", "line 1, column 2", "the time is the first column"),
        ("t,F,G", "line 1", "3 columns instead of 2"),
        ("0;10", "line 1", "1 column instead of 2; a comma separates time and value, not ';'"),
        ("0\t10", "line 1", "a comma separates time and value, not '\\t'"),
        ("0,5;1,5", "line 1", "3 columns instead of 2; a comma separates time and value, not ';'"),
        ("0.O,1O", "line 1, column 1", "`0.O` is not a number"),
    ];
    for (first, place, words) in cases {
        let text = format!("{first}\n0.1,10\n0.2,10\n0.3,10\n");
        let error = Signal::table_from_csv(&text, Dimension::Force, NATURAL).unwrap_err();
        let told = error.to_string();
        assert!(told.contains(place) && told.contains(words), "{first}: {told}");
    }
}

#[test]
fn exact_csv_without_enough_points() {
    for text in ["", "# nothing\n", "time,value\n"] {
        let error = Signal::table_from_csv(text, Dimension::Force, NATURAL).unwrap_err();
        let quantity = "points of a natural spline";
        assert_eq!(error, SignalError::TooFew { quantity, count: 0, least: 2 });
    }
}
