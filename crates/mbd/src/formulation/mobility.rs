//! The mobility of the constraints, S = J M⁻¹ Jᵀ, and which of them are redundant.

use super::tree::LinkWork;
use super::{Core, Massless, Structure, Work};
use crate::frame::{Spatial, dot3};
use crate::real::Real;
use crate::row::{Row, RowValue};
use crate::sparse::Numeric;

/// If masses differ by more than this, redundancy is judged by geometry.
const UNEVEN: f64 = 1e4;

/// The same structure between bodies of equal mass. Redundancy depends only on J; S shows it as
/// long as the masses are similar. At a body 10⁹ times lighter than its neighbours every row except
/// the last adds 10⁹ times what the last one adds, so the last would look redundant.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    core: Core,
    free: Vec<Spatial<f64>>,
}

/// S and its factors.
#[derive(Clone, Debug)]
pub(super) struct Mobility<T> {
    diagonal: Vec<T>,
    coupling: Vec<T>,
    pub(super) numeric: Numeric<T>,
}

/// S and its factors between bodies of equal mass.
#[derive(Clone, Debug)]
pub(super) struct GeometricWork<T> {
    links: Vec<LinkWork<T>>,
    unknowns: Vec<T>,
    acceleration: Vec<Spatial<T>>,
    no_force: Vec<Spatial<T>>,
    mobility: Mobility<T>,
    /// What each row adds, over what it would alone.
    strength: Vec<T>,
}

/// 1/p, faded out smoothly where the strength s of a row is below the limit θ: 1/(p (1 + (θ/s)⁴)). Ten times above the
/// limit it differs from 1/p by 1e-4, a thousand times above by 1e-12.
#[inline]
pub(super) fn faded<T: Real>(pivot: T, strength: T, limit: f64) -> T {
    if strength.value() > 1e4 * limit {
        return T::constant(1.0) / pivot;
    }
    // A negated comparison, so that NaN is left out too.
    if !(strength.value() > 1e-4 * limit) {
        return T::ZERO;
    }
    let ratio = T::constant(limit) / strength;
    let square = ratio * ratio;
    T::constant(1.0) / (pivot * (square * square + 1.0))
}

impl Structure {
    /// Lets geometry judge redundancy if the masses are uneven, given the size of the mechanism.
    pub(crate) fn judged(mut self, length: f64) -> Self {
        let square = length * length;
        let bodies = self.free.iter().flat_map(|&[m, _, j]| [m, j * square]);
        let (low, high) = bodies
            .filter(|inverse| *inverse > 0.0)
            .fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        if self.rows.is_empty() || !(high > UNEVEN * low) {
            return self;
        }
        let even = |inverse: &Spatial<f64>| {
            let [x, y, turn] = [1.0, 1.0, 1.0 / square];
            let kept = |inverse: f64, even: f64| if inverse > 0.0 { even } else { 0.0 };
            [kept(inverse[0], x), kept(inverse[1], y), kept(inverse[2], turn)]
        };
        let free: Vec<Spatial<f64>> = self.free.iter().map(even).collect();
        let core = match &self.core {
            Core::Bodies(inverse) => Core::Bodies(inverse.iter().map(even).collect()),
            Core::Tree(tree) => {
                let mut tree = tree.clone();
                for link in &mut tree.links {
                    let body = free[link.frame][0] > 0.0;
                    (link.mass, link.inertia) = if body { (1.0, square) } else { (0.0, 0.0) };
                }
                Core::Tree(tree)
            }
        };
        self.geometry = Some(Box::new(Geometry { core, free }));
        self
    }

    /// Whether masses are so uneven that rows are judged by the geometry.
    pub(crate) fn is_uneven(&self) -> bool {
        self.geometry.is_some()
    }

    pub(super) fn mobility<T: Real>(&self) -> Mobility<T> {
        Mobility {
            diagonal: vec![T::ZERO; self.rows.len()],
            coupling: vec![T::ZERO; self.pairs.len()],
            numeric: self.symbolic.numeric(),
        }
    }

    /// Working memory for the judgement by geometry.
    pub(super) fn geometric_work<T: Real>(&self, links: usize) -> Option<Box<GeometricWork<T>>> {
        self.geometry.as_ref().map(|_| {
            Box::new(GeometricWork {
                links: vec![LinkWork::ZERO; links],
                unknowns: vec![T::ZERO; self.unknowns],
                acceleration: vec![[T::ZERO; 3]; self.frames],
                no_force: vec![[T::ZERO; 3]; self.frames],
                mobility: self.mobility(),
                strength: vec![T::ZERO; self.rows.len()],
            })
        })
    }

