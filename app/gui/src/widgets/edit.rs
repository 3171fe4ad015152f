//! Editing one value of a source in the sandbox: a switch for truth values, a list of choices for enums, else a field whose
//! text is read by the value's type.

use super::diff::{Side, shown};
use crate::theme::Theme;
use decidendi_core::judgment::source::Version;
use decidendi_core::seal::canon::LARGEST_INTEGER;
use decidendi_core::seal::json::Json;
use egui::{CornerRadius, Margin, Rect, Response, RichText, Role, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo};

/// What a field may hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FieldKind {
    /// `bool`.
    Bool,
    /// One of some words.
    Choice(Vec<String>),
    /// A whole number.
    Int,
    /// A set of words.
    Set,
    /// Anything else: kept as the JSON kind that it is.
    #[default]
    Free,
}

/// Where and how a value is edited.
pub struct Place<'a> {
    /// The value's key.
    pub key: &'a str,
    /// The field's name.
    pub name: &'a str,
    /// Which version.
    pub version: Version,
    /// The table's cell.
    pub cell: Rect,
    /// How many lines its text fills.
    pub lines: usize,
    /// What it may hold.
    pub kind: FieldKind,
    /// Whether it takes the keyboard now.
    pub focus: bool,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Edited {
    /// Text that is not a value yet.
    Draft(String),
    /// A value.
    Value(Json),
}

/// Shows the field in its cell.
pub fn field(
    ui: &mut Ui,
    t: &Theme,
    place: &Place<'_>,
    side: &Side,
    draft: Option<String>,
    edited: bool,
) -> Option<Edited> {
    let rect = place.cell.shrink2(egui::vec2(4.0, 3.0));
    let mut child = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .id_salt(("edit", place.key))
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    let name = format!("{}, {} version", place.name, place.version.word());
    let (response, result) = match (&place.kind, &side.json) {
        (FieldKind::Bool, _) | (_, Json::Bool(_)) => switch(&mut child, t, &name, side),
        (FieldKind::Choice(words), Json::Text(now)) => choice(&mut child, t, &name, place.key, words, now),
        _ => text(&mut child, t, &name, place, side, draft),
    };
    if place.focus {
        response.request_focus();
    }
    if edited {
        // Around the field itself, which may be lower or narrower than its cell.
        let frame = response.rect.expand(1.0);
        ui.painter().rect_stroke(frame, CornerRadius::same(4), Stroke::new(1.5, t.color.warn), StrokeKind::Inside);
    }
    result
}

fn switch(ui: &mut Ui, t: &Theme, name: &str, side: &Side) -> (Response, Option<Edited>) {
    let on = side.json.as_bool().unwrap_or_default();
    let words = RichText::new(if on { "yes" } else { "no" }).font(t.mono(12.0));
    let response = ui.add(egui::Button::new(words).min_size(egui::vec2(40.0, 20.0)));
    response.widget_info(|| WidgetInfo::selected(Role::Switch, true, on, name));
    let result = response.clicked().then_some(Edited::Value(Json::Bool(!on)));
    (response, result)
}

fn choice(ui: &mut Ui, t: &Theme, name: &str, key: &str, words: &[String], now: &str) -> (Response, Option<Edited>) {
    let mut picked = None;
    let font = t.mono(12.0);
    let combo = egui::ComboBox::from_id_salt(("choice", key))
        .width(ui.available_width() - 8.0)
        .truncate()
        .selected_text(RichText::new(now).font(font.clone()));
    let response = combo.show_ui(ui, |ui| {
        for word in words {
            if ui.selectable_label(word == now, RichText::new(word).font(font.clone())).clicked() && word != now {
                picked = Some(Edited::Value(Json::text(word)));
            }
        }
    });
    response.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{name}: {now}")));
    (response.response, picked)
}

fn text(
    ui: &mut Ui,
    t: &Theme,
    name: &str,
    place: &Place<'_>,
    side: &Side,
    draft: Option<String>,
) -> (Response, Option<Edited>) {
    let start = draft.unwrap_or_else(|| plain(&side.json));
    let mut typed = start.clone();
    let bad = read(&typed, &place.kind, &side.json).is_none();
    let edit = if place.lines > 1 {
        egui::TextEdit::multiline(&mut typed).desired_rows(place.lines)
    } else {
        egui::TextEdit::singleline(&mut typed)
    };
    let edit = edit
        .font(t.mono(12.0))
        .margin(Margin::symmetric(5, 4))
        .desired_width(ui.available_width())
        .text_color(if bad { t.color.bad } else { t.color.text });
    let response = ui.add(edit);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
    if bad {
        response.clone().on_hover_text("This is no value of the field's type; it is not used.");
    }
    if response.lost_focus() {
        let value = read(&typed, &place.kind, &side.json);
        return (response, value.filter(|v| *v != side.json).map(Edited::Value));
    }
    let result = (typed != start).then_some(Edited::Draft(typed));
    (response, result)
}

/// A value as text to be edited: without the signs that are only for show.
fn plain(json: &Json) -> String {
    match json {
        Json::Int(i) => i.to_string(),
        Json::List(l) => l.iter().map(plain).collect::<Vec<_>>().join(", "),
        Json::Text(t) => t.clone(),
        other => shown(other),
    }
}

/// Reads typed text as a value of the kind; `before` says what kind of JSON stood there.
#[must_use]
pub fn read(text: &str, kind: &FieldKind, before: &Json) -> Option<Json> {
    let trimmed = text.trim();
    // Beyond what JSON numbers keep, an integer is text.
    let int = || {
        let number: i64 = trimmed.replace('−', "-").parse().ok()?;
        let kept = number.unsigned_abs() <= LARGEST_INTEGER.unsigned_abs();
        Some(if kept { Json::Int(number) } else { Json::text(number.to_string()) })
    };
    match (kind, before) {
        (FieldKind::Int, _) | (FieldKind::Free, Json::Int(_)) => int(),
        (FieldKind::Set, _) | (_, Json::List(_)) => {
            let inner = trimmed.trim_start_matches('{').trim_end_matches('}');
            let words = inner.split(',').map(str::trim).filter(|w| !w.is_empty());
            Some(Json::List(words.map(Json::text).collect()))
        }
        (FieldKind::Choice(words), _) => words.iter().any(|w| w == trimmed).then(|| Json::text(trimmed)),
        (FieldKind::Bool, _) | (_, Json::Bool(_)) => match trimmed {
            "yes" | "true" => Some(Json::Bool(true)),
            "no" | "false" => Some(Json::Bool(false)),
            _ => None,
        },
        (_, Json::Map(_) | Json::Null | Json::Float(_)) => None,
        (_, Json::Text(_)) => Some(Json::text(trimmed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_text_is_read_by_the_kind() {
        assert_eq!(read(" 30 ", &FieldKind::Int, &Json::Int(14)), Some(Json::Int(30)));
        let wide = Json::text("9007199254740993");
        assert_eq!(read("9007199254740993", &FieldKind::Int, &wide), Some(wide.clone()));
        assert_eq!(read("x", &FieldKind::Int, &Json::Int(14)), None);
        let set = Json::List(vec![Json::text("a"), Json::text("b")]);
        assert_eq!(read("{a, b}", &FieldKind::Set, &Json::List(vec![])), Some(set));
        assert_eq!(read("c", &FieldKind::Choice(vec!["a".to_owned()]), &Json::text("a")), None);
    }
}
