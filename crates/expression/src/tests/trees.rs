//! Random syntax trees with a printer and an evaluation of their own, beside the parser and its programs.

use proptest::prelude::*;

use super::same;
use crate::{Expression, ExpressionError, Jet};

/// A syntax tree with its own printer and its own evaluation.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Number(f64),
    Variable(usize),
    Negative(Box<Tree>),
    Infix(char, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
    If(&'static str, Box<[Tree; 4]>),
}

pub(super) const VARIABLES: [&str; 2] = ["x", "speed"];

impl Tree {
    fn tightness(&self) -> u8 {
        match self {
            Self::Infix('+' | '-', ..) => 1,
            Self::Infix('*' | '/', ..) => 2,
            Self::Negative(_) => 3,
            Self::Infix(..) => 4,
            _ => 5,
        }
    }

    /// With as few parentheses as the grammar needs.
    pub(super) fn print(&self) -> String {
        let inside = |tree: &Self, needed: u8| {
            let text = tree.print();
            if tree.tightness() < needed { format!("({text})") } else { text }
        };
        match self {
            Self::Number(value) => format!("{value:?}"),
            Self::Variable(index) => VARIABLES[*index].to_owned(),
            Self::Negative(a) => format!("-{}", inside(a, 3)),
            Self::Infix('^', a, b) => format!("{}^{}", inside(a, 5), inside(b, 3)),
            Self::Infix(operator, a, b) => {
                let own = self.tightness();
                format!("{} {operator} {}", inside(a, own), inside(b, own + 1))
            }
            Self::Call(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(Self::print).collect();
                format!("{name}({})", arguments.join(", "))
            }
            Self::If(comparison, parts) => {
                let [l, r, yes, no] = [0, 1, 2, 3].map(|index: usize| parts[index].print());
                format!("if({l} {comparison} {r}, {yes}, {no})")
            }
        }
    }

    fn eval(&self, values: &[f64; 2]) -> f64 {
        match self {
            Self::Number(value) => *value,
            Self::Variable(index) => values[*index],
            Self::Negative(a) => -a.eval(values),
            Self::Infix(operator, a, b) => {
                let (a, b) = (a.eval(values), b.eval(values));
                match operator {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a / b,
                    _ => libm::pow(a, b),
                }
            }
            Self::Call(name, arguments) => {
                let a: Vec<_> = arguments.iter().map(|argument| argument.eval(values)).collect();
                call(name, &a)
            }
            Self::If(comparison, parts) => {
                let [l, r, yes, no] = [0, 1, 2, 3].map(|index: usize| parts[index].eval(values));
                match (l.partial_cmp(&r), *comparison) {
                    (None, _) => f64::NAN,
                    (Some(order), "<") => [no, yes][usize::from(order.is_lt())],
                    (Some(order), "<=") => [no, yes][usize::from(order.is_le())],
                    (Some(order), ">") => [no, yes][usize::from(order.is_gt())],
                    (Some(order), _) => [no, yes][usize::from(order.is_ge())],
                }
            }
        }
    }
}

fn call(name: &str, a: &[f64]) -> f64 {
    if a.iter().any(|a| a.is_nan()) {
        return f64::NAN;
    }
    match name {
        "sin" => libm::sin(a[0]),
        "cos" => libm::cos(a[0]),
        "tan" => libm::tan(a[0]),
        "asin" => libm::asin(a[0]),
        "acos" => libm::acos(a[0]),
        "atan" => libm::atan(a[0]),
        "atan2" => libm::atan2(a[0], a[1]),
        "sinh" => libm::sinh(a[0]),
        "cosh" => libm::cosh(a[0]),
        "tanh" => libm::tanh(a[0]),
        "exp" => libm::exp(a[0]),
        "ln" => libm::log(a[0]),
        "log10" => libm::log10(a[0]),
        "sqrt" => a[0].sqrt(),
        "cbrt" => libm::cbrt(a[0]),
        "abs" => a[0].abs(),
        "sign" if a[0] == 0.0 => 0.0,
        "sign" => 1.0_f64.copysign(a[0]),
        "step" => [1.0, 0.0][usize::from(a[0] < 0.0)],
        "min" => [a[0], a[1]][usize::from(a[1] < a[0])],
        "max" => [a[0], a[1]][usize::from(a[1] > a[0])],
        "clamp" => {
            let raised = [a[0], a[1]][usize::from(a[1] > a[0])];
            [raised, a[2]][usize::from(a[2] < raised)]
        }
        _ => unreachable!("{name}"),
    }
}

const UNARY: [&str; 17] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln", "log10",
    "sqrt", "cbrt", "abs", "sign", "step",
];

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0.0..10.0).prop_map(Tree::Number),
        (0_u8..8).prop_map(|n| Tree::Number(f64::from(n))),
        (0_usize..2).prop_map(Tree::Variable),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        // A varying exponent: the special cases of constant exponents round differently from
        // the library's power and are judged in a test of their own.
        let exponent = prop_oneof![
            (0_usize..2).prop_map(Tree::Variable),
            Just(Tree::Number(0.3)),
            Just(Tree::Number(17.0)),
            Just(Tree::Negative(Box::new(Tree::Number(1.7)))),
            inner
                .clone()
                .prop_map(|tree| { Tree::Infix('-', Box::new(tree), Box::new(Tree::Variable(0))) }),
        ];
        prop_oneof![
            boxed.clone().prop_map(Tree::Negative),
            (prop::sample::select(vec!['+', '-', '*', '/']), boxed.clone(), boxed.clone())
                .prop_map(|(operator, a, b)| Tree::Infix(operator, a, b)),
            (boxed, exponent.prop_map(Box::new)).prop_map(|(a, b)| Tree::Infix('^', a, b)),
            (prop::sample::select(UNARY.to_vec()), inner.clone())
                .prop_map(|(name, a)| Tree::Call(name, vec![a])),
            (prop::sample::select(vec!["atan2", "min", "max"]), inner.clone(), inner.clone())
                .prop_map(|(name, a, b)| Tree::Call(name, vec![a, b])),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| Tree::Call("clamp", vec![a, b, c])),
            (prop::sample::select(vec!["<", "<=", ">", ">="]), prop::array::uniform4(inner))
                .prop_map(|(comparison, parts)| Tree::If(comparison, Box::new(parts))),
        ]
    })
}

