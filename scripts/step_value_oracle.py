"""A slow second opinion on `decidendi asv`, from the formulas and nothing else."""
import json
import math
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

DRAWS = 10_000
CANDIDATES = ["answer-a", "answer-b", "answer-c", "answer-d", "answer-e"]


def read(folder):
    study = json.loads((folder / "study.json").read_text())
    scores = {}
    for line in (folder / "scores.jsonl").read_text().splitlines():
        row = json.loads(line)
        at = (row["transition"], row["state"], row.get("view_at", row["state"]), row["channel"], row["layout"], row["wave"])
        cell = scores.setdefault(at, {})
        if "logprobs" in row:
            cell.update({c: v for c, v in row["logprobs"].items() if v > -9999})
        elif min(row.get("yes", -9999), row.get("no", -9999)) > -9999:
            cell[row["candidate"]] = row["yes"] - row["no"]
    return study, scores


def scalar(study, scores, transition, channel, state, view_at=None):
    """F, or None where a score is missing."""
    tau = float(Fraction(channel.get("temperature", "1"))) if channel.get("logprob_basis") == "tempered" else 1.0
    total = 0.0
    for wave in study.get("waves", [{"id": 0, "weight": "1"}]):
        centred = []
        for layout in range(study["layouts"]["count"]):
            cell = scores.get((transition["id"], state, view_at or state, channel["id"], layout, wave["id"]), {})
            if any(c not in cell for c in transition["candidates"]):
                return None
            energies = np.array([cell[c] for c in transition["candidates"]])
            centred.append(energies - energies.mean())
        u = tau * np.mean(centred, axis=0)
        target = transition["candidates"].index(transition["target"])
        rest = np.delete(u, target)
        margin = u[target] - (rest.max() + math.log(np.exp(rest - rest.max()).sum()))
        total += float(Fraction(wave["weight"])) * margin
    return total


def auc(scores, won):
    up, down = scores[won], scores[~won]
    wins = (up[:, None] > down[None, :]).sum() + 0.5 * (up[:, None] == down[None, :]).sum()
    return wins / (len(up) * len(down))


class Checks:
    def __init__(self):
        self.count = 0
        self.compared = 0
        self.worst = 0.0

    def near(self, ours, theirs, what, tolerance=1e-12):
        difference = abs(ours - theirs) / max(1.0, abs(theirs))
        self.worst = max(self.worst, difference)
        self.compared += 1
        assert difference <= tolerance, f"{what}: {ours!r} against {theirs!r}"

    def ok(self, what):
        self.count += 1
        print(f"ok {self.count} - {what}")


def near_ends(ends, said, keys, spread, what):
    """Percentile ends of other draws: within five standard errors of either end, in both programs."""
    for end, key in zip(ends, keys, strict=True):
        # The standard error of a 2.5 % quantile of 10,000 draws is about 0.027 standard deviations, in both programs.
        assert abs(end - said[key]) <= 0.2 * spread + 1e-12, f"{what} {key}: {said[key]} against {end}"


def interval(columns, said, what, level=95, keys=("lo", "hi")):
    """Our percentile interval against one of other draws: of the mean of ratios of sums, one ratio a column."""
    rng = np.random.default_rng(12345)
    n = len(columns[0][1])
    weights = rng.multinomial(n, [1 / n] * n, size=DRAWS)
    with np.errstate(invalid="ignore"):
        draws = np.mean([(weights @ sums) / (weights @ counts) for sums, counts in columns], axis=0)
    draws = draws[np.isfinite(draws)]
    tail = (100 - level) / 2
    near_ends(np.percentile(draws, [tail, 100 - tail]), said, keys, draws.std(), what)


def by_cluster(values, where, clusters, equal):
    """Sums and counts by trajectory; with equal weights every trajectory that has a value has one, its mean."""
    sums, counts = np.bincount(where, values, clusters), np.bincount(where, minlength=clusters)
    if equal:
        held = counts > 0
        sums[held] /= counts[held]
        counts = held.astype(int)
    return sums, counts


