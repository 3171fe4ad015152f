//! Renders every view to PNG without a display, in light, dark, high contrast and at 200 %, and the states that are hard to
//! come by: empty, busy, error.
//!
//! ```text
//! cargo run -p decidendi-gui --example render -- --out docs/pictures [--only NAME]
//! ```
//!
//! Needs a Vulkan driver; on Debian `mesa-vulkan-drivers` (software) is enough.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command for developers talks on the terminal")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use decidendi_core::judgment::case::Artifacts;
use decidendi_core::judgment::walk::{self, Compiler};
use decidendi_core::seal::dsse::Envelope;
use decidendi_core::watch::Unwatched;
use decidendi_files::keys;
use decidendi_files::seal::Seal;
use decidendi_gui::desk::actions::{ABOUT, EXPORT, KEYS, SHOW_COMMAND};
use decidendi_gui::desk::command::{Action, Command};
use decidendi_gui::desk::dialog::FakePicker;
use decidendi_gui::desk::persist::Store;
use decidendi_gui::desk::state::{Overlay, PathPurpose, State};
use decidendi_gui::desk::wings::Route;
use decidendi_gui::shared::certificates::Stand;
use decidendi_gui::shared::secret::Secret;
use decidendi_gui::theme::Look;
use decidendi_gui::wings::judgment::actions::{
    CERTIFY, CUBE, GO_CASEBOOK, GO_JUDGMENTS, LATTICE, SWAP, TABLE_TAB, WHAT_IF,
};
use decidendi_gui::wings::judgment::command::CaseCommand;
use decidendi_gui::wings::judgment::state::{Column, Format};
use decidendi_gui::wings::verify::actions::GO_VERIFY;
use decidendi_gui::wings::verify::command::VerifyCommand;
use decidendi_gui::{App, Options};
use egui_kittest::Harness;

#[path = "render/acquire.rs"]
mod acquire;
#[path = "../tests/window/endpoint.rs"]
mod endpoint;
#[path = "render/steps.rs"]
mod steps;

type Fault = Box<dyn std::error::Error>;

struct Camera {
    out: PathBuf,
    only: Option<String>,
    scratch: tempfile::TempDir,
}

fn main() -> Result<(), Fault> {
    let mut args = std::env::args().skip(1);
    let (mut out, mut only) = (PathBuf::from("docs/pictures"), None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out" => out = args.next().ok_or("--out wants a folder")?.into(),
            "--only" => only = args.next(),
            other => return Err(format!("{other}: not known; use --out DIR and --only NAME").into()),
        }
    }
    std::fs::create_dir_all(&out)?;
    let camera = Camera { out, only, scratch: tempfile::tempdir()? };
    camera.acquire()?;
    if camera.only.as_ref().is_some_and(|only| only.starts_with("acquire")) {
        return Ok(());
    }
    camera.steps()?;
    if camera.only.as_ref().is_some_and(|only| only.starts_with("step")) {
        return Ok(());
    }
    for (suffix, look) in [("light", Look::Light), ("dark", Look::Dark), ("contrast", Look::HighContrast)] {
        camera.tour(suffix, look)?;
    }
    camera.zoomed()?;
    camera.states()?;
    Ok(())
}

