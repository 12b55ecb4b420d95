//! Working memory of one link, and the operations of each pass on it.

use crate::formulation::tree::{Link, Variable};
use crate::frame::{Spatial, dot, dot3};
use crate::real::Real;

/// Working memory of one link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkWork<T> {
    /// perp(x − x_parent): the velocity of this origin per turn of the parent.
    pub(super) shift: [T; 2],
    /// Motion of the link per unit of its coordinate, s.
    pub(super) subspace: Spatial<T>,
    /// Acceleration that the link has without any of its parent and of its unknown, c.
    pub(super) bias: Spatial<T>,
    /// A; 0 where the motion is prescribed.
    pub(super) inertia: Inertia<T>,
    /// U = A s, linear and angular part. They are stored apart: if they were adjacent, the
    /// processor would load across two separate stores and wait for both (bench `mechanism`,
    /// right-hand sides of `b3-rhs` and `chain`).
    pub(super) carried: [T; 2],
    pub(super) carried_turn: T,
    /// 1/D; 0 without an unknown.
    pub(super) inverse: T,
    /// p; the whole force from the parent where the motion is prescribed. Its moment lies apart for the same reason.
    pub(super) push: [T; 2],
    /// u/D; −u of a driven link.
    pub(super) drive: T,
    pub(super) moment: T,
    /// Generalised force of the driver in the sense of the user's coordinate, s·f.
    pub(in crate::formulation) effort: T,
    /// The same for the response to a change of the forces.
    pub(super) force_change: Spatial<T>,
    pub(super) drive_change: T,
    pub(super) acceleration_change: Spatial<T>,
}

impl<T: Real> LinkWork<T> {
    pub(crate) const ZERO: Self = LinkWork {
        shift: [T::ZERO; 2],
        subspace: [T::ZERO; 3],
        bias: [T::ZERO; 3],
        inertia: [T::ZERO; 6],
        carried: [T::ZERO; 2],
        carried_turn: T::ZERO,
        inverse: T::ZERO,
        push: [T::ZERO; 2],
        drive: T::ZERO,
        moment: T::ZERO,
        effort: T::ZERO,
        force_change: [T::ZERO; 3],
        drive_change: T::ZERO,
        acceleration_change: [T::ZERO; 3],
    };
}

/// A symmetric matrix: (xx, xy, xφ, yφ, yy, φφ). In this order the processor loads the same pairs
/// that it has stored (bench `mechanism`, right-hand sides of `chain`).
pub(super) type Inertia<T> = [T; 6];

/// A v.
#[inline]
pub(super) fn times<T: Real>(
    [xx, xy, xw, yw, yy, ww]: Inertia<T>,
    [x, y, w]: Spatial<T>,
) -> Spatial<T> {
    [xx * x + xy * y + xw * w, xy * x + yy * y + yw * w, xw * x + yw * y + ww * w]
}

