//! Plane geometry in pixels: breaking, thinning and clipping of curves, and overlaps.

use crate::scene::Point;

/// Series longer than this are thinned.
const MANY: usize = 4000;
/// Columns per pixel that keep their own extremes when a curve is thinned.
const COLUMNS: f64 = 2.0;

/// Cuts a curve where a point has no place.
pub(crate) fn pieces(points: impl Iterator<Item = Option<Point>>) -> Vec<Vec<Point>> {
    let mut pieces = vec![Vec::new()];
    for point in points {
        match (point, pieces.last_mut()) {
            (Some(p), Some(last)) => last.push(p),
            _ => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|p| !p.is_empty());
    pieces
}

/// Reduces a long curve to the first, lowest, highest and last of neighbouring points that share a
/// column. The drawn line stays the same to a fraction of a pixel, also for curves that turn back.
pub(crate) fn thin(curve: Vec<Point>) -> Vec<Point> {
    if curve.len() <= MANY {
        return curve;
    }
    let column = |p: &Point| (p.0 * COLUMNS).floor();
    let mut kept = Vec::new();
    for run in curve.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &usize, b: &usize| run[*a].1.total_cmp(&run[*b].1);
        let low = (0..run.len()).min_by(by_height).unwrap_or(0);
        let high = (0..run.len()).max_by(by_height).unwrap_or(0);
        let mut keep = [0, low.min(high), low.max(high), run.len() - 1].to_vec();
        keep.dedup();
        kept.extend(keep.into_iter().map(|i| run[i]));
    }
    kept
}

/// Reduces a large cloud of markers to one per quarter of a square pixel.
pub(crate) fn thin_cloud(mut cloud: Vec<Point>) -> Vec<Point> {
    if cloud.len() > MANY {
        let cell = |p: &Point| ((p.0 * COLUMNS).floor(), (p.1 * COLUMNS).floor());
        cloud.sort_by(|a, b| {
            let (a, b) = (cell(a), cell(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        cloud.dedup_by(|a, b| cell(a) == cell(b));
    }
    cloud
}

/// The parts of a polyline inside the frame `[0, w] x [0, h]`.
pub(crate) fn clip_line(line: &[Point], (w, h): Point) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    for pair in line.windows(2) {
        let Some((a, b)) = clip_segment(pair[0], pair[1], (w, h)) else {
            continue;
        };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&a) => part.push(b),
            _ => parts.push(vec![a, b]),
        }
    }
    parts
}

/// Liang and Barsky: the part of a segment inside the frame.
fn clip_segment(a: Point, b: Point, (w, h): Point) -> Option<(Point, Point)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (speed, room) in [(-dx, a.0), (dx, w - a.0), (-dy, a.1), (dy, h - a.1)] {
        if speed == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if speed < 0.0 {
            enter = enter.max(room / speed);
        } else {
            leave = leave.min(room / speed);
        }
    }
    let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
    (enter <= leave)
        .then(|| (if enter > 0.0 { at(enter) } else { a }, if leave < 1.0 { at(leave) } else { b }))
}

/// Sutherland and Hodgman: the part of a polygon inside the frame. Parts of a concave polygon stay
/// joined along the edge of the frame, which shading does not show.
pub(crate) fn clip_polygon(mut polygon: Vec<Point>, (w, h): Point) -> Vec<Point> {
    let sides: [&dyn Fn(Point) -> f64; 4] = [&|p| p.0, &|p| w - p.0, &|p| p.1, &|p| h - p.1];
    for depth in sides {
        let mut kept = Vec::with_capacity(polygon.len());
        for (i, &b) in polygon.iter().enumerate() {
            let a = polygon[(i + polygon.len() - 1) % polygon.len()];
            let (da, db) = (depth(a), depth(b));
            if (da < 0.0) != (db < 0.0) {
                let t = da / (da - db);
                kept.push((a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)));
            }
            if db >= 0.0 {
                kept.push(b);
            }
        }
        polygon = kept;
    }
    polygon
}

/// Whether a point is inside the frame.
pub(crate) fn within(p: Point, (w, h): Point) -> bool {
    (0.0..=w).contains(&p.0) && (0.0..=h).contains(&p.1)
}

/// A rectangle around `centre`, turned clockwise by `angle` degrees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plate {
    pub(crate) centre: Point,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) angle: f64,
}

impl Plate {
    /// An upright plate with this upper left corner.
    pub(crate) fn upright(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { centre: (x + width / 2.0, y + height / 2.0), width, height, angle: 0.0 }
    }

    /// The point of the plate at (u, v), each from -1 to 1.
    pub(crate) fn at(&self, u: f64, v: f64) -> Point {
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let (x, y) = (u * self.width / 2.0, v * self.height / 2.0);
        (self.centre.0 + x * cos - y * sin, self.centre.1 + x * sin + y * cos)
    }

    fn covers(&self, p: Point) -> bool {
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let (x, y) = (p.0 - self.centre.0, p.1 - self.centre.1);
        (x * cos + y * sin).abs() <= self.width / 2.0
            && (y * cos - x * sin).abs() <= self.height / 2.0
    }

    /// Points spread over the plate, about `step` apart.
    fn grid(&self, step: f64) -> Vec<Point> {
        let (columns, rows) =
            ((self.width / step).ceil().max(1.0), (self.height / step).ceil().max(1.0));
        let mut points = Vec::new();
        let mut row = 0.0;
        while row <= rows {
            let mut column = 0.0;
            while column <= columns {
                points.push(self.at(2.0 * column / columns - 1.0, 2.0 * row / rows - 1.0));
                column += 1.0;
            }
            row += 1.0;
        }
        points
    }

