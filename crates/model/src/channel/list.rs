//! Which channels a model has, by name.

use std::collections::{BTreeMap, HashMap};

use jointplay_mbd::{
    AccountKind, AccountSide, Anchor, Axis, BodyId, ContactId, ContactKind, Coordinate, DriverId,
    ForceId, JointId, Mechanism,
};

use super::{Channel, ContactQuantity, EnergyKind, ForceQuantity, Names, Order, Probe};
use crate::build::{Built, Handle, NamedContact};
use crate::document::{Document, Named};
use crate::element::{Force, bushing, force_channels};
use crate::output::{self, ChannelFormula, Output};
use crate::problem::Problems;
use crate::source::join;

/// Every channel of a model, and those of the default set.
pub(crate) struct Catalogue {
    pub(crate) all: Vec<Channel>,
    pub(crate) by_name: BTreeMap<String, usize>,
    pub(crate) default: Vec<Channel>,
}

/// The channels of a model, with those of its own outputs; formulas that are wrong are reported.
pub(crate) fn catalogue(document: &Document, built: &Built, problems: &mut Problems) -> Catalogue {
    let mechanism = &built.mechanism;
    let mut losses: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, account) in mechanism.accounts().iter().enumerate() {
        if matches!(account.kind, AccountKind::ContactNormal | AccountKind::ContactFriction) {
            losses.entry(&account.part).or_default().push(i);
        }
    }
    let forces = mechanism.forces().map(|(id, name, _)| (name, id)).collect();
    let mut list = List {
        mechanism,
        losses,
        forces,
        all: Vec::new(),
        default: Vec::new(),
        by_name: BTreeMap::new(),
    };
    for (id, name, _) in mechanism.bodies() {
        list.body(name, id);
    }
    for (part, handle) in document.joints.iter().zip(&built.handles.joints) {
        part.part.page().channels(&part.name, handle, &mut list);
    }
    let (contacts, stops) = built.handles.outside_joints(document);
    for (name, regions) in contacts {
        list.contacts(name, regions, true, "N");
    }
    for ((name, regions), (stop, _)) in stops.iter().zip(document.stops()) {
        stop.channels(name, regions, &mut list);
    }
    for (part, (id, name, _)) in document.drivers.iter().zip(mechanism.drivers()) {
        part.part.channels(name, id, &mut list);
    }
    for part in &document.forces {
        match &part.part {
            Force::Acting(force) => {
                if let Some(id) = list.forces.get(part.name.as_str()).copied() {
                    list.force(&part.name, id, force_channels(force));
                }
            }
            // Stops have the channels of contacts.
            Force::Stop(_) => {}
        }
    }
    let energies = [
        ("kinetic", EnergyKind::Kinetic),
        ("gravity", EnergyKind::Gravity),
        ("elastic", EnergyKind::Elastic),
        ("contact", EnergyKind::Contact),
        ("total", EnergyKind::Total),
    ];
    for (key, kind) in energies {
        list.add("energy", key, "J", Probe::Energy(kind), key == "total");
    }
    let accounts = |wanted: &dyn Fn(AccountKind) -> bool| {
        let all = mechanism.accounts().iter().enumerate();
        all.filter(|(_, account)| wanted(account.kind)).map(|(i, _)| i).collect()
    };
    let work = |kind: AccountKind| kind.side() == AccountSide::Work;
    list.add("energy", "work", "J", Probe::Accounts(accounts(&work)), false);
    list.add("energy", "loss", "J", Probe::Accounts(accounts(&AccountKind::is_loss)), false);
    for (key, kind) in [("seam", AccountKind::Seam), ("drift", AccountKind::DriftControl)] {
        list.add("energy", key, "J", Probe::Taken(accounts(&|other| other == kind)), false);
    }
    list.add("energy", "cut", "J", Probe::Cut, false);
    list.add("energy", "residual", "J", Probe::Residual, false);
    for output in &document.outputs {
        list.output(document, built, output, problems);
    }
    Catalogue { all: list.all, by_name: list.by_name, default: list.default }
}

/// Channels as they are listed, element by element.
pub(crate) struct List<'m> {
    mechanism: &'m Mechanism,
    /// The accounts of the losses of each contact.
    losses: HashMap<&'m str, Vec<usize>>,
    forces: HashMap<&'m str, ForceId>,
    all: Vec<Channel>,
    default: Vec<Channel>,
    /// Where each channel is, by its name.
    by_name: BTreeMap<String, usize>,
}

