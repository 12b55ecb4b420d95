//! The runs of a search, batch by batch: each is kept in a [journal](crate::journal) when it ends and is never repeated.
//!
//! A search depends only on results, so an interrupted search requests the same runs when it is
//! started again, and the journal supplies those that it has. The number of threads has no effect.

mod bounded;
mod make;
mod shelf;

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jointplay_model::{Diagnostics, canonical_with_cases};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::case::{Case, Digest, Loaded};
use crate::crew::{self, Answer, Crew};
use crate::frame::Frame;
use crate::journal::{Journal, JournalError};
use crate::measurement::Sampler;
use crate::own::OwnMetrics;
use crate::study::StudyError;
use crate::summary::Ending;
use crate::survey::first_problem;
use crate::sweep::{Cancellation, Sweep};
use crate::vary::Level;

pub(crate) use bounded::Bounded;
pub(crate) use make::case_of;
use make::make;
pub(crate) use shelf::Known;
use shelf::Shelf;

/// The requested results of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Wanted {
    /// These metrics.
    Metrics(Vec<String>),
    /// What an instrument would have seen of it, made later by a shift, and what identifies that.
    Samples {
        #[serde(with = "shared")]
        sampler: Arc<Sampler>,
        digest: Digest,
        until: f64,
    },
}

/// What is shared here is written out.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Sampler;

    pub(super) fn serialize<S: Serializer>(of: &Arc<Sampler>, to: S) -> Result<S::Ok, S::Error> {
        Sampler::serialize(of, to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Arc<Sampler>, D::Error> {
        Sampler::deserialize(from).map(Arc::new)
    }
}

impl Wanted {
    /// The end of the runs (s), if it is not that of the model.
    fn until(&self) -> Option<f64> {
        match self {
            Wanted::Metrics(_) => None,
            Wanted::Samples { until, .. } => Some(*until),
        }
    }
}

/// One run that a search requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Question {
    /// The law, if the search sets it.
    pub(crate) law: Option<String>,
    /// The values of the keys, from 0 to 1 between their bounds.
    pub(crate) place: Vec<f64>,
    /// The shift (s) of the data.
    pub(crate) shift: f64,
    /// Which of several starts that are slightly apart, from 1.
    pub(crate) start: Option<usize>,
}

/// A run that was made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trial {
    /// The requested values; `None` if the run failed. NaN for a metric without a value.
    pub(crate) values: Option<Vec<f64>>,
    pub(crate) outcome: Ending,
    pub(crate) message: Option<String>,
}

impl Trial {
    fn failed(message: &str) -> Self {
        let message = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        Trial { values: None, outcome: Ending::Failed, message: Some(message) }
    }
}

/// A trial as the journal has it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    point: String,
    outcome: Ending,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// Doubles, little end first, in base 64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<String>,
}

impl Kept {
    fn of(point: &str, trial: &Trial) -> Self {
        let bytes = |values: &Vec<f64>| -> Vec<u8> {
            values.iter().flat_map(|value| value.to_le_bytes()).collect()
        };
        Kept {
            point: point.to_owned(),
            outcome: trial.outcome,
            message: trial.message.clone(),
            values: trial.values.as_ref().map(|values| STANDARD.encode(bytes(values))),
        }
    }

    fn trial(self) -> Arc<Trial> {
        let numbers = |text: &String| -> Option<Vec<f64>> {
            let bytes = STANDARD.decode(text).ok()?;
            Some(
                bytes
                    .chunks_exact(8)
                    .map(|of| f64::from_le_bytes(of.try_into().unwrap_or_default()))
                    .collect(),
            )
        };
        let values = self.values.as_ref().and_then(numbers);
        Arc::new(Trial { values, outcome: self.outcome, message: self.message })
    }
}

/// The reason why a search cannot continue.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It was interrupted.
    Interrupted,
    /// Its budget of runs is spent.
    Budget,
    /// The journal cannot be written.
    Journal(JournalError),
    /// The crew that makes the runs cannot continue.
    Crew(String),
}

impl Stop {
    /// Whether the search has found all that it could.
    ///
    /// # Errors
    /// If what it finds cannot be kept, or nobody makes its runs.
    pub(crate) fn completeness(self) -> Result<bool, StudyError> {
        match self {
            Stop::Budget => Ok(true),
            Stop::Interrupted => Ok(false),
            Stop::Journal(error) => Err(error.into()),
            Stop::Crew(why) => Err(StudyError::Crew(why)),
        }
    }
}

/// What every search leaves.
pub(crate) struct Searched {
    /// One row for each run.
    pub(crate) table: Frame,
    /// What was asked for, one for each row of the table.
    pub(crate) questions: Vec<Question>,
    /// How many of the runs failed.
    pub(crate) failed: usize,
    /// The tables that the models of the runs read.
    pub(crate) tables: BTreeMap<String, String>,
    pub(crate) complete: bool,
}

