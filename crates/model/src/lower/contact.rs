//! Contacts: their laws, materials and surfaces.

use std::collections::BTreeMap;

use jointplay_contact::{Material, Restitution};

use super::Lower;
use super::joint::numbers;
use super::view::View;
use crate::document::{At, Contact, ContactForm, LawSpec, Point, Touching};
use crate::law::split_hint;
use crate::problem::{Place, did_you_mean};
use crate::shape;
use crate::source::{Node, Value};
use crate::units::Dimension;
use crate::user::{Complaint, LawText, UserElastic, is_user};

impl Lower<'_, '_> {
    /// What a contact says besides its geometry. `None` if its law could not be read.
    pub(super) fn touching(&mut self, view: &View<'_>) -> Option<Touching> {
        let law = self.law(view, "law");
        let materials = self.materials_of(view);
        let restitution = self.restitution(view);
        let mut touch = Touching {
            law: law?,
            materials,
            length: self.positive(view, "length", Dimension::Length),
            adhesive: view.flag("adhesive").unwrap_or(false),
            impact_speed_floor: self.positive(view, "impact_speed_floor", Dimension::Speed),
            initial_impact_speed: self.not_negative(view, "initial_impact_speed", Dimension::Speed),
            locate_turns: view.flag("locate_turns").unwrap_or(false),
        };
        if restitution.is_some() {
            let key = view.path_of("restitution");
            let place = view.place_of("restitution").clone();
            if touch.law.restitution.is_some() {
                self.report_second_restitution(&touch.law, &key, &place);
            } else {
                touch.law.restitution = restitution;
                touch.law.restitution_key = key;
                touch.law.places.insert("restitution".into(), place);
            }
        }
        Some(touch)
    }

    /// A contact has one restitution, beside its law or in it.
    fn report_second_restitution(&mut self, law: &LawSpec, key: &str, place: &Place) {
        let other = law.places.get("restitution").unwrap_or(&law.at.place);
        let (first, second) = (key, law.restitution_key.as_str());
        let message = format!("`{first}` and `{second}` both give the restitution of one contact");
        let (place, path, hint) = match (place, other) {
            (Place::Set(_), Place::Set(_)) => (place, first, "set one of them".to_owned()),
            (Place::Set(_), _) => (place, first, format!("the file has `{second}`: set that key")),
            (_, Place::Set(_)) => (other, second, format!("the file has `{first}`: set that key")),
            _ => (other, second, "leave out one of them".to_owned()),
        };
        self.problems.report(place, path, message, Some(hint));
    }

    /// The law of a region of a slot.
    pub(super) fn region_law(&mut self, laws: &View<'_>, region: &'static str) -> Option<LawSpec> {
        if laws.has(region) { self.law(laws, region) } else { None }
    }

    /// A law as text or table; without one nothing is said.
    fn law(&mut self, view: &View<'_>, key: &'static str) -> Option<LawSpec> {
        let at = if view.has(key) { view.at_key(key) } else { view.at() };
        let Some(node) = view.node(key) else {
            return Some(LawSpec { at, ..LawSpec::default() });
        };
        match &node.value {
            Value::Text(text) => {
                let read = LawText::parse(text).and_then(|law| {
                    let user = self.user(law.user.as_deref())?;
                    Ok(LawSpec::named(law.name, user, at))
                });
                let complain = |wrong: Vec<Complaint>| {
                    for (message, hint) in wrong {
                        self.report(view, key, message, hint);
                    }
                };
                read.map_err(complain).ok()
            }
            Value::Table(_) => {
                let table = view.view(key)?;
                self.law_table(&table, at)
            }
            _ => None,
        }
    }

    fn law_table(&mut self, table: &View<'_>, at: At) -> Option<LawSpec> {
        let before = self.problems.count();
        let own = table.text("elastic").filter(|text| is_user(text));
        let user = self.user(own).unwrap_or_else(|wrong| {
            for (message, hint) in wrong {
                self.report(table, "elastic", message, hint);
            }
            None
        });
        let elastic = if own.is_some() { None } else { self.law_part(table, "elastic") };
        let range = [("max_indentation", Dimension::Length), ("max_rate", Dimension::Speed)]
            .map(|(key, dimension)| self.positive(table, key, dimension));
        let damping = self.law_part(table, "damping");
        let friction = self.law_part(table, "friction");
        let restitution = self.restitution(table);
        let half_width = self.positive(table, "half_width", Dimension::Length);
        let clearance = self.positive(table, "clearance", Dimension::Length);
        let numbers = numbers(table);
        let (mut places, mut named) = (BTreeMap::new(), BTreeMap::new());
        for (key, node) in table.entries() {
            if let Some(part) = ["elastic", "damping", "friction"].into_iter().find(|p| *p == key) {
                named.insert(part, node.place.clone());
                continue;
            }
            let known = shape::law_parameters().find(|(name, _)| *name == key);
            let key = known.map_or(key, |(_, parameter)| parameter.key);
            places.insert(key.to_owned(), node.place.clone());
        }
        let stiffness = table.entries().find(|(key, _)| *key == "stiffness");
        let stiffness_power =
            stiffness.and_then(|(_, node)| shape::stiffness(node)).map(|(_, power)| power);
        (self.problems.count() == before).then_some(LawSpec {
            elastic,
            user,
            range,
            damping,
            friction,
            restitution_key: table.path_of("restitution"),
            restitution,
            half_width,
            clearance,
            numbers,
            stiffness_power,
            places,
            named,
            at,
        })
    }

