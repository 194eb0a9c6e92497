import { planFacts, planSentence } from '../../../client/src/plan-words.ts';
import { hasMean } from '../../../client/src/score-value.ts';
import { type Command, projectOption, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { withFiles } from '../files/run-files.ts';
import { metricIdOf } from '../metrics-of.ts';

/** Returns a number of an option; undefined if it is not given. */
const numberOf = (values: Values, name: string): number | undefined => {
  const given = values.text(name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (given === '' || !Number.isFinite(number)) throw new CliError(`--${name} must be a number.`);
  return number;
};

const countOf = (values: Values, name: string): number | undefined =>
  values.has(name) ? values.count(name, 1) : undefined;

export const plan: Command = withFiles(
  {
    name: 'plan',
    takes: 'METRIC [FILE…]',
    summary: 'Say how many testcases a comparison needs, or how small a difference it can see.',
    about:
      'The variance, the correlation of two runs and the groups of testcases come from earlier runs with the metric. Without --difference it says what the testcases that there are can show.',
    options: {
      ...projectOption,
      difference: {
        type: 'string',
        value: 'SIZE',
        about: 'The smallest difference that matters: in points of the pass rate, with --score in scores.',
      },
      score: { type: 'boolean', about: 'Compare mean scores instead of pass rates.' },
      testset: {
        type: 'string',
        value: 'ID',
        about: 'Testset of the coming run, whose size and groups count. Default as in the earlier run.',
      },
      split: { type: 'string', value: 'NAME', about: 'Split of the testset that the coming run is about.' },
      n: { type: 'string', value: 'N', about: 'Testcases of the coming run. Default those of the testset.' },
      trials: { type: 'string', value: 'N', about: 'Trials of each testcase. Default 1.' },
      tests: { type: 'string', value: 'N', about: 'Metrics that are read together. Default 1.' },
      candidates: {
        type: 'string',
        value: 'N',
        about: 'Runs that are compared with the baseline. Default 1.',
      },
      'baseline-runs': { type: 'string', value: 'N', about: 'Runs of the baseline, pooled. Default 1.' },
      looks: { type: 'string', value: 'N', about: 'Planned looks while the run grows. Default 1.' },
      level: { type: 'string', value: 'LEVEL', about: 'Confidence level. Default 0.95.' },
      power: {
        type: 'string',
        value: 'POWER',
        about: 'Power. Default 0.8: one difference in five is missed.',
      },
    },
    examples: [
      'dokima plan 3 --difference 5',
      'dokima plan accuracy results.json --difference 5',
      'dokima plan 4 --score --difference 0.2 --testset 7 --looks 4',
    ],
    run: async ({ out, client }, args, values) => {
      const [metric] = takeArguments('plan', args, 'The metric') as [string];
      const asked = await client();
      const projectId = values.required('project');
      const metricId = await metricIdOf(asked, projectId, metric);
      const { outputType } = await asked.getMetric(metricId);
      const measure = values.flag('score') ? ('score' as const) : ('pass' as const);
      const unit = measure === 'score' && hasMean(outputType) ? ('score' as const) : ('points' as const);
      const size = numberOf(values, 'difference');
      const found = await asked.planRun(projectId, {
        metricId,
        measure,
        difference: size !== undefined && unit === 'points' ? size / 100 : size,
        testsetId: values.text('testset'),
        split: values.text('split'),
        n: countOf(values, 'n'),
        trials: countOf(values, 'trials'),
        tests: countOf(values, 'tests'),
        candidates: countOf(values, 'candidates'),
        baselineRuns: countOf(values, 'baseline-runs'),
        looks: countOf(values, 'looks'),
        level: numberOf(values, 'level'),
        power: numberOf(values, 'power'),
      });
      const facts = planFacts(found).map(([name, text]) => `${name}: ${text}`);
      out.result([planSentence(found, unit), ...facts].join('\n'), found);
      return exit.pass;
    },
  },
  { from: 1, ofProject: true },
);
