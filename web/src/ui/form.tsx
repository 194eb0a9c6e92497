import type { FormEvent, ReactNode } from 'react';
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

/** Fields one below the other, what went wrong, and the button that sends them. */
export const Form = ({
  write,
  action,
  disabled = false,
  errorAction,
  outdated,
  className = '',
  children,
}: FormProps & { className?: string }) => (
  <form onSubmit={submitting(write.mutate)} className={`flex flex-col gap-3 ${className}`}>
    {children}
    {write.error && !outdated && <ErrorNote error={write.error} action={errorAction} />}
    <OutdatedNote outdated={outdated} />
    <Button
      type="submit"
      look="primary"
      disabled={disabled || write.isPending || outdated !== undefined}
      className="self-end"
    >
      {action}
    </Button>
  </form>
);
