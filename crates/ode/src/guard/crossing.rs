//! Where one function of `theta`, known at the nodes of a step, crosses zero for the first time.

use super::{LAST, LEFT, NODES, TOUCH, TOUCH_BOUND};
use crate::{Direction, Trigger};

/// The bottom of a dip is located to this fraction of the step, at which a parabola is flat to
/// within rounding.
const DIP_WIDTH: f64 = 1e-8;

/// Places before the first node at which a guard that its event left on zero is sampled. If it is
/// back by that node, this shows whether it was on the other side.
const EARLY: [f64; 2] = [1e-6, 1e-4];

/// A root on the dense output is located to this fraction of the step; the step to the event
/// corrects the rest.
const ROOT_WIDTH: f64 = 1e-12;

/// The conditions under which a crossing of one guard is an event.
pub(super) struct Criteria {
    pub(super) trigger: Trigger,
    pub(super) residue: f64,
    pub(super) resolution: f64,
}

/// The first crossing of one guard that is an event, and its direction; `side` follows the guard up to there
/// or, without an event, up to the last of the values.
pub(super) fn first_crossing(
    values: &[f64],
    side: &mut f64,
    &Criteria { trigger, residue, resolution }: &Criteria,
    value_at: &mut impl FnMut(f64) -> f64,
) -> Option<(f64, Direction)> {
    let range = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let part = if trigger.home().is_some() { TOUCH_BOUND } else { TOUCH };
    let touch = (part * range).max(4.0 * residue);
    let mut next = 1;
    if *side == 0.0 {
        let left_zero = |v: &f64| v.abs() > touch;
        let armed = 1 + values[1..].iter().position(left_zero)?;
        *side = values[armed].signum();
        next = armed + 1;
        let left = (LEFT * range).max(4.0 * residue);
        if let Some((theta, early)) = leaves_to(left, value_at).filter(|(_, v)| v * *side < 0.0) {
            // It leaves to one side and is on the other at the node: an excursion.
            let direction = direction_from(-*side);
            if trigger.accepts(direction) {
                let (start, end) = ((theta, -*side * early), (NODES[armed], -values[armed].abs()));
                return Some((root(-*side, start, end, resolution, value_at), direction));
            }
        }
    }
    let begin = next - 1;
    // A dip between two nodes. It cannot reach zero if its lowest known height exceeds the rise
    // from there to the highest point around it. A guard that rests on zero only shows rounding,
    // and is not followed.
    let mut between = |side: f64, a: usize, b: usize, lowest: f64, highest: f64| {
        if lowest > highest - lowest || highest <= touch {
            return None;
        }
        let (at_a, at_b) = (side * values[a], side * values[b]);
        let ends = ((NODES[a], at_a), (NODES[b], at_b));
        through_dip(side, ends, touch, resolution, trigger, value_at)
    };
    for i in next..values.len() {
        // Heights above zero on the side of the guard: a crossing is a height below −touch.
        let height = *side * values[i];
        let before = *side * values[i - 1];
        if i == begin + 1 && begin == 0 && before < height {
            // A dip with its lowest sample at the start.
            let beyond = values.get(i + 1).map_or(height, |v| *side * v);
            if let found @ Some(_) = between(*side, 0, 1, before, beyond.max(height)) {
                return found;
            }
        }
        if height < -touch {
            if i >= begin + 2 && before < *side * values[i - 2] {
                // A dip that is over before the crossing.
                let left = *side * values[i - 2];
                let beyond = if i >= begin + 3 { *side * values[i - 3] } else { left };
                if let found @ Some(_) = between(*side, i - 2, i - 1, before, beyond.max(left)) {
                    return found;
                }
            }
            let direction = direction_from(*side);
            if trigger.accepts(direction) {
                let end = (NODES[i], height);
                let mut start = (NODES[i - 1], before);
                if before <= 0.0 {
                    // Rounding left it beyond zero; it may have been on its side since.
                    start = back_on_side(*side, start.0, end.0, value_at).unwrap_or(start);
                }
                return Some((root(*side, start, end, resolution, value_at), direction));
            }
            *side = -*side;
        } else if i >= begin + 2 {
            let left = *side * values[i - 2];
            let found = if before <= left && before <= height {
                between(*side, i - 2, i, before, left.max(height)) // lowest sample in the middle
            } else if i == LAST && height < before {
                between(*side, i - 1, i, height, left.max(before)) // lowest sample at the end
            } else {
                None
            };
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The last place between two, halving the way from the second to the first again and again, at which a guard is on its side,
/// with its height: a guard that starts on zero and comes back before the first node was there for a short time.
fn back_on_side(
    side: f64,
    from: f64,
    to: f64,
    value_at: &mut impl FnMut(f64) -> f64,
) -> Option<(f64, f64)> {
    let mut way = to - from;
    (0..50).find_map(|_| {
        way *= 0.5;
        let (theta, height) = (from + way, side * value_at(from + way));
        (height > 0.0).then_some((theta, height))
    })
}

/// The first of the [`EARLY`] places at which a guard that starts on zero is further from it than `left`, and its value.
pub(super) fn leaves_to(left: f64, value_at: &mut impl FnMut(f64) -> f64) -> Option<(f64, f64)> {
    let values = EARLY.iter().map(|&theta| (theta, value_at(theta)));
    values.into_iter().find(|(_, value)| value.abs() > left)
}

/// The event in a dip of `side · value` between two points `(theta, height)`, if it reaches below `−touch`.
fn through_dip(
    side: f64,
    (from, to): ((f64, f64), (f64, f64)),
    touch: f64,
    resolution: f64,
    trigger: Trigger,
    value_at: &mut impl FnMut(f64) -> f64,
) -> Option<(f64, Direction)> {
    let bottom = dip(side, from, to, touch, value_at)?;
    let down = direction_from(side);
    if trigger.accepts(down) {
        return Some((root(side, from, bottom, resolution, value_at), down));
    }
    let (bottom, to) = ((bottom.0, -bottom.1), (to.0, -to.1));
    Some((root(-side, bottom, to, resolution, value_at), direction_from(-side)))
}

/// The direction of a crossing that leaves this side of zero.
pub(super) fn direction_from(side: f64) -> Direction {
    if side > 0.0 { Direction::Falling } else { Direction::Rising }
}

/// Follows a dip of `side · value` between two points `(theta, height)` downwards by golden section; the first place
/// found below `−touch`, with its height.
///
/// Given up where the lowest point found is higher above zero than the ends of the bracket are above it: a parabola
/// goes below the lower of two golden points by at most 0.4 of that rise.
fn dip(
    side: f64,
    (mut a, mut at_a): (f64, f64),
    (mut b, mut at_b): (f64, f64),
    touch: f64,
    value_at: &mut impl FnMut(f64) -> f64,
) -> Option<(f64, f64)> {
    const GOLDEN: f64 = 0.381966011250105;
    let mut height = |theta: f64| side * value_at(theta);
    let mut x = a + GOLDEN * (b - a);
    let mut y = b - GOLDEN * (b - a);
    let (mut at_x, mut at_y) = (height(x), height(y));
    loop {
        if at_x < -touch {
            return Some((x, at_x));
        }
        if at_y < -touch {
            return Some((y, at_y));
        }
        let lowest = at_x.min(at_y);
        if b - a < DIP_WIDTH || lowest > at_a.max(at_b) - lowest {
            return None;
        }
        if at_x < at_y {
            (b, at_b, y, at_y) = (y, at_y, x, at_x);
            x = a + GOLDEN * (b - a);
            at_x = height(x);
        } else {
            (a, at_a, x, at_x) = (x, at_x, y, at_y);
            y = b - GOLDEN * (b - a);
            at_y = height(y);
        }
    }
}

/// The zero of `side · value` between two points `(theta, height)`, the first above zero and the second below,
/// to within `resolution`, by the ITP method. A first point that is not above zero is itself the answer.
///
/// # Source
///
/// I. F. D. Oliveira, R. H. C. Takahashi, *An enhancement of the bisection method average performance preserving
/// minmax optimality*, ACM Trans. Math. Softw. 47 (2021) 5:1–5:24, with `κ₁ = 0.2/(b−a)`, `κ₂ = 2`, `n₀ = 1`.
pub(super) fn root(
    side: f64,
    (mut a, mut above): (f64, f64),
    (mut b, mut below): (f64, f64),
    resolution: f64,
    value_at: &mut impl FnMut(f64) -> f64,
) -> f64 {
    if above <= 0.0 {
        return a;
    }
    let tolerance = resolution.max(ROOT_WIDTH);
    let kappa = 0.2 / (b - a);
    let bisections = libm::log2((b - a) / tolerance).ceil().max(0.0);
    // The half width that bisection, granted one more step, would still have to spend.
    let mut budget = 0.5 * tolerance * libm::exp2(bisections + 1.0);
    while b - a > tolerance {
        let middle = 0.5 * (a + b);
        let secant = (above * b - below * a) / (above - below);
        let towards_middle = (middle - secant).signum();
        let truncation = kappa * (b - a) * (b - a);
        let truncated = if truncation <= (middle - secant).abs() {
            secant + towards_middle * truncation
        } else {
            middle
        };
        let radius = (budget - 0.5 * (b - a)).max(0.0);
        let x = if (truncated - middle).abs() <= radius {
            truncated
        } else {
            middle - towards_middle * radius
        };
        if x <= a || x >= b {
            break;
        }
        let height = side * value_at(x);
        if height > 0.0 {
            (a, above) = (x, height);
        } else if height < 0.0 {
            (b, below) = (x, height);
        } else {
            return x;
        }
        budget *= 0.5;
    }
    if above < -below { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_roots_of_bent_functions() {
        type Case = (fn(f64) -> f64, f64);
        // A function that is positive at 0 and negative at 1, and its zero.
        let cases: [Case; 5] = [
            (|x| 0.25 - x, 0.25),
            (|x| 0.1 - x * x * x, 0.464158883361278),
            (|x| (-50.0 * x).exp() - 1e-3, 0.138155105579643),
            (|x| 1e-9 - x, 1e-9),
            (|x| (0.7 - x).powi(9), 0.7),
        ];
        for (f, exact) in cases {
            let mut evaluations = 0;
            let mut count = |x: f64| {
                evaluations += 1;
                f(x)
            };
            let x = root(1.0, (0.0, f(0.0)), (1.0, f(1.0)), 1e-15, &mut count);
            assert!((x - exact).abs() < 1e-12, "{x} for {exact}");
            // Bisection needs 40.
            assert!(evaluations <= 42, "{evaluations}");
            let mirrored = root(-1.0, (0.0, f(0.0)), (1.0, f(1.0)), 1e-15, &mut |x| -f(x));
            assert_eq!(x, mirrored);
        }
    }

    #[test]
    fn exact_bottom_of_a_dip() {
        for centre in [0.31, 0.4, 0.499, 0.55] {
            let mut value = |x: f64| (x - centre) * (x - centre) - 0.005_f64.powi(2);
            let ends = |value: &mut dyn FnMut(f64) -> f64| ((0.3, value(0.3)), (0.6, value(0.6)));
            let (a, b) = ends(&mut value);
            let (theta, height) = dip(1.0, a, b, 1e-15, &mut value).expect("1 % wide");
            assert!((theta - centre).abs() < 0.005 && height < 0.0);
            // A dip of a hundred thousandth of its width, and one that only touches.
            let mut value = |x: f64| (x - centre) * (x - centre) - 1e-12;
            let (a, b) = ends(&mut value);
            assert!(dip(1.0, a, b, 1e-15, &mut value).is_some());
            let mut value = |x: f64| (x - centre) * (x - centre);
            let (a, b) = ends(&mut value);
            assert_eq!(dip(1.0, a, b, 1e-15, &mut value), None);
            // One that stays clear of zero is given up at once.
            let mut evaluations = 0;
            let mut value = |x: f64| {
                evaluations += 1;
                (x - centre) * (x - centre) + 0.05
            };
            let (a, b) = ends(&mut value);
            assert_eq!(dip(1.0, a, b, 1e-15, &mut value), None);
            assert!(evaluations <= 8, "{evaluations}");
        }
    }
}
