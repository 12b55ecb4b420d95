//! Whole figures, judged by what they must keep whatever the input, and by other readers of the
//! formats (an XML parser, a PNG decoder).

use jointplay_report::{Axis, Figure, FigureError, Heat, Legend, Page, Reference, Series, Shading};
use std::fs;
use std::path::{Path, PathBuf};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

/// An empty folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("jointplay-report-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("temporary folder");
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("readable folder");
        let mut names: Vec<_> =
            entries.map(|e| e.expect("entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn plain() -> Figure {
    Figure::new("Loops", Axis::linear("δ", "µm"), Axis::linear("F", "kN"))
        .with_series(Series::line("a", [(0.0, 0.0), (50.0, 8.0), (100.0, 3.0)]))
        .with_series(Series::markers("b", [(10.0, 1.0), (60.0, 5.0)]))
        .with_region(Shading::between("band", [(0.0, 1.0, 2.0), (100.0, 2.0, 4.0)]))
        .with_reference(Reference::vertical(30.0, "limit"))
}

/// Figures with everything that could go wrong.
fn nasty() -> Vec<Figure> {
    let points: [&[(f64, f64)]; 9] = [
        &[],
        &[(1.0, 1.0)],
        &[(2.0, 3.0), (2.0, 3.0), (2.0, 3.0)],
        &[(NAN, 1.0), (1.0, NAN), (NAN, NAN), (INF, 1.0), (1.0, -INF)],
        &[(0.0, 1.0), (1.0, 2.0), (NAN, 0.0), (2.0, 1.0), (3.0, INF), (4.0, 1.0), (5.0, 2.0)],
        &[(-1.0, -1.0), (0.0, 0.0), (-5.0, 3.0), (4.0, -2.0)],
        &[(1e-320, 1e-320), (f64::MAX, f64::MIN), (f64::MIN_POSITIVE, f64::MAX)],
        &[(1e300, -1e300), (-1e300, 1e300), (1e-300, 1e-299)],
        &[(1e15, 1.0), (1e15 + 1.0, 1.0 + 1e-15), (1e15 + 2.0, 1.0 + 2e-15)],
    ];
    let labels = [
        "",
        "a < b & \"c\" > 'd'",
        "δ̇^{(−)}_0, cᵣ, µm, 中文, 🙂",
        "\u{0}\u{7}\u{fffe}",
        "_^{}_{^",
        "\u{307}",
    ];
    let axes = [
        (Axis::linear("x", "m"), Axis::linear("y", "N")),
        (Axis::log("x", "m"), Axis::linear("", "")),
        (Axis::linear("", "s"), Axis::log("c_r", "")),
        (Axis::log("δ̇", "m/s"), Axis::log("<&>", "%")),
        (Axis::linear("x", "").within(0.9, 1.1), Axis::log("y", "").within(0.5, 3.0)),
    ];
    let mut figures = Vec::new();
    for (i, (x, y)) in axes.into_iter().enumerate() {
        for (k, points) in points.iter().enumerate() {
            let label = labels[(i + k) % labels.len()];
            let legend = [Legend::Auto, Legend::Right, Legend::Inside, Legend::None][(i + k) % 4];
            let triples = points.iter().map(|p| (p.0, p.1, p.0));
            figures.push(
                Figure::new(label, x.clone(), y.clone())
                    .with_legend(legend)
                    .with_size(120.0 + 40.0 * i as f64, 90.0 + 50.0 * k as f64)
                    .with_series(Series::line(label, points.iter().copied()))
                    .with_series(Series::line(label, points.iter().copied()).dotted().strong())
                    .with_series(Series::markers(label, points.iter().copied()).faint())
                    .with_series(Series::line(label, []).with_color(usize::MAX))
                    .with_region(Shading::polygon(label, points.iter().copied()))
                    .with_region(Shading::between(label, triples))
                    .with_reference(Reference::vertical(points.first().map_or(NAN, |p| p.0), label))
                    .with_reference(Reference::horizontal(
                        points.last().map_or(INF, |p| p.1),
                        label,
                    ))
                    .with_reference(Reference::through((0.0, 1.0), (1.0, 1.0), label))
                    .with_reference(Reference::through((1.0, 1.0), (1.0, 1.0), label))
                    .with_reference(Reference::through((1e300, 1.0), (-1e300, 2.0), label)),
            );
        }
    }
    figures
}

/// Width, height and RGB dots.
fn decode(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader =
        png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("PNG header");
    let mut dots = vec![0; reader.output_buffer_size().expect("size")];
    let info = reader.next_frame(&mut dots).expect("PNG data");
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width, info.height, dots)
}

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let groups = document.descendants().filter(|n| n.has_tag_name("g"));
    groups
        .map(|g| g.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect())
        .collect()
}

