//! `jointplay run`: runs a model, writes a result folder and prints a summary.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use jointplay_study::case::Loaded;
use jointplay_study::run::Observer;
use jointplay_study::store::{Contents, Origin, Overwrite, Store, StoreError, departures};
use jointplay_study::summary::{Ending, Summary};
use jointplay_study::sweep::Cancellation;
use serde_json::json;

use super::measured::{Beside, Measured};
use super::{ModelArgs, beside, check_target, cure, default_folder, pages, place_of_part, summary};
use crate::study::DataArgs;
use crate::{Failure, print, progress};

/// Arguments of `jointplay run`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  jointplay run models/slider-crank/model.toml\n  \
                  jointplay run models/slider-crank/model.toml --law hertz+flores --until 0.1s --json")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Law of every clearance joint and contact, such as hertz+flores; a damping law alone keeps the elastic law
    #[arg(long, value_name = "LAW", help_heading = "Model")]
    law: Option<String>,
    /// Channels to record, separated by commas; `jointplay check` lists them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// Result folder; by default out/NAME, followed by the changes if there are any
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace the result of a different model or of different changes; your own files in the folder are kept
    #[arg(long)]
    force: bool,
    /// Write the state at the end of the run to FILE.json, with the memory of its contacts; a model
    /// with `start.state` starts from it
    #[arg(long, value_name = "FILE")]
    end_state: Option<PathBuf>,
    /// Table of measured data to compare with: the model is sampled at its times; needs --map
    #[arg(long, value_name = "FILE", help_heading = "Data")]
    data: Option<PathBuf>,
    #[command(flatten)]
    of_data: DataArgs,
    /// Do not write the interactive page, which takes longer to write than a short run takes
    #[arg(long)]
    no_page: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

