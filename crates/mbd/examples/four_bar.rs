//! A crank-rocker with a spring, assembled from rough positions and run in both formulations.

use jointplay_mbd::{
    Body, Builder, Coordinate, Error, Force, Formulation, GROUND, Simulation, TorsionSpring,
};

fn main() -> Result<(), Error> {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    // Rods that start at the origin of their frames, with mass (kg), length (m), place (m) and angle (rad).
    let mut rod = |name, mass, length, place, angle| {
        parts.body(name, Body::rod(mass, length).centre([length / 2.0, 0.0]).placed(place, angle))
    };
    let crank = rod("crank", 0.5, 0.10, [0.0, 0.0], 0.7);
    let coupler = rod("coupler", 0.7, 0.35, [0.1, 0.1], 0.5);
    let rocker = rod("rocker", 0.9, 0.30, [0.4, 0.0], 1.6);
    parts.revolute("A", GROUND.origin(), crank.origin());
    parts.revolute("B", crank.at([0.1, 0.0]), coupler.origin());
    let c = parts.revolute("C", coupler.at([0.35, 0.0]), rocker.at([0.3, 0.0]));
    parts.revolute("D", GROUND.at([0.4, 0.05]), rocker.origin());
    let spring = TorsionSpring::new(GROUND, rocker, 6.0, 1.9).damped(0.05);
    parts.force("spring", Force::TorsionSpring(spring));
    // The crank starts exactly here; the other bodies move until the loop closes.
    parts.start_at(Coordinate::Angle(crank), 0.7).start_with_rate(Coordinate::Angle(crank), 5.0);
    let four_bar = parts.build()?;

    for formulation in [Formulation::Joint, Formulation::Absolute] {
        let run = Simulation::new(&four_bar).formulation(formulation).tolerance(1e-10).run()?;
        let (end, equations) = (run.end()?, &run.equations);
        let (unknowns, rows) = (equations.unknown_count(), equations.constraint_count());
        println!("{formulation:?}: {unknowns} unknowns, {rows} constraints");
        println!("  closed by {:.4} m, {} degree of freedom", run.start.moved, run.start.freedom);
        let (angle, pin) = (end.angle(crank).value, end.reaction(c).force());
        println!("  after 1 s: crank at {angle:.6} rad, {pin:.6} N in pin C");
        println!("  {:.6} J lost in the spring", run.ledger.losses());
    }
    Ok(())
}
