//! A law given by points (δ, F).

use std::fmt;

use super::{Elastic, ElasticModel, Limits};

/// Points joined by monotone cubics (Fritsch, Carlson 1980): C¹, no overshoot, exact integral.
///
/// Beyond the last point the tangent there is used and flagged.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Indentations, forces, slopes and energies at the knots; the first knot is the origin.
    knots: Vec<Knot>,
}

jointplay_fingerprint::fingerprint!(struct Table { knots });

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Knot {
    delta: f64,
    force: f64,
    slope: f64,
    energy: f64,
}

jointplay_fingerprint::fingerprint!(struct Knot { delta, force, slope, energy });

/// What is wrong with a row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableProblem {
    /// Line of the file, counted from 1.
    pub line: usize,
    /// What is wrong and what is expected.
    pub message: String,
}

impl fmt::Display for TableProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Table {
    /// A table from points with increasing δ > 0 and F that does not decrease; (0, 0) is added if absent.
    ///
    /// # Errors
    /// Every row that breaks the rule, not only the first.
    pub fn new(points: &[(f64, f64)]) -> Result<Self, Vec<TableProblem>> {
        let numbered: Vec<_> = points.iter().enumerate().map(|(i, &p)| (i + 1, p)).collect();
        Self::from_rows(&numbered)
    }

    /// From CSV text: two columns, δ in m and F in N. A header line is allowed if it agrees with
    /// these columns; blank lines and lines that start with `#` are ignored.
    ///
    /// # Errors
    /// Every line that is not two numbers or breaks the order.
    pub fn from_csv(text: &str) -> Result<Self, Vec<TableProblem>> {
        let (mut rows, mut problems) = (Vec::new(), Vec::new());
        let mut header_allowed = true;
        for (i, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fields: Vec<_> = line.split([',', ';', '\t']).map(str::trim).collect();
            match fields.as_slice() {
                [delta, force] => match (delta.parse::<f64>(), force.parse::<f64>()) {
                    (Ok(delta), Ok(force)) => rows.push((i + 1, (delta, force))),
                    (Err(_), Err(_)) if header_allowed => {
                        problems.extend(header_problem(i + 1, delta, force));
                    }
                    _ => problems.push(TableProblem {
                        line: i + 1,
                        message: format!(
                            "`{line}` is not two numbers (indentation in m, force in N)"
                        ),
                    }),
                },
                _ => problems.push(TableProblem {
                    line: i + 1,
                    message: format!(
                        "expected two columns, indentation and force, found {}",
                        fields.len()
                    ),
                }),
            }
            header_allowed = false;
        }
        match Self::from_rows(&rows) {
            Ok(table) if problems.is_empty() => Ok(table),
            Ok(_) => Err(problems),
            Err(more) => {
                problems.extend(more);
                problems.sort_by_key(|p| p.line);
                Err(problems)
            }
        }
    }

