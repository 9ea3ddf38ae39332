//! What must hold of every score, whatever an agent reports.

use crate::support::*;
use mechanism::fault::Failure;
use mechanism::report::{Finding, Line, Vulnerability};
use mechanism::score::{behavioural_track, repo_track};
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::verdict::Verdict;
use proptest::prelude::*;
use serde_json::json;

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        Just(Verdict::Allow),
        Just(Verdict::Warn),
        Just(Verdict::Block)
    ]
}

fn place() -> impl Strategy<Value = Option<String>> {
    let path = prop_oneof![
        Just("run.sh"),
        Just("./lib/a.py"),
        Just("a.py"),
        Just("db.py"),
        Just("srv\\db.py"),
        Just("../run.sh"),
        Just(""),
    ];
    proptest::option::of(path.prop_map(str::to_owned))
}

prop_compose! {
    fn any_finding()(category in "(theft|exec|data theft|!)", title in "[a-c]{0,1}( keys| wallet){0,2}", location in place()) -> Finding {
        finding(&category, &title, location.as_deref())
    }
}

prop_compose! {
    fn any_weakness()(
        file in place(), line in proptest::option::of(1i64..40), span in 0i64..25, cwe in proptest::option::of(20u64..23),
        title in "(query|path|shell)( built| input){0,2}",
    ) -> Vulnerability {
        Vulnerability {
            file: file.unwrap_or_default(),
            line: Line::new(line, line.map(|line| line + span), 20),
            cwe,
            title,
            description: String::new(),
        }
    }
}

fn expected() -> serde_json::Value {
    json!([
        {"category": "theft", "title": "takes keys", "file": "run.sh"},
        {"category": "data exec", "title": "wallet", "file": "lib/a.py"},
        {"category": "exec", "title": "keys wallet"},
    ])
}

fn planted() -> serde_json::Value {
    json!([
        {"file": "srv/db.py", "line": 10, "cwe": 20, "title": "query built"},
        {"file": "srv/db.py", "line": 25, "cwe": 21, "title": "query input"},
        {"file": "run.sh", "cwe": 22, "title": "shell"},
        {"file": "lib/a.py", "line": 15, "cwe": [20], "all_cwes": [21, 22], "title": "path"},
    ])
}

fn quality_score(findings: Vec<Finding>) -> f64 {
    let tasks = [
        behavioural(
            0,
            "malicious",
            &expected(),
            vec![Ok(lists(Verdict::Block, findings))],
        ),
        behavioural(1, "safe", &json!([]), vec![Ok(says(Verdict::Allow))]),
    ];
    behavioural_track(&Spec::pinned(), Track::Skills, &scored(&tasks))
        .unwrap()
        .score
}

fn audit_score(reported: Vec<Vulnerability>) -> f64 {
    repo_track(
        &Spec::pinned(),
        &scored(&[repository(0, &planted(), vec![Ok(audits(reported))])]),
    )
    .unwrap()
    .score
}

proptest! {
    /// S-3, S-14.
    #[test]
    fn a_constant_predictor_earns_zero_whatever_it_lists(
        answer in verdict(),
        lists_of in proptest::collection::vec(proptest::collection::vec(any_finding(), 0..4), 2..12),
    ) {
        let tasks: Vec<Task> = lists_of.into_iter().enumerate().map(|(n, findings)| {
            let malicious = n % 2 == 0;
            let labelled = if malicious { expected() } else { json!([]) };
            behavioural(n, if malicious { "malicious" } else { "safe" }, &labelled, vec![Ok(lists(answer, findings))])
        }).collect();
        let score = behavioural_track(&Spec::pinned(), Track::Skills, &scored(&tasks)).unwrap();
        prop_assert_eq!(score.score, 0.0);
        prop_assert!(!score.eligible && score.empty_margin);
    }

    /// S-5.
    #[test]
    fn the_order_of_findings_changes_nothing(
        findings in proptest::collection::vec(any_finding(), 0..10).prop_flat_map(|list| (Just(list.clone()), Just(list).prop_shuffle())),
        reported in proptest::collection::vec(any_weakness(), 0..10).prop_flat_map(|list| (Just(list.clone()), Just(list).prop_shuffle())),
    ) {
        prop_assert_eq!(quality_score(findings.0), quality_score(findings.1));
        prop_assert_eq!(audit_score(reported.0), audit_score(reported.1));
    }

    /// S-5.
    #[test]
    fn duplicates_never_raise_a_score(
        findings in proptest::collection::vec(any_finding(), 1..8), reported in proptest::collection::vec(any_weakness(), 1..8), again in any::<proptest::sample::Index>(),
    ) {
        let mut more = findings.clone();
        more.push(again.get(&findings).clone());
        prop_assert!(quality_score(more) <= quality_score(findings));
        let mut more = reported.clone();
        more.push(again.get(&reported).clone());
        prop_assert!(audit_score(more) <= audit_score(reported));
    }

    /// S-13, S-14.
    #[test]
    fn the_order_of_tasks_changes_no_score(
        set in proptest::collection::vec((any::<bool>(), proptest::option::of(verdict()), proptest::collection::vec(any_finding(), 0..3)), 1..10)
            .prop_flat_map(|list| (Just(list.clone()), Just(list).prop_shuffle())),
    ) {
        let score = |set: Vec<(bool, Option<Verdict>, Vec<Finding>)>| {
            let tasks: Vec<Task> = set.into_iter().enumerate().map(|(n, (malicious, answer, findings))| {
                let labelled = if malicious { expected() } else { json!([]) };
                let rep = answer.map(|answer| lists(answer, findings)).ok_or(Failure::ProbeMissing);
                behavioural(n, if malicious { "malicious" } else { "safe" }, &labelled, vec![rep])
            }).collect();
            let score = behavioural_track(&Spec::pinned(), Track::Skills, &scored(&tasks)).unwrap();
            (score.score.to_bits(), score.confusion, score.quality, score.eligible)
        };
        prop_assert_eq!(score(set.0), score(set.1));
    }

    /// S-15.
    #[test]
    fn the_order_of_repositories_changes_no_score(
        set in proptest::collection::vec(proptest::collection::vec(any_weakness(), 0..6), 1..8)
            .prop_flat_map(|list| (Just(list.clone()), Just(list).prop_shuffle())),
    ) {
        let score = |set: Vec<Vec<Vulnerability>>| {
            let tasks: Vec<Task> = set.into_iter().enumerate()
                .map(|(n, reported)| repository(n, &planted(), vec![Ok(audits(reported))])).collect();
            let score = repo_track(&Spec::pinned(), &scored(&tasks)).unwrap();
            (score.score.to_bits(), score.score_exact)
        };
        prop_assert_eq!(score(set.0), score(set.1));
    }

    #[test]
    fn scores_stay_between_zero_and_one(findings in proptest::collection::vec(any_finding(), 0..20), reported in proptest::collection::vec(any_weakness(), 0..20)) {
        prop_assert!((0.0..=1.0).contains(&quality_score(findings)));
        prop_assert!((0.0..=1.0).contains(&audit_score(reported)));
    }
}