    fn inside_frame(&self, frame: Point) -> bool {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .iter()
            .all(|c| within(self.at(c.0, c.1), frame))
    }
}

/// The occupied places inside the frame, which text should avoid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    marks: Vec<Point>,
    shades: Vec<Vec<Point>>,
}

impl Crowd {
    /// Adds a curve, sampled finely enough that no text slips through.
    pub(crate) fn add_line(&mut self, line: &[Point]) {
        for pair in line.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let steps = ((b.0 - a.0).hypot(b.1 - a.1) / 3.0).ceil().max(1.0);
            let mut i = 0.0;
            while i <= steps {
                self.marks.push((a.0 + (b.0 - a.0) * i / steps, a.1 + (b.1 - a.1) * i / steps));
                i += 1.0;
            }
        }
    }

    /// Adds single marks.
    pub(crate) fn add_marks(&mut self, marks: &[Point]) {
        self.marks.extend_from_slice(marks);
    }

    /// Adds a label.
    pub(crate) fn add_plate(&mut self, plate: &Plate) {
        self.marks.extend(plate.grid(3.0));
    }

    /// Adds a shaded polygon, which text may cover if necessary.
    pub(crate) fn add_shade(&mut self, polygon: Vec<Point>) {
        self.shades.push(polygon);
    }

    /// The cost of text on this plate: 0 on an empty place, below 1 on shading, more on lines and
    /// labels; `None` if it would leave the frame.
    pub(crate) fn cost(&self, plate: &Plate, frame: Point) -> Option<f64> {
        if !plate.inside_frame(frame) {
            return None;
        }
        let hits = self.marks.iter().filter(|m| plate.covers(**m)).count();
        let grid = plate.grid(plate.width.max(plate.height) / 6.0);
        let shaded = grid.iter().filter(|p| self.shades.iter().any(|s| contains(s, **p))).count();
        Some(hits as f64 + shaded as f64 / (grid.len() + 1) as f64)
    }
}

/// Even-odd rule.
fn contains(polygon: &[Point], p: Point) -> bool {
    let mut inside = false;
    for (i, &b) in polygon.iter().enumerate() {
        let a = polygon[(i + polygon.len() - 1) % polygon.len()];
        if (a.1 > p.1) != (b.1 > p.1) && p.0 < a.0 + (p.1 - a.1) / (b.1 - a.1) * (b.0 - a.0) {
            inside = !inside;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_line_is_clipped_at_the_frame() {
        let parts = clip_line(
            &[(-5.0, 5.0), (5.0, 5.0), (5.0, 20.0), (8.0, 20.0), (8.0, 5.0)],
            (10.0, 10.0),
        );
        assert_eq!(
            parts,
            [vec![(0.0, 5.0), (5.0, 5.0), (5.0, 10.0)], vec![(8.0, 10.0), (8.0, 5.0)]]
        );
        assert!(clip_line(&[(-5.0, -5.0), (-1.0, 20.0)], (10.0, 10.0)).is_empty());
    }

    #[test]
    fn exact_polygon_is_clipped_at_the_frame() {
        let clipped =
            clip_polygon(vec![(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9)], (10.0, 5.0));
        for corner in [(0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (0.0, 5.0)] {
            assert!(clipped.contains(&corner), "{clipped:?}");
        }
        assert!(clip_polygon(vec![(20.0, 0.0), (30.0, 0.0), (30.0, 9.0)], (10.0, 5.0)).is_empty());
    }

    #[test]
    fn property_thinning_keeps_every_extreme() {
        let curve: Vec<Point> = (0..200_000)
            .map(|k| {
                (
                    f64::from(k) * 400.0 / 200_000.0,
                    if k == 123_457 { 300.0 } else { f64::from(k).sin() },
                )
            })
            .collect();
        let thinned = thin(curve.clone());
        assert!(thinned.len() <= 4 * 801, "{}", thinned.len());
        assert_eq!((thinned.first(), thinned.last()), (curve.first(), curve.last()));
        for column in 0..800 {
            let inside = |p: &&Point| (p.0 * COLUMNS).floor() == f64::from(column);
            let top = |points: &[Point]| {
                points.iter().filter(inside).map(|p| p.1).fold(f64::MIN, f64::max)
            };
            let bottom = |points: &[Point]| {
                points.iter().filter(inside).map(|p| p.1).fold(f64::MAX, f64::min)
            };
            assert_eq!(
                (top(&curve), bottom(&curve)),
                (top(&thinned), bottom(&thinned)),
                "column {column}"
            );
        }
        assert_eq!(thin(curve[..MANY].to_vec()).len(), MANY);
    }

    #[test]
    fn property_cost_tells_clear_ground_from_covered() {
        let mut crowd = Crowd::default();
        crowd.add_line(&[(0.0, 0.0), (100.0, 100.0)]);
        crowd.add_shade(vec![(50.0, 0.0), (100.0, 0.0), (100.0, 40.0), (50.0, 40.0)]);
        let cost = |x, y| crowd.cost(&Plate::upright(x, y, 20.0, 10.0), (100.0, 100.0));
        assert_eq!(cost(5.0, 60.0), Some(0.0));
        assert!(cost(60.0, 5.0).is_some_and(|c| c > 0.0 && c < 1.0));
        assert!(cost(40.0, 45.0).is_some_and(|c| c > 3.0));
        assert_eq!(cost(95.0, 5.0), None);
    }
}
