//! What happens at seams, ends and corners of surfaces, and in contacts that last: judged by equilibrium and by closed forms.

use jointplay_mbd::{Outcome, Solution};
use jointplay_model::{Model, Overrides};
use jointplay_study::warning::RunWarning;

use crate::chance::Chance;
use crate::overlap::Overlap;
use crate::sweep;

fn model(text: &str) -> Model {
    let text = format!("format = 1\nname = \"trial\"\n{text}");
    Model::parse(&text, &Overrides::new()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Runs a model to its end; no contact may be lost.
#[track_caller]
fn run(model: &Model) -> Solution {
    let mut overlap = Overlap::of(&model.mechanism);
    let simulation = model.run.simulation(&model.mechanism);
    let run = simulation.run_observed(&mut overlap).expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    assert!(overlap.worst.0 < 1e-10, "{:?}", overlap.worst);
    run
}

/// A channel at the end of a run.
#[track_caller]
fn last(model: &Model, run: &Solution, name: &str) -> f64 {
    model.channel(name).expect("a channel").eval(&run.end().expect("regular"))
}

/// A block of 1 kg and 50 mm in a guide with ends.
fn block(guide: &str, motion: &str, run: &str) -> Model {
    model(&format!(
        r#"
[world]
gravity = [0, -9.81]
[bodies.block]
mass = 1
inertia = 1e-3
{motion}
[joints.guide]
type = "prismatic"
kind = "clearance"
a = {{ body = "ground" }}
b = {{ body = "block" }}
block_length = 0.05
block_height = 0.02
clearance = 1e-4
{guide}
law = {{ elastic = "power", stiffness = 1e9, exponent = 1.5, damping = "exact", restitution = 0.5 }}
[output]
channels = ["block.y", "guide.force", "guide.fx", "guide.fy", "guide.normal"]
[run]
{run}
"#
    ))
}

/// At rest the guide carries the weight, whichever of its corners and ends do so. Where a corner of the block stands on the end
/// of the guide it is one contact: each of two supports is dented by (m g/2K)^(2/3).
#[test]
fn exact_a_guide_with_ends_carries_the_weight() {
    let at_rest = "position = [0, \"-0.1 mm\"]";
    for guide in [
        "guide_length = 0.06",
        "guide_length = 0.05",
        "guide_length = 0.049999999",
        "guide_length = 0.04",
        "guide_length = 0.05\nguide_offset = 0.01",
        "guide_length = 0.1\nguide_offset = -0.025",
    ] {
        let model = block(guide, at_rest, "until = 3");
        let run = run(&model);
        let [force, fx, fy, y] =
            ["guide.force", "guide.fx", "guide.fy", "block.y"].map(|name| last(&model, &run, name));
        assert!((fy - 9.81).abs() < 1e-6 && (force - 9.81).abs() < 1e-6, "{guide}: {fy} {force}");
        assert!(fx.abs() < 1e-3, "{guide}: {fx}");
        if !guide.contains("0.01") {
            let dent = libm::pow(0.5 * 9.81 / 1e9, 2.0 / 3.0);
            assert!((-1e-4 - y - dent).abs() < 1e-4 * dent, "{guide}: {y}");
        }
    }
}

/// A block that slides out of its guide and tips over its ends hands its contacts over and back.
#[test]
fn property_blocks_pass_the_ends_of_their_guide() {
    for seed in 0..60 {
        let chance = &mut Chance::new(seed);
        let guide = format!("guide_length = {:.4}", chance.between(0.03, 0.08));
        let motion = format!(
            "velocity = [{:.4}, {:.4}]\nangular_velocity = {:.4}",
            chance.between(-0.6, 0.6),
            chance.between(-0.3, 0.3),
            chance.pick(&[-1.0, 1.0]) * chance.decades(-2.0, 0.5)
        );
        let method = chance.pick(&["dop853", "dopri5", "radau5"]);
        let formulation = chance.pick(&["joint", "absolute"]);
        let settings =
            format!("until = 0.3\nmethod = \"{method}\"\nformulation = \"{formulation}\"");
        run(&block(&guide, &motion, &settings));
    }
}

const BALL: &str = r#"
[world]
gravity = [0, -9.81]
[bodies.ball]
mass = 1
inertia = 1e-4
position = [0, POSITION]
[contacts.floor]
type = "circle-line"
circle = { body = "ball", radius = "10 mm" }
line = { body = "ground", from = [-1, 0], to = [1, 0] }
law = { elastic = "power", stiffness = 1e9, exponent = 1.5, damping = "DAMPING", restitution = 0.5 }
[output]
channels = ["ball.vy", "floor.force", "floor.penetration", "energy.loss"]
[run]
until = 2
"#;

/// A law of two slopes pushes with F_el where the bodies approach and with c F_el where they part. Under a load between the
/// two it holds them at rest.
#[test]
fn exact_a_law_of_two_slopes_holds_what_rests() {
    for position in ["\"10 mm\"", "\"10.01 mm\"", "\"11 mm\""] {
        let text = BALL.replace("POSITION", position);
        let model = model(&text.replace("DAMPING", "kelvin-voigt-restitution"));
        let run = run(&model);
        let [force, delta, speed] =
            ["floor.force", "floor.penetration", "ball.vy"].map(|name| last(&model, &run, name));
        assert!((force - 9.81).abs() < 1e-6 && speed.abs() < 1e-9, "{force} {speed}");
        let elastic = 1e9 * libm::pow(delta, 1.5);
        assert!(0.5 * elastic < 9.81 && 9.81 < elastic, "{elastic}");
        assert!(run.stats.accepted < 5000, "{:?}", run.stats);
        // No cycle gives back what one before it lost.
        let loss = model.channel("energy.loss").expect("a channel");
        let losses: Vec<f64> = run.snapshots().map(|at| loss.eval(&at.expect("regular"))).collect();
        let most = losses.iter().fold(0.0, |most: f64, loss| most.max(*loss));
        assert!(*losses.last().expect("some") > 0.9 * most);
    }
}

/// Contacts too slow to be impacts return what the others do: nothing jumps where they begin.
#[test]
fn exact_slow_impacts_return_their_restitution() {
    for c in [0.05, 0.2, 0.5, 0.9] {
        for elastic in ["elastic = \"power\", exponent = 1.5", "elastic = \"power\", exponent = 1"]
        {
            for speed in [3e-6, 9.9e-6, 1.01e-5, 1e-3] {
                let model = model(&format!(
                    r#"
[bodies.ball]
mass = 1
inertia = 1e-4
position = [0, "10.000001 mm"]
velocity = [0, {}]
[contacts.floor]
type = "circle-line"
circle = {{ body = "ball", radius = "10 mm" }}
line = {{ body = "ground", from = [-1, 0], to = [1, 0] }}
law = {{ {elastic}, stiffness = 1e9, damping = "exact", restitution = {c} }}
[output]
channels = ["ball.vy"]
[run]
rtol = 1e-11 # the contact is less than a nanometre deep
until = {}
"#,
                    -speed,
                    3e-9 / speed + 0.5
                ));
                let run = run(&model);
                let returned = last(&model, &run, "ball.vy") / speed;
                assert!((returned - c).abs() < 1e-4, "{c} at {speed}, {elastic}: {returned}");
            }
        }
    }
}

/// The dent of a pin goes on over the seams of its slot.
#[test]
fn property_dents_go_on_over_seams() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/pin-slot/model.toml");
    for memory in ["0", "1"] {
        let overrides = Overrides::new()
            .law("lankarani-nikravesh-plastic")
            .set_toml("joints.pin.law.memory", memory);
        let model = Model::load(file, &overrides).unwrap_or_else(|problems| panic!("{problems}"));
        let run = run(&model);
        assert_eq!(run.late, None);
    }
}

/// Ten times too fast the wheel is not where the pin meets it: the pin comes out of its wall, which is told and costs no energy.
#[test]
fn property_a_pin_that_comes_out_of_a_wall_is_told() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/geneva/model.toml");
    let overrides = Overrides::new().set_toml("drivers.motor.speed", "600 rpm");
    let model = Model::load(file, &overrides).unwrap_or_else(|problems| panic!("{problems}"));
    let run = run(&model);
    assert_eq!(run.late, None);
    let emerged = run.emerged.expect("it does");
    assert!(emerged.overlap > 1e-4 && emerged.t > 0.1, "{emerged:?}");
}

