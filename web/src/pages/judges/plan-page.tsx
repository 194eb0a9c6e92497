import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { Metric, Plan } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loaded, Skeleton } from '../../ui/states.tsx';

const route = getRouteApi('/app/projects/$projectId/plan');

type Asked = {
  metricId: string;
  testsetId: string;
  n: string;
  points: string;
  trials: string;
  tests: string;
  candidates: string;
  baselineRuns: string;
  looks: string;
  level: string;
  power: string;
};

const between = (text: string, low: number, high: number): number | undefined => {
  const value = Number(text);
  return text !== '' && value >= low && value <= high ? value : undefined;
};

/** The answer in one sentence. */
const sentenceOf = (
  {
    numNeeded: needed,
    minimumDetectable,
    n,
    reason,
  }: {
    numNeeded: number | null;
    minimumDetectable: number | null;
    n: number;
    reason: string | null;
  },
  points: number,
): string => {
  if (needed === null) return reason ? `No answer: ${reason}.` : 'These assumptions give no answer.';
  const seen =
    minimumDetectable === null || n === 0
      ? ''
      : ` With ${countOf(n, 'testcase')}, differences of ${(100 * minimumDetectable).toFixed(1)} points or more show.`;
  return `You need ${countOf(needed, 'testcase')} to see a difference of ${countText(points)} points.${seen}`;
};

const groupsText = ({ size, designEffect, numNeeded }: NonNullable<Plan['groups']>): string => {
  const needed = numNeeded === null ? '' : `${countOf(numNeeded, 'group')} needed; `;
  return `${needed}${Number(size.toPrecision(2))} testcases in a group, and the difference varies ${Number(designEffect.toPrecision(2))} times as much as without groups`;
};

const Answer = ({ projectId, asked }: { projectId: string; asked: Asked }) => {
  const points = between(asked.points, 0.01, 100);
  const plan = useQuery({
    ...apiQuery('planRun', projectId, {
      metricId: asked.metricId,
      measure: 'pass',
      difference: points && points / 100,
      n: between(asked.n, 2, 10_000_000),
      testsetId: asked.n === '' && asked.testsetId ? asked.testsetId : undefined,
      trials: between(asked.trials, 1, 1000),
      tests: between(asked.tests, 1, 1000),
      candidates: between(asked.candidates, 1, 7),
      baselineRuns: between(asked.baselineRuns, 1, 10),
      looks: between(asked.looks, 1, 10),
      level: (between(asked.level, 50, 99.9) ?? 95) / 100,
      power: (between(asked.power, 50, 99) ?? 80) / 100,
    }),
    enabled: points !== undefined,
    placeholderData: (before) => before,
  });
  if (points === undefined) return <p className="text-soft">Give a difference above 0.</p>;
  if (plan.error) return <ErrorNote error={plan.error} />;
  if (!plan.data) return <Skeleton lines={4} />;
  const { basis, correlation, assumption, groups, labels, looks, neededLooks } = plan.data;
  return (
    <>
      <p role="status" className="mb-3 text-lg font-semibold">
        {sentenceOf(plan.data, points)}
      </p>
      <FactList
        facts={[
          [
            'Variance',
            basis
              ? `from run ${basis.runId}, ${countOf(basis.n, 'testcase')}: ${basis.between?.toFixed(3) ?? 'unknown'} between testcases, ${basis.within?.toFixed(3) ?? 'unknown'} within one`
              : 'unknown',
          ],
          ['Correlation', `${correlation.value.toFixed(2)}, ${correlation.source}`],
          ...(groups ? [['Groups', groupsText(groups)] as FactPair] : []),
          ['Assumes', assumption],
          ...(looks.length > 1
            ? [['Looks', `at ${(neededLooks ?? looks).map(countText).join(', ')} testcases`] as FactPair]
            : []),
          ...(labels?.moreLabels ? [['Labels', labels.moreLabels] as FactPair] : []),
        ]}
      />
    </>
  );
};

