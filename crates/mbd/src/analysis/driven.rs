//! Mechanisms whose drivers determine every motion.
//!
//! Positions follow from the constraints alone, by Newton's method from one instant to the next; velocities and
//! accelerations from their first and second derivatives. With the accelerations known, the equations of motion give
//! the efforts of the drivers and all reactions: inverse dynamics.

use crate::equations::{DriftControl, Equations, Mode};
use crate::error::{Error, Open};
use crate::formulation::Formulation;
use crate::frame::{Anchor, BodyId};
use crate::mechanism::{Coordinate, Mechanism};
use crate::snapshot::{PointState, ScalarState, Snapshot};
use crate::trajectory::Trajectory;

/// A prediction that the constraints correct by more than this part of the mechanism's size (or rad) is taken in two
/// halves, lest another branch be met.
const FAR: f64 = 0.05;

/// Halves are taken so often.
const MAX_HALVINGS: i32 = 30;

/// The motion of a driven mechanism, masses and forces left aside.
#[derive(Clone, Debug)]
pub struct Kinematics {
    equations: Equations,
    trajectory: Trajectory,
}

/// The motion and the forces of a driven mechanism.
#[derive(Clone, Debug)]
pub struct Driven {
    equations: Equations,
    trajectory: Trajectory,
}

/// One instant of a [`Kinematics`].
#[derive(Clone, Debug)]
pub struct KinematicState<'e>(Snapshot<'e>);

impl Mechanism {
    /// Positions, velocities and accelerations at these times (s), ascending, of a mechanism whose drivers leave no
    /// freedom. Bodies need no mass; forces and contacts do not matter.
    ///
    /// # Errors
    /// [`Error::NotDriven`] for a mechanism with freedom left, [`Error::Positions`] where it cannot be closed.
    pub fn kinematics(&self, times: &[f64]) -> Result<Kinematics, Error> {
        let equations = Equations::kinematic(self);
        let trajectory = follow(&equations, times)?;
        Ok(Kinematics { equations, trajectory })
    }

    /// Motion, driver efforts and reactions at these times (s), ascending, of a mechanism whose drivers leave no freedom.
    /// Contacts do not act.
    ///
    /// # Errors
    /// As [`kinematics`](Self::kinematics), and where masses are missing.
    pub fn inverse_dynamics(
        &self,
        formulation: Formulation,
        times: &[f64],
    ) -> Result<Driven, Error> {
        let equations = Equations::new(self, formulation, DriftControl::default())?;
        let trajectory = follow(&equations, times)?;
        Ok(Driven { equations, trajectory })
    }
}

impl Kinematics {
    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        self.equations.mechanism()
    }

    /// The number of instants.
    pub fn len(&self) -> usize {
        self.trajectory.len()
    }

    /// Whether no time was asked for.
    pub fn is_empty(&self) -> bool {
        self.trajectory.is_empty()
    }

    /// The times (s).
    pub fn times(&self) -> &[f64] {
        self.trajectory.times()
    }

    /// Instant number `i`.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    ///
    /// # Panics
    /// If there is no such instant.
    pub fn snapshot(&self, i: usize) -> Result<KinematicState<'_>, Error> {
        self.equations.instant(&self.trajectory, i).map(KinematicState)
    }

    /// All instants.
    pub fn snapshots(&self) -> impl ExactSizeIterator<Item = Result<KinematicState<'_>, Error>> {
        self.equations.instants(&self.trajectory).map(|instant| instant.map(KinematicState))
    }

    /// One number for each time.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    pub fn series(
        &self,
        mut channel: impl FnMut(&KinematicState<'_>) -> f64,
    ) -> Result<Vec<f64>, Error> {
        self.snapshots().map(|instant| Ok(channel(&instant?))).collect()
    }
}

