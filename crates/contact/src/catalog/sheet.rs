//! The data sheet of a law: what a user must know before using it.
//!
//! A sheet is constant data; the laws themselves are elsewhere and never read it. The command
//! line, the reference page and the rustdoc page of all laws are printed from sheets, so a law
//! and its description cannot drift apart.

use std::fmt;

use super::bounds::Bounds;

/// The family of a law; ids are unique over all families.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Elastic law of a point contact, force in N.
    Point,
    /// Elastic law of a line contact between cylinders, force per length times the length.
    Cylinder,
    /// Dissipation added to an elastic law.
    Damping,
    /// Dissipation through permanent indentation.
    Plastic,
    /// Tangential force.
    Friction,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Point => "elastic, point contact",
            Self::Cylinder => "elastic, cylinders",
            Self::Damping => "dissipation",
            Self::Plastic => "permanent indentation",
            Self::Friction => "friction",
        })
    }
}

/// The five papers whose equation numbers the sheets quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paper {
    /// Autiero et al. 2022, the review of slotted joints with the scotch yoke.
    A,
    /// Skrinjar, Slavič, Boltežar 2018, the review of contact-force models.
    S,
    /// Bai, Chen, Sun 2014, the slider-crank with five laws.
    B,
    /// Skrinjar, Slavič, Boltežar 2017, the pin-slot clearance joint.
    P,
    /// Pereira, Ramalho, Ambrósio 2011, cylindrical contact laws.
    C,
}

impl Paper {
    /// All five, in the order of the legend.
    pub const ALL: [Self; 5] = [Self::A, Self::S, Self::B, Self::P, Self::C];

    /// The letter under which data sheets and errata quote the paper.
    pub const fn key(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::S => "S",
            Self::B => "B",
            Self::P => "P",
            Self::C => "C",
        }
    }
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::A => "Autiero, Cera, Cirelli, Pennestrì, Valentini 2022 (`Autiero2022`)",
            Self::S => "Skrinjar, Slavič, Boltežar 2018 (`Skrinjar2018`)",
            Self::B => "Bai, Chen, Sun 2014 (`Bai2014`)",
            Self::P => "Skrinjar, Slavič, Boltežar 2017 (`Skrinjar2017`)",
            Self::C => "Pereira, Ramalho, Ambrósio 2011 (`Pereira2011`)",
        })
    }
}

/// Where a paper prints the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The paper.
    pub paper: Paper,
    /// Equation, table or section as printed, such as `eq. (36)`.
    pub place: &'static str,
}

/// An interval of admissible values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end, possibly infinite.
    pub high: f64,
    /// Whether the lower end belongs to the interval.
    pub low_closed: bool,
    /// Whether the upper end belongs to the interval.
    pub high_closed: bool,
}

impl Interval {
    /// `[low, high]`.
    pub const fn closed(low: f64, high: f64) -> Self {
        Self { low, high, low_closed: true, high_closed: true }
    }

    /// `(low, high)`.
    pub const fn open(low: f64, high: f64) -> Self {
        Self { low, high, low_closed: false, high_closed: false }
    }

    /// `(low, high]`.
    pub const fn above(low: f64, high: f64) -> Self {
        Self { low, high, low_closed: false, high_closed: true }
    }

    /// `[low, high)`.
    pub const fn from(low: f64, high: f64) -> Self {
        Self { low, high, low_closed: true, high_closed: false }
    }

    /// `(0, ∞)`.
    pub const POSITIVE: Self = Self::open(0.0, f64::INFINITY);

    /// `[0, ∞)`.
    pub const NON_NEGATIVE: Self = Self::from(0.0, f64::INFINITY);

    /// Whether `value` is a number inside the interval.
    pub fn contains(&self, value: f64) -> bool {
        let above = if self.low_closed { value >= self.low } else { value > self.low };
        let below = if self.high_closed { value <= self.high } else { value < self.high };
        above && below && value.is_finite()
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = if self.low_closed { '[' } else { '(' };
        let close = if self.high_closed { ']' } else { ')' };
        if self.low == f64::NEG_INFINITY {
            f.write_str("(−∞, ")?;
        } else {
            write!(f, "{open}{}, ", self.low)?;
        }
        if self.high == f64::INFINITY {
            f.write_str("∞)")
        } else {
            write!(f, "{}{close}", self.high)
        }
    }
}

/// One parameter of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Key in files and on the command line, such as `restitution`.
    pub key: &'static str,
    /// Symbol of NOTATION.md in Unicode, such as `c_r`.
    pub symbol: &'static str,
    /// Unit, `-` for a pure number.
    pub unit: &'static str,
    /// Admissible values.
    pub interval: Interval,
    /// Value when none is given; `None` means it must be given.
    pub default: Option<f64>,
    /// What it is, in a few words.
    pub meaning: &'static str,
}

/// The data sheet of one law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// The id under which files and the command line know the law.
    pub id: &'static str,
    /// Other accepted names of the same law.
    pub aliases: &'static [&'static str],
    /// Kind of law.
    pub family: Family,
    /// Full name.
    pub name: &'static str,
    /// Authors of the original.
    pub authors: &'static str,
    /// Year of the original.
    pub year: u16,
    /// Key of the original in `docs/references.bib`.
    pub source: &'static str,
    /// Where the five papers print it.
    pub equations: &'static [Citation],
    /// One line for lists.
    pub summary: &'static str,
    /// The law in LaTeX, without dollar signs.
    pub formula: &'static str,
    /// Parameters in the order of importance.
    pub parameters: &'static [Parameter],
    /// Where the law is valid.
    pub domain: &'static str,
    /// The bounds of the domain that have numbers; every run checks them.
    pub bounds: Bounds,
    /// Misprints, readings and warnings.
    pub notes: &'static [&'static str],
    /// Entries of `docs/errata.md` that concern the law.
    pub errata: &'static [u8],
}
