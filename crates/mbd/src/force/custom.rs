//! Force elements written in Rust outside this crate.
//!
//! Both kinds separate the part of their force that stores energy from the part that does not. The first is the slope of an
//! energy; the power of the second goes to the account of the element. The energy ledger of a run
//! therefore shows whether force and energy are consistent.

use std::fmt;
use std::sync::Arc;

use jointplay_fingerprint::{Fingerprint, Fnv};

use super::{Acting, ForceReport, push, stretch};
use crate::frame::{Anchor, Motion, PointMotion, Spatial, scale};
use crate::ledger::{AccountKind, AccountSide};
use crate::real::Real;
use crate::row::Station;

/// A force along the line between two points, written in Rust: a gas spring, a rope, an actuator.
///
/// # Contract
/// Pure: the same arguments give the same answer, and finite arguments a finite one. The held tension is the slope of the
/// energy, and the derivatives are exact; the implicit integrator needs them. The element does not act where both points
/// coincide, as the line has no direction there.
///
/// ```
/// use std::sync::Arc;
///
/// use jointplay_mbd::{Body, Builder, Force, GROUND, LineForce, LineModel, Simulation, Tension};
///
/// /// A spring that pulls with the same force at any length.
/// #[derive(Debug)]
/// struct Constant {
/// force: f64,
/// }
///
/// impl LineModel for Constant {
/// fn name(&self) -> &str {
/// "constant force"
/// }
///
/// fn tension(&self, _t: f64, _length: f64, _rate: f64) -> Tension {
/// Tension { held: self.force, ..Tension::default() }
/// }
///
/// fn energy(&self, length: f64) -> f64 {
/// self.force * length
/// }
/// }
///
/// let mut parts = Builder::new();
/// let ball = parts.body("ball", Body::point(2.0).placed([3.0, 0.0], 0.0));
/// let model = Arc::new(Constant { force: 4.0 });
/// parts.force("spring", Force::Line(LineForce { a: GROUND.origin(), b: ball.origin(), model }));
/// let run = Simulation::new(&parts.build()?).until(1.0).run()?;
/// // a = −2 m/s²
/// let x = run.body("ball")?.x;
/// assert!((x[x.len() - 1] - 2.0).abs() < 1e-9);
/// # Ok::<(), jointplay_mbd::Error>(())
/// ```
pub trait LineModel: fmt::Debug + Send + Sync {
    /// The name of the element in messages.
    fn name(&self) -> &str;

    /// The tension at this time (s), distance of the points (m) and rate of the distance (m/s).
    fn tension(&self, t: f64, length: f64, rate: f64) -> Tension;

    /// The energy U held at this distance of the points (J).
    fn energy(&self, length: f64) -> f64 {
        let _ = length;
        0.0
    }

    /// The account of the power of [`Tension::other`] goes: a loss, or work done on the mechanism.
    /// `None` if there is no such part.
    fn side(&self) -> Option<AccountSide> {
        None
    }

    /// Times at which the tension jumps or has a kink (s); steps of an integration end there.
    fn breaks(&self) -> &[f64] {
        &[]
    }
}

/// The tension of a [`LineModel`]; negative values push.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tension {
    /// The part that holds energy, dU/dl (N).
    pub held: f64,
    /// d held/dl (N/m).
    pub held_by_length: f64,
    /// The part that does not: the force of a damper or an actuator (N).
    pub other: f64,
    /// ∂other/∂l (N/m).
    pub other_by_length: f64,
    /// ∂other/∂l̇ (N s/m).
    pub other_by_rate: f64,
}

/// A force along the line between two points with a law of a user.
pub type LineForce = UserForce<dyn LineModel>;

/// Forces and moments between two points of bodies, written in Rust.
///
/// The element gets the positions of its ends, q = (x_a, y_a, φ_a, x_b, y_b, φ_b) in the world (m,
/// rad) with all turns of the angles, and the rates q̇ (m/s, rad/s). It returns the force and the
/// moment about the end on body a and on body b in the same order (N, N m). The element itself must
/// ensure action and reaction: it may push only one body.
///
/// # Contract
/// Pure: the same arguments give the same answer, and finite arguments a finite one. The held part is −∂U/∂q, and the
/// derivatives are exact; the implicit integrator needs them.
///
/// [`LineModel`] is the simpler choice where the force lies on the line between the ends.
pub trait ForceModel: fmt::Debug + Send + Sync {
    /// The name of the element in messages.
    fn name(&self) -> &str;

