//! Free impacts against reference data computed by another program, against closed forms and
//! against the books of energy.

#[path = "../../../testing/borrowed.rs"]
mod borrowed;

use crate::golden::{Row, adhesive, assert_close, both, impact, law, numbers, returning, rows};
use jointplay_contact::catalog::{DampingKind, Inputs};
use jointplay_contact::damping::BeginError;
use jointplay_contact::{NormalLaw, Restitution, Surfaces};
use jointplay_study::closed_form;
use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact, ImpactError, ImpactResult};
use jointplay_study::restitution_table::{Entry, TableInputs, restitution_table};

/// What a row of `golden/free-impact` says about its contact.
fn inputs_of(row: &Row) -> Inputs {
    let keys = [
        ("stiffness", "stiffness"),
        ("exponent", "exponent"),
        ("dashpot", "damping"),
        ("chi", "chi"),
        ("alpha", "alpha"),
        ("alpha", "alpha1"),
        ("rate_exponent", "rate_exponent"),
        ("eta1", "eta1"),
        ("eta2", "eta2"),
        ("width", "epsilon"),
        ("sharpness", "q"),
    ];
    let known =
        keys.iter().filter_map(|(column, key)| Some(((*key).to_owned(), row.maybe(column)?)));
    Inputs {
        surfaces: row
            .maybe("radius_i")
            .map(|i| Surfaces::internal(i, row.number("radius_j")).unwrap()),
        length: row.maybe("length"),
        materials: row.maybe("young").map(|young| both(young, row.number("poisson"))),
        restitution: row.maybe("restitution_in").map(Restitution::Constant),
        numbers: known.collect(),
        ..Inputs::default()
    }
}

fn judge(row: &Row, result: &ImpactResult, tolerance: f64) {
    let judged = [
        ("restitution", result.restitution),
        ("max_indentation", result.max_indentation),
        ("max_force", result.max_force),
        ("indentation_at_max_force", result.indentation_at_max_force),
        ("permanent_indentation", result.permanent_indentation),
        ("duration", result.duration),
    ];
    for (column, ours) in judged {
        if let Some(wanted) = row.maybe(column) {
            assert_close(&format!("{} {column}", row.place), ours, wanted, tolerance);
        }
    }
    let energy = 0.5 * row.number("effective_mass") * row.number("impact_speed").powi(2);
    if let Some(wanted) = row.maybe("energy_lost") {
        // near e = 1 the loss is a small difference: judged as a share of the impact energy
        let off = (result.energy_lost - wanted).abs() / energy;
        assert!(
            off <= tolerance,
            "{} energy_lost: {} against {wanted}",
            row.place,
            result.energy_lost
        );
    }
    if let Some(closed) = result.restitution_closed_form {
        // the two ways to e_N are independent of each other
        assert_close(&format!("{} closed form", row.place), result.restitution, closed, tolerance);
        assert_close(
            &format!("{} closed form, reference", row.place),
            closed,
            row.number("restitution"),
            1e-11,
        );
    }
}

fn run_row(row: &Row, elastic: &str) -> ImpactResult {
    let law = law(&format!("{elastic}+{}", row.text("damping")), &inputs_of(row));
    let law = if row.maybe("clamped") == Some(0.0) { adhesive(law) } else { law };
    let (effective_mass, speed) = (row.number("effective_mass"), row.number("impact_speed"));
    let watched = impact(&law, effective_mass, speed);
    // the unwatched impact takes another way through the integrator to the same end
    let bench = Impact { law: &law, effective_mass, speed, tolerance: DEFAULT_TOLERANCE };
    let rebound = bench.rebound().unwrap_or_else(|e| panic!("{}: {e}", row.place));
    assert_close(&row.place, rebound.restitution, watched.restitution, 1e-9);
    assert_close(&row.place, rebound.duration, watched.duration, 1e-9);
    assert_eq!(rebound.clipped, watched.clipped, "{}", row.place);
    watched
}

#[test]
fn exact_every_closed_form_impact_of_the_reference_data() {
    let rows = rows("free-impact/data.csv");
    assert_eq!(rows.len(), 225);
    for row in &rows {
        // integration at 1e-12 keeps nine digits, the depth of the largest force included
        judge(row, &run_row(row, "power"), 1e-9);
    }
}

