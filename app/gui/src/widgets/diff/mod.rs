//! Structural difference of a source's two versions, down to clause and field. Rules are matched by id, sets compared as
//! sets, anything else by key; parents know how much changed below them.

use decidendi_core::judgment::source::Version;
use decidendi_core::seal::json::{Json, JsonPath};

mod pair;
mod pieces;

use pair::children;
pub use pieces::{Piece, pieces};

/// How a value differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The same in both versions.
    Equal,
    /// In both versions, with different values.
    Changed,
    /// Only in the revised version.
    Added,
    /// Only in the old version.
    Removed,
}

/// One side of a node: where it stands in its version's body, and what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// Path inside the version's body.
    pub path: JsonPath,
    /// The value.
    pub json: Json,
}

/// A node of the difference: a leaf, or a group with children.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Key, rule id, or position.
    pub name: String,
    /// The old side.
    pub old: Option<Side>,
    /// The revised side.
    pub new: Option<Side>,
    /// Leaves below; empty for a leaf.
    pub children: Vec<Node>,
    /// How it differs.
    pub change: Change,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Indentation.
    pub depth: usize,
    /// What is shown in the first column.
    pub name: String,
    /// Key for state of the page: unique in one source.
    pub key: String,
    /// The old side; `None` where there is none.
    pub old: Option<Side>,
    /// The revised side.
    pub new: Option<Side>,
    /// How it differs.
    pub change: Change,
    /// What the row is.
    pub kind: Kind,
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The head of a container such as `rules`.
    Head,
    /// A parent; `changed` leaves below it differ.
    Group {
        /// How many.
        changed: usize,
    },
    /// A value.
    Leaf,
}

impl Row {
    /// One side.
    #[must_use]
    pub const fn side(&self, version: Version) -> Option<&Side> {
        match version {
            Version::Old => self.old.as_ref(),
            Version::New => self.new.as_ref(),
        }
    }
}

/// Rows to show, and how many equal ones the switch hides.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// The rows.
    pub rows: Vec<Row>,
    /// Leaves that are equal in both versions.
    pub equal: usize,
    /// Leaves that differ.
    pub changed: usize,
    /// What differs, named by field, parameter, rule or grant, in order.
    pub names: Vec<String>,
}

/// Compares two bodies.
#[must_use]
pub fn diff(old: &Json, new: &Json) -> Node {
    let side = |json: &Json| Some(Side { path: JsonPath::default(), json: json.clone() });
    node(String::new(), side(old), side(new))
}

/// The rows of a difference: all of them, or only what differs.
#[must_use]
pub fn rows(root: &Node, only_differences: bool) -> Rows {
    let mut out = Rows::default();
    count(root, &mut out);
    let named = root
        .children
        .iter()
        .flat_map(|n| if is_container(n) { n.children.as_slice() } else { std::slice::from_ref(n) });
    out.names = named.filter(|n| n.change != Change::Equal).map(|n| n.name.clone()).collect();
    let shown = |n: &Node| !only_differences || n.change != Change::Equal;
    let containers = root.children.iter().filter(|n| is_container(n) && shown(n)).count();
    for child in root.children.iter().filter(|n| shown(n)) {
        if is_container(child) {
            // One container alone needs no head of its own: the source's card says what it is.
            if containers > 1 || root.children.iter().any(|n| !is_container(n) && shown(n)) {
                out.rows.push(row(child, 0, child.name.clone(), child.name.clone(), Kind::Head));
            }
            for grandchild in child.children.iter().filter(|n| shown(n)) {
                emit(grandchild, 0, String::new(), &child.name, only_differences, &mut out.rows);
            }
        } else {
            emit(child, 0, String::new(), "", only_differences, &mut out.rows);
        }
    }
    if root.children.is_empty() && shown(root) {
        out.rows.push(row(root, 0, "value".to_owned(), "value".to_owned(), Kind::Leaf));
    }
    out
}

fn is_container(n: &Node) -> bool {
    matches!(n.name.as_str(), "parameters" | "rules" | "grants" | "facts") && !n.children.is_empty()
}

fn count(n: &Node, out: &mut Rows) {
    if !n.children.is_empty() {
        n.children.iter().for_each(|c| count(c, out));
    } else if n.change == Change::Equal {
        out.equal += 1;
    } else {
        out.changed += 1;
    }
}

fn changed_below(n: &Node) -> usize {
    if n.children.is_empty() {
        usize::from(n.change != Change::Equal)
    } else {
        n.children.iter().map(changed_below).sum()
    }
}

