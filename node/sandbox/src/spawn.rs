//! Starts launchers from one thread that lives as long as the process.
//!
//! A launcher asks the kernel to be killed with its parent, and for the kernel the parent is the *thread* that started it. A slot may well
//! be started from a short-lived worker thread, so all launchers are started from this one.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{OnceLock, mpsc};

type Job = (Command, mpsc::Sender<io::Result<Child>>);

/// Starts `command` with one end of a socket pair as its standard input and returns the other end.
pub(crate) fn launcher(mut command: Command) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    // In a group of its own a launcher does not get the terminal's Ctrl-C: the node ends its runs in its own order.
    command
        .process_group(0)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .env_clear();
    let (answer, answered) = mpsc::channel();
    let gone = || io::Error::other("the thread that starts launchers is gone");
    starter()?.send((command, answer)).map_err(|_| gone())?;
    let child = answered.recv().map_err(|_| gone())??;
    Ok((child, ours))
}

fn starter() -> io::Result<mpsc::Sender<Job>> {
    static STARTER: OnceLock<mpsc::Sender<Job>> = OnceLock::new();
    if let Some(starter) = STARTER.get() {
        return Ok(starter.clone());
    }
    let (jobs, queue) = mpsc::channel::<Job>();
    std::thread::Builder::new()
        .name("launcher-starter".to_owned())
        .spawn(move || {
            for (mut command, answer) in queue {
                let started = command.spawn();
                // The socket's other end in `command` must be closed here, or the launcher's death would not be seen.
                drop(command);
                let _asker_gone = answer.send(started);
            }
        })?;
    // When two threads race here the loser's queue is dropped and its thread ends, having started nothing.
    Ok(STARTER.get_or_init(|| jobs).clone())
}
