import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { evaluateGate, type Verdict } from '../../../../client/src/gate/evaluate.ts';
import { policyNames } from '../../../../client/src/gate/ready-policies.ts';
import { RulesError } from '../../../../client/src/gate/rules-error.ts';
import { api } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { runsQuery } from '../../resources/runs/queries.ts';
import type { Metric, Run } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { useDraft } from '../../ui/local-storage.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { GateHistory } from './gate-history.tsx';
import { GateResult } from './gate-result.tsx';
import { readRules } from './read-rules.ts';

// With the reader of YAML, which only this page needs.
const GateForm = lazy(() => import('./gate-form.tsx'));

const route = getRouteApi('/app/projects/$projectId/gate');
const level = 0.95;

/** Rules to start from: a ready policy, and each judge must be calibrated. */
const starter = (metrics: readonly Metric[]): string =>
  [
    '# dokima.yaml, the rules of: dokima gate RUN',
    `# Ready rules: ${policyNames.join(', ')}. What stands below replaces that part of them.`,
    'policy: pull-request',
    ...(metrics.some(({ evalType }) => evalType === 'ai') ? ['requireCalibrated: true'] : []),
  ].join('\n');

const nameOf = ({ id, numRecords }: Run): string => `Run ${id} · ${countOf(numRecords, 'record')}`;

type PreviewProps = {
  projectId: string;
  runs: readonly Run[];
  metrics: readonly Metric[];
  chosen: readonly string[];
};

const Preview = ({ projectId, runs, metrics, chosen }: PreviewProps) => {
  const navigate = useNavigate();
  const [draft, setDraft] = useDraft<string>(`gate rules ${projectId}`);
  // A run of a testset first: those of a day's traces have no testcases to compare. No rule can decide on a run without metrics.
  const scoredRuns = runs.filter(({ metricIds }) => metricIds.length > 0);
  const run =
    runs.find(({ id }) => id === chosen[0]) ??
    scoredRuns.find(({ testsetId }) => testsetId !== null) ??
    scoredRuns[0] ??
    runs[0]!;
  const runId = run.id;
  const before = runs.slice(runs.indexOf(run) + 1);
  const baseline = chosen[1] ?? before.find(({ testsetId }) => testsetId === run.testsetId)?.id ?? '';
  const scored = metrics.filter(({ id }) => run.metricIds.includes(id));
  const text = draft ?? starter(scored);
  const evaluate = useMutation({
    mutationFn: async () => {
      const policy = await readRules(text);
      const asked = { ...policy, project: projectId, ...(baseline && { baseline: [baseline] }) };
      return evaluateGate(api, runId, asked, { level, now: Date.now() });
    },
  });
  const choose = (next: readonly string[]) => {
    evaluate.reset();
    void navigate(paths.gate(projectId, next));
  };
  const options = runs.map((each) => ({ value: each.id, label: nameOf(each) }));
  const write = (next: string) => {
    evaluate.reset();
    setDraft(next);
  };
  const { error } = evaluate;
  return (
    <div className="flex flex-col gap-6">
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-2">
        <Suspense fallback={<Skeleton lines={10} />}>
          <GateForm metrics={scored} text={text} onChange={write} />
        </Suspense>
        <div className="flex flex-col gap-3">
          <TextArea
            label="The same rules as text (dokima.yaml)"
            rows={14}
            spellCheck={false}
            className="font-mono text-sm"
            value={text}
            onChange={write}
            hint="Kept in this browser. Copy them into the repository for dokima gate."
          />
          <RulesActions text={text} onReset={draft === undefined ? undefined : () => setDraft(undefined)} />
        </div>
      </div>
      <Section title="Two runs">
        <Form write={evaluate} action="Evaluate" errorAction={undefined} className="max-w-2xl">
          <div className="grid grid-cols-2 gap-3">
            <Select label="Run" value={runId} options={options} onChange={(id) => choose([id, baseline])} />
            <Select
              label="Baseline"
              value={baseline}
              options={[{ value: '', label: 'As in the rules' }, ...options]}
              onChange={(id) => choose([runId, id])}
            />
          </div>
        </Form>
        {error instanceof RulesError && error.next && <p className="text-soft">{error.next}</p>}
        <Evaluated verdict={evaluate.data} />
      </Section>
      <GateHistory key={text} projectId={projectId} runs={runs} read={() => readRules(text)} level={level} />
    </div>
  );
};

const Evaluated = ({ verdict }: { verdict: Verdict | undefined }) => (
  <div aria-live="polite" className="mt-4">
    {verdict ? (
      <GateResult {...verdict} />
    ) : (
      <p className="text-soft">
        Evaluate the rules to see whether the run would have passed. Only the look at the testset is stored.
      </p>
    )}
  </div>
);

/** Writes the rules of a gate, and tries them on runs: would they have passed? */
export const GatePage = () => {
  const { projectId } = route.useParams();
  const { runs: asked } = route.useSearch();
  const runs = useInfiniteQuery(runsQuery(projectId));
  const metrics = useQuery(metricsQuery(projectId));
  const list = runs.data?.pages.flatMap(({ data }) => data);
  const error = runs.error ?? metrics.error;
  return (
    <Page
      title={<Term of="gate">Gate rules</Term>}
      actions={<TextLink {...paths.decisions(projectId)}>Registered decisions</TextLink>}
    >
      {error && <ErrorNote error={error} />}
      {!error && !(list && metrics.data) && <Skeleton lines={10} />}
      {list?.length === 0 && (
        <Empty title="No runs yet" action={<TextLink {...paths.newRun(projectId)}>New run</TextLink>}>
          A gate decides by rules whether a run passes. Here you try its rules on existing runs.
        </Empty>
      )}
      {list && list.length > 0 && metrics.data && (
        <Preview
          projectId={projectId}
          runs={list}
          metrics={metrics.data}
          chosen={asked?.split(',').filter(Boolean) ?? []}
        />
      )}
    </Page>
  );
};

type RulesActionsProps = {
  text: string;
  /** Undefined: the rules are those of the metrics. */
  onReset: (() => void) | undefined;
};

const RulesActions = ({ text, onReset }: RulesActionsProps) => (
  <div className="flex gap-2">
    <CopyButton text={text} label="Copy the rules" named />
    {onReset && (
      <Button look="quiet" onClick={onReset}>
        Start from the metrics again
      </Button>
    )}
  </div>
);
