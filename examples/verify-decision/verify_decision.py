"""Checks the file of a decision with NumPy and SciPy alone: a second verifier, which shares no code with `dokima verify`.

    python verify_decision.py decision.json [--key service.pem]

It checks the id of the registration and the hash of the registered testcases, and computes rates, differences and the verdict again. With
the package `cryptography` it checks the signature too. Exit code: 0 the same verdict, as registered; 1 another verdict; 2 tampered; 3
incomplete, also where a rule rests on what this program does not compute; 4 the file cannot be opened.
"""
import base64
import hashlib
import json
import math
import sys

import numpy as np
from scipy import optimize, stats

BOUNDS = {"boolean": (0, 1), "category": (0, 1), "float": (0, 1), "int": (1, 5)}
RULES = {"atLeast", "notBelow", "noRegression", "nonInferiority", "superiority", "of"}
ROOT = {"project", "baseline", "anchor", "mayLack", "covers", "metrics", "everyMetric", "slices", "test"}
SEVERITY = ["worse", "incomplete", "inconclusive", "pass"]

class Unknown(Exception):  # Something that this program does not compute.
    pass

def sha256(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

def wilson(p, n, critical):
    c2 = critical**2
    centre = (p + c2 / (2 * n)) / (1 + c2 / n)
    half = math.sqrt(c2 * (p * (1 - p) + c2 / (4 * n)) / n) / (1 + c2 / n)
    return (0.0 if p == 0 else max(0.0, centre - half), 1.0 if p == 1 else min(1.0, centre + half))

def bounded(mean, error, df, low, high, level):
    """Wilson's interval on the effective n, with Student's t (Korn & Graubard 1998)."""
    size = high - low
    p, critical = (mean - low) / size, stats.t.ppf((1 + level) / 2, df)
    if p <= 0 or p >= 1:
        return tuple(min(high, max(low, mean + side * critical * error)) for side in (-1, 1))
    return tuple(low + size * end for end in wilson(p, p * (1 - p) / (error / size) ** 2, critical))

def without_spread(value, units, low, high, level):
    size = high - low
    if value <= low or value >= high:
        return tuple(low + size * end for end in wilson(0 if value <= low else 1, units, stats.norm.ppf((1 + level) / 2)))
    unseen = 1 - ((1 - level) / 2) ** (1 / units)
    return (value - unseen * (value - low), value + unseen * (high - value))

def cluster_error(values, labels):
    """Mean, CR2 error, Satterthwaite's degrees of freedom, groups, and groups of equal size with the same information."""
    n, mean = len(values), float(np.mean(values))
    members = {}
    for value, label in zip(values, labels):
        members.setdefault(label, []).append(value - mean)
    sizes = np.array([len(group) for group in members.values()], dtype=float)
    equal = n**2 / float((sizes**2).sum())
    if len(sizes) < 2:
        return mean, None, 0.0, len(sizes), equal
    sums, squares = np.array([[sum(group), sum(x * x for x in group)] for group in members.values()]).T
    weights = sizes / n
    error = math.sqrt(float((sums**2 / (1 - weights)).sum())) / n
    pairs, products = float((sizes * (sizes - 1)).sum()), float((sums**2 - squares).sum())
    rho = 0.0 if pairs == 0 or squares.sum() == 0 else min(1.0, max(0.0, products / pairs / (float(squares.sum()) / n)))
    # The variance of the deviations of the groups, if testcases of a group correlate by rho.
    of = np.repeat(np.arange(len(sizes)), sizes.astype(int))
    working = np.where(of[:, None] == of, rho, 0.0) + (1 - rho) * np.eye(n)
    rows = ((of == np.arange(len(sizes))[:, None]) - weights[:, None]) / np.sqrt(1 - weights)[:, None]
    spread = rows @ working @ rows.T
    df = float(np.trace(spread) ** 2 / (spread**2).sum())
    return mean, (0.0 if error <= 2**-50 * abs(mean) else error), df, len(sizes), equal

def moments(values):
    n, mean = len(values), float(np.mean(values))
    centred = np.asarray(values) - mean
    squares = float((centred**2).sum())
    squares = 0.0 if squares <= n * (2**-50 * mean) ** 2 else squares
    skewness = 0.0 if squares == 0 else float((centred**3).sum()) / n / (squares / n) ** 1.5
    return n, mean, squares / (n - 1) if n > 1 else math.nan, skewness

def estimate(values, groups, is_rate, bounds, level):
    """The rate or mean of a run: n, estimate, interval, standard error."""
    low, high = bounds
    if len(values) == 0:
        return 0, None, None, None
    if is_rate and groups is None and set(values) <= {0.0, 1.0}:
        n, p = len(values), float(np.mean(values))
        return n, p, wilson(p, n, stats.norm.ppf((1 + level) / 2)), math.sqrt(p * (1 - p) / n)
    if groups is not None:
        mean, error, df, n, equal = cluster_error(values, groups)
        if error is None:
            return n, mean, None, None
        interval = bounded(mean, error, df, low, high, level) if error > 0 else without_spread(mean, equal, low, high, level)
        return n, mean, interval, error
    n, mean, variance, _ = moments(values)
    error = math.sqrt(variance / n) if n > 1 else None
    interval = None if n < 2 else bounded(mean, error, n - 1, low, high, level) if error > 0 else without_spread(mean, n, low, high, level)
    return n, mean, interval, error

def tango(wins, losses, n, level):
    z, difference = stats.norm.ppf((1 + level) / 2), (wins - losses) / n

    def excess(delta):
        b = -wins - losses + (2 * n - wins + losses) * delta
        c = -losses * delta * (1 - delta)
        q = (math.sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)
        variance = max(0.0, n * (2 * q + delta * (1 - delta)))
        distance = wins - losses - n * delta
        return math.copysign(1e300, distance) if variance == 0 and distance else (distance / math.sqrt(variance) if variance else 0.0)

    def root(target, low, high):
        return optimize.brentq(lambda delta: excess(delta) - target, low, high, xtol=1e-15, rtol=1e-15, maxiter=500)

    return (-1.0 if wins - losses == -n else root(z, -1, difference), 1.0 if wins - losses == n else root(-z, difference, 1))

def sign_flip(differences, level):
    """All assignments of signs: the share of subset means below 0, and the interval of typical values (Hartigan 1969)."""
    if len(differences) > 13:
        raise Unknown("a test of signs with more than 13 testcases")
    chosen = (np.arange(1, 2 ** len(differences))[:, None] >> np.arange(len(differences))) & 1
    sums = chosen @ differences
    sums[np.abs(sums) <= 1e-12 * np.abs(differences).sum()] = 0
    means = np.sort(sums / chosen.sum(axis=1))
    total, k = len(means) + 1, math.floor((1 - level) / 2 * (len(means) + 1) + 1e-9)
    tail = 1 + min((means <= 0).sum(), (means >= 0).sum())
    return min(1.0, 2 * tail / total), None if k < 1 else (means[k - 1], means[-k])

def paired(before, after, groups, is_rate, bounds, level):
    """Difference of two runs on the same testcases: interval, standard error and p."""
    differences, size = after - before, bounds[1] - bounds[0]
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())

    def flat(mean, n, effective):
        unseen = 1 - ((1 - level) / 2) ** (1 / effective)
        interval = (mean - unseen * (mean + size), mean + unseen * (size - mean))
        return interval, 0.0, 1.0 if mean == 0 else min(1.0, 2.0 ** (1 - n))

    def by_t(mean, error, df):
        half = stats.t.ppf((1 + level) / 2, df) * error
        return (max(-size, mean - half), min(size, mean + half)), error, 2 * stats.t.sf(abs(mean / error), df)

    if groups is not None:
        mean, error, df, n, equal = cluster_error(differences, groups)
        if error is None:
            return None, None, None
        return flat(mean, n, equal) if error == 0 else by_t(mean, error, df)
    n, mean, variance, skewness = moments(differences)
    if is_rate and set(before) | set(after) <= {0.0, 1.0}:
        least, discordant = min(wins, losses), wins + losses
        error = math.sqrt(discordant / n - mean**2) / math.sqrt(n)
        equal = stats.binom.pmf(least, discordant, 0.5) if discordant else 0.0
        tail = 2 * stats.binom.cdf(least, discordant, 0.5) if discordant else 1.0
        p = 1.0 if discordant == 0 else 1 - equal / 2 if wins == losses else tail - equal
        return (None if n < 2 else tango(wins, losses, n, level)), error, p
    if n < 2:
        return None, None, None
    if variance == 0:
        return flat(mean, n, n)
    error = math.sqrt(variance / n)
    if n >= 30 and n > 25 * skewness**2:
        return by_t(mean, error, n - 1)
    p, interval = sign_flip(differences, level)
    return interval, error, p

