//! Whether a law was used inside its domain, and which law would be more suitable.
//!
//! Every bound of the data sheets ([`Bounds`](jointplay_contact::catalog::Bounds)) that can be compared with what a joint did is checked, over the contact
//! time or the impacts: a [`Check`] says what was compared and with which result, and violations become
//! warnings.

mod better;
mod evidence;

use jointplay_contact::NormalLaw;
use jointplay_contact::catalog::LawOrigin;
use jointplay_contact::damping::{DampingLaw, Touch};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_mbd::Indentation;

use super::concern::DEEP;
use super::{Check, Concern, Episode, JointMode, Quantity, Warning, Whole};
use crate::closed_form;
use crate::impact::Impact;
use better::better_elastic;
use evidence::{Held, excess};

/// Tolerance of free impacts that are integrated: three digits are shown.
const FREE_TOLERANCE: f64 = 1e-9;
/// A larger difference than this between the restitution of an impact and that of a free impact is reported.
const BURDENED: f64 = 0.03;
/// An impact is shallow if its maximum indentation is less than this many times the accuracy of positions: an error of that
/// size is then more than 1 % of the indentation.
const SHALLOW: f64 = 100.0;
/// A contact was pressed together by other forces if it stores more than this many times the energy of its impact.
const PRESSED: f64 = 100.0;
/// A contact that lags behind its load by more than this fraction of the contact time is reported.
const LATE: f64 = 1.0 / 3.0;
/// A contact was overtaken if δ̇ exceeds its impact speed by this factor. In a free impact δ̇ never exceeds it, and damping laws are
/// derived for that.
pub(super) const OVERTAKEN: f64 = 10.0;

/// The indentation (m) beyond which an elastic law is outside its domain.
pub(super) fn delta_limit(elastic: &ElasticLaw) -> Option<f64> {
    let limits = elastic.limits();
    let published = limits.published_force.and_then(|force| elastic.indentation(force));
    let limits = [limits.continued_from, published];
    limits.into_iter().flatten().reduce(f64::min)
}

/// The restitution of a free impact at this speed: from the law's closed form if there is one, otherwise by integration. `None`
/// if the contact has been loaded before, or if the impact cannot be integrated.
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
    /// For the restitution: that of the free impact with the largest deviation.
    returned: f64,
    /// Peak force of the episodes outside (N), and the law of one of them.
    force: f64,
    outside: Option<(Option<LawOrigin>, NormalLaw)>,
}

/// The concerns of one joint, gathered over its episodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Concerns {
    tallies: Vec<Tally>,
    /// What is no bound of a sheet, with its time (s).
    others: Vec<(Concern, f64)>,
    /// Impacts that were damped as contacts at rest.
    rested: Option<Concern>,
    episodes: usize,
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
    /// The indentation at which that elastic law ends (m).
    pub(super) delta_limit: Option<f64>,
    pub(super) max_indentation: f64,
    pub(super) max_indentation_time: f64,
    /// How thick the smaller part is (m).
    pub(super) solid: Option<f64>,
    pub(super) max_force: f64,
    pub(super) max_force_time: f64,
    /// What the contact did at its greatest force, where it was driven much faster than it began.
    pub(super) overtaken: Option<Indentation>,
    pub(super) impact_speed: f64,
}

