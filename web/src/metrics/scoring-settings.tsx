import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useMay } from '../session/who.ts';
import type { Metric, ReviewSettings } from '../types.ts';
import { Select } from '../ui/field.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';

const most = 9;
const numbers = Array.from({ length: most }, (_, i) => String(i + 1));

/** Reads settings and writes them as soon as something is chosen. */
const useSettings = <T extends object>(path: string, done: string) => {
  const queries = useQueryClient();
  const settings = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get<T>(path, {}, signal),
  });
  const save = useMutation({
    mutationFn: (changes: Partial<T>) => api.put<T>(path, { ...settings.data, ...changes }),
    onSuccess: (stored) => {
      queries.setQueryData([path], stored);
      say(done);
      const [, noun, id] = path.split('/');
      return queries.invalidateQueries({ queryKey: [`/${noun}/${id}/versions`] });
    },
  });
  return { data: settings.data, error: settings.error ?? save.error, save };
};

/** As tall as a field with its label. */
const Pending = () => <div className="h-12" />;

const JudgeSettings = ({ metricId }: { metricId: string }) => {
  const may = useMay();
  const { data, error, save } = useSettings<{ judgeRepeats: number }>(
    `/metrics/${metricId}/judge-settings`,
    'Saved as a new configuration.',
  );
  return (
    <Section title="Votes">
      <p className="mb-2 text-soft">
        Asked several times, the majority or the median counts; every vote is kept, and costs.
      </p>
      {error && <ErrorNote error={error} />}
      {!data && !error && <Pending />}
      {data && (
        <div className="w-48">
          <Select
            label="The judge is asked"
            disabled={!may.write || save.isPending}
            value={String(data.judgeRepeats)}
            options={numbers.map((n) => ({ value: n, label: n === '1' ? 'once' : `${n} times` }))}
            onChange={(event) => save.mutate({ judgeRepeats: Number(event.target.value) })}
          />
        </div>
      )}
    </Section>
  );
};

const PeopleSettings = ({ metricId }: { metricId: string }) => {
  const may = useMay();
  const { data, error, save } = useSettings<ReviewSettings>(`/metrics/${metricId}/review-settings`, 'Saved.');
  return (
    <Section title="Reviewers">
      <p className="mb-2 text-soft">
        Each scores a record without sight of the others; the score is pending until all have.
      </p>
      {error && <ErrorNote error={error} />}
      {!data && !error && <Pending />}
      {data && (
        <div className="grid max-w-md grid-cols-2 gap-4">
          <Select
            label="People a record"
            disabled={!may.write || save.isPending}
            value={String(data.reviewers)}
            options={numbers.map((n) => ({ value: n, label: n }))}
            onChange={(event) => save.mutate({ reviewers: Number(event.target.value) })}
          />
          <Select
            label="What counts"
            disabled={!may.write || save.isPending}
            value={data.rule}
            options={[
              { value: 'latest', label: 'The latest' },
              { value: 'majority', label: 'Majority or median' },
            ]}
            onChange={(event) => save.mutate({ rule: event.target.value as ReviewSettings['rule'] })}
          />
        </div>
      )}
    </Section>
  );
};

/** How often a judge is asked, or how many people. */
export const ScoringSettings = ({ metric }: { metric: Metric }) => {
  if (metric.evalType === 'ai') return <JudgeSettings metricId={metric.id} />;
  return metric.evalType === 'human' ? <PeopleSettings metricId={metric.id} /> : null;
};