    /// An elastic law of the user's own.
    fn user(&mut self, text: Option<&str>) -> Result<Option<UserElastic>, Vec<Complaint>> {
        text.map(|text| UserElastic::read(text, self.tables)).transpose()
    }

    /// One part of a law by its id.
    fn law_part<T: std::str::FromStr<Err = jointplay_contact::catalog::Problem>>(
        &mut self,
        table: &View<'_>,
        key: &'static str,
    ) -> Option<T> {
        match table.text(key)?.parse() {
            Ok(kind) => Some(kind),
            Err(problem) => {
                let (message, hint) = split_hint(&problem);
                self.report(table, key, message, hint);
                None
            }
        }
    }

    fn restitution(&mut self, view: &View<'_>) -> Option<Restitution> {
        let node = view.node("restitution")?;
        let in_range = |value: f64| Restitution::RANGE.contains(value);
        match &node.value {
            Value::Text(text) if text == "cube-root" => Some(Restitution::CubeRoot),
            Value::Table(_) => {
                let line = view.view("restitution")?;
                let alpha_0 = line.quantity("alpha_0", Dimension::Number)?;
                let alpha_1 = line.quantity("alpha_1", Dimension::Number)?;
                if !in_range(alpha_0) || !(alpha_1 >= 0.0) {
                    let message = "alpha_0 must lie in [0, 1] and alpha_1 must not be negative";
                    self.report_whole(&line, message, None);
                    return None;
                }
                Some(Restitution::Linear { alpha_0, alpha_1 })
            }
            _ => {
                let value = view.quantity("restitution", Dimension::Number)?;
                if !in_range(value) {
                    let message = format!("{value}: a restitution lies in [0, 1]");
                    self.report(view, "restitution", message, None);
                    return None;
                }
                Some(Restitution::Constant(value))
            }
        }
    }

    fn materials_of(&mut self, view: &View<'_>) -> Option<[Material; 2]> {
        match (view.node("material"), view.node("materials")) {
            (None, None) => None,
            (Some(one), None) => {
                let material = self.material_named(one, &view.path_of("material"))?;
                Some([material; 2])
            }
            (None, Some(both)) => {
                let path = view.path_of("materials");
                let [a, b] = both.list()? else {
                    self.report(view, "materials", "materials of a and of b are two", None);
                    return None;
                };
                let (a, b) = (self.material_named(a, &path), self.material_named(b, &path));
                Some([a?, b?])
            }
            (Some(_), Some(_)) => {
                self.report(view, "materials", "give `material` or `materials`, not both", None);
                None
            }
        }
    }

    fn material_named(&mut self, node: &Node, path: &str) -> Option<Material> {
        let name = node.text()?;
        let found = self.materials.get(name).copied();
        if found.is_none() {
            let hint = did_you_mean(name, self.materials.keys().map(String::as_str));
            let message = format!("there is no material `{name}`");
            self.problems.report(&node.place, path, message, hint);
        }
        found
    }

    pub(super) fn contact(&mut self, view: &View<'_>) -> Option<Contact> {
        let touch = self.touching(view);
        let form = if view.text("type")? == "circle-circle" {
            let (a, b) = (self.circle(view, "a"), self.circle(view, "b"));
            let (a, b) = (a?, b?);
            self.two_bodies(view, a.0.body, b.0.body)?;
            ContactForm::Circles { a, b }
        } else {
            let circle = self.circle(view, "circle");
            let line = view.view("line")?;
            let body = self.body_of(&line, "body");
            let from = line.vector("from", Dimension::Length)?;
            let to = line.vector("to", Dimension::Length)?;
            if from == to {
                self.report(&line, "to", "a wall of no length", None);
                return None;
            }
            let (circle, body) = (circle?, body?);
            self.two_bodies(view, body, circle.0.body)?;
            ContactForm::CircleLine { body, from, to, circle }
        };
        Some(Contact { form, touch: touch? })
    }

    fn circle(&mut self, view: &View<'_>, key: &'static str) -> Option<(Point, f64)> {
        let circle = view.view(key)?;
        let radius = self.positive(&circle, "radius", Dimension::Length);
        let point = self.point(&circle);
        Some((point?, radius?))
    }
}
