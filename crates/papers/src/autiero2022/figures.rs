//! Figures 10–16.

use jointplay_contact::Material;
use jointplay_contact::catalog::Inputs;
use jointplay_contact::elastic::ElasticModel as _;
use jointplay_report::{Axis, Figure, Legend, Series};

use super::yoke::{SETS, all, angle, first_impacts, flights, ideal, outer_stiffness, second};
use crate::law::law;
use crate::machine::{Motion, largest, thinned};
use crate::{Error, Made, Verdict, law_color};

const DATA: &str = "Second of two revolutions at 720 rpm; F = Kδⁿ(1 + 1.5 α δ̇) with α = 0.32 s/m and K, n of table 11 as total N/mmⁿ. The crank \
                    radius is not printed (50 mm taken; the slot allows 51.96 mm), nor the start (pin centred, speed of the ideal slider); \
                    the angle counts from the start at −31°.";

/// Parts of the axis of which each keeps its extremes.
const PARTS: usize = 450;

/// The curves of one channel with all sets in one panel.
fn panel(
    motions: &[Motion],
    channel: &str,
    scale: f64,
    y: Axis,
    span: [f64; 2],
) -> Result<Figure, Error> {
    let turn = Axis::linear("relative crank angle", "°").within(span[0], span[1]);
    let mut figure = Figure::new("", turn, y).with_size(640.0, 300.0).with_legend(Legend::Right);
    for ((name, _, id), motion) in SETS.iter().zip(motions) {
        let curve = second(motion, channel)?;
        let curve = curve.into_iter().filter(|(turn, _)| (span[0]..=span[1]).contains(turn));
        let curve: Vec<_> = curve.map(|(turn, value)| (turn, scale * value)).collect();
        let line = Series::line(*name, thinned(&curve, PARTS)).with_color(law_color(id)).solid();
        figure = figure.with_series(line);
    }
    Ok(figure)
}

/// Values of the sets, named.
fn named(values: &[f64], decimals: usize) -> String {
    let texts =
        SETS.iter().zip(values).map(|((name, ..), value)| format!("{name} {value:.decimals$}"));
    texts.collect::<Vec<_>>().join(", ")
}

/// Figure 10.
pub(super) fn one_stiffness() -> Result<Made, Error> {
    let materials = [
        ("steel", Material { young: 207e9, poisson: 0.3, density: None }),
        ("aluminium", Material { young: 70e9, poisson: 0.33, density: None }),
    ];
    let laws = [("Johnson", "johnson"), ("Radzimovsky", "radzimovsky")];
    let mut panels = Vec::new();
    let mut worst = 0.0_f64;
    let mut made = Made::default();
    for (material_name, material) in materials {
        // δ (m) under 10 kN/mm for a difference of radii ΔR (m).
        let depth = |id: &str, delta_r: f64| -> Result<f64, Error> {
            let inputs = Inputs {
                clearance: Some(delta_r),
                length: Some(1e-3),
                materials: Some([material, material]),
                ..Inputs::default()
            };
            let none = || Error::Law(format!("{id}: no indentation carries 10 kN/mm"));
            law(id, &inputs)?.elastic.indentation(1e4).ok_or_else(none)
        };
        let axes = (Axis::linear("clearance", "mm"), Axis::linear("error", "%"));
        let mut figure = Figure::new(material_name, axes.0, axes.1).with_size(380.0, 260.0);
        for (name, id) in laws {
            let mut curve = Vec::new();
            for i in 0..=40 {
                let clearance = 0.05 * f64::from(i);
                // Inner track 52 mm, outer 68 mm; a thinner pin leaves the clearance.
                let pin = 8.0 - 0.5 * clearance;
                let [external, internal] = [52.0 + pin, 68.0 - pin].map(|r| depth(id, 1e-3 * r));
                let error = 100.0 * (1.0 - external? / internal?).abs();
                curve.push((clearance, error));
            }
            let end = curve.last().map_or(0.0, |point| point.1);
            worst = worst.max(end);
            made = made.number(format!("{name} {material_name} at 2 mm (%)"), end);
            figure =
                figure.with_series(Series::line(name, curve).with_color(law_color(id)).solid());
        }
        panels.push(figure);
    }
    let made = Made { figure: Made::figure(panels, 2).figure, ..made };
    Ok(made
        .remark(
            "Penetration under 10 kN/mm on the inner track, ΔR = 52 mm + R_p, against that on the outer, ΔR = 68 mm − R_p, for a slot of \
             16 mm whose pin leaves the clearance 16 mm − 2R_p. The extent of the printed axis is unknown; up to 2 mm here.",
        )
        .statement(
            "The error involved in such a simplification is proportional to the clearance; it does not exceed 2 %.",
            Verdict::when(worst < 2.0, Verdict::Unexplained),
            format!(
                "At most {worst:.2} % up to 2 mm, so {:.1} mm of clearance until 2 %: δ grows by the logarithm of ΔR only.",
                2.0 * 2.0 / worst
            ),
        )
        .statement(
            "With a clearance δ, ΔR_ext = ΔR_int + δ.",
            Verdict::Erratum(14),
            "In the slot of the example ΔR_ext = 52 + 7.9 = 59.9 mm and ΔR_int = 68 − 7.9 = 60.1 mm: with clearance the outer one is \
             larger, by 16 mm − 2R_p; table 11 has them exchanged, too.",
        ))
}

