//! The keystore file: one encrypted key, readable by its owner only.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use mechanism::ids::Hotkey;

use crate::error::{SignerError, io_error};
use crate::keypair::Keypair;
use crate::sealed::{OpenError, Sealed};

/// A keystore has a few hundred bytes.
const MOST_BYTES: u64 = 64 << 10;

/// Writes the key to a new file of mode 0600, encrypted under the password, and syncs file and folder to disk.
///
/// # Errors
/// There is a file of that name (it is left as it is), the password is empty, or the file cannot be written (nothing
/// stays behind).
pub fn create(path: &Path, pair: &Keypair, password: &[u8]) -> Result<(), SignerError> {
    let sealed = Sealed::seal(pair, password)?;
    let mut options = OpenOptions::new();
    let opened = options.write(true).create_new(true).mode(0o600).open(path);
    let mut file = opened.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => SignerError::Exists(path.to_owned()),
        _ => io_error("create", path)(error),
    })?;
    let written = write(&mut file, &sealed, path);
    if written.is_err() {
        // Half a keystore would only be in the way of the next attempt; the first error is the one to tell.
        let _ = fs::remove_file(path);
    }
    written.map_err(io_error("write", path))
}

/// Reads and decrypts a key.
///
/// # Errors
/// The file cannot be read, others may read it, it is no keystore, or the password is wrong.
pub fn load(path: &Path, password: &[u8]) -> Result<Keypair, SignerError> {
    read(path)?.open(password).map_err(|error| match error {
        OpenError::Format(reason) => SignerError::Format {
            path: path.to_owned(),
            reason,
        },
        OpenError::Password => SignerError::Password(path.to_owned()),
        OpenError::Derivation(error) => SignerError::Derivation(error),
    })
}

/// The hotkey that the file says it holds, without the password; only [`load`] proves it.
///
/// # Errors
/// Like [`load`], save the password.
pub fn hotkey(path: &Path) -> Result<Hotkey, SignerError> {
    read(path).map(|sealed| sealed.hotkey)
}

fn write(file: &mut File, sealed: &Sealed, path: &Path) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(sealed)?;
    text.push(b'\n');
    file.write_all(&text)?;
    file.sync_all()?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}

fn read(path: &Path) -> Result<Sealed, SignerError> {
    let invalid = |reason: String| SignerError::Format {
        path: path.to_owned(),
        reason,
    };
    // Before the file is opened: opening a FIFO would wait for a writer.
    if !fs::metadata(path)
        .map_err(io_error("read", path))?
        .is_file()
    {
        return Err(invalid("it is not a regular file".to_owned()));
    }
    let file = File::open(path).map_err(io_error("read", path))?;
    let metadata = file.metadata().map_err(io_error("read", path))?;
    let mode = metadata.permissions().mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(SignerError::Permissions {
            path: path.to_owned(),
            mode,
        });
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(io_error("read", path))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(invalid(format!("it is larger than {MOST_BYTES} bytes")));
    }
    serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn stored() -> (tempfile::TempDir, PathBuf, Keypair) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hotkey.json");
        let pair = Keypair::generate().unwrap();
        create(&path, &pair, b"secret").unwrap();
        (dir, path, pair)
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_key_comes_back_and_only_its_owner_may_read_the_file() {
        let (_dir, path, pair) = stored();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o7777,
            0o600
        );
        assert_eq!(load(&path, b"secret").unwrap().seed(), pair.seed());
        assert_eq!(hotkey(&path).unwrap(), pair.hotkey());
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(&hex::encode(pair.seed().as_slice())));
    }

    #[test]
    fn a_wrong_password_and_an_empty_one_are_refused() {
        let (dir, path, pair) = stored();
        assert!(matches!(
            load(&path, b"Secret"),
            Err(SignerError::Password(_))
        ));
        let other = dir.path().join("other.json");
        assert!(matches!(
            create(&other, &pair, b""),
            Err(SignerError::EmptyPassword)
        ));
        assert!(!other.exists());
    }

    #[test]
    fn a_keystore_is_never_overwritten() {
        let (_dir, path, pair) = stored();
        let before = fs::read(&path).unwrap();
        assert!(matches!(
            create(&path, &Keypair::dev("a"), b"x"),
            Err(SignerError::Exists(_))
        ));
        assert_eq!(fs::read(&path).unwrap(), before);
        assert_eq!(load(&path, b"secret").unwrap().public(), pair.public());
    }

    #[test]
    fn a_file_that_others_may_read_is_refused_with_the_remedy() {
        let (_dir, path, _pair) = stored();
        for mode in [0o640, 0o604, 0o620, 0o644] {
            set_mode(&path, mode);
            let error = load(&path, b"secret").unwrap_err();
            assert!(matches!(error, SignerError::Permissions { mode: found, .. } if found == mode));
            assert!(error.to_string().contains("chmod 600"));
        }
        set_mode(&path, 0o400);
        load(&path, b"secret").unwrap();
    }

    #[test]
    fn what_is_no_keystore_is_refused() {
        let (dir, path, _pair) = stored();
        let text = fs::read_to_string(&path).unwrap();
        let unknown_key = text.replacen('{', "{\"extra\": 1,", 1);
        let half = text[..text.len() / 2].to_owned();
        for content in [String::new(), half, unknown_key, "[".repeat(1 << 17)] {
            fs::write(&path, content).unwrap();
            assert!(matches!(
                load(&path, b"secret"),
                Err(SignerError::Format { .. })
            ));
        }
        assert!(matches!(
            load(dir.path(), b"secret"),
            Err(SignerError::Format { .. })
        ));
        let absent = load(&dir.path().join("absent"), b"secret");
        assert!(matches!(
            absent,
            Err(SignerError::Io { action: "read", .. })
        ));
    }
}
