//! What an open case can be written as.

/// What an open case can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Format {
    /// The signed certificate, `<id>.cert.json`.
    #[default]
    Certificate,
    /// Certificate and everything that replay needs, `<id>.decidendi`.
    Bundle,
    /// The account for people, `<id>.md`.
    Markdown,
    /// The picture as drawn, `<id>.svg`.
    Svg,
    /// The picture in pixels, `<id>.png`.
    Png,
}

impl Format {
    /// All formats, in the order of the export sheet.
    pub const ALL: [Self; 5] = [Self::Certificate, Self::Bundle, Self::Markdown, Self::Svg, Self::Png];

    /// Its id, stable.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Bundle => "bundle",
            Self::Markdown => "markdown",
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "Certificate",
            Self::Bundle => "Bundle",
            Self::Markdown => "Account (Markdown)",
            Self::Svg => "Picture (SVG)",
            Self::Png => "Picture (PNG)",
        }
    }

    /// What it is for, in one sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Certificate => "Signed statement in a DSSE envelope; others check it with tools they already own.",
            Self::Bundle => "Certificate with the case and every source version: replay needs nothing else.",
            Self::Markdown => "Cube, receipts and account in words, with the digests they rest on.",
            Self::Svg => "The cube or lattice as it stands on the screen, with legend and digests.",
            Self::Png => "The same picture in pixels.",
        }
    }

    /// The ending of the file's name.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Certificate => "cert.json",
            Self::Bundle => "decidendi",
            Self::Markdown => "md",
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }
}
