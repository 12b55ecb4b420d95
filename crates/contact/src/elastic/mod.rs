//! Elastic laws: force, slope and stored energy of an indentation.
//!
//! Everything here is a pure function of the indentation δ in m, positive in contact. A law knows
//! no body, no clock and no step; it is constant after construction. All forces are totals in N:
//! a line contact multiplies its load per length by its length once, at construction.

mod foundation;
mod inverse;
mod logarithmic;
mod lower_branch;
mod persson;
mod power;
mod quadrature;
mod table;
mod user;

use std::fmt;
use std::sync::Arc;

use jointplay_fingerprint::{Fingerprint, Fnv};

pub use foundation::{BaiZhao, Liu};
pub use logarithmic::{CONTINUED_FROM, LineLoad, Logarithmic};
pub use persson::Persson;
pub use power::Power;
pub use table::{Table, TableProblem};
pub use user::{FormulaProblem, UserForce};

/// The response of an elastic law to one indentation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Elastic {
    /// Force F_el, N.
    pub force: f64,
    /// Slope dF_el/dδ, N/m.
    pub slope: f64,
    /// Stored energy ∫F_el dδ, J.
    pub energy: f64,
    /// Whether the law ended before this indentation and its tangent was used, or the force
    /// exceeded the largest number and was limited to it.
    pub continued: bool,
}

jointplay_fingerprint::fingerprint!(struct Elastic { force, slope, energy, continued });

impl Elastic {
    /// The response to an indentation that is not a number.
    fn not_a_number() -> Self {
        Self { force: f64::NAN, slope: f64::NAN, energy: f64::NAN, continued: false }
    }

    /// The response `beyond` metres further if the law continues along its tangent.
    fn along_tangent(&self, beyond: f64) -> Self {
        Self {
            force: finite(self.force + self.slope * beyond),
            slope: self.slope,
            energy: finite(self.energy + beyond * (self.force + 0.5 * self.slope * beyond)),
            continued: true,
        }
    }
}

/// Where a law ends. `None` means that it does not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Indentation up to which force grows with indentation, m.
    pub delta: Option<f64>,
    /// Force there, N; `None` also where the force grows without bound towards the limit.
    pub force: Option<f64>,
    /// Force at which the source ends the domain, N.
    pub published_force: Option<f64>,
    /// Indentation from which the law continues along its tangent, m.
    pub continued_from: Option<f64>,
}

/// An elastic law of one contact: those of this crate, and those of users for [`ElasticLaw::Custom`].
///
/// # Contract
/// For δ ≤ 0 everything is zero. For δ > 0 the force is finite, does not decrease, and equals
/// the derivative of the energy; the slope is that of the force; a NaN goes through as NaN.
pub trait ElasticModel: fmt::Debug + Send + Sync {
    /// The name in messages of a law written in Rust outside this crate.
    #[expect(clippy::unnecessary_literal_bound, reason = "others may have a name that they own")]
    fn name(&self) -> &str {
        "unnamed"
    }

    /// Force F_el(δ), N.
    fn force(&self, delta: f64) -> f64 {
        self.eval(delta).force
    }

    /// Force, slope and energy together.
    fn eval(&self, delta: f64) -> Elastic;

    /// Where the law ends.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Indentation under a force; `None` if the law does not reach it at any finite indentation.
    fn indentation(&self, force: f64) -> Option<f64> {
        inverse::root(force, |delta| {
            let e = self.eval(delta);
            (e.force, e.slope)
        })
    }

    /// Indentation at which the stored energy reaches `energy` in J: the deepest point of an
    /// impact without loss. `None` if no finite indentation stores it.
    fn indentation_of_energy(&self, energy: f64) -> Option<f64> {
        inverse::root(energy, |delta| {
            let e = self.eval(delta);
            (e.energy, e.force)
        })
    }
}

