//! The lower Lambert branch as the logarithmic laws need it.
//!
//! With r = δ/δ_max ∈ (0, 1] and w = −W₋₁(−r/e) ≥ 1, the law δ = (f/A)(ln(B/f) + C) reads
//! w − ln w = 1 − ln r. The functions here are branch-free and use no fused operations, so the
//! compiler turns the same source into scalar and into vector code with the same bits.

/// Upper half of ln 2, with the low 32 bits of its significand zero.
const LN2_HIGH: f64 = 0.6931467056274414;
/// ln 2 − `LN2_HIGH`.
const LN2_LOW: f64 = 4.7493250390316726e-7;

/// Chebyshev fit of (2 atanh s − 2s)/s³ in z = s² on [0, (3 − 2√2)²], error 3e-16.
const ATANH_TAIL: [f64; 7] = [
    0.666666666666667,
    0.399999999998992,
    0.2857142862611452,
    0.22222211112104948,
    0.1818289077802613,
    0.15331666676597175,
    0.146171283998073,
];

/// Bits of a number just below √½: the significand is reduced to [√½, √2).
const HALF_ROOT: u64 = 0x3fe6_a09e_0000_0000;
const ONE: u64 = 0x3ff0_0000_0000_0000;
const SIGNIFICAND: u64 = 0x000f_ffff_ffff_ffff;
/// 2⁵², whose bits take an integer below 2⁵² in the significand.
const TWO_52: u64 = 0x4330_0000_0000_0000;

/// ln x of a positive normal number, within one unit in the last place.
#[inline(always)]
#[expect(clippy::inline_always, reason = "part of the vectorised kernel")]
fn ln(x: f64) -> f64 {
    let shifted = x.to_bits().wrapping_add(ONE - HALF_ROOT);
    // exponent as a float without an integer conversion, which AVX2 does not have
    let k = f64::from_bits((shifted >> 52) | TWO_52) - (4503599627370496.0 + 1023.0);
    let f = f64::from_bits((shifted & SIGNIFICAND).wrapping_add(HALF_ROOT)) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let [c0, c1, c2, c3, c4, c5, c6] = ATANH_TAIL;
    let z2 = z * z;
    let tail = z * ((c0 + z * c1) + z2 * ((c2 + z * c3) + z2 * ((c4 + z * c5) + z2 * c6)));
    // ln(1+f) = f − f²/2 + s(f²/2 + tail), the large terms last
    let half = 0.5 * f * f;
    k * LN2_HIGH - ((half - (s * (half + tail) + k * LN2_LOW)) - f)
}

/// Numerator of (w − 1)/t as a rational function of t = √(−ln r), lowest power first.
///
/// Weighted least squares with equalised error in 60 digits on 0 ≤ t ≤ 27.5 (r down to the
/// smallest number): relative error 9.9e-17. All coefficients are positive, so nothing cancels.
const P: [f64; 12] = [
    std::f64::consts::SQRT_2,
    3.907763325429251,
    4.823364059252975,
    3.510671933170934,
    1.656690875729571,
    0.5226631326760265,
    0.10931089402749226,
    0.014485540731619938,
    0.0011119135027999052,
    4.354668031215268e-5,
    7.269163593603772e-7,
    3.613537838677297e-9,
];
/// Denominator of (w − 1)/t.
const Q: [f64; 12] = [
    1.0,
    2.2918014258920776,
    2.2747123259532165,
    1.2932636110859974,
    0.45851633024132027,
    0.10295850084025025,
    0.014169941457806475,
    0.0011052140160989726,
    4.3502075032145825e-5,
    7.268972795395392e-7,
    3.61355806193419e-9,
    0.0,
];

/// A polynomial of degree 11 in pairs (Estrin), which shortens the chain of dependent products.
#[inline(always)]
#[expect(clippy::inline_always, reason = "part of the vectorised kernel")]
fn polynomial(c: &[f64; 12], t: f64, t2: f64, t4: f64) -> f64 {
    let low = (c[0] + t * c[1]) + t2 * (c[2] + t * c[3]);
    let middle = (c[4] + t * c[5]) + t2 * (c[6] + t * c[7]);
    let high = (c[8] + t * c[9]) + t2 * (c[10] + t * c[11]);
    low + t4 * (middle + t4 * high)
}

/// w − 1 = p/q for w = −W₋₁(−r/e), r ∈ (0, 1]: the root w ≥ 1 of w − ln w = 1 − ln r.
#[inline(always)]
#[expect(clippy::inline_always, reason = "part of the vectorised kernel")]
pub(super) fn excess(r: f64) -> (f64, f64) {
    let u = -ln(r);
    // rounding may put u a hair below 0 for r next to 1
    let u = if u > 0.0 { u } else { 0.0 };
    let t = u.sqrt();
    let (t2, t4) = (u, u * u);
    (t * polynomial(&P, t, t2, t4), polynomial(&Q, t, t2, t4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn w(r: f64) -> f64 {
        let (p, q) = excess(r);
        1.0 + p / q
    }

    #[test]
    fn peer_logarithm_matches_the_system_library_to_an_ulp() {
        let mut x: f64 = 1e-300;
        while x < 1e300 {
            let (own, libm) = (ln(x), x.ln());
            assert!(
                (own - libm).abs() <= f64::EPSILON * libm.abs(),
                "ln({x:e}) = {own:e}, libm {libm:e}"
            );
            x *= 1.000_37;
        }
        for i in 0..10_000 {
            let x = 0.9 + 0.2 * f64::from(i) / 10_000.0;
            assert!((ln(x) - x.ln()).abs() <= f64::EPSILON * x.ln().abs());
        }
    }

    #[test]
    fn peer_w_matches_the_lambert_w_crate() {
        let mut r: f64 = 1e-300;
        while r < 0.999 {
            let judge = -lambert_w::lambert_wm1(-r / std::f64::consts::E);
            // each side is within 3 units of the true value (40 digits at r = 1e-290)
            let bound = 6.0 * f64::EPSILON * (1.0 + 1.0 / (judge - 1.0));
            assert!((w(r) / judge - 1.0).abs() <= bound, "w({r:e}) = {}, judge {judge}", w(r));
            r *= 1.003;
        }
    }

    #[test]
    fn exact_w_at_the_branch_point_is_one() {
        assert!((w(1.0) - 1.0).abs() < 1e-15);
    }
}