impl Concerns {
    /// Takes in an episode; the part of it that was outside the domain of its law, from 0 to 1.
    pub(super) fn add(&mut self, e: &Evidence<'_>) -> f64 {
        self.episodes += 1;
        let mut outside = 0.0_f64;
        for held in e.held() {
            // The restitution of a law that is not in the catalogue is reported, but is not a bound of a domain.
            if held.quantity != Quantity::Restitution || e.origin.is_some() {
                outside = outside.max(held.outside.unwrap_or(0.0));
            }
            self.tally(held, e);
        }
        if let Some(solid) = e.solid.filter(|solid| e.max_indentation > DEEP * solid) {
            let (reached, t) = (e.max_indentation, e.max_indentation_time);
            self.book(Concern::Deep { solid, reached, t }, e.duration);
        }
        if let Some(creep) = e.creep() {
            self.book(creep, e.duration);
        }
        if let Some(overtaken) = e.overtaken() {
            self.book(overtaken, e.duration);
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

    /// Counts an impact that was so slow that it was damped as a contact at rest, and that parted again.
    pub(super) fn add_rested(&mut self, speed: f64, limit: f64) {
        let (mut count, mut speeds) = (0, [speed; 2]);
        if let Some(Concern::Rested { count: known, speeds: [low, high], .. }) = self.rested {
            (count, speeds) = (known, [low.min(speed), high.max(speed)]);
        }
        self.rested = Some(Concern::Rested { count: count + 1, speeds, limit });
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
                    Quantity::Restitution
                    | Quantity::Conformity
                    | Quantity::Indentation
                    | Quantity::Clearance
                    | Quantity::Exponent => Whole::ContactTime,
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
                    Quantity::ImpactSpeed
                    | Quantity::Conformity
                    | Quantity::Indentation
                    | Quantity::Clearance
                    | Quantity::Exponent => excess(value, limits),
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
                Quantity::ImpactSpeed
                | Quantity::Restitution
                | Quantity::Conformity
                | Quantity::Clearance
                | Quantity::Exponent => (e.law, e.origin),
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
        let worse = match (&*known, concern) {
            (Concern::Deep { solid, reached, .. }, Concern::Deep { solid: s, reached: r, .. }) => {
                r / s > reached / solid
            }
            (Concern::Creep { lag, .. }, Concern::Creep { lag: l, .. }) => l > *lag,
            (Concern::Overtaken { force, .. }, Concern::Overtaken { force: f, .. }) => f > *force,
            // These say the same of every contact.
            (
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
                | Concern::Shallow { .. }
                | Concern::Rested { .. }
                | Concern::Unchecked { .. }
                | Concern::Burdened { .. },
                _,
            ) => false,
        };
        if worse {
            *known = concern;
        }
    }

    /// The checks, and the warnings and notes, each once.
    pub(super) fn finish<'e>(
        self,
        joint: &str,
        contact_time: f64,
        resolution: f64,
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
            let better = match concern {
                Concern::RestitutionCut => Some(
                    "use a constant restitution, or one that stays within [0, 1] at these speeds",
                ),
                Concern::Creep { .. } | Concern::Overtaken { .. } => Some(
                    "set an `impact_speed_floor`, or use damping that does not depend on the \
                     impact speed, such as 'tsuji' or 'anagnostopoulos'",
                ),
                Concern::Load { .. }
                | Concern::Speed { .. }
                | Concern::Slow { .. }
                | Concern::Conformity { .. }
                | Concern::Clearance { .. }
                | Concern::Exponent { .. }
                | Concern::SpeedFloor { .. }
                | Concern::Deep { .. }
                | Concern::Restitution { .. }
                | Concern::Shallow { .. }
                | Concern::Rested { .. }
                | Concern::Unchecked { .. }
                | Concern::Burdened { .. } => None,
            };
            let better = better.map(str::to_owned);
            let (joint, of) = (joint.to_owned(), Whole::ContactTime);
            warnings.push(Warning { joint, law: None, concern, share: part(time), of, better });
        }
        if let Some(concern @ Concern::Rested { count: rested, .. }) = self.rested {
            let (joint, share) = (joint.to_owned(), rested as f64 / count);
            let better = Some("an `impact_speed_floor` applies the law at every speed".to_owned());
            let of = Whole::Impacts;
            warnings.push(Warning { joint, law: None, concern, share, of, better });
        }
        warnings.extend(deviating(joint, resolution, episodes));
        (checks, warnings)
    }
}

