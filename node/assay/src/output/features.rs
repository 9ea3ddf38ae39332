//! The tables of `corpus lint --features`.

use super::tables::{number, table};
use comfy_table::Cell;
use corpus::{AIM, FeatureReport, FeatureScore, GATE_TASKS, SPLITS, TrackFeatures};
use mechanism::track::Track;
use std::fmt::Write;

/// One table per track, worst feature first.
pub(crate) fn features_text(report: &FeatureReport) -> String {
    let mut text = format!(
        "single features as rules for the label: chosen on a random half, scored on the other, {SPLITS} splits; aim: mean MCC below {AIM}\n"
    );
    for (track, found) in &report.tracks {
        track_text(&mut text, *track, found);
    }
    text
}

fn track_text(text: &mut String, track: Track, found: &TrackFeatures) {
    let _ = writeln!(
        text,
        "\n{track}: {} malicious, {} safe tasks, {} features",
        found.malicious, found.safe, found.features
    );
    let Some(best) = &found.best_of_all else {
        let _ = writeln!(text, "too few tasks to judge");
        return;
    };
    let mut rows = table(&[
        "feature",
        "mean MCC",
        "sd",
        "in sample",
        "rule chosen most often",
        "splits",
    ]);
    let name = format!("best of all (mostly: {})", best.feature);
    for (name, score) in std::iter::once((name, best))
        .chain(found.top.iter().map(|score| (score.feature.clone(), score)))
    {
        rows.add_row(row(&name, score));
    }
    let _ = writeln!(text, "{rows}");
    let _ = writeln!(
        text,
        "with shuffled labels the best of all features reaches {:.3} in sample (95 of 100 shuffles)",
        found.chance
    );
    let _ = writeln!(text, "{}", verdict(found, best));
}

fn row(name: &str, score: &FeatureScore) -> Vec<Cell> {
    vec![
        Cell::new(name),
        number(format!("{:.3}", score.mean)),
        number(format!("{:.3}", score.sd)),
        number(format!("{:.3}", score.in_sample)),
        Cell::new(&score.rule),
        number(format!("{}/{SPLITS}", score.chosen)),
    ]
}

fn verdict(found: &TrackFeatures, best: &FeatureScore) -> String {
    let measured = format!(
        "best of all {:.3}; {} single features reach {AIM}, {} of them beyond chance",
        best.mean,
        found.above_aim,
        found.separating.len()
    );
    let broken = found.best_separates() || !found.separating.is_empty();
    match (broken, found.gate) {
        (false, _) => format!("aim met: {measured}"),
        (true, true) => format!("aim missed: {measured}"),
        (true, false) => {
            format!("note: {measured}; no problem below {GATE_TASKS} tasks of each class")
        }
    }
}
