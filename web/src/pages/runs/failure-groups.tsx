import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { type Answer, allOf, api, apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { emptyForm, type MetricForm } from '../../resources/metrics/kinds.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import { AddToTestset } from '../../resources/records/add-to-testset.tsx';
import { oneLine } from '../../resources/records/one-line.ts';
import { useBulkWrites } from '../../resources/records/use-bulk-writes.ts';
import { usd } from '../../resources/rescoring/amounts.ts';
import { useMay } from '../../resources/session/me.ts';
import type { RecordDetail, Run } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { submitting } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { useDraft } from '../../ui/local-storage.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ErrorNote, TableSkeleton } from '../../ui/states.tsx';
import { sayError } from '../../ui/toast.tsx';

type Grouped = Answer<'groupFailures'>;
type Cluster = Grouped['clusters'][number];
type Props = { run: Run; projectId: string };

/** The groups of a run's failures. They are made when someone asks, since a model may name them. */
export const useFailureGroups = ({ id }: Run) => {
  const [isAsked, setAsked] = useState(false);
  const [embeddingModelName, setEmbeddingModel] = useState('');
  const query = useQuery({
    // Without the number of scores: a run that goes on must not pay for names again and again.
    queryKey: ['groupFailures', id, embeddingModelName],
    queryFn: () => api.groupFailures(id, { ...(embeddingModelName && { embeddingModelName }) }),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    ...query,
    ask: () => setAsked(true),
    isAsked: isAsked || query.data !== undefined,
    embeddingModelName,
    /** Groups again, by the embeddings of this model; by words if it is ''. */
    groupBy: (model: string) => {
      setAsked(true);
      setEmbeddingModel(model);
    },
  };
};

/** How the groups were made, and what they leave out. */
const basisText = (grouped: Grouped): string => {
  const { basis, namedBy, embeddingModelName, costUsd, others, numFailures, numGrouped, error } = grouped;
  const by = basis === 'reasoning' ? 'what their scores say' : 'their inputs and outputs';
  const how = embeddingModelName === null ? `the words of ${by}` : `embeddings of ${by}`;
  const cost = costUsd === null ? '' : ` for ${usd(costUsd)}`;
  return [
    `Grouped by ${how}${namedBy === null ? '' : `, named by ${namedBy}${cost}`}.`,
    others.length > 0 && `${countOf(others.length, 'failure')} fit no group.`,
    numGrouped < numFailures && `Only the newest ${numGrouped} of ${numFailures} failures are grouped.`,
    error && `Groups are named by their words: ${error}.`,
    'The intervals do not include the uncertainty of the groups.',
  ]
    .filter(Boolean)
    .join(' ');
};

/** The failures of a run in named groups, each with its share of the failures and examples. */
export const FailureGroups = ({
  run,
  projectId,
  groups,
}: Props & { groups: ReturnType<typeof useFailureGroups> }) => {
  const { data, error } = groups;
  const may = useMay();
  return (
    <div className="mb-4">
      {error && (
        <ErrorNote error={error} action={<Button onClick={() => groups.refetch()}>Try again</Button>} />
      )}
      {!data && !error && <TableSkeleton rows={3} />}
      {data?.clusters.length === 0 && (
        <p className="text-soft">
          No groups: these failures are all alike in their words, or no three of them are.
        </p>
      )}
      {data && data.clusters.length > 0 && (
        <ul aria-label="Groups of failures" className="divide-y divide-line border-y">
          {data.clusters.map((cluster) => (
            <GroupRow key={cluster.recordIds[0]} {...{ run, projectId, cluster }} />
          ))}
        </ul>
      )}
      {data && <p className="mt-2 text-sm text-soft">{basisText(data)}</p>}
      {may.write && (data || error) && <GroupBy groups={groups} />}
    </div>
  );
};

/** One group: its name, its share and its typical records. On a phone they stand below each other. */
const GroupRow = ({ run, projectId, cluster }: Props & { cluster: Cluster }) => {
  const { name, words, share, recordIds } = cluster;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 py-2 md:grid-cols-[minmax(0,18rem)_auto_minmax(0,1fr)_auto]">
      <div>
        <bdi className="block font-medium break-words" title={words.join(', ')}>
          {name}
        </bdi>
        <span className="text-sm text-soft">{countOf(recordIds.length, 'record')}</span>
      </div>
      <div className="max-md:order-1 max-md:col-span-2">
        <Interval of={share} />
        <span className="block text-sm text-soft max-md:ml-2 max-md:inline">of the failures</span>
      </div>
      <div className="max-md:order-1 max-md:col-span-2">
        <Example projectId={projectId} recordId={recordIds[0]!} />
        <span className="flex gap-2 text-sm">
          {recordIds.slice(1, 4).map((id) => (
            <TextLink key={id} {...paths.record(projectId, id)} className="font-mono">
              {id}
            </TextLink>
          ))}
        </span>
      </div>
      <Uses {...{ run, projectId, cluster }} />
    </li>
  );
};

/** Groups the same failures by embeddings, which find the same fault in other words. */
const GroupBy = ({ groups }: { groups: ReturnType<typeof useFailureGroups> }) => {
  const [model, setModel] = useState(groups.embeddingModelName);
  const isChanged = model.trim() !== groups.embeddingModelName;
  return (
    <form
      onSubmit={submitting(() => groups.groupBy(model.trim()))}
      className="mt-2 flex flex-wrap items-end gap-2"
    >
      <div className="w-72 max-w-full">
        <ModelInput
          kind="embeddings"
          label="Group by a model of embeddings"
          placeholder="Empty: by words"
          value={model}
          onChange={setModel}
        />
      </div>
      <Button type="submit" disabled={!isChanged || groups.isFetching}>
        {groups.isFetching ? 'Grouping…' : 'Group again'}
      </Button>
    </form>
  );
};

const Example = ({ projectId, recordId }: { projectId: string; recordId: string }) => {
  const { data } = useQuery(apiQuery('getRecord', recordId));
  return (
    <Link
      {...paths.record(projectId, recordId)}
      className="block h-5 max-w-3xl truncate text-accent underline"
    >
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
