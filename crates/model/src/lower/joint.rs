//! Joints: type × kind.

use std::collections::BTreeMap;

use jointplay_contact::Surfaces;
use jointplay_contact::catalog::{FrictionKind, Inputs};
use jointplay_mbd::Region;

use super::Lower;
use super::motion::distance;
use super::view::View;
use crate::document::{
    Axis, ChainPoint, Document, Friction, Guide, Joint, JointForm, JointKind, Journal, LawSpec,
    Slot, SlotPath, Touching,
};
use crate::law::split_hint;
use crate::shape;
use crate::units::Dimension;

/// Below this part of the radius (or this many metres) a clearance is lost in the rounding of positions.
const LEAST_CLEARANCE: f64 = 1e-11;

impl Lower<'_, '_> {
    pub(super) fn joint(&mut self, view: &View<'_>, document: &Document) -> Option<Joint> {
        let kind = match view.text("kind") {
            Some("bushing") => JointKind::Bushing,
            Some("clearance") => JointKind::Clearance,
            _ => JointKind::Ideal,
        };
        let (a, b) = (self.axis_or_point(view, "a"), self.axis_or_point(view, "b"));
        let bushing = if kind == JointKind::Bushing { Some(self.bushing(view)?) } else { None };
        let form = match view.text("type")? {
            "revolute" => {
                let friction = self.friction(view, "pin_radius", Dimension::TorsionalDamping);
                let clearance =
                    if kind == JointKind::Clearance { Some(self.journal(view)?) } else { None };
                JointForm::Revolute { friction, clearance }
            }
            "slot" => {
                let path = self.path(view);
                let clearance = if kind == JointKind::Clearance {
                    Some(self.slot(view, path.as_ref())?)
                } else {
                    None
                };
                JointForm::Slot { path: path?, clearance }
            }
            "prismatic" => {
                let friction = self.friction(view, "block_length", Dimension::Damping);
                let clearance =
                    if kind == JointKind::Clearance { Some(self.guide(view)?) } else { None };
                JointForm::Prismatic { friction, clearance }
            }
            "weld" => JointForm::Weld,
            _ => {
                let given = self.positive(view, "length", Dimension::Length);
                let (a, b) = (a?.point, b?.point);
                let length = given.unwrap_or_else(|| distance(document, a, b));
                if length == 0.0 && !view.has("length") {
                    let hint = Some("give a length, or move one of them".to_owned());
                    self.report_whole(view, "the ends of the rod coincide", hint);
                    return None;
                }
                JointForm::Rod { length }
            }
        };
        let (a, b) = (a?, b?);
        self.two_bodies(view, a.point.body, b.point.body)?;
        Some(Joint { kind, a, b, form, bushing })
    }

    fn axis_or_point(&mut self, view: &View<'_>, key: &'static str) -> Option<Axis> {
        match view.text("type") {
            Some("slot" | "rod") => {
                Some(Axis { point: self.point_of(view, key)?, direction: [1.0, 0.0] })
            }
            _ => self.axis_of(view, key),
        }
    }

    /// Friction of an ideal joint; dry friction acts at this size of the pin or block.
    fn friction(
        &mut self,
        view: &View<'_>,
        size: &'static str,
        viscous: Dimension,
    ) -> Option<Friction> {
        let table = view.view("friction")?;
        let viscous = self.not_negative(&table, "viscous_damping", viscous).unwrap_or(0.0);
        let numbers = numbers(&table);
        let mut dry = None;
        if table.has("law") || !numbers.is_empty() {
            let kind = match table.text("law") {
                None => FrictionKind::CoulombTanh,
                Some(name) => match name.parse() {
                    Ok(kind) => kind,
                    Err(problem) => {
                        let (message, hint) = split_hint(&problem);
                        self.report(&table, "law", message, hint);
                        return None;
                    }
                },
            };
            let inputs = Inputs { numbers, ..Inputs::default() };
            let unknown =
                jointplay_contact::catalog::unknown_numbers(&inputs, kind.id(), &[kind.sheet()]);
            let built = kind.build(&inputs).map_err(|problems| problems.0).err();
            for problem in unknown.iter().chain(built.iter().flatten()) {
                let (message, hint) = split_hint(problem);
                self.report_whole(&table, message, hint);
            }
            let radius = self.positive(&table, size, Dimension::Length);
            if !table.has(size) {
                let hint = Some(format!("write {size} = \"10 mm\""));
                self.report_whole(&table, format!("dry friction needs `{size}`"), hint);
            }
            dry = kind.build(&inputs).ok().zip(radius);
        }
        Some(Friction { viscous, dry })
    }

