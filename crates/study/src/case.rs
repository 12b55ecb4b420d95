//! A model with changes, and the one way from there to a result.
//!
//! A [`Case`] is a model file, or its text, with changes. [`Case::load`] reads and checks it once and gives a [`Loaded`] case,
//! which can be [run](Loaded::run) any number of times and gives a [`Run`]: motion, impacts, modes, channels, warnings.
//!
//! ```
//! use jointplay_study::case::Case;
//!
//! let text = r#"
//! format = 1
//! [world]
//! gravity = [0, "-9.81 m/s^2"]
//! [bodies.ball]
//! mass = "1 kg"
//! position = [0, "0.5 m"]
//! [forces.floor]
//! type = "stop"
//! y = { body = "ball" }
//! below = 0
//! law = { elastic = "hertz", stiffness = "1e9 N/m^1.5", damping = "flores" }
//! restitution = 0.8
//! [run]
//! until = "0.6 s"
//! "#;
//! let case = Case::of_text(text).set("run.rtol", 1e-9).set("forces.floor.restitution", 0.5);
//! let run = case.load()?.run(&mut ())?;
//! let first = run.contacts().episodes.first().expect("an impact");
//! assert!((first.start - (2.0 * 0.5 / 9.81_f64).sqrt()).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jointplay_mbd::{Error, Sampling, Simulation, State};
use jointplay_model::{Diagnostics, Metric, Model, ModelText, Overrides, Tables, Value, canonical};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::contacts::JointContacts;
use crate::own::OwnMetrics;
use crate::record::record;
use crate::run::{Keep, Observer, Run};

/// The file of the state that [`Case::starting_from`] gives to a model.
pub const START_STATE: &str = "start.json";

/// A model with changes.
#[derive(Clone, Debug)]
pub struct Case {
    name: Option<String>,
    file: Option<PathBuf>,
    /// Parsed once for all clones, independently of their changes.
    text: Arc<ModelText>,
    tables: Tables,
    changes: Overrides,
    /// What the caller measures of its runs in studies.
    own: Option<Arc<dyn OwnMetrics>>,
    /// The result folder that this case was opened from.
    #[cfg(feature = "folders")]
    stored: Option<Arc<crate::store::Store>>,
}

impl Case {
    /// The text of a model. It has no tables of its own, see [`with_tables`](Self::with_tables).
    pub fn of_text(text: impl Into<Arc<str>>) -> Self {
        Case {
            name: None,
            file: None,
            text: Arc::new(ModelText::new(text)),
            tables: Tables::none(),
            changes: Overrides::new(),
            own: None,
            #[cfg(feature = "folders")]
            stored: None,
        }
    }

