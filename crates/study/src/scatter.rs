//! Many runs from slightly different starts: which parts of a result are reproducible, and until when.
//!
//! Clearance joints with little loss are chaotic: runs whose starts differ by less than any manufacturing tolerance diverge
//! within a few impacts, and beyond that only statistics are meaningful.

use serde::{Deserialize, Serialize, Serializer};

use crate::contacts::{ContactRecord, JointNumber, JointTable};

/// What is kept of a joint of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointSample {
    /// Its name.
    name: String,
    /// The numbers of [`JointTable::Scatter`], in their order.
    numbers: Vec<Option<f64>>,
    /// When its contacts began (s).
    starts: Vec<f64>,
}

impl JointSample {
    /// Of all joints of a run.
    pub fn all(contacts: &ContactRecord) -> Vec<Self> {
        let of = |(number, joint): (usize, &crate::contacts::JointRecord)| JointSample {
            name: joint.name.clone(),
            numbers: JointNumber::shown_in(JointTable::Scatter)
                .map(|number| number.of(&joint.summary))
                .collect(),
            starts: contacts.episodes_of(number).map(|episode| episode.start).collect(),
        };
        contacts.joints.iter().enumerate().map(of).collect()
    }
}

/// Mean and spread of a number over runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation of the sample.
    pub deviation: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
}

impl Statistics {
    /// The statistics of these values; `None` if there are none.
    ///
    /// ```
    /// use jointplay_study::scatter::Statistics;
    ///
    /// let found = Statistics::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter()).unwrap();
    /// assert_eq!(found.mean, 5.0);
    /// assert!((found.deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-15);
    /// ```
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let count = values.clone().count() as f64;
        if count == 0.0 {
            return None;
        }
        let (min, max) = values
            .clone()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), x| (min.min(x), max.max(x)));
        // From the least value on, so that equal values have no deviation at all.
        let above = values.clone().map(|x| x - min).sum::<f64>() / count;
        let squares: f64 = values.map(|x| (x - min - above).powi(2)).sum();
        let mean = min + above;
        let deviation = if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        Some(Statistics { mean, deviation, min, max })
    }
}

/// The spread of the start of one contact over the runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Mean time of the contact's start (s).
    pub time: f64,
    /// Latest minus earliest (s).
    pub spread: f64,
}

/// Mean and spread of the numbers of a joint over all runs; `None` if no run has the number.
#[derive(Clone, Debug)]
pub struct Scattered(pub Vec<(&'static JointNumber, Option<Statistics>)>);

impl Serialize for Scattered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(number, of)| (number.key, of)))
    }
}

/// A joint over all runs.
#[derive(Clone, Debug, Serialize)]
pub struct JointScatter {
    /// Its name.
    pub name: String,
    /// Mean and spread of its numbers, by their names in files.
    #[serde(flatten)]
    pub numbers: Scattered,
    /// The first, second, … contact, as long as every run has it.
    pub spreads: Vec<Spread>,
    /// When the runs diverge (s): the first time at which they begin a contact more than a hundredth of the mean time between
    /// contacts apart. `None` if they never do.
    pub parted: Option<f64>,
}

/// Runs diverge when the starts of the same contact differ by more than this fraction of the mean time between contacts.
const PARTED: f64 = 0.01;

/// Statistics of each joint over runs of one model, given the joints of each run.
pub fn scatter(runs: &[&[JointSample]]) -> Vec<JointScatter> {
    let names = runs.first().into_iter().flat_map(|run| run.iter()).map(|joint| &joint.name);
    let of = |name: &String| {
        let all: Vec<&JointSample> =
            runs.iter().filter_map(|run| run.iter().find(|joint| joint.name == *name)).collect();
        let numbers = JointNumber::shown_in(JointTable::Scatter).enumerate().map(|(i, number)| {
            let values = all.iter().filter_map(|joint| joint.numbers.get(i).copied().flatten());
            (number, Statistics::of(values))
        });
        let starts: Vec<&[f64]> = all.iter().map(|joint| &joint.starts[..]).collect();
        let (spreads, parted) = partings(&starts);
        JointScatter { name: name.clone(), numbers: Scattered(numbers.collect()), spreads, parted }
    };
    names.map(of).collect()
}

/// The spreads of the contacts that every run has, and when they exceed the limit.
fn partings(starts: &[&[f64]]) -> (Vec<Spread>, Option<f64>) {
    let common = starts.iter().map(|times| times.len()).min().unwrap_or(0);
    let longest = starts.iter().map(|times| times.len()).max().unwrap_or(0);
    let spread = |i: usize| {
        let found = Statistics::of(starts.iter().map(|times| times[i]))?;
        Some(Spread { time: found.mean, spread: found.max - found.min })
    };
    let spreads: Vec<Spread> = (0..common).filter_map(spread).collect();
    let last = spreads.last().map_or(0.0, |spread| spread.time);
    let first = spreads.first().map_or(0.0, |spread| spread.time);
    let between = (last - first) / spreads.len().saturating_sub(1).max(1) as f64;
    let apart = |spread: &&Spread| spread.spread > PARTED * between && spread.spread > 0.0;
    let parted = spreads.iter().find(apart).map(|spread| spread.time);
    // A contact that only some runs have parts them too.
    let extra = || {
        let times = starts.iter().filter_map(|times| times.get(common).copied());
        times.fold(f64::INFINITY, f64::min)
    };
    (spreads, parted.or_else(|| (longest > common).then(extra)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts one second apart, whose spread doubles at each contact from 1e-4 s on: 2^7·1e-4 s is the first beyond 10 ms.
    #[test]
    fn exact_runs_part_where_their_spread_has_grown() {
        let starts: Vec<Vec<f64>> = [0.0, 1.0]
            .map(|off| (0..12).map(|i| f64::from(i) + off * 1e-4 * 2.0_f64.powi(i)).collect())
            .to_vec();
        let (spreads, parted) = partings(&[&starts[0], &starts[1]]);
        assert_eq!(spreads.len(), 12);
        assert!((spreads[3].spread - 8e-4).abs() < 1e-15);
        assert!((parted.expect("they part") - 7.0064).abs() < 1e-12, "{parted:?}");
    }

    #[test]
    fn exact_equal_runs_never_part_and_a_missing_contact_parts() {
        let starts: &[f64] = &[1.0, 2.0, 3.0];
        assert_eq!(partings(&[starts; 3]).1, None);
        assert_eq!(partings(&[starts, &starts[..2]]).1, Some(3.0));
        assert_eq!(partings(&[]), (Vec::new(), None));
    }
}
