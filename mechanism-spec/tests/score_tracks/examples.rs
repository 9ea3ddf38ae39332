//! The worked examples of the scoring rules, to the digit, and the rules that surround them.

use crate::support::*;
use mechanism::baseline::baselines;
use mechanism::fault::Failure;
use mechanism::rational::Rational;
use mechanism::score::{RepoRepScore, ScoreError, behavioural_track, repo_track};
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::verdict::Verdict::{Allow, Block, Warn};
use serde_json::json;

/// 30 tasks, 8 malicious: 6 caught, 2 of 22 safe ones flagged.
fn thirty_tasks() -> Vec<Task> {
    let none = json!([]);
    let verdict = |flagged| Ok(says(if flagged { Block } else { Allow }));
    let malicious = (0..8).map(|n| behavioural(n, "malicious", &none, vec![verdict(n < 6)]));
    let safe = (8..30).map(|n| behavioural(n, "safe", &none, vec![verdict(n < 10)]));
    malicious.chain(safe).collect()
}

/// S-3, S-13.
#[test]
fn six_of_eight_caught_and_two_wrongly_flagged_is_0_659() {
    let tasks = thirty_tasks();
    let score = behavioural_track(&Spec::pinned(), Track::Skills, &scored(&tasks)).unwrap();
    assert_eq!(format!("{:.3}", score.score), "0.659");
    assert_eq!(score.score, 116.0 / 176.0);
    assert_eq!(score.score, score.clamped);
    assert!(score.eligible && !score.empty_margin && score.quality.is_none());
    assert_eq!((score.threshold, score.completed_share), (0.2, 1.0));
    assert_eq!(score.tasks.iter().filter(|task| task.correct).count(), 26);
}

/// S-7, S-9.
#[test]
fn four_planted_five_reported_three_matched_is_0_714() {
    let planted = json!([
        {"file": "srv/db.py", "line": 10, "cwe": 89}, {"file": "srv/db.py", "line": 50, "cwe": 89},
        {"file": "lib/a.py", "line": 5, "cwe": 22}, {"file": "run.sh", "line": 1, "cwe": 78},
    ]);
    let report = audits(vec![
        weakness("srv/db.py", 11, 89, "a"),
        weakness("srv/db.py", 49, 89, "b"),
        weakness("lib/a.py", 5, 22, "c"),
        weakness("run.sh", 1, 22, "d"),
        weakness("lib/a.py", 90, 22, "e"),
    ]);
    let score = repo_track(
        &Spec::pinned(),
        &scored(&[repository(0, &planted, vec![Ok(report)])]),
    )
    .unwrap();
    assert_eq!(format!("{:.3}", score.score), "0.714");
    assert_eq!(score.score_exact, Rational::new(15, 21).unwrap());
    assert_eq!(
        (score.f2_vulnerable, score.precision_clean),
        (Some(score.score), None)
    );
}

/// S-3.
#[test]
fn an_agent_that_allows_everything_scores_zero() {
    let none = json!([]);
    let tasks: Vec<Task> = (0..30)
        .map(|n| {
            behavioural(
                n,
                if n < 8 { "malicious" } else { "safe" },
                &none,
                vec![Ok(says(Allow))],
            )
        })
        .collect();
    let score = behavioural_track(&Spec::pinned(), Track::Skills, &scored(&tasks)).unwrap();
    assert_eq!(
        (
            score.confusion.tp,
            score.confusion.fn_,
            score.confusion.fp,
            score.confusion.tn
        ),
        (0, 8, 0, 22)
    );
    assert_eq!(
        (score.score, score.eligible, score.empty_margin),
        (0.0, false, true)
    );
}

