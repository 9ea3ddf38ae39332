//! The words that people wrote for people: comments, docstrings, and the text of prose files.

use crate::language::{extension, file_name};
use mechanism::words::words;
use std::collections::BTreeSet;

/// How a file marks its comments.
#[derive(Clone, Copy, Default)]
struct Syntax {
    /// Starts of comments that end with the line.
    line: &'static [&'static str],
    /// Start and end of comments over several lines.
    block: Option<[&'static str; 2]>,
    /// Strings that count as documentation.
    docstrings: &'static [&'static str],
    /// Quotes of strings, in which no comment starts.
    quotes: &'static [char],
}

/// The distinct words of a file's prose, and how many bytes the prose has.
pub(super) fn prose(path: &str, text: &str) -> (BTreeSet<String>, u64) {
    let Some(syntax) = syntax(path) else {
        return (prose_words(text), text.len() as u64);
    };
    let comments = comments(text, syntax);
    (prose_words(&comments), comments.len() as u64)
}

/// Words with a letter: numbers alone say nothing.
fn prose_words(text: &str) -> BTreeSet<String> {
    words(text)
        .filter(|word| word.len() > 1 && word.bytes().any(|byte| byte.is_ascii_alphabetic()))
        .collect()
}

/// `None` for files that are prose from end to end.
fn syntax(path: &str) -> Option<Syntax> {
    const HASH: &[&str] = &["#"];
    const SLASHES: &[&str] = &["//"];
    const C_BLOCK: Option<[&str; 2]> = Some(["/*", "*/"]);
    const QUOTES: &[char] = &['"', '\''];
    let ending = extension(path).unwrap_or_default().to_ascii_lowercase();
    let name = file_name(path).to_ascii_lowercase();
    let found = match ending.as_str() {
        "md" | "rst" | "txt" | "mdx" => return None,
        "py" | "pyi" => Syntax {
            line: HASH,
            docstrings: &["\"\"\"", "'''"],
            quotes: QUOTES,
            ..Syntax::default()
        },
        "sh" | "bash" | "zsh" | "toml" | "yaml" | "yml" | "cfg" | "ini" | "rb" | "gemspec"
        | "pl" | "mk" => Syntax {
            line: HASH,
            quotes: QUOTES,
            ..Syntax::default()
        },
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" | "go" => Syntax {
            line: SLASHES,
            block: C_BLOCK,
            quotes: &['"', '\'', '`'],
            ..Syntax::default()
        },
        "c" | "h" | "java" | "kt" | "kts" | "cs" | "swift" | "scala" | "css" | "mod" => Syntax {
            line: SLASHES,
            block: C_BLOCK,
            quotes: QUOTES,
            ..Syntax::default()
        },
        // A lifetime is no string.
        "rs" => Syntax {
            line: SLASHES,
            block: C_BLOCK,
            quotes: &['"'],
            ..Syntax::default()
        },
        "php" => Syntax {
            line: &["//", "#"],
            block: C_BLOCK,
            quotes: QUOTES,
            ..Syntax::default()
        },
        "sql" | "lua" => Syntax {
            line: &["--"],
            block: C_BLOCK,
            quotes: QUOTES,
            ..Syntax::default()
        },
        "html" | "xml" | "svg" | "vue" => Syntax {
            block: Some(["<!--", "-->"]),
            ..Syntax::default()
        },
        _ if name == "dockerfile" || name == "makefile" || name.starts_with('.') => Syntax {
            line: HASH,
            quotes: QUOTES,
            ..Syntax::default()
        },
        _ => Syntax::default(),
    };
    Some(found)
}

/// The text of all comments and docstrings, a line break between any two.
fn comments(text: &str, syntax: Syntax) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let doc = syntax
            .docstrings
            .iter()
            .find(|mark| rest.starts_with(**mark));
        if let Some(mark) = doc {
            rest = until(&rest[mark.len()..], mark, &mut found);
        } else if let Some([open, close]) = syntax.block.filter(|[open, _]| rest.starts_with(open))
        {
            rest = until(&rest[open.len()..], close, &mut found);
        } else if let Some(mark) = syntax.line.iter().find(|mark| rest.starts_with(**mark)) {
            rest = until(&rest[mark.len()..], "\n", &mut found);
        } else if syntax.quotes.contains(&c) {
            rest = after_string(&rest[c.len_utf8()..], c);
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    found
}

/// Keeps what stands before `end` and returns what stands behind it.
fn until<'a>(text: &'a str, end: &str, found: &mut String) -> &'a str {
    let (inside, rest) = text.split_once(end).unwrap_or((text, ""));
    found.push_str(inside);
    found.push('\n');
    rest
}

/// What stands behind a string. All but template strings end with their line at the latest, so that an apostrophe in a
/// place that this reader does not understand swallows one line and no more.
fn after_string(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        let ends = c == quote || (c == '\n' && quote != '`');
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if ends {
            return &text[at + c.len_utf8()..];
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(path: &str, text: &str) -> Vec<String> {
        prose(path, text).0.into_iter().collect()
    }

    #[test]
    fn comments_and_docstrings_count_and_code_and_strings_do_not() {
        let python = "\"\"\"Module doc.\"\"\"\nurl = \"http://x/#frag\"  # trailing note\nit = 'don\\'t # no'\n";
        assert_eq!(
            words_of("a.py", python),
            ["doc", "module", "note", "trailing"]
        );
        let script = "const a = `x // no\n no`; // yes\n/* block\n two */ call('// no');\n";
        assert_eq!(words_of("a.ts", script), ["block", "two", "yes"]);
        assert_eq!(
            words_of("a.rs", "fn f<'a>(x: &'a str) {} // seen"),
            ["seen"]
        );
        assert_eq!(words_of("x.html", "<p>no</p><!-- yes -->"), ["yes"]);
        assert!(words_of("data.json", "{\"a\": \"# no\"}").is_empty());
    }

    #[test]
    fn prose_files_count_whole() {
        assert_eq!(
            words_of("README.md", "Reads 42 files, a lot"),
            ["files", "lot", "reads"]
        );
        assert_eq!(prose("notes.txt", "abc").1, 3);
    }

    #[test]
    fn what_is_never_closed_ends_with_the_file() {
        assert_eq!(words_of("a.js", "/* open"), ["open"]);
        assert_eq!(words_of("a.py", "'''open"), ["open"]);
        assert!(words_of("a.js", "`open // no").is_empty());
    }
}
