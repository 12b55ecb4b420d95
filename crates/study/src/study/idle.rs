//! Keys that turned out to have no effect.

use super::Study;
use crate::sensitivity::Measure;
use crate::study_file::StudyKind;
use crate::survey::{Row, Survey};
use crate::warned::StudyWarning;

impl Study {
    /// Keys of which the runs say that they change nothing: those that differ only in one have the same metrics, to the last bit.
    pub(super) fn idle(&self, survey: &Survey, rows: &[Option<Row>]) -> Vec<StudyWarning> {
        let keys = self.file.groups();
        let own = |key: &String| !(key == "start.seed" && self.file.repeats.is_some());
        let idle = keys.iter().enumerate().filter(|(_, (key, _))| own(key));
        let idle = idle.filter(|(place, _)| {
            let pairs = self.pairs(survey, keys.len(), *place);
            let known = pairs.iter().filter_map(|[a, b]| {
                let [a, b] = [a, b].map(|i| rows.get(*i).and_then(Option::as_ref));
                a.zip(b).filter(|(a, b)| !a.is_failed() && !b.is_failed())
            });
            let mut known = known.peekable();
            // Bits, so that zero and minus zero are two results.
            let bits = |row: &Row| -> Vec<Option<u64>> {
                row.metrics.iter().map(|metric| metric.map(f64::to_bits)).collect()
            };
            known.peek().is_some() && known.all(|(a, b)| bits(a) == bits(b))
        });
        let warning = |(_, (key, _)): (usize, &(String, usize))| {
            StudyWarning::of_study(format!(
                "`{key}` has no effect on what is measured: runs that differ only in it have the same metrics, to the last bit"
            ))
        };
        idle.map(warning).collect()
    }

    /// Pairs of points that differ only in one of the keys.
    fn pairs(&self, survey: &Survey, keys: usize, place: usize) -> Vec<[usize; 2]> {
        let points = survey.points.len();
        if self.file.kind == StudyKind::Sensitivity {
            return match self.file.measure.unwrap_or_default() {
                // Of each sample the first run, and the one with another value of this key.
                Measure::Sobol => {
                    let samples = (0..points).step_by(keys + 2);
                    samples.map(|first| [first, first + 2 + place]).collect()
                }
                Measure::Tornado => vec![[0, 1 + 2 * place], [0, 2 + 2 * place]],
                // Its walks change one key after another, in any order.
                Measure::Morris => Vec::new(),
            };
        }
        let varies = survey.points.varies();
        if survey.points.is_grid() {
            let counts: Vec<usize> = varies.iter().map(|vary| vary.count().unwrap_or(1)).collect();
            let stride: usize = counts[place + 1..].iter().product();
            let digit = |point: usize| point / stride % counts[place];
            let others = (0..points).filter(|point| digit(*point) > 0);
            return others.map(|point| [point - digit(point) * stride, point]).collect();
        }
        // Samples change all keys at once.
        if keys == 1 { (1..points).map(|point| [0, point]).collect() } else { Vec::new() }
    }
}
