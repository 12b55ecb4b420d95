//! Keys that turned out to have no effect.

use super::Study;
use crate::sensitivity::Measure;
use crate::study_file::StudyKind;
use crate::summary::Ending;
use crate::survey::{Rows, Survey};
use crate::warned::StudyWarning;

impl Study {
    /// Keys of which the runs say that they change nothing: those that differ only in one have the same metrics, to the last bit.
    pub(super) fn idle(&self, survey: &Survey, rows: &Rows) -> Vec<StudyWarning> {
        let keys = self.file.groups();
        let own = |key: &String| !(key == "start.seed" && self.file.repeats.is_some());
        let idle = keys.iter().enumerate().filter(|(_, (key, _))| own(key));
        let idle = idle.filter(|(place, _)| {
            let has_result =
                |point: &usize| !matches!(rows.outcome(*point), None | Some(Ending::Failed));
            let pairs = self.pairs(survey, keys.len(), *place);
            let known = pairs.filter(|pair| pair.iter().all(has_result));
            // Bits, so that zero and minus zero are two results.
            let bits = |point: usize| rows.metrics(point).iter().map(|metric| metric.to_bits());
            // Metrics without values say nothing of a key.
            let has_value = |point: &usize| rows.metrics(*point).iter().any(|m| !m.is_nan());
            let mut known = known.filter(|pair| pair.iter().any(has_value)).peekable();
            known.peek().is_some() && known.all(|[a, b]| bits(a).eq(bits(b)))
        });
        let warning = |(_, (key, _)): (usize, &(String, usize))| {
            StudyWarning::of_study(format!(
                "`{key}` has no effect: runs that differ only in it have the same metrics, to the last bit"
            ))
        };
        idle.map(warning).collect()
    }

    /// Pairs of points that differ only in one of the keys.
    fn pairs(
        &self,
        survey: &Survey,
        keys: usize,
        place: usize,
    ) -> Box<dyn Iterator<Item = [usize; 2]>> {
        let points = survey.points.len();
        if self.file.kind == StudyKind::Sensitivity {
            return match self.file.measure.unwrap_or_default() {
                // Of each sample the first run, and the one with another value of this key.
                Measure::Sobol => {
                    let samples = (0..points).step_by(keys + 2);
                    Box::new(samples.map(move |first| [first, first + 2 + place]))
                }
                Measure::Tornado => Box::new([1, 2].map(|end| [0, end + 2 * place]).into_iter()),
                // Its walks change one key after another, in any order.
                Measure::Morris => Box::new(std::iter::empty()),
            };
        }
        let varies = survey.points.varies();
        if survey.points.is_grid() {
            let counts: Vec<usize> = varies.iter().map(|vary| vary.count().unwrap_or(1)).collect();
            let stride: usize = counts[place + 1..].iter().product();
            let count = counts[place];
            let digit = move |point: usize| point / stride % count;
            let others = (0..points).filter(move |point| digit(*point) > 0);
            return Box::new(others.map(move |point| [point - digit(point) * stride, point]));
        }
        // Samples change all keys at once.
        let others = if keys == 1 { 1..points } else { 0..0 };
        Box::new(others.map(|point| [0, point]))
    }
}
