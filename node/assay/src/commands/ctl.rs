//! `assay ctl`: talks to a running node.

use super::{print_json, print_line};
use crate::cli::{CtlArgs, CtlCommand};
use crate::error::CliResult;
use crate::host::state_dir;
use crate::validator;

pub(crate) fn run(args: &CtlArgs) -> CliResult {
    let path = state_dir(args.state.as_deref())?.join("control.sock");
    let word = match args.command {
        CtlCommand::Status => "status",
        CtlCommand::Pause => "pause",
        CtlCommand::Resume => "resume",
        CtlCommand::Drain => "drain",
    };
    let answer = validator::ask(&path, word)?;
    if args.json {
        return print_json(&answer);
    }
    let status = &answer["status"];
    let round = status["round"]
        .as_u64()
        .map_or_else(|| "-".to_owned(), |id| id.to_string());
    print_line(&format!(
        "{}, round {round}, {} of {} runs durable, asked to {}",
        status["phase"].as_str().unwrap_or("-"),
        status["done"],
        status["planned"],
        answer["request"].as_str().unwrap_or("-"),
    ))?;
    if let Some(last) = status["last"].as_str() {
        print_line(&format!("last: {last}"))?;
    }
    if let Some(reasons) = answer["not_ready"].as_object() {
        for (reason, detail) in reasons {
            print_line(&format!(
                "not ready: {reason}: {}",
                detail.as_str().unwrap_or("")
            ))?;
        }
    }
    Ok(())
}
