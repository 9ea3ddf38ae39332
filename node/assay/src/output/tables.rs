//! The tables at the end of a round.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use mechanism::fault::Failure;
use mechanism::ids::Hotkey;
use mechanism::track::Track;
use round::record::RoundRecord;
use round::standing::{AgentStanding, RunCounts, TrackScore, TrackStanding};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines above, below and under the header only.
const STYLE: TableStyle = UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());

/// An empty table in the house style.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header.to_vec());
    table
}

/// A right-aligned cell.
pub(crate) fn number(text: impl std::fmt::Display) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// Four decimals, or a dash for what was not measured.
pub(crate) fn decimal(value: Option<f64>) -> Cell {
    number(value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}")))
}

/// Every track of a record, the vector and how it was submitted.
pub(crate) fn round_text(record: &RoundRecord) -> String {
    let names = names(record);
    let mut text = comparable_text(record);
    for (track, standing) in &record.tracks {
        let tasks = record.opening.tasks.get(track);
        let drawn = tasks.map_or(0, |drawn| drawn.tasks.len());
        let counts = tasks.map_or([0, 0], |drawn| drawn.counts);
        let words = if track.is_behavioural() {
            ["malicious", "safe"]
        } else {
            ["with planted findings", "clean"]
        };
        let _ = writeln!(
            text,
            "\n{track}: {drawn} tasks ({} {}, {} {})",
            counts[0], words[0], counts[1], words[1]
        );
        let _ = writeln!(text, "{}", track_table(*track, standing, &names));
        let baselines = &standing.baselines;
        let _ = writeln!(
            text,
            "baselines: always-ALLOW {:.4}, always-BLOCK {:.4}, empty report {:.4}",
            baselines.always_allow, baselines.always_block, baselines.empty_report
        );
    }
    text.push_str(&failures_text(record, &names));
    text.push_str(&vector_text(record, &names));
    text
}

/// A line that stands above every score that other validators cannot get; empty when they can.
pub(crate) fn comparable_text(record: &RoundRecord) -> String {
    let runtime = &record.opening.runtime;
    if runtime.comparable {
        return String::new();
    }
    format!(
        "NOT COMPARABLE: run on the runtime {} ({}, Python {}), which is not the pinned one; other validators' scores differ for that alone\n",
        runtime.hash.get(..8).unwrap_or(&runtime.hash),
        runtime.source,
        runtime.version
    )
}

/// Display names by hotkey; the hotkey itself where there is none.
pub(crate) fn names(record: &RoundRecord) -> BTreeMap<Hotkey, String> {
    record
        .agents
        .iter()
        .map(|agent| {
            let name = agent.name.clone();
            let name = name.unwrap_or_else(|| agent.hotkey.as_str().to_owned());
            (agent.hotkey.clone(), name)
        })
        .collect()
}

fn track_table(track: Track, standing: &TrackStanding, names: &BTreeMap<Hotkey, String>) -> Table {
    let metric = if track.is_behavioural() { "MCC" } else { "F2" };
    let header = [
        "agent",
        metric,
        "quality",
        "score",
        "95 % interval",
        "reps",
        "eligible",
        "rank",
        "share",
    ];
    let mut table = table(&header);
    for agent in &standing.agents {
        let (raw, quality) = raw_and_quality(agent);
        let interval = agent.interval.map_or_else(
            || "-".to_owned(),
            |interval| format!("{:.3} .. {:.3}", interval.low, interval.high),
        );
        let eligible = match (&agent.copy_of, agent.eligible, &agent.detail) {
            (Some(original), _, _) => format!("copy of {}", name(names, original)),
            (None, true, _) => "yes".to_owned(),
            (None, false, None) => "unavailable".to_owned(),
            (None, false, Some(_)) => "no".to_owned(),
        };
        table.add_row(vec![
            Cell::new(name(names, &agent.hotkey)),
            decimal(raw),
            decimal(quality),
            decimal(Some(agent.score)),
            number(interval),
            number(format!("{}/{}", agent.runs.completed, agent.runs.total())),
            Cell::new(eligible),
            number(
                agent
                    .rank
                    .map_or_else(|| "-".to_owned(), |rank| rank.to_string()),
            ),
            number(format!("{:.4}", agent.share)),
        ]);
    }
    table
}

/// The raw metric and the quality of findings. On repositories the metric is the score and quality is F2 over the tasks
/// that have planted findings.
fn raw_and_quality(agent: &AgentStanding) -> (Option<f64>, Option<f64>) {
    match &agent.detail {
        Some(TrackScore::Behavioural(score)) => (
            Some(score.mcc),
            score.quality.as_ref().map(|quality| quality.to_f64()),
        ),
        Some(TrackScore::Audit(score)) => (Some(score.score), score.f2_vulnerable),
        None => (None, None),
    }
}

fn name<'a>(names: &'a BTreeMap<Hotkey, String>, hotkey: &'a Hotkey) -> &'a str {
    names.get(hotkey).map_or(hotkey.as_str(), String::as_str)
}

/// `cpu_budget_exceeded 24, probe_missing 3`.
pub(crate) fn failed_text(runs: &RunCounts) -> String {
    let parts: Vec<String> = runs
        .failed
        .iter()
        .map(|(failure, count): (&Failure, &usize)| format!("{failure} {count}"))
        .collect();
    parts.join(", ")
}

