//! Laws and free impacts as the papers use them.

use jointplay_contact::catalog::{Inputs, LawName};
use jointplay_contact::{NormalLaw, Restitution, Tension};
use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact, ImpactResult};

use crate::Error;

/// The law of this name, `elastic+damping`, with these inputs.
pub(crate) fn law(name: &str, inputs: &Inputs) -> Result<NormalLaw, Error> {
    let wrong = |cause: String| Error::Law(format!("{name}: {cause}"));
    let parsed: LawName = name.parse().map_err(|cause| wrong(format!("{cause}")))?;
    let built = parsed.build(inputs).map_err(|cause| wrong(format!("{cause}")))?;
    Ok(built.law.normal)
}

/// Inputs with these numbers by key.
pub(crate) fn numbers(pairs: &[(&str, f64)]) -> Inputs {
    Inputs { numbers: pairs.iter().map(|&(k, v)| (k.to_owned(), v)).collect(), ..Inputs::default() }
}

/// The same with an input restitution.
pub(crate) fn returning(c: f64, inputs: &Inputs) -> Inputs {
    Inputs { restitution: Some(Restitution::Constant(c)), ..inputs.clone() }
}

/// The same law with forces that may pull.
pub(crate) fn adhesive(law: NormalLaw) -> NormalLaw {
    NormalLaw { tension: Tension::Keep, ..law }
}

/// A free impact with this many samples of its loop.
pub(crate) fn impact(
    law: &NormalLaw,
    effective_mass: f64,
    speed: f64,
    points: u32,
) -> Result<ImpactResult, Error> {
    let bench = Impact { law, effective_mass, speed, tolerance: DEFAULT_TOLERANCE };
    bench.run_with_curve(points).map_err(|cause| Error::Run(cause.to_string()))
}
