//! The legend: entries, columns, and its place inside the frame or next to it.

use crate::font::Line;
use crate::geometry::{Crowd, Plate};
use crate::scene::{Anchor, Color, Glyph, Item, Point, Spot, Stroke, WHITE};

/// Font size of the entries.
const SIZE: f64 = 12.0;
/// Height of a line of text.
const LEADING: f64 = 15.0;
/// Extra height of an entry.
const SPACE: f64 = 2.5;
/// Length of a key: long enough to show two periods of every dash pattern.
const KEY: f64 = 28.0;
const KEY_GAP: f64 = 7.0;
const COLUMN_GAP: f64 = 18.0;
/// White space around a legend inside the frame.
const PADDING: f64 = 6.0;
/// Distance of a legend inside the frame from the frame.
const INSET: f64 = 5.0;

/// The sample drawn before a label.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    Line(Stroke),
    Marker { shape: Glyph, radius: f64, color: Color, opacity: f64 },
    Shade { color: Color, opacity: f64 },
}

/// Label and sample of one series, region or reference line.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) label: String,
}

/// Entries set in columns, ready to be drawn anywhere.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    entries: Vec<(Point, Key, Vec<Line>)>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Block {
    /// Sets `entries` in columns of at most `height`, breaking labels longer than `wrap`.
    pub(crate) fn new(entries: &[Entry], height: f64, wrap: f64) -> Self {
        let mut block = Self { entries: Vec::new(), width: 0.0, height: 0.0 };
        let (mut x, mut y) = (0.0, 0.0);
        for entry in entries {
            let lines = Line::wrap(&entry.label, SIZE, wrap);
            let tall = lines.len() as f64 * LEADING + SPACE;
            if y > 0.0 && y + tall > height {
                (x, y) = (block.width + COLUMN_GAP, 0.0);
            }
            let widest = lines.iter().map(|l| l.width(SIZE)).fold(0.0, f64::max);
            block.width = block.width.max(x + KEY + KEY_GAP + widest);
            block.height = block.height.max(y + tall);
            block.entries.push(((x, y), entry.key, lines));
            y += tall;
        }
        block
    }

    /// The place inside the frame at which it covers least, with its cost.
    pub(crate) fn clearest(&self, crowd: &Crowd, frame: Point) -> Option<(Plate, f64)> {
        let (width, height) = (self.width + 2.0 * PADDING, self.height + 2.0 * PADDING);
        let (left, top) = (INSET, INSET);
        let (right, bottom) = (frame.0 - INSET - width, frame.1 - INSET - height);
        let (middle, centre) = ((frame.1 - height) / 2.0, (frame.0 - width) / 2.0);
        let places = [
            (right, top),
            (left, top),
            (right, bottom),
            (left, bottom),
            (right, middle),
            (left, middle),
            (centre, top),
            (centre, bottom),
        ];
        let mut best: Option<(Plate, f64)> = None;
        for (x, y) in places {
            let plate = Plate::upright(x, y, width, height);
            if let Some(cost) = crowd.cost(&plate, frame)
                && best.is_none_or(|(_, least)| cost < least)
            {
                best = Some((plate, cost));
            }
        }
        best
    }

    /// Draws the block on a white plate inside the frame.
    pub(crate) fn draw_on(&self, plate: &Plate, items: &mut Vec<Item>) {
        let corners =
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|c| plate.at(c.0, c.1));
        items.push(Item::Fill { polygons: vec![corners.to_vec()], color: WHITE, opacity: 0.85 });
        self.draw(corners[0].0 + PADDING, corners[0].1 + PADDING, items);
    }

    /// Draws the block with its upper left corner at (`left`, `top`).
    pub(crate) fn draw(&self, left: f64, top: f64, items: &mut Vec<Item>) {
        for ((x, y), key, lines) in &self.entries {
            let (x, y) = (left + x, top + y);
            let middle = y + f64::midpoint(LEADING, SPACE);
            items.push(match *key {
                Key::Line(stroke) => {
                    Item::Lines { lines: vec![vec![(x, middle), (x + KEY, middle)]], stroke }
                }
                Key::Marker { shape, radius, color, opacity } => Item::Markers {
                    shape,
                    at: vec![(x + KEY / 2.0, middle)],
                    radius,
                    color,
                    opacity,
                },
                Key::Shade { color, opacity } => {
                    let (up, down) = (middle - 5.0, middle + 5.0);
                    let corners = vec![(x, up), (x + KEY, up), (x + KEY, down), (x, down)];
                    Item::Fill { polygons: vec![corners], color, opacity }
                }
            });
            for (i, line) in lines.iter().enumerate() {
                let at = (x + KEY + KEY_GAP, middle + 0.35 * SIZE + i as f64 * LEADING);
                let spot = Spot { at, anchor: Anchor::Start, angle: 0.0 };
                items.push(Item::Text { line: line.clone(), spot, size: SIZE, halo: false });
            }
        }
    }
}
