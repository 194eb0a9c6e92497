import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { FlaskConical, Link2, Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { MetricChoice } from '../../resources/metrics/metric-choice.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { draftOf, variablesOf } from '../../resources/systems/prompt-draft.ts';
import { RunDialog } from '../../resources/systems/run-dialog.tsx';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { JsonObject, Metric } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { useDraft } from '../../ui/local-storage.ts';
import { Page } from '../../ui/page.tsx';
import { sayError } from '../../ui/toast.tsx';
import { AskBar } from './ask-bar.tsx';
import { type Bench, readSetup, setupHash } from './bench.ts';
import { ChooseExamples, useExamples } from './choose-examples.tsx';
import { Results } from './results.tsx';
import { useNewVariant } from './use-new-variant.ts';
import { useTrial } from './use-trial.ts';
import { isSaved, mostVariants, titleOf, type Variant, variantOf } from './variant.ts';
import { Variants } from './variants.tsx';

const route = getRouteApi('/app/projects/$projectId/playground');

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

/**
 * The setup of the user, kept as a draft. It begins with the versions that the address names, or with the setup that someone shared,
 * beside the user's own.
 */
const useBench = (projectId: string, versions: string) => {
  const newOne = useNewVariant();
  const { hash } = useLocation();
  const shared = useMemo(() => readSetup(hash && `#${hash}`), [hash]);
  const [kept, keep] = useDraft<Bench>(`playground ${projectId} ${shared ? hash.slice(0, 200) : versions}`);
  const asked = useQuery({
    queryKey: ['playground', projectId, versions],
    queryFn: () => readVariants(projectId, versions.split(',').slice(0, mostVariants)),
    enabled: versions !== '' && kept === undefined && !shared,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const bench: Bench = kept ??
    shared ?? {
      variants: asked.data && asked.data.length > 0 ? asked.data : [newOne('first')],
      testsetId: '',
      n: '10',
      typed: {},
      metricIds: [],
      budget: '1',
    };
  return {
    bench,
    newOne,
    isKept: kept !== undefined,
    set: (change: Partial<Bench>) => keep({ ...bench, ...change }),
    startOver: () => keep(undefined),
  };
};

type RunAllProps = {
  projectId: string;
  variants: readonly Variant[];
  hasTestsets: boolean;
  testsetId: string;
  metricIds: readonly string[];
};

/** Runs the saved variants on a whole testset. */
const RunAll = ({ projectId, variants, hasTestsets, testsetId, metricIds }: RunAllProps) => {
  const [isOpen, setOpen] = useState(false);
  const areSaved = variants.every(isSaved);
  const hint = !areSaved ? 'Save every variant first.' : !hasTestsets ? 'Create a testset first.' : undefined;
  return (
    <>
      <Button disabled={hint !== undefined} title={hint} onClick={() => setOpen(true)}>
        <FlaskConical size={14} aria-hidden /> Run on the whole testset
      </Button>
      {isOpen && (
        <RunDialog
          projectId={projectId}
          versions={variants.map((variant) => ({ id: variant.versionId!, name: titleOf(variant) }))}
          {...(testsetId && { testsetId })}
          {...(metricIds.length > 0 && { metricIds })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};

/** Starts the trial of the variants, and shows its answers. */
const useAnswers = (
  trial: ReturnType<typeof useTrial>,
  { variants, budget }: Bench,
  examples: ReturnType<typeof useExamples>['examples'],
  metrics: readonly Metric[],
) => {
  // The answers belong to the variants that were asked.
  const [shown, setShown] = useState<readonly Variant[]>([]);
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The answers come below the prompts, mostly out of view.
    if (trial.isRunning) results.current?.scrollIntoView({ block: 'nearest' });
  }, [trial.isRunning]);
  const start = () => {
    setShown(variants);
    trial.start(variants, examples, metrics, budget === '' ? undefined : Number(budget));
  };
  return { shown, results, start };
};

/** Two to six variants of a prompt side by side, on the same examples, with their scores. Nothing is stored until a version is saved. */
export const PlaygroundPage = () => {
  const { projectId } = route.useParams();
  const { versions = '' } = route.useSearch();
  const { bench, newOne, isKept, set, startOver } = useBench(projectId, versions);
  const { variants, testsetId } = bench;
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const { data: allMetrics = [] } = useQuery(metricsQuery(projectId));
  const usable = allMetrics.filter(({ evalType }) => evalType !== 'human');
  const metrics = usable.filter(({ id }) => bench.metricIds.includes(id));
  const variables = [...new Set(variants.flatMap(({ draft }) => (draft ? variablesOf(draft) : [])))];
  const { examples, error } = useExamples(bench, variables);
  const trial = useTrial(projectId);
  const { shown, results, start } = useAnswers(trial, bench, examples, metrics);
  return (
    <Page
      title="Playground"
      actions={
        <>
          <ShareSetup bench={bench} />
          {isKept && !trial.isRunning && <Button onClick={startOver}>Start over</Button>}
          <Button
            disabled={variants.length >= mostVariants}
            onClick={() => set({ variants: [...variants, newOne()] })}
          >
            <Plus size={14} aria-hidden /> Add variant
          </Button>
          <RunAll
            projectId={projectId}
            variants={variants}
            testsetId={testsetId}
            hasTestsets={testsets.length > 0}
            metricIds={metrics.map(({ id }) => id)}
          />
        </>
      }
    >
      <div className="overflow-x-auto pb-2">
        <Variants
          projectId={projectId}
          variants={variants}
          inputs={testsets.find(({ id }) => id === testsetId)?.fieldMapping.inputs ?? []}
          onChange={(changed) => set({ variants: changed })}
        />
        <div className="sticky left-0 my-4 grid max-w-5xl items-start gap-x-6 gap-y-3 md:grid-cols-2">
          <ChooseExamples
            projectId={projectId}
            asked={bench}
            testsets={testsets}
            variables={variables}
            error={error}
            onChange={({ testsetId, n, typed }) => set({ testsetId, n, typed })}
          />
          <ChooseScoring projectId={projectId} metrics={usable} chosen={bench} onChange={set} />
          <AskBar
            projectId={projectId}
            trial={trial}
            variants={variants}
            metrics={metrics}
            testsetId={testsetId}
            examples={examples}
            onStart={start}
          />
        </div>
        <div ref={results}>
          {trial.examples.length > 0 && <Results trial={trial} variants={shown} metrics={metrics} />}
        </div>
      </div>
    </Page>
  );
};

/** Copies a link with the setup, for other members of the project. */
const ShareSetup = ({ bench }: { bench: Bench }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(window.location.href.replace(/#.*|$/, setupHash(bench)));
    setCopied(true);
  };
  return (
    <Button
      onClick={() => void copy().catch(sayError)}
      onBlur={() => setCopied(false)}
      title="The link has the variants, the examples and the metrics. Members of the project can open it."
    >
      <Link2 size={14} aria-hidden /> {isCopied ? 'Copied' : 'Copy link'}
    </Button>
  );
};

type ScoringChoice = Pick<Bench, 'metricIds' | 'budget'>;
type ChooseScoringProps = {
  projectId: string;
  metrics: readonly Metric[];
  chosen: ScoringChoice;
  onChange: (change: Partial<ScoringChoice>) => void;
};

/** Chooses the metrics of the answers, and the budget of the trial. */
const ChooseScoring = ({ projectId, metrics, chosen, onChange }: ChooseScoringProps) => (
  <div className="flex min-w-0 flex-col gap-2">
    <MetricChoice
      projectId={projectId}
      metrics={metrics}
      chosen={new Set(chosen.metricIds)}
      onChange={(ids) => onChange({ metricIds: [...ids] })}
    />
    <div className="max-w-60">
      <Input
        label="Budget, USD"
        type="number"
        min={0}
        step="any"
        placeholder="No limit"
        hint="No further call starts when it is used up."
        value={chosen.budget}
        onChange={(budget) => onChange({ budget })}
      />
    </div>
  </div>
);
