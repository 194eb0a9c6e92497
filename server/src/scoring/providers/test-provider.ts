import type { ProviderConfig } from '../../engine/models/provider.ts';
import type { Judge } from '../judges/judge.ts';

const question = {
  inputs: '{"question":"What is 2 + 2?"}',
  outputs: '{"answer":"4"}',
  expected: '{"answer":"4"}',
};

/** Asks a model of the provider to judge one small record. Returns the result as JSON. */
export const testProvider = async (
  judge: Judge,
  organizationId: bigint,
  provider: ProviderConfig,
  model: string,
): Promise<string> => {
  const startedAt = performance.now();
  const outcome = await judge.judge(
    {
      outputType: 'boolean',
      promptTemplate: 'Is {{ outputs.answer }} the right answer to: {{ inputs.question }}',
      guidelines: '',
      evalModelName: `${provider.name}/${model}`,
      temperature: 0,
      judgeRepeats: 1,
    },
    { ...question, guidelines: '' },
    [provider],
    { owner: organizationId },
  );
  const messages = {
    scored: () => 'The model answered with a verdict that could be read.',
    unscored: () => {
      const reason = 'reason' in outcome ? outcome.reason : '';
      const why =
        reason === 'invalid_judge_output'
          ? 'its answer is not the JSON that a judge is asked for'
          : reason.replaceAll('_', ' ');
      return `The model answered, but not with a verdict: ${why}.`;
    },
    failed: () => ('error' in outcome ? outcome.error : ''),
  };
  return JSON.stringify({
    ok: outcome.state === 'scored',
    message: messages[outcome.state](),
    modelAnswered: outcome.evidence?.modelAnswered ?? null,
    latencyMs: Math.round(performance.now() - startedAt),
  });
};
