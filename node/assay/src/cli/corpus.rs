//! `assay corpus`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum CorpusCommand {
    /// Check every task and label; exit status 1 when something is wrong
    #[command(
        after_help = "Examples:\n  assay corpus lint corpus\n  assay corpus lint corpus --features"
    )]
    Lint(LintArgs),
    /// Write MANIFEST.json: hash every artifact and label, and the root
    #[command(after_help = "Example:\n  assay corpus pin corpus")]
    Pin(CorpusArgs),
    /// Count tasks, files, languages and findings
    #[command(after_help = "Example:\n  assay corpus stats corpus --json")]
    Stats(CorpusArgs),
    /// Make the template of a new task, or check one task alone and commit to its label
    #[command(
        after_help = "Examples:\n  assay corpus contribute t0042-log-shipper --track packages\n  assay corpus contribute --check t0042-log-shipper"
    )]
    Contribute(ContributeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    /// Corpus folder
    #[arg(value_name = "DIR", default_value = "corpus")]
    pub(crate) dir: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    /// Corpus folder
    #[arg(value_name = "DIR", default_value = "corpus")]
    pub(crate) dir: PathBuf,
    /// Also measure how well the label can be guessed from any single feature, on tasks the guess was not made on
    #[arg(long)]
    pub(crate) features: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ContributeArgs {
    /// Folder of the new task; its name becomes the task's
    #[arg(
        value_name = "NEW_DIR",
        required_unless_present = "check",
        requires = "track"
    )]
    pub(crate) new_dir: Option<PathBuf>,
    /// Track: skills, mcp_servers, packages or repositories
    #[arg(long, short = 't', value_name = "TRACK", conflicts_with = "check")]
    pub(crate) track: Option<String>,
    /// Check this task, print its hashes and a salted commitment to its label; the salt is kept in DIR.salt
    #[arg(long, value_name = "DIR", conflicts_with = "new_dir")]
    pub(crate) check: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
