//! From the description to the scene: margins, axes, data, labels.

use crate::axis::{self, Ticks};
use crate::error::FigureError;
use crate::figure::{Figure, Legend, Page};
use crate::font::Line;
use crate::geometry::Crowd;
use crate::legend::{Block, Entry};
use crate::plot::Plot;
use crate::scene::{Anchor, INK, Item, Point, Scene, Spot, Stroke};

const TITLE_SIZE: f64 = 14.0;
const CAPTION_SIZE: f64 = 13.0;
const TICK_SIZE: f64 = 12.0;
/// Height of a line of text relative to its font size.
const LEADING: f64 = 1.3;
const TITLE_GAP: f64 = 4.0;
const TICK: f64 = 4.0;
const MINOR_TICK: f64 = 2.5;
/// Empty rim of the drawing.
const RIM: f64 = 10.0;
/// Labels of a legend right of the frame are broken at this width.
const LEGEND_WRAP: f64 = 260.0;
/// More entries than this never go inside the frame on their own.
const SHORT_LEGEND: usize = 8;

/// A drawn panel; the origin is the upper left corner of its frame.
struct Panel {
    items: Vec<Item>,
    frame: Point,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Draws a single figure.
pub(crate) fn figure(figure: &Figure) -> Result<Scene, FigureError> {
    Ok(assemble(vec![panel(figure, "")?], 1, figure.title.clone()))
}

/// Draws all panels of a page.
pub(crate) fn page(page: &Page) -> Result<Scene, FigureError> {
    if page.panels.is_empty() {
        return Err(FigureError::EmptyPage);
    }
    let several = page.panels.len() > 1;
    let tag = |i: usize| {
        if several { format!("({}) ", letters(i)) } else { String::new() }
    };
    let panels = page
        .panels
        .iter()
        .enumerate()
        .map(|(i, f)| panel(f, &tag(i)))
        .collect::<Result<Vec<_>, _>>()?;
    let titles: Vec<_> = page.panels.iter().map(|f| f.title.as_str()).collect();
    Ok(assemble(panels, page.columns, titles.join("; ")))
}

/// a, b, .. z, aa, ab, ..
fn letters(mut i: usize) -> String {
    let mut text = String::new();
    loop {
        text.insert(0, char::from(b"abcdefghijklmnopqrstuvwxyz"[i % 26]));
        if i < 26 {
            return text;
        }
        i = i / 26 - 1;
    }
}

/// Sets panels in rows so that the frames of a column and of a row are aligned.
fn assemble(panels: Vec<Panel>, columns: usize, name: String) -> Scene {
    let columns = columns.clamp(1, panels.len().max(1));
    let rows = panels.len().div_ceil(columns);
    // Per column: left margin, frame, right margin; per row: top margin, frame, bottom margin.
    let mut across = vec![[0.0_f64; 3]; columns];
    let mut down = vec![[0.0_f64; 3]; rows];
    for (i, panel) in panels.iter().enumerate() {
        // Whole pixels keep the frames sharp.
        let grow = |cell: &mut [f64; 3], by: [f64; 3]| {
            for (size, by) in cell.iter_mut().zip(by) {
                *size = size.max(by.ceil());
            }
        };
        grow(&mut across[i % columns], [panel.left, panel.frame.0, panel.right]);
        grow(&mut down[i / columns], [panel.top, panel.frame.1, panel.bottom]);
    }
    let start =
        |cells: &[[f64; 3]], i: usize| cells[..i].iter().flatten().sum::<f64>() + cells[i][0];
    let mut scene = Scene { name, ..Scene::default() };
    for (i, mut panel) in panels.into_iter().enumerate() {
        let (dx, dy) = (start(&across, i % columns), start(&down, i / columns));
        panel.items.iter_mut().for_each(|item| item.shift(dx, dy));
        scene.items.append(&mut panel.items);
    }
    scene.width = across.iter().flatten().sum();
    scene.height = down.iter().flatten().sum();
    scene
}

fn panel(figure: &Figure, tag: &str) -> Result<Panel, FigureError> {
    let frame = figure.size;
    let allowed = 60.0..=4000.0;
    if !(allowed.contains(&frame.0) && allowed.contains(&frame.1)) {
        return Err(FigureError::Size { width: frame.0, height: frame.1 });
    }
    let mut plot = Plot::draw(figure)?;
    let mut panel =
        Panel { items: Vec::new(), frame, left: RIM, right: RIM, top: RIM, bottom: RIM };
    draw_axes(&mut panel, figure, &plot.x.ticks(TICK_SIZE), &plot.y.ticks(TICK_SIZE));
    draw_title(&mut panel, &format!("{tag}{}", figure.title));
    // The data over the axes, so that a curve along an edge stays visible.
    panel.items.append(&mut plot.items);
    draw_legend(&mut panel, figure.legend, &plot.entries, &plot.crowd);
    Ok(panel)
}

fn draw_axes(panel: &mut Panel, figure: &Figure, x: &Ticks, y: &Ticks) {
    let (w, h) = panel.frame;
    let thin = |width| Stroke { color: INK, width, dash: &[], opacity: 1.0 };
    let ticks = |at: &[f64], along: &dyn Fn(f64) -> [Point; 2]| {
        at.iter().map(|t| along(*t).to_vec()).collect::<Vec<_>>()
    };
    let majors = |ticks: &Ticks| ticks.major.iter().map(|t| t.0).collect::<Vec<_>>();
    let mut lines = vec![vec![(0.0, 0.0), (w, 0.0), (w, h), (0.0, h), (0.0, 0.0)]];
    lines.extend(ticks(&majors(x), &|t| [(t, h), (t, h + TICK)]));
    lines.extend(ticks(&majors(y), &|t| [(0.0, t), (-TICK, t)]));
    panel.items.push(Item::Lines { lines, stroke: thin(0.9) });
    let mut lines = ticks(&x.minor, &|t| [(t, h), (t, h + MINOR_TICK)]);
    lines.extend(ticks(&y.minor, &|t| [(0.0, t), (-MINOR_TICK, t)]));
    panel.items.push(Item::Lines { lines, stroke: thin(0.6) });

    let mut text = |line: Line, at: Point, anchor: Anchor, angle: f64, size: f64| {
        panel.items.push(Item::Text { line, spot: Spot { at, anchor, angle }, size, halo: false });
    };
    let (mut end, mut overhang) = (f64::NEG_INFINITY, (0.0_f64, 0.0_f64));
    for (at, line) in &x.major {
        let half = line.width(TICK_SIZE) / 2.0;
        if at - half < end + 6.0 {
            continue; // no room next to the previous label
        }
        end = at + half;
        overhang = (overhang.0.max(half - at), overhang.1.max(at + half - w));
        text(
            line.clone(),
            (*at, h + TICK + 3.0 + 0.75 * TICK_SIZE),
            Anchor::Middle,
            0.0,
            TICK_SIZE,
        );
    }
    let mut start = f64::INFINITY;
    for (at, line) in &y.major {
        if at + TICK_SIZE > start {
            continue;
        }
        start = *at;
        text(line.clone(), (-TICK - 4.0, at + 0.35 * TICK_SIZE), Anchor::End, 0.0, TICK_SIZE);
    }

    let mut below = TICK + 3.0 + TICK_SIZE + 5.0;
    for line in Line::wrap(&axis::caption(&figure.x, x.exponent), CAPTION_SIZE, w) {
        text(line, (w / 2.0, h + below + 0.8 * CAPTION_SIZE), Anchor::Middle, 0.0, CAPTION_SIZE);
        below += CAPTION_SIZE * LEADING;
    }
    let widest = y.major.iter().map(|t| t.1.width(TICK_SIZE)).fold(0.0, f64::max);
    let mut beside = TICK + 4.0 + widest + 7.0;
    let lines = Line::wrap(&axis::caption(&figure.y, y.exponent), CAPTION_SIZE, h);
    // The last line stands next to the axis.
    for line in lines.into_iter().rev() {
        text(line, (-beside - 0.25 * CAPTION_SIZE, h / 2.0), Anchor::Middle, -90.0, CAPTION_SIZE);
        beside += CAPTION_SIZE * LEADING;
    }
    panel.bottom = below + RIM;
    panel.left = beside.max(overhang.0) + RIM;
    panel.right = panel.right.max(overhang.1 + RIM);
}

fn draw_title(panel: &mut Panel, title: &str) {
    let leading = TITLE_SIZE * LEADING;
    let lines = Line::wrap(title, TITLE_SIZE, panel.frame.0);
    panel.top = RIM + lines.len() as f64 * leading + if lines.is_empty() { 0.0 } else { TITLE_GAP };
    for (i, line) in lines.into_iter().enumerate() {
        let at = (panel.frame.0 / 2.0, -panel.top + RIM + 0.8 * TITLE_SIZE + i as f64 * leading);
        let spot = Spot { at, anchor: Anchor::Middle, angle: 0.0 };
        panel.items.push(Item::Text { line, spot, size: TITLE_SIZE, halo: false });
    }
}

fn draw_legend(panel: &mut Panel, legend: Legend, entries: &[Entry], crowd: &Crowd) {
    let frame = panel.frame;
    if entries.is_empty() || legend == Legend::None {
        return;
    }
    if legend == Legend::Inside || (legend == Legend::Auto && entries.len() <= SHORT_LEGEND) {
        let block = Block::new(entries, frame.1, frame.0 / 2.0);
        if let Some((plate, cost)) = block.clearest(crowd, frame)
            && (legend == Legend::Inside || cost == 0.0)
        {
            block.draw_on(&plate, &mut panel.items);
            return;
        }
    }
    let block = Block::new(entries, frame.1, LEGEND_WRAP);
    let gap = 16.0;
    block.draw(frame.0 + gap, 0.0, &mut panel.items);
    panel.right = panel.right.max(gap + block.width + RIM);
    panel.bottom = panel.bottom.max(block.height - frame.1 + RIM);
}
