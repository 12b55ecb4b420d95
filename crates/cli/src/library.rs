//! The commands of the program as functions for the Python package: the same requests, files and
//! answers, without printing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Parser;
use jointplay_contact::elastic::ElasticLaw;
use jointplay_mbd::Error;
use jointplay_model::Diagnostics;
use jointplay_study::case::Loaded;
use jointplay_study::run::Run;
use jointplay_study::store::Overwrite;
use jointplay_study::study::StudyResult;
use jointplay_study::sweep::Cancellation;

use crate::args::{ContactArgs, ElasticChoice};
use crate::complaints::{Complaints, complain_of_unknown};
use crate::mechanism::{cure, figures, pages};
use crate::{Failure, print};

/// The reason why a request was not fulfilled.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The request is wrong: every problem.
    Request(Vec<String>),
    /// The model is wrong.
    Model(Box<Diagnostics>),
    /// The computation failed.
    Failed(String),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Request(problems) => Refusal::Request(problems),
            Failure::Model(wrong, _) => Refusal::Model(wrong),
            Failure::Run(message) | Failure::Interrupted(message) => Refusal::Failed(message),
            Failure::Runs(messages) => Refusal::Failed(messages.join("\n")),
        }
    }
}

/// The output of a command that is returned instead of printed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Answer {
    /// The JSON that it would have printed, `null` for none.
    pub json: serde_json::Value,
    /// The lines that it would have printed.
    pub text: String,
    /// Warnings and notes.
    pub notes: Vec<String>,
}

/// The answer of a command, such as `laws --json`, without the name of the program. Use it only for
/// commands that compute for a short time: long ones wait for signals.
///
/// # Errors
/// [`Refusal`]; wrong arguments are a wrong request.
pub fn answer(args: impl IntoIterator<Item = OsString>) -> Result<Answer, Refusal> {
    let program = std::iter::once(OsString::from("jointplay"));
    let command =
        crate::Cli::try_parse_from(program.chain(args)).map_err(|wrong| of_clap(&wrong))?.command;
    let (done, answer) = print::captured(|| crate::carry_out(command));
    done.map(|()| answer).map_err(Refusal::from)
}

fn of_clap(wrong: &clap::Error) -> Refusal {
    let text = wrong.render().to_string();
    let message = text.split("\n\n").next().unwrap_or(&text).trim();
    Refusal::Request(vec![message.strip_prefix("error: ").unwrap_or(message).to_owned()])
}

/// An elastic law with the warnings about its inputs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Elastic {
    /// Its name.
    pub name: String,
    /// The law.
    pub law: ElasticLaw,
    /// The length of a line contact (m).
    pub length: Option<f64>,
    /// Warnings about inputs outside the published domain.
    pub warnings: Vec<String>,
    /// Other remarks.
    pub notes: Vec<String>,
}

/// The flags of a contact alone.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct ContactFlags {
    #[command(flatten)]
    contact: ContactArgs,
}

/// The elastic law of this name with these flags, as `jointplay law` takes them.
///
/// # Errors
/// [`Refusal::Request`] with all problems.
pub fn elastic(law: &str, flags: impl IntoIterator<Item = OsString>) -> Result<Elastic, Refusal> {
    let contact = ContactFlags::try_parse_from(flags).map_err(|wrong| of_clap(&wrong))?.contact;
    let mut complaints = Complaints::default();
    let inputs = contact.inputs(&mut complaints);
    let choice = ElasticChoice::read(law, &mut complaints);
    let built = choice.as_ref().and_then(|c| contact.elastic(c, &inputs, &mut complaints));
    if let Some(choice) = &choice {
        complain_of_unknown(&inputs, choice.sheet(), &[], &mut complaints);
    }
    complaints.finish().map_err(Refusal::Request)?;
    match built {
        Some(crate::args::Elastic { name, law, length, warnings, notes, .. }) => {
            Ok(Elastic { name, law, length, warnings, notes })
        }
        None => Err(Refusal::Request(vec![format!("`{law}` is not a law")])),
    }
}

/// The assembled mechanism as SVG.
///
/// # Errors
/// [`Refusal`] if it cannot be assembled.
pub fn drawing(case: &Loaded) -> Result<String, Refusal> {
    let figure = figures::assembly(&case.name, &case.model)?;
    figure.svg().map_err(|error| Failure::from(error).into())
}

/// The interactive page of a run, with notes about what it does not show.
///
/// # Errors
/// If an instant cannot be evaluated.
pub fn page(run: &Run) -> Result<(String, Vec<String>), Error> {
    let recording = jointplay_view::recording_of(run)?;
    Ok(pages::of_run(run, recording, "", &Cancellation::new()))
}

/// A page without its engine: much smaller, but it cannot run the model.
pub fn without_engine(page: &str) -> String {
    jointplay_page::without_engine(page)
}

/// The data of the page of a run: its scene, channels and tables as JSON, and the numbers to which
/// it refers.
///
/// # Errors
/// If an instant cannot be evaluated.
pub fn recording(run: &Run) -> Result<(String, Vec<f64>), Error> {
    let recording = jointplay_view::recording_of(run)?;
    Ok((recording.json().to_owned(), recording.numbers().to_vec()))
}

/// Writes the folder of a run as `jointplay run` does, with its figures and, if requested, its
/// page. Returns notes about what the page does not show.
///
/// # Errors
/// [`Refusal::Failed`] if it cannot be written; nothing has changed then.
pub fn save(
    run: &Run,
    folder: &Path,
    overwrite: Overwrite,
    page: bool,
) -> Result<Vec<String>, Refusal> {
    let page = page.then(|| self::page(run)).transpose();
    let page = page.map_err(|error| Refusal::Failed(error.to_string()))?;
    let (page, notes) = page.unzip();
    let contents = pages::contents(run, None, page)?;
    contents.write(folder, overwrite).map_err(|error| Refusal::Failed(cure(&error)))?;
    Ok(notes.unwrap_or_default())
}

/// Draws the figures of a study, writes its page and returns the path of the page.
///
/// # Errors
/// [`Refusal::Failed`] if they cannot be written.
pub fn write_study(outcome: &StudyResult, folder: &Path) -> Result<PathBuf, Refusal> {
    crate::study::write(outcome, folder).map_err(Refusal::from)
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Request(problems) => f.write_str(&problems.join("\n")),
            Refusal::Model(wrong) => wrong.fmt(f),
            Refusal::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Refusal {}
