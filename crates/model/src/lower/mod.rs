//! From the tree of a file to its document: names resolved, numbers read, geometry checked.
//!
//! The [shape](crate::shape) of the tree has been checked before, so a value that is missing here
//! or of the wrong form has been reported; here only meaning is checked.

mod geometry;
mod run;
mod view;

use std::collections::BTreeMap;

use jointplay_contact::{MATERIALS, Material};
use jointplay_mbd::{Body, BodyId, Builder, GROUND, State};

use crate::array::{self, Arrays};
use crate::document::{At, Condition, Disturbance, Document, Named};
use crate::element::{Contact, Coordinate, Driver, Force, Joint};
use crate::format::{self, Clearances, MODEL};
use crate::metric::{MetricText, Window};
use crate::output::Output;
use crate::parameters::{Parameters, check_name};
use crate::problem::{Problems, SourcePlace, is_order};
use crate::shape::{self, Kind};
use crate::source::{Node, Table};
use crate::suggestion::did_you_mean;
use crate::tables::TableReader;
use crate::units::Dimension;
use crate::user::Complaint;

pub(crate) use view::View;

/// Maximum number of parts of each kind.
pub(crate) const MAX_PARTS: usize = 10_000;

/// Maximum length of the name of a part (bytes).
const MAX_NAME: usize = 100;

/// What is wrong with a position that can only be a slip of the pen.
const TOO_FAR: &str = "more than 1e9 m away from the origin";

/// Whether a position is that far away.
fn is_far(position: [f64; 2]) -> bool {
    position.iter().any(|x| x.abs() > 1e9)
}

/// Names that are reserved.
const RESERVED: [&str; 3] = ["ground", "energy", "t"];

/// The data of lowering other than the tree.
pub(crate) struct Lower<'a, 't> {
    pub(crate) tables: &'a mut TableReader<'t>,
    pub(crate) problems: &'a mut Problems,
    pub(crate) arrays: Arrays,
    /// Gravity and the bodies.
    parts: Builder,
    bodies: BTreeMap<String, BodyId>,
    /// The joints that could be read: their number, and the dimension of their coordinate.
    joints: BTreeMap<String, (usize, Option<Dimension>)>,
    /// All joints, in the order of the file.
    pub(crate) joint_names: Vec<String>,
    pub(crate) materials: BTreeMap<String, Material>,
    /// The drivers and loads, each with its period (s) where it has one.
    periods: Vec<(String, Option<f64>)>,
}

/// Computes the formulas of a tree, checks its shape, and gives its document. The text is that of the file, for the places of
/// problems.
pub(crate) fn read(
    root: &mut Node,
    text: &str,
    tables: &mut TableReader<'_>,
    problems: &mut Problems,
) -> Option<Document> {
    tables.parameters = Parameters::read(root.table()?, text, problems);
    let (model, parameters) = (Kind::Record(&MODEL), &tables.parameters);
    let arrays = array::expand(root, parameters, problems);
    parameters.resolve(root, &model, text, problems);
    shape::check(root, &model, "", problems);
    if !tables.parameters.are_known() || !arrays.are_known() {
        return None;
    }
    Some(lower(root.table()?, arrays, tables, problems))
}

/// The document of a tree.
fn lower(
    tree: &Table,
    arrays: Arrays,
    tables: &mut TableReader<'_>,
    problems: &mut Problems,
) -> Document {
    let mut lower = Lower {
        tables,
        problems,
        arrays,
        parts: Builder::new(),
        bodies: BTreeMap::from([("ground".to_owned(), GROUND)]),
        joints: BTreeMap::new(),
        joint_names: Vec::new(),
        materials: MATERIALS.iter().map(|(name, m)| ((*name).to_owned(), *m)).collect(),
        periods: Vec::new(),
    };
    let root = View::root(tree, &MODEL);
    lower.document(&root)
}

