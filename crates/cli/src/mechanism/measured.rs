//! Comparison of a run with measured data: `jointplay run MODEL --data FILE --map COLUMN=CHANNEL`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jointplay_report::{Axis, Figure, Series, escaped};
use jointplay_study::case::Loaded;
use jointplay_study::frame::{Column, Frame};
use jointplay_study::measurement::{
    Compared, Comparison, DATA, DataRequest, Measurement, ObserveError, Sampler, best_shift,
    compare,
};
use jointplay_study::store::{Contents, Store};
use jointplay_study::sweep::Cancellation;
use serde::{Deserialize, Serialize};

use super::{file_name, refused};
use crate::print::{digits, si, table};
use crate::study::DataArgs;
use crate::{Failure, print};

/// The names of the files that a comparison adds to a result folder.
const TABLE: &str = "comparison.csv";
const FINDINGS: &str = "comparison.json";

/// Maximum size of the findings (bytes).
const MAX_FINDINGS: u64 = 16 << 20;

/// The flags of a comparison, stored so that a result can be run again with them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Asked {
    #[serde(default)]
    time: Option<String>,
    map: Vec<String>,
    #[serde(default)]
    filter: Vec<String>,
    #[serde(default)]
    filter_data: bool,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    asked: Asked,
    comparison: BTreeMap<String, Comparison>,
    notes: Vec<String>,
}

/// Measured data with which a run is compared.
pub(crate) struct Measured {
    asked: Asked,
    request: DataRequest,
    data: Measurement,
    look: Look,
}

/// Where the data are compared with the run.
enum Look {
    /// At their own times.
    Here(Sampler),
    /// No row lies in the time of the run, for this reason: all rows are compared where they look most like the model.
    Elsewhere(Sampler, String),
}

/// The result of a comparison.
pub(crate) struct Beside {
    pub(crate) comparison: BTreeMap<String, Comparison>,
    notes: Vec<String>,
    columns: Vec<(Compared, Vec<f64>)>,
}

impl Measured {
    /// The data of the flags, or those with which a result folder was compared.
    pub(crate) fn of(
        data: Option<&PathBuf>,
        flags: &DataArgs,
        model: &Path,
        case: &Loaded,
    ) -> Result<Option<Self>, Failure> {
        let (file, asked) = match data {
            Some(file) => {
                let DataArgs { map, time, filter, filter_data } = flags.clone();
                (file.clone(), Asked { time, map, filter, filter_data })
            }
            None if flags.map.is_empty()
                && flags.filter.is_empty()
                && !flags.filter_data
                && flags.time.is_none() =>
            {
                let Some(asked) = stored(model)? else { return Ok(None) };
                (model.join(DATA), asked)
            }
            None => {
                let message = "--map, --time, --filter and --filter-data apply to measured data: add --data FILE";
                return Err(Failure::Request(vec![message.to_owned()]));
            }
        };
        if asked.map.is_empty() {
            let message = "no column of the data is mapped: give --map COLUMN=CHANNEL, such as force=pin.force";
            return Err(Failure::Request(vec![message.to_owned()]));
        }
        let request =
            DataRequest::parse(asked.time.as_deref(), &asked.map, &asked.filter, asked.filter_data);
        let request = request.map_err(|wrong| {
            Failure::Request(wrong.into_iter().map(|(_, _, message)| message).collect())
        })?;
        let own = [DATA, TABLE, FINDINGS];
        if let Some((name, _)) = case.tables().find(|(name, _)| own.contains(name)) {
            let message = format!(
                "the model's table '{name}' has the name of a file that the comparison writes: rename the table"
            );
            return Err(Failure::Request(vec![message]));
        }
        let data = Measurement::open(&file, &request, case).map_err(refused)?;
        let filters = (&request.filters[..], request.filter_data);
        let until = case.model.run.until;
        let look = match Sampler::new(&data, filters, [0.0, 0.0], until) {
            Ok(sampler) => Look::Here(sampler),
            Err(why) if data.is_outside(until) => {
                let all =
                    Sampler::of_all(&data, filters).map_err(|why| data_refused(&data, &why))?;
                Look::Elsewhere(all, why)
            }
            Err(why) => return Err(data_refused(&data, &why)),
        };
        Ok(Some(Measured { asked, request, data, look }))
    }

