//! Bounds of an expression and its derivatives over a whole interval of its variable.
//!
//! Interval arithmetic (Moore, Kearfott, Cloud, *Introduction to Interval Analysis*, SIAM 2009):
//! every operation encloses all results for operands within their bounds. The bounds depend on how
//! the formula is written, and become tighter as the interval becomes shorter. They do not include
//! rounding: callers must add a margin for it.

use std::f64::consts::{FRAC_PI_2, LOG10_E, PI, TAU};
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::curve::Curve;
use crate::real::{Binary, Comparison, Real, Unary, integer_power};
use crate::surface::Surface;

/// All numbers between two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Interval {
    /// All numbers: no bound is known.
    pub const ENTIRE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// One number.
    pub const fn point(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// The interval between two numbers in any order; everything if one of them is not a number.
    pub fn hull(a: f64, b: f64) -> Self {
        if a.is_nan() || b.is_nan() {
            return Self::ENTIRE;
        }
        Self { low: a.min(b), high: a.max(b) }
    }

    /// The smallest interval that contains both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The image under a function that rises or falls throughout.
    fn monotone(self, f: impl Fn(f64) -> f64) -> Self {
        Self::hull(f(self.low), f(self.high))
    }

    fn scaled(self, factor: f64) -> Self {
        Self::hull(product(self.low, factor), product(self.high, factor))
    }

    fn shifted(self, offset: f64) -> Self {
        Self::hull(self.low + offset, self.high + offset)
    }

    fn recip(self) -> Self {
        if self.contains(0.0) { Self::ENTIRE } else { self.monotone(f64::recip) }
    }

    fn sin(self) -> Self {
        if !(self.high - self.low < TAU) {
            return Self { low: -1.0, high: 1.0 };
        }
        // A crest of the sine, or a trough, lies at `phase` + 2πk.
        let holds = |phase: f64| {
            let first = phase + TAU * ((self.low - phase) / TAU).ceil();
            first <= self.high
        };
        let ends = self.monotone(libm::sin);
        Self {
            low: if holds(-FRAC_PI_2) { -1.0 } else { ends.low },
            high: if holds(FRAC_PI_2) { 1.0 } else { ends.high },
        }
    }

    fn cos(self) -> Self {
        self.shifted(FRAC_PI_2).sin()
    }

    fn tan(self) -> Self {
        let branch = |x: f64| ((x + FRAC_PI_2) / PI).floor();
        if branch(self.low) == branch(self.high) { self.monotone(libm::tan) } else { Self::ENTIRE }
    }

    fn cosh(self) -> Self {
        let ends = self.monotone(libm::cosh);
        if self.contains(0.0) { Self { low: 1.0, ..ends } } else { ends }
    }

    /// x^c; if c is not a whole number, x must not be negative.
    fn power(self, c: f64) -> Self {
        let whole = c == c.trunc();
        if whole && c < 0.0 {
            return self.power(-c).recip();
        }
        if !whole && self.low < 0.0 {
            return Self::ENTIRE;
        }
        self.raised(whole && c % 2.0 == 0.0 && c > 0.0, |x| libm::pow(x, c))
    }

    /// The image under a positive power; an even one is smallest at x = 0.
    fn raised(self, even: bool, power: impl Fn(f64) -> f64) -> Self {
        let ends = self.monotone(power);
        if even && self.contains(0.0) { Self { low: 0.0, ..ends } } else { ends }
    }

    fn power_integer(self, n: i32) -> Self {
        if n < 0 {
            return self.power_integer(-n).recip();
        }
        self.raised(n % 2 == 0 && n > 0, |x| integer_power(x, n))
    }
}

/// The product of two bounds. An infinite bound means that the numbers are unbounded, but each of
/// them is finite.
fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::hull(self.low + other.low, self.high + other.high)
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let [a, b] = [self.low, self.high].map(|end| other.scaled(end));
        Self { low: a.low.min(b.low), high: a.high.max(b.high) }
    }
}

/// Bounds of a function of one parameter and of its first two derivatives over an interval of the
/// parameter.
///
/// If the function may have a kink, a jump or no value inside the interval, all bounds are
/// infinite.
///
/// ```
/// use jointplay_expression::{Expression, JetInterval};
///
/// let pulse = Expression::parse("exp(-((t - 0.5)/1e-4)^2)", &["t"])?;
/// let before = pulse.eval_interval(&[JetInterval::variable([0.0, 0.4])]);
/// assert_eq!((before.value.low, before.value.high), (0.0, 0.0));
/// let across = pulse.eval_interval(&[JetInterval::variable([0.4, 0.6])]);
/// assert!(across.value.high >= 1.0 && across.second.low <= -2e8);
/// # Ok::<(), jointplay_expression::ExpressionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JetInterval {
    /// f.
    pub value: Interval,
    /// df/ds.
    pub first: Interval,
    /// d²f/ds².
    pub second: Interval,
}

