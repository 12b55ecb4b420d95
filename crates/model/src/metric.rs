//! Metrics: one number of a run each, written as a formula.
//!
//! A formula has reductions of channels over time, such as `max(slider.ax)`, statistics of clearance joints, such as
//! `pin.peak_force`, parameters, and other metrics.

mod read;

use jointplay_expression::{Expression, Powers};
use jointplay_mbd::Snapshot;

use crate::model::Model;
use crate::output::ChannelFormula;
use crate::statistic::JointStatistic;

pub(crate) use read::{METRIC, MetricScope, MetricText};

/// A reduction of a channel to one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The greatest value.
    Max,
    /// The least value.
    Min,
    /// The mean over time.
    Mean,
    /// The root of the mean square over time.
    Rms,
    /// The greatest minus the least value.
    PeakToPeak,
    /// The integral over time.
    Integral,
    /// The first value.
    First,
    /// The last value.
    Last,
    /// The value below which the channel stays for a given percentage of the time.
    Percentile,
    /// The value at a given time.
    At,
}

impl Reduction {
    /// Every reduction with its name in a formula.
    pub const ALL: [(&'static str, Self); 10] = [
        ("max", Self::Max),
        ("min", Self::Min),
        ("mean", Self::Mean),
        ("rms", Self::Rms),
        ("peak_to_peak", Self::PeakToPeak),
        ("integral", Self::Integral),
        ("first", Self::First),
        ("last", Self::Last),
        ("percentile", Self::Percentile),
        ("at", Self::At),
    ];

    /// Whether it has a second argument.
    fn has_argument(self) -> bool {
        matches!(self, Self::Percentile | Self::At)
    }

    fn powers(self, of: Powers) -> Powers {
        match self {
            Self::Integral => of.times(Powers::whole([0, 0, 1])),
            Self::Max
            | Self::Min
            | Self::Mean
            | Self::Rms
            | Self::PeakToPeak
            | Self::First
            | Self::Last
            | Self::Percentile
            | Self::At => of,
        }
    }
}

/// The part of a run that a metric looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Window {
    /// From this time on (s).
    pub from: Option<f64>,
    /// Up to this time (s).
    pub to: Option<f64>,
    /// Over this length at the end (s).
    pub last: Option<f64>,
}

impl Window {
    /// Whether it is the whole run.
    pub fn is_whole(&self) -> bool {
        *self == Window::default()
    }

    /// Its start and end in a run over this span (s).
    pub fn within(&self, span: [f64; 2]) -> [f64; 2] {
        let end = self.to.unwrap_or(span[1]).min(span[1]);
        let start = self.from.unwrap_or(span[0]).max(span[0]);
        [self.last.map_or(start, |last| start.max(end - last)), end]
    }
}

/// One number of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// The formula as it is written.
    pub text: String,
    /// Its unit; `-` for a pure number.
    pub unit: String,
    /// The part of the run that it looks at.
    pub window: Window,
    expression: Expression,
    inputs: Vec<MetricInput>,
}

/// A number that a metric is computed from.
#[derive(Clone, Debug, PartialEq)]
pub enum MetricInput {
    /// A channel, reduced to one number.
    Reduced {
        /// How.
        by: Reduction,
        /// What.
        of: Reduced,
        /// The percentage, or the time (s).
        argument: Option<Box<Metric>>,
    },
    /// A statistic of a joint.
    Joint {
        /// The joint, contact or stop.
        joint: String,
        /// Which one.
        statistic: JointStatistic,
    },
    /// Another metric.
    Metric(Box<Metric>),
}

/// What a reduction is of: a formula of channels, some of which may be those of the ideal mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced(ChannelFormula);

impl Reduced {
    /// Whether it needs the run of the mechanism with ideal joints too.
    pub fn needs_ideal(&self) -> bool {
        self.0.needs_ideal()
    }

    /// Its value at an instant, given the same instant of the ideal mechanism where that is needed.
    pub fn eval(&self, at: &Snapshot<'_>, ideal: Option<&Snapshot<'_>>) -> f64 {
        self.0.eval(at, ideal)
    }
}

impl Metric {
    /// What it is computed from.
    pub fn inputs(&self) -> &[MetricInput] {
        &self.inputs
    }

    /// The value, given one number for each input.
    ///
    /// # Panics
    /// If the number of values is not that of the inputs.
    pub fn eval(&self, inputs: &[f64]) -> f64 {
        self.expression.eval(inputs)
    }

    /// Its value if it depends on parameters alone, so that nothing needs to be run.
    pub fn without_run(&self) -> Option<f64> {
        let values = self.inputs.iter().map(|input| match input {
            MetricInput::Metric(metric) => metric.without_run(),
            MetricInput::Reduced { .. } | MetricInput::Joint { .. } => None,
        });
        Some(self.eval(&values.collect::<Option<Vec<f64>>>()?))
    }

    /// Whether it needs the run of the mechanism with ideal joints too.
    pub fn needs_ideal(&self) -> bool {
        self.inputs.iter().any(|input| match input {
            MetricInput::Reduced { of, argument, .. } => {
                of.needs_ideal() || argument.as_ref().is_some_and(|metric| metric.needs_ideal())
            }
            MetricInput::Joint { .. } => false,
            MetricInput::Metric(metric) => metric.needs_ideal(),
        })
    }

    /// Takes the channels of the ideal mechanism from its model.
    ///
    /// # Errors
    /// A sentence if that has no such channel.
    pub fn take_ideal_from(&mut self, ideal: &Model) -> Result<(), String> {
        for input in &mut self.inputs {
            match input {
                MetricInput::Reduced { of, argument, .. } => {
                    of.0.take_ideal_from(ideal)?;
                    if let Some(metric) = argument {
                        metric.take_ideal_from(ideal)?;
                    }
                }
                MetricInput::Joint { .. } => {}
                MetricInput::Metric(metric) => metric.take_ideal_from(ideal)?,
            }
        }
        Ok(())
    }

    /// Whether it looks at channels, and not only at joints and parameters.
    pub fn needs_channels(&self) -> bool {
        self.inputs.iter().any(|input| match input {
            MetricInput::Reduced { .. } => true,
            MetricInput::Joint { .. } => false,
            MetricInput::Metric(metric) => metric.needs_channels(),
        })
    }
}
