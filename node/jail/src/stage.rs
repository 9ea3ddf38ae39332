//! The names of every step that can fail while a seal is set up or a run is supervised.

use serde::{Deserialize, Serialize};

/// One step of sealing. The child reports it as a byte, the launcher as a value, the host prints its name and remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Stage {
    /// Talking between the host and the launcher.
    Protocol = 1,
    /// Starting the launcher process or tying its life to its parent's.
    Spawn,
    /// Finding the control groups of this machine.
    CgroupDetect,
    /// Creating, limiting or entering a control group.
    CgroupSetup,
    /// Reading an account of a control group.
    CgroupRead,
    /// Entering namespaces of the launcher.
    Namespace,
    /// Building and entering the read-only root.
    Root,
    /// Making device nodes.
    Devices,
    /// Making the file systems of one run.
    Scratch,
    /// Copying the artifact.
    Artifact,
    /// Building or applying the Landlock rules.
    Landlock,
    /// Applying the system call filter.
    Seccomp,
    /// Starting the process of a run.
    Clone,
    /// Tying the run's life to the launcher's.
    DeathSignal,
    /// Attaching the run's file systems.
    Mount,
    /// Host name and session.
    Identity,
    /// Standard streams and descriptors.
    Descriptors,
    /// Resource limits.
    Rlimits,
    /// User, groups, user namespace.
    User,
    /// Capabilities and secure bits.
    Capabilities,
    /// The OOM score of the run.
    OomScore,
    /// CPU affinity.
    Affinity,
    /// The ready/go handshake.
    Handshake,
    /// `no_new_privs`.
    NoNewPrivs,
    /// Executing the interpreter.
    Exec,
    /// Watching the run.
    Supervise,
    /// Reading the probe file.
    Probe,
    /// Collecting the report.
    Report,
    /// The run's processes outlived their init, or its group could not be removed.
    Teardown,
    /// A trial run could do what it must not, or not do what it must.
    SelfTest,
}

const ALL: [Stage; 30] = [
    Stage::Protocol,
    Stage::Spawn,
    Stage::CgroupDetect,
    Stage::CgroupSetup,
    Stage::CgroupRead,
    Stage::Namespace,
    Stage::Root,
    Stage::Devices,
    Stage::Scratch,
    Stage::Artifact,
    Stage::Landlock,
    Stage::Seccomp,
    Stage::Clone,
    Stage::DeathSignal,
    Stage::Mount,
    Stage::Identity,
    Stage::Descriptors,
    Stage::Rlimits,
    Stage::User,
    Stage::Capabilities,
    Stage::OomScore,
    Stage::Affinity,
    Stage::Handshake,
    Stage::NoNewPrivs,
    Stage::Exec,
    Stage::Supervise,
    Stage::Probe,
    Stage::Report,
    Stage::Teardown,
    Stage::SelfTest,
];

