//! The shape of every tree, whatever its source: one merged /usr, nothing that a run does not need, empty mount
//! points, the same modes and times everywhere.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};

use crate::error::{RuntimeError, io_error};
use crate::tree::{self, Kind};

/// Top-level folders that live below /usr; the root has links to them.
const MERGED: [&str; 4] = ["bin", "lib", "lib64", "sbin"];

/// Where the sandbox mounts its own file systems.
const MOUNT_POINTS: [&str; 4] = ["dev", "proc", "task", "tmp"];

/// Debian's share of what a run never reads.
const UNUSED: [&str; 5] = [
    "etc",
    "usr/share",
    "usr/lib/binfmt.d",
    "usr/lib/tmpfiles.d",
    "var",
];

/// Names below the standard library that are left out: tests, user interfaces, package installers, build tools.
const UNUSED_STDLIB: [&str; 13] = [
    "__pycache__",
    "_ctypes_test",
    "_tkinter",
    "dist-packages",
    "ensurepip",
    "idlelib",
    // The one extension whose library (NIS over RPC) would pull Kerberos into the tree.
    "nis",
    "site-packages",
    "sitecustomize",
    "test",
    "tests",
    "tkinter",
    "turtledemo",
];

const ETC: [(&str, &str); 4] = [
    (
        "passwd",
        "root:x:0:0:root:/:/bin/sh\nagent:x:1000:1000:agent:/task/workspace:/bin/sh\n\
         nobody:x:65534:65534:nobody:/:/bin/sh\n",
    ),
    ("group", "root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n"),
    (
        "nsswitch.conf",
        "passwd: files\ngroup: files\nhosts: files\n",
    ),
    ("hosts", "127.0.0.1 localhost\n"),
];

/// The path inside the tree at which a host's absolute path lives: `/lib/x` is `usr/lib/x`.
pub(crate) fn tree_path(absolute: &Path) -> PathBuf {
    let relative: PathBuf = absolute
        .components()
        .filter(|c| matches!(c, Component::Normal(_)))
        .collect();
    if MERGED.iter().any(|name| relative.starts_with(name)) {
        return Path::new("usr").join(relative);
    }
    relative
}

/// Brings an unpacked tree into shape, all but the compiled modules. `stdlib` is the standard library's folder
/// relative to the root.
pub(crate) fn arrange(root: &Path, stdlib: &Path) -> Result<(), RuntimeError> {
    merge_usr(root)?;
    for unused in UNUSED {
        remove(&root.join(unused))?;
    }
    slim(root, stdlib)?;
    for point in MOUNT_POINTS {
        create(&root.join(point))?;
    }
    let etc = root.join("etc");
    create(&etc)?;
    for (name, text) in ETC {
        write(&etc.join(name), text)?;
    }
    relative_links(root)
}

/// Sets the modes and times of every entry; nothing may change in the tree afterwards.
pub(crate) fn seal(root: &Path) -> Result<(), RuntimeError> {
    let mut entries = tree::walk(root)?;
    // Children first: a folder's time changes when something in it does.
    entries.reverse();
    for entry in &entries {
        let path = root.join(&entry.path);
        if entry.kind == Kind::Folder {
            set_mode(&path, 0o755)?;
        } else if entry.kind == Kind::File {
            let metadata = fs::symlink_metadata(&path).map_err(io_error("read", &path))?;
            let executable = metadata.permissions().mode() & 0o111 != 0;
            set_mode(&path, if executable { 0o755 } else { 0o644 })?;
        }
        set_epoch(&path)?;
    }
    set_mode(root, 0o755)?;
    set_epoch(root)
}

fn merge_usr(root: &Path) -> Result<(), RuntimeError> {
    for name in MERGED {
        let (top, merged) = (root.join(name), root.join("usr").join(name));
        create(&merged)?;
        if top.is_dir() {
            move_into(&top, &merged)?;
        }
        symlink(Path::new("usr").join(name), &top).map_err(io_error("link", &top))?;
    }
    Ok(())
}

/// Moves what `from` holds into `to` and removes `from`; folders that exist on both sides are merged.
fn move_into(from: &Path, to: &Path) -> Result<(), RuntimeError> {
    for item in fs::read_dir(from).map_err(io_error("read", from))? {
        let item = item.map_err(io_error("read", from))?;
        let (source, target) = (item.path(), to.join(item.file_name()));
        let is_folder = item
            .file_type()
            .map_err(io_error("read", &source))?
            .is_dir();
        if is_folder && target.is_dir() {
            move_into(&source, &target)?;
        } else {
            fs::rename(&source, &target).map_err(io_error("move", &source))?;
        }
    }
    fs::remove_dir(from).map_err(io_error("remove", from))
}

