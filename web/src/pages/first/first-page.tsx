import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { FirstRecord } from '../../resources/projects/first-record.tsx';
import type { Case } from '../../resources/proposals/propose.ts';
import { ConnectModel } from '../../resources/providers/connect-model.tsx';
import { isCallable, type SystemChoice, SystemFields } from '../../resources/runs/system-choice.tsx';
import { Button } from '../../ui/button.tsx';
import type { Write } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { useDraft } from '../../ui/local-storage.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';
import { Value } from '../../ui/value.tsx';
import { Proposals, useProposals } from './proposals.tsx';
import { FirstResult } from './result.tsx';
import { ChooseTestcases } from './testcases.tsx';
import { useAskedSystem, useFirstAnswer } from './use-asked-system.ts';
import { useFirstRun } from './use-first-run.ts';
import { useTestcases } from './use-testcases.ts';

const route = getRouteApi('/app/projects/$projectId/first');

const asked = [
  { by: 'answers', label: 'Answers that I have', hint: 'A table with questions and the answers to them.' },
  { by: 'prompt', label: 'A prompt', hint: 'Dokima asks a model with it.' },
  { by: 'endpoint', label: 'An endpoint', hint: 'Dokima calls your HTTP address.' },
  { by: 'code', label: 'My own code', hint: 'It sends the answers.' },
] as const;
export type Asked = (typeof asked)[number]['by'];

const Step = ({ n, title, children }: { n: number; title: string; children: ReactNode }) => (
  <section aria-label={title} className="mb-8">
    <h2 className="mb-3 flex items-center gap-2 font-semibold">
      <span
        aria-hidden
        className="inline-flex size-6 items-center justify-center rounded-full bg-sunken text-sm text-soft"
      >
        {n}
      </span>
      {title}
    </h2>
    <div className="md:pl-8">{children}</div>
  </section>
);

const ChooseAsked = ({ by: chosen, onChange }: { by: Asked; onChange: (by: Asked) => void }) => (
  <div role="radiogroup" aria-label="What is evaluated" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
    {asked.map(({ by, label, hint }) => (
      <label
        key={by}
        data-chosen={by === chosen || undefined}
        className="flex cursor-pointer items-baseline gap-2 rounded-md border p-3 hover:bg-hover data-chosen:border-accent data-chosen:bg-selected"
      >
        <input type="radio" name="asked" checked={by === chosen} onChange={() => onChange(by)} />
        <span>
          <span className="block font-medium">{label}</span>
          <span className="text-sm text-soft">{hint}</span>
        </span>
      </label>
    ))}
  </div>
);

/** The choices of the page. Code is proposed first: it costs nothing and needs no model. */
const useChoices = (projectId: string, given: Case | undefined, defaultModel: string | undefined) => {
  const proposals = useProposals(given);
  const [kept, keep] = useDraft<string[]>(`first ${projectId} metrics`);
  // A choice among other proposals, as for an earlier table, is none.
  const picked = kept?.every((id) => proposals?.some((proposal) => proposal.id === id)) ? kept : undefined;
  const best =
    proposals?.find(({ form }) => form.evalType === 'heuristic' && given!.fields.expected.length > 0) ??
    proposals?.find(({ form }) => form.evalType !== 'ai' || defaultModel);
  const chosen = new Set(picked ?? (best ? [best.id] : []));
  return {
    proposals,
    chosen,
    toggle: (id: string) => keep([...toggled(chosen, id)]),
    metrics: proposals?.filter(({ id }) => chosen.has(id)) ?? [],
  };
};

type AskedSystemProps = {
  system: SystemChoice;
  inputs: readonly string[];
  lacksModel: boolean;
  onChange: (change: Partial<SystemChoice>) => void;
};

const AskedSystem = ({ system, inputs, lacksModel, onChange }: AskedSystemProps) => (
  <Step n={2} title={system.kind === 'prompt' ? 'Your prompt' : 'Your endpoint'}>
    {system.kind === 'prompt' && lacksModel && (
      <div className="mb-3">
        <ConnectModel />
      </div>
    )}
    <SystemFields choice={system} inputs={inputs} onChange={onChange} />
  </Step>
);

type FirstAnswerProps = { answer: ReturnType<typeof useFirstAnswer>; canAsk: boolean };

/** Asks about the first testcase, so that the metrics can be tried on its answer. */
const FirstAnswer = ({ answer: { outputs, error, isAsking, start }, canAsk }: FirstAnswerProps) => (
  <div className="mb-3 flex flex-col gap-2">
    <div className="flex flex-wrap items-center gap-3">
      <Button disabled={!canAsk || isAsking} onClick={start}>
        <Play size={14} aria-hidden /> Try the first testcase
      </Button>
      <span className="text-sm text-soft">
        {isAsking ? 'Asking…' : 'The metrics are tried on its answer. Nothing is stored.'}
      </span>
    </div>
    {error && <ErrorNote error={error} />}
    {outputs &&
      Object.entries(outputs).map(([name, value]) => (
        <Value key={name} name={`outputs.${name}`} value={value} />
      ))}
  </div>
);

