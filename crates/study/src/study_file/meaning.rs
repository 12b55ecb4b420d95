//! What a study file means: its points, limits and diagrams, and everything that is wrong with it.

use jointplay_model::IsoFit;
use jointplay_model::shape::Misuse;

use super::{GREATEST_SEED, StudyFile, StudyKind, VaryEntry};
use crate::bifurcation::{COLUMNS, Diagram, MOST_ORDERS};
use crate::case::Case;
use crate::design::{Design, MOST_POINTS, Points};
use crate::survey::Shard;
use crate::vary::{Vary, is_list};

impl VaryEntry {
    /// What it varies. A fit varies the places of hole and shaft in their zones; in a grid fits are values like others.
    fn varies(&self, grid: bool) -> Result<Vec<Vary>, String> {
        let VaryEntry { key, values } = self;
        if !self.is_fit() || grid {
            return Vary::parse(&format!("{key}={values}")).map(|vary| vec![vary]);
        }
        self.fit()?;
        let of = |side: &str| Vary::parse(&format!("{key}_{side}=0:1"));
        Ok(vec![of("hole")?, of("shaft")?])
    }

    /// What is wrong with its values, whatever the study is.
    pub(crate) fn unreadable(&self, place: usize) -> Option<Misuse> {
        let at = ["vary".to_owned(), place.to_string(), "values".to_owned()];
        self.varies(!self.is_fit()).err().map(|problem| Misuse::new(at, problem))
    }

    /// Whether its values are given one by one.
    pub(crate) fn is_list(&self) -> bool {
        !self.is_fit() && is_list(&self.values)
    }

    /// Whether its key is that of a fit.
    fn is_fit(&self) -> bool {
        self.key.rsplit_once('.').is_some_and(|(_, last)| last == "fit")
    }

    /// The fit that it names, if its key is one.
    fn fit(&self) -> Result<Option<IsoFit>, String> {
        if !self.is_fit() {
            return Ok(None);
        }
        IsoFit::parse(&self.values).map(Some).map_err(|(message, hint)| match hint {
            Some(hint) => format!("{}: {message}; {hint}", self.key),
            None => format!("{}: {message}", self.key),
        })
    }
}

impl StudyFile {
    /// The fits that are varied, by their keys.
    ///
    /// # Errors
    /// Every fit that is wrong.
    pub fn fits(&self) -> Result<Vec<(String, IsoFit)>, String> {
        let sampled = self.vary.iter().filter(|_| !self.is_grid());
        let fits = sampled.filter_map(|entry| match entry.fit() {
            Ok(fit) => Some(Ok((entry.key.clone(), fit?))),
            Err(wrong) => Some(Err(wrong)),
        });
        fits.collect()
    }

    /// Whether all combinations of values are run.
    fn is_grid(&self) -> bool {
        match self.kind {
            StudyKind::Sweep => self.samples.is_none(),
            StudyKind::Bifurcation => true,
            StudyKind::Tolerance
            | StudyKind::Sensitivity
            | StudyKind::Optimise
            | StudyKind::Identify => false,
        }
    }

    /// What is varied, as far as it can be read.
    pub(crate) fn varies(&self) -> Vec<Vary> {
        let read = self.vary.iter().filter_map(|entry| entry.varies(self.is_grid()).ok());
        let mut varies: Vec<Vary> = read.flatten().collect();
        if let Some(repeats) = self.starts() {
            // The start is one more key, the fastest.
            let seeds: Vec<String> = (1..=repeats).map(|seed| seed.to_string()).collect();
            varies.extend(Vary::parse(&format!("{SEED}={}", seeds.join(","))));
        }
        varies
    }

    /// The keys as they were typed, each with the number of columns that it varies: a fit varies two.
    pub(crate) fn groups(&self) -> Vec<(String, usize)> {
        // Values need not be made for that: there may be many.
        let columns = |entry: &VaryEntry| if entry.is_fit() && !self.is_grid() { 2 } else { 1 };
        let mut groups: Vec<(String, usize)> =
            self.vary.iter().map(|entry| (entry.key.clone(), columns(entry))).collect();
        groups.extend(self.starts().map(|_| (SEED.to_owned(), 1)));
        groups
    }

