//! A machine that is looked at once in each period of its drive.

use std::f64::consts::{PI, TAU};
use std::ops::ControlFlow;

use jointplay_expression::units::{Dimension, parse};
use jointplay_mbd::{Phase, Sampling, Simulation, State};
use jointplay_model::Channel;

use crate::case::Loaded;
use crate::sweep::Cancellation;

/// Why a motion cannot be followed.
pub(super) enum Trouble {
    /// The user stopped it.
    Stopped,
    /// A run failed.
    Failed(String),
}

/// What is seen at the end of a period.
pub(super) struct Look {
    /// The state.
    pub(super) state: State,
    /// The channels.
    pub(super) channels: Vec<f64>,
    /// Contacts that began in the period.
    pub(super) begun: Vec<String>,
}

/// A model with the period of its drive and the channels that are looked at.
pub(super) struct Strobe {
    plan: Simulation,
    channels: Vec<Channel>,
    /// Of each channel: whether it is an angle, which is the same after a turn.
    pub(super) angles: Vec<bool>,
    /// The period (s).
    pub(super) period: f64,
    /// A length beside which neighbours are close: the extent of the mechanism, or some clearances (m).
    pub(super) length: f64,
}

impl Strobe {
    /// Finds period and channels, or everything that is wrong with them.
    pub(super) fn new(
        loaded: &Loaded,
        observe: &[String],
        period: &str,
    ) -> Result<Self, Vec<String>> {
        let (mut channels, mut wrong) = (Vec::new(), Vec::new());
        for name in observe {
            match loaded.model.channel(name) {
                Ok(channel) => channels.push(channel),
                Err(unknown) => wrong.push(unknown.to_string()),
            }
        }
        let time = parse(period, Dimension::Time).ok().filter(|t| *t > 0.0 && t.is_finite());
        let period = match time {
            Some(time) => time,
            None => loaded.model.period_of(period).unwrap_or_else(|(message, hint)| {
                wrong.push(match hint {
                    Some(hint) => format!("--period {period}: {message}; {hint}"),
                    None => format!("--period {period}: {message}"),
                });
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
        Ok(Strobe { plan, channels, angles, period, length })
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
        let end = self.period * (k + 1) as f64;
        let run = self.plan.clone().start_from(start).until(end).run_watched(|_| {
            if stop.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let run = run.map_err(|error| Trouble::Failed(error.to_string()))?;
        if stop.is_cancelled() && !run.outcome.reached_end() {
            return Err(Trouble::Stopped);
        }
        if !run.outcome.reached_end() {
            return Err(Trouble::Failed(run.outcome.to_string()));
        }
        let last = run.end().map_err(|error| Trouble::Failed(error.to_string()))?;
        let channels = self.channels.iter().zip(&self.angles).map(|(channel, is_angle)| {
            let value = channel.eval(&last);
            if *is_angle { about_zero(value) } else { value }
        });
        let name = |contact| run.mechanism().contact_name(contact).to_owned();
        let begun = run.impacts().map(|(_, contact, _)| name(contact)).collect();
        Ok(Look { state: last.state(), channels: channels.collect(), begun })
    }

    /// The state after `k` periods as the start of the next value: at time 0, and with whole turns taken off the angles, so that they are
    /// those that drives prescribe at the start.
    pub(super) fn handed_on(&self, mut state: State, k: usize, like: &State) -> State {
        shift_time(&mut state, -self.period * k as f64);
        for (name, body) in &mut state.bodies {
            let wanted = like.bodies.get(name).map_or(0.0, |body| body.angle);
            body.angle -= TAU * ((body.angle - wanted) / TAU).round();
        }
        state
    }
}

/// Moves a state in time, and what its contacts remember of time.
fn shift_time(state: &mut State, by: f64) {
    state.t += by;
    for contact in state.contacts.values_mut() {
        if let Phase::Apart { last: Some((_, ended)), .. } = &mut contact.phase {
            *ended += by;
        }
    }
}

/// An angle between −π and π.
pub(super) fn about_zero(angle: f64) -> f64 {
    angle - TAU * ((angle + PI) / TAU).floor()
}
