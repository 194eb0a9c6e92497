import type { PinnedTrial } from '../../../client/src/main.ts';
import { type Command, serviceGoesOn, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf, intervalText, percent } from '../figures.ts';
import { table } from '../output.ts';
import { asPinned } from '../trials.ts';

type Candidate = PinnedTrial['candidates'][number];

const headers = [
  'candidate',
  'model',
  'made by',
  'usd a verdict',
  'ms',
  'on passes',
  'on fails',
  'agreement',
  '',
];

const dollars = (cost: number | null) => (cost === null ? '' : cost.toPrecision(2));
const milliseconds = (ms: number | null) => (ms === null ? '' : Math.round(ms));

const rowOf = (trial: PinnedTrial, candidate: Candidate) => {
  const { metricConfigId, evalModelName, how, runId, costUsd, latencyMs, numPending } = candidate;
  const { equivalence, agreement } = candidate;
  const verdict = trial.kind === 'succession' ? equivalence?.verdict : agreement?.verdict;
  return [
    metricConfigId,
    evalModelName,
    how,
    dollars(costUsd),
    milliseconds(latencyMs),
    intervalText(equivalence?.passedByPeople.interval ?? null, percent),
    intervalText(equivalence?.failedByPeople.interval ?? null, percent),
    percent(agreement?.now ?? null),
    verdict ?? (runId === null ? 'no verdict' : `${countOf(numPending, 'verdict')} pending`),
  ];
};

const gatesOf = ({ candidates }: PinnedTrial): string[] =>
  candidates.flatMap(({ evalModelName, gates }) =>
    gates.map(
      ({ baselineRunId, runId, judge, candidate, changes }) =>
        `${evalModelName}: run ${runId} against ${baselineRunId}: ${changes ? `${judge.verdict}, by the candidate ${candidate.verdict}` : `still ${judge.verdict}`}`,
    ),
  );

const textOf = (trial: PinnedTrial): string => {
  const { number, kind, evalModelName, labels, margin, costUsd, latencyMs } = trial;
  return [
    `Trial ${number} (${kind}) beside ${evalModelName}: ${countOf(labels.numTested, 'label')}, margin ${percent(margin)}; now ${dollars(costUsd) ? `${dollars(costUsd)} USD` : 'no known cost'} and ${milliseconds(latencyMs) || '?'} ms a verdict`,
    table(
      headers,
      trial.candidates.map((candidate) => rowOf(trial, candidate)),
    ),
    ...gatesOf(trial),
    trial.sentence,
  ].join('\n\n');
};

const codeOf = ({ proposedConfigId, adopted, candidates }: PinnedTrial): number => {
  if (proposedConfigId !== null || adopted) return exit.pass;
  return candidates.some(({ numPending }) => numPending > 0) ? exit.incomplete : exit.inconclusive;
};

export const succession: Command = {
  name: 'succession',
  waits: serviceGoesOn,
  takes: 'METRIC',
  summary: 'Try other models or prompts as a judge, on its pinned records, and adopt one.',
  about: `Without an option it shows the newest trial. Exit code: 0 a candidate is proposed or adopted; 2 none; 3 verdicts are pending.
docs/succession.md says how candidates are tested.`,
  options: {
    try: {
      type: 'string',
      multiple: true,
      value: 'MODEL',
      about: 'Start a trial of this model and wait. Repeat it for several.',
    },
    margin: {
      type: 'string',
      value: 'SHARE',
      about: 'Largest difference that counts as none; default 0.05.',
    },
    run: {
      type: 'string',
      multiple: true,
      value: 'RUN',
      about: 'Try the candidates on this stored run too; name two or more.',
    },
    align: {
      type: 'boolean',
      about: 'Start a trial of prompts made from disagreements with people, and wait.',
    },
    rewriter: {
      type: 'string',
      value: 'MODEL',
      about: 'With --align: the model that rewrites the guidelines.',
    },
    adopt: { type: 'string', value: 'CANDIDATE', about: 'Adopt this candidate of the newest trial.' },
    discard: { type: 'boolean', about: 'Discard the newest trial.' },
    'even-if-not-shown': {
      type: 'boolean',
      about: 'With --adopt: adopt the candidate even if the trial does not support it.',
    },
  },
  examples: [
    'dokima succession 3 --try openai/gpt-4.1-mini --try local/qwen3',
    'dokima succession 3 --align --rewriter openai/gpt-4.1',
    'dokima succession 3 --adopt 0199…',
  ],
  run: async ({ out, client: open, signal }, args, values) => {
    const [metricId] = takeArguments('succession', args, 'The id of the metric') as [string];
    const client = await open();
    const models = values.all('try');
    const runIds = values.all('run');
    const margin = values.text('margin');
    const rewriterModelName = values.text('rewriter');
    const started =
      models.length > 0
        ? await client.createTrial(metricId, {
            kind: 'succession',
            candidates: models.map((evalModelName) => ({ evalModelName })),
            ...(margin !== undefined && { margin: Number(margin) }),
            ...(runIds.length > 0 && { runIds }),
          })
        : values.flag('align')
          ? await client.createTrial(metricId, {
              kind: 'alignment',
              ...(rewriterModelName !== undefined && { rewriterModelName }),
            })
          : undefined;
    for (const { runId, evalModelName } of started ? asPinned(started).candidates : [])
      for await (const run of client.watchRun(runId!, { signal }))
        out.progress(`${evalModelName}: ${run.numScores} of ${countOf(run.numRecords, 'verdict')}`);
    out.progress(undefined);
    const newest = await client.listTrials({ metricId, kinds: ['succession', 'alignment'], limit: 1 });
    let [trial] = newest.data;
    const metricConfigId = values.text('adopt');
    if (trial && metricConfigId !== undefined)
      trial = await client.decideTrial(metricId, String(trial.number), {
        decision: 'adopted',
        metricConfigId,
        evenIfNotShown: values.flag('even-if-not-shown'),
      });
    else if (trial && values.flag('discard'))
      trial = await client.decideTrial(metricId, String(trial.number), { decision: 'discarded' });
    if (!trial) {
      out.result('There is no trial yet.', { data: [] });
      return exit.incomplete;
    }
    const shown = asPinned(trial);
    out.result(textOf(shown), shown);
    return codeOf(shown);
  },
};
