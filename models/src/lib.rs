//! The mechanisms that Jointplay ships, as the texts of their model files: to run them from a program that has no copy of the
//! repository beside it.
//!
//! `jointplay_study::case::Case::of_text` takes such a text, `jointplay_model::Model::parse` too.

/// A chain with play in every pin, of as many links as its parameter `n` says.
pub const CHAIN: &str = include_str!("../chain/model.toml");
/// Three links of a chain.
pub const CHAIN_LINK: &str = include_str!("../chain-link/model.toml");
/// A four-bar linkage with play in both pins of the coupler.
pub const FOUR_BAR: &str = include_str!("../four-bar/model.toml");
/// A Geneva drive, whose pin enters and leaves slots.
pub const GENEVA: &str = include_str!("../geneva/model.toml");
/// A pin in a bore, both free (Skrinjar2018).
pub const PIN_IN_BORE: &str = include_str!("../pin-in-bore/model.toml");
/// A pin in a straight slot (Skrinjar2017).
pub const PIN_SLOT: &str = include_str!("../pin-slot/model.toml");
/// The body of [`PIN_SLOT`] on a bore (Skrinjar2017).
pub const PIN_SLOT_REVOLUTE: &str = include_str!("../pin-slot-revolute/model.toml");
/// A scotch yoke: a pin in a curved slot (Autiero2022).
pub const SCOTCH_YOKE: &str = include_str!("../scotch-yoke/model.toml");
/// A slider-crank with play in the pin between rod and slider (Bai2014).
pub const SLIDER_CRANK: &str = include_str!("../slider-crank/model.toml");
/// A slider-crank whose block has play in its guide, after Flores, Leine and Glocker.
pub const SLIDER_CRANK_PRISMATIC: &str = include_str!("../slider-crank-prismatic/model.toml");
/// Two spheres that collide (Skrinjar2018).
pub const TWO_SPHERES: &str = include_str!("../two-spheres/model.toml");

/// All of them with the names of their folders, in the order in which the playground offers them.
pub const MODELS: [(&str, &str); 11] = [
    ("slider-crank", SLIDER_CRANK),
    ("pin-slot", PIN_SLOT),
    ("pin-slot-revolute", PIN_SLOT_REVOLUTE),
    ("scotch-yoke", SCOTCH_YOKE),
    ("slider-crank-prismatic", SLIDER_CRANK_PRISMATIC),
    ("four-bar", FOUR_BAR),
    ("geneva", GENEVA),
    ("chain", CHAIN),
    ("chain-link", CHAIN_LINK),
    ("pin-in-bore", PIN_IN_BORE),
    ("two-spheres", TWO_SPHERES),
];

#[cfg(test)]
mod tests {
    use super::MODELS;

    #[test]
    fn property_every_shipped_model_is_in_the_list() {
        let mut shipped: Vec<String> = std::fs::read_dir(env!("CARGO_MANIFEST_DIR"))
            .unwrap()
            .flatten()
            .filter(|entry| entry.path().join("model.toml").exists())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        let mut listed: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
        shipped.sort();
        listed.sort_unstable();
        assert_eq!(shipped, listed);
    }
}
