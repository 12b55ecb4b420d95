//! The start of a contact: restitution models, refusals, the floor of the impact speed.

use jointplay_contact::catalog::{DampingKind, ElasticKind, Inputs};
use jointplay_contact::damping::{BeginError, DampingLaw, Factor};
use jointplay_contact::{IMPACT_SPEED_FLOOR, NormalLaw, Restitution};

use crate::sample::{damped, geometries, inputs_for};

fn law(kind: DampingKind, restitution: Restitution) -> NormalLaw {
    let bearing = geometries()[0].1;
    let elastic =
        ElasticKind::Hertz.build(&inputs_for(ElasticKind::Hertz.sheet(), bearing)).unwrap().law;
    let inputs = Inputs { restitution: Some(restitution), ..inputs_for(kind.sheet(), bearing) };
    let damping = kind.build(&inputs, "hertz", &elastic).unwrap();
    NormalLaw::new(elastic, damping)
}

#[test]
fn exact_restitution_models() {
    assert_eq!(Restitution::Constant(0.37).at(1e9), (0.37, false));
    // 1 − 0.026·10 at 1 m/s = 1000 mm/s, 1 − 0.026·1 at 1 mm/s, 1 − 0.026·20 at 8 m/s
    for (speed, c) in [(1.0, 0.74), (1e-3, 0.974), (8.0, 0.48), (0.0, 1.0)] {
        let (got, cut) = Restitution::CubeRoot.at(speed);
        // one cube root and two roundings
        assert!((got - c).abs() < 4.0 * f64::EPSILON && !cut, "{speed} m/s: {got}");
    }
    // 0.026 · 40 > 1 at 64 m/s
    assert_eq!(Restitution::CubeRoot.at(64.0), (0.0, true));
    let linear = Restitution::Linear { alpha_0: 0.9, alpha_1: 0.25 };
    assert_eq!(linear.at(0.0), (0.9, false));
    assert!((linear.at(2.0).0 - 0.4).abs() < f64::EPSILON && !linear.at(2.0).1);
    assert_eq!(linear.at(4.0), (0.0, true));
    assert_eq!(Restitution::Linear { alpha_0: 0.9, alpha_1: 0.0 }.at(1e6), (0.9, false));
}

#[test]
fn property_the_touch_remembers_a_cut_restitution() {
    let restitution = Restitution::Linear { alpha_0: 0.9, alpha_1: 0.25 };
    let touch = law(DampingKind::HuntCrossley, restitution).begin(2.0, 1.0).unwrap();
    assert!((touch.restitution - 0.4).abs() < f64::EPSILON && !touch.restitution_cut);
    let touch = law(DampingKind::HuntCrossley, restitution).begin(5.0, 1.0).unwrap();
    assert!(touch.restitution == 0.0 && touch.restitution_cut);
    // where the cut value is a limit of the law, the contact is refused
    let refused = law(DampingKind::Flores, restitution).begin(5.0, 1.0).unwrap_err();
    assert!(matches!(refused, BeginError::Limit { restitution: 0.0, .. }), "{refused:?}");
}

#[test]
fn property_zero_restitution_is_refused_where_it_is_a_limit() {
    for &kind in DampingKind::ALL {
        let begun = law(kind, Restitution::Constant(0.0)).begin(0.3, 0.8);
        // the sheets that say "0 is a limit only", and the spring that never lets go at 0
        let parameter = kind.sheet().parameters.iter().find(|p| p.key == "restitution");
        let open = parameter.is_some_and(|p| p.interval.low == 0.0 && !p.interval.low_closed);
        match begun {
            Err(BeginError::Limit { restitution, hint }) => {
                assert!(
                    open || kind == DampingKind::KelvinVoigtRestitution,
                    "{} refuses 0",
                    kind.id()
                );
                assert_eq!(restitution, 0.0);
                assert!(
                    law(kind, Restitution::Constant(hint)).begin(0.3, 0.8).is_ok(),
                    "the hint works"
                );
            }
            Err(BeginError::Domain { low, .. }) => {
                assert_eq!((kind, low), (DampingKind::MarhefkaOrinSimplified, 1.0 / 3.0));
            }
            Err(other) => panic!("{}: {other}", kind.id()),
            Ok(touch) => {
                assert!(
                    !open && touch.coefficient.is_finite(),
                    "{} accepts 0: {touch:?}",
                    kind.id()
                );
            }
        }
    }
}

#[test]
fn property_restitution_one_and_small_ones_start() {
    for &kind in DampingKind::ALL {
        for c in [1.0, 0.999, 0.5, 0.34, 0.01] {
            if kind == DampingKind::MarhefkaOrinSimplified && c < 1.0 / 3.0 {
                continue;
            }
            let touch = law(kind, Restitution::Constant(c)).begin(0.3, 0.8).unwrap();
            assert!(
                touch.coefficient >= 0.0 && touch.coefficient.is_finite(),
                "{} at {c}: {touch:?}",
                kind.id()
            );
        }
    }
}