const useDefaultModel = () => {
  const { data } = useQuery(apiQuery('listJudgeModels'));
  return { defaultModel: data?.defaultModelName ?? undefined, lacksModel: data?.defaultModelName === null };
};

type WaysProps = { projectId: string; by: Exclude<Asked, 'code'> };

/** From the testcases to the result, for all that needs no code. */
const Ways = ({ projectId, by }: WaysProps) => {
  const { run: runId } = route.useSearch();
  const navigate = useNavigate();
  const isAnswered = by === 'answers';
  const testcases = useTestcases(projectId, isAnswered);
  const { row, numRows } = testcases;
  const inputs = row?.fields.inputs ?? [];
  const { defaultModel, lacksModel } = useDefaultModel();
  const { system, change } = useAskedSystem(
    projectId,
    by === 'endpoint' ? 'endpoint' : 'prompt',
    inputs,
    defaultModel,
  );
  const answer = useFirstAnswer(projectId, system, row);
  const given = isAnswered ? row : answer.given;
  const { proposals, chosen, toggle, metrics } = useChoices(projectId, given, defaultModel);
  const start = useFirstRun({ projectId, by, testcases, system, metrics }, (id) =>
    navigate({ ...paths.first(projectId, id), replace: true }),
  );
  const { found, mapping } = testcases.source;
  const lacksAnswers = isAnswered && found && !mapping.some(({ role }) => role === 'outputs');
  const step = isAnswered ? 2 : 3;
  return (
    <>
      {!isAnswered && <AskedSystem {...{ system, inputs, lacksModel }} onChange={change} />}
      <Step n={step} title={isAnswered ? 'The answers' : 'Testcases'}>
        <ChooseTestcases {...{ projectId, testcases, isAnswered, lacksModel }} />
        {lacksAnswers && (
          <p role="alert" className="mt-2 text-warn">
            No column has the use Outputs: choose it for the column with the answers.
          </p>
        )}
      </Step>
      {given && !lacksAnswers && (
        <Step n={step + 1} title="Judged by">
          {!isAnswered && <FirstAnswer answer={answer} canAsk={isCallable(system)} />}
          <Proposals {...{ projectId, given, proposals, chosen, defaultModel }} onToggle={toggle} />
          <Start
            start={start}
            numRows={numRows}
            makes={`${testcases.way === 'testset' ? '' : 'a testset, '}${countOf(metrics.length, 'metric')}`}
            isReady={metrics.length > 0 && (isAnswered || isCallable(system))}
          />
        </Step>
      )}
      {runId && (
        <Step n={step + 2} title="Result">
          {/* A key: the result of the next attempt is scrolled to as well. */}
          <FirstResult key={runId} projectId={projectId} runId={runId} />
        </Step>
      )}
    </>
  );
};

type StartProps = { start: Write; numRows: number; makes: string; isReady: boolean };

const Start = ({ start, numRows, makes, isReady }: StartProps) => (
  <div className="mt-4 flex flex-col gap-3">
    {start.error && <ErrorNote error={start.error} />}
    <div className="flex flex-wrap items-center gap-3">
      <Button look="primary" disabled={start.isPending || !isReady} onClick={() => start.mutate()}>
        {start.isPending ? 'Starting…' : `Evaluate ${countOf(numRows, 'answer')}`}
      </Button>
      <span className="text-sm text-soft">Makes {makes} and a run in this project.</span>
    </div>
  </div>
);

/** One page from nothing to a first result: what is asked, about which testcases, judged by what, and the verdict. */
export const FirstPage = () => {
  const { projectId } = route.useParams();
  const [by = 'answers', setBy] = useDraft<Asked>(`first ${projectId} asked`);
  return (
    <Page title="Get your first result">
      <div className="max-w-5xl">
        <Step n={1} title="What do you want to evaluate?">
          <ChooseAsked by={by} onChange={setBy} />
        </Step>
        {by === 'code' ? (
          <Step n={2} title="Send a first answer">
            <FirstRecord projectId={projectId} />
            <p className="mt-3 text-soft">
              Then <TextLink {...paths.runs(projectId)}>Runs</TextLink> shows it, and{' '}
              <TextLink {...paths.newMetric(projectId)}>a metric</TextLink> scores it.
            </p>
          </Step>
        ) : (
          <Ways projectId={projectId} by={by} />
        )}
      </div>
    </Page>
  );
};
