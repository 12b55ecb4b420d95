//! Tables: the cubic spline through points, and the steps that see what it does.

use jointplay_expression::{Curve, Jet, Side, Spline, TableError};

use super::SignalError;

/// A table of time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table(Curve);

jointplay_fingerprint::fingerprint!(struct Table(curve));

impl Table {
    pub(super) fn new(times: &[f64], values: &[f64], spline: Spline) -> Result<Self, SignalError> {
        Curve::new(times, values, spline).map(Self).map_err(|error| of_time(&error))
    }

    /// The times where the table begins and ends, if it does.
    pub(super) fn ends(&self) -> impl Iterator<Item = f64> {
        self.0.ends()
    }

    pub(super) fn jet(&self, t: f64, side: Side) -> Jet {
        self.0.jet(t, side)
    }

    /// The time to the next point (s): the third derivative jumps there, and a step that has the jump inside is of second
    /// order only. Where the next point is all but reached, the time to the one after. Endless outside the table.
    pub(super) fn longest_step(&self, t: f64) -> f64 {
        /// Part of the way between two points that is not worth a step.
        const REACHED: f64 = 1e-6;
        let (t, knots) = (self.0.wrapped(t), self.0.knots());
        let last = knots.len() - 1;
        let next = knots.partition_point(|&knot| knot <= t);
        if next == 0 || (next > last && !self.0.is_periodic()) {
            return f64::INFINITY;
        }
        if next > last {
            return knots[1] - knots[0]; // a period ends, another begins
        }
        let left = knots[next] - t;
        if left > REACHED * (knots[next] - knots[next - 1]) {
            left
        } else if next < last {
            knots[next + 1] - t
        } else if self.0.is_periodic() {
            left + (knots[1] - knots[0])
        } else {
            f64::INFINITY // the end of the table is a break
        }
    }

    /// The distance of the points on both sides (s); endless outside the table.
    pub(super) fn spacing(&self, t: f64) -> f64 {
        let (t, knots) = (self.0.wrapped(t), self.0.knots());
        let next = knots.partition_point(|&knot| knot <= t);
        match (next, knots.get(next)) {
            (1.., Some(knot)) => knot - knots[next - 1],
            _ => f64::INFINITY,
        }
    }
}

/// What is wrong with the points, in terms of time.
fn of_time(error: &TableError) -> SignalError {
    match *error {
        TableError::TooFew { quantity, count, least } => {
            SignalError::TooFew { quantity, count, least }
        }
        TableError::Lengths { inputs, values } => SignalError::Lengths { times: inputs, values },
        TableError::InputNotFinite { index, value } => {
            SignalError::EntryNotFinite { quantity: "time", index, value }
        }
        TableError::ValueNotFinite { index, value } => {
            SignalError::EntryNotFinite { quantity: "value", index, value }
        }
        TableError::NotIncreasing { index, previous, input } => {
            SignalError::NotIncreasing { index, previous, time: input }
        }
        TableError::NotPeriodic { first, last } => SignalError::NotPeriodic { first, last },
        TableError::Overflow => SignalError::Overflow { kind: "table" },
    }
}