/// Every number in a piece of markup.
fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
        .filter_map(|p| p.parse().ok())
        .collect()
}

#[test]
fn property_same_figure_gives_same_bytes() {
    for figure in nasty().into_iter().chain([plain()]) {
        let copy = figure.clone();
        assert_eq!(figure.svg().expect("svg"), copy.svg().expect("svg"));
    }
    assert_eq!(plain().png().expect("png"), plain().png().expect("png"));
}

#[test]
fn property_any_input_gives_well_formed_svg_with_finite_coordinates() {
    for (i, figure) in nasty().into_iter().enumerate() {
        let svg = figure.svg().expect("svg");
        let document =
            roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("figure {i}: {e}\n{svg}"));
        for node in document.descendants().filter(|n| n.has_tag_name("path")) {
            let data = node.attribute("d").expect("path data");
            assert!(
                data.starts_with('M') && !data.contains("NaN") && !data.contains("inf"),
                "figure {i}: {data}"
            );
            assert!(numbers(data).iter().all(|v| v.abs() < 5000.0), "figure {i}: {data}");
        }
    }
}

#[test]
fn property_any_input_gives_a_readable_png() {
    for figure in nasty() {
        let (width, height, dots) = decode(&figure.png().expect("png"));
        assert_eq!(dots.len(), 3 * (width * height) as usize);
        assert!(dots.iter().any(|d| *d < 100), "a frame at least");
    }
}

#[test]
fn property_png_shows_the_colours_of_the_series() {
    let (width, height, dots) = decode(&plain().png().expect("png"));
    assert!(width > 3 * 460 && height > 3 * 330);
    let count = |color: [u8; 3]| dots.chunks_exact(3).filter(|d| *d == color).count();
    assert!(count([0xff, 0xff, 0xff]) > dots.len() / 3 / 2);
    assert!(count([0x00, 0x72, 0xb2]) > 1000, "blue line");
    assert!(count([0xd5, 0x5e, 0x00]) > 300, "vermilion markers");
    assert!(count([0x22, 0x22, 0x22]) > 1000, "axes and text");
}

#[test]
fn property_labels_survive_escaping() {
    let svg = plain().with_series(Series::line("a < b & \"c\"", [(0.0, 0.0)])).svg().expect("svg");
    assert!(texts(&svg).contains(&"a < b & \"c\"".to_owned()));
    let svg = Figure::new("δ̇ and c_r", Axis::linear("cᵣ", ""), Axis::linear("v", "µm/s"))
        .svg()
        .expect("svg");
    let texts = texts(&svg);
    for wanted in ["δ and cr", "cr", "v (µm/s)"] {
        assert!(texts.contains(&wanted.to_owned()), "{wanted} in {texts:?}");
    }
}

#[test]
fn property_line_breaks_where_data_are_missing() {
    let curve = [(0.0, 0.0), (1.0, 1.0), (NAN, 0.0), (2.0, 1.0), (3.0, 0.0)];
    let figure = Figure::new("", Axis::linear("", ""), Axis::linear("", ""))
        .with_series(Series::line("", curve));
    let svg = figure.svg().expect("svg");
    let blue = svg.lines().find(|l| l.contains("stroke=\"#0072b2\"")).expect("the curve");
    assert_eq!(blue.matches('M').count(), 2, "{blue}");
}

