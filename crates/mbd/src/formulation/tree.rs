//! A forest of links in joint coordinates: the articulated-body recursion in the plane.
//!
//! Each link hangs on its parent (or the ground) by one coordinate at most: a body that is free in the plane hangs
//! on two massless links that slide along x and y. A coordinate that a driver prescribes is a function of time
//! and no unknown. The equations of motion are solved by three passes over the links, without forming the mass
//! matrix:
//!
//! 1. outwards: positions, velocities, the motion subspace s and the bias acceleration c of each link;
//! 2. inwards: the articulated inertia A and bias force p, with which the force that the parent must transmit is
//!    f = A a + p;
//! 3. outwards: accelerations, q̈ = (u − U·a′)/D with U = A s, D = s·U, u = −s·p, a′ = X a_parent + c;
//! 4. inwards, over links whose whole way to the ground is prescribed: nothing can change how they move, so that A is not
//!    needed, and the force that they receive is f = M a − F + Σ Xᵀ f over what hangs on them.
//!
//! Inertias are referred to the centre of mass of each link, so nothing cancels in a long chain.
//!
//! # Source
//!
//! Featherstone2008: R. Featherstone, *Rigid Body Dynamics Algorithms*, Springer 2008, section 7.3 and, for prescribed
//! coordinates, section 9.2, here for planar motion.

mod link;

use jointplay_expression::Jet;
use jointplay_ode::Enclosure;

use crate::frame::{Motion, Spatial, dot, dot3};
use crate::real::Real;

pub(crate) use link::{Link, LinkKind, Variable};

/// Working memory of one link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkWork<T> {
    /// perp(x − x_parent): the velocity of this origin per turn of the parent.
    shift: [T; 2],
    /// Motion of the link per unit of its coordinate, s.
    subspace: Spatial<T>,
    /// Acceleration that the link has without any of its parent and of its unknown, c.
    bias: Spatial<T>,
    /// A; 0 where the motion is prescribed.
    inertia: Inertia<T>,
    /// U = A s, linear and angular part. They lie apart: side by side the processor would read across what it has
    /// written in two parts, and wait for both (bench `mechanism`, right-hand sides of `b3-rhs` and `chain`).
    carried: [T; 2],
    carried_turn: T,
    /// 1/D; 0 without an unknown.
    inverse: T,
    /// p; the whole force from the parent where the motion is prescribed. Its moment lies apart for the same reason.
    push: [T; 2],
    /// u/D; −u of a driven link.
    drive: T,
    moment: T,
    /// Generalised force of the driver in the sense of the user's coordinate, s·f.
    pub(super) effort: T,
    /// The same for the response to a change of the forces.
    force_change: Spatial<T>,
    drive_change: T,
    acceleration_change: Spatial<T>,
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

/// A forest of links, parents before children.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) links: Vec<Link>,
    /// The link of each frame; the ground has none.
    pub(crate) link_of_frame: Vec<Option<usize>>,
    /// Number of unknown coordinates.
    pub(crate) unknowns: usize,
    /// Links with prescribed motion, children before parents.
    prescribed: Vec<usize>,
}

/// The links that take part in the response to a force on two bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// Links that lead from both bodies to the ground, children before parents.
    pub(crate) inwards: Vec<usize>,
    /// Links whose acceleration matters to anyone, parents before children; includes `inwards`.
    pub(crate) outwards: Vec<usize>,
}

/// A symmetric matrix: (xx, xy, xφ, yφ, yy, φφ). In this order the processor reads in the pairs that it has written (bench
/// `mechanism`, right-hand sides of `chain`).
type Inertia<T> = [T; 6];

/// A v.
#[inline]
fn times<T: Real>([xx, xy, xw, yw, yy, ww]: Inertia<T>, [x, y, w]: Spatial<T>) -> Spatial<T> {
    [xx * x + xy * y + xw * w, xy * x + yy * y + yw * w, xw * x + yw * y + ww * w]
}

