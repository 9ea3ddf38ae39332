//! What can be wrong with a corpus, as one line that names the file, the difference and the remedy.

use mechanism::fault::Fault;
use mechanism::ids::TaskRef;
use std::io;
use std::path::{Path, PathBuf};

/// The remedy of every difference between the manifest and the files beside it.
pub const PIN_REMEDY: &str =
    "restore the file, or run `assay corpus pin` if the change is intended";

/// A corpus that cannot be used, or a copy of it that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// Neither the folder nor its `data` folder is a corpus.
    #[error(
        "{}: no MANIFEST.json and no track folder here or in data/; name the folder that holds MANIFEST.json",
        .0.display()
    )]
    NotACorpus(PathBuf),
    /// The corpus has no manifest yet.
    #[error("{}: there is no manifest; run `assay corpus pin`", .0.display())]
    NoManifest(PathBuf),
    /// A file of the corpus could not be read.
    #[error("{}: cannot be read ({source}); check that it exists and that this user may read it", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The copy, or the manifest, could not be written.
    #[error("{}: cannot be written ({source}); check free space and permissions", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The manifest is not JSON of the expected form.
    #[error("{}: not a corpus manifest ({reason}); run `assay corpus pin`", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
    /// The files are not what the manifest says.
    #[error("{}: {what} is {found}, the manifest says {expected}; {PIN_REMEDY}", path.display())]
    Mismatch {
        /// The file or folder that differs.
        path: PathBuf,
        /// Which property differs.
        what: &'static str,
        /// The manifest's value.
        expected: String,
        /// The value of the files.
        found: String,
    },
    /// A task folder that the manifest does not list.
    #[error("{}: the manifest does not list this task; remove the folder or run `assay corpus pin`", .0.display())]
    Unlisted(PathBuf),
    /// An entry that no artifact may hold (symlink, device, name outside UTF-8, too much of it).
    #[error("{}: {reason}; {remedy}", path.display())]
    Refused {
        /// The entry.
        path: PathBuf,
        /// What it is.
        reason: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The label is not what the label format says.
    #[error("{}: not a label ({reason}); run `assay corpus lint`", path.display())]
    Label {
        /// The label file.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
    /// No task has this reference.
    #[error("task '{0}' is not in the corpus; references are <track>/<task> as in MANIFEST.json")]
    UnknownTask(TaskRef),
}

impl CorpusError {
    /// Whose fault it is (`mechanism.md §4`): a copy that cannot be written is the host's, everything else the corpus's.
    #[must_use]
    pub const fn fault(&self) -> Fault {
        match self {
            CorpusError::Write { .. } => Fault::Infrastructure,
            _ => Fault::Corpus,
        }
    }

    /// Whether a retry on a healthier host could succeed.
    #[must_use]
    pub const fn is_host_fault(&self) -> bool {
        matches!(self.fault(), Fault::Infrastructure)
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        CorpusError::Read {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        CorpusError::Write {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn mismatch(
        path: &Path,
        what: &'static str,
        expected: impl ToString,
        found: impl ToString,
    ) -> Self {
        CorpusError::Mismatch {
            path: path.to_owned(),
            what,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}
