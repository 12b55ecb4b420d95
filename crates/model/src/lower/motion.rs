//! Drivers, forces and coordinates.

use jointplay_mbd::{Side, Signal};

use super::Lower;
use super::view::View;
use crate::document::{BushingNumbers, Condition, Coordinate, Document, Driver, Force, Point};
use crate::problem::did_you_mean;
use crate::shape;
use crate::units::Dimension;

impl Lower<'_, '_> {
    /// The scalar that a table names, and whether it is a length or an angle.
    pub(super) fn coordinate(
        &mut self,
        view: &View<'_>,
        document: &Document,
        root: &View<'_>,
    ) -> Option<(Coordinate, Dimension)> {
        let keys = ["joint", "angle", "x", "y", "distance"];
        let given: Vec<&'static str> = keys.into_iter().filter(|key| view.has(key)).collect();
        let key = match given.as_slice() {
            [one] => *one,
            [] => {
                let hint = Some("give one of joint, angle, x, y, distance".to_owned());
                self.report_whole(view, "it is not said of which coordinate", hint);
                return None;
            }
            [first, second, ..] => {
                let message = format!("`{first}` and `{second}` are two coordinates; give one");
                self.report(view, second, message, None);
                return None;
            }
        };
        match key {
            "joint" => self.joint_coordinate(view, document, root),
            "angle" => {
                let node = view.node(key)?;
                let path = view.path_of(key);
                let coordinate = match node.list() {
                    None => Coordinate::Angle(self.body_number(node, &path)?),
                    Some([a, b]) => {
                        let (from, to) = (self.body_number(a, &path), self.body_number(b, &path));
                        let (from, to) = (from?, to?);
                        if from == to {
                            let message = "an angle between a body and itself";
                            self.report(view, key, message, None);
                            return None;
                        }
                        Coordinate::AngleBetween(from, to)
                    }
                    Some(_) => {
                        self.report(view, key, "an angle is that of one body or of two", None);
                        return None;
                    }
                };
                Some((coordinate, Dimension::Angle))
            }
            "x" => Some((Coordinate::X(self.point_of(view, key)?), Dimension::Length)),
            "y" => Some((Coordinate::Y(self.point_of(view, key)?), Dimension::Length)),
            _ => {
                let places = view.list("distance");
                let [a, b] = places.as_slice() else {
                    self.report(view, key, "a distance has two points", None);
                    return None;
                };
                let (a, b) = (self.point(a), self.point(b));
                let (a, b) = (a?, b?);
                if a.body == b.body {
                    self.report(view, key, "both points are on one body", None);
                    return None;
                }
                Some((Coordinate::Distance(a, b), Dimension::Length))
            }
        }
    }

    fn joint_coordinate(
        &mut self,
        view: &View<'_>,
        document: &Document,
        root: &View<'_>,
    ) -> Option<(Coordinate, Dimension)> {
        let name = view.text("joint")?;
        let Some(&number) = self.joints.get(name) else {
            // A joint that could not be read has been reported.
            if !root.keys("joints").any(|(known, _)| known == name) {
                let hint = did_you_mean(name, root.keys("joints").map(|(known, _)| known));
                self.report(view, "joint", format!("there is no joint `{name}`"), hint);
            }
            return None;
        };
        let dimension = document.joints[number].part.form.coordinate();
        if dimension.is_none() {
            let hint = Some("use angle, x, y or distance".to_owned());
            let message = format!("the joint `{name}` has no coordinate of its own");
            self.report(view, "joint", message, hint);
        }
        Some((Coordinate::Joint(number), dimension?))
    }

    pub(super) fn driver(
        &mut self,
        view: &View<'_>,
        document: &Document,
        root: &View<'_>,
    ) -> Option<Driver> {
        let coordinate = self.coordinate(view, document, root);
        match (view.has("speed"), view.has("value")) {
            (true, true) => {
                self.report(view, "value", "`speed` and `value` are two motions; give one", None);
                return None;
            }
            (false, false) => {
                let hint = Some("give speed = \"200 rpm\" or value = \"0.1*sin(t)\"".to_owned());
                self.report_whole(view, "it has no motion", hint);
                return None;
            }
            _ => {}
        }
        if view.has("start") && !view.has("speed") {
            self.report(view, "start", "`start` goes with `speed`", None);
        }
        let (coordinate, dimension) = coordinate?;
        let signal = if view.has("speed") {
            let speed = self.exact(view, "speed", rate_of(dimension))?;
            let start = if view.has("start") { self.exact(view, "start", dimension)? } else { 0.0 };
            let made = Signal::rate(start, speed);
            self.made(view, "speed", made)?
        } else {
            self.signal(view, "value", dimension)?
        };
        Some(Driver { coordinate, dimension, signal })
    }