#[inline]
fn add3<T: Real>(a: Spatial<T>, b: Spatial<T>) -> Spatial<T> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
fn scale3<T: Real>(a: Spatial<T>, factor: T) -> Spatial<T> {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// The acceleration of a child's origin that moves with its parent, X a.
#[inline]
fn outwards<T: Real>(a: Spatial<T>, shift: [T; 2]) -> Spatial<T> {
    [a[0] + a[2] * shift[0], a[1] + a[2] * shift[1], a[2]]
}

/// The force on a child about the parent's origin, Xᵀ f.
#[inline]
fn inwards<T: Real>(f: Spatial<T>, shift: [T; 2]) -> Spatial<T> {
    [f[0], f[1], f[2] + f[0] * shift[0] + f[1] * shift[1]]
}

/// A and p: a link receives the force A a + p from its parent.
#[derive(Clone, Copy)]
struct Burden<T> {
    inertia: Inertia<T>,
    force: Spatial<T>,
}

impl Link {
    /// A and p of this link alone.
    #[inline]
    fn burden<T: Real>(&self, force: &[Spatial<T>]) -> Burden<T> {
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
    fn carried(&self) -> Spatial<T> {
        [self.carried[0], self.carried[1], self.carried_turn]
    }

    /// A and p, of what hangs on the link and was added before.
    #[inline]
    fn burden(&self) -> Burden<T> {
        Burden { inertia: self.inertia, force: self.force() }
    }

    /// p.
    #[inline]
    fn force(&self) -> Spatial<T> {
        [self.push[0], self.push[1], self.moment]
    }

    #[inline]
    fn set_force(&mut self, [x, y, moment]: Spatial<T>) {
        (self.push, self.moment) = ([x, y], moment);
    }

    /// Both passes for a link that is alone, on a parent that gives it the acceleration a: adds q̈ to it and returns q̈, with
    /// the force on the parent about the parent's origin. `None` if it moves no mass.
    #[expect(
        clippy::inline_always,
        reason = "through memory its results cost as much as finding them (bench mechanism, b3-rhs)"
    )]
    #[inline(always)]
    fn swing(
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
    fn bear(&mut self, link: &Link, burden: Burden<T>) -> Option<()> {
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
    fn load(&mut self, force: Spatial<T>) {
        self.set_force(add3(self.force(), force));
    }

    /// Pass 3 for a link that is not alone, on a parent that gives it the acceleration a: adds q̈ to it.
    #[expect(
        clippy::inline_always,
        reason = "as a call it costs 5 % of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    fn yield_to(
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
    fn received(&self, link: &Link, a: Spatial<T>) -> Spatial<T> {
        let inert = if link.leaf { link.inert(a) } else { times(self.inertia, a) };
        inwards(add3(inert, self.force()), self.shift)
    }

    /// What a link passes on to its parent, about the parent's origin: Xᵀ (A − U Uᵀ/D) X and
    /// Xᵀ (p + U u/D + (A − U Uᵀ/D) c).
    #[inline]
    fn passed(&self, variable: Variable, burden: Burden<T>) -> Burden<T> {
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

impl Tree {
    /// The forest of these links, parents before children.
    pub(crate) fn new(
        mut links: Vec<Link>,
        link_of_frame: Vec<Option<usize>>,
        unknowns: usize,
    ) -> Self {
        for i in (0..links.len()).rev() {
            if let Some(holder) = links[i].holder {
                links[i].last = links[holder].leaf;
                links[holder].leaf = false;
            }
        }
        for i in 0..links.len() {
            let held = links[i].holder.is_none_or(|holder| links[holder].prescribed);
            links[i].prescribed = held && !matches!(links[i].variable, Variable::Free(_));
        }
        for i in 0..links.len() {
            let held = links[i].holder.is_none_or(|holder| links[holder].prescribed);
            links[i].alone =
                held && links[i].leaf && matches!(links[i].variable, Variable::Free(_));
        }
        let prescribed = (0..links.len()).rev().filter(|&i| links[i].prescribed).collect();
        Tree { links, link_of_frame, unknowns, prescribed }
    }

    /// Pass 1: where the links are and how they move, with s and c of each.
    #[expect(
        clippy::inline_always,
        reason = "calls are a tenth of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    pub(crate) fn move_links<T: Real>(
        &self,
        q: &[T],
        v: &[T],
        drives: &[Jet],
        motion: &mut [Motion<T>],
        work: &mut [LinkWork<T>],
    ) {
        for (link, work) in self.links.iter().zip(work) {
            let (own, course) = link.follow(&motion[link.parent], q, v, drives);
            motion[link.frame] = own;
            work.shift = course.shift;
            work.subspace = course.subspace;
            work.bias = course.bias;
        }
    }

    /// Where the links are and how they move, and nothing else.
    #[inline]
    pub(crate) fn locate_links<T: Real>(
        &self,
        q: &[T],
        v: &[T],
        drives: &[Jet],
        motion: &mut [Motion<T>],
    ) {
        for link in &self.links {
            motion[link.frame] = link.follow(&motion[link.parent], q, v, drives).0;
        }
    }

    /// Where the links are over a stretch of time.
    pub(crate) fn enclose_links(
        &self,
        q: &[Enclosure],
        drives: &[Enclosure],
        motion: &mut [Motion<Enclosure>],
    ) {
        for link in &self.links {
            motion[link.frame] = link.enclose(&motion[link.parent], q, drives);
        }
    }

    /// Passes 2 to 4: accelerations under the forces on each frame. An error names the link whose coordinate
    /// moves no mass. The ground has no acceleration.
    #[expect(
        clippy::inline_always,
        reason = "calls are a tenth of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    pub(crate) fn accelerate<T: Real>(
        &self,
        force: &[Spatial<T>],
        work: &mut [LinkWork<T>],
        unknowns: &mut [T],
        acceleration: &mut [Spatial<T>],
    ) -> Result<(), usize> {
        self.gather_burdens(force, work)?;
        self.spread_accelerations(force, work, unknowns, acceleration)?;
        self.gather_efforts(work);
        Ok(())
    }

    /// Pass 2: A, p, U, D and u, of all links but those that are prescribed, which have none, or alone, which pass 3 finds as it
    /// goes.
    #[expect(
        clippy::inline_always,
        reason = "calls are a tenth of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    fn gather_burdens<T: Real>(
        &self,
        force: &[Spatial<T>],
        work: &mut [LinkWork<T>],
    ) -> Result<(), usize> {
        for (i, link) in self.links.iter().enumerate().rev() {
            if link.prescribed || link.alone {
                continue;
            }
            let (parents, rest) = work.split_at_mut(i);
            let own = &mut rest[0];
            // What hangs on a link has loaded it before; each is written where it is first known.
            let burden = if link.leaf { link.burden(force) } else { own.burden() };
            own.bear(link, burden).ok_or(i)?;
            if let Some(holder) = link.holder
                && !self.links[holder].prescribed
            {
                let passed = own.passed(link.variable, burden);
                let parent = &mut parents[holder];
                let before =
                    if link.last { self.links[holder].burden(force) } else { parent.burden() };
                parent.inertia = std::array::from_fn(|k| before.inertia[k] + passed.inertia[k]);
                parent.set_force(add3(before.force, passed.force));
            }
        }
        Ok(())
    }

    /// Pass 3: accelerations, and what links whose motion is prescribed receive from those that hang on them and are not.
    #[expect(
        clippy::inline_always,
        reason = "calls are a tenth of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    fn spread_accelerations<T: Real>(
        &self,
        force: &[Spatial<T>],
        work: &mut [LinkWork<T>],
        unknowns: &mut [T],
        acceleration: &mut [Spatial<T>],
    ) -> Result<(), usize> {
        for (i, link) in self.links.iter().enumerate() {
            let (parents, rest) = work.split_at_mut(i);
            let own = &mut rest[0];
            let mut a = own.bias;
            if link.parent != 0 {
                a = add3(a, outwards(acceleration[link.parent], own.shift));
            }
            if let Variable::Free(unknown) = link.variable
                && link.alone
            {
                let (rate, passed) = own.swing(link, force, &mut a).ok_or(i)?;
                unknowns[unknown] = rate;
                acceleration[link.frame] = a;
                if let Some(holder) = link.holder {
                    parents[holder].load(passed);
                }
                continue;
            }
            own.yield_to(link, force, &mut a, unknowns);
            acceleration[link.frame] = a;
            if !link.prescribed
                && let Some(holder) = link.holder
                && self.links[holder].prescribed
            {
                parents[holder].load(own.received(link, a));
            }
        }
        Ok(())
    }

    /// Pass 4: the forces that links with prescribed motion receive, and those of their drivers.
    #[expect(
        clippy::inline_always,
        reason = "calls are a tenth of an evaluation (bench mechanism)"
    )]
    #[inline(always)]
    fn gather_efforts<T: Real>(&self, work: &mut [LinkWork<T>]) {
        for &i in &self.prescribed {
            let (link, own) = (&self.links[i], &mut work[i]);
            own.effort = dot3(own.subspace, own.force());
            if let Some(holder) = link.holder {
                let passed = inwards(own.force(), own.shift);
                work[holder].load(passed);
            }
        }
    }

    /// The response to forces that are added at the same position: adds it to the accelerations. Needs an
    /// earlier [`accelerate`](Self::accelerate).
    pub(crate) fn respond<T: Real>(
        &self,
        force: &[Spatial<T>],
        work: &mut [LinkWork<T>],
        unknowns: &mut [T],
        acceleration: &mut [Spatial<T>],
    ) {
        for (link, work) in self.links.iter().zip(work.iter_mut()) {
            work.force_change = force[link.frame].map(|f| -f);
        }
        for i in (0..self.links.len()).rev() {
            self.pass_inwards(i, work);
        }
        for (i, link) in self.links.iter().enumerate() {
            let rate = self.pass_outwards(i, work);
            if let Variable::Free(unknown) = link.variable {
                unknowns[unknown] += rate;
            }
            let own = &mut work[i];
            if let Variable::Driven(_) = link.variable {
                let carried = dot3(own.carried(), own.acceleration_change);
                own.effort += carried + dot3(own.subspace, own.force_change);
            }
            own.set_force(add3(own.force(), own.force_change));
            let a = &mut acceleration[link.frame];
            *a = add3(*a, own.acceleration_change);
        }
    }

    /// The response to forces on the two frames of a path; read it with [`change`](Self::change).
    #[inline]
    pub(crate) fn respond_along<T: Real>(
        &self,
        path: &Path,
        forces: [(usize, Spatial<T>); 2],
        work: &mut [LinkWork<T>],
    ) {
        for &i in &path.outwards {
            work[i].force_change = [T::ZERO; 3];
            work[i].drive_change = T::ZERO;
        }
        for (frame, force) in forces {
            if let Some(link) = self.link_of_frame[frame] {
                let change = &mut work[link].force_change;
                *change = [change[0] - force[0], change[1] - force[1], change[2] - force[2]];
            }
        }
        for &i in &path.inwards {
            self.pass_inwards(i, work);
        }
        for &i in &path.outwards {
            self.pass_outwards(i, work);
        }
    }

    /// The change of acceleration of a frame in the last response.
    #[inline]
    pub(crate) fn change<T: Real>(&self, frame: usize, work: &[LinkWork<T>]) -> Spatial<T> {
        self.link_of_frame[frame].map_or([T::ZERO; 3], |link| work[link].acceleration_change)
    }

    #[inline]
    fn pass_inwards<T: Real>(&self, i: usize, work: &mut [LinkWork<T>]) {
        let own = &mut work[i];
        let mut passed = own.force_change;
        if let Variable::Free(_) = self.links[i].variable {
            own.drive_change = -dot3(own.subspace, own.force_change) * own.inverse;
            passed = add3(passed, scale3(own.carried(), own.drive_change));
        }
        if let Some(parent) = self.links[i].holder {
            let passed = inwards(passed, own.shift);
            let parent = &mut work[parent];
            parent.force_change = add3(parent.force_change, passed);
        }
    }

    #[inline]
    fn pass_outwards<T: Real>(&self, i: usize, work: &mut [LinkWork<T>]) -> T {
        let mut a = [T::ZERO; 3];
        if let Some(parent) = self.links[i].holder {
            a = outwards(work[parent].acceleration_change, work[i].shift);
        }
        let own = &mut work[i];
        let mut rate = T::ZERO;
        if let Variable::Free(_) = self.links[i].variable {
            rate = own.drive_change - dot3(own.carried(), a) * own.inverse;
            a = add3(a, scale3(own.subspace, rate));
        }
        own.acceleration_change = a;
        rate
    }

    /// The force that the parent transmits to this link about the link's centre of mass: f = A a + p.
    #[inline]
    pub(crate) fn transmitted<T: Real>(
        &self,
        link: usize,
        work: &[LinkWork<T>],
        acceleration: &[Spatial<T>],
    ) -> Spatial<T> {
        let own = &work[link];
        add3(times(own.inertia, acceleration[self.links[link].frame]), own.force())
    }

    /// The links that take part when forces act on these two frames and accelerations are asked for on the
    /// frames in `needed`.
    pub(crate) fn path(&self, frames: [usize; 2], needed: &[usize]) -> Path {
        let lead = |frame: usize| {
            let first = self.link_of_frame[frame];
            std::iter::successors(first, |&link| self.links[link].holder)
        };
        let root = |frame: usize| lead(frame).last();
        let mut inwards: Vec<usize> = frames.iter().flat_map(|&frame| lead(frame)).collect();
        inwards.sort_unstable_by(|a, b| b.cmp(a));
        inwards.dedup();
        let roots = frames.map(root);
        let touched = |frame: &usize| root(*frame).is_some_and(|link| roots.contains(&Some(link)));
        let mut outwards: Vec<usize> =
            needed.iter().copied().filter(touched).flat_map(lead).collect();
        outwards.extend(&inwards);
        outwards.sort_unstable();
        outwards.dedup();
        Path { inwards, outwards }
    }
}

#[cfg(test)]
mod tests;
