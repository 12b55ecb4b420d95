//! Sheets of the friction laws.
//!
//! The force acts on the sliding body, against its sliding velocity v; F_n is the normal force
//! with its dissipative part.

use super::cite;
use crate::catalog::bounds::Bounds;
use crate::catalog::sheet::{Family, Interval, Paper, Parameter, Sheet};

const MU: Parameter = Parameter {
    key: "mu",
    symbol: "μ",
    unit: "-",
    interval: Interval::NON_NEGATIVE,
    default: None,
    meaning: "coefficient of friction",
};

const MU_STATIC: Parameter = Parameter {
    key: "mu_static",
    symbol: "μ_s",
    interval: Interval::POSITIVE,
    meaning: "static coefficient of friction",
    ..MU
};

const MU_DYNAMIC: Parameter = Parameter {
    key: "mu_dynamic",
    symbol: "μ_d",
    interval: Interval::POSITIVE,
    meaning: "dynamic coefficient of friction",
    ..MU
};

const SLIP_SPEED: Parameter = Parameter {
    key: "slip_speed",
    symbol: "v_s",
    unit: "m/s",
    interval: Interval::POSITIVE,
    default: None,
    meaning: "sliding speed at which the full friction is reached",
};

const STRIBECK_SPEED: Parameter = Parameter {
    key: "stribeck_speed",
    meaning: "sliding speed over which friction falls from static to dynamic",
    ..SLIP_SPEED
};

