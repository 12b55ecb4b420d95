//! One input of a table: its points, the interpolation between them, and the continuation outside.

use crate::interval::Interval;
use crate::spline::Chain;
use crate::table_error::TableError;

/// The interpolation of a table, and its continuation outside.
///
/// All three are cubic between neighbouring points and twice continuously differentiable inside
/// the table. They differ in two conditions that the points do not determine.
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
    /// line. Where the true second derivative does not vanish the error near an end is of order h².
    Natural {
        /// What happens outside.
        outside: Outside,
    },
    /// The table is one period and repeats without end; value and both derivatives go on
    /// smoothly from its end to its start. At least 4 points, the last value equal to the first.
    Periodic,
}

jointplay_fingerprint::fingerprint!(enum Spline { NotAKnot { outside }, Natural { outside }, Periodic });

impl Default for Spline {
    /// Not-a-knot, held outside.
    fn default() -> Self {
        Self::NotAKnot { outside: Outside::default() }
    }
}

/// The value of a table before its first and after its last point.
///
/// The end points belong to the piece on their right: the first point counts as inside, the last as outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// The value at the nearest end, with zero derivatives, so that nothing grows without bound in
    /// a simulation that lasts longer than its table. The slope jumps unless the table ends flat; a
    /// driver that is still moving there needs [`Extend`](Self::Extend).
    #[default]
    Hold,
    /// A straight line with the value and the slope at the nearest end. Value and slope are
    /// continuous, the second derivative drops to zero.
    Extend,
    /// Zero: a load that acts only during the table. The value jumps unless the table ends at
    /// zero.
    Zero,
}

jointplay_fingerprint::fingerprint!(
    enum Outside {
        Hold,
        Extend,
        Zero,
    }
);

/// The side from which a table is evaluated where it jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The limit from below.
    Before,
    /// The limit from above.
    After,
}

impl Side {
    /// Whether `x`, seen from this side, lies after a break at `at`.
    pub fn past(self, x: f64, at: f64) -> bool {
        match self {
            Self::Before => x > at,
            Self::After => x >= at,
        }
    }
}

/// Coefficients of a cubic in x − xₖ, ascending.
pub(crate) type Cubic = [f64; 4];

/// The points of one input, with its interpolation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    /// x₀ < x₁ < … < xₙ.
    pub(crate) knots: Box<[f64]>,
    spline: Spline,
}

jointplay_fingerprint::fingerprint!(struct Axis { knots, spline });

impl Axis {
    pub(crate) fn new(inputs: &[f64], spline: Spline) -> Result<Self, TableError> {
        let (quantity, least) = match spline {
            Spline::NotAKnot { .. } => ("points of a not-a-knot spline", 4),
            Spline::Natural { .. } => ("points of a natural spline", 2),
            Spline::Periodic => ("points of a periodic spline", 4),
        };
        if inputs.len() < least {
            return Err(TableError::TooFew { quantity, count: inputs.len(), least });
        }
        if let Some(index) = inputs.iter().position(|input| !input.is_finite()) {
            return Err(TableError::InputNotFinite { index, value: inputs[index] });
        }
        if let Some(index) = inputs.windows(2).position(|pair| pair[1] <= pair[0]) {
            let (previous, input) = (inputs[index], inputs[index + 1]);
            return Err(TableError::NotIncreasing { index: index + 1, previous, input });
        }
        if !(inputs[inputs.len() - 1] - inputs[0]).is_finite() {
            return Err(TableError::Overflow);
        }
        Ok(Self { knots: inputs.into(), spline })
    }

    /// Whether the values may be repeated.
    pub(crate) fn admits(&self, values: &[f64]) -> Result<(), TableError> {
        let (first, last) = (values[0], values[values.len() - 1]);
        if self.is_periodic() && first != last {
            return Err(TableError::NotPeriodic { first, last });
        }
        Ok(())
    }

    pub(crate) fn is_periodic(&self) -> bool {
        self.spline == Spline::Periodic
    }

    /// Where the table begins and ends, if it does.
    pub(crate) fn ends(&self) -> impl Iterator<Item = f64> {
        let ends = [self.knots[0], self.knots[self.knots.len() - 1]];
        ends.into_iter().filter(|_| !self.is_periodic())
    }

    /// Whether value or slope may jump at the ends.
    pub(crate) fn has_kinks(&self) -> bool {
        match self.spline {
            Spline::NotAKnot { outside } | Spline::Natural { outside } => {
                outside != Outside::Extend
            }
            Spline::Periodic => false,
        }
    }

    /// The slopes at the knots.
    pub(crate) fn slopes(&self, values: &[f64]) -> Vec<f64> {
        let chain = Chain::new(&self.knots, values);
        match self.spline {
            Spline::NotAKnot { .. } => chain.not_a_knot(),
            Spline::Natural { .. } => chain.natural(),
            Spline::Periodic => chain.periodic(),
        }
    }

    /// The cubics before, between and after the knots.
    pub(crate) fn pieces(&self, values: &[f64], slopes: &[f64]) -> impl Iterator<Item = Cubic> {
        let inner = Chain::new(&self.knots, values).cubics(values, slopes);
        let last = self.knots.len() - 1;
        let [before, after] = match self.spline {
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
        std::iter::once(before).chain(inner).chain(std::iter::once(after))
    }

    /// The piece at `x`, and the distance of `x` from its beginning.
    pub(crate) fn locate(&self, x: f64, side: Side) -> (usize, f64) {
        let x = self.wrapped(x);
        let piece = self.knots.partition_point(|&knot| side.past(x, knot));
        (piece, x - self.knots[piece.saturating_sub(1)])
    }

    /// `x` less whole periods, where the table repeats; unchanged inside the table.
    pub(crate) fn wrapped(&self, x: f64) -> f64 {
        let (start, end) = (self.knots[0], self.knots[self.knots.len() - 1]);
        if !self.is_periodic() || (start..=end).contains(&x) {
            x
        } else {
            start + (x - start).rem_euclid(end - start)
        }
    }

    /// Every piece that an interval overlaps, each with the overlap; `None` if the interval
    /// contains a kink or is not valid.
    pub(crate) fn met(&self, stretch: Interval) -> Option<impl Iterator<Item = (usize, Interval)>> {
        let Interval { low, high } = stretch;
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        if self.has_kinks() && self.ends().any(|end| low < end && end < high) {
            return None;
        }
        let (start, end) = (self.knots[0], self.knots[self.knots.len() - 1]);
        // A periodic table overlaps in up to two parts: one up to the end of the period, and one
        // from its start.
        let parts = if !self.is_periodic() {
            [Some([low, high]), None]
        } else if high - low >= end - start {
            [Some([start, end]), None]
        } else {
            let first = self.wrapped(low);
            let last = first + (high - low);
            let beyond = (last > end).then_some([start, last - (end - start)]);
            [Some([first, last.min(end)]), beyond]
        };
        let pieces = move |[low, high]: [f64; 2]| {
            let first = self.knots.partition_point(|&knot| Side::After.past(low, knot));
            let last = self.knots.partition_point(|&knot| Side::Before.past(high, knot));
            (first..=last.max(first)).map(move |piece| {
                let origin = self.knots[piece.saturating_sub(1)];
                let from = if piece == first { low } else { origin };
                let to = if piece >= last { high } else { self.knots[piece] };
                (piece, Interval::hull(from - origin, to - origin))
            })
        };
        Some(parts.into_iter().flatten().flat_map(pieces))
    }
}
