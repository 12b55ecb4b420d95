//! The SVG back end. Text stays text; `textLength` preserves the layout in viewers that lack a font
//! of the right widths.

use crate::font::{self, Line, Segment};
use crate::scene::{Color, Glyph, Item, Point, Scene, Spot, Stroke};
use std::fmt::Write;

const FONTS: &str = "Arimo, 'Liberation Sans', Arial, Helvetica, 'Nimbus Sans', sans-serif";

/// The drawing as a stand-alone SVG document.
pub(crate) fn render(scene: &Scene) -> String {
    let (width, height) = (number(scene.width), number(scene.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" font-family=\"{FONTS}\" \
         fill=\"none\" stroke-linejoin=\"round\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escaped(&plain(&Line::parse(&scene.name)))
    );
    for item in &scene.items {
        match item {
            Item::Lines { lines, stroke } => {
                let data = path(lines, false);
                if !data.is_empty() {
                    put(
                        &mut svg,
                        format_args!("<path d=\"{data}\"{}/>\n", stroke_attributes(stroke)),
                    );
                }
            }
            Item::Fill { polygons, color, opacity } => {
                let data = path(polygons, true);
                if !data.is_empty() {
                    put(
                        &mut svg,
                        format_args!("<path d=\"{data}\"{}/>\n", fill_attributes(*color, *opacity)),
                    );
                }
            }
            Item::Markers { shape, at, radius, color, opacity } => {
                let data: String = at.iter().map(|p| marker(*shape, *p, *radius)).collect();
                if !data.is_empty() {
                    put(
                        &mut svg,
                        format_args!("<path d=\"{data}\"{}/>\n", fill_attributes(*color, *opacity)),
                    );
                }
            }
            Item::Text { line, spot, size, halo } => {
                // Drawn twice, because not every editor supports `paint-order`.
                if *halo {
                    let paint = "fill=\"#ffffff\" stroke=\"#ffffff\" stroke-width=\"3\" aria-hidden=\"true\"";
                    put_text(&mut svg, line, spot, *size, paint);
                }
                put_text(&mut svg, line, spot, *size, "fill=\"#222222\"");
            }
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Appends to a string, which cannot fail.
fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(text);
}

fn put_text(svg: &mut String, line: &Line, spot: &Spot, size: f64, paint: &str) {
    let start = spot.anchor.offset(line.width(size));
    let (x, y) = (number(spot.at.0), number(spot.at.1));
    let turn = match number(spot.angle).as_str() {
        "0" => String::new(),
        angle => format!(" rotate({angle})"),
    };
    put(svg, format_args!("<g transform=\"translate({x} {y}){turn}\" {paint}>"));
    // A chunk of its own for every level, because renderers disagree on `textLength` over `tspan`.
    for (level, text, x, width) in line.chunks() {
        let (x, y) = (number(start + x * size), number(level.drop() * size));
        let (size, width) = (number(level.size() * size), number(width * size));
        put(
            svg,
            format_args!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" textLength=\"{width}\" \
                 lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{}</text>",
                escaped(&text)
            ),
        );
    }
    // Few fonts place the dot of `δ̇` correctly, so marks are drawn as shapes.
    for glyph in line.glyphs().0.into_iter().filter(|g| g.mark) {
        put(
            svg,
            format_args!("<path d=\"{}\"/>", outline(&font::outline(glyph, (start, 0.0), size))),
        );
    }
    svg.push_str("</g>\n");
}

fn outline(segments: &[Segment]) -> String {
    let pair = |p: &Point| format!("{} {}", number(p.0), number(p.1));
    let command = |segment: &Segment| match segment {
        Segment::Move(p) => format!("M{}", pair(p)),
        Segment::Line(p) => format!("L{}", pair(p)),
        Segment::Quadratic(a, p) => format!("Q{} {}", pair(a), pair(p)),
        Segment::Cubic(a, b, p) => format!("C{} {} {}", pair(a), pair(b), pair(p)),
        Segment::Close => "Z".to_owned(),
    };
    segments.iter().map(command).collect()
}

fn plain(line: &Line) -> String {
    line.runs.iter().map(|(_, run)| run.as_str()).collect()
}

/// Two decimals, without a trailing zero or a negative zero.
fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// Text for use between the tags of SVG or HTML, or in an attribute between double quotes.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn path(lines: &[Vec<Point>], close: bool) -> String {
    let mut data = String::new();
    for line in lines.iter().filter(|l| l.len() > 1) {
        for (i, p) in line.iter().enumerate() {
            let command = match i {
                0 => "M",
                1 => "L",
                _ => " ",
            };
            put(&mut data, format_args!("{command}{} {}", number(p.0), number(p.1)));
        }
        if close {
            data.push('Z');
        }
    }
    data
}

fn marker(shape: Glyph, (x, y): Point, radius: f64) -> String {
    if shape == Glyph::Circle {
        let (r, d) = (number(radius), number(2.0 * radius));
        return format!(
            "M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z",
            number(x - radius),
            number(y)
        );
    }
    let corners = shape.corners().iter().map(|c| (x + radius * c.0, y + radius * c.1)).collect();
    path(&[corners], true)
}

fn hex(color: Color) -> String {
    format!("#{:02x}{:02x}{:02x}", color[0], color[1], color[2])
}

fn fill_attributes(color: Color, opacity: f64) -> String {
    let veil = if opacity < 1.0 {
        format!(" fill-opacity=\"{}\"", number(opacity))
    } else {
        String::new()
    };
    format!(" fill=\"{}\"{veil}", hex(color))
}

fn stroke_attributes(stroke: &Stroke) -> String {
    let mut text =
        format!(" stroke=\"{}\" stroke-width=\"{}\"", hex(stroke.color), number(stroke.width));
    if stroke.opacity < 1.0 {
        put(&mut text, format_args!(" stroke-opacity=\"{}\"", number(stroke.opacity)));
    }
    if !stroke.dash.is_empty() {
        let dash: Vec<_> = stroke.dash.iter().map(|d| number(*d)).collect();
        put(&mut text, format_args!(" stroke-dasharray=\"{}\"", dash.join(" ")));
    }
    text
}
