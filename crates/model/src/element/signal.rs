//! Functions of time, and the files that hold their points.

use jointplay_expression::Scope;
use jointplay_mbd::Signal;
use jointplay_mbd::signal::{HalfSine, Harmonic, Outside, SignalError, SmoothStep, Spline};

use super::coordinate::MOTION;
use crate::format::{ANGLE, NUMBER, TIME, f, must};
use crate::lower::{Lower, View};
use crate::shape::{self, Field, Kind, Omitted, Record};
use crate::source::{Node, Value};
use crate::units::{self, Dimension, Dimension as D, UnitError};
use crate::word::{Word, words};

use Kind::{Choice, List, Name, Quantity};

const LOADS: &[D] = &[D::Force, D::Torque];

macro_rules! signals {
    ($value:ident, $step:ident, $harmonic:ident, $pulse:ident, $fields:ident) => {
        static $step: Record = Record {
            doc: "A smooth step of the fifth degree",
            fields: &[&[
                f("from", Quantity($value), "value before; 0 by default").omitted(Omitted::Number(0.0)),
                must("to", Quantity($value), "value after"),
                f("begin", TIME, "time at which it begins; 0 by default").omitted(Omitted::Number(0.0)),
                must("end", TIME, "when it ends"),
            ]],
            parameters: false,
        };
        static $harmonic: Record = Record {
            doc: "offset + amplitude sin(2 pi frequency t + phase)",
            fields: &[&[
                must("amplitude", Quantity($value), "amplitude"),
                must("frequency", Quantity(&[D::Frequency, D::AngularSpeed]), "in Hz; text may give an angular frequency in rad/s or rpm"),
                f("phase", ANGLE, "phase; 0 by default").omitted(Omitted::Number(0.0)),
                f("offset", Quantity($value), "mean value; 0 by default").omitted(Omitted::Number(0.0)),
            ]],
            parameters: false,
        };
        static $pulse: Record = Record {
            doc: "One half wave of a sine, zero before and after",
            fields: &[&[
                must("peak", Quantity($value), "greatest value"),
                f("begin", TIME, "time at which it begins; 0 by default").omitted(Omitted::Number(0.0)),
                must("duration", TIME, "how long it lasts"),
            ]],
            parameters: false,
        };
        const $fields: &[Field] = &[
            f("polynomial", List(&NUMBER), "coefficients from the lowest power of t (SI)"),
            f("step", Kind::Record(&$step), "a smooth step"),
            f("harmonic", Kind::Record(&$harmonic), "a sine"),
            f("half_sine", Kind::Record(&$pulse), "a half-sine pulse"),
            f("table", Name, "CSV file with two columns, time and value, in SI or in the units in brackets of its header, in or below the folder of the model"),
            f("spline", Choice(SplineWord::WORDS), "how the table is interpolated; not-a-knot by default").omitted(Omitted::Word("not-a-knot")),
            f("outside", Choice(Outside::WORDS), "the value before the first and after the last point of the table; hold by default").omitted(Omitted::Word("hold")),
        ];
    };
}

/// How a table is interpolated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SplineWord {
    NotAKnot,
    Natural,
    Periodic,
}

words!(SplineWord { NotAKnot = "not-a-knot", Natural = "natural", Periodic = "periodic" });
words!(Outside { Hold = "hold", Extend = "extend", Zero = "zero" });

signals!(MOTION, MOTION_STEP, MOTION_HARMONIC, MOTION_PULSE, MOTION_SIGNAL);
signals!(LOADS, LOAD_STEP, LOAD_HARMONIC, LOAD_PULSE, LOAD_SIGNAL);

/// A motion.
pub(crate) static MOVEMENT: Record = Record {
    doc: "A motion as a function of time: exactly one of these",
    fields: &[MOTION_SIGNAL],
    parameters: false,
};

/// A load.
pub(crate) static LOAD: Record = Record {
    doc: "A load as a function of time: exactly one of these",
    fields: &[LOAD_SIGNAL],
    parameters: false,
};

pub(super) fn made(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    key: &'static str,
    signal: Result<Signal, SignalError>,
) -> Option<Signal> {
    signal.map_err(|error| lower.report(view, key, error.to_string(), None)).ok()
}

/// A function of time.
pub(super) fn read(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    key: &'static str,
    dimension: Dimension,
) -> Option<Signal> {
    match &view.node(key)?.value {
        Value::Number(value) => made(lower, view, key, Signal::constant(*value)),
        Value::Computed(number) => made(lower, view, key, Signal::constant(number.value)),
        Value::Text(text) => match shape::quantity(view.node(key)?, &[dimension]) {
            Ok((value, _)) => made(lower, view, key, Signal::constant(value)),
            Err(unit) => expression(lower, view, key, text, dimension, unit),
        },
        Value::Table(_) => {
            let form = view.view(key)?;
            formed(lower, &form, dimension)
        }
        Value::Flag(_) | Value::Date | Value::List(_) => None,
    }
}

