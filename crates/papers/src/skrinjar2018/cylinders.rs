//! A pin in a bore, table 5: figures 12–15.

use jointplay_contact::catalog::Inputs;
use jointplay_contact::elastic::ElasticLaw;
use jointplay_contact::{Material, NormalLaw, Surfaces};
use jointplay_report::{Axis, Figure, Legend, Series};
use jointplay_study::impact::{ImpactResult, Sample};
use rayon::prelude::*;

use super::color;
use super::impacts::{agreement, asymmetry, range};
use crate::law::{impact, law, returning};
use crate::printed::Csv;
use crate::{Error, Made, Verdict};

/// Table 5.
pub(super) const PUBLISHED: &str =
    include_str!("../../published/skrinjar2018-table5-internal-cylinders/data.csv");

/// The data of table 5 in SI units: body i has the bore, body j is the pin.
pub(super) struct Pin {
    pub(super) bore: f64,
    pub(super) journal: f64,
    pub(super) length: f64,
    pub(super) material: Material,
    effective_mass: f64,
    speed: f64,
}

impl Pin {
    /// As printed.
    pub(super) fn published() -> Result<Self, Error> {
        let csv = Csv::read(PUBLISHED);
        let value = |parameter: &str, body: &str| {
            let row = csv.rows.iter().find(|row| csv.cell(row, "parameter") == parameter);
            let number = row.and_then(|row| csv.cell(row, body).parse::<f64>().ok());
            number.ok_or_else(|| Error::Model(format!("table 5 has no {parameter} of body {body}")))
        };
        let (m_i, m_j) = (value("mass", "i")?, value("mass", "j")?);
        let poisson = value("poisson", "j")?;
        Ok(Pin {
            bore: value("radius", "i")?,
            journal: value("radius", "j")?,
            length: value("length", "j")?,
            material: Material { young: value("young", "j")?, poisson, density: None },
            effective_mass: m_i * m_j / (m_i + m_j),
            speed: value("vy0", "j")?.abs(),
        })
    }

    /// ΔR (m).
    pub(super) fn clearance(&self) -> f64 {
        self.bore - self.journal
    }

    /// The law of this name between pin and bore.
    pub(super) fn law(&self, name: &str, c: f64) -> Result<NormalLaw, Error> {
        let surfaces = Surfaces::internal(self.bore, self.journal);
        let mut inputs = Inputs {
            surfaces: Some(surfaces.map_err(|e| Error::Law(e.to_string()))?),
            length: Some(self.length),
            materials: Some([self.material; 2]),
            ..Inputs::default()
        };
        if name.starts_with("lankarani-nikravesh-cylinder") {
            inputs.numbers.insert("exponent".to_owned(), 1.5);
        }
        law(name, &returning(c, &inputs))
    }

    fn collide(&self, id: &str, damped: bool) -> Result<ImpactResult, Error> {
        let name = if damped { format!("{id}+lankarani-nikravesh") } else { id.to_owned() };
        impact(&self.law(&name, RESTITUTION)?, self.effective_mass, self.speed, 200)
    }
}

/// c_r of figures 14 and 15.
const RESTITUTION: f64 = 0.7;

/// The nine laws of the figures as the paper prints them.
pub(super) const PRINTED: [(&str, &str); 9] = [
    ("hertz-cylinder", "Hertz"),
    ("johnson", "Johnson"),
    ("radzimovsky", "Radzimovsky"),
    ("goldsmith-printed", "Goldsmith"),
    ("dubowsky-freudenstein-printed", "Dubowsky–Freudenstein"),
    ("esdu-78035-printed", "ESDU 78035"),
    ("liu", "Liu et al."),
    ("lankarani-nikravesh-cylinder", "Lankarani–Nikravesh"),
    ("pereira", "Pereira et al."),
];

/// The consistent forms of those printed differently, and Persson's law.
const CONSISTENT: [(&str, &str); 10] = [
    ("hertz-cylinder", "Hertz"),
    ("johnson", "Johnson"),
    ("radzimovsky", "Radzimovsky"),
    ("goldsmith", "Goldsmith"),
    ("dubowsky-freudenstein", "Dubowsky–Freudenstein"),
    ("esdu-78035", "ESDU 78035"),
    ("liu", "Liu et al."),
    ("lankarani-nikravesh-cylinder", "Lankarani–Nikravesh"),
    ("pereira", "Pereira et al."),
    ("persson", "Persson"),
];