/// The sheets of this file, in the order of the reference page.
pub(crate) const SHEETS: &[Sheet] = &[
    Sheet {
        id: "no-friction",
        aliases: &[],
        family: Family::Friction,
        name: "No friction",
        authors: "Hertz",
        year: 1881,
        source: "Hertz1881",
        equations: &[],
        summary: "Frictionless contact",
        formula: r"F_t = 0",
        parameters: &[],
        domain: "Every contact.",
        bounds: Bounds::NONE,
        notes: &[],
        errata: &[],
    },
    Sheet {
        id: "coulomb",
        aliases: &[],
        family: Family::Friction,
        name: "Coulomb",
        authors: "Coulomb",
        year: 1785,
        source: "Coulomb1785",
        equations: &[cite(Paper::P, "eq. (31)")],
        summary: "Dry friction with a jump at zero sliding speed",
        formula: r"F_t = -\mu F_n\,\mathrm{sign}(v)",
        parameters: &[MU],
        domain: "Sliding that seldom reverses; the sign changes at located events v = 0. Where \
                 the bodies come to rest against each other use a smooth law.",
        bounds: Bounds::NONE,
        notes: &[],
        errata: &[],
    },
    Sheet {
        id: "coulomb-tanh",
        aliases: &[],
        family: Family::Friction,
        name: "Coulomb smoothed by a hyperbolic tangent",
        authors: "Andersson, Söderberg, Björklund",
        year: 2007,
        source: "Andersson2007",
        equations: &[],
        summary: "Coulomb friction, smooth through zero speed",
        formula: r"F_t = -\mu F_n \tanh\left(\frac{v}{v_s}\right)",
        parameters: &[
            MU,
            Parameter {
                meaning: "sliding speed at which friction reaches 76 % of its full value",
                ..SLIP_SPEED
            },
        ],
        domain: "Sliding speeds well above the slip speed; below it the bodies creep instead of \
                 sticking.",
        bounds: Bounds::NONE,
        notes: &[],
        errata: &[],
    },
    Sheet {
        id: "coulomb-ramp",
        aliases: &[],
        family: Family::Friction,
        name: "Coulomb with a linear ramp",
        authors: "Marques, Flores, Pimenta Claro, Lankarani",
        year: 2016,
        source: "Marques2016",
        equations: &[],
        summary: "Coulomb friction, linear below the slip speed",
        formula: r"F_t = -\mu F_n \begin{cases} v/v_s & |v| < v_s \\ \mathrm{sign}(v) & |v| \ge v_s \end{cases}",
        parameters: &[MU, SLIP_SPEED],
        domain: "Sliding speeds well above the slip speed; the slope of the force jumps there.",
        bounds: Bounds::NONE,
        notes: &["A standard smoothing; the reference is a survey that compares such laws."],
        errata: &[],
    },
    Sheet {
        id: "coulomb-cubic",
        aliases: &[],
        family: Family::Friction,
        name: "Coulomb with a cubic step",
        authors: "Bai, Chen, Sun",
        year: 2014,
        source: "Bai2014",
        equations: &[cite(Paper::B, "eq. (15), branch of small speeds")],
        summary: "Coulomb friction, cubic below the slip speed",
        formula: r"F_t = -\mu F_n \begin{cases} \frac{3}{2}x - \frac{1}{2}x^3 & |x| < 1 \\ \mathrm{sign}(x) & |x| \ge 1 \end{cases},\quad x = \frac{v}{v_s}",
        parameters: &[MU, SLIP_SPEED],
        domain: "Sliding speeds well above the slip speed; force and slope are continuous.",
        bounds: Bounds::NONE,
        notes: &["The first branch of `bai-zhao-friction` with equal coefficients."],
        errata: &[],
    },
    Sheet {
        id: "ambrosio",
        aliases: &[],
        family: Family::Friction,
        name: "Ambrósio",
        authors: "Ambrósio",
        year: 2002,
        source: "Ambrosio2002",
        equations: &[],
        summary: "Coulomb friction with a dead band and a linear rise",
        formula: r"F_t = -c_d\,\mu F_n\,\mathrm{sign}(v),\quad c_d = \begin{cases} 0 & |v| < v_0 \\ \frac{|v|-v_0}{v_1-v_0} & v_0 \le |v| \le v_1 \\ 1 & |v| > v_1 \end{cases}",
        parameters: &[
            MU,
            Parameter {
                key: "speed_0",
                symbol: "v_0",
                unit: "m/s",
                interval: Interval::NON_NEGATIVE,
                default: None,
                meaning: "sliding speed below which there is no friction",
            },
            Parameter {
                key: "speed_1",
                symbol: "v_1",
                unit: "m/s",
                interval: Interval::POSITIVE,
                default: None,
                meaning: "sliding speed from which friction is full, above speed_0",
            },
        ],
        domain: "Fast reversals of the sliding direction; it cannot hold a body at rest.",
        bounds: Bounds::NONE,
        notes: &[],
        errata: &[],
    },
    Sheet {
        id: "bai-zhao-friction",
        aliases: &[],
        family: Family::Friction,
        name: "Modified Coulomb friction of Bai",
        authors: "Bai, Chen, Sun",
        year: 2014,
        source: "Bai2014",
        equations: &[cite(Paper::B, "eq. (14)-(15)")],
        summary: "Static peak and dynamic level joined by cubic steps",
        formula: r"F_t = -\mu(v)\,F_n\,\mathrm{sign}(v),\quad \mu(v) = \begin{cases} \mu_s\left(\frac{3}{2}x - \frac{1}{2}x^3\right) & |v| < v_s \\ \mu_s + \left(\mu_d - \mu_s\right)s^2\left(3-2s\right) & v_s \le |v| \le v_d \\ \mu_d & |v| > v_d \end{cases},\quad x = \frac{|v|}{v_s},\quad s = \frac{|v|-v_s}{v_d-v_s}",
        parameters: &[
            MU_STATIC,
            MU_DYNAMIC,
            Parameter { meaning: "sliding speed of the static peak", ..SLIP_SPEED },
            Parameter {
                key: "dynamic_speed",
                symbol: "v_d",
                meaning: "sliding speed from which friction is dynamic, above slip_speed",
                ..SLIP_SPEED
            },
        ],
        domain: "Dry journal bearings; force and slope are continuous at both speeds.",
        bounds: Bounds::NONE,
        notes: &[
            "The middle branch must run from μ_s at v_s to μ_d at v_d; with μ_d + (μ_s - μ_d) \
             multiplying the same step it runs the other way and jumps at both ends.",
        ],
        errata: &[25],
    },
    Sheet {
        id: "stribeck",
        aliases: &[],
        family: Family::Friction,
        name: "Stribeck curve",
        authors: "Andersson, Söderberg, Björklund",
        year: 2007,
        source: "Andersson2007",
        equations: &[],
        summary: "Friction that falls with speed, plus a viscous part",
        formula: r"F_t = -F_n\left(g(v)\tanh\left(\frac{v}{v_t}\right) + \sigma_2 v\right),\quad g(v) = \mu_d + \left(\mu_s-\mu_d\right)e^{-\left(v/v_s\right)^2}",
        parameters: &[
            MU_STATIC,
            MU_DYNAMIC,
            STRIBECK_SPEED,
            Parameter {
                key: "transition_speed",
                symbol: "v_t",
                meaning: "sliding speed that smooths the jump at zero, below stribeck_speed",
                ..SLIP_SPEED
            },
            Parameter {
                key: "viscous",
                symbol: "σ₂",
                unit: "s/m",
                interval: Interval::NON_NEGATIVE,
                default: Some(0.0),
                meaning: "viscous friction per normal force",
            },
        ],
        domain: "Dry, boundary and mixed lubrication; below the transition speed the bodies creep \
                 instead of sticking.",
        bounds: Bounds::NONE,
        notes: &["With equal coefficients and no viscous part it is `coulomb-tanh`."],
        errata: &[],
    },
    Sheet {
        id: "lugre",
        aliases: &[],
        family: Family::Friction,
        name: "LuGre",
        authors: "Canudas de Wit, Olsson, Åström, Lischinsky",
        year: 1995,
        source: "CanudasDeWit1995",
        equations: &[],
        summary: "Bristle model with a state: sticking, Stribeck, lag",
        formula: r"F_t = -F_n\left(\sigma_0 z + \sigma_1\dot{z} + \sigma_2 v\right),\quad \dot{z} = v - \frac{\sigma_0 |v|}{g(v)}\,z,\quad g(v) = \mu_d + \left(\mu_s-\mu_d\right)e^{-\left(v/v_s\right)^2}",
        parameters: &[
            Parameter {
                key: "sigma0",
                symbol: "σ₀",
                unit: "1/m",
                interval: Interval::POSITIVE,
                default: None,
                meaning: "bristle stiffness per normal force",
            },
            Parameter {
                key: "sigma1",
                symbol: "σ₁",
                unit: "s/m",
                interval: Interval::NON_NEGATIVE,
                default: None,
                meaning: "bristle damping per normal force",
            },
            Parameter {
                key: "sigma2",
                symbol: "σ₂",
                unit: "s/m",
                interval: Interval::NON_NEGATIVE,
                default: Some(0.0),
                meaning: "viscous friction per normal force",
            },
            MU_STATIC,
            MU_DYNAMIC,
            STRIBECK_SPEED,
        ],
        domain: "Contacts that stick and slip; one bristle state per contact, zero when contact \
                 starts.",
        bounds: Bounds::NONE,
        notes: &[
            "Bristle stiffness sets a fast time scale: expect smaller steps while the contact sticks.",
        ],
        errata: &[],
    },
];
