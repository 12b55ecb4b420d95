//! One place in the palette for each law, the same in every figure of every paper.

/// The place of a law in the palette of [`jointplay_report`]: 7 colours, each solid, dashed, dotted and dash-dotted.
///
/// The id is that of the catalogue, of the elastic law or of the damping law, whatever a figure compares.
pub fn law_color(id: &str) -> usize {
    const LAWS: [&str; 27] = [
        // Point contact: damping laws.
        "hunt-crossley",
        "lankarani-nikravesh",
        "flores",
        "zhiying-qishao",
        "gonthier",
        "hu-guo",
        "hertz",
        "herbert-mcwhannell",
        "lee-wang",
        "gharib-hurmuzlu",
        "anagnostopoulos",
        "jankowski",
        "tsuji",
        "kelvin-voigt",
        // Cylinders.
        "johnson",
        "radzimovsky",
        "goldsmith",
        "esdu",
        "dubowsky-freudenstein",
        "lankarani-nikravesh-cylinder",
        "hertz-cylinder",
        "pereira",
        "liu",
        "persson",
        "bai-zhao",
        "linear",
        "ideal",
    ];
    LAWS.iter().position(|law| *law == id).unwrap_or(LAWS.len())
}
