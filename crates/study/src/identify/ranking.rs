//! Which law fits best, and which fit as well as that.

use super::search::{Aim, Fit};
use super::uncertainty::Judged;
use crate::fitting::matrix::dot;

/// The rank of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    /// Which of the laws.
    pub(crate) index: usize,
    /// Akaike's information criterion for small samples.
    pub(crate) criterion: f64,
    /// Whether noise alone may have put it behind the first.
    pub(crate) like_best: bool,
}

/// The laws that have a fit, best first.
///
/// Samples count as many as are independent: the criterion is n ln(mean square) + 2k + 2k(k + 1)/(n − k − 1), where n is the effective
/// number of samples of the noise of the law with the least residuals. A law is as good as the first one if the difference of their sums of squares is within 1.96
/// standard deviations of what noise alone makes of it: with the difference d of both predictions that is 2 √(dᵀ Γ d).
pub(crate) fn order(aim: &Aim, fits: &[Option<Fit>], judged: &[Option<Judged>]) -> Vec<Standing> {
    let known: Vec<(usize, &Fit, &Judged)> = fits
        .iter()
        .zip(judged)
        .enumerate()
        .filter_map(|(i, (fit, judged))| Some((i, fit.as_ref()?, judged.as_ref()?)))
        .collect();
    let Some((_, _, reference)) = known.iter().min_by(|a, b| a.1.cost().total_cmp(&b.1.cost()))
    else {
        return Vec::new();
    };
    let mut places: Vec<Standing> = known
        .iter()
        .map(|&(index, fit, judged)| {
            let criterion = criterion(aim, fit, judged, reference);
            Standing { index, criterion, like_best: false }
        })
        .collect();
    places.sort_by(|a, b| a.criterion.total_cmp(&b.criterion));
    // Laws of one form differ by rounding alone: they stay in the order in which they were given.
    let least = places.first().map_or(0.0, |place| place.criterion);
    let ties = places.iter().take_while(|place| place.criterion <= least + 1e-3).count();
    places[..ties].sort_by_key(|place| place.index);
    let Some(best) = places.first().and_then(|place| fits[place.index].as_ref()) else {
        return places;
    };
    for place in &mut places {
        let Some(fit) = &fits[place.index] else { continue };
        place.like_best = is_like(aim, best, fit, reference);
    }
    places
}

fn criterion(aim: &Aim, fit: &Fit, judged: &Judged, reference: &Judged) -> f64 {
    let columns = aim.columns(&fit.residuals);
    let (mut sum, mut samples) = (0.0, 0.0);
    for (residuals, noise) in columns.iter().zip(&reference.noise) {
        // Data without noise are not fitted better than rounding allows.
        let square = (dot(residuals, residuals) / residuals.len() as f64).max(1e-26);
        let effective = noise.effective.min(residuals.len() as f64);
        sum += effective * libm::log(square);
        samples += effective;
    }
    let numbers = (judged.active() + columns.len()) as f64;
    let room = (samples - numbers - 1.0).max(1.0);
    sum + 2.0 * numbers + 2.0 * numbers * (numbers + 1.0) / room
}

fn is_like(aim: &Aim, best: &Fit, other: &Fit, reference: &Judged) -> bool {
    let apart: Vec<f64> = other.residuals.iter().zip(&best.residuals).map(|(a, b)| a - b).collect();
    let mut variance = 0.0;
    for ((part, column), noise) in
        aim.columns(&apart).into_iter().zip(&aim.sampler.columns).zip(&reference.noise)
    {
        variance += noise.variance * dot(part, &noise.correlation.times(&column.rows, part));
    }
    let difference = (other.cost() - best.cost()).abs();
    difference <= 1.96 * 2.0 * variance.max(0.0).sqrt()
}
