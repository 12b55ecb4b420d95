//! Pins in slots and a block in a guide against an independent integration in minimal coordinates (event-located DOP853,
//! energy balance to 1e-13 J) of the mechanisms of the papers, with the same assumptions; and the limits that join them.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{CoulombTanh, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    AccountKind, BlockInGuide, Body, BodyId, Builder, ContactId, Coordinate, EventKind,
    Formulation, GROUND, JournalBearing, Mechanism, Outline, PinInWalls, Region, Sampling, Section,
    Signal, Simulation, Solution,
};

use crate::machines::t_body;

const BOTH: [Formulation; 2] = [Formulation::Joint, Formulation::Absolute];

fn law(stiffness: f64, exponent: f64, damping: DampingLaw) -> ContactLaw {
    let elastic = ElasticLaw::Power(Power { stiffness, exponent });
    ContactLaw { normal: NormalLaw::new(elastic, damping), friction: FrictionLaw::NoFriction }
}

fn starts(run: &Solution) -> Vec<(f64, ContactId, f64)> {
    run.impacts().collect()
}

/// The greatest normal force between two times, over all kept instants.
fn peak(run: &Solution, contacts: &[ContactId], from: f64, until: f64) -> (f64, f64) {
    let forces = run.snapshots().map(|snapshot| {
        let snapshot = snapshot.expect("regular");
        let force = contacts.iter().map(|id| snapshot.contact(*id).normal).fold(0.0, f64::max);
        (snapshot.t(), force)
    });
    let within = forces.filter(|(t, _)| (from..=until).contains(t));
    within.fold((0.0, 0.0), |best, now| if now.1 > best.1 { now } else { best })
}

const K_ARC: f64 = 1.834757834757832e10;
const K_FLAT: f64 = 2.594739413584824e9;

fn lankarani_nikravesh() -> DampingLaw {
    let restitution = Restitution::Constant(0.4);
    DampingLaw::Factor { factor: Factor::LankaraniNikravesh, restitution }
}

/// The T-body with its slot, of this length (m).
fn pin_slot(length: f64) -> (Mechanism, Vec<ContactId>) {
    let from = [-49e-3, 0.0765e-3];
    let (mut parts, body) = t_body(32.54e-3, 20.94e-6, from);
    let pin = PinInWalls {
        body,
        outline: Outline::slot(from, [from[0] + length, from[1]], [2.5e-3; 2]),
        pin: GROUND.origin(),
        pin_radius: 2.45e-3,
        contact_point: 1.0,
        play: Some(0.05e-3),
    };
    let contacts = parts.pin_in_walls("pin", pin, |section| {
        let stiffness = if section.region == Region::Flat { K_FLAT } else { K_ARC };
        law(stiffness, 1.5, lankarani_nikravesh())
    });
    (parts.build().expect("good parts"), contacts)
}

#[test]
fn peer_pin_in_a_slot() {
    let (mechanism, contacts) = pin_slot(2e-3);
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).formulation(formulation).tolerance(1e-11);
        let simulation = simulation.sampled(Sampling::Interval(5e-7));
        let run = simulation.until(60e-3).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        let starts = starts(&run);
        let (t, first, speed) = starts[0];
        assert!((t - 4.6616367e-3).abs() < 1e-10, "{t:e}");
        assert!((speed - 0.0320253645).abs() < 1e-10, "{speed}");
        assert!(mechanism.contact_name(first).starts_with("pin, flat"));
        assert_eq!(starts.len(), 19, "{formulation:?}");
        let (_, force) = peak(&run, &contacts, 0.0, starts[1].0);
        assert!((force / 5.018620 - 1.0).abs() < 1e-5, "{force}");
        let (_, force) = peak(&run, &contacts, 0.0, 1.0);
        assert!((force / 185.797 - 1.0).abs() < 1e-4, "{force}");
        assert!(run.ledger.relative_residual() < 1e-9, "{:e}", run.ledger.relative_residual());
    }
}

/// The same body with a bore.
fn bored(place: [f64; 2]) -> (Builder, JournalBearing) {
    let (parts, body) = t_body(32.74e-3, 21.40e-6, place);
    let bearing = JournalBearing {
        bearing: body.at(place),
        journal: GROUND.origin(),
        bearing_radius: 2.5e-3,
        clearance: 2.5e-3 - 2.45e-3,
        contact_point: 1.0,
    };
    (parts, bearing)
}

