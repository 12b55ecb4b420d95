//! First and second derivatives of the elementary functions, written once for all types that carry
//! derivatives.

use crate::real::{Binary, Real, Unary, half_power, integer_power};
use crate::surface::Partials;

/// `factor * slope`, and 0 where the factor is 0 even if the slope is infinite.
///
/// A factor of 0 is a seed or a coefficient that is exactly zero in a neighbourhood, so the product
/// is zero there: δ^1.5 at δ = 0 does not change in a direction in which δ is constant.
pub(crate) fn absorb(factor: f64, slope: f64) -> f64 {
    if factor == 0.0 { 0.0 } else { factor * slope }
}

/// xⁿ with its first and second derivative.
pub(crate) fn integer_slopes(x: f64, n: i32) -> (f64, f64, f64) {
    let c = f64::from(n);
    (
        integer_power(x, n),
        absorb(c, integer_power(x, n - 1)),
        absorb(c * (c - 1.0), integer_power(x, n - 2)),
    )
}

/// x^(n + ½) with its first and second derivative.
pub(crate) fn half_slopes(x: f64, n: i32) -> (f64, f64, f64) {
    let c = f64::from(n) + 0.5;
    (half_power(x, n), c * half_power(x, n - 1), c * (c - 1.0) * half_power(x, n - 2))
}

/// x^c with its first and second derivative.
pub(crate) fn power_slopes(x: f64, c: f64) -> (f64, f64, f64) {
    (
        libm::pow(x, c),
        absorb(c, libm::pow(x, c - 1.0)),
        absorb(c * (c - 1.0), libm::pow(x, c - 2.0)),
    )
}

/// A function with its first and second derivative.
pub(crate) fn slopes(function: Unary, x: f64) -> (f64, f64, f64) {
    let f = x.unary(function);
    let (f1, f2) = match function {
        Unary::Sin => (libm::cos(x), -f),
        Unary::Cos => (-libm::sin(x), -f),
        Unary::Tan => (1.0 + f * f, 2.0 * f * (1.0 + f * f)),
        Unary::Asin => arc_slopes(x),
        Unary::Acos => {
            let (f1, f2) = arc_slopes(x);
            (-f1, -f2)
        }
        Unary::Atan => {
            let f1 = 1.0 / (1.0 + x * x);
            (f1, -2.0 * (x * f1) * f1)
        }
        Unary::Sinh => (libm::cosh(x), f),
        Unary::Cosh => (libm::sinh(x), f),
        Unary::Tanh => {
            let sech = 1.0 / libm::cosh(x);
            (sech * sech, -2.0 * f * sech * sech)
        }
        Unary::Exp => (f, f),
        Unary::Ln => (1.0 / x, -1.0 / (x * x)),
        Unary::Log10 => {
            let k = std::f64::consts::LOG10_E;
            (k / x, -k / (x * x))
        }
        Unary::Sqrt => (0.5 / f, -0.25 / (f * x)),
        Unary::Cbrt => (1.0 / (3.0 * f * f), -2.0 / (9.0 * f * f * x)),
        Unary::Abs => (x.unary(Unary::Sign), 0.0),
        Unary::Sign | Unary::Step => (0.0, 0.0),
    };
    (f, f1, f2)
}

/// First and second derivative of asin: (1−x²)^(−1/2) and x (1−x²)^(−3/2).
fn arc_slopes(x: f64) -> (f64, f64) {
    let w = (1.0 - x) * (1.0 + x);
    let f1 = 1.0 / w.sqrt();
    (f1, x * f1 / w)
}

/// A smooth function of two arguments with its partial derivatives.
pub(crate) fn partials(function: Binary, x: f64, y: f64) -> Partials {
    let f = x.binary(y, function);
    match function {
        Binary::Atan2 => atan2_partials(x, y, f),
        Binary::Pow => power_partials(x, y, f),
    }
}

/// Partial derivatives of atan2(y, x) with y the first argument, scaled against overflow.
fn atan2_partials(y: f64, x: f64, value: f64) -> Partials {
    let r = libm::hypot(x, y);
    let (c, s) = (x / r, y / r);
    let bent = 2.0 * s * c / r / r;
    Partials { value, x: c / r, y: -s / r, xx: -bent, xy: (s * s - c * c) / r / r, yy: bent }
}

/// Partial derivatives of f = xʸ; at x = 0 the limits from the right, where they exist.
fn power_partials(x: f64, y: f64, f: f64) -> Partials {
    let log = libm::log(x);
    // xʸ falls faster than any power of ln x grows.
    let at_zero = x == 0.0 && y > 0.0;
    Partials {
        value: f,
        x: absorb(y, libm::pow(x, y - 1.0)),
        y: if at_zero { 0.0 } else { f * log },
        xx: absorb(y * (y - 1.0), libm::pow(x, y - 2.0)),
        xy: if x == 0.0 && y > 1.0 { 0.0 } else { libm::pow(x, y - 1.0) * (1.0 + y * log) },
        yy: if at_zero { 0.0 } else { f * log * log },
    }
}
