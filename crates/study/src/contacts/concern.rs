//! Checks of a law's bounds in a joint, and warnings about the law.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Indentations above this fraction of the radius of a journal, pin or circle, or of half the height of a block, are reported:
/// contact laws are meant for much smaller ones.
pub(super) const DEEP: f64 = 0.1;

/// A reason to doubt a law in a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Concern {
    /// The load exceeded the limit of the elastic law: the end of its published domain, or the point beyond which it is continued.
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
        /// Highest impact speed (m/s).
        reached: f64,
    },
    /// Impacts were slower than the law is meant for.
    Slow {
        /// The limit (m/s).
        limit: f64,
        /// Lowest impact speed (m/s).
        reached: f64,
    },
    /// A law for bodies that touch in a small spot is used for a journal in a close bearing.
    Conformity {
        /// Smallest ΔR/R_i for which the law is meant.
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
    /// The damping law was not derived for the exponent of this elastic law.
    Exponent {
        /// The range of n.
        range: [f64; 2],
        /// n of the elastic law.
        value: f64,
    },
    /// A speed-dependent restitution left [0, 1] and was clamped.
    RestitutionCut,
    /// Impacts were so slow that their damping was computed with a higher impact speed.
    SpeedFloor {
        /// The speed used instead (m/s).
        floor: f64,
    },
    /// A contact began slowly and was pressed together later. Its damping, divided by the slow impact speed, makes it creep.
    Creep {
        /// The impact speed by which the damping is divided (m/s).
        speed: f64,
        /// How far the indentation lags behind the load (s).
        lag: f64,
    },
    /// A contact began slowly and was driven together much faster. Its damping, divided by the slow impact speed, made the greatest force.
    Overtaken {
        /// The impact speed by which the damping is divided (m/s).
        speed: f64,
        /// δ̇ at the greatest force (m/s).
        rate: f64,
        /// The greatest force (N).
        force: f64,
        /// The greatest elastic force of the contact (N).
        elastic: f64,
        /// When the force was greatest (s).
        t: f64,
    },
    /// The indentation was so large that no contact law is valid.
    Deep {
        /// Size of the smaller part: the radius of a journal or pin, or half the height of a block (m).
        solid: f64,
        /// Greatest indentation (m).
        reached: f64,
        /// When it was reached (s).
        t: f64,
    },
    /// A free impact with this law does not return the restitution that was specified.
    Restitution {
        /// The restitution specified.
        asked: f64,
        /// The restitution of a free impact.
        returned: f64,
    },
    /// Impacts were so shallow that their separation speed depends on the tolerance of the run.
    Shallow {
        /// Maximum indentation of the shallowest of them (m).
        delta: f64,
        /// The accuracy of positions (m).
        resolution: f64,
    },
    /// Impacts were so slow that they were damped as contacts at rest, and parted again. This says nothing against the law.
    Rested {
        /// How many.
        count: usize,
        /// The lowest and the highest of their impact speeds (m/s).
        speeds: [f64; 2],
        /// Contacts that begin slower than this rest (m/s).
        limit: f64,
    },
    /// A bound of the law could not be checked. This says nothing against the law.
    Unchecked {
        /// What is bounded.
        quantity: Quantity,
        /// What is missing.
        why: &'static str,
    },
    /// The restitution of impacts differs from that of free impacts, because other forces act at the same time. This says nothing
    /// against the law.
    Burdened {
        /// Mean restitution of the impacts.
        returned: f64,
        /// Mean restitution of free impacts at the same speeds.
        free: f64,
    },
}

/// What a fraction refers to.
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

/// A concern about one joint, with the fraction of its contact time or of its impacts that it affects.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Name of the joint.
    pub joint: String,
    /// Id of the law in question, if it is one of the catalogue.
    pub law: Option<&'static str>,
    /// The concern.
    pub concern: Concern,
    /// The fraction of `of` that is affected, from 0 to 1.
    pub share: f64,
    /// What `share` is a fraction of.
    pub of: Whole,
    /// A more suitable law, or a change that helps.
    pub better: Option<String>,
}

