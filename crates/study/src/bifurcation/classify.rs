//! What a motion is, by its section and its neighbours.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use super::follow::Seen;
use super::strobe::Strobe;
use super::zero_one::zero_one;

/// What a motion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// It repeats itself after some periods of the drive.
    Periodic,
    /// It never repeats itself, and neighbours stay together.
    QuasiPeriodic,
    /// Neighbours part.
    Chaotic,
    /// What was seen does not decide it.
    Undecided,
}

impl Class {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Class::Periodic => "periodic",
            Class::QuasiPeriodic => "quasi-periodic",
            Class::Chaotic => "chaotic",
            Class::Undecided => "undecided",
        }
    }
}

/// What a motion is, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What it is.
    pub class: Class,
    /// Its period in periods of the drive.
    pub period: Option<usize>,
    /// The largest Lyapunov exponent (1/s).
    pub lyapunov: Option<f64>,
    /// Lower end of its interval of 95 %.
    pub lyapunov_low: Option<f64>,
    /// Upper end.
    pub lyapunov_high: Option<f64>,
    /// The 0–1 test of the first channel: about 0 for regular, about 1 for chaotic motion.
    pub zero_one: Option<f64>,
    /// Whether contacts remember an impact from before, which nothing renews: the motion depends on its history.
    pub history: bool,
    /// Why.
    pub why: String,
}

impl Verdict {
    /// Nothing is known.
    pub(super) fn undecided(why: String) -> Self {
        Verdict {
            class: Class::Undecided,
            period: None,
            lyapunov: None,
            lyapunov_low: None,
            lyapunov_high: None,
            zero_one: None,
            history: false,
            why,
        }
    }
}

/// Instants of a section are the same if they differ by less than this fraction of the extent of the motion.
const SAME: f64 = 1e-5;

