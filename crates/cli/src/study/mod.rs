//! Studies: many runs of a model, and their findings.

mod args;
mod common;
mod figures;
mod found;
mod search;
mod show;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jointplay_study::frame::Frame;
use jointplay_study::run::Keep;
use jointplay_study::study::{Study, StudyError, StudyResult, check_folder, merge};
use jointplay_study::study_file::StudyKind;
use jointplay_study::survey::Shard;
use jointplay_study::sweep::Sweep;
use serde_json::json;

pub(crate) use args::{BifurcationArgs, SensitivityArgs, StudyArgs, SweepArgs, ToleranceArgs};
pub(crate) use search::{DataArgs, IdentifyArgs, OptimiseArgs};

use crate::{Failure, print, progress};

/// How to run a study and report its findings.
struct Manner {
    folder: PathBuf,
    jobs: usize,
    shard: Option<Shard>,
    dry_run: bool,
    json: bool,
}

pub(crate) fn sweep(args: &SweepArgs) -> Result<(), Failure> {
    args.common.perform(args.file()?)
}

pub(crate) fn tolerance(args: &ToleranceArgs) -> Result<(), Failure> {
    args.common.perform(args.file()?)
}

pub(crate) fn sensitivity(args: &SensitivityArgs) -> Result<(), Failure> {
    args.common.perform(args.file()?)
}

pub(crate) fn bifurcation(args: &BifurcationArgs) -> Result<(), Failure> {
    args.common.perform(args.file()?)
}

pub(crate) fn optimise(args: &OptimiseArgs) -> Result<(), Failure> {
    args.perform()
}

pub(crate) fn identify(args: &IdentifyArgs) -> Result<(), Failure> {
    args.perform()
}

/// `jointplay study`: a study file, the folder of a study, or the parts of one.
pub(crate) fn study(args: &StudyArgs) -> Result<(), Failure> {
    if let Some(args::StudyCommand::Merge(parts)) = &args.command {
        check_folder(&parts.out).map_err(refused)?;
        let (study, damaged) = merge(&parts.folders, &parts.out).map_err(refused)?;
        for damage in &damaged {
            print::warning(damage);
        }
        // Merging makes no runs: points that are in no part stay open.
        let nothing = Some(Shard::none());
        let outcome = study.run(&parts.out, &Sweep::new(), nothing).map_err(refused)?;
        let open = outcome.findings.points - outcome.findings.runs;
        if open > 0 {
            let folder = parts.out.display();
            let all = outcome.findings.points;
            print::warning(&format!(
                "{open} of {all} points are missing, because none of the parts has them; `jointplay study {folder}` runs them"
            ));
        }
        return report(&outcome, &parts.out, parts.json, None);
    }
    if let Some(args::StudyCommand::Case(row)) = &args.command {
        return case_of_row(row);
    }
    let Some(path) = &args.file else {
        return Err(Failure::Request(vec![
            "give a study file, such as studies/speed.toml, or the folder of a study".to_owned(),
        ]));
    };
    let keys = args.sets.iter().map(|(key, _)| key);
    let twice = keys.enumerate().filter(|(i, key)| args.sets[..*i].iter().any(|(k, _)| k == *key));
    let twice: Vec<String> =
        twice.map(|(_, key)| format!("--set {key}=… is given twice: remove one of them")).collect();
    if !twice.is_empty() {
        return Err(Failure::Request(twice));
    }
    let changes: Vec<(&str, &str)> =
        args.sets.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let study = Study::open_changed(path, changes)
        .map_err(|error| refused(error).with_json(args.manner.json))?;
    let usual = if path.is_dir() {
        path.clone()
    } else {
        Path::new("out").join(path.file_stem().unwrap_or(path.as_os_str()))
    };
    perform(&study, &args.manner.in_folder(usual, args.shard))
}

