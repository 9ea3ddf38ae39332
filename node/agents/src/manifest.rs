//! `agent.toml`: what a bundle says about itself.

use crate::error::BundleError;
use crate::names;
use mechanism::track::Track;
use serde::{Deserialize, Serialize};

/// Where the manifest stands in a bundle.
pub const MANIFEST_NAME: &str = "agent.toml";
/// No honest manifest is near this size.
const LARGEST: usize = 64 << 10;
/// Longest name of an agent.
const NAME_CHARS: usize = 64;
/// The function that is called when the entrypoint names none.
const FUNCTION: &str = "agent_main";

/// What starts the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentRuntime {
    /// The runtime's Python loads a module and calls a function.
    Python,
    /// The entrypoint is started as a program.
    Exec,
}

/// `agent.toml`, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Display name: letters, digits, `.`, `_` and `-`. It identifies nothing.
    pub name: String,
    /// The track it is made for.
    pub track: Track,
    /// What starts it.
    pub runtime: AgentRuntime,
    /// As written: `module:function`, `file.py`, or the path of an executable.
    pub entrypoint: String,
}

/// Where a run begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entrypoint {
    /// A module, importable with the bundle's folder on the path, and the function to call.
    Module {
        /// Dotted name.
        module: String,
        /// Function.
        function: String,
    },
    /// A Python file that defines `agent_main`.
    File {
        /// Path in the bundle.
        path: String,
    },
    /// An executable file.
    Executable {
        /// Path in the bundle.
        path: String,
    },
}

impl Manifest {
    /// Reads a manifest. Whether the entrypoint is there shows when it is run, as with a single file.
    ///
    /// # Errors
    /// Not TOML, a key missing, unknown or with a value out of its domain; one line.
    pub fn parse(bytes: &[u8]) -> Result<Self, BundleError> {
        let bad = |reason: String| BundleError::Manifest(reason);
        if bytes.len() > LARGEST {
            return Err(bad(format!("more than {LARGEST} bytes; make it smaller")));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|_| bad("not UTF-8; write it as UTF-8".to_owned()))?;
        let manifest: Manifest = toml::from_str(text).map_err(|error| {
            let reason = error.message().replace('\n', " ");
            bad(format!(
                "{reason}; it needs name, track, runtime = \"python\" or \"exec\", and entrypoint"
            ))
        })?;
        let name = &manifest.name;
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if name.is_empty() || name.len() > NAME_CHARS || !name.chars().all(plain) {
            return Err(bad(format!(
                "name {name:?} is not 1 to {NAME_CHARS} letters, digits, '.', '_' or '-'; choose another"
            )));
        }
        manifest.entry()?;
        Ok(manifest)
    }

    /// The entrypoint, taken apart.
    ///
    /// # Errors
    /// It is neither `module:function` nor a path in the bundle.
    pub fn entry(&self) -> Result<Entrypoint, BundleError> {
        let text = self.entrypoint.as_str();
        let path = || {
            names::check(text.as_bytes())
                .map(str::to_owned)
                .map_err(|error| BundleError::Manifest(format!("entrypoint: {error}")))
        };
        if self.runtime == AgentRuntime::Exec {
            return path().map(|path| Entrypoint::Executable { path });
        }
        if text.ends_with(".py") && !text.contains(':') {
            return path().map(|path| Entrypoint::File { path });
        }
        let (module, function) = text.split_once(':').unwrap_or((text, FUNCTION));
        if module.split('.').all(is_identifier) && is_identifier(function) {
            return Ok(Entrypoint::Module {
                module: module.to_owned(),
                function: function.to_owned(),
            });
        }
        Err(BundleError::Manifest(format!(
            "entrypoint {text:?} is neither module:function nor the path of a .py file; correct it"
        )))
    }
}

fn is_identifier(word: &str) -> bool {
    let first = word.chars().next();
    first.is_some_and(|c| c == '_' || c.is_ascii_alphabetic())
        && word.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(runtime: &str, entrypoint: &str) -> Result<Entrypoint, String> {
        let text = format!(
            "name = \"a\"\ntrack = \"skills\"\nruntime = \"{runtime}\"\nentrypoint = \"{entrypoint}\"\n"
        );
        let manifest = Manifest::parse(text.as_bytes()).map_err(|error| error.to_string())?;
        manifest.entry().map_err(|error| error.to_string())
    }

    #[test]
    fn an_entrypoint_is_a_function_a_file_or_a_program() {
        let module = |module: &str, function: &str| Entrypoint::Module {
            module: module.into(),
            function: function.into(),
        };
        assert_eq!(
            parse("python", "judge.main:go"),
            Ok(module("judge.main", "go"))
        );
        assert_eq!(parse("python", "judge"), Ok(module("judge", "agent_main")));
        let path = "src/main.py".to_owned();
        assert_eq!(
            parse("python", "src/main.py"),
            Ok(Entrypoint::File { path })
        );
        let path = "bin/run me".to_owned();
        assert_eq!(
            parse("exec", "bin/run me"),
            Ok(Entrypoint::Executable { path })
        );
    }

    #[test]
    fn anything_else_is_refused_in_one_line() {
        for (runtime, entrypoint) in [
            ("python", ""),
            ("python", "a b:c"),
            ("python", "a:b:c"),
            ("python", "a.:c"),
            ("python", "../x.py"),
            ("python", "/x.py"),
            ("exec", "../run"),
            ("exec", ""),
            ("node", "a"),
        ] {
            let error = parse(runtime, entrypoint).unwrap_err();
            assert!(
                error.starts_with("agent.toml: ") && !error.contains('\n'),
                "{error}"
            );
        }
        let base = "track = \"skills\"\nruntime = \"exec\"\nentrypoint = \"x\"\n";
        for extra in [
            "",
            "name = \"\"\n",
            "name = \"a b\"\n",
            "name = \"a\"\nx = 1\n",
        ] {
            assert!(
                Manifest::parse(format!("{extra}{base}").as_bytes()).is_err(),
                "{extra}"
            );
        }
    }
}
