//! Slider-cranks: M3 without clearance, driven; M7 in free flight up to the first contact of its slider.

use std::f64::consts::PI;

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Body, BodyId, Builder, Coordinate, DriverId, GROUND, JointId, Mechanism, OnCrossing, Outcome,
    Sampling, Side, Signal, Simulation,
};

use super::judge::{
    BOTH, Demand, REGULAR, channel, instants, judge, judge_inverse, judge_kinematics, run,
};
use super::reference::Case;

struct SliderCrank {
    mechanism: Mechanism,
    crank: BodyId,
    rod: BodyId,
    motor: DriverId,
    ground_pin: JointId,
    crank_pin: JointId,
    slider_pin: JointId,
    guide: JointId,
}

/// M3 without clearance; the centre of mass of the crank at this part of its length.
fn ideal(case: &Case, centre: f64) -> SliderCrank {
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let (a, l) = (case.get("crank_length"), case.get("rod_length"));
    let body = |name: &str| {
        Body::new(case.get(&format!("{name}_mass")), case.get(&format!("{name}_inertia")))
    };
    let crank = parts.body("crank", body("crank").centre([centre * a, 0.0]));
    let rod = parts.body("rod", body("rod").centre([0.5 * l, 0.0]).placed([a, 0.0], 0.0));
    let slider = parts.body("slider", body("slider").placed([a + l, 0.0], 0.0));
    let ground_pin = parts.revolute("ground pin", GROUND.origin(), crank.origin());
    let crank_pin = parts.revolute("crank pin", crank.at([a, 0.0]), rod.origin());
    let slider_pin = parts.revolute("slider pin", rod.at([l, 0.0]), slider.origin());
    let guide = parts.prismatic("guide", GROUND.origin(), slider.origin());
    let signal = Signal::rate(0.0, case.get("rpm") * 2.0 * PI / 60.0).expect("finite");
    let motor = parts.drive("motor", Coordinate::Joint(ground_pin), signal);
    let mechanism = parts.build().expect("good parts");
    SliderCrank { mechanism, crank, rod, motor, ground_pin, crank_pin, slider_pin, guide }
}

// Driven throughout: nothing is integrated that the constraints do not correct.
const DRIVEN: Demand = Demand { error: 2e-12, freedom: 0, ..REGULAR };

#[test]
fn exact_ideal_slider_crank() {
    for name in ["m3", "m3-gravity"] {
        let case = Case::read("slider-crank-ideal", name);
        let m = ideal(&case, 0.0);
        let slide = Coordinate::Joint(m.guide);
        let channels = [
            channel("crank_angle", |i| i.angle(m.crank).value),
            channel("rod_angle", |i| i.angle(m.rod).value),
            channel("rod_rate", |i| i.angle(m.rod).rate),
            channel("rod_acceleration", |i| i.angle(m.rod).acceleration),
            channel("slider_x", |i| i.coordinate(slide).value),
            channel("slider_velocity", |i| i.coordinate(slide).rate),
            channel("slider_acceleration", |i| i.coordinate(slide).acceleration),
            channel("crank_moment", |i| i.driver(m.motor).effort),
            channel("ground_pin_fx", |i| i.reaction_of(m.ground_pin, "fx")),
            channel("ground_pin_fy", |i| i.reaction_of(m.ground_pin, "fy")),
            channel("crank_pin_fx", |i| i.reaction_of(m.crank_pin, "fx")),
            channel("crank_pin_fy", |i| i.reaction_of(m.crank_pin, "fy")),
            channel("slider_pin_fx", |i| i.reaction_of(m.slider_pin, "fx")),
            channel("slider_pin_fy", |i| i.reaction_of(m.slider_pin, "fy")),
            channel("slider_pin_force", |i| i.reaction(m.slider_pin).force()),
            channel("slider_normal", |i| i.reaction_of(m.guide, "normal")),
        ];
        judge(&case, &m.mechanism, DRIVEN, &channels);
        judge_inverse(&case, &m.mechanism, &channels);
        judge_kinematics(&case, &m.mechanism, "slider_x", |k| k.coordinate(slide).value);
        judge_kinematics(&case, &m.mechanism, "slider_velocity", |k| k.coordinate(slide).rate);
        judge_kinematics(&case, &m.mechanism, "slider_acceleration", |k| {
            k.coordinate(slide).acceleration
        });
        judge_kinematics(&case, &m.mechanism, "rod_acceleration", |k| k.angle(m.rod).acceleration);
        // The extreme values of a revolution, at the times where they are taken.
        for quantity in ["slider_acceleration", "crank_moment", "slider_pin_force", "slider_normal"]
        {
            let (_, answer) = channels.iter().find(|(name, _)| *name == quantity).expect("above");
            let ends = ["min", "max"].map(|end| case.single(&format!("{quantity}_{end}")));
            let scale = ends.iter().fold(0.0_f64, |m, (_, value)| m.max(value.abs()));
            for (t, value) in ends {
                for formulation in BOTH {
                    // Where the extreme is at the start there is nothing to run.
                    let run = run(&m.mechanism, formulation, 1e-12, &[t.max(1e-3)]);
                    let at = if t == 0.0 { 0.0 } else { t.max(1e-3) };
                    let ours = answer(&instants(&run, &[at])[0]);
                    let error = (ours - value).abs() / scale;
                    assert!(error < 1e-11, "{name} {quantity} {formulation:?}: {ours}, {value}");
                }
            }
        }

        // A heavy crank with its centre of mass at mid-length: only the ground pin and the motor feel it.
        let m = ideal(&case, 0.5);
        let channels = [
            channel("crank_moment_mid", |i| i.driver(m.motor).effort),
            channel("ground_pin_fx_mid", |i| i.reaction_of(m.ground_pin, "fx")),
            channel("ground_pin_fy_mid", |i| i.reaction_of(m.ground_pin, "fy")),
            channel("slider_pin_fx", |i| i.reaction_of(m.slider_pin, "fx")),
        ];
        judge(&case, &m.mechanism, DRIVEN, &channels);
        case.assert_complete();
    }
}

