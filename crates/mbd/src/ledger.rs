//! The books: where the energy of a run is, came from and went.
//!
//! Energies are functions of the state. Everything that enters or leaves is integrated along with the motion from
//! its own power, one account for each part:
//!
//! ```text
//! E(t) − E(0) = Σ work − Σ losses,    E = kinetic + gravity + elastic + contact
//! ```
//!
//! The residual is what remains between both sides. No account is found by difference, so a wrong force, a missed
//! event or a wrong power shows in it.

/// What an account is about.
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
    /// Energy that changes where a contact passes to a section of its wall with another law.
    Seam,
    /// Work of what holds the constraints: multipliers on a drifting constraint, and projections.
    DriftControl,
}

impl AccountKind {
    /// Whether the account takes energy from the mechanism.
    pub fn is_loss(self) -> bool {
        !matches!(
            self,
            AccountKind::Driver | AccountKind::Load | AccountKind::Seam | AccountKind::DriftControl
        )
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
            AccountKind::DriftControl => "work of drift control",
        })
    }
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// What it is about.
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

    /// Σ of the magnitudes of the changes from another instant.
    pub(crate) fn moved_from(&self, other: &Energy) -> f64 {
        (self.kinetic - other.kinetic).abs()
            + (self.gravity - other.gravity).abs()
            + (self.elastic - other.elastic).abs()
            + (self.contact - other.contact).abs()
    }
}

/// The books of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    /// Energy at the start.
    pub start: Energy,
    /// Energy at the end.
    pub end: Energy,
    /// Each account with its amount (J): work done on the mechanism, or loss.
    pub accounts: Vec<(Account, f64)>,
    /// Energy exchanged (J): the greatest sum of changes of the four energies during the run, plus the magnitudes of all
    /// accounts. It measures the residual.
    pub exchanged: f64,
    /// The greatest magnitude of the residual at any accepted step (J).
    pub worst: f64,
}

impl Ledger {
    /// Σ of the work accounts (J).
    pub fn work(&self) -> f64 {
        self.sum(false)
    }

    /// Σ of the loss accounts (J).
    pub fn losses(&self) -> f64 {
        self.sum(true)
    }

    fn sum(&self, losses: bool) -> f64 {
        let of_kind = self.accounts.iter().filter(|(account, _)| account.kind.is_loss() == losses);
        of_kind.map(|(_, amount)| amount).sum()
    }

    /// E(end) − E(start) − work + losses (J).
    pub fn residual(&self) -> f64 {
        self.end.total() - self.start.total() - self.work() + self.losses()
    }

    /// The greatest residual over the energy exchanged; 0 where nothing was exchanged.
    pub fn relative_residual(&self) -> f64 {
        if self.exchanged > 0.0 { self.worst / self.exchanged } else { 0.0 }
    }

    /// The magnitude of what drift control brought or took, over the energy exchanged. Drift that is removed is booked, so
    /// the books close however large it is: what holds the constraints should have nothing to do.
    pub fn drift_share(&self) -> f64 {
        let drift = self.accounts.iter().filter(|(a, _)| a.kind == AccountKind::DriftControl);
        let amount: f64 = drift.map(|(_, amount)| amount.abs()).sum();
        if self.exchanged > 0.0 { amount / self.exchanged } else { 0.0 }
    }

    /// The amount of an account (J).
    pub fn amount(&self, kind: AccountKind, part: &str) -> Option<f64> {
        let wanted = |(account, _): &&(Account, f64)| account.kind == kind && account.part == part;
        self.accounts.iter().find(wanted).map(|(_, amount)| *amount)
    }
}
