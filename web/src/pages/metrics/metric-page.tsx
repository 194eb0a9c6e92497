import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { bodyOf, emptyForm, formOf, type MetricForm } from '../../resources/metrics/kinds.ts';
import { ModelEndings } from '../../resources/metrics/model-endings.tsx';
import { metricQuery } from '../../resources/metrics/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Metric } from '../../types.ts';
import { Button, buttonClass, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { submitting } from '../../ui/form.tsx';
import { useKeys } from '../../ui/keys.ts';
import { deleteDraftsOf, useDraft } from '../../ui/local-storage.ts';
import { OutdatedNote, useDraftOf } from '../../ui/outdated.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { say } from '../../ui/toast.tsx';
import { GoodAnswer } from './good-answer.tsx';
import { NewestRate } from './latest-rate.tsx';
import { LiveAgreement } from './live-agreement.tsx';
import { MetricFields } from './metric-form.tsx';
import { MetricHistory } from './metric-history.tsx';
import { Preview } from './preview.tsx';
import { ScoringSettings, useJury } from './scoring-settings.tsx';

const route = getRouteApi('/app/projects/$projectId/metrics/$metricId');

const Crumb = ({ projectId }: { projectId: string }) => (
  <QuietLink {...paths.metrics(projectId)}>Metrics</QuietLink>
);

/** The editor, with a preview beside it. */
const Columns = ({ aside, children }: { aside: ReactNode; children: ReactNode }) => (
  <div className="grid items-start gap-x-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,480px)]">
    <div className="min-w-0 max-w-4xl">{children}</div>
    <div className="min-w-0 max-xl:mt-6 xl:sticky xl:top-0">{aside}</div>
  </div>
);

export const NewMetricPage = () => {
  const { projectId } = useParams({ from: '/app/projects/$projectId/metrics/new' });
  const [draft, setDraft] = useDraft<MetricForm>(`new metric ${projectId}`);
  const form = draft ?? emptyForm;
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => api.createMetric(projectId, bodyOf(form)),
    meta: { refreshes: [keyOf('listMetrics', projectId)] },
    onSuccess: async ({ id }) => {
      setDraft(undefined);
      await navigate(paths.metric(projectId, id));
    },
  });
  const element = useRef<HTMLFormElement>(null);
  const formId = useId();
  useKeys(
    'A metric',
    { 'mod+s': ['Create metric', () => element.current?.requestSubmit()] },
    !create.isPending,
  );
  return (
    <Page
      crumbs={<Crumb projectId={projectId} />}
      title="New metric"
      actions={
        <>
          {draft && <Button onClick={() => setDraft(undefined)}>Start over</Button>}
          <Button type="submit" form={formId} look="primary" disabled={create.isPending}>
            Create metric
          </Button>
        </>
      }
    >
      <GoodAnswer projectId={projectId} onPick={setDraft} />
      <Columns aside={<Preview projectId={projectId} form={form} />}>
        <form id={formId} ref={element} onSubmit={submitting(create.mutate)} className="flex flex-col gap-4">
          {create.error && <ErrorNote error={create.error} />}
          <MetricFields
            projectId={projectId}
            form={form}
            readOnly={false}
            error={create.error}
            onChange={setDraft}
          />
        </form>
      </Columns>
    </Page>
  );
};

export const MetricPage = () => {
  const { projectId, metricId } = route.useParams();
  const { data: metric } = useSuspenseQuery(metricQuery(metricId));
  return <MetricEditor key={metricId} projectId={projectId} metric={metric} />;
};

/** Stores the form of the metric. */
const useSave = (projectId: string, metric: Metric, form: MetricForm, onSaved: () => void) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.updateMetric(metric.id, bodyOf(form), { ifMatch: etagOf(metric) }),
    meta: {
      refreshes: [
        keyOf('listMetrics', projectId),
        keyOf('listMetricVersions', metric.id),
        keyOf('getMetric', metric.id),
      ],
    },
    onSuccess: (changed) => {
      queries.setQueryData(metricQuery(metric.id).queryKey, changed);
      onSaved();
      say('Saved. Existing runs keep their configuration.');
    },
  });
};

