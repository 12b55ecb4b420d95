//! The recursion against differences of positions, and against Newton's and Euler's equations of each link.

use proptest::prelude::*;

use super::*;
use crate::equations::{DriftControl, Equations};
use crate::formulation::{Core, Formulation, Work};
use crate::frame::cross;
use crate::row::tests::slope;
use crate::{Body, Builder, Coordinate, GROUND, Mechanism, Signal};

/// Two trees: one on the ground, one free; every kind of link in both senses, driven and not.
fn forest() -> Mechanism {
    let mut parts = Builder::new();
    let body = |parts: &mut Builder, name: &str, mass: f64, angle: f64| {
        let body = Body::new(mass, 0.3 * mass).centre([0.1 * mass, -0.05]);
        parts.body(name, body.placed([0.0, 0.0], angle))
    };
    let ids = [(1.0, 0.0), (2.0, 0.5), (0.5, 1.0), (0.7, -0.4), (1.5, 0.2), (0.9, 0.0)];
    let [a, b, c, d, e, f] =
        std::array::from_fn(|i| body(&mut parts, &format!("body {i}"), ids[i].0, ids[i].1));
    let (p, q) = ([0.3, -0.2], [-0.1, 0.4]);
    parts.revolute("a", GROUND.at(p), a.at(q));
    parts.prismatic("b", b.at(p).at_angle(0.3), a.at(q).at_angle(0.8));
    parts.weld("c", b.at(q).at_angle(0.5), c.at(p).at_angle(0.0));
    let driven = parts.revolute("d", d.at(p), c.at(q));
    let slid = parts.prismatic("e", b.at(q).at_angle(-0.7), e.at(q).at_angle(-0.4));
    // The free tree: its heaviest body is its root.
    let [g, h, k] = [("g", 3.0, 0.3), ("h", 0.4, 0.0), ("k", 0.8, -0.2)]
        .map(|(name, mass, angle)| body(&mut parts, name, mass, angle));
    parts.revolute("h", h.at(p), g.at(q));
    parts.prismatic("k", g.at(p).at_angle(0.4), k.at(q).at_angle(0.9));
    parts.weld("f", f.at(p).at_angle(0.1), k.at(p).at_angle(-0.1));
    let wave = |text| Signal::expression(text).expect("a formula of t");
    parts.drive("turn", Coordinate::Joint(driven), wave("0.4 + 0.7*sin(2*t)"));
    parts.drive("slide", Coordinate::Joint(slid), wave("0.2*cos(3*t) - 0.1*t"));
    parts.drive("x", Coordinate::X(g.at([0.1 * 3.0, -0.05])), wave("0.5*t + 0.3*t^2"));
    parts.build().expect("good parts")
}

/// q̈, and everything else, of a state under forces on the frames of the bodies.
fn evaluated(
    equations: &Equations,
    t: f64,
    q: &[f64],
    v: &[f64],
    forces: &[[f64; 3]],
) -> Work<f64> {
    let structure = &equations.layout.structure;
    let mut work = structure.work(equations.mechanism.drivers.len());
    work.drives = equations.jets(t);
    structure.place(q, v, &mut work);
    work.force[1..=forces.len()].copy_from_slice(forces);
    structure.accelerate(&mut work).expect("bodies with mass");
    work
}

fn tree(equations: &Equations) -> &Tree {
    match &equations.layout.structure.core {
        Core::Tree(tree) => tree,
        Core::Bodies(_) => unreachable!("joint coordinates"),
    }
}

const UNKNOWNS: usize = 6;
const BODIES: usize = 9;

type State = ([f64; UNKNOWNS], [f64; UNKNOWNS], [[f64; 3]; BODIES]);

fn state() -> impl Strategy<Value = State> {
    let six = || prop::array::uniform6(-2.0..2.0);
    let forces = prop::array::uniform9(prop::array::uniform3(-5.0..5.0));
    (six(), six(), forces)
}

