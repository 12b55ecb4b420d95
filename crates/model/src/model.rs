//! A model: a mechanism with its run, read from a file.

use std::collections::BTreeMap;
use std::path::Path;

use jointplay_contact::catalog::LawOrigin;
use jointplay_expression::Powers;
use jointplay_files::{ReadError, Special, is_stdin, read_stdin, read_text};
use jointplay_mbd::{Axis, ContactId, Mechanism, StartReport};

use crate::array;
use crate::build::{self, Handle, NamedContact};
use crate::channel::{self, Channel, Names};
use crate::document::RunPlan;
use crate::drawing::{self, Block, GapDrawing};
use crate::element::JointForm;
use crate::in_use::{self, LawInUse};
use crate::knob::{self, Knob};
use crate::metric::{Metric, MetricScope, Window};
use crate::output::unit_of;
use crate::overrides::Overrides;
use crate::parameters::Parameters;
use crate::problem::{Diagnostics, Problem, Problems, SourcePlace};
use crate::source::{self, Node};
use crate::suggestion::Suggestion;
use crate::tables::{TableReader, Tables};
use crate::text::ModelText;
use crate::{law, lower};

/// Maximum size of a model file (bytes).
const MAX_FILE: u64 = 4 << 20;

/// A mechanism with its run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Model {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// The mechanism.
    pub mechanism: Mechanism,
    /// The run.
    pub run: RunPlan,
    /// The joints in the order of the file.
    pub joints: Vec<JointHandle>,
    /// Contacts outside joints and stops, by name.
    pub contacts: Vec<(String, Vec<NamedContact>)>,
    /// The channels named in the file, or a default set.
    pub channels: Vec<Channel>,
    /// Report of the assembly about the start.
    pub start: StartReport,
    /// Warnings, such as a law used outside its published domain.
    pub warnings: Vec<Problem>,
    /// The tables that it refers to, by the names that it uses.
    pub tables: BTreeMap<String, String>,
    /// The metrics of the file.
    pub metrics: Vec<Metric>,
    parameters: Parameters,
    periods: Vec<(String, Option<f64>)>,
    takes_law: bool,
    arrays: Vec<PartArray>,
    untaken: Vec<Problem>,
    available: Vec<Channel>,
    by_name: BTreeMap<String, usize>,
    laws: Vec<(String, String, LawInUse)>,
    origins: BTreeMap<ContactId, LawOrigin>,
    knobs: Vec<Knob>,
    gaps: Vec<(String, GapDrawing)>,
}

/// A joint of the file by its name.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JointHandle {
    /// Its name.
    pub name: String,
    /// What it was built as.
    pub handle: Handle,
    /// Its type in the file.
    pub form: JointForm,
    /// Its places on body a and body b.
    pub places: [Axis; 2],
    /// The centre line of a slot in the frame of body a, as a chain of straight pieces (m); empty for other joints.
    pub centre_line: Vec<[f64; 2]>,
    /// The block that slides in it, if one does.
    pub block: Option<Block>,
}

/// An array of parts of the file. Its parts are called `NAME-1`, `NAME-2`, ….
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartArray {
    /// Its name.
    pub name: String,
    /// The section of the file that it stands in, such as `joints`.
    pub section: &'static str,
    /// How many parts it has.
    pub count: usize,
}

impl PartArray {
    /// The number of a part of it.
    pub fn number_of(&self, part: &str) -> Option<usize> {
        let number: usize = part.strip_prefix(&self.name)?.strip_prefix('-')?.parse().ok()?;
        (1..=self.count).contains(&number).then_some(number)
    }
}

impl Model {
    /// Reads a file.
    ///
    /// # Errors
    /// [`Diagnostics`] with everything that is wrong with it.
    pub fn load(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Self, Diagnostics> {
        let path = path.as_ref();
        Self::of_text(&read_model_file(path)?, path, overrides)
    }

    /// Reads the text of a file that has already been loaded: the path names it in diagnostics, and the tables of the model are in
    /// its folder (for `-` and `/dev/stdin`, in the working directory).
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn of_text(text: &str, path: &Path, overrides: &Overrides) -> Result<Self, Diagnostics> {
        Self::with_tables(text, Some(path), &Tables::beside(path), overrides)
    }

    /// Reads a text; it cannot refer to other files.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(text: &str, overrides: &Overrides) -> Result<Self, Diagnostics> {
        Self::with_tables(text, None, &Tables::none(), overrides)
    }

