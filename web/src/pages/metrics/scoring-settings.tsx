import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, issuesOf, keyOf } from '../../api.ts';
import { HeldAgainst } from '../../resources/judges/held-against.tsx';
import { changeSettings } from '../../resources/metrics/change-settings.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { ModelLines } from '../../resources/providers/model-lines.tsx';
import { useMay } from '../../resources/session/me.ts';
import type { Metric, MetricSettings } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { say } from '../../ui/toast.tsx';

const most = 9;
const numbers = Array.from({ length: most }, (_, i) => String(i + 1));

/** The settings of a metric, and what saves one as soon as it is chosen. */
const useSettings = (metricId: string, done: string) => {
  const queries = useQueryClient();
  const query = apiQuery('getMetricSettings', metricId);
  const settings = useQuery(query);
  const save = useMutation({
    mutationFn: (changes: Partial<MetricSettings>) => changeSettings(metricId, settings.data!, changes),
    meta: { refreshes: [keyOf('listMetricVersions', metricId)] },
    onSuccess: (stored) => {
      queries.setQueryData(query.queryKey, stored);
      say(done);
    },
  });
  return { data: settings.data, save, error: settings.error ?? save.error };
};

/** Takes the place of a field with its label. */
const Pending = () => <div className="h-12" />;

/** The models of a jury, one on each line, until they are saved. */
export type JuryDraft = { typed: string | undefined; setTyped: (text: string | undefined) => void };

const modelsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The models that judge beside the metric's own: as typed, else as saved. */
export const useJury = (metricId: string | undefined, typed: string | undefined): readonly string[] => {
  const { data } = useQuery({
    ...apiQuery('getMetricSettings', metricId ?? ''),
    enabled: metricId !== undefined,
  });
  return typed === undefined ? (data?.juryModelNames ?? []) : modelsOf(typed);
};

const JudgeSettings = ({ metricId, jury: { typed, setTyped } }: { metricId: string; jury: JuryDraft }) => {
  const may = useMay();
  const { data, save, error } = useSettings(metricId, 'Saved as a new configuration.');
  const models = typed ?? (data?.juryModelNames ?? []).join('\n');
  return (
    <Section title={<Term of="votes">Votes</Term>}>
      <p className="mb-2 text-soft">
        The score is the majority or the median of the votes. Every vote is kept, and every vote costs.
      </p>
      {error && <ErrorNote error={error} />}
      {!data && !error && <Pending />}
      {data && (
        <div className="w-48">
          <Select
            label="Judge samples"
            disabled={!may.write || save.isPending}
            value={String(data.judgeRepeats)}
            options={numbers.map((n) => ({ value: n, label: n }))}
            onChange={(value) => save.mutate({ judgeRepeats: Number(value) })}
          />
        </div>
      )}
      {data && (
        <form
          className="mt-3 flex flex-col items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate({ juryModelNames: modelsOf(models) }, { onSuccess: () => setTyped(undefined) });
          }}
        >
          <ModelLines
            label="Jury"
            hint="Further models that judge each record, one on each line. The score is the majority or the median; models of different makers share fewer errors."
            rows={2}
            disabled={!may.write || save.isPending}
            value={models}
            onChange={setTyped}
          />
          {typed !== undefined && (
            <Button type="submit" disabled={save.isPending}>
              Save the jury
            </Button>
          )}
        </form>
      )}
    </Section>
  );
};

/** The human metric by which a judge is calibrated and its rates are corrected. */
const TruthSettings = ({ projectId, metric }: { projectId: string; metric: Metric }) => {
  const may = useMay();
  const settings = useQuery(apiQuery('getMetricSettings', metric.id));
  const metrics = useQuery(metricsQuery(projectId));
  const error = settings.error ?? metrics.error;
  const people = metrics.data?.filter(({ evalType, spans }) => evalType === 'human' && !spans);
  return (
    <Section title="People">
      <p className="mb-2 text-soft">
        The scores of this human metric are the truth about the judge: it is calibrated, and its rates are
        corrected, by them.
      </p>
      {error && <ErrorNote error={error} />}
      {!(settings.data && people) && !error && <Pending />}
      {settings.data && people && (
        <HeldAgainst
          projectId={projectId}
          judge={metric}
          people={people}
          peopleMetricId={settings.data.peopleMetricId}
          disabled={!may.write}
        />
      )}
    </Section>
  );
};

const PeopleSettings = ({ metricId }: { metricId: string }) => {
  const may = useMay();
  const { data, save, error } = useSettings(metricId, 'Saved.');
  const issues = issuesOf(save.error);
  return (
    <Section title="Reviewers">
      <p className="mb-2 text-soft">
        Reviewers do not see each other’s scores. The score is pending until all of them have scored.
      </p>
      {error && !issues('/reviewRule') && !issues('/numReviewers') && <ErrorNote error={error} />}
      {!data && !error && <Pending />}
      {data && (
        <div className="grid max-w-md grid-cols-2 gap-4">
          <Select
            label="Reviewers per record"
            error={issues('/numReviewers')}
            disabled={!may.write || save.isPending}
            value={String(data.numReviewers)}
            options={numbers.map((n) => ({ value: n, label: n }))}
            onChange={(value) => save.mutate({ numReviewers: Number(value) })}
          />
          <Select
            label="Score that counts"
            error={issues('/reviewRule')}
            disabled={!may.write || save.isPending}
            value={data.reviewRule}
            options={[
              { value: 'latest', label: 'Latest' },
              { value: 'majority', label: 'Majority or median' },
            ]}
            onChange={(reviewRule) => save.mutate({ reviewRule })}
          />
        </div>
      )}
    </Section>
  );
};

type Props = { projectId: string; metric: Metric; jury: JuryDraft };

/** How many votes a judge gives and whose scores are its truth, or how many people review a record. */
export const ScoringSettings = ({ projectId, metric, jury }: Props) =>
  metric.evalType === 'human' ? (
    <PeopleSettings metricId={metric.id} />
  ) : (
    <>
      {metric.evalType === 'ai' && <JudgeSettings metricId={metric.id} jury={jury} />}
      {!metric.spans && <TruthSettings projectId={projectId} metric={metric} />}
    </>
  );
