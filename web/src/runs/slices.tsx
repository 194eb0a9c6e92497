import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { formatFilter } from '../records/search.ts';
import { testsetQuery } from '../testsets/queries.ts';
import type { Run } from '../types.ts';
import { Select } from '../ui/field.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { slicesQuery, someRecordsQuery } from './queries.ts';
import { ShortPassRate } from './rate.tsx';

/** What a run can be sliced by: tags, the fields that its testset calls metadata and inputs, or those that its records have. */
const useSlicings = (run: Run): { value: string; label: string }[] => {
  const testset = useQuery({ ...testsetQuery(run.testsetId ?? ''), enabled: run.testsetId !== null });
  const some = useQuery({ ...someRecordsQuery(run.id), enabled: run.testsetId === null });
  const fields = (of: 'metadata' | 'inputs', names: readonly string[]) =>
    names.map((name) => ({ value: `${of}.${name}`, label: `${name} (${of})` }));
  const { inputs, metadata = [] } = testset.data?.fieldMapping ?? {};
  const seen = new Set(some.data?.flatMap((record) => Object.keys(record.inputs)));
  return [
    { value: 'tag', label: 'Tag' },
    ...fields('metadata', metadata),
    ...fields('inputs', inputs ?? [...seen]),
  ];
};

type SlicesProps = { run: Run; projectId: string; by: string; onBy: (by: string) => void };

/** The run by tag, or by a field of its testcases: where it does well, and where it does not. */
export const RunSlices = ({ run, projectId, by, onBy }: SlicesProps) => {
  const slicings = useSlicings(run);
  const options = slicings.some(({ value }) => value === by)
    ? slicings
    : [...slicings, { value: by, label: by }];
  const { data, error } = useQuery(slicesQuery(run, by));
  const groups = data?.breakdown?.groups ?? [];
  const metrics = data?.metrics ?? [];
  // Until the slices that were asked for are there, those before are shown as what they are.
  const shownBy = data?.breakdown?.by ?? by;
  const heading = shownBy === 'tag' ? 'Tag' : shownBy.slice(shownBy.indexOf('.') + 1);
  return (
    <Section
      title="Slices"
      actions={
        <div className="w-48">
          <Select
            label="Slice by"
            hideLabel
            options={options}
            value={by}
            onChange={(event) => onBy(event.target.value)}
          />
        </div>
      }
    >
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton lines={3} />}
      {data && groups.length === 0 && (
        <p className="text-soft">
          {shownBy === 'tag'
            ? 'No record of this run carries a tag. Tags are put on records in the table of records, or by a client.'
            : 'No record of this run has that field.'}
        </p>
      )}
      {groups.length > 0 && (
        <>
          <Table
            label="Slices"
            pinned
            head={[
              heading,
              'Records',
              ...metrics.map(({ metricConfigId, metricName }) => (
                <bdi key={metricConfigId} title={metricName} className="block max-w-36 truncate">
                  {metricName}
                </bdi>
              )),
            ]}
          >
            {groups.map((group) => (
              <Row key={group.value}>
                <Cell className="max-w-64 truncate">
                  {shownBy === 'tag' ? (
                    <Link
                      {...paths.records(projectId, {
                        q: `run:${run.id} ${formatFilter('tag', group.value)}`,
                      })}
                      className="text-accent underline"
                    >
                      <bdi>{group.value}</bdi>
                    </Link>
                  ) : (
                    <bdi title={group.value}>{group.value}</bdi>
                  )}
                </Cell>
                <Cell>{group.numRecords.toLocaleString('en')}</Cell>
                {metrics.map(({ metricConfigId }) => {
                  const metric = group.metrics.find((each) => each.metricConfigId === metricConfigId);
                  return (
                    <Cell key={metricConfigId}>{metric && <ShortPassRate rate={metric.passRate} />}</Cell>
                  );
                })}
              </Row>
            ))}
          </Table>
          <p className="mt-2 text-sm text-soft">
            With many slices some look odd by chance: these are no tests.
            {data?.breakdown &&
              data.breakdown.groupsLeftOut > 0 &&
              ` ${data.breakdown.groupsLeftOut} smaller slices are left out.`}
          </p>
        </>
      )}
    </Section>
  );
};