/// The residual that is reported is the greatest in the channels.
#[test]
fn exact_the_residual_is_that_of_the_channels() {
    for name in ["slider-crank-prismatic", "scotch-yoke", "pin-in-bore", "slider-crank"] {
        let file = format!("{}/../../models/{name}/model.toml", env!("CARGO_MANIFEST_DIR"));
        let model = Model::load(file, &Overrides::new()).unwrap_or_else(|p| panic!("{p}"));
        let run = run(&model);
        let residual = model.channel("energy.residual").expect("a channel");
        let worst = run.snapshots().map(|at| residual.eval(&at.expect("regular")).abs());
        let worst = worst.fold(0.0, f64::max);
        assert!(
            worst <= run.ledger.shown[0] * 1.000_001 + 1e-15,
            "{name}: {worst:e} {:e}",
            run.ledger.shown[0]
        );
    }
}

/// Balls of steel that stand on each other on a floor, the lowest with this load.
fn stack(balls: usize, [mass, radius]: [f64; 2], damping: &str, load: &str, until: f64) -> Model {
    let keys = format!("law = \"hertz+{damping}\"\nrestitution = 0.5\nmaterial = \"steel\"\n");
    let inertia = 0.4 * mass * radius * radius;
    let part = |i: usize| {
        let y = radius * (1 + 2 * i) as f64;
        let contact = match i.checked_sub(1) {
            None => format!(
                "type = \"circle-line\"\ncircle = {{ body = \"b0\", radius = {radius} }}\n\
                 line = {{ body = \"ground\", from = [-1, 0], to = [1, 0] }}"
            ),
            Some(below) => format!(
                "type = \"circle-circle\"\na = {{ body = \"b{below}\", radius = {radius} }}\n\
                 b = {{ body = \"b{i}\", radius = {radius} }}"
            ),
        };
        format!(
            "[bodies.b{i}]\nmass = {mass}\ninertia = {inertia:e}\nposition = [0, {y}]\n\
             [contacts.c{i}]\n{contact}\n{keys}"
        )
    };
    let parts: String = (0..balls).map(part).collect();
    model(&format!("[world]\ngravity = [0, -9.81]\n{parts}{load}[run]\nuntil = {until}\n"))
}