    /// The forces at this time (s), place of the ends and its rate.
    fn wrench(&self, t: f64, q: &[f64; 6], rates: &[f64; 6]) -> Wrench;

    /// The derivatives of [`wrench`](Self::wrench).
    fn slopes(&self, t: f64, q: &[f64; 6], rates: &[f64; 6]) -> WrenchSlopes;

    /// The energy U held (J).
    fn energy(&self, q: &[f64; 6]) -> f64 {
        let _ = q;
        0.0
    }

    /// The account of the power of [`Wrench::other`] goes: a loss, or work done on the mechanism.
    /// `None` if there is no such part.
    fn side(&self) -> Option<AccountSide> {
        None
    }

    /// Times at which a force jumps or has a kink (s); steps of an integration end there.
    fn breaks(&self) -> &[f64] {
        &[]
    }
}

/// Force (N) and moment about the end (N m) on body a, then on body b, world components.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// The part that holds energy, −∂U/∂q.
    pub held: [f64; 6],
    /// The part that does not: the force of a damper or an actuator.
    pub other: [f64; 6],
}

/// The derivatives of a [`Wrench`], one row for each of its components.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WrenchSlopes {
    /// ∂held/∂q.
    pub held: [[f64; 6]; 6],
    /// ∂other/∂q.
    pub other: [[f64; 6]; 6],
    /// ∂other/∂q̇.
    pub other_by_rates: [[f64; 6]; 6],
}

/// Forces and moments between two places of bodies with a law of a user.
pub type CustomForce = UserForce<dyn ForceModel>;

/// An element between two places of bodies with a law of a user: a [`LineForce`] or a [`CustomForce`].
#[derive(Debug)]
pub struct UserForce<M: ?Sized> {
    /// One end.
    pub a: Anchor,
    /// The other end.
    pub b: Anchor,
    /// The law.
    pub model: Arc<M>,
}

impl<M: ?Sized> Clone for UserForce<M> {
    fn clone(&self) -> Self {
        UserForce { a: self.a, b: self.b, model: Arc::clone(&self.model) }
    }
}

/// A law of a user is equal only to itself, because code cannot be compared.
impl<M: ?Sized> PartialEq for UserForce<M> {
    fn eq(&self, other: &Self) -> bool {
        (self.a, self.b) == (other.a, other.b) && Arc::ptr_eq(&self.model, &other.model)
    }
}

/// Without its law: code has no fingerprint, so elements that differ only in their code have the
/// same fingerprint.
impl<M: ?Sized> Fingerprint for UserForce<M> {
    fn feed(&self, hash: &mut Fnv) {
        let UserForce { a, b, model: _ } = self;
        a.feed(hash);
        b.feed(hash);
    }
}

/// A [`UserForce`] on numbered frames.
#[derive(Debug)]
pub(crate) struct UserElement<M: ?Sized> {
    pub(crate) a: Station,
    pub(crate) b: Station,
    pub(crate) model: Arc<M>,
    pub(crate) account: Option<OtherAccount>,
}

impl<M: ?Sized> Clone for UserElement<M> {
    fn clone(&self) -> Self {
        UserElement { a: self.a, b: self.b, model: Arc::clone(&self.model), account: self.account }
    }
}

/// A [`LineForce`] on numbered frames.
pub(crate) type LineElement = UserElement<dyn LineModel>;

/// A [`CustomForce`] on numbered frames.
pub(crate) type CustomElement = UserElement<dyn ForceModel>;

/// The account of an element, and its side of the ledger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherAccount {
    pub(crate) number: usize,
    pub(crate) side: AccountSide,
}

impl OtherAccount {
    /// Opens the account of an element whose power goes to this side.
    pub(crate) fn open(
        side: Option<AccountSide>,
        mut open: impl FnMut(AccountKind) -> usize,
    ) -> Option<Self> {
        side.map(|side| {
            let kind = match side {
                AccountSide::Loss => AccountKind::Damping,
                AccountSide::Work | AccountSide::Brought => AccountKind::Load,
            };
            OtherAccount { number: open(kind), side }
        })
    }

    /// Power brought in by the other part of a force, with the sign of its account.
    fn booked<T: Real>(self, brought: T) -> T {
        if self.side == AccountSide::Loss { -brought } else { brought }
    }
}

/// Power lost and brought in of a report, from the power brought in.
fn reported(account: Option<OtherAccount>, brought: f64) -> [f64; 2] {
    match account {
        None => [0.0, 0.0],
        Some(account) if account.side == AccountSide::Loss => [-brought, 0.0],
        Some(_) => [0.0, brought],
    }
}

