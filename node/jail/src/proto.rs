//! What the host and a launcher say to each other: one set-up, then one request and one reply per run.

use serde::{Deserialize, Serialize};

use crate::stage::Fault;

/// Limits of one run. Microseconds and bytes; every limit is exceeded at `>` (`mechanism.md §1`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of the whole process tree.
    pub cpu_us: u64,
    /// Wall-clock backstop.
    pub wall_us: u64,
    /// Memory of the process tree, scratch file systems included; no swap.
    pub memory_bytes: u64,
    /// Processes and threads alive at once.
    pub processes: u64,
    /// Size of `/tmp`.
    pub tmp_bytes: u64,
    /// Size of the workspace.
    pub workspace_bytes: u64,
    /// Inodes of the workspace, and of `/tmp`.
    pub inodes: u64,
    /// Largest file that can be written.
    pub file_bytes: u64,
    /// Largest report that is read.
    pub report_bytes: u64,
    /// Bytes kept of stdout and of stderr.
    pub output_keep_bytes: u64,
    /// Bytes of stdout and stderr together after which the run is ended.
    pub output_flood_bytes: u64,
}

/// Which control group interface a slot uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CgroupMode {
    /// One cgroup v2 hierarchy with memory and pids delegated.
    V2,
    /// cgroup v1 memory and pids; CPU accounts and kill from a controller-less v2 mount.
    Hybrid,
    /// cgroup v1 only: memory, pids, cpuacct.
    V1,
}

impl CgroupMode {
    /// Lower-case name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::V2 => "v2",
            Self::Hybrid => "hybrid",
            Self::V1 => "v1",
        }
    }
}

/// The first message to a launcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Process id of the host, so that the launcher notices a parent that died before it could ask to be told.
    pub host_pid: u32,
    /// The runtime tree on the host.
    pub runtime_root: String,
    /// The interpreter's path inside the tree.
    pub python: String,
    /// The CPU that runs are pinned to.
    pub cpu: Option<u32>,
    /// Use this interface instead of the first that fits.
    pub cgroups: Option<CgroupMode>,
    /// Upper bounds of every run of the slot.
    pub max: Limits,
}

/// The launcher's answer to [`Setup`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// Control group interface in use.
    pub mode: CgroupMode,
    /// Groups that exist for this launcher; whoever outlives it removes them.
    pub groups: Vec<String>,
    /// Landlock ABI of the kernel, if Landlock is there.
    pub landlock_abi: Option<u32>,
    /// Length of the system call filter.
    pub seccomp_instructions: u32,
    /// Whether time spent runnable but not running can be read.
    pub wait_accounting: bool,
    /// What is weaker than it could be; one line each.
    pub notices: Vec<String>,
}

/// The probe file that a run must leave behind (`mechanism.md §3`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Name inside the workspace; one path component.
    pub file_name: String,
    /// Exact content.
    pub content: Vec<u8>,
}

/// What a run starts. Paths are relative to the bundle's folder, which stands at `/task/agent`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Program {
    /// The agent is one Python file with an `agent_main`.
    PythonFile,
    /// A function of a module of the bundle.
    PythonModule {
        /// Dotted name.
        module: String,
        /// Function.
        function: String,
    },
    /// A Python file of the bundle with an `agent_main`.
    PythonPath {
        /// Path.
        path: String,
    },
    /// An executable file of the bundle, which leaves its report at `/task/workspace/report.json`.
    Executable {
        /// Path.
        path: String,
    },
}

/// One run. Three descriptors travel with it: the agent (a sealed memory file, or the folder of a bundle), the task JSON (a sealed memory
/// file) and the artifact folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRequest {
    /// What is started.
    pub program: Program,
    /// Limits of this run.
    pub limits: Limits,
    /// Probe to look for afterwards.
    pub probe: Option<Probe>,
}

/// A limit that was passed, or a death by a signal nobody of ours sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Event {
    /// The CPU account of the dead tree is over the budget.
    CpuBudget,
    /// The wall clock passed the backstop.
    WallBackstop,
    /// The tree met its memory limit.
    Memory,
    /// stdout and stderr together passed the flood limit.
    OutputFlood,
    /// The agent process died of a signal that was not ours.
    Signal,
}

/// How the agent process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// Exit code.
    Code(i32),
    /// Signal number.
    Signal(i32),
}

/// What was found at the probe's path after every process of the run was dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProbeState {
    /// The run had no probe.
    NotAsked,
    /// A regular file with one link and exactly the content.
    Observed,
    /// Nothing there.
    Absent,
    /// A link, folder, FIFO, socket, device, or a file with several links.
    NotRegular,
    /// A regular file with another content.
    Differs,
}

/// What a run used. Microseconds and bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of the tree from "go" to the death of its last process.
    pub cpu_us: u64,
    /// Wall time over the same span.
    pub wall_us: u64,
    /// Time in which some process of the tree was runnable but not running; `None` when the kernel does not account it.
    pub wait_us: Option<u64>,
    /// Wall time of the set-up before "go".
    pub setup_us: u64,
    /// Highest memory charge above what the inputs took; `None` when the kernel does not record it.
    pub memory_peak_bytes: Option<u64>,
    /// Bytes written to stdout, kept or not.
    pub stdout_bytes: u64,
    /// Bytes written to stderr, kept or not.
    pub stderr_bytes: u64,
}

/// The launcher's account of one run. The report's memory file travels with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReply {
    /// Limits that were passed, in the order of [`Event`].
    pub events: Vec<Event>,
    /// One line per event: the limit and what was measured.
    pub measured: Vec<String>,
    /// The end of the agent process.
    pub exit: Exit,
    /// The probe.
    pub probe: ProbeState,
    /// Resources.
    pub usage: Usage,
    /// First bytes of stdout.
    pub stdout: Vec<u8>,
    /// First bytes of stderr.
    pub stderr: Vec<u8>,
}

/// A reply, or the step that failed.
pub type Reply<T> = Result<T, Fault>;