/// What rests is carried, and costs next to nothing: each contact has the weight above it, and a run of 5 s is some hundred
/// steps where the contact alone would swing ten thousand times.
#[test]
fn exact_rest_is_cheap() {
    for [mass, radius] in [[4.1e-3, 5e-3], [0.033, 0.01], [1.0, 0.1], [33.0, 0.1]] {
        for damping in ["lankarani-nikravesh", "exact"] {
            for (balls, until, steps) in [(1, 5.0, 500), (10, 1.0, 20_000)] {
                let model = stack(balls, [mass, radius], damping, "", until);
                let run = run(&model);
                for i in 0..balls {
                    let carried = last(&model, &run, &format!("c{i}.force"));
                    let weight = (balls - i) as f64 * mass * 9.81;
                    assert!((carried / weight - 1.0).abs() < 1e-5, "c{i}: {carried} for {weight}");
                }
                let taken = run.stats.accepted + run.stats.rejected;
                assert!(taken < steps, "{balls} of {mass} kg, {damping}: {taken} steps");
            }
        }
    }
}

/// A journal that lies on the wall of its bearing.
#[test]
fn exact_a_journal_at_rest_is_cheap() {
    let model = model(
        r#"
[world]
gravity = [0, -9.81]
[bodies.journal]
mass = 1
inertia = 5e-5
position = [0, "-0.25 mm"]
[joints.pin]
type = "revolute"
kind = "clearance"
a = { body = "ground" }
b = { body = "journal" }
bearing_radius = "10.25 mm"
journal_radius = "10 mm"
material = "steel"
law = "hertz+lankarani-nikravesh"
restitution = 0.46
[run]
until = 1
"#,
    );
    let run = run(&model);
    assert!((last(&model, &run, "pin.force") - 9.81).abs() < 1e-6);
    assert!(run.stats.accepted + run.stats.rejected < 500, "{:?}", run.stats);
}

