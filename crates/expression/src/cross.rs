//! Value, two first derivatives and the mixed second derivative, carried through arithmetic.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::axis::Side;
use crate::curve::Curve;
use crate::jet::overflows;
use crate::real::{Binary, Real, Unary};
use crate::slopes::{absorb, half_slopes, integer_slopes, partials, power_slopes, slopes};
use crate::surface::{Partials, Surface};

/// A function of two parameters r and s at one point. If both are the same, this is a
/// [`Jet`](crate::Jet); the same rules hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cross {
    pub(crate) value: f64,
    /// ∂f/∂r.
    pub(crate) by_r: f64,
    /// ∂f/∂s.
    pub(crate) by_s: f64,
    /// ∂²f/∂r∂s.
    pub(crate) mixed: f64,
}

impl Cross {
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let Self { value, by_r, by_s, mixed } = self;
        Self { value: f(value), by_r: f(by_r), by_s: f(by_s), mixed: f(mixed) }
    }

    fn is_flat(self) -> bool {
        self.by_r == 0.0 && self.by_s == 0.0 && self.mixed == 0.0
    }

    fn chain(self, (value, f1, f2): (f64, f64, f64)) -> Self {
        if overflows(self.value) && f1 == 0.0 && f2 == 0.0 {
            return Self::constant(value);
        }
        Self {
            value,
            by_r: absorb(self.by_r, f1),
            by_s: absorb(self.by_s, f1),
            mixed: absorb(self.by_r * self.by_s, f2) + absorb(self.mixed, f1),
        }
    }

    fn chain2(self, y: Self, f: &Partials) -> Self {
        let x = self;
        Self {
            value: f.value,
            by_r: absorb(x.by_r, f.x) + absorb(y.by_r, f.y),
            by_s: absorb(x.by_s, f.x) + absorb(y.by_s, f.y),
            mixed: absorb(x.by_r * x.by_s, f.xx)
                + absorb(x.by_r * y.by_s + x.by_s * y.by_r, f.xy)
                + absorb(y.by_r * y.by_s, f.yy)
                + absorb(x.mixed, f.x)
                + absorb(y.mixed, f.y),
        }
    }
}

impl Add for Cross {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            by_r: self.by_r + other.by_r,
            by_s: self.by_s + other.by_s,
            mixed: self.mixed + other.mixed,
        }
    }
}

impl Sub for Cross {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Cross {
    type Output = Self;
    fn neg(self) -> Self {
        self.map(|number| -number)
    }
}

impl Mul for Cross {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        if other.is_flat() {
            return self.scaled(other.value);
        }
        if self.is_flat() {
            return other.scaled(self.value);
        }
        let (a, b) = (self, other);
        Self {
            value: a.value * b.value,
            by_r: a.by_r * b.value + a.value * b.by_r,
            by_s: a.by_s * b.value + a.value * b.by_s,
            mixed: a.mixed * b.value + a.by_r * b.by_s + a.by_s * b.by_r + a.value * b.mixed,
        }
    }
}

impl Div for Cross {
    type Output = Self;
    /// With q = a/b: q_r = (a_r − q b_r)/b, q_rs = (a_rs − q_r b_s − q_s b_r − q b_rs)/b.
    fn div(self, other: Self) -> Self {
        let (a, b) = (self, other);
        let value = a.value / b.value;
        let by_r = (a.by_r - absorb(b.by_r, value)) / b.value;
        let by_s = (a.by_s - absorb(b.by_s, value)) / b.value;
        let bent = absorb(b.by_s, by_r) + absorb(b.by_r, by_s) + absorb(b.mixed, value);
        let mixed = (a.mixed - bent) / b.value;
        let finite = [a.value, a.by_r, a.by_s, a.mixed].iter().all(|number| number.is_finite());
        if overflows(b.value) && finite && !(by_r + by_s + mixed).is_finite() {
            return Self::constant(value);
        }
        Self { value, by_r, by_s, mixed }
    }
}

impl Real for Cross {
    fn constant(value: f64) -> Self {
        Self { value, by_r: 0.0, by_s: 0.0, mixed: 0.0 }
    }

    fn value(self) -> f64 {
        self.value
    }

    fn shifted(self, offset: f64) -> Self {
        Self { value: self.value + offset, ..self }
    }

    fn scaled(self, factor: f64) -> Self {
        let value = self.value * factor;
        Self { value, ..self.map(|number| absorb(factor, number)) }
    }

    fn unary(self, function: Unary) -> Self {
        self.chain(slopes(function, self.value))
    }

    fn binary(self, other: Self, function: Binary) -> Self {
        self.chain2(other, &partials(function, self.value, other.value))
    }

    fn power_integer(self, n: i32) -> Self {
        self.chain(integer_slopes(self.value, n))
    }

    fn power_half(self, n: i32) -> Self {
        self.chain(half_slopes(self.value, n))
    }

    fn power_constant(self, exponent: f64) -> Self {
        self.chain(power_slopes(self.value, exponent))
    }

    fn curve(self, curve: &Curve) -> Self {
        let f = curve.jet(self.value, Side::After);
        self.chain((f.value, f.first, f.second))
    }

    fn surface(self, other: Self, surface: &Surface) -> Self {
        self.chain2(other, &surface.at(self.value, other.value))
    }
}
