//! Laws with permanent indentation, and the energy that a contact can give back.

use jointplay_contact::damping::{Approach, DampingLaw, Stage, Touch};
use jointplay_contact::elastic::ElasticModel;
use jointplay_contact::{NormalLaw, Restitution};

use super::difference::derivative;
use crate::sample::damped;

const DEEPEST: f64 = 2e-5;

fn plastic() -> Vec<(String, NormalLaw)> {
    let laws: Vec<_> = damped()
        .into_iter()
        .filter(|(_, law)| matches!(law.damping, DampingLaw::Plastic { .. }))
        .collect();
    assert_eq!(laws.len(), 6, "two laws at three restitutions");
    laws
}

/// The force at rest: these laws have no rate.
fn force(law: &NormalLaw, delta: f64, touch: &Touch) -> f64 {
    law.force(Approach { delta, delta_dot: 0.0 }, touch)
}

#[test]
fn property_first_loading_is_elastic() {
    for (name, law) in plastic() {
        let touch = law.begin(0.3, 0.8).unwrap();
        assert_eq!(law.end_of_contact(&touch), 0.0, "{name}: nothing is permanent yet");
        for delta in [1e-9, 1e-6, 1e-5, 1e-3] {
            assert_eq!(force(&law, delta, &touch), law.elastic.force(delta), "{name}");
        }
    }
}

#[test]
fn property_unloading_ends_at_the_permanent_indentation() {
    for (name, law) in plastic() {
        let out = law.turned(law.begin(0.3, 0.8).unwrap(), DEEPEST);
        let left = law.end_of_contact(&out);
        // what stays is the share of the energy that is lost: 1 − e²
        assert!((left / DEEPEST - (1.0 - out.restitution.powi(2))).abs() < 1e-15, "{name}");
        for delta in [0.0, 0.5 * left, left] {
            assert_eq!(force(&law, delta, &out), 0.0, "{name} at {delta}");
        }
        let mut before = 0.0;
        for i in 1..=1000 {
            let delta = left + (DEEPEST - left) * f64::from(i) / 1000.0;
            let now = force(&law, delta, &out);
            assert!(now > before, "{name}: unloading curve at {delta}");
            assert!(
                now <= law.elastic.force(delta) * (1.0 + 4.0 * f64::EPSILON),
                "{name}: above the loading curve"
            );
            before = now;
        }
    }
}

#[test]
fn property_reloading_follows_the_unloading_curve_and_then_the_virgin_one() {
    for (name, law) in plastic() {
        let out = law.turned(law.begin(0.3, 0.8).unwrap(), DEEPEST);
        let left = law.end_of_contact(&out);
        let again = law.turned(out, left + 0.3 * (DEEPEST - left));
        assert_eq!((again.stage, again.max_delta), (Stage::Compression, DEEPEST), "{name}");
        for i in 0..100 {
            let delta = DEEPEST * f64::from(i) / 100.0;
            assert_eq!(force(&law, delta, &again), force(&law, delta, &out), "{name} at {delta}");
        }
        // without a step from the one curve to the other: both pass through the deepest point
        let (below, at, above) = (DEEPEST.next_down(), DEEPEST, DEEPEST.next_up());
        let peak = law.elastic.force(DEEPEST);
        for delta in [below, at, above] {
            // a unit of δ is amplified by the unloading slope, n/e² ≤ 10 times the force over δ
            assert!(
                (force(&law, delta, &again) / peak - 1.0).abs() <= 20.0 * f64::EPSILON,
                "{name}"
            );
        }
        for delta in [1.1 * DEEPEST, 3.0 * DEEPEST] {
            assert_eq!(force(&law, delta, &again), law.elastic.force(delta), "{name} at {delta}");
        }
        // a shallower maximum changes nothing, a deeper one makes a new unloading curve
        assert_eq!(law.turned(again, 0.99 * DEEPEST).max_delta, DEEPEST, "{name}");
        let deeper = law.turned(again, 1.5 * DEEPEST);
        assert_eq!((deeper.stage, deeper.max_delta), (Stage::Restitution, 1.5 * DEEPEST), "{name}");
        assert!((law.end_of_contact(&deeper) / left - 1.5).abs() < 1e-15, "{name}");
    }
}

