//! The PNG back end: the same scene through `tiny-skia`, text as glyph outlines.

use crate::error::FigureError;
use crate::font::{self, Line, Segment};
use crate::scene::{Color, Glyph, INK, Item, Point, Scene, Stroke, WHITE};
use std::io;
use tiny_skia::{
    FillRule, LineJoin, Paint, PathBuilder, Pixmap, PixmapMut, PremultipliedColorU8, StrokeDash,
    Transform,
};

/// Dots per pixel of 1/96 inch.
const SCALE: f64 = 3.0;
/// Dots per metre, for programs that honour the printed size.
const DOTS_PER_METRE: u32 = 11339;
const MAX_DOTS: f64 = 150e6;

/// The drawing as the bytes of a PNG file.
pub(crate) fn render(scene: &Scene) -> Result<Vec<u8>, FigureError> {
    let too_large = || FigureError::TooLarge { width: scene.width, height: scene.height };
    let (width, height) = ((scene.width * SCALE).ceil(), (scene.height * SCALE).ceil());
    // The negation also rejects NaN.
    if !(width >= 1.0 && height >= 1.0 && width * height <= MAX_DOTS) {
        return Err(too_large());
    }
    let mut pixmap = Pixmap::new(dots(width), dots(height)).ok_or_else(too_large)?;
    pixmap.fill(tiny_skia::Color::WHITE);
    let mut canvas = pixmap.as_mut();
    for item in &scene.items {
        draw(&mut canvas, item);
    }
    encode(&pixmap).map_err(|error| FigureError::Encode { source: io::Error::other(error) })
}

fn encode(pixmap: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: DOTS_PER_METRE,
        yppu: DOTS_PER_METRE,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header()?;
    // Everything is drawn on opaque white, so the alpha channel is not needed.
    let rgb = |p: &PremultipliedColorU8| [p.red(), p.green(), p.blue()];
    let data: Vec<u8> = pixmap.pixels().iter().flat_map(rgb).collect();
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(bytes)
}

fn draw(canvas: &mut PixmapMut<'_>, item: &Item) {
    match item {
        Item::Lines { lines, stroke } => {
            let mut pen = PathBuilder::new();
            for line in lines {
                trace(&mut pen, line, false);
            }
            stroke_path(canvas, pen, stroke, scale());
        }
        Item::Fill { polygons, color, opacity } => {
            let mut pen = PathBuilder::new();
            for polygon in polygons {
                trace(&mut pen, polygon, true);
            }
            fill_path(canvas, pen, *color, *opacity, scale());
        }
        Item::Markers { shape, at, radius, color, opacity } => {
            let mut pen = PathBuilder::new();
            for &(x, y) in at {
                if *shape == Glyph::Circle {
                    pen.push_circle(single(x), single(y), single(*radius));
                } else {
                    let corners: Vec<_> = shape
                        .corners()
                        .iter()
                        .map(|c| (x + radius * c.0, y + radius * c.1))
                        .collect();
                    trace(&mut pen, &corners, true);
                }
            }
            fill_path(canvas, pen, *color, *opacity, scale());
        }
        Item::Text { line, spot, size, halo } => {
            let start = spot.anchor.offset(line.width(*size));
            let transform = scale()
                .pre_translate(single(spot.at.0), single(spot.at.1))
                .pre_concat(Transform::from_rotate(single(spot.angle)));
            if *halo {
                let stroke = Stroke { color: WHITE, width: 3.0, dash: &[], opacity: 1.0 };
                stroke_path(canvas, outline(line, start, *size), &stroke, transform);
            }
            fill_path(canvas, outline(line, start, *size), INK, 1.0, transform);
        }
    }
}

fn scale() -> Transform {
    Transform::from_scale(single(SCALE), single(SCALE))
}

fn trace(pen: &mut PathBuilder, line: &[Point], close: bool) {
    if line.len() < 2 {
        return;
    }
    for (i, p) in line.iter().enumerate() {
        if i == 0 {
            pen.move_to(single(p.0), single(p.1));
        } else {
            pen.line_to(single(p.0), single(p.1));
        }
    }
    if close {
        pen.close();
    }
}

fn paint(color: Color, opacity: f64) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    let alpha = dots((opacity * 255.0).round()).min(255);
    paint.set_color_rgba8(color[0], color[1], color[2], u8::try_from(alpha).unwrap_or(u8::MAX));
    paint
}

fn fill_path(
    canvas: &mut PixmapMut<'_>,
    pen: PathBuilder,
    color: Color,
    opacity: f64,
    place: Transform,
) {
    if let Some(path) = pen.finish() {
        canvas.fill_path(&path, &paint(color, opacity), FillRule::Winding, place, None);
    }
}

fn stroke_path(canvas: &mut PixmapMut<'_>, pen: PathBuilder, stroke: &Stroke, place: Transform) {
    if let Some(path) = pen.finish() {
        let style = tiny_skia::Stroke {
            width: single(stroke.width),
            line_join: LineJoin::Round,
            dash: StrokeDash::new(stroke.dash.iter().map(|d| single(*d)).collect(), 0.0),
            ..tiny_skia::Stroke::default()
        };
        canvas.stroke_path(&path, &paint(stroke.color, stroke.opacity), &style, place, None);
    }
}

/// The outlines of a line of text whose baseline starts at (`start`, 0).
fn outline(line: &Line, start: f64, size: f64) -> PathBuilder {
    let mut pen = PathBuilder::new();
    let pair = |p: Point| (single(p.0), single(p.1));
    for segment in line.glyphs().0.into_iter().flat_map(|g| font::outline(g, (start, 0.0), size)) {
        match segment {
            Segment::Move(p) => pen.move_to(pair(p).0, pair(p).1),
            Segment::Line(p) => pen.line_to(pair(p).0, pair(p).1),
            Segment::Quadratic(a, p) => {
                let ((ax, ay), (x, y)) = (pair(a), pair(p));
                pen.quad_to(ax, ay, x, y);
            }
            Segment::Cubic(a, b, p) => {
                let ((ax, ay), (bx, by), (x, y)) = (pair(a), pair(b), pair(p));
                pen.cubic_to(ax, ay, bx, by, x, y);
            }
            Segment::Close => pen.close(),
        }
    }
    pen
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "pixel positions need no more than single precision"
)]
fn single(value: f64) -> f32 {
    value as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates; callers pass small whole numbers"
)]
fn dots(value: f64) -> u32 {
    value as u32
}