    /// S = J M⁻¹ Jᵀ and its factors. `inverse` inverts a pivot, given the strength by which its row is judged and what the
    /// strength would be if its bodies were free; the strength is the pivot itself, or that between bodies of equal mass.
    pub(super) fn factorise<T: Real>(
        &self,
        work: &mut Work<T>,
        inverse: impl Fn(T, T, f64) -> T,
    ) -> Result<(), Massless> {
        let Work { links, rows, mobility, geometric, .. } = work;
        self.couple(&self.core, rows, links, mobility);
        let Mobility { diagonal, coupling, numeric } = mobility;
        let (Some(geometry), Some(geometric)) = (&self.geometry, geometric) else {
            let inverse = |r: usize, pivot| {
                inverse(pivot, pivot, free_mobility(&self.rows[r], &self.free, &rows[r]))
            };
            numeric.factorise(&self.symbolic, |r| diagonal[r], |pair| coupling[pair], inverse);
            return Ok(());
        };
        self.judge(geometry, geometric, rows, links, &inverse)?;
        let strength = &geometric.strength;
        let inverse = |r: usize, pivot: T| {
            // The rounding of a vanishing pivot.
            let least = 4.0 * f64::EPSILON * diagonal[r].value();
            let pivot = if pivot.value() > least { pivot } else { T::constant(least) };
            let free = free_mobility(&self.rows[r], &geometry.free, &rows[r]);
            inverse(pivot, strength[r], free)
        };
        numeric.factorise(&self.symbolic, |r| diagonal[r], |pair| coupling[pair], inverse);
        Ok(())
    }

    /// How much each row adds between bodies of equal mass.
    fn judge<T: Real>(
        &self,
        geometry: &Geometry,
        work: &mut GeometricWork<T>,
        rows: &[RowValue<T>],
        placed: &[LinkWork<T>],
        inverse: &impl Fn(T, T, f64) -> T,
    ) -> Result<(), Massless> {
        let GeometricWork { links, unknowns, acceleration, no_force, mobility, strength } = work;
        if let Core::Tree(tree) = &geometry.core {
            links.copy_from_slice(placed);
            let solved = tree.accelerate(no_force, links, unknowns, acceleration);
            solved.map_err(|link| Massless { frame: tree.links[link].frame })?;
        }
        self.couple(&geometry.core, rows, links, mobility);
        let Mobility { diagonal, coupling, numeric } = mobility;
        let inverse = |r: usize, pivot: T| {
            strength[r] = pivot;
            inverse(pivot, pivot, free_mobility(&self.rows[r], &geometry.free, &rows[r]))
        };
        numeric.factorise(&self.symbolic, |r| diagonal[r], |pair| coupling[pair], inverse);
        Ok(())
    }

    /// The entries of S for this M⁻¹.
    fn couple<T: Real>(
        &self,
        core: &Core,
        values: &[RowValue<T>],
        links: &mut [LinkWork<T>],
        mobility: &mut Mobility<T>,
    ) {
        for r in 0..self.rows.len() {
            let [a, b] = self.rows[r].frames();
            let RowValue { on_a, on_b, .. } = values[r];
            let (changes, pairs) = (self.first[r]..self.first[r + 1], &self.pairs);
            match core {
                Core::Tree(tree) => {
                    tree.respond_along(&self.paths[r], [(a, on_a), (b, on_b)], links);
                    let links = &*links;
                    let answer = |s: usize, [on_a, on_b]: [bool; 2]| {
                        let [a, b] = self.rows[s].frames();
                        let row = &values[s];
                        let mut sum = T::ZERO;
                        if on_a {
                            sum += dot3(row.on_a, tree.change(a, links));
                        }
                        if on_b {
                            sum += dot3(row.on_b, tree.change(b, links));
                        }
                        sum
                    };
                    mobility.diagonal[r] = answer(r, [true, true]);
                    for pair in changes {
                        mobility.coupling[pair] = answer(pairs[pair].1, self.reached[pair]);
                    }
                }
                Core::Bodies(inverse) => {
                    let moved = |frame: usize, force: Spatial<T>| -> Spatial<T> {
                        std::array::from_fn(|i| force[i] * inverse[frame][i])
                    };
                    let (change_a, change_b) = (moved(a, on_a), moved(b, on_b));
                    let answer = |s: usize| {
                        let row = &values[s];
                        let mut sum = T::ZERO;
                        for (frame, on) in
                            self.rows[s].frames().into_iter().zip([row.on_a, row.on_b])
                        {
                            if frame == a {
                                sum += dot3(on, change_a);
                            }
                            if frame == b {
                                sum += dot3(on, change_b);
                            }
                        }
                        sum
                    };
                    mobility.diagonal[r] = answer(r);
                    for pair in changes {
                        mobility.coupling[pair] = answer(pairs[pair].1);
                    }
                }
            }
        }
    }
}

/// The diagonal entry of S that a row would have if its bodies were free, with these inverse masses.
fn free_mobility<T: Real>(row: &Row, free: &[Spatial<f64>], value: &RowValue<T>) -> f64 {
    let bodies = row.frames().into_iter().zip([value.on_a, value.on_b]);
    let mobility = |(frame, on): (usize, Spatial<T>)| -> f64 {
        let squares = on.iter().zip(free[frame]);
        squares.map(|(on, inverse)| on.value() * on.value() * inverse).sum()
    };
    bodies.map(mobility).sum()
}
