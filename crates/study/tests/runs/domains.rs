//! Laws held against the bounds of their data sheets, in impacts whose speed, depth and load are known.

use jointplay_contact::catalog::{DampingKind, Inputs, LawName, LawOrigin, RETURNED};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::{ALUMINIUM, Material, NormalLaw, Restitution, STEEL, Surfaces};
use jointplay_mbd::{Body, Builder, Coordinate, GROUND, JournalBearing, Simulation};
use jointplay_study::contacts::{
    Concern, ContactRecorder, JointContacts, JointRecord, Quantity, Whole,
};
use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact};

/// What a free impact returns, integrated.
fn returned(kind: DampingKind, c: f64) -> Option<f64> {
    let elastic = ElasticLaw::Power(Power { stiffness: 1e9, exponent: 1.5 });
    let inputs = Inputs { restitution: Some(Restitution::Constant(c)), ..Inputs::default() };
    let damping = kind.build(&inputs, "power", &elastic).ok()?;
    let law = NormalLaw::new(elastic, damping);
    let impact =
        Impact { law: &law, effective_mass: 0.5, speed: 0.1, tolerance: DEFAULT_TOLERANCE };
    Some(impact.run().ok()?.restitution)
}

/// The restitutions of a sheet are those that come back: inside all of them, outside not the next hundredth but one.
#[test]
fn exact_restitutions_of_the_sheets_are_those_that_free_impacts_return() {
    let mut bounded = 0;
    for &kind in DampingKind::ALL {
        let Some(range) = kind.sheet().bounds.restitution else { continue };
        bounded += 1;
        let off = |c: f64| returned(kind, c).map(|e| (e - c).abs());
        for i in 0..=20 {
            let c = (range.low + (range.high - range.low) * f64::from(i) / 20.0).max(0.01);
            let off = off(c).expect("an impact");
            assert!(off <= RETURNED, "{} is {off} off at {c}", kind.id());
        }
        for c in [range.low - 0.02, range.high + 0.02] {
            if c > 0.0 && c < 1.0 {
                assert!(off(c).is_none_or(|off| off > RETURNED), "{} holds at {c}", kind.id());
            }
        }
    }
    assert_eq!(bounded, 12);
}

/// A journal thrown against its bearing once; without gravity or other forces.
fn thrown(
    name: &str,
    surfaces: [f64; 2],
    materials: [Material; 2],
    length: Option<f64>,
    speed: f64,
) -> JointRecord {
    let [bearing_radius, journal_radius] = surfaces;
    let inputs = Inputs {
        surfaces: Some(Surfaces::internal(bearing_radius, journal_radius).expect("it fits")),
        materials: Some(materials),
        length,
        restitution: Some(Restitution::Constant(0.46)),
        ..Inputs::default()
    };
    let name: LawName = name.parse().expect("a law");
    let law = name.build(&inputs).expect("complete").law;
    let mut parts = Builder::new();
    let pin = parts.body("pin", Body::new(1.0, 1e-3));
    let slide = parts.prismatic("line", GROUND.origin(), pin.origin());
    let bearing = JournalBearing {
        bearing: GROUND.origin(),
        journal: pin.origin(),
        bearing_radius,
        clearance: bearing_radius - journal_radius,
        contact_point: 0.0,
    };
    let contact = parts.journal_bearing("pin", bearing, law);
    parts.start_with_rate(Coordinate::Joint(slide), speed);
    let mechanism = parts.build().expect("good parts");
    let mut joint = JointContacts::single("pin", contact);
    joint.laws = vec![LawOrigin { name, inputs }];
    let mut recorder = ContactRecorder::new(&mechanism, vec![joint]);
    let clearance = bearing_radius - journal_radius;
    let simulation = Simulation::new(&mechanism).until(1.5 * clearance / speed);
    let run = simulation.run_observed(&mut recorder).expect("it starts");
    let record = recorder.finish(&run);
    assert_eq!(record.episodes.len(), 1, "{:?}", record.episodes);
    record.joints.into_iter().next().expect("one joint")
}

