//! Every elastic law of the catalogue and of users: energy, slope, growth, continuity.

use proptest::prelude::*;

use jointplay_contact::catalog::{ElasticKind, Inputs, LawProblem};
use jointplay_contact::elastic::{ElasticModel, Table};
use jointplay_contact::{Material, Surfaces};

use super::difference::derivative;
use crate::sample::{Case, elastic, end_of_law, inputs_for};

/// Indentations from far below to far above any contact, and around every break.
fn indentations(case: &Case) -> Vec<f64> {
    let mut deltas: Vec<f64> =
        (-13 * 6..=-2 * 6).map(|i| 10_f64.powf(f64::from(i) / 6.0)).collect();
    for at in &case.breaks {
        deltas.extend([0.3, 0.9, 0.99, 0.998, 1.002, 1.01, 1.1, 1.7, 5.0].map(|x| x * at));
    }
    deltas
}

/// Compares a derivative by differences with the law's own; prints the worst.
fn compare(
    what: &str,
    value: impl Fn(&Case, f64) -> f64,
    slope: impl Fn(&Case, f64) -> (f64, f64),
) {
    let mut worst = (0.0, String::new());
    for case in elastic() {
        for delta in indentations(&case) {
            let room = case.room(delta);
            if room < 1e-3 * delta {
                continue;
            }
            let h = 0.1 * room;
            let differences = derivative(delta, h, |d| value(&case, d));
            let (own, scale) = slope(&case, delta);
            // Truncation: the laws are analytic over `room`, a tenth of it to the eighth power is
            // 1e-8 and its coefficient about 1/100. Rounding: 20 units of the value (the inverse
            // near its limit) over the smallest step, h/8.
            let tolerance = 1e-9 + 20.0 * f64::EPSILON * delta / (h / 8.0);
            let ratio = (differences - own).abs() / (tolerance * own.abs().max(scale));
            assert!(
                ratio <= 1.0,
                "{what} of {} at {delta:e}: {differences:e}, own {own:e} ({ratio:.2})",
                case.name
            );
            if ratio > worst.0 {
                worst = (ratio, format!("{} at {delta:e}", case.name));
            }
        }
    }
    println!("{what}: worst error/tolerance {:.2e} for {}", worst.0, worst.1);
}

#[test]
fn property_force_is_the_derivative_of_energy() {
    compare(
        "dU/dδ",
        |case, d| case.law.eval(d).energy,
        |case, d| {
            let answer = case.law.eval(d);
            (answer.force, answer.energy / d)
        },
    );
}

#[test]
fn property_slope_is_the_derivative_of_force() {
    compare(
        "dF/dδ",
        |case, d| case.law.force(d),
        |case, d| {
            let answer = case.law.eval(d);
            (answer.slope, answer.force / d)
        },
    );
}

#[test]
fn property_force_and_energy_grow() {
    for case in elastic() {
        let mut deltas = indentations(&case);
        deltas.extend((-300..=300).map(|i| 10_f64.powi(i)));
        deltas.extend(
            case.breaks
                .iter()
                .flat_map(|b| (-20..=20).map(move |i| b * (1.0 + 1e-9 * f64::from(i)))),
        );
        deltas.extend(case.breaks.iter().flat_map(|b| [b.next_down(), *b, b.next_up()]));
        deltas.sort_by(f64::total_cmp);
        let mut before = case.law.eval(0.0);
        for delta in deltas {
            let now = case.law.eval(delta);
            // neighbours differ by less than the rounding of one force, which near the limit of a
            // logarithmic law is a hundred units (its condition number there)
            let unit = 100.0 * f64::EPSILON;
            assert!(now.force >= before.force * (1.0 - unit), "{} falls at {delta:e}", case.name);
            assert!(
                now.energy >= before.energy * (1.0 - unit),
                "{} loses energy at {delta:e}",
                case.name
            );
            assert!(now.slope >= 0.0, "{} has slope {:e} at {delta:e}", case.name, now.slope);
            before = now;
        }
    }
}

#[test]
fn property_continuous_at_first_touch() {
    for case in elastic() {
        for delta in [0.0, -0.0, -1e-300, -1e-6] {
            assert_eq!(case.law.eval(delta).force, 0.0, "{}", case.name);
            assert_eq!(case.law.eval(delta).energy, 0.0, "{}", case.name);
        }
        // every law has F ≤ K δ with K below 1e18 N/m once δ is small
        for delta in [5e-324, 1e-300, 1e-100, 1e-30, 1e-20] {
            let force = case.law.force(delta);
            assert!(force >= 0.0 && force <= 1e18 * delta, "{}: {force:e} at {delta:e}", case.name);
        }
    }
}

