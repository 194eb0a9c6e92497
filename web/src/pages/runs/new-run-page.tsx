import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { upsertVersion } from '../../../../client/src/versions.ts';
import { api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { BudgetField } from '../../resources/rescoring/budget-field.tsx';
import { ChooseSystem, configOf, noSystem, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import { TryCall } from '../../resources/runs/try-call.tsx';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { Run, Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { submitting } from '../../ui/form.tsx';
import { useDraft } from '../../ui/local-storage.ts';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';
import { ChooseMetrics } from './choose-metrics.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/new');

/** The draft of the form. The authorization header is left out: the browser must not store secrets. */
type RunForm = {
  testsetId: string;
  left: readonly string[];
  system: Omit<SystemChoice, 'authorization'>;
  difference: number;
  budget: string;
  name?: string;
};

/** The form as an earlier run had it: its testset, its system and its metrics. */
const formLike = (run: Run, metrics: readonly { id: string }[]): RunForm => ({
  testsetId: run.testsetId ?? '',
  left: metrics.map(({ id }) => id).filter((id) => !run.metricIds.includes(id)),
  system:
    run.systemVersionId === null ? noSystem : { ...noSystem, by: 'service', versionId: run.systemVersionId },
  difference: 5,
  budget: '',
  name: '',
});

/** The form that the user fills in. It begins like the run of the address, or empty with its testset, and survives a reload. */
const useRunForm = (projectId: string, metrics: readonly { id: string }[]) => {
  const { testset = '', like = '' } = route.useSearch();
  const { data: model } = useQuery({ ...apiQuery('getRun', like), enabled: like !== '' });
  const [draft, setDraft] = useDraft<RunForm>(`new run ${projectId} ${testset}${like && ` like ${like}`}`);
  const [authorization, setAuthorization] = useState('');
  const fresh = { testsetId: testset, left: [], system: noSystem, difference: 5, budget: '', name: '' };
  const form = draft ?? (model ? formLike(model, metrics) : fresh);
  const set = (change: Partial<RunForm>) => setDraft({ ...form, ...change });
  const system: SystemChoice = { ...form.system, authorization };
  const setSystem = ({ authorization: header, ...change }: Partial<SystemChoice>) => {
    if (header !== undefined) setAuthorization(header);
    else set({ system: { ...form.system, ...change } });
  };
  return { form, set, system, setSystem, isEdited: draft !== undefined, clear: () => setDraft(undefined) };
};

const makers = [
  {
    by: 'client',
    label: 'My own code sends them',
    hint: 'Through the API, the Python or TypeScript client.',
  },
  {
    by: 'service',
    label: 'Dokima calls the system',
    hint: 'Once for each testcase: a prompt for a model, or an HTTP endpoint.',
  },
] as const;

type ChooseSourceProps = {
  by: SystemChoice['by'];
  hasTestset: boolean;
  onChange: (by: SystemChoice['by']) => void;
};

/** Chooses who makes the records of the run. */
const ChooseSource = ({ by: chosen, hasTestset, onChange }: ChooseSourceProps) => (
  <div role="radiogroup" aria-label="Source of the records" className="mb-3 flex flex-col gap-2">
    {makers.map(({ by, label, hint }) => (
      <label key={by} className="flex items-baseline gap-2">
        <input
          type="radio"
          name="by"
          checked={chosen === by}
          disabled={by === 'service' && !hasTestset}
          onChange={() => onChange(by)}
        />
        <span>
          {label} <span className="text-sm text-soft">{hint}</span>
        </span>
      </label>
    ))}
    {!hasTestset && (
      <p className="text-sm text-soft">For Dokima to call the system, choose a testset first.</p>
    )}
  </div>
);

type CalledSystemProps = {
  projectId: string;
  testset: Testset | undefined;
  system: SystemChoice;
  onChange: (change: Partial<SystemChoice>) => void;
};

/** The system that Dokima calls, and a call to try it. */
const CalledSystem = ({ projectId, testset, system, onChange }: CalledSystemProps) => (
  <>
    <ChooseSystem
      projectId={projectId}
      choice={system}
      onChange={onChange}
      inputs={testset?.fieldMapping.inputs ?? []}
    />
    {testset && <TryCall projectId={projectId} testsetId={testset.id} choice={system} />}
  </>
);

type RunToStart = {
  form: RunForm & { metricIds: readonly string[] };
  system: SystemChoice;
  /** Called with the version of the system, before the run is created. */
  onVersion: (versionId: string) => void;
  onStarted: () => void;
};

/** Creates the run, after the version of its system, and opens its page. */
const useStartRun = (projectId: string, { form, system, onVersion, onStarted }: RunToStart) => {
  const navigate = useNavigate();
  const { testsetId, metricIds, budget, name = '' } = form;
  return useMutation({
    mutationFn: async () => {
      const body = {
        testsetId: testsetId || null,
        metricIds: [...metricIds],
        ...(budget && { judgeBudgetUsd: Number(budget) }),
        ...(name.trim() && { name: name.trim() }),
      };
      if (system.by === 'client') return api.createRun(projectId, body);
      const versionId =
        system.versionId || (await upsertVersion(api, projectId, system.name, configOf(system))).id;
      onVersion(versionId);
      return api.createRun(projectId, {
        ...body,
        systemVersionId: versionId,
        execute: true,
        trials: system.trials,
      });
    },
    meta: { refreshes: [keyOf('listRunDetails', projectId), keyOf('listSystems', projectId)] },
    onSuccess: async ({ id }) => {
      onStarted();
      await navigate(paths.run(projectId, id));
    },
  });
};

const RunName = ({ value, onChange }: { value: string; onChange: (name: string) => void }) => (
  <div className="max-w-96">
    <Input
      label="Name"
      hideLabel
      value={value}
      maxLength={200}
      placeholder="Optional, for example: shorter prompt"
      onChange={onChange}
    />
  </div>
);

type RunMetricsFieldsProps = {
  projectId: string;
  form: RunForm;
  metricIds: readonly string[];
  trials: number;
  areMetricsPending: boolean;
  set: (change: Partial<RunForm>) => void;
};

/** Chooses the metrics, and the most that their judges may spend. */
const RunMetricsFields = ({
  projectId,
  form,
  metricIds,
  trials,
  areMetricsPending,
  set,
}: RunMetricsFieldsProps) => {
  const { testsetId, difference, budget } = form;
  const left = new Set(form.left);
  return (
    <>
      <ChooseMetrics
        projectId={projectId}
        testsetId={testsetId}
        trials={trials}
        left={left}
        onToggle={(id) => set({ left: [...toggled(left, id)] })}
        onLeave={(ids) => set({ left: ids })}
        difference={difference}
        onDifference={(points) => set({ difference: points })}
      />
      {/* Shown together with the metrics, so that it does not move. */}
      {!areMetricsPending && (
        <div className="mt-3 max-w-96">
          <BudgetField
            projectId={projectId}
            testsetId={testsetId}
            metricIds={metricIds}
            value={budget}
            onChange={(usd) => set({ budget: usd })}
          />
        </div>
      )}
    </>
  );
};

type ChooseTestsetProps = {
  testsets: readonly Testset[];
  testsetId: string;
  onChoose: (id: string) => void;
};

const ChooseTestset = ({ testsets, testsetId, onChoose }: ChooseTestsetProps) => (
  <div className="max-w-96">
    <Select
      label="Testset"
      hideLabel
      value={testsetId}
      onChange={onChoose}
      options={[
        { value: '', label: 'None' },
        ...testsets.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  </div>
);

/** Starts a run: the testset, the source of its records, the metrics, and the differences that it can detect. */
export const NewRunPage = () => {
  const { projectId } = route.useParams();
  const list = useQuery(metricsQuery(projectId));
  const metrics = list.data ?? [];
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const { form, set, system, setSystem, isEdited, clear } = useRunForm(projectId, metrics);
  const { testsetId } = form;
  const left = new Set(form.left);
  const metricIds = metrics.map(({ id }) => id).filter((id) => !left.has(id));
  const create = useStartRun(projectId, {
    form: { ...form, metricIds },
    system,
    // When the run is refused, the version exists already: the next attempt uses it.
    onVersion: (versionId) => setSystem({ versionId }),
    onStarted: clear,
  });
  return (
    <Page
      crumbs={<QuietLink {...paths.runs(projectId)}>Runs</QuietLink>}
      title="New run"
      actions={isEdited && <Button onClick={clear}>Start over</Button>}
    >
      <form onSubmit={submitting(create.mutate)} className="max-w-5xl">
        <Section title="Name">
          <RunName value={form.name ?? ''} onChange={(name) => set({ name })} />
        </Section>
        <Section title="Testset">
          <ChooseTestset
            testsets={testsets}
            testsetId={testsetId}
            onChoose={(id) => set({ testsetId: id })}
          />
        </Section>
        <Section title="Records">
          <ChooseSource by={system.by} hasTestset={testsetId !== ''} onChange={(by) => setSystem({ by })} />
          {system.by === 'service' && (
            <CalledSystem
              projectId={projectId}
              testset={testsets.find(({ id }) => id === testsetId)}
              system={system}
              onChange={setSystem}
            />
          )}
        </Section>
        <Section title="Metrics">
          <RunMetricsFields
            projectId={projectId}
            form={form}
            metricIds={metricIds}
            trials={system.by === 'service' ? Math.max(1, system.trials) : 1}
            areMetricsPending={list.isPending}
            set={set}
          />
        </Section>
        {create.error && <ErrorNote error={create.error} />}
        {!list.isPending && (
          <Button type="submit" look="primary" disabled={create.isPending} className="mt-3">
            Start run
          </Button>
        )}
      </form>
    </Page>
  );
};
