//! Watches the contacts of a run and writes its impact table.

mod episode;

use std::collections::HashMap;
use std::ops::ControlFlow;

use jointplay_contact::damping::Touch;
use jointplay_mbd::{
    AccountKind, ContactId, EventKind, EventRecord, Indentation, Instant, Mechanism, Mode,
    Observer, Phase, Solution, Step,
};

use super::inside::{NODES, nodes};
use super::number::{Observed, total};
use super::timeline::{loss_free_duration, mode_of, timeline};
use super::validity::{Concerns, Evidence, delta_limit, free_restitution};
use super::{ContactRecord, Episode, JointContacts, JointMode, JointRecord, JointSummary};

/// An impulse of this many loss-free impacts comes from other forces: the surfaces were pushed together and separated when the
/// push ended.
const PUSHED: f64 = 2.0;

/// The accounts of a contact.
const KINDS: [AccountKind; 2] = [AccountKind::ContactNormal, AccountKind::ContactFriction];

/// A contact that is watched.
#[derive(Clone, Debug)]
struct Watched {
    id: ContactId,
    joint: usize,
    region: usize,
    /// Accounts of the losses along the normal and in sliding.
    accounts: [Option<usize>; 2],
    /// Indentation beyond which the law is outside its domain (m).
    delta_limit: Option<f64>,
    /// The law takes slower impact speeds for this one (m/s).
    speed_floor: f64,
}

/// What a contact does at the nodes of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Samples {
    force: [f64; NODES],
    delta: [f64; NODES],
    rate: [f64; NODES],
}

/// Watches the contacts of a run ([`Simulation::run_observed`](jointplay_mbd::Simulation::run_observed)) and makes the
/// [`ContactRecord`] of it.
pub struct ContactRecorder<W = fn(f64) -> ControlFlow<()>> {
    mechanism: Mechanism,
    joints: Vec<JointContacts>,
    watched: Vec<Watched>,
    /// Where the contacts are among those that are watched.
    number_of: HashMap<ContactId, usize>,
    open: Vec<Open>,
    /// Which of the watched contacts have an open episode, and how many each joint has; both for one step.
    under_way: Vec<bool>,
    of_joint: Vec<usize>,
    samples: Vec<Samples>,
    /// Each with the contact that began it.
    done: Vec<(usize, Episode)>,
    /// The states at the greatest force and at the greatest indentation of the episodes that have ended.
    peaks: Vec<Instant>,
    concerns: Vec<Concerns>,
    start: Option<f64>,
    watch: W,
}

/// An episode under way.
#[derive(Clone, Debug)]
struct Open {
    /// Which of the watched contacts it is at present.
    contact: usize,
    /// The one that began it.
    first: usize,
    /// What its law remembered in its first step.
    touch: Option<Touch>,
    /// The greatest mass that it felt when other contacts of the joint pushed too (kg), and how many they were last.
    shared: (f64, usize),
    /// Which regions of the joint were touched.
    regions: Vec<usize>,
    start: f64,
    carried: bool,
    impact_speed: f64,
    /// The greatest indentation (m) and the greatest normal force (N).
    deepest: Greatest,
    max_force: Greatest,
    /// What it did at the greatest force, where it was driven much faster than it began.
    overtaken: Option<Indentation>,
    impulse: f64,
    /// Time outside the domain of the elastic law (s), and the contact whose law it was.
    beyond: f64,
    left: Option<usize>,
    /// Losses in the sections that it has left, and what the accounts of the present one held first and last.
    losses: [f64; 2],
    amounts: Option<[[f64; 2]; 2]>,
    /// δ̇ at the end of the last step.
    rate: f64,
    /// The end of the last step: when, which contact, in which phase, and what it did there.
    last: Option<(f64, ContactId, Phase, Indentation)>,
    compressions: usize,
}

/// The greatest value of a quantity so far.
#[derive(Clone, Debug)]
struct Greatest {
    t: f64,
    value: f64,
    /// The state of the run then, where the trajectory takes it.
    instant: Option<Instant>,
}

impl ContactRecorder {
    /// Watches these joints. A contact of another mechanism causes a panic later on.
    pub fn new(mechanism: &Mechanism, joints: Vec<JointContacts>) -> Self {
        ContactRecorder::watched_by(mechanism, joints, |_| ControlFlow::Continue(()))
    }
}

