//! Mechanisms of the papers that the tests of several crates build by hand.

use std::f64::consts::PI;

use jointplay_contact::ContactLaw;
use jointplay_mbd::signal::HalfSine;
use jointplay_mbd::{
    Body, BodyId, Builder, ContactId, Coordinate, Force, GROUND, JournalBearing, LoadFrame,
    Mechanism, Signal, Spring,
};

/// Length of the crank (m).
pub(crate) const CRANK: f64 = 0.05;
/// Length of the rod (m).
pub(crate) const ROD: f64 = 0.3;
/// Radial clearance of the pin between rod and slider (m).
pub(crate) const CLEARANCE: f64 = 0.25e-3;
/// Speed of the crank (rad/s).
pub(crate) const SPEED: f64 = 200.0 * 2.0 * PI / 60.0;

/// A slider-crank with clearance between rod and slider.
#[allow(dead_code, reason = "not every crate looks at its bodies")]
pub(crate) struct SliderCrank {
    pub(crate) mechanism: Mechanism,
    pub(crate) rod: BodyId,
    pub(crate) slider: BodyId,
    pub(crate) bearing: ContactId,
}

/// Crank driven at 200 rpm, started stretched with the velocities of the ideal mechanism, the journal centred.
pub(crate) fn slider_crank(
    gravity: f64,
    bearing_radius: f64,
    contact_point: f64,
    law: ContactLaw,
) -> SliderCrank {
    slider_crank_off(gravity, bearing_radius, contact_point, law, 0.0)
}

/// The same, its rod started faster by this fraction.
pub(crate) fn slider_crank_off(
    gravity: f64,
    bearing_radius: f64,
    contact_point: f64,
    law: ContactLaw,
    off: f64,
) -> SliderCrank {
    let mut parts = Builder::new();
    parts.gravity([0.0, -gravity]);
    let crank = parts.body("crank", Body::new(17.9, 0.460327));
    let body = Body::new(1.13, 0.0153).centre([0.5 * ROD, 0.0]).placed([CRANK, 0.0], 0.0);
    let rod = parts.body("rod", body);
    let slider = Body::new(1.013, 0.000772).placed([CRANK + ROD, 0.0], 0.0);
    let slider = parts.body("slider", slider);
    let axis = parts.revolute("axis", GROUND.origin(), crank.origin());
    parts.revolute("crank pin", crank.at([CRANK, 0.0]), rod.origin());
    let guide = parts.prismatic("guide", GROUND.origin(), slider.origin());
    let signal = Signal::rate(0.0, SPEED).expect("finite");
    parts.drive("motor", Coordinate::Joint(axis), signal);
    let bearing = JournalBearing {
        bearing: rod.at([ROD, 0.0]),
        journal: slider.origin(),
        bearing_radius,
        clearance: CLEARANCE,
        contact_point,
    };
    let bearing = parts.journal_bearing("pin", bearing, law);
    parts.start_with_rate(Coordinate::Angle(rod), -CRANK * SPEED / ROD * (1.0 + off));
    parts.start_with_rate(Coordinate::Joint(guide), 0.0);
    SliderCrank { mechanism: parts.build().expect("good parts"), rod, slider, bearing }
}

/// The T-body of Skrinjar2017: a slot whose body is pulled by a spring and pushed by half a sine, on a pin of the ground.
pub(crate) fn t_body(mass: f64, inertia: f64, place: [f64; 2]) -> (Builder, BodyId) {
    let mut parts = Builder::new();
    let body = Body::new(mass, inertia).placed([-place[0], -place[1]], 0.0);
    let body = parts.body("T", body);
    let push = HalfSine { amplitude: 1.6, start: 0.0, duration: 39.1e-3 };
    let push = Force::Load {
        at: body.at([0.0, 10e-3]),
        direction: [1.0, 0.0],
        fixed_in: LoadFrame::World,
        size: Signal::half_sine(push).expect("finite"),
    };
    parts.force("push", push);
    let (on_body, on_ground) = ([20e-3, 0.0], [29e-3, 0.0]);
    let reach = [on_body[0] - place[0] - on_ground[0], on_body[1] - place[1] - on_ground[1]];
    let spring = Spring {
        a: GROUND.at(on_ground),
        b: body.at(on_body),
        stiffness: 100.0,
        damping: 0.0,
        free_length: reach[0].hypot(reach[1]) - 8e-3,
        preload: 0.0,
    };
    parts.force("spring", Force::Spring(spring));
    (parts, body)
}
