//! Turns of contacts whose force jumps at δ̇ = 0.
//!
//! A law of two slopes pushes with F where δ grows and with c F where it shrinks. At δ̇ = 0 its force s lies between the two, and
//! the accelerations decide: s = c F if δ̈ < 0, s = F if δ̈ > 0, and any s between them if δ̈ = 0
//! (Filippov). Contacts of the same bodies share their accelerations, δ̈ = d + Σ D s, so all
//! contacts that turn at one instant are decided together. One after another, the first to release
//! would be pressed together by those that still push with F. −D is the mobility of the contacts,
//! hence δ̈ is unique and does not depend on their order.

use jointplay_contact::ContactEvent;
use jointplay_contact::damping::{Stage, Touch};
use jointplay_contact::elastic::ElasticModel;
use jointplay_ode::Crossing;

use super::{Equations, Evaluation, Mode};
use crate::contact::{Guard, Phase};

/// Maximum number of corrections of the forces of all contacts that turn.
const MAX_SWEEPS: usize = 10_000;

/// Corrections below this fraction of the jump of a force are rounding.
const SETTLED: f64 = 1e-14;

impl Equations {
    /// Whether a guard watches the turn of a contact whose force jumps there.
    pub(super) fn is_sharp_turn(&self, guard: usize) -> bool {
        if guard >= self.mechanism.first_watch {
            return false;
        }
        let element = &self.mechanism.contacts[self.contact_of(guard)];
        let watched = element.guards[guard - element.first_guard];
        watched == Guard::Law(ContactEvent::Turn) && element.law.normal.damping.is_sharp()
    }

    /// Decides the stages of all contacts that turn now, of those that are held, which this may
    /// release, and of those that turned without an event.
    pub(super) fn turn(
        &self,
        fired: &[Crossing],
        t: f64,
        y: &[f64],
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) {
        self.place(t, y, &mut evaluation.work);
        let turns = |contact: usize| {
            let element = &self.mechanism.contacts[contact];
            let fires = |crossing: &Crossing| {
                self.is_sharp_turn(crossing.guard) && self.contact_of(crossing.guard) == contact
            };
            let Phase::Touching { touch, .. } = mode.contacts[contact] else { return None };
            let [_, rate] = element.gap.approach(&evaluation.work.motion);
            let unseen = match touch.stage {
                Stage::Compression => rate <= 0.0,
                Stage::Restitution => rate >= 0.0,
            };
            let turns = touch.resting || unseen || fired.iter().any(fires);
            (turns && element.law.normal.damping.is_sharp()).then_some(contact)
        };
        let contacts: Vec<usize> = (0..mode.contacts.len()).filter_map(turns).collect();
        if let Some(shares) = self.shares(t, y, mode, &contacts, evaluation) {
            self.place(t, y, &mut evaluation.work);
            for (contact, share) in contacts.into_iter().zip(shares) {
                self.go_on_with(contact, share, mode, evaluation);
            }
        }
        self.place(t, y, &mut evaluation.work);
    }

    /// The position of the force of each of these contacts between c F (0) and F (1), consistent
    /// with the acceleration that all of them cause.
    fn shares(
        &self,
        t: f64,
        y: &[f64],
        mode: &Mode,
        contacts: &[usize],
        evaluation: &mut Evaluation<f64>,
    ) -> Option<Vec<f64>> {
        let mut trial = mode.clone();
        for contact in contacts {
            self.set_stage(*contact, Stage::Restitution, &mut trial);
        }
        let mut accelerations = |trial: &Mode| {
            self.evaluate(t, y, trial, evaluation).ok()?;
            let motion = evaluation.work.in_time();
            let measure = |contact: &usize| {
                self.mechanism.contacts[*contact].gap.measure(&motion).delta_dot.slope(0)
            };
            Some(contacts.iter().map(measure).collect::<Vec<f64>>())
        };
        let parting = accelerations(&trial)?;
        let mut columns = Vec::with_capacity(contacts.len());
        for contact in contacts {
            self.set_stage(*contact, Stage::Compression, &mut trial);
            let mut column = accelerations(&trial)?;
            for (value, parting) in column.iter_mut().zip(&parting) {
                *value -= parting;
            }
            columns.push(column);
            self.set_stage(*contact, Stage::Restitution, &mut trial);
        }
        Some(settle(&parting, &columns))
    }

    /// Puts a contact into a stage of its law and releases it.
    fn set_stage(&self, contact: usize, stage: Stage, mode: &mut Mode) {
        if let Phase::Touching { touch, .. } = &mut mode.contacts[contact] {
            *touch = self.mechanism.contacts[contact].law.normal.damping.released(*touch, stage);
        }
    }

    /// The memory of a contact whose force has this fraction of its jump.
    fn go_on_with(
        &self,
        contact: usize,
        share: f64,
        mode: &mut Mode,
        evaluation: &Evaluation<f64>,
    ) {
        let element = &self.mechanism.contacts[contact];
        let law = &element.law.normal;
        let [delta, rate] = element.gap.approach(&evaluation.work.motion);
        let Phase::Touching { touch, .. } = &mut mode.contacts[contact] else { return };
        if share <= 0.0 {
            let parting = law.damping.released(*touch, Stage::Restitution);
            *touch = Touch { max_delta: parting.max_delta.max(delta), ..parting };
        } else if share >= 1.0 {
            // A contact that still separates would gain energy on the slope of compression.
            if !touch.resting || rate >= 0.0 {
                *touch = law.damping.released(*touch, Stage::Compression);
            }
        } else if !touch.resting {
            *touch = law.damping.held(*touch, law.elastic.eval(delta)).unwrap_or(*touch);
        }
    }
}

/// The shares σ in [0, 1] with σ = 0 where `parting` + Σ σ·`columns` is negative, 1 where it is positive, and any value where
/// it is zero. All are corrected at once, so that the result does not depend on their order, and by
/// steps small enough to converge.
fn settle(parting: &[f64], columns: &[Vec<f64>]) -> Vec<f64> {
    let n = parting.len();
    let mut shares = vec![0.0; n];
    let mut next = shares.clone();
    for _ in 0..MAX_SWEEPS {
        let mut most = 0.0_f64;
        for i in 0..n {
            let pushed: f64 =
                shares.iter().zip(columns).map(|(share, column)| share * column[i]).sum();
            let acceleration = parting[i] + pushed;
            let stiffness: f64 = columns.iter().map(|column| column[i].abs()).sum();
            // A force without effect on accelerations follows their sign.
            let step =
                if columns[i][i] < 0.0 { acceleration / stiffness } else { acceleration.signum() };
            let step = if acceleration == 0.0 { 0.0 } else { step };
            next[i] = (shares[i] + step).clamp(0.0, 1.0);
            most = most.max((next[i] - shares[i]).abs());
        }
        std::mem::swap(&mut shares, &mut next);
        if most <= SETTLED {
            break;
        }
    }
    shares
}
