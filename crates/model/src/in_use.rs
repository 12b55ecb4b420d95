//! The laws that a model uses, for display: names of their components and given parameters.

use std::fmt;

use jointplay_contact::Restitution;
use jointplay_contact::catalog::{DampingKind, ElasticKind, FrictionKind, LawName, Sheet};

use crate::document::Document;
use crate::element::LawSpec;
use crate::user::UserElastic;

/// The law of a contact as it is used. `Display` names it in one text, such as `hertz+lankarani-nikravesh`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LawInUse {
    /// The components from the catalogue, including defaults. Those without effect (`no-damping`, `no-friction`) are `None`, and so
    /// is `elastic` for a user's own law.
    pub name: LawName,
    /// A user's own elastic law as it is written, `table:FILE` or `formula:TEXT`.
    pub user: Option<String>,
    /// The restitution, if one is given.
    pub restitution: Option<Restitution>,
    /// Parameters that were given, by the keys of the data sheets, in SI; without those of the joint and the materials.
    pub parameters: Vec<(String, f64)>,
}

impl LawInUse {
    /// The data sheets of the parts: elastic, damping, friction.
    pub fn sheets(&self) -> impl Iterator<Item = &'static Sheet> {
        let LawName { elastic, damping, friction } = self.name;
        let parts = [
            elastic.map(ElasticKind::sheet),
            damping.map(DampingKind::sheet),
            friction.map(FrictionKind::sheet),
        ];
        parts.into_iter().flatten()
    }
}

impl fmt::Display for LawInUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.user {
            None => self.name.fmt(f),
            Some(user) if self.name == LawName::default() => f.write_str(user),
            Some(user) => write!(f, "{user}+{}", self.name),
        }
    }
}

impl LawSpec {
    pub(crate) fn in_use(&self) -> LawInUse {
        let name = self.name();
        let own = [
            ("half_width", self.half_width),
            ("clearance", self.clearance),
            ("max_indentation", self.range[0]),
            ("max_rate", self.range[1]),
        ];
        let own = own.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        let numbers = self.numbers.iter().map(|(key, value)| (key.clone(), *value));
        LawInUse {
            name: LawName {
                elastic: name.elastic.filter(|_| self.user.is_none()),
                damping: name.damping.filter(|kind| *kind != DampingKind::NoDamping),
                friction: name.friction.filter(|kind| *kind != FrictionKind::NoFriction),
            },
            user: self.user.as_ref().map(UserElastic::name),
            restitution: self.restitution,
            parameters: numbers.chain(own).collect(),
        }
    }
}

/// The laws of a document: name of the part, region (empty where all have one law), law.
pub(crate) fn laws(document: &Document) -> Vec<(String, String, LawInUse)> {
    let mut laws = Vec::new();
    for part in document.contact_parts() {
        let regions: Vec<_> =
            part.spec.regions.iter().map(|(region, law)| (region.name(), law.in_use())).collect();
        let one = regions.first().map_or_else(|| part.spec.law.in_use(), |(_, law)| law.clone());
        if regions.iter().all(|(_, law)| *law == one) {
            laws.push((part.name.to_owned(), String::new(), one));
        } else {
            let own = |(region, law): (&str, _)| (part.name.to_owned(), region.to_owned(), law);
            laws.extend(regions.into_iter().map(own));
        }
    }
    laws
}