struct Guided {
    parts: Builder,
    crank: BodyId,
    rod: BodyId,
    slider: BodyId,
    slider_pin: JointId,
}

/// M7: crank, rod and slider as an open chain.
fn m7(case: &Case) -> Guided {
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let (a, l) = (case.get("crank_length"), case.get("rod_length"));
    let rates = ["crank_rate", "rod_rate", "slider_rate"].map(|rate| case.get(rate));
    let angles = ["crank_angle", "rod_angle", "slider_angle"].map(|angle| case.get(angle));
    assert_eq!(angles, [0.0; 3], "the start is laid out for a stretched chain");
    let body = |name: &str| {
        Body::new(case.get(&format!("{name}_mass")), case.get(&format!("{name}_inertia")))
    };
    let crank = body("crank").centre([0.5 * a, 0.0]).moving([0.0; 2], rates[0]);
    let crank = parts.body("crank", crank);
    let up = a * rates[0];
    let rod = body("rod").centre([0.5 * l, 0.0]).placed([a, 0.0], 0.0).moving([0.0, up], rates[1]);
    let rod = parts.body("rod", rod);
    let up = up + l * rates[1];
    let slider = body("slider").placed([a + l, 0.0], 0.0).moving([0.0, up], rates[2]);
    let slider = parts.body("slider", slider);
    parts.revolute("ground pin", GROUND.origin(), crank.origin());
    parts.revolute("crank pin", crank.at([a, 0.0]), rod.origin());
    let slider_pin = parts.revolute("slider pin", rod.at([l, 0.0]), slider.origin());
    Guided { parts, crank, rod, slider, slider_pin }
}

