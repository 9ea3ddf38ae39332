//! The sections of a spec file, key by key.

use crate::rational::Rational;
use crate::track::TrackKind;
use serde::Deserialize;

/// One track with its budgets (`mechanism.md §1`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackSpec {
    /// Behavioural or audit.
    pub kind: TrackKind,
    /// Tasks drawn per round.
    pub tasks: u32,
    /// Repetitions of each task.
    pub reps: u32,
    /// CPU budget of one run's process tree, in microseconds; exceeded at `>`.
    pub cpu_us: u64,
    /// Wall backstop of one run, in microseconds: the CPU budget times the backstop factor.
    pub wall_us: u64,
    /// Round cap of one agent's recorded wall times, in microseconds; a run fails when the runs before it reach it.
    pub round_wall_us: u64,
    /// Eligibility: clamped MCC, or F2, at or above this.
    pub threshold: Rational,
    /// Share of the emission.
    pub share: Rational,
}

/// `[tracks.<track>]` as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrackSection {
    pub(super) tasks: u32,
    pub(super) reps: u32,
    pub(super) cpu_us: u64,
    pub(super) threshold: Rational,
    pub(super) share: Rational,
}

/// `[tracks]`: exactly the four.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrackSections {
    pub(super) skills: TrackSection,
    pub(super) mcp_servers: TrackSection,
    pub(super) packages: TrackSection,
    pub(super) repositories: TrackSection,
}

/// `[budget]`: how wall time follows from the CPU budget (`mechanism.md §1, §4`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Wall backstop of a run = this times its CPU budget.
    pub wall_backstop_factor: u64,
    /// Round cap of an agent on a track = this times tasks times reps times CPU budget.
    pub round_wall_factor: u64,
    /// A control run whose wall/CPU ratio is above this is an infrastructure fault.
    pub control_wall_to_cpu: Rational,
}

/// `[limits]`: sizes in bytes, counts as counts (`mechanism.md §1`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Memory of a run, no swap.
    pub memory_bytes: u64,
    /// Processes and threads of a run.
    pub processes: u64,
    /// Size of `/tmp`.
    pub tmp_bytes: u64,
    /// Size of the workspace.
    pub workspace_bytes: u64,
    /// Inodes of a run.
    pub inodes: u64,
    /// Largest single file.
    pub file_bytes: u64,
    /// Largest report; larger is `report_too_large`.
    pub report_bytes: u64,
    /// Nesting levels of a report that pass; the outermost object is level 1.
    pub report_levels: u32,
    /// Bytes kept of stdout, and as many of stderr.
    pub output_keep_bytes: u64,
    /// Output above this ends the run.
    pub output_flood_bytes: u64,
    /// Largest single-file agent.
    pub agent_file_bytes: u64,
    /// Largest packed bundle.
    pub bundle_packed_bytes: u64,
    /// Largest unpacked bundle.
    pub bundle_unpacked_bytes: u64,
    /// Files of a bundle.
    pub bundle_files: u64,
    /// Largest artifact.
    pub artifact_bytes: u64,
    /// Files of an artifact.
    pub artifact_files: u64,
    /// Hex digits of `probe-path` in the probe's file name.
    pub probe_name_digits: usize,
}

/// `[draw]`: what a task set must hold (`mechanism.md §2`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRules {
    /// Fewest tasks of a behavioural track.
    pub behavioural_min_tasks: u32,
    /// Fewest tasks of `repositories`.
    pub repositories_min_tasks: u32,
    /// Fewest tasks with planted findings.
    pub repositories_min_planted: u32,
    /// Clean tasks are at most one in this many of those drawn.
    pub clean_one_in: u32,
}

/// `[findings]`: findings beside a behavioural verdict (`mechanism.md §6`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingRules {
    /// Part of the score that the verdicts alone earn.
    pub verdict_part: Rational,
    /// Part of the score that finding quality earns.
    pub finding_part: Rational,
    /// First words of a category that count.
    pub category_words: usize,
    /// Length, in characters, of a shared title word that is enough when both name a place.
    pub title_word_chars: usize,
    /// Word overlap at which titles agree.
    pub title_jaccard: Rational,
    /// How many reported findings, from the first, can match.
    pub list_cap: usize,
}

/// `[repositories]`: the audit score (`mechanism.md §7`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepositoryRules {
    /// Square of the F measure's beta.
    pub beta_squared: u64,
    /// Largest distance between lines that match.
    pub line_window: u64,
    /// `end_line - line` at which a range counts as its first line.
    pub range_lines: u64,
    /// Word overlap at which titles and descriptions overlap.
    pub title_jaccard: Rational,
    /// How many entries of a reported list, from the first, can match.
    pub list_cap: usize,
    /// Reports at which a clean task scores 0.
    pub clean_reports: u64,
    /// Most CWE numbers of one planted finding.
    pub label_cwes: usize,
    /// Weight of planted vulnerabilities.
    pub vulnerabilities_part: Rational,
    /// Weight of planted supply-chain issues.
    pub supply_chain_part: Rational,
    /// Weight of planted secrets.
    pub secrets_part: Rational,
}

/// `[weights]`: from scores to the vector (`mechanism.md §8`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightRules {
    /// Parts of a track's share for its first, second and third rank.
    pub splits: Vec<Rational>,
    /// Share of the contribution pool.
    pub contribution_share: Rational,
    /// Units of a whole weight vector.
    pub unit: u64,
    /// Factor of the round's weight in the moving average.
    pub ema_new: u64,
    /// Factor of the previous weight in the moving average.
    pub ema_previous: u64,
    /// Smoothed entries below this are dropped.
    pub dust: u64,
    /// Largest value on the wire.
    pub wire_max: u16,
}

/// `[interval]`: the bootstrap interval beside a behavioural score (`mechanism.md §8`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntervalRules {
    /// Stratified resamples.
    pub resamples: usize,
    /// 1-based rank of the lower bound.
    pub low_rank: usize,
    /// 1-based rank of the upper bound.
    pub high_rank: usize,
}

/// `[severity]`: risk by protection level (`mechanism.md §11`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeverityByLevel {
    /// Harmless in itself.
    pub normal: Rational,
    /// Harmful in the wrong hands.
    pub dangerous: Rational,
    /// Changes the host.
    pub system: Rational,
    /// Touches what must never leave.
    pub redact: Rational,
}