const MetricEditor = ({ projectId, metric }: { projectId: string; metric: Metric }) => {
  const may = useMay();
  const stored = formOf(metric);
  const [draft, setDraft, outdated] = useDraftOf<MetricForm>(`metric ${projectId} ${metric.id}`, stored);
  const [isDeleting, setDeleting] = useState(false);
  const [typedJury, setTypedJury] = useState<string>();
  const juryModelNames = useJury(metric.evalType === 'ai' ? metric.id : undefined, typedJury);
  const form = draft ?? stored;
  const isChanged = JSON.stringify(bodyOf(form)) !== JSON.stringify(bodyOf(stored));
  const save = useSave(projectId, metric, form, () => setDraft(undefined));
  useKeys('A metric', { 'mod+s': ['Save', () => isChanged && !outdated && save.mutate()] }, may.write);
  return (
    <Page
      crumbs={<Crumb projectId={projectId} />}
      title={metric.name}
      actions={
        <>
          {metric.evalType !== 'human' && !metric.spans && (
            <Link {...paths.judge(projectId, metric.id)} className={buttonClass()}>
              Judge quality
            </Link>
          )}
          {may.write && (
            <>
              <SaveDraft
                isChanged={isChanged}
                isBlocked={save.isPending || outdated !== undefined}
                onSave={() => save.mutate()}
                onDiscard={() => setDraft(undefined)}
              />
              <IconButton icon={Trash2} label="Delete metric" onClick={() => setDeleting(true)} />
            </>
          )}
        </>
      }
    >
      {metric.evalType === 'ai' && <ModelEndings projectId={projectId} metricId={metric.id} />}
      <NewestRate projectId={projectId} metricId={metric.id} />
      <Columns
        aside={
          may.write && (
            <Beside projectId={projectId} metric={metric} form={form} juryModelNames={juryModelNames} />
          )
        }
      >
        <div className="flex flex-col gap-4">
          {save.error && !outdated && <ErrorNote error={save.error} />}
          <OutdatedNote outdated={isChanged ? outdated : undefined} />
          <MetricFields
            projectId={projectId}
            form={form}
            readOnly={!may.write}
            error={save.error}
            onChange={setDraft}
          />
          <ScoringSettings
            projectId={projectId}
            metric={metric}
            jury={{ typed: typedJury, setTyped: setTypedJury }}
          />
          <MetricHistory metricId={metric.id} />
        </div>
      </Columns>
      {isDeleting && (
        <DeleteMetric projectId={projectId} metric={metric} onClose={() => setDeleting(false)} />
      )}
    </Page>
  );
};

type BesideProps = {
  projectId: string;
  metric: Metric;
  form: MetricForm;
  juryModelNames: readonly string[];
};

/** What the form would do: on the labels of people, and on a record. */
const Beside = ({ metric, juryModelNames, ...rest }: BesideProps) => (
  <>
    {metric.evalType === 'ai' && rest.form.evalType === 'ai' && !metric.spans && (
      <LiveAgreement {...rest} metric={metric} />
    )}
    <Preview {...rest} metricId={metric.id} juryModelNames={juryModelNames} />
  </>
);

type SaveDraftProps = {
  isChanged: boolean;
  isBlocked: boolean;
  onSave: () => void;
  onDiscard: () => void;
};

/** Saves the draft of the metric, or discards it. */
const SaveDraft = ({ isChanged, isBlocked, onSave, onDiscard }: SaveDraftProps) => (
  <>
    {isChanged && <span className="text-soft">Unsaved draft, kept in this browser</span>}
    {isChanged && <Button onClick={onDiscard}>Discard</Button>}
    <Button look="primary" disabled={!isChanged || isBlocked} onClick={onSave}>
      Save
    </Button>
  </>
);

type DeleteMetricProps = { projectId: string; metric: Metric; onClose: () => void };

const DeleteMetric = ({ projectId, metric, onClose }: DeleteMetricProps) => {
  const navigate = useNavigate();
  return (
    <Confirm
      onClose={onClose}
      title={`Delete ${metric.name}?`}
      action="Delete metric"
      send={() => api.deleteMetric(metric.id)}
      meta={{ refreshes: [keyOf('listMetrics', projectId)] }}
      onDone={() => {
        deleteDraftsOf(projectId, metric.id);
        return navigate(paths.metrics(projectId));
      }}
    >
      New runs can’t use it. Existing scores stay.
    </Confirm>
  );
};
