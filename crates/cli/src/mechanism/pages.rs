//! Interactive pages of runs.

use jointplay_page::{ModelFile, Page, PageKind, Shown};
use jointplay_study::case::{Case, Loaded};
use jointplay_study::summary::{Ending, Summary};
use jointplay_study::sweep::Cancellation;
use jointplay_view::Recording;

/// The run of a case with ideal joints, for comparison; `None` if the case has no ideal form or that run fails.
pub(crate) fn ideal(case: &Case, stop: &Cancellation) -> Option<Recording> {
    let case = case.load().ok()?;
    let (run, recording) = jointplay_view::record(&case, &mut |_| stop.flow()).ok()?;
    let outcome = Summary::of(&run.record).outcome;
    matches!(outcome, Ending::ReachedEnd | Ending::Stopped).then_some(recording)
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
pub(crate) fn page_beside(
    kind: PageKind,
    case: &Loaded,
    text: &str,
    runs: &[(String, Recording)],
    (ideal, measured): (Option<&Recording>, &str),
) -> String {
    let runs = runs.iter().map(|(label, recording)| Shown { label, ideal: false, recording });
    let ideal = ideal.map(|recording| Shown { label: "ideal joints", ideal: true, recording });
    let page = Page {
        kind,
        title: &case.name,
        models: vec![ModelFile {
            name: &case.name,
            title: &case.name,
            text,
            tables: &case.model.tables,
        }],
        runs: runs.chain(ideal).collect(),
        study: None,
        measured,
    };
    page.html()
}
