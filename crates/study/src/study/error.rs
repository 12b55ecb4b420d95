//! What is wrong with a study.

use jointplay_model::shape::Misuse;
use jointplay_model::{Change, Diagnostics};

use crate::journal::JournalError;
use crate::study_file::{StudyFile, StudySource};
use crate::survey::{SurveyError, first_problem};

/// Why a study cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The request is wrong: every problem.
    #[error("{}", .0.iter().map(Misuse::to_string).collect::<Vec<_>>().join("\n"))]
    Request(Vec<Misuse>),
    /// The study file or its model is wrong.
    #[error("{0}")]
    Model(Box<Diagnostics>),
    /// A folder or a file cannot be used.
    #[error("{0}")]
    Folder(String),
    /// A file of the study could not be written, such as to a full disk.
    #[error("{0}")]
    Write(String),
    /// The crew that makes the runs cannot continue.
    #[error("{0}")]
    Crew(String),
}

impl From<SurveyError> for StudyError {
    fn from(error: SurveyError) -> Self {
        match error {
            SurveyError::Model(wrong) => StudyError::Model(wrong),
            SurveyError::Metric(wrong) => StudyError::request(wrong),
            SurveyError::Journal(error) => error.into(),
            SurveyError::Crew(why) => StudyError::Crew(why),
        }
    }
}

impl From<JournalError> for StudyError {
    fn from(error: JournalError) -> Self {
        let message = error.to_string();
        match error {
            JournalError::InUse { .. }
            | JournalError::Open { .. }
            | JournalError::Io { .. }
            | JournalError::Other { .. } => StudyError::Folder(message),
            JournalError::Write { .. } => StudyError::Write(message),
        }
    }
}

impl From<Diagnostics> for StudyError {
    fn from(wrong: Diagnostics) -> Self {
        StudyError::Model(Box::new(wrong))
    }
}

impl StudyError {
    /// A problem that no key of a study file is to blame for.
    pub(crate) fn request(message: impl Into<String>) -> Self {
        StudyError::Request(vec![Misuse::new(Vec::<String>::new(), message)])
    }
}

/// Everything that is wrong with a study file, and with the model of its points.
#[derive(Debug, Default)]
pub(super) struct Trouble {
    pub(super) wrong: Vec<Misuse>,
    pub(super) model: Option<Box<Diagnostics>>,
}

impl From<StudyError> for Trouble {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Request(wrong) => Trouble { wrong, model: None },
            StudyError::Model(model) => Trouble { wrong: Vec::new(), model: Some(model) },
            StudyError::Folder(message)
            | StudyError::Write(message)
            | StudyError::Crew(message) => StudyError::request(message).into(),
        }
    }
}

impl Trouble {
    /// Of a study that was asked for by flags: a problem of the model names its flag.
    pub(super) fn of_flags(self) -> StudyError {
        let Trouble { mut wrong, model } = self;
        match model {
            Some(model) if wrong.is_empty() => StudyError::Model(model),
            model => {
                for problem in model.into_iter().flat_map(|model| model.problems) {
                    let key = problem.set.unwrap_or(problem.path);
                    let message = match key.as_str() {
                        "" => problem.message,
                        key => format!("{key}: {}", problem.message),
                    };
                    wrong.push(Misuse { at: Vec::new(), message, hint: problem.hint });
                }
                StudyError::Request(wrong)
            }
        }
    }

    /// Of a study file: with line and column. A problem that a key of the study causes in the model
    /// is reported at that key; a problem of the model itself is shown in its own file.
    pub(super) fn of_file(self, source: &StudySource<'_>, file: &StudyFile) -> StudyError {
        let Trouble { mut wrong, model } = self;
        let Some(mut model) = model else {
            return StudyError::Model(Box::new(source.located(wrong)));
        };
        let mut own = Vec::new();
        for problem in std::mem::take(&mut model.problems) {
            let no_case = problem.path == "cases" && problem.location.is_none();
            let change = problem.change.clone().or(no_case.then_some(Change::Case));
            match change.and_then(|change| key_of(&change, file)) {
                Some((mut at, what)) => {
                    if at[0] == "vary" {
                        // The key is wrong, or what its value does.
                        at.push(if problem.unknown_key { "key" } else { "values" }.to_owned());
                    }
                    let message = match what {
                        Some(what) => format!("{what}: {}", problem.message),
                        None => problem.message,
                    };
                    wrong.push(Misuse { at, message, hint: problem.hint });
                }
                None => own.push(problem),
            }
        }
        model.problems = own;
        if wrong.is_empty() {
            return StudyError::Model(model);
        }
        if !model.problems.is_empty() {
            let hint = format!("`jointplay check {}` shows all problems", file.model);
            let message = format!("the model has problems too: {}", first_problem(&model));
            wrong.push(Misuse::new(["model"], message).with_hint(Some(hint)));
        }
        StudyError::Model(Box::new(source.located(wrong)))
    }
}

/// The keys of the study file that lead to a change of the model, and the value if the file does not have it.
fn key_of(change: &Change, file: &StudyFile) -> Option<(Vec<String>, Option<String>)> {
    let path = |keys: &[&str]| keys.iter().map(|&key| key.to_owned()).collect::<Vec<String>>();
    let varied = |key: &str| {
        let of = |name: &str| name == key || key.strip_prefix(name).is_some_and(is_side);
        let i = file.vary.iter().position(|entry| of(&entry.key))?;
        Some(path(&["vary", &i.to_string()]))
    };
    let with = |at: Option<Vec<String>>, key: &str, value: &str| {
        at.map(|at| (at, Some(format!("{key} = {value}"))))
    };
    match change {
        Change::Key { key, value } => {
            let set = || Some((path(&["set", file.set.get_key_value(key)?.0]), None));
            with(varied(key), key, value).or_else(set)
        }
        Change::Law(law) => {
            let own =
                || file.law.as_ref().filter(|own| *own == law).map(|_| (path(&["law"]), None));
            with(varied("law"), "law", law).or_else(own)
        }
        Change::Case => {
            let case = file.case.as_ref().map(|_| path(&["case"]));
            Some((case.or_else(|| varied("case"))?, None))
        }
        Change::Ideal => None,
    }
}

/// What the keys of both sizes of a fit end with.
fn is_side(rest: &str) -> bool {
    rest == "_hole" || rest == "_shaft"
}
