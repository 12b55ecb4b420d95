//! A stop: contact where a coordinate passes a limit.

use jointplay_mbd::{GROUND, Side};

use super::Element;
use super::contact_spec::{ContactSpec, LAWS};
use super::coordinate::{COORDINATE, Coordinate, MOTION};
use super::force::Force;
use crate::build::{Assembly, NamedContact};
use crate::channel::List;
use crate::document::At;
use crate::drawing::{ContactDrawing, GapDrawing, GapForm};
use crate::format::{COUNT, TYPE, f};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Record};
use crate::units::Dimension;

pub(super) const ELEMENT: Element<Force> = Element { word: "stop", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A stop: contact where a coordinate passes a limit",
    fields: &[
        &[
            TYPE,
            COUNT,
            f("below", Kind::Quantity(MOTION), "the coordinate cannot go below this"),
            f("above", Kind::Quantity(MOTION), "the coordinate cannot go above this"),
        ],
        COORDINATE,
        LAWS,
    ],
    parameters: false,
};

/// A stop.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    coordinate: Coordinate,
    limit: f64,
    side: Side,
    pub(crate) spec: ContactSpec,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Force> {
    let coordinate = Coordinate::read(lower, view);
    let spec = ContactSpec::read(lower, view);
    let (key, side) = match (view.has("below"), view.has("above")) {
        (true, false) => ("below", Side::Below),
        (false, true) => ("above", Side::Above),
        (true, true) | (false, false) => {
            let message = "a stop has one limit, `below` or `above`";
            lower.report_whole(view, message, Some("write two stops for two limits".into()));
            return None;
        }
    };
    let coordinate = coordinate?;
    let limit = lower.exact(view, key, coordinate.dimension)?;
    Some(Force::Stop(Box::new(Stop { coordinate, limit, side, spec: spec? })))
}

impl Stop {
    /// Adds it to a mechanism, if its law and coordinate can be made.
    pub(crate) fn build(
        &self,
        name: &str,
        at: &At,
        assembly: &mut Assembly<'_>,
    ) -> Option<Vec<NamedContact>> {
        let spec = &self.spec;
        let law = assembly.law(&spec.law, spec, None);
        let coordinate = assembly.coordinate(self.coordinate, at);
        let contact = assembly.parts.stop(name, coordinate?, self.limit, self.side, law?);
        assembly.settle(contact, &spec.law, spec, None);
        Some(vec![NamedContact { contact, name: "stop" }])
    }

    /// Its channels; for an angle the force is a moment.
    pub(crate) fn channels(&self, name: &str, regions: &[NamedContact], list: &mut List<'_>) {
        let unit = if self.coordinate.dimension == Dimension::Angle { "N m" } else { "N" };
        list.contacts(name, regions, false, unit);
    }

    /// It has no walls.
    pub(crate) fn gap(regions: &[NamedContact]) -> Option<GapDrawing> {
        regions.first()?;
        let contact = |region: &NamedContact| ContactDrawing {
            region: *region,
            pin: None,
            radius: 0.0,
            turned: false,
        };
        Some(GapDrawing {
            form: GapForm::Stop,
            wall_body: GROUND,
            pin: GROUND.origin(),
            pin_radius: 0.0,
            clearance: 0.0,
            walls: Vec::new(),
            middle: Vec::new(),
            block: None,
            contacts: regions.iter().map(contact).collect(),
        })
    }
}
