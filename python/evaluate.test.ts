import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../server/test/fixtures.ts';
import { type Client, startApp, type TestApp } from '../server/test/harness.ts';

const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const source = fileURLToPath(new URL('src', import.meta.url));
const bin = fileURLToPath(new URL('../cli/bin/dokima.js', import.meta.url));

const has = (...packages: string[]): boolean => {
  try {
    const program = `import sys, ${packages}; assert sys.version_info >= (3, 11)`;
    execFileSync(python, ['-c', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** A bot that knows the first KNOWN of 40 numbers, some of them each second time, scored as yes and no and from 0 to 1. */
const program = `
import asyncio, collections, json, os, sys
from dokima import Dokima, NotBetter, evaluate

KNOWN = int(os.environ.get("KNOWN", "30"))
calls = 0
times = collections.Counter()

async def double(number):
    global calls
    calls += 1
    if calls == int(os.environ.get("DIES", "0")):
        os._exit(9)
    times[number] += 1
    time = times[number]
    await asyncio.sleep(0)
    if number == 39:
        raise OSError("<b>no network</b>")
    return 2 * number if number < KNOWN and (number % 5 < 4 or time % 2) else -1

def right(outputs, expected):
    return outputs == expected

def close(outputs, expected):
    return (0.5 + (expected % 7) / 16, "by rule") if outputs < 0 else 1.0

def run(**more):
    return evaluate("Doubles", data=[{"number": n, "expected": 2 * n} for n in range(40)], system=double,
                    scores=[right, close], trials=2, concurrency=3, retries=0, level=0.9, **more)
`;

describe.skipIf(!has('httpx'))('evaluate() in Python (skipped without Python 3.11 and httpx)', () => {
  let app: TestApp;
  let api: Client;
  let directory: string;
  let environment: NodeJS.ProcessEnv;
  let projectId: string;

  type Said = { code: number; out: string; err: string };
  const run = (lines: string, more: NodeJS.ProcessEnv = {}): Promise<Said> =>
    promisify(execFile)(python, ['-c', `${program}\n${lines}`], {
      cwd: directory,
      env: { ...environment, ...more },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
    );
  const json = async (lines: string, more?: NodeJS.ProcessEnv) => {
    const { out, err } = await run(lines, more);
    expect([out, err]).toEqual([expect.stringMatching(/^[[{]/), expect.anything()]);
    return JSON.parse(out);
  };
  const runs = async () => (await ok(api('GET', `/projects/${projectId}/run-details`))).data;
  let online: NodeJS.ProcessEnv;

  beforeAll(async () => {
    app = await startApp();
    const { key, ...organization } = await app.organization();
    api = organization.api;
    online = { DOKIMA_URL: await app.url(), DOKIMA_API_KEY: key };
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dokima-evaluate-'));
    projectId = (await ok(api('POST', '/projects', { name: 'Bot', description: '' }), 201)).id;
    online.DOKIMA_PROJECT = projectId;
    environment = {
      PATH: process.env.PATH,
      TMPDIR: directory,
      PYTHONPATH: source,
      DOKIMA_COMMAND: `${process.execPath} ${bin}`,
    };
    return () => rm(directory, { recursive: true });
  });
  afterAll(() => app.close());

  const both = `
first = run(mark="main").metrics
KNOWN = 36
again = run(than="main")
try: again.require_better(metric="right", margin=0.01); outcome = "pass"
except NotBetter as error: outcome = error.outcome
def lost(number):
    if number < 20: raise TypeError("lost")
    return 2 * number
lacking = evaluate("Doubles", data=[{"number": n, "expected": 2 * n} for n in range(40)], system=lost, scores=[right, close],
                   trials=2, concurrency=3, retries=0, level=0.9, than="main")
try: lacking.require_better(metric="right")
except NotBetter as error: outcome += f" {lacking.metrics[0]['verdict']} {error.outcome}"
print(json.dumps([first, again.metrics, str(again), again.rows[0], len(again.failures), again._repr_html_(), outcome]))
`;

  it('offline gives the numbers of the service, and dokima push sends the same run later', async () => {
    const away = await json(both);
    const here = await json(both, online);
    expect(away[0]).toEqual(here[0]);
    expect(away[1]).toEqual(here[1]);
    expect(here[1]).toMatchObject([
      {
        metric: 'right',
        measure: 'rate',
        n: 39,
        verdict: 'better',
        difference: expect.closeTo(5.5 / 39, 12),
      },
      { metric: 'close', measure: 'mean' },
    ]);
    const line = /^right 83\.3 % \(.* … .*\), n 39 · than main: \+14\.1 points \(.* … .*\), better\n/;
    for (const one of [away, here])
      expect(one.slice(2)).toEqual([
        expect.stringMatching(line),
        {
          'inputs.number': 0,
          'expected.answer': 0,
          'outputs.answer': 0,
          trial: 1,
          right: true,
          close: 1,
          error: null,
        },
        2,
        expect.stringMatching(/<b>Doubles<\/b>.*<td>right 83\.3 %.*2 of 80 calls failed/),
        // A pass that the missing scores may undo is none.
        'pass better inconclusive',
      ]);
    expect(here[2]).toContain(`/projects/${projectId}/compare?runs=`);
    expect(away[2]).toContain('2 of 80 calls failed: OSError: <b>no network</b>');

    const [file] = (await readdir(join(directory, 'dokima-results/Doubles'))).toSorted();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [bin, 'push', '-p', projectId, join('dokima-results/Doubles', file!), '--mark', 'sent'],
      { cwd: directory, env: { ...environment, ...online, HOME: directory } },
    );
    expect(stdout).toMatch(/^Doubles: run \d+, 80 records, http/);
    const [pushed, , , before] = await runs();
    expect([pushed.marks, before.marks]).toEqual([['main', 'sent'], ['main']]);
    // Both are runs of one testset, whose testcases were found by their content.
    expect([pushed.testsetId, pushed.numRecords, pushed.numExpectedRecords]).toEqual([
      before.testsetId,
      80,
      40,
    ]);
    const { metrics } = await ok(api('GET', `/runs/${pushed.id}/summary?level=0.9`));
    expect(metrics[0].states).toMatchObject({ scored: 78, unscored: 2, pending: 0 });
    expect(metrics[0].passRate.interval).toMatchObject({ low: away[0][0].low, high: away[0][0].high });
    // The service of the program ended with it, and left nothing.
    expect((await readdir(directory)).filter((name) => name.startsWith('dokima-files'))).toEqual([]);
  });

  it('functions give labels, which stand in the file and become a category; other texts are missing scores', async () => {
    const grades = `
def grade(outputs, expected):
    return "right" if expected == 0 else "Right" if outputs == expected else "Wrong"
LABELS = {"grade": {"items": ["Wrong", "Partly", "Right"], "passing": ["Right"], "ordered": True}}
def graded(**more):
    return evaluate("Doubles", data=[{"number": n, "expected": 2 * n} for n in range(40)], system=double, scores=grade, retries=0, **more)
`;
    const shown = (more: string) =>
      json(`${grades}one = graded(${more})
print(json.dumps([one.metrics[0]["estimate"], one.metrics[0]["n"], one.rows[1]["grade"], one.results[0].reasons.get("grade"), str(one.file)]))`);
    const [estimate, n, label, reason, file] = await shown('offline=True, labels=LABELS');
    expect([estimate, n, label]).toEqual([29 / 38, 38, 'Right']);
    expect(reason).toContain("must return one of the labels 'Wrong', 'Partly', 'Right'");
    const text = await readFile(join(directory, file), 'utf8');
    expect(text).toContain(
      '"labels":{"grade":{"items":["Wrong","Partly","Right"],"passing":["Right"],"ordered":true}}',
    );
    environment = { ...environment, ...online };
    const unknown = await run(`${grades}graded()`);
    expect(unknown.err).toContain(
      "'grade' gives labels, and nothing says which of them pass. Name them: labels",
    );
    expect((await shown('labels=LABELS')).slice(0, 4)).toEqual([estimate, n, label, reason]);
    const [{ id }] = await runs();
    const { metrics } = await ok(api('GET', `/runs/${id}/summary`));
    expect(metrics[0]).toMatchObject({ outputType: 'category', labels: { ordered: true } });
    expect(metrics[0].labels.shares.map(({ numScores }: { numScores: number }) => numScores)).toEqual([
      9, 0, 29,
    ]);
    // The project has the labels now. A text that is none of them is stored with its problem, and counts as missing.
    expect((await shown('')).slice(0, 3)).toEqual([estimate, n, 'Right']);
    const push = promisify(execFile)(process.execPath, [bin, 'push', '-p', projectId, file], {
      cwd: directory,
      env: { ...environment, HOME: directory },
    });
    expect((await push).stdout).toMatch(/^Doubles: run \d+, 40 records/);
  });

  it('the lines of docs/evaluate.md print what the page says, and then the difference', async () => {
    const page = await readFile(new URL('../docs/evaluate.md', import.meta.url), 'utf8');
    const [, lines] = /<!-- python: [^>]*-->\n```python.*\n([\s\S]*?)```/.exec(page)!;
    const [, shown] = /```text no-run.*\n(.*?) · http/.exec(page)!;
    expect((await run(lines!, online)).out).toContain(`${shown} · http`);
    expect((await run(lines!, online)).out).toContain('n 4 · than main: +0 points (−49 … +49), cannot tell');
  });

  it.skipIf(!has('nbclient', 'ipykernel', 'pandas'))(
    'a notebook, whose loop runs already, shows a table with the verdict, and has the rows as a frame (skipped without nbclient)',
    async () => {
      const cells = [
        program,
        'run(mark="main"); KNOWN = 36; found = run(than="main"); found',
        'found.to_pandas().groupby("inputs.number").right.mean().sum()',
      ];
      const notebook = `
import json, nbformat, nbclient, sys
book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in json.load(sys.stdin)])
nbclient.NotebookClient(book, timeout=120).execute()
print(json.dumps([[output.get("data", {}) for output in cell.outputs if "data" in output] for cell in book.cells]))`;
      const asking = promisify(execFile)(python, ['-c', notebook], {
        cwd: directory,
        env: { ...environment, ...online, HOME: directory, JUPYTER_PLATFORM_DIRS: '1' },
      });
      asking.child.stdin!.end(JSON.stringify(cells));
      const [, [shown], [sum]] = JSON.parse((await asking).stdout);
      expect(shown['text/html']).toMatch(/<b>Doubles<\/b>.*<td>right 83\.3 % .*\+14\.1 points .*, better</);
      expect(sum['text/plain']).toContain('32.5');
    },
  );

  it('a run as rows is a frame, whose run has the same numbers', async () => {
    // What push_frame needs of a frame of pandas, which the test does not have.
    const lines = `
class Frame:
    def __init__(self, rows): self.rows, self.columns = rows, list(dict.fromkeys(key for row in rows for key in row))
    def to_dict(self, _): return [{key: row.get(key, float("nan")) for key in self.columns} for row in self.rows]
made = run()
client = Dokima()
rows = list(client.run(made.run_id))
alone = client.create_run("${projectId}", metric_ids=[])
client.create_record(alone.id, inputs={"q": 1}, outputs={}, expected={})
without = [row["testcase"] for row in client.run(alone.id)]
again = client.push_frame("${projectId}", "Frames", Frame(rows))
named = client.push_frame("${projectId}", "Named", Frame([{"q": 1, "a": 2, "ok": True}, {"q": 1, "a": 3, "ok": None}]), inputs=["q"], outputs=["a"], scores=["ok"])
try: client.push_frame("${projectId}", "Wrong", Frame([{"q": 1}]), inputs=["x"], outputs=["q"])
except ValueError as error: wrong = str(error)
numbers = [{m["metricName"]: [round((m["mean"] or m["passRate"])["interval"][end], 12) for end in ("low", "high")] + [m["states"]["scored"]]
            for m in client.summarize_run(one)["metrics"]} for one in (made.run_id, again.run_id)]
print(json.dumps([numbers, rows[0], [sorted((row["scores.ok"], row["reasoning.ok"]) for row in named if row["scores.ok"]), len(list(named))], wrong, again.url, without]))`;
    const [[first, second], row, named, wrong, url, without] = await json(lines, online);
    expect(second).toEqual(first);
    const reason = 'OSError: <b>no network</b>';
    expect(row).toMatchObject({ 'inputs.number': 39, 'scores.right': null, 'reasoning.right': reason });
    expect(named).toEqual([[[true, null]], 2]);
    expect(wrong).toBe('The frame has no column x. It has: q');
    expect(without).toEqual([null]);
    expect(url).toMatch(new RegExp(`/projects/${projectId}/runs/\\d+$`));
  });

  it('after a crash the answers are kept, also a half line; another system asks again', async () => {
    const count = 'found = run(); print(json.dumps([calls, len(found.results), str(found)]))';
    const died = await run(count, { ...online, DIES: '30' });
    expect(died.code).toBe(9);
    const folder = join(directory, 'dokima-results/Doubles');
    const [file] = await readdir(folder);
    const text = await readFile(join(folder, file!), 'utf8');
    const kept = text.trim().split('\n').length - 1;
    await writeFile(join(folder, file!), `${text}{"group": "Dou`);
    const { out, err } = await run(count, online);
    expect(err).toContain(`was interrupted. Its ${kept} answers are kept.`);
    expect(JSON.parse(out).slice(0, 2)).toEqual([80 - kept, 80]);
    expect(kept).toBeGreaterThan(20);
    expect(await runs()).toMatchObject([{ numRecords: 80 }]);
    expect(JSON.parse((await run(count, online)).out)[0]).toBe(80);
  });

  it('answers of a named version are reused, and metrics of the project and ready ones are scored by the service', async () => {
    // The service of the program is a whole one, whose workers score; the service of this test has none.
    const lines = `
from dokima._own_service import OwnService
client = Dokima(*OwnService.start().access())
project = client.create_project(name="Cached", description="")["id"]
client.create_metric(project, {"name": "Short", "evalType": "heuristic", "outputType": "boolean",
    "guidelines": "def score(inputs, outputs, expected): return outputs['answer'] < 50"})
data = [{"number": n, "expected": 2 * n} for n in range(30)]
calls_of = []
for _ in range(2):
    found = evaluate("Cached", data=data, system=double, scores=["Short", "exact-match", {"odd": lambda outputs, expected: outputs % 2 == 1}], cache="v1", client=client)
    calls_of.append(calls)
print(json.dumps([calls_of, [(one["metric"], one["estimate"], one["n"]) for one in found.metrics], found.rows[29]]))`;
    const [calls, metrics, row] = await json(lines);
    expect(calls).toEqual([30, 30]);
    expect(metrics).toEqual(
      expect.arrayContaining([
        ['Short', 25 / 30, 30],
        ['Exact match', 1, 30],
        ['odd', 0, 30],
      ]),
    );
    expect(row).toMatchObject({ Short: false, 'Exact match': true, odd: false });
  });

  it('without the command there are rows and no interval; wrong arguments say what is right', async () => {
    const lines = `
found = evaluate("Alone", data=[{"q": 1, "expected": 1}], system=lambda q: q, scores={"same": lambda outputs, expected: outputs == expected})
print(json.dumps([str(found), found.rows, found.metrics]))
for wrong in (dict(scores=[lambda outputs: True]), dict(data=[]), dict(data=[{"q": 1, "expected": 1}, {"q": 1, "expected": 2}])):
    try: evaluate("Alone", **{"data": [{"q": 1}], "system": lambda q: q, "scores": [right], **wrong})
    except ValueError as error: print(error, file=sys.stderr)
def broken(q): raise KeyError(q)
try: evaluate("Alone", data=[{"q": 1}], system=broken, scores=[right], retries=0)
except RuntimeError as error: print(error, file=sys.stderr)
# A generator gives its rows once; a score is one value, or a value with its reason.
def rows():
    yield {"q": None, "expected": None}
    yield {"ключ 😀": "é"}
async def system(**fields): return None
scores = {"nan": float("nan"), "text": "true", "none": None, "alone": (True,), "pair": (True, None), "three": (True, "a", "b"), "why": (0.5, "half")}
odd = evaluate("Odd", data=rows(), system=system, scores={name: lambda outputs, expected, value=value: value for name, value in scores.items()})
print(json.dumps(odd.rows))`;
    const { out, err } = await run(lines, { DOKIMA_COMMAND: '', PATH: '' });
    const [[text, rows, metrics], odd] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    // A text is a label.
    const scored = { trial: 1, text: 'true', pair: true, why: 0.5, error: null };
    expect(odd).toEqual([
      { 'inputs.q': null, ...scored },
      { 'inputs.ключ 😀': 'é', ...scored },
    ]);
    expect(text).toMatch(
      /^same 1 of 1 scores, no interval: install the npm package dokima.* · dokima push dokima-results/,
    );
    expect([rows[0].same, metrics]).toEqual([true, []]);
    expect(err.trim().split('\n')).toEqual([
      expect.stringContaining('A metric needs a name'),
      'data has no rows.',
      'Two rows have the inputs {"q":1} and different expected answers.',
      'The system gave no answer. The first error: KeyError: 1',
    ]);
  });
});
