//! What a study varies: a key of the model with its values, or with their distribution.
//!
//! ```
//! use jointplay_study::vary::{Values, Vary};
//!
//! let speed = Vary::parse("drivers.motor.speed=100rpm:600rpm:51")?;
//! let Values::Levels(levels) = &speed.values else { panic!("a range with a count") };
//! assert_eq!(levels.len(), 51);
//! assert_eq!(levels[1].text, "110.0 rpm");
//! let bore = Vary::parse("parameters.bore=normal(20 mm, 5 um)")?;
//! assert!(matches!(bore.values, Values::Spread(_)));
//! # Ok::<(), String>(())
//! ```

use std::collections::HashSet;

use jointplay_expression::Scope;
use jointplay_expression::units::{Dimension, parse};
use jointplay_model::{Overrides, Value};

use crate::distribution::Distribution;

/// More values than this cannot be meant.
const MOST: usize = 1_000_000;

/// A key of the model with its values. The key `law` stands for the law of every clearance joint and contact, and `case` for a case
/// of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// The key, as it was typed.
    pub key: String,
    /// Its values.
    pub values: Values,
}

/// The values of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// These, in their order.
    Levels(Vec<Level>),
    /// Any of a distribution.
    Spread(Distribution),
}

/// One value of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// As it would be typed after `--set KEY=`.
    pub text: String,
    /// In SI, if it is a number.
    pub number: Option<f64>,
}

impl Level {
    pub(crate) fn of(text: String) -> Self {
        let number = Quantity::parse(&text).map(|quantity| quantity.in_si());
        Level { text, number: number.flatten() }
    }
}

/// A number with its unit, as typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantity {
    number: f64,
    unit: String,
}

impl Quantity {
    /// A number that a unit may follow.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_number = |end: &usize| text[..*end].trim().parse::<f64>().is_ok();
        let mut ends = text.char_indices().rev().map(|(i, c)| i + c.len_utf8());
        let end = ends.find(is_number)?;
        let number: f64 = text[..end].trim().parse().ok()?;
        let (unit, plain) = (text[end..].trim(), number.is_finite());
        let quantity = Quantity { number, unit: unit.to_owned() };
        (plain && quantity.in_si().is_some()).then_some(quantity)
    }

    pub(crate) fn written(number: f64, unit: &str) -> String {
        if unit.is_empty() { format!("{number:?}") } else { format!("{number:?} {unit}") }
    }

    pub(crate) fn unit(&self) -> &str {
        &self.unit
    }

    /// Whether it may be compared with a number in this unit, `-` for a pure number; without a unit of its own it is in SI.
    pub(crate) fn has_dimension_of(&self, unit: &str) -> bool {
        let powers = |unit: &str| Scope::new().parse(&format!("1 {unit}")).ok()?.powers();
        let of_unit = (unit != "-").then(|| powers(unit)).flatten();
        self.unit.is_empty() || powers(&self.unit) == of_unit
    }

    /// The number that it has in another unit of the same kind; zero needs no unit.
    pub(crate) fn number_in(&self, unit: &str) -> Option<f64> {
        if self.unit == unit || (self.unit.is_empty() && self.number == 0.0) {
            return Some(self.number);
        }
        let one = Self::written(1.0, unit);
        let own = Self::written(self.number, &self.unit);
        let sizes = |kind: &Dimension| parse(&own, *kind).ok().zip(parse(&one, *kind).ok());
        let different = !self.unit.is_empty() && !unit.is_empty();
        let (own, one) = different.then(|| Dimension::ALL.iter().find_map(sizes)).flatten()?;
        Some(own / one)
    }

    fn in_si(&self) -> Option<f64> {
        if self.unit.is_empty() {
            return Some(self.number);
        }
        // The size of the unit, without the rounding of a sum.
        let written = Self::written(self.number.abs(), &self.unit);
        let value = Scope::new().parse(&written).ok()?.eval(&[]);
        value.is_finite().then_some(value.copysign(self.number))
    }
}

