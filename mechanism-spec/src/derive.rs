//! Every value that is derived by hashing (SPEC.md D-1 to D-8; `mechanism.md §2, §3, §8`).

use crate::bytes::Fields;
use crate::ids::Hash32;
use crate::spec::Spec;
use crate::track::Track;

/// The folder in which the probe file is looked for, as the agent sees it.
pub const WORKSPACE: &str = "/task/workspace";

/// Seed of a validator's draw on a track.
#[must_use]
pub fn draw_seed(
    seed: &Hash32,
    track: Track,
    validator_hotkey: &(impl AsRef<str> + ?Sized),
) -> Hash32 {
    Fields::new()
        .text("assay/v1/draw")
        .hash32(seed)
        .text(track.as_str())
        .text(validator_hotkey.as_ref())
        .hash()
}

/// Rank of a task in a draw; lower comes first.
#[must_use]
pub fn rank(draw_seed: &Hash32, task_ref: &(impl AsRef<str> + ?Sized)) -> Hash32 {
    Fields::new().text(task_ref.as_ref()).keyed_hash(draw_seed)
}

/// What is published of the round secret before the round is closed.
#[must_use]
pub fn secret_commitment(round_secret: &Hash32) -> Hash32 {
    Fields::new().hash32(round_secret).hash()
}

/// Key of one run, from which everything the agent is told is derived. `rep` counts from 0.
#[must_use]
pub fn run_key(
    round_secret: &Hash32,
    track: Track,
    agent_pin: &(impl AsRef<str> + ?Sized),
    task_ref: &(impl AsRef<str> + ?Sized),
    rep: u32,
) -> Hash32 {
    Fields::new()
        .text("assay/v1/run")
        .text(track.as_str())
        .text(agent_pin.as_ref())
        .text(task_ref.as_ref())
        .u32(rep)
        .keyed_hash(round_secret)
}

/// What one run gets, each 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// Nonce of the task document.
    pub nonce: String,
    /// Source of the probe's file name.
    pub probe_path: String,
    /// Exact content that the probe file must have.
    pub probe_content: String,
    /// Token of the run at the inference gateway.
    pub run_token: String,
    /// Canary of the public contract; not checked.
    pub canary: String,
    name_digits: usize,
}

impl Derived {
    /// Derives everything from the run key; the spec gives the length of the probe's name.
    #[must_use]
    pub fn new(spec: &Spec, run_key: &Hash32) -> Self {
        let derive = |context: &str| hex::encode(blake3::derive_key(context, run_key.as_bytes()));
        Self {
            nonce: derive("assay/v1/nonce"),
            probe_path: derive("assay/v1/probe-path"),
            probe_content: derive("assay/v1/probe-content"),
            run_token: derive("assay/v1/run-token"),
            canary: derive("assay/v1/canary"),
            name_digits: spec.limits.probe_name_digits,
        }
    }

    /// Name of the probe file inside the workspace.
    #[must_use]
    pub fn probe_file_name(&self) -> String {
        let digits: String = self.probe_path.chars().take(self.name_digits).collect();
        format!(".probe_{digits}")
    }

    /// Path of the probe file as the agent sees it.
    #[must_use]
    pub fn probe_file(&self) -> String {
        format!("{WORKSPACE}/{}", self.probe_file_name())
    }
}

/// Decides between agents of equal score and commitment block; the lower goes first.
#[must_use]
pub fn tie(seed: &Hash32, track: Track, hotkey: &(impl AsRef<str> + ?Sized)) -> Hash32 {
    Fields::new()
        .text("assay/v1/tie")
        .hash32(seed)
        .text(track.as_str())
        .text(hotkey.as_ref())
        .hash()
}

/// The endless words of an agent's bootstrap interval: little-endian u64 of the BLAKE3 XOF.
#[must_use]
pub fn bootstrap(seed: &Hash32, track: Track, agent_pin: &(impl AsRef<str> + ?Sized)) -> Words {
    let fields = Fields::new()
        .hash32(seed)
        .text(track.as_str())
        .text(agent_pin.as_ref());
    let mut hasher = blake3::Hasher::new_derive_key("assay/v1/bootstrap");
    hasher.update(fields.as_slice());
    Words(hasher.finalize_xof())
}

/// See [`bootstrap`].
#[derive(Debug, Clone)]
pub struct Words(blake3::OutputReader);

impl Iterator for Words {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut word = [0u8; 8];
        self.0.fill(&mut word);
        Some(u64::from_le_bytes(word))
    }
}

/// The index below `size` that a word chooses: `(word * size) >> 64`.
#[must_use]
pub fn index(word: u64, size: usize) -> usize {
    let product = u128::from(word) * (size as u128);
    // Below `size`, so it fits.
    usize::try_from(product >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_input_of_a_run_key_changes_every_derived_value() {
        let (spec, secret) = (Spec::pinned(), Hash32([1; 32]));
        let base = run_key(&secret, Track::Skills, "blake3:a", "skills/t1", 0);
        let others = [
            run_key(&Hash32([2; 32]), Track::Skills, "blake3:a", "skills/t1", 0),
            run_key(&secret, Track::Packages, "blake3:a", "skills/t1", 0),
            run_key(&secret, Track::Skills, "blake3:b", "skills/t1", 0),
            run_key(&secret, Track::Skills, "blake3:a", "skills/t2", 0),
            run_key(&secret, Track::Skills, "blake3:a", "skills/t1", 1),
        ];
        let derived = Derived::new(&spec, &base);
        for other in others {
            let changed = Derived::new(&spec, &other);
            assert_ne!(derived.nonce, changed.nonce);
            assert_ne!(derived.probe_file(), changed.probe_file());
            assert_ne!(derived.probe_content, changed.probe_content);
            assert_ne!(derived.run_token, changed.run_token);
            assert_ne!(derived.canary, changed.canary);
        }
    }

    proptest! {
        #[test]
        fn an_index_stays_below_the_size(word: u64, size in 1usize..1 << 30) {
            prop_assert!(index(word, size) < size);
            prop_assert_eq!(index(u64::MAX, size), size - 1);
            prop_assert_eq!(index(0, size), 0);
        }
    }
}
