//! Converts quantities as people write them, such as "0.5 mm", to SI numbers.
//!
//! ```
//! use jointplay_expression::units::{Dimension, parse};
//!
//! assert_eq!(parse("0.25 mm", Dimension::Length)?, 0.25e-3);
//! assert_eq!(parse("180 deg", Dimension::Angle)?, std::f64::consts::PI);
//! let wrong = parse("15 N", Dimension::Length).unwrap_err();
//! assert_eq!(wrong.message, "`N` is a unit of force; a length is expected");
//! assert!(wrong.hint.unwrap().contains("mm"));
//! # Ok::<(), jointplay_expression::units::UnitError>(())
//! ```

use std::f64::consts::{PI, TAU};
use std::fmt;

use crate::powers::Powers;

/// Powers of metre, kilogram and second.
#[allow(clippy::unnecessary_wraps)] // one of the dimensions has none
const fn powers(length: i8, mass: i8, time: i8) -> Option<Powers> {
    Some(Powers::whole([length, mass, time]))
}

macro_rules! dimensions {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $example:literal, $powers:expr, [$(($unit:literal, $size:expr)),* $(,)?];)+) => {
        /// The dimension of a quantity.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Dimension { $($(#[$doc])* $variant),+ }

        impl Dimension {
            /// Every dimension.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in a sentence.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// A quantity as one would write it.
            pub fn example(self) -> &'static str {
                match self { $(Self::$variant => $example),+ }
            }

            /// As powers of metre, kilogram and second; `None` for a plain number, which may have
            /// any dimension.
            pub fn powers(self) -> Option<Powers> {
                match self { $(Self::$variant => $powers),+ }
            }

            /// The units with their size in SI; the first is the SI unit.
            fn units(self) -> &'static [(&'static str, f64)] {
                match self { $(Self::$variant => &[$(($unit, $size)),*]),+ }
            }
        }
    };
}

