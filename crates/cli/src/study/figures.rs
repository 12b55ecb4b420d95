//! Figures of a study.

use jointplay_report::{Axis, Figure, Heat, Legend, Reference, Series};
use jointplay_study::frame::{Column, Frame};
use jointplay_study::study::Findings;
use jointplay_study::study_file::StudyKind;

use crate::mechanism::file_name;

/// Bars of a histogram.
const BARS: usize = 30;

/// With more lines than this, the lines of a figure cannot be distinguished.
const MOST_LINES: usize = 8;

/// With more spectra than this, a waterfall figure is only dark.
const MOST_SPECTRA: usize = 60;

/// The figures of a study with the names of their files, without endings; a bifurcation diagram has its section and its spectra too.
pub(super) fn of(
    findings: &Findings,
    table: &Frame,
    section: Option<&Frame>,
    spectra: Option<&Frame>,
) -> Vec<(String, Figure)> {
    match findings.kind {
        StudyKind::Sweep => curves(findings, table),
        StudyKind::Tolerance => histograms(findings, table),
        StudyKind::Bifurcation => {
            let mut figures = diagram(findings, table, section);
            figures.extend(spectra.into_iter().flat_map(|spectra| waterfalls(findings, spectra)));
            figures
        }
        StudyKind::Sensitivity => inputs(findings),
        StudyKind::Optimise => super::found::progress(findings, table),
        // Its figure shows data and model, which are no part of the table.
        StudyKind::Identify => Vec::new(),
    }
}

/// An axis for a key or a metric, with its unit.
fn axis(name: &str, findings: &Findings) -> Axis {
    let unit = findings.units.get(name).map_or("SI", |unit| if unit == "-" { "" } else { unit });
    Axis::linear(name, unit)
}

/// A metric over the last key that is a number, one line for each combination of the others.
fn curves(findings: &Findings, table: &Frame) -> Vec<(String, Figure)> {
    // Slightly different starts are not an axis.
    let axes: Vec<&String> = findings.keys.iter().filter(|key| *key != "start.seed").collect();
    let repeated = axes.len() < findings.keys.len();
    let keys = axes.iter().copied().filter(|key| table.numbers(key).is_some());
    let Some(across) = keys.max_by_key(|key| {
        let mut values: Vec<u64> =
            table.numbers(key).into_iter().flatten().map(|x| x.to_bits()).collect();
        values.sort_unstable();
        values.dedup();
        values.len()
    }) else {
        return Vec::new();
    };
    let others: Vec<&str> =
        axes.iter().filter(|key| **key != across).map(|key| key.as_str()).collect();
    let cell = |name: &str, row: usize| {
        table.columns().find(|(column, _)| *column == name).map(|(_, cells)| match cells {
            Column::Numbers(numbers) => crate::print::digits(numbers[row], 4),
            Column::Texts(texts) => texts[row].to_string(),
        })
    };
    let label = |row: usize| {
        let parts = others.iter().filter_map(|key| Some(format!("{key} = {}", cell(key, row)?)));
        parts.collect::<Vec<_>>().join(", ")
    };
    let Some(x) = table.numbers(across) else { return Vec::new() };
    let of = |metric: &String| {
        let y = table.numbers(metric)?;
        let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for row in 0..table.len() {
            let point = (x[row], y[row]);
            // Lines that cannot be distinguished need no labels.
            let label = if lines.len() > MOST_LINES { String::new() } else { label(row) };
            match lines.iter_mut().find(|(known, _)| *known == label) {
                Some((_, points)) => points.push(point),
                None => lines.push((label, vec![point])),
            }
        }
        let many = lines.len() > MOST_LINES;
        if many && let [other] = others[..] {
            let figure = map(findings, table, [across, other], metric);
            if let Some(figure) = figure {
                return Some((file_name(metric), figure));
            }
        }
        if many {
            let points = lines.into_iter().flat_map(|(_, points)| points).collect();
            lines = vec![(String::new(), points)];
        }
        let mut figure =
            Figure::new(&findings.model, axis(across, findings), axis(metric, findings));
        for (label, mut points) in lines {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let series = if points.len() == 1 || many || repeated {
                Series::markers(label, points)
            } else {
                Series::line(label, points)
            };
            figure = figure.with_series(series);
        }
        Some((file_name(metric), figure))
    };
    findings.measured.iter().filter_map(of).collect()
}

