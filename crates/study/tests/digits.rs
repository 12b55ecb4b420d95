//! Single reference digits, row by row: exact Hertz theory, published limits, fits, exponents.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use crate::golden::{
    Printed, Row, adhesive, assert_close, both, impact, law, numbers, relative, returning, rows,
};
use jointplay_contact::catalog::{ElasticKind, Inputs};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_contact::{Material, NormalLaw, Surfaces};
use jointplay_study::fit::paper_fit;
use jointplay_study::impact::ImpactResult;

/// The column `inputs`, key=value;…
struct Given(BTreeMap<String, String>);

impl Given {
    fn of(row: &Row) -> Self {
        let pairs = row.text("inputs").split(';').filter_map(|pair| pair.split_once('='));
        Self(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    fn maybe(&self, key: &str) -> Option<f64> {
        self.0.get(key).map(|text| text.parse().unwrap())
    }

    fn number(&self, key: &str) -> f64 {
        self.maybe(key).unwrap_or_else(|| panic!("no {key}"))
    }

    fn is(&self, key: &str, value: &str) -> bool {
        self.0.get(key).is_some_and(|text| text == value)
    }

    /// A contact 1 mm long.
    fn inputs(&self) -> Inputs {
        let clearance = self.maybe("clearance");
        let surfaces = self.maybe("radius_i").map(|i| {
            Surfaces::internal(i, self.maybe("radius_j").unwrap_or_else(|| i - clearance.unwrap()))
                .unwrap()
        });
        Inputs {
            surfaces,
            clearance,
            length: Some(1e-3),
            materials: Some(
                self.maybe("young")
                    .map_or(both(207e9, 0.3), |young| both(young, self.number("poisson"))),
            ),
            ..Inputs::default()
        }
    }
}

fn elastic(id: &str, given: &Given) -> ElasticLaw {
    let literal = |factor| {
        let [material, _] = given.inputs().materials.unwrap();
        crate::readings::radzimovsky(factor, material, given.number("clearance"))
    };
    match id {
        "radzimovsky-literal" => literal(16.0),
        "radzimovsky-composite" => literal(8.0),
        _ => ElasticKind::from_id(id).unwrap().build(&given.inputs()).unwrap().law,
    }
}

/// The two spheres of the papers, or the linear oscillator of the same numbers, without units.
fn unit_impact(id: &str, given: &Given) -> ImpactResult {
    let mut inputs = numbers(&[("stiffness", 1.0)]);
    if let Some(zeta) = given.maybe("damping_ratio") {
        inputs.numbers.insert("damping".into(), 2.0 * zeta);
    }
    let inputs = returning(given.maybe("restitution_in").unwrap_or(1.0), &inputs);
    let name = match id {
        "kelvin-voigt" | "anagnostopoulos" => format!("linear+{id}"),
        "hybrid" => "hertz+zhiying-qishao".into(),
        _ => format!("hertz+{id}"),
    };
    let law = law(&name, &inputs);
    let law = if given.maybe("clamped") == Some(0.0) { adhesive(law) } else { law };
    impact(&law, 1.0, 1.0)
}

/// Chung and Ooi's impacts: a sphere on its equal or on a rigid plane.
fn sphere_impact(given: &Given) -> ImpactResult {
    let (radius, density) = (given.number("radius"), given.number("density"));
    let sphere =
        Material { young: given.number("young"), poisson: given.number("poisson"), density: None };
    let mass = 4.0 / 3.0 * PI * radius.powi(3) * density;
    let (surfaces, partner, effective_mass) = if given.is("partner", "rigid-plane") {
        (Surfaces::on_plane(radius).unwrap(), Material { young: 1e300, ..sphere }, mass)
    } else {
        (Surfaces::External { radius_i: radius, radius_j: radius }, sphere, 0.5 * mass)
    };
    let inputs = Inputs {
        surfaces: Some(surfaces),
        materials: Some([sphere, partner]),
        ..Inputs::default()
    };
    impact(&law("hertz", &inputs), effective_mass, given.number("impact_speed"))
}

fn journal_law(id: &str, given: &Given) -> NormalLaw {
    let inputs = returning(given.maybe("restitution_in").unwrap_or(1.0), &given.inputs());
    match id {
        "hertz" | "hybrid" => law(id, &inputs),
        _ => law(&format!("hertz+{id}"), &inputs),
    }
}

fn of_impact(result: &ImpactResult, quantity: &str) -> f64 {
    match quantity {
        "restitution" => result.restitution,
        "max_indentation" => result.max_indentation,
        "max_force" => result.max_force,
        "duration" => result.duration,
        _ => panic!("{quantity}?"),
    }
}

fn ours(row: &Row) -> f64 {
    let (given, id, quantity) = (Given::of(row), row.text("law"), row.text("quantity"));
    match row.text("case") {
        "factor-impact" if quantity == "factor" => {
            let law = law(
                "hertz+exact",
                &returning(given.number("restitution_in"), &numbers(&[("stiffness", 1.0)])),
            );
            law.damping.factor(&law.begin(0.3, 4.6).unwrap()).unwrap()
        }
        "viscous-impact" if quantity == "restitution_shortfall" => {
            1.0 - unit_impact(id, &given).restitution / given.number("restitution_in")
        }
        "factor-impact" | "linear-impact" | "viscous-impact" => {
            of_impact(&unit_impact(id, &given), quantity)
        }
        "hertz-impact" => {
            let result = unit_impact("no-damping", &given);
            result.duration / result.max_indentation
        }
        "chung-limestone" | "chung-aluminium" => of_impact(&sphere_impact(&given), quantity),
        "journal-bearing" if quantity == "stiffness" => {
            journal_law(id, &given).elastic.as_power().unwrap().stiffness
        }
        "journal-bearing" => {
            let law = journal_law(id, &given);
            of_impact(
                &impact(&law, given.number("effective_mass"), given.number("impact_speed")),
                quantity,
            )
        }
        "two-spheres" => {
            let law = law("hertz", &numbers(&[("stiffness", given.number("stiffness"))]));
            of_impact(
                &impact(&law, given.number("effective_mass"), given.number("impact_speed")),
                quantity,
            )
        }
        "power-fit" if quantity == "fit_stiffness" => paper_fit(&elastic(id, &given)).unwrap().k,
        "power-fit" => paper_fit(&elastic(id, &given)).unwrap().n,
        "johnson-steel" | "pereira-limits" => line_contact(id, quantity, &given),
        "difference-to-johnson" => {
            let load = given.number("line_load") * 1e-3;
            let delta = |id| elastic(id, &given).indentation(load).unwrap();
            delta(id) / delta("johnson") - 1.0
        }
        "pereira-exponent" => {
            let given = match given.0.get("side").map(String::as_str) {
                Some("above") => {
                    Given(BTreeMap::from([("clearance".into(), "0.750000000001e-3".into())]))
                }
                _ => given,
            };
            let n = elastic(id, &given).as_power().unwrap().exponent;
            // n = Y ΔR^−0.005, ΔR in mm
            if quantity == "y" { n * (1e3 * given.number("clearance")).powf(0.005) } else { n }
        }
        "persson-limit" => {
            let ElasticLaw::Persson(law) =
                elastic("persson", &Given(BTreeMap::from([("clearance".into(), "1e-3".into())])))
            else {
                unreachable!("persson is Persson's law")
            };
            law.limit_angle().to_degrees()
        }
        case => panic!("{case}?"),
    }
}

fn line_contact(id: &str, quantity: &str, given: &Given) -> f64 {
    let given = if quantity == "monotone_over_published_limit" {
        &Given(given.0.clone().into_iter().chain([("clearance".into(), "5e-6".into())]).collect())
    } else {
        given
    };
    let law = elastic(id, given);
    match quantity {
        "indentation" => law.indentation(given.number("line_load") * 1e-3).unwrap(),
        "line_load" => law.force(given.number("delta")) / 1e-3,
        "limit_line_load" => law.limits().force.unwrap() / 1e-3,
        _ => law.limits().force.unwrap() / law.limits().published_force.unwrap(),
    }
}

#[test]
fn published_every_single_digit() {
    let rows = rows("published/digits/data.csv");
    assert_eq!(rows.len(), 133);
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let (printed, ours) = (Printed::parse(row.text("printed")), ours(row));
            // half a unit is the rounding of the print; the fits were cut or rounded, so one unit
            let units = if row.text("case") == "power-fit" { 1.0 } else { 0.5 };
            // an integration at 1e-12 is good to about ten digits; one row prints twelve
            let integrated = relative(ours, printed.value) <= 5e-11;
            (!printed.within(ours, units) && !integrated).then(|| {
                let (law, quantity) = (row.text("law"), row.text("quantity"));
                format!(
                    "{} {law} {quantity}: printed {}, ours {ours}",
                    row.place,
                    row.text("printed")
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn exact_one_impact_bench_digits() {
    // two spheres of 9.2 kg, the problem on which the speed of a single impact is measured
    let law = law("hertz+lankarani-nikravesh", &returning(0.7, &numbers(&[("stiffness", 5.2e9)])));
    let result = impact(&law, 4.6, 0.3);
    // 1e-11: what an integration at 1e-12 keeps over some forty steps
    assert_close("restitution", result.restitution, 0.795972595365, 1e-11);
    // ten printed digits
    assert_close("duration", result.duration, 1.006594148e-3, 5e-10);
}
