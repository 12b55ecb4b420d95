//! Equations of motion in two sets of coordinates, behind one interface.
//!
//! Both solve, for the accelerations and the multipliers λ of the constraints that remain (Skrinjar2017 eq. (3)),
//!
//! ```text
//! | M  Jᵀ | | q̈ |   | Q                       |
//! | J  0  | | λ | = | γ − 2α Ċ − β² C         |
//! ```
//!
//! by λ from S λ = J a₀ − γ*, where a₀ are the accelerations without constraints and S = J M⁻¹ Jᵀ.
//! They differ in M⁻¹: for `absolute` coordinates it is a division by the masses, for `joint`
//! coordinates a pass over the [tree]. The constraints are the same [rows](crate::row) on bodies,
//! so each kind of row is written once.

mod constraints;
mod mobility;
pub(crate) mod span;
pub(crate) mod tree;
mod work;

use jointplay_ode::Enclosure;

use crate::frame::{Motion, Spatial};
use crate::real::Real;
use crate::row::{NO_TARGET, Row, RowValue};
use crate::sparse::Symbolic;
use mobility::Geometry;
use tree::{LinkWork, Path, Tree};
pub(crate) use work::Work;

/// The coordinates in which a mechanism is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Formulation {
    /// Coordinates of the joints of a spanning tree; drivers of tree joints are eliminated, other joints are
    /// constraints with multipliers. Few unknowns, without constraints if the mechanism is a tree,
    /// for example because clearance joints cut its loops.
    Joint,
    /// Position and angle of every body; all joints and drivers are constraints with multipliers, as in
    /// Skrinjar2017.
    Absolute,
    /// Absolute coordinates where most bodies are free in the plane, as in a chain with a clearance in every joint; joint
    /// coordinates otherwise. [`Equations::formulation`](crate::Equations::formulation) says which.
    #[default]
    Auto,
}

impl Formulation {
    /// Its name in model files.
    pub fn name(self) -> &'static str {
        match self {
            Formulation::Joint => "joint",
            Formulation::Absolute => "absolute",
            Formulation::Auto => "auto",
        }
    }
}

/// The representation of M⁻¹.
#[derive(Clone, Debug)]
pub(crate) enum Core {
    /// A forest in joint coordinates.
    Tree(Tree),
    /// 1/m, 1/m, 1/J of each frame.
    Bodies(Vec<Spatial<f64>>),
}

/// The structure of the equations of motion of one mechanism in one set of coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    pub(crate) core: Core,
    /// Number of frames, the ground included.
    pub(crate) frames: usize,
    /// Number of unknown coordinates.
    pub(crate) unknowns: usize,
    /// The constraints that remain.
    pub(crate) rows: Vec<Row>,
    /// Links of the response to each row; empty without a tree.
    paths: Vec<Path>,
    /// Pairs of coupled rows, the first smaller than the second, sorted.
    pairs: Vec<(usize, usize)>,
    /// For each pair, whether forces on the first row accelerate body a and body b of the second.
    reached: Vec<[bool; 2]>,
    /// Pairs whose first row is r: `first[r]..first[r + 1]`.
    first: Vec<usize>,
    symbolic: Symbolic,
    /// Inverse masses of each frame as if it were free.
    pub(crate) free: Vec<Spatial<f64>>,
    /// α and β of Skrinjar2017 eq. (3) (1/s).
    pub(crate) baumgarte: [f64; 2],
    /// Finds redundant constraints geometrically if the masses are too uneven for the equations to show them.
    geometry: Option<Box<Geometry>>,
}

/// A constraint that adds less than this fraction of what it would add alone is redundant. Rounding
/// leaves up to 1e-11 of a redundant one in mechanisms of a few bodies.
pub(crate) const REDUNDANT: f64 = 1e-10;

/// The coordinate of this frame moves no mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Massless {
    pub(crate) frame: usize,
}

