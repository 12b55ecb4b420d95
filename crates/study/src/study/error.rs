//! What is wrong with a study.

use jointplay_model::Diagnostics;
use jointplay_model::shape::Misuse;

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
    /// The crew that makes the runs cannot continue.
    #[error("{0}")]
    Crew(String),
}

impl From<SurveyError> for StudyError {
    fn from(error: SurveyError) -> Self {
        match error {
            SurveyError::Model(wrong) => StudyError::Model(wrong),
            SurveyError::Metric(wrong) => StudyError::request(wrong),
            SurveyError::Journal(error) => StudyError::Folder(error.to_string()),
            SurveyError::Crew(why) => StudyError::Crew(why),
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
            StudyError::Folder(message) | StudyError::Crew(message) => {
                StudyError::request(message).into()
            }
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
            let set = problem.set.as_deref();
            let no_case = problem.path == "cases" && problem.location.is_none();
            match set.or(no_case.then_some("case ")).and_then(|flag| key_of(flag, file)) {
                Some((mut at, what)) => {
                    if at[0] == "vary" {
                        // The key is wrong, or what its value does.
                        let unknown = ["unknown key", "the file has no"];
                        let key = unknown.iter().any(|words| problem.message.starts_with(words));
                        at.push(if key { "key" } else { "values" }.to_owned());
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

/// The keys of the study file that lead to what a flag of the model does, and the value if the file does not have it.
fn key_of(flag: &str, file: &StudyFile) -> Option<(Vec<String>, Option<String>)> {
    let path = |keys: &[&str]| keys.iter().map(|&key| key.to_owned()).collect::<Vec<String>>();
    let varied = |key: &str| {
        let of = |name: &str| name == key || key.strip_prefix(name).is_some_and(is_side);
        let i = file.vary.iter().position(|entry| of(&entry.key))?;
        Some(path(&["vary", &i.to_string()]))
    };
    if let Some((key, value)) = flag.strip_prefix("--vary ").and_then(|rest| rest.split_once('=')) {
        return Some((varied(key)?, Some(format!("{key} = {value}"))));
    }
    if let Some((key, _)) = flag.strip_prefix("--set ").and_then(|rest| rest.split_once('=')) {
        let set = file.set.contains_key(key).then(|| path(&["set", key]));
        return Some((set.or_else(|| varied(key))?, None));
    }
    if flag.starts_with("--law ") {
        return file.law.as_ref().map(|_| (path(&["law"]), None));
    }
    if flag.starts_with("case ") {
        let case = file.case.as_ref().map(|_| path(&["case"]));
        return Some((case.or_else(|| varied("case"))?, None));
    }
    None
}

/// What the keys of both sizes of a fit end with.
fn is_side(rest: &str) -> bool {
    rest == "_hole" || rest == "_shaft"
}
