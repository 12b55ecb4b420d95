//! Dissipation laws written in Rust outside this crate.

use std::fmt;

use jointplay_fingerprint::{Fingerprint, Fnv};

use super::{Approach, BeginError, Damping, Touch};
use crate::elastic::Elastic;
use crate::restitution::Restitution;

/// A dissipation law of a user, for [`DampingLaw::Custom`](super::DampingLaw::Custom).
///
/// It adds a force F_d(F_el, δ, δ̇) to the elastic one. The only memory it can use is the
/// [`Touch`]: impact speed, effective mass, restitution, the [`coefficient`](Self::coefficient)
/// that it computed from them when contact started, and whether the bodies approach or separate.
///
/// # Contract
/// Pure: the same arguments give the same answer, and finite arguments a finite one. [`DampingForce`] carries the exact
/// partial derivatives, which the implicit integrator needs. F_d dissipates: F_d δ̇ ≥ 0, unless
/// [`recoverable_share`](Self::recoverable_share) is below 1. A force that jumps with the sign of δ̇ belongs to a law with
/// [stages](Self::has_stages); if the load on such a contact lies between its two forces, the
/// equations have no solution, and a run ends with a fault.
///
/// Laws of users cannot have permanent indentation: the bodies separate at δ = 0.
///
/// ```
/// use std::sync::Arc;
///
/// use jointplay_contact::damping::{Approach, DampingForce, DampingLaw, DampingModel, Touch};
/// use jointplay_contact::elastic::{ElasticLaw, Power};
/// use jointplay_contact::NormalLaw;
///
/// /// F_d = c δ δ̇.
/// #[derive(Debug)]
/// struct Wedge {
/// c: f64,
/// }
///
/// impl DampingModel for Wedge {
/// fn name(&self) -> &str {
/// "wedge"
/// }
///
/// fn force(&self, _: f64, at: Approach, _: &Touch) -> DampingForce {
/// let Approach { delta, delta_dot } = at;
/// DampingForce {
/// force: self.c * delta * delta_dot,
/// by_elastic: 0.0,
/// by_delta: self.c * delta_dot,
/// by_rate: self.c * delta,
/// }
/// }
/// }
///
/// let elastic = ElasticLaw::Power(Power { stiffness: 1e6, exponent: 1.0 });
/// let law = NormalLaw::new(elastic, DampingLaw::Custom(Arc::new(Wedge { c: 2e6 })));
/// let touch = law.begin(1.0, 0.5)?;
/// let at = law.eval(Approach { delta: 1e-3, delta_dot: 0.25 }, &touch);
/// assert_eq!((at.elastic, at.damping), (1000.0, 500.0));
/// # Ok::<(), jointplay_contact::damping::BeginError>(())
/// ```
pub trait DampingModel: fmt::Debug + Send + Sync {
    /// The name of the law in messages.
    fn name(&self) -> &str;

    /// F_d with its derivatives, given the elastic force at the same δ. It is also called a little below δ = 0, until the end of
    /// the contact has been located.
    fn force(&self, elastic_force: f64, at: Approach, touch: &Touch) -> DampingForce;

    /// The value of [`Touch::coefficient`] throughout a contact that starts with this memory, in which impact speed, effective
    /// mass and, if the law takes one, the restitution at that speed are set.
    ///
    /// # Errors
    /// [`BeginError`] if the law has no finite coefficient for these data.
    fn coefficient(&self, start: &Touch) -> Result<f64, BeginError> {
        let _ = start;
        Ok(0.0)
    }

    /// The restitution that the law takes, if it takes one; [`Touch::restitution`] is its value at the impact speed.
    fn restitution(&self) -> Option<&Restitution> {
        None
    }

    /// Whether the damping depends on the impact speed. If it does not, an impact speed raised to the floor is not reported.
    fn uses_impact_speed(&self) -> bool {
        true
    }

    /// Whether the damping depends on the effective mass. Bodies whose motion is prescribed have
    /// none, so a contact between them cannot start with such a law.
    fn uses_effective_mass(&self) -> bool {
        true
    }

    /// Whether a contact that begins slower than [`REST_SPEED`](crate::REST_SPEED) is damped by the
    /// fraction of critical damping that corresponds to its restitution, and not by this law
    /// ([`DampingLaw::rest`](super::DampingLaw::rest)). Right for a law that divides by the impact
    /// speed, and only with a [`restitution`](Self::restitution).
    fn rests(&self) -> bool {
        false
    }

    /// Whether the force changes its form where compression ends. [`Touch::stage`] then changes at the located extrema of δ.
    fn has_stages(&self) -> bool {
        false
    }

    /// Whether the sum of elastic and damping force can become negative in a free impact.
    fn can_pull(&self) -> bool {
        true
    }

    /// Indentation at which the damping has a kink (m); steps of an integration end there.
    fn kink(&self) -> Option<f64> {
        None
    }

    /// The fraction of the elastic energy that the contact can give back, constant throughout a
    /// contact: 1 unless the force of separating bodies follows a lower curve. The rest is counted
    /// as lost during the approach.
    fn recoverable_share(&self, touch: &Touch) -> f64 {
        let _ = touch;
        1.0
    }
}

/// A damping force F_d(F_el, δ, δ̇) with its partial derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DampingForce {
    /// Force added to the elastic one, N.
    pub force: f64,
    /// ∂F_d/∂F_el at constant δ and δ̇.
    pub by_elastic: f64,
    /// ∂F_d/∂δ at constant F_el and δ̇, N/m.
    pub by_delta: f64,
    /// ∂F_d/∂δ̇, N s/m.
    pub by_rate: f64,
}

impl DampingForce {
    /// The force as a function of δ and δ̇ alone, given the response of the elastic law.
    pub(super) fn along(self, elastic: Elastic) -> Damping {
        Damping {
            force: self.force,
            slope: self.by_elastic * elastic.slope + self.by_delta,
            rate: self.by_rate,
        }
    }
}

/// Only the name: code has no fingerprint, so two laws with the same name and different code have
/// the same fingerprint.
impl Fingerprint for dyn DampingModel {
    fn feed(&self, hash: &mut Fnv) {
        self.name().feed(hash);
    }
}

/// A law of a user is equal only to itself, because code cannot be compared.
impl PartialEq for dyn DampingModel {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}
