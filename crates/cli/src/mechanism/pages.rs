//! Interactive pages of runs.

use std::fmt::Display;

use jointplay_page::{ModelFile, Page, PageKind, Shown};
use jointplay_study::case::{Case, Loaded};
use jointplay_study::run::Run;
use jointplay_study::store::Contents;
use jointplay_study::summary::{Ending, Summary};
use jointplay_study::sweep::Cancellation;
use jointplay_view::{Recording, label};

use super::figures;
use super::measured::{Beside, Measured};
use crate::Failure;

/// The run of a case with ideal joints, for comparison; `None` if it was interrupted.
///
/// # Errors
/// A note that says why a page cannot show it.
pub(crate) fn ideal(case: &Case, stop: &Cancellation) -> Result<Option<Recording>, String> {
    let note = |why: &dyn Display| {
        format!("the page does not show the mechanism with ideal joints beside this one: {why}")
    };
    let case = case.load().map_err(|wrong| note(&wrong))?;
    let (run, recording) =
        jointplay_view::record(&case, &mut |_| stop.flow()).map_err(|error| note(&error))?;
    let Summary { outcome, message, .. } = Summary::of(&run.record);
    match outcome {
        Ending::ReachedEnd | Ending::Stopped => Ok(Some(recording)),
        Ending::Interrupted => Ok(None),
        Ending::Failed => Err(note(&format_args!("its run {message}"))),
    }
}

/// The page of a run, and what it does not show.
pub(crate) fn of_run(
    run: &Run,
    recording: Recording,
    measured: &str,
    stop: &Cancellation,
) -> (String, Vec<String>) {
    let case = &run.case;
    let ideal = case.ideal().map_or(Ok(None), |case| ideal(&case, stop));
    let (ideal, note) = match ideal {
        Ok(ideal) => (ideal, None),
        Err(note) => (None, Some(note)),
    };
    let shown = [(label(&case.model), recording)];
    let page = page_beside(PageKind::Run, case, case.as_run(), &shown, (ideal.as_ref(), measured));
    (page, note.into_iter().collect())
}

/// What the folder of a run contains: its figures, a comparison with measured data and its page, if there are.
pub(crate) fn contents<'r>(
    run: &'r Run,
    measured: Option<(&Measured, &Beside)>,
    page: Option<String>,
) -> Result<Contents<'r>, Failure> {
    let mut contents = Contents::of(run);
    figures::add(&mut contents, run)?;
    if let Some((measured, beside)) = measured {
        measured.add(beside, &mut contents)?;
    }
    contents.extra.extend(page.map(|page| ("report.html".to_owned(), page.into_bytes())));
    Ok(contents)
}

/// The page of these runs, in which the model with this text can be changed and run.
pub(crate) fn page(
    kind: PageKind,
    case: &Loaded,
    text: &str,
    runs: &[(String, Recording)],
    ideal: Option<&Recording>,
) -> String {
    page_beside(kind, case, text, runs, (ideal, ""))
}

/// The same with this markup about measured data.
fn page_beside(
    kind: PageKind,
    case: &Loaded,
    text: &str,
    runs: &[(String, Recording)],
    (ideal, measured): (Option<&Recording>, &str),
) -> String {
    let runs = runs.iter().map(|(label, recording)| Shown { label, ideal: false, recording });
    let ideal = ideal.map(|recording| Shown { label: "ideal joints", ideal: true, recording });
    let tables = case.tables_as_run();
    let page = Page {
        kind,
        title: &case.name,
        models: vec![ModelFile { name: &case.name, title: &case.name, text, tables: &tables }],
        runs: runs.chain(ideal).collect(),
        study: None,
        measured,
    };
    page.html()
}
