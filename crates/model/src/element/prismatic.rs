//! A block in a straight guide, ideal or with clearance.

use jointplay_mbd::{
    self as mbd, Axis, BlockInGuide, ContactKind, DryFriction, JointFriction, Mechanism, Snapshot,
};

use super::Element;
use super::bushing::NUMBERS;
use super::contact_spec::{ContactSpec, LAWS};
use super::fit::{ClearanceKey, Ends, FIT, FRICTION_LAW, Fit, KIND, friction, play};
use super::joint::{Joint, JointElement, JointForm};
use crate::build::{Assembly, Handle, NamedContact};
use crate::channel::List;
use crate::document::At;
use crate::drawing::{Block, BlockSize, GapDrawing, GapForm};
use crate::format::{AXIS, COUNT, LENGTH, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension;

pub(super) const ELEMENT: Element<Joint> = Element { word: "prismatic", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A block (b) in a straight guide (a)",
    fields: &[
        &[
            TYPE,
            COUNT,
            KIND,
            must("a", AXIS, "a point of the axis of the guide, and its direction"),
            must("b", AXIS, "centre of the block, and its direction"),
            f("friction", Kind::Record(&FRICTION), "friction of the ideal joint"),
            f("block_length", LENGTH, "length of the block along the guide"),
            f("block_height", LENGTH, "height of the block across the guide"),
            f("guide_height", LENGTH, "distance of the walls"),
            f("clearance", LENGTH, "gap on each side of the centred block, instead of a height"),
            f("guide_length", LENGTH, "length of the walls; endless by default"),
            f(
                "guide_offset",
                LENGTH,
                "position of the middle of the walls along the guide, from a; 0 by default",
            )
            .omitted(Omitted::Number(0.0)),
        ],
        FIT,
        LAWS,
        NUMBERS,
    ],
    parameters: false,
};

static FRICTION: Record = Record {
    doc: "Friction of an ideal prismatic joint",
    fields: &[&[
        FRICTION_LAW,
        f("block_length", LENGTH, "length of the block, for dry friction"),
        f(
            "viscous_damping",
            Kind::Quantity(&[Dimension::Damping]),
            "viscous force per speed; 0 by default",
        )
        .omitted(Omitted::Number(0.0)),
    ]],
    parameters: true,
};

/// The corners of a block with clearance, and the ends of its walls, in the order of their contacts.
const REGIONS: [&str; 8] = [
    "upper front",
    "upper rear",
    "lower front",
    "lower rear",
    "upper front end",
    "upper rear end",
    "lower front end",
    "lower rear end",
];

/// A block in a guide.
#[derive(Clone, Debug)]
pub(crate) struct Prismatic {
    a: Axis,
    b: Axis,
    fit: Fit<Option<JointFriction>, Guide>,
}

/// A block in a guide with clearance.
#[derive(Clone, Debug)]
struct Guide {
    block: BlockInGuide,
    spec: ContactSpec,
    /// Whether a fit gives the heights.
    fitted: bool,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Joint> {
    let ends = Ends::axes(lower, view);
    let fit = Fit::read(lower, view, &ends)?;
    let dry = |law, length| DryFriction::Block { law, length };
    let friction = friction(lower, view, "block_length", Dimension::Damping, dry);
    let fit = fit.with(friction, || guide(lower, view, &ends))?;
    ends.check(lower, view)?;
    Some(Joint::Prismatic(Prismatic { a: ends.a, b: ends.b, fit }))
}

fn guide(lower: &mut Lower<'_, '_>, view: &View<'_>, ends: &Ends) -> Option<Guide> {
    let sizes = play(lower, view, "guide_height", "block_height", 0.5);
    let spec = ContactSpec::read(lower, view);
    let block_length = lower.positive(view, "block_length", Dimension::Length);
    if !view.has("block_length") {
        lower.report_whole(view, "a block in a guide needs a `block_length`", None);
    }
    let guide_length = lower.positive(view, "guide_length", Dimension::Length);
    let offset = view.quantity("guide_offset", Dimension::Length);
    if view.has("guide_offset") && !view.has("guide_length") {
        let hint = Some("give a `guide_length` too".to_owned());
        lower.report(view, "guide_offset", "an endless guide has no middle", hint);
    }
    let middle = offset.unwrap_or(0.0);
    let extent = guide_length.map(|length| [middle - 0.5 * length, middle + 0.5 * length]);
    let (_, height, clearance) = sizes?;
    let (guide, block, length) = (ends.a, ends.b, block_length?);
    let block =
        BlockInGuide { guide, block, length, height, clearance, extent, contact_point: 1.0 };
    Some(Guide { block, spec: spec?, fitted: view.has("fit") })
}

impl JointElement for Prismatic {
    fn form(&self) -> JointForm {
        JointForm::Prismatic
    }

    fn places(&self) -> [Axis; 2] {
        [self.a, self.b]
    }

    fn coordinate(&self) -> Option<Dimension> {
        Some(Dimension::Length)
    }

    fn coordinate_of_bodies(&self) -> Option<mbd::Coordinate> {
        None
    }

    fn build(&self, name: &str, _: &At, assembly: &mut Assembly<'_>) -> Handle {
        match &self.fit {
            Fit::Bushing(bushing) => assembly.bushing(name, *bushing),
            Fit::Clearance(guide) if !assembly.ideal => guide.build(name, assembly),
            Fit::Ideal(_) | Fit::Clearance(_) => {
                let id = assembly.parts.prismatic(name, self.a, self.b);
                if let Some(friction) = self.friction() {
                    assembly.parts.friction(id, friction.clone());
                }
                Handle::Ideal(id)
            }
        }
    }

    fn channels(&self, name: &str, handle: &Handle, list: &mut List<'_>) {
        list.joint(name, handle, self.a, self.friction().map(|_| "N"));
        list.sliding(name, self.a, self.b.anchor);
        list.absent(name);
    }

    fn spec(&self) -> Option<&ContactSpec> {
        self.fit.clearance().map(|guide| &guide.spec)
    }

    fn spec_mut(&mut self) -> Option<&mut ContactSpec> {
        self.fit.clearance_mut().map(|guide| &mut guide.spec)
    }

    fn clearance(&self) -> Option<ClearanceKey> {
        let guide = self.fit.clearance().filter(|guide| !guide.fitted)?;
        let BlockInGuide { height, clearance, .. } = guide.block;
        Some(ClearanceKey {
            size: "guide_height",
            offset: height,
            factor: 2.0,
            value: clearance,
            most: 0.5 * height,
            sizes: Some(["guide_height", "block_height"]),
        })
    }

    fn friction(&self) -> Option<&JointFriction> {
        self.fit.ideal().and_then(Option::as_ref)
    }

    fn warn_of_start(&self, _: &Snapshot<'_>, _: &str, _: &At, _: &mut Problems) {}

    fn gap(&self, regions: &[NamedContact], mechanism: &Mechanism) -> Option<GapDrawing> {
        let size = block_size(regions, mechanism)?;
        let [x, y] = self.a.direction;
        let reach = 0.5 * size.length / libm::hypot(x, y);
        let [px, py] = self.a.anchor.local;
        let along = |s: f64| [px + s * x, py + s * y];
        let gap = GapDrawing::of_walls(GapForm::Block, regions, mechanism)?;
        Some(GapDrawing {
            pin: self.b.anchor,
            middle: vec![along(-reach), along(reach)],
            block: Some(size),
            ..gap
        })
    }

    fn block(&self, handle: &Handle, mechanism: &Mechanism) -> Option<Block> {
        let size = match handle {
            Handle::Clearance(regions) => block_size(regions, mechanism),
            Handle::Ideal(_) | Handle::Bushing(_) => None,
        };
        Some(Block { axis: self.b, size })
    }

    fn centre_line(&self) -> Vec<[f64; 2]> {
        Vec::new()
    }
}

impl Guide {
    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Handle {
        let spec = &self.spec;
        let Some(law) = assembly.law(&spec.law, spec, None) else {
            return Handle::Clearance(Vec::new());
        };
        let contacts = assembly.parts.block_in_guide(name, self.block, &law);
        let regions = contacts.into_iter().zip(REGIONS);
        let regions: Vec<NamedContact> =
            regions.map(|(contact, name)| NamedContact { contact, name }).collect();
        for region in &regions {
            assembly.settle(region.contact, &spec.law, spec, None);
        }
        Handle::Clearance(regions)
    }
}

/// Length and height of a block with clearance, from its corners.
fn block_size(regions: &[NamedContact], mechanism: &Mechanism) -> Option<BlockSize> {
    // The first four contacts are those of its corners.
    let corner = |i: usize| match mechanism.contact(regions.get(i)?.contact).kind {
        ContactKind::Wall(wall) => Some(wall.pin.local),
        ContactKind::Journal(_) | ContactKind::Stop { .. } => None,
    };
    let (front, rear, low) = (corner(0)?, corner(1)?, corner(2)?);
    let distance = |a: [f64; 2], b: [f64; 2]| libm::hypot(a[0] - b[0], a[1] - b[1]);
    Some(BlockSize { length: distance(front, rear), height: distance(front, low) })
}
