//! A pin on a crank of constant speed in a straight slot: sliding yoke, slotted lever, Whitworth lever.

use jointplay_mbd::{
    Body, BodyId, Builder, Bushing, Coordinate, DriverId, Force, GROUND, JointId, Signal,
    TorsionSpring,
};

use super::judge::{
    Channel, Demand, Instant, REGULAR, channel, judge, judge_inverse, judge_kinematics,
};
use super::reference::Case;

// Driven throughout: nothing is integrated that the constraints do not correct.
const DRIVEN: Demand = Demand { error: 1e-11, freedom: 0, ..REGULAR };

/// A balanced crank at the origin, driven at constant speed.
fn crank(parts: &mut Builder, case: &Case) -> (BodyId, DriverId) {
    let start = case.get("start_angle");
    let crank = parts.body("crank", Body::new(1.0, 1.0).placed([0.0; 2], start));
    let axis = parts.revolute("axis", GROUND.origin(), crank.origin());
    let signal = Signal::rate(start, case.get("speed")).expect("finite");
    (crank, parts.drive("motor", Coordinate::Joint(axis), signal))
}

fn common<'c>(
    crank: BodyId,
    motor: DriverId,
    slot: JointId,
    slot_force: impl Fn(f64) -> f64 + Copy + 'c,
    normal: impl Fn(&Instant<'_>) -> [f64; 2] + Copy + 'c,
) -> Vec<Channel<'c>> {
    let force = move |i: &Instant<'_>| slot_force(i.reaction_of(slot, "normal"));
    vec![
        channel("crank_angle", move |i| i.angle(crank).value),
        channel("crank_torque", move |i| i.driver(motor).effort),
        channel("slot_position", move |i| i.coordinate(Coordinate::Joint(slot)).value),
        channel("slot_velocity", move |i| i.coordinate(Coordinate::Joint(slot)).rate),
        channel("slot_force", force),
        channel("slot_fx", move |i| force(i) * normal(i)[0]),
        channel("slot_fy", move |i| force(i) * normal(i)[1]),
    ]
}

#[test]
fn exact_scotch_yoke() {
    for name in ["yoke", "yoke-inclined"] {
        let case = Case::read("pin-slot", name);
        let mut parts = Builder::new();
        let (crank, motor) = crank(&mut parts, &case);
        let yoke = parts.body("yoke", Body::new(case.get("mass"), 0.01).placed([0.05, 0.0], 0.0));
        let guide = parts.prismatic("guide", GROUND.origin(), yoke.origin());
        let (sin, cos) = case.get("slot_angle").sin_cos();
        let line = yoke.origin().along([-sin, cos]);
        let slot = parts.point_on_line("slot", line, crank.at([case.get("crank"), 0.0]));
        let bushing = Bushing {
            a: GROUND.at([case.get("free_x"), 0.0]).into(),
            b: yoke.origin().into(),
            stiffness: [case.get("stiffness"), 0.0, 0.0],
            damping: [case.get("damping"), 0.0, 0.0],
        };
        parts.force("spring", Force::Bushing(bushing));
        let mechanism = parts.build().expect("good parts");

        // The reaction acts from yoke to pin along the left normal of the slot, (−cos, −sin); the reference is the
        // force of the pin on the yoke along (cos, sin).
        let mut channels = common(crank, motor, slot, |normal| normal, move |_| [cos, sin]);
        channels.extend([
            channel("yoke_x", |i| i.coordinate(Coordinate::Joint(guide)).value),
            channel("yoke_velocity", |i| i.coordinate(Coordinate::Joint(guide)).rate),
            channel("yoke_acceleration", |i| i.coordinate(Coordinate::Joint(guide)).acceleration),
            channel("guide_fy", |i| i.reaction_of(guide, "normal")),
        ]);
        judge(&case, &mechanism, DRIVEN, &channels);
        judge_inverse(&case, &mechanism, &channels);
        judge_kinematics(&case, &mechanism, "yoke_acceleration", |k| {
            k.coordinate(Coordinate::Joint(guide)).acceleration
        });
        case.assert_complete();
    }
}

#[test]
fn exact_slotted_lever() {
    for (name, rough) in [("slotted-lever", 1.2), ("whitworth", 0.6)] {
        let case = Case::read("pin-slot", name);
        let mut parts = Builder::new();
        parts.gravity([0.0, -case.get("gravity")]);
        let (crank, motor) = crank(&mut parts, &case);
        let pivot = [0.0, case.get("pivot_y")];
        let body = Body::new(case.get("mass"), case.get("inertia"))
            .centre(case.pair("com_x", "com_y"))
            .placed(pivot, rough);
        let lever = parts.body("lever", body);
        let bearing = parts.revolute("pivot", GROUND.at(pivot), lever.origin());
        let pin = crank.at([case.get("crank"), 0.0]);
        let slot = parts.point_on_line("slot", lever.origin().along([1.0, 0.0]), pin);
        let spring =
            TorsionSpring::new(GROUND, lever, case.get("stiffness"), case.get("free_angle"));
        parts.force("spring", Force::TorsionSpring(spring));
        let mechanism = parts.build().expect("good parts");

        // The reaction acts from lever to pin, the reference from pin to lever, both along the left normal.
        let normal = move |i: &Instant<'_>| {
            let (sin, cos) = i.angle(lever).value.sin_cos();
            [-sin, cos]
        };
        let mut channels = common(crank, motor, slot, |normal| -normal, normal);
        channels.extend([
            channel("lever_angle", |i| i.angle(lever).value),
            channel("lever_rate", |i| i.angle(lever).rate),
            channel("lever_acceleration", |i| i.angle(lever).acceleration),
            channel("pivot_fx", |i| i.reaction_of(bearing, "fx")),
            channel("pivot_fy", |i| i.reaction_of(bearing, "fy")),
        ]);
        judge(&case, &mechanism, DRIVEN, &channels);
        judge_inverse(&case, &mechanism, &channels);
        judge_kinematics(&case, &mechanism, "lever_angle", |k| k.angle(lever).value);
        judge_kinematics(&case, &mechanism, "lever_acceleration", |k| k.angle(lever).acceleration);
        case.assert_complete();
    }
}
