//! Lists the files of an artifact without following anything, and names what no artifact may hold.

use crate::error::CorpusError;
use crate::hash::{FileHash, hash_through, open_regular};
use crate::limits::Limits;
use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Deeper folders are refused: a path below stays inside the system's limit on path length.
const MAX_DEPTH: usize = 128;

/// One regular file of an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactFile {
    /// Path relative to the artifact, `/` between components.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Whether the owner may execute it.
    pub executable: bool,
}

/// What makes an entry unfit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OddityKind {
    /// A symbolic link.
    Symlink,
    /// A device, FIFO or socket.
    Special,
    /// A name that is not UTF-8 or holds a control character or backslash.
    Name,
    /// It cannot be listed or opened.
    Unreadable,
    /// Above the limit on bytes, files or depth.
    TooLarge,
}

/// An entry that no artifact may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oddity {
    /// The entry.
    pub path: PathBuf,
    /// Its kind.
    pub kind: OddityKind,
    /// What it is, in words.
    pub reason: String,
}

impl OddityKind {
    /// What to do about it.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            OddityKind::Symlink => "replace the link by the file it names",
            OddityKind::Special => "remove it; an artifact holds regular files and folders only",
            OddityKind::Name => "rename it with printable UTF-8 characters",
            OddityKind::Unreadable => "make it readable for this user",
            OddityKind::TooLarge => "make the artifact smaller or split the task",
        }
    }
}

impl From<Oddity> for CorpusError {
    fn from(oddity: Oddity) -> Self {
        CorpusError::Refused {
            path: oddity.path,
            reason: oddity.reason,
            remedy: oddity.kind.remedy(),
        }
    }
}

/// What lies in an artifact: files by path in byte order, folders, and everything unfit.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Regular files, sorted by path.
    pub files: Vec<ArtifactFile>,
    /// Folders below the artifact, sorted by path.
    pub folders: Vec<String>,
    /// What makes the artifact unfit, in the order of the paths.
    pub oddities: Vec<Oddity>,
}

impl Listing {
    /// Sum of the file sizes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|f| f.size).sum()
    }

    /// The listing when nothing in it is unfit.
    ///
    /// # Errors
    /// [`CorpusError::Refused`] with the first unfit entry.
    pub fn accept(self) -> Result<Self, CorpusError> {
        match self.oddities.first() {
            Some(oddity) => Err(oddity.clone().into()),
            None => Ok(self),
        }
    }

    /// Reads and hashes every file of the artifact at `root`.
    ///
    /// # Errors
    /// [`CorpusError::Read`], and [`CorpusError::Mismatch`] for a file that changed its size meanwhile.
    pub fn hashes(&self, root: &Path) -> Result<Vec<FileHash>, CorpusError> {
        self.files
            .iter()
            .map(|file| hash_file(root, file, |_| Ok(())))
            .collect()
    }
}

/// Hashes one listed file and hands its bytes to `sink`.
pub(crate) fn hash_file(
    root: &Path,
    file: &ArtifactFile,
    sink: impl FnMut(&[u8]) -> Result<(), CorpusError>,
) -> Result<FileHash, CorpusError> {
    let path = root.join(&file.path);
    let mut source = open_regular(&path).map_err(|e| CorpusError::read(&path, e))?;
    let (hash, size) = hash_through(&mut source, |e| CorpusError::read(&path, e), sink)?;
    if size != file.size {
        return Err(CorpusError::mismatch(&path, "size", file.size, size));
    }
    Ok(FileHash {
        path: file.path.clone(),
        size,
        hash,
        executable: file.executable,
    })
}

/// Lists the artifact at `root`. Never follows a link, never opens a file, stops at the limits.
#[must_use]
pub fn walk(root: &Path, limits: Limits) -> Listing {
    let mut walker = Walker {
        root,
        limits,
        bytes: 0,
        full: false,
        listing: Listing::default(),
    };
    match fs::symlink_metadata(root) {
        Ok(meta) if meta.is_dir() => walker.folder(root, "", 0),
        Ok(meta) => walker.unfit(root, &meta, "not a folder"),
        Err(error) => walker.unreadable(root, &error),
    }
    let Listing {
        files,
        folders,
        oddities,
    } = &mut walker.listing;
    files.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    folders.sort();
    oddities.sort_by(|a, b| a.path.cmp(&b.path));
    walker.listing
}

struct Walker<'a> {
    root: &'a Path,
    limits: Limits,
    bytes: u64,
    full: bool,
    listing: Listing,
}

impl Walker<'_> {
    fn folder(&mut self, dir: &Path, prefix: &str, depth: usize) {
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(dir, &error),
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return self.unreadable(dir, &error),
            };
            if self.full {
                return;
            }
            let path = entry.path();
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|n| is_plain(n)) else {
                let reason = "the name is not printable UTF-8".to_owned();
                self.odd(&path, OddityKind::Name, reason);
                continue;
            };
            let relative = if prefix.is_empty() {
                name.to_owned()
            } else {
                format!("{prefix}/{name}")
            };
            self.entry(&path, relative, depth);
        }
    }

    fn entry(&mut self, path: &Path, relative: String, depth: usize) {
        let meta = match fs::symlink_metadata(path) {
            Ok(meta) => meta,
            Err(error) => return self.unreadable(path, &error),
        };
        if meta.is_dir() {
            if depth >= MAX_DEPTH {
                let reason = format!("folders nest deeper than {MAX_DEPTH}");
                return self.odd(path, OddityKind::TooLarge, reason);
            }
            self.folder(path, &relative, depth + 1);
            self.listing.folders.push(relative);
        } else if meta.is_file() {
            self.file(relative, &meta);
        } else {
            self.unfit(path, &meta, "not a regular file");
        }
    }

    fn file(&mut self, relative: String, meta: &Metadata) {
        self.bytes = self.bytes.saturating_add(meta.len());
        let files = self.listing.files.len() as u64 + 1;
        if self.bytes > self.limits.artifact_bytes || files > self.limits.artifact_files {
            self.full = true;
            let reason = format!(
                "the artifact is above {} bytes or {} files",
                self.limits.artifact_bytes, self.limits.artifact_files
            );
            let root = self.root;
            return self.odd(root, OddityKind::TooLarge, reason);
        }
        self.listing.files.push(ArtifactFile {
            path: relative,
            size: meta.len(),
            executable: meta.permissions().mode() & 0o100 != 0,
        });
    }

    fn unfit(&mut self, path: &Path, meta: &Metadata, otherwise: &str) {
        let kind = meta.file_type();
        if kind.is_symlink() {
            return self.odd(path, OddityKind::Symlink, "a symbolic link".to_owned());
        }
        let reason = if kind.is_fifo() {
            "a FIFO"
        } else if kind.is_socket() {
            "a socket"
        } else if kind.is_block_device() || kind.is_char_device() {
            "a device"
        } else {
            otherwise
        };
        self.odd(path, OddityKind::Special, reason.to_owned());
    }

    fn unreadable(&mut self, path: &Path, error: &std::io::Error) {
        self.odd(
            path,
            OddityKind::Unreadable,
            format!("cannot be read ({error})"),
        );
    }

    fn odd(&mut self, path: &Path, kind: OddityKind, reason: String) {
        self.listing.oddities.push(Oddity {
            path: path.to_owned(),
            kind,
            reason,
        });
    }
}

/// A backslash or a control character in a name would be read as another path by section 7's rules or by a terminal.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|c| c.is_control() || c == '\\')
}
