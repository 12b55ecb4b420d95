//! The T-shaped body on its pin, and its forces in the form of the paper's figures.

use jointplay_mbd::Sampling;
use jointplay_study::case::Case;
use jointplay_study::run::Run;

use crate::Error;
use crate::machine::{self, Curve, with};

const SLOT: &str = jointplay_models::PIN_SLOT;
const BORE: &str = jointplay_models::PIN_SLOT_REVOLUTE;

/// Samples per second of the measurement.
const RATE: f64 = 51_200.0;

/// Mass of the body with the bore (kg).
const BORE_MASS: f64 = 32.74e-3;

/// Points of the central moving average.
pub(super) const WINDOW: usize = 301;

/// Name, catalogue id of the colour, law.
pub(super) type Law = (&'static str, &'static str, &'static str);

/// Laws of figures 12 and 13.
pub(super) const LAWS: [Law; 5] = [
    ("Lankarani–Nikravesh", "lankarani-nikravesh", "lankarani-nikravesh"),
    ("Hertz", "hertz", "hertz"),
    ("Kelvin–Voigt", "kelvin-voigt", "linear+kelvin-voigt-restitution"),
    ("Johnson", "johnson", "johnson"),
    ("Johnson with dissipation", "pereira", "johnson+lankarani-nikravesh"),
];

const FRICTION: [(&str, &str); 2] =
    [("joints.pin.law.mu", "0.51"), ("joints.pin.law.slip_speed", "1 mm/s")];

/// The keys that a law needs in addition to its name.
fn keys(law: &str) -> &'static [(&'static str, &'static str)] {
    match law.split('+').next() {
        Some("linear") => &[
            ("joints.pin.law.smoothing_speed", "0.1 mm/s"),
            ("joints.pin.laws.flat.stiffness", "2.594739413584824e9 N/m"),
            ("joints.pin.laws.end.stiffness", "1.834757834757832e10 N/m"),
        ],
        Some("johnson") => {
            &[("joints.pin.length", "80 mm"), ("joints.pin.laws.flat.clearance", "2.45 mm")]
        }
        _ => &[],
    }
}

/// The pin in the slot with one of the laws and the paper's friction.
pub(super) fn slot(law: &str) -> (Case, f64) {
    let case = with(with(Case::of_text(SLOT), keys(law)), &FRICTION);
    (case.law(format!("{law}+coulomb-tanh")), 32.54e-3)
}

/// The pin in the bore.
pub(super) fn bore() -> (Case, f64) {
    let case = with(Case::of_text(BORE), &FRICTION).law("lankarani-nikravesh+coulomb-tanh");
    (case, BORE_MASS)
}

/// The body in a bore without clearance.
pub(super) fn ideal() -> (Case, f64) {
    (Case::of_text(BORE).ideal(), BORE_MASS)
}

/// The body with a slot of this length (mm) instead of the bore.
pub(super) fn short_slot(length: f64) -> (Case, f64) {
    let end = -49.0 + length;
    let path = format!(
        "{{ from = [\"-49 mm\", \"0.076 mm\"], to = [\"{end} mm\", \"0.076 mm\"], width = \"5 mm\" }}"
    );
    let keys = [
        ("bodies.plate.mass", "32.74 g"),
        ("bodies.plate.inertia", "21.40e-6 kg m^2"),
        ("bodies.plate.position", "[\"49 mm\", \"-0.076 mm\"]"),
        ("forces.spring.free_length", "0.032000072199934844"),
        ("joints.pin.path", &path),
    ];
    (with(slot("lankarani-nikravesh").0, &keys), BORE_MASS)
}

/// A component of the contact force on the pin.
#[derive(Clone, Copy, Debug)]
pub(super) enum Component {
    X,
    Y,
}

/// A run, kept at twice the rate of the measurement.
pub(super) struct Measured {
    pub(super) run: Run,
    /// The samples among the kept instants, which include the events.
    places: Vec<usize>,
    /// Mass of the body (kg).
    mass: f64,
}

impl Measured {
    pub(super) fn new((case, mass): (Case, f64)) -> Result<Self, Error> {
        let run = machine::run(&case, Sampling::Interval(0.5 / RATE))?;
        let mut places = Vec::new();
        let mut next = 0.0;
        for (i, t) in run.channels.times.iter().enumerate() {
            if (2.0 * t * RATE - next).abs() < 1e-6 {
                places.push(i);
                next += 1.0;
            }
        }
        Ok(Measured { run, places, mass })
    }

