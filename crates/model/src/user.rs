//! Elastic laws of the user's own in a model: tables of points and formulas.

use std::sync::Arc;

use jointplay_contact::catalog::{self, BuiltLaw, DampingKind, FrictionKind, Inputs, LawName};
use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, FormulaProblem, Table, UserForce};
use jointplay_contact::{ContactLaw, NormalLaw};
use jointplay_expression::Scope;

use crate::law::split_hint;
use crate::parameters::Parameters;
use crate::tables::TableReader;

/// The prefixes of such laws in a text.
const MARKS: [&str; 2] = ["table:", "formula:"];

/// A formula is checked and used up to this indentation (m) and rate (m/s) unless the law says otherwise.
const RANGE: [f64; 2] = [1e-3, 10.0];

/// A message and a hint.
pub(crate) type Complaint = (String, Option<String>);

/// An elastic law of the user's own.
#[derive(Clone, Debug)]
pub(crate) enum UserElastic {
    /// Points of a file, under this name.
    Table(String, Arc<Table>),
    /// F(δ, δ̇) with the parameters that it may have, checked when the law is built.
    Formula(String, Parameters),
}

/// A law written as one text: parts of the catalogue, and `table:FILE` or `formula:TEXT` in place of the elastic one.
pub(crate) struct LawText {
    pub(crate) name: LawName,
    pub(crate) user: Option<String>,
}

impl LawText {
    /// The damping law; an elastic law alone has no damping.
    pub(crate) fn damping(&self) -> Option<DampingKind> {
        let alone = self.name.elastic.is_some() || self.user.is_some();
        self.name.damping.or(alone.then_some(DampingKind::NoDamping))
    }

    /// A formula may have signs + of its own: it extends up to the ids of laws at the end of the
    /// text.
    pub(crate) fn parse(text: &str) -> Result<Self, Vec<Complaint>> {
        let complaints =
            |wrong: catalog::LawProblems| wrong.0.iter().map(split_hint).collect::<Vec<_>>();
        if text.trim().is_empty() {
            let hint = "write a law such as `hertz+flores`; `jointplay laws` lists them";
            return Err(vec![("no law is named".to_owned(), Some(hint.to_owned()))]);
        }
        let Some(begin) = first_mark(text) else {
            if text.split('+').any(|part| part.trim().is_empty()) {
                let hint = "a law is written as `hertz+flores`".to_owned();
                return Err(vec![(format!("`{text}` has a + without a law"), Some(hint))]);
            }
            let name = LawName::parse(text).map_err(complaints)?;
            return Ok(LawText { name, user: None });
        };
        let (before, mut own) = (text[..begin].trim().trim_end_matches('+'), text[begin..].trim());
        let mut others: Vec<&str> = Vec::new();
        others.extend((!before.trim().is_empty()).then_some(before));
        let is_file = own.starts_with(MARKS[0]);
        while let Some((rest, last)) = own.rsplit_once('+') {
            let last = last.trim();
            let known =
                DampingKind::from_id(last).is_some() || FrictionKind::from_id(last).is_some();
            if !known && !is_file {
                break;
            }
            others.push(last);
            own = rest.trim_end();
        }
        let name = if others.is_empty() {
            LawName::default()
        } else {
            LawName::parse(&others.join("+")).map_err(complaints)?
        };
        if let Some(kind) = name.elastic {
            let message = format!("`{own}` and `{}` are both elastic laws", kind.id());
            return Err(vec![(message, Some("name one of them".into()))]);
        }
        Ok(LawText { name, user: Some(own.to_owned()) })
    }
}

/// The beginning of a law of the user: at the start or after a +.
fn first_mark(text: &str) -> Option<usize> {
    let starts = std::iter::once(0).chain(text.match_indices('+').map(|(i, _)| i + 1));
    starts
        .map(|i| i + (text[i..].len() - text[i..].trim_start().len()))
        .find(|&i| MARKS.iter().any(|mark| text[i..].starts_with(mark)))
}

