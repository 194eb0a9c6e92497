import { type ChangeEvent, type ComponentProps, createElement, type ReactNode, useId } from 'react';

const box =
  'w-full rounded-md border border-edge bg-surface px-2 text-ink disabled:opacity-60 aria-invalid:border-fail focus-visible:outline-offset-0';

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  hideLabel?: boolean | undefined;
};
/** The properties of a field and of its element, whose `onChange` gets the text. */
type TextProps<Tag extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Tag>, 'onChange' | 'children'> & { onChange?: (value: string) => void };

/** A label, its element, a hint and an error, connected for screen readers. */
const Field = <Tag extends 'input' | 'textarea' | 'select'>({
  tag,
  look,
  label,
  hint,
  error,
  hideLabel,
  className = '',
  onChange,
  children,
  ...rest
}: TextProps<Tag> & { tag: Tag; look: string; children?: ReactNode }) => {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {createElement(
        tag as string,
        {
          ...rest,
          id,
          className: `${box} ${look} ${className}`,
          onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange?.(target.value),
          'aria-invalid': error ? true : undefined,
          'aria-describedby': describedBy || undefined,
        },
        children,
      )}
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

export const Input = (props: TextProps<'input'>) => <Field tag="input" look="h-7" {...props} />;
export const TextArea = (props: TextProps<'textarea'>) => <Field tag="textarea" look="py-1.5" {...props} />;

/** The options of a Select, from labels by value. */
export const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

type SelectProps<Value extends string> = Omit<TextProps<'select'>, 'value' | 'onChange'> & {
  options: readonly { value: Value; label: string }[];
  value?: Value;
  onChange?: (value: Value) => void;
};

/** The browser's own select, which works with every key and on every phone. */
export const Select = <Value extends string>({ options, onChange, ...rest }: SelectProps<Value>) => (
  <Field tag="select" look="h-7" {...rest} onChange={(value: string) => onChange?.(value as Value)}>
    {options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </Field>
);
