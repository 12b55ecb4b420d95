//! Fits of ISO 286: the limits of a hole and a shaft from a text such as `20 H7/g6`.
//!
//! `data/iso286.csv` has the printed values of ISO 286-1:2010 and ISO 286-2:2010 in micrometres: standard tolerances (`IT`) and
//! fundamental deviations, `es` of shafts d to h, `ei` of shafts k to p, `EI` of holes D to H. Ranges of sizes are over the first limit, up to and including
//! the second. `js` and `JS` lie evenly about the nominal size; `k` has its deviation for the grades up to 7, else 0.

use std::fmt;

const TABLE: &str = include_str!("../data/iso286.csv");

/// A fit: a hole and a shaft of one nominal size with the zones of their diameters.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IsoFit {
    /// The nominal diameter (m).
    pub nominal: f64,
    /// Least and greatest diameter of the hole (m).
    pub hole: [f64; 2],
    /// Least and greatest diameter of the shaft (m).
    pub shaft: [f64; 2],
    text: String,
}

impl fmt::Display for IsoFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is wrong with a fit, and a hint.
pub(crate) type FitProblem = (String, Option<String>);

impl IsoFit {
    /// Reads a fit such as `20 H7/g6`; the nominal diameter is in millimetres.
    ///
    /// # Errors
    /// What is wrong, and a hint.
    pub fn parse(text: &str) -> Result<Self, (String, Option<String>)> {
        let form = || {
            let hint = "write the nominal diameter in mm, the hole and the shaft: \"20 H7/g6\"";
            (format!("`{text}` is not a fit"), Some(hint.to_owned()))
        };
        let plain = text.trim().trim_start_matches(['Ø', '⌀', '∅']).trim_start();
        let start = plain.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(form)?;
        let (number, rest) = plain.split_at(start);
        let rest = rest.strip_prefix("mm").map_or(rest, str::trim_start);
        let nominal: f64 = number.trim().parse().map_err(|_| form())?;
        let (hole, shaft) = rest.split_once('/').ok_or_else(form)?;
        let [hole, shaft] = [hole, shaft].map(|zone| Zone::parse(zone.trim()));
        let (hole, shaft) = hole.zip(shaft).ok_or_else(form)?;
        if !hole.is_hole() || shaft.is_hole() {
            let hint = "the hole comes first, with capital letters: \"20 H7/g6\"";
            return Err((format!("`{text}` is not a hole and a shaft"), Some(hint.to_owned())));
        }
        let size = Size::of(nominal)?;
        let metres = |[low, high]: [f64; 2]| {
            [low, high].map(|micrometres| (nominal * 1e3 + micrometres) / 1e6)
        };
        Ok(IsoFit {
            nominal: nominal / 1e3,
            hole: metres(size.deviations(&hole)?),
            shaft: metres(size.deviations(&shaft)?),
            text: plain.to_owned(),
        })
    }

    /// The diameters of hole and shaft (m) at these places in their zones: 0 the smallest, 1 the
    /// largest.
    pub fn diameters(&self, hole: f64, shaft: f64) -> [f64; 2] {
        let at = |[low, high]: [f64; 2], place: f64| low + place * (high - low);
        [at(self.hole, hole), at(self.shaft, shaft)]
    }

    /// Least and greatest clearance on the diameter (m); negative is interference.
    pub fn clearance(&self) -> [f64; 2] {
        [self.hole[0] - self.shaft[1], self.hole[1] - self.shaft[0]]
    }

    /// The probability that the shaft is not smaller than the hole, if every diameter of both zones is equally likely.
    pub fn without_clearance(&self) -> f64 {
        let [least, greatest] = self.clearance();
        let widths = [self.hole, self.shaft].map(|[low, high]| high - low);
        // The area of the corner of the rectangle of both diameters that a line of 45° cuts off, less what sticks out of it.
        let corner = |side: f64| 0.5 * side.max(0.0).powi(2);
        let interference = (-least).min(greatest - least);
        let area = corner(interference)
            - corner(interference - widths[0])
            - corner(interference - widths[1]);
        (area / (widths[0] * widths[1])).clamp(0.0, 1.0)
    }
}

/// A letter with a grade, such as `H7`.
struct Zone {
    letter: String,
    grade: u32,
}

impl Zone {
    fn parse(text: &str) -> Option<Self> {
        let digits = text.find(|c: char| c.is_ascii_digit())?;
        let (letter, grade) = text.split_at(digits);
        let letter = letter.trim().to_owned();
        let one_case = letter.chars().all(|c| c.is_ascii_uppercase())
            || letter.chars().all(|c| c.is_ascii_lowercase());
        let grade = grade.parse().ok()?;
        (!letter.is_empty() && one_case).then_some(Zone { letter, grade })
    }

    fn is_hole(&self) -> bool {
        self.letter.starts_with(|c: char| c.is_ascii_uppercase())
    }
}

/// The rows of the table for one range of sizes: kind, symbol, value in micrometres.
struct Size(Vec<(&'static str, &'static str, f64)>);

impl Size {
    fn of(nominal: f64) -> Result<Self, FitProblem> {
        let rows = TABLE.lines().skip(1).filter_map(|line| {
            let mut cells = line.split(',');
            let (kind, symbol) = (cells.next()?, cells.next()?);
            let [over, to, value] = [cells.next()?, cells.next()?, cells.next()?].map(str::parse);
            let (over, to): (f64, f64) = (over.ok()?, to.ok()?);
            (over < nominal && nominal <= to).then_some((kind, symbol, value.ok()?))
        });
        let rows: Vec<_> = rows.collect();
        if rows.is_empty() {
            let hint = "give both sizes of the joint instead";
            let message =
                format!("fits are known for diameters up to 120 mm, not for {nominal} mm");
            return Err((message, Some(hint.to_owned())));
        }
        Ok(Size(rows))
    }

    fn find(&self, kind: &str, symbol: &str) -> Option<f64> {
        let row = self.0.iter().find(|row| row.0 == kind && row.1 == symbol);
        row.map(|row| row.2)
    }

    /// Lower and upper deviation from the nominal size (µm).
    fn deviations(&self, zone: &Zone) -> Result<[f64; 2], FitProblem> {
        let Zone { letter, grade } = zone;
        let width = self.find("IT", &format!("IT{grade}")).ok_or_else(|| {
            let hint = Some("the grades are IT5 to IT11".to_owned());
            (format!("the grade {grade} is not known"), hint)
        })?;
        if matches!(letter.as_str(), "js" | "JS") {
            return Ok([-0.5 * width, 0.5 * width]);
        }
        if let Some(upper) = self.find("es", letter) {
            return Ok([upper - width, upper]);
        }
        if let Some(lower) = self.find("ei", letter).or_else(|| self.find("EI", letter)) {
            let lower = if letter == "k" && *grade > 7 { 0.0 } else { lower };
            return Ok([lower, lower + width]);
        }
        let (what, known) = if zone.is_hole() {
            ("hole", "D, E, F, G, H, JS")
        } else {
            ("shaft", "d, e, f, g, h, js, k, m, n, p")
        };
        let message = format!("the zone `{letter}` of a {what} is not known");
        Err((message, Some(format!("there is {known}"))))
    }
}
