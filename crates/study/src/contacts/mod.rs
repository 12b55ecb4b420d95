//! What happened in the clearance joints of a run: impact table, statistics, modes, validity.
//!
//! A joint with clearance is one or more contacts of a mechanism; a slot has one for each section of its walls. An
//! *episode* lasts from the instant two surfaces touch until they separate. It continues when the contact passes with its memory
//! to the next section, and simultaneous contacts at two walls are two episodes. An episode that is not over when the run ends
//! is included and marked.
//!
//! A [`ContactRecorder`] watches the run itself ([`Simulation::run_observed`](jointplay_mbd::Simulation::run_observed)):
//! extremes are found on the dense output of each step in contact and impulses by its quadrature, so that the table is as
//! exact as the integration and does not depend on what is sampled. Losses are differences of the accounts of the ledger.
//!
//! ```
//! use jointplay_contact::damping::DampingLaw;
//! use jointplay_contact::elastic::{ElasticLaw, Power};
//! use jointplay_contact::friction::FrictionLaw;
//! use jointplay_contact::{ContactLaw, NormalLaw};
//! use jointplay_mbd::{Body, Builder, Coordinate, GROUND, Side, Simulation};
//! use jointplay_study::contacts::{ContactRecorder, JointContacts};
//!
//! // A ball of 1 kg falls on a linear spring.
//! let mut parts = Builder::new();
//! parts.gravity([0.0, -9.81]);
//! let ball = parts.body("ball", Body::new(1.0, 1e-3).placed([0.0, 0.1], 0.0));
//! let elastic = ElasticLaw::Power(Power { stiffness: 1e6, exponent: 1.0 });
//! let normal = NormalLaw::new(elastic, DampingLaw::None);
//! let law = ContactLaw { normal, friction: FrictionLaw::NoFriction };
//! let floor = parts.stop("floor", Coordinate::Y(ball.origin()), 0.0, Side::Below, law);
//! let mechanism = parts.build()?;
//!
//! let joint = JointContacts::single("floor", floor);
//! let mut recorder = ContactRecorder::new(&mechanism, vec![joint]);
//! let run = Simulation::new(&mechanism).until(0.3).run_observed(&mut recorder)?;
//! let record = recorder.finish(&run);
//! let [bounce] = &record.episodes[..] else { panic!("one impact") };
//! assert!((bounce.restitution.unwrap() - 1.0).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod concern;
mod inside;
mod number;
mod recorder;
mod rows;
mod shared;
mod timeline;
mod validity;

use jointplay_contact::catalog::LawOrigin;
use jointplay_mbd::ContactId;

pub use concern::{Check, Concern, Quantity, Warning, Whole};
pub use jointplay_model::{Form, JointStatistic, JointTable};
pub(crate) use number::Observed;
pub use number::{JOINT_NUMBERS, JointNumber, JointSummary};
pub use recorder::ContactRecorder;
pub use rows::{ImpactRow, ModeRow};
pub(crate) use shared::SharedWarning;
pub use timeline::{JointMode, Stretch};

/// The contacts of one clearance joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointContacts {
    /// Name of the joint.
    pub name: String,
    /// Its contacts, each with the name of its region.
    pub contacts: Vec<(ContactId, String)>,
    /// The inputs of the law of each contact, in the same order, as far as they are known: they are checked against the bounds
    /// of the data sheets.
    pub laws: Vec<LawOrigin>,
}

impl JointContacts {
    /// A joint with one contact, whose region has the name of the joint.
    pub fn single(name: impl Into<String>, contact: ContactId) -> Self {
        let name = name.into();
        JointContacts { contacts: vec![(contact, name.clone())], name, laws: Vec::new() }
    }
}

/// One contact episode: a row of the impact table.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    /// The joint, by its place in [`ContactRecord::joints`].
    pub joint: usize,
    /// The regions that were touched, in the order of their first touch.
    pub regions: Vec<String>,
    /// When it started (s).
    pub start: f64,
    /// When it ended, or when the run did (s).
    pub end: f64,
    /// Whether it was not over when the run ended.
    pub open: bool,
    /// Whether it was already under way when the run began; its impact speed is then the one given for it.
    pub carried: bool,
    /// δ̇ at the start (m/s).
    pub impact_speed: f64,
    /// The restitution specified for the law at this impact speed, if it takes one.
    pub input_restitution: Option<f64>,
    /// Greatest indentation (m).
    pub max_indentation: f64,
    /// Greatest normal force (N).
    pub max_force: f64,
    /// When the normal force was greatest (s).
    pub max_force_time: f64,
    /// ∫ F dt of the normal force (N s).
    pub impulse: f64,
    /// e_N = −δ̇(end)/δ̇₀ of an impact that began by closing and ended by separating; `None` for continuous contact and for
    /// episodes that were under way when the run began or ended.
    pub restitution: Option<f64>,
    /// The restitution of an impact at this speed under the same law if no other force acts, to compare with
    /// [`restitution`](Self::restitution); `None` if that is `None`, or if such an impact does not rebound.
    pub free_restitution: Option<f64>,
    /// Energy lost along the normal (J).
    pub loss_normal: f64,
    /// Energy lost in sliding (J).
    pub loss_friction: f64,
    /// Fraction of its time outside the domain of its law: beyond the indentation at which the law is continued or the load limit
    /// given by its source; 1 if another bound of its data sheets is violated or its restitution had to be clamped.
    pub out_of_domain: f64,
    /// How many times the indentation had a maximum.
    pub compressions: usize,
    /// Its mode in the timeline.
    pub mode: JointMode,
}

impl Episode {
    /// How long it lasted (s).
    pub fn duration(&self) -> f64 {
        self.end - self.start
    }

    /// Its regions as one text, `flat 1 > end 1` where it passed.
    pub fn region(&self) -> String {
        self.regions.join(" > ")
    }
}

/// What one joint did in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRecord {
    /// Its name.
    pub name: String,
    /// Counts, extremes, means and shares.
    pub summary: JointSummary,
    /// Free flight, impacts and continuous contact, without gaps over the whole run.
    pub timeline: Vec<Stretch>,
    /// What to know before trusting the numbers, each concern once.
    pub warnings: Vec<Warning>,
}

/// What happened in the clearance joints of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRecord {
    /// Start and end of the run (s).
    pub span: [f64; 2],
    /// The impact table in the order of the starts.
    pub episodes: Vec<Episode>,
    /// The joints, in the order in which they were given.
    pub joints: Vec<JointRecord>,
}

impl ContactRecord {
    /// The joint of this name.
    pub fn joint(&self, name: &str) -> Option<&JointRecord> {
        self.joints.iter().find(|joint| joint.name == name)
    }

    /// The episodes of one joint, in the order of their starts.
    pub fn episodes_of(&self, joint: usize) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().filter(move |episode| episode.joint == joint)
    }
}
