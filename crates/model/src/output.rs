//! Outputs of the user's own: points, coordinates, and expressions of channels.

use std::sync::Arc;

use jointplay_expression::{Expression, ExpressionError, Powers, Scope};
use jointplay_mbd::{Anchor, Snapshot};

use crate::channel::{Channel, Names};
use crate::document::At;
use crate::element::Coordinate;
use crate::element::coordinate::COORDINATE;
use crate::format::{COUNT, PLACE, f};
use crate::lower::{Lower, View};
use crate::model::Model;
use crate::parameters::Parameters;
use crate::shape::{Kind, Record};

pub(crate) static OUTPUT: Record = Record {
    doc: "A quantity of your own: an expression, a point or a coordinate",
    fields: &[
        COORDINATE,
        &[
            COUNT,
            f(
                "expression",
                Kind::Name,
                "an expression of channels, parameters and the time t, such as \"slider.x - tip.x\"",
            ),
            f(
                "point",
                PLACE,
                "a point of a body; its position, velocity and acceleration are channels",
            ),
        ],
    ],
    parameters: false,
};

/// What an output is.
#[derive(Clone, Debug)]
pub(crate) enum Output {
    /// An expression of channels, which are known once the mechanism is built.
    Expression(String, At),
    /// A point of a body.
    Point(Anchor),
    /// A scalar of the mechanism.
    Coordinate(Coordinate),
}

impl Output {
    /// Reads an output; `None` if it could not be read, which has been reported.
    pub(crate) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Self> {
        match (view.has("expression"), view.has("point")) {
            (false, false) => Coordinate::read(lower, view).map(Output::Coordinate),
            (true, true) => {
                let message = "`expression` and `point` are two outputs; give only one";
                lower.report(view, "point", message, None);
                None
            }
            (expression, _) => {
                let own = if expression { "expression" } else { "point" };
                for other in ["joint", "angle", "x", "y", "distance"] {
                    if view.has(other) {
                        let message =
                            format!("`{own}` and `{other}` are two outputs; give only one");
                        lower.report(view, other, message, None);
                        return None;
                    }
                }
                if expression {
                    let text = view.text("expression")?.to_owned();
                    Some(Output::Expression(text, view.at_key("expression")))
                } else {
                    Some(Output::Point(lower.point_of(view, "point")?))
                }
            }
        }
    }
}

/// A number at each instant that is computed from channels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChannelFormula {
    expression: Expression,
    inputs: Vec<(Of, Channel)>,
}

/// Which run a channel is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Run,
    /// The run of the same mechanism with ideal joints.
    Ideal,
}

/// The prefix of channels of the ideal mechanism.
const IDEAL: &str = "ideal.";

impl ChannelFormula {
    /// Reads a formula of channels, parameters and the time `t`.
    pub(crate) fn read(
        text: &str,
        channels: Names<'_>,
        parameters: &Parameters,
    ) -> Result<Self, ExpressionError> {
        Self::read_of(text, channels, parameters, false)
    }

    /// The same, in which `ideal.slider.x` is the channel `slider.x` of the mechanism with ideal joints.
    pub(crate) fn read_with_ideal(
        text: &str,
        channels: Names<'_>,
        parameters: &Parameters,
    ) -> Result<Self, ExpressionError> {
        Self::read_of(text, channels, parameters, true)
    }

    fn read_of(
        text: &str,
        channels: Names<'_>,
        parameters: &Parameters,
        ideal: bool,
    ) -> Result<Self, ExpressionError> {
        let used = Used::of(text, channels, ideal);
        let scope = parameters.add_to(Scope::new()).checked();
        let scope = used.channels.iter().fold(scope, |scope, (of, channel)| {
            scope.measured(&written(*of, channel.name()), Some(powers_of(channel.unit())))
        });
        let expression = scope.measured("t", Some(powers_of("s"))).parse(&used.text)?;
        let inputs = used.channels.into_iter().map(|(of, channel)| (of, channel.clone()));
        Ok(ChannelFormula { expression, inputs: inputs.collect() })
    }