/// Writes the model of a row of the table into a folder of its own.
fn case_of_row(args: &args::CaseArgs) -> Result<(), Failure> {
    let study = Study::open(&args.folder).map_err(refused)?;
    let row = study.case_of_row(&args.folder, args.row).map_err(refused)?;
    if let Some(damage) = &row.damage {
        print::warning(&damage.to_string());
    }
    let out = args.out.clone().unwrap_or_else(|| {
        let mut name = args.folder.file_name().unwrap_or_default().to_owned();
        name.push(format!("-row-{}", args.row));
        args.folder.with_file_name(name)
    });
    if out.exists() {
        let message =
            format!("'{}' exists: choose another folder with --out FOLDER", out.display());
        return Err(Failure::Request(vec![message]));
    }
    let files = row.files.iter().map(|(name, text)| (name.as_str(), text));
    for (name, text) in files.chain([("model.toml", &row.model)]) {
        let path = out.join(name);
        jointplay_files::write(&path, text.as_bytes())
            .map_err(|cause| Failure::Run(format!("'{}': {cause}", path.display())))?;
    }
    print::line(&format!("model   {}", out.join("model.toml").display()));
    print::line(&format!("jointplay run {} computes its complete result", out.display()));
    Ok(())
}

/// Runs a study and prints its findings.
fn perform(study: &Study, manner: &Manner) -> Result<(), Failure> {
    check_folder(&manner.folder).map_err(refused)?;
    if manner.dry_run {
        return estimate(study, manner);
    }
    note_replaced(study, &manner.folder);
    let cancellation = progress::stopped_by_user();
    let bar = progress::bar(study.points(), "runs");
    let sweep = Sweep::new().threads(manner.jobs).cancelled_by(&cancellation);
    let sweep = sweep.progress(|progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        if progress.failed > 0 {
            bar.set_message(format!("({} without a result)", progress.failed));
        }
    });
    let outcome = study.run(&manner.folder, &sweep, manner.shard).map_err(refused);
    bar.finish_and_clear();
    let outcome = outcome?;
    let shard = manner.shard.or_else(|| study.shard());
    let reported = report(&outcome, &manner.folder, manner.json, shard);
    let findings = &outcome.findings;
    if cancellation.is_cancelled() && !findings.is_complete() {
        return Err(Failure::Interrupted(format!(
            "interrupted after {} of {} runs, which are in {}; the same command resumes from there",
            findings.runs,
            findings.points,
            manner.folder.display()
        )));
    }
    reported
}

/// Says that the files of another study are going to be replaced.
fn note_replaced(study: &Study, folder: &Path) {
    if study.replaces(folder) {
        print::note(&format!(
            "note: '{}' has a different study, whose tables, figures and page are replaced; its runs stay in runs.jsonl, and those that are still valid are used again",
            folder.display()
        ));
    }
}

/// The name of the page in the folder of a study.
const PAGE: &str = "study.html";

/// A figure of more points than this is drawn as PNG only: programs that show SVG stall.
const MOST_IN_SVG: usize = 50_000;

/// Draws the figures, writes the page and returns its path.
pub(crate) fn write(outcome: &StudyResult, folder: &Path) -> Result<PathBuf, Failure> {
    let StudyResult { findings, table, section, spectra, overlay, .. } = outcome;
    remove_figures(&folder.join("figures"));
    let overlays = overlay.as_ref().map(|overlay| found::overlays(findings, overlay));
    let figures = figures::of(findings, table, section.as_ref(), spectra.as_ref());
    for (file, figure) in figures.into_iter().chain(overlays.into_iter().flatten()) {
        let points: usize = figure.series.iter().map(|series| series.points.len()).sum();
        let svg = if points > MOST_IN_SVG { None } else { Some(figure.svg()?.into_bytes()) };
        for (ending, bytes) in
            svg.map(|svg| ("svg", svg)).into_iter().chain([("png", figure.png()?)])
        {
            let path = folder.join("figures").join(format!("{file}.{ending}"));
            jointplay_files::write(&path, &bytes)
                .map_err(|cause| Failure::Run(format!("'{}': {cause}", path.display())))?;
        }
    }
    let page = folder.join(PAGE);
    jointplay_files::write(&page, jointplay_page::study_page(outcome).as_bytes())
        .map_err(|cause| Failure::Run(format!("'{}': {cause}", page.display())))?;
    Ok(page)
}

