//! Sparse LU of a matrix of 3×3 blocks whose structure is symmetric and never changes.
//!
//! A body has three coordinates, a joint at most three constraints: each is one block of unknowns, and the blocks that are not zero
//! are those of bodies that a contact, a force or a joint ties together. The order of elimination is that of [`Symbolic`]; pivots are
//! sought inside the blocks of the diagonal only.

use jointplay_ode::Scalar;

use crate::sparse::Symbolic;

/// Three rows and three columns.
pub(crate) type Block<T> = [[T; 3]; 3];

/// The factors of a matrix.
#[derive(Clone, Debug)]
pub(crate) struct Factors<T> {
    /// Blocks of the diagonal in the order of elimination; after the factorisation their inverses.
    pub(crate) diagonal: Vec<Block<T>>,
    /// For each entry of [`Symbolic`], the block above the diagonal, whose row is eliminated first.
    pub(crate) upper: Vec<Block<T>>,
    /// The block below the diagonal, whose column is eliminated first; after the factorisation that of L.
    pub(crate) lower: Vec<Block<T>>,
    work: Vec<[T; 3]>,
}

#[inline]
fn times<T: Scalar>(a: &Block<T>, b: &Block<T>) -> Block<T> {
    let entry = |i: usize, j: usize| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

#[inline]
fn subtract_product<T: Scalar>(from: &mut Block<T>, a: &Block<T>, b: &Block<T>) {
    let product = times(a, b);
    for i in 0..3 {
        for j in 0..3 {
            from[i][j] -= product[i][j];
        }
    }
}

#[inline]
pub(crate) fn apply<T: Scalar>(a: &Block<T>, x: [T; 3]) -> [T; 3] {
    std::array::from_fn(|i| a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2])
}

/// The inverse, by elimination with complete pivoting of the block scaled by `size`, the square roots of what its diagonal would be
/// if it stood alone. Unknowns whose scaled pivot is not above `least` are left out: their rows and columns of the inverse are zero.
/// `None` if an entry is not finite.
#[inline]
fn invert<T: Scalar>(block: &Block<T>, size: [f64; 3], least: f64) -> Option<Block<T>> {
    let mut a: Block<T> =
        std::array::from_fn(|i| std::array::from_fn(|j| block[i][j] * (1.0 / (size[i] * size[j]))));
    let mut inverse: Block<T> = [[T::default(); 3]; 3];
    for i in 0..3 {
        inverse[i][i] = T::from(1.0);
    }
    // Gauss–Jordan: after the step with pivot (i, j), column j of `a` is the unit vector i.
    let (mut row_done, mut row_of) = ([false; 3], [None; 3]);
    for _ in 0..3 {
        let (mut best, mut place) = (least, None);
        for i in (0..3).filter(|&i| !row_done[i]) {
            for j in (0..3).filter(|&j| row_of[j].is_none()) {
                let candidate = a[i][j].size();
                if !candidate.is_finite() {
                    return None;
                }
                if candidate > best {
                    (best, place) = (candidate, Some((i, j)));
                }
            }
        }
        let Some((i, j)) = place else { break };
        (row_done[i], row_of[j]) = (true, Some(i));
        let reciprocal = T::from(1.0) / a[i][j];
        for k in 0..3 {
            a[i][k] = a[i][k] * reciprocal;
            inverse[i][k] = inverse[i][k] * reciprocal;
        }
        let (pivot_row, pivot_inverse) = (a[i], inverse[i]);
        for r in (0..3).filter(|&r| r != i) {
            let factor = a[r][j];
            for k in 0..3 {
                a[r][k] -= factor * pivot_row[k];
                inverse[r][k] -= factor * pivot_inverse[k];
            }
        }
    }
    Some(std::array::from_fn(|j| {
        let Some(i) = row_of[j] else { return [T::default(); 3] };
        std::array::from_fn(|k| {
            if row_done[k] { inverse[i][k] * (1.0 / (size[j] * size[k])) } else { T::default() }
        })
    }))
}

impl<T: Scalar> Factors<T> {
    pub(crate) fn new(symbolic: &Symbolic) -> Self {
        let (size, entries) = (symbolic.order.len(), symbolic.row.len());
        let zero = [[T::default(); 3]; 3];
        Factors {
            diagonal: vec![zero; size],
            upper: vec![zero; entries],
            lower: vec![zero; entries],
            work: vec![[T::default(); 3]; size],
        }
    }

    /// Factorises the blocks that were written to the fields; `scale(k)` are the sizes and the least pivot of the block that is
    /// eliminated as number `k`, see `invert`. `false` if a number is not finite.
    pub(crate) fn factorise(
        &mut self,
        symbolic: &Symbolic,
        scale: impl Fn(usize) -> ([f64; 3], f64),
    ) -> bool {
        let mut updates = symbolic.updates.iter();
        for k in 0..symbolic.order.len() {
            let (size, least) = scale(k);
            let Some(inverse) = invert(&self.diagonal[k], size, least) else { return false };
            self.diagonal[k] = inverse;
            let (first, end) = (symbolic.column[k], symbolic.column[k + 1]);
            let (upper_done, upper_later) = self.upper.split_at_mut(end);
            let (lower_done, lower_later) = self.lower.split_at_mut(end);
            for i in first..end {
                lower_done[i] = times(&lower_done[i], &inverse);
                subtract_product(
                    &mut self.diagonal[symbolic.row[i]],
                    &lower_done[i],
                    &upper_done[i],
                );
                for (j, &target) in (first..i).zip(updates.by_ref()) {
                    let target = target as usize - end;
                    // Rows of i come after those of j.
                    subtract_product(&mut lower_later[target], &lower_done[i], &upper_done[j]);
                    subtract_product(&mut upper_later[target], &lower_done[j], &upper_done[i]);
                }
            }
        }
        true
    }