#[inline]
pub(super) fn add3<T: Real>(a: Spatial<T>, b: Spatial<T>) -> Spatial<T> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
pub(super) fn scale3<T: Real>(a: Spatial<T>, factor: T) -> Spatial<T> {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// The acceleration of a child's origin that moves with its parent, X a.
#[inline]
pub(super) fn outwards<T: Real>(a: Spatial<T>, shift: [T; 2]) -> Spatial<T> {
    [a[0] + a[2] * shift[0], a[1] + a[2] * shift[1], a[2]]
}

/// The force on a child about the parent's origin, Xᵀ f.
#[inline]
pub(super) fn inwards<T: Real>(f: Spatial<T>, shift: [T; 2]) -> Spatial<T> {
    [f[0], f[1], f[2] + f[0] * shift[0] + f[1] * shift[1]]
}

/// A and p: a link receives the force A a + p from its parent.
#[derive(Clone, Copy)]
pub(super) struct Burden<T> {
    pub(super) inertia: Inertia<T>,
    pub(super) force: Spatial<T>,
}

impl Link {
    /// A and p of this link alone.
    #[inline]
    pub(super) fn burden<T: Real>(&self, force: &[Spatial<T>]) -> Burden<T> {
        let (mass, inertia, zero) = (T::constant(self.mass), T::constant(self.inertia), T::ZERO);
        Burden {
            inertia: [mass, zero, zero, zero, mass, inertia],
            force: force[self.frame].map(|f| -f),
        }
    }
}

impl<T: Real> LinkWork<T> {
    /// U.
    #[inline]
    pub(super) fn carried(&self) -> Spatial<T> {
        [self.carried[0], self.carried[1], self.carried_turn]
    }

    /// A and p, of what hangs on the link and was added before.
    #[inline]
    pub(super) fn burden(&self) -> Burden<T> {
        Burden { inertia: self.inertia, force: self.force() }
    }

    /// p.
    #[inline]
    pub(super) fn force(&self) -> Spatial<T> {
        [self.push[0], self.push[1], self.moment]
    }

    #[inline]
    pub(super) fn set_force(&mut self, [x, y, moment]: Spatial<T>) {
        (self.push, self.moment) = ([x, y], moment);
    }

    /// Both passes for a link that is alone, on a parent that gives it the acceleration a: adds q̈ to it and returns q̈, with
    /// the force on the parent about the parent's origin. `None` if it moves no mass.
    #[expect(
        clippy::inline_always,
        reason = "through memory its results cost as much as finding them (bench mechanism, b3-rhs)"
    )]
    #[inline(always)]
    pub(super) fn swing(
        &mut self,
        link: &Link,
        force: &[Spatial<T>],
        a: &mut Spatial<T>,
    ) -> Option<(T, Spatial<T>)> {
        let Burden { inertia, force: p } = link.burden(force);
        let s = self.subspace;
        let carried = [inertia[0] * s[0], inertia[0] * s[1], inertia[5] * s[2]];
        let moved = dot3(s, carried);
        // NaN passes: it comes from the state, and the integrator names its component.
        if moved.value() <= 0.0 {
            return None;
        }
        let inverse = T::constant(1.0) / moved;
        let drive = -dot3(s, p) * inverse;
        let rate = drive - dot3(carried, *a) * inverse;
        *a = add3(*a, scale3(s, rate));
        self.inertia = inertia;
        self.set_force(p);
        (self.carried, self.carried_turn) = ([carried[0], carried[1]], carried[2]);
        (self.inverse, self.drive) = (inverse, drive);
        Some((rate, inwards(add3(link.inert(*a), p), self.shift)))
    }

    /// Keeps A and p with what follows from them: U, and 1/D and u/D of an unknown or −u of a driver. `None` if the unknown
    /// moves no mass.
    #[expect(
        clippy::inline_always,
        reason = "as a call it costs 5 % of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    pub(super) fn bear(&mut self, link: &Link, burden: Burden<T>) -> Option<()> {
        let Burden { inertia, force: p } = burden;
        self.inertia = inertia;
        self.set_force(p);
        if link.variable == Variable::Absent {
            return Some(());
        }
        let s = self.subspace;
        let [mass, .., moment] = inertia;
        let alone = [mass * s[0], mass * s[1], moment * s[2]];
        let carried = if link.leaf { alone } else { times(inertia, s) };
        self.carried = [carried[0], carried[1]];
        self.carried_turn = carried[2];
        self.drive = dot3(s, p);
        if let Variable::Free(_) = link.variable {
            let moved = dot3(s, carried);
            // NaN passes: it comes from the state, and the integrator names its component.
            if moved.value() <= 0.0 {
                return None;
            }
            self.inverse = T::constant(1.0) / moved;
            self.drive = -self.drive * self.inverse;
        }
        Some(())
    }

    /// Adds a force to p: of a link whose motion is prescribed that is the force from its parent.
    #[expect(
        clippy::inline_always,
        reason = "as a call it costs 5 % of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    pub(super) fn load(&mut self, force: Spatial<T>) {
        self.set_force(add3(self.force(), force));
    }

    /// Pass 3 for a link that is not alone, on a parent that gives it the acceleration a: adds q̈ to it.
    #[expect(
        clippy::inline_always,
        reason = "as a call it costs 5 % of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    pub(super) fn yield_to(
        &mut self,
        link: &Link,
        force: &[Spatial<T>],
        a: &mut Spatial<T>,
        unknowns: &mut [T],
    ) {
        match link.variable {
            _ if link.prescribed => {
                self.set_force(add3(link.inert(*a), force[link.frame].map(|f| -f)));
            }
            Variable::Free(unknown) => {
                let rate = self.drive - dot3(self.carried(), *a) * self.inverse;
                unknowns[unknown] = rate;
                *a = add3(*a, scale3(self.subspace, rate));
            }
            // s·(A a + p) = U·a − u
            Variable::Driven(_) => self.effort = dot3(self.carried(), *a) + self.drive,
            Variable::Absent => {}
        }
    }

    /// The force A a + p that the link receives, about the origin of its parent.
    #[expect(
        clippy::inline_always,
        reason = "as a call it costs 5 % of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    pub(super) fn received(&self, link: &Link, a: Spatial<T>) -> Spatial<T> {
        let inert = if link.leaf { link.inert(a) } else { times(self.inertia, a) };
        inwards(add3(inert, self.force()), self.shift)
    }

    /// The burden of a link on its parent, about the parent's origin: Xᵀ (A − U Uᵀ/D) X and
    /// Xᵀ (p + U u/D + (A − U Uᵀ/D) c).
    #[inline]
    pub(super) fn passed(&self, variable: Variable, burden: Burden<T>) -> Burden<T> {
        let Burden { inertia, mut force } = burden;
        let [mut xx, mut xy, mut xw, mut yw, mut yy, mut ww] = inertia;
        if let Variable::Free(_) = variable {
            let [x, y, w] = self.carried();
            let [sx, sy, sw] = scale3(self.carried(), self.inverse);
            xx -= x * sx;
            xy -= x * sy;
            xw -= x * sw;
            yw -= y * sw;
            yy -= y * sy;
            ww -= w * sw;
            force = add3(force, scale3(self.carried(), self.drive));
        }
        force = add3(force, times([xx, xy, xw, yw, yy, ww], self.bias));
        let [nx, ny] = self.shift;
        let (mx, my) = (xx * nx + xy * ny, xy * nx + yy * ny);
        ww += (xw * nx + yw * ny) * 2.0 + dot([mx, my], [nx, ny]);
        Burden { inertia: [xx, xy, xw + mx, yw + my, yy, ww], force: inwards(force, self.shift) }
    }
}
