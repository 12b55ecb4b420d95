//! A parallelogram with a third parallel crank: one constraint too many, one degree of freedom.

use jointplay_mbd::{Body, BodyId, Builder, GROUND, JointId};

use super::judge::{BOTH, Demand, Instant, REGULAR, channel, judge, run};
use super::reference::Case;

#[test]
fn exact_parallelogram_with_a_third_crank() {
    for name in ["line", "triangle"] {
        let case = Case::read("parallelogram", name);
        let mut parts = Builder::new();
        parts.gravity([0.0, -case.get("gravity")]);
        let (length, angle) = (case.get("length"), case.get("angle"));
        let (sin, cos) = angle.sin_cos();
        let pivots =
            [[0.0; 2], case.pair("pivot2_x", "pivot2_y"), case.pair("pivot3_x", "pivot3_y")];
        let body = Body::new(case.get("coupler_mass"), case.get("coupler_inertia"))
            .centre(case.pair("coupler_com_x", "coupler_com_y"))
            .placed([length * sin, -length * cos], 0.0);
        let coupler = parts.body("coupler", body);
        // Cranks hang along −y of their frames, so that their angle counts from the downward vertical.
        let cranks: [(BodyId, JointId, JointId); 3] = std::array::from_fn(|k| {
            let of = |what: &str| case.get(&format!("{what}{}", k + 1));
            let body = Body::new(of("mass"), of("inertia")).centre([0.0, -of("com")]);
            let crank = parts.body(format!("crank {}", k + 1), body.placed(pivots[k], angle));
            let ground = parts.revolute(format!("A{k}"), GROUND.at(pivots[k]), crank.origin());
            let end = crank.at([0.0, -length]);
            (crank, ground, parts.revolute(format!("B{k}"), end, coupler.at(pivots[k])))
        });
        let mechanism = parts.build().expect("good parts");

        // Directions across the cranks, along increasing angle, and along them outwards.
        let across = |i: &Instant<'_>| {
            let (sin, cos) = i.angle(cranks[0].0).value.sin_cos();
            [cos, sin]
        };
        let outwards = |i: &Instant<'_>| {
            let [cos, sin] = across(i);
            [sin, -cos]
        };
        let along = |i: &Instant<'_>, k: usize, [x, y]: [f64; 2]| {
            i.reaction_of(cranks[k].2, "fx") * x + i.reaction_of(cranks[k].2, "fy") * y
        };
        let ground = |i: &Instant<'_>, c: &str| cranks.iter().map(|k| i.reaction_of(k.1, c)).sum();
        // The reference counts every centre of mass from its height at horizontal cranks.
        let weight = |mass: &str, y: f64| case.get("gravity") * case.get(mass) * y;
        let raised = weight("coupler_mass", case.get("coupler_com_y"))
            + (1..3).map(|k| weight(["", "mass2", "mass3"][k], pivots[k][1])).sum::<f64>();
        let motion = [
            channel("angle", |i| i.angle(cranks[0].0).value),
            channel("rate", |i| i.angle(cranks[0].0).rate),
            channel("energy", |i| i.energy().total() - raised),
        ];
        let forces = [
            channel("acceleration", |i| i.angle(cranks[0].0).acceleration),
            channel("across1", |i| along(i, 0, across(i))),
            channel("across2", |i| along(i, 1, across(i))),
            channel("across3", |i| along(i, 2, across(i))),
            channel("axial_sum", |i| (0..3).map(|k| along(i, k, outwards(i))).sum()),
            channel("axial_moment", |i| {
                let out = outwards(i);
                let arm = |k: usize| pivots[k][0] * out[1] - pivots[k][1] * out[0];
                (0..3).map(|k| arm(k) * along(i, k, out)).sum()
            }),
            channel("ground_fx_sum", |i| ground(i, "fx")),
            channel("ground_fy_sum", |i| ground(i, "fy")),
        ];
        // The redundant constraint must not disturb the motion. The triangle passes positions in which two of its three
        // cranks are a singular parallelogram: near one (0.013 rad at 0.75 s) rounding in the forces is magnified.
        let demand = Demand { error: 1e-9, redundant: 1, ..REGULAR };
        judge(&case, &mechanism, demand, &motion);
        let error = if name == "line" { 5e-11 } else { 1e-7 };
        judge(&case, &mechanism, Demand { error, agreement: 2.0 * error, ..demand }, &forces);
        // From rest it comes back to where it was.
        let (_, period) = case.single("period");
        for formulation in BOTH {
            let run = run(&mechanism, formulation, 1e-12, &[period]);
            let end = run.end().expect("regular").angle(cranks[0].0);
            assert!((end.value - angle).abs() < 1e-9, "{formulation:?}: {:e}", end.value - angle);
            assert!(end.rate.abs() < 1e-8, "{formulation:?}: {:e}", end.rate);
        }
        case.assert_complete();
    }
}