/// A ball that has rested for three seconds is thrown by twice its weight for τ = 50 ms: it rises by g τ², and by what its dent
/// of 73 nm gives back, (2/5) m g δ, at most 0.76 mm/s.
#[test]
fn exact_what_rested_moves_again() {
    let load = "[forces.push]\ntype = \"force\"\non = { body = \"b0\" }\ndirection = [0, 1]\n\
                value = \"if(t < 3, 0, if(t < 3.05, 0.64746, 0))\"\n";
    let model = stack(1, [0.033, 0.01], "exact", load, 3.1);
    let run = run(&model);
    let height = last(&model, &run, "b0.y") - 0.01;
    // Up by g τ²/2 under the push, then as far again, which takes another τ.
    let more = height - 9.81 * 0.05 * 0.05;
    assert!(0.0 < more && more < 0.76e-3 * 0.1, "{height}");
}

/// A pulse of 0.1 µs after minutes of rest: its impulse of 3.3 mN s throws the ball with 0.1 m/s.
#[test]
fn exact_a_short_pulse_after_long_rest() {
    let peak = 3.3e-3 / (std::f64::consts::PI.sqrt() * 1e-7);
    let load = format!(
        "[forces.push]\ntype = \"force\"\non = {{ body = \"b0\" }}\ndirection = [0, 1]\n\
         value = \"{peak}*exp(-((t-777)/1e-7)^2)\"\n"
    );
    let model = stack(1, [0.033, 0.01], "exact", &load, 777.005);
    let run = run(&model);
    let speed = last(&model, &run, "b0.vy");
    assert!((speed - (0.1 - 9.81 * 0.005)).abs() < 1e-4, "{speed}");
}

/// A ball comes down with 15 000 km/s: it is behind the floor 0.7 ns after it has touched it, and cannot pass unseen.
#[test]
fn regress_nothing_is_too_fast_to_be_seen() {
    let factors = [0.3, 0.6, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.3, 1.6, 2.0];
    for factor in factors.into_iter().step_by(sweep::cases(5, 1)) {
        let load = format!(
            "[forces.push]\ntype = \"force\"\non = {{ body = \"b0\" }}\ndirection = [0, 1]\n\
             value = \"{factor}*33000*(1-t/10)\"\n"
        );
        let model = stack(1, [0.033, 0.01], "exact", &load, 40.0);
        let simulation = model.run.simulation(&model.mechanism);
        let run = simulation.run().expect("it starts");
        // It is thrown by a = f g'(1 − t/10) and is back, but for its weight, after 30 s.
        let back = run.events.iter().any(|event| event.t > 29.9);
        assert!(back || !run.outcome.reached_end(), "{factor}: {}", run.outcome);
    }
}

