//! The numbers of a joint, and how they are computed from its episodes: summaries, tables and metrics all take them from here.
//!
//! Their names, units and tables are those of [`JointStatistic`].

use jointplay_model::{Form, JointStatistic, JointTable};
use serde::{Deserialize, Serialize};

use super::timeline::fraction;
use super::{Check, Episode, JointMode, Stretch};
use crate::summary::finite;

/// The data from which the numbers of a joint are computed: its episodes and modes during a run or
/// a part of it.
pub(crate) struct Observed<'r> {
    /// The episodes, in the order of their starts.
    pub(crate) episodes: Vec<&'r Episode>,
    /// The modes over time.
    pub(crate) timeline: &'r [Stretch],
    /// The time window (s).
    pub(crate) window: [f64; 2],
    /// Energy added at seams (J); it is known for whole runs only.
    pub(crate) seam_energy: Option<f64>,
}

impl Observed<'_> {
    /// A statistic; `None` if it is not defined or not finite.
    pub(crate) fn value(&self, statistic: JointStatistic) -> Option<f64> {
        use JointStatistic as Of;
        let all = || self.episodes.iter().copied();
        let greatest = |of: fn(&Episode) -> f64| all().map(of).reduce(f64::max);
        let sum = |of: fn(&Episode) -> f64| total(all().map(of));
        let first = || self.episodes.first();
        let peak = || all().max_by(|a, b| a.max_force.total_cmp(&b.max_force));
        let restitution = |of: fn(&Episode) -> Option<f64>| {
            mean(all().filter(|e| e.restitution.is_some()).filter_map(of))
        };
        let durations = || {
            let impacts = all().filter(|e| e.mode == JointMode::Impact && !e.open);
            impacts.map(Episode::duration)
        };
        let share = |wanted: fn(JointMode) -> bool| fraction(self.timeline, self.window, wanted);
        let value = match statistic {
            Of::Impacts => self.episodes.len() as f64,
            Of::Open => all().filter(|e| e.open).count() as f64,
            Of::FirstImpactTime => first()?.start,
            Of::FirstImpactSpeed => first()?.impact_speed,
            Of::MaxImpactSpeed => greatest(|e| e.impact_speed)?,
            Of::PeakForce => peak()?.max_force,
            Of::PeakForceTime => peak()?.max_force_time,
            Of::MaxIndentation => greatest(|e| e.max_indentation)?,
            Of::MaxImpactDuration => durations().reduce(f64::max)?,
            Of::MeanImpactDuration => mean(durations())?,
            Of::RestitutionIn => restitution(|e| e.input_restitution)?,
            Of::RestitutionFree => restitution(|e| e.free_restitution)?,
            Of::RestitutionOut => restitution(|e| e.restitution)?,
            Of::ContactFraction => share(|mode| mode != JointMode::FreeFlight),
            Of::ImpactFraction => share(|mode| mode == JointMode::Impact),
            Of::ContinuousFraction => share(|mode| mode == JointMode::ContinuousContact),
            Of::LossNormal => sum(|e| e.loss_normal),
            Of::LossFriction => sum(|e| e.loss_friction),
            Of::Loss => sum(|e| e.loss_normal) + sum(|e| e.loss_friction),
            Of::SeamEnergy => self.seam_energy?,
            Of::OutOfDomain => match sum(Episode::duration) {
                time if time > 0.0 => sum(|e| e.out_of_domain * e.duration()) / time,
                _ => 0.0,
            },
        };
        finite(value)
    }
}

/// A sum that is 0, not −0, if there is nothing to add.
pub(super) fn total(amounts: impl Iterator<Item = f64>) -> f64 {
    amounts.fold(0.0, |sum, amount| sum + amount)
}

/// The mean; of equal values it is that value, to the bit.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mean, count) = values.fold((0.0, 0.0), |(mean, count), value| {
        let count = count + 1.0;
        (mean + (value - mean) / count, count)
    });
    (count > 0.0).then_some(mean)
}

/// A number of a [`JointSummary`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JointNumber {
    /// Which one it is.
    pub statistic: JointStatistic,
    /// Its name in files.
    pub key: &'static str,
    /// Its name for people, in the head of a table.
    pub label: &'static str,
    /// Its form.
    pub form: Form,
    value: fn(&JointSummary) -> Option<f64>,
}

impl JointNumber {
    const fn new(statistic: JointStatistic, value: fn(&JointSummary) -> Option<f64>) -> Self {
        let described = statistic.description();
        let (key, label, form) = (described.key, described.label, described.form);
        JointNumber { statistic, key, label, form, value }
    }

    /// Those that a table shows, in its order.
    pub fn shown_in(table: JointTable) -> impl Iterator<Item = &'static JointNumber> {
        let shown =
            move |number: &&JointNumber| number.statistic.description().tables.contains(&table);
        JOINT_NUMBERS.iter().filter(shown)
    }

    /// Its value; `None` if it is not defined or not finite.
    pub fn of(&self, joint: &JointSummary) -> Option<f64> {
        (self.value)(joint)
    }
}

