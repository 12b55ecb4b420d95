//! Friction of ideal joints, whose normal force is the joint's own reaction.
//!
//! With the friction efforts τ on the coordinates of the joints, the reactions are affine in τ, and
//! each effort must be that of its law for its reaction:
//!
//! ```text
//! τ_k = c_k(rate_k) N_k(R_k),    R_k = R_k⁰ + Σ_j B_kj τ_j
//! ```
//!
//! N = ‖R‖ for a revolute joint and max(|N|, 2|M|/b) for a block of length b. The equations are solved by Newton's
//! method. N is a norm, so that c N(R⁰ + B τ) − τ is convex in the own effort of a joint: it has one zero for every load
//! if and only if |c| N(B) < 1, otherwise none or two. Where friction grows that much faster with its reaction than the
//! reaction can bear, or det(I − c ∂N/∂τ) ≤ 0 for several joints together, the joint jams.

use super::{Equations, Evaluation, Trouble};
use crate::dense::eliminate_in_order;
use crate::formulation::Work;
use crate::frame::{Motion, Spatial, accumulate, dot, perp, unit};
use crate::joint::{DryFriction, JointKind};
use crate::mechanism::{FrictionElement, Mechanism};
use crate::real::Real;
use crate::row::{NO_TARGET, RowValue};

/// Maximum number of steps of Newton's method.
const MAX_ITERATIONS: usize = 60;

/// Working memory for the dry frictions.
#[derive(Clone, Debug)]
pub(super) struct FrictionWork<T> {
    /// Coordinates of all joints with friction.
    rows: Vec<RowValue<T>>,
    /// Efforts of the dry frictions, one for each element (0 for those without).
    effort: Vec<T>,
    /// Effort per unit of normal force.
    coefficient: Vec<T>,
    /// R_k without friction.
    base: Vec<[T; 2]>,
    /// B_kj, row by row.
    response: Vec<[T; 2]>,
    matrix: Vec<T>,
    step: Vec<T>,
}

impl<T: Real> FrictionWork<T> {
    pub(super) fn new(mechanism: &Mechanism) -> Self {
        let n = mechanism.frictions.len();
        FrictionWork {
            rows: vec![RowValue::ZERO; n],
            effort: vec![T::ZERO; n],
            coefficient: vec![T::ZERO; n],
            base: vec![[T::ZERO; 2]; n],
            response: vec![[T::ZERO; 2]; n * n],
            matrix: vec![T::ZERO; n * n],
            step: vec![T::ZERO; n],
        }
    }
}

impl FrictionElement {
    /// Normal force N and its derivative with respect to both components of R.
    fn load<T: Real>(&self, r: [T; 2]) -> (T, [T; 2]) {
        match self.dry {
            DryFriction::None => (T::ZERO, [T::ZERO; 2]),
            DryFriction::Pin { .. } => {
                let size = dot(r, r).sqrt();
                if size.value() == 0.0 {
                    return (T::ZERO, [T::ZERO; 2]);
                }
                let inverse = T::constant(1.0) / size;
                (size, [r[0] * inverse, r[1] * inverse])
            }
            DryFriction::Block { length, .. } => {
                let lever = 2.0 / length;
                let [normal, moment] = [r[0], r[1] * lever];
                let sign = |x: T| if x.value() < 0.0 { -1.0 } else { 1.0 };
                if normal.value().abs() >= moment.value().abs() {
                    (normal * sign(normal), [T::constant(sign(normal)), T::ZERO])
                } else {
                    (moment * sign(moment), [T::ZERO, T::constant(sign(moment) * lever)])
                }
            }
        }
    }

    /// Effort per unit of normal force at this rate of the coordinate.
    fn coefficient<T: Real>(&self, rate: T) -> T {
        let (law, lever) = match &self.dry {
            DryFriction::None => return T::ZERO,
            DryFriction::Pin { law, radius } => (law, *radius),
            DryFriction::Block { law, .. } => (law, 1.0),
        };
        let unit = law.force(1.0, rate.value() * lever, 0.0);
        rate.chain(lever * unit.force, lever * lever * unit.slope)
    }
}

impl FrictionElement {
    /// Adds the forces of its friction under a given normal force, and writes their powers.
    pub(super) fn drag<T: Real>(
        &self,
        load: f64,
        motion: &[Motion<T>],
        force: &mut [Spatial<T>],
        power: &mut [T],
    ) {
        let row = self.row.eval(motion, NO_TARGET);
        let [a, b] = self.row.frames();
        let viscous = -row.rate * self.viscous;
        let dry = self.coefficient(row.rate) * load;
        for (account, effort) in [(self.viscous_account, viscous), (self.dry_account, dry)] {
            if let Some(account) = account {
                accumulate(&mut force[a], effort, row.on_a);
                accumulate(&mut force[b], effort, row.on_b);
                power[account] = -effort * row.rate;
            }
        }
    }
}

impl Equations {
    /// The normal force on the dry friction number `k` in the evaluation.
    pub(super) fn friction_load(&self, k: usize, evaluation: &Evaluation<f64>) -> f64 {
        self.mechanism.frictions[k].load(self.loads(k, &evaluation.work)).0
    }

