//! From what a contact says to its law.

use std::path::Path;

use jointplay_contact::catalog::{
    self, BuiltLaw, DampingKind, ElasticKind, FrictionKind, Inputs, LawName, LawOrigin, Need,
};
use jointplay_contact::{Surfaces, Tension};

use crate::document::{At, Document, JointForm, LawSpec, Touching};
use crate::problem::{Place, Problems};
use crate::user::{Complaint, LawText, UserElastic};

/// Linear stiffnesses beyond this (N/m) are mistakes: a cube of diamond of 1 m has 1e12.
pub(crate) const MAX_STIFFNESS: f64 = 1e18;

/// Likewise for K of K δⁿ, whose number grows with n.
const MAX_LAW_STIFFNESS: f64 = 1e30;

/// What to do where a law of cylinders stands on a flat.
const ON_A_FLAT: &str = "for a slot: laws = { flat = { clearance = \"2.45 mm\" } }";

/// A problem of the catalogue as message and hint.
pub(crate) fn split_hint(problem: &catalog::Problem) -> (String, Option<String>) {
    let text = problem.to_string();
    match text.split_once("; did you mean") {
        Some((message, near)) => (message.to_owned(), Some(format!("did you mean{near}"))),
        None => (text, None),
    }
}

impl LawSpec {
    /// The parts of a law written as one text. A single elastic law has no damping.
    pub(crate) fn named(name: LawName, user: Option<UserElastic>, at: At) -> Self {
        let alone = name.elastic.is_some() || user.is_some();
        let damping = name.damping.or(alone.then_some(DampingKind::NoDamping));
        LawSpec {
            elastic: name.elastic,
            user,
            damping,
            friction: name.friction,
            at,
            ..LawSpec::default()
        }
    }

    /// This law where a region says nothing else.
    pub(crate) fn with_region(&self, region: &LawSpec) -> LawSpec {
        let elastic = if region.elastic.is_some() || region.user.is_some() { region } else { self };
        let mut law = LawSpec {
            elastic: elastic.elastic,
            user: elastic.user.clone(),
            range: [0, 1].map(|i| region.range[i].or(self.range[i])),
            damping: region.damping.or(self.damping),
            friction: region.friction.or(self.friction),
            restitution: region.restitution.or(self.restitution),
            half_width: region.half_width.or(self.half_width),
            clearance: region.clearance.or(self.clearance),
            stiffness_power: self.stiffness_power,
            numbers: self.numbers.clone(),
            places: self.places.clone(),
            at: region.at.clone(),
        };
        // What was set may be meant for a law that is named along with it; what nobody knows is a mistake.
        let set = |key: &String| matches!(self.places.get(key), Some(Place::Set(_)));
        law.drop_foreign_numbers(|key| set(key) || !self.knows(key));
        if region.numbers.contains_key("stiffness") {
            law.stiffness_power = region.stiffness_power;
        }
        law.numbers.extend(region.numbers.iter().map(|(key, value)| (key.clone(), *value)));
        law.places.extend(region.places.iter().map(|(key, place)| (key.clone(), place.clone())));
        law
    }

    /// This law with the parts that are named: a damping law alone keeps the elastic law, an elastic law alone has no
    /// damping, friction stays unless named, `kelvin-voigt` alone is the complete model of that name.
    pub(crate) fn replaced(
        &self,
        name: LawName,
        user: Option<&UserElastic>,
        place: &Place,
    ) -> LawSpec {
        let mut law = self.clone();
        let own = self.name().elastic_or_default();
        let other = name.elastic.is_some_and(|elastic| elastic != own);
        if self.user.is_none() && (other || user.is_some()) {
            // Constants of another elastic law; what was set along with the new one is meant for it.
            let old = own.sheet();
            let set = |key: &String| matches!(self.places.get(key), Some(Place::Set(_)));
            let of_old = |key: &String| old.parameters.iter().any(|p| p.key == key);
            law.numbers.retain(|key, _| set(key) || !of_old(key));
        }
        match (name.elastic, name.damping) {
            (elastic, damping) if elastic.is_some() || user.is_some() => {
                law.elastic = elastic;
                law.user = user.cloned();
                law.places.insert("elastic".into(), place.clone());
                law.damping = Some(damping.unwrap_or(DampingKind::NoDamping));
            }
            (_, Some(damping)) => {
                law.damping = Some(damping);
                if damping == DampingKind::KelvinVoigt {
                    law.elastic = Some(ElasticKind::Linear);
                    law.user = None;
                }
            }
            _ => {}
        }
        law.friction = name.friction.or(law.friction);
        law.drop_foreign_numbers(|_| false);
        law
    }

