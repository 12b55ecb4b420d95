//! Whether a law was used inside its domain, and which law would serve better.
//!
//! Every bound of the data sheets ([`Bounds`]) that can be held against what a joint did is held against it, over the contact
//! time or the impacts: a [`Check`] says what was compared and how it came out, and those that came out badly become
//! warnings.

use std::fmt;

use jointplay_contact::catalog::{
    Bounds, DampingKind, ElasticKind, LawOrigin, RETURNED, Sheet, SpeedBound,
};
use jointplay_contact::damping::{DampingLaw, Touch};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_contact::{NormalLaw, Surfaces};
use serde::{Deserialize, Serialize};

use super::Episode;
use crate::closed_form;
use crate::impact::Impact;

/// Tolerance of free impacts that are integrated: three digits are shown.
const FREE_TOLERANCE: f64 = 1e-9;
/// Difference between the restitution of an impact and that of a free one from which on it is told.
const BURDENED: f64 = 0.03;

/// Part of the radius of a journal, pin or circle, or of half the height of a block, from which on an indentation is told: laws of
/// contact are made for much less.
const DEEP: f64 = 0.1;

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
            Whole::Impacts => "the impacts",
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
            Concern::Depth { solid, reached, t } => {
                write!(f, "it is {:.3} mm deep at t = {t:.6e} s, ", reached * 1e3)?;
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
            Concern::Burdened { returned, free } => {
                write!(
                    f,
                    "its impacts return {returned:.3} on average, free impacts at the same "
                )?;
                write!(f, "speeds {free:.3}: load, friction or other contacts act meanwhile")?;
            }
        }
        write!(f, " ({:.1} % of {})", 100.0 * self.share, self.of)?;
        if let Some(better) = &self.better {
            write!(f, "; {better}")?;
        }
        Ok(())
    }
}

/// A bound of a data sheet.
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

/// Elastic laws that may serve where another does not, in the order in which they are proposed.
const CANDIDATES: [ElasticKind; 7] = [
    ElasticKind::Liu,
    ElasticKind::Johnson,
    ElasticKind::Esdu,
    ElasticKind::Radzimovsky,
    ElasticKind::Pereira,
    ElasticKind::Persson,
    ElasticKind::Hertz,
];

/// ΔR over the bearing radius, of a journal in a bearing.
fn conformity(surfaces: Option<Surfaces>) -> Option<f64> {
    match surfaces {
        Some(Surfaces::Internal { bearing, journal }) => Some((bearing - journal) / bearing),
        _ => None,
    }
}

fn clearance(origin: &LawOrigin) -> Option<f64> {
    origin.inputs.clearance.or_else(|| origin.inputs.surfaces?.delta_r())
}

/// Whether an elastic law, built from the same data, is inside its domain up to a force (N).
fn holds(kind: ElasticKind, origin: &LawOrigin, force: f64) -> bool {
    let mut inputs = origin.inputs.clone();
    inputs.numbers.clear(); // they are those of another law
    let bounds = &kind.sheet().bounds;
    let spread = bounds.conformity.zip(conformity(inputs.surfaces));
    let range = bounds.clearance.zip(clearance(origin));
    let Ok(built) = kind.build(&inputs) else { return false };
    let limit = depth_limit(&built.law).map(|depth| built.law.eval(depth).force);
    // Liu's law is that of a pin in a bore; the catalogue builds it from any ΔR.
    let internal = kind != ElasticKind::Liu || inputs.surfaces.is_none_or(|s| s.is_internal());
    internal
        && built.warnings.is_empty()
        && spread.is_none_or(|(least, ratio)| ratio >= least)
        && range.is_none_or(|(range, delta_r)| range.contains(delta_r))
        && limit.is_none_or(|limit| force <= limit)
}

