//! Formulas written by users: force laws, drivers, loads.
//!
//! A text such as `K*delta^1.5*(1 + 0.3*delta_dot)` is parsed once into an [`Expression`]; after
//! that, evaluations neither allocate nor fail. They give the value, exact derivatives along a
//! direction ([`Jet`]) or with respect to all variables ([`Expression::eval_gradient`],
//! [`Expression::eval_hessian`]), and bounds over an interval ([`JetInterval`]). The crate contains
//! no mechanics: a [`Scope`] defines the names and what they stand for.
//!
//! # Grammar
//! | what | how |
//! |---|---|
//! | numbers | `2`, `2.5`, `.5`, `1e-3` |
//! | quantities | a unit directly after a number: `5 mm`, `3 rad/s`, `9.81 m/s^2`, `0.02 kg m^2`; see [`units`] |
//! | operators, loose to tight | `+ -`, then `* /` (also `·`, `×`), then the sign, then `^` |
//! | powers | from the right, tighter than the sign: `2^3^2` = 2⁹, `-x^2` = −(x²), `2^-1` = ½ |
//! | names | variables and parameters of the scope, also with points: `crank.angle` |
//! | lists | `lengths[0]`: the index is a constant whole number from 0 on |
//! | tables | `torque(x)`, `force(x, y)` |
//! | constants | `pi`, `π`, `e`, unless the scope has that name |
//! | one argument | `sin cos tan asin acos atan sinh cosh tanh exp ln log10 sqrt cbrt abs` |
//! | | `sign(x)`: −1, 0 or 1; `step(x)`: 0 for x < 0, else 1 |
//! | more arguments | `atan2(y, x)`, `min(a, b)`, `max(a, b)`, `pow(x, y)` |
//! | | `clamp(x, low, high)` = min(max(x, low), high) |
//! | cases | `if(a < b, yes, no)` with `<`, `<=`, `>`, `>=` (also `≤`, `≥`) |
//! | symbols | `δ` is the variable `delta`, `δ̇` the variable `delta_dot` |
//!
//! Angles are in radians. There is no implicit multiplication and no assignment.
//!
//! # Dimensions
//! A quantity is a number in SI with a dimension. If an expression contains a unit, or a parameter
//! or table with a dimension, all of it is checked: quantities of different dimensions cannot be
//! added or compared, and functions and exponents take pure numbers. A number without a unit is a
//! pure number in a product or quotient (`2*crank` is a length), and an SI value in a sum or
//! comparison (`crank + 0.1` is 0.1 m longer). An expression without units is not checked: its
//! numbers are all in SI.
//!
//! A power after a unit belongs to the unit (`3 mm^2` is an area), and a unit continues after `/`
//! as long as units follow: `6 N/mm/2` is half of 6 N/mm. If a name of the scope is also a unit,
//! such as `t`, then `5 mm/t` is an error; `(5 mm)/t` divides by the variable. Angles are pure
//! numbers, and `Hz` is 1/s: `5 Hz` and `5 rad/s` are the same number.
//!
//! # Arithmetic
//! IEEE 754: `1/0` is infinite, `sqrt(-1)` and `(-1)^1.5` are NaN, and NaN stays NaN through
//! `min`, `max`, `clamp`, `step` and the condition of `if`. Both arms of `if` are evaluated; the
//! one not chosen has no influence on the result. Constant parts are computed once, in the order
//! in which they are written.

// docs/adr/0015: the page and the program give the same bits.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod axis;
mod code;
mod cross;
mod curve;
mod error;
mod interval;
mod jet;
mod lexer;
mod literal;
mod names;
mod parser;
mod powers;
mod real;
mod rounding;
mod scope;
mod slopes;
mod spline;
mod surface;
mod table_error;
#[cfg(test)]
mod tests;
pub mod units;

use std::fmt;

pub use axis::{Outside, Side, Spline};
pub use curve::Curve;
pub use error::ExpressionError;
pub use interval::{Interval, JetInterval};
pub use jet::Jet;
pub use powers::Powers;
pub use scope::Scope;
pub use surface::{Partials, Surface};
pub use table_error::TableError;

pub use names::is_function;

use code::{Op, Tables, run};
use cross::Cross;
use real::Real;
use rounding::Rounded;

/// SHA-256 of the sources of this crate: results say which ones made them.
pub const SOURCE_HASH: &str = env!("SOURCE_HASH");

/// How far [`Expression::eval_jet`] steps away from a point where a derivative is 0·∞ [unit of
/// the variable]: small compared with any quantity, and its square and cube are still `f64` numbers.
const AHEAD: f64 = 1e-100;