#[test]
fn property_log_axis_drops_what_is_not_positive() {
    let curve = [(1e-3, 1.0), (0.0, 5.0), (-1.0, 7.0), (1e-2, 2.0), (1e-1, 3.0)];
    let figure = Figure::new("", Axis::log("x", ""), Axis::linear("y", ""))
        .with_series(Series::line("", curve));
    let svg = figure.svg().expect("svg");
    let texts = texts(&svg);
    assert!(
        ["0.001", "0.01", "0.1", "1.0", "3.0"].iter().all(|t| texts.contains(&(*t).to_owned())),
        "{texts:?}"
    );
    assert!(!texts.contains(&"7.0".to_owned()), "a dropped point must not widen the other axis");
    let blue = svg.lines().find(|l| l.contains("stroke=\"#0072b2\"")).expect("the curve");
    assert_eq!(blue.matches('M').count(), 1, "{blue}");
}

#[test]
fn property_log_ticks_are_powers_of_ten() {
    let figure = Figure::new(
        "",
        Axis::log("c", "m").within(1e-6, 1e-2),
        Axis::log("q", "N/mm").within(1.0, 1e5),
    );
    let texts = texts(&figure.svg().expect("svg"));
    for wanted in ["10−6", "10−5", "10−4", "10−3", "10−2", "100", "101", "102", "103", "104", "105"]
    {
        assert!(texts.contains(&wanted.to_owned()), "{wanted} in {texts:?}");
    }
}

#[test]
fn property_long_legend_is_complete_and_inside_the_drawing() {
    let mut figure = Figure::new("", Axis::linear("x", ""), Axis::linear("y", ""));
    for k in 0..60 {
        let label = format!(
            "law number {k} with a rather long name, of several authors, in the year {}",
            1960 + k
        );
        figure = figure.with_series(Series::line(label, [(0.0, 0.0), (1.0, f64::from(k))]));
    }
    let svg = figure.svg().expect("svg");
    let all = texts(&svg).join(" ");
    let document = roxmltree::Document::parse(&svg).expect("XML");
    let width: f64 =
        document.root_element().attribute("width").expect("width").parse().expect("number");
    let height: f64 =
        document.root_element().attribute("height").expect("height").parse().expect("number");
    for k in 0..60 {
        assert!(
            all.contains(&format!("number {k} with")) && all.contains(&format!("{}", 1960 + k)),
            "entry {k}"
        );
    }
    for text in document.descendants().filter(|n| n.has_tag_name("text")) {
        let group = text.parent().and_then(|g| g.attribute("transform")).expect("group");
        if group.contains("rotate") {
            continue;
        }
        let origin = numbers(group);
        let value =
            |name: &str| text.attribute(name).expect("attribute").parse::<f64>().expect("number");
        let (start, end) = (origin[0] + value("x"), origin[0] + value("x") + value("textLength"));
        assert!(start >= 0.0 && end <= width, "{:?} from {start} to {end} of {width}", text.text());
        assert!(origin[1] >= 8.0 && origin[1] <= height, "{:?}", text.text());
    }
}

#[test]
fn property_legend_keeps_off_the_data() {
    // Only the lower right corner is free.
    let curves = [[(0.0, 0.0), (1.0, 10.0)], [(0.0, 2.0), (1.0, 10.0)], [(0.0, 9.5), (1.0, 9.6)]];
    let mut figure = Figure::new("", Axis::linear("x", ""), Axis::linear("y", ""));
    for (name, curve) in ["a", "b", "c"].iter().zip(curves) {
        figure = figure.with_series(Series::line(*name, curve));
    }
    let inside = figure.svg().expect("svg");
    let document = roxmltree::Document::parse(&inside).expect("XML");
    let entry = document
        .descendants()
        .find(|n| n.has_tag_name("text") && n.text() == Some("c"))
        .expect("entry");
    let place = numbers(entry.parent().and_then(|g| g.attribute("transform")).expect("group"));
    assert!(place[0] > 400.0 && place[0] < 500.0 && place[1] > 250.0, "{place:?}");
    // No corner is free: the legend leaves the frame.
    let scribble = (0..400).map(|k| (f64::from(k % 20), f64::from(k / 20)));
    let full = figure.with_series(Series::markers("d", scribble)).svg().expect("svg");
    let wide = |svg: &str| numbers(svg.split("width=\"").nth(1).expect("width"))[0];
    assert!(wide(&full) > wide(&inside) + 30.0);
}

