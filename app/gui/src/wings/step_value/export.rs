//! What a study is written as: the report in Markdown, the transitions as CSV, face and scatter as SVG and PNG. All from
//! the values on the screen; the same study gives the same bytes.

use decidendi_core::report::step_value::{interval, sign_word, signed, step_value_csv, step_value_markdown};
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::study::Moment;
use egui::{Align2, Rect, pos2, vec2};

use super::plot::{Plot, counts, mark, mean_mark};
use super::state::cloud::Camera;
use super::state::{OpenStudy, StepFlag, StepFormat};
use crate::parts::{group, trajectories};
use crate::shared::picture::measure;
use crate::shared::picture::{png, svg};
use crate::theme::Palette;
use crate::widgets::drawing::{Dash, Drawing, wrap};
use crate::widgets::face::{Model, layout, moment, sentence};
use crate::widgets::ink::{Ink, Type};

const WIDTH: f32 = 720.0;
const PAD: f32 = 28.0;

/// The bytes of a format.
///
/// # Errors
/// Where there is nothing to draw: why.
pub fn render(open: &OpenStudy, format: StepFormat, palette: &Palette) -> Result<Vec<u8>, String> {
    let (study, scores) = (&open.data.loaded.study, &open.data.loaded.scores);
    let drawn = |drawing: Result<Drawing, String>| {
        drawing.map(|drawing| svg(&drawing, palette, &format!("{}: {}", study.title(), format.name())))
    };
    match format {
        StepFormat::Certificate => open
            .certificate()
            .map(|held| held.bytes.to_vec())
            .ok_or_else(|| "Certify the signs first (Ctrl Enter).".to_owned()),
        StepFormat::Markdown => Ok(step_value_markdown(study, scores, &open.data.report).into_bytes()),
        StepFormat::Csv => Ok(step_value_csv(study, &open.data.report).into_bytes()),
        StepFormat::FaceSvg => drawn(face(open)).map(String::into_bytes),
        StepFormat::FacePng => drawn(face(open)).and_then(|svg| png::png(&svg, 2.0)),
        StepFormat::ScatterSvg => drawn(scatter(open)).map(String::into_bytes),
        StepFormat::ScatterPng => drawn(scatter(open)).and_then(|svg| png::png(&svg, 2.0)),
    }
}

/// The file's name: the study's id, with the transition's for a face.
#[must_use]
pub fn file_name(open: &OpenStudy, format: StepFormat) -> String {
    if format == StepFormat::Certificate
        && let Some(held) = open.certificate()
    {
        return held.file.clone();
    }
    let id = &open.study().id;
    let of_step = matches!(format, StepFormat::FaceSvg | StepFormat::FacePng);
    let id = match open.transition().filter(|_| of_step) {
        Some(step) => format!("{id}-{}", step.id),
        None => id.clone(),
    };
    format!("{}.{}", decidendi_files::names::file_stem(&id), format.ending())
}

/// Face of the selected transition and the means, for the clipboard.
#[must_use]
pub fn face_markdown(open: &OpenStudy) -> String {
    let study = open.study();
    let mut text = format!("# {}\n", study.title());
    let names = [Side::Reference, Side::Alternative].map(|side| open.channel(side));
    if let (Some(step), Some(face)) = (open.transition(), open.face()) {
        text.push_str(&format!("\n## Transition {}\n\n", step.id));
        text.push_str(&format!(
            "| channel | F({}) | F({}) | G | certified sign |\n",
            moment(Moment::Before),
            moment(Moment::After)
        ));
        text.push_str("| --- | ---: | ---: | ---: | --- |\n");
        for side in Side::BOTH {
            let corner = |at| face.corner(side, at).map_or_else(|| "not identified".to_owned(), |m| signed(m.value));
            let gain = face.gain(side);
            text.push_str(&format!(
                "| {} | {} | {} | {} | {} |\n",
                names[side as usize],
                corner(Moment::Before),
                corner(Moment::After),
                gain.map_or_else(|| "not identified".to_owned(), |m| signed(m.value)),
                gain.map_or("", |m| sign_word(m.sign()))
            ));
        }
        let omega = face.omega().map_or_else(|| "not identified".to_owned(), |m| signed(m.value));
        text.push_str(&format!("\nΩ {omega}: {}.\n", sentence(&face)));
    }
    if let Some(report) = open.report() {
        text.push_str(&format!(
            "\n## Means over {} of {} transitions, {}\n\n| mean | estimate | 95 % interval | certified sign |\n| --- | ---: | --- | --- |\n",
            group(report.cohort.members().len()),
            group(study.transitions.len()),
            trajectories(report.cohort.trajectories().len())
        ));
        let effects = [
            (format!("G {}", names[0]), report.gain(Side::Reference)),
            (format!("G {}", names[1]), report.gain(Side::Alternative)),
            ("Ω".to_owned(), report.omega),
        ];
        for (name, effect) in effects {
            let cells = effect.map_or_else(
                || "not identified | | ".to_owned(),
                |e| {
                    format!(
                        "{} | {} | {}",
                        signed(e.estimate.value),
                        interval(e.estimate.lo, e.estimate.hi),
                        sign_word(e.sign)
                    )
                },
            );
            text.push_str(&format!("| {name} | {cells} |\n"));
        }
    }
    text.push_str(&format!("\nStudy `{}`, scores `{}`.\n", study.digest, open.data.loaded.scores.digest()));
    text
}

