import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readResults } from '../client/src/results/read-results.ts';
import { twinInPython, twinInTypeScript } from './twins-programs.ts';

const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const hasPython = (): boolean => {
  try {
    execFileSync(python, ['-c', 'import sys, httpx; assert sys.version_info >= (3, 11)'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
};

const head = { dokima: 'results', version: 1, id: 'ab12', tags: [], marks: [] };
const result = { group: 'G', case: 'one', scores: { right: true } };
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Each damaged file, and the words that refuse it. */
const damaged: Record<string, [content: string | Buffer, says: string]> = {
  empty: ['\n', 'PATH is not a file of results: it is empty.'],
  binary: [
    Buffer.from([0x89, 0x50, 0xff, 0x0a]),
    'PATH is not a file of results: line 1 is not text in UTF-8.',
  ],
  'another encoding': [
    Buffer.concat([Buffer.from(lines(head)), Buffer.from('{"group": "Zürich"}\n', 'latin1')]),
    'PATH is not a file of results: line 2 is not text in UTF-8.',
  ],
  table: ['question,answer\n', 'PATH is not a file of results: line 1 is not JSON.'],
  number: ['42\n', 'PATH is not a file of results: line 1 is not an object.'],
  'other tool': [
    lines({ results: [] }),
    'PATH is not a file of results: line 1 does not begin with {"dokima": "results", …}.',
  ],
  newer: [
    lines({ ...head, version: 2 }),
    'PATH has version 2 of the format, and this program reads version 1. Update the program.',
  ],
  'no id': [lines({ ...head, id: undefined }), "PATH is not a file of results: line 1 has no field 'id'."],
  'half a line within': [
    `${lines(head)}{"group": "G", "ca\n${lines(result)}`,
    'PATH is not a file of results: line 2 is not JSON.',
  ],
  'list for a result': [lines(head, result, [1]), 'PATH is not a file of results: line 3 is not an object.'],
  NaN: [`${lines(head)}{"group": NaN}\n\n`, 'PATH is not a file of results: line 2 is not JSON.'],
  'no inputs': [
    lines(head, { ...result, inputs: null }),
    "PATH is not a file of results: line 2 has a field 'inputs' that is not an object.",
  ],
  'list as score': [
    `\n${lines(head, { ...result, scores: { right: ['yes'] } })}`,
    "PATH is not a file of results: line 3 has a field 'scores' that is not an object of scores, each true, false, 1 to 5 as a whole number, 0 to 1, or a label.",
  ],
  'score of 6': [
    lines(head, { ...result, scores: { right: 6 } }),
    "PATH is not a file of results: line 2 has a field 'scores' that is not an object of scores, each true, false, 1 to 5 as a whole number, 0 to 1, or a label.",
  ],
  'labels that all pass': [
    lines(head, { ...result, labels: { right: { items: ['a', 'b'], passing: ['a', 'b'], ordered: true } } }),
    "PATH is not a file of results: line 2 has a field 'labels' that is not an object of labels.",
  ],
  'trial 0': [
    lines(head, { ...result, trial: 0 }),
    "PATH is not a file of results: line 2 has a field 'trial' that is not a whole number from 1.",
  ],
  'name for a list': [
    lines(head, { ...result, metrics: 'right' }),
    "PATH is not a file of results: line 2 has a field 'metrics' that is not a list of texts.",
  ],
  misspelt: [
    lines(head, { ...result, score: {} }),
    "PATH is not a file of results: line 2 has a field 'score', which no result has.",
  ],
};

/** Files with one result: as Windows saves them, and with half a character at the end, which a killed process leaves. */
const alsoRead = [
  Buffer.from(`\ufeff${lines(head, result)}`),
  Buffer.from(`\ufeff${lines(head, result)}`, 'utf16le'),
  Buffer.concat([Buffer.from(`${lines(head, result)}{"group": "Z`), Buffer.from('ü').subarray(0, 1)]),
];

/** Data, answers and scores that each language writes in its own words. */
const inTypeScript = `
import { evaluate } from '${here('../client/src/evaluate/evaluate.ts')}';
const answers = { object: { answer: 1 }, nested: { a: { b: [1, { c: null }] }, '\\u2028ключ 😀': 'é\\ud800' }, none: null, list: [1, 'two'], nan: NaN, infinite: { x: -Infinity },
  text: 'x', yes: true, empty: {}, wrong: () => 1n };
const data = Object.keys(answers).map((q) => ({ q, n: 2, 'é\\uffff': [0.5, 1e21, 1e-7], expected: q === 'none' ? null : { ok: q } }));
let calls = 0;
const system = ({ q }) => { calls++; return q === 'wrong' ? 1n : answers[q]; };
const seen = [];
const scores = { none: () => null, half: () => [0.5, 'half'], rating: () => 4, bad: () => NaN, saw: ({ outputs }) => { seen.push(JSON.stringify(outputs)); return true; }, grade: () => 'Gut' };
const labels = { grade: { items: ['Schlecht', 'Gut'], passing: ['Gut'] } };
const run = (more) => evaluate('Twins', { data, system, scores, labels, concurrency: 1, retries: 0, cache: 'v1', ...more });
const first = await run({});
const whole = seen.splice(0);
await run({});
const text = String(await run({ data: data.slice(0, 2), cache: 'v2', scores: { none: () => null }, labels: {} }));
await run({ system: ({ q }) => q });
console.log(JSON.stringify([first.rows, calls, whole, seen.slice(0, 9), text.split(' · ')[0], first.failures.length]));
`;

const inPython = `
import json, sys
from dokima import evaluate
answers = {"object": {"answer": 1}, "nested": {"a": {"b": [1, {"c": None}]}, "\\u2028ключ 😀": "é\\ud800"}, "none": None, "list": [1, "two"], "nan": float("nan"),
  "infinite": {"x": float("-inf")}, "text": "x", "yes": True, "empty": {}, "wrong": 0}
data = [{"q": q, "n": 2, "é\\uffff": [0.5, 1e21, 1e-7], "expected": None if q == "none" else {"ok": q}} for q in answers]
calls = 0
def system(q, **_):
    global calls
    calls += 1
    if q == "wrong":
        loop = []
        loop.append(loop)
        return loop
    return answers[q]
seen = []
def saw(outputs):
    seen.append(json.dumps(None if outputs != outputs else {"x": None} if outputs == answers["infinite"] else outputs, ensure_ascii=False, separators=(",", ":")))
    return True
scores = {"none": lambda outputs: None, "half": lambda outputs: (0.5, "half"), "rating": lambda outputs: 4, "bad": lambda outputs: float("nan"), "saw": saw, "grade": lambda outputs: "Gut"}
labels = {"grade": {"items": ["Schlecht", "Gut"], "passing": ["Gut"]}}
def run(data=data, **more):
    return evaluate("Twins", data=data, concurrency=1, retries=0, **{"cache": "v1", "system": system, "scores": scores, "labels": labels, **more})
first = run()
whole, seen = seen, []
run()
kept = seen[:9]
text = str(run(data[:2], cache="v2", scores={"none": lambda outputs: None}, labels={}))
run(system=lambda q, **_: q)
print(json.dumps([first.rows, calls, whole, kept, text.split(" · ")[0], len(first.failures)]))
`;

type Asked = { line: string; failed?: string; reasons?: object };
type Told = { text: string[]; outcomes?: string[][] };
type Row = { 'inputs.q': string };
const mapped = <Value>(given: Record<string, Value>, map: (value: Value) => unknown) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dokima-results-'));
});
afterEach(() => rm(directory, { recursive: true }));

const runWith = (program: string, words: string[], cwd = directory) =>
  promisify(execFile)(program, words, {
    cwd,
    env: { PATH: '', DOKIMA_COMMAND: '', PYTHONPATH: here('src'), PYTHONIOENCODING: 'utf-8:surrogatepass' },
  });

it('a file that is damaged, newer or of another tool is refused with its line', async () => {
  for (const [name, [content, says]] of Object.entries(damaged)) {
    const path = join(directory, name);
    await writeFile(path, content);
    expect(() => readResults(path), name).toThrow(says.replace('PATH', path));
  }
  expect(() => readResults(directory)).toThrow(`${directory} is a directory, and no file of results.`);
  const path = join(directory, 'whole');
  for (const bytes of alsoRead) {
    await writeFile(path, bytes);
    expect(readResults(path).results).toMatchObject([{ case: 'one' }]);
  }
  await writeFile(path, `${lines(head, result)}{"group":"G","case":"two","scores":{"close":1.0}}\n{"half`);
  expect(readResults(path).results).toMatchObject([
    { case: 'one', trial: 1, inputs: {}, error: null, scores: { right: true }, floats: [] },
    // Python's 1.0 is a share, its 1 a rating.
    { case: 'two', scores: { close: 1 }, floats: ['close'] },
  ]);
});

describe.skipIf(!hasPython())('Python and TypeScript (skipped without Python 3.11 and httpx)', () => {
  it('say the same of a damaged file', async () => {
    for (const [name, [content]] of Object.entries(damaged)) await writeFile(join(directory, name), content);
    for (const [i, bytes] of alsoRead.entries()) await writeFile(join(directory, `read ${i}`), bytes);
    const names = [...Object.keys(damaged), '.', ...alsoRead.map((_, i) => `read ${i}`)];
    await writeFile(join(directory, 'list.json'), JSON.stringify(names));
    const program = `
import json, pathlib
from dokima.testing import ResultsError, read_results
said = []
for name in json.load(open("list.json")):
    try: said.append([one.case for one in read_results(pathlib.Path(name))[1]])
    except ResultsError as error: said.append(str(error).replace(name, "PATH", 1))
print(json.dumps(said))`;
    const said = JSON.parse((await runWith(python, ['-c', program])).stdout);
    expect(said).toEqual([
      ...Object.values(damaged).map(([, says]) => says),
      'PATH is a directory, and no file of results.',
      ...alsoRead.map(() => ['one']),
    ]);
  });

  it('print the same line, rows, reasons and verdicts for each case of twins.json', async () => {
    const table = JSON.parse(await readFile(here('twins.json'), 'utf8'));
    const programs: [string, string, string][] = [
      [process.execPath, 'twin.ts', twinInTypeScript],
      [python, 'twin.py', twinInPython],
    ];
    const [ts, py] = await Promise.all(
      programs.map(async ([program, name, text]) => {
        const own = join(directory, name.replace('.', '-'));
        await mkdir(own);
        await writeFile(join(own, name), text);
        return JSON.parse((await runWith(program, [name], own)).stdout);
      }),
    );
    expect(py).toEqual(ts);
    for (const [name, { line, failed, reasons }] of Object.entries<Asked>(table.asked)) {
      const { text, rows, cases } = ts.asked[name];
      expect(text, name).toEqual([
        expect.stringContaining(`${line}, no interval`),
        ...(failed ? [failed] : []),
      ]);
      const said = rows.map((row: Row, i: number) => [row['inputs.q'], cases[i][2]]);
      if (reasons)
        expect(
          Object.fromEntries(said.filter(([, found]: [string, object]) => Object.keys(found).length)),
          name,
        ).toEqual(reasons);
    }
    expect(ts.refused).toEqual(mapped<[unknown, string]>(table.refused, ([, says]) => says));
    expect(ts.told).toEqual(
      mapped<Told>(table.told.cases, ({ text, outcomes = [] }) => ({ text, outcomes })),
    );
  });

  it('write the same file for the same answers, and reuse them as they were', async () => {
    const made = await Promise.all(
      [
        [process.execPath, 'program.ts', inTypeScript],
        [python, 'program.py', inPython],
      ].map(async ([program, name, text]) => {
        const own = join(directory, name!.replace('.', '-'));
        await mkdir(own);
        await writeFile(join(own, name!), text!);
        const { stdout, stderr } = await runWith(program!, [name!], own);
        const folder = join(own, 'dokima-results/Twins');
        const files = (await readdir(folder)).sort();
        const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
        return { said: JSON.parse(stdout), notes: stderr.split('\n'), texts };
      }),
    );
    const [ts, py] = made as [(typeof made)[0], (typeof made)[0]];
    // The head has the id of the session, and digests of sources in two languages. What breaks has its name in the language.
    const same = (text: string) =>
      text
        .replaceAll(/"(id|scores|source)":"[^"]*"/g, '"$1":""')
        .replaceAll(/("error":"|"bad":")[^"]*/g, '$1')
        .split('\n');
    expect(py.texts).toHaveLength(4);
    expect(py.texts.map(same)).toEqual(ts.texts.map(same));
    const [rows, calls, whole, again, text, failures] = ts.said;
    expect(py.said[0].map((row: object) => ({ ...row, error: '' }))).toEqual(
      rows.map((row: object) => ({ ...row, error: '' })),
    );
    expect(py.said.slice(1, 2)).toEqual([calls]);
    // What a metric sees of a reused answer is what it saw the first time, as far as JSON can hold it.
    expect([again, py.said[3]]).toEqual([whole, py.said[2]]);
    expect([text, failures]).toEqual([py.said[4], 1]);
    for (const { notes } of made)
      expect(notes).toEqual([
        'dokima: 9 answers are reused.',
        "dokima: The source of the system is not that of the answers to 'v1'. If it answers otherwise now, give cache another name.",
        'dokima: 9 answers are reused.',
        '',
      ]);
  });
});