#[test]
fn exact_a_journal_in_a_close_bearing_is_told() {
    let close = [10.25e-3, 10e-3];
    let law = "hertz+lankarani-nikravesh";
    let record = thrown(law, close, [STEEL; 2], None, 0.1);
    let concerns: Vec<Concern> = record.warnings.iter().map(|w| w.concern).collect();
    let [conformity, speed, restitution] = &record.warnings[..] else { panic!("{concerns:?}") };
    // 0.25/10.25 of the radius.
    let Concern::Conformity { least, ratio } = conformity.concern else { panic!("{conformity}") };
    assert!((ratio - 1.0 / 41.0).abs() < 1e-12 && ratio < least);
    let Concern::Speed { reached, .. } = speed.concern else { panic!("{speed}") };
    assert!((reached - 0.1).abs() < 1e-9);
    let Concern::Restitution { asked, .. } = restitution.concern else { panic!("{restitution}") };
    assert_eq!(asked, 0.46);
    assert_eq!((conformity.share, conformity.of), (1.0, Whole::ContactTime));
    assert_eq!((speed.share, speed.of), (1.0, Whole::Impacts));
    assert_eq!(record.summary.out_of_domain, Some(1.0));
    // Liu's law needs no more than the length.
    let better = conformity.better.as_deref().expect("there is one");
    assert!(better.contains("'liu'") && better.contains("`length`"), "{better}");
    let with_length = thrown(law, close, [STEEL; 2], Some(0.015), 0.1);
    let better = with_length.warnings[0].better.as_deref().expect("there is one");
    assert!(better.contains("'liu'") && !better.contains("`length`"), "{better}");
}

#[test]
fn exact_a_law_inside_its_domain_is_not_warned_of() {
    let record = thrown("liu+exact", [10.25e-3, 10e-3], [STEEL; 2], Some(0.015), 0.1);
    assert_eq!((record.warnings, record.summary.out_of_domain), (vec![], Some(0.0)));
    // A pin far smaller than its bore touches in a small spot.
    let loose = thrown("hertz+exact", [12e-3, 10e-3], [STEEL; 2], None, 0.1);
    assert_eq!((loose.warnings, loose.summary.out_of_domain), (vec![], Some(0.0)));
    let spot =
        loose.summary.domain.iter().find(|c| c.quantity == Quantity::Conformity).expect("checked");
    assert!((spot.value.expect("known") - 1.0 / 6.0).abs() < 1e-12 && spot.share == 0.0);
    assert!(spot.to_string().ends_with("inside"), "{spot}");
}

#[test]
fn exact_a_speed_that_cannot_be_checked_is_told() {
    let light = Material { density: None, ..ALUMINIUM };
    let law = "hertz+lankarani-nikravesh";
    let record = thrown(law, [12e-3, 10e-3], [light; 2], None, 0.1);
    let speed = record.summary.domain.iter().find(|c| c.quantity == Quantity::ImpactSpeed);
    let speed = speed.expect("it is listed");
    assert!(speed.value.is_none() && speed.unchecked.is_some());
    assert!(speed.to_string().contains("could not be checked"), "{speed}");
    assert!(record.warnings.iter().all(|w| !matches!(w.concern, Concern::Speed { .. })));
}

/// The law that is proposed where another ends can carry the load.
#[test]
fn property_a_proposed_law_holds() {
    let (close, length) = ([10.01e-3, 10e-3], Some(0.015));
    let record = thrown("goldsmith+exact", close, [STEEL; 2], length, 0.05);
    let [load] = &record.warnings[..] else { panic!("{:?}", record.warnings) };
    assert!(matches!(load.concern, Concern::Load { .. }), "{load}");
    assert!(load.share > 0.0 && load.share <= 1.0);
    let better = load.better.as_deref().expect("there is one");
    let id = better.split('\'').nth(1).expect("a name");
    let proposed = thrown(&format!("{id}+exact"), close, [STEEL; 2], length, 0.05);
    assert_eq!(proposed.warnings, vec![], "{id}");
    let elastic: LawName = id.parse().expect("a law of the catalogue");
    assert!(elastic.elastic.is_some());
}
