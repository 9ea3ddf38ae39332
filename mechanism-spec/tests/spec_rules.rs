//! SPEC.md and the code name each other: every cited rule exists, so that neither can move away from the other.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Rule ids such as `D-3` in a text; a range `D-1 to D-8` counts as all of it.
fn rule_ids(text: &str) -> BTreeSet<(char, u32)> {
    let mut ids = BTreeSet::new();
    let mut previous: Option<(char, u32)> = None;
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let mut range = false;
    for word in words.filter(|word| !word.is_empty()) {
        let id = word.split_once('-').and_then(|(letter, number)| {
            let mut letters = letter.chars();
            let first = letters.next().filter(char::is_ascii_uppercase)?;
            let number = number.parse().ok()?;
            letters.next().is_none().then_some((first, number))
        });
        if let (true, Some((letter, from)), Some((same, to))) = (range, previous, id)
            && letter == same
        {
            ids.extend((from..=to).map(|n| (letter, n)));
        }
        ids.extend(id);
        range = word == "to";
        if !range {
            previous = id;
        }
    }
    ids
}

fn sources(folder: &Path, out: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else {
            out.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

/// What follows `SPEC.md` up to the end of its sentence or parenthesis.
fn citations(code: &str) -> BTreeSet<(char, u32)> {
    code.split("SPEC.md")
        .skip(1)
        .flat_map(|rest| {
            let end = rest.find([')', ';', '\n', '`']).unwrap_or(rest.len());
            rule_ids(&rest[..end])
        })
        .collect()
}

#[test]
fn every_cited_rule_is_written_down() {
    let mut code = String::new();
    sources(&root().join("src"), &mut code);
    let spec = fs::read_to_string(root().join("SPEC.md")).unwrap();
    let written: BTreeSet<_> = rule_ids(&spec);
    let cited = citations(&code);
    assert!(
        cited.len() > 30,
        "only {} citations were found",
        cited.len()
    );
    let missing: Vec<_> = cited
        .difference(&written)
        .map(|(l, n)| format!("{l}-{n}"))
        .collect();
    assert!(
        missing.is_empty(),
        "cited in the code, not in SPEC.md: {missing:?}"
    );
}

#[test]
fn ranges_are_read_as_all_of_them() {
    let ids = rule_ids("SPEC.md D-1 to D-3, W-9 (F2, blake3-x, U-)");
    let expected = [('D', 1), ('D', 2), ('D', 3), ('W', 9)];
    assert_eq!(ids, expected.into());
}
