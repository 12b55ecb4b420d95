//! The centre line of a slot: straight, curved, or a chain of both.

use std::f64::consts::TAU;

use jointplay_mbd::Shape;

use crate::format::{ANGLE, LENGTH, POINT, f, must};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension;

pub(super) static RECORD: Record = Record {
    doc: "A straight slot (from, to), a curved one (centre, radius, from_angle, to_angle) or a chain (points)",
    fields: &[&[
        f("from", POINT, "centre of the first end arc"),
        f("to", POINT, "centre of the last end arc"),
        f("width", LENGTH, "width of the slot"),
        f("radius_from", LENGTH, "radius of the first end of a slot whose flats are not parallel"),
        f("radius_to", LENGTH, "radius of the last end of such a slot"),
        f("centre", POINT, "centre of a curved slot"),
        f("radius", LENGTH, "radius of the centre line of a curved slot"),
        f("from_angle", ANGLE, "angle at which that centre line begins"),
        f("to_angle", ANGLE, "angle at which it ends, counter-clockwise from its beginning"),
        f(
            "points",
            Kind::List(&Kind::Record(&CHAIN_POINT)),
            "corners of a chain of straight pieces and arcs",
        ),
    ]],
    parameters: false,
};

static CHAIN_POINT: Record = Record {
    doc: "A point of a chain",
    fields: &[&[
        must("at", POINT, "the point"),
        f(
            "arc_centre",
            POINT,
            "centre of the arc from the previous point to this one; straight by default",
        ),
        f("clockwise", Kind::Flag, "whether that arc turns clockwise; false by default")
            .omitted(Omitted::Flag(false)),
    ]],
    parameters: false,
};

/// The centre line of a slot, from the place of the slot on its body.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SlotPath {
    Straight { from: [f64; 2], to: [f64; 2] },
    Curved { centre: [f64; 2], radius: f64, from_angle: f64, to_angle: f64 },
    Chain { points: Vec<ChainPoint> },
}

/// A point of a chain; with an arc centre the way to it from the point before is an arc.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChainPoint {
    at: [f64; 2],
    arc: Option<([f64; 2], bool)>,
}

