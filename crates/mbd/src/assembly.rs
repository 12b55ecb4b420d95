//! A consistent start: positions, then velocities, then the phases of the contacts.
//!
//! The given poses are a first guess. They are moved, as little as possible, until every joint closes, every driver is
//! where its signal says and every condition [`start_at`](crate::Builder::start_at) holds. Velocities follow likewise; given ones are
//! kept if the joints allow it.

use jointplay_expression::Jet;

use crate::circle::sin_cos;
use crate::contact::{Facing, Phase};
use crate::equations::{Equations, Mode, STICKS};
use crate::error::{Error, Open, PartKind, PartRef};
use crate::formulation::span::{Layout, RowOwner, absolute};
use crate::formulation::{Core, REDUNDANT, Structure, Work};
use crate::frame::Motion;
use crate::mechanism::Mechanism;
use crate::row::{Row, RowKind};
use crate::state::{BodyState, ContactState, State};

/// A consistent start of a mechanism in one formulation, with a report about it.
#[derive(Clone, Debug)]
pub struct Start {
    /// The time (s).
    pub t: f64,
    /// The state: coordinates, rates, accounts.
    pub y: Vec<f64>,
    /// The phases of the contacts.
    pub mode: Mode,
    /// What the assembly did and found.
    pub report: StartReport,
}

/// What the assembly did, and properties of the mechanism at its start.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StartReport {
    /// The greatest distance by which a body was moved (m).
    pub moved: f64,
    /// The greatest angle by which a body was turned (rad).
    pub turned: f64,
    /// The greatest change of a given velocity (m/s); 0 where all given velocities were kept.
    pub velocity_changed: f64,
    /// The greatest change of a given angular velocity (rad/s); 0 where all were kept.
    pub spin_changed: f64,
    /// Newton steps taken.
    pub iterations: usize,
    /// Degrees of freedom.
    pub freedom: usize,
    /// Constraints that are redundant at the start, such as "joint 'C' (x)". Multipliers of a loop with a redundant
    /// constraint are not unique; the motion is, unless friction depends on them.
    pub redundant: Vec<PartRef>,
    /// Joints with dry friction whose reaction is not unique because of redundant constraints. Their friction, and so the
    /// motion, is that of one of the many possible reactions; another formulation may choose a different one.
    pub ambiguous_friction: Vec<PartRef>,
}

/// Maximum number of Newton steps of the assembly.
const MAX_ITERATIONS: usize = 100;

/// If the given positions do not lead to a solution, this many others near them are tried.
const ATTEMPTS: usize = 6;

/// A mechanism is closed when no constraint is off by more than this fraction of its size.
const CLOSED: f64 = 1e-13;

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

    /// Takes the values of the conditions off their rows.
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

impl Equations {
    /// A consistent start at time `t`.
    ///
    /// # Errors
    /// [`Error::Positions`] or [`Error::Speeds`] where joints, drivers and conditions cannot be met together,
    /// [`Error::Overlap`] for a contact that overlaps without a stated impact speed, [`Error::Massless`] where an
    /// acceleration is not determined.
    pub fn start(&self, t: f64) -> Result<Start, Error> {
        self.start_with(t, &Given::by_parts(&self.mechanism), |_| None)
    }

    /// A consistent start at time `t` with bodies and contacts as a state has them, whatever its time. Conditions on the start of
    /// the mechanism do not count.
    ///
    /// # Errors
    /// [`Error::State`] where the mechanism does not have a part of the state; otherwise as [`start`](Self::start).
    pub fn start_from(&self, t: f64, state: &State) -> Result<Start, Error> {
        state.check(&self.mechanism)?;
        let given = Given::by_state(&self.mechanism, state);
        self.start_with(t, &given, |contact| {
            state.contacts.get(&self.mechanism.contact_names[contact])
        })
    }