#[test]
fn peer_pin_in_a_bore() {
    let (mut parts, bearing) = bored([-49e-3, 0.076e-3]);
    parts.journal_bearing("pin", bearing, law(K_ARC, 1.5, lankarani_nikravesh()));
    let mechanism = parts.build().expect("good parts");
    let run = Simulation::new(&mechanism).tolerance(1e-11).until(60e-3).run().expect("it starts");
    let (t, _, speed) = starts(&run)[0];
    assert!((t - 2.1467266e-3).abs() < 1e-10, "{t:e}");
    assert!((speed - 0.0437510511).abs() < 1e-10, "{speed}");
}

/// A slot without length is a bore, to the last bit.
#[test]
fn exact_a_slot_without_length_is_a_bore() {
    let place = [-49e-3, 0.076e-3];
    let contact = law(K_ARC, 1.5, lankarani_nikravesh());
    let (mut parts, bearing) = bored(place);
    parts.journal_bearing("pin", bearing, contact.clone());
    let bore = parts.build().expect("good parts");
    let (mut parts, bearing) = bored(place);
    let pin = PinInWalls {
        body: bearing.bearing.body,
        outline: Outline::slot(place, place, [2.5e-3; 2]),
        pin: GROUND.origin(),
        pin_radius: 2.45e-3,
        contact_point: 1.0,
        play: Some(2.5e-3 - 2.45e-3),
    };
    parts.pin_in_walls("pin", pin, |_| contact.clone());
    let slot = parts.build().expect("good parts");
    let [bore, slot] = [bore, slot].map(|mechanism| {
        let run = Simulation::new(&mechanism).until(60e-3).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        (starts(&run), run.end().expect("regular").energy())
    });
    assert!(bore.0.len() > 5);
    assert_eq!(bore, slot);
}

/// In units of the paper, N/mmⁿ.
fn per_millimetre(stiffness: f64, exponent: f64) -> ContactLaw {
    let damping = DampingLaw::HuntCrossleyAlpha { alpha: 0.32, rate_exponent: 1.0 };
    law(stiffness * 1e3_f64.powf(exponent), exponent, damping)
}

/// Autiero2022's scotch yoke with a slot along an arc, Lankarani's set of stiffnesses.
fn yoke(clearance: f64, stiffer: f64) -> (Mechanism, Vec<ContactId>, BodyId) {
    let mut parts = Builder::new();
    let (radius, crank_radius, speed) = (60e-3, 50e-3, 24.0 * std::f64::consts::PI);
    let start = -31.0_f64.to_radians();
    let crank = parts.body("crank", Body::new(1.0, 1e-3).placed([0.0; 2], start));
    let shaft = parts.revolute("shaft", GROUND.origin(), crank.origin());
    let turning = Signal::rate(start, speed).expect("finite");
    parts.drive("motor", Coordinate::Joint(shaft), turning);
    let (sin, cos) = start.sin_cos();
    let root = (radius * radius - (crank_radius * sin).powi(2)).sqrt();
    let x = crank_radius * cos + root;
    let v = -crank_radius * speed * sin * (1.0 + crank_radius * cos / root);
    let slider =
        parts.body("yoke", Body::new(2.353, 1.0).placed([x, 0.0], 0.0).moving([v, 0.0], 0.0));
    parts.prismatic("guide", GROUND.origin(), slider.origin());
    let angles = [120.0_f64.to_radians(), 240.0_f64.to_radians()];
    let pin = PinInWalls {
        body: slider,
        outline: Outline::curved_slot([0.0; 2], radius, angles, 8e-3),
        pin: crank.at([crank_radius, 0.0]),
        pin_radius: 8e-3 - clearance,
        contact_point: 1.0,
        play: Some(clearance),
    };
    let of = |section: &Section| match section.region {
        Region::Inner => per_millimetre(1.220e5 * stiffer, 1.5),
        Region::Outer => per_millimetre(1.424e5 * stiffer, 1.5),
        _ => per_millimetre(1.198e6 * stiffer, 1.5),
    };
    let contacts = parts.pin_in_walls("pin", pin, of);
    (parts.build().expect("good parts"), contacts, slider)
}

