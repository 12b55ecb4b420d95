//! What a system can ask about a step in order to judge its guards without sampling them.

use std::ops::Range;

use crate::Enclosure;

/// How one component goes from the start of a step to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bow {
    /// Its change over the step.
    pub change: f64,
    /// A bound of its distance from the straight line between both ends.
    pub height: f64,
}

impl Bow {
    /// Nothing is known.
    pub const UNKNOWN: Bow = Bow { change: f64::INFINITY, height: f64::INFINITY };
}

/// An interval of time inside a step.
pub struct Stretch<'a> {
    /// The time.
    pub t: Enclosure,
    pub(crate) enclose: &'a dyn Fn(usize, &mut [Enclosure]),
    pub(crate) proven: &'a [bool],
}

impl Stretch<'_> {
    /// Encloses the components of the state from the `first` on, as many as `y` has.
    #[inline]
    pub fn enclose(&self, first: usize, y: &mut [Enclosure]) {
        (self.enclose)(first, y);
    }

    /// Whether the whole step is already known to be clear of this guard, see [`System::stays`](crate::System::stays).
    #[inline]
    pub fn is_proven(&self, guard: usize) -> bool {
        self.proven.get(guard).copied().unwrap_or(false)
    }
}

/// More ranges than this are not kept apart.
const MOST_RANGES: usize = 64;

/// Some components of the state.
#[derive(Debug, Default)]
pub struct Parts {
    some: Vec<Range<usize>>,
    all: Range<usize>,
    is_all: bool,
}

impl Parts {
    /// None of so many components.
    #[inline]
    pub(crate) fn clear(&mut self, count: usize) {
        self.some.clear();
        (self.all, self.is_all) = (0..count, false);
    }

    /// Adds these components.
    pub fn add(&mut self, part: Range<usize>) {
        if self.is_all || self.some.iter().rev().take(4).any(|known| *known == part) {
            return;
        }
        if self.some.len() == MOST_RANGES {
            return self.add_all();
        }
        self.some.reserve(MOST_RANGES - self.some.len());
        self.some.push(part);
    }

    /// Adds all components.
    #[inline]
    pub fn add_all(&mut self) {
        self.is_all = true;
    }

    /// The ranges of these components.
    #[inline]
    pub fn ranges(&self) -> &[Range<usize>] {
        if self.is_all { std::slice::from_ref(&self.all) } else { &self.some }
    }
}
