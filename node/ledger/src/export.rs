//! The ledger as one portable file: zstd over JSON lines, closed by a digest of all lines before it.

use crate::api::{ExportReport, RoundLedger};
use crate::error::{LedgerError, Result};
use crate::key::RoundKey;
use crate::record::Record;
use mechanism::ids::Hash32;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::path::Path;

const FORMAT: &str = "assay-ledger/1";
/// zstd's usual trade of time against size.
const LEVEL: i32 = 3;
/// No line of an export is longer; a report or an agent has a limit far below.
const LONGEST_LINE: u64 = 256 << 20;
/// Records that an import commits together.
const BATCH: usize = 256;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Format(String),
    Blob(String),
    Record(Box<Record>),
    End { lines: u64, digest: Hash32 },
}

fn export_error(line: u64, what: impl ToString) -> LedgerError {
    LedgerError::Export {
        line,
        what: what.to_string(),
    }
}

struct Lines<W: Write> {
    out: W,
    hasher: blake3::Hasher,
    lines: u64,
}

impl<W: Write> Lines<W> {
    fn put(&mut self, line: &Line) -> Result<()> {
        let mut bytes = serde_json::to_vec(line).map_err(LedgerError::json)?;
        bytes.push(b'\n');
        self.hasher.update(&bytes);
        self.lines += 1;
        let written = self.out.write_all(&bytes);
        written.map_err(|cause| LedgerError::io("write the export", Path::new("export"), cause))
    }
}

