//! Figures 7–13.

use jointplay_report::{Axis, Figure, Series};
use jointplay_study::contacts::Episode;
use rayon::prelude::*;

use super::joints::{
    Component, LAWS, Law, Measured, WINDOW, bore, difference, ideal, short_slot, slot,
};
use crate::machine::{Curve, curve, first_contact, joint, largest};
use crate::{Error, Made, Verdict, law_color};

const END: f64 = 60.0;

fn axis(component: Component) -> Axis {
    match component {
        Component::X => Axis::linear("F_x", "N"),
        Component::Y => Axis::linear("F_y", "N"),
    }
}

fn frame(title: &str, y: Axis) -> Figure {
    Figure::new(title, Axis::linear("t", "ms").within(0.0, END), y).with_size(620.0, 300.0)
}

const ASSUMED: &str = "Force, spring and start are not printed: we assume 1.6 N at (0, 10) mm and 100 N/m with 0.8 N (see table 3), so \
                       magnitudes and times are ours; the friction coefficient is 0.51, regularised below 1 mm/s. The curves are \
                       the paper's moving average of 301 points at 51.2 kHz (5.88 ms), computed exactly from the momentum, because samples \
                       would miss impacts shorter than their interval. At the ends of the record the window is shorter.";

const UNMEASURED: &str = "The measured data are not published, so our curve is shown alone.";

/// Figure 7.
pub(super) fn push() -> Result<Made, Error> {
    let run = Measured::new(slot("lankarani-nikravesh"))?;
    let raw: Vec<_> = curve(&run.run, "push.fx")?.iter().map(|(t, f)| (1e3 * t, *f)).collect();
    // ∫F dt by the trapezoidal rule (mN s, for ms).
    let impulse: f64 =
        raw.windows(2).map(|pair| 0.5 * (pair[1].0 - pair[0].0) * (pair[0].1 + pair[1].1)).sum();
    let width = 1e3 * WINDOW as f64 / 51_200.0;
    let figure = frame("", Axis::linear("F_x", "N").within(-0.5, 2.0))
        .with_series(Series::line("PSCJ model", raw.iter().step_by(16).copied()).with_color(0));
    Ok(Made::figure(vec![figure], 1)
        .remark("Half-sine of 39.1 ms with the amplitude that we assume, 1.6 N, on the axes of the paper.")
        .remark(UNMEASURED)
        .number("impulse (mN s)", impulse)
        .statement(
            "A central moving average of 301 acquired points (≈ 6 ms) was used.",
            Verdict::when((width - 6.0).abs() < 0.5, Verdict::Unexplained),
            format!("301 points at 51.2 kHz are {width:.2} ms."),
        )
        .statement(
            "The force was modelled so that for [0, 39.1 ms] the impulses of measurement and model are equal.",
            Verdict::NotReproducible,
            format!("Neither the amplitude nor the measured impulse is printed; ours has {impulse:.2} mN s."),
        ))
}

/// The common part of figures 8 and 9.
fn of_slot(component: Component) -> Result<(Measured, Curve, Made), Error> {
    let run = Measured::new(slot("lankarani-nikravesh"))?;
    let curve = run.averaged(component)?;
    let line = Series::line("PSCJ model", curve.iter().step_by(4).copied());
    let figure =
        frame("", axis(component)).with_series(line.with_color(law_color("lankarani-nikravesh")));
    let made = Made::figure(vec![figure], 1).remark(ASSUMED).remark(UNMEASURED);
    Ok((run, curve, made))
}

