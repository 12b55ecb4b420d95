//! Limits of metrics.

use jointplay_model::shape::Misuse;

use super::StudyFile;
use crate::statistics::Limit;
use crate::vary::{Level, Quantity};

impl StudyFile {
    /// The limits of its metrics. The unit of a metric that is not known is not compared.
    ///
    /// # Errors
    /// Every limit that is wrong.
    pub fn limits(
        &self,
        unit_of: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<Limit>, Vec<Misuse>> {
        let (mut limits, mut wrong) = (Vec::new(), Vec::new());
        for (i, text) in self.limits.iter().enumerate() {
            let mut report = |message: String, hint: &str| {
                let at = ["limits".to_owned(), i.to_string()];
                let message = format!("limit `{text}`: {message}");
                wrong.push(Misuse::new(at, message).with_hint(Some(hint)));
            };
            let Some(read) = read_limits(text) else {
                let hint = "write METRIC < VALUE, METRIC > VALUE or LOW < METRIC < HIGH, such as \"pin.peak_force < 2 kN\"";
                report("this is not a limit".to_owned(), hint);
                continue;
            };
            if let [(low, _), (high, _)] = &read[..]
                && !(low.value < high.value)
            {
                report(
                    "no number lies between these limits".to_owned(),
                    "write LOW < METRIC < HIGH",
                );
                continue;
            }
            for (limit, typed) in read {
                let metric = &limit.metric;
                if !self.metrics.contains(metric) {
                    report(format!("`{metric}` is not among the metrics"), "add it");
                    break;
                }
                match unit_of(metric).filter(|unit| !typed.has_dimension_of(unit)) {
                    None => limits.push(limit),
                    Some(unit) if unit == "-" => {
                        report(format!("`{metric}` is a pure number"), "leave out the unit");
                    }
                    Some(unit) => report(
                        format!("`{metric}` is in {unit}"),
                        "give the limit in a unit of that kind",
                    ),
                }
            }
        }
        if wrong.is_empty() { Ok(limits) } else { Err(wrong) }
    }
}

/// Reads `METRIC < VALUE`, `METRIC > VALUE` or `LOW < METRIC < HIGH`: what the metric shall keep to, each with its value as it was typed.
pub(super) fn read_limits(text: &str) -> Option<Vec<(Limit, Quantity)>> {
    let limit = |metric: &str, upper: bool, value: &str| {
        let value = value.trim().trim_start_matches('=').trim();
        let typed = Quantity::parse(value)?;
        let value = Level::of(value.to_owned()).number?;
        Some((Limit { metric: metric.trim().to_owned(), upper, value }, typed))
    };
    if let [low, metric, high] = text.split('<').collect::<Vec<_>>()[..] {
        let metric = metric.trim().trim_start_matches('=');
        return Some(vec![limit(metric, false, low)?, limit(metric, true, high)?]);
    }
    let place = text.rfind(['<', '>'])?;
    let (metric, rest) = text.split_at(place);
    limit(metric, rest.starts_with('<'), rest.get(1..)?).map(|one| vec![one])
}