class Rows:
    """Transitions of a cohort with their trajectories and targets; `equal` weighs trajectories the same."""

    def __init__(self, transitions, equal):
        self.equal = equal
        names = list(dict.fromkeys(t["trajectory"] for t in transitions))
        self.where = np.array([names.index(t["trajectory"]) for t in transitions])
        self.clusters = len(names)
        self.targets = np.array([t["target"] for t in transitions])
        outcome = {}
        for t in transitions:
            outcome.setdefault(t["trajectory"], set()).add(t.get("success"))
        known = [i for i, c in enumerate(names) if outcome[c] in ({True}, {False})]
        self.known, self.won = known, np.array([outcome[names[i]] == {True} for i in known], dtype=bool)

    def columns(self, values, targets=None):
        kept = [np.ones(len(values), bool)] if targets is None else [self.targets == name for name in targets]
        return [by_cluster(values[k], self.where[k], self.clusters, self.equal) for k in kept]

    @staticmethod
    def mean(columns):
        return np.mean([sums.sum() / counts.sum() for sums, counts in columns])

    def scores(self, values):
        sums, counts = np.bincount(self.where, values, self.clusters), np.bincount(self.where, minlength=self.clusters)
        return (sums / counts)[self.known]


# Fewer trajectories than this conclude nothing.
ENOUGH = 4


def verdict(said, margin, figure, what, clusters):
    """What the test must say of its own interval."""
    if margin is None:
        expected = "no margin declared"
    elif said["lo90"] is None or clusters < ENOUGH:
        expected = "not known"
    else:
        inside = -Fraction(margin) < Fraction(said["lo90"]) and Fraction(said["hi90"]) < Fraction(margin)
        expected = "inside the margin" if inside else "not inside the margin"
    assert said["verdict"] == expected, f"{what}: {said} with margin {margin}"
    # A 90 % interval lies inside that of 95 %.
    if figure["lo"] is not None:
        assert figure["lo"] <= said["lo90"] <= said["hi90"] <= figure["hi"], what


def effect(checks, rows, values, said, what, intervals=True, test=None, margin=None):
    """One mean: point, interval, and the equivalence test where there is one."""
    columns = rows.columns(values)
    checks.near(said["mean"], rows.mean(columns), what)
    if rows.clusters < 2:
        assert said["lo"] is None and said["hi"] is None, what
    elif intervals:
        interval(columns, said, what)
        if test:
            interval(columns, test, what, 90, ("lo90", "hi90"))
    if test:
        verdict(test, margin, said, what, rows.clusters)


def equal_targets(checks, rows, values, said, what, intervals=True):
    """The mean with equal weight to each target, or nothing with one target."""
    targets = sorted(set(rows.targets))
    if len(targets) < 2 or said is None:
        assert said is None, what
        return
    columns = rows.columns(values, targets)
    checks.near(said["mean"], rows.mean(columns), what)
    rarest = min((counts > 0).sum() for _, counts in columns)
    if rarest < 2:
        assert said["lo"] is None, what
    elif intervals:
        interval(columns, said, what)


def auc_pair(checks, rows, pair, said, what, margin, intervals=True):
    """AUCs of both sides, and their difference with its stratified interval."""
    if said is None:
        assert not (rows.won.any() and (~rows.won).any()), what
        return
    scores = [rows.scores(np.array(values)) for values in pair]
    areas = [auc(s, rows.won) for s in scores]
    for area, side in zip(areas, ("reference", "alternative"), strict=True):
        checks.near(said[side]["mean"], area, f"{what} AUC of {side}")
    checks.near(said["difference"]["mean"], areas[0] - areas[1], f"{what} AUC difference")
    least = min(rows.won.sum(), (~rows.won).sum())
    verdict(said["equivalence"], margin, said["difference"], what, least)
    if least < 2:
        assert said["difference"]["lo"] is None, what
    elif intervals:
        rng = np.random.default_rng(54321)
        picks = [rng.multinomial(n, [1 / n] * n, size=DRAWS) for n in (rows.won.sum(), (~rows.won).sum())]
        won = lambda s: (s[rows.won][:, None] > s[~rows.won]) + 0.5 * (s[rows.won][:, None] == s[~rows.won])
        area = [((picks[0] @ won(s)) * picks[1]).sum(axis=1) / (rows.won.sum() * (~rows.won).sum()) for s in scores]
        draws = area[0] - area[1]
        near_ends(np.percentile(draws, [2.5, 97.5]), said["difference"], ("lo", "hi"), draws.std(), what)
        near_ends(np.percentile(draws, [5, 95]), said["equivalence"], ("lo90", "hi90"), draws.std(), what)


