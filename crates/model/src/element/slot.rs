//! A pin in a slot, ideal or with clearance.

use jointplay_contact::{ContactLaw, Surfaces};
use jointplay_mbd::{
    self as mbd, Anchor, Axis, JointFriction, Mechanism, Outline, PinInWalls, Section, Shape,
    Snapshot,
};

use super::Element;
use super::bushing::NUMBERS;
use super::contact_spec::{ContactSpec, LAW_KINDS, LAWS, LawSpec, law};
use super::fit::{ClearanceKey, Ends, Fit, KIND};
use super::joint::{Joint, JointElement, JointForm};
use super::slot_path::{self, SlotPath};
use crate::build::{Assembly, Handle, NamedContact};
use crate::channel::List;
use crate::document::At;
use crate::drawing::{Block, GapDrawing, GapForm};
use crate::format::{COUNT, LENGTH, PLACE, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension;
use crate::word::{Word, words};

use Kind::{AnyOf, Choice};

pub(super) const ELEMENT: Element<Joint> = Element { word: "slot", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A pin (b) in a slot (a)",
    fields: &[
        &[
            TYPE, COUNT,
            KIND,
            must("a", PLACE, "the body with the slot; the path is relative to this point"),
            must("b", PLACE, "centre of the pin"),
            must("path", Kind::Record(&slot_path::RECORD), "centre line and width of the slot"),
            f("pin_radius", LENGTH, "radius of the pin"),
            f(
                "ends",
                Choice(SlotEnds::WORDS),
                "whether arcs close the slot, or it is open at both ends or at one; closed by default",
            ).omitted(Omitted::Word("closed")),
            f(
                "contact_point",
                Choice(SlipAt::WORDS),
                "the surface on which slip is measured and friction acts; pin by default",
            ).omitted(Omitted::Word("pin")),
            f("laws", Kind::Record(&REGION_LAWS), "laws for regions that differ from `law`"),
        ],
        LAWS,
        NUMBERS,
    ],
    parameters: false,
};

static REGION_LAWS: Record = Record {
    doc: "Laws by region of a slot; anything not given is as in `law`",
    fields: &[&[
        f("flat", AnyOf(LAW_KINDS), "the flats"),
        f("end", AnyOf(LAW_KINDS), "the end arcs"),
        f("inner", AnyOf(LAW_KINDS), "the inner track of a curved slot"),
        f("outer", AnyOf(LAW_KINDS), "its outer track"),
        f("corner", AnyOf(LAW_KINDS), "entry corners"),
    ]],
    parameters: false,
};

/// Which ends of a slot have no wall.
#[derive(Clone, Copy)]
enum SlotEnds {
    Closed,
    Open,
    OpenFrom,
    OpenTo,
}

words!(SlotEnds { Closed = "closed", Open = "open", OpenFrom = "open-from", OpenTo = "open-to" });

/// The surface on which slip is measured.
#[derive(Clone, Copy)]
enum SlipAt {
    Slot,
    Middle,
    Pin,
}

words!(SlipAt { Slot = "slot", Middle = "middle", Pin = "pin" });

/// A pin in a slot.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// Where the path is given from.
    a: Anchor,
    /// The centre of the pin.
    b: Anchor,
    path: SlotPath,
    fit: Fit<(), Pin>,
}

