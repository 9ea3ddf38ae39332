//! Agents that no round can use.

use super::support::{Desk, one_object, pin};
use sha2::Digest;

const FINE: &str = "def agent_main(task):\n    return {}\n";
const LIMIT: usize = 256 << 10;

#[test]
fn check_says_why_an_agent_is_invalid() {
    let desk = Desk::bare();
    let large = format!("{FINE}{}", "#".repeat(LIMIT + 1 - FINE.len()));
    let cases: &[(&str, &[u8], &[&str])] = &[
        (
            "noentry.py",
            b"def main(task):\n    return {}\n",
            &["agent_main(task)"],
        ),
        ("novalue.py", b"agent_main = 3\n", &["agent_main(task)"]),
        (
            "syntax.py",
            b"def agent_main(task:\n",
            &["does not load", "SyntaxError"],
        ),
        (
            "import.py",
            b"import numpy\ndef agent_main(task): return {}\n",
            &["numpy"],
        ),
        ("bytes.py", b"\xff\xfe\x00def\n", &["does not load"]),
        ("exits.py", b"import os\nos._exit(3)\n", &["3"]),
        (
            "large.py",
            large.as_bytes(),
            &["262145", "262144", "smaller"],
        ),
    ];
    for (name, source, told) in cases {
        let path = desk.write(name, source);
        let told: Vec<&str> = told.iter().copied().chain([*name]).collect();
        desk.refused(desk.assay().args(["agent", "check"]).arg(&path), 4, &told);
    }
    desk.refused(
        desk.assay().args(["agent", "check", "none.py"]),
        4,
        &["none.py", "No such file"],
    );
    desk.refused(
        desk.assay().args(["agent", "pin", "agents"]),
        4,
        &["agents", "regular file"],
    );
    desk.refused(
        desk.assay().args(["agent", "pin", "large.py"]),
        4,
        &["large.py", "262145"],
    );
}

#[test]
fn an_agent_of_exactly_the_limit_passes() {
    let desk = Desk::bare();
    desk.write(
        "edge.py",
        format!("{FINE}{}", "#".repeat(LIMIT - FINE.len())),
    );
    desk.assay()
        .args(["agent", "check", "edge.py"])
        .assert()
        .success();
    desk.assert_no_leftovers();
}

#[test]
fn a_pin_must_be_that_of_the_file() {
    let desk = Desk::bare();
    let path = desk.write("a.py", FINE);
    let check = |pin: &str| {
        let mut command = desk.assay();
        command.args(["agent", "check", "a.py", "--pin", pin, "--json"]);
        command
    };
    let found = pin(&path);
    let output = check(&found).output().unwrap();
    assert_eq!(one_object(&output.stdout)["pin"], found.as_str());
    let other_hash = hex::encode(sha2::Sha256::digest(FINE));
    check(&format!("sha256:{other_hash}")).assert().success();
    let zeros = format!("blake3:{}", "00".repeat(32));
    desk.refused(
        &mut check(&zeros),
        4,
        &["a.py", &found, &zeros, "commit this one"],
    );
    desk.refused(
        &mut check("blake3:12"),
        2,
        &["'blake3:12'", "64 hex digits"],
    );
    desk.refused(&mut check("md5:12"), 2, &["'md5:12'"]);
}

#[test]
fn an_agent_without_its_entrypoint_scores_nothing_and_is_invalid() {
    let desk = Desk::new();
    desk.write("noentry.py", "def main(task):\n    return {}\n");
    let mut command = desk.assay();
    command.args([
        "score",
        "noentry.py",
        "-t",
        "skills",
        "--spec",
        "demo",
        "--json",
    ]);
    desk.refused(&mut command, 4, &["noentry.py", "agent_main(task)"]);
    let object = one_object(&command.output().unwrap().stdout);
    assert_eq!(object["score"], 0.0);
    assert_eq!(object["runs"]["failed"]["entrypoint_missing"], 24);
    let large = desk.write("large.py", vec![b'#'; LIMIT + 1]);
    let mut command = desk.assay();
    command.args(["score", "-t", "skills"]).arg(large);
    desk.refused(&mut command, 4, &["large.py", "262145"]);
}