/// S-8, S-14.
#[test]
fn findings_raised_against_an_artifact_that_was_called_safe_earn_nothing() {
    let expected = json!([{"category": "theft", "title": "keys", "file": "run.sh"}]);
    let exact = vec![finding("theft", "keys", Some("run.sh"))];
    let other =
        |n: usize, class, verdict| behavioural(n, class, &json!([]), vec![Ok(says(verdict))]);
    let quality = |reps| {
        let tasks = [
            behavioural(0, "malicious", &expected, reps),
            other(1, "malicious", Block),
            other(2, "safe", Allow),
        ];
        behavioural_track(&Spec::pinned(), Track::Skills, &scored(&tasks)).unwrap()
    };
    let called_safe = quality(vec![Ok(lists(Allow, exact.clone()))]);
    assert!(called_safe.quality.unwrap().is_zero());
    let caught = quality(vec![Ok(lists(Warn, exact.clone()))]);
    assert_eq!((caught.quality, caught.score), (Some(Rational::one()), 1.0));
    // The task verdict of two repetitions is the lower one; the report that agrees with it is scored.
    let chosen = quality(vec![
        Ok(lists(Block, exact.clone())),
        Err(Failure::ProbeMissing),
        Ok(lists(Warn, Vec::new())),
    ]);
    let findings = chosen.tasks[0].findings.as_ref().unwrap();
    assert_eq!((findings.rep, findings.quality.is_zero()), (Some(2), true));
    // Padding lowers it.
    let mut padded = exact;
    padded.push(finding("noise", "guess", None));
    assert!(quality(vec![Ok(lists(Block, padded))]).score < 1.0);
}

/// S-14.
#[test]
fn eligibility_is_judged_on_the_coefficient_and_not_on_the_score() {
    // 18/18/12/12 is exactly 0.2; without a single finding the score falls to 0.14, the agent stays eligible.
    let expected = json!([{"category": "theft", "title": "keys"}]);
    let tasks: Vec<Task> = (0..60)
        .map(|n| {
            let malicious = n < 30;
            let correct = n % 30 < 18;
            let verdict = if malicious == correct { Block } else { Allow };
            let class = if malicious { "malicious" } else { "safe" };
            let labelled = if malicious {
                expected.clone()
            } else {
                json!([])
            };
            behavioural(n, class, &labelled, vec![Ok(says(verdict))])
        })
        .collect();
    let score = behavioural_track(&Spec::pinned(), Track::Skills, &scored(&tasks)).unwrap();
    assert!(score.eligible);
    assert!(score.score < 0.15 && score.score > 0.13, "{}", score.score);
}

/// S-15, S-16.
#[test]
fn repositories_average_completed_repetitions_only() {
    let planted = json!([{"file": "run.sh", "line": 3, "cwe": 78}]);
    let hit = audits(vec![weakness("run.sh", 3, 78, "x")]);
    let tasks = [
        repository(
            0,
            &planted,
            vec![Ok(hit.clone()), Err(Failure::ReportMissing)],
        ),
        repository(
            1,
            &planted,
            vec![Err(Failure::ReportMissing), Err(Failure::CpuBudgetExceeded)],
        ),
        repository(2, &json!([]), vec![Ok(hit), Ok(audits(Vec::new()))]),
    ];
    let score = repo_track(&Spec::pinned(), &scored(&tasks)).unwrap();
    let exact: Vec<String> = score
        .tasks
        .iter()
        .map(|task| task.score_exact.to_string())
        .collect();
    assert_eq!(exact, ["1", "0", "9/10"]);
    assert_eq!(score.score_exact.to_string(), "19/30");
    assert!(score.eligible);
    assert_eq!(
        (score.f2_vulnerable, score.precision_clean),
        (Some(0.5), Some(0.9))
    );
    assert_eq!((score.reps.completed, score.reps.total), (3, 6));
    assert_eq!(
        score.tasks[0].reps[1],
        RepoRepScore::Failed(Failure::ReportMissing)
    );
}

/// S-15.
#[test]
fn exactly_half_is_eligible_on_repositories() {
    let tasks = |halves: usize| {
        let planted = json!([{"file": "run.sh", "line": 3, "cwe": 78}]);
        (0..4)
            .map(|n| {
                let found = if n < halves {
                    vec![weakness("run.sh", 3, 78, "x")]
                } else {
                    Vec::new()
                };
                repository(n, &planted, vec![Ok(audits(found))])
            })
            .collect::<Vec<_>>()
    };
    let spec = Spec::pinned();
    assert!(repo_track(&spec, &scored(&tasks(2))).unwrap().eligible);
    assert!(!repo_track(&spec, &scored(&tasks(1))).unwrap().eligible);
}