    /// Reads a text with these tables; diagnostics name it by the path.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn with_tables(
        text: &str,
        path: Option<&Path>,
        tables: &Tables,
        overrides: &Overrides,
    ) -> Result<Self, Diagnostics> {
        ModelText::new(text).model(path, tables, overrides)
    }

    pub(crate) fn of_parsed(
        source: &ModelText,
        path: Option<&Path>,
        tables: &Tables,
        overrides: &Overrides,
    ) -> Result<Self, Diagnostics> {
        let (file, text) = (path.map(|path| path.display().to_string()), source.as_str());
        let file = file.as_deref();
        if let Some(message) = too_long(text) {
            return Err(Diagnostics::whole(file, message, None));
        }
        let (mut problems, mut warnings) = (Problems::default(), Problems::default());
        let parsed = source.parsed();
        let asked = overrides;
        let overrides = asked.with_case_of(parsed.root.as_ref(), &mut problems);
        let sets = overrides.as_said();
        // The other problems are not checked if the case does not exist.
        let root = parsed.root.as_ref().filter(|_| problems.is_empty()).cloned();
        if problems.is_empty() {
            problems.append(parsed.problems.clone());
        }
        let model = root.and_then(|root| {
            Self::lower(root, text, tables, &overrides, &mut problems, &mut warnings)
        });
        match model {
            Some(model) if problems.is_empty() => {
                let (warnings, _) = warnings.located(text, &sets);
                let replaced = overrides.named_law().is_some() && !model.tables.is_empty();
                let kept = replaced.then(|| Self::tables_with(asked, text, tables)).flatten();
                let tables = kept.unwrap_or(model.tables);
                Ok(Model { warnings, tables, ..model })
            }
            _ => {
                if problems.is_empty() {
                    problems.report(&SourcePlace::File, "", "the model cannot be built", None);
                }
                Err(problems.into_diagnostics(file, text, &sets))
            }
        }
    }

    /// The tables that the text with the changes written into it refers to: those of laws that were replaced are no longer among
    /// them.
    fn tables_with(
        changes: &Overrides,
        text: &str,
        tables: &Tables,
    ) -> Option<BTreeMap<String, String>> {
        let text = changes.apply_to(text, tables).ok()?;
        let mut problems = Problems::default();
        let mut root = source::root(&text, &mut problems)?;
        Overrides::new().set_in(&mut root, &mut problems);
        let mut tables = TableReader::new(tables);
        lower::read(&mut root, &text, &mut tables, &mut problems)?;
        Some(tables.finish())
    }

    fn lower(
        mut root: Node,
        text: &str,
        tables: &Tables,
        overrides: &Overrides,
        problems: &mut Problems,
        warnings: &mut Problems,
    ) -> Option<Self> {
        overrides.set_in(&mut root, problems);
        let mut tables = TableReader::new(tables);
        let mut document = lower::read(&mut root, text, &mut tables, problems)?;
        warnings.of_arrays(&document.arrays);
        if let Some(law) = overrides.named_law() {
            let place = overrides.place_of_law();
            let law = (law, overrides.makes_ideal());
            law::replace_all(&mut document, law, &place, &mut tables, problems);
        }
        let mut untaken = Problems::default();
        law::settle(&mut document, problems, &mut untaken);
        if !overrides.serves_several_laws() {
            problems.append(std::mem::take(&mut untaken));
        }
        if !problems.is_empty() {
            return None;
        }
        let built = build::build(&document, problems, warnings)?;
        let catalogue = channel::catalogue(&document, &built, problems);
        let channels = match &document.channels {
            None => catalogue.default,
            Some(names) => {
                let known = Names { all: &catalogue.all, by_name: &catalogue.by_name };
                asked_channels(known, names, problems)
            }
        };
        let joints = document.contact_parts().map(|part| part.name).collect();
        let names = Names { all: &catalogue.all, by_name: &catalogue.by_name };
        let parameters = &document.parameters;
        let metrics = MetricScope { channels: names, joints, parameters };
        let metrics = metrics.read_all(&document.metrics, problems);
        let gaps = drawing::gaps(&document, &built);
        let takes_law = document.law_takers(overrides.makes_ideal()).next().is_some();
        let arrays = document.arrays.iter().map(|(section, name, count)| {
            let name = name.to_owned();
            PartArray { name, section, count }
        });
        let handles = built.handles.joints.into_iter();
        let joints = document.joints.iter().zip(handles).map(|(part, handle)| {
            let joint = part.part.page();
            JointHandle {
                name: part.name.clone(),
                form: joint.form(),
                places: joint.places(),
                centre_line: joint.centre_line(),
                block: joint.block(&handle, &built.mechanism),
                handle,
            }
        });
        Some(Model {
            joints: joints.collect(),
            laws: in_use::laws(&document),
            periods: document.periods(),
            arrays: arrays.collect(),
            metrics,
            origins: built.handles.origins.into_iter().collect(),
            knobs: knob::knobs(root.table()?, &document, &built.rooms),
            contacts: built.handles.contacts,
            takes_law,
            parameters: document.parameters,
            gaps,
            name: document.name,
            description: document.description,
            mechanism: built.mechanism,
            run: RunPlan { state: built.state, ..document.run },
            channels,
            start: built.start,
            warnings: Vec::new(),
            tables: tables.finish(),
            untaken: untaken.located(text, &overrides.as_said()).0,
            available: catalogue.all,
            by_name: catalogue.by_name,
        })
    }

    /// Parameters that were set although the law of this model does not take them; always empty without
    /// [`Overrides::for_several_laws`].
    pub fn untaken(&self) -> &[Problem] {
        &self.untaken
    }

    /// The arrays of the file: parts that were written once, with a `count`.
    pub fn arrays(&self) -> &[PartArray] {
        &self.arrays
    }

    /// The channel of this name.
    ///
    /// # Errors
    /// [`NoChannel`] if there is none.
    pub fn channel(&self, name: &str) -> Result<Channel, NoChannel> {
        let found = self.names().get(name);
        found.cloned().ok_or_else(|| NoChannel::of(&self.available, name))
    }

    fn names(&self) -> Names<'_> {
        Names { all: &self.available, by_name: &self.by_name }
    }

    /// Every channel that the model has.
    pub fn available_channels(&self) -> &[Channel] {
        &self.available
    }

    /// The parameters: name, value in SI, and unit (`-` for a pure number).
    pub fn parameters(&self) -> impl Iterator<Item = (&str, f64, String)> {
        self.parameters.iter().map(|parameter| {
            let powers = parameter.number.powers.unwrap_or(Powers::NONE);
            (parameter.name.as_str(), parameter.number.value, unit_of(powers))
        })
    }

    /// A metric: one of the file by its name, or a formula such as `max(slider.ax)` or `sum(pin[*].impacts)`.
    ///
    /// # Errors
    /// What is wrong with it, and a hint.
    pub fn metric(&self, text: &str) -> Result<Metric, (String, Option<String>)> {
        let text = text.trim();
        if let Some(known) = self.metrics.iter().find(|metric| metric.name == text) {
            return Ok(known.clone());
        }
        let joints = self.touching().map(|(name, _)| name).collect();
        let (channels, parameters) = (self.names(), &self.parameters);
        let scope = MetricScope { channels, joints, parameters };
        let written = array::metric(text, &|name| self.parts_of(name), parameters)?;
        let mut metric = scope.read(text, &written, Window::default(), &self.metrics)?;
        text.clone_into(&mut metric.text);
        Ok(metric)
    }

    /// The names of the channels that a name stands for: `pin[*].ex` for those of all parts of an array, every other for itself.
    ///
    /// # Errors
    /// What is wrong with an index, and a hint.
    pub fn channel_names(&self, name: &str) -> Result<Vec<String>, (String, Option<String>)> {
        array::channels(name, &|name| self.parts_of(name), &self.parameters)
    }

    /// How many parts the array of this name has; `None` if there is none.
    fn parts_of(&self, name: &str) -> Option<usize> {
        Some(self.arrays.iter().find(|array| array.name == name)?.count)
    }

    /// The period of a driver or load (s): that of a harmonic function, or the time of a revolution.
    ///
    /// # Errors
    /// What is wrong with it, and a hint.
    pub fn period_of(&self, name: &str) -> Result<f64, (String, Option<String>)> {
        lower::period_of(&self.periods, name)
    }

    /// The law of every clearance joint, contact and stop: its name, the region (empty if all regions have the same
    /// law), and the law.
    pub fn laws(&self) -> Vec<(String, String, LawInUse)> {
        self.laws.clone()
    }

    /// What the law of a contact was built from: the names of its components and the data given to them.
    pub fn law_origin(&self, contact: ContactId) -> Option<&LawOrigin> {
        self.origins.get(&contact)
    }

    /// The numbers that are worth varying, joint by joint, followed by speeds.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// What the joint of this name was built as.
    pub fn joint(&self, name: &str) -> Option<&Handle> {
        self.joints.iter().find(|joint| joint.name == name).map(|joint| &joint.handle)
    }

    /// Data for drawing every clearance joint, contact and stop, by name, in the order of
    /// [`touching`](Self::touching).
    pub fn gaps(&self) -> &[(String, GapDrawing)] {
        &self.gaps
    }

    /// Whether a joint has clearance.
    pub fn has_clearance(&self) -> bool {
        self.joints.iter().any(|joint| joint.handle.is_clearance())
    }

    /// Why a law that is given for the whole model, see [`Overrides::law`], would be used nowhere; `None` if it is used.
    pub fn takes_no_law(&self) -> Option<&'static str> {
        match (self.takes_law, self.contacts.is_empty()) {
            (true, _) => None,
            (false, true) => Some(
                "nothing in this model uses a contact law: no joint has clearance, and there are no contacts and no stops",
            ),
            (false, false) => Some(
                "no part of this model uses this law: its clearance joints are ideal, and stops keep their own laws",
            ),
        }
    }

    /// Every clearance joint, contact and stop by name, with its contacts.
    pub fn touching(&self) -> impl Iterator<Item = (&str, &[NamedContact])> {
        let joints = self.joints.iter();
        let joints =
            joints.filter_map(|joint| Some((joint.name.as_str(), joint.handle.regions()?)));
        joints
            .chain(self.contacts.iter().map(|(name, regions)| (name.as_str(), regions.as_slice())))
    }
}

