//! CPU per frame without a renderer: layout and tessellation, as thread time. `cargo bench -p decidendi-gui --bench frame`
//!
//! Bounds: 8 ms with 20,000 rows or 100,000 points, 4 ms while turning the cube.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks on the terminal")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::dialog::FakePicker;
use decidendi_gui::desk::persist::Store;
use decidendi_gui::wings::judgment::actions::GO_JUDGMENTS;
use decidendi_gui::wings::judgment::command::CaseCommand;
use decidendi_gui::wings::step_value::command::StepCommand;
use decidendi_gui::{App, Options};
use egui::{Context, Event, Pos2, RawInput, Rect, Vec2};

const ROWS: usize = 20_000;

struct Bench {
    ctx: Context,
    app: App,
    time: f64,
}

impl Bench {
    fn new(options: Options) -> Self {
        let ctx = Context::default();
        let app = App::new(&ctx, options);
        Self { ctx, app, time: 0.0 }
    }

    /// One frame; gives the CPU time of layout and of tessellation.
    fn frame(&mut self, events: Vec<Event>) -> (Duration, Duration) {
        self.time += 1.0 / 60.0;
        let screen = Rect::from_min_size(Pos2::ZERO, Vec2::new(1440.0, 900.0));
        let input = RawInput { screen_rect: Some(screen), time: Some(self.time), events, ..RawInput::default() };
        let start = cpu();
        self.app.think(&self.ctx);
        let app = &mut self.app;
        let mut output = self.ctx.run_ui(input, |ui| app.draw(ui));
        let laid_out = cpu();
        output.textures_delta.clear();
        let primitives = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let end = cpu();
        std::hint::black_box(primitives.len());
        (laid_out - start, end - laid_out)
    }

    fn settle(&mut self, until: impl Fn(&App) -> bool) {
        let from = Instant::now();
        while !until(&self.app) && from.elapsed() < Duration::from_secs(120) {
            self.frame(Vec::new());
            std::thread::sleep(Duration::from_millis(4));
        }
        for _ in 0..5 {
            self.frame(Vec::new());
        }
    }
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or_default())
}

fn report(name: &str, bound: f64, frames: &mut [(Duration, Duration)]) {
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    frames.sort_by_key(|(a, b)| *a + *b);
    let at = |q: f64| frames[((frames.len() - 1) as f64 * q) as usize];
    let (median, slow) = (at(0.5), at(0.95));
    println!(
        "{name:32} median {:5.2} ms (layout {:.2} + tessellation {:.2})   95 % {:5.2} ms   bound {bound} ms",
        ms(median.0 + median.1),
        ms(median.0),
        ms(median.1),
        ms(slow.0 + slow.1),
    );
}

fn main() {
    let scratch = match tempfile::tempdir() {
        Ok(scratch) => scratch,
        Err(why) => {
            eprintln!("no scratch folder: {why}");
            std::process::exit(2);
        }
    };
    let options =
        |path| Options { path, store: Store::at(scratch.path().join("config")), picker: Arc::new(FakePicker(None)) };

    let mut bench = Bench::new(options(None));
    bench.settle(|a| a.state().wings.judgment.open.is_some() && a.state().jobs.is_empty());
    let mut frames: Vec<_> = (0..300)
        .map(|i| {
            bench.app.ask(Command::wing(CaseCommand::Turn(i as f32 * 0.02, 0.26 + (i as f32 * 0.01).sin() * 0.3)));
            bench.frame(Vec::new())
        })
        .collect();
    report("turning the cube", 4.0, &mut frames);
    let mut frames: Vec<_> =
        (0..300).map(|i| bench.frame(vec![Event::PointerMoved(Pos2::new(300.0 + i as f32, 400.0))])).collect();
    report("case page, pointer moving", 8.0, &mut frames);

    panning(scratch.path(), options);

    let many = scratch.path().join("many.jsonl");
    if let Err(why) = std::fs::write(&many, cases()) {
        eprintln!("{why}");
        std::process::exit(2);
    }
    opening(|| Bench::new(options(Some(many.clone()))));
    let mut bench = Bench::new(options(Some(many)));
    bench.settle(|a| a.state().wings.judgment.book.judged == ROWS);
    bench.app.ask(Command::Do(&GO_JUDGMENTS));
    bench.settle(|_| true);
    let at = Pos2::new(900.0, 500.0);
    let mut frames: Vec<_> = (0..300)
        .map(|i| {
            let down = if i % 120 < 60 { -90.0 } else { 90.0 };
            let wheel = Event::MouseWheel {
                unit: egui::MouseWheelUnit::Point,
                delta: Vec2::new(0.0, down),
                phase: egui::TouchPhase::Move,
                source: egui::MouseWheelSource::Wheel,
                modifiers: egui::Modifiers::NONE,
            };
            bench.frame(vec![Event::PointerMoved(at), wheel])
        })
        .collect();
    report("scrolling 20,000 rows", 8.0, &mut frames);
}

