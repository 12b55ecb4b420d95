//! Labels: markup, measuring and outlines, all from the bundled font.
//!
//! Both back ends place text by the widths measured here.

use crate::scene::Point;
use std::sync::LazyLock;
use ttf_parser::{Face, GlyphId};

/// Size of subscripts and superscripts relative to the text around them.
pub(crate) const SCRIPT_SIZE: f64 = 0.72;

/// Arimo 1.341 (SIL Open Font License, see `assets/OFL.txt`), reduced to the characters a figure
/// needs. Its advance widths are those of Arial, Helvetica and Liberation Sans.
static FACE: LazyLock<Option<Face<'static>>> =
    LazyLock::new(|| Face::parse(include_bytes!("../assets/Arimo-Regular-subset.ttf"), 0).ok());

/// Vertical place of a run of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Base,
    Sub,
    Super,
}

impl Level {
    /// Downward shift of the baseline, in units of the font size.
    pub(crate) fn drop(self) -> f64 {
        match self {
            Self::Base => 0.0,
            Self::Sub => 0.2,
            Self::Super => -0.36,
        }
    }

    /// Font size relative to the base.
    pub(crate) fn size(self) -> f64 {
        if self == Self::Base { 1.0 } else { SCRIPT_SIZE }
    }
}

/// One line of text, cut into runs of equal level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    pub(crate) runs: Vec<(Level, String)>,
}

/// A glyph with its origin relative to the start of the line, y downward, for font size 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glyph {
    pub(crate) id: GlyphId,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) size: f64,
    /// True for a mark set over the glyph before it.
    pub(crate) mark: bool,
}

/// A part of an outline, in pixels, y downward.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Segment {
    Move(Point),
    Line(Point),
    Quadratic(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

impl Line {
    /// Reads the markup described on the crate page. Characters that XML cannot hold are dropped.
    pub(crate) fn parse(text: &str) -> Self {
        let chars: Vec<char> = text
            .chars()
            .map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c })
            .filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}'))
            .collect();
        let mut line = Self::default();
        // Letters and digits since the last other character: a subscript needs exactly one.
        let mut word = 0;
        let mut i = 0;
        while let Some(&c) = chars.get(i) {
            let script = match c {
                '_' if word == 1 => subscript(&chars[i + 1..]).map(|s| (Level::Sub, s)),
                '^' if i > 0 && chars[i - 1] != ' ' => {
                    superscript(&chars[i + 1..]).map(|s| (Level::Super, s))
                }
                _ => None,
            };
            if let Some((level, (content, length))) = script {
                for c in content {
                    line.push(level, c);
                }
                word = 0;
                i += 1 + length;
                continue;
            }
            let (level, plain) = unicode_script(c);
            line.push(level, plain);
            if level != Level::Base {
                word = 0;
            } else if c.is_alphanumeric() || c == '_' {
                word += 1;
            } else if !is_mark(c) {
                word = 0;
            }
            i += 1;
        }
        line
    }

    /// Breaks `text` at spaces and line feeds so that lines stay below `width` where possible.
    pub(crate) fn wrap(text: &str, size: f64, width: f64) -> Vec<Self> {
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            let mut current = String::new();
            for word in paragraph.split([' ', '\t']).filter(|w| !w.is_empty()) {
                let longer =
                    if current.is_empty() { word.to_owned() } else { format!("{current} {word}") };
                if !current.is_empty() && Self::parse(&longer).width(size) > width {
                    lines.push(Self::parse(&current));
                    word.clone_into(&mut current);
                } else {
                    current = longer;
                }
            }
            if !current.is_empty() {
                lines.push(Self::parse(&current));
            }
        }
        lines
    }

    fn push(&mut self, level: Level, c: char) {
        match self.runs.last_mut() {
            // A mark belongs to the letter before it, whatever its level; without one it is dropped.
            None if is_mark(c) => {}
            Some((last, run)) if *last == level || is_mark(c) => run.push(c),
            _ => self.runs.push((level, c.to_string())),
        }
    }

    /// The runs without marks, each with its distance from the start of the line and its width, for
    /// font size 1.
    pub(crate) fn chunks(&self) -> Vec<(Level, String, f64, f64)> {
        let mut x = 0.0;
        let chunk = |(level, run): &(Level, String)| {
            let text: String = run.chars().filter(|c| !is_mark(*c)).collect();
            let width = Self { runs: vec![(*level, text.clone())] }.width(1.0);
            x += width;
            (*level, text, x - width, width)
        };
        self.runs.iter().map(chunk).collect()
    }

    /// Advance width at a font size.
    pub(crate) fn width(&self, size: f64) -> f64 {
        self.glyphs().1 * size
    }

    /// Glyphs and advance width for font size 1. A character that the font lacks becomes its
    /// empty box.
    pub(crate) fn glyphs(&self) -> (Vec<Glyph>, f64) {
        let mut glyphs: Vec<Glyph> = Vec::new();
        let mut x = 0.0;
        let Some(face) = FACE.as_ref() else {
            return (glyphs, x);
        };
        let em = f64::from(face.units_per_em());
        for (level, run) in &self.runs {
            for c in run.chars() {
                let id = face.glyph_index(c).unwrap_or_default();
                let mut glyph = Glyph { id, x, y: level.drop(), size: level.size(), mark: false };
                if is_mark(c)
                    && let Some(base) = glyphs.last()
                {
                    if let (Some(below), Some(mark)) =
                        (face.glyph_bounding_box(base.id), face.glyph_bounding_box(id))
                    {
                        let centre = |b: ttf_parser::Rect| {
                            f64::midpoint(f64::from(b.x_min), f64::from(b.x_max))
                        };
                        let gap = f64::from(below.y_max) + 0.06 * em - f64::from(mark.y_min);
                        let lift = if mark.y_min > 0 { gap.max(0.0) } else { 0.0 };
                        glyph.x = base.x + (centre(below) - centre(mark)) / em * base.size;
                        glyph.y = base.y - lift / em * base.size;
                        glyph.size = base.size;
                        glyph.mark = true;
                    }
                } else {
                    x += f64::from(face.glyph_hor_advance(id).unwrap_or(0)) / em * level.size();
                }
                glyphs.push(glyph);
            }
        }
        (glyphs, x)
    }
}

