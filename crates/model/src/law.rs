//! From the entries of a contact in the file to its law.

use jointplay_contact::catalog::{
    self, BuiltLaw, DampingKind, ElasticKind, FrictionKind, Inputs, LawName, LawOrigin, Need,
};
use jointplay_contact::{Surfaces, Tension};

use crate::document::{At, Document};
use crate::element::{ContactSpec, LawSpec};
use crate::problem::{Problems, SourcePlace};
use crate::shape::parameter_key;
use crate::source::{self, join};
use crate::tables::TableReader;
use crate::user::{Complaint, LawText, UserElastic};

/// Linear stiffnesses beyond this (N/m) are mistakes: a cube of diamond of 1 m has 1e12.
pub(crate) const MAX_STIFFNESS: f64 = 1e18;

/// Likewise for K of K δⁿ, whose number grows with n.
const MAX_LAW_STIFFNESS: f64 = 1e30;

/// The hint for a cylinder law on a flat.
const ON_A_FLAT: &str = "for a slot: laws = { flat = { clearance = \"2.45 mm\" } }";

/// A problem of the catalogue as message and hint.
pub(crate) fn split_hint(problem: &catalog::LawProblem) -> (String, Option<String>) {
    (problem.message(), problem.hint())
}

impl LawSpec {
    /// The parts of a law written as one text, with the law of the user's own that it names.
    pub(crate) fn named(text: &LawText, user: Option<UserElastic>, at: At) -> Self {
        let law = LawSpec {
            elastic: text.name.elastic,
            user,
            damping: text.damping(),
            friction: text.name.friction,
            ..LawSpec::default()
        };
        let named = law.parts().into_iter().filter(|(_, id)| id.is_some());
        let named = named.map(|(part, _)| (part, at.place.clone())).collect();
        LawSpec { named, at, ..law }
    }

    /// This law, with the changes of a region.
    pub(crate) fn with_region(&self, region: &LawSpec) -> LawSpec {
        let elastic = if region.elastic.is_some() || region.user.is_some() { region } else { self };
        let mut law = LawSpec {
            elastic: elastic.elastic,
            user: elastic.user.clone(),
            range: [0, 1].map(|i| region.range[i].or(self.range[i])),
            damping: region.damping.or(self.damping),
            friction: region.friction.or(self.friction),
            restitution: region.restitution.or(self.restitution),
            restitution_key: match region.restitution {
                Some(_) => region.restitution_key.clone(),
                None => self.restitution_key.clone(),
            },
            half_width: region.half_width.or(self.half_width),
            clearance: region.clearance.or(self.clearance),
            stiffness_power: self.stiffness_power,
            numbers: self.numbers.clone(),
            places: self.places.clone(),
            named: self.named.clone(),
            at: region.at.clone(),
        };
        // A set parameter may belong to a law that is named together with it; a parameter of no law
        // is a mistake.
        law.drop_foreign_numbers(|key| self.is_set(key) || !self.takes(key));
        if region.numbers.contains_key("stiffness") {
            law.stiffness_power = region.stiffness_power;
        }
        law.numbers.extend(region.numbers.iter().map(|(key, value)| (key.clone(), *value)));
        law.places.extend(region.places.iter().map(|(key, place)| (key.clone(), place.clone())));
        law.named.extend(region.named.iter().map(|(part, place)| (*part, place.clone())));
        law
    }