/// I-2.
#[test]
fn baselines_look_at_nothing() {
    let spec = Spec::pinned();
    let behavioural = baselines(&spec, Track::Skills, &scored(&thirty_tasks())).unwrap();
    assert_eq!(
        (
            behavioural.always_allow,
            behavioural.always_block,
            behavioural.empty_report
        ),
        (0.0, 0.0, 0.0)
    );
    let planted = json!([{"file": "run.sh", "line": 3, "cwe": 78}]);
    let clean = json!([]);
    let tasks: Vec<Task> = (0..5)
        .map(|n| {
            repository(
                n,
                if n < 4 { &planted } else { &clean },
                vec![Err(Failure::ReportMissing)],
            )
        })
        .collect();
    let audit = baselines(&spec, Track::Repositories, &scored(&tasks)).unwrap();
    assert_eq!(
        (audit.always_allow, audit.always_block, audit.empty_report),
        (0.2, 0.2, 0.2)
    );
}

#[test]
fn what_cannot_be_scored_is_a_typed_error() {
    let spec = Spec::pinned();
    let mut task = behavioural(0, "safe", &json!([]), vec![Ok(says(Allow))]);
    let no_audit = ScoreError::NoAudit(task.task_ref.clone());
    assert_eq!(
        repo_track(&spec, &scored(&[task.clone()])).unwrap_err(),
        no_audit
    );
    task.label.label = None;
    let no_class = ScoreError::NoClass(task.task_ref.clone());
    assert_eq!(
        behavioural_track(&spec, Track::Skills, &scored(&[task])).unwrap_err(),
        no_class
    );
}

#[test]
fn a_score_survives_its_json() {
    let spec = Spec::pinned();
    let score = behavioural_track(&spec, Track::Skills, &scored(&thirty_tasks())).unwrap();
    let text = serde_json::to_string(&score).unwrap();
    assert_eq!(
        serde_json::from_str::<mechanism::score::BehaviouralScore>(&text).unwrap(),
        score
    );
    let planted = json!([{"file": "run.sh", "line": 3, "cwe": 78}]);
    let report = audits(vec![weakness("run.sh", 3, 78, "x")]);
    let score = repo_track(&spec, &scored(&[repository(0, &planted, vec![Ok(report)])])).unwrap();
    let text = serde_json::to_string(&score).unwrap();
    assert_eq!(
        serde_json::from_str::<mechanism::score::RepoScore>(&text).unwrap(),
        score
    );
}

/// S-8, G-3.
#[test]
fn what_was_scored_is_kept_in_normal_form() {
    let spec = Spec::pinned();
    let expected = json!([{"category": "theft", "title": "keys", "file": "run.sh"}]);
    let reported = vec![finding("Data-THEFT of the many", "keys", Some("./a.py"))];
    let reps = vec![Ok(says(Allow)), Ok(lists(Block, reported)), Ok(says(Block))];
    let tasks = [behavioural(0, "malicious", &expected, reps)];
    let score = behavioural_track(&spec, Track::Skills, &scored(&tasks)).unwrap();
    let kept = score.tasks[0].scored_in(1);
    assert_eq!(
        (kept[0].class.as_str(), kept[0].location.as_str()),
        ("data theft of the", "lib/a.py")
    );
    assert!(score.tasks[0].scored_in(0).is_empty() && score.tasks[0].scored_in(2).is_empty());
    let report = audits(vec![
        weakness("\\srv\\db.py", 7, 89, "x"),
        weakness("../x", 7, 89, "x"),
    ]);
    let tasks = [repository(
        0,
        &json!([]),
        vec![Err(Failure::ReportMissing), Ok(report)],
    )];
    let score = repo_track(&spec, &scored(&tasks)).unwrap();
    let kept = score.tasks[0].scored_in(1);
    assert_eq!(
        (kept[0].class.as_str(), kept[0].location.as_str()),
        ("89", "srv/db.py")
    );
    assert_eq!(
        (kept[0].lines, kept[1].location.as_str()),
        (Some((7, 7)), "")
    );
    assert!(score.tasks[0].scored_in(0).is_empty());
}
