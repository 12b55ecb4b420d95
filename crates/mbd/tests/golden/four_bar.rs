//! Crank-rocker with a torsional spring-damper at the rocker, driven by nothing but its start.

use jointplay_mbd::{
    AccountKind, Builder, Coordinate, Force, GROUND, JointId, Mechanism, TorsionSpring,
};

use super::judge::{REGULAR, channel, judge, numbered_body};
use super::reference::Case;

/// Crank, coupler and rocker, assembled from rough angles and the exact one of the crank.
pub(crate) fn four_bar(
    case: &Case,
    [crank, coupler, rocker]: [f64; 3],
) -> (Mechanism, [JointId; 4]) {
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let ground = case.pair("ground_x", "ground_y");
    let lengths = [case.get("crank"), case.get("coupler"), case.get("rocker")];
    let pin = [lengths[0] * crank.cos(), lengths[0] * crank.sin()];
    let body1 = parts.body("crank", numbered_body(case, 1).placed([0.0; 2], crank));
    let body2 = parts.body("coupler", numbered_body(case, 2).placed(pin, coupler));
    let body3 = parts.body("rocker", numbered_body(case, 3).placed(ground, rocker));
    let joints = [
        parts.revolute("crank-ground", GROUND.origin(), body1.origin()),
        parts.revolute("crank-coupler", body1.at([lengths[0], 0.0]), body2.origin()),
        parts.revolute("coupler-rocker", body2.at([lengths[1], 0.0]), body3.at([lengths[2], 0.0])),
        parts.revolute("rocker-ground", GROUND.at(ground), body3.origin()),
    ];
    let spring = TorsionSpring::new(GROUND, body3, case.get("spring"), case.get("free_angle"));
    parts.force("spring", Force::TorsionSpring(spring.damped(case.get("damper"))));
    parts.start_at(Coordinate::Angle(body1), case.get("crank_angle"));
    parts.start_with_rate(Coordinate::Angle(body1), case.get("crank_rate"));
    (parts.build().expect("good parts"), joints)
}

#[test]
fn exact_four_bar() {
    for name in ["four-bar", "four-bar-fast"] {
        let case = Case::read("four-bar", name);
        let (mechanism, joints) = four_bar(&case, [0.7, 0.9, 1.9]);
        let body = |name: &str| mechanism.find_body(name).expect("it is there");
        let bodies = ["crank", "coupler", "rocker"].map(body);
        let mut channels = Vec::new();
        for (name, body) in ["crank", "coupler", "rocker"].into_iter().zip(bodies) {
            let quantity = |what: &str| format!("{name}_{what}");
            channels.push(channel(quantity("angle"), move |i| i.angle(body).value));
            channels.push(channel(quantity("rate"), move |i| i.angle(body).rate));
            channels.push(channel(quantity("acceleration"), move |i| i.angle(body).acceleration));
        }
        let pins = ["crank_ground", "crank_coupler", "coupler_rocker", "rocker_ground"];
        for (name, joint) in pins.into_iter().zip(joints) {
            let quantity = |what: &str| format!("{name}_{what}");
            channels.push(channel(quantity("fx"), move |i| i.reaction_of(joint, "fx")));
            channels.push(channel(quantity("fy"), move |i| i.reaction_of(joint, "fy")));
        }
        channels.push(channel("energy", |i| i.energy().total()));
        channels.push(channel("energy_lost", |i| i.amount(AccountKind::Damping, "spring")));
        judge(&case, &mechanism, REGULAR, &channels);
        case.assert_complete();
    }
}
