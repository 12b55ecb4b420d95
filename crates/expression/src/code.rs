//! The compiled form of an expression: a flat postfix program and its evaluation.

use std::sync::Arc;

use crate::curve::Curve;
use crate::real::{Binary, Comparison, Real, Unary};
use crate::surface::Surface;

/// The size of the stack; a power of two, so that an index needs only a mask.
pub(crate) const STACK: usize = 32;

/// One step of the program. Operands come from the stack, the result goes back to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Op {
    Constant(f64),
    Variable(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    /// x + c.
    Shift(f64),
    /// c − x.
    SubtractFrom(f64),
    /// x · c.
    Scale(f64),
    /// x / c; not a multiplication, which would round twice.
    DivideBy(f64),
    /// c / x.
    DivideInto(f64),
    /// xⁿ.
    PowerInteger(i32),
    /// x^(n + ½).
    PowerHalf(i32),
    /// x^c.
    PowerConstant(f64),
    Unary(Unary),
    Binary(Binary),
    Minimum,
    Maximum,
    Clamp,
    /// Replaces left, right, yes and no by yes or no.
    Select(Comparison),
    /// The table of one input with this index.
    Curve(usize),
    /// The table of two inputs with this index.
    Surface(usize),
}

jointplay_fingerprint::fingerprint!(
    enum Op {
        Constant(of),
        Variable(of),
        Negate,
        Add,
        Subtract,
        Multiply,
        Divide,
        Shift(of),
        SubtractFrom(of),
        Scale(of),
        DivideBy(of),
        DivideInto(of),
        PowerInteger(of),
        PowerHalf(of),
        PowerConstant(of),
        Unary(of),
        Binary(of),
        Minimum,
        Maximum,
        Clamp,
        Select(of),
        Curve(of),
        Surface(of),
    }
);

/// The tables that a program looks up, with their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tables {
    pub(crate) curves: Vec<(Box<str>, Arc<Curve>)>,
    pub(crate) surfaces: Vec<(Box<str>, Arc<Surface>)>,
}

jointplay_fingerprint::fingerprint!(struct Tables { curves, surfaces });

impl Op {
    /// How many values the step removes from the stack; it always adds one.
    pub(crate) fn operands(self) -> usize {
        match self {
            Self::Constant(_) | Self::Variable(_) => 0,
            Self::Negate
            | Self::Shift(_)
            | Self::SubtractFrom(_)
            | Self::Scale(_)
            | Self::DivideBy(_)
            | Self::DivideInto(_)
            | Self::PowerInteger(_)
            | Self::PowerHalf(_)
            | Self::PowerConstant(_)
            | Self::Unary(_)
            | Self::Curve(_) => 1,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Binary(_)
            | Self::Surface(_)
            | Self::Minimum
            | Self::Maximum => 2,
            Self::Clamp => 3,
            Self::Select(_) => 4,
        }
    }

    /// The name of a function or table whose value or slope may jump.
    pub(crate) fn kink(self, tables: &Tables) -> Option<&str> {
        match self {
            Self::Unary(Unary::Abs) => Some("abs"),
            Self::Unary(Unary::Sign) => Some("sign"),
            Self::Unary(Unary::Step) => Some("step"),
            Self::Minimum => Some("min"),
            Self::Maximum => Some("max"),
            Self::Clamp => Some("clamp"),
            Self::Select(_) => Some("if"),
            Self::Curve(index) => {
                let (name, curve) = &tables.curves[index];
                curve.has_kinks().then_some(name)
            }
            Self::Surface(index) => {
                let (name, surface) = &tables.surfaces[index];
                surface.has_kinks().then_some(name)
            }
            Self::Unary(
                Unary::Sin
                | Unary::Cos
                | Unary::Tan
                | Unary::Asin
                | Unary::Acos
                | Unary::Atan
                | Unary::Sinh
                | Unary::Cosh
                | Unary::Tanh
                | Unary::Exp
                | Unary::Ln
                | Unary::Log10
                | Unary::Sqrt
                | Unary::Cbrt,
            )
            | Self::Constant(_)
            | Self::Variable(_)
            | Self::Negate
            | Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Shift(_)
            | Self::SubtractFrom(_)
            | Self::Scale(_)
            | Self::DivideBy(_)
            | Self::DivideInto(_)
            | Self::PowerInteger(_)
            | Self::PowerHalf(_)
            | Self::PowerConstant(_)
            | Self::Binary(Binary::Atan2 | Binary::Pow) => None,
        }
    }

