//! The receipt family: one card per member with a gold bar, and below each, on request, the proof that it is minimal.

use super::Page;
use crate::desk::command::Commands;
use crate::parts;
use crate::parts::frame;
use crate::theme::Theme;
use crate::widgets::lattice::choose;
use crate::widgets::model::mark;
use crate::widgets::trace_view::line;
use crate::wings::judgment::command::CaseCommand;
use decidendi_core::judgment::result::{Family, Outcome};
use decidendi_core::judgment::source::Mask;
use egui::{CornerRadius, Frame, Margin, Rect, Role, ScrollArea, Sense, StrokeKind, Ui, WidgetInfo, pos2, vec2};

/// Members shown as cards before the rest becomes a list.
const CARDS: usize = 12;

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let judgment = &page.prepared.judgment;
    let Outcome::Changed(family) = &judgment.outcome else { return };
    let k = judgment.sources.len();
    frame::section(ui, page.theme, "Receipt family", &remark(family));
    for &member in family.members().iter().take(CARDS) {
        card(ui, page, member, commands);
    }
    if family.multiplicity() > CARDS {
        rest(ui, page, &family.members()[CARDS..], commands);
    }
    let bound = choose(k, k / 2);
    let least = match family.complexity() {
        Some(size) if size > 1 => format!("The smallest replaces {size} sources. "),
        _ => String::new(),
    };
    let words =
        format!("{least}{k} sources owe at most {} receipts; none contains another.", parts::group(bound as usize));
    let caption = egui::RichText::new(words).font(page.theme.sans(11.0)).color(page.theme.color.faint);
    ui.add(egui::Label::new(caption).wrap());
    broken(ui, page, family, commands);
}

fn remark(family: &Family) -> String {
    let n = family.multiplicity();
    let members = if n == 1 { "1 member".to_owned() } else { format!("{} members", parts::group(n)) };
    let ambiguous = if family.is_ambiguous() { " · ambiguous" } else { "" };
    format!("complete · {members}{ambiguous}")
}

fn card(ui: &mut Ui, page: &Page<'_>, member: Mask, commands: &mut Commands) {
    let t = page.theme;
    let c = &t.color;
    let names = &page.prepared.judgment.sources;
    let open = page.open.expanded.contains(&member);
    let selected = page.open.selected == member;
    let frame = Frame::new()
        .fill(if selected { c.raised } else { c.panel })
        .stroke(t.hairline())
        .corner_radius(CornerRadius::same(t.radius.control))
        .inner_margin(Margin { left: 14, right: 10, top: 8, bottom: 8 });
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 4.0;
        let braces = format!("{{ {} }}", member.names(names).join(", "));
        let changes = page.prepared.changed_names(member);
        let what = if changes.is_empty() { String::new() } else { format!("  ·  {}", few(&changes)) };
        let title = line(ui, &[(&braces, t.bold(13.0), c.text), (&what, t.sans(12.5), c.muted)]);
        let title = title.interact(Sense::click()).on_hover_cursor(egui::CursorIcon::PointingHand);
        title.widget_info(|| WidgetInfo::selected(Role::Button, true, selected, format!("Receipt {braces}")));
        if title.on_hover_text("Select this hybrid").clicked() {
            commands.wing(CaseCommand::Select(member));
            commands.wing(CaseCommand::Walk(None));
        }
        let words = if open { "Why minimal ▾" } else { "Why minimal ▸" };
        if frame::link(ui, t, words, &format!("Why is {braces} minimal")) {
            commands.wing(CaseCommand::Expand(member));
        }
        if open {
            proof(ui, page, member, commands);
        }
    });
    // The gold bar: the receipt, and only the receipt.
    let r = shown.response.rect;
    let bar = Rect::from_min_max(r.min, pos2(r.left() + 3.5, r.bottom()));
    let round = CornerRadius { nw: t.radius.control, sw: t.radius.control, ne: 0, se: 0 };
    ui.painter().rect_filled(bar, round, c.receipt);
    if selected {
        ui.painter().rect_stroke(
            r,
            CornerRadius::same(t.radius.control),
            egui::Stroke::new(1.0, c.accent),
            StrokeKind::Inside,
        );
        ui.painter().rect_filled(bar, round, c.receipt);
    }
}

/// The first few names, and how many more.
fn few(names: &[&str]) -> String {
    const SHOWN: usize = 4;
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

/// Every strict subset with its verdict: none of them reproduces the new one.
fn proof(ui: &mut Ui, page: &Page<'_>, member: Mask, commands: &mut Commands) {
    let judgment = &page.prepared.judgment;
    let new = judgment.word(Mask::full(judgment.sources.len())).unwrap_or("the new verdict").to_owned();
    let count = (1_usize << member.len()) - 1;
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.add_space(2.0);
    let verdict = (ui.available_width() * 0.2).clamp(54.0, 130.0);
    header(ui, page.theme, verdict);
    let rows = |ui: &mut Ui, range: std::ops::Range<usize>, commands: &mut Commands| {
        for subset in member.strict_subsets().skip(range.start).take(range.len()) {
            proof_row(ui, page, subset, &new, verdict, commands);
        }
    };
    if count <= 8 {
        rows(ui, 0..count, commands);
    } else {
        let area =
            ScrollArea::vertical().id_salt(("proof", member.0)).max_height(8.0 * 24.0).auto_shrink([false, true]);
        area.show_rows(ui, 24.0, count, |ui, range| rows(ui, range, commands));
        parts::text(
            ui,
            format!("{} strict subsets, all shown", parts::group(count)),
            page.theme.sans(11.0),
            page.theme.color.faint,
        );
    }
}

fn header(ui: &mut Ui, t: &Theme, verdict: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    for (x, word) in [(0.0, "subset"), (verdict, "verdict")] {
        let at = pos2(rect.left() + x, rect.center().y);
        ui.painter().text(at, egui::Align2::LEFT_CENTER, word, t.sans(11.5), t.color.muted);
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), t.hairline());
}

