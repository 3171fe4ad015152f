"""The peer of bootstrap.rs in NumPy: same data, same statistics, draws of its own. JSON in, JSON out; times in CPU ms."""

import json
import sys
import time

import numpy as np

data = json.load(sys.stdin)
D, ROUNDS = data["draws"], data["rounds"]
outcomes = np.array(data["outcomes"], dtype=bool)
C = len(outcomes)
# Three sums and one count, so that one product of matrices gives all of them.
table = np.stack([*map(np.array, data["sums"]), np.array(data["counts"], dtype=float)], axis=1)
order = np.argsort(~outcomes, kind="stable")
N1 = int(outcomes.sum())
N0 = C - N1
# For each success and failure: 1 above, 1/2 tied, 0 below. The difference of the areas is linear in the weights of the
# pairs, so one matrix holds both scores. Single precision holds these counts exactly.
scores = [np.array(s) for s in data["scores"]]
above = [(np.sign(s[outcomes][:, None] - s[~outcomes][None, :]) + 1) / 2 for s in scores]
pairs = ((above[0] - above[1])).astype(np.float32)


def histogram(rng, n, dtype):
    """How often each of D draws picks each of n clusters."""
    picks = rng.integers(0, n, size=(D, n), dtype=dtype)
    flat = picks + np.arange(0, D * n, n, dtype=np.int64)[:, None]
    return np.bincount(flat.ravel(), minlength=D * n).reshape(D, n)


def multinomial(rng, n, _):
    return rng.multinomial(n, np.full(n, 1 / n), size=D)


def weights(rng, draw, dtype, single=np.float32):
    plain = draw(rng, C, dtype).astype(np.float64)
    first = draw(rng, N1, dtype).astype(single)
    second = draw(rng, N0, dtype).astype(single)
    return plain, first, second


def doubles(plain, first, second):
    """As one writes it: double precision, each area of its own."""
    sums = plain @ table
    means = sums[:, :3] / sums[:, 3:]
    areas = [np.einsum("ij,ij->i", first @ a, second) / (N1 * N0) for a in above]
    return np.percentile(np.column_stack([means, areas[0] - areas[1]]), [2.5, 97.5], axis=0)


def ends(plain, first, second):
    """As fast as we found: the areas in single precision and as one difference."""
    sums = plain @ table
    means = sums[:, :3] / sums[:, 3:]
    difference = np.einsum("ij,ij->i", first @ pairs, second) / (N1 * N0)
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return [*zip(low, high), tuple(np.percentile(difference, [2.5, 97.5]))]


def time_of(work):
    """Median and minimum."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1e3)
    times.sort()
    return [times[ROUNDS // 2], times[0]]


forms = {}
for name, draw, dtype in [
    ("bincount, 64-bit picks", histogram, np.int64),
    ("bincount, 32-bit picks", histogram, np.uint32),
    ("bincount, 16-bit picks", histogram, np.uint16),
    ("bincount, 8-bit picks", histogram, np.uint8),
    ("multinomial", multinomial, None),
]:
    for generator in (np.random.PCG64, np.random.SFC64):
        rng = np.random.Generator(generator(data["seed"]))
        forms[f"{name}, {generator.__name__}"] = time_of(lambda: ends(*weights(rng, draw, dtype)))
best = min(forms, key=lambda form: forms[form][0])

rng = np.random.default_rng(data["seed"])
new_doubles = time_of(lambda: doubles(*weights(rng, histogram, np.int64, np.float64)))
kept = weights(np.random.default_rng(data["seed"]), histogram, np.int64)
kept_doubles = [w.astype(np.float64) for w in kept]
values = [float(s) / float(table[:, 3].sum()) for s in table[:, :3].sum(axis=0)]
values.append(float(above[0].mean() - above[1].mean()))
json.dump(
    {
        "version": np.__version__,
        "new": forms[best],
        "new_form": best,
        "new_doubles": new_doubles,
        "kept": time_of(lambda: ends(*kept)),
        "kept_doubles": time_of(lambda: doubles(*kept_doubles)),
        "forms": forms,
        "estimates": [[value, *map(float, e)] for value, e in zip(values, ends(*kept))],
    },
    sys.stdout,
)
