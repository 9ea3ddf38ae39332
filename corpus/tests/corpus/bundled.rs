//! The corpus that ships with the project is fit, and pinned as it stands.

use corpus::{Corpus, lint};
use std::path::Path;

#[test]
fn the_bundled_corpus_is_fit_and_pinned() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let report = lint(dir).unwrap();
    let lines: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
    let corpus = Corpus::load(dir).unwrap();
    assert_eq!(corpus.tasks().count(), report.tasks);
    corpus.verify_all().unwrap();
}
