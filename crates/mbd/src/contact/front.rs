//! The position of a pin along a section of its wall.

use jointplay_ode::Enclosure;

use super::gap::Gap;
use crate::frame::{Motion, cross, dot, sub};

/// The range in front of a section: a contact belongs to the section only while the pin is in front
/// of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Front {
    /// In front of a flat in this unit direction in the frame of its body, up to this distance from its middle (m).
    Flat { along: [f64; 2], half: f64 },
    /// In front of an arc, within an angle with this cosine of this unit direction in the frame of its body.
    Arc { bisector: [f64; 2], cosine: f64 },
}

/// The position of a pin along a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Along {
    /// Positive while the pin is in front of the section (m).
    pub(crate) before: f64,
    /// The coordinate of the pin between the ends: positive counter-clockwise about the centre of
    /// an arc, and along a flat.
    pub(crate) towards: f64,
    /// Whether the height of the pin's centre above the surface, and not its distance from an end
    /// of the section, decides whether the pin is in front.
    pub(crate) behind: bool,
}

impl Along {
    /// In front of a wall without ends.
    pub(crate) const ENDLESS: Along = Along { before: 1.0, towards: 0.0, behind: false };
}

impl Front {
    /// The position of the pin along its section. A pin whose centre is behind the surface is on
    /// its way from elsewhere, like the pin of a Geneva drive around the wheel, and is not in front
    /// of it.
    pub(crate) fn measure(&self, gap: &Gap, motion: &[Motion<f64>]) -> Along {
        let Some([wall, pin]) = gap.stations() else { return Along::ENDLESS };
        let body = &motion[wall.frame];
        let e = sub(motion[pin.frame].point(pin.local).x, body.point(wall.local).x);
        let [within, towards] = match *self {
            Front::Flat { along, half } => {
                let s = dot(body.turn(along), e);
                [(half - s) * (half + s) / (2.0 * half), s]
            }
            Front::Arc { bisector, cosine } => {
                let bisector = body.turn(bisector);
                [dot(bisector, e) - dot(e, e).sqrt() * cosine, cross(bisector, e)]
            }
        };
        let [delta, _] = gap.approach(motion);
        let pin_radius = gap.pin_radius();
        if pin_radius <= 0.0 {
            return Along { before: within, towards, behind: false };
        }
        // The smaller of both, so that it is continuous when the centre passes through the surface.
        // Otherwise another event at the same instant could end the step just before, where this
        // one does not show yet.
        let above = pin_radius - delta;
        Along { before: within.min(above), towards, behind: above < within.abs() }
    }

    /// A function of time over a whole interval that is positive wherever the pin is in front of
    /// the section.
    pub(crate) fn enclose(&self, gap: &Gap, motion: &[Motion<Enclosure>]) -> Enclosure {
        let Some([wall, pin]) = gap.stations() else { return Enclosure::constant(1.0) };
        if let Gap::Flat { pin_radius, .. } = gap
            && *pin_radius > 0.0
            && gap.enclose(motion, 0.0).least() > *pin_radius
        {
            return Enclosure::constant(-1.0); // its centre is behind the surface
        }
        let body = &motion[wall.frame];
        let e = sub(motion[pin.frame].point(pin.local).x, body.point(wall.local).x);
        match *self {
            Front::Flat { along, half } => {
                let s = dot(body.turn(along), e);
                (s * s - half * half) * (-0.5 / half)
            }
            Front::Arc { bisector, cosine } => {
                dot(body.turn(bisector), e) - dot(e, e).sqrt() * cosine
            }
        }
    }
}
