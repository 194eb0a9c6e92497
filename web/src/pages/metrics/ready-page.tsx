import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { families } from '../../resources/metrics/families.ts';
import { bodyOf, evalTypes, type MetricForm, outputTypes } from '../../resources/metrics/kinds.ts';
import { useMay } from '../../resources/session/me.ts';
import type { MetricTemplate } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { FactList } from '../../ui/fact.tsx';
import { Input } from '../../ui/field.tsx';
import { useDraft } from '../../ui/local-storage.ts';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { useNewestCase } from './newest-case.ts';
import { Preview } from './preview.tsx';
import { costOf, needsOf, type Ready, readyOf } from './template-facts.ts';

const route = getRouteApi('/app/projects/$projectId/metrics/ready');

const textOf = ({ template: { group }, form }: Ready): string =>
  `${families[group]} ${evalTypes[form.evalType]} ${form.name} ${form.description}`.toLowerCase();

/** All ready metrics, by what they measure. One click opens one, tried on a record of the reader's own. */
export const ReadyMetricsPage = () => {
  const { projectId } = route.useParams();
  const given = useNewestCase(projectId);
  const templates = useQuery({ ...apiQuery('listMetricTemplates'), staleTime: Number.POSITIVE_INFINITY });
  const [text, setText] = useState('');
  const [open, setOpen] = useState<Ready>();
  const [areFit, setFit] = useState(false);
  const ready = templates.data?.data.map((template) => readyOf(template, given));
  const found = ready?.filter(
    (each) => (!areFit || each.isFit) && textOf(each).includes(text.trim().toLowerCase()),
  );
  return (
    <Page
      crumbs={<QuietLink {...paths.metrics(projectId)}>Metrics</QuietLink>}
      title="Ready metrics"
      toolbar={
        <>
          <div className="w-72">
            <Input
              label="Find a ready metric"
              hideLabel
              type="search"
              placeholder="Find, such as tone, JSON or retrieval"
              value={text}
              onChange={setText}
            />
          </div>
          {given && (
            <label className="flex items-center gap-2">
              <input type="checkbox" checked={areFit} onChange={() => setFit(!areFit)} /> Fits my records
            </label>
          )}
          <span className="text-sm text-soft" role="status">
            {found &&
              ready &&
              (text || areFit ? `${found.length} of ${ready.length}` : `${ready.length} metrics`)}
          </span>
        </>
      }
    >
      <Loaded
        query={{ ...templates, data: found }}
        lines={12}
        empty={<p>No ready metric has these words.</p>}
      >
        {(all) =>
          Object.entries(Object.groupBy(all, ({ template: { group } }) => group)).map(([group, those]) => (
            <Section key={group} title={families[group as MetricTemplate['group']]}>
              <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] gap-3">
                {those.map((each) => (
                  <Card key={each.template.id} ready={each} onOpen={() => setOpen(each)} />
                ))}
              </ul>
            </Section>
          ))
        }
      </Loaded>
      {open && <OpenMetric projectId={projectId} ready={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
};

type CardProps = { ready: Ready; onOpen: () => void };

const Card = ({ ready: { template, form, isFit }, onOpen }: CardProps) => (
  <li>
    <button
      type="button"
      onClick={onOpen}
      className="flex h-full w-full flex-col items-start gap-2 rounded-lg border bg-surface p-3 text-left hover:bg-hover"
    >
      <span className="flex w-full flex-wrap items-center gap-x-2">
        <span className="flex-1 font-medium">{form.name}</span>
        {isFit && <Badge tone="pass">Fits your records</Badge>}
      </span>
      <span className="text-soft">{form.description}</span>
      <span className="mt-auto flex flex-col text-sm text-soft">
        <span>
          {evalTypes[form.evalType]} · {outputTypes[form.outputType]}
        </span>
        <span>Needs: {needsOf(template) || 'any record'}</span>
        <span>Costs: {costOf(form)}</span>
      </span>
    </button>
  </li>
);

type OpenMetricProps = { projectId: string; ready: Ready; onClose: () => void };

/** A ready metric tried on a record: created as it is, or taken to the form. */
const OpenMetric = ({ projectId, ready: { template, form }, onClose }: OpenMetricProps) => {
  const { write } = useMay();
  const navigate = useNavigate();
  const [, setDraft] = useDraft<MetricForm>(`new metric ${projectId}`);
  const create = useMutation({
    mutationFn: () => api.createMetric(projectId, bodyOf(form)),
    meta: { refreshes: [keyOf('listMetrics', projectId)] },
    onSuccess: ({ id }) => navigate(paths.metric(projectId, id)),
  });
  const change = () => {
    setDraft(form);
    void navigate(paths.newMetric(projectId));
  };
  return (
    <Drawer
      open
      onClose={onClose}
      title={form.name}
      actions={
        write && (
          <>
            <Button onClick={change}>Change it first</Button>
            <Button look="primary" disabled={create.isPending} onClick={() => create.mutate()}>
              Create metric
            </Button>
          </>
        )
      }
    >
      {create.error && <ErrorNote error={create.error} />}
      <p className="mb-3">{form.description}</p>
      <FactList
        facts={[
          ['Scored by', evalTypes[form.evalType]],
          ['Score', outputTypes[form.outputType]],
          ['Needs', needsOf(template) || 'any record'],
          ['Costs, a record', costOf(form)],
        ]}
      />
      <div className="mt-6">
        <Preview projectId={projectId} form={form} />
        <Section
          title={form.evalType === 'heuristic' ? 'Code' : form.evalType === 'ai' ? 'Prompt' : 'Guidelines'}
        >
          <pre className="overflow-x-auto rounded-md border bg-sunken p-3 font-mono text-sm whitespace-pre-wrap">
            {form.evalType === 'ai' ? form.promptTemplate : form.guidelines}
          </pre>
        </Section>
      </div>
    </Drawer>
  );
};
