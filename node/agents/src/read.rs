//! Reads a bundle from memory, entry by entry, and refuses everything that is not the canonical form.

use crate::canonical::{self, Content};
use crate::error::{BundleError, shown};
use crate::limits::Limits;
use crate::manifest::{MANIFEST_NAME, Manifest};
use crate::names::{self, Names};
use std::collections::BTreeMap;
use tar::{Archive, EntryType};

/// Longest content of a long-name entry: a path of 255 bytes and its NUL.
const LONG_NAME_BYTES: usize = 256;
/// Where the magic of the first header stands, and what it is.
const MAGIC: (usize, &[u8]) = (257, b"ustar");

/// A bundle whose every entry has been checked. Borrows the bytes it was read from.
#[derive(Debug)]
pub struct Bundle<'a> {
    manifest: Manifest,
    files: BTreeMap<&'a str, Content<'a>>,
}

/// One file of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileEntry<'a> {
    /// Path in the bundle.
    pub path: &'a str,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// Content.
    pub bytes: &'a [u8],
}

/// Whether the bytes mean to be a bundle rather than a Python file, by the magic of tar's first header. The NUL before it
/// can stand in no Python source.
#[must_use]
pub fn looks_like_bundle(bytes: &[u8]) -> bool {
    let (at, magic) = MAGIC;
    bytes.get(at..at + magic.len()) == Some(magic) && bytes[..at].contains(&0)
}

impl<'a> Bundle<'a> {
    /// Reads and checks a bundle.
    ///
    /// # Errors
    /// The first thing that makes it none; nothing is written anywhere.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, BundleError> {
        let files = files(bytes, limits)?;
        compare(bytes, &files)?;
        let Some(manifest) = files.get(MANIFEST_NAME) else {
            let reason = "not in the bundle; a bundle has it at its top";
            return Err(BundleError::Manifest(reason.to_owned()));
        };
        let manifest = Manifest::parse(manifest.bytes)?;
        Ok(Bundle { manifest, files })
    }

    /// What the bundle says about itself.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Every file, in the order of the paths' bytes.
    pub fn files(&self) -> impl Iterator<Item = FileEntry<'a>> {
        self.files.iter().map(|(path, content)| FileEntry {
            path,
            executable: content.executable,
            bytes: content.bytes,
        })
    }
}

/// Walks the entries. Sizes are checked as they are announced, before anything is read by them.
fn files<'a>(
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<BTreeMap<&'a str, Content<'a>>, BundleError> {
    let packed = bytes.len() as u64;
    if packed > limits.packed_bytes {
        return Err(BundleError::PackedTooLarge {
            found: packed,
            limit: limits.packed_bytes,
        });
    }
    let malformed =
        |error: std::io::Error| BundleError::Malformed(shown(error.to_string().as_bytes()));
    let mut files = BTreeMap::new();
    let mut names = Names::default();
    let mut unpacked = 0_u64;
    let mut long_name: Option<&[u8]> = None;
    let mut archive = Archive::new(bytes);
    // Raw: no header may change the meaning of another, save for the long name, which is read here.
    for entry in archive.entries().map_err(malformed)?.raw(true) {
        let entry = entry.map_err(malformed)?;
        let header = entry.header();
        let size = header.entry_size().map_err(malformed)?;
        let own_name = &header.as_old().name;
        let length = own_name.iter().position(|byte| *byte == 0);
        let name = long_name.unwrap_or_else(|| position(bytes, &entry, length));
        let kind = match header.entry_type() {
            EntryType::Regular => {
                unpacked = unpacked.saturating_add(size);
                if unpacked > limits.unpacked_bytes {
                    return Err(BundleError::UnpackedTooLarge {
                        found: unpacked,
                        limit: limits.unpacked_bytes,
                    });
                }
                let path = names::check(name)?;
                names.add(path)?;
                if files.len() as u64 == limits.files {
                    return Err(BundleError::TooManyFiles {
                        limit: limits.files,
                    });
                }
                let mode = header.mode().map_err(malformed)?;
                let content = Content {
                    executable: mode & 0o100 != 0,
                    bytes: content(bytes, entry.raw_file_position(), size)?,
                };
                files.insert(path, content);
                long_name = None;
                continue;
            }
            EntryType::GNULongName => {
                let raw = content(bytes, entry.raw_file_position(), size)?;
                if raw.len() > LONG_NAME_BYTES {
                    return Err(BundleError::name(raw, "has more than 255 bytes"));
                }
                long_name = Some(raw.strip_suffix(b"\0").unwrap_or(raw));
                continue;
            }
            other => describe(other),
        };
        let name = shown(name);
        return Err(BundleError::Kind { name, kind });
    }
    Ok(files)
}

/// The name in an entry's own header, as a part of the bundle's bytes.
fn position<'a>(
    bytes: &'a [u8],
    entry: &tar::Entry<'_, &'a [u8]>,
    length: Option<usize>,
) -> &'a [u8] {
    let at = usize::try_from(entry.raw_header_position()).unwrap_or(usize::MAX);
    let end = at.saturating_add(length.unwrap_or(100));
    bytes.get(at..end).unwrap_or_default()
}

fn content(bytes: &[u8], at: u64, size: u64) -> Result<&[u8], BundleError> {
    let range = usize::try_from(at).ok().zip(at.checked_add(size));
    range
        .and_then(|(at, end)| bytes.get(at..usize::try_from(end).ok()?))
        .ok_or_else(|| {
            BundleError::Malformed(format!(
                "an entry announces {size} bytes, more than there are"
            ))
        })
}

fn describe(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Symlink | EntryType::GNULongLink => "a symbolic link",
        EntryType::Link => "a hard link",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a FIFO",
        EntryType::Directory => "a folder entry",
        EntryType::GNUSparse => "a sparse file",
        EntryType::XHeader | EntryType::XGlobalHeader => "an extended header",
        _ => "of an unknown kind",
    }
}

/// The bytes must be those of the canonical form of what was read from them, no more and no less.
fn compare(bytes: &[u8], files: &BTreeMap<&str, Content<'_>>) -> Result<(), BundleError> {
    let mut at = 0;
    let mut differs = None;
    canonical::encode(files, &mut |piece: &[u8]| {
        let found = bytes.get(at..).unwrap_or_default();
        if differs.is_none() && !found.starts_with(piece) {
            let equal = piece.iter().zip(found).take_while(|(a, b)| a == b);
            differs = Some(at + equal.count());
        }
        at += piece.len();
    });
    match differs {
        Some(offset) if offset >= bytes.len() => Err(BundleError::Malformed(format!(
            "it ends at byte {} before its two closing blocks",
            bytes.len()
        ))),
        Some(offset) => Err(BundleError::NotCanonical {
            offset: offset as u64,
        }),
        None if bytes.len() > at => Err(BundleError::TrailingBytes {
            extra: (bytes.len() - at) as u64,
        }),
        None => Ok(()),
    }
}
