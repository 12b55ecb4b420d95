//! Units directly after a number: `5 mm`, `3 rad/s`, `2.5e3 N/mm`, `0.02 kg m^2`.

use std::ops::Range;

use crate::error::ExpressionError;
use crate::lexer::Kind;
use crate::names::{is_function, nearest};
use crate::parser::Parser;
use crate::powers::{Measure, Powers};
use crate::units;

/// One unit of a product of units.
struct Factor {
    word: String,
    power: f64,
    /// Whether it is in the denominator.
    below: bool,
}

impl Parser<'_> {
    /// A number with the unit that follows it, if there is one; the number has already been read.
    pub(crate) fn quantity(
        &mut self,
        value: f64,
        number: Range<usize>,
    ) -> Result<(f64, Measure), ExpressionError> {
        if self.token.kind != Kind::Name || !self.unit_follows()? {
            return Ok((value, Measure::Plain));
        }
        let first = self.token.span.start;
        // The unit as in the table of units, unless it is a product: `m s` is not a millisecond.
        let mut written = Some(String::new());
        let mut factors = Vec::new();
        let mut below = false;
        loop {
            let span = self.advance()?.span;
            let word = self.source[span].to_owned();
            let (power, text) = self.unit_power()?;
            if let Some(written) = &mut written {
                let stroke = if below { "/" } else { "" };
                written.extend([stroke, &word, &text]);
            }
            factors.push(Factor { word, power, below });
            match self.token.kind {
                // After a quotient it is not clear whether a further unit belongs to the numerator
                // or the denominator.
                Kind::Name if !below && self.unit_follows()? => written = None,
                Kind::Slash if self.unit_divides()? => {
                    self.advance()?;
                    below = true;
                }
                _ => break,
            }
        }
        let span = first..self.used;
        let unknown = || self.unknown_unit(span.clone());
        let (size, powers) = written
            .as_deref()
            .and_then(listed)
            .or_else(|| product(&factors))
            .ok_or_else(unknown)?;
        let value = units::sized(&self.source[number.clone()], size).filter(|v| v.is_finite());
        let Some(value) = value else {
            return Err(ExpressionError::NumberTooLarge { span: number });
        };
        self.has_units = true;
        Ok((value, Measure::Of(powers)))
    }

    /// Whether the current name is a unit. It is an error if that is ambiguous, or if the name is
    /// unknown.
    fn unit_follows(&self) -> Result<bool, ExpressionError> {
        let span = self.token.span.clone();
        let word = &self.source[span.clone()];
        let called = self.lexer.clone().next().is_ok_and(|next| next.kind == Kind::Open);
        let (unit, name) = (is_word(word), self.is_name(word));
        match (unit, name) {
            // An operator is missing.
            _ if called => Ok(false),
            (true, false) => Ok(true),
            (true, true) => Err(ExpressionError::AmbiguousUnit { name: word.to_owned(), span }),
            (false, true) => Ok(false),
            (false, false) if is_function(word) => Ok(false),
            (false, false) => Err(self.unknown_unit(span)),
        }
    }

    /// Whether the current `/` divides by a unit.
    fn unit_divides(&self) -> Result<bool, ExpressionError> {
        let next = self.lexer.clone().next()?;
        let word = &self.source[next.span.clone()];
        if next.kind != Kind::Name || !is_word(word) {
            return Ok(false);
        }
        if self.is_name(word) {
            let name = word.to_owned();
            return Err(ExpressionError::AmbiguousUnit { name, span: next.span });
        }
        Ok(true)
    }

    /// The power of the unit that was just read, and its text.
    fn unit_power(&mut self) -> Result<(f64, String), ExpressionError> {
        if self.token.kind != Kind::Caret {
            return Ok((1.0, String::new()));
        }
        self.advance()?;
        let sign = if self.token.kind == Kind::Minus {
            self.advance()?;
            -1.0
        } else {
            1.0
        };
        let Kind::Number(power) = self.token.kind else {
            return Err(ExpressionError::UnitPower { span: self.token.span.clone() });
        };
        self.advance()?;
        Ok((sign * power, format!("^{}", sign * power)))
    }

    fn unknown_unit(&self, span: Range<usize>) -> ExpressionError {
        let unit = self.source[span.clone()].to_owned();
        let known: Vec<&str> = units::all().map(|(name, ..)| name).collect();
        let nearest = nearest(&unit, &known).map(str::to_owned);
        ExpressionError::UnknownUnit { unit, nearest, span }
    }
}

/// Whether a word occurs in a unit.
fn is_word(word: &str) -> bool {
    let in_unit = |name: &str| name.split('/').any(|part| part.split('^').next() == Some(word));
    word.starts_with(|c: char| !c.is_ascii_digit()) && units::all().any(|(name, ..)| in_unit(name))
}

/// Size and dimension of a unit of the table.
fn listed(name: &str) -> Option<(f64, Powers)> {
    let (_, size, dimension) = units::all().find(|(known, ..)| *known == name)?;
    Some((size, dimension.powers()?))
}

/// Size and dimension of a product of units of the table.
fn product(factors: &[Factor]) -> Option<(f64, Powers)> {
    let (mut size, mut powers) = (1.0, Powers::NONE);
    // Powers of ten are counted, so that a product of them is as exact as a single one.
    let mut decades = Some(0.0);
    for Factor { word, power, below } in factors {
        let (unit, of_unit) = listed(word)?;
        let power = if *below { -power } else { *power };
        size *= libm::pow(unit, power);
        powers = powers.times(of_unit.raised(power));
        decades =
            decades.zip(units::decade(unit)).map(|(sum, decade)| sum + f64::from(decade) * power);
    }
    let round = decades.filter(|sum| sum.trunc() == *sum && sum.abs() <= 300.0);
    Some((round.and_then(|sum| format!("1e{sum}").parse().ok()).unwrap_or(size), powers))
}
