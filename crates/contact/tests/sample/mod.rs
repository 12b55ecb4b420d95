//! One of everything: every law of the catalogue with sample parameters, and laws of users.
#![allow(dead_code, reason = "shared by several test crates, of which each needs a part")]

use std::sync::Arc;

use jointplay_contact::catalog::{
    DampingKind, ElasticKind, Family, FrictionKind, Inputs, LawProblem, Sheet,
};
use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, ElasticModel, Table, UserForce};
use jointplay_contact::{ALUMINIUM, NormalLaw, Restitution, STEEL, Surfaces};

/// An elastic law and the places where it is not smooth.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) law: ElasticLaw,
    /// Indentations where a derivative jumps: knots, and the start of a continuation.
    pub(crate) breaks: Vec<f64>,
}

impl Case {
    fn new(name: String, law: ElasticLaw, kinks: &[f64]) -> Self {
        let mut breaks = kinks.to_vec();
        breaks.extend(end_of_law(&law));
        Self { name, law, breaks }
    }

    /// Distance to the nearest break or to 0, m.
    pub(crate) fn room(&self, delta: f64) -> f64 {
        self.breaks.iter().map(|b| (delta - b).abs()).fold(delta.abs(), f64::min)
    }
}

/// The last indentation before the law is continued, to the last bit; `None` if it never is.
pub(crate) fn end_of_law(law: &ElasticLaw) -> Option<f64> {
    let (mut inside, mut beyond) = (f64::MIN_POSITIVE, 1e3);
    if !law.eval(beyond).continued {
        return None;
    }
    loop {
        let middle = f64::from_bits(inside.to_bits().midpoint(beyond.to_bits()));
        if middle == inside {
            return Some(inside);
        }
        if law.eval(middle).continued { beyond = middle } else { inside = middle }
    }
}

