//! Vectors of `f64` whose length never changes during a run.
//!
//! This module exists so that a problem with two unknowns can live in `[f64; 2]`, where every loop of the
//! integrator has a known length and is unrolled, while a mechanism keeps its unknowns in a `Vec<f64>`.
//! It contains neither equations nor time.

/// A vector of `f64` of fixed length: `[f64; N]` for small problems, `Vec<f64>` or `Box<[f64]>` for large ones.
///
/// A clone has the same length as its original, and copying between equally long vectors does not allocate.
pub trait Vector: Clone {
    /// The length, where the type fixes it.
    const LEN: Option<usize> = None;

    /// A vector of `len` zeros.
    ///
    /// # Panics
    ///
    /// An array panics when `len` is not its own length.
    fn zeros(len: usize) -> Self;

    /// The components.
    fn as_slice(&self) -> &[f64];

    /// The components, writable.
    fn as_mut_slice(&mut self) -> &mut [f64];
}

impl<const N: usize> Vector for [f64; N] {
    const LEN: Option<usize> = Some(N);

    #[inline]
    fn zeros(len: usize) -> Self {
        assert_eq!(len, N, "an array of {N} components cannot hold {len}");
        [0.0; N]
    }

    #[inline]
    fn as_slice(&self) -> &[f64] {
        self
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        self
    }
}

impl Vector for Vec<f64> {
    #[inline]
    fn zeros(len: usize) -> Self {
        vec![0.0; len]
    }

    #[inline]
    fn as_slice(&self) -> &[f64] {
        self
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        self
    }
}

impl Vector for Box<[f64]> {
    #[inline]
    fn zeros(len: usize) -> Self {
        vec![0.0; len].into_boxed_slice()
    }

    #[inline]
    fn as_slice(&self) -> &[f64] {
        self
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        self
    }
}

/// `out = y + Σ cⱼ kⱼ` over the terms `(cⱼ, kⱼ)`.
///
/// The last term is added last, to a sum that is already complete: give the newest slope last, and only one
/// multiplication and one addition wait for it.
#[inline]
pub(crate) fn combine<V: Vector, const M: usize>(out: &mut V, y: &V, terms: [(f64, &V); M]) {
    combine_first(out.as_slice().len(), out, y, terms);
}

/// As [`combine`], for the first `n` components only.
#[inline]
pub(crate) fn combine_first<V: Vector, const M: usize>(
    n: usize,
    out: &mut V,
    y: &V,
    terms: [(f64, &V); M],
) {
    let out = &mut out.as_mut_slice()[..n];
    let y = &y.as_slice()[..n];
    let terms = terms.map(|(c, k)| (c, &k.as_slice()[..n]));
    // Sums of whole blocks stay in registers, so the compiler need not check whether `out` overlaps
    // any of the terms.
    let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
    for (b, block) in blocks.iter_mut().enumerate() {
        *block = sums(BLOCK * b, y, &terms);
    }
    let first = n - rest.len();
    for (i, out) in rest.iter_mut().enumerate() {
        [*out] = sums(first + i, y, &terms);
    }
}

/// This many components are combined at a time.
const BLOCK: usize = 4;

/// `N` components of `y + Σ cⱼ kⱼ` from the `first` on.
#[inline]
fn sums<const N: usize, const M: usize>(
    first: usize,
    y: &[f64],
    terms: &[(f64, &[f64]); M],
) -> [f64; N] {
    let y = &y[first..first + N];
    let [earlier @ .., (c_last, k_last)] = &terms[..] else {
        return std::array::from_fn(|i| y[i]);
    };
    let mut sum = [0.0; N];
    for (c, k) in earlier {
        let k = &k[first..first + N];
        for i in 0..N {
            sum[i] += c * k[i];
        }
    }
    let k_last = &k_last[first..first + N];
    std::array::from_fn(|i| (y[i] + sum[i]) + c_last * k_last[i])
}

/// The first component that is not a finite number.
#[inline]
pub(crate) fn first_non_finite<V: Vector>(v: &V) -> Option<usize> {
    v.as_slice().iter().position(|x| !x.is_finite())
}

/// Whether every component is finite; one pass without branches.
#[inline]
pub(crate) fn all_finite<V: Vector>(v: &V) -> bool {
    v.as_slice().iter().map(|x| x * 0.0).sum::<f64>() == 0.0
}