/// A metric over two keys as a map, if they form a grid of numbers. Repeats are averaged.
fn map(findings: &Findings, table: &Frame, keys: [&str; 2], metric: &str) -> Option<Figure> {
    let value = table.numbers(metric)?;
    let [x, y] = [table.numbers(keys[0])?, table.numbers(keys[1])?];
    let places = |of: &[f64]| {
        let mut places = of.to_vec();
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    };
    let (xs, ys) = (places(x), places(y));
    if xs.len().saturating_mul(ys.len()) > table.len() {
        return None;
    }
    let place = |among: &[f64], of: f64| among.partition_point(|place| *place < of);
    let mut sums = vec![(0.0, 0_u32); xs.len() * ys.len()];
    for row in (0..table.len()).filter(|row| value[*row].is_finite()) {
        let cell = &mut sums[place(&ys, y[row]) * xs.len() + place(&xs, x[row])];
        *cell = (cell.0 + value[row], cell.1 + 1);
    }
    // A cell without a result has no number.
    let values = sums.into_iter().map(|(sum, count)| sum / f64::from(count)).collect();
    let of = |key: &str, places: &[f64]| {
        let axis = axis(key, findings);
        if by_ratio(places) { Axis::log(axis.label, axis.unit) } else { axis }
    };
    let unit = axis(metric, findings).unit;
    let title = format!("{}: {metric}", findings.model);
    let figure = Figure::new(title, of(keys[0], &xs), of(keys[1], &ys));
    let heat = Heat { x: xs, y: ys, values, unit };
    Some(figure.with_heat(heat).with_legend(Legend::Right))
}

/// Whether these places are equal ratios apart, as in a logarithmic range.
fn by_ratio(places: &[f64]) -> bool {
    let [first, second, .., last] = places[..] else { return false };
    let ratio = second / first;
    let same = |pair: &[f64]| (pair[1] / pair[0] / ratio - 1.0).abs() < 1e-6;
    first > 0.0 && last / first >= 10.0 && places.windows(2).all(same)
}

/// Histograms of the metrics.
fn histograms(findings: &Findings, table: &Frame) -> Vec<(String, Figure)> {
    let of = |metric: &String| {
        let values: Vec<f64> =
            table.numbers(metric)?.iter().copied().filter(|x| x.is_finite()).collect();
        let spread = findings.metrics.get(metric)?;
        let (low, high) = spread.min.zip(spread.max)?;
        if !(high > low) {
            return None;
        }
        let width = (high - low) / BARS as f64;
        let mut counts = [0_usize; BARS];
        for value in &values {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside")]
            let bar = (((value - low) / width) as usize).min(BARS - 1);
            counts[bar] += 1;
        }
        let outline = counts.iter().enumerate().flat_map(|(i, count)| {
            let [left, right] = [i, i + 1].map(|i| low + width * i as f64);
            let density = *count as f64 / (values.len() as f64 * width);
            [(left, density), (right, density)]
        });
        let ends = |x: f64| std::iter::once((x, 0.0));
        let points: Vec<(f64, f64)> = ends(low).chain(outline).chain(ends(high)).collect();
        let figure =
            Figure::new(&findings.model, axis(metric, findings), Axis::linear("density", ""))
                .with_series(Series::line("", points));
        Some((file_name(metric), figure))
    };
    findings.measured.iter().filter_map(of).collect()
}

/// The influence of each input on each metric: its indices with their intervals, its effects, or
/// its swing.
fn inputs(findings: &Findings) -> Vec<(String, Figure)> {
    let Findings { indices, effects, swings, .. } = findings;
    let shares = indices.iter().map(|(metric, keys)| {
        let title = format!("{metric}: first (dotted) and total index, 95 % intervals");
        let mut figure =
            Figure::new(title, numbered(keys.len()), Axis::linear("fraction of the variance", ""));
        for (i, (key, of)) in keys.iter().enumerate() {
            let place = (i + 1) as f64;
            let first = [of.first_low, of.first, of.first_high];
            let total = [of.total_low, of.total, of.total_high];
            let line = |x: f64, of: [Option<f64>; 3], label: &str| {
                Series::line(label, of.into_iter().flatten().map(|y| (x, y))).with_color(i)
            };
            figure = figure
                .with_series(line(place - 0.1, first, "").dotted())
                .with_series(line(place + 0.1, total, key).solid().strong());
        }
        (file_name(metric), figure)
    });
    let screened = effects.iter().map(|(metric, keys)| {
        let unit = axis(metric, findings).unit;
        let [x, y] = ["mean magnitude of the effects", "their deviation"];
        let mut figure = Figure::new(metric, Axis::linear(x, unit.clone()), Axis::linear(y, unit));
        for (key, of) in keys {
            figure = figure.with_series(Series::markers(key, of.mu_star.zip(of.sigma)));
        }
        (file_name(metric), figure)
    });
    let alone = swings.iter().map(|(metric, keys)| {
        let title = "each input alone, from its 5 % point to its 95 % point";
        let mut figure = Figure::new(title, numbered(keys.len()), axis(metric, findings));
        for (i, (key, of)) in keys.iter().enumerate() {
            let ends = [of.low, of.high].into_iter().flatten().map(|y| ((i + 1) as f64, y));
            figure = figure.with_series(Series::line(key, ends).solid().strong());
        }
        let middle = keys.values().find_map(|of| of.middle);
        let middle = middle.map(|y| Reference::horizontal(y, "all in their middle"));
        (file_name(metric), middle.into_iter().fold(figure, Figure::with_reference))
    });
    shares.chain(screened).chain(alone).collect()
}

