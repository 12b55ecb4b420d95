//! Tables 1 and 11: the laws, and the stiffnesses on the tracks of the scotch yoke.

use std::f64::consts::PI;

use jointplay_contact::Surfaces;
use jointplay_contact::catalog::ElasticKind;
use jointplay_contact::elastic::ElasticModel;
use jointplay_study::fit::{PaperFit, paper_fit};
use rayon::prelude::*;

use crate::cylinder::{
    HIDDEN_FACTOR, MILLIMETRE, PAPER_STEEL, Pair, goldsmith, journal_in, lankarani_stiffness,
    radzimovsky,
};
use crate::printed::Csv;
use crate::table::{Cell, Rule, Table};
use crate::{Error, Made, Verdict};

/// A formula of table 1: name, as printed, law as printed where the catalogue has one, consistent law, other numbers.
type Formula =
    (&'static str, &'static str, ElasticKind, ElasticKind, &'static [(&'static str, f64)]);

const FORMULAS: [Formula; 8] = [
    (
        "Radzimovsky",
        "δ = f/(πE*)·(2/3 + ln(4R_i/b) + ln(4R_j/b))",
        ElasticKind::Radzimovsky,
        ElasticKind::Radzimovsky,
        &[],
    ),
    (
        "Goldsmith",
        "δ = f(h_i+h_j)(ln(Lᵐ/(F R(h_i+h_j))) + 1), m = 1",
        ElasticKind::GoldsmithPrinted,
        ElasticKind::Goldsmith,
        &[],
    ),
    (
        "Dubowsky–Freudenstein",
        "as Goldsmith, m = 3 (2a the length, explicit π)",
        ElasticKind::DubowskyFreudenstein,
        ElasticKind::DubowskyFreudenstein,
        &[],
    ),
    (
        "Lankarani–Nikravesh",
        "δ = (3F/(4E*√R))^(1/n), n = 3/2",
        ElasticKind::LankaraniNikraveshCylinder,
        ElasticKind::LankaraniNikraveshCylinder,
        &[("exponent", 1.5)],
    ),
    (
        "ESDU 78035",
        "δ = f(h_i+h_j)(ln(4LΔR/(F(h_i+h_j))) + 1)",
        ElasticKind::EsduPrinted,
        ElasticKind::Esdu,
        &[],
    ),
    ("Johnson", "δ = f/(πE*)·(ln(4πE*ΔR/f) − 1)", ElasticKind::Johnson, ElasticKind::Johnson, &[]),
    (
        "Pereira 2014",
        "F = (0.49ΔR+0.10)LE*/ΔR·δⁿ",
        ElasticKind::Pereira2014,
        ElasticKind::Pereira2014,
        &[],
    ),
    (
        "Pereira 2015",
        "F = (0.965ΔR+0.0965)LE*/ΔR·δⁿ",
        ElasticKind::Pereira,
        ElasticKind::Pereira,
        &[],
    ),
];

/// Table 1, with a number for each formula: steel, 10 mm in 9.5 mm, 10 mm long, 1000 N.
pub(super) fn formulas() -> Result<Made, Error> {
    let pair = Pair { length: 10.0 * MILLIMETRE, ..Pair::of(journal_in(10e-3, 0.5e-3)?) };
    let delta = |kind: ElasticKind, others: &[(&str, f64)]| -> Result<f64, Error> {
        let law = pair.law_with(kind, others)?;
        let delta = law.indentation(1000.0);
        delta
            .map(|delta| 1e6 * delta)
            .ok_or_else(|| Error::Law(format!("{}: no indentation", kind.id())))
    };
    let mut deltas = Vec::new();
    for (name, formula, printed, right, others) in FORMULAS {
        deltas.push((name, formula, delta(printed, others)?, delta(right, others)?));
    }
    let row = |&(name, formula, printed, right): &(&str, &str, f64, f64)| {
        (name.to_owned(), vec![Cell::given(formula), Cell::added(printed), Cell::added(right)])
    };
    let columns = ["law", "formula", "δ as printed, µm", "δ consistent, µm"];
    let table = Table {
        columns: columns.map(str::to_owned).to_vec(),
        rows: deltas.iter().map(row).collect(),
    };
    let changed: Vec<String> = deltas
        .iter()
        .filter(|(_, _, printed, right)| printed != right)
        .map(|(name, _, printed, right)| format!("{name} {printed:.3} → {right:.3} µm"))
        .collect();
    let implicit = FORMULAS.iter().filter(|formula| !formula.3.is_power_law()).count();
    let of = |name: &str| deltas.iter().find(|d| d.0 == name).map_or(f64::NAN, |d| d.3);
    let made = Made::table(table)
        .remark(
            "h = (1−ν²)/E, f = F/L the load per length. The two numbers beside each formula are ours: the indentation of steel, \
             R_i = 10 mm, R_j = 9.5 mm, L = 10 mm, under 1000 N. For Radzimovsky's b we assume equal materials (erratum 10).",
        )
        .number("johnson", of("Johnson"))
        .number("radzimovsky", of("Radzimovsky"))
        .number("esdu", of("ESDU 78035"))
        .number("pereira 2014", of("Pereira 2014"))
        .statement(
            "Table 1 lists some classic formulas as originally reported.",
            Verdict::when(changed.is_empty(), Verdict::Erratum(11)),
            format!("{} material constants lack a π: {}.", changed.len(), changed.join(", ")),
        )
        .statement(
            "A main drawback of such formulas is the often implicit relationship between force and indentation.",
            Verdict::when(2 * implicit > FORMULAS.len(), Verdict::Unexplained),
            format!(
                "{implicit} of {} give only δ(F). Their inverse has a closed form on the lower branch of Lambert's function, which Jointplay \
                 evaluates without iterating to a tolerance.",
                FORMULAS.len()
            ),
        );
    Ok(made)
}

