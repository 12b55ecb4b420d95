//! Equations of motion in two sets of coordinates, behind one interface.
//!
//! Both solve, for the accelerations and the multipliers λ of the constraints that remain (Skrinjar2017 eq. (3)),
//!
//! ```text
//! | M  Jᵀ | | q̈ |   | Q                       |
//! | J  0  | | λ | = | γ − 2α Ċ − β² C         |
//! ```
//!
//! by λ from S λ = J a₀ − γ*, where a₀ are the accelerations without constraints and S = J M⁻¹ Jᵀ. They differ in
//! what M⁻¹ is: for `absolute` coordinates a division by the masses, for `joint` coordinates a pass over the
//! [tree]. The constraints are the same [rows](crate::row) on bodies, so that a row is written once.

mod mobility;
pub(crate) mod span;
pub(crate) mod tree;

use std::cell::Cell;

use jointplay_expression::Jet;
use jointplay_ode::Enclosure;

use crate::circle::sin_cos;
use crate::frame::{Motion, Spatial, accumulate, dot3};
use crate::real::{Dual, Real};
use crate::row::{NO_TARGET, Row, RowValue};
use crate::sparse::Symbolic;
use mobility::{GeometricWork, Geometry, Mobility, faded};
use span::DriverPlace;
use tree::{LinkWork, Path, Tree};

/// The coordinates in which a mechanism is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Formulation {
    /// Coordinates of the joints of a spanning tree; drivers of tree joints are eliminated, other joints are
    /// constraints with multipliers. Few unknowns, and none of them bound by constraints if the mechanism is a
    /// tree, as it is where clearance joints cut its loops.
    #[default]
    Joint,
    /// Position and angle of every body; all joints and drivers are constraints with multipliers, as in
    /// Skrinjar2017.
    Absolute,
}

impl Formulation {
    /// Its name, as model files have it.
    pub fn name(self) -> &'static str {
        match self {
            Formulation::Joint => "joint",
            Formulation::Absolute => "absolute",
        }
    }
}

/// What M⁻¹ is.
#[derive(Clone, Debug)]
pub(crate) enum Core {
    /// A forest in joint coordinates.
    Tree(Tree),
    /// 1/m, 1/m, 1/J of each frame.
    Bodies(Vec<Spatial<f64>>),
}

/// The structure of the equations of motion of one mechanism in one set of coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    pub(crate) core: Core,
    /// Number of frames, the ground included.
    pub(crate) frames: usize,
    /// Number of unknown coordinates.
    pub(crate) unknowns: usize,
    /// The constraints that remain.
    pub(crate) rows: Vec<Row>,
    /// Links of the response to each row; empty without a tree.
    paths: Vec<Path>,
    /// Pairs of coupled rows, the first smaller than the second, sorted.
    pairs: Vec<(usize, usize)>,
    /// For each pair, whether forces on the first row accelerate body a and body b of the second.
    reached: Vec<[bool; 2]>,
    /// Pairs whose first row is r: `first[r]..first[r + 1]`.
    first: Vec<usize>,
    symbolic: Symbolic,
    /// Inverse masses of each frame as if it were free.
    pub(crate) free: Vec<Spatial<f64>>,
    /// α and β of Skrinjar2017 eq. (3) (1/s).
    pub(crate) baumgarte: [f64; 2],
    /// Finds redundant constraints geometrically if the masses are too uneven for the equations to show them.
    geometry: Option<Box<Geometry>>,
}

/// Everything that is computed from a state.
#[derive(Clone, Debug)]
pub(crate) struct Work<T> {
    /// Signals of the drivers.
    pub(crate) drives: Vec<Jet>,
    pub(crate) motion: Vec<Motion<T>>,
    /// Applied forces on each frame.
    pub(crate) force: Vec<Spatial<T>>,
    /// Forces that are added.
    change: Vec<Spatial<T>>,
    pub(crate) acceleration: Vec<Spatial<T>>,
    /// Second derivatives of the unknowns.
    pub(crate) unknowns: Vec<T>,
    links: Vec<LinkWork<T>>,
    pub(crate) rows: Vec<RowValue<T>>,
    pub(crate) multiplier: Vec<T>,
    /// What the weakest constraint of the last solution adds, as a fraction of what it would add alone; 1 if none is weak.
    pub(crate) weakest: f64,
    step: Vec<T>,
    mobility: Mobility<T>,
    geometric: Option<Box<GeometricWork<T>>>,
}

/// A constraint that adds less than this fraction of what it would add alone repeats others. Rounding leaves up to 1e-11 of a
/// repeated one in mechanisms of a few bodies.
pub(crate) const REDUNDANT: f64 = 1e-10;