/// The outline of a glyph of a line that starts at `start`, at a font size.
pub(crate) fn outline(glyph: Glyph, start: Point, size: f64) -> Vec<Segment> {
    let Some(face) = FACE.as_ref() else {
        return Vec::new();
    };
    let mut pen = Pen {
        segments: Vec::new(),
        origin: (start.0 + glyph.x * size, start.1 + glyph.y * size),
        unit: glyph.size * size / f64::from(face.units_per_em()),
    };
    face.outline_glyph(glyph.id, &mut pen);
    pen.segments
}

/// Turns design units, y upward, into pixels, y downward.
struct Pen {
    segments: Vec<Segment>,
    origin: Point,
    unit: f64,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> Point {
        (self.origin.0 + f64::from(x) * self.unit, self.origin.1 - f64::from(y) * self.unit)
    }
}

impl ttf_parser::OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::Move(self.at(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::Line(self.at(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.segments.push(Segment::Quadratic(self.at(x1, y1), self.at(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.segments.push(Segment::Cubic(self.at(x1, y1), self.at(x2, y2), self.at(x, y)));
    }

    fn close(&mut self) {
        self.segments.push(Segment::Close);
    }
}

/// Combining marks such as the dot of `δ̇`.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Characters at another level, and the number of characters of their markup.
type Script = (Vec<char>, usize);

/// Content and length of what a `_` lowers: `{...}`, or letters and digits.
fn subscript(rest: &[char]) -> Option<Script> {
    if let Some(braced) = braced(rest) {
        return Some(braced);
    }
    let length = rest.iter().take_while(|c| c.is_alphanumeric() || is_mark(**c)).count();
    // `a_b_c` is an identifier, not a formula.
    (length > 0 && rest.get(length) != Some(&'_')).then(|| (rest[..length].to_vec(), length))
}

/// Content and length of what a `^` raises: `{...}`, or a number with sign, or letters.
fn superscript(rest: &[char]) -> Option<Script> {
    let minus = |c: char| if c == '-' { '−' } else { c };
    if let Some((content, length)) = braced(rest) {
        return Some((content.into_iter().map(minus).collect(), length));
    }
    let sign = usize::from(matches!(rest.first(), Some('-' | '−' | '+')));
    let body = rest.get(sign..)?;
    let digits = body.iter().take_while(|c| c.is_alphanumeric()).count();
    if digits == 0 {
        return None;
    }
    let fraction = match body.get(digits) {
        Some('.') => body[digits + 1..].iter().take_while(|c| c.is_ascii_digit()).count(),
        _ => 0,
    };
    let length = sign + digits + if fraction > 0 { 1 + fraction } else { 0 };
    Some((rest[..length].iter().map(|&c| minus(c)).collect(), length))
}

fn braced(rest: &[char]) -> Option<Script> {
    if rest.first() != Some(&'{') {
        return None;
    }
    let end = rest.iter().position(|&c| c == '}')?;
    Some((rest[1..end].to_vec(), end + 1))
}

/// Unicode subscripts and superscripts as ordinary characters at another level, so that `cᵣ` and
/// `c_r` look alike.
fn unicode_script(c: char) -> (Level, char) {
    const SUPER: (&str, &str) = ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+−=()ni");
    const SUB: (&str, &str) =
        ("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢᵣᵤᵥⱼ", "0123456789+−=()aeoxhklmnpstiruvj");
    for (level, (from, to)) in [(Level::Super, SUPER), (Level::Sub, SUB)] {
        if let Some((_, plain)) = from.chars().zip(to.chars()).find(|(f, _)| *f == c) {
            return (level, plain);
        }
    }
    (Level::Base, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(text: &str) -> Vec<(Level, String)> {
        Line::parse(text).runs
    }

    #[test]
    fn exact_markup_is_read() {
        let base = |s: &str| (Level::Base, s.to_owned());
        let sub = |s: &str| (Level::Sub, s.to_owned());
        let sup = |s: &str| (Level::Super, s.to_owned());
        assert_eq!(runs("c_r"), [base("c"), sub("r")]);
        assert_eq!(runs("cᵣ"), [base("c"), sub("r")]);
        assert_eq!(runs("e_out = 1"), [base("e"), sub("out"), base(" = 1")]);
        assert_eq!(runs("δ̇_{max, 1}"), [base("δ̇"), sub("max, 1")]);
        assert_eq!(runs("N/m^1.5."), [base("N/m"), sup("1.5"), base(".")]);
        assert_eq!(runs("10^-3 m"), [base("10"), sup("−3"), base(" m")]);
        assert_eq!(runs("s⁻¹"), [base("s"), sup("−1")]);
        for literal in ["rod_slider", "a_b_c", "_x", "x_", "x_{", "x ^ 2", "^", "x^", "_", "x^-"] {
            assert_eq!(runs(literal), [base(literal)], "{literal}");
        }
        assert_eq!(runs("a\u{0}\u{1b}b\nc"), [base("ab c")]);
        assert_eq!(runs(""), []);
    }

    #[test]
    fn exact_widths_are_those_of_helvetica() {
        // Adobe font metrics of Helvetica, in thousandths: H 722, space 278, digits 556, i 222.
        for (text, width) in [("H", 722.0), ("0 1", 556.0 * 2.0 + 278.0), ("i", 222.0)] {
            assert!((Line::parse(text).width(1000.0) - width).abs() < 1.0, "{text}");
        }
    }

    #[test]
    fn property_mark_takes_no_width_and_stands_above() {
        let (plain, dotted) = (Line::parse("δ").glyphs(), Line::parse("δ̇").glyphs());
        assert_eq!(plain.1, dotted.1);
        assert!(dotted.0[1].y < 0.0 && dotted.0[1].x.abs() < 1.0);
    }

    #[test]
    fn property_wrapped_lines_hold_every_word() {
        let text = "a rather long name of a law with parameters, and Averyveryverylongword";
        let lines = Line::wrap(text, 12.0, 90.0);
        let joined: Vec<_> = lines.iter().flat_map(|l| &l.runs).map(|r| r.1.as_str()).collect();
        assert_eq!(joined.join(" "), text);
        assert!(lines.len() > 3 && lines[0].width(12.0) <= 90.0);
    }
}