    fn from_rows(rows: &[(usize, (f64, f64))]) -> Result<Self, Vec<TableProblem>> {
        let mut problems = Vec::new();
        let mut knots = vec![Knot::default()];
        for &(line, (delta, force)) in rows {
            let mut wrong = |message: String| problems.push(TableProblem { line, message });
            let last = knots[knots.len() - 1];
            if !delta.is_finite() || !force.is_finite() {
                wrong(format!("({delta}, {force}) is not finite"));
            } else if delta == 0.0 && knots.len() == 1 {
                if force != 0.0 {
                    wrong(format!("the force at zero indentation must be 0, not {force}"));
                }
            } else if delta <= last.delta {
                wrong(format!("indentation must increase, but {delta} follows {}", last.delta));
            } else if force < last.force {
                wrong(format!(
                    "force decreases from {} to {force}; a law must be monotone",
                    last.force
                ));
            } else if !((force - last.force) / (delta - last.delta)).is_finite() {
                wrong(format!("force rises too steeply, from {} to {force}", last.force));
            } else {
                knots.push(Knot { delta, force, ..Knot::default() });
            }
        }
        if problems.is_empty() && (knots.len() < 3 || knots[knots.len() - 1].force == 0.0) {
            problems.push(TableProblem {
                line: rows.last().map_or(1, |r| r.0),
                message:
                    "a law needs at least two points in addition to (0, 0), and a force above 0"
                        .into(),
            });
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        set_slopes(&mut knots);
        for i in 1..knots.len() {
            let energy =
                knots[i - 1].energy + Cubic::between(&knots[i - 1], &knots[i]).integral(1.0);
            knots[i].energy = energy;
        }
        Ok(Self { knots })
    }
}

/// The problem of a header that contradicts the columns, indentation in m and force in N.
fn header_problem(line: usize, first: &str, second: &str) -> Option<TableProblem> {
    let (first, second) = (first.to_lowercase(), second.to_lowercase());
    let is_force = |name: &str| name == "f" || name.starts_with("force") || name.starts_with("f ");
    if is_force(&first) && !is_force(&second) {
        let message = "the header puts the force first; the columns are indentation, force".into();
        return Some(TableProblem { line, message });
    }
    let unit = |name: &str| {
        let inside = name.split_once(['[', '('])?.1.split([']', ')']).next()?;
        Some(inside.trim().to_owned())
    };
    let wrong = |name: &str, si: &str| unit(name).filter(|u| u != si);
    let found = wrong(&first, "m").or_else(|| wrong(&second, "n"))?;
    let message = format!("the header gives the unit `{found}`; the columns are in m and N");
    Some(TableProblem { line, message })
}

/// Slopes at the knots by the weighted harmonic mean of the secants, which keeps every piece
/// monotone; one-sided at the ends.
fn set_slopes(knots: &mut [Knot]) {
    let secant: Vec<f64> =
        knots.windows(2).map(|k| (k[1].force - k[0].force) / (k[1].delta - k[0].delta)).collect();
    let width: Vec<f64> = knots.windows(2).map(|k| k[1].delta - k[0].delta).collect();
    let end = |h0: f64, h1: f64, s0: f64, s1: f64| {
        let slope = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
        slope.clamp(0.0, 3.0 * s0)
    };
    let n = knots.len();
    knots[0].slope = end(width[0], width[1], secant[0], secant[1]);
    knots[n - 1].slope = end(width[n - 2], width[n - 3], secant[n - 2], secant[n - 3]);
    for i in 1..n - 1 {
        let (s0, s1) = (secant[i - 1], secant[i]);
        if s0 > 0.0 && s1 > 0.0 {
            let (w0, w1) = (2.0 * width[i] + width[i - 1], width[i] + 2.0 * width[i - 1]);
            knots[i].slope = (w0 + w1) / (w0 / s0 + w1 / s1);
        }
    }
}

/// One Hermite piece in x ∈ [0, 1].
struct Cubic {
    width: f64,
    c: [f64; 4],
}

impl Cubic {
    fn between(left: &Knot, right: &Knot) -> Self {
        let width = right.delta - left.delta;
        let (m0, m1) = (left.slope * width, right.slope * width);
        let rise = right.force - left.force;
        Self { width, c: [left.force, m0, 3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise] }
    }

    fn value(&self, x: f64) -> f64 {
        let [a, b, c, d] = self.c;
        a + x * (b + x * (c + x * d))
    }

    fn slope(&self, x: f64) -> f64 {
        let [_, b, c, d] = self.c;
        (b + x * (2.0 * c + x * 3.0 * d)) / self.width
    }

    fn integral(&self, x: f64) -> f64 {
        let [a, b, c, d] = self.c;
        self.width * x * (a + x * (b / 2.0 + x * (c / 3.0 + x * d / 4.0)))
    }
}

impl ElasticModel for Table {
    fn eval(&self, delta: f64) -> Elastic {
        if delta <= 0.0 {
            return Elastic::default();
        }
        if delta.is_nan() {
            return Elastic::not_a_number();
        }
        let next = self.knots.partition_point(|k| k.delta < delta);
        let Some(right) = self.knots.get(next) else {
            let last = self.knots[self.knots.len() - 1];
            let Knot { force, slope, energy, .. } = last;
            let end = Elastic { force, slope, energy, continued: false };
            return end.along_tangent(delta - last.delta);
        };
        let left = &self.knots[next - 1];
        let piece = Cubic::between(left, right);
        let x = (delta - left.delta) / piece.width;
        Elastic {
            force: piece.value(x),
            slope: piece.slope(x).max(0.0),
            energy: left.energy + piece.integral(x),
            continued: false,
        }
    }

    fn limits(&self) -> Limits {
        let last = self.knots[self.knots.len() - 1];
        Limits {
            delta: Some(last.delta),
            force: Some(last.force),
            published_force: None,
            continued_from: Some(last.delta),
        }
    }
}
