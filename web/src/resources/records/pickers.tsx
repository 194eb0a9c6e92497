import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import type { Member } from '../../types.ts';
import { Avatar } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { submitting } from '../../ui/form.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { tagsQuery } from '../search/tags.ts';
import { membersQuery, useMe } from '../session/me.ts';

type TagPickerProps = {
  projectId: string;
  open: boolean;
  onClose: () => void;
  onPick: (text: string) => void;
};

/** Lets the user write a tag or choose one of the project. */
export const TagPicker = ({ projectId, open, onClose, onPick }: TagPickerProps) => {
  const [text, setText] = useState('');
  const list = useId();
  const { data: tags = [] } = useQuery({ ...tagsQuery(projectId), enabled: open });
  const pick = (tag: string) => {
    setText('');
    onClose();
    onPick(tag);
  };
  const submit = () => {
    if (text.trim()) pick(text.trim());
  };
  return (
    <Dialog open={open} onClose={onClose} title="Tag">
      <form onSubmit={submitting(submit)} className="flex flex-col gap-3">
        <Input
          label="Tag"
          hideLabel
          autoFocus
          list={list}
          maxLength={256}
          pattern="[^,]*"
          title="Without a comma"
          placeholder="A tag, then Enter"
          value={text}
          onChange={setText}
        />
        <div className="flex flex-wrap gap-1">
          {tags.slice(0, 30).map((tag) => (
            <Button key={tag.text} look="quiet" className="border-line" onClick={() => pick(tag.text)}>
              {tag.text} <span className="text-soft">{tag.numRecords}</span>
            </Button>
          ))}
        </div>
      </form>
    </Dialog>
  );
};

type PersonPickerProps = {
  open: boolean;
  onClose: () => void;
  chosen: readonly string[];
  onPick: (userId: string) => void;
};

/** Lets the user choose a member. Members who are assigned already have a tick. */
export const PersonPicker = ({ open, onClose, chosen, onPick }: PersonPickerProps) => {
  const me = useMe().user;
  const queries = useQueryClient();
  const { data: members = [], error } = useQuery({ ...membersQuery, enabled: open });
  const [text, setText] = useState('');
  const find = (among: Member[]) =>
    among
      .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(text.toLowerCase()))
      .sort((a, b) => Number(b.id === me.id) - Number(a.id === me.id));
  const pick = (userId: string) => {
    onClose();
    onPick(userId);
  };
  const submit = async () => {
    // Enter may come before the list is read.
    const [first] = find(await queries.ensureQueryData(membersQuery).catch(() => []));
    if (first) pick(first.id);
  };
  return (
    <Dialog open={open} onClose={onClose} title="Assign">
      <form onSubmit={submitting(submit)} className="flex flex-col gap-2">
        <Input
          label="Name or e-mail"
          hideLabel
          autoFocus
          placeholder="Name or e-mail, then Enter"
          value={text}
          onChange={setText}
        />
        {error && <ErrorNote error={error} />}
        <ul>
          {find(members).map(({ id, name, email }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => pick(id)}
                className="flex h-8 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-hover"
              >
                <Avatar name={name} />
                {id === me.id ? `${name} (you)` : name}
                <span className="min-w-0 flex-1 truncate text-soft">{email}</span>
                {chosen.includes(id) && <Check size={14} aria-label="assigned" />}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
};

export const AddButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    className="inline-flex h-5 items-center gap-1 rounded-sm px-1 text-sm text-soft hover:bg-hover hover:text-ink"
  >
    <Plus size={12} aria-hidden />
    {label}
  </button>
);
