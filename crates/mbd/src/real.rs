//! The number types of the equations of motion: `f64`, or a value with its derivatives.
//!
//! Everything between the state and its rate is generic over [`Real`], so that one formula gives
//! both the right-hand side and its exact Jacobian, including the contact forces. A contact law,
//! which is a function of `f64`, enters through [`Real::chain`] with the slopes that it reports.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use jointplay_ode::Enclosure;

use crate::circle::sin_cos;

/// A real number, possibly with derivatives.
pub(crate) trait Real:
    Copy
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + 'static
{
    /// Whether the type has derivatives; without them slopes need not be computed.
    const DERIVATIVES: bool;

    /// The number 0.
    const ZERO: Self;

    /// A constant.
    fn constant(value: f64) -> Self;

    /// The value without derivatives.
    fn value(self) -> f64;

    /// f(self), given the value of f and its slope here.
    fn chain(self, value: f64, slope: f64) -> Self;

    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);

    /// Square root.
    fn sqrt(self) -> Self;
}

impl Real for f64 {
    const DERIVATIVES: bool = false;
    const ZERO: Self = 0.0;

    #[inline]
    fn constant(value: f64) -> Self {
        value
    }

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn chain(self, value: f64, _slope: f64) -> Self {
        value
    }

    #[expect(
        clippy::inline_always,
        reason = "inlining saves a third of the time: the call costs half as much as the work"
    )]
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        sin_cos(self)
    }

    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
}

/// One evaluation computes this many columns of a Jacobian.
pub(crate) const WIDTH: usize = 4;

/// A value with its derivatives in [`WIDTH`] directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dual {
    value: f64,
    slope: [f64; WIDTH],
}

impl Dual {
    /// The variable of direction `direction`.
    pub(crate) fn variable(value: f64, direction: usize) -> Self {
        let mut slope = [0.0; WIDTH];
        slope[direction] = 1.0;
        Dual { value, slope }
    }

    /// The derivative in a direction.
    pub(crate) fn slope(&self, direction: usize) -> f64 {
        self.slope[direction]
    }

    /// `value`, with the slopes of `self` and `other` weighted by the partial derivatives `a` and `b`.
    #[inline]
    fn join(self, other: Self, value: f64, a: f64, b: f64) -> Self {
        Dual { value, slope: std::array::from_fn(|i| a * self.slope[i] + b * other.slope[i]) }
    }
}

impl Add for Dual {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.join(other, self.value + other.value, 1.0, 1.0)
    }
}

impl Sub for Dual {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.join(other, self.value - other.value, 1.0, -1.0)
    }
}

impl Mul for Dual {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        self.join(other, self.value * other.value, other.value, self.value)
    }
}

impl Div for Dual {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        self.join(other, quotient, 1.0 / other.value, -quotient / other.value)
    }
}

impl Neg for Dual {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl AddAssign for Dual {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Dual {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Add<f64> for Dual {
    type Output = Self;
    #[inline]
    fn add(self, other: f64) -> Self {
        self.chain(self.value + other, 1.0)
    }
}

impl Sub<f64> for Dual {
    type Output = Self;
    #[inline]
    fn sub(self, other: f64) -> Self {
        self.chain(self.value - other, 1.0)
    }
}

impl Mul<f64> for Dual {
    type Output = Self;
    #[inline]
    fn mul(self, other: f64) -> Self {
        self.chain(self.value * other, other)
    }
}

impl Real for Dual {
    const DERIVATIVES: bool = true;
    const ZERO: Self = Dual { value: 0.0, slope: [0.0; WIDTH] };

    #[inline]
    fn constant(value: f64) -> Self {
        Dual { value, slope: [0.0; WIDTH] }
    }

    #[inline]
    fn value(self) -> f64 {
        self.value
    }

    #[inline]
    fn chain(self, value: f64, slope: f64) -> Self {
        Dual { value, slope: self.slope.map(|s| slope * s) }
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = sin_cos(self.value);
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        // The root of 0 has no derivative, but for a vanishing length only the value is used.
        self.chain(root, if root > 0.0 { 0.5 / root } else { 0.0 })
    }
}

/// A number over a whole time interval: the formulas that place bodies also enclose their
/// positions.
impl Real for Enclosure {
    const DERIVATIVES: bool = false;
    const ZERO: Self = Enclosure::constant(0.0);

    #[inline]
    fn constant(value: f64) -> Self {
        Enclosure::constant(value)
    }

    /// The value in the middle.
    #[inline]
    fn value(self) -> f64 {
        self.c[0]
    }

    /// A function that is known only at the midpoint has no bounds.
    #[inline]
    fn chain(self, value: f64, _slope: f64) -> Self {
        Enclosure { c: [value, 0.0, 0.0], r: f64::INFINITY }
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        Enclosure::sin_cos(self, sin_cos(self.c[0]))
    }

    #[inline]
    fn sqrt(self) -> Self {
        Enclosure::sqrt(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// d/dx of a formula that uses every operation, by the dual numbers and by central differences.
    #[test]
    fn property_slopes_are_the_limit_of_differences() {
        fn formula<T: Real>(x: T, y: T) -> T {
            let (sin, cos) = (x * y + 0.3).sin_cos();
            let mut sum = sin / (cos + 2.0) - (x * x + y * y).sqrt() * 1.5;
            sum += -x * 0.2;
            sum -= y - 1.0;
            sum * (x + T::constant(0.25))
        }
        let (x, y) = (0.7, -0.4);
        let dual = formula(Dual::variable(x, 0), Dual::variable(y, 1));
        let h = 1e-6;
        let dx = (formula(x + h, y) - formula(x - h, y)) / (2.0 * h);
        let dy = (formula(x, y + h) - formula(x, y - h)) / (2.0 * h);
        // Differences of this width are good to about 1e-10.
        assert_eq!(dual.value(), formula(x, y));
        assert!((dual.slope(0) - dx).abs() < 1e-9 && (dual.slope(1) - dy).abs() < 1e-9);
        assert_eq!((dual.slope(2), dual.slope(3)), (0.0, 0.0));
    }
}
