import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { type Outdated, OutdatedNote } from './outdated.tsx';
import { ErrorNote } from './states.tsx';

/** What a form sends, such as a mutation: how far it is, and why it failed. */
export type Write = { mutate: () => void; isPending: boolean; error: Error | null };

export type FormProps = {
  write: Write;
  /** The text of the button that sends the form. */
  action: string;
  disabled?: boolean | undefined;
  /** What can be done about the error. */
  errorAction?: ReactNode;
  outdated?: Outdated;
  children: ReactNode;
};

/** Listens to a form that is submitted, and keeps the browser on the page. */
export const submitting = (send: () => void) => (event: FormEvent) => {
  event.preventDefault();
  send();
};

/** Ctrl or Cmd and Enter sends the form from each of its fields, also from those in which Enter begins a line. */
const sendOnEnter = (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.defaultPrevented) return;
  event.preventDefault();
  // Only through its button: one that is disabled says that the form is not ready.
  event.currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
};

/** Fields one below the other, what went wrong, and the button that sends them. `onCancel`: in a dialog, whose buttons stay in view. */
export const Form = ({
  write,
  action,
  disabled = false,
  errorAction,
  outdated,
  onCancel,
  className = '',
  children,
}: FormProps & { className?: string; onCancel?: () => void }) => (
  <form
    onSubmit={submitting(write.mutate)}
    onKeyDown={sendOnEnter}
    className={`flex flex-col gap-3 ${className}`}
  >
    {children}
    {write.error && !outdated && <ErrorNote error={write.error} action={errorAction} />}
    <OutdatedNote outdated={outdated} />
    {/* From the last field, Tab goes to the button that sends; Cancel stands before it to the eye. */}
    <div
      className={`flex gap-2 ${onCancel ? 'sticky -bottom-4 -mx-4 -mb-4 flex-row-reverse rounded-b-lg bg-surface px-4 pt-1 pb-4' : 'in-[[role=dialog]]:justify-end'}`}
    >
      <Button type="submit" look="primary" disabled={disabled || write.isPending || outdated !== undefined}>
        {action}
      </Button>
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  </form>
);
