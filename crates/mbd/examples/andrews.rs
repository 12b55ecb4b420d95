//! Andrews' squeezing mechanism (IFToMM A03): seven bodies, three loops, a motor and a spring.

use jointplay_mbd::{Body, Builder, Coordinate, Force, GROUND, Signal, Simulation, Spring};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parts = Builder::new();
    // Mass (kg), moment of inertia (kg m²), centre of mass (m), about where it starts (m, rad).
    let mut body = |name, mass, inertia, centre, place, angle| {
        parts.body(name, Body::new(mass, inertia).centre(centre).placed(place, angle))
    };
    let (a, b) = ([-0.06934, -0.00227], [-0.03635, 0.03273]);
    let k1 = body("K1", 0.04325, 2.194e-6, [0.00092, 0.0], [0.0, 0.0], -0.0617);
    let k2 = body("K2", 0.00365, 4.410e-7, [-0.0115, 0.0], [0.007, 0.0], -0.0617);
    let k3 = body("K3", 0.02373, 5.255e-6, [0.01043, -0.01874], b, 0.4553);
    let k4 = body("K4", 0.00706, 5.667e-7, [0.0, -0.00579], [-0.034, 0.0165], 0.7100);
    let k5 = body("K5", 0.07050, 1.169e-5, [0.02308, 0.00916], a, 0.4874);
    let k6 = body("K6", 0.00706, 5.667e-7, [0.00579, 0.0], [-0.0316, -0.0156], 1.0079);
    let k7 = body("K7", 0.05498, 1.912e-5, [-0.00449, -0.01228], a, 1.2305);
    parts.revolute("O", GROUND.origin(), k1.origin());
    parts.revolute("E", k1.at([0.007, 0.0]), k2.origin());
    parts.revolute("B", GROUND.at(b), k3.origin());
    parts.revolute("A of K5", GROUND.at(a), k5.origin());
    parts.revolute("A of K7", GROUND.at(a), k7.origin());
    parts.revolute("G", k5.at([0.04, 0.0]), k4.origin());
    parts.revolute("H", k7.at([0.0, -0.04]), k6.origin());
    let f = k2.at([-0.028, 0.0]); // three bodies meet the end of K2
    parts.revolute("F of K3", k3.at([0.0, -0.035]), f);
    parts.revolute("F of K4", k4.at([0.0, -0.02]), f);
    parts.revolute("F of K6", k6.at([0.02, 0.0]), f);
    let spring = Spring::new(GROUND.at([0.014, 0.072]), k3.at([0.02, -0.018]), 4530.0, 0.07785);
    parts.force("spring", Force::Spring(spring));
    let size = Signal::constant(0.033)?; // N m
    parts.force("motor", Force::Torque { on: k1, against: GROUND, size });
    parts.start_at(Coordinate::Angle(k1), -0.06171389001427645);
    let run = Simulation::new(&parts.build()?).until(0.03).tolerance(1e-10).run()?;
    let (moved, angle) = (run.start.moved, run.end()?.angle(k1).value);
    println!("assembled by {moved:.1e} m; after 30 ms K1 is at {angle:.6} rad ({})", run.outcome);
    Ok(())
}
