//! Two spheres, 9.2 kg each, K = 5.2e9 N/m^1.5, 0.3 m/s: figures 3–7.

use jointplay_contact::NormalLaw;
use jointplay_contact::elastic::ElasticModel;
use jointplay_report::{Axis, Figure, Legend, Series};
use jointplay_study::impact::ImpactResult;
use rayon::prelude::*;

use super::color;
use crate::law::{adhesive, impact, law, numbers, returning};
use crate::{Error, Made};

/// K (N/m^1.5), effective mass of two spheres of 9.2 kg (kg), speed (m/s).
pub(super) const STIFFNESS: f64 = 5.2e9;
pub(super) const EFFECTIVE_MASS: f64 = 4.6;
pub(super) const SPEED: f64 = 0.3;

/// The laws that the figures compare: catalogue id and name in the legend, in the order of table 2.
pub(super) const LAWS: [(&str, &str); 11] = [
    ("hunt-crossley", "Hunt–Crossley"),
    ("herbert-mcwhannell", "Herbert–McWhannell"),
    ("lee-wang", "Lee–Wang"),
    ("anagnostopoulos", "Anagnostopoulos"),
    ("lankarani-nikravesh", "Lankarani–Nikravesh"),
    ("jankowski", "Jankowski"),
    ("zhiying-qishao", "Zhiying–Qishao"),
    ("gonthier-approx", "Gonthier et al."),
    ("flores", "Flores et al."),
    ("gharib-hurmuzlu", "Gharib–Hurmuzlu"),
    ("hu-guo", "Hu–Guo"),
];

/// The laws on Hertz's spring: all but Anagnostopoulos, whose constant dashpot needs a linear
/// spring.
pub(super) fn on_hertz() -> impl Iterator<Item = (&'static str, &'static str)> {
    LAWS.into_iter().filter(|(id, _)| *id != "anagnostopoulos")
}

/// Input restitutions of the panels.
pub(super) const RESTITUTIONS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// Samples of a loop.
const POINTS: u32 = 160;

/// The common remark of all figures of the spheres.
pub(super) const DATA: &str = "Two spheres of 9.2 kg (erratum 21), K = 5.2·10⁹ N/m^1.5, 0.3 m/s, the laws in their consistent form. \
     Anagnostopoulos is a linear law: K is read as N/m, its dashpot may pull (erratum 3), and its panel shows the \
     undamped linear spring instead of Hertz.";

/// The law of the spheres with this damping, `hertz` with none.
pub(super) fn law_of(damping: &str, c: f64) -> Result<NormalLaw, Error> {
    let inputs = returning(c, &numbers(&[("stiffness", STIFFNESS)]));
    match damping {
        "hertz" | "linear" => law(damping, &inputs),
        // the dashpot returns c_r only if it may pull, as its author intended
        "anagnostopoulos" => Ok(adhesive(law("linear+anagnostopoulos", &inputs)?)),
        _ => law(&format!("hertz+{damping}"), &inputs),
    }
}

/// An impact and its law.
pub(super) struct Collision {
    pub(super) law: NormalLaw,
    pub(super) result: ImpactResult,
}

/// The impact of the spheres.
pub(super) fn collide(damping: &str, c: f64) -> Result<Collision, Error> {
    let law = law_of(damping, c)?;
    let result = impact(&law, EFFECTIVE_MASS, SPEED, POINTS)?;
    Ok(Collision { law, result })
}

/// The impacts of all laws on the spring of Hertz at one input restitution.
pub(super) fn all_on_hertz(c: f64) -> Result<Vec<(&'static str, ImpactResult)>, Error> {
    let laws: Vec<_> = on_hertz().collect();
    laws.par_iter().map(|(id, name)| Ok((*name, collide(id, c)?.result))).collect()
}

type Points = Vec<(f64, f64)>;

/// One panel of each law: `draw` makes the curves of an impact from it and from the undamped one.
fn panels(
    axes: impl Fn(&ImpactResult) -> (Axis, Axis) + Sync,
    draw: impl Fn(&Collision, &Collision) -> Vec<Points> + Sync,
) -> Result<Vec<Figure>, Error> {
    let panel = |(place, (id, name)): (usize, &(&str, &str))| -> Result<Figure, Error> {
        let undamped = if *id == "anagnostopoulos" { "linear" } else { "hertz" };
        let undamped = collide(undamped, 1.0)?;
        let (x, y) = axes(&undamped.result);
        // one legend for all: that of the panel at the end of the first row
        let legend = if place == 2 { Legend::Right } else { Legend::None };
        let mut figure = Figure::new(*name, x, y).with_size(230.0, 180.0).with_legend(legend);
        let mut add = |label: String, place: usize, curves: Vec<Points>| {
            for (i, points) in curves.into_iter().enumerate() {
                let label = if i == 0 { label.clone() } else { String::new() };
                let series = Series::line(label, points).with_color(place);
                let series = if i == 0 { series.solid() } else { series.dashed() };
                figure.series.push(series);
            }
        };
        add("Hertz".to_owned(), color("hertz"), draw(&undamped, &undamped));
        for (i, c) in RESTITUTIONS.iter().enumerate() {
            add(format!("c_r = {c}"), i, draw(&collide(id, *c)?, &undamped));
        }
        Ok(figure)
    };
    LAWS.par_iter().enumerate().map(panel).collect()
}