/// A law that comes in as code of a user gives the bits of the same law in the catalogue.
#[test]
fn property_an_impact_with_code_of_a_user_has_the_same_bits() {
    for row in rows("free-impact/data.csv").iter().step_by(3) {
        let law = law(&format!("power+{}", row.text("damping")), &inputs_of(row));
        let ours = if row.maybe("clamped") == Some(0.0) { adhesive(law) } else { law };
        let theirs = borrowed::borrowed_normal(&ours);
        let (effective_mass, speed) = (row.number("effective_mass"), row.number("impact_speed"));
        let tolerance = DEFAULT_TOLERANCE;
        let [a, b] = [&ours, &theirs].map(|law| {
            let bench = Impact { law, effective_mass, speed, tolerance };
            let result = bench.run().unwrap_or_else(|e| panic!("{}: {e}", row.place));
            let motion = [result.restitution, result.duration, result.max_indentation];
            (motion.map(f64::to_bits), result)
        });
        assert_eq!(a.0, b.0, "{}", row.place);
        assert_eq!(a.1.force_evaluations, b.1.force_evaluations, "{}", row.place);
        // The peak is sought with the slopes, which are other sums of the same terms.
        assert_close(&row.place, b.1.max_force, a.1.max_force, 1e-12);
    }
}

#[test]
fn exact_every_law_with_its_own_unloading_of_the_reference_data() {
    let rows = rows("free-impact/unloading.csv");
    assert_eq!(rows.len(), 35);
    for row in &rows {
        judge(row, &run_row(row, "power"), 1e-9);
    }
}

#[test]
fn peer_every_impact_integrated_by_scipy() {
    let rows = rows("free-impact/integrated.csv");
    assert_eq!(rows.len(), 85);
    for row in &rows {
        // the reference states an accuracy of 1e-10 to 1e-12; its digits are 13
        judge(row, &run_row(row, row.text("elastic")), 1e-9);
    }
}

/// The two spheres of the papers: K = 5.2e9 N/m^1.5, m_eff = 4.6 kg.
fn spheres(c: f64) -> Inputs {
    returning(c, &numbers(&[("stiffness", 5.2e9)]))
}

#[test]
fn exact_dashpots_return_the_input_only_if_the_force_may_pull() {
    for name in ["hertz+tsuji", "linear+anagnostopoulos", "linear+tsuji", "hertz+anagnostopoulos"] {
        for (c, cut) in [(0.3, 0.39714), (0.7, 0.71820)] {
            let law = law(name, &spheres(c));
            let clipped = impact(&law, 4.6, 0.3);
            assert!(clipped.clipped);
            // five published digits, and the closed form behind them
            assert!(
                (clipped.restitution - cut).abs() < 5e-6,
                "{name} {c}: {}",
                clipped.restitution
            );
            assert_close(name, clipped.restitution, clipped.restitution_closed_form.unwrap(), 1e-9);
            let kept = impact(&adhesive(law), 4.6, 0.3);
            assert!(!kept.clipped);
            assert_close(name, kept.restitution, c, 1e-9);
            assert_close(name, kept.restitution_closed_form.unwrap(), c, 1e-12);
            // flying apart without force takes less time than being held back
            assert!(kept.duration > clipped.duration);
        }
    }
}

#[test]
fn property_a_clipped_contact_may_push_again() {
    // the transition zone takes the damping away faster than the spring: after letting go at
    // δ > ε the force would push again inside the zone, so the bodies part faster than without
    let inputs = Inputs {
        numbers: [("stiffness", 5.2e9), ("epsilon", 1e-6), ("q", 3.0)]
            .map(|(k, v)| (k.into(), v))
            .into(),
        ..spheres(0.7)
    };
    let law = law("linear+lee-wang-transition", &inputs);
    let curve = Impact { law: &law, effective_mass: 4.6, speed: 0.3, tolerance: DEFAULT_TOLERANCE }
        .run_with_curve(4000)
        .unwrap();
    assert!(curve.clipped);
    let silent = curve.curve.iter().position(|s| s.t > 0.0 && s.force == 0.0).unwrap();
    assert!(curve.curve[silent..].iter().any(|s| s.force > 0.0), "the contact never pushes again");
}

