import type { ReactNode } from 'react';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { ChangedTestcase, RecordDetail } from '../../types.ts';
import { cellText } from '../../ui/csv.ts';
import { countText } from '../../ui/format.ts';
import type { Pair } from './pair.ts';

/** `projectId`: undefined where nothing leads into the project. */
type LossesProps = { projectId: string | undefined; pair: Pair; titleOf: (id: string) => string };

/** The testcases of a pair of runs that got worse, metric by metric, with the worst quoted. */
export const Losses = ({ projectId, pair, titleOf }: LossesProps) => {
  const worse = pair.metrics.filter(({ losses }) => losses > 0).toSorted((a, b) => b.losses - a.losses);
  if (worse.length === 0) return <p>No testcase got worse in {titleOf(pair.after)}, on any metric.</p>;
  return worse.map((metric) => (
    <div key={metric.metricId} className="mb-3">
      <h3 className="font-medium">
        <bdi>{metric.metricName}</bdi> in run {pair.after}: {countText(metric.losses)} of{' '}
        {countText(metric.n)} testcases got worse, {countText(metric.wins)} got better
      </h3>
      <WorstTestcases projectId={projectId} testcases={metric.worst ?? []} />
    </div>
  ));
};

type WorstProps = { projectId: string | undefined; testcases: readonly ChangedTestcase[] };

const WorstTestcases = ({ projectId, testcases }: WorstProps) => (
  <ul className="list-disc pl-4 text-sm">
    {testcases.flatMap(({ records }) => {
      const record = records?.after;
      return record
        ? [
            <li key={record.id} className="mb-1">
              {projectId === undefined ? (
                <span className="font-mono">{record.id}</span>
              ) : (
                <QuietLink {...paths.record(projectId, record.id)} className="font-mono">
                  {record.id}
                </QuietLink>
              )}{' '}
              <Quote name="Asked" of={record.inputs} />
              <Quote name="Expected" of={record.expected} />
              <Quote name="Answered" of={record.outputs} />
            </li>,
          ]
        : [];
    })}
  </ul>
);

const Quote = ({ name, of }: { name: string; of: RecordDetail['inputs'] }): ReactNode => {
  const text = Object.values(of).map(cellText).join(' · ');
  if (!text) return null;
  return (
    <span className="block break-words">
      <span className="text-soft">{name}:</span>{' '}
      <bdi>{text.length > 240 ? `${text.slice(0, 240)}…` : text}</bdi>
    </span>
  );
};
