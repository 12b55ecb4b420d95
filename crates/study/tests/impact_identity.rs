//! The identity of all factor laws: F = F_el(1 + aδ̇/δ̇₀) returns the root e of
//! a(1+e) = ln((1+a)/(1−ae)), whatever the elastic law, the mass and the speed.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::golden::{assert_close, both, law, numbers, relative, returning};
use crate::sweep;
use jointplay_contact::catalog::{DampingKind, ElasticKind, Inputs, LawName};
use jointplay_contact::{NormalLaw, Surfaces};
use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact, ImpactResult};
use proptest::prelude::*;
use rayon::prelude::*;

/// Masses in kg and speeds in m/s: every mass once, all combinations in soak.
fn impacts() -> impl Iterator<Item = (f64, f64)> {
    let speeds = [1e-4, 1e-2, 0.3, 1.0, 10.0];
    let all = [1e-3, 0.1, 10.0, 1e3].into_iter().flat_map(move |m| speeds.map(|v| (m, v)));
    all.step_by(sweep::cases(6, 1))
}

/// Every elastic law of the catalogue on several geometries: a wide and a narrow journal bearing,
/// a bearing whose clearance is half its radius, two rollers.
fn elastic_cases() -> Vec<(String, Inputs)> {
    let journal =
        |bearing: f64, clearance: f64| Surfaces::internal(bearing, bearing - clearance).unwrap();
    let geometries = [
        (journal(10e-3, 0.5e-3), 10e-3),
        (journal(50e-3, 5e-6), 20e-3),
        (journal(20e-3, 10e-3), 15e-3),
        (Surfaces::External { radius_i: 20e-3, radius_j: 15e-3 }, 15e-3),
    ];
    let mut cases = Vec::new();
    for &kind in ElasticKind::ALL {
        let own: &[(&str, f64)] = match kind {
            ElasticKind::Linear => &[("stiffness", 1e8)],
            ElasticKind::Power => &[("stiffness", 1e9), ("exponent", 1.1)],
            ElasticKind::LankaraniNikraveshCylinder => &[("exponent", 1.5)],
            _ => &[],
        };
        for (surfaces, length) in geometries {
            if kind == ElasticKind::Pereira2014 && !surfaces.is_internal() {
                continue; // an internal law
            }
            let inputs = Inputs {
                surfaces: Some(surfaces),
                length: Some(length),
                half_width: Some(10e-3),
                materials: Some(both(207e9, 0.3)),
                ..numbers(own)
            };
            cases.push((kind.id().to_owned(), inputs));
            if matches!(kind, ElasticKind::PlanePlane | ElasticKind::Linear | ElasticKind::Power) {
                break; // no radii in the law
            }
        }
    }
    cases
}

fn run(law: &NormalLaw, effective_mass: f64, speed: f64) -> Result<ImpactResult, String> {
    let bench = Impact { law, effective_mass, speed, tolerance: DEFAULT_TOLERANCE };
    bench.run().map_err(|e| format!("m = {effective_mass}, v = {speed}: {e}"))
}

/// Relative distance of `e` from the root, by one Newton step from the residual of
/// 1 − ae = (1+a)e^{−a(1+e)}, whose derivative at the root is a²e.
fn distance_from_root(a: f64, e: f64) -> f64 {
    if a == 0.0 {
        return relative(e, 1.0);
    }
    let residual = 1.0 - a * e - (a.ln_1p() - a * (1.0 + e)).exp();
    residual.abs() / (a * e).powi(2)
}

#[test]
fn exact_the_exact_factor_returns_its_input_on_every_elastic_law() {
    let continued = AtomicUsize::new(0);
    let restitutions = [1.0, 0.999, 0.9, 0.7, 0.5, 0.3, 0.1, 0.01, 1e-3, 1e-4];
    let thinned = sweep::cases(2, 1);
    elastic_cases().par_iter().enumerate().for_each(|(turn, (id, inputs))| {
        for c in restitutions.into_iter().skip(turn % thinned).step_by(thinned) {
            let law = law(&format!("{id}+exact"), &returning(c, inputs));
            for (m, v) in impacts() {
                let what = format!("{id}, {:?}, c_r = {c}, m = {m}, v = {v}", inputs.surfaces);
                let result = run(&law, m, v).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert_close(&what, result.restitution_closed_form.unwrap(), c, 1e-10);
                // integrated at 1e-12; small c_r means a long creep on a stiff spring
                assert_close(&what, result.restitution, c, 1e-8);
                continued.fetch_add(usize::from(result.continued), Ordering::Relaxed);
            }
        }
    });
    // the heavy impacts leave the cylinder laws: the identity holds on their tangents too
    assert!(continued.load(Ordering::Relaxed) > sweep::cases(100, 1000), "{continued:?}");
}

