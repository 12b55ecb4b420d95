//! Values over a grid of two quantities, as colours.

use crate::axis::Ruler;
use crate::figure::Scale;
use crate::legend::{Entry, Key};
use crate::scene::{Color, Item, Point};

/// A map: one coloured cell for each pair of places, and the colours with their values in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// Places of the columns, rising.
    pub x: Vec<f64>,
    /// Places of the rows, rising.
    pub y: Vec<f64>,
    /// The values row by row, each from the first column to the last; a cell whose value is not a number stays white.
    pub values: Vec<f64>,
    /// Unit of the values, printed in the legend; empty for pure numbers.
    pub unit: String,
}

/// Colours between which a map changes evenly, from the least value to the greatest; their lightness rises all the way, so that they are told apart
/// in grey and under colour-vision deficiencies (viridis, van der Walt and Smith 2015).
const STOPS: [Color; 6] = [
    [0x44, 0x01, 0x54],
    [0x41, 0x44, 0x87],
    [0x2a, 0x78, 0x8e],
    [0x22, 0xa8, 0x84],
    [0x7a, 0xd1, 0x51],
    [0xfd, 0xe7, 0x25],
];

/// Steps of colour.
const STEPS: usize = 60;

/// Values in the legend.
const KEYS: usize = 7;

impl Heat {
    /// Least and greatest value; `None` if there is none.
    fn range(&self) -> Option<(f64, f64)> {
        let finite = || self.values.iter().copied().filter(|value| value.is_finite());
        let low = finite().reduce(f64::min)?;
        Some((low, finite().reduce(f64::max)?))
    }

    /// Every x that automatic limits must contain.
    pub(crate) fn ends_x(&self, scale: Scale) -> impl Iterator<Item = f64> + use<> {
        ends(&edges(&self.x, scale))
    }

    /// Every y that automatic limits must contain.
    pub(crate) fn ends_y(&self, scale: Scale) -> impl Iterator<Item = f64> + use<> {
        ends(&edges(&self.y, scale))
    }

    /// The cells, those of one colour together, and the entries of the legend.
    pub(crate) fn draw(
        &self,
        (x, x_scale): (&Ruler, Scale),
        (y, y_scale): (&Ruler, Scale),
    ) -> (Vec<Item>, Vec<Entry>) {
        let Some((low, high)) = self.range() else { return (Vec::new(), Vec::new()) };
        // Whole pixels, so that no seam shows between two cells.
        let pixels = |ruler: &Ruler, edges: Vec<f64>| -> Vec<Option<f64>> {
            edges.into_iter().map(|edge| ruler.place(edge).map(f64::round)).collect()
        };
        let (xs, ys) = (pixels(x, edges(&self.x, x_scale)), pixels(y, edges(&self.y, y_scale)));
        let mut cells: Vec<Vec<Vec<Point>>> = vec![Vec::new(); STEPS];
        for (i, value) in self.values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            let (column, row) = (i % self.x.len(), i / self.x.len());
            let corner = |list: &[Option<f64>], i: usize| list.get(i).copied().flatten();
            let (Some(left), Some(right)) = (corner(&xs, column), corner(&xs, column + 1)) else {
                continue;
            };
            let (Some(bottom), Some(top)) = (corner(&ys, row), corner(&ys, row + 1)) else {
                continue;
            };
            let cell = vec![(left, bottom), (right, bottom), (right, top), (left, top)];
            cells[step(*value, low, high)].push(cell);
        }
        let full = cells.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty());
        let items =
            full.map(|(step, polygons)| Item::Fill { polygons, color: color(step), opacity: 1.0 });
        let count = if high > low { KEYS } else { 1 };
        let entry = |i: usize| {
            // The greatest first, as on an axis.
            let part = 1.0 - i as f64 / (KEYS - 1) as f64;
            let value = if i == 0 { high } else { low + (high - low) * part };
            let label = format!("{} {}", written(value, low.abs().max(high.abs())), self.unit);
            let key = Key::Shade { color: color(step(value, low, high)), opacity: 1.0 };
            Entry { key, label: label.trim().to_owned() }
        };
        (items.collect(), (0..count).map(entry).collect())
    }
}

/// The ends of cells around these places: halfway between neighbours, by ratio on a logarithmic axis.
fn edges(places: &[f64], scale: Scale) -> Vec<f64> {
    let measured = |value: f64| if scale == Scale::Log { value.ln() } else { value };
    let back = |value: f64| if scale == Scale::Log { value.exp() } else { value };
    let at: Vec<f64> = places.iter().map(|place| measured(*place)).collect();
    let (Some(first), Some(last)) = (at.first(), at.last()) else { return Vec::new() };
    let between: Vec<f64> = at.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let half = 0.5 * first.abs().max(1e-9);
    let (before, after) = match (between.first(), between.last()) {
        (Some(second), Some(last_but_one)) => (2.0 * first - second, 2.0 * last - last_but_one),
        _ => (first - half, last + half),
    };
    [before].into_iter().chain(between).chain([after]).map(back).collect()
}

fn ends(edges: &[f64]) -> impl Iterator<Item = f64> + use<> {
    [edges.first().copied(), edges.last().copied()].into_iter().flatten()
}

/// The step of colour of a value.
fn step(value: f64, low: f64, high: f64) -> usize {
    let part = if high > low { (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) } else { 0.5 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of them")]
    let step = (part * STEPS as f64) as usize;
    step.min(STEPS - 1)
}

fn color(step: usize) -> Color {
    let place = step as f64 / (STEPS - 1) as f64 * (STOPS.len() - 1) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of them")]
    let below = (place as usize).min(STOPS.len() - 2);
    let part = place - below as f64;
    let mix = |i: usize| {
        let [a, b] = [STOPS[below][i], STOPS[below + 1][i]].map(f64::from);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two")]
        let mixed = (a + part * (b - a)).round() as u8;
        mixed
    };
    [mix(0), mix(1), mix(2)]
}

/// A value with four digits of the greatest one.
fn written(value: f64, greatest: f64) -> String {
    if greatest == 0.0 {
        return "0".to_owned();
    }
    let magnitude = greatest.log10().floor();
    let text = if (-3.0..6.0).contains(&magnitude) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 6")]
        let decimals = (3.0 - magnitude).max(0.0) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.3e}").replace('e', "×10^{") + "}"
    };
    text.replace('-', "−")
}