impl Vary {
    /// Reads `KEY=FROM:TO:COUNT`, `KEY=FROM:TO:COUNT:log`, `KEY=a,b,c`, a distribution such as `KEY=normal(MEAN,STD)`, or
    /// `KEY=LOW:HIGH`, which is `KEY=uniform(LOW,HIGH)`.
    ///
    /// # Errors
    /// What is wrong, and what to write.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (key, values) = Self::split(text)?;
        let values = if let Some(spread) = Distribution::parse(values)? {
            Values::Spread(spread)
        } else if let Some(spread) = interval(values)? {
            Values::Spread(spread)
        } else if let Some(levels) = range(values)? {
            Values::Levels(levels)
        } else if let Some(wrong) = broken_range(values) {
            return Err(wrong);
        } else {
            Values::Levels(list(values)?)
        };
        Ok(Vary { key: key.to_owned(), values })
    }

    fn split(text: &str) -> Result<(&str, &str), String> {
        let wrong = || format!("write KEY=FROM:TO:COUNT or KEY=a,b,c, not `{text}`");
        let (key, values) = text.split_once('=').ok_or_else(wrong)?;
        let (key, values) = (key.trim(), values.trim());
        if key.is_empty() || values.is_empty() { Err(wrong()) } else { Ok((key, values)) }
    }

    /// The number of values of a range `FROM:TO:COUNT`, without making them.
    pub(crate) fn count_of(values: &str) -> Option<usize> {
        let mut parts = values.split(':').map(str::trim).skip(2);
        parts.next()?.parse().ok()
    }

    /// The number of values; `None` for a distribution.
    pub fn count(&self) -> Option<usize> {
        match &self.values {
            Values::Levels(levels) => Some(levels.len()),
            Values::Spread(_) => None,
        }
    }

    /// Changes with this value of this key.
    pub fn set(&self, changes: Overrides, level: &Level) -> Overrides {
        let Level { text, .. } = level;
        let flag = format!("--vary {}={text}", self.key);
        match self.key.as_str() {
            "law" => changes.law_by(flag, text),
            "case" => changes.case(text),
            key => changes.set_by(flag, key, Value::read(text.as_str())),
        }
    }
}

/// The numbers of both ends of a range, and their unit.
fn ends<'q>(
    text: &str,
    from: &'q Quantity,
    to: &'q Quantity,
) -> Result<([f64; 2], &'q str), String> {
    let unit = if from.unit.is_empty() { &to.unit } else { &from.unit };
    let numbers = from.number_in(unit).zip(to.number_in(unit));
    let (first, last) =
        numbers.ok_or_else(|| format!("in `{text}`, give both ends in units of the same kind"))?;
    Ok(([first, last], unit))
}

/// The distribution of `LOW:HIGH`; `None` if the text is something else.
fn interval(text: &str) -> Result<Option<Distribution>, String> {
    let ends_of = text.split_once(':').filter(|(_, high)| !high.contains(':'));
    let quantities =
        ends_of.and_then(|(low, high)| Some((Quantity::parse(low)?, Quantity::parse(high)?)));
    let Some((low, high)) = quantities else { return Ok(None) };
    let (numbers, unit) = ends(text, &low, &high)?;
    Distribution::uniform(numbers, unit, text).map(Some)
}

/// Both ends of `FROM:TO:COUNT[:log]`, the count as it was typed, and whether the range is logarithmic; `None` if the text is something else.
fn range_parts(text: &str) -> Option<(Quantity, Quantity, &str, bool)> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (from, to, count, log) = match parts[..] {
        [from, to, count] => (from, to, count, false),
        [from, to, count, "log"] => (from, to, count, true),
        _ => return None,
    };
    Some((Quantity::parse(from)?, Quantity::parse(to)?, count, log))
}

