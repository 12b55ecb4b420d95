//! Watches the contacts of a run and writes its impact table.

use std::ops::ControlFlow;

use jointplay_contact::damping::Touch;
use jointplay_mbd::{
    AccountKind, ContactId, EventKind, EventRecord, Indentation, Instant, Mechanism, Mode,
    Observer, Phase, Solution, Step,
};

use super::inside::{NODES, integral, maximum, nodes, zero};
use super::number::{Observed, total};
use super::timeline::{loss_free_duration, mode_of, timeline};
use super::validity::{Concerns, Evidence, depth_limit, free_restitution};
use super::{ContactRecord, Episode, JointContacts, JointMode, JointRecord, JointSummary};

/// An impulse of this many loss-free impacts comes from other forces: the surfaces were pushed together and separated when the
/// push ended.
const PUSHED: f64 = 2.0;

/// A contact that is watched.
#[derive(Clone, Debug)]
struct Watched {
    id: ContactId,
    joint: usize,
    region: usize,
    /// Accounts of the losses along the normal and in sliding.
    accounts: [Option<usize>; 2],
    /// Indentation beyond which the law is outside its domain (m).
    depth_limit: Option<f64>,
    /// The law takes slower impact speeds for this one (m/s).
    speed_floor: f64,
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

/// What a contact does at the nodes of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Samples {
    force: [f64; NODES],
    depth: [f64; NODES],
    rate: [f64; NODES],
}

