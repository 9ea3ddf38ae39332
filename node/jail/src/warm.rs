//! The runner, compiled once per slot inside the sandbox: every run is spared the compilation, and a slot whose interpreter does not
//! work is refused at its start instead of failing agents.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags};

use crate::artifact;
use crate::proto::{Exit, Limits, Program, RunRequest};
use crate::run::Slot;
use crate::scratch::Inputs;
use crate::stage::{AtStage, Fault, Stage};

/// The program inside every sandbox that loads the agent and hands its report over.
const SOURCE: &[u8] = include_bytes!("runner.py");
/// The program of the slot's first run: hands over the runner's compiled form.
const COMPILER: &[u8] = include_bytes!("compile_runner.py");
/// A compiled file starts with 16 bytes that say for which interpreter it is.
const SMALLEST: usize = 16;
/// No runner is near this size.
const LARGEST: u64 = 1 << 20;

/// The runner in the form that runs start it from.
pub(crate) struct Runner {
    /// Its name in `/task`.
    pub(crate) name: &'static CStr,
    /// Its full path.
    pub(crate) path: &'static CStr,
    /// Its content.
    pub(crate) content: Vec<u8>,
}

impl Runner {
    /// The runner's source.
    pub(crate) fn source() -> Self {
        Self {
            name: c"runner.py",
            path: c"/task/runner.py",
            content: SOURCE.to_vec(),
        }
    }
}

/// Lets the slot's own interpreter compile the runner in a sealed run, and makes it the slot's runner.
pub(crate) fn up(slot: &mut Slot, limits: &Limits, host: BorrowedFd<'_>) -> Result<(), Fault> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    // An empty folder of the runtime tree stands for the artifact.
    let empty = rustix::fs::open("/task", flags, Mode::empty())
        .at(Stage::Root, "/task of the runtime tree")?;
    let inputs = Inputs {
        agent: sealed(COMPILER)?,
        task: sealed(b"{}")?,
        artifact: empty,
    };
    let request = RunRequest {
        program: Program::PythonFile,
        limits: limits.clone(),
        probe: None,
    };
    let (reply, report) = slot.run(&request, inputs, host)?;
    let compiled = read(&report)?;
    match compiled.split_first() {
        Some((b'R', content)) if reply.exit == Exit::Code(0) && content.len() > SMALLEST => {
            slot.runner = Runner {
                name: c"runner.pyc",
                path: c"/task/runner.pyc",
                content: content.to_vec(),
            };
            Ok(())
        }
        _ => {
            let stderr = String::from_utf8_lossy(&reply.stderr);
            let last = stderr
                .trim_end()
                .lines()
                .last()
                .unwrap_or("nothing on stderr");
            let ended = format!(
                "the interpreter does not work inside the sandbox: {:?}, events {:?}: {last}",
                reply.exit, reply.events
            );
            Err(Fault::new(Stage::SelfTest, ended))
        }
    }
}

fn sealed(content: &[u8]) -> Result<OwnedFd, Fault> {
    let step = "memory file of the first run";
    let file = rustix::fs::memfd_create("warm", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
        .at(Stage::Scratch, step)?;
    artifact::write_all(&file, content).at(Stage::Scratch, step)?;
    rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(0)).at(Stage::Scratch, step)?;
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals).at(Stage::Scratch, step)?;
    Ok(file)
}

fn read(report: &OwnedFd) -> Result<Vec<u8>, Fault> {
    let step = "the compiled runner";
    let size = rustix::fs::fstat(report)
        .at(Stage::Report, step)?
        .st_size
        .cast_unsigned();
    if size > LARGEST {
        return Err(Fault::new(
            Stage::Report,
            format!("{step} has {size} bytes"),
        ));
    }
    let mut content = vec![0; usize::try_from(size).unwrap_or(0)];
    let got = rustix::io::pread(report.as_fd(), &mut content, 0).at(Stage::Report, step)?;
    content.truncate(got);
    Ok(content)
}