#[test]
fn property_reference_label_moves_to_the_legend_when_there_is_no_room() {
    let crowd = (0..4000).map(|k| (f64::from(k % 80), f64::from(k / 80)));
    let figure = |legend| {
        Figure::new("", Axis::linear("x", ""), Axis::linear("y", ""))
            .with_legend(legend)
            .with_series(Series::markers("cloud", crowd.clone()))
            .with_reference(Reference::vertical(40.0, "limit"))
    };
    for legend in [Legend::Auto, Legend::None] {
        let texts = texts(&figure(legend).svg().expect("svg"));
        assert!(texts.contains(&"limit".to_owned()), "{legend:?}");
    }
}

#[test]
fn property_long_series_are_thinned() {
    let wave = (0..500_000).map(|k| (f64::from(k), (f64::from(k) * 0.01).sin()));
    let figure = Figure::new("", Axis::linear("", ""), Axis::linear("", ""))
        .with_series(Series::line("", wave));
    assert!(figure.svg().expect("svg").len() < 100_000);
}

#[test]
fn property_infinite_band_reaches_the_edge() {
    let band = [(0.0, 1.0, INF), (1.0, 2.0, INF)];
    for y in [Axis::linear("", "").within(0.0, 4.0), Axis::log("", "").within(0.1, 10.0)] {
        let figure = Figure::new("", Axis::linear("", "").within(0.0, 1.0), y)
            .with_region(Shading::between("", band));
        let svg = figure.svg().expect("svg");
        let shade = svg.lines().find(|l| l.contains("fill-opacity")).expect("shade");
        let frame = svg.lines().find(|l| l.contains("stroke=\"#222222\"")).expect("frame");
        let top = numbers(frame)[1];
        assert!(numbers(shade.split("Z\"").next().expect("data")).contains(&top), "{shade}");
    }
}

#[test]
fn property_extension_chooses_the_format() {
    let folder = Folder::new("format");
    for name in ["a.svg", "b.SVG", "c.png", "d.Png"] {
        plain().save(folder.0.join(name)).expect(name);
    }
    assert_eq!(
        folder.names(),
        ["a.svg", "b.SVG", "c.png", "d.Png"],
        "and nothing else is left behind"
    );
    assert_eq!(
        fs::read_to_string(folder.0.join("b.SVG")).expect("file"),
        plain().svg().expect("svg")
    );
    assert_eq!(fs::read(folder.0.join("d.Png")).expect("file"), plain().png().expect("png"));
}