/// Trees without kinks and poles whose derivatives stay moderate for x and speed in [−1, 1].
pub(super) fn smooth_tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0.1..2.0).prop_map(Tree::Number),
        (0_usize..2).prop_map(Tree::Variable),
        (0_usize..2).prop_map(Tree::Variable),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let above = |floor: f64, tree: Tree| {
            let square = Tree::Infix('^', Box::new(tree), Box::new(Tree::Number(2.0)));
            Tree::Infix('+', Box::new(Tree::Number(floor)), Box::new(square))
        };
        let half = |tree: Tree| {
            let sine = Tree::Call("sin", vec![tree]);
            Tree::Infix('*', Box::new(Tree::Number(0.5)), Box::new(sine))
        };
        prop_oneof![
            (prop::sample::select(vec!['+', '-', '*']), boxed.clone(), boxed.clone())
                .prop_map(|(operator, a, b)| Tree::Infix(operator, a, b)),
            (boxed.clone(), inner.clone()).prop_map(move |(a, b)| Tree::Infix(
                '/',
                a,
                Box::new(above(1.0, b))
            )),
            (inner.clone(), boxed).prop_map(move |(a, b)| Tree::Infix(
                '^',
                Box::new(above(1.0, a)),
                b
            )),
            (
                prop::sample::select(vec!["sin", "cos", "atan", "sinh", "cosh", "tanh", "exp"]),
                inner.clone()
            )
                .prop_map(move |(name, a)| Tree::Call(name, vec![half(a)])),
            (prop::sample::select(vec!["asin", "acos", "tan"]), inner.clone())
                .prop_map(move |(name, a)| Tree::Call(name, vec![half(a)])),
            (prop::sample::select(vec!["ln", "log10", "sqrt", "cbrt"]), inner.clone())
                .prop_map(move |(name, a)| Tree::Call(name, vec![above(1.0, a)])),
            (inner.clone(), inner)
                .prop_map(move |(a, b)| Tree::Call("atan2", vec![a, above(1.0, b)])),
        ]
    })
}