/// Geometries: two clearances of a bearing, a loose pin, and two cylinders side by side.
pub(crate) fn geometries() -> [(&'static str, Surfaces); 4] {
    [
        ("bearing 0.25 mm", Surfaces::internal(10.25e-3, 10e-3).expect("fits")),
        ("bearing 10 um", Surfaces::internal(10.01e-3, 10e-3).expect("fits")),
        ("pin 2 mm", Surfaces::internal(12e-3, 10e-3).expect("fits")),
        ("external", Surfaces::from_radii(20e-3, 15e-3).expect("two radii")),
    ]
}

/// What every elastic law can be built from.
pub(crate) fn inputs(surfaces: Surfaces) -> Inputs {
    Inputs {
        surfaces: Some(surfaces),
        length: Some(15e-3),
        half_width: Some(5e-3),
        materials: Some([STEEL, STEEL]),
        restitution: Some(Restitution::Constant(0.6)),
        ..Inputs::default()
    }
}

/// The same with a number for every key of a sheet that the structure does not hold.
pub(crate) fn inputs_for(sheet: &Sheet, surfaces: Surfaces) -> Inputs {
    let mut inputs = inputs(surfaces);
    let from_radii = inputs.surfaces.is_some() && matches!(sheet.id, "hertz" | "plane-plane");
    for parameter in sheet.parameters {
        let value = match (sheet.id, parameter.key) {
            (
                _,
                "radius_i" | "radius_j" | "clearance" | "length" | "half_width" | "young"
                | "poisson" | "restitution",
            ) => continue,
            (_, "stiffness") if from_radii => continue,
            (_, "stiffness") => 3e9,
            ("power", "exponent") => 1.19,
            ("lankarani-nikravesh-cylinder", "exponent") => 1.3,
            ("bordbar-hyppanen", "chi") => 2e5,
            (_, "chi") => 1e7,
            (_, "alpha") => 0.4,
            (_, "alpha1") => 0.3,
            (_, "damping") => 2e3,
            (_, "eta1") => 1e6,
            (_, "eta2") => 2e6,
            (_, "mu" | "mu_static") => 0.2,
            (_, "mu_dynamic") => 0.1,
            (_, "slip_speed" | "transition_speed" | "speed_1") => 1e-3,
            (_, "stribeck_speed" | "dynamic_speed") => 1e-2,
            (_, "speed_0") => 1e-4,
            (_, "sigma0") => 1e5,
            (_, "sigma1") => 300.0,
            (id, key) => {
                parameter.default.unwrap_or_else(|| panic!("no sample for `{key}` of `{id}`"))
            }
        };
        inputs.numbers.insert(parameter.key.to_owned(), value);
    }
    inputs
}

/// Points with a steep start, a plateau and a bend.
pub(crate) const POINTS: [(f64, f64); 6] =
    [(1e-6, 10.0), (3e-6, 45.0), (4e-6, 45.0), (1e-5, 300.0), (2e-5, 900.0), (2.1e-5, 1000.0)];

/// A formula with a rate, and one with a kink at 1e-5 m.
pub(crate) const FORMULAS: [(&str, &[f64]); 2] =
    [("1e9*delta^1.5*(1+0.3*delta_dot)", &[]), ("1e6*delta + 2e7*max(0, delta - 1e-5)", &[1e-5])];

pub(crate) fn formula(source: &str) -> UserForce {
    UserForce::new(source, 1e-3, 3.0).unwrap_or_else(|e| panic!("{source}: {e:?}"))
}

/// Every elastic law of the catalogue over several geometries and materials, and users' laws.
pub(crate) fn elastic() -> Vec<Case> {
    let mut cases = Vec::new();
    for &kind in ElasticKind::ALL {
        let before = cases.len();
        for (geometry, surfaces) in geometries() {
            for (pair, materials) in
                [("steel", [STEEL, STEEL]), ("steel on aluminium", [STEEL, ALUMINIUM])]
            {
                let inputs =
                    Inputs { materials: Some(materials), ..inputs_for(kind.sheet(), surfaces) };
                match kind.build(&inputs) {
                    Ok(built) => {
                        cases.push(Case::new(
                            format!("{}, {geometry}, {pair}", kind.id()),
                            built.law,
                            &[],
                        ));
                    }
                    Err(e) => {
                        assert!(
                            matches!(e.0[..], [LawProblem::Surfaces { .. }]),
                            "{}: {e}",
                            kind.id()
                        );
                    }
                }
            }
        }
        assert!(cases.len() >= before + 6, "{} has too few cases", kind.id());
    }
    let table = Table::new(&POINTS).expect("a good table");
    cases.push(Case::new("table".into(), ElasticLaw::Table(Arc::new(table)), &POINTS.map(|p| p.0)));
    for (source, kinks) in FORMULAS {
        let law = ElasticLaw::Expression(Arc::new(formula(source)));
        cases.push(Case::new(source.into(), law, kinks));
    }
    cases
}

/// The elastic law on which a dissipation law is tried: a spring where its source has one.
fn ground(kind: DampingKind) -> ElasticKind {
    match kind {
        DampingKind::KelvinVoigt | DampingKind::KhuliefShabana | DampingKind::LeeWangLinear => {
            ElasticKind::Linear
        }
        DampingKind::KelvinVoigtRestitution | DampingKind::Anagnostopoulos => {
            ElasticKind::PlanePlane
        }
        _ => ElasticKind::Hertz,
    }
}

fn build(
    elastic: ElasticKind,
    kind: DampingKind,
    changes: &[(&str, f64)],
    restitution: f64,
) -> (String, NormalLaw) {
    let bearing = geometries()[0].1;
    let law = elastic
        .build(&inputs_for(elastic.sheet(), bearing))
        .expect("the elastic sample builds")
        .law;
    let mut inputs = inputs_for(kind.sheet(), bearing);
    inputs.restitution = Some(Restitution::Constant(restitution));
    for &(key, value) in changes {
        inputs.numbers.insert(key.into(), value);
    }
    let name = format!("{}+{} {restitution} {changes:?}", elastic.id(), kind.id());
    let damping = kind.build(&inputs, elastic.id(), &law).unwrap_or_else(|e| panic!("{name}: {e}"));
    (name, NormalLaw::new(law, damping))
}

/// Every dissipation law of the catalogue at three restitutions, its variants, and a formula's.
pub(crate) fn damped() -> Vec<(String, NormalLaw)> {
    let mut laws = Vec::new();
    for &kind in DampingKind::ALL {
        let restitutions: &[f64] =
            if kind.takes_restitution() { &[0.4, 0.6, 0.95] } else { &[0.6] };
        for &restitution in restitutions {
            laws.push(build(ElasticKind::Hertz, kind, &[], restitution));
            if ground(kind) != ElasticKind::Hertz {
                laws.push(build(ground(kind), kind, &[], restitution));
            }
        }
        let plain = kind.sheet().family == Family::Damping && kind.takes_restitution();
        if plain && matches!(laws[laws.len() - 1].1.damping, DampingLaw::Factor { .. }) {
            laws.push(build(ElasticKind::Johnson, kind, &[], 0.6));
        }
    }
    let variants: [(DampingKind, &[(&str, f64)]); 4] = [
        (DampingKind::HuntCrossleyAlpha, &[("rate_exponent", 1.5)]),
        (DampingKind::KelvinVoigtRestitution, &[("smoothing_speed", 0.05)]),
        (DampingKind::LeeWangTransition, &[("epsilon", 2e-6), ("q", 2.5)]),
        (DampingKind::Tsuji, &[]),
    ];
    laws.extend(variants.map(|(kind, changes)| build(ElasticKind::Power, kind, changes, 0.7)));
    for (source, _) in FORMULAS {
        let law = Arc::new(formula(source));
        let elastic = ElasticLaw::Expression(law.clone());
        laws.push((source.into(), NormalLaw::new(elastic, DampingLaw::Expression(law))));
    }
    laws
}

/// Every friction law of the catalogue.
pub(crate) fn friction_inputs(kind: FrictionKind) -> Inputs {
    inputs_for(kind.sheet(), geometries()[0].1)
}