#[test]
fn property_continuous_across_every_break() {
    for case in elastic() {
        for &at in &case.breaks {
            let step = 1e-9 * at;
            let (left, here, right) =
                (case.law.eval(at - step), case.law.eval(at), case.law.eval(at + step));
            // The steeper side bounds the rise; what is left is rounding, a hundred units near a
            // limit.
            let rise = 1.001 * step * left.slope.max(here.slope).max(right.slope)
                + 100.0 * f64::EPSILON * here.force;
            assert!((here.force - left.force).abs() <= rise, "{} jumps below {at:e}", case.name);
            assert!((right.force - here.force).abs() <= rise, "{} jumps above {at:e}", case.name);
            let work = 1.001 * step * right.force + 10.0 * f64::EPSILON * here.energy;
            assert!(
                (right.energy - left.energy).abs() <= 2.0 * work,
                "{} energy jumps at {at:e}",
                case.name
            );
        }
    }
}

#[test]
fn property_the_tangent_takes_over_without_a_step() {
    for case in elastic() {
        let Some(last) = end_of_law(&case.law) else { continue };
        let (inside, beyond) = (case.law.eval(last), case.law.eval(last.next_up()));
        assert!(!inside.continued && beyond.continued, "{}", case.name);
        // one step of δ, in force: the slope times an ulp; and a rounding of each
        let ulp = (last.next_up() - last) * beyond.slope + 2.0 * f64::EPSILON * inside.force;
        assert!((beyond.force - inside.force).abs() <= ulp, "{}: {inside:?} {beyond:?}", case.name);
        // The slope of the law itself has the condition number of the limit squared, 1e4.
        assert!(
            (beyond.slope / inside.slope - 1.0).abs() <= 1e4 * 10.0 * f64::EPSILON,
            "{}",
            case.name
        );
        assert!((beyond.energy / inside.energy - 1.0).abs() <= 1e3 * f64::EPSILON, "{}", case.name);
        // beyond, it is a straight line
        let far = case.law.eval(3.0 * last);
        let line = beyond.force + beyond.slope * (3.0 * last - last.next_up());
        assert!(
            (far.force / line - 1.0).abs() < 1e-14 && far.slope == beyond.slope && far.continued
        );
    }
}

#[test]
fn property_indentation_inverts_force_and_energy() {
    for case in elastic() {
        for delta in indentations(&case) {
            let answer = case.law.eval(delta);
            // a plateau has no inverse, and its ends have a poor one
            let elasticity = answer.slope * delta / answer.force;
            if elasticity.is_nan() || elasticity < 0.5 {
                continue;
            }
            let from_force = case.law.indentation(answer.force).expect("a finite force");
            let from_energy =
                case.law.indentation_of_energy(answer.energy).expect("a finite energy");
            // the value has a rounding of up to a hundred units near a limit; an elasticity above
            // ½ at most doubles it, and the root is met to a few units
            for (what, got) in [("force", from_force), ("energy", from_energy)] {
                let error = (got / delta - 1.0).abs();
                assert!(error < 2e-13, "{} from {what} at {delta:e}: {error:e}", case.name);
            }
        }
        assert_eq!(case.law.indentation(0.0), Some(0.0), "{}", case.name);
        assert_eq!(case.law.indentation(-1.0), Some(0.0), "{}", case.name);
        assert_eq!(case.law.indentation(f64::NAN), None, "{}", case.name);
        assert_eq!(case.law.indentation(f64::INFINITY), None, "{}", case.name);
        assert_eq!(case.law.indentation_of_energy(f64::NAN), None, "{}", case.name);
        // the smallest loads have an indentation too
        for force in [1e-300, 1e-310, 5e-324] {
            let delta = case.law.indentation(force).expect("a finite force");
            assert!((0.0..1e-100).contains(&delta), "{}: {delta:e} under {force:e}", case.name);
        }
    }
}

