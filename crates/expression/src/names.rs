//! Names: variables, parameters, constants, and calls of functions and tables.

use std::ops::Range;
use std::sync::Arc;

use crate::code::Op;
use crate::error::ExpressionError;
use crate::lexer::Kind;
use crate::parser::{Operand, Parser};
use crate::powers::{Measure, Powers};
use crate::real::{Binary, Unary};
use crate::scope::{Entries, Form, Meaning, Table, Value};

/// The meaning of a function name.
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

/// The steps of a call, and the dimension of its result.
type Call = (Op, Measure);

impl<'s> Parser<'s> {
    /// A value, or a function or table with its arguments; the name has already been read.
    pub(crate) fn name(&mut self, span: Range<usize>) -> Result<Measure, ExpressionError> {
        let source = self.source;
        let name = &source[span.clone()];
        let called = self.token.kind == Kind::Open;
        let function = FUNCTIONS.iter().find(|(known, _)| *known == name);
        let constant = constant(name);
        match (self.meaning(name), function) {
            (Some(Meaning::Table(table)), _) if called => self.look_up(name, table, span),
            (_, Some(&(_, function))) if called => self.call(name, function, span),
            (Some(Meaning::Value(_)), _) if called => {
                Err(ExpressionError::NotAFunction { name: name.to_owned(), span })
            }
            (None, None) if called && constant.is_some() => {
                Err(ExpressionError::NotAFunction { name: name.to_owned(), span })
            }
            (Some(Meaning::Value(value)), _) => self.value(name, value, span),
            (Some(Meaning::Table(_)), _) => {
                Err(ExpressionError::MissingArguments { name: name.to_owned(), table: true, span })
            }
            (None, Some(_)) => {
                Err(ExpressionError::MissingArguments { name: name.to_owned(), table: false, span })
            }
            (None, None) => match constant {
                Some(value) => {
                    self.emit(self.code.len(), Op::Constant(value), span)?;
                    Ok(Measure::Plain)
                }
                None => Err(self.unknown(name, called, span)),
            },
        }
    }

