//! Errors in a mechanism or its start.

use std::fmt;

/// A kind of part of a mechanism.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// The mechanism as a whole: its gravity, its start.
    Mechanism,
    /// A body.
    Body,
    /// A joint.
    Joint,
    /// A driver.
    Driver,
    /// A force element.
    Force,
    /// A contact.
    Contact,
    /// A watched coordinate.
    Watch,
}

impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PartKind::Mechanism => "mechanism",
            PartKind::Body => "body",
            PartKind::Joint => "joint",
            PartKind::Driver => "driver",
            PartKind::Force => "force",
            PartKind::Contact => "contact",
            PartKind::Watch => "watch",
        })
    }
}

/// The part that a problem, an error or a fault concerns, by kind and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct PartRef {
    /// Its kind.
    pub kind: PartKind,
    /// Its name.
    pub name: String,
    /// Description for messages, such as "joint 'pin' (x)" or "angle of body 'rod'".
    label: String,
}

impl PartRef {
    /// The part as a whole, labelled as "joint 'pin'".
    pub fn new(kind: PartKind, name: impl Into<String>) -> Self {
        let name = name.into();
        let label = format!("{kind} '{name}'");
        PartRef { kind, name, label }
    }

    /// The same part with a new label made from the present one.
    pub(crate) fn labelled(mut self, label: impl FnOnce(&str) -> String) -> Self {
        self.label = label(&self.label);
        self
    }

    /// The description used in messages: "joint 'pin' (x)".
    pub fn label(&self) -> &str {
        &self.label
    }
}

impl fmt::Display for PartRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

/// A problem of one part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct PartProblem {
    /// The part.
    pub part: PartRef,
    /// The problem, and the allowed values.
    pub message: String,
}

impl PartProblem {
    /// A problem of a named part of this kind.
    pub(crate) fn new(kind: PartKind, name: &str, message: impl Into<String>) -> Self {
        PartProblem { part: PartRef::new(kind, name), message: message.into() }
    }
}

impl fmt::Display for PartProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.message)
    }
}

/// A constraint that is not met.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// The part, with the direction that is open: "joint 'pin' (x)".
    pub part: PartRef,
    /// By how much it is not met.
    pub amount: f64,
    /// Unit of the amount.
    pub unit: &'static str,
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is off by {:.6e} {}", self.part, self.amount, self.unit)
    }
}

/// The reason why a mechanism cannot be built, started or analysed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Parts are wrong; all problems are listed.
    #[error("{}", lines("the mechanism cannot be built", problems))]
    Parts {
        /// The problems.
        problems: Vec<PartProblem>,
    },

    /// No position near the given one closes all joints.
    #[error("{}", lines("the mechanism cannot be assembled from the given positions", open))]
    Positions {
        /// The constraints that stay open, the worst first.
        open: Vec<Open>,
    },

    /// The speeds prescribed at the start contradict each other.
    #[error(
        "{}",
        lines("no velocities satisfy joints, drivers and start conditions together", open)
    )]
    Speeds {
        /// The constraints that are not met, the worst first.
        open: Vec<Open>,
    },

    /// A body can move without moving any mass, so its acceleration is undetermined.
    #[error(
        "{part} can move without moving any mass: give it a mass or a moment of inertia, or constrain that motion"
    )]
    Massless {
        /// The body.
        part: PartRef,
    },

    /// The absolute formulation needs masses and moments of inertia that a body does not have.
    #[error(
        "{part} has no {what}, which the absolute formulation needs{why}: give it one, or use the joint formulation"
    )]
    NoInertia {
        /// The body.
        part: PartRef,
        /// What is missing.
        what: &'static str,
        /// The reason why it is needed.
        why: &'static str,
    },

    /// A contact is indented at the start and its impact speed is not given.
    #[error(
        "{part} is indented by {overlap:.6e} {unit} at the start: move the bodies apart, or give the impact speed that led to the indentation"
    )]
    Overlap {
        /// The contact.
        part: PartRef,
        /// The overlap.
        overlap: f64,
        /// Its unit.
        unit: &'static str,
    },

    /// The law of a contact cannot start with these data.
    #[error("{part}: {reason}")]
    Contact {
        /// The contact.
        part: PartRef,
        /// The reason.
        reason: jointplay_contact::damping::BeginError,
    },

    /// The equations cannot be evaluated at the start.
    #[error("{part}: {reason}")]
    Evaluation {
        /// The part at fault.
        part: PartRef,
        /// The reason.
        reason: &'static str,
    },

    /// Kinematics and inverse dynamics need drivers for every degree of freedom.
    #[error(
        "the drivers leave {freedom} degree(s) of freedom undetermined: drive them, or run the dynamics"
    )]
    NotDriven {
        /// Degrees of freedom that no driver determines.
        freedom: usize,
    },

    /// The search for an equilibrium did not converge.
    #[error(
        "no static equilibrium found: the largest acceleration left is {acceleration:.3e} ({part})"
    )]
    NoEquilibrium {
        /// The largest acceleration that remains (m/s² or rad/s²).
        acceleration: f64,
        /// Where it remains.
        part: PartRef,
    },

    /// A run cannot start from a given state.
    #[error("{}", lines("the run cannot start from this state", problems))]
    State {
        /// The problems.
        problems: Vec<PartProblem>,
    },

    /// A result was requested for a part that the mechanism does not have.
    #[error("there is no {part}; there are: {}", known.join(", "))]
    NoSuchPart {
        /// The requested part.
        part: PartRef,
        /// The names of the parts of this kind.
        known: Vec<String>,
    },

    /// A mechanism that must be identified contains user-written code.
    #[error(
        "{part} is user-written code, which a digest cannot identify, so a case cannot contain it: run the mechanism itself"
    )]
    UserCode {
        /// The first part with such code.
        part: PartRef,
    },

    /// A checkpoint belongs to another mechanism or formulation.
    #[error("the checkpoint at t = {t} s belongs to another mechanism or another formulation")]
    Checkpoint {
        /// The time of the checkpoint (s).
        t: f64,
    },

    /// A checkpoint was made with other settings, so the run would not continue as it began.
    #[error(
        "the checkpoint at t = {t} s was made with another {setting} ({was}): resume with the same one"
    )]
    CheckpointSetting {
        /// The time of the checkpoint (s).
        t: f64,
        /// The setting.
        setting: &'static str,
        /// Its value in the checkpoint.
        was: String,
    },

    /// A setting of an analysis is not allowed.
    #[error("{name} = {value} is not allowed: {allowed}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The allowed values.
        allowed: &'static str,
    },
}

impl Error {
    /// The part at fault; `None` if the error names several parts or none.
    pub fn part(&self) -> Option<&PartRef> {
        match self {
            Error::Massless { part }
            | Error::NoInertia { part, .. }
            | Error::Overlap { part, .. }
            | Error::Contact { part, .. }
            | Error::Evaluation { part, .. }
            | Error::NoEquilibrium { part, .. }
            | Error::NoSuchPart { part, .. }
            | Error::UserCode { part } => Some(part),
            Error::Parts { .. }
            | Error::State { .. }
            | Error::Positions { .. }
            | Error::Speeds { .. }
            | Error::NotDriven { .. }
            | Error::Checkpoint { .. }
            | Error::CheckpointSetting { .. }
            | Error::Setting { .. } => None,
        }
    }
}

fn lines<T: fmt::Display>(head: &str, items: &[T]) -> String {
    use std::fmt::Write as _;
    let mut text = format!("{head}:");
    for item in items {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {item}");
    }
    text
}
