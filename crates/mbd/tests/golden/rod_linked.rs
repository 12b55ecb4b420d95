//! Bodies linked by a massless rod: a point mass on a cart, two pendulums.

use jointplay_mbd::signal::Harmonic;
use jointplay_mbd::{
    AccountKind, Body, BodyId, Builder, Bushing, Coordinate, Force, GROUND, JointId, Signal,
    TorsionSpring,
};

use super::judge::{Channel, Demand, Instant, REGULAR, channel, judge, numbered_body};
use super::reference::Case;

struct Swing {
    parts: Builder,
    cart: BodyId,
    mass: BodyId,
    guide: JointId,
    rod: JointId,
}

/// A cart on the x axis with a point mass on a rod, at the given place and speed of the cart.
fn cart(case: &Case, x: f64, v: f64) -> Swing {
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let (length, angle, rate) = (case.get("length"), case.get("angle"), case.get("rate"));
    let (sin, cos) = angle.sin_cos();
    let body = Body::new(case.get("cart_mass"), 1.0).placed([x, 0.0], 0.0).moving([v, 0.0], 0.0);
    let cart = parts.body("cart", body);
    let hanging = [x + length * sin, -length * cos];
    let swing = [v + rate * length * cos, rate * length * sin];
    let mass = Body::point(case.get("mass")).placed(hanging, 0.0).moving(swing, 0.0);
    let mass = parts.body("mass", mass);
    let guide = parts.prismatic("guide", GROUND.origin(), cart.origin());
    let rod = parts.rod("rod", cart.origin(), mass.origin(), length);
    Swing { parts, cart, mass, guide, rod }
}

/// From the cart to the mass: the motion of the rod.
fn rod_motion(i: &Instant<'_>, cart: BodyId, mass: BodyId) -> [[f64; 2]; 3] {
    let (a, b) = (i.position(cart), i.position(mass));
    let between = |a: [f64; 2], b: [f64; 2]| [b[0] - a[0], b[1] - a[1]];
    [
        between(a.position, b.position),
        between(a.velocity, b.velocity),
        between(a.acceleration, b.acceleration),
    ]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// What both carts have.
fn common<'c>(case: &'c Case, Swing { cart, mass, guide, rod, .. }: &Swing) -> Vec<Channel<'c>> {
    let (cart, mass, guide, rod) = (*cart, *mass, *guide, *rod);
    let square = case.get("length").powi(2);
    vec![
        channel("angle", move |i| {
            let [e, _, _] = rod_motion(i, cart, mass);
            e[0].atan2(-e[1])
        }),
        channel("rate", move |i| {
            let [e, v, _] = rod_motion(i, cart, mass);
            cross(e, v) / square
        }),
        channel("cart_x", move |i| i.coordinate(Coordinate::Joint(guide)).value),
        channel("cart_v", move |i| i.coordinate(Coordinate::Joint(guide)).rate),
        channel("mass_x", move |i| i.position(mass).position[0]),
        channel("mass_y", move |i| i.position(mass).position[1]),
        channel("tension", move |i| i.reaction_of(rod, "tension")),
    ]
}

#[test]
fn exact_mass_on_a_driven_cart() {
    let case = Case::read("rod-linked", "driven-cart");
    let (amplitude, angular_frequency) = (case.get("amplitude"), case.get("frequency"));
    let mut cart = cart(&case, 0.0, amplitude * angular_frequency);
    let signal =
        Signal::harmonic(Harmonic { offset: 0.0, amplitude, angular_frequency, phase: 0.0 });
    let signal = signal.expect("finite");
    let driver = cart.parts.drive("shaker", Coordinate::Joint(cart.guide), signal);
    let square = case.get("length").powi(2);
    let mut channels = common(&case, &cart);
    let Swing { parts, cart, mass, .. } = cart;
    channels.push(channel("acceleration", move |i| {
        let [e, _, a] = rod_motion(i, cart, mass);
        cross(e, a) / square
    }));
    channels.push(channel("driver_force", |i| i.driver(driver).effort));
    judge(&case, &parts.build().expect("good parts"), REGULAR, &channels);
    case.assert_complete();
}

#[test]
fn exact_mass_on_a_free_cart() {
    let case = Case::read("rod-linked", "free-cart");
    let mut cart = cart(&case, case.get("x"), case.get("v"));
    let bushing = Bushing {
        a: GROUND.origin().into(),
        b: cart.cart.origin().into(),
        stiffness: [case.get("stiffness"), 0.0, 0.0],
        damping: [0.0; 3],
    };
    cart.parts.force("spring", Force::Bushing(bushing));
    let guide = cart.guide;
    let mut channels = common(&case, &cart);
    channels.push(channel("cart_acceleration", |i| {
        i.coordinate(Coordinate::Joint(guide)).acceleration
    }));
    channels.push(channel("energy", |i| i.energy().total()));
    let mechanism = cart.parts.build().expect("good parts");
    judge(&case, &mechanism, Demand { freedom: 2, ..REGULAR }, &channels);
    case.assert_complete();
}

