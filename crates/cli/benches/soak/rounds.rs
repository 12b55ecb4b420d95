//! Long and many runs: the shipped models with their laws, and parts that rattle without end.

use std::path::{Path, PathBuf};

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    BlockInGuide, Body, Builder, Formulation, GROUND, JournalBearing, Mechanism, Method, Outline,
    PinInWalls, Sampling, Simulation,
};
use jointplay_model::{Model, Overrides};

use crate::campaigns::Tally;
use crate::chance::Chance;
use crate::overlap::Overlap;
use crate::touching::names;

/// Runs a model, and looks for lost contacts.
fn watched(what: &str, simulation: &Simulation) -> Tally {
    let mut overlap = Overlap::of(simulation.mechanism());
    let simulation = simulation.clone().sampled(Sampling::EventsOnly);
    let run = match simulation.run_observed(&mut overlap) {
        Ok(run) => run,
        Err(error) => {
            let bad = vec![format!("{what}: no start: {error}")];
            return Tally { runs: 1, stopped: 1, bad, ..Tally::default() };
        }
    };
    let lost = overlap.worst.0 > 1e-10 * simulation.mechanism().size();
    let stopped = !run.outcome.reached_end();
    let bad = lost || stopped;
    let (lost_by, t) = overlap.worst;
    let bad = bad.then(|| format!("{what}: lost {lost_by:e} m at {t} s, {}", run.outcome));
    Tally {
        runs: 1,
        contacts: overlap.starts as u64,
        lost: u64::from(lost),
        stopped: u64::from(stopped),
        residual: run.ledger.relative_residual(),
        bad: bad.into_iter().collect(),
        ..Tally::default()
    }
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// The slider-crank at some speed with some law, its start 1 nm from that of the others.
pub(crate) fn revolutions(number: u64) -> Tally {
    let chance = &mut Chance::new(number);
    let law = chance.pick(&[
        "hertz+lankarani-nikravesh",
        "hertz+exact",
        "hertz+flores",
        "hertz+hunt-crossley",
        "hertz+gonthier",
        "hertz+lankarani-nikravesh-plastic",
    ]);
    let rpm = chance.between(50.0, 400.0);
    let overrides = Overrides::new()
        .law(law)
        .set_toml("drivers.motor.speed", format!("{rpm:.3} rpm"))
        .set_toml("start.disturbance", "1 nm")
        .set_toml("start.seed", (number % 1_000_000 + 1).to_string())
        .set_toml("run.until", format!("{} s", 600.0 / rpm));
    let model = Model::load(models().join("slider-crank/model.toml"), &overrides);
    let model = model.unwrap_or_else(|problems| panic!("{number}: {problems:?}"));
    let what = format!("slider-crank {number}, {law}, {rpm:.3} rpm");
    watched(&what, &model.run.simulation(&model.mechanism))
}

/// A minute of the slider-crank: first as it is shipped, then with starts 1 nm apart.
pub(crate) fn minutes(number: u64) -> Tally {
    let mut overrides = Overrides::new().set_toml("run.until", "60 s");
    if number > 0 {
        overrides = overrides
            .set_toml("start.disturbance", "1 nm")
            .set_toml("start.seed", number.to_string());
    }
    let model = Model::load(models().join("slider-crank/model.toml"), &overrides);
    let model = model.unwrap_or_else(|problems| panic!("{number}: {problems:?}"));
    watched(&format!("minute {number}"), &model.run.simulation(&model.mechanism))
}

const SHIPPED: [&str; 11] = [
    "chain-link/model.toml",
    "four-bar/model.toml",
    "geneva/model.toml",
    "pin-in-bore/model.toml",
    "pin-in-bore/fixed.toml",
    "pin-slot-revolute/model.toml",
    "pin-slot/model.toml",
    "scotch-yoke/model.toml",
    "slider-crank-prismatic/model.toml",
    "slider-crank/model.toml",
    "two-spheres/model.toml",
];

/// A shipped model with a law that it takes as it is.
pub(crate) fn shipped(number: u64) -> Tally {
    let chance = &mut Chance::new(number);
    let file = chance.pick(&SHIPPED);
    let laws = names();
    let laws: Vec<&str> = laws.iter().map(String::as_str).collect();
    let law = chance.pick(&laws);
    let seed = (number % 1_000_000 + 1).to_string();
    let overrides = Overrides::new()
        .law(law)
        .set_toml("start.disturbance", "1 nm")
        .set_toml("start.seed", seed);
    let Ok(model) = Model::load(models().join(file), &overrides) else { return Tally::default() };
    watched(&format!("{file} {number}, {law}"), &model.run.simulation(&model.mechanism))
}

/// A law without loss, or with little of it.
fn lively(chance: &mut Chance) -> ContactLaw {
    let (hertz, exponent) = (chance.decades(8.0, 10.5), chance.pick(&[1.5, 1.5, 1.0, 2.0]));
    // With a greater exponent as stiff as Hertz's law at 0.1 mm, so that no pin goes through its wall.
    let stiffness = hertz * libm::pow(1e-4, 1.5 - exponent).max(1.0);
    let elastic = ElasticLaw::Power(Power { stiffness, exponent });
    let restitution = Restitution::Constant(chance.between(0.97, 0.9999));
    let damping = match chance.pick(&[0, 1, 2]) {
        0 => DampingLaw::None,
        1 => DampingLaw::Factor { factor: Factor::Exact, restitution },
        _ => DampingLaw::Factor { factor: Factor::Flores, restitution },
    };
    ContactLaw { normal: NormalLaw::new(elastic, damping), friction: FrictionLaw::NoFriction }
}

fn rattle(chance: &mut Chance) -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.0, chance.pick(&[0.0, -9.81])]);
    let clearance = chance.decades(-5.0, -3.0);
    let speed = chance.decades(-2.0, 0.5);
    let (sin, cos) = libm::sincos(chance.between(0.0, std::f64::consts::TAU));
    let velocity = [speed * cos, speed * sin];
    let place = [0, 1].map(|_| clearance * chance.between(-0.6, 0.6));
    let body = Body::new(chance.decades(-2.0, 0.5), 1e-4).placed(place, 0.0);
    let body = parts.body("body", body.moving(velocity, chance.between(-5.0, 5.0)));
    let law = lively(chance);
    match chance.pick(&[0, 1, 2, 3]) {
        0 => {
            let bearing = JournalBearing {
                bearing: GROUND.origin(),
                journal: body.origin(),
                bearing_radius: 10e-3,
                clearance,
                contact_point: 0.0,
            };
            parts.journal_bearing("joint", bearing, law);
        }
        1 => {
            let outline = Outline::slot([-2e-3, 0.0], [2e-3, 0.0], [5e-3; 2]);
            let (pin, play) = (body.origin(), Some(clearance));
            let pin_radius = 5e-3 - clearance;
            let pin =
                PinInWalls { body: GROUND, outline, pin, pin_radius, contact_point: 1.0, play };
            parts.pin_in_walls("joint", pin, |_| law.clone());
        }
        2 => {
            let outline = Outline::curved_slot([0.0, -0.06], 0.06, [1.2, 1.9], 5e-3);
            let (pin, play) = (body.origin(), Some(clearance));
            let pin_radius = 5e-3 - clearance;
            let pin =
                PinInWalls { body: GROUND, outline, pin, pin_radius, contact_point: 1.0, play };
            parts.pin_in_walls("joint", pin, |_| law.clone());
        }
        _ => {
            let block = BlockInGuide {
                guide: GROUND.origin().along([1.0, 0.0]),
                block: body.origin().along([1.0, 0.0]),
                length: 0.05,
                height: 0.02,
                clearance,
                extent: None,
                contact_point: 1.0,
            };
            parts.block_in_guide("joint", block, &law);
        }
    }
    parts.build().expect("good parts")
}

/// A pin in a bore or a slot, or a block in its guide, that rattles without loss or nearly so: some hundreds of impacts.
pub(crate) fn rattling(number: u64) -> Tally {
    let chance = &mut Chance::new(number);
    let mechanism = rattle(chance);
    let formulation = chance.pick(&[Formulation::Joint, Formulation::Absolute]);
    let method = chance.pick(&[Method::Dop853, Method::Dopri5]);
    let simulation = Simulation::new(&mechanism).formulation(formulation).method(method);
    let until = chance.between(0.2, 0.8);
    watched(&format!("rattling {number}"), &simulation.tolerance(1e-7).until(until))
}