def scored(run, metric):
    found = [one for one in run["metrics"] if one["metricId"] == metric]
    return next((one for one in found if one["pinned"]), found[-1] if found else None)

def units_of(runs):
    """The testcase of each record, by run; a record without one is alone. Several revisions in one run are different testcases."""
    mixed = set()
    for run, seen in zip(runs, [{}, {}]):
        mixed |= {r["testcase"] for r in run["records"] if seen.setdefault(r["testcase"], r["revision"]) != r["revision"]}
    return [{r["n"]: (run["runId"], r["n"]) if r["testcase"] is None else (r["testcase"], r["revision"] if r["testcase"] in mixed else None)
             for r in run["records"]} for run in runs]

def groups_of(runs, units):
    """Joins testcases that share a group or their inputs. None if nothing is joined by either."""
    parent, has_groups, by_inputs, repeated = {}, False, {}, False

    def first(x):
        while parent.setdefault(x, x) != x:
            x = parent[x]
        return x

    for run, names in zip(runs, units):
        for record in run["records"]:
            unit = names[record["n"]]
            first(("unit", unit))
            if record["group"] is not None:
                has_groups = True
                parent[first(("unit", unit))] = first(("group", record["group"]))
            if record["sameInputs"] is not None:
                repeated |= by_inputs.setdefault(record["sameInputs"], unit) != unit
                parent[first(("unit", unit))] = first(("inputs", record["sameInputs"]))
    return (lambda unit: first(("unit", unit))) if has_groups or repeated else None