    /// Two sizes and their difference, of which two are given: the outer one and the gap between them, which is this
    /// part of the difference.
    fn play(
        &mut self,
        view: &View<'_>,
        outer: &'static str,
        inner: &'static str,
        part: f64,
    ) -> Option<(f64, f64, f64)> {
        let before = self.problems.count();
        let sizes = [outer, inner].map(|key| self.positive(view, key, Dimension::Length));
        let gap = view.quantity("clearance", Dimension::Length);
        if let Some(gap) = gap.filter(|gap| !(*gap > 0.0)) {
            let hint = Some("use kind = \"ideal\" for a joint without clearance".to_owned());
            self.report(view, "clearance", format!("{gap}: it must be above 0"), hint);
        }
        let given = [outer, inner, "clearance"].into_iter().filter(|key| view.has(key)).count();
        if given < 2 {
            let hint = Some(format!("give two of `{outer}`, `{inner}`, `clearance`"));
            self.report_whole(view, "a clearance joint needs its sizes", hint);
        }
        if self.problems.count() > before {
            return None;
        }
        let (large, small, gap) = match (sizes, gap) {
            ([Some(large), Some(small)], None) => (large, small, part * (large - small)),
            ([Some(large), None], Some(gap)) => (large, large - gap / part, gap),
            ([None, Some(small)], Some(gap)) => (small + gap / part, small, gap),
            ([Some(large), Some(small)], Some(gap)) => {
                let of_sizes = part * (large - small);
                if (gap - of_sizes).abs() > 1e-9 * gap {
                    let message =
                        format!("{gap} m is not the clearance of the sizes, {of_sizes} m");
                    self.report(view, "clearance", message, Some("give two of the three".into()));
                    return None;
                }
                (large, small, gap)
            }
            _ => return None,
        };
        if !(small > 0.0 && gap > 0.0) {
            let key = if view.has(inner) { inner } else { outer };
            let message =
                format!("{inner} ({small} m) must be above 0 and below {outer} ({large} m)");
            self.report(view, key, message, Some("are the two exchanged?".into()));
            return None;
        }
        if !(gap >= LEAST_CLEARANCE * large.max(1.0)) {
            let key = if view.has("clearance") { "clearance" } else { inner };
            let message = format!("a clearance of {gap:e} m is lost in the rounding of positions");
            let hint = Some("use kind = \"ideal\" for a joint without clearance".to_owned());
            self.report(view, key, message, hint);
            return None;
        }
        Some((large, small, gap))
    }

    fn journal(&mut self, view: &View<'_>) -> Option<Journal> {
        let sizes = self.play(view, "bearing_radius", "journal_radius", 1.0);
        let touch = self.touching(view);
        let depth = match view.text("contact_point") {
            Some("middle") => 0.5,
            Some("journal") => 1.0,
            _ => 0.0,
        };
        let (bearing_radius, journal, clearance) = sizes?;
        let surfaces = Surfaces::Internal { bearing: bearing_radius, journal };
        Some(Journal { bearing_radius, clearance, depth, surfaces, touch: touch? })
    }

