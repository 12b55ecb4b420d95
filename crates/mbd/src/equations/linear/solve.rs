//! The linear equations for one shift: factors and solutions.

use jointplay_ode::{Complex, Scalar};

use super::{Bend, Linear, Shifted, Slopes};
use crate::blocks::Block;
use crate::equations::Equations;
use crate::formulation::REDUNDANT;

use super::plan::{Coefficients, Plan, Quadratic};

/// A coordinate of a body is ignored if its scaled pivot is below this.
const VANISHING: f64 = 1e-14;

/// s² c₂ + s c₁ + c₀.
#[inline]
fn shifted<T: Scalar>([c0, c1, c2]: &Quadratic, [s, square]: [T; 2]) -> Block<T> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| square * c2[i][j] + s * c1[i][j] + T::from(c0[i][j]))
    })
}

/// The change of the deflection of bristles per unit of each direction of the motion: g_q + s g_v
/// over s − g_z, by body and coordinate.
fn follows<T: Scalar>(bend: &Bend, s: T) -> [[T; 3]; 2] {
    let lag = s - T::from(bend.decay);
    std::array::from_fn(|slot| {
        std::array::from_fn(|i| {
            let [by_position, by_rate] = [bend.rate[6 * slot + i], bend.rate[6 * slot + 3 + i]];
            (T::from(by_position) + s * by_rate) / lag
        })
    })
}

/// Slopes times the motion of two bodies.
fn along<T: Scalar>(
    slopes: &Slopes,
    bodies: [Option<usize>; 2],
    position: impl Fn(usize) -> [T; 3],
    rate: impl Fn(usize) -> [T; 3],
) -> T {
    let mut sum = T::default();
    for (slot, body) in bodies.into_iter().enumerate() {
        let Some(body) = body else { continue };
        let (q, v) = (position(body - 1), rate(body - 1));
        for i in 0..3 {
            sum += q[i] * slopes[6 * slot + i] + v[i] * slopes[6 * slot + 3 + i];
        }
    }
    sum
}

impl<T: Scalar> Shifted<T> {
    fn factorise(
        &mut self,
        s: T,
        plan: &Plan,
        coefficients: &Coefficients,
        bends: &[Bend],
        scale: impl Fn(usize) -> ([f64; 3], f64),
    ) -> bool {
        self.s = s;
        let powers = [s, s * s];
        let factors = &mut self.factors;
        for (block, c) in factors.diagonal.iter_mut().zip(&coefficients.diagonal) {
            *block = shifted(c, powers);
        }
        let zero = [[T::default(); 3]; 3];
        factors.upper.fill(zero);
        factors.lower.fill(zero);
        for coupled in &plan.coupled {
            factors.upper[coupled.entry] = shifted(&coefficients.upper[coupled.entry], powers);
            factors.lower[coupled.entry] = shifted(&coefficients.lower[coupled.entry], powers);
        }
        for bend in bends {
            let follows = follows(bend, s);
            for row in 0..2 {
                for column in 0..2 {
                    let Some(place) = plan.find(&bend.tie, [row, column]) else { continue };
                    let block = factors.block(place);
                    for i in 0..3 {
                        for j in 0..3 {
                            block[i][j] -= follows[column][j] * bend.force[row][i];
                        }
                    }
                }
            }
        }
        factors.factorise(&plan.symbolic, scale)
    }

    /// Solves for the state, whose bodies have three coordinates each and then three rates.
    fn solve(&mut self, linear: (&Plan, &Coefficients, &[Bend]), bodies: usize, x: &mut [T]) {
        let (plan, coefficients, bends) = linear;
        let n = 3 * bodies;
        let s = self.s;
        let zero = [T::default(); 3];
        for body in 0..bodies {
            let of = |first: usize, i: usize| x[first + 3 * body + i];
            self.position[body] = std::array::from_fn(|i| of(0, i));
            self.carried[body] = std::array::from_fn(|i| s * of(0, i) + of(n, i));
        }
        for node in 0..self.x.len() {
            let own = node < bodies;
            let block = &coefficients.diagonal[plan.place[node]];
            self.x[node] =
                if own { driven(block, self.carried[node], self.position[node]) } else { zero };
        }
        for coupled in &plan.coupled {
            let (first, second) = (coupled.first, coupled.second);
            let pairs = [
                (first, second, &coefficients.upper[coupled.entry]),
                (second, first, &coefficients.lower[coupled.entry]),
            ];
            for (row, column, block) in pairs {
                if column < bodies {
                    let added = driven(block, self.carried[column], self.position[column]);
                    (0..3).for_each(|i| self.x[row][i] += added[i]);
                }
            }
        }
        for bend in bends {
            let carried = along(&bend.rate, bend.tie.bodies, |_| zero, |body| self.position[body]);
            let lag = s - T::from(bend.decay);
            let deflection = (x[2 * n + bend.bristle] - carried) / lag;
            for (force, body) in bend.force.iter().zip(bend.tie.bodies) {
                let Some(body) = body else { continue };
                (0..3).for_each(|i| self.x[body - 1][i] += deflection * force[i]);
            }
        }
        self.factors.solve(&plan.symbolic, &mut self.x);
        for body in 0..bodies {
            for i in 0..3 {
                let (u, r) = (self.x[body][i], self.position[body][i]);
                x[3 * body + i] = u;
                x[n + 3 * body + i] = s * u - r;
            }
        }
    }
}