    /// The mean of the force on the pin over a window around each instant (ms, N), at the ends of the record over the part
    /// that exists. It is the impulse of push and spring minus the change of momentum, so that impacts between two samples count.
    pub(super) fn averaged(&self, component: Component) -> Result<Curve, Error> {
        let [velocity, push, spring] = match component {
            Component::X => ["plate.vx", "push.fx", "spring.fx"],
            Component::Y => ["plate.vy", "push.fy", "spring.fy"],
        };
        let channel = |name: &str| machine::channel(&self.run, name);
        let (push, spring, velocity) = (channel(push)?, channel(spring)?, channel(velocity)?);
        let times = &self.run.channels.times;
        let mut impulse = 0.0;
        let mut before: Option<(f64, f64)> = None;
        let mut kept = Vec::with_capacity(self.places.len());
        for i in &self.places {
            let (t, force) = (times[*i], push[*i] + spring[*i]);
            if let Some((earlier, other)) = before.replace((t, force)) {
                impulse += 0.5 * (t - earlier) * (force + other);
            }
            kept.push((t, impulse - self.mass * velocity[*i]));
        }
        let mean = |i: usize| {
            let (start, end) =
                (kept[i.saturating_sub(WINDOW)], kept[(i + WINDOW).min(kept.len() - 1)]);
            (1e3 * kept[i].0, (end.1 - start.1) / (end.0 - start.0))
        };
        Ok((0..kept.len()).step_by(2).map(mean).collect())
    }
}

impl Measured {
    /// The mean of the samples themselves, as the paper takes it: impacts between two samples are missed.
    pub(super) fn sampled(&self, component: Component) -> Result<Curve, Error> {
        let channel = match component {
            Component::X => "pin.fx",
            Component::Y => "pin.fy",
        };
        let values = machine::channel(&self.run, channel)?;
        let times = &self.run.channels.times;
        let samples: Vec<_> =
            self.places.iter().step_by(2).map(|i| (times[*i], values[*i])).collect();
        let half = WINDOW / 2;
        let mean = |i: usize| {
            let part = &samples[i.saturating_sub(half)..(i + half + 1).min(samples.len())];
            let sum: f64 = part.iter().map(|sample| sample.1).sum();
            (1e3 * samples[i].0, sum / part.len() as f64)
        };
        Ok((0..samples.len()).map(mean).collect())
    }
}

/// Root mean square of the difference of two averaged curves, between two times (ms).
pub(super) fn difference(a: &[(f64, f64)], b: &[(f64, f64)], from: f64, to: f64) -> f64 {
    let squares = a.iter().zip(b).filter(|(a, _)| (from..=to).contains(&a.0));
    let squares: Vec<f64> = squares.map(|(a, b)| (a.1 - b.1).powi(2)).collect();
    (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newton's law: the mean from the momentum is that of the contact forces themselves, sampled densely.
    #[test]
    fn property_the_average_from_the_momentum_is_that_of_the_force() {
        for (component, channel) in [(Component::X, "pin.fx"), (Component::Y, "pin.fy")] {
            let run = slot("lankarani-nikravesh");
            let dense = machine::run(&run.0, Sampling::Interval(0.02 / RATE)).expect("it runs");
            let force = machine::curve(&dense, channel).expect("a channel");
            let averaged =
                Measured::new(run).and_then(|run| run.averaged(component)).expect("it runs");
            let half = 0.5 * WINDOW as f64 / RATE;
            for (t, mean) in averaged.iter().skip(200).step_by(400).take(7) {
                let t = 1e-3 * t;
                let inside = |p: &&(f64, f64)| (p.0 - t).abs() <= half;
                let points: Vec<_> = force.iter().filter(inside).collect();
                let area: f64 =
                    points.windows(2).map(|w| 0.5 * (w[1].0 - w[0].0) * (w[0].1 + w[1].1)).sum();
                assert!(
                    (mean - area / (2.0 * half)).abs() < 1e-3,
                    "{t}: {mean} {}",
                    area / (2.0 * half)
                );
            }
        }
    }
}
