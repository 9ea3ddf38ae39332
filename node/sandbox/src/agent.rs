//! The agent as its launcher gets it: a descriptor, and what is to be started.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use jail::proto;
use rustix::fs::{Mode, OFlags};

use crate::config::Program;
use crate::memfile;

/// Opens the agent's bytes or folder.
pub(crate) fn open(agent: &Program) -> io::Result<(OwnedFd, proto::Program)> {
    let (folder, program) = match agent {
        Program::PythonFile(source) => {
            let file = memfile::sealed("agent", source)?;
            return Ok((file, proto::Program::PythonFile));
        }
        Program::PythonModule {
            folder,
            module,
            function,
        } => {
            let (module, function) = (module.clone(), function.clone());
            (folder, proto::Program::PythonModule { module, function })
        }
        Program::PythonPath { folder, path } => {
            let path = path.clone();
            (folder, proto::Program::PythonPath { path })
        }
        Program::Executable { folder, path } => {
            let path = path.clone();
            (folder, proto::Program::Executable { path })
        }
    };
    let opened = open_folder(folder)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))?;
    Ok((opened, program))
}

/// Opens a folder to read it.
pub(crate) fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(
        path,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?)
}
