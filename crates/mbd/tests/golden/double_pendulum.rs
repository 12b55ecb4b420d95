//! Two rigid bodies in series, centres of mass off the line of the pins.

use jointplay_mbd::{Builder, GROUND};

use super::judge::{Demand, REGULAR, channel, judge, numbered_body};
use super::reference::Case;

#[test]
fn exact_double_pendulum() {
    let case = Case::read("double-pendulum", "double-pendulum");
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let (length, angle) = (case.get("length1"), case.get("angle1"));
    let pin = [length * angle.cos(), length * angle.sin()];
    let (v, w) = (case.get("rate1"), case.get("rate2"));
    let at_rest = [-v * pin[1], v * pin[0]];
    let body1 = numbered_body(&case, 1).placed([0.0; 2], angle).moving([0.0; 2], v);
    let body2 = numbered_body(&case, 2).placed(pin, case.get("angle2")).moving(at_rest, w);
    let (body1, body2) = (parts.body("1", body1), parts.body("2", body2));
    let pin1 = parts.revolute("pin 1", GROUND.origin(), body1.origin());
    let pin2 = parts.revolute("pin 2", body1.at([length, 0.0]), body2.origin());
    let mechanism = parts.build().expect("good parts");

    // An error at the start grows up to 150 times in 2 s.
    let demand = Demand { error: 1e-10, freedom: 2, ..REGULAR };
    let channels = [
        channel("angle1", |i| i.angle(body1).value),
        channel("angle2", |i| i.angle(body2).value),
        channel("rate1", |i| i.angle(body1).rate),
        channel("rate2", |i| i.angle(body2).rate),
        channel("acceleration1", |i| i.angle(body1).acceleration),
        channel("acceleration2", |i| i.angle(body2).acceleration),
        channel("pin1_fx", |i| i.reaction_of(pin1, "fx")),
        channel("pin1_fy", |i| i.reaction_of(pin1, "fy")),
        channel("pin2_fx", |i| i.reaction_of(pin2, "fx")),
        channel("pin2_fy", |i| i.reaction_of(pin2, "fy")),
        channel("energy", |i| i.energy().total()),
    ];
    judge(&case, &mechanism, demand, &channels);
    case.assert_complete();
}
