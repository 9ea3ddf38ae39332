//! The one error type of the binary: a line for people and a stable exit status.

use std::fmt;

/// Exit statuses; they are documented in `assay --help` and never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Status {
    /// A check found problems (`corpus lint`, `conform`, a record that does not verify).
    Problems = 1,
    /// The command line, the configuration or a named file is wrong.
    Usage = 2,
    /// `score`: the agent is below the track's threshold.
    BelowThreshold = 3,
    /// The agent is invalid: missing entrypoint, too large, another hash than its pin.
    AgentInvalid = 4,
    /// The host cannot do it: no cgroup access, no user namespaces, disk, a lost launcher; or the round was abstained.
    Infrastructure = 5,
    /// The corpus cannot be read, is not what its manifest says, or fills no draw.
    Corpus = 6,
}

/// An error that a user can act on.
#[derive(Debug)]
pub(crate) struct CliError {
    /// The exit status.
    pub(crate) status: Status,
    /// One line: what, and how to mend it. Empty when everything has been said already.
    pub(crate) message: String,
}

impl CliError {
    pub(crate) fn new(status: Status, message: impl fmt::Display) -> Self {
        CliError {
            status,
            message: message.to_string(),
        }
    }

    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(Status::Usage, message)
    }

    pub(crate) fn agent(message: impl fmt::Display) -> Self {
        Self::new(Status::AgentInvalid, message)
    }

    pub(crate) fn infrastructure(message: impl fmt::Display) -> Self {
        Self::new(Status::Infrastructure, message)
    }

    pub(crate) fn corpus(message: impl fmt::Display) -> Self {
        Self::new(Status::Corpus, message)
    }

    /// A status without a line of its own.
    pub(crate) fn silent(status: Status) -> Self {
        Self::new(status, "")
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Result of a command.
pub(crate) type CliResult<T = ()> = Result<T, CliError>;
