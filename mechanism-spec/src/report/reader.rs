//! A pull reader of one JSON document that trusts nothing: one pass over the bytes, no tree, recursion bounded by the
//! level limit, every rule of well-formedness checked on what is skipped as much as on what is used.

use super::line::Scalar;
use std::borrow::Cow;

/// Why the bytes are not one well-formed JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed {
    /// What is wrong.
    pub(super) what: &'static str,
    /// Byte offset, counted after a byte order mark.
    pub(super) at: usize,
}

/// The kind of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    Text,
    Number,
    Bool,
    Null,
}

pub(super) type Step<T = ()> = Result<T, Malformed>;

/// Position in a document.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    level: u32,
    levels: u32,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(text: &'a str, levels: u32) -> Self {
        Reader {
            text,
            at: 0,
            level: 0,
            levels,
        }
    }

    /// The kind of the value that comes next, white space skipped.
    pub(super) fn peek(&mut self) -> Step<Kind> {
        self.space();
        match self.byte() {
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'"') => Ok(Kind::Text),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'n') => Ok(Kind::Null),
            Some(_) => self.fail("not a JSON value"),
            None => self.fail("the document ends where a value should stand"),
        }
    }

    /// Reads an object; `member` must read exactly one value for each key it is given.
    pub(super) fn object(&mut self, mut member: impl FnMut(&mut Self, &str) -> Step) -> Step {
        self.enter(b'{')?;
        let mut keys = Vec::new();
        self.space();
        if self.byte() == Some(b'}') {
            return self.leave();
        }
        loop {
            self.space();
            let key = self.text()?;
            self.space();
            self.expect(b':', "a colon should stand after the key")?;
            member(self, &key)?;
            keys.push(key);
            self.space();
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return self.fail("a comma or brace should stand after the member"),
            }
        }
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair.first() == pair.last()) {
            return self.fail("duplicate key in the object that ends here");
        }
        self.leave()
    }

    /// Reads an array; `item` must read exactly one value each time.
    pub(super) fn array(&mut self, mut item: impl FnMut(&mut Self) -> Step) -> Step {
        self.enter(b'[')?;
        self.space();
        if self.byte() == Some(b']') {
            return self.leave();
        }
        loop {
            item(self)?;
            self.space();
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b']') => return self.leave(),
                _ => return self.fail("a comma or bracket should stand after the item"),
            }
        }
    }

    /// Reads a string, unescaped. Borrowed when nothing was escaped.
    pub(super) fn text(&mut self) -> Step<Cow<'a, str>> {
        self.expect(b'"', "a string should stand here")?;
        let mut out = Cow::Borrowed("");
        loop {
            let from = self.at;
            while self
                .byte()
                .is_some_and(|b| b >= 0x20 && b != b'"' && b != b'\\')
            {
                self.at += 1;
            }
            let run = self.text.get(from..self.at).unwrap_or_default();
            if out.is_empty() {
                out = Cow::Borrowed(run);
            } else {
                out.to_mut().push_str(run);
            }
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    let escaped = self.escape()?;
                    out.to_mut().push(escaped);
                }
                Some(_) => return self.fail("control character in a string"),
                None => return self.fail("the string does not end"),
            }
        }
    }

    /// Reads a number by the JSON grammar; one that no double can hold is malformed.
    pub(super) fn number(&mut self) -> Step<Scalar<'static>> {
        let from = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.fail("not a number"),
        }
        let mut whole = true;
        if self.byte() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        let literal = self.text.get(from..self.at).unwrap_or_default();
        if whole && let Ok(integer) = literal.parse() {
            return Ok(Scalar::Integer(integer));
        }
        match literal.parse::<f64>() {
            Ok(float) if float.is_finite() => Ok(Scalar::Float(float)),
            _ => self.fail("a number beyond the range of doubles"),
        }
    }

    /// Reads and forgets one value of any kind.
    pub(super) fn skip(&mut self) -> Step {
        match self.peek()? {
            Kind::Object => self.object(|reader, _| reader.skip()),
            Kind::Array => self.array(Self::skip),
            Kind::Text => self.text().map(drop),
            Kind::Number => self.number().map(drop),
            Kind::Bool if self.byte() == Some(b't') => self.word("true"),
            Kind::Bool => self.word("false"),
            Kind::Null => self.word("null"),
        }
    }

    /// Nothing but white space may follow.
    pub(super) fn end(&mut self) -> Step {
        self.space();
        if self.at == self.text.len() {
            Ok(())
        } else {
            self.fail("data after the document")
        }
    }

    pub(super) const fn fail<T>(&self, what: &'static str) -> Step<T> {
        Err(Malformed { what, at: self.at })
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn digits(&mut self) {
        while self.byte().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Step {
        let from = self.at;
        self.digits();
        if self.at == from {
            return self.fail("a digit should stand here");
        }
        Ok(())
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Step {
        if self.byte() != Some(byte) {
            return self.fail(what);
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &'static str) -> Step {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return self.fail("not a JSON value");
        }
        self.at += word.len();
        Ok(())
    }

    fn enter(&mut self, open: u8) -> Step {
        self.expect(open, "an object or array should stand here")?;
        self.level += 1;
        if self.level > self.levels {
            return self.fail("nested too deeply");
        }
        Ok(())
    }

    fn leave(&mut self) -> Step {
        self.level -= 1;
        self.at += 1;
        Ok(())
    }

    fn escape(&mut self) -> Step<char> {
        self.at += 1;
        let Some(byte) = self.byte() else {
            return self.fail("the string does not end");
        };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return self.fail("unknown escape in a string"),
        })
    }

    fn unicode(&mut self) -> Step<char> {
        let first = self.hex4()?;
        let code = match first {
            0xD800..=0xDBFF => {
                let pair = self.text.as_bytes().get(self.at..self.at + 2);
                if pair != Some(b"\\u") {
                    return self.fail("lone surrogate");
                }
                self.at += 2;
                let second = self.hex4()?;
                if !(0xDC00..=0xDFFF).contains(&second) {
                    return self.fail("lone surrogate");
                }
                0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)
            }
            code => code,
        };
        char::from_u32(code).map_or_else(|| self.fail("lone surrogate"), Ok)
    }

    fn hex4(&mut self) -> Step<u32> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        // `from_str_radix` alone would also take a sign.
        if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return self.fail("four hex digits should stand here");
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).or_else(|_| self.fail("four hex digits should stand here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str) -> Step {
        let mut reader = Reader::new(text, 64);
        reader.skip()?;
        reader.end()
    }

    fn what(text: &str) -> &'static str {
        check(text).unwrap_err().what
    }

    #[test]
    fn well_formed_documents_pass() {
        for text in [
            "null",
            " [true,false , null] ",
            r#"{"a":{"b":[]},"":{}}"#,
            "-0",
            "1.5e-7",
            "1e-999",
            r#""\u00e9\ud83d\ude00\/\"""#,
            "\"\u{2028}\u{7f}\"",
            "179769313486231570000000000000000000000",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn each_defect_is_named() {
        assert_eq!(
            what(r#"{"a":1,"\u0061":2}"#),
            "duplicate key in the object that ends here"
        );
        assert_eq!(
            what(r#"[{"x":{"k":1,"j":2,"k":3}}]"#),
            "duplicate key in the object that ends here"
        );
        for lone in [
            r#""\ud800""#,
            r#""\ud800\u0041""#,
            r#""\udc00""#,
            r#""\ud800x""#,
        ] {
            assert_eq!(what(lone), "lone surrogate", "{lone}");
        }
        for beyond in ["1e999", "-1e999", &"9".repeat(400)] {
            assert_eq!(what(beyond), "a number beyond the range of doubles");
        }
        for word in ["NaN", "Infinity", "nul", "True", "+1", ".5", "'a'", "// x"] {
            assert!(check(word).is_err(), "{word}");
        }
        assert!(check("-Infinity").is_err());
        for number in ["01", "1.", "1e", "1e+", "-", "0x1", "1_0"] {
            assert!(check(number).is_err(), "{number}");
        }
        for text in [
            "",
            "  ",
            "{",
            "[",
            "[1",
            "[1,]",
            "{\"a\":1,}",
            "{\"a\"}",
            "{a:1}",
            "\"",
            "\"\\",
            "\"\\u12",
            "\"\\u+123\"",
            "\"\\x\"",
            "\"\n\"",
        ] {
            assert!(check(text).is_err(), "{text}");
        }
        assert_eq!(what("{} {}"), "data after the document");
        assert_eq!(what("{}\u{a0}"), "data after the document");
    }

    #[test]
    fn sixty_four_levels_pass_and_one_more_does_not() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(check(&nested(64)), Ok(()));
        assert_eq!(what(&nested(65)), "nested too deeply");
        assert_eq!(what(&"[".repeat(8 << 20)), "nested too deeply");
    }

    proptest! {
        #[test]
        fn agrees_with_a_second_reader_on_mangled_documents(text in r#"[\[\]{}:,"\\ \n0-9eE.u+tfnab-]{0,24}"#) {
            // serde_json keeps the last of equal keys, so documents that only fail for that are left to the tests above.
            let ours = check(&text);
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            let duplicate = ours.is_err_and(|e| e.what.starts_with("duplicate"));
            prop_assert!(duplicate || ours.is_ok() == theirs.is_ok(), "{:?}: {:?} {:?}", text, ours, theirs);
        }

        #[test]
        fn strings_come_out_as_they_went_in(text in any::<String>()) {
            let encoded = serde_json::to_string(&text).unwrap();
            let mut reader = Reader::new(&encoded, 64);
            prop_assert_eq!(reader.text().unwrap(), text);
        }
    }
}
