//! `decidendi asv STUDY [--draws N] [--seed S] [--json]`.

use decidendi_core::report::step_value::{step_value_json, step_value_text};
use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::walk::{Report, analyse};

use crate::args::Asv;
use crate::exit::Exit;
use crate::print::{self, Out};
use crate::progress::{self, Progress};
use crate::study::{LoadedStudy, StudyLoadError, load_study};

pub fn run(args: &Asv) -> Exit {
    progress::listen();
    match report(args) {
        Ok((loaded, report)) => show(args, &loaded, &report),
        Err(StudyLoadError::Cancelled(_)) => Exit::Interrupted,
        Err(error) => {
            print::error(&error);
            Exit::BadInput
        }
    }
}

fn report(args: &Asv) -> Result<(LoadedStudy, Report), StudyLoadError> {
    let loaded = load_study(&args.study, &Progress::new("bytes of scores read:"))?;
    let sampling = Sampling { draws: args.draws, seed: args.seed };
    let report = analyse(&loaded.study, &loaded.scores, sampling, &Progress::new("worked out:"))?;
    Ok((loaded, report))
}

fn show(args: &Asv, loaded: &LoadedStudy, report: &Report) -> Exit {
    for notice in &loaded.study.notices {
        print::message(&format!("note: {}: {}: {}", loaded.path.display(), notice.path, notice.text));
    }
    let mut out = Out::default();
    if args.json {
        step_value_json(&loaded.study, &loaded.scores, report, &mut |piece| out.text(piece));
        out.line("");
    } else {
        out.text(&step_value_text(&loaded.study, &loaded.scores, report));
    }
    out.finish(if report.complete() == 0 { Exit::Inconclusive } else { Exit::Holds })
}