const defaults = {
  testsetId: '',
  n: '',
  points: '5',
  trials: '1',
  tests: '1',
  candidates: '1',
  baselineRuns: '1',
  looks: '1',
  level: '95',
  power: '80',
};

const numberFields = {
  points: {
    label: 'Difference, points',
    min: 0.1,
    max: 100,
    step: 'any',
    hint: 'The smallest that matters to you',
  },
  trials: { label: 'Trials of each testcase', min: 1, max: 1000 },
  n: { label: 'Testcases', min: 2, placeholder: 'As the testset has' },
  level: { label: 'Level, %', min: 50, max: 99.9, step: 'any', hint: '95: one false alarm in twenty' },
  power: { label: 'Power, %', min: 50, max: 99, step: 'any', hint: '80: one in five is missed' },
  tests: { label: 'Metrics read together', min: 1, max: 1000 },
  candidates: { label: 'Runs against the baseline', min: 1, max: 7 },
  baselineRuns: { label: 'Runs of the baseline', min: 1, max: 10, hint: 'Pooled: less noise' },
  looks: { label: 'Looks', min: 1, max: 10, hint: 'While the run grows' },
} as const;

type AssumptionsProps = {
  projectId: string;
  metrics: readonly Metric[];
  asked: Asked;
  onChange: (change: Partial<Asked>) => void;
};

const Assumptions = ({ projectId, metrics, asked, onChange }: AssumptionsProps) => {
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const numberField = (name: keyof typeof numberFields) => ({
    ...numberFields[name],
    type: 'number',
    value: asked[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <form aria-label="Assumptions" className="grid grid-cols-2 gap-3">
      <div className="col-span-2">
        <Select
          label="Metric"
          value={asked.metricId}
          options={metrics.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(metricId) => onChange({ metricId })}
        />
      </div>
      <Input {...numberField('points')} />
      <Input {...numberField('trials')} />
      <Select
        label="Testset"
        value={asked.testsetId}
        options={[
          { value: '', label: 'As in the earlier run' },
          ...testsets.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(testsetId) => onChange({ testsetId })}
      />
      <Input {...numberField('n')} />
      <Input {...numberField('level')} />
      <Input {...numberField('power')} />
      <Input {...numberField('tests')} />
      <Input {...numberField('candidates')} />
      <Input {...numberField('baselineRuns')} />
      <Input {...numberField('looks')} />
    </form>
  );
};

const Calculator = ({
  projectId,
  metrics,
  chosen,
}: {
  projectId: string;
  metrics: readonly Metric[];
  chosen: string | undefined;
}) => {
  const [asked, setAsked] = useState<Asked>({
    metricId: chosen ?? (metrics.find(({ evalType }) => evalType !== 'human') ?? metrics[0]!).id,
    ...defaults,
  });
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[380px_minmax(0,1fr)]">
      <Assumptions
        projectId={projectId}
        metrics={metrics}
        asked={asked}
        onChange={(change) => setAsked({ ...asked, ...change })}
      />
      <Section title="How many testcases do I need?">
        <Answer projectId={projectId} asked={asked} />
      </Section>
    </div>
  );
};

/** How many testcases a comparison needs, with every assumption editable. */
export const PlanPage = () => {
  const { projectId } = route.useParams();
  const { metric } = route.useSearch();
  const metrics = useQuery(metricsQuery(projectId));
  return (
    <Page title="Plan">
      <Loaded
        query={metrics}
        lines={6}
        empty={
          <Empty
            title="No metrics yet"
            action={
              <Link {...paths.newMetric(projectId)} className={buttonClass('primary')}>
                New metric
              </Link>
            }
          >
            A plan says how many testcases a comparison needs. It takes the variance from an earlier run with
            the metric.
          </Empty>
        }
      >
        {(list) => <Calculator projectId={projectId} metrics={list} chosen={metric} />}
      </Loaded>
    </Page>
  );
};