#[test]
fn exact_pendulums_linked_by_a_rod() {
    let case = Case::read("rod-linked", "linked-pendulums");
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let ground = case.pair("ground_x", "ground_y");
    let angle = case.get("crank_angle");
    let body1 = parts.body("1", numbered_body(&case, 1).placed([0.0; 2], angle));
    let body3 = parts.body("3", numbered_body(&case, 3).placed(ground, 1.4));
    let pin1 = parts.revolute("pin 1", GROUND.origin(), body1.origin());
    let pin3 = parts.revolute("pin 3", GROUND.at(ground), body3.origin());
    let (a, b) = (body1.at([case.get("crank"), 0.0]), body3.at([case.get("rocker"), 0.0]));
    let rod = parts.rod("rod", a, b, case.get("coupler"));
    let spring = TorsionSpring::new(GROUND, body3, case.get("spring"), case.get("free_angle"));
    parts.force("spring", Force::TorsionSpring(spring.damped(case.get("damper"))));
    parts.start_at(Coordinate::Angle(body1), angle);
    parts.start_with_rate(Coordinate::Angle(body1), case.get("crank_rate"));
    let mechanism = parts.build().expect("good parts");

    let channels = [
        channel("angle1", |i| i.angle(body1).value),
        channel("angle3", |i| i.angle(body3).value),
        channel("rate1", |i| i.angle(body1).rate),
        channel("rate3", |i| i.angle(body3).rate),
        channel("acceleration1", |i| i.angle(body1).acceleration),
        channel("acceleration3", |i| i.angle(body3).acceleration),
        channel("rod_angle", |i| {
            let ([ax, ay], [bx, by]) = (i.point(a).position, i.point(b).position);
            (by - ay).atan2(bx - ax)
        }),
        channel("tension", |i| i.reaction_of(rod, "tension")),
        channel("pin1_fx", |i| i.reaction_of(pin1, "fx")),
        channel("pin1_fy", |i| i.reaction_of(pin1, "fy")),
        channel("pin3_fx", |i| i.reaction_of(pin3, "fx")),
        channel("pin3_fy", |i| i.reaction_of(pin3, "fy")),
        channel("energy", |i| i.energy().total()),
        channel("energy_lost", |i| i.amount(AccountKind::Damping, "spring")),
    ];
    judge(&case, &mechanism, REGULAR, &channels);
    case.assert_complete();
}

#[test]
fn exact_light_coupler_is_a_rod() {
    // A body 10⁸ times lighter than its neighbours in place of the rod. Its own inertia and weight change the motion by
    // 4e-7, alike in both formulations.
    let case = Case::read("rod-linked", "linked-pendulums");
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let ground = case.pair("ground_x", "ground_y");
    let (angle, length) = (case.get("crank_angle"), case.get("coupler"));
    let body1 = parts.body("1", numbered_body(&case, 1).placed([0.0; 2], angle));
    let body3 = parts.body("3", numbered_body(&case, 3).placed(ground, 1.4));
    let light = Body::rod(1e-8, length).centre([0.5 * length, 0.0]);
    let light = parts.body("2", light.placed([0.07, 0.24], 0.5));
    parts.revolute("pin 1", GROUND.origin(), body1.origin());
    parts.revolute("pin 3", GROUND.at(ground), body3.origin());
    parts.revolute("a", body1.at([case.get("crank"), 0.0]), light.origin());
    parts.revolute("b", light.at([length, 0.0]), body3.at([case.get("rocker"), 0.0]));
    let spring = TorsionSpring::new(GROUND, body3, case.get("spring"), case.get("free_angle"));
    parts.force("spring", Force::TorsionSpring(spring.damped(case.get("damper"))));
    parts.start_at(Coordinate::Angle(body1), angle);
    parts.start_with_rate(Coordinate::Angle(body1), case.get("crank_rate"));
    let mechanism = parts.build().expect("good parts");
    let channels = [
        channel("angle1", |i| i.angle(body1).value),
        channel("angle3", |i| i.angle(body3).value),
        channel("rate3", |i| i.angle(body3).rate),
        channel("acceleration3", |i| i.angle(body3).acceleration),
        channel("rod_angle", |i| i.angle(light).value),
    ];
    judge(&case, &mechanism, Demand { error: 1e-6, ..REGULAR }, &channels);
}
