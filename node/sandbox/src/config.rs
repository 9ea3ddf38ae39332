//! What a slot and a run are asked for.

use std::path::PathBuf;

pub use jail::proto::{CgroupMode, Limits, Probe};

/// How tightly a run is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// No network, no socket of any family except pairs.
    #[default]
    Sealed,
}

/// What a slot is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxConfig {
    /// The runtime tree: becomes the read-only root of every run. It needs empty folders `/dev`, `/proc`, `/task` and `/tmp`.
    pub runtime_root: PathBuf,
    /// The interpreter's path inside the tree, such as `/usr/bin/python3.11`.
    pub python: String,
    /// The launcher executable on the host.
    pub launcher: PathBuf,
    /// Its arguments.
    pub launcher_args: Vec<String>,
    /// Number of the slot, for messages.
    pub slot: u32,
    /// The CPU that runs of this slot are pinned to; without one they may use all, and an overrun of the CPU budget can be longer.
    pub cpu: Option<usize>,
    /// How tightly runs are sealed.
    pub profile: Profile,
    /// Upper bounds of every run; a run that asks for more is refused.
    pub max: Limits,
    /// Use this control group interface instead of the strongest that is available.
    pub cgroups: Option<CgroupMode>,
}

/// The agent's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// One Python source file with an `agent_main`.
    PythonFile(Vec<u8>),
    /// A function of a module of a bundle.
    PythonModule {
        /// The unpacked bundle on the host; copied to `/task/agent`, which is on the module path.
        folder: PathBuf,
        /// Dotted name.
        module: String,
        /// Function.
        function: String,
    },
    /// A Python file of a bundle with an `agent_main`.
    PythonPath {
        /// The unpacked bundle, as above.
        folder: PathBuf,
        /// Path in it.
        path: String,
    },
    /// An executable file of a bundle. It finds its task in `/task/task.json` and leaves its report in
    /// `/task/workspace/report.json`; what it writes itself can be executed too.
    Executable {
        /// The unpacked bundle, as above.
        folder: PathBuf,
        /// Path in it.
        path: String,
    },
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSpec {
    /// The agent.
    pub agent: Program,
    /// The task, a JSON object, given to the agent and placed at `/task/task.json`.
    pub task_json: Vec<u8>,
    /// The materialised artifact on the host; copied to `/task/artifact`.
    pub artifact: PathBuf,
    /// The probe file to look for.
    pub probe: Option<Probe>,
    /// Limits.
    pub limits: Limits,
}
