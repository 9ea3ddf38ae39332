//! `assay runtime`.

use super::RuntimeChoice;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum RuntimeCommand {
    /// Build a runtime, also when it is there already, and print its hash
    #[command(after_help = "Example:\n  assay runtime build --runtime debian --twice")]
    Build {
        /// Where the runtime comes from
        #[arg(long, value_enum, env = "ASSAY_RUNTIME", default_value_t = RuntimeChoice::Auto)]
        runtime: RuntimeChoice,
        /// Build it a second time and compare the hashes
        #[arg(long)]
        twice: bool,
        #[command(flatten)]
        at: RuntimeArgs,
    },
    /// Hash every runtime of the state folder again and compare
    #[command(after_help = "Example:\n  assay runtime verify")]
    Verify {
        #[command(flatten)]
        at: RuntimeArgs,
    },
    /// Write a runtime to one file, for hosts that cannot fetch the packages
    #[command(after_help = "Example:\n  assay runtime export runtime.tar.zst")]
    Export {
        /// The file to write
        file: PathBuf,
        /// The runtime's hash, or its first digits [default: the comparable one, else the only one]
        #[arg(long, value_name = "HEX")]
        hash: Option<String>,
        #[command(flatten)]
        at: RuntimeArgs,
    },
    /// Bring in an exported runtime: its tree must have the pinned hash, or the one that is named
    #[command(after_help = "Example:\n  assay runtime import runtime.tar.zst")]
    Import {
        /// The file to read
        file: PathBuf,
        /// Hash that the tree must have, 64 hex digits; only for a file that you trust [default: the pinned one]
        #[arg(long, value_name = "HEX")]
        hash: Option<String>,
        #[command(flatten)]
        at: RuntimeArgs,
    },
}

/// Where the runtimes are and how the answer is printed.
#[derive(Debug, Args)]
pub(crate) struct RuntimeArgs {
    /// Folder for runtimes and results [default: $XDG_STATE_HOME/assay, else ~/.local/state/assay]
    #[arg(long, value_name = "DIR", env = "ASSAY_STATE")]
    pub(crate) state: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
