import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { upsertVersion } from '../../../../client/src/versions.ts';
import { api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { BudgetInput } from '../../resources/rescoring/budget-field.tsx';
import { ChooseSystem, configOf, noSystem, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import { useSystemToTry } from '../../resources/runs/system-to-try.ts';
import { TryCalls } from '../../resources/runs/try-calls.tsx';
import { versionQuery } from '../../resources/systems/queries.ts';
import { ChoosePart, type Part, partOf } from '../../resources/testsets/choose-part.tsx';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { Run, Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { submitting } from '../../ui/form.tsx';
import { useDraft } from '../../ui/local-storage.ts';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';
import { ChooseMetrics } from './choose-metrics.tsx';
import { PlanOfMetrics } from './plan-of-metrics.tsx';
import { WhatToExpect } from './what-to-expect.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/new');

/** The draft of the form. The authorization header is left out: the browser must not store secrets. */
type RunForm = Part & {
  testsetId: string;
  left: readonly string[];
  system: Omit<SystemChoice, 'authorization'>;
  difference: number;
  budget: string;
  name?: string;
  /** Number of fresh testcases that the run takes; empty for none. */
  fresh?: string;
};

const emptyForm: RunForm = {
  testsetId: '',
  left: [],
  system: { ...noSystem, by: 'service' },
  difference: 5,
  budget: '',
  name: '',
};

/** The form as an earlier run had it: its testset, its system and its metrics. */
const formLike = (run: Run, metrics: readonly { id: string }[]): RunForm => ({
  ...emptyForm,
  testsetId: run.testsetId ?? '',
  left: metrics.map(({ id }) => id).filter((id) => !run.metricIds.includes(id)),
  system:
    run.systemVersionId === null ? noSystem : { ...noSystem, by: 'service', versionId: run.systemVersionId },
});

/** What the form begins with: an earlier run, or else the newest version that the service can call, over the newest testset. */
const useBeginning = (
  projectId: string,
  { like, testset }: { like: string; testset: string },
  metrics: readonly { id: string }[],
): RunForm | undefined => {
  const { data: model } = useQuery({ ...apiQuery('getRun', like), enabled: like !== '' });
  const { data: testsets } = useQuery(testsetsQuery(projectId));
  const begins = useSystemToTry(projectId);
  if (like !== '') return model && formLike(model, metrics);
  if (!testsets || !begins) return undefined;
  const testsetId = testset || (testsets.at(-1)?.id ?? '');
  return { ...emptyForm, testsetId, system: { ...begins.system, by: 'service' } };
};

/** The form that the user fills in, once it is known what it begins with. It survives a reload. */
const useRunForm = (projectId: string, metrics: readonly { id: string }[]) => {
  const { testset = '', like = '' } = route.useSearch();
  const beginning = useBeginning(projectId, { like, testset }, metrics);
  const [draft, setDraft] = useDraft<RunForm>(`new run ${projectId} ${testset}${like && ` like ${like}`}`);
  const [authorization, setAuthorization] = useState('');
  const form = draft ?? beginning ?? emptyForm;
  const set = (change: Partial<RunForm>) => setDraft({ ...form, ...change });
  // Only the code of the user can make records without a testset.
  const by = form.testsetId === '' ? 'client' : form.system.by;
  const system: SystemChoice = { ...form.system, by, authorization };
  const setSystem = ({ authorization: header, ...change }: Partial<SystemChoice>) => {
    if (header !== undefined) setAuthorization(header);
    if (Object.keys(change).length > 0) set({ system: { ...form.system, ...change } });
  };
  // Read before the form is shown, so that nothing in it moves.
  const versionId = system.versionId || system.forkOf;
  const version = useQuery({ ...versionQuery(versionId), enabled: versionId !== '' });
  const isRead = (draft ?? beginning) !== undefined && (versionId === '' || !version.isPending);
  return {
    form,
    set,
    system,
    setSystem,
    isRead,
    isEdited: draft !== undefined,
    clear: () => setDraft(undefined),
  };
};

const makers = [
  {
    by: 'service',
    label: 'Dokima calls my prompt or endpoint',
    hint: 'Once for each testcase.',
  },
  {
    by: 'client',
    label: 'I send them from my code',
    hint: 'Through the API, the Python or TypeScript client.',
  },
] as const;

type ChooseSourceProps = {
  by: SystemChoice['by'];
  hasTestset: boolean;
  onChange: (by: SystemChoice['by']) => void;
};

/** Chooses who makes the records of the run. */
const ChooseSource = ({ by: chosen, hasTestset, onChange }: ChooseSourceProps) => (
  <div role="radiogroup" aria-label="Where the answers come from" className="mb-3 flex flex-col gap-2">
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
    {!hasTestset && <p className="text-sm text-soft">For Dokima to call it, choose a testset first.</p>}
  </div>
);

type CalledSystemProps = {
  projectId: string;
  testset: Testset | undefined;
  system: SystemChoice;
  onChange: (change: Partial<SystemChoice>) => void;
};

/** The system that Dokima calls, and calls to try it. */
const CalledSystem = ({ projectId, testset, system, onChange }: CalledSystemProps) => (
  <>
    <ChooseSystem
      projectId={projectId}
      choice={system}
      onChange={onChange}
      inputs={testset?.fieldMapping.inputs ?? []}
    />
    {testset && <TryCalls projectId={projectId} testsetId={testset.id} choice={system} />}
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
  const { testsetId, snapshot, split, metricIds, budget, name = '', fresh } = form;
  return useMutation({
    mutationFn: async () => {
      const body = {
        testsetId: testsetId || null,
        ...(testsetId && partOf({ split: split ?? '' })),
        ...(testsetId && fresh && !snapshot && { fresh: Number(fresh) }),
        metricIds: [...metricIds],
        ...(budget && { judgeBudgetUsd: Number(budget) }),
        ...(name.trim() && { name: name.trim() }),
      };
      if (system.by === 'client') return api.createRun(projectId, body);
      const versionId =
        system.versionId || (await upsertVersion(api, projectId, system.name, await configOf(system))).id;
      onVersion(versionId);
      return api.createRun(projectId, {
        ...body,
        systemVersionId: versionId,
        execute: true,
        ...partOf({ snapshot: snapshot ?? '' }),
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
  trials: number;
  set: (change: Partial<RunForm>) => void;
};

/** Chooses the metrics, and folded, what they could show and the most that their judges may spend. */
const RunMetricsFields = ({ projectId, form, trials, set }: RunMetricsFieldsProps) => {
  const { testsetId, split, difference, budget } = form;
  const left = new Set(form.left);
  return (
    <>
      <ChooseMetrics
        projectId={projectId}
        left={left}
        onToggle={(id) => set({ left: [...toggled(left, id)] })}
        onLeave={(ids) => set({ left: ids })}
      />
      <div className="mt-3 flex flex-col gap-2">
        {testsetId !== '' && (
          <PlanOfMetrics
            projectId={projectId}
            testsetId={testsetId}
            split={split}
            trials={trials}
            left={left}
            difference={difference}
            onDifference={(points) => set({ difference: points })}
          />
        )}
        <details>
          <summary className="text-sm font-medium select-none">Limit of the cost</summary>
          <div className="mt-2 max-w-96">
            <BudgetInput value={budget} onChange={(usd) => set({ budget: usd })} />
          </div>
        </details>
      </div>
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

type RunFieldsProps = Pick<ReturnType<typeof useRunForm>, 'form' | 'set' | 'system' | 'setSystem'> & {
  projectId: string;
  testsets: readonly Testset[];
};

/** What is run: where the answers come from, about which testcases, and what judges them. */
const RunFields = ({ projectId, form, set, system, setSystem, testsets }: RunFieldsProps) => {
  const { testsetId } = form;
  return (
    <>
      <Section title="Testset">
        <ChooseTestset
          testsets={testsets}
          testsetId={testsetId}
          onChoose={(id) => set({ testsetId: id, snapshot: '', split: '' })}
        />
        {testsetId !== '' && (
          <ChoosePart testsetId={testsetId} part={form} isCalled={system.by === 'service'} set={set} />
        )}
        {testsetId !== '' && !form.snapshot && (
          <div className="mt-2 w-56">
            <Input
              label="Fresh testcases"
              type="number"
              min={1}
              max={500}
              placeholder="None"
              value={form.fresh ?? ''}
              onChange={(fresh) => set({ fresh })}
              hint="They join the testset, and measure its wear."
            />
          </div>
        )}
      </Section>
      <Section title="Where do the answers come from?">
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
        <RunMetricsFields projectId={projectId} form={form} trials={trialsOf(system)} set={set} />
      </Section>
      <Section title="Name">
        <RunName value={form.name ?? ''} onChange={(name) => set({ name })} />
      </Section>
    </>
  );
};

const trialsOf = ({ by, trials }: SystemChoice): number => (by === 'service' ? Math.max(1, trials) : 1);

/** Starts a run: where the answers come from, the testcases, the metrics; and says in a sentence what it costs and can show. */
export const NewRunPage = () => {
  const { projectId } = route.useParams();
  const list = useQuery(metricsQuery(projectId));
  const metrics = list.data ?? [];
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const { isRead, isEdited, clear, ...fields } = useRunForm(projectId, metrics);
  const { form, system, setSystem } = fields;
  const left = new Set(form.left);
  const chosen = metrics.filter(({ id }) => !left.has(id));
  const create = useStartRun(projectId, {
    form: { ...form, metricIds: chosen.map(({ id }) => id) },
    system,
    // When the run is refused, the version exists already: the next attempt uses it.
    onVersion: (versionId) => setSystem({ versionId, forkOf: '' }),
    onStarted: clear,
  });
  return (
    <Page
      crumbs={<QuietLink {...paths.runs(projectId)}>Runs</QuietLink>}
      title="New run"
      actions={isEdited && <Button onClick={clear}>Start over</Button>}
    >
      {!isRead || list.isPending ? (
        <Skeleton lines={12} />
      ) : (
        <form onSubmit={submitting(create.mutate)} className="max-w-5xl">
          <RunFields {...fields} projectId={projectId} testsets={testsets} />
          {create.error && <ErrorNote error={create.error} />}
          <Button type="submit" look="primary" disabled={create.isPending}>
            Start run
          </Button>
          {form.testsetId !== '' && (
            <WhatToExpect
              projectId={projectId}
              testsetId={form.testsetId}
              part={partOf(system.by === 'service' ? form : { split: form.split ?? '' })}
              metrics={chosen}
              trials={trialsOf(system)}
            />
          )}
        </form>
      )}
    </Page>
  );
};
