//! What is wrong with words on the command line and with the files they name.

use super::support::Desk;

#[test]
fn wrong_words_are_refused_with_their_value() {
    let desk = Desk::bare();
    let agent = desk.write("a.py", "def agent_main(task):\n    return {}\n");
    let agent = agent.to_str().unwrap();
    let short = "ab".repeat(31);
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["score", agent, "-t", "wallets"],
            &["'wallets'", "skills, mcp_servers, packages, repositories"],
        ),
        (&["score", agent], &["--track", "see --help"]),
        (
            &["score", agent, "-t", "skills", "--spec", "no.toml"],
            &["no.toml", "pinned, demo or a file"],
        ),
        (
            &["score", agent, "-t", "skills", "--validator", "5abc"],
            &["--validator", "5abc", "SS58"],
        ),
        (
            &["score", agent, "-t", "skills", "--seed", "xyz"],
            &["--seed", "'xyz'", "64 hex digits"],
        ),
        (
            &["demo", "--seed", &short],
            &["--seed", &short, "64 hex digits"],
        ),
        (
            &["demo", "--secret", "0x00"],
            &["--secret", "'0x00'", "leave the flag out"],
        ),
        (&["demo", "--jobs", "two"], &["'two'", "--jobs"]),
        (
            &["demo", "--runtime", "snake"],
            &["'snake'", "auto, debian, host"],
        ),
        (&["dmeo"], &["'dmeo'", "see --help"]),
        (&["spec", "show", "no.toml"], &["no.toml"]),
        (&["show", "yesterday"], &["'yesterday'", "latest"]),
        (&["conform", "--kind", "mcc", "no.jsonl"], &["no.jsonl"]),
    ];
    for (words, told) in cases {
        desk.refused(desk.assay().args(*words), 2, told);
    }
}

#[test]
fn jobs_have_bounds() {
    let desk = Desk::bare();
    let agent = desk.write("a.py", "def agent_main(task):\n    return {}\n");
    for jobs in ["0", "257"] {
        let mut command = desk.assay();
        command.args(["agent", "check", "-j", jobs]).arg(&agent);
        desk.refused(&mut command, 2, &["--jobs", jobs]);
    }
}

#[test]
fn a_spec_file_with_a_fault_is_named_with_the_place() {
    let desk = Desk::bare();
    desk.write("short.toml", "version = 1\n");
    desk.write("garbled.toml", "version = = 1\n");
    let demo = desk
        .assay()
        .args(["spec", "show", "demo"])
        .output()
        .unwrap()
        .stdout;
    let demo = String::from_utf8(demo).unwrap();
    desk.write("range.toml", demo.replacen("tasks = 8", "tasks = 0", 1));
    desk.write("extra.toml", format!("surprise = 1\n{demo}"));
    for (name, told) in [
        ("short.toml", "profile"),
        ("garbled.toml", "`=`"),
        ("range.toml", "tasks"),
        ("extra.toml", "surprise"),
    ] {
        desk.refused(desk.assay().args(["spec", "id", name]), 2, &[name, told]);
    }
}

#[test]
fn records_that_are_none_are_refused() {
    let desk = Desk::bare();
    desk.write("garbled.json", "{\"format\": ");
    desk.write("empty.json", "{}");
    for name in ["garbled.json", "empty.json"] {
        desk.refused(
            desk.assay().args(["show", name]),
            2,
            &[name, "not a round record"],
        );
    }
}

#[test]
fn help_names_every_exit_status() {
    let desk = Desk::bare();
    let output = desk.assay().arg("--help").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for status in 0..=6 {
        assert!(
            text.contains(&format!("\n  {status}  ")),
            "status {status} is not in {text}"
        );
    }
    assert!(!text.contains("__launcher"));
}

#[test]
fn a_state_folder_that_cannot_be_one_is_an_infrastructure_fault() {
    let desk = Desk::bare();
    let agent = desk.write("a.py", "def agent_main(task):\n    return {}\n");
    let mut command = desk.assay();
    command
        .env("ASSAY_STATE", &agent)
        .args(["agent", "check"])
        .arg(&agent);
    desk.refused(
        &mut command,
        5,
        &["a.py/runtimes", "Not a directory", "check"],
    );
    let mut command = desk.assay();
    command
        .env_remove("ASSAY_STATE")
        .env_remove("HOME")
        .env_remove("XDG_STATE_HOME");
    command.args(["agent", "check"]).arg(&agent);
    desk.refused(&mut command, 2, &["HOME", "--state"]);
}
