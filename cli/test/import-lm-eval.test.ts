import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fixture, nothing, openImports } from './importing.ts';

const { opened, importFile, readRun } = openImports();

/** Our own samples in the form that lm_eval 0.4.13 logs. */
const folder = 'lm-eval/org__tiny-model';
const gsm8k = fixture(`${folder}/samples_gsm8k_2026-10-16T14-30-00.123456.jsonl`);

describe('samples of lm-evaluation-harness', () => {
  it('are known by their shape: a record for each document, a metric for each filter', async () => {
    const said = await importFile(gsm8k);
    expect(said).toMatchObject({
      tool: 'lm-evaluation-harness',
      id: 'gsm8k',
      records: 3,
      metrics: 2,
      scores: 6,
    });
    expect((await readRun(said.runIds[0]))[1]).toMatchObject({
      id: 'gsm8k/1',
      inputs: { prompt: 'Question: A box holds 6 eggs. How many in 5 boxes?\nAnswer:' },
      expected: { target: '6 * 5 = 30\n#### 30' },
      outputs: {
        output: '6 * 5 = 30 eggs.',
        filtered: { 'strict-match': '[invalid]', 'flexible-extract': '30' },
      },
      scores: {
        'exact_match,strict-match': { floatScore: 0 },
        'exact_match,flexible-extract': { floatScore: 1 },
      },
    });
    const run = await opened.terminal.client.getRun(said.runIds[0]);
    expect((await opened.terminal.client.getSystem(run.systemId!)).name).toBe('org/tiny-model');
    const { config } = await opened.terminal.client.getSystemVersion(run.systemVersionId!);
    expect(config).toMatchObject({ model_args: 'pretrained=org/tiny-model', num_fewshot: 5 });
    expect(await importFile(gsm8k)).toMatchObject({ ...nothing, runIds: said.runIds });
  });

  it('with choices have the choice of the model, and NaN is not a score', async () => {
    const { imports } = await importFile(fixture('lm-eval'));
    expect(imports.map(({ id }: { id: string }) => id)).toEqual(['gsm8k', 'hellaswag']);
    expect(await readRun(imports[1].runIds[0])).toMatchObject([
      {
        inputs: { prompt: 'The sky is', choices: [' green', ' blue', ' loud'] },
        expected: { target: '1', answer: ' blue' },
        outputs: { answer: ' blue', index: 1, logLikelihoods: [-7.5, -1.25, -9] },
        scores: { acc: { floatScore: 1 }, acc_norm: { floatScore: 1 } },
      },
      { expected: { answer: ' cold' }, outputs: { answer: ' hot' }, scores: { acc: { floatScore: 0 } } },
    ]);
    const [, second] = await readRun(imports[1].runIds[0]);
    expect(second!.scores).not.toHaveProperty('acc_norm');
  });

  it('of another model are another run of the same testset', async () => {
    const first = await importFile(gsm8k);
    await opened.terminal.write('samples_gsm8k_2026-10-17T10-00-00.5.jsonl', await readFile(gsm8k, 'utf8'));
    await opened.terminal.write(
      'results_2026-10-17T10-00-00.5.json',
      JSON.stringify({ model_name: 'org/other', config: { model: 'hf' } }),
    );
    const second = await importFile('samples_gsm8k_2026-10-17T10-00-00.5.jsonl');
    expect(second).toMatchObject({ testsetId: first.testsetId, testcases: 0, runs: 1, records: 3 });
  });
});
