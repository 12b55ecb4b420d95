//! Bodies, points and axes that a file names.

use jointplay_mbd::{Anchor, Axis, BodyId};

use super::{Lower, View};
use crate::source::Node;
use crate::suggestion::did_you_mean;
use crate::units::Dimension;

impl Lower<'_, '_> {
    /// A body by its name.
    pub(crate) fn body_named(&mut self, node: &Node, path: &str) -> Option<BodyId> {
        let name = node.text()?;
        let found = self.bodies.get(name).copied();
        if found.is_none() {
            let near = || did_you_mean(name, self.bodies.keys().map(String::as_str));
            let hint = self.arrays.hint(name).or_else(near);
            let message = format!("there is no body `{name}`");
            self.problems.report(&node.place, path, message, hint);
        }
        found
    }

    pub(crate) fn body_of(&mut self, view: &View<'_>, key: &'static str) -> Option<BodyId> {
        self.body_named(view.node(key)?, &view.path_of(key))
    }

    /// The number of a joint that could be read, and the dimension of its coordinate.
    pub(crate) fn joint_named(&self, name: &str) -> Option<(usize, Option<Dimension>)> {
        self.joints.get(name).copied()
    }

    /// A point of a body, given by a table.
    pub(crate) fn point(&mut self, view: &View<'_>) -> Option<Anchor> {
        let local = view.vector("at", Dimension::Length).unwrap_or_default();
        Some(self.body_of(view, "body")?.at(local))
    }

    pub(crate) fn point_of(&mut self, view: &View<'_>, key: &'static str) -> Option<Anchor> {
        let place = view.view(key)?;
        self.point(&place)
    }

    /// A point of a body with a direction, given by a table.
    pub(crate) fn axis_of(&mut self, view: &View<'_>, key: &'static str) -> Option<Axis> {
        let place = view.view(key)?;
        let direction = if place.has("direction") { self.direction(&place) } else { None };
        Some(self.point(&place)?.along(direction.unwrap_or([1.0, 0.0])))
    }

    /// The distance of two points as the bodies are placed.
    pub(crate) fn distance(&self, a: Anchor, b: Anchor) -> f64 {
        let [a, b] = [a, b].map(|point| self.place(point));
        libm::hypot(a[0] - b[0], a[1] - b[1])
    }

    /// The position of a point with its body as placed.
    pub(super) fn place(&self, point: Anchor) -> [f64; 2] {
        let Some(body) = self.parts.body_at(point.body) else { return point.local };
        let (sin, cos) = libm::sincos(body.angle);
        let ([x, y], [u, v]) = (body.position, point.local);
        [x + cos * u - sin * v, y + sin * u + cos * v]
    }

    /// Checks that an element acts between two different bodies.
    pub(crate) fn two_bodies(&mut self, view: &View<'_>, a: BodyId, b: BodyId) -> Option<()> {
        if a == b {
            self.report_whole(view, "both of its ends are on the same body", None);
            return None;
        }
        Some(())
    }

    /// A direction: an angle or a vector.
    pub(crate) fn direction(&mut self, view: &View<'_>) -> Option<[f64; 2]> {
        if let Some(vector) = view.vector("direction", Dimension::Number) {
            let length = libm::hypot(vector[0], vector[1]);
            if !(length > 0.0 && length.is_finite()) {
                self.report(view, "direction", "the direction has zero length", None);
                return None;
            }
            return Some(vector);
        }
        let angle = view.quantity("direction", Dimension::Angle)?;
        let (sin, cos) = libm::sincos(angle);
        Some([cos, sin])
    }
}