#[test]
fn property_finite_for_every_indentation() {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    let cases = elastic();
    let fixed = [
        f64::MAX,
        -f64::MAX,
        1e308,
        5e-324,
        -5e-324,
        -0.0,
        0.0,
        f64::MIN_POSITIVE,
        1e-308,
        1e-154,
        1e154,
    ];
    let check = |delta: f64| {
        for case in &cases {
            let answer = case.law.eval(delta);
            let parts = [case.law.force(delta), answer.force, answer.slope, answer.energy];
            assert!(
                parts.iter().all(|x| x.is_finite() && *x >= 0.0),
                "{} at {delta:e}: {answer:?}",
                case.name
            );
        }
    };
    fixed.into_iter().for_each(check);
    proptest!(ProptestConfig::with_cases(2000), |(delta in NORMAL | SUBNORMAL | ZERO | POSITIVE | NEGATIVE)| {
        check(delta);
    });
}

fn material() -> impl Strategy<Value = Material> {
    (6.0..12.5_f64, 0.05..0.5_f64).prop_map(|(log, poisson)| Material {
        young: 10_f64.powf(log),
        poisson,
        density: None,
    })
}

/// From a close bearing to two wheels side by side, over five decades of size.
fn surfaces() -> impl Strategy<Value = Surfaces> {
    (-4.0..1.0_f64, -5.0..0.3_f64, any::<bool>()).prop_map(|(size, gap, internal)| {
        let (journal, gap) = (10_f64.powf(size), 10_f64.powf(size + gap));
        if internal {
            Surfaces::internal(journal + gap, journal).expect("fits")
        } else {
            Surfaces::from_radii(journal, gap).expect("two radii")
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn property_any_bodies_make_laws_that_agree_with_themselves(
        materials in [material(), material()],
        surfaces in surfaces(),
        length in -4.0..1.0_f64,
        power in -12.0..0.5_f64,
    ) {
        for &kind in ElasticKind::ALL {
            let length = Some(10_f64.powf(length));
            let inputs = Inputs { materials: Some(materials), length, ..inputs_for(kind.sheet(), surfaces) };
            let law = match kind.build(&inputs) {
                // outside their domain the exponents of Pereira's laws grow with the clearance
                Ok(built) if kind.id().starts_with("pereira") && !built.warnings.is_empty() => continue,
                Ok(built) => built.law,
                Err(e) => {
                    prop_assert!(matches!(e.0[..], [LawProblem::Surfaces { .. }]), "{}: {e}", kind.id());
                    continue;
                }
            };
            // up to three times the end of the law, or three journal radii
            let reach = law.limits().delta.unwrap_or_else(|| surfaces.relative_radius());
            let delta = reach * 10_f64.powf(power);
            let answer = law.eval(delta);
            // a growing force stores less than force times indentation, and at least a twentieth of it
            // (Persson's next to its pole)
            let share = answer.energy / (answer.force * delta);
            prop_assert!((0.01..1.0).contains(&share), "{} at {delta:e}: {answer:?}", kind.id());
            // the condition number of the inverses is at most 1; a hundred units near a limit
            let back = law.indentation(answer.force).expect("finite");
            prop_assert!((back / delta - 1.0).abs() < 1e-13, "{} at {delta:e}: {back:e}", kind.id());
            let back = law.indentation_of_energy(answer.energy).expect("finite");
            prop_assert!((back / delta - 1.0).abs() < 1e-13, "{} at {delta:e}: {back:e}", kind.id());
        }
    }

    #[test]
    fn property_any_table_stays_between_its_points(
        steps in proptest::collection::vec((-8.0..-3.0_f64, prop_oneof![Just(0.0), -3.0..5.0_f64]), 2..20),
    ) {
        let (mut points, mut last) = (Vec::new(), (0.0, 0.0));
        for (width, rise) in steps {
            let rise = if rise == 0.0 { 0.0 } else { 10_f64.powf(rise) };
            last = (last.0 + 10_f64.powf(width), last.1 + rise);
            points.push(last);
        }
        prop_assume!(last.1 > 0.0);
        let table = Table::new(&points).expect("growing points");
        let mut left = (0.0, 0.0);
        for &right in &points {
            let mut before = left.1;
            for i in 1..=50 {
                let delta = left.0 + (right.0 - left.0) * f64::from(i) / 50.0;
                let force = table.eval(delta.min(right.0)).force;
                // the piece is monotone; its four terms round to a few units of the larger force
                let unit = 8.0 * f64::EPSILON * right.1;
                prop_assert!(force >= before - unit && force <= right.1 + unit, "{force} after {before} up to {right:?}");
                before = force;
            }
            left = right;
        }
        let end = table.eval(2.0 * last.0);
        prop_assert!(end.continued && end.slope >= 0.0 && end.force >= last.1, "{end:?}");
    }
}