    /// Runs the model at the times of the data and compares; if it cannot, prints the reason and
    /// returns `None`.
    pub(crate) fn compare(
        &self,
        case: &Loaded,
        stop: &Cancellation,
    ) -> Result<Option<Beside>, Failure> {
        let until = case.model.run.until;
        let observe = |sampler: &Sampler, shift: f64| match sampler.observe(
            case,
            shift,
            &mut |_| stop.flow(),
        ) {
            Ok(seen) => Some(seen),
            Err(ObserveError::Interrupted) => None,
            Err(ObserveError::Failed(why)) => {
                print::warning(&format!("the model cannot be compared with the data: {why}"));
                None
            }
        };
        let (sampler, shift) = match &self.look {
            Look::Here(sampler) => (sampler.clone(), 0.0),
            Look::Elsewhere(all, why) => {
                let wide = all.wide(until);
                let Some(shown) = observe(&wide, 0.0) else { return Ok(None) };
                let alike = best_shift(&all.columns, &wide.split(&shown));
                let filters = (&self.request.filters[..], self.request.filter_data);
                let moved = alike.map(|(shift, _)| {
                    Sampler::new(&self.data, filters, [shift, shift], until).map(|own| (own, shift))
                });
                let Some(Ok((mut sampler, shift))) = moved else {
                    let why = format!("{why}, and no shift makes the model look like them");
                    return Err(data_refused(&self.data, &why));
                };
                sampler.notes.insert(0, format!("no row of the data lies in the time of the run: they are compared {} earlier, where they look most like the model", si(shift, "s")));
                (sampler, shift)
            }
        };
        let Some(seen) = observe(&sampler, shift) else { return Ok(None) };
        let wide = sampler.wide(until);
        let shown = wide.observe(case, 0.0, &mut |_| stop.flow()).unwrap_or_default();
        let wide = wide.split(&shown);
        let mut rest = &seen[..];
        let mut columns = Vec::new();
        for column in &sampler.columns {
            let (own, others) = rest.split_at(column.data.len());
            rest = others;
            columns.push((column.clone(), own.to_vec()));
        }
        let comparison = columns
            .iter()
            .zip(wide)
            .map(|((column, model), wide)| {
                // A run that ended early is compared up to its end.
                let wide = if wide.1.len() == wide.0.len() {
                    wide
                } else {
                    (&column.times[..], &model[..])
                };
                (column.channel.clone(), compare(column, model, wide))
            })
            .collect();
        Ok(Some(Beside { comparison, notes: sampler.notes, columns }))
    }

    /// Adds the data and the result of the comparison to a result folder.
    pub(crate) fn add(&self, beside: &Beside, contents: &mut Contents<'_>) -> Result<(), Failure> {
        contents.inputs.push((DATA.to_owned(), self.data.text.as_bytes().to_vec()));
        contents.extra.push((TABLE.to_owned(), beside.table().csv()));
        let kept = Kept {
            asked: self.asked.clone(),
            comparison: beside.comparison.clone(),
            notes: beside.notes.clone(),
        };
        // Plain data always have a JSON form.
        let text = serde_json::to_string_pretty(&kept).unwrap_or_default() + "\n";
        contents.extra.push((FINDINGS.to_owned(), text.into_bytes()));
        for (column, model) in &beside.columns {
            let name = format!("figures/comparison-{}", file_name(&column.channel));
            let figure = figure(column, model);
            contents.extra.push((format!("{name}.svg"), figure.svg()?.into_bytes()));
            contents.extra.push((format!("{name}.png"), figure.png()?));
        }
        Ok(())
    }
}

/// Data that cannot be compared.
fn data_refused(data: &Measurement, why: &str) -> Failure {
    Failure::Request(vec![format!("'{}': {why}", data.file)])
}

/// The comparison of the result in a folder; `None` if it has none.
///
/// # Errors
/// [`Failure::Request`] if it cannot be read, because the result would then be repeated without it.
fn stored(folder: &Path) -> Result<Option<Asked>, Failure> {
    // Only a result has files with these names.
    let Some(store) = folder.is_dir().then(|| Store::open(folder).ok()).flatten() else {
        return Ok(None);
    };
    if !store.manifest().files.iter().any(|file| file == FINDINGS) {
        return Ok(None);
    }
    let path = folder.join(FINDINGS);
    let refused = |cause: &dyn std::fmt::Display| {
        Failure::Request(vec![format!(
            "'{}': it {cause}; the comparison with measured data cannot be repeated: run '{}' to run the model without it",
            path.display(),
            folder.join("model.toml").display()
        )])
    };
    let text = jointplay_files::read_text(&path, MAX_FINDINGS).map_err(|error| refused(&error))?;
    let kept: Kept = serde_json::from_str(&text)
        .map_err(|error| refused(&format_args!("is damaged: {error}")))?;
    Ok(Some(kept.asked))
}

impl Beside {
    /// Data and model of every channel, one below the other.
    fn table(&self) -> Frame {
        let (mut channels, mut times, mut data, mut model) = (vec![], vec![], vec![], vec![]);
        for (column, seen) in &self.columns {
            channels.extend(std::iter::repeat_n(column.channel.clone(), seen.len()));
            times.extend_from_slice(&column.times);
            data.extend_from_slice(&column.data);
            model.extend_from_slice(seen);
        }
        Frame::new()
            .with("channel", Column::texts(channels))
            .with("t", Column::Numbers(times))
            .with("data", Column::Numbers(data))
            .with("model", Column::Numbers(model))
    }

