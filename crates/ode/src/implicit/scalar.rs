//! Real and complex numbers, for the matrices of implicit methods.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number that Gaussian elimination can work with.
pub trait Scalar:
    Copy
    + Default
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Mul<f64, Output = Self>
    + Neg<Output = Self>
    + SubAssign
    + AddAssign
    + From<f64>
{
    /// A size to choose the pivot by; 0 only for zero.
    fn size(self) -> f64;
}

impl Scalar for f64 {
    #[inline]
    fn size(self) -> f64 {
        self.abs()
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Scalar for Complex {
    #[inline]
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

impl Mul for Complex {
    type Output = Self;

    #[inline]
    fn mul(self, b: Self) -> Self {
        Complex { re: self.re * b.re - self.im * b.im, im: self.re * b.im + self.im * b.re }
    }
}

impl Div for Complex {
    type Output = Self;

    /// By the larger part of the divisor (R. L. Smith, Comm. ACM 5 (1962) 435), so that no square overflows.
    #[inline]
    fn div(self, b: Self) -> Self {
        if b.re.abs() >= b.im.abs() {
            let (ratio, Complex { re, im }) = (b.im / b.re, self);
            let size = b.re + b.im * ratio;
            Complex { re: (re + im * ratio) / size, im: (im - re * ratio) / size }
        } else {
            let (ratio, Complex { re, im }) = (b.re / b.im, self);
            let size = b.re * ratio + b.im;
            Complex { re: (re * ratio + im) / size, im: (im * ratio - re) / size }
        }
    }
}

impl SubAssign for Complex {
    #[inline]
    fn sub_assign(&mut self, b: Self) {
        self.re -= b.re;
        self.im -= b.im;
    }
}

impl AddAssign for Complex {
    #[inline]
    fn add_assign(&mut self, b: Self) {
        self.re += b.re;
        self.im += b.im;
    }
}

impl Add for Complex {
    type Output = Self;

    #[inline]
    fn add(self, b: Self) -> Self {
        Complex { re: self.re + b.re, im: self.im + b.im }
    }
}

impl Sub for Complex {
    type Output = Self;

    #[inline]
    fn sub(self, b: Self) -> Self {
        Complex { re: self.re - b.re, im: self.im - b.im }
    }
}

impl Neg for Complex {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Complex { re: -self.re, im: -self.im }
    }
}

impl Mul<f64> for Complex {
    type Output = Self;

    #[inline]
    fn mul(self, b: f64) -> Self {
        Complex { re: self.re * b, im: self.im * b }
    }
}

impl From<f64> for Complex {
    #[inline]
    fn from(re: f64) -> Self {
        Complex { re, im: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_quotients_do_not_overflow() {
        let (a, b) = (Complex { re: 1e200, im: 1e200 }, Complex { re: 1e200, im: -1e200 });
        assert_eq!(a / b, Complex { re: 0.0, im: 1.0 });
        let b = Complex { re: 1e100, im: 1e200 };
        let quotient = a / b;
        assert!((quotient.re - 1.0).abs() < 1e-15 && (quotient.im + 1.0).abs() < 1e-15);
    }
}