impl Stage {
    /// The stage whose byte is `byte`, if there is one.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        ALL.into_iter().find(|stage| *stage as u8 == byte)
    }

    /// A short lower-case name for messages and metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Protocol => "protocol",
            Self::Spawn => "spawn",
            Self::CgroupDetect => "cgroup detection",
            Self::CgroupSetup => "cgroup set-up",
            Self::CgroupRead => "cgroup accounting",
            Self::Namespace => "launcher namespaces",
            Self::Root => "read-only root",
            Self::Devices => "device nodes",
            Self::Scratch => "scratch file systems",
            Self::Artifact => "artifact copy",
            Self::Landlock => "landlock",
            Self::Seccomp => "seccomp",
            Self::Clone => "clone3",
            Self::DeathSignal => "parent death signal",
            Self::Mount => "run mounts",
            Self::Identity => "session and host name",
            Self::Descriptors => "descriptors",
            Self::Rlimits => "resource limits",
            Self::User => "user namespace",
            Self::Capabilities => "capabilities",
            Self::OomScore => "oom score",
            Self::Affinity => "cpu affinity",
            Self::Handshake => "handshake",
            Self::NoNewPrivs => "no_new_privs",
            Self::Exec => "exec",
            Self::Supervise => "supervision",
            Self::Probe => "probe read",
            Self::Report => "report read",
            Self::Teardown => "teardown",
            Self::SelfTest => "self-test",
        }
    }

    /// What an operator can do about a failure of this step; one line.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        match self {
            Self::CgroupDetect => {
                "mount a cgroup hierarchy with the memory and pids controllers (systemd: Delegate=cpu memory pids)"
            }
            Self::CgroupSetup => {
                "give this process write access to its own control group (run as root, or systemd Delegate=)"
            }
            Self::Namespace | Self::User | Self::Clone => {
                "allow namespaces: run as root with CAP_SYS_ADMIN and set user.max_user_namespaces above 0"
            }
            Self::Root | Self::Mount | Self::Scratch => {
                "use Linux 6.1 or newer with overlayfs and tmpfs, and check that the runtime tree exists"
            }
            Self::Devices => {
                "run with CAP_MKNOD or make the host's /dev/null, zero, full, random and urandom available"
            }
            Self::Exec => {
                "check that the interpreter exists inside the runtime tree and that the tree is complete"
            }
            Self::Spawn => "check the path of the launcher executable and its execute permission",
            Self::Seccomp => "use a kernel with CONFIG_SECCOMP_FILTER",
            Self::Artifact => {
                "check that the artifact folder holds readable files and folders only"
            }
            Self::Affinity => "choose a CPU that is online and allowed for this process",
            Self::CgroupRead | Self::Supervise | Self::Teardown | Self::Protocol => {
                "restart the slot; if it happens again, look at the kernel log for this time"
            }
            Self::SelfTest => {
                "run no agents on this host; check the runtime tree and the kernel version (6.1 or newer)"
            }
            _ => {
                "check the kernel version (6.1 or newer) and that the node runs as root; then restart the slot"
            }
        }
    }
}

/// A step that failed, with the system's error number (0 when there is none) and a detail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}: {detail}{}", stage.name(), errno_text(*errno))]
pub struct Fault {
    /// The step.
    pub stage: Stage,
    /// `errno`, or 0.
    pub errno: i32,
    /// What was tried, with the value it was tried on.
    pub detail: String,
}

fn errno_text(errno: i32) -> String {
    if errno == 0 {
        String::new()
    } else {
        format!(": {}", std::io::Error::from_raw_os_error(errno))
    }
}

impl Fault {
    /// A fault without an error number.
    pub fn new(stage: Stage, detail: impl Into<String>) -> Self {
        Self {
            stage,
            errno: 0,
            detail: detail.into(),
        }
    }
}

/// Turns a system error into a [`Fault`] of a stage.
pub(crate) trait AtStage<T> {
    /// Names the step and what it worked on.
    fn at(self, stage: Stage, detail: &str) -> Result<T, Fault>;
}

impl<T> AtStage<T> for rustix::io::Result<T> {
    fn at(self, stage: Stage, detail: &str) -> Result<T, Fault> {
        self.map_err(|errno| Fault {
            stage,
            errno: errno.raw_os_error(),
            detail: detail.to_owned(),
        })
    }
}

impl<T> AtStage<T> for std::io::Result<T> {
    fn at(self, stage: Stage, detail: &str) -> Result<T, Fault> {
        self.map_err(|error| match error.raw_os_error() {
            Some(errno) => Fault {
                stage,
                errno,
                detail: detail.to_owned(),
            },
            None => Fault {
                stage,
                errno: 0,
                detail: format!("{detail}: {error}"),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_survives_its_byte() {
        for stage in ALL {
            assert_eq!(Stage::from_byte(stage as u8), Some(stage));
        }
        assert_eq!(Stage::from_byte(0), None);
        assert_eq!(Stage::from_byte(ALL.len() as u8 + 1), None);
    }

    #[test]
    fn a_fault_is_one_line_with_the_system_error() {
        let fault = Fault {
            stage: Stage::Exec,
            errno: 2,
            detail: "/usr/bin/python3".into(),
        };
        assert_eq!(
            fault.to_string(),
            "exec: /usr/bin/python3: No such file or directory (os error 2)"
        );
        assert_eq!(
            Fault::new(Stage::Probe, "odd").to_string(),
            "probe read: odd"
        );
    }
}