def compare(checks, folder, report, intervals=True):
    study, scores = read(folder)
    channels = {c["id"]: c for c in study["channels"]}
    found = {}
    for transition, ours in zip(study["transitions"], report["transitions"], strict=True):
        for name, channel in channels.items():
            for state in ("before", "after"):
                value = scalar(study, scores, transition, channel, state)
                found[transition["id"], name, state] = value
                said = ours["F"].get(name, {}).get(state)
                assert (value is None) == (said is None), (transition["id"], name, state)
                if value is not None:
                    checks.near(said, value, f"F of {transition['id']} {name} {state}")

    def gain(transition, channel):
        pair = [found[transition["id"], channel, state] for state in ("before", "after")]
        return None if None in pair else pair[1] - pair[0]

    scalars, auc_margin = study.get("equivalence_margin"), study.get("auc_equivalence_margin")
    spelled = lambda margin: None if margin is None else str(Fraction(margin))
    assert report["margins"] == {"scalars": spelled(scalars), "auc": spelled(auc_margin)}

    for declared, said in zip(study.get("contrasts", []), report["contrasts"], strict=True):
        name, pair = declared["id"], (declared["reference"], declared["alternative"])
        kept = [t for t in study["transitions"] if all(gain(t, c) is not None for c in pair)]
        rows = Rows(kept, equal=False)
        assert (said["n"], said["clusters"]) == (len(kept), rows.clusters)
        if not kept:
            assert said["omega"] is None
            continue
        a, b = (np.array([gain(t, c) for t in kept]) for c in pair)
        # Tested where the view alone sets the channels apart.
        fields = ("readout", "view", "authority", "stack", "temperature", "logprob_basis")
        moved = [f for f in fields if channels[pair[0]].get(f) != channels[pair[1]].get(f)]
        assert (said["equivalence"] is not None) == (moved == ["view"]), name
        for values, key in ((a, "gain_reference"), (b, "gain_alternative"), (b - a, "omega")):
            test = said["equivalence"] if key == "omega" else None
            effect(checks, rows, values, said[key], f"{name} {key}", intervals, test, scalars)
            mixture = said["equal_targets"]
            equal_targets(checks, rows, values, mixture and mixture[key], f"{name} {key}, equal targets", intervals)
        clear = np.minimum(abs(a), abs(b)) > 1e-12
        flips = said["flips"]
        assert flips["touching_zero"] == (~clear).sum()
        a_clear, b_clear = a[clear], b[clear]
        assert flips["pos_to_neg"] == ((a_clear > 0) & (b_clear < 0)).sum()
        assert flips["neg_to_pos"] == ((a_clear < 0) & (b_clear > 0)).sum()
        assert sum(flips.values()) == len(kept)
        after = [[found[t["id"], c, "after"] for t in kept] for c in pair]
        for key, values in (("gain", (a, b)), ("after", after)):
            auc_pair(checks, rows, values, said["auc"] and said["auc"][key], f"{name} {key}", auc_margin, intervals)

    face = report.get("retrieval_face")
    if face:
        channel = channels[study["retrieval_face"]["channel"]]
        parts = {}
        for transition in study["transitions"]:
            corner = {(s, v): scalar(study, scores, transition, channel, s, v)
                      for s in ("before", "after") for v in ("before", "after")}
            if None in corner.values():
                continue
            bb, ba, ab, aa = (corner[k] for k in (("before", "before"), ("before", "after"), ("after", "before"), ("after", "after")))
            parts.setdefault(transition["trajectory"], []).append(((ab - bb + aa - ba) / 2, (ba - bb + aa - ab) / 2, aa - bb))
        assert face["clusters"] == len(parts)
        means = np.array([np.mean(v, axis=0) for v in parts.values()]).mean(axis=0)
        for value, key in zip(means, ("state", "view", "gain")):
            checks.near(face[key]["effect"]["mean"], value, f"retrieval {key}")

    cube = report.get("matched_cube")
    if cube:
        names = study["matched_cube"]
        kept = [t for t in study["transitions"] if all(gain(t, c) is not None for c in names)]
        assert cube["n"] == len(kept)
        cells = {(channels[c]["view"], channels[c]["authority"]): c for c in names}
        rows = Rows(kept, equal=True)
        d = lambda v, h: np.array([gain(t, cells[v, h]) for t in kept])
        f = lambda v, h, state: np.array([found[t["id"], cells[v, h], state] for t in kept])
        for entry in cube["gains"] if kept else []:
            what = f"cube {entry['view']} {entry['authority']}"
            values = d(entry["view"], entry["authority"])
            effect(checks, rows, values, entry["gain"], what, intervals)
            equal_targets(checks, rows, values, entry["equal_targets"], what, intervals)
        for entry in cube["view_contrasts"] if kept else []:
            to, since, h = entry["to"], entry["from"], entry["authority"]
            what, tests = f"cube {to} - {since}, {h}", entry["equivalence"]
            for key, values in (("shift_before", f(to, h, "before") - f(since, h, "before")),
                                ("shift_after", f(to, h, "after") - f(since, h, "after")),
                                ("interaction", d(to, h) - d(since, h))):
                effect(checks, rows, values, entry[key], f"{what} {key}", intervals, tests[key], scalars)
            equal_targets(checks, rows, d(to, h) - d(since, h), entry["equal_targets"], what, intervals)
            auc_pair(checks, rows, (f(since, h, "after"), f(to, h, "after")), entry["auc"], what, auc_margin, intervals)
        policies = list(dict.fromkeys(channels[c]["authority"] for c in names))
        for entry in cube["authority_interactions"] if kept else []:
            to, since = entry["to"], entry["from"]
            values = d(to, policies[-1]) - d(since, policies[-1]) - d(to, policies[0]) + d(since, policies[0])
            what = f"cube authority x ({to} - {since})"
            effect(checks, rows, values, entry["effect"], what, intervals, entry["equivalence"], scalars)
            equal_targets(checks, rows, values, entry["equal_targets"], what, intervals)

    bridge = report.get("bridge")
    if bridge:
        pairs = [(v["reference"], v["alternative"]) for v in study["bridge"]]
        kept = [t for t in study["transitions"] if all(gain(t, c) is not None for pair in pairs for c in pair)]
        assert bridge["n"] == len(kept)
        rows = Rows(kept, equal=True)
        for declared, pair, said in zip(study["bridge"], pairs, bridge["vertices"], strict=True) if kept else []:
            what = f"bridge {said['vertex']}"
            a, b = (np.array([gain(t, c) for t in kept]) for c in pair)
            margin = declared.get("equivalence_margin", scalars)
            for key, values in (("gain_reference", a), ("gain_alternative", b), ("interaction", b - a)):
                test = said["equivalence"] if key == "interaction" else None
                effect(checks, rows, values, said[key], f"{what} {key}", intervals, test, margin)
                mixture = said["equal_targets"]
                equal_targets(checks, rows, values, mixture and mixture[key], f"{what} {key}, equal targets", intervals)
            after = [[found[t["id"], c, "after"] for t in kept] for c in pair]
            auc_pair(checks, rows, after, said["auc"], what, auc_margin, intervals)
        below = [kept and rows.clusters >= ENOUGH and v["interaction"]["hi"] < 0 for v in bridge["vertices"]]
        known = kept and rows.clusters >= ENOUGH
        assert bridge["directional_support"] == (all(below) if known else None), below
        aucs = [v["auc"] for v in bridge["vertices"]]
        known = kept and all(auc and min(auc["successes"], auc["failures"]) >= ENOUGH for auc in aucs)
        above = [auc["difference"]["lo"] > 0 for auc in aucs] if known else []
        assert bridge["criterion_support"] == (all(above) if known else None), above
        corners = {(channels[v["alternative"]]["readout"], channels[v["alternative"]]["stack"]) for v in study["bridge"]}
        crossing = bridge["readout_by_stack"]
        for entry in crossing["interactions"] if crossing else []:
            # With nothing assumed, an interaction is identified exactly if all four of its corners are observed.
            whole = all((r, s) in corners for r in entry["readout"] for s in entry["stack"])
            assert entry["identified"] == whole, entry


