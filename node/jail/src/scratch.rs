//! The file systems of one run, filled with its inputs: `/task` and `/task/artifact` read-only, the workspace and `/tmp` empty.

use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{Mode, SealFlags};

use crate::artifact::{self, whole_pages};
use crate::proto::{Limits, Program};
use crate::root::{READ_ONLY, detached_tmpfs};
use crate::stage::{AtStage, Fault, Stage};
use crate::sys;
use crate::warm::Runner;

/// Descriptors that come with a run.
pub(crate) struct Inputs {
    /// The agent's file, a sealed memory file, or its folder.
    pub(crate) agent: OwnedFd,
    /// The task as JSON, a sealed memory file.
    pub(crate) task: OwnedFd,
    /// The artifact's folder.
    pub(crate) artifact: OwnedFd,
}

/// Detached mounts of a run.
pub(crate) struct Scratch {
    pub(crate) task: OwnedFd,
    pub(crate) artifact: OwnedFd,
    pub(crate) workspace: OwnedFd,
    pub(crate) tmp: OwnedFd,
    /// Memory that the inputs take.
    pub(crate) input_bytes: u64,
}

impl Scratch {
    /// Makes and fills them.
    pub(crate) fn prepare(
        limits: &Limits,
        program: &Program,
        user: u32,
        runner: &Runner,
        inputs: &Inputs,
        buffer: &mut [u8],
    ) -> Result<Self, Fault> {
        let executable = program.is_executable();
        let writable = |bytes: u64, mode: &str| {
            let options = [
                ("size", bytes.to_string()),
                ("nr_inodes", limits.inodes.to_string()),
                ("mode", mode.to_owned()),
                ("uid", user.to_string()),
                ("gid", user.to_string()),
            ];
            detached_tmpfs(&options, executable)
        };
        let workspace = writable(limits.workspace_bytes, "0700")?;
        let tmp = writable(limits.tmp_bytes, "1777")?;
        let read_only = |executable| {
            let options = [
                ("size", "0".to_owned()),
                ("nr_inodes", "0".to_owned()),
                ("mode", "0755".to_owned()),
            ];
            detached_tmpfs(&options, executable)
        };
        let artifact = read_only(false)?;
        let mut input_bytes = artifact::copy(inputs.artifact.as_fd(), artifact.as_fd(), buffer)?;
        freeze(artifact.as_fd())?;
        let task = read_only(executable)?;
        input_bytes += fill_task(task.as_fd(), program, runner, inputs, buffer)?;
        freeze(task.as_fd())?;
        Ok(Self {
            task,
            artifact,
            workspace,
            tmp,
            input_bytes,
        })
    }
}

fn fill_task(
    folder: BorrowedFd<'_>,
    program: &Program,
    runner: &Runner,
    inputs: &Inputs,
    buffer: &mut [u8],
) -> Result<u64, Fault> {
    let mut bytes = place(folder, runner.name.into(), &runner.content)?;
    bytes += copy_sealed(&inputs.task, folder, c"task.json".into(), buffer)?;
    let agent = artifact::create_folder(folder, &c"agent".into())?;
    bytes += match program {
        Program::PythonFile => {
            let bytes = copy_sealed(&inputs.agent, agent.as_fd(), c"agent.py".into(), buffer)?;
            artifact::fix_times(&agent)?;
            bytes
        }
        _ => artifact::copy(inputs.agent.as_fd(), agent.as_fd(), buffer)?,
    };
    for mount_point in [c"artifact", c"workspace"] {
        artifact::fix_times(artifact::create_folder(folder, &mount_point.into())?)?;
    }
    artifact::fix_folder_times(folder)?;
    Ok(bytes)
}

fn place(folder: BorrowedFd<'_>, name: CString, content: &[u8]) -> Result<u64, Fault> {
    let file = artifact::create_file(folder, &name, Mode::from_raw_mode(0o644))?;
    artifact::write_all(&file, content).at(Stage::Scratch, &name.to_string_lossy())?;
    artifact::fix_times(&file)?;
    Ok(whole_pages(content.len() as u64))
}

/// Copies a memory file that can no longer change.
fn copy_sealed(
    source: &OwnedFd,
    folder: BorrowedFd<'_>,
    name: CString,
    buffer: &mut [u8],
) -> Result<u64, Fault> {
    let shown = name.to_string_lossy();
    let sealed = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    if !rustix::fs::fcntl_get_seals(source)
        .at(Stage::Scratch, &shown)?
        .contains(sealed)
    {
        return Err(Fault::new(
            Stage::Scratch,
            format!("{shown} came in a memory file that is not sealed"),
        ));
    }
    let target = artifact::create_file(folder, &name, Mode::from_raw_mode(0o644))?;
    artifact::copy_bytes(source, &target, &shown, buffer)
}

fn freeze(mount: BorrowedFd<'_>) -> Result<(), Fault> {
    sys::set_mount_attributes(mount, c"", READ_ONLY, false).at(Stage::Scratch, "read-only inputs")
}
