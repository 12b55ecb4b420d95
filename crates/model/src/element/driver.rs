//! A coordinate prescribed as a function of time.

use jointplay_mbd::{DriverId, Signal};

use super::coordinate::{COORDINATE, Coordinate, MOTION, RATE};
use super::signal::{self, MOVEMENT};
use crate::channel::List;
use crate::format::{COUNT, f};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension;

pub(crate) static RECORD: Record = Record {
    doc: "A coordinate prescribed as a function of time: one coordinate and one motion",
    fields: &[
        COORDINATE,
        &[
            COUNT,
            f("speed", Kind::Quantity(RATE), "constant speed, from `start`"),
            f("start", Kind::Quantity(MOTION), "value at t = 0 if `speed` is given; 0 by default")
                .omitted(Omitted::Number(0.0)),
            f(
                "value",
                Kind::Signal(MOTION, &MOVEMENT),
                "a constant, an expression of t (SI), or a table",
            ),
        ],
    ],
    parameters: false,
};

/// A prescribed motion.
#[derive(Clone, Debug)]
pub(crate) struct Driver {
    pub(crate) coordinate: Coordinate,
    pub(crate) signal: Signal,
}

impl Driver {
    /// Reads a driver; `None` if it could not be read, which has been reported.
    pub(crate) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Self> {
        let coordinate = Coordinate::read(lower, view);
        match (view.has("speed"), view.has("value")) {
            (true, true) => {
                lower.report(
                    view,
                    "value",
                    "`speed` and `value` are two motions; give only one",
                    None,
                );
                return None;
            }
            (false, false) => {
                let hint = Some("give speed = \"200 rpm\" or value = \"0.1*sin(t)\"".to_owned());
                lower.report_whole(view, "it has no motion", hint);
                return None;
            }
            (true, false) | (false, true) => {}
        }
        if view.has("start") && !view.has("speed") {
            lower.report(view, "start", "`start` is only used with `speed`", None);
        }
        let coordinate = coordinate?;
        let signal = if view.has("speed") {
            let speed = lower.exact(view, "speed", coordinate.rate())?;
            let start = if view.has("start") {
                lower.exact(view, "start", coordinate.dimension)?
            } else {
                0.0
            };
            signal::made(lower, view, "speed", Signal::rate(start, speed))?
        } else {
            signal::read(lower, view, "value", coordinate.dimension)?
        };
        Some(Driver { coordinate, signal })
    }

    /// Its channels.
    pub(crate) fn channels(&self, name: &str, id: DriverId, list: &mut List<'_>) {
        let angle = self.coordinate.dimension == Dimension::Angle;
        let (key, unit) = if angle { ("torque", "N m") } else { ("force", "N") };
        list.driver(name, id, key, unit);
    }
}
