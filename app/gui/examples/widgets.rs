//! Renders the case page and its parts to PNG, without a display:
//! `cargo run -p decidendi-gui --example widgets [FOLDER [NAME]]`. For looking at them while they are being worked on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use decidendi_core::judgment::case::{Artifacts, Case};
use decidendi_core::judgment::sandbox::Sandbox;
use decidendi_core::judgment::source::{Mask, Version};
use decidendi_core::judgment::walk::{self, Compiler};
use decidendi_core::seal::json::{Json, JsonPath};
use decidendi_core::watch::Unwatched;
use decidendi_gui::desk::command::Commands;
use decidendi_gui::desk::state::State;
use decidendi_gui::desk::wings::{Route, Wings};
use decidendi_gui::theme::{Look as ThemeLook, Theme};
use decidendi_gui::widgets::cube3d;
use decidendi_gui::widgets::cube3d::Pose;
use decidendi_gui::widgets::drawing::{Drawing, measure_with};
use decidendi_gui::widgets::model::{Board, Corner};
use decidendi_gui::widgets::scene::Selected;
use decidendi_gui::widgets::verdict::{Look, Mark};
use decidendi_gui::widgets::{lattice, stage};
use decidendi_gui::wings::judgment::state::JudgmentState;
use decidendi_gui::wings::judgment::state::{CaseTab, Column, OpenCase, Sandboxed};
use egui::{Ui, Vec2, pos2, vec2};
use egui_kittest::Harness;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("target/shots"), PathBuf::from);
    let only = std::env::args().nth(2);
    let wanted = |name: &str| only.as_deref().is_none_or(|o| name.contains(o));
    std::fs::create_dir_all(&folder)?;
    for look in [ThemeLook::Light, ThemeLook::Dark] {
        if wanted("cubes") {
            shot(&folder, "cubes", look, vec2(1440.0, 1240.0), 1.0, cubes)?;
        }
        if wanted("lattices") {
            shot(&folder, "lattices", look, vec2(1440.0, 1240.0), 1.0, lattices)?;
        }
    }
    for page in pages() {
        if wanted(page.name) {
            page.shoot(&folder)?;
        }
    }
    Ok(())
}

/// A case page to look at.
struct PageShot {
    name: &'static str,
    case: String,
    /// The sample's folder, for referenced files.
    folder: &'static str,
    look: ThemeLook,
    size: Vec2,
    zoom: f32,
    change: fn(&mut OpenCase),
}

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_cases");

fn pages() -> Vec<PageShot> {
    let story = "00-winter-fuel/01-pensioner-starts-pension-credit.case.json";
    let sample = |path: &str| std::fs::read_to_string(format!("{SAMPLES}/{path}")).unwrap_or_default();
    // The room that the page has in a window of 1440 by 900.
    let page = |name, case: String, look, change| PageShot {
        name,
        case,
        folder: "65-world-depth-5",
        look,
        size: vec2(1264.0, 784.0),
        zoom: 1.0,
        change,
    };
    let (light, dark) = (ThemeLook::Light, ThemeLook::Dark);
    let none: fn(&mut OpenCase) = |_| {};
    let first: fn(&mut OpenCase) = |o| {
        o.selected = Mask(1);
        o.expanded.insert(Mask(1));
    };
    vec![
        page("page_story_light", sample(story), light, first),
        page("page_story_dark", sample(story), dark, first),
        page("page_contrast", sample(story), ThemeLook::HighContrast, first),
        page("page_all_rows", sample(story), light, |o| {
            o.only_differences = false;
            o.full_trace = true;
        }),
        page("page_edge", sample(story), light, |o| {
            o.selected = Mask(1);
            o.edge = Some((Mask(0), 0));
        }),
        page("page_sandbox", sample(story), dark, |o| {
            o.only_differences = false;
            o.sandbox = Some(sandboxed(&o.case));
        }),
        page("page_lattice", sample(story), light, |o| o.tab = CaseTab::Lattice),
        page("page_table", sample(story), dark, |o| o.tab = CaseTab::Table),
        page("page_uncertifiable", sample("55-telecom-uncertifiable/case.json"), light, none),
        page("page_stable", sample("84-gallery-hidden-interior/case.json"), light, none),
        page("page_non_monotone", sample("81-gallery-non-monotone/case.json"), dark, first),
        page("page_world", sample("65-world-depth-5/case.json"), light, |o| o.full_trace = true),
        page("page_k1", table_case(1), light, first),
        page("page_k2", table_case(2), dark, first),
        page("page_k4", table_case(4), light, first),
        page("page_k6", table_case(6), dark, first),
        page("page_k10", table_case(10), light, first),
        page("page_long", long_case(), light, first),
        PageShot { size: vec2(840.0, 860.0), ..page("page_narrow", sample(story), light, first) },
        PageShot { size: vec2(656.0, 380.0), zoom: 2.0, ..page("page_zoomed", sample(story), light, first) },
        PageShot {
            size: vec2(656.0, 380.0),
            zoom: 2.0,
            ..page("page_zoomed_sources", sample(story), dark, |o| o.column = Column::Sources)
        },
        PageShot {
            size: vec2(656.0, 380.0),
            zoom: 2.0,
            ..page("page_zoomed_account", sample(story), light, |o| o.column = Column::Account)
        },
    ]
}

