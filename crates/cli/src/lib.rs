//! The command line `jointplay`: arguments, printing and exit codes; no physics.
//!
//! The program calls [`main`] with the arguments of the process. The Python package contains the
//! same program.

mod args;
mod complaints;
mod domain;
mod fit;
mod impact;
mod law;
mod laws;
mod library;
mod mechanism;
mod names;
mod papers;
mod print;
mod progress;
mod study;

use std::ffi::OsString;

use clap::{Parser, Subcommand};
use jointplay_model::{Diagnostics, is_order};
use jointplay_report::FigureError;
use jointplay_study::study_file::StudyFile;

pub use library::{
    Answer, Elastic, Refusal, answer, drawing, elastic, page, recording, save, without_engine,
    write_study,
};

use mechanism::{check, compare, info, new, playground, plot, run, scatter, view};

/// The dynamics of machines whose joints have clearance.
#[derive(Parser)]
#[command(
    name = "jointplay",
    version,
    about = "Simulates machines whose joints have clearance, and studies their contact laws",
    arg_required_else_help = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a model file and write a result folder: motion, impacts, energy balance
    Run(run::RunArgs),
    /// Run a model with several laws or cases and compare the results
    Compare(compare::CompareArgs),
    /// Run a model from many slightly different starts, to see which numbers are reproducible, and
    /// until when
    Scatter(scatter::ScatterArgs),
    /// Run a model for many values of its keys and tabulate metrics
    Sweep(study::SweepArgs),
    /// Find how much metrics vary when dimensions and other inputs have tolerances: distributions,
    /// ISO 286 fits, limits
    Tolerance(study::ToleranceArgs),
    /// Find which inputs matter most for a metric: Sobol' indices, Morris screening, tornado
    Sensitivity(study::SensitivityArgs),
    /// Plot the steady motions of a driven machine against a key: sections, periods, Lyapunov exponents
    Bifurcation(study::BifurcationArgs),
    /// Find the values of keys that minimise or maximise a metric, within bounds and constraints
    Optimise(study::OptimiseArgs),
    /// Find the values of keys, and the law, that explain measured data: least squares with intervals
    Identify(study::IdentifyArgs),
    /// Run a study file, resume a study, or merge its parts
    Study(study::StudyArgs),
    /// Open the interactive page of a model or a result in the browser
    View(view::ViewArgs),
    /// Write a page with all shipped mechanisms and the engine inside, to try out laws or send to a colleague
    Playground(playground::PlaygroundArgs),
    /// Check a model file and list its degrees of freedom and channels; optionally draw it
    Check(check::CheckArgs),
    /// Write a commented model to start from
    New(new::NewArgs),
    /// Plot channels of results
    Plot(plot::PlotArgs),
    /// Show what a result folder contains
    Info(info::InfoArgs),
    /// Print the JSON Schema of model or study files, for completion in editors
    Schema(SchemaArgs),
    /// Regenerate the figures and tables of the papers and compare them with the originals
    Papers(papers::PapersArgs),
    /// List all contact laws, or print the data sheet of one
    Laws(laws::LawsArgs),
    /// Evaluate elastic laws: force, stiffness, energy and domain at an indentation or force
    Law(law::LawArgs),
    /// Let two bodies collide: restitution, peak force, duration, energy lost
    Impact(impact::ImpactArgs),
    /// Fit K δⁿ to an elastic law and state the error
    Fit(fit::FitArgs),
    /// Show where cylinder laws are valid: load limit against clearance
    Domain(domain::DomainArgs),
}

