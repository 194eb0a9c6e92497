import { type ComponentProps, type ReactNode, useId } from 'react';

const box =
  'w-full rounded-md border border-edge bg-surface px-2 text-ink disabled:opacity-60 aria-invalid:border-fail focus-visible:outline-offset-0';

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  hideLabel?: boolean | undefined;
};
/** A field's own properties and those of the element, whose `onChange` gets the text. */
type TextProps<Tag extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Tag>, 'onChange' | 'children'> & { onChange?: (value: string) => void };

/** A label, what it labels, a hint and what is wrong, tied together for screen readers. */
const Field = ({
  label,
  hint,
  error,
  hideLabel,
  children,
}: FieldProps & {
  children: (tied: { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }) => ReactNode;
}) => {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({
        id,
        ...(error && { 'aria-invalid': true }),
        ...(describedBy && { 'aria-describedby': describedBy }),
      })}
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
};

export const Input = ({
  label,
  hint,
  error,
  hideLabel,
  className = '',
  onChange,
  ...rest
}: TextProps<'input'>) => (
  <Field {...{ label, hint, error, hideLabel }}>
    {(tied) => (
      <input
        {...rest}
        {...tied}
        onChange={(event) => onChange?.(event.target.value)}
        className={`${box} h-7 ${className}`}
      />
    )}
  </Field>
);

export const TextArea = ({
  label,
  hint,
  error,
  hideLabel,
  className = '',
  onChange,
  ...rest
}: TextProps<'textarea'>) => (
  <Field {...{ label, hint, error, hideLabel }}>
    {(tied) => (
      <textarea
        {...rest}
        {...tied}
        onChange={(event) => onChange?.(event.target.value)}
        className={`${box} py-1.5 ${className}`}
      />
    )}
  </Field>
);

/** The options of a Select, from labels by value. */
export const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

type SelectProps<Value extends string> = Omit<TextProps<'select'>, 'value' | 'onChange'> & {
  options: readonly { value: Value; label: string }[];
  value?: Value;
  onChange?: (value: Value) => void;
};

/** The browser's own select: everybody knows it, with every key and on every phone. */
export const Select = <Value extends string>({
  label,
  hint,
  error,
  hideLabel,
  className = '',
  onChange,
  options,
  ...rest
}: SelectProps<Value>) => (
  <Field {...{ label, hint, error, hideLabel }}>
    {(tied) => (
      <select
        {...rest}
        {...tied}
        onChange={(event) => onChange?.(event.target.value as Value)}
        className={`${box} h-7 ${className}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);
