//! From a document to a mechanism: the real one, and the one with ideal joints that a centred start is taken from.

mod explain;

use std::collections::BTreeMap;
use std::sync::Arc;

use jointplay_contact::catalog::LawOrigin;
use jointplay_contact::{ContactLaw, Surfaces};
use jointplay_mbd::{
    self as mbd, BodyId, Builder, Bushing, ContactId, DriftControl, Equations, Facing, ForceId,
    Formulation, JointId, Mechanism, Phase, Snapshot, Start, StartReport, State,
};
use serde::Serialize;

use crate::document::{At, Document, Named};
use crate::element::coordinate::CoordinateOf;
use crate::element::{ContactSpec, Coordinate, Force, LawSpec};
use crate::problem::Problems;
use explain::explain;

/// What a joint of the file was built as.
#[derive(Clone, Debug, PartialEq)]
pub enum Handle {
    /// A constraint.
    Ideal(JointId),
    /// An elastic bearing.
    Bushing(ForceId),
    /// Contacts, by region.
    Clearance(Vec<NamedContact>),
}

/// The `kind` of a joint, named as in a file.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FitKind {
    /// A constraint.
    Ideal,
    /// An elastic bearing.
    Bushing,
    /// Contacts.
    Clearance,
}

impl FitKind {
    /// Its name in a file.
    pub fn name(self) -> &'static str {
        match self {
            FitKind::Ideal => "ideal",
            FitKind::Bushing => "bushing",
            FitKind::Clearance => "clearance",
        }
    }
}

impl Handle {
    /// The `kind` of the joint in its file.
    pub fn kind(&self) -> FitKind {
        match self {
            Handle::Ideal(_) => FitKind::Ideal,
            Handle::Bushing(_) => FitKind::Bushing,
            Handle::Clearance(_) => FitKind::Clearance,
        }
    }

    /// Whether the joint is a constraint.
    pub fn is_ideal(&self) -> bool {
        match self {
            Handle::Ideal(_) => true,
            Handle::Bushing(_) | Handle::Clearance(_) => false,
        }
    }

    /// Whether the joint has clearance.
    pub fn is_clearance(&self) -> bool {
        self.regions().is_some()
    }

    /// The contacts of a joint with clearance.
    pub fn regions(&self) -> Option<&[NamedContact]> {
        match self {
            Handle::Clearance(regions) => Some(regions),
            Handle::Ideal(_) | Handle::Bushing(_) => None,
        }
    }
}

/// One contact of a clearance joint, or a contact outside joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedContact {
    /// The contact.
    pub contact: ContactId,
    /// Its region: `bearing`, `flat`, `end`, `stop`, …
    pub name: &'static str,
}

/// The contacts of a part outside joints, with its name.
type NamedRegions = (String, Vec<NamedContact>);

/// Which mechanism is built from a document.
enum Variant<'a> {
    /// The one that runs; its bodies may be placed again.
    Real(Option<&'a [Placement]>),
    /// Every clearance joint is ideal; there are no contacts.
    Ideal,
}

/// The start position and velocity of a body.
struct Placement {
    position: [f64; 2],
    angle: f64,
    velocity: [f64; 2],
    omega: f64,
}

/// A mechanism with the handles of its parts.
pub(crate) struct Built {
    pub(crate) mechanism: Mechanism,
    pub(crate) start: StartReport,
    /// The state to start from, if it is given.
    pub(crate) state: Option<Arc<State>>,
    pub(crate) handles: Handles,
    /// The distance of the nearest wall of each joint at the start (m), in the order of the
    /// document.
    pub(crate) rooms: Vec<f64>,
}

/// The handles of the parts.
#[derive(Default)]
pub(crate) struct Handles {
    /// In the order of the document.
    pub(crate) joints: Vec<Handle>,
    /// Contacts outside joints, then stops, in the order of the document.
    pub(crate) contacts: Vec<NamedRegions>,
    /// What the law of each contact is made of.
    pub(crate) origins: Vec<(ContactId, LawOrigin)>,
}