/// In a singular position constraints repeat each other, and near it their rounding and local errors are
/// magnified without bound. A constraint that adds about this fraction of what it would add alone is faded out.
const SINGULAR: f64 = 1e-9;

/// A constraint that adds less than this fraction of what it would add alone, near a singular position or at a body far lighter
/// than its neighbours, magnifies rounding so much that the remaining error of the solution is solved for once more.
const WEAK: f64 = 1e-4;

/// A constraint that adds less than this fraction of what it would add alone magnifies errors enough to spoil dense output.
const INFIRM: f64 = 1e-2;

/// Maximum number of refinements of the solution in a mechanism with uneven masses.
const MAX_REFINEMENTS: usize = 8;

/// The coordinate of this frame moves no mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Massless {
    pub(crate) frame: usize,
}

/// The motion of bodies that are free in the plane.
#[inline]
fn move_bodies<T: Real>(q: &[T], v: &[T], motion: &mut [Motion<T>]) {
    let coordinates = q.chunks_exact(3).zip(v.chunks_exact(3));
    for (motion, (q, v)) in motion[1..].iter_mut().zip(coordinates) {
        let (sin, cos) = q[2].sin_cos();
        *motion = Motion { x: [q[0], q[1]], angle: q[2], cos, sin, v: [v[0], v[1]], omega: v[2] };
    }
}

