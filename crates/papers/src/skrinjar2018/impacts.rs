//! The statements of the paper about the impacts of figures 3–7.

use jointplay_study::impact::{ImpactResult, Sample};

use super::spheres::{EFFECTIVE_MASS, RESTITUTIONS, SPEED, all_on_hertz, collide};
use crate::{Error, Made, Verdict};

/// Smallest and largest.
pub(super) fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
}

/// Names of those for which it holds, or `none`.
fn named<'n>(all: impl IntoIterator<Item = (&'n str, bool)>) -> String {
    let names: Vec<_> = all.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The force at a time, between the samples.
fn force_at(curve: &[Sample], t: f64) -> f64 {
    let after = curve.partition_point(|s| s.t < t);
    match (after.checked_sub(1).and_then(|i| curve.get(i)), curve.get(after)) {
        (Some(a), Some(b)) if b.t > a.t => a.force + (b.force - a.force) * (t - a.t) / (b.t - a.t),
        (_, Some(s)) | (Some(s), None) => s.force,
        (None, None) => 0.0,
    }
}

/// Largest difference of the force before and after half of the contact, over the largest force.
pub(super) fn asymmetry(result: &ImpactResult) -> f64 {
    let curve = &result.curve;
    let off = curve.iter().map(|s| (s.force - force_at(curve, result.duration - s.t)).abs());
    range(off).1 / result.max_force
}

/// Counts the pairs whose first numbers differ by more than a fraction `apart`, and those of them
/// in which the larger first number goes with the larger second one.
pub(super) fn agreement(pairs: &[(f64, f64)], apart: f64) -> (usize, usize) {
    let (mut agree, mut all) = (0, 0);
    for (i, a) in pairs.iter().enumerate() {
        for b in pairs.get(i + 1..).unwrap_or_default() {
            if (a.0 - b.0).abs() > apart * a.0.max(b.0) {
                all += 1;
                agree += usize::from((a.0 - b.0) * (a.1 - b.1) > 0.0);
            }
        }
    }
    (agree, all)
}

/// Figure 3.
pub(super) fn judge_loops(made: Made) -> Result<Made, Error> {
    let hertz = collide("hertz", 1.0)?.result;
    let (low, high, half, one) =
        (all_on_hertz(0.1)?, all_on_hertz(0.9)?, all_on_hertz(0.5)?, all_on_hertz(1.0)?);
    let is_gharib = |name: &str| name == "Gharib–Hurmuzlu";
    let off =
        |r: &ImpactResult| (r.max_force / hertz.max_force - 1.0).abs().max(1.0 - r.restitution);
    let others = one.iter().filter(|(name, _)| !is_gharib(name));
    let (_, worst) = range(others.map(|(_, r)| off(r)));
    let gharib = one.iter().find(|(name, _)| is_gharib(name)).map_or(0.0, |(_, r)| off(r));
    let shallower: Vec<_> = low
        .iter()
        .zip(&high)
        .map(|((name, a), (_, b))| (*name, a.max_indentation < b.max_indentation))
        .collect();
    let stronger: Vec<_> = low
        .iter()
        .zip(&high)
        .map(|((name, a), (_, b))| (*name, a.max_force > b.max_force))
        .collect();
    let both = shallower.iter().zip(&stronger).all(|(a, b)| a.1 && b.1);
    let all_shallower = shallower.iter().all(|(_, holds)| *holds);
    let pairs: Vec<_> = half.iter().map(|(_, r)| (r.max_force, r.restitution)).collect();
    let (agree, all) = agreement(&pairs, 0.0);
    let mut made = made
        .number("hertz maximum indentation", hertz.max_indentation)
        .number("hertz largest force", hertz.max_force)
        .number("hertz duration", hertz.duration);
    for (name, result) in &half {
        made = made.number(format!("{name} c_r = 0.5 largest force"), result.max_force);
    }
    Ok(made
        .statement(
            "When c_r = 1 the force–indentation diagram is the same as Hertz for the models whose factor tends toward zero.",
            Verdict::when(worst < 1e-9 && gharib > 0.01, Verdict::Unexplained),
            format!(
                "Peak force and restitution at c_r = 1 differ from Hertz by {worst:.0e} at most; Gharib–Hurmuzlu, whose \
                 factor stays at 1, by {gharib:.2}."
            ),
        )
        .statement(
            "If the coefficient of restitution approaches zero, the indentation decreases and the magnitude of the force increases.",
            Verdict::when(both, Verdict::NotReproducible),
            format!(
                "From c_r = 0.9 to 0.1 the indentation decreases for {}; the largest force increases only for {}.",
                if all_shallower { "all laws".to_owned() } else { named(shallower) },
                named(stronger)
            ),
        )
        .statement(
            "For models with dissipation a greater contact force results in a lower energy loss and a higher relative velocity at the end of the contact.",
            Verdict::when(agree == all, Verdict::NotReproducible),
            format!(
                "At c_r = 0.5 the law with the greater peak force returns the higher velocity in {agree} of {all} pairs of laws."
            ),
        ))
}

/// Figure 4.
pub(super) fn judge_speeds(made: Made) -> Result<Made, Error> {
    let hertz = collide("hertz", 1.0)?.result;
    let mut first = 0.0_f64;
    let mut turn = 0.0_f64;
    for c in RESTITUTIONS {
        for (_, result) in all_on_hertz(c)? {
            first = first.max(result.curve.first().map_or(1.0, |s| (s.delta_dot - SPEED).abs()));
            let deepest = result.curve.iter().max_by(|a, b| a.delta.total_cmp(&b.delta));
            // the nearest sample to the deepest point lies within one spacing of it
            turn = turn.max(deepest.map_or(1.0, |s| 1.0 - s.delta / result.max_indentation));
        }
    }
    let half = all_on_hertz(0.5)?;
    let (slow, fast) = range(half.iter().map(|(_, r)| SPEED * r.restitution));
    Ok(made
        .number("hertz final velocity", -SPEED * hertz.restitution)
        .number("slowest return c_r = 0.5", slow)
        .number("fastest return c_r = 0.5", fast)
        .statement(
            "At the start of the contact the relative normal velocity equals 0.3 m/s for all models; it is zero at the largest depth.",
            Verdict::when(first < 1e-12 && turn < 1e-3, Verdict::Unexplained),
            format!("Largest difference from 0.3 m/s: {first} m/s; the turn is a located event."),
        )
        .statement(
            "At the end of the contact for the Hertzian model the relative normal velocity is −0.3 m/s.",
            Verdict::when((hertz.restitution - 1.0).abs() < 1e-9, Verdict::Unexplained),
            format!("{:.9} m/s.", -SPEED * hertz.restitution),
        )
        .statement(
            "Different models result in different relative normal velocities at the contact finish.",
            Verdict::when(fast > 1.1 * slow, Verdict::Unexplained),
            format!("At c_r = 0.5 from −{slow:.4} to −{fast:.4} m/s; 0.15 m/s is specified."),
        ))
}

/// Figure 5.
pub(super) fn judge_forces(made: Made) -> Result<Made, Error> {
    let hertz = collide("hertz", 1.0)?.result;
    let (low, half, high) = (all_on_hertz(0.1)?, all_on_hertz(0.5)?, all_on_hertz(0.9)?);
    let even = asymmetry(&hertz);
    let (uneven, _) = range(half.iter().map(|(_, r)| asymmetry(r)));
    let change: Vec<_> =
        low.iter().zip(&high).map(|((name, a), (_, b))| (*name, a.duration / b.duration)).collect();
    let (least, most) = range(change.iter().map(|(_, ratio)| *ratio));
    let weaker: Vec<_> = low
        .iter()
        .zip(&high)
        .map(|((name, a), (_, b))| (*name, a.max_force < b.max_force))
        .collect();
    let mut shortest = (1.0, "none");
    for c in RESTITUTIONS {
        for (name, result) in all_on_hertz(c)? {
            let ratio = result.duration / hertz.duration;
            if ratio < shortest.0 {
                shortest = (ratio, name);
            }
        }
    }
    let shorter = named(change.iter().map(|(name, ratio)| (*name, *ratio < 1.0)));
    let mut made = made.number("hertz duration", hertz.duration);
    for (name, result) in &low {
        made = made.number(format!("{name} c_r = 0.1 duration"), result.duration);
    }
    Ok(made
        .statement(
            "For Hertz the compression phase is symmetrical to the restitution phase; for models with dissipation it differs.",
            Verdict::when(even < 1e-3 && uneven > 1e-2, Verdict::Unexplained),
            format!(
                "F(t) − F(T − t) is {:.2} % of the largest force for Hertz and at least {:.0} % for the others at c_r = 0.5.",
                100.0 * even,
                100.0 * uneven
            ),
        )
        .statement(
            "If c_r decreases from 1 to 0, the duration of the contact also decreases for some models.",
            Verdict::when(least < 1.0 || shortest.0 < 0.95, Verdict::NotReproducible),
            format!(
                "From c_r = 0.9 to 0.1 the duration becomes {least:.2} to {most:.2} times as long; it decreases for: {shorter}. The shortest of all contacts takes {:.3} of Hertz's time ({}).",
                shortest.0, shortest.1
            ),
        )
        .statement(
            "(Conclusions) The magnitude of the force generally decreases while c_r goes from 1 to 0, but the duration of the contact is constant.",
            Verdict::when(
                weaker.iter().all(|(_, holds)| *holds) && (least - 1.0).abs().max((most - 1.0).abs()) < 0.05,
                Verdict::NotReproducible,
            ),
            format!(
                "This contradicts the statement about figure 3. From c_r = 0.9 to 0.1 the largest force decreases for {}; the \
                 duration becomes up to {most:.1} times as long.",
                named(weaker)
            ),
        ))
}

/// Figure 6.
pub(super) fn judge_spheres(made: Made) -> Result<Made, Error> {
    let half = all_on_hertz(0.5)?;
    // momentum is kept: sphere i goes on at δ̇₀(1 − e_N)/2
    let after = |r: &ImpactResult| 0.5 * SPEED * (1.0 - r.restitution);
    let (slow, fast) = range(half.iter().map(|(_, r)| after(r)));
    let mut made = made;
    for (name, result) in &half {
        made = made.number(format!("{name} c_r = 0.5 sphere i after"), after(result));
    }
    Ok(made.statement(
        "(Conclusions) Different models with a selected value of c_r have a great impact on the dynamical response, i.e. on the velocity of a sphere before, during and after the contact.",
        Verdict::when(fast > 1.5 * slow, Verdict::Unexplained),
        format!(
            "At c_r = 0.5 the striking sphere keeps {slow:.4} to {fast:.4} m/s; c_r specifies {:.4} m/s.",
            0.5 * SPEED * 0.5
        ),
    ))
}

/// Figure 7.
pub(super) fn judge_energy(made: Made) -> Result<Made, Error> {
    let hertz = collide("hertz", 1.0)?.result;
    let before = EFFECTIVE_MASS * SPEED * SPEED;
    let mut spreads = Vec::new();
    let mut without = Vec::new();
    for c in RESTITUTIONS {
        let all = all_on_hertz(c)?;
        let loss = |(_, r): &(&str, ImpactResult)| r.energy_lost / before;
        let (least, most) = range(all.iter().map(loss));
        spreads.push((c, least, most));
        let (least, most) =
            range(all.iter().filter(|(name, _)| *name != "Gharib–Hurmuzlu").map(loss));
        without.push((c, least, most));
    }
    let width = |(_, least, most): &(f64, f64, f64)| most - least;
    // c_r rises along the list
    let grows = spreads.windows(2).all(|w| matches!(w, [a, b] if width(a) > width(b)));
    let differs = spreads.iter().all(|(_, least, most)| *most > 1.5 * least);
    let losses: Vec<_> = spreads
        .iter()
        .map(|(c, a, b)| format!("{:.1}…{:.1} % at {c}", 100.0 * a, 100.0 * b))
        .collect();
    let points = |spreads: &[(f64, f64, f64)]| {
        let words: Vec<_> = spreads.iter().map(|s| format!("{:.1}", 100.0 * width(s))).collect();
        words.join(", ")
    };
    let mut made = made.number("energy before", before);
    for (c, least, most) in &spreads {
        made = made.number(format!("least loss c_r = {c}"), *least);
        made = made.number(format!("largest loss c_r = {c}"), *most);
    }
    Ok(made
        .statement(
            "The Hertzian model does not dissipate: the kinetic energy after the contact equals that before.",
            Verdict::when((hertz.energy_lost / before).abs() < 1e-9, Verdict::Unexplained),
            format!("Fraction of the energy lost: {:.0e}.", (hertz.energy_lost / before).abs()),
        )
        .statement(
            "(Conclusions) The dissipated energy varies significantly between the models.",
            Verdict::when(differs, Verdict::Unexplained),
            format!(
                "Loss of the laws on Hertz's spring relative to the energy before: {}.",
                losses.join(", ")
            ),
        )
        .statement(
            "(Conclusions) This difference increases when c_r nears zero.",
            Verdict::when(grows, Verdict::NotReproducible),
            format!(
                "The spread is {} points at c_r = 0.1, 0.3, 0.5, 0.7, 0.9. Without Gharib–Hurmuzlu, whose factor does not vanish at \
                 c_r = 1, it is {}: it grows down to 0.3 and no further.",
                points(&spreads),
                points(&without)
            ),
        ))
}
