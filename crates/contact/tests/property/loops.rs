//! Energy lost over closed loops of the indentation that start and end outside contact.

use std::f64::consts::{FRAC_PI_2, PI};

use proptest::prelude::*;

use jointplay_contact::damping::{Approach, DampingLaw};
use jointplay_contact::{NormalLaw, Tension};

use crate::sample::damped;

/// One stretch of a prescribed motion between two extrema of δ, or between 0 and an extremum.
#[derive(Clone, Copy, Debug)]
enum Stretch {
    /// From 0 up to `peak` as a quarter sine that starts with `speed`.
    In { peak: f64, speed: f64 },
    /// From one extremum to the next as half a cosine with the largest rate `speed`.
    Between { from: f64, to: f64, speed: f64 },
    /// From `peak` down to 0 as a quarter cosine that ends with `speed`.
    Out { peak: f64, speed: f64 },
}

impl Stretch {
    /// δ and δ̇ at the phase x ∈ [0, 1], and the duration.
    fn at(self, x: f64) -> (Approach, f64) {
        let (delta, delta_dot, duration) = match self {
            Self::In { peak, speed } => (
                (FRAC_PI_2 * x).sin() * peak,
                (FRAC_PI_2 * x).cos() * speed,
                FRAC_PI_2 * peak / speed,
            ),
            Self::Out { peak, speed } => (
                (FRAC_PI_2 * x).cos() * peak,
                -(FRAC_PI_2 * x).sin() * speed,
                FRAC_PI_2 * peak / speed,
            ),
            Self::Between { from, to, speed } => {
                let half = 0.5 * (to - from);
                let duration = PI * half.abs() / speed;
                (
                    from + half * (1.0 - (PI * x).cos()),
                    speed.copysign(half) * (PI * x).sin(),
                    duration,
                )
            }
        };
        (Approach { delta, delta_dot }, duration)
    }
}

/// Nodes and weights of the Gauss–Legendre rule with three points on [0, 1].
const GAUSS: [(f64, f64); 3] =
    [(0.1127016653792583, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.8872983346207417, 5.0 / 18.0)];

/// Panels per stretch. The error of a smooth force is the sixth power of 1/200; that of a kink
/// the square, over which the tolerances of the tests stand.
const PANELS: i32 = 200;

/// ∮ F dδ over the stretches, and ∮ |F dδ|; the contact is told of each extremum.
fn work(law: &NormalLaw, stretches: &[Stretch]) -> (f64, f64) {
    let Stretch::In { speed, .. } = stretches[0] else { panic!("a loop starts outside contact") };
    let mut touch = law.begin(speed, 0.8).expect("sample parameters start");
    let (mut lost, mut turned_over) = (0.0, 0.0);
    for (i, stretch) in stretches.iter().enumerate() {
        if i > 0 {
            touch = law.turned(touch, stretch.at(0.0).0.delta);
        }
        for panel in 0..PANELS {
            for (x, weight) in GAUSS {
                let (here, duration) = stretch.at((f64::from(panel) + x) / f64::from(PANELS));
                let power = law.force(here, &touch) * here.delta_dot;
                lost += power * weight * duration / f64::from(PANELS);
                turned_over += power.abs() * weight * duration / f64::from(PANELS);
            }
        }
    }
    (lost, turned_over)
}

/// Loops of one indentation and entry speed: single pushes with slow, equal and fast exit, and pushes
/// with reversals inside the contact, to deeper and to shallower maxima.
fn loops(peak: f64, speed: f64) -> Vec<Vec<Stretch>> {
    let enter = Stretch::In { peak, speed };
    let mut loops: Vec<_> =
        [0.1, 1.0, 4.0].map(|x| vec![enter, Stretch::Out { peak, speed: x * speed }]).into();
    for (low, high) in [(0.5, 0.8), (0.97, 1.4), (0.2, 1.0)] {
        loops.push(vec![
            enter,
            Stretch::Between { from: peak, to: low * peak, speed: 0.7 * speed },
            Stretch::Between { from: low * peak, to: high * peak, speed: 0.4 * speed },
            Stretch::Between { from: high * peak, to: 0.9 * low * peak, speed: 1.5 * speed },
            Stretch::Between { from: 0.9 * low * peak, to: 0.95 * high * peak, speed },
            Stretch::Out { peak: 0.95 * high * peak, speed: 0.5 * speed },
        ]);
    }
    loops
}

