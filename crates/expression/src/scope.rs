//! The names that an expression may use.

use std::sync::Arc;

use crate::Expression;
use crate::curve::Curve;
use crate::error::ExpressionError;
use crate::powers::Powers;
use crate::surface::Surface;
use crate::units::Dimension;

/// The names that an expression may use, and what they stand for: variables, parameters, lists of them, tables.
///
/// A name is made of letters, digits and underscores and does not begin with a digit; points join names, as in `crank.angle`.
/// If a name is declared twice, the last declaration holds. Names hide the constants `pi` and `e`, and tables hide functions.
///
/// A name can have a dimension; [`Dimension::Number`] means any dimension. Variables are in SI
/// units.
///
/// ```
/// use std::sync::Arc;
/// use jointplay_expression::units::Dimension;
/// use jointplay_expression::{Curve, Scope, Spline};
///
/// let torque = Curve::new(&[0.0, 100.0, 200.0, 300.0], &[5.0, 4.5, 3.0, 0.0], Spline::default())?;
/// let scope = Scope::new()
///     .variable("motor.rate", Dimension::AngularSpeed)
///     .parameter("ratio", 4.0, Dimension::Number)
///     .curve("torque", Arc::new(torque), [Dimension::AngularSpeed, Dimension::Torque]);
/// let load = scope.parse_as("torque(ratio*motor.rate) - 0.5 N m", Dimension::Torque)?;
/// assert_eq!(load.eval(&[25.0]), 4.0);
///
/// let wrong = scope.parse_as("torque(ratio*motor.rate) - 0.5 N", Dimension::Torque).unwrap_err();
/// assert_eq!(wrong.to_string(), "torque and force cannot be added or compared");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: Vec<(Box<str>, Meaning)>,
    variables: usize,
    checked: bool,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Value(Value),
    Table(Table),
}

/// One number or a list of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) entries: Entries,
    /// Whether an index selects one of the entries.
    pub(crate) list: bool,
    /// Its dimension, if that is known.
    pub(crate) powers: Option<Powers>,
}

#[derive(Clone, Debug)]
pub(crate) enum Entries {
    /// This many variables, with consecutive indices from the first on.
    Variables {
        first: usize,
        count: usize,
    },
    Parameters(Vec<f64>),
}

impl Entries {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Variables { count, .. } => *count,
            Self::Parameters(values) => values.len(),
        }
    }
}

/// A table with the dimensions of its inputs and its output.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) form: Form,
    pub(crate) inputs: Vec<Dimension>,
    pub(crate) output: Dimension,
}

#[derive(Clone, Debug)]
pub(crate) enum Form {
    Curve(Arc<Curve>),
    Surface(Arc<Surface>),
}

impl Scope {
    /// Only the constants and functions of the language.
    pub fn new() -> Self {
        Self::default()
    }

    /// Variables of any dimension, in this order.
    pub fn of(variables: &[&str]) -> Self {
        variables.iter().fold(Self::new(), |scope, name| scope.variable(name, Dimension::Number))
    }

    fn with(mut self, name: &str, meaning: Meaning) -> Self {
        self.names.push((name.into(), meaning));
        self
    }

    /// A variable. Values are given to an expression in the order in which its variables were declared.
    pub fn variable(self, name: &str, dimension: Dimension) -> Self {
        self.varying(name, 1, false, dimension)
    }

    /// A variable of this dimension; without powers it may have any.
    pub fn measured(mut self, name: &str, powers: Option<Powers>) -> Self {
        let entries = Entries::Variables { first: self.variables, count: 1 };
        self.variables += 1;
        self.with(name, Meaning::Value(Value { entries, list: false, powers }))
    }

    /// Checks dimensions even if no unit is written; the result then has a dimension.
    ///
    /// ```
    /// use jointplay_expression::Scope;
    /// use jointplay_expression::units::Dimension;
    ///
    /// let scope = Scope::new().variable("x", Dimension::Length).variable("t", Dimension::Time).checked();
    /// assert_eq!(scope.parse("x/t")?.powers(), Dimension::Speed.powers());
    /// assert!(scope.parse("x + t").is_err());
    /// # Ok::<(), jointplay_expression::ExpressionError>(())
    /// ```
    pub fn checked(mut self) -> Self {
        self.checked = true;
        self
    }

