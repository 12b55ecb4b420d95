//! Bifurcation diagrams: the steady motions of a driven machine over a key of its model.
//!
//! A machine is observed once in each period of its drive, at t = k T (a stroboscopic Poincaré
//! section). After a transient the points of the section show the kind of motion: one point for a
//! motion of the period of the drive, n points for n periods, a curve for a quasi-periodic motion,
//! a cloud for chaos. Each value of the key starts where the one before ended, with the memory of
//! the contacts, so that a motion is followed as long as it is stable, and the way up and the way
//! down may differ.

mod classify;
mod errand;
mod events;
mod follow;
mod measured;
mod neighbours;
mod strobe;
mod tables;
mod waves;
mod zero_one;

use std::collections::HashMap;
use std::sync::Mutex;

use jointplay_mbd::State;
use jointplay_model::shape::Misuse;
use serde::{Deserialize, Serialize};

pub use classify::{Class, Verdict};
pub(crate) use tables::COLUMNS;

use crate::case::{Case, Digest, Loaded};
use crate::continuation::drives_repeat;
use crate::journal::{Journal, JournalError, Keyed};
use crate::study::StudyError;
use crate::survey::{FIRST, Shard, first_problem, has_unknown_key, looked_at, model_warnings};
use crate::sweep::{Cancellation, Sweep};
use crate::vary::{Level, Values, Vary};
use crate::warned::{Warned, each_kind_once};
use follow::Seen;
use strobe::{Strobe, Trouble};

/// What a bifurcation diagram shows.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The model with the changes that all points share.
    pub case: Case,
    /// The key with its values, in the order of the first way.
    pub vary: Vary,
    /// The observed channels.
    pub observe: Vec<String>,
    /// The metrics, measured over the periods of the section.
    pub metrics: Vec<String>,
    /// The driver or load that sets the period, or a time such as `0.3 s`.
    pub period: String,
    /// Periods before the section.
    pub transient: usize,
    /// Periods of the section.
    pub periods: usize,
    /// Whether to go through the values in reverse order, too.
    pub both_ways: bool,
    /// Whether every value starts as the model says, not where the previous one ended.
    pub restart: bool,
    /// The events at which the section is taken, instead of once in each period: `impact:JOINT`,
    /// `up:CHANNEL=LEVEL`, `down:…` or `both:…`.
    pub section: Option<String>,
    /// Up to which multiple of the frequency of the drive spectra are made.
    pub orders: Option<usize>,
}

/// On which way a point was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// With rising values.
    Up,
    /// With falling values.
    Down,
}

impl Way {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Way::Up => "up",
            Way::Down => "down",
        }
    }
}

/// The motion at one value of the key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// What it is the result of.
    key: Digest,
    /// On which way it was reached.
    pub way: Way,
    /// The number of the value, from 0.
    pub index: usize,
    /// The state in which it started; `None` is the start that the model gives.
    pub start: Option<State>,
    /// The state in which it ended, from which the next one starts.
    end: Option<State>,
    /// The channels once in each period.
    pub section: Vec<Vec<f64>>,
    /// The channels at each event, if the section is taken at events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Vec<f64>>,
    /// The amplitudes of the channels, line by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spectra: Vec<Vec<f64>>,
    /// The metrics over the section; `None` where one has no value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Option<f64>>,
    /// What the motion is.
    pub verdict: Verdict,
    /// What its runs warn of.
    #[serde(default, skip_serializing_if = "Warned::is_empty")]
    pub warnings: Warned,
}

impl Point {
    /// A value without a motion.
    fn failed(
        key: Digest,
        (way, index): (Way, usize),
        why: impl std::fmt::Display,
        start: Option<State>,
    ) -> Self {
        Point {
            key,
            way,
            index,
            // The next value starts where this one should have.
            end: start.clone(),
            start,
            section: Vec::new(),
            events: Vec::new(),
            spectra: Vec::new(),
            metrics: Vec::new(),
            verdict: Verdict::undecided(format!("failed: {why}")),
            warnings: Warned::default(),
        }
    }
}

impl Keyed for Point {
    type Key = Digest;

    fn key(&self) -> Digest {
        self.key.clone()
    }
}

