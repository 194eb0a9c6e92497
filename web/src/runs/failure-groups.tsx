import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { type Answer, allOf, api, apiQuery } from '../api.ts';
import { TextLink } from '../links.tsx';
import { emptyForm, type MetricForm } from '../metrics/kinds.ts';
import { paths } from '../paths.ts';
import { AddToTestset } from '../records/add-to-testset.tsx';
import { oneLine } from '../records/one-line.ts';
import { useBulkWrites } from '../records/use-bulk-writes.ts';
import { usd } from '../rescoring/amounts.ts';
import { useMay } from '../session/me.ts';
import type { RecordDetail, Run } from '../types.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { countOf } from '../ui/format.ts';
import { Interval } from '../ui/interval.tsx';
import { useDraft } from '../ui/local-storage.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { ErrorNote, TableSkeleton } from '../ui/states.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { sayError } from '../ui/toast.tsx';

type Grouped = Answer<'groupFailures'>;
type Cluster = Grouped['clusters'][number];
type Props = { run: Run; projectId: string };

/** The groups of a run's failures. They are made when someone asks, since a model may name them. */
export const useFailureGroups = ({ id }: Run) => {
  const [isAsked, setAsked] = useState(false);
  const query = useQuery({
    // Without the number of scores: a run that goes on must not pay for names again and again.
    queryKey: ['groupFailures', id],
    queryFn: () => api.groupFailures(id, {}),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { ...query, ask: () => setAsked(true), isAsked: isAsked || query.data !== undefined };
};

const basisText = ({ basis, namedBy, embeddingModel, costUsd }: Grouped): string => {
  const by = basis === 'reasoning' ? 'what their scores say' : 'their inputs and outputs';
  const how = embeddingModel === null ? `the words of ${by}` : `embeddings of ${by}`;
  const cost = costUsd === null ? '' : ` for ${usd(costUsd)}`;
  return `Grouped by ${how}${namedBy === null ? '' : `, named by ${namedBy}${cost}`}.`;
};

/** The failures of a run in named groups, each with its share of the failures and examples. */
export const FailureGroups = ({
  run,
  projectId,
  groups,
}: Props & { groups: ReturnType<typeof useFailureGroups> }) => {
  const { data, error } = groups;
  if (error) return <ErrorNote error={error} />;
  if (!data) return <TableSkeleton rows={3} />;
  const { clusters, others, numFailures, numGrouped, problem } = data;
  return (
    <div className="mb-4">
      <Table
        label="Groups of failures"
        pinned
        head={['Group', 'Share of the failures', 'Typical record', '']}
      >
        {clusters.map((cluster) => (
          <Row key={cluster.recordIds[0]}>
            <Cell className="max-w-72">
              <bdi className="block truncate font-medium" title={cluster.words.join(', ')}>
                {cluster.name}
              </bdi>
              <span className="text-sm text-soft">{countOf(cluster.recordIds.length, 'record')}</span>
            </Cell>
            <Cell>
              <Interval of={cluster.share} />
            </Cell>
            <Cell className="max-w-96">
              <Example projectId={projectId} recordId={cluster.recordIds[0]!} />
              <span className="flex gap-2 text-sm">
                {cluster.recordIds.slice(1, 4).map((id) => (
                  <TextLink key={id} {...paths.record(projectId, id)} className="font-mono">
                    {id}
                  </TextLink>
                ))}
              </span>
            </Cell>
            <Cell className="w-10">
              <Uses {...{ run, projectId, cluster }} />
            </Cell>
          </Row>
        ))}
      </Table>
      <p className="mt-2 text-sm text-soft">
        {basisText(data)}
        {others.length > 0 && ` ${countOf(others.length, 'failure')} fit no group.`}
        {numGrouped < numFailures && ` Only the newest ${numGrouped} of ${numFailures} failures are grouped.`}
        {problem !== null && ` A model could not be asked: ${problem}.`} The intervals take the groups as
        given.
      </p>
    </div>
  );
};

const Example = ({ projectId, recordId }: { projectId: string; recordId: string }) => {
  const { data } = useQuery(apiQuery('getRecord', recordId));
  return (
    <Link {...paths.record(projectId, recordId)} className="block h-5 truncate text-accent underline">
      <bdi>{data ? oneLine(data.inputs) || recordId : recordId}</bdi>
    </Link>
  );
};

/** Makes something of a group: a tag to slice by, testcases, a metric. */
const Uses = ({ run, projectId, cluster }: Props & { cluster: Cluster }) => {
  const may = useMay();
  const writes = useBulkWrites();
  const navigate = useNavigate();
  const [, setMetric] = useDraft<MetricForm>(`new metric ${projectId}`);
  const [adding, setAdding] = useState<readonly RecordDetail[]>();
  const records = async (): Promise<RecordDetail[]> => {
    const wanted = new Set(cluster.recordIds);
    const failed = await allOf(
      api.listProjectRecords(projectId, { runId: run.id, result: 'fail' }),
      Number.POSITIVE_INFINITY,
    );
    return failed.filter(({ id }) => wanted.has(id));
  };
  // A tag has no comma, and at most 100 characters.
  const tag = cluster.name.replaceAll(',', '').slice(0, 100);
  const newMetric = () => {
    const guidelines = `Fail the output if it has this fault: ${cluster.name}.\nFailures with it had these words: ${cluster.words.join(', ')}.`;
    setMetric({ ...emptyForm, name: cluster.name.slice(0, 100), guidelines });
    return navigate(paths.newMetric(projectId));
  };
  if (!may.write) return null;
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={MoreHorizontal} label={`Use ${cluster.name}`} />}>
        <MenuItem onSelect={() => void records().then((found) => writes.tag(found, tag), sayError)}>
          Tag as a slice
        </MenuItem>
        <MenuItem onSelect={() => void records().then(setAdding, sayError)}>Add to a testset</MenuItem>
        {run.testsetId !== null && (
          <MenuItem
            onSelect={() =>
              void navigate(paths.drafts(projectId, run.testsetId!, cluster.recordIds.slice(0, 20)))
            }
          >
            Write testcases like these
          </MenuItem>
        )}
        <MenuItem onSelect={() => void newMetric()}>Make a metric</MenuItem>
      </Menu>
      {adding && <AddToTestset projectId={projectId} records={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
};

/** The button that asks for the groups. */
export const GroupButton = ({ groups }: { groups: ReturnType<typeof useFailureGroups> }) =>
  groups.isAsked ? null : <Button onClick={groups.ask}>Group failures</Button>;
