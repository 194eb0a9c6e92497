import type { Client, RunComparison, Watched } from '../../client/src/main.ts';
import { CliError } from './errors.ts';
import { countsOf } from './figures.ts';

type Compared = RunComparison['pairs'][number]['metrics'][number];

const decisionLine = ({ metricName, sentence, watched }: Compared): string => {
  const after = watched?.numUntilDecided ? `, decided after ${watched.numUntilDecided} testcases` : '';
  const fixed = watched?.numForFixedTest ? `; a single test at the end needs ${watched.numForFixedTest}` : '';
  return `  ${metricName}: ${sentence}${after}${fixed}`;
};

/**
 * Returns a function that looks at a growing run. Once the sequential test has decided every metric against the baseline, it
 * cancels the rest of the run and returns the decisions and the saved work, as lines; before that, undefined. The test
 * holds for any number of looks.
 */
export const untilDecided = (client: Client, baselineId: string) => {
  let seen = -1;
  return async ({ run }: Watched): Promise<string[] | undefined> => {
    if (run.numScores === seen) return undefined;
    seen = run.numScores;
    const { pairs } = await client.compareRuns({
      runs: [baselineId, run.id],
      measure: 'pass',
      test: 'sequential',
    });
    const metrics = pairs[0]?.metrics ?? [];
    const grouped = metrics.find(({ n, paired, watched }) => n > 0 && paired && !watched);
    if (grouped)
      throw new CliError(
        `--until-decided cannot look at ${grouped.metricName}: its testcases are grouped, and the sequential test does not know groups.`,
        'Follow the run without --until-decided, and compare it once when it is finished.',
      );
    if (metrics.some(({ caveats }) => caveats.some(({ code }) => code === 'orderNotDrawn')))
      throw new CliError(
        `--until-decided cannot look at run ${run.id}: Dokima did not draw the order of its testcases, and a testset's first part may differ from the rest.`,
        'Let the service run the system (dokima run with a version that it can call), or follow the run without --until-decided and compare it once when it is finished.',
      );
    if (metrics.some(({ watched }) => !watched)) return undefined;
    if (metrics.length === 0 || metrics.some(({ verdict }) => verdict === 'cannot tell')) return undefined;
    const { numExecutions, numScores } = await client.cancelRun(run.id, {});
    return [
      `Run ${run.id} against run ${baselineId} is decided:`,
      ...metrics.map(decisionLine),
      `Cancelled the rest of the run: ${countsOf({ calls: numExecutions, scores: numScores })}.`,
    ];
  };
};
