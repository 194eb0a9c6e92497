import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Works through twins.json with the TypeScript client, and prints what it says. */
export const twinInTypeScript = `
import { readFileSync } from 'node:fs';
import { Evaluation, evaluate } from '${here('../client/src/evaluate/evaluate.ts')}';
const { asked, refused, told } = JSON.parse(readFileSync('${here('twins.json')}', 'utf8'));
const numbers = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };
const read = (value) => {
  if (Array.isArray(value)) return value.map(read);
  if (value === null || typeof value !== 'object') return value;
  if ('$' in value) return value.$ === 'long' ? 'x'.repeat(201) : numbers[value.$];
  if ('pair' in value) return value.pair.map(read);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, read(one)]));
};
const give = (table, { q }, expected) => {
  const value = table[q in table ? q : '*'];
  if (value?.raises) throw Object.assign(new Error(value.raises[1]), { name: value.raises[0] });
  return value && 'expected' in Object(value) ? value.expected === (JSON.stringify(expected) === '"A"') || null : read(value);
};
const run = (name, { data, answers = { '*': 'x' }, scores, labels, trials, rows }) => {
  const keys = rows ?? [...new Set([answers, ...Object.values(scores)].flatMap(Object.keys))].filter((key) => key !== '*');
  return evaluate(name, {
    data: read(data ?? keys.map((q) => ({ q }))),
    system: (inputs) => give(answers, inputs),
    scores: Object.fromEntries(Object.entries(scores).map(([name, table]) => [name, ({ inputs, expected }) => give(table, inputs, expected)])),
    labels, trials, retries: 0, concurrency: 1, offline: true,
  });
};
const said = { asked: {}, refused: {}, told: {} };
for (const [name, one] of Object.entries(asked)) {
  const made = await run(name, one);
  said.asked[name] = { text: String(made).replace(made.file, 'FILE').split('\\n'), rows: made.rows, cases: made.results.map((one) => [one.case, one.trial, one.reasons, one.scores]) };
}
for (const [name, [one]] of Object.entries(refused)) said.refused[name] = await run(name, one).then(() => '', (error) => error.message);
for (const [name, { than = 'main', metrics = [{}], pairs, better = [] }] of Object.entries(told.cases)) {
  const summary = { metrics: metrics.map((one) => ({ ...told.metric, ...one })) };
  const comparison = pairs ? { pairs: [{ metrics: pairs.map((one) => ({ ...told.pair, ...one })) }] } : undefined;
  const made = new Evaluation({ name, results: [], file: 'FILE', given: new Map(), numbers: { runId: '1', url: undefined, summary }, than: than ?? undefined, comparison });
  const outcomes = better.map((asked) => {
    try { made.requireBetter(asked); return ['pass']; } catch (error) { return [error.outcome ?? 'error', error.message]; }
  });
  said.told[name] = { text: String(made).split('\\n'), outcomes };
}
console.log(JSON.stringify(said));
`;

/** The same with the Python package. */
export const twinInPython = `
import json
from pathlib import Path
from dokima import NotBetter, evaluate
from dokima._evaluation import Evaluation
table = json.loads(Path("${here('twins.json')}").read_text(encoding="utf-8"))
NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf"), "-0": -0.0}
def read(value):
    if isinstance(value, list): return [read(one) for one in value]
    if not isinstance(value, dict): return value
    if "$" in value: return "x" * 201 if value["$"] == "long" else NUMBERS[value["$"]]
    if "pair" in value: return tuple(map(read, value["pair"]))
    return {key: read(one) for key, one in value.items()}
def give(table, inputs, expected=None):
    value = table[inputs["q"] if inputs["q"] in table else "*"]
    if isinstance(value, dict) and "raises" in value: raise type(value["raises"][0], (Exception,), {})(value["raises"][1])
    if isinstance(value, dict) and "expected" in value: return (expected == "A") is value["expected"] or None
    return read(value)
def run(name, data=None, answers={"*": "x"}, scores=None, labels=None, trials=1, rows=None, **_):
    keys = rows or [key for key in dict.fromkeys(key for one in (answers, *scores.values()) for key in one) if key != "*"]
    def system(inputs): return give(answers, inputs)
    def scorer(table): return lambda inputs, expected: give(table, inputs, expected)
    return evaluate(name, data=read([{"q": q} for q in keys] if data is None else data), system=system,
                    scores={name: scorer(one) for name, one in scores.items()}, labels=labels, trials=trials, retries=0, concurrency=1, offline=True)
said = {"asked": {}, "refused": {}, "told": {}}
for name, one in table["asked"].items():
    made = run(name, **one)
    said["asked"][name] = {"text": str(made).replace(str(made.file), "FILE").split("\\n"), "rows": made.rows,
                           "cases": [[one.case, one.trial, one.reasons, one.scores] for one in made.results]}
for name, (one, _) in table["refused"].items():
    try: run(name, **one); said["refused"][name] = ""
    except Exception as error: said["refused"][name] = str(error)
told = table["told"]
for name, one in told["cases"].items():
    made = Evaluation(name, [], Path("FILE"), level=0.95)
    made.summary = {"metrics": [{**told["metric"], **metric} for metric in one.get("metrics", [{}])]}
    made.than = one.get("than", "main")
    made.comparison = {"pairs": [{"metrics": [{**told["pair"], **pair} for pair in one["pairs"]]}]} if one["pairs"] else None
    outcomes = []
    for asked in one.get("better", []):
        try: made.require_better(**asked); outcomes.append(["pass"])
        except NotBetter as error: outcomes.append([error.outcome, str(error)])
        except Exception as error: outcomes.append(["error", str(error)])
    said["told"][name] = {"text": str(made).split("\\n"), "outcomes": outcomes}
print(json.dumps(said, ensure_ascii=True))
`;
