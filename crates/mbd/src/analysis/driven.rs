//! Mechanisms whose drivers determine every motion.
//!
//! Positions follow from the constraints alone, by Newton's method from one instant to the next; velocities and
//! accelerations from their first and second derivatives. With the accelerations known, the equations of motion give
//! the efforts of the drivers and all reactions: inverse dynamics.

use crate::equations::{DriftControl, Equations, Mode};
use crate::error::{Error, Open};
use crate::formulation::{Formulation, REDUNDANT};
use crate::frame::{Anchor, BodyId};
use crate::mechanism::{Coordinate, Mechanism};
use crate::snapshot::{PointState, ScalarState, Snapshot};
use crate::trajectory::Trajectory;

/// A step is halved if the constraints correct its prediction by more than this fraction of the mechanism's size (or rad), or of
/// the speed, because it might reach another branch.
const FAR: f64 = 0.05;

/// If nothing moves farther than this fraction of the mechanism's size (or rad) in a step, the step
/// is not judged by speeds.
const BEGINNING: f64 = 1e-6;

/// Maximum number of times a step is halved.
const MAX_HALVINGS: i32 = 30;

/// Constraints that add less than this fraction of what they would add alone do not determine the motion: they are not projected.
const WEAK: f64 = 1e-4;

/// Maximum number of attempts to find states around a singular position, each time twice as far
/// away.
const MAX_WIDENINGS: usize = 6;

/// The instants for which the motion of a driven mechanism was computed.
#[derive(Clone, Debug)]
pub struct Instants {
    equations: Equations,
    trajectory: Trajectory,
}

/// The motion of a driven mechanism, regardless of masses and forces.
#[derive(Clone, Debug)]
pub struct Kinematics(Instants);

/// The motion and the forces of a driven mechanism.
#[derive(Clone, Debug)]
pub struct Driven(Instants);

impl std::ops::Deref for Kinematics {
    type Target = Instants;

    fn deref(&self) -> &Instants {
        &self.0
    }
}

impl std::ops::Deref for Driven {
    type Target = Instants;

    fn deref(&self) -> &Instants {
        &self.0
    }
}

/// One instant of a [`Kinematics`].
#[derive(Clone, Debug)]
pub struct KinematicState<'e>(Snapshot<'e>);

impl Mechanism {
    /// Positions, velocities and accelerations at these times (s), ascending, of a mechanism whose drivers leave no
    /// freedom. Bodies need no mass; forces and contacts have no effect.
    ///
    /// Where branches of the motion meet, as in a change point of a linkage, the branch that continues with the same
    /// velocity is taken. At such a point the constraints do not determine the accelerations, and those given are not those of
    /// the motion.
    ///
    /// # Errors
    /// [`Error::NotDriven`] if the drivers leave a degree of freedom, [`Error::Positions`] where the mechanism cannot be closed.
    pub fn kinematics(&self, times: &[f64]) -> Result<Kinematics, Error> {
        let equations = Equations::kinematic(self);
        let trajectory = follow(&equations, times)?;
        Ok(Kinematics(Instants { equations, trajectory }))
    }

    /// Motion, driver efforts and reactions at these times (s), ascending, of a mechanism whose drivers leave no freedom.
    /// Contacts do not act.
    ///
    /// # Errors
    /// As [`kinematics`](Self::kinematics), and if masses are missing.
    pub fn inverse_dynamics(
        &self,
        formulation: Formulation,
        times: &[f64],
    ) -> Result<Driven, Error> {
        let equations = Equations::new(self, formulation, DriftControl::default())?;
        let trajectory = follow(&equations, times)?;
        Ok(Driven(Instants { equations, trajectory }))
    }
}

impl Instants {
    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        self.equations.mechanism()
    }

    /// The number of instants.
    pub fn len(&self) -> usize {
        self.trajectory.len()
    }

    /// Whether no time was requested.
    pub fn is_empty(&self) -> bool {
        self.trajectory.is_empty()
    }

    /// The times (s).
    pub fn times(&self) -> &[f64] {
        self.trajectory.times()
    }
}