    /// How many starts each point has, if there are several: one more key.
    fn starts(&self) -> Option<usize> {
        // A search repeats its points itself.
        let repeats = self.repeats.filter(|_| self.kind != StudyKind::Optimise);
        repeats.filter(|repeats| (2..=MOST_REPEATS).contains(repeats))
    }

    /// What to say of a grid that has too many points, whose values are better not made at all.
    pub(crate) fn too_many(&self) -> Option<Misuse> {
        let counts = self.vary.iter().filter_map(|entry| Vary::count_of(&entry.values));
        let counts = counts.chain(self.repeats);
        let points = counts.map(|count| count.max(1)).fold(1_usize, usize::saturating_mul);
        (self.is_grid() && points > MOST_POINTS).then(|| {
            Misuse::new(["vary"], format!("the grid has more than {MOST_POINTS} points"))
                .with_hint(Some("give fewer values, or --samples COUNT"))
        })
    }

    /// Everything that is wrong with it, whatever its model is.
    pub fn problems(&self) -> Vec<Misuse> {
        if let Some(too_many) = self.too_many() {
            return vec![too_many];
        }
        let mut wrong = self.wrong_varies();
        let range = |number: Option<usize>, most: usize| {
            number.is_some_and(|number| !(1..=most).contains(&number))
        };
        if range(self.repeats, MOST_REPEATS) {
            let message = format!("the number of repeats must be from 1 to {MOST_REPEATS}");
            wrong.push(Misuse::new(["repeats"], message));
        }
        if range(self.samples, MOST_SAMPLES) {
            let message = format!("the number of samples must be from 1 to {MOST_SAMPLES}");
            wrong.push(Misuse::new(["samples"], message));
        }
        if self.seed > GREATEST_SEED {
            let message = format!("the seed must be from 0 to {GREATEST_SEED}");
            wrong.push(Misuse::new(["seed"], message));
        }
        let shard = self.shard.as_deref().map(str::parse::<Shard>);
        wrong.extend(shard.and_then(Result::err).map(|why| Misuse::new(["shard"], why)));
        wrong.extend(self.settings_without_effect());
        wrong.extend(twice("metrics", &self.metrics, "the metric"));
        if self.kind == StudyKind::Bifurcation {
            wrong.extend(self.wrong_diagram());
        }
        wrong.extend(self.wrong_search());
        wrong
    }

    fn wrong_varies(&self) -> Vec<Misuse> {
        let mut wrong = Vec::new();
        if self.vary.is_empty() {
            let hint = Some("give --vary KEY=VALUES");
            wrong.push(Misuse::new(["vary"], "nothing is varied").with_hint(hint));
        }
        for (i, entry) in self.vary.iter().enumerate() {
            let at = |key: &str| ["vary".to_owned(), i.to_string(), key.to_owned()];
            if let Err(problem) = entry.varies(self.is_grid()) {
                wrong.push(Misuse::new(at("values"), problem));
            }
            let other = self.vary[..i].iter().find(|other| same_place(&other.key, &entry.key));
            match other {
                Some(other) if other.key == entry.key => {
                    wrong.push(Misuse::new(at("key"), format!("{} is varied twice", entry.key)));
                }
                Some(other) => {
                    let message = format!("{} and {} vary the same place", other.key, entry.key);
                    let hint = Some("leave out one of the two");
                    wrong.push(Misuse::new(at("key"), message).with_hint(hint));
                }
                None => {}
            }
            if self.repeats.is_some_and(|repeats| repeats > 1) && same_place(SEED, &entry.key) {
                let message =
                    format!("`{SEED}` is varied, and the repeats of each point vary it, too");
                let hint = Some("leave out one of the two");
                wrong.push(Misuse::new(at("key"), message).with_hint(hint));
            }
            if self.set.contains_key(&entry.key) {
                let message = format!("`{}` is set and varied", entry.key);
                let hint = Some("leave out one of the two");
                wrong.push(Misuse::new(at("key"), message).with_hint(hint));
            }
            for (key, set) in [("law", &self.law), ("case", &self.case)] {
                if let (true, Some(set)) = (entry.key == key, set) {
                    let message = format!("the {key} is varied, and it is `{set}` for all runs");
                    let hint = Some("leave out one of the two");
                    wrong.push(Misuse::new(at("key"), message).with_hint(hint));
                }
            }
        }
        wrong
    }

