//! The slopes of a cubic spline at its points, and the cubics between them.

use crate::axis::Cubic;

/// The coefficients of mₖ₋₁, mₖ, mₖ₊₁ in one equation, and its right-hand side.
type Row = ([f64; 3], f64);

/// The intervals between the points, from which the slopes mₖ at the points are found.
pub(crate) struct Chain {
    /// hₖ = xₖ₊₁ − xₖ.
    widths: Vec<f64>,
    /// dₖ = (yₖ₊₁ − yₖ)/hₖ.
    chords: Vec<f64>,
}

impl Chain {
    pub(crate) fn new(inputs: &[f64], values: &[f64]) -> Self {
        let widths: Vec<f64> = inputs.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let rises = values.windows(2).map(|pair| pair[1] - pair[0]);
        let chords = rises.zip(&widths).map(|(rise, width)| rise / width).collect();
        Self { widths, chords }
    }

    /// Continuity of the second derivative at the point between the intervals i and k:
    /// hₖ m₋ + 2(hᵢ + hₖ) m + hᵢ m₊ = 3(hₖ dᵢ + hᵢ dₖ).
    fn smooth(&self, i: usize, k: usize) -> Row {
        let (h, d) = (&self.widths, &self.chords);
        ([h[k], 2.0 * (h[i] + h[k]), h[i]], 3.0 * (h[k] * d[i] + h[i] * d[k]))
    }

    /// The equations of all inner points between `first` and `last`.
    fn between(&self, first: Row, last: Row) -> Vec<Row> {
        let inner = (1..self.widths.len()).map(|k| self.smooth(k - 1, k));
        std::iter::once(first).chain(inner).chain(std::iter::once(last)).collect()
    }

    pub(crate) fn natural(&self) -> Vec<f64> {
        let d = &self.chords;
        let first = ([0.0, 2.0, 1.0], 3.0 * d[0]);
        let last = ([1.0, 2.0, 0.0], 3.0 * d[d.len() - 1]);
        solve(&self.between(first, last))
    }

    /// One cubic over the intervals i (at the end) and k (next to it), from which the slope at
    /// the point two intervals away is eliminated by [`smooth`](Self::smooth):
    /// hₖ m₀ + (hᵢ + hₖ) m₁ = ((3hᵢ + 2hₖ) hₖ dᵢ + hᵢ² dₖ)/(hᵢ + hₖ).
    pub(crate) fn not_a_knot(&self) -> Vec<f64> {
        let (h, d, n) = (&self.widths, &self.chords, self.widths.len());
        let right = |i: usize, k: usize| {
            ((3.0 * h[i] + 2.0 * h[k]) * h[k] * d[i] + h[i] * h[i] * d[k]) / (h[i] + h[k])
        };
        let first = ([0.0, h[1], h[0] + h[1]], right(0, 1));
        let last = ([h[n - 1] + h[n - 2], h[n - 2], 0.0], right(n - 1, n - 2));
        solve(&self.between(first, last))
    }

    /// The cyclic system is tridiagonal plus a product of two vectors u vᵀ with
    /// u = (γ, 0, …, 0, α) and v = (1, 0, …, 0, β/γ), where α and β are the two corners:
    /// Sherman–Morrison.
    pub(crate) fn periodic(&self) -> Vec<f64> {
        let n = self.widths.len();
        let mut rows: Vec<Row> = (0..n).map(|k| self.smooth((k + n - 1) % n, k)).collect();
        let (alpha, beta) = (rows[n - 1].0[2], rows[0].0[0]);
        let gamma = -rows[0].0[1];
        rows[0].0[1] -= gamma;
        rows[n - 1].0[1] -= alpha * beta / gamma;
        let y = solve(&rows);
        for (k, row) in rows.iter_mut().enumerate() {
            row.1 = if k == 0 {
                gamma
            } else if k == n - 1 {
                alpha
            } else {
                0.0
            };
        }
        let z = solve(&rows);
        let along_v = |x: &[f64]| x[0] + beta / gamma * x[n - 1];
        let share = along_v(&y) / (1.0 + along_v(&z));
        let mut slopes: Vec<f64> = y.iter().zip(&z).map(|(y, z)| y - share * z).collect();
        slopes.push(slopes[0]);
        slopes
    }

    /// The cubic of each interval from the values and slopes at its ends.
    pub(crate) fn cubics(&self, values: &[f64], slopes: &[f64]) -> Vec<Cubic> {
        let pieces = self.widths.iter().zip(&self.chords).zip(values).zip(slopes.windows(2));
        pieces
            .map(|(((h, d), &y), m)| {
                let bend = (3.0 * d - 2.0 * m[0] - m[1]) / h;
                [y, m[0], bend, (m[0] + m[1] - 2.0 * d) / h / h]
            })
            .collect()
    }
}

/// Gaussian elimination of a tridiagonal system; the first entry of the first row and the third
/// of the last are not used.
///
/// Without exchange of rows, which the systems of this file do not need: their pivots are
/// positive, and in the inner rows the diagonal is twice the sum of its neighbours.
fn solve(rows: &[Row]) -> Vec<f64> {
    let mut eliminated: Vec<(f64, f64)> = Vec::with_capacity(rows.len());
    let (mut upper, mut right) = (0.0, 0.0);
    for &([below, diagonal, above], value) in rows {
        let pivot = diagonal - below * upper;
        upper = above / pivot;
        right = (value - below * right) / pivot;
        eliminated.push((upper, right));
    }
    let mut next = 0.0;
    let mut solution: Vec<f64> = Vec::with_capacity(rows.len());
    for &(upper, right) in eliminated.iter().rev() {
        next = right - upper * next;
        solution.push(next);
    }
    solution.reverse();
    solution
}
