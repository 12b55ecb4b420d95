//! Forces: the interface of every type of force.

use jointplay_mbd::{self as mbd, Anchor, Axis};
use serde::Serialize;

use super::stop::Stop;
use super::{bushing, load, spring, torque, torsion_spring};
use crate::channel::ForceQuantity;

/// A force of a file.
#[derive(Clone, Debug)]
pub(crate) enum Force {
    /// A force element of the mechanism.
    Acting(mbd::Force),
    /// A contact where a coordinate passes a limit.
    Stop(Box<Stop>),
}

impl Force {
    /// The stop, if it is one.
    pub(crate) fn stop(&self) -> Option<&Stop> {
        match self {
            Force::Stop(stop) => Some(stop),
            Force::Acting(_) => None,
        }
    }

    /// The stop, to be changed.
    pub(crate) fn stop_mut(&mut self) -> Option<&mut Stop> {
        match self {
            Force::Stop(stop) => Some(stop),
            Force::Acting(_) => None,
        }
    }
}

/// The channels of a force element: keys, units and quantities.
pub(crate) fn channels(
    force: &mbd::Force,
) -> &'static [(&'static str, &'static str, ForceQuantity)] {
    match force {
        // No file has elements of users; in Rust they are read as the nearest of ours.
        mbd::Force::Spring(_) | mbd::Force::Line(_) => spring::CHANNELS,
        mbd::Force::TorsionSpring(_) => torsion_spring::CHANNELS,
        mbd::Force::Load { .. } => load::CHANNELS,
        mbd::Force::Torque { .. } => torque::CHANNELS,
        mbd::Force::Bushing(_) | mbd::Force::Custom(_) => bushing::CHANNELS,
    }
}

/// The form in which a force element is drawn.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForceForm {
    /// A coil between two points.
    Spring,
    /// A coil about a point: a moment.
    TorsionSpring,
    /// A force that acts on a point.
    Load,
    /// A moment on a body.
    Torque,
    /// A cushion between two points.
    Bushing,
}

/// Data for drawing a force element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceDrawing {
    /// The form in which it is drawn.
    pub form: ForceForm,
    /// Its first end, if it has two.
    pub a: Option<Axis>,
    /// Its second end, or its point of application.
    pub b: Axis,
    /// Whether it is a pure moment, which has no point of application.
    pub turns: bool,
}

impl ForceDrawing {
    /// The drawing of a force element.
    pub fn of(force: &mbd::Force) -> Self {
        match force {
            mbd::Force::Spring(spring) => spring::drawing(spring),
            mbd::Force::TorsionSpring(spring) => torsion_spring::drawing(spring),
            mbd::Force::Load { at, .. } => load::drawing(*at),
            mbd::Force::Torque { on, .. } => torque::drawing(*on),
            mbd::Force::Bushing(bushing) => bushing::drawing(bushing),
            mbd::Force::Line(line) => ForceDrawing {
                form: ForceForm::Spring,
                a: Some(line.a.into()),
                b: line.b.into(),
                turns: false,
            },
            mbd::Force::Custom(custom) => ForceDrawing {
                form: ForceForm::Bushing,
                a: Some(custom.a.into()),
                b: custom.b.into(),
                turns: false,
            },
        }
    }

    /// The points of bodies to which it is attached.
    pub fn anchors(&self) -> impl Iterator<Item = Anchor> {
        let ends = self.a.into_iter().chain([self.b]);
        ends.filter(|_| !self.turns).map(|end| end.anchor)
    }
}
