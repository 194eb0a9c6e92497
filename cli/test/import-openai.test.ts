import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Metric } from '../../client/src/main.ts';
import { fixture, nothing, openImports } from './importing.ts';

const { opened, importFile, readRun } = openImports();

const metricsByName = async (): Promise<Record<string, Metric>> => {
  const { data } = await opened.terminal.client.listMetrics(opened.projectId, { limit: 100 });
  return Object.fromEntries(data.map((metric) => [metric.name, metric]));
};

/** Our own data in the form of the API's answers, which the types of openai-python 3.54.0 accept. rapidfuzz 3.14 gave the similarities. */
const file = fixture('openai-hosted.jsonl');

describe("an export of OpenAI's hosted Evals", () => {
  it('has a run for each run, and every verdict as OpenAI gave it', async () => {
    const said = await importFile(file);
    expect(said).toMatchObject({
      tool: "OpenAI's hosted Evals",
      testcases: 3,
      metrics: 7,
      runs: 2,
      records: 6,
      scores: 34,
    });
    const [, second] = await readRun(said.runIds[0]);
    expect(second).toMatchObject({
      inputs: { headline: 'TechCorp Launches Phone', limit: 8, keywords: ['technology'] },
      expected: { ground_truth: 'Technology', summary: 'TechCorp presented a new phone.' },
      outputs: { output_json: { topic: 'Markets' } },
      scores: {
        'Topic matches': { binaryScore: false },
        'Close summary': { floatScore: expect.closeTo(0.50505, 4) },
        Short: { floatScore: expect.closeTo(8 / 12, 10) },
        Tone: { categoryScore: 'hyped', reasoning: '{"steps": [], "result": "hyped"}' },
        Quality: { floatScore: expect.closeTo(1 / 6, 10) },
      },
    });
    const run = await opened.terminal.client.getRun(said.runIds[1]);
    const { config } = await opened.terminal.client.getSystemVersion(run.systemVersionId!);
    expect(config).toMatchObject({ model: 'gpt-4.1', sampling_params: { temperature: 1 }, run: 'Prompt 2' });
  });

  it('gives metrics that score new records: code for code, a judge for a model', async () => {
    await importFile(file);
    const metrics = await metricsByName();
    expect(
      Object.values(metrics)
        .map(({ name, evalType, outputType }) => [name, evalType, outputType])
        .sort(),
    ).toEqual([
      ['Close summary', 'heuristic', 'float'],
      ['Mentions the topic', 'heuristic', 'boolean'],
      ['Quality', 'ai', 'float'],
      ['Same meaning', 'heuristic', 'float'],
      ['Short', 'heuristic', 'float'],
      ['Tone', 'ai', 'category'],
      ['Topic matches', 'heuristic', 'boolean'],
    ]);
    expect(metrics['Close summary']).toMatchObject({ passingThreshold: 0.6 });
    expect(metrics.Quality).toMatchObject({
      passingThreshold: 0.75,
      evalModelName: 'o4-mini',
      temperature: 1,
      promptTemplate: expect.stringContaining(
        'Rate the summary {{ outputs.output_text }} of {{ inputs.headline }}.',
      ),
    });
    expect(metrics.Tone).toMatchObject({
      labels: { items: ['neutral', 'hyped', 'gloomy'], passing: ['neutral'], ordered: false },
      promptTemplate: expect.stringContaining(
        `developer:\nClassify the tone of a summary. {{ '{%' }} not a tag %}`,
      ),
    });
  });

  it('compares the verdicts of code with those of OpenAI, and says what it cannot compute', async () => {
    const { notes } = await importFile(file);
    expect(notes).toEqual([
      expect.stringContaining("'Same meaning' is cosine similarity, which Dokima cannot compute"),
      "Scores of 'Quality' from 1 to 7 are stored as 0 to 1.",
      "Metric 'Topic matches' as code gives 5 of 5 verdicts again.",
      "Metric 'Mentions the topic' as code gives 5 of 5 verdicts again.",
      "Metric 'Close summary' as code gives 5 of 5 verdicts again.",
      "Metric 'Short' as code gives 5 of 5 verdicts again.",
    ]);
  });

  it('never turns an error of the model or of a grader into a verdict, and asks no judge', async () => {
    const said = await importFile(file);
    const [, second, third] = await readRun(said.runIds[1]);
    expect(second!.scores).not.toHaveProperty('Quality');
    expect(third).toMatchObject({ outputs: { error: 'Rate limit reached.' }, scores: {} });
    const { data } = await opened.terminal.client.listRecords(said.runIds[1]);
    expect(data).toHaveLength(3);
    const progress = (await opened.terminal.client.getRunDetails(said.runIds[1])).progress;
    expect(progress).toMatchObject({ stoppedBy: 'judgeBudget' });
    const [first] = said.runIds;
    expect((await opened.terminal.client.getRunDetails(first)).progress).toMatchObject({ stoppedBy: null });
  });

  it('imported again changes nothing, as one JSON value or with the items inside the runs too', async () => {
    const first = await importFile(file);
    expect(await importFile(file)).toMatchObject({ ...nothing, runIds: first.runIds });
    const [about, ...rest] = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const runs = rest
      .filter(({ object }) => object === 'eval.run')
      .map((run) => ({
        run,
        output_items: { object: 'list', data: rest.filter((item) => item.run_id === run.id) },
      }));
    await opened.terminal.write('export.json', JSON.stringify([{ eval: about, runs }]));
    expect(await importFile('export.json')).toMatchObject({ ...nothing, runIds: first.runIds });
  });

  it('without the eval keeps the verdicts, and a Python grader with a package keeps its scores', async () => {
    const all = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    await opened.terminal.write('items.json', JSON.stringify(all.filter(({ object }) => object !== 'eval')));
    expect(await importFile('items.json')).toMatchObject({ metrics: 7, records: 6, scores: 34 });
    const [about] = all;
    about.id = 'eval_other';
    about.testing_criteria[4].source = `import numpy as np\n${about.testing_criteria[4].source}`;
    const renamed = all.map((one) => (one.eval_id ? { ...one, eval_id: about.id } : one));
    await opened.terminal.write('numpy.json', JSON.stringify(renamed));
    opened.projectId = (await opened.terminal.client.createProject({ name: 'numpy', description: '' })).id;
    const said = await importFile('numpy.json');
    expect(said.notes).toContainEqual(expect.stringContaining("'Short' needs the Python package numpy"));
    expect(said.scores).toBe(34);
  });

  it('with several evals becomes a testset for each, also from the files of a folder', async () => {
    const text = await readFile(file, 'utf8');
    const [about, ...rest] = text.trim().split('\n');
    // The other eval has a grader of the same name that does something else, and two graders of one name.
    const other = text
      .replaceAll(/(eval|evalrun|outputitem)_67/g, '$1_99')
      .replace('"operation": "eq"', '"operation": "ne"')
      .replace('"name": "Mentions the topic"', '"name": "Topic matches"');
    await mkdir(join(opened.terminal.directory, 'export/items'), { recursive: true });
    await opened.terminal.write('export/evals.jsonl', `${about}\n`);
    await opened.terminal.write('export/items/new.jsonl', rest.join('\n'));
    await opened.terminal.write('export/items/old.jsonl', other);
    const { imports } = await importFile('export');
    expect(imports).toMatchObject([
      { id: 'eval_67abd54d9b0081909a86353f6fb9317a', records: 6, metrics: 7 },
      { id: 'eval_99abd54d9b0081909a86353f6fb9317a', records: 6, metrics: 2, scores: 34 },
    ]);
    expect(imports[1].notes).toContainEqual(
      expect.stringContaining("'Topic matches' as code gives 0 of 5 verdicts again."),
    );
    expect(await importFile('export')).toMatchObject({ imports: [nothing, nothing] });
    expect(imports[0].testsetId).not.toBe(imports[1].testsetId);
  });

  it('--dry-run shows the metrics for the graders', async () => {
    const said = await opened.terminal.dokima(['import', '-p', opened.projectId, file, '--dry-run']);
    expect(said.out).toContain("metric 'Topic matches': heuristic, boolean, from string_check, eq");
    expect(said.out).toContain("metric 'Tone': ai, category, from label_model");
    expect(said.out).toContain('expected: ground_truth, summary');
  });
});
