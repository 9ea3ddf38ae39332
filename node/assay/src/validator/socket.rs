//! The control socket: one JSON request a line, one JSON answer a line.

use super::watch::Status;
use crate::engine::control::{Control, Request};
use crate::error::{CliError, CliResult};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream as StdStream;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use web::{NotReady, Shared};

/// Longest request.
const LONGEST: u64 = 4_096;

/// Takes the socket's path; a socket that nobody answers on is a leftover and is replaced.
pub(crate) fn bind(path: &Path) -> Result<UnixListener, String> {
    let shown = path.display();
    if path.exists() {
        if StdStream::connect(path).is_ok() {
            return Err(format!(
                "{shown}: another node answers on this socket; stop it first"
            ));
        }
        std::fs::remove_file(path).map_err(|error| format!("cannot remove {shown}: {error}"))?;
    }
    let listener =
        UnixListener::bind(path).map_err(|error| format!("cannot bind {shown}: {error}"))?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
        .map_err(|error| format!("cannot protect {shown}: {error}"))?;
    Ok(listener)
}

/// Answers until the process ends.
pub(crate) async fn serve(
    listener: UnixListener,
    control: Arc<Control>,
    status: Arc<Mutex<Status>>,
    shared: Arc<Shared>,
) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let (control, status, shared) = (control.clone(), status.clone(), shared.clone());
                tokio::spawn(async move {
                    if let Err(error) = talk(stream, &control, &status, &shared).await {
                        tracing::debug!("control socket: {error}");
                    }
                });
            }
            Err(error) => {
                tracing::warn!("control socket: {error}");
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            }
        }
    }
}

async fn talk(
    stream: UnixStream,
    control: &Control,
    status: &Mutex<Status>,
    shared: &Shared,
) -> std::io::Result<()> {
    use tokio::io::AsyncReadExt;
    let (reader, mut writer) = stream.into_split();
    let mut line = String::new();
    tokio::io::BufReader::new(reader.take(LONGEST))
        .read_line(&mut line)
        .await?;
    let answer = answer(&line, control, status, shared);
    writer.write_all(format!("{answer}\n").as_bytes()).await
}

fn answer(line: &str, control: &Control, status: &Mutex<Status>, shared: &Shared) -> Value {
    let request: Value = serde_json::from_str(line).unwrap_or_default();
    match request["command"].as_str() {
        Some("status") => {}
        Some("pause") => {
            control.ask(Request::Pause);
            shared
                .health
                .set(NotReady::Paused, "an operator paused the node");
        }
        Some("resume") => {
            control.ask(Request::Run);
            shared.health.clear(NotReady::Paused);
        }
        Some("drain") => {
            control.ask(Request::Drain);
            shared
                .health
                .set(NotReady::Stopping, "an operator drains the node");
        }
        _ => {
            return json!({"error": "unknown command; there are status, pause, resume and drain"});
        }
    }
    let status = status
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    json!({
        "status": status,
        "request": match control.request() {
            Request::Run => "run",
            Request::Pause => "pause",
            Request::Drain => "drain",
        },
        "not_ready": shared.health.reasons(),
    })
}

/// Asks a running node.
pub(crate) fn ask(path: &Path, command: &str) -> CliResult<Value> {
    let shown = path.display();
    let failed = |error: std::io::Error| {
        CliError::usage(format!(
            "no node answers on {shown}: {error}; start it with assay run, or name its state folder with --state"
        ))
    };
    let mut stream = StdStream::connect(path).map_err(failed)?;
    writeln!(stream, "{}", json!({"command": command})).map_err(failed)?;
    let mut line = String::new();
    BufReader::new(stream)
        .read_line(&mut line)
        .map_err(failed)?;
    let answer: Value = serde_json::from_str(&line).map_err(|error| {
        CliError::infrastructure(format!("{shown}: unreadable answer: {error}"))
    })?;
    match answer["error"].as_str() {
        Some(error) => Err(CliError::usage(error)),
        None => Ok(answer),
    }
}
