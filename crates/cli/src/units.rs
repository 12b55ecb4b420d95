//! Quantities as people write them, "0.5 mm", to SI numbers, once.

use std::fmt;

/// What a quantity measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dimension {
    Length,
    Force,
    LineLoad,
    Mass,
    Speed,
    Pressure,
    Density,
    /// Anything whose unit depends on the law (stiffness, χ, …): a plain SI number.
    Number,
}

/// Units of each dimension with their size in SI; the first is the SI unit.
const UNITS: &[(Dimension, &[(&str, f64)])] = &[
    (
        Dimension::Length,
        &[
            ("m", 1.0),
            ("cm", 1e-2),
            ("mm", 1e-3),
            ("um", 1e-6),
            ("µm", 1e-6),
            ("μm", 1e-6),
            ("nm", 1e-9),
            ("in", 0.0254),
        ],
    ),
    (Dimension::Force, &[("N", 1.0), ("kN", 1e3), ("MN", 1e6), ("mN", 1e-3)]),
    (Dimension::LineLoad, &[("N/m", 1.0), ("N/mm", 1e3), ("kN/m", 1e3), ("kN/mm", 1e6)]),
    (Dimension::Mass, &[("kg", 1.0), ("g", 1e-3), ("mg", 1e-6), ("t", 1e3)]),
    (Dimension::Speed, &[("m/s", 1.0), ("mm/s", 1e-3), ("cm/s", 1e-2), ("km/h", 1.0 / 3.6)]),
    (
        Dimension::Pressure,
        &[("Pa", 1.0), ("kPa", 1e3), ("MPa", 1e6), ("GPa", 1e9), ("N/m^2", 1.0), ("N/mm^2", 1e6)],
    ),
    (Dimension::Density, &[("kg/m^3", 1.0), ("kg/m3", 1.0), ("g/cm^3", 1e3), ("g/cm3", 1e3)]),
];

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "length",
            Self::Force => "force",
            Self::LineLoad => "load per length",
            Self::Mass => "mass",
            Self::Speed => "speed",
            Self::Pressure => "pressure",
            Self::Density => "density",
            Self::Number => "number",
        })
    }
}

fn units_of(dimension: Dimension) -> &'static [(&'static str, f64)] {
    UNITS.iter().find(|(d, _)| *d == dimension).map_or(&[], |(_, units)| units)
}

/// Reads a quantity; a plain number is SI.
pub(crate) fn parse(text: &str, dimension: Dimension) -> Result<f64, String> {
    let text = text.trim();
    let (number, unit) = split(text);
    let value: f64 = number.parse().map_err(|_| {
        format!("`{text}` is not a {dimension}; write a number such as {}", example(dimension))
    })?;
    if !value.is_finite() {
        return Err(format!("`{text}` is not a finite number"));
    }
    if unit.is_empty() {
        return Ok(value);
    }
    if let Some((_, size)) = units_of(dimension).iter().find(|(name, _)| *name == unit) {
        // dividing by an exact power of ten rounds once: 10 mm is 0.01 to the last bit
        let inverse = 1.0 / size;
        let exact = *size < 1.0 && inverse.fract() == 0.0;
        return Ok(if exact { value / inverse } else { value * size });
    }
    let other = UNITS.iter().find(|(_, units)| units.iter().any(|(name, _)| *name == unit));
    let known = units_of(dimension).iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    Err(match other {
        Some((found, _)) => {
            format!("`{unit}` is a unit of {found}; a {dimension} is expected ({known})")
        }
        None if dimension == Dimension::Number => {
            format!("`{text}` has a unit; give a plain SI number here")
        }
        None => format!("unknown unit `{unit}`; a {dimension} is written in {known}"),
    })
}

fn example(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Length => "0.5mm",
        Dimension::Force => "100N",
        Dimension::LineLoad => "1000N/mm",
        Dimension::Mass => "0.5kg",
        Dimension::Speed => "0.3m/s",
        Dimension::Pressure => "207GPa",
        Dimension::Density => "7850kg/m^3",
        Dimension::Number => "1.5e9",
    }
}

/// The longest prefix that is a number, and the rest.
fn split(text: &str) -> (&str, &str) {
    let is_number =
        |s: &str| s.parse::<f64>().is_ok() && s.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    let mut ends = text.char_indices().map(|(i, c)| i + c.len_utf8());
    match ends.rfind(|&end| is_number(&text[..end])) {
        Some(end) => (&text[..end], text[end..].trim()),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_quantities_as_people_write_them() {
        assert_eq!(parse("10mm", Dimension::Length), Ok(0.01));
        assert_eq!(parse("9.5 mm", Dimension::Length), Ok(0.0095));
        assert_eq!(parse("1um", Dimension::Length), Ok(1e-6));
        assert_eq!(parse("1µm", Dimension::Length), Ok(1e-6));
        assert_eq!(parse("-20mm", Dimension::Length), Ok(-0.02));
        assert_eq!(parse("0.25e-3", Dimension::Length), Ok(0.25e-3));
        assert_eq!(parse("71.7GPa", Dimension::Pressure), Ok(71.7e9));
        assert_eq!(parse("1e-3m", Dimension::Length), Ok(1e-3));
        assert_eq!(parse("1000N/mm", Dimension::LineLoad), Ok(1e6));
        assert_eq!(parse("36km/h", Dimension::Speed), Ok(10.0));
    }

    #[test]
    fn property_wrong_units_are_explained() {
        let wrong = parse("15N", Dimension::Length).unwrap_err();
        assert!(wrong.contains("unit of force") && wrong.contains("mm"), "{wrong}");
        let unknown = parse("15 parsec", Dimension::Length).unwrap_err();
        assert!(unknown.contains("parsec") && unknown.contains("mm"), "{unknown}");
        assert!(parse("ten", Dimension::Mass).unwrap_err().contains("0.5kg"));
        assert!(parse("nan", Dimension::Mass).is_err() && parse("inf", Dimension::Mass).is_err());
        assert!(parse("5 kg", Dimension::Number).is_err());
    }
}