/// An expression of t; what looks like a quantity is explained as one.
fn expression(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    key: &'static str,
    text: &str,
    dimension: Dimension,
    unit: UnitError,
) -> Option<Signal> {
    // A quantity of another dimension, though it may be the same in SI: 5 Hz are no 5 rad/s. Units may be joined by a `*` as
    // factors are, so `0.1*t` could be a tonne too: a product that is an expression is meant as one.
    let is_quantity = units::parse_any(text, Dimension::ALL).is_ok();
    let scope = lower.tables.parameters.add_to(Scope::new()).variable("t", Dimension::Time);
    match scope.parse_as(text, dimension) {
        Ok(expression) if !is_quantity || text.contains('*') => {
            made(lower, view, key, Signal::formula(expression))
        }
        Err(wrong) if !(is_quantity || looks_like_a_quantity(text)) => {
            let message = format!("in the expression `{text}`: {wrong}");
            lower.report(view, key, message, wrong.hint());
            None
        }
        Ok(_) | Err(_) => {
            lower.report(view, key, unit.message, unit.hint);
            None
        }
    }
}

fn looks_like_a_quantity(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_ascii_digit())
        && !text.contains(['*', '(', '^', 't'])
}

type Reader = fn(&mut Lower<'_, '_>, &View<'_>, Dimension) -> Option<Result<Signal, SignalError>>;

/// The forms of a function of time with how they are read.
const FORMS: [(&str, Reader); 5] = [
    ("polynomial", polynomial),
    ("step", step),
    ("harmonic", harmonic),
    ("half_sine", half_sine),
    ("table", |lower, view, dimension| {
        Some(Signal::table_from_csv(table(lower, view)?, dimension, spline(view)))
    }),
];

fn formed(lower: &mut Lower<'_, '_>, view: &View<'_>, dimension: Dimension) -> Option<Signal> {
    let given: Vec<&(&'static str, Reader)> =
        FORMS.iter().filter(|(key, _)| view.has(key)).collect();
    let [(form, read)] = given.as_slice() else {
        let hint = Some(format!("give one of {}", FORMS.map(|(key, _)| key).join(", ")));
        let message = format!("{} functions of time are given where one is needed", given.len());
        lower.report_whole(view, message, hint);
        return None;
    };
    if *form != "table" {
        for key in ["spline", "outside"] {
            if view.has(key) {
                lower.report(view, key, format!("`{key}` is only used with `table`"), None);
            }
        }
    }
    if *form == "table" && spline_word(view) == SplineWord::Periodic && view.has("outside") {
        let hint = "leave it out, or choose another spline".to_owned();
        let message = "a periodic table repeats, so `outside` has no effect";
        lower.report(view, "outside", message.to_owned(), Some(hint));
    }
    let signal = read(lower, view, dimension)?;
    made(lower, view, form, signal)
}

fn polynomial(
    _: &mut Lower<'_, '_>,
    view: &View<'_>,
    _: Dimension,
) -> Option<Result<Signal, SignalError>> {
    let nodes = view.node("polynomial").and_then(Node::list)?;
    let number = |node| shape::quantity(node, &[Dimension::Number]).ok();
    let numbers: Option<Vec<f64>> =
        nodes.iter().map(|node| number(node).map(|(value, _)| value)).collect();
    Some(Signal::polynomial(&numbers?))
}

fn step(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    dimension: Dimension,
) -> Option<Result<Signal, SignalError>> {
    let step = view.view("step")?;
    let from = if step.has("from") { lower.exact(&step, "from", dimension)? } else { 0.0 };
    Some(Signal::smooth_step(SmoothStep {
        start: step.quantity("begin", Dimension::Time).unwrap_or(0.0),
        end: step.quantity("end", Dimension::Time)?,
        from,
        to: lower.exact(&step, "to", dimension)?,
    }))
}

fn harmonic(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    dimension: Dimension,
) -> Option<Result<Signal, SignalError>> {
    let wave = view.view("harmonic")?;
    let offset = if wave.has("offset") { lower.exact(&wave, "offset", dimension)? } else { 0.0 };
    let both = [Dimension::Frequency, Dimension::AngularSpeed];
    let (frequency, of) = shape::quantity(wave.node("frequency")?, &both).ok()?;
    let turn = if of == Dimension::Frequency { std::f64::consts::TAU } else { 1.0 };
    Some(Signal::harmonic(Harmonic {
        offset,
        amplitude: lower.exact(&wave, "amplitude", dimension)?,
        angular_frequency: turn * frequency,
        phase: wave.quantity("phase", Dimension::Angle).unwrap_or(0.0),
    }))
}

fn half_sine(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    dimension: Dimension,
) -> Option<Result<Signal, SignalError>> {
    let pulse = view.view("half_sine")?;
    Some(Signal::half_sine(HalfSine {
        amplitude: lower.exact(&pulse, "peak", dimension)?,
        start: pulse.quantity("begin", Dimension::Time).unwrap_or(0.0),
        duration: pulse.quantity("duration", Dimension::Time)?,
    }))
}

/// The text of the table that is named here.
fn table<'l>(lower: &'l mut Lower<'_, '_>, view: &View<'_>) -> Option<&'l str> {
    let name = view.text("table")?;
    if let Err((message, hint)) = lower.tables.text(name) {
        lower.report(view, "table", message, hint);
        return None;
    }
    lower.tables.text(name).ok()
}

fn spline_word(view: &View<'_>) -> SplineWord {
    view.word("spline").unwrap_or(SplineWord::NotAKnot)
}

fn spline(view: &View<'_>) -> Spline {
    let outside = view.word("outside").unwrap_or(Outside::Hold);
    match spline_word(view) {
        SplineWord::NotAKnot => Spline::NotAKnot { outside },
        SplineWord::Natural => Spline::Natural { outside },
        SplineWord::Periodic => Spline::Periodic,
    }
}
