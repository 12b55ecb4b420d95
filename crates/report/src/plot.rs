//! The inside of the frame: regions, reference lines and series, and the entries of the legend.

use crate::axis::{self, Direction, Ruler};
use crate::error::FigureError;
use crate::figure::{
    Area, Axis, Emphasis, Figure, Legend, Reference, ReferenceLine, Series, Shading, Style,
};
use crate::font::Line;
use crate::geometry::{self, Crowd, Plate};
use crate::legend::{Entry, Key};
use crate::scene::{Anchor, Color, GREY, Glyph, Item, Point, Spot, Stroke};

/// Okabe and Ito (2008) without yellow: blue, vermilion, green, purple, sky, orange, black.
const PALETTE: [Color; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0x56, 0xb4, 0xe9],
    [0xe6, 0x9f, 0x00],
    [0x00, 0x00, 0x00],
];
/// Order in which regions without a colour take theirs, to differ from the first lines.
const TINTS: [usize; 7] = [4, 5, 2, 3, 0, 1, 6];
const TINT: f64 = 0.22;
const DASHED: &[f64] = &[6.0, 3.0];
const DOTTED: &[f64] = &[1.6, 2.2];
/// Dash patterns of [`Style::Auto`], one per round of the palette.
const ROUNDS: [&[f64]; 4] = [&[], DASHED, DOTTED, &[8.0, 2.5, 1.6, 2.5]];
const REFERENCE: Stroke = Stroke { color: GREY, width: 1.0, dash: &[4.0, 2.5], opacity: 1.0 };
const SHAPES: [Glyph; 4] = [Glyph::Circle, Glyph::Square, Glyph::Triangle, Glyph::Diamond];

const REFERENCE_SIZE: f64 = 11.5;

/// The drawn inside of a frame. Positions are pixels from its upper left corner.
pub(crate) struct Plot {
    frame: Point,
    pub(crate) x: Ruler,
    pub(crate) y: Ruler,
    pub(crate) items: Vec<Item>,
    /// The places that the legend must not cover.
    pub(crate) crowd: Crowd,
    /// The entries of the legend: series, regions, and reference lines without room for a label.
    pub(crate) entries: Vec<Entry>,
}

/// A reference line inside the frame, still without its label.
struct Drawn<'a> {
    label: &'a str,
    ends: [Point; 2],
}

