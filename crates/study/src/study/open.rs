//! From a study file to a study, or to everything that is wrong with it.

use std::path::Path;
use std::sync::Arc;

use jointplay_model::shape::Misuse;
use jointplay_model::{Diagnostics, IsoFit, Overrides};

use super::check::{law_without_effect, readable, without_effect, wrong_values};
use super::error::Trouble;
use super::folder::{STUDY, is_study};
use super::{Study, StudyError, Work, units};
use crate::bifurcation::Diagram;
use crate::case::{Case, Loaded};
use crate::continuation::drives_repeat;
use crate::own::OwnMetrics;
use crate::study_file::{StudyFile, StudyKind, StudySource};
use crate::survey::{Survey, SurveyError, has_unknown_key};
use crate::vary::{Level, Values, Vary};

/// A study file is not longer than this (bytes).
const MAX_FILE: u64 = 1 << 20;

impl Study {
    /// Reads a study file, or the study of a folder.
    ///
    /// # Errors
    /// [`StudyError`], with everything that is wrong.
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        Self::open_changed(path, [])
    }

    /// The same with metrics that the caller measures.
    ///
    /// # Errors
    /// [`StudyError`], with everything that is wrong.
    pub fn open_measured_by(
        path: &Path,
        own: Option<Arc<dyn OwnMetrics>>,
    ) -> Result<Self, StudyError> {
        Self::read(path, [], own)
    }

    /// The same with other values of keys: keys of the study file, such as `samples`; all others are keys of its model.
    ///
    /// # Errors
    /// [`StudyError`], with everything that is wrong.
    pub fn open_changed<'c>(
        path: &Path,
        changes: impl IntoIterator<Item = (&'c str, &'c str)>,
    ) -> Result<Self, StudyError> {
        Self::read(path, changes, None)
    }

    fn read<'c>(
        path: &Path,
        changes: impl IntoIterator<Item = (&'c str, &'c str)>,
        own: Option<Arc<dyn OwnMetrics>>,
    ) -> Result<Self, StudyError> {
        if path.is_dir() && !is_study(path) {
            return Err(StudyError::request(format!(
                "'{}' is not the folder of a study: give a study file, or a folder that a study was made in",
                path.display()
            )));
        }
        let path = if path.is_dir() { path.join(STUDY) } else { path.to_owned() };
        let text = jointplay_files::read_text(&path, MAX_FILE)
            .map_err(|error| StudyError::request(format!("'{}' {error}", path.display())))?;
        let name = path.display().to_string();
        let source = StudySource::new(&text, Some(&name)).set(changes);
        let file = source.read().map_err(|wrong| with_missing_model(wrong, &source, &path))?;
        let home = path.parent().unwrap_or(Path::new(""));
        let model = home.join(&file.model);
        let data = file.data.as_ref().map(|data| home.join(data).display().to_string());
        let file = StudyFile { data, ..file };
        let mut changes = file.case.iter().fold(Overrides::new(), Overrides::case);
        for (key, value) in &file.set {
            changes = changes.set_toml(key, value.to_string());
        }
        let changes = file.law.iter().fold(changes, Overrides::law);
        let study = match Case::open(&model) {
            Ok(case) => Self::assemble(file.clone(), case.changed(changes).measured_by(own)),
            Err(unread) => {
                let mut wrong = file.problems();
                wrong.extend(unread_model(&model, unread));
                Err(Trouble { wrong, model: None })
            }
        };
        study.map_err(|trouble| trouble.of_file(&source, &file))
    }

    /// A study of a model with the changes that all runs share.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn new(file: StudyFile, case: Case) -> Result<Self, StudyError> {
        Self::assemble(file, case).map_err(Trouble::of_flags)
    }

    fn assemble(file: StudyFile, case: Case) -> Result<Self, Trouble> {
        let mut wrong = file.problems();
        if file.kind == StudyKind::Bifurcation {
            let Ok(mut diagram) = file.diagram(case.clone()) else {
                return Err(with_model(wrong, &file, case));
            };
            let mut file = file;
            diagram.observe = observed(&file, &case)?;
            file.observe.clone_from(&diagram.observe);
            return Self::followed(file, diagram);
        }
        match file.kind {
            StudyKind::Optimise => return Self::optimisation(file, case),
            StudyKind::Identify => return Self::identification(file, case),
            StudyKind::Sweep
            | StudyKind::Tolerance
            | StudyKind::Sensitivity
            | StudyKind::Bifurcation => {}
        }
        let points = if wrong.is_empty() { Some(file.points()) } else { None };
        match points {
            Some(Ok(points)) => {
                let metrics = file.metrics.clone();
                let warm_start = file.warm_start;
                Self::surveyed(file, Survey { case, points, metrics, warm_start, joints: false })
            }
            points => {
                wrong.extend(points.and_then(Result::err));
                Err(with_model(wrong, &file, case))
            }
        }
    }

    /// A bifurcation diagram, once its model and its values are right.
    fn followed(file: StudyFile, diagram: Diagram) -> Result<Self, Trouble> {
        let first = match diagram.check() {
            Ok(first) => first,
            Err(wrong) => stand_in(&file, &diagram, wrong)?,
        };
        let varies = std::slice::from_ref(&diagram.vary);
        let mut wrong = wrong_values(&file, varies, &diagram.case);
        let of = |levels: &[Level]| diagram.case_with(levels);
        let mut variants = variants(varies, &first, of);
        add_measuring(&mut variants, &file, varies, of);
        wrong.extend(without_effect(&file, &variants));
        wrong.extend(law_without_effect(&diagram.case, &variants));
        wrong.extend(unmeasured(&file, &variants));
        if !wrong.is_empty() {
            return Err(Trouble { wrong, model: None });
        }
        let mut units = units::of_keys(varies, &diagram.case);
        units.extend(diagram.observe.iter().filter_map(|name| {
            Some((name.clone(), first.model.channel(name).ok()?.unit().to_owned()))
        }));
        units.extend(
            diagram
                .metrics
                .iter()
                .filter_map(|metric| Some((metric.clone(), units::of_metric(metric, &variants)?))),
        );
        let (limits, fits) = (Vec::new(), Vec::new());
        Ok(Study { file, work: Work::Diagram(diagram), first, limits, fits, units })
    }

    /// A study of these points, once its model and its metrics are right.
    fn surveyed(mut file: StudyFile, mut survey: Survey) -> Result<Self, Trouble> {
        // What is wrong with a fit is among the problems of the file.
        let fits = file.fits().unwrap_or_default();
        let plain = survey.case.clone();
        survey.case = with_fits(survey.case, &fits);
        if file.repeats.is_some_and(|repeats| repeats > 1) {
            survey.case = apart(survey.case);
        }
        let first = first_of(&survey, &plain, &fits).map_err(|wrong| {
            let mut trouble = Trouble::from(wrong);
            if let (Ok(loaded), false) = (plain.load(), has_words(survey.points.varies())) {
                trouble.wrong.extend(unmeasured(&file, &[loaded]));
            }
            trouble
        })?;
        let mut wrong = wrong_values(&file, survey.points.varies(), &survey.case);
        let of = |levels: &[Level]| survey.case_with(levels);
        let mut variants = variants(survey.points.varies(), &first, of);
        add_measuring(&mut variants, &file, survey.points.varies(), of);
        wrong.extend(without_effect(&file, &variants));
        wrong.extend(law_without_effect(&survey.case, &variants));
        if survey.metrics.is_empty() {
            for metric in variants.iter().flat_map(usual_metrics) {
                if !survey.metrics.contains(&metric) {
                    survey.metrics.push(metric);
                }
            }
            file.metrics.clone_from(&survey.metrics);
        }
        wrong.extend(unmeasured(&file, &variants));
        if file.metrics.is_empty() {
            let message = "nothing is measured: the model has neither metrics nor contacts";
            let hint = Some("give --metric NAME, such as max(slider.ax)");
            wrong.push(Misuse::new(["metrics"], message).with_hint(hint));
        }
        let limits = file.limits(|metric| units::of_metric(metric, &variants));
        let limits = limits.map_err(|problems| wrong.extend(problems)).unwrap_or_default();
        if survey.warm_start {
            let repeated = drives_repeat(&first.model.mechanism, first.model.run.until);
            wrong.extend(repeated.err().map(|problem| {
                Misuse::new(["warm_start"], problem).with_hint(Some("change `run.until`"))
            }));
        }
        if !wrong.is_empty() {
            return Err(Trouble { wrong, model: None });
        }
        let mut units = units::of_keys(survey.points.varies(), &survey.case);
        units.extend(fits.iter().map(|(key, _)| (key.clone(), "m".to_owned())));
        let measured = survey.metrics.iter();
        units.extend(
            measured
                .filter_map(|metric| Some((metric.clone(), units::of_metric(metric, &variants)?))),
        );
        Ok(Study { file, work: Work::Survey(survey), first, limits, fits, units })
    }
}

