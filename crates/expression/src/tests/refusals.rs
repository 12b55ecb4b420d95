//! Texts that are refused, and what is said of them.

use super::{error, eval};
use crate::{Expression, ExpressionError};

#[test]
fn exact_errors_name_the_place_and_the_remedy() {
    for (source, span, message, hint) in [
        ("", 0..0, "the expression is empty", ""),
        ("  ", 0..2, "the expression is empty", ""),
        ("delta**2", 5..7, "`**` is not used here", "use `^` for powers"),
        ("detla^2", 0..5, "unknown name `detla`", "did you mean `delta`?"),
        ("δδ", 0..4, "unknown name `δδ`", "known names: delta, delta_dot, pi, e"),
        ("Sin(delta)", 0..3, "unknown function `Sin`", "did you mean `sin`?"),
        ("delta(2)", 0..5, "`delta` is not a function", "to multiply, write `delta*(`"),
        (
            "2*sin + 1",
            2..5,
            "`sin` is a function and needs its argument in parentheses",
            "write `sin(...)`",
        ),
        ("1 + sin(1, 2)", 4..13, "`sin` takes 1 argument, not 2", ""),
        ("min()", 0..5, "`min` takes 2 arguments, not 0", ""),
        ("2*(delta + 1", 2..3, "this parenthesis is never closed", "add `)`"),
        ("max(delta, 1", 3..4, "this parenthesis is never closed", "add `)`"),
        (
            "delta)",
            5..6,
            "this closing parenthesis has no opening one",
            "remove it or add `(` before",
        ),
        ("2*", 2..2, "a number, a name or a parenthesis is missing here", ""),
        ("max(delta,)", 10..11, "a number, a name or a parenthesis is missing here", ""),
        ("2 delta", 2..7, "an operator is missing before this", "to multiply, write `*`"),
        ("(1)(2)", 3..4, "an operator is missing before this", "to multiply, write `*`"),
        (
            "1,5*delta",
            1..2,
            "a comma may only separate the arguments of a function",
            "the decimal sign is a point: 1.5",
        ),
        ("2 # 3", 2..3, "unexpected character '#'", ""),
        (".", 0..1, "unexpected character '.'", ""),
        ("1e999", 0..5, "the number is too large", ""),
        (
            "1 + (delta < 2)",
            11..12,
            "a comparison may only be the first argument of `if`",
            "write `if(a < b, value if true, value if false)`",
        ),
        (
            "if(delta - 1, 2, 3)",
            3..12,
            "the first argument of `if` must be a comparison",
            "compare with `<`, `<=`, `>` or `>=`, for example `if(x > 0, 1, 2)`",
        ),
        ("if(delta = 1, 2, 3)", 9..10, "`=` is not used here", "use `<`, `<=`, `>` or `>=`"),
        ("delta²", 5..7, "`²` is not used here", "use `^2`"),
    ] {
        let error = error(source);
        assert_eq!(error.span(), span, "{source}");
        assert_eq!(error.to_string(), message, "{source}");
        assert_eq!(error.hint().unwrap_or_default(), hint, "{source}");
    }
    assert!(error("(0 < delta < 1)").to_string().starts_with("a comparison"));
    assert!(error("foo(1)").hint().unwrap().starts_with("functions: sin, cos"));
}

#[test]
fn exact_snippet_points_at_the_characters() {
    let snippet = |source: &str| error(source).snippet(source);
    assert_eq!(snippet("2*(delta"), "2*(delta\n  ^");
    assert_eq!(snippet("2*"), "2*\n  ^");
    // The dot of δ̇ takes no column.
    assert_eq!(snippet("δ̇·δ·speed"), "δ̇·δ·speed\n    ^^^^^");
    assert_eq!(snippet("1 +\n\tdetla\n+ 2"), " detla\n ^^^^^");
    // Another text than the one parsed does not make it panic.
    assert_eq!(error("delta + 1 speed").snippet("δδδδδδ"), "δδδδδδ\n     ^");
}

#[test]
fn exact_depth_and_length_are_limited() {
    let nested = |levels| format!("{}x{}", "(1 + x*".repeat(levels), ")".repeat(levels));
    assert!(Expression::parse(&nested(10), &["x"]).is_ok());
    for source in [nested(1000), "(".repeat(60_000), "-".repeat(60_000), "x^".repeat(30_000)] {
        let error = Expression::parse(&source, &["x"]).unwrap_err();
        assert!(matches!(error, ExpressionError::TooDeep { .. }), "{error}");
    }
    let sum = format!("0{}", " + x*2".repeat(10_000));
    assert_eq!(eval(&sum, 1.0), 20_000.0);
    let long = format!("0{}", " + x*2".repeat(1_000_000));
    let error = Expression::parse(&long, &["x"]).unwrap_err();
    assert!(matches!(error, ExpressionError::TooLong { length: 6_000_001, .. }), "{error}");
    assert!(error.to_string().contains("6000001 bytes; at most 65536"), "{error}");
}