/// Every loop of indentation × speed, with its law and its tension rule.
fn each_loop(mut judge: impl FnMut(&str, &NormalLaw, &[Stretch], f64, f64)) {
    for (name, law) in damped() {
        for tension in [Tension::Clip, Tension::Keep] {
            let law = NormalLaw { tension, ..law.clone() };
            for peak in [3e-7, 1.2e-5, 1e-4] {
                for speed in [0.01, 0.3, 1.7] {
                    for stretches in loops(peak, speed) {
                        let (lost, turned_over) = work(&law, &stretches);
                        judge(&format!("{name} {tension:?}"), &law, &stretches, lost, turned_over);
                    }
                }
            }
        }
    }
}

/// Whether the force is a function of δ alone.
fn is_elastic(law: &NormalLaw) -> bool {
    match &law.damping {
        DampingLaw::None => true,
        DampingLaw::Expression(formula) => !formula.source().contains("delta_dot"),
        _ => false,
    }
}

#[test]
fn property_closed_loops_lose_energy() {
    let mut least = (f64::INFINITY, String::new());
    each_loop(|name, law, stretches, lost, turned_over| {
        let share = lost / turned_over;
        if is_elastic(law) {
            // a smooth force; the kinked formula leaves the square of a panel
            let tolerance = if matches!(law.damping, DampingLaw::None) { 1e-9 } else { 1e-5 };
            assert!(share.abs() < tolerance, "{name} loses {share:e} over {stretches:?}");
            return;
        }
        // What is lost is never less than nothing, and every law of this kind loses something.
        assert!(share > 0.0, "{name} gains {share:e} over {stretches:?}");
        if share < least.0 {
            least = (share, name.to_owned());
        }
    });
    println!("least share lost: {:.2e} by {}", least.0, least.1);
}

#[test]
fn property_a_clipped_force_never_pulls_in_a_loop() {
    for (name, law) in damped() {
        for stretches in loops(1.2e-5, 0.3) {
            let mut touch = law.begin(0.3, 0.8).expect("sample parameters start");
            for (i, stretch) in stretches.iter().enumerate() {
                if i > 0 {
                    touch = law.turned(touch, stretch.at(0.0).0.delta);
                }
                for step in 0..=100 {
                    let force = law.force(stretch.at(f64::from(step) / 100.0).0, &touch);
                    assert!(force >= 0.0, "{name} pulls with {force} N in {stretch:?}");
                }
            }
        }
    }
}

#[test]
fn property_keeping_tension_loses_more_on_the_way_out() {
    // a damper that may pull takes more energy than one that lets go
    for (name, clip) in
        damped().into_iter().filter(|(_, law)| law.damping.can_pull() && !is_elastic(law))
    {
        let keep = NormalLaw { tension: Tension::Keep, ..clip.clone() };
        for speed in [0.3, 1.7] {
            let stretches = [
                Stretch::In { peak: 1e-5, speed },
                Stretch::Out { peak: 1e-5, speed: 3.0 * speed },
            ];
            let (clipped, kept) = (work(&clip, &stretches).0, work(&keep, &stretches).0);
            assert!(kept >= clipped * (1.0 - 1e-12), "{name}: {kept} J kept, {clipped} J clipped");
        }
    }
}

/// Turning points as shares of the first peak, alternately below and above the one before.
fn wandering() -> impl Strategy<Value = Vec<Stretch>> {
    let turns = proptest::collection::vec((0.02..0.98_f64, 1.05..2.5_f64, 0.1..3.0_f64), 0..5);
    (-7.0..-3.5_f64, -3.0..0.5_f64, turns, 0.05..5.0_f64).prop_map(|(delta, speed, turns, exit)| {
        let (first, speed) = (10_f64.powf(delta), 10_f64.powf(speed));
        let mut stretches = vec![Stretch::In { peak: first, speed }];
        let mut peak = first;
        for (fall, rise, rate) in turns {
            let low = fall * peak;
            stretches.push(Stretch::Between { from: peak, to: low, speed: rate * speed });
            peak = low * rise;
            stretches.push(Stretch::Between { from: low, to: peak, speed: speed / rate });
        }
        stretches.push(Stretch::Out { peak, speed: exit * speed });
        stretches
    })
}

#[test]
fn property_wandering_loops_lose_energy() {
    let laws = damped();
    proptest!(ProptestConfig::with_cases(40), |(stretches in wandering(), keep in any::<bool>())| {
        for (name, law) in &laws {
            let tension = if keep { Tension::Keep } else { Tension::Clip };
            let (lost, turned_over) = work(&NormalLaw { tension, ..law.clone() }, &stretches);
            // a smooth elastic force is integrated to 1e-9, a kinked one to the square of a panel
            let tolerance = if is_elastic(law) { 1e-4 } else { 1e-9 };
            prop_assert!(lost >= -tolerance * turned_over, "{name} {tension:?}: {lost:e} of {turned_over:e} J");
        }
    });
}
