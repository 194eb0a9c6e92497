import { caveatLines } from '../../../client/src/caveats.ts';
import { gradedSentence } from '../../../client/src/gate/grade.ts';
import type { JudgeCalibration, ReviewerAgreement } from '../../../client/src/main.ts';
import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf, intervalText, percent, rounded } from '../figures.ts';
import { table } from '../output.ts';

type Figure = JudgeCalibration['kappa'];

const share = ({ estimate, interval }: Figure): string =>
  estimate === null ? '–' : `${percent(estimate)} (${intervalText(interval, percent)})`;
const coefficient = ({ estimate, interval }: Figure): string =>
  estimate === null ? '–' : `${rounded(estimate)} (${intervalText(interval, rounded)})`;

type Compared = Pick<
  JudgeCalibration,
  'n' | 'sensitivity' | 'specificity' | 'agreement' | 'kappa' | 'caveats'
>;

const judgeHead = ['criterion', 'labels', 'sensitivity', 'specificity', 'agreement', 'κ'];
const judgeRow = (name: string, { n, sensitivity, specificity, agreement, kappa }: Compared) => [
  name,
  n,
  share(sensitivity),
  share(specificity),
  share(agreement),
  coefficient(kappa),
];

/** Which label the judge gave where people gave another, and how far they agree. */
const confusionTexts = ({ confusion }: JudgeCalibration): string[] => {
  if (!confusion) return [];
  const { names, table: counts, ordered, agreement, kappa, alpha } = confusion;
  const figures = [
    `same label ${share(agreement)}`,
    `${ordered ? 'weighted κ' : 'κ'} ${coefficient(kappa)}`,
    `${ordered ? 'ordinal' : 'nominal'} α ${coefficient(alpha)}`,
  ];
  return [
    table(
      ['judge \\ people', ...names],
      names.map((name, i) => [name, ...counts[i]!]),
    ),
    figures.join('; '),
  ];
};

/** A judge against people: the whole score, then each criterion. */
const judgeText = (metricId: string, found: JudgeCalibration): string => {
  const { judge, criteria } = found;
  const rows = [
    ...(criteria?.criteria ?? []).map((each) => judgeRow(each.text ?? each.id, each)),
    ...(criteria ? [judgeRow('all verdicts', criteria.together)] : []),
    judgeRow(criteria ? 'the score passes' : 'passes', found),
  ];
  const limits = caveatLines([
    { of: 'score', caveats: found.caveats },
    ...(criteria ? [{ of: 'all verdicts', caveats: criteria.together.caveats }] : []),
  ]).map(({ of, sentence }) => `${of}: ${sentence}`);
  const left = criteria?.numCriteriaLeftOut ?? 0;
  return [
    `Judge ${metricId}, ${judge.peopleMetricId === null ? 'held against no human metric' : `held against metric ${judge.peopleMetricId}`}: ${gradedSentence(judge)}`,
    table(judgeHead, rows),
    ...confusionTexts(found),
    ...(left > 0
      ? [`${countOf(left, 'further criterion', 'further criteria')} with fewer labels not listed`]
      : []),
    ...(limits.length > 0 ? [limits.join('\n')] : []),
  ].join('\n\n');
};

/** Reviewers among themselves: the whole score, then each criterion. */
const peopleText = (metricId: string, found: ReviewerAgreement): string => {
  const rowOf = (name: string, n: number, of: Pick<ReviewerAgreement, 'agreement' | 'alpha' | 'ac'>) => [
    name,
    n,
    share(of.agreement),
    coefficient(of.alpha),
    coefficient(of.ac),
  ];
  return [
    `Metric ${metricId}: ${countOf(found.numRecordsWithSeveral, found.unit)} with several reviews.`,
    table(
      ['criterion', `${found.unit}s`, 'same verdict', 'α', 'AC'],
      [
        ...(found.criteria ?? []).map((each) =>
          rowOf(each.text ?? each.id, each.numRecordsWithSeveral, each),
        ),
        rowOf('score', found.numRecordsWithSeveral, found),
      ],
    ),
    ...found.warnings,
  ].join('\n\n');
};

export const metricAgreement: Command = {
  name: 'metric agreement',
  takes: 'METRIC',
  summary: 'Show how far a judge agrees with people, or reviewers agree with each other, by criterion.',
  about:
    'A judge is held against its human metric, criterion by criterion if both have criteria with the same ids. For a human metric the reviewers of the same records are compared.',
  options: {
    run: { type: 'string', value: 'RUN', about: 'Count only reviews of this run. For a human metric.' },
    labels: {
      type: 'string',
      value: 'SOURCE',
      about: 'For a judge: metric (default), overrides (scores given in its place) or thumbs.',
    },
    level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
  },
  examples: ['dokima metric agreement 31', 'dokima metric agreement 32 --run 17'],
  run: async ({ out, client: open }, args, values) => {
    const [metricId] = takeArguments('metric agreement', args, 'The id of the metric') as [string];
    const client = await open();
    const given = values.text('level');
    const level = given === undefined ? {} : { level: Number(given) };
    const { evalType } = await client.getMetric(metricId);
    if (evalType === 'human') {
      const found = await client.measureAgreement(metricId, {
        criteria: true,
        runId: values.text('run'),
        ...level,
      });
      out.result(peopleText(metricId, found), found);
      return exit.pass;
    }
    const labels = values.text('labels') as 'metric' | undefined;
    const found = await client.calibrateMetric(metricId, { criteria: true, labels, ...level });
    out.result(judgeText(metricId, found), found);
    return exit.pass;
  },
};
