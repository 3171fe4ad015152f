//! Cubes of one policy: ours lifted, ours by plain interpretation, and with `--features peers` regorus (compiled to its
//! virtual machine) and cedar-policy, in one run on the same cubes.
//!
//! `cargo bench -p decidendi-benches --bench cube --features peers`. Everything that can be built before is built before,
//! for every engine: ours holds typed inputs and compiled rules, the peers hold a parsed input or request of every hybrid.
//! Timed is what remains for each cube: eight hybrids to a verdict each, and for ours the receipt family as well. Peers get
//! amounts as whole cents, ours exact rationals. All cubes are compared before anything is timed. CPU time, median of
//! interleaved rounds.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark stops when it is wrong")]

use std::hint::black_box;

use decidendi_benches::{Draw, case_lines};
use decidendi_core::judgment::adjudicator::Adjudicator as _;
use decidendi_core::judgment::case::{Artifacts, Case};
use decidendi_core::judgment::expr::Masks;
use decidendi_core::judgment::receipt::minimal_word;
use decidendi_core::judgment::rules::{Cache, Rules, Scratch, prepare};
use decidendi_core::judgment::walk::open_case;
use decidendi_core::watch::Unwatched;

const CUBES: usize = 1_000;
const ROUNDS: usize = 7;

const MERITS: &str = "amount <= cap && !(category in excluded && !(defective && override)) && (days <= window || (tier == favoured && days <= longer))";

/// Old and new values of the three sources of one cube.
struct Policy {
    grounds: [Grounds; 2],
    norms: [Norms; 2],
    authority: [Authority; 2],
    role: &'static str,
    region: &'static str,
}

struct Grounds {
    cents: u64,
    days: u64,
    category: &'static str,
    tier: &'static str,
    defective: bool,
}

struct Norms {
    cap: u64,
    window: u64,
    longer: u64,
    favoured: &'static str,
    excluded: Vec<&'static str>,
    override_: bool,
}

struct Authority {
    roles: Vec<&'static str>,
    regions: Vec<&'static str>,
    limit: u64,
}

const CATEGORIES: [&str; 4] = ["apparel", "electronics", "footwear", "furniture"];
const TIERS: [&str; 3] = ["gold", "plain", "silver"];
const ROLES: [&str; 3] = ["agent", "clerk", "supervisor"];
const REGIONS: [&str; 3] = ["CH", "EU", "US"];

