//! From text to tokens.

use std::ops::Range;

use crate::error::ExpressionError;
use crate::real::Comparison;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Number(f64),
    Name,
    Plus,
    Minus,
    Star,
    Slash,
    Caret,
    Open,
    Close,
    Comma,
    OpenIndex,
    CloseIndex,
    Compare(Comparison),
    End,
}

/// A token and its bytes in the source.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

/// Notations of other languages and of print, with what to write instead.
const FOREIGN: [(&str, &str); 13] = [
    ("**", "`^` for powers"),
    ("==", "`<`, `<=`, `>` or `>=`"),
    ("!=", "`<`, `<=`, `>` or `>=`"),
    ("&&", "one `if` inside the other"),
    ("||", "one `if` inside the other"),
    ("=", "`<`, `<=`, `>` or `>=`"),
    ("{", "round parentheses"),
    ("}", "round parentheses"),
    ("²", "`^2`"),
    ("³", "`^3`"),
    ("√", "`sqrt(...)`"),
    (";", "`,` between arguments"),
    ("?", "`if(condition, a, b)`"),
];

/// Reads tokens from the front of a text.
#[derive(Clone)]
pub(crate) struct Lexer<'s> {
    source: &'s str,
    position: usize,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, position: 0 }
    }

    fn rest(&self) -> &'s str {
        &self.source[self.position..]
    }

    /// The next token; after the last one always `Kind::End`.
    pub(crate) fn next(&mut self) -> Result<Token, ExpressionError> {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(self.take(Kind::End, 0));
        };
        let foreign = FOREIGN.iter().find(|(operator, _)| rest.starts_with(operator));
        if let Some(&(operator, instead)) = foreign {
            return Err(ExpressionError::UnknownOperator {
                operator: operator.to_owned(),
                instead,
                span: self.position..self.position + operator.len(),
            });
        }
        let comparison = |strict, with_equal| {
            if rest[1..].starts_with('=') { (with_equal, 2) } else { (strict, 1) }
        };
        let (kind, length) = match first {
            '0'..='9' | '.' => return self.number(),
            '+' => (Kind::Plus, 1),
            '-' | '−' => (Kind::Minus, first.len_utf8()),
            '*' | '·' | '×' => (Kind::Star, first.len_utf8()),
            '/' => (Kind::Slash, 1),
            '^' => (Kind::Caret, 1),
            '(' => (Kind::Open, 1),
            ')' => (Kind::Close, 1),
            ',' => (Kind::Comma, 1),
            '[' => (Kind::OpenIndex, 1),
            ']' => (Kind::CloseIndex, 1),
            // a unit, the only one that is not a letter
            '°' => (Kind::Name, first.len_utf8()),
            '<' => {
                comparison(Kind::Compare(Comparison::Less), Kind::Compare(Comparison::LessEqual))
            }
            '>' => comparison(
                Kind::Compare(Comparison::Greater),
                Kind::Compare(Comparison::GreaterEqual),
            ),
            '≤' => (Kind::Compare(Comparison::LessEqual), first.len_utf8()),
            '≥' => (Kind::Compare(Comparison::GreaterEqual), first.len_utf8()),
            _ if begins_name(first) => (Kind::Name, name_length(rest)),
            character => {
                return Err(ExpressionError::UnexpectedCharacter {
                    character,
                    span: self.position..self.position + character.len_utf8(),
                });
            }
        };
        Ok(self.take(kind, length))
    }

    fn take(&mut self, kind: Kind, length: usize) -> Token {
        let start = self.position;
        self.position += length;
        Token { kind, span: start..self.position }
    }

    /// Digits, an optional fraction and an optional exponent: `2`, `.5`, `1.`, `1e-3`.
    fn number(&mut self) -> Result<Token, ExpressionError> {
        let rest = self.rest().as_bytes();
        let digits =
            |from: usize| rest[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut length = digits(0);
        if rest.get(length) == Some(&b'.') {
            length += 1 + digits(length + 1);
        }
        if let Some(b'e' | b'E') = rest.get(length) {
            let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
            let exponent = digits(length + 1 + sign);
            if exponent > 0 {
                length += 1 + sign + exponent;
            }
        }
        let span = self.position..self.position + length;
        match self.source[span.clone()].parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(self.take(Kind::Number(value), length)),
            Ok(_) => Err(ExpressionError::NumberTooLarge { span }),
            // A point without any digit.
            Err(_) => Err(ExpressionError::UnexpectedCharacter { character: '.', span }),
        }
    }
}

/// Letters, digits and underscores, joined by points: `crank.angle`.
fn name_length(text: &str) -> usize {
    let mut length = text.find(|c| !continues_name(c)).unwrap_or(text.len());
    while let Some(rest) =
        text[length..].strip_prefix('.').filter(|rest| rest.starts_with(begins_name))
    {
        length += 1 + rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
    }
    length
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a character may stand inside a name; U+0307 is the dot of `δ̇`.
fn continues_name(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || c == '_' || c == '\u{307}'
}
