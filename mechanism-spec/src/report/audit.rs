//! Evidence of the track `repositories`, as `schema/report-repositories.json` has it.

use super::decode::{Faults, Lines, array, cwe, object, scalar, text};
use super::reader::{Kind, Reader, Step};
use super::types::{RepoReport, Secret, SupplyChainIssue, Vulnerability};

/// Reads `evidence`. `whole` asks for the required members; without it any part of an audit will do.
pub(super) fn evidence(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    range_lines: u64,
    whole: bool,
) -> Step<RepoReport> {
    let mut out = RepoReport::default();
    let (mut audited, mut listed) = (false, false);
    object(
        reader,
        faults,
        "evidence is no object",
        |reader, faults, key| {
            match key {
                "audit" => {
                    audited = true;
                    out.files_analysed = audit(reader, faults)?;
                }
                "vulnerabilities" => {
                    listed = true;
                    let list = &mut out.vulnerabilities;
                    collect(
                        reader,
                        faults,
                        "evidence.vulnerabilities is no list",
                        list,
                        |reader, faults| vulnerability(reader, faults, range_lines),
                    )?;
                }
                "supply_chain" => out.supply_chain = supply_chain(reader, faults)?,
                "secrets" => {
                    let list = &mut out.secrets;
                    collect(
                        reader,
                        faults,
                        "evidence.secrets is no list",
                        list,
                        |reader, faults| secret(reader, faults, range_lines),
                    )?;
                }
                _ => reader.skip()?,
            }
            Ok(())
        },
    )?;
    if whole {
        faults.require(audited, "evidence.audit is missing");
        faults.require(listed, "evidence.vulnerabilities is missing");
    }
    Ok(out)
}

