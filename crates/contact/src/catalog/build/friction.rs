//! Building friction laws.

use super::{Inputs, Reader};
use crate::catalog::kind::FrictionKind;
use crate::catalog::problem::LawProblems;
use crate::friction::{
    self, Ambrosio, Coulomb, CoulombCubic, CoulombRamp, CoulombTanh, FrictionError, FrictionLaw,
    LuGre, Stribeck, StribeckCurve,
};

impl FrictionKind {
    /// Builds the law.
    ///
    /// # Errors
    /// Everything that is missing or out of range.
    pub fn build(self, inputs: &Inputs) -> Result<FrictionLaw, LawProblems> {
        let mut r = Reader::new(self.sheet(), inputs);
        let mut number = |key| r.number(key);
        let law =
            match self {
                Self::NoFriction => Ok(FrictionLaw::NoFriction),
                Self::Coulomb => Coulomb::new(number("mu")).map(FrictionLaw::Coulomb),
                Self::CoulombTanh => CoulombTanh::new(number("mu"), number("slip_speed"))
                    .map(FrictionLaw::CoulombTanh),
                Self::CoulombRamp => CoulombRamp::new(number("mu"), number("slip_speed"))
                    .map(FrictionLaw::CoulombRamp),
                Self::CoulombCubic => CoulombCubic::new(number("mu"), number("slip_speed"))
                    .map(FrictionLaw::CoulombCubic),
                Self::Ambrosio => Ambrosio::new(number("mu"), number("speed_0"), number("speed_1"))
                    .map(FrictionLaw::Ambrosio),
                Self::BaiZhao => friction::BaiZhao::new(
                    number("mu_static"),
                    number("mu_dynamic"),
                    number("slip_speed"),
                    number("dynamic_speed"),
                )
                .map(FrictionLaw::BaiZhao),
                Self::Stribeck => {
                    let curve = stribeck_curve(&mut number);
                    let (transition, viscous) = (number("transition_speed"), number("viscous"));
                    curve
                        .and_then(|curve| Stribeck::new(curve, transition, viscous))
                        .map(FrictionLaw::Stribeck)
                }
                Self::LuGre => {
                    let curve = stribeck_curve(&mut number);
                    let sigma = ["sigma0", "sigma1", "sigma2"].map(number);
                    curve
                        .and_then(|curve| LuGre::new(curve, sigma[0], sigma[1], sigma[2]))
                        .map(FrictionLaw::LuGre)
                }
            };
        // the reader's problems come first, because a missing number makes the constructor fail too
        r.finish(())?;
        Ok(law?)
    }
}

fn stribeck_curve(
    number: &mut impl FnMut(&'static str) -> f64,
) -> Result<StribeckCurve, FrictionError> {
    StribeckCurve::new(number("mu_static"), number("mu_dynamic"), number("stribeck_speed"))
}
