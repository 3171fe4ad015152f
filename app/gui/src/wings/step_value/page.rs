//! The step-value view, as the shell needs it.

use std::path::Path;
use std::sync::Arc;

use decidendi_files::{names, study};
use egui::Ui;

use super::actions::{ACTIONS, GO_STEP, study_open};
use super::command::StepCommand;
use super::export::{self, face_markdown, file_name};
use super::state::{CHANGED, StepFormat, StepTab, StudyPlace};
use super::update::follow::step_link;
use super::views::{self, actions, heading, position, standing};
use crate::desk::Desk;
use crate::desk::command::{Action, Applies, Command, Commands};
use crate::desk::link::Link;
use crate::desk::page::{Count, Hit, Offer, Page, Shell, Standing, Watched, Writing, Written};
use crate::desk::state::State;
use crate::desk::wings::Route;
use crate::parts::counted;
use crate::theme::icons::Icon;

/// So many transitions are found.
const FOUND: usize = 40;

/// The view.
pub struct StepValue;

impl Page for StepValue {
    fn route(&self) -> Route {
        Route::Step
    }

    fn actions(&self) -> &'static [Action] {
        ACTIONS
    }

    fn keys_title(&self) -> &'static str {
        "In the step-value view"
    }

    fn rail(&self) -> Option<(Icon, Action)> {
        Some((Icon::Steps, &GO_STEP))
    }

    fn count(&self, state: &State) -> Option<Count> {
        let number = state.wings.step.count();
        (number > 0).then_some(Count { number, spoken: counted(number, "transition"), is_trouble: false })
    }

    fn crumbs(&self, _state: &State) -> Vec<String> {
        vec!["Step value".to_owned()]
    }

    fn title(&self, _state: &State) -> String {
        "Step value".to_owned()
    }

    fn heading(&self) -> Option<fn(&mut Ui, &State, &mut Commands)> {
        Some(heading)
    }

    fn buttons(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        actions(ui, state, commands);
    }

    fn show(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        views::show(ui, state, commands);
    }

    fn window_title(&self, state: &State) -> Option<String> {
        state.wings.step.shown().ok().map(|open| open.study().title().to_owned())
    }

    fn standing(&self, state: &State) -> Option<Standing> {
        Some(standing(state))
    }

    fn position(&self, state: &State) -> Option<String> {
        position(state)
    }

    fn shows_one(&self) -> bool {
        true
    }

    fn is_open(&self, state: &State) -> Applies {
        study_open(state)
    }

    fn walkable(&self, state: &State) -> Option<Applies> {
        Some(study_open(state))
    }

    fn walk(&self, desk: &mut Desk, by: isize) -> bool {
        desk.step_by(by);
        true
    }

    fn leave_first(&self, state: &State) -> Option<Command> {
        let step = &state.wings.step;
        (step.open.is_some() && step.fault.is_some()).then(|| StepCommand::Return.into())
    }

    fn formats(&self, state: &State) -> Vec<Offer> {
        let Ok(open) = state.wings.step.shown() else { return Vec::new() };
        let offer = |format: StepFormat| Offer {
            id: format.id(),
            name: format.name(),
            about: format.about(),
            file: file_name(open, format),
            ending: format.ending(),
            barred: open.exportable(format).err(),
        };
        StepFormat::ALL.into_iter().map(offer).collect()
    }

    fn format(&self, state: &State, wanted: &'static str) -> &'static str {
        let scatter = state.wings.step.open.as_ref().is_some_and(|open| open.tab == StepTab::Scatter);
        let format = match wanted {
            "svg" if scatter => StepFormat::ScatterSvg,
            "svg" => StepFormat::FaceSvg,
            "png" if scatter => StepFormat::ScatterPng,
            "png" => StepFormat::FacePng,
            other => return other,
        };
        format.id()
    }

    fn write(&self, state: &State, format: &str) -> Result<Writing, String> {
        let open = state.wings.step.shown()?.clone();
        let format = StepFormat::ALL.into_iter().find(|known| known.id() == format).ok_or("Choose a format first.")?;
        let theme = Arc::clone(&state.theme);
        Ok(Box::new(move || {
            if open.data.is_outdated() {
                return Err(CHANGED.to_owned());
            }
            let bytes = export::render(&open, format, &theme.color)?;
            let sealed = open.certificate().filter(|_| format == StepFormat::Certificate);
            Ok(Written { bytes, certificate: sealed.map(|held| held.digest.clone()) })
        }))
    }

    fn markdown(&self, state: &State) -> Result<(String, &'static str), String> {
        let open = state.wings.step.shown()?;
        if open.data.is_outdated() {
            return Err(CHANGED.to_owned());
        }
        Ok((face_markdown(open), "Face and means with digests"))
    }

    fn link(&self, state: &State) -> Option<String> {
        state.wings.step.open.as_ref().map(|open| Link::Step(step_link(open)).to_string())
    }

    fn command_line(&self, state: &State, with: &Shell) -> Option<String> {
        let Ok(open) = state.wings.step.shown() else { return Some("decidendi asv STUDY".to_owned()) };
        let study = Shell::word(&open.data.place.words());
        let whole = open.certificates.get(&None).is_some() && open.certificates.get(&Some(open.at)).is_none();
        let step = open.transition().filter(|_| !whole);
        let scope = step.map(|step| format!(" --transition {}", Shell::word(&step.id))).unwrap_or_default();
        let name = step.map_or_else(|| open.study().id.clone(), |step| format!("{}.{}", open.study().id, step.id));
        let file = with.folder.join(format!("{}.asv.cert.json", names::file_stem(&name)));
        let (key, out, file) = (&with.key, Shell::path(&with.folder), Shell::path(&file));
        Some(format!(
            "decidendi asv {study}\ndecidendi asv {study} --json\ndecidendi asv {study} --key {key} --out {out}{scope}\ndecidendi verify {file} --case {study} --trust {key}.pub"
        ))
    }

    fn find(&self, state: &State, words: &[&str]) -> Vec<Hit> {
        let studies = state.wings.step.shelf.iter().filter(|entry| {
            let text = format!("open the study {}", entry.title).to_lowercase();
            words.iter().all(|w| text.contains(w))
        });
        let mut hits: Vec<Hit> = studies
            .map(|entry| Hit {
                rank: 2,
                icon: Icon::Steps,
                name: "Open the study".to_owned(),
                about: entry.title.clone(),
                ask: vec![StepCommand::Open(entry.place.clone()).into()],
            })
            .collect();
        let open = state.wings.step.open.iter();
        let steps = open.flat_map(|open| open.study().transitions.iter().enumerate().map(move |step| (open, step)));
        let steps = steps.filter(|(_, (_, step))| {
            let id = step.id.to_lowercase();
            words.iter().all(|w| id.contains(w) || "transition".starts_with(w)) && words.iter().any(|w| id.contains(w))
        });
        hits.extend(steps.take(FOUND).map(|(open, (at, step))| Hit {
            rank: 3,
            icon: Icon::Steps,
            name: format!("Transition {}", step.id),
            about: open.study().title().to_owned(),
            ask: vec![Command::Go(Route::Step), StepCommand::Select(at).into()],
        }));
        hits
    }

    fn opens(&self, desk: &mut Desk, path: &Path) -> bool {
        let named = path.file_name().is_some_and(|name| name == study::STUDY);
        let is_study = named || study::is_study(path);
        if is_study {
            desk.open_study(StudyPlace::Disk(path.to_owned()));
        }
        is_study
    }

    fn reload(&self, desk: &mut Desk) -> bool {
        desk.reload_study()
    }

    fn watched(&self, state: &State) -> Option<Watched> {
        let step = &state.wings.step;
        let stamp = step.open.as_ref().filter(|_| step.opening.is_none())?.data.stamp.clone()?;
        Some(Box::new(move || stamp.is_outdated()))
    }

    fn changed(&self, desk: &mut Desk) {
        desk.reread_study();
    }
}
