//! `decidendi inspect CASE… [--json]`.

use std::collections::VecDeque;

use decidendi_core::judgment::result::{Judgment, Outcome};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::report::{case_text, inspect_line, json_line};
use decidendi_core::seal::json::Json;
use decidendi_files::load::{Inputs, LoadError, Loaded};
use decidendi_files::parallel;

use crate::args::Inspect;
use crate::exit::Exit;
use crate::print::{self, Out};
use crate::progress::{self, Progress};
use crate::stream::{HELD, Item, Rejections, chunks, rejected_line, source_fields};

pub fn run(args: &Inspect) -> Exit {
    progress::listen_soon();
    let mut workers = parallel::compilers(args.threads, args.budget);
    let (mut out, mut exit, mut done) = (Out::new(args.json), Exit::Holds, 0);
    let (progress, mut rejections) = (Progress::new("inspected"), Rejections::default());
    let mut chunks = chunks(Inputs::new(&args.cases));
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Some(chunk) = chunks.next() else { break };
            waiting.extend(chunk);
        }
        let work = |compiler: &mut Compiler, item| show(item, compiler, args.json, &progress);
        for shown in parallel::map_some(&mut waiting, &mut workers, HELD, size, work) {
            let text = match shown {
                Ok(shown) => {
                    shown.notices.iter().for_each(|notice| print::message(notice));
                    if !shown.certifiable {
                        exit = exit.worst(Exit::Inconclusive);
                    }
                    shown.text
                }
                Err(LoadError::Cancelled(_)) => return out.finish(Exit::Interrupted),
                Err(error) => {
                    rejections.tell(&error);
                    exit = exit.worst(Exit::BadInput);
                    if !args.json {
                        continue;
                    }
                    rejected_line(&error)
                }
            };
            if done > 0 && !args.json {
                out.line("");
            }
            done += 1;
            out.text(&text);
            if rejections.is_full() {
                break;
            }
        }
        // A reader of a stream sees each chunk as soon as it is done.
        out.flush();
        if progress::is_stopped() {
            return out.finish(Exit::Interrupted);
        }
        if out.is_closed() || rejections.is_full() {
            break;
        }
        progress.show(done, 0);
    }
    drop(progress);
    rejections.finish();
    out.finish(exit)
}

fn size(shown: &Result<Shown, LoadError>) -> usize {
    shown.as_ref().map_or(0, |shown| shown.text.len() + shown.notices.iter().map(String::len).sum::<usize>())
}

struct Shown {
    text: String,
    notices: Vec<String>,
    certifiable: bool,
}

fn show(item: Item, compiler: &mut Compiler, json: bool, progress: &Progress) -> Result<Shown, LoadError> {
    let loaded = item?.load()?;
    let judgment = loaded.judge(compiler, &progress.inside())?;
    let text = if json { line(&loaded, &judgment) } else { case_text(&loaded.case, &judgment) };
    Ok(Shown { text, notices: notices(&loaded, &judgment), certifiable: judgment.outcome != Outcome::Uncertifiable })
}

/// The result with the place that the case came from in front. The result may be long, so it is not read again for that.
fn line(loaded: &Loaded, judgment: &Judgment) -> String {
    let (file, number) = loaded.file_and_line();
    let mut line = json_line(&Json::map(source_fields(file, number)));
    line.pop();
    line.push_str(", ");
    line.push_str(inspect_line(judgment).get(1..).unwrap_or_default());
    line.push('\n');
    line
}

/// What reading normalised or passed over, and what the engine found odd, one line each.
pub fn notices(loaded: &Loaded, judgment: &Judgment) -> Vec<String> {
    let read = loaded.case.notices().iter().map(|n| (&n.path, &n.text));
    let odd = judgment.remarks.iter().map(|r| (&r.path, &r.text));
    read.chain(odd).map(|(path, text)| format!("note: {}: {path}: {text}", loaded.place())).collect()
}
