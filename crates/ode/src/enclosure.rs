//! Functions of time over a whole interval: a parabola and a bound of its error.
//!
//! Samples of a guard say nothing about what happens between them. An [`Enclosure`] does: it stands for every function
//! `f(s)` of `s ∈ [−1, 1]` with
//!
//! ```text
//! |f(s) − (c₀ + c₁ s + c₂ s²)| ≤ r
//! ```
//!
//! and its arithmetic carries the bound along, so that a formula evaluated in it encloses its
//! values over the interval (Makino, Berz, *Taylor models and other validated functional inclusion
//! methods*, Int. J. Pure Appl. Math. 4 (2003) 379–456, to second order). The common motion of two
//! bodies cancels to second order, and halving an interval divides the bound by eight. Rounding is
//! not enclosed, because it is far below the accuracy that guards need.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A function of `s ∈ [−1, 1]`: a parabola and a bound of its error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Enclosure {
    /// `c₀`, `c₁`, `c₂`.
    pub c: [f64; 3],
    /// `r`, not below 0; infinite if no bound is known.
    pub r: f64,
}

/// Beyond this change of an angle (rad) its sine may be anything.
const ANY_SINE: f64 = 1.5;

impl Enclosure {
    /// A constant over the whole interval.
    #[inline]
    pub const fn constant(value: f64) -> Self {
        Enclosure { c: [value, 0.0, 0.0], r: 0.0 }
    }

    /// A straight line from `a` to `b`.
    #[inline]
    pub fn between([a, b]: [f64; 2]) -> Self {
        Enclosure { c: [0.5 * (a + b), 0.5 * (b - a), 0.0], r: 0.0 }
    }

    /// An upper bound of its values.
    #[inline]
    pub fn greatest(&self) -> f64 {
        let [c0, c1, c2] = self.c;
        let ends = c0 + c1.abs() + c2;
        // The top of the parabola, if it lies inside.
        let top = if c2 < 0.0 && c1.abs() < -2.0 * c2 { c0 - 0.25 * c1 * c1 / c2 } else { ends };
        top.max(ends) + self.r
    }

    /// A lower bound of its values.
    #[inline]
    pub fn least(&self) -> f64 {
        -(-*self).greatest()
    }

    /// A bound of the distance from its value in the middle.
    #[inline]
    fn reach(&self) -> f64 {
        self.c[1].abs() + self.c[2].abs() + self.r
    }

    /// The product with `a + b s`, which lies in [−1, 1].
    #[inline]
    pub(crate) fn times_part(self, [a, b]: [f64; 2]) -> Self {
        let [c0, c1, c2] = self.c;
        Enclosure { c: [a * c0, a * c1 + b * c0, a * c2 + b * c1], r: self.r + (b * c2).abs() }
    }

    /// Its square.
    #[inline]
    pub fn square(self) -> Self {
        self * self
    }

    /// Sine and cosine, given those of the middle.
    #[inline]
    pub fn sin_cos(self, (sin, cos): (f64, f64)) -> (Self, Self) {
        let reach = self.reach();
        if !(reach < ANY_SINE) {
            let any = Enclosure { c: [0.0; 3], r: 1.0 };
            return (any, any);
        }
        // sin(c₀ + u) = sin c₀ cos u + cos c₀ sin u with cos u = 1 − u²/2 ± u⁴/24 and sin u = u ± u³/6.
        let u = Enclosure { c: [0.0, self.c[1], self.c[2]], r: self.r };
        let square = u.square();
        let cos_u = Enclosure {
            c: [1.0 - 0.5 * square.c[0], -0.5 * square.c[1], -0.5 * square.c[2]],
            r: 0.5 * square.r + reach * reach * reach * reach / 24.0,
        };
        let sin_u = Enclosure { r: u.r + reach * reach * reach / 6.0, ..u };
        (cos_u * sin + sin_u * cos, cos_u * cos - sin_u * sin)
    }

    /// The square root.
    #[inline]
    pub fn sqrt(self) -> Self {
        let root = self.c[0].sqrt();
        // √(c₀ + u) = √c₀ (1 + x/2 − x²/8 ± x³/16 (1 − |x|)^(−5/2)) with x = u/c₀.
        self.series(|x| [root, 0.5 * root, -0.125 * root, root * x * x * x / (16.0 * power_5_2(x))])
    }

    /// 1/f.
    #[inline]
    fn recip(self) -> Self {
        let value = 1.0 / self.c[0];
        // 1/(c₀ + u) = (1 − x + x² ± x³/(1 − |x|)⁴)/c₀
        self.series(|x| [value, -value, value, value.abs() * x * x * x / (1.0 - x).powi(4)])
    }

    /// `a₀ + a₁ x + a₂ x²` with `x = u/c₀` and an error that follows from the greatest `|x|`; nothing is known where `x`
    /// may reach −1.
    #[inline]
    fn series(self, of: impl Fn(f64) -> [f64; 4]) -> Self {
        let reach = self.reach() / self.c[0].abs();
        if !(reach < 1.0) {
            return Enclosure { c: [0.0; 3], r: f64::INFINITY };
        }
        let [a0, a1, a2, error] = of(reach);
        let x = Enclosure { c: [0.0, self.c[1], self.c[2]], r: self.r } * (1.0 / self.c[0]);
        let mut sum = x * a1 + x.square() * a2;
        sum.c[0] += a0;
        sum.r += error;
        sum
    }
}

