//! Arithmetic expressions in text: force laws and drivers that a user writes.
//!
//! A text such as `K*delta^1.5*(1 + 0.3*delta_dot)` becomes an [`Expression`] once; after that an
//! evaluation neither allocates nor fails. Derivatives come from [`Jet`]s, not from differences.
//! The crate knows nothing of mechanics: names and meaning of the variables are the caller's.
//!
//! # Grammar
//! | what | how |
//! |---|---|
//! | numbers | `2`, `2.5`, `.5`, `1e-3` |
//! | operators, loose to tight | `+ -`, then `* /` (also `·`, `×`), then the sign, then `^` |
//! | powers | from the right, tighter than the sign: `2^3^2` = 2⁹, `-x^2` = −(x²), `2^-1` = ½ |
//! | constants | `pi`, `π`, `e`, unless a variable has that name |
//! | one argument | `sin cos tan asin acos atan sinh cosh tanh exp ln log10 sqrt cbrt abs` |
//! | | `sign(x)`: −1, 0 or 1; `step(x)`: 0 for x < 0, else 1 |
//! | more arguments | `atan2(y, x)`, `min(a, b)`, `max(a, b)`, `pow(x, y)` |
//! | | `clamp(x, low, high)` = min(max(x, low), high) |
//! | cases | `if(a < b, yes, no)` with `<`, `<=`, `>`, `>=` (also `≤`, `≥`) |
//! | symbols | `δ` is the variable `delta`, `δ̇` the variable `delta_dot` |
//!
//! Angles are in radians. There is no implicit multiplication and no assignment.
//!
//! # Arithmetic
//! IEEE 754: `1/0` is infinite, `sqrt(-1)` and `(-1)^1.5` are NaN, and NaN stays NaN through
//! `min`, `max`, `clamp`, `step` and the condition of `if`. Both arms of `if` are evaluated; the
//! one not chosen has no influence on the result. Constant parts are computed once, in the order
//! in which they are written.

// docs/adr/0015: the page and the program give the same bits.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod code;
mod error;
mod interval;
mod jet;
mod lexer;
mod parser;
mod real;
mod rounding;
#[cfg(test)]
mod tests;

use std::fmt;

pub use error::ExpressionError;
pub use interval::{Interval, JetInterval};
pub use jet::Jet;

use code::{Op, run};
use rounding::Rounded;

/// SHA-256 of the sources of this crate: results say which ones made them.
pub const SOURCE_HASH: &str = env!("SOURCE_HASH");

/// How far [`Expression::eval_jet`] steps away from a point where a derivative is 0·∞ [unit of
/// the variable]: small against any quantity, and its square and cube are still `f64` numbers.
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
    variables: usize,
}

/// An expression may have so many bytes.
pub const MAX_LENGTH: usize = 1 << 16;

impl Expression {
    /// Reads `source`, in which the names in `variables` may occur. It may have [`MAX_LENGTH`] bytes.
    ///
    /// The values given to [`eval`](Self::eval) are in the order of `variables`.
    pub fn parse(source: &str, variables: &[&str]) -> Result<Self, ExpressionError> {
        if source.len() > MAX_LENGTH {
            let (length, most, span) = (source.len(), MAX_LENGTH, 0..0);
            return Err(ExpressionError::TooLong { length, most, span });
        }
        let code = parser::compile(source, variables)?;
        Ok(Self { source: source.into(), code: code.into(), variables: variables.len() })
    }

    /// The text the expression was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The first function in the program whose value or slope may jump: `abs`, `sign`, `step`, `min`, `max`, `clamp`
    /// or `if` of something that is not constant.
    pub fn first_kink(&self) -> Option<&'static str> {
        self.code.iter().find_map(|op| op.kink())
    }

    /// The value, given one number per variable.
    ///
    /// # Panics
    /// If the number of values is not the number of variables.
    pub fn eval(&self, values: &[f64]) -> f64 {
        self.check(values.len());
        run(&self.code, |index| values[index])
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
        let mut jet = run(&self.code, |index| values[index]);
        if (jet.first.is_nan() || jet.second.is_nan()) && jet.value.is_finite() {
            let ahead = run(&self.code, |index| {
                let jet = values[index];
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

    /// Bounds of the value and of its first and second derivative over stretches of the variables.
    ///
    /// # Panics
    /// If the number of stretches is not the number of variables.
    pub fn eval_interval(&self, stretches: &[JetInterval]) -> JetInterval {
        self.check(stretches.len());
        run(&self.code, |index| stretches[index])
    }

    /// A bound, to first order, of the rounding in the value at these numbers; not below 0, and no number where the value or
    /// a slope in it is none.
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
        f64::EPSILON * run(&self.code, |index| Rounded::given(values[index])).error
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

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}
