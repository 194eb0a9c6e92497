import type { ReactNode } from 'react';

/** The look of a field. */
export const fieldBox =
  'w-full rounded-md border border-edge bg-surface px-2 text-ink disabled:opacity-60 aria-invalid:border-fail focus-visible:outline-offset-0';

export type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  hideLabel?: boolean | undefined;
};
type LabelledProps = FieldProps & { id: string; children: ReactNode };

/** What connects an element with its hint and its error for screen readers. */
export const describedBy = ({ id, hint, error }: Pick<LabelledProps, 'id' | 'hint' | 'error'>) => ({
  'aria-invalid': error ? (true as const) : undefined,
  'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
});

/** A label, an element with this id, a hint and an error. */
export const Labelled = ({ id, label, hint, error, hideLabel, children }: LabelledProps) => (
  <div className="flex min-w-0 flex-col gap-1">
    <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
      {label}
    </label>
    {children}
    {hint && (
      <p id={`${id}-hint`} className="text-sm text-soft">
        {hint}
      </p>
    )}
    {error && (
      <p id={`${id}-error`} className="text-sm text-fail">
        {error}
      </p>
    )}
  </div>
);
