//! Free impacts against another program: the integrator of the crate `ivp` with its own step
//! control and its own search for events, in seconds and metres.

use std::cell::Cell;

use crate::golden::{both, impact, law, numbers, returning};
use ivp::prelude::*;
use jointplay_contact::catalog::Inputs;
use jointplay_contact::damping::{Approach, Touch};
use jointplay_contact::{NormalLaw, Surfaces};

/// One half of an impact: approach until δ̇ = 0, or return until δ = 0.
struct Half<'a> {
    law: &'a NormalLaw,
    touch: Touch,
    returning: bool,
    evaluations: Cell<usize>,
}

impl FirstOrderSystem for Half<'_> {
    fn derivative(&self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        self.evaluations.set(self.evaluations.get() + 1);
        dydt[0] = y[1];
        dydt[1] = -self.law.force(Approach { delta: y[0], delta_dot: y[1] }, &self.touch)
            / self.touch.effective_mass;
    }

    fn events(&self, _t: f64, y: &[f64], out: &mut [f64]) {
        out[0] = if self.returning { y[0] } else { y[1] };
    }

    fn n_events(&self) -> usize {
        1
    }

    fn event_config(&self, _index: usize) -> EventConfig {
        let mut config = EventConfig::default();
        config.terminal();
        config.negative();
        config
    }
}

/// (restitution, largest indentation, duration) by `ivp`.
fn peer(law: &NormalLaw, effective_mass: f64, speed: f64, patience: f64) -> (f64, f64, f64) {
    let touch = law.begin(speed, effective_mass).unwrap();
    let half = |touch: Touch, returning: bool, y0: [f64; 2]| {
        let half = Half { law, touch, returning, evaluations: Cell::new(0) };
        let solution = Ivp::first_order(&half, 0.0, patience, &y0)
            .method(Method::DOP853)
            .rtol(1e-12)
            .atol(vec![1e-12 * speed * patience, 1e-12 * speed])
            .max_step(patience / 100.0)
            .solve()
            .unwrap();
        let (t, y) = (solution.t_events[0][0], solution.y_events[0][0].clone());
        assert!(half.evaluations.get() > 100);
        (t, [y[0], y[1]])
    };
    let (t1, deepest) = half(touch, false, [0.0, speed]);
    let touch = law.turned(touch, deepest[0]);
    let (t2, end) = half(touch, true, deepest);
    (-end[1] / speed, deepest[0], t1 + t2)
}

#[test]
fn peer_another_integrator_agrees() {
    let spheres = numbers(&[("stiffness", 5.2e9)]);
    let bearing = Inputs {
        surfaces: Some(Surfaces::internal(5e-3, 4.75e-3).unwrap()),
        length: Some(15e-3),
        materials: Some(both(210e9, 0.3)),
        ..Inputs::default()
    };
    let viscous = Inputs {
        materials: Some(both(69e9, 0.35)),
        ..numbers(&[("stiffness", 5.2e9), ("eta1", 4e6), ("eta2", 6e6)])
    };
    let cases = [
        ("hertz+lankarani-nikravesh", returning(0.7, &spheres), 4.6, 0.3, 2e-3),
        ("hertz+exact", returning(0.1, &spheres), 4.6, 0.3, 5e-3),
        ("hertz+brilliantov", viscous, 4.6, 0.3, 2e-3),
        ("hertz+tsuji", returning(0.4, &spheres), 4.6, 0.3, 3e-3),
        ("hertz+jankowski", returning(0.5, &spheres), 4.6, 0.3, 2e-3),
        ("hertz+kelvin-voigt-restitution", returning(0.4, &spheres), 4.6, 0.3, 3e-3),
        ("johnson+lankarani-nikravesh", returning(0.7, &bearing), 6.8e-3, 0.2, 3e-5),
        ("persson+flores", returning(0.5, &bearing), 6.8e-3, 0.2, 3e-5),
        // far beyond the limit of the law, on its tangent
        ("johnson+flores", returning(0.5, &bearing), 10.0, 20.0, 1e-3),
    ];
    for (name, inputs, m, v, patience) in cases {
        let law = law(name, &inputs);
        let ours = impact(&law, m, v);
        let (e, depth, duration) = peer(&law, m, v, patience);
        // two integrations at 1e-12, the peer's events on its dense output
        for (what, ours, theirs) in [
            ("e", ours.restitution, e),
            ("depth", ours.max_indentation, depth),
            ("duration", ours.duration, duration),
        ] {
            crate::golden::assert_close(&format!("{name} {what}"), ours, theirs, 1e-8);
        }
    }
    assert!(
        impact(&law("johnson+flores", &returning(0.5, &bearing_of_steel())), 10.0, 20.0).continued
    );
}

fn bearing_of_steel() -> Inputs {
    Inputs {
        surfaces: Some(Surfaces::internal(5e-3, 4.75e-3).unwrap()),
        length: Some(15e-3),
        materials: Some(both(210e9, 0.3)),
        ..Inputs::default()
    }
}