impl<W: FnMut(f64) -> ControlFlow<()>> ContactRecorder<W> {
    /// Watches these joints, and calls `watch` with the time reached after each step, which may
    /// interrupt the run.
    pub fn watched_by(mechanism: &Mechanism, joints: Vec<JointContacts>, watch: W) -> Self {
        let mut accounts: HashMap<&str, [Option<usize>; 2]> = HashMap::new();
        for (i, account) in mechanism.accounts().iter().enumerate() {
            let kind = KINDS.iter().position(|kind| *kind == account.kind);
            if let Some(kind) = kind {
                accounts.entry(&account.part).or_default()[kind].get_or_insert(i);
            }
        }
        let mut watched = Vec::new();
        for (joint, contacts) in joints.iter().enumerate() {
            for (region, (id, _)) in contacts.contacts.iter().enumerate() {
                let name = mechanism.contact_name(*id);
                watched.push(Watched {
                    id: *id,
                    joint,
                    region,
                    accounts: accounts.get(name).copied().unwrap_or_default(),
                    delta_limit: delta_limit(&mechanism.contact(*id).law.normal.elastic),
                    speed_floor: mechanism.contact(*id).law.normal.impact_speed_floor,
                });
            }
        }
        let number_of = watched.iter().enumerate().map(|(i, watched)| (watched.id, i)).collect();
        ContactRecorder {
            mechanism: mechanism.clone(),
            concerns: vec![Concerns::default(); joints.len()],
            under_way: vec![false; watched.len()],
            of_joint: vec![0; joints.len()],
            number_of,
            joints,
            watched,
            open: Vec::new(),
            samples: Vec::new(),
            done: Vec::new(),
            peaks: Vec::new(),
            start: None,
            watch,
        }
    }

    fn position(&self, id: ContactId) -> Option<usize> {
        self.number_of.get(&id).copied()
    }

