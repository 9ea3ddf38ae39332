//! The report of an agent that is a program of its own: a file in its workspace, read from outside once every process of the run is
//! dead, and put into the same memory file, in the same form, that the runner of a Python agent writes.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::Mode;

use crate::artifact;
use crate::probe::{self, Found};
use crate::stage::{AtStage, Fault, Stage};

/// Where the agent leaves its report, inside the workspace.
const REPORT: &str = "report.json";

/// Copies the report, if there is a plain one, up to one byte more than `limit`; a longer one keeps its length and loses its content.
pub(crate) fn collect(
    workspace: BorrowedFd<'_>,
    limit: u64,
    into: &OwnedFd,
    buffer: &mut [u8],
) -> Result<(), Fault> {
    let Found::File(file, status) = probe::find(workspace, REPORT, Stage::Report)? else {
        return Ok(());
    };
    let size = status.st_size.cast_unsigned();
    artifact::write_all(into, b"R").at(Stage::Report, REPORT)?;
    if size > limit {
        return rustix::fs::ftruncate(into, size.saturating_add(1)).at(Stage::Report, REPORT);
    }
    // Nobody is left who could make it longer.
    let mut left = size;
    while left > 0 {
        let part = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let got = rustix::io::read(&file, &mut buffer[..part]).at(Stage::Report, REPORT)?;
        if got == 0 {
            break;
        }
        artifact::write_all(into, &buffer[..got]).at(Stage::Report, REPORT)?;
        left -= got as u64;
    }
    Ok(())
}

/// Says why the agent's executable could not be started, as the runner would of a Python agent.
pub(crate) fn refused(
    task: BorrowedFd<'_>,
    path: &str,
    errno: i32,
    into: &OwnedFd,
) -> Result<(), Fault> {
    let entry = probe::find(task, &format!("agent/{path}"), Stage::Report)?;
    let runnable = matches!(&entry, Found::File(_, status)
        if Mode::from_raw_mode(status.st_mode).contains(Mode::XUSR));
    let told = if runnable {
        let error = std::io::Error::from_raw_os_error(errno);
        format!("E{path} cannot be executed: {error}")
    } else {
        format!("M{path} is no executable regular file of the bundle")
    };
    artifact::write_all(into.as_fd(), told.as_bytes()).at(Stage::Report, "start of the agent")
}
