//! How fields become the bytes of a hash (SPEC.md X-1; `mechanism.md`, *Bytes*).

use crate::ids::Hash32;

/// A sequence of fields: text as its length in bytes (u32 little endian) and then UTF-8, hashes raw, integers little endian.
#[derive(Debug, Clone, Default)]
pub struct Fields(Vec<u8>);

impl Fields {
    /// No field yet.
    #[must_use]
    pub const fn new() -> Self {
        Fields(Vec::new())
    }

    /// Adds a string; labels of a derivation are strings too.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.push_text(text);
        self
    }

    /// Adds 32 raw bytes.
    #[must_use]
    pub fn hash32(mut self, hash: &Hash32) -> Self {
        self.0.extend_from_slice(hash.as_bytes());
        self
    }

    /// Adds an integer of 32 bits, little endian.
    #[must_use]
    pub fn u32(mut self, number: u32) -> Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    /// Adds an integer of 64 bits, little endian.
    #[must_use]
    pub fn u64(mut self, number: u64) -> Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    /// Adds a double as its bits, little endian.
    #[must_use]
    pub fn f64(self, number: f64) -> Self {
        self.u64(number.to_bits())
    }

    /// Adds one byte, for tags.
    #[must_use]
    pub fn tag(mut self, tag: u8) -> Self {
        self.0.push(tag);
        self
    }

    /// The bytes so far.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// BLAKE3 of the fields.
    #[must_use]
    pub fn hash(&self) -> Hash32 {
        blake3::hash(&self.0).into()
    }

    /// BLAKE3 of the fields, keyed.
    #[must_use]
    pub fn keyed_hash(&self, key: &Hash32) -> Hash32 {
        blake3::keyed_hash(key.as_bytes(), &self.0).into()
    }

    fn push_text(&mut self, text: &str) {
        // No text of the mechanism comes near 4 GiB: the largest is a report of 8 MiB.
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.0.extend_from_slice(&length.to_le_bytes());
        self.0.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_laid_out_as_documented() {
        let fields = Fields::new()
            .text("ab")
            .hash32(&Hash32([7; 32]))
            .u32(258)
            .u64(1)
            .f64(1.0)
            .tag(9);
        let mut expected = vec![2, 0, 0, 0, b'a', b'b'];
        expected.extend([7; 32]);
        expected.extend([2, 1, 0, 0]);
        expected.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        expected.extend([0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
        expected.push(9);
        assert_eq!(fields.as_slice(), expected);
    }

    #[test]
    fn joined_texts_cannot_be_confused() {
        let split = |a: &str, b: &str| Fields::new().text(a).text(b).hash();
        assert_ne!(split("ab", "c"), split("a", "bc"));
    }
}