impl JetInterval {
    const UNKNOWN: Self =
        Self { value: Interval::ENTIRE, first: Interval::ENTIRE, second: Interval::ENTIRE };

    /// A quantity that does not change along the direction.
    pub const fn constant(value: f64) -> Self {
        let zero = Interval::point(0.0);
        Self { value: Interval::point(value), first: zero, second: zero }
    }

    /// The parameter itself, from one number to another.
    pub fn variable([from, to]: [f64; 2]) -> Self {
        let (first, second) = (Interval::point(1.0), Interval::point(0.0));
        Self { value: Interval::hull(from, to), first, second }
    }

    /// f(x(s)) from bounds of f, f′ and f″ over x: (f∘x)″ = f″ x′² + f′ x″.
    fn chain(self, value: Interval, f1: Interval, f2: Interval) -> Self {
        let first = f1 * self.first;
        let second = f2 * self.first.power_integer(2) + f1 * self.second;
        Self { value, first, second }
    }

    fn exp(self) -> Self {
        let f = self.value.monotone(libm::exp);
        self.chain(f, f, f)
    }

    fn ln(self) -> Self {
        let x = self.value;
        if x.low <= 0.0 {
            return Self::UNKNOWN;
        }
        self.chain(x.monotone(libm::log), x.recip(), -x.power_integer(-2))
    }

    fn arc_tangent(self) -> Self {
        let x = self.value;
        let f1 = x.power_integer(2).shifted(1.0).recip();
        self.chain(x.monotone(libm::atan), f1, (x * f1 * f1).scaled(-2.0))
    }

    /// The larger of two functions, or the smaller one for −1.
    fn extreme(self, other: Self, sign: f64) -> Self {
        let ahead = (self.value - other.value).scaled(sign);
        if ahead.low >= 0.0 {
            self
        } else if ahead.high <= 0.0 {
            other
        } else {
            Self::UNKNOWN
        }
    }
}

impl Add for JetInterval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }
}

impl Sub for JetInterval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for JetInterval {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, first: -self.first, second: -self.second }
    }
}

impl Mul for JetInterval {
    type Output = Self;
    /// (ab)″ = a″b + 2a′b′ + ab″.
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            value: a.value * b.value,
            first: a.first * b.value + a.value * b.first,
            second: a.second * b.value + (a.first * b.first).scaled(2.0) + a.value * b.second,
        }
    }
}

impl Div for JetInterval {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self * other.power_integer(-1)
    }
}

impl Real for JetInterval {
    fn constant(value: f64) -> Self {
        Self::constant(value)
    }

    /// The middle. Operations that depend on the whole interval have implementations of their own.
    fn value(self) -> f64 {
        0.5 * (self.value.low + self.value.high)
    }

    fn shifted(self, offset: f64) -> Self {
        Self { value: self.value.shifted(offset), ..self }
    }

    fn scaled(self, factor: f64) -> Self {
        Self {
            value: self.value.scaled(factor),
            first: self.first.scaled(factor),
            second: self.second.scaled(factor),
        }
    }

