//! Links: copying one, and following one to its case or its transition.

use std::path::{Path, PathBuf};

use decidendi_core::step_value::scores::Corner;
use egui::Context;

use super::command::Command;
use super::link::{CaseLink, Link, StepLink};
use super::state::{Route, Tone};
use super::{Desk, OpenNext};
use crate::shared::shipped;
use crate::wings::step_value::state::{OpenStudy, Spot, StudyPlace};

const SHIPPED: &str = "shipped";

impl Desk {
    /// Opens a path, or a link that leads to one case and hybrid, or to one transition.
    pub fn open_path_or_link(&mut self, path: &Path) {
        match Link::parse(&path.to_string_lossy()) {
            Some(Link::Case(link)) => self.follow_case(link),
            Some(Link::Step(link)) => self.follow_step(link),
            None => self.open(path),
        }
    }

    /// Follows a link to a case: its casebook, its case, its tab and hybrid.
    pub(crate) fn follow_case(&mut self, link: CaseLink) {
        let here = self.library.path().map_or_else(|| SHIPPED.to_owned(), |p| p.display().to_string());
        self.state.overlay = None;
        self.arrive = Some((link.tab, link.cell));
        if link.place == here
            && let Some(row) = self.library.find(&link.case)
        {
            self.open_row(row);
            return;
        }
        self.state.route = Route::Judgments;
        self.open_next = Some(OpenNext::Id(link.case));
        self.read_book(if link.place == SHIPPED { None } else { Some(PathBuf::from(link.place)) });
    }

    /// Follows a link to a transition: its study, contrast, tab, corner and stop.
    pub(crate) fn follow_step(&mut self, link: StepLink) {
        self.state.overlay = None;
        let inside = link.place.strip_prefix(SHIPPED).and_then(|rest| rest.strip_prefix('/'));
        let place = match inside.and_then(|name| shipped::studies().find(|folder| *folder == name)) {
            Some(folder) => StudyPlace::Shipped(folder),
            None => StudyPlace::Disk(super::absolute(Path::new(&link.place))),
        };
        let step = &self.state.step;
        let here = step.fault.is_none() && step.opening.is_none();
        if here && step.open.as_ref().is_some_and(|open| open.data.place == place) {
            self.state.route = Route::Step;
            self.arrive_at(&link);
        } else {
            self.open_study(place);
            self.arrive_step = Some(link);
        }
    }

    /// Goes where a link leads in the open study; what is not there any more is told.
    pub(crate) fn arrive_at(&mut self, link: &StepLink) {
        let Some(open) = &mut self.state.step.open else { return };
        let gone = arrive(open, link);
        if !gone.is_empty() {
            let words = format!("The study does not have {} any more", gone.join(" and "));
            self.toast(Tone::Warn, words, Some("The rest of the link was followed.".to_owned()));
        }
    }

    /// A link to what is on the page.
    pub(crate) fn copy_link(&mut self, ctx: &Context) {
        let link = match (&self.state.step.open, &self.state.open) {
            (Some(open), _) if self.state.route == Route::Step => Link::Step(step_link(open)),
            (_, Some(open)) => {
                let place = self.library.path().map_or_else(|| SHIPPED.to_owned(), |p| p.display().to_string());
                let case = open.case.id().to_owned();
                Link::Case(CaseLink { place, case, tab: open.tab, cell: open.selected })
            }
            _ => return,
        };
        self.apply(Command::Copy(link.to_string(), "Link"), ctx);
    }
}

/// Names in words what the study does not have.
fn arrive(open: &mut OpenStudy, link: &StepLink) -> Vec<String> {
    let mut gone = Vec::new();
    match open.data.contrasts.iter().position(|contrast| contrast.id == link.contrast) {
        Some(at) => {
            open.contrast = at;
            open.camera = None;
            open.sift();
        }
        None if link.contrast.is_empty() => {}
        None => gone.push(format!("contrast “{}”", link.contrast)),
    }
    match open.study().transitions.iter().position(|step| step.id == link.transition) {
        Some(at) => open.at = at,
        None => gone.push(format!("transition “{}”", link.transition)),
    }
    (open.tab, open.stop, open.aside) = (link.tab, link.stop, None);
    match open.study().channels.iter().position(|channel| channel.id == link.channel) {
        Some(channel) => open.follow(Spot::new(channel, link.corner)),
        None if link.channel.is_empty() => {}
        None => gone.push(format!("channel “{}”", link.channel)),
    }
    gone
}

fn step_link(open: &OpenStudy) -> StepLink {
    let spot = open.followed();
    let channel = spot.and_then(|spot| open.study().channels.get(spot.channel));
    StepLink {
        place: match &open.data.place {
            StudyPlace::Shipped(folder) => format!("{SHIPPED}/{folder}"),
            StudyPlace::Disk(path) => path.display().to_string(),
        },
        transition: open.transition().map(|step| step.id.clone()).unwrap_or_default(),
        contrast: open.contrast().map(|contrast| contrast.id.clone()).unwrap_or_default(),
        tab: open.tab,
        channel: channel.map(|channel| channel.id.clone()).unwrap_or_default(),
        corner: spot.map_or(Corner::own(open.corner.1), |spot| spot.corner),
        stop: open.stop,
    }
}