impl Plot {
    /// Draws everything but axes, title and legend.
    pub(crate) fn draw(figure: &Figure) -> Result<Self, FigureError> {
        let (width, height) = figure.size;
        let heat = figure.heat.as_ref();
        let x_ends: Option<Vec<f64>> = heat.map(|heat| heat.ends_x(figure.x.scale).collect());
        let y_ends: Option<Vec<f64>> = heat.map(|heat| heat.ends_y(figure.y.scale).collect());
        let (x, y) = (fitted(&figure.x, x_ends.as_deref()), fitted(&figure.y, y_ends.as_deref()));
        let mut plot = Self {
            frame: figure.size,
            x: Ruler::new(&x, x_values(figure), Direction::Right, width)?,
            y: Ruler::new(&y, y_values(figure), Direction::Up, height)?,
            items: Vec::new(),
            crowd: Crowd::default(),
            entries: Vec::new(),
        };
        if let Some(heat) = &figure.heat {
            let (items, entries) = heat.draw((&plot.x, figure.x.scale), (&plot.y, figure.y.scale));
            let clipped = items.into_iter().map(|item| match item {
                Item::Fill { polygons, color, opacity } => {
                    let inside =
                        polygons.into_iter().map(|cell| geometry::clip_polygon(cell, figure.size));
                    let polygons = inside.filter(|cell| cell.len() > 2).collect();
                    Item::Fill { polygons, color, opacity }
                }
                other => other,
            });
            plot.items.extend(clipped);
            plot.entries.extend(entries);
            // The legend covers no cell.
            let (w, h) = figure.size;
            plot.crowd.add_shade(vec![(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]);
        }
        let regions = plot.draw_regions(&figure.regions);
        let references = plot.draw_references(&figure.references);
        plot.draw_series(&figure.series);
        plot.entries.extend(regions);
        plot.label_references(references, figure.legend != Legend::None);
        Ok(plot)
    }

    fn point(&self, (x, y): Point) -> Option<Point> {
        Some((self.x.place(x)?, self.y.place(y)?))
    }

    fn point_or_edge(&self, (x, y): Point) -> Option<Point> {
        Some((self.x.place_or_edge(x)?, self.y.place_or_edge(y)?))
    }

    /// Shades the regions and returns their entries, which follow those of the series.
    fn draw_regions(&mut self, regions: &[Shading]) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut next = 0;
        for region in regions {
            let place = region.color.unwrap_or_else(|| {
                next += 1;
                TINTS[(next - 1) % TINTS.len()]
            });
            let color = PALETTE[place % PALETTE.len()];
            let polygons = match &region.area {
                Area::Polygon(corners) => {
                    vec![corners.iter().filter_map(|c| self.point_or_edge(*c)).collect()]
                }
                Area::Band(curves) => self.band(curves),
            };
            let polygons: Vec<_> = polygons
                .into_iter()
                .map(|polygon| geometry::clip_polygon(polygon, self.frame))
                .filter(|polygon| polygon.len() > 2)
                .collect();
            for polygon in &polygons {
                self.crowd.add_shade(polygon.clone());
            }
            self.items.push(Item::Fill { polygons, color, opacity: TINT });
            if !region.label.trim().is_empty() {
                entries.push(Entry {
                    key: Key::Shade { color, opacity: TINT },
                    label: region.label.clone(),
                });
            }
        }
        entries
    }

    /// The polygons of a band: out along the lower curve, back along the upper one.
    fn band(&self, curves: &[(f64, f64, f64)]) -> Vec<Vec<Point>> {
        let both = |&(x, low, high): &(f64, f64, f64)| {
            Some((self.point_or_edge((x, low))?, self.point_or_edge((x, high))?))
        };
        let sound = |triple: &(f64, f64, f64)| both(triple).is_some();
        curves
            .chunk_by(|a, b| sound(a) && sound(b))
            .map(|chunk| {
                let (low, high): (Vec<_>, Vec<_>) = chunk.iter().filter_map(both).unzip();
                geometry::thin(low)
                    .into_iter()
                    .chain(geometry::thin(high).into_iter().rev())
                    .collect()
            })
            .collect()
    }

