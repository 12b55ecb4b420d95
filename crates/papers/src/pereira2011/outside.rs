//! Figures 9–12: differences between external cylinders.

use super::maps::{Law, Side, difference, limit, map, panel};
use crate::{Error, Made, Verdict};

/// The radius of one cylinder (m) where only that of the other varies.
const ONE: Side = Side::Outside(2.5e-3);

/// The paper does not give the radii.
const RADII: &str = "The text gives only R_i + R_j. ";

/// Figure 9.
pub(super) fn radzimovsky() -> Result<Made, Error> {
    let of = Law::Radzimovsky;
    let map = map(of, Side::Twins)?;
    let levels = [1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0];
    let worst = difference(of, Side::Twins, 1e4, 5e-3)?;
    let above = 100.0 * map.share(|value| value > 3.0);
    let made = Made::figure(vec![panel("Radzimovsky", of, Side::Twins, &levels, &map)?], 1)
        .remark("Both laws depend on R_i + R_j alone, not on the two radii.")
        .number("5 mm 10 kN/mm", worst)
        .number("500 mm 1 N/mm", difference(of, Side::Twins, 1.0, 0.5)?)
        .statement(
            "The Radzimovsky model presents for the complete domain differences below 3 %.",
            Verdict::when(above == 0.0, Verdict::Unexplained),
            format!("{above:.0} % of the logarithmic map is above 3 %, where P/(R_i + R_j) is large."),
        )
        .statement(
            "Only for very low R_i + R_j and very large loads the difference is in the vicinity of 5 %.",
            Verdict::when((worst - 5.0).abs() < 0.5, Verdict::Unexplained),
            format!("{worst:.2} % at 5 mm and 10 000 N/mm."),
        );
    Ok(made)
}

/// Figure 10.
pub(super) fn goldsmith() -> Result<Made, Error> {
    let of = Law::Goldsmith;
    let maps = [map(of, Side::Twins)?, map(of, ONE)?];
    let levels = [-10.0, -20.0, -30.0, -40.0, -50.0, -60.0, -70.0];
    let panels = vec![
        panel("R_i = R_j", of, Side::Twins, &levels, &maps[0])?,
        panel("R_i = 2.5 mm", of, ONE, &levels, &maps[1])?,
    ];
    let at = |load: f64, delta_r: f64| difference(of, Side::Twins, load, delta_r);
    let end = limit(Some(of), Side::Twins, 0.5)?;
    let end_one = limit(Some(of), ONE, 0.5)?;
    let (small, large) = (at(1e3, 5e-3)?, at(1e3, 0.5)?);
    let inside = difference(of, Side::Inside(15e-3), 1e3, 0.75e-3)?;
    let grows = at(10.0, 5e-3)? > at(1e3, 5e-3)? && at(10.0, 0.1)? > at(1e3, 0.1)?;
    let made = Made::figure(panels, 2)
        .remark(format!("{RADII}Goldsmith's law depends on R = R_iR_j/(R_i + R_j). Left: two equal cylinders; right: one of 2.5 mm."))
        .number("5 mm 1 kN/mm", small)
        .number("500 mm 1 kN/mm", large)
        .number("limit of equal cylinders 500 mm", end)
        .statement(
            "The differences are smaller than those for internal contact, especially for the lower R_i + R_j.",
            Verdict::when(small.abs() < inside.abs() && small.abs() < large.abs(), Verdict::Unexplained),
            format!("At 1000 N/mm {small:.1} % for 5 mm, {large:.1} % for 500 mm (equal radii), {inside:.1} % inside for 0.75 mm."),
        )
        .statement(
            "The trend of increasing differences with increasing loads remains.",
            Verdict::when(grows, Verdict::Unexplained),
            format!("At 5 mm from {:.1} % at 10 N/mm to {small:.1} % at 1000 N/mm.", at(10.0, 5e-3)?),
        )
        .statement(
            "For external contact all functions of all models are continuous and monotonically increasing.",
            Verdict::when(end >= 1e4, Verdict::NotReproducible),
            format!(
                "The radii are not given. For equal radii Goldsmith's law ends at {end:.0} N/mm for R_i + R_j = 500 mm, inside the map; \
                 for R_i = 2.5 mm at {end_one:.0} N/mm, outside."
            ),
        );
    Ok(made)
}

