//! Kind `derivation`: one hashed value each.

use super::diff::{judge, read};
use crate::derive::{self, Derived};
use crate::ids::Hash32;
use crate::spec::Spec;
use crate::track::Track;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(tag = "fn", rename_all = "snake_case", deny_unknown_fields)]
enum Input {
    DrawSeed {
        seed: Hash32,
        track: Track,
        validator_hotkey: String,
    },
    Rank {
        draw_seed: Hash32,
        task_ref: String,
    },
    SecretCommitment {
        round_secret: Hash32,
    },
    RunKey {
        round_secret: Hash32,
        track: Track,
        agent_pin: String,
        task_ref: String,
        rep: u32,
    },
    Derived {
        run_key: Hash32,
    },
    Tie {
        seed: Hash32,
        track: Track,
        hotkey: String,
    },
    Bootstrap {
        seed: Hash32,
        track: Track,
        agent_pin: String,
        count: usize,
        k: usize,
    },
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    Ok(match read(input)? {
        Input::DrawSeed {
            seed,
            track,
            validator_hotkey,
        } => {
            json!({ "draw_seed": derive::draw_seed(&seed, track, &validator_hotkey) })
        }
        Input::Rank {
            draw_seed,
            task_ref,
        } => {
            json!({ "rank": derive::rank(&draw_seed, &task_ref) })
        }
        Input::SecretCommitment { round_secret } => {
            json!({ "commitment": derive::secret_commitment(&round_secret) })
        }
        Input::RunKey {
            round_secret,
            track,
            agent_pin,
            task_ref,
            rep,
        } => {
            json!({ "run_key": derive::run_key(&round_secret, track, &agent_pin, &task_ref, rep) })
        }
        Input::Derived { run_key } => {
            let derived = Derived::new(&Spec::pinned(), &run_key);
            json!({
                "nonce": derived.nonce,
                "probe_path": derived.probe_path,
                "probe_content": derived.probe_content,
                "run_token": derived.run_token,
                "canary": derived.canary,
                "probe_file": derived.probe_file(),
            })
        }
        Input::Tie {
            seed,
            track,
            hotkey,
        } => json!({ "tie": derive::tie(&seed, track, &hotkey) }),
        Input::Bootstrap {
            seed,
            track,
            agent_pin,
            count,
            k,
        } => {
            let words: Vec<u64> = derive::bootstrap(&seed, track, &agent_pin)
                .take(count)
                .collect();
            let indices: Vec<usize> = words.iter().map(|word| derive::index(*word, k)).collect();
            let words: Vec<String> = words.iter().map(u64::to_string).collect();
            json!({ "words": words, "indices": indices })
        }
    })
}
