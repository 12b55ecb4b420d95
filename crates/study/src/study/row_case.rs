//! The model of a row of the table of a study.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Study, StudyError, Work};
use crate::case::Case;
use crate::journal::Damage;
use crate::survey::Shard;
use crate::sweep::{Cancellation, Sweep};
use crate::trials::{Question, case_of};

/// The model of a row of the table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowCase {
    /// Its text.
    pub model: String,
    /// The files that it refers to, by name.
    pub files: BTreeMap<String, String>,
    /// What was damaged in the folder.
    pub damage: Option<Damage>,
}

impl Study {
    /// The model of a row of the table, counted from 1, as it was run. `jointplay run` makes the whole result of it.
    ///
    /// # Errors
    /// [`StudyError`] if the folder does not have this row, or its model is wrong.
    pub fn case_of_row(&self, folder: &Path, row: usize) -> Result<RowCase, StudyError> {
        let none = |rows: usize| {
            let message = format!(
                "there is no row {row}: the table has {rows}, the study {} points",
                self.points()
            );
            StudyError::request(message)
        };
        let asked = |questions: Result<Vec<Question>, StudyError>, case, bounds| {
            let questions = questions?;
            let question = row.checked_sub(1).and_then(|row| questions.get(row));
            let question = question.ok_or_else(|| none(questions.len()))?;
            Ok::<Case, StudyError>(case_of(case, bounds, question, None))
        };
        // What the journal does not know is not run.
        let cancelled = Cancellation::made();
        let no_more = Sweep::new().cancelled_by(&cancelled);
        let damage: Option<Damage>;
        let (case, start) = match &self.work {
            Work::Survey(survey) => {
                let known = self.journal(folder)?;
                damage = known.0.damage().cloned();
                let (rows, _) = survey.run(known, &Sweep::new(), Some(Shard::none()))?;
                let point = row.checked_sub(1).and_then(|row| rows.done().nth(row));
                let point = point.ok_or_else(|| none(rows.done().count()))?;
                let start = rows.start(point);
                (survey.case_at(point), start)
            }
            Work::Diagram(diagram) => {
                let known = self.journal(folder)?;
                damage = known.0.damage().cloned();
                let points = diagram.known(known);
                let point = row.checked_sub(1).and_then(|row| points.get(row));
                let point = point.ok_or_else(|| none(points.len()))?;
                let case = diagram.case_at(point.index);
                let until = diagram.duration(&case.load()?).map_err(StudyError::Request)?;
                (case.set("run.until", until), point.start.clone())
            }
            Work::Optimisation(search) => {
                let known = self.search_journal(folder)?;
                damage = known.0.damage().cloned();
                let questions = search.run(known, &no_more).map(|(found, _)| found.questions);
                (asked(questions, &search.case, &search.bounds)?, None)
            }
            Work::Identification(search) => {
                let known = self.search_journal(folder)?;
                damage = known.0.damage().cloned();
                let questions = search.run(known, &no_more).map(|(found, _)| found.questions);
                (asked(questions, &search.case, &search.bounds)?, None)
            }
        };
        let case = match &start {
            Some(state) => case.starting_from(state),
            None => case,
        };
        let loaded = case.load()?;
        let tables = loaded.tables().map(|(name, text)| (name.to_owned(), text.to_owned()));
        Ok(RowCase { model: loaded.as_run().to_string(), files: tables.collect(), damage })
    }
}
