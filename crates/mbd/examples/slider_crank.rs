//! A slider-crank at 200 rpm: with an ideal pin, then with 0.25 mm of clearance in it.

use jointplay_mbd::law::catalog::{Inputs, LawName};
use jointplay_mbd::law::{Restitution, STEEL, Surfaces};
use jointplay_mbd::{Body, Builder, Coordinate, GROUND, JournalBearing, Signal, Simulation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (speed, bearing_radius) = (200.0 * std::f64::consts::TAU / 60.0, 10.25e-3); // rad/s, m
    let inputs = Inputs {
        surfaces: Some(Surfaces::internal(bearing_radius, 10e-3)?),
        materials: Some([STEEL, STEEL]),
        restitution: Some(Restitution::Constant(0.46)),
        ..Inputs::default()
    };
    let law = "hertz+lankarani-nikravesh".parse::<LawName>()?.build(&inputs)?.law;
    for clearance in [0.0, 0.25e-3] {
        let mut parts = Builder::new();
        let crank = parts.body("crank", Body::new(17.9, 0.460327));
        let rod = Body::new(1.13, 0.0153).centre([0.15, 0.0]).placed([0.05, 0.0], 0.0);
        let rod = parts.body("rod", rod);
        let slider = parts.body("slider", Body::new(1.013, 0.000772).placed([0.35, 0.0], 0.0));
        let axis = parts.revolute("axis", GROUND.origin(), crank.origin());
        parts.revolute("crank pin", crank.at([0.05, 0.0]), rod.origin());
        parts.prismatic("guide", GROUND.origin(), slider.origin());
        let motor = parts.drive("motor", Coordinate::Joint(axis), Signal::rate(0.0, speed)?);
        let (bearing, journal) = (rod.at([0.3, 0.0]), slider.origin());
        if clearance == 0.0 {
            parts.revolute("pin", bearing, journal);
        } else {
            let pin =
                JournalBearing { bearing, journal, bearing_radius, clearance, contact_point: 0.0 };
            parts.journal_bearing("pin", pin, law.clone());
            parts.start_with_rate(Coordinate::Angle(rod), -speed * 0.05 / 0.3);
        }
        let run = Simulation::new(&parts.build()?).until(0.6).run()?;
        let moment = run.series(|s| s.driver(motor).effort)?.into_iter().fold(0.0, f64::max);
        let impacts = run.impacts().count();
        println!("{clearance} m: up to {moment:.3} N m at the crank, {impacts} impacts in 0.6 s");
    }
    Ok(())
}