    /// This law with the parts that are named: a damping law alone keeps the elastic law, an elastic law alone has no
    /// damping, friction stays unless named, `kelvin-voigt` alone is the complete model of that name.
    pub(crate) fn replaced(
        &self,
        name: LawName,
        user: Option<&UserElastic>,
        place: &SourcePlace,
    ) -> LawSpec {
        let mut law = self.clone();
        let own = self.name().elastic_or_default();
        let other = name.elastic.is_some_and(|elastic| elastic != own);
        if self.user.is_none() && (other || user.is_some()) {
            // Constants of another elastic law; parameters set together with the new one belong to
            // it.
            let old = own.sheet();
            let of_old = |key: &String| old.parameters.iter().any(|p| p.key == key);
            law.numbers.retain(|key, _| self.is_set(key) || !of_old(key));
        }
        match (name.elastic, name.damping) {
            (elastic, damping) if elastic.is_some() || user.is_some() => {
                law.elastic = elastic;
                law.user = user.cloned();
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
        for (part, is_named) in [
            ("elastic", name.elastic.is_some() || user.is_some()),
            ("damping", law.damping != self.damping),
            ("friction", name.friction.is_some()),
        ] {
            if is_named {
                law.named.insert(part, place.clone());
            }
        }
        law.drop_foreign_numbers(|key| self.is_set(key));
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

    /// The names of the parts; a restitution without a damping law selects `exact`, which returns
    /// it.
    pub(crate) fn name(&self) -> LawName {
        let asked = self.restitution.map(|_| DampingKind::Exact);
        let damping = self.damping.or(asked);
        let name = LawName { elastic: self.elastic, damping, friction: self.friction };
        LawName { elastic: Some(name.elastic_or_default()), ..name }
    }

    /// Whether one of the parts takes this parameter.
    pub(crate) fn takes(&self, key: &str) -> bool {
        match key {
            "max_indentation" | "max_rate" => matches!(self.user, Some(UserElastic::Formula(..))),
            _ => self.parameters().any(|parameter| parameter == key),
        }
    }

    /// The keys of the parameters that the parts take.
    fn parameters(&self) -> impl Iterator<Item = &'static str> {
        let name = self.name();
        let elastic = self.user.is_none().then(|| name.elastic_or_default().sheet());
        let others = [
            name.damping.unwrap_or(DampingKind::NoDamping).sheet(),
            name.friction.unwrap_or(FrictionKind::NoFriction).sheet(),
        ];
        let sheets = elastic.into_iter().chain(others);
        sheets.flat_map(|sheet| sheet.parameters.iter().map(|p| p.key))
    }

    /// The parameters that are given, by the keys of the data sheets.
    fn given(&self) -> Vec<String> {
        let own = [
            ("restitution", self.restitution.is_some()),
            ("half_width", self.half_width.is_some()),
            ("clearance", self.clearance.is_some()),
            ("max_indentation", self.range[0].is_some()),
            ("max_rate", self.range[1].is_some()),
        ];
        let own = own.into_iter().filter(|(_, given)| *given).map(|(key, _)| key.to_owned());
        own.chain(self.numbers.keys().cloned()).collect()
    }

    /// Drops given parameters that the law does not take.
    fn drop_foreign(&mut self) {
        self.drop_foreign_numbers(|_| false);
        if !self.takes("restitution") {
            // A damping law that only the restitution asked for takes one, so none is lost here.
            self.restitution = None;
        }
        self.half_width = self.half_width.filter(|_| self.takes("half_width"));
        self.clearance = self.clearance.filter(|_| self.takes("clearance"));
        if !self.takes("max_rate") {
            self.range = [None; 2];
        }
    }

    /// Parameters of laws that were replaced mean nothing to the new ones.
    fn drop_foreign_numbers(&mut self, but: impl Fn(&String) -> bool) {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.retain(|key, _| self.takes(key) || but(key));
        self.numbers = numbers;
        if !self.numbers.contains_key("stiffness") {
            self.stiffness_power = None;
        }
    }

    /// Whether this was said on the command line.
    fn is_set(&self, key: &str) -> bool {
        matches!(self.places.get(key), Some(SourcePlace::Set(_)))
    }

    /// Whether a part of the law was named on the command line.
    fn is_chosen(&self) -> bool {
        self.named.values().any(|place| matches!(place, SourcePlace::Set(_)))
    }

    /// Parts that were set to something and would be something else with the law that is named for all.
    fn report_overruled(
        &self,
        new: &LawSpec,
        from: Option<&LawSpec>,
        law: &str,
        problems: &mut Problems,
    ) {
        for ((part, old), (_, new)) in self.parts().into_iter().zip(new.parts()) {
            let place = self.named.get(part);
            let inherited = from.is_some_and(|from| from.named.get(part) == place);
            if let (Some(place @ SourcePlace::Set(_)), Some(old)) = (place, &old)
                && Some(old) != new.as_ref()
                && !inherited
            {
                let message = format!("`{old}` and `--law {law}` both name a law here");
                let hint = "leave out one of them; parameters of the law may be set beside --law";
                let path = join(&self.at.path, part);
                problems.report(place, &path, message, Some(hint.to_owned()));
            }
        }
    }

    /// What to say of a parameter that the law does not take.
    fn complaint(&self, key: &str) -> Complaint {
        let written = parameter_key(key);
        let [(_, elastic), ..] = self.parts();
        let name = self.name();
        let elastic = elastic.unwrap_or_else(|| name.elastic_or_default().id().to_owned());
        let damping = name.damping.filter(|kind| *kind != DampingKind::NoDamping);
        let friction = name.friction.filter(|kind| *kind != FrictionKind::NoFriction);
        let others = [damping.map(DampingKind::id), friction.map(FrictionKind::id)];
        let parts = std::iter::once(elastic.as_str()).chain(others.into_iter().flatten());
        let law = parts.collect::<Vec<_>>().join("+");
        if key == "restitution" && damping.is_none() {
            let hint = format!(
                "leave it out, or name a damping law that takes one, such as `{law}+exact`"
            );
            return (format!("`{law}` takes no restitution"), Some(hint));
        }
        let geometry = ["radius_i", "radius_j", "length", "young", "poisson"];
        let mut known: Vec<&'static str> = Vec::new();
        for parameter in self.parameters().filter(|key| !geometry.contains(key)) {
            let parameter = parameter_key(parameter);
            if !known.contains(&parameter) {
                known.push(parameter);
            }
        }
        let near = catalog::nearest(written, known.iter().copied());
        let known = if near.is_empty() { known } else { near };
        split_hint(&catalog::LawProblem::UnknownParameter { law, key: written.to_owned(), known })
    }

    fn place_of(&self, key: &str) -> &SourcePlace {
        self.places.get(key).unwrap_or(&self.at.place)
    }

    /// What the law is given between these surfaces.
    fn inputs(&self, contact: &ContactSpec, surfaces: Option<Surfaces>) -> Inputs {
        Inputs {
            surfaces,
            clearance: self.clearance,
            length: contact.length,
            half_width: self.half_width,
            materials: contact.materials,
            restitution: self.restitution,
            numbers: self.numbers.clone(),
        }
    }

    /// What the law between these surfaces is made of.
    pub(crate) fn origin(&self, contact: &ContactSpec, surfaces: Option<Surfaces>) -> LawOrigin {
        let name = self.name();
        let elastic = name.elastic.filter(|_| self.user.is_none());
        LawOrigin { name: LawName { elastic, ..name }, inputs: self.inputs(contact, surfaces) }
    }

    /// The law between these surfaces.
    pub(crate) fn build(
        &self,
        contact: &ContactSpec,
        surfaces: Option<Surfaces>,
        problems: &mut Problems,
    ) -> Option<BuiltLaw> {
        let before = problems.count();
        let name = self.name();
        let inputs = self.inputs(contact, surfaces);
        let built = if let Some(user) = &self.user {
            let built = user.build(name, &inputs, self.range);
            let complain = |complaints: Vec<Complaint>| {
                for (message, hint) in complaints {
                    let place = self.named.get("elastic").unwrap_or(&self.at.place);
                    problems.report(place, &self.at.path, message, hint);
                }
            };
            Ok(built.map_err(complain).ok()?)
        } else {
            self.check_stiffness(name, problems);
            name.build(&inputs)
        };
        match built {
            Ok(mut built) => {
                if contact.adhesive {
                    built.law.normal.tension = Tension::Keep;
                }
                if let Some(floor) = contact.impact_speed_floor {
                    built.law.normal.impact_speed_floor = floor;
                    built.law.normal.rest_speed = 0.0;
                }
                (problems.count() == before).then_some(built)
            }
            Err(wrong) => {
                for problem in &wrong.0 {
                    let (message, mut hint) = split_hint(problem);
                    if let catalog::LawProblem::Surfaces { .. } = problem {
                        hint = Some(ON_A_FLAT.to_owned());
                    }
                    if let Some(need) = problem.need() {
                        hint = self
                            .key_of(need)
                            .map(|key| format!("give `{key}`, in the file or with --set {key}=…"))
                            .or(hint);
                    }
                    let key = problem.key().unwrap_or_default();
                    problems.report(self.place_of(key), &self.at.path, message, hint);
                }
                None
            }
        }
    }

    /// The key of a model with which a missing input of a law is given.
    fn key_of(&self, need: Need) -> Option<String> {
        let law = &self.at.path;
        let joint = source::part_of(law);
        match need {
            Need::Material => Some(format!("{joint}.material")),
            Need::Length => Some(format!("{joint}.length")),
            Need::Restitution => Some(format!("{joint}.restitution")),
            Need::HalfWidth => Some(format!("{law}.half_width")),
            Need::StiffnessOrGeometry => Some(format!("{law}.stiffness")),
            Need::Parameter(parameter) => Some(format!("{law}.{}", parameter_key(parameter.key))),
            Need::Radii | Need::BothRadii => None,
        }
    }

    /// The unit of a stiffness must be that of the law, and its size realistic.
    fn check_stiffness(&self, name: LawName, problems: &mut Problems) {
        let Some(&stiffness) = self.numbers.get("stiffness") else { return };
        let place = self.place_of("stiffness");
        if stiffness > MAX_LAW_STIFFNESS {
            let message = format!("stiffness = {stiffness} is unrealistically large");
            let hint = Some(format!("it must not exceed {MAX_LAW_STIFFNESS:e} N/m^n"));
            problems.report(place, &self.at.path, message, hint);
        }
        let exponent = match name.elastic_or_default() {
            ElasticKind::Hertz => Some(1.5),
            ElasticKind::Linear | ElasticKind::PlanePlane => Some(1.0),
            ElasticKind::Power => self.numbers.get("exponent").copied(),
            // These compute their stiffness and take none.
            ElasticKind::BaiZhao
            | ElasticKind::BaiZhaoLength
            | ElasticKind::HertzCylinder
            | ElasticKind::Johnson
            | ElasticKind::Radzimovsky
            | ElasticKind::Goldsmith
            | ElasticKind::GoldsmithPrinted
            | ElasticKind::DubowskyFreudenstein
            | ElasticKind::DubowskyFreudensteinPrinted
            | ElasticKind::Esdu
            | ElasticKind::EsduPrinted
            | ElasticKind::LankaraniNikraveshCylinder
            | ElasticKind::Liu
            | ElasticKind::Pereira
            | ElasticKind::Pereira2014
            | ElasticKind::Persson => None,
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
    (law, made_ideal): (&str, bool),
    place: &SourcePlace,
    tables: &mut TableReader<'_>,
    problems: &mut Problems,
) {
    let read = LawText::parse(law).and_then(|law| {
        let user = law.user.map(|text| UserElastic::read(&text, tables)).transpose()?;
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
    for ContactSpec { law: main, regions, .. } in document.law_takers(made_ideal) {
        let new = main.replaced(name, user, place);
        main.report_overruled(&new, None, law, problems);
        for (_, region) in regions {
            let new = region.replaced(name, user, place);
            region.report_overruled(&new, Some(main), law, problems);
            *region = new;
        }
        *main = new;
    }
}

/// Leaves each law with the parameters that it takes. Parameters that the law does not take are reported: those of the
/// file where the law is that of the file too, to `problems`; those of the command line, to `set`. Parameters of the file are
/// dropped where the command line names another law.
pub(crate) fn settle(document: &mut Document, problems: &mut Problems, set: &mut Problems) {
    let arrays = std::mem::take(&mut document.arrays);
    // What an array says for all of its parts may be foreign to the law of a single one.
    let of_array = |law: &LawSpec| {
        let of_part = |path: &str| arrays.home(path).split('.').nth(1).map(str::to_owned);
        !arrays.is_empty() && of_part(&law.at.path) != of_part(&law.restitution_key)
    };
    for ContactSpec { law: main, regions, .. } in document.specs_and_stops() {
        let chosen = main.is_chosen() || regions.iter().any(|(_, law)| law.is_chosen());
        let of_array = of_array(main);
        let mut judge = |law: &LawSpec, key: &str| {
            let place = law.place_of(key);
            let (message, hint) = law.complaint(key);
            let written = parameter_key(key);
            let path = match key {
                "restitution" => law.restitution_key.clone(),
                _ => join(&law.at.path, written),
            };
            match place {
                SourcePlace::Set(_) => set.report(place, &path, message, hint),
                _ if chosen || (of_array && key == "restitution") => {}
                _ => problems.report(place, &path, message, hint),
            }
        };
        for key in main.given() {
            if !main.takes(&key) && !regions.iter().any(|(_, law)| law.takes(&key)) {
                judge(main, &key);
            }
        }
        for (_, law) in regions {
            for key in law.given() {
                let own = main.places.get(&key) != law.places.get(&key);
                if own && !law.takes(&key) {
                    judge(law, &key);
                }
            }
            law.drop_foreign();
        }
        main.drop_foreign();
    }
    document.arrays = arrays;
}
