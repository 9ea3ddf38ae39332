//! What changed in the registry file since the last round, brought to the embedded chain.

use super::{Registry, STAKE, dev_hotkey};
use crate::error::{CliError, CliResult};
use chain::EmbeddedChain;
use mechanism::ids::Hotkey;
use mechanism::participants::Commitment;
use std::collections::{BTreeMap, BTreeSet};

impl Registry {
    /// Registers new names, commits new and changed pins in the chain's last block, and empties the slots of names that
    /// are gone. The block is before the next epoch's freeze, so the changes count from the next round on; the file's
    /// `commit_block` is only for the chain's beginning. Returns one line per change.
    ///
    /// # Errors
    /// The chain belongs to another validator, or has no slot left.
    pub(crate) fn sync(
        &self,
        chain: &mut EmbeddedChain,
        validator: &Hotkey,
    ) -> CliResult<Vec<String>> {
        let metagraph = chain.metagraph(chain.head());
        if metagraph.by_hotkey(validator).is_none() {
            return Err(CliError::usage(format!(
                "hotkey {validator} is no validator of the chain in the state folder; use the keystore that began it, or another state folder"
            )));
        }
        let latest: BTreeMap<Hotkey, Commitment> = chain
            .commitments()
            .into_iter()
            .map(|commitment| (commitment.hotkey.clone(), commitment))
            .collect();
        let mut changes = Vec::new();
        let wanted: BTreeSet<Hotkey> = self
            .entries
            .iter()
            .map(|entry| dev_hotkey(&entry.name))
            .collect();
        for neuron in metagraph.neurons.values() {
            if neuron.hotkey != *validator && !wanted.contains(&neuron.hotkey) {
                chain.deregister(neuron.uid);
                changes.push(format!(
                    "uid {} {} left the registry",
                    neuron.uid, neuron.hotkey
                ));
            }
        }
        for entry in &self.entries {
            let hotkey = dev_hotkey(&entry.name);
            if metagraph.by_hotkey(&hotkey).is_none() {
                let uid = free_uid(chain)?;
                chain
                    .register(uid, &hotkey, STAKE[1], false)
                    .map_err(CliError::usage)?;
                changes.push(format!("uid {uid} {} is new", entry.name));
            }
            let committed = latest
                .get(&hotkey)
                .is_some_and(|last| last.pin == entry.pin && last.track == entry.track);
            if !committed {
                chain
                    .commit(&hotkey, entry.track, entry.pin.clone())
                    .map_err(CliError::usage)?;
                changes.push(format!(
                    "{} committed {} on {}",
                    entry.name, entry.pin, entry.track
                ));
            }
        }
        let contributors: Vec<Hotkey> = self
            .contributors
            .iter()
            .map(|name| dev_hotkey(name))
            .collect();
        if contributors != chain.parameters().contributors {
            changes.push(
                "the chain keeps the contributors it began with; take another state folder to change them"
                    .to_owned(),
            );
        }
        Ok(changes)
    }
}

/// The lowest slot that nobody holds.
fn free_uid(chain: &EmbeddedChain) -> CliResult<u16> {
    let taken = chain.metagraph(chain.head()).neurons;
    (0..u16::MAX)
        .find(|uid| !taken.contains_key(uid))
        .ok_or_else(|| {
            CliError::usage("the subnet has no free slot; take agents out of the registry")
        })
}

#[cfg(test)]
mod tests {
    use super::super::Registry;
    use super::*;
    use mechanism::ids::{Hash32, Pin};
    use signer::Keypair;

    fn registry(agents: &[(&str, &str, u8)]) -> Registry {
        let entries: Vec<_> = agents
            .iter()
            .map(|(name, track, byte)| {
                let pin = Pin::blake3_of(&[*byte]);
                serde_json::json!({
                    "name": name, "file": "a.py", "track": track, "pin": pin, "commit_block": 3,
                })
            })
            .collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        let text = serde_json::json!({"version": 1, "agents": entries}).to_string();
        std::fs::write(&path, text).unwrap();
        Registry::read(&path)
            .map_err(|error| error.message)
            .unwrap()
    }

    fn committed(chain: &EmbeddedChain, name: &str) -> Vec<(u64, Pin)> {
        chain
            .commitments()
            .into_iter()
            .filter(|commitment| commitment.hotkey == dev_hotkey(name))
            .map(|commitment| (commitment.block, commitment.pin))
            .collect()
    }

    fn uid(chain: &EmbeddedChain, name: &str) -> Option<u16> {
        chain
            .metagraph(chain.head())
            .by_hotkey(&dev_hotkey(name))
            .map(|neuron| neuron.uid)
    }

    #[test]
    fn only_what_changed_reaches_the_chain() {
        let validator = Keypair::dev("v").hotkey();
        let first = registry(&[("a", "skills", 1), ("b", "skills", 2)]);
        let mut chain = first.chain(&validator, Hash32([7; 32])).unwrap();
        chain.advance_epoch();
        assert_eq!(
            first.sync(&mut chain, &validator).unwrap(),
            Vec::<String>::new()
        );

        let head = chain.head();
        let second = registry(&[("a", "skills", 9), ("c", "packages", 3)]);
        let changes = second.sync(&mut chain, &validator).unwrap();
        assert_eq!(changes.len(), 4, "{changes:?}");
        assert_eq!(
            committed(&chain, "a"),
            [(3, Pin::blake3_of(&[1])), (head, Pin::blake3_of(&[9]))]
        );
        assert_eq!(committed(&chain, "c"), [(head, Pin::blake3_of(&[3]))]);
        assert_eq!(
            (uid(&chain, "a"), uid(&chain, "b"), uid(&chain, "c")),
            (Some(1), None, Some(2))
        );
        assert!(
            head < chain.advance_epoch().freeze_block,
            "the changes count in the next round"
        );
        assert_eq!(
            second.sync(&mut chain, &validator).unwrap(),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_name_that_returns_gets_a_slot_and_a_commitment_only_when_it_changed() {
        let validator = Keypair::dev("v").hotkey();
        let both = registry(&[("a", "skills", 1), ("b", "skills", 2)]);
        let mut chain = both.chain(&validator, Hash32([7; 32])).unwrap();
        chain.advance_epoch();
        registry(&[("b", "skills", 2)])
            .sync(&mut chain, &validator)
            .unwrap();
        assert_eq!(uid(&chain, "a"), None);
        chain.advance_epoch();
        both.sync(&mut chain, &validator).unwrap();
        assert_eq!(uid(&chain, "a"), Some(1));
        assert_eq!(committed(&chain, "a").len(), 1);
    }

    #[test]
    fn another_validator_is_refused() {
        let agents = registry(&[("a", "skills", 1)]);
        let mut chain = agents
            .chain(&Keypair::dev("v").hotkey(), Hash32([7; 32]))
            .unwrap();
        let other = Keypair::dev("w").hotkey();
        let error = agents.sync(&mut chain, &other).unwrap_err();
        assert!(error.message.contains(other.as_str()), "{error}");
    }
}
