"""Computes the lists of an examination again, from exported records. It shares no code with the service.

Reads one JSON object on stdin: `records` (lines of the export), `versions` (run to version), `testcases`, `inputs`, `expected`, `metric` and
`people` (names of metrics). Writes the findings by kind. Near-duplicates and leaks are not computed; twins are those with equal inputs.
"""

import json
import re
import sys
from collections import Counter, defaultdict

import numpy as np
from scipy.special import gammaln

CHANCES = np.array([0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98])
SPREADS = np.array([0.03, 0.3, 1, 3, 10, 30, 300])
SPREAD_PRIOR = np.array([1, 1, 1, 0.5, 0.25, 0.25, 0.25])
MARK = re.compile(r"(?:\b(?:final\s+)?answer\s*(?:is|:)|^\s*A:|####|\\boxed\{)\s*", re.I | re.M)
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def number_in(text):
    marks = list(MARK.finditer(text))
    behind = text[marks[-1].end() :].split("\n")[0] if marks else ""
    found = NUMBER.findall(behind)[:1] or NUMBER.findall(text)[-1:]
    return float(found[0].replace(",", "")) if found else None


def likelihood(right, n, groups):
    """The chance of `right` right answers of n, and of wrong ones in groups of these sizes (Ewens), by chance and spread."""
    binomial = right * np.log(CHANCES) + (n - right) * np.log1p(-CHANCES)
    sizes = np.array([size for size in groups if size > 0], dtype=float)
    ewens = len(sizes) * np.log(SPREADS) + gammaln(sizes).sum() + gammaln(SPREADS) - gammaln(SPREADS + sizes.sum())
    return np.exp(binomial[:, None] + ewens[None, :])


def explanations(key_votes, others):
    """The key is right; each other answer is right; or no answer is."""
    n = key_votes + sum(others)
    rest = lambda i: others[:i] + others[i + 1 :]
    return np.array(
        [likelihood(key_votes, n, others)]
        + [likelihood(size, n, [*rest(i), key_votes + 1]) for i, size in enumerate(others)]
        + [likelihood(0, n, [*others, key_votes + 1])]
    )


def posterior(one, wrong, weights):
    parts = (one * weights).sum(axis=(1, 2)) * np.array([1 - wrong] + [wrong] * (len(one) - 1))
    return parts / parts.sum()


def doubts(counted):
    """Learns how hard testcases are and how often mistakes are shared; returns the posterior of each explanation."""
    cases = [explanations(*one) for one in counted]
    by_chance, by_spread, wrong = np.full(11, 1 / 11), np.full(7, 1 / 7), 0.0
    for step in range(100):
        weights = np.outer(by_chance, by_spread)
        cells, right, rest = np.zeros((11, 7)), 39.0, 1.0
        for one in cases:
            share = one * weights * np.array([1 - wrong] + [wrong] * (len(one) - 1))[:, None, None]
            share /= share.sum()
            cells += share.sum(axis=0)
            right, rest = right + share[0].sum(), rest + share[1:].sum()
        by_chance = (cells.sum(axis=1) + 0.3) / (cells.sum() + 0.3 * 11)
        by_spread = (cells.sum(axis=0) + SPREAD_PRIOR) / (cells.sum() + SPREAD_PRIOR.sum())
        # The first 40 steps trust each key.
        wrong = 0.0 if step < 39 else 0.02 if step == 39 else min(0.1, rest / (right + rest))
    weights = np.outer(by_chance, by_spread)
    return [posterior(one, wrong, weights) for one in cases]


def wrong_keys(keys, trials):
    votes = []
    for case, key in keys.items():
        by_version = defaultdict(Counter)
        for version, passed, outputs, _ in trials[case]:
            answer = "key" if passed else number_in(outputs)
            if answer is not None and (passed or answer != number_in(key)):
                by_version[version][answer] += 1
        counts = Counter(given.most_common(1)[0][0] for given in by_version.values())
        if sum(counts.values()) >= 5:
            others = sorted(((n, answer) for answer, n in counts.items() if answer != "key"), key=lambda one: -one[0])
            votes.append((case, counts["key"], others))
    found = doubts([(n, [size for size, _ in others]) for _, n, others in votes])
    listed = []
    for (case, _, others), share in zip(votes, found):
        if others and share[1:-1].max() > 0.5:
            i = int(share[1:-1].argmax())
            listed.append({"testcaseId": case, "probability": share[1 + i], "proposal": others[i][1]})
    listed.sort(key=lambda one: -one["probability"])
    means = np.cumsum([one["probability"] for one in listed]) / np.arange(1, len(listed) + 1)
    below = np.flatnonzero(means < 0.9)
    return listed[: below[0]] if len(below) else listed


def by_outcome(trials, suspects):
    found = defaultdict(list)
    for case, given in trials.items():
        versions = defaultdict(set)
        for version, passed, _, _ in given:
            versions[version].add(passed)
        passed = [one[1] for one in given]
        if any(len(results) == 2 for results in versions.values()):
            found["flaky"].append(case)
        elif len(given) >= 4 and len(versions) >= 2:
            if all(passed):
                found["dead"].append(case)
            elif not any(passed) and case not in suspects:
                found["hopeless"].append(case)
    return found


def main():
    given = json.load(sys.stdin)
    field = given["expected"][0]
    keys = {one["id"]: str(one["jsonData"][field]) for one in given["testcases"] if field in one["jsonData"]}
    trials = defaultdict(list)
    for row in given["records"]:
        passed = row.get(f"scores.{given['metric']}")
        if passed is not None:
            people = row.get(f"scores.{given['people']}")
            text = str(row.get(f"outputs.{field}", ""))
            trials[row["testcase"]].append((given["versions"][row["run"]], passed, text, people))
    found = {"wrongKey": wrong_keys(keys, trials)}
    found["duel"] = []
    for case, one in trials.items():
        labelled = [passed != people for _, passed, _, people in one if people is not None]
        if any(labelled) and 2 * sum(labelled) >= len(labelled):
            found["duel"].append(case)
    seen, found["twin"] = {}, []
    for one in given["testcases"]:
        inputs = json.dumps([one["jsonData"].get(name) for name in given["inputs"]])
        if inputs in seen:
            found["twin"].append(one["id"])
        seen.setdefault(inputs, one["id"])
    found.update({"flaky": [], "dead": [], "hopeless": []})
    found.update(by_outcome(trials, {one["testcaseId"] for one in found["wrongKey"]}))
    json.dump(found, sys.stdout)


main()
