import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { costText, createDesign, upsertUser } from '../../../../client/src/simulation.ts';
import { api, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { ChooseSystem, configOf } from '../../resources/runs/system-choice.tsx';
import { upsertVersion } from '../../resources/systems/queries.ts';
import type { ListedRun, Metric, Run, RunCostEstimate } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { submitting } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { useDraft } from '../../ui/local-storage.ts';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';
import { DesignSections } from './design-sections.tsx';
import { type SimulationForm, useBeginning } from './simulation-form.ts';

const route = getRouteApi('/app/projects/$projectId/runs/simulate');

type Ready = { body: Parameters<typeof api.createRun>[1]; cost: RunCostEstimate };

/** Starts a simulation: personas, scenarios, who plays the user, the system and the metrics. The cost is said before it starts. */
export const NewSimulationPage = () => {
  const { projectId } = route.useParams();
  const { like = '', replay = '' } = route.useSearch();
  const earlier = like || replay;
  const { form: beginning, run } = useBeginning(earlier);
  const [draft, setDraft] = useDraft<SimulationForm>(`new simulation ${projectId} ${like} ${replay}`);
  const form = draft ?? beginning;
  return (
    <Page
      crumbs={<QuietLink {...paths.runs(projectId)}>Runs</QuietLink>}
      title={replay ? 'Replay' : 'New simulation'}
      actions={draft && <Button onClick={() => setDraft(undefined)}>Start over</Button>}
    >
      {form ? (
        <SimulationFields
          projectId={projectId}
          replayed={replay ? run : undefined}
          form={form}
          set={(change) => setDraft({ ...form, ...change })}
          onStarted={() => setDraft(undefined)}
        />
      ) : (
        <Skeleton lines={12} />
      )}
    </Page>
  );
};

type FieldsProps = {
  projectId: string;
  /** The simulation whose user messages are sent again. */
  replayed: ListedRun | undefined;
  form: SimulationForm;
  set: (change: Partial<SimulationForm>) => void;
  onStarted: () => void;
};

const designName = ({ personas, scenarios }: SimulationForm): string =>
  `Simulation: ${personas.map(({ name }) => name).join(', ')} × ${scenarios.map(({ name }) => name).join(', ')}`.slice(
    0,
    200,
  );

type Preparation = Omit<FieldsProps, 'onStarted'> & {
  authorization: string;
  metrics: readonly Metric[];
};

/** Creates the testset, the system and the user of the simulation if they are new, and estimates its cost. */
const usePrepare = ({ projectId, replayed, form, set, authorization, metrics }: Preparation) => {
  const { personas, scenarios, system, metricIds } = form;
  return useMutation({
    mutationFn: async (): Promise<Ready> => {
      const choice = { ...system, authorization };
      const systemVersionId =
        choice.versionId || (await upsertVersion(projectId, choice.name, configOf(choice))).id;
      const testsetId =
        form.testsetId || (await createDesign(api, projectId, designName(form), personas, scenarios));
      // What was created is used again when someone reads the cost and changes their mind.
      set({ testsetId, system: { ...system, versionId: systemVersionId } });
      const simulation = replayed
        ? { replayOf: replayed.id }
        : {
            userVersionId: form.userVersionId || (await upsertUser(api, projectId, form.userModel)).id,
            maxTurns: form.maxTurns,
          };
      const known = metricIds.filter((id) => metrics.some((metric) => metric.id === id));
      const asked = {
        testsetId,
        systemVersionId,
        metricIds: known,
        simulation,
        ...(!replayed && { trials: system.trials }),
      };
      return { body: { ...asked, execute: true }, cost: await api.estimateRun(projectId, asked) };
    },
    meta: { refreshes: [keyOf('listTestsets', projectId), keyOf('listSystems', projectId)] },
  });
};

const SimulationFields = ({ projectId, replayed, form, set, onStarted }: FieldsProps) => {
  const [authorization, setAuthorization] = useState('');
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const navigate = useNavigate();
  const { personas, scenarios, system, metricIds } = form;
  const conversations = personas.length * scenarios.length * Math.max(1, system.trials);
  const prepare = usePrepare({ projectId, replayed, form, set, authorization, metrics });
  return (
    <>
      <form onSubmit={submitting(prepare.mutate)} className="max-w-5xl">
        {replayed ? (
          <p className="mb-4 text-soft">
            Sends the user’s messages of <bdi>{replayed.title}</bdi> again, word for word. No model plays the
            user, so both systems receive the same messages.
          </p>
        ) : (
          <DesignSections projectId={projectId} form={form} set={set} />
        )}
        <Section title="System">
          <ChooseSystem
            projectId={projectId}
            choice={{ ...system, authorization }}
            onChange={({ authorization: header, ...change }) =>
              header === undefined ? set({ system: { ...system, ...change } }) : setAuthorization(header)
            }
            inputs={[]}
            hasTrials={replayed !== undefined}
          />
          <p className="mt-2 text-sm text-soft">
            A prompt of one message becomes the system message. In a prompt of several messages, the
            conversation replaces the last one. An endpoint gets <code>messages</code>.
          </p>
        </Section>
        <Section title="Metrics">
          {metrics.length === 0 && <p className="text-soft">The project has no metric yet.</p>}
          <MetricBoxes
            metrics={metrics}
            chosen={metricIds}
            onToggle={(id) => set({ metricIds: [...toggled(new Set(metricIds), id)] })}
          />
        </Section>
        {prepare.error && <ErrorNote error={prepare.error} />}
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" disabled={prepare.isPending}>
            Estimate the cost
          </Button>
          <span className="text-sm text-soft">
            {!replayed && `${countOf(conversations, 'conversation')}. `}Nothing starts yet.
          </span>
        </div>
      </form>
      {prepare.data && (
        <StartDialog
          projectId={projectId}
          ready={prepare.data}
          onClose={prepare.reset}
          onStarted={async ({ id }) => {
            onStarted();
            await navigate(paths.run(projectId, id));
          }}
        />
      )}
    </>
  );
};

type MetricBoxesProps = {
  metrics: readonly Metric[];
  chosen: readonly string[];
  onToggle: (id: string) => void;
};

const MetricBoxes = ({ metrics, chosen, onToggle }: MetricBoxesProps) => (
  <div className="flex flex-col gap-1">
    {metrics.map(({ id, name }) => (
      <label key={id} className="flex items-center gap-2">
        <input type="checkbox" checked={chosen.includes(id)} onChange={() => onToggle(id)} />
        <bdi>{name}</bdi>
      </label>
    ))}
  </div>
);

type StartProps = {
  projectId: string;
  ready: Ready;
  onClose: () => void;
  onStarted: (run: Run) => Promise<void>;
};

/** Says what the simulation costs, and starts it. */
const StartDialog = ({ projectId, ready: { body, cost }, onClose, onStarted }: StartProps) => {
  const write = useMutation({
    mutationFn: () => api.createRun(projectId, body),
    meta: { refreshes: [keyOf('listRunDetails', projectId)] },
    onSuccess: onStarted,
  });
  return (
    <FormDialog open onClose={onClose} title="Start the simulation?" write={write} action="Start simulation">
      <p>{costText(cost)}</p>
      <p className="text-soft">Most conversations end earlier.</p>
    </FormDialog>
  );
};
