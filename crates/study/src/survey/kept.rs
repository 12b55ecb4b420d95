//! States of many runs in little memory.

use std::sync::Arc;

use jointplay_mbd::State;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::case::state_text;

/// A state as text, with all digits: a tenth of the memory. Clones share it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptState(Arc<str>);

impl KeptState {
    /// Of a state.
    pub fn of(state: &State) -> Self {
        KeptState(state_text(state).into())
    }

    /// The state, to the bit; `None` if it has numbers that are not finite, which no run starts from.
    pub fn state(&self) -> Option<State> {
        serde_json::from_str(&self.0).ok()
    }
}

impl Serialize for KeptState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state: State = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        state.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KeptState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        State::deserialize(deserializer).map(|state| KeptState::of(&state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_a_kept_state_is_the_same_to_the_bit() {
        let text = r#"{"t":0.1,"bodies":{"a":{"position":[5e-324,-0.0],"angle":1e300,"velocity":[0.30000000000000004,1.0],"angular_velocity":-2.5}},"contacts":{}}"#;
        let state: State = serde_json::from_str(text).expect("a state");
        let kept = KeptState::of(&state);
        assert_eq!(kept.state().as_ref(), Some(&state));
        let sign = kept.state().expect("a state").bodies["a"].position[1].is_sign_negative();
        assert!(sign, "minus zero");
        let line = serde_json::to_string(&kept).expect("text");
        assert_eq!(line, serde_json::to_string(&state).expect("text"));
        assert_eq!(serde_json::from_str::<KeptState>(&line).expect("read"), kept);
    }
}