/// An elastic law of the catalogue that holds for these data up to a force (N), or what would have to be known for one.
fn better_elastic(origin: &LawOrigin, force: f64) -> Option<String> {
    let others = || CANDIDATES.into_iter().filter(|kind| Some(*kind) != origin.name.elastic);
    if let Some(kind) = others().find(|kind| holds(*kind, origin, force)) {
        return Some(format!("the elastic law '{}' holds here", kind.id()));
    }
    if origin.inputs.length.is_none() {
        // A law without a limit of load holds whatever the length is.
        let mut known = origin.clone();
        known.inputs.length = Some(1.0);
        let without_limit =
            |kind: &ElasticKind| kind.sheet().bounds.load.is_none() && holds(*kind, &known, force);
        if let Some(kind) = others().find(without_limit) {
            let id = kind.id();
            return Some(format!("the elastic law '{id}' holds here and needs the `length`"));
        }
    }
    None
}

/// What an episode says about its law.
pub(super) struct Evidence<'a> {
    /// The law of the section where it began, and what it was made of, where that is known.
    pub(super) law: &'a NormalLaw,
    pub(super) origin: Option<&'a LawOrigin>,
    /// The same of the section whose elastic law was left, or of the first.
    pub(super) limited: (&'a NormalLaw, Option<&'a LawOrigin>),
    pub(super) touch: &'a Touch,
    pub(super) duration: f64,
    /// Time beyond the domain of the elastic law (s).
    pub(super) beyond: f64,
    /// The depth at which that elastic law ends (m).
    pub(super) depth_limit: Option<f64>,
    pub(super) max_indentation: f64,
    pub(super) max_indentation_time: f64,
    /// How thick the smaller part is (m).
    pub(super) solid: Option<f64>,
    pub(super) max_force: f64,
    pub(super) impact_speed: f64,
}

/// One bound of one law over the episodes of a joint.
#[derive(Clone, Debug)]
struct Tally {
    law: Option<&'static str>,
    quantity: Quantity,
    limits: [Option<f64>; 2],
    value: Option<f64>,
    unchecked: Option<&'static str>,
    of: Whole,
    /// Contact time (s) and episodes outside.
    time: f64,
    count: usize,
    /// Of the restitution: what a free impact returned where it was farthest off.
    returned: f64,
    /// Greatest force of the episodes outside (N), and the law of one of them.
    force: f64,
    outside: Option<(Option<LawOrigin>, NormalLaw)>,
}

/// The value of a bound in one episode.
#[derive(Clone, Copy, Debug)]
struct Held {
    law: Option<&'static str>,
    quantity: Quantity,
    limits: [Option<f64>; 2],
    value: Result<f64, &'static str>,
    /// Time outside (s), if it is outside.
    outside: Option<f64>,
    returned: f64,
}

impl Held {
    /// Inside or outside as the limits say, for the whole episode.
    fn plain(
        law: Option<&'static str>,
        quantity: Quantity,
        limits: [Option<f64>; 2],
        value: f64,
        duration: f64,
    ) -> Self {
        let out =
            limits[0].is_some_and(|low| value < low) || limits[1].is_some_and(|high| value > high);
        let outside = out.then_some(duration);
        Held { law, quantity, limits, value: Ok(value), outside, returned: f64::NAN }
    }
}

