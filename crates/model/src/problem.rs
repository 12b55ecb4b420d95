//! Problems of a model, each with its location, its source line and a hint.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::Serialize;

use crate::array::Arrays;

/// At most this many problems are kept and shown; the others are only counted.
const SHOWN: usize = 100;

/// The place at which a value was given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum SourcePlace {
    /// Nowhere in particular: the file as a whole.
    #[default]
    File,
    /// Bytes of the file.
    Span(Range<usize>),
    /// The override with this index.
    Set(usize),
}

/// One thing that is wrong with a model, or worth a warning.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Problem {
    /// The key, such as `joints.pin.law`; empty for the file as a whole.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Its location in the file; `None` for the file as a whole and for overrides.
    pub location: Option<Location>,
    /// The override that is at fault, such as `--set path=value`.
    pub set: Option<String>,
    /// The same as data; `None` also for overrides of other files than models.
    pub change: Option<Change>,
    /// Whether there is no such key, so that no other value would help.
    pub unknown_key: bool,
}

/// A change to a model that a problem is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A key that was set.
    Key {
        /// The key.
        key: String,
        /// The value as it was written.
        value: String,
    },
    /// The law of all contacts.
    Law(String),
    /// Joints that were made ideal.
    Ideal,
    /// Something that the case of the file changes.
    Case,
}

/// A change to a file: the flag that the user gave, and what it changes in a model.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) flag: String,
    pub(crate) change: Option<Change>,
}

/// A place in a file. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
    /// Number of characters on this line that are meant.
    pub length: usize,
    /// The line itself.
    pub source_line: String,
}

impl Location {
    /// The location of these bytes of a text.
    pub(crate) fn of(source: &str, span: &Range<usize>) -> Self {
        let clip = |mut at: usize| {
            at = at.min(source.len());
            while !source.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = clip(span.start);
        let before = &source[..start];
        let begin = before.rfind('\n').map_or(0, |i| i + 1);
        let end = source[start..].find('\n').map_or(source.len(), |i| start + i);
        let stop = clip(span.end).clamp(start, end);
        Location {
            line: before.matches('\n').count() + 1,
            column: source[begin..start].chars().count() + 1,
            length: source[start..stop].chars().count().max(1),
            source_line: source[begin..end].trim_end_matches('\r').to_owned(),
        }
    }
}

/// A problem as data, for programs and the page.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProblemData<'a> {
    /// The file.
    pub file: Option<&'a str>,
    /// Line, from 1; `None` for the file as a whole and for overrides.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// The line itself.
    pub source_line: Option<&'a str>,
    /// The key; empty for the file as a whole.
    pub path: &'a str,
    /// What is wrong.
    pub message: &'a str,
    /// What to do about it.
    pub hint: Option<&'a str>,
    /// The override that is at fault.
    pub set: Option<&'a str>,
}

/// All problems as data, for programs and the page.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DiagnosticsData<'a> {
    /// The file.
    pub file: Option<&'a str>,
    /// The problems, in the order of the file.
    pub problems: Vec<ProblemData<'a>>,
    /// Number of further problems that are not listed.
    pub omitted: usize,
}

impl Problem {
    /// As data, for programs.
    pub fn data<'a>(&'a self, file: Option<&'a str>) -> ProblemData<'a> {
        let location = self.location.as_ref();
        ProblemData {
            file,
            line: location.map(|l| l.line),
            column: location.map(|l| l.column),
            source_line: location.map(|l| l.source_line.as_str()),
            path: &self.path,
            message: &self.message,
            hint: self.hint.as_deref(),
            set: self.set.as_deref(),
        }
    }

    /// The same as JSON.
    pub fn to_json(&self, file: Option<&str>) -> serde_json::Value {
        // Texts and numbers always have a JSON form.
        serde_json::to_value(self.data(file)).unwrap_or_default()
    }

    /// As a warning, with its location in this file and in terminal colours.
    pub fn styled_warning(&self, file: &str) -> String {
        self.render(Some(file), Level::WARNING, &Renderer::styled())
    }

    fn render(&self, file: Option<&str>, level: Level<'static>, renderer: &Renderer) -> String {
        let title = match &self.set {
            Some(set) => format!("{set}: {}", self.message),
            None if self.path.is_empty() => self.message.clone(),
            None => format!("{}: {}", self.path, self.message),
        };
        let title = level.primary_title(printable(&brief(&title)));
        let hint = self.hint.as_ref().map(|hint| Level::HELP.message(printable(&brief(hint))));
        let file = file.map(printable);
        let group = match &self.location {
            Some(at) => {
                let line = printable(&shortened(&at.source_line));
                let byte =
                    |i: usize| line.char_indices().nth(i).map_or(line.len(), |(byte, _)| byte);
                let span = byte(at.column - 1)..byte(at.column - 1 + at.length);
                let snippet = Snippet::source(line)
                    .line_start(at.line)
                    .path(file.unwrap_or_else(|| "model".to_owned()))
                    .annotation(AnnotationKind::Primary.span(span));
                title.element(snippet).elements(hint)
            }
            None => match file {
                Some(file) => title.element(annotate_snippets::Origin::path(file)).elements(hint),
                None => title.elements(hint),
            },
        };
        renderer.render(&[group])
    }
}

