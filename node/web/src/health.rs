//! Whether the node could submit a vector for the round that runs, and why not.

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Reasons not to be ready. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotReady {
    /// The node has just started.
    Starting,
    /// The sandbox cannot be set up.
    Sandbox,
    /// The ledger cannot be written or fails its checks.
    Ledger,
    /// The corpus is not what its manifest says.
    Corpus,
    /// The agents' runtime is missing or changed.
    Runtime,
    /// The chain cannot be reached.
    Chain,
    /// The validator has no permit or is not registered.
    Permit,
    /// The last round was abstained.
    Abstained,
    /// The work left does not fit the round's window.
    Late,
    /// An operator paused the node.
    Paused,
    /// The node is stopping.
    Stopping,
}

/// The reasons that stand, each with one line.
#[derive(Debug, Default)]
pub struct Health {
    reasons: Mutex<BTreeMap<NotReady, String>>,
}

impl Health {
    /// A node that has just started.
    #[must_use]
    pub fn starting() -> Self {
        let health = Health::default();
        health.set(NotReady::Starting, "the node has just started");
        health
    }

    /// Adds or rewrites a reason.
    pub fn set(&self, reason: NotReady, detail: impl Into<String>) {
        self.lock().insert(reason, detail.into());
    }

    /// Takes a reason back.
    pub fn clear(&self, reason: NotReady) {
        self.lock().remove(&reason);
    }

    /// Every reason that stands; none when the node is ready.
    #[must_use]
    pub fn reasons(&self) -> BTreeMap<NotReady, String> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<NotReady, String>> {
        // Nothing between lock and unlock can leave the map half changed.
        self.reasons
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