/// The scatter of a study of 100,000 steps: dragged, zoomed, pointed at.
fn panning(scratch: &std::path::Path, options: impl Fn(Option<std::path::PathBuf>) -> Options) {
    let folder = scratch.join("study");
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join("study.json"), study()))
        .and_then(|()| std::fs::write(folder.join("scores.jsonl"), scores()));
    if let Err(why) = written {
        eprintln!("{why}");
        std::process::exit(2);
    }
    let mut slowest = Duration::ZERO;
    for pause in [50, 200, 400, 600, 800, 1000, 1200, 1400, 1600] {
        let mut bench = Bench::new(options(Some(folder.clone())));
        std::thread::sleep(Duration::from_millis(pause));
        bench.frame(Vec::new());
        let asked = Instant::now();
        for job in bench.app.state().jobs.iter().map(|j| j.id).collect::<Vec<_>>() {
            bench.app.ask(Command::Cancel(job));
        }
        while bench.app.state().wings.step.opening.is_some() {
            bench.frame(Vec::new());
            std::thread::sleep(Duration::from_millis(1));
        }
        slowest = slowest.max(asked.elapsed());
    }
    println!("{:32} {:5.0} ms   bound 200 ms", "Cancel of a study, slowest of 9", slowest.as_secs_f64() * 1e3);
    let from = Instant::now();
    let mut bench = Bench::new(options(Some(folder)));
    bench.settle(|a| a.state().wings.step.open.is_some() && a.state().jobs.is_empty());
    println!("{:32} {:5.0} ms", "100,000 steps read, drawn after", from.elapsed().as_secs_f64() * 1e3);
    let center = Pos2::new(1080.0, 420.0);
    let press = |pressed| Event::PointerButton {
        pos: center,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    for zoom in [1.0_f32, 3.0, 30.0] {
        let camera = decidendi_gui::wings::step_value::state::cloud::Camera { center: [0.4 / zoom, 0.3 / zoom], zoom };
        bench.app.ask(Command::wing(StepCommand::Camera(Some(camera))));
        bench.frame(vec![Event::PointerMoved(center)]);
        bench.frame(vec![press(true)]);
        let mut frames: Vec<_> = (0..300)
            .map(|i| {
                let turn = i as f32 * 0.1;
                bench.frame(vec![Event::PointerMoved(center + Vec2::new(turn.cos() * 90.0, turn.sin() * 60.0))])
            })
            .collect();
        bench.frame(vec![press(false)]);
        report(&format!("panning 100,000 points at {zoom}x"), 8.0, &mut frames);
    }
    bench.app.ask(Command::wing(StepCommand::Camera(None)));
    bench.frame(Vec::new());
    let mut frames: Vec<_> = (0..300)
        .map(|i| bench.frame(vec![Event::PointerMoved(Pos2::new(800.0 + i as f32, 300.0 + i as f32 * 0.5))]))
        .collect();
    report("pointing at 100,000 points", 8.0, &mut frames);
    let mut frames: Vec<_> = (0..200)
        .map(|i| {
            bench.app.ask(Command::wing(StepCommand::Camera(Some(
                decidendi_gui::wings::step_value::state::cloud::Camera {
                    center: [0.0; 2],
                    zoom: 1.0 + i as f32 * 0.05,
                },
            ))));
            bench.frame(Vec::new())
        })
        .collect();
    report("zooming 100,000 points", 8.0, &mut frames);
    bench.app.ask(Command::wing(StepCommand::Camera(None)));
    let mut frames: Vec<_> = (0..200)
        .map(|i| {
            bench.app.ask(Command::wing(StepCommand::Lambda(f64::from(i) / 200.0)));
            bench.frame(Vec::new())
        })
        .collect();
    report("pooling slider, 100,000 points", 8.0, &mut frames);
}

/// 100,000 steps of 1,000 trajectories.
const STEPS: usize = 100_000;

