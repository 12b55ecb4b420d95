//! The equations of motion linearised for an implicit method, in absolute coordinates.
//!
//! For a shift s an implicit method solves (s − ∂f/∂y) u = r with y = (q, v, z, w). The first two
//! rows give u_v = s u_q − r_q, and the remaining equations for the bodies and the changes μ of the
//! multipliers are
//!
//! ```text
//! | s² M − s D − K    Jᵀ | | u_q |   | M (s r_q + r_v) − D r_q   |
//! | s² J − s G_v − G_q 0 | |  μ  | = | J (s r_q + r_v) − G_v r_q |
//! ```
//!
//! with D = ∂F/∂v, K = ∂(F − Jᵀλ)/∂q, G = γ* − J q̈ at the accelerations of the linearised state. A
//! contact, a force or a joint only couples the bodies on which it acts, so the matrix is sparse,
//! of 3×3 [blocks](crate::blocks). Bristles (u_z) follow from the motion of their two bodies and
//! are eliminated contact by contact; the accounts (u_w) are quadratures, computed last.
//!
//! Slopes are exact, taken part by part in dual numbers. The neglected terms (the change of joint
//! friction with its reaction, the change of accounts that depend on reactions) cost iterations,
//! not accuracy.

mod plan;
mod solve;

use jointplay_ode::{Complex, Fault, Scalar};

use super::{Equations, Evaluation, Mode, Purpose, rhs_fault};
use crate::blocks::Factors;
use crate::contact::{Bristles, Phase};
use crate::formulation::Core;
use crate::frame::{Motion, Spatial, dot3};
use crate::real::{Dual, Real, WIDTH};
use crate::row::NO_TARGET;

use plan::{Coefficients, Plan, Tie};

/// Derivatives of one part with respect to x, y, φ, ẋ, ẏ, φ̇ of its first body, then of its second.
type Slopes = [f64; 12];

/// Everything that the linear equations need.
#[derive(Debug)]
pub(super) struct Linear {
    plan: Plan,
    coefficients: Coefficients,
    duals: Duals,
    /// Slopes of the powers of accounts.
    powers: Vec<PowerSlopes>,
    /// Contacts with bristles.
    bends: Vec<Bend>,
    /// The diagonal of each group of constraints if its bodies were free, in the order of
    /// elimination; 0 for bodies.
    strength: Vec<[f64; 3]>,
    real: Shifted<f64>,
    complex: Shifted<Complex>,
}

/// The equations for one shift.
#[derive(Debug)]
struct Shifted<T> {
    s: T,
    factors: Factors<T>,
    /// Of each node: the right-hand side and the solution, r_q, s r_q + r_v.
    x: Vec<[T; 3]>,
    position: Vec<[T; 3]>,
    carried: Vec<[T; 3]>,
}

/// Slopes of the power of one account.
#[derive(Clone, Copy, Debug)]
struct PowerSlopes {
    account: usize,
    bodies: [Option<usize>; 2],
    slopes: Slopes,
    /// The bristles of the contact, and the slope with respect to their deflection.
    bristle: Option<(usize, f64)>,
}

/// Bristles of a contact that touches.
#[derive(Clone, Copy, Debug)]
struct Bend {
    tie: Tie,
    bristle: usize,
    /// Slopes of the forces on both bodies with respect to the deflection.
    force: [[f64; 3]; 2],
    /// Slopes of the rate of the deflection with respect to the motion, and to the deflection.
    rate: Slopes,
    decay: f64,
}

/// An evaluation of one part in dual numbers.
#[derive(Debug)]
struct Duals {
    motion: Vec<Motion<Dual>>,
    force: Vec<Spatial<Dual>>,
    power: Vec<Dual>,
    bristles: Vec<Bristles<Dual>>,
}

/// Directions of derivatives: six of each body, then the bristles.
const BRISTLES: usize = 12;

