//! Bounds of the rounding error of an expression: running error analysis (Wilkinson; Higham,
//! *Accuracy and Stability of Numerical Algorithms*, SIAM 2002, section 3.3), to first order.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::curve::Curve;
use crate::jet::Jet;
use crate::real::{Binary, Real, Unary};
use crate::surface::Surface;

/// A number and a bound of its rounding error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    pub(crate) value: f64,
    /// In units of the relative rounding of numbers.
    pub(crate) error: f64,
}

impl Rounded {
    /// An input that is a rounded number.
    pub(crate) fn given(value: f64) -> Self {
        Self { value, error: value.abs() }
    }

    /// The result of an operation with this rounding in its operands.
    fn of(value: f64, inherited: f64) -> Self {
        Self { value, error: inherited + value.abs() }
    }

    /// The result of a function of one argument, from the jet of that function.
    fn through(self, jet: Jet) -> Self {
        Self::of(jet.value, jet.first.abs() * self.error)
    }

    fn variable(self) -> Jet {
        Jet::variable(self.value)
    }
}

impl Add for Rounded {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::of(self.value + other.value, self.error + other.error)
    }
}

impl Sub for Rounded {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::of(self.value - other.value, self.error + other.error)
    }
}

impl Neg for Rounded {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl Mul for Rounded {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let inherited = self.error * other.value.abs() + other.error * self.value.abs();
        Self::of(self.value * other.value, inherited)
    }
}

impl Div for Rounded {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self::of(value, (self.error + value.abs() * other.error) / other.value.abs())
    }
}

impl Real for Rounded {
    fn constant(value: f64) -> Self {
        Self::given(value)
    }

    fn value(self) -> f64 {
        self.value
    }

    fn shifted(self, offset: f64) -> Self {
        self + Self::given(offset)
    }

    fn scaled(self, factor: f64) -> Self {
        self * Self::given(factor)
    }

    fn unary(self, function: Unary) -> Self {
        self.through(self.variable().unary(function))
    }

    fn binary(self, other: Self, function: Binary) -> Self {
        let [x, y] = [self.value, other.value].map(Jet::constant);
        let by_x = self.variable().binary(y, function);
        let by_y = x.binary(other.variable(), function);
        let inherited = by_x.first.abs() * self.error + by_y.first.abs() * other.error;
        Self::of(by_x.value, inherited)
    }

    fn power_integer(self, n: i32) -> Self {
        self.through(self.variable().power_integer(n))
    }

    fn power_half(self, n: i32) -> Self {
        self.through(self.variable().power_half(n))
    }

    fn power_constant(self, exponent: f64) -> Self {
        self.through(self.variable().power_constant(exponent))
    }

    fn curve(self, curve: &Curve) -> Self {
        self.through(self.variable().curve(curve))
    }

    fn surface(self, other: Self, surface: &Surface) -> Self {
        let at = surface.at(self.value, other.value);
        Self::of(at.value, at.x.abs() * self.error + at.y.abs() * other.error)
    }
}