class Results:
    """The scores of a run by one metric: the mean of each testcase over its trials, and what is missing."""

    def __init__(self, run, names, metric, measure, own):
        if metric.get("spans") or metric["draw"] is not None or metric.get("criterion"):
            raise Unknown(f"{metric['metricName']} scores spans, criteria or a draw with unequal chances")
        self.is_rate = measure == "pass" or metric["outputType"] in ("boolean", "category")
        self.bounds = (0, 1) if self.is_rate else BOUNDS[metric["outputType"]]
        line = 1 if metric["passingThreshold"] is None else metric["passingThreshold"]
        self.revisions = {names[r["n"]]: r["revision"] for r in run["records"]}
        self.states, trials, self.present = dict.fromkeys(["scored", "pending", "unscored", "failed"], 0), {}, set()
        for score in metric["scores"]:
            self.present.add(names[score["n"]])
            self.states[score.get("state", "scored")] += 1
            # People may have replaced a judge's score: a comparison takes the judge's own.
            value = score.get("own", score.get("value")) if own else score.get("value")
            if value is not None:
                value = value >= line if measure == "pass" or metric["outputType"] == "category" else value
                trials.setdefault(names[score["n"]], []).append(float(value))
        self.means = {unit: sum(values) / len(values) for unit, values in trials.items()}

class Data:
    def __init__(self, predicate):
        self.runs = {run["runId"]: run for run in predicate["data"]["runs"]}

    def results(self, run_ids, metric, measure):
        runs = [self.runs[one] for one in run_ids]
        units = units_of(runs)
        found = [scored(run, metric) for run in runs]
        if None in found:
            return None, None
        return [Results(*of, measure, len(runs) > 1) for of in zip(runs, units, found)], groups_of(runs, units)

    def rate(self, run_id, metric, measure, level):
        [result], group = self.results([run_id], metric, measure)
        units = list(result.means)
        return estimate([result.means[u] for u in units], group and [group(u) for u in units], result.is_rate, result.bounds, level)

    def difference(self, base_id, run_id, metric, measure, level):
        found, group = self.results([base_id, run_id], metric, measure)
        if found is None:
            return None
        before, after = found
        same = [unit for unit in before.present & after.present if before.revisions[unit] == after.revisions[unit]]
        same.sort(key=list(before.revisions).index)
        shared = [unit for unit in same if unit in before.means and unit in after.means]
        if not shared:
            raise Unknown("runs that share no testcase")
        x, y = (np.array([of.means[u] for u in shared]) for of in (before, after))
        interval, error, p = paired(x, y, group and [group(u) for u in shared], after.is_rate, after.bounds, level)
        return {"n": len(shared), "before": float(x.mean()), "after": float(y.mean()), "difference": float(y.mean()) - float(x.mean()),
                "interval": interval, "standardError": error, "p": p, "there": len(same), "of": len(before.present)}