#[test]
fn property_other_extensions_are_refused_by_name() {
    let folder = Folder::new("extension");
    for name in ["a.pdf", "a", "svg", ".png", "a.svg.gz", ""] {
        let error = plain().save(folder.0.join(name)).expect_err(name);
        assert!(matches!(error, FigureError::Extension { .. }), "{name}: {error}");
        assert!(error.to_string().contains(".svg or .png"), "{error}");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn property_failed_write_leaves_the_old_file() {
    let folder = Folder::new("atomic");
    let path = folder.0.join("a.svg");
    fs::create_dir(&path).expect("a folder in the way");
    let error = plain().save(&path).expect_err("cannot replace a folder");
    assert!(matches!(&error, FigureError::Write { path: p, .. } if *p == path));
    assert!(std::error::Error::source(&error).is_some());
    assert_eq!(folder.names(), ["a.svg"], "no temporary file remains");
    plain().save(folder.0.join("new/folder/a.svg")).expect("folders are made");
    // What cannot be drawn does not touch the file either.
    let kept = folder.0.join("b.svg");
    fs::write(&kept, "old").expect("file");
    let below_a_file = plain().save(kept.join("a.svg"));
    assert!(matches!(below_a_file, Err(FigureError::Write { .. })));
    assert!(plain().with_size(NAN, 100.0).save(&kept).is_err());
    assert_eq!(fs::read_to_string(&kept).expect("file"), "old");
}

#[test]
fn property_bad_sizes_and_limits_are_errors() {
    for (width, height) in [(NAN, 100.0), (100.0, 0.0), (1e9, 100.0), (-5.0, 100.0), (INF, INF)] {
        assert!(matches!(plain().with_size(width, height).svg(), Err(FigureError::Size { .. })));
    }
    let mut figure = plain();
    figure.y = Axis::log("load", "N").within(-1.0, 10.0);
    let message = figure.svg().expect_err("limits").to_string();
    assert!(
        message.contains("load") && message.contains("-1") && message.contains("positive"),
        "{message}"
    );
    let huge = Page { panels: vec![plain().with_size(4000.0, 4000.0); 2], columns: 1 };
    assert!(matches!(huge.png(), Err(FigureError::TooLarge { .. })) && huge.svg().is_ok());
}

#[test]
fn property_page_aligns_frames_and_letters_panels() {
    let mut wide = plain();
    wide.y = Axis::linear("F", "N").within(0.0, 0.000123);
    let page = Page { panels: vec![plain(), plain(), wide], columns: 2 };
    let svg = page.svg().expect("svg");
    let texts = texts(&svg);
    for wanted in ["(a) Loops", "(b) Loops", "(c) Loops"] {
        assert!(texts.contains(&wanted.to_owned()), "{texts:?}");
    }
    let frames: Vec<_> =
        svg.lines().filter(|l| l.contains("stroke-width=\"0.9\"")).map(numbers).collect();
    assert_eq!(frames.len(), 3);
    assert_eq!(frames[0][0], frames[2][0], "left edges of the first column");
    assert_eq!(frames[0][1], frames[1][1], "upper edges of the first row");
    assert!(matches!(Page { panels: vec![], columns: 2 }.svg(), Err(FigureError::EmptyPage)));
    for columns in [0, 1, 9, usize::MAX] {
        assert!(Page { panels: vec![plain(), plain()], columns }.svg().is_ok());
    }
    let single = Page { panels: vec![plain()], columns: 3 };
    assert_eq!(single.svg().expect("page"), plain().svg().expect("figure"));
}

#[test]
fn regress_svg_of_a_small_figure() {
    let figure = Figure::new(
        "c_r < 1",
        Axis::log("δ̇", "m/s").within(0.01, 1.0),
        Axis::linear("F", "kN").within(0.0, 2e6),
    )
    .with_size(200.0, 120.0)
    .with_series(Series::line("law & test", [(0.01, 0.0), (0.1, 1e6), (1.0, 3e6)]))
    .with_reference(Reference::horizontal(5e5, "limit"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/small.svg");
    let svg = figure.svg().expect("svg");
    // JOINTPLAY_BLESS=1 rewrites the file; look at it before keeping it.
    if std::env::var_os("JOINTPLAY_BLESS").is_some() {
        fs::write(&path, &svg).expect("writable source tree");
    }
    assert_eq!(svg, fs::read_to_string(&path).expect("tests/small.svg"));
}

/// A map of two columns and two rows: each cell covers a quarter of the frame, in the colour that the legend gives its value; a cell
/// without a value stays white.
#[test]
fn exact_cells_of_a_map() {
    let heat = Heat {
        x: vec![1.0, 2.0],
        y: vec![10.0, 20.0],
        values: vec![0.0, 3.0, NAN, 6.0],
        unit: "N".to_owned(),
    };
    let figure = Figure::new("map", Axis::linear("x", "m"), Axis::linear("y", "s"))
        .with_size(100.0, 80.0)
        .with_heat(heat);
    let svg = figure.svg().expect("svg");
    for label in ["6.000 N", "3.000 N", "0.000 N"] {
        assert!(texts(&svg).contains(&label.to_owned()), "{label}: {:?}", texts(&svg));
    }
    let (width, height, dots) = decode(&figure.png().expect("png"));
    let count = |color: [u8; 3]| dots.chunks_exact(3).filter(|d| *d == color).count();
    // The ends of viridis. A quarter of the frame of 100 by 80 pixels with three dots each way is 150 by 120 dots; the key in the legend has the
    // same colour and is not larger than 28 by 12 pixels.
    for color in [[0x44, 0x01, 0x54], [0xfd, 0xe7, 0x25]] {
        let (cell, key) = (150 * 120, 9 * 28 * 12);
        let found = count(color);
        assert!((cell..=cell + key).contains(&found), "{color:?}: {found} of {width} by {height}");
    }
    let empty = Heat { x: vec![], y: vec![], values: vec![], unit: String::new() };
    for heat in [empty.clone(), Heat { x: vec![0.0], y: vec![0.0], values: vec![1.0], ..empty }] {
        let figure = Figure::new("", Axis::linear("", ""), Axis::linear("", "")).with_heat(heat);
        assert!(figure.svg().is_ok() && figure.png().is_ok());
    }
}
