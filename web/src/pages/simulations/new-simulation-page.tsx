import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  cellsOf,
  costText,
  createDesign,
  userConfig,
  userSystem,
} from '../../../../client/src/simulation.ts';
import { upsertVersion } from '../../../../client/src/versions.ts';
import { api, keyOf } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { ChooseSystem, configOf } from '../../resources/runs/system-choice.tsx';
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
import { TryConversation } from './try-conversation.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/simulate');

/** The cost of a simulation, and what stores its parts that are new and starts it. */
type Ready = { cost: RunCostEstimate; start: () => Promise<Run> };

/** Starts a simulation: personas, scenarios, who plays the user, the system and the metrics. The cost is said before it starts. */
export const NewSimulationPage = () => {
  const { projectId } = route.useParams();
  const { like = '', replay = '', session = '' } = route.useSearch();
  const earlier = like || replay;
  const { form: beginning, run } = useBeginning(projectId, earlier, session);
  const [draft, setDraft] = useDraft<SimulationForm>(
    `new simulation ${projectId} ${like} ${replay}${session && ` session ${session}`}`,
  );
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
          sessionId={session}
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
  /** The session whose user is played; '' without one. */
  sessionId: string;
  form: SimulationForm;
  set: (change: Partial<SimulationForm>) => void;
  onStarted: () => void;
};

const designName = ({ personas, scenarios }: SimulationForm): string =>
  `Simulation: ${personas.map(({ name }) => name).join(', ')} × ${scenarios.map(({ name }) => name).join(', ')}`.slice(
    0,
    200,
  );

type Preparation = Omit<FieldsProps, 'onStarted' | 'set' | 'sessionId'> & {
  authorization: string;
  metrics: readonly Metric[];
};

/** Estimates the cost of the simulation. The testset, the system and the user are stored when it starts, if they are new. */
const usePrepare = ({ projectId, replayed, form, authorization, metrics }: Preparation) => {
  const { personas, scenarios, testsetId, userVersionId, maxTurns, metricIds } = form;
  const choice = { ...form.system, authorization };
  const { versionId, trials } = choice;
  return useMutation({
    mutationFn: async (): Promise<Ready> => {
      const user = replayed || userVersionId ? undefined : await userConfig(api, projectId, form.userModel);
      const simulation = replayed
        ? { replayOf: replayed.id }
        : { maxTurns, ...(userVersionId && { userVersionId }) };
      const body = {
        metricIds: metricIds.filter((id) => metrics.some((metric) => metric.id === id)),
        ...(!replayed && { trials }),
      };
      const cost = await api.estimateRun(projectId, {
        ...body,
        ...(testsetId ? { testsetId } : { testcases: cellsOf(personas, scenarios) }),
        ...(versionId ? { systemVersionId: versionId } : { systemConfig: await configOf(choice) }),
        simulation,
        ...(user && { userConfig: user }),
      });
      // A start that is refused has stored the testset already: the next attempt uses it.
      let stored = testsetId;
      const start = async () => {
        stored ||= await createDesign(api, projectId, designName(form), personas, scenarios);
        return api.createRun(projectId, {
          ...body,
          testsetId: stored,
          systemVersionId:
            versionId || (await upsertVersion(api, projectId, choice.name, await configOf(choice))).id,
          simulation: {
            ...simulation,
            ...(user && { userVersionId: (await upsertVersion(api, projectId, userSystem, user)).id }),
          },
          execute: true,
        });
      };
      return { cost, start };
    },
  });
};

const SimulationFields = ({ projectId, replayed, sessionId, form, set, onStarted }: FieldsProps) => {
  const [authorization, setAuthorization] = useState('');
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const navigate = useNavigate();
  const { personas, scenarios, system, metricIds } = form;
  const conversations = personas.length * scenarios.length * Math.max(1, system.trials);
  const prepare = usePrepare({ projectId, replayed, form, authorization, metrics });
  return (
    <>
      <form onSubmit={submitting(prepare.mutate)} className="max-w-5xl">
        {sessionId !== '' && <SessionNote projectId={projectId} sessionId={sessionId} />}
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
        {!replayed && (
          <TryConversation projectId={projectId} form={form} choice={{ ...system, authorization }} />
        )}
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

/** Says who is played, and that every word can be changed. */
const SessionNote = ({ projectId, sessionId }: { projectId: string; sessionId: string }) => (
  <p className="mb-4 text-soft">
    A model plays the user of session{' '}
    <TextLink {...paths.session(projectId, sessionId)}>{sessionId}</TextLink>. It begins with the same
    message, and reacts to what the system answers now. Their words are below: shorten or change them.
  </p>
);

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
const StartDialog = ({ projectId, ready: { cost, start }, onClose, onStarted }: StartProps) => {
  const write = useMutation({
    mutationFn: start,
    meta: {
      refreshes: (['listRunDetails', 'listTestsets', 'listSystems'] as const).map((name) =>
        keyOf(name, projectId),
      ),
    },
    onSuccess: onStarted,
  });
  return (
    <FormDialog open onClose={onClose} title="Start the simulation?" write={write} action="Start simulation">
      <p>{costText(cost)}</p>
      <p className="text-soft">Most conversations end earlier.</p>
    </FormDialog>
  );
};
