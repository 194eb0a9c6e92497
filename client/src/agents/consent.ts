import type { EstimateRunBody, Operations } from '../generated.ts';
import { type Answer, type Arguments, dollars, optionalNumber, optionalText, ToolError } from './tool.ts';

/** The budget of the judges as a multiple of the estimate, so that an estimate that is somewhat low stops no run. */
const budgetFactor = 2;

/** Returns what the judges of a run may cost. `isFree`: no judge scores. */
export const judgeCost = async (
  client: Operations,
  projectId: string,
  body: EstimateRunBody,
  args: Arguments,
): Promise<{ numRecords: number; isFree: boolean; budget: number; cost: string }> => {
  const { numRecords, costUsd, metrics } = await client.estimateRun(projectId, body);
  const given = optionalNumber(args, 'judgeBudgetUsd');
  if (costUsd === null && given === undefined)
    throw new ToolError(
      'The cost of the judges is unknown, because a model has no price. Give judgeBudgetUsd: the judges stop there.',
    );
  const cost = costUsd === null ? 'an unknown cost' : `about ${dollars(costUsd)}`;
  const isFree = metrics.every(({ basis }) => basis === 'free');
  return { numRecords, isFree, cost, budget: given ?? budgetFactor * costUsd! };
};

/**
 * Returns the answer that asks for consent, and undefined once `confirm` repeats what is asked. The text says what the person confirms,
 * so that they see it in the second call.
 */
export const askConsent = (args: Arguments, confirm: string, asked: string): Answer | undefined => {
  const said = optionalText(args, 'confirm');
  if (said === confirm) return undefined;
  const text = [
    ...(said ? ['`confirm` does not match the present cost of the run.'] : []),
    asked,
    `To start it, call again with the same arguments and confirm ${JSON.stringify(confirm)}.`,
  ].join('\n');
  return { text, data: { confirm } };
};

/** The arguments and the result that consent needs. */
export const consentProperties = {
  judgeBudgetUsd: {
    type: 'number',
    minimum: 0,
    description: `The judges stop at this many US dollars. Default: ${budgetFactor} times the estimate.`,
  },
  confirm: { type: 'string', description: 'Text that the first call answered with.' },
} as const;
export const consentResult = {
  confirm: {
    type: 'string',
    description: 'To be repeated after the person has agreed. Nothing was started.',
  },
} as const;
