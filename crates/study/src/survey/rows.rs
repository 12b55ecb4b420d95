//! The rows of a survey as columns.

use std::collections::BTreeMap;
use std::sync::Arc;

use jointplay_mbd::State;

use super::{KeptState, Row};
use crate::frame::{Column, Texts};
use crate::scatter::JointSample;
use crate::summary::Ending;
use crate::warned::{StudyWarning, WarningKinds};

/// The rows of a survey by their points. Of a million runs their numbers are kept, and every text once.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// How the run of each point ended; `None` for those that were not run.
    outcomes: Vec<Option<Ending>>,
    /// The metrics of all points, one after another; NaN where one has no value.
    metrics: Vec<f64>,
    /// How many metrics a point has.
    width: usize,
    /// How many warnings each run has.
    warnings: Vec<u32>,
    kinds: WarningKinds,
    /// Why runs ended early or could not be started.
    messages: BTreeMap<usize, Arc<str>>,
    texts: Texts,
    /// The joints of runs, where they are kept.
    joints: BTreeMap<usize, Vec<JointSample>>,
    /// The states in which runs of a chain started.
    starts: BTreeMap<usize, KeptState>,
    /// The states in which they ended, where a crew goes on from them.
    ends: Option<BTreeMap<usize, KeptState>>,
}

impl Rows {
    /// No row yet, of so many points and metrics.
    pub(super) fn new(points: usize, width: usize, keeps_ends: bool) -> Self {
        Rows {
            outcomes: vec![None; points],
            metrics: vec![0.0; points * width],
            width,
            warnings: vec![0; points],
            ends: keeps_ends.then(BTreeMap::new),
            ..Rows::default()
        }
    }

    /// Puts the row of a point, which has none yet, where it belongs.
    pub(super) fn set(&mut self, point: usize, row: Row) {
        let Row { point: _, metrics, outcome, message, warnings, joints, start, end } = row;
        self.outcomes[point] = Some(outcome);
        let cells = &mut self.metrics[point * self.width..(point + 1) * self.width];
        for (cell, value) in cells.iter_mut().zip(metrics) {
            *cell = value.unwrap_or(f64::NAN);
        }
        self.warnings[point] = u32::try_from(warnings.len()).unwrap_or(u32::MAX);
        self.kinds.add(point, &warnings);
        if let Some(message) = message {
            self.messages.insert(point, self.texts.shared(&message));
        }
        if !joints.is_empty() {
            self.joints.insert(point, joints);
        }
        self.starts.extend(start.map(|state| (point, state)));
        if let Some(ends) = &mut self.ends {
            ends.extend(end.map(|state| (point, state)));
        }
    }

    /// The number of points, whether they were run or not.
    pub fn points(&self) -> usize {
        self.outcomes.len()
    }

    /// How the run of a point ended; `None` if it was not run.
    pub fn outcome(&self, point: usize) -> Option<Ending> {
        self.outcomes.get(point).copied().flatten()
    }

    /// Why a run ended early, or could not be started.
    pub fn message(&self, point: usize) -> Option<&str> {
        self.messages.get(&point).map(AsRef::as_ref)
    }

    /// The joints of a run, where they are kept.
    pub fn joints(&self, point: usize) -> &[JointSample] {
        self.joints.get(&point).map_or(&[], Vec::as_slice)
    }

    /// The state in which a run started; `None` is the start that the model gives.
    pub fn start(&self, point: usize) -> Option<State> {
        self.starts.get(&point)?.state()
    }

    /// The state in which a run ended, if the next point starts from it and a crew makes that.
    pub(super) fn end(&self, point: usize) -> Option<State> {
        self.ends.as_ref()?.get(&point)?.state()
    }

    /// The points that were run, in their order.
    pub fn done(&self) -> impl Iterator<Item = usize> + Clone {
        let done = self.outcomes.iter().enumerate().filter(|(_, outcome)| outcome.is_some());
        done.map(|(point, _)| point)
    }

