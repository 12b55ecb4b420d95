//! A forest of links in joint coordinates: the articulated-body recursion in the plane.
//!
//! Each link is attached to its parent (or the ground) by at most one coordinate: a body that is
//! free in the plane is attached to two massless links that slide along x and y. A coordinate that
//! a driver prescribes is a function of time, not an unknown. The equations of motion are solved by
//! three passes over the links, without forming the mass matrix:
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
mod work;

use jointplay_expression::Jet;
use jointplay_ode::Enclosure;

use crate::frame::{Motion, Spatial, dot3};
use crate::real::Real;

pub(crate) use link::{Link, LinkKind, Variable};
pub(crate) use work::LinkWork;

use work::{add3, inwards, outwards, scale3, times};

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
    /// Links whose acceleration is needed, parents before children; includes `inwards`.
    pub(crate) outwards: Vec<usize>,
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

    /// Pass 1: positions and velocities of the links, with s and c of each.
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

    /// Only positions and velocities of the links.
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

    /// Encloses the positions of the links over a time interval.
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
