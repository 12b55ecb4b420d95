//! Hysteresis factors: F = F_el(δ)(1 + a δ̇/δ̇₀), a a function of the input restitution c_r.
//!
//! The output restitution of such a law depends on a alone ([`crate::restitution_of_factor`]),
//! so one curve e_N(c_r) characterises a factor; [`Factor::Exact`] is the one with e_N = c_r.

use crate::restitution::factor_of_restitution;

/// The published factors a(c_r), by author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// 3(1−c)/2, Hunt and Crossley 1975.
    HuntCrossley,
    /// (3/2)α(2−α)/(2−3α+3α²−α³) with α = 1−c, Marhefka and Orin 1999.
    MarhefkaOrin,
    /// 3(1−c²)/(2(3c−1)), c > 1/3, Marhefka and Orin 1999.
    MarhefkaOrinSimplified,
    /// 6(1−c)/((2c−1)²+3), Herbert and McWhannell 1977.
    HerbertMcWhannell,
    /// 3(1−c)/4, Lee and Wang 1983.
    LeeWang,
    /// 3(1−c²)/4, Lankarani and Nikravesh 1990.
    LankaraniNikravesh,
    /// 3(1−c²)/4 on a linear spring, Khulief and Shabana 1987.
    KhuliefShabana,
    /// 3(1−c²)e^{2(1−c)}/4, Zhiying and Qishao 2006.
    ZhiyingQishao,
    /// The equation of Gonthier 2004, solved to round-off: e_N = c_r.
    Exact,
    /// (1−c²)/c, Gonthier 2004, Zhang and Sharf 2004.
    GonthierApprox,
    /// 8(1−c)/(5c), Flores 2011.
    Flores,
    /// 1/c, Gharib and Hurmuzlu 2012.
    GharibHurmuzlu,
    /// 3(1−c)/(2c), Hu and Guo 2015.
    HuGuo,
}

jointplay_fingerprint::fingerprint!(
    enum Factor {
        HuntCrossley,
        MarhefkaOrin,
        MarhefkaOrinSimplified,
        HerbertMcWhannell,
        LeeWang,
        LankaraniNikravesh,
        KhuliefShabana,
        ZhiyingQishao,
        Exact,
        GonthierApprox,
        Flores,
        GharibHurmuzlu,
        HuGuo,
    }
);

impl Factor {
    /// a at an input restitution c ∈ [0, 1]; infinite or `None` if the law has no value there.
    ///
    /// `None`: c lies outside the law's domain (only the simplified Marhefka–Orin factor, whose
    /// denominator vanishes at c = 1/3).
    pub fn at(self, c: f64) -> Option<f64> {
        let a = match self {
            Self::HuntCrossley => 1.5 * (1.0 - c), // Skrinjar2018 eq. (9)
            Self::MarhefkaOrin => {
                let alpha = 1.0 - c;
                1.5 * alpha * (2.0 - alpha) / (2.0 + alpha * (-3.0 + alpha * (3.0 - alpha)))
            }
            Self::MarhefkaOrinSimplified if c <= 1.0 / 3.0 => return None,
            Self::MarhefkaOrinSimplified => 1.5 * (1.0 - c * c) / (3.0 * c - 1.0),
            Self::HerbertMcWhannell => 6.0 * (1.0 - c) / ((2.0 * c - 1.0).powi(2) + 3.0), // Skrinjar2018 eq. (11)
            Self::LeeWang => 0.75 * (1.0 - c), // Skrinjar2018 eq. (13)
            Self::LankaraniNikravesh | Self::KhuliefShabana => 0.75 * (1.0 - c * c), // Skrinjar2018 eq. (18)
            Self::ZhiyingQishao => 0.75 * (1.0 - c * c) * libm::exp(2.0 * (1.0 - c)), // Skrinjar2018 eq. (25)
            Self::Exact => factor_of_restitution(c),
            Self::GonthierApprox => (1.0 - c * c) / c, // Skrinjar2018 eq. (23)
            Self::Flores => 1.6 * (1.0 - c) / c,       // Skrinjar2018 eq. (28)
            Self::GharibHurmuzlu => 1.0 / c,           // Skrinjar2018 table 1
            Self::HuGuo => 1.5 * (1.0 - c) / c,        // Skrinjar2018 eq. (30)
        };
        Some(a)
    }
}
