//! Finds the values at which a law behaves like another one.
//!
//! The same number means different things to different laws: a restitution of 0.4 for Lankarani and Nikravesh is one of 0.72 for Flores. A minimum
//! of a record of impacts can be so narrow that samples of the box miss it. So the impacts of the
//! law that fits best are examined one by one: the values with which another law rebounds from them
//! with the same speed, force and duration are a start of its search. That needs no runs of the
//! mechanism but the one that shows the impacts.

use rayon::prelude::*;

use super::search::{Aim, Search};
use crate::case::{Loaded, joint_contacts};
use crate::fitting::descent::{Answer, Descent, descend};
use crate::fitting::matrix::dot;
use crate::impact::Impact;
use crate::run::Keep;
use crate::trials::Question;

/// This many impacts of each joint are examined, those with the greatest impulse.
const IMPACTS: usize = 3;
/// The tolerance of free impacts.
const TOLERANCE: f64 = 1e-9;
/// Weight of a change over the whole range of a key compared with a change of the rebound of an
/// impact. It matters only if impacts do not depend on a key.
const PULL: f64 = 1e-4;

/// An impact of a run.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// The joint, and which of its contacts.
    joint: usize,
    region: usize,
    speed: f64,
    /// The effective mass (kg).
    mass: f64,
}

impl Search<'_, '_> {
    /// The places at which other laws behave most like `law` does at `place`; nothing where that is not known.
    pub(super) fn alike(
        &self,
        aim: &Aim,
        (law, place): (Option<&str>, &[f64]),
        others: &[Option<&str>],
    ) -> Vec<Option<Vec<f64>>> {
        let nothing = vec![None; others.len()];
        let Some(loaded) = self.loaded(aim, law, place) else { return nothing };
        let met = self.met(&loaded);
        let Some(wanted) = behaviour(&loaded, &met).filter(|_| !met.is_empty()) else {
            return nothing;
        };
        let of = |other: Option<&str>| self.like(aim, other, place, (&met, &wanted));
        others.iter().copied().map(of).collect()
    }

    /// The place nearest to `place` at which a law answers these impacts in this way.
    fn like(
        &self,
        aim: &Aim,
        law: Option<&str>,
        place: &[f64],
        (met, wanted): (&[Met], &[f64]),
    ) -> Option<Vec<f64>> {
        let keys = self.study.bounds.len();
        let residuals = |x: &Vec<f64>| -> Answer {
            let own = behaviour(&self.loaded(aim, law, x)?, met)?;
            let apart = own.iter().zip(wanted).map(|(own, wanted)| own - wanted);
            let pulled = x.iter().zip(place).map(|(x, at)| PULL * (x - at));
            Some(apart.chain(pulled).collect())
        };
        let mut starts = self.cube(8 * keys + 8, keys);
        starts.push(place[..keys].to_vec());
        let mut costs: Vec<(f64, Vec<f64>)> = starts
            .into_par_iter()
            .filter_map(|x| residuals(&x).map(|r| (dot(&r, &r), x)))
            .collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut descents: Vec<Descent> =
            costs.into_iter().take(3).map(|(_, x)| Descent::new(x, 1e-5, 30)).collect();
        let answer = |asked: &[(usize, Vec<f64>)]| -> Result<Vec<Answer>, ()> {
            Ok(asked.par_iter().map(|(_, x)| residuals(x)).collect())
        };
        descend(&mut descents, answer).ok()?;
        let ends = descents.into_iter().filter(|descent| descent.cost.is_finite());
        let best = ends.min_by(|a, b| a.cost.total_cmp(&b.cost))?;
        // The shift of the clock has nothing to do with the law.
        Some([best.x, place[keys..].to_vec()].concat())
    }

    fn loaded(&self, aim: &Aim, law: Option<&str>, place: &[f64]) -> Option<Loaded> {
        let keys = self.study.bounds.len();
        let question = Question {
            law: law.map(str::to_owned),
            place: place[..keys].to_vec(),
            shift: 0.0,
            start: None,
        };
        self.trials.case_of(&question, Some(aim.until())).load_unidentified().ok()
    }

    /// The impacts of a run.
    fn met(&self, loaded: &Loaded) -> Vec<Met> {
        let watch = &mut |_: f64| self.trials.flow();
        let Ok(run) = loaded.run_keeping(Keep::Nothing, watch) else { return Vec::new() };
        let joints = joint_contacts(&loaded.model);
        let mut all = Vec::new();
        for (joint, contacts) in joints.iter().enumerate() {
            let episodes = run.contacts().episodes.iter().filter(|e| e.joint == joint);
            let mut impacts: Vec<(f64, Met)> = episodes
                .filter_map(|e| {
                    let region = e.regions.first()?;
                    let region = contacts.contacts.iter().position(|(_, name)| name == region)?;
                    // The impulse of a free impact.
                    let mass = e.impulse / (e.impact_speed * (1.0 + e.restitution?));
                    let met = Met { joint, region, speed: e.impact_speed, mass };
                    (mass.is_finite() && mass > 0.0).then_some((e.impulse, met))
                })
                .collect();
            impacts.sort_by(|a, b| b.0.total_cmp(&a.0));
            all.extend(impacts.into_iter().take(IMPACTS).map(|(_, met)| met));
        }
        all
    }
}

/// What the laws of a model make of impacts: restitutions, and logarithms of greatest forces and durations.
fn behaviour(loaded: &Loaded, met: &[Met]) -> Option<Vec<f64>> {
    let joints = joint_contacts(&loaded.model);
    let mut all = Vec::with_capacity(3 * met.len());
    for Met { joint, region, speed, mass } in met.iter().copied() {
        let (contact, _) = joints.get(joint)?.contacts.get(region)?;
        let law = &loaded.model.mechanism.contact(*contact).law.normal;
        let impact = Impact { law, effective_mass: mass, speed, tolerance: TOLERANCE };
        let end = impact.run().ok()?;
        all.extend([end.restitution, libm::log(end.max_force), libm::log(end.duration)]);
    }
    all.iter().all(|x| x.is_finite()).then_some(all)
}
