//! What comes back from jobs. Late answers of a job that nobody waits for any more are dropped.

use super::Desk;
use super::jobs::Answer;
use super::state::{Overlay, Tone};
use crate::shared::job::JobId;

impl Desk {
    pub(super) fn deliver(&mut self, id: JobId, answer: Answer) {
        match answer {
            Answer::Wing(answer) => (self.given.deliver)(self, id, answer),
            Answer::Exported(exported) => self.on_exported(&exported),
            Answer::Occupied(occupied) => self.state.overlay = Some(Overlay::Occupied(occupied)),
            Answer::ExportFailed(why) => self.toast(Tone::Bad, "The export was not written", Some(why)),
            Answer::Key(key, made) => self.on_key(key, made),
            Answer::Trust(trusted) => self.on_trust(trusted),
            Answer::Failed(why) => {
                self.settle(id);
                self.toast(Tone::Bad, "Something could not be done", Some(why));
            }
            Answer::Looked(changed) => {
                self.watch = None;
                self.on_changed(changed);
            }
            Answer::Sought { path, purpose: Some(purpose), is_there } => self.on_sought(purpose, path, is_there),
            Answer::Sought { path, purpose: None, is_there } => self.on_seen(id, &path, is_there),
            Answer::Cancelled => self.settle(id),
        }
    }

    /// Nobody waits for this job any more.
    fn settle(&mut self, id: JobId) {
        for slot in [&mut self.watch, &mut self.seek] {
            slot.take_if(|waiting| *waiting == id);
        }
        (self.given.settle)(self, id);
    }
}
