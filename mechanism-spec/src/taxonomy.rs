//! The capability vocabulary (SPEC.md K-1 to K-3; `mechanism.md §11`).

use crate::rational::Rational;
use crate::spec::Spec;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The vocabulary file, part of the spec id.
pub const TEXT: &str = include_str!("../capabilities.toml");

/// The ten groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Read, write, delete, traverse.
    Filesystem,
    /// Spawn, shell, containers, code execution.
    ProcessAndExecution,
    /// Egress, fetch, listen, exfiltrate.
    Network,
    /// Tokens, keys, environment secrets.
    SecretsAndCredentials,
    /// Connect, query, write, dump.
    Database,
    /// Sign, generate, wallet, on-chain.
    CryptographyAndKeys,
    /// Environment, packages, jobs, devices.
    SystemAndHost,
    /// Read, write, commit, push.
    SourceAndRepository,
    /// Tools, subagents, tool servers, policy, hooks.
    AgentAndTooling,
    /// Injected instructions, loaded content.
    ContextAndReasoning,
}

/// The inherent risk of a capability, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// Harmless in itself.
    Normal,
    /// Harmful in the wrong hands.
    Dangerous,
    /// Changes the host, its tools or its rules.
    System,
    /// Touches what must never leave.
    Redact,
}

impl Protection {
    /// The severity that follows from the level, between 0 and 1.
    #[must_use]
    pub const fn severity(self, spec: &Spec) -> &Rational {
        match self {
            Protection::Normal => &spec.severity.normal,
            Protection::Dangerous => &spec.severity.dangerous,
            Protection::System => &spec.severity.system,
            Protection::Redact => &spec.severity.redact,
        }
    }
}

/// One entry of the vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capability {
    /// Canonical name.
    pub name: String,
    /// Group.
    pub group: Group,
    /// Protection level.
    pub protection: Protection,
    /// One line of meaning.
    pub meaning: String,
    /// Other spellings of the same capability.
    pub aliases: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    capability: Vec<Capability>,
}

struct Vocabulary {
    entries: Vec<Capability>,
    by_spelling: BTreeMap<String, usize>,
}

#[expect(
    clippy::expect_used,
    reason = "the text is part of the binary and a test parses it"
)]
static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let entries = toml::from_str::<File>(TEXT)
        .expect("the embedded vocabulary is valid")
        .capability;
    let mut by_spelling = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        for spelling in entry.aliases.iter().chain([&entry.name]) {
            by_spelling.insert(spelling.clone(), index);
        }
    }
    Vocabulary {
        entries,
        by_spelling,
    }
});

/// Every entry, in the order of the file.
#[must_use]
pub fn all() -> &'static [Capability] {
    &VOCABULARY.entries
}

/// The entry that a name or alias means, without ASCII case; `None` outside of the vocabulary.
#[must_use]
pub fn lookup(spelling: &str) -> Option<&'static Capability> {
    let vocabulary = &*VOCABULARY;
    let index = vocabulary.by_spelling.get(&spelling.to_ascii_uppercase())?;
    vocabulary.entries.get(*index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sixty_names_in_ten_groups_and_every_spelling_means_one() {
        assert!(all().len() >= 60, "{} names", all().len());
        let groups: BTreeSet<_> = all().iter().map(|entry| entry.group).collect();
        assert_eq!(groups.len(), 10);
        let mut spellings = BTreeSet::new();
        for entry in all() {
            for spelling in entry.aliases.iter().chain([&entry.name]) {
                assert!(
                    spellings.insert(spelling.as_str()),
                    "{spelling} is there twice"
                );
                let clean = spelling
                    .bytes()
                    .all(|b| b.is_ascii_uppercase() || b == b'_');
                assert!(clean, "{spelling} is no canonical spelling");
                assert_eq!(lookup(spelling), Some(entry));
            }
            assert!(!entry.meaning.contains('\n') && entry.meaning.ends_with('.'));
        }
    }

    #[test]
    fn every_capability_of_the_seed_is_in_its_group() {
        for (name, group) in [
            ("WRITE_SHELL_PROFILE", Group::Filesystem),
            ("EXEC_SHELL", Group::ProcessAndExecution),
            ("POST_WEB", Group::Network),
            ("READ_SECRET", Group::SecretsAndCredentials),
            ("DUMP_DB", Group::Database),
            ("ACCESS_WALLET", Group::CryptographyAndKeys),
            ("INSTALL_PACKAGE", Group::SystemAndHost),
            ("PUSH_REMOTE", Group::SourceAndRepository),
            ("INVOKE_TOOL", Group::AgentAndTooling),
            ("INJECT_INSTRUCTION", Group::ContextAndReasoning),
        ] {
            assert_eq!(lookup(name).map(|entry| entry.group), Some(group), "{name}");
        }
    }

    #[test]
    fn lookups_ignore_case_and_know_aliases() {
        assert_eq!(lookup("exec_shell"), lookup("SHELL_EXEC"));
        assert!(lookup("shell_exec").is_some());
        assert!(lookup("EXEC SHELL").is_none());
        assert!(lookup("").is_none());
    }

    #[test]
    fn severity_follows_the_level() {
        let spec = Spec::pinned();
        let severity = |name: &str| lookup(name).unwrap().protection.severity(&spec).to_string();
        assert_eq!(severity("READ_FILE"), "1/10");
        assert_eq!(severity("EXEC_SHELL"), "3/5");
        assert_eq!(severity("PUSH_REMOTE"), "17/20");
        assert_eq!(severity("READ_SECRET"), "1");
    }
}