type Impacts = Vec<(&'static str, &'static str, ImpactResult)>;

fn impacts(laws: &[(&'static str, &'static str)], damped: bool) -> Result<Impacts, Error> {
    let pin = Pin::published()?;
    laws.par_iter().map(|(id, name)| Ok((*id, *name, pin.collide(id, damped)?))).collect()
}

/// Both readings in two panels, and the impacts of the printed one.
fn both(
    damped: bool,
    x: &Axis,
    point: impl Fn(&Sample, f64) -> Option<(f64, f64)>,
) -> Result<(Made, Impacts), Error> {
    let pin = Pin::published()?;
    let printed = impacts(&PRINTED, damped)?;
    let panel = |title: &str, impacts: &Impacts, legend: Legend| {
        let figure = Figure::new(title, x.clone(), Axis::linear("f", "N/mm"));
        let figure = figure.with_size(345.0, 300.0).with_legend(legend);
        impacts.iter().fold(figure, |figure, (id, name, result)| {
            let points = result.curve.iter().filter_map(|sample| point(sample, 1e-3 / pin.length));
            let (place, series) = (color(id), Series::line(*name, points));
            let series = if place < 21 { series.solid() } else { series.dashed() };
            figure.with_series(series.with_color(place))
        })
    };
    let panels = vec![
        panel("as printed", &printed, Legend::None),
        panel("consistent", &impacts(&CONSISTENT, damped)?, Legend::Right),
    ];
    let mut made = Made::figure(panels, 2).remark(
        "Pin and bore of table 5: radii 4.75 and 5 mm, 15 mm long, 210 GPa, ν = 0.3, both free (m_eff = 6.79 g), 0.2 m/s. Left: the laws \
         as the paper prints them; Goldsmith, Dubowsky–Freudenstein and ESDU with h = (1 − ν²)/E are about π times too soft (erratum \
         11). Right: their consistent forms, and Persson's law (erratum 9), which the paper lists but does not draw. \
         Lankarani–Nikravesh has n = 1.5; the paper gives 1 to 1.5.",
    );
    for (_, name, result) in &printed {
        let peak = 1e-3 * result.max_force / pin.length;
        made = made.number(format!("{name} peak (N/mm)"), peak);
        made = made.number(format!("{name} maximum indentation (m)"), result.max_indentation);
    }
    Ok((made, printed))
}

fn against_delta(damped: bool) -> Result<(Made, Impacts), Error> {
    both(damped, &Axis::linear("δ", "µm"), |s, per| {
        // Without loss, unloading follows the loading curve.
        (damped || s.delta_dot >= 0.0).then_some((1e6 * s.delta, per * s.force))
    })
}

fn against_time(damped: bool) -> Result<(Made, Impacts), Error> {
    both(damped, &Axis::linear("t", "µs"), |s, per| Some((1e6 * s.t, per * s.force)))
}