/// Watches the contacts of a run ([`Simulation::run_observed`](jointplay_mbd::Simulation::run_observed)) and makes the
/// [`ContactRecord`] of it.
pub struct ContactRecorder<W = fn(f64) -> ControlFlow<()>> {
    mechanism: Mechanism,
    joints: Vec<JointContacts>,
    watched: Vec<Watched>,
    open: Vec<Open>,
    samples: Vec<Samples>,
    /// Each with the contact that began it.
    done: Vec<(usize, Episode)>,
    /// The states at the greatest force and at the greatest indentation of the episodes that have ended.
    peaks: Vec<Instant>,
    concerns: Vec<Concerns>,
    start: Option<f64>,
    watch: W,
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
        let account = |kind, part: &str| {
            mechanism.accounts().iter().position(|a| a.kind == kind && a.part == part)
        };
        let mut watched = Vec::new();
        for (joint, contacts) in joints.iter().enumerate() {
            for (region, (id, _)) in contacts.contacts.iter().enumerate() {
                let name = mechanism.contact_name(*id);
                watched.push(Watched {
                    id: *id,
                    joint,
                    region,
                    accounts: [AccountKind::ContactNormal, AccountKind::ContactFriction]
                        .map(|kind| account(kind, name)),
                    depth_limit: depth_limit(&mechanism.contact(*id).law.normal.elastic),
                    speed_floor: mechanism.contact(*id).law.normal.impact_speed_floor,
                });
            }
        }
        ContactRecorder {
            mechanism: mechanism.clone(),
            concerns: vec![Concerns::default(); joints.len()],
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
        self.watched.iter().position(|watched| watched.id == id)
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
                depth_limit: self.watched[limited].depth_limit,
                max_indentation: e.deepest.value,
                max_indentation_time: e.deepest.t,
                solid,
                max_force: e.max_force.value,
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
        for number in 0..self.open.len() {
            let watched = &self.watched[self.open[number].contact];
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
        for contact in 0..self.watched.len() {
            let Phase::Touching { touch, .. } = step.phase(self.watched[contact].id) else {
                continue;
            };
            let episode = match self.open.iter().position(|e| e.contact == contact) {
                Some(number) => &mut self.open[number],
                None => self.begin(contact, t0, touch.impact_speed, self.start == Some(t0)),
            };
            episode.touch.get_or_insert(*touch);
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
        let joints = self.joints.iter().zip(self.concerns).enumerate();
        let joints = joints
            .map(|(joint, (contacts, concerns))| {
                let of_joint = || episodes.iter().filter(|e| e.joint == joint);
                let contact_time = total(of_joint().map(Episode::duration));
                let seams = contacts.contacts.iter().filter_map(|(id, _)| {
                    run.ledger.amount(AccountKind::Seam, run.mechanism().contact_name(*id))
                });
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

impl Open {
    /// What the contact does at the start of a step; where it ended the last one in the same phase, it is known.
    fn at_start(&self, step: &mut Step<'_>, id: ContactId) -> Indentation {
        let [t0, _] = step.span();
        match &self.last {
            Some((t, contact, phase, then))
                if *t == t0 && *contact == id && phase == step.phase(id) =>
            {
                *then
            }
            _ => step.indentation(t0, id),
        }
    }

    /// The states at its greatest values, to be kept by the trajectory.
    fn peaks(&mut self) -> impl Iterator<Item = Instant> + use<> {
        [&mut self.max_force, &mut self.deepest].map(|it| it.instant.take()).into_iter().flatten()
    }

    /// Records the losses in the present section.
    fn settle(&mut self) {
        if let Some([first, last]) = self.amounts.take() {
            self.losses = std::array::from_fn(|i| self.losses[i] + (last[i] - first[i]));
        }
    }

    /// Takes in one step.
    fn grow(&mut self, step: &mut Step<'_>, watched: &Watched, t: &[f64; NODES], s: &Samples) {
        let (span, id) = (step.span(), watched.id);
        // What the law was told may have been raised to its floor. A contact that touches from the start of the run may have
        // begun earlier, faster than it is now.
        if t[0] == self.start && !self.carried {
            self.impact_speed = s.rate[0];
        } else if t[0] == self.start && self.impact_speed <= watched.speed_floor {
            self.impact_speed = s.rate[0].clamp(0.0, self.impact_speed);
        }
        self.impulse += integral(span, &s.force);
        self.max_force.grow(step, id, t, &s.force, f64::INFINITY, |now| now.force);
        let limit = watched.depth_limit.unwrap_or(f64::INFINITY);
        let deepest = self.deepest.grow(step, id, t, &s.depth, limit, |now| now.delta);
        // Both instants show both quantities, and neither may show more than the greatest.
        for t in [self.max_force.t, self.deepest.t] {
            if step.kept().is_some() && (span[0]..=span[1]).contains(&t) {
                let now = step.indentation(t, id);
                self.max_force.raise(step, t, now.force);
                self.deepest.raise(step, t, now.delta);
            }
        }
        let mut rising = if self.compressions == 0 { true } else { self.rate > 0.0 };
        for rate in s.rate {
            if rising && rate <= 0.0 {
                self.compressions += 1;
            }
            rising = rate > 0.0;
        }
        let [.., depth] = s.depth;
        let [.., rate] = s.rate;
        let [.., force] = s.force;
        self.rate = rate;
        self.last = Some((
            span[1],
            id,
            *step.phase(id),
            Indentation { delta: depth, delta_dot: rate, force },
        ));
        if let Some(limit) = watched.depth_limit {
            let time = time_above(limit, t, s, deepest, |t| step.indentation(t, id).delta);
            self.beyond += time;
            if time > 0.0 {
                self.left = Some(self.contact);
            }
        }
        let [before, after] = step.amounts();
        let of = |amounts: &[f64]| watched.accounts.map(|a| a.map_or(0.0, |a| amounts[a]));
        let first = self.amounts.map_or_else(|| of(before), |[first, _]| first);
        self.amounts = Some([first, of(after)]);
    }
}

impl Greatest {
    /// Takes in the values at the nodes of a step. Where the step may hold a greater value than known, or one above
    /// `limit`, it is searched; returns when and how great its greatest value is, or its first node.
    fn grow(
        &mut self,
        step: &mut Step<'_>,
        id: ContactId,
        t: &[f64; NODES],
        values: &[f64; NODES],
        limit: f64,
        of: impl Fn(Indentation) -> f64,
    ) -> (f64, f64) {
        // Only a step whose samples come near what is known can hold a greater value.
        let near = 0.9 * self.value.min(limit);
        if !values.iter().any(|value| *value > near) {
            return (t[0], values[0]);
        }
        let found = maximum(t, values, |t| of(step.indentation(t, id)));
        self.raise(step, found.0, found.1);
        // What the trajectory shows of the contact anyway is not greater, to the last bit.
        for &t in step.kept().into_iter().flatten() {
            let value = of(step.indentation(t, id));
            self.raise(step, t, value);
        }
        found
    }

    /// Takes in a value at a time of the step.
    fn raise(&mut self, step: &mut Step<'_>, t: f64, value: f64) {
        if value > self.value {
            (self.t, self.value) = (t, value);
            if step.kept().is_some() {
                step.take(t, &mut self.instant);
            }
        }
    }
}

/// Time of a step for which the indentation is above a limit.
fn time_above(
    limit: f64,
    t: &[f64; NODES],
    s: &Samples,
    deepest: (f64, f64),
    mut depth: impl FnMut(f64) -> f64,
) -> f64 {
    if !(deepest.1 > limit) && !s.depth.iter().any(|d| *d > limit) {
        return 0.0;
    }
    // The nodes and the deepest point between them.
    let mut points = [(0.0, 0.0); NODES + 1];
    let next = t.partition_point(|t| *t <= deepest.0);
    for (k, point) in points.iter_mut().enumerate() {
        let (t, depth) = match k.cmp(&next) {
            std::cmp::Ordering::Less => (t[k], s.depth[k]),
            std::cmp::Ordering::Equal => deepest,
            std::cmp::Ordering::Greater => (t[k - 1], s.depth[k - 1]),
        };
        *point = (t, depth - limit);
    }
    let mut time = 0.0;
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        time += match (a.1 > 0.0, b.1 > 0.0) {
            (true, true) => b.0 - a.0,
            (false, false) => 0.0,
            (rising, _) => {
                let at = zero(a, b, |t| depth(t) - limit);
                if rising { at - a.0 } else { b.0 - at }
            }
        };
    }
    time
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
                    (s.force[k], s.depth[k], s.rate[k]) = (now.force, now.delta, now.delta_dot);
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