/// The channels of a diagram, with those of every part of an array written out; what the model has is checked later.
fn observed(file: &StudyFile, case: &Case) -> Result<Vec<String>, Trouble> {
    let (Some(_), Ok(loaded)) = (file.observe.iter().find(|name| name.contains('[')), case.load())
    else {
        return Ok(file.observe.clone());
    };
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for (i, name) in file.observe.iter().enumerate() {
        match loaded.model.channel_names(name) {
            Ok(names) => {
                for name in names {
                    if !all.contains(&name) {
                        all.push(name);
                    }
                }
            }
            Err((message, hint)) => {
                let at = ["observe".to_owned(), i.to_string()];
                wrong.push(Misuse::new(at, message).with_hint(hint));
            }
        }
    }
    if wrong.is_empty() { Ok(all) } else { Err(Trouble { wrong, model: None }) }
}

/// The problems of a study file whose keys are wrong, and its model and its values as far as they can be read.
fn with_missing_model(
    mut wrong: Diagnostics,
    source: &StudySource<'_>,
    path: &Path,
) -> Diagnostics {
    let (model, vary) = source.glimpse();
    let mut more = Vec::new();
    if let Some(model) = model {
        let model = path.parent().unwrap_or(Path::new("")).join(model);
        more.extend(Case::open(&model).err().map(|unread| unread_model(&model, unread)));
    }
    more.push(vary.iter().filter_map(|(at, entry)| entry.unreadable(*at)).collect());
    wrong.problems.extend(source.located(more.into_iter().flatten().collect()).problems);
    wrong
}

