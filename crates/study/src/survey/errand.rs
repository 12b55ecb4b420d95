//! Points that a crew runs.

use std::collections::HashMap;

use jointplay_mbd::State;
use serde::{Deserialize, Serialize};

use super::{Row, Survey, SurveyError};
use crate::case::Digest;
use crate::crew::{self, Answer, Crew};
use crate::sweep::{Cancellation, Sweep};

/// Points that follow each other, the first of them from a state.
#[derive(Serialize, Deserialize)]
struct Errand {
    points: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Box<State>>,
}

impl Survey {
    /// Lets a crew run what is missing at the end of each chain, and hands over the rows as they come.
    pub(super) fn by_crew<'c>(
        &self,
        crew: &dyn Crew,
        chains: impl Iterator<Item = (&'c Vec<usize>, &'c [(usize, Row)])> + Clone + Send,
        common: &Digest,
        keep: impl Fn(&Row) + Sync,
        sweep: &Sweep<'_>,
    ) -> Result<Vec<(usize, Row)>, SurveyError> {
        let state =
            |known: &[(usize, Row)]| known.iter().rev().find_map(|(_, row)| row.end.clone());
        let open = chains.clone().filter(|(chain, known)| known.len() < chain.len());
        let mut errands = open.clone().map(|(chain, known)| {
            crew::line(&Errand { points: chain[known.len()..].to_vec(), start: state(known) })
        });
        let total = chains.clone().map(|(chain, _)| chain.len()).sum();
        let known = chains.flat_map(|(_, known)| known);
        let (mut done, mut failed) = known.fold((0, 0), |(done, failed), (_, row)| {
            (done + 1, failed + usize::from(row.is_failed()))
        });
        // The errands that were not answered yet, by their numbers.
        let mut asked: HashMap<usize, (&[usize], Option<Box<State>>)> = HashMap::new();
        let mut open = open.enumerate();
        let (mut rows, mut wrong) = (Vec::new(), None);
        let stop = sweep.cancellation();
        let mut take = |number: usize, answer: Answer| {
            while !asked.contains_key(&number)
                && let Some((i, (chain, known))) = open.next()
            {
                asked.insert(i, (&chain[known.len()..], state(known)));
            }
            let Some((points, start)) = asked.remove(&number) else { return };
            let answered = match answer {
                Answer::Rows(lines) => crew::rows(&lines, points.len()).inspect(|rows| {
                    rows.iter().for_each(&keep);
                }),
                Answer::Lost(why) => {
                    let lost = |&point: &usize| {
                        let (_, key) = self.at(common, point, start.as_deref());
                        self.failed(key, &why)
                    };
                    Ok(points.iter().map(lost).collect())
                }
            };
            match answered {
                Ok(answered) => {
                    for (&point, row) in points.iter().zip(answered) {
                        failed += usize::from(row.is_failed());
                        sweep.tell(done, total, failed);
                        done += 1;
                        rows.push((point, row));
                    }
                }
                Err(why) => {
                    wrong = Some(why);
                    stop.cancel();
                }
            }
        };
        let worked = crew.work("", &mut errands, &mut take, stop);
        match worked.err().or(wrong) {
            Some(why) => Err(SurveyError::Crew(why)),
            None => Ok(rows),
        }
    }

    /// The rows of errands; `None` if they were interrupted.
    ///
    /// # Errors
    /// If a line is not an errand of this survey.
    pub(crate) fn answer(
        &self,
        errands: &[String],
        stop: &Cancellation,
    ) -> Result<Option<Vec<Vec<String>>>, String> {
        let common = self.common();
        let mut answers = Vec::with_capacity(errands.len());
        for errand in errands {
            let Errand { points, start: mut state } = crew::read(errand)?;
            if points.iter().any(|point| *point >= self.points.len()) {
                return Err("the study has fewer points".to_owned());
            }
            let mut rows = Vec::with_capacity(points.len());
            for (i, &point) in points.iter().enumerate() {
                let (loaded, key) = self.at(&common, point, state.as_deref());
                let step = (state.as_deref(), i + 1 < points.len());
                let Some(row) = self.make(loaded, key, step, stop) else { return Ok(None) };
                rows.push(crew::line(&row));
                state = row.end.or(state);
            }
            answers.push(rows);
        }
        Ok(Some(answers))
    }
}
