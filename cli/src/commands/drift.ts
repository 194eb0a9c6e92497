import type { JudgeDrift } from '../../../client/src/main.ts';
import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf, intervalText, percent } from '../figures.ts';
import { table } from '../output.ts';

type Check = JudgeDrift['checks'][number];

const headers = [
  'run',
  'started',
  'models',
  'agreement before',
  'agreement now',
  'interval of the difference',
  'n',
  '',
];

const rowOf = ({ runId, startedAt, servedModels, pending, drift }: Check) => [
  runId,
  startedAt.slice(0, 10),
  servedModels.join(' '),
  percent(drift?.agreementBefore ?? null),
  percent(drift?.agreementNow ?? null),
  intervalText(drift?.interval ?? null, percent),
  drift?.n,
  drift?.verdict ?? `${countOf(pending, 'verdict')} pending`,
];

const textOf = ({ pinnedSet, due, checks }: JudgeDrift): string => {
  const drift = checks[0]?.drift;
  return [
    `${countOf(pinnedSet.records, 'pinned record')}; reference: ${pinnedSet.servedModels.join(' ') || 'no model'}`,
    ...(checks.length > 0 ? [table(headers, checks.map(rowOf))] : ['There is no check yet.']),
    ...(drift ? [[drift.sentence, ...drift.warnings].join('\n')] : []),
    ...(due ? [`A check is due: ${due}.`] : []),
  ].join('\n\n');
};

/** Returns the exit code for the newest check. Without a check it is `incomplete`. */
const codeOf = ({ checks: [newest] }: JudgeDrift): number => {
  if (!newest?.drift) return exit.incomplete;
  if (newest.drift.verdict === 'drifted') return exit.worse;
  return newest.drift.unscored.length > 0 ? exit.incomplete : exit.pass;
};

export const drift: Command = {
  name: 'drift',
  takes: 'METRIC',
  summary: 'Say whether a judge still decides its pinned records as it did when they were pinned.',
  about: `Exit code: 0 no drift detected; 1 drifted; 3 no check yet, or verdicts are missing. docs/statistics.md says how to pin
records and how drift is computed.`,
  options: {
    check: { type: 'boolean', about: 'Start a check first and wait for it.' },
    'if-due': {
      type: 'boolean',
      about: "As --check, but only if the metric's configuration or the answering model is new.",
    },
  },
  examples: ['dokima drift 3', 'dokima drift 3 --if-due    # for a nightly job'],
  run: async ({ out, client: open, signal }, args, values) => {
    const [metricId] = takeArguments('drift', args, 'The id of the metric') as [string];
    const client = await open();
    const before = await client.measureDrift(metricId);
    if (values.flag('check') || (values.flag('if-due') && before.due !== null)) {
      const { runId } = await client.startDriftCheck(metricId);
      for await (const run of client.watchRun(runId, { signal }))
        out.progress(`check: run ${runId}, ${run.numScores} of ${countOf(run.numRecords, 'verdict')}`);
      out.progress(undefined);
    }
    const found = await client.measureDrift(metricId);
    out.result(textOf(found), found);
    return codeOf(found);
  },
};
