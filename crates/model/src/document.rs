//! The content of a file, typed and checked part by part: names are resolved, numbers are SI, and every item knows its place in
//! the file.

use std::sync::Arc;

use jointplay_mbd::{
    self as mbd, Accuracy, BodyId, Builder, DriftControl, Formulation, Mechanism, Method, Sampling,
    Simulation, State,
};

use crate::array::Arrays;
use crate::element::{Contact, ContactSpec, Coordinate, Driver, Force, Joint, Stop};
use crate::metric::MetricText;
use crate::output::Output;
use crate::parameters::Parameters;
use crate::problem::SourcePlace;
use crate::units::Dimension;

/// A model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) parameters: Parameters,
    /// The arrays of the file, which were written out.
    pub(crate) arrays: Arrays,
    /// Gravity and the bodies: every variant of the mechanism begins with them, so that the ids of bodies are the same in all.
    pub(crate) parts: Builder,
    pub(crate) bodies: Vec<Named<BodyId>>,
    pub(crate) joints: Vec<Named<Joint>>,
    pub(crate) contacts: Vec<Named<Contact>>,
    pub(crate) drivers: Vec<Named<Driver>>,
    pub(crate) forces: Vec<Named<Force>>,
    pub(crate) outputs: Vec<Named<Output>>,
    pub(crate) metrics: Vec<(String, MetricText)>,
    /// Whether the run starts as if every clearance joint were ideal.
    pub(crate) centred: bool,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) disturbance: Disturbance,
    /// The state to start from.
    pub(crate) state: Option<(State, At)>,
    pub(crate) channels: Option<Vec<(String, SourcePlace)>>,
    pub(crate) run: RunPlan,
    /// The place in the file of Baumgarte's constants.
    pub(crate) baumgarte: Option<At>,
}

/// A clearance joint, a contact or a stop: its name, its path in the file and the properties of its
/// contacts.
pub(crate) struct ContactPart<'d> {
    pub(crate) name: &'d str,
    pub(crate) path: &'d str,
    pub(crate) spec: &'d ContactSpec,
}

impl Document {
    /// The drivers and loads, each with its period (s) where it has one.
    pub(crate) fn periods(&self) -> Vec<(String, Option<f64>)> {
        let turn = |driver: &Driver| {
            (driver.coordinate.dimension == Dimension::Angle).then_some(std::f64::consts::TAU)
        };
        let drivers = self.drivers.iter();
        let drivers = drivers
            .map(|driver| (driver.name.clone(), driver.part.signal.period(turn(&driver.part))));
        let loads = self.forces.iter().filter_map(|force| match &force.part {
            Force::Acting(mbd::Force::Load { size, .. } | mbd::Force::Torque { size, .. }) => {
                Some((force.name.clone(), size.period(None)))
            }
            Force::Acting(
                mbd::Force::Spring(_)
                | mbd::Force::TorsionSpring(_)
                | mbd::Force::Bushing(_)
                | mbd::Force::Line(_)
                | mbd::Force::Custom(_),
            )
            | Force::Stop(_) => None,
        });
        drivers.chain(loads).collect()
    }

    /// Clearance joints, contacts and stops.
    pub(crate) fn contact_parts(&self) -> impl Iterator<Item = ContactPart<'_>> {
        let joints = self.joints.iter().filter_map(Named::contact_part);
        joints.chain(self.contact_parts_outside_joints())
    }

    /// Contacts and stops.
    pub(crate) fn contact_parts_outside_joints(&self) -> impl Iterator<Item = ContactPart<'_>> {
        let contacts = self.contacts.iter().map(|contact| contact.with(contact.part.page().spec()));
        contacts.chain(self.stops().map(|(stop, force)| force.with(&stop.spec)))
    }

    /// Stops, with the forces that they are.
    pub(crate) fn stops(&self) -> impl Iterator<Item = (&Stop, &Named<Force>)> {
        self.forces.iter().filter_map(|force| Some((force.part.stop()?, force)))
    }

    /// What those say, to be changed, that take a law given for the whole model: clearance joints and contacts; or else stops, unless joints were made ideal.
    pub(crate) fn law_takers(
        &mut self,
        made_ideal: bool,
    ) -> impl Iterator<Item = &mut ContactSpec> {
        let others = specs(&mut self.joints, &mut self.contacts).next().is_some();
        let stops = self.forces.iter_mut().filter_map(|force| force.part.stop_mut());
        let stops = stops.filter(move |_| !others && !made_ideal).map(|stop| &mut stop.spec);
        specs(&mut self.joints, &mut self.contacts).chain(stops)
    }

    /// What clearance joints, contacts and stops say, to be changed.
    pub(crate) fn specs_and_stops(&mut self) -> impl Iterator<Item = &mut ContactSpec> {
        let stops = self.forces.iter_mut().filter_map(|force| force.part.stop_mut());
        specs(&mut self.joints, &mut self.contacts).chain(stops.map(|stop| &mut stop.spec))
    }
}

