//! The pinned numbers of the mechanism, read from `spec.toml` (SPEC.md, *Spec file and spec id*).

mod check;
mod sections;

pub use sections::{
    Budget, DrawRules, FindingRules, IntervalRules, Limits, RepositoryRules, SeverityByLevel,
    TrackSpec, WeightRules,
};

use crate::bytes::Fields;
use crate::ids::Hash32;
use crate::track::{Track, TrackKind};
use crate::{report, taxonomy};
use sections::{TrackSection, TrackSections};
use serde::Deserialize;

/// The text of the pinned spec file.
pub const PINNED_TEXT: &str = include_str!("../../spec.toml");
/// The text of the demo spec file.
pub const DEMO_TEXT: &str = include_str!("../../spec.demo.toml");

/// A checked spec file: every number of the mechanism, and the id of all of them together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Version of the rules that the numbers feed.
    pub version: u32,
    /// `pinned`, `demo`, or the name of a spec of one's own.
    pub profile: String,
    tracks: [TrackSpec; 4],
    /// How wall time follows from CPU time.
    pub budget: Budget,
    /// Sizes and counts.
    pub limits: Limits,
    /// What a task set must hold.
    pub draw: DrawRules,
    /// Findings beside a behavioural verdict.
    pub findings: FindingRules,
    /// The audit score.
    pub repositories: RepositoryRules,
    /// From scores to the vector.
    pub weights: WeightRules,
    /// The bootstrap interval.
    pub interval: IntervalRules,
    /// Risk by protection level.
    pub severity: SeverityByLevel,
    id: Hash32,
}

/// The spec file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No TOML, a missing or unknown key, or a value of the wrong type.
    #[error(
        "the spec file cannot be read: {0}; correct that key (shipped specs: spec.toml, spec.demo.toml)"
    )]
    Syntax(String),
    /// A number outside of what its rule can work with.
    #[error("{key} = {value} in the spec file is refused: {rule}")]
    Value {
        /// The key, dotted from the top.
        key: String,
        /// What stands there.
        value: String,
        /// What must hold.
        rule: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    profile: String,
    tracks: TrackSections,
    budget: Budget,
    limits: Limits,
    draw: DrawRules,
    findings: FindingRules,
    repositories: RepositoryRules,
    weights: WeightRules,
    interval: IntervalRules,
    severity: SeverityByLevel,
}

impl Spec {
    /// Reads and checks a spec file.
    ///
    /// # Errors
    /// [`SpecError`] when a key is missing, unknown or of the wrong type, or when a value breaks its rule.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let file: File =
            toml::from_str(text).map_err(|error| SpecError::Syntax(one_line(&error)))?;
        let tracks = [
            resolve(Track::Skills, &file.tracks.skills, &file.budget)?,
            resolve(Track::McpServers, &file.tracks.mcp_servers, &file.budget)?,
            resolve(Track::Packages, &file.tracks.packages, &file.budget)?,
            resolve(Track::Repositories, &file.tracks.repositories, &file.budget)?,
        ];
        let spec = Self {
            version: file.version,
            profile: file.profile,
            tracks,
            budget: file.budget,
            limits: file.limits,
            draw: file.draw,
            findings: file.findings,
            repositories: file.repositories,
            weights: file.weights,
            interval: file.interval,
            severity: file.severity,
            id: spec_id(text),
        };
        check::check(&spec)?;
        Ok(spec)
    }

    /// The spec that rounds on a real chain use.
    #[must_use]
    pub fn pinned() -> Self {
        embedded(PINNED_TEXT)
    }

    /// The same rules with small budgets, for `assay demo`.
    #[must_use]
    pub fn demo() -> Self {
        embedded(DEMO_TEXT)
    }

    /// The spec id that records and submissions carry: the hash of the spec file, the schemas and the vocabulary.
    #[must_use]
    pub const fn id(&self) -> Hash32 {
        self.id
    }

    /// Budgets, threshold and share of a track.
    #[must_use]
    pub const fn track(&self, track: Track) -> &TrackSpec {
        match track {
            Track::Skills => &self.tracks[0],
            Track::McpServers => &self.tracks[1],
            Track::Packages => &self.tracks[2],
            Track::Repositories => &self.tracks[3],
        }
    }
}