impl Camera {
    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|o| name.contains(o.as_str()))
    }

    fn window(&self, path: Option<PathBuf>, look: Look, size: [f32; 2], scale: f32) -> Harness<'static, App> {
        let store = Store::at(self.scratch.path().join("config"));
        let mut h = Harness::builder()
            .with_size(size)
            .with_pixels_per_point(scale)
            .with_max_steps(64)
            .with_render_cursor(false)
            .build_eframe(move |cc| {
                let options = Options { path, store, picker: Arc::new(FakePicker(None)) };
                App::new(&cc.egui_ctx, options)
            });
        h.state_mut().ask(Command::SetLook(look));
        h.step();
        h
    }

    fn shot(&self, h: &mut Harness<'static, App>, name: &str) -> Result<(), Fault> {
        if !self.wants(name) {
            return Ok(());
        }
        h.run_steps(4);
        let image = h.render().map_err(|e| format!("{name}: {e}; install a Vulkan driver (mesa-vulkan-drivers)"))?;
        let file = self.out.join(format!("{name}.png"));
        // Packed harder than the window's own writer does: these pictures are committed.
        let size = resvg::tiny_skia::IntSize::from_wh(image.width(), image.height()).ok_or("an empty picture")?;
        let pixels = resvg::tiny_skia::Pixmap::from_vec(image.into_raw(), size).ok_or("an odd picture")?;
        std::fs::write(&file, pixels.encode_png()?)?;
        println!("{}", file.display());
        Ok(())
    }

    fn tour(&self, suffix: &str, look: Look) -> Result<(), Fault> {
        let mut h = self.window(None, look, [1440.0, 900.0], 1.0);
        wait(&mut h, "the story case", |s| s.wings.judgment.open.is_some());
        wait(&mut h, "all cases executed", |s| s.wings.judgment.book.judged == s.wings.judgment.book.rows.len());
        self.shot(&mut h, &format!("case_{suffix}"))?;
        act(&mut h, &LATTICE);
        self.shot(&mut h, &format!("case_lattice_{suffix}"))?;
        act(&mut h, &TABLE_TAB);
        self.shot(&mut h, &format!("case_table_{suffix}"))?;
        act(&mut h, &CUBE);
        act(&mut h, &WHAT_IF);
        wait(&mut h, "the sandbox", |s| {
            s.wings.judgment.open.as_ref().is_some_and(|o| o.sandbox.as_ref().is_some_and(|x| x.judgment.is_some()))
        });
        self.shot(&mut h, &format!("case_sandbox_{suffix}"))?;
        act(&mut h, &WHAT_IF);
        act(&mut h, &CERTIFY);
        wait(&mut h, "the certificate", |s| matches!(s.wings.judgment.certificate(), Stand::Held(_)));
        self.shot(&mut h, &format!("case_certified_{suffix}"))?;
        quiet(&mut h);
        ask(
            &mut h,
            Command::Overlay(Some(Overlay::Export {
                format: Format::Certificate.id(),
                folder: "/home/you/Documents/Decidendi".into(),
            })),
        );
        self.shot(&mut h, &format!("export_{suffix}"))?;
        let key = "/home/you/keys/auditor-2026".into();
        let why = Some("This passphrase does not open the key. Type it again.".into());
        ask(
            &mut h,
            Command::Overlay(Some(Overlay::Passphrase {
                key,
                typed: Secret::default(),
                why,
                then: CaseCommand::CloseSandbox.into(),
            })),
        );
        self.shot(&mut h, &format!("passphrase_{suffix}"))?;
        ask(&mut h, Command::Overlay(None));
        let folder = self.scratch.path().join("out");
        ask(&mut h, Command::Export(Format::Certificate.id(), folder.clone()));
        wait(&mut h, "the file", |s| s.jobs.is_empty());
        quiet(&mut h);
        ask(&mut h, Command::Overlay(Some(Overlay::Palette { text: "exp".into(), mark: 0 })));
        self.shot(&mut h, &format!("palette_{suffix}"))?;
        act(&mut h, &KEYS);
        self.shot(&mut h, &format!("keys_{suffix}"))?;
        ask(&mut h, Command::Overlay(None));
        act(&mut h, &GO_JUDGMENTS);
        self.shot(&mut h, &format!("judgments_{suffix}"))?;
        act(&mut h, &GO_CASEBOOK);
        self.shot(&mut h, &format!("casebook_{suffix}"))?;
        act(&mut h, &GO_VERIFY);
        self.shot(&mut h, &format!("verify_empty_{suffix}"))?;
        let cert = certificate_in(&folder)?;
        ask(&mut h, Command::Open(cert.clone()));
        wait(&mut h, "the checks", |s| s.wings.verify.checked.is_some() && s.wings.verify.checking.is_none());
        self.shot(&mut h, &format!("verify_verified_{suffix}"))?;
        if look == Look::Light {
            // Another machine: its owner trusts nobody yet.
            let store = Store::at(self.scratch.path().join("stranger"));
            let path = cert.clone();
            let mut other = Harness::builder()
                .with_size([1440.0, 900.0])
                .with_max_steps(64)
                .with_render_cursor(false)
                .build_eframe(move |cc| {
                    App::new(&cc.egui_ctx, Options { path: Some(path), store, picker: Arc::new(FakePicker(None)) })
                });
            wait(&mut other, "the checks", |s| s.wings.verify.checked.is_some());
            self.shot(&mut other, "verify_unknown_light")?;
        }
        let altered = folder.join("altered.cert.json");
        spoil(&cert, &altered)?;
        ask(&mut h, Command::Open(altered));
        wait(&mut h, "the checks", |s| s.wings.verify.checking.is_none());
        self.shot(&mut h, &format!("verify_altered_{suffix}"))?;
        if look == Look::Light {
            let key = h.state().state().key.as_ref().map(|k| k.path.clone()).ok_or("no signing key")?;
            let newer = folder.join("newer.cert.json");
            std::fs::write(&newer, newer_version(&cert, &key)?)?;
            ask(&mut h, Command::Open(newer));
            wait(&mut h, "the checks", |s| s.wings.verify.checking.is_none());
            self.shot(&mut h, "verify_unsupported_light")?;
            let (case, differs) = (folder.join("differs.case.json"), folder.join("differs.cert.json"));
            std::fs::write(&case, many_cases(1))?;
            std::fs::write(&differs, other_cells(&key)?)?;
            ask(&mut h, Command::Open(differs));
            ask(&mut h, Command::wing(VerifyCommand::UseCase(Some(case))));
            wait(&mut h, "the checks", |s| s.wings.verify.checking.is_none());
            self.shot(&mut h, "verify_differs_light")?;
        }
        Ok(())
    }

    fn zoomed(&self) -> Result<(), Fault> {
        // A window of 1440 x 900 pixels at 200 %.
        let mut h = self.window(None, Look::Light, [720.0, 450.0], 2.0);
        wait(&mut h, "the story case", |s| {
            s.wings.judgment.open.is_some() && s.wings.judgment.book.judged == s.wings.judgment.book.rows.len()
        });
        self.shot(&mut h, "case_200")?;
        act(&mut h, &LATTICE);
        self.shot(&mut h, "case_lattice_200")?;
        act(&mut h, &CUBE);
        act(&mut h, &WHAT_IF);
        wait(&mut h, "the sandbox", |s| {
            s.wings.judgment.open.as_ref().is_some_and(|o| o.sandbox.as_ref().is_some_and(|x| x.judgment.is_some()))
        });
        self.shot(&mut h, "case_sandbox_200")?;
        act(&mut h, &WHAT_IF);
        ask(&mut h, Command::wing(CaseCommand::Column(Column::Account)));
        self.shot(&mut h, "case_account_200")?;
        ask(&mut h, Command::wing(CaseCommand::Column(Column::Picture)));
        act(&mut h, &SWAP);
        wait(&mut h, "the inverse", |s| s.wings.judgment.open.as_ref().is_some_and(|o| o.swapped));
        act(&mut h, &EXPORT);
        self.shot(&mut h, "export_swapped_200")?;
        ask(&mut h, Command::Overlay(None));
        act(&mut h, &GO_JUDGMENTS);
        self.shot(&mut h, "judgments_200")?;
        act(&mut h, &GO_CASEBOOK);
        self.shot(&mut h, "casebook_200")?;
        act(&mut h, &GO_VERIFY);
        self.shot(&mut h, "verify_200")?;
        act(&mut h, &KEYS);
        self.shot(&mut h, "keys_200")?;
        for k in [2, 4] {
            let case = self.scratch.path().join(format!("k{k}.case.json"));
            std::fs::write(&case, recorded(k))?;
            let mut h = self.window(Some(case), Look::Light, [720.0, 450.0], 2.0);
            wait(&mut h, "the recorded case", |s| s.wings.judgment.open.is_some());
            self.shot(&mut h, &format!("case_k{k}_200"))?;
        }
        let case = self.scratch.path().join("alike.case.json");
        std::fs::write(
            &case,
            recorded(4).replace("norms", "grounds-age").replace("\"grounds\"", "\"grounds-income\""),
        )?;
        let mut h = self.window(Some(case), Look::Dark, [1440.0, 900.0], 1.0);
        wait(&mut h, "the recorded case", |s| s.wings.judgment.open.is_some());
        self.shot(&mut h, "case_alike_dark")?;
        act(&mut h, &TABLE_TAB);
        self.shot(&mut h, "case_alike_table_dark")?;
        act(&mut h, &CERTIFY);
        wait(&mut h, "the certificate", |s| matches!(s.wings.judgment.certificate(), Stand::Held(_)));
        self.shot(&mut h, "case_recorded_certified_dark")?;
        let mut h = self.window(None, Look::Light, [1024.0, 720.0], 1.0);
        wait(&mut h, "the story case", |s| {
            s.wings.judgment.open.is_some() && s.wings.judgment.book.judged == s.wings.judgment.book.rows.len()
        });
        self.shot(&mut h, "case_narrow")?;
        Ok(())
    }

    fn states(&self) -> Result<(), Fault> {
        let folder = self.scratch.path().join("nothing");
        std::fs::create_dir_all(&folder)?;
        let mut h = self.window(Some(folder), Look::Light, [1440.0, 900.0], 1.0);
        wait(&mut h, "the empty casebook", |s| !s.wings.judgment.book.loading);
        act(&mut h, &GO_JUDGMENTS);
        self.shot(&mut h, "empty_judgments")?;
        act(&mut h, &GO_CASEBOOK);
        self.shot(&mut h, "empty_casebook")?;

        let broken = self.scratch.path().join("broken");
        std::fs::create_dir_all(broken.join("one"))?;
        std::fs::create_dir_all(broken.join("two"))?;
        std::fs::write(
            broken.join("one/case.json"),
            b"{\"format\": \"decidendi/case@1\",\n \"id\": \"a\", \"id\": \"b\"}",
        )?;
        std::fs::write(broken.join("two/case.json"), b"not json at all")?;
        let mut h = self.window(Some(broken), Look::Light, [1440.0, 900.0], 1.0);
        wait(&mut h, "the broken casebook", |s| !s.wings.judgment.book.loading);
        self.shot(&mut h, "error_casebook")?;

        let many = self.scratch.path().join("many.jsonl");
        std::fs::write(&many, many_cases(20_000))?;
        let mut h = self.window(Some(many), Look::Light, [1440.0, 900.0], 1.0);
        wait(&mut h, "20,000 rows", |s| s.wings.judgment.book.rows.len() == 20_000);
        let from = Instant::now();
        while from.elapsed() < Duration::from_millis(900) {
            h.step();
            std::thread::sleep(Duration::from_millis(10));
        }
        self.shot(&mut h, "busy_judgments")?;

        let mut h = self.window(None, Look::Light, [1440.0, 900.0], 1.0);
        wait(&mut h, "the story case", |s| s.wings.judgment.open.is_some());
        let why =
            "The desktop showed no file dialog (no portal and no zenity answered). Type or paste the path instead.";
        let path = Overlay::Path {
            purpose: PathPurpose::OpenFile,
            text: "/home/you/cas".into(),
            why: Some(why.into()),
            found: Some(false),
        };
        ask(&mut h, Command::Overlay(Some(path)));
        self.shot(&mut h, "path_box")?;
        ask(&mut h, Command::Overlay(None));
        act(&mut h, &ABOUT);
        self.shot(&mut h, "about")?;
        act(&mut h, &SHOW_COMMAND);
        self.shot(&mut h, "command_line")?;
        ask(&mut h, Command::Overlay(None));
        ask(&mut h, Command::Open(self.scratch.path().join("is-not-there.json")));
        wait(&mut h, "the failure", |s| s.toasts.iter().any(|t| t.detail.is_some()));
        self.shot(&mut h, "error_open")?;
        Ok(())
    }
}