/// The four corners of the slider with the walls they can meet.
fn corners(case: &Case, slider: BodyId) -> [(&'static str, Coordinate, f64, Side); 4] {
    let (x, y) = (0.5 * case.get("slider_length"), 0.5 * case.get("slider_height"));
    let wall = case.get("wall");
    let corner = |x, y| Coordinate::Y(slider.at([x, y]));
    [
        ("upper left", corner(-x, y), wall, Side::Above),
        ("upper right", corner(x, y), wall, Side::Above),
        ("lower left", corner(-x, -y), -wall, Side::Below),
        ("lower right", corner(x, -y), -wall, Side::Below),
    ]
}

#[test]
fn exact_m7_before_its_first_contact() {
    let case = Case::read("slider-crank-m7", "m7");
    let Guided { parts, crank, rod, slider, slider_pin } = m7(&case);
    let mechanism = parts.build().expect("good parts");
    let channels = [
        channel("crank_angle", |i| i.angle(crank).value),
        channel("rod_angle", |i| i.angle(rod).value),
        channel("crank_rate", |i| i.angle(crank).rate),
        channel("rod_rate", |i| i.angle(rod).rate),
        channel("slider_x", |i| i.position(slider).position[0]),
        channel("slider_y", |i| i.position(slider).position[1]),
        channel("slider_vx", |i| i.position(slider).velocity[0]),
        channel("slider_vy", |i| i.position(slider).velocity[1]),
        channel("slider_pin_fx", |i| i.reaction_of(slider_pin, "fx")),
        channel("slider_pin_fy", |i| i.reaction_of(slider_pin, "fy")),
        channel("energy", |i| i.energy().total()),
    ];
    // Smooth motion over 2.7 ms; the height of the slider is a small difference of lengths 400 times larger.
    judge(&case, &mechanism, Demand { freedom: 3, ..REGULAR }, &channels);

    // At the contact itself.
    let (_, contact) = case.single("first_contact_time");
    for formulation in BOTH {
        let run = run(&mechanism, formulation, 1e-12, &[contact]);
        let end = &instants(&run, &[contact])[0];
        for (quantity, answer) in &channels {
            let (_, value) = case.single(&format!("{quantity}_at_contact"));
            let error = (answer(end) - value).abs() / value.abs();
            assert!(error < 1e-11, "{quantity} {formulation:?}: {error:e}");
        }
        // Nothing turns the slider.
        assert!(end.angle(slider).value.abs() < 1e-14, "{:e}", end.angle(slider).value);
    }
    assert_eq!(case.single("first_contact_side").1, 1.0);
    case.single("approach_speed_at_contact");
    case.assert_complete();
}

#[test]
fn exact_m7_first_contact_of_two_corners_at_once() {
    let case = Case::read("slider-crank-m7", "m7");
    let (_, contact) = case.single("first_contact_time");
    let (_, speed) = case.single("approach_speed_at_contact");
    let power = Power { stiffness: 1e9, exponent: 1.5 };
    let restitution = Restitution::Constant(0.4);
    let damping = DampingLaw::Factor { factor: Factor::Exact, restitution };
    let normal = NormalLaw::new(ElasticLaw::Power(power), damping);
    let law = ContactLaw { normal, friction: FrictionLaw::NoFriction };
    let Guided { mut parts, slider, .. } = m7(&case);
    for (name, corner, wall, side) in corners(&case, slider) {
        parts.stop(name, corner, wall, side, law.clone());
    }
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).formulation(formulation).tolerance(1e-12);
        let run = simulation.until(contact + 1e-6).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        let starts = run.impacts();
        let starts: Vec<_> =
            starts.map(|(t, contact, speed)| (t, mechanism.contact_name(contact), speed)).collect();
        // Both upper corners, in one instant and not before.
        let names: Vec<_> = starts.iter().map(|start| start.1).collect();
        assert_eq!(names, ["upper left", "upper right"], "{formulation:?}");
        for (t, name, impact) in starts {
            println!(
                "{formulation:?} {name} {:.1e} {:.1e}",
                t / contact - 1.0,
                impact / speed - 1.0
            );
            // Smooth motion over 2.7 ms; the event is located to rounding.
            assert!((t / contact - 1.0).abs() < 1e-11, "{name}: {t}");
            assert!((impact / speed - 1.0).abs() < 1e-11, "{name}: {impact}");
        }
        // Both corners push alike: the slider still does not turn.
        let angle = run.end().expect("regular").angle(slider).value;
        assert!(angle.abs() < 1e-15, "{formulation:?}: {angle:e}");
    }
}

#[test]
fn exact_m7_stops_at_both_watched_corners() {
    let case = Case::read("slider-crank-m7", "m7");
    let (_, contact) = case.single("first_contact_time");
    let Guided { mut parts, slider, .. } = m7(&case);
    for (name, corner, wall, _) in corners(&case, slider) {
        parts.watch(name, corner, wall, OnCrossing::Stop);
    }
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).formulation(formulation).tolerance(1e-12);
        let run = simulation.until(0.2).sampled(Sampling::EventsOnly).run().expect("it starts");
        let Outcome::Stopped { t, by } = &run.outcome else { panic!("{}", run.outcome) };
        let by: Vec<&str> = by.iter().map(jointplay_mbd::PartRef::label).collect();
        assert_eq!(by, ["watch 'upper left'", "watch 'upper right'"]);
        assert!((t / contact - 1.0).abs() < 1e-11, "{formulation:?}: {t}");
    }
}
