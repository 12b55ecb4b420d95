//! Metrics as they are written: their tables, their formulas, and what these may refer to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jointplay_expression::{Powers, Scope};

use super::{Metric, MetricInput, Reduced, Reduction, Window};
use crate::channel::{Channel, Names};
use crate::document::At;
use crate::format::{TIME, f, must};
use crate::lower::{Lower, View};
use crate::output::{ChannelFormula, powers_of, unit_of, without_hyphens};
use crate::parameters::Parameters;
use crate::problem::Problems;
use crate::shape::{Kind, Record};
use crate::source::Value;
use crate::statistic::JointStatistic;
use crate::suggestion::did_you_mean;
use crate::units::Dimension;
use crate::user::Complaint;

/// The table of a metric.
pub(crate) static METRIC: Record = Record {
    doc: "One number of a run",
    fields: &[&[
        must(
            "value",
            Kind::Name,
            "a formula such as \"max(slider.ax)\", \"pin.peak_force\" or \"rms(slider.x - ideal.slider.x)\"",
        ),
        f("from", TIME, "only from this time on"),
        f("to", TIME, "only up to this time"),
        f("last_periods", Kind::Count, "only over this many periods at the end of the run"),
        f(
            "period",
            Kind::AnyOf(&[Kind::Name, Kind::Quantity(&[Dimension::Time])]),
            "length of a period, or the driver or load that sets it",
        ),
        f("description", Kind::Text, "what it says"),
    ]],
    parameters: false,
};

/// A metric of a file before the mechanism is known.
#[derive(Clone, Debug)]
pub(crate) struct MetricText {
    pub(crate) text: String,
    pub(crate) window: Window,
    pub(crate) at: At,
}

impl MetricText {
    /// Reads a metric: a text, or a table with a window.
    pub(crate) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Self> {
        let mut window = Window::default();
        if view.has("from") {
            window.from = lower.not_negative(view, "from", Dimension::Time);
        }
        if view.has("to") {
            window.to = lower.positive(view, "to", Dimension::Time);
        }
        if let (Some(from), Some(to)) = (window.from, window.to)
            && from >= to
        {
            lower.report(view, "to", "the window ends before it begins", None);
        }
        let count = view.quantity("last_periods", Dimension::Number);
        match (count, view.node("period")) {
            (Some(_), None) => {
                let hint = Some("give period = \"20 ms\", or the name of a driver".to_owned());
                lower.report(view, "last_periods", "the `period` is missing", hint);
            }
            (None, Some(_)) => {
                lower.report(view, "period", "`period` is only used with `last_periods`", None);
            }
            (Some(count), Some(node)) => match &node.value {
                Value::Text(name) if !name.starts_with(|c: char| c.is_ascii_digit()) => {
                    match lower.period_of(name) {
                        Ok(period) => window.last = Some(count * period),
                        Err((message, hint)) => lower.report(view, "period", message, hint),
                    }
                }
                _ => {
                    let period = lower.exact(view, "period", Dimension::Time);
                    if period.is_some_and(|period| period <= 0.0) {
                        lower.report(view, "period", "a period must be above 0", None);
                    }
                    window.last = period.map(|period| count * period);
                }
            },
            (None, None) => {}
        }
        let (text, at) = (view.text("value")?.to_owned(), view.at_key("value"));
        Some(MetricText { text, window, at })
    }
}

/// What formulas of metrics may refer to.
pub(crate) struct MetricScope<'m> {
    pub(crate) channels: Names<'m>,
    /// Clearance joints, contacts and stops.
    pub(crate) joints: BTreeSet<&'m str>,
    pub(crate) parameters: &'m Parameters,
}