#[test]
fn peer_pin_in_a_curved_slot() {
    let (mechanism, contacts, _) = yoke(0.1e-3, 1.0);
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).formulation(formulation).tolerance(1e-11);
        let run = simulation
            .sampled(Sampling::Interval(2e-6))
            .until(2.0 / 12.0)
            .run()
            .expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        let (t, first, speed) = starts(&run)[0];
        assert!((t - 0.7210053e-3).abs() < 1e-10, "{t:e}");
        assert!((speed - 0.2823746192).abs() < 1e-10, "{speed}");
        assert_eq!(mechanism.contact_name(first), "pin, outer");
        // The second revolution, in degrees of the crank.
        let (turn, degrees) = (1.0 / 12.0, |t: f64| (t * 12.0).fract() * 360.0);
        let (at, force) = peak(&run, &contacts, turn, 2.0 * turn);
        assert!((force / 5204.51 - 1.0).abs() < 1e-4, "{force}");
        assert!((degrees(at) - 122.15).abs() < 0.02, "{}", degrees(at));
        let near = |t: f64| t > turn && (90.0..110.0).contains(&degrees(t));
        let flights: Vec<f64> = run
            .events
            .iter()
            .filter(|event| near(event.t))
            .filter(|event| {
                matches!(event.kind, EventKind::ContactEnd(_) | EventKind::ContactStart { .. })
            })
            .map(|event| degrees(event.t))
            .collect();
        let [end, start] = flights[..] else { panic!("{flights:?}") };
        assert!((end - 96.98).abs() < 0.01 && (start - 105.99).abs() < 0.01, "{end} {start}");
        assert!(run.ledger.relative_residual() < 1e-9, "{:e}", run.ledger.relative_residual());
    }
}

/// The slider-crank of Flores, Leine and Glocker (2010), its slider a block in a guide with clearance, the crank free.
fn block(
    formulation: Formulation,
    extent: Option<[f64; 2]>,
    tolerance: f64,
) -> (Mechanism, Vec<ContactId>, Solution) {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let crank = Body::new(0.038, 7.4e-5).centre([0.0765, 0.0]).moving([0.0; 2], 150.0);
    let crank = parts.body("crank", crank);
    let rod = Body::new(0.038, 5.9e-4).centre([0.153, 0.0]).placed([0.153, 0.0], 0.0);
    let rod = parts.body("rod", rod.moving([0.0, 22.95], -75.0));
    let slider = Body::new(0.076, 2.7e-6).placed([0.459, 0.0], 0.0);
    let slider = parts.body("slider", slider);
    parts.revolute("axis", GROUND.origin(), crank.origin());
    parts.revolute("crank pin", crank.at([0.153, 0.0]), rod.origin());
    parts.revolute("pin", rod.at([0.306, 0.0]), slider.origin());
    let restitution = Restitution::Constant(0.4);
    let damping = DampingLaw::Factor { factor: Factor::Exact, restitution };
    let friction = FrictionLaw::CoulombTanh(CoulombTanh::new(0.01, 1e-3).expect("positive"));
    let law = ContactLaw { friction, ..law(1e9, 1.5, damping) };
    let place = BlockInGuide {
        guide: GROUND.origin().into(),
        block: slider.origin().into(),
        length: 0.1,
        height: 0.05,
        clearance: 1e-3,
        extent,
        contact_point: 1.0,
    };
    let corners = parts.block_in_guide("guide", place, &law);
    let mechanism = parts.build().expect("good parts");
    let simulation = Simulation::new(&mechanism).formulation(formulation).tolerance(tolerance);
    let run = simulation.until(0.05).run().expect("it starts");
    (mechanism, corners, run)
}

/// Up to the first contact the slider does not turn, so that both corners of one side touch in the same instant.
#[test]
fn property_both_corners_of_a_block_touch_at_once() {
    for formulation in BOTH {
        let (mechanism, corners, run) = block(formulation, None, 1e-10);
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        let starts = starts(&run);
        let [(t, first, speed), (other, second, too), ..] = starts[..] else {
            panic!("{starts:?}")
        };
        assert!(t == other && (speed - too).abs() < 1e-12, "{t} {other} {speed} {too}");
        let names = [first, second].map(|id| mechanism.contact_name(id).to_owned());
        let side = |name: &str| name.split_whitespace().nth(1).map(str::to_owned);
        assert_eq!(side(&names[0]), side(&names[1]), "{names:?}");
        assert_ne!(names[0], names[1]);
        assert!(corners.contains(&first) && corners.contains(&second));
        assert!(run.ledger.relative_residual() < 1e-9, "{:e}", run.ledger.relative_residual());
    }
}

