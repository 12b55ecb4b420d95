//! Diagrams that a crew makes: values by themselves, or a whole chain of them.

use jointplay_mbd::State;
use serde::{Deserialize, Serialize};

use super::{Book, Diagram, Point, Way};
use crate::case::Digest;
use crate::crew::{self, Answer, Crew};
use crate::journal::Journal;
use crate::study::StudyError;
use crate::sweep::{Cancellation, Sweep};

/// Values that follow each other, by their places in the order of the diagram, the first of them from a state.
#[derive(Serialize, Deserialize)]
struct Errand {
    first: usize,
    count: usize,
    start: Option<State>,
}

impl Diagram {
    /// Lets a crew run the missing points; returns the points in the order of their directions.
    pub(super) fn by_crew(
        &self,
        crew: &dyn Crew,
        keys: &[((Way, usize), Digest)],
        book: &Book,
        sweep: &Sweep<'_>,
    ) -> Result<Vec<Point>, StudyError> {
        let order = self.passed(keys);
        let known = |(_, key): &((Way, usize), Digest)| book.known.get(key).cloned();
        let mut points: Vec<Option<Point>> = order.iter().map(known).collect();
        let errands: Vec<Errand> = if self.restart {
            let open = (0..order.len()).filter(|place| points[*place].is_none());
            open.map(|first| Errand { first, count: 1, start: None }).collect()
        } else {
            // What follows a gap was reached from somewhere else.
            let first = points.iter().position(Option::is_none).unwrap_or(order.len());
            points[first..].fill(None);
            let start = first.checked_sub(1).and_then(|last| points[last].as_ref()?.end.clone());
            let count = order.len() - first;
            (count > 0).then_some(Errand { first, count, start }).into_iter().collect()
        };
        let mut wrong = None;
        let stop = sweep.cancellation();
        let mut take = |number: usize, answer: Answer| {
            let Some(Errand { first, count, start }) = errands.get(number) else { return };
            let answered = match answer {
                Answer::Rows(lines) => crew::rows::<Point>(&lines, *count)
                    .inspect(|rows| rows.iter().for_each(|point| book.write(point, stop))),
                Answer::Lost(why) => Ok(order[*first..first + count]
                    .iter()
                    .map(|(place, key)| Point::failed(key.clone(), *place, &why, start.clone()))
                    .collect()),
            };
            match answered {
                Ok(answered) => {
                    for (place, point) in (*first..).zip(answered) {
                        points[place] = Some(point);
                    }
                    let done = points.iter().flatten();
                    let failed = done.clone().filter(|point| point.section.is_empty()).count();
                    sweep.tell(done.count().saturating_sub(1), order.len(), failed);
                }
                Err(why) => {
                    wrong = Some(why);
                    stop.cancel();
                }
            }
        };
        let worked = crew.work("", &mut errands.iter().map(crew::line), &mut take, stop);
        if let Some(why) = worked.err().or(wrong) {
            return Err(StudyError::Crew(why));
        }
        if self.restart {
            return Ok(self.and_back(points.into_iter().flatten().collect()));
        }
        Ok(points.into_iter().map_while(|point| point).collect())
    }

    /// What is run: values by themselves are passed once.
    fn passed<'k>(&self, keys: &'k [((Way, usize), Digest)]) -> &'k [((Way, usize), Digest)] {
        if self.restart { &keys[..self.values()] } else { keys }
    }

    /// The points of errands; `None` if they were interrupted.
    ///
    /// # Errors
    /// If a line is not an errand of this diagram.
    pub(crate) fn answer(
        &self,
        errands: &[String],
        stop: &Cancellation,
    ) -> Result<Option<Vec<Vec<String>>>, String> {
        let keys = self.keys();
        let order = self.passed(&keys);
        let book = Book::new((Journal::nowhere(), Vec::new()));
        let mut answers = Vec::with_capacity(errands.len());
        for errand in errands {
            let Errand { first, count, start: mut state } = crew::read(errand)?;
            let places = first.checked_add(count).and_then(|end| order.get(first..end));
            let mut points = Vec::with_capacity(count.min(order.len()));
            for (place, key) in places.ok_or("the study has fewer values")? {
                let Some(point) = self.point(*place, key, state.take(), &book, stop) else {
                    return Ok(None);
                };
                points.push(crew::line(&point));
                state = point.end;
            }
            answers.push(points);
        }
        Ok(Some(answers))
    }
}