/// Figure 11.
pub(super) fn force() -> Result<Made, Error> {
    let motions = all()?;
    let span = [0.0, 360.0];
    let ideal = ideal()?;
    let mut force = panel(&motions, "pin.force", 1.0, Axis::linear("F", "N"), span)?;
    let mut torque = panel(&motions, "motor.torque", 1.0, Axis::linear("M", "N m"), span)?;
    for (figure, channel) in [(&mut force, "pin.force"), (&mut torque, "motor.torque")] {
        let line = Series::line("ideal", thinned(&second(&ideal, channel)?, PARTS));
        figure.series.push(line.with_color(law_color("hertz")).dashed().strong());
    }
    force.title = "contact force".to_owned();
    torque.title = "crank torque (not in the paper)".to_owned();
    let mut made = Made::figure(vec![force, torque], 1).remark(DATA);
    for ((name, ..), motion) in SETS.iter().zip(&motions) {
        made = made.number(format!("{name}: first peak"), motion.first()?.max_force);
    }
    let near: Vec<Vec<(f64, f64)>> = motions
        .iter()
        .map(|m| flights(m).into_iter().filter(|(a, b)| *a < 110.0 && *b > 90.0).collect())
        .collect();
    let longest = |gaps: &Vec<(f64, f64)>| {
        gaps.iter().copied().max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0))).unwrap_or_default()
    };
    let gaps: Vec<String> = SETS
        .iter()
        .zip(&near)
        .map(|((name, ..), gaps)| (name, longest(gaps)))
        .map(|(name, (start, end))| format!("{name} {start:.1}°–{end:.1}°"))
        .collect();
    let first = motions[0].first()?;
    let steady = [190.0, 250.0];
    let mean =
        |motion: &Motion| -> Result<f64, Error> { mean(&second(motion, "pin.force")?, steady) };
    let means: Result<Vec<f64>, Error> = motions.iter().chain([&ideal]).map(mean).collect();
    let means = means?;
    let ideal_mean = means[5];
    let off = means[..5].iter().fold(0.0_f64, |most, m| most.max((m / ideal_mean - 1.0).abs()));
    Ok(made
        .number("first impact", first.start)
        .number("its speed", first.impact_speed)
        .number("ideal torque", largest(&second(&ideal, "motor.torque")?))
        .number("ideal force", largest(&second(&ideal, "pin.force")?))
        .statement(
            "A region with a null contact force is visible around 100° of the relative crank angle.",
            Verdict::when(near.iter().all(|gaps| !gaps.is_empty()), Verdict::Unexplained),
            format!("Longest free flight there: {}.", gaps.join(", ")),
        )
        .statement(
            "When the contact is continuous, there is no relevant difference between the models.",
            Verdict::when(off < 0.02, Verdict::Unexplained),
            format!(
                "Mean force between {:.0}° and {:.0}° (N): {}; ideal {ideal_mean:.1}.",
                steady[0],
                steady[1],
                named(&means[..5], 1)
            ),
        ))
}

/// Mean of a curve within a span of its x.
fn mean(curve: &[(f64, f64)], [start, end]: [f64; 2]) -> Result<f64, Error> {
    let inside: Vec<_> = curve.iter().filter(|(x, _)| (start..=end).contains(x)).collect();
    let (area, width) = inside.windows(2).fold((0.0, 0.0), |(area, width), pair| {
        let step = pair[1].0 - pair[0].0;
        (area + 0.5 * step * (pair[0].1 + pair[1].1), width + step)
    });
    if width > 0.0 { Ok(area / width) } else { Err(Error::Run("no curve in the span".to_owned())) }
}

