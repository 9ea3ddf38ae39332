//! Control groups: one set per slot, one group per run. Three interfaces behind one port.

mod detect;
mod files;
mod legacy;
mod name;
mod unified;

use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

pub use name::remove_tree;

use crate::proto::{CgroupMode, Limits};
use crate::stage::{AtStage, Fault, Stage};

/// The groups of one slot, made once by its launcher.
pub(crate) trait SlotGroups {
    /// Interface in use.
    fn mode(&self) -> CgroupMode;
    /// Host paths of the groups; they outlive the launcher and are removed by whoever waits for it.
    fn paths(&self) -> &[PathBuf];
    /// Whether time spent waiting for a CPU is accounted.
    fn accounts_wait(&self) -> bool;
    /// Makes the group of one run and sets its limits. `inputs` is what the launcher has put into memory files for it.
    fn begin<'slot>(
        &'slot self,
        limits: &Limits,
        inputs: u64,
    ) -> Result<Box<dyn RunGroup + 'slot>, Fault>;
}

/// How a process gets into a run's group.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entry<'run> {
    /// Folder for `CLONE_INTO_CGROUP`.
    pub(crate) into: Option<BorrowedFd<'run>>,
    /// A `cgroup.procs` that the new process writes `0` to before it does anything else.
    pub(crate) attach: Option<BorrowedFd<'run>>,
}

/// What the memory controller says about a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryEnd {
    /// The limit was never met.
    Within,
    /// The run's own limit was met.
    Exceeded,
    /// The kernel killed a process of the run though the run was within its limit: the host itself is out of memory.
    HostExhausted,
}

/// The group of one run.
pub(crate) trait RunGroup {
    /// How the first process enters.
    fn entry(&self) -> Entry<'_>;
    /// CPU time charged so far, in microseconds, set-up included.
    fn cpu_us(&self) -> Result<u64, Fault>;
    /// Time some process waited for a CPU so far, in microseconds.
    fn wait_us(&self) -> Option<u64>;
    /// Becomes readable when the memory limit is met (interfaces whose kernel does not kill the whole group by itself).
    fn oom_event(&self) -> Option<BorrowedFd<'_>>;
    /// Kills every process of the group, where the kernel can do that in one step.
    fn kill(&self);
    /// Lifts the memory limit: called once the tree is being killed, so that the launcher never starves beside it.
    fn relax(&self);
    /// What the memory controller saw; `signalled` tells whether [`RunGroup::oom_event`] fired.
    fn memory_end(&self, signalled: bool) -> Result<MemoryEnd, Fault>;
    /// Highest charge above the inputs, in bytes, where the kernel records it.
    fn memory_peak(&self) -> Option<u64>;
    /// Whether any process is left.
    fn populated(&self) -> Result<bool, Fault>;
    /// Removes the group.
    fn finish(&mut self) -> Result<(), Fault>;
}

/// Finds this process's own groups, removes leftovers of dead launchers and makes this launcher's set.
pub(crate) fn prepare(
    wanted: Option<CgroupMode>,
    notices: &mut Vec<String>,
) -> Result<Box<dyn SlotGroups>, Fault> {
    let cgroup = std::fs::read_to_string("/proc/self/cgroup")
        .at(Stage::CgroupDetect, "/proc/self/cgroup")?;
    let mountinfo = std::fs::read_to_string("/proc/self/mountinfo")
        .at(Stage::CgroupDetect, "/proc/self/mountinfo")?;
    let own = detect::own_groups(&cgroup, &mountinfo);
    let offered = own.v2.as_deref().map(unified::offered).unwrap_or_default();
    let mode = detect::choose(&own, &offered, wanted)?;
    let pid = std::process::id();
    let started = name::alive(pid)
        .ok_or_else(|| Fault::new(Stage::CgroupDetect, "/proc/self/stat has no start time"))?;
    let slot = name::of_process(pid, started);
    Ok(match mode {
        CgroupMode::V2 => Box::new(unified::UnifiedSlot::new(
            required(own.v2)?,
            &slot,
            notices,
        )?),
        CgroupMode::Hybrid => Box::new(legacy::LegacySlot::hybrid(&own, &slot, notices)?),
        CgroupMode::V1 => Box::new(legacy::LegacySlot::v1(&own, &slot, notices)?),
    })
}

/// Removes what launchers that are gone have left in this process's own groups.
pub fn sweep_leftovers() {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let own = detect::own_groups(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo"));
    let v2 = own.v2.as_deref().map(unified::base);
    let folders = [
        v2,
        own.memory.as_deref(),
        own.pids.as_deref(),
        own.cpuacct.as_deref(),
        own.cpu.as_deref(),
    ];
    folders.into_iter().flatten().for_each(name::sweep);
}

fn required(path: Option<PathBuf>) -> Result<PathBuf, Fault> {
    path.ok_or_else(|| Fault::new(Stage::CgroupDetect, "a chosen hierarchy has no folder"))
}

/// Sweeps `parent`, creates `slot` in it and opens it.
fn create_slot(parent: &Path, slot: &str) -> Result<(files::Group, PathBuf), Fault> {
    name::sweep(parent);
    let path = parent.join(slot);
    std::fs::create_dir(&path).at(Stage::CgroupSetup, &path.display().to_string())?;
    Ok((files::Group::open(&path)?, path))
}