impl Diagram {
    fn levels(&self) -> &[Level] {
        match &self.vary.values {
            Values::Levels(levels) => levels,
            Values::Spread(_) => &[],
        }
    }

    /// The number of values.
    pub(crate) fn values(&self) -> usize {
        self.levels().len()
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.levels().len() * self.ways().len()
    }

    /// The ways, in their order: the first one goes through the values as they were given.
    fn ways(&self) -> &'static [Way] {
        match (self.first_way(), self.both_ways) {
            (Way::Up, false) => &[Way::Up],
            (Way::Up, true) => &[Way::Up, Way::Down],
            (Way::Down, false) => &[Way::Down],
            (Way::Down, true) => &[Way::Down, Way::Up],
        }
    }

    /// Down if the values fall. Words, a single value and values in no order are passed on the way up.
    fn first_way(&self) -> Way {
        let levels = self.levels();
        let falls = |pair: &[Level]| pair[0].number.zip(pair[1].number).is_some_and(|(a, b)| a > b);
        if levels.len() > 1 && levels.windows(2).all(falls) { Way::Down } else { Way::Up }
    }

    pub(crate) fn case_at(&self, index: usize) -> Case {
        self.case_with(&self.levels()[index..=index])
    }

    /// The model with this value of the key.
    pub(crate) fn case_with(&self, level: &[Level]) -> Case {
        let changes = level
            .iter()
            .fold(self.case.changes().clone(), |changes, level| self.vary.set(changes, level));
        self.case.clone().changed(changes)
    }

    /// Reads the first value, its channels and its period: its problems are those of the diagram.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn check(&self) -> Result<Loaded, StudyError> {
        // A value that cannot be run is a point with the reason; if none can be run, the first
        // reason is an error.
        let mut first = None;
        for index in looked_at(self.levels().len()) {
            let strobed = self.case_at(index).load().map_err(StudyError::from).and_then(|loaded| {
                self.strobe(&loaded).map(|_| loaded).map_err(StudyError::Request)
            });
            match strobed {
                Ok(loaded) => return Ok(loaded),
                Err(wrong) => first = first.or(Some(wrong)),
            }
            let unknown = match &first {
                Some(StudyError::Model(wrong)) => has_unknown_key(wrong),
                _ => false,
            };
            if unknown && index + 1 >= FIRST {
                break;
            }
        }
        Err(first.unwrap_or_else(|| {
            StudyError::Request(vec![Misuse::new(["vary"], "there is no value to observe")])
        }))
    }

    /// What is wrong with channels, period and section in a model, whatever its values.
    pub(crate) fn unseen(&self, loaded: &Loaded) -> Vec<Misuse> {
        Strobe::new(loaded, self).err().unwrap_or_default()
    }

    /// A model ready to be observed, or all its problems.
    fn strobe(&self, loaded: &Loaded) -> Result<Strobe, Vec<Misuse>> {
        let strobe = Strobe::new(loaded, self)?;
        if self.is_chain() {
            let repeated = drives_repeat(&loaded.model.mechanism, self.followed(&strobe));
            let hint = Some("or let every value --restart");
            repeated.map_err(|wrong| vec![Misuse::new(["period"], wrong).with_hint(hint)])?;
        }
        Ok(strobe)
    }

    /// The time over which a motion is followed (s).
    fn followed(&self, strobe: &Strobe) -> f64 {
        strobe.period * (self.transient + self.periods) as f64
    }

    /// The same, of a model.
    pub(crate) fn duration(&self, loaded: &Loaded) -> Result<f64, Vec<Misuse>> {
        self.strobe(loaded).map(|strobe| self.followed(&strobe))
    }

    /// How many times as long as a run of the model a point takes: a motion over the transient, and then with two neighbours, and once
    /// more for metrics.
    pub(crate) fn effort(&self, first: &Loaded) -> f64 {
        let Ok(strobe) = Strobe::new(first, self) else { return 1.0 };
        let passes = if self.metrics.is_empty() { 3 } else { 4 };
        let periods = (self.transient + passes * self.periods) as f64;
        periods * strobe.period / first.model.run.until
    }

    /// Whether values follow each other, so that more cores help little.
    pub(crate) fn is_chain(&self) -> bool {
        !self.restart
    }

    /// The identity of each value: the digest of its run, or its problem.
    fn digests(&self) -> Vec<Digest> {
        let of = |index: usize| {
            self.case_at(index).load().map_or_else(
                |wrong| Digest::of(["wrong", &self.levels()[index].text, &wrong.to_string()]),
                |loaded| loaded.digest().clone(),
            )
        };
        (0..self.levels().len()).map(of).collect()
    }

    /// The identity of each point, in the order of the directions: the settings of the diagram, and
    /// all values up to it.
    fn keys(&self) -> Vec<((Way, usize), Digest)> {
        let values = self.digests();
        let settings =
            format!("{} {} {} {}", self.period, self.transient, self.periods, self.restart);
        let orders = self.orders.map(|orders| format!("orders {orders}"));
        let looks = [self.section.as_deref(), orders.as_deref()].into_iter().flatten();
        let texts = [self.vary.key.as_str(), &settings].into_iter().chain(looks);
        let texts = texts.chain(self.observe.iter().map(String::as_str));
        let asked = Digest::of(texts.chain(self.identity_of_metrics()));
        // Each digest includes all values before it.
        let mut way_here = asked.clone();
        let key = |(way, index): (Way, usize)| {
            let own = values[index].as_str();
            if self.restart {
                // Both ways have the same points.
                return ((way, index), Digest::of([asked.as_str(), own]));
            }
            way_here = Digest::of([way_here.as_str(), way.name(), own]);
            ((way, index), way_here.clone())
        };
        self.order().map(key).collect()
    }

    /// The points in the order in which they are reached.
    fn order(&self) -> impl Iterator<Item = (Way, usize)> + use<> {
        let count = self.levels().len();
        self.ways().iter().zip([false, true]).flat_map(move |(&way, back)| {
            (0..count).map(move |i| (way, if back { count - 1 - i } else { i }))
        })
    }

    /// Runs the points that the journal does not have, and returns all points in the order of their
    /// directions; those not reached before the sweep was cancelled are missing.
    ///
    /// # Errors
    /// [`StudyError`]. A value whose run fails is a point with the reason.
    pub(crate) fn run(
        &self,
        (journal, known): (Journal, Vec<Point>),
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<Vec<Point>, StudyError> {
        let keys = self.keys();
        let book = Book::new((journal, known));
        let points = if let Some(crew) = sweep.crew() {
            self.by_crew(crew, &keys, &book, sweep)?
        } else if self.restart {
            // Every value by itself. Points of another shard may already be in the journal.
            let first: Vec<&((Way, usize), Digest)> = keys.iter().take(self.values()).collect();
            let done = sweep.run(&first, |(place, key), stop| {
                let of_another = shard.is_some_and(|shard| !shard.has(place.1));
                let stop = if of_another { &Cancellation::made() } else { stop };
                self.point(*place, key, None, &book, stop)
            });
            self.and_back(done.into_iter().flatten().flatten().collect())
        } else {
            // The second way begins where the first one ends: one after the other.
            let chain = |stop: &Cancellation| -> Vec<Point> {
                let mut points: Vec<Point> = Vec::new();
                let (mut state, mut failed) = (None, 0);
                for (place, key) in &keys {
                    let Some(point) = self.point(*place, key, state.take(), &book, stop) else {
                        break;
                    };
                    state.clone_from(&point.end);
                    failed += usize::from(point.section.is_empty());
                    points.push(point);
                    sweep.tell(points.len() - 1, self.points(), failed);
                }
                points
            };
            sweep.run_alone(chain)
        };
        match book.journal.into_inner() {
            Ok((_, Some(error))) => Err(error.into()),
            _ => Ok(points),
        }
    }

    /// With every value by itself the second way has the points of the first one.
    fn and_back(&self, there: Vec<Point>) -> Vec<Point> {
        let back: Vec<Point> =
            if self.both_ways { there.iter().rev().cloned().collect() } else { Vec::new() };
        let ways = self.ways().iter().zip([there, back]);
        ways.flat_map(|(&way, points)| points.into_iter().map(move |point| Point { way, ..point }))
            .collect()
    }

    /// The points that the journal has, in the order of their ways.
    pub(crate) fn known(&self, (_, known): (Journal, Vec<Point>)) -> Vec<Point> {
        let known: HashMap<Digest, Point> =
            known.into_iter().map(|point| (point.key.clone(), point)).collect();
        let keys = self.keys().into_iter();
        keys.filter_map(|((way, _), key)| Some(Point { way, ..known.get(&key)?.clone() })).collect()
    }

    pub(crate) fn base(&self) -> Digest {
        let case = self.case.load();
        case.map_or_else(|_| Digest::of([self.case.text()]), |loaded| loaded.digest().clone())
    }

    /// One point, from the journal or by running it; `None` if it was interrupted.
    fn point(
        &self,
        (way, index): (Way, usize),
        key: &Digest,
        start: Option<State>,
        book: &Book,
        stop: &Cancellation,
    ) -> Option<Point> {
        if let Some(known) = book.known.get(key) {
            return Some(known.clone());
        }
        if stop.is_cancelled() {
            return None;
        }
        let failed = |why: String, start| Point::failed(key.clone(), (way, index), why, start);
        let point = match self.case_at(index).load() {
            Err(wrong) => failed(first_problem(&wrong), start),
            Ok(loaded) => match self.strobe(&loaded) {
                Err(problems) => {
                    let problems: Vec<String> = problems.iter().map(Misuse::to_string).collect();
                    failed(problems.join("; "), start)
                }
                Ok(strobe) => {
                    let seen = follow::follow(
                        &strobe,
                        start.clone(),
                        (self.transient, self.periods),
                        stop,
                    );
                    match seen.and_then(|seen| self.with_metrics(index, &strobe, seen, stop)) {
                        Err(Trouble::Stopped) => return None,
                        Err(Trouble::Failed(why)) => failed(why, start),
                        Ok((seen, metrics)) => Point {
                            key: key.clone(),
                            way,
                            index,
                            start,
                            verdict: classify::classify(&seen, &strobe, self.periods),
                            warnings: Warned::of([model_warnings(&loaded), seen.warnings].concat()),
                            end: Some(seen.end),
                            section: seen.section,
                            events: seen.events,
                            spectra: seen.spectra,
                            metrics,
                        },
                    }
                }
            },
        };
        book.write(&point, stop);
        Some(point)
    }

    /// A motion with its metrics, if there are any. If they cannot be measured, their cells stay empty and a warning gives the reason.
    fn with_metrics(
        &self,
        index: usize,
        strobe: &Strobe,
        mut seen: Seen,
        stop: &Cancellation,
    ) -> Result<(Seen, Vec<Option<f64>>), Trouble> {
        if self.metrics.is_empty() {
            return Ok((seen, Vec::new()));
        }
        match self.measure(index, strobe, &seen.begin, stop) {
            Ok(measured) => {
                seen.warnings.extend(measured.warnings);
                seen.warnings = each_kind_once(seen.warnings);
                Ok((seen, measured.values))
            }
            Err(Trouble::Failed(why)) => {
                seen.warnings.push(format!("the metrics could not be measured: {why}"));
                Ok((seen, vec![None; self.metrics.len()]))
            }
            Err(Trouble::Stopped) => Err(Trouble::Stopped),
        }
    }
}

/// A higher order cannot be meant.
pub(crate) const MOST_ORDERS: usize = 60;

/// Where points are kept.
struct Book {
    /// The journal, and what went wrong with it.
    journal: Mutex<(Journal, Option<JournalError>)>,
    known: HashMap<Digest, Point>,
}

impl Book {
    fn new((journal, known): (Journal, Vec<Point>)) -> Self {
        let known = known.into_iter().map(|point| (point.key.clone(), point)).collect();
        Book { journal: Mutex::new((journal, None)), known }
    }

    /// Keeps a point. If that is not possible, nothing that follows could be kept either: all is stopped.
    fn write(&self, point: &Point, stop: &Cancellation) {
        if let Ok(mut journal) = self.journal.lock()
            && let Err(error) = journal.0.append(point)
        {
            journal.1 = Some(error);
            stop.cancel();
        }
    }
}
