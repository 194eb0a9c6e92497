import type { TestsetExamination } from '../../../client/src/main.ts';
import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf, percent } from '../figures.ts';
import { table } from '../output.ts';

const names: Record<TestsetExamination['kinds'][number]['kind'], string> = {
  wrongKey: 'wrong key?',
  duel: 'duel',
  leaked: 'leaked',
  twin: 'twin',
  flaky: 'flaky',
  hopeless: 'hopeless',
  dead: 'dead',
};

const examinationText = (found: TestsetExamination): string => {
  const { card, kinds, findings, comparison, metricName, numVersions, numRecords, runs } = found;
  const read =
    metricName === null
      ? 'No run of this testset has scores.'
      : `${countOf(numRecords, 'record')} of ${countOf(runs.length, 'run')} and ${countOf(numVersions, 'version')}, by ${metricName}.`;
  const shown = findings.filter(({ kind }) => kind !== 'dead');
  const numDead = kinds.find(({ kind }) => kind === 'dead')?.numTestcases ?? 0;
  return [
    `Testset ${found.testsetId}: ${countOf(card.numTestcases, 'testcase')}, ${card.numWithKey} with an expected answer, ${card.numAnswered} with a verdict. ${read}`,
    table(
      ['finding', 'testcases', 'meaning'],
      kinds.map(({ kind, numTestcases, meaning, reason }) => [
        names[kind],
        numTestcases,
        reason === null ? meaning : `Not examined: ${reason}.`,
      ]),
    ),
    ...(shown.length > 0
      ? [
          table(
            ['testcase', 'finding', 'evidence'],
            shown.map(({ testcaseId, kind, sentence, probability, otherTestcaseId }) => [
              testcaseId,
              names[kind],
              [sentence, otherTestcaseId, probability === null ? null : `(${percent(probability)})`]
                .filter(Boolean)
                .join(' '),
            ]),
          ),
        ]
      : []),
    ...(numDead > 0 ? [`Dead testcases are in the answer of --json.`] : []),
    ...(kinds.some(({ kind, numTestcases }) => kind === 'wrongKey' && numTestcases > 0)
      ? [`Assumed: ${found.assumption}.`]
      : []),
    ...(comparison ? [`Runs ${comparison.before} and ${comparison.after}: ${comparison.sentence}.`] : []),
  ].join('\n\n');
};

export const testsetExamine: Command = {
  name: 'testset examine',
  takes: 'TESTSET',
  summary: 'Find testcases with wrong keys, leaks, twins and other faults in stored runs.',
  about: `Reads what versions answered to each testcase, and writes nothing. Each finding has its evidence. The comparison of the newest two versions, or of
--before and --after, is repeated without the suspects.`,
  options: {
    metric: {
      type: 'string',
      short: 'm',
      value: 'ID',
      about: 'Metric by which testcases pass. Default: the one with the most scores.',
    },
    against: { type: 'string', value: 'ID', about: 'Human metric that is compared with it.' },
    runs: { type: 'string', value: 'N', about: 'Newest runs that are read. Default 30.' },
    before: { type: 'string', value: 'RUN', about: 'Earlier run of the repeated comparison.' },
    after: { type: 'string', value: 'RUN', about: 'Later run of the repeated comparison.' },
  },
  examples: ['dokima testset examine 2', 'dokima testset examine 2 --before 40 --after 44'],
  run: async ({ out, client }, args, values) => {
    const [testsetId] = takeArguments('testset examine', args, 'The id of the testset') as [string];
    const found = await (await client()).examineTestset(testsetId, {
      metricId: values.text('metric'),
      against: values.text('against'),
      maxRuns: values.count('runs', 30),
      before: values.text('before'),
      after: values.text('after'),
    });
    out.result(examinationText(found), found);
    return exit.pass;
  },
};
