//! Tables: the cubic spline through points.

use jointplay_expression::Jet;

use super::smooth::horner;
use super::{Side, SignalError};

/// How a table is interpolated, and what happens outside it.
///
/// All three are cubic between neighbouring points and twice continuously differentiable inside
/// the table. They differ in the two conditions that the points leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spline {
    /// The third derivative does not jump at the second and the last but one point: one cubic
    /// reaches over the first two intervals, one over the last two.
    ///
    /// Reproduces cubics, and has an error of order h⁴ up to the ends. At least 4 points.
    NotAKnot {
        /// What happens outside.
        outside: Outside,
    },
    /// The second derivative vanishes at both ends. At least 2 points, which give a straight
    /// line. Where the true acceleration does not vanish the error near an end is of order h².
    Natural {
        /// What happens outside.
        outside: Outside,
    },
    /// The table is one period and repeats for all times; value, rate and acceleration go on
    /// smoothly from its end to its start. At least 4 points, the last value equal to the first.
    Periodic,
}

impl Default for Spline {
    /// Not-a-knot, held outside.
    fn default() -> Self {
        Self::NotAKnot { outside: Outside::default() }
    }
}

/// The signal before the first and after the last point of a table.
///
/// At an end itself the signal is the one of later times: inside at the first point, outside at
/// the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// The value at the nearest end, with zero derivatives: nothing runs away in a simulation
    /// that outlasts its table. The rate jumps unless the table ends at rest; a driver that is
    /// still moving there needs [`Extend`](Self::Extend).
    #[default]
    Hold,
    /// A straight line with the value and the rate at the nearest end. Value and rate are
    /// continuous, the acceleration drops to zero.
    Extend,
    /// Zero: a load that acts only during the table. The value jumps unless the table ends at
    /// zero.
    Zero,
}

/// Coefficients of a cubic in t − tₖ, ascending.
type Cubic = [f64; 4];

/// A piecewise cubic.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    /// t₀ < t₁ < … < tₙ.
    knots: Box<[f64]>,
    /// One more than knots: `pieces[k]` ends at `knots[k]`, the first and the last are those
    /// outside. Each is a polynomial of the time since the knot where it starts, the first of
    /// the time since t₀.
    pieces: Box<[Cubic]>,
    periodic: bool,
}

impl Table {
    pub(super) fn new(times: &[f64], values: &[f64], spline: Spline) -> Result<Self, SignalError> {
        check(times, values, spline)?;
        let chain = Chain::new(times, values);
        let slopes = match spline {
            Spline::NotAKnot { .. } => chain.not_a_knot(),
            Spline::Natural { .. } => chain.natural(),
            Spline::Periodic => chain.periodic(),
        };
        let inner = chain.cubics(values, &slopes);
        let last = times.len() - 1;
        let [before, after] = match spline {
            Spline::NotAKnot { outside } | Spline::Natural { outside } => {
                [0, last].map(|end| match outside {
                    Outside::Hold => [values[end], 0.0, 0.0, 0.0],
                    Outside::Extend => [values[end], slopes[end], 0.0, 0.0],
                    Outside::Zero => [0.0; 4],
                })
            }
            // never far outside: at an end, and one rounding beyond it
            Spline::Periodic => [inner[0], inner[0]],
        };
        let pieces: Box<[Cubic]> =
            std::iter::once(before).chain(inner).chain(std::iter::once(after)).collect();
        let span = times[last] - times[0];
        if !(span.is_finite() && pieces.iter().flatten().all(|number| number.is_finite())) {
            return Err(SignalError::Overflow { kind: "table" });
        }
        Ok(Self { knots: times.into(), pieces, periodic: spline == Spline::Periodic })
    }

    /// The times where the table begins and ends, if it does.
    pub(super) fn ends(&self) -> impl Iterator<Item = f64> {
        let ends = [self.knots[0], self.knots[self.knots.len() - 1]];
        ends.into_iter().filter(|_| !self.periodic)
    }

    pub(super) fn jet(&self, t: f64, side: Side) -> Jet {
        let t = if self.periodic { self.wrapped(t) } else { t };
        let piece = self.knots.partition_point(|&knot| side.past(t, knot));
        horner(&self.pieces[piece], t - self.knots[piece.saturating_sub(1)])
    }

