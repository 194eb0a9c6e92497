import type { Client, RunComparison, Watched } from '../../client/src/main.ts';
import { planEqualLooks } from '../../client/src/planned-looks.ts';
import { CliError } from './errors.ts';
import { countsOf } from './figures.ts';

type Compared = RunComparison['pairs'][number]['metrics'][number];

const decisionLine = ({ metricName, sentence, watched, look }: Compared): string => {
  const after = watched?.numUntilDecided ? `, decided after ${watched.numUntilDecided} testcases` : '';
  const fixed = watched?.numForFixedTest ? `; a single test at the end needs ${watched.numForFixedTest}` : '';
  const at = look ? `, at look ${look.look} of ${look.numLooks}` : '';
  return `  ${metricName}: ${sentence}${after}${fixed}${at}`;
};

/** Throws if no test holds for looks at these runs. */
const refuse = (runId: string, metrics: Compared[]): void => {
  const grouped = metrics.find(({ n, paired, watched, look }) => n > 0 && paired && !watched && !look);
  if (grouped)
    throw new CliError(
      `--until-decided cannot look at ${grouped.metricName}: its testcases are grouped, and the sequential test does not know groups.`,
      'Plan the looks, for example with --looks 4, or follow the run without --until-decided and compare it once when it is finished.',
    );
  if (metrics.some(({ caveats }) => caveats.some(({ code }) => code === 'orderNotDrawn')))
    throw new CliError(
      `--until-decided cannot look at run ${runId}: Dokima did not draw the order of its testcases, and a testset's first part may differ from the rest.`,
      'Let the service run the system (dokima run with a version that it can call), or follow the run without --until-decided and compare it once when it is finished.',
    );
};

/**
 * Returns a function that looks at a growing run. Once every metric is decided against the baseline, it cancels the rest of the run
 * and returns the decisions and the saved work, as lines; before that, undefined. Without `numLooks` the test is sequential and holds for
 * any number of looks; with it, the function looks only as planned, and notes what each look says.
 */
export const untilDecided = (
  client: Client,
  { baselineId, numLooks }: { baselineId: string; numLooks: number | undefined },
  note: (line: string) => void,
) => {
  let seen = '';
  const noted = new Set<string>();
  let looks: number[] | undefined;
  return async ({ run }: Watched): Promise<string[] | undefined> => {
    const now = `${run.numScores} ${run.status}`;
    if (now === seen) return undefined;
    seen = now;
    const runs: [string, string] = [baselineId, run.id];
    if (numLooks !== undefined) {
      looks ??= await planEqualLooks(client, runs, numLooks);
      if (!looks) return undefined;
    }
    const test = looks ? ({ test: 'planned', looks } as const) : ({ test: 'sequential' } as const);
    const { pairs } = await client.compareRuns({ runs, measure: 'pass', ...test });
    const metrics = pairs[0]?.metrics ?? [];
    refuse(run.id, metrics);
    for (const { metricName, sentence, look, verdict } of metrics) {
      if (!look || verdict !== 'cannot tell' || noted.has(`${metricName}: ${sentence}`)) continue;
      noted.add(`${metricName}: ${sentence}`);
      note(`  ${metricName}: ${sentence}`);
    }
    if (metrics.some(({ watched, look }) => !watched && !look)) return undefined;
    if (metrics.length === 0 || metrics.some(({ verdict }) => verdict === 'cannot tell')) return undefined;
    const { numExecutions, numScores } = await client.cancelRun(run.id, {});
    return [
      `Run ${run.id} against run ${baselineId} is decided:`,
      ...metrics.map(decisionLine),
      `Cancelled the rest of the run: ${countsOf({ calls: numExecutions, scores: numScores })}.`,
    ];
  };
};
