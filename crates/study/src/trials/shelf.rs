//! The finished runs of a search. What was seen of long records stays in the journal, and is read again when it is wanted.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Kept, Trial};
use crate::journal::{Journal, JournalError};
use crate::summary::Ending;

/// Values of this size (bytes) are held in memory.
const MOST_HELD: usize = 64 << 20;

/// A run that the journal has; its values stay there.
#[derive(Deserialize)]
pub(crate) struct Known {
    point: String,
    outcome: Ending,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    values: Option<IgnoredAny>,
}

/// A finished run: itself, or its place in the journal.
struct Finished {
    held: Option<Arc<Trial>>,
    place: Option<u64>,
}

pub(super) struct Shelf {
    journal: Journal,
    finished: HashMap<String, Finished>,
    /// The keys of the runs that are held and can be read again, the first to go first.
    order: VecDeque<String>,
    /// The size of their values (bytes).
    size: usize,
    most: usize,
}

impl Shelf {
    pub(super) fn new((journal, known): (Journal, Vec<(Known, u64)>)) -> Self {
        let of = |(known, place): (Known, u64)| {
            let Known { point, outcome, message, values } = known;
            let held = values.is_none().then(|| Arc::new(Trial { values: None, outcome, message }));
            (point, Finished { held, place: Some(place) })
        };
        let finished = known.into_iter().map(of).collect();
        Shelf { journal, finished, order: VecDeque::new(), size: 0, most: MOST_HELD }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.finished.contains_key(key)
    }

    /// Writes a run into the journal; returns its place there.
    pub(super) fn write(&mut self, key: &str, trial: &Trial) -> Result<Option<u64>, JournalError> {
        self.journal.append_placed(&Kept::of(key, trial))
    }

    /// Adds a run that is in the journal at this place, if it keeps any.
    pub(super) fn add(&mut self, key: &str, trial: Arc<Trial>, place: Option<u64>) {
        if place.is_some() {
            self.hold(key, &trial);
        }
        self.finished.insert(key.to_owned(), Finished { held: Some(trial), place });
    }

    /// The run of a key; `None` if it was not made.
    pub(super) fn get(&mut self, key: &str) -> Result<Option<Arc<Trial>>, JournalError> {
        let place = match self.finished.get(key) {
            None => return Ok(None),
            Some(Finished { held: Some(trial), .. }) => return Ok(Some(trial.clone())),
            Some(Finished { held: None, place }) => *place,
        };
        let Some(place) = place else { return Ok(None) };
        let trial = self.journal.read::<Kept>(place)?.trial();
        self.add(key, trial.clone(), Some(place));
        Ok(Some(trial))
    }

    /// Makes room for a run, and lets it go when others need the room.
    fn hold(&mut self, key: &str, trial: &Trial) {
        let of = |trial: &Trial| trial.values.as_ref().map_or(0, |v| size_of_val(&v[..]));
        let own = of(trial);
        if own == 0 {
            return;
        }
        self.size += own;
        self.order.push_back(key.to_owned());
        while self.size > self.most && self.order.len() > 1 {
            let Some(oldest) = self.order.pop_front() else { break };
            let gone = self.finished.get_mut(&oldest).and_then(|finished| finished.held.take());
            self.size -= gone.map_or(0, |trial| of(&trial));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(i: usize) -> Trial {
        let values = (i != 3).then(|| (0..100).map(|j| 1.0 / (i * 100 + j + 1) as f64).collect());
        Trial { values, outcome: Ending::ReachedEnd, message: None }
    }

    /// Runs that memory has no room for are the same to the bit, from this process or from an earlier one, whose journal has a damaged line.
    #[test]
    fn property_runs_come_back_from_the_journal() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.jsonl");
        let open = || Journal::open_placed(&path, "identify").expect("a journal");
        let mut shelf = Shelf { most: 2500, ..Shelf::new(open()) };
        for i in 0..20 {
            let key = i.to_string();
            let place = shelf.write(&key, &trial(i)).expect("written");
            shelf.add(&key, Arc::new(trial(i)), place);
            assert!(shelf.size <= 2500);
        }
        let held = |shelf: &Shelf| {
            let all = shelf.finished.values();
            all.filter_map(|one| one.held.as_ref()?.values.as_ref()).count()
        };
        for i in (0..20).chain([7, 7, 19]) {
            let found = shelf.get(&i.to_string()).expect("readable").expect("known");
            assert_eq!(*found, trial(i));
            assert!(held(&shelf) <= 3);
        }
        assert_eq!(shelf.get("20").expect("readable"), None);
        drop(shelf);
        let text = std::fs::read_to_string(&path).expect("a journal");
        let line = text.lines().nth(6).expect("the sixth run").to_owned();
        std::fs::write(&path, text.replace(&line, &line.replace('"', "'"))).expect("written");
        let mut shelf = Shelf::new(open());
        assert!(!shelf.has("5") && held(&shelf) == 0);
        let place = shelf.write("5", &trial(5)).expect("written");
        shelf.add("5", Arc::new(trial(5)), place);
        for i in 0..20 {
            let found = shelf.get(&i.to_string()).expect("readable").expect("known");
            assert_eq!(*found, trial(i), "{i}");
        }
    }
}
