//! A rod swings from the horizontal: its motion, the force in its pivot, its energy.

use jointplay_mbd::{Body, Builder, Error, GROUND, Sampling, Simulation};

fn main() -> Result<(), Error> {
    // Parts: a slender rod of 1 kg and 1 m whose left end is pinned to the ground.
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let rod = parts.body("rod", Body::rod(1.0, 1.0).placed([0.5, 0.0], 0.0));
    let pivot = parts.revolute("pivot", GROUND.origin(), rod.at([-0.5, 0.0]));
    let pendulum = parts.build()?;

    // Two seconds, kept every quarter of a second.
    let simulation = Simulation::new(&pendulum).until(2.0).sampled(Sampling::Interval(0.25));
    let run = simulation.tolerance(1e-10).run()?;

    println!("t (s)   angle (rad)   pivot force (N)");
    for instant in run.snapshots() {
        let instant = instant?;
        let (angle, force) = (instant.angle(rod).value, instant.reaction(pivot).force());
        println!("{:5.2}   {angle:11.6}   {force:15.6}", instant.t());
    }
    let (residual, in_play) = (run.ledger.relative_residual(), run.ledger.in_play());
    println!("{}, {} evaluations", run.outcome, run.stats.evaluations);
    println!("energy: {residual:.1e} of {in_play:.3} J not accounted for");
    Ok(())
}
