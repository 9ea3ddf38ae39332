//! Named crash points: places where a test makes the process die as if by `kill -9`.
//!
//! `ASSAY_CRASH_AT=name` kills the process the first time it passes the point `name`, `ASSAY_CRASH_AT=name:3` the third
//! time. The variable is read once, at the first point that is passed. Without it a point costs one atomic load. SIGKILL
//! leaves what the kernel has taken (written pages stay), so a crash matrix over the names shows what a dead process loses;
//! what a dead machine loses is the business of the syncs between the points.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that arms a point.
pub const VARIABLE: &str = "ASSAY_CRASH_AT";

/// Every crash point of this crate, in the order in which a ledger meets them.
pub const ALL: &[&str] = &[
    "create.version_written",
    "create.current_written",
    "blob.before_write",
    "blob.before_rename",
    "blob.after_rename",
    "blob.after_sync",
    "rotate.before_footer",
    "rotate.after_footer",
    "rotate.before_rename",
    "rotate.after_rename",
    "journal.before_write",
    "journal.half_written",
    "journal.before_sync",
    "journal.after_sync",
    "journal.acknowledged",
    "index.before_write",
    "index.after_write",
    "index.before_flush",
    "index.after_flush",
    "prune.before_write",
    "prune.written",
    "prune.before_switch",
    "prune.after_switch",
    "prune.indexed",
    "prune.before_blobs",
    "prune.after_blobs",
];

struct Armed {
    name: String,
    left: AtomicU64,
}

static ARMED: OnceLock<Option<Armed>> = OnceLock::new();

fn armed() -> Option<&'static Armed> {
    ARMED
        .get_or_init(|| parse(&std::env::var(VARIABLE).ok()?))
        .as_ref()
}

fn parse(text: &str) -> Option<Armed> {
    let (name, count) = match text.rsplit_once(':') {
        Some((name, count)) => (name, count.parse().ok()?),
        None => (text, 1),
    };
    (!name.is_empty() && count > 0).then(|| Armed {
        name: name.to_owned(),
        left: AtomicU64::new(count),
    })
}

/// Dies here by SIGKILL when the environment says so; otherwise does nothing. Other crates name points of their own.
pub fn crash_point(name: &str) {
    let Some(armed) = armed() else { return };
    if armed.name == name && armed.left.fetch_sub(1, Ordering::Relaxed) == 1 {
        let _ =
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        // SIGKILL cannot be held back; should the call have failed, dying by a signal is still what was asked for.
        std::process::abort();
    }
}

/// Whether this point is the armed one, for a place that has to behave in another way to have something to interrupt.
pub(crate) fn is_armed(name: &str) -> bool {
    armed().is_some_and(|armed| armed.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_carry_a_count() {
        let plain = parse("journal.after_sync").unwrap();
        assert_eq!(
            (plain.name.as_str(), plain.left.into_inner()),
            ("journal.after_sync", 1)
        );
        let third = parse("x:3").unwrap();
        assert_eq!((third.name.as_str(), third.left.into_inner()), ("x", 3));
        assert!(parse("x:0").is_none() && parse("x:y").is_none() && parse("").is_none());
    }

    #[test]
    fn names_are_unique() {
        let mut names = ALL.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }
}