impl Kinematics {
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
    /// If there is no such body, because the id belongs to another mechanism.
    pub fn point(&self, anchor: Anchor) -> PointState {
        self.0.point(anchor)
    }

    /// The angle of a body.
    ///
    /// # Panics
    /// If there is no such body, because the id belongs to another mechanism.
    pub fn angle(&self, body: BodyId) -> ScalarState {
        self.0.angle(body)
    }

    /// A coordinate.
    ///
    /// # Panics
    /// If there is no such body or joint, because the id belongs to another mechanism.
    pub fn coordinate(&self, coordinate: Coordinate) -> ScalarState {
        self.0.coordinate(coordinate)
    }
}

impl Driven {
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
    let permanent = equations.weak_rows(first, &y, REDUNDANT)?;
    let regular = |t: f64, y: &[f64]| Ok(equations.weak_rows(t, y, WEAK)? <= permanent);
    for &next in rest {
        let (mut at, mut state) = (t, y.clone());
        advance(equations, &mut at, &mut state, next, &mode)?;
        if regular(next, &state)? {
            (t, y) = (at, state.clone());
        } else if let Some(between) = bridge(equations, &mut t, &mut y, next, &mode, &regular)? {
            state = between;
        }
        trajectory.push(next, &state, &mode);
    }
    Ok(trajectory)
}

/// The state at a time near a singular position, where the constraints do not determine it:
/// interpolated by a polynomial of fifth degree between states before and after, with the
/// positions, velocities and accelerations of the motion. `None` if there are no such states
/// nearby. The state before is kept, to continue from.
fn bridge(
    equations: &Equations,
    t: &mut f64,
    y: &mut Vec<f64>,
    time: f64,
    mode: &Mode,
    regular: &impl Fn(f64, &[f64]) -> Result<bool, Error>,
) -> Result<Option<Vec<f64>>, Error> {
    let n = equations.unknown_count();
    let mut evaluation = equations.evaluation();
    // Positions are weak where they are less than √WEAK of a turn or of the size away from singular ones.
    let mut width = 2.0 * WEAK.sqrt() / equations.fastest(y);
    if !width.is_finite() {
        return Ok(None);
    }
    for _ in 0..MAX_WIDENINGS {
        let (before, after) = (time - width, time + width);
        width *= 2.0;
        let (mut t0, mut y0) = (*t, y.clone());
        if before > t0 {
            advance(equations, &mut t0, &mut y0, before, mode)?;
        }
        let (mut t1, mut y1) = (t0, y0.clone());
        if advance(equations, &mut t1, &mut y1, after, mode).is_err() {
            return Ok(None);
        }
        if !(regular(t0, &y0)? && regular(t1, &y1)?) {
            continue;
        }
        let mut accelerations = [Vec::new(), Vec::new()];
        for (a, (t, y)) in accelerations.iter_mut().zip([(t0, &y0), (t1, &y1)]) {
            let evaluated = equations.evaluate(t, y, mode, &mut evaluation);
            evaluated.map_err(|trouble| equations.evaluation_error(trouble))?;
            a.clone_from(&evaluation.work.unknowns);
        }
        let mut state = vec![0.0; y.len()];
        let h = t1 - t0;
        for i in 0..n {
            let end = |y: &[f64], a: &[f64]| [y[i], h * y[n + i], h * h * a[i]];
            let ends = [end(&y0, &accelerations[0]), end(&y1, &accelerations[1])];
            let [q, v] = quintic(ends, (time - t0) / h);
            (state[i], state[n + i]) = (q, v / h);
        }
        let projected = equations.project_state(time, &mut state, mode, &mut evaluation);
        let projected = projected.map_err(|trouble| equations.evaluation_error(trouble))?;
        state[2 * n..].fill(0.0);
        (*t, *y) = (t0, y0);
        return Ok(projected.is_ok().then_some(state));
    }
    Ok(None)
}

