//! Dissipation laws: one force by both paths, derivatives, the tension rule.

use jointplay_contact::damping::{Approach, DampingLaw, Stage, Touch};
use jointplay_contact::{NormalLaw, Tension};

use super::difference::derivative;
use crate::sample::damped;

/// Indentation of the finished compression of the touches below, m.
const DEEPEST: f64 = 2e-5;

fn at(delta: f64, delta_dot: f64) -> Approach {
    Approach { delta, delta_dot }
}

/// A contact on its way in, one on its way out and one that was pressed in again.
fn touches(law: &NormalLaw) -> [Touch; 3] {
    let first = law.begin(0.3, 0.8).expect("sample parameters start");
    let out = law.turned(first, DEEPEST);
    [first, out, law.turned(out, 0.95 * DEEPEST)]
}

const RATES: [f64; 8] = [-1.1, -0.3, -0.02, -1e-4, 1e-4, 0.02, 0.3, 1.1];
const DELTAS: [f64; 9] = [0.0, 1e-9, 3e-7, 5e-6, 1.3e-5, 1.9e-5, 2.1e-5, 4e-5, 9e-4];

#[test]
fn property_both_paths_give_one_force() {
    for (name, clip) in damped() {
        let keep = NormalLaw { tension: Tension::Keep, ..clip.clone() };
        for touch in touches(&clip) {
            for delta in DELTAS.into_iter().chain([-1e-7, -0.0, 1e-310, 1e3]) {
                for rate in RATES.into_iter().chain([0.0, -0.0, 50.0]) {
                    let here = at(delta, rate);
                    let place = format!("{name} at {here:?}, {:?}", touch.stage);
                    let (full, raw) = (clip.eval(here, &touch), clip.unclipped(here, &touch));
                    assert!(raw.is_finite(), "{place}: {raw}");
                    assert_eq!(clip.force(here, &touch).to_bits(), full.total.to_bits(), "{place}");
                    assert_eq!((full.elastic + full.damping).to_bits(), raw.to_bits(), "{place}");
                    assert_eq!(keep.force(here, &touch).to_bits(), raw.to_bits(), "{place}");
                    assert_eq!(keep.eval(here, &touch).total.to_bits(), raw.to_bits(), "{place}");
                    // the rule: a pushing contact never pulls, and says when it was held back
                    assert_eq!(full.clipped, raw < 0.0, "{place}");
                    assert_eq!(full.total, raw.max(0.0), "{place}");
                    assert!(!keep.eval(here, &touch).clipped, "{place}");
                    if full.clipped {
                        assert_eq!((full.slope, full.rate), (0.0, 0.0), "{place}");
                    }
                    assert!(full.energy >= 0.0 && full.energy.is_finite(), "{place}: {full:?}");
                }
            }
        }
    }
}

#[test]
fn property_a_law_that_cannot_pull_does_not_in_a_free_impact() {
    // in a free impact the bodies part no faster than they met, and F_el(1 − a e) stays positive
    for (name, law) in damped().into_iter().filter(|(_, law)| !law.damping.can_pull()) {
        let touch = touches(&law)[1];
        let Some(a) = law.damping.factor(&touch) else { continue };
        let e = jointplay_contact::restitution_of_factor(a);
        for delta in DELTAS {
            assert!(law.unclipped(at(delta, -e * touch.impact_speed), &touch) >= 0.0, "{name}");
        }
    }
}

/// Indentations where the force of a touch has a kink.
fn kinks(law: &NormalLaw, touch: &Touch) -> Vec<f64> {
    let mut kinks = vec![0.0, 1e-3]; // first touch; end of the formulas' range
    match &law.damping {
        DampingLaw::Plastic { .. } => kinks.extend([touch.max_delta, law.end_of_contact(touch)]),
        DampingLaw::LeeWangTransition { epsilon, .. } => kinks.push(*epsilon),
        DampingLaw::Expression(_) => kinks.push(1e-5),
        _ => {}
    }
    kinks
}

