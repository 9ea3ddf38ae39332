//! The command line.

mod corpus;
mod explain;
mod runtime;

pub(crate) use corpus::{ContributeArgs, CorpusArgs, CorpusCommand, LintArgs};
pub(crate) use explain::ExplainArgs;
pub(crate) use runtime::{RuntimeArgs, RuntimeCommand};

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit status:
  0  fine (score: the agent is eligible)
  1  a check found problems (corpus lint, corpus contribute --check, conform, runtime verify)
  2  the command line, the configuration or a named file is wrong
  3  score: the agent is below the track's threshold
  4  the agent is invalid (entrypoint, size, hash)
  5  the host cannot do it, or the round was abstained
  6  the corpus cannot be read, is not what its manifest says, or fills no draw";

/// Validator node for agents that judge software.
#[derive(Debug, Parser)]
#[command(name = "assay", version, about, after_help = EXIT_CODES, max_term_width = 110)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a whole round on the bundled corpus and agents, on the embedded chain
    Demo(DemoArgs),
    /// Run a validator's rounds from a configuration file
    Run(RunArgs),
    /// Ask a running node for its status, pause, resume or drain it
    Ctl(CtlArgs),
    /// Score one agent offline with the same run, vote and score code as a round
    Score(ScoreArgs),
    /// Say how a score came about: verdicts, findings matched and missed with the reasons, budgets, rank
    Explain(ExplainArgs),
    /// Show the record of a round
    Show(ShowArgs),
    /// The mechanism's numbers and their id
    #[command(subcommand)]
    Spec(SpecCommand),
    /// Check, pin, describe and extend a labelled corpus
    #[command(subcommand)]
    Corpus(CorpusCommand),
    /// Pack, pin and check an agent
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Build, check and carry the agents' Python runtime
    #[command(subcommand)]
    Runtime(RuntimeCommand),
    /// The validator's signing key
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Run a file of conformance cases against the rules
    Conform(ConformArgs),
    /// The jailed launcher process; started by the node, never by hand
    #[command(name = "__launcher", hide = true)]
    Launcher,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  assay ctl status\n  assay ctl drain --state /var/lib/assay")]