fn specs<'d>(
    joints: &'d mut [Named<Joint>],
    contacts: &'d mut [Named<Contact>],
) -> impl Iterator<Item = &'d mut ContactSpec> {
    let joints = joints.iter_mut().filter_map(|joint| joint.part.page_mut().spec_mut());
    joints.chain(contacts.iter_mut().map(|contact| contact.part.page_mut().spec_mut()))
}

impl Named<Joint> {
    /// The joint as a part with contacts, if it has clearance.
    pub(crate) fn contact_part(&self) -> Option<ContactPart<'_>> {
        Some(self.with(self.part.page().spec()?))
    }
}

impl<T> Named<T> {
    fn with<'d>(&'d self, spec: &'d ContactSpec) -> ContactPart<'d> {
        ContactPart { name: &self.name, path: &self.at.path, spec }
    }
}

/// Small shifts of the bodies at the start, in directions that a seed chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Disturbance {
    /// Length of the shifts (m).
    pub(crate) length: f64,
    pub(crate) seed: u64,
}

impl Disturbance {
    /// The shift of a body (m).
    pub(crate) fn shift(self, body: usize) -> [f64; 2] {
        if self.length == 0.0 {
            return [0.0; 2];
        }
        // SplitMix64 (Steele, Lea, Flood 2014): neighbouring seeds give unrelated directions.
        let mut z = self.seed.wrapping_mul(1 << 20).wrapping_add(body as u64 + 1);
        z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let turn = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * turn);
        [self.length * cos, self.length * sin]
    }
}

/// A part with its name and where it was said.
#[derive(Clone, Debug)]
pub(crate) struct Named<T> {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) part: T,
}

/// A place with its key.
#[derive(Clone, Debug, Default)]
pub(crate) struct At {
    pub(crate) path: String,
    pub(crate) place: SourcePlace,
}

/// A coordinate at the start.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) coordinate: Coordinate,
    pub(crate) value: Option<f64>,
    pub(crate) rate: Option<f64>,
    pub(crate) at: At,
}

/// The settings of the run of a model; [`RunPlan::simulation`] makes the run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunPlan {
    /// The end (s).
    pub until: f64,
    /// The method of integration.
    pub method: Method,
    /// Tolerances.
    pub accuracy: Accuracy,
    /// The coordinates.
    pub formulation: Formulation,
    /// The method of drift control.
    pub drift: DriftControl,
    /// Time between kept instants (s).
    pub interval: f64,
    /// The longest step (s).
    pub max_step: Option<f64>,
    /// The shortest step (s).
    pub min_step: Option<f64>,
    /// The first step (s).
    pub first_step: Option<f64>,
    /// The first step after each event (s).
    pub restart_step: Option<f64>,
    /// The maximum number of steps.
    pub max_steps: Option<usize>,
    /// The state to start from, instead of the start that the parts of the mechanism give.
    pub state: Option<Arc<State>>,
}

impl Default for RunPlan {
    fn default() -> Self {
        RunPlan {
            until: 1.0,
            method: Method::default(),
            accuracy: Accuracy::relative(1e-10),
            formulation: Formulation::default(),
            drift: DriftControl::default(),
            interval: 1.0 / 2000.0,
            max_step: None,
            min_step: None,
            first_step: None,
            restart_step: None,
            max_steps: None,
            state: None,
        }
    }
}

impl RunPlan {
    /// The run of a mechanism.
    pub fn simulation(&self, mechanism: &Mechanism) -> Simulation {
        let mut simulation = Simulation::new(mechanism)
            .formulation(self.formulation)
            .drift_control(self.drift)
            .method(self.method)
            .accuracy(self.accuracy)
            .until(self.until)
            .sampled(Sampling::Impacts(self.interval));
        if let Some(step) = self.max_step {
            simulation = simulation.max_step(step);
        }
        if let Some(step) = self.min_step {
            simulation = simulation.min_step(step);
        }
        if let Some(step) = self.first_step {
            simulation = simulation.first_step(step);
        }
        if let Some(step) = self.restart_step {
            simulation = simulation.restart_step(step);
        }
        if let Some(steps) = self.max_steps {
            simulation = simulation.max_steps(steps);
        }
        if let Some(state) = &self.state {
            simulation = simulation.start_from(state);
        }
        simulation
    }
}
