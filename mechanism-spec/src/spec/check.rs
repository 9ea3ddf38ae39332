//! What the numbers of a spec file must satisfy, so that no rule can divide by zero or hand out more than there is.

use super::{Spec, SpecError};
use crate::rational::Rational;
use crate::track::{Track, TrackKind};
use std::fmt::Display;

/// Sizes beyond this are typing errors, not budgets.
const LARGEST_SIZE: u64 = 1 << 40;

pub(super) fn check(spec: &Spec) -> Result<(), SpecError> {
    require(
        "version",
        spec.version,
        spec.version == 1,
        "this build knows version 1",
    )?;
    let word = !spec.profile.is_empty()
        && spec
            .profile
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    require("profile", &spec.profile, word, "a name of a-z, 0-9 and '-'")?;
    tracks(spec)?;
    budget(spec)?;
    limits(spec)?;
    draw(spec)?;
    findings(spec)?;
    repositories(spec)?;
    weights(spec)?;
    interval(spec)?;
    severity(spec)
}

fn tracks(spec: &Spec) -> Result<(), SpecError> {
    let mut shares = Rational::zero();
    for track in Track::ALL {
        let entry = spec.track(track);
        let key = |name: &str| format!("tracks.{track}.{name}");
        let fewest = match entry.kind {
            TrackKind::Behavioural => spec.draw.behavioural_min_tasks,
            TrackKind::Audit => spec.draw.repositories_min_tasks,
        };
        let tasks = (fewest..=10_000).contains(&entry.tasks);
        require(
            &key("tasks"),
            entry.tasks,
            tasks,
            "from the draw's minimum to 10000",
        )?;
        require(
            &key("reps"),
            entry.reps,
            (1..=100).contains(&entry.reps),
            "from 1 to 100",
        )?;
        let cpu = (1..=86_400_000_000).contains(&entry.cpu_us);
        require(
            &key("cpu_us"),
            entry.cpu_us,
            cpu,
            "above 0 and at most a day",
        )?;
        unit(&key("threshold"), &entry.threshold)?;
        unit(&key("share"), &entry.share)?;
        shares = &shares + &entry.share;
    }
    let whole = shares == Rational::one();
    require(
        "tracks.*.share",
        &shares,
        whole,
        "the four shares must sum to exactly 1",
    )
}

fn budget(spec: &Spec) -> Result<(), SpecError> {
    let rules = &spec.budget;
    range(
        "budget.wall_backstop_factor",
        rules.wall_backstop_factor,
        1,
        100,
    )?;
    range("budget.round_wall_factor", rules.round_wall_factor, 1, 100)?;
    let ratio = rules.control_wall_to_cpu >= Rational::one();
    require(
        "budget.control_wall_to_cpu",
        &rules.control_wall_to_cpu,
        ratio,
        "at least 1",
    )
}

fn limits(spec: &Spec) -> Result<(), SpecError> {
    let limits = &spec.limits;
    for (key, value) in [
        ("limits.memory_bytes", limits.memory_bytes),
        ("limits.processes", limits.processes),
        ("limits.tmp_bytes", limits.tmp_bytes),
        ("limits.workspace_bytes", limits.workspace_bytes),
        ("limits.inodes", limits.inodes),
        ("limits.file_bytes", limits.file_bytes),
        ("limits.report_bytes", limits.report_bytes),
        ("limits.output_keep_bytes", limits.output_keep_bytes),
        ("limits.output_flood_bytes", limits.output_flood_bytes),
        ("limits.agent_file_bytes", limits.agent_file_bytes),
        ("limits.bundle_packed_bytes", limits.bundle_packed_bytes),
        ("limits.bundle_unpacked_bytes", limits.bundle_unpacked_bytes),
        ("limits.bundle_files", limits.bundle_files),
        ("limits.artifact_bytes", limits.artifact_bytes),
        ("limits.artifact_files", limits.artifact_files),
    ] {
        range(key, value, 1, LARGEST_SIZE)?;
    }
    // The reader recurses once a level, so the bound also bounds its stack.
    range(
        "limits.report_levels",
        u64::from(limits.report_levels),
        1,
        512,
    )?;
    size("limits.probe_name_digits", limits.probe_name_digits, 8, 64)
}

fn draw(spec: &Spec) -> Result<(), SpecError> {
    let rules = &spec.draw;
    range(
        "draw.behavioural_min_tasks",
        rules.behavioural_min_tasks.into(),
        2,
        10_000,
    )?;
    range(
        "draw.repositories_min_planted",
        rules.repositories_min_planted.into(),
        1,
        10_000,
    )?;
    let least = u64::from(rules.repositories_min_planted) + 1;
    range(
        "draw.repositories_min_tasks",
        rules.repositories_min_tasks.into(),
        least,
        10_001,
    )?;
    // At this ratio the fewest planted tasks still carry a clean one.
    range("draw.clean_one_in", rules.clean_one_in.into(), 2, least)
}

