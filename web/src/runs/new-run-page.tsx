import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { metricsQuery } from '../metrics/queries.ts';
import { paths } from '../paths.ts';
import { BudgetField } from '../rescoring/budget-field.tsx';
import { systemsQuery, upsertVersion } from '../systems/queries.ts';
import { testsetsQuery } from '../testsets/queries.ts';
import type { Run } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { useDraft } from '../ui/kept.ts';
import { Page, Section } from '../ui/page.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { ChooseMetrics } from './choose-metrics.tsx';
import { ChooseSystem, configOf, noSystem, type SystemChoice } from './system-choice.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/new');

/** The form as it is kept while it is filled in. The header with a key in it is not: a browser is no place for secrets. */
type RunForm = {
  testsetId: string;
  left: readonly string[];
  system: Omit<SystemChoice, 'authorization'>;
  difference: number;
  budget: string;
};

/** Starts a run: over which testset, who makes its records, which metrics score them, and what it will be able to show. */
export const NewRunPage = () => {
  const { projectId } = route.useParams();
  const { testset = '' } = route.useSearch();
  const list = useQuery(metricsQuery(projectId));
  const metrics = list.data ?? [];
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const [draft, setDraft] = useDraft<RunForm>(`new run ${projectId} ${testset}`);
  const [authorization, setAuthorization] = useState('');
  const form = draft ?? { testsetId: testset, left: [], system: noSystem, difference: 5, budget: '' };
  const set = (change: Partial<RunForm>) => setDraft({ ...form, ...change });
  const { testsetId, difference, budget } = form;
  const left = new Set(form.left);
  const system = { ...form.system, authorization };
  const setSystem = ({ authorization: header, ...change }: Partial<SystemChoice>) => {
    if (header !== undefined) setAuthorization(header);
    else set({ system: { ...form.system, ...change } });
  };
  const metricIds = metrics.map(({ id }) => id).filter((id) => !left.has(id));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      const body = {
        testsetId: testsetId || null,
        metricIds,
        ...(budget && { judgeBudgetUsd: Number(budget) }),
      };
      if (system.by === 'client') return api.post<Run>(`/projects/${projectId}/runs`, body);
      const versionId =
        system.versionId || (await upsertVersion(projectId, system.name, configOf(system))).id;
      // Should the run be refused, the version is there all the same: the next try takes it.
      setSystem({ versionId });
      await queries.invalidateQueries({ queryKey: systemsQuery(projectId).queryKey });
      const { trials } = system;
      return api.post<Run>(`/projects/${projectId}/runs`, {
        ...body,
        systemVersionId: versionId,
        execute: true,
        trials,
      });
    },
    onSuccess: async ({ id }) => {
      setDraft(undefined);
      await queries.invalidateQueries({ queryKey: [`/projects/${projectId}/runs`] });
      await navigate(paths.run(projectId, id));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    set({ left: [...next] });
  };
  const chosen = testsets.find(({ id }) => id === testsetId);
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
  return (
    <Page
      crumbs={
        <Link {...paths.runs(projectId)} className="hover:underline">
          Runs
        </Link>
      }
      title="New run"
      actions={draft && <Button onClick={() => setDraft(undefined)}>Start over</Button>}
    >
      <form onSubmit={submit} className="max-w-3xl">
        <Section title="Testset">
          <div className="max-w-96">
            <Select
              label="Testset"
              hideLabel
              value={testsetId}
              onChange={({ target }) => set({ testsetId: target.value })}
              options={[
                { value: '', label: 'None' },
                ...testsets.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </div>
        </Section>
        <Section title="Records">
          <div role="radiogroup" aria-label="Who makes the records" className="mb-3 flex flex-col gap-2">
            {makers.map(({ by, label, hint }) => (
              <label key={by} className="flex items-baseline gap-2">
                <input
                  type="radio"
                  name="by"
                  checked={system.by === by}
                  disabled={by === 'service' && testsetId === ''}
                  onChange={() => setSystem({ by })}
                />
                <span>
                  {label} <span className="text-sm text-soft">{hint}</span>
                </span>
              </label>
            ))}
            {testsetId === '' && (
              <p className="text-sm text-soft">For Dokima to call the system, choose a testset first.</p>
            )}
          </div>
          {system.by === 'service' && (
            <ChooseSystem
              projectId={projectId}
              choice={system}
              onChange={setSystem}
              inputs={chosen?.fieldMapping.inputs ?? []}
            />
          )}
        </Section>
        <Section title="Metrics">
          <ChooseMetrics
            projectId={projectId}
            testsetId={testsetId}
            trials={system.by === 'service' ? Math.max(1, system.trials) : 1}
            left={left}
            onToggle={toggle}
            onLeave={(ids) => set({ left: ids })}
            difference={difference}
            onDifference={(points) => set({ difference: points })}
          />
          {/* What stands below the metrics comes with them. */}
          {!list.isPending && (
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
        </Section>
        {create.error && <ErrorNote error={create.error} />}
        {!list.isPending && (
          <Button type="submit" look="primary" disabled={create.isPending} className="mt-3">
            Start the run
          </Button>
        )}
      </form>
    </Page>
  );
};
