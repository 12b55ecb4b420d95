//! From tokens to the postfix program: a Pratt parser that emits while it reads.
//!
//! Binding, from loose to tight: comparison, `+ -`, `* /`, unary minus, `^`. The program is
//! complete for each operand before its operator is emitted, so an operand is a stretch at the
//! end of the program; a constant operand is the single step `Constant`, which makes folding
//! local.

use std::ops::Range;

use crate::code::{Op, STACK, run};
use crate::error::ExpressionError;
use crate::lexer::{Kind, Lexer, Token};
use crate::real::{Binary, Comparison, Unary};

/// Levels of parentheses, arguments, signs and exponents that may enclose a value.
const NESTING: usize = 100;

/// Binding power of unary minus: tighter than `*`, looser than `^`.
const SIGN: u8 = 7;

/// What a function name stands for.
#[derive(Clone, Copy)]
enum Function {
    Step(Op),
    If,
}

const FUNCTIONS: [(&str, Function); 23] = [
    ("sin", Function::Step(Op::Unary(Unary::Sin))),
    ("cos", Function::Step(Op::Unary(Unary::Cos))),
    ("tan", Function::Step(Op::Unary(Unary::Tan))),
    ("asin", Function::Step(Op::Unary(Unary::Asin))),
    ("acos", Function::Step(Op::Unary(Unary::Acos))),
    ("atan", Function::Step(Op::Unary(Unary::Atan))),
    ("atan2", Function::Step(Op::Binary(Binary::Atan2))),
    ("sinh", Function::Step(Op::Unary(Unary::Sinh))),
    ("cosh", Function::Step(Op::Unary(Unary::Cosh))),
    ("tanh", Function::Step(Op::Unary(Unary::Tanh))),
    ("exp", Function::Step(Op::Unary(Unary::Exp))),
    ("ln", Function::Step(Op::Unary(Unary::Ln))),
    ("log10", Function::Step(Op::Unary(Unary::Log10))),
    ("sqrt", Function::Step(Op::Unary(Unary::Sqrt))),
    ("cbrt", Function::Step(Op::Unary(Unary::Cbrt))),
    ("abs", Function::Step(Op::Unary(Unary::Abs))),
    ("sign", Function::Step(Op::Unary(Unary::Sign))),
    ("step", Function::Step(Op::Unary(Unary::Step))),
    ("min", Function::Step(Op::Minimum)),
    ("max", Function::Step(Op::Maximum)),
    ("pow", Function::Step(Op::Binary(Binary::Pow))),
    ("clamp", Function::Step(Op::Clamp)),
    ("if", Function::If),
];

const CONSTANTS: [(&str, f64); 3] =
    [("pi", std::f64::consts::PI), ("π", std::f64::consts::PI), ("e", std::f64::consts::E)];

/// Symbols of the papers for the variables of a force law.
const SYMBOLS: [(&str, &str); 2] = [("δ", "delta"), ("δ\u{307}", "delta_dot")];

/// What has been read and emitted as one unit.
struct Operand {
    /// Where its steps start in the program.
    start: usize,
    /// The bytes it was read from.
    span: Range<usize>,
    /// Set if it is two values that wait for `if`: how to compare them, and where that stands.
    comparison: Option<(Comparison, Range<usize>)>,
}

impl Operand {
    /// The operand itself, provided that it is a number and not a comparison.
    fn number(self) -> Result<Self, ExpressionError> {
        match self.comparison {
            None => Ok(self),
            Some((_, span)) => Err(ExpressionError::MisplacedComparison { span }),
        }
    }
}

/// Compiles a text whose variables have the given names, in the order of their indices.
pub(crate) fn compile(source: &str, variables: &[&str]) -> Result<Vec<Op>, ExpressionError> {
    if source.trim_start().is_empty() {
        return Err(ExpressionError::Empty { span: 0..source.len() });
    }
    let mut lexer = Lexer::new(source);
    let token = lexer.next()?;
    let mut parser = Parser {
        source,
        variables,
        lexer,
        token,
        used: 0,
        code: Vec::new(),
        height: 0,
        nesting: 0,
    };
    parser.expression(0)?.number()?;
    match parser.token.kind {
        Kind::End => Ok(parser.code),
        Kind::Close => Err(ExpressionError::UnmatchedParenthesis { span: parser.token.span }),
        _ => Err(parser.stray()),
    }
}

struct Parser<'s> {
    source: &'s str,
    variables: &'s [&'s str],
    lexer: Lexer<'s>,
    /// The token at hand, not yet used.
    token: Token,
    /// Where the last used token ends.
    used: usize,
    code: Vec<Op>,
    /// Values on the stack after `code`.
    height: usize,
    nesting: usize,
}

