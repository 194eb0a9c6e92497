import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FlaskConical, Play, Plus, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { MetricChoice } from '../../resources/metrics/metric-choice.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { usd } from '../../resources/rescoring/amounts.ts';
import { draftOf, emptyPrompt, variablesOf } from '../../resources/systems/prompt-draft.ts';
import { systemsQuery, versionQuery, versionsQuery } from '../../resources/systems/queries.ts';
import { RunDialog } from '../../resources/systems/run-dialog.tsx';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { JsonObject } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { useDraft } from '../../ui/local-storage.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { type Asked, ChooseExamples, useExamples } from './choose-examples.tsx';
import { Results } from './results.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { useTrial } from './use-trial.ts';
import { isSaved, mostVariants, titleOf, type Variant, variantOf } from './variant.ts';
import { VariantCard } from './variant-card.tsx';
import { WhatShows } from './what-shows.tsx';

const route = getRouteApi('/app/projects/$projectId/playground');

type Bench = Asked & { variants: Variant[]; metricIds: string[]; budget: string };

const newVariant = (key: string): Variant => ({ key, draft: emptyPrompt });
const freshKey = () => Math.random().toString(36).slice(2, 10);

/** Reads the versions that the address names. Missing versions are left out. */
const readVariants = async (projectId: string, ids: readonly string[]): Promise<Variant[]> => {
  const systems = (await api.listSystems(projectId, { limit: 100 })).data;
  const found = await Promise.all(
    ids.map(async (id) => {
      const version = await api.getSystemVersion(id).catch(() => undefined);
      if (!version) return [];
      const systemName = systems.find((system) => system.id === version.systemId)?.name ?? '';
      return [variantOf(id, { ...version, systemName }, draftOf(version.config as JsonObject))];
    }),
  );
  return found.flat();
};