fn beside(folder: &str) -> Artifacts {
    let files = std::fs::read_dir(format!("{SAMPLES}/{folder}")).into_iter().flatten().flatten();
    files.filter_map(|f| Some((f.file_name().into_string().ok()?, std::fs::read(f.path()).ok()?))).collect()
}

fn sandboxed(case: &Arc<Case>) -> Sandboxed {
    let mut sandbox = Sandbox::of(case);
    let path = JsonPath::default().key("over_state_pension_age");
    let refused = sandbox.edit(0, Version::New, &path, Json::Bool(false)).err().map(|e| e.to_string());
    let mut compiler = Compiler::default();
    let judgment = sandbox.judge(&mut compiler, &Unwatched).ok().map(Arc::new);
    let trace = sandbox.trace(&mut compiler, Mask::EMPTY).ok().map(Arc::new);
    Sandboxed { sandbox: Arc::new(sandbox), judgment, trace, refused, drafts: BTreeMap::new() }
}

/// A recorded case of `k` sources in which every pair is enough.
fn table_case(k: usize) -> String {
    let names = ["grounds", "norms", "authority", "fees", "tiers", "region", "history", "quota", "season", "channel"];
    let cells =
        (0..1_u32 << k).map(|m| if m.count_ones() * 2 >= k as u32 && m != 11 { "\"approve\"" } else { "\"deny\"" });
    let sources = names[..k].iter().map(|n| format!("{{\"name\": \"{n}\", \"old\": {{\"version\": 1, \"text\": \"as before\"}}, \"new\": {{\"version\": 2, \"text\": \"as before\"}}}}"));
    format!(
        "{{\"format\": \"decidendi/case@1\", \"id\": \"table-{k}\", \"title\": \"{k} recorded sources\", \"adjudicator\": {{\"engine\": \"table\", \"cells\": [{}]}}, \"sources\": [{}]}}",
        cells.collect::<Vec<_>>().join(", "),
        sources.collect::<Vec<_>>().join(", ")
    )
}

fn long_case() -> String {
    table_case(3)
        .replace("\"adjudicator\"", "\"interface\": {\"verdicts\": [\"approve\", \"deny\"]}, \"adjudicator\"")
        .replace("approve", "approve with conditions and a follow-up review")
        .replace("deny", "ablehnen wegen Unvollständigkeit")
        .replace("as before", "a long value that goes on and on until nobody would read it in one breath, and then goes on some more; it is cut after a few lines and opens in place when it is clicked, which is the only decent way")
        .replacen("opens in place", "opens at once", 1)
}

