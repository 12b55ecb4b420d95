//! Numbers without a pattern that are the same on every machine.

/// SplitMix64 (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014).
pub(crate) struct Chance(u64);

impl Chance {
    /// The numbers of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Evenly between two numbers.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Evenly between two powers of ten.
    #[allow(dead_code, reason = "not every test program needs it")]
    pub(crate) fn decades(&mut self, low: f64, high: f64) -> f64 {
        libm::pow(10.0, self.between(low, high))
    }

    /// One of these.
    #[allow(dead_code, reason = "not every test program needs it")]
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        let count = u64::try_from(of.len()).unwrap_or(1).max(1);
        of[usize::try_from(self.next() % count).unwrap_or(0)]
    }
}