    /// A model file, a folder with a `model.toml`, or a result folder, whose model is run again as it was. `-` is the standard
    /// input. Tables are those in or below the folder of the file.
    ///
    /// # Errors
    /// [`Diagnostics`] if it cannot be read.
    #[cfg(feature = "folders")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Diagnostics> {
        let path = path.as_ref();
        if !path.is_dir() {
            return Self::of_file(path);
        }
        let shown = path.display().to_string();
        let refused = |message: String, hint| Err(Diagnostics::whole(Some(&shown), message, hint));
        let file = path.join(crate::store::MODEL);
        match crate::store::Store::open(path) {
            Ok(_) if !file.exists() => {
                let message = "this result does not contain its model: run the model itself";
                refused(message.to_owned(), None)
            }
            Ok(stored) => {
                let name = stored.manifest().model_name().map(str::to_owned);
                let case = Case { stored: Some(Arc::new(stored)), ..Self::of_file(&file)? };
                Ok(match name {
                    Some(name) => case.named(name),
                    None => case,
                })
            }
            Err(crate::store::StoreError::NotAResult { .. }) if file.exists() => {
                Self::of_file(&file)
            }
            Err(crate::store::StoreError::NotAResult { .. }) => {
                let hint = Some("give a model file, or a folder with a model.toml in it");
                refused("this is a folder without a model.toml".to_owned(), hint)
            }
            // A damaged result is not treated as a plain model, because it could not be checked
            // whether the run repeats it.
            Err(error) => {
                let hint = "give its model.toml to run the model without the result";
                refused(error.to_string(), file.exists().then_some(hint))
            }
        }
    }

    #[cfg(feature = "folders")]
    fn of_file(file: &Path) -> Result<Self, Diagnostics> {
        let text = jointplay_model::read_model_file(file)?;
        let tables = Tables::beside(file);
        Ok(Case { file: Some(file.to_owned()), tables, ..Case::of_text(text) })
    }

    /// The same case with this name, if the model itself has none.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same case with these tables.
    pub fn with_tables(mut self, tables: Tables) -> Self {
        self.tables = tables;
        self
    }

    /// The same case, starting from a state with the memory of its contacts. The state becomes a file of the model, [`START_STATE`].
    pub fn starting_from(mut self, state: &State) -> Self {
        self.tables = self.tables.with(START_STATE, state_text(state));
        self.set("start.state", START_STATE)
    }

    /// The same case with one key set, see [`Overrides::set`]: numbers stay numbers, texts may carry units.
    pub fn set(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.changes = self.changes.set(key, value);
        self
    }

    /// The same case with this law in every clearance joint and contact, see [`Overrides::law`].
    pub fn law(mut self, law: impl Into<String>) -> Self {
        self.changes = self.changes.law(law);
        self
    }

    /// With the changes of a case of the file, see [`Overrides::case`].
    pub fn case(mut self, name: impl Into<String>) -> Self {
        self.changes = self.changes.case(name);
        self
    }

    /// The same case with every clearance joint ideal.
    pub fn ideal(mut self) -> Self {
        self.changes = self.changes.ideal();
        self
    }

    /// The same case with these changes instead of its own.
    pub fn changed(mut self, changes: Overrides) -> Self {
        self.changes = changes;
        self
    }

    /// The same case, of whose runs studies take these metrics, too.
    pub fn measured_by(mut self, own: Option<Arc<dyn OwnMetrics>>) -> Self {
        self.own = own;
        self
    }

    /// What the caller measures of its runs in studies.
    #[cfg(all(feature = "folders", feature = "threads"))]
    pub(crate) fn own(&self) -> Option<&dyn OwnMetrics> {
        self.own.as_deref()
    }

    /// Whether a metric is one that the caller measures.
    #[cfg(all(feature = "folders", feature = "threads"))]
    pub(crate) fn measures(&self, metric: &str) -> bool {
        self.own().is_some_and(|own| own.names().iter().any(|name| name == metric))
    }

    /// The changes.
    pub fn changes(&self) -> &Overrides {
        &self.changes
    }

    /// The file that it was read from.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The result folder that this case was opened from.
    #[cfg(feature = "folders")]
    pub(crate) fn stored(&self) -> Option<&crate::store::Store> {
        self.stored.as_deref()
    }

    /// The text of the model, without the changes.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The text of the model with the changes written into it.
    ///
    /// # Errors
    /// As [`Overrides::apply_to`].
    pub fn written(&self) -> Result<String, Diagnostics> {
        self.changes.apply_to(self.text(), &self.tables)
    }

    /// Reads and checks it. A table is read from its file the first time that the case, or a clone of it, needs it.
    ///
    /// # Errors
    /// [`Diagnostics`] with everything that is wrong with it.
    pub fn load(&self) -> Result<Loaded, Diagnostics> {
        let loaded = self.load_unidentified()?;
        let identity = loaded.identify()?;
        Ok(Loaded { identity: identity.into(), ..loaded })
    }

    /// The same without the text as it is run and the digest, which take as long as all the rest:
    /// they are computed when they are first needed.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_unidentified(&self) -> Result<Loaded, Diagnostics> {
        let Case { text, tables, changes, .. } = self;
        let model = text.model(self.file(), tables, changes)?;
        let name = self.name_of(&model);
        let metrics = model.metrics.clone();
        let (model, identity) = (Arc::new(model), OnceLock::new());
        let (sampling, start) = (None, None);
        Ok(Loaded { case: self.clone(), model, name, metrics, identity, sampling, start })
    }

    /// The name of the model: its own, or that of its folder or file.
    fn name_of(&self, model: &Model) -> String {
        let own = model.name.clone().filter(|name| !name.is_empty()).or_else(|| self.name.clone());
        let Some(file) = self.file() else { return own.unwrap_or_else(|| "model".to_owned()) };
        if jointplay_files::is_stdin(file) {
            return own.unwrap_or_else(|| "stdin".to_owned());
        }
        let text = |part: Option<&std::ffi::OsStr>| Some(part?.to_string_lossy().into_owned());
        let from_file = text(file.file_stem()).filter(|stem| stem != "model");
        let folder = || text(file.parent().and_then(Path::file_name));
        own.or(from_file).or_else(folder).unwrap_or_else(|| "model".to_owned())
    }
}

/// What a run is made from.
#[derive(Clone, Debug)]
struct Identity {
    /// The text of the model with the changes written into it.
    as_run: Arc<str>,
    /// The digest of it, its tables, its start and the engine.
    digest: Digest,
}

