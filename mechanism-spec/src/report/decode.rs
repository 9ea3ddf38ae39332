//! Reading values whose type the schema names: a wrong type is noted and skipped, never an early end, because a defect of
//! form later in the document outranks it (`mechanism.md §4`, order of item 3).

use super::line::{Line, Scalar};
use super::reader::{Kind, Reader, Step};

/// The first thing that the track's schema refuses.
#[derive(Debug, Default)]
pub(super) struct Faults(Option<&'static str>);

impl Faults {
    pub(super) const fn note(&mut self, what: &'static str) {
        if self.0.is_none() {
            self.0 = Some(what);
        }
    }

    /// Notes `what` unless the member was there.
    pub(super) const fn require(&mut self, seen: bool, what: &'static str) {
        if !seen {
            self.note(what);
        }
    }

    pub(super) const fn first(&self) -> Option<&'static str> {
        self.0
    }

    /// Nothing noted so far. After a fault nothing is collected any more: the report is lost anyway.
    pub(super) const fn none(&self) -> bool {
        self.0.is_none()
    }
}

/// A string; anything else is noted and empty.
pub(super) fn text(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    what: &'static str,
) -> Step<String> {
    if reader.peek()? == Kind::Text {
        return reader.text().map(std::borrow::Cow::into_owned);
    }
    faults.note(what);
    reader.skip()?;
    Ok(String::new())
}

/// A value of one of these kinds, contents unread; anything else is noted.
pub(super) fn kinds(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    kinds: &[Kind],
    what: &'static str,
) -> Step {
    if !kinds.contains(&reader.peek()?) {
        faults.note(what);
    }
    reader.skip()
}

/// An object, member by member; anything else is noted. Says whether it was an object.
pub(super) fn object(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    what: &'static str,
    mut member: impl FnMut(&mut Reader<'_>, &mut Faults, &str) -> Step,
) -> Step {
    if reader.peek()? == Kind::Object {
        return reader.object(|reader, key| member(reader, faults, key));
    }
    faults.note(what);
    reader.skip()
}

/// An array, item by item; anything else is noted.
pub(super) fn array(
    reader: &mut Reader<'_>,
    faults: &mut Faults,
    what: &'static str,
    mut item: impl FnMut(&mut Reader<'_>, &mut Faults) -> Step,
) -> Step {
    if reader.peek()? == Kind::Array {
        return reader.array(|reader| item(reader, faults));
    }
    faults.note(what);
    reader.skip()
}

/// The two line members of a finding, which accept any JSON value.
#[derive(Debug, Default)]
pub(super) struct Lines {
    first: Option<i64>,
    last: Option<i64>,
}

impl Lines {
    pub(super) fn read_first(&mut self, reader: &mut Reader<'_>) -> Step {
        self.first = scalar(reader, |value| value.line_number())?;
        Ok(())
    }

    pub(super) fn read_last(&mut self, reader: &mut Reader<'_>) -> Step {
        self.last = scalar(reader, |value| value.line_number())?;
        Ok(())
    }

    pub(super) fn line(&self, range_lines: u64) -> Line {
        Line::new(self.first, self.last, range_lines)
    }
}

/// A CWE number from any JSON value: of a list the first entry.
pub(super) fn cwe(reader: &mut Reader<'_>) -> Step<Option<u64>> {
    if reader.peek()? != Kind::Array {
        return scalar(reader, |value| value.cwe_number());
    }
    let mut number = None;
    let mut first = true;
    reader.array(|reader| {
        if std::mem::take(&mut first) {
            number = scalar(reader, |value| value.cwe_number())?;
            Ok(())
        } else {
            reader.skip()
        }
    })?;
    Ok(number)
}

/// Reads any value and gives `read` its text or number.
pub(super) fn scalar<T>(
    reader: &mut Reader<'_>,
    read: impl FnOnce(Scalar<'_>) -> Option<T>,
) -> Step<Option<T>> {
    match reader.peek()? {
        Kind::Text => Ok(read(Scalar::Text(&reader.text()?))),
        Kind::Number => Ok(read(reader.number()?)),
        _ => reader.skip().map(|()| None),
    }
}
