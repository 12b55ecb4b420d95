//! A rod swings from the horizontal: its motion, the force in its pivot, its energy.

use jointplay_mbd::{Body, Builder, Error, GROUND, Sampling, Simulation};

fn main() -> Result<(), Error> {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let rod = parts.body("rod", Body::rod(1.0, 1.0).placed([0.5, 0.0], 0.0));
    let pivot = parts.revolute("pivot", GROUND.origin(), rod.at([-0.5, 0.0]));
    let pendulum = parts.build()?;

    let run = Simulation::new(&pendulum)
        .until(2.0)
        .sampled(Sampling::Interval(0.25))
        .tolerance(1e-10)
        .run()?;

    println!("t [s]   angle [rad]   pivot force [N]");
    let angle = run.series(|s| s.angle(rod).value)?;
    let force = run.series(|s| s.reaction(pivot).force())?;
    for ((t, angle), force) in run.trajectory.times().iter().zip(angle).zip(force) {
        println!("{t:5.2}   {angle:11.6}   {force:15.6}");
    }
    println!("{}; {} evaluations", run.outcome, run.stats.evaluations);
    println!(
        "energy residual {:.1e} of {:.3} J",
        run.ledger.relative_residual(),
        run.ledger.exchanged
    );
    Ok(())
}
