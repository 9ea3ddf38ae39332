//! A validator's life: a key, a configuration, one round after the other.

use super::support::{Desk, one_object, pin};
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const CONFIG: &str = r#"
corpus = "corpus"
keystore = "key.json"
registry = "registry.json"
spec = "demo"
state = "state"
runtime = "host"
"#;

fn with_password(desk: &Desk, password: &str) -> Command {
    let mut command = desk.assay();
    command.env("ASSAY_PASSWORD", password);
    command
}

#[test]
fn keys_are_never_overwritten_and_never_shown() {
    let desk = Desk::bare();
    let made = with_password(&desk, "first")
        .args(["keys", "new", "--file", "key.json", "--json"])
        .output()
        .unwrap();
    let hotkey = one_object(&made.stdout)["hotkey"].clone();
    let file = desk.path().join("key.json");
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let before = fs::read(&file).unwrap();
    let mut again = with_password(&desk, "second");
    again.args(["keys", "new", "--file", "key.json"]);
    desk.refused(&mut again, 2, &["key.json", "never overwritten"]);
    assert_eq!(fs::read(&file).unwrap(), before);
    let shown = desk
        .assay()
        .args(["keys", "show", "--file", "key.json", "--json"])
        .output()
        .unwrap();
    assert_eq!(one_object(&shown.stdout)["hotkey"], hotkey);

    let mut none = desk.assay();
    none.args(["keys", "new", "--file", "other.json"]);
    desk.refused(&mut none, 2, &["--password-file", "ASSAY_PASSWORD"]);
    desk.write("password", "\nsecond line\n");
    none.args(["--password-file", "password"]);
    desk.refused(&mut none, 2, &["password", "first line"]);
    let mut nowhere = with_password(&desk, "p");
    nowhere.args(["keys", "new", "--file", "no/key.json"]);
    desk.refused(&mut nowhere, 2, &["no/key.json", "No such file"]);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let mut open = desk.assay();
    open.args(["keys", "show", "--file", "key.json"]);
    desk.refused(&mut open, 2, &["key.json", "chmod 600"]);
}

#[test]
fn a_configuration_with_a_fault_is_named_with_its_line() {
    let desk = Desk::bare();
    let cases = [
        (CONFIG.replace("keystore", "keystoer"), ":3:", "`keystoer`"),
        (CONFIG.replace("\"key.json\"", "3"), ":3:", "integer"),
        (CONFIG.replace("\"host\"", "\"snake\""), ":7:", "`snake`"),
        (CONFIG.replace("corpus = ", "corpus = = "), ":2:", "`=`"),
        (
            CONFIG.replace("keystore = \"key.json\"\n", ""),
            ":1:",
            "`keystore`",
        ),
    ];
    for (text, line, told) in cases {
        desk.write("assay.toml", text);
        let mut command = desk.assay();
        command.args(["run", "--once"]);
        desk.refused(
            &mut command,
            2,
            &["assay.toml", line, told, "assay.example.toml"],
        );
    }
    let mut command = desk.assay();
    command.args(["run", "--once", "--config", "none.toml"]);
    desk.refused(&mut command, 2, &["none.toml", "--config"]);
    desk.write("assay.toml", CONFIG);
    with_password(&desk, "right")
        .args(["keys", "new", "--file", "key.json"])
        .assert()
        .success();
    let mut command = with_password(&desk, "wrong");
    command.args(["run", "--once"]);
    desk.refused(&mut command, 2, &["key.json", "password"]);
    // The example of the repository is a configuration: only its keystore is missing here.
    let example = super::support::repository().join("deploy/assay.example.toml");
    fs::copy(example, desk.path().join("assay.toml")).unwrap();
    let mut command = with_password(&desk, "p");
    command.args(["run", "--once"]);
    desk.refused(&mut command, 2, &["assay-key.json", "No such file"]);
}

/// The record of the newest round.
fn latest(desk: &Desk) -> Value {
    let shown = desk
        .assay()
        .args(["show", "latest", "--json"])
        .output()
        .unwrap();
    one_object(&shown.stdout)
}

/// The smoothing state after the newest round.
fn smoothing(desk: &Desk) -> Value {
    latest(desk)["weights"]["state"].clone()
}

fn agent<'a>(record: &'a Value, name: &str) -> Option<&'a Value> {
    record["agents"]
        .as_array()
        .unwrap()
        .iter()
        .find(|agent| agent["name"] == name)
}

