//! The dimension of a value as powers of the base units, and the rules of arithmetic for it.

use std::fmt;

use crate::units::Dimension;

/// A dimension as powers of metre, kilogram and second. Angles are pure numbers, as in SI.
///
/// ```
/// use jointplay_expression::Powers;
/// use jointplay_expression::units::Dimension;
///
/// let force = Dimension::Force.powers().unwrap();
/// assert_eq!(force.to_string(), "force");
/// assert_eq!(force.times(force).to_string(), "kg^2 m^2 s^-4");
/// assert_eq!(force.over(force), Powers::NONE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Powers([i64; 3]);

jointplay_fingerprint::fingerprint!(struct Powers(powers));

/// Powers are stored as multiples of this fraction, so that halves, thirds and the decimals of
/// published exponents are exact.
const PARTS: f64 = 3e6;

impl Powers {
    /// A pure number.
    pub const NONE: Self = Self([0; 3]);

    /// Whole powers of metre, kilogram and second.
    pub const fn whole([length, mass, time]: [i8; 3]) -> Self {
        #[allow(clippy::cast_possible_truncation)] // a whole number
        let parts = PARTS as i64;
        // `i64::from` is not const
        Self([length as i64 * parts, mass as i64 * parts, time as i64 * parts])
    }

    /// The powers of metre, kilogram and second.
    pub fn exponents(self) -> [f64; 3] {
        self.0.map(|power| power as f64 / PARTS)
    }

    /// As in `kg^2 m^2 s^-4`.
    fn in_base_units(self) -> String {
        let [length, mass, time] = self.exponents();
        let units = [("kg", mass), ("m", length), ("s", time)];
        let factors = units.iter().filter(|(_, power)| *power != 0.0).map(|(unit, power)| {
            // No more digits than the fraction has.
            let power = (power * 1e6).round() / 1e6;
            if power == 1.0 { (*unit).to_owned() } else { format!("{unit}^{power}") }
        });
        factors.collect::<Vec<_>>().join(" ")
    }

    /// The SI unit, as in `kg m^2`; empty for a pure number.
    pub fn si_unit(self) -> String {
        let named = Dimension::ALL.iter().find(|dimension| dimension.powers() == Some(self));
        match named {
            _ if self == Self::NONE => String::new(),
            Some(dimension) => dimension.si_unit().to_owned(),
            None => self.in_base_units(),
        }
    }

    /// The dimension of a product.
    pub fn times(self, other: Self) -> Self {
        Self([0, 1, 2].map(|k: usize| self.0[k].saturating_add(other.0[k])))
    }

    /// The dimension of a quotient.
    pub fn over(self, other: Self) -> Self {
        Self([0, 1, 2].map(|k: usize| self.0[k].saturating_sub(other.0[k])))
    }

    /// The dimension of a power.
    pub fn raised(self, exponent: f64) -> Self {
        // The cast saturates.
        #[allow(clippy::cast_possible_truncation)]
        Self(self.0.map(|power| (power as f64 * exponent).round() as i64))
    }
}

/// The name of the quantity, such as `length`, or else its SI units.
impl fmt::Display for Powers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return f.write_str("pure number");
        }
        let named = Dimension::ALL.iter().find(|dimension| dimension.powers() == Some(*self));
        if let Some(dimension) = named {
            return f.write_str(dimension.name());
        }
        f.write_str(&self.in_base_units())
    }
}

/// What is known about the dimension of a value while a text is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Nothing is known.
    Any,
    /// A number without a unit: a pure number in a product, an SI value in a sum or comparison.
    Plain,
    /// It has this dimension.
    Of(Powers),
}

/// Two incompatible dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unlike {
    pub(crate) left: Powers,
    pub(crate) right: Powers,
}

impl Measure {
    /// The dimension of a sum, a difference or a minimum, or of two compared values.
    pub(crate) fn with(self, other: Self) -> Result<Self, Unlike> {
        match (self, other) {
            (Self::Of(left), Self::Of(right)) if left != right => Err(Unlike { left, right }),
            (Self::Of(powers), _) | (_, Self::Of(powers)) => Ok(Self::Of(powers)),
            (Self::Any, _) | (_, Self::Any) => Ok(Self::Any),
            (Self::Plain, Self::Plain) => Ok(Self::Plain),
        }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            (Self::Plain, known) | (known, Self::Plain) => known,
            (Self::Of(a), Self::Of(b)) => Self::Of(a.times(b)),
        }
    }

    pub(crate) fn over(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            (known, Self::Plain) => known,
            (Self::Plain, Self::Of(b)) => Self::Of(Powers::NONE.over(b)),
            (Self::Of(a), Self::Of(b)) => Self::Of(a.over(b)),
        }
    }

    /// Raised to a constant power.
    pub(crate) fn raised(self, exponent: f64) -> Self {
        match self {
            Self::Of(powers) => Self::Of(powers.raised(exponent)),
            known => known,
        }
    }

    /// The dimension, if it differs from this one.
    pub(crate) fn other_than(self, expected: Powers) -> Option<Powers> {
        match self {
            Self::Of(found) if found != expected => Some(found),
            _ => None,
        }
    }
}
