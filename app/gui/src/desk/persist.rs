//! Settings on disk: one small TOML file in the user's configuration folder, written atomically.

use std::path::{Path, PathBuf};

use decidendi_files::io;

use super::settings::Settings;

/// Largest settings file that is read.
const BOUND: usize = 1 << 20;

/// Where settings and keys are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    folder: Option<PathBuf>,
}

impl Store {
    /// The user's folder: `$DECIDENDI_CONFIG`, else as the system says. Nowhere where it says nothing.
    #[must_use]
    pub fn of_user() -> Self {
        let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let folder = var("DECIDENDI_CONFIG").or_else(|| {
            if cfg!(windows) {
                var("APPDATA").map(|f| f.join("Decidendi"))
            } else if cfg!(target_os = "macos") {
                var("HOME").map(|f| f.join("Library/Application Support/Decidendi"))
            } else {
                var("XDG_CONFIG_HOME").or_else(|| var("HOME").map(|f| f.join(".config"))).map(|f| f.join("decidendi"))
            }
        });
        Self { folder }
    }

    /// A given folder.
    #[must_use]
    pub const fn at(folder: PathBuf) -> Self {
        Self { folder: Some(folder) }
    }

    /// The folder, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The settings file.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|f| f.join("settings.toml"))
    }

    /// Where signing keys are made.
    #[must_use]
    pub fn keys(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|f| f.join("keys"))
    }

    /// Reads the settings. A missing file gives the first settings; an unreadable one too, with the reason.
    #[must_use]
    pub fn load(&self) -> (Settings, Option<String>) {
        match self.file().map_or(Ok(None), |file| read(&file)) {
            Ok(settings) => (settings.unwrap_or_default(), None),
            Err(why) => {
                let what = format!(
                    "{why}. The window starts with its first settings: saved views, key and trusted keys are not read. The \
                     file is never written over; it is moved aside when settings are saved."
                );
                (Settings::default(), Some(what))
            }
        }
    }

    /// Writes the settings. A file there that cannot be read is moved aside, and its new name returned.
    ///
    /// # Errors
    /// In words: what, why.
    pub fn save(&self, settings: &Settings) -> Result<Option<PathBuf>, String> {
        let (Some(folder), Some(file)) = (self.folder(), self.file()) else {
            return Err("No configuration folder is known on this system; set DECIDENDI_CONFIG to one.".to_owned());
        };
        let text = toml::to_string_pretty(settings).map_err(|e| format!("The settings cannot be written down: {e}"))?;
        io::make_folder(folder).map_err(|e| e.to_string())?;
        let aside = match read(&file) {
            Ok(_) => None,
            Err(_) => Some(io::set_aside(&file).map_err(|e| e.to_string())?),
        };
        io::write_atomic(&file, text.as_bytes()).map_err(|e| e.to_string())?;
        Ok(aside)
    }
}

/// The settings of a file; nothing where there is none. The reason says where.
fn read(file: &Path) -> Result<Option<Settings>, String> {
    let text = match io::read_text(file, BOUND) {
        Ok(text) => text,
        Err(io::IoError::Missing(_)) => return Ok(None),
        Err(why) => return Err(why.to_string()),
    };
    toml::from_str::<Settings>(&text).map(|settings| Some(clamp(settings))).map_err(|why| {
        let before = why.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{}:{column}: {}", file.display(), before.matches('\n').count() + 1, why.message())
    })
}

/// Values that a hand-edited file may hold and a window cannot bear.
fn clamp(mut settings: Settings) -> Settings {
    let fit = |v: f32, low: f32, high: f32, first: f32| if v.is_finite() { v.clamp(low, high) } else { first };
    settings.zoom = fit(settings.zoom, 0.8, 2.0, 1.0);
    settings.rail = fit(settings.rail, 120.0, 320.0, 176.0);
    settings.window.width = fit(settings.window.width, 480.0, 16_000.0, 1440.0);
    settings.window.height = fit(settings.window.height, 360.0, 16_000.0, 900.0);
    settings.recents.truncate(Settings::RECENTS);
    settings.plans.truncate(Settings::PLANS);
    settings
}
