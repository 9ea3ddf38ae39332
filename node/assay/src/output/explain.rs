//! The tables of `assay explain`.

use super::tables::{number, table};
use crate::explain::{Explained, FindingsOf, Place, Row, TaskView};
use comfy_table::Cell;
use mechanism::mcc::Confusion;
use std::fmt::Write;

/// Characters of a finding, message or reason that are shown.
const SHOWN: usize = 200;

/// Everything, most condensed first.
pub(crate) fn explain_text(explained: &Explained) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} on {}: score {:.4}, threshold {:.2} {}",
        explained.agent,
        explained.track,
        explained.score,
        explained.threshold,
        if explained.meets_threshold {
            "met"
        } else {
            "not met"
        }
    );
    if let Some(confusion) = &explained.confusion {
        confusion_text(&mut text, explained, confusion);
    }
    matrix_text(&mut text, explained);
    for task in &explained.tasks {
        for list in &task.findings {
            findings_text(&mut text, task, list);
        }
    }
    budget_text(&mut text, explained);
    if let Some(place) = &explained.standing {
        place_text(&mut text, place);
    }
    for note in &explained.notes {
        let _ = writeln!(text, "\nnote: {}", plain(note));
    }
    text.trim_end().to_owned()
}

fn confusion_text(text: &mut String, explained: &Explained, confusion: &Confusion) {
    let mut rows = table(&["", "flagged (WARN, BLOCK)", "let pass (ALLOW)"]);
    let cells = |name: &str, flagged: u64, passed: u64| {
        vec![Cell::new(name), number(flagged), number(passed)]
    };
    rows.add_row(cells("malicious", confusion.tp, confusion.fn_));
    rows.add_row(cells("safe", confusion.fp, confusion.tn));
    let mcc = explained.mcc.unwrap_or_default();
    let quality = explained.quality.map_or_else(
        || "no labelled findings".to_owned(),
        |quality| format!("{quality:.4}"),
    );
    let _ = writeln!(
        text,
        "\n{rows}\nMCC {mcc:.4}, quality of findings {quality}"
    );
}

fn matrix_text(text: &mut String, explained: &Explained) {
    let reps = explained
        .tasks
        .iter()
        .map(|task| task.runs.len())
        .max()
        .unwrap_or(0);
    let mut header = vec!["task", "label", "verdict", "correct", "quality or score"];
    let numbers: Vec<String> = (0..reps).map(|rep| format!("rep {rep}")).collect();
    header.extend(numbers.iter().map(String::as_str));
    let mut rows = table(&header);
    for task in &explained.tasks {
        let correct = task
            .correct
            .map_or("-", |correct| if correct { "yes" } else { "no" });
        let mut row = vec![
            Cell::new(&task.task),
            Cell::new(task.class.unwrap_or("-")),
            Cell::new(task.verdict.map_or("-", |verdict| verdict.as_str())),
            Cell::new(correct),
            number(
                task.score
                    .map_or_else(|| "-".to_owned(), |score| format!("{score:.4}")),
            ),
        ];
        row.extend(task.runs.iter().map(|run| Cell::new(run.outcome())));
        rows.add_row(row);
    }
    let _ = writeln!(text, "\n{rows}");
}

fn findings_text(text: &mut String, task: &TaskView, list: &FindingsOf) {
    let reps: Vec<String> = list.reps.iter().map(ToString::to_string).collect();
    let from = match (&list.not_scored, reps.is_empty()) {
        (Some(why), _) => why.clone(),
        (None, true) => String::new(),
        (None, false) => format!("rep {}", reps.join(", ")),
    };
    let _ = writeln!(
        text,
        "\n{} {}: {} of {} matched, {} reported ({from})",
        task.task,
        list.list,
        list.matched,
        list.labelled.len(),
        list.reported.len()
    );
    let mut lines = |kind: &str, rows: &[Row], matched_too: bool| {
        for (number, row) in (1usize..)
            .zip(rows)
            .filter(|(_, row)| matched_too || !row.matched)
        {
            let word = match (kind, row.matched) {
                ("labelled", true) => "matched  ",
                ("labelled", false) => "missed   ",
                _ => "unmatched",
            };
            let _ = writeln!(text, "  {word} {number}. {}", plain(&row.finding));
            let _ = writeln!(text, "             {}", plain(&row.reason));
        }
    };
    lines("labelled", &list.labelled, true);
    lines("reported", &list.reported, false);
}

fn budget_text(text: &mut String, explained: &Explained) {
    let budget = &explained.budget;
    let cpu = format!("CPU of {} ms", budget.cpu_us / 1_000);
    let wall = format!("wall of {} ms", budget.wall_us / 1_000);
    let memory = format!("peak of {} MiB", budget.memory_bytes >> 20);
    let mut rows = table(&["task", "rep", "outcome", &cpu, &wall, &memory, "message"]);
    for task in &explained.tasks {
        for run in &task.runs {
            let peak = run.memory_peak_bytes.map_or_else(
                || "-".to_owned(),
                |bytes| part(bytes, budget.memory_bytes, bytes >> 20),
            );
            rows.add_row(vec![
                Cell::new(&task.task),
                number(run.rep),
                Cell::new(run.outcome()),
                number(part(run.cpu_us, budget.cpu_us, run.cpu_us / 1_000)),
                number(part(run.wall_us, budget.wall_us, run.wall_us / 1_000)),
                number(peak),
                Cell::new(plain(run.message.as_deref().unwrap_or_default())),
            ]);
        }
    }
    let _ = writeln!(text, "\nbudget used\n{rows}");
}

/// `12 (3 %)`.
fn part(used: u64, budget: u64, shown: u64) -> String {
    let percent = used.saturating_mul(100).checked_div(budget).unwrap_or(0);
    format!("{shown} ({percent} %)")
}

fn place_text(text: &mut String, place: &Place) {
    let verb = if place.hypothetical {
        "would have ranked"
    } else {
        "ranked"
    };
    let _ = match (place.rank, &place.copy_of) {
        (Some(rank), _) => writeln!(
            text,
            "\n{verb} {rank} of {} ({} agents on the track), share {:.4} before smoothing",
            place.ranked, place.agents, place.share
        ),
        (None, Some(original)) => writeln!(
            text,
            "\na copy of {}: of copies only the earliest commitment ranks",
            plain(original)
        ),
        (None, None) => writeln!(
            text,
            "\ndoes not rank: the threshold is not met or the score is 0 ({} of {} agents rank)",
            place.ranked, place.agents
        ),
    };
    if let Some((name, score)) = &place.above {
        let _ = writeln!(text, "next above: {} with {score:.4}", plain(name));
    }
}

/// One line without control characters: the text is an agent's and must not drive the terminal.
fn plain(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut shown: String = text.chars().take(SHOWN).map(clean).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('\u{2026}');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_words_cannot_drive_the_terminal() {
        assert_eq!(plain("a\u{1b}[31m\nb"), "a\u{fffd}[31m\u{fffd}b");
        let long = "x".repeat(SHOWN + 1);
        assert_eq!(plain(&long).chars().count(), SHOWN + 1);
        assert!(plain(&long).ends_with('\u{2026}'));
        assert_eq!(plain(&long[1..]), long[1..]);
    }

    #[test]
    fn a_part_is_shown_with_its_percentage() {
        assert_eq!(part(250, 1_000, 25), "25 (25 %)");
        assert_eq!(part(1, 0, 1), "1 (0 %)");
    }
}
