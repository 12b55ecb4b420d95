//! Tables of one input: the cubic spline through points.

use crate::axis::{Axis, Cubic, Side, Spline};
use crate::interval::Interval;
use crate::jet::Jet;
use crate::table_error::TableError;

/// A table of one input: a piecewise cubic with its first two derivatives.
///
/// ```
/// use jointplay_expression::{Curve, Side, Spline};
///
/// let cube = |x: f64| x * x * x;
/// let points = [0.0, 0.1, 0.3, 0.4, 0.8];
/// let table = Curve::new(&points, &points.map(cube), Spline::default())?;
/// let middle = table.jet(0.2, Side::After);
/// assert!((middle.value - 0.008).abs() < 1e-15 && (middle.first - 0.12).abs() < 1e-14);
/// # Ok::<(), jointplay_expression::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    axis: Axis,
    /// One more than knots: `pieces[k]` ends at `knots[k]`, the first and the last are those
    /// outside. Each is a polynomial of the distance from the knot where it starts, the first of
    /// the distance from x₀.
    pieces: Box<[Cubic]>,
}

jointplay_fingerprint::fingerprint!(struct Curve { axis, pieces });

impl Curve {
    /// Through (`inputs[k]`, `values[k]`).
    ///
    /// # Errors
    /// [`TableError`] if the slices differ in length, hold too few points or a number that is
    /// not finite, the inputs do not increase, or the spline overflows.
    pub fn new(inputs: &[f64], values: &[f64], spline: Spline) -> Result<Self, TableError> {
        if inputs.len() != values.len() {
            return Err(TableError::Lengths { inputs: inputs.len(), values: values.len() });
        }
        let axis = Axis::new(inputs, spline)?;
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return Err(TableError::ValueNotFinite { index, value: values[index] });
        }
        axis.admits(values)?;
        let pieces: Box<[Cubic]> = axis.pieces(values, &axis.slopes(values)).collect();
        if !pieces.iter().flatten().all(|number| number.is_finite()) {
            return Err(TableError::Overflow);
        }
        Ok(Self { axis, pieces })
    }

    /// The inputs of the points, increasing.
    pub fn knots(&self) -> &[f64] {
        &self.axis.knots
    }

    /// Whether the table repeats without end.
    pub fn is_periodic(&self) -> bool {
        self.axis.is_periodic()
    }

    /// Where the table begins and ends, if it does.
    pub fn ends(&self) -> impl Iterator<Item = f64> {
        self.axis.ends()
    }

    /// `x` less whole periods, where the table repeats; unchanged inside the table.
    pub fn wrapped(&self, x: f64) -> f64 {
        self.axis.wrapped(x)
    }

    /// Whether value or slope may jump at the ends.
    pub(crate) fn has_kinks(&self) -> bool {
        self.axis.has_kinks()
    }

    /// Value and both derivatives at `x`, which is finite.
    pub fn jet(&self, x: f64, side: Side) -> Jet {
        let (piece, into) = self.axis.locate(x, side);
        Jet::polynomial(&self.pieces[piece], into)
    }

    /// Bounds of value, first and second derivative over an interval.
    pub(crate) fn bounds(&self, stretch: Interval) -> Option<[Interval; 3]> {
        let all =
            self.axis.met(stretch)?.map(|(piece, part)| cubic_bounds(&self.pieces[piece], part));
        all.reduce(|a, b| [0, 1, 2].map(|k: usize| a[k].and(b[k])))
    }
}

/// The smallest and largest values of a cubic and of its derivatives over an interval. They occur
/// at its ends, or where the next derivative vanishes.
fn cubic_bounds(cubic: &Cubic, part: Interval) -> [Interval; 3] {
    let at = |x: f64| Jet::polynomial(cubic, x);
    let [from, to] = [at(part.low), at(part.high)];
    let mut value = Interval::hull(from.value, to.value);
    let mut first = Interval::hull(from.first, to.first);
    let second = Interval::hull(from.second, to.second);
    let inside = |x: &f64| part.low < *x && *x < part.high;
    let [_, c1, c2, c3] = *cubic;
    for x in [-c2 / (3.0 * c3)].into_iter().filter(inside) {
        first = first.and(Interval::point(at(x).first));
    }
    // c₁ + 2c₂x + 3c₃x² = 0, without cancellation
    let root = (c2 * c2 - 3.0 * c1 * c3).sqrt();
    let sum = -(c2 + root.copysign(c2));
    for x in [sum / (3.0 * c3), c1 / sum].into_iter().filter(inside) {
        value = value.and(Interval::point(at(x).value));
    }
    [value, first, second]
}