/// Figure 12.
pub(super) fn penetration() -> Result<Made, Error> {
    let motions = all()?;
    let figure = panel(&motions, "pin.penetration", 1e6, Axis::linear("δ", "µm"), [0.0, 360.0])?;
    let deepest: Result<Vec<f64>, Error> =
        motions.iter().map(|m| Ok(1e6 * largest(&second(m, "pin.penetration")?))).collect();
    let deepest = deepest?;
    let (most, least) = extremes(&deepest);
    Ok(Made::figure(vec![figure], 1).remark(DATA).statement(
        "The penetration heavily depends on the contact model due to the different stiffness characteristics.",
        Verdict::when(most > 2.0 * least, Verdict::Unexplained),
        format!("Deepest in the second revolution (µm): {}.", named(&deepest, 1)),
    ))
}

fn extremes(values: &[f64]) -> (f64, f64) {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (most, values.iter().copied().fold(f64::INFINITY, f64::min))
}

/// The angles of the details (°): the impacts before and after the free flight.
const DETAIL: [f64; 2] = [90.0, 150.0];

/// Figure 13.
pub(super) fn penetration_detail() -> Result<Made, Error> {
    let motions = all()?;
    let figure = panel(&motions, "pin.penetration", 1e6, Axis::linear("δ", "µm"), DETAIL)?;
    let maxima = |motion: &Motion| -> Result<f64, Error> {
        let curve = second(motion, "pin.penetration")?;
        let span = [150.0, 300.0];
        let inside: Vec<_> =
            curve.iter().filter(|(x, _)| (span[0]..=span[1]).contains(x)).collect();
        Ok(inside.windows(3).filter(|w| w[1].1 > w[0].1 && w[1].1 >= w[2].1).count() as f64)
    };
    let counts: Result<Vec<f64>, Error> = motions.iter().map(maxima).collect();
    let counts = counts?;
    let (most, least) = extremes(&counts);
    Ok(Made::figure(vec![figure], 1)
        .remark(DATA)
        .remark("The angles of the printed detail are unknown: 90° to 150° here, where the pin leaves one track and strikes the other.")
        .statement(
            "The oscillation frequency of the penetration heavily depends on the contact model.",
            Verdict::when(most > 1.5 * least, Verdict::Unexplained),
            format!("Maxima of the penetration between 150° and 300°: {}.", named(&counts, 0)),
        ))
}

/// Figure 14.
pub(super) fn force_detail() -> Result<Made, Error> {
    let motions = all()?;
    let figure = panel(&motions, "pin.force", 1.0, Axis::linear("F", "N"), DETAIL)?;
    let peak = |motion: &Motion, [start, end]: [f64; 2]| {
        let of = |t: f64| angle(t) - 360.0;
        let inside =
            motion.episodes().iter().filter(|e| (start..=end).contains(&of(e.max_force_time)));
        inside.fold(0.0_f64, |most, e| most.max(e.max_force))
    };
    let until: Vec<f64> = motions.iter().map(|m| peak(m, [0.0, 100.0])).collect();
    let after: Vec<f64> = motions.iter().map(|m| peak(m, [100.0, 150.0])).collect();
    // Sets 1–4, all but Lankarani's: from the stiffest to the softest.
    let stiffness = outer_stiffness();
    let falling = |peaks: &[f64]| {
        let mut order: Vec<usize> = (1..5).collect();
        order.sort_by(|a, b| stiffness[*b].total_cmp(&stiffness[*a]));
        order.windows(2).all(|pair| peaks[pair[0]] > peaks[pair[1]])
    };
    let detached: Vec<f64> = motions
        .iter()
        .map(|m| flights(m).iter().filter(|(a, b)| *a > 120.0 && *b < 300.0).count() as f64)
        .collect();
    let only = detached.iter().enumerate().all(|(i, n)| (*n > 0.0) == (SETS[i].1 == "goldsmith"));
    let softest = (0..5).min_by(|a, b| stiffness[*a].total_cmp(&stiffness[*b])).unwrap_or(0);
    Ok(Made::figure(vec![figure], 1)
        .remark(DATA)
        .remark("The angles of the printed detail are unknown: 90° to 150° here.")
        .number("Lankarani: peak after the free flight", after[0])
        .statement(
            "Except for Lankarani–Nikravesh: the higher K, the higher the amplitude of the contact forces during the impacts (until 100°).",
            Verdict::when(falling(&after) || falling(&until), Verdict::Unexplained),
            format!(
                "Peak after the free flight, 100° to 150° (N): {}. Until 100°: {}.",
                named(&after, 0),
                named(&until, 0)
            ),
        )
        .statement(
            "The Goldsmith model is the less stiff.",
            Verdict::when(SETS[softest].1 == "goldsmith", Verdict::Erratum(27)),
            format!("K of the outer track (N/mmⁿ) in table 11: {}.", named(&stiffness, 0)),
        )
        .statement(
            "Goldsmith is the only model that shows the detachment of the pin from the slot between 120° and 300°.",
            Verdict::when(only, Verdict::NotReproducible),
            format!(
                "Free flights within these angles: {}. With the printed α all sets lose contact, for any crank radius that the slot allows.",
                named(&detached, 0)
            ),
        ))
}