impl PageShot {
    fn shoot(self, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let case = Arc::new(
            walk::open_case("case.json", self.case.as_bytes(), &beside(self.folder))
                .map_err(|e| format!("{}: {e}", self.name))?,
        );
        let mut compiler = Compiler::default();
        let judgment = Arc::new(walk::judge(&case, &mut compiler, &Unwatched)?);
        let mut open = OpenCase::new(0, Arc::clone(&case), judgment, None);
        (self.change)(&mut open);
        open.trace = walk::trace(&case, &mut compiler, open.selected).ok().map(Arc::new);
        let look = self.look;
        let theme = Arc::new(Theme::new(look, false).map_err(ToString::to_string)?);
        if self.name.contains("story_light") || self.name.contains("k6") {
            std::fs::write(
                folder.join(format!("{}.svg", self.name)),
                decidendi_gui::wings::judgment::export::picture(&open, None, &theme.color)?,
            )?;
            {
                let png = decidendi_gui::wings::judgment::export::render(
                    decidendi_gui::wings::judgment::state::Format::Png,
                    &open,
                    None,
                    &theme.color,
                );
                std::fs::write(folder.join(format!("{}_export.png", self.name)), png?.bytes)?;
            }
        }
        let judgment = JudgmentState { open: Some(open), ..JudgmentState::default() };
        let wings = Wings { judgment, ..Wings::default() };
        let state = State { theme: Arc::clone(&theme), route: Route::Case, wings, ..State::default() };
        let mut harness = Harness::builder()
            .with_size(self.size)
            .with_pixels_per_point(self.zoom)
            .with_max_steps(16)
            .with_context_setup(move |ctx| {
                decidendi_gui::theme::fonts::install(ctx);
                theme.apply(ctx);
            })
            .build_ui(move |ui| {
                let color = Theme::of(ui.ctx()).color;
                let frame = egui::Frame::new().fill(color.bg).inner_margin(12.0);
                egui::CentralPanel::default().frame(frame).show(ui, |ui| {
                    decidendi_gui::wings::judgment::views::case::show(ui, &state, &mut Commands::default());
                });
            });
        harness.run();
        harness.render()?.save(folder.join(format!("{}.png", self.name)))?;
        Ok(())
    }
}

fn shot(
    folder: &Path,
    name: &str,
    look: ThemeLook,
    size: Vec2,
    zoom: f32,
    show: fn(&mut Ui),
) -> Result<(), Box<dyn std::error::Error>> {
    let theme = Arc::new(Theme::new(look, false).map_err(ToString::to_string)?);
    let dark = theme.dark;
    let mut harness = Harness::builder()
        .with_size(size)
        .with_pixels_per_point(zoom)
        .with_context_setup(move |ctx| {
            decidendi_gui::theme::fonts::install(ctx);
            theme.apply(ctx);
        })
        .build_ui(move |ui| {
            let ground = Theme::of(ui.ctx()).color.panel;
            ui.painter().rect_filled(ui.ctx().content_rect(), 0.0, ground);
            show(ui);
        });
    harness.run();
    let image = harness.render()?;
    image.save(folder.join(format!("{name}_{}.png", if dark { "dark" } else { "light" })))?;
    Ok(())
}

fn board(
    names: &[&str],
    words: impl Fn(u32) -> &'static str,
    look: impl Fn(u32) -> Look,
    receipts: &[u32],
    broken: &[u32],
) -> Board {
    let axes: Vec<String> = names.iter().map(|s| (*s).to_owned()).collect();
    let corners = (0..1_u32 << names.len())
        .map(|m| Corner {
            label: Mask(m).label(&axes),
            mark: if look(m) == Look::NotRun { Mark::not_run() } else { Mark::new(words(m), look(m)) },
            receipt: receipts.contains(&m),
            broken: broken.contains(&m),
        })
        .collect();
    Board { axes, corners }
}

const GNA: [&str; 3] = ["Grounds", "Norms", "Authority"];