dimensions! {
    /// Length (m).
    Length, "length", "0.5mm", powers(1, 0, 0), [("m", 1.0), ("cm", 1e-2), ("mm", 1e-3), ("um", 1e-6), ("µm", 1e-6), ("μm", 1e-6), ("nm", 1e-9), ("in", 0.0254)];
    /// Force (N).
    Force, "force", "100N", powers(1, 1, -2), [("N", 1.0), ("kN", 1e3), ("MN", 1e6), ("mN", 1e-3)];
    /// Force per length (N/m).
    LineLoad, "load per length", "1000N/mm", powers(0, 1, -2), [("N/m", 1.0), ("N/mm", 1e3), ("kN/m", 1e3), ("kN/mm", 1e6)];
    /// Mass (kg).
    Mass, "mass", "0.5kg", powers(0, 1, 0), [("kg", 1.0), ("g", 1e-3), ("mg", 1e-6), ("t", 1e3)];
    /// Speed (m/s).
    Speed, "speed", "0.3m/s", powers(1, 0, -1), [("m/s", 1.0), ("mm/s", 1e-3), ("cm/s", 1e-2), ("um/s", 1e-6), ("km/h", 1.0 / 3.6)];
    /// Pressure (Pa).
    Pressure, "pressure", "207GPa", powers(-1, 1, -2), [("Pa", 1.0), ("kPa", 1e3), ("MPa", 1e6), ("GPa", 1e9), ("N/m^2", 1.0), ("N/mm^2", 1e6)];
    /// Density (kg/m³).
    Density, "density", "7850kg/m^3", powers(-3, 1, 0), [("kg/m^3", 1.0), ("kg/m3", 1.0), ("g/cm^3", 1e3), ("g/cm3", 1e3)];
    /// Time (s).
    Time, "time", "0.6 s", powers(0, 0, 1), [("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("μs", 1e-6), ("ns", 1e-9), ("min", 60.0), ("h", 3600.0)];
    /// Angle (rad).
    Angle, "angle", "31 deg", powers(0, 0, 0), [("rad", 1.0), ("deg", PI / 180.0), ("°", PI / 180.0), ("mrad", 1e-3), ("rev", TAU)];
    /// Angular velocity (rad/s).
    AngularSpeed, "angular velocity", "200 rpm", powers(0, 0, -1), [("rad/s", 1.0), ("deg/s", PI / 180.0), ("rpm", TAU / 60.0), ("1/min", TAU / 60.0), ("rev/s", TAU)];
    /// Acceleration (m/s²).
    Acceleration, "acceleration", "-9.81 m/s^2", powers(1, 0, -2), [("m/s^2", 1.0), ("m/s2", 1.0), ("mm/s^2", 1e-3), ("mm/s2", 1e-3)];
    /// Moment of inertia (kg m²).
    Inertia, "moment of inertia", "0.0153 kg m^2", powers(2, 1, 0), [("kgm^2", 1.0), ("kgm2", 1.0), ("kgcm^2", 1e-4), ("kgcm2", 1e-4), ("kgmm^2", 1e-6), ("kgmm2", 1e-6), ("gcm^2", 1e-7), ("gcm2", 1e-7), ("gmm^2", 1e-9), ("gmm2", 1e-9)];
    /// Torque (N m).
    Torque, "torque", "5 N m", powers(2, 1, -2), [("Nm", 1.0), ("Ncm", 1e-2), ("Nmm", 1e-3), ("mNm", 1e-3), ("kNm", 1e3)];
    /// Stiffness (N/m).
    Stiffness, "stiffness", "100 N/mm", powers(0, 1, -2), [("N/m", 1.0), ("N/mm", 1e3), ("kN/m", 1e3), ("kN/mm", 1e6), ("N/um", 1e6), ("MN/m", 1e6)];
    /// Torsional stiffness (N m/rad).
    TorsionalStiffness, "torsional stiffness", "2 N m/rad", powers(2, 1, -2), [("Nm/rad", 1.0), ("Nmm/rad", 1e-3), ("Nm/deg", 180.0 / PI), ("Nmm/deg", 0.18 / PI), ("Nm", 1.0)];
    /// Damping (N s/m).
    Damping, "damping", "10 N s/m", powers(0, 1, -1), [("Ns/m", 1.0), ("Ns/mm", 1e3), ("kNs/m", 1e3), ("kg/s", 1.0)];
    /// Torsional damping (N m s/rad).
    TorsionalDamping, "torsional damping", "0.1 N m s/rad", powers(2, 1, -1), [("Nms/rad", 1.0), ("Nmms/rad", 1e-3), ("Nms/deg", 180.0 / PI), ("Nms", 1.0)];
    /// Energy (J).
    Energy, "energy", "1 mJ", powers(2, 1, -2), [("J", 1.0), ("mJ", 1e-3), ("kJ", 1e3)];
    /// Power (W).
    Power, "power", "5 W", powers(2, 1, -3), [("W", 1.0), ("mW", 1e-3), ("kW", 1e3)];
    /// Frequency (Hz).
    Frequency, "frequency", "5 Hz", powers(0, 0, -1), [("Hz", 1.0), ("1/s", 1.0), ("kHz", 1e3)];
    /// Anything whose unit depends on the law (K, χ, …), and pure numbers: a plain SI number.
    Number, "number", "1.5e9", None, [];
}

impl Dimension {
    /// The SI unit; empty for a plain number.
    pub fn si_unit(self) -> &'static str {
        self.units().first().map_or("", |(name, _)| name)
    }

    /// The accepted units.
    pub fn unit_names(self) -> impl Iterator<Item = &'static str> {
        self.units().iter().map(|(name, _)| *name)
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The reason why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for UnitError {}

/// Reads a quantity; a plain number is SI.
///
/// # Errors
/// [`UnitError`] for text that is not a finite number, for an unknown unit, or for a unit of another dimension.
pub fn parse(text: &str, dimension: Dimension) -> Result<f64, UnitError> {
    parse_any(text, &[dimension]).map(|(value, _)| value)
}

/// A noun with its article: `a length`, `an angle`.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Reads a quantity of one of these dimensions and returns which; a plain number has the first.
///
/// # Errors
/// As [`parse`].
pub fn parse_any(text: &str, dimensions: &[Dimension]) -> Result<(f64, Dimension), UnitError> {
    let text = text.trim();
    let first = dimensions.first().copied().unwrap_or(Dimension::Number);
    let expected = || {
        let names = dimensions.iter().map(|d| d.name()).collect::<Vec<_>>();
        with_article(&names.join(" or "))
    };
    let (number, unit) = split(text);
    let Ok(value) = number.parse::<f64>() else {
        let hint = Some(format!("write a number such as {}", first.example()));
        return Err(UnitError { message: format!("`{text}` is not {}", expected()), hint });
    };
    if !value.is_finite() {
        return Err(UnitError { message: format!("`{text}` is not a finite number"), hint: None });
    }
    if unit.is_empty() {
        return Ok((value, first));
    }
    let plain = normal(unit);
    let size_in = |dimension: Dimension| {
        dimension.units().iter().find(|(name, _)| *name == plain).map(|(_, size)| *size)
    };
    for &dimension in dimensions {
        if let Some(size) = size_in(dimension) {
            let value = shifted(number, size).unwrap_or(value * size);
            if !value.is_finite() {
                let message = format!("`{text}` is too large");
                return Err(UnitError { message, hint: None });
            }
            return Ok((value, dimension));
        }
    }
    let known: Vec<&str> = dimensions.iter().flat_map(|d| d.unit_names()).collect();
    let hint = format!("it is written in {}", known.join(", "));
    let other = Dimension::ALL.iter().find(|d| size_in(**d).is_some());
    Err(match other {
        _ if known.is_empty() => UnitError {
            message: format!("`{text}` has a unit"),
            hint: Some("give a plain SI number here".into()),
        },
        Some(found) => UnitError {
            message: format!("`{unit}` is a unit of {found}; {} is expected", expected()),
            hint: Some(hint),
        },
        None => {
            let message = format!("unknown unit `{unit}` of {}", expected());
            UnitError { message, hint: Some(hint) }
        }
    })
}

/// Every unit with its size in SI and its dimension. Some occur twice (N/m of a stiffness and of a load per length), with the
/// same size and powers; 1/min is only used for speeds of rotation.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, f64, Dimension)> {
    let of = |dimension: &'static Dimension| {
        dimension.units().iter().map(|&(name, size)| (name, size, *dimension))
    };
    Dimension::ALL.iter().flat_map(of)
}

