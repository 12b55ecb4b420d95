//! A parallelogram with a third parallel crank: one constraint too many, one degree of freedom.

use jointplay_mbd::{Body, BodyId, Builder, GROUND, JointId};

use crate::judge::{Demand, Instant, channel, judge};
use crate::reference::Case;

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
        let across = |i: &Instant<'_, '_>| {
            let (sin, cos) = i.angle(cranks[0].0).value.sin_cos();
            [cos, sin]
        };
        let outwards = |i: &Instant<'_, '_>| {
            let [cos, sin] = across(i);
            [sin, -cos]
        };
        let along = |i: &Instant<'_, '_>, k: usize, [x, y]: [f64; 2]| {
            i.reaction_of(cranks[k].2, "fx") * x + i.reaction_of(cranks[k].2, "fy") * y
        };
        let ground =
            |i: &Instant<'_, '_>, c: &str| cranks.iter().map(|k| i.reaction_of(k.1, c)).sum();
        let channels = [
            channel("angle", |i| i.angle(cranks[0].0).value),
            channel("rate", |i| i.angle(cranks[0].0).rate),
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
            channel("energy", |i| i.energy().total()),
        ];
        // A closed form; the redundant constraint must not disturb it.
        let demand = Demand { tolerance: 1e-12, error: 1e-10, freedom: 1, redundant: 1 };
        judge(&case, &mechanism, demand, &channels);
        // From rest it comes back to where it was.
        let (_, period) = case.single("period");
        for formulation in crate::judge::BOTH {
            let run = crate::judge::run(&mechanism, formulation, 1e-12, &[period]);
            let end = run.end().expect("regular").angle(cranks[0].0);
            assert!((end.value - angle).abs() < 1e-11, "{formulation:?}: {:e}", end.value - angle);
            assert!(end.rate.abs() < 1e-9, "{formulation:?}: {:e}", end.rate);
        }
        case.assert_complete();
    }
}
