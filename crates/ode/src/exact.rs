//! Numbers that survive any text format to the bit: 16 hexadecimal digits.
//!
//! A decimal number is read back to the last bit by some readers only, and the readers of most formats have no
//! word for infinity. This module knows only serde.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Vector;

fn to_text(x: f64) -> String {
    format!("{:016x}", x.to_bits())
}

fn from_text<E: Error>(text: &str) -> Result<f64, E> {
    let bits = u64::from_str_radix(text, 16);
    bits.map(f64::from_bits).map_err(|_| E::custom("a number is 16 hexadecimal digits"))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
pub(crate) fn serialize<S: Serializer>(x: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    to_text(*x).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    from_text(&String::deserialize(deserializer)?)
}

/// The same for a whole vector.
pub(crate) mod vector {
    use super::{Deserialize, Deserializer, Error, Serialize, Serializer, Vector};
    use super::{from_text, to_text};

    pub(crate) fn serialize<V: Vector, S: Serializer>(
        v: &V,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text: Vec<String> = v.as_slice().iter().map(|x| to_text(*x)).collect();
        text.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, V: Vector, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<V, D::Error> {
        let text = Vec::<String>::deserialize(deserializer)?;
        if let Some(len) = V::LEN
            && len != text.len()
        {
            return Err(D::Error::invalid_length(text.len(), &"as many numbers as the array has"));
        }
        let mut v = V::zeros(text.len());
        for (x, text) in v.as_mut_slice().iter_mut().zip(&text) {
            *x = from_text(text)?;
        }
        Ok(v)
    }
}

/// The same for an array of vectors.
pub(crate) mod vectors {
    use super::{Deserialize, Deserializer, Error, Serialize, Serializer, Vector, vector};

    #[derive(Serialize, Deserialize)]
    #[serde(bound = "")]
    struct Each<V: Vector>(#[serde(with = "vector")] V);

    pub(crate) fn serialize<V: Vector, S: Serializer, const N: usize>(
        v: &[V; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let each: Vec<Each<V>> = v.iter().map(|v| Each(v.clone())).collect();
        each.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, V: Vector, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[V; N], D::Error> {
        let each = Vec::<Each<V>>::deserialize(deserializer)?;
        let vectors: Vec<V> = each.into_iter().map(|each| each.0).collect();
        let found = vectors.len();
        let wrong = |_| D::Error::invalid_length(found, &"as many vectors as the array has");
        vectors.try_into().map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_every_kind_of_number_comes_back() {
        for x in [0.0, -0.0, 0.1, -1e300, 5e-324, f64::INFINITY, f64::NAN] {
            let back = from_text::<serde::de::value::Error>(&to_text(x));
            assert_eq!(back.map(f64::to_bits), Ok(x.to_bits()));
        }
        assert!(from_text::<serde::de::value::Error>("0.1").is_err());
    }
}
