//! What a simulation asks of the integrator: tolerances of every component of the state, and limits of the steps.

use jointplay_ode::{Options, Tolerance};
use serde::{Deserialize, Serialize};

use super::Simulation;
use crate::equations::Equations;
use crate::error::Error;
use crate::ledger::{Account, AccountKind, Energy};
use crate::row::RowKind;
use crate::trajectory::Sampling;

/// For mechanisms with hardly any energy at the start, the energy tolerance is based on this fraction of m (l/τ)²: the whole mass
/// m moving by the clearance l in the time τ of [`Accuracy::time`].
const FAINT: f64 = 1e-3;

/// A stop without clearance may yield by this fraction of the size of the mechanism.
const STOP: f64 = 1e-3;

/// With contacts, rates need not be known better than positions are over this many times the time in which bodies cross their
/// mechanism: at the speeds of very small and fast ones there are no more digits.
const CROSSINGS: f64 = 10.0;

/// However coarse the tolerance, bodies that are apart by more than this fraction of the clearance have separated.
const COARSEST: f64 = 1e-3;

/// An absolute tolerance that no error exceeds.
const UNCONTROLLED: f64 = 1e300;

/// Tolerances of the local errors. Those not given follow from the relative tolerance and the size of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// Relative tolerance of rates; it also sets the absolute tolerances that are not given. Positions have no natural
    /// origin and therefore only absolute tolerances.
    pub relative: f64,
    /// Tolerance of lengths (m). By default `relative` times the smallest clearance; without clearances `relative` times the
    /// size of the mechanism or, if it has stops, a thousandth of that.
    pub length: Option<f64>,
    /// Tolerance of angles (rad). By default the tolerance of lengths divided by the size of the mechanism.
    pub angle: Option<f64>,
    /// The time (s) by which a tolerance of positions is divided to get one of rates: by default 1 s, with contacts 10 ms or, if
    /// that is less, ten times what bodies with the energy at the start take to cross the mechanism.
    pub time: Option<f64>,
    /// Tolerance of the accounts of the ledger (J) that do not follow from reactions, and of all accounts of mechanisms without
    /// freedom, in addition to `relative` times their amounts. By default `relative` times the sum of the mechanism's weight
    /// times its size and the kinetic and elastic energy at the start; if that is tiny, a thousandth of its mass times the
    /// square of that length divided by `time`.
    pub energy: Option<f64>,
}

impl Accuracy {
    /// This relative tolerance, the rest by default.
    pub fn relative(relative: f64) -> Self {
        Accuracy { relative, length: None, angle: None, time: None, energy: None }
    }
}

impl Default for Accuracy {
    fn default() -> Self {
        Accuracy::relative(1e-8)
    }
}

impl Simulation {
    /// The equations, which know to what length positions are integrated.
    pub(super) fn equations(&self) -> Result<Equations, Error> {
        let equations = Equations::new(&self.mechanism, self.formulation, self.drift)?;
        let length = self.length_tolerance();
        Ok(equations.resolving(length.min(COARSEST * self.play())))
    }

    /// The absolute tolerance of lengths (m).
    fn length_tolerance(&self) -> f64 {
        let size = self.mechanism.length;
        // Below the rounding of positions there is nothing to gain.
        let of_play = (self.accuracy.relative * self.play()).max(f64::EPSILON * size);
        self.accuracy.length.unwrap_or(of_play)
    }

    /// The smallest clearance, or what stands for it (m).
    pub(super) fn play(&self) -> f64 {
        let size = self.mechanism.length;
        let touches = !self.mechanism.contacts.is_empty();
        let without = if touches { STOP * size } else { size };
        self.mechanism.smallest_clearance().unwrap_or(without)
    }