fn study() -> String {
    let channel = |id: &str| {
        format!(
            r#"{{"id":"{id}","readout":"joint","view":"none","authority":"neutral","stack":"m","temperature":"1","logprob_basis":"raw"}}"#
        )
    };
    let mut out = format!(
        r#"{{"format":"decidendi/asv-study@1","id":"many","title":"Many","origin":"simulated","channels":[{},{}],"layouts":{{"kind":"cyclic","count":1}},"waves":[{{"id":0,"weight":"1"}}],"contrasts":[{{"id":"b-a","alternative":"b","reference":"a"}}],"transitions":["#,
        channel("a"),
        channel("b")
    );
    for i in 0..STEPS {
        let comma = if i == 0 { "" } else { "," };
        let (trajectory, success) = (i / 100, (i / 100) % 3 == 0);
        out.push_str(&format!(
            r#"{comma}{{"id":"t{i:06}","trajectory":"w{trajectory:04}","step":{},"target":"x","success":{success},"candidates":["x","y"],"before":"s{i}","after":"s{}"}}"#,
            i % 100,
            i + 1
        ));
    }
    out.push_str("]}");
    out
}

/// Gains spread over four orders of magnitude, in both signs.
fn scores() -> String {
    let mut out = String::with_capacity(STEPS * 4 * 120);
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for i in 0..STEPS {
        for channel in ["a", "b"] {
            let gain = 10_f64.powf(next() * 3.0 - 2.0) * if next() < 0.5 { -1.0 } else { 1.0 };
            for (state, margin) in [("before", 0.0), ("after", gain)] {
                out.push_str(&format!(
                    "{{\"transition\":\"t{i:06}\",\"state\":\"{state}\",\"channel\":\"{channel}\",\"layout\":0,\"wave\":0,\"logprobs\":{{\"x\":{:.6},\"y\":{:.6}}}}}\n",
                    margin - 20.0,
                    -20.0
                ));
            }
        }
    }
    out
}

/// Opening a file of 20,000 cases: when the list is drawn, how soon a stop is obeyed, when all is executed, the memory.
fn opening(open: impl Fn() -> Bench) {
    let ms = |from: Instant| from.elapsed().as_secs_f64() * 1e3;
    let from = Instant::now();
    let mut bench = open();
    while bench.app.state().wings.judgment.book.rows.len() < ROWS {
        bench.frame(Vec::new());
        std::thread::sleep(Duration::from_millis(1));
    }
    bench.frame(Vec::new());
    println!("{:32} {:5.0} ms   bound 150 ms", "20,000 cases listed after", ms(from));
    while bench.app.state().wings.judgment.book.judged == 0 {
        bench.frame(Vec::new());
    }
    let asked = Instant::now();
    for job in bench.app.state().jobs.iter().map(|j| j.id).collect::<Vec<_>>() {
        bench.app.ask(Command::Cancel(job));
    }
    while !bench.app.state().jobs.is_empty() {
        bench.frame(Vec::new());
    }
    let done = bench.app.state().wings.judgment.book.judged;
    println!("{:32} {:5.0} ms   bound 200 ms ({done} executed)", "Cancel obeyed after", ms(asked));
    drop(bench);
    let from = Instant::now();
    let mut bench = open();
    while bench.app.state().wings.judgment.book.judged < ROWS {
        bench.frame(Vec::new());
        std::thread::sleep(Duration::from_millis(16));
    }
    println!("{:32} {:5.0} ms", "20,000 cases executed after", ms(from));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|l| l.starts_with("VmRSS") || l.starts_with("VmHWM")) {
        println!("{:32} {line}   bound 250 MB", "memory with 20,000 cases");
    }
}

/// About 54 MB of cases.
fn cases() -> String {
    let mut out = String::new();
    let summary = "Goods are sent back within the window of the policy that was in force. ".repeat(27);
    for i in 0..ROWS {
        let (days, window) = (10 + i % 23, 14 + (i / 7) % 9);
        let rules = r#""rules":[{"id":"w","when":"days <= window","then":"approve"}],"default":"deny""#;
        let grants = r#"{"grants":[{"norm":"*","actor":["agent"]}]}"#;
        out.push_str(&format!(
            r#"{{"format":"decidendi/case@1","id":"return-{i:05}","unit":"retail-{:02}","title":"Return no. {i}","summary":"{summary}","context":{{"actor":"agent"}},"adjudicator":{{"engine":"rules"}},"interface":{{"grounds":{{"days":{{"type":"int"}}}},"parameters":{{"window":{{"type":"int"}}}}}},"sources":[{{"name":"grounds","old":{{"days":{days}}},"new":{{"days":{}}}}},{{"name":"norms","old":{{"parameters":{{"window":{window}}},{rules}}},"new":{{"parameters":{{"window":{}}},{rules}}}}},{{"name":"authority","old":{grants},"new":{grants}}}]}}"#,
            i % 12,
            days.saturating_sub(i % 5),
            window + i % 4,
        ));
        out.push('\n');
    }
    out
}