impl Duals {
    /// Evaluates a part with the derivatives in all directions of its bodies, and of the bristles of number `bristle`;
    /// `take(duals, direction, local)` gets each of them.
    fn differentiate(
        &mut self,
        motion: &[Motion<f64>],
        tie: &Tie,
        bristle: Option<usize>,
        mut evaluate: impl FnMut(&mut Duals),
        mut take: impl FnMut(&Duals, usize, usize),
    ) {
        let bodies = tie.bodies;
        let directions = if bristle.is_some() { BRISTLES + 1 } else { BRISTLES };
        for first in (0..directions).step_by(WIDTH) {
            let last = (first + WIDTH).min(directions);
            let moves = |d: usize| d == BRISTLES || bodies[d / 6].is_some();
            if !(first..last).any(moves) {
                continue;
            }
            let seed = |value: f64, direction: usize| match direction.checked_sub(first) {
                Some(local) if local < WIDTH => Dual::variable(value, local),
                _ => Dual::constant(value),
            };
            for (slot, body) in bodies.into_iter().enumerate() {
                let Some(body) = body else { continue };
                let m = &motion[body];
                let of = |value: f64, k: usize| seed(value, 6 * slot + k);
                let angle = of(m.angle, 2);
                self.motion[body] = Motion {
                    x: [of(m.x[0], 0), of(m.x[1], 1)],
                    angle,
                    cos: angle.chain(m.cos, -m.sin),
                    sin: angle.chain(m.sin, m.cos),
                    v: [of(m.v[0], 3), of(m.v[1], 4)],
                    omega: of(m.omega, 5),
                };
                self.force[body] = [Dual::ZERO; 3];
            }
            if let Some(i) = bristle {
                self.bristles[i].z = seed(self.bristles[i].z.value(), BRISTLES);
            }
            evaluate(self);
            for direction in (first..last).filter(|&d| moves(d)) {
                take(self, direction, direction - first);
            }
        }
        for body in bodies.into_iter().flatten() {
            self.motion[body] = constant(&motion[body]);
        }
        if let Some(i) = bristle {
            self.bristles[i].z = Dual::constant(self.bristles[i].z.value());
        }
    }
}

fn constant(m: &Motion<f64>) -> Motion<Dual> {
    let of = Dual::constant;
    Motion {
        x: m.x.map(of),
        angle: of(m.angle),
        cos: of(m.cos),
        sin: of(m.sin),
        v: m.v.map(of),
        omega: of(m.omega),
    }
}

impl Equations {
    /// Whether the linear equations of an implicit method are solved body by body: where the coordinates are those of the bodies.
    pub(super) fn is_sparse(&self) -> bool {
        matches!(self.layout.structure.core, Core::Bodies(_)) && self.purpose == Purpose::Dynamics
    }

    pub(super) fn linear(&self) -> Linear {
        let structure = &self.layout.structure;
        let plan = Plan::new(&self.mechanism, structure);
        let nodes = plan.symbolic.order.len();
        Linear {
            coefficients: plan.coefficients(),
            duals: Duals {
                motion: vec![Motion::rest(); structure.frames],
                force: vec![[Dual::ZERO; 3]; structure.frames],
                power: vec![Dual::ZERO; self.mechanism.accounts.len()],
                bristles: vec![
                    Bristles { z: Dual::ZERO, rate: Dual::ZERO };
                    self.mechanism.bristles
                ],
            },
            powers: Vec::with_capacity(
                2 * plan.contacts.len() + plan.elements.len() + 2 * plan.frictions.len(),
            ),
            bends: Vec::with_capacity(self.mechanism.bristles),
            strength: vec![[0.0; 3]; nodes],
            real: Shifted::new(&plan, 1.0),
            complex: Shifted::new(&plan, Complex::from(1.0)),
            plan,
        }
    }

    /// The masses of a body, by its frame. A point mass that does not turn has any moment of inertia.
    fn masses(&self, frame: usize) -> [f64; 3] {
        let Core::Bodies(inverse) = &self.layout.structure.core else { return [1.0; 3] };
        inverse[frame].map(|inverse| if inverse > 0.0 { 1.0 / inverse } else { 1.0 })
    }

