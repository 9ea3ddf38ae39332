//! `assay score`: what a validator would measure, offline.

use super::{demo::DEMO_VALIDATOR, demo::abstained, hash_or_random, print_json, print_line, spec};
use crate::cli::ScoreArgs;
use crate::engine::agent::Agent;
use crate::engine::session::{ScoreInputs, run_score};
use crate::error::{CliError, CliResult, Status};
use crate::host::Host;
use crate::output::json::score_json;
use crate::output::progress::note;
use crate::output::tables::score_text;
use mechanism::ids::{Hash32, Hotkey};
use mechanism::spec::Spec;
use mechanism::track::Track;
use round::record::RoundRecord;
use signer::Keypair;
use std::path::Path;

pub(crate) fn run(args: &ScoreArgs) -> CliResult {
    let track: Track = args.track.parse().map_err(CliError::usage)?;
    let (spec, _) = spec::load(&args.spec)?;
    // One fixed draw, so that a score can be repeated without a flag.
    let seed = match &args.seed {
        Some(text) => hash_or_random(Some(text), "--seed")?,
        None => Hash32([0; 32]),
    };
    let secret = hash_or_random(args.secret.as_deref(), "--secret")?;
    let validator = match &args.validator {
        Some(text) => {
            let hotkey = Hotkey::new(text.as_str());
            signer::ss58::decode(&hotkey)
                .map_err(|error| CliError::usage(format!("--validator {error}")))?;
            hotkey
        }
        None => Keypair::dev(DEMO_VALIDATOR).hotkey(),
    };
    let host = Host::prepare(&args.host, &spec)?;
    let record = score_now(
        &host,
        &Offline {
            spec: &spec,
            track,
            agent: &args.agent,
            seed,
            secret,
            validator,
        },
    )?;
    let agent = record
        .tracks
        .get(&track)
        .and_then(|standing| standing.agents.first())
        .ok_or_else(|| CliError::infrastructure("the round ended without a score"))?;
    if args.json {
        print_json(&score_json(track, &record))?;
    } else {
        print_line(&score_text(track, &record))?;
    }
    if let Some(message) = entrypoint_missing(&record.runs) {
        return Err(CliError::agent(format!(
            "{}: {message}",
            args.agent.display()
        )));
    }
    if agent.eligible {
        Ok(())
    } else {
        Err(CliError::silent(Status::BelowThreshold))
    }
}

/// An agent file and the draw that it is scored on.
pub(crate) struct Offline<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) track: Track,
    pub(crate) agent: &'a Path,
    pub(crate) seed: Hash32,
    pub(crate) secret: Hash32,
    pub(crate) validator: Hotkey,
}

/// Scores one agent file and says what it is scored with; an abstention and bytes that cannot be had are errors.
pub(crate) fn score_now(host: &Host, offline: &Offline<'_>) -> CliResult<RoundRecord> {
    let spec = offline.spec;
    let agent = Agent::read(offline.agent, spec).map_err(CliError::agent)?;
    agent
        .fits(offline.track)
        .map_err(|problem| CliError::agent(format!("{}: {problem}", offline.agent.display())))?;
    let pin = agent.pin();
    note(&format!("agent {} {pin}", offline.agent.display()));
    note(&format!("spec {} {}", spec.profile, spec.id()));
    note(&format!(
        "corpus {} root {}",
        host.corpus.dir().display(),
        host.corpus.root()
    ));
    let inputs = ScoreInputs {
        spec,
        track: offline.track,
        agent: offline.agent,
        pin,
        seed: offline.seed,
        secret: offline.secret,
        validator: offline.validator.clone(),
    };
    let record = run_score(host, &inputs)?.record();
    if let Some(abstention) = &record.abstained {
        return Err(abstained("no score", abstention));
    }
    let unavailable = record
        .agents
        .iter()
        .find_map(|agent| agent.unavailable.as_ref());
    match unavailable {
        Some(reason) => Err(CliError::agent(reason)),
        None => Ok(record),
    }
}

/// An agent whose every repetition lacks the entrypoint is invalid rather than bad.
fn entrypoint_missing(runs: &[round::record::RunRecord]) -> Option<String> {
    use mechanism::fault::Failure;
    let all = !runs.is_empty()
        && runs
            .iter()
            .all(|run| run.failure == Some(Failure::EntrypointMissing));
    let told = runs.first().and_then(|run| run.message.as_deref());
    all.then(|| match told {
        Some(told) if !told.starts_with("agent.py ") => {
            format!("no entrypoint: {told}; correct the entrypoint of agent.toml")
        }
        _ => "no function agent_main; define agent_main(task) that takes the task and returns the report"
            .to_owned(),
    })
}