#[expect(
    clippy::expect_used,
    reason = "the text is part of the binary and a test parses both"
)]
fn embedded(text: &str) -> Spec {
    Spec::parse(text).expect("the embedded spec file is valid")
}

/// BLAKE3 over length-prefixed fields: spec file, schemas by file name, vocabulary (SPEC.md X-2).
fn spec_id(text: &str) -> Hash32 {
    Fields::new()
        .text(text)
        .text(report::schema(TrackKind::Behavioural))
        .text(report::schema(TrackKind::Audit))
        .text(taxonomy::TEXT)
        .hash()
}

fn resolve(track: Track, section: &TrackSection, budget: &Budget) -> Result<TrackSpec, SpecError> {
    let too_large = || SpecError::Value {
        key: format!("tracks.{track}.cpu_us"),
        value: section.cpu_us.to_string(),
        rule: "the wall budgets that follow from it must fit 64 bits; lower the budget or a factor",
    };
    let wall_us = section
        .cpu_us
        .checked_mul(budget.wall_backstop_factor)
        .ok_or_else(too_large)?;
    let round_wall_us = [
        u64::from(section.tasks),
        u64::from(section.reps),
        budget.round_wall_factor,
    ]
    .into_iter()
    .try_fold(section.cpu_us, u64::checked_mul)
    .ok_or_else(too_large)?;
    Ok(TrackSpec {
        kind: track.kind(),
        tasks: section.tasks,
        reps: section.reps,
        cpu_us: section.cpu_us,
        wall_us,
        round_wall_us,
        threshold: section.threshold.clone(),
        share: section.share.clone(),
    })
}

