//! Near-duplicates, and labels that a single feature gives away.

use super::common::{Fixture, behavioural};
use corpus::{Code, features, lint};
use mechanism::track::Track;

fn found(fixture: &Fixture, code: Code) -> Vec<String> {
    let report = lint(fixture.path()).unwrap();
    let of_code = report.problems.iter().filter(|p| p.code == code);
    of_code
        .map(|p| format!("{}: {}", p.file, p.message))
        .collect()
}

fn long_text(salt: &str, words: usize) -> String {
    (0..words).map(|n| format!("{salt}{n} ")).collect()
}

#[test]
fn a_fit_corpus_has_no_near_duplicates() {
    assert!(found(&Fixture::fit(), Code::NearDuplicate).is_empty());
}

#[test]
fn copies_with_another_layout_are_found_across_labels_and_tracks() {
    let fixture = Fixture::fit();
    let text = long_text("w", 200);
    fixture.write("skills/t0001-skills-tool/artifact/guide.md", &text);
    fixture.write(
        "skills/t0002-skills-tool/artifact/docs/manual.md",
        &text.replace(' ', "\n\n"),
    );
    fixture.write(
        "packages/t0001-packages-tool/artifact/NOTES.md",
        &text.to_uppercase(),
    );
    fixture.write(
        "packages/t0002-packages-tool/artifact/guide.md",
        &long_text("v", 200),
    );
    let found = found(&fixture, Code::NearDuplicate);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found.iter().any(
            |line| line.starts_with("skills/t0002-skills-tool/artifact: shares ")
                && line.ends_with("with packages/t0001-packages-tool")
        ),
        "{found:?}"
    );
}

#[test]
fn equal_artifacts_are_named_as_such_and_not_twice() {
    let fixture = Fixture::fit();
    for task in ["skills/t0001-skills-tool", "skills/t0003-skills-tool"] {
        fixture.write(
            &format!("{task}/artifact/README.md"),
            "one and the same text for both of them\n",
        );
    }
    assert!(found(&fixture, Code::NearDuplicate).is_empty());
    assert_eq!(found(&fixture, Code::DuplicateArtifact).len(), 1);
}

/// A track of `each` malicious and as many safe tasks; `mark` says which task (of either class) carries the telling word.
fn marked(each: usize, mark: impl Fn(usize, bool) -> bool) -> Fixture {
    let fixture = Fixture::fit();
    for n in 0..2 * each {
        let malicious = n % 2 == 0;
        let name = format!("t{n:04}-tool");
        fixture.task("skills", &name, &behavioural("skills", &name, malicious));
        let comment = if mark(n / 2, malicious) {
            "unusual"
        } else {
            "ordinary"
        };
        // Words that depend on nothing the label depends on.
        let noise: String = (0..6)
            .map(|bit| format!(" noise{}", bit * 2 + (n / 2 * 7 / (bit + 1)) % 2))
            .collect();
        fixture.write(
            &format!("skills/{name}/artifact/src/main.py"),
            &format!("# {comment}{noise}\nimport os\n"),
        );
    }
    fixture
}

#[test]
fn a_word_of_one_class_is_found_and_is_a_problem_from_forty_tasks_on() {
    let telling = marked(42, |n, malicious| malicious == (n % 10 != 0));
    let report = features(telling.path()).unwrap();
    let skills = &report.tracks[&Track::Skills];
    assert!(skills.gate && skills.best_separates());
    let names: Vec<&str> = skills
        .separating
        .iter()
        .map(|s| s.feature.as_str())
        .collect();
    assert!(names.contains(&"comment word unusual"), "{names:?}");
    let problems = report.problems();
    assert!(
        problems
            .iter()
            .all(|p| p.code == Code::FeatureSeparates && p.file == "skills")
    );
    assert!(
        problems
            .iter()
            .any(|p| p.message.contains("comment word unusual")),
        "{problems:?}"
    );
    assert_eq!(report, features(telling.path()).unwrap());
}

#[test]
fn fewer_tasks_give_a_note_and_no_problem() {
    let telling = marked(20, |n, malicious| malicious == (n % 10 != 0));
    let report = features(telling.path()).unwrap();
    let skills = &report.tracks[&Track::Skills];
    assert!(!skills.gate && skills.best_separates());
    assert!(report.problems().is_empty());
}

#[test]
fn words_without_a_bearing_on_the_label_separate_nothing() {
    let ordinary = marked(45, |n, _| n % 3 == 0);
    let report = features(ordinary.path()).unwrap();
    assert!(report.tracks[&Track::Skills].gate);
    assert!(report.problems().is_empty(), "{:?}", report.problems());
}