def simulate(folder, seed):
    """A random study: readouts, temperatures, waves, missing and sentinel scores, equal scores."""
    r = random.Random(seed)
    layouts, k = r.randint(1, 4), r.randint(2, 5)
    waves = r.choice([[(0, "1")], [(0, "1/3"), (3, "2/3")], [(1, "0.25"), (2, "0.25"), (5, "0.5")]])
    channels = []
    for name in ("one", "two", "three")[: r.randint(2, 3)]:
        basis, temperature = r.choice([("raw", "1"), ("raw", "1.5"), ("tempered", "3/2"), ("unknown", "1"), ("tempered", "0.7")])
        channels.append({"id": name, "readout": r.choice(["joint", "binary"]), "view": "none", "authority": "neutral",
                         "stack": "m", "temperature": temperature, "logprob_basis": basis})
    parts = {}
    if r.random() < 0.5:
        # A grid of stacks, views and authorities: a matched cube at the first stack, a vertex at each.
        channels, stacks = [], r.sample(["s", "t", "u"], r.randint(1, 3))
        views, policies = ["empty", "quote", "generated"][: r.randint(2, 3)], ["neutral", "primary"][: r.randint(1, 2)]
        for stack in stacks:
            kind = {"readout": r.choice(["joint", "binary"]), "stack": stack, "temperature": "1", "logprob_basis": "raw"}
            channels += [{"id": f"{stack}-{v}-{h}", "view": v, "authority": h, **kind} for v in views for h in policies]
        parts["matched_cube"] = [c["id"] for c in channels if c["stack"] == stacks[0]]
        parts["bridge"] = [{"vertex": s, "alternative": f"{s}-{views[1]}-neutral", "reference": f"{s}-{views[0]}-neutral"}
                           for s in stacks]
        if r.random() < 0.5:
            parts["bridge"][0]["equivalence_margin"] = "1/3"
        for key, margin in (("equivalence_margin", "3/2"), ("auc_equivalence_margin", "0.4")):
            if r.random() < 0.5:
                parts[key] = margin
    names = [c["id"] for c in channels][:4]
    contrasts = [{"id": f"{b}-{a}", "alternative": b, "reference": a} for a in names for b in names if a != b]
    transitions, rows = [], []
    for t in range(r.randint(3, 12)):
        won = r.choice([True, False, None])
        for step in range(r.randint(1, 4)):
            name = f"t{t}-{step}"
            candidates = CANDIDATES[:k]
            entry = {"id": name, "trajectory": f"t{t}", "step": step, "target": r.choice(candidates), "candidates": candidates}
            if won is not None:
                entry["success"] = won
            transitions.append(entry)
            still = r.random() < 0.1
            for channel in channels:
                kept = {}
                for state in ("before", "after"):
                    for wave, _ in waves:
                        for layout in range(layouts):
                            base = {"transition": name, "state": state, "channel": channel["id"], "layout": layout, "wave": wave}

                            def draw(c, part):
                                # A step that moves nothing returns the very same scores after it.
                                at = (wave, layout, c, part)
                                if not (still and at in kept):
                                    kept[at] = round(-r.expovariate(0.5), r.choice([3, 9, 15]))
                                value = kept[at]
                                return r.choice([-9999.0, -3.4028234663852886e38]) if r.random() < 0.002 else value

                            if channel["readout"] == "joint":
                                scored = {c: draw(c, 0) for c in candidates if r.random() > 0.002}
                                rows.append({**base, "logprobs": scored})
                            else:
                                for c in candidates:
                                    if r.random() > 0.002:
                                        rows.append({**base, "candidate": c, "yes": draw(c, 0), "no": draw(c, 1)})
    r.shuffle(rows)
    folder.mkdir()
    study = {"format": "decidendi/asv-study@1", "id": f"random-{seed}", "title": "random", "origin": "simulated",
             "channels": channels, "layouts": {"kind": "cyclic", "count": layouts},
             "waves": [{"id": w, "weight": weight} for w, weight in waves], "contrasts": contrasts, **parts,
             "transitions": transitions}
    (folder / "study.json").write_text(json.dumps(study))
    (folder / "scores.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def main(binary, samples, work):
    checks = Checks()

    def report(folder):
        done = subprocess.run([binary, "asv", folder, "--json"], capture_output=True, text=True)
        assert done.returncode in (0, 3), done.stderr
        return json.loads(done.stdout)

    for folder in sorted(Path(samples).iterdir()):
        if (folder / "study.json").is_file():
            compare(checks, folder, report(folder))
            checks.ok(f"{folder.name}: NumPy agrees")
    random_studies = 60
    for seed in range(random_studies):
        folder = Path(work) / f"random-{seed}"
        simulate(folder, seed)
        compare(checks, folder, report(folder), intervals=False)
    checks.ok(f"{random_studies} of {random_studies} random studies: NumPy agrees")
    print(f"{checks.compared} figures compared, largest relative difference {checks.worst:.1e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
