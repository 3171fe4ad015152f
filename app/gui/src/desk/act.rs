//! Named commands: what each entry of the table does.

use egui::{Context, ViewportCommand};

use super::Desk;
use super::command::{Action, CaseCommand, Command, TableCommand};
use super::settings::Settings;
use super::state::{Overlay, PathPurpose, Route, Tone};
use crate::theme::Look;
use crate::wings::judgment::state::{CaseTab, Format, Turn};
use crate::wings::judgment::update::case::CLOSED;
use decidendi_core::judgment::source::{Mask, Role};

impl Desk {
    /// Carries out a named command, or says why it does not apply.
    pub(crate) fn act(&mut self, action: Action, ctx: &Context) {
        if let Err(why) = (action.entry().when)(&self.state) {
            self.toast(Tone::Note, format!("{}: {why}", action.entry().name), None);
            return;
        }
        match action {
            Action::OpenFile => self.ask(PathPurpose::OpenFile),
            Action::OpenFolder => self.ask(PathPurpose::OpenFolder),
            Action::OpenPath => {
                self.state.overlay =
                    Some(Overlay::Path { purpose: PathPurpose::OpenFile, text: String::new(), why: None });
            }
            Action::OpenShipped => self.open_shipped(),
            Action::Reload => self.reload(),
            Action::Certify => self.certify(None),
            Action::Export | Action::ExportMarkdown | Action::ExportSvg | Action::ExportPng | Action::StepCsv
                if self.state.route == Route::Step =>
            {
                self.show_study_export(action);
            }
            Action::StepCsv => {}
            Action::StepCertify => {
                let at = self.state.step.open.as_ref().map(|open| open.at);
                self.certify_study(at, None);
            }
            Action::StepCertifyStudy => self.certify_study(None, None),
            Action::Export => self.show_export(None),
            Action::ExportCertificate => self.show_export(Some(Format::Certificate)),
            Action::ExportBundle => self.show_export(Some(Format::Bundle)),
            Action::ExportMarkdown => self.show_export(Some(Format::Markdown)),
            Action::ExportSvg => self.show_export(Some(Format::Svg)),
            Action::ExportPng => self.show_export(Some(Format::Png)),
            Action::ShowCommand => self.show_command(),
            Action::ChooseKey => self.ask(PathPurpose::Key),
            Action::NewKey => self.make_key(),
            Action::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Action::Undo => self.undo(ctx),
            Action::Redo => self.redo(ctx),
            Action::CopyMarkdown if self.state.route == Route::Step => self.copy_study(ctx),
            Action::CopyMarkdown => self.copy_markdown(ctx),
            Action::CopyLink => self.copy_link(ctx),
            Action::Find => {
                self.go(Route::Judgments);
                self.state.focus_search = true;
            }
            Action::ClearFilters => self.clear_filters(),
            Action::SaveView => self.state.overlay = Some(Overlay::SaveView(String::new())),
            Action::Cube => self.on_case(CaseCommand::Tab(CaseTab::Cube)),
            Action::Lattice => self.on_case(CaseCommand::Tab(CaseTab::Lattice)),
            Action::Table => self.on_case(CaseCommand::Tab(CaseTab::Table)),
            Action::ResetCube => {
                let Turn { yaw, pitch } = Turn::default();
                self.on_case(CaseCommand::Turn(yaw, pitch));
            }
            Action::OnlyDifferences => {
                let on = self.state.open.as_ref().is_some_and(|o| o.only_differences);
                self.on_case(CaseCommand::OnlyDifferences(!on));
            }
            Action::Swap => self.swap(),
            Action::FlipGrounds => self.flip(Role::Grounds),
            Action::FlipNorms => self.flip(Role::Norms),
            Action::FlipAuthority => self.flip(Role::Authority),
            Action::NextCell => self.step_cell(1),
            Action::PreviousCell => self.step_cell(-1),
            Action::WhatIf => self.what_if(),
            Action::ZoomIn => self.apply(Command::SetZoom(self.state.settings.zoom + 0.1), ctx),
            Action::ZoomOut => self.apply(Command::SetZoom(self.state.settings.zoom - 0.1), ctx),
            Action::ZoomReset => self.apply(Command::SetZoom(1.0), ctx),
            Action::FullScreen => {
                let on = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!on));
            }
            Action::ResetLayout => self.reset_layout(ctx),
            Action::LookSystem => self.apply(Command::SetLook(Look::System), ctx),
            Action::LookLight => self.apply(Command::SetLook(Look::Light), ctx),
            Action::LookDark => self.apply(Command::SetLook(Look::Dark), ctx),
            Action::LookContrast => self.apply(Command::SetLook(Look::HighContrast), ctx),
            Action::GoCasebook => self.go(Route::Casebook),
            Action::GoJudgments => self.go(Route::Judgments),
            Action::GoVerify => self.go(Route::Verify),
            Action::GoStep => self.go_step(),
            Action::StepScatter
            | Action::StepRetrieval
            | Action::StepCube
            | Action::StepBridge
            | Action::StepDiagnostics
            | Action::StepRecalibration
            | Action::StepCohort
            | Action::StepContrast
            | Action::StepCorner
            | Action::StepAcross
            | Action::StepStop
            | Action::StepWave
            | Action::StepFit
            | Action::StepClear => self.act_on_study(action),
            Action::GoAcquire
            | Action::AcquirePlan
            | Action::AcquireExample
            | Action::AcquireProbe
            | Action::AcquireRun
            | Action::AcquireCancel
            | Action::AcquireReplay
            | Action::AcquireStudy
            | Action::AcquireBack => self.act_on_plan(action, ctx),
            Action::Next | Action::Previous if self.state.route == Route::Step => {
                self.step_by(if action == Action::Next { 1 } else { -1 });
            }
            Action::Next => self.move_by(1),
            Action::Previous => self.move_by(-1),
            Action::OpenMarked => {
                if let Some(row) = self.state.table.marked {
                    self.open_row(row);
                }
            }
            Action::Back => self.go(Route::Judgments),
            Action::Palette => self.state.overlay = Some(Overlay::Palette { text: String::new(), mark: 0 }),
            Action::Keys => self.state.overlay = Some(Overlay::Keys),
            Action::About => self.state.overlay = Some(Overlay::About),
        }
    }

    /// Goes to a view. The open case stays open behind the list.
    pub(crate) fn go(&mut self, route: Route) {
        self.state.overlay = None;
        if route == Route::Judgments
            && let Some(open) = &self.state.open
        {
            self.state.table.marked = Some(open.row);
            self.mark_shown();
        }
        self.state.route = route;
    }

    pub(crate) fn undo(&mut self, ctx: &Context) {
        let now = self.layout();
        if let Some((name, before)) = self.state.history.undo(now) {
            if name == CLOSED {
                self.reopen_sandbox();
            } else {
                self.set_layout(before, ctx);
            }
            self.toast(Tone::Note, format!("Undone: {name}"), None);
        }
    }

    pub(crate) fn redo(&mut self, ctx: &Context) {
        let now = self.layout();
        if let Some((name, after)) = self.state.history.redo(now) {
            match &self.state.open {
                Some(open) if name == CLOSED && open.sandbox.is_some() => self.what_if(),
                _ if name == CLOSED => {}
                _ => self.set_layout(after, ctx),
            }
            self.toast(Tone::Note, format!("Done again: {name}"), None);
        }
    }

    pub(crate) fn clear_filters(&mut self) {
        self.note("clear all filters");
        self.state.table.query.filters.clear();
        self.state.table.query.search.clear();
        self.refilter();
        self.mark_shown();
    }

    pub(crate) fn reset_layout(&mut self, ctx: &Context) {
        self.note("reset layout");
        let first = Settings::default();
        self.state.settings.rail = first.rail;
        self.state.settings.window = first.window;
        self.zoom(first.zoom, ctx);
        let size = egui::vec2(first.window.width, first.window.height);
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        ctx.memory_mut(|m| m.reset_areas());
        self.toast(Tone::Note, "Layout reset", None);
    }

    /// One case on or back: in the list the mark moves, on the case page the next case opens. At the ends it stays.
    pub(crate) fn move_by(&mut self, by: isize) {
        let order = &self.state.table.order;
        if order.is_empty() {
            self.toast(Tone::Note, "No case passes the filters", Some("Clear them with X in the list.".to_owned()));
            return;
        }
        let on_page = self.state.route == Route::Case;
        let here = if on_page { self.state.open.as_ref().map(|o| o.row) } else { self.state.table.marked };
        let place = here.and_then(|row| order.iter().position(|&r| r as usize == row));
        let next = match place {
            None => Some(0),
            Some(p) => p.checked_add_signed(by).filter(|&n| n < order.len()),
        };
        let Some(next) = next else {
            let what = if by > 0 { "This is the last case" } else { "This is the first case" };
            self.toast(Tone::Note, what, None);
            return;
        };
        let row = order[next] as usize;
        match self.state.route {
            Route::Case => self.open_row(row),
            Route::Judgments => self.on_table(TableCommand::Mark(row)),
            _ => {
                self.on_table(TableCommand::Mark(row));
                self.go(Route::Judgments);
            }
        }
    }

    pub(crate) fn flip(&mut self, role: Role) {
        let source = self.state.open.as_ref().and_then(|open| {
            let by_role = open.case.in_role(role).next();
            // A case with other sources answers to the same letters by its initials: the page shows them as key caps.
            let initial =
                |s: &decidendi_core::judgment::case::Source| s.name.to_lowercase().starts_with(&role.word()[..1]);
            by_role.or_else(|| open.case.sources().iter().position(initial))
        });
        match source {
            Some(source) => self.on_case(CaseCommand::Flip(source)),
            None => self.toast(Tone::Note, format!("This case has no source in the role of {}", role.word()), None),
        }
    }

    pub(crate) fn step_cell(&mut self, by: i64) {
        let Some(open) = &self.state.open else { return };
        let cells = 1_i64 << open.case.k();
        let next = (i64::from(open.selected.0) + by).rem_euclid(cells);
        let next = Mask(u32::try_from(next).unwrap_or_default());
        self.on_case(CaseCommand::Select(next));
    }
}