/// Figures 11 and 12: levels, exponent.
fn lankarani(
    n: f64,
    levels: &[f64],
) -> Result<(Vec<jointplay_report::Figure>, [crate::contour::Map; 2]), Error> {
    let (printed, right) = (Law::Lankarani(n, true), Law::Lankarani(n, false));
    let maps = [map(printed, Side::Twins)?, map(right, Side::Twins)?];
    let panels = vec![
        panel("with the printed π", printed, Side::Twins, levels, &maps[0])?,
        panel("without π", right, Side::Twins, levels, &maps[1])?,
    ];
    Ok((panels, maps))
}

/// Figure 11.
pub(super) fn lankarani_spheres() -> Result<Made, Error> {
    let levels = [-90.0, -80.0, -60.0, -40.0, 0.0, 50.0, 100.0, 200.0, 400.0];
    let (panels, maps) = lankarani(1.5, &levels)?;
    let goldsmith = map(Law::Goldsmith, Side::Twins)?;
    // where both have a value
    let cells = || {
        let rows = maps[0].values.iter().zip(&goldsmith.values);
        rows.flat_map(|(a, b)| a.iter().zip(b)).filter(|(_, b)| b.is_finite())
    };
    let larger = cells().filter(|(a, b)| a.abs() > b.abs()).count();
    let larger = 100.0 * f64::from(u32::try_from(larger).unwrap_or(0))
        / f64::from(u32::try_from(cells().count()).unwrap_or(1));
    let of = Law::Lankarani(1.5, true);
    let at = |load: f64, delta_r: f64| difference(of, Side::Twins, load, delta_r);
    let (low, high) = (at(1.0, 5e-3)?, at(1e4, 0.5)?);
    let grows = at(100.0, 0.1)?.abs() < at(1e4, 0.1)?.abs();
    let small = (at(1.0, 5e-3)?, at(1e3, 5e-3)?);
    let made = Made::figure(panels, 2)
        .remark(format!("{RADII}We assume equal radii. Left: eq. (9) as printed; right: without its π (erratum 18)."))
        .number("5 mm 1 N/mm with π", low)
        .number("500 mm 10 kN/mm with π", high)
        .statement(
            "The difference grows with the load as for the Goldsmith model.",
            Verdict::when(grows && small.0.abs() < small.1.abs(), Verdict::NotReproducible),
            format!(
                "Without the radii we can only say: for equal radii it falls with the load from positive to negative, from {low:+.0} % at \
                 5 mm and 1 N/mm to {high:+.1} % at 500 mm and 10 000 N/mm; its magnitude grows with the load only for large radii."
            ),
        )
        .statement(
            "The difference values are larger than those of the Goldsmith model.",
            Verdict::when(larger > 50.0, Verdict::Unexplained),
            format!("In magnitude on {larger:.0} % of the part of the map where Goldsmith's law has a value."),
        );
    Ok(made)
}

/// Figure 12.
pub(super) fn lankarani_linear() -> Result<Made, Error> {
    let levels = [-70.0, -80.0, -90.0, -95.0, -98.0, -99.0, -99.5];
    let (panels, maps) = lankarani(1.0, &levels)?;
    let steep = map(Law::Lankarani(1.5, true), Side::Twins)?;
    let ((low, high), (low_steep, high_steep)) = (maps[0].range(), steep.range());
    let flat = maps[0].share(|value| value.abs() > 85.0);
    let above = steep.share(|value| value.abs() < 85.0);
    let made = Made::figure(panels, 2)
        .remark(format!("{RADII}We assume equal radii and evaluate in N, mm, MPa."))
        .number("lowest with π", low)
        .number("highest with π", high)
        .statement(
            "For an exponent of 1.0 the difference is almost constant, and higher than for n = 1.5.",
            Verdict::when(flat > 0.99 && above > 0.5 && high - low < 15.0, Verdict::Unexplained),
            format!(
                "{low:.1} … {high:.1} % against {low_steep:.1} … {high_steep:+.0} % for n = 1.5, which is below 85 % in magnitude on {:.0} % of \
                 the map; near 1 N/mm and 5 mm n = 1.5 is worse.",
                100.0 * above
            ),
        );
    Ok(made)
}