    pub(super) fn options(
        &self,
        equations: &Equations,
        start: &Energy,
        driven: bool,
    ) -> Result<Options, Error> {
        let settings = [
            ("relative tolerance", self.accuracy.relative),
            ("length tolerance", self.accuracy.length.unwrap_or(1.0)),
            ("angle tolerance", self.accuracy.angle.unwrap_or(1.0)),
            ("time scale", self.accuracy.time.unwrap_or(1.0)),
            ("energy tolerance", self.accuracy.energy.unwrap_or(1.0)),
            ("max_step", self.max_step),
            ("first_step", self.first_step.unwrap_or(1.0)),
            ("restart_step", self.restart_step.unwrap_or(1.0)),
        ];
        for (name, value) in settings {
            let endless = name == "max_step" && value == f64::INFINITY;
            if !(value > 0.0 && (value.is_finite() || endless)) {
                return Err(Error::Setting { name, value, allowed: "it must be above 0" });
            }
        }
        if let Sampling::Interval(value) | Sampling::Impacts(value) = self.sampling
            && !(value > 0.0)
        {
            let name = "sampling interval";
            return Err(Error::Setting { name, value, allowed: "it must be above 0" });
        }
        if let Sampling::Times(times) = &self.sampling
            && let Some((_, &value)) = std::iter::once(&f64::NEG_INFINITY)
                .chain(times)
                .zip(times)
                .find(|(before, t)| !(*before < *t && t.is_finite()))
        {
            let name = "sampling time";
            return Err(Error::Setting { name, value, allowed: "times must be finite and ascend" });
        }
        if !(self.min_step >= 0.0) {
            let (name, value) = ("min_step", self.min_step);
            return Err(Error::Setting { name, value, allowed: "it must be 0 or more" });
        }
        if let Some(value) = self.method.fixed_step()
            && !(value > 0.0 && value.is_finite())
        {
            let name = "step of RK4";
            return Err(Error::Setting { name, value, allowed: "it must be above 0 and finite" });
        }
        for (name, value) in [("start of the run", self.from), ("end of the run", self.until)] {
            if !value.is_finite() {
                return Err(Error::Setting { name, value, allowed: "it must be finite" });
            }
        }
        if !(self.until >= self.from && (self.until - self.from).is_finite()) {
            let (name, value) = ("end of the run", self.until);
            return Err(Error::Setting { name, value, allowed: "it must not be before the start" });
        }
        Ok(Options {
            first_step: self.first_step,
            restart_step: self.restart_step,
            max_step: self.max_step,
            min_step: self.min_step,
            max_steps: self.max_steps,
            slack: equations.resolution(),
            stops: equations.breaks().into(),
            ..Options::new(self.tolerances(equations, start, driven))
        })
    }

    /// One absolute tolerance for each component of the state; `driven` where drivers determine every motion.
    pub(super) fn tolerances(
        &self,
        equations: &Equations,
        start: &Energy,
        driven: bool,
    ) -> Tolerance {
        let Accuracy { relative, angle, time, energy, .. } = self.accuracy;
        let size = self.mechanism.length;
        let touches = !self.mechanism.contacts.is_empty();
        let (play, length) = (self.play(), self.length_tolerance());
        let angle = angle.unwrap_or(length / size);
        let bodies = self.mechanism.bodies.iter().map(|(_, body)| body.mass);
        let mass = bodies.sum::<f64>().max(f64::MIN_POSITIVE);
        let [gx, gy] = self.mechanism.gravity;
        let present = start.kinetic + start.elastic.abs() + start.contact.abs();
        let scale = mass * size * libm::hypot(gx, gy) + present;
        let crossing = size / (2.0 * scale / mass).sqrt();
        let usual = if touches { (CROSSINGS * crossing).min(1e-2) } else { 1.0 };
        let time = time.unwrap_or(usual.max(f64::MIN_POSITIVE));
        let speed = play / time;
        let scale = scale.max(FAINT * mass * speed * speed);
        let energy = energy.unwrap_or(relative * scale);
        let positions: Vec<f64> = equations
            .layout
            .unknowns
            .iter()
            .map(|row| if row.kind == RowKind::Angle { angle } else { length })
            .collect();
        let n = positions.len();
        let rates = positions.iter().map(|position| position / time);
        // Drift is no motion: its account is zero up to the errors of the others. Reactions are as smooth as the motion
        // that they belong to, but near singular positions the rounding of constraints is all that is left in them.
        let account = |account: &Account| match account.kind {
            AccountKind::DriftControl => UNCONTROLLED,
            AccountKind::Driver | AccountKind::JointFriction if !driven => UNCONTROLLED,
            AccountKind::Driver
            | AccountKind::Load
            | AccountKind::Damping
            | AccountKind::JointFriction
            | AccountKind::JointViscous
            | AccountKind::ContactNormal
            | AccountKind::ContactFriction
            | AccountKind::Seam
            | AccountKind::LateStart => energy,
        };
        let accounts = self.mechanism.accounts.iter().map(account);
        let contacts = self.mechanism.contacts.iter();
        let bristles = contacts.filter_map(|contact| contact.law.friction.bristle_reach());
        let bristles = bristles.map(|reach| relative * reach);
        let positions_and_rates = positions.iter().copied().chain(rates);
        let absolute: Vec<f64> = positions_and_rates.chain(bristles).chain(accounts).collect();
        // Positions have no natural origin: their magnitude says nothing about the error to admit.
        let mut relatives = vec![relative; absolute.len()];
        relatives[..n].fill(0.0);
        Tolerance::new(relatives, absolute)
    }
}