impl KinematicState<'_> {
    /// The time (s).
    pub fn t(&self) -> f64 {
        self.0.t()
    }

    /// The motion of a point of a body.
    ///
    /// # Panics
    /// If there is no such body: the id is that of another mechanism.
    pub fn point(&self, anchor: Anchor) -> PointState {
        self.0.point(anchor)
    }

    /// The angle of a body.
    ///
    /// # Panics
    /// If there is no such body: the id is that of another mechanism.
    pub fn angle(&self, body: BodyId) -> ScalarState {
        self.0.angle(body)
    }

    /// A coordinate.
    ///
    /// # Panics
    /// If there is no such body or joint: the id is that of another mechanism.
    pub fn coordinate(&self, coordinate: Coordinate) -> ScalarState {
        self.0.coordinate(coordinate)
    }
}

impl Driven {
    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        self.equations.mechanism()
    }

    /// The number of instants.
    pub fn len(&self) -> usize {
        self.trajectory.len()
    }

    /// Whether no time was asked for.
    pub fn is_empty(&self) -> bool {
        self.trajectory.is_empty()
    }

    /// The times (s).
    pub fn times(&self) -> &[f64] {
        self.trajectory.times()
    }

    /// Instant number `i`.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    ///
    /// # Panics
    /// If there is no such instant.
    pub fn snapshot(&self, i: usize) -> Result<Snapshot<'_>, Error> {
        self.equations.instant(&self.trajectory, i)
    }

    /// All instants.
    pub fn snapshots(&self) -> impl ExactSizeIterator<Item = Result<Snapshot<'_>, Error>> {
        self.equations.instants(&self.trajectory)
    }

    /// One number for each time.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    pub fn series(&self, channel: impl FnMut(&Snapshot<'_>) -> f64) -> Result<Vec<f64>, Error> {
        self.equations.series(&self.trajectory, channel)
    }
}

/// The states at these times.
fn follow(equations: &Equations, times: &[f64]) -> Result<Trajectory, Error> {
    let mut trajectory = Trajectory::default();
    let mut previous = f64::NEG_INFINITY;
    for &value in times {
        if !(value > previous && value.is_finite()) {
            return Err(Error::Setting { name: "time", value, allowed: "times must ascend" });
        }
        previous = value;
    }
    let Some((&first, rest)) = times.split_first() else { return Ok(trajectory) };
    let (mut y, freedom) = equations.closed_start(first)?;
    if freedom > 0 {
        return Err(Error::NotDriven { freedom });
    }
    let mode = equations.all_apart();
    trajectory.push(first, &y, &mode);
    let mut t = first;
    for &next in rest {
        advance(equations, &mut t, &mut y, next, &mode)?;
        trajectory.push(next, &y, &mode);
    }
    Ok(trajectory)
}

/// Takes a closed state on to a later time.
fn advance(
    equations: &Equations,
    t: &mut f64,
    y: &mut Vec<f64>,
    end: f64,
    mode: &Mode,
) -> Result<(), Error> {
    let n = equations.unknown_count();
    let mut evaluation = equations.evaluation();
    let mut halvings = 0;
    while *t < end {
        let evaluated = equations.evaluate(*t, y, mode, &mut evaluation);
        evaluated.map_err(|trouble| equations.evaluation_error(trouble))?;
        let mut h = (end - *t) * 0.5_f64.powi(halvings);
        let next = if halvings == 0 { end } else { *t + h };
        h = next - *t;
        let mut predicted = y.clone();
        for i in 0..n {
            let acceleration = evaluation.work.unknowns[i];
            predicted[i] += h * (y[n + i] + 0.5 * h * acceleration);
            predicted[n + i] += h * acceleration;
        }
        let mut closed = predicted.clone();
        let projected = equations.project_state(next, &mut closed, mode, &mut evaluation);
        let projected = projected.map_err(|trouble| equations.evaluation_error(trouble))?;
        let size = equations.mechanism.length.max(1.0);
        let far = (0..n).any(|i| !((closed[i] - predicted[i]).abs() <= FAR * size));
        if projected.is_ok() && !far {
            *t = next;
            *y = closed;
            halvings = 0;
        } else if halvings < MAX_HALVINGS {
            halvings += 1;
        } else {
            let row = projected.err().unwrap_or(0);
            let (part, unit) = equations.row_name(row);
            let amount = evaluation.work.rows[row].residual;
            let part = format!("{part} at t = {next} s");
            return Err(Error::Positions { open: vec![Open { part, amount, unit }] });
        }
    }
    Ok(())
}
