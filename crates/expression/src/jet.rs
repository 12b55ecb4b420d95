//! Value, first and second derivative along one direction, carried through arithmetic.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::axis::Side;
use crate::curve::Curve;
use crate::real::{Binary, Real, Unary};
use crate::slopes::{absorb, half_slopes, integer_slopes, partials, power_slopes, slopes};
use crate::surface::{Partials, Surface};

/// A function of one parameter s at one point, up to its second derivative.
///
/// f(s) = `value`, df/ds = `first`, d²f/ds² = `second` (the derivative itself, not the Taylor
/// coefficient `second / 2`). To differentiate with respect to one variable, give that variable
/// `Jet::variable(x)` and every other `Jet::constant(y)`.
///
/// Arithmetic applies the chain rule and no difference quotients, so both derivatives are exact up
/// to rounding. At a kink the convention is: `abs` and `sign` have derivative 0 at 0, `step` has
/// derivative 0 everywhere, and `min`, `max` and `clamp` follow the first argument on a tie. If an
/// intermediate value exceeds 1e250, functions that are flat there and quotients by it have
/// derivative 0.
///
/// ```
/// use jointplay_expression::Jet;
///
/// let x = Jet::variable(3.0);
/// let y = x * x * x;
/// assert_eq!(y, Jet { value: 27.0, first: 27.0, second: 18.0 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// f.
    pub value: f64,
    /// df/ds.
    pub first: f64,
    /// d²f/ds².
    pub second: f64,
}

impl Jet {
    /// A quantity that does not change along the direction.
    pub const fn constant(value: f64) -> Self {
        Self { value, first: 0.0, second: 0.0 }
    }

    /// The parameter itself: first derivative 1, second 0.
    pub const fn variable(value: f64) -> Self {
        Self { value, first: 1.0, second: 0.0 }
    }

    /// Σ cₖ xᵏ with its derivatives, by repeated synthetic division.
    #[inline]
    pub fn polynomial(coefficients: &[f64], x: f64) -> Self {
        let (mut value, mut first, mut half_second) = (0.0, 0.0, 0.0);
        for coefficient in coefficients.iter().rev() {
            half_second = half_second * x + first;
            first = first * x + value;
            value = value * x + coefficient;
        }
        Self { value, first, second: 2.0 * half_second }
    }

    /// Whether value and derivatives are numbers.
    pub fn is_finite(self) -> bool {
        self.value.is_finite() && self.first.is_finite() && self.second.is_finite()
    }

    /// Whether both derivatives vanish.
    fn is_flat(self) -> bool {
        self.first == 0.0 && self.second == 0.0
    }

    /// f(x(s)) from f, f′ and f″ at x: (f∘x)″ = f″ x′² + f′ x″.
    fn chain(self, value: f64, f1: f64, f2: f64) -> Self {
        if overflows(self.value) && f1 == 0.0 && f2 == 0.0 {
            return Self::constant(value);
        }
        Self {
            value,
            first: absorb(self.first, f1),
            second: absorb(self.first * self.first, f2) + absorb(self.second, f1),
        }
    }

    /// f(x(s), y(s)) from f and its partial derivatives.
    fn chain2(self, y: Self, partial: &Partials) -> Self {
        let x = self;
        Self {
            value: partial.value,
            first: absorb(x.first, partial.x) + absorb(y.first, partial.y),
            second: absorb(x.first * x.first, partial.xx)
                + absorb(2.0 * x.first * y.first, partial.xy)
                + absorb(y.first * y.first, partial.yy)
                + absorb(x.second, partial.x)
                + absorb(y.second, partial.y),
        }
    }
}

/// Whether a value is so large that its derivatives may overflow although it does not. Functions
/// that are flat there, and quotients by it, then have derivative 0: exp(−x), tanh(x), 1/cosh(x).
pub(crate) fn overflows(value: f64) -> bool {
    const GREAT: f64 = 1e250; // leaves 58 decades to two derivatives
    value.abs() > GREAT
}

impl Add for Jet {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            value: self.value - other.value,
            first: self.first - other.first,
            second: self.second - other.second,
        }
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, first: -self.first, second: -self.second }
    }
}

impl Mul for Jet {
    type Output = Self;
    /// (ab)″ = a″b + 2a′b′ + ab″.
    fn mul(self, other: Self) -> Self {
        if other.is_flat() {
            self.scaled(other.value)
        } else if self.is_flat() {
            other.scaled(self.value)
        } else {
            let (a, b) = (self, other);
            Self {
                value: a.value * b.value,
                first: a.first * b.value + a.value * b.first,
                second: a.second * b.value + 2.0 * a.first * b.first + a.value * b.second,
            }
        }
    }
}

impl Div for Jet {
    type Output = Self;
    /// With q = a/b: q′ = (a′ − q b′)/b, q″ = (a″ − 2q′b′ − q b″)/b.
    fn div(self, other: Self) -> Self {
        let (a, b) = (self, other);
        let value = a.value / b.value;
        let first = (a.first - absorb(b.first, value)) / b.value;
        let second = (a.second - absorb(b.first, 2.0 * first) - absorb(b.second, value)) / b.value;
        if overflows(b.value) && a.is_finite() && !(first + second).is_finite() {
            return Self::constant(value);
        }
        Self { value, first, second }
    }
}

impl Real for Jet {
    fn constant(value: f64) -> Self {
        Self::constant(value)
    }

    fn value(self) -> f64 {
        self.value
    }

    fn shifted(self, offset: f64) -> Self {
        Self { value: self.value + offset, ..self }
    }

    fn scaled(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            first: absorb(factor, self.first),
            second: absorb(factor, self.second),
        }
    }

    fn unary(self, function: Unary) -> Self {
        let (f, f1, f2) = slopes(function, self.value);
        self.chain(f, f1, f2)
    }

    fn binary(self, other: Self, function: Binary) -> Self {
        self.chain2(other, &partials(function, self.value, other.value))
    }

    fn power_integer(self, n: i32) -> Self {
        let (f, f1, f2) = integer_slopes(self.value, n);
        self.chain(f, f1, f2)
    }

    fn power_half(self, n: i32) -> Self {
        let (f, f1, f2) = half_slopes(self.value, n);
        self.chain(f, f1, f2)
    }

    fn power_constant(self, exponent: f64) -> Self {
        let (f, f1, f2) = power_slopes(self.value, exponent);
        self.chain(f, f1, f2)
    }

    fn curve(self, curve: &Curve) -> Self {
        let f = curve.jet(self.value, Side::After);
        self.chain(f.value, f.first, f.second)
    }

    fn surface(self, other: Self, surface: &Surface) -> Self {
        self.chain2(other, &surface.at(self.value, other.value))
    }
}