impl RunArgs {
    /// A run without changes, into this folder.
    pub(crate) fn new(model: ModelArgs, out: Option<PathBuf>) -> Self {
        RunArgs {
            model,
            law: None,
            channels: Vec::new(),
            out,
            force: false,
            end_state: None,
            data: None,
            of_data: DataArgs::default(),
            no_page: false,
            json: false,
        }
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    run_to_folder(args).map(|_| ())
}

/// Runs a model and returns the folder of the result.
pub(crate) fn run_to_folder(args: &RunArgs) -> Result<PathBuf, Failure> {
    let case = load(args).map_err(|failure| failure.with_json(args.json))?;
    let wanted = args.out.clone().unwrap_or_else(|| folder_of(args, &case));
    let overwrite = if args.force { Overwrite::Anything } else { Overwrite::Result };
    let origin = Origin::of(&case);
    check_target(&wanted, overwrite, &origin)?;
    if let Some(table) = jointplay_study::store::table_in_the_way(&case) {
        let message = format!(
            "the model's table '{table}' has the same name as a file of the result or as another table, but all of them are written to one folder: rename the table"
        );
        return Err(Failure::Request(vec![message]));
    }
    let measured = Measured::of(args.data.as_ref(), &args.of_data, &args.model.file, &case)
        .map_err(|failure| failure.with_json(args.json))?;
    for departure in departures(&case) {
        if departure.is_engine() {
            print::note(&format!("note: {departure}"));
        } else {
            print::warning(&format!("{}: {departure}", args.model.file.display()));
        }
    }
    for warning in &case.model.warnings {
        print::block(&warning.styled_warning(&args.model.file.display().to_string()));
    }
    let cancellation = progress::stopped_by_user();
    let beside = match &measured {
        Some(measured) => measured
            .compare(&case, &cancellation)
            .map_err(|failure| failure.with_json(args.json))?,
        None => None,
    };
    let mut watch = RunWatch::new(&case, &cancellation);
    let failed = |error: jointplay_mbd::Error| Failure::Run(error.to_string());
    let (run, page) = if args.no_page {
        (case.run(&mut watch).map_err(failed)?, None)
    } else {
        let (run, recording) = jointplay_view::record(&case, &mut watch).map_err(failed)?;
        let markup = beside.as_ref().map_or_else(String::new, Beside::markup);
        let (page, notes) = pages::of_run(&run, recording, &markup, &cancellation);
        for note in &notes {
            print::note(&format!("note: {note}"));
        }
        (run, Some(page))
    };
    watch.bar.finish_and_clear();
    let contents = pages::contents(&run, measured.as_ref().zip(beside.as_ref()), page)?;
    let summary = contents.summary.clone();
    let folder = match summary.outcome {
        Ending::Interrupted | Ending::Failed => place_of_part(&wanted, &origin, &summary),
        Ending::ReachedEnd | Ending::Stopped => wanted.clone(),
    };
    let overwrite = if folder == wanted { overwrite } else { Overwrite::Result };
    contents.write(&folder, overwrite).map_err(|error| kept_beside(&folder, &contents, &error))?;
    if let Some(file) = &args.end_state {
        let state = run.solution().end().map_err(failed)?.state();
        // Plain data, which always has a JSON form.
        let text = serde_json::to_string_pretty(&state).unwrap_or_default() + "\n";
        jointplay_files::write(file, text.as_bytes())
            .map_err(|cause| Failure::Run(format!("'{}': {cause}", file.display())))?;
    }
    if args.json {
        let mut value = serde_json::to_value(&summary).unwrap_or_default();
        value["model"] = json!(case.name);
        value["result"] = json!(folder.display().to_string());
        if let Some(beside) = &beside {
            value["comparison"] = json!(beside.comparison);
        }
        print::json(&value);
    } else {
        // The warnings of the model were shown before the run.
        print::line(&summary::text(&case.name, &Summary::of(&run.record), &run.metrics));
        if let Some(beside) = &beside {
            print::line(&beside.text());
        }
        print::line(&format!("result  {}", folder.display()));
        if !args.no_page {
            print::line(&format!("page    {}", folder.join("report.html").display()));
        }
    }
    ended(&summary, folder, &wanted)
}

/// The folder of a result, or the reason why its run ended early and the place of its results so
/// far.
fn ended(summary: &Summary, folder: PathBuf, wanted: &Path) -> Result<PathBuf, Failure> {
    match summary.outcome {
        Ending::Failed if folder == wanted => {
            Err(Failure::Run(format!("the run {}", summary.message)))
        }
        Ending::Failed => Err(Failure::Run(format!(
            "the run {}; what was computed is in {}, and the older result in {} is unchanged",
            summary.message,
            folder.display(),
            wanted.display()
        ))),
        Ending::Interrupted => Err(Failure::Interrupted(format!(
            "interrupted at t = {} s; what was computed is in {}{}",
            summary.t_end.unwrap_or_default(),
            folder.display(),
            if folder == wanted {
                String::new()
            } else {
                format!("; the result in {} got further and is unchanged", wanted.display())
            }
        ))),
        Ending::ReachedEnd | Ending::Stopped => Ok(folder),
    }
}

/// Keeps a result that could not be written to its folder, and reports the reason and the new
/// place: next to the folder, in the working folder, or among temporary files.
fn kept_beside(folder: &Path, contents: &Contents<'_>, error: &StoreError) -> Failure {
    let name = folder.file_name().unwrap_or_default();
    let others = [Path::new("").join(name), std::env::temp_dir().join(name)];
    kept_in(std::iter::once(folder.to_owned()).chain(others), contents, error)
}

fn kept_in(
    folders: impl IntoIterator<Item = PathBuf>,
    contents: &Contents<'_>,
    error: &StoreError,
) -> Failure {
    let mut why = vec![cure(error)];
    for folder in folders {
        let place = beside(&folder, "kept", &contents.origin);
        match contents.rescue(&place) {
            Ok(missing) => {
                why.push(format!("the result of this run is in {}", place.display()));
                if !missing.is_empty() {
                    why.push(format!("without {}", missing.join(", ")));
                }
                return Failure::Run(why.join("; "));
            }
            Err(error) => why.push(cure(&error)),
        }
    }
    Failure::Run(format!("the result of this run is lost: {}", why.join("; ")))
}

/// The case described by the flags.
fn load(args: &RunArgs) -> Result<Loaded, Failure> {
    let mut changes = args.model.overrides()?;
    if !args.channels.is_empty() {
        if let Some(set) = args.model.set_of("output.channels") {
            let message =
                format!("--set {set} and --channels set the same key: remove one of them");
            return Err(Failure::Request(vec![message]));
        }
        let names: Vec<&str> = args.channels.iter().map(|name| name.trim()).collect();
        let flag = format!("--channels {}", args.channels.join(","));
        changes = changes.set_by(flag, "output.channels", names);
    }
    args.model.load(changes, args.law.as_deref())
}

/// The default result folder. A result that is run again keeps its name.
fn folder_of(args: &RunArgs, case: &Loaded) -> PathBuf {
    let file = &args.model.file;
    let again = file.file_name().filter(|_| Store::open(file).is_ok());
    let name = again.map_or_else(|| case.name.clone(), |name| name.to_string_lossy().into_owned());
    default_folder(&name, &case.changes())
}

/// Shows the progress of a run. Ctrl-C and signals end it; what was computed is kept.
struct RunWatch<'a> {
    bar: ProgressBar,
    until: f64,
    shown: u64,
    cancellation: &'a Cancellation,
}