def lines_of(name, rules, baselines):
    """The tests of a metric: (name, rule, baseline, side of the line, whether it must be shown)."""
    tests = [(name, "line", None, rules[rule], shown) for rule, shown in (("atLeast", True), ("notBelow", False)) if rule in rules]
    for rule, sign, shown in (("noRegression", 0, False), ("nonInferiority", -1, True), ("superiority", 1, True)):
        if rule in rules:
            tests += [(name, "difference", base, sign * (rules[rule] or {}).get("margin", 0.0), shown) for base in baselines]
    return tests

def verdict(predicate, data, rules, level):
    """Decides by rules: all tests together by Holm's procedure, and what is missing."""
    run_id, run = predicate["run"]["runId"], data.runs[predicate["run"]["runId"]]
    baselines = [base["id"] for base in predicate["run"]["baselines"]]
    unknown = [name for name in rules if name not in ROOT] + ["slices: auto"] * (rules.get("slices") == "auto")
    unknown += ["test"] * (rules.get("test", "fixed") != "fixed")
    named = dict(rules.get("metrics") or {})
    ids = {name: next((m["metricId"] for m in run["metrics"] if name in (m["metricId"], m["metricName"])), None) for name in named}
    if "everyMetric" in rules:
        for metric in run["metrics"]:
            if metric["pinned"] and metric["evalType"] != "human" and metric["metricId"] not in ids.values():
                named[metric["metricId"]], ids[metric["metricId"]] = rules["everyMetric"], metric["metricId"]
    unknown += [f"{name}.{rule}" for name, of in named.items() for rule in (of or {}) if rule not in RULES]
    unknown += [name for name, found in ids.items() if found is None]
    unknown += ["of: corrected"] * any((of or {}).get("of") == "corrected" for of in named.values())
    if unknown or any(one.get("corrected") for one in predicate["numbers"]["comparisons"]):
        raise Unknown("rules: " + (", ".join(unknown) or "differences that people's labels correct"))
    tests = [test for name, of in named.items() for test in lines_of(name, of or {}, baselines)]

    def at(test, each):
        name, kind, base, _, _ = test
        if kind == "line":
            _, value, interval, _ = data.rate(run_id, ids[name], (named[name] or {}).get("of", "pass"), each)
            return value, interval, None
        found = data.difference(base, run_id, ids[name], (named[name] or {}).get("of", "pass"), each)
        return (None, None, None) if found is None else (found["difference"], found["interval"], found["p"])

    def rejects(test, p, each):
        return test[1] == "line" or test[3] != 0 or p is None or p <= 1 - each + 1e-12

    def fails(test, evidence, each):
        return evidence[1][1] < test[3] and rejects(test, evidence[2], each)

    def shows(test, evidence, each):
        low = evidence[1][0]
        return low > test[3] and rejects(test, evidence[2], each) if test[1] == "difference" else low >= test[3]

    plain = [at(test, level) for test in tests]
    failed, still, before = set(), [i for i, evidence in enumerate(plain) if evidence[1] is not None], None
    while still and still != before:
        before, each = still, 1 - (1 - level) / len(still)
        failed |= {i for i in still if fails(tests[i], at(tests[i], each), each)}
        still = [i for i in still if i not in failed]
    outcomes = ["worse"] * bool(failed)
    for i, (test, evidence) in enumerate(zip(tests, plain)):
        if evidence[1] is None:
            outcomes.append("incomplete" if evidence[0] is None and test[1] == "line" else "inconclusive")
        elif i not in failed:
            outcomes.append("pass" if shows(test, evidence, level) or not test[4] else "inconclusive")
    needs_base = any(rule in (of or {}) for of in named.values() for rule in ("noRegression", "nonInferiority", "superiority"))
    outcomes += ["incomplete"] * (needs_base and not baselines)
    for name in named:
        states = data.results([run_id], ids[name], "pass")[0][0].states
        outcomes += ["incomplete"] * (sum(states.values()) - states["scored"] > rules.get("mayLack", 0))
    for base in (one["id"] for one in predicate["run"]["baselines"] if not one["anchor"]):
        compared = [data.difference(base, run_id, metric["metricId"], "pass", level) for metric in run["metrics"]]
        outcomes += ["incomplete"] * any(one and one["there"] < rules.get("covers", 1) * one["of"] for one in compared)
    return min(outcomes, key=SEVERITY.index, default="pass")

def close(stated, again):
    return stated is again if stated is None or again is None else abs(stated - again) <= 1e-9 * max(1, abs(stated))