/// The number in SI. A power of ten is applied with a single rounding.
pub(crate) fn sized(number: &str, size: f64) -> Option<f64> {
    shifted(number, size).or_else(|| Some(number.parse::<f64>().ok()? * size))
}

/// The exponent of a unit that is a power of ten.
pub(crate) fn decade(size: f64) -> Option<i32> {
    const DECADES: [f64; 25] = [
        1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2,
        1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
    ];
    (-12..).zip(DECADES).find(|(_, decade)| *decade == size).map(|(power, _)| power)
}

/// The number times a power of ten, rounded once: 10 mm is 0.01 and 20.94 kg mm² is 20.94e-6 to the last bit.
fn shifted(number: &str, size: f64) -> Option<f64> {
    let power = decade(size)?;
    let (digits, exponent) = match number.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (number, 0),
    };
    format!("{digits}e{}", exponent.checked_add(power)?).parse().ok()
}

/// A unit without spaces and products, with powers as `^2`.
fn normal(unit: &str) -> String {
    let mut plain = String::with_capacity(unit.len());
    for c in unit.chars() {
        match c {
            ' ' | '\t' | '*' | '·' | '⋅' => {}
            '²' => plain.push_str("^2"),
            '³' => plain.push_str("^3"),
            other => plain.push(other),
        }
    }
    plain
}

