//! `assay explain`: reasons, matrices and ranks, from a fresh score and from a record.

use super::support::{Desk, hex32};
use serde_json::{Value, json};
use std::fs;

/// Reports the weakness of `srv/db.py`, 14 lines off, on every repository.
const NEAR_MISS: &str = r#"
def agent_main(task):
    near = {"file": "srv/db.py", "line": 34, "cwe": "CWE-89", "title": "built \u001b[31m from text"}
    return {
        "verdict": {"decision": "WARN", "risk_score": 50},
        "evidence": {"audit": {"files_analysed": 1}, "vulnerabilities": [near]},
    }
"#;

/// A desk whose first repository by name has one known weakness on line 20 of `srv/db.py`; also that task's name.
fn desk_with_weakness() -> (Desk, String) {
    let desk = Desk::new();
    let mut tasks: Vec<_> = fs::read_dir(desk.corpus().join("repositories"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    tasks.sort();
    let (task, mut label): (_, Value) = tasks
        .into_iter()
        .map(|task| {
            let text = fs::read(task.join("label.json")).unwrap();
            (task, serde_json::from_slice(&text).unwrap())
        })
        .find(|(_, label): &(_, Value)| {
            label["vulnerabilities"]
                .as_array()
                .is_some_and(|list| !list.is_empty())
        })
        .unwrap();
    fs::create_dir_all(task.join("artifact/srv")).unwrap();
    fs::write(task.join("artifact/srv/db.py"), "x = 1\n".repeat(60)).unwrap();
    let keys = label.as_object_mut().unwrap();
    keys.remove("supply_chain");
    keys.remove("secrets");
    label["vulnerabilities"] = json!([
        {"file": "srv/db.py", "line": 20, "cwe": "CWE-89", "title": "SQL injection in the search"},
    ]);
    fs::write(task.join("label.json"), label.to_string()).unwrap();
    desk.assay()
        .args(["corpus", "pin", "corpus"])
        .assert()
        .success();
    let name = task.file_name().unwrap().to_str().unwrap().to_owned();
    (desk, name)
}

#[test]
fn a_near_miss_says_by_how_much_and_every_run_shows_its_budget() {
    let (desk, task) = desk_with_weakness();
    desk.write("near.py", NEAR_MISS);
    let found = desk.json(&|command| {
        command.args([
            "explain",
            "near.py",
            &task,
            "-t",
            "repositories",
            "--spec",
            "demo",
            "--json",
        ]);
    });
    assert_eq!(found["tasks"].as_array().unwrap().len(), 1);
    let explained = &found["tasks"][0];
    assert_eq!(explained["class"], "planted");
    let list = &explained["findings"][0];
    assert_eq!(list["list"], "vulnerabilities");
    assert_eq!(list["reps"], json!([0, 1]));
    assert_eq!(
        list["labelled"][0]["reason"],
        "nearest reported finding 1: line 34 is 14 away from line 20, window 10"
    );
    assert_eq!(list["labelled"][0]["matched"], false);
    for run in explained["runs"].as_array().unwrap() {
        assert_eq!(run["failure"], Value::Null);
        assert!(run["cpu_us"].as_u64().unwrap() < found["budget"]["cpu_us"].as_u64().unwrap());
    }
    assert_eq!(
        (&found["confusion"], &found["standing"]),
        (&Value::Null, &Value::Null)
    );

    let text = desk
        .assay()
        .args([
            "explain",
            "near.py",
            &task,
            "-t",
            "repositories",
            "--spec",
            "demo",
        ])
        .output()
        .unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    for told in [
        "missed    1.",
        "14 away",
        "CPU of 2000 ms",
        "peak of",
        "budget used",
    ] {
        assert!(text.contains(told), "'{told}' is not in: {text}");
    }
    assert!(
        !text.contains('\u{1b}'),
        "an agent's title drives the terminal"
    );
}

/// A round of two agents on skills on this desk's corpus.
fn round(desk: &Desk) -> Value {
    desk.registry(&[
        ("good", "baseline.py", "skills"),
        ("pass", "always_allow.py", "skills"),
    ]);
    desk.json(&|command| {
        command.args([
            "demo",
            "--registry",
            "registry.json",
            "--corpus",
            "corpus",
            "--json",
        ]);
        command.args(["--seed", &hex32(7), "--secret", &hex32(9)]);
    })
}

fn beside_record(desk: &Desk, agent: &str) -> Value {
    desk.json(&|command| {
        command.args([
            "explain", agent, "-t", "skills", "--record", "latest", "--json",
        ]);
    })
}

#[test]
fn an_agent_of_a_record_keeps_its_rank_and_a_new_one_gets_a_hypothetical_one() {
    let desk = Desk::new();
    let round = round(&desk);
    let good = &round["tracks"]["skills"]["agents"][0];
    assert_eq!((&good["name"], &good["rank"]), (&json!("good"), &json!(1)));

    let own = beside_record(&desk, "good");
    assert_eq!(own["standing"]["hypothetical"], false);
    assert_eq!(
        (&own["standing"]["rank"], &own["standing"]["share"]),
        (&good["rank"], &good["share"])
    );
    assert_eq!((&own["score"], &own["mcc"]), (&good["score"], &good["mcc"]));
    let confusion = &own["confusion"];
    let tasks: u64 = ["tp", "tn", "fp", "fn"]
        .iter()
        .map(|key| confusion[*key].as_u64().unwrap())
        .sum();
    assert_eq!(own["tasks"].as_array().unwrap().len() as u64, tasks);
    assert!(
        own["tasks"].as_array().unwrap().iter().all(|task| {
            task["runs"].as_array().unwrap().len() == 3 && task["class"].is_string()
        })
    );

    // Another text with the same judgement: same score, later commitment, so it comes in behind.
    let text = fs::read_to_string(desk.path().join("agents/baseline.py")).unwrap();
    desk.write("again.py", format!("{text}\nANOTHER = 1\n"));
    let second = beside_record(&desk, "again.py");
    assert_eq!(second["score"], own["score"]);
    let standing = &second["standing"];
    assert_eq!(
        (&standing["hypothetical"], &standing["rank"]),
        (&json!(true), &json!(2))
    );
    assert_eq!(standing["above"][0], "good");
    assert!(standing["share"].as_f64().unwrap() < good["share"].as_f64().unwrap());

    // Comments make no other agent.
    desk.write("copy.py", format!("# mine\n{text}"));
    let copy = beside_record(&desk, "copy.py");
    assert_eq!(
        (&copy["standing"]["copy_of"], &copy["standing"]["rank"]),
        (&json!("good"), &Value::Null)
    );

    refusals(&desk);
    without_labels(&desk, round["record"].as_str().unwrap());
}

fn refusals(desk: &Desk) {
    let explain = |words: &[&str]| {
        let mut command = desk.assay();
        command
            .args(["explain", "-t", "skills", "--record", "latest"])
            .args(words);
        command
    };
    desk.refused(&mut explain(&["nobody"]), 2, &["'nobody'", "good, pass"]);
    desk.refused(
        &mut explain(&["good", "t9999-none"]),
        2,
        &["'t9999-none'", "skills/"],
    );
    desk.refused(&mut explain(&["good", "--spec", "pinned"]), 2, &["--spec"]);
    // Scores on another corpus would not compare.
    let label = fs::read_dir(desk.corpus().join("packages"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    fs::remove_dir_all(label.path()).unwrap();
    desk.assay()
        .args(["corpus", "pin", "corpus"])
        .assert()
        .success();
    desk.refused(&mut explain(&["again.py"]), 2, &["root", "--corpus"]);
}

/// A record that holds no labels is explained without a word about classes.
fn without_labels(desk: &Desk, path: &str) {
    let mut record: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    record["tasks"] = json!({});
    let bare = desk.write("bare.json", record.to_string());
    let found = desk.json(&|command| {
        command
            .args(["explain", "good", "-t", "skills", "--json", "--record"])
            .arg(&bare);
    });
    assert!(
        found["notes"][0].as_str().unwrap().contains("no labels"),
        "{}",
        found["notes"]
    );
    for task in found["tasks"].as_array().unwrap() {
        assert_eq!(
            (&task["class"], &task["correct"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(task["findings"], json!([]));
        assert!(task["verdict"].is_string());
    }
}