    /// Replaces the right-hand sides, one for each block, by the solution.
    pub(crate) fn solve(&mut self, symbolic: &Symbolic, x: &mut [[T; 3]]) {
        for (work, &node) in self.work.iter_mut().zip(&symbolic.order) {
            *work = x[node];
        }
        let entries = |k: usize| symbolic.column[k]..symbolic.column[k + 1];
        for k in 0..symbolic.order.len() {
            let own = self.work[k];
            for entry in entries(k) {
                let change = apply(&self.lower[entry], own);
                let work = &mut self.work[symbolic.row[entry]];
                (0..3).for_each(|i| work[i] -= change[i]);
            }
        }
        for k in (0..symbolic.order.len()).rev() {
            let mut own = self.work[k];
            for entry in entries(k) {
                let change = apply(&self.upper[entry], self.work[symbolic.row[entry]]);
                (0..3).for_each(|i| own[i] -= change[i]);
            }
            self.work[k] = apply(&self.diagonal[k], own);
        }
        for (work, &node) in self.work.iter().zip(&symbolic.order) {
            x[node] = *work;
        }
    }
}

#[cfg(test)]
mod tests {
    use jointplay_ode::Complex;

    use super::*;

    /// Numbers between −1 and 1 that look random.
    fn number(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A block matrix on a graph with loops, its last nodes with zeros on the diagonal; the solution of a product is its factor.
    fn solves<T: Scalar>(nodes: usize, waiting: usize, entry: impl Fn(&mut u64) -> T) -> f64 {
        let mut pairs: Vec<(usize, usize)> = (1..nodes).map(|i| (i - 1, i)).collect();
        pairs.extend((0..nodes / 3).map(|i| (i, nodes - 1 - i)).filter(|(i, j)| i + 1 < *j));
        let symbolic = Symbolic::with_waiting(nodes, &pairs, |i| i >= nodes - waiting);
        let mut place = vec![0; nodes];
        symbolic.order.iter().enumerate().for_each(|(k, &i)| place[i] = k);
        let mut seed = 7;
        let mut block = || std::array::from_fn(|_| std::array::from_fn(|_| entry(&mut seed)));
        let mut dense = vec![vec![[[T::default(); 3]; 3]; nodes]; nodes];
        let mut factors = Factors::new(&symbolic);
        for i in 0..nodes - waiting {
            dense[i][i] = block();
            (0..3).for_each(|k| dense[i][i][k][k] += T::from(4.0));
        }
        for (p, &(i, j)) in pairs.iter().enumerate() {
            (dense[i][j], dense[j][i]) = (block(), block());
            let (first, second) = if place[i] < place[j] { (i, j) } else { (j, i) };
            factors.upper[symbolic.target[p]] = dense[first][second];
            factors.lower[symbolic.target[p]] = dense[second][first];
        }
        for i in 0..nodes {
            factors.diagonal[place[i]] = dense[i][i];
        }
        let wanted: Vec<[T; 3]> =
            (0..nodes).map(|_| std::array::from_fn(|_| entry(&mut seed))).collect();
        let mut x: Vec<[T; 3]> = (0..nodes)
            .map(|i| {
                let mut sum = [T::default(); 3];
                for j in 0..nodes {
                    let product = apply(&dense[i][j], wanted[j]);
                    (0..3).for_each(|k| sum[k] += product[k]);
                }
                sum
            })
            .collect();
        assert!(factors.factorise(&symbolic, |_| ([1.0; 3], 1e-12)));
        factors.solve(&symbolic, &mut x);
        let errors = x.iter().zip(&wanted).flat_map(|(x, w)| (0..3).map(|k| (x[k] - w[k]).size()));
        errors.fold(0.0, f64::max)
    }

    #[test]
    fn exact_solution_of_a_block_system() {
        for (nodes, waiting) in [(1, 0), (2, 0), (12, 0), (12, 3), (60, 10)] {
            let real = solves(nodes, waiting, number);
            let complex =
                solves(nodes, waiting, |seed| Complex { re: number(seed), im: number(seed) });
            assert!(real < 1e-9 && complex < 1e-9, "{nodes}: {real:e} {complex:e}");
        }
    }

    #[test]
    fn property_a_repeated_unknown_is_left_out() {
        // The second row repeats the first: one of the two unknowns is zero, and the equations of the other hold.
        let block = [[2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 1.0]];
        let inverse = invert(&block, [1.0; 3], 1e-10).expect("finite");
        let x = apply(&inverse, [4.0, 4.0, 3.0]);
        let back = apply(&block, x);
        assert_eq!(back, [4.0, 4.0, 3.0]);
        assert!(x[0] == 0.0 || x[1] == 0.0);
        assert!(invert(&[[f64::NAN, 0.0, 0.0], [0.0; 3], [0.0; 3]], [1.0; 3], 0.0).is_none());
    }
}
