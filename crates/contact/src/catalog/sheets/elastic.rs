//! Sheets of the elastic laws of a point contact, and of the Winkler foundation of a journal.
//!
//! Every force here is a total force in N; the laws per unit length are in
//! [`cylinder`](super::cylinder).

use super::{CLEARANCE, LENGTH, POISSON, RADIUS_I, RADIUS_J, YOUNG, cite};
use crate::catalog::bounds::Bounds;
use crate::catalog::sheet::{Family, Interval, Paper, Parameter, Sheet};

/// The sheets of this file, in the order of the reference page.
pub(crate) const SHEETS: &[Sheet] = &[
    Sheet {
        id: "hertz",
        aliases: &[],
        family: Family::Point,
        name: "Hertz, spheres or sphere and plane",
        authors: "Hertz",
        year: 1881,
        source: "Hertz1881",
        equations: &[
            cite(Paper::A, "eq. (3), (7)"),
            cite(Paper::S, "eq. (1)-(4), table 1"),
            cite(Paper::B, "eq. (3)-(5)"),
            cite(Paper::P, "eq. (21)-(23)"),
        ],
        summary: "Elastic spheres: force grows with indentation to the power 3/2",
        formula: r"F = K\,\delta^{3/2},\quad K = \frac{4}{3} E^* \sqrt{R},\quad \frac{1}{R} = \frac{1}{R_i} + \frac{1}{R_j},\quad \frac{1}{E^*} = \frac{1-\nu_i^2}{E_i} + \frac{1-\nu_j^2}{E_j}",
        parameters: &[
            RADIUS_I,
            RADIUS_J,
            YOUNG,
            POISSON,
            Parameter {
                key: "stiffness",
                symbol: "K",
                unit: "N/m^1.5",
                interval: Interval::POSITIVE,
                default: None,
                meaning: "stiffness, given in place of the radii and materials",
            },
        ],
        domain: "Smooth frictionless elastic bodies whose contact radius is small compared with \
                 both radii. It is not meant for a journal in a bearing with small clearance.",
        bounds: Bounds { conformity: Some(0.1), ..Bounds::NONE },
        notes: &[
            "Give either the two radii with the materials, or the stiffness alone.",
            "On a plane, R is the radius of the sphere.",
            "Inside a bore the bore radius is negative, which makes 1/R the difference of the \
             curvatures; Bai2014 explains the two signs the wrong way round.",
            "The K = 5.2e9 N/m^1.5 of the two spheres in Skrinjar2018 belongs to aluminium \
             spheres of 20 mm radius, whose mass is 0.0905 kg and not the printed 9.2 kg.",
        ],
        errata: &[15, 21, 24],
    },
    Sheet {
        id: "plane-plane",
        aliases: &[],
        family: Family::Point,
        name: "Two flat faces",
        authors: "Nikravesh",
        year: 1988,
        source: "Nikravesh1988",
        equations: &[cite(Paper::S, "eq. (5)")],
        summary: "Two flat square faces pressed together, linear",
        formula: r"F = K\,\delta,\quad K = \frac{a\,E^*}{0.475}",
        parameters: &[
            Parameter {
                key: "half_width",
                symbol: "a",
                unit: "m",
                interval: Interval::POSITIVE,
                default: None,
                meaning: "half width of the contact face",
            },
            YOUNG,
            POISSON,
            Parameter {
                key: "stiffness",
                symbol: "K",
                unit: "N/m",
                interval: Interval::POSITIVE,
                default: None,
                meaning: "stiffness, given in place of the half width and materials",
            },
        ],
        domain: "Two flat faces in full contact; the whole face touches at once, so the stiffness \
                 does not depend on the indentation.",
        bounds: Bounds::NONE,
        notes: &["The number 0.475 is the shape constant of a square face."],
        errata: &[],
    },
    Sheet {
        id: "linear",
        aliases: &[],
        family: Family::Point,
        name: "Linear spring",
        authors: "Goldsmith",
        year: 1960,
        source: "Goldsmith1960",
        equations: &[
            cite(Paper::A, "eq. (12), (46), spring part"),
            cite(Paper::S, "eq. (6), spring part"),
            cite(Paper::B, "eq. (2), spring part"),
            cite(Paper::P, "eq. (24), loading"),
        ],
        summary: "Linear spring of given stiffness",
        formula: r"F = K\,\delta",
        parameters: &[Parameter {
            key: "stiffness",
            symbol: "K",
            unit: "N/m",
            interval: Interval::POSITIVE,
            default: None,
            meaning: "stiffness",
        }],
        domain: "Any indentation. The stiffness has no relation to geometry or material; it must \
                 be measured or fitted.",
        bounds: Bounds::NONE,
        notes: &[],
        errata: &[],
    },
    Sheet {
        id: "power",
        aliases: &[],
        family: Family::Point,
        name: "Power law",
        authors: "Hunt, Crossley",
        year: 1975,
        source: "HuntCrossley1975",
        equations: &[
            cite(Paper::A, "eq. (1), tables 2-9, 11"),
            cite(Paper::S, "eq. (1)"),
            cite(Paper::B, "eq. (3)"),
            cite(Paper::P, "eq. (21)"),
        ],
        summary: "Power law of given stiffness and exponent, for fits",
        formula: r"F = K\,\delta^{n}",
        parameters: &[
            Parameter {
                key: "stiffness",
                symbol: "K",
                unit: "N/m^n",
                interval: Interval::POSITIVE,
                default: None,
                meaning: "stiffness; its unit depends on the exponent",
            },
            Parameter {
                key: "exponent",
                symbol: "n",
                unit: "-",
                interval: Interval::from(1.0, f64::INFINITY),
                default: None,
                meaning: "exponent of the indentation",
            },
        ],
        domain: "The range of loads to which K and n were fitted; the fits of Autiero2022 cover 0 \
                 to 1000 N/mm.",
        bounds: Bounds::NONE,
        notes: &[
            "The fits of Autiero2022 are in N and mm per mm of length. A stiffness K in N/mm^n is \
             K * 1000^n in N/m^n, and must be multiplied by the length in mm.",
            "Table 8 of Autiero2022 prints K ten times too small, table 9 repeats the exponents \
             of steel, and the last exponent of table 5 should be 1.108.",
            "The column `max error` of these tables is the relative error of the fitted force at an indentation of 1 micrometre; at smaller indentations the error is larger.",
        ],
        errata: &[12, 13, 14, 27, 29],
    },
    Sheet {
        id: "bai-zhao",
        aliases: &[],
        family: Family::Point,
        name: "Bai-Zhao, improved Winkler foundation",
        authors: "Bai, Zhao",
        year: 2013,
        source: "BaiZhao2013",
        equations: &[cite(Paper::B, "eq. (9)-(11)")],
        summary: "Journal on a Winkler foundation, stiffness varies with δ",
        formula: r"F = K_n(\delta)\,\delta^{3/2},\quad K_n = \frac{\pi E^*}{8} \sqrt{\frac{2\delta\left(3\Delta R + 2\delta\right)^2}{\left(\Delta R + \delta\right)^3}}",
        parameters: &[RADIUS_I, RADIUS_J, CLEARANCE, YOUNG, POISSON],
        domain: "Journal in a bearing with clearance. The force hides a unit of m^0.5, so it \
                 is valid only in SI units and for n = 1.5.",
        bounds: Bounds::NONE,
        notes: &[
            "K_n is the slope of the `liu` force per length, in N/m^2: K_n times a power of the \
             indentation is a force only for n = 1 times a length, see `bai-zhao-length`.",
            "n = 1.5 without a length is the reading that reproduces figure 2 of Bai2014: 5.53e-5 m \
             and 2.406e4 N for a restitution of 0.9.",
            "With the dissipation `zhiying-qishao` it is the hybrid law of Bai2014, short name \
             `hybrid`.",
        ],
        errata: &[19, 24],
    },
    Sheet {
        id: "bai-zhao-length",
        aliases: &[],
        family: Family::Point,
        name: "Bai-Zhao, improved Winkler foundation, with length",
        authors: "Bai, Zhao",
        year: 2013,
        source: "BaiZhao2013",
        equations: &[cite(Paper::B, "eq. (9)-(11), read with n = 1 and a length")],
        summary: "Bai-Zhao with consistent units: n = 1 times the contact length",
        formula: r"F = K_n(\delta)\,\delta\,L,\quad K_n = \frac{\pi E^*}{8} \sqrt{\frac{2\delta\left(3\Delta R + 2\delta\right)^2}{\left(\Delta R + \delta\right)^3}}",
        parameters: &[RADIUS_I, RADIUS_J, CLEARANCE, LENGTH, YOUNG, POISSON],
        domain: "Journal in a bearing with clearance, contact uniform along its length.",
        bounds: Bounds::NONE,
        notes: &[
            "The dimensionally consistent reading of the hybrid law; it does not reproduce the figures \
             of Bai2014.",
        ],
        errata: &[24],
    },
];
