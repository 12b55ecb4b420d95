//! Optimisations and identifications: from a study file to a search, and from its runs to an outcome.

use std::path::Path;

use jointplay_model::Diagnostics;
use jointplay_model::shape::Misuse;

use super::check::law_without_effect;
use super::error::Trouble;
use super::folder::{OVERLAY, TABLE, write, write_csv, write_table};
use super::units;
use super::{Findings, Study, StudyError, StudyResult, Work};
use crate::case::{Case, Digest};
use crate::frame::Frame;
use crate::identify::Identification;
use crate::measurement::Measurement;
use crate::optimum::Optimisation;
use crate::study_file::StudyFile;
use crate::survey::Rows;
use crate::trials::Searched;

impl Study {
    /// An optimisation, once its model and its metrics are right.
    pub(super) fn optimisation(mut file: StudyFile, case: Case) -> Result<Self, Trouble> {
        let mut wrong = file.problems();
        let repeats = file.repeats.unwrap_or(1);
        let case = if repeats > 1 { super::open::apart(case) } else { case };
        let mut search = Optimisation {
            case,
            bounds: file.bounds(),
            judged: file.searched_metrics().len(),
            metrics: [file.searched_metrics(), file.kept_metrics()].concat(),
            maximise: file.maximise.is_some(),
            constraints: Vec::new(),
            budget: file.budget(),
            repeats,
            seed: file.seed,
        };
        let first = match search.middle().load() {
            Ok(first) => first,
            Err(model) => return Err(Trouble { wrong, model: Some(Box::new(model)) }),
        };
        wrong.extend(law_without_effect(&search.case, std::slice::from_ref(&first)));
        for (i, metric) in search.metrics.iter().enumerate() {
            if first.case.measures(metric) {
                continue;
            }
            if let Err((message, hint)) = first.model.metric(metric) {
                let objective = if search.maximise { "maximise" } else { "minimise" };
                let at = match i {
                    0 => objective,
                    i if i < search.judged => "limits",
                    _ => "metrics",
                };
                wrong.push(Misuse::new([at], format!("{metric}: {message}")).with_hint(hint));
            }
        }
        // Limits are of metrics of the study, which those of a search are.
        let named = StudyFile { metrics: search.metrics.clone(), ..file.clone() };
        match named.limits(|metric| units::of_metric(metric, std::slice::from_ref(&first))) {
            Ok(limits) => search.constraints = limits,
            Err(problems) => wrong.extend(problems),
        }
        // With repeats the chosen point runs once more.
        let points = if repeats > 1 { 11 } else { 10 };
        if search.budget < points * repeats {
            let message = format!(
                "{repeats} repeats of each point leave fewer than {points} points of a budget of {} runs",
                search.budget
            );
            wrong.push(Misuse::new(["budget"], message));
        }
        if !wrong.is_empty() {
            return Err(Trouble { wrong, model: None });
        }
        file.budget = Some(search.budget);
        let (limits, fits) = (Vec::new(), Vec::new());
        let mut units = units::of_keys(&file.varies(), &search.case);
        units.extend(search.metrics.iter().filter_map(|metric| {
            Some((metric.clone(), units::of_metric(metric, std::slice::from_ref(&first))?))
        }));
        Ok(Study { file, work: Work::Optimisation(search), first, limits, fits, units })
    }