impl Evidence<'_> {
    /// Every bound that applies, as it came out.
    fn held(&self) -> Vec<Held> {
        let mut held = Vec::new();
        let elastic = self.origin.and_then(|origin| origin.name.elastic);
        let damping = self.origin.and_then(|origin| origin.name.damping);
        if let Some(limit) = self.depth_limit {
            let law = self.limited.1.and_then(|origin| origin.name.elastic).map(ElasticKind::id);
            let limits = [None, Some(limit)];
            let (quantity, value) = (Quantity::Indentation, self.max_indentation);
            let outside = (self.beyond > 0.0).then_some(self.beyond);
            let value = Ok(value);
            held.push(Held { law, quantity, limits, value, outside, returned: f64::NAN });
        }
        let sheets = [elastic.map(ElasticKind::sheet), damping.map(DampingKind::sheet)];
        for sheet in sheets.into_iter().flatten() {
            self.hold(sheet, &mut held);
        }
        let asked = self.law.damping.restitution().map(|_| self.touch.restitution);
        let returned = closed_form::restitution(self.law, self.touch, self.touch.impact_speed);
        if let (Some(asked), Some(returned)) = (asked, returned) {
            let bounds = damping.map_or(Bounds::NONE, |kind| kind.sheet().bounds);
            let limits = bounds.restitution.map(|range| [Some(range.low), Some(range.high)]);
            let out = (asked - returned).abs() > RETURNED;
            // Where pulling is kept the law returns more than its sheet promises.
            let inside = |[low, high]: [Option<f64>; 2]| {
                low.is_none_or(|low| asked >= low) && high.is_none_or(|high| asked <= high)
            };
            let limits = limits.filter(|limits| inside(*limits) != out).unwrap_or_default();
            held.push(Held {
                law: damping.map(DampingKind::id),
                quantity: Quantity::Restitution,
                limits,
                value: Ok(asked),
                outside: out.then_some(self.duration),
                returned,
            });
        }
        held
    }

    /// The bounds of one data sheet.
    fn hold(&self, sheet: &'static Sheet, held: &mut Vec<Held>) {
        let Some(origin) = self.origin else { return };
        let (law, bounds, duration) = (Some(sheet.id), &sheet.bounds, self.duration);
        if let Some(bound) = bounds.speed {
            let known = match &origin.inputs.materials {
                None => Err("the model gives no material"),
                Some(materials) => bound.speed(materials).ok_or("the material has no density"),
            };
            let limits = |limit| match bound {
                SpeedBound::UpTo(_) => [None, Some(limit)],
                SpeedBound::From(_) => [Some(limit), None],
            };
            held.push(match known {
                Ok(limit) => {
                    let (quantity, speed) = (Quantity::ImpactSpeed, self.impact_speed);
                    Held::plain(law, quantity, limits(limit), speed, duration)
                }
                Err(why) => Held {
                    law,
                    quantity: Quantity::ImpactSpeed,
                    limits: [None; 2],
                    value: Err(why),
                    outside: None,
                    returned: f64::NAN,
                },
            });
        }
        if let Some((least, ratio)) = bounds.conformity.zip(conformity(origin.inputs.surfaces)) {
            let limits = [Some(least), None];
            held.push(Held::plain(law, Quantity::Conformity, limits, ratio, duration));
        }
        if let Some((range, delta_r)) = bounds.clearance.zip(clearance(origin)) {
            let limits = [Some(range.low), Some(range.high)];
            held.push(Held::plain(law, Quantity::Clearance, limits, delta_r, duration));
        }
        if let Some((range, power)) = bounds.exponent.zip(self.law.elastic.as_power()) {
            let limits = [Some(range.low), Some(range.high)];
            held.push(Held::plain(law, Quantity::Exponent, limits, power.exponent, duration));
        }
    }
}

/// How far a value is outside its limits, negative inside.
fn excess(value: f64, [low, high]: [Option<f64>; 2]) -> f64 {
    let below = low.map_or(f64::NEG_INFINITY, |low| low - value);
    below.max(high.map_or(f64::NEG_INFINITY, |high| value - high))
}

/// The concerns of one joint, gathered over its episodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Concerns {
    tallies: Vec<Tally>,
    /// What is no bound of a sheet, with its time (s).
    others: Vec<(Concern, f64)>,
    episodes: usize,
}

impl Concerns {
    /// Takes in an episode; the part of it that was outside the domain of its law, from 0 to 1.
    pub(super) fn add(&mut self, e: &Evidence<'_>) -> f64 {
        self.episodes += 1;
        let mut outside = 0.0_f64;
        for held in e.held() {
            // The restitution of a law that is not known by name is told, but is no bound of its domain.
            if held.quantity != Quantity::Restitution || e.origin.is_some() {
                outside = outside.max(held.outside.unwrap_or(0.0));
            }
            self.tally(held, e);
        }
        if let Some(solid) = e.solid.filter(|solid| e.max_indentation > DEEP * solid) {
            let (reached, t) = (e.max_indentation, e.max_indentation_time);
            self.book(Concern::Depth { solid, reached, t }, e.duration);
        }
        if e.touch.restitution_cut {
            self.book(Concern::RestitutionCut, e.duration);
            outside = e.duration;
        }
        if e.touch.floored {
            let floor = e.law.impact_speed_floor;
            self.book(Concern::SpeedFloor { floor }, e.duration);
        }
        if e.duration > 0.0 { (outside / e.duration).min(1.0) } else { 0.0 }
    }

