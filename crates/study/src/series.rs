//! Time series under their names.

/// A time series.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Its name, such as `slider.x`.
    pub name: String,
    /// Its unit, `-` for a pure number.
    pub unit: String,
    /// One value for each time; NaN for a missing one.
    pub values: Vec<f64>,
}

/// Time series over common times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channels {
    /// The times (s). At an event two of them are the same.
    pub times: Vec<f64>,
    /// The series.
    pub channels: Vec<Channel>,
}

impl Channels {
    /// The channel of this name.
    pub fn get(&self, name: &str) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.name == name)
    }
}