fn findings(spec: &Spec) -> Result<(), SpecError> {
    let rules = &spec.findings;
    unit("findings.finding_part", &rules.finding_part)?;
    let whole = &rules.verdict_part + &rules.finding_part == Rational::one();
    let rule = "verdict_part and finding_part must sum to exactly 1";
    require("findings.verdict_part", &rules.verdict_part, whole, rule)?;
    size("findings.category_words", rules.category_words, 1, 64)?;
    size("findings.title_word_chars", rules.title_word_chars, 1, 64)?;
    unit("findings.title_jaccard", &rules.title_jaccard)?;
    size("findings.list_cap", rules.list_cap, 1, 10_000)
}

fn repositories(spec: &Spec) -> Result<(), SpecError> {
    let rules = &spec.repositories;
    range("repositories.beta_squared", rules.beta_squared, 1, 100)?;
    range("repositories.line_window", rules.line_window, 0, 10_000)?;
    range("repositories.range_lines", rules.range_lines, 1, 10_000)?;
    unit("repositories.title_jaccard", &rules.title_jaccard)?;
    size("repositories.list_cap", rules.list_cap, 1, 10_000)?;
    range("repositories.clean_reports", rules.clean_reports, 1, 10_000)?;
    size("repositories.label_cwes", rules.label_cwes, 1, 64)?;
    let parts = [
        &rules.vulnerabilities_part,
        &rules.supply_chain_part,
        &rules.secrets_part,
    ];
    sums_to_one("repositories.*_part", parts)
}

fn weights(spec: &Spec) -> Result<(), SpecError> {
    let rules = &spec.weights;
    size("weights.splits", rules.splits.len(), 1, 64)?;
    sums_to_one("weights.splits", &rules.splits)?;
    let descending = rules.splits.is_sorted_by(|first, second| first >= second);
    let listed = rules
        .splits
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    require(
        "weights.splits",
        listed,
        descending,
        "a better rank must not get less",
    )?;
    let pool = rules.contribution_share < Rational::one();
    require(
        "weights.contribution_share",
        &rules.contribution_share,
        pool,
        "below 1",
    )?;
    range("weights.unit", rules.unit, 65_535, 1_000_000_000_000_000)?;
    range("weights.ema_new", rules.ema_new, 1, 1_000)?;
    range("weights.ema_previous", rules.ema_previous, 0, 1_000)?;
    range("weights.dust", rules.dust, 0, rules.unit)?;
    range(
        "weights.wire_max",
        rules.wire_max.into(),
        1,
        u16::MAX.into(),
    )
}

fn interval(spec: &Spec) -> Result<(), SpecError> {
    let rules = &spec.interval;
    size("interval.resamples", rules.resamples, 1, 100_000)?;
    size("interval.high_rank", rules.high_rank, 1, rules.resamples)?;
    size("interval.low_rank", rules.low_rank, 1, rules.high_rank)
}

fn severity(spec: &Spec) -> Result<(), SpecError> {
    let levels = &spec.severity;
    let ordered = [
        &levels.normal,
        &levels.dangerous,
        &levels.system,
        &levels.redact,
    ];
    unit("severity.redact", &levels.redact)?;
    require(
        "severity.normal",
        &levels.normal,
        ordered.is_sorted(),
        "levels must not fall from normal to redact",
    )
}

fn sums_to_one<'a>(
    key: &str,
    parts: impl IntoIterator<Item = &'a Rational>,
) -> Result<(), SpecError> {
    let mut sum = Rational::zero();
    for part in parts {
        unit(key, part)?;
        sum = &sum + part;
    }
    require(
        key,
        &sum,
        sum == Rational::one(),
        "the parts must sum to exactly 1",
    )
}

/// A part of a whole: above 0 and at most 1.
fn unit(key: &str, value: &Rational) -> Result<(), SpecError> {
    let inside = !value.is_zero() && *value <= Rational::one();
    require(key, value, inside, "above 0 and at most 1")
}

fn range(key: &str, value: u64, low: u64, high: u64) -> Result<(), SpecError> {
    require(
        key,
        value,
        (low..=high).contains(&value),
        "outside of the range that the rule can work with",
    )
}

fn size(key: &str, value: usize, low: usize, high: usize) -> Result<(), SpecError> {
    require(
        key,
        value,
        (low..=high).contains(&value),
        "outside of the range that the rule can work with",
    )
}

fn require(
    key: &str,
    value: impl Display,
    holds: bool,
    rule: &'static str,
) -> Result<(), SpecError> {
    if holds {
        return Ok(());
    }
    Err(SpecError::Value {
        key: key.to_owned(),
        value: value.to_string(),
        rule,
    })
}