    /// How many runs have no result.
    pub(crate) fn failed(&self) -> usize {
        self.outcomes.iter().filter(|outcome| **outcome == Some(Ending::Failed)).count()
    }

    /// The metrics of a point; NaN where one has no value.
    pub fn metrics(&self, point: usize) -> &[f64] {
        &self.metrics[point * self.width..(point + 1) * self.width]
    }

    /// The numbers of a metric, one for each run; NaN where there is none.
    pub(crate) fn of_runs(&self, metric: usize) -> impl Iterator<Item = f64> {
        self.done().map(move |point| self.metrics(point)[metric])
    }

    /// The numbers of a metric, one for each point; `None` where there is none.
    pub(crate) fn of_points(&self, metric: usize) -> Vec<Option<f64>> {
        let number = |point: usize| {
            self.outcomes[point]?;
            Some(self.metrics(point)[metric]).filter(|number| !number.is_nan())
        };
        (0..self.points()).map(number).collect()
    }

    /// How each run ended, and how many warnings it has, as columns of a table.
    pub(super) fn endings(&self) -> [Column; 2] {
        let mut texts = Texts::default();
        let outcome = self.done().map(|point| match (self.outcomes[point], self.message(point)) {
            (Some(Ending::Failed), Some(why)) => texts.shared(&format!("failed: {why}")),
            (ending, _) => texts.shared(ending.map_or("", Ending::name)),
        });
        let outcome = Column::Texts(outcome.collect());
        let warnings = self.done().map(|point| f64::from(self.warnings[point]));
        [outcome, Column::Numbers(warnings.collect())]
    }

    /// What the runs warn of: each kind once, with the row of the table that has it first.
    pub(crate) fn warned(&self) -> Vec<StudyWarning> {
        let before = |point: usize| self.outcomes[..point].iter().flatten().count();
        self.kinds.found(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::row::PointKey;
    use crate::warned::Warned;

    fn row(value: Option<f64>, warnings: &[&str]) -> Row {
        Row {
            point: PointKey::of([]),
            metrics: vec![value, Some(1.0)],
            outcome: if value.is_some() { Ending::ReachedEnd } else { Ending::Failed },
            message: value.is_none().then(|| "it broke".to_owned()),
            warnings: Warned::of(warnings.iter().map(|&text| text.to_owned()).collect()),
            joints: Vec::new(),
            start: None,
            end: None,
        }
    }

    #[test]
    fn property_rows_do_not_depend_on_the_order_in_which_they_come() {
        let all = [
            (1, row(Some(-0.0), &["deep: 2 mm", "slow"])),
            (3, row(None, &["deep: 3 mm"])),
            (4, row(Some(5e-324), &[])),
        ];
        let filled = |order: [usize; 3]| {
            let mut rows = Rows::new(6, 2, false);
            for i in order {
                rows.set(all[i].0, all[i].1.clone());
            }
            rows
        };
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let rows = filled(order);
            assert_eq!(rows.done().collect::<Vec<_>>(), [1, 3, 4]);
            let bits: Vec<u64> = rows.of_runs(0).map(f64::to_bits).collect();
            assert_eq!((bits[0], bits[2]), ((-0.0_f64).to_bits(), 1));
            assert_eq!(rows.of_points(0), [None, Some(0.0), None, None, Some(5e-324), None]);
            assert_eq!((rows.failed(), rows.message(3)), (1, Some("it broke")));
            let short = |w: &StudyWarning| (w.message.clone(), w.runs, w.first);
            let found: Vec<_> = rows.warned().iter().map(short).collect();
            // The failed run is the second row of the table.
            let deep = ("deep: 2 mm".to_owned(), Some(2), Some(1));
            assert_eq!(found, [deep, ("slow".to_owned(), Some(1), Some(1))], "{order:?}");
            let [outcome, warnings] = rows.endings();
            assert_eq!(outcome, Column::texts(["reached-end", "failed: it broke", "reached-end"]));
            assert_eq!(warnings, Column::Numbers(vec![2.0, 1.0, 0.0]));
        }
    }
}