#[test]
fn property_derivatives_of_the_normal_force() {
    let (mut checked, mut worst) = (0, (0.0, String::new()));
    for (name, clip) in damped() {
        for tension in [Tension::Clip, Tension::Keep] {
            let law = NormalLaw { tension, ..clip.clone() };
            for touch in touches(&law) {
                for delta in DELTAS.into_iter().skip(1) {
                    let room = kinks(&law, &touch)
                        .iter()
                        .map(|k| (delta - k).abs())
                        .fold(f64::INFINITY, f64::min);
                    for rate in RATES {
                        let (h, k) = (0.05 * room, 0.05 * rate.abs());
                        let full = law.eval(at(delta, rate), &touch);
                        // the tension rule is a kink too: all points of a difference on one side
                        let corners = [(h, 0.0), (-h, 0.0), (0.0, k), (0.0, -k)];
                        let one_side = corners.iter().all(|(x, y)| {
                            law.eval(at(delta + x, rate + y), &touch).clipped == full.clipped
                        });
                        if !one_side {
                            continue;
                        }
                        let by_delta = derivative(delta, h, |d| law.force(at(d, rate), &touch));
                        let by_rate = derivative(rate, k, |v| law.force(at(delta, v), &touch));
                        // Truncation: (1/20)⁸ is below 1e-10. Rounding: the parts cancel, so 4
                        // units of the largest part over the smallest step.
                        let parts = full.elastic.abs() + full.damping.abs();
                        let tolerance = |x: f64, step: f64| {
                            1e-9 * parts / x + 4.0 * f64::EPSILON * parts / (step / 8.0)
                        };
                        let ratio = |error: f64, tolerance: f64| {
                            if error == 0.0 { 0.0 } else { error / tolerance }
                        };
                        let errors = [
                            (ratio((by_delta - full.slope).abs(), tolerance(delta, h)), "∂F/∂δ"),
                            (ratio((by_rate - full.rate).abs(), tolerance(rate.abs(), k)), "∂F/∂δ̇"),
                        ];
                        for (ratio, what) in errors {
                            let place = format!(
                                "{what} of {name}, {tension:?} at δ = {delta}, δ̇ = {rate}, {touch:?}"
                            );
                            assert!(ratio <= 1.0, "{place}: {by_delta:e} {by_rate:e}, {full:?}");
                            if ratio > worst.0 {
                                worst = (ratio, place);
                            }
                        }
                        checked += 1;
                    }
                }
            }
        }
    }
    println!("{checked} points, worst error/tolerance {:.2e}: {}", worst.0, worst.1);
    assert!(
        checked > 10_000,
        "most points must lie on one side of the tension rule, not {checked}"
    );
}

#[test]
fn property_dampers_oppose_the_motion() {
    for (name, law) in damped() {
        // two-slope springs and permanent indentation lose energy by memory, not by a rate
        if matches!(law.damping, DampingLaw::Plastic { .. } | DampingLaw::TwoSlope { .. }) {
            continue;
        }
        for touch in touches(&law) {
            for delta in DELTAS {
                for rate in RATES {
                    let damping = law.eval(at(delta, rate), &touch).damping;
                    assert!(damping * rate >= 0.0, "{name} at δ = {delta}, δ̇ = {rate}: {damping}");
                }
                assert_eq!(law.eval(at(delta, 0.0), &touch).damping, 0.0, "{name}");
            }
        }
    }
}

#[test]
fn exact_two_slope_spring() {
    let (_, law) = damped()
        .into_iter()
        .find(|(name, _)| name == "plane-plane+kelvin-voigt-restitution 0.4 []")
        .unwrap();
    let [first, out, again] = touches(&law);
    assert_eq!(
        [first.stage, out.stage, again.stage],
        [Stage::Compression, Stage::Restitution, Stage::Compression]
    );
    for delta in DELTAS {
        let forces = [first, out, again].map(|touch| law.force(at(delta, 0.01), &touch));
        assert_eq!(forces[0], forces[2], "pressing in goes along the spring");
        // 1 − 0.6 rounds once, the product twice
        assert!((forces[1] - 0.4 * forces[0]).abs() <= 4.0 * f64::EPSILON * forces[0]);
    }
    // the smoothed one goes from one line to the other over its speed
    let blended = DampingLaw::TwoSlope {
        restitution: jointplay_contact::Restitution::Constant(0.4),
        smoothing_speed: 1e-3,
    };
    let smooth = NormalLaw { damping: blended, ..law.clone() };
    let touch = smooth.begin(0.3, 0.8).unwrap();
    let share = |rate| smooth.force(at(1e-5, rate), &touch) / law.force(at(1e-5, 0.0), &first);
    // tanh(20) is 1 to the last bit
    assert!((share(0.02) - 1.0).abs() < 1e-15 && (share(-0.02) - 0.4).abs() < 1e-15);
    assert!((share(0.0) - 0.7).abs() < 1e-15);
}
