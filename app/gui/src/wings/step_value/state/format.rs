//! What an open study can be written as.

/// What an open study can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum StepFormat {
    /// The signed certificate, `<id>.asv.cert.json`.
    Certificate,
    /// The report for people, `<id>.md`.
    #[default]
    Markdown,
    /// Every transition with its gains, `<id>.csv`.
    Csv,
    /// The face of the selected transition, as a drawing.
    FaceSvg,
    /// The same in pixels.
    FacePng,
    /// The scatter of the contrast, as a drawing.
    ScatterSvg,
    /// The same in pixels.
    ScatterPng,
}

impl StepFormat {
    /// All formats, in the order of the export sheet.
    pub const ALL: [Self; 7] = [
        Self::Certificate,
        Self::Markdown,
        Self::Csv,
        Self::FaceSvg,
        Self::FacePng,
        Self::ScatterSvg,
        Self::ScatterPng,
    ];

    /// Its id, stable.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::FaceSvg => "face-svg",
            Self::FacePng => "face-png",
            Self::ScatterSvg => "scatter-svg",
            Self::ScatterPng => "scatter-png",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "Certificate",
            Self::Markdown => "Report (Markdown)",
            Self::Csv => "Transitions (CSV)",
            Self::FaceSvg => "Face (SVG)",
            Self::FacePng => "Face (PNG)",
            Self::ScatterSvg => "Scatter (SVG)",
            Self::ScatterPng => "Scatter (PNG)",
        }
    }

    /// What it is for, in one sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Certificate => {
                "Signed statement of certified signs; others replay it from the scores with one command."
            }
            Self::Markdown => "Every mean with its interval and what follows, with the digests of study and scores.",
            Self::Csv => "One row a transition and contrast; missing figures are empty, never zero.",
            Self::FaceSvg => "The four corners, both gains and Ω of the selected transition.",
            Self::FacePng | Self::ScatterPng => "The same picture in pixels.",
            Self::ScatterSvg => "Every complete transition by its two gains, with counts, legend and digests.",
        }
    }

    /// The ending of the file's name, after the id and a dot.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Certificate => "asv.cert.json",
            Self::Markdown => "md",
            Self::Csv => "csv",
            Self::FaceSvg => "face.svg",
            Self::FacePng => "face.png",
            Self::ScatterSvg => "scatter.svg",
            Self::ScatterPng => "scatter.png",
        }
    }
}
