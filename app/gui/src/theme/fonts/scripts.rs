//! Faces of further scripts, packed in the program and unpacked when a text first needs them: the same on every machine,
//! and of no cost where only Latin, Greek and Cyrillic are read.

use std::io::Read as _;
use std::sync::OnceLock;

use egui::epaint::text::{FallbackRequest, FontInsert, FontProvider};
use egui::{FontData, FontFamily};
use flate2::read::GzDecoder;
use unicode_bidi::{BidiClass, bidi_class};

/// A packed face and the blocks that it is asked for.
struct Face {
    name: &'static str,
    packed: &'static [u8],
    blocks: &'static [(u32, u32)],
    unpacked: OnceLock<Option<FontData>>,
}

macro_rules! faces {
    ($($name:literal: $($blocks:expr),+;)+) => {
        [$(Face {
            name: $name,
            packed: include_bytes!(concat!("../../../../../assets/fonts/scripts/", $name, ".ttf.gz")),
            blocks: &[$($blocks),+],
            unpacked: OnceLock::new(),
        }),+]
    };
}

static FACES: [Face; 19] = faces! {
    "NotoSansArmenian": (0x530, 0x58f), (0xfb13, 0xfb17);
    "NotoSansHebrew": (0x590, 0x5ff), (0xfb1d, 0xfb4f);
    "NotoSansArabic": (0x600, 0x6ff), (0x750, 0x77f), (0x8a0, 0x8ff), (0xfb50, 0xfdff), (0xfe70, 0xfeff);
    "NotoSansDevanagari": (0x900, 0x97f), (0x1cd0, 0x1cff), (0xa8e0, 0xa8ff);
    "NotoSansBengali": (0x980, 0x9ff);
    "NotoSansGurmukhi": (0xa00, 0xa7f);
    "NotoSansGujarati": (0xa80, 0xaff);
    "NotoSansTamil": (0xb80, 0xbff);
    "NotoSansTelugu": (0xc00, 0xc7f);
    "NotoSansKannada": (0xc80, 0xcff);
    "NotoSansMalayalam": (0xd00, 0xd7f);
    "NotoSansSinhala": (0xd80, 0xdff);
    "NotoSansThai": (0xe00, 0xe7f);
    "NotoSansLao": (0xe80, 0xeff);
    "NotoSansMyanmar": (0x1000, 0x109f), (0xa9e0, 0xa9ff), (0xaa60, 0xaa7f);
    "NotoSansGeorgian": (0x10a0, 0x10ff), (0x1c90, 0x1cbf), (0x2d00, 0x2d2f);
    "NotoSansEthiopic": (0x1200, 0x139f), (0x2d80, 0x2ddf), (0xab00, 0xab2f);
    "NotoSansKhmer": (0x1780, 0x17ff), (0x19e0, 0x19ff);
    // Chinese, Japanese, Korean.
    "DroidSansFallback": (0x1100, 0x11ff), (0x2e80, 0x9fff), (0xac00, 0xd7a3), (0xf900, 0xfaff), (0xfe30, 0xfe4f),
        (0xff00, 0xffef);
};

impl Face {
    fn of(c: char) -> Option<&'static Self> {
        FACES.iter().find(|face| face.blocks.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c))))
    }

    /// The face; nothing if the program's own bytes are damaged, which a test keeps from shipping.
    fn data(&self) -> Option<FontData> {
        let unpack = || {
            let mut bytes = Vec::new();
            GzDecoder::new(self.packed).read_to_end(&mut bytes).ok()?;
            Some(FontData::from_owned(bytes))
        };
        self.unpacked.get_or_init(unpack).clone()
    }
}

/// Hands the toolkit a packed face once it meets a character that no other face has.
pub(super) struct Scripts;

impl FontProvider for Scripts {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let face = Face::of(request.cluster.chars().next()?)?;
        Some(FontInsert::new(face.name, face.data()?, Vec::new()))
    }

    fn fonts_for_family(&self, _family: &FontFamily) -> Vec<FontInsert> {
        Vec::new()
    }
}

/// The packed faces that a text needs.
pub(super) fn needed(text: &str) -> Vec<FontData> {
    let mut names: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for face in text.chars().filter(|c| !c.is_ascii()).filter_map(Face::of) {
        if !names.contains(&face.name) {
            names.push(face.name);
            found.extend(face.data());
        }
    }
    found
}

/// A text in runs of one packed face each, with the face's family; nothing stands for the faces that are always there.
pub(super) fn runs(text: &str) -> Vec<(Option<String>, &str)> {
    let mut runs = Vec::new();
    let (mut start, mut face) = (0, None);
    for (at, c) in text.char_indices() {
        // Marks and joiners stay with what they stand on.
        let of = Face::of(c).map(|face| face.name).or(face.filter(|_| bidi_class(c) == BidiClass::NSM));
        if of != face {
            runs.push((face.map(family), &text[start..at]));
            (start, face) = (at, of);
        }
    }
    runs.push((face.map(family), &text[start..]));
    runs.retain(|(_, run)| !run.is_empty());
    runs
}

/// `Noto Sans Thai` of `NotoSansThai`: how a face calls itself.
fn family(name: &str) -> String {
    let mut family = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !family.is_empty() {
            family.push(' ');
        }
        family.push(c);
    }
    family
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_apart_by_its_faces() {
        let thai = Some("Noto Sans Thai".to_owned());
        assert_eq!(runs("a วัน b"), [(None, "a "), (thai, "วัน"), (None, " b")]);
        assert_eq!(runs("plain"), [(None, "plain")]);
        assert_eq!(runs(""), []);
    }

    #[test]
    fn every_packed_face_unpacks() {
        for face in &FACES {
            let data = face.data().unwrap_or_else(|| panic!("{}", face.name));
            assert!(data.bytes().len() > 10_000, "{}", face.name);
        }
        assert_eq!(needed("plain, ∅ and Ω"), Vec::new());
        assert_eq!(needed("批准 拒绝 موافقة").len(), 2);
    }
}
