//! Sparse L D Lᵀ of a symmetric positive semidefinite matrix whose structure never changes.
//!
//! The matrix is S = J M⁻¹ Jᵀ of the constraints that remain. Its structure is that of the mechanism, so the
//! order of elimination, the fill and the position of every update are found once; a factorisation runs through
//! a list and neither searches nor allocates. If constraints are redundant, S is singular: a
//! vanishing pivot marks a redundant row, which is left out (its multiplier is 0).
//!
//! # Source
//!
//! Davis2006: T. A. Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006, chapters 4 and 7 (right-looking form,
//! minimum degree).

use std::collections::BTreeSet;

use crate::real::Real;

/// The structure of a factorisation.
#[derive(Clone, Debug)]
pub(crate) struct Symbolic {
    /// `order[k]` is the row that is eliminated as number k.
    pub(crate) order: Vec<usize>,
    /// Entries of column k, below the diagonal: `column[k]..column[k + 1]`.
    pub(crate) column: Vec<usize>,
    /// Row (in the order of elimination) of each entry.
    pub(crate) row: Vec<usize>,
    /// For each column and each two of its entries i > j, in this order, the entry that the elimination changes: that of
    /// the rows of i and j.
    pub(crate) updates: Vec<u32>,
    /// The entry of each pair of coupled rows named when the structure was made.
    pub(crate) target: Vec<usize>,
}

/// The numbers of a factorisation.
#[derive(Clone, Debug)]
pub(crate) struct Numeric<T> {
    /// Diagonal entries in the order of elimination.
    diagonal: Vec<T>,
    /// Entries of the columns.
    value: Vec<T>,
    /// 1/d, 0 for a redundant row.
    inverse: Vec<T>,
    work: Vec<T>,
}

impl Symbolic {
    /// The structure of a matrix of this size in which these pairs of rows (i ≠ j) are coupled.
    pub(crate) fn new(size: usize, pairs: &[(usize, usize)]) -> Self {
        Symbolic::with_waiting(size, pairs, |_| false)
    }

    /// As [`new`](Self::new), but a row that `waits` is eliminated only after all its neighbours that do not: its diagonal entry is
    /// zero before, and may still be zero if some of them are missing.
    pub(crate) fn with_waiting(
        size: usize,
        pairs: &[(usize, usize)],
        waits: impl Fn(usize) -> bool,
    ) -> Self {
        let mut graph = vec![BTreeSet::new(); size];
        let mut released_by = vec![Vec::new(); size];
        let mut awaited = vec![0_usize; size];
        for &(i, j) in pairs {
            if graph[i].insert(j) && graph[j].insert(i) {
                for (waiting, other) in [(i, j), (j, i)] {
                    if waits(waiting) && !waits(other) {
                        released_by[other].push(waiting);
                        awaited[waiting] += 1;
                    }
                }
            }
        }
        let free = graph.iter().enumerate().filter(|(i, _)| awaited[*i] == 0);
        let mut queue: BTreeSet<(usize, usize)> =
            free.map(|(i, neighbours)| (neighbours.len(), i)).collect();
        let mut order = Vec::with_capacity(size);
        let mut structure = Vec::with_capacity(size);
        // Minimum degree: eliminate the row with the fewest neighbours, which become a clique.
        while let Some((_, pivot)) = queue.pop_first() {
            released_by[pivot].iter().for_each(|&waiting| awaited[waiting] -= 1);
            let neighbours = std::mem::take(&mut graph[pivot]);
            for &i in &neighbours {
                queue.remove(&(graph[i].len(), i));
                graph[i].remove(&pivot);
                graph[i].extend(neighbours.iter().filter(|&&j| j != i));
                if awaited[i] == 0 {
                    queue.insert((graph[i].len(), i));
                }
            }
            order.push(pivot);
            structure.push(neighbours);
        }
        let mut place = vec![0; size];
        for (k, &i) in order.iter().enumerate() {
            place[i] = k;
        }
        let mut column = vec![0];
        let mut row = Vec::new();
        for neighbours in &structure {
            let start = row.len();
            row.extend(neighbours.iter().map(|&i| place[i]));
            row[start..].sort_unstable();
            column.push(row.len());
        }
        let position = |i: usize, j: usize| {
            let (low, high) = (i.min(j), i.max(j));
            let entries = &row[column[low]..column[low + 1]];
            column[low] + entries.binary_search(&high).expect("the fill is complete")
        };
        let mut updates = Vec::new();
        for k in 0..size {
            for i in column[k]..column[k + 1] {
                updates.extend((column[k]..i).map(|j| {
                    u32::try_from(position(row[i], row[j])).expect("fewer than 2^32 entries")
                }));
            }
        }
        let target = pairs.iter().map(|&(i, j)| position(place[i], place[j])).collect();
        Symbolic { order, column, row, updates, target }
    }

