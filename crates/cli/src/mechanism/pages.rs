//! Interactive pages of runs.

use jointplay_mbd::Outcome;
use jointplay_model::{Model, Overrides};
use jointplay_page::{Kind, ModelFile, Page, Shown};
use jointplay_study::run::{Run, run as run_simulation};
use jointplay_study::sweep::Cancellation;
use jointplay_view::engine::{self, joint_contacts};
use jointplay_view::{Recorded, Recording, label};

use super::Input;
use crate::Failure;

/// What the runs of a page have in common.
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) input: &'a Input<'a>,
}

impl Subject<'_> {
    /// A run as the page shows it. `law` is what `--law` said.
    pub(crate) fn recording(
        &self,
        model: &Model,
        run: &Run,
        law: Option<&str>,
        ideal: bool,
    ) -> Result<Recording, Failure> {
        let changes = self.input.args.changes(law);
        let text = self.changed(law)?;
        let Subject { name, .. } = *self;
        let recorded = Recorded { name, text: &text, changes: &changes, model, run, ideal };
        recorded.recording().map_err(|error| Failure::Run(error.to_string()))
    }

    /// The text of the file with the changes of the command line in it.
    pub(crate) fn changed(&self, law: Option<&str>) -> Result<String, Failure> {
        // What is set may be meant for another law of the same page.
        let overrides = self.input.args.overrides(law)?.for_several_laws();
        let changed = overrides.apply_to(&self.input.text);
        // What could be read with its changes can be written with them, but for files that it refers to.
        Ok(changed.unwrap_or_else(|_| self.input.text.clone()))
    }

    /// The mechanism with ideal joints, for comparison; `None` where there is no such thing or it does not run.
    pub(crate) fn ideal(
        &self,
        model: &Model,
        law: Option<&str>,
        stop: &Cancellation,
    ) -> Option<Recording> {
        let overrides: Overrides = self.input.args.overrides(law).ok()?.for_several_laws();
        let model = self.input.load_with(&engine::ideal(model, overrides)?).ok()?;
        let simulation = model.run.simulation(&model.mechanism);
        let run = run_simulation(&simulation, joint_contacts(&model), |_| stop.flow()).ok()?;
        let good = matches!(run.solution.outcome, Outcome::ReachedEnd | Outcome::Stopped { .. });
        good.then(|| self.recording(&model, &run, law, true).ok())?
    }

    /// The page of one run.
    pub(crate) fn page_of_run(
        &self,
        model: &Model,
        run: &Run,
        law: Option<&str>,
        ideal: Option<&Recording>,
    ) -> Result<String, Failure> {
        let recording = self.recording(model, run, law, false)?;
        Ok(self.page(Kind::Run, &[(label(model), recording)], ideal, &self.changed(law)?))
    }

    /// The page of these runs.
    pub(crate) fn page(
        &self,
        kind: Kind,
        runs: &[(String, Recording)],
        ideal: Option<&Recording>,
        text: &str,
    ) -> String {
        let runs = runs.iter();
        let runs = runs.map(|(label, recording)| Shown { label, ideal: false, recording });
        let ideal = ideal.map(|recording| Shown { label: "ideal joints", ideal: true, recording });
        let page = Page {
            kind,
            title: self.name,
            models: vec![ModelFile { name: self.name, title: self.name, text }],
            runs: runs.chain(ideal).collect(),
        };
        page.html()
    }
}
