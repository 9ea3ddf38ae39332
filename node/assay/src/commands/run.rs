//! `assay run`: a validator's round from a configuration file.

use super::{demo, hash_or_random, new_round_dir, password, spec};
use crate::cli::RunArgs;
use crate::config::Config;
use crate::engine::session::{RoundInputs, run_round};
use crate::error::{CliError, CliResult};
use crate::host::Host;
use crate::output::progress::note;
use crate::registry::Registry;
use chain::EmbeddedChain;
use mechanism::weights::Units;
use std::path::Path;

/// Chain and smoothing state of the embedded subnet, under the state folder.
const CHAIN_FILE: &str = "embedded-chain.json";
const SMOOTHING_FILE: &str = "smoothing.json";

pub(crate) fn run(args: &RunArgs) -> CliResult {
    if !args.once {
        return Err(CliError::usage(
            "running round after round is not available yet; give --once and repeat the command, for example from a timer",
        ));
    }
    let config = Config::read(&args.config)?;
    let (spec, _) = spec::load(&config.spec)?;
    let password = password(args.password_file.as_deref())?;
    let key =
        signer::keystore::load(&config.keystore, password.as_bytes()).map_err(CliError::usage)?;
    let registry = Registry::read(&config.registry)?;
    let host = Host::prepare(&config.host_args(), &spec)?;
    let chain_path = host.bench.state.join(CHAIN_FILE);
    let smoothing_path = host.bench.state.join(SMOOTHING_FILE);
    let mut chain = match read_optional(&chain_path)? {
        Some(text) => {
            let mut chain = EmbeddedChain::from_json(&text)
                .map_err(|error| CliError::usage(format!("{}: {error}", chain_path.display())))?;
            for change in registry.sync(&mut chain, &key.hotkey())? {
                note(&change);
            }
            chain
        }
        None => registry.chain(&key.hotkey(), hash_or_random(None, "seed")?)?,
    };
    let previous: Option<Units> = match read_optional(&smoothing_path)? {
        Some(text) => Some(serde_json::from_str(&text).map_err(|error| {
            CliError::usage(format!(
                "{}: {error}; restore the file, or remove it to begin from the weights on chain",
                smoothing_path.display()
            ))
        })?),
        None => None,
    };
    note(&format!("spec {} {}", spec.profile, spec.id()));
    note(&format!("validator {}", key.hotkey()));
    let finished = run_round(
        &host,
        RoundInputs {
            spec: &spec,
            chain: &mut chain,
            key,
            secret: hash_or_random(None, "secret")?,
            names: registry.names(),
            agents: registry.paths(),
            previous,
            dir: new_round_dir(&host.bench.state, "round"),
        },
    )?;
    // The state advances only with a vector that the chain shows.
    let shown = finished
        .record
        .submission
        .as_ref()
        .is_some_and(|s| s.accepted)
        && finished.record.abstained.is_none();
    if let Some(state) = finished
        .record
        .weights
        .as_ref()
        .and_then(|w| w.state.as_ref())
        && shown
    {
        let text = serde_json::to_string_pretty(state)
            .map_err(|error| CliError::infrastructure(error.to_string()))?;
        write_atomically(&smoothing_path, &text)?;
    }
    let text = chain.to_json().map_err(CliError::infrastructure)?;
    write_atomically(&chain_path, &text)?;
    demo::report(&finished, args.json)
}

fn read_optional(path: &Path) -> CliResult<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CliError::infrastructure(format!(
            "cannot read {}: {error}",
            path.display()
        ))),
    }
}

fn write_atomically(path: &Path, text: &str) -> CliResult {
    let temporary = path.with_extension("new");
    let write = || -> std::io::Result<()> {
        std::fs::write(&temporary, text)?;
        std::fs::File::open(&temporary)?.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    write().map_err(|error| {
        CliError::infrastructure(format!("cannot write {}: {error}", path.display()))
    })
}
