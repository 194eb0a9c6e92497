import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  costText,
  createDesign,
  designOf,
  type Persona,
  type Scenario,
  upsertUser,
} from '../../../../client/src/simulation.ts';
import { allOf, api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { ChooseSystem, configOf, noSystem, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import { upsertVersion, versionQuery } from '../../resources/systems/queries.ts';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { JsonObject, ListedRun, Run, RunCostEstimate } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { submitting } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { useDraft } from '../../ui/local-storage.ts';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';
import { PersonaRows, ScenarioRows } from './design-fields.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/simulate');

/** The draft of the form, without the authorization header: the browser must not store secrets. */
type SimulationForm = {
  personas: Persona[];
  scenarios: Scenario[];
  /** The testset of the personas and scenarios, until one of them changes. */
  testsetId: string;
  userModel: string;
  /** The version that plays the user, until its model changes. */
  userVersionId: string;
  maxTurns: number;
  system: Omit<SystemChoice, 'authorization'>;
  metricIds: readonly string[];
};

const fresh: SimulationForm = {
  personas: [{ name: '' }],
  scenarios: [{ name: '' }],
  testsetId: '',
  userModel: '',
  userVersionId: '',
  maxTurns: 10,
  system: noSystem,
  metricIds: [],
};

const listDesign = async (testsetId: string) => {
  const testcases = await allOf(api.listTestcases(testsetId));
  return designOf(testcases.map(({ jsonData }) => jsonData as JsonObject));
};

/** What the form begins with: the simulation `like`, or nothing. */
const useBeginning = (like: string): { form: SimulationForm | undefined; run: ListedRun | undefined } => {
  const { data: run } = useQuery({ ...apiQuery('getRunDetails', like), enabled: like !== '' });
  const testsetId = run?.testsetId ?? '';
  const { data: design } = useQuery({
    queryKey: ['design', testsetId],
    queryFn: () => listDesign(testsetId),
    enabled: testsetId !== '',
  });
  const userId = run?.simulation?.userVersionId ?? '';
  const user = useQuery({ ...versionQuery(userId), enabled: userId !== '' });
  if (like === '') return { form: fresh, run };
  if (!run || !design || (userId !== '' && !user.data)) return { form: undefined, run };
  const userModel = String((user.data?.config as JsonObject | undefined)?.modelName ?? '');
  const { systemVersionId, metricIds, simulation, numExpectedRecords } = run;
  const cells = Math.max(1, design.personas.length * design.scenarios.length);
  const trials = Math.max(1, Math.round((numExpectedRecords ?? 0) / cells));
  const system = { ...noSystem, versionId: systemVersionId ?? '', trials };
  return {
    form: {
      ...fresh,
      ...design,
      testsetId,
      userModel,
      userVersionId: userId,
      maxTurns: simulation?.maxTurns ?? 10,
      system,
      metricIds,
    },
    run,
  };
};

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

const SimulationFields = ({ projectId, replayed, form, set, onStarted }: FieldsProps) => {
  const [authorization, setAuthorization] = useState('');
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const navigate = useNavigate();
  const { personas, scenarios, system, metricIds } = form;
  const conversations = personas.length * scenarios.length * Math.max(1, system.trials);
  const prepare = useMutation({
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
          <div className="flex flex-col gap-1">
            {metrics.map(({ id, name }) => (
              <label key={id} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  checked={metricIds.includes(id)}
                  onChange={() => set({ metricIds: [...toggled(new Set(metricIds), id)] })}
                />
                <bdi>{name}</bdi>
              </label>
            ))}
          </div>
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

const designName = ({ personas, scenarios }: SimulationForm): string =>
  `Simulation: ${personas.map(({ name }) => name).join(', ')} × ${scenarios.map(({ name }) => name).join(', ')}`.slice(
    0,
    200,
  );

const DesignSections = ({ projectId, form, set }: Pick<FieldsProps, 'projectId' | 'form' | 'set'>) => {
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const designs = testsets.filter(({ fieldMapping: { inputs } }) =>
    ['persona', 'scenario'].every((field) => inputs.includes(field)),
  );
  const load = useMutation({
    mutationFn: async (testsetId: string) => ({ testsetId, ...(await listDesign(testsetId)) }),
    onSuccess: (design) => set(design),
  });
  return (
    <>
      {designs.length > 0 && (
        <div className="mb-4 max-w-96">
          <Select
            label="Personas and scenarios of"
            value={form.testsetId}
            onChange={(id) => (id ? load.mutate(id) : set({ ...fresh, system: form.system }))}
            options={[
              { value: '', label: 'A new simulation' },
              ...designs.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          {load.error && <ErrorNote error={load.error} />}
        </div>
      )}
      <Section title="Personas">
        <PersonaRows items={form.personas} onChange={(personas) => set({ personas, testsetId: '' })} />
      </Section>
      <Section title="Scenarios">
        <ScenarioRows items={form.scenarios} onChange={(scenarios) => set({ scenarios, testsetId: '' })} />
      </Section>
      <Section title="User">
        <div className="grid gap-3 sm:grid-cols-2">
          <Input
            label="Model that plays the user"
            required
            placeholder="gpt-4o-mini"
            value={form.userModel}
            onChange={(userModel) => set({ userModel, userVersionId: '' })}
            hint="It plays by the production prompt of the system “Simulated user”, which the first start creates."
          />
          <Input
            label="Maximum replies of the system"
            type="number"
            min={1}
            max={50}
            required
            value={form.maxTurns}
            onChange={(turns) => set({ maxTurns: Number(turns) })}
            hint="A conversation ends earlier when the user has reached the goal, or gives up."
          />
        </div>
      </Section>
    </>
  );
};
