//! Explicit Runge–Kutta methods, one per file: coefficients, source, order.

/// `stage!(w[..m] = y + h * A[0: k1, 2: k3])` writes the first `m` components of `y + h (A[0] k1 + A[2] k3)` into `w`,
/// newest slope last; without `[..m]` all of them.
macro_rules! stage {
    ($out:ident[..$m:ident] = $y:ident + $h:ident * $a:ident[$($j:literal: $k:ident),+]) => {
        $crate::vector::combine_first($m, $out, $y, [$(($h * $a[$j], &*$k)),+])
    };
    ($out:ident = $y:ident + $h:ident * $a:ident[$($j:literal: $k:ident),+]) => {
        $crate::vector::combine($out, $y, [$(($h * $a[$j], &*$k)),+])
    };
}

mod dop853;
mod dopri5;
mod explicit;
mod rk4;
mod rkf45;
#[cfg(test)]
mod trees;

pub use dop853::Dop853;
pub use dopri5::Dopri5;
pub use rk4::Rk4;
pub use rkf45::Rkf45;