/// A run of a search, as its table shows it.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) question: Question,
    ending: Ending,
    message: Option<String>,
    /// The metrics, if these were requested; `None` if the run failed.
    pub(crate) metrics: Option<Vec<f64>>,
    /// The root of the mean square of what it leaves of the data (SI); NaN where there is none.
    pub(crate) rmse: f64,
}

impl Made {
    /// How it ended, for a table.
    pub(crate) fn outcome(&self) -> String {
        match &self.message {
            Some(why) => format!("failed: {why}"),
            None => self.ending.name().to_owned(),
        }
    }
}

/// The runs of a search.
pub(crate) struct Trials<'s> {
    case: Case,
    pub(crate) bounds: Vec<Bounded>,
    common: Digest,
    shelf: Mutex<Shelf>,
    asked: HashSet<String>,
    /// Every requested run, once, in the order of the requests.
    pub(crate) rows: Vec<Made>,
    /// The tables that the models of the runs read.
    pub(crate) tables: BTreeMap<String, String>,
    sweep: &'s Sweep<'s>,
    cancelled: &'s Cancellation,
    /// The maximum number of runs.
    all: usize,
    /// The maximum number of runs for now: others may be kept for later.
    pub(crate) budget: usize,
    /// Whether more runs were requested than that.
    pub(crate) spent: bool,
    failed: usize,
}