/// The channels that a file lists; each must exist and may be listed only once.
fn asked_channels(
    known: Names<'_>,
    names: &[(String, SourcePlace)],
    problems: &mut Problems,
) -> Vec<Channel> {
    // Every name once, with the place of its second mention and how often it is there.
    let mut asked: BTreeMap<&str, (usize, &SourcePlace)> = BTreeMap::new();
    let mut found = Vec::new();
    for (name, place) in names {
        let entry = asked.entry(name).or_insert((0, place));
        entry.0 += 1;
        match entry.0 {
            1 => match known.get(name) {
                Some(channel) => found.push(channel.clone()),
                None if problems.is_full() => problems.report(place, "output.channels", "", None),
                None => {
                    let message = format!("there is no channel `{name}`");
                    let hint = NoChannel::of(known.all, name).nearest.map(|hint| hint.to_string());
                    problems.report(place, "output.channels", message, hint);
                }
            },
            2 => entry.1 = place,
            _ => {}
        }
    }
    for (name, (count, place)) in asked.into_iter().filter(|(_, (count, _))| *count > 1) {
        let message = format!("the channel `{name}` is listed {count} times");
        problems.report(place, "output.channels", message, Some("once is enough".to_owned()));
    }
    found
}

/// A model has no channel of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoChannel {
    /// The requested name.
    pub name: String,
    /// What may have been meant.
    pub nearest: Option<Suggestion>,
}