/// Classifies a motion.
pub(super) fn classify(seen: &Seen, strobe: &Strobe, periods: usize) -> Verdict {
    // If a state repeats at any instant of the period, the whole motion repeats.
    let looks =
        [&seen.calm, &seen.states].map(|states| States::new(states, &seen.is_angle, &seen.sizes));
    let least = |of: &dyn Fn(&States<'_>) -> Option<usize>| looks.iter().filter_map(of).min();
    let repeats = least(&|states| states.period(periods / 4));
    // It converges to a repeating motion only if neighbours converge, too.
    let comes_together = of_cloud(&seen.growth, strobe.period).is_some_and(|(.., high)| high < 0.0);
    let approaches = least(&|states| states.approached(periods / 4)).filter(|_| comes_together);
    // Near a doubling the motion of half the period swings in slowly, from side to side: the shorter period counts.
    let shorter = approaches.filter(|n| repeats.is_none_or(|m| m % n == 0 && *n < m));
    let repeats = repeats.filter(|_| shorter.is_none());
    let period = repeats.or(shorter);
    let first: Vec<f64> = seen.section.iter().filter_map(|row| row.first().copied()).collect();
    let second_opinion = if strobe.angles.first() == Some(&true) {
        // An angle jumps where it comes round; its sine does not.
        zero_one(&first.iter().map(|angle| libm::sin(*angle)).collect::<Vec<_>>())
    } else {
        zero_one(&first)
    };
    let exponent = match period {
        Some(period) => of_orbit(&seen.growth, period, strobe.period),
        None => of_cloud(&seen.growth, strobe.period),
    };
    let (value, low, high) = match exponent {
        Some((value, low, high)) => (Some(value), Some(low), Some(high)),
        None => (None, None, None),
    };
    let regular = second_opinion.is_some_and(|k| k < 0.2);
    let (class, why) = match (period, low, high) {
        (Some(n), Some(low), _) if low > 0.0 => (
            Class::Undecided,
            format!(
                "the section repeats itself after {n} period{}, but neighbouring motions diverge: the motion is not stable, or the transient is too short",
                plural(n)
            ),
        ),
        (Some(n), ..) if repeats.is_some() => {
            (Class::Periodic, format!("the section repeats itself after {n} period{}", plural(n)))
        }
        (Some(n), ..) => (
            Class::Periodic,
            format!("the section comes ever closer to repeating itself after {n} period{}", plural(n)),
        ),
        (None, Some(low), _) if low > 0.0 && regular => (
            Class::Undecided,
            "neighbouring motions diverge, but the 0–1 test calls the motion regular: the transient is too short".to_owned(),
        ),
        (None, Some(low), _) if low > 0.0 => {
            (Class::Chaotic, "neighbouring motions diverge: the whole interval of the exponent is positive".to_owned())
        }
        (None, Some(low), Some(high)) if low <= 0.0 && high >= 0.0 && regular => (
            Class::QuasiPeriodic,
            "it does not repeat itself, neighbouring motions stay together, and the 0–1 test calls it regular".to_owned(),
        ),
        (None, Some(_), Some(high)) if high < 0.0 && regular => (
            Class::QuasiPeriodic,
            "it does not repeat itself although neighbouring motions converge, and the 0–1 test calls it regular: its drive has more than one period".to_owned(),
        ),
        (None, Some(_), Some(high)) if high < 0.0 => (
            Class::Undecided,
            format!(
                "neighbouring motions converge, but no period up to {} was found: the transient is too short, or the period too long",
                periods / 4
            ),
        ),
        _ => (
            Class::Undecided,
            "neither a period nor the sign of the exponent is certain: observe more periods".to_owned(),
        ),
    };
    let history = !seen.lasting.is_empty();
    let why = format!("{why}{}", which(seen));
    Verdict {
        class,
        period,
        lyapunov: value,
        lyapunov_low: low,
        lyapunov_high: high,
        zero_one: second_opinion,
        history,
        why,
    }
}

/// Which of several motions may have been found, by the contacts that did not change in the section.
fn which(seen: &Seen) -> String {
    const NAMED: usize = 5;
    let names = |of: &[String]| {
        let named: Vec<String> = of.iter().take(NAMED).map(|name| format!("'{name}'")).collect();
        let more = of.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", named.join(", "))
    };
    let idle = (!seen.idle.is_empty())
        .then(|| format!("; {} never closed in the section", names(&seen.idle)));
    let lasting = (!seen.lasting.is_empty()).then(|| {
        let remember = if seen.lasting.len() == 1 { "it remembers" } else { "they remember" };
        format!(
            "; {} never opened in the section: what {remember} has not been renewed, so the motion depends on its history",
            names(&seen.lasting)
        )
    });
    idle.into_iter().chain(lasting).collect()
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// The states of a section.
struct States<'s> {
    all: &'s [Vec<f64>],
    is_angle: &'s [bool],
    /// The extent of each number over the section, but not less than a fraction of its size, or of
    /// the scale of this motion, because quantities at rest repeat trivially.
    extents: Vec<f64>,
}

impl<'s> States<'s> {
    fn new(states: &'s [Vec<f64>], is_angle: &'s [bool], sizes: &[f64]) -> Self {
        let extent = |i: usize| {
            let (mut low, mut high, mut size) = (f64::INFINITY, f64::NEG_INFINITY, sizes[i]);
            for state in states {
                // The extent of a turning body does not grow with each turn.
                let near = |other: f64| {
                    let turns = if is_angle[i] { ((state[i] - other) / TAU).round() } else { 0.0 };
                    state[i] - TAU * turns
                };
                low = low.min(near(states[0][i]));
                high = high.max(near(states[0][i]));
                size = size.max(near(0.0).abs());
            }
            (high - low).max(1e-2 * size).max(1e-9)
        };
        let extents = (0..states.first().map_or(0, Vec::len)).map(extent).collect();
        States { all: states, is_angle, extents }
    }

    /// How far apart two instants are: the greatest difference, as a fraction of the extent.
    fn apart(&self, a: usize, b: usize) -> f64 {
        let pairs = self.all[a].iter().zip(&self.all[b]).enumerate();
        let off = |(i, (a, b)): (usize, (&f64, &f64))| {
            let turns = if self.is_angle[i] { ((a - b) / TAU).round() } else { 0.0 };
            (a - b - TAU * turns).abs() / self.extents[i]
        };
        pairs.map(off).fold(0.0, f64::max)
    }

    /// The first instant that counts: the motion may still have been on its way before.
    fn begin(&self) -> usize {
        self.all.len() / 2
    }

    /// The number of instants after which the states repeat themselves, up to a limit.
    fn period(&self, most: usize) -> Option<usize> {
        let (begin, count) = (self.begin(), self.all.len());
        (1..=most.max(1))
            .find(|n| begin + n < count && (begin..count - n).all(|k| self.apart(k, k + n) <= SAME))
    }

    /// The number of instants after which the states come ever closer to repeating themselves.
    fn approached(&self, most: usize) -> Option<usize> {
        const STRETCHES: usize = 5;
        let (begin, count) = (self.begin(), self.all.len());
        (1..=most.max(1)).find(|n| {
            let length = (count - begin).saturating_sub(*n) / STRETCHES;
            if length == 0 {
                return false;
            }
            let greatest = |stretch: usize| {
                let first = begin + stretch * length;
                (first..first + length).map(|k| self.apart(k, k + n)).fold(0.0, f64::max)
            };
            let greatest: Vec<f64> = (0..STRETCHES).map(greatest).collect();
            greatest.windows(2).all(|pair| pair[1] < 0.99 * pair[0])
        })
    }
}

/// The logarithm of the growth over a turn is known no better: neighbours are at a finite distance, and integrated to a tolerance.
const UNCERTAIN: f64 = 3e-4;

/// The exponent of a periodic orbit, from its last turn: growth is the same in each turn once the
/// neighbours have settled into their direction. If two multipliers are complex, the first
/// neighbour keeps rotating, but the area between both grows evenly.
fn of_orbit(growth: &[[f64; 2]], period: usize, drive: f64) -> Option<(f64, f64, f64)> {
    let turn = drive * period as f64;
    let turns: Vec<[f64; 2]> = growth
        .rchunks_exact(period)
        .map(|turn| {
            turn.iter().fold([0.0; 2], |sum, growth| [sum[0] + growth[0], sum[1] + growth[1]])
        })
        .collect();
    // The latest first.
    let recent = &turns[..turns.len().min(8)];
    let spread = |of: &dyn Fn(&[f64; 2]) -> f64| {
        let values: Vec<f64> = recent.iter().map(of).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (values.first().copied(), low, high)
    };
    let one = spread(&|growth| growth[0] / turn);
    let half = spread(&|growth| 0.5 * growth[1] / turn);
    // A first neighbour that turns grows by turns more and less than the area between both; one that is still finding its
    // direction keeps to one side.
    let settled = &turns[..turns.len().div_ceil(2)];
    let mean = settled.iter().map(|growth| growth[0] / turn).sum::<f64>() / settled.len() as f64;
    let aside = (0.2 * (one.2 - one.1)).max(0.02 * mean.abs());
    let swings = half.0.is_some_and(|half| mean - half <= aside);
    let (value, low, high) = if swings { half } else { one };
    let value = value.filter(|value| value.is_finite())?;
    let least = UNCERTAIN / turn;
    Some((value, low.min(value - least), high.max(value + least)))
}

/// The exponent of a motion that does not repeat itself: the mean of the growth, with the interval of means over long stretches.
fn of_cloud(growth: &[[f64; 2]], drive: f64) -> Option<(f64, f64, f64)> {
    const STRETCHES: usize = 10;
    // Student's t with 9 degrees of freedom, 97.5 %.
    const STUDENT: f64 = 2.262_157;
    // Neighbours need some periods to find their direction.
    let growth = &growth[growth.len() / 10..];
    let length = growth.len() / STRETCHES;
    if length == 0 {
        return None;
    }
    let means: Vec<f64> = growth
        .rchunks_exact(length)
        .take(STRETCHES)
        .map(|stretch| stretch.iter().map(|g| g[0]).sum::<f64>() / (drive * length as f64))
        .collect();
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    let squares: f64 = means.iter().map(|x| (x - mean) * (x - mean)).sum();
    let error = (squares / (STRETCHES * (STRETCHES - 1)) as f64).sqrt();
    mean.is_finite().then_some((mean, mean - STUDENT * error, mean + STUDENT * error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shaft that turns once in each period and sways by 1 mrad in every second one repeats itself after two periods, however many
    /// turns are seen.
    #[test]
    fn exact_turns_do_not_hide_a_period() {
        for count in [40, 4000] {
            let states: Vec<Vec<f64>> = (0..count)
                .map(|k| vec![TAU * f64::from(k) + if k % 2 == 0 { 1e-3 } else { 0.0 }])
                .collect();
            assert_eq!(States::new(&states, &[true], &[1.0]).period(8), Some(2), "{count}");
            // As a position, which has no turns, it never comes back.
            assert_eq!(States::new(&states, &[false], &[1.0]).period(8), None, "{count}");
        }
    }

    /// A swinging body that passes half a turn is as large as its swing.
    #[test]
    fn exact_the_extent_of_an_angle() {
        let states: Vec<Vec<f64>> = [3.0, 3.3, 2.9].map(|angle| vec![angle]).to_vec();
        let found = States::new(&states, &[true], &[1.0]).extents[0];
        assert!((found - 0.4).abs() < 1e-12, "{found}");
    }
}
