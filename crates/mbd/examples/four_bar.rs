//! A crank-rocker assembled from rough positions: degrees of freedom, motion in both formulations.

use jointplay_mbd::{
    Body, Builder, Coordinate, Error, Force, Formulation, GROUND, Simulation, TorsionSpring,
};

fn main() -> Result<(), Error> {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let crank =
        parts.body("crank", Body::rod(0.5, 0.1).centre([0.05, 0.0]).placed([0.0, 0.0], 0.7));
    let coupler =
        parts.body("coupler", Body::rod(0.7, 0.35).centre([0.175, 0.0]).placed([0.1, 0.1], 0.5));
    let rocker =
        parts.body("rocker", Body::rod(0.9, 0.3).centre([0.15, 0.0]).placed([0.4, 0.0], 1.6));
    parts.revolute("A", GROUND.origin(), crank.origin());
    parts.revolute("B", crank.at([0.1, 0.0]), coupler.origin());
    let c = parts.revolute("C", coupler.at([0.35, 0.0]), rocker.at([0.3, 0.0]));
    parts.revolute("D", GROUND.at([0.4, 0.05]), rocker.origin());
    let spring = TorsionSpring::new(GROUND, rocker, 6.0, 1.9).damped(0.05);
    parts.force("spring", Force::TorsionSpring(spring));
    parts.start_at(Coordinate::Angle(crank), 0.7).start_with_rate(Coordinate::Angle(crank), 5.0);
    let four_bar = parts.build()?;

    for formulation in [Formulation::Joint, Formulation::Absolute] {
        let run = Simulation::new(&four_bar).formulation(formulation).tolerance(1e-10).run()?;
        let end = run.end()?;
        println!(
            "{formulation:?}: {} degree of freedom, {} unknowns, {} constraints",
            run.start.freedom,
            run.equations.unknown_count(),
            run.equations.constraint_count()
        );
        println!("  crank {:.9} rad after 1 s", end.angle(crank).value);
        println!("  pin C {:.6?} N", end.reaction(c).components().collect::<Vec<_>>());
        println!(
            "  lost {:.9} J, energy residual {:.1e}",
            run.ledger.losses(),
            run.ledger.relative_residual()
        );
    }
    Ok(())
}