    /// A consistent start from given motions, with what is known of the contacts.
    fn start_with<'s>(
        &self,
        t: f64,
        given: &Given<'_>,
        known: impl Fn(usize) -> Option<&'s ContactState>,
    ) -> Result<Start, Error> {
        let (mut y, report) = self.assemble(t, given)?;
        let mut mode = self.all_apart();
        let mut evaluation = self.evaluation();
        let bristles = 2 * self.layout.structure.unknowns;
        for contact in 0..self.mechanism.contacts.len() {
            let phase = match known(contact) {
                Some(known) => {
                    if let Some(i) = self.mechanism.contacts[contact].bristle {
                        y[bristles + i] = known.bristle;
                    }
                    known.phase
                }
                None => self.first_phase(t, &y, contact, &mode, &mut evaluation)?,
            };
            mode.contacts[contact] = phase;
        }
        let evaluated = self.evaluate(t, &y, &mode, &mut evaluation);
        evaluated.map_err(|trouble| self.evaluation_error(trouble))?;
        Ok(Start { t, y, mode, report })
    }

    /// A state with all joints closed, and the degrees of freedom.
    pub(crate) fn closed_start(&self, t: f64) -> Result<(Vec<f64>, usize), Error> {
        let given = Given::by_parts(&self.mechanism);
        self.assemble(t, &given).map(|(y, report)| (y, report.freedom))
    }

    /// Positions and velocities on the constraints, degrees of freedom, redundant constraints.
    fn assemble(&self, t: f64, given: &Given<'_>) -> Result<(Vec<f64>, StartReport), Error> {
        let jets = self.jets(t);
        if let Some(i) = jets.iter().position(|jet| !jet.is_finite()) {
            let part = PartRef::new(PartKind::Driver, &self.mechanism.drivers[i].name);
            let reason = "its value, speed or acceleration at the start is not a finite number";
            return Err(Error::Evaluation { part, reason });
        }
        let (positions, moved, turned, iterations) = close(&self.mechanism, given, jets.clone())?;
        let (motion, [velocity_changed, spin_changed]) =
            set_in_motion(&self.mechanism, given, &positions, &jets)?;
        let n = self.layout.structure.unknowns;
        let mut y = vec![0.0; self.state_count()];
        for (i, row) in self.layout.unknowns.iter().enumerate() {
            let value = row.eval(&motion, crate::row::NO_TARGET);
            y[i] = value.residual;
            y[n + i] = value.rate;
        }
        let mut evaluation = self.evaluation();
        if !self.layout.structure.rows.is_empty() {
            // Rounding of the change of coordinates.
            let mode = self.all_apart();
            let projected = self.project_state(t, &mut y, &mode, &mut evaluation);
            projected.map_err(|trouble| self.evaluation_error(trouble))?.map_err(|row| {
                let (part, unit) = self.part_of_row(row);
                let amount = evaluation.work.rows[row].residual;
                Error::Positions { open: vec![Open { part, amount, unit }] }
            })?;
            y[2 * n..].fill(0.0);
        }
        let bad = self.state_parts().zip(&y).find(|(_, value)| !value.is_finite());
        if let Some((part, _)) = bad {
            let reason = "its start is not a finite number: sizes differ by more than floating point can represent";
            return Err(Error::Evaluation { part, reason });
        }
        self.place(t, &y, &mut evaluation.work);
        self.layout.structure.measure(&mut evaluation.work);
        for (i, row) in self.layout.structure.rows.iter().enumerate() {
            let target = row.driver.map_or(0.0, |driver| evaluation.work.drives[driver].value);
            let distance = evaluation.work.rows[i].residual + row.offset + target;
            let size = row.size(self.mechanism.length, &evaluation.work.motion);
            if row.kind == RowKind::Distance && distance <= 1e-12 * size {
                let reason =
                    "its points coincide: a distance of 0 has no direction in which to push";
                return Err(Error::Evaluation { part: self.part_of_row(i).0, reason });
            }
        }
        let prepared = self.layout.structure.prepare(&mut evaluation.work, REDUNDANT);
        prepared.map_err(|massless| self.evaluation_error(massless.into()))?;
        let redundant = self.layout.structure.redundant(&evaluation.work);
        let report = StartReport {
            moved,
            turned,
            velocity_changed,
            spin_changed,
            iterations,
            freedom: self.freedom(redundant.len()),
            ambiguous_friction: self.ambiguous_friction(t, &motion, !redundant.is_empty()),
            redundant: redundant.into_iter().map(|row| self.part_of_row(row).0).collect(),
        };
        Ok((y, report))
    }

    /// Joints with dry friction that take part in a dependence of constraints, whose reactions are therefore not unique.
    fn ambiguous_friction(&self, t: f64, motion: &[Motion<f64>], any: bool) -> Vec<PartRef> {
        let frictions = &self.mechanism.frictions;
        if !any || frictions.iter().all(|friction| friction.dry_account.is_none()) {
            return Vec::new();
        }
        // In absolute coordinates every joint has its rows.
        let equations = Equations::kinematic(&self.mechanism);
        let structure = &equations.layout.structure;
        let mut work = structure.work(self.mechanism.drivers.len());
        work.drives.copy_from_slice(&self.jets(t));
        work.motion.copy_from_slice(&motion[..structure.frames]);
        // Bodies with weights cannot be without mass.
        let _ = structure.prepare(&mut work, REDUNDANT);
        let mut ambiguous = vec![false; self.mechanism.joints.len()];
        for row in structure.redundant(&work) {
            let share = structure.dependence(row, &mut work);
            for (owner, share) in equations.layout.owners.iter().zip(share) {
                if let RowOwner::Joint { joint, .. } = owner {
                    // Shares of rows that take no part are rounding.
                    ambiguous[*joint] |= share.abs() > 1e-6;
                }
            }
        }
        let dry = frictions.iter().filter(|friction| friction.dry_account.is_some());
        let of_them = dry.filter(|friction| ambiguous[friction.joint]);
        let part = |joint: usize| PartRef::new(PartKind::Joint, &self.mechanism.joints[joint].name);
        of_them.map(|friction| part(friction.joint)).collect()
    }

    fn contact_part(&self, contact: usize) -> PartRef {
        PartRef::new(PartKind::Contact, &self.mechanism.contact_names[contact])
    }

    /// The phases of contacts at rest: those that overlap touch, with their elastic force alone.
    pub(crate) fn resting_mode(&self, t: f64, y: &[f64]) -> Result<Mode, Error> {
        let mut mode = self.all_apart();
        let mut evaluation = self.evaluation();
        self.place(t, y, &mut evaluation.work);
        for (contact, element) in self.mechanism.contacts.iter().enumerate() {
            let gap = element.gap.measure(&evaluation.work.motion);
            let faces = element.front(&evaluation.work.motion).before >= 0.0;
            if gap.delta > 0.0 && faces {
                // Any speed will do: at rest it has no effect.
                let touch = element.law.normal.begin(1.0, 1.0).map_err(|reason| {
                    let part = self.contact_part(contact);
                    Error::Contact { part, reason }
                })?;
                mode.contacts[contact] = element.touching(touch, &gap);
            }
        }
        Ok(mode)
    }

    fn freedom(&self, redundant: usize) -> usize {
        // A point mass does not turn.
        let points = match &self.layout.structure.core {
            Core::Bodies(inverse) => {
                inverse[1..].iter().filter(|inverse| inverse[2] == 0.0).count()
            }
            Core::Tree(tree) => tree.links.iter().filter(|link| link.idle).count(),
        };
        let unknowns = self.layout.structure.unknowns - points;
        // Not less than 0, should rounding hide a constraint that repeats others.
        (unknowns + redundant).saturating_sub(self.layout.structure.rows.len())
    }

    /// Whether a contact touches at the start. One that just touches does if it closes.
    fn first_phase(
        &self,
        t: f64,
        y: &[f64],
        contact: usize,
        mode: &Mode,
        evaluation: &mut crate::equations::Evaluation<f64>,
    ) -> Result<Phase, Error> {
        let element = &self.mechanism.contacts[contact];
        let part = || self.contact_part(contact);
        self.place(t, y, &mut evaluation.work);
        let gap = element.gap.measure(&evaluation.work.motion);
        let faces = self.faces(t, y, contact, mode, evaluation)?;
        let facing = if faces { Facing::Before } else { Facing::Aside };
        let apart = Phase::Apart { start: 0.0, last: None, facing };
        if !faces {
            return Ok(apart);
        }
        let size = element.gap.size(self.mechanism.length, &evaluation.work.motion);
        let size = size.max(element.gap.reach(&evaluation.work.motion));
        let rounding = 16.0 * f64::EPSILON * size;
        let speed =
            if let Some(speed) = element.initial_impact_speed.filter(|_| gap.delta >= -rounding) {
                speed
            } else if gap.delta > rounding {
                let unit = element.gap.unit();
                return Err(Error::Overlap { part: part(), overlap: gap.delta, unit });
            } else if gap.delta < -rounding || gap.delta_dot < 0.0 {
                return Ok(apart);
            } else if gap.delta_dot > 0.0 {
                gap.delta_dot
            } else {
                // At rest on the verge: it touches if it would close.
                let evaluated = self.evaluate(t, y, mode, evaluation);
                evaluated.map_err(|trouble| self.evaluation_error(trouble))?;
                if !self.closes(contact, evaluation) {
                    return Ok(apart);
                }
                0.0
            };
        self.place(t, y, &mut evaluation.work);
        let begun = self.begin(t, contact, &apart, speed, evaluation);
        let phase = begun.map_err(|reason| Error::Contact { part: part(), reason })?;
        if self.held_beside(contact, mode, evaluation) {
            return Ok(Phase::Apart { start: 0.0, last: None, facing: Facing::Behind });
        }
        if !element.at_rest(&gap) {
            return Ok(phase);
        }
        let mut touching = mode.clone();
        touching.contacts[contact] = phase;
        let sliding = self.reverse(t, y, &touching, contact, evaluation);
        sliding.ok_or_else(|| Error::Evaluation { part: part(), reason: STICKS })
    }

    /// Whether the pin of a contact is in front of its section at the start; at an end of the section, whether it will be.
    fn faces(
        &self,
        t: f64,
        y: &[f64],
        contact: usize,
        mode: &Mode,
        evaluation: &mut crate::equations::Evaluation<f64>,
    ) -> Result<bool, Error> {
        let element = &self.mechanism.contacts[contact];
        let mut inside = element.front(&evaluation.work.motion).before;
        if inside.abs() <= 4.0 * self.mechanism.rounding {
            let evaluated = self.evaluate(t, y, mode, evaluation);
            evaluated.map_err(|trouble| self.evaluation_error(trouble))?;
            inside = element.front(&evaluation.work.soon()).before;
        }
        Ok(inside >= 0.0)
    }

    /// Whether the overlap of a contact at rest is accelerated.
    fn closes(&self, contact: usize, evaluation: &crate::equations::Evaluation<f64>) -> bool {
        let gap = &self.mechanism.contacts[contact].gap;
        let now = gap.measure(&evaluation.work.motion).delta_dot;
        gap.measure(&evaluation.work.soon()).delta_dot > now
    }
}