/// An axis with one place for each input.
fn numbered(inputs: usize) -> Axis {
    Axis::linear("input", "").within(0.0, (inputs + 1) as f64)
}

/// Each channel of the section over the key, and the exponent.
fn diagram(findings: &Findings, table: &Frame, section: Option<&Frame>) -> Vec<(String, Figure)> {
    let key = findings.keys.first().map_or("parameter", String::as_str);
    let mut figures = Vec::new();
    let way = |frame: &Frame, row: usize| {
        frame.columns().find_map(|(name, cells)| match cells {
            Column::Texts(texts) if name == "direction" => Some(texts[row].to_string()),
            _ => None,
        })
    };
    let by_way = |frame: &Frame, name: &str, wanted: &str| -> Vec<(f64, f64)> {
        let (Some(x), Some(y)) = (frame.numbers("parameter"), frame.numbers(name)) else {
            return Vec::new();
        };
        let rows = (0..frame.len()).filter(|row| way(frame, *row).as_deref() == Some(wanted));
        rows.map(|row| (x[row], y[row])).collect()
    };
    let draw = |frame: &Frame, name: &str, lines: bool| {
        let y = if name == "lyapunov" { Axis::linear(name, "1/s") } else { axis(name, findings) };
        let mut figure = Figure::new(&findings.model, axis(key, findings), y);
        let first = if frame.is_empty() { None } else { way(frame, 0) };
        let ways = if first.as_deref() == Some("down") { ["down", "up"] } else { ["up", "down"] };
        for wanted in ways {
            let points = by_way(frame, name, wanted);
            if !points.is_empty() {
                let series = if lines {
                    Series::line(wanted, points)
                } else {
                    Series::markers(wanted, points)
                };
                figure = figure.with_series(series);
            }
        }
        figure.with_size(900.0, 400.0)
    };
    for channel in &findings.measured {
        if let Some(section) = section {
            figures.push((file_name(channel), draw(section, channel, false)));
        }
    }
    figures.push(("lyapunov".to_owned(), draw(table, "lyapunov", true)));
    for metric in findings.metrics.keys() {
        figures.push((file_name(metric), draw(table, metric, true)));
    }
    figures
}

/// The spectra of each channel as a waterfall: each is drawn above its value of the key.
fn waterfalls(findings: &Findings, spectra: &Frame) -> Vec<(String, Figure)> {
    let key = findings.keys.first().map_or("parameter", String::as_str);
    let (Some(value), Some(order)) = (spectra.numbers("parameter"), spectra.numbers("order"))
    else {
        return Vec::new();
    };
    // A spectrum begins where the order decreases. The spectra of the first direction are shown.
    let begins = (0..order.len()).filter(|&i| i == 0 || order[i] < order[i - 1]);
    let begins: Vec<usize> = begins.collect();
    let is_first = |row: usize| {
        spectra.columns().any(|(name, cells)| match cells {
            Column::Texts(texts) => name == "direction" && texts[row] == texts[0],
            Column::Numbers(_) => false,
        })
    };
    let mut rows: Vec<std::ops::Range<usize>> = begins
        .iter()
        .enumerate()
        .map(|(i, &begin)| begin..begins.get(i + 1).copied().unwrap_or(order.len()))
        .filter(|rows| is_first(rows.start) && value[rows.start].is_finite())
        .collect();
    let every = rows.len().div_ceil(MOST_SPECTRA).max(1);
    rows = rows.into_iter().step_by(every).collect();
    rows.sort_by(|a, b| value[a.start].total_cmp(&value[b.start]));
    let [Some(least), Some(greatest)] =
        [rows.first(), rows.last()].map(|rows| Some(value[rows?.start]))
    else {
        return Vec::new();
    };
    let apart = (greatest - least) / (rows.len().max(2) - 1) as f64;
    let of = |channel: &String| {
        let amplitude = spectra.numbers(channel)?;
        let shown = rows.iter().cloned().flatten().map(|row| amplitude[row]);
        let peak = shown.filter(|a| a.is_finite()).fold(0.0, f64::max);
        if !(peak > 0.0 && apart > 0.0) {
            return None;
        }
        // The highest line is as high as the distance of six values.
        let scale = 6.0 * apart / peak;
        let unit = axis(channel, findings).unit;
        let peak = crate::print::digits(peak, 3);
        let title =
            format!("{}: spectra of {channel}, the highest line is {peak} {unit}", findings.model);
        let x = Axis::linear("order of the drive", "");
        let mut figure = Figure::new(title, x, axis(key, findings)).with_size(900.0, 600.0);
        for rows in rows.iter().cloned() {
            let points = rows.map(|row| (order[row], value[row] + scale * amplitude[row]));
            figure = figure.with_series(Series::line("", points).with_color(0).solid());
        }
        Some((format!("{}-spectra", file_name(channel)), figure))
    };
    findings.measured.iter().filter_map(of).collect()
}
