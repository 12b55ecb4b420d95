//! A slider-crank at 200 rpm with an ideal pin, and with a pin that has 0.25 mm of clearance.

use jointplay_contact::catalog::{Inputs, LawName};
use jointplay_contact::{Restitution, STEEL, Surfaces};
use jointplay_mbd::{
    Body, Builder, Coordinate, EventKind, GROUND, JournalBearing, Signal, Simulation,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let speed = 200.0 * std::f64::consts::TAU / 60.0;
    let inputs = Inputs {
        surfaces: Some(Surfaces::internal(10.25e-3, 10e-3)?),
        materials: Some([STEEL, STEEL]),
        restitution: Some(Restitution::Constant(0.46)),
        ..Inputs::default()
    };
    let law = "hertz+lankarani-nikravesh".parse::<LawName>()?.build(&inputs)?.law;
    for clearance in [0.0, 0.25e-3] {
        let mut parts = Builder::new();
        let crank = parts.body("crank", Body::new(17.9, 0.460327));
        let rod =
            parts.body("rod", Body::new(1.13, 0.0153).centre([0.15, 0.0]).placed([0.05, 0.0], 0.0));
        let slider = parts.body("slider", Body::new(1.013, 0.000772).placed([0.35, 0.0], 0.0));
        let axis = parts.revolute("axis", GROUND.origin(), crank.origin());
        parts.revolute("crank pin", crank.at([0.05, 0.0]), rod.origin());
        parts.prismatic("guide", GROUND.origin(), slider.origin());
        let motor = parts.drive("motor", Coordinate::Joint(axis), Signal::rate(0.0, speed)?);
        let (bearing, journal) = (rod.at([0.3, 0.0]), slider.origin());
        if clearance > 0.0 {
            let place = JournalBearing {
                bearing,
                journal,
                bearing_radius: 10.25e-3,
                clearance,
                depth: 0.0,
            };
            parts.journal_bearing("pin", place, law.clone());
            parts.start_with_rate(Coordinate::Angle(rod), -speed * 0.05 / 0.3);
        } else {
            parts.revolute("pin", bearing, journal);
        }
        let mechanism = parts.build()?;
        let run = Simulation::new(&mechanism).until(0.6).run()?;
        let moment = run.series(|s| s.driver(motor).effort)?.into_iter().fold(0.0, f64::max);
        let impacts =
            run.events.iter().filter(|e| matches!(e.kind, EventKind::ContactStart { .. })).count();
        println!(
            "{clearance} m: {impacts} impacts, crank moment up to {moment:.3} N m, {} evaluations",
            run.stats.evaluations
        );
    }
    Ok(())
}
