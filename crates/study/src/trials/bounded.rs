//! Keys that a search varies.

use crate::vary::{Level, Quantity, Values, Vary};

/// A key between two bounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bounded {
    /// The key, as it was typed.
    pub(crate) key: String,
    /// The flag that names it.
    pub(crate) flag: &'static str,
    low: f64,
    high: f64,
    unit: String,
    /// Whether ratios count, not differences: the bounds are a decade apart or more.
    log: bool,
}

impl Bounded {
    /// The key of `KEY=LOW:HIGH`.
    ///
    /// # Errors
    /// If there are no two bounds.
    pub(crate) fn of(flag: &'static str, vary: &Vary, values: &str) -> Result<Self, String> {
        let wrong = || format!("`{}={values}`: write KEY=LOW:HIGH, two bounds", vary.key);
        let (low, high) = values.split_once(':').ok_or_else(wrong)?;
        let (Values::Spread(_), Some(low), Some(high)) =
            (&vary.values, Quantity::parse(low), Quantity::parse(high))
        else {
            return Err(wrong());
        };
        let unit = if low.unit().is_empty() { high.unit() } else { low.unit() }.to_owned();
        let numbers = low.number_in(&unit).zip(high.number_in(&unit));
        let (low, high) = numbers.filter(|(low, high)| low < high).ok_or_else(wrong)?;
        Ok(Bounded {
            key: vary.key.clone(),
            flag,
            low,
            high,
            unit,
            log: low > 0.0 && high / low >= 10.0,
        })
    }

    /// The value at a place between the bounds, from 0 to 1.
    pub(crate) fn level(&self, x: f64) -> Level {
        let number = match x {
            x if x <= 0.0 => self.low,
            x if x >= 1.0 => self.high,
            x if self.log => self.low * libm::pow(self.high / self.low, x),
            x => self.low + (self.high - self.low) * x,
        };
        Level::of(Quantity::written(number, &self.unit))
    }

    /// The value in SI.
    pub(crate) fn si(&self, x: f64) -> f64 {
        self.level(x).number.unwrap_or(f64::NAN)
    }

    /// How much the value in SI changes with the place.
    pub(crate) fn slope(&self, x: f64) -> f64 {
        let (low, high) = (self.si(0.0), self.si(1.0));
        if self.log { self.si(x) * libm::log(self.high / self.low) } else { high - low }
    }
}