#[test]
fn property_no_restitution_is_refused_where_it_needs_infinite_damping() {
    let unbounded = [
        "exact",
        "gonthier",
        "gonthier-approx",
        "flores",
        "gharib-hurmuzlu",
        "hu-guo",
        "jankowski",
    ];
    let plastic = ["lankarani-nikravesh-plastic", "gharib-hurmuzlu-plastic"];
    for damping in unbounded.into_iter().chain(plastic) {
        let law = law(&format!("hertz+{damping}"), &spheres(0.0));
        let bench =
            Impact { law: &law, effective_mass: 4.6, speed: 0.3, tolerance: DEFAULT_TOLERANCE };
        let error = bench.run().expect_err(damping);
        assert!(
            matches!(error, ImpactError::Begin(BeginError::Limit { .. })),
            "{damping}: {error}"
        );
        assert!(error.to_string().contains("such as 0.01"), "{damping}: no hint in {error}");
    }
    // a finite factor at c_r = 0 is a law like any other
    for (damping, e) in
        [("hunt-crossley", 0.4877), ("lankarani-nikravesh", 0.6630), ("zhiying-qishao", 0.1787)]
    {
        let result = impact(&law(&format!("hertz+{damping}"), &spheres(0.0)), 4.6, 0.3);
        assert!((result.restitution - e).abs() < 5e-5, "{damping}: {}", result.restitution);
    }
}

#[test]
fn property_a_return_too_slow_to_integrate_is_refused_at_once() {
    let law = law("hertz+exact", &spheres(1e-9));
    let bench = Impact { law: &law, effective_mass: 4.6, speed: 0.3, tolerance: 1e-12 };
    let Err(ImpactError::TooSlow { closed_form, .. }) = bench.run() else { panic!("refused") };
    assert_close("closed form", closed_form, 1e-9, 1e-14);
}

#[test]
fn property_an_overdamped_adhesive_contact_never_parts() {
    for zeta in [1.0, 1.5] {
        let damping = 2.0 * zeta * (5.2e9_f64 * 4.6).sqrt();
        let law =
            law("linear+kelvin-voigt", &numbers(&[("stiffness", 5.2e9), ("damping", damping)]));
        let run = |law: &NormalLaw| {
            Impact { law, effective_mass: 4.6, speed: 0.3, tolerance: DEFAULT_TOLERANCE }.run()
        };
        let clipped = run(&law).unwrap();
        // critical damping lets go at e⁻² of the speed; more damping, less speed
        assert!(clipped.restitution <= (-2.0_f64).exp() * (1.0 + 1e-9));
        assert_close(
            "clipped",
            clipped.restitution,
            clipped.restitution_closed_form.unwrap(),
            1e-9,
        );
        let error = run(&adhesive(law)).expect_err("an overdamped spring creeps back for ever");
        assert!(matches!(error, ImpactError::NeverParts { .. }), "{error}");
        assert!(error.to_string().contains("may pull"), "{error}");
    }
}

#[test]
fn peer_a_transition_that_lets_go_and_pushes_again_inside_its_zone() {
    // fixed-step Runge–Kutta and event-located DOP853 of SciPy agree on these to the last digit
    let spheres = [("stiffness", 5.2e9), ("exponent", 1.5), ("q", 4.0), ("epsilon", 5e-6)];
    let light = [("stiffness", 1e8), ("exponent", 1.0), ("q", 4.0), ("epsilon", 1e-8)];
    let heavy = [("stiffness", 1e8), ("exponent", 1.0), ("q", 4.0), ("epsilon", 1e-6)];
    for (given, c, m, v, wanted) in [
        (&spheres, 0.1, 4.6, 0.3, 0.2588999),
        (&light, 0.078, 0.527, 0.0052, 0.2433819),
        (&heavy, 0.1, 4.6, 0.3, 0.256873),
    ] {
        let law = law("power+lee-wang-transition", &returning(c, &numbers(given)));
        let ours = impact(&law, m, v).restitution;
        assert!((ours - wanted).abs() < 1e-6, "{ours} against {wanted}");
    }
}

#[test]
fn exact_overdamped_clipped_oscillators() {
    // roots of the force of an overdamped oscillator in 40 digits (mpmath)
    for (zeta, wanted) in [
        (1.5, 0.07558830936495607),
        (10.0, 0.0024379340486363732),
        (1e3, 2.4999822477937217e-7),
        (1e6, 2.4999999999649786e-13),
    ] {
        let damping = 2.0 * zeta * (5.2e9_f64 * 4.6).sqrt();
        let law =
            law("linear+kelvin-voigt", &numbers(&[("stiffness", 5.2e9), ("damping", damping)]));
        let touch = law.begin(0.3, 4.6).unwrap();
        let ours = closed_form::restitution(&law, &touch, 0.3).unwrap();
        assert_close(&format!("ζ = {zeta}"), ours, wanted, 1e-13);
        if zeta < 100.0 {
            assert_close(&format!("ζ = {zeta}"), impact(&law, 4.6, 0.3).restitution, wanted, 1e-9);
        }
    }
}

