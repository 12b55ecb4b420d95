//! B3, the slider-crank with clearance that several benchmarks run: its parts, and the error of a motion; included by path.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{CoulombRamp, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Body, BodyId, Builder, Coordinate, GROUND, JournalBearing, Mechanism, Signal, Snapshot,
    Solution,
};

pub(crate) const CRANK: f64 = 0.05;
pub(crate) const ROD: f64 = 0.3;
pub(crate) const SPEED: f64 = 200.0 * std::f64::consts::TAU / 60.0;
pub(crate) const CLEARANCE: f64 = 0.25e-3;
pub(crate) const RESTITUTION: f64 = 0.46;
pub(crate) const END: f64 = 0.6;
pub(crate) const SAMPLES: usize = 60;
const RADIUS: f64 = 10e-3;

pub(crate) fn law(clearance: f64, restitution: f64) -> ContactLaw {
    let compliance = 2.0 * (1.0 - 0.3 * 0.3) / 207e9;
    let stiffness = 4.0 / (3.0 * compliance) * (RADIUS * (RADIUS - clearance) / clearance).sqrt();
    let damping = DampingLaw::Factor {
        factor: Factor::LankaraniNikravesh,
        restitution: Restitution::Constant(restitution),
    };
    let mut normal = NormalLaw::new(ElasticLaw::Power(Power { stiffness, exponent: 1.5 }), damping);
    normal.impact_speed_floor = 1e-3;
    let friction = CoulombRamp::new(0.01, 1e-3).expect("positive");
    ContactLaw { normal, friction: FrictionLaw::CoulombRamp(friction) }
}

/// The mechanism, extended and with the velocities of the ideal one; its rod and slider.
pub(crate) fn mechanism(clearance: f64, restitution: f64) -> (Mechanism, BodyId, BodyId) {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    // The crank is driven, so that its mass does not matter.
    let crank = parts.body("crank", Body::new(1.0, 1e-3));
    let rod = Body::new(1.13, 0.0153).centre([ROD / 2.0, 0.0]).placed([CRANK, 0.0], 0.0);
    let rod = parts.body("rod", rod.moving([0.0, CRANK * SPEED], -CRANK * SPEED / ROD));
    let slider = Body::new(1.013, 1e-3).placed([CRANK + ROD, 0.0], 0.0).moving([0.0; 2], 0.0);
    let slider = parts.body("slider", slider);
    let pivot = parts.revolute("pivot", GROUND.origin(), crank.origin());
    parts.revolute("pin", crank.at([CRANK, 0.0]), rod.origin());
    parts.prismatic("guide", GROUND.origin(), slider.origin());
    let signal = Signal::rate(0.0, SPEED).expect("finite");
    parts.drive("motor", Coordinate::Joint(pivot), signal);
    let bearing = JournalBearing {
        bearing: rod.at([ROD, 0.0]),
        journal: slider.origin(),
        bearing_radius: RADIUS,
        clearance,
        contact_point: 0.5,
    };
    parts.journal_bearing("bearing", bearing, law(clearance, restitution));
    (parts.build().expect("good parts"), rod, slider)
}

/// The instants of the reference.
pub(crate) fn sample_times() -> Vec<f64> {
    (0..=SAMPLES).map(|i| END * i as f64 / SAMPLES as f64).collect()
}

/// The greatest error of a position over the clearance against the committed reference; rows are t, φ, x.
pub(crate) fn error(rows: impl IntoIterator<Item = [f64; 3]>) -> f64 {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/mechanisms-b3/data.csv");
    let text = std::fs::read_to_string(path).expect("golden data are committed");
    let number = |text: &str| text.parse::<f64>().expect("golden data are numbers");
    let exact: Vec<Vec<f64>> =
        text.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect();
    let mut samples = 0;
    let mut worst = 0.0_f64;
    for ([t, phi, x], exact) in rows.into_iter().zip(&exact) {
        assert!((t - exact[0]).abs() < 1e-9, "another instant");
        worst = worst.max(ROD * (phi - exact[1]).abs() / CLEARANCE);
        worst = worst.max((x - exact[2]).abs() / CLEARANCE);
        samples += 1;
    }
    if samples == exact.len() { worst } else { f64::INFINITY }
}

/// The error of a solution, given φ and x of a snapshot.
pub(crate) fn deviation(
    solution: &Solution,
    phi: impl Fn(&Snapshot<'_>) -> f64,
    x: impl Fn(&Snapshot<'_>) -> f64,
) -> f64 {
    let phi = solution.series(phi).expect("regular");
    let x = solution.series(x).expect("regular");
    let times = solution.trajectory.times();
    error(sample_times().into_iter().filter_map(|t| {
        let i = times.iter().position(|other| (other - t).abs() < 1e-9)?;
        Some([t, phi[i], x[i]])
    }))
}
