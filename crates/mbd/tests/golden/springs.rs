//! Spring-dampers with preload: a free point mass, and a slider on an inclined guide.

use jointplay_mbd::{AccountKind, Body, Builder, Coordinate, Force, GROUND, Simulation, Spring};

use super::judge::{BOTH, Demand, REGULAR, channel, judge};
use super::reference::Case;

fn spring(case: &Case, a: jointplay_mbd::Anchor, b: jointplay_mbd::Anchor) -> Force {
    let spring = Spring::new(a, b, case.get("stiffness"), case.get("free_length"));
    Force::Spring(spring.damped(case.get("damping")).preloaded(case.get("preload")))
}

// Smooth, damped motions.
const DEMAND: Demand = Demand { error: 2e-11, ..REGULAR };

#[test]
fn exact_elastic_pendulum() {
    let case = Case::read("springs", "elastic-pendulum");
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let mass = Body::point(case.get("mass"))
        .placed(case.pair("x", "y"), 0.0)
        .moving(case.pair("vx", "vy"), 0.0);
    let mass = parts.body("mass", mass);
    let force = parts.force("spring", spring(&case, GROUND.origin(), mass.origin()));
    let mechanism = parts.build().expect("good parts");

    let length = Coordinate::Distance(GROUND.origin(), mass.origin());
    let channels = [
        channel("x", |i| i.position(mass).position[0]),
        channel("y", |i| i.position(mass).position[1]),
        channel("vx", |i| i.position(mass).velocity[0]),
        channel("vy", |i| i.position(mass).velocity[1]),
        channel("length", |i| i.coordinate(length).value),
        channel("tension", |i| i.force(force).size),
        channel("energy", |i| i.energy().total()),
        channel("energy_lost", |i| i.amount(AccountKind::Damping, "spring")),
    ];
    judge(&case, &mechanism, Demand { freedom: 2, ..DEMAND }, &channels);
    case.assert_complete();
}

#[test]
fn exact_slider_on_an_inclined_guide() {
    let case = Case::read("springs", "inclined-slider");
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let angle = case.get("guide_angle");
    let (sin, cos) = angle.sin_cos();
    let place = |[s, n]: [f64; 2]| [cos * s - sin * n, sin * s + cos * n];
    let body = Body::new(case.get("mass"), 0.01).placed(place([case.get("s"), 0.0]), angle);
    let slider = parts.body("slider", body);
    let guide = parts.prismatic("guide", GROUND.origin().at_angle(angle), slider.origin());
    let anchor = GROUND.at(place(case.pair("anchor_s", "anchor_n")));
    let force = parts.force("spring", spring(&case, anchor, slider.origin()));
    parts.start_at(Coordinate::Joint(guide), case.get("s"));
    parts.start_with_rate(Coordinate::Joint(guide), case.get("v"));
    let mechanism = parts.build().expect("good parts");

    let channels = [
        channel("s", |i| i.coordinate(Coordinate::Joint(guide)).value),
        channel("v", |i| i.coordinate(Coordinate::Joint(guide)).rate),
        channel("length", |i| i.coordinate(Coordinate::Distance(anchor, slider.origin())).value),
        channel("tension", |i| i.force(force).size),
        channel("normal_force", |i| i.reaction_of(guide, "normal")),
        channel("energy", |i| i.energy().total()),
        channel("energy_lost", |i| i.amount(AccountKind::Damping, "spring")),
    ];
    judge(&case, &mechanism, DEMAND, &channels);
    case.assert_complete();
}

#[test]
fn property_a_point_mass_pulled_off_its_centre_is_refused() {
    let case = Case::read("springs", "elastic-pendulum");
    let mut parts = Builder::new();
    let mass = parts.body("mass", Body::point(case.get("mass")).placed(case.pair("x", "y"), 0.0));
    parts.force("spring", spring(&case, GROUND.origin(), mass.at([0.01, 0.0])));
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let error = Simulation::new(&mechanism).formulation(formulation).run().map(|_| ());
        let error = error.expect_err("it would turn without any inertia").to_string();
        assert!(error.contains("'mass'"), "{formulation:?}: {error}");
    }
}
