//! The reference page of all laws, in Markdown.

use std::fmt::Write as _;

use super::bounds::Bounds;
use super::sheet::{Family, Paper, Sheet};
use super::sheets;

/// Turns a formula in LaTeX into the text of a page.
pub type SetFormula<'a> = &'a dyn Fn(&str) -> String;

/// A formula as a fenced `math` block, which code hosts and most Markdown viewers render.
fn fenced(latex: &str) -> String {
    format!("```math\n{latex}\n```")
}

impl Sheet {
    /// The data sheet in Markdown.
    pub fn markdown(&self) -> String {
        self.markdown_with(&fenced)
    }

    fn markdown_with(&self, set: SetFormula<'_>) -> String {
        let mut page = format!("### `{}` {}\n\n", self.id, self.name);
        let also = if self.aliases.is_empty() {
            String::new()
        } else {
            format!(
                " Also called {}.",
                self.aliases.iter().map(|a| format!("`{a}`")).collect::<Vec<_>>().join(", ")
            )
        };
        // writing to a String cannot fail
        let _ = write!(
            page,
            "{}, {} (`{}`). {}.{also}\n\n",
            self.authors, self.year, self.source, self.summary
        );
        let _ = write!(page, "{}\n\n", set(self.formula));
        if !self.parameters.is_empty() {
            page.push_str("| parameter | symbol | unit | admissible | default | meaning |\n|---|---|---|---|---|---|\n");
            for p in self.parameters {
                let default = p.default.map_or_else(String::new, |d| d.to_string());
                let _ = writeln!(
                    page,
                    "| `{}` | {} | {} | {} | {default} | {} |",
                    p.key,
                    p.symbol,
                    p.unit,
                    p.interval.to_string().replace('[', "\\["),
                    p.meaning
                );
            }
            page.push('\n');
        }
        let _ = write!(page, "**Domain.** {}\n\n", self.domain);
        if self.bounds != Bounds::NONE {
            let _ = write!(page, "**Checked in every run.** {}.\n\n", self.bounds);
        }
        if !self.equations.is_empty() {
            let places: Vec<String> =
                self.equations.iter().map(|c| format!("{} {}", c.paper.key(), c.place)).collect();
            let _ = write!(page, "**Printed in** {}.\n\n", places.join("; "));
        }
        for note in self.notes {
            let _ = writeln!(page, "- {note}");
        }
        if !self.errata.is_empty() {
            let numbers: Vec<String> = self.errata.iter().map(u8::to_string).collect();
            let plural = if numbers.len() == 1 { "Erratum" } else { "Errata" };
            let _ = writeln!(
                page,
                "- {plural} {} of the papers (see `docs/errata.md`).",
                numbers.join(", ")
            );
        }
        if !self.notes.is_empty() || !self.errata.is_empty() {
            page.push('\n');
        }
        page
    }
}

/// The page of all laws as committed in `docs/laws.md`.
pub fn reference_page() -> String {
    reference_page_with(&fenced)
}

/// The page of all laws with formulas set by `set`.
pub fn reference_page_with(set: SetFormula<'_>) -> String {
    let mut page = String::from(
        "# Contact laws\n\n\
         Every law that Jointplay knows, generated from the catalogue by `jointplay laws --markdown`. \
         A complete law is written `elastic+damping+friction`, such as `johnson+flores+bai-zhao-friction`. \
         Dissipation laws combine with any elastic law; those whose coefficient contains K need a power law \
         (`hertz`, `linear`, `plane-plane`, `power`, `pereira`, `lankarani-nikravesh-cylinder`).\n\n\
         Symbols: δ indentation, δ̇ its rate (positive in compression), δ̇₀ impact speed, c_r input restitution, \
         e_N output restitution, K and n of F = Kδⁿ, E* equivalent modulus, ΔR clearance or sum of the radii, \
         R = R_iR_j/ΔR, L length, f = F/L, m_eff effective mass; all in SI units. \
         Admissible intervals use round brackets for open and square brackets for closed ends.\n\n\
         Papers whose equation numbers are quoted:\n\n",
    );
    for paper in Paper::ALL {
        let _ = writeln!(page, "- **{}** {paper}", paper.key());
    }
    for (family, title) in [
        (Family::Point, "Elastic laws, point contact"),
        (Family::Cylinder, "Elastic laws, cylinders"),
        (Family::Damping, "Dissipation"),
        (Family::Plastic, "Permanent indentation"),
        (Family::Friction, "Friction"),
    ] {
        page.truncate(page.trim_end().len());
        let _ = write!(page, "\n\n## {title}\n\n");
        for sheet in sheets().filter(|s| s.family == family) {
            page.push_str(&sheet.markdown_with(set));
        }
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}