/// A pin with clearance.
#[derive(Clone, Debug)]
struct Pin {
    radius: f64,
    /// Half widths of the slot at its two ends (m).
    half_widths: [f64; 2],
    /// Whether it is open where it begins and ends.
    open: [bool; 2],
    /// Where slip is measured: 0 on the slot's surface, ½ in the middle, 1 on the pin's.
    contact_point: f64,
    spec: ContactSpec,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Joint> {
    let ends = Ends::points(lower, view);
    let fit = Fit::read(lower, view, &ends)?;
    let path = SlotPath::read(lower, view, fit.clearance().is_some());
    let fit = fit.with((), || pin(lower, view, path.as_ref()))?;
    let path = path?;
    ends.check(lower, view)?;
    Some(Joint::Slot(Slot { a: ends.a.anchor, b: ends.b.anchor, path, fit }))
}

fn pin(lower: &mut Lower<'_, '_>, view: &View<'_>, path: Option<&SlotPath>) -> Option<Pin> {
    let spec = ContactSpec::read(lower, view);
    let radius = lower.positive(view, "pin_radius", Dimension::Length);
    if !view.has("pin_radius") {
        lower.report_whole(view, "a pin in a slot with clearance needs a `pin_radius`", None);
    }
    let table = view.view("path")?;
    let width = lower.positive(&table, "width", Dimension::Length);
    let ends =
        ["radius_from", "radius_to"].map(|key| lower.positive(&table, key, Dimension::Length));
    let half_widths = match (width, ends) {
        (Some(width), [None, None]) => [0.5 * width; 2],
        (None, [Some(from), Some(to)]) => [from, to],
        (Some(_), [_, Some(_)] | [Some(_), _]) | (None, [_, None] | [None, _]) => {
            let hint = "give width, or radius_from and radius_to of a straight slot";
            lower.report_whole(&table, "the slot has no width", Some(hint.into()));
            return None;
        }
    };
    if half_widths[0] != half_widths[1] && !path.is_none_or(SlotPath::may_widen) {
        lower.report(&table, "radius_to", "only a straight slot may widen", None);
    }
    let contact_point = match view.word("contact_point").unwrap_or(SlipAt::Pin) {
        SlipAt::Slot => 0.0,
        SlipAt::Middle => 0.5,
        SlipAt::Pin => 1.0,
    };
    let (radius, path, mut spec) = (radius?, path?, spec?);
    let narrow = half_widths[0].min(half_widths[1]);
    if !(radius < narrow) {
        let message = format!(
            "the pin ({radius} m) does not fit into the slot, whose half width is {narrow} m"
        );
        lower.report(view, "pin_radius", message, None);
        return None;
    }
    let open = match view.word("ends").unwrap_or(SlotEnds::Closed) {
        SlotEnds::Closed => [false, false],
        SlotEnds::Open => [true, true],
        SlotEnds::OpenFrom => [true, false],
        SlotEnds::OpenTo => [false, true],
    };
    if !path.radii().into_iter().all(|radius| radius > half_widths[0]) {
        lower.report_whole(view, "the slot is wider than its centre line allows", None);
        return None;
    }
    spec.regions = region_laws(lower, view, path, open, &spec.law);
    Some(Pin { radius, half_widths, open, contact_point, spec })
}

/// The regions of a slot with their laws.
fn region_laws(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    path: &SlotPath,
    open: [bool; 2],
    of_all: &LawSpec,
) -> Vec<(mbd::Region, LawSpec)> {
    let mut regions = Vec::new();
    if path.has_flats() {
        regions.push(mbd::Region::Flat);
    }
    if !path.radii().is_empty() {
        regions.extend([mbd::Region::Inner, mbd::Region::Outer]);
    }
    if open != [true, true] {
        regions.push(mbd::Region::End);
    }
    if open != [false, false] {
        regions.push(mbd::Region::Corner);
    }
    let laws = view.view("laws");
    let mut out = Vec::new();
    for region in regions {
        let own = laws.as_ref().filter(|laws| laws.has(region.name()));
        let own = own.and_then(|laws| law(lower, laws, region.name()));
        let law = own.map_or_else(|| of_all.clone(), |law| of_all.with_region(&law));
        out.push((region, law));
    }
    if let Some(laws) = &laws {
        for (key, node) in laws.entries() {
            if !out.iter().any(|(region, _)| region.name() == key) {
                let names: Vec<&str> = out.iter().map(|(region, _)| region.name()).collect();
                let hint = Some(format!("it has {}", names.join(", ")));
                let message = format!("this slot has no region `{key}`");
                lower.problems.report(&node.place, &laws.path_of(key), message, hint);
            }
        }
    }
    out
}

impl JointElement for Slot {
    fn form(&self) -> JointForm {
        JointForm::Slot
    }

    /// Of a straight slot its line, from the first end.
    fn places(&self) -> [Axis; 2] {
        let slot = match &self.path {
            SlotPath::Straight { from, to } => {
                let direction = [to[0] - from[0], to[1] - from[1]];
                // A slot whose length is 0 has no direction of its own.
                let direction = if direction == [0.0, 0.0] { [1.0, 0.0] } else { direction };
                self.point(*from).along(direction)
            }
            SlotPath::Curved { .. } | SlotPath::Chain { .. } => self.a.into(),
        };
        [slot, self.b.into()]
    }