/// Figure 15.
pub(super) fn hysteresis() -> Result<Made, Error> {
    let motions = first_impacts()?;
    let axes = (Axis::linear("δ", "µm"), Axis::linear("F", "N"));
    let mut figure =
        Figure::new("", axes.0, axes.1).with_size(560.0, 340.0).with_legend(Legend::Right);
    let mut made = Made::default();
    let (mut peaks, mut slopes) = (Vec::new(), Vec::new());
    for ((name, _, id), motion) in SETS.iter().zip(&motions) {
        let first = motion.first()?;
        let (depth, force) = (motion.channel("pin.penetration")?, motion.channel("pin.force")?);
        let times = motion.times().iter();
        let points = times.zip(depth.iter().zip(&force));
        let points = points.filter(|(t, _)| (first.start..=first.end).contains(*t));
        let points: Vec<_> = points.map(|(_, (depth, force))| (1e6 * depth, *force)).collect();
        let line = Series::line(*name, points).with_color(law_color(id)).solid();
        figure = figure.with_series(line);
        peaks.push(first.max_force);
        slopes.push(1e-6 * first.max_force / first.max_indentation);
        made = made.number(format!("{name}: lost"), first.loss_normal);
    }
    let above = |values: &[f64]| values[1].min(values[2]) > values[0].max(values[3]).max(values[4]);
    let between = |values: &[f64]| values[0] > values[3].max(values[4]);
    let made = Made { figure: Made::figure(vec![figure], 1).figure, ..made };
    Ok(made
        .remark(
            "The first impact on the outer track, 0.7210 ms after the start with 0.2824 m/s, which is the same for all sets; which impact the paper \
             isolates is not said.",
        )
        .statement(
            "Higher forces and more steep loops in the Johnson and Radzimovsky models; Goldsmith and ESDU exert less abrupt profiles, \
             Lankarani–Nikravesh is intermediate.",
            Verdict::when(
                [&peaks, &slopes].iter().all(|values| above(values) && between(values)),
                Verdict::Unexplained,
            ),
            format!(
                "Peak force (N): {}. Peak force over depth (N/µm): {}.",
                named(&peaks, 0),
                named(&slopes, 1)
            ),
        ))
}

/// Figure 16.
pub(super) fn kinematics() -> Result<Made, Error> {
    let motions = all()?;
    let span = [0.0, 360.0];
    let shown = [
        ("slider.x", 1e3, Axis::linear("x", "mm")),
        ("slider.vx", 1.0, Axis::linear("v", "m/s")),
        ("slider.ax", 1.0, Axis::linear("a", "m/s²")),
    ];
    let mut panels = Vec::new();
    let mut spreads = Vec::new();
    for (channel, scale, axis) in shown {
        panels.push(panel(&motions, channel, scale, axis, span)?.with_size(640.0, 210.0));
        let curves: Result<Vec<_>, Error> = motions.iter().map(|m| second(m, channel)).collect();
        spreads.push(spread(&curves?));
    }
    for (panel, title) in panels.iter_mut().zip(["position", "velocity", "acceleration"]) {
        title.clone_into(&mut panel.title);
    }
    Ok(Made::figure(panels, 1).remark(DATA).statement(
        "The position is slightly influenced by the contact formulation; in velocity and acceleration some differences are detectable.",
        Verdict::when(spreads[0] < spreads[1] && spreads[1] < spreads[2], Verdict::Unexplained),
        format!(
            "Largest difference between two sets over the range of the quantity: position {:.2} %, velocity {:.1} %, acceleration {:.0} %.",
            100.0 * spreads[0],
            100.0 * spreads[1],
            100.0 * spreads[2]
        ),
    ))
}

/// Largest difference of curves at one angle over the range of the first, at every degree.
fn spread(curves: &[Vec<(f64, f64)>]) -> f64 {
    let at = |curve: &[(f64, f64)], x: f64| {
        let next = curve.partition_point(|point| point.0 < x).clamp(1, curve.len() - 1);
        let [(u, a), (v, b)] = [curve[next - 1], curve[next]];
        if v > u { a + (b - a) * (x - u) / (v - u) } else { b }
    };
    let mut widest = 0.0_f64;
    for degree in 1..360 {
        let values: Vec<f64> = curves.iter().map(|curve| at(curve, f64::from(degree))).collect();
        let (most, least) = extremes(&values);
        widest = widest.max(most - least);
    }
    let first: Vec<f64> = curves[0].iter().map(|point| point.1).collect();
    let (most, least) = extremes(&first);
    widest / (most - least)
}