    /// What it measures.
    pub(crate) fn powers(&self) -> Powers {
        self.expression.powers().unwrap_or(Powers::NONE)
    }

    /// Takes the channels of the ideal mechanism from its model.
    pub(crate) fn take_ideal_from(&mut self, ideal: &Model) -> Result<(), String> {
        for (_, channel) in self.inputs.iter_mut().filter(|(of, _)| *of == Of::Ideal) {
            *channel = ideal.channel(channel.name()).map_err(|none| none.to_string())?;
        }
        Ok(())
    }

    /// Whether it has channels of the ideal mechanism.
    pub(crate) fn needs_ideal(&self) -> bool {
        self.inputs.iter().any(|(of, _)| *of == Of::Ideal)
    }

    /// Its unit; `-` for a pure number.
    pub(crate) fn unit(&self) -> String {
        unit_of(self.powers())
    }

    /// Its value at an instant, given the same instant of the ideal mechanism where that is needed.
    pub(crate) fn eval(&self, at: &Snapshot<'_>, ideal: Option<&Snapshot<'_>>) -> f64 {
        let values = self.inputs.iter().map(|(of, channel)| match of {
            Of::Run => channel.eval(at),
            Of::Ideal => ideal.map_or(f64::NAN, |ideal| channel.eval(ideal)),
        });
        let values: Vec<f64> = values.chain([at.t()]).collect();
        self.expression.eval(&values)
    }
}

/// A formula as a channel of this name.
pub(crate) fn channel(name: &str, formula: ChannelFormula) -> Channel {
    let unit = formula.unit();
    Channel::of_formula(name.to_owned(), unit, Arc::new(formula))
}

/// The channels that a text names, and the text as an expression has it.
pub(crate) struct Used<'c> {
    pub(crate) channels: Vec<(Of, &'c Channel)>,
    /// Names of parts may have a `-`, which an expression would take as a minus sign: it has `_` there.
    pub(crate) text: String,
}

impl<'c> Used<'c> {
    fn of(text: &str, channels: Names<'c>, ideal: bool) -> Self {
        let mut used = Used { channels: Vec::new(), text: String::with_capacity(text.len()) };
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            if !word(first) {
                used.text.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let inside = |c: char| word(c) || c == '.' || c == '-';
            let long = rest.find(|c| !inside(c)).unwrap_or(rest.len());
            let of_ideal = rest[..long].strip_prefix(IDEAL).filter(|_| ideal);
            let of_ideal = of_ideal.and_then(|text| Some((Of::Ideal, channels.longest(text)?)));
            let found = || Some((Of::Run, channels.longest(&rest[..long])?));
            if let Some((of, channel)) = of_ideal.or_else(found) {
                let same = |(other, known): &(Of, &Channel)| {
                    *other == of && known.name() == channel.name()
                };
                if !used.channels.iter().any(same) {
                    used.channels.push((of, channel));
                }
                let name = written(of, channel.name());
                rest = &rest[name.len()..];
                used.text.push_str(&name);
            } else {
                let end = rest.find(|c| !(word(c) || c == '.')).unwrap_or(rest.len());
                used.text.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
        used
    }
}

/// The name of a channel in an expression, as long as it is in the text.
fn written(of: Of, name: &str) -> String {
    let before = if of == Of::Ideal { IDEAL } else { "" };
    format!("{before}{}", without_hyphens(name))
}

/// A name that an expression does not take for a difference.
pub(crate) fn without_hyphens(name: &str) -> String {
    name.replace('-', "_")
}

/// The SI unit of a quantity with these powers; `-` for a pure number.
pub(crate) fn unit_of(powers: Powers) -> String {
    if powers == Powers::NONE { "-".to_owned() } else { powers.si_unit() }
}

/// What a unit measures; a pure number for `-`.
pub(crate) fn powers_of(unit: &str) -> Powers {
    let quantity = Scope::new().parse(&format!("1 {unit}")).ok();
    quantity.and_then(|quantity| quantity.powers()).unwrap_or(Powers::NONE)
}
