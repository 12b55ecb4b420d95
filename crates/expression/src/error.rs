//! The problems of the text of an expression, with their place and what to write instead.

use std::ops::Range;

use crate::powers::Powers;

/// Why a text is not an expression.
///
/// Each variant carries the bytes of the source that it concerns. The message (`Display`) says what
/// is wrong, [`hint`](Self::hint) suggests a correction, and [`snippet`](Self::snippet) shows the
/// place.
///
/// ```
/// use jointplay_expression::Expression;
///
/// let source = "K*detla^1.5";
/// let error = Expression::parse(source, &["K", "delta"]).unwrap_err();
/// assert_eq!(error.to_string(), "unknown name `detla`");
/// assert_eq!(error.hint().unwrap(), "did you mean `delta`?");
/// assert_eq!(error.snippet(source), "K*detla^1.5\n  ^^^^^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpressionError {
    /// Only white space.
    #[error("the expression is empty")]
    Empty {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A character that no expression contains.
    #[error("unexpected character {character:?}")]
    UnexpectedCharacter {
        /// The character.
        character: char,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// An operator of another language.
    #[error("`{operator}` is not used here")]
    UnknownOperator {
        /// The operator as written.
        operator: String,
        /// What to write instead.
        instead: &'static str,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A number larger than any `f64`.
    #[error("the number is too large")]
    NumberTooLarge {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A name that is neither a variable nor a constant.
    #[error("unknown name `{name}`")]
    UnknownName {
        /// The name as written.
        name: String,
        /// The known name closest to it, if one is close.
        nearest: Option<String>,
        /// The variables and constants that may be used.
        known: Vec<String>,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A name before a parenthesis that is not a function.
    #[error("unknown function `{name}`")]
    UnknownFunction {
        /// The name as written.
        name: String,
        /// The function with the closest name, if one is close.
        nearest: Option<String>,
        /// The functions and tables that may be used.
        known: Vec<String>,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A variable or constant before a parenthesis.
    #[error("`{name}` is not a function")]
    NotAFunction {
        /// The name as written.
        name: String,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A function or table without its parenthesis.
    #[error(
        "`{name}` is a {} and needs its argument in parentheses",
        if *table { "table" } else { "function" }
    )]
    MissingArguments {
        /// The function or table.
        name: String,
        /// Whether it is a table.
        table: bool,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A function with too many or too few arguments.
    #[error(
        "`{name}` takes {expected} argument{}, not {found}",
        if *expected == 1 { "" } else { "s" }
    )]
    WrongArgumentCount {
        /// The function or table.
        name: String,
        /// How many arguments it takes.
        expected: usize,
        /// How many are written.
        found: usize,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// An opening parenthesis without a closing one.
    #[error("this parenthesis is never closed")]
    MissingParenthesis {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A closing parenthesis without an opening one.
    #[error("this closing parenthesis has no opening one")]
    UnmatchedParenthesis {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// An operator, a comma or the end in place of a value.
    #[error("a number, a name or a parenthesis is missing here")]
    MissingOperand {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// Two values without an operator between them.
    #[error("an operator is missing before this")]
    MissingOperator {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A comma that separates no arguments.
    #[error("a comma may only separate the arguments of a function")]
    MisplacedComma {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A comparison outside the condition of `if`.
    #[error("a comparison may only be the first argument of `if`")]
    MisplacedComparison {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// An `if` whose first argument compares nothing.
    #[error("the first argument of `if` must be a comparison")]
    MissingComparison {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A list without the index of one of its entries.
    #[error("`{name}` is a list and needs an index")]
    MissingIndex {
        /// The list.
        name: String,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// An index after something that is not a list.
    #[error("`{name}` is not a list")]
    NotAList {
        /// The name as written.
        name: String,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// An index that the list does not have.
    #[error("the index of `{name}` must be a constant whole number from 0 on, below {length}")]
    WrongIndex {
        /// The list.
        name: String,
        /// How many entries it has.
        length: usize,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// An opening bracket without a closing one.
    #[error("this bracket is never closed")]
    MissingBracket {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A word after a number that is not a unit.
    #[error("unknown unit `{unit}`")]
    UnknownUnit {
        /// As written.
        unit: String,
        /// The unit closest to it, if one is close.
        nearest: Option<String>,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A unit that is also a name of something else.
    #[error("`{name}` is a unit, but here it is also the name of something else")]
    AmbiguousUnit {
        /// The unit and name.
        name: String,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A unit to a power that is not written as a number.
    #[error("the power of a unit must be a number")]
    UnitPower {
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A sum or comparison of unlike quantities.
    #[error("{left} and {right} cannot be added or compared")]
    UnlikeDimensions {
        /// Dimension on the left.
        left: Powers,
        /// Dimension on the right.
        right: Powers,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A quantity whose dimension is not the one that is needed.
    #[error("{what}: {expected} expected, {found} found")]
    WrongDimension {
        /// What it is: the argument of a function, an exponent, the result.
        what: String,
        /// The dimension that is needed.
        expected: Powers,
        /// The dimension of the quantity.
        found: Powers,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A quantity with a dimension to a power that is not constant.
    #[error("{found} cannot be raised to a power that varies")]
    VaryingPower {
        /// The dimension of the base.
        found: Powers,
        /// Bytes of the source.
        span: Range<usize>,
    },
    /// A text that is too long.
    #[error("the expression has {length} bytes; at most {most} are allowed")]
    TooLong {
        /// Its length in bytes.
        length: usize,
        /// The maximum.
        most: usize,
        /// Bytes of the source: its beginning.
        span: Range<usize>,
    },
    /// Nesting that is too deep to evaluate.
    #[error("the expression is nested too deeply from here on")]
    TooDeep {
        /// Bytes of the source.
        span: Range<usize>,
    },
}

impl ExpressionError {
    /// The bytes of the source that the error is about; empty at the end of the source.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::Empty { span }
            | Self::UnexpectedCharacter { span, .. }
            | Self::UnknownOperator { span, .. }
            | Self::NumberTooLarge { span }
            | Self::UnknownName { span, .. }
            | Self::UnknownFunction { span, .. }
            | Self::NotAFunction { span, .. }
            | Self::MissingArguments { span, .. }
            | Self::WrongArgumentCount { span, .. }
            | Self::MissingParenthesis { span }
            | Self::UnmatchedParenthesis { span }
            | Self::MissingOperand { span }
            | Self::MissingOperator { span }
            | Self::MisplacedComma { span }
            | Self::MisplacedComparison { span }
            | Self::MissingComparison { span }
            | Self::MissingIndex { span, .. }
            | Self::NotAList { span, .. }
            | Self::WrongIndex { span, .. }
            | Self::MissingBracket { span }
            | Self::UnknownUnit { span, .. }
            | Self::AmbiguousUnit { span, .. }
            | Self::UnitPower { span }
            | Self::UnlikeDimensions { span, .. }
            | Self::WrongDimension { span, .. }
            | Self::VaryingPower { span, .. }
            | Self::TooLong { span, .. }
            | Self::TooDeep { span } => span.clone(),
        }
    }

    /// The column of `source` where it starts, in characters from 1, on its line.
    pub fn column(&self, source: &str) -> usize {
        let start = source.floor_char_boundary(self.span().start);
        let line = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        width(&source[line..start]) + 1
    }

    /// What to write instead, if there is a suggestion.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::UnknownOperator { instead, .. } => format!("use {instead}"),
            Self::UnknownName { nearest: Some(name), .. } => format!("did you mean `{name}`?"),
            Self::UnknownName { known, .. } => format!("known names: {}", known.join(", ")),
            Self::UnknownFunction { nearest: Some(name), .. } => {
                format!("did you mean `{name}`?")
            }
            Self::UnknownFunction { known, .. } => format!("functions: {}", known.join(", ")),
            Self::NotAFunction { name, .. } => format!("to multiply, write `{name}*(`"),
            Self::MissingArguments { name, .. } => format!("write `{name}(...)`"),
            Self::MissingOperator { .. } => "to multiply, write `*`".to_owned(),
            Self::MissingParenthesis { .. } => "add `)`".to_owned(),
            Self::MissingBracket { .. } => "add `]`".to_owned(),
            Self::MissingIndex { name, .. } => format!("write `{name}[0]` for the first"),
            Self::UnknownUnit { nearest: Some(unit), .. } => format!("did you mean `{unit}`?"),
            Self::UnknownUnit { .. } => {
                "units are written as in `5 mm`, `3 rad/s`, `2 kg m^2`; to multiply, write `*`"
                    .to_owned()
            }
            Self::AmbiguousUnit { name, .. } => {
                format!(
                    "to use the name, write `2*{name}` or `(5 mm)/{name}`; to use the unit, rename the variable or parameter"
                )
            }
            Self::UnitPower { .. } => "to raise the quantity, write `(5 mm)^x`".to_owned(),
            Self::WrongDimension { expected: Powers::NONE, found, .. } => {
                format!("divide by a quantity of the same dimension, {found}")
            }
            Self::UnmatchedParenthesis { .. } => "remove it or add `(` before".to_owned(),
            Self::MisplacedComma { .. } => "the decimal sign is a point: 1.5".to_owned(),
            Self::MisplacedComparison { .. } => {
                "write `if(a < b, value if true, value if false)`".to_owned()
            }
            Self::MissingComparison { .. } => {
                "compare with `<`, `<=`, `>` or `>=`, for example `if(x > 0, 1, 2)`".to_owned()
            }
            Self::TooLong { .. } => "give a table of values instead".to_owned(),
            Self::TooDeep { .. } => "remove parentheses or split the expression".to_owned(),
            Self::Empty { .. }
            | Self::UnexpectedCharacter { .. }
            | Self::NumberTooLarge { .. }
            | Self::WrongArgumentCount { .. }
            | Self::NotAList { .. }
            | Self::WrongIndex { .. }
            | Self::UnlikeDimensions { .. }
            | Self::WrongDimension { .. }
            | Self::VaryingPower { .. }
            | Self::MissingOperand { .. } => return None,
        };
        Some(hint)
    }

    /// Two lines: the line of `source` where the error starts, and carets below the place.
    ///
    /// Widths are counted in characters, combining marks (the dot of `δ̇`) as none; control
    /// characters are shown as spaces.
    pub fn snippet(&self, source: &str) -> String {
        let span = self.span();
        let start = source.floor_char_boundary(span.start);
        let end = source.floor_char_boundary(span.end).max(start);
        let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |length| start + length);
        let line: String = source[line_start..line_end]
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let indent = width(&source[line_start..start]);
        let carets = width(&source[start..end.min(line_end)]).max(1);
        format!("{line}\n{}{}", " ".repeat(indent), "^".repeat(carets))
    }
}

/// Columns that a text takes.
fn width(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}
