//! Functions of time, and the files that hold their points.

use jointplay_expression::Scope;
use jointplay_mbd::Signal;
use jointplay_mbd::signal::{HalfSine, Harmonic, Outside, SignalError, SmoothStep, Spline};

use super::Lower;
use super::view::View;
use crate::shape;
use crate::source::{Node, Value};
use crate::units::{self, Dimension, UnitError};

impl Lower<'_, '_> {
    pub(super) fn made(
        &mut self,
        view: &View<'_>,
        key: &'static str,
        signal: Result<Signal, SignalError>,
    ) -> Option<Signal> {
        signal.map_err(|error| self.report(view, key, error.to_string(), None)).ok()
    }

    /// A function of time.
    pub(super) fn signal(
        &mut self,
        view: &View<'_>,
        key: &'static str,
        dimension: Dimension,
    ) -> Option<Signal> {
        match &view.node(key)?.value {
            Value::Number(value) => self.made(view, key, Signal::constant(*value)),
            Value::Text(text) => match shape::quantity(view.node(key)?, &[dimension]) {
                Ok((value, _)) => self.made(view, key, Signal::constant(value)),
                Err(unit) => self.expression(view, key, text, dimension, unit),
            },
            Value::Table(_) => {
                let form = view.view(key)?;
                self.formed_signal(&form, dimension)
            }
            _ => None,
        }
    }

    /// An expression of t; what looks like a quantity is explained as one.
    fn expression(
        &mut self,
        view: &View<'_>,
        key: &'static str,
        text: &str,
        dimension: Dimension,
        unit: UnitError,
    ) -> Option<Signal> {
        // A quantity of another dimension, though it may be the same in SI: 5 Hz are no 5 rad/s.
        let is_quantity = units::parse_any(text, Dimension::ALL).is_ok();
        let scope = Scope::new().variable("t", Dimension::Time);
        match scope.parse_as(text, dimension) {
            Ok(expression) if !is_quantity => self.made(view, key, Signal::formula(expression)),
            Err(wrong) if !(is_quantity || looks_like_a_quantity(text)) => {
                let message = format!("in the expression `{text}`: {wrong}");
                self.report(view, key, message, wrong.hint());
                None
            }
            Ok(_) | Err(_) => {
                self.report(view, key, unit.message, unit.hint);
                None
            }
        }
    }

    fn formed_signal(&mut self, view: &View<'_>, dimension: Dimension) -> Option<Signal> {
        let forms = ["polynomial", "step", "harmonic", "half_sine", "table"];
        let given: Vec<&'static str> = forms.into_iter().filter(|key| view.has(key)).collect();
        let [form] = given.as_slice() else {
            let hint = Some(format!("give one of {}", forms.join(", ")));
            let message = format!("{} functions of time where one is needed", given.len());
            self.report_whole(view, message, hint);
            return None;
        };
        if *form != "table" {
            for key in ["spline", "outside"] {
                if view.has(key) {
                    self.report(view, key, format!("`{key}` goes with `table`"), None);
                }
            }
        }
        if *form == "table" && view.text("spline") == Some("periodic") && view.has("outside") {
            let hint = "leave it out, or choose another spline".to_owned();
            let message = "a periodic table repeats and has no outside";
            self.report(view, "outside", message.to_owned(), Some(hint));
        }
        let signal = match *form {
            "polynomial" => {
                let nodes = view.node(form).and_then(Node::list)?;
                let number = |node| shape::quantity(node, &[Dimension::Number]).ok();
                let numbers: Option<Vec<f64>> =
                    nodes.iter().map(|node| number(node).map(|(value, _)| value)).collect();
                Signal::polynomial(&numbers?)
            }
            "step" => {
                let step = view.view(form)?;
                let from =
                    if step.has("from") { self.exact(&step, "from", dimension)? } else { 0.0 };
                Signal::smooth_step(SmoothStep {
                    start: step.quantity("begin", Dimension::Time).unwrap_or(0.0),
                    end: step.quantity("end", Dimension::Time)?,
                    from,
                    to: self.exact(&step, "to", dimension)?,
                })
            }
            "harmonic" => {
                let wave = view.view(form)?;
                let offset =
                    if wave.has("offset") { self.exact(&wave, "offset", dimension)? } else { 0.0 };
                let both = [Dimension::Frequency, Dimension::AngularSpeed];
                let (frequency, of) = shape::quantity(wave.node("frequency")?, &both).ok()?;
                let turn = if of == Dimension::Frequency { std::f64::consts::TAU } else { 1.0 };
                Signal::harmonic(Harmonic {
                    offset,
                    amplitude: self.exact(&wave, "amplitude", dimension)?,
                    angular_frequency: turn * frequency,
                    phase: wave.quantity("phase", Dimension::Angle).unwrap_or(0.0),
                })
            }
            "half_sine" => {
                let pulse = view.view(form)?;
                Signal::half_sine(HalfSine {
                    amplitude: self.exact(&pulse, "peak", dimension)?,
                    start: pulse.quantity("begin", Dimension::Time).unwrap_or(0.0),
                    duration: pulse.quantity("duration", Dimension::Time)?,
                })
            }
            _ => {
                let text = self.table(view)?;
                Signal::table_from_csv(text, spline(view))
            }
        };
        self.made(view, form, signal)
    }

    /// The text of the table that is named here.
    fn table(&mut self, view: &View<'_>) -> Option<&str> {
        let name = view.text("table")?;
        if let Err((message, hint)) = self.tables.text(name) {
            self.report(view, "table", message, hint);
            return None;
        }
        self.tables.text(name).ok()
    }
}

fn looks_like_a_quantity(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_ascii_digit())
        && !text.contains(['*', '(', '^', 't'])
}

fn spline(view: &View<'_>) -> Spline {
    let outside = match view.text("outside") {
        Some("extend") => Outside::Extend,
        Some("zero") => Outside::Zero,
        _ => Outside::Hold,
    };
    match view.text("spline") {
        Some("natural") => Spline::Natural { outside },
        Some("periodic") => Spline::Periodic,
        _ => Spline::NotAKnot { outside },
    }
}