/// Where no value of a diagram can be observed because none makes sense in the model, the model without the key stands in, as in a sweep;
/// otherwise all that is wrong.
fn stand_in(file: &StudyFile, diagram: &Diagram, wrong: StudyError) -> Result<Loaded, Trouble> {
    let keys = std::slice::from_ref(&diagram.vary);
    let Ok(plain) = diagram.case.load() else { return Err(wrong.into()) };
    let unseen = match &wrong {
        StudyError::Model(model) => {
            let unseen = diagram.unseen(&plain);
            if unseen.is_empty() && !has_unknown_key(model) && readable(keys, &diagram.case) {
                return Ok(plain);
            }
            unseen
        }
        // It says itself what cannot be seen.
        _ => Vec::new(),
    };
    let mut trouble = Trouble::from(wrong);
    if !has_words(keys) {
        trouble.wrong.extend(unseen);
        trouble.wrong.extend(unmeasured(file, &[plain]));
    }
    Err(trouble)
}

/// What is said of a model file that cannot be opened.
fn unread_model(model: &Path, unread: Diagnostics) -> Vec<Misuse> {
    let wrong = unread.problems.into_iter().map(|problem| {
        let message = format!("'{}': {}", model.display(), problem.message);
        Misuse::new(["model"], message).with_hint(problem.hint)
    });
    wrong.collect()
}

