//! Contacts outside joints: the interface of every type of contact.

use jointplay_mbd::{Anchor, Mechanism, Snapshot};

use super::circle_line::CircleLine;
use super::circles::Circles;
use super::contact_spec::ContactSpec;
use crate::build::{Assembly, NamedContact};
use crate::document::At;
use crate::drawing::{GapDrawing, GapForm};
use crate::format::{LENGTH, POINT, f, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension;

/// A circle on a body.
pub(super) const CIRCLE: Kind = Kind::Record(&RECORD);

static RECORD: Record = Record {
    doc: "A circle on a body",
    fields: &[&[
        must("body", Kind::Name, "name of the body, or ground"),
        f("at", POINT, "centre in the frame of the body; [0, 0] by default")
            .omitted(Omitted::Origin),
        must("radius", LENGTH, "radius"),
    ]],
    parameters: false,
};

/// Centre and radius of a circle.
pub(super) fn circle(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    key: &'static str,
) -> Option<(Anchor, f64)> {
    let circle = view.view(key)?;
    let radius = lower.positive(&circle, "radius", Dimension::Length);
    let point = lower.point(&circle);
    Some((point?, radius?))
}

/// A contact outside joints.
#[derive(Clone, Debug)]
pub(crate) enum Contact {
    Circles(Circles),
    CircleLine(CircleLine),
}

/// The interface of every contact.
pub(crate) trait ContactElement {
    /// Adds it to a mechanism, if its law can be made.
    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Option<Vec<NamedContact>>;

    /// Its properties other than geometry.
    fn spec(&self) -> &ContactSpec;

    /// The same, mutably.
    fn spec_mut(&mut self) -> &mut ContactSpec;

    /// Warns if it is ineffective at the start.
    fn warn_of_start(&self, instant: &Snapshot<'_>, name: &str, at: &At, warnings: &mut Problems);
}

impl Contact {
    /// Its page.
    pub(crate) fn page(&self) -> &dyn ContactElement {
        match self {
            Contact::Circles(contact) => contact,
            Contact::CircleLine(contact) => contact,
        }
    }

    /// Its page, to be changed.
    pub(crate) fn page_mut(&mut self) -> &mut dyn ContactElement {
        match self {
            Contact::Circles(contact) => contact,
            Contact::CircleLine(contact) => contact,
        }
    }

    /// Data for drawing its gap, given its contacts.
    pub(crate) fn gap(
        &self,
        regions: &[NamedContact],
        mechanism: &Mechanism,
    ) -> Option<GapDrawing> {
        match self {
            Contact::Circles(_) | Contact::CircleLine(_) => {
                GapDrawing::of_walls(GapForm::External, regions, mechanism)
            }
        }
    }
}