impl SlotPath {
    /// Reads the path of a slot, which has clearance or not.
    pub(super) fn read(
        lower: &mut Lower<'_, '_>,
        joint: &View<'_>,
        has_clearance: bool,
    ) -> Option<Self> {
        let view = joint.view("path")?;
        let forms: [(&str, &[&'static str], Reader); 3] = [
            ("straight", &["from", "to"], straight),
            ("curved", &["centre", "radius", "from_angle", "to_angle"], curved),
            ("chain", &["points"], chain),
        ];
        let mut given = forms.iter().filter(|(_, keys, _)| keys.iter().any(|key| view.has(key)));
        let (Some((form, keys, read)), None) = (given.next(), given.next()) else {
            let hint = "give from and to, or centre, radius, from_angle and to_angle, or points";
            lower.report_whole(&view, "the slot has no centre line, or two", Some(hint.into()));
            return None;
        };
        if let Some(missing) = keys.iter().find(|key| !view.has(key)) {
            lower.report_whole(&view, format!("a {form} slot needs `{missing}`"), None);
            return None;
        }
        read(lower, &view, has_clearance)
    }

    /// The radii of its arcs (m).
    pub(super) fn radii(&self) -> Vec<f64> {
        match self {
            SlotPath::Straight { .. } => Vec::new(),
            SlotPath::Curved { radius, .. } => vec![*radius],
            SlotPath::Chain { points } => {
                let arcs = points.windows(2).filter_map(|pair| {
                    let (centre, _) = pair[1].arc?;
                    Some(libm::hypot(pair[0].at[0] - centre[0], pair[0].at[1] - centre[1]))
                });
                arcs.collect()
            }
        }
    }

    /// Whether its two ends may differ in width.
    pub(super) fn may_widen(&self) -> bool {
        match self {
            SlotPath::Straight { .. } => true,
            SlotPath::Curved { .. } | SlotPath::Chain { .. } => false,
        }
    }

    /// Whether a part of it may be straight.
    pub(super) fn has_flats(&self) -> bool {
        match self {
            SlotPath::Straight { .. } | SlotPath::Chain { .. } => true,
            SlotPath::Curved { .. } => false,
        }
    }

    /// Its pieces on the body, with `at` for the place of a point of it.
    pub(super) fn pieces(&self, at: impl Fn([f64; 2]) -> [f64; 2]) -> Vec<Shape> {
        match self {
            SlotPath::Straight { from, to } => vec![Shape::Flat { from: at(*from), to: at(*to) }],
            SlotPath::Curved { centre, radius, from_angle, to_angle } => {
                let sweep = to_angle - from_angle;
                let (centre, radius, from_angle) = (at(*centre), *radius, *from_angle);
                vec![Shape::Arc { centre, radius, from_angle, sweep }]
            }
            SlotPath::Chain { points } => {
                let piece = |pair: &[ChainPoint]| {
                    let (from, to) = (at(pair[0].at), at(pair[1].at));
                    let Some((centre, clockwise)) = pair[1].arc else {
                        return Shape::Flat { from, to };
                    };
                    let centre = at(centre);
                    let arm = |p: [f64; 2]| [p[0] - centre[0], p[1] - centre[1]];
                    let angle = |p: [f64; 2]| libm::atan2(arm(p)[1], arm(p)[0]);
                    let turn = (angle(to) - angle(from)).rem_euclid(TAU);
                    Shape::Arc {
                        centre,
                        radius: libm::hypot(arm(from)[0], arm(from)[1]),
                        from_angle: angle(from),
                        sweep: if clockwise { turn - TAU } else { turn },
                    }
                };
                points.windows(2).map(piece).collect()
            }
        }
    }
}

type Reader = fn(&mut Lower<'_, '_>, &View<'_>, bool) -> Option<SlotPath>;

fn straight(lower: &mut Lower<'_, '_>, view: &View<'_>, has_clearance: bool) -> Option<SlotPath> {
    let from = view.vector("from", Dimension::Length)?;
    let to = view.vector("to", Dimension::Length)?;
    if from == to && !has_clearance {
        let hint = Some("use type = \"revolute\"".to_owned());
        lower.report(view, "to", "an ideal slot of no length has no direction", hint);
        return None;
    }
    Some(SlotPath::Straight { from, to })
}

fn curved(lower: &mut Lower<'_, '_>, view: &View<'_>, _: bool) -> Option<SlotPath> {
    let centre = view.vector("centre", Dimension::Length)?;
    let radius = lower.positive(view, "radius", Dimension::Length)?;
    let from_angle = view.quantity("from_angle", Dimension::Angle)?;
    let to_angle = view.quantity("to_angle", Dimension::Angle)?;
    let sweep = to_angle - from_angle;
    if !(sweep > 0.0 && sweep <= TAU) {
        let message = "the slot must run counter-clockwise, by at most one turn";
        let hint = Some("to_angle must be greater than from_angle".to_owned());
        lower.report(view, "to_angle", message, hint);
        return None;
    }
    Some(SlotPath::Curved { centre, radius, from_angle, to_angle })
}

fn chain(lower: &mut Lower<'_, '_>, view: &View<'_>, has_clearance: bool) -> Option<SlotPath> {
    let read = |point: &View<'_>| {
        let arc = point.vector("arc_centre", Dimension::Length);
        let clockwise = point.flag("clockwise").unwrap_or(false);
        let at = point.vector("at", Dimension::Length)?;
        Some(ChainPoint { at, arc: arc.map(|centre| (centre, clockwise)) })
    };
    let points: Option<Vec<ChainPoint>> = view.list("points").iter().map(read).collect();
    let points = points?;
    if points.len() < 2 || points.windows(2).any(|pair| pair[0].at == pair[1].at) {
        let message = "a chain needs two or more points, each different from the previous one";
        lower.report(view, "points", message, None);
        return None;
    }
    if !has_clearance {
        let hint = Some("use from and to, or a curved path".to_owned());
        let message = "a pin without clearance needs a path of one line or one arc";
        lower.report(view, "points", message, hint);
        return None;
    }
    Some(SlotPath::Chain { points })
}
