//! The energy ledger: where the energy of a run is, where it came from, and where it went.
//!
//! Energies are functions of the state. Everything that enters or leaves is integrated along with the motion from
//! its own power, one account for each part:
//!
//! ```text
//! E(t) − E(0) = Σ work − Σ losses + Σ brought,    E = kinetic + gravity + elastic + contact
//! ```
//!
//! *Brought* energy is neither work nor loss of a part: the model or the method added it, or removed it if it is
//! negative. It consists of the change of energy where a contact passes a seam between two laws, the energy of contacts that
//! had to start in an overlap, and the work of drift control.
//!
//! The residual is the difference between both sides. No account is computed as a difference, so a wrong force, a missed
//! event or a wrong power shows up in it. The work of drift control has an account, so the ledger closes however large it
//! is; but no part of the machine does that work, so it counts as
//! [unexplained](Ledger::unexplained) together with the residual.
//!
//! Both are judged as fractions of the energy [in play](Ledger::in_play), K(0) + exchanged: the kinetic energy at the start and
//! what the run exchanged. An arm that turns freely exchanges nothing, but every step computes its motion anew, with an error
//! in proportion to the energy of that motion. The other energies count only as far as they change: gravity has no zero of its own, and
//! nothing is computed from a spring that stays as it is.
//!
//! Amounts within [`Ledger::rounding`] count as zero. Each step rounds the state, and for a uniform
//! motion always in the same direction, so that the error of N steps is up to N units in the last
//! place of all stored energy. It may exceed the energy of a slow motion far from the origin. So
//! that this does not count as an error of the run, the energy in play is at least 10⁴ times
//! [`Ledger::step_rounding`].

use crate::error::PartKind;

/// The kind of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AccountKind {
    /// Work of a driver.
    Driver,
    /// Work of a load or torque.
    Load,
    /// Loss in a damper or bushing.
    Damping,
    /// Loss in the dry friction of an ideal joint.
    JointFriction,
    /// Loss in the viscous friction of an ideal joint.
    JointViscous,
    /// Loss of a contact along its normal.
    ContactNormal,
    /// Loss of a contact in sliding.
    ContactFriction,
    /// Change of energy when a contact passes to a section of its wall with another law.
    Seam,
    /// Energy stored in contacts that had to start inside an overlap. It changes only at events and is not a component of
    /// the state, but of the mode ([`Mode::late`](crate::Mode::late)).
    LateStart,
    /// Work of drift control: of multipliers on drifting constraints, and of projections.
    DriftControl,
}

/// The side of the ledger to which an account belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccountSide {
    /// Work that drivers and loads do on the mechanism.
    Work,
    /// Energy that parts dissipate.
    Loss,
    /// Energy that the model or the method adds; negative if it is removed.
    Brought,
}

impl AccountKind {
    /// The side of the ledger.
    pub fn side(self) -> AccountSide {
        match self {
            AccountKind::Driver | AccountKind::Load => AccountSide::Work,
            AccountKind::Seam | AccountKind::LateStart | AccountKind::DriftControl => {
                AccountSide::Brought
            }
            AccountKind::Damping
            | AccountKind::JointFriction
            | AccountKind::JointViscous
            | AccountKind::ContactNormal
            | AccountKind::ContactFriction => AccountSide::Loss,
        }
    }

    /// The kind of the part to which such an account belongs.
    pub fn part_kind(self) -> PartKind {
        match self {
            AccountKind::Driver => PartKind::Driver,
            AccountKind::Load | AccountKind::Damping => PartKind::Force,
            AccountKind::JointFriction | AccountKind::JointViscous => PartKind::Joint,
            AccountKind::ContactNormal | AccountKind::ContactFriction | AccountKind::Seam => {
                PartKind::Contact
            }
            AccountKind::LateStart | AccountKind::DriftControl => PartKind::Mechanism,
        }
    }

    /// Whether the account takes energy from the mechanism.
    pub fn is_loss(self) -> bool {
        self.side() == AccountSide::Loss
    }
}

impl std::fmt::Display for AccountKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            AccountKind::Driver => "work of driver",
            AccountKind::Load => "work of load",
            AccountKind::Damping => "damping loss",
            AccountKind::JointFriction => "dry friction loss",
            AccountKind::JointViscous => "viscous friction loss",
            AccountKind::ContactNormal => "normal loss",
            AccountKind::ContactFriction => "sliding loss",
            AccountKind::Seam => "jump at seams",
            AccountKind::LateStart => "indented start",
            AccountKind::DriftControl => "work of drift control",
        })
    }
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its kind.
    pub kind: AccountKind,
    /// Name of the part.
    pub part: String,
}

/// The energy of a mechanism at one instant (J).
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Energy {
    /// ½ Σ (m v² + J ω²).
    pub kinetic: f64,
    /// −Σ m g·x.
    pub gravity: f64,
    /// Held by springs and bushings.
    pub elastic: f64,
    /// Held by contacts.
    pub contact: f64,
}