const TRACKS: &str = include_str!("../../published/pinslot-review-table11-scotch-yoke/data.csv");

/// Pin radius of the mechanism, and the one behind the inner row (erratum 27) (m).
const PIN: f64 = 7.9e-3;
const INNER_ROW_PIN: f64 = 7.5e-3;

/// Surfaces and ΔR (m) of a track for a pin of this radius (m).
fn track(region: &str, pin: f64) -> Result<(Surfaces, f64), Error> {
    let internal =
        |bearing| Surfaces::internal(bearing, pin).map_err(|cause| Error::Law(cause.to_string()));
    let surfaces = match region {
        "inner" => Surfaces::External { radius_i: 52e-3, radius_j: pin },
        "outer" => internal(68e-3)?,
        "end" => internal(pin + 0.1e-3)?,
        _ => return Err(Error::Law(format!("a slot has no region `{region}`"))),
    };
    let delta_r = surfaces.delta_r().ok_or_else(|| Error::Law("a flat track".to_owned()))?;
    Ok((surfaces, delta_r))
}

/// Cells of a track: ΔR, then K and n of five laws.
fn track_cells(csv: &Csv, row: &[String]) -> Result<Vec<Cell>, Error> {
    let region = csv.cell(row, "region");
    let inner = region == "inner";
    let (surfaces, clearance) = track(region, PIN)?;
    let (read_surfaces, read_clearance) = track(region, if inner { INNER_ROW_PIN } else { PIN })?;
    let steel = PAPER_STEEL;
    let with_pin =
        |plain: &'static [u8], inner_row: &'static [u8]| if inner { inner_row } else { plain };
    let cylinder = |kind, clearance| Pair::apart(steel, clearance).law(kind);
    let radius = read_surfaces.relative_radius();
    let laws = [
        (
            "radzimovsky",
            cylinder(ElasticKind::Radzimovsky, clearance)?,
            radzimovsky(16.0, steel, read_clearance),
            with_pin(&[10], &[10, 27]),
        ),
        (
            "johnson",
            cylinder(ElasticKind::Johnson, clearance)?,
            cylinder(ElasticKind::Johnson, read_clearance)?,
            with_pin(&[], &[27]),
        ),
        (
            "goldsmith",
            Pair::of(surfaces).law(ElasticKind::Goldsmith)?,
            goldsmith(HIDDEN_FACTOR, steel, radius, MILLIMETRE),
            with_pin(&[12], &[12, 27]),
        ),
        (
            "esdu",
            cylinder(ElasticKind::EsduPrinted, clearance)?,
            cylinder(ElasticKind::EsduPrinted, read_clearance)?,
            with_pin(&[], &[27]),
        ),
    ];
    // Erratum 14: the printed table swaps the two.
    let (printed_gap, exchanged) = match region {
        "inner" => ("60.1", track("outer", PIN)?.1),
        "outer" => ("59.9", track("inner", PIN)?.1),
        _ => ("0.1", clearance),
    };
    let exchanged = Rule { errata: &[14], value: 1e3 * exchanged };
    let lankarani = Rule { errata: &[27], value: lankarani_stiffness(read_surfaces)? * PI / 10.0 };
    let own = lankarani_stiffness(surfaces)?;
    let mut cells = vec![
        Cell::judged(printed_gap, Some(1e3 * clearance), Some(exchanged)),
        Cell::judged(csv.cell(row, "lankarani_K"), Some(own), Some(lankarani)),
        Cell::judged(csv.cell(row, "lankarani_n"), Some(1.5), None),
    ];
    for (id, ours, reading, errata) in laws {
        let ours = paper_fit(&ours);
        let reading = paper_fit(&reading).filter(|_| !errata.is_empty());
        for (what, of) in [("K", (|f| f.k) as fn(PaperFit) -> f64), ("n", |f| f.n)] {
            let rule = reading.map(|f| Rule { errata, value: of(f) });
            cells.push(Cell::judged(csv.cell(row, &format!("{id}_{what}")), ours.map(of), rule));
        }
    }
    Ok(cells)
}