fn ask(h: &mut Harness<'static, App>, command: Command) {
    h.state_mut().ask(command);
    h.run_steps(2);
}

fn act(h: &mut Harness<'static, App>, action: Action) {
    // A sheet that is open would keep the key table asleep; commands asked for directly are not keys.
    ask(h, Command::Do(action));
}

fn quiet(h: &mut Harness<'static, App>) {
    let toasts: Vec<u64> = h.state().state().toasts.iter().map(|t| t.id).collect();
    for id in toasts {
        ask(h, Command::DismissToast(id));
    }
}

fn wait(h: &mut Harness<'static, App>, what: &str, until: impl Fn(&State) -> bool) {
    let from = Instant::now();
    while !until(h.state().state()) {
        h.step();
        std::thread::sleep(Duration::from_millis(5));
        if from.elapsed() > Duration::from_secs(60) {
            eprintln!("gave up waiting for {what} (view {:?})", h.state().state().route == Route::Case);
            return;
        }
    }
    h.run_steps(2);
}

fn certificate_in(folder: &Path) -> Result<PathBuf, Fault> {
    let found = std::fs::read_dir(folder)?
        .flatten()
        .map(|e| e.path())
        .find(|p| p.to_string_lossy().ends_with(".cert.json") && !p.to_string_lossy().contains("altered"));
    found.ok_or_else(|| "no certificate was written".into())
}

