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


def interval(checks, sums, counts, said, what):
    """Our percentile interval against one of other draws: within five standard errors of either end."""
    rng = np.random.default_rng(12345)
    n = len(counts)
    weights = rng.multinomial(n, [1 / n] * n, size=DRAWS)
    with np.errstate(invalid="ignore"):
        draws = (weights @ sums) / (weights @ counts)
    draws = draws[np.isfinite(draws)]
    ends = np.percentile(draws, [2.5, 97.5])
    spread = draws.std()
    for end, key in zip(ends, ("lo", "hi")):
        # The standard error of a 2.5 % quantile of 10,000 draws is about 0.027 standard deviations, in both programs.
        assert abs(end - said[key]) <= 0.2 * spread + 1e-12, f"{what} {key}: {said[key]} against {end}"


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

    for declared, said in zip(study.get("contrasts", []), report["contrasts"], strict=True):
        rows = []
        for transition in study["transitions"]:
            pair = (gain(transition, declared["reference"]), gain(transition, declared["alternative"]))
            if None not in pair:
                rows.append((transition, *pair))
        clusters = list(dict.fromkeys(t["trajectory"] for t, _, _ in rows))
        assert (said["n"], said["clusters"]) == (len(rows), len(clusters))
        if not rows:
            assert said["omega"] is None
            continue
        values = np.array([(a, b, b - a) for _, a, b in rows])
        where = np.array([clusters.index(t["trajectory"]) for t, _, _ in rows])
        counts = np.bincount(where)
        for i, key in enumerate(("gain_reference", "gain_alternative", "omega")):
            checks.near(said[key]["mean"], values[:, i].mean(), f"{declared['id']} {key}")
            if intervals:
                interval(checks, np.bincount(where, values[:, i]), counts, said[key], f"{declared['id']} {key}")
        clear = np.abs(values[:, :2]).min(axis=1) > 1e-12
        a, b = values[clear, 0], values[clear, 1]
        flips = said["flips"]
        assert flips["touching_zero"] == (~clear).sum()
        assert flips["pos_to_neg"] == ((a > 0) & (b < 0)).sum() and flips["neg_to_pos"] == ((a < 0) & (b > 0)).sum()
        assert sum(flips.values()) == len(rows)
        outcome = {}
        for t, _, _ in rows:
            outcome.setdefault(t["trajectory"], set()).add(t.get("success"))
        known = [c for c in clusters if outcome[c] in ({True}, {False})]
        won = np.array([outcome[c] == {True} for c in known])
        if said["auc"] is not None:
            at = [clusters.index(c) for c in known]
            for i, side in enumerate(("reference", "alternative")):
                means = (np.bincount(where, values[:, i]) / counts)[at]
                checks.near(said["auc"]["gain"][side]["mean"], auc(means, won), f"{declared['id']} AUC of {side}")
        else:
            assert not (won.any() and (~won).any())

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
        rows = [t for t in study["transitions"] if all(gain(t, c) is not None for c in names)]
        assert cube["n"] == len(rows)
        by = {(channels[c]["view"], channels[c]["authority"]): np.array([gain(t, c) for t in rows]) for c in names}
        if len({t["trajectory"] for t in rows}) == len(rows):
            for entry in cube["gains"]:
                checks.near(entry["gain"]["mean"], by[entry["view"], entry["authority"]].mean(), f"cube {entry['view']}")
            for entry in cube["view_contrasts"]:
                difference = by[entry["to"], entry["authority"]] - by[entry["from"], entry["authority"]]
                checks.near(entry["interaction"]["mean"], difference.mean(), f"cube {entry['to']} - {entry['from']}")

    bridge = report.get("bridge")
    if bridge:
        pairs = [(v["reference"], v["alternative"]) for v in study["bridge"]]
        rows = [t for t in study["transitions"] if all(gain(t, c) is not None for pair in pairs for c in pair)]
        assert bridge["n"] == len(rows)
        for (reference, alternative), said in zip(pairs, bridge["vertices"], strict=True):
            d = np.array([gain(t, alternative) - gain(t, reference) for t in rows])
            checks.near(said["interaction"]["mean"], d.mean(), f"bridge {said['vertex']}")
            won = np.array([t["success"] for t in rows])
            after = np.array([found[t["id"], reference, "after"] for t in rows])
            checks.near(said["auc"]["reference"]["mean"], auc(after, won), f"bridge AUC {said['vertex']}")
        support = all(v["interaction"]["hi"] < 0 for v in bridge["vertices"])
        assert bridge["directional_support"] == support


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
    names = [c["id"] for c in channels]
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
             "waves": [{"id": w, "weight": weight} for w, weight in waves], "contrasts": contrasts, "transitions": transitions}
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
    random_studies = 40
    for seed in range(random_studies):
        folder = Path(work) / f"random-{seed}"
        simulate(folder, seed)
        compare(checks, folder, report(folder), intervals=False)
    checks.ok(f"{random_studies} of {random_studies} random studies: NumPy agrees")
    print(f"{checks.compared} figures compared, largest relative difference {checks.worst:.1e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
