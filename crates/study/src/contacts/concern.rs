//! What is said about a law in a joint: checks of its bounds, and warnings.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Part of the radius of a journal, pin or circle, or of half the height of a block, from which on an indentation is told: laws of
/// contact are made for much less.
pub(super) const DEEP: f64 = 0.1;

/// What is doubtful about a law in a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Concern {
    /// The load went beyond the limit of the elastic law: the source ends its domain, or the law is continued.
    Load {
        /// Indentation at the limit (m).
        limit: f64,
        /// Greatest indentation (m).
        reached: f64,
    },
    /// Impacts were faster than the law allows.
    Speed {
        /// The limit (m/s).
        limit: f64,
        /// Greatest impact speed (m/s).
        reached: f64,
    },
    /// Impacts were slower than the law is meant for.
    Slow {
        /// The limit (m/s).
        limit: f64,
        /// Least impact speed (m/s).
        reached: f64,
    },
    /// A law for bodies that touch in a small spot is used for a journal in a close bearing.
    Conformity {
        /// Least ΔR/R_i for which the law is meant.
        least: f64,
        /// ΔR/R_i of the joint.
        ratio: f64,
    },
    /// The clearance is outside the range of the law.
    Clearance {
        /// The range of ΔR (m).
        range: [f64; 2],
        /// ΔR of the joint (m).
        value: f64,
    },
    /// The exponent of the elastic law is not one for which the law was derived.
    Exponent {
        /// The range of n.
        range: [f64; 2],
        /// n of the elastic law.
        value: f64,
    },
    /// A restitution that depends on the speed left [0, 1] and was cut.
    RestitutionCut,
    /// The impact speed was so small that the law was told a greater one.
    SpeedFloor {
        /// What it was told (m/s).
        floor: f64,
    },
    /// A contact began slowly and was pressed together later: damping over that speed lets it only creep.
    Creep {
        /// The speed that the damping is related to (m/s).
        speed: f64,
        /// How long the contact takes to follow its load (s).
        lag: f64,
    },
    /// A contact went so deep that no law of contact describes it.
    Depth {
        /// How thick the smaller part is: the radius of a journal or pin, half the height of a block (m).
        solid: f64,
        /// Greatest indentation (m).
        reached: f64,
        /// When it was reached (s).
        t: f64,
    },
    /// A free impact with this law does not return what it is asked for.
    Restitution {
        /// The restitution asked for.
        asked: f64,
        /// What a free impact returns.
        returned: f64,
    },
    /// Impacts were so shallow that the tolerance of the run decides how fast they part.
    Shallow {
        /// Greatest indentation of the shallowest of them (m).
        depth: f64,
        /// The length to which positions are known (m).
        resolution: f64,
    },
    /// A bound of the law could not be held against the run. This is no fault of the law.
    Unchecked {
        /// What is bounded.
        quantity: Quantity,
        /// What is missing.
        why: &'static str,
    },
    /// Impacts return something else than free impacts would, because other forces act at the same time. This is no fault of
    /// the law.
    Burdened {
        /// Mean restitution of the impacts.
        returned: f64,
        /// Mean of what free impacts at the same speeds return.
        free: f64,
    },
}

/// Of what a share is a share.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whole {
    /// The contact time of the joint.
    ContactTime,
    /// The number of its contact episodes.
    Impacts,
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Whole::ContactTime => "the contact time",
            Whole::Impacts => "the contact episodes",
        })
    }
}

/// A concern about one joint, with the part of its contact time or of its impacts that it covers.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Name of the joint.
    pub joint: String,
    /// Id of the law that it is about, where that is one of the catalogue.
    pub law: Option<&'static str>,
    /// What is doubtful.
    pub concern: Concern,
    /// Part of `of`, from 0 to 1.
    pub share: f64,
    /// Of what.
    pub of: Whole,
    /// A law, or a change, that serves better.
    pub better: Option<String>,
}