impl<'s> Trials<'s> {
    pub(crate) fn new(
        (case, bounds): (&Case, &[Bounded]),
        known: (Journal, Vec<(Known, u64)>),
        (sweep, cancelled): (&'s Sweep<'s>, &'s Cancellation),
        budget: usize,
    ) -> Self {
        let text = case.written();
        let content = text.and_then(|text| canonical_with_cases(&text));
        let content = content.unwrap_or_else(|_| {
            [&[case.text().to_owned()], &case.changes().flags()[..]].concat().join("\n")
        });
        Trials {
            case: case.clone(),
            bounds: bounds.to_vec(),
            common: Digest::of(
                [Digest::of_engine().as_str(), &content]
                    .into_iter()
                    .chain(case.own().map(OwnMetrics::identity)),
            ),
            shelf: Mutex::new(Shelf::new(known)),
            asked: HashSet::new(),
            rows: Vec::new(),
            tables: BTreeMap::new(),
            sweep,
            cancelled,
            all: budget,
            budget,
            spent: false,
            failed: 0,
        }
    }

    /// The model of a question.
    pub(crate) fn case_of(&self, question: &Question, until: Option<f64>) -> Case {
        case_of(&self.case, &self.bounds, question, until)
    }

    /// The answers to questions, in their order.
    pub(crate) fn ask(
        &mut self,
        questions: &[Question],
        wanted: &Wanted,
    ) -> Result<Vec<Arc<Trial>>, Stop> {
        let until = wanted.until();
        let loaded: Vec<(Result<Loaded, Diagnostics>, String)> = questions
            .par_iter()
            .map(|question| {
                let loaded = self.case_of(question, until).load_unidentified();
                let key = self.key(question, wanted, &loaded);
                (loaded, key)
            })
            .collect();
        let mut seen: HashSet<&str> = HashSet::new();
        let new: Vec<usize> = {
            let shelf = self.shelf();
            let is_new = |&i: &usize| !shelf.has(&loaded[i].1) && seen.insert(&loaded[i].1);
            (0..questions.len()).filter(is_new).collect()
        };
        let more = loaded.iter().filter(|(_, key)| !self.asked.contains(key));
        let more = more.map(|(_, key)| key).collect::<HashSet<_>>().len();
        if self.asked.len() + more > self.budget {
            self.spent = true;
            return Err(Stop::Budget);
        }
        let broken = Mutex::new(None);
        let keep = |i: usize, trial: Trial, lasts: bool| {
            let key = &loaded[i].1;
            let mut shelf = self.shelf();
            let place = if lasts { shelf.write(key, &trial) } else { Ok(None) };
            match place {
                Ok(place) => shelf.add(key, Arc::new(trial), place),
                Err(error) => {
                    *broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    self.cancelled.cancel();
                }
            }
        };
        match self.sweep.crew() {
            Some(crew) => {
                let asked: Vec<&Question> = new.iter().map(|&i| &questions[i]).collect();
                let keep = |place: usize, trial, lasts| keep(new[place], trial, lasts);
                self.by_crew(crew, &asked, wanted, keep)?;
            }
            None => new.par_iter().with_max_len(1).for_each(|&i| {
                if self.cancelled.is_cancelled() {
                    return;
                }
                if let Some(trial) = make(&questions[i], wanted, &loaded[i].0, self.cancelled) {
                    keep(i, trial, true);
                }
            }),
        }
        if let Some(error) = broken.into_inner().ok().flatten() {
            return Err(Stop::Journal(error));
        }
        let data = match wanted {
            Wanted::Metrics(_) => Vec::new(),
            Wanted::Samples { sampler, .. } => sampler.data(),
        };
        let rmse = |trial: &Trial| {
            let values = trial.values.as_ref().filter(|values| values.len() == data.len());
            values.map_or(f64::NAN, |values| {
                let square: f64 = values.iter().zip(&data).map(|(m, d)| (m - d) * (m - d)).sum();
                (square / data.len() as f64).sqrt()
            })
        };
        let mut answers = Vec::with_capacity(questions.len());
        for (question, (loaded, key)) in questions.iter().zip(&loaded) {
            let known = self.shelf().get(key).map_err(Stop::Journal)?;
            let Some(trial) = known else { return Err(Stop::Interrupted) };
            if self.asked.insert(key.clone()) {
                self.failed += usize::from(trial.values.is_none());
                let metrics = match wanted {
                    Wanted::Metrics(_) => trial.values.clone(),
                    Wanted::Samples { .. } => None,
                };
                self.rows.push(Made {
                    question: question.clone(),
                    ending: trial.outcome,
                    message: trial.message.clone(),
                    metrics,
                    rmse: rmse(&trial),
                });
                self.sweep.tell(self.asked.len() - 1, self.all, self.failed);
                if let Ok(loaded) = loaded {
                    for (name, text) in loaded.tables() {
                        if !self.tables.contains_key(name) {
                            self.tables.insert(name.to_owned(), text.to_owned());
                        }
                    }
                }
            }
            answers.push(trial);
        }
        Ok(answers)
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many more runs there may be.
    pub(crate) fn left(&self) -> usize {
        self.budget.saturating_sub(self.asked.len())
    }

    /// Whether a run that is not one of the requests may continue.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        self.cancelled.flow()
    }

    /// What is left when the search has ended.
    pub(crate) fn close(self, table: Frame, complete: bool) -> Searched {
        let questions = self.rows.into_iter().map(|row| row.question).collect();
        Searched { table, questions, failed: self.failed, tables: self.tables, complete }
    }

    /// What a run is identified by: everything that its result depends on.
    fn key(
        &self,
        question: &Question,
        wanted: &Wanted,
        loaded: &Result<Loaded, Diagnostics>,
    ) -> String {
        let mut texts = vec![self.common.as_str().to_owned()];
        texts.extend(question.law.clone());
        for (bounded, x) in self.bounds.iter().zip(&question.place) {
            let Level { text, .. } = bounded.level(*x);
            texts.extend([bounded.key.clone(), text]);
        }
        texts.push(question.shift.to_bits().to_string());
        texts.push(question.start.unwrap_or(0).to_string());
        match wanted {
            Wanted::Metrics(metrics) => texts.extend(metrics.iter().cloned()),
            Wanted::Samples { digest, until, .. } => {
                texts.extend([digest.as_str().to_owned(), until.to_bits().to_string()]);
            }
        }
        match loaded {
            Ok(loaded) => {
                for (name, table) in loaded.tables() {
                    texts.extend([name.to_owned(), table.to_owned()]);
                }
            }
            Err(wrong) => texts.extend(["wrong".to_owned(), first_problem(wrong)]),
        }
        let digest = Digest::of(texts.iter().map(String::as_str));
        digest.as_str().get(..32).unwrap_or_default().to_owned()
    }

    /// Lets a crew make the requested runs; each result is kept with the place of its request. One that the crew has lost does not last: the
    /// next attempt may succeed.
    fn by_crew(
        &self,
        crew: &dyn Crew,
        questions: &[&Question],
        wanted: &Wanted,
        keep: impl Fn(usize, Trial, bool) + Sync,
    ) -> Result<(), Stop> {
        let mut wrong = None;
        let mut take = |number: usize, answer: Answer| {
            let trial = match answer {
                Answer::Lost(why) => return keep(number, Trial::failed(&why), false),
                Answer::Rows(lines) => crew::rows::<Kept>(&lines, 1)
                    .map(|mut kept| Arc::unwrap_or_clone(kept.remove(0).trial())),
            };
            match trial {
                Ok(trial) => keep(number, trial, true),
                Err(why) => {
                    wrong = Some(why);
                    self.cancelled.cancel();
                }
            }
        };
        let mut errands = questions.iter().map(crew::line);
        let worked = crew.work(&crew::line(wanted), &mut errands, &mut take, self.cancelled);
        worked.err().or(wrong).map_or(Ok(()), |why| Err(Stop::Crew(why)))
    }
}

/// The answers to questions of a crew; `None` if they were interrupted.
///
/// # Errors
/// If a line is not a question of this search.
pub(crate) fn answer(
    (case, bounds): (&Case, &[Bounded]),
    context: &str,
    errands: &[String],
    stop: &Cancellation,
) -> Result<Option<Vec<Vec<String>>>, String> {
    let wanted: Wanted = crew::read(context)?;
    let mut answers = Vec::with_capacity(errands.len());
    for errand in errands {
        let question: Question = crew::read(errand)?;
        let loaded = case_of(case, bounds, &question, wanted.until()).load_unidentified();
        let Some(trial) = make(&question, &wanted, &loaded, stop) else { return Ok(None) };
        answers.push(vec![crew::line(&Kept::of("", &trial))]);
    }
    Ok(Some(answers))
}