/// Value and slope at x in [0, 1] of the polynomial of fifth degree with these values, slopes and second derivatives at
/// both ends.
fn quintic([[p, v, a], [q, w, b]]: [[f64; 3]; 2], x: f64) -> [f64; 2] {
    // The difference from the parabola of the left end at the right end.
    let (d, e, f) = (q - p - v - 0.5 * a, w - v - a, b - a);
    let c3 = 10.0 * d - 4.0 * e + 0.5 * f;
    let c4 = -15.0 * d + 7.0 * e - f;
    let c5 = 6.0 * d - 3.0 * e + 0.5 * f;
    let value = p + x * (v + x * (0.5 * a + x * (c3 + x * (c4 + x * c5))));
    let slope = v + x * (a + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)));
    [value, slope]
}

impl Equations {
    /// The number of rows that add less than this fraction of what they would add alone.
    fn weak_rows(&self, t: f64, y: &[f64], threshold: f64) -> Result<usize, Error> {
        let mut evaluation = self.evaluation();
        self.place(t, y, &mut evaluation.work);
        let prepared = self.layout.structure.prepare(&mut evaluation.work, threshold);
        prepared.map_err(|massless| self.evaluation_error(massless.into()))?;
        Ok(self.layout.structure.redundant(&evaluation.work).len())
    }

    /// The greatest rate of an unknown over its size (1/s).
    fn fastest(&self, y: &[f64]) -> f64 {
        let n = self.unknown_count();
        let rates = y[n..2 * n].iter().zip(self.unknown_sizes());
        rates.map(|(rate, size)| rate.abs() / size).fold(0.0, f64::max)
    }
}

/// Advances a closed state to a later time.
///
/// Where branches of the motion meet, as in the dead points of a linkage, the one that continues with the same velocity is taken:
/// a step is short enough if the constraints correct the positions and velocities predicted from the accelerations only slightly.
fn advance(
    equations: &Equations,
    t: &mut f64,
    y: &mut Vec<f64>,
    end: f64,
    mode: &Mode,
) -> Result<(), Error> {
    let n = equations.unknown_count();
    let sizes = equations.unknown_sizes();
    let mut evaluation = equations.evaluation();
    let shortest = (end - *t) * 0.5_f64.powi(MAX_HALVINGS);
    let mut h = end - *t;
    while *t < end {
        let evaluated = equations.evaluate(*t, y, mode, &mut evaluation);
        evaluated.map_err(|trouble| equations.evaluation_error(trouble))?;
        let acceleration = evaluation.work.unknowns.clone();
        let speed = equations.fastest(y);
        loop {
            let next = if h >= end - *t { end } else { *t + h };
            h = next - *t;
            let mut predicted = y.clone();
            for i in 0..n {
                predicted[i] += h * (y[n + i] + 0.5 * h * acceleration[i]);
                predicted[n + i] += h * acceleration[i];
            }
            let mut closed = predicted.clone();
            let projected = equations.project_state(next, &mut closed, mode, &mut evaluation);
            let projected = projected.map_err(|trouble| equations.evaluation_error(trouble))?;
            // A motion that is just beginning may be arbitrarily slow. Negated comparisons, so that
            // NaN counts as far.
            let slack = FAR * speed.max(equations.fastest(&closed)) + BEGINNING / h;
            let far = (0..n).any(|i| {
                let moved = (closed[i] - predicted[i]).abs();
                let turned = (closed[n + i] - predicted[n + i]).abs();
                !(moved <= FAR * sizes[i] && turned <= slack * sizes[i])
            });
            if projected.is_ok() && !far {
                *t = next;
                *y = closed;
                h *= 2.0;
                break;
            }
            h *= 0.5;
            if !(h >= shortest && *t + h > *t) {
                let row = projected.err().unwrap_or_else(|| equations.violation(&evaluation).2);
                let (part, unit) = equations.part_of_row(row);
                let amount = evaluation.work.rows[row].residual;
                let part = part.labelled(|part| format!("{part} at t = {next} s"));
                return Err(Error::Positions { open: vec![Open { part, amount, unit }] });
            }
        }
    }
    Ok(())
}