/// c₂ (s r_q + r_v) + c₁ r_q.
#[inline]
fn driven<T: Scalar>([_, c1, c2]: &Quadratic, carried: [T; 3], position: [T; 3]) -> [T; 3] {
    std::array::from_fn(|i| {
        let mut sum = T::default();
        for j in 0..3 {
            sum += carried[j] * c2[i][j] + position[j] * c1[i][j];
        }
        sum
    })
}

impl Linear {
    /// Factorises for both shifts.
    pub(in crate::equations) fn factorise(
        &mut self,
        equations: &Equations,
        real: f64,
        complex: Complex,
    ) -> bool {
        let Linear { plan, coefficients, bends, strength, .. } = self;
        let bodies = equations.layout.structure.frames - 1;
        let scale = |size: f64| {
            let (plan, strength) = (&*plan, &*strength);
            move |k: usize| {
                let node = plan.symbolic.order[k];
                if node < bodies {
                    (equations.masses(node + 1).map(|mass| mass.sqrt() * size), VANISHING)
                } else {
                    (
                        strength[k]
                            .map(|strength| if strength > 0.0 { strength.sqrt() } else { 1.0 }),
                        REDUNDANT,
                    )
                }
            }
        };
        let size = complex.size();
        self.real.factorise(real, plan, coefficients, bends, scale(real))
            && self.complex.factorise(complex, plan, coefficients, bends, scale(size))
    }

    pub(in crate::equations) fn solve_real(&mut self, equations: &Equations, x: &mut [f64]) {
        let Linear { plan, coefficients, bends, powers, real, .. } = self;
        finish(real, (plan, coefficients, bends), powers, equations, x);
    }

    pub(in crate::equations) fn solve_complex(&mut self, equations: &Equations, x: &mut [Complex]) {
        let Linear { plan, coefficients, bends, powers, complex, .. } = self;
        finish(complex, (plan, coefficients, bends), powers, equations, x);
    }
}

/// Solves for everything: bodies, then bristles and accounts, which follow from them.
fn finish<T: Scalar>(
    shifted: &mut Shifted<T>,
    linear: (&Plan, &Coefficients, &[Bend]),
    powers: &[super::PowerSlopes],
    equations: &Equations,
    x: &mut [T],
) {
    let (_, _, bends) = linear;
    let bodies = equations.layout.structure.frames - 1;
    let (n, s) = (3 * bodies, shifted.s);
    shifted.solve(linear, bodies, x);
    let (motion, rest) = x.split_at_mut(2 * n);
    let (bristles, accounts) = rest.split_at_mut(equations.mechanism.bristles);
    let position = |body: usize| std::array::from_fn(|i| motion[3 * body + i]);
    let rate = |body: usize| std::array::from_fn(|i| motion[n + 3 * body + i]);
    let mut bent = bends.iter().peekable();
    for (i, z) in bristles.iter_mut().enumerate() {
        // Bristles of contacts that do not touch keep their deflection.
        let bend = bent.next_if(|bend| bend.bristle == i);
        let Some(bend) = bend else {
            *z = *z / s;
            continue;
        };
        *z = (*z + along(&bend.rate, bend.tie.bodies, position, rate)) / (s - T::from(bend.decay));
    }
    for power in powers {
        let mut change = along(&power.slopes, power.bodies, position, rate);
        if let Some((bristle, slope)) = power.bristle {
            change += bristles[bristle] * slope;
        }
        accounts[power.account] += change;
    }
    for account in accounts {
        *account = *account / s;
    }
}

impl<T: Scalar> crate::blocks::Factors<T> {
    fn block(&mut self, place: super::plan::BlockPlace) -> &mut Block<T> {
        use super::plan::BlockPlace;
        match place {
            BlockPlace::Diagonal(k) => &mut self.diagonal[k],
            BlockPlace::Upper(entry) => &mut self.upper[entry],
            BlockPlace::Lower(entry) => &mut self.lower[entry],
        }
    }
}