/// Whether this names a law of the user's own.
pub(crate) fn is_user(text: &str) -> bool {
    MARKS.iter().any(|mark| text.starts_with(mark))
}

impl UserElastic {
    /// Reads `table:FILE` or `formula:TEXT`.
    pub(crate) fn read(text: &str, tables: &mut TableReader<'_>) -> Result<Self, Vec<Complaint>> {
        if let Some(formula) = text.strip_prefix(MARKS[1]) {
            let parameters = tables.parameters.clone();
            return Ok(UserElastic::Formula(formula.trim().to_owned(), parameters));
        }
        let file = text.strip_prefix(MARKS[0]).unwrap_or(text).trim();
        let content = tables.text(file).map_err(|complaint| vec![complaint])?;
        let table = Table::from_csv(content);
        let table = table.map_err(|wrong| {
            let hint = "a table has two columns, indentation in m and force in N";
            let of_row = |row: &jointplay_contact::elastic::TableProblem| {
                (format!("`{file}`, {row}"), Some(hint.to_owned()))
            };
            wrong.iter().map(of_row).collect::<Vec<_>>()
        })?;
        Ok(UserElastic::Table(text.to_owned(), Arc::new(table)))
    }

    /// As it is written.
    pub(crate) fn name(&self) -> String {
        match self {
            UserElastic::Table(name, _) => name.clone(),
            UserElastic::Formula(text, _) => format!("{}{text}", MARKS[1]),
        }
    }

    /// The complete law with the other parts that are named; `range` is that of a formula, where it is given.
    pub(crate) fn build(
        &self,
        name: LawName,
        inputs: &Inputs,
        range: [Option<f64>; 2],
    ) -> Result<BuiltLaw, Vec<Complaint>> {
        let mut complaints = Vec::new();
        let (elastic, own) = match self {
            UserElastic::Table(_, table) => (ElasticLaw::Table(table.clone()), None),
            UserElastic::Formula(text, parameters) => {
                let [reach, rate] = [0, 1].map(|i| range[i].unwrap_or(RANGE[i]));
                let names = parameters.add_to(Scope::new());
                let force = UserForce::with_names(text, names, reach, rate).map_err(|wrong| {
                    wrong.iter().map(|problem| formula_complaint(text, problem)).collect::<Vec<_>>()
                })?;
                let force = Arc::new(force);
                let own = force.depends_on_rate().then(|| DampingLaw::Expression(force.clone()));
                (ElasticLaw::Expression(force), own)
            }
        };
        let kind = name.damping.unwrap_or(DampingKind::NoDamping);
        if own.is_some() && kind != DampingKind::NoDamping {
            let message = format!("the formula depends on the rate, and `{}` does too", kind.id());
            complaints.push((message, Some("leave out one of the two".to_owned())));
        }
        let friction = name.friction.unwrap_or(FrictionKind::NoFriction);
        let sheets = [kind.sheet(), friction.sheet()];
        let unknown = catalog::unknown_numbers(inputs, &self.name(), &sheets);
        complaints.extend(unknown.iter().map(split_hint));
        let damping = kind.build(inputs, &self.name(), &elastic);
        let friction = friction.build(inputs);
        match (damping, friction) {
            (Ok(damping), Ok(friction)) if complaints.is_empty() => {
                let normal = NormalLaw::new(elastic, own.unwrap_or(damping));
                let law = ContactLaw { normal, friction };
                Ok(BuiltLaw { law, warnings: Vec::new(), notes: Vec::new() })
            }
            (damping, friction) => {
                let wrong = [damping.err(), friction.err()].into_iter().flatten();
                complaints.extend(wrong.flat_map(|wrong| wrong.0).map(|p| split_hint(&p)));
                Err(complaints)
            }
        }
    }
}

/// A problem of a formula, with the place in it.
fn formula_complaint(text: &str, problem: &FormulaProblem) -> Complaint {
    match problem {
        FormulaProblem::Syntax(error) => (format!("formula `{text}`: {error}"), error.hint()),
        problem => (format!("formula `{text}`: {problem}"), None),
    }
}