/// A parsed expression of named variables.
///
/// ```
/// use jointplay_expression::{Expression, Jet};
///
/// let force = Expression::parse("8*delta^1.5", &["delta", "delta_dot"])?;
/// assert_eq!(force.eval(&[0.25, 0.0]), 1.0);
///
/// let jet = force.eval_jet(&[Jet::variable(0.25), Jet::constant(0.0)]);
/// assert_eq!(jet.first, 6.0); // dF/dδ = 12 √δ
/// # Ok::<(), jointplay_expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    source: Box<str>,
    code: Box<[Op]>,
    tables: Tables,
    variables: usize,
    powers: Option<Powers>,
}

jointplay_fingerprint::fingerprint!(struct Expression { source, code, tables, variables, powers });

/// The maximum length of an expression in bytes.
pub const MAX_LENGTH: usize = 1 << 16;

impl Expression {
    /// Reads `source`, in which the names in `variables` may occur; a [`Scope`] has more to offer. It may have [`MAX_LENGTH`]
    /// bytes.
    ///
    /// The values given to [`eval`](Self::eval) are in the order of `variables`.
    pub fn parse(source: &str, variables: &[&str]) -> Result<Self, ExpressionError> {
        Self::read(source, &Scope::of(variables), None)
    }

    fn read(
        source: &str,
        scope: &Scope,
        expected: Option<Powers>,
    ) -> Result<Self, ExpressionError> {
        if source.len() > MAX_LENGTH {
            let (length, most, span) = (source.len(), MAX_LENGTH, 0..0);
            return Err(ExpressionError::TooLong { length, most, span });
        }
        let parser::Compiled { code, tables, powers } = parser::compile(source, scope, expected)?;
        let (source, code, variables) = (source.into(), code.into(), scope.count());
        Ok(Self { source, code, tables, variables, powers })
    }