    fn guide(&mut self, view: &View<'_>) -> Option<Guide> {
        let sizes = self.play(view, "guide_height", "block_height", 0.5);
        let touch = self.touching(view);
        let block_length = self.positive(view, "block_length", Dimension::Length);
        if !view.has("block_length") {
            self.report_whole(view, "a block in a guide needs a `block_length`", None);
        }
        let guide_length = self.positive(view, "guide_length", Dimension::Length);
        let offset = view.quantity("guide_offset", Dimension::Length);
        if view.has("guide_offset") && !view.has("guide_length") {
            let hint = Some("give a `guide_length` too".to_owned());
            self.report(view, "guide_offset", "an endless guide has no middle", hint);
        }
        let middle = offset.unwrap_or(0.0);
        let extent = guide_length.map(|length| [middle - 0.5 * length, middle + 0.5 * length]);
        let (_, block_height, clearance) = sizes?;
        Some(Guide { block_length: block_length?, block_height, clearance, extent, touch: touch? })
    }

    /// The centre line of a slot: straight, curved or a chain.
    fn path(&mut self, joint: &View<'_>) -> Option<SlotPath> {
        let view = joint.view("path")?;
        let forms: [(&str, &[&'static str]); 3] = [
            ("straight", &["from", "to"]),
            ("curved", &["centre", "radius", "from_angle", "to_angle"]),
            ("chain", &["points"]),
        ];
        let mut given = forms.iter().filter(|(_, keys)| keys.iter().any(|key| view.has(key)));
        let (Some((form, keys)), None) = (given.next(), given.next()) else {
            let hint = "give from and to, or centre, radius, from_angle and to_angle, or points";
            self.report_whole(&view, "the slot has no centre line, or two", Some(hint.into()));
            return None;
        };
        if let Some(missing) = keys.iter().find(|key| !view.has(key)) {
            self.report_whole(&view, format!("a {form} slot needs `{missing}`"), None);
            return None;
        }
        match *form {
            "straight" => {
                let from = view.vector("from", Dimension::Length)?;
                let to = view.vector("to", Dimension::Length)?;
                if from == to && joint.text("kind") != Some("clearance") {
                    let hint = Some("use type = \"revolute\"".to_owned());
                    self.report(&view, "to", "an ideal slot of no length has no direction", hint);
                    return None;
                }
                Some(SlotPath::Straight { from, to })
            }
            "curved" => {
                let centre = view.vector("centre", Dimension::Length)?;
                let radius = self.positive(&view, "radius", Dimension::Length)?;
                let from_angle = view.quantity("from_angle", Dimension::Angle)?;
                let to_angle = view.quantity("to_angle", Dimension::Angle)?;
                let sweep = to_angle - from_angle;
                if !(sweep > 0.0 && sweep <= std::f64::consts::TAU) {
                    let message = "the slot runs counter-clockwise, by at most one turn";
                    let hint = Some("to_angle must lie above from_angle".to_owned());
                    self.report(&view, "to_angle", message, hint);
                    return None;
                }
                Some(SlotPath::Curved { centre, radius, from_angle, to_angle })
            }
            _ => {
                let read = |point: &View<'_>| {
                    let arc = point.vector("arc_centre", Dimension::Length);
                    let clockwise = point.flag("clockwise").unwrap_or(false);
                    let at = point.vector("at", Dimension::Length)?;
                    Some(ChainPoint { at, arc: arc.map(|centre| (centre, clockwise)) })
                };
                let points: Option<Vec<ChainPoint>> =
                    view.list("points").iter().map(read).collect();
                let points = points?;
                if points.len() < 2 || points.windows(2).any(|pair| pair[0].at == pair[1].at) {
                    let message = "a chain has two or more points, each other than the one before";
                    self.report(&view, "points", message, None);
                    return None;
                }
                if joint.text("kind") != Some("clearance") {
                    let hint = Some("use from and to, or a curved path".to_owned());
                    let message = "a pin without clearance runs on one line or one arc";
                    self.report(&view, "points", message, hint);
                    return None;
                }
                Some(SlotPath::Chain { points })
            }
        }
    }

    fn slot(&mut self, view: &View<'_>, path: Option<&SlotPath>) -> Option<Slot> {
        let touch = self.touching(view);
        let pin = self.positive(view, "pin_radius", Dimension::Length);
        if !view.has("pin_radius") {
            self.report_whole(view, "a pin in a slot with clearance needs a `pin_radius`", None);
        }
        let table = view.view("path")?;
        let width = self.positive(&table, "width", Dimension::Length);
        let ends =
            ["radius_from", "radius_to"].map(|key| self.positive(&table, key, Dimension::Length));
        let radii = match (width, ends) {
            (Some(width), [None, None]) => [0.5 * width; 2],
            (None, [Some(from), Some(to)]) => [from, to],
            _ => {
                let hint = "give width, or radius_from and radius_to of a straight slot";
                self.report_whole(&table, "the width of the slot is not said", Some(hint.into()));
                return None;
            }
        };
        if radii[0] != radii[1] && !matches!(path, Some(SlotPath::Straight { .. }) | None) {
            self.report(&table, "radius_to", "only a straight slot may widen", None);
        }
        let depth = match view.text("contact_point") {
            Some("slot") => 0.0,
            Some("middle") => 0.5,
            _ => 1.0,
        };
        let (pin_radius, path, touch) = (pin?, path?, touch?);
        let narrow = radii[0].min(radii[1]);
        if !(pin_radius < narrow) {
            let message = format!(
                "the pin ({pin_radius} m) does not fit into the slot, whose half width is {narrow} m"
            );
            self.report(view, "pin_radius", message, None);
            return None;
        }
        let open = match view.text("ends") {
            Some("open") => [true, true],
            Some("open-from") => [true, false],
            Some("open-to") => [false, true],
            _ => [false, false],
        };
        let bent = |radius: f64| radius > radii[0];
        if !path.radii().all(bent) {
            self.report_whole(view, "the slot is wider than its centre line allows", None);
            return None;
        }
        let regions = self.slot_regions(view, path, open, &touch);
        Some(Slot { pin_radius, radii, open, depth, touch, regions })
    }

    /// The regions of a slot with their laws.
    fn slot_regions(
        &mut self,
        view: &View<'_>,
        path: &SlotPath,
        open: [bool; 2],
        touch: &Touching,
    ) -> Vec<(Region, LawSpec)> {
        let mut regions = Vec::new();
        if !matches!(path, SlotPath::Curved { .. }) {
            regions.push(Region::Flat);
        }
        if path.radii().next().is_some() {
            regions.extend([Region::Inner, Region::Outer]);
        }
        if open != [true, true] {
            regions.push(Region::End);
        }
        if open != [false, false] {
            regions.push(Region::Corner);
        }
        let laws = view.view("laws");
        let mut out = Vec::new();
        for region in regions {
            let own = laws.as_ref().and_then(|laws| self.region_law(laws, region.name()));
            let law = own.map_or_else(|| touch.law.clone(), |law| touch.law.with_region(&law));
            out.push((region, law));
        }
        if let Some(laws) = &laws {
            for (key, node) in laws.entries() {
                if !out.iter().any(|(region, _)| region.name() == key) {
                    let names: Vec<&str> = out.iter().map(|(region, _)| region.name()).collect();
                    let hint = Some(format!("it has {}", names.join(", ")));
                    let message = format!("this slot has no region `{key}`");
                    self.problems.report(&node.place, &laws.path_of(key), message, hint);
                }
            }
        }
        out
    }
}

/// Parameters of a law in a table, by the keys of the data sheets.
pub(super) fn numbers(view: &View<'_>) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    for (key, node) in view.entries() {
        let known = shape::law_parameters().find(|(name, _)| *name == key);
        if let Some((_, parameter)) = known
            && let Ok(value) = shape::law_number(node, parameter)
        {
            numbers.insert(parameter.key.to_owned(), value);
        }
    }
    numbers
}