impl Handles {
    /// A coordinate of the mechanism; `None` if its joint has none in the kind that was built.
    pub(crate) fn coordinate(
        &self,
        document: &Document,
        coordinate: Coordinate,
    ) -> Option<mbd::Coordinate> {
        let i = match coordinate.of {
            CoordinateOf::Bodies(coordinate) => return Some(coordinate),
            CoordinateOf::Joint(i) => i,
        };
        match self.joints[i] {
            Handle::Ideal(id) => Some(mbd::Coordinate::Joint(id)),
            Handle::Bushing(_) | Handle::Clearance(_) => {
                document.joints[i].part.page().coordinate_of_bodies()
            }
        }
    }

    /// The contacts outside joints, and the stops.
    pub(crate) fn outside_joints(&self, document: &Document) -> (&[NamedRegions], &[NamedRegions]) {
        self.contacts.split_at(document.contacts.len().min(self.contacts.len()))
    }
}

/// Parts under construction.
pub(crate) struct Assembly<'a> {
    document: &'a Document,
    /// Whether every clearance joint is ideal.
    pub(crate) ideal: bool,
    pub(crate) parts: Builder,
    handles: Handles,
    pub(crate) problems: &'a mut Problems,
    warnings: &'a mut Problems,
}

/// The mechanism of a document, assembled once to see that it can start.
pub(crate) fn build(
    document: &Document,
    problems: &mut Problems,
    warnings: &mut Problems,
) -> Option<Built> {
    let (mut parts, mut handles) = assemble(document, &Variant::Real(None), problems, warnings)?;
    if document.centred && document.state.is_none() {
        let placements = centred(document, problems)?;
        let variant = Variant::Real(Some(&placements));
        (parts, handles) = assemble(document, &variant, problems, &mut Problems::default())?;
    }
    let mechanism = parts.build().map_err(|error| explain(document, &error, "", problems)).ok()?;
    let state = document.state.as_ref().map(|(state, at)| {
        if state.t >= document.run.until {
            let message = format!(
                "this state is at {} s, but the run ends at {} s",
                state.t, document.run.until
            );
            let hint = "set its time `t` to 0, or let `run.until` be later".to_owned();
            problems.report(&at.place, &at.path, message, Some(hint));
        }
        if state.t < 0.0 {
            let message = format!("this state is at {} s, but time begins at 0", state.t);
            problems.report(&at.place, &at.path, message, None);
        }
        let mut state = state.clone();
        state.contacts.retain(|name, _| {
            // Contacts of a joint that is ideal here have nothing to remember.
            let known = mechanism.find_contact(name).is_some();
            let of = |joint: &str| {
                let region = name.strip_prefix(joint);
                region.is_some_and(|r| {
                    !r.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-')
                })
            };
            if !known && !document.joints.iter().any(|joint| of(&joint.name)) {
                let message = format!("this state has a contact `{name}`, the model has none");
                problems.report(&at.place, &at.path, message, None);
            }
            known
        });
        Arc::new(state)
    });
    if !problems.is_empty() {
        return None;
    }
    let equations = Equations::new(&mechanism, document.run.formulation, document.run.drift);
    let started = equations.and_then(|equations| {
        if let Some(At { path, place }) = &document.baumgarte
            && equations.constraint_count() == 0
        {
            let message = "there is no constraint that Baumgarte's terms could stabilise";
            let hint = match document.run.formulation {
                Formulation::Joint => {
                    "leave it out: in joint coordinates only closed loops are constraints"
                }
                Formulation::Absolute => "leave it out: no joint and no driver holds a body",
                Formulation::Auto => "leave it out: no joint and no driver closes a loop",
            };
            warnings.report(place, path, message, Some(hint.to_owned()));
        }
        let start = match &state {
            Some(state) => equations.start_from(state.t, state)?,
            None => equations.start(0.0)?,
        };
        let instant = equations.snapshot(start.t, &start.y, &start.mode)?;
        let rooms = rooms(&instant, &start, &mechanism, &handles);
        for part in &document.contacts {
            part.part.page().warn_of_start(&instant, &part.name, &part.at, warnings);
        }
        for part in &document.joints {
            part.part.page().warn_of_start(&instant, &part.name, &part.at, warnings);
        }
        if let Some((_, At { path, place })) = &document.state
            && (start.report.moved > 1e-3 * mechanism.size() || start.report.turned > 1e-3)
        {
            let message = format!(
                "joints and drives of this model move the bodies of the state by up to {:.3e} m and {:.3e} rad at the start",
                start.report.moved, start.report.turned
            );
            let hint = "the state must match the drivers' positions at its time `t`".to_owned();
            warnings.report(place, path, message, Some(hint));
        }
        Ok((start.report, rooms))
    });
    let (start, rooms) = started.map_err(|error| explain(document, &error, "", problems)).ok()?;
    Some(Built { mechanism, start, state, handles, rooms })
}

