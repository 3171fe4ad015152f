//! A slow, obvious twin: random cases whose meaning is computed here by direct interpretation, and receipt families by
//! comparing every pair of sets. Nothing of the product's evaluation is used.

use std::fmt::Write as _;

use proptest::prelude::*;

/// A condition over the fields of a [`World`].
#[derive(Debug, Clone)]
pub enum Cond {
    /// Integer field of grounds source `.0` is at most parameter of norms source `.1`.
    AtMost(usize, usize),
    /// Flag of grounds source `.0`.
    Flag(usize),
    /// Colour of grounds source `.0` is the colour `.1`.
    Colour(usize, usize),
    /// Both hold.
    And(Box<Cond>, Box<Cond>),
    /// Either holds.
    Or(Box<Cond>, Box<Cond>),
    /// It does not hold.
    Not(Box<Cond>),
}

const COLOURS: [&str; 3] = ["red", "green", "blue"];
const LABELS: [&str; 2] = ["approve", "deny"];
const REGIONS: [&str; 2] = ["EU", "US"];

/// One version of a grounds source.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounds {
    amount: i64,
    flag: bool,
    colour: usize,
}

/// One version of a norms source.
#[derive(Debug, Clone)]
pub struct Norms {
    limit: i64,
    rules: Vec<(Cond, usize, i64)>,
    default: Option<usize>,
}

/// One version of an authority source: which rule (or all, or the default), which regions, and a condition.
#[derive(Debug, Clone)]
pub struct Grant {
    norm: Norm,
    regions: Option<Vec<usize>>,
    when: Option<Cond>,
}

/// What a grant covers.
#[derive(Debug, Clone)]
pub enum Norm {
    /// Everything.
    All,
    /// The default disposition.
    Default,
    /// Rule `.1` of norms source `.0`.
    Rule(usize, usize),
}

/// A random case: old and new version of every source.
#[derive(Debug, Clone)]
pub struct World {
    /// Grounds sources.
    pub grounds: Vec<[Grounds; 2]>,
    /// Norms sources.
    pub norms: Vec<[Norms; 2]>,
    /// Authority sources.
    pub authority: Vec<[Vec<Grant>; 2]>,
    region: usize,
}

impl World {
    /// k, the number of sources.
    pub fn k(&self) -> usize {
        self.grounds.len() + self.norms.len() + self.authority.len()
    }

    /// Names of the sources in declared order.
    pub fn names(&self) -> Vec<String> {
        let named = |role: &str, n: usize| (0..n).map(move |i| format!("{role}-{i}")).collect::<Vec<_>>();
        let mut names = named("grounds", self.grounds.len());
        names.extend(named("norms", self.norms.len()));
        names.extend(named("authority", self.authority.len()));
        names
    }

    /// The verdict of a hybrid, by direct interpretation; `None` where two labels other than approve and deny tie.
    pub fn verdict(&self, mask: u32) -> String {
        let pick = |at: usize| usize::from(mask >> at & 1 == 1);
        let g: Vec<&Grounds> = self.grounds.iter().enumerate().map(|(i, v)| &v[pick(i)]).collect();
        let base = self.grounds.len();
        let n: Vec<&Norms> = self.norms.iter().enumerate().map(|(i, v)| &v[pick(base + i)]).collect();
        let base = base + self.norms.len();
        let grants: Vec<&Grant> = self.authority.iter().enumerate().flat_map(|(i, v)| &v[pick(base + i)]).collect();
        let granted = |wanted: &dyn Fn(&Norm) -> bool| {
            grants.iter().any(|grant| {
                wanted(&grant.norm)
                    && grant.regions.as_ref().is_none_or(|r| r.contains(&self.region))
                    && grant.when.as_ref().is_none_or(|c| holds(c, &g, &n))
            })
        };
        let mut any = false;
        let mut best: Option<(i64, bool)> = None;
        for (i, norms) in n.iter().enumerate() {
            for (j, (condition, then, priority)) in norms.rules.iter().enumerate() {
                if !holds(condition, &g, &n) {
                    continue;
                }
                any = true;
                if granted(&|norm| match norm {
                    Norm::All => true,
                    Norm::Default => false,
                    Norm::Rule(a, b) => (*a, *b) == (i, j),
                }) {
                    let denies = *then == 1;
                    best = Some(match best {
                        Some((p, d)) if p > *priority => (p, d),
                        Some((p, d)) if p == *priority => (p, d || denies),
                        _ => (*priority, denies),
                    });
                }
            }
        }
        if let Some((_, denies)) = best {
            return LABELS[usize::from(denies)].to_owned();
        }
        if any {
            return "refer".to_owned();
        }
        let default = n.iter().find_map(|norms| norms.default);
        match default {
            Some(label) if granted(&|norm| matches!(norm, Norm::All | Norm::Default)) => LABELS[label].to_owned(),
            _ => "refer".to_owned(),
        }
    }