    /// A quantity whose dimension is known by now; what another dimension was allowed for is reported here.
    pub(super) fn exact(
        &mut self,
        view: &View<'_>,
        key: &'static str,
        dimension: Dimension,
    ) -> Option<f64> {
        match shape::quantity(view.node(key)?, &[dimension]) {
            Ok((value, _)) => Some(value),
            Err(error) => {
                self.report(view, key, error.message, error.hint);
                None
            }
        }
    }

    pub(super) fn force(
        &mut self,
        view: &View<'_>,
        document: &Document,
        root: &View<'_>,
    ) -> Option<Force> {
        match view.text("type")? {
            "spring" => self.spring(view, document),
            "torsion-spring" => {
                let (a, b) = (self.body_of(view, "a"), self.body_of(view, "b"));
                let (a, b) = (a?, b?);
                self.two_bodies(view, a, b)?;
                let stiffness = self.stiffness(view, "stiffness", Dimension::TorsionalStiffness);
                let damping = self.not_negative(view, "damping", Dimension::TorsionalDamping);
                Some(Force::TorsionSpring {
                    a,
                    b,
                    stiffness: stiffness.unwrap_or(0.0),
                    damping: damping.unwrap_or(0.0),
                    free_angle: view.quantity("free_angle", Dimension::Angle).unwrap_or(0.0),
                    preload: view.quantity("preload", Dimension::Torque).unwrap_or(0.0),
                })
            }
            "force" => {
                let on = self.point_of(view, "on");
                let direction = self.direction(view);
                let size = self.signal(view, "value", Dimension::Force);
                let in_body = view.text("frame") == Some("body");
                Some(Force::Load { on: on?, direction: direction?, in_body, size: size? })
            }
            "torque" => {
                let on = self.body_of(view, "on");
                let against =
                    if view.has("against") { self.body_of(view, "against") } else { Some(0) };
                let size = self.signal(view, "value", Dimension::Torque);
                let (on, against) = (on?, against?);
                self.two_bodies(view, on, against)?;
                Some(Force::Torque { on, against, size: size? })
            }
            "bushing" => {
                let (a, b) = (self.axis_of(view, "a"), self.axis_of(view, "b"));
                let numbers = self.bushing(view)?;
                let (a, b) = (a?, b?);
                self.two_bodies(view, a.point.body, b.point.body)?;
                Some(Force::Bushing { a, b, numbers })
            }
            _ => self.stop(view, document, root),
        }
    }

    fn spring(&mut self, view: &View<'_>, document: &Document) -> Option<Force> {
        let (a, b) = (self.point_of(view, "a"), self.point_of(view, "b"));
        let stiffness = self.stiffness(view, "stiffness", Dimension::Stiffness).unwrap_or(0.0);
        let damping = self.not_negative(view, "damping", Dimension::Damping).unwrap_or(0.0);
        let free = self.not_negative(view, "free_length", Dimension::Length);
        let (a, b) = (a?, b?);
        self.two_bodies(view, a.body, b.body)?;
        let free_length = free.unwrap_or_else(|| distance(document, a, b));
        let preload = view.quantity("preload", Dimension::Force).unwrap_or(0.0);
        if distance(document, a, b) == 0.0 && (free_length > 0.0 || preload != 0.0) {
            let hint = Some("a spring of no length has no direction: move an end".to_owned());
            self.report_whole(view, "both ends of the spring coincide at the start", hint);
        }
        Some(Force::Spring { a, b, stiffness, damping, free_length, preload })
    }

