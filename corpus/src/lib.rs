//! The labelled corpus: load, verify, materialise, lint, pin, count.
//!
//! Layout: `<track>/<task>/artifact/...` is what an agent sees, `<track>/<task>/label.json` never leaves the validator
//! process, and `MANIFEST.json` pins both by hash. The corpus root, one hash over the manifest's entries, stands in
//! every round record. Whatever does not match its pin is a corpus fault: the round is abstained, nothing is scored.
//!
//! ```text
//! locate -> load (manifest, labels, listings) -> materialise (every byte hashed while it is copied)
//!        -> lint  (all problems, sorted)      -> pin (writes the manifest)      -> stats (counts)
//! ```
#![forbid(unsafe_code)]

mod error;
mod hash;
mod limits;
mod lint;
mod load;
mod locate;
mod manifest;
mod materialise;
mod paths;
mod stats;
mod walk;

pub use error::{CorpusError, PIN_REMEDY};
pub use hash::{FileHash, artifact_hash, root_hash};
pub use limits::Limits;
pub use lint::{Code, LintReport, Problem, lint};
pub use load::{Corpus, Task};
pub use locate::{MANIFEST_NAME, locate};
pub use manifest::{MANIFEST_VERSION, Manifest, TaskEntry, pin};
pub use materialise::{FIXED_MTIME_S, materialise_tree};
pub use stats::{Stats, TrackStats, stats};
pub use walk::{ArtifactFile, Listing, Oddity, OddityKind, walk};