    fn wrong_diagram(&self) -> Vec<Misuse> {
        let mut wrong = Vec::new();
        if self.vary.len() > 1 {
            let message = "a bifurcation diagram has one key";
            wrong.push(Misuse::new(["vary", "1"], message).with_hint(Some("give --vary once")));
        }
        if self.varies().first().is_some_and(|vary| vary.count().is_none()) {
            let message = format!("{} is a distribution", self.vary[0].key);
            let hint = Some("give values, such as FROM:TO:COUNT or a,b,c");
            wrong.push(Misuse::new(["vary", "0", "values"], message).with_hint(hint));
        }
        if self.period.is_none() {
            let hint = Some("give --period DRIVER or --period TIME");
            wrong.push(Misuse::new(["period"], "the period is missing").with_hint(hint));
        }
        if self.observe.is_empty() {
            let hint = Some("give --observe CHANNELS, such as pin.ex");
            wrong.push(Misuse::new(["observe"], "nothing is observed").with_hint(hint));
        }
        wrong.extend(twice("observe", &self.observe, "the channel"));
        let taken = |name: &String| COLUMNS.contains(&name.as_str());
        wrong.extend(self.metrics.iter().enumerate().filter(|(_, name)| taken(name)).map(
            |(i, name)| {
                let message = format!("`{name}` is a column of every bifurcation diagram");
                let hint = Some("give the metric another name");
                Misuse::new(["metrics".to_owned(), i.to_string()], message).with_hint(hint)
            },
        ));
        if self.periods.is_some_and(|periods| periods < 4) {
            let message = "observe 4 periods or more";
            let hint = Some("give --periods COUNT");
            wrong.push(Misuse::new(["periods"], message).with_hint(hint));
        }
        if self.orders.is_some_and(|orders| !(1..=MOST_ORDERS).contains(&orders)) {
            let message = format!("the highest order must be from 1 to {MOST_ORDERS}");
            wrong.push(Misuse::new(["orders"], message));
        }
        wrong
    }