/// (1 − x)^(5/2)
fn power_5_2(x: f64) -> f64 {
    let rest = 1.0 - x;
    rest * rest * rest.sqrt()
}

impl Add for Enclosure {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.c, other.c);
        Enclosure { c: [a[0] + b[0], a[1] + b[1], a[2] + b[2]], r: self.r + other.r }
    }
}

impl Sub for Enclosure {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Enclosure {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Enclosure { c: self.c.map(|c| -c), r: self.r }
    }
}

impl Mul for Enclosure {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.c, other.c);
        let cubic = (a[1] * b[2] + a[2] * b[1]).abs() + (a[2] * b[2]).abs();
        let size = |c: [f64; 3]| c[0].abs() + c[1].abs() + c[2].abs();
        let r = cubic + (size(a) + self.r) * other.r + size(b) * self.r;
        let c = [a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[1] * b[1] + a[2] * b[0]];
        Enclosure { c, r }
    }
}

impl Div for Enclosure {
    type Output = Self;
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product with 1/f")]
    #[inline]
    fn div(self, other: Self) -> Self {
        self * other.recip()
    }
}

impl AddAssign for Enclosure {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Enclosure {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Add<f64> for Enclosure {
    type Output = Self;
    #[inline]
    fn add(self, other: f64) -> Self {
        let [c0, c1, c2] = self.c;
        Enclosure { c: [c0 + other, c1, c2], r: self.r }
    }
}

impl Sub<f64> for Enclosure {
    type Output = Self;
    #[inline]
    fn sub(self, other: f64) -> Self {
        self + -other
    }
}

impl Mul<f64> for Enclosure {
    type Output = Self;
    #[inline]
    fn mul(self, other: f64) -> Self {
        Enclosure { c: self.c.map(|c| c * other), r: self.r * other.abs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A formula that uses every operation, over a stretch and at its points.
    fn formula(x: Enclosure, y: Enclosure) -> Enclosure {
        let (sin, cos) = (x * y + 0.3).sin_cos({
            let angle = x.c[0] * y.c[0] + 0.3;
            (angle.sin(), angle.cos())
        });
        (sin - cos * 0.5) / (cos + 3.0) + (x.square() + y.square()).sqrt() * -1.5 - (y - 1.0)
    }

    fn formula_at(x: f64, y: f64) -> f64 {
        let (sin, cos) = (x * y + 0.3).sin_cos();
        (sin - cos * 0.5) / (cos + 3.0) - 1.5 * (x * x + y * y).sqrt() - (y - 1.0)
    }

    #[test]
    fn property_every_value_is_enclosed() {
        for k in 0..200 {
            let w = 0.6_f64.powi(k % 20);
            let x = Enclosure { c: [0.7 + 0.01 * f64::from(k), w, -0.4 * w * w], r: 0.0 };
            let y = Enclosure { c: [-0.4, -0.7 * w, 0.2 * w * w], r: 0.0 };
            let whole = formula(x, y);
            for i in -20..=20 {
                let s = 0.05 * f64::from(i);
                let at = |f: Enclosure| f.c[0] + s * (f.c[1] + s * f.c[2]);
                let value = formula_at(at(x), at(y));
                let error = (value - at(whole)).abs();
                assert!(error <= whole.r + 1e-14, "{k} at {s}: {error:e} above {:e}", whole.r);
                assert!(value <= whole.greatest() + 1e-14 && value >= whole.least() - 1e-14);
            }
        }
    }

    #[test]
    fn order_the_bound_falls_by_eight_when_the_stretch_is_halved() {
        let bound = |w: f64| {
            let x = Enclosure { c: [0.7, w, -0.4 * w * w], r: 0.0 };
            let y = Enclosure { c: [-0.4, -0.7 * w, 0.2 * w * w], r: 0.0 };
            formula(x, y).r
        };
        let order = (bound(0.02) / bound(0.01)).log2();
        assert!((order - 3.0).abs() < 0.1, "{order}");
    }

    #[test]
    fn exact_what_two_have_in_common_cancels() {
        let fall = Enclosure { c: [100.0, -3.0, -0.5], r: 0.0 };
        let gap = (fall + 1e-3) - fall;
        assert!((gap.greatest() - 1e-3).abs() < 1e-13 && gap.r == 0.0);
    }

    #[test]
    fn property_what_is_not_known_stays_unknown() {
        let around_zero = Enclosure { c: [0.1, 1.0, 0.0], r: 0.0 };
        assert_eq!(around_zero.sqrt().greatest(), f64::INFINITY);
        assert!(!((Enclosure::constant(1.0) / around_zero).greatest() < 1e300));
        let (sin, _) = Enclosure { c: [0.0, 100.0, 0.0], r: 0.0 }.sin_cos((0.0, 1.0));
        assert_eq!((sin.greatest(), sin.least()), (1.0, -1.0));
    }
}