fn one_line(error: &toml::de::Error) -> String {
    let line = error
        .span()
        .map_or_else(String::new, |span| format!("at byte {}: ", span.start));
    format!("{line}{}", error.message().replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(from: &str, to: &str) -> String {
        assert!(PINNED_TEXT.contains(from), "{from} is not in the spec file");
        Spec::parse(&PINNED_TEXT.replacen(from, to, 1))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn the_pinned_numbers_are_those_of_the_mechanism() {
        let spec = Spec::pinned();
        let row = |track: Track| {
            let t = spec.track(track);
            (
                t.tasks,
                t.reps,
                t.cpu_us,
                t.wall_us,
                t.threshold.to_f64(),
                t.share.to_f64(),
            )
        };
        assert_eq!(
            row(Track::Skills),
            (50, 3, 8_000_000, 24_000_000, 0.2, 0.225)
        );
        assert_eq!(
            row(Track::McpServers),
            (40, 3, 15_000_000, 45_000_000, 0.2, 0.225)
        );
        assert_eq!(
            row(Track::Packages),
            (30, 3, 30_000_000, 90_000_000, 0.2, 0.25)
        );
        assert_eq!(
            row(Track::Repositories),
            (50, 2, 90_000_000, 270_000_000, 0.5, 0.3)
        );
        assert_eq!(spec.track(Track::Packages).round_wall_us, 5_400_000_000);
    }

    #[test]
    fn the_demo_differs_in_budgets_and_task_counts_alone() {
        let (pinned, mut demo) = (Spec::pinned(), Spec::demo());
        assert_ne!(pinned.id(), demo.id());
        for track in Track::ALL {
            assert!(demo.track(track).tasks <= 8);
            assert_eq!(demo.track(track).reps, pinned.track(track).reps);
            assert_eq!(demo.track(track).threshold, pinned.track(track).threshold);
            assert_eq!(demo.track(track).share, pinned.track(track).share);
        }
        let seconds = Track::ALL.map(|track| demo.track(track).cpu_us / 1_000_000);
        assert_eq!(seconds, [1, 1, 1, 2]);
        demo.tracks = pinned.tracks.clone();
        demo.profile.clone_from(&pinned.profile);
        demo.id = pinned.id;
        assert_eq!(demo, pinned);
    }

    #[test]
    fn any_byte_of_the_file_changes_the_id() {
        let changed = format!("{PINNED_TEXT}\n");
        assert_ne!(Spec::parse(&changed).unwrap().id(), Spec::pinned().id());
    }

    /// Computed by a second implementation of BLAKE3 and of X-2. A failure here means: this is another spec now.
    #[test]
    fn the_ids_are_frozen() {
        let id = |spec: Spec| spec.id().to_hex();
        assert_eq!(
            id(Spec::pinned()),
            "bcfe1fccdc2769f39d8eb75449e833700d4b45449b7c0341beb1393bfb4e631a"
        );
        assert_eq!(
            id(Spec::demo()),
            "f55736a8a71935a809ee49efc46cdb37cced82d950475a15c44192b7939e5fb2"
        );
    }

    #[test]
    fn shares_that_do_not_sum_to_one_are_refused_exactly() {
        let error = refused("share = \"0.25\"", "share = \"0.250000000000000001\"");
        assert!(
            error.contains("tracks.*.share") && error.contains("exactly 1"),
            "{error}"
        );
    }

    #[test]
    fn every_kind_of_wrong_number_is_refused_with_its_key() {
        for (from, to, key) in [
            ("version = 1", "version = 2", "version"),
            ("profile = \"pinned\"", "profile = \"Pinned\"", "profile"),
            ("cpu_us = 8_000_000", "cpu_us = 0", "tracks.skills.cpu_us"),
            (
                "cpu_us = 8_000_000",
                "cpu_us = 9223372036854775807",
                "tracks.skills.cpu_us",
            ),
            ("cpu_us = 8_000_000", "cpu_us = -1", "-1"),
            ("tasks = 50", "tasks = 1", "tracks.skills.tasks"),
            ("reps = 3", "reps = 0", "tracks.skills.reps"),
            (
                "threshold = \"0.20\"",
                "threshold = \"0\"",
                "tracks.skills.threshold",
            ),
            (
                "threshold = \"0.20\"",
                "threshold = \"1.01\"",
                "tracks.skills.threshold",
            ),
            (
                "threshold = \"0.20\"",
                "threshold = 0.20",
                "expected a string",
            ),
            (
                "control_wall_to_cpu = \"1.5\"",
                "control_wall_to_cpu = \"0.9\"",
                "budget.control_wall_to_cpu",
            ),
            (
                "report_levels = 64",
                "report_levels = 100000",
                "limits.report_levels",
            ),
            (
                "memory_bytes = 2_147_483_648",
                "memory_bytes = 0",
                "limits.memory_bytes",
            ),
            ("clean_one_in = 5", "clean_one_in = 0", "draw.clean_one_in"),
            (
                "verdict_part = \"0.7\"",
                "verdict_part = \"0.8\"",
                "findings.verdict_part",
            ),
            (
                "secrets_part = \"0.2\"",
                "secrets_part = \"0.3\"",
                "repositories.*_part",
            ),
            (
                "[\"0.50\", \"0.30\", \"0.20\"]",
                "[\"0.20\", \"0.30\", \"0.50\"]",
                "weights.splits",
            ),
            ("[\"0.50\", \"0.30\", \"0.20\"]", "[]", "weights.splits"),
            (
                "contribution_share = \"0.05\"",
                "contribution_share = \"1\"",
                "weights.contribution_share",
            ),
            ("high_rank = 975", "high_rank = 1001", "interval.high_rank"),
            ("low_rank = 25", "low_rank = 0", "interval.low_rank"),
            ("normal = \"0.10\"", "normal = \"0.90\"", "severity.normal"),
            ("[tracks.skills]", "[tracks.toys]", "toys"),
            ("reps = 3", "reps = 3\nextra = 1", "extra"),
            ("line_window = 10", "", "line_window"),
        ] {
            let error = refused(from, to);
            assert!(error.contains(key), "{to}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