/// Adds a node's rows. A parent with one visible child is written as one row, `rule.when`.
fn emit(n: &Node, depth: usize, prefix: String, above: &str, only: bool, out: &mut Vec<Row>) {
    let name = if prefix.is_empty() { n.name.clone() } else { format!("{prefix}.{}", n.name) };
    let key = format!("{above}.{}", n.name);
    let shown: Vec<&Node> = n.children.iter().filter(|c| !only || c.change != Change::Equal).collect();
    match shown[..] {
        [] => out.push(row(n, depth, name, key, Kind::Leaf)),
        [child] => emit(child, depth, name, &key, only, out),
        _ => {
            out.push(row(n, depth, name, key.clone(), Kind::Group { changed: changed_below(n) }));
            for child in shown {
                emit(child, depth + 1, String::new(), &key, only, out);
            }
        }
    }
}

fn row(n: &Node, depth: usize, name: String, key: String, kind: Kind) -> Row {
    Row { depth, name, key, old: n.old.clone(), new: n.new.clone(), change: n.change, kind }
}

fn node(name: String, old: Option<Side>, new: Option<Side>) -> Node {
    let children = children(&name, old.as_ref(), new.as_ref());
    let change = match (&old, &new) {
        (Some(_), None) => Change::Removed,
        (None, Some(_)) => Change::Added,
        _ if !children.is_empty() => {
            if children.iter().all(|c| c.change == Change::Equal) {
                Change::Equal
            } else {
                Change::Changed
            }
        }
        (Some(a), Some(b)) if same(&a.json, &b.json) => Change::Equal,
        _ => Change::Changed,
    };
    Node { name, old, new, children, change }
}

/// Equal values; lists of scalars are compared as sets.
fn same(a: &Json, b: &Json) -> bool {
    match (scalars(a), scalars(b)) {
        (Some(mut a), Some(mut b)) => {
            a.sort_unstable();
            b.sort_unstable();
            a == b
        }
        _ => a == b,
    }
}

/// The elements of a list of scalars, as they are shown.
#[must_use]
pub fn scalars(json: &Json) -> Option<Vec<String>> {
    let list = json.as_list()?;
    list.iter().all(|j| !matches!(j, Json::Map(_) | Json::List(_))).then(|| list.iter().map(shown).collect())
}

/// A quantity, `{"value": …, "unit": …}`.
fn is_quantity(json: &Json) -> bool {
    json.as_map().is_some_and(|m| m.len() == 2 && json.get("value").is_some() && json.get("unit").is_some())
}

/// A value as it is shown: yes and no, a set in braces, text as it is, anything else as JSON.
#[must_use]
pub fn shown(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        Json::Int(i) => {
            if *i < 0 {
                format!("−{}", i.unsigned_abs())
            } else {
                i.to_string()
            }
        }
        Json::Float(f) => f.to_string(),
        Json::Text(t) if t.is_empty() => "\"\"".to_owned(),
        Json::Text(t) => t.clone(),
        Json::List(l) if l.is_empty() => "{ }".to_owned(),
        Json::List(l) => {
            let set = scalars(json).is_some();
            let inner = l.iter().map(shown).collect::<Vec<_>>().join(", ");
            if set { format!("{{{inner}}}") } else { format!("[{inner}]") }
        }
        Json::Map(m) if is_quantity(json) => m.iter().map(|(_, v)| shown(v)).collect::<Vec<_>>().join(" "),
        Json::Map(m) => {
            let inner = m.iter().map(|(k, v)| format!("{k}: {}", shown(v))).collect::<Vec<_>>().join(", ");
            format!("{{{inner}}}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(id: &str, when: &str) -> Json {
        Json::map([("id", Json::text(id)), ("when", Json::text(when)), ("then", Json::text("approve"))])
    }

    #[test]
    fn rules_are_matched_by_id_not_by_position() {
        let old = Json::map([("rules", Json::List(vec![rule("a", "x"), rule("b", "y")]))]);
        let new = Json::map([("rules", Json::List(vec![rule("b", "y && z"), rule("a", "x")]))]);
        let rows = rows(&diff(&old, &new), true);
        assert_eq!(rows.rows.len(), 1);
        assert_eq!(rows.rows[0].name, "b.when");
        assert_eq!((rows.equal, rows.changed), (3, 1));
    }

    #[test]
    fn sets_are_sets() {
        let set =
            |words: &[&str]| Json::map([("benefits", Json::List(words.iter().map(|w| Json::text(*w)).collect()))]);
        assert!(rows(&diff(&set(&["a", "b"]), &set(&["b", "a"])), true).rows.is_empty());
        assert_eq!(rows(&diff(&set(&["a"]), &set(&["b", "a"])), true).changed, 1);
    }

    #[test]
    fn a_removed_rule_is_a_marked_parent() {
        let old =
            Json::map([("rules", Json::List(vec![rule("a", "x"), rule("b", "y")])), ("default", Json::text("deny"))]);
        let new = Json::map([("rules", Json::List(vec![rule("a", "x")])), ("default", Json::text("deny"))]);
        let rows = rows(&diff(&old, &new), true).rows;
        assert_eq!(rows[0].kind, Kind::Group { changed: 2 });
        assert_eq!(rows[0].change, Change::Removed);
    }
}