    fn tally(&mut self, held: Held, e: &Evidence<'_>) {
        let Held { law, quantity, limits, value, outside, returned } = held;
        let same = |known: &Tally| known.law == law && known.quantity == quantity;
        let place = self.tallies.iter().position(same).unwrap_or_else(|| {
            self.tallies.push(Tally {
                law,
                quantity,
                limits,
                value: None,
                unchecked: None,
                of: match quantity {
                    Quantity::ImpactSpeed => Whole::Impacts,
                    _ => Whole::ContactTime,
                },
                time: 0.0,
                count: 0,
                returned: f64::NAN,
                force: 0.0,
                outside: None,
            });
            self.tallies.len() - 1
        });
        let known = &mut self.tallies[place];
        match value {
            Err(why) => known.unchecked = Some(why),
            Ok(value) => {
                let off = |value: f64, returned: f64, limits| match quantity {
                    Quantity::Restitution => (value - returned).abs(),
                    _ => excess(value, limits),
                };
                let before = known.value.map(|value| off(value, known.returned, known.limits));
                if before.is_none_or(|before| off(value, returned, limits) > before) {
                    (known.value, known.returned, known.limits) = (Some(value), returned, limits);
                }
            }
        }
        if let Some(time) = outside {
            known.time += time;
            known.count += 1;
            known.force = known.force.max(e.max_force);
            let (law, origin) = match quantity {
                Quantity::Indentation => e.limited,
                _ => (e.law, e.origin),
            };
            if known.outside.is_none() {
                known.outside = Some((origin.cloned(), law.clone()));
            }
        }
    }

    /// Adds time to a concern of this kind.
    fn book(&mut self, concern: Concern, time: f64) {
        let same = |(known, _): &&mut (Concern, f64)| {
            std::mem::discriminant(known) == std::mem::discriminant(&concern)
        };
        let Some((known, sum)) = self.others.iter_mut().find(same) else {
            self.others.push((concern, time));
            return;
        };
        *sum += time;
        if let (Concern::Depth { solid, reached, .. }, Concern::Depth { solid: s, reached: r, .. }) =
            (&*known, concern)
            && r / s > reached / solid
        {
            *known = concern;
        }
    }

    /// Checks, and what is doubtful or worth knowing, each once.
    pub(super) fn finish<'e>(
        self,
        joint: &str,
        contact_time: f64,
        episodes: impl Iterator<Item = &'e Episode>,
    ) -> (Vec<Check>, Vec<Warning>) {
        let part =
            |time: f64| if contact_time > 0.0 { (time / contact_time).min(1.0) } else { 0.0 };
        let count = self.episodes.max(1) as f64;
        let mut warnings = Vec::new();
        let mut checks = Vec::new();
        for tally in &self.tallies {
            let share = match tally.of {
                Whole::ContactTime => part(tally.time),
                Whole::Impacts => tally.count as f64 / count,
            };
            checks.push(Check {
                law: tally.law.map(str::to_owned),
                quantity: tally.quantity,
                limits: tally.limits,
                value: tally.value,
                share,
                of: tally.of,
                unchecked: tally.unchecked.filter(|_| tally.value.is_none()).map(str::to_owned),
            });
            if let Some(concern) = tally.concern() {
                let (joint, law, of) = (joint.to_owned(), tally.law, tally.of);
                let better = tally.value.map(|_| tally.better());
                warnings.push(Warning { joint, law, concern, share, of, better });
            }
        }
        for (concern, time) in self.others {
            let better = matches!(concern, Concern::RestitutionCut)
                .then(|| "a constant restitution, or a table over the speed, stays inside".into());
            let (joint, of) = (joint.to_owned(), Whole::ContactTime);
            warnings.push(Warning { joint, law: None, concern, share: part(time), of, better });
        }
        warnings.extend(burdened(joint, episodes));
        (checks, warnings)
    }
}