    fn size(&self) -> usize {
        self.order.len()
    }

    /// Memory for the numbers.
    pub(crate) fn numeric<T: Real>(&self) -> Numeric<T> {
        Numeric {
            diagonal: vec![T::ZERO; self.size()],
            value: vec![T::ZERO; self.row.len()],
            inverse: vec![T::ZERO; self.size()],
            work: vec![T::ZERO; self.size()],
        }
    }
}

impl<T: Real> Numeric<T> {
    /// Writes the matrix: `diagonal(i)` for each row and `coupling(p)` for each pair given to
    /// [`Symbolic::new`], and factorises it. `inverse(i, pivot)` is 1/pivot, or 0 for a row that is left out.
    pub(crate) fn factorise(
        &mut self,
        symbolic: &Symbolic,
        diagonal: impl Fn(usize) -> T,
        coupling: impl Fn(usize) -> T,
        mut inverse: impl FnMut(usize, T) -> T,
    ) {
        self.value.fill(T::ZERO);
        for (value, &i) in self.diagonal.iter_mut().zip(&symbolic.order) {
            *value = diagonal(i);
        }
        for (pair, &target) in symbolic.target.iter().enumerate() {
            self.value[target] += coupling(pair);
        }
        let mut updates = symbolic.updates.iter();
        for (k, &row) in symbolic.order.iter().enumerate() {
            let inverse = inverse(row, self.diagonal[k]);
            self.inverse[k] = inverse;
            // Elimination changes the diagonal and later columns.
            let (first, end) = (symbolic.column[k], symbolic.column[k + 1]);
            let (done, later) = self.value.split_at_mut(end);
            let (column, rows) = (&done[first..], &symbolic.row[first..end]);
            for (i, (value, &row)) in column.iter().zip(rows).enumerate() {
                let scaled = *value * inverse;
                self.diagonal[row] -= scaled * *value;
                for (other, &target) in column[..i].iter().zip(updates.by_ref()) {
                    later[target as usize - end] -= scaled * *other;
                }
            }
        }
    }

    /// Replaces the right-hand side by the solution.
    pub(crate) fn solve(&mut self, symbolic: &Symbolic, x: &mut [T]) {
        for (work, &i) in self.work.iter_mut().zip(&symbolic.order) {
            *work = x[i];
        }
        let size = symbolic.size();
        let column = |k: usize| {
            let entries = symbolic.column[k]..symbolic.column[k + 1];
            self.value[entries.clone()].iter().zip(&symbolic.row[entries])
        };
        for k in 0..size {
            let scaled = self.work[k] * self.inverse[k];
            for (value, &row) in column(k) {
                self.work[row] -= *value * scaled;
            }
            self.work[k] = scaled;
        }
        for k in (0..size).rev() {
            let mut sum = T::ZERO;
            for (value, &row) in column(k) {
                sum += *value * self.work[row];
            }
            self.work[k] -= sum * self.inverse[k];
        }
        for (work, &i) in self.work.iter().zip(&symbolic.order) {
            x[i] = *work;
        }
    }

