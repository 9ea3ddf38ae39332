//! Copies of agents: the normalised digest and the groups of equal agents (SPEC.md W-2, W-3; `mechanism.md §8`).

use crate::bytes::Fields;
use crate::ids::Hash32;
use std::collections::BTreeMap;

/// One token as the pinned runtime's `tokenize` yields it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Name of the token's kind in `tokenize.tok_name`, e.g. `NAME`.
    pub kind: String,
    /// Text of the token.
    pub text: String,
}

/// What is known of one file of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentFile {
    /// A Python file that tokenises: all its tokens in order.
    Tokens(Vec<Token>),
    /// Any other file, or one that does not tokenise: its bytes.
    Bytes(Vec<u8>),
}

impl AgentFile {
    /// The file's normalised digest: over kind and text of every token that says something, or over the bytes.
    #[must_use]
    pub fn normalised_digest(&self) -> Hash32 {
        match self {
            AgentFile::Bytes(bytes) => blake3::hash(bytes).into(),
            AgentFile::Tokens(tokens) => meaningful(tokens)
                .into_iter()
                .fold(Fields::new(), |fields, token| {
                    fields.text(&token.kind).text(&token.text)
                })
                .hash(),
        }
    }
}

/// The normalised digest of a bundle: name and digest of each file, sorted by name.
#[must_use]
pub fn bundle_digest(files: &BTreeMap<String, AgentFile>) -> Hash32 {
    files
        .iter()
        .fold(Fields::new(), |fields, (name, file)| {
            fields.text(name).hash32(&file.normalised_digest())
        })
        .hash()
}

/// Kinds that only lay a file out; `ENCODING` is what is left of a coding comment.
const LAYOUT: [&str; 6] = ["COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENCODING"];

/// The tokens without comments, line breaks, indentation and docstrings.
///
/// A docstring is a statement of nothing but plain string literals that comes first in the file or in the body of a `class` or
/// `def`, also on the header's own line.
fn meaningful(tokens: &[Token]) -> Vec<&Token> {
    let mut kept = Vec::new();
    // The next logical line may be a docstring; the last one was the header of a definition.
    let (mut first_of_body, mut opens_body) = (true, false);
    let mut line: Vec<&Token> = Vec::new();
    for token in tokens {
        match token.kind.as_str() {
            "NEWLINE" | "ENDMARKER" => {
                if !line.is_empty() {
                    let body = body_on_header_line(&line);
                    let start = body.unwrap_or(0);
                    if (body.is_some() || first_of_body)
                        && line[start..].iter().all(|t| is_plain_string(t))
                    {
                        line.truncate(start);
                    }
                    opens_body = body.is_some() && start == line.len();
                    first_of_body = false;
                    kept.append(&mut line);
                }
                if token.kind == "ENDMARKER" {
                    kept.push(token);
                }
            }
            "INDENT" => first_of_body = opens_body,
            kind if LAYOUT.contains(&kind) => {}
            _ => line.push(token),
        }
    }
    kept.append(&mut line);
    kept
}

/// Index behind the colon that ends the header of a definition; `None` for a line that is no such header.
fn body_on_header_line(line: &[&Token]) -> Option<usize> {
    let word = |at: usize| line.get(at).map(|token| token.text.as_str());
    match (word(0), word(1)) {
        (Some("def" | "class"), _) | (Some("async"), Some("def")) => {}
        _ => return None,
    }
    let mut depth = 0i64;
    for (at, token) in line.iter().enumerate() {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            ":" if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    Some(line.len())
}

/// A string literal that is neither bytes nor formatted.
fn is_plain_string(token: &Token) -> bool {
    let prefix = token.text.split(['"', '\'']).next().unwrap_or_default();
    token.kind == "STRING"
        && !prefix
            .bytes()
            .any(|byte| matches!(byte.to_ascii_lowercase(), b'f' | b'b' | b't'))
}

/// What decides whether two agents of a track are one, and which of them came first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// The pin's text.
    pub pin: &'a str,
    /// The normalised digest; `None` for an agent that could not be had, which is then compared by its pin alone.
    pub digest: Option<&'a str>,
    /// Block of the commitment that counts.
    pub commit_block: u64,
    /// Tie hash of the hotkey on this track.
    pub tie: Hash32,
}