    /// The bifurcation diagram that it asks for, of a model with the changes that all points share.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn diagram(&self, case: Case) -> Result<Diagram, Vec<Misuse>> {
        let wrong = self.problems();
        let (Some(vary), Some(period), true) =
            (self.varies().into_iter().next(), &self.period, wrong.is_empty())
        else {
            return Err(wrong);
        };
        Ok(Diagram {
            case,
            vary,
            observe: self.observe.clone(),
            metrics: self.metrics.clone(),
            period: period.clone(),
            transient: self.transient.unwrap_or(TRANSIENT),
            periods: self.periods.unwrap_or(PERIODS),
            both_ways: self.both_ways,
            restart: self.restart,
            section: self.section.clone(),
            orders: self.orders,
        })
    }

    /// The points that it runs, if nothing else is wrong with it.
    ///
    /// # Errors
    /// What is wrong with the design.
    pub(crate) fn points(&self) -> Result<Points, Misuse> {
        let varies = self.varies();
        let filling = self.design.unwrap_or_default();
        let seed = self.seed;
        let points = match (self.kind, self.samples) {
            // A search chooses its points itself.
            (StudyKind::Sweep, None)
            | (StudyKind::Bifurcation | StudyKind::Optimise | StudyKind::Identify, _) => {
                Points::new(Design::Grid, varies)
            }
            (StudyKind::Sweep, Some(samples)) => {
                Points::new(Design::Samples { filling, samples, seed }, varies)
            }
            (StudyKind::Tolerance, samples) => {
                let samples = samples.unwrap_or(TOLERANCE_SAMPLES);
                Points::new(Design::Samples { filling, samples, seed }, varies)
            }
            (StudyKind::Sensitivity, samples) => {
                let measure = self.measure.unwrap_or_default();
                let samples = samples.unwrap_or(measure.default_samples());
                let groups: Vec<usize> = self.groups().into_iter().map(|group| group.1).collect();
                measure.points(varies, &groups, samples, seed)
            }
        };
        points.map_err(|problem| Misuse::new(["vary"], problem))
    }

    /// Settings that this kind of study does not use.
    fn settings_without_effect(&self) -> Vec<Misuse> {
        let name = self.kind.name();
        let used = |given: bool, key: &str, kinds: &[StudyKind]| {
            let unused = given && !kinds.contains(&self.kind);
            let message = format!("`{key}` has no effect in a {name} study");
            unused.then(|| Misuse::new([key], message).with_hint(Some("leave it out")))
        };
        let samples = [StudyKind::Sweep, StudyKind::Tolerance];
        let diagram = [StudyKind::Bifurcation];
        let surveys = [StudyKind::Sweep, StudyKind::Tolerance, StudyKind::Sensitivity];
        let repeated =
            [StudyKind::Sweep, StudyKind::Tolerance, StudyKind::Sensitivity, StudyKind::Optimise];
        let measured = [&repeated[..], &diagram].concat();
        // A diagram takes a number of samples with a warning: programs give it to every study.
        let sampled = [&surveys[..], &diagram].concat();
        let searches = [StudyKind::Optimise, StudyKind::Identify];
        let optimise = [StudyKind::Optimise];
        let identify = [StudyKind::Identify];
        let unused = [
            used(!self.limits.is_empty(), "limits", &[StudyKind::Tolerance, StudyKind::Optimise]),
            used(self.design.is_some(), "design", &samples),
            used(self.measure.is_some(), "measure", &[StudyKind::Sensitivity]),
            used(self.samples.is_some(), "samples", &sampled),
            used(self.repeats.is_some(), "repeats", &repeated),
            used(!self.metrics.is_empty(), "metrics", &measured),
            used(self.warm_start, "warm_start", &[StudyKind::Sweep]),
            used(!self.observe.is_empty(), "observe", &diagram),
            used(self.period.is_some(), "period", &diagram),
            used(self.transient.is_some(), "transient", &diagram),
            used(self.periods.is_some(), "periods", &diagram),
            used(self.both_ways, "both_ways", &diagram),
            used(self.restart, "restart", &diagram),
            used(self.section.is_some(), "section", &diagram),
            used(self.orders.is_some(), "orders", &diagram),
            used(self.minimise.is_some(), "minimise", &optimise),
            used(self.maximise.is_some(), "maximise", &optimise),
            used(self.budget.is_some(), "budget", &searches),
            used(self.data.is_some(), "data", &identify),
            used(self.time.is_some(), "time", &identify),
            used(!self.map.is_empty(), "map", &identify),
            used(!self.filter.is_empty(), "filter", &identify),
            used(self.filter_data, "filter_data", &identify),
            used(!self.laws.is_empty(), "laws", &identify),
            used(self.loss.is_some(), "loss", &identify),
            used(self.shift.is_some(), "shift", &identify),
        ];
        let mut wrong: Vec<Misuse> = unused.into_iter().flatten().collect();
        if self.kind == StudyKind::Sweep && self.samples.is_none() && self.design.is_some() {
            wrong.push(Misuse::new(["design"], "`design` needs a number of `samples`"));
        }
        if self.warm_start && self.samples.is_some() {
            let message = "`warm_start` follows the values of a key";
            let hint = Some("leave out `samples`");
            wrong.push(Misuse::new(["warm_start"], message).with_hint(hint));
        }
        if self.warm_start && self.repeats.is_some_and(|repeats| repeats > 1) {
            let message = "`warm_start` starts each value where the previous one ended, but `repeats` start slightly apart";
            let hint = Some("leave out one of the two");
            wrong.push(Misuse::new(["warm_start"], message).with_hint(hint));
        }
        wrong
    }
}

/// Whether two keys set the same place of a model: they are the same but for quotes, one is a part of the other, or one is the fit of
/// the joint whose place in a zone the other is.
fn same_place(a: &str, b: &str) -> bool {
    let parts = |key: &str| -> Vec<String> {
        let parts = key.split('.').map(|part| part.trim().trim_matches(['"', '\'']).to_owned());
        let mut parts: Vec<String> = parts.collect();
        if let Some(last) =
            parts.last_mut().filter(|last| ["fit_hole", "fit_shaft"].contains(&last.as_str()))
        {
            let zone = std::mem::replace(last, "fit".to_owned());
            parts.push(zone);
        }
        parts
    };
    let (a, b) = (parts(a), parts(b));
    a.iter().zip(&b).all(|(a, b)| a == b)
}

/// Entries of a list that are there already.
fn twice(key: &str, names: &[String], what: &str) -> Vec<Misuse> {
    let again = names.iter().enumerate().filter(|(i, name)| names[..*i].contains(name));
    let wrong = again.map(|(i, name)| {
        Misuse::new([key.to_owned(), i.to_string()], format!("{what} `{name}` is asked for twice"))
    });
    wrong.collect()
}

