//! Sine and cosine together, with the same bits on every machine.
//!
//! The functions of the platform differ from system to system in their last bits, and a motion with
//! impacts magnifies such differences. These are sums and products of `f64`, which IEEE 754 fixes,
//! without fused operations. Errors are below 1 unit of the last place.
//!
//! # Source
//!
//! Reduction by π/2 in pieces after Cody, Waite, *Software Manual for the Elementary Functions*, Prentice-Hall 1980, chapter 8;
//! pieces and minimax polynomials on [−π/4, π/4] of fdlibm 5.3 (Sun Microsystems 1993: `e_rem_pio2.c`, `k_sin.c`, `k_cos.c`).

use std::f64::consts::{FRAC_2_PI, FRAC_PI_4};

/// Beyond this magnitude the products of the reduction are not exact, and the functions of the
/// platform are used.
const FAR: f64 = 1048576.0; // 2²⁰

/// Closer to a multiple of π/2 than this, more than its first piece is needed.
const CLOSE: f64 = 1e-3;

/// Adding this rounds to an integer, whose last bits are those of the sum.
const TO_INTEGER: f64 = 6755399441055744.0; // 1.5 · 2⁵²

/// π/2 in pieces of 33 bits, so that products with integers below 2²⁰ are exact, and the rest after
/// the first and after all three.
const PIECES: [f64; 3] =
    [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_711_166_5e-21];
const AFTER_ONE: f64 = 6.077_100_506_506_192e-11;
const AFTER_THREE: f64 = 8.478_427_660_368_9e-32;

/// sin r = r + r³ (S₁ + S₂ r² + …).
const S: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

/// cos r = 1 − r²/2 + r⁴ (C₁ + C₂ r² + …).
const C: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sine and cosine of an angle (rad).
#[expect(
    clippy::inline_always,
    reason = "inlining saves a third of the time: the call costs half as much as the work"
)]
#[inline(always)]
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    // A negated comparison, so that NaN goes there too.
    if !(angle.abs() < FAR) {
        return libm::sincos(angle);
    }
    // Most links only swing, so their angles need no reduction.
    let (r, rest, quadrant) =
        if angle.abs() <= FRAC_PI_4 { (angle, 0.0, 0) } else { reduced(angle) };
    let (sin, cos) = first_octant(r, rest);
    let (sin, cos) = if quadrant & 1 == 0 { (sin, cos) } else { (cos, sin) };
    let signed = |x: f64, quadrant: u64| f64::from_bits(x.to_bits() ^ ((quadrant & 2) << 62));
    (signed(sin, quadrant), signed(cos, quadrant.wrapping_add(1)))
}

/// The angle as r + rest beyond a number of quarter turns, of which the last two bits count.
#[expect(
    clippy::inline_always,
    reason = "inlining avoids returning the results through memory, which would double the cost"
)]
#[inline(always)]
fn reduced(angle: f64) -> (f64, f64, u64) {
    let turns = angle * FRAC_2_PI + TO_INTEGER;
    let n = turns - TO_INTEGER;
    // This difference is exact, and r + rest is that below it.
    let first = angle - n * PIECES[0];
    let second = n * AFTER_ONE;
    let r = first - second;
    if r.abs() < CLOSE {
        let (r, rest) = closer(first, n);
        return (r, rest, turns.to_bits());
    }
    (r, (first - r) - second, turns.to_bits())
}

/// The same from all pieces of π/2, where the first of them leaves little.
#[cold]
fn closer(first: f64, n: f64) -> (f64, f64) {
    let [_, second, third] = PIECES.map(|piece| n * piece);
    let before = first - second;
    let lost_before = (first - before) - second;
    let sum = before - third;
    let lost = ((before - sum) - third) + (lost_before - n * AFTER_THREE);
    let r = sum + lost;
    (r, (sum - r) + lost)
}