pub(crate) struct CtlArgs {
    /// What to ask
    #[command(subcommand)]
    pub(crate) command: CtlCommand,
    /// State folder of the node [default: $XDG_STATE_HOME/assay, else ~/.local/state/assay]
    #[arg(long, value_name = "DIR", env = "ASSAY_STATE", global = true)]
    pub(crate) state: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum CtlCommand {
    /// Round, progress, and every reason not to be ready
    #[command(after_help = "Example:\n  assay ctl status --json")]
    Status,
    /// Hand no runs out for now
    #[command(after_help = "Example:\n  assay ctl pause")]
    Pause,
    /// Hand runs out again
    #[command(after_help = "Example:\n  assay ctl resume")]
    Resume,
    /// Let runs in flight end, then stop; the rest is resumed at the next start
    #[command(after_help = "Example:\n  assay ctl drain")]
    Drain,
}

/// Where the corpus, the runtime and the results live.
#[derive(Debug, Args, Clone)]
pub(crate) struct HostArgs {
    /// Corpus folder (the one that holds MANIFEST.json, or its parent)
    #[arg(
        long,
        value_name = "DIR",
        env = "ASSAY_CORPUS",
        default_value = "corpus"
    )]
    pub(crate) corpus: PathBuf,
    /// Runs executed at the same time, each in a sandbox slot pinned to one CPU [default: number of CPUs]
    #[arg(long, short = 'j', value_name = "N", env = "ASSAY_JOBS")]
    pub(crate) jobs: Option<usize>,
    /// Where the agents' Python runtime comes from
    #[arg(long, value_enum, env = "ASSAY_RUNTIME", default_value_t = RuntimeChoice::Auto)]
    pub(crate) runtime: RuntimeChoice,
    /// Folder for runtimes and results [default: $XDG_STATE_HOME/assay, else ~/.local/state/assay]
    #[arg(long, value_name = "DIR", env = "ASSAY_STATE")]
    pub(crate) state: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuntimeChoice {
    /// Pinned Debian packages where they can be fetched, else the host's interpreter
    Auto,
    /// Debian packages only
    Debian,
    /// The host's own Python; scores do not compare with those of other validators
    Host,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  assay demo\n  assay demo --jobs 2 --json > round.json")]
pub(crate) struct DemoArgs {
    #[command(flatten)]
    pub(crate) host: HostArgs,
    /// Use the pinned spec with its full budgets and task counts instead of the short demo spec
    #[arg(long)]
    pub(crate) full: bool,
    /// Round seed, 64 hex digits; the same seed and secret repeat a round exactly [default: random]
    #[arg(long, value_name = "HEX")]
    pub(crate) seed: Option<String>,
    /// Round secret, 64 hex digits [default: random]
    #[arg(long, value_name = "HEX")]
    pub(crate) secret: Option<String>,
    /// Registry of agents [default: agents/registry.json of the corpus]
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  assay run --once --config assay.toml --password-file password.txt"
)]
pub(crate) struct RunArgs {
    /// Configuration file
    #[arg(
        long,
        value_name = "FILE",
        env = "ASSAY_CONFIG",
        default_value = "assay.toml"
    )]
    pub(crate) config: PathBuf,
    /// Run one round, then stop
    #[arg(long)]
    pub(crate) once: bool,
    /// File that holds the keystore's password (first line) [default: the environment's ASSAY_PASSWORD]
    #[arg(long, value_name = "FILE")]
    pub(crate) password_file: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay score my_agent.py --track skills\n  assay score my_agent.py -t packages --spec demo --json"
)]
pub(crate) struct ScoreArgs {
    /// The agent: a Python file with agent_main(task), a bundle, or a folder with agent.toml
    pub(crate) agent: PathBuf,
    /// Track: skills, mcp_servers, packages or repositories
    #[arg(long, short = 't', value_name = "TRACK")]
    pub(crate) track: String,
    #[command(flatten)]
    pub(crate) host: HostArgs,
    /// Spec: pinned, demo, or a spec file
    #[arg(long, value_name = "SPEC", default_value = "pinned")]
    pub(crate) spec: String,
    /// Draw seed, 64 hex digits; matters only when the corpus holds more tasks than a round takes
    #[arg(long, value_name = "HEX")]
    pub(crate) seed: Option<String>,
    /// Round secret, 64 hex digits [default: random]
    #[arg(long, value_name = "HEX")]
    pub(crate) secret: Option<String>,
    /// Validator whose draw is repeated [default: the demo validator]
    #[arg(long, value_name = "SS58")]
    pub(crate) validator: Option<String>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  assay show latest --runs")]
pub(crate) struct ShowArgs {
    /// A round's id in the state folder, or the path of a record file
    pub(crate) round: String,
    /// Folder for runtimes and results [default: $XDG_STATE_HOME/assay, else ~/.local/state/assay]
    #[arg(long, value_name = "DIR", env = "ASSAY_STATE")]
    pub(crate) state: Option<PathBuf>,
    /// Also list every run
    #[arg(long)]
    pub(crate) runs: bool,
    /// Print the record's JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SpecCommand {
    /// Print the spec
    #[command(after_help = "Example:\n  assay spec show demo")]
    Show(SpecArgs),
    /// Print the spec id
    #[command(after_help = "Example:\n  assay spec id pinned")]
    Id(SpecArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SpecArgs {
    /// Spec: pinned, demo, or a spec file
    #[arg(default_value = "pinned")]
    pub(crate) spec: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Pack a folder with agent.toml at its top into a bundle, the same bytes everywhere, and print its pin
    #[command(after_help = "Example:\n  assay agent pack my_agent -o my_agent.tar")]
    Pack {
        /// The folder
        dir: PathBuf,
        /// The bundle file [default: the name of agent.toml with .tar]
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the agent's pin
    #[command(after_help = "Examples:\n  assay agent pin my_agent.py\n  assay agent pin my_agent")]
    Pin {
        /// The agent: a Python file, a bundle, or a folder with agent.toml
        agent: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check size, form, entrypoint and pin without a corpus: it is loaded once in the sandbox (a program is only looked at)
    #[command(
        after_help = "Examples:\n  assay agent check my_agent.py\n  assay agent check my_agent.tar"
    )]
    Check {
        /// The agent: a Python file, a bundle, or a folder with agent.toml
        agent: PathBuf,
        /// The pin that the agent must have
        #[arg(long, value_name = "PIN")]
        pin: Option<String>,
        #[command(flatten)]
        host: HostArgs,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// Make a signing key in a new encrypted keystore file
    #[command(
        after_help = "Example:\n  assay keys new --file assay-key.json --password-file password.txt"
    )]
    New {
        /// The keystore file; an existing one is never overwritten
        #[arg(long, value_name = "FILE", default_value = "assay-key.json")]
        file: PathBuf,
        /// File that holds the password (first line) [default: the environment's ASSAY_PASSWORD]
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a keystore's hotkey
    #[command(after_help = "Example:\n  assay keys show --file assay-key.json")]
    Show {
        /// The keystore file
        #[arg(long, value_name = "FILE", default_value = "assay-key.json")]
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  assay conform --kind mcc mechanism-spec/vectors/mcc.jsonl")]
pub(crate) struct ConformArgs {
    /// Kind of the cases: the file's stem (mcc, consensus, fbeta, weights_u16, rules, or a kind of rules.jsonl)
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: String,
    /// The file, one JSON case a line
    pub(crate) file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::{Command, CommandFactory, Parser};

    /// Every command that does something, without the hidden ones.
    fn leaves(command: &Command) -> Vec<&Command> {
        let inner: Vec<_> = command
            .get_subcommands()
            .filter(|inner| !inner.is_hide_set())
            .flat_map(leaves)
            .collect();
        if inner.is_empty() {
            vec![command]
        } else {
            inner
        }
    }

    #[test]
    fn every_command_describes_itself_and_its_arguments() {
        let cli = Cli::command();
        for command in leaves(&cli) {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name} says nothing");
            for arg in command.get_arguments() {
                assert!(
                    arg.get_help().is_some(),
                    "{name}: {} says nothing",
                    arg.get_id()
                );
            }
        }
    }

    #[test]
    fn every_command_has_examples_that_parse() {
        let cli = Cli::command();
        for command in leaves(&cli) {
            let name = command.get_name();
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let examples: Vec<&str> = help
                .lines()
                .filter_map(|line| line.strip_prefix("  "))
                .collect();
            assert!(!examples.is_empty(), "{name} has no example");
            for example in examples {
                let words = example.split(" > ").next().unwrap().split_whitespace();
                let parsed = Cli::try_parse_from(words);
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            }
        }
    }
}
