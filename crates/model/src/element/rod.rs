//! A massless rod between two points.

use jointplay_mbd::{Anchor, Axis};

use super::Element;
use super::fit::Ends;
use super::joint::{FixedJoint, Joint, JointForm};
use crate::build::{Assembly, Handle};
use crate::format::{COUNT, LENGTH, PLACE, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Record};
use crate::units::Dimension;

pub(super) const ELEMENT: Element<Joint> = Element { word: "rod", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A massless rod of fixed length between two points",
    fields: &[&[
        TYPE,
        COUNT,
        f("kind", Kind::Choice(&["ideal"]), "ideal"),
        must("a", PLACE, "one end"),
        must("b", PLACE, "the other end"),
        f(
            "length",
            LENGTH,
            "the length; by default the distance of the points as the bodies are placed",
        ),
    ]],
    parameters: false,
};

/// A rod; it is always ideal.
#[derive(Clone, Debug)]
pub(crate) struct Rod {
    a: Anchor,
    b: Anchor,
    length: f64,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Joint> {
    let ends = Ends::points(lower, view);
    let given = lower.positive(view, "length", Dimension::Length);
    if !ends.known {
        return None;
    }
    let (a, b) = (ends.a.anchor, ends.b.anchor);
    let length = given.unwrap_or_else(|| lower.distance(a, b));
    if length == 0.0 && !view.has("length") {
        let hint = Some("give a length, or move one of them".to_owned());
        lower.report_whole(view, "the ends of the rod coincide", hint);
        return None;
    }
    ends.check(lower, view)?;
    Some(Joint::Rod(Rod { a, b, length }))
}

impl FixedJoint for Rod {
    fn form(&self) -> JointForm {
        JointForm::Rod
    }

    fn places(&self) -> [Axis; 2] {
        [self.a.into(), self.b.into()]
    }

    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Handle {
        Handle::Ideal(assembly.parts.rod(name, self.a, self.b, self.length))
    }
}