fn collect<T>(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    what: &'static str,
    list: &mut Vec<T>,
    mut item: impl FnMut(&mut Reader<'_>, &mut Faults) -> Step<T>,
) -> Step {
    array(reader, faults, what, |reader, faults| {
        let value = item(reader, faults)?;
        if faults.none() {
            list.push(value);
        }
        Ok(())
    })
}

fn audit(reader: &mut Reader<'_>, faults: &mut Faults) -> Step<u64> {
    let mut files = None;
    object(
        reader,
        faults,
        "evidence.audit is no object",
        |reader, _, key| {
            if key != "files_analysed" {
                return reader.skip();
            }
            files = if reader.peek()? == Kind::Number {
                scalar(reader, |value| value.line_number())?
            } else {
                reader.skip()?;
                None
            };
            Ok(())
        },
    )?;
    let what = "audit.files_analysed is no whole number of at least 1";
    faults.require(files.is_some(), what);
    Ok(files.and_then(|n| u64::try_from(n).ok()).unwrap_or(0))
}

fn vulnerability(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    range_lines: u64,
) -> Step<Vulnerability> {
    let mut out = Vulnerability::default();
    let mut lines = Lines::default();
    let mut placed = false;
    object(
        reader,
        faults,
        "a vulnerability is no object",
        |reader, faults, key| {
            match key {
                "file" => {
                    placed = true;
                    out.file = text(reader, faults, "a vulnerability's file is no string")?;
                }
                "title" => {
                    out.title = text(reader, faults, "a vulnerability's title is no string")?
                }
                "description" => {
                    out.description =
                        text(reader, faults, "a vulnerability's description is no string")?
                }
                "cwe" => out.cwe = cwe(reader)?,
                "line" => lines.read_first(reader)?,
                "end_line" => lines.read_last(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        },
    )?;
    faults.require(placed, "a vulnerability has no file");
    out.line = lines.line(range_lines);
    Ok(out)
}

fn secret(reader: &mut Reader<'_>, faults: &mut Faults, range_lines: u64) -> Step<Secret> {
    let mut out = Secret::default();
    let mut lines = Lines::default();
    let mut placed = false;
    object(
        reader,
        faults,
        "a secret is no object",
        |reader, faults, key| {
            match key {
                "file" => {
                    placed = true;
                    out.file = text(reader, faults, "a secret's file is no string")?;
                }
                "type" => out.kind = lower(reader, faults, "a secret's type is no string")?,
                "line" => lines.read_first(reader)?,
                "end_line" => lines.read_last(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        },
    )?;
    faults.require(placed, "a secret has no file");
    out.line = lines.line(range_lines);
    Ok(out)
}

/// The list shape, or the object shape flattened in the order of its keys here, whatever order they were written in.
fn supply_chain(reader: &mut Reader<'_>, faults: &mut Faults) -> Step<Vec<SupplyChainIssue>> {
    let mut listed = Vec::new();
    if reader.peek()? == Kind::Array {
        collect(reader, faults, "", &mut listed, supply_chain_issue)?;
        return Ok(listed);
    }
    let mut groups: [Vec<SupplyChainIssue>; 4] = Default::default();
    object(
        reader,
        faults,
        "evidence.supply_chain is no list or object",
        |reader, faults, key| {
            let [typosquats, confusions, scripts, vulnerable] = &mut groups;
            match key {
                "typosquat" => packages(reader, faults, |package| {
                    typosquats.push(issue("typosquat", package.name));
                }),
                "dependency_confusion" => packages(reader, faults, |package| {
                    confusions.push(issue("dependency_confusion", package.name));
                }),
                "install_scripts" => packages(reader, faults, |_| {
                    scripts.push(issue("install_script", String::new()));
                }),
                "dependencies" => packages(reader, faults, |package| {
                    if package.has_cve {
                        vulnerable.push(issue("vulnerable_dependency", package.name));
                    }
                }),
                _ => reader.skip(),
            }
        },
    )?;
    Ok(groups.into_iter().flatten().collect())
}

fn issue(kind: &str, name: String) -> SupplyChainIssue {
    SupplyChainIssue {
        kind: kind.to_owned(),
        name,
    }
}

fn supply_chain_issue(reader: &mut Reader<'_>, faults: &mut Faults) -> Step<SupplyChainIssue> {
    let mut out = SupplyChainIssue::default();
    object(
        reader,
        faults,
        "a supply-chain issue is no object",
        |reader, faults, key| {
            match key {
                "type" => {
                    out.kind = lower(reader, faults, "a supply-chain issue's type is no string")?
                }
                "name" => {
                    out.name = lower(reader, faults, "a supply-chain issue's name is no string")?
                }
                _ => reader.skip()?,
            }
            Ok(())
        },
    )?;
    Ok(out)
}

/// One entry of the object shape.
#[derive(Debug, Default)]
struct Package {
    name: String,
    has_cve: bool,
}

/// One object or a list of objects.
fn packages(reader: &mut Reader<'_>, faults: &mut Faults, mut add: impl FnMut(Package)) -> Step {
    let mut keep = |package, faults: &Faults| {
        if faults.none() {
            add(package);
        }
    };
    if reader.peek()? == Kind::Array {
        return array(reader, faults, "", |reader, faults| {
            let entry = package(reader, faults)?;
            keep(entry, faults);
            Ok(())
        });
    }
    let entry = package(reader, faults)?;
    keep(entry, faults);
    Ok(())
}

fn package(reader: &mut Reader<'_>, faults: &mut Faults) -> Step<Package> {
    let mut out = Package::default();
    object(
        reader,
        faults,
        "a supply-chain entry is no object",
        |reader, faults, key| {
            match key {
                "name" => {
                    out.name = lower(reader, faults, "a supply-chain entry's name is no string")?
                }
                "cve" => out.has_cve = non_empty(reader, faults)?,
                _ => reader.skip()?,
            }
            Ok(())
        },
    )?;
    Ok(out)
}

fn non_empty(reader: &mut Reader<'_>, faults: &mut Faults) -> Step<bool> {
    match reader.peek()? {
        Kind::Text => Ok(!reader.text()?.is_empty()),
        Kind::Array => {
            let mut any = false;
            reader.array(|reader| {
                any = true;
                reader.skip()
            })?;
            Ok(any)
        }
        Kind::Null => reader.skip().map(|()| false),
        _ => {
            faults.note("a dependency's cve is no string or list");
            reader.skip().map(|()| false)
        }
    }
}

fn lower(reader: &mut Reader<'_>, faults: &mut Faults, what: &'static str) -> Step<String> {
    let mut value = text(reader, faults, what)?;
    value.make_ascii_lowercase();
    Ok(value)
}
