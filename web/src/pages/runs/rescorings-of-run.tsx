import { useQuery } from '@tanstack/react-query';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { rescoringsQuery } from '../../resources/trials/queries.ts';
import { TrialsTable } from '../../resources/trials/trials-table.tsx';
import type { Rescoring, RunDetail } from '../../types.ts';
import { countOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';

const verdictOf = ({ changes, numProposals }: Rescoring): string =>
  `${changes.passToFail.toLocaleString('en')} pass → fail, ${changes.failToPass.toLocaleString('en')} fail → pass of ${countOf(numProposals, 'record')}`;

/** The rescorings of a run; nothing when it has none. */
export const RescoringsOfRun = ({ run, projectId }: { run: RunDetail; projectId: string }) => {
  const { data } = useQuery(rescoringsQuery(run.id));
  if (!data || data.data.length === 0) return null;
  return (
    <Section title="Rescorings">
      <TrialsTable
        label="Rescorings"
        rows={data.data.map((rescoring) => ({
          ...rescoring,
          key: `${rescoring.metricId} ${rescoring.number}`,
          link: (
            <TextLink {...paths.trial(projectId, rescoring.metricId, rescoring.number)}>
              {run.progress.metrics.find(({ metricId }) => metricId === rescoring.metricId)?.metricName ??
                `Metric ${rescoring.metricId}`}
            </TextLink>
          ),
          verdict: verdictOf(rescoring),
        }))}
      />
    </Section>
  );
};