/// Moves the bodies until everything closes: positions, greatest displacement and turn, Newton steps.
fn close(
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
        // What stays open from the positions that were given says most.
        open.get_or_insert(left);
    }
    Err(Error::Positions { open: open.unwrap_or_default() })
}

/// A guess beside the given one: where bodies lie in one line, Newton's method sees no way out of it.
fn astray(given: &[f64], attempt: usize, length: f64) -> Vec<f64> {
    let size = 0.15 * attempt as f64;
    let shift = |(i, q): (usize, &f64)| {
        let scale = if i % 3 == 2 { 1.0 } else { 0.5 * length };
        // Any numbers without a pattern will do, as long as they are always the same.
        q + size * scale * libm::sin(2.399963 * (i * attempt + i) as f64)
    };
    given.iter().enumerate().map(shift).collect()
}

impl Assembly<'_> {
    /// Damped Newton steps from a guess: positions, and the number of steps. What stays open is in the working memory.
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
                break; // nothing but rounding is left, or no way leads on
            }
            q = trial;
        }
        (q, iterations)
    }
}

/// What is given of the start.
struct Given<'m> {
    /// Position and angle of the frame of each body, and its velocity and angular velocity where they are given.
    bodies: Vec<GivenBody>,
    /// Conditions on positions.
    positions: &'m [(crate::mechanism::Start, Row)],
    /// Conditions on rates.
    speeds: &'m [(crate::mechanism::Start, Row)],
}

