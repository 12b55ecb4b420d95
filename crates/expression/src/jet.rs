//! Value, first and second derivative along one direction, carried through arithmetic.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::real::{Binary, Real, Unary, half_power, integer_power};

/// A function of one parameter s at one point, up to its second derivative.
///
/// f(s) = `value`, df/ds = `first`, d²f/ds² = `second` (the derivative itself, not the Taylor
/// coefficient `second / 2`). To differentiate with respect to one variable, give that variable
/// `Jet::variable(x)` and every other `Jet::constant(y)`.
///
/// Arithmetic follows the chain rule without any difference quotient, so both derivatives are
/// exact up to rounding. At a kink the convention is: `abs` and `sign` have derivative 0 at 0,
/// `step` has derivative 0 everywhere, and `min`, `max` and `clamp` follow the first argument on
/// a tie. Where an intermediate value is beyond 1e250, what is flat or divided there has derivative 0.
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
    fn chain2(self, y: Self, value: f64, partial: &Partial) -> Self {
        let x = self;
        Self {
            value,
            first: absorb(x.first, partial.x) + absorb(y.first, partial.y),
            second: absorb(x.first * x.first, partial.xx)
                + absorb(2.0 * x.first * y.first, partial.xy)
                + absorb(y.first * y.first, partial.yy)
                + absorb(x.second, partial.x)
                + absorb(y.second, partial.y),
        }
    }
}

/// Partial derivatives of a function of two arguments.
struct Partial {
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

/// `factor * slope`, and 0 where the factor is 0 even if the slope is infinite.
///
/// A factor is a seed or a coefficient that is exactly zero on a neighbourhood, so the product
/// is zero there: δ^1.5 at δ = 0 does not change in a direction that leaves δ alone.
fn absorb(factor: f64, slope: f64) -> f64 {
    if factor == 0.0 { 0.0 } else { factor * slope }
}

/// Whether a value is so great that its derivatives may be beyond all numbers though it is not. A function that is flat
/// there, or a quotient by it, does not change: exp(−x), tanh(x), 1/cosh(x).
fn overflows(value: f64) -> bool {
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
        let x = self.value;
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
        self.chain(f, f1, f2)
    }

    fn binary(self, other: Self, function: Binary) -> Self {
        let f = self.value.binary(other.value, function);
        let partial = match function {
            Binary::Atan2 => atan2_partial(self.value, other.value),
            Binary::Pow => power_partial(self.value, other.value, f),
        };
        self.chain2(other, f, &partial)
    }

    fn power_integer(self, n: i32) -> Self {
        let (x, c) = (self.value, f64::from(n));
        self.chain(
            integer_power(x, n),
            absorb(c, integer_power(x, n - 1)),
            absorb(c * (c - 1.0), integer_power(x, n - 2)),
        )
    }

    fn power_half(self, n: i32) -> Self {
        let (x, c) = (self.value, f64::from(n) + 0.5);
        self.chain(half_power(x, n), c * half_power(x, n - 1), c * (c - 1.0) * half_power(x, n - 2))
    }

    fn power_constant(self, exponent: f64) -> Self {
        let (x, c) = (self.value, exponent);
        self.chain(
            libm::pow(x, c),
            absorb(c, libm::pow(x, c - 1.0)),
            absorb(c * (c - 1.0), libm::pow(x, c - 2.0)),
        )
    }
}

/// First and second derivative of asin: (1−x²)^(−1/2) and x (1−x²)^(−3/2).
fn arc_slopes(x: f64) -> (f64, f64) {
    let w = (1.0 - x) * (1.0 + x);
    let f1 = 1.0 / w.sqrt();
    (f1, x * f1 / w)
}

/// Partial derivatives of atan2(y, x) with y the first argument, scaled against overflow.
fn atan2_partial(y: f64, x: f64) -> Partial {
    let r = libm::hypot(x, y);
    let (c, s) = (x / r, y / r);
    let bent = 2.0 * s * c / r / r;
    Partial { x: c / r, y: -s / r, xx: -bent, xy: (s * s - c * c) / r / r, yy: bent }
}

/// Partial derivatives of f = xʸ; at x = 0 the limits from the right, where they exist.
fn power_partial(x: f64, y: f64, f: f64) -> Partial {
    let log = libm::log(x);
    // xʸ falls faster than any power of ln x grows.
    let at_zero = x == 0.0 && y > 0.0;
    Partial {
        x: absorb(y, libm::pow(x, y - 1.0)),
        y: if at_zero { 0.0 } else { f * log },
        xx: absorb(y * (y - 1.0), libm::pow(x, y - 2.0)),
        xy: if x == 0.0 && y > 1.0 { 0.0 } else { libm::pow(x, y - 1.0) * (1.0 + y * log) },
        yy: if at_zero { 0.0 } else { f * log * log },
    }
}
