import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import type { RunSummary } from '../types.ts';
import { CopyButton, countOf } from '../ui/bits.tsx';
import { Distribution } from '../ui/distribution.tsx';
import { percentOf } from '../ui/format.ts';
import { percentText } from '../ui/interval.tsx';

export type MetricSummary = RunSummary['metrics'][number];

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);

const named = { 0: 'Fail', 1: 'Pass' };

/** pass@k and pass^k, where testcases were tried more than once. */
const Tries = ({ passK }: { passK: MetricSummary['passRate']['passK'] }) => (
  <ul>
    {passK.map(({ k, passAtK, passHatK }) => (
      <li key={k}>
        {k}: any {percentText(passAtK.estimate)}, all {percentText(passHatK.estimate)}
      </li>
    ))}
  </ul>
);

/** All that is known of one metric in a run: how its scores are spread, and what its numbers rest on. */
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
          <Fact name="Were all there">
            {percentText(passRate.range.low)} to {percentText(passRate.range.high)}
          </Fact>
        )}
        {passRate.passK.length > 0 && (
          <Fact name="Of k tries">
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
              ? 'cost not known'
              : `$${cost.costUsd.toFixed(4)} for ${countOf(cost.priced, 'score')}`}
            {cost.inputTokens !== null &&
              `, ${cost.inputTokens.toLocaleString('en')} tokens in, ${(cost.outputTokens ?? 0).toLocaleString('en')} out`}
          </Fact>
        )}
        <Fact name="Assumes">{passRate.assumption}</Fact>
        {warnings.length > 0 && (
          <Fact name="Bear in mind">
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
          <Link {...paths.metric(projectId, metric.metricId)} className="text-accent underline">
            Open the metric
          </Link>
        </Fact>
      </dl>
    </div>
  );
};