pub(crate) fn write<L: RoundLedger>(ledger: &L, out: &mut dyn Write) -> Result<ExportReport> {
    let failed = |cause| LedgerError::io("write the export", Path::new("export"), cause);
    let mut lines = Lines {
        out: zstd::Encoder::new(out, LEVEL).map_err(failed)?,
        hasher: blake3::Hasher::new(),
        lines: 0,
    };
    lines.put(&Line::Format(FORMAT.to_owned()))?;
    let mut report = ExportReport::default();
    let mut named = BTreeSet::new();
    ledger.walk(&mut |_, records| {
        for record in records {
            named.extend(record.named_hashes());
            report.records += 1;
            lines.put(&Line::Record(Box::new(record)))?;
        }
        Ok(())
    })?;
    // Reports stand in their records; what is left are attachments and agents' bytes, where the ledger keeps them.
    for hash in named {
        match ledger.get_blob(&hash) {
            Ok(bytes) => {
                report.blobs += 1;
                lines.put(&Line::Blob(hex::encode(bytes)))?;
            }
            Err(LedgerError::BlobMissing { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    let end = Line::End {
        lines: lines.lines,
        digest: lines.hasher.finalize().into(),
    };
    lines.put(&end)?;
    let out = lines.out.finish().map_err(failed)?;
    out.flush().map_err(failed)?;
    Ok(report)
}

/// Reads line by line, bounded.
fn each_line(input: &mut dyn Read, visit: &mut dyn FnMut(u64, &[u8]) -> Result<()>) -> Result<()> {
    let mut reader = BufReader::new(input);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = (&mut reader)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        read.map_err(|cause| export_error(number, cause))?;
        if line.is_empty() {
            return Ok(());
        }
        if line.pop() != Some(b'\n') {
            return Err(export_error(number, "the line is cut off"));
        }
        visit(number, &line)?;
    }
    Ok(())
}

fn parse(number: u64, line: &[u8]) -> Result<Line> {
    serde_json::from_slice(line).map_err(|error| export_error(number, error))
}

/// Unpacks the export into `spool` and verifies format and digest.
fn unpack(input: &mut dyn Read, spool: &mut dyn Write) -> Result<()> {
    let mut decoder = zstd::Decoder::new(input).map_err(|cause| export_error(0, cause))?;
    let mut hasher = blake3::Hasher::new();
    let mut ended = false;
    each_line(&mut decoder, &mut |number, line| {
        if ended {
            return Err(export_error(number, "there is more after the end"));
        }
        match parse(number, line)? {
            Line::Format(format) if number == 1 && format == FORMAT => {}
            Line::Format(format) => {
                return Err(export_error(
                    number,
                    format!("unexpected format '{format}'"),
                ));
            }
            _ if number == 1 => return Err(export_error(1, "the format is not named first")),
            Line::End { lines, digest } => {
                if lines != number - 1 || Hash32::from(hasher.finalize()) != digest {
                    return Err(export_error(
                        number,
                        "the digest is not that of the lines before it",
                    ));
                }
                ended = true;
                return Ok(());
            }
            Line::Blob(_) | Line::Record(_) => {}
        }
        hasher.update(line);
        hasher.update(b"\n");
        let spooled = spool.write_all(line).and_then(|()| spool.write_all(b"\n"));
        spooled.map_err(|cause| LedgerError::io("unpack the export", Path::new("import"), cause))
    })?;
    if ended {
        Ok(())
    } else {
        Err(export_error(0, "the export ends before its digest"))
    }
}

/// What of an export the ledger has already.
struct Known {
    rounds: BTreeMap<RoundKey, Vec<Record>>,
    passed: BTreeMap<RoundKey, usize>,
    state: Option<u64>,
}

impl Known {
    fn of<L: RoundLedger>(ledger: &L) -> Result<Self> {
        let mut rounds = BTreeMap::new();
        for summary in ledger.rounds() {
            let records = ledger.records(&summary.key)?;
            rounds.insert(summary.key, records);
        }
        Ok(Known {
            rounds,
            passed: BTreeMap::new(),
            state: ledger.state().map(|(round, _)| round),
        })
    }

    /// Whether the ledger lacks this next record of the export.
    fn lacks(&mut self, record: &Record) -> Result<bool> {
        if let Record::State { round, .. } = record {
            let newer = self.state.is_none_or(|last| last < *round);
            return Ok(newer);
        }
        let Some(key) = record.key() else {
            return Ok(false);
        };
        let passed = self.passed.entry(key.clone()).or_default();
        let there = self
            .rounds
            .get(key)
            .and_then(|records| records.get(*passed));
        *passed += 1;
        match there {
            None => Ok(true),
            Some(same) if same == record => Ok(false),
            Some(_) => Err(LedgerError::Conflict(key.clone())),
        }
    }
}

/// Takes an export in; `spool` is scratch space for its lines.
pub(crate) fn read<L: RoundLedger, S: Read + Write + Seek>(
    ledger: &L,
    input: &mut dyn Read,
    spool: &mut S,
) -> Result<ExportReport> {
    unpack(input, spool)?;
    let mut report = ExportReport::default();
    let mut known = Known::of(ledger)?;
    rewind(spool)?;
    each_line(spool, &mut |number, line| {
        match parse(number, line)? {
            Line::Record(record) => {
                report.records += 1;
                known.lacks(&record).map(|_| ())
            }
            // Bytes that nothing names yet do no harm, and a record must not come before them.
            Line::Blob(text) => {
                report.blobs += 1;
                let bytes = hex::decode(text).map_err(|error| export_error(number, error))?;
                ledger.put_blob(&bytes).map(|_| ())
            }
            _ => Ok(()),
        }
    })?;
    known.passed.clear();
    rewind(spool)?;
    let mut batch = Vec::new();
    each_line(spool, &mut |number, line| {
        if let Line::Record(record) = parse(number, line)?
            && known.lacks(&record)?
        {
            report.added += 1;
            batch.push(*record);
            if batch.len() >= BATCH {
                ledger.commit(std::mem::take(&mut batch))?;
            }
        }
        Ok(())
    })?;
    if !batch.is_empty() {
        ledger.commit(batch)?;
    }
    Ok(report)
}

fn rewind(spool: &mut impl Seek) -> Result<()> {
    let rewound = spool.rewind();
    rewound.map_err(|cause| LedgerError::io("read the unpacked export", Path::new("import"), cause))
}