/// Reports impacts that separate at other speeds than free impacts would, either because the run does not resolve them or
/// because other forces act.
fn deviating<'e>(
    joint: &str,
    resolution: f64,
    episodes: impl Iterator<Item = &'e Episode>,
) -> impl Iterator<Item = Warning> {
    let impacts: Vec<&Episode> = episodes
        .filter(|e| e.mode == JointMode::Impact && !e.open && !e.carried && e.impact_speed > 0.0)
        .collect();
    let pair = |e: &Episode| e.restitution.zip(e.free_restitution);
    let off = |(out, free): (f64, f64)| (out - free).abs() > BURDENED;
    let is_shallow = |e: &Episode| e.max_indentation < SHALLOW * resolution;
    // An impact without a restitution was pushed apart.
    let is_wrong = |e: &Episode| e.restitution.is_none() || pair(e).is_some_and(off);
    let shallow = || impacts.iter().filter(|e| is_shallow(e) && is_wrong(e));
    let warning = |concern, share: f64, better: Option<&str>| Warning {
        joint: joint.to_owned(),
        law: None,
        concern,
        share,
        of: Whole::Impacts,
        better: better.map(str::to_owned),
    };
    let shallowest = shallow().map(|e| e.max_indentation).reduce(f64::min);
    let unresolved = shallowest.map(|delta| {
        let share = shallow().count() as f64 / impacts.len() as f64;
        let cure = "use a tighter rtol; `dop853` resolves such impacts best";
        warning(Concern::Shallow { delta, resolution }, share, Some(cure))
    });

    let pairs: Vec<(f64, f64)> = impacts.iter().filter_map(|e| pair(e)).collect();
    let burdened = impacts.iter().filter(|e| !is_shallow(e) && pair(e).is_some_and(off)).count();
    let burdened = (burdened > 0).then(|| {
        let count = pairs.len() as f64;
        let [returned, free] = pairs
            .iter()
            .fold([0.0; 2], |sum, pair| [sum[0] + pair.0 / count, sum[1] + pair.1 / count]);
        warning(Concern::Burdened { returned, free }, burdened as f64 / count, None)
    });
    unresolved.into_iter().chain(burdened)
}

impl Tally {
    /// The warning about it, if there is one.
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

    /// Advice on what to use instead.
    fn better(&self) -> String {
        let law = self.outside.as_ref().map(|(_, law)| law);
        let origin = self.outside.as_ref().and_then(|(origin, _)| origin.as_ref());
        match self.quantity {
            Quantity::ImpactSpeed if self.limits[1].is_some() => {
                "the damping law 'exact' has no speed limit; above this one metals yield, which \
                 'lankarani-nikravesh-plastic' models"
                    .into()
            }
            Quantity::ImpactSpeed | Quantity::Exponent => {
                "the damping law 'exact' has no such bound".into()
            }
            Quantity::Restitution if law.is_some_and(|law| returns_square(&law.damping)) => {
                "specify the square of the restitution".into()
            }
            Quantity::Restitution => "the damping law 'exact' returns the specified value".into(),
            Quantity::Indentation if law.is_some_and(|law| is_user(&law.elastic)) => {
                "give the table more points, or the formula a larger range".into()
            }
            Quantity::Indentation => {
                origin.and_then(|origin| better_elastic(origin, self.force)).unwrap_or_else(|| {
                    "no law of the catalogue is valid at this load; reduce the load, or supply \
                     your own table"
                        .into()
                })
            }
            Quantity::Conformity | Quantity::Clearance => {
                origin.and_then(|origin| better_elastic(origin, self.force)).unwrap_or_else(|| {
                    "no law of the catalogue is valid for the data given; laws for cylinders need \
                     radii, `material` and `length`"
                        .into()
                })
            }
        }
    }
}

/// Whether a law returns the square root of the specified restitution.
fn returns_square(damping: &DampingLaw) -> bool {
    match damping {
        DampingLaw::TwoSlope { .. } => true,
        DampingLaw::None
        | DampingLaw::Factor { .. }
        | DampingLaw::HuntCrossleyAlpha { .. }
        | DampingLaw::LeeWangLinear { .. }
        | DampingLaw::KelvinVoigt { .. }
        | DampingLaw::FractionOfCritical { .. }
        | DampingLaw::Jankowski { .. }
        | DampingLaw::PowerDashpot { .. }
        | DampingLaw::Brilliantov { .. }
        | DampingLaw::LeeWangTransition { .. }
        | DampingLaw::Plastic { .. }
        | DampingLaw::Expression(_)
        | DampingLaw::Custom(_) => false,
    }
}

/// Whether a law is a table or a formula in the file.
fn is_user(elastic: &ElasticLaw) -> bool {
    match elastic {
        ElasticLaw::Table(_) | ElasticLaw::Expression(_) => true,
        ElasticLaw::Power(_)
        | ElasticLaw::BaiZhao(_)
        | ElasticLaw::Logarithmic(_)
        | ElasticLaw::Liu(_)
        | ElasticLaw::Persson(_)
        | ElasticLaw::Custom(_) => false,
    }
}
