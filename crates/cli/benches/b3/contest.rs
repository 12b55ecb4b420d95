//! Programs measured in turn.

/// One measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// CPU time (s).
    pub(crate) seconds: f64,
    /// Right-hand sides; NaN where a program does not tell.
    pub(crate) evaluations: f64,
    /// Steps, rejected ones included; NaN where a program does not tell.
    pub(crate) steps: f64,
    /// Error of positions over the clearance.
    pub(crate) error: f64,
}

type Measure<'a> = Box<dyn FnMut() -> Result<Sample, String> + 'a>;

/// A program at one tolerance.
pub(crate) struct Contestant<'a> {
    pub(crate) name: String,
    tolerance: f64,
    measure: Measure<'a>,
    samples: Vec<Sample>,
    trouble: Option<String>,
}

impl<'a> Contestant<'a> {
    pub(crate) fn new(
        name: &str,
        tolerance: f64,
        measure: impl FnMut() -> Result<Sample, String> + 'a,
    ) -> Self {
        let (samples, trouble) = (Vec::new(), None);
        Contestant { name: name.into(), tolerance, measure: Box::new(measure), samples, trouble }
    }

    /// One measurement.
    pub(crate) fn once(mut self) -> Result<Sample, String> {
        (self.measure)()
    }

    /// The best CPU time (s); infinite without any.
    pub(crate) fn seconds(&self) -> f64 {
        self.samples.iter().fold(f64::INFINITY, |best, sample| best.min(sample.seconds))
    }

    /// The error, the same in every round.
    pub(crate) fn error(&self) -> Option<f64> {
        self.samples.last().map(|sample| sample.error)
    }

    fn show(&self) {
        let (name, tolerance) = (&self.name, self.tolerance);
        let (Some(sample), None) = (self.samples.last(), &self.trouble) else {
            let why = self.trouble.as_deref().unwrap_or("no round");
            println!("{name:<40} {tolerance:>9.0e} not measured: {why}");
            return;
        };
        let count = |x: f64| if x.is_finite() { format!("{x:.0}") } else { "-".into() };
        println!(
            "{name:<40} {tolerance:>9.0e} {:>10.3} {:>12} {:>8} {:>10.1e}",
            1e3 * self.seconds(),
            count(sample.evaluations),
            count(sample.steps),
            sample.error
        );
    }
}

/// Measures all programs in turn and shows them.
pub(crate) fn hold(contestants: &mut [Contestant<'_>], rounds: usize) {
    for _ in 0..rounds {
        for contestant in contestants.iter_mut().filter(|c| c.trouble.is_none()) {
            match (contestant.measure)() {
                Ok(sample) => contestant.samples.push(sample),
                Err(why) => contestant.trouble = Some(why),
            }
        }
    }
    println!(
        "{:<40} {:>9} {:>10} {:>12} {:>8} {:>10}",
        "program", "tolerance", "ms", "evaluations", "steps", "error / c"
    );
    contestants.iter().for_each(Contestant::show);
}

/// The ratio of the times of two programs: the median of the rounds and their range.
pub(crate) fn duel(slow: &Contestant<'_>, fast: &Contestant<'_>, goal: &str) {
    let title = format!("{} / {}", slow.name, fast.name);
    let pairs = slow.samples.iter().zip(&fast.samples);
    let mut ratios: Vec<f64> = pairs.map(|(a, b)| a.seconds / b.seconds).collect();
    ratios.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (ratios.first(), ratios.last()) else {
        println!("{title:<66} not measured");
        return;
    };
    let range = format!("({least:.2} to {most:.2})");
    println!("{title:<66} {:>7.2}   {range:<17} {goal}", ratios[ratios.len() / 2]);
}