fn failures_text(record: &RoundRecord, names: &BTreeMap<Hotkey, String>) -> String {
    let mut table = table(&["track", "agent", "failed repetitions"]);
    for (track, standing) in &record.tracks {
        for agent in standing.agents.iter().filter(|a| !a.runs.failed.is_empty()) {
            table.add_row(vec![
                track.as_str(),
                name(names, &agent.hotkey),
                &failed_text(&agent.runs),
            ]);
        }
    }
    for agent in &record.agents {
        if let Some(reason) = &agent.unavailable {
            table.add_row(vec![
                agent.track.as_str(),
                name(names, &agent.hotkey),
                &format!("unavailable: {reason}"),
            ]);
        }
    }
    if table.is_empty() {
        return String::new();
    }
    format!("\nfailed repetitions\n{table}\n")
}

fn vector_text(record: &RoundRecord, names: &BTreeMap<Hotkey, String>) -> String {
    let mut text = String::new();
    if let Some(submission) = &record.submission {
        let uids: BTreeMap<u16, &Hotkey> = record
            .weights_input
            .iter()
            .flat_map(|context| &context.chain.registered)
            .map(|(hotkey, uid)| (*uid, hotkey))
            .collect();
        let payload = &submission.signed.payload;
        let mut table = table(&["uid", "agent", "hotkey", "weight (u16)"]);
        for (uid, value) in payload.uids.iter().zip(&payload.values) {
            let hotkey = uids.get(uid);
            table.add_row(vec![
                number(uid),
                Cell::new(hotkey.map_or("-", |hotkey| name(names, hotkey))),
                Cell::new(hotkey.map_or("-", |hotkey| hotkey.as_str())),
                number(value),
            ]);
        }
        let _ = writeln!(text, "\nweights\n{table}");
        let _ = writeln!(
            text,
            "signed by {}; the chain {}",
            submission.signed.hotkey,
            match &submission.refusal {
                Some(refusal) => format!("refused it: {refusal}"),
                None if submission.accepted => "took it and shows it".to_owned(),
                None => "was not asked".to_owned(),
            }
        );
    }
    if let Some(abstention) = &record.abstained {
        let _ = writeln!(
            text,
            "\nabstained ({}): {}; nothing was submitted",
            abstention.reason, abstention.detail
        );
    }
    text
}

/// The tables of an offline score.
pub(crate) fn score_text(track: Track, record: &RoundRecord) -> String {
    let Some(standing) = record.tracks.get(&track) else {
        return String::new();
    };
    let names = names(record);
    let mut text = comparable_text(record);
    for agent in &standing.agents {
        let mut tasks = table(&["task", "verdict or score", "correct", "repetitions"]);
        match &agent.detail {
            Some(TrackScore::Behavioural(score)) => {
                for task in &score.tasks {
                    tasks.add_row(vec![
                        Cell::new(&task.task_ref),
                        Cell::new(task.verdict.map_or("none", |verdict| verdict.as_str())),
                        Cell::new(if task.correct { "yes" } else { "no" }),
                        Cell::new(reps_text(record, task.task_ref.as_str())),
                    ]);
                }
            }
            Some(TrackScore::Audit(score)) => {
                for task in &score.tasks {
                    tasks.add_row(vec![
                        Cell::new(&task.task_ref),
                        Cell::new(format!("{:.4}", task.score)),
                        Cell::new(if task.score >= 1.0 { "yes" } else { "no" }),
                        Cell::new(reps_text(record, task.task_ref.as_str())),
                    ]);
                }
            }
            None => {}
        }
        let _ = writeln!(text, "{tasks}");
    }
    let _ = writeln!(text, "{}", track_table(track, standing, &names));
    let baselines = &standing.baselines;
    let _ = writeln!(
        text,
        "baselines: always-ALLOW {:.4}, always-BLOCK {:.4}, empty report {:.4}",
        baselines.always_allow, baselines.always_block, baselines.empty_report
    );
    for agent in &standing.agents {
        if !agent.runs.failed.is_empty() {
            let _ = writeln!(text, "failed repetitions: {}", failed_text(&agent.runs));
        }
    }
    text
}

/// `ALLOW 12 ms, probe_missing 9 ms` for the repetitions of one task.
fn reps_text(record: &RoundRecord, task_ref: &str) -> String {
    let mut reps: Vec<_> = record
        .runs
        .iter()
        .filter(|run| run.task_ref.as_str() == task_ref)
        .collect();
    reps.sort_by_key(|run| run.id.rep);
    let parts: Vec<String> = reps
        .iter()
        .map(|run| {
            let word = match (run.failure, run.verdict) {
                (Some(failure), _) => failure.as_str(),
                (None, Some(verdict)) => verdict.as_str(),
                (None, None) => "-",
            };
            format!("{word} {} ms", run.usage.cpu_us / 1_000)
        })
        .collect();
    parts.join(", ")
}

/// Every run of a record.
pub(crate) fn runs_text(record: &RoundRecord) -> String {
    let names = names(record);
    let mut table = table(&[
        "track", "task", "rep", "agent", "outcome", "CPU ms", "wall ms", "detail",
    ]);
    for run in &record.runs {
        let outcome = match (run.failure, run.verdict) {
            (Some(failure), _) => failure.as_str(),
            (None, Some(verdict)) => verdict.as_str(),
            (None, None) => "-",
        };
        let mut detail = run.detail.clone();
        detail.extend(run.message.clone());
        table.add_row(vec![
            Cell::new(run.id.track),
            Cell::new(&run.task_ref),
            number(run.id.rep),
            Cell::new(name(&names, &run.id.hotkey)),
            Cell::new(outcome),
            number(run.usage.cpu_us / 1_000),
            number(run.usage.wall_us / 1_000),
            Cell::new(detail.join("; ")),
        ]);
    }
    table.to_string()
}
