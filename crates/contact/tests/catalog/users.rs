//! Laws of users: tables and formulas, and everything that can be wrong with them.

use std::sync::Arc;

use jointplay_contact::damping::{Approach, DampingLaw};
use jointplay_contact::elastic::{
    ElasticLaw, ElasticModel, FormulaProblem, Power, Table, TableProblem, UserForce,
};
use jointplay_contact::{NormalLaw, Tension};

use crate::sample::POINTS;

fn lines(text: &str) -> Vec<(usize, String)> {
    Table::from_csv(text).unwrap_err().into_iter().map(|p| (p.line, p.message)).collect()
}

#[test]
fn exact_tables_from_text() {
    let plain = POINTS.map(|(d, f)| format!("{d:e},{f}\n")).concat();
    let table = Table::from_csv(&plain).unwrap();
    assert_eq!(table, Table::new(&POINTS).unwrap());
    let variants = [
        format!("indentation [m],force [N]\n{plain}"),
        format!("# measured\n\ndelta; force\n{}", plain.replace(',', " ; ")),
        plain.replace(',', "\t"),
        format!("\u{feff}{plain}"),
        format!("0,0\n{plain}"),
        plain.replace('\n', "\r\n"),
        format!("{plain}# end\n\n"),
    ];
    for text in variants {
        assert_eq!(Table::from_csv(&text).as_ref(), Ok(&table), "{text:?}");
    }
    // the points themselves come out, and so does a straight line
    for (delta, force) in POINTS {
        assert!((table.eval(delta).force / force - 1.0).abs() < 4.0 * f64::EPSILON);
    }
    let line = Table::new(&[(1.0, 2.0), (2.0, 4.0), (5.0, 10.0)]).unwrap();
    for delta in [0.25, 1.0, 1.5, 3.3, 5.0, 8.0] {
        let answer = line.eval(delta);
        assert!(
            (answer.force - 2.0 * delta).abs() < 1e-14
                && (answer.energy - delta * delta).abs() < 1e-13
        );
        assert_eq!(answer.continued, delta > 5.0);
    }
    assert_eq!(line.limits().delta, Some(5.0));
    // a plateau stays one: no overshoot between equal forces
    for i in 0..=100 {
        assert_eq!(table.eval(3e-6 + 1e-8 * f64::from(i)).force, 45.0);
    }
}

#[test]
fn property_every_bad_line_of_a_table_is_listed() {
    let text =
        "delta,force\n1e-6,10\n2e-6,abc\n3e-6\n2e-6,20\n1.5e-6,30\n4e-6,15\ninf,40\n5e-6,50\n";
    let found = lines(text);
    let numbers: Vec<_> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(numbers, [3, 4, 6, 7, 8], "{found:?}");
    let contains = [
        "is not two numbers",
        "expected two columns",
        "must increase",
        "decreases",
        "is not finite",
    ];
    for ((line, message), part) in found.iter().zip(contains) {
        assert!(message.contains(part), "line {line}: {message}");
    }
    // only a line of two words is a header, and only the first
    assert_eq!(lines("1e-6,1O\n2e-6,20\n3e-6,30\n")[0].0, 1);
    assert_eq!(lines("a,b\nc,d\n1e-6,10\n2e-6,20\n")[0].0, 2);
    assert_eq!(
        lines("0,5\n1e-6,10\n2e-6,20\n"),
        [(1, "the force at zero indentation must be 0, not 5".to_owned())]
    );
    assert!(lines("1e-6,-1\n2e-6,20\n3e-6,30\n")[0].1.contains("decreases"));
    assert!(lines("-1e-6,0\n2e-6,20\n3e-6,30\n")[0].1.contains("must increase"));
    for too_short in ["", "delta,force\n", "1e-6,10\n", "1e-6,0\n2e-6,0\n"] {
        assert!(lines(too_short)[0].1.contains("at least two points"), "{too_short:?}");
    }
    assert!(lines("1e-300,1e10\n1,2e10\n")[0].1.contains("too steeply"));
    let problem = TableProblem { line: 7, message: "force 15 falls".into() };
    assert_eq!(problem.to_string(), "line 7: force 15 falls");
    assert_eq!(problem.to_string(), "line 7: force 15 falls");
}

fn wrong(source: &str) -> Vec<FormulaProblem> {
    UserForce::new(source, 1e-3, 2.0).unwrap_err()
}

