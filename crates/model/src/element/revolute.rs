//! A pin joint; with clearance a journal in a bearing.

use std::f64::consts::TAU;

use jointplay_contact::Surfaces;
use jointplay_mbd::{
    self as mbd, Axis, DryFriction, GROUND, JointFriction, JournalBearing, Mechanism, Shape,
    Snapshot,
};

use super::Element;
use super::bushing::NUMBERS;
use super::contact_spec::{ContactSpec, LAWS};
use super::fit::{ClearanceKey, Ends, FIT, FRICTION_LAW, Fit, KIND, friction, play};
use super::joint::{Joint, JointElement, JointForm};
use crate::build::{Assembly, Handle, NamedContact};
use crate::channel::List;
use crate::document::At;
use crate::drawing::{Block, ContactDrawing, GapDrawing, GapForm};
use crate::format::{AXIS, COUNT, LENGTH, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension;
use crate::word::{Word, words};

pub(super) const ELEMENT: Element<Joint> = Element { word: "revolute", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A pin joint; with clearance a journal (b) in a bearing (a)",
    fields: &[
        &[
            TYPE,
            COUNT,
            KIND,
            must("a", AXIS, "centre of the bearing"),
            must("b", AXIS, "centre of the journal"),
            f("friction", Kind::Record(&FRICTION), "friction of the ideal joint"),
            f("bearing_radius", LENGTH, "radius of the bearing"),
            f("journal_radius", LENGTH, "radius of the journal"),
            f("clearance", LENGTH, "bearing radius minus journal radius, instead of one of them"),
            f(
                "contact_point",
                Kind::Choice(SlipAt::WORDS),
                "the surface on which slip is measured and friction acts; bearing by default",
            )
            .omitted(Omitted::Word("bearing")),
        ],
        FIT,
        LAWS,
        NUMBERS,
    ],
    parameters: false,
};

static FRICTION: Record = Record {
    doc: "Friction of an ideal revolute joint",
    fields: &[&[
        FRICTION_LAW,
        f("pin_radius", LENGTH, "radius of the pin, for dry friction"),
        f(
            "viscous_damping",
            Kind::Quantity(&[Dimension::TorsionalDamping]),
            "viscous moment per angular velocity; 0 by default",
        )
        .omitted(Omitted::Number(0.0)),
    ]],
    parameters: true,
};

/// The surface on which slip is measured.
#[derive(Clone, Copy)]
enum SlipAt {
    Bearing,
    Middle,
    Journal,
}

words!(SlipAt { Bearing = "bearing", Middle = "middle", Journal = "journal" });

/// A pin joint.
#[derive(Clone, Debug)]
pub(crate) struct Revolute {
    a: Axis,
    b: Axis,
    fit: Fit<Option<JointFriction>, Journal>,
}

/// A journal in a bearing.
#[derive(Clone, Debug)]
struct Journal {
    bearing: JournalBearing,
    surfaces: Surfaces,
    spec: ContactSpec,
    /// Whether a fit gives the sizes.
    fitted: bool,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Joint> {
    let ends = Ends::axes(lower, view);
    let fit = Fit::read(lower, view, &ends)?;
    let dry = |law, radius| DryFriction::Pin { law, radius };
    let friction = friction(lower, view, "pin_radius", Dimension::TorsionalDamping, dry);
    let fit = fit.with(friction, || journal(lower, view, &ends))?;
    ends.check(lower, view)?;
    Some(Joint::Revolute(Revolute { a: ends.a, b: ends.b, fit }))
}

fn journal(lower: &mut Lower<'_, '_>, view: &View<'_>, ends: &Ends) -> Option<Journal> {
    let sizes = play(lower, view, "bearing_radius", "journal_radius", 1.0);
    let spec = ContactSpec::read(lower, view);
    let contact_point = match view.word("contact_point").unwrap_or(SlipAt::Bearing) {
        SlipAt::Bearing => 0.0,
        SlipAt::Middle => 0.5,
        SlipAt::Journal => 1.0,
    };
    let (bearing_radius, journal, clearance) = sizes?;
    let (a, b) = (ends.a.anchor, ends.b.anchor);
    let bearing =
        JournalBearing { bearing: a, journal: b, bearing_radius, clearance, contact_point };
    let surfaces = Surfaces::Internal { bearing: bearing_radius, journal };
    Some(Journal { bearing, surfaces, spec: spec?, fitted: view.has("fit") })
}

impl JointElement for Revolute {
    fn form(&self) -> JointForm {
        JointForm::Revolute
    }

    fn places(&self) -> [Axis; 2] {
        [self.a, self.b]
    }

    fn coordinate(&self) -> Option<Dimension> {
        Some(Dimension::Angle)
    }

    fn coordinate_of_bodies(&self) -> Option<mbd::Coordinate> {
        let (a, b) = (self.a.anchor.body, self.b.anchor.body);
        Some(if a == GROUND {
            mbd::Coordinate::Angle(b)
        } else {
            mbd::Coordinate::AngleBetween(a, b)
        })
    }

    fn build(&self, name: &str, _: &At, assembly: &mut Assembly<'_>) -> Handle {
        match &self.fit {
            Fit::Bushing(bushing) => assembly.bushing(name, *bushing),
            Fit::Clearance(journal) if !assembly.ideal => journal.build(name, assembly),
            Fit::Ideal(_) | Fit::Clearance(_) => {
                let id = assembly.parts.revolute(name, self.a.anchor, self.b.anchor);
                if let Some(friction) = self.friction() {
                    assembly.parts.friction(id, friction.clone());
                }
                Handle::Ideal(id)
            }
        }
    }

    fn channels(&self, name: &str, handle: &Handle, list: &mut List<'_>) {
        list.joint(name, handle, self.a, self.friction().map(|_| "N m"));
        list.turning(name, [self.a, self.b]);
        list.eccentricity(name, [self.a, self.b], handle.is_clearance());
        list.absent(name);
    }

    fn spec(&self) -> Option<&ContactSpec> {
        self.fit.clearance().map(|journal| &journal.spec)
    }

    fn spec_mut(&mut self) -> Option<&mut ContactSpec> {
        self.fit.clearance_mut().map(|journal| &mut journal.spec)
    }

    fn clearance(&self) -> Option<ClearanceKey> {
        let journal = self.fit.clearance().filter(|journal| !journal.fitted)?;
        let JournalBearing { bearing_radius, clearance, .. } = journal.bearing;
        Some(ClearanceKey {
            size: "journal_radius",
            offset: bearing_radius,
            factor: -1.0,
            value: clearance,
            most: 0.5 * bearing_radius,
            sizes: Some(["bearing_radius", "journal_radius"]),
        })
    }

    fn friction(&self) -> Option<&JointFriction> {
        self.fit.ideal().and_then(Option::as_ref)
    }

    fn warn_of_start(&self, _: &Snapshot<'_>, _: &str, _: &At, _: &mut Problems) {}

    fn gap(&self, regions: &[NamedContact], _: &Mechanism) -> Option<GapDrawing> {
        let bearing = self.fit.clearance()?.bearing;
        let pin_radius = bearing.bearing_radius - bearing.clearance;
        let circle = Shape::Arc {
            centre: bearing.bearing.local,
            radius: bearing.bearing_radius,
            from_angle: 0.0,
            sweep: TAU,
        };
        let contact = |region: &NamedContact| ContactDrawing {
            region: *region,
            pin: Some(bearing.journal),
            radius: pin_radius,
            turned: false,
        };
        Some(GapDrawing {
            form: GapForm::Journal,
            wall_body: bearing.bearing.body,
            pin: bearing.journal,
            pin_radius,
            clearance: bearing.clearance,
            walls: vec![("bearing", circle)],
            middle: vec![bearing.bearing.local],
            block: None,
            contacts: regions.iter().map(contact).collect(),
        })
    }

    fn block(&self, _: &Handle, _: &Mechanism) -> Option<Block> {
        None
    }

    fn centre_line(&self) -> Vec<[f64; 2]> {
        Vec::new()
    }
}

impl Journal {
    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Handle {
        let (spec, surfaces) = (&self.spec, Some(self.surfaces));
        let Some(law) = assembly.law(&spec.law, spec, surfaces) else {
            return Handle::Clearance(Vec::new());
        };
        let contact = assembly.parts.journal_bearing(name, self.bearing, law);
        assembly.settle(contact, &spec.law, spec, surfaces);
        Handle::Clearance(vec![NamedContact { contact, name: "bearing" }])
    }
}