    fn unary(self, function: Unary) -> Self {
        let x = self.value;
        match function {
            Unary::Sin => self.chain(x.sin(), x.cos(), -x.sin()),
            Unary::Cos => self.chain(x.cos(), -x.sin(), -x.cos()),
            Unary::Tan => {
                let f = x.tan();
                let f1 = f.power_integer(2).shifted(1.0);
                self.chain(f, f1, (f * f1).scaled(2.0))
            }
            Unary::Asin | Unary::Acos => {
                if !(x.low > -1.0 && x.high < 1.0) {
                    return Self::UNKNOWN;
                }
                // (1 − x²)^(−1/2) and x (1 − x²)^(−3/2)
                let rest = (-x.power_integer(2)).shifted(1.0);
                let (f1, f2) = (rest.power(-0.5), x * rest.power(-1.5));
                if function == Unary::Asin {
                    self.chain(x.monotone(libm::asin), f1, f2)
                } else {
                    self.chain(x.monotone(libm::acos), -f1, -f2)
                }
            }
            Unary::Atan => self.arc_tangent(),
            Unary::Sinh => {
                let f = x.monotone(libm::sinh);
                self.chain(f, x.cosh(), f)
            }
            Unary::Cosh => self.chain(x.cosh(), x.monotone(libm::sinh), x.cosh()),
            Unary::Tanh => {
                let f = x.monotone(libm::tanh);
                let f1 = x.cosh().power_integer(-2);
                self.chain(f, f1, (f * f1).scaled(-2.0))
            }
            Unary::Exp => self.exp(),
            Unary::Ln => self.ln(),
            Unary::Log10 => self.ln().scaled(LOG10_E),
            Unary::Sqrt => self.power_half(0),
            Unary::Cbrt => {
                let f = x.monotone(libm::cbrt);
                // 1/(3f²) and −2/(9f⁵)
                self.chain(
                    f,
                    f.power_integer(-2).scaled(1.0 / 3.0),
                    f.power_integer(-5).scaled(-2.0 / 9.0),
                )
            }
            Unary::Abs => self.extreme(-self, 1.0),
            Unary::Sign if x.low > 0.0 || x.high < 0.0 => Self::constant(x.low.signum()),
            Unary::Step if x.low >= 0.0 => Self::constant(1.0),
            Unary::Step if x.high < 0.0 => Self::constant(0.0),
            Unary::Sign | Unary::Step => Self::UNKNOWN,
        }
    }

    fn binary(self, other: Self, function: Binary) -> Self {
        let (y, x) = (self, other);
        match function {
            Binary::Pow => (x * y.ln()).exp(),
            // Turned so that the other coordinate keeps its sign: atan2(y, x) = atan(y/x), ±π/2 − atan(x/y), or beyond.
            Binary::Atan2 if x.value.low > 0.0 => (y / x).arc_tangent(),
            Binary::Atan2 if y.value.low > 0.0 => (-(x / y).arc_tangent()).shifted(FRAC_PI_2),
            Binary::Atan2 if y.value.high < 0.0 => (-(x / y).arc_tangent()).shifted(-FRAC_PI_2),
            Binary::Atan2 => Self::UNKNOWN,
        }
    }

    fn power_integer(self, n: i32) -> Self {
        let (x, c) = (self.value, f64::from(n));
        self.chain(
            x.power_integer(n),
            x.power_integer(n - 1).scaled(c),
            x.power_integer(n - 2).scaled(c * (c - 1.0)),
        )
    }

    fn power_half(self, n: i32) -> Self {
        self.power_constant(f64::from(n) + 0.5)
    }

    fn power_constant(self, exponent: f64) -> Self {
        let (x, c) = (self.value, exponent);
        self.chain(x.power(c), x.power(c - 1.0).scaled(c), x.power(c - 2.0).scaled(c * (c - 1.0)))
    }

    fn curve(self, curve: &Curve) -> Self {
        let bounds = curve.bounds(self.value);
        bounds.map_or(Self::UNKNOWN, |[value, first, second]| self.chain(value, first, second))
    }

    fn surface(self, other: Self, surface: &Surface) -> Self {
        let Some([value, x1, y1, xx, xy, yy]) = surface.bounds(self.value, other.value) else {
            return Self::UNKNOWN;
        };
        let (x, y) = (self, other);
        let bend = xx * x.first.power_integer(2)
            + (xy * x.first * y.first).scaled(2.0)
            + yy * y.first.power_integer(2);
        Self {
            value,
            first: x1 * x.first + y1 * y.first,
            second: bend + x1 * x.second + y1 * y.second,
        }
    }

    fn smaller(self, other: Self) -> Self {
        self.extreme(other, -1.0)
    }

    fn larger(self, other: Self) -> Self {
        self.extreme(other, 1.0)
    }

    fn select(comparison: Comparison, left: Self, right: Self, yes: Self, no: Self) -> Self {
        let [left, right] = match comparison {
            Comparison::Less | Comparison::LessEqual => [left.value, right.value],
            Comparison::Greater | Comparison::GreaterEqual => [right.value, left.value],
        };
        let holds = match comparison {
            Comparison::Less | Comparison::Greater => left.high < right.low,
            Comparison::LessEqual | Comparison::GreaterEqual => left.high <= right.low,
        };
        let fails = match comparison {
            Comparison::Less | Comparison::Greater => left.low >= right.high,
            Comparison::LessEqual | Comparison::GreaterEqual => left.low > right.high,
        };
        match (holds, fails) {
            (true, _) => yes,
            (_, true) => no,
            _ => Self::UNKNOWN,
        }
    }
}