#[test]
fn property_formulas_are_refused_with_every_reason() {
    use FormulaProblem as P;
    assert!(matches!(wrong("1e9*detla")[..], [P::Syntax(_)]));
    assert!(wrong("1e9*detla")[0].to_string().contains("detla"));
    let [P::NotZeroAtRest { force }] = wrong("1e6*delta + 5")[..] else { panic!() };
    assert_eq!(force, 5.0);
    // falls from a quarter of the range on
    let falling = wrong("1e6*delta*(5e-4-delta)");
    let [P::NotMonotone { delta }] = falling[..] else { panic!("{falling:?}") };
    assert!((2.5e-4..2.6e-4).contains(&delta), "{delta}");
    let jump = wrong("1e6*delta + 300*step(delta-2e-4)");
    let [P::Jump { delta }] = jump[..] else { panic!("{jump:?}") };
    assert!((delta - 2e-4).abs() < 1e-9, "{delta}");
    let at_touch = wrong("if(delta > 0, 5 + 1e6*delta, 0)");
    assert!(matches!(at_touch[..], [P::Jump { delta }] if delta < 1e-8), "{at_touch:?}");
    let gains = wrong("1e6*delta*(1 - 0.1*delta_dot)");
    assert!(matches!(gains[..], [P::AddsEnergy { .. }]), "{gains:?}");
    // an even function of the rate takes on the way in and gives on the way out
    assert!(matches!(wrong("1e6*delta*(1 + delta_dot^2)")[..], [P::AddsEnergy { .. }]));
    assert!(matches!(
        wrong("1e6*delta/(5e-4-delta)*abs(5e-4-delta)/0")[..],
        [.., P::NotFinite { .. }]
    ));
    let pole =
        wrong("ln(1e-9 + delta) - ln(1e-9)*(1-delta)/(1-delta) + sqrt(5e-4 - delta) - sqrt(5e-4)");
    assert!(matches!(pole[..], [P::NotFinite { delta_dot: 0.0, .. }]), "{pole:?}");
    assert!(matches!(
        wrong("1e6*delta*(1 + delta_dot/(1-delta_dot))")[..],
        [P::NotFinite { .. } | P::AddsEnergy { .. }]
    ));
    // all at once
    let all = wrong("5 - 1e6*delta + 300*step(delta-2e-4) - 1e5*delta*delta_dot");
    assert!(all.iter().any(|p| matches!(p, P::NotZeroAtRest { .. })), "{all:?}");
    assert!(all.iter().any(|p| matches!(p, P::NotMonotone { .. })), "{all:?}");
    assert!(all.iter().any(|p| matches!(p, P::Jump { .. })), "{all:?}");
    assert!(all.iter().any(|p| matches!(p, P::AddsEnergy { .. })), "{all:?}");
    // each message names its place
    for problem in all {
        assert!(problem.to_string().len() > 20, "{problem}");
    }
}

/// Both sides of δ̇ = 0 are known: F and c F, or a force that friction in the joint takes.
#[test]
fn exact_a_force_that_jumps_with_the_rate_is_refused() {
    use FormulaProblem as P;
    for (source, size) in [
        ("1e6*delta*if(delta_dot<0,0.5,1)", 0.5),
        ("1e6*delta*if(delta_dot>0,1,0.5)", 0.5),
        ("1e6*delta*(1 + 0.1*sign(delta_dot))", 0.2),
        ("1e6*delta*(0.5 + 0.5*step(delta_dot)) + 1e3*delta*delta_dot", 0.5),
        ("1e6*delta*(1 + 0.1*delta_dot/abs(delta_dot + 1e-60))", 0.2),
    ] {
        let found = wrong(source);
        let [P::JumpWithRate { delta, jump }] = found[..] else { panic!("{source}: {found:?}") };
        assert!((jump / (size * 1e6 * delta) - 1.0).abs() < 1e-9, "{source}: {jump}");
        assert!(found[0].to_string().contains("kelvin-voigt-restitution"));
    }
    // Kinks, roots and steep but smooth transitions are none.
    for source in [
        "1e6*delta*(1 + max(delta_dot, 0))",
        "1e6*delta*(1 + 0.2*tanh(delta_dot/1e-9))",
        "1e6*delta*(1 + 0.1*sign(delta_dot)*abs(delta_dot)^0.2)",
        "1e6*delta + 1e3*sqrt(delta)*delta_dot",
        "1e8*delta^1.5*(1 + 0.3*delta_dot)",
    ] {
        assert!(UserForce::new(source, 1e-3, 2.0).is_ok(), "{source}");
    }
}

#[test]
fn exact_a_formula_with_units_is_the_one_in_si() {
    let plain = UserForce::new("1e9*delta^1.5*(1 + 0.3*delta_dot)", 1e-3, 2.0).unwrap();
    let units = "1 kN/mm*delta*sqrt(delta/1e-6 m)*(1 + 0.3 s/m*delta_dot)";
    let units = UserForce::new(units, 1e-3, 2.0).unwrap();
    for delta in [1e-9, 1e-6, 3e-5, 9.9e-4] {
        // √(δ/1 µm) · 1e6 N/m = 1e9 √δ
        assert!((units.force(delta) / plain.force(delta) - 1.0).abs() < 1e-14, "{delta}");
    }
    let length = wrong("2*delta + 0 mm");
    assert_eq!(length[0].to_string(), "the result: force expected, length found");
}

