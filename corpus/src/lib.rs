//! The labelled corpus: load, verify, materialise, lint, pin, count.
//!
//! Layout: `<track>/<task>/artifact/...` is what an agent sees, `<track>/<task>/label.json` never leaves the validator
//! process, and `MANIFEST.json` pins both by hash. The corpus root, one hash over the manifest's entries, stands in
//! every round record. Whatever does not match its pin is a corpus fault: the round is abstained, nothing is scored.
//!
//! ```text
//! locate -> load (manifest, labels, listings) -> materialise (every byte hashed while it is copied)
//!        -> lint  (all problems, sorted)      -> pin (writes the manifest)      -> stats (counts)
//!        -> features (what a label can be guessed from)   -> contribute (one task: template, check, commitment)
//! ```
#![forbid(unsafe_code)]

mod contribute;
mod error;
mod features;
mod hash;
mod language;
mod limits;
mod lint;
mod load;
mod locate;
mod manifest;
mod materialise;
mod paths;
mod shingles;
mod stats;
mod walk;

pub use contribute::{CheckedTask, Commitment, SALT_BYTES, check_task, template};
pub use error::{CorpusError, PIN_REMEDY};
pub use features::{AIM, FeatureReport, FeatureScore, GATE_TASKS, SPLITS, TrackFeatures, features};
pub use hash::{FileHash, artifact_hash, root_hash};
pub use limits::Limits;
pub use lint::{Code, LintReport, Problem, lint};
pub use load::{Corpus, Task};
pub use locate::{MANIFEST_NAME, locate};
pub use manifest::{MANIFEST_VERSION, Manifest, TaskEntry, pin};
pub use materialise::{FIXED_MTIME_S, materialise_tree};
pub use stats::{Stats, TrackStats, stats};
pub use walk::{ArtifactFile, Listing, Oddity, OddityKind, walk};