impl MetricScope<'_> {
    /// The metrics of a file, which may refer to each other. What is wrong is reported.
    pub(crate) fn read_all(
        &self,
        texts: &[(String, MetricText)],
        problems: &mut Problems,
    ) -> Vec<Metric> {
        let mut found: BTreeMap<&str, Option<Metric>> = BTreeMap::new();
        for (name, _) in texts {
            self.read_one(name, texts, &mut Vec::new(), &mut found, problems);
        }
        texts.iter().filter_map(|(name, _)| found.remove(name.as_str())?).collect()
    }

    fn read_one<'t>(
        &self,
        name: &'t str,
        texts: &'t [(String, MetricText)],
        above: &mut Vec<&'t str>,
        found: &mut BTreeMap<&'t str, Option<Metric>>,
        problems: &mut Problems,
    ) {
        if found.contains_key(name) {
            return;
        }
        let Some((_, metric)) = texts.iter().find(|(other, _)| other == name) else { return };
        if above.contains(&name) {
            let chain: Vec<String> =
                above.iter().chain([&name]).map(|name| format!("`{name}`")).collect();
            let message = format!("it follows from itself: {}", chain.join(" needs "));
            problems.report(&metric.at.place, &metric.at.path, message, None);
            found.insert(name, None);
            return;
        }
        above.push(name);
        let words = |other: &str| {
            let name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            metric.text.split(|c| !name(c)).any(|word| word == other)
        };
        for (other, _) in texts.iter().filter(|(other, _)| words(other)) {
            self.read_one(other, texts, above, found, problems);
        }
        above.pop();
        if found.contains_key(name) {
            return;
        }
        let known: Vec<Metric> = found.values().flatten().cloned().collect();
        // A metric that could not be read has been reported.
        let broken = found.iter().any(|(other, read)| read.is_none() && words(other));
        let read = match self.read(name, &metric.text, metric.window, &known) {
            Ok(metric) => Some(metric),
            Err(_) if broken => None,
            Err((message, hint)) => {
                problems.report(&metric.at.place, &metric.at.path, message, hint);
                None
            }
        };
        found.insert(name, read);
    }

    /// Reads the formula of a metric that may refer to these.
    pub(crate) fn read(
        &self,
        name: &str,
        text: &str,
        window: Window,
        known: &[Metric],
    ) -> Result<Metric, Complaint> {
        let mut inputs: Vec<(String, Powers, MetricInput)> = Vec::new();
        let plain = self.without_reductions(text, window, known, &mut inputs)?;
        let plain = self.without_joints(&plain, &mut inputs);
        // Those that the formula may mention: others would have to be measured for nothing.
        for metric in known.iter().filter(|metric| plain.contains(&metric.name)) {
            let powers = powers_of(&metric.unit);
            let input = MetricInput::Metric(Box::new(metric.clone()));
            inputs.push((metric.name.clone(), powers, input));
        }
        let scope = self.parameters.add_to(Scope::new()).checked();
        let scope = inputs
            .iter()
            .fold(scope, |scope, (name, powers, _)| scope.measured(name, Some(*powers)));
        let expression = scope.parse(&plain).map_err(|wrong| {
            let hint = self.nearest(&wrong).or_else(|| wrong.hint());
            (format!("in the formula `{text}`: {wrong}"), hint)
        })?;
        let unit = unit_of(expression.powers().unwrap_or(Powers::NONE));
        let inputs = inputs.into_iter().map(|(_, _, input)| input).collect();
        let (name, text) = (name.to_owned(), text.to_owned());
        Ok(Metric { name, text, unit, window, expression, inputs })
    }

    /// A channel or statistic that was meant by an unknown name.
    fn nearest(&self, wrong: &jointplay_expression::ExpressionError) -> Option<String> {
        let jointplay_expression::ExpressionError::UnknownName { name, .. } = wrong else {
            return None;
        };
        if self.channels.all.iter().any(|channel| without_hyphens(channel.name()) == *name) {
            return Some(format!(
                "`{name}` varies in time: write max({name}), rms({name}), last({name}), …"
            ));
        }
        let part = name.split('.').next().unwrap_or_default();
        let joint = self.joints.iter().find(|joint| without_hyphens(joint) == part)?;
        let all = JointStatistic::ALL.iter();
        let all: Vec<String> =
            all.map(|statistic| format!("{joint}.{}", statistic.key())).collect();
        did_you_mean(name, all.iter().map(String::as_str))
    }

    /// The text with a name in the place of each reduction.
    fn without_reductions(
        &self,
        text: &str,
        window: Window,
        known: &[Metric],
        inputs: &mut Vec<(String, Powers, MetricInput)>,
    ) -> Result<String, Complaint> {
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            if !word(first) {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            let by = Reduction::ALL.iter().find(|(known, _)| *known == name).map(|(_, by)| *by);
            let open = behind.len() - behind.trim_start().len();
            let arguments = by.filter(|_| behind[open..].starts_with('(')).and_then(|by| {
                let (inside, length) = parenthesised(&behind[open..])?;
                let arguments = split_at_commas(inside);
                let expected = 1 + usize::from(by.has_argument());
                // max(a, b) and min(a, b) are functions of numbers.
                (arguments.len() == expected || !matches!(by, Reduction::Max | Reduction::Min))
                    .then_some((by, arguments, open + length))
            });
            let Some((by, arguments, length)) = arguments else {
                plain.push_str(name);
                rest = behind;
                continue;
            };
            let expected = 1 + usize::from(by.has_argument());
            let [of, second @ ..] = &arguments[..] else { continue };
            if arguments.len() != expected {
                let message =
                    format!("`{name}` takes {expected} arguments, not {}", arguments.len());
                return Err((message, None));
            }
            let formula = ChannelFormula::read_with_ideal(of, self.channels, self.parameters)
                .map_err(|wrong| {
                    let hint = self.no_channel(&wrong).or_else(|| wrong.hint());
                    (format!("in `{name}({})`: {wrong}", of.trim()), hint)
                })?;
            let argument = match second {
                [argument] => {
                    let metric = self.read("", argument, window, known)?;
                    let expected = if by == Reduction::At { "s" } else { "-" };
                    if metric.unit != expected && metric.unit != "-" {
                        let message = format!(
                            "the second argument of `{name}` is in {}, not in {expected}",
                            metric.unit
                        );
                        return Err((message, None));
                    }
                    if by == Reduction::Percentile
                        && let Some(percent) = metric.without_run()
                        && !(0.0..=100.0).contains(&percent)
                    {
                        let message =
                            format!("the percentage of `{name}` is {percent}, not from 0 to 100");
                        return Err((message, None));
                    }
                    Some(Box::new(metric))
                }
                _ => None,
            };
            let key = format!("reduction_{}", inputs.len());
            let powers = by.powers(formula.powers());
            plain.push_str(&key);
            inputs.push((key, powers, MetricInput::Reduced { by, of: Reduced(formula), argument }));
            rest = &behind[length..];
        }
        Ok(plain)
    }

    /// A channel that was meant by an unknown name.
    fn no_channel(&self, wrong: &jointplay_expression::ExpressionError) -> Option<String> {
        let jointplay_expression::ExpressionError::UnknownName { name, .. } = wrong else {
            return None;
        };
        let part = name.split('.').next().unwrap_or_default();
        let same: Vec<&str> = self
            .channels
            .all
            .iter()
            .map(Channel::name)
            .filter(|other| other.split('.').next() == Some(part))
            .collect();
        if same.is_empty() {
            did_you_mean(name, self.channels.all.iter().map(Channel::name))
        } else {
            did_you_mean(name, same)
        }
    }

    /// The text with names that an expression takes for the statistics of joints.
    fn without_joints(
        &self,
        text: &str,
        inputs: &mut Vec<(String, Powers, MetricInput)>,
    ) -> String {
        let mut plain = String::with_capacity(text.len());
        let mut known: HashSet<String> = inputs.iter().map(|(name, ..)| name.clone()).collect();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            if !word(first) {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let inside = |c: char| word(c) || c == '.' || c == '-';
            let long = rest.find(|c| !inside(c)).unwrap_or(rest.len());
            let Some((joint, statistic, end)) = self.statistic(&rest[..long]) else {
                let end = rest.find(|c| !(word(c) || c == '.')).unwrap_or(rest.len());
                plain.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            };
            let name = without_hyphens(&rest[..end]);
            plain.push_str(&name);
            rest = &rest[end..];
            if known.insert(name.clone()) {
                let powers = powers_of(statistic.unit());
                let joint = joint.to_owned();
                inputs.push((name, powers, MetricInput::Joint { joint, statistic }));
            }
        }
        plain
    }

    /// The statistic of a joint that a text begins with, up to the end of a word, and how long its name is.
    fn statistic(&self, text: &str) -> Option<(&str, JointStatistic, usize)> {
        let ends = text.match_indices('-').map(|(at, _)| at).chain([text.len()]);
        ends.rev().find_map(|end| {
            let (joint, key) = text[..end].rsplit_once('.')?;
            let joint = self.joints.get(joint)?;
            let statistic = JointStatistic::ALL.iter().find(|statistic| statistic.key() == key)?;
            Some((*joint, *statistic, end))
        })
    }
}

/// The content of the parentheses at the beginning of a text, and its length including both.
fn parenthesised(text: &str) -> Option<(&str, usize)> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((&text[1..at], at + 1));
                }
            }
            _ => {}
        }
    }
    None
}

/// The arguments in a text.
fn split_at_commas(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}