fn proof_row(ui: &mut Ui, page: &Page<'_>, subset: Mask, new: &str, verdict: f32, commands: &mut Commands) {
    let t = page.theme;
    let judgment = &page.prepared.judgment;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
    let label = subset.label(&judgment.sources);
    let mark = mark(judgment, subset);
    let fails = if judgment.word(subset) == Some(new) {
        format!("reproduces {new}")
    } else {
        format!("does not reproduce {new}")
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, format!("{label}: {}, {fails}", mark.name())));
    if response.hovered() {
        ui.painter().rect_filled(rect, CornerRadius::same(3), t.color.hover);
    }
    let y = rect.center().y;
    let painter = ui.painter_at(rect);
    painter.text(pos2(rect.left(), y), egui::Align2::LEFT_CENTER, label, t.mono(12.0), t.color.text);
    let mut d = crate::widgets::drawing::Drawing::new(vec2(20.0, 24.0));
    mark.draw(pos2(7.0, 12.0), 6.0, &mut d);
    d.paint(&painter, pos2(rect.left() + verdict, rect.top()), &t.color);
    let word = painter.layout_no_wrap(mark.word.clone(), t.sans(12.0), t.color.text);
    let end = verdict + 19.0 + word.size().x + 12.0;
    painter.galley(pos2(rect.left() + verdict + 19.0, y - word.size().y / 2.0), word, t.color.text);
    let mut job = egui::text::LayoutJob::simple_singleline(fails, t.sans(12.0), t.color.muted);
    job.wrap = egui::text::TextWrapping::truncate_at_width((rect.width() - end).max(0.0));
    let fails = painter.layout_job(job);
    if rect.width() - end > 40.0 {
        painter.galley(pos2(rect.left() + end, y - fails.size().y / 2.0), fails, t.color.muted);
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), t.hairline());
    if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
        commands.wing(CaseCommand::Select(subset));
        commands.wing(CaseCommand::Walk(None));
    }
}

/// Members beyond the cards, one line each, virtual.
fn rest(ui: &mut Ui, page: &Page<'_>, members: &[Mask], commands: &mut Commands) {
    let t = page.theme;
    let names = &page.prepared.judgment.sources;
    let words = format!("{} more members", parts::group(members.len()));
    parts::text(ui, words, t.sans(12.0), t.color.muted);
    let height = (members.len() as f32 * 24.0).min(240.0);
    ScrollArea::vertical().id_salt("family").max_height(height).auto_shrink([false, true]).show_rows(
        ui,
        24.0,
        members.len(),
        |ui, range| {
            for &member in &members[range] {
                let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
                let braces = member.braces(names);
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Receipt {braces}")));
                let painter = ui.painter_at(rect);
                let bar = Rect::from_min_max(rect.min + vec2(0.0, 3.0), pos2(rect.left() + 3.0, rect.bottom() - 3.0));
                painter.rect_filled(bar, 1.0, t.color.receipt);
                painter.text(
                    rect.left_center() + vec2(10.0, 0.0),
                    egui::Align2::LEFT_CENTER,
                    braces,
                    t.sans(12.5),
                    t.color.text,
                );
                if response.clicked() {
                    commands.wing(CaseCommand::Select(member));
                }
            }
        },
    );
}

/// Where the cube is not monotone: each failing superset in one sentence.
fn broken(ui: &mut Ui, page: &Page<'_>, family: &Family, commands: &mut Commands) {
    const TOLD: usize = 4;
    let t = page.theme;
    let judgment = &page.prepared.judgment;
    let failing = &page.prepared.special.broken;
    if failing.is_empty() {
        return;
    }
    ui.add_space(4.0);
    frame::section(
        ui,
        t,
        "Not monotone",
        &format!("{} of {}", parts::group(failing.len()), parts::group(judgment.cube.cells().len())),
    );
    for &cell in failing.iter().take(TOLD) {
        let Some(&inside) = family.members().iter().find(|r| r.is_subset_of(cell)) else { continue };
        let names = &judgment.sources;
        let sentence = format!(
            " holds the receipt {} and yet gives {}: adding {} undoes it.",
            inside.braces(names),
            judgment.word(cell).unwrap_or("no verdict"),
            Mask(cell.0 & !inside.0).names(names).join(" and ")
        );
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 18.0), Sense::hover());
            let mut d = crate::widgets::drawing::Drawing::new(vec2(14.0, 18.0));
            crate::widgets::scene::warning(pos2(7.0, 9.5), 5.5, &mut d);
            d.paint(ui.painter(), rect.min, &t.color);
            let label = cell.label(names);
            let said = line(ui, &[(&label, t.bold(12.5), t.color.text), (&sentence, t.sans(12.5), t.color.muted)]);
            if said.interact(Sense::click()).on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
                commands.wing(CaseCommand::Select(cell));
                commands.wing(CaseCommand::Walk(None));
            }
        });
    }
    if failing.len() > TOLD {
        parts::text(
            ui,
            format!("and {} more; the table marks them all", failing.len() - TOLD),
            t.sans(12.0),
            t.color.muted,
        );
    }
}