/// What is wrong with the model, too, where something is wrong with the study: all keys that can be read have their first values.
fn with_model(mut wrong: Vec<Misuse>, file: &StudyFile, case: Case) -> Trouble {
    let first = |vary: &Vary| match &vary.values {
        Values::Levels(levels) => levels.first().cloned(),
        // The sizes of a fit lie in zones, and need not leave any clearance in their middle.
        Values::Spread(_) if vary.key.ends_with("fit_hole") || vary.key.ends_with("fit_shaft") => {
            None
        }
        Values::Spread(spread) => Some(spread.at(0.5)),
    };
    if file.too_many().is_some() {
        return Trouble { wrong, model: None };
    }
    let varies = file.varies();
    let set = varies.iter().filter_map(|vary| Some((vary, first(vary)?)));
    let changes = set.fold(case.changes().clone(), |changes, (vary, level): (&Vary, Level)| {
        vary.set(changes, &level)
    });
    match case.changed(changes).load() {
        Ok(loaded) => {
            let variants = [loaded];
            if !has_words(&varies) {
                wrong.extend(unmeasured(file, &variants));
            }
            let limits = file.limits(|metric| units::of_metric(metric, &variants));
            if file.kind == StudyKind::Tolerance && !file.metrics.is_empty() {
                wrong.extend(limits.err().into_iter().flatten());
            }
            Trouble { wrong, model: None }
        }
        Err(model) => Trouble { wrong, model: Some(Box::new(model)) },
    }
}

/// Metrics that no variant of the model has: where some have one, the others leave its cells empty.
fn unmeasured(file: &StudyFile, variants: &[Loaded]) -> Vec<Misuse> {
    let wrong = file.metrics.iter().enumerate().filter_map(|(i, metric)| {
        if variants.first().is_some_and(|loaded| loaded.case.measures(metric)) {
            return None;
        }
        let mut found = variants.iter().map(|loaded| loaded.model.metric(metric));
        let (message, hint) = found.next()?.err()?;
        let at = ["metrics".to_owned(), i.to_string()];
        let wrong = Misuse::new(at, format!("{metric}: {message}")).with_hint(hint);
        found.all(|metric| metric.is_err()).then_some(wrong)
    });
    wrong.collect()
}

/// One model for each combination of values that are words: laws, cases and kinds of joints make other models, numbers do not.
pub(super) fn variants(
    varies: &[Vary],
    first: &Loaded,
    of: impl Fn(&[Level]) -> Case,
) -> Vec<Loaded> {
    let mut found = vec![first.clone()];
    if !has_words(varies) {
        return found;
    }
    // Of each key its words, and one number.
    let choices: Vec<Vec<Level>> = varies.iter().map(choices).collect();
    let count = choices.iter().map(Vec::len).fold(1_usize, usize::saturating_mul);
    for number in 0..count.min(MOST_VARIANTS) {
        let mut rest = number;
        let levels = choices.iter().map(|levels| {
            let level = levels[rest % levels.len()].clone();
            rest /= levels.len();
            level
        });
        found.extend(of(&levels.collect::<Vec<Level>>()).load().ok());
    }
    found
}

/// Numbers decide how many parts an array has: variants with metrics that none of these has. Each key takes all of its values, the others their first.
fn add_measuring(
    variants: &mut Vec<Loaded>,
    file: &StudyFile,
    varies: &[Vary],
    of: impl Fn(&[Level]) -> Case,
) {
    if variants.iter().all(|loaded| loaded.model.arrays().is_empty()) {
        return;
    }
    let lacking = |variants: &[Loaded]| -> Vec<String> {
        let lacks = |metric: &&String| {
            let has = |loaded: &Loaded| {
                loaded.case.measures(metric) || loaded.model.metric(metric).is_ok()
            };
            !variants.iter().any(has)
        };
        file.metrics.iter().filter(lacks).cloned().collect()
    };
    let levels: Vec<Vec<Level>> = varies.iter().map(levels).collect();
    let Some(first) = levels.iter().map(|of| of.first().cloned()).collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let others = levels
        .iter()
        .enumerate()
        .flat_map(|(key, levels)| levels.iter().skip(1).map(move |level| (key, level)));
    let mut missing = lacking(variants);
    for (key, level) in others.take(MOST_VARIANTS) {
        if missing.is_empty() {
            return;
        }
        let mut at = first.clone();
        at[key] = level.clone();
        if let Ok(loaded) = of(&at).load()
            && missing.iter().any(|metric| loaded.model.metric(metric).is_ok())
        {
            variants.push(loaded);
            missing = lacking(variants);
        }
    }
}

