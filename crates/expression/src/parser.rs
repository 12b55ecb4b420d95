//! From tokens to the postfix program: a Pratt parser that emits while it reads.
//!
//! Binding, from loose to tight: comparison, `+ -`, `* /`, unary minus, `^`. The program is
//! complete for each operand before its operator is emitted, so an operand is always the end of the
//! program. A constant operand is the single step `Constant`, so constants can be folded locally.

use std::ops::Range;

use crate::code::{Op, STACK, Tables, run};
use crate::error::ExpressionError;
use crate::lexer::{Kind, Lexer, Token};
use crate::powers::{Measure, Powers, Unlike};
use crate::real::{Binary, Comparison};
use crate::scope::Scope;

/// Levels of parentheses, arguments, signs and exponents that may enclose a value.
const NESTING: usize = 100;

/// Binding power of unary minus: tighter than `*`, looser than `^`.
const SIGN: u8 = 7;

/// A part that has been read and emitted as one unit.
pub(crate) struct Operand {
    /// The place in the program at which its steps start.
    pub(crate) start: usize,
    /// The bytes it was read from.
    pub(crate) span: Range<usize>,
    /// Set if it consists of two values that `if` will compare: the comparison, and its place.
    pub(crate) comparison: Option<(Comparison, Range<usize>)>,
    pub(crate) measure: Measure,
}

impl Operand {
    /// The operand itself, provided that it is a number and not a comparison.
    pub(crate) fn number(self) -> Result<Self, ExpressionError> {
        match self.comparison {
            None => Ok(self),
            Some((_, span)) => Err(ExpressionError::MisplacedComparison { span }),
        }
    }
}

/// A text that has been read.
pub(crate) struct Compiled {
    pub(crate) code: Vec<Op>,
    pub(crate) tables: Tables,
    /// The dimension of the result, if it is known.
    pub(crate) powers: Option<Powers>,
}

/// Compiles a text that uses these names; its result must have the expected dimension, if one is
/// given.
pub(crate) fn compile(
    source: &str,
    scope: &Scope,
    expected: Option<Powers>,
) -> Result<Compiled, ExpressionError> {
    if source.trim_start().is_empty() {
        return Err(ExpressionError::Empty { span: 0..source.len() });
    }
    let mut lexer = Lexer::new(source);
    let token = lexer.next()?;
    let mut parser = Parser {
        source,
        scope,
        lexer,
        token,
        used: 0,
        code: Vec::new(),
        tables: Tables::default(),
        height: 0,
        nesting: 0,
        has_units: scope.is_checked(),
        clash: None,
    };
    let whole = parser.expression(0)?.number()?;
    match parser.token.kind {
        Kind::End => {}
        Kind::Close => {
            return Err(ExpressionError::UnmatchedParenthesis { span: parser.token.span });
        }
        _ => return Err(parser.stray()),
    }
    if let Some(expected) = expected {
        parser.require(&whole, expected, || "the result".to_owned());
    }
    match parser.clash {
        Some(clash) if parser.has_units => return Err(clash),
        _ => {}
    }
    let powers = match whole.measure {
        Measure::Of(powers) if parser.has_units => Some(powers),
        _ => None,
    };
    Ok(Compiled { code: parser.code, tables: parser.tables, powers })
}

pub(crate) struct Parser<'s> {
    pub(crate) source: &'s str,
    pub(crate) scope: &'s Scope,
    pub(crate) lexer: Lexer<'s>,
    /// The current token, not yet used.
    pub(crate) token: Token,
    /// Where the last used token ends.
    pub(crate) used: usize,
    pub(crate) code: Vec<Op>,
    pub(crate) tables: Tables,
    /// Values on the stack after `code`.
    pub(crate) height: usize,
    nesting: usize,
    /// Whether the text contains a unit, or something to which the user gave a dimension. If so,
    /// dimensions are checked.
    pub(crate) has_units: bool,
    /// The first place at which dimensions are incompatible.
    clash: Option<ExpressionError>,
}

/// The value of an operand that is a number.
fn constant(operand: &[Op]) -> Option<f64> {
    match operand {
        [Op::Constant(value)] => Some(*value),
        _ => None,
    }
}

