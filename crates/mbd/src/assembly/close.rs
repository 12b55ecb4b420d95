//! Finds positions that close every joint, and velocities that keep them closed.

use jointplay_expression::Jet;

use super::given::Given;
use crate::circle::sin_cos;
use crate::error::{Error, Open, PartRef};
use crate::formulation::span::{Layout, absolute};
use crate::formulation::{REDUNDANT, Structure, Work};
use crate::frame::Motion;
use crate::mechanism::Mechanism;
use crate::row::{Row, RowKind};

/// Maximum number of Newton steps of the assembly.
pub(super) const MAX_ITERATIONS: usize = 100;

/// If the given positions do not lead to a solution, this many others near them are tried.
const ATTEMPTS: usize = 6;

/// A mechanism is closed when no constraint is off by more than this fraction of its size.
pub(super) const CLOSED: f64 = 1e-13;

/// The constraints, and the conditions at the start, in absolute coordinates with equal weights.
struct Assembly<'m> {
    mechanism: &'m Mechanism,
    layout: Layout,
    /// Values of the conditions, whose rows come after those of the mechanism.
    values: Vec<f64>,
}

impl<'m> Assembly<'m> {
    /// Bodies in `fixed` may not be moved.
    fn new(
        mechanism: &'m Mechanism,
        conditions: &[(crate::mechanism::Start, Row)],
        fixed: impl Fn(usize) -> bool,
    ) -> Self {
        let turn = 1.0 / (mechanism.length * mechanism.length);
        let weight = |body| if fixed(body) { [0.0; 3] } else { [1.0, 1.0, turn] };
        let mut weights = vec![[0.0; 3]];
        weights.extend((0..mechanism.bodies.len()).map(weight));
        let mut layout = absolute(mechanism, weights, [0.0, 0.0]);
        if !conditions.is_empty() {
            let Structure { core, free, mut rows, .. } = layout.structure;
            rows.extend(conditions.iter().map(|(_, row)| *row));
            layout.structure = Structure::new(core, free, rows, [0.0, 0.0]);
        }
        let values = conditions.iter().map(|(start, _)| start.value).collect();
        Assembly { mechanism, layout, values }
    }

    fn size(&self, row: usize, work: &Work<f64>) -> f64 {
        self.layout.structure.rows[row].size(self.mechanism.length, &work.motion)
    }

    /// Subtracts the values of the conditions from their rows.
    fn offset(&self, work: &mut Work<f64>, rates: bool) {
        let first = self.layout.structure.rows.len() - self.values.len();
        for (row, value) in work.rows[first..].iter_mut().zip(&self.values) {
            if rates {
                row.rate -= value;
            } else {
                row.residual -= value;
            }
        }
    }

    fn place(&self, q: &[f64], v: &[f64], work: &mut Work<f64>) {
        self.layout.structure.place(q, v, work);
    }

    /// All rows that are off by more than the tolerance, the worst first.
    fn open(&self, work: &Work<f64>, tolerance: f64, rates: bool) -> Vec<Open> {
        let mut open: Vec<(f64, Open)> = Vec::new();
        for (i, row) in work.rows.iter().enumerate() {
            let amount = if rates { row.rate } else { row.residual };
            let relative = amount.abs() / self.size(i, work);
            if !(relative <= tolerance) {
                let (part, unit) = self.part_of_row(i, rates);
                open.push((relative, Open { part, amount, unit }));
            }
        }
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        open.into_iter().map(|(_, open)| open).collect()
    }

    fn part_of_row(&self, row: usize, rates: bool) -> (PartRef, &'static str) {
        let angle = self.layout.structure.rows[row].kind == RowKind::Angle;
        let unit = match (angle, rates) {
            (true, false) => "rad",
            (true, true) => "rad/s",
            (false, false) => "m",
            (false, true) => "m/s",
        };
        let part = if row < self.layout.owners.len() {
            crate::equations::owner_of(self.mechanism, self.layout.owners[row])
        } else {
            let row = &self.layout.structure.rows[row];
            let part = crate::equations::measured(self.mechanism, row);
            part.labelled(|measured| format!("start condition on the {measured}"))
        };
        (part, unit)
    }
}

impl Assembly<'_> {
    /// Damped Newton steps from a guess: positions, and the number of steps. The remaining
    /// residuals are in the working memory.
    fn approach(&self, mut q: Vec<f64>, work: &mut Work<f64>) -> (Vec<f64>, usize) {
        let structure = &self.layout.structure;
        let v = vec![0.0; q.len()];
        let measure = |q: &[f64], work: &mut Work<f64>| {
            structure.place(q, &v, work);
            structure.measure(work);
            self.offset(work, false);
            let rows = work.rows.iter().enumerate();
            let worst =
                rows.map(|(i, row)| row.residual.abs() / self.size(i, work)).fold(0.0, f64::max);
            if work.rows.iter().all(|row| row.residual.is_finite()) { worst } else { f64::INFINITY }
        };
        let mut worst = measure(&q, work);
        let mut iterations = 0;
        while worst > CLOSED && iterations < MAX_ITERATIONS {
            iterations += 1;
            // Bodies with weights cannot be without mass.
            let _ = structure.prepare(work, REDUNDANT);
            self.offset(work, false);
            structure.displace(work, |row| row.residual);
            let step = work.unknowns.clone();
            let mut damping = 1.0;
            let before = worst;
            let trial = loop {
                let trial: Vec<f64> =
                    q.iter().zip(&step).map(|(q, step)| q + damping * step).collect();
                worst = measure(&trial, work);
                if worst < (1.0 - 0.1 * damping) * before || damping < 1e-3 {
                    break trial;
                }
                damping *= 0.5;
            };
            if worst >= before {
                measure(&q, work);
                break; // only rounding is left, or no step improves
            }
            q = trial;
        }
        (q, iterations)
    }
}

