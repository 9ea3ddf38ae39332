//! `assay explain`.

use super::HostArgs;
use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay explain my_agent.py --track skills\n  assay explain my_agent.py t0143-cloud-cost-report --track skills\n  assay explain baseline-skills --track skills --record latest"
)]
pub(crate) struct ExplainArgs {
    /// A Python file, which is scored now, or with --record the name or hotkey of one of its agents
    pub(crate) agent: String,
    /// One task only: its reference or its name
    pub(crate) task: Option<String>,
    /// Track: skills, mcp_servers, packages or repositories
    #[arg(long, short = 't', value_name = "TRACK")]
    pub(crate) track: String,
    /// A round's id in the state folder, 'latest', or the path of a record: explain one of its agents, or score the file
    /// on the same draw and say where it would have come in
    #[arg(long, value_name = "RECORD")]
    pub(crate) record: Option<String>,
    #[command(flatten)]
    pub(crate) host: HostArgs,
    /// Spec: pinned, demo, or a spec file [default: that of the record, else pinned]
    #[arg(long, value_name = "SPEC")]
    pub(crate) spec: Option<String>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}