#[test]
fn rounds_follow_each_other_and_take_the_registrys_changes() {
    let desk = Desk::new();
    desk.write("assay.toml", CONFIG);
    with_password(&desk, "pw")
        .args(["keys", "new", "--file", "key.json"])
        .assert()
        .success();
    let run = || {
        desk.json(&|command| {
            command
                .env("ASSAY_PASSWORD", "pw")
                .args(["run", "--once", "--json"]);
        })
    };
    desk.registry(&[
        ("steady", "baseline.py", "skills"),
        ("fading", "baseline.py", "packages"),
        ("leaving", "grep.py", "mcp_servers"),
    ]);
    let first = run();
    let record = latest(&desk);
    assert_eq!(record["round_digest"], first["round_digest"]);
    let [steady, fading] = ["steady", "fading"].map(|name| {
        agent(&record, name).unwrap()["hotkey"]
            .as_str()
            .unwrap()
            .to_owned()
    });
    let before = smoothing(&desk);
    assert!(
        before[&fading].as_u64() > Some(0),
        "the analyser is eligible on packages: {before}"
    );

    // One pin changes, one name goes, one is new.
    desk.registry(&[
        ("steady", "baseline.py", "skills"),
        ("fading", "crasher.py", "packages"),
        ("newcomer", "grep.py", "repositories"),
    ]);
    let second = run();
    assert!(second["round"].as_u64() > first["round"].as_u64());
    assert_ne!(second["seed"], first["seed"]);
    let record = latest(&desk);
    let crasher = pin(&desk.path().join("agents/crasher.py"));
    assert_eq!(agent(&record, "fading").unwrap()["pin"], crasher.as_str());
    let committed = agent(&record, "newcomer").unwrap()["commit_block"]
        .as_u64()
        .unwrap();
    assert!(committed <= record["opening"]["freeze_block"].as_u64().unwrap());
    assert_eq!(record["weights_input"]["previous"], before);
    let after = smoothing(&desk);
    assert!(
        after[&steady].as_u64() > before[&steady].as_u64(),
        "{before} {after}"
    );
    let (was, is) = (
        before[&fading].as_u64().unwrap(),
        after[&fading].as_u64().unwrap(),
    );
    assert!(
        0 < is && is < was,
        "a lost round fades and does not erase: {was} to {is}"
    );

    // A third one with nothing changed finds nothing to commit.
    let output = with_password(&desk, "pw")
        .args(["run", "--once", "--json"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains("committed"), "{stderr}");

    fs::write(desk.state().join("embedded-chain.json"), "{").unwrap();
    let mut command = with_password(&desk, "pw");
    command.args(["run", "--once"]);
    desk.refused(
        &mut command,
        2,
        &["embedded-chain.json", "remove the state"],
    );
}

/// A node that is killed in the middle of a round goes on with the runs that are missing, and with those only.
#[test]
fn a_killed_round_is_taken_up_where_its_journal_ends() {
    let desk = Desk::new();
    desk.write("assay.toml", CONFIG);
    with_password(&desk, "pw")
        .args(["keys", "new", "--file", "key.json"])
        .assert()
        .success();
    desk.registry(&[
        ("one", "baseline.py", "skills"),
        ("two", "grep.py", "skills"),
        ("three", "baseline.py", "packages"),
    ]);
    let mut command = with_password(&desk, "pw");
    command.args(["run", "--once"]);
    let mut node = std::process::Command::new(command.get_program())
        .args(command.get_args())
        .envs(
            command
                .get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        )
        .current_dir(desk.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let segment = desk.state().join("ledger/journal-000001/00000000.seg");
    let size = || fs::metadata(&segment).map_or(0, |meta| meta.len());
    // Well past the opening, which is the first and largest entry, and before the last run.
    let opened = loop {
        if size() > 0 {
            break size();
        }
        assert!(
            node.try_wait().unwrap().is_none(),
            "the node ended before it began"
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    while size() < opened + 4_096 && node.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    node.kill().unwrap();
    node.wait().unwrap();

    let again = with_password(&desk, "pw")
        .args(["run", "--once", "--json"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(again.stderr).unwrap();
    assert!(again.status.success(), "{stderr}");
    assert!(stderr.contains("resuming round 0 with"), "{stderr}");
    let record = latest(&desk);
    let runs = record["runs"].as_array().unwrap();
    let ids: std::collections::BTreeSet<String> = runs
        .iter()
        .map(|run| {
            format!(
                "{} {} {} {}",
                run["track"], run["rep"], run["rank"], run["hotkey"]
            )
        })
        .collect();
    assert_eq!(ids.len(), runs.len(), "no run stands twice");
    assert_eq!(one_object(&again.stdout)["submission"]["accepted"], true);
}