/// The ends of a range with their names.
fn ends(impacts: &Impacts, value: impl Fn(&ImpactResult) -> f64) -> String {
    let mut all: Vec<_> = impacts.iter().map(|(_, name, r)| (value(r), *name)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    match (all.first(), all.last()) {
        (Some(a), Some(b)) => format!("{:.1} ({}) to {:.1} ({})", a.0, a.1, b.0, b.1),
        _ => String::new(),
    }
}

/// Figure 12.
pub(super) fn loops() -> Result<Made, Error> {
    let (made, impacts) = against_delta(false)?;
    let length = Pin::published()?.length;
    let (least, most) = range(impacts.iter().map(|(.., r)| r.max_force));
    let (shallow, deep) = range(impacts.iter().map(|(.., r)| r.max_indentation));
    let pairs: Vec<_> = impacts.iter().map(|(.., r)| (r.max_force, -r.max_indentation)).collect();
    let ((agree, all), (far, far_all)) = (agreement(&pairs, 0.0), agreement(&pairs, 0.1));
    Ok(made
        .statement(
            "The maximum values of the force and of the penetration are very different for different laws.",
            Verdict::when(most > 1.5 * least && deep > 1.5 * shallow, Verdict::Unexplained),
            format!(
                "Peaks of {} N/mm, indentations of {} µm.",
                ends(&impacts, |r| 1e-3 * r.max_force / length),
                ends(&impacts, |r| 1e6 * r.max_indentation)
            ),
        )
        .statement(
            "The maximum force and the maximum penetration are in an inverse relationship.",
            Verdict::when(far == far_all, Verdict::NotReproducible),
            format!(
                "The law with the larger peak has the smaller indentation in {agree} of {all} pairs, in {far} of the {far_all} \
                 whose peaks differ by more than 10 %: all laws store the same ½m_eff δ̇₀²."
            ),
        ))
}

/// Figure 13.
pub(super) fn times() -> Result<Made, Error> {
    let (made, impacts) = against_time(false)?;
    let pairs: Vec<_> = impacts.iter().map(|(.., r)| (r.max_force, -r.duration)).collect();
    let ((agree, all), (far, far_all)) = (agreement(&pairs, 0.0), agreement(&pairs, 0.1));
    let (_, uneven) = range(impacts.iter().map(|(.., r)| asymmetry(r)));
    Ok(made
        .remark("Time since first contact; the pin leaves the middle of the bore 1.25 ms earlier.")
        .statement(
            "For a shorter duration of the contact the peak force is larger, for a longer one smaller.",
            Verdict::when(far == far_all, Verdict::NotReproducible),
            format!(
                "It holds in {agree} of {all} pairs of laws, in {far} of the {far_all} whose peaks differ by more than 10 %; durations of {} µs.",
                ends(&impacts, |r| 1e6 * r.duration)
            ),
        )
        .statement(
            "Without dissipation the force over time is symmetrical in compression and restitution.",
            Verdict::when(uneven < 1e-3, Verdict::Unexplained),
            format!("F(t) − F(T − t) is at most {:.3} % of the peak.", 100.0 * uneven),
        ))
}

/// Figure 14.
pub(super) fn damped_loops() -> Result<Made, Error> {
    let (mut made, impacts) = against_delta(true)?;
    let pin = Pin::published()?;
    let mut implicit = 0;
    for (id, ..) in PRINTED {
        implicit += usize::from(matches!(pin.law(id, 1.0)?.elastic, ElasticLaw::Logarithmic(_)));
    }
    let (least, most) = range(impacts.iter().map(|(.., r)| r.restitution));
    made = made.number("output restitution", most);
    let table_2 = super::readings::returned("lankarani-nikravesh", RESTITUTION)?;
    Ok(made
        .remark("Lankarani–Nikravesh damping, c_r = 0.7.")
        .statement(
            "All models define the force as an implicit function of the depth, except that of Pereira et al.",
            Verdict::when(implicit + 1 == PRINTED.len(), Verdict::NotReproducible),
            format!(
                "{implicit} of the {} laws are implicit: eq. (45) of Liu gives force as a function of indentation, and eq. (46) of \
                 Lankarani–Nikravesh is a power law. The implicit ones have a closed inverse as well, \
                 f = −Aδ/W₋₁(−(Aδ/B)e^(−C)).",
                PRINTED.len()
            ),
        )
        .statement(
            "An arbitrary hysteresis-damping factor can be used with an arbitrary cylindrical law (section 4).",
            Verdict::when((most - least).abs() < 1e-8 && (most - table_2).abs() < 1e-8, Verdict::Unexplained),
            format!(
                "All nine return e_N = {most:.4}, the value of the spheres (table 2: 0.80); the spread is {:.0e}.",
                most - least
            ),
        ))
}

/// Figure 15.
pub(super) fn damped_times() -> Result<Made, Error> {
    let (made, damped) = against_time(true)?;
    let free = impacts(&PRINTED, false)?;
    let (_, even) = range(free.iter().map(|(.., r)| asymmetry(r)));
    let (uneven, _) = range(damped.iter().map(|(.., r)| asymmetry(r)));
    Ok(made
        .remark("Lankarani–Nikravesh damping, c_r = 0.7. Time since first contact.")
        .statement(
            "Without dissipation the force in compression is symmetrical with that in restitution, with hysteresis damping it is different.",
            Verdict::when(even < 1e-3 && uneven > 1e-2, Verdict::Unexplained),
            format!(
                "F(t) − F(T − t): at most {:.3} % of the peak without, at least {:.0} % with damping.",
                100.0 * even,
                100.0 * uneven
            ),
        ))
}