impl Energy {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravity + self.elastic + self.contact
    }

    /// Σ of the magnitudes.
    pub(crate) fn magnitude(&self) -> f64 {
        self.moved_from(&Energy::default())
    }

    /// Σ of the magnitudes of the changes from another instant.
    pub(crate) fn moved_from(&self, other: &Energy) -> f64 {
        (self.kinetic - other.kinetic).abs()
            + (self.gravity - other.gravity).abs()
            + (self.elastic - other.elastic).abs()
            + (self.contact - other.contact).abs()
    }
}

/// The energy ledger of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    /// Energy at the start.
    pub start: Energy,
    /// Energy at the end.
    pub end: Energy,
    /// Each account with its amount (J): work done on the mechanism, loss, or energy brought in by the model or the method.
    pub accounts: Vec<(Account, f64)>,
    /// Energy exchanged (J): the greatest sum of changes of the four energies during the run, plus the magnitudes of all
    /// accounts.
    pub exchanged: f64,
    /// The largest magnitude of the residual at any accepted step (J).
    pub worst: f64,
    /// The largest magnitude of the work of drift control at any accepted step (J).
    pub worst_drift: f64,
    /// The largest sum of both magnitudes, of the residual and of the work of drift control, at any accepted step (J).
    pub unexplained: f64,
    /// The greatest residual (J), work of drift control (J) and sum of both (J) at any step or kept
    /// instant. Between steps the accounts are interpolated, and no more accurate than the motion
    /// there. The channels of a run show these values.
    pub shown: [f64; 3],
    /// Amounts up to this are rounding (J): a few units in the last place of the energies.
    pub rounding: f64,
    /// Upper bound of the accumulated rounding of the state (J): a unit in the last place of the
    /// greatest energies for each step.
    pub step_rounding: f64,
}

impl Ledger {
    /// Σ of the work of drivers and loads (J).
    pub fn work(&self) -> f64 {
        self.sum(|kind| kind.side() == AccountSide::Work)
    }

    /// Σ of the loss accounts (J).
    pub fn losses(&self) -> f64 {
        self.sum(AccountKind::is_loss)
    }

    /// Σ of the energy brought in by seams, starts in overlap and drift control (J).
    pub fn brought(&self) -> f64 {
        self.sum(|kind| kind.side() == AccountSide::Brought)
    }

    /// Σ of the accounts of one kind (J).
    pub fn total(&self, kind: AccountKind) -> f64 {
        self.sum(|other| other == kind)
    }

    fn sum(&self, wanted: impl Fn(AccountKind) -> bool) -> f64 {
        let accounts = self.accounts.iter().filter(|(account, _)| wanted(account.kind));
        accounts.fold(0.0, |sum, (_, amount)| sum + amount)
    }

    /// The residual at the end, E(end) − E(start) − work + losses − brought (J).
    pub fn residual(&self) -> f64 {
        self.end.total() - self.start.total() - self.work() + self.losses() - self.brought()
    }

    /// The energy in play (J), of which unexplained amounts are fractions: the kinetic energy at
    /// the start plus the energy exchanged, and at least 10⁴ times the accumulated rounding of the
    /// steps.
    pub fn in_play(&self) -> f64 {
        let resolved = 1e4 * self.step_rounding;
        let moving = self.start.kinetic + self.exchanged;
        // Not `max`, which would lose NaN.
        if moving < resolved { resolved } else { moving }
    }

    /// The energy that nothing in the mechanism explains ([`unexplained`](Self::unexplained): the residual of the ledger and
    /// the work of drift control) as a fraction of the energy [in play](Self::in_play): the one
    /// number by which to judge a run. It is 0 if it is within rounding, as for a mechanism at
    /// rest.
    pub fn relative_residual(&self) -> f64 {
        self.share(self.unexplained)
    }

    /// The residual, the work of drift control and the sum of both as the channels of the run
    /// [show](Self::shown) them, each as a fraction of the energy in play.
    pub fn shown_shares(&self) -> [f64; 3] {
        self.shown.map(|amount| self.share(amount))
    }

    /// The largest magnitude of the work of drift control, as a fraction of the energy in play. Ideally drift control has
    /// nothing to do.
    pub fn drift_share(&self) -> f64 {
        self.share(self.worst_drift)
    }

    /// The largest residual alone, as a fraction of the energy in play.
    pub fn books_share(&self) -> f64 {
        self.share(self.worst)
    }

    fn share(&self, amount: f64) -> f64 {
        // With a negated comparison NaN would count as rounding.
        if amount <= self.rounding { 0.0 } else { amount / self.in_play() }
    }

    /// The amount of an account (J).
    pub fn amount(&self, kind: AccountKind, part: &str) -> Option<f64> {
        let wanted = |(account, _): &&(Account, f64)| account.kind == kind && account.part == part;
        self.accounts.iter().find(wanted).map(|(_, amount)| *amount)
    }

    /// The account with the greatest amount, if any account has an amount other than 0.
    pub fn largest(&self) -> Option<&(Account, f64)> {
        let greatest = self.accounts.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        greatest.filter(|(_, amount)| *amount != 0.0)
    }
}
