//! The background thread: HTTP, signals, the control socket. And the store that counts what becomes durable.

use super::socket;
use crate::engine::control::{Control, Request};
use crate::error::{CliError, CliResult};
use round::ports::Store;
use round::record::Entry;
use serde::Serialize;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::signal::unix::{SignalKind, signal};
use web::{NotReady, Shared};

/// Exit status of a second stop signal, as a shell reports SIGINT.
const STOPPED_AT_ONCE: i32 = 130;

/// What the control socket's `status` shows.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Status {
    /// `waiting`, `running` or `draining`.
    pub(crate) phase: &'static str,
    /// Id of the round.
    pub(crate) round: Option<u64>,
    /// Durable runs.
    pub(crate) done: usize,
    /// Planned runs.
    pub(crate) planned: usize,
    /// How the last round ended.
    pub(crate) last: Option<String>,
}

/// Everything that the round loop and the background thread share.
pub(crate) struct Watch {
    pub(crate) shared: Arc<Shared>,
    pub(crate) control: Arc<Control>,
    pub(crate) status: Arc<Mutex<Status>>,
}

impl Watch {
    /// Changes the status.
    pub(crate) fn update(&self, change: impl FnOnce(&mut Status)) {
        change(&mut self.status.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether the node was asked to stop.
    pub(crate) fn stopping(&self) -> bool {
        self.control.request() == Request::Drain
    }

    /// Starts the background thread; returns the address that HTTP is served on.
    pub(crate) fn start(
        &self,
        listen: Option<SocketAddr>,
        socket_path: PathBuf,
    ) -> CliResult<Option<SocketAddr>> {
        let (started, answer) = channel();
        let (shared, control, status) = (
            self.shared.clone(),
            self.control.clone(),
            self.status.clone(),
        );
        std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || {
                let background = Background {
                    shared,
                    control,
                    status,
                    socket_path,
                };
                match tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                {
                    Ok(runtime) => runtime.block_on(background.run(listen, &started)),
                    Err(error) => {
                        let _ = started.send(Err(error.to_string()));
                    }
                }
            })
            .map_err(|error| CliError::infrastructure(format!("cannot start a thread: {error}")))?;
        match answer.recv() {
            Ok(Ok(address)) => Ok(address),
            Ok(Err(error)) => Err(CliError::infrastructure(error)),
            Err(_) => Err(CliError::infrastructure("the background thread ended")),
        }
    }
}

struct Background {
    shared: Arc<Shared>,
    control: Arc<Control>,
    status: Arc<Mutex<Status>>,
    socket_path: PathBuf,
}

impl Background {
    async fn run(
        self,
        listen: Option<SocketAddr>,
        started: &std::sync::mpsc::Sender<Result<Option<SocketAddr>, String>>,
    ) {
        let listener = match socket::bind(&self.socket_path) {
            Ok(listener) => listener,
            Err(error) => {
                let _ = started.send(Err(error));
                return;
            }
        };
        let signals = signals(self.control.clone(), self.shared.clone());
        let control = socket::serve(
            listener,
            self.control.clone(),
            self.status.clone(),
            self.shared.clone(),
        );
        let Some(address) = listen else {
            let _ = started.send(Ok(None));
            tokio::join!(signals, control);
            return;
        };
        let tell = started.clone();
        let http = web::serve(
            address,
            self.shared.clone(),
            move |bound| {
                let _ = tell.send(Ok(Some(bound)));
            },
            std::future::pending(),
        );
        let http = async {
            if let Err(error) = http.await {
                // Before the address is bound this reaches the caller; afterwards nobody listens any more.
                if started.send(Err(error.to_string())).is_err() {
                    tracing::error!("{error}");
                }
            }
        };
        tokio::join!(signals, control, http);
    }
}

/// The first SIGTERM or SIGINT drains, the second stops the process.
async fn signals(control: Arc<Control>, shared: Arc<Shared>) {
    let (Ok(mut term), Ok(mut interrupt)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        tracing::error!(
            "signal handlers cannot be installed; stop the node with `assay ctl drain`"
        );
        return;
    };
    loop {
        tokio::select! {
            _ = term.recv() => {}
            _ = interrupt.recv() => {}
        }
        if control.request() == Request::Drain {
            tracing::warn!("stopping at once");
            std::process::exit(STOPPED_AT_ONCE);
        }
        tracing::info!("stopping: runs in flight may end, the rest is resumed at the next start");
        shared
            .health
            .set(NotReady::Stopping, "the node is stopping");
        control.ask(Request::Drain);
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
    }
}

/// A store that counts what it makes durable.
pub(crate) struct Metered<'a, S> {
    pub(crate) inner: S,
    pub(crate) shared: &'a Shared,
}

impl<S: Store> Store for Metered<'_, S> {
    fn append(&mut self, entries: &[Entry]) -> Result<(), String> {
        let began = Instant::now();
        self.inner.append(entries).inspect_err(|error| {
            self.shared.health.set(NotReady::Ledger, error.clone());
        })?;
        self.shared.metrics.flushed(began.elapsed());
        for entry in entries {
            if let Entry::Run(run) = entry {
                self.shared.metrics.run_ended(run);
            }
        }
        Ok(())
    }
}

/// Free bytes where a path lies.
pub(crate) fn disk_free(path: &Path) -> u64 {
    rustix::fs::statvfs(path).map_or(0, |stat| stat.f_bavail * stat.f_frsize)
}