/// Only the name: code has no fingerprint, so two laws with the same name and different code have
/// the same fingerprint.
impl Fingerprint for dyn ElasticModel {
    fn feed(&self, hash: &mut Fnv) {
        self.name().feed(hash);
    }
}

/// A law of a user is equal only to itself, because code cannot be compared.
impl PartialEq for dyn ElasticModel {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

/// The elastic laws of the catalogue in one closed set, and an arm for laws written in Rust.
#[derive(Clone, Debug, PartialEq)]
pub enum ElasticLaw {
    /// K δⁿ.
    Power(Power),
    /// Winkler foundation of varying stiffness.
    BaiZhao(BaiZhao),
    /// δ = (f/A)(ln(B/f) + C).
    Logarithmic(Logarithmic),
    /// Liu's cylinder law.
    Liu(Liu),
    /// Persson's conformal cylinder law.
    Persson(Persson),
    /// Measured or computed points.
    Table(Arc<Table>),
    /// A formula of the user.
    Expression(Arc<UserForce>),
    /// A law written in Rust outside this crate.
    Custom(Arc<dyn ElasticModel>),
}

jointplay_fingerprint::fingerprint!(
    enum ElasticLaw {
        Power(of),
        BaiZhao(of),
        Logarithmic(of),
        Liu(of),
        Persson(of),
        Table(of),
        Expression(of),
        Custom(of),
    }
);

macro_rules! each {
    ($law:expr, $inner:ident => $body:expr) => {
        match $law {
            ElasticLaw::Power($inner) => $body,
            ElasticLaw::BaiZhao($inner) => $body,
            ElasticLaw::Logarithmic($inner) => $body,
            ElasticLaw::Liu($inner) => $body,
            ElasticLaw::Persson($inner) => $body,
            ElasticLaw::Table($inner) => $body,
            ElasticLaw::Expression($inner) => $body,
            ElasticLaw::Custom($inner) => $body,
        }
    };
}

impl ElasticModel for ElasticLaw {
    #[inline]
    fn force(&self, delta: f64) -> f64 {
        // the most common law is inlined into the caller's loop, the others are called
        if let Self::Power(power) = self { power.force(delta) } else { self.force_of_others(delta) }
    }

    #[inline]
    fn eval(&self, delta: f64) -> Elastic {
        each!(self, law => law.eval(delta))
    }

    fn limits(&self) -> Limits {
        each!(self, law => law.limits())
    }

    fn indentation(&self, force: f64) -> Option<f64> {
        each!(self, law => law.indentation(force))
    }

    fn indentation_of_energy(&self, energy: f64) -> Option<f64> {
        each!(self, law => law.indentation_of_energy(energy))
    }
}

impl ElasticLaw {
    #[inline(never)]
    fn force_of_others(&self, delta: f64) -> f64 {
        each!(self, law => law.force(delta))
    }

    /// K and n if the law is K δⁿ.
    pub fn as_power(&self) -> Option<Power> {
        match self {
            Self::Power(power) => Some(*power),
            Self::BaiZhao(_)
            | Self::Logarithmic(_)
            | Self::Liu(_)
            | Self::Persson(_)
            | Self::Table(_)
            | Self::Expression(_)
            | Self::Custom(_) => None,
        }
    }

    /// Forces of many indentations, bit for bit those of [`ElasticModel::force`].
    ///
    /// Logarithmic laws run in vectors, the others in a loop.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn forces(&self, deltas: &[f64], forces: &mut [f64]) {
        assert_eq!(deltas.len(), forces.len(), "one force for each indentation");
        if let Self::Logarithmic(law) = self {
            law.forces(deltas, forces);
        } else {
            each!(self, law => for (f, &d) in forces.iter_mut().zip(deltas) { *f = law.force(d); });
        }
    }
}

/// Overflow becomes the largest number: defined and continuous, never an infinity in a file.
fn finite(x: f64) -> f64 {
    if x > f64::MAX { f64::MAX } else { x }
}
