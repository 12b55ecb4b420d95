//! Sheets of the elastic laws of cylinders in line contact.
//!
//! The logarithmic laws share the shape δ = (f/A)(ln(B/f) + C), f = F/L, and are inverted
//! exactly with the lower branch of the Lambert function. The plain ids are the consistent
//! forms; an id that ends in `-printed` follows the literal text of a paper, kept only because the
//! paper's tables cannot be reproduced otherwise.

use super::{CLEARANCE, LENGTH, POISSON, RADIUS_I, RADIUS_J, YOUNG, cite};
use crate::catalog::bounds::Bounds;
use crate::catalog::sheet::{Family, Interval, Paper, Parameter, Sheet};

/// The parameters of a law in terms of ΔR.
const LINE: &[Parameter] = &[RADIUS_I, RADIUS_J, CLEARANCE, LENGTH, YOUNG, POISSON];

/// The parameters of a law in terms of R = R_iR_j/ΔR.
const LINE_OF_R: &[Parameter] = &[RADIUS_I, RADIUS_J, LENGTH, YOUNG, POISSON];

/// The sheets of this file, in the order of the reference page.
pub(crate) const SHEETS: &[Sheet] = &[
    Sheet {
        id: "hertz-cylinder",
        aliases: &[],
        family: Family::Cylinder,
        name: "Hertz, cylinders",
        authors: "Hertz",
        year: 1881,
        source: "Hertz1881",
        equations: &[cite(Paper::S, "eq. (33), table 4")],
        summary: "Logarithmic law of a cylinder in a bore after Hertz",
        formula: r"\delta = \frac{2 f}{\pi E^*}\left(\ln\left(\frac{\pi E^* \Delta R}{f}\right) - 1\right),\quad F = f L",
        parameters: LINE,
        domain: "The indentation increases with the load up to f = πE*ΔR/e²; above 0.99 of that load \
                 the force is continued along its tangent and the contact is flagged.",
        bounds: Bounds::up_to_load("πE*ΔR/e²"),
        notes: &["A = πE*/2, B = πE*ΔR, C = -1 in δ = (f/A)(ln(B/f) + C)."],
        errata: &[],
    },
    Sheet {
        id: "johnson",
        aliases: &[],
        family: Family::Cylinder,
        name: "Johnson",
        authors: "Johnson",
        year: 1985,
        source: "Johnson1985",
        equations: &[
            cite(Paper::A, "table 1, section 4 (fits: tables 4, 5, 11)"),
            cite(Paper::S, "eq. (36), table 4"),
            cite(Paper::P, "eq. (28)"),
            cite(Paper::C, "eq. (1), limit eq. (10)"),
        ],
        summary: "Logarithmic law of two cylinders, the usual reference",
        formula: r"\delta = \frac{f}{\pi E^*}\left(\ln\left(\frac{4\pi E^* \Delta R}{f}\right) - 1\right),\quad F = f L",
        parameters: LINE,
        domain: "Internal and external contact whose width is small compared with the radii. The \
                 indentation increases with the load up to f = 4πE*ΔR/e², which is 967 N/mm for \
                 steel at 5 µm clearance; above 0.99 of that load the force is continued along \
                 its tangent and the contact is flagged.",
        bounds: Bounds::up_to_load("4πE*ΔR/e²"),
        notes: &[
            "A = πE*, B = 4πE*ΔR, C = -1 in δ = (f/A)(ln(B/f) + C).",
            "Pereira2011 calls 1000 N/mm safe for clearances of 5 µm and more; at 5 µm this law ends \
             at 967 N/mm. Its table 1 is computed with E* rounded to 114 GPa.",
            "On a flat surface ΔR is infinite and the law is meaningless, although Skrinjar2017 \
             names it for a slot.",
        ],
        errata: &[13, 14, 16, 23, 26, 27, 29],
    },
    Sheet {
        id: "radzimovsky",
        aliases: &[],
        family: Family::Cylinder,
        name: "Radzimovsky",
        authors: "Radzimovsky",
        year: 1953,
        source: "Radzimovsky1953",
        equations: &[
            cite(Paper::A, "table 1, section 4 (fits: tables 2, 3, 11)"),
            cite(Paper::S, "eq. (37)-(41), table 4"),
            cite(Paper::C, "eq. (3)-(6), limit eq. (11)"),
        ],
        summary: "Logarithmic law of two cylinders pressed between centres",
        formula: r"\delta = \frac{f}{\pi E^*}\left(\frac{2}{3} + \ln\left(\frac{8\,\Delta R\,E''}{b_0^2 f}\right)\right),\quad \begin{cases} E'' = E,\; b_0 = 2.15 & \text{equal materials} \\ E'' = E^*,\; b_0 = 1.60 & \text{otherwise} \end{cases}",
        parameters: LINE,
        domain: "The indentation increases with the load up to f = B/e^(1/3), B = 8ΔR E''/b0² \
                 (1283 N/mm for steel at 5 µm clearance); Pereira2011 publishes the weaker limit \
                 f = B. Above 0.99 of the former the force is continued along its tangent and the \
                 contact is flagged.",
        bounds: Bounds::up_to_load("B/e^(1/3), B = 8ΔR E''/b0²"),
        notes: &[
            "The papers' formulas for the contact width, taken literally, give 16 in place of 8: \
             they need diameters where they say radii.",
            "For equal materials b0 = 2.15 goes with E, as in Pereira2011; Skrinjar2018 \
             prints E*, which is 1.82 times smaller for ν = 0.3.",
            "Tables 2, 3 and 11 of Autiero2022 were fitted to 16ΔR E*/1.60².",
        ],
        errata: &[10, 16, 17, 27],
    },
    Sheet {
        id: "goldsmith",
        aliases: &[],
        family: Family::Cylinder,
        name: "Goldsmith",
        authors: "Goldsmith",
        year: 1960,
        source: "Goldsmith1960",
        equations: &[
            cite(Paper::A, "tables 6, 7 (fits, other argument)"),
            cite(Paper::C, "eq. (8), limit eq. (12)"),
        ],
        summary: "Logarithmic law with a dimensional argument, narrow domain",
        formula: r"\delta = \frac{f}{\pi E^*}\left(\ln\left(\frac{\pi E^* \ell^2}{f R}\right) + 1\right),\quad \ell = 1\,\text{mm},\quad R = \frac{R_i R_j}{\Delta R},\quad F = f L",
        parameters: LINE_OF_R,
        domain: "The indentation increases with the load only up to f = πE*ℓ²/R, a few N/mm in a \
                 close bearing. Pereira2011 advises against it for bearings and chains; above \
                 0.99 of the limit the force is continued along its tangent and the contact is \
                 flagged.",
        bounds: Bounds::up_to_load("πE*ℓ²/R"),
        notes: &[
            "The exponent m = 1 leaves a length squared in the argument of the logarithm; the \
             published numbers are those in millimetres, so the 1 mm is part of the law.",
            "Skrinjar2018 says that m = 1 makes the units consistent; the opposite is true.",
            "Tables 6 and 7 of Autiero2022 are reproduced with a further factor 1e8 in the logarithm \
             and R = 100(100 - ΔR)/ΔR mm.",
        ],
        errata: &[11, 12, 16, 17, 28],
    },
    Sheet {
        id: "goldsmith-printed",
        aliases: &[],
        family: Family::Cylinder,
        name: "Goldsmith, as printed in the reviews",
        authors: "Goldsmith",
        year: 1960,
        source: "Goldsmith1960",
        equations: &[
            cite(Paper::A, "table 1"),
            cite(Paper::S, "eq. (42), table 4"),
            cite(Paper::C, "eq. (7)"),
        ],
        summary: "Goldsmith with h = (1-ν²)/E as printed, about π times softer",
        formula: r"\delta = \frac{f}{E^*}\left(\ln\left(\frac{E^* \ell^2}{f R}\right) + 1\right),\quad \ell = 1\,\text{mm},\quad R = \frac{R_i R_j}{\Delta R},\quad F = f L",
        parameters: LINE_OF_R,
        domain: "For comparison with published curves only. The indentation increases with the load \
                 up to f = E*ℓ²/R.",
        bounds: Bounds::up_to_load("E*ℓ²/R"),
        notes: &["The material constant needs a π that the reviews leave out; use `goldsmith`."],
        errata: &[11, 12, 28],
    },
    Sheet {
        id: "dubowsky-freudenstein",
        aliases: &[],
        family: Family::Cylinder,
        name: "Dubowsky-Freudenstein",
        authors: "Dubowsky, Freudenstein",
        year: 1971,
        source: "DubowskyFreudenstein1971",
        equations: &[cite(Paper::C, "section 2.3, eq. (7) with m = 3 and the π of eq. (8)")],
        summary: "Goldsmith's law with the length cubed, units consistent",
        formula: r"\delta = \frac{f}{\pi E^*}\left(\ln\left(\frac{\pi E^* L^2}{f R}\right) + 1\right),\quad R = \frac{R_i R_j}{\Delta R},\quad F = f L",
        parameters: LINE_OF_R,
        domain: "Pin in a bore. The indentation increases with the load up to f = πE*L²/R; above 0.99 \
                 of that load the force is continued along its tangent and the contact is \
                 flagged.",
        bounds: Bounds::up_to_load("πE*L²/R"),
        notes: &["Consistent form, with h = (1-ν²)/(πE) and m = 3."],
        errata: &[11],
    },
    Sheet {
        id: "dubowsky-freudenstein-printed",
        aliases: &[],
        family: Family::Cylinder,
        name: "Dubowsky-Freudenstein, as printed in the reviews",
        authors: "Dubowsky, Freudenstein",
        year: 1971,
        source: "DubowskyFreudenstein1971",
        equations: &[
            cite(Paper::A, "eq. (8), table 1, if h contains 1/π"),
            cite(Paper::S, "eq. (43), table 4"),
        ],
        summary: "Dubowsky-Freudenstein with h = (1-ν²)/E, about π times softer",
        formula: r"\delta = \frac{f}{E^*}\left(\ln\left(\frac{E^* L^2}{f R}\right) + 1\right),\quad R = \frac{R_i R_j}{\Delta R},\quad F = f L",
        parameters: LINE_OF_R,
        domain: "For comparison with published curves only. The indentation increases with the load \
                 up to f = E*L²/R.",
        bounds: Bounds::up_to_load("E*L²/R"),
        notes: &[
            "Autiero2022 writes the same law with an explicit π, which agrees with Skrinjar2018 \
             only if its h already contains 1/π; its own definition of h does not.",
        ],
        errata: &[11],
    },
    Sheet {
        id: "esdu-78035",
        aliases: &[],
        family: Family::Cylinder,
        name: "ESDU 78035",
        authors: "Engineering Sciences Data Unit",
        year: 1978,
        source: "ESDU1978",
        equations: &[cite(Paper::C, "section 2.1, in words")],
        summary: "Data-sheet law for journal bearings, logarithmic",
        formula: r"\delta = \frac{f}{\pi E^*}\left(\ln\left(\frac{4\pi E^* \Delta R}{f}\right) + 1\right),\quad F = f L",
        parameters: LINE,
        domain: "Journal bearings. The indentation increases with the load up to f = 4πE*ΔR; above \
                 0.99 of that load the force is continued along its tangent and the contact is \
                 flagged.",
        bounds: Bounds::up_to_load("4πE*ΔR"),
        notes: &[
            "Consistent form, with h = (1-ν²)/(πE).",
            "Pereira2011 calls it equal to Johnson's law for equal materials; the constants are \
             +1 and -1, so it is softer.",
        ],
        errata: &[11, 12],
    },
    Sheet {
        id: "esdu-78035-printed",
        aliases: &[],
        family: Family::Cylinder,
        name: "ESDU 78035, as printed in the reviews",
        authors: "Engineering Sciences Data Unit",
        year: 1978,
        source: "ESDU1978",
        equations: &[
            cite(Paper::A, "table 1 (fits: tables 8, 9, 11)"),
            cite(Paper::S, "eq. (44), table 4"),
        ],
        summary: "ESDU 78035 with h = (1-ν²)/E as printed, about π times softer",
        formula: r"\delta = \frac{f}{E^*}\left(\ln\left(\frac{4 E^* \Delta R}{f}\right) + 1\right),\quad F = f L",
        parameters: LINE,
        domain: "For comparison with published curves and fits only. The indentation increases with \
                 the load up to f = 4E*ΔR.",
        bounds: Bounds::up_to_load("4E*ΔR"),
        notes: &["The fits of Autiero2022 tables 8 and 9 belong to this form. Table 8 lacks a \
             factor of ten in K, and table 9 repeats the exponents of steel."],
        errata: &[11, 12, 27],
    },
    Sheet {
        id: "lankarani-nikravesh-cylinder",
        aliases: &[],
        family: Family::Cylinder,
        name: "Lankarani-Nikravesh, cylinders",
        authors: "Lankarani, Nikravesh",
        year: 1990,
        source: "LankaraniNikravesh1990",
        equations: &[
            cite(Paper::A, "table 1 (values: table 11)"),
            cite(Paper::S, "eq. (46), table 4"),
            cite(Paper::C, "eq. (9), with an extra π"),
        ],
        summary: "Sphere law used for cylinders, explicit, exponent 1 to 1.5",
        formula: r"F = \frac{4}{3} E^* \sqrt{R}\,\delta^{n},\quad R = \frac{R_i R_j}{\Delta R}",
        parameters: &[
            RADIUS_I,
            RADIUS_J,
            YOUNG,
            POISSON,
            Parameter {
                key: "exponent",
                symbol: "n",
                unit: "-",
                interval: Interval::closed(1.0, 1.5),
                default: Some(1.5),
                meaning: "exponent of the indentation",
            },
            Parameter {
                key: "pi",
                symbol: "π?",
                unit: "-",
                interval: Interval::closed(0.0, 1.0),
                default: Some(0.0),
                meaning: "1 multiplies the stiffness by π as Pereira2011 prints, 0 does not",
            },
        ],
        domain: "No logarithm and hence no limit of its own, but it does not depend on the length, and Pereira2011 finds differences of 40 to 95 % from Johnson's law. A rough estimate.",
        bounds: Bounds {
            conformity: Some(0.1),
            exponent: Some(Interval::closed(1.0, 1.5)),
            ..Bounds::NONE
        },
        notes: &[
            "The force is the total force in N, not per unit length.",
            "For n other than 1.5 the force depends on the unit system: it is evaluated in N, mm and \
             MPa, as the papers do.",
            "Pereira2011 eq. (9) has a π in the stiffness that Skrinjar2018 eq. (46) does not have. \
             The values in Autiero2022 table 11 contain a factor π/10.",
        ],
        errata: &[18, 27],
    },
    Sheet {
        id: "liu",
        aliases: &[],
        family: Family::Cylinder,
        name: "Liu-Zhang-Yang",
        authors: "Liu, Zhang, Yang",
        year: 2007,
        source: "Liu2007",
        equations: &[cite(Paper::S, "eq. (45), table 4")],
        summary: "Explicit law fitted to finite elements, small to large clearance",
        formula: r"F = \frac{1}{2}\pi\,\delta\,E^* L \sqrt{\frac{\delta}{2\left(\Delta R + \delta\right)}}",
        parameters: LINE,
        domain: "Internal contact of a pin and a bore, any indentation.",
        bounds: Bounds::NONE,
        notes: &["Skrinjar2018 prints a force but its right-hand side is a force per length; the \
             length is added here."],
        errata: &[],
    },
    Sheet {
        id: "pereira",
        aliases: &[],
        family: Family::Cylinder,
        name: "Pereira-Ramalho-Ambrósio 2015",
        authors: "Pereira, Ramalho, Ambrósio",
        year: 2015,
        source: "Pereira2015",
        equations: &[cite(Paper::A, "table 1"), cite(Paper::S, "eq. (47)-(48), tables 3, 4")],
        summary: "Explicit fit of Johnson's law, internal and external contact",
        formula: r"F = \frac{\left(a\,\Delta R + b\right) L E^*}{\Delta R}\,\delta^{n},\quad n = \begin{cases} Y\,\Delta R^{-0.005} & \text{internal} \\ 1.094 & \text{external} \end{cases},\quad Y = \begin{cases} 1.51\left(\ln\left(1000\,\Delta R\right)\right)^{-0.151} & 0.005 \le \Delta R \le 0.34954 \\ 0.0151\,\Delta R + 1.151 & 0.34954 < \Delta R \le 10 \end{cases}",
        parameters: LINE,
        domain: "Clearance from 0.005 to 10 mm; outside, the contact is flagged. The formula is \
                 written for mm, N and MPa and is evaluated in these units.",
        bounds: Bounds { clearance: Some(Interval::closed(5e-6, 10e-3)), ..Bounds::NONE },
        notes: &[
            "Internal contact: a = 0.965, b = 0.0965. External contact: a = 0.39, b = 0.85.",
            "The paper adds the dissipation of Lankarani and Nikravesh: \
             `pereira+lankarani-nikravesh`.",
            "Continuous at 0.34954 mm, unlike `pereira-2014` at 0.75 mm.",
        ],
        errata: &[22],
    },
    Sheet {
        id: "pereira-2014",
        aliases: &[],
        family: Family::Cylinder,
        name: "Pereira-Ramalho-Ambrósio 2014",
        authors: "Pereira, Ramalho, Ambrósio",
        year: 2014,
        source: "Pereira2014",
        equations: &[cite(Paper::A, "table 1")],
        summary: "Earlier explicit fit, internal contact only",
        formula: r"F = \frac{\left(0.49\,\Delta R + 0.10\right) L E^*}{\Delta R}\,\delta^{n},\quad n = Y\,\Delta R^{-0.005},\quad Y = \begin{cases} 1.56\left(\ln\left(1000\,\Delta R\right)\right)^{-0.192} & 0.005 \le \Delta R \le 0.750 \\ 0.0028\,\Delta R + 1.1083 & 0.750 < \Delta R \le 10 \end{cases}",
        parameters: LINE,
        domain: "Internal contact, clearance from 0.005 to 10 mm; outside, the contact is flagged. \
                 Evaluated in mm, N and MPa.",
        bounds: Bounds { clearance: Some(Interval::closed(5e-6, 10e-3)), ..Bounds::NONE },
        notes: &["The exponent jumps by 2.3 % at a clearance of 0.75 mm, from 1.0868 to 1.1120."],
        errata: &[22],
    },
    Sheet {
        id: "persson",
        aliases: &[],
        family: Family::Cylinder,
        name: "Persson, conformal contact",
        authors: "Persson",
        year: 1964,
        source: "Persson1964",
        equations: &[cite(Paper::S, "table 4")],
        summary: "Conformal pin in a bore of equal material, by contact angle",
        formula: r"f = \frac{2\pi E^* \Delta R\,b^2\left(b^2 + 1\right)}{2 - \ln\left(b^2 + 1\right) - 2 b^4},\quad b = \tan\left(\frac{\varepsilon}{2}\right),\quad \varepsilon = \arccos\left(\frac{\Delta R}{\Delta R + \delta}\right),\quad F = f L",
        parameters: LINE,
        domain: "Pin and bore of equal material, half contact angle below 84.8°, where the load \
                 becomes infinite. Before that the force is continued along its tangent and the contact is flagged.",
        bounds: Bounds::up_to_load("that of a half contact angle of 84.8°"),
        notes: &[
            "Skrinjar2018 prints the denominator as 2(ΔR + δ), which has the wrong dimension, and \
             cites a book on sliding friction by another Persson.",
            "The modulus of the original is that of one body, 2E* for equal materials; with E* \
             the load would be half that of Hertz at small angles.",
            "Its indentation is the overlap of the arcs: it starts as f = πE*δ/2 and does not \
             tend to Johnson's law.",
        ],
        errata: &[9],
    },
];
