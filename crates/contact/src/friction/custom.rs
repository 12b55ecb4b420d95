//! Friction laws written in Rust outside this crate.

use std::fmt;

use jointplay_fingerprint::{Fingerprint, Fnv};

use super::{Bristle, Coefficient, Friction};

/// A friction law of a user, for [`FrictionLaw::Custom`](super::FrictionLaw::Custom).
///
/// Friction is proportional to the normal force, F = −c F_n, and the law is c(v) with its slope. With
/// [bristles](Self::bristle_reach) it is c(v, z), and z is a state of the contact.
///
/// # Contract
/// Pure: the same arguments give the same answer, and finite arguments a finite one. Without
/// bristles friction dissipates: c(v) v ≥ 0. The slopes are exact; the implicit integrator needs
/// them.
///
/// ```
/// use std::sync::Arc;
///
/// use jointplay_contact::friction::{Coefficient, FrictionLaw, FrictionModel};
///
/// /// c = μ v/√(v² + w²).
/// #[derive(Debug)]
/// struct Root {
/// mu: f64,
/// w: f64,
/// }
///
/// impl FrictionModel for Root {
/// fn name(&self) -> &str {
/// "root"
/// }
///
/// fn coefficient(&self, v_t: f64, _: f64) -> Coefficient {
/// let root = (v_t * v_t + self.w * self.w).sqrt();
/// let slope = self.mu * self.w * self.w / (root * root * root);
/// Coefficient { value: self.mu * v_t / root, slope }
/// }
/// }
///
/// let law = FrictionLaw::Custom(Arc::new(Root { mu: 0.5, w: 3.0 }));
/// assert_eq!(law.force(100.0, 4.0, 0.0).force, -40.0);
/// ```
pub trait FrictionModel: fmt::Debug + Send + Sync {
    /// The name of the law in messages.
    fn name(&self) -> &str;

    /// c and ∂c/∂v at the sliding speed `v_t` (m/s) and, for a law with bristles, their deflection `z` (m), which is 0
    /// otherwise.
    fn coefficient(&self, v_t: f64, z: f64) -> Coefficient;

    /// Whether friction at rest can have a range of values, as Coulomb's, so that the sliding
    /// direction must be a mode that changes at located reversals.
    fn is_set_valued(&self) -> bool {
        false
    }

    /// c and ∂c/∂v while the body slides in `direction` (−1 or +1), independently of the sign of
    /// `v_t`: within a trial step `v_t` may pass zero, and c must be smooth there. With a direction
    /// of 0 there is no friction. Called only for [set-valued](Self::is_set_valued) laws.
    fn sliding(&self, v_t: f64, direction: f64) -> Coefficient {
        let _ = direction;
        self.coefficient(v_t, 0.0)
    }

    /// The greatest deflection of the bristles (m), above 0, which sets the tolerance of z; `None` for a law without bristles.
    fn bristle_reach(&self) -> Option<f64> {
        None
    }

    /// ż with its derivatives, and ∂c/∂z. Called only for laws with [bristles](Self::bristle_reach); z starts at 0 with each
    /// contact.
    fn bristle(&self, v_t: f64, z: f64) -> Bristle {
        let _ = (v_t, z);
        Bristle::default()
    }
}

/// Only the name: code has no fingerprint, so two laws with the same name and different code have
/// the same fingerprint.
impl Fingerprint for dyn FrictionModel {
    fn feed(&self, hash: &mut Fnv) {
        self.name().feed(hash);
    }
}

/// A law of a user is equal only to itself, because code cannot be compared.
impl PartialEq for dyn FrictionModel {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

/// The friction of a law with the sliding direction frozen, if it needs one. Not inlined into the
/// caller's loop.
#[cold]
#[inline(never)]
pub(super) fn force_sliding(
    law: &dyn FrictionModel,
    [normal, v_t, z]: [f64; 3],
    direction: f64,
) -> Friction {
    let coefficient = if !law.is_set_valued() {
        law.coefficient(v_t, z)
    } else if direction == 0.0 {
        Coefficient::default()
    } else {
        law.sliding(v_t, direction)
    };
    coefficient.saturated().friction(normal, v_t)
}