#[test]
fn property_the_range_of_a_formula_must_be_one() {
    for (reach, speed, count) in [
        (0.0, 1.0, 1),
        (-1.0, 1.0, 1),
        (1e-3, 0.0, 1),
        (f64::NAN, -1.0, 2),
        (f64::INFINITY, 1.0, 1),
    ] {
        let problems = UserForce::new("1e6*delta", reach, speed).unwrap_err();
        assert_eq!(problems.len(), count, "{reach}, {speed}: {problems:?}");
        assert!(problems.iter().all(|p| matches!(p, FormulaProblem::Range { .. })), "{problems:?}");
    }
    let both = UserForce::new("1e6*", -1.0, 1.0).unwrap_err();
    assert!(
        matches!(both[..], [FormulaProblem::Range { .. }, FormulaProblem::Syntax(_)]),
        "{both:?}"
    );
}

#[test]
fn exact_a_formula_equals_the_factor_law_it_writes() {
    // 1 + 0.3 δ̇ is the factor (3/2)α with α = 0.2 s/m
    let formula = Arc::new(UserForce::new("1e9*delta^1.5*(1+0.3*delta_dot)", 1e-3, 2.0).unwrap());
    let written =
        NormalLaw::new(ElasticLaw::Expression(formula.clone()), DampingLaw::Expression(formula));
    let power = Power { stiffness: 1e9, exponent: 1.5 };
    let damping = DampingLaw::HuntCrossleyAlpha { alpha: 0.2, rate_exponent: 1.0 };
    let built = NormalLaw::new(ElasticLaw::Power(power), damping);
    for tension in [Tension::Clip, Tension::Keep] {
        let (written, built) =
            (NormalLaw { tension, ..written.clone() }, NormalLaw { tension, ..built.clone() });
        let touches = (written.begin(0.3, 1.0).unwrap(), built.begin(0.3, 1.0).unwrap());
        for delta in [-1e-6, 0.0, 1e-12, 1e-9, 1e-6, 3e-5, 9.9e-4] {
            for delta_dot in [-1.9, -0.1, 0.0, 0.02, 1.9] {
                let at = Approach { delta, delta_dot };
                let (a, b) = (written.eval(at, &touches.0), built.eval(at, &touches.1));
                let pairs = [
                    (a.elastic, b.elastic),
                    (a.damping, b.damping),
                    (a.total, b.total),
                    (a.slope, b.slope),
                    (a.rate, b.rate),
                    (a.energy, b.energy),
                ];
                for (got, want) in pairs {
                    // the damping is a difference of two forces: some units of the elastic part;
                    // the energy is integrated to 1e-14 in each piece of the range
                    let tolerance = 1e-12 * want.abs() + 4.0 * f64::EPSILON * b.elastic;
                    assert!((got - want).abs() <= tolerance, "{at:?}: {a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn property_a_formula_is_held_at_the_ends_of_its_range() {
    let formula = Arc::new(UserForce::new("1e9*delta^1.5*(1+0.3*delta_dot)", 1e-4, 2.0).unwrap());
    let law =
        NormalLaw::new(ElasticLaw::Expression(formula.clone()), DampingLaw::Expression(formula));
    let touch = law.begin(0.3, 1.0).unwrap();
    let eval = |delta, delta_dot| law.eval(Approach { delta, delta_dot }, &touch);
    // beyond the deepest point the elastic part goes along its tangent, the damping stays
    assert!(eval(2e-4, 0.5).continued && !eval(1e-4, 0.5).continued);
    assert_eq!(eval(2e-4, 0.5).damping, eval(1e-4, 0.5).damping);
    // beyond the fastest rate the damping stays
    assert_eq!(eval(5e-5, 7.0).damping, eval(5e-5, 2.0).damping);
    assert_eq!(eval(5e-5, -7.0).damping, eval(5e-5, -2.0).damping);
    assert_eq!(eval(5e-5, 7.0).rate, 0.0);
    // out of contact there is nothing, although the formula has no value there
    for delta in [-1e-9, -1.0, -f64::MAX, 0.0] {
        let out = eval(delta, 0.5);
        assert_eq!((out.total, out.slope, out.energy), (0.0, 0.0, 0.0), "{delta}: {out:?}");
    }
    // NaN is caught, not neutralised
    assert!(eval(f64::NAN, 0.5).total.is_nan() && eval(5e-5, f64::NAN).total.is_nan());
}
