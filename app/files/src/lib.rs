//! What lies on the disk, for the command line and the window alike: reading cases, casebooks, studies and bundles,
//! writing certificates, keeping an acquisition, finding what a certificate is checked against. [`io`] alone opens files.

pub mod acquisition;
pub mod bundle;
pub mod casebook;
pub mod check;
pub mod evidence;
pub mod io;
pub mod keys;
pub mod load;
pub mod look;
pub mod names;
mod ours;
pub mod parallel;
pub mod recognize;
pub mod seal;
pub mod study;