    /// The time to the next point (s): the third derivative jumps there, and a step that has the jump inside is of second
    /// order only. Where the next point is all but reached, the time to the one after. Endless outside the table.
    pub(super) fn longest_step(&self, t: f64) -> f64 {
        /// Part of the way between two points that is not worth a step.
        const REACHED: f64 = 1e-6;
        let t = if self.periodic { self.wrapped(t) } else { t };
        let last = self.knots.len() - 1;
        let next = self.knots.partition_point(|&knot| knot <= t);
        if next == 0 || (next > last && !self.periodic) {
            return f64::INFINITY;
        }
        if next > last {
            return self.knots[1] - self.knots[0]; // a period ends, another begins
        }
        let left = self.knots[next] - t;
        if left > REACHED * (self.knots[next] - self.knots[next - 1]) {
            left
        } else if next < last {
            self.knots[next + 1] - t
        } else if self.periodic {
            left + (self.knots[1] - self.knots[0])
        } else {
            f64::INFINITY // the end of the table is a break
        }
    }

    /// The distance of the points on both sides (s); endless outside the table.
    pub(super) fn spacing(&self, t: f64) -> f64 {
        let t = if self.periodic { self.wrapped(t) } else { t };
        let next = self.knots.partition_point(|&knot| knot <= t);
        match (next, self.knots.get(next)) {
            (1.., Some(knot)) => knot - self.knots[next - 1],
            _ => f64::INFINITY,
        }
    }

    /// `t` less whole periods; unchanged inside the table.
    fn wrapped(&self, t: f64) -> f64 {
        let (start, end) = (self.knots[0], self.knots[self.knots.len() - 1]);
        if (start..=end).contains(&t) { t } else { start + (t - start).rem_euclid(end - start) }
    }
}

/// What every table and the given spline ask of the points.
fn check(times: &[f64], values: &[f64], spline: Spline) -> Result<(), SignalError> {
    if times.len() != values.len() {
        return Err(SignalError::Lengths { times: times.len(), values: values.len() });
    }
    let (quantity, least) = match spline {
        Spline::NotAKnot { .. } => ("points of a not-a-knot spline", 4),
        Spline::Natural { .. } => ("points of a natural spline", 2),
        Spline::Periodic => ("points of a periodic spline", 4),
    };
    if times.len() < least {
        return Err(SignalError::TooFew { quantity, count: times.len(), least });
    }
    for (quantity, numbers) in [("time", times), ("value", values)] {
        if let Some(index) = numbers.iter().position(|number| !number.is_finite()) {
            return Err(SignalError::EntryNotFinite { quantity, index, value: numbers[index] });
        }
    }
    if let Some(index) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
        let (previous, time) = (times[index], times[index + 1]);
        return Err(SignalError::NotIncreasing { index: index + 1, previous, time });
    }
    let (first, last) = (values[0], values[values.len() - 1]);
    if spline == Spline::Periodic && first != last {
        return Err(SignalError::NotPeriodic { first, last });
    }
    Ok(())
}

/// The coefficients of mₖ₋₁, mₖ, mₖ₊₁ in one equation, and its right-hand side.
type Row = ([f64; 3], f64);

/// The intervals between the points, from which the slopes mₖ at the points are found.
struct Chain {
    /// hₖ = tₖ₊₁ − tₖ, s.
    widths: Vec<f64>,
    /// dₖ = (yₖ₊₁ − yₖ)/hₖ.
    chords: Vec<f64>,
}

impl Chain {
    fn new(times: &[f64], values: &[f64]) -> Self {
        let widths: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
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

    fn natural(&self) -> Vec<f64> {
        let d = &self.chords;
        let first = ([0.0, 2.0, 1.0], 3.0 * d[0]);
        let last = ([1.0, 2.0, 0.0], 3.0 * d[d.len() - 1]);
        solve(&self.between(first, last))
    }

    /// One cubic over the intervals i (at the end) and k (next to it), from which the slope at
    /// the point two intervals away is eliminated by [`smooth`](Self::smooth):
    /// hₖ m₀ + (hᵢ + hₖ) m₁ = ((3hᵢ + 2hₖ) hₖ dᵢ + hᵢ² dₖ)/(hᵢ + hₖ).
    fn not_a_knot(&self) -> Vec<f64> {
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
    fn periodic(&self) -> Vec<f64> {
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
    fn cubics(&self, values: &[f64], slopes: &[f64]) -> Vec<Cubic> {
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
