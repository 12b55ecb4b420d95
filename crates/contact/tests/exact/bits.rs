//! The scalar, the full and the batch evaluation give the same force, bit for bit.

use jointplay_contact::elastic::ElasticModel;

use crate::sample::{Case, elastic};

/// Indentations of every kind: out of contact, −0, subnormal, inside, around each break, beyond,
/// huge and not a number.
fn indentations(case: &Case) -> Vec<f64> {
    let mut deltas = vec![
        0.0,
        -0.0,
        -1e-6,
        -f64::MAX,
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        1e-200,
        1e-30,
        1e-12,
        3e-9,
        7.7e-7,
        1e-5,
        2.5e-4,
        1e-3,
        0.1,
        1e6,
        1e154,
        1e308,
        f64::MAX,
        f64::NAN,
    ];
    for &at in &case.breaks {
        deltas.extend([
            at.next_down(),
            at,
            at.next_up(),
            0.5 * at,
            0.999 * at,
            1.001 * at,
            2.0 * at,
            7.0 * at,
        ]);
    }
    deltas
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn exact_one_force_by_every_path() {
    for case in elastic() {
        let deltas = indentations(&case);
        let mut batch = vec![f64::NAN; deltas.len()];
        case.law.forces(&deltas, &mut batch);
        for (&delta, &in_batch) in deltas.iter().zip(&batch) {
            let (scalar, full) = (case.law.force(delta), case.law.eval(delta));
            let place = format!("{} at {delta:e}", case.name);
            assert!(same(scalar, full.force), "{place}: force {scalar:e}, eval {:e}", full.force);
            assert!(same(scalar, in_batch), "{place}: force {scalar:e}, batch {in_batch:e}");
            assert_eq!(scalar.is_nan(), delta.is_nan(), "{place}");
            // a NaN goes through as NaN in every part of the answer
            assert_eq!(
                full.slope.is_nan() && full.energy.is_nan(),
                delta.is_nan(),
                "{place}: {full:?}"
            );
            if delta <= 0.0 {
                assert_eq!(scalar.to_bits(), 0.0_f64.to_bits(), "{place}");
            }
        }
    }
}

#[test]
fn exact_batches_of_every_length_and_offset() {
    for case in elastic() {
        let deltas: Vec<f64> = indentations(&case).into_iter().cycle().take(131).collect();
        let alone: Vec<f64> = deltas.iter().map(|&d| case.law.force(d)).collect();
        // lengths around the widths of all vector units, starting at aligned and odd places
        for length in (0..=35).chain([63, 64, 65, 127]) {
            for start in 0..4 {
                let mut batch = vec![f64::NAN; length];
                case.law.forces(&deltas[start..start + length], &mut batch);
                for (i, &force) in batch.iter().enumerate() {
                    assert!(
                        same(force, alone[start + i]),
                        "{}: {length} from {start}, entry {i}",
                        case.name
                    );
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "one force for each indentation")]
fn exact_batch_refuses_slices_of_different_length() {
    elastic()[0].law.forces(&[1e-6, 2e-6], &mut [0.0]);
}
