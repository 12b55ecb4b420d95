//! Sections at events: the beginnings of contacts, or a channel that passes a level.

use jointplay_mbd::{ContactId, Solution};
use jointplay_model::Channel;

use super::strobe::{Strobe, Trouble, about_zero};
use crate::case::Loaded;
use crate::sweep::Cancellation;

/// The events at which a motion is observed, instead of once in each period.
pub(super) enum Events {
    /// Where one of these contacts begins.
    Impacts(Vec<ContactId>),
    /// Where a channel passes a level.
    Crossing(Box<Crossing>),
}

/// A channel that passes a level.
pub(super) struct Crossing {
    channel: Channel,
    level: f64,
    /// Whether the channel is an angle, which is the same after a turn.
    is_angle: bool,
    up: bool,
    down: bool,
}

/// The accepted forms.
const FORMS: &str = "write impact:JOINT, or up:CHANNEL=LEVEL, down:CHANNEL=LEVEL or both:CHANNEL=LEVEL with the level in SI";

impl Events {
    /// Reads `impact:pin`, `up:slider.vx=0`, `down:…` or `both:…`.
    pub(super) fn read(text: &str, loaded: &Loaded) -> Result<Self, String> {
        let wrong = |why: &str| format!("--section {text}: {why}");
        let (form, of) = text.split_once(':').ok_or_else(|| wrong(FORMS))?;
        if form == "impact" {
            let mut joints = loaded.model.touching();
            let regions = joints.find(|(joint, _)| *joint == of).map(|(_, regions)| regions);
            let regions = regions.ok_or_else(|| {
                let names: Vec<&str> = loaded.model.touching().map(|(joint, _)| joint).collect();
                let names = names.join(", ");
                wrong(&format!("there is no joint with clearance, contact or stop of this name; there is {names}"))
            })?;
            return Ok(Events::Impacts(regions.iter().map(|region| region.contact).collect()));
        }
        let (up, down) = match form {
            "up" => (true, false),
            "down" => (false, true),
            "both" => (true, true),
            _ => return Err(wrong(FORMS)),
        };
        let (name, level) = of.split_once('=').ok_or_else(|| wrong(FORMS))?;
        let channel = loaded.model.channel(name.trim()).map_err(|why| wrong(&why.to_string()))?;
        let level = level.trim().parse::<f64>().ok().filter(|level| level.is_finite());
        let level = level.ok_or_else(|| wrong(FORMS))?;
        let is_angle = channel.unit() == "rad";
        Ok(Events::Crossing(Box::new(Crossing { channel, level, is_angle, up, down })))
    }

    /// The channels at each event of a run.
    pub(super) fn of(
        &self,
        strobe: &Strobe,
        run: &Solution,
        stop: &Cancellation,
    ) -> Result<Vec<Vec<f64>>, Trouble> {
        match self {
            Events::Impacts(contacts) => {
                let begun = run.impacts().filter(|(_, contact, _)| contacts.contains(contact));
                let times = run.trajectory.times();
                // Of the two instants at an event the one after it.
                let after = |t: f64| times.partition_point(|time| *time <= t).checked_sub(1);
                begun.filter_map(|(t, ..)| after(t)).map(|i| strobe.look(run, i)).collect()
            }
            Events::Crossing(crossing) => crossing.of(strobe, run, stop),
        }
    }
}

impl Crossing {
    /// How far a value of the channel is from the level.
    fn distance(&self, value: f64) -> f64 {
        if self.is_angle { about_zero(value - self.level) } else { value - self.level }
    }

    /// The channels at each passage of a run.
    fn of(
        &self,
        strobe: &Strobe,
        run: &Solution,
        stop: &Cancellation,
    ) -> Result<Vec<Vec<f64>>, Trouble> {
        let failed = |error: jointplay_mbd::Error| Trouble::Failed(error.to_string());
        let mut found = Vec::new();
        let mut before: Option<(usize, f64)> = None;
        for i in 0..run.len() {
            let here = self.distance(self.channel.eval(&run.snapshot(i).map_err(failed)?));
            let passed = before.filter(|(_, last)| {
                let rises = *last < 0.0 && here >= 0.0;
                let falls = *last > 0.0 && here <= 0.0;
                // An angle that comes round on the other side does not pass the level.
                let comes_round = self.is_angle && (here - last).abs() > std::f64::consts::PI;
                ((rises && self.up) || (falls && self.down)) && !comes_round
            });
            if let Some((start, last)) = passed {
                found.push(self.located(strobe, run, [start, i], [last, here], stop)?);
            }
            before = Some((i, here));
        }
        Ok(found)
    }

    /// The channels where the level is passed between two instants, by running up to better and better times (rule of Illinois).
    fn located(
        &self,
        strobe: &Strobe,
        run: &Solution,
        [first, last]: [usize; 2],
        [mut low, mut high]: [f64; 2],
        stop: &Cancellation,
    ) -> Result<Vec<f64>, Trouble> {
        let failed = |error: jointplay_mbd::Error| Trouble::Failed(error.to_string());
        let times = run.trajectory.times();
        let (mut a, mut b) = (times[first], times[last]);
        if high == 0.0 || !(b > a) {
            return strobe.look(run, last);
        }
        let start = run.state(first).map_err(failed)?;
        let (mut best, mut moved, mut before) = (None, None, a);
        for _ in 0..60 {
            let t = (b - high * (b - a) / (high - low)).clamp(a, b);
            if t <= times[first] {
                break;
            }
            let part = strobe.run_to(&start, t, stop)?;
            let here = self.distance(self.channel.eval(&part.end().map_err(failed)?));
            best = Some(strobe.look(&part, part.len() - 1)?);
            if here == 0.0 || (t - before).abs() <= 1e-13 * strobe.period {
                break;
            }
            before = t;
            let at_end = (here < 0.0) == (high < 0.0);
            // Where the same end moves twice, the other one counts half.
            let half = if moved == Some(at_end) { 0.5 } else { 1.0 };
            if at_end {
                (b, high, low) = (t, here, half * low);
            } else {
                (a, low, high) = (t, here, half * high);
            }
            moved = Some(at_end);
        }
        best.map_or_else(|| strobe.look(run, last), Ok)
    }
}