/// Times are shown up to this many durations of the undamped impact, and from so much before touch.
const LATEST: f64 = 2.5;
const EARLIEST: f64 = 0.25;

fn time_axis(undamped: &ImpactResult, from: f64) -> Axis {
    let unit = 1e3 * undamped.duration;
    Axis::linear("t", "ms").within(-from * unit, LATEST * unit)
}

/// Figure 3.
pub(super) fn loops() -> Result<Made, Error> {
    let axes = |_: &ImpactResult| (Axis::linear("δ", "µm"), Axis::linear("F", "kN"));
    let draw = |collision: &Collision, _: &Collision| {
        let curve = collision.result.curve.iter();
        vec![curve.map(|s| (1e6 * s.delta, 1e-3 * s.force)).collect()]
    };
    super::impacts::judge_loops(Made::figure(panels(axes, draw)?, 3).remark(DATA))
}

/// Figure 4.
pub(super) fn speeds() -> Result<Made, Error> {
    let axes = |_: &ImpactResult| (Axis::linear("δ", "µm"), Axis::linear("δ̇", "m/s"));
    let draw = |collision: &Collision, _: &Collision| {
        let curve = collision.result.curve.iter();
        vec![curve.map(|s| (1e6 * s.delta, s.delta_dot)).collect()]
    };
    super::impacts::judge_speeds(Made::figure(panels(axes, draw)?, 3).remark(DATA))
}

/// Figure 5.
pub(super) fn forces() -> Result<Made, Error> {
    let axes = |undamped: &ImpactResult| (time_axis(undamped, 0.0), Axis::linear("F", "kN"));
    let draw = |collision: &Collision, _: &Collision| {
        let curve = collision.result.curve.iter();
        vec![curve.map(|s| (1e3 * s.t, 1e-3 * s.force)).collect()]
    };
    let made = Made::figure(panels(axes, draw)?, 3).remark(DATA);
    super::impacts::judge_forces(made.remark("Time since first contact."))
}

/// Samples, extended by the times before touch and after separation, when `value` of δ̇ is
/// constant.
fn with_rest(
    collision: &Collision,
    undamped: &Collision,
    value: impl Fn(f64, f64) -> f64,
) -> Points {
    let unit = undamped.result.duration;
    let mut points = vec![(-1e3 * EARLIEST * unit, value(0.0, SPEED))];
    let curve = collision.result.curve.iter();
    points.extend(curve.map(|s| (1e3 * s.t, value(s.delta, s.delta_dot))));
    let end = collision.result.duration.max(LATEST * unit);
    points.push((1e3 * end, value(0.0, -collision.result.restitution * SPEED)));
    points
}

/// Figure 6.
pub(super) fn spheres() -> Result<Made, Error> {
    let axes = |undamped: &ImpactResult| {
        (time_axis(undamped, EARLIEST), Axis::linear("v", "m/s").within(-0.02, 0.32))
    };
    // sphere j is at rest before; the centre of mass moves at δ̇₀/2, each sphere at δ̇/2 relative
    // to it
    let draw = |collision: &Collision, undamped: &Collision| {
        let of =
            |sign: f64| with_rest(collision, undamped, move |_, rate| 0.5 * (SPEED + sign * rate));
        vec![of(1.0), of(-1.0)]
    };
    let made = Made::figure(panels(axes, draw)?, 3).remark(DATA);
    super::impacts::judge_spheres(
        made.remark("Solid: sphere i, which strikes; dashed: sphere j, at rest before."),
    )
}

/// Figure 7.
pub(super) fn energy() -> Result<Made, Error> {
    let axes = |undamped: &ImpactResult| {
        (time_axis(undamped, EARLIEST), Axis::linear("E/E_0", "").within(0.45, 1.05))
    };
    let draw = |collision: &Collision, undamped: &Collision| {
        // kinetic energy of both spheres and energy of the spring, over ½mδ̇₀² = m_eff δ̇₀²
        let value = |delta: f64, rate: f64| {
            let stored =
                collision.law.elastic.eval(delta).energy / (EFFECTIVE_MASS * SPEED * SPEED);
            0.5 + 0.5 * (rate / SPEED).powi(2) + stored
        };
        vec![with_rest(collision, undamped, value)]
    };
    let made = Made::figure(panels(axes, draw)?, 3).remark(DATA);
    super::impacts::judge_energy(made.remark(
        "Kinetic energy of both spheres and energy of the spring over the energy 0.414 J before; half of it belongs to the \
         centre of mass and cannot be lost.",
    ))
}