    /// Takes all slopes at a state.
    pub(super) fn linearise_into(
        &self,
        t: f64,
        y: &[f64],
        mode: &Mode,
        evaluation: &mut Evaluation<f64>,
        linear: &mut Linear,
    ) -> Result<(), Fault> {
        self.evaluate(t, y, mode, evaluation).map_err(|trouble| rhs_fault(t, trouble))?;
        let motion = &evaluation.work.motion;
        let Linear { plan, coefficients, duals, powers, bends, .. } = linear;
        for blocks in [&mut coefficients.diagonal, &mut coefficients.upper, &mut coefficients.lower]
        {
            blocks.fill([[[0.0; 3]; 3]; 3]);
        }
        powers.clear();
        bends.clear();
        for (dual, m) in duals.motion.iter_mut().zip(motion) {
            *dual = constant(m);
        }
        for (dual, real) in duals.bristles.iter_mut().zip(&evaluation.bristles) {
            *dual = Bristles { z: Dual::constant(real.z), rate: Dual::ZERO };
        }
        for frame in 1..self.layout.structure.frames {
            let mass = &mut coefficients.diagonal[plan.place[frame - 1]][2];
            let masses = self.masses(frame);
            (0..3).for_each(|i| mass[i][i] = masses[i]);
        }
        for (element, tie) in self.mechanism.elements.iter().zip(&plan.elements) {
            let apply = |d: &mut Duals| element.apply(t, &d.motion, &mut d.force, &mut d.power);
            let accounts = [element.account(), None];
            part_slopes((plan, coefficients, duals, powers), motion, tie, accounts, apply);
        }
        let contacts = self.mechanism.contacts.iter().zip(&mode.contacts).zip(&plan.contacts);
        for ((contact, phase), tie) in contacts {
            if matches!(phase, Phase::Apart { .. }) {
                continue;
            }
            let apply = |d: &mut Duals| {
                contact.apply(phase, &d.motion, &mut d.bristles, &mut d.force, &mut d.power);
            };
            let accounts = [Some(contact.normal_account), contact.friction_account];
            part_slopes((plan, coefficients, duals, powers), motion, tie, accounts, apply);
            let Some(bristle) = contact.bristle else { continue };
            let mut bend =
                Bend { tie: *tie, bristle, force: [[0.0; 3]; 2], rate: [0.0; 12], decay: 0.0 };
            let first = powers.len() - accounts.iter().flatten().count();
            duals.differentiate(motion, tie, Some(bristle), apply, |d, direction, local| {
                let rate = d.bristles[bristle].rate.slope(local);
                if direction < BRISTLES {
                    bend.rate[direction] = rate;
                    return;
                }
                bend.decay = rate;
                for (force, body) in bend.force.iter_mut().zip(tie.bodies) {
                    *force = body.map_or([0.0; 3], |body| d.force[body].map(|f| f.slope(local)));
                }
                for power in &mut powers[first..] {
                    power.bristle = Some((bristle, d.power[power.account].slope(local)));
                }
            });
            bends.push(bend);
        }
        for (k, tie) in plan.frictions.iter().enumerate() {
            let load = self.friction_load(k, evaluation);
            let element = &self.mechanism.frictions[k];
            let apply = |d: &mut Duals| element.drag(load, &d.motion, &mut d.force, &mut d.power);
            let accounts = [element.viscous_account, element.dry_account];
            part_slopes((plan, coefficients, duals, powers), motion, tie, accounts, apply);
        }
        self.constraint_slopes(evaluation, linear);
        Ok(())
    }

