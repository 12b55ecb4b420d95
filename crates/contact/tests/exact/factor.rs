//! The exact hysteresis factor and its inverse.

use jointplay_contact::{factor_of_restitution, restitution_of_factor};

use crate::golden::{Book, rows};

/// Both functions are judged at 45 units in the last place. The roots are found to one unit; what
/// remains is the rounding of κ, a quotient of small numbers, in the last Newton step.
const TOLERANCE: f64 = 1e-14;

#[test]
fn exact_factor_of_restitution() {
    let mut book = Book::new("exact factor");
    for row in rows("exact-factor/factor.csv") {
        let e = row.number("restitution");
        book.relative(
            "a(e)",
            factor_of_restitution(e),
            row.number("factor"),
            TOLERANCE,
            row.text("restitution"),
        );
    }
    book.close();
}

#[test]
fn exact_restitution_of_factor() {
    let mut book = Book::new("output restitution");
    for row in rows("exact-factor/restitution.csv") {
        let a = row.number("factor");
        book.relative(
            "e(a)",
            restitution_of_factor(a),
            row.number("restitution"),
            TOLERANCE,
            row.text("factor"),
        );
    }
    book.close();
}

#[test]
fn exact_round_trip_of_the_restitution() {
    let evenly = (1..=100_000).map(|i| f64::from(i) / 100_000.0);
    let small = (0..=3000).map(|i| 10_f64.powf(-0.1 * f64::from(i)));
    let near_one = (0..=530).map(|i| 1.0 - 2_f64.powf(-0.1 * f64::from(i)));
    let ends = [1e-300, f64::MIN_POSITIVE, 1.0 - 1e-16, 1.0_f64.next_down(), 1.0];
    let mut book = Book::new("e -> a -> e");
    for e in evenly.chain(small).chain(near_one).chain(ends).filter(|e| *e > 0.0) {
        let back = restitution_of_factor(factor_of_restitution(e));
        // the product promises 1e-10; the roots of both directions are within 1e-14 of the truth
        // and neither direction amplifies an error of the other by more than 2
        book.absolute("promised", back, e, 1e-10, &format!("e = {e:e}"));
        book.relative("attained", back, e, 3e-14, &format!("e = {e:e}"));
    }
    book.close();
}

#[test]
fn exact_ends_of_the_factor() {
    assert_eq!(factor_of_restitution(1.0), 0.0);
    assert_eq!(factor_of_restitution(0.0), f64::INFINITY);
    // 1/e overflows
    assert_eq!(factor_of_restitution(1e-310), f64::INFINITY);
    assert_eq!(restitution_of_factor(0.0), 1.0);
    // a factor larger than any number leaves nothing to bounce
    assert!(restitution_of_factor(f64::MAX) < 1e-307);
}

#[test]
fn property_restitution_falls_with_the_factor() {
    let mut before = 1.0;
    for i in 0..20_000 {
        let a = 1e-8 * 10_f64.powf(f64::from(i) / 1000.0);
        let e = restitution_of_factor(a);
        // one unit in the last place of rounding where two factors are closer than the answers
        assert!(e > 0.0 && e <= before * (1.0 + f64::EPSILON), "a = {a:e}: {e:e} after {before:e}");
        before = e;
    }
}
