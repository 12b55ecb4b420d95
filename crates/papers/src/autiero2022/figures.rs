//! The scotch yoke: figures 11–16.

use jointplay_report::{Axis, Figure, Legend, Series};
use jointplay_study::impact::ImpactResult;
use jointplay_study::run::Run;

use super::yoke::{SETS, all, angle, first_impacts, flights, ideal, outer, second, with_radius};
use crate::law::{impact, law, numbers};
use crate::machine::{Curve, channel, first_contact, largest, thinned};
use crate::{Error, Made, Verdict, law_color};

const DATA: &str = "Second of two revolutions at 720 rpm; F = Kδⁿ(1 + 1.5 α δ̇) with α = 0.32 s/m and K, n of table 11 as total N/mmⁿ. The crank \
                    radius is not printed (we assume 50 mm; the slot allows 51.96 mm), nor is the start (we assume a centred pin and the \
                    speed of the ideal slider); angles are measured from the start at −31°.";

/// Number of intervals of the axis; the extremes of each are kept.
const PARTS: usize = 450;

/// The curves of one channel with all parameter sets in one panel.
fn panel(
    motions: &[Run],
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

/// Values of the parameter sets, named.
fn named(values: &[f64], decimals: usize) -> String {
    let texts =
        SETS.iter().zip(values).map(|((name, ..), value)| format!("{name} {value:.decimals$}"));
    texts.collect::<Vec<_>>().join(", ")
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
    "contact force".clone_into(&mut force.title);
    "crank torque (not in the paper)".clone_into(&mut torque.title);
    let mut made = Made::figure(vec![force, torque], 1).remark(DATA);
    for ((name, ..), motion) in SETS.iter().zip(&motions) {
        made = made.number(format!("{name}: first peak"), first_contact(motion)?.max_force);
    }
    let near: Vec<Curve> = motions
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
    let first = first_contact(&motions[0])?;
    let steady = [50.0, 90.0];
    let means = |channel: &str| -> Result<Vec<f64>, Error> {
        motions.iter().map(|m| mean(&second(m, channel)?, steady)).collect()
    };
    let (forces, deltas) = (means("pin.force")?, means("pin.penetration")?);
    let ideal_mean = mean(&second(&ideal, "pin.force")?, steady)?;
    let ratio = |values: &[f64]| {
        let (most, least) = extremes(values);
        most / least
    };
    let (forces_apart, deltas_apart) = (ratio(&forces), ratio(&deltas));
    let flying =
        motions.iter().any(|m| flights(m).iter().any(|(a, b)| *a < steady[1] && *b > steady[0]));
    Ok(made
        .number("first impact", first.start)
        .number("impact speed of the first impact", first.impact_speed)
        .number("ideal torque", largest(&second(&ideal, "motor.torque")?))
        .number("ideal force", largest(&second(&ideal, "pin.force")?))
        .statement(
            "A region with a null contact force is visible around 100° of the relative crank angle.",
            Verdict::when(near.iter().all(|gaps| !gaps.is_empty()), Verdict::Unexplained),
            format!("Longest free flight there: {}.", gaps.join(", ")),
        )
        .statement(
            "When the contact is continuous, there is no relevant difference between the models.",
            Verdict::when(
                !flying && forces_apart - 1.0 < 0.1 * (deltas_apart - 1.0),
                Verdict::Unexplained,
            ),
            format!(
                "Between {:.0}° and {:.0}° {} loses contact, and the mean force (N) is: {}; ideal {ideal_mean:.1}. The largest mean force \
                 exceeds the smallest by {:.1} %, the largest mean indentation by {:.0} %.",
                steady[0],
                steady[1],
                if flying { "a parameter set" } else { "no parameter set" },
                named(&forces, 1),
                100.0 * (forces_apart - 1.0),
                100.0 * (deltas_apart - 1.0)
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
        format!("Maximum indentation in the second revolution (µm): {}.", named(&deepest, 1)),
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
    // Half a period of the oscillation on the contact: the first impact, with the same speed for all sets (ms).
    let halves: Result<Vec<f64>, Error> =
        first_impacts()?.iter().map(|m| Ok(1e3 * first_contact(m)?.duration())).collect();
    let halves = halves?;
    let (most, least) = extremes(&halves);
    let mut made = Made::figure(vec![figure], 1)
        .remark(DATA)
        .remark("The angles of the printed detail are unknown; we show 90° to 150°, where the pin leaves one track and strikes the other.")
        .statement(
            "The oscillation frequency of the penetration heavily depends on the contact model.",
            Verdict::when(most > 1.5 * least, Verdict::Unexplained),
            format!("The first impact, which has the same speed for all parameter sets, lasts (ms): {}.", named(&halves, 2)),
        );
    for ((name, ..), half) in SETS.iter().zip(&halves) {
        made = made.number(format!("{name}: first impact lasts (ms)"), *half);
    }
    Ok(made)
}

/// Free flights between 120° and 300°.
fn detachments(motion: &Run) -> f64 {
    flights(motion).iter().filter(|(start, end)| *start > 120.0 && *end < 300.0).count() as f64
}

/// Figure 14.
pub(super) fn force_detail() -> Result<Made, Error> {
    let motions = all()?;
    let figure = panel(&motions, "pin.force", 1.0, Axis::linear("F", "N"), DETAIL)?;
    let peak = |motion: &Run, [start, end]: [f64; 2]| {
        let of = |t: f64| angle(t) - 360.0;
        let inside = motion
            .contacts()
            .episodes
            .iter()
            .filter(|e| (start..=end).contains(&of(e.max_force_time)));
        inside.fold(0.0_f64, |most, e| most.max(e.max_force))
    };
    let first: Result<Vec<f64>, Error> =
        motions.iter().map(|m| Ok(first_contact(m)?.max_force)).collect();
    let first = first?;
    let after: Vec<f64> = motions.iter().map(|m| peak(m, [100.0, 150.0])).collect();
    let until: Result<Vec<f64>, Error> = motions
        .iter()
        .map(|m| {
            let curve = second(m, "pin.force")?;
            Ok(largest(&curve[..curve.partition_point(|point| point.0 < 100.0)]))
        })
        .collect();
    let until = until?;
    // Sets 1–4, all but Lankarani's: from the stiffest to the softest.
    let stiffness: Vec<f64> = outer().iter().map(|[k, _]| *k).collect();
    let falling = |peaks: &[f64]| {
        let mut order: Vec<usize> = (1..5).collect();
        order.sort_by(|a, b| stiffness[*b].total_cmp(&stiffness[*a]));
        order.windows(2).all(|pair| peaks[pair[0]] > peaks[pair[1]])
    };
    let detached: Vec<f64> = motions.iter().map(detachments).collect();
    let only = |counts: &[f64]| {
        counts.iter().zip(SETS).all(|(count, set)| (*count > 0.0) == (set.1 == "goldsmith"))
    };
    let (mut anywhere, mut listed) = (only(&detached), Vec::new());
    for radius in [20.0, 30.0, 40.0] {
        let counts: Vec<f64> = with_radius(radius)?.iter().map(detachments).collect();
        anywhere |= only(&counts);
        let counts: Vec<_> = counts.iter().map(f64::to_string).collect();
        listed.push(format!("{} at {radius} mm", counts.join("–")));
    }
    let softest = (0..5).min_by(|a, b| stiffness[*a].total_cmp(&stiffness[*b])).unwrap_or(0);
    Ok(Made::figure(vec![figure], 1)
        .remark(DATA)
        .remark("The angles of the printed detail are unknown; we show 90° to 150°.")
        .number("Lankarani: peak after the free flight", after[0])
        .statement(
            "Except for Lankarani–Nikravesh: the higher K, the higher the amplitude of the contact forces during the impacts (until 100°).",
            Verdict::when(
                falling(&first) && falling(&after) && falling(&until),
                Verdict::NotReproducible,
            ),
            format!(
                "This holds for the first impact (same speed for all; peak forces in N): {}, and after the free flight, 100° to 150°: {}. Before 100° \
                 each parameter set bounces differently with the assumed crank radius: {}.",
                named(&first, 0),
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
            Verdict::when(anywhere, Verdict::NotReproducible),
            format!(
                "Free flights within these angles: {}. With other crank radii, in the same order: {}. With the printed α no \
                 parameter set stays in contact.",
                named(&detached, 0),
                listed.join(", ")
            ),
        ))
}

/// Figure 15.
pub(super) fn hysteresis() -> Result<Made, Error> {
    let motions = first_impacts()?;
    let axes = (Axis::linear("δ", "µm"), Axis::linear("F", "N"));
    let mut figure =
        Figure::new("", axes.0, axes.1).with_size(360.0, 300.0).with_legend(Legend::None);
    let mut made = Made::default();
    let (mut peaks, mut slopes) = (Vec::new(), Vec::new());
    for ((name, _, id), motion) in SETS.iter().zip(&motions) {
        let first = first_contact(motion)?;
        let (delta, force) = (channel(motion, "pin.penetration")?, channel(motion, "pin.force")?);
        let times = motion.channels.times.iter();
        let points = times.zip(delta.iter().zip(&force));
        let points = points.filter(|(t, _)| (first.start..=first.end).contains(*t));
        let points: Vec<_> = points.map(|(_, (delta, force))| (1e6 * delta, *force)).collect();
        let line = Series::line(*name, points).with_color(law_color(id)).solid();
        figure = figure.with_series(line);
        peaks.push(first.max_force);
        slopes.push(1e-6 * first.max_force / first.max_indentation);
        made = made.number(format!("{name}: energy lost"), first.loss_normal);
    }
    let slow = slow_impacts()?;
    let mut gentle = Figure::new("0.1 m/s", Axis::linear("δ", "µm"), Axis::linear("F", "N"));
    for ((name, _, id), result) in SETS.iter().zip(&slow) {
        let points = result.curve.iter().map(|sample| (1e6 * sample.delta, sample.force));
        gentle = gentle.with_series(Series::line(*name, points).with_color(law_color(id)).solid());
    }
    "first impact, 0.28 m/s".clone_into(&mut figure.title);
    let gentle = gentle.with_size(360.0, 300.0).with_legend(Legend::Right);
    let above = |values: &[f64]| values[1].min(values[2]) > values[0].max(values[3]).max(values[4]);
    let between = |values: &[f64]| values[0] > values[3].max(values[4]);
    let slow_peaks: Vec<f64> = slow.iter().map(|result| result.max_force).collect();
    let slow_slopes: Vec<f64> =
        slow.iter().map(|result| 1e-6 * result.max_force / result.max_indentation).collect();
    let holds = [&slow_peaks, &slow_slopes].iter().all(|values| above(values) && between(values));
    let made = Made { figure: Made::figure(vec![figure, gentle], 2).figure, ..made };
    Ok(made
        .remark(
            "The paper does not say which impact it isolates. Left: the first one on the outer track, 0.7210 ms after the start at 0.2824 m/s, the \
             same for all parameter sets. Right: a free impact of the slider on the same track at 0.1 m/s.",
        )
        .number("Johnson: peak at 0.1 m/s", slow_peaks[2])
        .statement(
            "Higher forces and more steep loops in the Johnson and Radzimovsky models; Goldsmith and ESDU exert less abrupt profiles, \
             Lankarani–Nikravesh is intermediate.",
            Verdict::when(holds, Verdict::Unexplained),
            format!(
                "This is the case at 0.1 m/s: peak force (N) {}; peak force over indentation (N/µm) {}. It depends on the impact, because the \
                 exponents differ: at 0.28 m/s Lankarani's is the steepest, {} N/µm.",
                named(&slow_peaks, 0),
                named(&slow_slopes, 1),
                named(&slopes, 1)
            ),
        )
        .number("Lankarani: peak at 0.28 m/s", peaks[0]))
}

/// Free impacts of the slider (2.353 kg) on the outer track at 0.1 m/s, with each parameter set.
fn slow_impacts() -> Result<Vec<ImpactResult>, Error> {
    let strike = |[k, n]: &[f64; 2]| {
        // From N/mmⁿ to N/mⁿ.
        let stiffness = k * 1e3_f64.powf(*n);
        let inputs = numbers(&[("stiffness", stiffness), ("exponent", *n), ("alpha", 0.32)]);
        impact(&law("power+hunt-crossley-alpha", &inputs)?, 2.353, 0.1, 200)
    };
    outer().iter().map(strike).collect()
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
            "Largest difference between two parameter sets, relative to the range of the quantity: position {:.2} %, velocity {:.1} %, acceleration {:.0} %.",
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
