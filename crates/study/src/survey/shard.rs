//! Parts of a study.

/// One of several parts of a study, for as many machines: every so many points, or chains of points, one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// A part without any point: nothing is run.
    pub fn none() -> Self {
        Shard { index: 1, of: 1 }
    }

    /// How many of these units of work belong to it.
    pub fn count(self, units: usize) -> usize {
        (0..units).filter(|unit| self.has(*unit)).count()
    }

    /// Whether no point belongs to it.
    pub(crate) fn is_none(self) -> bool {
        self.index >= self.of
    }

    pub(crate) fn has(self, unit: usize) -> bool {
        unit % self.of == self.index
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// Reads `3/16`, the third of sixteen.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a part such as 3/16");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        let (index, of) = (number(index)?, number(of)?);
        if (1..=of).contains(&index) { Ok(Shard { index: index - 1, of }) } else { Err(wrong()) }
    }
}
