//! The signed payload, written straight in its canonical spelling: keys in RFC 8785 order, no whitespace. A certificate
//! is mostly short fixed keys, so building a JSON value first would cost more than signing. That the bytes are canonical
//! is a test over random certificates, and every reader compares them with what it received.

use super::{Certificate, PREDICATE};
use crate::judgment::source::{Mask, Version};
use crate::seal::canon::write_text;
use crate::seal::digest::Digest;
use crate::seal::statement::STATEMENT_TYPE;

impl Certificate {
    /// The in-toto statement as canonical bytes: what is signed.
    pub(super) fn spelled(&self) -> Vec<u8> {
        let mut out = Out(Vec::with_capacity(1_600 + 96 * self.cells.len()));
        out.open("{", "_type").text(STATEMENT_TYPE);
        self.write_predicate(out.key("predicate"));
        out.key("predicateType").text(PREDICATE);
        self.write_subjects(out.key("subject"));
        out.raw("}");
        out.0
    }

    fn write_subjects(&self, out: &mut Out) {
        out.raw("[").digest(self.case).raw(",\"name\":\"case.json\"}");
        for source in &self.sources {
            for version in Version::BOTH {
                out.raw(",").digest(source.version(version)).key("name");
                out.text(&format!("{}.{}", source.name, version.word())).raw("}");
            }
        }
        out.raw("]");
    }

    fn write_predicate(&self, out: &mut Out) {
        let names = self.names();
        out.raw("{\"adjudicator\":").digest(self.adjudicator).key("engine").text(&self.engine);
        out.key("version").text(&self.engine_version).raw("}");
        out.key("case").digest(self.case).key("id").text(&self.case_id).raw("}");
        out.key("cells").list((0..).zip(&self.cells), |out, (mask, label)| out.cell(Mask(mask), label, &names));
        out.key("compatibility").digest(self.compatibility).raw("}");
        out.key("counts").raw("{\"executed\":").number(self.executed);
        out.key("sources").number(self.sources.len() as u64).raw("}");
        out.key("interface").digest(self.interface).raw("}");
        out.key("minimality").list(&self.minimality, |out, proof| {
            out.raw("{\"member\":").set(proof.member, &names);
            out.key("subsets").list(&proof.subsets, |out, (mask, label)| out.cell(*mask, label, &names));
            out.raw("}");
        });
        out.key("obtained").text(&self.obtained);
        out.key("receipts").list(&self.receipts, |out, &mask| {
            out.set(mask, &names);
        });
        out.key("sources").list(&self.sources, |out, source| {
            out.open("{", "name").text(&source.name);
            out.key("new").sha256(source.new).key("old").sha256(source.old).raw("}");
        });
        out.key("status").text(&self.status);
        if let Some(time) = &self.time {
            out.key("time").text(time.as_str());
        }
        out.key("tool").raw("{\"name\":").text(&self.tool).key("version").text(&self.tool_version).raw("}}");
    }
}

/// The bytes written so far.
struct Out(Vec<u8>);

impl Out {
    fn raw(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        write_text(text, &mut self.0);
        self
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.raw(&number.to_string())
    }

    /// Opens an object with its first key.
    fn open(&mut self, bracket: &str, key: &str) -> &mut Self {
        self.raw(bracket).text(key).raw(":")
    }

    /// A further key of the object that is open.
    fn key(&mut self, key: &str) -> &mut Self {
        self.raw(",").text(key).raw(":")
    }

    /// `{"sha256":"…"}`.
    fn sha256(&mut self, digest: Digest) -> &mut Self {
        // Straight into the buffer: a certificate writes some twenty digests.
        let mut digits = [0; 64];
        if hex::encode_to_slice(digest.0, &mut digits).is_err() {
            debug_assert!(false, "32 bytes are 64 digits");
        }
        self.raw("{\"sha256\":\"").0.extend_from_slice(&digits);
        self.raw("\"}")
    }

    /// `{"digest":{"sha256":"…"}`, left open for further keys.
    fn digest(&mut self, digest: Digest) -> &mut Self {
        self.raw("{\"digest\":").sha256(digest)
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) -> &mut Self {
        self.raw("[");
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.raw(",");
            }
            write(self, item);
        }
        self.raw("]")
    }

    fn set(&mut self, mask: Mask, names: &[String]) -> &mut Self {
        self.list(mask.members().filter_map(|i| names.get(i)), |out, name| {
            out.text(name);
        })
    }

    fn cell(&mut self, mask: Mask, label: &str, names: &[String]) {
        self.raw("{\"replaced\":").set(mask, names).key("verdict").text(label).raw("}");
    }
}