/// Figure 8.
pub(super) fn slot_x() -> Result<Made, Error> {
    let (run, curve, made) = of_slot(Component::X)?;
    let (first, joint) = (first_contact(&run.run)?, joint(&run.run)?);
    let most = largest(&curve);
    Ok(made
        .number("first contact", first.start)
        .number("impact speed of the first contact", first.impact_speed)
        .number("peak force of the first contact", first.max_force)
        .statement(
            "The x component of the contact force shows good agreement with the experiment (axis ± 2 N).",
            Verdict::NotReproducible,
            format!(
                "No measured data. Ours stays within ± {most:.2} N after averaging, though the contact itself reaches {:.0} N.",
                joint.peak_force.unwrap_or_default()
            ),
        )
        .statement(
            "Three situations: no contact, contact at the straight edge, contact at the end (figure 2).",
            Verdict::when(
                ["flat", "end"].iter().all(|region| {
                    run.run.contacts().episodes.iter().any(|e| e.regions.iter().any(|r| r.contains(region)))
                }),
                Verdict::Unexplained,
            ),
            format!(
                "{} contacts with flats and ends, in contact during {:.1} % of the time; the first at {:.4} ms and {:.5} m/s on a flat.",
                joint.impacts,
                100.0 * joint.contact_fraction.unwrap_or_default(),
                1e3 * first.start,
                first.impact_speed
            ),
        ))
}

/// Figure 9.
pub(super) fn slot_y() -> Result<Made, Error> {
    let (run, curve, made) = of_slot(Component::Y)?;
    let seam = joint(&run.run)?.seam_energy.unwrap_or_default();
    Ok(made
        .number("largest before 20 ms", largest(&until(&curve, 20.0)))
        .statement(
            "Different contact parameters have to be considered on the flat and on the cylindrical surface.",
            Verdict::when(seam.abs() > 0.0, Verdict::Unexplained),
            format!(
                "The two stiffnesses (2.595·10⁹ and 1.835·10¹⁰ N/m^1.5) make the force jump where a contact passes from a flat to an end: \
                 this adds {:.2} µJ, which the energy ledger records.",
                1e6 * seam
            ),
        ))
}

fn until(curve: &[(f64, f64)], end: f64) -> Vec<(f64, f64)> {
    curve.iter().copied().filter(|(t, _)| *t <= end).collect()
}

/// Slot, bore and ideal joint, averaged.
fn of_joints(component: Component) -> Result<[Curve; 3], Error> {
    let runs: Result<Vec<_>, Error> = [slot("lankarani-nikravesh"), bore(), ideal()]
        .into_par_iter()
        .map(|machine| Measured::new(machine)?.averaged(component))
        .collect();
    runs?.try_into().map_err(|_| Error::Run("three joints are to be compared".to_owned()))
}

fn joints_figure(component: Component, curves: &[Curve; 3]) -> Figure {
    let names =
        [("PSCJ model", "lankarani-nikravesh"), ("RCJ model", "flores"), ("IRJ model", "hertz")];
    let add = |figure: Figure, ((name, id), curve): ((&str, &str), &Curve)| {
        let line = Series::line(name, curve.iter().step_by(4).copied());
        figure.with_series(line.with_color(law_color(id)))
    };
    names.into_iter().zip(curves).fold(frame("", axis(component)), add)
}

/// The common part of figures 10 and 11.
fn joints_made(component: Component) -> Result<(Made, [Curve; 3]), Error> {
    let curves = of_joints(component)?;
    let [slot, bore, ideal] = &curves;
    let apart = [bore, ideal].map(|other| difference(slot, other, 0.0, END));
    let near = difference(bore, ideal, 0.0, END);
    let figure = joints_figure(component, &curves);
    let made = Made::figure(vec![figure], 1)
        .remark(ASSUMED)
        .number("ideal joint largest", largest(ideal))
        .number("bore largest before 10 ms", largest(&until(bore, 10.0)))
        .statement(
            "RCJ and IRJ would result in significantly different results when compared to the PSCJ.",
            Verdict::when(apart[0] > near && apart[1] > near, Verdict::NotReproducible),
            format!(
                "The curve of the slot is {:.2} N from that of the bore and {:.2} N from that of the ideal joint (root mean square); these two \
                 are {near:.2} N apart.",
                apart[0], apart[1]
            ),
        );
    Ok((made, curves))
}

/// Figure 10.
pub(super) fn joints_x() -> Result<Made, Error> {
    let (made, [slot, bore, ideal]) = joints_made(Component::X)?;
    let peaks = [&slot, &bore, &ideal].map(|curve| largest(curve));
    Ok(made.statement(
        "Due to the extra unconstrained movement along the slot the contact force has lower values.",
        Verdict::when(peaks[0] < peaks[1].min(peaks[2]), Verdict::NotReproducible),
        format!(
            "Largest averaged force in x: slot {:.2} N, bore {:.2} N, ideal {:.2} N. It depends on the force, the spring and the start, \
             which are not printed.",
            peaks[0], peaks[1], peaks[2]
        ),
    ))
}