def ends(interval):
    return [None, None] if interval is None else [interval["low"], interval["high"]] if isinstance(interval, dict) else list(interval)

def check_numbers(predicate, data):
    """The numbers that do not follow from the data, and how many were compared."""
    level, run_id, pairs = predicate["level"], predicate["run"]["runId"], []
    for rate in predicate["numbers"]["rates"]:
        for field, measure in (("passRate", "pass"), ("mean", "score")):
            stated = rate[field]
            if stated is not None:
                n, value, interval, error = data.rate(run_id, rate["metricId"], measure, level)
                whole = [stated["n"], stated["estimate"], *ends(stated["interval"]), stated["standardError"]]
                pairs += zip([f"{rate['metricName']} {field}"] * 5, whole, [n, value, *ends(interval), error])
    for stated in predicate["numbers"]["comparisons"]:
        again, name = data.difference(stated["baselineRunId"], run_id, stated["metricId"], stated["measure"], level), stated["metricName"]
        for part in ("n", "before", "after", "difference", "standardError", "p"):
            pairs.append((f"{name} {stated['measure']} {part}", stated[part], again[part]))
        pairs += zip([f"{name} {stated['measure']} interval"] * 2, ends(stated["interval"]), ends(again["interval"]))
    return [f"{place}: {stated} is {again}" for place, stated, again in pairs if not close(stated, again)], len(pairs)

def raw_after(text, key):
    """The text of a value as it stands in the file, which is what was hashed and signed."""
    start = text.index(key) + len(key)
    return text[start : json.JSONDecoder().raw_decode(text, start)[1]]

def signature_holds(text, file, key):
    """Whether the signature holds; None without the package that can check it."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.serialization import load_pem_public_key
    except ImportError:
        return None
    payload = raw_after(text, '"statement":').encode()
    try:
        signed = b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload)
        load_pem_public_key((key or file["publicKeyPem"]).encode()).verify(base64.b64decode(file["signatures"][0]["sig"]), signed)
    except (InvalidSignature, ValueError):
        return False
    return True

def verify(text, key=None):
    """Lists what is found: the exit code that it asks for, and a sentence."""
    file = json.loads(text)
    holds = signature_holds(text, file, key)
    if holds is False:
        return [(2, "The signature does not fit: the file was changed after it was signed, or forged.")]
    predicate = file["statement"]["predicate"]
    document, data = predicate["decision"]["document"], Data(predicate)
    found = [(0, "The signature holds." if holds else "The signature was not checked: pip install cryptography.")]
    if sha256(raw_after(text, '"decision":{"document":')) != predicate["decision"]["id"]:
        found.append((2, "The registration does not have its id: it was changed."))
    if sha256("\n".join(predicate["data"]["snapshot"])) != document["testset"]["hash"]:
        found.append((3, "The testcases are not those of the registered snapshot."))
    if document["registeredAt"] > predicate["run"]["createdAt"]:
        found.append((3, "It was registered after the run was created: its results could be known."))
    found += [(3 if one["kind"] != "otherLooks" else 0, one["sentence"]) for one in predicate["deviations"]]
    try:
        wrong, compared = check_numbers(predicate, data)
        found.append((2, f"{len(wrong)} numbers do not follow from the data: {wrong[0]}") if wrong else (0, f"{compared} numbers follow from the data."))
        stated, again = predicate["numbers"]["outcome"], verdict(predicate, data, predicate["rules"], predicate["level"])
        found.append((0, f"The verdict is the same: {stated}.") if stated == again else (1, f"The verdict is {again}, not {stated}."))
    except Unknown as error:
        found.append((3, f"This program does not compute {error}."))
    return found

def main(file, key=None):
    with open(file, encoding="utf-8", newline="") as opened:
        findings = verify(opened.read(), key and open(key, encoding="utf-8").read())
    for code, sentence in findings:
        print({0: "ok", 1: "OTHER VERDICT", 2: "TAMPERED", 3: "INCOMPLETE"}[code], sentence)
    return next((code for code in (2, 1, 3) if any(code == one for one, _ in findings)), 0)

if __name__ == "__main__":
    try:
        code = main(*[word for word in sys.argv[1:] if word != "--key"])
    except (OSError, TypeError, ValueError, LookupError) as error:
        print(f"The file cannot be read: {error!r}. Usage: verify_decision.py FILE [--key FILE]")
        code = 4
    raise SystemExit(code)