impl Parser<'_> {
    /// Uses the token at hand and reads the next.
    fn advance(&mut self) -> Result<Token, ExpressionError> {
        self.used = self.token.span.end;
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// The error for a token that cannot follow a complete value.
    fn stray(&self) -> ExpressionError {
        let span = self.token.span.clone();
        match self.token.kind {
            Kind::Comma => ExpressionError::MisplacedComma { span },
            _ => ExpressionError::MissingOperator { span },
        }
    }

    /// An expression whose operators all bind at least as tightly as `binding`.
    fn expression(&mut self, binding: u8) -> Result<Operand, ExpressionError> {
        if self.nesting == NESTING {
            return Err(ExpressionError::TooDeep { span: self.token.span.clone() });
        }
        self.nesting += 1;
        let first = self.token.span.start;
        let mut left = self.prefix()?;
        while let Some((tightness, right_binding, infix)) = infix(self.token.kind) {
            if tightness < binding {
                break;
            }
            left = left.number()?;
            let operator = self.advance()?;
            let right = self.expression(right_binding)?.number()?;
            match infix {
                Infix::Step(op) => self.binary(left.start, right.start, op, operator.span)?,
                Infix::Compare(what) => left.comparison = Some((what, operator.span)),
            }
        }
        self.nesting -= 1;
        Ok(Operand { span: first..self.used, ..left })
    }

    /// A value with its signs: number, name, call, parenthesis.
    fn prefix(&mut self) -> Result<Operand, ExpressionError> {
        let start = self.code.len();
        let token = match self.token.kind {
            Kind::Number(_) | Kind::Name | Kind::Minus | Kind::Plus | Kind::Open => {
                self.advance()?
            }
            _ => return Err(ExpressionError::MissingOperand { span: self.token.span.clone() }),
        };
        let mut comparison = None;
        match token.kind {
            Kind::Number(value) => self.emit(start, Op::Constant(value), token.span.clone())?,
            Kind::Minus => {
                self.expression(SIGN)?.number()?;
                self.emit(start, Op::Negate, token.span.clone())?;
            }
            Kind::Plus => {
                self.expression(SIGN)?.number()?;
            }
            Kind::Open => {
                comparison = self.expression(0)?.comparison;
                match self.token.kind {
                    Kind::Close => self.advance()?,
                    Kind::End => {
                        return Err(ExpressionError::MissingParenthesis { span: token.span });
                    }
                    _ => return Err(self.stray()),
                };
            }
            _ => self.name(token.span.clone())?,
        }
        Ok(Operand { start, span: token.span.start..self.used, comparison })
    }

    /// A variable, a constant or a function with its arguments; the name has been read.
    fn name(&mut self, span: Range<usize>) -> Result<(), ExpressionError> {
        let name = &self.source[span.clone()];
        let value = self.value_of(name);
        let function = FUNCTIONS.iter().find(|(known, _)| *known == name);
        let called = self.token.kind == Kind::Open;
        match (value, function) {
            (_, Some(&(name, function))) if called => self.call(name, function, span),
            (Some(_), None) if called => {
                Err(ExpressionError::NotAFunction { name: name.to_owned(), span })
            }
            (Some(op), _) => self.emit(self.code.len(), op, span),
            (None, Some(&(name, _))) => Err(ExpressionError::MissingArguments { name, span }),
            (None, None) if called => {
                let known = FUNCTIONS.map(|(name, _)| name);
                Err(ExpressionError::UnknownFunction {
                    name: name.to_owned(),
                    nearest: nearest(name, &known),
                    known: known.to_vec(),
                    span,
                })
            }
            (None, None) => {
                let mut known = self.variables.to_vec();
                known.extend(["pi", "e"].iter().filter(|name| !self.variables.contains(name)));
                Err(ExpressionError::UnknownName {
                    name: name.to_owned(),
                    nearest: nearest(name, &known).map(str::to_owned),
                    known: known.into_iter().map(str::to_owned).collect(),
                    span,
                })
            }
        }
    }

    /// The variable or constant of a name; variables hide constants.
    fn value_of(&self, name: &str) -> Option<Op> {
        let variable = |name: &str| self.variables.iter().position(|known| *known == name);
        let symbol = SYMBOLS.iter().find(|(symbol, _)| *symbol == name);
        let constant = CONSTANTS.iter().find(|(known, _)| *known == name);
        variable(name)
            .or_else(|| symbol.and_then(|(_, name)| variable(name)))
            .map(Op::Variable)
            .or_else(|| constant.map(|&(_, value)| Op::Constant(value)))
    }

    /// The arguments of a function and its step; the token at hand is the parenthesis.
    fn call(
        &mut self,
        name: &'static str,
        function: Function,
        span: Range<usize>,
    ) -> Result<(), ExpressionError> {
        let start = self.code.len();
        let mut arguments = self.arguments()?;
        let span = span.start..self.used;
        let expected = match function {
            Function::Step(op) => op.operands(),
            Function::If => 3,
        };
        let found = arguments.len();
        if found != expected {
            return Err(ExpressionError::WrongArgumentCount { name, expected, found, span });
        }
        let op = match function {
            Function::Step(op) => op,
            Function::If => {
                let condition = &mut arguments[0];
                let missing = ExpressionError::MissingComparison { span: condition.span.clone() };
                Op::Select(condition.comparison.take().ok_or(missing)?.0)
            }
        };
        let mut last = start;
        for argument in arguments {
            last = argument.number()?.start;
        }
        if op.operands() == 2 {
            self.binary(start, last, op, span)
        } else {
            self.emit(start, op, span)
        }
    }

    /// Everything between a pair of parentheses, split at commas.
    fn arguments(&mut self) -> Result<Vec<Operand>, ExpressionError> {
        let open = self.advance()?;
        let mut arguments = Vec::new();
        while self.token.kind != Kind::Close {
            arguments.push(self.expression(0)?);
            match self.token.kind {
                Kind::Close => break,
                Kind::Comma => self.advance()?,
                Kind::End => return Err(ExpressionError::MissingParenthesis { span: open.span }),
                _ => return Err(self.stray()),
            };
            if self.token.kind == Kind::Close {
                return Err(ExpressionError::MissingOperand { span: self.token.span.clone() });
            }
        }
        self.advance()?;
        Ok(arguments)
    }

    /// Emits a step on two operands, shortened to one operand where the other is constant.
    fn binary(
        &mut self,
        left: usize,
        right: usize,
        op: Op,
        span: Range<usize>,
    ) -> Result<(), ExpressionError> {
        let constant = |operand: &[Op]| match operand {
            [Op::Constant(value)] => Some(*value),
            _ => None,
        };
        let (a, b) = (constant(&self.code[left..right]), constant(&self.code[right..]));
        let (short, place) = match (a, b) {
            (None, Some(b)) => (op.with_right(b), right),
            (Some(a), None) => (op.with_left(a), left),
            _ => (None, left),
        };
        if let Some(short) = short {
            self.code.remove(place);
            self.height -= 1;
            self.emit(left, short, span)
        } else {
            self.emit(left, op, span)
        }
    }

    /// Adds a step whose operands start at `start`, and computes it at once if they are constant.
    fn emit(&mut self, start: usize, op: Op, span: Range<usize>) -> Result<(), ExpressionError> {
        let constant = op.operands() > 0
            && self.code[start..].iter().all(|operand| matches!(operand, Op::Constant(_)));
        self.code.push(op);
        if constant {
            let value = run(&self.code[start..], |_| f64::NAN);
            self.code.truncate(start);
            self.code.push(Op::Constant(value));
        }
        self.height = self.height + 1 - op.operands();
        if self.height > STACK { Err(ExpressionError::TooDeep { span }) } else { Ok(()) }
    }
}

/// An operator between two operands.
enum Infix {
    Step(Op),
    Compare(Comparison),
}

/// How tightly an operator holds its left operand, what its right operand may contain, and what
/// it does.
fn infix(kind: Kind) -> Option<(u8, u8, Infix)> {
    match kind {
        Kind::Compare(comparison) => Some((1, 2, Infix::Compare(comparison))),
        Kind::Plus => Some((3, 4, Infix::Step(Op::Add))),
        Kind::Minus => Some((3, 4, Infix::Step(Op::Subtract))),
        Kind::Star => Some((5, 6, Infix::Step(Op::Multiply))),
        Kind::Slash => Some((5, 6, Infix::Step(Op::Divide))),
        Kind::Caret => Some((9, 8, Infix::Step(Op::Binary(Binary::Pow)))),
        _ => None,
    }
}

/// The known name that a mistyped one most likely means.
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let allowed = (name.chars().count() / 2).min(2);
    known
        .iter()
        .map(|known| (strsim::osa_distance(&name.to_lowercase(), &known.to_lowercase()), *known))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= allowed)
        .map(|(_, known)| known)
}
