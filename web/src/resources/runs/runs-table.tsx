import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { snapshotText } from '../../../../client/src/snapshot-words.ts';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { ListedRun, RunDetail } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Estimate, Interval } from '../../ui/interval.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type Graded, Shield } from '../judges/grade.tsx';
import { metricsQuery } from '../metrics/queries.ts';
import { summaryQuery } from './queries.ts';
import { mayHaveErrors, RunStatus, recordsText, ScoreProgress } from './status.tsx';

/** The number of metrics with a column. The page of a run shows all of them. */
const maxColumns = 3;

/** Widths of the columns in pixels; the metrics share the rest. Fixed, so that no summary that arrives moves a column. */
const widths = { choose: 30, run: 276, status: 148, records: 76, scores: 92, more: 52 };

const noRate: Estimate = { estimate: null, interval: null, n: 0, reason: 'no record is scored' };

type Column = { id: string; name: string };

/** The metrics that a run began with, then those by which it was scored later, which only its rates name. */
const metricsOf = ({ metricIds }: ListedRun, rates: readonly RunRate[] = []): string[] => [
  ...new Set([...metricIds, ...rates.map(({ metricId }) => metricId)]),
];

/**
 * The metrics by which most of the runs have a rate, then those that most of the runs have, in the order of the newest run. Their names
 * are empty until they are read.
 */
const columnsOf = (
  idsOfRuns: readonly string[][],
  rates: readonly RunRate[],
  metrics: readonly Column[] | undefined,
): Column[] => {
  const uses = new Map<string, number>();
  for (const id of idsOfRuns.flat()) uses.set(id, (uses.get(id) ?? 0) + 1);
  const rated = (id: string): number =>
    rates.filter(({ metricId, passRate }) => metricId === id && passRate.estimate !== null).length;
  const known = [...uses.keys()].flatMap((id) =>
    metrics ? (metrics.find((metric) => metric.id === id) ?? []) : { id, name: '' },
  );
  const kept = known
    .toSorted((a, b) => rated(b.id) - rated(a.id) || uses.get(b.id)! - uses.get(a.id)!)
    .slice(0, maxColumns);
  return known.filter((metric) => kept.includes(metric));
};

/** A pass rate of a run by one of its metrics. */
export type RunRate = {
  metricId: string;
  metricName?: string;
  passRate: Estimate;
  judge?: Graded | null;
};

/** Returns the rates of a run; undefined while they are read. */
type RatesOf = (run: ListedRun) => readonly RunRate[] | undefined;

/** The rates in the summary of each run. They are not read if the page knows the rates. */
const useRates = (runs: readonly ListedRun[], known: RatesOf | undefined): RatesOf => {
  const summaries = useQueries({
    queries: known ? [] : runs.map((run) => ({ ...summaryQuery(run), placeholderData: keepPreviousData })),
  });
  return known ?? ((run) => summaries[runs.indexOf(run)]?.data?.metrics);
};

/** The names of the metrics. A page that knows the rates knows them; a metric without a rate then has no column. */
const useNames = (
  projectId: string,
  runs: readonly ListedRun[],
  known: RatesOf | undefined,
): readonly Column[] | undefined => {
  const { data } = useQuery({ ...metricsQuery(projectId), enabled: known === undefined });
  if (!known) return data;
  const rates = runs.map(known);
  return rates.includes(undefined)
    ? undefined
    : rates.flatMap((ofRun) =>
        ofRun!.map(({ metricId, metricName = '' }) => ({ id: metricId, name: metricName })),
      );
};

type RunsTableProps = {
  projectId: string;
  runs: readonly ListedRun[];
  /** The rates, if the page reads them; else the table reads the summary of each run. */
  rates?: RatesOf;
  /** The runs that are chosen for a comparison; without it, the table has no boxes to choose runs. */
  chosen?: ReadonlySet<string>;
  onChoose?: (runId: string) => void;
  onTag?: (tag: string) => void;
};

/** The name of a run, then when it started, what its notes say first, its tags and its marks. */
const RunName = ({
  projectId,
  run,
  onTag,
}: Pick<RunsTableProps, 'projectId' | 'onTag'> & { run: ListedRun }) => (
  <>
    <QuietLink {...paths.run(projectId, run.id)} className="block truncate leading-4 font-medium">
      <bdi title={run.title}>{run.title}</bdi>
    </QuietLink>
    <span className="flex min-w-0 items-center gap-1.5 text-sm whitespace-nowrap text-soft">
      {run.name !== null && <span>Run {run.id}</span>}
      <Time at={run.createdAt} />
      {snapshotText(run) !== undefined && <bdi>{snapshotText(run)}</bdi>}
      {run.marks.map((mark) => (
        <Badge key={mark} tone="accent" title={`Mark: ${mark}`}>
          <bdi className="truncate">{mark}</bdi>
        </Badge>
      ))}
      {run.tags.map((tag) =>
        onTag ? (
          <button
            key={tag}
            type="button"
            title={`Only runs with the tag ${tag}`}
            className="min-h-6 min-w-6 rounded-sm bg-sunken px-1.5 hover:text-ink"
            onClick={(event) => {
              event.stopPropagation();
              onTag(tag);
            }}
          >
            <bdi>{tag}</bdi>
          </button>
        ) : (
          <Badge key={tag}>
            <bdi>{tag}</bdi>
          </Badge>
        ),
      )}
      <bdi title={run.notesStart || (run.origin ?? '')} className="min-w-0 truncate">
        {run.notesStart || run.origin}
      </bdi>
    </span>
  </>
);

