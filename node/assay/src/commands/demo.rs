//! `assay demo`: a whole round on the bundled corpus and agents.

use super::{hash_or_random, print_json, print_line};
use crate::cli::DemoArgs;
use crate::engine::session::{Finished, RoundInputs, run_round};
use crate::error::{CliError, CliResult, Status};
use crate::host::Host;
use crate::output::json::round_json;
use crate::output::progress::note;
use crate::output::tables::round_text;
use crate::registry::Registry;
use mechanism::spec::Spec;
use round::fault::AbstainReason;
use round::record::Abstention;
use signer::Keypair;
use std::path::PathBuf;

/// Name of the demo's validator key. It is public: nothing of value may ever belong to it.
pub(crate) const DEMO_VALIDATOR: &str = "demo-validator";

pub(crate) fn run(args: &DemoArgs) -> CliResult {
    let seed = hash_or_random(args.seed.as_deref(), "--seed")?;
    let secret = hash_or_random(args.secret.as_deref(), "--secret")?;
    let spec = if args.full {
        Spec::pinned()
    } else {
        Spec::demo()
    };
    let host = Host::prepare(&args.host, &spec)?;
    let registry = Registry::read(&registry_path(args, &host))?;
    note(&format!("spec {} {}", spec.profile, spec.id()));
    note(&format!(
        "corpus {} root {}",
        host.corpus.dir().display(),
        host.corpus.root()
    ));
    let runtime = host.bench.runtime_note();
    note(&format!(
        "runtime {} Python {} {}",
        runtime.source, runtime.version, runtime.hash
    ));
    note(&format!("seed {seed}"));

    let key = Keypair::dev(DEMO_VALIDATOR);
    let mut chain = registry.chain(&key.hotkey(), seed)?;
    let finished = run_round(
        &host,
        RoundInputs {
            spec: &spec,
            chain: &mut chain,
            key,
            secret,
            names: registry.names(),
            agents: registry.paths(),
            previous: None,
            dir: super::new_round_dir(&host.bench.state, "demo"),
        },
    )?;
    report(&finished, args.json)
}

/// Prints a finished round and turns an abstention into its exit status.
pub(crate) fn report(finished: &Finished, json: bool) -> CliResult {
    let record = &finished.record;
    if json {
        print_json(&round_json(record, &finished.path))?;
    } else {
        print_line(&round_text(record))?;
        if let Some(digest) = record.round_digest {
            print_line(&format!("spec id      {}", record.opening.spec_id))?;
            print_line(&format!("corpus root  {}", record.opening.corpus_root))?;
            print_line(&format!("round digest {digest}"))?;
        }
        print_line(&format!("record       {}", finished.path.display()))?;
    }
    match &record.abstained {
        Some(abstention) => Err(abstained("the round is abstained", abstention)),
        None => Ok(()),
    }
}

/// The error line and exit status of an abstention: whether corpus or host is to be mended.
pub(crate) fn abstained(what: &str, abstention: &Abstention) -> CliError {
    let status = match abstention.reason {
        AbstainReason::CorpusCorrupt | AbstainReason::PoolRefused => Status::Corpus,
        _ => Status::Infrastructure,
    };
    CliError::new(
        status,
        format!("{what}: {}: {}", abstention.reason, abstention.detail),
    )
}

/// The flag's registry, else the one that lies beside the corpus's tasks.
fn registry_path(args: &DemoArgs, host: &Host) -> PathBuf {
    if let Some(path) = &args.registry {
        return path.clone();
    }
    let data = host.corpus.dir();
    [Some(data), data.parent()]
        .into_iter()
        .flatten()
        .map(|dir| dir.join("agents/registry.json"))
        .find(|path| path.exists())
        .unwrap_or_else(|| data.join("agents/registry.json"))
}