impl Structure {
    /// `free` are the inverse masses of each frame as if it were free, by which redundancy is judged.
    pub(crate) fn new(
        core: Core,
        free: Vec<Spatial<f64>>,
        rows: Vec<Row>,
        baumgarte: [f64; 2],
    ) -> Self {
        let frames = free.len();
        let mut pairs = Vec::new();
        let mut paths = Vec::new();
        let unknowns = match &core {
            Core::Tree(tree) => {
                let needed: Vec<usize> = rows.iter().flat_map(Row::frames).collect();
                paths.extend(rows.iter().map(|row| tree.path(row.frames(), &needed)));
                let mut reach: Vec<Vec<usize>> = vec![Vec::new(); tree.links.len()];
                for (r, path) in paths.iter().enumerate() {
                    // Rows are coupled if forces on one accelerate a body of the other.
                    path.outwards.iter().for_each(|&link| reach[link].push(r));
                }
                for (s, row) in rows.iter().enumerate() {
                    let links = row.frames().into_iter().filter_map(|f| tree.link_of_frame[f]);
                    let coupled = links.flat_map(|link| reach[link].iter().copied());
                    pairs.extend(coupled.filter(|&r| r < s).map(|r| (r, s)));
                }
                tree.unknowns
            }
            Core::Bodies(_) => {
                let mut reach: Vec<Vec<usize>> = vec![Vec::new(); frames];
                for (s, row) in rows.iter().enumerate() {
                    for frame in row.frames().into_iter().filter(|&frame| frame != 0) {
                        pairs.extend(reach[frame].iter().map(|&r| (r, s)));
                    }
                    row.frames().into_iter().for_each(|frame| reach[frame].push(s));
                }
                3 * (frames - 1)
            }
        };
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|(r, s)| r != s);
        let first = (0..=rows.len()).map(|r| pairs.partition_point(|pair| pair.0 < r)).collect();
        let reaches = |&(r, s): &(usize, usize)| match &core {
            Core::Tree(tree) => rows[s].frames().map(|frame| {
                tree.link_of_frame[frame].is_some_and(|link| paths[r].outwards.contains(&link))
            }),
            Core::Bodies(_) => rows[s].frames().map(|frame| rows[r].frames().contains(&frame)),
        };
        let reached = pairs.iter().map(reaches).collect();
        let symbolic = Symbolic::new(rows.len(), &pairs);
        Structure {
            core,
            frames,
            unknowns,
            rows,
            paths,
            pairs,
            reached,
            first,
            symbolic,
            free,
            baumgarte,
            geometry: None,
        }
    }

    /// Working memory.
    pub(crate) fn work<T: Real>(&self, drivers: usize) -> Work<T> {
        let links = if let Core::Tree(tree) = &self.core { tree.links.len() } else { 0 };
        let geometric = self.geometric_work(links);
        Work {
            drives: vec![NO_TARGET; drivers],
            motion: vec![Motion::rest(); self.frames],
            force: vec![[T::ZERO; 3]; self.frames],
            change: vec![[T::ZERO; 3]; self.frames],
            acceleration: vec![[T::ZERO; 3]; self.frames],
            unknowns: vec![T::ZERO; self.unknowns],
            links: vec![LinkWork::ZERO; links],
            rows: vec![RowValue::ZERO; self.rows.len()],
            multiplier: vec![T::ZERO; self.rows.len()],
            weakest: 1.0,
            step: vec![T::ZERO; self.rows.len()],
            mobility: self.mobility(),
            geometric,
        }
    }

    /// Where the bodies are and how they move, ready for [`accelerate`](Self::accelerate); the drivers' signals must
    /// be in the working memory.
    #[expect(clippy::inline_always, reason = "inlining saves a tenth of the time of an evaluation")]
    #[inline(always)]
    pub(crate) fn place<T: Real>(&self, q: &[T], v: &[T], work: &mut Work<T>) {
        let Work { drives, motion, links, .. } = work;
        match &self.core {
            Core::Tree(tree) => tree.move_links(q, v, drives, motion, links),
            Core::Bodies(_) => move_bodies(q, v, motion),
        }
    }

    /// Where the bodies are and how they move, and nothing else.
    #[inline]
    pub(crate) fn locate<T: Real>(&self, q: &[T], v: &[T], work: &mut Work<T>) {
        let Work { drives, motion, .. } = work;
        match &self.core {
            Core::Tree(tree) => tree.locate_links(q, v, drives, motion),
            Core::Bodies(_) => move_bodies(q, v, motion),
        }
    }

    /// Where the bodies are over a stretch of time; how they move there is not found.
    pub(crate) fn enclose(
        &self,
        q: &[Enclosure],
        drives: &[Enclosure],
        motion: &mut [Motion<Enclosure>],
    ) {
        match &self.core {
            Core::Tree(tree) => tree.enclose_links(q, drives, motion),
            Core::Bodies(_) => move_bodies(q, q, motion),
        }
    }

    /// Evaluates the constraints at the present place.
    #[inline]
    pub(crate) fn measure<T: Real>(&self, work: &mut Work<T>) {
        for (row, value) in self.rows.iter().zip(&mut work.rows) {
            let target = row.driver.map_or(NO_TARGET, |driver| work.drives[driver]);
            *value = row.eval(&work.motion, target);
        }
    }

    /// Accelerations and multipliers under the applied forces.
    #[expect(clippy::inline_always, reason = "inlining saves a tenth of the time of an evaluation")]
    #[inline(always)]
    pub(crate) fn accelerate<T: Real>(&self, work: &mut Work<T>) -> Result<(), Massless> {
        match &self.core {
            Core::Tree(tree) => {
                let Work { force, links, unknowns, acceleration, .. } = work;
                let solved = tree.accelerate(force, links, unknowns, acceleration);
                solved.map_err(|link| Massless { frame: tree.links[link].frame })?;
            }
            Core::Bodies(inverse) => {
                for (frame, inverse) in inverse.iter().enumerate().skip(1) {
                    let force = work.force[frame];
                    let a = std::array::from_fn(|i| force[i] * inverse[i]);
                    work.acceleration[frame] = a;
                    work.unknowns[3 * frame - 3..3 * frame].copy_from_slice(&a);
                }
            }
        }
        if self.rows.is_empty() { Ok(()) } else { self.constrain(work) }
    }

    /// The multipliers, and what they change of the accelerations.
    #[inline(never)]
    fn constrain<T: Real>(&self, work: &mut Work<T>) -> Result<(), Massless> {
        self.measure(work);
        let weakest = Cell::new(1.0_f64);
        self.factorise(work, |pivot, strength, free| {
            let part = pivot.value();
            if part > REDUNDANT * free && part < INFIRM * free {
                weakest.set(weakest.get().min(part / free));
            }
            faded(pivot, strength, SINGULAR * free)
        })?;
        work.weakest = weakest.get();
        work.multiplier.fill(T::ZERO);
        self.enforce(work);
        if self.geometry.is_some() {
            self.refine(work);
        } else if work.weakest < WEAK {
            self.enforce(work);
        }
        Ok(())
    }

    /// With uneven masses the factors of S are accurate only to ε times the ratio of masses; the remaining error of the solution
    /// is solved for until only rounding is left.
    fn refine<T: Real>(&self, work: &mut Work<T>) {
        let mut before = f64::INFINITY;
        for _ in 0..MAX_REFINEMENTS {
            let open = self.enforce(work);
            // A negated comparison, so that NaN ends it. One more for the derivatives.
            if !(open < 0.25 * before) {
                break;
            }
            before = open;
        }
    }

    /// Adds the response to more forces at the same place, given by `add`.
    pub(crate) fn respond<T: Real>(&self, work: &mut Work<T>, add: impl FnOnce(&mut [Spatial<T>])) {
        work.change.fill([T::ZERO; 3]);
        add(&mut work.change);
        self.apply_change(work);
        if !self.rows.is_empty() {
            self.enforce(work);
            if self.geometry.is_some() {
                self.refine(work);
            }
        }
    }

    /// Brings the accelerations back to J a = γ*: S Δλ = J a − γ*, a −= M⁻¹ Jᵀ Δλ. The greatest of J a − γ* before.
    fn enforce<T: Real>(&self, work: &mut Work<T>) -> f64 {
        let [alpha, beta] = self.baumgarte;
        let mut open = 0.0_f64;
        for (r, row) in self.rows.iter().enumerate() {
            let [a, b] = row.frames();
            let value = &work.rows[r];
            let present =
                dot3(value.on_a, work.acceleration[a]) + dot3(value.on_b, work.acceleration[b]);
            let stabilised =
                value.gamma - value.rate * (2.0 * alpha) - value.residual * (beta * beta); // Skrinjar2017 eq. (3)
            work.step[r] = present - stabilised;
            open = open.max(work.step[r].value().abs());
        }
        self.push(work);
        for (sum, step) in work.multiplier.iter_mut().zip(&work.step) {
            *sum += *step;
        }
        self.apply_change(work);
        open
    }

    /// Solves S x = `step` and puts the forces −Jᵀ x into `change`.
    fn push<T: Real>(&self, work: &mut Work<T>) {
        let Work { mobility, step, change, rows, .. } = work;
        mobility.numeric.solve(&self.symbolic, step);
        change.fill([T::ZERO; 3]);
        for ((row, value), step) in self.rows.iter().zip(rows).zip(step) {
            let [a, b] = row.frames();
            accumulate(&mut change[a], -*step, value.on_a);
            accumulate(&mut change[b], -*step, value.on_b);
        }
    }

    /// Adds the accelerations due to `change`.
    fn apply_change<T: Real>(&self, work: &mut Work<T>) {
        match &self.core {
            Core::Tree(tree) => {
                let Work { change, links, unknowns, acceleration, .. } = work;
                tree.respond(change, links, unknowns, acceleration);
            }
            Core::Bodies(inverse) => {
                for (frame, inverse) in inverse.iter().enumerate().skip(1) {
                    for i in 0..3 {
                        let added = work.change[frame][i] * inverse[i];
                        work.acceleration[frame][i] += added;
                        work.unknowns[3 * frame - 3 + i] += added;
                    }
                }
            }
        }
    }

    /// The inertia at the present place, with all forces and velocities left aside: afterwards
    /// [`displace`](Self::displace) may be called.
    ///
    /// Rows that add less than `threshold` of what they would alone are left out.
    pub(crate) fn prepare<T: Real>(
        &self,
        work: &mut Work<T>,
        threshold: f64,
    ) -> Result<(), Massless> {
        work.force.fill([T::ZERO; 3]);
        if let Core::Tree(tree) = &self.core {
            let Work { force, links, unknowns, acceleration, .. } = work;
            let solved = tree.accelerate(force, links, unknowns, acceleration);
            solved.map_err(|link| Massless { frame: tree.links[link].frame })?;
        }
        self.measure(work);
        self.factorise(work, |pivot, strength, free| {
            let counts = strength.value() > threshold * free;
            if counts { T::constant(1.0) / pivot } else { T::ZERO }
        })
    }

    /// The smallest change of the unknowns, measured by the kinetic energy, that takes `excess(row)` off each
    /// constraint; it is written to `unknowns`.
    pub(crate) fn displace<T: Real>(&self, work: &mut Work<T>, excess: impl Fn(&RowValue<T>) -> T) {
        for (step, value) in work.step.iter_mut().zip(&work.rows) {
            *step = excess(value);
        }
        self.push(work);
        work.unknowns.fill(T::ZERO);
        if self.geometry.is_none() {
            return self.apply_change(work);
        }
        // As in `refine`: what the change leaves of the excess.
        work.acceleration.fill([T::ZERO; 3]);
        self.apply_change(work);
        let mut before = f64::INFINITY;
        for _ in 0..MAX_REFINEMENTS {
            let mut open = 0.0_f64;
            for (r, row) in self.rows.iter().enumerate() {
                let [a, b] = row.frames();
                let value = &work.rows[r];
                work.step[r] = excess(value)
                    + dot3(value.on_a, work.acceleration[a])
                    + dot3(value.on_b, work.acceleration[b]);
                open = open.max(work.step[r].value().abs());
            }
            if !(open < 0.25 * before) {
                break;
            }
            before = open;
            self.push(work);
            self.apply_change(work);
        }
    }

    /// The weight of each row in the linear dependence of a row that repeats others, J_row = Σ weight J: 0 for rows that are
    /// not involved, 1 for the row itself. Needs [`prepare`](Self::prepare).
    pub(crate) fn dependence(&self, row: usize, work: &mut Work<f64>) -> Vec<f64> {
        work.acceleration.fill([0.0; 3]);
        work.unknowns.fill(0.0);
        work.change.fill([0.0; 3]);
        let [a, b] = self.rows[row].frames();
        accumulate(&mut work.change[a], 1.0, work.rows[row].on_a);
        accumulate(&mut work.change[b], 1.0, work.rows[row].on_b);
        self.apply_change(work);
        for (r, other) in self.rows.iter().enumerate() {
            let [a, b] = other.frames();
            let value = &work.rows[r];
            work.step[r] =
                dot3(value.on_a, work.acceleration[a]) + dot3(value.on_b, work.acceleration[b]);
        }
        work.mobility.numeric.solve(&self.symbolic, &mut work.step);
        work.step[row] = 1.0;
        work.step.clone()
    }

    /// Rows that the last factorisation left out, in no order.
    pub(crate) fn left_out(&self, work: &Work<f64>) -> impl Iterator<Item = usize> {
        work.mobility.numeric.redundant(&self.symbolic)
    }

    /// Rows that repeat others at the present place.
    pub(crate) fn redundant(&self, work: &Work<f64>) -> Vec<usize> {
        let mut rows: Vec<usize> = self.left_out(work).collect();
        rows.sort_unstable();
        rows
    }
}