    /// Accelerations under the applied forces and the friction of the joints.
    pub(super) fn accelerate_with_friction<T: Real>(
        &self,
        work: &mut Work<T>,
        friction: &mut FrictionWork<T>,
        power: &mut [T],
    ) -> Result<(), Trouble> {
        let structure = &self.layout.structure;
        let elements = &self.mechanism.frictions;
        for (element, row) in elements.iter().zip(&mut friction.rows) {
            *row = element.row.eval(&work.motion, NO_TARGET);
            if let Some(account) = element.viscous_account {
                let effort = -row.rate * element.viscous;
                let [a, b] = element.row.frames();
                accumulate(&mut work.force[a], effort, row.on_a);
                accumulate(&mut work.force[b], effort, row.on_b);
                power[account] = -effort * row.rate;
            }
        }
        structure.accelerate(work)?;
        if elements.iter().all(|element| element.dry_account.is_none()) {
            return Ok(());
        }
        let n = elements.len();
        for k in 0..n {
            friction.base[k] = self.loads(k, work);
            friction.effort[k] = T::ZERO;
            friction.coefficient[k] = elements[k].coefficient(friction.rows[k].rate);
        }
        for j in 0..n {
            if elements[j].dry_account.is_none() {
                continue;
            }
            let ([a, b], row) = (elements[j].row.frames(), friction.rows[j]);
            for sign in [1.0, -1.0] {
                structure.respond(work, |change| {
                    accumulate(&mut change[a], T::constant(sign), row.on_a);
                    accumulate(&mut change[b], T::constant(sign), row.on_b);
                });
                if sign > 0.0 {
                    for k in 0..n {
                        let [x, y] = self.loads(k, work);
                        let base = friction.base[k];
                        friction.response[k * n + j] = [x - base[0], y - base[1]];
                    }
                }
            }
        }
        self.solve_friction(friction)?;
        let FrictionWork { rows, effort, .. } = &*friction;
        structure.respond(work, |change| {
            for ((element, row), effort) in elements.iter().zip(rows).zip(effort) {
                let [a, b] = element.row.frames();
                accumulate(&mut change[a], *effort, row.on_a);
                accumulate(&mut change[b], *effort, row.on_b);
            }
        });
        for ((element, row), effort) in elements.iter().zip(rows).zip(effort) {
            if let Some(account) = element.dry_account {
                power[account] = -*effort * row.rate;
            }
        }
        Ok(())
    }

    /// The effort of all friction of a joint along its coordinate.
    pub(crate) fn friction_effort(&self, joint: usize, evaluation: &Evaluation<f64>) -> f64 {
        let elements = self.mechanism.frictions.iter().zip(&evaluation.friction.rows);
        let of_joint = elements.zip(&evaluation.friction.effort);
        let effort = |((element, row), dry): ((&FrictionElement, &RowValue<f64>), &f64)| {
            (element.joint == joint).then(|| dry - element.viscous * row.rate)
        };
        of_joint.into_iter().find_map(effort).unwrap_or(0.0)
    }

    /// The two components of a reaction that load the friction: (fx, fy) or (normal, moment).
    fn loads<T: Real>(&self, k: usize, work: &Work<T>) -> [T; 2] {
        let joint = self.mechanism.frictions[k].joint;
        let part = &self.mechanism.joints[joint];
        let (force, moment) = self.reaction(joint, work);
        match part.kind {
            JointKind::Revolute => force,
            JointKind::Prismatic
            | JointKind::Weld
            | JointKind::PointOnLine
            | JointKind::Distance { .. } => {
                let normal = perp(work.motion[part.a.anchor.body.0].turn(unit(part.a.direction)));
                [dot(normal, force), moment]
            }
        }
    }

    /// Solves for the efforts.
    fn solve_friction<T: Real>(&self, friction: &mut FrictionWork<T>) -> Result<(), Trouble> {
        let elements = &self.mechanism.frictions;
        let n = elements.len();
        let FrictionWork { effort, coefficient, base, response, matrix, step, .. } = friction;
        for (k, element) in elements.iter().enumerate() {
            let (gain, _) = element.load(response[k * n + k]);
            // A negated comparison, so that NaN is an error.
            if !(coefficient[k].value().abs() * gain.value() < 1.0 - 1e-12) {
                return Err(Trouble::Friction { joint: element.joint });
            }
        }
        let mut converged = false;
        for _ in 0..MAX_ITERATIONS {
            let mut worst = (0.0, 0);
            let mut scale = f64::MIN_POSITIVE;
            for k in 0..n {
                let mut r = base[k];
                for j in 0..n {
                    let [x, y] = response[k * n + j];
                    r = [r[0] + x * effort[j], r[1] + y * effort[j]];
                }
                let (load, slope) = elements[k].load(r);
                let wanted = coefficient[k] * load;
                step[k] = wanted - effort[k];
                scale = wanted.value().abs().max(scale).max(effort[k].value().abs());
                if step[k].value().abs() > worst.0 {
                    worst = (step[k].value().abs(), k);
                }
                for j in 0..n {
                    let own = if j == k { 1.0 } else { 0.0 };
                    let gain = coefficient[k] * dot(slope, response[k * n + j]);
                    matrix[k * n + j] = -gain + own;
                }
            }
            // Its leading minors are positive where the joints do not jam.
            if let Err(k) = eliminate_in_order(n, matrix, step, 1e-12) {
                return Err(Trouble::Friction { joint: elements[k].joint });
            }
            for (effort, step) in effort.iter_mut().zip(&*step) {
                *effort += *step;
            }
            if converged {
                // One step beyond convergence makes the derivatives exact too.
                return Ok(());
            }
            converged = worst.0 <= 1e-13 * scale;
        }
        Err(Trouble::Friction { joint: elements[0].joint })
    }
}
