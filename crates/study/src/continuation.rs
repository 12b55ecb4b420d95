//! From the end of one run to the start of the next, with the memory of the contacts.

use std::f64::consts::TAU;

use jointplay_mbd::{Mechanism, Phase, State};

/// The state after this time (s) as the start of another run: at time 0, and with the whole turns that bodies have made since `like` taken off,
/// so that drives find them where they prescribe them at the start.
pub(crate) fn handed_on(mut state: State, elapsed: f64, like: &State) -> State {
    state.t -= elapsed;
    for contact in state.contacts.values_mut() {
        // Contacts remember times, too.
        if let Phase::Apart { last: Some((_, ended)), .. } = &mut contact.phase {
            *ended -= elapsed;
        }
    }
    for (name, body) in &mut state.bodies {
        let wanted = like.bodies.get(name).map_or(0.0, |body| body.angle);
        body.angle -= TAU * ((body.angle - wanted) / TAU).round();
    }
    state
}

/// What to say if joints and drives move the bodies of a start state noticeably before the run begins, in a mechanism of this size (m).
pub(crate) fn moved(wanted: &State, found: &State, size: f64) -> Option<String> {
    let (mut shift, mut turn) = (0.0_f64, 0.0_f64);
    for (name, body) in &wanted.bodies {
        let Some(now) = found.bodies.get(name) else { continue };
        let [dx, dy] = [0, 1].map(|i| now.position[i] - body.position[i]);
        shift = shift.max(libm::hypot(dx, dy));
        turn = turn.max((now.angle - body.angle).abs());
    }
    (shift > 1e-3 * size || turn > 1e-3).then(|| {
        format!(
            "joints and drives move the bodies of the state in which the previous value ended by up to {shift:.3e} m and {turn:.3e} rad at the start"
        )
    })
}

/// Whether all drives are after this time (s) where they were at the start, up to whole turns. If not, the end of one run is not a start
/// of the next: its bodies would be put elsewhere.
///
/// # Errors
/// The first drive that is elsewhere, and what to do.
pub(crate) fn drives_repeat(mechanism: &Mechanism, elapsed: f64) -> Result<(), String> {
    for (_, name, driver) in mechanism.drivers() {
        let [start, end] = [0.0, elapsed].map(|t| driver.signal.at(t).value);
        let moved = end - start;
        let (open, unit, size) = if mechanism.is_angle(driver.coordinate) {
            (moved - TAU * (moved / TAU).round(), "rad", 1.0)
        } else {
            (moved, "m", mechanism.size())
        };
        if !(open.abs() <= 1e-6 * size + 1e-9 * moved.abs()) {
            let turn = (unit == "rad").then_some(TAU);
            let hint = driver
                .signal
                .period(turn)
                .map_or_else(String::new, |period| format!("; it repeats after {period:.6} s"));
            return Err(format!(
                "after {elapsed} s the driver `{name}` is {open:.4} {unit} away from where it started, so the next value cannot start where this one ends{hint}"
            ));
        }
    }
    Ok(())
}
