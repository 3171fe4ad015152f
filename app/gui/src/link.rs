//! A line of text that leads back to a case and a hybrid: pasted into the palette or given to `decidendi open`.

use std::fmt;

use decidendi_core::judgment::source::Mask;

use crate::state::CaseTab;

const SCHEME: &str = "decidendi:";

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The casebook's path, or `shipped`.
    pub place: String,
    /// The case's id.
    pub case: String,
    /// Cube, lattice or table.
    pub tab: CaseTab,
    /// The hybrid.
    pub cell: Mask,
}

impl Link {
    /// Reads a link.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.trim().strip_prefix(SCHEME)?;
        let (place, rest) = rest.rsplit_once('#')?;
        let mut parts = rest.rsplitn(3, '/');
        let cell = Mask(parts.next()?.parse().ok()?);
        let tab = match parts.next()? {
            "cube" => CaseTab::Cube,
            "lattice" => CaseTab::Lattice,
            "table" => CaseTab::Table,
            _ => return None,
        };
        Some(Self { place: place.to_owned(), case: parts.next()?.to_owned(), tab, cell })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tab = match self.tab {
            CaseTab::Cube => "cube",
            CaseTab::Lattice => "lattice",
            CaseTab::Table => "table",
        };
        write!(f, "{SCHEME}{}#{}/{tab}/{}", self.place, self.case, self.cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_back() {
        let link = Link { place: "/a b/c#d".into(), case: "x/y-1".into(), tab: CaseTab::Lattice, cell: Mask(5) };
        assert_eq!(Link::parse(&link.to_string()), Some(link));
        assert_eq!(Link::parse("decidendi:x"), None);
    }
}