/// Removes the figures of an earlier study in the same folder, which may have had other metrics.
fn remove_figures(figures: &Path) {
    for entry in std::fs::read_dir(figures).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "svg" || ending == "png") {
            // A figure that cannot be removed can be overwritten.
            drop(std::fs::remove_file(path));
        }
    }
}

/// Draws the figures, writes the page and prints the findings.
fn report(
    outcome: &StudyResult,
    folder: &Path,
    json: bool,
    shard: Option<Shard>,
) -> Result<(), Failure> {
    let page = write(outcome, folder)?;
    let StudyResult { findings, table, section, .. } = outcome;
    if findings.failed < findings.runs && section.as_ref().is_some_and(Frame::is_empty) {
        print::warning("the section is empty: its event never happened in any of the motions");
    }
    for warning in &findings.warnings {
        print::warning(&show::warning(warning, findings));
    }
    if json {
        print::json(&json!(findings));
    } else {
        print::line(&show::text(findings, table));
        print::line(&format!("page    {}", page.display()));
        print::line(&format!("table   {}", findings.table.display()));
        print::line(&format!("folder  {}", folder.display()));
    }
    let nothing = findings.kind == StudyKind::Identify && findings.identified.is_none();
    if nothing && findings.is_complete() && findings.failed < findings.runs {
        let message = "no run explains any of the data: are the column, its unit, the time and the channel the right ones?";
        return Err(Failure::Run(message.to_owned()));
    }
    if findings.runs > 0 && findings.failed == findings.runs {
        let failed = format!("all {} runs failed", findings.failed);
        let first = show::first_reason(table).map(|why| format!(", the first: {why}"));
        let first = first.unwrap_or_default();
        // Other parts may have results, and a queue of jobs should not drop them.
        if let Some(shard) = shard.filter(|_| !findings.is_complete()) {
            let part = format!("in part {shard} {failed}");
            print::warning(&format!("{part}; the table gives the reasons{first}"));
            return Ok(());
        }
        return Err(Failure::Run(format!("{failed}; the table gives the reasons{first}")));
    }
    Ok(())
}

/// Prints the number of runs and an estimate of their time, based on the first.
fn estimate(study: &Study, manner: &Manner) -> Result<(), Failure> {
    let shard = manner.shard.or_else(|| study.shard());
    let units = shard.map_or(study.units(), |shard| shard.count(study.units()));
    let points = units * study.points() / study.units().max(1);
    let start = Instant::now();
    let first = study.first();
    let end = study.first().run_keeping(Keep::Nothing, &mut |_| {
        // One long run is enough for an estimate.
        if start.elapsed() > Duration::from_secs(20) {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    });
    let one = start.elapsed();
    let reached = end
        .map_err(|error| Failure::Run(error.to_string()))?
        .summary()
        .t_end
        .map_or(1.0, |t| t / first.model.run.until);
    let one = study.effort() * one.as_secs_f64() / reached.clamp(1e-6, 1.0);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = if manner.jobs == 0 { cores } else { manner.jobs };
    let jobs = jobs.min(units.max(1));
    let seconds = one * points as f64 / jobs as f64;
    // A row of the table and of the journal.
    let bytes = points as f64 * (24.0 * study.columns() as f64 * 2.0 + 120.0);
    if manner.json {
        let value = json!({ "runs": points, "seconds": seconds, "bytes": bytes, "jobs": jobs });
        print::json(&value);
    } else {
        print::line(&print::pairs(&[
            ("model", first.name.clone()),
            ("runs", points.to_string()),
            ("one run", print::si(one, "s")),
            ("all", format!("{} with {jobs} at once", show::duration(seconds))),
            ("files", print::si(bytes, "B")),
            ("folder", manner.folder.display().to_string()),
        ]));
    }
    Ok(())
}

/// The reason why a study cannot be run.
pub(crate) fn refused(error: StudyError) -> Failure {
    match error {
        StudyError::Request(problems) => {
            Failure::Request(problems.iter().map(ToString::to_string).collect())
        }
        StudyError::Model(wrong) => Failure::Model(wrong, false),
        StudyError::Folder(message) => Failure::Request(vec![message]),
        StudyError::Write(message) => Failure::Run(message),
        other => Failure::Run(other.to_string()),
    }
}