/// A field of the summary.
trait Number {
    fn of(value: Option<f64>) -> Self;
    fn number(self) -> Option<f64>;
}

impl Number for Option<f64> {
    fn of(value: Option<f64>) -> Self {
        value
    }

    fn number(self) -> Option<f64> {
        self
    }
}

impl Number for usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count that was a usize before"
    )]
    fn of(value: Option<f64>) -> Self {
        value.map_or(0, |count| count as usize)
    }

    fn number(self) -> Option<f64> {
        Some(self as f64)
    }
}

/// The summary of a joint with its way from and to statistics.
macro_rules! joint_summary {
    ($($(#[$attribute:meta])* $field:ident: $kind:ty = $statistic:ident,)+) => {
        /// Statistics of a clearance joint. A value that is not defined or not finite is `None`, and `null` in a file.
        /// [`JointStatistic`] has their names, units and tables.
        #[cfg_attr(feature = "types", derive(ts_rs::TS))]
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct JointSummary {
            $($(#[$attribute])* pub $field: $kind,)+
            /// The bounds of the data sheets, compared with what happened in the joint.
            #[serde(default)]
            pub domain: Vec<Check>,
        }

        impl JointSummary {
            /// The summary of a whole run.
            pub(super) fn new(of: &Observed<'_>, domain: Vec<Check>) -> Self {
                JointSummary {
                    $($field: Number::of(of.value(JointStatistic::$statistic)),)+
                    domain,
                }
            }
        }

        /// All numbers of a joint, in the order in which tables show them. One that no table shows is in `summary.json` only.
        pub const JOINT_NUMBERS: &[JointNumber] =
            &[$(JointNumber::new(JointStatistic::$statistic, |joint| joint.$field.number()),)+];
    };
}

joint_summary! {
    /// Contact episodes, open ones included.
    impacts: usize = Impacts,
    /// Episodes that were not over when the run ended.
    open: usize = Open,
    /// Start of the first episode (s).
    first_impact_time: Option<f64> = FirstImpactTime,
    /// Its impact speed (m/s).
    first_impact_speed: Option<f64> = FirstImpactSpeed,
    /// Greatest impact speed (m/s).
    max_impact_speed: Option<f64> = MaxImpactSpeed,
    /// Greatest normal force of one contact (N).
    peak_force: Option<f64> = PeakForce,
    /// When it was reached (s).
    peak_force_time: Option<f64> = PeakForceTime,
    /// Greatest indentation (m).
    max_indentation: Option<f64> = MaxIndentation,
    /// Duration of the longest finished impact (s).
    #[serde(default)]
    max_impact_duration: Option<f64> = MaxImpactDuration,
    /// Mean duration of the finished impacts (s).
    #[serde(default)]
    mean_impact_duration: Option<f64> = MeanImpactDuration,
    /// Specified restitution, mean of the finished impacts.
    restitution_in: Option<f64> = RestitutionIn,
    /// Restitution of free impacts at the same speeds under the same law, mean of the finished impacts.
    #[serde(default)]
    restitution_free: Option<f64> = RestitutionFree,
    /// Actual restitution, mean of the finished impacts.
    restitution_out: Option<f64> = RestitutionOut,
    /// Fraction of the time with any contact.
    contact_fraction: Option<f64> = ContactFraction,
    /// Fraction of the time in impacts.
    impact_fraction: Option<f64> = ImpactFraction,
    /// Fraction of the time in continuous contact.
    continuous_fraction: Option<f64> = ContinuousFraction,
    /// Energy lost along the normal (J).
    loss_normal: Option<f64> = LossNormal,
    /// Energy lost in sliding (J).
    loss_friction: Option<f64> = LossFriction,
    /// The sum of both (J).
    #[serde(default)]
    loss: Option<f64> = Loss,
    /// Energy added at seams between sections with different laws (J); the channel `energy.seam` has the opposite sign.
    seam_energy: Option<f64> = SeamEnergy,
    /// Fraction of the contact time outside the domain of the law.
    out_of_domain: Option<f64> = OutOfDomain,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every statistic that the model knows is a field of the summary, under the name that metrics have for it.
    #[test]
    fn property_every_statistic_is_a_number_of_the_summary() {
        let listed: Vec<JointStatistic> = JOINT_NUMBERS.iter().map(|n| n.statistic).collect();
        assert_eq!(listed, JointStatistic::ALL);
        let summary = serde_json::to_value(JointSummary::default()).expect("plain data");
        for number in JOINT_NUMBERS {
            let mut summary = summary.clone();
            assert!(summary.get(number.key).is_some(), "{}", number.key);
            summary[number.key] = 7.into();
            let joint: JointSummary = serde_json::from_value(summary).expect("a summary");
            assert_eq!(number.of(&joint), Some(7.0), "{}", number.key);
        }
    }
}