    /// All cells in mask order.
    pub fn cells(&self) -> Vec<String> {
        (0..1 << self.k()).map(|m| self.verdict(m)).collect()
    }

    /// The case file, with sources listed in the order `order` (a permutation of 0..k).
    pub fn case(&self, order: &[usize]) -> String {
        let (g, n) = (self.grounds.len(), self.norms.len());
        let names = self.names();
        let mut fields = Vec::new();
        for i in 0..g {
            fields.push(format!(
                r#""amount{i}": {{"type": "int"}}, "flag{i}": {{"type": "bool"}}, "colour{i}": {{"type": "enum", "values": ["red", "green", "blue"]}}"#
            ));
        }
        let parameters: Vec<String> = (0..n).map(|i| format!(r#""limit{i}": {{"type": "int"}}"#)).collect();
        let body = |at: usize, version: usize| {
            if at < g {
                let v = &self.grounds[at][version];
                return format!(
                    r#"{{"amount{at}": {}, "flag{at}": {}, "colour{at}": "{}"}}"#,
                    v.amount, v.flag, COLOURS[v.colour]
                );
            }
            if at < g + n {
                return norms_json(&self.norms[at - g][version], at - g);
            }
            let grants: Vec<String> = self.authority[at - g - n][version].iter().map(grant_json).collect();
            format!(r#"{{"grants": [{}]}}"#, grants.join(", "))
        };
        let sources: Vec<String> = order
            .iter()
            .map(|&at| format!(r#"{{"name": "{}", "old": {}, "new": {}}}"#, names[at], body(at, 0), body(at, 1)))
            .collect();
        format!(
            r#"{{"format": "decidendi/case@1", "id": "random", "context": {{"region": "{}"}}, "adjudicator": {{"engine": "rules"}},
"interface": {{"grounds": {{{}}}, "parameters": {{{}}}}}, "sources": [{}]}}"#,
            REGIONS[self.region],
            fields.join(", "),
            parameters.join(", "),
            sources.join(",\n")
        )
    }
}

fn norms_json(norms: &Norms, at: usize) -> String {
    let rules: Vec<String> = norms
        .rules
        .iter()
        .enumerate()
        .map(|(j, (condition, then, priority))| {
            format!(
                r#"{{"id": "r{at}-{j}", "when": "{}", "then": "{}", "priority": {priority}}}"#,
                text(condition),
                LABELS[*then]
            )
        })
        .collect();
    let mut json = format!(r#"{{"parameters": {{"limit{at}": {}}}, "rules": [{}]"#, norms.limit, rules.join(", "));
    if let (Some(label), 0) = (norms.default, at) {
        let _ = write!(json, r#", "default": "{}""#, LABELS[label]);
    }
    json.push('}');
    json
}

fn grant_json(grant: &Grant) -> String {
    let norm = match &grant.norm {
        Norm::All => "*".to_owned(),
        Norm::Default => "default".to_owned(),
        Norm::Rule(i, j) => format!("r{i}-{j}"),
    };
    let mut json = format!(r#"{{"norm": "{norm}""#);
    if let Some(regions) = &grant.regions {
        let words: Vec<String> = regions.iter().map(|&r| format!("\"{}\"", REGIONS[r])).collect();
        let _ = write!(json, r#", "region": [{}]"#, words.join(", "));
    }
    if let Some(when) = &grant.when {
        let _ = write!(json, r#", "when": "{}""#, text(when));
    }
    json.push('}');
    json
}

fn text(condition: &Cond) -> String {
    match condition {
        Cond::AtMost(g, n) => format!("amount{g} <= limit{n}"),
        Cond::Flag(g) => format!("flag{g}"),
        Cond::Colour(g, c) => format!("colour{g} == '{}'", COLOURS[*c]),
        Cond::And(a, b) => format!("({} && {})", text(a), text(b)),
        Cond::Or(a, b) => format!("({} || {})", text(a), text(b)),
        Cond::Not(a) => format!("!({})", text(a)),
    }
}

fn holds(condition: &Cond, g: &[&Grounds], n: &[&Norms]) -> bool {
    match condition {
        Cond::AtMost(a, b) => g[*a].amount <= n[*b].limit,
        Cond::Flag(a) => g[*a].flag,
        Cond::Colour(a, c) => g[*a].colour == *c,
        Cond::And(a, b) => holds(a, g, n) && holds(b, g, n),
        Cond::Or(a, b) => holds(a, g, n) || holds(b, g, n),
        Cond::Not(a) => !holds(a, g, n),
    }
}

/// The receipt family of a table by the definition: every sufficient set no strict subset of which is sufficient.
pub fn family(cells: &[String]) -> Vec<u32> {
    let (Some(old), Some(new)) = (cells.first(), cells.last()) else { return Vec::new() };
    if old == new {
        return Vec::new();
    }
    let sufficient: Vec<u32> = (0..cells.len() as u32).filter(|&m| &cells[m as usize] == new).collect();
    let mut minimal: Vec<u32> =
        sufficient.iter().copied().filter(|&m| !sufficient.iter().any(|&s| s != m && s & !m == 0)).collect();
    minimal.sort_by_key(|m| (m.count_ones(), *m));
    minimal
}

/// Random worlds of 3 to 8 sources.
pub fn worlds() -> impl Strategy<Value = World> {
    (1_usize..4, 1_usize..3, 1_usize..4).prop_flat_map(|(g, n, a)| {
        let cond = conditions(g, n);
        let grounds =
            (0_i64..6, any::<bool>(), 0_usize..3).prop_map(|(amount, flag, colour)| Grounds { amount, flag, colour });
        let rules = prop::collection::vec((cond.clone(), 0_usize..2, 0_i64..3), 1..3);
        let norms = (0_i64..6, rules, prop::option::of(0_usize..2)).prop_map(|(limit, rules, default)| Norms {
            limit,
            rules,
            default,
        });
        let norm = prop_oneof![
            3 => Just(Norm::All),
            1 => Just(Norm::Default),
            2 => (0..n, 0_usize..2).prop_map(|(i, j)| Norm::Rule(i, j)),
        ];
        let regions = prop::option::of(prop::sample::subsequence(vec![0_usize, 1], 0..=2));
        let grant =
            (norm, regions, prop::option::of(cond)).prop_map(|(norm, regions, when)| Grant { norm, regions, when });
        let grants = prop::collection::vec(grant, 0..3);
        (
            prop::collection::vec([grounds.clone(), grounds], g),
            prop::collection::vec([norms.clone(), norms], n),
            prop::collection::vec([grants.clone(), grants], a),
            0_usize..2,
        )
            .prop_map(|(grounds, mut norms, authority, region)| {
                for later in norms.iter_mut().skip(1).flatten() {
                    later.default = None;
                }
                World { grounds, norms, authority, region }
            })
    })
}

fn conditions(g: usize, n: usize) -> impl Strategy<Value = Cond> + Clone {
    let leaf = prop_oneof![
        (0..g, 0..n).prop_map(|(a, b)| Cond::AtMost(a, b)),
        (0..g).prop_map(Cond::Flag),
        (0..g, 0_usize..3).prop_map(|(a, c)| Cond::Colour(a, c)),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Cond::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Cond::Or(Box::new(a), Box::new(b))),
            inner.prop_map(|a| Cond::Not(Box::new(a))),
        ]
    })
}
