import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import { evalTypes, formOf, type MetricForm, outputTypes } from '../../resources/metrics/kinds.ts';
import type { Metric, MetricTemplate } from '../../types.ts';
import { Input } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';

const asMetric = ({ metric }: MetricTemplate): Omit<Metric, 'id'> =>
  ({ guidelines: '', description: null, ...metric }) as Omit<Metric, 'id'>;

const families: Record<MetricTemplate['group'], string> = {
  quality: 'Quality of answers',
  grounding: 'Retrieval and grounding',
  conversation: 'Conversations',
  agents: 'Agents and their traces',
  safety: 'Safety',
  format: 'Format',
  text: 'Texts',
  people: 'People',
};

/** Metric templates to start from, by family. */
export const Gallery = ({ onPick }: { onPick: (form: MetricForm) => void }) => {
  const { data, error } = useQuery({
    ...apiQuery('listMetricTemplates'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [text, setText] = useState('');
  const found = data?.data.filter(({ metric, group }) =>
    `${group} ${metric.name} ${metric.description ?? ''}`.toLowerCase().includes(text.toLowerCase()),
  );
  return (
    <Section
      title="Or start from a template"
      actions={
        <div className="w-56">
          <Input
            label="Find a template"
            hideLabel
            type="search"
            placeholder="Find"
            value={text}
            onChange={setText}
          />
        </div>
      }
    >
      <p className="mb-2 text-sm text-soft">
        Every code template is tested on a record that passes and one that fails. For prompts, tests check
        what the judge is shown and how its verdict is read; a preview shows how well your model decides.
      </p>
      {error && <ErrorNote error={error} />}
      {/* As tall with few or none as with all: what is being written below stays where it is. */}
      <div className="h-80 overflow-auto">
        {!data && !error && <Skeleton lines={6} />}
        {Object.entries(Object.groupBy(found ?? [], ({ group }) => group)).map(([group, templates]) => (
          <section key={group} aria-label={families[group as MetricTemplate['group']]} className="mb-3">
            <h3 className="mb-1 text-sm font-medium text-soft">
              {families[group as MetricTemplate['group']]}
            </h3>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(240px,1fr))] gap-2">
              {templates.map((template) => {
                const { metric, id } = template;
                return (
                  <li key={id}>
                    <button
                      type="button"
                      onClick={() => onPick(formOf(asMetric(template)))}
                      className="flex h-full w-full flex-col items-start gap-1 rounded-md border bg-surface p-2 text-left hover:bg-hover"
                    >
                      <span className="flex w-full items-center gap-2">
                        <span className="flex-1 font-medium">{metric.name}</span>
                      </span>
                      <span className="line-clamp-3 text-sm text-soft">{metric.description}</span>
                      <span className="mt-auto text-xs text-soft">
                        {evalTypes[metric.evalType]} · {outputTypes[metric.outputType]}
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </section>
        ))}
      </div>
    </Section>
  );
};
