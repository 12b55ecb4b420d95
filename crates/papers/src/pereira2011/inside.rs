//! Figures 5–8: differences inside a bearing of 15 mm.

use super::maps::{Law, Side, difference, limit, map, panel};
use crate::{Error, Made, Verdict};

/// The bearing that the text gives for Goldsmith's law; we use it in the other figures as well.
const BEARING: Side = Side::Inside(15e-3);

/// Figure 5.
pub(super) fn radzimovsky() -> Result<Made, Error> {
    let of = Law::Radzimovsky;
    let map = map(of, BEARING)?;
    let levels = [2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0];
    let at = |delta_r: f64, load: f64| difference(of, BEARING, load, 1e-3 * delta_r);
    let corner = at(10.0, 1.0)?;
    let (wide, middle, narrow) = (at(0.75, 1000.0)?, at(0.05, 1000.0)?, at(0.025, 1000.0)?);
    let half = at(0.5, 1000.0)?;
    let most = map.range().1;
    let (tight, johnson) = (at(0.0075, 1000.0)?, limit(None, BEARING, 5e-6)?);
    let made = Made::figure(vec![panel("Radzimovsky", of, BEARING, &levels, &map)?], 1)
        .remark(
            "δ/δ_Johnson − 1 at equal load, steel. Radzimovsky's and Johnson's laws depend on P/ΔR alone, so the isolines are straight.",
        )
        .number("10 mm 1 N/mm", corner)
        .number("7.5 µm 1000 N/mm", tight)
        .statement(
            "Differences lower than 5 % are obtained for clearances higher than 500 µm, equal to or lower than 10 % for lower ones; \
             for 5, 7.5, 10 and 25 µm and higher loads the difference is slightly higher.",
            Verdict::when(wide < 5.0 && middle <= 10.0 && narrow > 10.0, Verdict::Unexplained),
            format!(
                "At 1000 N/mm: {wide:.2} % at 0.75 mm, {half:.2} % at 0.5 mm, {middle:.2} % at 50 µm, {narrow:.2} % at 25 µm, but \
                 {tight:.1} % at 7.5 µm and up to {most:.1} % on this map; {corner:.2} % at 10 mm and 1 N/mm."
            ),
        )
        .statement(
            "For all models, except for the Goldsmith model, loads lower than 1000 N/mm are definitely within the validity domain.",
            Verdict::when(johnson >= 1000.0, Verdict::Erratum(23)),
            format!("Johnson's law ends at {johnson:.2} N/mm for 5 µm: the corner of the map has no value."),
        );
    Ok(made)
}

/// Figure 6.
pub(super) fn goldsmith() -> Result<Made, Error> {
    let of = Law::Goldsmith;
    let map = map(of, BEARING)?;
    let levels = [-25.0, -30.0, -40.0, -50.0, -60.0, -70.0, -80.0];
    let at = |delta_r: f64, load: f64| difference(of, BEARING, load, 1e-3 * delta_r);
    let (least, most) = (at(10.0, 1.0)?, at(0.75, 1000.0)?);
    // µm and N/mm of the text; two clearances share the first load
    let stated = [
        (5.0, 10.0),
        (7.5, 10.0),
        (10.0, 15.0),
        (25.0, 40.0),
        (50.0, 80.0),
        (75.0, 120.0),
        (100.0, 160.0),
        (250.0, 400.0),
        (500.0, 800.0),
    ];
    let mut limits = Vec::new();
    let mut off = Vec::new();
    for (micrometres, load) in stated {
        let ours = limit(Some(of), BEARING, 1e-6 * micrometres)?;
        limits.push(format!("{ours:.1}"));
        off.push((load / ours - 1.0_f64).abs());
    }
    let rounded = off.iter().skip(2).all(|off| *off < 0.06);
    let last = limit(Some(of), BEARING, 0.75e-3)?;
    let falls = at(1.0, 100.0)? < at(3.0, 100.0)? && at(1.0, 300.0)? < at(1.0, 100.0)?;
    let made = Made::figure(vec![panel("Goldsmith", of, BEARING, &levels, &map)?], 1)
        .remark("R_i = 15 mm, the radius given in the text. The indentation increases with the load only above the dashed line.")
        .number("10 mm 1 N/mm", least)
        .number("0.75 mm 1000 N/mm", most)
        .number("limit at 0.75 mm", last)
        .statement(
            "For clearances above 750 µm the difference varies between 24 %, for 10 mm and 1 N/mm, and 79 %, for 750 µm and 1000 N/mm.",
            Verdict::when((least + 24.0).abs() <= 0.5 && (most + 79.0).abs() <= 0.5, Verdict::Unexplained),
            format!("{least:.2} % and {most:.2} %: Goldsmith's indentation is smaller."),
        )
        .statement(
            "Difference diminishes with increasing clearances and increases with increasing loads.",
            Verdict::when(falls, Verdict::Unexplained),
            format!("{:.1} % at 1 mm and 100 N/mm, {:.1} % at 3 mm, {:.1} % at 300 N/mm.", at(1.0, 100.0)?, at(3.0, 100.0)?, at(1.0, 300.0)?),
        )
        .statement(
            "For R_i = 15 mm the limit loads are 10, 15, 40, 80, 120, 160, 400, 800 N/mm for clearances of 5 and 7.5, 10, 25, 50, 75, 100, \
             250 and 500 µm.",
            Verdict::when(rounded, Verdict::Unexplained),
            format!("{} N/mm, rounded in the text; 10 N/mm lies beyond the limit at 5 µm.", limits.join(", ")),
        )
        .statement(
            "For clearances above 750 µm, the Goldsmith model is correctly defined for all loads considered.",
            Verdict::when(last >= 1000.0, Verdict::Unexplained),
            format!("It ends at {last:.0} N/mm there."),
        );
    Ok(made)
}