struct GivenBody {
    position: [f64; 2],
    angle: f64,
    velocity: Option<([f64; 2], f64)>,
}

impl<'m> Given<'m> {
    /// What the parts say.
    fn by_parts(mechanism: &'m Mechanism) -> Self {
        let given = |(_, body): &(String, crate::Body)| GivenBody {
            position: body.position,
            angle: body.angle,
            velocity: body.velocity,
        };
        Given {
            bodies: mechanism.bodies.iter().map(given).collect(),
            positions: &mechanism.start_positions,
            speeds: &mechanism.start_speeds,
        }
    }

    /// What a state says, and the parts of bodies that it does not name.
    fn by_state(mechanism: &'m Mechanism, state: &State) -> Self {
        let mut given = Given { positions: &[], speeds: &[], ..Given::by_parts(mechanism) };
        for ((name, _), body) in mechanism.bodies.iter().zip(&mut given.bodies) {
            if let Some(BodyState { position, angle, velocity, angular_velocity }) =
                state.bodies.get(name).copied()
            {
                *body = GivenBody { position, angle, velocity: Some((velocity, angular_velocity)) };
            }
        }
        given
    }

    /// Given positions of the centres of mass, and angles.
    fn first_guess(&self, mechanism: &Mechanism) -> Vec<f64> {
        let pose = |(given, (_, body)): (&GivenBody, &(String, crate::Body))| {
            let (sin, cos) = sin_cos(given.angle);
            let [x, y] = body.centre_of_mass;
            let [px, py] = given.position;
            [px + cos * x - sin * y, py + sin * x + cos * y, given.angle]
        };
        self.bodies.iter().zip(&mechanism.bodies).flat_map(pose).collect()
    }
}

/// Finds velocities: the motion of every frame, and the greatest change of a given velocity and angular velocity.
fn set_in_motion(
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
