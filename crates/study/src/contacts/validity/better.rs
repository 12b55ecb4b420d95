//! A law of the catalogue that is valid where another is not.

use jointplay_contact::Surfaces;
use jointplay_contact::catalog::{ElasticKind, LawOrigin};
use jointplay_contact::elastic::ElasticModel;

use super::delta_limit;

/// Elastic laws to propose in place of an unsuitable one, in order of preference.
const CANDIDATES: [ElasticKind; 7] = [
    ElasticKind::Liu,
    ElasticKind::Johnson,
    ElasticKind::Esdu,
    ElasticKind::Radzimovsky,
    ElasticKind::Pereira,
    ElasticKind::Persson,
    ElasticKind::Hertz,
];

/// ΔR over the bearing radius, of a journal in a bearing.
pub(super) fn conformity(surfaces: Option<Surfaces>) -> Option<f64> {
    match surfaces {
        Some(Surfaces::Internal { bearing, journal }) => Some((bearing - journal) / bearing),
        Some(Surfaces::External { .. } | Surfaces::OnPlane { .. }) | None => None,
    }
}

pub(super) fn clearance(origin: &LawOrigin) -> Option<f64> {
    origin.inputs.clearance.or_else(|| origin.inputs.surfaces?.delta_r())
}

/// Whether an elastic law, built from the same data, is inside its domain up to a force (N).
pub(super) fn holds(kind: ElasticKind, origin: &LawOrigin, force: f64) -> bool {
    let mut inputs = origin.inputs.clone();
    inputs.numbers.clear(); // they are those of another law
    let bounds = &kind.sheet().bounds;
    let spread = bounds.conformity.zip(conformity(inputs.surfaces));
    let range = bounds.clearance.zip(clearance(origin));
    let Ok(built) = kind.build(&inputs) else { return false };
    let limit = delta_limit(&built.law).map(|delta| built.law.eval(delta).force);
    // Liu's law is that of a pin in a bore; the catalogue builds it from any ΔR.
    let internal = kind != ElasticKind::Liu || inputs.surfaces.is_none_or(|s| s.is_internal());
    internal
        && built.warnings.is_empty()
        && spread.is_none_or(|(least, ratio)| ratio >= least)
        && range.is_none_or(|(range, delta_r)| range.contains(delta_r))
        && limit.is_none_or(|limit| force <= limit)
}

/// An elastic law of the catalogue that holds for these data up to a force (N), or what would have to be known for one.
pub(super) fn better_elastic(origin: &LawOrigin, force: f64) -> Option<String> {
    let others = || CANDIDATES.into_iter().filter(|kind| Some(*kind) != origin.name.elastic);
    if let Some(kind) = others().find(|kind| holds(*kind, origin, force)) {
        return Some(format!("the elastic law '{}' is valid here", kind.id()));
    }
    if origin.inputs.length.is_none() {
        // A law without a limit of load holds whatever the length is.
        let mut known = origin.clone();
        known.inputs.length = Some(1.0);
        let without_limit =
            |kind: &ElasticKind| kind.sheet().bounds.load.is_none() && holds(*kind, &known, force);
        if let Some(kind) = others().find(without_limit) {
            let id = kind.id();
            return Some(format!("the elastic law '{id}' is valid here and needs the `length`"));
        }
    }
    None
}
