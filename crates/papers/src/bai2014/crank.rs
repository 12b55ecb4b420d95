//! The slider-crank with a clearance joint between rod and slider: figures 4, 5 and 6.

use jointplay_mbd::Sampling;
use jointplay_report::{Axis, Figure, Legend, Series};
use jointplay_study::case::Case;
use jointplay_study::contacts::JointSummary;
use jointplay_study::run::Run;
use rayon::prelude::*;

use crate::machine::{Curve, curve, first_contact, joint, largest, run, thinned, with};
use crate::{Error, Made, Verdict, law_color};

const FILE: &str = jointplay_models::SLIDER_CRANK;

/// Name, catalogue id of its colour, law of the model file.
type Law = (&'static str, &'static str, &'static str);

/// The laws that the figures compare.
const LAWS: [Law; 5] = [
    ("linear spring-damper", "linear", "kelvin-voigt+bai-zhao-friction"),
    ("Hertz", "hertz", "hertz+bai-zhao-friction"),
    ("Hunt–Crossley", "hunt-crossley", "hunt-crossley+bai-zhao-friction"),
    ("Lankarani–Nikravesh", "lankarani-nikravesh", "lankarani-nikravesh+bai-zhao-friction"),
    ("hybrid", "bai-zhao", "hybrid+bai-zhao-friction"),
];

/// K and b of section 5; the force may pull.
const LINEAR: [(&str, &str); 3] = [
    ("joints.pin.law.stiffness", "1.0549e11 N/m"),
    ("joints.pin.law.damping_coefficient", "1e3 N s/m"),
    ("joints.pin.adhesive", "true"),
];

const FRICTION: [(&str, &str); 4] = [
    ("joints.pin.law.mu_static", "0.015"),
    ("joints.pin.law.mu_dynamic", "0.01"),
    ("joints.pin.law.slip_speed", "1 mm/s"),
    ("joints.pin.law.dynamic_speed", "10 mm/s"),
];

/// Parts of the time axis of which each keeps its extremes.
const PARTS: usize = 300;

/// The revolution that is shown (s): the second one, after the start has died away.
const SHOWN: [f64; 2] = [0.3, 0.6];

/// What one figure shows of the motion.
struct Plotted {
    channel: &'static str,
    label: &'static str,
    unit: &'static str,
    /// From SI to the unit of the axis.
    scale: f64,
}

/// The motion with each law, with its quantity over time, and the same of the ideal mechanism.
struct Runs {
    motions: Vec<Run>,
    curves: Vec<Curve>,
    ideal: Curve,
}

impl Runs {
    fn new(channel: &str) -> Result<Self, Error> {
        let with_law = |(_, id, law): &Law| {
            let linear: &[(&str, &str)] = if *id == "linear" { &LINEAR } else { &[] };
            let case = with(with(Case::of_text(FILE), linear), &FRICTION).law(*law);
            run(&case, Sampling::EveryStep)
        };
        let motions: Result<Vec<Run>, Error> = LAWS.par_iter().map(with_law).collect();
        let motions = motions?;
        let curves: Result<Vec<_>, Error> = motions.iter().map(|m| curve(m, channel)).collect();
        let ideal = run(&Case::of_text(FILE).ideal(), Sampling::Interval(2e-5))?;
        let ideal = curve(&ideal, channel)?;
        Ok(Runs { motions, curves: curves?, ideal })
    }

    /// The figure with its remarks and the statements that all three share.
    fn made(&self, quantity: &Plotted) -> Result<Made, Error> {
        let Plotted { label, unit, scale, .. } = quantity;
        let scaled = |curve: &[(f64, f64)]| {
            let points: Vec<_> = within(curve, SHOWN).map(|(t, y)| (t, scale * y)).collect();
            thinned(&points, PARTS)
        };
        let panel = |((name, id, _), curve): (&Law, &Curve)| {
            let time = Axis::linear("t", "s").within(SHOWN[0], SHOWN[1]);
            let curve = Series::line(*name, scaled(curve)).with_color(law_color(id)).solid();
            let ideal = Series::line("ideal joint", scaled(&self.ideal));
            Figure::new(*name, time, Axis::linear(*label, *unit))
                .with_series(curve)
                .with_series(ideal.with_color(law_color("ideal")).dashed().strong())
                .with_size(430.0, 190.0)
                .with_legend(Legend::None)
        };
        let panels = LAWS.iter().zip(&self.curves).map(panel).collect();
        let second = self.largest(SHOWN)?;
        let [linear, hertz, hc, ln, hybrid] = self.largest([0.0, 0.6])?;
        let show = |value: f64| significant(scale * value);
        let ideal = largest(&self.ideal);
        let damped = hc.max(ln).max(hybrid);
        let steady = second[2..].iter().fold(0.0_f64, |most, peak| peak.max(most));
        let made = Made::figure(panels, 2)
            .remark(
                "The second of two revolutions at 200 rpm; dashed: the ideal joint. Start: stretched, journal centred, velocities of the \
                 ideal mechanism. Journal 10 mm, clearance 0.25 mm, c = 0.46, friction 0.015 → 0.01 between 1 and 10 mm/s \
                 (radii, static friction and speeds are not printed), no gravity. The scales of the axes are ours.",
            )
            .remark(
                "The figure keeps the minimum and the maximum of each millisecond (taken at integration steps, within 1 % of \
                 the true peak). With the linear law and with Hertz's \
                 the motion is chaotic: after 0.05 s the curves are examples, and only their statistics are meaningful.",
            )
            .number("ideal largest", ideal)
            .statement(
                "With the linear law it is obviously shaking with very high peaks.",
                Verdict::when(linear > 10.0 * ideal, Verdict::Unexplained),
                format!(
                    "Largest of both revolutions {} {unit}, {:.0} times that of the ideal joint ({} {unit}).",
                    show(linear),
                    linear / ideal,
                    show(ideal)
                ),
            )
            .statement(
                "The peaks from the Hertz model are lower than those of the linear model.",
                Verdict::when(hertz < linear && second[1] < second[0], Verdict::Unexplained),
                format!(
                    "{} {unit} against {} {unit}, in the second revolution {} against {} {unit}.",
                    show(hertz),
                    show(linear),
                    show(second[1]),
                    show(second[0])
                ),
            )
            .statement(
                "With Hunt–Crossley, Lankarani–Nikravesh and the hybrid model the peaks are lower than with Hertz.",
                Verdict::when(damped < hertz && steady < second[1], Verdict::Unexplained),
                format!(
                    "{}, {} and {} {unit} against {} {unit}, in the second revolution {}, {} and {} against {} {unit}.",
                    show(hc),
                    show(ln),
                    show(hybrid),
                    show(hertz),
                    show(second[2]),
                    show(second[3]),
                    show(second[4]),
                    show(second[1])
                ),
            );
        Ok(made)
    }

    /// Largest magnitude within a span of time with each law.
    fn largest(&self, span: [f64; 2]) -> Result<[f64; 5], Error> {
        let of = |curve: &Curve| largest(&within(curve, span).collect::<Vec<_>>());
        let peaks: Vec<f64> = self.curves.iter().map(of).collect();
        peaks.try_into().map_err(|_| Error::Run("five laws are to be compared".to_owned()))
    }

    /// Root mean square of the difference from the ideal mechanism in the shown revolution, with each law.
    fn shaking(&self) -> Vec<f64> {
        self.curves.iter().map(|curve| rms(curve, &self.ideal)).collect()
    }
}

/// The points within a span of time.
fn within(curve: &[(f64, f64)], [start, end]: [f64; 2]) -> impl Iterator<Item = (f64, f64)> {
    curve.iter().copied().filter(move |(t, _)| (start..=end).contains(t))
}

/// √(∫(y − z)² dt / ∫dt) in the shown revolution, z the last point of the dense curve before each of the other.
fn rms(curve: &[(f64, f64)], dense: &[(f64, f64)]) -> f64 {
    let off = |(t, y): (f64, f64)| {
        let next = dense.partition_point(|(other, _)| *other <= t);
        (t, y - dense.get(next.saturating_sub(1)).map_or(0.0, |point| point.1))
    };
    let points: Vec<_> = within(curve, SHOWN).map(off).collect();
    let sum = points.windows(2).fold((0.0, 0.0), |(squares, time), pair| {
        let [(t, y), (u, z)] = [pair[0], pair[1]];
        (squares + (u - t) * (y * y + y * z + z * z) / 3.0, time + (u - t))
    });
    (sum.0 / sum.1).sqrt()
}

/// A number with about four digits.
fn significant(value: f64) -> String {
    let decimals = [1e3, 1e2, 1e1].iter().filter(|size| value.abs() < **size).count();
    format!("{value:.decimals$}")
}

/// Figure 4.
pub(super) fn acceleration() -> Result<Made, Error> {
    let quantity = Plotted { channel: "slider.ax", label: "a", unit: "m/s²", scale: 1.0 };
    let runs = Runs::new(quantity.channel)?;
    let mut made = runs.made(&quantity)?;
    for ((name, ..), motion) in LAWS.iter().zip(&runs.motions) {
        let first = first_contact(motion)?;
        made = made.number(format!("{name}: first impact"), first.start);
    }
    let ln = joint(&runs.motions[3])?;
    let hertz = joint(&runs.motions[1])?;
    let of = |joint: &JointSummary| joint.contact_fraction.unwrap_or_default();
    let shaking = runs.shaking();
    let damped = &shaking[2..];
    let most = damped.iter().fold(0.0_f64, |most, one| one.max(most));
    let least = damped.iter().fold(f64::INFINITY, |least, one| one.min(least));
    Ok(made
        .statement(
            "All three dissipative contact force models produce nearly similar results.",
            Verdict::when(most / least < shaking[1] / most, Verdict::Unexplained),
            format!(
                "They are closer to each other than to Hertz: in the second revolution the acceleration differs from that of the ideal \
                 mechanism by {:.1}, {:.1} and {:.1} m/s² (root mean square), with Hertz by {:.1}, with the linear law by {:.0} m/s². \
                 Single peaks are not similar, see above.",
                shaking[2], shaking[3], shaking[4], shaking[1], shaking[0]
            ),
        )
        .statement(
            "The hybrid model and experimental data match quite well.",
            Verdict::NotReproducible,
            "The measured data are not published, and radii, centre of mass, gravity and start of the mechanism are not printed: we \
             compare our curves with the ideal mechanism instead.",
        )
        .statement(
            "Damping plays a crucial role in these types of contact event.",
            Verdict::when(of(ln) > 2.0 * of(hertz), Verdict::Unexplained),
            format!(
                "With Lankarani–Nikravesh the joint is in contact during {:.1} % of the time ({} contacts), with Hertz during {:.1} % \
                 ({} contacts).",
                100.0 * of(ln),
                ln.impacts,
                100.0 * of(hertz),
                hertz.impacts
            ),
        ))
}

/// Figure 5.
pub(super) fn force() -> Result<Made, Error> {
    let quantity = Plotted { channel: "pin.force", label: "F", unit: "N", scale: 1.0 };
    let runs = Runs::new(quantity.channel)?;
    let mut made = runs.made(&quantity)?;
    let mut first = Vec::new();
    for ((name, ..), motion) in LAWS.iter().zip(&runs.motions) {
        let peak = first_contact(motion)?.max_force;
        made = made.number(format!("{name}: first peak"), peak);
        first.push(peak);
    }
    let [linear, hertz, hc, ln, hybrid] = first[..] else {
        return Err(Error::Run("five laws are to be compared".to_owned()));
    };
    Ok(made.statement(
        "The order of the peaks: linear, Hertz, then Hunt–Crossley and Lankarani–Nikravesh, then the hybrid model.",
        Verdict::when(
            linear > hertz && hertz > hc.max(ln) && hc.min(ln) > hybrid,
            Verdict::Unexplained,
        ),
        format!(
            "At the first impact, the same for all laws (4.42296 ms, 0.112919 m/s): {linear:.0}, {hertz:.1}, {hc:.1}, {ln:.1} and \
             {hybrid:.1} N."
        ),
    ))
}

/// Figure 6.
pub(super) fn moment() -> Result<Made, Error> {
    let quantity = Plotted { channel: "motor.torque", label: "M", unit: "N m", scale: 1.0 };
    let runs = Runs::new(quantity.channel)?;
    let made = runs.made(&quantity)?;
    let ideal = largest(&runs.ideal);
    let least = runs.largest(SHOWN)?.into_iter().fold(f64::INFINITY, f64::min);
    Ok(made.statement(
        "The acceleration and the crank moment of the mechanism with clearance shake, and their amplitude increases from the \
         mechanism without clearance (section 6).",
        Verdict::when(least > ideal, Verdict::Unexplained),
        format!("Even the lowest of the five peaks of the second revolution is {:.1} times that of the ideal mechanism.", least / ideal),
    ))
}
