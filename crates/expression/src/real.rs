//! The arithmetic of expressions, written once for plain numbers, for jets and for bounds of them.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::axis::Side;
use crate::curve::Curve;
use crate::surface::Surface;

/// Functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Cbrt,
    Abs,
    Sign,
    Step,
}

jointplay_fingerprint::fingerprint!(
    enum Unary {
        Sin,
        Cos,
        Tan,
        Asin,
        Acos,
        Atan,
        Sinh,
        Cosh,
        Tanh,
        Exp,
        Ln,
        Log10,
        Sqrt,
        Cbrt,
        Abs,
        Sign,
        Step,
    }
);

/// Smooth functions of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Atan2,
    Pow,
}

jointplay_fingerprint::fingerprint!(
    enum Binary {
        Atan2,
        Pow,
    }
);

/// The comparisons that may stand in the condition of `if`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

jointplay_fingerprint::fingerprint!(
    enum Comparison {
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
    }
);

/// A number or a number with derivatives.
///
/// The value of every operation is computed by the `f64` implementation, so an expression has
/// the same value, bit for bit, with and without derivatives. NaN is passed on, never replaced.
pub(crate) trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn constant(value: f64) -> Self;
    fn value(self) -> f64;
    /// x + offset.
    fn shifted(self, offset: f64) -> Self;
    /// x · factor.
    fn scaled(self, factor: f64) -> Self;
    fn unary(self, function: Unary) -> Self;
    fn binary(self, other: Self, function: Binary) -> Self;
    /// xⁿ.
    fn power_integer(self, n: i32) -> Self;
    /// x^(n + ½).
    fn power_half(self, n: i32) -> Self;
    /// x^exponent for a constant exponent.
    fn power_constant(self, exponent: f64) -> Self;
    /// The value of a table of one input.
    fn curve(self, curve: &Curve) -> Self;
    /// The value of a table of two inputs.
    fn surface(self, other: Self, surface: &Surface) -> Self;

    /// The smaller one; `self` on a tie.
    fn smaller(self, other: Self) -> Self {
        if self.value() <= other.value() || self.value().is_nan() { self } else { other }
    }

    /// The larger one; `self` on a tie.
    fn larger(self, other: Self) -> Self {
        if self.value() >= other.value() || self.value().is_nan() { self } else { other }
    }

    /// `yes` if the comparison of `left` with `right` holds, else `no`; NaN if either is NaN.
    fn select(comparison: Comparison, left: Self, right: Self, yes: Self, no: Self) -> Self {
        let (l, r) = (left.value(), right.value());
        let holds = match comparison {
            Comparison::Less => l < r,
            Comparison::LessEqual => l <= r,
            Comparison::Greater => l > r,
            Comparison::GreaterEqual => l >= r,
        };
        if l.is_nan() || r.is_nan() {
            Self::constant(f64::NAN)
        } else if holds {
            yes
        } else {
            no
        }
    }
}

impl Real for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn shifted(self, offset: f64) -> Self {
        self + offset
    }

    fn scaled(self, factor: f64) -> Self {
        self * factor
    }

    fn unary(self, function: Unary) -> Self {
        match function {
            Unary::Sin => libm::sin(self),
            Unary::Cos => libm::cos(self),
            Unary::Tan => libm::tan(self),
            Unary::Asin => libm::asin(self),
            Unary::Acos => libm::acos(self),
            Unary::Atan => libm::atan(self),
            Unary::Sinh => libm::sinh(self),
            Unary::Cosh => libm::cosh(self),
            Unary::Tanh => libm::tanh(self),
            Unary::Exp => libm::exp(self),
            Unary::Ln => libm::log(self),
            Unary::Log10 => libm::log10(self),
            Unary::Sqrt => self.sqrt(),
            Unary::Cbrt => libm::cbrt(self),
            Unary::Abs => self.abs(),
            // Unlike `signum`, zero has no sign.
            Unary::Sign if self == 0.0 => 0.0,
            Unary::Sign => self.signum(),
            Unary::Step if self.is_nan() => self,
            Unary::Step => f64::from(u8::from(self >= 0.0)),
        }
    }

    fn binary(self, other: Self, function: Binary) -> Self {
        match function {
            Binary::Atan2 => libm::atan2(self, other),
            Binary::Pow => libm::pow(self, other),
        }
    }

    fn power_integer(self, n: i32) -> Self {
        integer_power(self, n)
    }

    fn power_half(self, n: i32) -> Self {
        half_power(self, n)
    }

    fn power_constant(self, exponent: f64) -> Self {
        libm::pow(self, exponent)
    }

    fn curve(self, curve: &Curve) -> Self {
        curve.jet(self, Side::After).value
    }

    fn surface(self, other: Self, surface: &Surface) -> Self {
        surface.at(self, other).value
    }
}

/// xⁿ by repeated squaring: the same bits on every machine, unlike `powi`.
pub(crate) fn integer_power(x: f64, n: i32) -> f64 {
    let mut left = n.unsigned_abs();
    let (mut square, mut product) = (x, 1.0);
    while left > 1 {
        if left & 1 == 1 {
            product *= square;
        }
        square *= square;
        left >>= 1;
    }
    if left == 1 {
        product *= square;
    }
    if n < 0 { 1.0 / product } else { product }
}

/// x^(n + ½) through the square root.
pub(crate) fn half_power(x: f64, n: i32) -> f64 {
    if n < 0 { 1.0 / half_power(x, -1 - n) } else { integer_power(x, n) * x.sqrt() }
}
