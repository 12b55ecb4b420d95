//! The number that a formula gives, and where it may stand.

use jointplay_expression::{ExpressionError, Powers, Scope};

use super::Parameters;
use crate::units::{Dimension, UnitError, with_article};

/// The number that a formula gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Computed {
    pub(crate) text: String,
    pub(crate) value: f64,
    /// What it measures, if units say so.
    pub(crate) powers: Option<Powers>,
    rates: Rates,
}

/// Which kinds of 1/s a formula was made of. Hz and rad/s are the same in SI, but 5 Hz are not 5 rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rates {
    /// Cycles per second, such as Hz.
    cycles: bool,
    /// Angles per second, such as rpm.
    turns: bool,
    /// π, which converts one to the other.
    pi: bool,
}

impl Rates {
    fn with(self, other: Self) -> Self {
        Rates {
            cycles: self.cycles || other.cycles,
            turns: self.turns || other.turns,
            pi: self.pi || other.pi,
        }
    }

    /// What the words of a text say.
    pub(super) fn of(text: &str) -> Self {
        let mut rates = Rates::default();
        for word in words(text) {
            match word {
                "Hz" | "kHz" => rates.cycles = true,
                "rpm" | "rad" | "mrad" | "deg" | "rev" | "°" => rates.turns = true,
                "pi" | "π" => rates.pi = true,
                _ => {}
            }
        }
        rates
    }
}

/// The words of a text: names, functions and units.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '°');
    text.split(move |c| !part(c)).map(|word| {
        // A unit may follow its number without a space; the exponent of a number is not a word.
        word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
    })
}

impl Computed {
    /// A plain number.
    pub(super) fn plain(value: f64) -> Self {
        Computed { text: value.to_string(), value, powers: None, rates: Rates::default() }
    }

    /// Computes a formula of these parameters.
    pub(crate) fn of(text: &str, known: &Parameters) -> Result<Self, ExpressionError> {
        // A plain quantity stays one, also where a parameter has the name of its unit, such as a mass `m`.
        let plain = Scope::new().parse(text);
        let is_plain = plain.is_ok();
        let expression = plain.or_else(|_| known.add_to(Scope::new()).parse(text))?;
        let known = |word: &&str| known.get(word).filter(|_| !is_plain);
        let used = |word: &&str| known(word).map(|parameter| parameter.number.rates);
        let rates = words(text).filter_map(|word| used(&word)).fold(Rates::of(text), Rates::with);
        let (value, powers) = (expression.eval(&[]), expression.powers());
        Ok(Computed { text: text.trim().to_owned(), value, powers, rates })
    }

    /// Whether it is a frequency in Hz, which has the dimension of an angular velocity.
    pub(crate) fn is_frequency(&self) -> bool {
        self.powers == Dimension::Frequency.powers() && self.rates.cycles && !self.rates.pi
    }

    /// The number as one of these dimensions, of which the first holds if the formula has no unit.
    pub(crate) fn as_one_of(
        &self,
        dimensions: &[Dimension],
    ) -> Result<(f64, Dimension), UnitError> {
        let first = dimensions.first().copied().unwrap_or(Dimension::Number);
        let Some(powers) = self.powers else { return Ok((self.value, first)) };
        let fits = |dimension: &&Dimension| {
            dimension.powers().unwrap_or(Powers::NONE) == powers
                && (**dimension != Dimension::AngularSpeed || !self.rates.cycles || self.rates.pi)
                && (**dimension != Dimension::Frequency || !self.rates.turns || self.rates.pi)
        };
        let mut fitting = dimensions.iter().filter(fits);
        let error = |message: String, hint: &str| {
            let hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
            Err(UnitError { message, hint })
        };
        let (text, expected) = (&self.text, first.name());
        match (fitting.next(), fitting.next()) {
            (Some(Dimension::Frequency), Some(Dimension::AngularSpeed))
                if self.rates.pi || !self.rates.cycles =>
            {
                let message =
                    format!("`{text}` may be a frequency in Hz or an angular velocity in rad/s");
                error(message, "write a quantity with its unit, such as \"5 Hz\" or \"300 rpm\"")
            }
            (Some(dimension), _) => Ok((self.value, *dimension)),
            (None, _) if powers == Powers::whole([0, 0, -1]) => {
                let hint = match first {
                    Dimension::AngularSpeed => "1 Hz is 2*pi rad/s: multiply by 2*pi",
                    Dimension::Frequency => "2*pi rad/s is 1 Hz: divide by 2*pi",
                    _ => "",
                };
                let found = if self.rates.cycles { "in Hz" } else { "in rad/s" };
                let message = if hint.is_empty() {
                    format!("`{text}` is in 1/s; {} is expected", with_article(expected))
                } else {
                    format!("`{text}` is {found}; {} is expected", with_article(expected))
                };
                error(message, hint)
            }
            (None, _) => {
                let found = powers.to_string();
                let message = format!(
                    "`{text}` is {}; {} is expected",
                    with_article(&found),
                    with_article(expected)
                );
                error(message, "")
            }
        }
    }
}