/// Changes one character of the signed payload.
fn spoil(from: &Path, to: &Path) -> Result<(), Fault> {
    let text = std::fs::read_to_string(from)?;
    let at = text.find("\"payload\":\"").map(|p| p + 60).ok_or("no payload")?;
    let mut bytes = text.into_bytes();
    bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
    std::fs::write(to, bytes)?;
    Ok(())
}

/// The certificate with the type of a later version, signed anew: sound, but not for this program.
fn newer_version(from: &Path, key: &Path) -> Result<Vec<u8>, Fault> {
    let envelope = Envelope::read("certificate", &std::fs::read(from)?)?;
    let payload = String::from_utf8(envelope.payload)?;
    let at = payload.find("\"predicateType\":\"").map(|p| p + 17).ok_or("no predicate type")?;
    let end = payload[at..].find('"').map(|n| at + n).ok_or("no predicate type")?;
    let kind = payload[at..end].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let payload = format!("{}{kind}99{}", &payload[..at], &payload[end..]);
    let secret = keys::read_secret(key, None)?;
    Ok(Envelope::sign(&envelope.payload_type, payload.into_bytes(), &[&secret]).to_bytes())
}

/// A signed certificate of the first of the many cases that states the cells of another case.
fn other_cells(key: &Path) -> Result<Vec<u8>, Fault> {
    let text = many_cases(1);
    let other = text.replace(r#""window":14"#, r#""window":9"#).replace(r#""days":10"#, r#""days":20"#);
    let open = |text: &str| walk::open_case("case.json", text.trim_end().as_bytes(), &Artifacts::new());
    let (case, other) = (open(&text)?, open(&other)?);
    let mut judgment = walk::judge(&other, &mut Compiler::default(), &Unwatched)?;
    judgment.digest = case.digest();
    let secret = keys::read_secret(key, None)?;
    Ok(Seal { keys: &[&secret], time: None, bundle: false }.seal(&case, &judgment)?.envelope)
}

/// A recorded case of `k` sources.
fn recorded(k: usize) -> String {
    let names = &["grounds", "norms", "authority", "fees"][..k];
    let cells: Vec<&str> = (0..1_u32 << k).map(|m| if m.count_ones() > 1 { "approve" } else { "deny" }).collect();
    let sources: Vec<String> =
        names.iter().map(|n| format!(r#"{{"name":"{n}","old":{{"level":1}},"new":{{"level":2}}}}"#)).collect();
    format!(
        r#"{{"format":"decidendi/case@1","id":"k{k}","title":"{k} sources, recorded","adjudicator":{{"engine":"table","cells":{cells:?}}},"sources":[{}]}}"#,
        sources.join(",")
    )
}

fn many_cases(n: usize) -> String {
    let mut out = String::new();
    for i in 0..n {
        let (days, window) = (10 + i % 23, 14 + (i / 7) % 9);
        out.push_str(&format!(
            r#"{{"format":"decidendi/case@1","id":"return-{i:05}","unit":"retail-{:02}","title":"Return no. {i}","context":{{"actor":"agent"}},"adjudicator":{{"engine":"rules"}},"interface":{{"grounds":{{"days":{{"type":"int"}}}},"parameters":{{"window":{{"type":"int"}}}}}},"sources":[{{"name":"grounds","old":{{"days":{days}}},"new":{{"days":{}}}}},{{"name":"norms","old":{{"parameters":{{"window":{window}}},"rules":[{{"id":"w","when":"days <= window","then":"approve"}}],"default":"deny"}},"new":{{"parameters":{{"window":{}}},"rules":[{{"id":"w","when":"days <= window","then":"approve"}}],"default":"deny"}}}},{{"name":"authority","old":{{"grants":[{{"norm":"*","actor":["agent"]}}]}},"new":{{"grants":[{{"norm":"*","actor":["agent"]}}]}}}}]}}"#,
            i % 12,
            days.saturating_sub(i % 5),
            window + i % 4,
        ));
        out.push('\n');
    }
    out
}
