//! The embedded chain on disk, with blocks that come with wall time.

use crate::error::{CliError, CliResult};
use crate::output::progress::note;
use crate::registry::Registry;
use chain::{EmbeddedChain, Epoch};
use mechanism::ids::{Hash32, Hotkey};
use round::ports::{ChainPort, ChainView, SignedWeights};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const CHAIN_FILE: &str = "embedded-chain.json";
const CLOCK_FILE: &str = "embedded-clock.json";

/// When the chain's blocks come: block `block` came at `unix_ms`, and one more every `block_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Clock {
    block: u64,
    unix_ms: u64,
    block_ms: u64,
}

impl Clock {
    /// The last block that has come by `now_ms`.
    fn head(&self, now_ms: u64) -> u64 {
        self.block + now_ms.saturating_sub(self.unix_ms) / self.block_ms
    }

    /// When a block comes.
    fn comes_at(&self, block: u64) -> u64 {
        self.unix_ms + block.saturating_sub(self.block) * self.block_ms
    }
}

/// The chain, its clock and where both lie.
pub(crate) struct Subnet {
    chain: EmbeddedChain,
    clock: Option<Clock>,
    path: PathBuf,
}

impl Subnet {
    /// Reads the chain of the state folder and brings the registry's changes to it, or begins one.
    pub(crate) fn open(
        state: &Path,
        registry: &Registry,
        validator: &Hotkey,
        seed: impl FnOnce() -> CliResult<Hash32>,
    ) -> CliResult<Self> {
        let path = state.join(CHAIN_FILE);
        let chain = match read_optional(&path)? {
            Some(text) => {
                let mut chain = EmbeddedChain::from_json(&text)
                    .map_err(|error| CliError::usage(format!("{}: {error}", path.display())))?;
                for change in registry.sync(&mut chain, validator)? {
                    note(&change);
                }
                chain
            }
            None => registry.chain(validator, seed()?)?,
        };
        let subnet = Subnet {
            chain,
            clock: None,
            path,
        };
        subnet.save().map_err(CliError::infrastructure)?;
        Ok(subnet)
    }

    /// Lets blocks come with wall time, every `block_ms`. The clock of an earlier start goes on, so that epochs pass while
    /// the node is down.
    pub(crate) fn start_clock(&mut self, block_ms: u64) -> CliResult {
        let path = self.path.with_file_name(CLOCK_FILE);
        let kept: Option<Clock> = match read_optional(&path)? {
            Some(text) => Some(
                serde_json::from_str(&text)
                    .map_err(|error| CliError::usage(format!("{}: {error}", path.display())))?,
            ),
            None => None,
        };
        let clock = match kept {
            Some(clock) if clock.block_ms == block_ms && clock.block <= self.chain.head() => clock,
            _ => Clock {
                block: self.chain.head(),
                unix_ms: now_ms(),
                block_ms,
            },
        };
        let text = serde_json::to_string_pretty(&clock)
            .map_err(|error| CliError::infrastructure(error.to_string()))?;
        write_atomically(&path, &text).map_err(CliError::infrastructure)?;
        self.clock = Some(clock);
        Ok(())
    }

    /// The epoch that runs, after the blocks that have come by now; without a clock the chain stands still.
    pub(crate) fn current_epoch(&mut self) -> Option<Epoch> {
        if let Some(clock) = self.clock {
            let due = clock.head(now_ms());
            while self.chain.head() < due {
                self.chain.advance();
            }
        }
        self.chain.current_epoch()
    }

    /// Advances to the next epoch at once: what `--once` does.
    pub(crate) fn next_epoch(&mut self) -> Epoch {
        self.chain.advance_epoch()
    }

    /// Time until the epoch after this id begins; `None` without a clock.
    pub(crate) fn until_after(&self, epoch: Option<u64>) -> Option<Duration> {
        let clock = self.clock?;
        let tempo = self.chain.parameters().tempo;
        let next = epoch.map_or(tempo, |id| (id + 2) * tempo);
        Some(Duration::from_millis(
            clock.comes_at(next).saturating_sub(now_ms()),
        ))
    }

    /// The chain itself.
    pub(crate) fn chain(&self) -> &EmbeddedChain {
        &self.chain
    }

    /// Makes the chain's state durable.
    pub(crate) fn save(&self) -> Result<(), String> {
        let text = self.chain.to_json().map_err(|error| error.to_string())?;
        write_atomically(&self.path, &text)
    }
}

impl ChainPort for Subnet {
    fn view(&self) -> Result<ChainView, String> {
        self.chain.view()
    }

    fn submit(&mut self, weights: &SignedWeights) -> Result<(), String> {
        ChainPort::submit(&mut self.chain, weights)?;
        // A real chain does not forget what it took; neither may this one.
        self.save()
    }

    fn read_back(&self, hotkey: &Hotkey) -> Result<Vec<(u16, u16)>, String> {
        self.chain.read_back(hotkey)
    }
}

/// Unix time in milliseconds.
pub(crate) fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        })
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

/// Writes beside the file, syncs, renames, and syncs the folder.
pub(crate) fn write_atomically(path: &Path, text: &str) -> Result<(), String> {
    use std::io::Write;
    let temporary = path.with_extension("new");
    let write = || -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)?;
        if let Some(folder) = path.parent() {
            std::fs::File::open(folder)?.sync_all()?;
        }
        Ok(())
    };
    write().map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn blocks_come_with_time_and_never_go_back() {
        let clock = Clock {
            block: 100,
            unix_ms: 5_000,
            block_ms: 12_000,
        };
        assert_eq!(clock.head(4_000), 100);
        assert_eq!(clock.head(16_999), 100);
        assert_eq!(clock.head(17_000), 101);
        assert_eq!(clock.comes_at(102), 29_000);
        assert_eq!(clock.comes_at(90), 5_000);
    }
}