    fn coordinate(&self) -> Option<Dimension> {
        match self.path {
            SlotPath::Straight { .. } => Some(Dimension::Length),
            SlotPath::Curved { .. } | SlotPath::Chain { .. } => None,
        }
    }

    fn coordinate_of_bodies(&self) -> Option<mbd::Coordinate> {
        None
    }

    fn build(&self, name: &str, at: &At, assembly: &mut Assembly<'_>) -> Handle {
        match &self.fit {
            Fit::Bushing(bushing) => assembly.bushing(name, *bushing),
            Fit::Clearance(pin) if !assembly.ideal => self.build_pin(pin, name, at, assembly),
            Fit::Ideal(()) | Fit::Clearance(_) => {
                let parts = &mut assembly.parts;
                Handle::Ideal(match &self.path {
                    SlotPath::Straight { .. } => {
                        let [line, _] = self.places();
                        parts.point_on_line(name, line, self.b)
                    }
                    SlotPath::Curved { centre, radius, .. } => {
                        parts.point_on_circle(name, self.point(*centre), *radius, self.b)
                    }
                    SlotPath::Chain { .. } => {
                        let message = "a slot of several pieces has no ideal form";
                        let hint = Some("start free, with the pin placed in the slot".to_owned());
                        assembly.problems.report(&at.place, &at.path, message, hint);
                        parts.revolute(name, self.a, self.b)
                    }
                })
            }
        }
    }

    fn channels(&self, name: &str, handle: &Handle, list: &mut List<'_>) {
        let [slot, pin] = self.places();
        list.joint(name, handle, slot, None);
        if self.coordinate().is_some() {
            list.sliding(name, slot, pin.anchor);
        }
        list.absent(name);
    }

    fn spec(&self) -> Option<&ContactSpec> {
        self.fit.clearance().map(|pin| &pin.spec)
    }

    fn spec_mut(&mut self) -> Option<&mut ContactSpec> {
        self.fit.clearance_mut().map(|pin| &mut pin.spec)
    }

    fn clearance(&self) -> Option<ClearanceKey> {
        let pin = self.fit.clearance()?;
        let narrow = pin.narrow();
        Some(ClearanceKey {
            size: "pin_radius",
            offset: narrow,
            factor: -1.0,
            value: narrow - pin.radius,
            most: 0.5 * narrow,
            sizes: None,
        })
    }

    fn friction(&self) -> Option<&JointFriction> {
        None
    }

    /// Warns of a pin that starts outside a closed slot, where no wall holds it.
    fn warn_of_start(&self, instant: &Snapshot<'_>, name: &str, at: &At, warnings: &mut Problems) {
        let Some(pin) = self.fit.clearance() else { return };
        let walls = self.walls(pin).unwrap_or_default();
        // An open slot has two walls, or one that is not closed.
        let Some(wall) = walls.first().filter(|wall| wall.is_closed()) else { return };
        let body = self.a.body;
        let [pin, origin] =
            [self.b, body.at([0.0; 2])].map(|anchor| instant.point(anchor).position);
        let (sin, cos) = libm::sincos(instant.angle(body).value);
        let [x, y] = [pin[0] - origin[0], pin[1] - origin[1]];
        if !wall.encloses([cos * x + sin * y, cos * y - sin * x]) {
            let message = format!(
                "the pin of '{name}' starts outside its slot, which is closed on all sides"
            );
            let hint = "no wall holds it there: place it in the slot, or start with clearances = \"centred\"";
            warnings.report(&at.place, &at.path, message, Some(hint.to_owned()));
        }
    }

    fn gap(&self, regions: &[NamedContact], mechanism: &Mechanism) -> Option<GapDrawing> {
        let gap = GapDrawing::of_walls(GapForm::Slot, regions, mechanism)?;
        Some(GapDrawing { middle: self.centre_line(), ..gap })
    }

    fn block(&self, _: &Handle, _: &Mechanism) -> Option<Block> {
        None
    }

