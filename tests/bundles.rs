//! Agents of several files and agents that are programs, from the folder to a rank; runtimes carried by hand.

use super::support::{Desk, has_keys, one_object, pin};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const MANIFEST: &str =
    "name = \"own\"\ntrack = \"skills\"\nruntime = \"python\"\nentrypoint = \"main.py\"\n";
const MAIN: &str = "import words\n\ndef agent_main(task):\n    with open(task['probe']['file_path'], 'w') as probe:\n        probe.write(task['probe']['file_content'])\n    planes = {'action_plane': {'capabilities': []}, 'context_plane': {'injected_instructions': []}}\n    return {'verdict': words.WORD, 'evidence': planes, 'findings': []}\n";
const SEED: &str = "1111111111111111111111111111111111111111111111111111111111111111";
const WORDS: &str = "WORD = 'ALLOW'\n";

/// A bundle's folder on the desk.
fn folder(desk: &Desk, name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = desk.path().join(name);
    for (path, content) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        if content.starts_with("#!") {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    folder
}

fn sample(desk: &Desk, name: &str) -> PathBuf {
    let files = [
        ("agent.toml", MANIFEST),
        ("main.py", MAIN),
        ("words.py", WORDS),
    ];
    folder(desk, name, &files)
}

fn object(desk: &Desk, arguments: &[&str]) -> Value {
    let output = desk.assay().args(arguments).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    one_object(&output.stdout)
}

#[test]
fn a_folder_and_its_bundle_have_one_pin() {
    let desk = Desk::bare();
    sample(&desk, "own");
    let packed = object(&desk, &["agent", "pack", "own", "--json"]);
    assert_eq!(packed["file"], "own.tar", "named by agent.toml");
    assert_eq!(packed["files"], 3);
    assert_eq!(packed["pin"], pin(&desk.path().join("own.tar")).as_str());
    for agent in ["own", "own.tar"] {
        assert_eq!(
            object(&desk, &["agent", "pin", agent, "--json"])["pin"],
            packed["pin"]
        );
        let pin = packed["pin"].as_str().unwrap();
        let checked = object(&desk, &["agent", "check", agent, "--pin", pin, "--json"]);
        assert_eq!(checked["valid"], true);
        assert_eq!(checked["manifest"]["entrypoint"], "main.py");
    }
    // Owners, modes that say nothing, compiled modules: the same bytes.
    fs::create_dir(desk.path().join("own/__pycache__")).unwrap();
    fs::write(desk.path().join("own/__pycache__/words.pyc"), "x").unwrap();
    fs::set_permissions(
        desk.path().join("own/main.py"),
        fs::Permissions::from_mode(0o600),
    )
    .unwrap();
    assert_eq!(
        object(&desk, &["agent", "pack", "own", "-o", "b.tar", "--json"])["pin"],
        packed["pin"]
    );
    desk.assert_no_leftovers();
}

#[test]
fn check_says_why_a_bundle_is_invalid() {
    let desk = Desk::bare();
    let exec = |entrypoint: &str| {
        format!(
            "name = \"x\"\ntrack = \"skills\"\nruntime = \"exec\"\nentrypoint = \"{entrypoint}\"\n"
        )
    };
    let module = MANIFEST.replace("main.py", "pkg.main:decide");
    type Files<'a> = &'a [(&'a str, &'a str)];
    let cases: &[(Files<'_>, &[&str])] = &[
        (
            &[("agent.toml", "name = 1\n")],
            &["agent.toml", "entrypoint"],
        ),
        (&[("agent.toml", MANIFEST)], &["no file main.py"]),
        (
            &[("agent.toml", MANIFEST), ("main.py", "x = 1\n")],
            &["no function agent_main"],
        ),
        (
            &[("agent.toml", MANIFEST), ("main.py", "import numpy\n")],
            &["does not load", "numpy"],
        ),
        (
            &[("agent.toml", &module), ("pkg/x.py", "")],
            &["does not load", "pkg.main"],
        ),
        (
            &[("agent.toml", &module), ("pkg/main.py", "")],
            &["no function decide"],
        ),
        (
            &[("agent.toml", &exec("run")), ("other", "#!/bin/sh\n")],
            &["run", "no executable"],
        ),
        (
            &[("agent.toml", &exec("run")), ("run", "echo\n")],
            &["run", "no executable"],
        ),
        (
            &[("agent.toml", &exec("run")), ("run", "#!/usr/bin/perl\n")],
            &["no \"/usr/bin/perl\""],
        ),
    ];
    for (number, (files, told)) in cases.iter().enumerate() {
        let name = format!("case{number}");
        folder(&desk, &name, files);
        let told: Vec<&str> = told.iter().copied().chain([name.as_str()]).collect();
        desk.refused(desk.assay().args(["agent", "check", &name]), 4, &told);
    }
    let own = sample(&desk, "own");
    symlink("/etc/passwd", own.join("link")).unwrap();
    desk.refused(
        desk.assay().args(["agent", "pack", "own"]),
        4,
        &["link", "symbolic link"],
    );
    assert!(!desk.path().join("own.tar").exists());
    desk.refused(
        desk.assay().args(["agent", "pack", "agents"]),
        4,
        &["agents", "agent.toml"],
    );
    fs::remove_file(own.join("link")).unwrap();
    object(&desk, &["agent", "pack", "own", "--json"]);
    let bytes = fs::read(desk.path().join("own.tar")).unwrap();
    desk.write("long.tar", [bytes.as_slice(), &[0; 512]].concat());
    desk.refused(
        desk.assay().args(["agent", "pin", "long.tar"]),
        4,
        &["long.tar", "512 bytes follow"],
    );
    let mut moved = bytes.clone();
    moved[136] = b'1';
    desk.write("moved.tar", moved);
    desk.refused(
        desk.assay().args(["agent", "pin", "moved.tar"]),
        4,
        &["moved.tar", "agent pack"],
    );
}

/// The JSON of a command whose exit status says how good the agents are, which is not the point here; again when the host
/// was too busy for it.
fn scored(desk: &Desk, arguments: &[&str]) -> Value {
    let fixed = ["--json", "--seed", SEED, "--secret", SEED];
    loop {
        let output = desk.assay().args(arguments).args(fixed).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if !stderr.contains("host_disrupted") {
            assert!(!output.stdout.is_empty(), "{stderr}");
            return one_object(&output.stdout);
        }
    }
}

fn score(desk: &Desk, agent: &Path) -> Value {
    let agent = agent.to_str().unwrap();
    scored(desk, &["score", agent, "--spec", "demo", "-t", "skills"])
}

#[test]
fn reference_bundles_are_scored_and_repeatable() {
    let desk = Desk::new();
    for name in ["shell-reader", "two-desks"] {
        let agent = desk.path().join("agents/bundles").join(name);
        desk.assay()
            .args(["agent", "check"])
            .arg(&agent)
            .assert()
            .success();
        let first = score(&desk, &agent);
        assert_eq!(first["runs"]["completed"], 24, "{name}: {first:#}");
        // It tells artifacts apart, whatever the score on this small corpus.
        for verdict in ["ALLOW", "BLOCK"] {
            let tasks = first["tasks"].as_array().unwrap();
            assert!(
                tasks.iter().any(|task| task["verdict"] == verdict),
                "{name}: {verdict}"
            );
        }
        let packed = desk.path().join(format!("{name}.tar"));
        desk.assay()
            .args(["agent", "pack"])
            .arg(&agent)
            .arg("-o")
            .arg(&packed)
            .assert()
            .success();
        assert_eq!(score(&desk, &packed)["mcc"], first["mcc"], "{name}");
        let mut wrong = desk.assay();
        wrong
            .arg("score")
            .arg(&packed)
            .args(["-t", "packages", "--spec", "demo"]);
        desk.refused(&mut wrong, 4, &["made for skills, not for packages"]);
    }
}

#[test]
fn a_program_that_cannot_be_started_is_invalid() {
    let desk = Desk::new();
    let manifest = MANIFEST
        .replace("python", "exec")
        .replace("main.py", "nothing");
    folder(&desk, "gone", &[("agent.toml", &manifest)]);
    let mut command = desk.assay();
    command.args(["score", "gone", "-t", "skills", "--spec", "demo", "--json"]);
    desk.refused(&mut command, 4, &["gone", "nothing", "agent.toml"]);
    let scored = one_object(&command.output().unwrap().stdout);
    assert_eq!(scored["runs"]["failed"]["entrypoint_missing"], 24);
}

#[test]
fn bundles_take_part_in_a_round_and_their_copies_do_not() {
    let desk = Desk::new();
    let agents = desk.path().join("agents");
    let two_desks = agents.join("bundles/two-desks");
    // The same sources with other comments and another name on the outside.
    let copy = desk.path().join("copy");
    for path in ["desks/__init__.py", "desks/judge.py", "desks/reader.py"] {
        let text = fs::read_to_string(two_desks.join(path)).unwrap();
        folder(&desk, "copy", &[(path, &format!("# mine\n{text}"))]);
    }
    fs::copy(two_desks.join("agent.toml"), copy.join("agent.toml")).unwrap();
    let other = folder(
        &desk,
        "other",
        &[
            ("agent.toml", MANIFEST),
            ("main.py", MAIN),
            ("words.py", WORDS),
        ],
    );
    // The magic of a tar, and nothing else of one.
    let bad = desk.write("bad.tar", [&[0; 257][..], b"ustar"].concat());
    let entries: Vec<Value> = (1u64..)
        .zip([
            ("first", two_desks.clone(), "skills"),
            ("shell", agents.join("bundles/shell-reader"), "skills"),
            ("copier", copy, "skills"),
            ("elsewhere", other, "packages"),
            ("broken", bad.clone(), "skills"),
        ])
        .map(|(block, (name, file, track))| {
            let pinned = if file == bad {
                pin(&bad)
            } else {
                let file = file.to_str().unwrap();
                object(&desk, &["agent", "pin", file, "--json"])["pin"].as_str().unwrap().to_owned()
            };
            json!({"name": name, "file": file, "track": track, "pin": pinned, "commit_block": block})
        })
        .collect();
    desk.write(
        "registry.json",
        json!({"version": 1, "agents": entries}).to_string(),
    );
    let round = scored(
        &desk,
        &["demo", "--corpus", "corpus", "--registry", "registry.json"],
    );
    let agent = |track: &str, name: &str| {
        let list = round["tracks"][track]["agents"].as_array().unwrap();
        list.iter()
            .find(|agent| agent["name"] == name)
            .unwrap()
            .clone()
    };
    let first = agent("skills", "first");
    assert_eq!(first["runs"]["completed"], 24, "{round:#}");
    assert_eq!(agent("skills", "copier")["copy_of"], first["hotkey"]);
    assert_eq!(agent("skills", "shell")["copy_of"], Value::Null);
    assert_eq!(agent("skills", "shell")["runs"]["completed"], 24);
    let told = |track, name| {
        agent(track, name)["unavailable"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(
        told("skills", "broken").contains("not a bundle"),
        "{round:#}"
    );
    // Made for skills but committed elsewhere.
    assert!(
        told("packages", "elsewhere").contains("made for skills"),
        "{round:#}"
    );
    desk.assert_no_leftovers();
}

#[test]
fn a_runtime_is_built_twice_verified_exported_and_imported() {
    let desk = Desk::bare();
    // Its own cache: other tests use the shared one at the same time.
    let (here, there) = (desk.path().join("here"), desk.path().join("there"));
    let run = |state: &Path, arguments: &[&str]| {
        let state = state.to_str().unwrap();
        object(
            &desk,
            &[&["runtime"], arguments, &["--state", state, "--json"]].concat(),
        )
    };
    let built = run(&here, &["build", "--twice"]);
    has_keys(
        &built,
        &[
            "hash",
            "source",
            "version",
            "comparable",
            "notice",
            "root",
            "second_hash",
        ],
    );
    assert_eq!(
        (&built["same"], &built["comparable"]),
        (&json!(true), &json!(false))
    );
    let verified = run(&here, &["verify"]);
    assert_eq!(verified["runtimes"][0]["hash"], built["hash"]);
    assert_eq!(verified["runtimes"][0]["unchanged"], true);
    let file = desk.path().join("r.tar.zst");
    let file = file.to_str().unwrap();
    assert_eq!(run(&here, &["export", file])["hash"], built["hash"]);
    let mut import = desk.assay();
    import
        .args(["runtime", "import", file, "--state"])
        .arg(&there);
    desk.refused(&mut import, 2, &["has hash", "expected"]);
    let hash = built["hash"].as_str().unwrap();
    assert_eq!(run(&there, &["import", file, "--hash", hash])["hash"], hash);
    assert_eq!(run(&there, &["verify"])["runtimes"][0]["unchanged"], true);

    fs::write(
        Path::new(built["root"].as_str().unwrap()).join("etc/hosts"),
        "x",
    )
    .unwrap();
    let mut verify = desk.assay();
    verify.args(["runtime", "verify", "--state"]).arg(&here);
    desk.refused(&mut verify, 1, &["has hash", hash]);
    let mut export = desk.assay();
    export
        .args(["runtime", "export", "other.zst", "--state"])
        .arg(&here);
    desk.refused(&mut export, 1, &["has hash", hash]);
    assert!(!desk.path().join("other.zst").exists());
    let mut empty = desk.assay();
    empty.args(["runtime", "verify", "--state", "nothing"]);
    desk.refused(&mut empty, 2, &["runtime build"]);
}

#[test]
fn a_score_that_does_not_compare_says_so() {
    let desk = Desk::new();
    let output = desk
        .assay()
        .args(["score", "agents/grep.py", "-t", "skills", "--spec", "demo"])
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        stdout.starts_with("NOT COMPARABLE: run on the runtime"),
        "{stdout}"
    );
    let scored = score(&desk, Path::new("agents/grep.py"));
    assert_eq!(scored["runtime"]["comparable"], false);
}