/// Dashpots with √δ are infinitely steep at the first touch. The implicit method must not take that for a wall that stops the
/// body dead: it agrees with `dop853`, which has no Jacobian.
#[test]
fn property_implicit_steps_do_not_swallow_impacts() {
    let bore = |law: &str, method: &str, rtol: &str, off: f64| {
        model(&format!(
            r#"
[bodies.bore]
mass = 1
inertia = 1e-3
[bodies.pin]
mass = 0.01
inertia = 1e-6
position = [{off:e}, 0]
velocity = [0, -0.2]
[joints.c]
type = "revolute"
kind = "clearance"
a = {{ body = "bore" }}
b = {{ body = "pin" }}
journal_radius = 0.01
clearance = 0.00025
law = {{ elastic = "hertz", stiffness = 1e9, damping = "{law}" }}
restitution = 0.7
[run]
until = 0.003
method = "{method}"
rtol = {rtol}
"#
        ))
    };
    let returned = |model: &Model| {
        let run = run(model);
        let v = |name: &str| last(model, &run, name);
        let [x, y] = [v("pin.vx") - v("bore.vx"), v("pin.vy") - v("bore.vy")];
        x.hypot(y) / 0.2
    };
    let mut chance = Chance::new(5);
    for law in ["tsuji", "jankowski", "lee-wang-transition"] {
        let judge = returned(&bore(law, "dop853", "1e-10", 1e-6));
        for _ in 0..8 {
            let off = chance.decades(-9.0, -5.5);
            for rtol in ["1e-6", "1e-7", "1e-8", "1e-10"] {
                let ours = returned(&bore(law, "radau5", rtol, off));
                assert!((ours - judge).abs() < 0.02, "{law} {rtol} {off:e}: {ours} for {judge}");
            }
        }
    }
}

/// Centre through centre, or the two points of a distance through each other: a fault that names the part, not an exchange of places.
#[test]
fn property_what_passes_through_each_other_is_a_fault() {
    let soft = r#"law = { elastic = "linear", stiffness = 50, damping = "exact" }
restitution = 0.5"#;
    let bodies = |off: f64| {
        format!(
            r"
[bodies.a]
mass = 1
inertia = 1e-3
position = [-0.2, {off:e}]
velocity = [2, 0]
[bodies.b]
mass = 1
inertia = 1e-3
"
        )
    };
    let circles = r#"[contacts.c]
type = "circle-circle"
a = { body = "a", radius = 0.05 }
b = { body = "b", radius = 0.05 }"#;
    let stop = r#"[forces.c]
type = "stop"
distance = [{ body = "a" }, { body = "b" }]
below = 0.1"#;
    for (part, said) in [(circles, "through the surface"), (stop, "its two points met")] {
        for method in ["dopri5", "dop853", "radau5"] {
            for formulation in ["joint", "absolute"] {
                for off in [0.0, 1e-9, 1e-5] {
                    let run = format!(
                        "until = 0.5\nmethod = \"{method}\"\nformulation = \"{formulation}\""
                    );
                    let model = model(&format!("{}{part}\n{soft}\n[run]\n{run}", bodies(off)));
                    let simulation = model.run.simulation(&model.mechanism);
                    let ended = simulation.run().expect("it starts").outcome;
                    let text = ended.to_string();
                    let Outcome::Failed { part: Some(part), .. } = ended else { panic!("{text}") };
                    assert_eq!(part.name, "c");
                    assert!(text.contains(said), "{text}");
                }
            }
        }
    }
}

/// A ball that is pressed on the end of a line from below and moves on behind it loses its contact: a line has one side. What it stored is
/// told. K δ²/2 with δ = 39.8 µm is 79 µJ.
#[test]
fn exact_a_loaded_contact_that_comes_off_its_surface_is_told() {
    let model = model(
        r#"
[bodies.b]
mass = 1
inertia = 1e-3
position = [0.008682408883346522, -0.0492403876506104]
velocity = [-1.5, -0.2644904710626976]
[forces.f]
type = "force"
on = { body = "b" }
direction = [0, 1]
value = 50
[contacts.c]
type = "circle-line"
circle = { body = "b", radius = 0.05 }
line = { body = "ground", from = [-1, 0], to = [0, 0] }
law = { elastic = "linear", stiffness = 1e5, damping = "exact" }
restitution = 0.5
[run]
until = 0.04
method = "dop853"
"#,
    );
    let run = run(&model);
    let snapped = run.snapped.expect("it does");
    assert_eq!(snapped.count, 1);
    let stored = 0.5 * 1e5 * snapped.overlap * snapped.overlap;
    assert!((snapped.energy / stored - 1.0).abs() < 1e-9, "{snapped:?}");
    assert!((snapped.overlap - 39.8e-6).abs() < 0.1e-6, "{snapped:?}");
    let told: Vec<String> = RunWarning::of(&run).iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|text| text.contains("slid off the end of its surface")), "{told:?}");
}
