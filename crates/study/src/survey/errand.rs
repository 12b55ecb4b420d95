//! Points that a crew runs.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jointplay_mbd::State;
use serde::{Deserialize, Serialize};

use super::chains::Chains;
use super::{Row, Rows, Survey, SurveyError};
use crate::case::Digest;
use crate::crew::{self, Answer, Crew};
use crate::summary::Ending;
use crate::sweep::{Cancellation, Sweep};

/// Points that follow each other, the first of them from a state.
#[derive(Serialize, Deserialize)]
struct Errand {
    points: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Box<State>>,
}

impl Survey {
    /// Lets a crew run what is missing at the end of each chain, and puts the rows where they belong as they come.
    pub(super) fn by_crew(
        &self,
        crew: &dyn Crew,
        (chains, rows): (&Chains, &Mutex<Rows>),
        common: &Digest,
        (keep, put): (impl Fn(&Row) + Sync, impl Fn(usize, Row) + Sync),
        sweep: &Sweep<'_>,
    ) -> Result<(), SurveyError> {
        // What is open of each chain, and the state from which it goes on.
        let locked =
            || -> MutexGuard<'_, Rows> { rows.lock().unwrap_or_else(PoisonError::into_inner) };
        let open = chains.firsts().map(|first| {
            let (chain, rows) = (chains.from(first), locked());
            let known = chain.clone().take_while(|point| rows.outcome(*point).is_some()).count();
            let mut ends = (first..first + known).rev();
            let state = ends.find_map(|point| rows.end(point)).map(Box::new);
            (first + known..chain.end, state)
        });
        let open = open.filter(|(points, _)| !points.is_empty());
        let (mut done, mut failed) = {
            let rows = locked();
            let points = chains.firsts().flat_map(|first| chains.from(first));
            let known = points.filter_map(|point| rows.outcome(point));
            known.fold((0, 0), |(done, failed), outcome| {
                (done + 1, failed + usize::from(outcome == Ending::Failed))
            })
        };
        // Rows that come in while these are looked at belong to chains that were handed out before.
        let mut errands = open
            .clone()
            .map(|(points, start)| crew::line(&Errand { points: points.collect(), start }));
        let total = chains.points();
        // The errands that were not answered yet, by their numbers.
        let mut asked: HashMap<usize, (Range<usize>, Option<Box<State>>)> = HashMap::new();
        let mut open = open.enumerate();
        let mut wrong = None;
        let stop = sweep.cancellation();
        let mut take = |number: usize, answer: Answer| {
            while !asked.contains_key(&number)
                && let Some((i, errand)) = open.next()
            {
                asked.insert(i, errand);
            }
            let Some((points, start)) = asked.remove(&number) else { return };
            let answered = match answer {
                Answer::Rows(lines) => crew::rows(&lines, points.len()).inspect(|rows| {
                    rows.iter().for_each(&keep);
                }),
                Answer::Lost(why) => {
                    let lost = |point: usize| {
                        let (_, key) = self.at(common, point, start.as_deref());
                        self.failed(key, &why)
                    };
                    Ok(points.clone().map(lost).collect())
                }
            };
            match answered {
                Ok(answered) => {
                    for (point, row) in points.zip(answered) {
                        failed += usize::from(row.is_failed());
                        sweep.tell(done, total, failed);
                        done += 1;
                        put(point, row);
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
            None => Ok(()),
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
                state = row.end.and_then(|end| end.state()).map(Box::new).or(state);
            }
            answers.push(rows);
        }
        Ok(Some(answers))
    }
}
