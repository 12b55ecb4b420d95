//! `jointplay`, the command line: arguments, printing and exit codes; no physics.

mod args;
mod domain;
mod fit;
mod impact;
mod law;
mod laws;
mod print;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use jointplay_report::FigureError;

/// Contact laws for joints with clearance: exact, documented, with their domains.
#[derive(Parser)]
#[command(
    name = "jointplay",
    version,
    about = "Contact laws for joints with clearance: exact, documented, with their domains",
    arg_required_else_help = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List all contact laws, or print the data sheet of one
    Laws(laws::LawsArgs),
    /// Evaluate elastic laws: force, stiffness, energy and domain at an indentation or force
    Law(law::LawArgs),
    /// Let two bodies collide: restitution, peak force, duration, energy lost
    Impact(impact::ImpactArgs),
    /// Fit K δⁿ to an elastic law and state the error
    Fit(fit::FitArgs),
    /// Show how far cylinder laws hold: load limit against clearance
    Domain(domain::DomainArgs),
}

/// How a command ends.
enum Failure {
    /// The request is wrong: every problem, exit code 2.
    Request(Vec<String>),
    /// The computation failed, exit code 1.
    Run(String),
}

impl From<Vec<String>> for Failure {
    fn from(problems: Vec<String>) -> Self {
        Self::Request(problems)
    }
}

impl From<FigureError> for Failure {
    fn from(error: FigureError) -> Self {
        let cause = std::error::Error::source(&error)
            .map_or_else(String::new, |cause| format!(": {cause}"));
        match error {
            FigureError::Extension { .. } => Self::Request(vec![format!("--plot: {error}")]),
            _ => Self::Run(format!("{error}{cause}")),
        }
    }
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Laws(args) => laws::run(&args),
        Command::Law(args) => law::run(&args),
        Command::Impact(args) => impact::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Domain(args) => domain::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Request(problems)) => {
            for problem in problems {
                print::error(&problem);
            }
            ExitCode::from(2)
        }
        Err(Failure::Run(message)) => {
            print::error(&message);
            ExitCode::FAILURE
        }
    }
}