impl Work<f64> {
    /// The motion of all frames 1 µs later, at the present accelerations.
    pub(crate) fn soon(&self) -> Vec<Motion<f64>> {
        let h = 1e-6;
        let later = |(motion, a): (&Motion<f64>, &Spatial<f64>)| {
            let angle = motion.angle + h * (motion.omega + 0.5 * h * a[2]);
            let (sin, cos) = sin_cos(angle);
            Motion {
                x: std::array::from_fn(|i| motion.x[i] + h * (motion.v[i] + 0.5 * h * a[i])),
                angle,
                cos,
                sin,
                v: std::array::from_fn(|i| motion.v[i] + h * a[i]),
                omega: motion.omega + h * a[2],
            }
        };
        self.motion.iter().zip(&self.acceleration).map(later).collect()
    }
}

impl Work<f64> {
    /// The motion of all frames with its derivatives with respect to time, which stand first among those of [`Dual`].
    pub(crate) fn in_time(&self) -> Vec<Motion<Dual>> {
        let with = |value: f64, rate: f64| Dual::variable(0.0, 0).chain(value, rate);
        let moving = |(m, a): (&Motion<f64>, &Spatial<f64>)| Motion {
            x: std::array::from_fn(|i| with(m.x[i], m.v[i])),
            angle: with(m.angle, m.omega),
            cos: with(m.cos, -m.sin * m.omega),
            sin: with(m.sin, m.cos * m.omega),
            v: std::array::from_fn(|i| with(m.v[i], a[i])),
            omega: with(m.omega, a[2]),
        };
        self.motion.iter().zip(&self.acceleration).map(moving).collect()
    }
}

impl<T: Real> Work<T> {
    /// The force or moment of a driver along its coordinate.
    #[inline]
    pub(crate) fn effort(&self, place: DriverPlace) -> T {
        match place {
            DriverPlace::Link { link } => self.link_drive(link),
            DriverPlace::Row(row) => -self.multiplier[row],
        }
    }

    /// The force of a driver that moves a link of the tree.
    #[inline]
    fn link_drive(&self, link: usize) -> T {
        self.links[link].effort
    }

    /// The forces of a row on its bodies a and b.
    pub(crate) fn row_force(&self, row: usize) -> [Spatial<T>; 2] {
        let (value, multiplier) = (&self.rows[row], self.multiplier[row]);
        let force = |on: Spatial<T>| on.map(|on| -multiplier * on);
        [force(value.on_a), force(value.on_b)]
    }
}

impl Structure {
    /// The force that a link of the tree receives from its parent, about its centre of mass.
    #[inline]
    pub(crate) fn link_force<T: Real>(&self, link: usize, work: &Work<T>) -> Spatial<T> {
        match &self.core {
            Core::Tree(tree) => tree.transmitted(link, &work.links, &work.acceleration),
            Core::Bodies(_) => unreachable!("only a tree has links"),
        }
    }
}