/// First and second derivative by central differences of eighth order with step h.
pub(super) fn differences(f: impl Fn(f64) -> f64, h: f64) -> (f64, f64) {
    let pair = |k: f64| (f(k * h), f(-k * h));
    let ((a, b), (c, d), (p, q), (r, s)) = (pair(1.0), pair(2.0), pair(3.0), pair(4.0));
    let first = 0.8 * (a - b) - 0.2 * (c - d) + 4.0 / 105.0 * (p - q) - (r - s) / 280.0;
    let second = 1.6 * (a + b) - 0.2 * (c + d) + 8.0 / 315.0 * (p + q)
        - (r + s) / 560.0
        - 205.0 / 72.0 * f(0.0);
    (first / h, second / (h * h))
}

pub(super) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// No text makes parsing, the error or the evaluation panic.
    #[test]
    fn property_any_text_is_parsed_or_refused(source in any::<String>()) {
        check_total(&source);
    }

    /// The same with the words of the grammar, which get further into it.
    #[test]
    fn property_any_words_are_parsed_or_refused(
        words in prop::collection::vec(prop::sample::select(vec![
            "x", "speed", "1", "2.5e-3", ".", "1e", "+", "-", "*", "/", "^", "(", ")", ",", "<",
            "<=", ">", "if(", "sin(", "max(", "clamp(", "pow", "δ̇", "**", " ", "\n", "0", " mm", "m", "/s",
            "^2", "[", "]", "rad", "°", "x.y", ".z", "t", " N m",
        ]), 0..40)
    ) {
        check_total(&words.concat());
    }

    /// Text, parser and program together do what a walk over the tree does, bit for bit.
    #[test]
    fn property_program_equals_walk_over_the_tree(
        tree in tree(), x in -10.0..10.0_f64, speed in -2.0..2.0,
    ) {
        let source = tree.print();
        match Expression::parse(&source, &VARIABLES) {
            Ok(expression) => {
                for values in [[x, speed], [0.0, speed], [x.round(), 0.0]] {
                    let (value, judge) = (expression.eval(&values), tree.eval(&values));
                    prop_assert!(same(value, judge), "{source}: {value} instead of {judge}");
                    let jet = expression.eval_jet(&values.map(Jet::variable));
                    prop_assert!(same(jet.value, value), "{source}: {jet:?} against {value}");
                }
            }
            Err(ExpressionError::TooDeep { .. }) => {}
            Err(error) => prop_assert!(false, "{source}: {error}"),
        }
    }

    /// Derivatives against differences along a random direction.
    #[test]
    fn property_jets_equal_differences(
        tree in smooth_tree(), x in -1.0..1.0, speed in -1.0..1.0, angle in 0.0..6.3,
    ) {
        let expression = Expression::parse(&tree.print(), &VARIABLES).unwrap();
        let (u, v) = f64::sin_cos(angle);
        let jet = expression.eval_jet(&[
            Jet { value: x, first: u, second: 0.0 },
            Jet { value: speed, first: v, second: 0.0 },
        ]);
        let line = |s: f64| expression.eval(&[x + s * u, speed + s * v]);
        let (coarse, fine) = (differences(line, 2e-2), differences(line, 1e-2));
        // Where the two steps disagree the quotient has not converged and judges nothing.
        if close(coarse.0, fine.0, 1e-9) {
            prop_assert!(close(jet.first, fine.0, 1e-8), "{expression}: {jet:?}, {fine:?}");
        }
        if close(coarse.1, fine.1, 1e-7) {
            prop_assert!(close(jet.second, fine.1, 1e-6), "{expression}: {jet:?}, {fine:?}");
        }
    }
}

fn check_total(source: &str) {
    match Expression::parse(source, &VARIABLES) {
        Ok(expression) => {
            expression.eval(&[0.5, -0.5]);
            expression.eval_jet(&[Jet::variable(0.0), Jet::constant(1.0)]);
        }
        Err(error) => {
            let span = error.span();
            assert!(span.start <= span.end && span.end <= source.len());
            assert!(source.is_char_boundary(span.start) && source.is_char_boundary(span.end));
            assert_eq!(error.snippet(source).lines().count(), 2);
            let _ = (error.to_string(), error.hint());
        }
    }
}