    fn begin(&mut self, contact: usize, t: f64, speed: f64, carried: bool) -> &mut Open {
        self.open.push(Open {
            contact,
            first: contact,
            touch: None,
            shared: (0.0, 0),
            regions: vec![self.watched[contact].region],
            start: t,
            carried,
            impact_speed: speed,
            deepest: Greatest { t, value: 0.0, instant: None },
            max_force: Greatest { t, value: 0.0, instant: None },
            overtaken: None,
            impulse: 0.0,
            beyond: 0.0,
            left: None,
            losses: [0.0; 2],
            amounts: None,
            rate: 0.0,
            last: None,
            compressions: 0,
        });
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    /// Ends an episode, or leaves it open at the end of the run.
    fn end(&mut self, number: usize, t: f64, open: bool) {
        let mut e = self.open.swap_remove(number);
        e.settle();
        self.peaks.extend(e.peaks());
        let watched = &self.watched[e.first];
        let law_of = |contact: usize| &self.mechanism.contact(self.watched[contact].id).law.normal;
        let (law, joint) = (law_of(e.first), watched.joint);
        let solid = self.mechanism.contact(watched.id).solid();
        let duration = t - e.start;
        let out_of_domain = e.touch.map_or(0.0, |touch| {
            // Where a section was left, it is the one whose limit counts.
            let limited = e.left.unwrap_or(e.first);
            let laws = &self.joints[joint].laws;
            let origin_of = |contact: usize| laws.get(self.watched[contact].region);
            let evidence = Evidence {
                law,
                origin: origin_of(e.first),
                limited: (law_of(limited), origin_of(limited)),
                touch: &touch,
                duration,
                beyond: e.beyond,
                delta_limit: self.watched[limited].delta_limit,
                max_indentation: e.deepest.value,
                max_indentation_time: e.deepest.t,
                solid,
                max_force: e.max_force.value,
                max_force_time: e.max_force.t,
                overtaken: e.overtaken,
                impact_speed: e.impact_speed,
            };
            self.concerns[joint].add(&evidence)
        });
        let asked = law.damping.restitution().and(e.touch).map(|touch| touch.restitution);
        let impact = e.touch.and_then(|touch| loss_free_duration(law, &touch, e.shared.0));
        let mode = mode_of(duration, e.compressions, impact);
        // Restitution is a property of impacts: surfaces that meet, and part again by their own impulse.
        let parted = !open && !e.carried && e.impact_speed > 0.0 && e.rate <= 0.0;
        let rested = e.touch.is_some_and(|touch| touch.resting) && e.impact_speed < law.rest_speed;
        if rested && parted && mode == JointMode::Impact {
            self.concerns[joint].add_rested(e.impact_speed, law.rest_speed);
        }
        let pushed = e.touch.is_some_and(|touch| {
            let momentum = touch.effective_mass.max(e.shared.0) * e.impact_speed;
            e.impulse > PUSHED * 2.0 * momentum
        });
        let is_impact = parted && mode == JointMode::Impact && !pushed;
        let restitution = is_impact.then(|| -e.rate / e.impact_speed);
        let free = e.touch.filter(|_| is_impact);
        let free = free.and_then(|touch| free_restitution(law, &touch, e.impact_speed));
        let regions = e.regions.iter().map(|&r| self.joints[joint].contacts[r].1.clone());
        let episode = Episode {
            joint,
            regions: regions.collect(),
            start: e.start,
            end: t,
            open,
            carried: e.carried,
            impact_speed: e.impact_speed,
            input_restitution: asked,
            max_indentation: e.deepest.value,
            max_force: e.max_force.value,
            max_force_time: e.max_force.t,
            impulse: e.impulse,
            restitution,
            free_restitution: free,
            loss_normal: e.losses[0],
            loss_friction: e.losses[1],
            out_of_domain,
            compressions: e.compressions,
            mode,
        };
        self.done.push((e.first, episode));
    }

    /// When several contacts of a joint push to the same side at once, each feels a different mass than alone.
    fn share(&mut self, step: &mut Step<'_>) {
        let [_, t] = step.span();
        self.of_joint.fill(0);
        for e in &self.open {
            self.of_joint[self.watched[e.contact].joint] += 1;
        }
        for number in 0..self.open.len() {
            let watched = &self.watched[self.open[number].contact];
            if self.of_joint[watched.joint] < 2 {
                self.open[number].shared.1 = 0;
                continue;
            }
            let others = self.open.iter().map(|e| &self.watched[e.contact]);
            let others = others.filter(|other| other.joint == watched.joint);
            let others = others.filter(|other| other.id != watched.id).map(|other| other.id);
            let mut others: Vec<ContactId> = others.collect();
            let (greatest, known) = self.open[number].shared;
            let mut shared = (greatest, others.len());
            if others.len() > known {
                let [x, y] = step.contact(t, watched.id).direction;
                others.retain(|other| {
                    let [other_x, other_y] = step.contact(t, *other).direction;
                    x * other_x + y * other_y > 0.0
                });
                let mass = step.shared_mass(watched.id, &others);
                if mass.is_finite() {
                    shared.0 = greatest.max(mass);
                }
            }
            self.open[number].shared = shared;
        }
    }

    /// Episodes as the phases of this step say; those whose start or end was no event are found here.
    fn agree_with(&mut self, step: &Step<'_>) {
        let [t0, _] = step.span();
        for number in (0..self.open.len()).rev() {
            let id = self.watched[self.open[number].contact].id;
            if matches!(step.phase(id), Phase::Apart { .. }) {
                self.end(number, t0, false);
            }
        }
        self.under_way.fill(false);
        for e in &mut self.open {
            self.under_way[e.contact] = true;
            if let Phase::Touching { touch, .. } = step.phase(self.watched[e.contact].id) {
                e.touch.get_or_insert(*touch);
            }
        }
        for contact in 0..self.watched.len() {
            let Phase::Touching { touch, .. } = step.phase(self.watched[contact].id) else {
                continue;
            };
            if !self.under_way[contact] {
                let carried = self.start == Some(t0);
                let episode = self.begin(contact, t0, touch.impact_speed, carried);
                episode.touch.get_or_insert(*touch);
            }
        }
    }

    /// The record of the run that was watched.
    pub fn finish(mut self, run: &Solution) -> ContactRecord {
        let times = run.trajectory.times();
        let until = times.last().copied().unwrap_or(0.0);
        let from = self.start.unwrap_or(until);
        while let Some(number) = self.open.len().checked_sub(1) {
            self.end(number, until, true);
        }
        self.done.sort_by(|a, b| a.1.start.total_cmp(&b.1.start).then(a.0.cmp(&b.0)));
        let episodes: Vec<Episode> = self.done.into_iter().map(|(_, episode)| episode).collect();
        let span = [from, until];
        let mut by_joint: Vec<Vec<&Episode>> = vec![Vec::new(); self.joints.len()];
        for episode in &episodes {
            by_joint[episode.joint].push(episode);
        }
        let seams: HashMap<&str, f64> = run
            .ledger
            .accounts
            .iter()
            .filter(|(account, _)| account.kind == AccountKind::Seam)
            .map(|(account, amount)| (account.part.as_str(), *amount))
            .collect();
        let joints = self.joints.iter().zip(self.concerns).enumerate();
        let joints = joints
            .map(|(joint, (contacts, concerns))| {
                let of_joint = || by_joint[joint].iter().copied();
                let contact_time = total(of_joint().map(Episode::duration));
                let seams = contacts
                    .contacts
                    .iter()
                    .filter_map(|(id, _)| seams.get(run.mechanism().contact_name(*id)).copied());
                let (domain, warnings) =
                    concerns.finish(&contacts.name, contact_time, run.resolution(), of_joint());
                let timeline = timeline(span, of_joint());
                let observed = Observed {
                    episodes: of_joint().collect(),
                    timeline: &timeline,
                    window: span,
                    seam_energy: Some(total(seams)),
                };
                let summary = JointSummary::new(&observed, domain);
                JointRecord { name: contacts.name.clone(), summary, timeline, warnings }
            })
            .collect();
        ContactRecord { span, episodes, joints }
    }
}

impl<W: FnMut(f64) -> ControlFlow<()>> Observer for ContactRecorder<W> {
    fn looks_inside(&self, mode: &Mode) -> bool {
        mode.contacts.iter().any(|phase| matches!(phase, Phase::Touching { .. }))
    }