/** Two to six variants of a prompt side by side, on the same examples, with their scores. Nothing is stored until a version is saved. */
export const PlaygroundPage = () => {
  const { projectId } = route.useParams();
  const { versions = '' } = route.useSearch();
  const [kept, keep] = useDraft<Bench>(`playground ${projectId} ${versions}`);
  const asked = useQuery({
    queryKey: ['playground', projectId, versions],
    queryFn: () => readVariants(projectId, versions.split(',').slice(0, mostVariants)),
    enabled: versions !== '' && kept === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const { data: allMetrics = [] } = useQuery(metricsQuery(projectId));
  const { data: systems = [] } = useQuery(systemsQuery(projectId));
  const bench: Bench = kept ?? {
    variants: asked.data && asked.data.length > 0 ? asked.data : [newVariant('first')],
    ...{ testsetId: '', n: '10', typed: {}, metricIds: [], budget: '1' },
  };
  const set = (change: Partial<Bench>) => keep({ ...bench, ...change });
  const setVariant = (variant: Variant) =>
    set({ variants: bench.variants.map((each) => (each.key === variant.key ? variant : each)) });
  const { variants } = bench;
  const usable = allMetrics.filter(({ evalType }) => evalType !== 'human');
  const metrics = usable.filter(({ id }) => bench.metricIds.includes(id));
  const variables = [...new Set(variants.flatMap(({ draft }) => (draft ? variablesOf(draft) : [])))];
  const { examples, error } = useExamples(bench, variables);
  const trial = useTrial(projectId);
  const [saving, setSaving] = useState<string>();
  const [isRunningAll, setRunningAll] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const client = useQueryClient();
  const systemIds = [...new Set(variants.flatMap(({ systemId }) => systemId ?? []))];
  const details = useQueries({ queries: systemIds.map((id) => versionsQuery(id)) }).flatMap(
    ({ data }) => data ?? [],
  );
  // The answers belong to the variants that were asked.
  const [shown, setShown] = useState<readonly Variant[]>([]);
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!trial.isRunning) setProblem(undefined);
    // The answers come below the prompts, mostly out of view.
    if (trial.isRunning) results.current?.scrollIntoView({ block: 'nearest' });
  }, [trial.isRunning]);

  const options = systems.flatMap(({ name, versions: all }) =>
    all.toReversed().map((each) => ({ value: each.id, label: `${name}: ${each.name || each.id.slice(-8)}` })),
  );
  const choose = async (variant: Variant, versionId: string) => {
    if (versionId === '') return setVariant(newVariant(variant.key));
    const system = systems.find((each) => each.versions.some(({ id }) => id === versionId))!;
    const version = await client.ensureQueryData(versionQuery(versionId));
    const draft = draftOf(version.config as JsonObject);
    setVariant(variantOf(variant.key, { ...version, systemName: system.name }, draft));
  };
  const isReady =
    examples.length > 0 &&
    variants.every(
      ({ draft }) =>
        !draft || (draft.modelName.trim() !== '' && draft.messages.every(({ content }) => content !== '')),
    );
  const start = () => {
    setShown(variants);
    trial.start(variants, examples, metrics, bench.budget === '' ? undefined : Number(bench.budget));
  };
  const columns = { gridTemplateColumns: `repeat(${variants.length}, minmax(300px, 1fr))` };
  const testset = testsets.find(({ id }) => id === bench.testsetId);
  const inputs = testset?.fieldMapping.inputs ?? [];
  const saved = variants.filter(isSaved);
  const runs = countOf(variants.length, 'variant');
  return (
    <Page
      title="Playground"
      actions={
        <>
          {kept && !trial.isRunning && <Button onClick={() => keep(undefined)}>Start over</Button>}
          <Button
            disabled={variants.length >= mostVariants}
            onClick={() => set({ variants: [...variants, newVariant(freshKey())] })}
          >
            <Plus size={14} aria-hidden /> Add variant
          </Button>
          <Button
            disabled={saved.length < variants.length || testsets.length === 0}
            title={
              saved.length < variants.length
                ? 'Save every variant first.'
                : testsets.length === 0
                  ? 'Create a testset first.'
                  : undefined
            }
            onClick={() => setRunningAll(true)}
          >
            <FlaskConical size={14} aria-hidden /> Run on the whole testset
          </Button>
        </>
      }
    >
      <div className="overflow-x-auto pb-2">
        <div className="grid gap-3" style={columns}>
          {variants.map((variant, i) => (
            <VariantCard
              key={variant.key}
              {...{ projectId, i, variant, inputs }}
              versions={options}
              details={details.find(({ id }) => id === variant.versionId)}
              knownLabels={details
                .filter(({ systemId }) => systemId === variant.systemId)
                .flatMap(({ labels }) => labels)}
              canAdd={variants.length < mostVariants}
              canRemove={variants.length > 1}
              onChange={setVariant}
              onChoose={(versionId) => void choose(variant, versionId).catch(setProblem)}
              onCopy={() => set({ variants: variants.toSpliced(i + 1, 0, { ...variant, key: freshKey() }) })}
              onRemove={() => set({ variants: variants.filter(({ key }) => key !== variant.key) })}
              onSave={() => setSaving(variant.key)}
            />
          ))}
        </div>
        <div className="sticky left-0 my-4 grid max-w-5xl items-start gap-x-6 gap-y-3 md:grid-cols-2">
          <ChooseExamples
            projectId={projectId}
            asked={bench}
            testsets={testsets}
            variables={variables}
            error={error}
            onChange={({ testsetId, n, typed }) => set({ testsetId, n, typed })}
          />
          <div className="flex min-w-0 flex-col gap-2">
            <MetricChoice
              projectId={projectId}
              metrics={usable}
              chosen={new Set(bench.metricIds)}
              onChange={(chosen) => set({ metricIds: [...chosen] })}
            />
            <div className="max-w-60">
              <Input
                label="Budget, USD"
                type="number"
                min={0}
                step="any"
                placeholder="No limit"
                hint="No further call starts when it is used up."
                value={bench.budget}
                onChange={(budget) => set({ budget })}
              />
            </div>
          </div>
          <div className="flex flex-col gap-1 md:col-span-2">
            <div className="flex flex-wrap items-center gap-3">
              {trial.isRunning ? (
                <Button onClick={trial.stop}>
                  <Square size={14} aria-hidden /> Stop
                </Button>
              ) : (
                <Button look="primary" disabled={!isReady} onClick={start} aria-describedby="what-shows">
                  <Play size={14} aria-hidden /> Ask {runs} about {countOf(examples.length, 'example')}
                </Button>
              )}
              <span role="status" className="text-soft">
                {trial.isRunning && 'Asking… '}
                {trial.spentUsd > 0 && `${usd(trial.spentUsd)} spent. `}
                {!trial.isRunning && trial.ended}
              </span>
            </div>
            <WhatShows
              id="what-shows"
              projectId={projectId}
              metrics={metrics}
              n={examples.length}
              variants={variants.length}
            />
            {problem && <ErrorNote error={problem} />}
          </div>
        </div>
        <div ref={results}>
          {trial.examples.length > 0 && (
            <Results
              trial={trial}
              variants={shown}
              metrics={metrics}
              columns={{ gridTemplateColumns: `repeat(${shown.length}, minmax(300px, 1fr))` }}
            />
          )}
        </div>
      </div>
      {saving !== undefined && (
        <SaveDialog
          projectId={projectId}
          variant={variants.find(({ key }) => key === saving)!}
          otherSystemId={systemIds.at(-1)}
          systems={systems}
          onSaved={setVariant}
          onClose={() => setSaving(undefined)}
        />
      )}
      {isRunningAll && (
        <RunDialog
          projectId={projectId}
          versions={saved.map((variant) => ({ id: variant.versionId!, name: titleOf(variant) }))}
          {...(bench.testsetId && { testsetId: bench.testsetId })}
          {...(metrics.length > 0 && { metricIds: metrics.map(({ id }) => id) })}
          onClose={() => setRunningAll(false)}
        />
      )}
    </Page>
  );
};
