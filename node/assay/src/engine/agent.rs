//! An agent's bytes, whatever they are: one Python file, or a bundle.

use agents::{Bundle, BundleError, Entrypoint, Limits, Manifest};
use mechanism::copies::{AgentFile, Token, bundle_digest};
use mechanism::ids::{Hash32, Pin};
use mechanism::spec::Spec;
use mechanism::track::Track;
use runtime::{Runtime, RuntimeError};
use sandbox::Program;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Python files of a bundle that count by their tokens; later ones, in the order of their paths, count by their bytes. The
/// two bounds keep the time that one bundle can take from a validator finite; they are the same on every validator.
const TOKENISED_FILES: usize = 512;
/// Bytes of these files together.
const TOKENISED_BYTES: usize = 4 << 20;

/// An agent that was read within the limits of its kind.
pub(crate) struct Agent {
    bytes: Vec<u8>,
    /// Of a bundle.
    manifest: Option<Manifest>,
    limits: Limits,
}

impl Agent {
    /// Reads a Python file, a bundle file, or a folder that holds `agent.toml`, which is packed first.
    ///
    /// # Errors
    /// One line that names the path.
    pub(crate) fn read(path: &Path, spec: &Spec) -> Result<Self, String> {
        let limits = Limits::of(spec);
        let refused = |error: BundleError| format!("{}: {error}", path.display());
        let bytes = read_bytes(path, spec.limits.agent_file_bytes, &limits)?;
        let manifest = if agents::looks_like_bundle(&bytes) {
            let bundle = Bundle::parse(&bytes, &limits).map_err(refused)?;
            Some(bundle.manifest().clone())
        } else {
            None
        };
        Ok(Agent {
            bytes,
            manifest,
            limits,
        })
    }

    /// As [`Agent::read`], and the bytes must be those that the pin names.
    ///
    /// # Errors
    /// One line that names the path.
    pub(crate) fn read_pinned(path: &Path, pin: &Pin, spec: &Spec) -> Result<Self, String> {
        let agent = Self::read(path, spec)?;
        let found = pin_like(pin, &agent.bytes);
        if found != pin.as_str() {
            return Err(format!(
                "{}: its hash is {found}, not the pinned {pin}; take the file that was committed, or commit this one",
                path.display()
            ));
        }
        Ok(agent)
    }

    /// The file's or the bundle's pin.
    pub(crate) fn pin(&self) -> Pin {
        Pin::blake3_of(&self.bytes)
    }

    /// The file or the bundle's canonical form.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What a bundle says about itself.
    pub(crate) fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// The bundle's files; nothing for a single file.
    pub(crate) fn bundle(&self) -> Result<Option<Bundle<'_>>, BundleError> {
        let parsed = self.manifest.as_ref();
        parsed
            .map(|_| Bundle::parse(&self.bytes, &self.limits))
            .transpose()
    }

    /// A bundle is made for one track and takes part in no other.
    ///
    /// # Errors
    /// One line.
    pub(crate) fn fits(&self, track: Track) -> Result<(), String> {
        match &self.manifest {
            Some(manifest) if manifest.track != track => Err(format!(
                "the bundle '{}' is made for {}, not for {track}; commit it there, or correct its agent.toml",
                manifest.name, manifest.track
            )),
            _ => Ok(()),
        }
    }

    /// What the sandbox starts; a bundle is unpacked into `folder`, which must not exist.
    ///
    /// # Errors
    /// [`BundleError::Io`] when the folder cannot be written.
    pub(crate) fn program(&self, folder: &Path) -> Result<Program, BundleError> {
        let Some(manifest) = &self.manifest else {
            return Ok(Program::PythonFile(self.bytes.clone()));
        };
        let entry = manifest.entry()?;
        agents::unpack(&self.bytes, folder, &self.limits)?;
        let folder = folder.to_owned();
        Ok(match entry {
            Entrypoint::Module { module, function } => Program::PythonModule {
                folder,
                module,
                function,
            },
            Entrypoint::File { path } => Program::PythonPath { folder, path },
            Entrypoint::Executable { path } => Program::Executable { folder, path },
        })
    }

    /// The normalised digest that finds copies (SPEC.md W-2).
    ///
    /// # Errors
    /// The runtime's lexer could not be run: a fault of this host.
    pub(crate) fn digest(&self, runtime: &Runtime) -> Result<Hash32, RuntimeError> {
        let Ok(Some(bundle)) = self.bundle() else {
            return Ok(lexed(runtime, &self.bytes)?.normalised_digest());
        };
        let (mut files, mut bytes) = (0, 0);
        let mut digested = BTreeMap::new();
        for file in bundle.files() {
            let is_python = file.path.ends_with(".py");
            let fits = files < TOKENISED_FILES && bytes + file.bytes.len() <= TOKENISED_BYTES;
            let counted = if is_python && fits {
                files += 1;
                bytes += file.bytes.len();
                lexed(runtime, file.bytes)?
            } else {
                AgentFile::Bytes(file.bytes.to_vec())
            };
            digested.insert(file.path.to_owned(), counted);
        }
        Ok(bundle_digest(&digested))
    }
}

/// A file as the rule on copies looks at it.
fn lexed(runtime: &Runtime, bytes: &[u8]) -> Result<AgentFile, RuntimeError> {
    Ok(match runtime::tokens(runtime, bytes)? {
        Some(tokens) => AgentFile::Tokens(
            tokens
                .into_iter()
                .map(|(kind, text)| Token { kind, text })
                .collect(),
        ),
        None => AgentFile::Bytes(bytes.to_vec()),
    })
}

/// The pin's text of these bytes under the hash function that `pin` names.
fn pin_like(pin: &Pin, bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    if pin.as_str().starts_with("sha256:") {
        return format!("sha256:{}", hex::encode(Sha256::digest(bytes)));
    }
    Pin::blake3_of(bytes).to_string()
}

/// The bytes of a file within the limit of its kind, or of a packed folder.
fn read_bytes(path: &Path, file_limit: u64, limits: &Limits) -> Result<Vec<u8>, String> {
    let shown = path.display();
    let cannot = |error: std::io::Error| {
        format!(
            "cannot read {shown}: {error}; an agent is a Python file or a bundle that this user may read"
        )
    };
    let meta = std::fs::metadata(path).map_err(cannot)?;
    if meta.is_dir() && path.join(agents::MANIFEST_NAME).exists() {
        return agents::pack(path, limits).map_err(|error| format!("{shown}: {error}"));
    }
    if !meta.is_file() {
        return Err(format!(
            "{shown} is neither a regular file nor a folder with agent.toml; an agent is one Python file or a bundle"
        ));
    }
    let mut bytes = Vec::new();
    let mut file = File::open(path).map_err(cannot)?;
    let mut read = |limit: u64, bytes: &mut Vec<u8>| {
        let left = (limit + 1).saturating_sub(bytes.len() as u64);
        file.by_ref().take(left).read_to_end(bytes).map_err(cannot)
    };
    read(file_limit, &mut bytes)?;
    let (limit, kind) = if agents::looks_like_bundle(&bytes) {
        read(limits.packed_bytes, &mut bytes)?;
        (limits.packed_bytes, "a bundle")
    } else {
        (file_limit, "an agent file")
    };
    if bytes.len() as u64 > limit {
        return Err(format!(
            "{shown}: {} bytes, {kind} has at most {limit}; make it smaller",
            meta.len()
        ));
    }
    Ok(bytes)
}