    /// An identification, once its model and its data are right.
    pub(super) fn identification(mut file: StudyFile, case: Case) -> Result<Self, Trouble> {
        let mut wrong = file.problems();
        let (Ok(request), Ok(shift)) = (file.data_request(), file.data_shift()) else {
            return Err(Trouble { wrong, model: None });
        };
        let empty = Measurement {
            file: String::new(),
            text: "".into(),
            times: Vec::new(),
            columns: Vec::new(),
        };
        let mut search = Identification {
            case,
            bounds: file.bounds(),
            data: empty,
            request,
            laws: file.laws.clone(),
            loss: file.loss.unwrap_or_default(),
            shift,
            budget: file.budget(),
            seed: file.seed,
            until: 0.0,
        };
        let first = match search.middle().load() {
            Ok(first) => first,
            Err(model) => return Err(Trouble { wrong, model: Some(Box::new(model)) }),
        };
        wrong.extend(law_without_effect(&search.case, std::slice::from_ref(&first)));
        let models: Vec<_> = search.laws.iter().map(|law| search.with_law(law).load()).collect();
        let bad = models.iter().find_map(|model| model.as_ref().err().cloned());
        if let Some(bad) = bad {
            return Err(Trouble { wrong, model: Some(Box::new(bad)) });
        }
        let models: Vec<_> = models.into_iter().flatten().collect();
        if let Some(why) = first.model.takes_no_law().filter(|_| !models.is_empty()) {
            wrong.push(Misuse::new(["laws"], why));
        }
        let untaken = Diagnostics::taken_by_none(None, models.iter().map(|loaded| &*loaded.model));
        let data = file.data.clone().filter(|_| wrong.is_empty());
        let Some(data) = data else { return Err(Trouble { wrong, model: untaken.map(Box::new) }) };
        if let Some(untaken) = untaken {
            return Err(Trouble { wrong, model: Some(Box::new(untaken)) });
        }
        search.data = Measurement::open(Path::new(&data), &search.request, &first)
            .map_err(|bad| Trouble { wrong: Vec::new(), model: Some(Box::new(bad)) })?;
        search.until = first.model.run.until;
        let fixed = match search.shift {
            crate::identify::Shift::None => Some([0.0, 0.0]),
            crate::identify::Shift::Between(low, high) => Some([low, high]),
            crate::identify::Shift::Auto | crate::identify::Shift::Free => None,
        };
        let compared = fixed.map_or(Ok(()), |shifts| search.sampler(shifts).map(|_| ()));
        if let Err(message) = compared.and_then(|()| search.enough()) {
            let bad = Diagnostics::whole(Some(&data), message, None);
            return Err(Trouble { wrong: Vec::new(), model: Some(Box::new(bad)) });
        }
        file.budget = Some(search.budget);
        let (limits, fits) = (Vec::new(), Vec::new());
        let mut units = units::of_keys(&file.varies(), &search.case);
        units.extend(search.data.columns.iter().map(|c| (c.channel.clone(), c.unit.clone())));
        Ok(Study { file, work: Work::Identification(search), first, limits, fits, units })
    }

    /// Optimises in a folder.
    pub(super) fn optimise(
        &self,
        search: &Optimisation,
        (folder, model): (&Path, String),
        (searched, optimum): crate::optimum::Found,
    ) -> Result<StudyResult, StudyError> {
        let mut findings = self.searched(folder, &search.case, &searched);
        findings.keys = search.bounds.iter().map(|bounded| bounded.key.clone()).collect();
        findings.measured.clone_from(&search.metrics);
        findings.optimum = optimum;
        self.left(folder, findings, (searched, None), model)
    }

    /// Identifies in a folder.
    pub(super) fn identify(
        &self,
        search: &Identification,
        (folder, model): (&Path, String),
        (searched, found): crate::identify::Found,
    ) -> Result<StudyResult, StudyError> {
        let mut findings = self.searched(folder, &search.case, &searched);
        let law = (!search.laws.is_empty()).then(|| "law".to_owned());
        let keys = search.bounds.iter().map(|bounded| bounded.key.clone());
        findings.keys = law.into_iter().chain(keys).collect();
        findings.measured =
            search.data.columns.iter().map(|column| column.channel.clone()).collect();
        let overlay = found.map(|(identified, overlay)| {
            findings.identified = Some(identified);
            overlay
        });
        if let Some(overlay) = &overlay {
            write_csv(folder, OVERLAY, overlay)?;
        }
        self.left(folder, findings, (searched, overlay), model)
    }

    fn searched(&self, folder: &Path, case: &Case, searched: &Searched) -> Findings {
        let runs = searched.questions.len();
        let digest = case.load().map_or_else(
            |_| Digest::of([case.text(), Digest::of_engine().as_str()]),
            |loaded| loaded.digest().clone(),
        );
        let mut findings = self.nothing(digest, folder, TABLE);
        findings.runs = runs;
        findings.failed = searched.failed;
        // A search is complete with as many runs as it needed.
        findings.points = if searched.complete { runs } else { self.points().max(runs + 1) };
        findings
    }

    #[expect(clippy::unused_self, reason = "beside its sisters")]
    fn left(
        &self,
        folder: &Path,
        findings: Findings,
        (Searched { table, tables, .. }, overlay): (Searched, Option<Frame>),
        model: String,
    ) -> Result<StudyResult, StudyError> {
        for (name, text) in &tables {
            write(folder, name, text.as_bytes())?;
        }
        write_table(folder, TABLE, &table)?;
        Ok(StudyResult {
            findings,
            table,
            section: None,
            spectra: None,
            points: None,
            overlay,
            model,
            tables,
            continued: false,
            starts: Vec::new(),
            rows: Rows::default(),
        })
    }
}