type RunRowProps = {
  projectId: string;
  run: ListedRun;
  /** Undefined while they are read. */
  rates: readonly RunRate[] | undefined;
  progress: RunDetail['progress'] | undefined;
  columns: readonly { id: string }[];
  /** The metrics that have no column; undefined if each has one. */
  numLeft: number | undefined;
  isChosen: boolean;
  onChoose: RunsTableProps['onChoose'];
  onTag: RunsTableProps['onTag'];
};

const RunRow = (props: RunRowProps) => {
  const { projectId, run, rates, progress, columns, numLeft, isChosen, onChoose, onTag } = props;
  const navigate = useNavigate();
  return (
    <Row onOpen={() => void navigate(paths.run(projectId, run.id))}>
      {onChoose && (
        <Cell onClick={(event) => event.stopPropagation()}>
          <input
            type="checkbox"
            aria-label={`Choose run ${run.id}`}
            checked={isChosen}
            onChange={() => onChoose(run.id)}
          />
        </Cell>
      )}
      <Cell className="overflow-hidden">
        <RunName projectId={projectId} run={run} {...(onTag && { onTag })} />
      </Cell>
      <Cell>
        <RunStatus short run={run} progress={progress} />
      </Cell>
      <Cell>{recordsText(run)}</Cell>
      <Cell>
        <ScoreProgress run={run} />
      </Cell>
      {columns.map(({ id }) => {
        // Of several configurations of a metric, the first is the one that the run started with.
        const found = rates?.find(({ metricId }) => metricId === id);
        const rate = found?.passRate;
        const isOwn = run.metricIds.includes(id);
        return (
          <Cell key={id}>
            {(rate || (rates && isOwn)) && (
              <span className="inline-flex items-center gap-1">
                <Interval short of={rate ?? noRate} />
                {rate && rate.estimate !== null && <Shield judge={found?.judge} />}
              </span>
            )}
            {!rates && isOwn && <div className="skeleton h-4 w-16" />}
          </Cell>
        );
      })}
      {numLeft !== undefined && <Cell className="text-soft">{numLeft > 0 && `+${numLeft}`}</Cell>}
    </Row>
  );
};

/** Runs with their status and their pass rates, newest first. */
export const RunsTable = ({ projectId, runs, rates, chosen, onChoose, onTag }: RunsTableProps) => {
  const metrics = useNames(projectId, runs, rates);
  const ratesOf = useRates(runs, rates);
  const details = useQueries({
    queries: runs.map((run) => ({ ...apiQuery('getRunDetails', run.id), enabled: mayHaveErrors(run) })),
  });
  const idsOfRuns = runs.map((run) => metricsOf(run, ratesOf(run)));
  const columns = columnsOf(
    idsOfRuns,
    runs.flatMap((run) => ratesOf(run) ?? []),
    metrics,
  );
  const hasMore = idsOfRuns.some((ids) => ids.length > columns.length) && columns.length > 0;
  const head = [
    ...(onChoose
      ? [
          <span key="choose" className="sr-only">
            Choose
          </span>,
        ]
      : []),
    'Run',
    'Status',
    'Records',
    'Scores',
    ...columns.map(({ id, name }) => (
      <bdi key={id} title={`Pass rate of ${name}`} className="block truncate">
        {name || '\u00a0'}
      </bdi>
    )),
    ...(hasMore ? ['More'] : []),
  ];
  return (
    <Table
      label="Runs"
      head={head}
      widths={[
        ...(onChoose ? [widths.choose] : []),
        // Without metrics the names take the width that is left.
        columns.length === 0 ? undefined : widths.run,
        widths.status,
        widths.records,
        widths.scores,
        ...columns.map(() => undefined),
        ...(hasMore ? [widths.more] : []),
      ]}
    >
      {runs.map((run, i) => {
        const found = ratesOf(run);
        const left = idsOfRuns[i]!.filter((id) => !columns.some((column) => column.id === id)).length;
        return (
          <RunRow
            key={run.id}
            projectId={projectId}
            run={run}
            rates={found}
            progress={details[i]?.data?.progress}
            columns={columns}
            numLeft={hasMore ? left : undefined}
            isChosen={chosen?.has(run.id) ?? false}
            onChoose={onChoose}
            onTag={onTag}
          />
        );
      })}
    </Table>
  );
};
