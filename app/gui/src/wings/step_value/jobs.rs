//! Reading and analysing a study, and looking which studies a casebook holds.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::report::step_value::{Section, sections};
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::step_value::certificate::{Scope, StepCertificate};
use decidendi_core::step_value::face::Face;
use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::scalars::missing;
use decidendi_core::step_value::scores::{ScoreFaults, ScoreReader};
use decidendi_core::step_value::study::{Contrast, Study};
use decidendi_core::step_value::verify::{Against, verify};
use decidendi_core::step_value::walk::{Report, analyse, open_study};
use decidendi_core::watch::{Cancelled, Watch};
use decidendi_files::study::{LoadedStudy, SCORES, STUDY, StudyLoadError, is_study, load_study};
use decidendi_files::{io, look, names};

use super::state::cloud::{Cloud, Point};
use super::state::{Analysed, CHANGED, Certified, Excluded, Population, StepFlag, StudyEntry, StudyFault, StudyPlace};
use crate::desk::jobs::{Answer, Handle};
use crate::parts::grouped;
use crate::shared::shipped;
use crate::shared::signing::{NotSigned, Sealed, SignWith, sign};
use crate::shared::stamp::Stamp;
use crate::wings::step_value::answer::StepAnswer;

/// Bytes of scores that are read at a time: a stop is obeyed between two pieces.
const PIECE: usize = 1 << 18;
/// How deep a casebook's folders are looked through.
const DEPTH: u8 = 3;
/// How many studies are listed.
const LISTED: usize = 200;
/// How many faults of a score file are shown.
const FAULTS: usize = 200;

/// Reads a study with its scores and works everything out.
pub fn open(place: StudyPlace, handle: &Handle) -> Answer {
    // Before reading: what changes meanwhile is then found later.
    let stamp = match &place {
        StudyPlace::Shipped(_) => None,
        StudyPlace::Disk(path) => {
            let document = if look::is_folder(path) { path.join(STUDY) } else { path.clone() };
            let scores = document.with_file_name(SCORES);
            Some(Stamp::of([document.as_path(), scores.as_path()]))
        }
    };
    let loaded = match load(&place, handle) {
        Ok(loaded) => loaded,
        Err(StudyLoadError::Cancelled(_)) => return Answer::Cancelled,
        Err(why) => return StepAnswer::StudyFailed(fault(place, &why), stamp).into(),
    };
    match analysed(place, loaded, handle) {
        Ok(analysed) => StepAnswer::Study(Box::new(Analysed { stamp, ..analysed })).into(),
        Err(Cancelled) => Answer::Cancelled,
    }
}

/// Reads a study with its scores.
///
/// # Errors
/// [`StudyLoadError`].
pub fn load(place: &StudyPlace, watch: &dyn Watch) -> Result<LoadedStudy, StudyLoadError> {
    match place {
        StudyPlace::Disk(path) => load_study(path, watch),
        StudyPlace::Shipped(folder) => load_shipped(folder, watch),
    }
}

/// Certifies the signs of one transition or of all, with the key or with a new one made for it, and verifies at once with a
/// full replay from the returned log-probabilities.
pub fn certify(data: &Analysed, what: Certified, with: SignWith, handle: &Handle) -> StepAnswer {
    // Before a key is made or asked for: a certificate of bytes that are gone could not be replayed.
    if data.is_outdated() {
        return StepAnswer::Certified(Err(NotSigned::Refused(CHANGED.to_owned())));
    }
    let (study, scores) = (&data.loaded.study, &data.loaded.scores);
    let scope = match what.and_then(|at| study.transitions.get(at)) {
        Some(step) => Scope::Transition(step.id.clone()),
        None => Scope::Study,
    };
    let done = sign(
        with,
        |secret| {
            let certificate = StepCertificate::bind(study, scores, &data.report, scope, None);
            let certificate = certificate.map_err(|why| NotSigned::Refused(why.to_string()))?;
            let file = format!("{}.asv.cert.json", names::file_stem(&certificate.name()));
            Ok(Sealed { bytes: certificate.sign(&[secret]), file, of: vec![study.digest, scores.digest()] })
        },
        |trust, bytes| {
            let against = Against { trust: Some(trust), study: Some((study, scores)) };
            let found = verify("certificate", bytes, against, handle)?;
            Ok((found.verdict, found.state, ()))
        },
    );
    StepAnswer::Certified(done)
}

fn load_shipped(folder: &'static str, watch: &dyn Watch) -> Result<LoadedStudy, StudyLoadError> {
    let document = shipped::study(folder).unwrap_or_default();
    // What does not unpack lacks rows, and the report then says which.
    let rows = shipped::scores(folder).unwrap_or_default();
    let path = format!("sample_cases/{folder}/{STUDY}");
    let study = open_study(&path, document.as_bytes())?;
    let mut reader = ScoreReader::new(&study, &format!("sample_cases/{folder}/{SCORES}"))?;
    let mut done = 0;
    for piece in rows.chunks(PIECE) {
        reader.feed(piece);
        done += piece.len() as u64;
        if watch.step(done, rows.len() as u64).is_break() {
            return Err(Cancelled.into());
        }
    }
    Ok(LoadedStudy { path: PathBuf::from(path), scores: reader.finish()?, study })
}