    /// The text the expression was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The dimension of the result, if it is known from units in the text.
    pub fn powers(&self) -> Option<Powers> {
        self.powers
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The first function or table in the program whose value or slope may jump: `abs`, `sign`, `step`, `min`, `max`, `clamp`
    /// or `if` of something that is not constant, a table with an end beyond which it is held or zero.
    pub fn first_kink(&self) -> Option<&str> {
        self.code.iter().find_map(|op| op.kink(&self.tables))
    }

    /// Whether the program holds anything that may break off between smooth pieces without a [kink](Self::first_kink) in sight: a
    /// quotient, a root, a function with a pole, a cut or an edge.
    pub fn may_break(&self) -> bool {
        self.code.iter().any(Op::may_break)
    }

    fn run<R: Real>(&self, variable: impl Fn(usize) -> R) -> R {
        run(&self.code, &self.tables, variable)
    }

    /// The value, given one number per variable.
    ///
    /// # Panics
    /// If the number of values is not the number of variables.
    pub fn eval(&self, values: &[f64]) -> f64 {
        self.check(values.len());
        self.run(|index| values[index])
    }

    /// The value with its first and second derivative along the direction of the jets.
    ///
    /// The value is the same, bit for bit, as that of [`eval`](Self::eval). A derivative that is
    /// infinite is returned as such: δ^1.5 at δ = 0 has first derivative 0 and second derivative
    /// +∞, `sqrt(δ)` has first derivative +∞. Where a product of vanishing and diverging factors
    /// leaves a derivative undetermined at a zero of the seeded variables, as for `δ*sqrt(δ)` at
    /// δ = 0, the one-sided limit is taken at a distance of 1e-100 in the seeded direction; a
    /// second derivative that diverges is then a huge number instead of ∞. A derivative is NaN
    /// where it is undetermined at another point, or where the value is NaN.
    ///
    /// # Panics
    /// If the number of values is not the number of variables.
    pub fn eval_jet(&self, values: &[Jet]) -> Jet {
        self.check(values.len());
        self.jet(|index| values[index])
    }

    fn jet(&self, variable: impl Fn(usize) -> Jet) -> Jet {
        let mut jet = self.run(&variable);
        if (jet.first.is_nan() || jet.second.is_nan()) && jet.value.is_finite() {
            let ahead = self.run(|index| {
                let jet = variable(index);
                if jet.value == 0.0 { Jet { value: AHEAD * jet.first, ..jet } } else { jet }
            });
            if jet.first.is_nan() {
                jet.first = ahead.first;
            }
            if jet.second.is_nan() {
                jet.second = ahead.second;
            }
        }
        jet
    }

    /// The value and, in `gradient`, its derivative by each variable, each as [`eval_jet`](Self::eval_jet) gives it.
    ///
    /// ```
    /// use jointplay_expression::Expression;
    ///
    /// let law = Expression::parse("8*delta^1.5*(1 + delta_dot)", &["delta", "delta_dot"])?;
    /// let mut gradient = [0.0; 2];
    /// assert_eq!(law.eval_gradient(&[0.25, 1.0], &mut gradient), 2.0);
    /// assert_eq!(gradient, [12.0, 1.0]);
    /// # Ok::<(), jointplay_expression::ExpressionError>(())
    /// ```
    ///
    /// # Panics
    /// If the number of values or of derivatives is not the number of variables.
    pub fn eval_gradient(&self, values: &[f64], gradient: &mut [f64]) -> f64 {
        self.check(values.len());
        self.check(gradient.len());
        let mut value = None;
        for (by, derivative) in gradient.iter_mut().enumerate() {
            let jet = self.jet(seeded(values, by));
            (value, *derivative) = (Some(jet.value), jet.first);
        }
        value.unwrap_or_else(|| self.run(|index| values[index]))
    }

    /// As [`eval_gradient`](Self::eval_gradient), with the second derivatives in `hessian`, row by row.
    ///
    /// ```
    /// use jointplay_expression::Expression;
    ///
    /// let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 4]);
    /// let product = Expression::parse("x^2*y^3", &["x", "y"])?;
    /// product.eval_hessian(&[3.0, 2.0], &mut gradient, &mut hessian);
    /// assert_eq!(hessian, [16.0, 72.0, 72.0, 108.0]);
    /// # Ok::<(), jointplay_expression::ExpressionError>(())
    /// ```
    ///
    /// # Panics
    /// If the number of values or of first derivatives is not the number of variables, or that of second ones not its square.
    pub fn eval_hessian(&self, values: &[f64], gradient: &mut [f64], hessian: &mut [f64]) -> f64 {
        let count = self.variables;
        self.check(values.len());
        self.check(gradient.len());
        assert!(hessian.len() == count * count, "{count} variables have {count}² derivatives");
        for row in 0..count {
            let jet = self.jet(seeded(values, row));
            gradient[row] = jet.first;
            hessian[row * count + row] = jet.second;
            for column in 0..row {
                let mixed = self.mixed(values, row, column);
                hessian[row * count + column] = mixed;
                hessian[column * count + row] = mixed;
            }
        }
        self.run(|index| values[index])
    }

    /// The second derivative by two different variables.
    fn mixed(&self, values: &[f64], r: usize, s: usize) -> f64 {
        let seeded = |ahead: f64| {
            move |index: usize| {
                let seed = |by: usize| f64::from(u8::from(index == by));
                let (by_r, by_s) = (seed(r), seed(s));
                let here = values[index];
                let value = if here == 0.0 { ahead * (by_r + by_s) } else { here };
                Cross { value, by_r, by_s, mixed: 0.0 }
            }
        };
        let cross = self.run(seeded(0.0));
        if cross.mixed.is_nan() && cross.value.is_finite() {
            return self.run(seeded(AHEAD)).mixed;
        }
        cross.mixed
    }

    /// Bounds of the value and of its first and second derivative over stretches of the variables.
    ///
    /// # Panics
    /// If the number of stretches is not the number of variables.
    pub fn eval_interval(&self, stretches: &[JetInterval]) -> JetInterval {
        self.check(stretches.len());
        self.run(|index| stretches[index])
    }

    /// A bound, to first order, of the rounding error of the value at these numbers; not below 0, and NaN where the value or
    /// a slope in it is NaN.
    ///
    /// ```
    /// use jointplay_expression::Expression;
    ///
    /// // What is left of 1 − 1 is rounding.
    /// let square = Expression::parse("50*(1 + tanh(200*x))", &["x"])?;
    /// assert!(square.rounding(&[-1.0]) > 1e-15 && square.rounding(&[-1.0]) < 1e-13);
    /// # Ok::<(), jointplay_expression::ExpressionError>(())
    /// ```
    ///
    /// # Panics
    /// If the number of values is not the number of variables.
    pub fn rounding(&self, values: &[f64]) -> f64 {
        self.check(values.len());
        f64::EPSILON * self.run(|index| Rounded::given(values[index])).error
    }

    fn check(&self, given: usize) {
        assert!(
            given == self.variables,
            "the expression `{}` has {} variables, not {given}",
            self.source,
            self.variables
        );
    }
}

/// The variables as constants, except the one that is derived by.
fn seeded(values: &[f64], by: usize) -> impl Fn(usize) -> Jet {
    move |index| {
        let jet = if index == by { Jet::variable } else { Jet::constant };
        jet(values[index])
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}
