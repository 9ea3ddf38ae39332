//! Folders, and tars made by hand.

use agents::Limits;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A manifest that every test bundle can have.
pub(crate) const MANIFEST: &str =
    "name = \"a\"\ntrack = \"skills\"\nruntime = \"python\"\nentrypoint = \"main.py\"\n";

/// The limits of the spec, smaller.
pub(crate) const LIMITS: Limits = Limits {
    packed_bytes: 1 << 20,
    unpacked_bytes: 1 << 20,
    files: 100,
};

/// Writes a file and the folders above it.
pub(crate) fn put(dir: &Path, path: &str, content: &[u8], mode: u32) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

/// One tar entry under construction; starts as a canonical regular file.
pub(crate) struct Entry {
    pub(crate) header: [u8; 512],
    pub(crate) body: Vec<u8>,
}

impl Entry {
    pub(crate) fn new(name: &[u8], body: &[u8]) -> Self {
        let mut entry = Entry {
            header: [0; 512],
            body: body.to_vec(),
        };
        entry.put(0, &name[..name.len().min(100)]);
        entry.put(100, b"0000644\0");
        entry.put(108, b"0000000\0");
        entry.put(116, b"0000000\0");
        entry.put(124, format!("{:011o}\0", body.len()).as_bytes());
        entry.put(136, b"00000000000\0");
        entry.put(156, b"0");
        entry.put(257, b"ustar  \0");
        entry
    }

    pub(crate) fn put(&mut self, at: usize, bytes: &[u8]) {
        self.header[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The same entry of another type.
    pub(crate) fn kind(mut self, kind: u8) -> Self {
        self.put(156, &[kind]);
        self
    }

    /// The same entry with `bytes` somewhere in its header.
    pub(crate) fn with(mut self, at: usize, bytes: &[u8]) -> Self {
        self.put(at, bytes);
        self
    }
}

/// A tar of the entries with right checksums and two closing blocks.
pub(crate) fn tar(entries: Vec<Entry>) -> Vec<u8> {
    let mut out = Vec::new();
    for mut entry in entries {
        entry.put(148, b"        ");
        let sum: u32 = entry.header.iter().map(|byte| u32::from(*byte)).sum();
        entry.put(148, format!("{sum:06o}\0 ").as_bytes());
        out.extend_from_slice(&entry.header);
        out.extend_from_slice(&entry.body);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// The entries behind a valid manifest; canonical when they sort behind it.
pub(crate) fn bundle(entries: Vec<Entry>) -> Vec<u8> {
    let mut all = vec![Entry::new(b"agent.toml", MANIFEST.as_bytes())];
    all.extend(entries);
    tar(all)
}