/// The distance of the nearest wall of each joint at the start (m).
fn rooms(
    instant: &Snapshot<'_>,
    start: &Start,
    mechanism: &Mechanism,
    handles: &Handles,
) -> Vec<f64> {
    // A wall that the pin is not in front of does not count as near.
    let behind = |phase: &Phase| matches!(phase, Phase::Apart { facing: Facing::Aside, .. });
    let contacts = mechanism.contacts().zip(&start.mode.contacts);
    let gaps: BTreeMap<ContactId, f64> = contacts
        .filter(|(_, phase)| !behind(phase))
        .map(|((id, ..), _)| (id, -instant.contact(id).delta))
        .collect();
    let room = |handle: &Handle| {
        let regions = handle.regions().unwrap_or_default();
        let gaps = regions.iter().filter_map(|region| gaps.get(&region.contact));
        gaps.copied().fold(f64::INFINITY, f64::min)
    };
    handles.joints.iter().map(room).collect()
}

/// Positions and speeds of the mechanism whose clearance joints are ideal.
fn centred(document: &Document, problems: &mut Problems) -> Option<Vec<Placement>> {
    let context = "start.clearances = \"centred\", with ideal joints: ";
    let (parts, _) = assemble(document, &Variant::Ideal, problems, &mut Problems::default())?;
    let located = parts.build().and_then(|mechanism| {
        let equations = Equations::new(&mechanism, Formulation::Joint, DriftControl::default())?;
        let start = equations.start(0.0)?;
        let instant = equations.snapshot(start.t, &start.y, &start.mode)?;
        let placement = |body: &Named<BodyId>| {
            let (point, angle) = (instant.position(body.part), instant.angle(body.part));
            Placement {
                position: point.position,
                angle: angle.value,
                velocity: point.velocity,
                omega: angle.rate,
            }
        };
        Ok(document.bodies.iter().map(placement).collect())
    });
    located.map_err(|error| explain(document, &error, context, problems)).ok()
}