/// Figure 11, and the limit of a slot without length.
pub(super) fn joints_y() -> Result<Made, Error> {
    let (mut made, [_, bore_curve, _]) = joints_made(Component::Y)?;
    let lengths = [2.0, 0.2, 2e-2, 2e-3, 2e-4, 2e-5];
    let off: Result<Vec<(f64, f64)>, Error> = lengths
        .par_iter()
        .map(|length| {
            let curve = Measured::new(short_slot(*length))?.averaged(Component::Y)?;
            Ok((*length, difference(&curve, &bore_curve, 0.0, END)))
        })
        .collect();
    let off = off?;
    let (longest, shortest) = (off[0].1, off[off.len() - 1].1);
    let falls = off.windows(2).all(|pair| pair[1].1 < pair[0].1);
    let listed: Vec<_> = off.iter().map(|(_, difference)| format!("{difference:.1e}")).collect();
    let limit = Figure::new(
        "limit of a short slot",
        Axis::log("slot length L", "mm"),
        Axis::log("difference from RCJ", "N"),
    )
    .with_series(Series::markers("", off.clone()).with_color(0))
    .with_series(Series::line("", off).with_color(0))
    .with_size(620.0, 240.0);
    if let Some(page) = &mut made.figure {
        page.panels.push(limit);
        "three joints".clone_into(&mut page.panels[0].title);
    }
    Ok(made
        .remark(
            "Below: the body with a slot of length L instead of the bore; root mean square of the difference in averaged F_y.",
        )
        .statement(
            "In the limit case of PSCJ when the slot length L is equal to 0, we obtain a basic RCJ.",
            Verdict::when(falls && shortest < 0.01 * longest, Verdict::Unexplained),
            format!(
                "From 2 mm to 20 nm, ten times shorter each time, the difference is {} N.",
                listed.join(", ")
            ),
        ))
}

/// The common part of figures 12 and 13: the averaged force with each law.
fn of_laws(component: Component) -> Result<(Made, Vec<Measured>, Vec<Curve>), Error> {
    let runs: Result<Vec<Measured>, Error> =
        LAWS.par_iter().map(|(.., law)| Measured::new(slot(law))).collect();
    let runs = runs?;
    let curves: Result<Vec<_>, Error> = runs.iter().map(|run| run.averaged(component)).collect();
    let curves = curves?;
    let add = |figure: Figure, ((name, id, _), curve): (&Law, &Curve)| {
        let line = Series::line(*name, curve.iter().step_by(4).copied());
        figure.with_series(line.with_color(law_color(id)))
    };
    let figure = LAWS.iter().zip(&curves).fold(frame("", axis(component)), add);
    let off: Vec<f64> =
        curves.iter().map(|curve| difference(curve, &curves[0], 0.0, END)).collect();
    let sampled: Result<Vec<_>, Error> = runs.iter().map(|run| run.sampled(component)).collect();
    let sampled = sampled?;
    let rough: Vec<f64> =
        sampled.iter().map(|curve| difference(curve, &sampled[0], 0.0, END)).collect();
    let shortest =
        runs[2].run.contacts().episodes.iter().map(Episode::duration).fold(1.0, f64::min);
    let made = Made::figure(vec![figure], 1)
        .remark(ASSUMED)
        .remark(
            "Kelvin–Voigt is eq. (24), a spring that is softer during unloading, with the values of K in N/m, regularised at 0.1 mm/s. \
             Johnson's law takes W = 0.08 m, ΔR = 0.05 mm on the ends and the pin radius on the flats, where it is meaningless (erratum \
             26); with dissipation it has the factor of Lankarani–Nikravesh.",
        )
        .statement(
            "The Kelvin–Voigt model gives wrong results; Johnson and Hertz are closer to Lankarani–Nikravesh.",
            Verdict::when(off[1].max(off[3]).max(off[4]) < off[2], Verdict::NotReproducible),
            format!(
                "Distance from Lankarani–Nikravesh (root mean square of the averaged curves): Hertz {:.2}, Kelvin–Voigt {:.2}, Johnson \
                 {:.2}, with dissipation {:.2} N. A mean of 301 samples gives {:.2}, {:.2}, {:.2} and {:.2} N: with Kelvin–Voigt impacts \
                 last down to {:.0} µs, less than the {:.1} µs between samples, which then miss them.",
                off[1],
                off[2],
                off[3],
                off[4],
                rough[1],
                rough[2],
                rough[3],
                rough[4],
                1e6 * shortest,
                1e6 / 51_200.0
            ),
        );
    Ok((made, runs, curves))
}

