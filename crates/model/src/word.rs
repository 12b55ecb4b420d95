//! Words of a file that choose one of a few things.

/// A closed choice: each thing with its word. The record of a key lists the words ([`WORDS`](Self::WORDS)), so that another
/// word is refused with a hint, and [`View::word`](crate::lower::View::word) reads them.
pub(crate) trait Word: Copy + 'static {
    /// All words.
    const WORDS: &'static [&'static str];

    /// What each of them chooses.
    const ALL: &'static [Self];

    /// The word for it.
    fn word(self) -> &'static str;
}

/// Gives an enum its words. A variant without a word does not compile.
macro_rules! words {
    ($name:ty { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $crate::word::Word for $name {
            const WORDS: &'static [&'static str] = &[$($word),+];

            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
}

pub(crate) use words;