impl List<'_> {
    fn add(&mut self, part: &str, key: &str, unit: &'static str, probe: Probe, default: bool) {
        self.push(Channel { name: join(part, key), unit: unit.into(), probe }, default);
    }

    fn push(&mut self, channel: Channel, default: bool) {
        if default {
            self.default.push(channel.clone());
        }
        self.by_name.entry(channel.name.clone()).or_insert(self.all.len());
        self.all.push(channel);
    }

    /// The outputs that a user defines.
    fn output(
        &mut self,
        document: &Document,
        built: &Built,
        output: &Named<Output>,
        problems: &mut Problems,
    ) {
        let name = &output.name;
        match &output.part {
            Output::Point(anchor) => {
                let keys = [["x", "vx", "ax"], ["y", "vy", "ay"]];
                for (axis, keys) in keys.into_iter().enumerate() {
                    let probe = |order| Probe::Point(*anchor, axis, order);
                    self.derivatives(name, keys, ["m", "m/s", "m/s^2"], probe);
                }
                self.add(name, "speed", "m/s", Probe::Speed(*anchor), false);
            }
            Output::Coordinate(coordinate) => {
                let Some(of) = built.handles.coordinate(document, *coordinate) else {
                    let message = "only an ideal slot or guide has a coordinate";
                    let hint = Some("use angle, x, y or distance".to_owned());
                    problems.report(&output.at.place, &output.at.path, message, hint);
                    return;
                };
                let units = coordinate.units();
                let value = Probe::Coordinate(of, Order::Value);
                let channel = Channel { name: name.clone(), unit: units[0].into(), probe: value };
                self.push(channel, true);
                self.add(name, "rate", units[1], Probe::Coordinate(of, Order::Rate), false);
                let acceleration = Probe::Coordinate(of, Order::Acceleration);
                self.add(name, "acceleration", units[2], acceleration, false);
            }
            Output::Expression(text, at) => {
                let names = Names { all: &self.all, by_name: &self.by_name };
                match ChannelFormula::read(text, names, &document.parameters) {
                    Ok(formula) => self.push(output::channel(name, formula), true),
                    Err(wrong) => {
                        let message = format!("in the expression `{text}`: {wrong}");
                        problems.report(&at.place, &at.path, message, wrong.hint());
                    }
                }
            }
        }
    }

    fn body(&mut self, name: &str, id: BodyId) {
        let orders = [Order::Value, Order::Rate, Order::Acceleration];
        let keys = [["x", "vx", "ax"], ["y", "vy", "ay"]];
        for (axis, keys) in keys.into_iter().enumerate() {
            for ((key, order), unit) in keys.into_iter().zip(orders).zip(["m", "m/s", "m/s^2"]) {
                self.add(name, key, unit, Probe::Position(id, axis, order), order == Order::Value);
            }
        }
        let keys = ["angle", "omega", "alpha"];
        for ((key, order), unit) in keys.into_iter().zip(orders).zip(["rad", "rad/s", "rad/s^2"]) {
            self.add(name, key, unit, Probe::Angle(id, order), order == Order::Value);
        }
    }

    /// What acts in a joint. The reactions of an ideal one are along its axis; its friction has this unit, if it has any.
    pub(crate) fn joint(
        &mut self,
        name: &str,
        handle: &Handle,
        axis: Axis,
        friction: Option<&'static str>,
    ) {
        match handle {
            Handle::Clearance(regions) => self.contacts(name, regions, true, "N"),
            Handle::Bushing(id) => self.force(name, *id, bushing::CHANNELS),
            Handle::Ideal(id) => self.ideal(name, *id, axis, friction),
        }
    }

    /// The angle from body a to body b.
    pub(crate) fn turning(&mut self, name: &str, [a, b]: [Axis; 2]) {
        let bodies = Coordinate::AngleBetween(a.anchor.body, b.anchor.body);
        let probe = |order| Probe::Coordinate(bodies, order);
        let units = ["rad", "rad/s", "rad/s^2"];
        self.derivatives(name, ["angle", "omega", "alpha"], units, probe);
    }

    /// The displacement of a point along an axis.
    pub(crate) fn sliding(&mut self, name: &str, axis: Axis, point: Anchor) {
        let probe = |order| Probe::Along(axis, point, order);
        self.derivatives(name, ["s", "v", "a"], ["m", "m/s", "m/s^2"], probe);
    }

    fn derivatives(
        &mut self,
        name: &str,
        keys: [&str; 3],
        units: [&'static str; 3],
        probe: impl Fn(Order) -> Probe,
    ) {
        let orders = [Order::Value, Order::Rate, Order::Acceleration];
        for ((key, order), unit) in keys.into_iter().zip(orders).zip(units) {
            self.add(name, key, unit, probe(order), false);
        }
    }

    /// The centre of a journal from that of its bearing.
    pub(crate) fn eccentricity(&mut self, name: &str, [a, b]: [Axis; 2], has_clearance: bool) {
        for (i, key) in ["ex", "ey", "eccentricity"].into_iter().enumerate() {
            let probe = Probe::Eccentricity(a.anchor, b.anchor, i);
            self.add(name, key, "m", probe, has_clearance && i < 2);
        }
    }

    /// What a joint of this kind does not have, as 0.
    pub(crate) fn absent(&mut self, name: &str) {
        let zeros = [
            ("normal", "N"),
            ("penetration", "m"),
            ("penetration_rate", "m/s"),
            ("slip", "m/s"),
            ("friction", "N"),
            ("gap", "m"),
            ("touching", "-"),
            ("loss", "J"),
            ("moment", "N m"),
        ];
        for (key, unit) in zeros {
            if !self.by_name.contains_key(&join(name, key)) {
                self.add(name, key, unit, Probe::Zero, false);
            }
        }
    }

    fn ideal(&mut self, name: &str, id: JointId, axis: Axis, friction: Option<&'static str>) {
        self.add(name, "force", "N", Probe::ReactionSize(id), false);
        let names = self.mechanism.joint(id).kind.reaction_names();
        for component in names {
            let unit = if *component == "moment" { "N m" } else { "N" };
            self.add(name, component, unit, Probe::Reaction(id, component), false);
        }
        if names.contains(&"normal") {
            for (i, key) in ["fx", "fy"].into_iter().enumerate() {
                self.add(name, key, "N", Probe::Normal(id, axis, i), false);
            }
        }
        if let Some(unit) = friction {
            self.add(name, "friction", unit, Probe::JointFriction(id), false);
        }
    }

    /// What acts in contacts; with the unit of a moment their overlap is an angle. Without a place in the plane they have a
    /// normal force alone.
    pub(crate) fn contacts(
        &mut self,
        name: &str,
        regions: &[NamedContact],
        planar: bool,
        unit: &'static str,
    ) {
        use ContactQuantity as Q;
        let mechanism = self.mechanism;
        let ids: Vec<ContactId> = regions.iter().map(|region| region.contact).collect();
        let angle = unit == "N m";
        let (delta, rate) = if angle { ("rad", "rad/s") } else { ("m", "m/s") };
        // The ends of a guide are corners that touch the block: there the block is the wall.
        let wall = |id: ContactId| match &mechanism.contact(id).kind {
            ContactKind::Wall(wall) => Some(wall.body),
            ContactKind::Journal(_) | ContactKind::Stop { .. } => None,
        };
        let sign = |id: &ContactId| if wall(*id) == wall(ids[0]) { 1.0 } else { -1.0 };
        let signed: Vec<_> = ids.iter().map(|id| (*id, sign(id))).collect();
        let mut add = |key: &str, unit, quantity, default| {
            self.add(name, key, unit, Probe::Contacts(signed.clone(), quantity), default);
        };
        if planar {
            add("force", unit, Q::Force, true);
            add("fx", unit, Q::Component(0), false);
            add("fy", unit, Q::Component(1), false);
            add("friction", unit, Q::Friction, false);
            add("slip", rate, Q::Slip, false);
        } else {
            add("force", unit, Q::Normal, true);
        }
        add("normal", unit, Q::Normal, false);
        add("penetration", delta, Q::Penetration, true);
        add("penetration_rate", rate, Q::PenetrationRate, false);
        add("gap", delta, Q::Gap, false);
        add("touching", "-", Q::Touching, false);
        let names = ids.iter().filter_map(|id| self.losses.get(mechanism.contact_name(*id)));
        let mut accounts: Vec<usize> = names.flatten().copied().collect();
        accounts.sort_unstable();
        accounts.dedup();
        self.add(name, "loss", "J", Probe::Accounts(accounts), false);
    }

    fn force(&mut self, name: &str, id: ForceId, channels: &[(&str, &'static str, ForceQuantity)]) {
        for (key, unit, quantity) in channels {
            self.add(name, key, unit, Probe::Force(id, *quantity), false);
        }
    }

    /// What a driver does.
    pub(crate) fn driver(&mut self, name: &str, id: DriverId, key: &str, unit: &'static str) {
        self.add(name, key, unit, Probe::Effort(id), true);
        self.add(name, "power", "W", Probe::DriverPower(id), false);
    }
}
