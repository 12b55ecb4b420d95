//! Numbers that look random and are the same everywhere.

/// SplitMix64 (Steele, Lea, Flood 2014): a test that fails names its seed and can be repeated.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform between two numbers.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A point of a square about the origin.
    pub(crate) fn point(&mut self, reach: f64) -> [f64; 2] {
        [self.between(-reach, reach), self.between(-reach, reach)]
    }

    /// A unit vector.
    pub(crate) fn direction(&mut self) -> [f64; 2] {
        let (sin, cos) = self.between(0.0, std::f64::consts::TAU).sin_cos();
        [cos, sin]
    }

    /// One of the numbers below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let place = self.unit() * count as f64;
        (0..count).rfind(|&i| i as f64 <= place).expect("at least one")
    }

    /// True so often.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}
