//! Working memory of the equations of motion.

use jointplay_expression::Jet;

use super::mobility::{GeometricWork, Mobility};
use super::span::DriverPlace;
use super::tree::LinkWork;
use crate::circle::sin_cos;
use crate::frame::{Motion, Spatial};
use crate::real::{Dual, Real};
use crate::row::RowValue;

/// Everything that is computed from a state.
#[derive(Clone, Debug)]
pub(crate) struct Work<T> {
    /// Signals of the drivers.
    pub(crate) drives: Vec<Jet>,
    pub(crate) motion: Vec<Motion<T>>,
    /// Applied forces on each frame.
    pub(crate) force: Vec<Spatial<T>>,
    /// Forces that are added.
    pub(super) change: Vec<Spatial<T>>,
    pub(crate) acceleration: Vec<Spatial<T>>,
    /// Second derivatives of the unknowns.
    pub(crate) unknowns: Vec<T>,
    pub(super) links: Vec<LinkWork<T>>,
    pub(crate) rows: Vec<RowValue<T>>,
    pub(crate) multiplier: Vec<T>,
    /// The contribution of the weakest constraint of the last solution, as a fraction of what it
    /// would add alone; 1 if none is weak.
    pub(crate) weakest: f64,
    pub(super) step: Vec<T>,
    pub(super) mobility: Mobility<T>,
    pub(super) geometric: Option<Box<GeometricWork<T>>>,
}

impl Work<f64> {
    /// The motion of all frames 1 µs later, at the present accelerations.
    pub(crate) fn soon(&self) -> Vec<Motion<f64>> {
        let h = 1e-6;
        let later = |(motion, a): (&Motion<f64>, &Spatial<f64>)| {
            let angle = motion.angle + h * (motion.omega + 0.5 * h * a[2]);
            let (sin, cos) = sin_cos(angle);
            Motion {
                x: std::array::from_fn(|i| motion.x[i] + h * (motion.v[i] + 0.5 * h * a[i])),
                angle,
                cos,
                sin,
                v: std::array::from_fn(|i| motion.v[i] + h * a[i]),
                omega: motion.omega + h * a[2],
            }
        };
        self.motion.iter().zip(&self.acceleration).map(later).collect()
    }

    /// The motion of all frames with its derivatives with respect to time, which stand first among those of [`Dual`].
    pub(crate) fn in_time(&self) -> Vec<Motion<Dual>> {
        let with = |value: f64, rate: f64| Dual::variable(0.0, 0).chain(value, rate);
        let moving = |(m, a): (&Motion<f64>, &Spatial<f64>)| Motion {
            x: std::array::from_fn(|i| with(m.x[i], m.v[i])),
            angle: with(m.angle, m.omega),
            cos: with(m.cos, -m.sin * m.omega),
            sin: with(m.sin, m.cos * m.omega),
            v: std::array::from_fn(|i| with(m.v[i], a[i])),
            omega: with(m.omega, a[2]),
        };
        self.motion.iter().zip(&self.acceleration).map(moving).collect()
    }
}

impl<T: Real> Work<T> {
    /// The force or moment of a driver along its coordinate.
    #[inline]
    pub(crate) fn effort(&self, place: DriverPlace) -> T {
        match place {
            DriverPlace::Link { link } => self.link_drive(link),
            DriverPlace::Row(row) => -self.multiplier[row],
        }
    }

    /// The force of a driver that moves a link of the tree.
    #[inline]
    pub(super) fn link_drive(&self, link: usize) -> T {
        self.links[link].effort
    }

    /// The forces of a row on its bodies a and b.
    pub(crate) fn row_force(&self, row: usize) -> [Spatial<T>; 2] {
        let (value, multiplier) = (&self.rows[row], self.multiplier[row]);
        let force = |on: Spatial<T>| on.map(|on| -multiplier * on);
        [force(value.on_a), force(value.on_b)]
    }
}
