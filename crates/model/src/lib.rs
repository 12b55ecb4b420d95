//! Model files: one TOML file describes a mechanism and its run.
//!
//! [`Model::load`] reads a file and returns a [mechanism](jointplay_mbd::Mechanism) with its [run](RunPlan), named
//! [joints](JointHandle) and [channels](Channel), or all its [problems](Diagnostics) at once, each with line, column, source
//! line and a hint. `docs/model-file.md` describes the format, [`schema`] is its JSON schema.
//!
//! ```
//! use jointplay_model::{Model, Overrides};
//!
//! let text = r#"
//! format = 1
//! [world]
//! gravity = [0, "-9.81 m/s^2"]
//! [bodies.rod]
//! mass = "1 kg"
//! inertia = "0.083 kg m^2"
//! position = ["0.5 m", 0]
//! [joints.pivot]
//! type = "revolute"
//! a = { body = "ground" }
//! b = { body = "rod", at = ["-0.5 m", 0] }
//! [run]
//! until = "1 s"
//! "#;
//! let model = Model::parse(text, &Overrides::new())?;
//! let run = model.run.simulation(&model.mechanism).run()?;
//! let force = model.channel("pivot.force").expect("a channel");
//! println!("{} = {} {}", force.name(), force.eval(&run.end()?), force.unit());
//!
//! let wrong = Model::parse(&text.replace("mass", "mas"), &Overrides::new()).unwrap_err();
//! assert_eq!(wrong.problems[1].hint.as_deref(), Some("did you mean `mass`?"));
//! assert_eq!(wrong.problems[1].location.as_ref().unwrap().line, 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// docs/adr/0015: the page and the program give the same bits.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod array;
mod build;
mod canonical;
mod channel;
mod document;
mod drawing;
mod edit;
mod element;
mod format;
mod in_use;
mod iso286;
mod knob;
mod law;
mod lower;
mod metric;
mod model;
mod output;
mod overrides;
mod parameters;
mod problem;
mod schema;
pub mod shape;
mod source;
mod statistic;
mod suggestion;
mod tables;
mod text;
mod user;
mod word;

pub use build::{FitKind, Handle, NamedContact};
pub use canonical::{canonical, canonical_with_cases};
pub use channel::Channel;
pub use document::RunPlan;
pub use drawing::{Block, BlockSize, ContactDrawing, GapDrawing, GapForm};
pub use element::{ForceDrawing, ForceForm, JointForm};
pub use in_use::LawInUse;
pub use iso286::IsoFit;
pub use jointplay_expression::units;
pub use knob::{Knob, KnobQuantity};
pub use metric::{Metric, MetricInput, Reduced, Reduction, Window};
pub use model::{JointHandle, Model, NoChannel, PartArray, read_model_file};
pub use overrides::{Overrides, Value};
pub use problem::{Change, Diagnostics, DiagnosticsData, Location, Problem, ProblemData, is_order};
pub use schema::schema;
pub use statistic::{Description, Form, JointStatistic, JointTable};
pub use suggestion::Suggestion;
pub use tables::Tables;
pub use text::ModelText;

/// SHA-256 of the sources of this crate: results say which ones made them.
pub const SOURCE_HASH: &str = env!("SOURCE_HASH");
