//! Ids in a link: what would end a part, and what a line loses when it is copied, stands as `%` and two hex digits a byte.

/// An id as a part of a link.
pub(super) fn escaped(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    for c in id.chars() {
        if matches!(c, '%' | '/' | '#') || c.is_whitespace() || c.is_control() {
            let mut bytes = [0; 4];
            out.extend(c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// The id of a part; `None` where it is not one.
pub(super) fn unescaped(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut pieces = part.split('%');
    bytes.extend(pieces.next()?.bytes());
    for piece in pieces {
        let (hex, rest) = piece.split_at_checked(2)?;
        if !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(hex, 16).ok()?);
        bytes.extend(rest.bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_comes_back_and_odd_parts_are_refused() {
        for id in ["", "t017-04", "a/b", "100%", "#", "− Ω", "a b\tc\u{a0}d"] {
            let part = escaped(id);
            assert!(!part.contains(['/', '#', ' ']), "{part}");
            assert_eq!(unescaped(&part).as_deref(), Some(id));
        }
        for part in ["%", "%2", "%+1", "%zz", "%ff"] {
            assert_eq!(unescaped(part), None, "{part}");
        }
    }
}