/// A case that was read and checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The case that was read.
    pub case: Case,
    /// The model with its changes.
    pub model: Arc<Model>,
    /// Its name: that of the model, or of its folder or file.
    pub name: String,
    /// The metrics of its runs: those of the model, unless [others](Self::measuring) are requested.
    pub metrics: Vec<Metric>,
    identity: OnceLock<Identity>,
    sampling: Option<Sampling>,
    start: Option<Arc<Start>>,
}

/// A state from which a case starts instead of the start that its model gives.
#[derive(Debug)]
struct Start {
    state: State,
    /// The same as the file [`START_STATE`].
    text: String,
}

impl Loaded {
    /// Keeps these instants instead of those given by the model. The digest changes, and the run cannot be stored as a result, because
    /// a model file cannot ask for these instants, so that running the folder again would not repeat its tables.
    pub fn sampled(mut self, sampling: Sampling) -> Self {
        self.sampling = Some(sampling);
        self.identity = OnceLock::new();
        self
    }

    /// Whether it keeps other instants than its model asks for.
    #[cfg(feature = "folders")]
    pub(crate) fn is_resampled(&self) -> bool {
        self.sampling.is_some()
    }

    /// Starts from this state, with the memory of its contacts, instead of the start that the model gives. As with
    /// [`Case::starting_from`], the state belongs to what identifies and what repeats a run: it changes the digest, the text of the
    /// model as it is run, and its tables.
    #[cfg(all(feature = "folders", feature = "threads"))]
    pub(crate) fn starting_from(self, state: State) -> Self {
        let text = state_text(&state);
        self.started(Arc::new(Start { state, text }))
    }

    /// Starts as another case does, of which this one is a variant.
    pub(crate) fn started_like(self, other: &Loaded) -> Self {
        match &other.start {
            Some(start) => self.started(start.clone()),
            None => self,
        }
    }

    fn started(mut self, start: Arc<Start>) -> Self {
        self.start = Some(start);
        self.identity = OnceLock::new();
        self
    }

    /// The text of the model with the changes written into it.
    pub fn as_run(&self) -> &Arc<str> {
        &self.identity().as_run
    }

    /// The digest that identifies its runs.
    pub fn digest(&self) -> &Digest {
        &self.identity().digest
    }

    fn identity(&self) -> &Identity {
        self.identity.get_or_init(|| {
            // What could be read with its changes can be written with them.
            self.identify().unwrap_or_else(|_| {
                let (text, flags) = (&self.case.text, self.case.changes.flags());
                let texts = std::iter::once(text.as_str()).chain(flags.iter().map(String::as_str));
                Identity { as_run: text.shared(), digest: Digest::of(texts) }
            })
        })
    }

    fn identify(&self) -> Result<Identity, Diagnostics> {
        let started =
            self.start.as_ref().map(|start| self.case.clone().starting_from(&start.state));
        let case = started.as_ref().unwrap_or(&self.case);
        let as_run: Arc<str> =
            if case.changes.is_empty() { case.text.shared() } else { case.written()?.into() };
        let mut digest = Digest::of_model(&as_run, &self.tables_as_run())?;
        if let Some(sampling) = &self.sampling {
            digest = Digest::of([digest.as_str(), &sampling_text(sampling)]);
        }
        Ok(Identity { as_run, digest })
    }

    /// Measures these instead of the metrics of the model.
    pub fn measuring(mut self, metrics: Vec<Metric>) -> Self {
        self.metrics = metrics;
        self
    }

    /// Runs it, and keeps the channels named by the model.
    ///
    /// # Errors
    /// Anything that prevents a start, or the evaluation of an instant; [`Error::UserCode`] if the mechanism of the file was
    /// replaced by one with user-written code. A run that ends early is not an error: its
    /// [summary](Run::summary) says why it ended.
    pub fn run(&self, observer: &mut impl Observer) -> Result<Run, Error> {
        self.run_keeping(Keep::Asked, observer)
    }