proptest! {
    /// Velocities are the slopes of positions, accelerations those of velocities, along the motion itself.
    #[test]
    fn property_frames_move_as_the_coordinates_say((q, v, forces) in state()) {
        let mechanism = forest();
        let equations = Equations::new(&mechanism, Formulation::Joint, DriftControl::default());
        let equations = equations.expect("bodies with mass");
        prop_assert_eq!((equations.unknown_count(), equations.constraint_count()), (UNKNOWNS, 0));
        let t = 0.3;
        let now = evaluated(&equations, t, &q, &v, &forces);
        let later = |h: f64| {
            let a = &now.unknowns;
            let q: Vec<f64> = (0..UNKNOWNS).map(|i| q[i] + h * (v[i] + 0.5 * h * a[i])).collect();
            let v: Vec<f64> = (0..UNKNOWNS).map(|i| v[i] + h * a[i]).collect();
            evaluated(&equations, t + h, &q, &v, &forces).motion
        };
        for frame in 1..now.motion.len() {
            let motion = &now.motion[frame];
            for i in 0..3 {
                let position = |m: &Motion<f64>| if i < 2 { m.x[i] } else { m.angle };
                let velocity = |m: &Motion<f64>| if i < 2 { m.v[i] } else { m.omega };
                // Differences of fourth order over 3e-4 of motions with accelerations of 1e2.
                let speed = slope(|h| position(&later(h)[frame]));
                prop_assert!((speed - velocity(motion)).abs() < 1e-7, "{frame} {i}");
                let acceleration = now.acceleration[frame][i];
                let change = slope(|h| velocity(&later(h)[frame]));
                let size = 1.0 + acceleration.abs();
                prop_assert!((change - acceleration).abs() < 1e-6 * size, "{frame} {i}: {change} {acceleration}");
            }
            prop_assert!((motion.angle.cos() - motion.cos).abs() < 1e-14 * 10.0);
        }
    }

    /// Newton and Euler for each link: what its parent transmits, less what it transmits itself, with the applied
    /// force gives its acceleration; and no free coordinate transmits anything along itself.
    #[test]
    fn property_links_obey_newton_and_euler((q, v, forces) in state()) {
        let mechanism = forest();
        let equations = Equations::new(&mechanism, Formulation::Joint, DriftControl::default());
        let equations = equations.expect("bodies with mass");
        let work = evaluated(&equations, 0.3, &q, &v, &forces);
        let structure = &equations.layout.structure;
        let links = &tree(&equations).links;
        let about_origin = |link: usize| {
            let [fx, fy, moment] = structure.link_force(link, &work);
            [fx, fy, moment + cross(work.motion[links[link].frame].x, [fx, fy])]
        };
        for (i, link) in links.iter().enumerate() {
            let mut received = about_origin(i);
            for child in (0..links.len()).filter(|&child| links[child].parent == link.frame) {
                let passed = about_origin(child);
                received = std::array::from_fn(|k| received[k] - passed[k]);
            }
            let [fx, fy, moment] = work.force[link.frame];
            let x = work.motion[link.frame].x;
            let [ax, ay, alpha] = work.acceleration[link.frame];
            let (mx, my) = (link.mass * ax, link.mass * ay);
            let inertia = link.inertia * alpha + cross(x, [mx, my]);
            let applied = moment + cross(x, [fx, fy]);
            let balance = [received[0] + fx - mx, received[1] + fy - my, received[2] + applied - inertia];
            let size = 1.0 + received.iter().fold(0.0_f64, |size, f| size.max(f.abs()));
            // A dozen links, arms of a few metres.
            prop_assert!(balance.iter().all(|f| f.abs() < 1e-11 * size), "{i}: {balance:?}");
            let along = dot3(work.links[i].subspace, structure.link_force(i, &work));
            let effort = match link.variable {
                Variable::Free(_) => 0.0,
                Variable::Driven(_) => work.link_drive(i),
                Variable::Absent => continue,
            };
            prop_assert!((along - effort).abs() < 1e-11 * size, "{i}: {along:e}, {effort:e}");
        }
    }

    /// Forces one after the other act as all at once, and along a path as on the whole forest.
    #[test]
    fn property_responses_add_up(
        (q, v, forces) in state(),
        more in prop::array::uniform2(prop::array::uniform3(-5.0..5.0)),
        frames in (1..=BODIES, 1..=BODIES),
    ) {
        let mechanism = forest();
        let equations = Equations::new(&mechanism, Formulation::Joint, DriftControl::default());
        let equations = equations.expect("bodies with mass");
        let structure = &equations.layout.structure;
        let (a, b) = frames;
        let mut summed = forces;
        for i in 0..3 {
            summed[a - 1][i] += more[0][i];
            summed[b - 1][i] += more[1][i];
        }
        let at_once = evaluated(&equations, 0.3, &q, &v, &summed);
        let mut first = evaluated(&equations, 0.3, &q, &v, &forces);
        let before = first.acceleration.clone();
        structure.respond(&mut first, |change| {
            for i in 0..3 {
                change[a][i] += more[0][i];
                change[b][i] += more[1][i];
            }
        });
        let size = at_once.acceleration.iter().flatten().fold(1.0_f64, |size, a| size.max(a.abs()));
        let close = |x: f64, y: f64| (x - y).abs() < 1e-11 * size;
        for (one, other) in first.acceleration.iter().zip(&at_once.acceleration) {
            prop_assert!((0..3).all(|i| close(one[i], other[i])), "{one:?} {other:?}");
        }
        for (one, other) in first.unknowns.iter().zip(&at_once.unknowns) {
            prop_assert!(close(*one, *other));
        }
        for link in 0..tree(&equations).links.len() {
            let (one, other) =
                (structure.link_force(link, &first), structure.link_force(link, &at_once));
            prop_assert!((0..3).all(|i| close(one[i], other[i])), "{link}: {one:?} {other:?}");
            prop_assert!(close(first.link_drive(link), at_once.link_drive(link)), "{link}");
        }
        let needed: Vec<usize> = (1..=BODIES).collect();
        let path = tree(&equations).path([a, b], &needed);
        tree(&equations).respond_along(&path, [(a, more[0]), (b, more[1])], &mut first.links);
        for frame in 1..=BODIES {
            let touched = tree(&equations).link_of_frame[frame]
                .is_some_and(|link| path.outwards.contains(&link));
            let change = tree(&equations).change(frame, &first.links);
            let whole: [f64; 3] =
                std::array::from_fn(|i| at_once.acceleration[frame][i] - before[frame][i]);
            let expected = if touched { change } else { [0.0; 3] };
            prop_assert!((0..3).all(|i| close(expected[i], whole[i])), "{frame}: {change:?} {whole:?}");
        }
    }
}
