//! What a case is written as: certificate, bundle, the account in Markdown, the picture as SVG and PNG. All from the values
//! on the screen; the bytes depend on nothing else, so writing twice gives the same file.

mod sheet;

use decidendi_core::report;
use decidendi_files::bundle::Bundle;

use super::state::{Format, Held, OpenCase};
use crate::desk::page::Written;
use crate::shared::picture::png::png;
use crate::shared::picture::svg;
use crate::theme::Palette;

pub use sheet::sheet;

/// The Markdown account of what is on the screen.
///
/// # Errors
/// While the sandbox is open: its account would read like that of the evidence.
pub fn markdown(open: &OpenCase, held: Option<&Held>) -> Result<String, String> {
    if open.sandbox.is_some() {
        return Err(
            "The sandbox is open: its values are edited. Close it, then copy or export the account of the loaded case."
                .to_owned(),
        );
    }
    let certificate = held.filter(|_| !open.swapped).and_then(|held| held.claim.claimed.as_ref());
    Ok(report::markdown(&open.case, &open.judgment, certificate))
}

/// The bytes of one format.
///
/// # Errors
/// Why there are none.
pub fn render(format: Format, open: &OpenCase, held: Option<&Held>, palette: &Palette) -> Result<Written, String> {
    let sealed = || held.ok_or_else(|| "Certify the case first.".to_owned());
    let plain = |bytes: Vec<u8>| Written { bytes, certificate: None };
    match format {
        Format::Certificate => {
            sealed().map(|held| Written { bytes: held.bytes.to_vec(), certificate: Some(held.digest.clone()) })
        }
        Format::Bundle => {
            let held = sealed()?;
            let bytes = Bundle::new(&open.case, held.bytes.to_vec()).to_zip().map_err(|e| e.to_string())?;
            Ok(Written { bytes, certificate: Some(held.digest.clone()) })
        }
        Format::Markdown => markdown(open, held).map(String::into_bytes).map(plain),
        Format::Svg => picture(open, held, palette).map(String::into_bytes).map(plain),
        Format::Png => picture(open, held, palette).and_then(|svg| png(&svg, 2.0)).map(plain),
    }
}

/// The picture of the open case as SVG, in the colours of a theme.
///
/// # Errors
/// Beyond six sources there is no picture.
pub fn picture(open: &OpenCase, held: Option<&Held>, palette: &Palette) -> Result<String, String> {
    let drawing = sheet(open, held).ok_or_else(|| {
        format!("A case of {} sources has no picture; export the account, which lists its receipts.", open.case.k())
    })?;
    Ok(svg(&drawing, palette, open.case.title()))
}
