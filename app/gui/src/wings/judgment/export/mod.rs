//! What a case is written as: the account in Markdown, the picture as SVG and PNG. All from the values on the screen; the
//! bytes depend on nothing else, so writing twice gives the same file.

mod sheet;

use super::state::{Format, OpenCase};
use crate::desk::state::State;
use crate::theme::Palette;
use decidendi_core::report;

pub use sheet::sheet;

/// The Markdown account of what is on the screen.
///
/// # Errors
/// While the sandbox is open: its account would read like that of the evidence.
pub fn markdown(open: &OpenCase) -> Result<String, String> {
    if open.sandbox.is_some() {
        return Err(
            "The sandbox is open: its values are edited. Close it, then copy or export the account of the loaded case."
                .to_owned(),
        );
    }
    let certificate =
        open.certificate.held().filter(|_| !open.swapped).and_then(|held| held.verification.claimed.as_ref());
    Ok(report::markdown(&open.case, &open.judgment, certificate))
}

/// The bytes of one format; `None` for those that the certificate job writes itself.
#[must_use]
pub fn render(format: Format, state: &State) -> Option<Result<Vec<u8>, String>> {
    let open = state.open.as_ref()?;
    match format {
        Format::Certificate | Format::Bundle => None,
        Format::Markdown => Some(markdown(open).map(String::into_bytes)),
        Format::Svg => Some(picture(open, &state.theme.color).map(String::into_bytes)),
        Format::Png => {
            Some(picture(open, &state.theme.color).and_then(|svg| crate::shared::picture::png::png(&svg, 2.0)))
        }
    }
}

/// The picture of the open case as SVG, in the colours of a theme.
///
/// # Errors
/// Beyond six sources there is no picture.
pub fn picture(open: &OpenCase, palette: &Palette) -> Result<String, String> {
    let drawing = sheet(open).ok_or_else(|| {
        format!("A case of {} sources has no picture; export the account, which lists its receipts.", open.case.k())
    })?;
    Ok(crate::shared::picture::svg(&drawing, palette, open.case.title()))
}