impl Warning {
    /// Whether it is worth knowing, but no doubt about the law.
    pub fn is_note(&self) -> bool {
        matches!(self.concern, Concern::Burdened { .. } | Concern::Unchecked { .. })
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "joint '{}': ", self.joint)?;
        let law = |kind: &str| self.law.map_or(format!("its {kind}"), |id| format!("'{id}'"));
        match self.concern {
            Concern::Load { limit, reached } => {
                write!(f, "{} ends at {:.3} µm, ", law("elastic law"), limit * 1e6)?;
                write!(f, "the contact went to {:.3} µm", reached * 1e6)?;
            }
            Concern::Speed { limit, reached } => {
                write!(f, "{} is published for impacts up to {limit:.3} m/s, ", law("law"))?;
                write!(f, "there were some of up to {reached:.3} m/s")?;
            }
            Concern::Slow { limit, reached } => {
                write!(f, "{} is published for impacts from {limit:.3} m/s on, ", law("law"))?;
                write!(f, "there were some of {reached:.2e} m/s")?;
            }
            Concern::Conformity { least, ratio } => {
                write!(f, "{} is no law for a journal in a close bearing: ", law("elastic law"))?;
                write!(f, "ΔR is {ratio:.4} of the bearing radius, less than {least}")?;
            }
            Concern::Clearance { range: [low, high], value } => {
                let (low, high) = (1e3 * low, 1e3 * high);
                write!(f, "{} holds for ΔR from {low:.3} to {high:.3} mm, ", law("law"))?;
                write!(f, "here it is {:.4} mm", 1e3 * value)?;
            }
            Concern::Exponent { range: [low, high], value } => {
                write!(f, "{} was derived for an elastic law of ", law("law"))?;
                let to = if low == high { String::new() } else { format!(" to {high}") };
                write!(f, "exponent {low}{to}, here it is {value}")?;
            }
            Concern::RestitutionCut => {
                write!(f, "its restitution left [0, 1] at the speed of an impact and was cut")?;
            }
            Concern::SpeedFloor { floor } => {
                write!(f, "impacts slower than {floor:.1e} m/s were damped as if at that speed")?;
            }
            Concern::Creep { speed, lag } => {
                write!(f, "a contact began at {speed:.2e} m/s and was pressed together later; ")?;
                write!(f, "its damping is related to that speed, so that it follows its load ")?;
                write!(f, "only within {lag:.2e} s")?;
            }
            Concern::Depth { solid, reached, t } => {
                write!(f, "it is {} mm deep at t = {t:.6e} s, ", digits(reached * 1e3))?;
                write!(f, "more than {:.0} % of the {:.3} mm ", 100.0 * DEEP, solid * 1e3)?;
                write!(f, "that the part is thick there: no law of contact describes that")?;
            }
            Concern::Restitution { asked, returned } => {
                write!(f, "{} returns {returned:.3} in a free impact ", law("damping law"))?;
                write!(f, "where {asked:.3} is asked for")?;
            }
            Concern::Unchecked { quantity, why } => {
                let (name, _) = quantity.name_and_unit();
                return write!(f, "the {name} that {} is for was not checked: {why}", law("law"));
            }
            Concern::Shallow { depth, resolution } => {
                write!(f, "impacts as shallow as {depth:.1e} m part at speeds that the ")?;
                write!(f, "tolerance decides, not the law: positions are only known to ")?;
                write!(f, "{resolution:.1e} m")?;
            }
            Concern::Burdened { returned, free } => {
                write!(
                    f,
                    "its impacts return {returned:.3} on average, free impacts at the same "
                )?;
                write!(f, "speeds {free:.3}: load, friction or other contacts act meanwhile")?;
            }
        }
        let share = 100.0 * self.share;
        match self.concern {
            Concern::Burdened { .. } | Concern::Shallow { .. } => {
                write!(f, " ({share:.1} % of the impacts)")?;
            }
            _ => write!(f, " ({share:.1} % of {})", self.of)?,
        }
        if let Some(better) = &self.better {
            write!(f, "; {better}")?;
        }
        Ok(())
    }
}

/// A bound of a data sheet.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Quantity {
    /// Impact speed (m/s).
    ImpactSpeed,
    /// Restitution c_r asked for.
    Restitution,
    /// ΔR/R_i of a journal in a bearing.
    Conformity,
    /// Indentation at which the load ends the law (m).
    Indentation,
    /// ΔR (m).
    Clearance,
    /// Exponent n of the elastic law.
    Exponent,
}

impl Quantity {
    fn name_and_unit(self) -> (&'static str, &'static str) {
        match self {
            Quantity::ImpactSpeed => ("impact speed", " m/s"),
            Quantity::Restitution => ("c_r", ""),
            Quantity::Conformity => ("ΔR over the bearing radius", ""),
            Quantity::Indentation => ("indentation", " m"),
            Quantity::Clearance => ("ΔR", " m"),
            Quantity::Exponent => ("exponent", ""),
        }
    }
}

/// A bound of a data sheet, held against what a joint did.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Id of the law; `None` for an elastic law of the user's own.
    pub law: Option<String>,
    /// What is bounded.
    pub quantity: Quantity,
    /// Lower and upper bound, where there are such.
    pub limits: [Option<f64>; 2],
    /// The value that lies farthest out; `None` where it could not be checked.
    pub value: Option<f64>,
    /// Part of `of` outside the bound, from 0 to 1.
    pub share: f64,
    /// Of what.
    pub of: Whole,
    /// Why it could not be checked, if it could not.
    pub unchecked: Option<String>,
}

impl Check {
    /// What was compared and how it came out, without the name of the law.
    pub fn statement(&self) -> String {
        Check { law: None, ..self.clone() }.to_string()
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, unit) = self.quantity.name_and_unit();
        if let Some(law) = &self.law {
            write!(f, "{law}: ")?;
        }
        let Some(value) = self.value else {
            let why = self.unchecked.as_deref().unwrap_or("it is not known");
            return write!(f, "{name} could not be checked: {why}");
        };
        write!(f, "{name} {}{unit}, ", digits(value))?;
        match self.limits {
            [Some(low), Some(high)] if low == high => write!(f, "bound to {}{unit}", digits(low))?,
            [Some(low), Some(high)] => {
                write!(f, "bound to {} … {}{unit}", digits(low), digits(high))?;
            }
            [Some(low), None] => write!(f, "bound from {}{unit} on", digits(low))?,
            [None, Some(high)] => write!(f, "bound up to {}{unit}", digits(high))?,
            [None, None] => write!(f, "without a bound")?,
        }
        if self.share > 0.0 {
            write!(f, ": outside for {:.1} % of {}", 100.0 * self.share, self.of)
        } else {
            write!(f, ": inside")
        }
    }
}

/// A number in four digits.
fn digits(x: f64) -> String {
    if x == 0.0 || (1e-3..1e4).contains(&x.abs()) {
        // Four digits that count; zeros at the end do not.
        let places = if x.abs() >= 100.0 {
            1
        } else if x.abs() >= 1.0 {
            3
        } else {
            5
        };
        let text = format!("{x:.places$}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{x:.3e}")
    }
}
