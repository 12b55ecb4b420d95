//! Power-law fits of elastic laws, F ≈ Kδⁿ.
//!
//! The literature replaces implicit cylinder laws by such fits for speed; the exact inverse makes
//! them unnecessary, but published models are stated in K and n, and laws that need a power law
//! can be used with one. The fit is least squares on the force at loads evenly spaced in
//! (0, F_max], which reproduces the published constants.

use jointplay_contact::elastic::{ElasticLaw, ElasticModel, Power};

/// Number of loads at which the fit is made. With this many the published constants are reproduced to all of their
/// five digits; with 1000 loads the last digit is off by up to seven units.
pub const SAMPLES: u32 = 20_000;

/// Fraction of the largest load below which relative errors are not assessed: towards zero load the
/// relative error of any fit of a logarithmic law grows without bound.
pub const JUDGED_FROM: f64 = 0.01;

/// A fitted power law and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// K [N/mⁿ] and n.
    pub power: Power,
    /// Largest load of the range, N.
    pub max_force: f64,
    /// Indentation at the largest load, m.
    pub max_indentation: f64,
    /// Largest |F_fit − F| over the range, as a fraction of the largest load.
    pub error_of_full_load: f64,
    /// Largest |F_fit/F − 1| for loads from [`JUDGED_FROM`] of the largest load on.
    pub relative_error: f64,
    /// Load at which the relative error is largest, N.
    pub worst_force: f64,
    /// Root mean square of F_fit − F, as a fraction of the largest load.
    pub rms_of_full_load: f64,
}

/// Why a fit failed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The range leaves the law.
    #[error(
        "the load {max_force} N lies beyond {limit:.6} N, where the law ends and is continued along its tangent; fit up to a smaller load"
    )]
    BeyondLimit {
        /// Largest load requested.
        max_force: f64,
        /// Load at which the tangent begins.
        limit: f64,
    },
    /// The range is empty.
    #[error("the largest load must be a positive finite number, not {max_force} N")]
    Range {
        /// Largest load requested.
        max_force: f64,
    },
    /// The range is too extreme: its numbers would be lost in rounding.
    #[error("the largest load must lie between {} N and {} N, not {max_force:e} N", LOADS[0], LOADS[1])]
    Scale {
        /// Largest load requested.
        max_force: f64,
    },
    /// No power law fits.
    #[error("no power law fits: the search for n did not settle")]
    NoFit,
}

/// Loads between which a fit is made (N): atoms in contact carry 1e-9 N, and the weight of the Earth is 6e25 N.
const LOADS: [f64; 2] = [1e-18, 1e30];

/// Fits Kδⁿ to `law` over (0, `max_force`].
///
/// # Errors
/// [`FitError`] if the range is empty or leaves the law's domain.
pub fn fit(law: &ElasticLaw, max_force: f64) -> Result<Fit, FitError> {
    if !(max_force > 0.0 && max_force.is_finite()) {
        return Err(FitError::Range { max_force });
    }
    if !(LOADS[0]..=LOADS[1]).contains(&max_force) {
        return Err(FitError::Scale { max_force });
    }
    let limit = law.limits().continued_from.map(|delta| law.force(delta));
    if let Some(limit) = limit.filter(|&limit| max_force > limit) {
        return Err(FitError::BeyondLimit { max_force, limit });
    }
    let points: Option<Vec<(f64, f64)>> = (1..=SAMPLES)
        .map(|i| {
            let force = max_force * f64::from(i) / f64::from(SAMPLES);
            law.indentation(force).map(|delta| (delta, force))
        })
        .collect();
    let points = points.ok_or(FitError::NoFit)?;
    let deepest = points[points.len() - 1].0;
    // scaled to the end of the range: y = κxⁿ with x, y in (0, 1]
    let scaled: Vec<(f64, f64)> =
        points.iter().map(|&(d, f)| (d / deepest, f / max_force)).collect();
    let (kappa, n) = least_squares(&scaled)?;
    let residual = |x: f64, y: f64| kappa * x.powf(n) - y;
    let judged = scaled.iter().filter(|(_, y)| *y >= JUDGED_FROM);
    let (relative_error, worst) = judged
        .map(|&(x, y)| ((residual(x, y) / y).abs(), y))
        .fold((0.0, 0.0), |best, now| if now.0 > best.0 { now } else { best });
    let mean_square =
        scaled.iter().map(|&(x, y)| residual(x, y).powi(2)).sum::<f64>() / scaled.len() as f64;
    Ok(Fit {
        power: Power { stiffness: kappa * max_force * deepest.powf(-n), exponent: n },
        max_force,
        max_indentation: deepest,
        error_of_full_load: scaled.iter().map(|&(x, y)| residual(x, y).abs()).fold(0.0, f64::max),
        relative_error,
        worst_force: worst * max_force,
        rms_of_full_load: mean_square.sqrt(),
    })
}

