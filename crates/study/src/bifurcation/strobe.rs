//! A machine that is observed once in each period of its drive.

use std::f64::consts::{PI, TAU};
use std::ops::ControlFlow;

use jointplay_expression::units::{Dimension, parse};
use jointplay_mbd::{Sampling, Simulation, Solution, State};
use jointplay_model::Channel;
use jointplay_model::shape::Misuse;

use super::Diagram;
use super::events::Events;
use super::waves::samples;
use crate::case::{Loaded, joint_contacts};
use crate::contacts::JointContacts;
use crate::continuation::moved;
use crate::record::record;
use crate::summary::Summary;
use crate::sweep::Cancellation;
use crate::warning::RunWarning;

/// Why a motion cannot be followed.
pub(super) enum Trouble {
    /// The user stopped it.
    Stopped,
    /// A run failed.
    Failed(String),
}

/// What is seen from one instant to another.
pub(super) struct Look {
    /// The state at its end.
    pub(super) state: State,
    /// The channels there.
    pub(super) channels: Vec<f64>,
    /// Contacts that began in it.
    pub(super) begun: Vec<String>,
    /// The channels at each event of the section.
    pub(super) events: Vec<Vec<f64>>,
    /// When contacts begin and end, and whatever else changes at once (s).
    pub(super) jumps: Vec<f64>,
    /// The states at its start, at these instants and at its end.
    pub(super) states: Vec<State>,
    /// The channels at many instants, where spectra are wanted.
    pub(super) waves: Vec<(f64, Vec<f64>)>,
    /// What the run warns of.
    pub(super) warnings: Vec<String>,
}

/// A model with the period of its drive and the observed channels.
pub(super) struct Strobe {
    plan: Simulation,
    joints: Vec<JointContacts>,
    channels: Vec<Channel>,
    /// Of each channel: whether it is an angle, which is the same after a turn.
    pub(super) angles: Vec<bool>,
    /// The events at which the section is taken, if not once in each period.
    pub(super) events: Option<Events>,
    /// Up to which multiple of the frequency of the drive spectra are wanted.
    pub(super) orders: Option<usize>,
    /// The period (s).
    pub(super) period: f64,
    /// Whether there are joints with clearance.
    pub(super) has_clearance: bool,
    /// The length scale for the distance of neighbours: the extent of the mechanism, or some
    /// clearances (m).
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
        Ok(Strobe {
            plan,
            joints: joint_contacts(&loaded.model),
            channels,
            angles,
            events,
            orders: *orders,
            period,
            has_clearance: loaded.model.has_clearance(),
            length,
        })
    }

    /// The state in which the model starts.
    pub(super) fn start(&self) -> Result<State, Trouble> {
        let run = self.plan.clone().from(0.0).until(1e-6 * self.period).run().map_err(failed)?;
        let first = run.snapshot(0).map_err(failed)?;
        Ok(first.state())
    }

    /// What to say if a motion cannot begin in this state as it is.
    pub(super) fn moves(&self, start: &State) -> Option<String> {
        let plan = self.plan.clone().start_from(start).until(start.t + 1e-6 * self.period);
        let first = plan.run().ok()?.state(0).ok()?;
        moved(start, &first, self.plan.mechanism().size())
    }

    /// What a motion from a state to a time (s) warns of, with the domains of its contact laws.
    pub(super) fn concerns(
        &self,
        start: &State,
        t: f64,
        stop: &Cancellation,
    ) -> Result<Vec<String>, Trouble> {
        let plan = self.plan.clone().start_from(start).until(t);
        let record = record(&plan, self.joints.clone(), |_| stop.flow()).map_err(failed)?;
        if stop.is_cancelled() {
            return Err(Trouble::Stopped);
        }
        Ok(Summary::of(&record).warnings)
    }

    /// Continues a motion from a state to a time (s), and returns the state there.
    pub(super) fn advance(
        &self,
        start: &State,
        t: f64,
        stop: &Cancellation,
    ) -> Result<State, Trouble> {
        let run = self.run_to(start, t, stop)?;
        Ok(run.end().map_err(failed)?.state())
    }

    /// Continues from a state to a time (s) and observes the motion there, and also at events and
    /// waves in between if they are requested and this is part of the section.
    pub(super) fn watch(
        &self,
        start: &State,
        t: f64,
        section: bool,
        stop: &Cancellation,
    ) -> Result<Look, Trouble> {
        if !section || (self.events.is_none() && self.orders.is_none()) {
            let run = self.run_to(start, t, stop)?;
            return self.seen(&run, Vec::new(), Vec::new());
        }
        let interval = self.period / samples(self.orders.unwrap_or(0));
        let plan = self.plan.clone().sampled(Sampling::Impacts(interval));
        let run = run(plan, start, t, stop)?;
        let instants = if self.orders.is_some() { run.len() } else { 0 };
        let waves = (0..instants).map(|i| Ok((run.trajectory.times()[i], self.look(&run, i)?)));
        let waves = waves.collect::<Result<_, Trouble>>()?;
        let events = self.events.as_ref().map(|events| events.of(self, &run, stop));
        self.seen(&run, events.transpose()?.unwrap_or_default(), waves)
    }

    /// The end of period `k`, counted from 0 (s).
    pub(super) fn end_of(&self, k: usize) -> f64 {
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
        let at = run.snapshot(instant).map_err(failed)?;
        let channels = self.channels.iter().zip(&self.angles).map(|(channel, is_angle)| {
            let value = channel.eval(&at);
            if *is_angle { about_zero(value) } else { value }
        });
        Ok(channels.collect())
    }

    fn seen(
        &self,
        run: &Solution,
        events: Vec<Vec<f64>>,
        waves: Vec<(f64, Vec<f64>)>,
    ) -> Result<Look, Trouble> {
        let name = |contact| run.mechanism().contact_name(contact).to_owned();
        let begun = run.impacts().map(|(_, contact, _)| name(contact)).collect();
        let last = run.len() - 1;
        let channels = self.look(run, last)?;
        // At an event two instants share one time.
        let times = run.trajectory.times();
        let twice: Vec<usize> = (1..=last).filter(|i| times[*i] == times[*i - 1]).collect();
        let jumps = twice.iter().map(|i| times[*i]).collect();
        let instants = [0].into_iter().chain(twice).chain([last]);
        let states = instants.map(|i| run.state(i).map_err(failed)).collect::<Result<_, _>>()?;
        let state = run.end().map_err(failed)?.state();
        let warnings = RunWarning::of(run).iter().map(ToString::to_string).collect();
        Ok(Look { state, channels, begun, events, jumps, states, waves, warnings })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn failed(error: jointplay_mbd::Error) -> Trouble {
    Trouble::Failed(error.to_string())
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
    let run = run.map_err(failed)?;
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