/// Figure 7.
pub(super) fn lankarani() -> Result<Made, Error> {
    let (printed, right) = (Law::Lankarani(1.5, true), Law::Lankarani(1.5, false));
    let maps = [map(printed, BEARING)?, map(right, BEARING)?];
    let levels = [-85.0, -80.0, -70.0, -60.0, -40.0, 0.0, 50.0, 100.0, 200.0];
    let panels = vec![
        panel("with the printed π", printed, BEARING, &levels, &maps[0])?,
        panel("Hertz, without π", right, BEARING, &levels, &maps[1])?,
    ];
    // largest difference below 100 µm
    let below = |map: &crate::contour::Map| {
        let rows = map.y.iter().zip(&map.values).filter(|(y, _)| **y < 0.1);
        let all = rows.flat_map(|(_, row)| row).filter(|value| value.is_finite());
        all.map(|value| value.abs()).fold(0.0, f64::max)
    };
    let [with_pi, without] = [below(&maps[0]), below(&maps[1])];
    let wide = |of| difference(of, BEARING, 1.0, 10e-3);
    let (wide_pi, wide_right) = (wide(printed)?, wide(right)?);
    let made = Made::figure(panels, 2)
        .remark("Exponent 1.5, R_i = 15 mm (the text gives no radius for this figure). Left: eq. (9) as printed; right: without its π (erratum 18).")
        .number("largest below 100 µm with π", with_pi)
        .number("largest below 100 µm", without)
        .number("10 mm 1 N/mm", wide_right)
        .statement(
            "An exponent of 1.5 produces maximum differences of 90 % for clearances lower than 100 µm.",
            Verdict::when((without - 90.0).abs() <= 1.0, if (with_pi - 90.0).abs() <= 1.0 { Verdict::Erratum(18) } else { Verdict::Unexplained }),
            format!("{with_pi:.1} % with the printed π, {without:.1} % for the law of Hertz: the figure was made with the π."),
        )
        .statement(
            "For higher clearance values, the difference decreases. The difference also decreases for lower loads.",
            Verdict::when(wide_pi.abs() < with_pi, Verdict::Unexplained),
            format!(
                "It passes through zero and grows again with the other sign, to {wide_pi:+.0} % at 10 mm and 1 N/mm with the π and \
                 {wide_right:+.0} % without."
            ),
        );
    Ok(made)
}

/// Figure 8.
pub(super) fn lankarani_linear() -> Result<Made, Error> {
    let (printed, right) = (Law::Lankarani(1.0, true), Law::Lankarani(1.0, false));
    let maps = [map(printed, BEARING)?, map(right, BEARING)?];
    let levels = [-92.0, -94.0, -96.0, -98.0, -99.0, -99.5, -99.8];
    let panels = vec![
        panel("with the printed π", printed, BEARING, &levels, &maps[0])?,
        panel("without π", right, BEARING, &levels, &maps[1])?,
    ];
    let ((low_pi, high_pi), (low, high)) = (maps[0].range(), maps[1].range());
    let lankarani = map(Law::Lankarani(1.5, true), BEARING)?;
    let (flat, steep) = (high_pi - low_pi, lankarani.range().1 - lankarani.range().0);
    let radzimovsky = map(Law::Radzimovsky, BEARING)?.range().1;
    let made = Made::figure(panels, 2)
        .remark("Exponent 1, R_i = 15 mm, evaluated in N, mm, MPa: with an exponent other than 1.5 the law depends on the units.")
        .number("lowest with π", low_pi)
        .number("highest with π", high_pi)
        .statement(
            "With n = 1.0 the variation is flatter, but higher differences in the vicinity of 100 % are obtained.",
            Verdict::when(flat < steep && high_pi < -90.0 && high <= -90.0 + 0.1, Verdict::Unexplained),
            format!("{low_pi:.2} … {high_pi:.2} % with the π, {low:.2} … {high:.2} % without; n = 1.5 spans {steep:.0} points."),
        )
        .statement(
            "The Lankarani and Nikravesh model leads to higher differences than the Radzimovsky model, regardless of the exponent.",
            Verdict::when(lankarani.share(|value| value.abs() > radzimovsky) > 0.9 && high_pi.abs() > radzimovsky, Verdict::Unexplained),
            format!(
                "Radzimovsky stays below {radzimovsky:.1} %; n = 1.5 is above that on {:.0} % of the map, n = 1 everywhere.",
                100.0 * lankarani.share(|value| value.abs() > radzimovsky)
            ),
        );
    Ok(made)
}