    /// The rows that were left out.
    pub(crate) fn redundant(&self, symbolic: &Symbolic) -> impl Iterator<Item = usize> {
        let pairs = symbolic.order.iter().zip(&self.inverse);
        pairs.filter(|(_, inverse)| inverse.value() == 0.0).map(|(&row, _)| row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric matrix B Bᵀ + shift on a sparse pattern, dense, with its pairs.
    fn sample(size: usize, rank_drop: bool) -> (Vec<Vec<f64>>, Vec<(usize, usize)>) {
        // Rows of B have two or three entries, as those of a chain with loops.
        let mut b = vec![vec![0.0; size + 2]; size];
        for (i, row) in b.iter_mut().enumerate() {
            for (n, j) in [i, i + 1, (i * 7 + 3) % (size + 2)].into_iter().enumerate() {
                row[j] += 1.0 + 0.3 * n as f64 + (i as f64 * 0.7).sin();
            }
        }
        if rank_drop {
            let (first, second) = (b[1].clone(), b[4].clone());
            b[size - 1] = first.iter().zip(second).map(|(x, y)| x - 2.0 * y).collect();
        }
        let product = |i: usize, j: usize| b[i].iter().zip(&b[j]).map(|(x, y)| x * y).sum::<f64>();
        let dense: Vec<Vec<f64>> =
            (0..size).map(|i| (0..size).map(|j| product(i, j)).collect()).collect();
        let pairs = (0..size)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .filter(|&(i, j)| dense[i][j] != 0.0)
            .collect();
        (dense, pairs)
    }

    fn factorised(dense: &[Vec<f64>], pairs: &[(usize, usize)]) -> (Symbolic, Numeric<f64>) {
        let symbolic = Symbolic::new(dense.len(), pairs);
        let mut numeric = symbolic.numeric();
        let coupling = |p: usize| dense[pairs[p].0][pairs[p].1];
        let inverse = |i: usize, pivot: f64| {
            if pivot > 1e-13 * dense[i][i] { 1.0 / pivot } else { 0.0 }
        };
        numeric.factorise(&symbolic, |i| dense[i][i], coupling, inverse);
        (symbolic, numeric)
    }

    fn residual(dense: &[Vec<f64>], x: &[f64], right: &[f64]) -> f64 {
        let row = |i: usize| dense[i].iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        (0..x.len()).map(|i| (row(i) - right[i]).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn exact_solution_of_a_sparse_system() {
        for size in [1, 2, 7, 40] {
            let (dense, pairs) = sample(size.max(1), false);
            let (symbolic, mut numeric) = factorised(&dense, &pairs);
            let right: Vec<f64> = (0..size).map(|i| (i as f64).cos()).collect();
            let mut x = right.clone();
            numeric.solve(&symbolic, &mut x);
            assert!(residual(&dense, &x, &right) < 1e-11, "{size}");
            assert_eq!(numeric.redundant(&symbolic).count(), 0);
        }
    }

    #[test]
    fn property_a_repeated_row_is_found_and_left_out() {
        let (dense, pairs) = sample(20, true);
        let (symbolic, mut numeric) = factorised(&dense, &pairs);
        let redundant: Vec<usize> = numeric.redundant(&symbolic).collect();
        assert_eq!(redundant.len(), 1);
        assert!([1, 4, 19].contains(&redundant[0]));
        // A right-hand side in the range of the matrix is still met.
        let y: Vec<f64> = (0..20).map(|i| (f64::from(i) * 0.3).sin()).collect();
        let right: Vec<f64> =
            dense.iter().map(|row| row.iter().zip(&y).map(|(a, y)| a * y).sum()).collect();
        let mut x = right.clone();
        numeric.solve(&symbolic, &mut x);
        assert!(residual(&dense, &x, &right) < 1e-10);
    }

    #[test]
    fn property_a_chain_has_no_fill() {
        let pairs: Vec<(usize, usize)> = (1..1000).map(|i| (i, i - 1)).collect();
        let symbolic = Symbolic::new(1000, &pairs);
        assert_eq!(symbolic.row.len(), pairs.len());
    }
}
