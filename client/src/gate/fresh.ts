import type { Operations } from '../generated.ts';
import type { LedgerPolicy } from './ledger.ts';
import { type Problems, wholeNumber } from './policy-fields.ts';
import { countOf } from './words.ts';

/** The most fresh testcases that one run takes. */
const most = 500;

export const readFresh = (value: unknown, problems: Problems): number | undefined => {
  if (value === undefined) return undefined;
  const count = wholeNumber(value, 'fresh', problems, 1);
  if (count > most) problems.push({ path: 'fresh', message: `must be at most ${most}` });
  return count;
};

type FreshRules = {
  fresh: number | undefined;
  ledger: LedgerPolicy | undefined;
  metrics: readonly { metric: string }[];
};

/** How many fresh testcases the run has, if it has too few, and what to do. */
const tooFew = (wanted: number, taken: number, waiting: number): string[] =>
  taken >= wanted
    ? []
    : [
        `the run took ${taken} of ${countOf(wanted, 'fresh testcase')}: ${
          waiting >= wanted
            ? `start the next one with --fresh ${wanted}`
            : `${waiting} wait, so draw some on the page Wear, and start runs with --fresh ${wanted}`
        }`,
      ];

/**
 * Says whether fresh testcases pass as often as old ones, for rules that ask for it: for each metric that they name, or all. The verdict rests
 * on the old ones. Files have none.
 */
export const freshNotes = async (
  client: Operations,
  runId: string,
  { fresh, ledger, metrics }: FreshRules,
  hasService: boolean,
): Promise<string[]> => {
  if (fresh === undefined) return [];
  if (!hasService) return ['fresh: files have no fresh testcases.'];
  const { testset, split } = await client.getRunDetails(runId);
  if (!testset) return ['fresh: the run has no testset.'];
  const query = { runId, ...ledger, ...(split && { split }) };
  const { numOfRun, numWaiting, metrics: found } = await client.getWear(testset.id, query);
  const named = found.filter(({ metricId, metricName }) =>
    metrics.some(({ metric }) => metric === metricId || metric === metricName),
  );
  const shown = named.length > 0 ? named : found;
  return [
    ...tooFew(fresh, numOfRun ?? 0, numWaiting),
    ...shown.map(({ metricName, sentence }) => `${metricName}: ${sentence}`),
  ].map((sentence) => `Fresh testcases: ${sentence}`);
};