    /// A list of variables, which are written `name[0]`, `name[1]`, …
    pub fn variables(self, name: &str, count: usize, dimension: Dimension) -> Self {
        self.varying(name, count, true, dimension)
    }

    fn varying(mut self, name: &str, count: usize, list: bool, dimension: Dimension) -> Self {
        let entries = Entries::Variables { first: self.variables, count };
        self.variables += count;
        self.with(name, Meaning::Value(Value { entries, list, powers: dimension.powers() }))
    }

    /// A named number in SI units.
    pub fn parameter(self, name: &str, value: f64, dimension: Dimension) -> Self {
        self.quantity(name, value, dimension.powers())
    }

    /// A named number of this dimension, in SI units; without powers it is a plain number.
    ///
    /// ```
    /// use jointplay_expression::Scope;
    ///
    /// let area = Scope::new().parse("20 mm * 0.3 m")?;
    /// let scope = Scope::new().quantity("area", area.eval(&[]), area.powers());
    /// assert_eq!(scope.parse("5 N/area")?.powers().unwrap().to_string(), "pressure");
    /// # Ok::<(), jointplay_expression::ExpressionError>(())
    /// ```
    pub fn quantity(self, name: &str, value: f64, powers: Option<Powers>) -> Self {
        let entries = Entries::Parameters(vec![value]);
        self.with(name, Meaning::Value(Value { entries, list: false, powers }))
    }

    /// A list of numbers, which are written `name[0]`, `name[1]`, …
    pub fn parameters(self, name: &str, values: &[f64], dimension: Dimension) -> Self {
        let entries = Entries::Parameters(values.to_vec());
        self.with(name, Meaning::Value(Value { entries, list: true, powers: dimension.powers() }))
    }

    /// A table of one input, which is written `name(x)`; with the dimensions of input and output.
    pub fn curve(self, name: &str, curve: Arc<Curve>, [x, output]: [Dimension; 2]) -> Self {
        let form = Form::Curve(curve);
        self.with(name, Meaning::Table(Table { form, inputs: vec![x], output }))
    }

    /// A table of two inputs, which is written `name(x, y)`; with the dimensions of both inputs and of the output.
    pub fn surface(self, name: &str, surface: Arc<Surface>, dimensions: [Dimension; 3]) -> Self {
        let ([x, y, output], form) = (dimensions, Form::Surface(surface));
        self.with(name, Meaning::Table(Table { form, inputs: vec![x, y], output }))
    }

    /// Reads an expression of these names.
    ///
    /// # Errors
    /// [`ExpressionError`]: what is wrong, where, and what to write instead.
    pub fn parse(&self, source: &str) -> Result<Expression, ExpressionError> {
        Expression::read(source, self, None)
    }

    /// Reads an expression whose result has this dimension.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and if the result has another dimension.
    pub fn parse_as(
        &self,
        source: &str,
        dimension: Dimension,
    ) -> Result<Expression, ExpressionError> {
        Expression::read(source, self, dimension.powers())
    }

    pub(crate) fn is_checked(&self) -> bool {
        self.checked
    }

    /// How many variables there are.
    pub(crate) fn count(&self) -> usize {
        self.variables
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Meaning> {
        self.names.iter().rev().find(|(known, _)| **known == *name).map(|(_, meaning)| meaning)
    }

    /// Names of values, or of tables, in the order of their declaration.
    pub(crate) fn known(&self, tables: bool) -> impl Iterator<Item = &str> {
        let wanted = move |meaning: &Meaning| matches!(meaning, Meaning::Table(_)) == tables;
        self.names.iter().filter(move |(_, meaning)| wanted(meaning)).map(|(name, _)| &**name)
    }
}
