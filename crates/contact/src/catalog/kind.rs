//! The closed sets of law names.

use super::sheet::Sheet;
use super::sheets;

macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident from [$($sheets:expr),+] { $($variant:ident = $id:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the data sheet of each id is its documentation")]
        pub enum $name { $($variant),+ }

        impl $name {
            /// Every law of the set, in the order of the reference page.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The id under which files and the command line know the law.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id),+ }
            }

            /// The data sheet.
            ///
            /// # Panics
            /// Never: a test reads the sheet of every law.
            pub fn sheet(self) -> &'static Sheet {
                [$($sheets),+]
                    .into_iter()
                    .flatten()
                    .find(|sheet| sheet.id == self.id())
                    .expect("every law has a data sheet")
            }

            /// The law with this id or alias.
            pub fn from_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.id() == id || kind.sheet().aliases.contains(&id))
            }
        }
    };
}

kinds! {
    /// Elastic laws by name.
    ElasticKind from [sheets::elastic::SHEETS, sheets::cylinder::SHEETS] {
        Hertz = "hertz",
        PlanePlane = "plane-plane",
        Linear = "linear",
        Power = "power",
        BaiZhao = "bai-zhao",
        BaiZhaoLength = "bai-zhao-length",
        HertzCylinder = "hertz-cylinder",
        Johnson = "johnson",
        Radzimovsky = "radzimovsky",
        Goldsmith = "goldsmith",
        GoldsmithPrinted = "goldsmith-printed",
        DubowskyFreudenstein = "dubowsky-freudenstein",
        DubowskyFreudensteinPrinted = "dubowsky-freudenstein-printed",
        Esdu = "esdu-78035",
        EsduPrinted = "esdu-78035-printed",
        LankaraniNikraveshCylinder = "lankarani-nikravesh-cylinder",
        Liu = "liu",
        Pereira = "pereira",
        Pereira2014 = "pereira-2014",
        Persson = "persson",
    }
}

kinds! {
    /// Dissipation laws by name.
    DampingKind from [sheets::factor::SHEETS, sheets::dashpot::SHEETS] {
        NoDamping = "no-damping",
        Exact = "exact",
        Gonthier = "gonthier",
        HuntCrossley = "hunt-crossley",
        HuntCrossleyAlpha = "hunt-crossley-alpha",
        MarhefkaOrin = "marhefka-orin",
        MarhefkaOrinSimplified = "marhefka-orin-simplified",
        HerbertMcWhannell = "herbert-mcwhannell",
        LeeWang = "lee-wang",
        LankaraniNikravesh = "lankarani-nikravesh",
        KhuliefShabana = "khulief-shabana",
        ZhiyingQishao = "zhiying-qishao",
        GonthierApprox = "gonthier-approx",
        Flores = "flores",
        GharibHurmuzlu = "gharib-hurmuzlu",
        HuGuo = "hu-guo",
        KelvinVoigt = "kelvin-voigt",
        KelvinVoigtRestitution = "kelvin-voigt-restitution",
        Anagnostopoulos = "anagnostopoulos",
        Tsuji = "tsuji",
        Jankowski = "jankowski",
        Ristow = "ristow",
        Schafer = "schafer",
        LeeHerrmann = "lee-herrmann",
        BordbarHyppanen = "bordbar-hyppanen",
        Brilliantov = "brilliantov",
        LeeWangLinear = "lee-wang-linear",
        LeeWangTransition = "lee-wang-transition",
        LankaraniNikraveshPlastic = "lankarani-nikravesh-plastic",
        GharibHurmuzluPlastic = "gharib-hurmuzlu-plastic",
    }
}

kinds! {
    /// Friction laws by name.
    FrictionKind from [sheets::friction::SHEETS] {
        NoFriction = "no-friction",
        Coulomb = "coulomb",
        CoulombTanh = "coulomb-tanh",
        CoulombRamp = "coulomb-ramp",
        CoulombCubic = "coulomb-cubic",
        Ambrosio = "ambrosio",
        BaiZhao = "bai-zhao-friction",
        Stribeck = "stribeck",
        LuGre = "lugre",
    }
}
