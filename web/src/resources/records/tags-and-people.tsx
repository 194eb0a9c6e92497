import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { RecordDetail } from '../../types.ts';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { useKeys } from '../../ui/keys.ts';
import { useMay, useNames } from '../session/me.ts';
import { AddButton, PersonPicker, TagPicker } from './pickers.tsx';
import type { RecordWrites } from './use-record-writes.ts';

/** A tag or a person, with a button that removes it. */
const Removable = ({
  label,
  onRemove,
  children,
}: {
  label: string;
  onRemove?: () => void;
  children: ReactNode;
}) => (
  <span className="inline-flex items-center">
    {children}
    {onRemove && (
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={onRemove}
        className="inline-flex size-5 items-center justify-center rounded-sm text-soft hover:bg-hover hover:text-ink"
      >
        <X size={12} aria-hidden />
      </button>
    )}
  </span>
);

type TagsAndPeopleProps = { record: RecordDetail; projectId: string; writes: RecordWrites };

/** The tags and the assigned people of a record, and the keys and dialogs that add one. */
export const TagsAndPeople = ({ record, projectId, writes }: TagsAndPeopleProps) => {
  const nameOf = useNames();
  const may = useMay();
  const [picking, setPicking] = useState<'tag' | 'person'>();
  const { id } = record;
  useKeys(
    'A record',
    { t: ['Tag', () => setPicking('tag')], a: ['Assign', () => setPicking('person')] },
    may.write,
  );
  return (
    <div className="flex flex-wrap items-center gap-1">
      {record.tags.map((tag) => (
        <Removable
          key={tag}
          label={`Remove the tag ${tag}`}
          {...(may.write && { onRemove: () => writes.removeTag(id, tag) })}
        >
          <Badge>{tag}</Badge>
        </Removable>
      ))}
      {may.write && <AddButton label="Tag" onClick={() => setPicking('tag')} />}
      <span className="mx-1 h-4 border-l" aria-hidden />
      {record.assigneeUserIds.map((userId) => (
        <Removable
          key={userId}
          label={`Unassign ${nameOf(userId)}`}
          {...(may.write && { onRemove: () => writes.unassign(id, userId) })}
        >
          <span className="inline-flex items-center gap-1">
            <Avatar name={nameOf(userId)} /> {nameOf(userId)}
          </span>
        </Removable>
      ))}
      {may.write && <AddButton label="Assign" onClick={() => setPicking('person')} />}
      <TagPicker
        projectId={projectId}
        open={picking === 'tag'}
        onClose={() => setPicking(undefined)}
        onPick={(text) => void writes.addTag(id, text).catch(() => {})}
      />
      <PersonPicker
        open={picking === 'person'}
        onClose={() => setPicking(undefined)}
        chosen={record.assigneeUserIds}
        onPick={(userId) => void writes.assign(id, userId).catch(() => {})}
      />
    </div>
  );
};