    /// No piece is longer than half a degree of an arc.
    fn centre_line(&self) -> Vec<[f64; 2]> {
        let mut line = Vec::new();
        for shape in self.middle() {
            let sweep = match shape {
                Shape::Flat { .. } => 0.0,
                Shape::Arc { sweep, .. } => sweep.abs(),
            };
            let pieces = (sweep / 0.5_f64.to_radians()).ceil().clamp(1.0, 720.0);
            let mut part = 0.0;
            while part <= pieces {
                line.push(shape.point(part / pieces));
                part += 1.0;
            }
        }
        line.dedup();
        line
    }
}

impl Slot {
    /// A point of the path on its body.
    fn point(&self, [x, y]: [f64; 2]) -> Anchor {
        let [u, v] = self.a.local;
        self.a.body.at([u + x, v + y])
    }

    /// The centre line on its body.
    fn middle(&self) -> Vec<Shape> {
        self.path.pieces(|point| self.point(point).local)
    }

    /// The walls on its body; `None` where a tapered slot has no length.
    fn walls(&self, pin: &Pin) -> Option<Vec<Outline>> {
        match &self.path {
            SlotPath::Straight { from, to } => {
                let [from, to] = [from, to].map(|point| self.point(*point).local);
                if pin.open == [false, false] {
                    Some(vec![Outline::slot(from, to, pin.half_widths)])
                } else {
                    Outline::open_slot(from, to, pin.half_widths, pin.open)
                }
            }
            SlotPath::Curved { .. } | SlotPath::Chain { .. } => {
                Some(Outline::channel(&self.middle(), pin.half_widths[0], pin.open))
            }
        }
    }

    /// A contact of the pin with each section of the walls, with the stiffness of its own curvature.
    fn build_pin(&self, pin: &Pin, name: &str, at: &At, assembly: &mut Assembly<'_>) -> Handle {
        let Some(outlines) = self.walls(pin) else {
            let message = "the ends of the slot are the same";
            assembly.problems.report(&at.place, &at.path, message, None);
            return Handle::Clearance(Vec::new());
        };
        let mut regions = Vec::new();
        for (i, outline) in outlines.iter().enumerate() {
            let law = |section: &Section| {
                let (spec, surfaces) = pin.law(section);
                assembly.law(spec, &pin.spec, Some(surfaces))
            };
            let laws: Option<Vec<ContactLaw>> = outline.sections().iter().map(law).collect();
            let Some(laws) = laws else { continue };
            let walls = PinInWalls {
                body: self.a.body,
                outline: outline.clone(),
                pin: self.b,
                pin_radius: pin.radius,
                contact_point: pin.contact_point,
                play: Some(pin.narrow() - pin.radius),
            };
            let side = if outlines.len() > 1 { [" right", " left"][i] } else { "" };
            let mut laws = laws.into_iter();
            // There is one law for each section.
            let law = |_: &Section| laws.next().expect("a law for each section");
            let contacts = assembly.parts.pin_in_walls(&format!("{name}{side}"), walls, law);
            for (contact, section) in contacts.into_iter().zip(outline.sections()) {
                let (spec, surfaces) = pin.law(section);
                assembly.settle(contact, spec, &pin.spec, Some(surfaces));
                regions.push(NamedContact { contact, name: section.region.name() });
            }
        }
        Handle::Clearance(regions)
    }
}

impl Pin {
    /// The lesser half width of the slot (m).
    fn narrow(&self) -> f64 {
        self.half_widths[0].min(self.half_widths[1])
    }

    /// What is said about the law of one section, and the surfaces that meet there.
    fn law(&self, section: &Section) -> (&LawSpec, Surfaces) {
        let pin = self.radius;
        let surfaces = match section.shape.surface_radius() {
            Some(radius) if radius < 0.0 => Surfaces::Internal { bearing: -radius, journal: pin },
            Some(radius) if radius > 0.0 => Surfaces::External { radius_i: radius, radius_j: pin },
            // A corner has no radius: the pin yields as on a flat.
            Some(_) | None => Surfaces::OnPlane { radius: pin },
        };
        let own = self.spec.regions.iter().find(|(region, _)| *region == section.region);
        (own.map_or(&self.spec.law, |(_, law)| law), surfaces)
    }
}