/// Sine and cosine of r + rest, |r| ≤ π/4 and |rest| about half a unit of its last place.
#[expect(
    clippy::inline_always,
    reason = "inlining avoids returning the results through memory, which would double the cost"
)]
#[inline(always)]
fn first_octant(r: f64, rest: f64) -> (f64, f64) {
    let z = r * r;
    let (z2, half) = (z * z, 0.5 * z);
    // Both polynomials are evaluated in parallel, and pairs of their terms too, to shorten the
    // chain of dependent products.
    let [s, c] = [S, C]
        .map(|p| (p[0] + z * p[1]) + (z2 * (p[2] + z * p[3]) + (z2 * z2) * (p[4] + z * p[5])));
    // Subtracted, so that −0 stays −0.
    let sin = r - ((half * rest - rest) - z * r * s);
    let top = 1.0 - half;
    let cos = top + (((1.0 - top) - half) + (z2 * c - r * rest));
    (sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    /// The distance of neighbours of the greater magnitude at `x`.
    fn unit(x: f64) -> f64 {
        x.abs().next_up() - x.abs()
    }

    #[test]
    fn exact_against_40_digits() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/sine-cosine/data.csv");
        let text = std::fs::read_to_string(path).expect("golden data are committed");
        let mut count = 0;
        for line in text.lines().skip(1) {
            let row: Vec<f64> = line.split(',').map(|n| n.parse().expect("a number")).collect();
            let [angle, sin, sin_rest, cos, cos_rest] = row[..] else { panic!("five columns") };
            let found = sin_cos(angle);
            for (found, near, rest) in [(found.0, sin, sin_rest), (found.1, cos, cos_rest)] {
                // The error of fdlibm is below 1 unit; what the nearest number lacks is in `rest`.
                let error = ((found - near) - rest).abs() / unit(near);
                assert!(error < 0.9, "{angle:e}: {found:e} is off by {error} units");
            }
            count += 1;
        }
        assert!(count > 500);
    }

    #[test]
    fn exact_where_there_is_nothing_to_round() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(-0.0).0.is_sign_negative() && sin_cos(0.0).0.is_sign_positive());
        assert_eq!(sin_cos(f64::MIN_POSITIVE), (f64::MIN_POSITIVE, 1.0));
        assert_eq!(sin_cos(5e-324), (5e-324, 1.0));
        for angle in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let (sin, cos) = sin_cos(angle);
            assert!(sin.is_nan() && cos.is_nan());
        }
    }

    /// Angles of any size, and angles next to the borders of octants.
    fn angles() -> impl Strategy<Value = f64> {
        let border = (-4_000_000..4_000_000_i32, -3..=3_i64).prop_map(|(octant, step)| {
            let angle = f64::from(octant) * FRAC_PI_4;
            f64::from_bits(angle.to_bits().wrapping_add_signed(step))
        });
        let size = (-40.0..7.0_f64, prop::bool::ANY).prop_map(|(power, negative)| {
            let size = 10.0_f64.powf(power);
            if negative { -size } else { size }
        });
        prop_oneof![-7.0..7.0_f64, border, size]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20000))]

        #[test]
        fn peer_the_platform_agrees_within_one_unit(angle in angles()) {
            let (sin, cos) = sin_cos(angle);
            prop_assert!((sin - angle.sin()).abs() <= unit(sin) || angle == 0.0);
            prop_assert!((cos - angle.cos()).abs() <= unit(cos));
        }

        #[test]
        fn property_sine_is_odd_and_cosine_even(angle in angles()) {
            let [(sin, cos), (back, same)] = [sin_cos(angle), sin_cos(-angle)];
            prop_assert_eq!((sin.to_bits(), cos.to_bits()), ((-back).to_bits(), same.to_bits()));
        }

        #[test]
        fn property_both_lie_on_the_circle(angle in angles()) {
            let (sin, cos) = sin_cos(angle);
            prop_assert!((sin * sin + cos * cos - 1.0).abs() <= 4.0 * f64::EPSILON);
            prop_assert!(sin.abs() <= 1.0 && cos.abs() <= 1.0);
        }

        #[test]
        fn property_half_a_turn_changes_both_signs(angle in -3.0..3.0_f64) {
            let [(sin, cos), (opposite, behind)] = [angle, angle + PI].map(sin_cos);
            // π and the sum are rounded, and both slopes are at most 1.
            prop_assert!((sin + opposite).abs() < 2e-15 && (cos + behind).abs() < 2e-15);
        }
    }
}