impl LineElement {
    #[inline(never)]
    pub(super) fn act<T: Real>(&self, t: f64, motion: &[Motion<T>]) -> Acting<T> {
        let Some(line) = stretch(motion, &self.a, &self.b) else { return Acting::NOT };
        let at = self.model.tension(t, line.length.value(), line.rate.value());
        let held = line.length.chain(at.held, at.held_by_length);
        let other = line.length.chain(at.other, at.other_by_length)
            + line.rate.chain(0.0, at.other_by_rate);
        let tension = held + other;
        let power = self.account.map_or(T::ZERO, |account| account.booked(-(other * line.rate)));
        let force = scale(line.unit, -tension);
        Acting { size: tension, force, arms: line.arms, power, ..Acting::NOT }
    }

    pub(super) fn energy(&self, motion: &[Motion<f64>]) -> f64 {
        self.model.energy(stretch(motion, &self.a, &self.b).map_or(0.0, |line| line.length))
    }

    /// Power lost and power brought in, given that of the account.
    pub(super) fn powers(&self, power: f64) -> [f64; 2] {
        reported(self.account, self.account.map_or(0.0, |account| account.booked(power)))
    }
}

/// The ends of a custom element and the forces there.
struct AtEnds<T> {
    arms: [[T; 2]; 2],
    /// Force and moment on a and on b.
    total: [T; 6],
    /// Power brought in by the part that holds no energy.
    brought: T,
}

impl CustomElement {
    /// The ends: their places, their rates and their arms.
    fn ends<T: Real>(&self, motion: &[Motion<T>]) -> ([T; 6], [T; 6], [[T; 2]; 2]) {
        let (a, b) = (&motion[self.a.frame], &motion[self.b.frame]);
        let PointMotion { arm: arm_a, x: [xa, ya], v: [ua, va] } = a.point(self.a.local);
        let PointMotion { arm: arm_b, x: [xb, yb], v: [ub, vb] } = b.point(self.b.local);
        let q = [xa, ya, a.angle, xb, yb, b.angle];
        (q, [ua, va, a.omega, ub, vb, b.omega], [arm_a, arm_b])
    }

    fn act<T: Real>(&self, t: f64, motion: &[Motion<T>]) -> AtEnds<T> {
        let (q, rates, arms) = self.ends(motion);
        let (places, speeds) = (q.map(T::value), rates.map(T::value));
        let Wrench { held, other } = self.model.wrench(t, &places, &speeds);
        let (mut total, mut free) = (held.map(T::constant), other.map(T::constant));
        if T::DERIVATIVES {
            let slopes = self.model.slopes(t, &places, &speeds);
            for row in 0..6 {
                for i in 0..6 {
                    total[row] += q[i].chain(0.0, slopes.held[row][i]);
                    free[row] += q[i].chain(0.0, slopes.other[row][i]);
                    free[row] += rates[i].chain(0.0, slopes.other_by_rates[row][i]);
                }
            }
        }
        let mut brought = T::ZERO;
        for row in 0..6 {
            brought += free[row] * rates[row];
            total[row] += free[row];
        }
        AtEnds { arms, total, brought }
    }

    /// Adds the forces, and writes the power of its account.
    #[inline(never)]
    pub(super) fn apply<T: Real>(
        &self,
        t: f64,
        motion: &[Motion<T>],
        force: &mut [Spatial<T>],
        power: &mut [T],
    ) {
        let AtEnds { arms, total: [fa, ga, ma, fb, gb, mb], brought } = self.act(t, motion);
        push(force, self.a.frame, arms[0], [fa, ga]);
        push(force, self.b.frame, arms[1], [fb, gb]);
        force[self.a.frame][2] += ma;
        force[self.b.frame][2] += mb;
        if let Some(account) = self.account {
            power[account.number] = account.booked(brought);
        }
    }

    pub(super) fn energy(&self, motion: &[Motion<f64>]) -> f64 {
        self.model.energy(&self.ends(motion).0)
    }

    pub(super) fn report(&self, t: f64, motion: &[Motion<f64>]) -> ForceReport {
        let AtEnds { total: [.., x, y, moment], brought, .. } = self.act(t, motion);
        let [power_lost, power_in] = reported(self.account, brought);
        let (size, energy) = (libm::hypot(x, y), self.energy(motion));
        ForceReport { size, force: [x, y], moment, energy, power_lost, power_in }
    }
}
