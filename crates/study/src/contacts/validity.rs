//! Where a law was used outside its domain, and which law would serve better.

use std::fmt;

use jointplay_contact::NormalLaw;
use jointplay_contact::damping::{DampingLaw, Touch};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};

use crate::closed_form;
use crate::impact::Impact;

/// Tolerance of free impacts that are integrated: three digits are shown.
const FREE_TOLERANCE: f64 = 1e-9;

/// Difference between the restitution asked for and that of a free impact from which on it is told.
const MISSED: f64 = 0.05;

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
    /// A restitution that depends on the speed left [0, 1] and was cut.
    RestitutionCut,
    /// The impact speed was so small that the law was told a greater one.
    SpeedFloor {
        /// What it was told (m/s).
        floor: f64,
    },
    /// A free impact with this law does not return what it is asked for.
    Restitution {
        /// The restitution asked for.
        asked: f64,
        /// What a free impact returns.
        returned: f64,
    },
}

/// A concern about one joint, with the part of its contact time that it covers.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Name of the joint.
    pub joint: String,
    /// What is doubtful.
    pub concern: Concern,
    /// Part of the contact time, from 0 to 1.
    pub share: f64,
    /// A law, or a change, that serves better.
    pub better: Option<&'static str>,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "joint '{}': ", self.joint)?;
        match self.concern {
            Concern::Load { limit, reached } => {
                write!(f, "its elastic law ends at {:.3} µm, ", limit * 1e6)?;
                write!(f, "the contact went to {:.3} µm", reached * 1e6)?;
            }
            Concern::Speed { limit, reached } => {
                write!(f, "its law holds for impacts up to {limit:.3e} m/s, ")?;
                write!(f, "there were some of {reached:.3e} m/s")?;
            }
            Concern::RestitutionCut => {
                write!(f, "its restitution left [0, 1] at the speed of an impact and was cut")?;
            }
            Concern::SpeedFloor { floor } => {
                write!(f, "impacts slower than {floor:.1e} m/s were damped as if at that speed")?;
            }
            Concern::Restitution { asked, returned } => {
                write!(f, "its damping law returns {returned:.3} in a free impact ")?;
                write!(f, "where {asked:.3} is asked for")?;
            }
        }
        write!(f, " ({:.1} % of the contact time)", 100.0 * self.share)?;
        if let Some(better) = self.better {
            write!(f, "; {better}")?;
        }
        Ok(())
    }
}

/// The indentation (m) beyond which an elastic law is outside its domain.
pub(super) fn depth_limit(elastic: &ElasticLaw) -> Option<f64> {
    let limits = elastic.limits();
    let published = limits.published_force.and_then(|force| elastic.indentation(force));
    let limits = [limits.continued_from, published];
    limits.into_iter().flatten().reduce(f64::min)
}

/// What a free impact at this speed returns under a law: by its closed form, else by integration. `None` where the memory of
/// the contact is more than that of a first touch, or where no impact can be integrated.
pub(super) fn free_restitution(law: &NormalLaw, touch: &Touch, speed: f64) -> Option<f64> {
    if touch.max_delta > 0.0 {
        return None;
    }
    let closed = closed_form::restitution(law, touch, speed);
    closed.or_else(|| {
        let (effective_mass, tolerance) = (touch.effective_mass, FREE_TOLERANCE);
        Impact { law, effective_mass, speed, tolerance }.run().ok().map(|free| free.restitution)
    })
}

/// What serves better where a law ends at a load.
fn better_load(elastic: &ElasticLaw) -> Option<&'static str> {
    match elastic {
        ElasticLaw::Logarithmic(_) | ElasticLaw::Persson(_) => {
            Some("the law 'liu' has no limit of load")
        }
        ElasticLaw::Table(_) => Some("give the table more points"),
        ElasticLaw::Expression(_) => Some("state a greater range for the formula"),
        _ => None,
    }
}

/// The concerns of one contact under its law, gathered over its episodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Concerns {
    found: Vec<(Concern, f64, Option<&'static str>)>,
}

/// What an episode says about its law.
pub(super) struct Evidence<'a> {
    pub(super) law: &'a NormalLaw,
    pub(super) touch: &'a Touch,
    pub(super) duration: f64,
    /// Time beyond the domain of the elastic law (s).
    pub(super) beyond: f64,
    /// The elastic law that was left, and the depth at which it ends (m).
    pub(super) left: Option<(&'a ElasticLaw, f64)>,
    pub(super) max_indentation: f64,
    pub(super) impact_speed: f64,
    pub(super) speed_limit: Option<f64>,
}

impl Evidence<'_> {
    /// Whether the law is outside its domain from the first instant on.
    pub(super) fn out_from_the_start(&self) -> bool {
        self.touch.restitution_cut || self.speed_limit.is_some_and(|v| self.impact_speed > v)
    }
}

impl Concerns {
    pub(super) fn add(&mut self, e: &Evidence<'_>) {
        if let Some((law, limit)) = e.left {
            let reached = e.max_indentation;
            self.book(Concern::Load { limit, reached }, e.beyond, better_load(law));
        }
        if let Some(limit) = e.speed_limit.filter(|limit| e.impact_speed > *limit) {
            let better = Some("above it metals yield: 'lankarani-nikravesh-plastic'");
            let reached = e.impact_speed;
            self.book(Concern::Speed { limit, reached }, e.duration, better);
        }
        if e.touch.restitution_cut {
            let better = Some("a constant restitution, or a table over the speed, stays inside");
            self.book(Concern::RestitutionCut, e.duration, better);
        }
        if e.touch.floored {
            let floor = e.law.impact_speed_floor;
            self.book(Concern::SpeedFloor { floor }, e.duration, None);
        }
        let asked = e.law.damping.restitution().map(|_| e.touch.restitution);
        let returned = closed_form::restitution(e.law, e.touch, e.touch.impact_speed);
        if let (Some(asked), Some(returned)) = (asked, returned)
            && (asked - returned).abs() > MISSED
        {
            let better = match e.law.damping {
                DampingLaw::TwoSlope { .. } => "ask for the square of the restitution",
                _ => "the damping law 'exact' returns it",
            };
            self.book(Concern::Restitution { asked, returned }, e.duration, Some(better));
        }
    }

    /// Adds time to a concern of this kind, with the worst of its numbers.
    fn book(&mut self, concern: Concern, time: f64, better: Option<&'static str>) {
        let same = |(known, ..): &&mut (Concern, f64, _)| {
            std::mem::discriminant(known) == std::mem::discriminant(&concern)
        };
        let Some((known, sum, _)) = self.found.iter_mut().find(same) else {
            self.found.push((concern, time, better));
            return;
        };
        *sum += time;
        match (known, concern) {
            (
                Concern::Load { limit, reached },
                Concern::Load { limit: other, reached: further },
            )
            | (
                Concern::Speed { limit, reached },
                Concern::Speed { limit: other, reached: further },
            ) => (*limit, *reached) = (limit.min(other), reached.max(further)),
            (
                Concern::Restitution { asked, returned },
                Concern::Restitution { asked: a, returned: r },
            ) if (a - r).abs() > (*asked - *returned).abs() => (*asked, *returned) = (a, r),
            _ => {}
        }
    }

    pub(super) fn warnings(self, joint: &str, contact_time: f64) -> Vec<Warning> {
        let share =
            |time: f64| if contact_time > 0.0 { (time / contact_time).min(1.0) } else { 0.0 };
        let warning = |(concern, time, better)| Warning {
            joint: joint.to_owned(),
            concern,
            share: share(time),
            better,
        };
        self.found.into_iter().map(warning).collect()
    }
}