    /// The parts that are named, as keys of a table.
    pub(crate) fn parts(&self) -> [(&'static str, Option<String>); 3] {
        let elastic = self.elastic.map(|kind| kind.id().to_owned());
        let elastic = self.user.as_ref().map(UserElastic::name).or(elastic);
        [
            ("elastic", elastic),
            ("damping", self.damping.map(|kind| kind.id().to_owned())),
            ("friction", self.friction.map(|kind| kind.id().to_owned())),
        ]
    }

    /// The parts that are named, as one text; an elastic law alone has no damping.
    pub(crate) fn text(&self) -> String {
        let [(_, elastic), (_, damping), (_, friction)] = self.parts();
        let implied = elastic.is_some() && self.damping == Some(DampingKind::NoDamping);
        let parts = [elastic, damping.filter(|_| !implied), friction];
        parts.into_iter().flatten().collect::<Vec<_>>().join("+")
    }

    /// The names of the parts; a restitution without a damping law asks for the law that returns it.
    pub(crate) fn name(&self) -> LawName {
        let asked = self.restitution.map(|_| DampingKind::Exact);
        let damping = self.damping.or(asked);
        let name = LawName { elastic: self.elastic, damping, friction: self.friction };
        LawName { elastic: Some(name.elastic_or_default()), ..name }
    }

    /// Whether one of the parts has this parameter.
    fn knows(&self, key: &str) -> bool {
        let name = self.name();
        let elastic = self.user.is_none().then(|| name.elastic_or_default().sheet());
        let others = [
            name.damping.unwrap_or(DampingKind::NoDamping).sheet(),
            name.friction.unwrap_or(FrictionKind::NoFriction).sheet(),
        ];
        let mut sheets = elastic.into_iter().chain(others);
        sheets.any(|sheet| sheet.parameters.iter().any(|p| p.key == key))
    }

    /// Parameters of laws that were replaced mean nothing to the new ones.
    fn drop_foreign_numbers(&mut self, but: impl Fn(&String) -> bool) {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.retain(|key, _| self.knows(key) || but(key));
        self.numbers = numbers;
        if !self.numbers.contains_key("stiffness") {
            self.stiffness_power = None;
        }
    }

    fn place_of(&self, key: &str) -> &Place {
        self.places.get(key).unwrap_or(&self.at.place)
    }

    /// What the law is given between these surfaces.
    fn inputs(&self, touch: &Touching, surfaces: Option<Surfaces>) -> Inputs {
        Inputs {
            surfaces,
            clearance: self.clearance,
            length: touch.length,
            half_width: self.half_width,
            materials: touch.materials,
            restitution: self.restitution,
            numbers: self.numbers.clone(),
        }
    }

    /// What the law between these surfaces is made of.
    pub(crate) fn origin(&self, touch: &Touching, surfaces: Option<Surfaces>) -> LawOrigin {
        let name = self.name();
        let elastic = name.elastic.filter(|_| self.user.is_none());
        LawOrigin { name: LawName { elastic, ..name }, inputs: self.inputs(touch, surfaces) }
    }

    /// The law between these surfaces.
    pub(crate) fn build(
        &self,
        touch: &Touching,
        surfaces: Option<Surfaces>,
        problems: &mut Problems,
    ) -> Option<BuiltLaw> {
        let before = problems.count();
        let name = self.name();
        let inputs = self.inputs(touch, surfaces);
        let built = if let Some(user) = &self.user {
            let built = user.build(name, &inputs, self.range);
            let complain = |complaints: Vec<Complaint>| {
                for (message, hint) in complaints {
                    problems.report(self.place_of("elastic"), &self.at.path, message, hint);
                }
            };
            Ok(built.map_err(complain).ok()?)
        } else {
            self.check_stiffness(name, problems);
            name.build(&inputs)
        };
        match built {
            Ok(mut built) => {
                if touch.adhesive {
                    built.law.normal.tension = Tension::Keep;
                }
                if let Some(floor) = touch.impact_speed_floor {
                    built.law.normal.impact_speed_floor = floor;
                    built.law.normal.rest_speed = 0.0;
                }
                (problems.count() == before).then_some(built)
            }
            Err(wrong) => {
                for problem in &wrong.0 {
                    let (message, mut hint) = split_hint(problem);
                    if let catalog::Problem::Surfaces { .. } = problem {
                        hint = Some(ON_A_FLAT.to_owned());
                    }
                    if let catalog::Problem::Missing { need, .. } = problem {
                        hint = self
                            .key_of(*need)
                            .map(|key| format!("give `{key}`, in the file or with --set {key}=…"))
                            .or(hint);
                    }
                    let key = match problem {
                        catalog::Problem::OutOfRange { key, .. }
                        | catalog::Problem::UnknownParameter { key, .. }
                        | catalog::Problem::NotAFlag { key, .. } => key.as_str(),
                        _ => "",
                    };
                    problems.report(self.place_of(key), &self.at.path, message, hint);
                }
                None
            }
        }
    }

    /// The key of a model that gives what a law needs.
    fn key_of(&self, need: Need) -> Option<String> {
        let law = &self.at.path;
        let joint = law.split_once(".law").map_or(law.as_str(), |(joint, _)| joint);
        match need {
            Need::Material => Some(format!("{joint}.material")),
            Need::Length => Some(format!("{joint}.length")),
            Need::Restitution => Some(format!("{joint}.restitution")),
            Need::HalfWidth => Some(format!("{law}.half_width")),
            Need::StiffnessOrGeometry => Some(format!("{law}.stiffness")),
            Need::Parameter(parameter) => {
                Some(format!("{law}.{}", crate::shape::parameter_key(parameter.key)))
            }
            Need::Radii | Need::BothRadii => None,
        }
    }

    /// The unit of a stiffness must be that of the law, and its size of this world.
    fn check_stiffness(&self, name: LawName, problems: &mut Problems) {
        let Some(&stiffness) = self.numbers.get("stiffness") else { return };
        let place = self.place_of("stiffness");
        if stiffness > MAX_LAW_STIFFNESS {
            let message = format!("stiffness = {stiffness}: no contact is so stiff");
            let hint = Some(format!("it must not exceed {MAX_LAW_STIFFNESS:e} N/m^n"));
            problems.report(place, &self.at.path, message, hint);
        }
        let exponent = match name.elastic_or_default() {
            ElasticKind::Hertz => Some(1.5),
            ElasticKind::Linear | ElasticKind::PlanePlane => Some(1.0),
            ElasticKind::Power => self.numbers.get("exponent").copied(),
            _ => None,
        };
        if let (Some(power), Some(exponent)) = (self.stiffness_power, exponent)
            && power != exponent
        {
            let message = format!("the unit is N/m^{power}, but the law is K δ^{exponent}");
            let hint = Some(format!("write it in N/m^{exponent} or N/mm^{exponent}"));
            problems.report(place, &self.at.path, message, hint);
        }
    }
}

/// Names other laws for every clearance joint and contact.
pub(crate) fn replace_all(
    document: &mut Document,
    law: &str,
    place: &Place,
    folder: Option<&Path>,
    files: &mut Vec<String>,
    problems: &mut Problems,
) {
    let read = LawText::parse(law).and_then(|law| {
        let user = law.user.map(|text| UserElastic::read(&text, folder, files)).transpose()?;
        Ok((law.name, user))
    });
    let (name, user) = match read {
        Ok(read) => read,
        Err(wrong) => {
            for (message, hint) in wrong {
                problems.report(place, "", message, hint);
            }
            return;
        }
    };
    let user = user.as_ref();
    let replace = |touch: &mut Touching| touch.law = touch.law.replaced(name, user, place);
    for joint in &mut document.joints {
        match &mut joint.part.form {
            JointForm::Revolute { clearance: Some(journal), .. } => replace(&mut journal.touch),
            JointForm::Slot { clearance: Some(slot), .. } => {
                replace(&mut slot.touch);
                for (_, law) in &mut slot.regions {
                    *law = law.replaced(name, user, place);
                }
            }
            JointForm::Prismatic { clearance: Some(guide), .. } => replace(&mut guide.touch),
            _ => {}
        }
    }
    document.contacts.iter_mut().for_each(|contact| replace(&mut contact.part.touch));
}

/// Where no other law is named, what was set for the law of a joint is not for regions whose laws do not know it.
pub(crate) fn keep_all(document: &mut Document) {
    for joint in &mut document.joints {
        if let JointForm::Slot { clearance: Some(slot), .. } = &mut joint.part.form {
            let main = &slot.touch.law;
            for (_, law) in &mut slot.regions {
                law.drop_foreign_numbers(|key| !main.knows(key));
            }
        }
    }
}
