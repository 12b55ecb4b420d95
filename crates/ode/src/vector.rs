//! Vectors of `f64` whose length never changes during a run.
//!
//! This module exists so that a problem with two unknowns can live in `[f64; 2]`, where every loop of the
//! integrator has a known length and is unrolled, while a mechanism keeps its unknowns in a `Vec<f64>`.
//! It knows nothing of equations or time.

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
    let n = out.as_slice().len();
    let out = &mut out.as_mut_slice()[..n];
    let y = &y.as_slice()[..n];
    let terms = terms.map(|(c, k)| (c, &k.as_slice()[..n]));
    let [earlier @ .., (c_last, k_last)] = &terms[..] else {
        return;
    };
    for i in 0..n {
        let mut sum = 0.0;
        for (c, k) in earlier {
            sum += c * k[i];
        }
        out[i] = (y[i] + sum) + c_last * k_last[i];
    }
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
