//! The modes of a joint: free flight, impact, continuous contact.

use jointplay_contact::NormalLaw;
use jointplay_contact::damping::Touch;
use jointplay_contact::elastic::ElasticModel;

use super::Episode;

/// What a joint does at a time.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum JointMode {
    /// Nothing touches.
    FreeFlight,
    /// Surfaces meet and separate again: a contact episode that is not continuous contact.
    Impact,
    /// The surfaces stay together: an episode with three or more compressions, or one that lasts longer than five
    /// loss-free impacts of its speed and effective mass. Where other contacts of the joint push at the same time, as two
    /// corners of a block do, the mass is the greater one that the contact feels together with them.
    ContinuousContact,
}

impl JointMode {
    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            JointMode::FreeFlight => "free-flight",
            JointMode::Impact => "impact",
            JointMode::ContinuousContact => "continuous-contact",
        }
    }
}

/// Compressions from which on an episode is continuous contact.
const MANY: usize = 3;
/// Loss-free impacts after which an episode is continuous contact.
const LONG: f64 = 5.0;

/// A mode and when it lasted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// From (s).
    pub start: f64,
    /// To (s).
    pub end: f64,
    /// What the joint did; of several simultaneous contacts the longer-lasting mode is given.
    pub mode: JointMode,
}

/// The mode of an episode.
pub(super) fn mode_of(duration: f64, compressions: usize, impact: Option<f64>) -> JointMode {
    let long = impact.is_some_and(|impact| duration > LONG * impact);
    if compressions >= MANY || long { JointMode::ContinuousContact } else { JointMode::Impact }
}

/// About how long an impact without loss lasts (s): πδ_m/δ̇₀, exact for a linear spring, 7 % above Hertz.
///
/// The mass is that of the contact alone or the given one, whichever is greater.
pub(super) fn loss_free_duration(law: &NormalLaw, touch: &Touch, shared: f64) -> Option<f64> {
    let energy = 0.5 * touch.effective_mass.max(shared) * touch.impact_speed * touch.impact_speed;
    let delta = law.elastic.indentation_of_energy(energy)?;
    Some(std::f64::consts::PI * delta / touch.impact_speed).filter(|t| t.is_finite())
}

/// The stretches of one joint from its episodes, without gaps over the run.
pub(super) fn timeline<'e>(
    [from, until]: [f64; 2],
    episodes: impl Iterator<Item = &'e Episode> + Clone,
) -> Vec<Stretch> {
    let mut times: Vec<f64> = episodes.clone().flat_map(|e| [e.start, e.end]).collect();
    times.extend([from, until]);
    times.sort_by(f64::total_cmp);
    times.dedup();
    // Starts and ends with their mode, in the order of time; counts of what is under way.
    let mut turns: Vec<(f64, JointMode, bool)> =
        episodes.flat_map(|e| [(e.start, e.mode, true), (e.end, e.mode, false)]).collect();
    turns.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut turns = turns.into_iter().peekable();
    let (mut impacts, mut continuous) = (0_i64, 0_i64);
    let mut stretches: Vec<Stretch> = Vec::new();
    for pair in times.windows(2) {
        while let Some((_, mode, starts)) = turns.next_if(|(t, ..)| *t <= pair[0]) {
            let count = if mode == JointMode::Impact { &mut impacts } else { &mut continuous };
            *count += if starts { 1 } else { -1 };
        }
        let mode = match (continuous, impacts) {
            (1.., _) => JointMode::ContinuousContact,
            (_, 1..) => JointMode::Impact,
            _ => JointMode::FreeFlight,
        };
        match stretches.last_mut() {
            Some(last) if last.mode == mode => last.end = pair[1],
            _ => stretches.push(Stretch { start: pair[0], end: pair[1], mode }),
        }
    }
    stretches
}

/// Fraction of the time of a window in these modes.
pub(super) fn fraction(
    timeline: &[Stretch],
    [from, to]: [f64; 2],
    wanted: impl Fn(JointMode) -> bool,
) -> f64 {
    let of = |wanted: &dyn Fn(JointMode) -> bool| -> f64 {
        let stretches = timeline.iter().filter(|s| wanted(s.mode));
        stretches.fold(0.0, |sum, s| sum + (s.end.min(to) - s.start.max(from)).max(0.0))
    };
    let all = of(&|_| true);
    if all > 0.0 { of(&wanted) / all } else { 0.0 }
}
