//! Static equilibria: a toggle with two springs, the four-bar at rest, a hanging chain of five rods.

use std::collections::BTreeMap;

use jointplay_mbd::{Body, Builder, Bushing, Force, GROUND, Mechanism, Snapshot, TorsionSpring};

use super::four_bar::four_bar;
use super::judge::BOTH;
use super::reference::{Case, rows};

/// The quantities of an equilibrium by name.
fn reference(case: &str, number: usize) -> BTreeMap<String, f64> {
    let all = rows("mechanisms-statics/data.csv");
    let of_it = all
        .iter()
        .filter(|row| row.text("case") == case && row.text("equilibrium") == number.to_string());
    of_it.map(|row| (row.text("quantity").to_owned(), row.number("value"))).collect()
}

/// Holds every quantity of an equilibrium, found in both formulations, against its reference. `answer` knows no quantity
/// that no mechanism at rest has: curvature and stability.
fn judge_rest(
    name: &str,
    number: usize,
    mechanism: &Mechanism,
    answer: impl Fn(&Snapshot<'_>, &str) -> f64,
) {
    let reference = reference(name, number);
    assert_eq!(reference.get("stable").copied().unwrap_or(1.0), 1.0, "nothing settles there");
    for formulation in BOTH {
        let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
        let snapshot = rest.snapshot().expect("regular");
        let mut worst = (0.0, "");
        for (quantity, &value) in &reference {
            if ["stable", "curvature"].contains(&quantity.as_str()) {
                continue;
            }
            let error = (answer(&snapshot, quantity) - value).abs() / value.abs();
            // Simple, well separated roots of smooth equations.
            assert!(error < 1e-11, "{name} {number} {formulation:?}: {quantity} off by {error:e}");
            if error > worst.0 {
                worst = (error, quantity);
            }
        }
        println!(
            "{name} {number} {formulation:?}: {:.1e} ({}), {} steps",
            worst.0, worst.1, rest.steps
        );
    }
}

/// A bar from the origin, a point mass at the knee, a bar to a slider on the x axis; springs on bar 1 and slider.
fn toggle(case: &Case, [angle1, angle2]: [f64; 2]) -> Mechanism {
    let (length1, length2) = (case.get("length1"), case.get("length2"));
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let knee = [length1 * angle1.cos(), length1 * angle1.sin()];
    let body = Body::rod(case.get("mass1"), length1).centre([0.5 * length1, 0.0]);
    let bar1 = parts.body("bar 1", body.placed([0.0; 2], angle1));
    let mass = parts.body("knee", Body::new(case.get("knee_mass"), 0.01).placed(knee, angle1));
    let body = Body::rod(case.get("mass2"), length2).centre([0.5 * length2, 0.0]);
    let bar2 = parts.body("bar 2", body.placed(knee, angle2));
    let x = knee[0] + length2 * angle2.cos();
    let slider =
        parts.body("slider", Body::new(case.get("slider_mass"), 0.01).placed([x, 0.0], 0.0));
    parts.revolute("ground", GROUND.origin(), bar1.origin());
    parts.weld("knee", bar1.at([length1, 0.0]), mass.origin());
    parts.revolute("knee pin", bar1.at([length1, 0.0]), bar2.origin());
    parts.revolute("slider pin", bar2.at([length2, 0.0]), slider.origin());
    parts.prismatic("guide", GROUND.origin(), slider.origin());
    let bushing = Bushing {
        a: GROUND.at([case.get("free_x"), 0.0]).into(),
        b: slider.origin().into(),
        stiffness: [case.get("stiffness"), 0.0, 0.0],
        damping: [0.0; 3],
    };
    parts.force("spring", Force::Bushing(bushing));
    let torsion = TorsionSpring::new(GROUND, bar1, case.get("torsion"), case.get("free_angle"));
    parts.force("torsion", Force::TorsionSpring(torsion));
    parts.build().expect("good parts")
}

#[test]
fn exact_toggle_at_rest() {
    let case = parameters("toggle");
    // Above and below the unstable equilibrium at 0.139 rad.
    for (number, start) in [(1, [-0.2, 0.2]), (3, [0.2, -0.2])] {
        let mechanism = toggle(&case, start);
        judge_rest("toggle", number, &mechanism, |s, quantity| {
            let joint = |name: &str, component: &str| {
                let joint = mechanism.find_joint(name).expect("it is there");
                s.reaction(joint).get(component).expect("it has this component")
            };
            let body = |name: &str| mechanism.find_body(name).expect("it is there");
            match quantity {
                "angle1" => s.angle(body("bar 1")).value,
                "angle2" => s.angle(body("bar 2")).value,
                "slider_x" => s.position(body("slider")).position[0],
                "potential" => s.energy().gravity + s.energy().elastic,
                "ground_fx" => joint("ground", "fx"),
                "ground_fy" => joint("ground", "fy"),
                "knee_fx" => joint("knee pin", "fx"),
                "knee_fy" => joint("knee pin", "fy"),
                "slider_fx" => joint("slider pin", "fx"),
                "slider_fy" => joint("slider pin", "fy"),
                "slider_normal" => joint("guide", "normal"),
                _ => unreachable!("{quantity}"),
            }
        });
    }
}

/// The parameters of a case.
fn parameters(name: &str) -> Case {
    Case::parameters_only("statics", name)
}

#[test]
fn exact_four_bar_at_rest() {
    let case = parameters("four-bar");
    let (mechanism, joints) = four_bar(&case, [0.7, 0.9, 1.9]);
    judge_rest("four-bar", 1, &mechanism, |s, quantity| {
        let body = |name: &str| mechanism.find_body(name).expect("it is there");
        if quantity == "potential" {
            return s.energy().gravity + s.energy().elastic;
        }
        if let Some(name) = quantity.strip_suffix("_angle") {
            return s.angle(body(name)).value;
        }
        let (pin, component) = quantity.rsplit_once('_').expect("a pin and its component");
        let pins = ["crank_ground", "crank_coupler", "coupler_rocker", "rocker_ground"];
        let joint = pins.iter().position(|name| *name == pin).expect("a pin");
        s.reaction(joints[joint]).get(component).expect("a component")
    });
}

#[test]
fn exact_chain_at_rest() {
    let case = parameters("chain");
    let support = case.pair("support_x", "support_y");
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let mut end = GROUND.origin();
    let mut at = [0.0, 0.0];
    // Rough angles of the rods, whose ends nearly meet.
    for (k, angle) in [-0.8_f64, -0.4, 0.1, 0.7, 1.0].into_iter().enumerate() {
        let of = |what: &str| case.get(&format!("{what}{}", k + 1));
        let body = Body::new(of("mass"), 0.02).centre([of("com"), 0.0]).placed(at, angle);
        let rod = parts.body(format!("{}", k + 1), body);
        parts.revolute(format!("joint{}", k + 1), end, rod.origin());
        end = rod.at([of("length"), 0.0]);
        at = [at[0] + of("length") * angle.cos(), at[1] + of("length") * angle.sin()];
    }
    let last = end.body;
    parts.revolute("right", GROUND.at(support), end);
    let mechanism = parts.build().expect("good parts");
    judge_rest("chain", 1, &mechanism, |s, quantity| {
        let rod = |number: &str| mechanism.find_body(number).expect("a rod");
        if quantity == "potential" {
            return s.energy().gravity;
        }
        if let Some(number) = quantity.strip_prefix("angle") {
            return s.angle(rod(number)).value;
        }
        let (name, component) = quantity.rsplit_once('_').expect("a name and its component");
        if let Some(number) = name.strip_prefix("node") {
            let length = case.get(&format!("length{number}"));
            let [x, y] = s.point(rod(number).at([length, 0.0])).position;
            return if component == "x" { x } else { y };
        }
        let joint = mechanism.find_joint(name).expect("a joint");
        s.reaction(joint).get(component).expect("a component")
    });
    assert_eq!(mechanism.body_name(last), "5");
}