/// Table 11.
pub(super) fn tracks() -> Result<Made, Error> {
    let csv = Csv::read(TRACKS);
    // cells of the inner track, the outer track, the round end
    let cells: Result<Vec<Vec<Cell>>, Error> =
        csv.rows.par_iter().map(|row| track_cells(&csv, row)).collect();
    let cells = cells?;
    let mut names = vec!["ΔR mm".to_owned()];
    for law in ["Lankarani", "Radzimovsky", "Johnson", "Goldsmith", "ESDU"] {
        names.extend([format!("{law} K"), format!("{law} n")]);
    }
    // turned by a right angle: eleven columns are too many for a page
    let turned = names
        .into_iter()
        .enumerate()
        .map(|(i, name)| (name, cells.iter().filter_map(|track| track.get(i)).cloned().collect()));
    let columns = ["", "inner track R_i/R_p", "outer track R_o/R_p", "round end R_c/R_p"];
    let table = Table { columns: columns.map(str::to_owned).to_vec(), rows: turned.collect() };
    let cell = |track: usize, row: usize| cells.get(track).and_then(|cells| cells.get(row));
    let ours = |track, row| cell(track, row).and_then(|cell| cell.ours).unwrap_or(f64::NAN);
    let printed = |track, row| {
        let text = cell(track, row).map_or("", |cell| cell.printed.as_str());
        text.parse::<f64>().unwrap_or(f64::NAN)
    };
    // rows of K: 1 Lankarani, 3 Radzimovsky, 5 Johnson, 7 Goldsmith, 9 ESDU
    let apart = |row| (ours(0, row) / ours(1, row) - 1.0).abs();
    let (johnson, other, lankarani) = (apart(5), apart(3), apart(1));
    let softest = (0..3).all(|track| printed(track, 7) < printed(track, 9));
    let (goldsmith, esdu) = (printed(0, 7), printed(0, 9));
    let (inner, outer) = (ours(0, 0), ours(1, 0));
    let (johnson_end, lankarani_inner) = (ours(2, 5), ours(0, 1));
    let made = Made::table(table)
        .remark(
            "K in N/mmⁿ per mm of length, Lankarani's for the whole contact. Fits over 0 … 1000 N/mm. The corrections: π/10 for Lankarani, a \
             pin of 7.5 mm for the inner row (erratum 27), and those of tables 2–9. ESDU is the printed form of the law.",
        )
        .number("johnson K end", johnson_end)
        .number("lankarani K inner", lankarani_inner)
        .statement(
            "ΔR is 60.1 mm for the inner and 59.9 mm for the outer track.",
            Verdict::when((inner - 60.1).abs() < 1e-6 && (outer - 59.9).abs() < 1e-6, Verdict::Erratum(14)),
            format!("52 + 7.9 = {inner:.1} mm outside the inner track, 68 − 7.9 = {outer:.1} mm inside the outer one."),
        )
        .statement(
            "The values of K for the inner and outer track are very similar, especially for Johnson and Radzimovsky.",
            Verdict::when(johnson < 1e-2 && other < 1e-2 && johnson < lankarani, Verdict::Unexplained),
            format!(
                "Ours differ by {:.3} % (Johnson), {:.3} % (Radzimovsky), {:.1} % (Lankarani).",
                100.0 * johnson,
                100.0 * other,
                100.0 * lankarani
            ),
        )
        .statement(
            "These models give the same force for internal and external contact with the same ΔR.",
            Verdict::when(same_force()?, Verdict::Unexplained),
            "Johnson's and Radzimovsky's laws contain ΔR alone: pins of equal ΔR inside and outside give bit-identical forces.",
        )
        .statement(
            "The Goldsmith model is the less stiff.",
            Verdict::when(softest, Verdict::Erratum(27)),
            format!("On the inner track ESDU has the smaller printed K, {esdu:.3e} against {goldsmith:.3e}; likewise on the outer track."),
        );
    Ok(made)
}

/// Whether the laws of Johnson and Radzimovsky give the same force inside and outside.
fn same_force() -> Result<bool, Error> {
    // radii that are exact in binary, so that sum and difference are
    let outside = Pair::of(Surfaces::External { radius_i: 0.03125, radius_j: 0.03125 });
    let inside = Pair::of(journal_in(0.125, 0.0625)?);
    let mut same = true;
    for kind in [ElasticKind::Johnson, ElasticKind::Radzimovsky] {
        let force = |pair: Pair| Ok::<f64, Error>(pair.law(kind)?.force(1e-5));
        same &= force(outside)?.to_bits() == force(inside)?.to_bits();
    }
    Ok(same)
}
