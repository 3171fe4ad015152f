//! Links to a transition: following one, and writing one.

use std::path::Path;

use decidendi_core::step_value::scores::Corner;

use crate::desk::link::SHIPPED;
use crate::desk::state::Tone;
use crate::desk::wings::Route;
use crate::desk::{Desk, absolute};
use crate::shared::shipped;
use crate::wings::step_value::state::{OpenStudy, Spot, StepArrival, StudyPlace};

impl Desk {
    /// Follows a link to a transition: its study, contrast, tab, corner and stop.
    pub(crate) fn follow_step(&mut self, link: StepArrival) {
        self.state.overlay = None;
        let inside = link.place.strip_prefix(SHIPPED).and_then(|rest| rest.strip_prefix('/'));
        let place = match inside.and_then(|name| shipped::studies().find(|folder| *folder == name)) {
            Some(folder) => StudyPlace::Shipped(folder),
            None => StudyPlace::Disk(absolute(Path::new(&link.place))),
        };
        let step = &self.state.wings.step;
        let here = step.fault.is_none() && step.opening.is_none();
        if here && step.open.as_ref().is_some_and(|open| open.data.place == place) {
            self.state.route = Route::Step;
            self.arrive_at(&link);
        } else {
            self.open_study(place);
            self.state.wings.step.arrive = Some(link);
        }
    }

    /// Goes where a link leads in the open study; what is not there any more is told.
    pub(crate) fn arrive_at(&mut self, link: &StepArrival) {
        let Some(open) = &mut self.state.wings.step.open else { return };
        let gone = lead(open, link);
        if !gone.is_empty() {
            let words = format!("The study does not have {} any more", gone.join(" and "));
            self.toast(Tone::Warn, words, Some("The rest of the link was followed.".to_owned()));
        }
    }
}

/// Goes there; names in words what the study does not have.
fn lead(open: &mut OpenStudy, link: &StepArrival) -> Vec<String> {
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

/// A link to what is on the page.
pub(crate) fn step_link(open: &OpenStudy) -> StepArrival {
    let spot = open.followed();
    let channel = spot.and_then(|spot| open.study().channels.get(spot.channel));
    StepArrival {
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