/// A line, truncated if it is very long.
fn shortened(line: &str) -> String {
    if line.chars().count() <= 300 { line.to_owned() } else { line.chars().take(300).collect() }
}

/// A very long message without its middle, which is a quotation; the problem is at the ends.
fn brief(text: &str) -> String {
    const ENDS: usize = 400;
    let count = text.chars().count();
    if count <= 3 * ENDS {
        return text.to_owned();
    }
    let begin: String = text.chars().take(ENDS).collect();
    let end: String = text.chars().skip(count - ENDS).collect();
    format!("{begin} … {end}")
}

/// Whether a character controls a terminal or is invisible: it could change colours, move the cursor, write from right to left,
/// or make two names look the same. Newlines and tabs do not count.
pub fn is_order(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Text with control characters replaced by spaces, of the same length in characters.
fn printable(text: &str) -> String {
    text.chars().map(|c| if is_order(c) || c == '\t' { ' ' } else { c }).collect()
}

/// All problems of a model: at least one. `Display` shows them in the style of a compiler.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnostics {
    /// The file, if the model came from one.
    pub file: Option<String>,
    /// What is wrong, in the order of the file.
    pub problems: Vec<Problem>,
    /// Problems beyond those listed.
    pub omitted: usize,
}

impl Diagnostics {
    /// A single problem that concerns a file as a whole.
    pub fn whole(file: Option<&str>, message: impl Into<String>, hint: Option<&str>) -> Self {
        let problem = Problem {
            path: String::new(),
            message: message.into(),
            hint: hint.map(str::to_owned),
            location: None,
            set: None,
            change: None,
            unknown_key: false,
        };
        Diagnostics { file: file.map(str::to_owned), problems: vec![problem], omitted: 0 }
    }

    /// Problems of a text that is not a model, such as a table: the bytes, the message, and a hint.
    /// An empty range at the start means the file as a whole.
    pub fn of_text(
        file: Option<&str>,
        text: &str,
        wrong: impl IntoIterator<Item = (Range<usize>, String, Option<String>)>,
    ) -> Self {
        let mut problems = Problems::default();
        for (span, message, hint) in wrong {
            let whole = span == (0..0);
            let place = if whole { SourcePlace::File } else { SourcePlace::Span(span) };
            problems.report(&place, "", message, hint);
        }
        problems.into_diagnostics(file, text, &[])
    }

    /// Parameters that were set for several laws although none of the laws takes them; `None` if each is taken by at least one.
    /// The models come from one file, each with one of the laws.
    pub fn taken_by_none<'m>(
        file: Option<&str>,
        models: impl IntoIterator<Item = &'m crate::Model>,
    ) -> Option<Self> {
        let mut models = models.into_iter();
        let first = models.next()?;
        let others: Vec<&crate::Model> = models.collect();
        let everywhere = |problem: &&Problem| {
            let same = |other: &Problem| other.set == problem.set && other.path == problem.path;
            others.iter().all(|model| model.untaken().iter().any(same))
        };
        let none = |problem: &Problem| {
            let key = problem.path.rsplit('.').next().unwrap_or_default();
            let message = format!("none of the laws takes `{key}`: {}", problem.message);
            Problem { message, ..problem.clone() }
        };
        let problems: Vec<Problem> = first.untaken().iter().filter(everywhere).map(none).collect();
        let file = file.map(str::to_owned);
        (!problems.is_empty()).then_some(Diagnostics { file, problems, omitted: 0 })
    }

    /// As data, for programs.
    pub fn data(&self) -> DiagnosticsData<'_> {
        let file = self.file.as_deref();
        let problems = self.problems.iter().map(|problem| problem.data(file)).collect();
        DiagnosticsData { file, problems, omitted: self.omitted }
    }

    /// The same as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        // Texts and numbers always have a JSON form.
        serde_json::to_value(self.data()).unwrap_or_default()
    }

    /// As text in terminal colours.
    pub fn styled(&self) -> String {
        self.render(&Renderer::styled())
    }

    fn render(&self, renderer: &Renderer) -> String {
        let file = self.file.as_deref();
        let shown = self.problems.iter().map(|p| p.render(file, Level::ERROR, renderer));
        let mut text = shown.collect::<Vec<_>>().join("\n\n");
        if self.omitted > 0 {
            let _ = write!(text, "\n\nand {} more problems", self.omitted);
        }
        text
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

impl std::error::Error for Diagnostics {}

/// Collects problems as they are found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problems {
    found: Vec<Found>,
    omitted: usize,
    /// Arrays of parts: a problem of their parts is reported once, for the array.
    arrays: Arrays,
    /// The number of the part for which a problem of an array was reported first, by its place and key.
    said: HashMap<(SourcePlace, String), usize>,
    /// How many problems were not reported again.
    repeated: usize,
}