#[test]
fn property_the_loop_closes_and_encloses_the_lost_energy() {
    let bearing = Inputs {
        surfaces: Some(Surfaces::internal(5e-3, 4.75e-3).unwrap()),
        length: Some(15e-3),
        materials: Some(both(210e9, 0.3)),
        ..spheres(0.5)
    };
    let laws = [
        ("hertz+flores", spheres(0.5), 4.6, 0.3, false),
        ("hertz+no-damping", spheres(0.5), 4.6, 0.3, false),
        ("hertz+jankowski", spheres(0.3), 4.6, 0.3, false),
        ("hertz+tsuji", spheres(0.3), 4.6, 0.3, true),
        ("hertz+tsuji", spheres(0.3), 4.6, 0.3, false),
        ("hertz+kelvin-voigt-restitution", spheres(0.4), 4.6, 0.3, false),
        ("hertz+gharib-hurmuzlu-plastic", spheres(0.6), 4.6, 0.3, false),
        ("johnson+lankarani-nikravesh", bearing.clone(), 6.8e-3, 0.2, false),
        ("johnson+exact", bearing, 10.0, 20.0, false),
    ];
    for (name, inputs, m, v, keep) in laws {
        let law = law(name, &inputs);
        let law = if keep { adhesive(law) } else { law };
        let bench = Impact { law: &law, effective_mass: m, speed: v, tolerance: DEFAULT_TOLERANCE };
        let result = bench.run_with_curve(4000).unwrap();
        let (first, last) = (result.curve[0], result.curve[result.curve.len() - 1]);
        assert_eq!((first.t, first.delta), (0.0, 0.0), "{name}");
        assert_eq!(first.delta_dot, v, "{name}");
        let rest = result.permanent_indentation;
        assert!(
            (last.delta - rest).abs() < 1e-12 * result.max_indentation,
            "{name} ends at {}",
            last.delta
        );
        assert_close(name, last.t, result.duration, 1e-12);
        assert_close(name, -last.delta_dot / v, result.restitution, 1e-12);
        assert!(result.curve.windows(2).all(|w| w[0].t <= w[1].t), "{name}: time runs back");
        let work: f64 = result
            .curve
            .windows(2)
            .map(|w| 0.5 * (w[0].force + w[1].force) * (w[1].delta - w[0].delta))
            .sum();
        // trapezoids over 4000 points, of an energy that is not small against ½mv²
        let energy = 0.5 * m * v * v;
        assert!(
            (work - result.energy_lost).abs() < 1e-4 * energy,
            "{name}: ∮F dδ = {work}, lost {}",
            result.energy_lost
        );
        let deepest = result.curve.iter().map(|s| s.delta).fold(0.0, f64::max);
        assert_close(name, deepest, result.max_indentation, 1e-6);
    }
}

#[test]
fn property_a_table_has_the_same_bits_on_any_number_of_threads() {
    let inputs = spheres(0.5);
    let elastic = law("hertz", &inputs).elastic;
    let shared = TableInputs {
        elastic_id: "hertz",
        elastic: &elastic,
        inputs: &inputs,
        effective_mass: 4.6,
        speed: 0.3,
        impact_speed_floor: 1e-6,
        tolerance: DEFAULT_TOLERANCE,
    };
    let restitutions: Vec<f64> = (0..=10).map(|i| f64::from(i) / 10.0).collect();
    let with_threads = |n: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| restitution_table(&shared, DampingKind::ALL, &restitutions))
    };
    let ((one, skipped), (two, _)) = (with_threads(1), with_threads(2));
    assert_eq!(one.len() + skipped.len(), DampingKind::ALL.len());
    assert_eq!(format!("{one:?}"), format!("{two:?}"));
    // every number there is: laws without a restitution lack their constants and are skipped
    let failed =
        one.iter().flat_map(|row| &row.entries).filter(|e| matches!(e, Entry::Failed(_))).count();
    assert_eq!(failed, 0, "every impact of the table has a result or is a limit");
}