    fn draw_references<'a>(&mut self, references: &'a [Reference]) -> Vec<Drawn<'a>> {
        let (w, h) = self.frame;
        let mut drawn = Vec::new();
        for reference in references {
            let ends = match reference.place {
                ReferenceLine::Vertical(x) => self.x.place(x).map(|x| [(x, h), (x, 0.0)]),
                ReferenceLine::Horizontal(y) => self.y.place(y).map(|y| [(0.0, y), (w, y)]),
                ReferenceLine::Through(a, b) => match (self.point(a), self.point(b)) {
                    (Some(a), Some(b)) => extend(a, b, w + h),
                    _ => None,
                },
            };
            for part in ends.map(|ends| geometry::clip_line(&ends, self.frame)).unwrap_or_default()
            {
                self.crowd.add_line(&part);
                drawn.push(Drawn { label: reference.label.trim(), ends: [part[0], part[1]] });
                self.items.push(Item::Lines { lines: vec![part], stroke: REFERENCE });
            }
        }
        drawn
    }

    fn draw_series(&mut self, series: &[Series]) {
        let (mut colors, mut shapes) = (0, 0);
        let mut layers: [Vec<Item>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        for series in series {
            let place = series.color.unwrap_or(colors);
            colors += usize::from(series.color.is_none());
            let color = PALETTE[place % PALETTE.len()];
            let (layer, width, radius, opacity) = match series.emphasis {
                Emphasis::Faint => (0, 1.0, 2.2, 0.45),
                Emphasis::Normal => (1, 1.5, 3.0, 1.0),
                Emphasis::Strong => (2, 2.8, 4.2, 1.0),
            };
            let layer = &mut layers[layer];
            let dash = match series.style {
                Style::Auto => ROUNDS[place / PALETTE.len() % ROUNDS.len()],
                Style::Dashed => DASHED,
                Style::Dotted => DOTTED,
                Style::Solid | Style::Markers => &[],
            };
            let stroke = Stroke { color, width, dash, opacity };
            let points = series.points.iter().map(|p| self.point(*p));
            let key = if series.style == Style::Markers {
                let shape = SHAPES[shapes % SHAPES.len()];
                shapes += 1;
                let at = points.flatten().filter(|p| geometry::within(*p, self.frame)).collect();
                let at = geometry::thin_cloud(at);
                self.crowd.add_marks(&at);
                layer.push(Item::Markers { shape, at, radius, color, opacity });
                Key::Marker { shape, radius, color, opacity }
            } else {
                let (mut lines, mut dots) = (Vec::new(), Vec::new());
                for piece in geometry::pieces(points) {
                    if let [alone] = piece[..] {
                        dots.push(alone);
                    } else {
                        lines.append(&mut geometry::clip_line(&geometry::thin(piece), self.frame));
                    }
                }
                for line in &lines {
                    self.crowd.add_line(line);
                }
                layer.push(Item::Lines { lines, stroke });
                dots.retain(|p| geometry::within(*p, self.frame));
                if !dots.is_empty() {
                    self.crowd.add_marks(&dots);
                    layer.push(Item::Markers {
                        shape: Glyph::Circle,
                        at: dots,
                        radius: 1.5 * width,
                        color,
                        opacity,
                    });
                }
                Key::Line(stroke)
            };
            if !series.label.trim().is_empty() {
                self.entries.push(Entry { key, label: series.label.clone() });
            }
        }
        self.items.extend(layers.into_iter().flatten());
    }

    /// Puts the label of each reference line next to it if there is a free place, otherwise into
    /// the legend; without a legend, at the place where it covers least.
    fn label_references(&mut self, references: Vec<Drawn<'_>>, legend: bool) {
        for Drawn { label, ends } in references {
            if label.is_empty() {
                continue;
            }
            let line = Line::parse(label);
            let mut best: Option<(Plate, f64)> = None;
            for plate in places_beside(ends, line.width(REFERENCE_SIZE)) {
                if let Some(cost) = self.crowd.cost(&plate, self.frame)
                    && best.is_none_or(|(_, least)| cost < least)
                {
                    best = Some((plate, cost));
                }
            }
            match best {
                Some((plate, cost)) if cost < 1.0 || !legend => {
                    self.crowd.add_plate(&plate);
                    let drop = 0.35 * REFERENCE_SIZE / (plate.height / 2.0);
                    let spot = Spot {
                        at: plate.at(0.0, drop),
                        anchor: Anchor::Middle,
                        angle: plate.angle,
                    };
                    self.items.push(Item::Text { line, spot, size: REFERENCE_SIZE, halo: true });
                }
                _ => {
                    self.entries.push(Entry { key: Key::Line(REFERENCE), label: label.to_owned() });
                }
            }
        }
    }
}

/// The line through two points, `reach` pixels beyond both.
fn extend(a: Point, b: Point, reach: f64) -> Option<[Point; 2]> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy);
    if length < 1e-9 {
        return None;
    }
    let (ux, uy) = (dx / length, dy / length);
    // From the point nearest to the frame's corner, so that far points lose no digits.
    let back = a.0 * ux + a.1 * uy;
    let foot = (a.0 - back * ux, a.1 - back * uy);
    let reach = reach + foot.0.hypot(foot.1);
    Some([(foot.0 - reach * ux, foot.1 - reach * uy), (foot.0 + reach * ux, foot.1 + reach * uy)])
}

