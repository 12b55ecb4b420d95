//! Laws of the catalogue that come in as code of a user: what they do is known, and what is tested is the way they take.

use std::sync::Arc;

use jointplay_contact::damping::{
    Approach, BeginError, DampingForce, DampingLaw, DampingModel, Touch,
};
use jointplay_contact::elastic::{Elastic, ElasticLaw, ElasticModel, Limits};
use jointplay_contact::friction::{Bristle, Coefficient, FrictionLaw, FrictionModel};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};

/// A contact law whose parts are all code of a user.
#[allow(dead_code, reason = "shared by several test crates, of which each needs a part")]
pub(crate) fn borrowed(law: &ContactLaw) -> ContactLaw {
    let friction = match &law.friction {
        FrictionLaw::NoFriction => FrictionLaw::NoFriction,
        friction => borrowed_friction(friction),
    };
    ContactLaw { normal: borrowed_normal(&law.normal), friction }
}

/// A friction law as code of a user.
#[allow(dead_code, reason = "shared by several test crates, of which each needs a part")]
pub(crate) fn borrowed_friction(law: &FrictionLaw) -> FrictionLaw {
    FrictionLaw::Custom(Arc::new(BorrowedFriction(law.clone())))
}

/// A normal law whose parts are code of a user, but for no damping.
pub(crate) fn borrowed_normal(law: &NormalLaw) -> NormalLaw {
    let elastic = ElasticLaw::Custom(Arc::new(BorrowedElastic(law.elastic.clone())));
    let damping = match &law.damping {
        DampingLaw::None => DampingLaw::None,
        damping => DampingLaw::Custom(Arc::new(BorrowedDamping(damping.clone()))),
    };
    NormalLaw { elastic, damping, ..law.clone() }
}

#[derive(Debug)]
struct BorrowedElastic(ElasticLaw);

impl ElasticModel for BorrowedElastic {
    fn name(&self) -> &'static str {
        "borrowed"
    }

    fn force(&self, delta: f64) -> f64 {
        self.0.force(delta)
    }

    fn eval(&self, delta: f64) -> Elastic {
        self.0.eval(delta)
    }

    fn limits(&self) -> Limits {
        self.0.limits()
    }

    fn indentation(&self, force: f64) -> Option<f64> {
        self.0.indentation(force)
    }

    fn indentation_of_energy(&self, energy: f64) -> Option<f64> {
        self.0.indentation_of_energy(energy)
    }
}

#[derive(Debug)]
struct BorrowedDamping(DampingLaw);

impl DampingModel for BorrowedDamping {
    fn name(&self) -> &'static str {
        "borrowed"
    }

    fn force(&self, elastic_force: f64, at: Approach, touch: &Touch) -> DampingForce {
        let on = |slope| Elastic { force: elastic_force, slope, ..Elastic::default() };
        let along = |slope| self.0.eval(on(slope), at, touch);
        let alone = along(0.0);
        DampingForce {
            force: alone.force,
            by_elastic: along(1.0).slope - alone.slope,
            by_delta: alone.slope,
            by_rate: alone.rate,
        }
    }

    fn coefficient(&self, start: &Touch) -> Result<f64, BeginError> {
        let touch = self.0.begin(start.impact_speed, start.effective_mass)?;
        assert_eq!(touch.restitution, start.restitution);
        Ok(touch.coefficient)
    }

    fn restitution(&self) -> Option<&Restitution> {
        self.0.restitution()
    }

    fn uses_impact_speed(&self) -> bool {
        self.0.uses_impact_speed()
    }

    fn uses_effective_mass(&self) -> bool {
        self.0.uses_effective_mass()
    }

    fn rests(&self) -> bool {
        matches!(self.0, DampingLaw::Factor { .. })
    }

    fn has_stages(&self) -> bool {
        self.0.has_stages()
    }

    fn can_pull(&self) -> bool {
        self.0.can_pull()
    }

    fn kink(&self) -> Option<f64> {
        self.0.kink()
    }

    fn recoverable_share(&self, touch: &Touch) -> f64 {
        if matches!(self.0, DampingLaw::TwoSlope { .. }) { touch.restitution } else { 1.0 }
    }
}

#[derive(Debug)]
struct BorrowedFriction(FrictionLaw);

impl FrictionModel for BorrowedFriction {
    fn name(&self) -> &'static str {
        "borrowed"
    }

    fn coefficient(&self, v_t: f64, z: f64) -> Coefficient {
        let friction = self.0.force(1.0, v_t, z);
        Coefficient { value: -friction.force, slope: -friction.slope }
    }

    fn is_set_valued(&self) -> bool {
        self.0.is_set_valued()
    }

    fn sliding(&self, v_t: f64, direction: f64) -> Coefficient {
        let friction = self.0.force_sliding(1.0, v_t, 0.0, direction);
        Coefficient { value: -friction.force, slope: -friction.slope }
    }

    fn bristle_reach(&self) -> Option<f64> {
        self.0.bristle_reach()
    }

    fn bristle(&self, v_t: f64, z: f64) -> Bristle {
        self.0.bristle(v_t, z)
    }
}
