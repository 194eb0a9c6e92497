import type { ReactNode } from 'react';
import { TextLink } from '../links.tsx';
import { paths } from '../paths.ts';
import type { RunSummary } from '../types.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Distribution } from '../ui/distribution.tsx';
import { countOf, percentOf } from '../ui/format.ts';
import { percentText } from '../ui/interval.tsx';

export type MetricSummary = RunSummary['metrics'][number];

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);

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

/** One metric in a run: the distribution of its scores, and the basis of its numbers. */
export const MetricDetails = ({ metric, projectId }: { metric: MetricSummary; projectId: string }) => {
  const { metricName, metricConfigId, outputType, passRate, mean, cost } = metric;
  const warnings = [...new Set([...passRate.warnings, ...(mean?.warnings ?? [])])];
  return (
    <div className="grid gap-x-8 gap-y-4 py-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Distribution
        label={`Scores of ${metricName}`}
        bins={metric.distribution}
        threshold={metric.passingThreshold ?? 1}
        {...(outputType === 'boolean' && { labels: named })}
      />
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 self-start">
        <Fact name="Interval">
          {passRate.method}, {percentOf(passRate.level)} %, over {passRate.testcases.toLocaleString('en')}{' '}
          testcases
        </Fact>
        {passRate.range && (
          <Fact name="With all scores">
            {percentText(passRate.range.low)} to {percentText(passRate.range.high)}
          </Fact>
        )}
        {passRate.passK.length > 0 && (
          <Fact name="Over k trials">
            <Tries passK={passRate.passK} />
          </Fact>
        )}
        {passRate.flaky.count > 0 && (
          <Fact name="Flaky">
            {passRate.flaky.count} testcases,{' '}
            {passRate.flaky.testcases
              .slice(0, 5)
              .map(({ testcase }) => testcase)
              .join(', ')}
          </Fact>
        )}
        {cost && (
          <Fact name="Judge">
            {cost.costUsd === null
              ? 'cost unknown'
              : `$${cost.costUsd.toFixed(4)} for ${countOf(cost.priced, 'score')}`}
            {cost.inputTokens !== null &&
              `, ${cost.inputTokens.toLocaleString('en')} tokens in, ${(cost.outputTokens ?? 0).toLocaleString('en')} out`}
          </Fact>
        )}
        <Fact name="Assumes">{passRate.assumption}</Fact>
        {warnings.length > 0 && (
          <Fact name="Warnings">
            <ul className="list-disc pl-4">
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Configuration">
          <span className="inline-flex flex-wrap items-center gap-x-1 font-mono text-sm">
            {metricConfigId}
            <CopyButton text={metricConfigId} label={`Copy the metricConfigId of ${metricName}`} />
          </span>{' '}
          <TextLink {...paths.metric(projectId, metric.metricId)}>Open the metric</TextLink>
        </Fact>
      </dl>
    </div>
  );
};