/// Moves the bodies until everything closes: positions, greatest displacement and turn, Newton steps.
pub(super) fn close(
    mechanism: &Mechanism,
    given: &Given<'_>,
    drives: Vec<Jet>,
) -> Result<(Vec<f64>, f64, f64, usize), Error> {
    let assembly = Assembly::new(mechanism, given.positions, |_| false);
    let mut work = assembly.layout.structure.work(mechanism.drivers.len());
    work.drives = drives;
    let given = given.first_guess(mechanism);
    let mut iterations = 0;
    let mut open = None;
    for attempt in 0..=ATTEMPTS {
        let guess = astray(&given, attempt, mechanism.length);
        let (q, steps) = assembly.approach(guess, &mut work);
        iterations += steps;
        let left = assembly.open(&work, 1e-12, false);
        if left.is_empty() {
            let bodies = || q.chunks_exact(3).zip(given.chunks_exact(3));
            let distance =
                |(q, given): (&[f64], &[f64])| libm::hypot(q[0] - given[0], q[1] - given[1]);
            let moved = bodies().map(distance).fold(0.0, f64::max);
            let turned = bodies().map(|(q, given)| (q[2] - given[2]).abs()).fold(0.0, f64::max);
            return Ok((q, moved, turned, iterations));
        }
        // The residuals of the attempt from the given positions are the most informative.
        open.get_or_insert(left);
    }
    Err(Error::Positions { open: open.unwrap_or_default() })
}

/// A guess next to the given one: Newton's method cannot leave a position in which bodies lie in
/// one line.
fn astray(given: &[f64], attempt: usize, length: f64) -> Vec<f64> {
    let size = 0.15 * attempt as f64;
    let shift = |(i, q): (usize, &f64)| {
        let scale = if i % 3 == 2 { 1.0 } else { 0.5 * length };
        // Any numbers without a pattern, always the same.
        q + size * scale * libm::sin(2.399963 * (i * attempt + i) as f64)
    };
    given.iter().enumerate().map(shift).collect()
}

/// Finds velocities: the motion of every frame, and the greatest change of a given velocity and angular velocity.
pub(super) fn set_in_motion(
    mechanism: &Mechanism,
    start: &Given<'_>,
    q: &[f64],
    drives: &[Jet],
) -> Result<(Vec<Motion<f64>>, [f64; 2]), Error> {
    let mut given = vec![0.0; q.len()];
    for (((_, body), placed), (v, q)) in mechanism
        .bodies
        .iter()
        .zip(&start.bodies)
        .zip(given.chunks_exact_mut(3).zip(q.chunks_exact(3)))
    {
        if let Some((velocity, omega)) = placed.velocity {
            let (sin, cos) = sin_cos(q[2]);
            let [x, y] = body.centre_of_mass;
            let arm = [cos * x - sin * y, sin * x + cos * y];
            v.copy_from_slice(&[velocity[0] - omega * arm[1], velocity[1] + omega * arm[0], omega]);
        }
    }
    let is_given = |body: usize| start.bodies[body].velocity.is_some();
    let any_given = (0..mechanism.bodies.len()).any(is_given);
    // First with the given velocities as they are, then, if the joints do not allow them, with changes to all.
    for keep in [true, false] {
        if keep && !any_given {
            continue;
        }
        let assembly = Assembly::new(mechanism, start.speeds, |body| keep && is_given(body));
        let structure = &assembly.layout.structure;
        let mut work = structure.work(mechanism.drivers.len());
        work.drives.copy_from_slice(drives);
        let mut v = given.clone();
        for _ in 0..3 {
            assembly.place(q, &v, &mut work);
            let _ = structure.prepare(&mut work, REDUNDANT);
            assembly.offset(&mut work, true);
            structure.displace(&mut work, |row| row.rate);
            for (v, change) in v.iter_mut().zip(&work.unknowns) {
                *v += change;
            }
        }
        assembly.place(q, &v, &mut work);
        structure.measure(&mut work);
        assembly.offset(&mut work, true);
        let speed = v.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        let open = assembly.open(&work, 1e-10 * speed, true);
        if open.is_empty() {
            let changed = [[0, 1].as_slice(), &[2]].map(|components| {
                let changes = v.iter().zip(&given).enumerate();
                let of_given =
                    changes.filter(|(i, _)| is_given(i / 3) && components.contains(&(i % 3)));
                of_given.map(|(_, (v, given))| (v - given).abs()).fold(0.0, f64::max)
            });
            return Ok((work.motion, changed));
        }
        if !keep {
            return Err(Error::Speeds { open });
        }
    }
    unreachable!("the last attempt returns")
}
