//! A dense square matrix of run-time size, for Jacobians.

use std::ops::{Index, IndexMut};

/// A dense square matrix, stored by columns; `m[(i, j)]` is the entry of row `i` and column `j`.
///
/// ```
/// use jointplay_ode::Matrix;
///
/// let mut m = Matrix::zeros(2);
/// m[(0, 1)] = 3.0;
/// assert_eq!(m.column_mut(1), [3.0, 0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    dim: usize,
    entries: Box<[f64]>,
}

impl Matrix {
    /// A matrix of `dim` rows and columns of zeros.
    pub fn zeros(dim: usize) -> Self {
        Matrix { dim, entries: vec![0.0; dim * dim].into() }
    }

    /// The number of rows, which is the number of columns.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// All entries, column by column.
    pub fn as_slice(&self) -> &[f64] {
        &self.entries
    }

    /// All entries, column by column, writable.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    /// The entries of column `j`.
    pub fn column(&self, j: usize) -> &[f64] {
        &self.entries[j * self.dim..(j + 1) * self.dim]
    }

    /// The entries of column `j`, writable.
    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.entries[j * self.dim..(j + 1) * self.dim]
    }

    /// Sets every entry to one value.
    pub fn fill(&mut self, value: f64) {
        self.entries.fill(value);
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        assert!(i < self.dim, "row {i} of {}", self.dim);
        &self.entries[j * self.dim + i]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        assert!(i < self.dim, "row {i} of {}", self.dim);
        &mut self.entries[j * self.dim + i]
    }
}