/// The motion of bodies that are free in the plane.
#[inline]
fn move_bodies<T: Real>(q: &[T], v: &[T], motion: &mut [Motion<T>]) {
    let coordinates = q.chunks_exact(3).zip(v.chunks_exact(3));
    for (motion, (q, v)) in motion[1..].iter_mut().zip(coordinates) {
        let (sin, cos) = q[2].sin_cos();
        *motion = Motion { x: [q[0], q[1]], angle: q[2], cos, sin, v: [v[0], v[1]], omega: v[2] };
    }
}

/// The same of these frames alone.
#[inline]
pub(crate) fn move_some<T: Real>(frames: [usize; 2], q: &[T], v: &[T], motion: &mut [Motion<T>]) {
    for frame in frames.into_iter().filter(|frame| *frame > 0) {
        let own = 3 * frame - 3..3 * frame;
        move_bodies(&q[own.clone()], &v[own], &mut motion[frame - 1..=frame]);
    }
}

/// Encloses the position of one free body.
pub(crate) fn enclose_body(q: &[Enclosure; 3], motion: &mut [Motion<Enclosure>], frame: usize) {
    move_bodies(q, q, &mut motion[frame - 1..=frame]);
}

impl Structure {
    /// The inverse masses of the bodies, if the coordinates are those of the bodies, each by itself.
    #[inline]
    pub(crate) fn free_bodies(&self) -> Option<&[Spatial<f64>]> {
        match &self.core {
            Core::Bodies(inverse) => Some(inverse),
            Core::Tree(_) => None,
        }
    }

