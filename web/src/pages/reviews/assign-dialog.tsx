import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import type { ReviewProgress } from '../../resources/reviews/queries.ts';
import { membersQuery } from '../../resources/session/me.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/toast.tsx';

type AssignProps = {
  projectId: string;
  progress: ReviewProgress;
  /** The queue that the page shows, if it shows one alone. */
  metric: string | undefined;
  /** Whose records are reassigned. Without it, records that no one has are assigned. */
  from?: ReviewProgress['members'][number];
  onClose: () => void;
};

/** A whole number in a field; undefined for an empty one. */
const numberIn = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));

const useAssign = ({ projectId, from, onClose }: AssignProps) =>
  useMutation({
    mutationFn: (asked: { metricId: string; userIds: string[]; numPerRecord: string; count: string }) => {
      const count = numberIn(asked.count);
      return api.assignReviews(
        projectId,
        {
          userIds: asked.userIds,
          ...(asked.userIds.length > 0 && { numPerRecord: numberIn(asked.numPerRecord) ?? 1 }),
          ...(from && { fromUserId: from.userId }),
          ...(count !== undefined && { maxRecords: count }),
        },
        asked.metricId ? { metricId: asked.metricId } : {},
      );
    },
    meta: {
      refreshes: [
        keyOf('getReviewProgress', projectId),
        keyOf('getProjectAccess', projectId),
        keyOf('nextReview', projectId),
        keyOf('listProjectRecords', projectId),
      ],
    },
    onSuccess: ({ numRecords, people }) => {
      const what = countOf(numRecords, 'record');
      say(people.length > 0 ? `${what} assigned.` : `${what} of ${from?.name ?? 'them'} are for anyone now.`);
      onClose();
    },
  });

type PeopleProps = {
  progress: ReviewProgress;
  except: string | undefined;
  chosen: readonly string[];
  onChange: (userIds: string[]) => void;
};

/** Members who may score, each with the number of records that they have already. */
const People = ({ progress, except, chosen, onChange }: PeopleProps) => {
  const { data: members = [] } = useQuery(membersQuery);
  const assignedTo = (id: string) => progress.members.find(({ userId }) => userId === id)?.numAssigned ?? 0;
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <fieldset className="flex max-h-60 flex-col overflow-auto">
      <legend className="mb-1 font-medium">People</legend>
      {members
        .filter(({ id, role }) => id !== except && role !== 'viewer')
        .map(({ id, name, email }) => (
          <label key={id} className="flex min-h-8 items-center gap-2 rounded-sm px-1 hover:bg-hover">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {name}
            <span className="min-w-0 flex-1 truncate text-soft">{email}</span>
            {assignedTo(id) > 0 && <span className="text-sm text-soft">{assignedTo(id)} assigned</span>}
          </label>
        ))}
    </fieldset>
  );
};

/** Deals waiting records out to people, or those of one person to others. */
export const AssignDialog = (props: AssignProps) => {
  const { progress, metric, from, onClose } = props;
  const [userIds, setUserIds] = useState<string[]>([]);
  const [metricId, setMetricId] = useState(metric ?? '');
  const [numPerRecord, setPerRecord] = useState('1');
  const [count, setCount] = useState('');
  const assign = useAssign(props);
  const names = new Map(progress.queues.map((queue) => [queue.metricId, queue.metricName]));
  return (
    <FormDialog
      open
      onClose={onClose}
      title={from ? `Reassign the records of ${from.name}` : 'Assign records'}
      description={
        from
          ? `${countOf(from.numAssigned, 'record')} wait for them. Choose who gets these, or no one: then they are for anyone.`
          : 'Waiting records that no one has go to these people in turn. Records that you do not assign are for anyone.'
      }
      write={{ ...assign, mutate: () => assign.mutate({ metricId, userIds, numPerRecord, count }) }}
      action={from && userIds.length === 0 ? 'Give to anyone' : 'Assign'}
      disabled={!from && userIds.length === 0}
    >
      <People progress={progress} except={from?.userId} chosen={userIds} onChange={setUserIds} />
      {names.size > 1 && (
        <Select
          label="Queue"
          value={metricId}
          options={[
            { value: '', label: 'Every metric' },
            ...[...names].map(([value, label]) => ({ value, label })),
          ]}
          onChange={setMetricId}
        />
      )}
      <div className="grid grid-cols-2 gap-3">
        <Input
          label="People per record"
          type="number"
          min={1}
          max={Math.max(1, Math.min(9, userIds.length))}
          value={numPerRecord}
          onChange={setPerRecord}
        />
        <Input
          label="At most so many records"
          type="number"
          min={1}
          placeholder="all"
          value={count}
          onChange={setCount}
        />
      </div>
    </FormDialog>
  );
};

type AssignButtonProps = Omit<AssignProps, 'onClose' | 'progress'> & {
  /** Undefined while it is read: the button has its place from the start. */
  progress: ReviewProgress | undefined;
};

/** Opens the dialog. */
export const AssignButton = ({ progress, ...props }: AssignButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button disabled={!progress || progress.queues.length === 0} onClick={() => setOpen(true)}>
        {props.from ? 'Reassign' : 'Assign'}
      </Button>
      {isOpen && progress && <AssignDialog {...props} progress={progress} onClose={() => setOpen(false)} />}
    </>
  );
};
