//! Data sheets of the laws in use.

use jointplay_contact::Restitution;
use jointplay_contact::catalog::Sheet;
use jointplay_model::{LawInUse, Model};
use jointplay_study::contacts::ContactRecord;
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};
use serde::Serialize;

/// A data sheet, with the values of its parameters in the model.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
pub(crate) struct SheetView {
    id: &'static str,
    title: &'static str,
    family: String,
    /// MathML.
    formula: String,
    source: String,
    domain: &'static str,
    /// Its numeric bounds, and how the run compares with them.
    bounds: Vec<String>,
    checks: Vec<CheckView>,
    notes: Vec<&'static str>,
    joints: Vec<String>,
    parameters: Vec<ParameterView>,
}

/// A bound of the sheet, compared with a joint.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct CheckView {
    joint: String,
    verdict: Verdict,
    text: String,
}

/// The result of checking a bound.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Inside,
    Outside,
    Unchecked,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(PartialEq, Serialize)]
struct ParameterView {
    /// The joint or region that has this value, if they differ.
    of: String,
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    value: f64,
}

/// A formula as MathML on one line, which browsers draw without scripts or a network.
///
/// # Errors
/// A message that names what cannot be typeset.
pub fn mathml(latex: &str) -> Result<String, String> {
    let storage = Storage::new();
    let parser = Parser::new(latex, &storage);
    let config = RenderConfig { display_mode: DisplayMode::Block, ..RenderConfig::default() };
    let mut out = String::new();
    push_mathml(&mut out, parser, config).map_err(|error| format!("{latex}: {error}"))?;
    if out.contains("merror") {
        return Err(format!("{latex}: cannot be set as MathML"));
    }
    Ok(out.replace('\n', ""))
}

/// The law of a model in one line: the one of all joints, or one for each joint, with its name.
pub fn label(model: &Model) -> String {
    let laws = model.laws();
    let texts: Vec<String> = laws.iter().map(|(_, _, law)| law.to_string()).collect();
    match texts.first() {
        None => String::new(),
        Some(first) if texts.iter().all(|text| text == first) => first.clone(),
        Some(_) => {
            let mut parts: Vec<String> = Vec::new();
            for ((joint, _, _), text) in laws.iter().zip(&texts) {
                let part = format!("{joint}: {text}");
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
            parts.join("; ")
        }
    }
}

/// The sheet of every law that the model uses, each once, with the results of checking its bounds in a run.
pub(crate) fn of(model: &Model, contacts: &ContactRecord) -> Vec<SheetView> {
    let mut views: Vec<SheetView> = Vec::new();
    for (joint, region, law) in model.laws() {
        let of = if region.is_empty() { joint.clone() } else { format!("{joint}, {region}") };
        for sheet in law.sheets() {
            let place = views.iter().position(|view| view.id == sheet.id);
            let place = place.unwrap_or_else(|| {
                views.push(view(sheet));
                views.len() - 1
            });
            let view = &mut views[place];
            if !view.joints.contains(&joint) {
                view.joints.push(joint.clone());
            }
            view.parameters.extend(parameters(sheet, &law, &of));
        }
    }
    for view in &mut views {
        for joint in &contacts.joints {
            let own =
                joint.summary.domain.iter().filter(|check| check.law.as_deref() == Some(view.id));
            view.checks.extend(own.map(|check| CheckView {
                joint: joint.name.clone(),
                verdict: match check.value {
                    None => Verdict::Unchecked,
                    Some(_) if check.share > 0.0 => Verdict::Outside,
                    Some(_) => Verdict::Inside,
                },
                text: check.statement(),
            }));
        }
    }
    views
}

fn view(sheet: &'static Sheet) -> SheetView {
    let papers = sheet.equations.iter().map(|c| format!("{}, {}", c.paper, c.place));
    let source = std::iter::once(format!("{} {}", sheet.authors, sheet.year)).chain(papers);
    SheetView {
        id: sheet.id,
        title: sheet.name,
        family: sheet.family.to_string(),
        // A test typesets every formula of the catalogue.
        formula: mathml(sheet.formula).unwrap_or_default(),
        source: source.collect::<Vec<_>>().join("; "),
        domain: sheet.domain,
        bounds: sheet.bounds.sentences(),
        checks: Vec::new(),
        notes: sheet.notes.to_vec(),
        joints: Vec::new(),
        parameters: Vec::new(),
    }
}

fn parameters(sheet: &'static Sheet, law: &LawInUse, of: &str) -> Vec<ParameterView> {
    let given = |key: &str| law.parameters.iter().find(|(k, _)| k == key).map(|(_, value)| *value);
    let restitution = match law.restitution {
        Some(Restitution::Constant(value)) => Some(value),
        Some(Restitution::CubeRoot | Restitution::Linear { .. }) | None => None,
    };
    let list = sheet.parameters.iter().filter_map(|parameter| {
        let value = if parameter.key == "restitution" { restitution } else { given(parameter.key) };
        Some(ParameterView {
            of: of.to_owned(),
            name: parameter.meaning,
            symbol: parameter.symbol,
            unit: parameter.unit,
            value: value.or(parameter.default)?,
        })
    });
    list.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_every_formula_of_the_catalogue_can_be_set() {
        for sheet in jointplay_contact::catalog::sheets() {
            let set = mathml(sheet.formula).unwrap();
            assert!(set.starts_with("<math"), "{}: {set}", sheet.id);
        }
    }
}
