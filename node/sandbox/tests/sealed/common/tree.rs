//! Copies the host's interpreter, its standard library and the libraries it loads into a plain folder, once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tree and the interpreter's path inside it.
pub(crate) fn ensure() -> (PathBuf, String) {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox-runtime");
    let about = output(Command::new("python3").args([
        "-c",
        "import sys,os;v='%d.%d'%sys.version_info[:2];print(sys.base_prefix);print(v);\
         print(os.path.realpath(os.path.join(sys.base_prefix,'bin','python'+v)))",
    ]));
    let mut about = about.lines();
    let (prefix, version, binary) = (
        about.next().unwrap(),
        about.next().unwrap(),
        about.next().unwrap(),
    );
    let python = format!("/usr/bin/python{version}");
    let tree = base.join(version);
    let lock = fs::File::create(base.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    if !tree.join("complete").exists() {
        let _ = fs::remove_dir_all(&tree);
        for folder in ["dev", "proc", "task", "tmp", "etc", "usr/bin", "usr/lib"] {
            fs::create_dir_all(tree.join(folder)).unwrap();
        }
        let library = PathBuf::from(prefix).join(format!("lib/python{version}"));
        let inside = tree.join(format!("usr/lib/python{version}"));
        copy_folder(&library, &inside);
        fs::copy(binary, tree.join(&python[1..])).unwrap();
        let mut loaded = libraries(Path::new(binary));
        for extension in fs::read_dir(library.join("lib-dynload")).unwrap().flatten() {
            loaded.extend(libraries(&extension.path()));
        }
        for library in loaded {
            let target = tree.join(library.strip_prefix("/").unwrap());
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(&library, target).unwrap();
        }
        output(Command::new(binary).env("PYTHONHASHSEED", "0").args([
            "-m",
            "compileall",
            "-q",
            "-f",
            "--invalidation-mode",
            "unchecked-hash",
            inside.to_str().unwrap(),
        ]));
        fs::write(tree.join("complete"), "").unwrap();
    }
    (tree, python)
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The shared libraries that `ldd` names, the loader included.
fn libraries(binary: &Path) -> BTreeSet<PathBuf> {
    let output = Command::new("ldd").arg(binary).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_whitespace()
        .filter(|word| word.starts_with('/'))
        .map(|word| word.trim_end_matches(':').into())
        .collect()
}

fn copy_folder(from: &Path, to: &Path) {
    const LEFT_OUT: [&str; 8] = [
        "test",
        "tests",
        "site-packages",
        "dist-packages",
        "__pycache__",
        "ensurepip",
        "idlelib",
        "tkinter",
    ];
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let name = entry.file_name();
        if LEFT_OUT.iter().any(|left_out| name == *left_out)
            || name.to_string_lossy().starts_with("config-")
        {
            continue;
        }
        let kind = fs::metadata(entry.path());
        match kind {
            Ok(kind) if kind.is_dir() => copy_folder(&entry.path(), &to.join(&name)),
            Ok(_) => {
                fs::copy(entry.path(), to.join(&name)).unwrap();
            }
            Err(_) => {}
        }
    }
}
