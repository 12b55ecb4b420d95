//! Sheets of the other dissipation laws: dashpots F = F_el + D(δ)δ̇, of which those that contain
//! K need a power-type elastic law, and laws that unload along another curve.

use super::{POISSON, RESTITUTION, RESTITUTION_ABOVE_0, YOUNG, cite};
use crate::catalog::sheet::{Family, Interval, Paper, Parameter, Sheet};

const CHI: Parameter = Parameter {
    key: "chi",
    symbol: "χ",
    unit: "N s/m^2",
    interval: Interval::NON_NEGATIVE,
    default: None,
    meaning: "damping per penetration, an empirical value",
};

const MEMORY: Parameter = Parameter {
    key: "memory",
    symbol: "-",
    unit: "-",
    interval: Interval::closed(0.0, 1.0),
    default: Some(0.0),
    meaning: "1 keeps the permanent indentation after separation, 0 forgets it",
};

/// The sheets of this file, in the order of the reference page.
pub(crate) const SHEETS: &[Sheet] = &[
    Sheet {
        id: "kelvin-voigt",
        aliases: &[],
        family: Family::Damping,
        name: "Kelvin-Voigt",
        authors: "Goldsmith",
        year: 1960,
        source: "Goldsmith1960",
        equations: &[
            cite(Paper::A, "eq. (12), (46)"),
            cite(Paper::S, "eq. (6); table 1 prints another law"),
            cite(Paper::B, "eq. (2)"),
        ],
        summary: "Constant dashpot beside the spring; force jumps at contact",
        formula: r"F = F_{el}(\delta) + D\,\dot{\delta}",
        parameters: &[Parameter {
            key: "damping",
            symbol: "D",
            unit: "N s/m",
            interval: Interval::NON_NEGATIVE,
            default: None,
            meaning: "damping coefficient",
        }],
        domain: "A rough model: the force starts with a jump and would pull before separation. \
                 Pulling is cut off unless `adhesive` is set.",
        notes: &[
            "Table 1 of Skrinjar2018 writes the damping with a factor δ that eq. (6) has not.",
            "Figure 2a of Bai2014 cannot have the K and D printed for its mechanism, which give a \
             peak of 3.2e5 N.",
        ],
        errata: &[5, 24],
    },
    Sheet {
        id: "kelvin-voigt-restitution",
        aliases: &[],
        family: Family::Damping,
        name: "Two-slope spring",
        authors: "Skrinjar, Slavič, Boltežar",
        year: 2017,
        source: "Skrinjar2017",
        equations: &[cite(Paper::P, "eq. (24)")],
        summary: "Unloads along the elastic force times the restitution",
        formula: r"F = \begin{cases} F_{el}(\delta) & \dot{\delta} \ge 0 \\ c_r\,F_{el}(\delta) & \dot{\delta} < 0 \end{cases}",
        parameters: &[
            RESTITUTION_ABOVE_0,
            Parameter {
                key: "smoothing_speed",
                symbol: "v_ε",
                unit: "m/s",
                interval: Interval::NON_NEGATIVE,
                default: Some(0.0),
                meaning: "speed that blends the slopes; 0 switches at the located maximum",
            },
        ],
        domain: "Any elastic law; the output restitution is √c_r. The force drops at maximum \
                 compression. At c_r = 0 nothing pushes the bodies apart again.",
        notes: &[
            "Generalised here: the paper has a linear spring, any elastic law unloads along \
             c_r·F_el.",
            "The paper calls it Kelvin-Voigt, but it has no dashpot.",
        ],
        errata: &[5, 26],
    },
    Sheet {
        id: "anagnostopoulos",
        aliases: &[],
        family: Family::Damping,
        name: "Anagnostopoulos",
        authors: "Anagnostopoulos",
        year: 1988,
        source: "Anagnostopoulos1988",
        equations: &[cite(Paper::S, "table 1, other dashpot")],
        summary: "Dashpot from the restitution of a linear oscillator",
        formula: r"F = F_{el}(\delta) + 2\zeta\sqrt{\frac{n+1}{2}}\sqrt{m_{eff} K}\,\delta^{(n-1)/2}\,\dot{\delta},\quad \zeta = \frac{-\ln c_r}{\sqrt{\pi^2 + \ln^2 c_r}}",
        parameters: &[RESTITUTION],
        domain: "A power-type elastic law. Output restitution c_r with `adhesive`; where pulling \
                 is cut off it is larger, 0.39714 for 0.3 and 0.71820 for 0.7. ζ = 1 at c_r = 0.",
        notes: &[
            "Generalised here: for n = 1 it is the published constant dashpot 2ζ√(m_eff K); for \
             every other exponent the dashpot above keeps the dimension and the restitution.",
            "On the same elastic law it equals `tsuji`, and `lee-wang-transition` with ε = 0.",
            "Table 1 of Skrinjar2018 prints the damping with a factor δ and without the root in \
             ζ, which returns 1.00 for every c_r, as its table 2 shows.",
        ],
        errata: &[3],
    },
    Sheet {
        id: "tsuji",
        aliases: &[],
        family: Family::Damping,
        name: "Tsuji et al.",
        authors: "Tsuji, Tanaka, Ishida",
        year: 1992,
        source: "Tsuji1992",
        equations: &[
            cite(Paper::A, "eq. (89)-(90), figure 6"),
            cite(Paper::S, "table 1"),
        ],
        summary: "Dashpot for spheres in granular flow, exact restitution",
        formula: r"F = F_{el}(\delta) + 2\zeta\sqrt{\frac{n+1}{2}}\sqrt{m_{eff} K}\,\delta^{(n-1)/2}\,\dot{\delta},\quad \zeta = \frac{-\ln c_r}{\sqrt{\pi^2 + \ln^2 c_r}}",
        parameters: &[RESTITUTION],
        domain: "A power-type elastic law. Output restitution c_r with `adhesive`; where pulling \
                 is cut off it is larger, 0.39714 for 0.3 and 0.71820 for 0.7. ζ = 1 at c_r = 0.",
        notes: &[
            "Generalised here: for n = 3/2 it is the published α√(m_eff K) δ^(1/4) with α = √5 ζ; \
             for every other exponent the dashpot above keeps the dimension and the restitution.",
            "The papers leave α as a curve over the restitution; the closed form is exact.",
            "On the same elastic law it equals `anagnostopoulos`.",
        ],
        errata: &[],
    },
    Sheet {
        id: "jankowski",
        aliases: &[],
        family: Family::Damping,
        name: "Jankowski",
        authors: "Jankowski",
        year: 2005,
        source: "Jankowski2005",
        equations: &[cite(Paper::S, "table 1, other dashpot")],
        summary: "Dashpot during approach only, for pounding of buildings",
        formula: r"F = F_{el}(\delta) + \begin{cases} 2\xi\sqrt{m_{eff} K\,\delta^{n-1}}\,\dot{\delta} & \dot{\delta} > 0 \\ 0 & \dot{\delta} \le 0 \end{cases},\quad \xi = \frac{9\sqrt{5}}{2}\,\frac{1-c_r^2}{c_r\left(c_r\left(9\pi-16\right)+16\right)}",
        parameters: &[RESTITUTION_ABOVE_0],
        domain: "A power-type elastic law, ξ derived for n = 3/2. The output is below c_r by 6.7 % \
                 at 0.1, 2.8 % at 0.3, 1.1 % at 0.5 and 0.3 % at 0.7.",
        notes: &[
            "Generalised here: for n = 3/2 the dashpot is the published 2ξ√(m_eff K √δ).",
            "Table 1 of Skrinjar2018 prints 2ζK/δ̇₀ with √δ and the ζ of a linear oscillator, \
             which has no consistent dimension; the row of its table 2 follows from neither.",
        ],
        errata: &[4],
    },
    Sheet {
        id: "ristow",
        aliases: &[],
        family: Family::Damping,
        name: "Ristow",
        authors: "Ristow",
        year: 1992,
        source: "Ristow1992",
        equations: &[cite(Paper::S, "table 1")],
        summary: "Dashpot proportional to penetration, constant given",
        formula: r"F = F_{el}(\delta) + \chi\,\delta\,\dot{\delta}",
        parameters: &[CHI],
        domain: "Granular flow; the constant is empirical.",
        notes: &["The same law as `schafer`."],
        errata: &[],
    },
    Sheet {
        id: "schafer",
        aliases: &[],
        family: Family::Damping,
        name: "Schäfer et al.",
        authors: "Schäfer, Dippel, Wolf",
        year: 1996,
        source: "Schafer1996",
        equations: &[cite(Paper::S, "table 1")],
        summary: "Dashpot proportional to penetration, constant given",
        formula: r"F = F_{el}(\delta) + \chi\,\delta\,\dot{\delta}",
        parameters: &[CHI],
        domain: "Granular flow; the constant is empirical.",
        notes: &["The same law as `ristow`."],
        errata: &[],
    },
    Sheet {
        id: "lee-herrmann",
        aliases: &[],
        family: Family::Damping,
        name: "Lee-Herrmann",
        authors: "Lee, Herrmann",
        year: 1992,
        source: "LeeHerrmann1992",
        equations: &[cite(Paper::S, "table 1")],
        summary: "Dashpot proportional to penetration and effective mass",
        formula: r"F = F_{el}(\delta) + m_{eff}\,\chi\,\delta\,\dot{\delta}",
        parameters: &[Parameter {
            unit: "1/(m s)",
            meaning: "damping per penetration and mass, an empirical value",
            ..CHI
        }],
        domain: "Granular flow; the constant is empirical.",
        notes: &[],
        errata: &[],
    },
    Sheet {
        id: "bordbar-hyppanen",
        aliases: &["schwager-poschel"],
        family: Family::Damping,
        name: "Bordbar-Hyppänen",
        authors: "Bordbar, Hyppänen",
        year: 2007,
        source: "BordbarHyppanen2007",
        equations: &[cite(Paper::S, "table 1")],
        summary: "Dashpot with penetration to the power 0.65, constant given",
        formula: r"F = F_{el}(\delta) + \chi\,\delta^{0.65}\,\dot{\delta}",
        parameters: &[Parameter {
            unit: "N s/m^1.65",
            meaning: "damping coefficient, an empirical value",
            ..CHI
        }],
        domain: "Viscoelastic spheres of granular matter; the constant is empirical.",
        notes: &["Skrinjar2018 lists Schwager and Pöschel (SchwagerPoschel1998) in the same row."],
        errata: &[],
    },
    Sheet {
        id: "brilliantov",
        aliases: &[],
        family: Family::Damping,
        name: "Brilliantov et al.",
        authors: "Brilliantov, Spahn, Hertzsch, Pöschel",
        year: 1996,
        source: "Brilliantov1996",
        equations: &[cite(Paper::S, "table 1, garbled")],
        summary: "Viscoelastic spheres, damping from two viscosities",
        formula: r"F = F_{el}(\delta) + A\,\frac{dF_{el}}{d\delta}\,\dot{\delta},\quad A = \frac{1}{3}\,\frac{\left(3\eta_2-\eta_1\right)^2}{3\eta_2+2\eta_1}\,\frac{\left(1-\nu^2\right)\left(1-2\nu\right)}{E\,\nu^2}",
        parameters: &[
            Parameter {
                key: "eta1",
                symbol: "η₁",
                unit: "Pa s",
                interval: Interval::POSITIVE,
                default: None,
                meaning: "first viscosity of the material",
            },
            Parameter {
                key: "eta2",
                symbol: "η₂",
                unit: "Pa s",
                interval: Interval::NON_NEGATIVE,
                default: None,
                meaning: "second viscosity of the material",
            },
            YOUNG,
            Parameter {
                interval: Interval::above(0.0, 0.5),
                meaning: "Poisson's ratio of the bodies, above 0",
                ..POISSON
            },
        ],
        domain: "Slow collisions of viscoelastic bodies, on a power-type elastic law.",
        notes: &[
            "Generalised here: on Hertz's law the dashpot is the published (3/2)AK√δ; other power \
             laws take their own slope.",
            "Table 1 of Skrinjar2018 prints the constant garbled: 1/K for 1/3, η₁ for 2η₁ and \
             1-ν for 1-ν².",
        ],
        errata: &[8],
    },
    Sheet {
        id: "lee-wang-linear",
        aliases: &[],
        family: Family::Damping,
        name: "Lee-Wang, first damping function",
        authors: "Lee, Wang",
        year: 1983,
        source: "LeeWang1983",
        equations: &[cite(Paper::A, "eq. (27)-(39)")],
        summary: "Lee-Wang with the slope of the restitution given",
        formula: r"F = F_{el}(\delta)\left(1 + \frac{3}{4}\,\alpha_1\,\dot{\delta}\right)",
        parameters: &[Parameter {
            key: "alpha1",
            symbol: "α₁",
            unit: "s/m",
            interval: Interval::NON_NEGATIVE,
            default: None,
            meaning: "slope of the restitution over the impact speed, e = 1 - α₁v",
        }],
        domain: "Low impact speed, α₁δ̇₀ well below 1.",
        notes: &[
            "Generalised here: the paper has a linear spring, any elastic law takes \
             (3/4)α₁F_el δ̇.",
        ],
        errata: &[],
    },
    Sheet {
        id: "lee-wang-transition",
        aliases: &[],
        family: Family::Damping,
        name: "Lee-Wang, second damping function",
        authors: "Lee, Wang",
        year: 1983,
        source: "LeeWang1983",
        equations: &[cite(Paper::A, "eq. (40)-(45)")],
        summary: "Dashpot switched on over a transition depth",
        formula: r"F = F_{el}(\delta) + 2\zeta\sqrt{\frac{n+1}{2}}\sqrt{m_{eff} K}\,\delta^{(n-1)/2}\,T_2\,\dot{\delta},\quad T_2 = \begin{cases} e^{-2q\left(\varepsilon-\delta\right)/\varepsilon} & \delta < \varepsilon \\ 1 & \delta \ge \varepsilon \end{cases},\quad \zeta = \frac{-\ln c_r}{\sqrt{\pi^2 + \ln^2 c_r}}",
        parameters: &[
            RESTITUTION,
            Parameter {
                key: "q",
                symbol: "q",
                unit: "-",
                interval: Interval::closed(2.0, 4.0),
                default: Some(3.0),
                meaning: "steepness of the transition",
            },
            Parameter {
                key: "epsilon",
                symbol: "ε",
                unit: "m",
                interval: Interval::NON_NEGATIVE,
                default: Some(0.0),
                meaning: "depth of the transition zone; 0 means none",
            },
        ],
        domain: "A power-type elastic law, ε not above the largest penetration. With ε = 0 it is \
                 `anagnostopoulos`; ζ = 1 at c_r = 0.",
        notes: &[
            "Generalised here: for n = 1 it is the published 2 m_eff ω ζ T₂ with ω = √(K/m_eff).",
            "A transition zone takes damping away, so the output restitution is above c_r.",
        ],
        errata: &[],
    },
    Sheet {
        id: "lankarani-nikravesh-plastic",
        aliases: &[],
        family: Family::Plastic,
        name: "Lankarani-Nikravesh with permanent indentation",
        authors: "Lankarani, Nikravesh",
        year: 1994,
        source: "LankaraniNikravesh1994",
        equations: &[cite(Paper::A, "eq. (91)-(97)")],
        summary: "Unloads to a permanent indentation set by the restitution",
        formula: r"F = \begin{cases} K\,\delta^n & \text{loading} \\ F_m\left(\frac{\delta-\delta_p}{\delta_m-\delta_p}\right)^n & \text{unloading} \end{cases},\quad F_m = K\,\delta_m^n,\quad \delta_p = \delta_m\left(1-c_r^2\right)",
        parameters: &[RESTITUTION_ABOVE_0, MEMORY],
        domain: "Metals above an impact speed of 1e-5 times the wave speed, on a power-type \
                 elastic law. Contact ends at δ = δ_p, where the output restitution is c_r.",
        notes: &[
            "δ_m is the depth reached; the formula of the paper from the impact speed only \
             predicts it and would make the force jump in a mechanism.",
            "The published δ_p = (n+1) m_eff δ̇₀²(1-e²)/(2F_m) equals δ_m(1-e²) in a free impact.",
            "Reloading follows the unloading curve up to δ_m, then the loading curve again.",
            "Autiero2022 eq. (93) lacks a minus sign.",
        ],
        errata: &[15],
    },
    Sheet {
        id: "gharib-hurmuzlu-plastic",
        aliases: &[],
        family: Family::Plastic,
        name: "Gharib-Hurmuzlu with permanent indentation",
        authors: "Gharib, Hurmuzlu",
        year: 2012,
        source: "GharibHurmuzlu2012",
        equations: &[cite(Paper::A, "eq. (135)-(145)")],
        summary: "Stiffer unloading to a permanent indentation",
        formula: r"F = \begin{cases} K\,\delta^n & \text{loading} \\ K_r\left(\delta-\delta_p\right)^n & \text{unloading} \end{cases},\quad K_r = \frac{K}{c_r^{2n}},\quad \delta_p = \delta_m\left(1-c_r^2\right)",
        parameters: &[RESTITUTION_ABOVE_0, MEMORY],
        domain: "Impacts of low restitution, on a power-type elastic law. Contact ends at δ = δ_p, \
                 where the output restitution is c_r.",
        notes: &[
            "The same curves as `lankarani-nikravesh-plastic`, written with an unloading \
             stiffness and the energetic restitution.",
            "Reloading follows the unloading curve up to δ_m, then the loading curve again.",
            "Autiero2022 eq. (142) has the fraction upside down.",
        ],
        errata: &[15],
    },
];