/// For each candidate the position of its group's original, which is its own position for the original itself.
///
/// Agents with the same pin or the same digest are one group, transitively. The original is the earliest commitment, of the same block the
/// lower tie hash.
#[must_use]
pub fn originals(candidates: &[Candidate<'_>]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..candidates.len()).collect();
    let mut first_with: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let pin = Some((true, candidate.pin));
        let digest = candidate.digest.map(|digest| (false, digest));
        for key in [pin, digest].into_iter().flatten() {
            let other = *first_with.entry(key).or_insert(at);
            let (from, into) = (group[at], group[other]);
            for member in &mut group {
                if *member == from {
                    *member = into;
                }
            }
        }
    }
    (0..candidates.len())
        .map(|at| {
            (0..candidates.len())
                .filter(|other| group[*other] == group[at])
                .min_by_key(|other| (candidates[*other].commit_block, candidates[*other].tie))
                .unwrap_or(at)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(list: &[(&str, &str)]) -> AgentFile {
        let token = |(kind, text): &(&str, &str)| Token {
            kind: (*kind).to_owned(),
            text: (*text).to_owned(),
        };
        AgentFile::Tokens(list.iter().map(token).collect())
    }

    #[test]
    fn layout_comments_and_docstrings_leave_no_trace() {
        let bare = tokens(&[
            ("ENCODING", "utf-8"),
            ("NAME", "def"),
            ("NAME", "f"),
            ("OP", ":"),
            ("NEWLINE", "\n"),
            ("INDENT", "    "),
            ("NAME", "pass"),
            ("NEWLINE", "\n"),
            ("DEDENT", ""),
            ("ENDMARKER", ""),
        ]);
        let dressed = tokens(&[
            ("ENCODING", "utf-8"),
            ("COMMENT", "# stolen"),
            ("NL", "\n"),
            ("STRING", "\"\"\"Module.\"\"\""),
            ("NEWLINE", "\r\n"),
            ("NAME", "def"),
            ("NAME", "f"),
            ("OP", ":"),
            ("NEWLINE", "\n"),
            ("INDENT", "\t"),
            ("STRING", "'one'"),
            ("STRING", "r'two'"),
            ("NEWLINE", "\n"),
            ("NAME", "pass"),
            ("NEWLINE", "\n"),
            ("DEDENT", ""),
            ("ENDMARKER", ""),
        ]);
        assert_eq!(bare.normalised_digest(), dressed.normalised_digest());
    }

    #[test]
    fn strings_that_do_something_stay() {
        let base = [("NAME", "x"), ("NEWLINE", "\n"), ("ENDMARKER", "")];
        let formatted = [
            ("STRING", "f'{x}'"),
            ("NEWLINE", "\n"),
            ("NAME", "x"),
            ("NEWLINE", "\n"),
            ("ENDMARKER", ""),
        ];
        let branch = |body: &'static [(&'static str, &'static str)]| {
            let mut list = vec![
                ("NAME", "if"),
                ("NAME", "x"),
                ("OP", ":"),
                ("NEWLINE", "\n"),
            ];
            list.push(("INDENT", " "));
            list.extend_from_slice(body);
            list.extend([("NEWLINE", "\n"), ("ENDMARKER", "")]);
            tokens(&list).normalised_digest()
        };
        let later = [
            ("NAME", "x"),
            ("NEWLINE", "\n"),
            ("STRING", "'s'"),
            ("NEWLINE", "\n"),
            ("ENDMARKER", ""),
        ];
        let assigned = [
            ("NAME", "x"),
            ("OP", "="),
            ("STRING", "'s'"),
            ("NEWLINE", "\n"),
            ("ENDMARKER", ""),
        ];
        let digests = [
            tokens(&base).normalised_digest(),
            tokens(&formatted).normalised_digest(),
            tokens(&later).normalised_digest(),
            tokens(&assigned).normalised_digest(),
            branch(&[("STRING", "'s'")]),
            branch(&[]),
        ];
        for (at, digest) in digests.iter().enumerate() {
            assert!(!digests[..at].contains(digest), "case {at}");
        }
    }

    #[test]
    fn a_docstring_on_the_header_line_goes_and_what_follows_it_stays() {
        let of = |body: &[(&str, &str)]| {
            let mut list = vec![("NAME", "class"), ("NAME", "A"), ("OP", ":")];
            list.extend_from_slice(body);
            list.extend([("NEWLINE", "\n"), ("ENDMARKER", "")]);
            tokens(&list).normalised_digest()
        };
        assert_eq!(of(&[("STRING", "'doc'")]), of(&[("STRING", "'other doc'")]));
        let followed = |text| of(&[("STRING", text), ("OP", ";"), ("NAME", "pass")]);
        assert_ne!(followed("'doc'"), followed("'other doc'"));
    }

    #[test]
    fn kind_and_text_are_separate_fields_and_file_names_count() {
        let a = tokens(&[("NAME", "x")]);
        let b = tokens(&[("NAM", "Ex")]);
        assert_ne!(a.normalised_digest(), b.normalised_digest());
        let bundle = |name: &str| bundle_digest(&BTreeMap::from([(name.to_owned(), a.clone())]));
        assert_ne!(bundle("agent.py"), bundle("other.py"));
    }

    fn candidate<'a>(pin: &'a str, digest: Option<&'a str>, block: u64, tie: u8) -> Candidate<'a> {
        Candidate {
            pin,
            digest,
            commit_block: block,
            tie: Hash32([tie; 32]),
        }
    }

    #[test]
    fn groups_are_transitive_over_pins_and_digests() {
        let candidates = [
            candidate("p1", Some("d1"), 9, 1),
            candidate("p2", Some("d2"), 8, 1),
            candidate("p1", Some("d2"), 10, 1),
            candidate("p3", None, 1, 1),
        ];
        assert_eq!(originals(&candidates), [1, 1, 1, 3]);
    }

    #[test]
    fn within_a_block_the_lower_tie_hash_is_the_original() {
        let candidates = [candidate("p", None, 5, 7), candidate("p", None, 5, 3)];
        assert_eq!(originals(&candidates), [1, 1]);
    }

    #[test]
    fn a_pin_is_never_taken_for_a_digest() {
        let candidates = [
            candidate("same", None, 1, 1),
            candidate("other", Some("same"), 2, 1),
        ];
        assert_eq!(originals(&candidates), [0, 1]);
    }

    proptest! {
        #[test]
        fn the_order_of_candidates_changes_nothing(
            list in proptest::collection::vec((0u8..4, proptest::option::of(0u8..4), 0u64..3), 0..8)
        ) {
            let texts: Vec<String> = (0..4).map(|n| n.to_string()).collect();
            let build = |order: &[usize]| {
                let candidates: Vec<Candidate<'_>> = order.iter().map(|&at| {
                    let (pin, digest, block) = list[at];
                    candidate(&texts[usize::from(pin)], digest.map(|d| texts[usize::from(d)].as_str()), block, u8::try_from(at).unwrap())
                }).collect();
                let mut pairs: Vec<(usize, usize)> = originals(&candidates).into_iter().enumerate()
                    .map(|(at, original)| (order[at], order[original])).collect();
                pairs.sort_unstable();
                pairs
            };
            let forward: Vec<usize> = (0..list.len()).collect();
            let backward: Vec<usize> = forward.iter().rev().copied().collect();
            prop_assert_eq!(build(&forward), build(&backward));
        }
    }
}
