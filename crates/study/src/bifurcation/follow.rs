//! A motion from period to period, with its neighbours.
//!
//! The section is taken at t = kT. Neighbours are measured and rescaled at a calm instant of each
//! period, away from the beginnings and ends of contacts: at t = kT the motion may be inside a
//! short impact, where a neighbour that has not arrived yet is far away for a moment. Growth over a
//! whole turn does not depend on the instant, so that exponents and multipliers are those of t =
//! kT.

use jointplay_mbd::State;

use super::neighbours::{Scale, apart, grown, numbers, touching};
use super::strobe::{Look, Strobe, Trouble};
use super::waves::Waves;
use crate::continuation::handed_on;
use crate::sweep::Cancellation;
use crate::warned::each_kind_once;

/// What was seen of a motion.
pub(super) struct Seen {
    /// The channels at each instant of the section.
    pub(super) section: Vec<Vec<f64>>,
    /// The channels at each event, if the section is taken at events.
    pub(super) events: Vec<Vec<f64>>,
    /// The spectra of the channels.
    pub(super) spectra: Vec<Vec<f64>>,
    /// The whole state at each instant of the section, as numbers.
    pub(super) states: Vec<Vec<f64>>,
    /// The same at the calm instant of each period.
    pub(super) calm: Vec<Vec<f64>>,
    /// Of each number: whether it is an angle.
    pub(super) is_angle: Vec<bool>,
    /// The scale of each number in this motion.
    pub(super) sizes: Vec<f64>,
    /// Logarithms of the growth of the first neighbour's distance from one calm instant to the next, and of the area between both.
    pub(super) growth: Vec<[f64; 2]>,
    /// Contacts that have touched all the time and so remember an impact from before.
    pub(super) lasting: Vec<String>,
    /// Contacts that were open all the time.
    pub(super) idle: Vec<String>,
    /// What its runs warn of, each kind once.
    pub(super) warnings: Vec<String>,
    /// Where the section begins.
    pub(super) begin: State,
    /// Where it ended.
    pub(super) end: State,
}

/// Follows a motion over a transient and then over some periods.
pub(super) fn follow(
    strobe: &Strobe,
    start: Option<State>,
    (transient, periods): (usize, usize),
    stop: &Cancellation,
) -> Result<Seen, Trouble> {
    let mut warnings = Vec::new();
    let origin = match start {
        Some(state) => {
            warnings.extend(strobe.moves(&state));
            state
        }
        None => strobe.start()?,
    };
    let mut motion = Strobed { strobe, here: origin.clone(), phase: strobe.period, stop };
    // The last period before the section finds a calm instant, at which neighbours set out.
    let first = transient.saturating_sub(1);
    for k in 0..first {
        motion.here = strobe.advance(&motion.here, strobe.end_of(k), stop)?;
    }
    let mut seen = Seen {
        section: Vec::with_capacity(periods),
        events: Vec::new(),
        spectra: Vec::new(),
        states: Vec::with_capacity(periods),
        calm: Vec::with_capacity(periods),
        is_angle: Vec::new(),
        sizes: Vec::new(),
        growth: Vec::with_capacity(periods),
        lasting: Vec::new(),
        idle: Vec::new(),
        warnings,
        begin: origin.clone(),
        end: origin.clone(),
    };
    let mut waves = Waves::default();
    let mut neighbours: Option<Neighbours<'_>> = None;
    let mut ahead: Option<Calm> = None;
    for k in first..transient + periods {
        let counts = k >= transient;
        if k == transient {
            seen.lasting = touching(&motion.here);
            seen.idle = apart(&motion.here);
            seen.begin.clone_from(&motion.here);
        }
        if k + 1 == transient + periods {
            // Contact laws are checked in the last period.
            seen.warnings.extend(strobe.concerns(&motion.here, strobe.end_of(k), stop)?);
        }
        // The neighbours are one period behind and do not depend on the present motion.
        let (turn, growth) = rayon::join(
            || motion.turn(k, counts),
            || Some(neighbours.as_mut()?.follow_to(ahead.take()?, stop)),
        );
        let Turn { calm, looks } = turn?;
        seen.growth.extend(growth.transpose()?);
        if counts {
            seen.calm.push(numbers(&calm.state));
            seen.states.push(numbers(&motion.here));
            seen.section.extend(looks.last().map(|look| look.channels.clone()));
            for look in &looks {
                seen.warnings.extend_from_slice(&look.warnings);
                seen.lasting.retain(|name| !look.begun.contains(name));
                seen.idle.retain(|name| !look.begun.contains(name));
                seen.events.extend_from_slice(&look.events);
                waves.extend(&look.waves);
            }
        }
        if neighbours.is_some() {
            ahead = Some(calm);
        } else {
            let states: Vec<State> = looks.into_iter().flat_map(|look| look.states).collect();
            let scale = Scale::of(&states, strobe);
            neighbours = Some(Neighbours { strobe, scale, calm, pair: None });
        }
    }
    let here = motion.here;
    if let Some(mut neighbours) = neighbours {
        let sizes = neighbours.scale.sizes();
        seen.sizes = here.bodies.values().flat_map(|_| sizes).collect();
        if let Some(calm) = ahead {
            seen.growth.push(neighbours.follow_to(calm, stop)?);
        }
    }
    seen.warnings = each_kind_once(seen.warnings);
    let is_angle = here.bodies.values().flat_map(|_| [false, false, true, false, false, false]);
    seen.is_angle = is_angle.collect();
    let still = touching(&here);
    seen.lasting.retain(|name| still.contains(name));
    let elapsed = strobe.period * (transient + periods) as f64;
    seen.end = handed_on(here, elapsed, &origin);
    seen.spectra = waves.spectra(strobe.period, strobe.orders.unwrap_or(0));
    Ok(seen)
}