/// The values of `FROM:TO:COUNT[:log]`; `None` if the text is something else.
fn range(text: &str) -> Result<Option<Vec<Level>>, String> {
    let Some((from, to, count, log)) = range_parts(text) else { return Ok(None) };
    let count: usize = count
        .parse()
        .ok()
        .filter(|count| (1..=MOST).contains(count))
        .ok_or_else(|| format!("in `{text}`, COUNT is not a whole number from 1 to {MOST}"))?;
    let ([first, last], unit) = ends(text, &from, &to)?;
    if count == 1 && first != last {
        return Err(format!("in `{text}`, one value cannot be both ends: give COUNT of 2 or more"));
    }
    if !(last - first).is_finite() {
        return Err(format!("in `{text}`, the ends are too far apart"));
    }
    if log && !(first.signum() * last.signum() > 0.0 && first != 0.0 && last != 0.0) {
        return Err(format!(
            "in `{text}`, both ends of a logarithmic range must have the same sign"
        ));
    }
    let at = |i: usize| {
        let (steps, i) = ((count - 1).max(1) as f64, i as f64);
        match i {
            0.0 => first,
            i if i == steps => last,
            i if log => rounded(first * libm::pow(last / first, i / steps)),
            i => rounded(first + (last - first) * i / steps),
        }
    };
    Ok(Some((0..count).map(|i| Level::of(Quantity::written(at(i), unit))).collect()))
}

/// What is wrong with a text that is meant as a range, having numbers and colons, and is none. Words such as `formula:1e9*delta` are none either.
fn broken_range(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let is_number = |i: usize| parts.get(i).is_some_and(|part| Quantity::parse(part).is_some());
    let is_meant = is_number(0) || (parts.len() > 2 && is_number(1));
    if parts.len() < 2 || text.contains(',') || !is_meant {
        return None;
    }
    let wrong = (0..2).find(|i| !is_number(*i)).map_or_else(
        || "there are too many colons".to_owned(),
        |i| format!("`{}` is not a finite number with a known unit", parts[i]),
    );
    Some(format!("in `{text}`, {wrong}; write FROM:TO:COUNT, FROM:TO:COUNT:log or LOW:HIGH"))
}

/// To 15 digits, so that 1:50:50 are whole numbers and 0.1:0.5:5 has 0.3 in its middle.
fn rounded(number: f64) -> f64 {
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// The values of `a,b,c`; commas inside brackets belong to a value.
fn list(text: &str) -> Result<Vec<Level>, String> {
    let mut depth = 0_i32;
    let parts = text.split(|c| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        c == ',' && depth <= 0
    });
    let levels: Vec<Level> = parts.map(|part| Level::of(part.trim().to_owned())).collect();
    let mut known = HashSet::with_capacity(levels.len());
    let wrong = levels.iter().find(|level| level.text.is_empty() || !known.insert(&level.text));
    match wrong {
        Some(level) if level.text.is_empty() => Err(format!("`{text}` has an empty value")),
        Some(level) => Err(format!("`{}` is given twice", level.text)),
        None => match mixed(&levels) {
            Some([with, without]) => Err(format!(
                "`{with}` has a unit and `{without}` has none: give all numbers of the list a unit, or none"
            )),
            None => same_kind(&levels).map(|()| levels),
        },
    }
}

/// Refuses numbers with units of different kinds.
fn same_kind(levels: &[Level]) -> Result<(), String> {
    let typed = || levels.iter().filter_map(|level| Quantity::parse(&level.text));
    let Some(first) = typed().find(|typed| !typed.unit.is_empty()) else { return Ok(()) };
    let other =
        typed().find(|typed| !typed.unit.is_empty() && !typed.has_dimension_of(&first.unit));
    other.map_or(Ok(()), |other| {
        let [first, other] =
            [&first, &other].map(|typed| Quantity::written(typed.number, &typed.unit));
        Err(format!("`{first}` and `{other}` are not of the same kind"))
    })
}

/// A number with and one without a unit, if there are both; zero needs none.
fn mixed(levels: &[Level]) -> Option<[&str; 2]> {
    let found = |has_unit: bool| {
        let mut levels = levels.iter();
        let level = levels.find(|level| {
            let typed = Quantity::parse(&level.text).filter(|typed| typed.number != 0.0);
            typed.is_some_and(|typed| typed.unit.is_empty() != has_unit)
        });
        level.map(|level| level.text.as_str())
    };
    found(true).zip(found(false)).map(|(with, without)| [with, without])
}

