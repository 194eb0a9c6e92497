import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type PlanUnit, planFacts, planSentence } from '../../../../client/src/plan-words.ts';
import { hasMean } from '../../../../client/src/score-value.ts';
import { apiQuery } from '../../api.ts';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { Metric } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loaded, Skeleton } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';

const route = getRouteApi('/app/projects/$projectId/plan');

type Asked = {
  metricId: string;
  testsetId: string;
  n: string;
  compareBy: PlanUnit;
  points: string;
  size: string;
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

const Answer = ({ projectId, asked, unit }: { projectId: string; asked: Asked; unit: PlanUnit }) => {
  const size = unit === 'points' ? between(asked.points, 0.01, 100) : between(asked.size, 0.0001, 4);
  const plan = useQuery({
    ...apiQuery('planRun', projectId, {
      metricId: asked.metricId,
      measure: unit === 'points' ? 'pass' : 'score',
      difference: size && (unit === 'points' ? size / 100 : size),
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
    enabled: size !== undefined,
    placeholderData: (before) => before,
  });
  if (size === undefined) return <p className="text-soft">Give a difference above 0.</p>;
  if (plan.error) return <ErrorNote error={plan.error} />;
  if (!plan.data) return <Skeleton lines={4} />;
  return (
    <>
      <p role="status" className="mb-3 text-focal font-semibold">
        {planSentence(plan.data, unit)}
      </p>
      <FactList facts={planFacts(plan.data)} />
    </>
  );
};

const defaults = {
  testsetId: '',
  n: '',
  compareBy: 'points' as PlanUnit,
  points: '5',
  size: '0.2',
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
  size: {
    label: 'Difference, score',
    min: 0.0001,
    max: 4,
    step: 'any',
    hint: 'The smallest that matters to you',
  },
  trials: { label: 'Repeats per testcase', min: 1, max: 1000 },
  n: { label: 'Testcases', min: 2, placeholder: 'As the testset has' },
  level: {
    label: 'Confidence, %',
    min: 50,
    max: 99.9,
    step: 'any',
    hint: <Term of="level">95: one false alarm in twenty</Term>,
  },
  power: {
    label: 'Power, %',
    min: 50,
    max: 99,
    step: 'any',
    hint: <Term of="power">80: one in five is missed</Term>,
  },
  tests: { label: 'Number of comparisons', min: 1, max: 1000 },
  candidates: { label: 'Runs against the baseline', min: 1, max: 7 },
  baselineRuns: { label: 'Runs of the baseline', min: 1, max: 10, hint: 'Pooled: less noise' },
  looks: { label: 'Looks', min: 1, max: 10, hint: 'While the run grows' },
} as const;

type AssumptionsProps = {
  projectId: string;
  metrics: readonly Metric[];
  asked: Asked;
  unit: PlanUnit;
  onChange: (change: Partial<Asked>) => void;
};

const units: { value: PlanUnit; label: string }[] = [
  { value: 'points', label: 'Pass rate' },
  { value: 'score', label: 'Mean score' },
];

/** Numbers have a mean beside their pass rate. */
const isScored = (metrics: readonly Metric[], metricId: string): boolean =>
  hasMean(metrics.find(({ id }) => id === metricId)?.outputType ?? 'float');

/** The share of criteria says more than whether it passes. */
const unitOf = (metrics: readonly Metric[], metricId: string): PlanUnit =>
  metrics.find(({ id }) => id === metricId)?.criteria ? 'score' : 'points';

const Assumptions = ({ projectId, metrics, asked, unit, onChange }: AssumptionsProps) => {
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
          onChange={(metricId) => onChange({ metricId, compareBy: unitOf(metrics, metricId) })}
        />
      </div>
      {isScored(metrics, asked.metricId) && (
        <div className="col-span-2">
          <Select
            label="Compare by"
            value={asked.compareBy}
            options={units}
            onChange={(compareBy) => onChange({ compareBy })}
          />
        </div>
      )}
      <Input {...numberField(unit === 'points' ? 'points' : 'size')} />
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
  const [asked, setAsked] = useState<Asked>(() => {
    const metricId = chosen ?? (metrics.find(({ evalType }) => evalType !== 'human') ?? metrics[0]!).id;
    return { metricId, ...defaults, compareBy: unitOf(metrics, metricId) };
  });
  const unit = isScored(metrics, asked.metricId) ? asked.compareBy : 'points';
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[380px_minmax(0,1fr)]">
      <Assumptions
        projectId={projectId}
        metrics={metrics}
        asked={asked}
        unit={unit}
        onChange={(change) => setAsked({ ...asked, ...change })}
      />
      <Section title="How many testcases do I need?">
        <Answer projectId={projectId} asked={asked} unit={unit} />
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
