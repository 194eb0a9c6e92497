import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Answer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { headlineOf } from '../../resources/runs/headline.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, usdText } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';

type News = Answer<'getProjectNews'>;
type Item = { key: string; to: LinkProps; text: ReactNode; more?: ReactNode };

/** Lines that are shown at first. */
const fewItems = 6;

const namesOf = (compared: NonNullable<News['runs'][number]['compared']>, verdict: 'better' | 'worse') =>
  compared.filter((each) => each.verdict === verdict).map(({ metricName }) => metricName);

/** How far the judges of these metrics can be trusted, each sentence once. */
const judgesOf = (metrics: readonly { judge: string | null }[]): string[] =>
  [...new Set(metrics.flatMap(({ judge }) => judge ?? []))].map((trust) => `judge: ${trust}`);

const ofRun = (
  projectId: string,
  { runId, title, numRecords, baselineRunId, compared }: News['runs'][number],
): Item => {
  const key = `run ${runId}`;
  const shown = compared?.filter(({ difference }) => difference !== null);
  if (!shown || baselineRunId === null) {
    const then = baselineRunId === null ? 'the first of its testset' : `after run ${baselineRunId}`;
    const to =
      baselineRunId === null ? paths.run(projectId, runId) : paths.compare(projectId, [baselineRunId, runId]);
    return { key, to, text: `New: ${title}`, more: `${countOf(numRecords, 'record')}, ${then}` };
  }
  const [better, worse] = [namesOf(shown, 'better'), namesOf(shown, 'worse')];
  return {
    key,
    to: paths.compare(projectId, [baselineRunId, runId]),
    text: headlineOf(
      { before: baselineRunId, after: runId },
      shown.map(({ verdict }) => verdict),
    ),
    more: [
      better.length > 0 && `Better: ${better.join(', ')}`,
      worse.length > 0 && `worse: ${worse.join(', ')}`,
      ...judgesOf(shown.filter(({ verdict }) => verdict === 'better' || verdict === 'worse')),
    ]
      .filter(Boolean)
      .join('; '),
  };
};

const changedFigures = {
  passRate: { text: percentText, name: (metric: string | null) => `The pass rate of ${metric} in traffic` },
  errors: { text: percentText, name: () => 'The share of traces with an error' },
  cost: { text: usdText, name: () => 'The cost of a trace' },
};

const points = (difference: number) => (100 * difference).toFixed(1);

const ofChange = (projectId: string, change: News['changes'][number]): Item => {
  const { of, metricName, before, after, interval, numAfter, judge } = change;
  const { text, name } = changedFigures[of];
  const range =
    of === 'cost'
      ? `${usdText(Math.abs(interval.low))} to ${usdText(Math.abs(interval.high))}`
      : `${points(interval.low)} to ${points(interval.high)} points`;
  return {
    key: `change ${of} ${metricName}`,
    to: paths.dashboard(projectId),
    text: `${name(metricName)} ${after > before ? 'rose' : 'fell'} from ${text(before)} to ${text(after)}.`,
    more: `A difference of ${range}, against the 6 days before; ${countOf(numAfter, 'record')} since.${judge === null ? '' : ` Judge: ${judge}.`}`,
  };
};

/** All that is new, the decided first. */
const itemsOf = (projectId: string, { runs, changes, alerts, monitors, labels }: News): Item[] => [
  ...alerts.map(({ alertId, alertName, title, path, at }) => ({
    key: `alert ${alertId} ${at}`,
    to: path === null ? paths.checks(projectId, 'alerts') : ({ to: path } as LinkProps),
    text: title,
    more: `Alert ${alertName}`,
  })),
  ...runs.map((run) => ofRun(projectId, run)),
  ...changes.map((change) => ofChange(projectId, change)),
  ...monitors.map(({ monitorId, monitorName, metricId, metricName, unit, numFailed, numScored, judge }) => ({
    key: `monitor ${monitorId} ${metricId}`,
    to: paths.monitor(projectId, monitorId),
    text: `${metricName}: ${numFailed} of ${countOf(numScored, unit)} did not pass.`,
    more: [`Monitor ${monitorName}`, ...judgesOf([{ judge }])].join('; '),
  })),
  ...labels.map(({ userId, userName, metricId, metricName, numRecords }) => ({
    key: `labels ${userId} ${metricId}`,
    to: paths.metric(projectId, metricId),
    text: `${userName} scored ${countOf(numRecords, 'record')} by ${metricName}.`,
  })),
];

/** What happened since yesterday, a sentence with a link each. */
export const NewsList = ({ projectId, news }: { projectId: string; news: News }) => {
  const [isWhole, setWhole] = useState(false);
  const items = itemsOf(projectId, news);
  if (items.length === 0) return <p className="text-soft">Nothing new.</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {(isWhole ? items : items.slice(0, fewItems)).map(({ key, to, text, more }) => (
          <li key={key}>
            <Link {...to} className="block rounded-sm py-1.5 hover:bg-hover">
              <bdi className="block break-words">{text}</bdi>
              {more && <bdi className="block text-sm break-words text-soft">{more}</bdi>}
            </Link>
          </li>
        ))}
      </ul>
      {items.length > fewItems && !isWhole && (
        <Button look="quiet" className="mt-1 -ml-3" onClick={() => setWhole(true)}>
          Show all {items.length}
        </Button>
      )}
    </>
  );
};