/// Periods that a bifurcation diagram leaves out, and that it shows, if nothing else is asked.
const TRANSIENT: usize = 100;
const PERIODS: usize = 200;

/// The key that chooses among starts that are slightly apart.
const SEED: &str = "start.seed";

/// More samples than this cannot be meant.
const MOST_SAMPLES: usize = 100_000_000;

/// More starts than this cannot be meant.
const MOST_REPEATS: usize = 10_000;

/// Samples of a tolerance study if their number is not given.
const TOLERANCE_SAMPLES: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
format = 1
kind = "tolerance"
model = "model.toml"
metrics = ["pin.peak_force"]
limits = ["pin.peak_force < 2 kN"]
samples = 100
seed = 3

[[vary]]
key = "joints.pin.fit"
values = "20 H7/g6"

[[vary]]
key = "bodies.rod.mass"
values = "normal(1 kg, 10 g)"

[set]
"run.until" = "1 s"
"#;

    #[test]
    fn exact_a_file_reads_back() {
        let file = StudyFile::parse(TEXT, None).expect("a study");
        assert_eq!(StudyFile::parse(&file.written().expect("text"), None), Ok(file.clone()));
        let points = file.points().expect("points");
        let keys: Vec<&str> = points.varies().iter().map(|vary| vary.key.as_str()).collect();
        assert_eq!(keys, ["joints.pin.fit_hole", "joints.pin.fit_shaft", "bodies.rod.mass"]);
        assert_eq!(points.len(), 100);
        let limits = file.limits(|_| Some("N".to_owned())).expect("a limit");
        let wrong = file.limits(|_| Some("m".to_owned())).expect_err("a force");
        assert!(wrong[0].message.contains("is in m"), "{wrong:?}");
        let wrong = file.limits(|_| Some("-".to_owned())).expect_err("a force");
        assert!(wrong[0].message.contains("is a pure number"), "{wrong:?}");
        assert_eq!((limits[0].upper, limits[0].value), (true, 2000.0));
        assert_eq!(file.fits().expect("a fit").len(), 1);
    }

    #[test]
    fn exact_what_is_wrong_is_said_at_once() {
        let wrong = StudyFile::parse(&TEXT.replace("kind", "knid"), None).expect_err("a typo");
        let wrong = wrong.to_string();
        assert!(wrong.contains(":3:") && wrong.contains("knid"), "{wrong}");
        assert!(wrong.contains("did you mean `kind`?"), "{wrong}");
        let text = TEXT.replace("20 H7/g6", "20 H7").replace("10 g)", "10 mm)");
        let wrong = StudyFile::parse(&text, None).expect("a study").problems();
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert_eq!([&wrong[0].at[1], &wrong[1].at[1]], ["0", "1"]);
        let text = TEXT.replace("tolerance", "sweep");
        let wrong = StudyFile::parse(&text, None).expect("a study").problems();
        assert_eq!(wrong[0].at, ["limits"]);
    }

    #[test]
    fn exact_no_place_is_varied_twice() {
        let said = |key: &str, repeats: usize| -> Vec<String> {
            let file = StudyFile::parse(&TEXT.replace("bodies.rod.mass", key), None);
            let file = StudyFile { repeats: Some(repeats), ..file.expect("a study") };
            file.problems().into_iter().map(|wrong| wrong.message).collect()
        };
        for key in ["joints.pin.fit_hole", "joints.'pin'.fit", "joints.pin"] {
            let said = said(key, 1);
            assert!(
                said.iter().any(|text| text.contains("vary the same place")),
                "{key}: {said:?}"
            );
        }
        assert!(said("joints.pin.clearance", 1).is_empty());
        assert!(said("start.seed", 2).iter().any(|text| text.contains("repeats of each point")));
        let text = TEXT.replace("pin.peak_force < 2 kN", "2 kN < pin.peak_force < 1 kN");
        let file = StudyFile::parse(&text, None).expect("a study");
        let wrong = file.limits(|_| Some("N".to_owned())).expect_err("nothing lies there");
        assert!(wrong[0].message.contains("no number lies between"), "{wrong:?}");
    }
}
