//! Requests for laws: everything that is wrong is said at once, with what would be right.

use std::collections::BTreeMap;

use jointplay_contact::catalog::{
    DampingKind, ElasticKind, FrictionKind, Inputs, LawName, LawProblem, LawProblems,
    unknown_numbers,
};
use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{GeometryError, Material, Restitution, STEEL, Surfaces};

use crate::sample::{damped, friction_inputs, geometries, inputs, inputs_for};

fn bearing() -> Surfaces {
    geometries()[0].1
}

fn numbers(pairs: &[(&str, f64)]) -> BTreeMap<String, f64> {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value)).collect()
}

fn elastic(kind: ElasticKind) -> ElasticLaw {
    kind.build(&inputs_for(kind.sheet(), bearing())).unwrap_or_else(|e| panic!("{e}")).law
}

fn damping(kind: DampingKind, on: ElasticKind, inputs: &Inputs) -> Result<DampingLaw, LawProblems> {
    kind.build(inputs, on.id(), &elastic(on))
}

/// Every text of `wanted` in some message.
fn says(problems: &LawProblems, wanted: &[&str]) {
    let text = problems.to_string();
    assert_eq!(problems.0.len(), wanted.len(), "{text}");
    for part in wanted {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

#[test]
fn property_everything_missing_is_named_at_once() {
    let nothing = Inputs::default();
    says(
        &ElasticKind::Johnson.build(&nothing).unwrap_err(),
        &["needs the radii", "needs the material", "needs the contact length L"],
    );
    for kind in [ElasticKind::Liu, ElasticKind::Pereira, ElasticKind::Persson] {
        says(
            &kind.build(&nothing).unwrap_err(),
            &["the radii", "the material", "the contact length"],
        );
    }
    // a law of R = R_iR_j/ΔR is not helped by a clearance alone
    let clearance = Inputs { clearance: Some(1e-4), ..Inputs::default() };
    for inputs in [&nothing, &clearance] {
        says(
            &ElasticKind::Goldsmith.build(inputs).unwrap_err(),
            &["both radii", "the material", "the contact length"],
        );
    }
    says(&ElasticKind::BaiZhao.build(&nothing).unwrap_err(), &["the radii", "the material"]);
    says(
        &ElasticKind::Hertz.build(&nothing).unwrap_err(),
        &["needs a stiffness (or radii and material)"],
    );
    says(&ElasticKind::Power.build(&nothing).unwrap_err(), &["stiffness K", "exponent n"]);
    says(
        &ElasticKind::PlanePlane.build(&nothing).unwrap_err(),
        &["the half width", "the material"],
    );
    let half = Inputs { surfaces: Some(bearing()), ..Inputs::default() };
    says(&ElasticKind::Hertz.build(&half).unwrap_err(), &["needs the material"]);
    let given = Inputs { clearance: Some(1e-4), ..Inputs::default() };
    says(&ElasticKind::Johnson.build(&given).unwrap_err(), &["the material", "the contact length"]);

    says(
        &damping(DampingKind::Flores, ElasticKind::Hertz, &nothing).unwrap_err(),
        &["needs the restitution c_r"],
    );
    let viscous = damping(DampingKind::Brilliantov, ElasticKind::Hertz, &nothing).unwrap_err();
    says(&viscous, &["eta1 η₁ [Pa s]", "eta2 η₂ [Pa s]", "the material"]);

    says(&FrictionKind::Coulomb.build(&nothing).unwrap_err(), &["mu μ"]);
    let stribeck = ["mu_static", "mu_dynamic", "stribeck_speed", "transition_speed"];
    says(&FrictionKind::Stribeck.build(&nothing).unwrap_err(), &stribeck);
    let lugre = ["mu_static", "mu_dynamic", "stribeck_speed", "sigma0", "sigma1"];
    says(&FrictionKind::LuGre.build(&nothing).unwrap_err(), &lugre);
}

#[test]
fn property_values_out_of_range_are_named_with_their_interval() {
    let rubber = Material { young: -1.0, poisson: 0.6, density: None };
    let wrong = Inputs { length: Some(0.0), materials: Some([rubber, STEEL]), ..inputs(bearing()) };
    says(
        &ElasticKind::Johnson.build(&wrong).unwrap_err(),
        &[
            "length = 0: must lie in (0, ∞) m",
            "young = -1: must lie in (0, ∞) Pa",
            "poisson = 0.6: must lie in (-1, 0.5]",
        ],
    );
    let wrong = Inputs { clearance: Some(-1e-4), surfaces: None, ..inputs(bearing()) };
    says(&ElasticKind::Johnson.build(&wrong).unwrap_err(), &["clearance = -0.0001"]);
    // a clearance beside radii must be theirs, whether the law takes ΔR or R
    for kind in [ElasticKind::Johnson, ElasticKind::Goldsmith, ElasticKind::Hertz] {
        let wrong = Inputs { clearance: Some(1e-4), ..inputs(bearing()) };
        says(&kind.build(&wrong).unwrap_err(), &["differs from that of the radii"]);
        let right = Inputs { clearance: bearing().delta_r(), ..inputs(bearing()) };
        assert!(kind.build(&right).is_ok());
    }
    let half = Inputs { numbers: numbers(&[("pi", 0.5)]), ..inputs(bearing()) };
    says(
        &ElasticKind::LankaraniNikraveshCylinder.build(&half).unwrap_err(),
        &["0 (off) or 1 (on)"],
    );
    // what has a field of its own is not read from the numbers, and that is said
    let twice = Inputs { numbers: numbers(&[("length", 1.0)]), ..inputs(bearing()) };
    says(&LawName::parse("johnson").unwrap().build(&twice).unwrap_err(), &["its own input"]);
    let wrong =
        Inputs { numbers: numbers(&[("stiffness", 0.0), ("exponent", 0.5)]), ..Inputs::default() };
    says(
        &ElasticKind::Power.build(&wrong).unwrap_err(),
        &["stiffness = 0", "exponent = 0.5: must lie in [1, ∞)"],
    );

    for c in [-0.1, 1.0001, f64::NAN] {
        let wrong = Inputs { restitution: Some(Restitution::Constant(c)), ..inputs(bearing()) };
        says(
            &damping(DampingKind::Exact, ElasticKind::Hertz, &wrong).unwrap_err(),
            &["must lie in [0, 1]"],
        );
    }
    let restitution = Some(Restitution::Linear { alpha_0: 1.2, alpha_1: -0.5 });
    let wrong = Inputs { restitution, ..inputs(bearing()) };
    says(
        &damping(DampingKind::Exact, ElasticKind::Hertz, &wrong).unwrap_err(),
        &["alpha_0 = 1.2: must lie in [0, 1]", "alpha_1 = -0.5: must lie in [0, ∞) s/m"],
    );
    // where a Poisson ratio of 0 divides
    let cork = Material { poisson: 0.0, ..STEEL };
    let wrong = Inputs {
        materials: Some([STEEL, cork]),
        ..inputs_for(DampingKind::Brilliantov.sheet(), bearing())
    };
    says(
        &damping(DampingKind::Brilliantov, ElasticKind::Hertz, &wrong).unwrap_err(),
        &["poisson = 0: must lie in (0, 0.5]"],
    );

    let wrong =
        Inputs { numbers: numbers(&[("mu", -0.1), ("slip_speed", 0.0)]), ..Inputs::default() };
    says(&FrictionKind::CoulombTanh.build(&wrong).unwrap_err(), &["mu = -0.1", "slip_speed = 0"]);
    // each in its interval, but not in order
    let speeds = numbers(&[("mu", 0.1), ("speed_0", 0.2), ("speed_1", 0.1)]);
    let wrong =
        FrictionKind::Ambrosio.build(&Inputs { numbers: speeds, ..Inputs::default() }).unwrap_err();
    assert!(matches!(wrong.0[..], [LawProblem::Friction(_)]), "{wrong}");
}

#[test]
fn property_surfaces_that_do_not_suit() {
    let plane = Inputs { surfaces: Surfaces::on_plane(0.01).ok(), ..inputs(bearing()) };
    for kind in [ElasticKind::Johnson, ElasticKind::Liu, ElasticKind::Persson] {
        says(&kind.build(&plane).unwrap_err(), &["needs two cylinders"]);
    }
    // with the clearance that is meant it is a law again
    assert!(ElasticKind::Johnson.build(&Inputs { clearance: Some(1e-4), ..plane }).is_ok());
    // fields are open: what no constructor has seen is checked here
    for surfaces in [
        Surfaces::Internal { bearing: 0.01, journal: 0.02 },
        Surfaces::Internal { bearing: 0.01, journal: -0.005 },
        Surfaces::External { radius_i: -0.01, radius_j: 0.005 },
        Surfaces::External { radius_i: 0.01, radius_j: f64::NAN },
    ] {
        let wrong = ElasticKind::Johnson.build(&inputs(surfaces)).unwrap_err();
        assert!(matches!(wrong.0[..], [LawProblem::Geometry(_)]), "{surfaces:?}: {wrong}");
    }
    let wrong = ElasticKind::Hertz.build(&inputs(Surfaces::OnPlane { radius: 0.0 })).unwrap_err();
    assert_eq!(wrong.0, [LawProblem::Geometry(GeometryError::Radius { radius: 0.0 })]);
    // Persson's law is told to be for equal materials and a bore, not refused
    let external = Inputs { surfaces: Surfaces::from_radii(0.01, 0.02).ok(), ..inputs(bearing()) };
    let rubbing = Material { young: 1e9, ..STEEL };
    let built = ElasticKind::Persson
        .build(&Inputs { materials: Some([STEEL, rubbing]), ..external })
        .unwrap();
    assert_eq!(built.warnings.len(), 2, "{:?}", built.warnings);
}

#[test]
fn exact_radii_with_signs() {
    assert_eq!(Surfaces::from_radii(-0.02, 0.01), Surfaces::internal(0.02, 0.01));
    assert_eq!(Surfaces::from_radii(0.01, -0.02), Surfaces::internal(0.02, 0.01));
    assert_eq!(Surfaces::from_radii(-0.01, -0.02), Err(GeometryError::BothConcave));
    assert_eq!(
        Surfaces::from_radii(0.02, -0.01),
        Err(GeometryError::DoesNotFit { bearing: 0.01, journal: 0.02 })
    );
    assert_eq!(
        Surfaces::internal(0.01, 0.01),
        Err(GeometryError::DoesNotFit { bearing: 0.01, journal: 0.01 })
    );
    assert!(
        Surfaces::from_radii(0.0, 1.0).is_err()
            && Surfaces::from_radii(1.0, f64::INFINITY).is_err()
    );
    // 20 + 5 and 20 − 5 mm, and R = 20·5/ΔR
    let (external, internal) =
        (Surfaces::from_radii(0.02, 0.005).unwrap(), Surfaces::internal(0.02, 0.005).unwrap());
    assert_eq!((external.delta_r(), internal.delta_r()), (Some(0.025), Some(0.015)));
    assert!(
        (external.relative_radius() - 0.004).abs() < 1e-18
            && (internal.relative_radius() - 1e-4 / 0.015).abs() < 1e-17
    );
    assert_eq!(Surfaces::on_plane(0.02).unwrap().relative_radius(), 0.02);
}

#[test]
fn property_unknown_parameters_come_with_the_known_ones() {
    let kind = DampingKind::HuntCrossleyAlpha;
    let given =
        Inputs { numbers: numbers(&[("alfa", 0.3), ("rate_exponent", 1.0)]), ..Inputs::default() };
    let problems = unknown_numbers(&given, kind.id(), &[kind.sheet()]);
    let [LawProblem::UnknownParameter { law, key, known }] = &problems[..] else {
        panic!("{problems:?}")
    };
    assert_eq!((law.as_str(), key.as_str(), known[0]), ("hunt-crossley-alpha", "alfa", "alpha"));
    // nothing is near: all that there are
    let given = Inputs { numbers: numbers(&[("xyzzy", 0.3)]), ..Inputs::default() };
    let text = unknown_numbers(&given, kind.id(), &[kind.sheet()])[0].to_string();
    assert_eq!(
        text,
        "`hunt-crossley-alpha` has no parameter `xyzzy`; it has `alpha` and `rate_exponent`"
    );
    let none = DampingKind::NoDamping.sheet();
    assert!(unknown_numbers(&given, none.id, &[none])[0].to_string().ends_with("; it has none"));
}

#[test]
fn property_laws_with_k_need_a_power_law() {
    for (kind, needs) in [
        (DampingKind::Tsuji, true),
        (DampingKind::Anagnostopoulos, true),
        (DampingKind::Jankowski, true),
        (DampingKind::Brilliantov, true),
        (DampingKind::LeeWangTransition, true),
        (DampingKind::LankaraniNikraveshPlastic, true),
        (DampingKind::GharibHurmuzluPlastic, true),
        (DampingKind::LeeWangLinear, false),
        (DampingKind::Flores, false),
        (DampingKind::KelvinVoigt, false),
        (DampingKind::Ristow, false),
    ] {
        let inputs = inputs_for(kind.sheet(), bearing());
        let built = damping(kind, ElasticKind::Johnson, &inputs);
        match built {
            Err(e) if needs => {
                assert_eq!(
                    e.0,
                    [LawProblem::NeedsPowerLaw { damping: kind.id(), elastic: "johnson".into() }]
                );
                let text = e.to_string();
                assert!(
                    text.contains("hertz")
                        && text.contains("jointplay fit johnson")
                        && text.contains("exact"),
                    "{text}"
                );
            }
            Ok(_) if !needs => {}
            other => panic!("{}: {other:?}", kind.id()),
        }
        assert!(
            damping(kind, ElasticKind::Pereira, &inputs).is_ok(),
            "{}: a fit is a power law",
            kind.id()
        );
    }
    // with what else is wrong
    let twice = damping(DampingKind::Tsuji, ElasticKind::Johnson, &Inputs::default()).unwrap_err();
    assert_eq!(twice.0.len(), 2, "{twice}");
}

#[test]
fn property_every_dissipation_law_builds_and_starts() {
    let built = damped();
    for kind in DampingKind::ALL {
        let names =
            built.iter().filter(|(name, _)| name.starts_with(&format!("hertz+{} ", kind.id())));
        assert!(names.count() >= 1, "{} is not among the samples", kind.id());
    }
    for (name, law) in built {
        let touch = law.begin(0.3, 0.8).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(touch.coefficient.is_finite() && !touch.floored, "{name}");
    }
}

#[test]
fn property_every_friction_law_builds_and_opposes() {
    for &kind in FrictionKind::ALL {
        let law =
            kind.build(&friction_inputs(kind)).unwrap_or_else(|e| panic!("{}: {e}", kind.id()));
        assert_eq!(matches!(law, FrictionLaw::NoFriction), kind == FrictionKind::NoFriction);
        for v in [-2.0, -5e-4, 5e-4, 2.0] {
            let friction = law.force(100.0, v, 0.0);
            assert!(
                friction.force * v <= 0.0 && friction.power_lost >= 0.0,
                "{} at {v}: {friction:?}",
                kind.id()
            );
        }
        assert!(
            law.force(100.0, 2.0, 0.0).force.abs() > 1.0 || kind == FrictionKind::NoFriction,
            "{}",
            kind.id()
        );
    }
}

#[test]
fn property_a_length_multiplies_the_force_of_a_line_contact_once() {
    for &kind in ElasticKind::ALL {
        let force = |length: f64| {
            let inputs = Inputs { length: Some(length), ..inputs_for(kind.sheet(), bearing()) };
            let built = kind.build(&inputs).unwrap();
            (built.law.force(1e-6), built.length)
        };
        let ((one, length), (two, _)) = (force(0.01), force(0.02));
        // Dubowsky and Freudenstein have the length in the logarithm too
        let inside = kind.id().starts_with("dubowsky");
        let ratio = if length.is_some() { 2.0 } else { 1.0 };
        assert_eq!(length, (ratio == 2.0).then_some(0.01), "{}", kind.id());
        assert!(inside || (two / one - ratio).abs() < 1e-14, "{}: {}", kind.id(), two / one);
    }
}

#[test]
fn property_a_complete_law_names_what_all_its_parts_miss() {
    let name = LawName::parse("johnson+flores+coulomb-tanh").unwrap();
    let given = Inputs { numbers: numbers(&[("mue", 0.1)]), ..Inputs::default() };
    says(
        &name.build(&given).unwrap_err(),
        &[
            "no parameter `mue`",
            "the radii",
            "the material",
            "the contact length",
            "the restitution",
            "mu μ",
            "slip_speed v_s",
        ],
    );
    let complete =
        Inputs { numbers: numbers(&[("mu", 0.1), ("slip_speed", 1e-3)]), ..inputs(bearing()) };
    let built = name.build(&complete).unwrap();
    assert!(built.warnings.is_empty());
    assert_eq!(built.law.normal.elastic.force(1e-6), elastic(ElasticKind::Johnson).force(1e-6));
    assert!(matches!(built.law.friction, FrictionLaw::CoulombTanh(_)));
    // parts that are not named: Hertz's law, no loss, no friction
    let built = LawName::default().build(&inputs(bearing())).unwrap();
    assert!(matches!(built.law.normal.damping, DampingLaw::None));
    assert_eq!(built.law.friction, FrictionLaw::NoFriction);
    assert_eq!(built.law.normal.elastic.force(1e-6), elastic(ElasticKind::Hertz).force(1e-6));
    // warnings come through
    let wide = Inputs { clearance: Some(0.02), surfaces: None, ..inputs(bearing()) };
    assert_eq!(LawName::parse("pereira").unwrap().build(&wide).unwrap().warnings.len(), 1);
}