#[test]
fn exact_domain_of_the_simplified_factor() {
    let third = 1.0 / 3.0;
    for c in [0.0, 0.2, third] {
        let refused =
            law(DampingKind::MarhefkaOrinSimplified, Restitution::Constant(c)).begin(0.3, 0.8);
        assert_eq!(refused, Err(BeginError::Domain { restitution: c, low: third }));
    }
    let text = BeginError::Domain { restitution: 0.2, low: third }.to_string();
    assert!(text.contains("0.2") && text.contains("(0.333"), "{text}");
    assert_eq!(Factor::MarhefkaOrinSimplified.at(third), None);
    assert!(Factor::MarhefkaOrinSimplified.at(third.next_up()).is_some_and(|a| a > 1e10));
}

#[test]
fn property_speeds_and_masses_must_be_positive_numbers() {
    for (name, law) in damped() {
        for value in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let speed = law.damping.begin(value, 0.8).unwrap_err();
            assert!(
                matches!(speed, BeginError::NotPositive { what: "impact speed", .. }),
                "{name}: {speed:?}"
            );
            let mass = law.begin(0.3, value).unwrap_err();
            assert!(
                matches!(mass, BeginError::NotPositive { what: "effective mass", .. }),
                "{name}: {mass:?}"
            );
        }
        // the floor stands in for slow speeds, not for numbers that are none
        assert!(
            law.begin(f64::NAN, 0.8).is_err() && law.begin(f64::INFINITY, 0.8).is_err(),
            "{name}"
        );
        let no_floor = NormalLaw { impact_speed_floor: 0.0, ..law.clone() };
        assert!(no_floor.begin(0.0, 0.8).is_err() && no_floor.begin(1e-300, 0.8).is_ok(), "{name}");
    }
}

#[test]
fn property_the_floor_acts_and_says_so() {
    for (name, law) in damped() {
        assert_eq!(law.impact_speed_floor, IMPACT_SPEED_FLOOR);
        for (speed, used, floored) in [
            (0.3, 0.3, false),
            (IMPACT_SPEED_FLOOR, IMPACT_SPEED_FLOOR, false),
            (IMPACT_SPEED_FLOOR.next_down(), IMPACT_SPEED_FLOOR, true),
            (0.0, IMPACT_SPEED_FLOOR, true),
        ] {
            let touch = law.begin(speed, 0.8).unwrap();
            // Who has no use for the speed has nothing to say.
            let floored = floored && law.damping.uses_impact_speed();
            assert_eq!(
                (touch.impact_speed, touch.floored),
                (used, floored),
                "{name} at {speed} m/s"
            );
        }
        assert!(law.begin(-0.2, 0.8).is_err(), "{name}: the bodies part");
        let told = law.damping.uses_impact_speed();
        let higher = NormalLaw { impact_speed_floor: 1e-3, ..law };
        let touch = higher.begin(5e-4, 0.8).unwrap();
        assert_eq!((touch.impact_speed, touch.floored), (1e-3, told), "{name}");
    }
}

#[test]
fn property_a_factor_depends_on_the_ratio_of_speeds_only() {
    for (name, law) in
        damped().into_iter().filter(|(_, l)| matches!(l.damping, DampingLaw::Factor { .. }))
    {
        let a =
            |speed: f64, mass: f64| law.damping.factor(&law.begin(speed, mass).unwrap()).unwrap();
        for (speed, mass) in [(1e-5, 1.0), (0.3, 1e-3), (40.0, 1e4)] {
            // one quotient and one product
            assert!((a(speed, mass) / a(1.0, 1.0) - 1.0).abs() <= 2.0 * f64::EPSILON, "{name}");
        }
    }
}

/// Whether a law uses the effective mass shows in its memory and its force, at two masses.
#[test]
fn property_a_law_that_does_not_use_the_mass_needs_none() {
    use jointplay_contact::damping::Approach;
    let at = Approach { delta: 1e-5, delta_dot: 0.1 };
    for (name, law) in damped() {
        let [light, heavy] = [0.8, 3.0].map(|mass| law.begin(0.3, mass).unwrap());
        let uses = law.force(at, &light) != law.force(at, &heavy);
        assert_eq!(law.damping.uses_effective_mass(), uses, "{name}");
        if !uses {
            let touch = law.begin(0.3, f64::MAX).unwrap();
            assert_eq!(law.force(at, &touch), law.force(at, &light), "{name}");
        }
    }
}