fn pick(draw: &mut Draw, of: &[&'static str]) -> &'static str {
    of[draw.below(of.len() as u64) as usize]
}

fn some(draw: &mut Draw, of: &[&'static str]) -> Vec<&'static str> {
    of.iter().copied().filter(|_| draw.below(3) != 0).collect()
}

fn policy(draw: &mut Draw) -> Policy {
    let mut both = |make: &dyn Fn(&mut Draw) -> Grounds| [make(draw), make(draw)];
    let grounds = both(&|draw| Grounds {
        cents: draw.below(60_000),
        days: draw.below(40),
        category: pick(draw, &CATEGORIES),
        tier: pick(draw, &TIERS),
        defective: draw.below(2) == 0,
    });
    let norms = [(); 2].map(|()| Norms {
        cap: 20_000 + draw.below(40_000),
        window: 10 + draw.below(20),
        longer: 20 + draw.below(30),
        favoured: pick(draw, &TIERS),
        excluded: some(draw, &CATEGORIES),
        override_: draw.below(2) == 0,
    });
    let authority = [(); 2].map(|()| Authority {
        roles: some(draw, &ROLES),
        regions: some(draw, &REGIONS),
        limit: 25_000 + 5_000 * draw.below(8),
    });
    Policy { grounds, norms, authority, role: pick(draw, &ROLES), region: pick(draw, &REGIONS) }
}

fn euro(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// The cube as a case: the scope is the grant, its limit a condition.
fn case(policy: &Policy) -> Case {
    let grounds = policy.grounds.each_ref().map(|g| {
        format!(
            r#"{{"amount":"{}","days":{},"category":"{}","tier":"{}","defective":{}}}"#,
            euro(g.cents),
            g.days,
            g.category,
            g.tier,
            g.defective
        )
    });
    let norms = policy.norms.each_ref().map(|n| {
        format!(
            r#"{{"parameters":{{"cap":"{}","window":{},"longer":{},"favoured":"{}","excluded":{:?},"override":{}}},
                "rules":[{{"id":"merits","when":"{MERITS}","then":"approve"}}],"default":"deny"}}"#,
            euro(n.cap),
            n.window,
            n.longer,
            n.favoured,
            n.excluded,
            n.override_
        )
    });
    let authority = policy.authority.each_ref().map(|a| {
        format!(
            r#"{{"grants":[{{"norm":"*","role":{:?},"region":{:?},"when":"amount <= {}"}}]}}"#,
            a.roles,
            a.regions,
            euro(a.limit)
        )
    });
    let text = format!(
        r#"{{"format":"decidendi/case@1","id":"c","context":{{"role":"{}","region":"{}"}},"adjudicator":{{"engine":"rules"}},
        "interface":{{"grounds":{{"amount":{{"type":"rational"}},"days":{{"type":"int"}},
            "category":{{"type":"enum","values":{CATEGORIES:?}}},"tier":{{"type":"enum","values":{TIERS:?}}},"defective":{{"type":"bool"}}}},
          "parameters":{{"cap":{{"type":"rational"}},"window":{{"type":"int"}},"longer":{{"type":"int"}},
            "favoured":{{"type":"enum","values":{TIERS:?}}},"excluded":{{"type":"set","values":{CATEGORIES:?}}},"override":{{"type":"bool"}}}}}},
        "sources":[{{"name":"grounds","old":{},"new":{}}},{{"name":"norms","old":{},"new":{}}},{{"name":"authority","old":{},"new":{}}}]}}"#,
        policy.role, policy.region, grounds[0], grounds[1], norms[0], norms[1], authority[0], authority[1],
    );
    open_case("cube", text.as_bytes(), &Artifacts::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// What the policy says, written out once more by hand: a = approve, d = deny, r = refer.
fn by_hand(policy: &Policy, cell: usize) -> u8 {
    let g = &policy.grounds[cell & 1];
    let n = &policy.norms[cell >> 1 & 1];
    let a = &policy.authority[cell >> 2 & 1];
    if !(a.roles.contains(&policy.role) && a.regions.contains(&policy.region) && g.cents <= a.limit) {
        return b'r';
    }
    let excluded = n.excluded.contains(&g.category) && !(g.defective && n.override_);
    let in_time = g.days <= n.window || (g.tier == n.favoured && g.days <= n.longer);
    if g.cents <= n.cap && !excluded && in_time { b'a' } else { b'd' }
}

/// The cells of a lifted cube: labels in the order approve, deny, refer.
fn letters(decided: &[u64]) -> Vec<u8> {
    (0..8).map(|cell| b"adr"[decided.iter().position(|w| w >> cell & 1 == 1).expect("a verdict")]).collect()
}

/// Lifted cube and family of one case; the family as a set of masks.
#[inline]
fn judge(rules: &Rules<'_>, masks: &Masks, scratch: &mut Scratch) -> u64 {
    rules.lift(masks, scratch);
    let same_as_new = scratch.decided().iter().copied().find(|w| w >> 7 & 1 == 1).unwrap_or(0) & 0xFF;
    if same_as_new & 1 == 1 { 0 } else { minimal_word(same_as_new, 3) }
}

/// CPU time of this process so far, in nanoseconds. One thread: it is the thread's, too.
fn cpu() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux tells CPU time");
    text.split(' ').next().and_then(|n| n.parse().ok()).expect("a number")
}

struct Row<'r> {
    name: &'static str,
    /// How often the work is repeated in a round, so that a round is long against the clock's steps.
    repeat: usize,
    work: Box<dyn FnMut() + 'r>,
    nanos: Vec<f64>,
}

impl<'r> Row<'r> {
    fn new(name: &'static str, repeat: usize, work: impl FnMut() + 'r) -> Self {
        Self { name, repeat, work: Box::new(work), nanos: Vec::new() }
    }

    fn round(&mut self, cubes: usize) {
        let start = cpu();
        for _ in 0..self.repeat {
            (self.work)();
        }
        self.nanos.push((cpu() - start) as f64 / (self.repeat * cubes) as f64);
    }

    fn median(&mut self) -> f64 {
        self.nanos.sort_by(f64::total_cmp);
        self.nanos[self.nanos.len() / 2]
    }
}

fn main() {
    let mut draw = Draw(11);
    let policies: Vec<Policy> = (0..CUBES).map(|_| policy(&mut draw)).collect();
    let cases: Vec<Case> = policies.iter().map(case).collect();
    let mut cache = Cache::default();
    let rules: Vec<Rules<'_>> =
        cases.iter().map(|c| prepare(c, &mut cache).unwrap_or_else(|e| panic!("{e}"))).collect();
    let masks = Masks::block(0);
    let mut scratch = Scratch::default();
    let mut seen = std::collections::BTreeMap::new();
    for (policy, rules) in policies.iter().zip(&rules) {
        rules.lift(&masks, &mut scratch);
        let cube = letters(scratch.decided());
        assert_eq!(cube, (0..8).map(|cell| by_hand(policy, cell)).collect::<Vec<u8>>());
        *seen.entry(judge(rules, &masks, &mut scratch)).or_insert(0_usize) += 1;
    }
    println!("{CUBES} cubes agree with the policy written out by hand; {} different families", seen.len());

    let mut ours = Scratch::default();
    let mut rows = vec![
        Row::new("ours, lifted, with family", 400, || {
            for rules in &rules {
                black_box(judge(black_box(rules), &masks, &mut ours));
            }
        }),
        Row::new("ours, tree interpreter x 8", 20, || {
            for rules in &rules {
                black_box(rules.execute_plainly(&Unwatched).expect("not cancelled"));
            }
        }),
    ];
    #[cfg(feature = "peers")]
    peers::add(&policies, &mut rows);
    for _ in 0..ROUNDS {
        for row in &mut rows {
            row.round(CUBES);
        }
    }
    let first = rows[0].median();
    println!("{:<44} {:>12} {:>10}", "engine", "ns per cube", "x ours");
    for row in &mut rows {
        let nanos = row.median();
        println!("{:<44} {nanos:>12.0} {:>10.1}", row.name, nanos / first);
    }
    whole_cases();
    many_sources(20);
}

/// A case of `k` sources, all but two of them grounds: the cost of one hybrid of 2^k.
fn many_sources(k: usize) {
    let grounds = k - 2;
    let fields: Vec<String> = (0..grounds).map(|i| format!(r#""x{i}":{{"type":"int"}}"#)).collect();
    let sources: Vec<String> = (0..grounds)
        .map(|i| format!(r#"{{"name":"grounds-{i}","old":{{"x{i}":{i}}},"new":{{"x{i}":{}}}}}"#, grounds - i))
        .collect();
    let when: Vec<String> =
        (0..grounds / 2).map(|i| format!("(x{i} <= bar || x{} < x{})", grounds - 1 - i, i / 2)).collect();
    let when = when.join(" && ");
    let norms = |bar: usize| {
        format!(
            r#"{{"parameters":{{"bar":{bar}}},"rules":[{{"id":"r","when":"{when}","then":"approve"}}],"default":"deny"}}"#
        )
    };
    let text = format!(
        r#"{{"format":"decidendi/case@1","id":"c","adjudicator":{{"engine":"rules"}},
            "interface":{{"grounds":{{{}}},"parameters":{{"bar":{{"type":"int"}}}}}},
            "sources":[{},{{"name":"norms","old":{},"new":{}}},
              {{"name":"authority","old":{{"grants":[{{"norm":"*"}}]}},"new":{{"grants":[{{"norm":"r"}}]}}}}]}}"#,
        fields.join(","),
        sources.join(","),
        norms(3),
        norms(9),
    );
    let case = open_case("many", text.as_bytes(), &Artifacts::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut cache = Cache::default();
    let rules = prepare(&case, &mut cache).unwrap_or_else(|e| panic!("{e}"));
    let mut row = Row::new("all hybrids of a case of 20 sources", 3, || {
        black_box(rules.execute(&Unwatched).expect("not cancelled"));
    });
    for _ in 0..ROUNDS {
        row.round(1 << k);
    }
    let nanos = row.median();
    println!("{:<44} {nanos:>12.2} ns per hybrid", row.name);
}

/// From a read case to its cube: type check, conditions looked up, hybrids executed. Few cases, so that a case is in the
/// processor's cache as it is in a batch, where it was read just before; all conditions of the batch are known.
fn whole_cases() {
    let text = case_lines(2_000);
    let lines = text.split(|b| *b == b'\n').filter(|l| !l.is_empty());
    let cases: Vec<Case> =
        lines.map(|l| open_case("line", l, &Artifacts::default()).unwrap_or_else(|e| panic!("{e}"))).collect();
    let mut cache = Cache::default();
    let mut run = |cases: &[Case]| {
        for case in cases {
            let rules = prepare(case, &mut cache).unwrap_or_else(|e| panic!("{e}"));
            black_box(rules.execute(&Unwatched).expect("not cancelled"));
        }
    };
    run(&cases);
    let few = &cases[..16];
    let mut row = Row::new("prepare and execute a case just read", 2_000, || run(few));
    for _ in 0..ROUNDS {
        row.round(few.len());
    }
    let nanos = row.median();
    println!("{:<44} {nanos:>12.0} ns per case", row.name);
}

#[cfg(feature = "peers")]
mod peers {
    use std::hint::black_box;
    use std::str::FromStr as _;

    use cedar_policy::{Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request};
    use regorus::languages::rego::compiler::Compiler;
    use regorus::rvm::vm::RegoVM;
    use regorus::{Engine, Rc, Value};
    use serde_json::json;

    use super::{Policy, Row, by_hand};

    const REGO: &str = r#"package cube
import rego.v1
scope if {
    input.role in input.a.roles
    input.region in input.a.regions
    input.g.amount <= input.a.limit
}
waived if {
    input.g.defective
    input.n.override
}
excluded if {
    input.g.category in input.n.excluded
    not waived
}
in_time if input.g.days <= input.n.window
in_time if {
    input.g.tier == input.n.favoured
    input.g.days <= input.n.longer
}
merits if {
    input.g.amount <= input.n.cap
    not excluded
    in_time
}
verdict := "approve" if {
    scope
    merits
} else := "deny" if {
    scope
} else := "refer"
"#;

    const CEDAR: &str = r"
permit(principal, action, resource) when {
    context.a.roles.contains(context.role) && context.a.regions.contains(context.region) && context.g.amount <= context.a.limit
    && context.g.amount <= context.n.cap
    && !(context.n.excluded.contains(context.g.category) && !(context.g.defective && context.n.waive))
    && (context.g.days <= context.n.window || (context.g.tier == context.n.favoured && context.g.days <= context.n.longer))
};
forbid(principal, action, resource) unless {
    context.a.roles.contains(context.role) && context.a.regions.contains(context.region) && context.g.amount <= context.a.limit
};
";

    /// The input of one hybrid, amounts in cents.
    fn input(policy: &Policy, cell: usize) -> serde_json::Value {
        let (g, n, a) = (&policy.grounds[cell & 1], &policy.norms[cell >> 1 & 1], &policy.authority[cell >> 2 & 1]);
        json!({
            "role": policy.role, "region": policy.region,
            "g": {"amount": g.cents, "days": g.days, "category": g.category, "tier": g.tier, "defective": g.defective},
            "n": {"cap": n.cap, "window": n.window, "longer": n.longer, "favoured": n.favoured, "excluded": n.excluded,
                  "override": n.override_, "waive": n.override_},
            "a": {"roles": a.roles, "regions": a.regions, "limit": a.limit},
        })
    }

    pub(super) fn add<'p>(policies: &'p [Policy], rows: &mut Vec<Row<'p>>) {
        let inputs: Vec<Vec<serde_json::Value>> =
            policies.iter().map(|p| (0..8).map(|cell| input(p, cell)).collect()).collect();
        regorus(policies, &inputs, rows);
        cedar(policies, &inputs, rows);
    }

    fn regorus<'p>(policies: &'p [Policy], inputs: &[Vec<serde_json::Value>], rows: &mut Vec<Row<'p>>) {
        let mut engine = Engine::new();
        engine.add_policy("cube.rego".to_owned(), REGO.to_owned()).expect("a policy");
        let entry: Rc<str> = Rc::from("data.cube.verdict");
        let compiled = engine.compile_with_entrypoint(&entry).expect("compiles");
        let program = Compiler::compile_from_policy(&compiled, &["data.cube.verdict"]).expect("compiles");
        let inputs: Vec<Vec<Value>> = inputs
            .iter()
            .map(|cells| cells.iter().map(|j| Value::from_json_str(&j.to_string()).expect("JSON")).collect())
            .collect();
        let mut vm = RegoVM::new();
        vm.load_program(program);
        let mut verdict = move |input: &Value| {
            vm.set_input(input.clone());
            match vm.execute().expect("runs").as_string().expect("a label").as_ref() {
                "approve" => b'a',
                "deny" => b'd',
                _ => b'r',
            }
        };
        for (policy, cells) in policies.iter().zip(&inputs) {
            for (cell, input) in cells.iter().enumerate() {
                assert_eq!(verdict(input), by_hand(policy, cell), "regorus disagrees");
            }
        }
        rows.push(Row::new("regorus 0.14, compiled (RVM), input swapped", 2, move || {
            for input in inputs.iter().flatten() {
                black_box(verdict(black_box(input)));
            }
        }));
    }

    fn cedar<'p>(policies: &'p [Policy], inputs: &[Vec<serde_json::Value>], rows: &mut Vec<Row<'p>>) {
        let set = PolicySet::from_str(CEDAR).expect("policies");
        let entities = Entities::empty();
        let authorizer = Authorizer::new();
        let uid = |text: &str| EntityUid::from_str(text).expect("an entity");
        let requests: Vec<Vec<Request>> = inputs
            .iter()
            .map(|cells| {
                let request = |json: &serde_json::Value| {
                    let context = Context::from_json_value(json.clone(), None).expect("a context");
                    Request::new(uid("User::\"u\""), uid("Action::\"decide\""), uid("Case::\"c\""), context, None)
                        .expect("a request")
                };
                cells.iter().map(request).collect()
            })
            .collect();
        let verdict = move |request: &Request| {
            let response = authorizer.is_authorized(request, &set, &entities);
            match response.decision() {
                Decision::Allow => b'a',
                Decision::Deny if response.diagnostics().reason().next().is_some() => b'r',
                Decision::Deny => b'd',
            }
        };
        for (policy, cells) in policies.iter().zip(&requests) {
            for (cell, request) in cells.iter().enumerate() {
                assert_eq!(verdict(request), by_hand(policy, cell), "cedar disagrees");
            }
        }
        rows.push(Row::new("cedar-policy 4.14, requests prebuilt", 2, move || {
            for request in requests.iter().flatten() {
                black_box(verdict(black_box(request)));
            }
        }));
    }
}