/// The longest prefix that is a number, and the rest.
fn split(text: &str) -> (&str, &str) {
    let is_number =
        |s: &str| s.parse::<f64>().is_ok() && s.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    // numbers are short: a long text is not searched through to its end
    let part_of_number = |c: &u8| matches!(c, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let longest = text.bytes().take(64).take_while(part_of_number).count();
    match (1..=longest).rev().find(|&end| is_number(&text[..end])) {
        Some(end) => (&text[..end], text[end..].trim()),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, dimension: Dimension) -> f64 {
        parse(text, dimension).expect(text)
    }

    #[test]
    fn exact_quantities_as_people_write_them() {
        assert_eq!(value("10mm", Dimension::Length), 0.01);
        assert_eq!(value("9.5 mm", Dimension::Length), 0.0095);
        assert_eq!(value("1um", Dimension::Length), 1e-6);
        assert_eq!(value("1µm", Dimension::Length), 1e-6);
        assert_eq!(value("-20mm", Dimension::Length), -0.02);
        assert_eq!(value("0.25e-3", Dimension::Length), 0.25e-3);
        assert_eq!(value("71.7GPa", Dimension::Pressure), 71.7e9);
        assert_eq!(value("1e-3m", Dimension::Length), 1e-3);
        assert_eq!(value("1000N/mm", Dimension::LineLoad), 1e6);
        assert_eq!(value("36km/h", Dimension::Speed), 10.0);
        assert_eq!(value("39.1 ms", Dimension::Time), 39.1e-3);
        assert_eq!(value("0.0153 kg m^2", Dimension::Inertia), 0.0153);
        assert_eq!(value("0.0153 kg·m²", Dimension::Inertia), 0.0153);
        assert_eq!(value("20.94 kg mm²", Dimension::Inertia), 20.94e-6);
        assert_eq!(value("60 rpm", Dimension::AngularSpeed), TAU);
        assert_eq!(value("180 deg", Dimension::Angle), PI);
        assert_eq!(value("-9.81 m/s^2", Dimension::Acceleration), -9.81);
        assert_eq!(value("5 N m", Dimension::Torque), 5.0);
        assert_eq!(value("2 N m/rad", Dimension::TorsionalStiffness), 2.0);
    }

    #[test]
    fn property_wrong_units_are_explained() {
        let complaint = |text, dimension| parse(text, dimension).expect_err(text).to_string();
        let wrong = complaint("15N", Dimension::Length);
        assert!(wrong.contains("unit of force") && wrong.contains("mm"), "{wrong}");
        let unknown = complaint("15 parsec", Dimension::Length);
        assert!(unknown.contains("parsec") && unknown.contains("mm"), "{unknown}");
        assert!(complaint("ten", Dimension::Mass).contains("0.5kg"));
        assert!(parse("nan", Dimension::Mass).is_err() && parse("inf", Dimension::Mass).is_err());
        assert!(parse("1e308 km/h", Dimension::Speed).is_ok());
        assert!(parse("1e308 kN", Dimension::Force).is_err());
        assert!(parse("5 kg", Dimension::Number).is_err());
    }

    #[test]
    fn property_every_example_is_understood() {
        for dimension in Dimension::ALL {
            assert!(parse(dimension.example(), *dimension).is_ok(), "{dimension:?}");
            for unit in dimension.unit_names() {
                assert_eq!(normal(unit), unit);
                assert!(parse(&format!("1 {unit}"), *dimension).is_ok(), "{dimension:?} {unit}");
            }
        }
    }

    #[test]
    fn property_one_of_two_dimensions_is_told_apart() {
        let both = [Dimension::Length, Dimension::Angle];
        assert_eq!(parse_any("3", &both), Ok((3.0, Dimension::Length)));
        assert_eq!(parse_any("3 rad", &both), Ok((3.0, Dimension::Angle)));
        let wrong = parse_any("3 kg", &both).expect_err("a mass").to_string();
        assert!(wrong.contains("length or angle"), "{wrong}");
    }
}