impl Warning {
    /// Whether this is only a note, not a doubt about the law.
    pub fn is_note(&self) -> bool {
        use Concern::{Burdened, Rested, Unchecked};
        matches!(self.concern, Burdened { .. } | Rested { .. } | Unchecked { .. })
    }

    /// What the share is a fraction of, in words.
    fn whole(&self) -> String {
        match self.concern {
            Concern::Burdened { .. } | Concern::Shallow { .. } => "the impacts".to_owned(),
            Concern::Load { .. }
            | Concern::Speed { .. }
            | Concern::Slow { .. }
            | Concern::Conformity { .. }
            | Concern::Clearance { .. }
            | Concern::Exponent { .. }
            | Concern::RestitutionCut
            | Concern::SpeedFloor { .. }
            | Concern::Creep { .. }
            | Concern::Overtaken { .. }
            | Concern::Deep { .. }
            | Concern::Restitution { .. }
            | Concern::Rested { .. }
            | Concern::Unchecked { .. } => self.of.to_string(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "joint '{}': ", self.joint)?;
        self.write_concern(f)
    }
}

impl Warning {
    /// The concern, the fraction that is affected, and the advice.
    pub(super) fn write_concern(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let law = |kind: &str| self.law.map_or(format!("its {kind}"), |id| format!("'{id}'"));
        match self.concern {
            Concern::Load { limit, reached } => {
                write!(f, "{} is valid up to {:.3} µm, ", law("elastic law"), limit * 1e6)?;
                write!(f, "but the contact reached {:.3} µm", reached * 1e6)?;
            }
            Concern::Speed { limit, reached } => {
                write!(f, "{} is published for impacts up to {limit:.3} m/s, ", law("law"))?;
                write!(f, "but there were impacts of up to {reached:.3} m/s")?;
            }
            Concern::Slow { limit, reached } => {
                write!(f, "{} is published for impacts above {limit:.3} m/s, ", law("law"))?;
                write!(f, "but there were impacts of {reached:.2e} m/s")?;
            }
            Concern::Conformity { least, ratio } => {
                write!(f, "{} is not meant for a close-fitting bearing: ", law("elastic law"))?;
                write!(f, "ΔR is {ratio:.4} of the bearing radius, less than {least}")?;
            }
            Concern::Clearance { range: [low, high], value } => {
                let (low, high) = (1e3 * low, 1e3 * high);
                write!(f, "{} is valid for ΔR from {low:.3} to {high:.3} mm, ", law("law"))?;
                write!(f, "but here it is {:.4} mm", 1e3 * value)?;
            }
            Concern::Exponent { range: [low, high], value } => {
                write!(f, "{} was derived for an elastic law with ", law("law"))?;
                let to = if low == high { String::new() } else { format!(" to {high}") };
                write!(f, "exponent {low}{to}, but here it is {value}")?;
            }
            Concern::RestitutionCut => {
                write!(f, "at one impact speed or more the formula of its restitution gave a ")?;
                write!(f, "value outside [0, 1], which was clamped")?;
            }
            Concern::SpeedFloor { floor } => {
                write!(
                    f,
                    "impacts slower than {floor:.1e} m/s were damped as if they had that speed"
                )?;
            }
            Concern::Creep { speed, lag } => {
                write!(f, "a contact began at {speed:.2e} m/s and was pressed together later; ")?;
                write!(f, "its damping depends on that slow impact speed and is so strong that ")?;
                write!(f, "the indentation lags behind the load by {lag:.2e} s")?;
            }
            Concern::Overtaken { speed, rate, force, elastic, t } => {
                write!(f, "a contact began at {speed:.2e} m/s and was driven together at ")?;
                write!(f, "{rate:.2e} m/s; its damping is divided by that slow impact speed and ")?;
                write!(f, "made a force of {} N at t = {t:.6e} s, where ", digits(force))?;
                write!(f, "the elastic force of the contact is at most {} N", digits(elastic))?;
            }
            Concern::Deep { solid, reached, t } => {
                write!(
                    f,
                    "the indentation reaches {} mm at t = {t:.6e} s, ",
                    digits(reached * 1e3)
                )?;
                write!(f, "more than {:.0} % of the part's size ", 100.0 * DEEP)?;
                write!(f, "({:.3} mm); no contact law is valid there", solid * 1e3)?;
            }
            Concern::Restitution { asked, returned } => {
                write!(f, "{} returns {returned:.3} in a free impact ", law("damping law"))?;
                write!(f, "where {asked:.3} is specified")?;
            }
            Concern::Unchecked { quantity, why } => {
                let (name, _) = quantity.name_and_unit();
                return write!(f, "the limit of {} on {name} was not checked: {why}", law("law"));
            }
            Concern::Shallow { delta, resolution } => {
                write!(
                    f,
                    "the rebound speed of impacts as shallow as {delta:.1e} m is determined "
                )?;
                write!(f, "by the tolerance, not by the law: positions are only accurate ")?;
                write!(f, "to {resolution:.1e} m")?;
            }
            Concern::Rested { count, speeds, limit } => write_rested(f, count, speeds, limit)?,
            Concern::Burdened { returned, free } => {
                write!(
                    f,
                    "the mean restitution of its impacts is {returned:.3}, but free impacts at the same "
                )?;
                write!(
                    f,
                    "speeds would return {free:.3}: load, friction or other contacts acted "
                )?;
                write!(f, "during the impacts")?;
            }
        }
        let share = 100.0 * self.share;
        write!(f, " ({share:.1} % of {})", self.whole())?;
        if let Some(better) = &self.better {
            write!(f, "; {better}")?;
        }
        Ok(())
    }
}

/// The note on impacts that were damped like contacts at rest.
fn write_rested(
    f: &mut fmt::Formatter<'_>,
    count: usize,
    [low, high]: [f64; 2],
    limit: f64,
) -> fmt::Result {
    let some = if count == 1 { "1 impact".into() } else { format!("{count} impacts") };
    let to = if low == high { String::new() } else { format!(" to {high:.1e}") };
    write!(f, "{some} of {low:.1e}{to} m/s parted again; contacts that begin slower ")?;
    write!(f, "than {limit:.0e} m/s are damped as if at rest, by the fraction of critical ")?;
    write!(f, "damping of their restitution: their force and indentation are not those of the law")
}

/// A bound of a data sheet.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Quantity {
    /// Impact speed (m/s).
    ImpactSpeed,
    /// Specified restitution c_r.
    Restitution,
    /// ΔR/R_i of a journal in a bearing.
    Conformity,
    /// Indentation at the load limit of the law (m).
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

/// A bound of a data sheet, compared with what happened in a joint.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Id of the law; `None` for a user's own elastic law.
    pub law: Option<String>,
    /// The bounded quantity.
    pub quantity: Quantity,
    /// Lower and upper bound; `None` if there is none.
    pub limits: [Option<f64>; 2],
    /// The most extreme value; `None` if it could not be checked.
    pub value: Option<f64>,
    /// The fraction of `of` that was outside the bound, from 0 to 1.
    pub share: f64,
    /// What `share` is a fraction of.
    pub of: Whole,
    /// Why the bound could not be checked; `None` if it was.
    pub unchecked: Option<String>,
}

impl Check {
    /// The check and its result as text, without the name of the law.
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
            [Some(low), Some(high)] if low == high => write!(f, "limit {}{unit}", digits(low))?,
            [Some(low), Some(high)] => {
                write!(f, "limits {} … {}{unit}", digits(low), digits(high))?;
            }
            [Some(low), None] => write!(f, "at least {}{unit}", digits(low))?,
            [None, Some(high)] => write!(f, "at most {}{unit}", digits(high))?,
            [None, None] => write!(f, "no limit")?,
        }
        if self.share > 0.0 {
            write!(f, ": outside for {:.1} % of {}", 100.0 * self.share, self.of)
        } else {
            write!(f, ": inside")
        }
    }
}

/// A number with four significant digits.
fn digits(x: f64) -> String {
    if x == 0.0 || (1e-3..1e4).contains(&x.abs()) {
        // Four significant digits, without trailing zeros.
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