impl<'a> RunWatch<'a> {
    fn new(case: &Loaded, cancellation: &'a Cancellation) -> Self {
        let bar = ProgressBar::new(1000);
        let style = ProgressStyle::with_template("{prefix} [{bar:40}] {percent:>3} %  {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        bar.set_prefix(print::clean(&case.name).into_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        RunWatch { bar, until: case.model.run.until, shown: 0, cancellation }
    }
}

impl Observer for RunWatch<'_> {
    fn advanced(&mut self, t: f64) -> ControlFlow<()> {
        let part = (1000.0 * t / self.until).clamp(0.0, 1000.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 1000"
        )]
        let done = part as u64;
        if done > self.shown {
            self.shown = done;
            self.bar.set_position(done);
        }
        self.cancellation.flow()
    }

    fn compares(&mut self) {
        self.shown = 0;
        self.bar.set_position(0);
        self.bar.set_prefix(format!("{}, ideal joints", self.bar.prefix()));
    }
}

#[cfg(test)]
mod tests {
    use jointplay_study::case::Case;

    use super::*;

    /// The place beside the folder of a result may be as bad as the folder itself.
    #[test]
    fn property_a_result_without_a_place_is_kept_elsewhere() {
        let model = "format = 1\n[bodies.a]\nmass = 1\n[run]\nuntil = 1\n";
        let case = Case::of_text(model).load().expect("a good model");
        let run = case.run(&mut ()).expect("it runs");
        let contents = Contents::of(&run);
        let place = tempfile::tempdir().expect("a place");
        std::fs::write(place.path().join("file"), "mine").expect("written");
        // Nothing can be made below a file.
        let bad = place.path().join("file/result");
        let error = contents.write(&bad, Overwrite::Result).expect_err("no folder");
        let good = place.path().join("elsewhere");
        let failure = kept_in([bad.clone(), good], &contents, &error);
        let Failure::Run(message) = failure else { panic!("another failure") };
        let kept = place.path().join("elsewhere-kept");
        assert!(message.contains(&kept.display().to_string()), "{message}");
        assert!(Store::open(&kept).is_ok());
        // Where nothing helps it is not passed over in silence.
        let Failure::Run(message) = kept_in([bad], &contents, &error) else { panic!("another") };
        assert!(message.contains("lost"), "{message}");
    }
}
