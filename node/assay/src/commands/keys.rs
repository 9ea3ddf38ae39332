//! `assay keys`.

use super::{password, print_json, print_line};
use crate::cli::KeysCommand;
use crate::error::{CliError, CliResult};
use serde_json::json;
use signer::Keypair;

pub(crate) fn run(command: &KeysCommand) -> CliResult {
    match command {
        KeysCommand::New {
            file,
            password_file,
            json,
        } => {
            let password = password(password_file.as_deref())?;
            let pair = Keypair::generate().map_err(CliError::infrastructure)?;
            signer::keystore::create(file, &pair, password.as_bytes()).map_err(CliError::usage)?;
            let hotkey = pair.hotkey();
            if *json {
                return print_json(&json!({"hotkey": hotkey, "file": file}));
            }
            print_line(&format!("{hotkey}\nkeystore written to {}", file.display()))
        }
        KeysCommand::Show { file, json } => {
            let hotkey = signer::keystore::hotkey(file).map_err(CliError::usage)?;
            if *json {
                return print_json(&json!({"hotkey": hotkey, "file": file}));
            }
            print_line(hotkey.as_str())
        }
    }
}