impl std::fmt::Display for NoChannel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no channel `{}`", self.name)?;
        self.nearest.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for NoChannel {}

impl NoChannel {
    fn of(all: &[Channel], name: &str) -> Self {
        let part = name.split('.').next().unwrap_or_default();
        let of_part: Vec<&str> = all
            .iter()
            .map(Channel::name)
            .filter(|other| other.split('.').next() == Some(part))
            .collect();
        let nearest = if of_part.is_empty() {
            let mut parts: Vec<&str> =
                all.iter().filter_map(|c| c.name().split('.').next()).collect();
            parts.dedup();
            Suggestion::of(part, parts)
        } else {
            Suggestion::of(name, of_part)
        };
        NoChannel { name: name.to_owned(), nearest }
    }
}

/// What is wrong with a text that is longer than a file may be.
pub(crate) fn too_long(text: &str) -> Option<String> {
    (text.len() as u64 > MAX_FILE).then(too_long_message)
}

fn too_long_message() -> String {
    format!("the file is longer than {} MB", MAX_FILE >> 20)
}

/// The text of a model file, or of the standard input under the names `-` and `/dev/stdin`.
///
/// # Errors
/// [`Diagnostics`] if it cannot be read: it does not exist, is a folder, a pipe or a device, is not text, or is too long.
pub fn read_model_file(path: &Path) -> Result<String, Diagnostics> {
    let text = if is_stdin(path) { read_stdin(MAX_FILE) } else { read_text(path, MAX_FILE) };
    text.map_err(|error| {
        let hint = match error {
            ReadError::NotAFile(Special::Folder) => Some("give the model.toml in it"),
            ReadError::NotAFile(Special::Pipe) => Some("pipe the model into `-`"),
            _ => None,
        };
        let message = match error {
            ReadError::NotAFile(what) => format!("this is {what}"),
            error => format!("the file {error}"),
        };
        Diagnostics::whole(Some(&path.display().to_string()), message, hint)
    })
}