/// The values of a key that make other models.
fn choices(vary: &Vary) -> Vec<Level> {
    let all = levels(vary);
    let number = all.iter().find(|level| !is_word(level)).cloned();
    all.into_iter().filter(is_word).chain(number).collect()
}

/// The values of a key, one of those that are spread.
fn levels(vary: &Vary) -> Vec<Level> {
    match &vary.values {
        Values::Levels(levels) => levels.clone(),
        Values::Spread(spread) => match spread.listed() {
            listed if listed.is_empty() => vec![spread.at(0.5)],
            listed => listed,
        },
    }
}

/// Whether values are words.
fn has_words(varies: &[Vary]) -> bool {
    varies.iter().any(|vary| match &vary.values {
        Values::Levels(levels) => levels.iter().any(is_word),
        Values::Spread(spread) => is_word(&spread.at(0.0)) || is_word(&spread.at(1.0)),
    })
}

fn is_word(level: &Level) -> bool {
    level.number.is_none()
}

/// So many variants are looked at for metrics.
const MOST_VARIANTS: usize = 1000;

fn with_fits(case: Case, fits: &[(String, IsoFit)]) -> Case {
    fits.iter().fold(case, |case, (key, fit)| case.set(key, fit.to_string()))
}

/// The first point that can be read. Where no number that is run makes sense in the model, such as a negative clearance, or no sample of
/// a fit has clearance, every row will say so: the model without the varied keys stands in.
fn first_of(
    survey: &Survey,
    plain: &Case,
    fits: &[(String, IsoFit)],
) -> Result<Loaded, StudyError> {
    survey.first().or_else(|wrong| {
        let keys = survey.points.varies().iter().filter(|vary| {
            let of_fit = |(key, _): &(String, IsoFit)| vary.key.starts_with(key.as_str());
            vary.key != "start.seed" && !fits.iter().any(of_fit)
        });
        match (&wrong, plain.load()) {
            (SurveyError::Model(model), Ok(loaded))
                if !has_unknown_key(model) && readable(keys, plain) =>
            {
                Ok(loaded)
            }
            _ => Err(wrong.into()),
        }
    })
}

/// The model with starts that are 1 nm apart, unless it says how far.
pub(super) fn apart(case: Case) -> Case {
    const DISTURBANCE: &str = "start.disturbance";
    let start = |text: &str| toml::from_str::<toml::Table>(text).ok()?.remove("start");
    let says = case.load().is_ok_and(|loaded| {
        start(loaded.as_run()).is_some_and(|start| start.get("disturbance").is_some())
    });
    if says { case } else { case.set(DISTURBANCE, "1 nm") }
}

/// Statistics of contacts that are kept if nothing is asked for.
const USUAL: [&str; 5] = ["impacts", "peak_force", "max_indentation", "contact_fraction", "loss"];

/// The metrics of a model, or the usual ones of its contacts.
fn usual_metrics(loaded: &Loaded) -> Vec<String> {
    if !loaded.metrics.is_empty() {
        return loaded.metrics.iter().map(|metric| metric.name.clone()).collect();
    }
    let joints = loaded.model.touching();
    joints.flat_map(|(joint, _)| USUAL.map(|name| format!("{joint}.{name}"))).collect()
}
