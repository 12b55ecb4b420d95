//! Programs that are run one after the other, and how long each took.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::root;

struct Step {
    title: String,
    seconds: f64,
    /// Its processor time, if the system reports it.
    processor: Option<f64>,
    /// Whether it ran in parallel with another step.
    beside: bool,
}

static STEPS: Mutex<Vec<Step>> = Mutex::new(Vec::new());

/// Steps that could not be done here, with the reasons.
static NOT_DONE: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Reports that a step cannot be done on this machine, and keeps it for [`verdict`].
pub(crate) fn not_done(title: &str, why: &str) {
    println!("\n== {title}: NOT TESTED: {why}");
    let line = format!("{title} ({why})");
    NOT_DONE.lock().unwrap_or_else(PoisonError::into_inner).push(line);
}

/// The message if no step failed; a step that was not done has not passed.
pub(crate) fn verdict() -> String {
    verdict_without(&NOT_DONE.lock().unwrap_or_else(PoisonError::into_inner))
}

fn verdict_without(not_done: &[String]) -> String {
    match not_done {
        [] => "all tests passed".to_owned(),
        not_done => {
            format!("all tests that could be run passed; NOT TESTED: {}", not_done.join("; "))
        }
    }
}

/// Runs a program in the root of the workspace and keeps its time for [`table`].
pub(crate) fn run(
    title: &str,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), String> {
    println!("\n== {title}: {program} {}", arguments.join(" "));
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied());
    timed(title, &mut command)
}

/// The same with a given command.
pub(crate) fn timed(title: &str, command: &mut Command) -> Result<(), String> {
    let (start, before) = (Instant::now(), children());
    let status = command.current_dir(root()).status();
    let status = status.map_err(|error| not_started(title, command, &error))?;
    let seconds = start.elapsed().as_secs_f64();
    let processor = children().zip(before).map(|(after, before)| after - before);
    println!("== {title}: {seconds:.0} s");
    keep(Step { title: title.to_owned(), seconds, processor, beside: false });
    if status.success() { Ok(()) } else { Err(format!("{title} failed ({status})")) }
}

/// Runs a program in parallel with other steps: its output is shown in one piece when it has ended.
/// Its processor time is counted with the step that runs at the same time.
pub(crate) fn beside(
    title: &str,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), String> {
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied());
    let output = command.current_dir(root()).stdin(Stdio::null()).output();
    let output = output.map_err(|error| not_started(title, &command, &error))?;
    let seconds = start.elapsed().as_secs_f64();
    let [said, complained] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    println!(
        "\n== {title}: {program} {}\n{said}{complained}== {title}: {seconds:.0} s",
        arguments.join(" ")
    );
    keep(Step { title: format!("{title}, beside others"), seconds, processor: None, beside: true });
    let status = output.status;
    if status.success() { Ok(()) } else { Err(format!("{title} failed ({status})")) }
}

fn keep(step: Step) {
    STEPS.lock().unwrap_or_else(PoisonError::into_inner).push(step);
}

fn not_started(title: &str, command: &Command, error: &std::io::Error) -> String {
    format!("{title}: {} did not start: {error}", command.get_program().display())
}

/// Processor time (s) of all programs that ended so far, on Linux.
fn children() -> Option<f64> {
    ticks(&fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| ticks / 100.0)
}

/// User and system time of a process's children, from its line of `/proc`, in hundredths of a second.
fn ticks(stat: &str) -> Option<f64> {
    // The second field is a name in brackets, which may contain anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<f64>().ok();
    Some(field(16)? + field(17)?)
}

/// All steps so far with their times, and that of all of them, which began at `start`.
pub(crate) fn table(start: Instant) -> String {
    let steps = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
    let width = steps.iter().map(|step| step.title.chars().count()).max().unwrap_or(0).max(5);
    let mut out = format!("{:width$}  minutes  of a processor\n", "step");
    let mut line = |title: &str, seconds: f64, processor: Option<f64>| {
        let processor = processor.map_or("-".to_owned(), |time| format!("{:.1}", time / 60.0));
        let _ = writeln!(out, "{title:width$}  {:7.1}  {processor:>14}", seconds / 60.0);
    };
    for step in steps.iter() {
        line(&step.title, step.seconds, step.processor);
    }
    // The processor time of a parallel step is counted with the others.
    let own = steps.iter().filter(|step| !step.beside);
    line("all", start.elapsed().as_secs_f64(), own.map(|step| step.processor).sum());
    out
}

#[cfg(test)]
mod tests {
    use super::{ticks, verdict_without};

    #[test]
    fn property_what_was_not_tested_has_not_passed() {
        assert_eq!(verdict_without(&[]), "all tests passed");
        let said = verdict_without(&["packages (offline)".to_owned()]);
        assert!(said.contains("NOT TESTED: packages (offline)"), "{said}");
        assert!(!said.contains("all tests passed"), "{said}");
    }

    #[test]
    fn exact_times_of_children_are_the_sixteenth_and_seventeenth_field() {
        let line = "4 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 1300 4000 15 16 17";
        assert_eq!(ticks(line), Some(5300.0));
        assert_eq!(ticks("4 (short) S 1"), None);
        assert_eq!(ticks(""), None);
    }
}