/// Whether values are given one by one.
pub(crate) fn is_list(values: &str) -> bool {
    let spread = Distribution::parse(values).is_ok_and(|found| found.is_some());
    !spread && matches!((interval(values), range_parts(values)), (Ok(None), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(text: &str) -> Vec<Level> {
        let vary = Vary::parse(text).unwrap_or_else(|wrong| panic!("{wrong}"));
        let Values::Levels(levels) = vary.values else { panic!("`{text}` is a distribution") };
        levels
    }

    fn numbers(text: &str) -> Vec<f64> {
        levels(text).iter().map(|level| level.number.expect("a number")).collect()
    }

    #[test]
    fn exact_ranges_and_lists() {
        assert_eq!(numbers("a=0:1:5"), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(numbers("a=0:0.4mm:3"), [0.0, 0.2e-3, 0.4e-3]);
        assert_eq!(numbers("a=7:7:1"), [7.0]);
        assert_eq!(numbers("a=-1 mm,2 mm"), [-1e-3, 2e-3]);
        let decades = numbers("a=1:1e4:5:log");
        for (found, expected) in decades.iter().zip([1.0, 10.0, 100.0, 1e3, 1e4]) {
            assert!((found / expected - 1.0).abs() < 1e-14, "{found}");
        }
        // 60 rpm are 2π rad/s.
        assert!((numbers("a=60rpm")[0] - std::f64::consts::TAU).abs() < 1e-15);
        assert_eq!(numbers("a=500um:2mm:2"), [0.5e-3, 2e-3]);
        let laws = levels("law=hertz,formula:max(delta, 0)*1e9");
        let texts: Vec<&str> = laws.iter().map(|level| level.text.as_str()).collect();
        assert_eq!(texts, ["hertz", "formula:max(delta, 0)*1e9"]);
        assert!(laws.iter().all(|level| level.number.is_none()));
        assert_eq!(numbers("a=1e-3"), [1e-3]);
        let spread = Vary::parse("a=1 mm:3 mm").expect("an interval");
        let Values::Spread(spread) = spread.values else { panic!("an interval") };
        assert_eq!(spread.at(0.25).number, Some(1.5e-3));
    }

    #[test]
    fn exact_what_is_wrong_is_said() {
        let wrong = |text: &str| Vary::parse(text).expect_err("it is wrong");
        assert!(wrong("a").contains("KEY=FROM:TO:COUNT"));
        assert!(wrong("a=1:2:0").contains("COUNT"));
        assert!(wrong("a=1mm:2kg:3").contains("same kind"));
        assert!(wrong("a=1:2:1").contains("COUNT of 2"));
        assert!(wrong("a=-1:2:3:log").contains("same sign"));
        assert!(wrong("a=1:nan:3").contains("`nan` is not a finite number"));
        assert!(wrong("a=inf:2:3").contains("`inf` is not a finite number"));
        assert!(wrong("a=0:1e400:3").contains("`1e400` is not a finite number"));
        assert!(wrong("a=1 mm:2 bananas").contains("`2 bananas` is not a finite number"));
        assert!(wrong("a=1:2:3:4:5").contains("too many colons"));
        assert!(wrong("a=1:2:3:lin").contains("too many colons"));
        assert!(wrong("a=1,1").contains("twice"));
        assert!(wrong("a=0.1 mm,0.2").contains("`0.2` has none"));
        assert!(wrong("a=1 mm,1 kg").contains("not of the same kind"));
        // Whole numbers stay whole, and decades are decades.
        let numbers = |text: &str| -> Vec<f64> {
            let Values::Levels(levels) = Vary::parse(text).expect("a range").values else {
                panic!("not a list")
            };
            levels.iter().filter_map(|level| level.number).collect()
        };
        for count in 2..300_u32 {
            let found = numbers(&format!("a=1:{count}:{count}"));
            assert!(found.into_iter().eq((1..=count).map(f64::from)), "{count}");
        }
        assert_eq!(numbers("a=1:1000:4:log"), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(numbers("a=0.1:0.5:5"), [0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(numbers("a=0,0.2 mm,1 m"), [0.0, 0.2e-3, 1.0]);
        assert!(wrong("a=1,,2").contains("empty"));
    }
}