#[test]
fn property_unloading_returns_the_square_of_the_restitution() {
    for (name, law) in plastic() {
        let out = law.turned(law.begin(0.3, 0.8).unwrap(), DEEPEST);
        let left = law.end_of_contact(&out);
        // midpoint rule in δ = δ_p + (δ_m − δ_p)s², which removes the power at the lower end
        let n = 4000;
        let mut returned = 0.0;
        for i in 0..n {
            let s = (f64::from(i) + 0.5) / f64::from(n);
            let width = 2.0 * s / f64::from(n) * (DEEPEST - left);
            returned += force(&law, left + (DEEPEST - left) * s * s, &out) * width;
        }
        let stored = law.elastic.eval(DEEPEST).energy;
        // the rule's error is some 1/n² = 6e-8 of the integral
        assert!((returned / stored - out.restitution.powi(2)).abs() < 1e-6, "{name}");
        // the book says so too, at the turn and on both sides of it
        let book =
            |delta: f64, touch: &Touch| law.eval(Approach { delta, delta_dot: 0.0 }, touch).energy;
        assert!((book(DEEPEST, &out) / stored - out.restitution.powi(2)).abs() < 1e-14, "{name}");
        assert!(
            (book(DEEPEST * (1.0 - 1e-12), &out) / book(DEEPEST, &out) - 1.0).abs() < 1e-10,
            "{name}"
        );
        assert_eq!(book(left, &out), 0.0, "{name}");
        assert_eq!(book(0.0, &out), 0.0, "{name}");
    }
}

#[test]
fn property_on_the_way_out_force_is_the_derivative_of_the_energy() {
    let mut checked = 0;
    for (name, law) in damped() {
        let without_rate = match &law.damping {
            DampingLaw::None | DampingLaw::Plastic { .. } => true,
            DampingLaw::TwoSlope { smoothing_speed, .. } => *smoothing_speed == 0.0,
            DampingLaw::Expression(formula) => !formula.source().contains("delta_dot"),
            _ => false,
        };
        if !without_rate {
            continue;
        }
        let out = law.turned(law.begin(0.3, 0.8).unwrap(), DEEPEST);
        let (low, kink) = (law.end_of_contact(&out), 1e-5);
        for i in 1..20 {
            let delta = low + (DEEPEST - low) * f64::from(i) / 20.0;
            let room = [low, DEEPEST, kink]
                .map(|x| (delta - x).abs())
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            if room < 1e-3 * delta {
                continue;
            }
            let here = |d: f64| Approach { delta: d, delta_dot: 0.0 };
            let slope = derivative(delta, 0.1 * room, |d| law.eval(here(d), &out).energy);
            let full = law.eval(here(delta), &out);
            // (1/10)⁸ with a coefficient of 1/10, and 20 units of the energy over h/8
            let tolerance =
                1e-9 * full.total + 20.0 * f64::EPSILON * full.elastic * delta / (0.0125 * room);
            assert!(
                (slope - full.total).abs() <= tolerance,
                "{name} at {delta:e}: {slope:e}, {full:?}"
            );
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked} points");
}

#[test]
fn property_a_restitution_next_to_its_ends_stays_finite() {
    let (_, law) = plastic().remove(0);
    let DampingLaw::Plastic { power, memory, .. } = law.damping else { unreachable!() };
    for e in [1e-300, 1e-9, 1.0 - 1e-16, 1.0] {
        let damping = DampingLaw::Plastic { restitution: Restitution::Constant(e), power, memory };
        let law = NormalLaw { damping, ..law.clone() };
        let out = law.turned(law.begin(0.3, 0.8).unwrap(), DEEPEST);
        for delta in [0.0, 0.5 * DEEPEST, DEEPEST.next_down(), DEEPEST, DEEPEST.next_up()] {
            let full = law.eval(Approach { delta, delta_dot: -0.1 }, &out);
            let parts = [full.total, full.slope, full.energy];
            assert!(
                parts.iter().all(|x| x.is_finite() && *x >= 0.0),
                "e = {e}, δ = {delta}: {full:?}"
            );
        }
    }
}