    /// Runs it.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_keeping(&self, keep: Keep, observer: &mut impl Observer) -> Result<Run, Error> {
        // The digest identifies a file, not code that was put into the model read from it.
        if let Some(part) = self.model.mechanism.user_code().into_iter().next() {
            return Err(Error::UserCode { part });
        }
        let plan = self.simulation();
        let record = record(&plan, joint_contacts(&self.model), |t| observer.advanced(t))?;
        Run::new(self.clone(), record, keep, observer)
    }

    /// The simulation that a run consists of.
    pub(crate) fn simulation(&self) -> Simulation {
        let plan = self.model.run.simulation(&self.model.mechanism);
        let plan = match &self.sampling {
            Some(sampling) => plan.sampled(sampling.clone()),
            None => plan,
        };
        match &self.start {
            Some(start) => plan.start_from(&self.known_to(&start.state)),
            None => plan,
        }
    }

    /// The state without contacts that this mechanism does not have: those of a joint that is ideal here have nothing to remember.
    fn known_to(&self, state: &State) -> State {
        let mut state = state.clone();
        state.contacts.retain(|name, _| self.model.mechanism.find_contact(name).is_some());
        state
    }

    /// The same with every clearance joint ideal; `None` if it has none.
    pub fn ideal(&self) -> Option<Case> {
        let changes = self.case.changes.clone().for_several_laws().ideal();
        self.model.has_clearance().then(|| self.case.clone().changed(changes))
    }

    /// The changes, as flags of the command line.
    pub fn changes(&self) -> Vec<String> {
        self.case.changes.flags()
    }

    /// The tables that the model refers to, by the names that it uses.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.model.tables.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The tables that [the model as it is run](Self::as_run) refers to: with the state from which it starts, if the case was given one
    /// after it was read.
    pub fn tables_as_run(&self) -> Cow<'_, BTreeMap<String, String>> {
        match &self.start {
            None => Cow::Borrowed(&self.model.tables),
            Some(start) => {
                let mut tables = self.model.tables.clone();
                tables.insert(START_STATE.to_owned(), start.text.clone());
                Cow::Owned(tables)
            }
        }
    }
}

/// The instants that a run keeps, as text.
fn sampling_text(sampling: &Sampling) -> String {
    match sampling {
        Sampling::EveryStep => "every step".to_owned(),
        Sampling::Interval(h) => format!("every {h} s"),
        Sampling::Impacts(h) => format!("every {h} s and impacts"),
        Sampling::Times(times) => {
            let times: Vec<String> = times.iter().map(f64::to_string).collect();
            format!("at {} s", times.join(" s, "))
        }
        Sampling::EventsOnly => "events".to_owned(),
    }
}

/// A state as text. It is plain data, which always has a JSON form.
pub(crate) fn state_text(state: &State) -> String {
    serde_json::to_string(state).unwrap_or_default()
}

/// The clearance joints, contacts and stops of a model, in the form that the record of a run needs.
pub(crate) fn joint_contacts(model: &Model) -> Vec<JointContacts> {
    let joint = |(name, regions): (&str, &[jointplay_model::NamedContact])| JointContacts {
        name: name.to_owned(),
        contacts: regions.iter().map(|r| (r.contact, r.name.to_owned())).collect(),
        laws: regions
            .iter()
            .map(|r| model.law_origin(r.contact).cloned().unwrap_or_default())
            .collect(),
    };
    model.touching().map(joint).collect()
}

/// Identifies a run: SHA-256 of everything that affects its result, in hexadecimal digits.
///
/// That is the content of the model with its changes, however it is written, the contents of its tables, and the sources of
/// the engine. Cases with the same digest give the same bits.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    fn of_model(as_run: &str, tables: &BTreeMap<String, String>) -> Result<Self, Diagnostics> {
        let canonical = canonical(as_run)?;
        let tables = tables.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]);
        Ok(Self::of(ENGINE.into_iter().chain([canonical.as_str()]).chain(tables)))
    }

    /// The digest of several runs.
    pub fn of_all<'d>(digests: impl IntoIterator<Item = &'d Digest>) -> Self {
        Self::of(digests.into_iter().map(|digest| digest.0.as_str()))
    }

    /// SHA-256 of these bytes alone, as other programs compute it for a file.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self::finish(Sha256::new().chain_update(bytes))
    }

    /// Identifies the sources of the engine of this program.
    pub fn of_engine() -> Self {
        Self::of(ENGINE)
    }

    /// The digest of these texts, in this order.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut hash = Sha256::new();
        for text in texts {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        Self::finish(hash)
    }

    fn finish(hash: Sha256) -> Self {
        let hash = hash.finalize();
        let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        Digest(digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect())
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The sources that determine a result.
const ENGINE: [&str; 6] = [
    jointplay_expression::SOURCE_HASH,
    jointplay_contact::SOURCE_HASH,
    jointplay_ode::SOURCE_HASH,
    jointplay_mbd::SOURCE_HASH,
    jointplay_model::SOURCE_HASH,
    env!("SOURCE_HASH"),
];