/// Tells where impacts return something else than free impacts, because other forces act.
fn burdened<'e>(joint: &str, episodes: impl Iterator<Item = &'e Episode>) -> Option<Warning> {
    let pairs: Vec<(f64, f64)> =
        episodes.filter_map(|e| e.restitution.zip(e.free_restitution)).collect();
    let count = pairs.len() as f64;
    let off = pairs.iter().filter(|(out, free)| (out - free).abs() > BURDENED).count();
    let [returned, free] =
        pairs.iter().fold([0.0; 2], |sum, pair| [sum[0] + pair.0 / count, sum[1] + pair.1 / count]);
    (off > 0).then(|| Warning {
        joint: joint.to_owned(),
        law: None,
        concern: Concern::Burdened { returned, free },
        share: off as f64 / count,
        of: Whole::Impacts,
        better: None,
    })
}

impl Tally {
    /// What is to be told about it, if anything is.
    fn concern(&self) -> Option<Concern> {
        let quantity = self.quantity;
        let Some(value) = self.value else {
            return self.unchecked.map(|why| Concern::Unchecked { quantity, why });
        };
        if self.count == 0 {
            return None;
        }
        let range = || Some([self.limits[0]?, self.limits[1]?]);
        Some(match self.quantity {
            Quantity::ImpactSpeed => match self.limits {
                [_, Some(limit)] => Concern::Speed { limit, reached: value },
                [limit, _] => Concern::Slow { limit: limit?, reached: value },
            },
            Quantity::Restitution => Concern::Restitution { asked: value, returned: self.returned },
            Quantity::Conformity => Concern::Conformity { least: self.limits[0]?, ratio: value },
            Quantity::Indentation => Concern::Load { limit: self.limits[1]?, reached: value },
            Quantity::Clearance => Concern::Clearance { range: range()?, value },
            Quantity::Exponent => Concern::Exponent { range: range()?, value },
        })
    }

    /// What would serve better.
    fn better(&self) -> String {
        let law = self.outside.as_ref().map(|(_, law)| law);
        let origin = self.outside.as_ref().and_then(|(origin, _)| origin.as_ref());
        match self.quantity {
            Quantity::ImpactSpeed if self.limits[1].is_some() => {
                "'exact' has no limit of speed; that metals yield above it is what \
                 'lankarani-nikravesh-plastic' is for"
                    .into()
            }
            Quantity::ImpactSpeed | Quantity::Exponent => {
                "the damping law 'exact' has no such bound".into()
            }
            Quantity::Restitution => match law.map(|law| &law.damping) {
                Some(DampingLaw::TwoSlope { .. }) => "ask for the square of the restitution".into(),
                _ => "the damping law 'exact' returns it".into(),
            },
            Quantity::Indentation if matches!(law, Some(law) if is_user(&law.elastic)) => {
                "give the table more points, or the formula a greater range".into()
            }
            Quantity::Indentation => {
                origin.and_then(|origin| better_elastic(origin, self.force)).unwrap_or_else(|| {
                    "no law of the catalogue is known to hold for this load: lower it, or give a \
                     table of your own"
                        .into()
                })
            }
            Quantity::Conformity | Quantity::Clearance => {
                origin.and_then(|origin| better_elastic(origin, self.force)).unwrap_or_else(|| {
                    "no law of the catalogue holds with what the model gives: a law of cylinders \
                     needs radii, `material` and `length`"
                        .into()
                })
            }
        }
    }
}

fn is_user(elastic: &ElasticLaw) -> bool {
    matches!(elastic, ElasticLaw::Table(_) | ElasticLaw::Expression(_))
}