fn slim(root: &Path, stdlib: &Path) -> Result<(), RuntimeError> {
    for entry in tree::walk(root)? {
        let Some(name) = entry.path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        // `nis.cpython-311-x86_64-linux-gnu.so` and `tkinter/` go by the same stem.
        let stem = name.split('.').next().unwrap_or(name);
        let in_stdlib = entry.path.starts_with(stdlib) && entry.path != stdlib;
        let is_build_config = stem.starts_with("config-") && entry.kind == Kind::Folder;
        let unused = in_stdlib && (UNUSED_STDLIB.contains(&stem) || is_build_config);
        if unused || name == "gconv" {
            remove(&root.join(&entry.path))?;
        }
    }
    Ok(())
}

/// Absolute links would lead out of the tree when it is used through a path, as the compile step does.
fn relative_links(root: &Path) -> Result<(), RuntimeError> {
    for entry in tree::walk(root)? {
        let Kind::Link(target) = entry.kind else {
            continue;
        };
        if !target.is_absolute() {
            continue;
        }
        let depth = entry.path.components().count() - 1;
        let up: PathBuf = std::iter::repeat_n("..", depth).collect();
        let link = root.join(&entry.path);
        remove(&link)?;
        symlink(up.join(tree_path(&target)), &link).map_err(io_error("link", &link))?;
    }
    Ok(())
}

/// Creates a folder and its parents.
pub(crate) fn create(path: &Path) -> Result<(), RuntimeError> {
    fs::create_dir_all(path).map_err(io_error("create", path))
}

/// Writes a file.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), RuntimeError> {
    fs::write(path, content).map_err(io_error("write", path))
}

/// Removes a file, a link or a folder with all it holds; nothing there is fine.
pub(crate) fn remove(path: &Path) -> Result<(), RuntimeError> {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let result = if metadata.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    result.map_err(io_error("remove", path))
}

fn set_mode(path: &Path, mode: u32) -> Result<(), RuntimeError> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
        .map_err(io_error("change the mode of", path))
}

fn set_epoch(path: &Path) -> Result<(), RuntimeError> {
    let epoch = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let times = Timestamps {
        last_access: epoch,
        last_modification: epoch,
    };
    utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)
        .map_err(|errno| io_error("set the time of", path)(errno.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    fn touch(root: &Path, path: &str) {
        create(root.join(path).parent().unwrap()).unwrap();
        write(&root.join(path), "x").unwrap();
    }

    #[test]
    fn an_unpacked_tree_is_merged_slimmed_and_sealed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for path in [
            "lib/arch/libc.so.6",
            "usr/lib/arch/libssl.so.3",
            "usr/lib/arch/gconv/UTF-16.so",
            "usr/lib/python3.11/os.py",
            "usr/lib/python3.11/test/test_os.py",
            "usr/lib/python3.11/ctypes/test/test_a.py",
            "usr/lib/python3.11/lib-dynload/nis.cpython-311.so",
            "usr/lib/python3.11/lib-dynload/_json.cpython-311.so",
            "usr/share/doc/x",
            "etc/python3.11/sitecustomize.py",
        ] {
            touch(root, path);
        }
        create(&root.join("lib64")).unwrap();
        symlink("/lib/arch/libc.so.6", root.join("lib64/ld.so")).unwrap();
        arrange(root, Path::new("usr/lib/python3.11")).unwrap();
        seal(root).unwrap();

        let files: Vec<String> = tree::walk(root)
            .unwrap()
            .into_iter()
            .filter(|entry| entry.kind == Kind::File)
            .map(|entry| entry.path.display().to_string())
            .collect();
        assert_eq!(
            files,
            [
                "etc/group",
                "etc/hosts",
                "etc/nsswitch.conf",
                "etc/passwd",
                "usr/lib/arch/libc.so.6",
                "usr/lib/arch/libssl.so.3",
                "usr/lib/python3.11/lib-dynload/_json.cpython-311.so",
                "usr/lib/python3.11/os.py",
            ]
        );
        assert_eq!(
            fs::canonicalize(root.join("lib64/ld.so")).unwrap(),
            root.join("usr/lib/arch/libc.so.6")
        );
        for entry in tree::walk(root).unwrap() {
            assert_eq!(
                fs::symlink_metadata(root.join(&entry.path))
                    .unwrap()
                    .mtime(),
                0,
                "{entry:?}"
            );
        }
    }

    #[test]
    fn host_paths_map_below_usr() {
        assert_eq!(
            tree_path(Path::new("/lib64/ld.so")),
            Path::new("usr/lib64/ld.so")
        );
        assert_eq!(tree_path(Path::new("/usr/lib/a")), Path::new("usr/lib/a"));
        assert_eq!(tree_path(Path::new("/opt/lib/a")), Path::new("opt/lib/a"));
    }
}
