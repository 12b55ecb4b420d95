//! The mechanisms of the papers: the model files of the product, changed as a paper wants them, run and read.

use std::ops::ControlFlow;

use jointplay_mbd::Sampling;
use jointplay_model::{Model, Overrides};
use jointplay_study::contacts::{Episode, JointContacts, JointRecord};
use jointplay_study::run::{Run, run};

use crate::Error;

/// Points in the order of their x.
pub(crate) type Curve = Vec<(f64, f64)>;

/// A model file with changes to it.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    file: &'static str,
    changes: Overrides,
    sampling: Option<Sampling>,
}

impl Machine {
    /// The file as it is.
    pub(crate) fn new(file: &'static str) -> Self {
        Machine { file, changes: Overrides::new(), sampling: None }
    }

    /// With these keys, `("joints.pin.kind", "ideal")`.
    pub(crate) fn set(mut self, keys: &[(&str, &str)]) -> Self {
        for (key, value) in keys {
            self.changes = self.changes.set(*key, *value);
        }
        self
    }

    /// With this law in its clearance joint.
    pub(crate) fn law(mut self, law: &str) -> Self {
        self.changes = self.changes.law(law);
        self
    }

    /// Kept at these instants instead of every step.
    pub(crate) fn sampled(mut self, sampling: Sampling) -> Self {
        self.sampling = Some(sampling);
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(&self) -> Result<Motion, Error> {
        let model = Model::parse(self.file, &self.changes);
        let model = model.map_err(|wrong| Error::Model(wrong.to_string()))?;
        let joints = model.touching().map(|(name, regions)| JointContacts {
            name: name.to_owned(),
            contacts: regions.iter().map(|r| (r.contact, r.name.to_owned())).collect(),
            laws: regions
                .iter()
                .map(|r| model.law_origin(r.contact).cloned().unwrap_or_default())
                .collect(),
        });
        let sampling = self.sampling.clone().unwrap_or(Sampling::EveryStep);
        let simulation = model.run.simulation(&model.mechanism).sampled(sampling);
        let run = run(&simulation, joints.collect(), |_| ControlFlow::Continue(()));
        let run = run.map_err(|wrong| Error::Run(wrong.to_string()))?;
        if run.solution.outcome.reached_end() {
            Ok(Motion { model, run })
        } else {
            Err(Error::Run(run.solution.outcome.to_string()))
        }
    }
}

/// What a machine did.
#[derive(Debug)]
pub(crate) struct Motion {
    model: Model,
    run: Run,
}

impl Motion {
    /// The kept instants (s).
    pub(crate) fn times(&self) -> &[f64] {
        self.run.solution.trajectory.times()
    }

    /// A channel at the kept instants.
    pub(crate) fn channel(&self, name: &str) -> Result<Vec<f64>, Error> {
        let channel = self.model.channel(name).map_err(Error::Model)?;
        let values = self.run.solution.series(|at| channel.eval(at));
        values.map_err(|wrong| Error::Run(wrong.to_string()))
    }

    /// A channel over time.
    pub(crate) fn series(&self, name: &str) -> Result<Vec<(f64, f64)>, Error> {
        Ok(self.times().iter().copied().zip(self.channel(name)?).collect())
    }

    /// What its clearance joint did.
    pub(crate) fn joint(&self) -> Result<&JointRecord, Error> {
        let none = || Error::Model("the mechanism has no clearance joint".to_owned());
        self.run.contacts.joints.first().ok_or_else(none)
    }

    /// Its contacts, one after the other.
    pub(crate) fn episodes(&self) -> &[Episode] {
        &self.run.contacts.episodes
    }

    /// Its first contact.
    pub(crate) fn first(&self) -> Result<&Episode, Error> {
        let none = || Error::Run("no contact in the whole run".to_owned());
        self.episodes().first().ok_or_else(none)
    }
}

/// At most four points of each of `count` equal parts of the range of x, its ends, the lowest and the highest: no peak is lost,
/// and none gets a slope that it has not.
pub(crate) fn thinned(points: &[(f64, f64)], count: usize) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let width = (last.0 - first.0) / count as f64;
    let part = |point: &(f64, f64)| ((point.0 - first.0) / width).floor();
    let mut kept = Vec::with_capacity(4 * count);
    for group in points.chunk_by(|a, b| part(a) == part(b)) {
        let by_height = |a: &usize, b: &usize| group[*a].1.total_cmp(&group[*b].1);
        let (low, high) = ((0..group.len()).min_by(by_height), (0..group.len()).max_by(by_height));
        let mut places = [Some(0), low, high, Some(group.len() - 1)].map(|i| i.unwrap_or(0));
        places.sort_unstable();
        let mut before = None;
        for place in places {
            if before.replace(place) != Some(place) {
                kept.push(group[place]);
            }
        }
    }
    kept
}

/// The largest magnitude.
pub(crate) fn largest(points: &[(f64, f64)]) -> f64 {
    points.iter().fold(0.0, |most, point| point.1.abs().max(most))
}
