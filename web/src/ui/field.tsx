import {
  type ChangeEvent,
  type ComponentProps,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useId,
} from 'react';
import { describedBy, type FieldProps, fieldBox, Labelled } from './labelled.tsx';

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
  return (
    <Labelled {...{ id, label, hint, error, hideLabel }}>
      {createElement(
        tag as string,
        {
          ...rest,
          ...describedBy({ id, hint, error }),
          id,
          className: `${fieldBox} ${look} ${className}`,
          onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange?.(target.value),
        },
        children,
      )}
    </Labelled>
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
  /** Searched however few options there are, such as those of a list that is still read. */
  searched?: boolean;
};

/** The browser's own select, which works with every key and on every phone. */
const Native = <Value extends string>({ options, onChange, ...rest }: SelectProps<Value>) => (
  <Field tag="select" look="h-7 pr-8" {...rest} onChange={(value: string) => onChange?.(value as Value)}>
    {options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </Field>
);

// Most selects are short: its code comes with the first long one.
const Searchable = lazy(() => import('./searchable-select.tsx')) as unknown as typeof Native;

/** Options up to which one sees them all at a glance. */
const mostSeen = 10;
const isTouched = () => window.matchMedia('(pointer: coarse)').matches;

/** Chooses one of several: the browser's own select, or for a long list one that is searched. */
export const Select = <Value extends string>({ searched = false, ...props }: SelectProps<Value>) =>
  (!searched && props.options.length <= mostSeen) || isTouched() ? (
    <Native {...props} />
  ) : (
    <Suspense fallback={<Native {...props} />}>
      <Searchable {...props} />
    </Suspense>
  );
