import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Shield } from '../../resources/judges/grade.tsx';
import { slicesQuery } from '../../resources/runs/queries.ts';
import { formatFilter } from '../../resources/search/search.ts';
import type { RunDetail, RunSummary } from '../../types.ts';
import { Select } from '../../ui/field.tsx';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';

/** The fields that a run can be sliced by: its tags, the metadata and inputs of its testset, or the inputs of its records. */
export const useSlicings = ({
  id,
  testset,
}: Pick<RunDetail, 'id' | 'testset'>): { value: string; label: string }[] => {
  const some = useQuery({
    ...apiQuery('listRecords', id, { limit: 20 }),
    staleTime: 60_000,
    enabled: testset === null,
  });
  const fields = (of: 'metadata' | 'inputs', names: readonly string[]) =>
    names.map((name) => ({ value: `${of}.${name}`, label: `${name} (${of})` }));
  const { inputs, metadata = [] } = testset?.fieldMapping ?? {};
  const seen = new Set(some.data?.data.flatMap((record) => Object.keys(record.inputs)));
  return [
    { value: 'tag', label: 'Tag' },
    ...fields('metadata', metadata),
    ...fields('inputs', inputs ?? [...seen]),
  ];
};

type SlicesProps = {
  run: RunDetail;
  projectId: string;
  by: string;
  weights: string | undefined;
  onBy: (by: string) => void;
};

/** The pass rates of the run by tag or by a field of its testcases. */
export const RunSlices = ({ run, projectId, by, weights, onBy }: SlicesProps) => {
  const slicings = useSlicings(run);
  const options = slicings.some(({ value }) => value === by)
    ? slicings
    : [...slicings, { value: by, label: by }];
  const { data, error } = useQuery(slicesQuery(run, by, weights));
  const groups = data?.breakdown?.groups ?? [];
  const metrics = data?.metrics ?? [];
  // The previous slices are shown under their own heading until the next ones are read.
  const shownBy = data?.breakdown?.by ?? by;
  return (
    <Section
      title={<Term of="slice">Slices</Term>}
      actions={
        <div className="w-48">
          <Select label="Slice by" hideLabel options={options} value={by} onChange={onBy} />
        </div>
      }
    >
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton lines={3} />}
      {data && groups.length === 0 && (
        <p className="text-soft">
          {shownBy === 'tag'
            ? 'No record of this run has a tag. Add tags in the records table or through the API.'
            : 'No record of this run has this field.'}
        </p>
      )}
      {groups.length > 0 && (
        <>
          <SliceTable run={run} projectId={projectId} by={shownBy} groups={groups} metrics={metrics} />
          <p className="mt-2 text-sm text-soft">
            A slice “differs” if its rate is shown to be unlike that of all other records, adjusted for the
            number of slices: of such slices about 5 % differ by chance. Treat other differences as hints.
            {data?.breakdown &&
              data.breakdown.numGroupsLeftOut > 0 &&
              ` ${data.breakdown.numGroupsLeftOut} smaller slices are left out.`}
          </p>
        </>
      )}
    </Section>
  );
};

type SliceTableProps = {
  run: RunDetail;
  projectId: string;
  by: string;
  groups: NonNullable<RunSummary['breakdown']>['groups'];
  metrics: readonly Pick<RunSummary['metrics'][number], 'metricConfigId' | 'metricName' | 'judge'>[];
};

type VersusRest = SliceTableProps['groups'][number]['metrics'][number]['versusRest'];

/** Whether a slice is shown to differ from all other records. */
const Differs = ({ from: { adjustedP, difference } }: { from: VersusRest }) =>
  adjustedP === null || adjustedP > 0.05 || difference === null ? null : (
    <span className="block text-sm font-medium whitespace-nowrap">
      {difference < 0 ? 'Differs: lower' : 'Differs: higher'}, p {adjustedP.toPrecision(2)}
    </span>
  );

/** A row for each slice and a column for each metric. */
const SliceTable = ({ run, projectId, by, groups, metrics }: SliceTableProps) => {
  const heading = by === 'tag' ? 'Tag' : by.slice(by.indexOf('.') + 1);
  return (
    <Table
      label="Slices"
      pinned
      head={[
        heading,
        'Records',
        ...metrics.map(({ metricConfigId, metricName, judge }) => (
          <span key={metricConfigId} className="flex max-w-40 items-center gap-1">
            <bdi title={metricName} className="truncate">
              {metricName}
            </bdi>
            <Shield judge={judge} />
          </span>
        )),
      ]}
    >
      {groups.map((group) => (
        <Row key={group.value}>
          <Cell className="max-w-64 truncate">
            {by === 'tag' ? (
              <TextLink
                {...paths.records(projectId, {
                  q: `run:${run.id} ${formatFilter('tag', group.value)}`,
                })}
              >
                <bdi>{group.value}</bdi>
              </TextLink>
            ) : (
              <bdi title={group.value}>{group.value}</bdi>
            )}
          </Cell>
          <Cell>{group.numRecords.toLocaleString('en')}</Cell>
          {metrics.map(({ metricConfigId }) => {
            const metric = group.metrics.find((each) => each.metricConfigId === metricConfigId);
            return (
              <Cell key={metricConfigId}>
                {metric && <Interval short of={metric.passRate} />}
                {metric && <Differs from={metric.versusRest} />}
              </Cell>
            );
          })}
        </Row>
      ))}
    </Table>
  );
};
