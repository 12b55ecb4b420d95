//! Tables of two inputs: the product of two cubic splines through the points of a grid.

use crate::axis::{Axis, Side, Spline};
use crate::interval::Interval;
use crate::jet::Jet;
use crate::table_error::TableError;

/// A table of two inputs: a piecewise bicubic that is twice continuously differentiable inside its grid.
///
/// Along each input it behaves like a [`Curve`](crate::Curve), also outside the grid.
///
/// ```
/// use jointplay_expression::{Spline, Surface};
///
/// let (x, y) = ([0.0, 1.0, 2.0, 4.0], [0.0, 2.0, 3.0, 5.0]);
/// let values: Vec<f64> = x.iter().flat_map(|x| y.map(|y| x * x * y)).collect();
/// let table = Surface::new(&x, &y, &values, [Spline::default(); 2])?;
/// assert!((table.at(3.0, 4.0).value - 36.0).abs() < 1e-12);
/// assert!((table.at(3.0, 4.0).xy - 6.0).abs() < 1e-12);
/// # Ok::<(), jointplay_expression::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    axes: [Axis; 2],
    /// Row by row of the pieces of the first input.
    patches: Box<[Patch]>,
}

jointplay_fingerprint::fingerprint!(struct Surface { axes, patches });

/// `patch[k]` is a cubic in the second input: the factor of the k-th power of the first.
type Patch = [[f64; 4]; 4];

/// A function of two inputs at one place, with its partial derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partials {
    /// f.
    pub value: f64,
    /// ∂f/∂x.
    pub x: f64,
    /// ∂f/∂y.
    pub y: f64,
    /// ∂²f/∂x².
    pub xx: f64,
    /// ∂²f/∂x∂y.
    pub xy: f64,
    /// ∂²f/∂y².
    pub yy: f64,
}

impl Surface {
    /// Through `values`: first the values at `xs[0]`, one for each of `ys`, then those at `xs[1]`,
    /// and so on; with a spline for each input.
    ///
    /// # Errors
    /// [`TableError`] if there is not one value for each pair of inputs, an input has too few
    /// points or does not increase, a number is not finite, a periodic table does not end with the
    /// value at its start, or the splines overflow.
    pub fn new(
        xs: &[f64],
        ys: &[f64],
        values: &[f64],
        splines: [Spline; 2],
    ) -> Result<Self, TableError> {
        let (columns, rows) = (xs.len(), ys.len());
        if Some(values.len()) != columns.checked_mul(rows) {
            let inputs = columns.saturating_mul(rows);
            return Err(TableError::Lengths { inputs, values: values.len() });
        }
        let axes = [Axis::new(xs, splines[0])?, Axis::new(ys, splines[1])?];
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return Err(TableError::ValueNotFinite { index, value: values[index] });
        }
        let [along_x, along_y] = &axes;
        // f and ∂f/∂y at the knots, first by lines of constant x, then by lines of constant y.
        let lines: Vec<&[f64]> = values.chunks_exact(rows).collect();
        lines.iter().try_for_each(|line| along_y.admits(line))?;
        let slopes: Vec<Vec<f64>> = lines.iter().map(|line| along_y.slopes(line)).collect();
        // The powers of x between two lines of constant x, for each y.
        let mut powers = Vec::with_capacity(rows);
        for row in 0..rows {
            let line: Vec<f64> = lines.iter().map(|line| line[row]).collect();
            let slope: Vec<f64> = slopes.iter().map(|line| line[row]).collect();
            along_x.admits(&line)?;
            let values: Vec<[f64; 4]> = along_x.pieces(&line, &along_x.slopes(&line)).collect();
            let slopes: Vec<[f64; 4]> = along_x.pieces(&slope, &along_x.slopes(&slope)).collect();
            powers.push((values, slopes));
        }
        // Each power of x is a spline in y, by its values and slopes at the knots.
        let mut patches = vec![[[0.0; 4]; 4]; (columns + 1) * (rows + 1)];
        for column in 0..=columns {
            for power in 0..4 {
                let of = |pieces: &Vec<[f64; 4]>| pieces[column][power];
                let values: Vec<f64> = powers.iter().map(|(values, _)| of(values)).collect();
                let slopes: Vec<f64> = powers.iter().map(|(_, slopes)| of(slopes)).collect();
                for (row, cubic) in along_y.pieces(&values, &slopes).enumerate() {
                    patches[column * (rows + 1) + row][power] = cubic;
                }
            }
        }
        if !patches.iter().flatten().flatten().all(|number| number.is_finite()) {
            return Err(TableError::Overflow);
        }
        Ok(Self { axes, patches: patches.into() })
    }

    fn patch(&self, column: usize, row: usize) -> &Patch {
        &self.patches[column * (self.axes[1].knots.len() + 1) + row]
    }

    /// Value and partial derivatives; on an edge of the grid, those for larger inputs.
    pub fn at(&self, x: f64, y: f64) -> Partials {
        let (column, x) = self.axes[0].locate(x, Side::After);
        let (row, y) = self.axes[1].locate(y, Side::After);
        let powers = self.patch(column, row).map(|cubic| Jet::polynomial(&cubic, y));
        let by_x = |coefficients: [f64; 4]| Jet::polynomial(&coefficients, x);
        let value = by_x(powers.map(|power| power.value));
        let first = by_x(powers.map(|power| power.first));
        let second = by_x(powers.map(|power| power.second));
        Partials {
            value: value.value,
            x: value.first,
            y: first.value,
            xx: value.second,
            xy: first.first,
            yy: second.value,
        }
    }

    /// Whether value or slope may jump at the edges.
    pub(crate) fn has_kinks(&self) -> bool {
        self.axes.iter().any(Axis::has_kinks)
    }

    /// Bounds of [`at`](Self::at) over intervals of both inputs, in the order of [`Partials`].
    pub(crate) fn bounds(&self, x: Interval, y: Interval) -> Option<[Interval; 6]> {
        let mut all: Option<[Interval; 6]> = None;
        for (column, x) in self.axes[0].met(x)? {
            for (row, y) in self.axes[1].met(y)? {
                let these = patch_bounds(self.patch(column, row), x, y);
                all = Some(match all {
                    None => these,
                    Some(others) => [0, 1, 2, 3, 4, 5].map(|k: usize| others[k].and(these[k])),
                });
            }
        }
        all
    }
}

fn patch_bounds(patch: &Patch, x: Interval, y: Interval) -> [Interval; 6] {
    let powers = patch.map(|cubic| polynomial_bounds(cubic.map(Interval::point), y));
    let [value, x1, xx] = polynomial_bounds(powers.map(|power| power[0]), x);
    let [y1, xy, _] = polynomial_bounds(powers.map(|power| power[1]), x);
    let [yy, ..] = polynomial_bounds(powers.map(|power| power[2]), x);
    [value, x1, y1, xx, xy, yy]
}

/// Bounds of a cubic and of its derivatives.
fn polynomial_bounds([c0, c1, c2, c3]: [Interval; 4], x: Interval) -> [Interval; 3] {
    let times = |c: Interval, factor: f64| c * Interval::point(factor);
    [
        c0 + x * (c1 + x * (c2 + x * c3)),
        c1 + x * (times(c2, 2.0) + x * times(c3, 3.0)),
        times(c2, 2.0) + x * times(c3, 6.0),
    ]
}
