//! The hash of data: every field by its type, numbers by their bits.

use std::sync::Arc;

/// FNV-1a of 64 bits: the hash that is fed with data. The same on every machine and in every version of the compiler, which
/// [`std::hash`] does not promise.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Fnv {
    /// The hash of no data.
    pub const EMPTY: Self = Fnv(0xcbf2_9ce4_8422_2325);

    /// Adds these bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
    }
}

/// Data that can be identified by a hash. [`fingerprint!`](crate::fingerprint!) writes it for a type.
pub trait Fingerprint {
    /// Feeds everything that it consists of to the hash.
    fn feed(&self, hash: &mut Fnv);

    /// Its hash.
    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::EMPTY;
        self.feed(&mut hash);
        hash.0
    }
}

/// Implements [`Fingerprint`] for a structure or enum. All fields and variants must be named;
/// otherwise the program does not compile, so that a new field cannot be forgotten.
///
/// ```
/// use jointplay_fingerprint::{Fingerprint, fingerprint};
///
/// struct Spring { stiffness: f64, name: String }
/// fingerprint!(struct Spring { stiffness, name });
///
/// enum Force { Gravity, Elastic(Spring), Constant { size: f64 } }
/// fingerprint!(enum Force { Gravity, Elastic(spring), Constant { size } });
///
/// let force = |stiffness| Force::Elastic(Spring { stiffness, name: "s".to_owned() });
/// assert_eq!(force(2.0).fingerprint(), force(2.0).fingerprint());
/// assert_ne!(force(2.0).fingerprint(), force(2.0_f64.next_up()).fingerprint());
/// assert_ne!(Force::Gravity.fingerprint(), Force::Constant { size: 0.0 }.fingerprint());
/// ```
///
/// ```compile_fail
/// struct Spring { stiffness: f64, damping: f64 }
/// jointplay_fingerprint::fingerprint!(struct Spring { stiffness });
/// ```
#[macro_export]
macro_rules! fingerprint {
    (struct $name:ident $({ $($field:ident),* $(,)? })? $(( $($item:ident),* ))?) => {
        impl $crate::Fingerprint for $name {
            fn feed(&self, hash: &mut $crate::Fnv) {
                let Self $({ $($field),* })? $(( $($item),* ))? = self;
                $($($crate::Fingerprint::feed($field, hash);)*)?
                $($($crate::Fingerprint::feed($item, hash);)*)?
            }
        }
    };
    (enum $name:ident {
        $($variant:ident $({ $($field:ident),* $(,)? })? $(( $($item:ident),* ))?),* $(,)?
    }) => {
        impl $crate::Fingerprint for $name {
            fn feed(&self, hash: &mut $crate::Fnv) {
                match self {
                    $(Self::$variant $({ $($field),* })? $(( $($item),* ))? => {
                        $crate::Fingerprint::feed(stringify!($variant), hash);
                        $($($crate::Fingerprint::feed($field, hash);)*)?
                        $($($crate::Fingerprint::feed($item, hash);)*)?
                    })*
                }
            }
        }
    };
}

impl Fingerprint for f64 {
    fn feed(&self, hash: &mut Fnv) {
        hash.bytes(&self.to_bits().to_le_bytes());
    }
}

impl Fingerprint for i32 {
    fn feed(&self, hash: &mut Fnv) {
        hash.bytes(&self.to_le_bytes());
    }
}

impl Fingerprint for i64 {
    fn feed(&self, hash: &mut Fnv) {
        hash.bytes(&self.to_le_bytes());
    }
}

/// The same on machines with 32 and with 64 bits.
impl Fingerprint for usize {
    fn feed(&self, hash: &mut Fnv) {
        hash.bytes(&(*self as u64).to_le_bytes());
    }
}

impl Fingerprint for bool {
    fn feed(&self, hash: &mut Fnv) {
        hash.bytes(&[u8::from(*self)]);
    }
}

/// With its length in front, so that two consecutive texts differ from two others with the same
/// concatenation.
impl Fingerprint for str {
    fn feed(&self, hash: &mut Fnv) {
        self.len().feed(hash);
        hash.bytes(self.as_bytes());
    }
}

impl Fingerprint for String {
    fn feed(&self, hash: &mut Fnv) {
        self.as_str().feed(hash);
    }
}

/// With its length in front.
impl<T: Fingerprint> Fingerprint for [T] {
    fn feed(&self, hash: &mut Fnv) {
        self.len().feed(hash);
        for entry in self {
            entry.feed(hash);
        }
    }
}

impl<T: Fingerprint, const N: usize> Fingerprint for [T; N] {
    fn feed(&self, hash: &mut Fnv) {
        self.as_slice().feed(hash);
    }
}

impl<T: Fingerprint> Fingerprint for Vec<T> {
    fn feed(&self, hash: &mut Fnv) {
        self.as_slice().feed(hash);
    }
}

impl<T: Fingerprint + ?Sized> Fingerprint for Box<T> {
    fn feed(&self, hash: &mut Fnv) {
        (**self).feed(hash);
    }
}

impl<T: Fingerprint + ?Sized> Fingerprint for Arc<T> {
    fn feed(&self, hash: &mut Fnv) {
        (**self).feed(hash);
    }
}

impl<T: Fingerprint> Fingerprint for Option<T> {
    fn feed(&self, hash: &mut Fnv) {
        self.as_slice().feed(hash);
    }
}

impl<A: Fingerprint, B: Fingerprint> Fingerprint for (A, B) {
    fn feed(&self, hash: &mut Fnv) {
        self.0.feed(hash);
        self.1.feed(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fowler, Noll and Vo: "FNV hash", the test vectors of FNV-1a with 64 bits.
    #[test]
    fn published_the_hashes_of_some_texts() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325_u64),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            let mut fnv = Fnv::EMPTY;
            fnv.bytes(text.as_bytes());
            assert_eq!(fnv.0, hash, "{text}");
        }
    }

    #[test]
    fn property_what_differs_has_another_hash() {
        assert_ne!(0.0.fingerprint(), (-0.0).fingerprint());
        assert_ne!(1.0.fingerprint(), 1.0_f64.next_up().fingerprint());
        assert_ne!(
            ["ab", "c"].map(str::to_owned).fingerprint(),
            ["a", "bc"].map(str::to_owned).fingerprint()
        );
        assert_ne!(
            (vec![1.0], Vec::<f64>::new()).fingerprint(),
            (Vec::<f64>::new(), vec![1.0]).fingerprint()
        );
        assert_ne!(Some(0.0).fingerprint(), None::<f64>.fingerprint());
        assert_ne!((1_usize, 2_usize).fingerprint(), (2_usize, 1_usize).fingerprint());
    }
}
