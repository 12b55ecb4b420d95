//! How fast dampers slow their bodies down, by which the method of integration is chosen.

use super::{BushingElement, Element, stretch};
use crate::frame::{Motion, Spatial, cross, sub};

impl Element {
    /// The rate (1/s) at which its damping slows its bodies down, given the inverse masses of the frames.
    pub(crate) fn decay(&self, motion: &[Motion<f64>], inverse: &[Spatial<f64>]) -> f64 {
        match self {
            Element::Spring { a, b, law, .. } if law.damping > 0.0 => {
                let stretch = stretch(motion, a, b);
                stretch.map_or(0.0, |stretch| {
                    law.damping * mobility(inverse, [a.frame, b.frame], stretch.arms, stretch.unit)
                })
            }
            Element::TorsionSpring { a, b, law, .. } => {
                law.damping * (inverse[*a][2] + inverse[*b][2])
            }
            Element::Bushing(bushing) => bushing.decay(motion, inverse),
            // What users write is not asked for more than its forces.
            Element::Load { .. }
            | Element::Torque { .. }
            | Element::Spring { .. }
            | Element::Line(_)
            | Element::Custom(_) => 0.0,
        }
    }

    /// Whether it may have a [decay](Self::decay).
    pub(crate) fn is_damped(&self) -> bool {
        match self {
            Element::Spring { law, .. } | Element::TorsionSpring { law, .. } => law.damping > 0.0,
            Element::Bushing(bushing) => bushing.damping.iter().any(|damping| *damping > 0.0),
            Element::Load { .. }
            | Element::Torque { .. }
            | Element::Line(_)
            | Element::Custom(_) => false,
        }
    }
}

impl BushingElement {
    fn decay(&self, motion: &[Motion<f64>], inverse: &[Spatial<f64>]) -> f64 {
        let frames = [self.a.frame, self.b.frame];
        let [a, b] = frames.map(|frame| &motion[frame]);
        let p_b = b.point(self.b.local);
        let arms = [sub(p_b.x, a.x), p_b.arm];
        let [along, across] = self.axes.map(|axis| mobility(inverse, frames, arms, a.turn(axis)));
        let turning = frames.map(|frame| inverse[frame][2]).iter().sum();
        let rates = self.damping.iter().zip([along, across, turning]).map(|(c, of)| c * of);
        rates.fold(0.0, f64::max)
    }
}

/// 1/m of two bodies along a direction in which they push each other at the ends of these arms.
fn mobility(
    inverse: &[Spatial<f64>],
    frames: [usize; 2],
    arms: [[f64; 2]; 2],
    direction: [f64; 2],
) -> f64 {
    let of = |frame: usize, arm: [f64; 2]| {
        let ([x, y], [m_x, m_y, j]) = (direction, inverse[frame]);
        let turn = cross(arm, direction);
        x * x * m_x + y * y * m_y + turn * turn * j
    };
    of(frames[0], arms[0]) + of(frames[1], arms[1])
}