/// The face as a page.
fn face(open: &OpenStudy) -> Result<Drawing, String> {
    let face = open.face().ok_or("The study declares no contrast, so there is no face to draw.")?;
    let mut measure = measure();
    let mut d = Drawing::new(vec2(WIDTH, 0.0));
    let step = open.transition().map_or("", |step| step.id.as_str());
    let mut y = head(open, &format!("Transition {step}"), &mut d, &mut measure);
    let channels = [Side::Reference, Side::Alternative].map(|side| open.channel(side));
    let size = vec2(WIDTH - 2.0 * PAD, 280.0);
    let laid = layout(&Model { face, channels, selected: None }, size, &mut measure);
    d.place(&laid.drawing, vec2(PAD, y));
    y += size.y + 20.0;
    foot(open, y, &mut d, &mut measure);
    Ok(d)
}

/// The scatter as a page, with every point that a reader could tell apart.
fn scatter(open: &OpenStudy) -> Result<Drawing, String> {
    let population = open.population().filter(|p| !p.cloud.points().is_empty());
    let population = population.ok_or("No transition is complete in both channels, so there is no point to draw.")?;
    let cloud = &population.cloud;
    let mut measure = measure();
    let mut d = Drawing::new(vec2(WIDTH, 0.0));
    let mut y = head(open, "Population", &mut d, &mut measure);
    let rect = Rect::from_min_size(pos2(PAD, y), vec2(WIDTH - 2.0 * PAD, 520.0));
    let plot = Plot::new(cloud, rect, Camera::default());
    let names = [Side::Reference, Side::Alternative].map(|side| open.channel(side));
    d.place(&plot.ground(names, &mut measure), vec2(0.0, 0.0));
    d.place(&plot.names(&population.counts, &mut measure), vec2(0.0, 0.0));
    let mut kept = cloud.thinned([1.0 / plot.scale.x, 1.0 / plot.scale.y]);
    let rank = |point: &u32| match cloud.points()[*point as usize].flag {
        StepFlag::Same | StepFlag::Incomplete => 0,
        StepFlag::Touching => 1,
        _ => 2,
    };
    kept.sort_by_key(rank);
    for point in kept {
        plot.mark(&cloud.points()[point as usize], cloud.place_of(point as usize), &mut d);
    }
    let means = Side::BOTH.map(|side| open.report().and_then(|r| r.gain(side)));
    if let [Some(a), Some(b)] = means {
        let at = plot.at(cloud.place([a.estimate.value, b.estimate.value]));
        mean_mark(at, 7.5, &mut d);
    }
    y = rect.bottom() + 14.0;
    let mut x = PAD;
    for (flag, words) in StepFlag::ALL.into_iter().zip(counts(&population.counts)) {
        let width = measure(&words, Type::sans(12.0)).x;
        mark(flag, pos2(x + 4.0, y), &mut d);
        d.words(pos2(x + 14.0, y), Align2::LEFT_CENTER, words, Type::sans(12.0), Ink::Muted);
        x += width + 34.0;
    }
    y += 22.0;
    foot(open, y, &mut d, &mut measure);
    Ok(d)
}

type Ruler<'m> = dyn FnMut(&str, Type) -> egui::Vec2 + 'm;

fn head(open: &OpenStudy, title: &str, d: &mut Drawing, measure: &mut Ruler<'_>) -> f32 {
    let mut y = PAD;
    for line in wrap(open.study().title(), WIDTH - 2.0 * PAD, Type::sans(13.0), measure) {
        d.words(pos2(PAD, y), Align2::LEFT_TOP, line, Type::sans(13.0), Ink::Muted);
        y += 19.0;
    }
    d.words(pos2(PAD, y), Align2::LEFT_TOP, title, Type::bold(18.0), Ink::Text);
    y + 38.0
}

fn foot(open: &OpenStudy, y: f32, d: &mut Drawing, measure: &mut Ruler<'_>) {
    let study = open.study();
    d.line(vec![pos2(PAD, y), pos2(WIDTH - PAD, y)], 1.0, Ink::Stroke, Dash::Solid);
    let mut lines = Vec::new();
    if let Some(report) = open.report() {
        lines.push(format!(
            "{} of {} transitions complete, {}",
            group(report.cohort.members().len()),
            group(study.transitions.len()),
            trajectories(report.cohort.trajectories().len())
        ));
        for (name, effect) in [("Ω", report.omega)] {
            if let Some(e) = effect {
                lines.push(format!(
                    "mean {name} {} {}",
                    signed(e.estimate.value),
                    interval(e.estimate.lo, e.estimate.hi)
                ));
            }
        }
    }
    lines.push(format!("origin {}", study.origin.word()));
    lines.push(format!("study {}", study.digest));
    lines.push(format!("scores {}", open.data.loaded.scores.digest()));
    let mut y = y + 12.0;
    for line in lines {
        for piece in wrap(&line, WIDTH - 2.0 * PAD, Type::mono(11.0), measure) {
            d.words(pos2(PAD, y), Align2::LEFT_TOP, piece, Type::mono(11.0), Ink::Muted);
            y += 17.0;
        }
    }
    d.size.y = (y + PAD - 8.0).ceil();
}