#[test]
fn exact_every_factor_law_meets_the_identity_on_every_elastic_law() {
    let checked = AtomicUsize::new(0);
    let given = numbers(&[("alpha", 0.32), ("alpha1", 0.32)]).numbers;
    let factor_laws: Vec<DampingKind> = DampingKind::ALL
        .iter()
        .copied()
        .filter(|kind| {
            let inputs =
                returning(0.5, &numbers(&[("stiffness", 1.0), ("alpha", 0.32), ("alpha1", 0.32)]));
            let elastic = ElasticKind::Linear.build(&inputs).unwrap().law;
            kind.build(&inputs, "linear", &elastic).is_ok_and(|damping| {
                let touch = damping.begin(1.0, 1.0).unwrap();
                damping.factor(&touch).is_some()
            })
        })
        .collect();
    assert_eq!(factor_laws.len(), 17, "{factor_laws:?}");
    let thinned = sweep::cases(7, 1);
    elastic_cases().par_iter().enumerate().for_each(|(turn, (id, inputs))| {
        for (number, damping) in factor_laws.iter().enumerate() {
            let name = format!("{id}+{}", damping.id());
            assert!(LawName::parse(&name).is_ok());
            let mut inputs = inputs.clone();
            inputs.numbers.extend(given.clone());
            // Every factor law meets every restitution and every elastic law, but not each on each outside soak.
            let restitutions = [1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.02];
            for c in restitutions.into_iter().skip((turn + number) % thinned).step_by(thinned) {
                let law = law(&name, &returning(c, &inputs));
                for (m, v) in impacts() {
                    let Ok(touch) = law.begin(v, m) else {
                        assert_eq!(damping.id(), "marhefka-orin-simplified"); // c_r > 1/3 only
                        continue;
                    };
                    let a = law.damping.factor(&touch).unwrap();
                    let e = run(&law, m, v)
                        .unwrap_or_else(|e| panic!("{name} c_r = {c}: {e}"))
                        .restitution;
                    let distance = distance_from_root(a, e);
                    // 1e-12 per step, some hundred steps
                    assert!(
                        distance < 2e-9,
                        "{name} c_r = {c}, m = {m}, v = {v}: e = {e} is off by {distance:.1e}"
                    );
                    checked.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    });
    assert!(checked.load(Ordering::Relaxed) > sweep::cases(3_300, 120_000), "{checked:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn property_any_power_law_any_mass_any_speed(
        log_k in 0.0..13.0_f64,
        n in 1.0..3.0_f64,
        log_m in -6.0..6.0_f64,
        log_v in -4.0..2.0_f64,
        c in 0.02..1.0_f64,
    ) {
        let inputs = numbers(&[("stiffness", 10f64.powf(log_k)), ("exponent", n)]);
        let (m, v) = (10f64.powf(log_m), 10f64.powf(log_v));
        let law = law("power+exact", &returning(c, &inputs));
        let result = run(&law, m, v).unwrap();
        // the last step ends where δⁿ loses its smoothness: none of 100 000 was worse than 5e-10
        prop_assert!(relative(result.restitution, c) < 2e-9, "e = {} for {c}", result.restitution);
        // the loss-free depth bounds every damped one
        let loss_free = run(&crate::golden::law("power", &inputs), m, v).unwrap();
        prop_assert!(result.max_indentation <= loss_free.max_indentation * (1.0 + 1e-12));
        prop_assert!(relative(loss_free.restitution, 1.0) < 2e-9);
    }

    #[test]
    fn property_units_do_not_matter(
        n in 1.0..2.0_f64,
        c in 0.05..1.0_f64,
        log_s in -6.0..6.0_f64,
    ) {
        // K·s and m·s: the same motion with s times the force. Rounding may turn the decision
        // about a step, so the two agree as well as each is integrated
        let scale = 10f64.powf(log_s);
        let of = |s: f64| {
            let inputs = returning(c, &numbers(&[("stiffness", 1e6 * s), ("exponent", n)]));
            run(&law("power+flores", &inputs), s, 0.5).unwrap()
        };
        let (one, many) = (of(1.0), of(scale));
        prop_assert!(relative(many.restitution, one.restitution) < 2e-9);
        prop_assert!(relative(many.duration, one.duration) < 2e-9);
        prop_assert!(relative(many.max_force, one.max_force * scale) < 2e-9);
    }
}
