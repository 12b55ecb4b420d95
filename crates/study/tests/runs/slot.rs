//! Pins in slots: episodes that pass between sections.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    AccountKind, Body, Builder, ContactId, Coordinate, EventKind, GROUND, Mechanism, Outline,
    PinInWalls, Region, Sampling, Section, Simulation, Solution,
};
use jointplay_study::contacts::{ContactRecord, ContactRecorder, JointContacts};

use crate::machines::t_body;

fn law(stiffness: f64) -> ContactLaw {
    let elastic = ElasticLaw::Power(Power { stiffness, exponent: 1.5 });
    let restitution = Restitution::Constant(0.4);
    let damping = DampingLaw::Factor { factor: Factor::LankaraniNikravesh, restitution };
    ContactLaw { normal: NormalLaw::new(elastic, damping), friction: FrictionLaw::NoFriction }
}

fn record(mechanism: &Mechanism, contacts: &[ContactId], until: f64) -> (Solution, ContactRecord) {
    let named = contacts.iter().map(|id| {
        let name = mechanism.contact_name(*id);
        (*id, name.split_once(", ").map_or(name, |(_, region)| region).to_owned())
    });
    let joint = JointContacts { name: "pin".into(), contacts: named.collect(), laws: Vec::new() };
    let mut recorder = ContactRecorder::new(mechanism, vec![joint]);
    let simulation = Simulation::new(mechanism).tolerance(1e-11).until(until);
    let run = simulation.sampled(Sampling::EventsOnly).run_observed(&mut recorder);
    let run = run.expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    let record = recorder.finish(&run);
    (run, record)
}

/// The T-body of Skrinjar2017 with its slot.
fn pin_slot() -> (Mechanism, Vec<ContactId>) {
    let from = [-49e-3, 0.0765e-3];
    let (mut parts, body) = t_body(32.54e-3, 20.94e-6, from);
    let pin = PinInWalls {
        body,
        outline: Outline::slot(from, [from[0] + 2e-3, from[1]], [2.5e-3; 2]),
        pin: GROUND.origin(),
        pin_radius: 2.45e-3,
        contact_point: 1.0,
        play: Some(0.05e-3),
    };
    let contacts = parts.pin_in_walls("pin", pin, |section: &Section| {
        let flat = section.region == Region::Flat;
        law(if flat { 2.594739413584824e9 } else { 1.834757834757832e10 })
    });
    (parts.build().expect("good parts"), contacts)
}

#[test]
fn peer_impact_table_of_a_pin_in_a_slot() {
    // An independent event-located DOP853 in minimal coordinates; the digits that it prints.
    let (mechanism, contacts) = pin_slot();
    let (_, record) = record(&mechanism, &contacts, 60e-3);
    let first = &record.episodes[0];
    assert!((first.start - 4.6616367e-3).abs() < 1e-10, "{}", first.start);
    assert!((first.impact_speed - 0.0320253645).abs() < 1e-10, "{}", first.impact_speed);
    assert!((first.max_force - 5.018620).abs() < 0.5e-6, "{}", first.max_force);
    assert!(first.region().starts_with("flat"), "{}", first.region());
    let pin = &record.joints[0].summary;
    assert_eq!(pin.impacts, 19);
    // The reference samples its forces, which costs some of its last digit.
    let peak = pin.peak_force.expect("some");
    assert!((peak - 185.797).abs() < 1e-3, "{peak}");
}

#[test]
fn property_an_episode_goes_on_where_it_passes() {
    // A ball rolls along the lower flat of a slot and up its ends, whose walls are stiffer.
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let ball = parts.body("ball", Body::new(0.1, 1e-5).placed([0.0, -0.5e-3], 0.0));
    let pin = PinInWalls {
        body: GROUND,
        outline: Outline::slot([-0.02, 0.0], [0.02, 0.0], [10e-3; 2]),
        pin: ball.origin(),
        pin_radius: 9e-3,
        contact_point: 1.0,
        play: Some(1e-3),
    };
    let contacts = parts.pin_in_walls("pin", pin, |section: &Section| {
        law(if section.region == Region::Flat { 1e9 } else { 2e9 })
    });
    parts.start_with_rate(Coordinate::X(ball.origin()), 0.1);
    let mechanism = parts.build().expect("good parts");
    let (run, record) = record(&mechanism, &contacts, 0.4);
    let passages: Vec<f64> = run
        .events
        .iter()
        .filter(|e| matches!(e.kind, EventKind::Passage { .. }))
        .map(|e| e.t)
        .collect();
    assert!(!passages.is_empty());
    for t in passages {
        let within = record.episodes.iter().filter(|e| e.start < t && t < e.end);
        assert!(within.clone().count() == 1, "t = {t}");
        assert!(within.clone().all(|e| e.regions.len() > 1), "t = {t}");
    }
    assert_eq!(run.impacts().count(), record.episodes.len());
    for e in &record.episodes {
        println!("{:.6} {:.6} {} {:?}", e.start, e.end, e.region(), e.restitution);
    }
    // Losses and seams close the books: what the ball has lost.
    let sum = |kind| -> f64 {
        let of = contacts.iter().map(|id| run.ledger.amount(kind, mechanism.contact_name(*id)));
        of.flatten().sum()
    };
    let pin = &record.joints[0].summary;
    let loss = pin.loss_normal.expect("a number");
    let seam = pin.seam_energy.expect("a number");
    assert!((loss / sum(AccountKind::ContactNormal) - 1.0).abs() < 1e-12);
    assert_eq!(seam, sum(AccountKind::Seam));
    assert!(seam != 0.0);
    let change = run.ledger.start.total() - run.ledger.end.total();
    let error = loss - seam - change;
    assert!(error.abs() < 1e-9 * run.ledger.exchanged, "{error:e} of {change:e}");
}