    /// Jᵀ, the curvature of Jᵀλ, and the slopes of γ* − J q̈.
    fn constraint_slopes(&self, evaluation: &Evaluation<f64>, linear: &mut Linear) {
        let structure = &self.layout.structure;
        let work = &evaluation.work;
        let [alpha, beta] = structure.baumgarte;
        let Linear { plan, coefficients, duals, strength, .. } = linear;
        for group in &plan.groups {
            let place = plan.place[group.node];
            // Places of the block without a constraint stand alone.
            for unused in group.rows.len()..3 {
                coefficients.diagonal[place][0][unused][unused] = 1.0;
                strength[place][unused] = 1.0;
            }
            for (index, &r) in group.rows.iter().enumerate() {
                let (row, value, multiplier) =
                    (&structure.rows[r], &work.rows[r], work.multiplier[r]);
                let target = row.driver.map_or(NO_TARGET, |driver| work.drives[driver]);
                let [a, b] = row.frames();
                let on = |frame: usize| if frame == a { value.on_a } else { value.on_b };
                let free = |frame: usize| {
                    let (on, inverse) = (on(frame), structure.free[frame]);
                    (0..3).map(|i| on[i] * on[i] * inverse[i]).sum::<f64>()
                };
                strength[place][index] =
                    group.tie.bodies.into_iter().flatten().map(free).sum::<f64>();
                for (slot, body) in group.tie.bodies.into_iter().enumerate() {
                    let Some(body) = body else { continue };
                    let Some([of_body, of_group]) = coefficients.of_group(plan, group, slot) else {
                        continue;
                    };
                    for (i, on) in on(body).into_iter().enumerate() {
                        of_body[0][i][index] = on;
                        of_group[2][index][i] = on;
                    }
                }
                let mut dual = None;
                let tie = &group.tie;
                // The value of the row stays in this cell between evaluation and collection.
                let cell = std::cell::Cell::new(dual.take());
                duals.differentiate(
                    &work.motion,
                    tie,
                    None,
                    |d| cell.set(Some(row.eval(&d.motion, target))),
                    |_, direction, local| {
                        let Some(value) = cell.get() else { return };
                        let (column, component, power) =
                            (direction / 6, direction % 3, direction % 6 / 3);
                        let wanted = value.gamma
                            - value.rate * (2.0 * alpha)
                            - value.residual * (beta * beta);
                        let acceleration =
                            |frame: usize| work.acceleration[frame].map(Dual::constant);
                        let present =
                            dot3(value.on_a, acceleration(a)) + dot3(value.on_b, acceleration(b));
                        let slope = (wanted - present).slope(local);
                        if let Some([_, of_group]) = coefficients.of_group(plan, group, column) {
                            of_group[power][index][component] -= slope;
                        }
                        if power == 1 {
                            return; // J does not depend on velocities
                        }
                        for (slot, body) in tie.bodies.into_iter().enumerate() {
                            let Some(body) = body else { continue };
                            let on = if body == a { value.on_a } else { value.on_b };
                            let block = coefficients.of_tie(plan, tie, [slot, column]);
                            let Some(block) = block else { continue };
                            for i in 0..3 {
                                block[0][i][component] += multiplier * on[i].slope(local);
                            }
                        }
                    },
                );
            }
        }
    }
}

/// Adds the slopes of the forces of one part to the coefficients, and keeps those of its powers.
fn part_slopes(
    (plan, coefficients, duals, powers): (
        &Plan,
        &mut Coefficients,
        &mut Duals,
        &mut Vec<PowerSlopes>,
    ),
    motion: &[Motion<f64>],
    tie: &Tie,
    accounts: [Option<usize>; 2],
    apply: impl FnMut(&mut Duals),
) {
    let mut slopes = [[0.0; 12]; 2];
    duals.differentiate(motion, tie, None, apply, |d, direction, local| {
        let (column, component, power) = (direction / 6, direction % 3, direction % 6 / 3);
        for (row, body) in tie.bodies.into_iter().enumerate() {
            let Some(body) = body else { continue };
            if let Some(block) = coefficients.of_tie(plan, tie, [row, column]) {
                for i in 0..3 {
                    block[power][i][component] -= d.force[body][i].slope(local);
                }
            }
        }
        for (slopes, account) in slopes.iter_mut().zip(accounts) {
            if let Some(account) = account {
                slopes[direction] = d.power[account].slope(local);
            }
        }
    });
    for (slopes, account) in slopes.into_iter().zip(accounts) {
        if let Some(account) = account {
            powers.push(PowerSlopes { account, bodies: tie.bodies, slopes, bristle: None });
        }
    }
}

impl<T: Scalar> Shifted<T> {
    fn new(plan: &Plan, s: T) -> Self {
        let zeros = vec![[T::default(); 3]; plan.symbolic.order.len()];
        let factors = Factors::new(&plan.symbolic);
        Shifted { s, factors, x: zeros.clone(), position: zeros.clone(), carried: zeros }
    }
}
