//! A scalar of the mechanism, by which drivers, stops and conditions at the start are given.

use jointplay_mbd as mbd;

use crate::document::Document;
use crate::format::{PLACE, f};
use crate::lower::{Lower, View};
use crate::shape::{Field, Kind};
use crate::suggestion::did_you_mean;
use crate::units::Dimension as D;

use Kind::{AnyOf, List, Name};

/// The keys of a coordinate: exactly one of these.
pub(crate) const COORDINATE: &[Field] = &[
    f("joint", Name, "the coordinate of this joint: angle or displacement of b on a"),
    f(
        "angle",
        AnyOf(&[Name, List(&Name)]),
        "the angle of this body, or from the first body to the second",
    ),
    f("x", PLACE, "world x of a point"),
    f("y", PLACE, "world y of a point"),
    f("distance", List(&PLACE), "the distance of two points"),
];

/// The dimensions of a coordinate.
pub(crate) const MOTION: &[D] = &[D::Length, D::Angle];

/// The dimensions of its rate.
pub(crate) const RATE: &[D] = &[D::Speed, D::AngularSpeed];

/// A scalar of the mechanism.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinate {
    pub(crate) of: CoordinateOf,
    /// Length or angle.
    pub(crate) dimension: D,
}

/// What a coordinate is that of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CoordinateOf {
    /// The joint with this number; what that is for the mechanism depends on its kind.
    Joint(usize),
    /// Bodies.
    Bodies(mbd::Coordinate),
}

type Reader = fn(&mut Lower<'_, '_>, &View<'_>) -> Option<Coordinate>;

/// The keys with how they are read.
const KEYS: [(&str, Reader); 5] = [
    ("joint", of_joint),
    ("angle", angle),
    ("x", |lower, view| Some(length(mbd::Coordinate::X(lower.point_of(view, "x")?)))),
    ("y", |lower, view| Some(length(mbd::Coordinate::Y(lower.point_of(view, "y")?)))),
    ("distance", distance),
];

impl Coordinate {
    /// Reads the scalar that a table names.
    pub(crate) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Self> {
        let given: Vec<&(&'static str, Reader)> =
            KEYS.iter().filter(|(key, _)| view.has(key)).collect();
        match given.as_slice() {
            [(_, read)] => read(lower, view),
            [] => {
                let hint = Some("give one of joint, angle, x, y, distance".to_owned());
                lower.report_whole(view, "no coordinate is given", hint);
                None
            }
            [(first, _), (second, _), ..] => {
                let message =
                    format!("`{first}` and `{second}` are two coordinates; give only one");
                lower.report(view, second, message, None);
                None
            }
        }
    }

    /// The dimension of its rate.
    pub(crate) fn rate(self) -> D {
        if self.dimension == D::Angle { D::AngularSpeed } else { D::Speed }
    }

    /// The units of its value, its rate and its acceleration.
    pub(crate) fn units(self) -> [&'static str; 3] {
        if self.dimension == D::Angle { ["rad", "rad/s", "rad/s^2"] } else { ["m", "m/s", "m/s^2"] }
    }

    /// It for people.
    pub(crate) fn label(self, document: &Document) -> String {
        use mbd::Coordinate::{Angle, AngleBetween, Distance, Joint, X, Y};
        let body = |id: mbd::BodyId| {
            let body = document.bodies.iter().find(|body| body.part == id);
            body.map_or("ground", |body| body.name.as_str()).to_owned()
        };
        match self.of {
            CoordinateOf::Joint(i) => document.joints[i].name.clone(),
            // A file names joints, not constraints of the mechanism.
            CoordinateOf::Bodies(Joint(_)) => "joint".to_owned(),
            CoordinateOf::Bodies(Angle(of) | AngleBetween(_, of)) => body(of),
            CoordinateOf::Bodies(X(point)) => format!("{} x", body(point.body)),
            CoordinateOf::Bodies(Y(point)) => format!("{} y", body(point.body)),
            CoordinateOf::Bodies(Distance(_, point)) => body(point.body),
        }
    }
}

fn length(coordinate: mbd::Coordinate) -> Coordinate {
    Coordinate { of: CoordinateOf::Bodies(coordinate), dimension: D::Length }
}

fn of_joint(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Coordinate> {
    let name = view.text("joint")?;
    let Some((number, dimension)) = lower.joint_named(name) else {
        // A joint that could not be read has been reported.
        if !lower.joint_names.iter().any(|known| known == name) {
            let near = || did_you_mean(name, lower.joint_names.iter().map(String::as_str));
            let hint = lower.arrays.hint(name).or_else(near);
            lower.report(view, "joint", format!("there is no joint `{name}`"), hint);
        }
        return None;
    };
    if dimension.is_none() {
        let hint = Some("use angle, x, y or distance".to_owned());
        let message = format!("the joint `{name}` has no coordinate of its own");
        lower.report(view, "joint", message, hint);
    }
    Some(Coordinate { of: CoordinateOf::Joint(number), dimension: dimension? })
}

fn angle(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Coordinate> {
    let node = view.node("angle")?;
    let path = view.path_of("angle");
    let coordinate = match node.list() {
        None => mbd::Coordinate::Angle(lower.body_named(node, &path)?),
        Some([a, b]) => {
            let (from, to) = (lower.body_named(a, &path), lower.body_named(b, &path));
            let (from, to) = (from?, to?);
            if from == to {
                lower.report(view, "angle", "the two bodies of an angle must be different", None);
                return None;
            }
            mbd::Coordinate::AngleBetween(from, to)
        }
        Some(_) => {
            lower.report(view, "angle", "an angle has one body or two", None);
            return None;
        }
    };
    Some(Coordinate { of: CoordinateOf::Bodies(coordinate), dimension: D::Angle })
}

fn distance(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Coordinate> {
    let places = view.list("distance");
    let [a, b] = places.as_slice() else {
        lower.report(view, "distance", "a distance has two points", None);
        return None;
    };
    let (a, b) = (lower.point(a), lower.point(b));
    let (a, b) = (a?, b?);
    if a.body == b.body {
        lower.report(view, "distance", "both points are on one body", None);
        return None;
    }
    Some(length(mbd::Coordinate::Distance(a, b)))
}
