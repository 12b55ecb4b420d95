//! Runs of a study made elsewhere: by the threads of this process, or by a crew, such as the
//! workers of a cluster.
//!
//! A study hands out batches of runs (errands) and receives the rows of its journal. Both are lines
//! of text, and an errand together with the [files](crate::study::Study::files) of its study is all
//! that is needed to make its runs. The journal has one writer, the study that hands out the
//! errands, and what it finds does not depend on who made the runs (ADR 0035).

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::sweep::Cancellation;

/// What became of an errand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Its rows.
    Rows(Vec<String>),
    /// Why it has none. Its runs have no result in this study and are not kept in the journal, so that they are made again when the study
    /// is resumed.
    Lost(String),
}

/// Makes the runs of a study somewhere else, with [`Study::answer`](crate::study::Study::answer).
pub trait Crew: Sync {
    /// Carries out all errands, which share a context, and passes on the answer to each by its number, counted from 0, in any order.
    /// Errands are created as the iterator is advanced. Once a stop is requested, the remaining errands may be dropped.
    ///
    /// # Errors
    /// Why the crew cannot continue. Earlier answers are kept.
    fn work(
        &self,
        context: &str,
        errands: &mut (dyn Iterator<Item = String> + Send),
        take: &mut (dyn FnMut(usize, Answer) + Send),
        stop: &Cancellation,
    ) -> Result<(), String>;
}

/// Plain data, which always has a JSON form.
pub(crate) fn line(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default()
}

/// The content of a line.
pub(crate) fn read<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| format!("this is not part of a study: {error}"))
}

/// The rows of an answer; their number must be that of the request.
pub(crate) fn rows<T: DeserializeOwned>(lines: &[String], count: usize) -> Result<Vec<T>, String> {
    let rows = lines.iter().map(|line| read(line)).collect::<Result<Vec<T>, String>>()?;
    if rows.len() == count {
        Ok(rows)
    } else {
        Err(format!("{} rows were returned for a batch of {count} runs", rows.len()))
    }
}
