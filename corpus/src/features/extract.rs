//! What an artifact shows at a glance: numbers and marks that need no understanding of what it does.

use super::prose::prose;
use crate::language::{extension, file_name, language};
use crate::shingles::{is_licence, text_of};
use mechanism::words::words;
use std::collections::{BTreeMap, BTreeSet};

/// File names of package manifests.
const MANIFESTS: [&str; 12] = [
    "package.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "cargo.toml",
    "go.mod",
    "composer.json",
    "gemfile",
    "pom.xml",
    "skill.md",
    "manifest.json",
];
/// Languages that are data or prose: the main language is the largest of the others, where there is one.
const NO_CODE: [&str; 5] = ["JSON", "YAML", "Configuration", "Text", "other"];

/// The features of one artifact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Numbers by name; an absent one is 0.
    pub(super) numbers: BTreeMap<String, u64>,
    /// Names of what is there.
    pub(super) present: BTreeSet<String>,
}

/// Collects the features of one artifact, file by file.
#[derive(Debug, Default)]
pub(super) struct Reader {
    present: BTreeSet<String>,
    languages: BTreeMap<&'static str, u64>,
    total: Counts,
    words: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Counts {
    files: u64,
    bytes: u64,
    largest: u64,
    lines: u64,
    longest_line: u64,
    text_bytes: u64,
    prose_bytes: u64,
    depth: u64,
}

impl Reader {
    /// Takes one file in.
    pub(super) fn add(&mut self, path: &str, executable: bool, content: &[u8]) {
        let size = content.len() as u64;
        let total = &mut self.total;
        total.files += 1;
        total.bytes += size;
        total.largest = total.largest.max(size);
        total.depth = total.depth.max(path.matches('/').count() as u64);
        *self.languages.entry(language(path)).or_default() += size;
        self.mark_path(path);
        if executable {
            self.mark("an executable file");
        }
        match text_of(content) {
            Some(text) => self.read_text(path, &text),
            None => self.mark("a binary file"),
        }
    }

    fn mark(&mut self, name: impl Into<String>) {
        self.present.insert(name.into());
    }

    fn mark_path(&mut self, path: &str) {
        let name = file_name(path).to_ascii_lowercase();
        match extension(path) {
            Some(ending) => self.mark(format!("extension .{}", ending.to_ascii_lowercase())),
            None => self.mark("a file without extension"),
        }
        for word in words(path) {
            self.mark(format!("path word {word}"));
        }
        if MANIFESTS.contains(&name.as_str()) {
            self.mark("a manifest");
            self.mark(format!("manifest {name}"));
        }
        if words(path).any(|word| matches!(word.as_str(), "test" | "tests" | "spec" | "testing")) {
            self.mark("a test file");
        }
        if is_licence(path) {
            self.mark("a licence file");
        }
        if path.split('/').any(|component| component.starts_with('.')) {
            self.mark("a hidden file");
        }
    }

    fn read_text(&mut self, path: &str, text: &str) {
        let total = &mut self.total;
        total.text_bytes += text.len() as u64;
        for line in text.split_inclusive('\n') {
            total.lines += 1;
            total.longest_line = total
                .longest_line
                .max(line.trim_end_matches('\n').len() as u64);
        }
        // Two artifacts with one licence would otherwise share hundreds of words.
        if !is_licence(path) {
            let (found, bytes) = prose(path, text);
            total.prose_bytes += bytes;
            self.words.extend(found);
        }
        if !text.is_ascii() {
            self.mark("a character outside ASCII");
        }
    }

    /// The features of all files together.
    pub(super) fn finish(mut self) -> Seen {
        let total = &self.total;
        let mut numbers: BTreeMap<String, u64> = [
            ("files", total.files),
            ("bytes", total.bytes),
            ("bytes of the largest file", total.largest),
            ("bytes per file", ratio(total.bytes, total.files, 1)),
            ("lines", total.lines),
            ("longest line in bytes", total.longest_line),
            (
                "average line in hundredths of a byte",
                ratio(total.text_bytes, total.lines, 100),
            ),
            ("depth of folders", total.depth),
            ("bytes of comments and prose", total.prose_bytes),
            (
                "per mille of comments and prose",
                ratio(total.prose_bytes, total.text_bytes, 1000),
            ),
            (
                "different words of comments and prose",
                self.words.len() as u64,
            ),
            ("languages", self.languages.len() as u64),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (language, bytes) in &self.languages {
            let share = ratio(*bytes, total.bytes, 1000);
            numbers.insert(format!("per mille of {language}"), share);
        }
        if let Some(main) = main_language(&self.languages) {
            self.present.insert(format!("main language {main}"));
        }
        let words = self.words.iter().map(|word| format!("comment word {word}"));
        self.present.extend(words);
        Seen {
            numbers,
            present: self.present,
        }
    }
}

/// `scale · part / whole`, rounded down; 0 of nothing.
fn ratio(part: u64, whole: u64, scale: u64) -> u64 {
    part.saturating_mul(scale).checked_div(whole).unwrap_or(0)
}

/// The language with the most bytes, code before data; the first by name where two are equal.
fn main_language(languages: &BTreeMap<&'static str, u64>) -> Option<&'static str> {
    let code = |name: &str| !NO_CODE.contains(&name);
    languages
        .iter()
        .rev()
        .max_by_key(|(name, bytes)| (code(name), **bytes))
        .map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(files: &[(&str, &str)]) -> Seen {
        let mut reader = Reader::default();
        for (path, text) in files {
            reader.add(path, false, text.as_bytes());
        }
        reader.finish()
    }

    #[test]
    fn numbers_are_those_of_all_files_together() {
        let seen = seen(&[
            ("src/a.py", "x = 1  # note\n"),
            ("README.md", "Two words\nmore"),
        ]);
        let number = |name: &str| seen.numbers.get(name).copied();
        assert_eq!(number("files"), Some(2));
        assert_eq!(number("bytes"), Some(28));
        assert_eq!(number("lines"), Some(3));
        assert_eq!(number("longest line in bytes"), Some(13));
        assert_eq!(number("average line in hundredths of a byte"), Some(933));
        assert_eq!(number("per mille of Python"), Some(500));
        assert_eq!(number("depth of folders"), Some(1));
    }

    #[test]
    fn marks_name_what_is_there() {
        let seen = seen(&[
            ("src/tests/.env", "A=1\n"),
            ("package.json", "{}"),
            ("LICENSE", "granted"),
            (
                "big.md",
                "a long text of prose that is larger than the code",
            ),
            ("main.py", "# caf\u{e9}\n"),
        ]);
        for name in [
            "a hidden file",
            "a test file",
            "a manifest",
            "manifest package.json",
            "a licence file",
            "extension .json",
            "a file without extension",
            "path word src",
            "main language Python",
            "a character outside ASCII",
            "comment word prose",
        ] {
            assert!(seen.present.contains(name), "{name}");
        }
        for name in [
            "comment word granted",
            "a binary file",
            "an executable file",
        ] {
            assert!(!seen.present.contains(name), "{name}");
        }
    }
}