/// A motion that is followed from t = kT to the next.
struct Strobed<'s> {
    strobe: &'s Strobe,
    here: State,
    /// The calm instant, from the beginning of a period (s); the end of a period where nothing begins or ends in it.
    phase: f64,
    stop: &'s Cancellation,
}

/// One period of a motion.
struct Turn {
    calm: Calm,
    /// What was seen up to the calm instant, and from there to the end of the period.
    looks: Vec<Look>,
}

/// A motion at a calm instant.
struct Calm {
    state: State,
    /// The end of the period (s), at which the motion is observed and a new sequence of steps
    /// begins.
    end: f64,
}

impl Strobed<'_> {
    /// Goes on over period `k`, counted from 0.
    fn turn(&mut self, k: usize, watched: bool) -> Result<Turn, Trouble> {
        let mut turn = self.pass(k, watched)?;
        let begin = self.strobe.period * k as f64;
        let jumps = turn.looks.iter().flat_map(|look| &look.jumps).map(|t| t - begin);
        if let Some(phase) = calmer(self.phase, self.strobe.period, jumps.collect()) {
            self.phase = phase;
            turn = self.pass(k, watched)?;
        }
        if let Some(last) = turn.looks.last() {
            self.here = last.state.clone();
        }
        Ok(turn)
    }

    fn pass(&self, k: usize, watched: bool) -> Result<Turn, Trouble> {
        let Strobed { strobe, here, phase, stop } = self;
        let (period, end) = (strobe.period, strobe.end_of(k));
        let calm = (*phase < period).then(|| period * k as f64 + phase);
        let (mut looks, mut state) = (Vec::new(), here.clone());
        for t in calm.into_iter().chain([end]) {
            let look = strobe.watch(&state, t, watched, stop)?;
            state = look.state.clone();
            looks.push(look);
        }
        Ok(Turn { calm: Calm { state: looks[0].state.clone(), end }, looks })
    }
}

/// A calmer instant of the period if these events come too close to the present one. An event may
/// follow right after the period, so its ends count like events.
fn calmer(phase: f64, period: f64, mut jumps: Vec<f64>) -> Option<f64> {
    if jumps.is_empty() {
        return None;
    }
    jumps.extend([0.0, period]);
    jumps.sort_by(f64::total_cmp);
    let gaps = jumps.windows(2).map(|pair| (pair[1] - pair[0], 0.5 * (pair[0] + pair[1])));
    let (gap, middle) = gaps.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let distance = jumps.iter().map(|t| (t - phase).abs()).fold(f64::INFINITY, f64::min);
    // Keeping the instant is better than the exact middle, because measurements over a turn need
    // the same instant in each period.
    (distance < 0.25 * gap).then_some(middle)
}

/// Two neighbours of a motion.
struct Neighbours<'s> {
    strobe: &'s Strobe,
    scale: Scale,
    /// Where the motion is that they are close to.
    calm: Calm,
    /// `None`: they set out from there in any direction.
    pair: Option<[State; 2]>,
}

impl Neighbours<'_> {
    /// Goes on to the next calm instant of the motion; the logarithms of the growth of the first one's distance, and of the area between both.
    fn follow_to(&mut self, next: Calm, stop: &Cancellation) -> Result<[f64; 2], Trouble> {
        let Neighbours { strobe, scale, calm, pair } = self;
        let beside = |direction| scale.beside(&calm.state, direction);
        let pair = pair.take().unwrap_or_else(|| [beside(0), beside(1)]);
        let moved = |from: &State| {
            // By the same steps as the motion.
            let at_end =
                if from.t < calm.end { Some(strobe.advance(from, calm.end, stop)?) } else { None };
            strobe.advance(at_end.as_ref().unwrap_or(from), next.state.t, stop)
        };
        let (first, second) = rayon::join(|| moved(&pair[0]), || moved(&pair[1]));
        let moved = [first?, second?];
        let from = pair.each_ref().map(|state| scale.distance(&calm.state, state));
        let to = moved.each_ref().map(|state| scale.distance(&next.state, state));
        self.pair = scale.closer(&next.state, &moved, &to);
        self.calm = next;
        Ok(grown(&from, &to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_calm_instants_keep_away_from_events() {
        // Nothing happens: any instant is as good.
        assert_eq!(calmer(1.0, 1.0, vec![]), None);
        // An impact across the end of the period: the middle is farthest away.
        assert_eq!(calmer(1.0, 1.0, vec![0.0001, 0.9999]), Some(0.5));
        assert_eq!(calmer(0.5, 1.0, vec![0.0001, 0.9999]), None);
        // Far enough from an event that has moved a little, and too near to one that has come.
        assert_eq!(calmer(0.5, 1.0, vec![0.2, 0.9]), None);
        assert_eq!(calmer(0.5, 1.0, vec![0.25, 0.45]), Some(0.725));
    }
}