/// κ and n that minimise Σ(κxⁿ − y)², by Gauss–Newton from the straight line in logarithms.
fn least_squares(points: &[(f64, f64)]) -> Result<(f64, f64), FitError> {
    let logs = points.iter().map(|&(x, y)| (x.ln(), y.ln()));
    let (s, sx, sy, sxx, sxy) = logs
        .fold((0.0, 0.0, 0.0, 0.0, 0.0), |(s, sx, sy, sxx, sxy), (x, y)| {
            (s + 1.0, sx + x, sy + y, sxx + x * x, sxy + x * y)
        });
    let mut n = (s * sxy - sx * sy) / (s * sxx - sx * sx);
    let mut kappa = ((sy - n * sx) / s).exp();
    for _ in 0..100 {
        // Jacobian columns: xⁿ for κ, κxⁿ ln x for n
        let (mut a, mut b, mut c, mut g0, mut g1) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &(x, y) in points {
            let j0 = x.powf(n);
            let j1 = kappa * j0 * x.ln();
            let r = y - kappa * j0;
            a += j0 * j0;
            b += j0 * j1;
            c += j1 * j1;
            g0 += j0 * r;
            g1 += j1 * r;
        }
        let determinant = a * c - b * b;
        let (dk, dn) = ((c * g0 - b * g1) / determinant, (a * g1 - b * g0) / determinant);
        kappa += dk;
        n += dn;
        if !kappa.is_finite() || !n.is_finite() {
            return Err(FitError::NoFit);
        }
        // the last digits may keep moving by rounding
        if dn.abs() < 1e-12 * n && dk.abs() < 1e-12 * kappa {
            return Ok((kappa, n));
        }
    }
    Err(FitError::NoFit)
}

/// A power law fitted over 0 … 1000 N/mm, in the units in which the papers print it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperFit {
    /// K, N/mm^(n+1) (per mm of length).
    pub k: f64,
    /// n.
    pub n: f64,
    /// Relative error of the fitted force at an indentation of 1 µm, per cent, without its sign.
    pub error_at_micrometre: f64,
    /// Largest error as a fraction of the largest force, per cent.
    pub error_of_full_load: f64,
}

/// The fit of the papers to a law over a length of 1 mm; `None` if the law ends before 1000 N/mm.
pub fn paper_fit(law: &ElasticLaw) -> Option<PaperFit> {
    let found = fit(law, 1000.0).ok()?;
    let micrometre = 1e-6;
    let off = found.power.force(micrometre) / law.force(micrometre) - 1.0;
    Some(PaperFit {
        k: found.power.stiffness * 1e-3_f64.powf(found.power.exponent),
        n: found.power.exponent,
        error_at_micrometre: 100.0 * off.abs(),
        error_of_full_load: 100.0 * found.error_of_full_load,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_a_power_law_fits_itself() {
        let power = Power { stiffness: 5.2e9, exponent: 1.5 };
        let fit = fit(&ElasticLaw::Power(power), 5000.0).unwrap();
        assert!((fit.power.stiffness / 5.2e9 - 1.0).abs() < 1e-11);
        assert!((fit.power.exponent - 1.5).abs() < 1e-12);
        assert!(fit.relative_error < 1e-12);
    }

    #[test]
    fn property_nonsense_ranges_are_refused() {
        let law = ElasticLaw::Power(Power { stiffness: 1.0, exponent: 1.0 });
        for max_force in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(fit(&law, max_force), Err(FitError::Range { .. })));
        }
        for max_force in [5e-324, 1e-300, 1e-19, 1e31, f64::MAX] {
            let refused = fit(&law, max_force);
            assert!(matches!(refused, Err(FitError::Scale { .. })), "{max_force}: {refused:?}");
        }
        assert!(fit(&law, 1e-18).is_ok() && fit(&law, 1e30).is_ok());
    }
}