/// Figure 12.
pub(super) fn laws_x() -> Result<Made, Error> {
    let (mut made, runs, curves) = of_laws(Component::X)?;
    for ((name, ..), run) in LAWS.iter().zip(&runs) {
        made = made.number(format!("{name}: first peak"), first_contact(&run.run)?.max_force);
    }
    let last =
        |curve: &Curve| largest(&curve.iter().copied().filter(|p| p.0 > 50.0).collect::<Vec<_>>());
    let ends: Vec<f64> = curves.iter().map(last).collect();
    let hardest = joint(&runs[0].run)?.peak_force_time.unwrap_or_default();
    let early: Vec<f64> = [1, 3].map(|i| difference(&curves[i], &curves[0], 0.0, 30.0)).to_vec();
    let late: Vec<f64> = [1, 3].map(|i| difference(&curves[i], &curves[0], 30.0, END)).to_vec();
    Ok(made
        .statement(
            "Before the final impact, at around 30 ms, the contact forces with Johnson, Hertz and Lankarani–Nikravesh are similar.",
            Verdict::when(early[0] < late[0] && early[1] < late[1], Verdict::NotReproducible),
            format!(
                "Distance from Lankarani–Nikravesh before and after 30 ms: Hertz {:.2} and {:.2} N, Johnson {:.2} and {:.2} N. Our \
                 hardest impact is at {:.1} ms.",
                early[0],
                late[0],
                early[1],
                late[1],
                1e3 * hardest
            ),
        )
        .statement(
            "The contact force at the steady state at the end is larger when the dissipation is not considered, especially in x.",
            Verdict::when(ends[1].min(ends[3]) > ends[0].max(ends[4]), Verdict::NotReproducible),
            format!(
                "Largest averaged F_x after 50 ms: Hertz {:.2} N and Johnson {:.2} N without, Lankarani–Nikravesh {:.2} N and Johnson \
                 {:.2} N with dissipation. The end of the motion depends on data that are not printed.",
                ends[1], ends[3], ends[0], ends[4]
            ),
        ))
}

/// Figure 13.
pub(super) fn laws_y() -> Result<Made, Error> {
    let (made, runs, _) = of_laws(Component::Y)?;
    let out = |i: usize| -> Result<f64, Error> {
        let first = runs.get(i).map(|run| first_contact(&run.run)).transpose()?;
        Ok(first.and_then(|episode| episode.restitution).unwrap_or_default())
    };
    let (kelvin, lankarani) = (out(2)?, out(0)?);
    // Eq. (24) returns a fraction c_r of the energy.
    let two_slopes = 0.4_f64.sqrt();
    Ok(made
        .number("Kelvin–Voigt: restitution of the first impact", kelvin)
        .statement(
            "Eq. (24) is the Kelvin–Voigt model, one of the first with a linear spring and damper in parallel.",
            Verdict::when((kelvin - 0.4).abs() < (two_slopes - 0.4).abs() / 2.0, Verdict::Erratum(26)),
            format!(
                "It is not a damper but a spring with two slopes, which returns √c_r = {two_slopes:.3} of the speed: at the first impact \
                 {kelvin:.3} (Lankarani–Nikravesh {lankarani:.3}) where 0.4 is specified. Its K is the value in N/m^1.5 read as N/m: \
                 the first peak is {:.0} N instead of {:.1} N.",
                first_contact(&runs[2].run)?.max_force,
                first_contact(&runs[0].run)?.max_force
            ),
        ))
}
