import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { judgeText } from '../../resources/judges/judge-text.ts';
import type { RunSummary } from '../../types.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Distribution } from '../../ui/distribution.tsx';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { countOf, countText, percentOf, usdText } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { binsOf } from './bins.ts';
import { CriteriaOfRun } from './criteria-of-run.tsx';
import { LabelShares } from './label-shares.tsx';

export type MetricSummary = RunSummary['metrics'][number];

const named = { 0: 'Fail', 1: 'Pass' };

/** pass@k and pass^k, for testcases with several trials. */
const Tries = ({ passK }: { passK: MetricSummary['passRate']['passK'] }) => (
  <ul>
    {passK.map(({ k, passAtK, passHatK }) => (
      <li key={k}>
        {k}: any {percentText(passAtK.estimate)}, all {percentText(passHatK.estimate)}
      </li>
    ))}
  </ul>
);

const costText = ({
  costUsd,
  priced,
  inputTokens,
  outputTokens,
}: NonNullable<MetricSummary['cost']>): string => {
  const price = costUsd === null ? 'cost unknown' : `${usdText(costUsd)} for ${countOf(priced, 'score')}`;
  const tokens = `${countText(inputTokens)} tokens in, ${countText(outputTokens ?? 0)} out`;
  return inputTokens === null ? price : `${price}, ${tokens}`;
};

/** One metric in a run: the distribution of its scores, and the basis of its numbers. */
export const MetricDetails = ({
  metric,
  projectId,
  runId,
  said,
}: {
  metric: MetricSummary;
  projectId: string;
  runId: string;
  /** Warnings that are already shown above. */
  said: readonly string[];
}) => {
  const { metricName, metricConfigId, outputType, passRate, mean, cost, judge } = metric;
  const warnings = [...new Set([...passRate.warnings, ...(mean?.warnings ?? [])])].filter(
    (warning) => !said.includes(warning),
  );
  const flaky = passRate.flaky.testcases.slice(0, 5).map(({ testcaseId }) => testcaseId);
  const facts: (FactPair | false | null)[] = [
    [
      'Interval',
      `${passRate.method}, ${percentOf(passRate.level)} %, over ${countOf(passRate.numTestcases, 'testcase')}`,
    ],
    passRate.range && [
      'With all scores',
      `${percentText(passRate.range.low)} to ${percentText(passRate.range.high)}`,
    ],
    passRate.passK.length > 0 && ['Over k trials', <Tries key="" passK={passRate.passK} />],
    passRate.flaky.numTestcases > 0 && [
      'Flaky',
      `${countOf(passRate.flaky.numTestcases, 'testcase')}, ${flaky.join(', ')}`,
    ],
    judge && ['Judge', judgeText(judge)],
    cost && ['Cost', costText(cost)],
    ['Assumes', passRate.assumption],
    warnings.length > 0 && [
      'Warnings',
      <ul key="" className="list-disc pl-4">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>,
    ],
    [
      'Configuration',
      <span key="">
        <span className="inline-flex flex-wrap items-center gap-x-1 font-mono text-sm">
          {metricConfigId}
          <CopyButton text={metricConfigId} label={`Copy the metricConfigId of ${metricName}`} />
        </span>{' '}
        <TextLink {...paths.metric(projectId, metric.metricId)}>Open the metric</TextLink>
      </span>,
    ],
  ];
  return (
    <div className="grid gap-x-8 gap-y-4 py-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <CriteriaOfRun projectId={projectId} runId={runId} metricId={metric.metricId} />
      {metric.labels ? (
        <LabelShares name={metricName} labels={metric.labels} />
      ) : (
        <Distribution
          label={`Scores of ${metricName}`}
          bins={binsOf(metric)}
          threshold={metric.passingThreshold ?? 1}
          {...(outputType === 'boolean' && { labels: named })}
        />
      )}
      <FactList facts={facts.filter((fact) => fact !== false && fact !== null)} />
    </div>
  );
};
