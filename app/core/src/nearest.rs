//! The word that was most likely meant, for messages about one that nothing knows.

/// Most letters of a word that are compared.
const LETTERS: usize = 64;

/// The candidate closest to `text`, if one is close: at most a third of the letters differ. The first of equals.
#[must_use]
pub fn nearest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let letters = text.chars().take(LETTERS).count();
    let bound = letters / 3;
    let close = candidates.into_iter().filter(|c| c.chars().take(LETTERS + 1).count().abs_diff(letters) <= bound);
    let scored = close.map(|c| (distance(c, text), c)).filter(|(d, _)| (1..=bound).contains(d));
    scored.min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// `; is `word` meant?`, or nothing where no candidate is close.
#[must_use]
pub fn meant<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    nearest(text, candidates).map_or_else(String::new, |word| format!("; is `{word}` meant?"))
}

/// Edit distance with neighbouring letters exchanged counted once, for short names.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(LETTERS).collect(), b.chars().take(LETTERS).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut cost = (above[j] + usize::from(a[i] != b[j])).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("window_days", "window_day"), 1);
        assert_eq!(distance("tenure", "tenuer"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn only_a_close_word_is_proposed() {
        let keys = ["adjudicator", "default", "waived", "id"];
        assert_eq!(nearest("adjudikator", keys), Some("adjudicator"));
        assert_eq!(nearest("defualt", keys), Some("default"));
        assert_eq!(nearest("waved", keys), Some("waived"));
        for far in ["", "di", "table", "default", "ad", &"x".repeat(5000)] {
            assert_eq!(nearest(far, keys), None, "{far}");
        }
        assert_eq!(meant("defualt", keys), "; is `default` meant?");
        assert_eq!(meant("table", keys), "");
    }
}