    /// Whether a name is that of something other than a unit.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        self.meaning(name).is_some() || constant(name).is_some()
    }

    fn meaning(&self, name: &str) -> Option<&'s Meaning> {
        let symbol = SYMBOLS.iter().find(|(symbol, _)| *symbol == name);
        let scope = self.scope;
        scope.find(name).or_else(|| symbol.and_then(|(_, name)| scope.find(name)))
    }

    fn unknown(&self, name: &str, called: bool, span: Range<usize>) -> ExpressionError {
        let built_in: Vec<&str> = if called {
            FUNCTIONS.iter().map(|(name, _)| *name).collect()
        } else {
            ["pi", "e"].into_iter().filter(|name| self.scope.find(name).is_none()).collect()
        };
        let given = self.scope.known(called);
        // The names of the scope come first, because functions are many and well known.
        let known: Vec<&str> = if called {
            built_in.into_iter().chain(given).collect()
        } else {
            given.chain(built_in).collect()
        };
        let nearest = nearest(name, &known).map(str::to_owned);
        let known = known.into_iter().map(str::to_owned).collect();
        let name = name.to_owned();
        if called {
            ExpressionError::UnknownFunction { name, nearest, known, span }
        } else {
            ExpressionError::UnknownName { name, nearest, known, span }
        }
    }

    /// A variable or parameter, with its index if it is an entry of a list.
    fn value(
        &mut self,
        name: &str,
        value: &Value,
        span: Range<usize>,
    ) -> Result<Measure, ExpressionError> {
        let indexed = self.token.kind == Kind::OpenIndex;
        let index = match (value.list, indexed) {
            (true, true) => self.index(name, value.entries.len())?,
            (false, false) => 0,
            (true, false) => {
                return Err(ExpressionError::MissingIndex { name: name.to_owned(), span });
            }
            (false, true) => {
                return Err(ExpressionError::NotAList { name: name.to_owned(), span });
            }
        };
        let (op, measure) = match &value.entries {
            Entries::Variables { first, .. } => {
                (Op::Variable(first + index), value.powers.map_or(Measure::Any, Measure::Of))
            }
            Entries::Parameters(values) => {
                let powers = self.given(value.powers);
                (Op::Constant(values[index]), powers.map_or(Measure::Plain, Measure::Of))
            }
        };
        self.emit(self.code.len(), op, span)?;
        Ok(measure)
    }

    /// The dimension of something defined by the user; if it has one, dimensions are checked.
    fn given(&mut self, powers: Option<Powers>) -> Option<Powers> {
        self.has_units |= powers.is_some();
        powers
    }

    /// The number between brackets, below `length`; the current token is the bracket.
    fn index(&mut self, name: &str, length: usize) -> Result<usize, ExpressionError> {
        let open = self.advance()?;
        let index = self.expression(0)?.number()?;
        match self.token.kind {
            Kind::CloseIndex => self.advance()?,
            Kind::End => return Err(ExpressionError::MissingBracket { span: open.span }),
            _ => return Err(self.stray()),
        };
        let found = match self.code[index.start..] {
            [Op::Constant(value)] => (0..length).find(|&index| index as f64 == value),
            _ => None,
        };
        let span = index.span;
        let wrong = ExpressionError::WrongIndex { name: name.to_owned(), length, span };
        self.code.truncate(index.start);
        self.height -= 1;
        found.ok_or(wrong)
    }

    /// The arguments of a table and its step; the current token is the parenthesis.
    fn look_up(
        &mut self,
        name: &str,
        table: &Table,
        span: Range<usize>,
    ) -> Result<Measure, ExpressionError> {
        let op = match &table.form {
            Form::Curve(curve) => Op::Curve(place(&mut self.tables.curves, name, curve)),
            Form::Surface(surface) => Op::Surface(place(&mut self.tables.surfaces, name, surface)),
        };
        let output = self.given(table.output.powers()).map_or(Measure::Any, Measure::Of);
        self.apply(name, span, op.operands(), |parser, arguments| {
            for (argument, input) in arguments.iter().zip(&table.inputs) {
                if let Some(expected) = parser.given(input.powers()) {
                    parser.require(argument, expected, || format!("the input of `{name}`"));
                }
            }
            Ok((op, output))
        })
    }

    /// The arguments of a function and its step; the current token is the parenthesis.
    fn call(
        &mut self,
        name: &str,
        function: Function,
        span: Range<usize>,
    ) -> Result<Measure, ExpressionError> {
        match function {
            Function::Step(op) => self.apply(name, span, op.operands(), |parser, arguments| {
                Ok((op, parser.measure_of(name, op, arguments)))
            }),
            Function::If => self.apply(name, span, 3, |parser, arguments| {
                let missing =
                    ExpressionError::MissingComparison { span: arguments[0].span.clone() };
                let (comparison, _) = arguments[0].comparison.take().ok_or(missing)?;
                let measure = parser.alike(&arguments[1], &arguments[2]);
                Ok((Op::Select(comparison), measure))
            }),
        }
    }

    /// Reads the arguments and emits the step that `of` returns for them.
    fn apply(
        &mut self,
        name: &str,
        span: Range<usize>,
        expected: usize,
        of: impl FnOnce(&mut Self, &mut [Operand]) -> Result<Call, ExpressionError>,
    ) -> Result<Measure, ExpressionError> {
        let start = self.code.len();
        let mut arguments = self.arguments()?;
        let span = span.start..self.used;
        let found = arguments.len();
        if found != expected {
            let name = name.to_owned();
            return Err(ExpressionError::WrongArgumentCount { name, expected, found, span });
        }
        let (op, measure) = of(self, &mut arguments)?;
        let mut last = start;
        for argument in arguments {
            last = argument.number()?.start;
        }
        if op.operands() == 2 {
            self.binary(start, last, op, span)?;
        } else {
            self.emit(start, op, span)?;
        }
        Ok(measure)
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

    /// The dimension of the result of a function.
    fn measure_of(&mut self, name: &str, op: Op, arguments: &[Operand]) -> Measure {
        let first = arguments[0].measure;
        match op {
            Op::Unary(Unary::Abs) => first,
            Op::Unary(Unary::Sign | Unary::Step) => Measure::Plain,
            Op::Unary(Unary::Sqrt) => first.raised(0.5),
            Op::Unary(Unary::Cbrt) => first.raised(1.0 / 3.0),
            Op::Binary(Binary::Pow) => self.power(&arguments[0], &arguments[1]),
            Op::Binary(Binary::Atan2) => {
                self.alike(&arguments[0], &arguments[1]);
                Measure::Plain
            }
            Op::Minimum | Op::Maximum | Op::Clamp => {
                arguments[1..].iter().fold(first, |all, next| {
                    let span = next.span.clone();
                    self.sum(all, next.measure, span)
                })
            }
            _ => {
                let what = || format!("the argument of `{name}`");
                self.require(&arguments[0], Powers::NONE, what);
                Measure::Plain
            }
        }
    }
}

/// Whether a name is that of a function of the language.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, _)| *known == name)
}

fn constant(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
}

/// The place of a table in a list; a new table is added.
fn place<T>(list: &mut Vec<(Box<str>, Arc<T>)>, name: &str, table: &Arc<T>) -> usize {
    list.iter().position(|(known, _)| **known == *name).unwrap_or_else(|| {
        list.push((name.into(), table.clone()));
        list.len() - 1
    })
}

/// The known name that a mistyped one most likely means.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let allowed = (name.chars().count() / 2).min(2);
    let distance = |known: &str| {
        // If only the case differs, as between mN and MN, the one with more characters in the same
        // case.
        let any_case = strsim::osa_distance(&name.to_lowercase(), &known.to_lowercase());
        (any_case, strsim::osa_distance(name, known))
    };
    known
        .iter()
        .map(|known| (distance(known), *known))
        .min_by_key(|(distance, _)| *distance)
        .filter(|((distance, _), _)| *distance <= allowed)
        .map(|(_, known)| known)
}