/// Ends that are never reached change nothing but the steps and the rounding of where the walls are.
#[test]
fn exact_a_long_guide_is_an_endless_one() {
    for formulation in BOTH {
        let runs = [None, Some([-3.0, 4.0])].map(|extent| block(formulation, extent, 1e-13));
        let [endless, long] = runs.map(|(_, _, run)| starts(&run));
        // Later impacts magnify rounding.
        for (a, b) in endless.iter().zip(&long).take(6) {
            assert_eq!(a.1, b.1);
            assert!((a.0 - b.0).abs() < 1e-12, "{a:?} {b:?}");
        }
    }
}

/// The slot is pushed through both of its ends: a contact that slides over a seam keeps its impact speed, and what its
/// energy jumps by, because the arcs are stiffer than the flats, is in the books.
#[test]
fn property_a_contact_passes_seams_with_its_memory() {
    let (mechanism, _) = pin_slot(2e-3);
    let run = Simulation::new(&mechanism).tolerance(1e-11).until(60e-3).run().expect("it starts");
    let passages =
        run.events.iter().filter(|e| matches!(e.kind, EventKind::Passage { .. })).count();
    assert!(passages > 0, "{:?}", run.events);
    let jumps: f64 = mechanism
        .accounts()
        .iter()
        .filter(|account| account.kind == AccountKind::Seam)
        .filter_map(|account| run.ledger.amount(AccountKind::Seam, &account.part))
        .map(f64::abs)
        .sum();
    assert!(jumps > 0.0);
    assert!(run.ledger.relative_residual() < 1e-9, "{:e}", run.ledger.relative_residual());
    // Without the account the books are open by that much.
    assert!(jumps > 1e-9 * run.ledger.exchanged, "{jumps:e}");
}

/// With less and less play and hard walls the yoke follows the ideal one, X = r cos Θ + √(R² − r² sin² Θ).
#[test]
fn exact_a_slot_without_play_is_the_ideal_joint() {
    for clearance in [1e-4, 1e-5, 1e-6] {
        let (mechanism, _, slider) = yoke(clearance, 1e6);
        let simulation = Simulation::new(&mechanism).tolerance(1e-8).until(1.0 / 12.0);
        let run = simulation.sampled(Sampling::Interval(1e-4)).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        for snapshot in run.snapshots() {
            let snapshot = snapshot.expect("regular");
            let angle = 24.0 * std::f64::consts::PI * snapshot.t() - 31.0_f64.to_radians();
            let (sin, cos) = angle.sin_cos();
            let ideal = 50e-3 * cos + (60e-3_f64.powi(2) - (50e-3 * sin).powi(2)).sqrt();
            let off = (snapshot.position(slider).position[0] - ideal).abs();
            // The play over the cosine of the angle at C, asin(r/R) = 56.4°, of the second order in it, and a little that it sinks in.
            assert!(off < 1.82 * clearance + 1e-7, "{off:e} at {} s", snapshot.t());
        }
    }
}

/// A slot along an arc of growing radius becomes the straight one.
#[test]
fn order_a_curved_slot_straightens_with_its_radius() {
    let from = [-49e-3, 0.0765e-3];
    let first = |outline: Outline| {
        let (mut parts, body) = t_body(32.54e-3, 20.94e-6, from);
        let (pin, pin_radius) = (GROUND.origin(), 2.45e-3);
        let pin =
            PinInWalls { body, outline, pin, pin_radius, contact_point: 1.0, play: Some(0.05e-3) };
        parts.pin_in_walls("pin", pin, |_| law(K_FLAT, 1.5, lankarani_nikravesh()));
        let mechanism = parts.build().expect("good parts");
        let run = Simulation::new(&mechanism).tolerance(1e-12).until(6e-3).run();
        let (t, _, speed) = starts(&run.expect("it starts"))[0];
        (t, speed)
    };
    let straight = first(Outline::slot(from, [from[0] + 2e-3, from[1]], [2.5e-3; 2]));
    let errors = [1.0, 10.0, 100.0].map(|radius: f64| {
        // Its first end and the direction there are those of the straight slot.
        let centre = [from[0], from[1] + radius];
        let bottom = -std::f64::consts::FRAC_PI_2;
        let curved =
            first(Outline::curved_slot(centre, radius, [bottom, bottom + 2e-3 / radius], 2.5e-3));
        (curved.0 - straight.0).abs() / straight.0 + (curved.1 - straight.1).abs() / straight.1
    });
    println!("{errors:?}");
    // What the arc bends away by is inverse to its radius.
    for pair in errors.windows(2) {
        assert!(
            (pair[0] / pair[1]).log10() > 0.9 && (pair[0] / pair[1]).log10() < 1.1,
            "{errors:?}"
        );
    }
}
