//! A machine that is looked at once in each period of its drive.

use std::f64::consts::{PI, TAU};
use std::ops::ControlFlow;

use jointplay_expression::units::{Dimension, parse};
use jointplay_mbd::{Sampling, Simulation, Solution, State};
use jointplay_model::Channel;
use jointplay_model::shape::Misuse;

use super::Diagram;
use super::events::Events;
use super::waves::{Waves, samples};
use crate::case::Loaded;
use crate::sweep::Cancellation;

/// Why a motion cannot be followed.
pub(super) enum Trouble {
    /// The user stopped it.
    Stopped,
    /// A run failed.
    Failed(String),
}

/// What is seen in a period.
pub(super) struct Look {
    /// The state at its end.
    pub(super) state: State,
    /// The channels there.
    pub(super) channels: Vec<f64>,
    /// Contacts that began in it.
    pub(super) begun: Vec<String>,
    /// The channels at each event of the section.
    pub(super) events: Vec<Vec<f64>>,
}

/// A model with the period of its drive and the channels that are looked at.
pub(super) struct Strobe {
    plan: Simulation,
    channels: Vec<Channel>,
    /// Of each channel: whether it is an angle, which is the same after a turn.
    pub(super) angles: Vec<bool>,
    /// Where the section is looked at, if not once in each period.
    pub(super) events: Option<Events>,
    /// Up to which multiple of the frequency of the drive spectra are wanted.
    pub(super) orders: Option<usize>,
    /// The period (s).
    pub(super) period: f64,
    /// A length beside which neighbours are close: the extent of the mechanism, or some clearances (m).
    pub(super) length: f64,
}

impl Strobe {
    /// Finds period and channels, or everything that is wrong with them.
    pub(super) fn new(
        loaded: &Loaded,
        Diagram { observe, period, section, orders, .. }: &Diagram,
    ) -> Result<Self, Vec<Misuse>> {
        let (mut channels, mut wrong) = (Vec::new(), Vec::new());
        for (i, name) in observe.iter().enumerate() {
            match loaded.model.channel(name) {
                Ok(channel) => channels.push(channel),
                Err(unknown) => {
                    let at = ["observe".to_owned(), i.to_string()];
                    wrong.push(Misuse::new(at, unknown.to_string()));
                }
            }
        }
        let events = section.as_deref().map(|text| Events::read(text, loaded)).transpose();
        let events = events.map_err(|why| wrong.push(Misuse::new(["section"], why)));
        let events = events.unwrap_or_default();
        let time = parse(period, Dimension::Time).ok().filter(|t| *t > 0.0 && t.is_finite());
        let period = match time {
            Some(time) => time,
            None => loaded.model.period_of(period).unwrap_or_else(|(message, hint)| {
                let message = format!("--period {period}: {message}");
                wrong.push(Misuse::new(["period"], message).with_hint(hint));
                1.0
            }),
        };
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let plan = loaded.model.run.simulation(&loaded.model.mechanism);
        let angles = channels.iter().map(|channel| channel.unit() == "rad").collect();
        let clearances = loaded.model.gaps().iter().map(|(_, gap)| gap.clearance);
        let clearance = clearances.filter(|c| *c > 0.0).fold(f64::INFINITY, f64::min);
        let length = loaded.model.mechanism.size().min(30.0 * clearance);
        let plan = plan.sampled(Sampling::EventsOnly);
        Ok(Strobe { plan, channels, angles, events, orders: *orders, period, length })
    }

    /// The state in which the model starts.
    pub(super) fn start(&self) -> Result<State, Trouble> {
        let failed = |error: jointplay_mbd::Error| Trouble::Failed(error.to_string());
        let run = self.plan.clone().from(0.0).until(1e-6 * self.period).run().map_err(failed)?;
        let first = run.snapshot(0).map_err(failed)?;
        Ok(first.state())
    }

    /// Moves on from a state to the end of period `k`, counted from 0, and looks.
    pub(super) fn advance(
        &self,
        start: &State,
        k: usize,
        stop: &Cancellation,
    ) -> Result<Look, Trouble> {
        let run = self.run_to(start, self.end_of(k), stop)?;
        self.seen(&run, Vec::new())
    }

    /// The same, and looks at the events and waves in between, if they are wanted.
    pub(super) fn watch(
        &self,
        start: &State,
        k: usize,
        waves: &mut Waves,
        stop: &Cancellation,
    ) -> Result<Look, Trouble> {
        if self.events.is_none() && self.orders.is_none() {
            return self.advance(start, k, stop);
        }
        let interval = self.period / samples(self.orders.unwrap_or(0));
        let plan = self.plan.clone().sampled(Sampling::Impacts(interval));
        let run = run(plan, start, self.end_of(k), stop)?;
        if self.orders.is_some() {
            for i in 0..run.len() {
                waves.add(run.trajectory.times()[i], &self.look(&run, i)?);
            }
        }
        let events = self.events.as_ref().map(|events| events.of(self, &run, stop));
        self.seen(&run, events.transpose()?.unwrap_or_default())
    }

    fn end_of(&self, k: usize) -> f64 {
        self.period * (k + 1) as f64
    }

    /// Runs from a state to a time (s).
    pub(super) fn run_to(
        &self,
        start: &State,
        t: f64,
        stop: &Cancellation,
    ) -> Result<Solution, Trouble> {
        run(self.plan.clone(), start, t, stop)
    }

    /// The channels at an instant of a run.
    pub(super) fn look(&self, run: &Solution, instant: usize) -> Result<Vec<f64>, Trouble> {
        let at = run.snapshot(instant).map_err(|error| Trouble::Failed(error.to_string()))?;
        let channels = self.channels.iter().zip(&self.angles).map(|(channel, is_angle)| {
            let value = channel.eval(&at);
            if *is_angle { about_zero(value) } else { value }
        });
        Ok(channels.collect())
    }

    fn seen(&self, run: &Solution, events: Vec<Vec<f64>>) -> Result<Look, Trouble> {
        let last = run.end().map_err(|error| Trouble::Failed(error.to_string()))?;
        let name = |contact| run.mechanism().contact_name(contact).to_owned();
        let begun = run.impacts().map(|(_, contact, _)| name(contact)).collect();
        let channels = self.look(run, run.len() - 1)?;
        Ok(Look { state: last.state(), channels, begun, events })
    }
}

/// Runs from a state to a time (s).
fn run(
    plan: Simulation,
    start: &State,
    end: f64,
    stop: &Cancellation,
) -> Result<Solution, Trouble> {
    let run = plan.start_from(start).until(end).run_watched(|_| {
        if stop.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let run = run.map_err(|error| Trouble::Failed(error.to_string()))?;
    if stop.is_cancelled() && !run.outcome.reached_end() {
        return Err(Trouble::Stopped);
    }
    if !run.outcome.reached_end() {
        return Err(Trouble::Failed(run.outcome.to_string()));
    }
    Ok(run)
}

/// An angle between −π and π.
pub(super) fn about_zero(angle: f64) -> f64 {
    angle - TAU * ((angle + PI) / TAU).floor()
}
