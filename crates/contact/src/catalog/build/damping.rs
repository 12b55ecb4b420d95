//! Building dissipation laws.

use super::{Inputs, OWN_FIELDS, Reader};
use crate::catalog::kind::DampingKind;
use crate::catalog::problem::{LawProblem, LawProblems};
use crate::catalog::sheet::Parameter;
use crate::damping::{DampingLaw, Factor};
use crate::elastic::{ElasticLaw, Power};
use crate::material::Material;

impl DampingKind {
    /// Builds the law for an elastic law.
    ///
    /// # Errors
    /// Everything that is missing or out of range, or that the two laws do not combine.
    pub fn build(
        self,
        inputs: &Inputs,
        elastic_id: &str,
        elastic: &ElasticLaw,
    ) -> Result<DampingLaw, LawProblems> {
        let mut r = Reader::new(self.sheet(), inputs);
        let power = elastic.as_power();
        if self.needs_power_law() && power.is_none() {
            r.problems
                .push(LawProblem::NeedsPowerLaw { damping: self.id(), elastic: elastic_id.into() });
        }
        let power = power.unwrap_or(Power { stiffness: f64::NAN, exponent: f64::NAN });
        let law = match self {
            Self::NoDamping => DampingLaw::None,
            Self::Exact | Self::Gonthier => factor(&mut r, Factor::Exact),
            Self::HuntCrossley => factor(&mut r, Factor::HuntCrossley),
            Self::MarhefkaOrin => factor(&mut r, Factor::MarhefkaOrin),
            Self::MarhefkaOrinSimplified => factor(&mut r, Factor::MarhefkaOrinSimplified),
            Self::HerbertMcWhannell => factor(&mut r, Factor::HerbertMcWhannell),
            Self::LeeWang => factor(&mut r, Factor::LeeWang),
            Self::LankaraniNikravesh => factor(&mut r, Factor::LankaraniNikravesh),
            Self::KhuliefShabana => factor(&mut r, Factor::KhuliefShabana),
            Self::ZhiyingQishao => factor(&mut r, Factor::ZhiyingQishao),
            Self::GonthierApprox => factor(&mut r, Factor::GonthierApprox),
            Self::Flores => factor(&mut r, Factor::Flores),
            Self::GharibHurmuzlu => factor(&mut r, Factor::GharibHurmuzlu),
            Self::HuGuo => factor(&mut r, Factor::HuGuo),
            Self::HuntCrossleyAlpha => DampingLaw::HuntCrossleyAlpha {
                alpha: r.number("alpha"),
                rate_exponent: r.number("rate_exponent"),
            },
            Self::KelvinVoigt => DampingLaw::KelvinVoigt { damping: r.number("damping") },
            Self::KelvinVoigtRestitution => DampingLaw::TwoSlope {
                restitution: r.restitution(),
                smoothing_speed: r.number("smoothing_speed"),
            },
            Self::Anagnostopoulos | Self::Tsuji => {
                DampingLaw::FractionOfCritical { restitution: r.restitution(), power }
            }
            Self::Jankowski => DampingLaw::Jankowski { restitution: r.restitution(), power },
            Self::Ristow | Self::Schafer => dashpot(&mut r, 1.0, false),
            Self::LeeHerrmann => dashpot(&mut r, 1.0, true),
            Self::BordbarHyppanen => dashpot(&mut r, 0.65, false),
            Self::Brilliantov => brilliantov(&mut r, power),
            Self::LeeWangLinear => DampingLaw::LeeWangLinear { alpha_1: r.number("alpha1") },
            Self::LeeWangTransition => DampingLaw::LeeWangTransition {
                restitution: r.restitution(),
                power,
                q: r.number("q"),
                epsilon: r.number("epsilon"),
            },
            Self::LankaraniNikraveshPlastic | Self::GharibHurmuzluPlastic => DampingLaw::Plastic {
                restitution: r.restitution(),
                power,
                memory: r.flag("memory"),
            },
        };
        r.finish(law)
    }

    /// Whether the law takes K and n from the elastic law, which must be Kδⁿ.
    fn needs_power_law(self) -> bool {
        matches!(
            self,
            Self::Anagnostopoulos
                | Self::Tsuji
                | Self::Jankowski
                | Self::Brilliantov
                | Self::LeeWangTransition
                | Self::LankaraniNikraveshPlastic
                | Self::GharibHurmuzluPlastic
        )
    }

    /// Whether the law asks for a restitution.
    pub fn takes_restitution(self) -> bool {
        self.sheet().parameters.iter().any(|p| p.key == "restitution")
    }

    /// Parameters without a default, except those that have a field of their own in [`Inputs`].
    pub fn must_be_given(self) -> Vec<&'static str> {
        let needed = |p: &&Parameter| p.default.is_none() && !OWN_FIELDS.contains(&p.key);
        self.sheet().parameters.iter().filter(needed).map(|p| p.key).collect()
    }
}

fn factor(r: &mut Reader, factor: Factor) -> DampingLaw {
    DampingLaw::Factor { factor, restitution: r.restitution() }
}

fn dashpot(r: &mut Reader, exponent: f64, per_mass: bool) -> DampingLaw {
    DampingLaw::PowerDashpot { chi: r.number("chi"), exponent, per_mass }
}

/// A = (1/3)(3η₂−η₁)²/(3η₂+2η₁)·(1−ν²)(1−2ν)/(Eν²), with the mean of the two bodies' elastic term.
fn brilliantov(r: &mut Reader, power: Power) -> DampingLaw {
    let (eta1, eta2) = (r.number("eta1"), r.number("eta2"));
    let term = |m: &Material| {
        let nu = m.poisson;
        (1.0 - nu * nu) * (1.0 - 2.0 * nu) / (m.young * nu * nu)
    };
    let [i, j] = r.materials();
    let elastic = 0.5 * (term(&i) + term(&j));
    let viscous = (3.0 * eta2 - eta1).powi(2) / (3.0 * (3.0 * eta2 + 2.0 * eta1));
    DampingLaw::Brilliantov { relaxation: viscous * elastic, power }
}