/// Collects the parts of one variant; `None` if there are problems.
fn assemble(
    document: &Document,
    variant: &Variant<'_>,
    problems: &mut Problems,
    warnings: &mut Problems,
) -> Option<(Builder, Handles)> {
    let before = problems.count();
    let mut assembly = Assembly {
        document,
        ideal: matches!(variant, Variant::Ideal),
        parts: document.parts.clone(),
        handles: Handles::default(),
        problems,
        warnings,
    };
    let placements = if let Variant::Real(placements) = variant { *placements } else { None };
    for (i, body) in document.bodies.iter().enumerate() {
        let Some(part) = assembly.parts.body_mut(body.part) else { continue };
        if let Some(placement) = placements.and_then(|all| all.get(i)) {
            *part = part
                .clone()
                .placed(placement.position, placement.angle)
                .moving(placement.velocity, placement.omega);
        }
        if !assembly.ideal {
            let [x, y] = document.disturbance.shift(i);
            part.position = [part.position[0] + x, part.position[1] + y];
        }
    }
    for joint in &document.joints {
        let handle = joint.part.page().build(&joint.name, &joint.at, &mut assembly);
        assembly.handles.joints.push(handle);
    }
    if !assembly.ideal {
        for contact in &document.contacts {
            let regions = contact.part.page().build(&contact.name, &mut assembly);
            assembly.keep(&contact.name, regions);
        }
    }
    for driver in &document.drivers {
        if let Some(coordinate) = assembly.coordinate(driver.part.coordinate, &driver.at) {
            let signal = driver.part.signal.clone();
            assembly.parts.drive(driver.name.clone(), coordinate, signal);
        }
    }
    for force in &document.forces {
        match &force.part {
            Force::Acting(part) => {
                assembly.parts.force(force.name.clone(), part.clone());
            }
            Force::Stop(_) if assembly.ideal => {}
            Force::Stop(stop) => {
                let regions = stop.build(&force.name, &force.at, &mut assembly);
                assembly.keep(&force.name, regions);
            }
        }
    }
    // Bodies that were placed by the ideal mechanism meet its conditions already.
    if placements.is_none() && (assembly.ideal || !document.centred) {
        for condition in &document.conditions {
            let Some(coordinate) = assembly.coordinate(condition.coordinate, &condition.at) else {
                continue;
            };
            if let Some(value) = condition.value {
                assembly.parts.start_at(coordinate, value);
            }
            if let Some(rate) = condition.rate {
                assembly.parts.start_with_rate(coordinate, rate);
            }
        }
    }
    let Assembly { parts, handles, problems, .. } = assembly;
    (problems.count() == before).then_some((parts, handles))
}

impl Assembly<'_> {
    /// The law of a contact, with its warnings kept.
    pub(crate) fn law(
        &mut self,
        law: &LawSpec,
        spec: &ContactSpec,
        surfaces: Option<Surfaces>,
    ) -> Option<ContactLaw> {
        let built = law.build(spec, surfaces, self.problems)?;
        for warning in built.warnings {
            self.warnings.report(&law.at.place, &law.at.path, warning, None);
        }
        Some(built.law)
    }

    /// Sets the remaining properties of a contact, and stores the origin of its law.
    pub(crate) fn settle(
        &mut self,
        contact: ContactId,
        law: &LawSpec,
        spec: &ContactSpec,
        surfaces: Option<Surfaces>,
    ) {
        if let Some(speed) = spec.initial_impact_speed {
            self.parts.initial_impact_speed(contact, speed);
        }
        if spec.locate_turns {
            self.parts.locate_turns(contact);
        }
        self.handles.origins.push((contact, law.origin(spec, surfaces)));
    }

    /// Keeps the contacts of a part outside joints.
    fn keep(&mut self, name: &str, regions: Option<Vec<NamedContact>>) {
        self.handles.contacts.extend(regions.map(|regions| (name.to_owned(), regions)));
    }

    /// Adds a joint that is an elastic bearing.
    pub(crate) fn bushing(&mut self, name: &str, bushing: Bushing) -> Handle {
        Handle::Bushing(self.parts.force(name, mbd::Force::Bushing(bushing)))
    }

    /// A coordinate of this variant.
    pub(crate) fn coordinate(
        &mut self,
        coordinate: Coordinate,
        at: &At,
    ) -> Option<mbd::Coordinate> {
        let found = self.handles.coordinate(self.document, coordinate);
        if found.is_none() {
            let message = "only an ideal slot or guide has a coordinate";
            let hint = Some("use angle, x, y or distance".to_owned());
            self.problems.report(&at.place, &at.path, message, hint);
        }
        found
    }
}