fn fault(place: StudyPlace, why: &StudyLoadError) -> StudyFault {
    match why {
        StudyLoadError::Scores(ScoreFaults { faults, total }) => StudyFault {
            place,
            what: format!(
                "The score file is not used: {} of its rows cannot be taken. Mend them and open it again.",
                grouped(&total.to_string())
            ),
            faults: faults.iter().take(FAULTS).map(|fault| (fault.place.to_string(), fault.what.clone())).collect(),
            total: *total,
        },
        other => StudyFault { place, what: other.to_string(), faults: Vec::new(), total: 1 },
    }
}

fn analysed(place: StudyPlace, loaded: LoadedStudy, watch: &dyn Watch) -> Result<Analysed, Cancelled> {
    let report = analyse(&loaded.study, &loaded.scores, Sampling::default(), watch)?;
    let contrasts = contrasts(&loaded.study);
    let populations = contrasts.iter().map(|contrast| population(&report, &loaded.study, contrast)).collect();
    let excluded = excluded(&loaded, watch)?;
    let mut sections = sections(&loaded.study, &loaded.scores, &report).into_iter();
    let account = sections.next();
    // The account is followed by the contrasts, of which each says its flips first, then the reversal.
    let reversals = sections.take(report.contrasts.len()).filter_map(|section| section.lines.into_iter().nth(1));
    let reversals = reversals.collect();
    let account = account.map(|Section { title, cohort, rows, lines }| {
        let lines = lines.iter().map(|line| grouped(line)).collect();
        Section { title, cohort: grouped(&cohort), rows, lines }
    });
    Ok(Analysed {
        place,
        report: Arc::new(report),
        contrasts: Arc::new(contrasts),
        populations: Arc::new(populations),
        reversals: Arc::new(reversals),
        account: account.map(Arc::new),
        excluded: Arc::new(excluded),
        stamp: None,
        loaded: Arc::new(loaded),
    })
}

/// What a face can be drawn of: the declared contrasts, then the vertices of the bridge that none of them is.
fn contrasts(study: &Study) -> Vec<Contrast> {
    let mut all = study.contrasts.clone();
    for vertex in &study.bridge {
        let of = |c: &Contrast| (c.alternative, c.reference) == (vertex.alternative, vertex.reference);
        if !all.iter().any(of) {
            let (alternative, reference) = (vertex.alternative, vertex.reference);
            all.push(Contrast { id: vertex.name.clone(), alternative, reference });
        }
    }
    all
}

fn population(report: &Report, study: &Study, contrast: &Contrast) -> Population {
    let mut population = Population::default();
    let mut points = Vec::new();
    for transition in 0..study.transitions.len() {
        let face = Face::of(&report.scalars, transition, contrast);
        let flag = StepFlag::of(&face);
        population.flags.push(flag);
        population.counts[flag as usize] += 1;
        let gains = decidendi_core::step_value::face::Side::BOTH.map(|side| face.gain(side).map(|m| m.value));
        if let ([Some(x), Some(y)], Ok(transition)) = (gains, u32::try_from(transition)) {
            points.push(Point { transition, flag, gains: [x, y] });
        }
    }
    population.cloud = Arc::new(Cloud::new(points));
    population
}

fn excluded(loaded: &LoadedStudy, watch: &dyn Watch) -> Result<Vec<Excluded>, Cancelled> {
    let channels: Vec<usize> = (0..loaded.study.channels.len()).collect();
    let steps = loaded.study.transitions.len();
    let mut excluded = Vec::new();
    for transition in 0..steps {
        if transition % 1024 == 0 && watch.step(transition as u64, steps as u64).is_break() {
            return Err(Cancelled);
        }
        let mut all = missing(&loaded.study, &loaded.scores, transition, &channels);
        if let Some(first) = all.next() {
            excluded.push(Excluded { transition, missing: 1 + all.count(), first });
        }
    }
    Ok(excluded)
}

/// The studies of a casebook: the shipped ones, or those below a folder.
pub fn studies(book: Option<PathBuf>, handle: &Handle) -> Answer {
    let mut shelf = Vec::new();
    match book {
        None => {
            for folder in shipped::studies() {
                let document = shipped::study(folder).unwrap_or_default();
                shelf.push(entry(StudyPlace::Shipped(folder), folder, document.as_bytes()));
            }
        }
        Some(path) if look::is_folder(&path) => below(&path, DEPTH, handle, &mut shelf),
        Some(_) => {}
    }
    if handle.is_cancelled() { Answer::Cancelled } else { StepAnswer::Studies(shelf).into() }
}

fn below(folder: &Path, depth: u8, handle: &Handle, shelf: &mut Vec<StudyEntry>) {
    if handle.is_cancelled() || shelf.len() >= LISTED {
        return;
    }
    if is_study(folder) {
        let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let bytes = io::read(&folder.join(STUDY), DOCUMENT_BYTES).unwrap_or_default();
        shelf.push(entry(StudyPlace::Disk(folder.to_owned()), &name, &bytes));
    }
    if depth == 0 {
        return;
    }
    for folder in look::folders_in(folder) {
        below(&folder, depth - 1, handle, shelf);
    }
}

/// A study that does not read is listed all the same: opening it says what is wrong.
fn entry(place: StudyPlace, name: &str, document: &[u8]) -> StudyEntry {
    match open_study(name, document) {
        Ok(study) => StudyEntry {
            place,
            id: study.id.clone(),
            title: study.title().to_owned(),
            transitions: study.transitions.len(),
        },
        Err(_) => StudyEntry { place, id: String::new(), title: name.to_owned(), transitions: 0 },
    }
}
