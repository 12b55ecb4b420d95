//! Every kind of part through a file, judged by closed forms.

use std::f64::consts::{PI, TAU};

use jointplay_mbd::{EventKind, Solution};
use jointplay_model::{Model, Overrides, Tables};

/// A model with these tables and a body `m` of 2 kg and 0.5 kg m² unless they have one.
fn model(tables: &str) -> Model {
    let body =
        if tables.contains("[bodies.m]") { "" } else { "[bodies.m]\nmass = 2\ninertia = 0.5\n" };
    let text = format!("format = 1\n{body}{tables}");
    Model::parse(&text, &Overrides::new()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn run(model: &Model) -> Solution {
    let run = model.run.simulation(&model.mechanism).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    // A force that does no work exchanges nothing to be relative to.
    let ledger = &run.ledger;
    assert!(ledger.relative_residual() < 1e-7 || ledger.residual().abs() < 1e-9, "{ledger:?}");
    run
}

/// A channel at the end of the run.
fn end(tables: &str, channel: &str) -> f64 {
    let model = model(tables);
    let run = run(&model);
    let channel = model.channel(channel).unwrap_or_else(|why| panic!("{why}"));
    channel.eval(&run.end().expect("it evaluates"))
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found:e} instead of {expected:e}");
}

#[test]
fn exact_springs() {
    // x = x₀ cos ωt, ω = √(k/m) = 10 rad/s, about the free length of 1 m.
    let spring = "[bodies.m]\nmass = 2\nposition = [\"1.1 m\", 0]\n[forces.k]\ntype = \"spring\"\na = { body = \"ground\" }\n\
                  b = { body = \"m\" }\nstiffness = \"200 N/m\"\nfree_length = \"1 m\"\n[run]\nuntil = \"0.7 s\"\n";
    close(end(spring, "m.x"), 1.0 + 0.1 * (7.0_f64).cos(), 1e-8);
    close(end(spring, "k.force"), 20.0 * (7.0_f64).cos(), 1e-6);
    // The free length is where the body is placed: nothing moves.
    let at_rest = spring.replace("free_length = \"1 m\"\n", "");
    assert_eq!(end(&at_rest, "m.x"), 1.1);
    // φ = φ₀ cos ωt, ω = √(k/J) = 2 rad/s.
    let torsion = "[bodies.m]\nmass = 2\ninertia = 0.5\nangle = \"90 deg\"\n[forces.k]\ntype = \"torsion-spring\"\na = \"ground\"\nb = \"m\"\n\
                   stiffness = \"2 N m/rad\"\n[run]\nuntil = 1\n";
    close(end(torsion, "m.angle"), 0.5 * PI * 2.0_f64.cos(), 1e-8);
    // A bushing is a spring in each direction: along x 10 rad/s, along y 5 rad/s, turning 2 rad/s.
    let bushing = "[bodies.m]\nmass = 2\ninertia = 0.5\nposition = [0.1, 0.2]\nangle = 0.3\n[joints.j]\ntype = \"weld\"\nkind = \"bushing\"\n\
                   a = { body = \"ground\" }\nb = { body = \"m\" }\nstiffness = [200, 50]\ntorsional_stiffness = 2\n[run]\nuntil = 0.3\n";
    close(end(bushing, "m.x"), 0.1 * 3.0_f64.cos(), 1e-8);
    close(end(bushing, "m.y"), 0.2 * 1.5_f64.cos(), 1e-8);
    close(end(bushing, "m.angle"), 0.3 * 0.6_f64.cos(), 1e-8);
}

#[test]
fn exact_loads() {
    let force = |value: &str, more: &str| {
        format!(
            "[forces.f]\ntype = \"force\"\non = {{ body = \"m\" }}\ndirection = \"90 deg\"\n{more}value = {value}\n[run]\nuntil = 0.5\n"
        )
    };
    // v = ∫F dt/m: a constant, a half sine (2AT/π), an expression, a polynomial, a smooth step (half its height), a sine.
    close(end(&force("\"8 N\"", ""), "m.vy"), 2.0, 1e-9);
    let pulse = force("{ half_sine = { peak = \"8 N\", begin = 0.1, duration = \"200 ms\" } }", "");
    close(end(&pulse, "m.vy"), 1.6 / PI, 1e-9);
    close(end(&force("\"12*t^2\"", ""), "m.vy"), 0.25, 1e-9);
    close(end(&force("\"12e-3 kN/s^2*t^2\"", ""), "m.vy"), 0.25, 1e-9);
    // The time that follows a number and a sign of multiplication is no tonne.
    for text in ["16*t", "16 * t", "t*16", "+16*t", "1.6e1*t", "16.*t", "16 N/s*t"] {
        close(end(&force(&format!("\"{text}\""), ""), "m.vy"), 1.0, 1e-9);
    }
    close(end(&force("\"-16*t\"", ""), "m.vy"), -1.0, 1e-9);
    close(end(&force("\"5 N + 3000 mN\"", ""), "m.vy"), 2.0, 1e-9);
    close(end(&force("{ polynomial = [0, 0, 12] }", ""), "m.vy"), 0.25, 1e-9);
    close(end(&force("{ step = { to = \"8 N\", end = 0.5 } }", ""), "m.vy"), 1.0, 1e-9);
    // A table in the units of its header.
    let table = force("{ table = \"push.csv\", spline = \"natural\" }", "");
    let text = format!("format = 1\n[bodies.m]\nmass = 2\ninertia = 0.5\n{table}");
    let tables = Tables::none().with("push.csv", "t [ms],F [kN]\n0,0\n500,8e-3\n");
    let pushed = Model::with_tables(&text, None, &tables, &Overrides::new()).expect("good");
    let channel = pushed.channel("m.vy").expect("it exists");
    close(channel.eval(&run(&pushed).end().expect("it evaluates")), 1.0, 1e-9);
    let tables = Tables::none().with("push.csv", "t [ms],F [mm]\n0,0\n500,8e-3\n");
    let wrong = Model::with_tables(&text, None, &tables, &Overrides::new()).expect_err("a length");
    assert!(wrong.to_string().contains("unit of length; a force is expected"), "{wrong}");
    let wave = force("{ harmonic = { amplitude = \"8 N\", frequency = \"0.5 Hz\" } }", "");
    close(end(&wave, "m.vy"), 4.0 / PI, 1e-9);
    let rpm = force("{ harmonic = { amplitude = \"8 N\", frequency = \"30 rpm\" } }", "");
    close(end(&rpm, "m.vy"), 4.0 / PI, 1e-9);
    let torque =
        "[forces.f]\ntype = \"torque\"\non = \"m\"\nvalue = \"1 N m\"\n[run]\nuntil = 0.5\n";
    close(end(torque, "m.omega"), 1.0, 1e-9);
    // A load that turns with its body drives it in a circle of radius v²/a at constant speed: with ω = 2 and a = 4 at right angles.
    let turning = "[bodies.m]\nmass = 2\ninertia = 0.5\nvelocity = [2, 0]\nangular_velocity = 2\n[forces.f]\ntype = \"force\"\non = { body = \"m\" }\n\
                   direction = [0, 1]\nframe = \"body\"\nvalue = 8\n[run]\nuntil = 1\n";
    close(end(turning, "m.x"), 2.0_f64.sin(), 1e-8);
    close(end(turning, "m.y"), 1.0 - 2.0_f64.cos(), 1e-8);
}

#[test]
fn exact_ideal_slots_and_guides() {
    let world = "[world]\ngravity = [0, -10]\n";
    // Down an incline of 30°: s = g sin 30° t²/2; the normal force is m g cos 30°.
    for (joint, name) in [
        (
            "type = \"slot\"\na = { body = \"ground\" }\nb = { body = \"m\" }\npath = { from = [0, 0], to = [\"-0.8660254037844387 m\", -0.5] }\n",
            "slot",
        ),
        (
            "type = \"prismatic\"\na = { body = \"ground\", direction = \"30 deg\" }\nb = { body = \"m\", direction = \"30 deg\" }\n",
            "guide",
        ),
    ] {
        let tables = format!("{world}[joints.j]\n{joint}[run]\nuntil = 0.4\n");
        close(end(&tables, "j.s").abs(), 0.4, 1e-9);
        close(end(&tables, "j.v").abs(), 2.0, 1e-9);
        close(end(&tables, "j.force"), 20.0 * (PI / 6.0).cos(), 1e-6);
        println!("{name}");
    }
    // A pendulum of 0.4 m at rest at the horizontal: v² = 2 g l sin; on a rod, in a circular slot, on a pivot.
    let place = "[bodies.m]\nmass = 2\nposition = [0.4, 0]\n";
    for joint in [
        "type = \"rod\"\na = { body = \"ground\" }\nb = { body = \"m\" }\n",
        "type = \"slot\"\na = { body = \"ground\" }\nb = { body = \"m\" }\npath = { centre = [0, 0], radius = 0.4, from_angle = -1, to_angle = 1 }\n",
        "type = \"revolute\"\na = { body = \"ground\" }\nb = { body = \"m\", at = [-0.4, 0] }\n",
    ] {
        let tables = format!("{world}{place}[joints.j]\n{joint}[run]\nuntil = 0.2\n");
        let model = model(&tables);
        let run = run(&model);
        let instant = run.end().expect("it evaluates");
        let get = |name: &str| model.channel(name).expect("it exists").eval(&instant);
        let (y, speed) = (get("m.y"), get("m.vx").hypot(get("m.vy")));
        assert!(y < -0.15);
        close(speed * speed, -20.0 * y, 1e-8);
        // Three times the weight's part along the rod: m v²/l + m g sin.
        close(get("j.force"), -60.0 * y / 0.4, 1e-6);
    }
}

#[test]
fn exact_joint_friction() {
    // 20 N on a block with μ = 0.1 under a weight of 20 N: a = (20 − 2)/2 until 1 m/s and beyond the regularisation.
    let block = "[world]\ngravity = [0, -10]\n[joints.j]\ntype = \"prismatic\"\na = { body = \"ground\" }\nb = { body = \"m\" }\n\
                 friction = { mu = 0.1, slip_speed = \"1 um/s\", block_length = 1 }\n[forces.f]\ntype = \"force\"\non = { body = \"m\" }\n\
                 direction = 0\nvalue = 20\n[run]\nuntil = 0.1\n";
    close(end(block, "m.vx"), 0.9, 1e-6);
    // ω = ω₀ e^(−c t/J).
    let pin = "[bodies.m]\nmass = 2\ninertia = 0.5\nangular_velocity = 3\n[joints.j]\ntype = \"revolute\"\na = { body = \"ground\" }\nb = { body = \"m\" }\n\
               friction = { viscous_damping = \"0.1 N m s/rad\" }\n[run]\nuntil = 1\n";
    close(end(pin, "m.omega"), 3.0 * (-0.2_f64).exp(), 1e-8);
}

#[test]
fn exact_stops() {
    // A ball on a linear stop without damping leaves as fast as it came, after π √(m/k).
    let ball = "[bodies.m]\nmass = 2\nvelocity = [1, 0]\n[forces.s]\ntype = \"stop\"\nx = { body = \"m\" }\nabove = \"0.5 m\"\n\
                law = { elastic = \"linear\", stiffness = \"2e6 N/m\" }\n[run]\nuntil = 1\n";
    close(end(ball, "m.vx"), -1.0, 1e-8);
    close(end(ball, "m.x"), PI / 1000.0, 1e-8);
    // Restitution 0.5 comes out of the exact law.
    let damped =
        ball.replace("stiffness = \"2e6 N/m\"", "stiffness = \"2e6 N/m\", restitution = 0.5");
    close(end(&damped, "m.vx"), -0.5, 1e-8);
    let turning = "[bodies.m]\nmass = 2\ninertia = 0.5\nangular_velocity = -1\n[forces.s]\ntype = \"stop\"\nangle = \"m\"\nbelow = \"-0.1 rad\"\n\
                   law = { elastic = \"linear\", stiffness = 1e6 }\n[run]\nuntil = 1\n";
    close(end(turning, "m.omega"), 1.0, 1e-8);
}

#[test]
fn exact_drivers() {
    let pivot = "[joints.j]\ntype = \"revolute\"\na = { body = \"ground\" }\nb = { body = \"m\" }\n[run]\nuntil = 0.5\n";
    let driver = |motion: &str| format!("{pivot}[drivers.d]\n{motion}\n");
    close(
        end(&driver("joint = \"j\"\nspeed = \"60 rpm\"\nstart = \"90 deg\""), "m.angle"),
        1.5 * PI,
        1e-9,
    );
    close(end(&driver("angle = \"m\"\nvalue = \"sin(t)\""), "m.omega"), 0.5_f64.cos(), 1e-9);
    // Torque J α of a sine.
    let wave = driver(
        "angle = \"m\"\nvalue = { harmonic = { amplitude = \"1 rad\", frequency = \"1 Hz\", phase = \"90 deg\" } }",
    );
    close(end(&wave, "d.torque"), 0.5 * TAU * TAU, 1e-6);
    let slide = "[drivers.d]\nx = { body = \"m\" }\nvalue = \"t^2\"\n[run]\nuntil = 0.5\n";
    close(end(slide, "m.x"), 0.25, 1e-9);
    close(end(slide, "d.force"), 4.0, 1e-6);
    let apart = "[bodies.m]\nmass = 2\nposition = [1, 0]\n[drivers.d]\ndistance = [{ body = \"ground\" }, { body = \"m\" }]\nvalue = \"1 + t^2\"\n[run]\nuntil = 0.5\n";
    close(end(apart, "m.x"), 1.25, 1e-9);
}

#[test]
fn exact_start_conditions() {
    let crank = "[joints.j]\ntype = \"revolute\"\na = { body = \"ground\" }\nb = { body = \"m\" }\n[start]\n\
                 coordinates = [{ joint = \"j\", value = \"30 deg\", rate = \"60 rpm\" }]\n[run]\nuntil = 0.25\n";
    close(end(crank, "j.angle"), PI / 6.0 + 0.5 * PI, 1e-9);
    assert_eq!(model(crank).start.freedom, 1);
    // The same condition through a centred clearance joint.
    let clear = crank
        .replace("type = \"revolute\"\n", "type = \"revolute\"\nkind = \"clearance\"\nbearing_radius = 0.01\nclearance = 1e-4\nmaterial = \"steel\"\n")
        .replace("[start]\n", "[start]\nclearances = \"centred\"\n");
    close(end(&clear, "j.angle"), PI / 6.0 + 0.5 * PI, 1e-9);
    assert_eq!(model(&clear).start.freedom, 3);
}

/// A pendulum with friction in its clearance: a run with every friction law that a mechanism takes closes its books.
#[test]
fn property_friction_laws_of_files_run() {
    let laws = [
        "friction = \"coulomb-tanh\", mu = 0.1, slip_speed = \"1 mm/s\"",
        "friction = \"coulomb-ramp\", mu = 0.1, slip_speed = \"1 mm/s\"",
        "friction = \"bai-zhao-friction\", mu_static = 0.015, mu_dynamic = 0.01, slip_speed = \"1 mm/s\", dynamic_speed = \"10 mm/s\"",
        "friction = \"ambrosio\", mu = 0.1, speed_0 = \"0.1 mm/s\", speed_1 = \"1 mm/s\"",
    ];
    for law in laws {
        let tables = format!(
            "[world]\ngravity = [0, -9.81]\n[bodies.m]\nmass = 1\ninertia = 0.01\nposition = [0.1, 0]\n[joints.j]\ntype = \"revolute\"\n\
             kind = \"clearance\"\na = {{ body = \"ground\" }}\nb = {{ body = \"m\", at = [-0.1, 0] }}\njournal_radius = \"10 mm\"\nclearance = \"0.1 mm\"\n\
             material = \"steel\"\nlaw = {{ damping = \"flores\", restitution = 0.8, {law} }}\n[run]\nuntil = \"30 ms\"\n"
        );
        let model = model(&tables);
        let run = run(&model);
        assert!(run.impacts().count() > 0);
    }
}

/// The slider of the benchmark in a guide that is shorter than its stroke: its corners slide off both ends of the walls and
/// back, and the books close the better the tighter the steps.
#[test]
fn property_a_block_slides_over_the_ends_of_a_short_guide() {
    let file = include_str!("../../../models/slider-crank-prismatic/model.toml");
    let residuals = ["1e-11", "1e-13"].map(|tolerance| {
        let overrides = Overrides::new()
            .set_toml("joints.guide.guide_length", "250 mm")
            .set_toml("joints.guide.guide_offset", "310 mm")
            .set_toml("run.rtol", tolerance)
            .set_toml("run.until", "0.1 s");
        let model = Model::parse(file, &overrides).unwrap_or_else(|wrong| panic!("{wrong}"));
        let solution = model.run.simulation(&model.mechanism).run().expect("it starts");
        assert!(solution.outcome.reached_end(), "{}", solution.outcome);
        let regions = model.touching().next().expect("a guide").1;
        assert_eq!(regions.len(), 8);
        for region in regions {
            let count = solution.impacts().filter(|(_, at, _)| *at == region.contact).count();
            assert!(count > 0, "{} never touches", region.name);
        }
        let passes = |kind: &EventKind| matches!(kind, EventKind::Passage { .. });
        let passages = solution.events.iter().filter(|event| passes(&event.kind)).count();
        (passages, solution.ledger.relative_residual())
    });
    let [(_, loose), (passages, tight)] = residuals;
    assert!(passages > 0 && loose < 1e-8 && tight < 1e-10, "{residuals:?}");
}
