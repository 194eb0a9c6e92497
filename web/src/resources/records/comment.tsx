import { CornerDownRight, Pencil, ThumbsDown, ThumbsUp, Trash2 } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';
import type { Annotation } from '../../types.ts';
import { Avatar } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { useDraft } from '../../ui/local-storage.ts';
import { Time } from '../../ui/time.tsx';
import { useMay, useMe, useNames } from '../session/me.ts';
import { isTemporary } from './annotation-writes.ts';
import { makerWords } from './maker-words.ts';

type WritingProps = {
  label: string;
  /** Key of the draft in local storage. */
  draft: string;
  /** Initial text without a draft. */
  stored?: string;
  action: string;
  autoFocus?: boolean;
  field?: Ref<HTMLTextAreaElement>;
  /** Sends the text. A text that is refused, or not sent at all (`undefined`), stays in the field. */
  onSubmit: (text: string) => Promise<unknown> | undefined;
  onCancel?: () => void;
};

/** A field for a comment or a reply. ⌘Enter sends it, Escape leaves the field and keeps the draft. */
export const Writing = ({
  label,
  draft: name,
  stored = '',
  action,
  autoFocus,
  field,
  onSubmit,
  onCancel,
}: WritingProps) => {
  const [draft, setDraft] = useDraft<string>(name);
  const text = draft ?? stored;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!text.trim()) return;
    const sent = onSubmit(text.trim());
    if (!sent) return;
    setDraft(undefined);
    sent.catch(() => setDraft(text));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      submit();
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      event.currentTarget.blur();
      onCancel?.();
    }
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <TextArea
        {...(field && { ref: field })}
        {...(autoFocus && { autoFocus })}
        label={label}
        hideLabel
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        placeholder={label}
        dir="auto"
        value={text}
        onChange={setDraft}
        onKeyDown={onKeyDown}
      />
      {(text.trim() || onCancel) && (
        <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
          {onCancel && (
            <Button
              look="quiet"
              onClick={() => {
                setDraft(undefined);
                onCancel();
              }}
            >
              Cancel
            </Button>
          )}
          <Button type="submit" look="primary" disabled={!text.trim()}>
            {action}
          </Button>
        </div>
      )}
    </form>
  );
};

type CommentProps = {
  id: string;
  /** What it is, for the names of its buttons: a comment, a reply. */
  what: string;
  userId: string;
  madeBy?: Annotation['madeBy'];
  createdAt: string;
  edited?: boolean;
  rating?: boolean;
  /** What it is on. */
  about?: ReactNode;
  comment: string;
  onEdit: (text: string) => Promise<unknown>;
  onDelete: () => void;
  onReply?: () => void;
  /** Actions at the end of the first line. */
  actions?: ReactNode;
};

/** What one person wrote. Its author and admins may change and delete it. */
export const Comment = (props: CommentProps) => {
  const { id, what, userId, madeBy, createdAt, edited, rating, about, comment } = props;
  const { onEdit, onDelete, onReply, actions } = props;
  const nameOf = useNames();
  const me = useMe().user;
  const may = useMay();
  const [isEditing, setEditing] = useState(false);
  const name = nameOf(userId);
  const Thumb = rating ? ThumbsUp : ThumbsDown;
  const isMine = may.review && (userId === me.id || may.administer) && !isTemporary(id);
  return (
    <div className="flex gap-2">
      <Avatar name={name} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-5 flex-wrap items-center gap-x-2">
          <span className="font-medium">{makerWords(name, madeBy)}</span>
          {rating !== undefined && (
            <Thumb
              size={12}
              className={rating ? 'text-pass' : 'text-fail'}
              aria-label={rating ? 'thumbs up' : 'thumbs down'}
            />
          )}
          <span className="text-sm text-soft">
            <Time at={createdAt} />
            {edited && ' · edited'}
          </span>
          <span className="-my-1 ml-auto flex">
            {actions}
            {onReply && !isTemporary(id) && (
              <IconButton icon={CornerDownRight} size={12} label="Reply" onClick={onReply} />
            )}
            {isMine && (
              <OwnActions
                what={what}
                onEdit={comment ? () => setEditing(!isEditing) : undefined}
                onDelete={onDelete}
              />
            )}
          </span>
        </div>
        {about}
        {isEditing ? (
          <Writing
            label={`Change the ${what}`}
            draft={`edit ${id}`}
            stored={comment}
            action="Save"
            autoFocus
            onSubmit={(text) => onEdit(text).then(() => setEditing(false))}
            onCancel={() => setEditing(false)}
          />
        ) : (
          comment && (
            <p className="break-words whitespace-pre-wrap" dir="auto">
              {comment}
            </p>
          )
        )}
      </div>
    </div>
  );
};

type OwnActionsProps = {
  what: string;
  /** Undefined: there is no text to edit. */
  onEdit: (() => void) | undefined;
  onDelete: () => void;
};

/** What the author may do. */
const OwnActions = ({ what, onEdit, onDelete }: OwnActionsProps) => (
  <>
    {onEdit && <IconButton icon={Pencil} size={12} label={`Edit this ${what}`} onClick={onEdit} />}
    <IconButton icon={Trash2} size={12} label={`Delete this ${what}`} onClick={onDelete} />
  </>
);