impl Parser<'_> {
    /// Uses the current token and reads the next.
    pub(crate) fn advance(&mut self) -> Result<Token, ExpressionError> {
        self.used = self.token.span.end;
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// The error for a token that cannot follow a complete value.
    pub(crate) fn stray(&self) -> ExpressionError {
        let span = self.token.span.clone();
        match self.token.kind {
            Kind::Comma => ExpressionError::MisplacedComma { span },
            Kind::OpenIndex | Kind::CloseIndex => self.bracket(),
            _ => ExpressionError::MissingOperator { span },
        }
    }

    /// The error for a bracket that does not follow a list.
    fn bracket(&self) -> ExpressionError {
        let span = self.token.span.clone();
        let (operator, instead) = (self.source[span.clone()].to_owned(), "round parentheses");
        ExpressionError::UnknownOperator { operator, instead, span }
    }

    /// An expression whose operators all bind at least as tightly as `binding`.
    pub(crate) fn expression(&mut self, binding: u8) -> Result<Operand, ExpressionError> {
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
            left.span = first..left.span.end;
            match infix {
                Infix::Step(op) => {
                    left.measure = self.combine(op, &left, &right, operator.span.clone());
                    self.binary(left.start, right.start, op, operator.span)?;
                }
                Infix::Compare(what) => {
                    self.sum(left.measure, right.measure, operator.span.clone());
                    left.comparison = Some((what, operator.span));
                }
            }
            left.span.end = self.used;
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
            Kind::OpenIndex | Kind::CloseIndex => return Err(self.bracket()),
            _ => return Err(ExpressionError::MissingOperand { span: self.token.span.clone() }),
        };
        let mut comparison = None;
        let measure = match token.kind {
            Kind::Number(value) => {
                let (value, measure) = self.quantity(value, token.span.clone())?;
                self.emit(start, Op::Constant(value), token.span.clone())?;
                measure
            }
            Kind::Minus => {
                let measure = self.expression(SIGN)?.number()?.measure;
                self.emit(start, Op::Negate, token.span.clone())?;
                measure
            }
            Kind::Plus => self.expression(SIGN)?.number()?.measure,
            Kind::Open => {
                let inner = self.expression(0)?;
                comparison = inner.comparison;
                match self.token.kind {
                    Kind::Close => self.advance()?,
                    Kind::End => {
                        return Err(ExpressionError::MissingParenthesis { span: token.span });
                    }
                    _ => return Err(self.stray()),
                };
                inner.measure
            }
            _ => self.name(token.span.clone())?,
        };
        Ok(Operand { start, span: token.span.start..self.used, comparison, measure })
    }

    /// The dimension of the result of an operator.
    fn combine(&mut self, op: Op, left: &Operand, right: &Operand, at: Range<usize>) -> Measure {
        match op {
            Op::Multiply => left.measure.times(right.measure),
            Op::Divide => left.measure.over(right.measure),
            Op::Binary(Binary::Pow) => self.power(left, right),
            _ => self.sum(left.measure, right.measure, at),
        }
    }

    /// The dimension of a sum; remembers operands of different dimensions.
    pub(crate) fn sum(&mut self, left: Measure, right: Measure, span: Range<usize>) -> Measure {
        left.with(right).unwrap_or_else(|Unlike { left, right }| {
            self.clash(ExpressionError::UnlikeDimensions { left, right, span })
        })
    }

    /// The common dimension of two operands, which must have the same.
    pub(crate) fn alike(&mut self, left: &Operand, right: &Operand) -> Measure {
        self.sum(left.measure, right.measure, right.span.clone())
    }

    /// The dimension of a power; the exponent is at the end of the program.
    pub(crate) fn power(&mut self, base: &Operand, exponent: &Operand) -> Measure {
        self.require(exponent, Powers::NONE, || "the exponent".to_owned());
        match (base.measure, constant(&self.code[exponent.start..])) {
            (measure, Some(exponent)) => measure.raised(exponent),
            (Measure::Of(found), None) if found != Powers::NONE => {
                let span = base.span.start..exponent.span.end;
                self.clash(ExpressionError::VaryingPower { found, span })
            }
            (measure, None) => measure,
        }
    }

    /// Remembers an operand that has a dimension other than this.
    pub(crate) fn require(
        &mut self,
        operand: &Operand,
        expected: Powers,
        what: impl Fn() -> String,
    ) {
        if let Some(found) = operand.measure.other_than(expected) {
            let span = operand.span.clone();
            self.clash(ExpressionError::WrongDimension { what: what(), expected, found, span });
        }
    }

    /// Remembers the first clash of dimensions. It is an error only if the expression turns out to
    /// use units.
    fn clash(&mut self, error: ExpressionError) -> Measure {
        self.clash.get_or_insert(error);
        Measure::Any
    }

    /// Emits a step on two operands, or on one operand if the other is constant.
    pub(crate) fn binary(
        &mut self,
        left: usize,
        right: usize,
        op: Op,
        span: Range<usize>,
    ) -> Result<(), ExpressionError> {
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
    pub(crate) fn emit(
        &mut self,
        start: usize,
        op: Op,
        span: Range<usize>,
    ) -> Result<(), ExpressionError> {
        let constant = op.operands() > 0
            && self.code[start..].iter().all(|operand| matches!(operand, Op::Constant(_)));
        self.code.push(op);
        if constant {
            let value = run(&self.code[start..], &self.tables, |_| f64::NAN);
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
