//! Evidence and findings of the behavioural tracks, as `schema/report-behavioural.json` has them.

use super::decode::{Faults, Lines, array, kinds, object, text};
use super::reader::{Kind, Reader, Step};
use super::types::{CapabilityManifest, Finding};
use crate::taxonomy;

/// Reads `evidence`.
pub(super) fn evidence(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    manifest: &mut CapabilityManifest,
) -> Step {
    let (mut action, mut context) = (false, false);
    object(
        reader,
        faults,
        "evidence is no object",
        |reader, faults, key| match key {
            "action_plane" => {
                action = true;
                action_plane(reader, faults, manifest)
            }
            "context_plane" => {
                context = true;
                context_plane(reader, faults)
            }
            "mcp_surface" => shape(reader, faults, "evidence.mcp_surface is no object or list"),
            "lifecycle" => shape(reader, faults, "evidence.lifecycle is no object or list"),
            "supply_chain" => shape(reader, faults, "evidence.supply_chain is no object or list"),
            "proof_of_execution" => kinds(
                reader,
                faults,
                &[Kind::Object, Kind::Array, Kind::Text],
                "evidence.proof_of_execution is no object, list or string",
            ),
            _ => reader.skip(),
        },
    )?;
    faults.require(action, "evidence.action_plane is missing");
    faults.require(context, "evidence.context_plane is missing");
    Ok(())
}

fn shape(reader: &mut Reader<'_>, faults: &mut Faults, what: &'static str) -> Step {
    kinds(reader, faults, &[Kind::Object, Kind::Array], what)
}

fn action_plane(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    manifest: &mut CapabilityManifest,
) -> Step {
    let mut seen = false;
    object(
        reader,
        faults,
        "evidence.action_plane is no object",
        |reader, faults, key| {
            if key != "capabilities" {
                return reader.skip();
            }
            seen = true;
            array(
                reader,
                faults,
                "action_plane.capabilities is no list",
                |reader, faults| capability(reader, faults, manifest),
            )
        },
    )?;
    faults.require(seen, "action_plane.capabilities is missing");
    Ok(())
}

fn capability(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    manifest: &mut CapabilityManifest,
) -> Step {
    let mut add = |name: &str| match taxonomy::lookup(name) {
        Some(entry) => {
            manifest.known.insert(&entry.name);
        }
        None => manifest.dropped += 1,
    };
    if reader.peek()? == Kind::Text {
        add(&reader.text()?);
        return Ok(());
    }
    let mut seen = false;
    object(
        reader,
        faults,
        "a capability is no string or object",
        |reader, faults, key| {
            if key != "capability" {
                return reader.skip();
            }
            seen = true;
            add(&text(reader, faults, "capability is no string")?);
            Ok(())
        },
    )?;
    faults.require(seen, "a capability has no name");
    Ok(())
}

fn context_plane(reader: &mut Reader<'_>, faults: &mut Faults) -> Step {
    let mut seen = false;
    object(
        reader,
        faults,
        "evidence.context_plane is no object",
        |reader, faults, key| {
            if key != "injected_instructions" {
                return reader.skip();
            }
            seen = true;
            let what = "context_plane.injected_instructions is no list";
            kinds(reader, faults, &[Kind::Array], what)
        },
    )?;
    faults.require(seen, "context_plane.injected_instructions is missing");
    Ok(())
}

/// Reads `findings`: a list, or `null` for none.
pub(super) fn findings(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    range_lines: u64,
) -> Step<Vec<Finding>> {
    let mut found = Vec::new();
    if reader.peek()? == Kind::Null {
        reader.skip()?;
        return Ok(found);
    }
    array(reader, faults, "findings is no list", |reader, faults| {
        let finding = finding(reader, faults, range_lines)?;
        if faults.none() {
            found.push(finding);
        }
        Ok(())
    })?;
    Ok(found)
}

fn finding(reader: &mut Reader<'_>, faults: &mut Faults, range_lines: u64) -> Step<Finding> {
    let (mut category, mut title) = (None, None);
    let mut places: [String; 4] = Default::default();
    let mut lines = Lines::default();
    object(
        reader,
        faults,
        "a finding is no object",
        |reader, faults, key| {
            let [file, path, location, evidence_ref] = &mut places;
            match key {
                "category" => {
                    category = Some(text(reader, faults, "a finding's category is no string")?)
                }
                "title" => title = Some(text(reader, faults, "a finding's title is no string")?),
                "file" => *file = text(reader, faults, "a finding's file is no string")?,
                "path" => *path = text(reader, faults, "a finding's path is no string")?,
                "location" => {
                    *location = text(reader, faults, "a finding's location is no string")?
                }
                "evidence_ref" => {
                    *evidence_ref = text(reader, faults, "a finding's evidence_ref is no string")?
                }
                "plane" => drop(text(reader, faults, "a finding's plane is no string")?),
                "line" => lines.read_first(reader)?,
                "end_line" => lines.read_last(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        },
    )?;
    faults.require(category.is_some(), "a finding has no category");
    faults.require(title.is_some(), "a finding has no title");
    Ok(Finding {
        category: category.unwrap_or_default(),
        title: title.unwrap_or_default(),
        location: places.into_iter().find(|place| !place.is_empty()),
        line: lines.line(range_lines),
    })
}