    /// Whether the result may have a pole, a branch cut or an edge of its domain at some operand.
    pub(crate) fn may_break(&self) -> bool {
        match self {
            Self::Divide
            | Self::DivideInto(_)
            | Self::PowerHalf(_)
            | Self::PowerConstant(_)
            | Self::Binary(_)
            | Self::Unary(
                Unary::Tan
                | Unary::Asin
                | Unary::Acos
                | Unary::Ln
                | Unary::Log10
                | Unary::Sqrt
                | Unary::Cbrt,
            ) => true,
            Self::PowerInteger(n) => *n < 0,
            Self::Unary(
                Unary::Sin
                | Unary::Cos
                | Unary::Atan
                | Unary::Sinh
                | Unary::Cosh
                | Unary::Tanh
                | Unary::Exp
                | Unary::Abs
                | Unary::Sign
                | Unary::Step,
            )
            | Self::Constant(_)
            | Self::Variable(_)
            | Self::Negate
            | Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Shift(_)
            | Self::SubtractFrom(_)
            | Self::Scale(_)
            | Self::DivideBy(_)
            | Self::Minimum
            | Self::Maximum
            | Self::Clamp
            | Self::Select(_)
            | Self::Curve(_)
            | Self::Surface(_) => false,
        }
    }

    /// The step on one operand that replaces `x op c`.
    pub(crate) fn with_right(self, c: f64) -> Option<Self> {
        match self {
            Self::Add => Some(Self::Shift(c)),
            Self::Subtract => Some(Self::Shift(-c)),
            Self::Multiply => Some(Self::Scale(c)),
            Self::Divide => Some(Self::DivideBy(c)),
            Self::Binary(Binary::Pow) => Some(power(c)),
            _ => None,
        }
    }

    /// The step on one operand that replaces `c op x`.
    pub(crate) fn with_left(self, c: f64) -> Option<Self> {
        match self {
            Self::Add => Some(Self::Shift(c)),
            Self::Subtract => Some(Self::SubtractFrom(c)),
            Self::Multiply => Some(Self::Scale(c)),
            Self::Divide => Some(Self::DivideInto(c)),
            _ => None,
        }
    }
}

/// x^c without a logarithm where c is a small whole or half number.
fn power(c: f64) -> Op {
    const LARGEST: i32 = 16;
    let whole = (-LARGEST..=LARGEST).find(|&n| f64::from(n) == c);
    let half = (0..4).find(|&n| f64::from(n) + 0.5 == c);
    match (whole, half) {
        (Some(n), _) => Op::PowerInteger(n),
        (None, Some(n)) => Op::PowerHalf(n),
        (None, None) => Op::PowerConstant(c),
    }
}

/// The values below the top of the stack.
struct Stack<R> {
    cells: [R; STACK],
    height: usize,
}

impl<R: Real> Stack<R> {
    #[inline]
    fn push(&mut self, value: R) {
        self.cells[self.height % STACK] = value;
        self.height += 1;
    }

    #[inline]
    fn pop(&mut self) -> R {
        self.height -= 1;
        self.cells[self.height % STACK]
    }
}

/// Runs a well-formed program; `variable` gives the value of each variable by its index.
pub(crate) fn run<R: Real>(code: &[Op], tables: &Tables, variable: impl Fn(usize) -> R) -> R {
    let zero = R::constant(0.0);
    let mut stack = Stack { cells: [zero; STACK], height: 0 };
    let mut top = zero;
    for &op in code {
        match op {
            Op::Constant(c) => {
                stack.push(top);
                top = R::constant(c);
            }
            Op::Variable(index) => {
                stack.push(top);
                top = variable(index);
            }
            Op::Negate => top = -top,
            Op::Add => top = stack.pop() + top,
            Op::Subtract => top = stack.pop() - top,
            Op::Multiply => top = stack.pop() * top,
            Op::Divide => top = stack.pop() / top,
            Op::Shift(c) => top = top.shifted(c),
            Op::SubtractFrom(c) => top = R::constant(c) - top,
            Op::Scale(c) => top = top.scaled(c),
            Op::DivideBy(c) => top = top / R::constant(c),
            Op::DivideInto(c) => top = R::constant(c) / top,
            Op::PowerInteger(2) => top = top * top,
            Op::PowerInteger(n) => top = top.power_integer(n),
            Op::PowerHalf(n) => top = top.power_half(n),
            Op::PowerConstant(c) => top = top.power_constant(c),
            Op::Unary(function) => top = top.unary(function),
            Op::Binary(function) => top = stack.pop().binary(top, function),
            Op::Minimum => top = stack.pop().smaller(top),
            Op::Maximum => top = stack.pop().larger(top),
            Op::Clamp => {
                let low = stack.pop();
                top = stack.pop().larger(low).smaller(top);
            }
            Op::Select(comparison) => {
                let yes = stack.pop();
                let right = stack.pop();
                let left = stack.pop();
                top = R::select(comparison, left, right, yes, top);
            }
            Op::Curve(index) => top = top.curve(&tables.curves[index].1),
            Op::Surface(index) => top = stack.pop().surface(top, &tables.surfaces[index].1),
        }
    }
    top
}