impl Lower<'_, '_> {
    /// The parts of a section that could be read.
    fn parts_of<T>(
        &mut self,
        root: &View<'_>,
        section: &'static str,
        read: fn(&mut Self, &View<'_>) -> Option<T>,
    ) -> Vec<Named<T>> {
        let parts = root.parts(section).into_iter().filter_map(|(name, view)| {
            let part = read(self, &view)?;
            Some(Named { name: name.to_owned(), at: view.at(), part })
        });
        parts.collect()
    }

    fn document(&mut self, root: &View<'_>) -> Document {
        let mut document = Document {
            name: root.text("name").map(str::to_owned),
            description: root.text("description").map(str::to_owned),
            parameters: self.tables.parameters.clone(),
            ..Document::default()
        };
        if let Some(version) = root.quantity("format", Dimension::Number)
            && version != format::VERSION
        {
            let hint = Some(format!("this program reads format = {}", format::VERSION));
            self.report(root, "format", format!("format {version} is not known"), hint);
        }
        if self.too_many_parts(root) {
            return document;
        }
        self.check_names(root);
        if let Some(world) = root.view("world") {
            let gravity = world.vector("gravity", Dimension::Acceleration);
            self.parts.gravity(gravity.unwrap_or_default());
        }
        for (name, material) in root.parts("materials") {
            if let Some(read) = self.material(&material) {
                self.materials.insert(name.to_owned(), read);
            }
        }
        for (name, _) in root.keys("bodies") {
            // A body that is read below is put in the place of this one.
            let id = self.parts.body(name, Body::new(1.0, 0.0));
            self.bodies.entry(name.to_owned()).or_insert(id);
        }
        for (name, body) in root.parts("bodies") {
            let read = self.body(&body);
            let Some(&id) = self.bodies.get(name) else { continue };
            if let Some(part) = self.parts.body_mut(id) {
                *part = read;
            }
            document.bodies.push(Named { name: name.to_owned(), at: body.at(), part: id });
        }
        if document.bodies.is_empty() && root.node("bodies").is_some() {
            self.report(root, "bodies", "there is no body", None);
        }
        self.joint_names = root.keys("joints").map(|(name, _)| name.to_owned()).collect();
        for (name, view) in root.parts("joints") {
            if let Some(part) = Joint::read(self, &view) {
                let known = (document.joints.len(), part.page().coordinate());
                self.joints.insert(name.to_owned(), known);
                document.joints.push(Named { name: name.to_owned(), at: view.at(), part });
            }
        }
        document.contacts = self.parts_of(root, "contacts", Contact::read);
        document.drivers = self.parts_of(root, "drivers", Driver::read);
        document.forces = self.parts_of(root, "forces", Force::read);
        document.outputs = self.parts_of(root, "outputs", Output::read);
        self.metrics(root, &mut document);
        self.start(root, &mut document);
        if let Some(run) = root.view("run") {
            document.run = self.run(&run);
            document.baumgarte = run.has("baumgarte").then(|| run.at_key("baumgarte"));
        }
        document.run.interval = document.run.until / 2000.0;
        if let Some(output) = root.view("output") {
            if let Some(interval) = self.positive(&output, "interval", Dimension::Time) {
                document.run.interval = interval;
                if !(document.run.until / interval <= 1e7) {
                    let message = "the interval gives more than 1e7 samples";
                    self.report(&output, "interval", message, None);
                }
            }
            let names = output.node("channels").and_then(Node::list);
            let named = |node: &Node| Some((node.text()?.to_owned(), node.place.clone()));
            document.channels = names.map(|names| names.iter().filter_map(named).collect());
        }
        document.parts = std::mem::take(&mut self.parts);
        document.arrays = std::mem::take(&mut self.arrays);
        document
    }

    fn start(&mut self, root: &View<'_>, document: &mut Document) {
        let Some(start) = root.view("start") else { return };
        document.centred = match start.word("clearances").unwrap_or(Clearances::Free) {
            Clearances::Free => false,
            Clearances::Centred => true,
        };
        for condition in start.list("coordinates") {
            document.conditions.extend(self.condition(&condition));
        }
        let length = self.not_negative(&start, "disturbance", Dimension::Length);
        let seed = start.quantity("seed", Dimension::Number);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        let seed = seed.map_or(1, |seed| seed as u64);
        document.disturbance = Disturbance { length: length.unwrap_or(0.0), seed };
        document.state = self.state(&start);
    }

    /// The state to start from.
    fn state(&mut self, start: &View<'_>) -> Option<(State, At)> {
        let text = self.tables.text(start.text("state")?);
        let state = text.and_then(|text| {
            serde_json::from_str::<State>(text).map_err(|wrong| {
                let hint = "`jointplay run MODEL --end-state FILE.json` writes one";
                (format!("this is not the state of a mechanism: {wrong}"), Some(hint.to_owned()))
            })
        });
        let state = state.and_then(|state| {
            match state.bodies.iter().find(|(_, body)| is_far(body.position)) {
                Some((name, _)) => Err((format!("the body `{name}` is {TOO_FAR}"), None)),
                None => Ok(state),
            }
        });
        match state {
            Ok(state) => Some((state, start.at_key("state"))),
            Err((message, hint)) => {
                self.report(start, "state", message, hint);
                None
            }
        }
    }

    /// Metrics are texts, or tables with a window.
    fn metrics(&mut self, root: &View<'_>, document: &mut Document) {
        self.periods = document.periods();
        let section = root.node("metrics").and_then(Node::table);
        for (key, node) in section.into_iter().flat_map(Table::iter) {
            let path = crate::source::join("metrics", &key.name);
            if let Err((message, hint)) = check_name(&key.name, &self.tables.parameters) {
                self.problems.report(&key.place, &path, message, Some(hint));
                continue;
            }
            if let Some(text) = node.text() {
                let at = At { path, place: node.place.clone() };
                let (text, window) = (text.to_owned(), Window::default());
                document.metrics.push((key.name.clone(), MetricText { text, window, at }));
            }
        }
        for (name, view) in root.parts("metrics") {
            if let Some(metric) = MetricText::read(self, &view) {
                document.metrics.push((name.to_owned(), metric));
            }
        }
        let place =
            |name: &str| section.and_then(|s| s.iter().position(|(key, _)| key.name == name));
        document.metrics.sort_by_key(|(name, _)| place(name));
    }

    /// The period of a driver or load (s).
    pub(crate) fn period_of(&self, name: &str) -> Result<f64, Complaint> {
        period_of(&self.periods, name)
    }

    fn too_many_parts(&mut self, root: &View<'_>) -> bool {
        let sections =
            ["materials", "bodies", "joints", "contacts", "drivers", "forces", "outputs"];
        let mut too_many = false;
        for section in sections {
            let count = root.node(section).and_then(Node::table).map_or(0, Table::len);
            if count > MAX_PARTS {
                let message = format!("{count} {section}: a model may have at most {MAX_PARTS}");
                self.report(root, section, message, None);
                too_many = true;
            }
        }
        too_many
    }

    /// Names are unique over all parts, because channels are named after them, and free of dots.
    fn check_names(&mut self, root: &View<'_>) {
        let mut seen: BTreeMap<String, &'static str> = BTreeMap::new();
        let sections = [
            ("bodies", "body"),
            ("joints", "joint"),
            ("contacts", "contact"),
            ("drivers", "driver"),
            ("forces", "force"),
            ("outputs", "output"),
        ];
        for (section, word) in sections {
            let keys: Vec<(String, SourcePlace)> =
                root.keys(section).map(|(name, place)| (name.to_owned(), place.clone())).collect();
            for (name, place) in keys {
                let path = crate::source::join(section, &name);
                let allowed =
                    |c: char| (c.is_alphanumeric() && !is_order(c)) || c == '_' || c == '-';
                if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(allowed) {
                    let hint =
                        Some(format!("use letters, digits, _ and -, {MAX_NAME} bytes at most"));
                    let message = format!("this is not a valid name for a {word}");
                    self.problems.report(&place, &path, message, hint);
                } else if RESERVED.contains(&name.as_str()) {
                    let message =
                        format!("the name `{name}` is reserved; choose another for this {word}");
                    self.problems.report(&place, &path, message, None);
                } else if let Some(other) = seen.insert(name.clone(), word) {
                    let message = format!("a {other} already has the name `{name}`");
                    let hint = "names are unique over bodies, joints, contacts, drivers, forces and outputs: \
                                channels such as pin.force are named after them";
                    self.problems.report(&place, &path, message, Some(hint.into()));
                }
            }
        }
    }

    fn material(&mut self, view: &View<'_>) -> Option<Material> {
        let young = self.positive(view, "young", Dimension::Pressure);
        let poisson = view.quantity("poisson", Dimension::Number);
        if let Some(value) = poisson.filter(|value| !(*value > -1.0 && *value <= 0.5)) {
            let message = format!("{value}: Poisson's ratio lies in (-1, 0.5]");
            self.report(view, "poisson", message, None);
        }
        let density = self.positive(view, "density", Dimension::Density);
        Some(Material { young: young?, poisson: poisson?, density })
    }

    fn body(&mut self, view: &View<'_>) -> Body {
        // A substitute for a body that could not be read, so that others can refer to it.
        let mass = self.not_negative(view, "mass", Dimension::Mass).unwrap_or(1.0);
        let inertia = self.not_negative(view, "inertia", Dimension::Inertia).unwrap_or(0.0);
        if mass == 0.0 && inertia > 0.0 {
            let hint = Some("give it a mass, or leave the inertia out".to_owned());
            let message = "a body without mass cannot have a moment of inertia";
            self.report(view, "inertia", message, hint);
        }
        let mut body = Body::new(mass, inertia);
        body.centre_of_mass = view.vector("centre", Dimension::Length).unwrap_or_default();
        body.position = view.vector("position", Dimension::Length).unwrap_or_default();
        body.angle = view.quantity("angle", Dimension::Angle).unwrap_or_default();
        let velocity = view.vector("velocity", Dimension::Speed);
        let omega = view.quantity("angular_velocity", Dimension::AngularSpeed);
        if velocity.is_some() || omega.is_some() {
            body.velocity = Some((velocity.unwrap_or_default(), omega.unwrap_or_default()));
        }
        for (key, numbers) in [("position", body.position), ("centre", body.centre_of_mass)] {
            if is_far(numbers) {
                self.report(view, key, TOO_FAR, None);
            }
        }
        body
    }

    fn condition(&mut self, view: &View<'_>) -> Option<Condition> {
        if !view.has("value") && !view.has("rate") {
            self.report_whole(view, "neither a `value` nor a `rate` is given", None);
        }
        let coordinate = Coordinate::read(self, view)?;
        let value = self.exact(view, "value", coordinate.dimension);
        let rate = self.exact(view, "rate", coordinate.rate());
        Some(Condition { coordinate, value, rate, at: view.at() })
    }

    /// A quantity whose dimension is known by now; what another dimension was allowed for is reported here.
    pub(crate) fn exact(
        &mut self,
        view: &View<'_>,
        key: &'static str,
        dimension: Dimension,
    ) -> Option<f64> {
        match shape::quantity(view.node(key)?, &[dimension]) {
            Ok((value, _)) => Some(value),
            Err(error) => {
                self.report(view, key, error.message, error.hint);
                None
            }
        }
    }

    /// A quantity above 0.
    pub(crate) fn positive(
        &mut self,
        view: &View<'_>,
        key: &'static str,
        dimension: Dimension,
    ) -> Option<f64> {
        let value = view.quantity(key, dimension)?;
        if !(value > 0.0) {
            let message = format!("{value}: it must be above 0");
            self.report(view, key, message, None);
            return None;
        }
        Some(value)
    }

    /// A quantity of 0 or more.
    pub(crate) fn not_negative(
        &mut self,
        view: &View<'_>,
        key: &'static str,
        dimension: Dimension,
    ) -> Option<f64> {
        let value = view.quantity(key, dimension)?;
        if !(value >= 0.0) {
            self.report(view, key, format!("{value}: it must not be negative"), None);
            return None;
        }
        Some(value)
    }

    /// A problem of the value of a key, or of the table where it is missing.
    pub(crate) fn report(
        &mut self,
        view: &View<'_>,
        key: &'static str,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        self.problems.report(view.place_of(key), &view.path_of(key), message, hint);
    }

    /// Reports that something is missing in a table, unless a wrong key in it is the reason.
    pub(crate) fn report_whole(
        &mut self,
        view: &View<'_>,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        if !self.problems.any_below(view.path()) {
            self.problems.report(view.place(), view.path(), message, hint);
        }
    }
}

/// The period of a driver or load (s), of those that there are.
pub(crate) fn period_of(periods: &[(String, Option<f64>)], name: &str) -> Result<f64, Complaint> {
    match periods.iter().find(|(known, _)| known == name) {
        Some((_, Some(period))) => Ok(*period),
        Some((_, None)) => {
            let hint = "give the length of a period, such as \"20 ms\"".to_owned();
            Err((format!("`{name}` has no period that is known"), Some(hint)))
        }
        None => {
            let hint = did_you_mean(name, periods.iter().map(|(name, _)| name.as_str()));
            Err((format!("there is no driver or load `{name}`"), hint))
        }
    }
}
