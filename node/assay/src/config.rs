//! The configuration file of `assay run`.

use crate::cli::{HostArgs, RuntimeChoice};
use crate::error::{CliError, CliResult};
use serde::Deserialize;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// `assay.toml`. Unknown keys are refused; relative paths are relative to the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// Corpus folder.
    pub(crate) corpus: PathBuf,
    /// Keystore of the validator's hotkey.
    pub(crate) keystore: PathBuf,
    /// Registry of agents of the embedded chain.
    pub(crate) registry: PathBuf,
    /// `pinned`, `demo` or a spec file.
    #[serde(default = "pinned")]
    pub(crate) spec: String,
    /// State folder.
    pub(crate) state: Option<PathBuf>,
    /// Sandbox slots.
    pub(crate) jobs: Option<usize>,
    /// Where the runtime comes from.
    #[serde(default)]
    pub(crate) runtime: RuntimeKey,
    /// Where `/metrics`, `/healthz` and `/readyz` are served; nowhere when left out.
    pub(crate) listen: Option<SocketAddr>,
    /// Milliseconds between two blocks of the embedded chain.
    #[serde(default = "block_ms")]
    pub(crate) block_ms: u64,
    /// Closed rounds that are kept; all when left out.
    pub(crate) keep_rounds: Option<usize>,
}

/// The spelling of [`RuntimeChoice`] in the file.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RuntimeKey {
    /// Debian, else host.
    #[default]
    Auto,
    /// Debian only.
    Debian,
    /// Host only.
    Host,
}

/// Twelve seconds, as on the real chain.
fn block_ms() -> u64 {
    12_000
}

fn pinned() -> String {
    "pinned".to_owned()
}

impl Config {
    /// Reads the file.
    pub(crate) fn read(path: &Path) -> CliResult<Self> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| {
            CliError::usage(format!(
                "cannot read the configuration {shown}: {error}; name it with --config FILE (an example is deploy/assay.example.toml)"
            ))
        })?;
        let mut config: Config = toml::from_str(&text).map_err(|error| {
            let line = error
                .span()
                .map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            CliError::usage(format!(
                "{shown}:{line}: {}; an example is deploy/assay.example.toml",
                error.message()
            ))
        })?;
        if config.block_ms == 0 {
            return Err(CliError::usage(format!(
                "{shown}: block_ms = 0: a block takes at least 1 ms; leave it out for 12000"
            )));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        for entry in [
            &mut config.corpus,
            &mut config.keystore,
            &mut config.registry,
        ] {
            *entry = folder.join(&*entry);
        }
        config.state = config.state.map(|state| folder.join(state));
        if config.spec != "pinned" && config.spec != "demo" {
            config.spec = folder.join(&config.spec).to_string_lossy().into_owned();
        }
        Ok(config)
    }

    /// The part that every command with a host shares.
    pub(crate) fn host_args(&self) -> HostArgs {
        HostArgs {
            corpus: self.corpus.clone(),
            jobs: self.jobs,
            runtime: match self.runtime {
                RuntimeKey::Auto => RuntimeChoice::Auto,
                RuntimeKey::Debian => RuntimeChoice::Debian,
                RuntimeKey::Host => RuntimeChoice::Host,
            },
            state: self.state.clone(),
        }
    }
}
