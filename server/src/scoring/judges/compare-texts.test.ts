import { describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { openBench } from '../../../test/judge-bench.ts';

const { openai, ask, judge, config, data, providers } = await openBench();
const similarity = {
  outputType: 'float' as const,
  promptTemplate: '{{ similarity(outputs.answer, inputs.question) }}',
};

describe('similarity() in a template', () => {
  it('sends the two texts, unmarked, in one request of embeddings; the verdict is their cosine', async () => {
    for (const evalModelName of ['local/small', 'openai/text-embedding-3-small']) {
      openai.received.length = 0;
      const outcome = await ask({ ...similarity, evalModelName }, { answer: '2 + 2?' });
      expect(outcome).toMatchObject({
        state: 'scored',
        evidence: { prompt: '2 + 2?\n\n2 + 2?', inputTokens: 12, attempts: 1 },
      });
      expect(openai.received).toMatchObject([{ path: '/v1/embeddings', messages: ['2 + 2?', '2 + 2?'] }]);
    }
  });

  it('is between 0 and 1, whatever the metric says about repeats', async () => {
    const words = { ...data, inputs: '{"question":"a red car"}' };
    const of = (answer: string) =>
      judge().judge(
        { ...config, ...similarity, judgeRepeats: 3 },
        { ...words, outputs: JSON.stringify({ answer }) },
        providers,
        asker,
      );
    expect(await of('a red bike')).toMatchObject({ verdict: { value: expect.closeTo(2 / 3) } });
    expect(await of('something else')).toMatchObject({ verdict: { value: 0 } });
    expect(openai.received).toHaveLength(2);
  });

  it('is not a verdict where there is no cosine, where a text is missing, and where the API has no embeddings', async () => {
    expect(await ask(similarity, { answer: '' })).toMatchObject({
      state: 'unscored',
      reason: 'invalid_judge_output',
      evidence: { error: 'the two embeddings have no cosine' },
    });
    expect(await ask(similarity, {})).toMatchObject({
      state: 'unscored',
      reason: 'missing_placeholder: outputs.answer',
    });
    expect(await ask({ ...similarity, evalModelName: 'anthropic/claude' }, { answer: 'a' })).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('no embeddings'),
      retryable: false,
    });
  });

  it('stands alone: beside a prompt it is an error', async () => {
    const promptTemplate = `Compare: ${similarity.promptTemplate}`;
    expect(await ask({ ...similarity, promptTemplate }, { answer: 'a' })).toMatchObject({
      state: 'failed',
      error: 'template_error: similarity() must stand alone: it sends two texts and no prompt',
    });
  });
});