fn at(ui: &mut Ui, x: f32, y: f32, size: Vec2, board: &Board, pose: Option<Pose>, selected: u32) {
    let rect = egui::Rect::from_min_size(pos2(x, y), size);
    let scene = {
        let mut measure = measure_with(ui.painter());
        match pose {
            Some(pose) => cube3d::layout(board, pose, size, None, &mut measure),
            None => lattice::layout(board, size, &mut measure),
        }
    };
    let chosen = Selected { cell: Mask(selected), edge: None };
    stage::show(ui, rect, &format!("picture at {x} {y}"), board, &scene, Some(chosen), pose.is_some());
}

fn cubes(ui: &mut Ui) {
    let executed = |_| Look::Executed;
    let story = board(&GNA, |m| if m == 0 || m == 4 { "deny" } else { "approve" }, executed, &[1, 2], &[]);
    let size = vec2(464.0, 600.0);
    at(ui, 8.0, 8.0, size, &story, Some(Pose::default()), 1);
    at(ui, 488.0, 8.0, size, &story, Some(Pose { yaw: 2.2, pitch: 0.7 }), 7);
    let long = board(
        &GNA,
        |m| ["refer", "partial refund", "approve", "manual review by a supervisor"][m as usize % 4],
        executed,
        &[3, 5, 6],
        &[7],
    );
    at(ui, 968.0, 8.0, size, &long, Some(Pose::default()), 6);
    let looks = board(
        &GNA,
        |m| ["approve", "deny", "refer", "voucher"][m as usize % 4],
        |m| [Look::Executed, Look::Recorded, Look::Predicted, Look::NotRun][m as usize / 2],
        &[1],
        &[5],
    );
    at(ui, 8.0, 620.0, size, &looks, Some(Pose { yaw: -0.6, pitch: -0.5 }), 2);
    let square = board(&GNA[..2], |m| if m == 3 { "approve" } else { "deny" }, executed, &[3], &[]);
    at(ui, 488.0, 620.0, size, &square, Some(Pose::default()), 3);
    let segment = board(&GNA[1..2], |m| if m == 1 { "refer" } else { "deny" }, executed, &[1], &[]);
    at(ui, 968.0, 620.0, vec2(464.0, 220.0), &segment, Some(Pose::default()), 0);
    let mut marks = Drawing::new(vec2(464.0, 300.0));
    for (i, word) in ["approve", "deny", "refer", "voucher"].into_iter().enumerate() {
        for (j, look) in [Look::Executed, Look::Recorded, Look::Predicted, Look::NotRun].into_iter().enumerate() {
            for (l, r) in [16.0, 10.0, 6.5].into_iter().enumerate() {
                Mark::new(word, look).draw(
                    pos2(40.0 + j as f32 * 110.0 + l as f32 * 36.0, 40.0 + i as f32 * 60.0),
                    r,
                    &mut marks,
                );
            }
        }
    }
    marks.paint(ui.painter(), pos2(968.0, 900.0), &Theme::of(ui.ctx()).color);
}

fn lattices(ui: &mut Ui) {
    let executed = |_| Look::Executed;
    let story = board(&GNA, |m| if m == 0 || m == 4 { "deny" } else { "approve" }, executed, &[1, 2], &[]);
    at(ui, 8.0, 8.0, vec2(464.0, 600.0), &story, None, 1);
    let four = ["Grounds", "Norms", "Authority", "Fees"];
    let k4 =
        board(&four, |m| if m.count_ones() < 2 { "deny" } else { "approve" }, executed, &[3, 5, 6, 9, 10, 12], &[11]);
    at(ui, 488.0, 8.0, vec2(560.0, 600.0), &k4, None, 5);
    let square = board(&GNA[..2], |m| if m == 3 { "approve" } else { "deny" }, executed, &[3], &[]);
    at(ui, 1060.0, 8.0, vec2(370.0, 600.0), &square, None, 3);
    let six = ["Grounds", "Norms", "Authority", "Fees", "Tiers", "Region"];
    let k6 = board(
        &six,
        |m| {
            if m.count_ones() < 3 {
                "deny"
            } else if m % 7 == 0 {
                "refer"
            } else {
                "approve"
            }
        },
        executed,
        &[11, 19, 37],
        &[15],
    );
    at(ui, 8.0, 620.0, vec2(1000.0, 600.0), &k6, None, 5);
}