    /// The findings as text.
    pub(crate) fn text(&self) -> String {
        let number = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| digits(x, 4));
        let percent = |x: Option<f64>| {
            x.map_or_else(|| "–".to_owned(), |x| format!("{} %", digits(100.0 * x, 3)))
        };
        let rows: Vec<Vec<String>> = self
            .comparison
            .iter()
            .map(|(channel, own)| {
                let shift = own.shift.map_or_else(|| "–".to_owned(), |shift| si(shift, "s"));
                vec![
                    format!("{channel} [{}]", own.unit),
                    number(own.rmse),
                    percent(own.nrmse),
                    number(own.peak_error),
                    percent(own.peak_error_relative),
                    percent(own.phase_error),
                    shift,
                    number(own.rmse_shifted),
                ]
            })
            .collect();
        let heads = [
            "against data",
            "RMSE",
            "of range",
            "peak error",
            "of peak",
            "phase error",
            "data late by",
            "RMSE then",
        ];
        let heads: Vec<String> = heads.iter().map(|&head| head.to_owned()).collect();
        let notes = self.notes.iter().map(|note| format!("\nnote: {note}"));
        table(&heads, &rows) + &notes.collect::<String>()
    }
}

impl Beside {
    /// Figures and numbers for the page of the run. Of the two figures of a channel it shows the one that suits the screen.
    pub(crate) fn markup(&self) -> String {
        let number = |x: Option<f64>, unit: &str| match x {
            // The minus of the axes.
            Some(x) => si(rounded(x, 3), unit).replace('-', "\u{2212}"),
            None => "–".to_owned(),
        };
        let parts = self.columns.iter().filter_map(|(column, model)| {
            let drawing = |size: [f64; 2], class: &str| -> Option<String> {
                let svg = drawn(column, model, thinned).with_size(size[0], size[1]).svg().ok()?;
                let svg = svg.get(svg.find("<svg")?..)?;
                Some(format!("<div class=\"{class}\">{svg}</div>"))
            };
            let drawings = [([720.0, 320.0], "wide"), ([360.0, 260.0], "narrow")];
            let drawings: Option<String> = drawings.iter().map(|(size, class)| drawing(*size, class)).collect();
            let own = self.comparison.get(&column.channel)?;
            let unit = if column.unit == "-" { "" } else { &column.unit };
            let percent = own.nrmse.map_or_else(String::new, |x| format!(" ({} % of the range)", digits(100.0 * x, 2)));
            Some(format!(
                "<article class=\"panel\"><header class=\"bar\"><h2>{}: measured and model</h2></header><p>RMSE {}{percent}, peak error {}, data late by {}.</p>{}</article>",
                escaped(&column.channel),
                number(own.rmse, unit),
                number(own.peak_error, unit),
                number(own.shift, "s"),
                drawings?,
            ))
        });
        parts.collect()
    }
}

/// A number with so many digits.
fn rounded(x: f64, count: usize) -> f64 {
    format!("{x:.*e}", count.saturating_sub(1)).parse().unwrap_or(x)
}

/// So many stretches of a signal are told apart in a page.
const STRETCHES: usize = 1500;

/// A signal with as many points as a page can show: of each stretch the first, the lowest, the highest and the last.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let length = points.len().div_ceil(STRETCHES);
    if length <= 4 {
        return points;
    }
    let of = |part: &[(f64, f64)]| {
        let by = |a: &usize, b: &usize| part[*a].1.total_cmp(&part[*b].1);
        let mut kept = vec![0, part.len() - 1];
        kept.extend((0..part.len()).min_by(by));
        kept.extend((0..part.len()).max_by(by));
        kept.sort_unstable();
        kept.dedup();
        kept.into_iter().map(|i| part[i]).collect::<Vec<_>>()
    };
    points.chunks(length).flat_map(of).collect()
}

fn figure(column: &Compared, model: &[f64]) -> Figure {
    drawn(column, model, |points| points)
}

/// Data and model over time, with the points of them that are to be drawn.
fn drawn(
    column: &Compared,
    model: &[f64],
    of: impl Fn(Vec<(f64, f64)>) -> Vec<(f64, f64)>,
) -> Figure {
    let points = |values: &[f64]| -> Vec<(f64, f64)> {
        of(column.times.iter().copied().zip(values.iter().copied()).collect())
    };
    let label = column.channel.rsplit('.').next().unwrap_or(&column.channel);
    Figure::new(&column.channel, Axis::linear("t", "s"), Axis::linear(label, &column.unit))
        .with_series(Series::line("measured", points(&column.data)).solid())
        .with_series(Series::line("model", points(model)).dashed())
        .with_size(720.0, 320.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_peaks_survive_thinning() {
        let spike = |i: usize| if i == 77_777 { 5.0 } else { -(i as f64) * 1e-9 };
        let points: Vec<(f64, f64)> = (0..100_000).map(|i| (i as f64, spike(i))).collect();
        let thin = thinned(points.clone());
        assert!(thin.len() <= 4 * STRETCHES && thin.contains(&(77_777.0, 5.0)));
        assert!(thin.first() == points.first() && thin.last() == points.last());
        assert!(thin.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(thinned(points[..3000].to_vec()), points[..3000]);
    }

    #[test]
    fn exact_numbers_are_rounded() {
        assert_eq!(
            [rounded(21.4864e-3, 3), rounded(-969.197e-9, 3), rounded(0.0, 3)],
            [21.5e-3, -969e-9, 0.0]
        );
    }
}