    fn stop(&mut self, view: &View<'_>, document: &Document, root: &View<'_>) -> Option<Force> {
        let coordinate = self.coordinate(view, document, root);
        let touch = self.touching(view);
        let (key, side) = match (view.has("below"), view.has("above")) {
            (true, false) => ("below", Side::Below),
            (false, true) => ("above", Side::Above),
            _ => {
                let message = "a stop has one limit, `below` or `above`";
                self.report_whole(view, message, Some("write two stops for two limits".into()));
                return None;
            }
        };
        let (coordinate, dimension) = coordinate?;
        let limit = self.exact(view, key, dimension)?;
        Some(Force::Stop { coordinate, dimension, limit, side, touch: Box::new(touch?) })
    }

    pub(super) fn condition(
        &mut self,
        view: &View<'_>,
        document: &Document,
        root: &View<'_>,
    ) -> Option<Condition> {
        if !view.has("value") && !view.has("rate") {
            self.report_whole(view, "neither a `value` nor a `rate` is given", None);
        }
        let (coordinate, dimension) = self.coordinate(view, document, root)?;
        let value = self.exact(view, "value", dimension);
        let rate = self.exact(view, "rate", rate_of(dimension));
        Some(Condition { coordinate, value, rate, at: view.at() })
    }

    /// Stiffness and damping of a bushing.
    pub(super) fn bushing(&mut self, view: &View<'_>) -> Option<BushingNumbers> {
        let pair = |this: &mut Self, key, dimension| {
            let given = match view.vector(key, dimension) {
                Some(pair) => Some(pair),
                None => view.quantity(key, dimension).map(|both| [both, both]),
            };
            let numbers = given.unwrap_or_default();
            if numbers.iter().any(|x| !(*x >= 0.0)) {
                this.report(view, key, "it must not be negative", None);
            }
            this.check_size(view, key, numbers[0].max(numbers[1]));
            numbers
        };
        if !view.has("stiffness") {
            let hint = Some("write stiffness = \"1e8 N/m\"".to_owned());
            self.report_whole(view, "a bushing needs a `stiffness`", hint);
            return None;
        }
        let [kx, ky] = pair(self, "stiffness", Dimension::Stiffness);
        let [cx, cy] = pair(self, "damping", Dimension::Damping);
        let turning = self.stiffness(view, "torsional_stiffness", Dimension::TorsionalStiffness);
        let damped = self.not_negative(view, "torsional_damping", Dimension::TorsionalDamping);
        Some(BushingNumbers {
            stiffness: [kx, ky, turning.unwrap_or(0.0)],
            damping: [cx, cy, damped.unwrap_or(0.0)],
        })
    }

    fn stiffness(&mut self, view: &View<'_>, key: &'static str, d: Dimension) -> Option<f64> {
        let value = self.not_negative(view, key, d)?;
        self.check_size(view, key, value);
        Some(value)
    }

    fn check_size(&mut self, view: &View<'_>, key: &'static str, value: f64) {
        if value > crate::law::MAX_STIFFNESS {
            let hint = Some("use an ideal joint for what does not yield".to_owned());
            self.report(view, key, format!("{value:e}: nothing is so stiff"), hint);
        }
    }

    pub(super) fn two_bodies(&mut self, view: &View<'_>, a: usize, b: usize) -> Option<()> {
        if a == b {
            self.report_whole(view, "it acts between a body and itself", None);
            return None;
        }
        Some(())
    }
}

/// The dimension of the rate of a coordinate.
fn rate_of(dimension: Dimension) -> Dimension {
    if dimension == Dimension::Angle { Dimension::AngularSpeed } else { Dimension::Speed }
}

/// The distance of two points as the bodies are placed.
pub(super) fn distance(document: &Document, a: Point, b: Point) -> f64 {
    let [a, b] = [a, b].map(|point| place(document, point));
    libm::hypot(a[0] - b[0], a[1] - b[1])
}

/// Where a point is as its body is placed.
pub(super) fn place(document: &Document, point: Point) -> [f64; 2] {
    let Some(body) = point.body.checked_sub(1).and_then(|i| document.bodies.get(i)) else {
        return point.local;
    };
    let (sin, cos) = libm::sincos(body.part.angle);
    let ([x, y], [u, v]) = (body.part.position, point.local);
    [x + cos * u - sin * v, y + sin * u + cos * v]
}
