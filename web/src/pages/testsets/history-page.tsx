import { useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Camera, GitCompareArrows, Pencil, RotateCcw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { api, apiPages, apiQuery, asWritten, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay, useNames } from '../../resources/session/me.ts';
import type { Snapshot, TestcaseDifference } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm, FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const TextDiff = lazy(() => import('../../ui/text-diff.tsx'));
const route = getRouteApi('/app/projects/$projectId/testsets/$testsetId/history');

const titleOf = ({ number, name }: Pick<Snapshot, 'number' | 'name'>) =>
  name === '' ? `Snapshot ${number}` : name;

/** What differs from the snapshot before: `+3 −1 ~2`, in words for screen readers. */
const changesText = ({ numAdded, numChanged, numRemoved }: Snapshot): string =>
  [
    numAdded > 0 && `${countText(numAdded)} added`,
    numChanged > 0 && `${countText(numChanged)} changed`,
    numRemoved > 0 && `${countText(numRemoved)} removed`,
  ]
    .filter(Boolean)
    .join(', ') || 'nothing';

/** What made a snapshot. */
const whyOf: Record<Snapshot['madeBy'], string> = {
  member: '',
  run: 'when a run started',
  restore: 'before a restore',
};

type Side = NonNullable<TestcaseDifference['before']>;
/** A testcase as text to compare. */
const asText = (side: Side | null): string =>
  side === null
    ? ''
    : [
        ...(side.split === null ? [] : [`split: ${side.split}`]),
        ...(side.tags.length === 0 ? [] : [`tags: ${side.tags.join(', ')}`]),
        side.jsonData === null ? 'The text was erased.' : JSON.stringify(side.jsonData, null, 2),
      ].join('\n');

const tones = { added: 'pass', changed: 'neutral', removed: 'fail' } as const;

/** The testcases that differ between a snapshot and the testset as it is now. */
const Differences = ({
  snapshot,
  testcaseId: only,
}: {
  snapshot: Snapshot;
  testcaseId?: string | undefined;
}) => {
  const list = useInfiniteQuery(
    asWritten.apiPages(
      'listSnapshotDifferences',
      snapshot.testsetId,
      String(snapshot.number),
      only ? { testcaseId: only } : {},
    ),
  );
  const found = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title={`${only ? `Testcase ${only}, from` : 'From'} ${titleOf(snapshot)} until now`}>
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={4} />}
      {list.isSuccess && found.length === 0 && (
        <p className="text-soft">{only ? 'The testcase is' : 'The testcases are'} the same.</p>
      )}
      <ul className="flex flex-col gap-2">
        {found.map(({ testcaseId, change, before, after }) => (
          <li key={testcaseId} className="rounded-md border p-3">
            <p className="mb-1 flex items-center gap-2">
              <span className="font-mono text-sm">{testcaseId}</span>
              <Badge tone={tones[change]}>{change}</Badge>
            </p>
            <div className="font-mono text-sm">
              <Suspense fallback={<Skeleton lines={3} />}>
                <TextDiff before={asText(before)} after={asText(after)} />
              </Suspense>
            </div>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  );
};

const NameDialog = ({ snapshot, onClose }: { snapshot: Snapshot; onClose: () => void }) => {
  const [name, setName] = useState(snapshot.name);
  const write = useMutation({
    mutationFn: () => api.updateSnapshot(snapshot.testsetId, String(snapshot.number), { name: name.trim() }),
    meta: { refreshes: [keyOf('listSnapshots', snapshot.testsetId)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Name of snapshot ${snapshot.number}`}
      write={write}
      action="Save"
    >
      <Input label="Name" value={name} onChange={setName} />
    </FormDialog>
  );
};

const RestoreDialog = ({ snapshot, onClose }: { snapshot: Snapshot; onClose: () => void }) => (
  <Confirm
    onClose={onClose}
    title={`Restore ${titleOf(snapshot)}?`}
    action="Restore"
    send={() => api.restoreSnapshot(snapshot.testsetId, String(snapshot.number))}
    meta={{
      refreshes: [
        keyOf('listSnapshots', snapshot.testsetId),
        keyOf('listTestcases', snapshot.testsetId),
        keyOf('listSnapshotDifferences', snapshot.testsetId),
      ],
    }}
  >
    The testset gets {countOf(snapshot.numTestcases - snapshot.numErased, 'testcase')} as they were then. What
    it has now becomes a snapshot first, so you can restore that one too.
  </Confirm>
);

const SnapshotRow = ({ snapshot, onOpen }: { snapshot: Snapshot; onOpen: () => void }) => {
  const may = useMay();
  const nameOf = useNames();
  const [dialog, setDialog] = useState<'name' | 'restore'>();
  const close = () => setDialog(undefined);
  const { number, numTestcases, numErased, numRuns, hash, madeBy, createdByUserId, current } = snapshot;
  return (
    <Row>
      <Cell className="font-medium">
        {titleOf(snapshot)} {snapshot.name !== '' && <span className="text-soft">{number}</span>}{' '}
        {current && <Badge>now</Badge>}
      </Cell>
      <Cell className="tabular-nums">
        {countText(numTestcases)}
        {numErased > 0 && <span className="text-soft"> ({countText(numErased)} erased)</span>}
      </Cell>
      <Cell>{changesText(snapshot)}</Cell>
      <Cell className="tabular-nums">{countText(numRuns)}</Cell>
      <Cell className="font-mono text-sm text-soft">
        <span title={hash}>{hash.slice(0, 12)}</span>
      </Cell>
      <Cell>
        <Time at={snapshot.createdAt} />{' '}
        <span className="text-soft">
          {createdByUserId === null ? 'by the service' : `by ${nameOf(createdByUserId)}`} {whyOf[madeBy]}
        </span>
      </Cell>
      <Cell>
        <span className="flex justify-end gap-1">
          <IconButton
            icon={GitCompareArrows}
            label={`Compare snapshot ${number} with now`}
            onClick={onOpen}
          />
          {may.write && (
            <>
              <IconButton icon={Pencil} label={`Name snapshot ${number}`} onClick={() => setDialog('name')} />
              <IconButton
                icon={RotateCcw}
                label={`Restore snapshot ${number}`}
                disabled={current}
                onClick={() => setDialog('restore')}
              />
            </>
          )}
        </span>
        {dialog === 'name' && <NameDialog snapshot={snapshot} onClose={close} />}
        {dialog === 'restore' && <RestoreDialog snapshot={snapshot} onClose={close} />}
      </Cell>
    </Row>
  );
};

/** The snapshots of a testset, newest first, and what differs between one and now. */
export const HistoryPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(apiQuery('getTestset', testsetId));
  const list = useInfiniteQuery(apiPages('listSnapshots', testsetId, {}));
  const snapshots = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const may = useMay();
  const { from = '', testcase } = route.useSearch();
  const navigate = useNavigate();
  // A link may name a snapshot that is not on the first pages of the list.
  const named = useQuery({ ...apiQuery('getSnapshot', testsetId, from), enabled: from !== '' });
  const shown =
    from === '' ? undefined : (snapshots.find(({ number }) => String(number) === from) ?? named.data);
  const take = useMutation({
    mutationFn: () => api.createSnapshot(testsetId, {}),
    meta: { refreshes: [keyOf('listSnapshots', testsetId)] },
  });
  const button = may.write && (
    <Button disabled={take.isPending} onClick={() => take.mutate()}>
      <Camera size={14} aria-hidden /> Make snapshot
    </Button>
  );
  return (
    <Page
      crumbs={<QuietLink {...paths.testset(projectId, testsetId)}>{testset.name}</QuietLink>}
      title="History"
      actions={button}
    >
      {list.error && <ErrorNote error={list.error} />}
      {take.error && <ErrorNote error={take.error} />}
      {list.isPending && <Skeleton lines={6} />}
      {list.isSuccess && snapshots.length === 0 && (
        <Empty title="No snapshots yet" action={button}>
          A snapshot is the testset as it was at one time. Each run makes one when it starts, if the testcases
          have changed. You can compare snapshots and restore one.
        </Empty>
      )}
      {snapshots.length > 0 && (
        <Table label="Snapshots" head={['Snapshot', 'Testcases', 'Changed', 'Runs', 'Hash', 'Made', '']}>
          {snapshots.map((snapshot) => (
            <SnapshotRow
              key={snapshot.number}
              snapshot={snapshot}
              onOpen={() =>
                void navigate({
                  ...paths.testsetHistory(projectId, testsetId, snapshot.number),
                  replace: true,
                })
              }
            />
          ))}
        </Table>
      )}
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
      {named.error && <ErrorNote error={named.error} />}
      {shown && <Differences key={`${shown.number} ${testcase}`} snapshot={shown} testcaseId={testcase} />}
    </Page>
  );
};