/// Plates for a label of this width along a line, best first: upright next to a vertical line,
/// otherwise along the line, above or below it.
fn places_beside([a, b]: [Point; 2], width: f64) -> Vec<Plate> {
    let (width, height) = (width + 6.0, REFERENCE_SIZE * 1.45);
    let vertical = (a.0 - b.0).abs() < 1e-6;
    let (a, b) = if !vertical && a.0 > b.0 { (b, a) } else { (a, b) };
    let length = (b.0 - a.0).hypot(b.1 - a.1);
    let (ux, uy) = ((b.0 - a.0) / length, (b.1 - a.1) / length);
    let angle = if vertical { 0.0 } else { uy.atan2(ux).to_degrees() };
    // Extent of the plate along the line, and distance of its centre from the line.
    let (along, aside) =
        if vertical { (height, width / 2.0 + 2.0) } else { (width, height / 2.0 + 2.0) };
    let margin = along / 2.0 + 8.0;
    let mut plates = Vec::new();
    for t in [
        length - margin,
        margin,
        0.5 * length,
        0.75 * length,
        0.25 * length,
        0.62 * length,
        0.38 * length,
    ] {
        for side in [1.0, -1.0] {
            let centre = (a.0 + ux * t + side * uy * aside, a.1 + uy * t - side * ux * aside);
            plates.push(Plate { centre, width, height, angle });
        }
    }
    plates
}

/// An axis without limits of its own ends where the cells of a map do.
fn fitted(axis: &Axis, ends: Option<&[f64]>) -> Axis {
    match (axis.limits, ends) {
        (None, Some(&[low, high])) if axis::drawable(axis.scale, low) && high > low => {
            axis.clone().within(low, high)
        }
        _ => axis.clone(),
    }
}

/// Every x that automatic limits must contain.
fn x_values(figure: &Figure) -> impl Iterator<Item = f64> {
    let (scale, within) = (figure.y.scale, figure.y.limits.unwrap_or((f64::MIN, f64::MAX)));
    let shown = move |y: f64| axis::drawable(scale, y) && within.0 <= y && y <= within.1;
    let series =
        figure.series.iter().flat_map(|s| &s.points).filter(move |p| shown(p.1)).map(|p| p.0);
    let regions = figure.regions.iter().flat_map(|r| match &r.area {
        Area::Polygon(corners) => corners.iter().map(|c| c.0).collect::<Vec<_>>(),
        Area::Band(curves) => curves.iter().map(|c| c.0).collect(),
    });
    let references = figure.references.iter().flat_map(|r| match r.place {
        ReferenceLine::Vertical(x) => vec![x],
        ReferenceLine::Horizontal(_) | ReferenceLine::Through(..) => vec![],
    });
    let cells = figure.heat.iter().flat_map(|heat| heat.ends_x(figure.x.scale));
    series.chain(regions).chain(references).chain(cells)
}

/// Every y that automatic limits must contain.
fn y_values(figure: &Figure) -> impl Iterator<Item = f64> {
    let (scale, within) = (figure.x.scale, figure.x.limits.unwrap_or((f64::MIN, f64::MAX)));
    let shown = move |x: f64| axis::drawable(scale, x) && within.0 <= x && x <= within.1;
    let series =
        figure.series.iter().flat_map(|s| &s.points).filter(move |p| shown(p.0)).map(|p| p.1);
    let regions = figure.regions.iter().flat_map(|r| match &r.area {
        Area::Polygon(corners) => corners.iter().map(|c| c.1).collect::<Vec<_>>(),
        Area::Band(curves) => curves.iter().flat_map(|c| [c.1, c.2]).collect(),
    });
    let references = figure.references.iter().flat_map(|r| match r.place {
        ReferenceLine::Horizontal(y) => vec![y],
        ReferenceLine::Vertical(_) | ReferenceLine::Through(..) => vec![],
    });
    let cells = figure.heat.iter().flat_map(|heat| heat.ends_y(figure.y.scale));
    series.chain(regions).chain(references).chain(cells)
}