/// `jointplay schema`.
#[derive(clap::Args)]
struct SchemaArgs {
    /// Kind of file: model or study
    #[arg(value_enum, default_value_t = FileKind::Model)]
    of: FileKind,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FileKind {
    Model,
    Study,
}

/// The exit code for wrong input.
const WRONG_INPUT: u8 = 2;

/// At most this many problems of a request are shown.
const MOST_PROBLEMS: usize = 100;

/// The ways in which a command can fail.
enum Failure {
    /// The request is wrong: every problem, exit code 2.
    Request(Vec<String>),
    /// The computation failed, exit code 1.
    Run(String),
    /// Several computations failed: every reason, exit code 1.
    Runs(Vec<String>),
    /// The model is wrong, exit code 2. The flag says whether to print the problems as JSON as well.
    Model(Box<Diagnostics>, bool),
    /// The user or the system stopped it. The exit code is 128 plus the number of the signal: 130 for Ctrl-C.
    Interrupted(String),
}

impl Failure {
    /// The same, for a command that prints JSON.
    fn with_json(self, json: bool) -> Self {
        match self {
            Failure::Model(problems, _) => Failure::Model(problems, json),
            other => other,
        }
    }
}

impl From<Vec<String>> for Failure {
    fn from(problems: Vec<String>) -> Self {
        Self::Request(problems)
    }
}

impl Failure {
    /// The figure requested by this flag could not be written.
    fn of_figure(flag: &str, error: &FigureError) -> Self {
        let cause =
            std::error::Error::source(error).map_or_else(String::new, |cause| format!(": {cause}"));
        match error {
            FigureError::Extension { .. } => Self::Request(vec![format!("{flag}: {error}")]),
            _ => Self::Run(format!("{error}{cause}")),
        }
    }
}

impl From<FigureError> for Failure {
    fn from(error: FigureError) -> Self {
        Self::of_figure("--plot", &error)
    }
}

/// Runs the program with these arguments, of which the first is its name, and returns its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> u8 {
    progress::outlive_file_limits();
    let command = match Cli::try_parse_from(args) {
        Ok(cli) => cli.command,
        Err(wrong) => {
            // The message quotes what the user typed, which may contain control characters.
            let text = wrong.render().to_string();
            if text.contains(is_order) {
                print::note(text.trim_end());
                return WRONG_INPUT;
            }
            // It is not a failure if the reader of the help closes the pipe.
            let _ = wrong.print();
            return u8::try_from(wrong.exit_code()).unwrap_or(WRONG_INPUT);
        }
    };
    let done = carry_out(command);
    match done {
        Ok(()) => 0,
        Err(Failure::Request(problems)) => {
            for problem in problems.iter().take(MOST_PROBLEMS) {
                print::error(problem);
            }
            if problems.len() > MOST_PROBLEMS {
                print::note(&format!("and {} more problems", problems.len() - MOST_PROBLEMS));
            }
            WRONG_INPUT
        }
        Err(Failure::Model(problems, json)) => {
            if json {
                print::json(&problems.to_json());
            }
            print::block(&problems.styled());
            WRONG_INPUT
        }
        Err(Failure::Interrupted(message)) => {
            print::note(&message);
            progress::exit_code()
        }
        Err(Failure::Run(message)) => {
            print::error(&message);
            1
        }
        Err(Failure::Runs(messages)) => {
            for message in &messages {
                print::error(message);
            }
            1
        }
    }
}

/// Carries out a command.
fn carry_out(command: Command) -> Result<(), Failure> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Scatter(args) => scatter::run(&args),
        Command::Sweep(args) => study::sweep(&args),
        Command::Tolerance(args) => study::tolerance(&args),
        Command::Sensitivity(args) => study::sensitivity(&args),
        Command::Bifurcation(args) => study::bifurcation(&args),
        Command::Optimise(args) => study::optimise(&args),
        Command::Identify(args) => study::identify(&args),
        Command::Study(args) => study::study(&args),
        Command::View(args) => view::run(&args),
        Command::Playground(args) => playground::run(&args),
        Command::Check(args) => check::run(&args),
        Command::New(args) => new::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Schema(args) => {
            print::json(&match args.of {
                FileKind::Model => jointplay_model::schema(),
                FileKind::Study => StudyFile::schema(),
            });
            Ok(())
        }
        Command::Papers(args) => papers::run(&args),
        Command::Laws(args) => laws::run(&args),
        Command::Law(args) => law::run(&args),
        Command::Impact(args) => impact::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Domain(args) => domain::run(&args),
    }
}
