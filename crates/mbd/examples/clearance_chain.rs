//! A hanging chain with a clearance in every joint, as a roller chain or a linkage with worn pins has:
//! `clearance_chain [links] [seconds] [method] [formulation] [relative tolerance] [offset of the start in m]`.

use jointplay_mbd::law::catalog::{Inputs, LawName};
use jointplay_mbd::law::{Restitution, STEEL, Surfaces};
use jointplay_mbd::{
    Body, Builder, Formulation, GROUND, JournalBearing, Mechanism, Method, Simulation,
};

/// Links of 100 mm and 0.1 kg in a horizontal row, at rest, their pins centred but for the last one.
pub(crate) fn chain(links: usize, offset: f64) -> Result<Mechanism, Box<dyn std::error::Error>> {
    let (bearing_radius, journal_radius) = (5.1e-3, 5e-3);
    let inputs = Inputs {
        surfaces: Some(Surfaces::internal(bearing_radius, journal_radius)?),
        materials: Some([STEEL, STEEL]),
        restitution: Some(Restitution::Constant(0.6)),
        ..Inputs::default()
    };
    let law = "hertz+exact".parse::<LawName>()?.build(&inputs)?.law;
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let mut last = GROUND.origin();
    for i in 0..links {
        let off = if i + 1 == links { offset } else { 0.0 };
        let body = Body::new(0.1, 1e-4).placed([0.1 * (i as f64 + 0.5), off], 0.0);
        let link = parts.body(format!("link {i}"), body);
        let pin = JournalBearing {
            bearing: last,
            journal: link.at([-0.05, 0.0]),
            bearing_radius,
            clearance: bearing_radius - journal_radius,
            contact_point: 0.0,
        };
        parts.journal_bearing(format!("pin {i}"), pin, law.clone());
        last = link.at([0.05, 0.0]);
    }
    Ok(parts.build()?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default: f64| words.get(i).map_or(Ok(default), |word| word.parse::<f64>());
    let named = |i: usize, default: &str| words.get(i).cloned().unwrap_or(default.to_owned());
    let links = words.first().map_or(Ok(8), |word| word.parse::<usize>())?;
    let method = Method::ALL.into_iter().find(|method| method.name() == named(2, "auto"));
    let formulation = match named(3, "auto").as_str() {
        "joint" => Formulation::Joint,
        "absolute" => Formulation::Absolute,
        _ => Formulation::Auto,
    };
    let mechanism = chain(links, number(5, 0.0)?)?;
    let simulation = Simulation::new(&mechanism)
        .until(number(1, 0.3)?)
        .method(method.ok_or("no such method")?)
        .formulation(formulation)
        .tolerance(number(4, 1e-6)?)
        .sampled(jointplay_mbd::Sampling::EventsOnly);
    let start = cpu_time::ProcessTime::now();
    let run = simulation.run()?;
    let seconds = start.elapsed().as_secs_f64();
    let last = mechanism.find_body(&format!("link {}", links - 1)).ok_or("no links")?;
    let [x, y] = run.end()?.position(last).position;
    println!("{seconds:.4} s of the processor, {} impacts", run.impacts().count());
    println!("lost {:.6e} J, residual {:.1e}", run.ledger.losses(), run.ledger.relative_residual());
    println!("tip at {x:.9} {y:.9} m");
    println!("{:?}", run.stats);
    println!("{:?}", run.outcome);
    Ok(())
}