#[derive(Clone, Debug)]
struct Found {
    place: SourcePlace,
    path: String,
    message: String,
    hint: Option<String>,
    unknown_key: bool,
}

impl Found {
    fn new(
        place: &SourcePlace,
        path: &str,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Self {
        let (place, path, message) = (place.clone(), path.to_owned(), message.into());
        Found { place, path, message, hint, unknown_key: false }
    }
}

impl Problems {
    pub(crate) fn report(
        &mut self,
        place: &SourcePlace,
        path: &str,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        self.add(Found::new(place, path, message, hint));
    }

    /// Reports a key that does not exist.
    pub(crate) fn report_unknown_key(
        &mut self,
        place: &SourcePlace,
        path: &str,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        self.add(Found { unknown_key: true, ..Found::new(place, path, message, hint) });
    }

    /// Adds a problem. One of a part of an array is reported under the key of the file, and once for all parts.
    fn add(&mut self, mut found: Found) {
        if let Some((shown, number)) = self.arrays.shown(&found.path) {
            let key = (found.place.clone(), shown.clone());
            let first = *self.said.entry(key).or_insert(number);
            if first != number {
                self.repeated += 1;
                return;
            }
            if number > 1 && !found.message.is_empty() {
                let name = found.path.split('.').nth(1).unwrap_or_default();
                found.message = format!("{} (of `{name}`)", found.message);
            }
            found.path = shown;
        }
        if self.is_full() {
            self.omitted += 1;
        } else {
            self.found.push(found);
        }
    }

    /// From here on, problems of the parts of these arrays are reported under the keys of the file.
    pub(crate) fn of_arrays(&mut self, arrays: &Arrays) {
        self.arrays = arrays.clone();
    }

    /// Appends the problems of another list.
    pub(crate) fn append(&mut self, other: Problems) {
        self.omitted += other.omitted;
        other.found.into_iter().for_each(|found| self.add(found));
    }

    /// The key, message and hint of every problem of a value set by overrides.
    pub(crate) fn set_by_overrides(self) -> impl Iterator<Item = (String, String, Option<String>)> {
        let found = self.found.into_iter();
        let set = found.filter(|found| matches!(found.place, SourcePlace::Set(_)));
        set.map(|found| (found.path, found.message, found.hint))
    }

    /// Whether the list is full, so that further problems are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= SHOWN
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether any problem concerns a key below this path.
    pub(crate) fn any_below(&self, path: &str) -> bool {
        let shown = self.arrays.shown(path);
        let path = shown.as_ref().map_or(path, |(shown, _)| shown);
        let below =
            |other: &str| other.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        self.found.iter().any(|found| below(&found.path))
    }

    /// Number of problems found so far.
    pub(crate) fn count(&self) -> usize {
        self.found.len() + self.omitted + self.repeated
    }

    /// The problems with their locations, in the order of the text.
    pub(crate) fn located(self, source: &str, sets: &[Said]) -> (Vec<Problem>, usize) {
        let mut found = self.found;
        let rank = |place: &SourcePlace| match place {
            SourcePlace::File => (0, 0),
            SourcePlace::Span(span) => (1, span.start),
            SourcePlace::Set(i) => (2, *i),
        };
        found.sort_by_key(|f| rank(&f.place));
        found.dedup_by(|a, b| a.place == b.place && a.message == b.message && a.path == b.path);
        let located = found.into_iter().map(|f| {
            let (location, said) = match &f.place {
                SourcePlace::File => (None, None),
                SourcePlace::Span(span) => (Some(Location::of(source, span)), None),
                SourcePlace::Set(i) => (None, sets.get(*i).cloned()),
            };
            let (set, change) = said.map_or((None, None), |said| (Some(said.flag), said.change));
            let Found { path, message, hint, unknown_key, .. } = f;
            Problem { path, message, hint, location, set, change, unknown_key }
        });
        (located.collect(), self.omitted)
    }

    /// As the diagnostics of a text.
    pub(crate) fn into_diagnostics(
        self,
        file: Option<&str>,
        source: &str,
        sets: &[Said],
    ) -> Diagnostics {
        let (problems, omitted) = self.located(source, sets);
        Diagnostics { file: file.map(str::to_owned), problems, omitted }
    }
}