    /// `free` are the inverse masses of each frame as if it were free, by which redundancy is judged.
    pub(crate) fn new(
        core: Core,
        free: Vec<Spatial<f64>>,
        rows: Vec<Row>,
        baumgarte: [f64; 2],
    ) -> Self {
        let frames = free.len();
        let mut pairs = Vec::new();
        let mut paths = Vec::new();
        let unknowns = match &core {
            Core::Tree(tree) => {
                let needed: Vec<usize> = rows.iter().flat_map(Row::frames).collect();
                paths.extend(rows.iter().map(|row| tree.path(row.frames(), &needed)));
                let mut reach: Vec<Vec<usize>> = vec![Vec::new(); tree.links.len()];
                for (r, path) in paths.iter().enumerate() {
                    // Rows are coupled if forces on one accelerate a body of the other.
                    path.outwards.iter().for_each(|&link| reach[link].push(r));
                }
                for (s, row) in rows.iter().enumerate() {
                    let links = row.frames().into_iter().filter_map(|f| tree.link_of_frame[f]);
                    let coupled = links.flat_map(|link| reach[link].iter().copied());
                    pairs.extend(coupled.filter(|&r| r < s).map(|r| (r, s)));
                }
                tree.unknowns
            }
            Core::Bodies(_) => {
                let mut reach: Vec<Vec<usize>> = vec![Vec::new(); frames];
                for (s, row) in rows.iter().enumerate() {
                    for frame in row.frames().into_iter().filter(|&frame| frame != 0) {
                        pairs.extend(reach[frame].iter().map(|&r| (r, s)));
                    }
                    row.frames().into_iter().for_each(|frame| reach[frame].push(s));
                }
                3 * (frames - 1)
            }
        };
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|(r, s)| r != s);
        let first = (0..=rows.len()).map(|r| pairs.partition_point(|pair| pair.0 < r)).collect();
        let reaches = |&(r, s): &(usize, usize)| match &core {
            Core::Tree(tree) => rows[s].frames().map(|frame| {
                tree.link_of_frame[frame].is_some_and(|link| paths[r].outwards.contains(&link))
            }),
            Core::Bodies(_) => rows[s].frames().map(|frame| rows[r].frames().contains(&frame)),
        };
        let reached = pairs.iter().map(reaches).collect();
        let symbolic = Symbolic::new(rows.len(), &pairs);
        Structure {
            core,
            frames,
            unknowns,
            rows,
            paths,
            pairs,
            reached,
            first,
            symbolic,
            free,
            baumgarte,
            geometry: None,
        }
    }

    /// Working memory.
    pub(crate) fn work<T: Real>(&self, drivers: usize) -> Work<T> {
        let links = if let Core::Tree(tree) = &self.core { tree.links.len() } else { 0 };
        let geometric = self.geometric_work(links);
        Work {
            drives: vec![NO_TARGET; drivers],
            motion: vec![Motion::rest(); self.frames],
            force: vec![[T::ZERO; 3]; self.frames],
            change: vec![[T::ZERO; 3]; self.frames],
            acceleration: vec![[T::ZERO; 3]; self.frames],
            unknowns: vec![T::ZERO; self.unknowns],
            links: vec![LinkWork::ZERO; links],
            rows: vec![RowValue::ZERO; self.rows.len()],
            multiplier: vec![T::ZERO; self.rows.len()],
            weakest: 1.0,
            step: vec![T::ZERO; self.rows.len()],
            mobility: self.mobility(),
            geometric,
        }
    }

    /// Computes positions and velocities of the bodies, ready for [`accelerate`](Self::accelerate);
    /// the drivers' signals must be in the working memory.
    #[expect(clippy::inline_always, reason = "inlining saves a tenth of the time of an evaluation")]
    #[inline(always)]
    pub(crate) fn place<T: Real>(&self, q: &[T], v: &[T], work: &mut Work<T>) {
        let Work { drives, motion, links, .. } = work;
        match &self.core {
            Core::Tree(tree) => tree.move_links(q, v, drives, motion, links),
            Core::Bodies(_) => move_bodies(q, v, motion),
        }
    }

    /// Computes only positions and velocities of the bodies.
    #[inline]
    pub(crate) fn locate<T: Real>(&self, q: &[T], v: &[T], work: &mut Work<T>) {
        let Work { drives, motion, .. } = work;
        match &self.core {
            Core::Tree(tree) => tree.locate_links(q, v, drives, motion),
            Core::Bodies(_) => move_bodies(q, v, motion),
        }
    }

    /// Encloses the positions of the bodies over a time interval; velocities are not computed.
    pub(crate) fn enclose(
        &self,
        q: &[Enclosure],
        drives: &[Enclosure],
        motion: &mut [Motion<Enclosure>],
    ) {
        match &self.core {
            Core::Tree(tree) => tree.enclose_links(q, drives, motion),
            Core::Bodies(_) => move_bodies(q, q, motion),
        }
    }

    /// Evaluates the constraints at the present place.
    #[inline]
    pub(crate) fn measure<T: Real>(&self, work: &mut Work<T>) {
        for (row, value) in self.rows.iter().zip(&mut work.rows) {
            let target = row.driver.map_or(NO_TARGET, |driver| work.drives[driver]);
            *value = row.eval(&work.motion, target);
        }
    }

    /// Accelerations and multipliers under the applied forces.
    #[expect(clippy::inline_always, reason = "inlining saves a tenth of the time of an evaluation")]
    #[inline(always)]
    pub(crate) fn accelerate<T: Real>(&self, work: &mut Work<T>) -> Result<(), Massless> {
        match &self.core {
            Core::Tree(tree) => {
                let Work { force, links, unknowns, acceleration, .. } = work;
                let solved = tree.accelerate(force, links, unknowns, acceleration);
                solved.map_err(|link| Massless { frame: tree.links[link].frame })?;
            }
            Core::Bodies(inverse) => {
                for (frame, inverse) in inverse.iter().enumerate().skip(1) {
                    let force = work.force[frame];
                    let a = std::array::from_fn(|i| force[i] * inverse[i]);
                    work.acceleration[frame] = a;
                    work.unknowns[3 * frame - 3..3 * frame].copy_from_slice(&a);
                }
            }
        }
        if self.rows.is_empty() { Ok(()) } else { self.constrain(work) }
    }

    /// The force that a link of the tree receives from its parent, about its centre of mass.
    #[inline]
    pub(crate) fn link_force<T: Real>(&self, link: usize, work: &Work<T>) -> Spatial<T> {
        match &self.core {
            Core::Tree(tree) => tree.transmitted(link, &work.links, &work.acceleration),
            Core::Bodies(_) => unreachable!("only a tree has links"),
        }
    }
}