    fn step(&mut self, step: &mut Step<'_>) -> ControlFlow<()> {
        let span = step.span();
        self.start.get_or_insert(span[0]);
        self.agree_with(step);
        if self.open.len() > 1 {
            self.share(step);
        }
        if !self.open.is_empty() {
            let t = nodes(span);
            self.samples.resize(self.open.len(), Samples::default());
            // All contacts at one time together: the bodies are placed once for them, at the end to begin with.
            for (k, &t) in t.iter().enumerate().rev() {
                for (e, s) in self.open.iter_mut().zip(&mut self.samples) {
                    let id = self.watched[e.contact].id;
                    let now = if k == 0 { e.at_start(step, id) } else { step.indentation(t, id) };
                    (s.force[k], s.delta[k], s.rate[k]) = (now.force, now.delta, now.delta_dot);
                }
            }
            for (e, s) in self.open.iter_mut().zip(&self.samples) {
                e.grow(step, &self.watched[e.contact], &t, s);
            }
        }
        (self.watch)(span[1])
    }

    fn kept(&mut self) -> Vec<Instant> {
        let open = self.open.iter_mut().flat_map(Open::peaks);
        self.peaks.drain(..).chain(open).collect()
    }

    fn event(&mut self, event: &EventRecord) {
        match event.kind {
            EventKind::ContactStart { contact, impact_speed } => {
                if let Some(contact) = self.position(contact) {
                    self.begin(contact, event.t, impact_speed, false);
                }
            }
            EventKind::ContactEnd(contact) => {
                let under_way = |e: &Open| self.watched[e.contact].id == contact;
                if let Some(number) = self.open.iter().position(under_way) {
                    self.end(number, event.t, false);
                }
            }
            EventKind::Passage { from, to } => {
                let under_way = |e: &Open| self.watched[e.contact].id == from;
                let number = self.open.iter().position(under_way);
                if let (Some(number), Some(to)) = (number, self.position(to)) {
                    let region = self.watched[to].region;
                    let e = &mut self.open[number];
                    e.settle();
                    e.contact = to;
                    if !e.regions.contains(&region) {
                        e.regions.push(region);
                    }
                }
            }
            // The contact goes on.
            EventKind::Turn(_)
            | EventKind::Pull(_)
            | EventKind::Bend(_)
            | EventKind::Reversal(_)
            | EventKind::Watch(_) => {}
        }
    }
}
