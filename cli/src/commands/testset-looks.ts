import type { Look } from '../../../client/src/main.ts';
import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { table } from '../output.ts';

const verdictsOf = ({ metrics, outcome }: Look): string => {
  if (outcome !== null) return outcome;
  const said = metrics.flatMap(({ metricName, verdict }) =>
    verdict === null ? [] : [`${metricName ?? 'deleted metric'}: ${verdict}`],
  );
  return said.join('; ') || '–';
};

export const testsetLooks: Command = {
  name: 'testset looks',
  takes: 'TESTSET',
  summary: 'List the verdicts about a testset that left the service, newest first.',
  about:
    'Each comparison of two runs counts once, however often it is asked for: by a gate, a page, an agent or code. So does the summary of a new version.',
  options: { limit: { type: 'string', value: 'N', about: 'Looks that are listed at most. Default 100.' } },
  examples: ['dokima testset looks 2', 'dokima testset looks 2 --json'],
  run: async ({ out, client }, args, values) => {
    const [testsetId] = takeArguments('testset looks', args, 'The id of the testset');
    const most = values.count('limit', 100);
    const found: Look[] = [];
    for await (const look of (await client()).listLooks(testsetId!, { limit: Math.min(most, 100) })) {
      found.push(look);
      if (found.length === most) break;
    }
    const rows = found.map((look) => [
      look.number,
      look.at,
      look.kind,
      look.runId,
      look.baselineRunIds.join(', ') || '–',
      look.split ?? '',
      verdictsOf(look),
    ]);
    const head = ['look', 'at', 'asked by', 'run', 'against', 'split', 'verdict'];
    out.result(rows.length === 0 ? 'No looks yet.' : table(head, rows), found);
    return exit.pass;
  },
};
