//! `assay explain`: how a score came about.

use super::demo::DEMO_VALIDATOR;
use super::score::{Offline, score_now};
use super::{hash_or_random, print_json, print_line, show, spec};
use crate::cli::ExplainArgs;
use crate::error::{CliError, CliResult};
use crate::explain::{Explained, explain, hypothetical, recorded};
use crate::host::Host;
use crate::output::explain::explain_text;
use mechanism::ids::{Hash32, Hotkey};
use mechanism::spec::Spec;
use mechanism::track::Track;
use round::record::RoundRecord;
use signer::Keypair;
use std::path::Path;

pub(crate) fn run(args: &ExplainArgs) -> CliResult {
    let track: Track = args.track.parse().map_err(CliError::usage)?;
    let record = args
        .record
        .as_ref()
        .map(|round| {
            show::find(round, args.host.state.as_deref()).and_then(|path| show::read(&path))
        })
        .transpose()?;
    let explained = match &record {
        Some(record) => {
            let spec = spec_of(record, args.spec.as_deref())?;
            match agent_of(record, track, &args.agent) {
                Some(hotkey) => from_record(args, record, &spec, track, &hotkey)?,
                None => beside_record(args, record, &spec, track)?,
            }
        }
        None => {
            let (spec, _) = spec::load(args.spec.as_deref().unwrap_or("pinned"))?;
            let host = Host::prepare(&args.host, &spec)?;
            let validator = Keypair::dev(DEMO_VALIDATOR).hotkey();
            let fresh = score(args, &host, &spec, track, Hash32([0; 32]), validator)?;
            from_score(args, &fresh, &spec, track)?
        }
    };
    if args.json {
        print_json(&explained)
    } else {
        print_line(&explain_text(&explained))
    }
}

fn from_record(
    args: &ExplainArgs,
    record: &RoundRecord,
    spec: &Spec,
    track: Track,
    hotkey: &Hotkey,
) -> CliResult<Explained> {
    let mut explained = explain(record, spec, track, hotkey, args.task.as_deref())?;
    explained.standing = recorded(record, track, hotkey);
    Ok(explained)
}

/// Scores the file on the record's draw and puts it beside the record's agents.
fn beside_record(
    args: &ExplainArgs,
    record: &RoundRecord,
    spec: &Spec,
    track: Track,
) -> CliResult<Explained> {
    if !Path::new(&args.agent).exists() {
        let known: Vec<&str> = record
            .agents
            .iter()
            .filter(|agent| agent.track == track)
            .map(|agent| agent.name.as_deref().unwrap_or(agent.hotkey.as_str()))
            .collect();
        return Err(CliError::usage(format!(
            "'{}' is neither a file nor an agent of the record on {track}; its agents are {}",
            args.agent,
            known.join(", ")
        )));
    }
    let opening = &record.opening;
    let host = Host::prepare(&args.host, spec)?;
    if host.corpus.root() != opening.corpus_root {
        return Err(CliError::usage(format!(
            "the record's corpus has the root {}, {} has {}; scores on other tasks do not compare, give the round's --corpus",
            opening.corpus_root,
            host.corpus.dir().display(),
            host.corpus.root()
        )));
    }
    let fresh = score(
        args,
        &host,
        spec,
        track,
        opening.seed,
        opening.validator.clone(),
    )?;
    let mut explained = from_score(args, &fresh, spec, track)?;
    if fresh.opening.runtime.hash != opening.runtime.hash {
        explained.notes.push(format!(
            "the record's agents ran on another runtime ({} Python {}); scores may differ for that alone",
            opening.runtime.source, opening.runtime.version
        ));
    }
    match hypothetical(record, &fresh, spec, track) {
        Ok(place) => explained.standing = Some(place),
        Err(error) => explained.notes.push(error.message),
    }
    Ok(explained)
}

fn score(
    args: &ExplainArgs,
    host: &Host,
    spec: &Spec,
    track: Track,
    seed: Hash32,
    validator: Hotkey,
) -> CliResult<RoundRecord> {
    let offline = Offline {
        spec,
        track,
        agent: Path::new(&args.agent),
        seed,
        secret: hash_or_random(None, "the secret")?,
        validator,
    };
    score_now(host, &offline)
}

fn from_score(
    args: &ExplainArgs,
    fresh: &RoundRecord,
    spec: &Spec,
    track: Track,
) -> CliResult<Explained> {
    let hotkey = fresh
        .tracks
        .get(&track)
        .and_then(|standing| standing.agents.first())
        .map(|agent| agent.hotkey.clone())
        .ok_or_else(|| CliError::infrastructure("the round ended without a score"))?;
    let mut explained = explain(fresh, spec, track, &hotkey, args.task.as_deref())?;
    explained.agent = args.agent.clone();
    Ok(explained)
}

/// The hotkey of the record's agent with this name or hotkey on the track.
fn agent_of(record: &RoundRecord, track: Track, agent: &str) -> Option<Hotkey> {
    record
        .agents
        .iter()
        .filter(|entry| entry.track == track)
        .find(|entry| entry.name.as_deref() == Some(agent) || entry.hotkey.as_str() == agent)
        .map(|entry| entry.hotkey.clone())
}

/// The spec that the record was made under: one of the bundled ones, or the file of the flag.
fn spec_of(record: &RoundRecord, flag: Option<&str>) -> CliResult<Spec> {
    let wanted = record.opening.spec_id;
    let candidates = match flag {
        Some(name) => vec![spec::load(name)?.0],
        None => vec![Spec::pinned(), Spec::demo()],
    };
    candidates.into_iter().find(|spec| spec.id() == wanted).ok_or_else(|| {
        CliError::usage(format!(
            "the record was made under the spec {wanted} ({}), which is not the one at hand; give its file with --spec",
            record.opening.spec_name
        ))
    })
}
