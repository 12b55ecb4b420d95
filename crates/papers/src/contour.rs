//! Isolines of a function on a grid, by marching squares.

use std::collections::BTreeMap;

/// Values on a grid whose axes are logarithmic; cells with a corner that is not a number have no lines.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    /// Value at (x, y): `values[row of y][column of x]`.
    pub(crate) values: Vec<Vec<f64>>,
}

/// An edge of the grid: column, row, and whether it goes up.
type Edge = (usize, usize, bool);

impl Map {
    /// Smallest and largest value.
    pub(crate) fn range(&self) -> (f64, f64) {
        let all = self.values.iter().flatten().filter(|value| value.is_finite());
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(*v), hi.max(*v)))
    }

    /// The fraction of the values that satisfy a condition, among those that are numbers.
    pub(crate) fn share(&self, holds: impl Fn(f64) -> bool) -> f64 {
        let all = || self.values.iter().flatten().filter(|value| value.is_finite());
        #[expect(clippy::cast_precision_loss, reason = "counts of a grid")]
        let share = all().filter(|value| holds(**value)).count() as f64 / all().count() as f64;
        share
    }

    /// The lines where the value is `level`, each from end to end.
    pub(crate) fn isolines(&self, level: f64) -> Vec<Vec<(f64, f64)>> {
        // neighbours of each crossed edge
        let mut links: BTreeMap<Edge, Vec<Edge>> = BTreeMap::new();
        for row in 1..self.y.len() {
            for column in 1..self.x.len() {
                for (a, b) in self.crossings(column - 1, row - 1, level) {
                    links.entry(a).or_default().push(b);
                    links.entry(b).or_default().push(a);
                }
            }
        }
        let mut lines = Vec::new();
        // open lines begin at an edge with one neighbour; the remaining ones are closed
        while let Some(start) = links
            .iter()
            .find(|(_, next)| next.len() == 1)
            .or_else(|| links.iter().next())
            .map(|(edge, _)| *edge)
        {
            let mut line = vec![start];
            let mut at = start;
            while let Some(next) = links.get_mut(&at).and_then(Vec::pop) {
                // each edge lists both neighbours, so the way back must be excluded
                if let Some(back) = links.get_mut(&next)
                    && let Some(place) = back.iter().position(|edge| *edge == at)
                {
                    back.swap_remove(place);
                }
                line.push(next);
                at = next;
            }
            links.retain(|_, next| !next.is_empty());
            if line.len() > 1 {
                lines.push(line.into_iter().map(|edge| self.point(edge, level)).collect());
            }
        }
        lines
    }

    fn value(&self, column: usize, row: usize) -> f64 {
        self.values.get(row).and_then(|row| row.get(column)).copied().unwrap_or(f64::NAN)
    }

    /// Pairs of crossed edges of the cell with this lower left corner.
    fn crossings(&self, column: usize, row: usize, level: f64) -> Vec<(Edge, Edge)> {
        let corner = |i, j| self.value(column + i, row + j);
        let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        if corners.iter().any(|value| !value.is_finite()) {
            return Vec::new();
        }
        let above = corners.map(|value| value >= level);
        let edges: [Edge; 4] = [
            (column, row, false),
            (column + 1, row, true),
            (column, row + 1, false),
            (column, row, true),
        ];
        let crossed: Vec<Edge> =
            (0..4).filter(|&i| above[i] != above[(i + 1) % 4]).map(|i| edges[i]).collect();
        match crossed[..] {
            [a, b] => vec![(a, b)],
            // a saddle: the mean decides
            [a, b, c, d] => {
                let mean = corners.iter().sum::<f64>() / 4.0;
                if (mean >= level) == above[0] {
                    vec![(a, b), (c, d)]
                } else {
                    vec![(d, a), (b, c)]
                }
            }
            _ => Vec::new(),
        }
    }

    /// Where the level crosses an edge, linear in the logarithm.
    fn point(&self, (column, row, up): Edge, level: f64) -> (f64, f64) {
        let end = if up { (column, row + 1) } else { (column + 1, row) };
        let (from, to) = (self.value(column, row), self.value(end.0, end.1));
        let share = (level - from) / (to - from);
        let between = |axis: &[f64], a: usize, b: usize| {
            let at = |i: usize| axis.get(i).copied().unwrap_or(f64::NAN);
            at(a) * (at(b) / at(a)).powf(share)
        };
        (between(&self.x, column, end.0), between(&self.y, row, end.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(f: impl Fn(f64, f64) -> f64) -> Map {
        let axis: Vec<f64> = (0..=40).map(|i| 10.0_f64.powf(0.05 * f64::from(i))).collect();
        let values = axis.iter().map(|y| axis.iter().map(|x| f(*x, *y)).collect()).collect();
        Map { x: axis.clone(), y: axis, values }
    }

    #[test]
    fn exact_lines_of_a_plane() {
        // linear in the logarithms: the isoline xy = 100 is straight and exact
        let lines = map(|x, y| (x * y).log10()).isolines(2.0);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].iter().all(|(x, y)| (x * y / 100.0 - 1.0).abs() < 1e-12));
        let (first, last) = (lines[0][0], lines[0][lines[0].len() - 1]);
        let span = (first.0 / last.0).ln().abs();
        assert!((span - 100.0_f64.ln()).abs() < 1e-9, "from edge to edge: {first:?} {last:?}");
    }

    #[test]
    fn order_two_on_a_circle_that_closes() {
        let radius = |x: f64, y: f64| (x.log10() - 1.0).hypot(y.log10() - 1.0);
        let lines = map(radius).isolines(0.5);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        // sagitta of a chord across a cell: h²/(8r) with h ≤ √2·0.05
        let off = lines[0].iter().map(|(x, y)| (radius(*x, *y) - 0.5).abs()).fold(0.0, f64::max);
        assert!(off < 2.0 * 0.05_f64.powi(2) / (8.0 * 0.5), "{off}");
    }

    #[test]
    fn property_no_line_where_there_is_no_number() {
        let hole = map(|x, y| if x > 10.0 { f64::NAN } else { (x * y).log10() });
        assert!(hole.isolines(1.0).iter().flatten().all(|(x, _)| *x <= 10.0 * (1.0 + 1e-9)));
    }
}
